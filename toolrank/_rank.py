"""The whole rule, in the order the data flows.

Query and pool go in; words, matches, masses, the floor and the order follow one from the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolrank._answer import Judged, Ranking
from toolrank._floor import HALF, Demand, Floor, FloorPolicy, clearing, demand_of
from toolrank._mass import Masses
from toolrank._match import Asked, Term, ask
from toolrank._order import in_order
from toolrank._pool import Pool
from toolrank._score import WEIGHTS, Weights

__all__ = ["check", "judge", "rank"]


def rank(
    query: str, pool: Pool, limit: int | None = 10, *, floor: FloorPolicy = HALF, weights: Weights = WEIGHTS
) -> Ranking:
    """Return the tools of `pool` that fit `query`, best first: at most `limit`, or all for None.

    A tool is returned only if it covers the share of the query's mass that `floor` asks for, or if the query names it
    whole. The answer depends on the visible tools alone, and is the same on every machine; a larger limit extends it.

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
    judged = judge(query, pool, floor)
    return Ranking(judged, in_order(judged.admitted, judged.asked, pool._index, weights, limit), weights)


def judge(query: str, pool: Pool, floor: FloorPolicy) -> Judged:
    """Find out who is in: the tools that match every required word, and clear the floor or are named whole."""
    asked = ask(query, pool)
    eligible = pool._visible
    for term in asked.required:
        eligible &= term.cover

    masses = masses_of(asked.terms, pool)
    if isinstance(floor, Floor):  # every word gains its mass
        need, demand = floor.need(masses), None
        covers = [(mass, term.cover) for mass, term in zip(masses, asked.terms) if term.cover]
    else:
        demand = demand_of(floor, weighing_words(asked), masses)
        need, covers = demand.need, gains_by_tools(asked.terms, demand)

    admitted = clearing(covers, need, eligible) | asked.named & eligible
    return Judged(query, pool, asked, masses, need, eligible, admitted, demand)


def masses_of(terms: Sequence[Term], pool: Pool) -> list[int]:
    """Return the mass of each term over the visible tools."""
    visible = pool._visible
    if pool._masses is None:
        pool._masses = Masses(len(pool))
    of = pool._masses
    if not pool._is_whole:
        return [of[(term.seen & visible).bit_count()] for term in terms]
    masses = [term.mass for term in terms]
    if 0 in masses:
        for term in terms:
            term.mass = of[term.df]
        masses = [term.mass for term in terms]
    return masses


def weighing_words(asked: Asked) -> list[str]:
    """Return the typed forms of the words that weigh."""
    weighing = set(asked.terms)
    return [word for word, term in zip(asked.words, asked.every) if term in weighing]


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


def check(query: str, pool: Pool, limit: int | None, floor: FloorPolicy, weights: Weights) -> None:
    if not isinstance(query, str):
        raise TypeError(f"query must be a string, not {query!r}")
    if not isinstance(pool, Pool):
        raise TypeError(f"pool must be a Pool, not {pool!r}")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
        raise TypeError(f"limit must be an integer of 1 or more, or None, not {limit!r}")
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be an integer of 1 or more, or None, not {limit}")
    if not isinstance(floor, Floor) and (isinstance(floor, type) or not isinstance(floor, FloorPolicy)):
        raise TypeError(f"floor must be a floor policy such as HALF, not {floor!r}")
    if not isinstance(weights, Weights):
        raise TypeError(f"weights must be Weights, not {weights!r}")
