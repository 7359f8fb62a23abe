"""The one order of an answer.

Tools named whole come first, then the higher score, then the tool of whose name fewer parts are left over, then the
lower risk, then the name and the connector's label by code point. No two tools tie, so an order never depends on how
the pool was given, and a larger limit only extends a list.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolrank._bits import add, ids_of, mask_of, planes_of
from toolrank._index import Index
from toolrank._match import Asked
from toolrank._score import Weights, score_planes
from toolrank._tool import Tool

__all__ = ["in_order"]

# Names that begin like this are taken to destroy, where a tool's hints do not say (as typed).
_DESTRUCTIVE = frozenset("delete remove destroy drop purge wipe erase revoke terminate kill truncate uninstall".split())


def in_order(tools: int, asked: Asked, index: Index, weights: Weights, limit: int | None) -> list[int]:
    """Return the ids of the first `limit` of `tools` in order; all of them where `limit` is None.

    The keys are bit planes, the most telling first. Each splits a set of tools in two, so the first few of thousands
    are found without sorting the rest; a key that no two tools tie on is never computed.

    Cost: O(words + limit) set operations.
    """
    most = index.size if limit is None else limit
    planes = [asked.named & tools, *reversed(score_planes(asked.terms, weights, tools))]
    broken = False
    found: list[int] = []
    stack = [(tools, 0)]
    while stack and len(found) < most:
        group, at = stack.pop()
        if at == len(planes) and not broken and group & (group - 1):
            planes += _tie_breakers(tools, asked, index)
            broken = True
        if at == len(planes) or not group & (group - 1):
            found += [i for i, _ in zip(ids_of(group), range(most - len(found)))]
            continue
        first = group & planes[at]
        if group ^ first:
            stack.append((group ^ first, at + 1))
        if first:
            stack.append((first, at + 1))
    return found


def _tie_breakers(tools: int, asked: Asked, index: Index) -> list[int]:
    """Return the planes of what is left over of the names, fewer parts first, and of risk, lower first."""
    if index.ties is None:
        index.ties = _Ties(index)
    ties: _Ties = index.ties
    left = _minus(ties.name_sizes, _touched(tools, asked, index))
    return [*(tools & ~plane for plane in reversed(left)), tools & ties.safe, tools & ~ties.destructive]


class _Ties:
    """What an index holds for ties: how many distinct parts each name has, and the risk of each tool."""

    __slots__ = ("destructive", "name_sizes", "safe")

    def __init__(self, index: Index) -> None:
        self.name_sizes = planes_of([len(set(parts)) for parts in index.parts])
        risks = [_risk(tool, word) for tool, word in zip(index.tools, index.first_words)]
        self.safe = mask_of((i for i, risk in enumerate(risks) if risk == 0), index.size)
        self.destructive = mask_of((i for i, risk in enumerate(risks) if risk == 2), index.size)


def _risk(tool: Tool, first_word: str) -> int:
    """Return 0 for a tool that says it only reads, 2 for one that destroys by its hint or else its name, 1 between.

    MCP gives `destructive` a meaning only where a tool is not read-only, so `read_only` goes first.
    """
    if tool.read_only:
        return 0
    return 2 if tool.destructive or (tool.destructive is None and first_word in _DESTRUCTIVE) else 1


def _touched(tools: int, asked: Asked, index: Index) -> list[int]:
    """Count, as a counter, the distinct parts of each tool's name that some word of the query matches."""
    touched: dict[str, int] = {}
    for term in asked.every:
        for part in (term.word,) if term.name else term.alike:
            if part not in touched:
                touched[part] = _having_part(index, part)
    for term in asked.every:
        for tool, parts in index.joined.get(term.word, {}).items():
            for part in parts:
                touched[part] = touched.get(part, 0) | 1 << tool
    counter: list[int] = []
    for having in touched.values():
        add(counter, having & tools)
    return counter


def _having_part(index: Index, word: str) -> int:
    """Return the tools that have `word` as a part of the name, not as a joined form only."""
    having = index.mask(index.name, word)
    for tool in index.joined.get(word, ()):
        if word not in index.parts[tool]:
            having &= ~(1 << tool)
    return having


def _minus(counter: Sequence[int], less: Sequence[int]) -> list[int]:
    """Subtract one counter from another that is nowhere smaller."""
    result: list[int] = []
    borrow = 0
    for k, plane in enumerate(counter):
        taken = less[k] if k < len(less) else 0
        result.append(plane ^ taken ^ borrow)
        borrow = ~plane & (taken | borrow) | taken & borrow
    return result
