"""The floor alone, over what somebody else ranked.

For a catalogue that outgrows one process, or is searched by vectors: another engine finds and orders, and the floor
says which of its answers answer the query. The numbers are those of `rank`; only the order, and where it must be the
document frequencies, come from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from toolrank._answer import Judged, Ranking, Rating
from toolrank._bits import mask_of
from toolrank._floor import HALF, FloorPolicy
from toolrank._mass import mass
from toolrank._match import ask
from toolrank._pool import Pool
from toolrank._rank import check, judge, number_of
from toolrank._record import Record
from toolrank._score import WEIGHTS
from toolrank._tool import Tool

__all__ = ["Statistics", "sift"]


class Statistics(Record):
    """Document counts that come from elsewhere: from an engine, or from shards, whose counts add.

    `df` tells how many of the `n` tools have a word, which it is given as typed, casefolded; `n` counts all that the
    caller may see. It is asked once for each word of a query.

    Raises TypeError and ValueError for other values, and `sift` does where `df` gives no integer from 0 to n.

    >>> from toolrank import Pool, Tool
    >>> shards = [Pool([Tool("get_page"), Tool("list_pages")]), Pool([Tool("get_user")])]
    >>> both = Statistics.of(shards[0]) + Statistics.of(shards[1])
    >>> both.n, both.df("get"), both.df("pages")
    (3, 2, 2)
    """

    df: Callable[[str], int]
    n: int

    __slots__ = ("df", "n")

    def __init__(self, df: Callable[[str], int], n: int) -> None:
        if not callable(df):
            raise TypeError(f"df must be a function of a word, not {df!r}")
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"n must be an integer of 0 or more, not {n!r}")
        if n < 0:
            raise ValueError(f"n must be an integer of 0 or more, not {n}")
        self._set(df=df, n=n)

    @classmethod
    def of(cls, pool: Pool) -> Statistics:
        """Return those of a pool: of what is visible in it.

        Cost: O(1), and a look-up for each word that is asked.
        """

        def df(word: str) -> int:
            seen = reduce(int.__or__, [term.seen for term in ask(word, pool).every], 0)
            return (seen & pool._visible).bit_count()

        return cls(df, len(pool))

    def __add__(self, other: Statistics) -> Statistics:
        """Return those of two sets of tools that have none in common."""
        if not isinstance(other, Statistics):
            return NotImplemented
        return Statistics(lambda word: self.df(word) + other.df(word), self.n + other.n)

    def counts(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the document frequency of each word.

        >>> Statistics(len, 9).counts(["list", "pages"])
        (4, 5)
        """
        found = []
        for word in words:
            count = self.df(word)
            if isinstance(count, bool) or not isinstance(count, int):
                raise TypeError(f"df must give an integer from 0 to {self.n}, not {count!r} for {word!r}")
            if not 0 <= count <= self.n:
                raise ValueError(f"df must give an integer from 0 to {self.n}, not {count} for {word!r}")
            found.append(count)
        return tuple(found)


def sift(
    query: str,
    pool: Pool,
    ranked: Iterable[Tool | tuple[str, str] | tuple[Tool | tuple[str, str], Rating]],
    *,
    floor: FloorPolicy = HALF,
    stats: Statistics | None = None,
) -> Ranking:
    """Return those of `ranked` that clear the floor for `query`, in the order in which they come.

    `ranked` is what another ranker found, best first: tools, (connector, name) pairs, or pairs of one of these and a
    score, which becomes the hit's rating. `pool` is what the caller may see: what is not in it is passed over, and a
    tool that comes again counts once. A tool of them is returned exactly if `rank` over the pool with this floor would
    return it. On the answer `withheld` counts those of them that fell short.

    With `stats` the words weigh by those, and the pool may hold the ranked tools alone. Which words of a query are
    dropped, split or match by their beginning is then decided by the tools of the pool.

    Raises TypeError or ValueError for an argument of the wrong type or value; never for any text of a query.

    Cost: that of `rank`, and O(ranked).

    >>> from toolrank import Pool, Tool
    >>> pool = Pool([Tool("list_users", "List all users."), Tool("get_page", "Get a page."), Tool("list_pages")])
    >>> near = [(("", "get_page"), 0.71), (("", "list_pages"), 0.64), (("", "list_users"), 0.32)]
    >>> [(hit.tool.name, hit.rating) for hit in sift("get the pages", pool, near)]
    [('get_page', 0.71)]
    >>> sift("book a flight", pool, near).reason.value
    'unknown_words'
    """
    check(query, pool, None, floor, WEIGHTS)
    if stats is not None and not isinstance(stats, Statistics):
        raise TypeError(f"stats must be Statistics or None, not {stats!r}")
    ratings = _places(pool, ranked)
    offered = mask_of(ratings, pool._index.size)
    judged = _judge(query, pool, floor, stats)
    judged.admitted &= offered
    judged.offered = offered
    ids = [i for i in ratings if judged.admitted >> i & 1]
    return Ranking(judged, ids, WEIGHTS, [ratings[i] for i in ids])


def _judge(query: str, pool: Pool, floor: FloorPolicy, stats: Statistics | None) -> Judged:
    if stats is None:
        return judge(query, pool, floor)
    asked, n = ask(query, pool), stats.n
    counts = stats.counts(asked.words(pool))
    df = {term.word: count for term, count in zip(asked.every, counts)}
    judged = judge(query, pool, floor, lambda terms: [mass(n, df[term.word]) for term in terms])
    judged.counts, judged.n = counts, n
    return judged


def _places(pool: Pool, ranked: Iterable[object]) -> dict[int, Rating | None]:
    """Return the ids of the ranked tools that are visible, in order, with what rated them."""
    if isinstance(ranked, (str, bytes)) or not isinstance(ranked, Iterable):
        raise TypeError(f"ranked must be an iterable of tools or (connector, name) pairs, not {ranked!r}")
    found: dict[int, Rating | None] = {}
    for at, given in enumerate(ranked):
        one, rating = given, None
        if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], (Tool, tuple)):
            one, rating = given[0], number_of(given[1])
            if rating is None:
                raise ValueError(f"ranked must rate each tool by a number, not {given!r} at {at}")
        if isinstance(one, Tool):
            place = pool._find(one)
        elif isinstance(one, tuple) and len(one) == 2 and all(isinstance(text, str) for text in one):
            place = pool._identities().get(one)
        else:
            raise TypeError(f"ranked must be an iterable of tools or (connector, name) pairs, not one with {given!r}")
        if place is not None:
            found.setdefault(place, rating)
    return found
