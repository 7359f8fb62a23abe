"""The one order of an answer.

Tools named whole come first, then the higher score, then the tool of whose name fewer parts are left over, then the
lower risk, then the name and the connector's label by code point. No two tools tie, so an order never depends on how
the pool was given, and a larger limit only extends a list.

Where many tools are to be put in order, the first of them are found by bit planes, as a set; the few that are found are
then sorted by one key each.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolrank._bits import add, add_all, mask_of
from toolrank._index import Index
from toolrank._keys import are_apart, keys_of, keys_one_by_one, ties_of, touched_by, touches_of
from toolrank._lanes import keys_in
from toolrank._match import Asked
from toolrank._score import WEIGHTS, Weights, score_planes

__all__ = ["in_order"]

# Up to so many tools are sorted as they are; of more, the first are found before, and some to spare. By measurement.
_FEW = 40
_SPARE = 4


def in_order(
    tools: int, asked: Asked, index: Index, weights: Weights, limit: int | None, added: int | None = None
) -> list[int]:
    """Return the ids of the first `limit` of `tools` in order; all of them where `limit` is None.

    `added` has their keys with the default weights, in lanes, where they were added up already.

    Cost: O(words) set operations, and O(words * limit).
    """
    if not tools & (tools - 1):
        return [tools.bit_length() - 1] if tools else []
    if limit is not None and tools.bit_count() > max(limit, _FEW):
        tools = _first(tools, asked, index, weights, limit)
    ids = index.in_order(tools)
    if weights is WEIGHTS:
        keys = keys_of(ids, tools, asked, index, None if added is None else keys_in(added, index.size))
    else:
        keys = keys_one_by_one(ids, asked, index, weights)
    # Python's sort is stable: equal keys stay as the last tie-break has them.
    order = sorted(ids, key=keys, reverse=True)
    if asked.named & tools:
        order.sort(key=lambda i: not asked.named >> i & 1)
    return order[:limit]


def _first(tools: int, asked: Asked, index: Index, weights: Weights, limit: int) -> int:
    """Return a set of at most some more than `limit` tools in which the first `limit` are.

    Cost: O(words) set operations.
    """
    found = 0
    for group in (tools & asked.named, tools & ~asked.named):
        sure, tied, limit = _top(group, score_planes(asked.terms, weights, group), limit)
        found |= sure
        if tied.bit_count() > max(limit + _SPARE, _FEW):
            sure, tied, limit = _top(tied, _tie_planes(tied, asked, index), limit)
            found |= sure
            if tied.bit_count() > max(limit + _SPARE, _FEW):
                tied = mask_of(index.in_order(tied, limit), index.size)
        found |= tied
        if tied:
            break
    return found


def _top(tools: int, planes: Sequence[int], wanted: int) -> tuple[int, int, int]:
    """Return the tools that surely are among the first, those of which the next are, and how many of them are wanted.

    By the numbers in a counter, the highest first, from the top plane down: after P. O'Neil, D. Quass, Improved Query
    Performance with Variant Indexes, 1997. It stops where few tools are left to tell apart.
    """
    sure = 0
    count = tools.bit_count()
    for plane in reversed(planes):
        if count <= wanted + _SPARE:
            break
        high = tools & plane
        if not high:
            continue
        highest = high.bit_count()
        if highest < wanted:
            sure |= high
            wanted -= highest
            tools ^= high
            count -= highest
        else:
            tools, count = high, highest
    if count <= wanted:
        return sure | tools, 0, wanted - count
    return sure, tools, wanted


def _tie_planes(tools: int, asked: Asked, index: Index) -> list[int]:
    """Return, the most telling last, planes of risk, lower first, and of what is left over, fewer parts first."""
    ties = ties_of(index)
    free = [plane & tools for plane in ties.free]
    if are_apart(asked.every, index):
        for term in asked.every:
            add_all(free, touches_of(term, index), tools)
    else:
        for having in touched_by(tools, asked.every, index).values():
            add(free, having)
    return [tools & ~ties.destroys, tools & index.read_only, *free]
