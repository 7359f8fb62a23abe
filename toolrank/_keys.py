"""One number for a tool: its place in the order, but for the last tie-breaks.

A key is the score, then how many parts of the name are not left over, in four bits, then how little the tool risks, in
two. What a word adds to it is kept for all tools, so a key is a sum over the query's words.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from operator import add as plus
from sys import byteorder
from typing import Any, TypeAlias

from toolrank._bits import add, ids_of, spread
from toolrank._index import Form, Index
from toolrank._match import Asked, Term, were_known
from toolrank._score import WEIGHTS, Weights, scores_in
from toolrank._text import DESTRUCTIVE_WORDS

__all__ = [
    "WORDS",
    "Keys",
    "are_apart",
    "base_keys",
    "keys_of",
    "keys_one_by_one",
    "ties_of",
    "told_keys",
    "touched_by",
    "touches_of",
]

# What gives the key of a tool, by id.
Keys: TypeAlias = "Callable[[int], int]"

_PARTS = 15
# In an index of up to so many tools, the keys of all are added up at once, two bytes a tool, which hold so many words.
_NARROW = 1024
WORDS = 100
# In a larger one, a word is kept by tool while a byte for every tool would be more.
_DENSE = 64


def keys_of(ids: Sequence[int], tools: int, asked: Asked, index: Index, added: Keys | None = None) -> Keys:
    """Return what gives the keys of some tools with the default weights, by what is kept of each word if that adds up.

    Four bits hold the parts of all but absurd names. A part that two words touch would count twice, a word that is only
    required does not score, and nothing is kept of a word that was not asked before. `added` are keys that were added
    up already.
    """
    ties = ties_of(index)
    terms = asked.terms
    if ties.long & tools or len(terms) < len(asked.every) or len(terms) > WORDS or not are_apart(terms, index):
        return keys_one_by_one(ids, asked, index, WEIGHTS)
    if added is not None:
        return added
    kept = [term.told for term in terms]
    if None in kept:
        if not were_known(terms):
            return keys_one_by_one(ids, asked, index, WEIGHTS)
        kept = [_tell(term, index) for term in terms]
    if index.size <= _NARROW:
        packed = sum(kept, ties.wide).to_bytes(2 * index.size, byteorder)
        return memoryview(packed).cast("H").__getitem__
    told: Iterable[int] = repeat(0)
    for of in kept:
        if isinstance(of, bytes):
            told = map(plus, told, map(of.__getitem__, ids))
        else:
            told = map(plus, told, map(of.get, ids, repeat(0)))
    return {i: (key << 2) + base for i, key, base in zip(ids, told, map(ties.base.__getitem__, ids))}.__getitem__


def are_apart(terms: Sequence[Term], index: Index) -> bool:
    """Whether no part of a name is touched by two of these words."""
    if False not in [term.is_alone for term in terms]:
        return True
    memory, key = index.memory, tuple(terms)
    if key not in memory.apart:
        memory.apart[key] = _are_disjoint(terms)
        memory.size += 200 + 8 * len(key)
    return memory.apart[key]


def _are_disjoint(terms: Sequence[Term]) -> bool:
    apart: set[str] = set()
    for term in terms:
        parts = {*term.alike, *[part for form in term.joins.values() for part in form]}
        if term.name:
            parts.add(term.word)
        if not apart.isdisjoint(parts):
            return False
        apart |= parts
    return True


def _tell(term: Term, index: Index) -> Any:
    """Keep what a word adds to the key of each tool, by id, over its risk.

    That is an integer with two bytes a tool for a narrow index, where the risk is left room for, else a byte a tool, or
    a dictionary while few match.

    Cost: O(size).
    """
    tools = term.cover & ~ties_of(index).long
    touched = [having for having in touched_by(tools, [term], index).values() if having]
    if index.size > _NARROW and term.df * _DENSE < index.size:
        ids = ids_of(tools)
        scores = scores_in(term, ids, WEIGHTS)
        parts = [sum([having >> i & 1 for having in touched]) for i in ids]
        term.told = {i: score << 4 | part for i, score, part in zip(ids, scores, parts)}
        index.memory.size += 100 * len(ids)
        return term.told
    # One hexadecimal digit a tool: a score is 8 at most, and all parts of a name are 15 at most.
    score = spread([having & tools for having in term.fields], WEIGHTS.each, index.size)
    told = (score << 4 | spread(touched, repeat(1), index.size)).to_bytes(index.size, "little")
    term.told = told if index.size > _NARROW else _widened(told) << 2
    index.memory.size += index.size if index.size > _NARROW else 2 * index.size
    return term.told


def told_keys(term: Term, index: Index) -> Iterable[int]:
    """Return what a word adds to the key of each tool, in the order of their ids, in a narrow index."""
    told: int = _tell(term, index) if term.told is None else term.told
    return memoryview(told.to_bytes(2 * index.size, byteorder)).cast("H")


def base_keys(index: Index) -> bytes:
    """Return the key of each tool where no word is asked, in the order of their ids."""
    return ties_of(index).base


def _widened(numbers: bytes) -> int:
    """Return numbers of one byte each as an integer with two bytes for each."""
    return int.from_bytes(array("H", [*numbers]).tobytes(), byteorder)


def keys_one_by_one(ids: Sequence[int], asked: Asked, index: Index, weights: Weights) -> Keys:
    """Return what gives the keys of some tools, whatever the words and the weights."""
    scores: list[int] = [0] * len(ids)
    for term in asked.terms:
        scores = list(map(plus, scores, scores_in(term, ids, weights)))
    exact = {term.word for term in asked.every if term.name}
    alike = [term.alike for term in asked.every if term.alike]
    joins = [term.joins for term in asked.every if term.joins]
    left: list[int] = []
    for i in ids:
        # The distinct parts of the name that no word of the query matches, exactly, by prefix, or joined.
        parts = set(index.parts(i)) - exact
        for words in alike:
            parts -= words
        for joined in joins:
            parts.difference_update(joined.get(i, ()))
        left.append(len(parts))
    most = max(left)
    base = ties_of(index).base
    keys = {i: (score * (most + 1) + most - parts) << 2 | base[i] & 3 for i, score, parts in zip(ids, scores, left)}
    return keys.__getitem__


class _Ties:
    """What ties need of an index: of each name the number of distinct parts, and of each tool the risk.

    `base` has them as bytes, by id, as a key has them where no part is touched, and `wide` the same in two bytes a
    tool, for a narrow index; `long` are the tools whose names have too many parts for that. `free` is a counter of how
    many parts each name has fewer than the longest could have.
    """

    __slots__ = ("base", "destroys", "free", "long", "wide")

    def __init__(self, index: Index) -> None:
        sizes = {size: index.having("name_sizes", size) for size in {*index.core.name_sizes, *index.tail.name_sizes}}
        counter: list[int] = []
        for size, having in sizes.items():
            add(counter, having, size)
        self.free = [index.alive & ~plane for plane in counter]
        self.long = 0
        for size, having in sizes.items():
            if size > _PARTS:
                self.long |= having
        by_name = 0
        for word in DESTRUCTIVE_WORDS:
            by_name |= index.having("first_words", word)
        # MCP gives `destructive` a meaning only where a tool is not read-only, so `read_only` goes first.
        self.destroys = (index.destroys | index.unsaid & by_name) & ~index.read_only
        between = index.alive & ~index.read_only & ~self.destroys
        free = spread(sizes.values(), [max(0, _PARTS - size) for size in sizes], index.size)
        safe = spread((index.read_only, between), (2, 1), index.size)
        self.base = (free << 2 | safe).to_bytes(index.size, "little")
        self.wide = _widened(self.base) if index.size <= _NARROW else 0


def ties_of(index: Index) -> _Ties:
    if index.ties is None:
        index.ties = _Ties(index)
    ties: _Ties = index.ties
    return ties


def touched_by(tools: int, terms: Sequence[Term], index: Index) -> dict[str, int]:
    """Return, by name part, those of `tools` that have it and of which some word matches it.

    Cost: O(parts) set operations; a word that begins like thousands of names touches thousands of parts.
    """
    parts = _Parts(index)
    touched: dict[str, int] = {}
    for term in terms:
        if term.name:
            touched[term.word] = parts.having(term.word, term.name & tools, term.joins)
        for part in term.alike:
            if part not in touched:
                touched[part] = parts.having(part, index.having("name", part) & tools, index.joins(part))
    for term in terms:
        for tool, joined in term.joins.items():
            for part in joined:
                touched[part] = touched.get(part, 0) | 1 << tool & tools
    return touched


class _Parts(dict[int, frozenset[str]]):
    """The parts of names, by id of the tool, each gathered once."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __missing__(self, tool: int) -> frozenset[str]:
        self[tool] = found = frozenset(self._index.parts(tool))
        return found

    def having(self, part: str, having: int, joins: dict[int, Form]) -> int:
        """Return those of `having` that have a word as a part of the name, not as a joined form only."""
        if having:
            for tool in joins:
                if part not in self[tool]:
                    having &= ~(1 << tool)
        return having


def touches_of(term: Term, index: Index) -> list[int]:
    """Return how many parts of each name a word touches, as a counter that is kept.

    Cost: that of `touched_by` for the first call.
    """
    touches: list[int] | None = term.touches
    if touches is None:
        touches = []
        for having in touched_by(term.cover, [term], index).values():
            add(touches, having)
        term.touches = touches  # whole: another thread may read it
        index.memory.size += sum([plane.bit_length() >> 3 for plane in touches])
    return touches
