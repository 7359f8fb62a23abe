"""The whole rule, in the order the data flows.

Query and pool go in; words, matches, masses, the floor and the order follow one from the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from numbers import Real
from typing import TypeAlias

from toolrank._answer import Judged, Ranking, Rating
from toolrank._bm25 import BM25
from toolrank._floor import HALF, Demand, Floor, FloorPolicy, clearing, demand_of, masses_of
from toolrank._lanes import added_up, covering_half
from toolrank._match import Asked, Term, ask
from toolrank._order import in_order
from toolrank._pool import Pool
from toolrank._score import WEIGHTS, Weights
from toolrank._tool import Tool

__all__ = ["Scorer", "check", "check_scorer", "judge", "number_of", "rank", "rated"]

Scorer: TypeAlias = "BM25 | Callable[[str, list[Tool]], Iterable[Rating]]"
Weigh: TypeAlias = "Callable[[Sequence[Term]], list[int]]"


def rank(
    query: str,
    pool: Pool,
    limit: int | None = 10,
    *,
    floor: FloorPolicy = HALF,
    weights: Weights = WEIGHTS,
    scorer: Scorer | None = None,
) -> Ranking:
    """Return the tools of `pool` that fit `query`, best first: at most `limit`, or all for None.

    A tool is returned only if it covers the share of the query's mass that `floor` asks for, or if the query names it
    whole. The answer depends on the visible tools alone, and is the same on every machine; a larger limit extends it.
    A `scorer` (`BM25()`, or a function of the query and the list of those tools that gives a number for each) orders
    them by its ratings, the higher first; ties, and what is named whole, stay as the `weights` have them.

    Raises TypeError or ValueError for an argument of the wrong type or value; never for any text of a query.

    Cost: O(words) operations on sets of tools, and O(limit).

    >>> from toolrank import Pool, Tool
    >>> pool = Pool([Tool("list_all_notion_users", "List all users."), Tool("retrieve_a_page", "Retrieve a page.")])
    >>> answer = rank("list_all_cal_com_schedules", pool)
    >>> len(answer), answer.reason.value, answer.unmatched
    (0, 'unknown_words', ('cal', 'com', 'schedules'))
    >>> [hit.tool.name for hit in rank("retrieve the page", pool)]
    ['retrieve_a_page']
    """
    check(query, pool, limit, floor, weights)
    if scorer is not None:
        check_scorer(scorer)
    judged = judge(query, pool, floor)
    if scorer is not None:
        return Ranking(judged, *rated(judged, weights, scorer, limit))
    return Ranking(judged, in_order(judged.admitted, judged.asked, pool._index, weights, limit, judged.added), weights)


def judge(query: str, pool: Pool, floor: FloorPolicy, weigh: Weigh | None = None) -> Judged:
    """Find out who is in: the tools that match every required word, and clear the floor or are named whole."""
    asked = ask(query, pool)
    if floor is HALF and weigh is None:
        total = added_up(asked, pool)
        if total is not None:  # few tools, whose masses and keys are added up at once
            admitted = covering_half(total, pool) | asked.named
            return Judged(query, pool, asked, pool._visible, admitted, added=total)

    terms, eligible = asked.terms, pool._visible
    for term in asked.required:
        eligible &= term.cover

    masses = masses_of(terms, pool) if weigh is None else weigh(terms)
    if isinstance(floor, Floor):  # every word gains its mass
        need, demand = floor.need(masses), None
        gains = [(mass, term.cover) for mass, term in zip(masses, terms) if term.cover]
    else:
        demand = demand_of(floor, weighing_words(asked, pool), masses)
        need, gains = demand.need, gains_by_tools(terms, demand)

    admitted = clearing(gains, need, eligible) | asked.named & eligible
    return Judged(query, pool, asked, eligible, admitted, masses, need, demand)


def weighing_words(asked: Asked, pool: Pool) -> list[str]:
    """Return the typed forms of the words that weigh."""
    weighing = set(asked.terms)
    return [word for word, term in zip(asked.words(pool), asked.every) if term in weighing]


def gains_by_tools(terms: Sequence[Term], demand: Demand) -> list[tuple[int, int]]:
    """Return what each word gains, and whom: a name or a label the extra too, which is a set of its own."""
    found: list[tuple[int, int]] = []
    for term, gain, extra in zip(terms, demand.gains, demand.extras):
        strong = term.name | term.prefix | term.label
        if strong == term.cover:
            found.append((gain + extra, strong))
        else:
            found += ((gain, term.cover), (extra, strong))
    return [(gain, tools) for gain, tools in found if gain and tools]


def rated(
    judged: Judged, weights: Weights, scorer: Scorer, limit: int | None
) -> tuple[list[int], Weights, list[Rating | None]]:
    """Put the admitted tools in the order of a scorer: named ones first, and ties as the weights have them."""
    index, named = judged.pool._index, judged.asked.named
    ids = in_order(judged.admitted, judged.asked, index, weights, None)
    ratings: Sequence[Rating]
    if isinstance(scorer, BM25):
        units = scorer.units(judged.asked.terms, judged.masses, judged.pool, ids)
        ratings = [Fraction(unit, 1 << 32) for unit in units]
    else:
        ratings = _numbers(scorer, judged.query, [index.tools[i] for i in ids])
    places = sorted(range(len(ids)), key=ratings.__getitem__, reverse=True)  # stable: ties stay in order
    places.sort(key=lambda at: not named >> ids[at] & 1)
    places = places[:limit]
    return [ids[at] for at in places], weights, [ratings[at] for at in places]


def _numbers(scorer: Callable[[str, list[Tool]], Iterable[Rating]], query: str, tools: list[Tool]) -> list[Rating]:
    """Ask a caller's scorer, and hold its answer to one number for each tool."""
    if not tools:
        return []
    given = scorer(query, list(tools))
    if not isinstance(given, Iterable):
        raise TypeError(f"scorer must give a sequence of numbers, not {given!r}")
    numbers: list[Rating] = []
    found = list(given)
    for tool, value in zip(tools, found):
        number = number_of(value)
        if number is None:
            raise ValueError(f"scorer must give a number for each tool, not {value!r} for {tool.identity!r}")
        numbers.append(number)
    if len(found) != len(tools):
        odd = tools[len(found)] if len(found) < len(tools) else tools[-1]
        where = "none for" if len(found) < len(tools) else "more after"
        raise ValueError(f"scorer must give {len(tools)} numbers, not {len(found)}: {where} {odd.identity!r}")
    return numbers


def number_of(value: object) -> Rating | None:
    """Return a number that can be ordered as it is, or None: not for NaN, which is neither more nor less."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    number: Rating = value  # type: ignore[assignment]  # Real stands for int, float and Fraction here
    return number if number == number else None  # NaN alone differs from itself


def check(query: str, pool: Pool, limit: int | None, floor: FloorPolicy, weights: Weights) -> None:
    if not isinstance(query, str):
        raise TypeError(f"query must be a string, not {query!r}")
    if type(limit) is not int or limit < 1 or not isinstance(pool, Pool):
        check_pool_and_limit(pool, limit)
    if not isinstance(floor, Floor) and (isinstance(floor, type) or not isinstance(floor, FloorPolicy)):
        raise TypeError(f"floor must be a floor policy such as HALF, not {floor!r}")
    if not isinstance(weights, Weights):
        raise TypeError(f"weights must be Weights, not {weights!r}")


def check_scorer(scorer: Scorer) -> None:
    if isinstance(scorer, type) or not (isinstance(scorer, BM25) or callable(scorer)):
        raise TypeError(f"scorer must be BM25() or a function of query and tools, not {scorer!r}")


def check_pool_and_limit(pool: Pool, limit: int | None) -> None:
    if not isinstance(pool, Pool):
        raise TypeError(f"pool must be a Pool, not {pool!r}")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
        raise TypeError(f"limit must be an integer of 1 or more, or None, not {limit!r}")
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be an integer of 1 or more, or None, not {limit}")
