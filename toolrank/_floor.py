"""The relevance floor: what a tool must cover to be returned at all.

A floor is a policy, a frozen record: given a query's words and their masses it says what a tool must reach, and what
each word that the tool matches brings it nearer. This module also finds the tools that reach it, exactly, without
looking at each. A policy knows neither tools nor fields beyond that, and integers alone decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol, runtime_checkable

from toolrank._bits import add
from toolrank._mass import Masses
from toolrank._match import Term, view_of
from toolrank._pool import Pool
from toolrank._record import Record
from toolrank._text import FUNCTION_WORDS

__all__ = ["HALF", "SQUARES", "Demand", "Floor", "FloorPolicy", "Squares", "clearing", "demand_of", "masses_of"]


class Demand(NamedTuple):
    """What a policy asks of the tools, for one query: integers in any unit of the policy's own.

    A tool is returned if what it gains reaches `need`, which is 1 or more. For each word of the query that it matches
    in any field it gains what `gains` has for the word, and if one of those fields is its name (a word that begins
    alike included) or its connector's label, what `extras` has besides.

    >>> Demand(need=4, gains=(2, 3), extras=(2, 0)).most(0)
    4
    """

    need: int
    gains: Sequence[int]
    extras: Sequence[int]

    def most(self, word: int) -> int:
        """Return what the word at this place can gain a tool."""
        return self.gains[word] + self.extras[word]


@runtime_checkable
class FloorPolicy(Protocol):
    """What `floor=` takes: any object that answers this one question.

    A policy is asked once for each query, with the words that weigh, as typed and distinct, and the mass of each (in
    2^-32 bit). The same words and masses must get the same answer. Its `str()` is how `explain` names it.

    >>> class AllButOne:
    ...     def asks(self, words, masses):
    ...         return Demand(max(1, len(words) - 1), gains=[1] * len(words), extras=[0] * len(words))
    >>> from toolrank import Pool, Tool, rank
    >>> pool = Pool([Tool("list_users"), Tool("list_all_users"), Tool("get_page")])
    >>> rank("list every users", pool, floor=AllButOne()).tools == list(pool)[:2]
    True
    """

    def asks(self, words: Sequence[str], masses: Sequence[int]) -> Demand:
        """Return what a tool must reach, and what each word gains it."""
        ...  # a protocol has no body to run


def demand_of(floor: FloorPolicy, words: Sequence[str], masses: Sequence[int]) -> Demand:
    """Ask a policy, and hold its answer to what a `Demand` is."""
    demand = floor.asks(words, masses)
    if not isinstance(demand, Demand):
        raise TypeError(f"floor must answer with a Demand, not {demand!r}")
    need, gains, extras = demand.need, list(demand.gains), list(demand.extras)
    for number in (need, *gains, *extras):
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"floor must answer in integers, not {number!r}")
    if need < 1:
        raise ValueError(f"floor must ask for a need of 1 or more, not {need}")
    for number in (*gains, *extras):
        if number < 0:
            raise ValueError(f"floor must answer with gains of 0 or more, not {number}")
    for kind, given in (("gain", gains), ("extra", extras)):
        if len(given) != len(words):
            raise ValueError(f"floor must give one {kind} for each of {len(words)} words, not {len(given)}")
    return Demand(need, gains, extras)


class Floor(Record):
    """One share of the query's mass, for every query.

    `share` is a Fraction, an int, a float (taken exactly) or a string like "1/2" or "0.5", from 0 to 1. Whatever the
    share, a tool must cover some word of the query.

    Raises TypeError and ValueError for anything else.

    >>> Floor("1/3").need([3, 4])
    3
    >>> Floor(2)
    Traceback (most recent call last):
    ValueError: share must be from 0 to 1, not 2
    """

    share: Fraction
    _over: int  # the share's numerator, which a Fraction gives slowly
    _under: int

    __slots__ = ("_over", "_under", "share")

    def __init__(self, share: Fraction | float | str) -> None:
        exact = _share("share", share)
        self._set(share=exact, _over=exact.numerator, _under=exact.denominator)

    def need(self, masses: Sequence[int]) -> int:
        """Return the least mass that clears the floor, for a query whose words have these masses."""
        return -(-sum(masses) * self._over // self._under) or 1

    def asks(self, words: Sequence[str], masses: Sequence[int]) -> Demand:
        """Return the need; a word gains its mass, wherever a tool has it.

        >>> HALF.asks(["list", "users"], [3, 4])
        Demand(need=4, gains=[3, 4], extras=[0, 0])
        """
        return Demand(self.need(masses), list(masses), [0] * len(words))

    def __str__(self) -> str:
        return f"{self.share} of the query's mass"


# Past three digits an exponent makes no share, only a number too large to compute.
_HUGE_EXPONENT = re.compile(r"[eE][-+]?[\d_]{4,}\s*\Z")


def _share(argument: str, value: Fraction | float | str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (Fraction, int, float, str)):
        raise TypeError(f"{argument} must be a Fraction, an int, a float or a string like '1/2', not {value!r}")
    try:
        if isinstance(value, str) and _HUGE_EXPONENT.search(value):
            raise ValueError(value)
        exact = Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"{argument} must be a number from 0 to 1, not {value!r}") from None
    if not 0 <= exact <= 1:
        raise ValueError(f"{argument} must be from 0 to 1, not {value}")
    return exact


HALF = Floor(Fraction(1, 2))
"""Half of the query's mass, the default.

Measured on accounts of about ninety tools, each queried with and without the connector that has the answer: half of the
mass answers guessed tool names rightly 99 times in 100, and 95 times in 100 says nothing where nothing fits. Run
`benchmarks/quality.py` to measure it again.
"""


class Squares(Record):
    """A share of the mass, or of its root of squares, whichever is less: long queries need a smaller share.

    A tool clears it that reaches `share` of the query's mass, or the square of whose reach is `squares` of the sum of
    the masses' squares. Words that come together by chance spread like the root of that sum: of four words of one mass
    two are asked for either way, of sixteen not eight but three. A light word (a function word, a single letter a to z,
    or one with a digit) weighs `light` of its mass, and a word that only the description, the title or a parameter has
    gains `prose` of it: less is said of a tool by prose than by its name. `prose` is `share` or more, so that a tool
    that has every word is never left out.

    Each is a Fraction, an int, a float (taken exactly) or a string like "1/2", from 0 to 1; `light` and `prose` not 0.

    Raises TypeError and ValueError for anything else.

    Cost: O(words).

    >>> SQUARES.asks(["list", "s3"], [6, 5])
    Demand(need=17, gains=[12, 5], extras=[12, 5])
    >>> Squares(light=0)
    Traceback (most recent call last):
    ValueError: light must be more than 0, not 0
    """

    share: Fraction
    squares: Fraction
    light: Fraction
    prose: Fraction

    __slots__ = ("light", "prose", "share", "squares")

    def __init__(
        self,
        share: Fraction | float | str = Fraction(1, 2),
        squares: Fraction | float | str = Fraction(1, 2),
        light: Fraction | float | str = Fraction(1, 2),
        prose: Fraction | float | str = Fraction(1, 2),
    ) -> None:
        given = {"share": share, "squares": squares, "light": light, "prose": prose}
        for name, value in given.items():
            exact = _share(name, value)
            if not exact and name in ("light", "prose"):
                raise ValueError(f"{name} must be more than 0, not {value}")
            self._set(**{name: exact})
        if self.prose < self.share:
            raise ValueError(f"prose must be the share ({self.share}) or more, not {self.prose}")

    def asks(self, words: Sequence[str], masses: Sequence[int]) -> Demand:
        """Return what a tool must reach, and what each word gains it, in parts of a unit of mass."""
        light, prose = self.light, self.prose
        weights = [
            mass * (light.numerator if _is_light(word) else light.denominator) for word, mass in zip(words, masses)
        ]
        # A word counts `prose.denominator` parts in full, of which prose alone gains `prose.numerator`.
        full = prose.denominator
        of_sum = -(-sum(weights) * full * self.share.numerator // self.share.denominator)
        squares = sum([(weight * full) ** 2 for weight in weights]) * self.squares.numerator
        need = min(of_sum, _root(-(-squares // self.squares.denominator)))
        gains = [weight * prose.numerator for weight in weights]
        return Demand(need or 1, gains, [weight * (full - prose.numerator) for weight in weights])

    def __str__(self) -> str:
        if self == SQUARES:
            return "SQUARES"
        return f"Squares(share {self.share}, squares {self.squares}, light {self.light}, prose {self.prose})"


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def _is_light(word: str) -> bool:
    return word in FUNCTION_WORDS or word in _LETTERS or any(c.isdigit() for c in word)


def _root(n: int) -> int:
    """Return the least integer whose square is `n` or more: Newton's method, from above.

    >>> [_root(n) for n in (0, 1, 2, 4, 5, 9, 10)]
    [0, 1, 2, 2, 3, 3, 4]
    """
    if n < 2:
        return n
    root = 1 << (n.bit_length() + 1 >> 1)
    while (better := (root + n // root) >> 1) < root:
        root = better
    return root if root * root >= n else root + 1


SQUARES = Squares()
"""Half of the mass, or the root of half of its squares; light words at a half, prose at a half.

Measured on the accounts that `HALF` was measured on, with the constants chosen without a source and judged on it: right
within the first five for guessed names, searches of agents and sentences of users 0.998, 0.851 and 0.711 of the time,
where `HALF` is at 0.995, 0.797 and 0.595; an answer where nothing fits 0.049, 0.152 and 0.073 of the time, where `HALF`
is at 0.054, 0.208 and 0.078. Why squares: the share that kept false answers at one in twenty fell from 0.51 for three
to five words to 0.27 for more than ten. Run `benchmarks/quality.py` to measure it again.
"""


def masses_of(terms: Sequence[Term], pool: Pool) -> list[int]:
    """Return the mass of each term over the visible tools."""
    if pool._is_whole:
        masses = [term.mass for term in terms]
        if 0 not in masses:
            return masses
    else:
        memory = pool._index.memory
        known = view_of(pool, memory).masses
        try:
            return [known[term] for term in terms]
        except KeyError:
            pass
    if pool._masses is None:
        pool._masses = Masses(len(pool))
    of, visible = pool._masses, pool._visible
    masses = [of[(term.seen & visible).bit_count()] for term in terms]
    if pool._is_whole:
        for term, mass in zip(terms, masses):
            term.mass = mass
    else:
        known.update(zip(terms, masses))
        memory.size += 100 * len(terms)
    return masses


# A walk over sets of tools visits few nodes on real queries, but could visit exponentially many. Past this many the
# covered masses are added up instead, tool by tool in parallel.
_NODES_A_WORD = 8
_NODES = 64


def clearing(words: list[tuple[int, int]], need: int, eligible: int) -> int:
    """Return the tools of `eligible` whose covered mass is `need` or more.

    Each word is its mass and the set of tools that cover it. The words are walked by falling mass, and a set of tools
    is dropped as soon as all the words that remain could not lift it to the need.

    Cost: O(words) set operations on most queries, O(words * bits of a mass) at worst.

    >>> bin(clearing([(5, 0b0011), (4, 0b0110), (3, 0b1100)], 7, 0b1111))
    '0b110'
    """
    words.sort(reverse=True)
    left = 0
    for mass, _ in words:
        left += mass
    if left < need:
        return 0
    nodes = _NODES_A_WORD * len(words) + _NODES
    # A node: these tools lack so much, and the words from `at` on, which weigh `left`, are still to come.
    tools, lack, at = eligible, need, 0
    stack: list[tuple[int, int, int, int]] = []
    cleared = 0
    while nodes >= 0:
        while left >= lack:
            mass, cover = words[at]
            at += 1
            left -= mass
            nodes -= 1
            hit = tools & cover
            if hit:
                tools ^= hit
                if mass >= lack:
                    cleared |= hit
                else:
                    stack.append((hit, lack - mass, at, left))
        if not stack:
            return cleared
        tools, lack, at, left = stack.pop()
    return _clearing_by_sums(words, need, eligible)


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
