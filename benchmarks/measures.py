"""What is measured: build, queries warm and cold, restricted queries, updates, memory, import, and the worst cases."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.catalogues import KINDS, Draw, Query, Row, ask
from benchmarks.check import DifferenceError
from benchmarks.memory import in_fresh_process
from benchmarks.peers import TOP, Limit, Naive, Own, Peer, forget, split, text_of, tools_of
from benchmarks.timing import PATIENCE, Figure, Turn, clock, quiet, rounds_of, side_by_side
from toolrank import Pool, rank

__all__ = ["Catalogue", "build", "imports", "kinds", "memory", "query", "restricted", "update", "worst"]

OWN = Own.name


class Catalogue(NamedTuple):
    """A catalogue under measure, with its queries and the engines over it."""

    label: str
    rows: list[Row]
    queries: list[Query]
    engines: dict[str, Any]
    path: Path | None = None

    @property
    def own(self) -> Own:
        found: Own = self.engines[OWN]
        return found

    def figure(self, measure: str, engine: str, value: float, unit: str, against: float | None = None) -> Figure:
        return Figure(self.label, len(self.rows), measure, engine, value, unit, against)

    def compare(
        self, own: dict[str, Callable[[int], object]], work: dict[str, Any], rounds: int, ready: Any = None
    ) -> list[Figure]:
        """Time each way of toolrank's, which are the measures, beside the same work of the other engines."""
        turns, samples = side_by_side(own, work, len(self.queries), rounds, ready)
        return [
            figure
            for way in own
            for figure in (
                self.figure(way, OWN, turns[way].us, "us"),
                *(self.figure(way, name, turns[name].us, "us", samples[way, name].us) for name in work),
            )
        ]


# ---- Build ----------------------------------------------------------------------------------------------------------


def build(
    label: str, rows: list[Row], peers: Sequence[type[Peer]], rounds: int, path: Path | None
) -> tuple[Catalogue, list[Figure]]:
    """Build every engine in turn, from records of its own that a caller has anyway; keep the last of each."""
    prepared = {peer.name: peer.prepare(rows) for peer in peers}
    times: dict[str, list[float]] = {peer.name: [] for peer in peers}
    engines: dict[str, Any] = {}
    gc.collect()
    gc.freeze()  # what is there before is not what a build has to sweep
    for at in range(rounds):
        for peer in [*peers[at % len(peers) :], *peers[: at % len(peers)]]:
            if sum(times[peer.name]) > PATIENCE:
                continue
            engines.pop(peer.name, None)
            gc.collect()
            times[peer.name].append(clock(lambda: engines.update({peer.name: peer(prepared[peer.name])})))  # noqa: B023
            gc.freeze()
    gc.unfreeze()
    catalogue = Catalogue(label, rows, ask(rows), {peer.name: engines[peer.name] for peer in peers}, path)
    per_tool = {name: statistics.median(found) * 1e6 / len(rows) for name, found in times.items()}
    figures = [
        catalogue.figure("build, a tool", name, us, "us", None if name == OWN else per_tool[OWN])
        for name, us in per_tool.items()
        if name != Limit.name
    ]
    records = (
        statistics.median(clock(lambda: tools_of(rows)) for _ in range(min(5, 1 + 30_000 // len(rows))))
        * 1e6
        / len(rows)
    )
    return catalogue, [*figures, catalogue.figure("make the records, a tool", OWN, records, "us")]


# ---- Queries --------------------------------------------------------------------------------------------------------


def query(catalogue: Catalogue, rounds: int) -> list[Figure]:
    """Ask all engines the same queries: with every word asked before, and with toolrank's word cache emptied first."""
    texts = [query.text for query in catalogue.queries]
    if Naive.name in catalogue.engines:
        agree(catalogue.own, catalogue.engines[Naive.name], texts[:: max(1, len(catalogue.rows) // 1000)])
    pool, warm = catalogue.own.pool, _asking(catalogue.own, texts)

    def cold(at: int) -> None:
        forget(pool)
        warm(at)

    others = {name: _asking(engine, texts) for name, engine in catalogue.engines.items() if name != OWN}
    # Twice, because some of what is kept of a word is made when it is asked again.
    again = [*range(len(texts))] * 2
    return catalogue.compare(
        {"query, warm": warm, "query, cold": cold}, others, rounds, lambda: [warm(at) for at in again]
    )


def agree(own: Own, naive: Peer, texts: Sequence[str]) -> None:
    """Stop where toolrank does not answer as the naive rule: some of its ways are for many tools alone."""
    for text in texts:
        right = [tool.identity for tool in naive.query(text)]
        for _ in range(3):
            given = [tool.identity for tool in own.query(text)]
            if given != right:
                raise DifferenceError(f"query {text!r}\n  rule   {right}\n  engine {given}")


def _asking(engine: Peer, texts: Sequence[str]) -> Callable[[int], object]:
    ask = engine.query
    return lambda at: ask(texts[at])


def _each(own: Own, texts: Sequence[str], rounds: int, before: Callable[[], object] | None) -> list[float]:
    """Give the median time of every single query, by the wall's clock: it costs less to read than a query takes."""
    now = time.perf_counter_ns
    spent = statistics.median(-(now() - now()) for _ in range(999))
    times: list[list[int]] = [[] for _ in texts]
    with quiet():
        for _ in range(rounds):
            for at, text in enumerate(texts):
                if before is not None:
                    before()
                began = now()
                own.query(text)
                times[at].append(now() - began)
    return [max(0.0, statistics.median(found) - spent) / 1e3 for found in times]


def kinds(catalogue: Catalogue, rounds: int) -> list[Figure]:
    """Break toolrank's own time down: by kind of query and by whether it finds anything, warm and cold."""
    own, queries = catalogue.own, catalogue.queries
    texts = [query.text for query in queries]
    found = [len(own.query(text)) > 0 for text in texts]
    groups: dict[str, list[int]] = {kind: [at for at, q in enumerate(queries) if q.kind == kind] for kind in KINDS}
    groups["absent product"] = [at for at, q in enumerate(queries) if q.absent]
    groups["found"] = [at for at, one in enumerate(found) if one]
    groups["empty"] = [at for at, one in enumerate(found) if not one]
    figures = []
    for warmth, before in (("warm", None), ("cold", lambda: forget(own.pool))):
        times = _each(own, texts, rounds, before)
        said = {f"{name} ({len(at)})": statistics.fmean([times[i] for i in at]) for name, at in groups.items() if at}
        ordered = sorted(times)
        said |= {"all": statistics.fmean(times), "median": statistics.median(times)}
        said |= {"95th of 100": ordered[int(len(ordered) * 0.95)], "slowest": ordered[-1]}
        figures += [catalogue.figure(f"{warmth}: {name}", OWN, us, "us") for name, us in said.items()]
    pool = own.pool
    whole = Turn("", lambda at: [hit.words for hit in rank(texts[at], pool, TOP)], len(texts))
    rounds_of([whole], rounds)
    return [*figures, catalogue.figure("warm: with every hit's words", OWN, whole.us, "us")]


# ---- Views ----------------------------------------------------------------------------------------------------------


def restricted(catalogue: Catalogue, rounds: int) -> list[Figure]:
    """Ask for callers who see 5 % and 50 % of the tools, every query for another caller than the one before."""
    rows, own = catalogue.rows, catalogue.own
    texts = [query.text for query in catalogue.queries]
    callers = 100 if len(rows) <= 10_000 else 10
    figures: list[Figure] = []
    for share in (5, 50):
        draw = Draw(f"callers/{share}/{len(rows)}")
        wanted = max(1, len(rows) * share // 100)
        sees = [sorted(draw.sample(range(len(rows)), wanted)) for _ in range(callers)]

        def work(engine: Peer, sees: list[list[int]] = sees) -> Callable[[int], object]:
            views, ask = [engine.view(ids) for ids in sees], engine.query_in
            return lambda at: ask(texts[at], views[at % callers])

        engines = {name: work(engine) for name, engine in catalogue.engines.items() if engine.views}
        inside = engines.pop(OWN)
        figures += catalogue.compare({f"restricted to {share} %": inside}, engines, rounds)
        turns = [Turn("all", _asking(own, texts), len(texts)), Turn("restricted", inside, len(texts))]
        rounds_of(turns, 2 * rounds)
        figures.append(catalogue.figure(f"restricted to {share} % / all", OWN, turns[1].us / turns[0].us, "x"))
        figures += _views(catalogue, share, sees, rounds)
        for engine in catalogue.engines.values():
            engine.forget_views()
    return figures


def _views(catalogue: Catalogue, share: int, sees: list[list[int]], rounds: int) -> list[Figure]:
    """What it costs to make a view, and to ask in one that is made for the query."""
    own, count = catalogue.own, len(sees)
    texts = [query.text for query in catalogue.queries]
    pool, tools = own.pool, own.tools
    labels = _labels(catalogue, share, count)
    pairs = [[tools[at].identity for at in ids] for ids in sees]
    granted = [frozenset(one) for one in labels]
    turns = {
        "make a view by connectors": Turn(OWN, lambda at: pool.restrict(labels[at % count]), count),
        "make a view by pairs": Turn(OWN, lambda at: pool.restrict(pairs[at % count]), count),
        "make a view by predicate": Turn(
            OWN, lambda at: pool.restrict(lambda t: t.connector in granted[at % count]), count
        ),
        "view by connectors, and query": Turn(
            OWN, lambda at: rank(texts[at], pool.restrict(labels[at % count]), TOP).tools, len(texts)
        ),
    }
    rounds_of(list(turns.values()), rounds)
    return [catalogue.figure(f"{name}, {share} %", OWN, turn.us, "us") for name, turn in turns.items()]


def _labels(catalogue: Catalogue, share: int, count: int) -> list[list[str]]:
    """Draw connectors until they have the share of the tools."""
    sizes = Counter(row.connector for row in catalogue.rows)
    draw = Draw(f"connectors/{share}/{len(catalogue.rows)}")
    found = []
    for _ in range(count):
        chosen: list[str] = []
        left = len(catalogue.rows) * share // 100
        for label in draw.sample(sorted(sizes), len(sizes)):
            if left <= 0:
                break
            chosen.append(label)
            left -= sizes[label]
        found.append(chosen)
    return found


# ---- Updates --------------------------------------------------------------------------------------------------------


def update(catalogue: Catalogue, rounds: int) -> list[Figure]:
    """Replace 20 tools of one connector, with other texts every time; then ask the first 20 queries."""
    sizes = Counter(row.connector for row in catalogue.rows)
    enough = {label: size for label, size in sizes.items() if size >= 20} or {sizes.most_common(1)[0][0]: 0}
    label = min(enough, key=lambda label: (enough[label], label))
    ids = [at for at, row in enumerate(catalogue.rows) if row.connector == label][:20]
    texts = [query.text for query in catalogue.queries[:20]]
    times: dict[str, list[float]] = {name: [] for name, engine in catalogue.engines.items() if engine.updates}
    after: list[float] = []
    names = list(times)
    for at in range(rounds + 1):
        rows = [_changed(catalogue.rows[i], at, k) for k, i in enumerate(ids)]
        for name in names[at % len(names) :] + names[: at % len(names)]:
            if sum(times[name]) > PATIENCE and len(times[name]) >= 3:
                continue
            engine = catalogue.engines[name]
            prepared = engine.prepare(rows)
            with quiet():
                took = clock(lambda: engine.replace(ids, prepared))  # noqa: B023
                if at:  # the first is to warm up
                    times[name].append(took)
                if name == OWN:
                    after.append(clock(lambda: [engine.query(text) for text in texts]) / len(texts))  # noqa: B023
    ms = {name: statistics.median(found) * 1e3 for name, found in times.items()}
    figures = [catalogue.figure("replace 20 tools", n, v, "ms", None if n == OWN else ms[OWN]) for n, v in ms.items()]
    return [*figures, catalogue.figure("each of 20 queries after it", OWN, statistics.median(after) * 1e6, "us")]


def _changed(row: Row, at: int, k: int) -> Row:
    return row._replace(
        description=f"{row.description} Revision {at}, part {k}, since {'spring autumn'.split()[at % 2]}."
    )


# ---- The worst ------------------------------------------------------------------------------------------------------


def worst(catalogue: Catalogue, rounds: int) -> list[Figure]:
    """Ask 200 words at once: the commonest, the rarest, unknown ones, parts of names; and of pools made to be hard."""
    words = Counter(word for row in catalogue.rows for word in set(split(text_of(row))))
    ordered = [word for word, _ in sorted(words.items(), key=lambda item: (-item[1], item[0]))]
    names = sorted({word[:3] for row in catalogue.rows for word in split(row.name) if len(word) > 4})
    draw = Draw(f"worst/{len(catalogue.rows)}")
    hard = _hard(len(catalogue.rows), draw)
    asked: dict[str, tuple[Pool, str]] = {
        "200 commonest words": (catalogue.own.pool, " ".join(ordered[:200])),
        "200 words from the middle": (catalogue.own.pool, " ".join(ordered[len(ordered) // 3 :][:200])),
        "200 rarest words": (catalogue.own.pool, " ".join(ordered[-200:])),
        "200 three-letter beginnings": (catalogue.own.pool, " ".join(names[:200])),
        "200 unknown words": (catalogue.own.pool, " ".join(f"qz{at}" for at in range(200))),
        "hard pool, 24 words": (hard, " ".join(_TWENTY_FOUR)),
        "hard pool, 8 words": (hard, " ".join(_TWENTY_FOUR[:8])),
    }
    figures = []
    for name, (pool, text) in asked.items():

        def once(_: int, text: str = text, pool: Pool = pool) -> object:
            return rank(text, pool, TOP).tools

        turn = Turn(OWN, once, 1)
        rounds_of([turn], rounds)
        figures.append(catalogue.figure(name, OWN, turn.us / 1e3, "ms"))
    return figures


_TWENTY_FOUR = [f"{first}{second}" for first in ("alder", "birch", "cedar", "elm") for second in "bcdfgh"]


def _hard(size: int, draw: Draw) -> Pool:
    """Make a pool in which every tool has about half of the query's words, all of one weight: nothing is ruled out."""
    rows = [
        Row(f"tool{at}", " ".join(word for word in _TWENTY_FOUR if draw.chance(0.5)), f"c{at % 50}", ())
        for at in range(size)
    ]
    return Pool(tools_of(rows))


# ---- Fresh processes ------------------------------------------------------------------------------------------------


def memory(catalogue: Catalogue, names: Sequence[str]) -> list[Figure]:
    """Weigh engines in fresh processes: after build, and after 200 queries."""
    figures = []
    own: dict[str, int] = {}
    for name in names:
        found = in_fresh_process(name, catalogue.rows, catalogue.path)
        own = own or found
        for measure, key in (("memory, built", "built"), ("memory, after 200 queries", "asked")):
            figures.append(
                catalogue.figure(measure, name, found[key] / 1e6, "MB", None if name == OWN else own[key] / 1e6)
            )
    figures.append(catalogue.figure("text of the pool", OWN, own["text"] / 1e6, "MB"))
    for measure, key in (("sizes, built", "sizes"), ("sizes, after 200 queries", "sizes asked")):
        figures.append(catalogue.figure(measure, OWN, own[key] / 1e6, "MB"))
        figures.append(catalogue.figure(f"{measure} / text", OWN, own[key] / own["text"], "x"))
    figures.append(catalogue.figure("memory, built / text", OWN, own["built"] / own["text"], "x"))
    return figures


def imports(rounds: int) -> list[Figure]:
    """Time `import toolrank` in fresh processes against the bare interpreter, byte code being there.

    The second comparison leaves `site` out: what an environment's own start-up files import is then charged to whoever
    imports it first.
    """
    figures = []
    for name, options in (("python -c pass", []), ("python -S -c pass", ["-S"])):
        times: dict[str, list[float]] = {"pass": [], "import toolrank": []}
        with TemporaryDirectory() as folder:
            usual = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
            for at in range(rounds + 1):
                for code, found in times.items():
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    subprocess.run(
                        [sys.executable, *options, "-c", code],
                        check=True,
                        cwd=Path(__file__).resolve().parent.parent,
                        env={**usual, "PYTHONPYCACHEPREFIX": folder},
                    )
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    if at:  # the first writes the byte code
                        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        bare, ours = (statistics.median(found) * 1e3 for found in times.values())
        figures += [
            Figure("", 0, name, OWN, bare, "ms"),
            Figure("", 0, f"import toolrank, beyond {name}", OWN, ours - bare, "ms"),
        ]
    return figures
