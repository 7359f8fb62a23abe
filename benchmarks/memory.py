"""What an index weighs: the growth of a fresh process, and the sizes of its objects one by one."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path
from typing import Any

from benchmarks.catalogues import Row, ask, make, read
from benchmarks.peers import PEERS, Own, forget

__all__ = ["child", "in_fresh_process", "rss", "weigh"]


def rss() -> int:
    """Give the resident bytes of this process (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def settle() -> None:
    """Collect garbage, and give free memory back, so that what follows cannot hide in it."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            CDLL("libc.so.6").malloc_trim(0)


def weigh(thing: object, without: Iterable[object] = ()) -> int:
    """Add up `sys.getsizeof` of everything that can be reached, each object once, but for what `without` reaches.

    Classes, modules and functions are not walked: they are there without the thing.
    """
    seen: set[int] = set()
    for other in without:
        _walk(other, seen)
    return _walk(thing, seen)


def _walk(thing: object, seen: set[int]) -> int:
    total = 0
    stack = [thing]
    while stack:
        one = stack.pop()
        if id(one) in seen or isinstance(one, type) or callable(one) or one is None:
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        if isinstance(one, dict):
            stack += one.keys()
            stack += one.values()
        elif isinstance(one, (list, tuple, set, frozenset)):
            stack += one
        if not isinstance(one, (str, bytes, int, float)):
            stack += _attributes(one)
    return total


def _attributes(one: object) -> list[object]:
    found: list[object] = [vars(one)] if hasattr(one, "__dict__") else []
    for kind in type(one).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        named = [slots] if isinstance(slots, str) else [s for s in slots if s not in ("__dict__", "__weakref__")]
        found += [getattr(one, slot) for slot in named if hasattr(one, slot)]
    return found


def child(engine: str, size: int, catalog: str | None) -> dict[str, int]:
    """Measure one engine in this process, which must be fresh."""
    rows = read(Path(catalog))[0] if catalog else make(size)
    queries = [query.text for query in ask(rows)]
    (peer,) = (peer for peer in PEERS if peer.name == engine)
    # What the first of any kind brings with it is not the index: modules, compilers, tables.
    few = rows[:3]
    warm = peer(peer.prepare(few))
    for text in queries[:3]:
        warm.query(text)
    del warm, few
    prepared = peer.prepare(rows)
    settle()
    before = rss()
    index = peer(prepared)
    settle()
    built = rss()
    for text in queries:
        index.query(text)
    settle()
    asked = rss()
    found = {"text": sum(row.text for row in rows), "built": built - before, "asked": asked - before}
    if isinstance(index, Own):
        found["sizes asked"] = weigh(index.pool, without=[index.tools])
        forget(index.pool)
        found["sizes"] = weigh(index.pool, without=[index.tools])
    return found


def in_fresh_process(engine: str, rows: Sequence[Row], catalog: Path | None) -> dict[str, int]:
    """Measure one engine's memory where nothing was before it."""
    command = [sys.executable, "-m", "benchmarks.speed", "--memory-of", engine, "--sizes", str(len(rows))]
    if catalog is not None:
        command += ["--catalog", str(catalog.resolve())]
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
