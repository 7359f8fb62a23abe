"""The one order of an answer.

Tools named whole come first, then the higher score, then the tool of whose name fewer parts are left over, then the
lower risk, then the name and the connector's label by code point. No two tools tie, so an order never depends on how
the pool was given, and a larger limit only extends a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, zip_longest

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
    most = index.size if limit is None else limit
    if not tools & (tools - 1):
        return [tools.bit_length() - 1] if tools else []
    if weights is WEIGHTS and tools.bit_count() <= _FEW:
        return _few_in_order(list(index.in_order(tools)), asked, index)[:most]
    return _many_in_order(tools, asked, index, weights, most)


def _few_in_order(ids: list[int], asked: Asked, index: Index) -> list[int]:
    """Sort ids that are in the last tie-break's order by the keys before it; later keys are made for ties alone."""
    totals = dict.fromkeys(ids, 0)
    for term in asked.terms:
        scores = scores_of(term, index.size)
        if isinstance(scores, dict):
            for i in scores.keys() & totals:
                totals[i] += scores[i]
        else:
            for i in ids:
                totals[i] += scores[i]
    if asked.named:
        first = 1 + max(totals.values())
        for i in ids_of(asked.named):
            if i in totals:
                totals[i] += first
    if len({*totals.values()}) == len(ids):
        return sorted(ids, key=totals.__getitem__, reverse=True)
    alike = _alike(asked)
    joins = [joins for term in asked.every if (joins := index.joins(term.word))]
    return sorted(ids, key=lambda i: (-totals[i], _left_over(i, alike, joins, index), _risk(i, index)))


def _alike(asked: Asked) -> set[str]:
    """Return the name parts that some word of the query matches, exactly or by prefix."""
    alike: set[str] = set()
    for term in asked.every:
        if term.name:
            alike.add(term.word)
        else:
            alike.update(term.alike)
    return alike


def _left_over(tool: int, alike: set[str], joins: list[dict[int, Form]], index: Index) -> int:
    """Count the distinct parts of a tool's name that no word of the query matches."""
    parts = set(index.parts(tool)) - alike
    for joined in joins:
        parts.difference_update(joined.get(tool, ()))
    return len(parts)


def _risk(tool: int, index: Index) -> int:
    """Return 0 for a tool that says it only reads, 2 for one that destroys by its hint or else its name, 1 between.

    MCP gives `destructive` a meaning only where a tool is not read-only, so `read_only` goes first.
    """
    hints = index.tools[tool]
    if hints.read_only:
        return 0
    if hints.destructive is None:
        return 2 if index.first_word(tool) in _DESTRUCTIVE else 1
    return 2 if hints.destructive else 1


def _many_in_order(tools: int, asked: Asked, index: Index, weights: Weights, most: int) -> list[int]:
    """Find the first by bit planes of the keys, the most telling plane first.

    Each plane splits a set of tools in two, so the first few of thousands are found without sorting the rest; the
    planes of a key that no two tools tie on are never made.
    """
    planes = [asked.named & tools, *reversed(score_planes(asked.terms, weights, tools))]
    are_all = False
    found: list[int] = []
    stack = [(tools, 0)]
    while stack and len(found) < most:
        group, at = stack.pop()
        if at == len(planes) and not are_all and group & (group - 1):
            planes += [*_left_over_planes(tools, asked, index), *_risk_planes(tools, index)]
            are_all = True
        if at == len(planes) or not group & (group - 1):
            found += islice(index.in_order(group), most - len(found))
            continue
        first = group & planes[at]
        if group ^ first:
            stack.append((group ^ first, at + 1))
        if first:
            stack.append((first, at + 1))
    return found


def _left_over_planes(tools: int, asked: Asked, index: Index) -> list[int]:
    """Return, most telling first, the planes in which tools with fewer parts left over come first."""
    left: list[int] = []
    for size in {*index.core.name_sizes, *index.tail.name_sizes}:
        if having := index.having("name_sizes", size) & tools:
            add(left, having, size)
    touched: list[int] = []
    for having in _touched(tools, asked, index).values():
        add(touched, having, 1)
    return [tools & ~plane for plane in reversed(_minus(left, touched))]


def _touched(tools: int, asked: Asked, index: Index) -> dict[str, int]:
    """Return, by name part, those of `tools` that have it and of which some word of the query matches it."""
    touched: dict[str, int] = {}
    for part in _alike(asked):
        having = index.having("name", part) & tools
        for tool in index.joins(part):
            if part not in index.parts(tool):
                having &= ~(1 << tool)  # it has the word as a joined form, not as a part
        touched[part] = having
    for term in asked.every:
        for tool, parts in index.joins(term.word).items():
            for part in parts:
                touched[part] = touched.get(part, 0) | 1 << tool & tools
    return touched


def _minus(counter: Sequence[int], less: Sequence[int]) -> list[int]:
    """Subtract one counter from another that is nowhere smaller."""
    result: list[int] = []
    borrow = 0
    for plane, taken in zip_longest(counter, less, fillvalue=0):
        result.append(plane ^ taken ^ borrow)
        borrow = ~plane & (taken | borrow) | taken & borrow
    return result


def _risk_planes(tools: int, index: Index) -> list[int]:
    """Return the planes of `_risk`: those that only read, then all but those that destroy."""
    destroys = index.destroys
    for word in _DESTRUCTIVE:
        destroys |= index.unsaid & index.having("first_words", word)
    return [tools & index.read_only, tools & ~destroys]
