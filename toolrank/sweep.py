"""The floor, swept over a caller's own queries: what each share would return, and which one to take.

`from toolrank.sweep import Question, sweep`. The core does not import this module, and it knows nothing of files or
terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from toolrank._answer import Hit
from toolrank._floor import Floor
from toolrank._pool import Pool
from toolrank._rank import rank

__all__ = ["SHARES", "Point", "Question", "Sweep", "identity_of", "sweep"]

# From a fifth to four fifths in steps of a twentieth: below, a word of three admits; above, hardly a sentence does.
SHARES: tuple[Fraction, ...] = tuple(Fraction(step, 20) for step in range(4, 17))
HALF = Fraction(1, 2)
AMONG = 5  # a right tool counts where it is among so many


class Question(NamedTuple):
    """A query, and the names of the tools that would be right, as `name` or `connector:name`.

    An empty `right` says that nothing is; None says that nobody knows.
    """

    query: str
    right: tuple[str, ...] | None = None


class Point(NamedTuple):
    """What one share returns: each a count of queries.

    `answered` of all get an answer; `right` of those with right tools have one among five; `false` get one from the
    connectors that cannot have the right one.
    """

    share: Fraction
    answered: int
    right: int
    false: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep: a point for each share, the share to take, and why.

    `asked`, `labelled` and `away` are how many queries there are: in all, with right tools, and those that could be
    asked of the other connectors.
    """

    points: tuple[Point, ...]
    asked: int
    labelled: int
    away: int
    share: Fraction
    fits: bool
    why: str

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary."""
        points = [{**point._asdict(), "share": str(point.share)} for point in self.points]
        counts = {"asked": self.asked, "labelled": self.labelled, "away": self.away}
        return {"share": str(self.share), "fits": self.fits, "why": self.why, **counts, "points": points}


def sweep(
    questions: Iterable[Question],
    pool: Pool,
    shares: Sequence[Fraction] = SHARES,
    *,
    allowed: Fraction = Fraction(1, 20),
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Return what each share of the mass would return for these queries, and the least that is safe.

    Each query is asked of the pool, and again of the pool without the connectors that can have the right answer: those
    of its right tools, or where nobody knows them, that of the tool that comes first. What comes back then is false.
    The share to take is the least at which at most `allowed` of those askings get an answer.

    Raises TypeError and ValueError for a wrong argument, and ValueError for a right tool that the pool has not got.

    Cost: two queries a question.

    >>> from toolrank import Tool
    >>> pool = Pool([Tool("list_users", "All people.", "Notion"), Tool("list_issues", "Open issues.", "Linear")])
    >>> found = sweep([Question("list notion users", ("list_users",)), Question("list open issues")], pool)
    >>> str(found.share), found.why
    ('1/5', 'at 1/5 0 of 2 queries get an answer from connectors that cannot have one, and 2 of 2 get one from all')
    """
    asked = list(questions)
    _check(asked, pool, shares, allowed)
    judged = []
    for done, question in enumerate(asked, 1):
        judged.append(_judge(question, pool))
        if progress is not None:
            progress(done, len(asked))
    points = tuple(_point(share, judged) for share in sorted(set(shares)))
    labelled = sum(one.right is not None for one in judged)
    away = sum(one.away is not None for one in judged)
    share, fits, why = _choice(points, len(asked), away, allowed)
    return Sweep(points, len(asked), labelled, away, share, fits, why)


def _check(asked: Sequence[Question], pool: Pool, shares: Sequence[Fraction], allowed: Fraction) -> None:
    if not isinstance(pool, Pool):
        raise TypeError(f"pool must be a Pool, not {pool!r}")
    if not asked:
        raise ValueError("questions must hold a question or more, not none")
    if not shares:
        raise ValueError("shares must hold a share or more, not none")
    for share in (*shares, allowed):
        Floor(share)  # from 0 to 1, or its error


class _Judged(NamedTuple):
    """What one question came to: the marks of its hits in order, where the right ones stand, and the best mark away.

    A mark is the share that a tool covers; of one that is named whole it is 2, above every share.
    """

    marks: tuple[Fraction, ...]
    right: tuple[int, ...] | None
    away: Fraction | None


def _judge(question: Question, pool: Pool) -> _Judged:
    hits = rank(question.query, pool, None, floor=Floor(0))
    right: tuple[int, ...] | None = None
    hidden = {hits[0].tool.connector} if hits else set()
    if question.right is not None:
        names = {identity_of(name, pool) for name in question.right}
        hidden = {connector for connector, _ in names}
        right = tuple(at for at, hit in enumerate(hits) if hit.tool.identity in names) if names else None
    others = pool.restrict(lambda tool: tool.connector not in hidden)
    # An account of one connector has nothing left to be wrong with.
    away = None
    if len(others):
        away = max(map(_mark, rank(question.query, others, None, floor=Floor(0))), default=Fraction(0))
    return _Judged(tuple(map(_mark, hits)), right, away)


def identity_of(name: str, pool: Pool) -> tuple[str, str]:
    """Return the identity of the one tool that `name` or `connector:name` means.

    Raises ValueError where there is none, or several.

    Cost: O(tools).

    >>> from toolrank import Tool
    >>> identity_of("Notion:search", Pool([Tool("search", connector="Notion"), Tool("search", connector="Linear")]))
    ('Notion', 'search')
    """
    every = [tool.identity for tool in pool]
    by_both = [(label, own) for label, own in every if f"{label}:{own}" == name]
    found = by_both or [(label, own) for label, own in every if own == name]
    if not found:
        raise ValueError(f"right must be NAME or CONNECTOR:NAME of a visible tool, not {name!r}")
    if len(found) > 1:
        raise ValueError(f"right must be CONNECTOR:NAME where several tools have one name, not {name!r}")
    return found[0]


def _mark(hit: Hit) -> Fraction:
    return Fraction(2) if hit.named else hit.coverage


def _point(share: Fraction, judged: Sequence[_Judged]) -> Point:
    answered = right = false = 0
    for one in judged:
        kept = [at for at, mark in enumerate(one.marks) if mark >= share]
        answered += bool(kept)
        right += one.right is not None and not set(one.right).isdisjoint(kept[:AMONG])
        false += one.away is not None and one.away > 0 and one.away >= share
    return Point(share, answered, right, false)


def _choice(points: Sequence[Point], asked: int, away: int, allowed: Fraction) -> tuple[Fraction, bool, str]:
    if not away:
        why = "every query has its answer in the only connector there is, so nothing tells a share from another: 1/2"
        return HALF, True, why
    fitting = [point for point in points if point.false <= allowed * away]
    best = fitting[0] if fitting else min(points, key=lambda point: (point.false, point.share))
    said = f"at {best.share} {best.false} of {away} queries get an answer from connectors that cannot have one"
    if not fitting:
        return best.share, False, f"no share keeps that to {allowed} of them: {said}"
    return best.share, True, f"{said}, and {best.answered} of {asked} get one from all"
