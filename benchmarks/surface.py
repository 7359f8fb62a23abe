"""Measure the surface: what a collapsed listing saves, and what searching and updating through it cost.

    python -m benchmarks.surface [--catalog PATH]... [--quick] [--write]

A PATH is a saved tools/list, or a folder with one for each connector; the example account is always measured. Tokens
are estimates, a quarter of the characters. Times are CPU times, the median of rounds that take turns. Answers are
checked first.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a file, too

from benchmarks.catalogues import make  # noqa: E402
from benchmarks.timing import clock, quiet  # noqa: E402
from toolrank import Pool, rank  # noqa: E402
from toolrank.mcp import Catalog, Surface, definition, estimated_tokens, tools  # noqa: E402

ACCOUNT = ROOT / "docs" / "examples" / "account"
RESULT = ROOT / "benchmarks" / "results" / "surface.txt"
HITS = 10


def load(path: Path) -> Pool:
    """Read a saved listing, or a folder of them, as one pool."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return Pool([tool for file in files for tool in tools(file.read_bytes(), file.stem)])


def listing(size: int) -> list[dict[str, Any]]:
    """Make a listing of a seeded catalogue; names are made distinct, as in one server."""
    made = []
    for at, row in enumerate(make(size)):
        properties = {name: {"type": "string", "description": f"The {name} to use."} for name in row.parameters}
        schema = {"type": "object", "properties": properties, "required": list(row.parameters[:1])}
        made.append({"name": f"{row.name}_{at}", "description": row.description, "inputSchema": schema})
    return made


def text_of(result: dict[str, Any]) -> str:
    text: str = result["content"][0]["text"]
    return text


def no_call(tool: object, arguments: object) -> None:
    raise AssertionError(f"nothing is called here, not {tool} with {arguments}")


def full_answers(pool: Pool) -> list[str]:
    """Return the words of names, alone and in pairs, that find at least ten tools."""
    words = sorted({word for tool in pool for word in tool.name.replace("-", "_").casefold().split("_")})
    return [word for word in words if not word.isdecimal() and len(rank(word, pool, HITS)) == HITS]


def tokens(name: str, pool: Pool) -> list[str]:
    """Compare a whole listing with a collapsed one, and with one search on top: a typical one, and the largest."""
    surface = Surface(pool, no_call, collapse="always")
    whole = estimated_tokens([definition(tool) for tool in pool])
    collapsed = estimated_tokens(surface.list_tools())
    answers = []
    for tool in pool:
        text = text_of(surface.search_tools(f"{tool.connector} {tool.name.replace('_', ' ')}"))
        found = [(one["connector"], one["name"]) for one in json.loads(text)["tools"]]
        assert tool.identity in found, tool
        answers.append(-(-len(text) // 4))
    typical, largest = statistics.median(answers), max(answers)
    return [
        f"{name}: {len(pool)} tools",
        f"  listing everything        {whole:>8,} tokens",
        f"  collapsed                 {collapsed:>8,} tokens  {whole / collapsed:6.1f} times fewer",
        *[
            f"  collapsed and {label:<12}{sum_:>8,.0f} tokens  {whole / sum_:6.1f} times fewer"
            for label, sum_ in (("a search", collapsed + typical), ("the longest", collapsed + largest))
        ],
    ]


def rounds(count: int, *works: Callable[[], object]) -> list[float]:
    """Return the median time of each work; they take turns within each round."""
    times: list[list[float]] = [[] for _ in works]
    with quiet():
        for turn in range(count):
            for at in range(len(works)):
                which = (at + turn) % len(works)
                times[which].append(clock(works[which]))
    return [statistics.median(taken) for taken in times]


def searching(size: int, count: int) -> list[str]:
    """Measure `search_tools` against the `rank` within it: ten hits, the smallest size."""
    listed = listing(size)
    pool = Pool(tools(listed, "Office"))
    queries = full_answers(pool)
    surface = Surface(pool, no_call)
    for query in queries:
        found = json.loads(text_of(surface.search_tools(query)))["tools"]
        assert [one["name"] for one in found] == [tool.name for tool in rank(query, pool, HITS).tools]

    def bare() -> None:
        for query in queries:
            list(rank(query, pool, HITS).tools)

    def through() -> None:
        for query in queries:
            surface.search_tools(query)

    def anew() -> None:
        surface._entries.clear()  # noqa: SLF001 - as a new one, without the time that making it takes
        through()

    each = [1e6 * taken / len(queries) for taken in rounds(count, bare, through, anew)]
    return [
        f"search_tools at {size} tools, {HITS} hits with names and signatures, over {len(queries)} queries",
        f"  rank                      {each[0]:8.1f} us",
        f"  search_tools              {each[1]:8.1f} us  {each[1] - each[0]:+.1f} us, {each[1] / each[0]:.2f} of rank",
        f"  ... on a new surface      {each[2]:8.1f} us  {each[2] - each[0]:+.1f} us, {each[2] / each[0]:.2f} of rank",
    ]


def setting(size: int, count: int) -> list[str]:
    """Measure `Catalog.set`: for the first time, unchanged, and with one tool changed."""
    listed = listing(size)
    text = json.dumps(listed)
    catalog = Catalog()
    catalog.set("Office", listed)
    changed = [json.loads(text), json.loads(text)]
    changed[0][7]["description"] = "Another one."

    def first() -> None:
        assert Catalog().set("Office", listed)

    def again() -> None:
        assert not catalog.set("Office", listed)

    def as_text() -> None:
        assert not catalog.set("Office", text)

    def one() -> None:
        assert other.set("Office", changed[other.revision % 2])

    other = Catalog()
    other.set("Office", changed[0])
    taken = rounds(count, first, again, as_text, one)
    labels = ("the first time", "unchanged", "unchanged, as text", "one tool changed")
    return [
        f"Catalog.set of {size} tools",
        *[
            f"  {label:<26}{1e3 * each:8.2f} ms  {each / taken[0]:.3f} of the first"
            for label, each in zip(labels, taken, strict=True)
        ],
    ]


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--catalog", action="append", default=[], type=Path, help="a saved listing, or a folder of them"
    )
    parser.add_argument("--quick", action="store_true", help="a few rounds: for the checks, not for the figures")
    parser.add_argument("--write", action="store_true", help=f"to {RESULT.relative_to(ROOT)}, too")
    options = parser.parse_args(given)
    count = 3 if options.quick else 61
    told = [line for path in (ACCOUNT, *options.catalog) for line in tokens(path.name, load(path))]
    told += searching(500, count) + setting(200, count)
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    machine = f"Python {platform.python_version()}, {platform.machine()}, {datetime.now(timezone.utc):%Y-%m-%d}"
    text = "\n".join([f"commit {commit.stdout.strip() or 'unknown'}; {machine}", *told])
    print(text)
    if options.write:
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
