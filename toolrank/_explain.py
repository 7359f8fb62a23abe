"""Why one tool is where it is, or why it is absent: the numbers that decided, told word by word."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from toolrank._answer import Rating, WordMatch, one_line
from toolrank._floor import HALF, Floor, FloorPolicy
from toolrank._order import in_order
from toolrank._pool import Pool
from toolrank._rank import Scorer, check, check_scorer, judge, rated
from toolrank._record import Record
from toolrank._score import WEIGHTS, Weights
from toolrank._tool import Tool

__all__ = ["Explanation", "explain"]


class Explanation(Record):
    """One visible tool against one query.

    `returned` tells whether the tool is in the full answer, and `position` where (1 is first). `covered` of `total`
    mass (in 2^-32 bit) stands against `need`, unless the query names the tool whole (`named`). `missing` are required
    words that the tool does not match. Where the `floor` is no plain share, what stands against `need` is `reached`,
    in the floor's own units; `gains` are the parts that the words have in it. `rating` is what another scorer than the
    field weights gave the tool, if it is returned.

    >>> from toolrank import Pool, Tool
    >>> pool = Pool([Tool("list_users"), Tool("list_pages")])
    >>> told = explain("list users", pool, pool.tool("list_pages"))
    >>> told.returned, told.covered < told.need, told.verdict
    (False, True, "absent: it covers 20.8% of the query's mass, and the floor asks for 50.0%")
    """

    query: str
    tool: Tool
    returned: bool
    position: int | None
    score: int
    covered: int
    total: int
    need: int
    named: bool
    missing: tuple[str, ...]
    words: tuple[WordMatch, ...]
    floor: FloorPolicy
    gains: tuple[int, ...]
    rating: Rating | None

    __slots__ = (
        "covered",
        "floor",
        "gains",
        "missing",
        "named",
        "need",
        "position",
        "query",
        "rating",
        "returned",
        "score",
        "tool",
        "total",
        "words",
    )

    def __init__(
        self,
        query: str,
        tool: Tool,
        returned: bool,
        position: int | None,
        score: int,
        covered: int,
        total: int,
        need: int,
        named: bool,
        missing: tuple[str, ...],
        words: tuple[WordMatch, ...],
        floor: FloorPolicy = HALF,
        gains: tuple[int, ...] = (),
        rating: Rating | None = None,
    ) -> None:
        given = locals()
        self._set(**{field: given[field] for field in self.__match_args__})

    @property
    def reached(self) -> int:
        """What stands against `need`: the sum of the gains."""
        return sum(self.gains)

    @property
    def coverage(self) -> Fraction:
        """The exact share of the query's mass that the tool covers; 0 for a query without words."""
        return Fraction(self.covered, self.total or 1)

    @property
    def verdict(self) -> str:
        """One sentence: why the tool is where it is, or why it is absent."""
        if not self.words:
            return "absent: the query has no words"
        if self.missing:
            return f"absent: it does not match the required {', '.join(map(repr, self.missing))}"
        covers = f"it covers {_percent(self.covered, self.total)} of the query's mass"
        asked = f"the floor asks for {_percent(self.need, self.total)}"
        if not isinstance(self.floor, Floor):
            asked = f"reaches {_percent(self.reached, self.need)} of what {self.floor} asks for"
        if self.named:
            return f"at {self.position}: the query names it whole; {covers}"
        if self.returned:
            return f"at {self.position}: {covers}, and {asked}"
        return f"absent: {covers}, and {asked}"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary; the payload is left out."""
        plain = isinstance(self.floor, Floor)
        policy = {} if plain else {"floor": str(self.floor), "reached": self.reached, "gains": list(self.gains)}
        rating = {} if self.rating is None else {"rating": float(self.rating)}
        return {
            "query": self.query,
            "name": self.tool.name,
            "connector": self.tool.connector,
            "returned": self.returned,
            "position": self.position,
            "verdict": self.verdict,
            "score": self.score,
            **rating,
            "coverage": float(self.coverage),
            "covered": self.covered,
            "total": self.total,
            "need": self.need,
            **policy,
            "named": self.named,
            "missing": list(self.missing),
            "words": [word.to_dict() for word in self.words],
        }

    def __str__(self) -> str:
        lines = [f"{one_line(self.tool.name)} {self.verdict}"]
        width = max((len(one_line(word.word)) for word in self.words), default=0)
        for word, gain in zip(self.words, self.gains):
            share = _percent(word.mass, self.total) if word.weighs else "required"
            where = " + ".join(word.fields) or ("in none of its fields" if word.df else "known to no visible tool")
            score = f", score {word.score}" if word.fields and word.weighs else ""
            if gain and not isinstance(self.floor, Floor):
                score += f", gains {_percent(gain, self.need)} of the need"
            lines.append(f"  {one_line(word.word).ljust(width)}  {share:>8}  df {word.df}  {where}{score}")
        return "\n".join(lines)


def _percent(mass: int, total: int) -> str:
    return f"{mass / total:.1%}"


def explain(
    query: str,
    pool: Pool,
    tool: Tool,
    *,
    floor: FloorPolicy = HALF,
    weights: Weights = WEIGHTS,
    scorer: Scorer | None = None,
) -> Explanation:
    """Explain where `tool` stands in the answer to `query`, or why it is absent.

    Raises KeyError where the tool is not one of the pool's: a hidden tool and an unknown one are the same.

    Cost: that of `rank` without a limit.

    >>> from toolrank import Pool, Tool
    >>> pool = Pool([Tool("list_all_notion_users", "List all users."), Tool("retrieve_a_page", "Retrieve a page.")])
    >>> print(explain("list_all_cal_com_schedules", pool, pool.tool("list_all_notion_users")))
    list_all_notion_users absent: it covers 20.5% of the query's mass, and the floor asks for 50.0%
      list          10.3%  df 1  name + description, score 6
      all           10.3%  df 1  name + description, score 6
      cal           26.5%  df 0  known to no visible tool
      com           26.5%  df 0  known to no visible tool
      schedules     26.5%  df 0  known to no visible tool
    """
    check(query, pool, None, floor, weights)
    if scorer is not None:
        check_scorer(scorer)
    if not isinstance(tool, Tool):
        raise TypeError(f"tool must be a Tool, not {tool!r}")
    found = pool._find(tool)
    if found is None:
        raise KeyError(f"tool must be one of the pool's, not {tool.identity!r}")
    judged = judge(query, pool, floor)
    ratings: list[Rating | None] = []
    if scorer is None:
        order = in_order(judged.admitted, judged.asked, pool._index, weights, None)
    else:
        order, _, ratings = rated(judged, weights, scorer, None)
    position = order.index(found) + 1 if found in order else None
    told = judged.hits([found], weights, [None])[0]
    required = {term.word for term in judged.asked.required}
    return Explanation(
        query=query,
        tool=told.tool,
        returned=position is not None,
        position=position,
        score=told.score,
        covered=told.covered,
        total=told.total,
        need=judged.need,
        named=told.named,
        missing=tuple([m.word for m, t in zip(told.words, judged.asked.every) if t.word in required and not m.fields]),
        words=told.words,
        floor=floor,
        gains=judged.gains_of(found),
        rating=ratings[position - 1] if position is not None and ratings else None,
    )
