"""What `rank` returns: hits in order, and why there are no more of them.

These records hold the numbers that decided. The words of a hit are told from the same sets of matches that admitted it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias, overload

from toolrank._floor import HALF, Demand, masses_of
from toolrank._mass import mass
from toolrank._match import Asked, Term
from toolrank._pool import Pool
from toolrank._record import Record
from toolrank._score import Weights, fields_of
from toolrank._tool import Tool

__all__ = ["Hit", "Judged", "Ranking", "Rating", "Reason", "WordMatch", "one_line"]

Rating: TypeAlias = "int | float | Fraction"
_set = object.__setattr__


class Reason(str, Enum):
    """Why an answer is as it is: `MATCHED`, or why it is empty.

    >>> from toolrank import Pool, Tool, rank
    >>> rank("book a flight", Pool([Tool("list_users")])).reason is Reason.UNKNOWN_WORDS
    True
    >>> str(Reason.UNKNOWN_WORDS)
    'unknown_words'
    """

    MATCHED = "matched"
    BLANK_QUERY = "blank_query"
    EMPTY_POOL = "empty_pool"
    UNKNOWN_WORDS = "unknown_words"
    BELOW_FLOOR = "below_floor"
    MISSING_REQUIRED = "missing_required"

    def __str__(self) -> str:
        return self.value


class WordMatch(Record):
    """One word of the query against one tool: its mass (in 2^-32 bit), and the fields in which it scores.

    `fields` holds "name", "prefix" or "synonym", "connector" and "description", where the last stands for the title and
    the parameters too. It is empty where the tool does not cover the word. `df` counts the visible tools that have the
    word. A word that is only required neither scores nor weighs: `weighs` is False.

    >>> from toolrank import Pool, Tool, rank
    >>> word = rank("repo", Pool([Tool("list_repositories", "Lists repos.")]))[0].words[0]
    >>> word.word, word.df, word.fields, word.score
    ('repo', 1, ('prefix', 'description'), 4)
    """

    word: str
    mass: int
    df: int
    fields: tuple[str, ...]
    score: int
    weighs: bool

    __slots__ = ("df", "fields", "mass", "score", "weighs", "word")

    def __init__(self, word: str, mass: int, df: int, fields: tuple[str, ...], score: int, weighs: bool = True) -> None:
        _set(self, "word", word)
        _set(self, "mass", mass)
        _set(self, "df", df)
        _set(self, "fields", fields)
        _set(self, "score", score)
        _set(self, "weighs", weighs)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary."""
        return {
            "word": self.word,
            "mass": self.mass,
            "df": self.df,
            "fields": list(self.fields),
            "score": self.score,
            "weighs": self.weighs,
        }


class Hit(Record):
    """A tool that cleared the floor.

    `score` orders it; `covered` of `total` mass (in 2^-32 bit) admitted it, unless the query names it whole (`named`).
    `words` has one entry for each word of the query that counts, by first appearance. `rating` is what another scorer
    than the field weights gave the tool, and then it orders it instead; else None.

    >>> from toolrank import Pool, Tool, rank
    >>> hit = rank("list the users", Pool([Tool("list_users"), Tool("get_page")]))[0]
    >>> hit.tool.name, hit.score, hit.matched, hit.coverage == 1
    ('list_users', 10, ('list', 'users'), True)
    """

    tool: Tool
    score: int
    covered: int
    total: int
    named: bool
    words: tuple[WordMatch, ...]
    rating: Rating | None

    __slots__ = ("covered", "named", "rating", "score", "tool", "total", "words")

    def __init__(
        self,
        tool: Tool,
        score: int,
        covered: int,
        total: int,
        named: bool,
        words: tuple[WordMatch, ...],
        rating: Rating | None = None,
    ) -> None:
        _set(self, "tool", tool)
        _set(self, "score", score)
        _set(self, "covered", covered)
        _set(self, "total", total)
        _set(self, "named", named)
        _set(self, "words", words)
        _set(self, "rating", rating)

    @property
    def coverage(self) -> Fraction:
        """The exact share of the query's mass that the tool covers; `float(hit.coverage)` for a number to show."""
        return Fraction(self.covered, self.total)

    @property
    def matched(self) -> tuple[str, ...]:
        """The words that the tool covers."""
        return tuple(match.word for match in self.words if match.fields)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary; the payload is left out, and the rating where there is none."""
        rating = {} if self.rating is None else {"rating": float(self.rating)}
        return {
            "name": self.tool.name,
            "connector": self.tool.connector,
            "score": self.score,
            **rating,
            "coverage": float(self.coverage),
            "covered": self.covered,
            "total": self.total,
            "named": self.named,
            "words": [match.to_dict() for match in self.words],
        }


class Judged:
    """Everything that decided an answer, before it is put in order.

    `eligible` are the visible tools that match every required word; `admitted` those of them that clear the floor or
    are named whole. `masses` go with `asked.terms`; `need` is what the floor asks for: a mass where it is a plain
    share, else in the units of its `demand`. `offered` are the tools that somebody else ranked, where it was so, and
    `counts` the document frequencies of `asked.every` among `n` tools, where they come from elsewhere. `added` are the
    lanes of few tools, where they decided: then the masses are told when they are asked for.
    """

    __slots__ = (
        "_masses",
        "_need",
        "_words",
        "added",
        "admitted",
        "asked",
        "counts",
        "demand",
        "eligible",
        "n",
        "offered",
        "pool",
        "query",
    )

    def __init__(
        self,
        query: str,
        pool: Pool,
        asked: Asked,
        eligible: int,
        admitted: int,
        masses: list[int] | None = None,
        need: int = 0,
        demand: Demand | None = None,
        added: int | None = None,
    ) -> None:
        self.query = query
        self.pool = pool
        self.asked = asked
        self.eligible = eligible
        self.admitted = admitted
        self._masses = masses
        self._need = need
        self._words: tuple[str, ...] | None = None
        self.demand = demand
        self.added = added
        self.offered = -1
        self.counts: tuple[int, ...] | None = None
        self.n: int | None = None

    @property
    def masses(self) -> list[int]:
        """The masses of `asked.terms`."""
        if self._masses is None:
            self._masses = masses_of(self.asked.terms, self.pool)
        return self._masses

    @property
    def need(self) -> int:
        """What the floor asks for: 1 or more."""
        if not self._need:
            self._need = HALF.need(self.masses)
        return self._need

    @property
    def words(self) -> tuple[str, ...]:
        """The words that count, as typed."""
        if self._words is None:
            self._words = self.asked.words(self.pool)
        return self._words

    def dfs(self) -> Sequence[int]:
        """Return the document frequency of every word."""
        visible = self.pool._visible
        return self.counts or [(term.seen & visible).bit_count() for term in self.asked.every]

    def told(self) -> list[tuple[str, Term, int, int, bool]]:
        """Return each word with its term, mass and document frequency, and whether it weighs."""
        weighing = dict(zip(self.asked.terms, self.masses))
        n = len(self.pool) if self.n is None else self.n
        return [
            (word, term, weighing.get(term) or mass(n, df), df, term in weighing)
            for word, term, df in zip(self.words, self.asked.every, self.dfs())
        ]

    def hits(self, tools: Sequence[int], weights: Weights, ratings: Sequence[Rating | None]) -> tuple[Hit, ...]:
        """Return tools, by id, as hits."""
        told, total = self.told(), sum(self.masses)
        listed, named = self.pool._index.tools, self.asked.named
        hits: list[Hit] = []
        for tool, rating in zip(tools, ratings):
            score = covered = 0
            words: list[WordMatch] = []
            for word, term, weight, df, weighs in told:
                fields = fields_of(term, tool)
                scored = weights.of(fields)
                words.append(WordMatch(word, weight, df, fields, scored, weighs))
                if weighs:
                    score += scored
                    covered += weight if fields else 0
            hits.append(Hit(listed[tool], score, covered, total, bool(named >> tool & 1), tuple(words), rating))
        return tuple(hits)

    def gains_of(self, tool: int) -> tuple[int, ...]:
        """Return what each word gains a tool, by id, in the units of the need: 0 for a word that does not weigh."""
        gains: dict[Term, int] = {}
        for at, term in enumerate(self.asked.terms):
            if term.cover >> tool & 1:
                gains[term] = self._gain(at, term, 1 << tool)
        return tuple([gains.get(term, 0) for term in self.asked.every])

    def _gain(self, at: int, term: Term, tools: int) -> int:
        """Return the most that the word at this place gains any of `tools`, which have it."""
        if self.demand is None:
            return self.masses[at]
        strong = (term.name | term.prefix | term.label) & tools
        return self.demand.most(at) if strong else self.demand.gains[at]

    def reason(self) -> Reason:
        """Return why the answer is as it is."""
        if self.admitted:
            return Reason.MATCHED
        if not self.asked.every:
            return Reason.BLANK_QUERY
        if not len(self.pool):
            return Reason.EMPTY_POOL
        if not self.eligible:
            return Reason.MISSING_REQUIRED
        visible = self.pool._visible
        unknown = self._unknown()
        known = sum(self._gain(at, term, visible) for at, term in enumerate(self.asked.terms) if term not in unknown)
        return Reason.UNKNOWN_WORDS if known < self.need else Reason.BELOW_FLOOR

    def _unknown(self) -> set[Term]:
        visible = self.pool._visible
        return {term for term, df in zip(self.asked.every, self.dfs()) if not df and not term.seen & visible}

    def unmatched(self) -> tuple[str, ...]:
        """Return the words, as typed, that no visible tool has in any field."""
        unknown = self._unknown()
        return tuple([word for word, term in zip(self.words, self.asked.every) if term in unknown])

    def withheld(self) -> int:
        """Count the eligible tools that cover some word and fall short of the floor."""
        covering = 0
        for term in self.asked.terms:
            covering |= term.cover
        return (covering & self.eligible & self.offered & ~self.admitted).bit_count()


class Ranking(Sequence[Hit]):
    """The answer to one query: a read-only sequence of hits, best first, and why it is as it is.

    Hits are made when they are looked at. `str()` gives a plain-text table, or the sentence that explains an empty
    answer; `to_dict()` is JSON-ready.

    >>> from toolrank import Pool, Tool, rank
    >>> answer = rank("list users", Pool([Tool("list_users"), Tool("list_pages")]))
    >>> len(answer), answer[0].tool.name, answer.withheld, answer.unmatched
    (1, 'list_users', 1, ())
    """

    __slots__ = ("_hits", "_ids", "_judged", "_ratings", "_weights")

    def __init__(
        self, judged: Judged, ids: Sequence[int], weights: Weights, ratings: Sequence[Rating | None] | None = None
    ) -> None:
        self._judged = judged
        self._ids = ids
        self._weights = weights
        self._ratings = ratings
        self._hits: tuple[Hit, ...] | None = None

    @property
    def query(self) -> str:
        """The query as it was asked."""
        return self._judged.query

    @property
    def query_words(self) -> tuple[str, ...]:
        """The words that count, as typed: those that weigh and those that are required, by first appearance."""
        return self._judged.words

    @property
    def required(self) -> tuple[str, ...]:
        """The words that a tool must match, as typed."""
        asked = self._judged.asked
        required = set(asked.required)
        return tuple([word for word, term in zip(self.query_words, asked.every) if term in required])

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The words that no visible tool has, as typed."""
        return self._judged.unmatched()

    @property
    def reason(self) -> Reason:
        """`Reason.MATCHED`, or why nothing was returned."""
        return self._judged.reason()

    @property
    def withheld(self) -> int:
        """How many visible tools matched something and fell short of the floor."""
        return self._judged.withheld()

    @property
    def tools(self) -> list[Tool]:
        """The tools of the hits, in order."""
        tools = self._judged.pool._index.tools
        return [tools[i] for i in self._ids]

    def _made(self) -> tuple[Hit, ...]:
        if self._hits is None:
            self._hits = self._judged.hits(self._ids, self._weights, self._ratings or [None] * len(self._ids))
        return self._hits

    def __len__(self) -> int:
        return len(self._ids)

    def __bool__(self) -> bool:
        return bool(self._ids)

    @overload
    def __getitem__(self, at: int) -> Hit: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, at: int | slice) -> Hit | tuple[Hit, ...]:
        return self._made()[at]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._made())

    def __eq__(self, other: object) -> bool:
        """Whether two answers say the same, hit by hit; payloads and pools are not compared."""
        if not isinstance(other, Ranking):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.query, self.query_words, self.reason, len(self)))

    def _content(self) -> tuple[object, ...]:
        return self.query, self._made(), self.query_words, self.required, self.unmatched, self.reason, self.withheld

    def __repr__(self) -> str:
        names = ", ".join(repr(tool.name) for tool in self.tools[:3]) + (", ..." if len(self) > 3 else "")
        return f"<Ranking of {self.query!r}: {self.reason}, [{names}], withheld {self.withheld}>"

    def __str__(self) -> str:
        return table(self) if self else why_empty(self)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary of the whole answer; payloads are left out."""
        return {
            "query": self.query,
            "reason": self.reason.value,
            "query_words": list(self.query_words),
            "required": list(self.required),
            "unmatched": list(self.unmatched),
            "withheld": self.withheld,
            "hits": [hit.to_dict() for hit in self],
        }


def table(ranking: Ranking) -> str:
    """Return the hits as plain text: one line each, with score or rating, coverage and the matched words."""
    order = "rating" if any(hit.rating is not None for hit in ranking) else "score"
    rows = [("tool", "connector", order, "coverage", "matched words")]
    for hit in ranking:
        covered = f"{100 * hit.covered // hit.total}%" + (" (named)" if hit.named else "")
        score = str(hit.score) if order == "score" else "" if hit.rating is None else f"{float(hit.rating):.4g}"
        rows.append((one_line(hit.tool.name), one_line(hit.tool.connector), score, covered, " ".join(hit.matched)))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]).rstrip() for row in rows
    )


def one_line(text: str) -> str:
    """Return a label that keeps to its line: control characters escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


_WHY = {
    Reason.BLANK_QUERY: "the query has no words",
    Reason.EMPTY_POOL: "no tools are visible",
    Reason.UNKNOWN_WORDS: "its known words weigh less than the floor asks for",
    Reason.BELOW_FLOOR: "no single tool covers enough of it",
    Reason.MISSING_REQUIRED: "no visible tool matches every required word",
}


def why_empty(ranking: Ranking) -> str:
    """Return one sentence that says why nothing was returned, in the words of the query.

    The words that no visible tool knows are named; withheld tools are neither named nor described.
    """
    why = f"Nothing fits {ranking.query!r}: "
    unknown = [repr(word) for word in ranking.unmatched]
    because = _WHY[ranking.reason]
    if ranking._judged.offered != -1 and ranking.reason is Reason.BELOW_FLOOR:
        because = "none of the tools given covers enough of it"
    if ranking.reason in (Reason.BLANK_QUERY, Reason.EMPTY_POOL) or not unknown:
        return f"{why}{because}."
    words = unknown[0] if len(unknown) == 1 else f"{', '.join(unknown[:-1])} or {unknown[-1]}"
    return f"{why}no visible tool knows {words}, and {because}."
