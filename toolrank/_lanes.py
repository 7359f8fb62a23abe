"""Few tools at once: what every tool covers, and its key in the order, added up in one integer.

Among a hundred tools, walking sets of tools costs more than adding numbers up. Each tool has a lane of 64 bits in a
wide integer. A word is such an integer: to the lane of a tool it adds its mass, or takes it off where the tool does not
cover the word, and it adds what it adds to the tool's key. So one sum over a query's words tells by the top bit of each
lane whether the tool covers half of the mass, and by the lowest sixteen bits what its key is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from operator import attrgetter
from sys import byteorder

from toolrank._floor import masses_of
from toolrank._index import Index
from toolrank._keys import WORDS, Keys, base_keys, told_keys
from toolrank._match import Asked, Term, were_known
from toolrank._pool import Pool

__all__ = ["added_up", "covering_half", "keys_in"]

_LANE = 64
_KEY = 16
# Lanes are read as machine words, which have the key first where the lowest byte comes first. Up to so many tools this
# is quicker, by measurement; a mass is below 2^36 among so few, so a hundred words fit a lane many times over.
_MOST = 150 if byteorder == "little" else 0


def added_up(asked: Asked, pool: Pool) -> int | None:
    """Return the sum of a query's words, lane by lane; None where it is not for this pool, or some word is new to it.

    Cost: O(words) additions of integers of 64 bits a tool.
    """
    index, terms = pool._index, asked.terms
    if index.size > _MOST or not pool._is_whole or asked.required or not 0 < len(terms) <= WORDS:
        return None
    if index.lanes is None:
        index.lanes = _Lanes(index)
    lanes: _Lanes = index.lanes
    try:
        return sum(map(_of_word, terms), lanes.base)
    except TypeError:  # a word has none yet
        if not were_known(terms):
            return None
    for term, mass in zip(terms, masses_of(terms, pool)):
        term.lanes = lanes.of(term, mass, index)
        index.memory.size += _LANE // 8 * index.size
    return sum(map(_of_word, terms), lanes.base)


_of_word: Callable[[Term], int] = attrgetter("lanes")


class _Lanes:
    """What the lanes of an index begin with: the middle of what may be covered, and the key of an untouched tool.

    `ones` is 1 in every lane, and `tops` the highest bit.
    """

    __slots__ = ("base", "ones", "tops")

    def __init__(self, index: Index) -> None:
        self.ones = _packed([1] * index.size)
        self.tops = self.ones << (_LANE - 1)
        self.base = self.tops + _packed(base_keys(index))

    def of(self, term: Term, mass: int, index: Index) -> int:
        """Return the lanes of a word: twice its mass where it is covered, less its mass everywhere, and the keys."""
        covers = reversed(f"{term.cover:0{index.size}b}")
        twice = mass << (_KEY + 1)
        numbers = [key + twice if has == "1" else key for key, has in zip(told_keys(term, index), covers)]
        return _packed(numbers) - self.ones * (mass << _KEY)


def _packed(numbers: Iterable[int]) -> int:
    return int.from_bytes(array("Q", [*numbers]).tobytes(), "little")


_BITS = bytes(0x31 if byte & 0x80 else 0x30 for byte in range(256))


def covering_half(total: int, pool: Pool) -> int:
    """Return the visible tools that cover half of the mass or more.

    Cost: O(size).
    """
    index = pool._index
    passed: int = total & index.lanes.tops
    if not passed & (passed - 1):
        found = 1 << (passed.bit_length() // _LANE - 1) if passed else 0
    else:
        found = int(passed.to_bytes(index.size * _LANE // 8, "big")[:: _LANE // 8].translate(_BITS), 2)
    return found & pool._visible


def keys_in(total: int, size: int) -> Keys:
    """Return what gives the key of each tool, by id.

    Cost: O(size).
    """
    lanes = memoryview(total.to_bytes(size * _LANE // 8, "little")).cast("H")
    return lanes[:: _LANE // _KEY].__getitem__
