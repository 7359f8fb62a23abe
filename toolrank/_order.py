"""The one order of an answer.

Tools named whole come first, then the higher score, then the tool of whose name fewer parts are left over, then the
lower risk, then the name and the connector's label by code point. No two tools tie, so an order never depends on how
the pool was given, and a larger limit only extends a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from toolrank._bits import add, ids_of
from toolrank._index import Form, Index
from toolrank._match import Asked
from toolrank._score import WEIGHTS, Weights, score_planes, scores_of

__all__ = ["in_order"]

# Names that begin like this are taken to destroy, where a tool's hints do not say (as typed).
_DESTRUCTIVE = frozenset("delete remove destroy drop purge wipe erase revoke terminate kill truncate uninstall".split())


# Up to so many tools are put in order one by one, more by bit planes.
_FEW = 24


def in_order(tools: int, asked: Asked, index: Index, weights: Weights, limit: int | None) -> list[int]:
    """Return the ids of the first `limit` of `tools` in order; all of them where `limit` is None.

    Cost: O(words * tools) for a few tools, else O(words + limit) set operations.
    """
    if not tools & (tools - 1):
        return [tools.bit_length() - 1] if tools else []
    most = index.size if limit is None else limit
    if weights is WEIGHTS and tools.bit_count() <= _FEW:
        return _few_in_order(tools, asked, index, most)
    found: list[int] = []
    for group in (tools & asked.named, tools & ~asked.named):
        planes = score_planes(asked.terms, weights, group)
        for tied in _from_the_top(group, planes[::-1]):
            if len(found) >= most:
                return found[:most]
            found += _tied_in_order(tied, asked, index, most - len(found))
    return found[:most]


def _few_in_order(tools: int, asked: Asked, index: Index, most: int) -> list[int]:
    """Sort a few tools; the later keys are made only for those that tie and are among the first `most`."""
    ids = index.in_order(tools, _FEW)
    size = index.size
    scores = [scores_of(term, size) for term in asked.terms]
    totals = [sum([of[i] for of in scores]) for i in ids]
    if asked.named & tools:
        first = 1 + max(totals)
        totals = [total + (asked.named >> i & 1) * first for total, i in zip(totals, ids)]
    order = sorted(range(len(ids)), key=totals.__getitem__, reverse=True)
    found: list[int] = []
    at = 0
    while at < len(order) and len(found) < most:
        end = at + 1
        while end < len(order) and totals[order[end]] == totals[order[at]]:
            end += 1
        tied = [ids[place] for place in order[at:end]]
        found += tied if len(tied) == 1 else _sorted_ties(tied, asked, index)
        at = end
    return found[:most]


def _tied_in_order(tied: int, asked: Asked, index: Index, most: int) -> list[int]:
    """Put tools of one score in order, the first `most` of them at least."""
    if not tied & (tied - 1):
        return [tied.bit_length() - 1]
    found: list[int] = []
    for group in _from_the_top(tied, _tie_planes(tied, asked, _ties(index), index)):
        if len(found) >= most:
            break
        found += index.in_order(group, most - len(found))
    return found


def _from_the_top(tools: int, planes: Sequence[int]) -> Iterator[int]:
    """Yield the tools in groups of one number each, the highest first; the first plane is the most telling.

    Each plane splits a set in two, so the first few of thousands are found without sorting the rest.
    """
    stack = [(tools, 0)] if tools else []
    while stack:
        group, at = stack.pop()
        if at == len(planes):
            yield group
            continue
        first = group & planes[at]
        if group ^ first:
            stack.append((group ^ first, at + 1))
        if first:
            stack.append((first, at + 1))


def _sorted_ties(ids: list[int], asked: Asked, index: Index) -> list[int]:
    """Sort tools of one score, given in the last tie-break's order, by what is left over and by risk."""
    exact = {term.word for term in asked.every if term.name}
    alike = [term.alike for term in asked.every if term.alike]
    joins = [term.joins for term in asked.every if term.joins]
    keys: dict[int, tuple[int, int]] = {}
    for i in ids:
        # The distinct parts of the name that no word of the query matches, exactly, by prefix, or joined.
        left = set(index.parts(i)) - exact
        for words in alike:
            left -= words
        for joined in joins:
            left.difference_update(joined.get(i, ()))
        keys[i] = len(left), _risk(i, index)
    return sorted(ids, key=keys.__getitem__)


def _risk(tool: int, index: Index) -> int:
    """Return 0 for a tool that says it only reads, 2 for one that destroys by its hint or else its name, 1 between.

    MCP gives `destructive` a meaning only where a tool is not read-only, so `read_only` goes first.
    """
    hints = index.tools[tool]
    if hints.read_only:
        return 0
    if hints.destructive is None:
        return 2 if tool in _ties(index).destructive_names else 1
    return 2 if hints.destructive else 1


class _Ties:
    """What ties need of an index: the number of distinct parts of each name, and the risks, as bit planes."""

    __slots__ = ("destroys", "destructive_names", "name_sizes")

    def __init__(self, index: Index) -> None:
        self.name_sizes: list[int] = []
        for size in {*index.core.name_sizes, *index.tail.name_sizes}:
            add(self.name_sizes, index.having("name_sizes", size), size)
        by_name = 0
        for word in _DESTRUCTIVE:
            by_name |= index.having("first_words", word)
        self.destructive_names = frozenset(ids_of(by_name))
        self.destroys = (index.destroys | index.unsaid & by_name) & ~index.read_only


def _ties(index: Index) -> _Ties:
    if index.ties is None:
        index.ties = _Ties(index)
    ties: _Ties = index.ties
    return ties


def _tie_planes(tools: int, asked: Asked, ties: _Ties, index: Index) -> list[int]:
    """Return, most telling first, the planes of what is left over, fewer parts first, and of risk, lower first."""
    touched: list[int] = []
    for having in _touched(tools, asked, index).values():
        add(touched, having)
    left: list[int] = []
    borrow = 0
    for plane, taken in zip_longest(ties.name_sizes, touched, fillvalue=0):
        left.append(tools & (plane ^ taken ^ borrow))
        borrow = ~plane & (taken | borrow) | taken & borrow
    planes = [tools ^ plane for plane in reversed(left)]
    return [*planes, tools & index.read_only, tools & ~ties.destroys]


def _touched(tools: int, asked: Asked, index: Index) -> dict[str, int]:
    """Return, by name part, those of `tools` that have it and of which some word of the query matches it."""
    touched: dict[str, int] = {}
    for term in asked.every:
        if term.name:
            touched[term.word] = _having_part(term.word, term.name & tools, term.joins, index)
        for part in term.alike:
            if part not in touched:
                touched[part] = _having_part(part, index.having("name", part) & tools, index.joins(part), index)
    for term in asked.every:
        for tool, parts in term.joins.items():
            for part in parts:
                touched[part] = touched.get(part, 0) | 1 << tool & tools
    return touched


def _having_part(part: str, having: int, joins: dict[int, Form], index: Index) -> int:
    """Return those of `having` that have a word as a part of the name, not as a joined form only."""
    for tool in joins:
        if part not in index.parts(tool):
            having &= ~(1 << tool)
    return having
