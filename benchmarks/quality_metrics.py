"""From answers to figures: what an asking is worth, means by kind, and how far chance could move them.

With a right tool visible: `first` (a right tool is first), `hit` (one is among five), `rr` (one over its rank), `ndcg`
(of ten, in base 2) and `empty` (nothing came back). With none visible: `false` (something came back). The ranking
measures are those of the library ir-measures; `first`, `hit` and `empty` are counted here too, and must agree with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from benchmarks.quality_data import KINDS, Account
from benchmarks.quality_rankers import Answer, cut

__all__ = ["COUNTED", "Figure", "Outcome", "cut_all", "figures", "fold", "judged", "threshold"]

COUNTED = ("first", "hit", "empty", "false")  # what needs no library
RANKED = {"first": "Success@1", "hit": "Success@5", "rr": "RR", "ndcg": "nDCG@10"}
REPEATS = 1000
FALSE = 0.05  # what a cut-off is tuned to


class Outcome(NamedTuple):
    """The two answers to an account; `there` is None where no connector has the answer."""

    there: Answer | None
    away: Answer


class Figure(NamedTuple):
    """A mean over accounts, with the interval in which 95 of 100 resamplings of the accounts have it."""

    value: float
    low: float | None = None
    high: float | None = None


def fold(account: Account) -> int:
    """Return the half of the accounts, 0 or 1, that an account is in: by its text, so by no row's place."""
    return sum(account.query.encode(errors="replace")) % 2


def threshold(outcomes: Sequence[Outcome], share: float = FALSE) -> float:
    """Return the least cut-off that leaves `share` of the askings without a right answer with one, or less.

    >>> tops = [Outcome(None, Answer(("x",), (mark,))) for mark in (1.0, 2.0, 3.0, 4.0)]
    >>> threshold(tops, 0.5) > 2
    True
    """
    marks = sorted((outcome.away.best for outcome in outcomes), reverse=True)
    allowed = int(share * len(marks))
    return math.nextafter(marks[allowed], math.inf) if allowed < len(marks) else -math.inf


def cut_all(outcomes: Sequence[Outcome], at: Sequence[float]) -> list[Outcome]:
    """Return the outcomes with a cut-off for each."""
    return [
        Outcome(None if there is None else cut(there, mark), cut(away, mark))
        for (there, away), mark in zip(outcomes, at, strict=True)
    ]


def judged(accounts: Sequence[Account], outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[float]]:
    """Cut each half of the accounts where the other half says, and return the two cut-offs."""
    halves = [fold(account) for account in accounts]
    cuts = [threshold([o for o, half in zip(outcomes, halves, strict=True) if half != which]) for which in (0, 1)]
    return cut_all(outcomes, [cuts[half] for half in halves]), cuts


def counted(accounts: Sequence[Account], outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """Return what needs counting alone: a value for each account that has one."""
    found: dict[str, list[float]] = {name: [] for name in COUNTED}
    for account, (there, away) in zip(accounts, outcomes, strict=True):
        found["false"].append(float(bool(away.ids)))
        if there is not None:
            found["first"].append(float(there.ids[:1] != () and there.ids[0] in account.gold))
            found["hit"].append(float(not set(account.gold).isdisjoint(there.ids[:5])))
            found["empty"].append(float(not there.ids))
    return found


def ranked(accounts: Sequence[Account], outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """Return the library's measures, by account; an empty answer is worth 0."""
    ir = import_module("ir_measures")
    both = enumerate(zip(accounts, outcomes, strict=True))
    asked = [(str(at), account, outcome.there) for at, (account, outcome) in both if outcome.there is not None]
    rights = [ir.Qrel(at, tool, 1) for at, account, _ in asked for tool in account.gold]
    given = [ir.ScoredDoc(at, tool, float(-place)) for at, _, answer in asked for place, tool in enumerate(answer.ids)]
    measures = {ir.parse_measure(measure): name for name, measure in RANKED.items()}
    values: dict[str, dict[str, float]] = {name: {} for name in RANKED}
    if given:
        for value in ir.iter_calc(list(measures), rights, given):
            values[measures[value.measure]][value.query_id] = value.value
    return {name: [of.get(at, 0.0) for at, _, _ in asked] for name, of in values.items()}


def figures(accounts: Sequence[Account], outcomes: Sequence[Outcome], library: bool) -> dict[str, dict[str, Figure]]:
    """Return every figure by kind; without the library those that need counting alone, and no intervals."""
    told: dict[str, dict[str, Figure]] = {}
    for kind in KINDS:
        chosen = [at for at, account in enumerate(accounts) if account.kind == kind]
        some, theirs = [accounts[at] for at in chosen], [outcomes[at] for at in chosen]
        if not some:
            continue
        values = counted(some, theirs)
        if library:
            more = ranked(some, theirs)
            for name in set(COUNTED) & set(more):
                if more[name] != values[name]:
                    raise AssertionError(f"{name} must be what ir-measures computes")
            values = {"first": [], "hit": [], **more, **values}
        told[kind] = {name: _figure(of, library) for name, of in values.items() if of}
    return told


def _figure(values: Sequence[float], library: bool) -> Figure:
    mean = sum(values) / len(values)
    if not library:
        return Figure(mean)
    numpy = import_module("numpy")
    draws = numpy.random.default_rng(7).integers(len(values), size=(REPEATS, len(values)))
    low, high = numpy.percentile(numpy.asarray(values)[draws].mean(axis=1), (2.5, 97.5))
    return Figure(mean, float(low), float(high))
