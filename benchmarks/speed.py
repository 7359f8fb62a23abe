"""Measure speed: build, query, restricted query, update, memory and import, beside other engines in one run.

    python -m benchmarks.speed [--sizes 30,500] [--catalog PATH] [--huge] [--quick] [--peers a,b] [--rounds N]
    python -m benchmarks.speed --only query --peers none     # toolrank alone, by kind of query
    python -m benchmarks.speed --profile                     # where a query's time goes, for each size

Answers are checked first. Engines take turns within each round, in another order every time, and a figure is the
median of the rounds. Times are CPU times of the process: on a shared machine a clock on the wall measures the others.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a file, too

from benchmarks.catalogues import KINDS, Query, Row, ask, make, read  # noqa: E402
from benchmarks.check import check  # noqa: E402
from benchmarks.peers import PEERS, Own, Peer, forget  # noqa: E402
from toolrank import rank  # noqa: E402

SIZES = (30, 500, 3_000, 10_000, 100_000)
MEASURES = ("query", "cold")
LONG_ENOUGH = 0.02  # seconds: a pass that is shorter is repeated within a round
TOO_LONG = 2.0  # seconds: an engine whose pass would be longer is asked every k-th query only, and compared on those


class Figure(NamedTuple):
    """One measured number."""

    catalogue: str
    tools: int
    measure: str
    engine: str
    value: float
    unit: str
    against: float | None = None  # toolrank's own value over the same work


def clock(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


# ---- Queries --------------------------------------------------------------------------------------------------------


class Turn:
    """An engine's turn in a round: its pass over the queries, or over every k-th of them."""

    def __init__(self, name: str, each: Callable[[int], object], count: int) -> None:
        self.name = name
        self.each = each
        probe = range(0, count, max(1, count // 8))
        for at in probe:
            each(at)  # once before it is timed: connections, caches, compilers
        cost = clock(lambda: [each(at) for at in probe]) / len(probe)
        self.step = 1
        while cost * count / self.step > TOO_LONG and self.step < count // 8:
            self.step *= 2
        self.places = range(0, count, self.step)
        self.repeat = max(1, int(LONG_ENOUGH / max(cost * len(self.places), 1e-6)))
        self.times: list[float] = []

    def run(self) -> None:
        each, places = self.each, self.places
        began = time.process_time()
        for _ in range(self.repeat):
            for at in places:
                each(at)
        self.times.append((time.process_time() - began) / self.repeat / len(places))


def rounds_of(turns: list[Turn], rounds: int) -> None:
    gc.collect()
    gc.disable()
    try:
        for at in range(rounds):
            for turn in turns[at % len(turns) :] + turns[: at % len(turns)]:
                turn.run()
    finally:
        gc.enable()


def side_by_side(
    measure: str, catalogue: str, tools: int, work: dict[str, Callable[[int], object]], count: int, rounds: int
) -> list[Figure]:
    """Time the same work of several engines; toolrank again over every sample that a slow engine was given."""
    turns = [Turn(name, each, count) for name, each in work.items()]
    own: dict[int, Turn] = {}
    for step in sorted({turn.step for turn in turns}):
        turn = Turn(Own.name, work[Own.name], count)
        turn.step, turn.places = step, range(0, count, step)
        turn.repeat *= step
        own[step] = turn
    turns = [turn for turn in turns if turn.name != Own.name]
    rounds_of([*own.values(), *turns], rounds)
    against = {step: statistics.median(turn.times) * 1e6 for step, turn in own.items()}
    figures = [Figure(catalogue, tools, measure, Own.name, against[1], "us")]
    for turn in turns:
        value = statistics.median(turn.times) * 1e6
        figures.append(Figure(catalogue, tools, measure, turn.name, value, "us", against[turn.step]))
    return figures


def measure_query(label: str, engines: dict[str, Peer], queries: list[Query], rounds: int) -> list[Figure]:
    def work(peer: Peer) -> Callable[[int], object]:
        query, texts = peer.query, [query.text for query in queries]
        return lambda at: query(texts[at])

    count = len(engines[Own.name].tools)  # type: ignore[attr-defined]
    return side_by_side("query", label, count, {n: work(e) for n, e in engines.items()}, len(queries), rounds)


def each_query(own: Own, queries: list[Query], rounds: int, before: Callable[[], object] | None = None) -> list[float]:
    """Give the median time of every single query, by the wall's clock, which costs less to read than a query."""
    times: list[list[int]] = [[] for _ in queries]
    clock_ns = time.perf_counter_ns
    spent = statistics.median(-(clock_ns() - clock_ns()) for _ in range(999))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for at, query in enumerate(queries):
                text = query.text
                if before is not None:
                    before()
                began = clock_ns()
                own.query(text)
                times[at].append(clock_ns() - began)
    finally:
        gc.enable()
    return [max(0.0, statistics.median(t) - spent) / 1e3 for t in times]


def measure_kinds(label: str, own: Own, queries: list[Query], rounds: int) -> list[Figure]:
    """Break toolrank's own time down: by kind of query, by whether it finds, cold and warm."""
    found = [bool(own.query(query.text)) for query in queries]
    groups: dict[str, list[int]] = {kind: [i for i, q in enumerate(queries) if q.kind == kind] for kind in KINDS}
    groups["absent product"] = [i for i, q in enumerate(queries) if q.absent]
    groups["found"] = [i for i, f in enumerate(found) if f]
    groups["empty"] = [i for i, f in enumerate(found) if not f]
    figures = []
    for measure, before in (("query", None), ("cold", lambda: forget(own.pool))):
        times = each_query(own, queries, rounds, before)
        said = {**{name: statistics.fmean(times[i] for i in at) for name, at in groups.items() if at}}
        ordered = sorted(times)
        said |= {"all": statistics.fmean(times), "median": statistics.median(times), "slowest": ordered[-1]}
        said["95th of 100"] = ordered[int(len(ordered) * 0.95)]
        figures += [
            Figure(label, len(own.tools), f"{measure}: {name}", Own.name, us, "us") for name, us in said.items()
        ]
        slowest = max(range(len(times)), key=times.__getitem__)
        print(f"  {label} {measure}: slowest is {queries[slowest].text!r}, {times[slowest]:.1f} us")
    answer = own.pool
    whole = Turn("", lambda at: [hit.words for hit in rank(queries[at].text, answer, 10)], len(queries))
    rounds_of([whole], rounds)
    us = statistics.median(whole.times) * 1e6
    return [*figures, Figure(label, len(own.tools), "query: every hit's words", Own.name, us, "us")]


def profile(label: str, own: Own, queries: list[Query]) -> None:
    for query in queries:
        own.query(query.text)
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(20):
        for query in queries:
            own.query(query.text)
    profiler.disable()
    print(f"\n{label}: {20 * len(queries)} warm queries")
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(25)


# ---- The run --------------------------------------------------------------------------------------------------------


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", help=f"sizes of the seeded catalogues; {','.join(map(str, SIZES))}")
    parser.add_argument("--catalog", action="append", default=[], type=Path, help="a catalogue of one tool a line")
    parser.add_argument("--huge", action="store_true", help="1,000,000 tools, too")
    parser.add_argument("--quick", action="store_true", help="a minute: standard library only, small sizes")
    parser.add_argument("--peers", help=f"of {', '.join(peer.name for peer in PEERS[1:])}; or none, or all")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--profile", action="store_true", help="where toolrank's time goes, for each size")
    parser.add_argument("--triples", type=int, help="how many answers to check first; 10000, quick 1000")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    options = arguments(given)
    triples = options.triples
    if triples is None:
        triples = 200 if options.only or options.profile else 1_000 if options.quick else 10_000
    print(f"answers: {check(triples):,} random (pool, view, query) triples answered as the rule says")
    sizes = [int(size) for size in options.sizes.split(",")] if options.sizes else list(SIZES)
    if options.quick and not options.sizes:
        sizes = [30, 500, 3_000]
    wanted = [name.strip() for name in (options.peers or "").split(",")]
    chosen = [p for p in PEERS if p is Own or not options.peers or p.name in wanted or p.__name__.lower() in wanted]
    figures: list[Figure] = []
    catalogues: list[tuple[str, list[Row]]] = [(f"{size:,}", make(size)) for size in sizes]
    for path in options.catalog:
        rows, repeated = read(path)
        print(f"{path.name}: {len(rows):,} tools; {repeated:,} rows repeat an identity and are left out")
        catalogues.append((f"{len(rows):,} real", rows))
    for label, rows in catalogues:
        queries = ask(rows)
        engines: dict[str, Any] = {peer.name: peer(peer.prepare(rows)) for peer in chosen}
        own = engines[Own.name]
        if options.profile:
            profile(label, own, queries)
            continue
        figures += (found := measure_query(label, engines, queries, options.rounds))
        figures += (kinds := measure_kinds(label, own, queries, options.rounds))
        for f in found + kinds:
            ratio = "" if f.against is None else f"{f.value / f.against:10.1f} x"
            print(f"{f.catalogue:>12} {f.measure:28} {f.engine:14} {f.value:12.2f} {f.unit}{ratio}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
