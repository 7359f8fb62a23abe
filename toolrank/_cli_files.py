"""Saved tools/list results: from the paths of a command line to tools.

What a listing looks like inside is `toolrank.mcp`'s to know. This module knows files: which ones a path means, how they
are decoded, and how to say in one line what is wrong with one of them, and where.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from toolrank._tool import Tool

__all__ = ["InputError", "read"]


class InputError(Exception):
    """Input that the command line cannot work on; the message says where, and what was expected."""


class _Source(NamedTuple):
    """A file to read: its place in messages, its bytes, and the label that its name gives it."""

    place: str
    content: bytes
    label: str


def read(paths: Iterable[str], connector: str | None) -> list[Tool]:
    """Read every tool of every path; `connector` labels them all where it is given.

    Raises InputError for the first thing that is wrong: nothing is ranked from half a file.
    """
    seen: dict[tuple[str, str], tuple[Tool, str]] = {}
    for path in paths:
        for source in _sources(path):
            for at, tool in enumerate(_tools(source, connector)):
                place = f"{source.place}: tools[{at}]"
                first, earlier = seen.setdefault(tool.identity, (tool, place))
                if first != tool:
                    raise InputError(
                        f"{place}.name must be one that connector {tool.connector!r} has once, not {tool.name!r}, "
                        f"that of another tool ({earlier})"
                    )
    return [tool for tool, _ in seen.values()]


def _sources(path: str) -> Iterator[_Source]:
    if path == "-":
        if sys.stdin is None:  # as `<&-` leaves it
            raise InputError("standard input: must be open")
        yield _Source("standard input", sys.stdin.buffer.read(), "")
        return
    if not Path(path).is_dir():
        yield _source(Path(path))
        return
    files = sorted(file for file in Path(path).iterdir() if file.suffix == ".json" and not file.is_dir())
    if not files:
        raise InputError(f"{path}: must be a file or a folder that has *.json files, not one without")
    yield from map(_source, files)


def _source(path: Path) -> _Source:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: must be a file that can be read ({error.strerror})") from None
    # A pipe under /dev has a number for a name, which is nobody's label.
    return _Source(str(path), content, path.stem if path.is_file() else "")


def _tools(source: _Source, connector: str | None) -> list[Tool]:
    from toolrank.mcp import tools

    listing = _parsed(source)
    label = connector if connector is not None else _named_in(listing) or source.label
    try:
        return tools(listing, connector=label)
    except ValueError as error:
        raise InputError(f"{source.place}: {error}") from None


def _parsed(source: _Source) -> Any:
    try:
        text = source.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _position(error.object[: error.start])
        byte = error.object[error.start]
        raise InputError(f"{source.place}: line {line}, byte {column}: must be UTF-8, not byte 0x{byte:02x}") from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{source.place}: line {error.lineno}, column {error.colno}"
        raise InputError(f"{place}: must be JSON ({error.msg})") from None
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise InputError(f"{source.place}: must be JSON that Python can hold ({error})") from None


def _position(before: bytes) -> tuple[int, int]:
    """Return the line and the byte in it, both from 1, of what follows."""
    return before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1


def _named_in(listing: Any) -> str:
    """Return the connector that a file names beside its tools, or around the JSON-RPC result."""
    for level in (listing, listing.get("result") if isinstance(listing, dict) else None):
        if isinstance(level, dict):
            for key in ("connector", "server"):
                if isinstance(level.get(key), str):
                    return str(level[key])
    return ""
