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
SLOW = 0.02  # seconds: an engine that takes as long for one query is not warmed up over all
PATIENCE = 1.5  # seconds: an engine that has taken as long has no more turns


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
    """One engine's pass over the work, or over every k-th piece of it, timed once a round.

    `ready` is done before each pass and not timed: it puts right what another turn of the same engine has upset.
    """

    def __init__(
        self, name: str, each: Callable[[int], object], count: int, ready: Callable[[], object] | None = None
    ) -> None:
        self.name, self.each, self.count, self.ready = name, each, count, ready
        probe = range(0, count, max(1, count // FEWEST))
        first = max(clock(lambda: each(probe[0])), clock(lambda: each(probe[0])))  # connections, compilers, caches
        if first < SLOW:
            for at in probe:
                each(at)
            self.cost = clock(lambda: [each(at) for at in probe]) / len(probe)
        else:
            self.cost = clock(lambda: each(probe[-1]))
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
        if self.spent > PATIENCE:
            return
        each, places, repeat = self.each, self.places, self.repeat
        if self.ready is not None:
            self.ready()
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


def side_by_side(
    own: dict[str, Callable[[int], object]],
    others: dict[str, Callable[[int], object]],
    count: int,
    rounds: int,
    ready: Callable[[], object] | None = None,
) -> tuple[dict[str, Turn], dict[tuple[str, str], Turn]]:
    """Time the same work of several engines, and each way of our own over every sample that a slow one was given.

    Gives the turns of all over as much as they had, and for each way and other engine our own turn over its sample.
    `ready` goes before each of our own passes.
    """
    turns = {name: Turn(name, each, count, ready) for name, each in own.items()}
    turns |= {name: Turn(name, each, count) for name, each in others.items()}
    samples: dict[tuple[str, int], Turn] = {(way, turns[way].step): turns[way] for way in own}
    for way, each in own.items():
        for step in {turns[name].step for name in others} - {turns[way].step}:
            samples[way, step] = Turn(way, each, count, ready)
            samples[way, step].take(step)
    rounds_of([*samples.values(), *(turns[name] for name in others)], rounds)
    return turns, {(way, name): samples[way, turns[name].step] for way in own for name in others}
