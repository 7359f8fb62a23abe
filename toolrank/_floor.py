"""The relevance floor: what a tool must cover to be returned at all.

A floor is a policy, a frozen record: given the masses of a query's words it says how much of them a tool must cover.
This module also finds the tools that do, exactly, without looking at each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from toolrank._bits import add

__all__ = ["HALF", "Floor", "clearing"]


@dataclass(frozen=True, slots=True)
class Floor:
    """One share of the query's mass, for every query.

    `share` is a Fraction, an int, a float (taken exactly) or a string like "1/2", from 0 to 1. Whatever the share, a
    tool must cover some word of the query.

    Raises TypeError and ValueError for anything else.

    >>> Floor("1/3").need([3, 4])
    3
    >>> Floor(2)
    Traceback (most recent call last):
    ValueError: share must be from 0 to 1, not 2
    """

    share: Fraction

    def __init__(self, share: Fraction | float | str) -> None:
        if isinstance(share, bool) or not isinstance(share, (Fraction, int, float, str)):
            raise TypeError(f"share must be a Fraction, an int, a float or a string like '1/2', not {share!r}")
        try:
            exact = Fraction(share)
        except (ValueError, OverflowError, ZeroDivisionError):
            raise ValueError(f"share must be a number from 0 to 1, not {share!r}") from None
        if not 0 <= exact <= 1:
            raise ValueError(f"share must be from 0 to 1, not {share}")
        object.__setattr__(self, "share", exact)

    def need(self, masses: Sequence[int]) -> int:
        """Return the least mass that clears the floor, for a query whose words have these masses."""
        share = self.share
        return -(-sum(masses) * share.numerator // share.denominator) or 1

    def __str__(self) -> str:
        return f"{self.share} of the query's mass"


HALF = Floor(Fraction(1, 2))
"""Half of the query's mass, the default.

Measured on accounts of about ninety tools, each queried with and without the connector that has the answer: half of the
mass answers guessed tool names rightly 99 times in 100, and 95 times in 100 says nothing where nothing fits. Run
`benchmarks/quality.py` to measure it again.
"""

# A walk over sets of tools visits few nodes on real queries, but could visit exponentially many. Past this many the
# covered masses are added up instead, tool by tool in parallel.
_NODES_A_WORD = 32
_NODES = 64


def clearing(words: list[tuple[int, int]], need: int, eligible: int) -> int:
    """Return the tools of `eligible` whose covered mass is `need` or more.

    Each word is its mass and the set of tools that cover it. The words are walked by falling mass, and a set of tools
    is dropped as soon as all the words that remain could not lift it to the need.

    Cost: O(words) set operations on most queries, O(words * bits of a mass) at worst.

    >>> bin(clearing([(5, 0b0011), (4, 0b0110), (3, 0b1100)], 7, 0b1111))
    '0b110'
    """
    left = sum([mass for mass, _ in words])
    if left < need or not eligible:
        return 0
    words.sort(reverse=True)
    cleared = 0
    nodes = _NODES_A_WORD * len(words) + _NODES
    # A node: these tools lack so much, and the words from `at` on, which weigh `left`, are still to come.
    stack = [(eligible, need, 0, left)]
    while stack:
        tools, lack, at, left = stack.pop()
        while left >= lack:
            weight, cover = words[at]
            at += 1
            left -= weight
            hit = tools & cover
            if hit:
                tools ^= hit
                if weight >= lack:
                    cleared |= hit
                elif left >= lack - weight:
                    stack.append((hit, lack - weight, at, left))
            nodes -= 1
        if nodes < 0:
            return _clearing_by_sums(words, need, eligible)
    return cleared


def _clearing_by_sums(words: Sequence[tuple[int, int]], need: int, eligible: int) -> int:
    """Add the masses up, bit plane by bit plane, and compare with the need from the top plane down."""
    sums: list[int] = []
    for weight, cover in words:
        add(sums, cover, weight)
    above, equal = 0, eligible
    for k in reversed(range(max(len(sums), need.bit_length()))):
        plane = sums[k] if k < len(sums) else 0
        if need >> k & 1:
            equal &= plane
        else:
            above |= equal & plane
            equal &= ~plane
    return above | equal
