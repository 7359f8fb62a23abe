"""Weights of the fields, and the scores they give.

A tool's score is a sum over the query's words: for each the name part, the label part and the description part. A field
counts once for a word, however often the word stands in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolrank._bits import add, add_all
from toolrank._match import Term
from toolrank._record import Record

__all__ = ["WEIGHTS", "Weights", "fields_of", "score_planes", "scores_in"]


class Weights(Record):
    """What a match in each field scores: integers of 0 or more.

    A weight changes the order of an answer, never who is in it: coverage counts matches, not scores.

    >>> Weights(description=0)
    Weights(name=5, prefix=3, connector=2, description=0, synonym=1)
    >>> Weights(name=-1)
    Traceback (most recent call last):
    ValueError: name must be an integer of 0 or more, not -1
    """

    name: int
    prefix: int
    connector: int
    description: int
    synonym: int

    __slots__ = ("connector", "description", "name", "prefix", "synonym")

    def __init__(
        self, name: int = 5, prefix: int = 3, connector: int = 2, description: int = 1, synonym: int = 1
    ) -> None:
        self._set(name=name, prefix=prefix, connector=connector, description=description, synonym=synonym)
        for field in self.__match_args__:
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{field} must be an integer of 0 or more, not {value!r}")
            if value < 0:
                raise ValueError(f"{field} must be an integer of 0 or more, not {value}")

    @property
    def each(self) -> tuple[int, int, int, int, int]:
        """The five weights, in the order in which fields are told."""
        return self.name, self.prefix, self.synonym, self.connector, self.description

    def of(self, fields: Iterable[str]) -> int:
        """Return the score of one word that matches in these fields.

        >>> WEIGHTS.of(("name", "description"))
        6
        """
        return sum(getattr(self, field) for field in fields)


WEIGHTS = Weights()
"""Name 5, prefix 3, connector 2, description 1; a synonym, where a pool has them, 1.

The order of the first four is the order of how much each says about a tool: its author chose every word of the name, a
prefix is a guess, all tools of a server share the label, and prose holds anything. The sizes keep that order when two
fields add up: label and description together weigh no more than a prefix, a prefix and a description less than a name.
A synonym is a guess about words that do not even look alike, so it moves a tool no further than its prose does.
"""


def fields_of(term: Term, tool: int) -> tuple[str, ...]:
    """Return the fields of a tool, by id, in which a word scores.

    Cost: O(tools / 64) each.
    """
    return tuple([field for field, tools in zip(_FIELDS, term.fields) if tools >> tool & 1])


_FIELDS = ("name", "prefix", "synonym", "connector", "description")


def scores_in(term: Term, ids: Sequence[int], weights: Weights) -> list[int]:
    """Return what a word scores in each of some tools, by id.

    Cost: O(tools / 8), and O(ids) for each field that has the word.
    """
    scores = [0] * len(ids)
    for having, weight in zip(term.fields, weights.each):
        if having and weight:
            packed = having.to_bytes((having.bit_length() >> 3) + 1, "little")
            last = len(packed)
            for at, i in enumerate(ids):
                if i >> 3 < last and packed[i >> 3] >> (i & 7) & 1:
                    scores[at] += weight
    return scores


def score_planes(terms: Iterable[Term], weights: Weights, tools: int) -> list[int]:
    """Return the scores of `tools` as a counter.

    Cost: O(words) set operations.
    """
    total: list[int] = []
    for term in terms:
        if not term.cover & tools:
            continue
        if weights is not WEIGHTS:
            add_all(total, _planes(term, weights), tools)
            continue
        if term.planes is None:
            term.planes = _planes(term, WEIGHTS)
        add_all(total, term.planes, tools)
    return total


def _planes(term: Term, weights: Weights) -> list[int]:
    planes: list[int] = []
    for having, weight in zip(term.fields, weights.each):
        if having and weight:
            add(planes, having, weight)
    return planes
