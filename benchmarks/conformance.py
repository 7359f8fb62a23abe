"""What rankers in use keep and break of the kit's properties, with the smallest counterexample of each.

    python -m benchmarks.conformance [--examples N] [--seed N] [--tiers TIER ...] [--write FILE]
    python benchmarks/conformance.py --quick

Each peer is wrapped as a ranker in the way its own documentation shows: it indexes the tools of a call, each as one
text of name, title, description and parameter names, and returns what its search returns, with the scores it gives.
What is measured is the peer in that plain use. Peers that are not installed are named as missing; the extra
`conformance` has them. `--quick` tries sqlite and a naive ranker alone, with few examples.
"""

# ruff: noqa: PLC0415 - a peer is imported where it is wanted, since it may be missing

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import logging
import platform
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from toolrank import Tool, __version__
from toolrank.testing import TIERS, OwnRanker, Ranking, Report, check
from toolrank.testing._property import Outcome

Ranker = Callable[[str, Sequence[Tool], int], Ranking]


def text(tool: Tool) -> str:
    return " ".join([tool.name, tool.title, tool.description, *tool.parameters])


def words(said: str) -> list[str]:
    """Lower-cased words, underscores apart: what the BM25 libraries leave to their callers."""
    return re.findall(r"[^\W_]+", said.lower())


def unique(tools: Sequence[Tool]) -> list[Tool]:
    return list(dict.fromkeys(tools))


def best(scores: Sequence[float], tools: Sequence[Tool], limit: int) -> list[tuple[tuple[str, str], float]]:
    """The highest scores above 0, ties as they come."""
    order = sorted(range(len(tools)), key=lambda at: -scores[at])
    return [(tools[at].identity, float(scores[at])) for at in order if scores[at] > 0][:limit]


def naive() -> tuple[str, Ranker]:
    """Count the words of the query that stand in the text, the commonest hand-written search."""

    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        asked = query.lower().split()
        return best([sum(word in text(tool).lower() for word in asked) for tool in tools], tools, limit)

    return "", rank


def sqlite_fts5() -> tuple[str, Ranker]:
    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        asked = words(query)
        if not asked:
            return []
        with sqlite3.connect(":memory:") as table:
            table.execute("create virtual table tools using fts5(content, tokenize='porter unicode61')")
            table.executemany("insert into tools(rowid, content) values (?, ?)", enumerate(map(text, tools)))
            terms = " OR ".join(f'"{word}"' for word in asked)
            found = table.execute(
                "select rowid, bm25(tools) from tools where tools match ? order by 2, 1 limit ?", (terms, limit)
            ).fetchall()
        table.close()
        return [(tools[at].identity, -score) for at, score in found]

    return sqlite3.sqlite_version, rank


def rank_bm25() -> tuple[str, Ranker]:
    from rank_bm25 import BM25Okapi

    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        corpus = [words(text(tool)) for tool in tools]
        if not any(corpus):
            return []  # it divides by the average length
        return best(BM25Okapi(corpus).get_scores(words(query)), tools, limit)

    return importlib.metadata.version("rank-bm25"), rank


def bm25s() -> tuple[str, Ranker]:
    import bm25s as library

    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        corpus = [words(text(tool)) for tool in tools]
        asked = words(query)
        if not any(corpus) or not asked:
            return []
        index = library.BM25()
        index.index(corpus, show_progress=False)
        found, scores = index.retrieve([asked], k=min(limit, len(tools)), show_progress=False)
        return [(tools[at].identity, float(score)) for at, score in zip(found[0], scores[0]) if score > 0]

    return importlib.metadata.version("bm25s"), rank


def tantivy() -> tuple[str, Ranker]:
    import tantivy as library

    schema = library.SchemaBuilder().add_text_field("content").add_integer_field("at", stored=True).build()

    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        index = library.Index(schema)
        writer = index.writer(15_000_000, 1)
        for at, tool in enumerate(tools):
            writer.add_document(library.Document(content=text(tool).replace("_", " "), at=at))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        parsed, _ = index.parse_query_lenient(" ".join(words(query)), ["content"])
        searcher = index.searcher()
        hits = searcher.search(parsed, limit).hits
        return [(tools[searcher.doc(where)["at"][0]].identity, score) for score, where in hits]

    return importlib.metadata.version("tantivy"), rank


def rapidfuzz() -> tuple[str, Ranker]:
    from rapidfuzz import fuzz, process, utils

    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        found = process.extract(
            query,
            [text(tool) for tool in tools],
            scorer=fuzz.WRatio,
            processor=utils.default_process,
            limit=limit,
            score_cutoff=60,
        )
        return [(tools[at].identity, score) for _, score, at in found]

    return importlib.metadata.version("rapidfuzz"), rank


def _fastmcp(kind: str) -> tuple[str, Ranker]:
    from fastmcp.server.transforms.search import BM25SearchTransform, RegexSearchTransform
    from fastmcp.tools import Tool as ServedTool

    made: Any = {"bm25": BM25SearchTransform, "regex": RegexSearchTransform}[kind]

    def rank(query: str, tools: Sequence[Tool], limit: int) -> Ranking:
        tools = unique(tools)
        served = []
        for at, tool in enumerate(tools):
            # Names are unique there: a mounted server's tools have its label before them.
            name = f"{tool.connector}_{tool.name}" if tool.connector else tool.name
            parameters = {"type": "object", "properties": {name: {"type": "string"} for name in tool.parameters}}
            served.append(
                ServedTool(
                    name=name,
                    title=tool.title,
                    description=tool.description,
                    parameters=parameters,
                    tags={str(at)},
                )
            )
        transform = made(max_results=limit)
        # A regex search takes a pattern: a query is made one as a model would, word by word.
        asked = query if kind == "bm25" else "|".join(map(re.escape, query.split()))
        found = asyncio.run(transform._search(served, asked)) if asked else []  # noqa: SLF001 - the hook of its searches
        return [tools[int(next(iter(one.tags)))].identity for one in found]

    return importlib.metadata.version("fastmcp"), rank


def fastmcp_bm25() -> tuple[str, Ranker]:
    return _fastmcp("bm25")


def fastmcp_regex() -> tuple[str, Ranker]:
    return _fastmcp("regex")


def own() -> tuple[str, Ranker]:
    return __version__, OwnRanker()


PEERS: dict[str, Callable[[], tuple[str, Ranker]]] = {
    "toolrank": own,
    "naive": naive,
    "sqlite FTS5": sqlite_fts5,
    "rank-bm25": rank_bm25,
    "bm25s": bm25s,
    "tantivy": tantivy,
    "rapidfuzz": rapidfuzz,
    "FastMCP BM25": fastmcp_bm25,
    "FastMCP regex": fastmcp_regex,
}
QUICK = ("naive", "sqlite FTS5")
MARKS = {Outcome.KEPT: "kept", Outcome.BROKEN: "BROKEN", Outcome.UNJUDGED: "unjudged", Outcome.NOT_APPLICABLE: "-"}


def table(reports: dict[str, Report]) -> str:
    """A row for each property, a column for each ranker."""
    first = next(iter(reports.values()))
    rows = [["property", *reports]]
    for at, result in enumerate(first.results):
        rows.append([result.property, *[MARKS[report.results[at].outcome] for report in reports.values()]])
    kept = [str(sum(r.outcome == Outcome.BROKEN for r in report.results)) for report in reports.values()]
    rows.append(["broken in all", *kept])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def main() -> int:
    logging.disable(logging.WARNING)  # FastMCP has a view on names with spaces
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=PEERS, help="these rankers alone")
    parser.add_argument("--tiers", nargs="+", choices=[tier.name for tier in TIERS[:4]])
    parser.add_argument("--write", type=Path, help="also write what is printed to this file")
    chosen = parser.parse_args()
    tiers = [tier for tier in TIERS[:4] if not chosen.tiers or tier.name in chosen.tiers]
    examples = 15 if chosen.quick else chosen.examples
    reports, versions, missing = {}, [], []
    for name in chosen.only or (QUICK if chosen.quick else PEERS):
        try:
            version, ranker = PEERS[name]()
        except ImportError:
            missing.append(name)
            continue
        began = time.perf_counter()
        # No lone surrogates: most of these read Unicode text, which has none.
        reports[name] = check(ranker, tiers, examples=examples, seed=chosen.seed, surrogates=False)
        versions.append(f"{name} {version}".strip())
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    told = [
        f"Python {platform.python_version()}, {examples} examples, seed {chosen.seed}; {', '.join(versions)}",
        *([f"Missing: {', '.join(missing)} (the extra `conformance` has them)"] if missing else []),
        table(reports),
    ]
    for name, report in reports.items():
        told += [f"{name} breaks {failure}" for failure in report.failures]
        told += [f"{name}: {r.property}: {r.outcome}: {r.why}" for r in report.results if r.why and r.judged]
    print("\n\n".join(told))
    if chosen.write:
        chosen.write.write_text("\n\n".join(told) + "\n", encoding="utf-8")
    # A check of the kit as much as of the rankers: the naive one breaks what it is known to break, and keeps the rest.
    known = {"pool_order_is_irrelevant", "generic_words_are_no_answer"}
    if "naive" in reports and not chosen.tiers:
        broken = {failure.name for failure in reports["naive"].failures}
        if not known <= broken or "no_duplicates" in broken:
            print(f"the naive ranker broke {sorted(broken)}, not what it should", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
