"""Document frequency to integer mass.

A word's mass is its inverse document frequency in units of 2^-32 bit. This module knows numbers alone, and uses integer
arithmetic alone: the last bit of a C library's logarithm differs between machines, and a last bit can decide a floor.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["Masses", "mass"]

_UNIT_BITS = 32
_GUARD_BITS = 32


def mass(visible: int, df: int) -> int:
    """Return floor(2^32 * log2((2N + 2) / (2 df + 1))) for a word that `df` of N visible tools have.

    This is the inverse document frequency of BM25, ln(1 + (N - df + 0.5) / (df + 0.5)) (Robertson and Zaragoza, The
    Probabilistic Relevance Framework, 2009, in the form of Lucene that is never negative), counted in bits instead of
    nats. It is positive for every df from 0 to N.

    Cost: O(1); two look-ups for numbers seen before.

    >>> mass(0, 0) == 1 << 32
    True
    >>> mass(10, 0) > mass(10, 1) > mass(10, 10) > 0
    True
    """
    more = _log2(2 * visible + 2) - _log2(2 * df + 1)
    if _is_sure(more, _GUARD_BITS):
        return more >> _GUARD_BITS
    return _exact(2 * visible + 2, 2 * df + 1)


class Masses(dict[int, int]):
    """Masses by document frequency in a pool of `visible` tools, each computed once.

    >>> Masses(10)[0] == mass(10, 0)
    True
    """

    def __init__(self, visible: int) -> None:
        self.visible = visible

    def __missing__(self, df: int) -> int:
        self[df] = found = mass(self.visible, df)
        return found


def _is_sure(difference: int, guard: int) -> bool:
    """Whether a difference of two logarithms, off by two units at most, is so far from a multiple of 2^guard."""
    return 2 <= difference & ((1 << guard) - 1) < (1 << guard) - 2


@lru_cache(maxsize=1 << 16)
def _log2(n: int, bits: int = _UNIT_BITS + _GUARD_BITS) -> int:
    """Return floor(2^bits * log2(n)), possibly one less: by repeated squaring of the mantissa.

    The k-th squaring's rounding moves the logarithm by 2^-k of itself, so sixteen more bits than asked for are plenty.
    """
    whole = n.bit_length() - 1
    precision = bits + 16
    mantissa = (n << precision) >> whole
    result = whole
    for _ in range(bits):
        mantissa = mantissa * mantissa >> precision
        bit = mantissa >> (precision + 1)
        mantissa >>= bit
        result = result << 1 | bit
    return result


def _exact(p: int, q: int) -> int:
    """Return floor(2^32 * log2(p / q)) with as many guard bits as it takes."""
    whole, rest = divmod(p, q)
    if not rest and whole & (whole - 1) == 0:
        return (whole.bit_length() - 1) << _UNIT_BITS  # the only rational logarithms of rationals are whole
    guard = 2 * _GUARD_BITS
    while not _is_sure(more := _log2(p, _UNIT_BITS + guard) - _log2(q, _UNIT_BITS + guard), guard):
        guard *= 2
    return more >> guard
