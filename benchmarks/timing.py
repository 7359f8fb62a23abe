"""How time is measured: turns within rounds, medians, and ratios over the same work.

Times are CPU times of the process, all threads together: on a shared machine a clock on the wall measures the others.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["PATIENCE", "Figure", "Turn", "clock", "quiet", "rounds_of", "side_by_side"]

LONG_ENOUGH = 0.01  # seconds: a pass that is shorter is repeated within its turn
TOO_LONG = 0.5  # seconds: an engine whose pass would be longer is asked every k-th query, and compared on those
FEWEST = 8  # of the queries, however long they take
PATIENCE = 2.5  # seconds: an engine that took as long as this has no turn after its third


class Figure(NamedTuple):
    """One measured number; `against` is toolrank's own over the same work, in the same rounds."""

    catalogue: str
    tools: int
    measure: str
    engine: str
    value: float
    unit: str
    against: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.value / self.against if self.against else None


def clock(work: Callable[[], object]) -> float:
    """Give the seconds that some work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


@contextmanager
def quiet() -> Iterator[None]:
    """Collect garbage before, and none meanwhile."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Turn:
    """One engine's pass over the work, or over every k-th piece of it, timed once a round."""

    def __init__(self, name: str, each: Callable[[int], object], count: int) -> None:
        self.name, self.each, self.count = name, each, count
        probe = range(0, count, max(1, count // FEWEST))
        for at in probe:
            each(at)  # once before it is timed: connections, compilers, caches
        self.cost = clock(lambda: [each(at) for at in probe]) / len(probe)
        step = 1
        while self.cost * count / step > TOO_LONG and 2 * step * FEWEST <= count:
            step *= 2
        self.times: list[float] = []
        self.spent = 0.0
        self.take(step)

    def take(self, step: int) -> None:
        """Take every `step`-th piece of the work."""
        self.step = step
        self.places = range(0, self.count, step)
        self.repeat = max(1, int(LONG_ENOUGH / max(self.cost * len(self.places), 1e-6)))

    def run(self) -> None:
        if self.spent > PATIENCE and len(self.times) >= 3:
            return
        each, places, repeat = self.each, self.places, self.repeat
        began = time.process_time()
        for _ in range(repeat):
            for at in places:
                each(at)
        took = time.process_time() - began
        self.spent += took
        self.times.append(took / repeat / len(places))

    @property
    def us(self) -> float:
        """The median over the rounds, for one piece, in microseconds."""
        return statistics.median(self.times) * 1e6


def rounds_of(turns: Sequence[Turn], rounds: int) -> None:
    """Let everyone have a turn in every round, and another one begin each."""
    with quiet():
        for at in range(rounds):
            first = at % len(turns)
            for turn in [*turns[first:], *turns[:first]]:
                turn.run()


def side_by_side(own: str, work: dict[str, Callable[[int], object]], count: int, rounds: int) -> dict[str, Turn]:
    """Time the same work of several engines, and `own` over every sample that a slow one was given as well.

    The sample's turn of `own` is found under the engine's name after a colon: `":sqlite"`.
    """
    turns = {name: Turn(name, each, count) for name, each in work.items()}
    samples: dict[int, Turn] = {turns[own].step: turns[own]}
    for turn in turns.values():
        if turn.step not in samples:
            samples[turn.step] = Turn(own, work[own], count)
            samples[turn.step].take(turn.step)
    rounds_of([*samples.values(), *(turn for name, turn in turns.items() if name != own)], rounds)
    return turns | {f":{name}": samples[turn.step] for name, turn in turns.items()}
