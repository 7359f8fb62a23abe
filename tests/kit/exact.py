"""The whole matrix: every saboteur against every property, as `python -m tests.kit.exact [EXAMPLES [SEEDS]]`.

The suite does this with fewer examples. By default 200 examples and the seeds 0 to 9. `TOOLRANK` is left out for the
saboteurs of the other tiers: whoever breaks an order or a floor differs from this library too.
"""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from toolrank.testing import SABOTEURS, TIERS, TOOLRANK, Property
from toolrank.testing._property import Outcome

Found = tuple[str, str, int]  # the saboteur's property, a property, the seed


def claimed(name: str) -> Iterator[Property]:
    """The properties among which a saboteur breaks its own alone."""
    for tier in TIERS:
        if tier is not TOOLRANK or name in map(str, TOOLRANK):
            yield from tier


def broken(name: str, examples: int, seed: int, shrink: bool = False) -> list[str]:
    """Name the properties that a property's saboteur breaks."""
    settings = {"examples": examples, "seed": seed, "timeout": 10.0, "surrogates": True, "shrink": shrink}
    verdicts = {prop.name: prop.run(SABOTEURS[name](), **settings) for prop in claimed(name)}  # type: ignore[arg-type]
    return [prop for prop, verdict in verdicts.items() if verdict.outcome == Outcome.BROKEN]


def main(examples: int = 200, seeds: int = 10) -> int:
    began = time.process_time()
    wrong = 0
    for name in SABOTEURS:
        found = {seed: broken(name, examples, seed) for seed in range(seeds)}
        bad = {seed: names for seed, names in found.items() if names != [name]}
        wrong += len(bad)
        print(f"{name}: " + (f"NOT EXACT {bad}" if bad else f"exact for {seeds} seeds"), flush=True)
    print(f"{len(SABOTEURS)} saboteurs, {wrong} runs not exact, {time.process_time() - began:.0f} s of processor time")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
