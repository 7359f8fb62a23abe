"""Measure pattern search: how far past its time limit a catastrophic pattern goes before its error comes.

    python -m benchmarks.grep [--quick] [--rounds N] [--write]

Each pattern is searched for in 500 tools, once for each time limit a round; every search must end in the error. A ratio
is the time of the whole call by its limit: on the wall, which is the promise and also measures whoever else the machine
works for, and of the processor, which tells the two apart.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a file, too

from benchmarks import tell  # noqa: E402
from benchmarks.catalogues import make  # noqa: E402
from benchmarks.timing import quiet  # noqa: E402
from tests.kit.patterns import CATASTROPHIC, CATASTROPHIC_ON_PROSE, FILL  # noqa: E402
from toolrank import Pool, Tool  # noqa: E402
from toolrank.grep import PatternTimeout, grep  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results"
SIZE = 500
TIMEOUTS = (0.05, 0.25, 1.0)
PROMISE = 1.5  # times the limit, on the wall


class Ratios(NamedTuple):
    """What some searches took, by their limit."""

    wall: list[float]
    processor: list[float]

    def told(self) -> list[str]:
        return [f"{how(times):.2f}" for times in self for how in (statistics.median, max)]


def pools() -> list[tuple[str, Pool, list[str]]]:
    """Make the seeded catalogue as it is, and with a text made for the patterns in every description."""
    rows = make(SIZE)
    plain = [Tool(row.name, row.description, row.connector, parameters=row.parameters) for row in rows]
    filled = [Tool(tool.name, tool.description + FILL, tool.connector, parameters=tool.parameters) for tool in plain]
    return [
        (f"{SIZE} tools", Pool(plain), CATASTROPHIC_ON_PROSE),
        (f"{SIZE} tools with a hostile text", Pool(filled), CATASTROPHIC),
    ]


def search(pattern: str, pool: Pool, timeout: float) -> tuple[float, float]:
    """Give the time on the wall and the processor's of one search, by its limit."""
    wall, processor = time.perf_counter(), time.process_time()
    try:
        found = grep(pattern, pool, timeout=timeout)
    except PatternTimeout:
        return (time.perf_counter() - wall) / timeout, (time.process_time() - processor) / timeout
    raise AssertionError(f"{pattern!r} must not be finished within {timeout:g} s, and found {len(found)} tools")


def measure(pool: Pool, patterns: Sequence[str], timeouts: Sequence[float], rounds: int) -> dict[str, Ratios]:
    """Search for every pattern with every limit, in turns; give the ratios by limit and by pattern."""
    taken: dict[str, Ratios] = {}
    with quiet():
        for _round in range(rounds):
            for pattern in patterns:
                for timeout in timeouts:
                    ratios = search(pattern, pool, timeout)
                    for name in (pattern, f"all, {timeout:g} s"):
                        for times, ratio in zip(taken.setdefault(name, Ratios([], [])), ratios):
                            times.append(ratio)
    return taken


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grep", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one round of the shortest limit: for the checks")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help=f"to {RESULTS.relative_to(ROOT)}, too")
    options = parser.parse_args(given)
    timeouts, rounds = (TIMEOUTS[:1], 1) if options.quick else (TIMEOUTS, options.rounds)
    commit = describe()
    machine = f"Python {platform.python_version()}, {platform.machine()}, {datetime.now(timezone.utc):%Y-%m-%d}"
    limits = ", ".join(f"{timeout:g}" for timeout in timeouts)
    lines = [f"commit {commit}; {machine}; limits of {limits} s, {rounds} rounds; time by limit, median and worst"]
    every = Ratios([], [])
    for title, pool, patterns in pools():
        taken = measure(pool, patterns, timeouts, rounds)
        head = ["pattern", "wall", "worst", "processor", "worst"]
        lines += ["", tell.plain(title, head, [[name, *ratios.told()] for name, ratios in sorted(taken.items())])]
        for name in patterns:
            every.wall.extend(taken[name].wall)
            every.processor.extend(taken[name].processor)
    within = sum(ratio <= PROMISE for ratio in every.wall)
    lines += ["", f"{len(every.wall)} searches, {within} of them within {PROMISE:g} times their limit on the wall"]
    lines.append("wall {}, worst {}; processor {}, worst {}".format(*every.told()))
    text = "\n".join(lines)
    print(text)
    if options.write:
        path = RESULTS / f"grep-{commit}.txt"
        path.write_text(text + "\n", encoding="utf-8")
        print(f"Written: {path.relative_to(ROOT)}")


def describe() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
