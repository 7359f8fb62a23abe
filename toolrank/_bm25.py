"""BM25, field by field: another order for what the floor lets through.

The usual scorer of search engines, for those who come from one. It reads the texts of the tools that it rates, as the
index keeps no counts, and knows nothing of the floor. It counts in integers: no rounding of a machine decides a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from toolrank._match import Term
from toolrank._pool import Pool
from toolrank._record import Record
from toolrank._text import _runs, _without_markup, clean, label_runs, stem
from toolrank._tool import Tool

__all__ = ["BM25"]

_FIELDS = ("name", "connector", "description", "parameters")
_BOOSTS = {"name": 5, "connector": 2, "description": 1, "parameters": 1}


class _Field(NamedTuple):
    """How often each stem stands in a field, joined forms included, and how many words long it is."""

    counts: Counter[str]
    length: int


class BM25(Record):
    """Okapi BM25 over name, connector, description (with the title) and parameters, each for itself.

    For each word and field a tool gets the word's mass times the field's boost times tf / (tf + k1 * (1 - b + b *
    length / average length)), rounded down to 2^-32 bit; its rating is the sum, in bits. The mass is BM25's own idf, of
    the visible tools; so are the average lengths. `k1` is how soon repetition stops to count, `b` how much length
    does. `boosts` replaces some of name 5, connector 2, description 1, parameters 1. All are exact: a Fraction, an int
    or a float. Words match as they always do: a word that begins like one of the name, or has a synonym there, counts
    as standing there.

    The formula is Robertson and Zaragoza's (The Probabilistic Relevance Framework: BM25 and Beyond, 2009, 3.5), without
    the constant (k1 + 1) that changes no order, as Lucene has it since version 8; k1 1.2 and b 0.75 are the defaults
    there.

    Raises TypeError and ValueError for other values.

    Cost: O(characters of the returned tools) each time, and O(characters of the pool) the first time for each pool or
    view.

    >>> from toolrank import Tool, rank
    >>> pool = Pool([Tool("get_page_now", "Page, page."), Tool("page_x", "A page."), Tool("ping")])
    >>> [hit.tool.name for hit in rank("page", pool, scorer=BM25())]
    ['page_x', 'get_page_now']
    >>> [hit.tool.name for hit in rank("page", pool, scorer=BM25(boosts={"name": 0}))]
    ['get_page_now', 'page_x']
    """

    k1: Fraction
    b: Fraction
    boosts: tuple[Fraction, Fraction, Fraction, Fraction]

    __slots__ = ("b", "boosts", "k1")

    def __init__(
        self,
        k1: Fraction | float = Fraction(6, 5),
        b: Fraction | float = Fraction(3, 4),
        boosts: Mapping[str, Fraction | float] | None = None,
    ) -> None:
        self._set(k1=_exact("k1", k1), b=_exact("b", b))
        if self.b > 1:
            raise ValueError(f"b must be a number from 0 to 1, not {b!r}")
        if boosts is not None and not isinstance(boosts, Mapping):
            raise TypeError(f"boosts must be a mapping of fields to numbers, not {boosts!r}")
        given = {**_BOOSTS, **(boosts or {})}
        for field in given:
            if field not in _FIELDS:
                raise ValueError(f"boosts must be for {', '.join(_FIELDS)}, not {field!r}")
        self._set(boosts=tuple([_exact(f"boosts[{f!r}]", given[f]) for f in _FIELDS]))

    def units(self, terms: Sequence[Term], masses: Sequence[int], pool: Pool, ids: Iterable[int]) -> list[int]:
        """Return the rating of each tool, by id, in units of 2^-32 bit."""
        index = pool._index
        if pool._lengths is None:
            read = [_read(tool, pool.stop_words) for tool in pool]
            pool._lengths = tuple([sum(fields[f].length for fields in read) for f in range(len(_FIELDS))])
        ratings: list[int] = []
        for i in ids:
            fields = _read(index.tools[i], pool.stop_words)
            rating = 0
            for term, mass in zip(terms, masses):
                for f, field in enumerate(fields):
                    often = field.counts[term.word]
                    if not often and f == 0:
                        often = sum([field.counts[other] for other in term.alike])
                        often = often or sum([field.counts[other] for other in term.kin])
                    if often:
                        rating += self._of(mass, f, often, field.length * len(pool), pool._lengths[f])
            ratings.append(rating)
        return ratings

    def _of(self, mass: int, field: int, often: int, lengths: int, total: int) -> int:
        """Return what one word scores in one field, whose length is to the average as `lengths` to `total`."""
        k1, b, boost = self.k1, self.b, self.boosts[field]
        if not total:  # joined forms alone, whose parts are all stopped: every length is the average
            lengths = total = 1
        # Both sides of the fraction times b's and k1's denominators and the total.
        saturation = k1.numerator * ((b.denominator - b.numerator) * total + b.numerator * lengths)
        often *= k1.denominator * b.denominator * total
        return mass * boost.numerator * often // (boost.denominator * (often + saturation))

    def __repr__(self) -> str:
        boosts = ", ".join(f"{field!r}: {boost}" for field, boost in zip(_FIELDS, self.boosts))
        return f"BM25(k1={self.k1}, b={self.b}, boosts={{{boosts}}})"


def _exact(argument: str, value: Fraction | float) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (Fraction, int, float)):
        raise TypeError(f"{argument} must be a Fraction, an int or a float, not {value!r}")
    try:
        exact = Fraction(value)
    except (ValueError, OverflowError):
        raise ValueError(f"{argument} must be a number of 0 or more, not {value!r}") from None
    if exact < 0:
        raise ValueError(f"{argument} must be a number of 0 or more, not {value!r}")
    return exact


def _read(tool: Tool, stop_words: frozenset[str]) -> tuple[_Field, _Field, _Field, _Field]:
    """Read a tool's texts with their repetitions, which the index does not keep."""
    prose = [run.casefold() for run in _runs(_without_markup(clean(tool.description)))]
    title, no_words = _label([tool.title], stop_words), frozenset[str]()
    said = Counter([stem(word) for word in prose if word not in stop_words])
    description = _Field(said + title.counts, sum(said.values()) + title.length)
    name, connector = _label([tool.name], no_words), _label([tool.connector], no_words)
    return name, connector, description, _label(tool.parameters, stop_words)


def _label(texts: Iterable[str], stop_words: frozenset[str]) -> _Field:
    counts: Counter[str] = Counter()
    length = 0
    for text in texts:
        for run in label_runs(text):
            parts = [part for part in run.parts if part not in stop_words]
            length += len(parts)
            counts.update([stem(part) for part in parts])
            if run.joined is not None and run.joined not in stop_words:
                counts[stem(run.joined)] += 1
    return _Field(counts, length)
