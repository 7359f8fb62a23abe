"""Hit against false as a cut-off sweeps: of a floor of ours, of a score, of a cosine.

A ranker that keeps a mark beside each id is asked once; the curve comes from cutting its answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

from benchmarks.quality_data import KINDS, Account
from benchmarks.quality_metrics import Outcome
from benchmarks.quality_rankers import Answer
from benchmarks.tell import table

__all__ = ["Curves", "at_false", "curves_of", "told"]

# By ranker and kind: (cut-off, share of false answers, share of hits), by rising cut-off.
Curves = dict[str, dict[str, list[tuple[float, float, float]]]]
STEPS = 50
SHARES = [at / STEPS for at in range(1, 2 * STEPS)]
ALLOWED = (0.02, 0.05, 0.1, 0.2)


def curves_of(
    accounts: Sequence[Account], outcomes: Mapping[str, Sequence[Outcome]], floors: Collection[str]
) -> Curves:
    """Return a curve for each ranker and kind; the marks of `floors` are shares."""
    found: Curves = {}
    for name, given in outcomes.items():
        found[name] = {}
        for kind in KINDS:
            some = [(a, o) for a, o in zip(accounts, given, strict=True) if a.kind == kind]
            if some:
                found[name][kind] = _curve(some, name in floors)
    return found


def _curve(some: Sequence[tuple[Account, Outcome]], even: bool) -> list[tuple[float, float, float]]:
    away = sorted(outcome.away.best for _, outcome in some)
    seen = [_seen(account, outcome.there) for account, outcome in some if outcome.there is not None]
    spread = [mark for mark in away if 0 < mark < float("inf")]
    # Shares are swept evenly; a score or a cosine, whose range nobody knows, by what it gives where nothing fits.
    at = SHARES if even else [spread[len(spread) * step // STEPS] for step in range(STEPS)] if spread else []
    curve = []
    for mark in at:
        hits = sum(any(low < mark <= high for low, high in spans) for spans in seen)
        false = len(away) - bisect_left(away, mark)
        curve.append((mark, false / len(away), hits / max(len(seen), 1)))
    return curve


def _seen(account: Account, answer: Answer) -> list[tuple[float, float]]:
    """Return between which cut-offs, the lower one left out, each right tool is among the first five."""
    spans = []
    for place, (identity, mark) in enumerate(zip(answer.ids, answer.marks, strict=True)):
        if identity in account.gold:
            before = sorted(answer.marks[:place], reverse=True)
            spans.append((before[4] if len(before) > 4 else float("-inf"), mark))
    return spans


def at_false(points: Sequence[tuple[float, float, float]], allowed: float) -> tuple[float, float, float] | None:
    """Return the point with the most hits at this share of false answers, or less."""
    fitting = [point for point in points if point[1] <= allowed]
    return max(fitting, key=lambda point: (point[2], -point[0]), default=None)


def told(curves: Curves) -> str:
    """Write hit@5 at equal false answers: a ranker a line."""
    rows = []
    for name, kinds in curves.items():
        for kind, points in kinds.items():
            found = [at_false(points, allowed) for allowed in ALLOWED]
            rows.append([f"{name}, {kind}", *["-" if p is None else f"{p[2]:.3f} from {p[0]:.2f}" for p in found]])
    return table("hit@5 at equal false answers, each at its own cut-off", ["ranker", *map(str, ALLOWED)], rows)
