"""How the constants of SQUARES were chosen, to be done again: each swept alone, and a grid chosen source by source.

A rule is chosen on all sources but one, and judged on the one that was left out: what was fitted too closely to some
sources shows on the others. Rows of one source are alike, so leaving out rows would not show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean

from benchmarks.quality_data import KINDS, Account
from benchmarks.quality_metrics import Outcome, counted
from benchmarks.quality_rankers import Ours, Ranker
from benchmarks.tell import table
from toolrank import HALF, Squares

__all__ = ["ASKED", "told"]

_ALONE = {
    "squares": ("1/3", "2/5", "1/2", "3/5", "2/3", "1"),
    "share": ("2/5", "9/20", "1/2"),
    "light": ("1/4", "1/2", "3/4", "1"),
    "prose": ("1/2", "3/5", "2/3", "3/4", "1"),
}
_GRID = list(product(("2/5", "1/2", "3/5"), ("1/2", "3/4", "1"), ("1/2", "3/5", "3/4")))

_HALF = Ours("HALF", HALF)
_SWEPT = [Ours(f"{name} {value}", Squares(**{name: value})) for name, values in _ALONE.items() for value in values]
_CHOICES = [Ours(f"squares {s}, light {k}, prose {p}", Squares(squares=s, light=k, prose=p)) for s, k, p in _GRID]

ASKED: tuple[Ours, ...] = (_HALF, *_SWEPT, *_CHOICES)

MORE = 0.01  # false answers that a rule may give more than HALF gives, in each kind


def told(accounts: Sequence[Account], outcomes: Mapping[Ranker, Sequence[Outcome]]) -> str:
    """Write both tables."""
    rows = [[rule.name, *_cells(accounts, outcomes[rule])] for rule in (_HALF, *_SWEPT)]
    head = ["rule", *[f"{kind} hit@5/false" for kind in KINDS]]
    alone = table("SQUARES with one constant moved", head, rows)
    return f"{alone}\n{table('the rule chosen without a source, judged on it', head, _left_out(accounts, outcomes))}"


def _left_out(accounts: Sequence[Account], outcomes: Mapping[Ranker, Sequence[Outcome]]) -> list[list[str]]:
    rows = []
    picked: dict[int, Outcome] = {}
    choices: Counter[str] = Counter()
    for source in sorted({account.source for account in accounts}):
        seen = [at for at, account in enumerate(accounts) if account.source != source]
        out = [at for at, account in enumerate(accounts) if account.source == source]
        if not seen:
            break
        rule = _best([accounts[at] for at in seen], {r: [outcomes[r][at] for at in seen] for r in (_HALF, *_CHOICES)})
        choices[rule.name] += 1
        picked.update((at, outcomes[rule][at]) for at in out)
        for name, of in ((f"{source}: {rule.name}", rule), (f"{source}: HALF", _HALF)):
            rows.append([name, *_cells([accounts[at] for at in out], [outcomes[of][at] for at in out])])
    if picked:
        every = [picked[at] for at in range(len(accounts))]
        rows.append(["all, each by the choice of the others", *_cells(accounts, every)])
    return rows


def _best(accounts: Sequence[Account], outcomes: Mapping[Ranker, Sequence[Outcome]]) -> Ranker:
    """Return the rule with the most hits, a kind as much as another, that gives few more false answers than HALF."""
    means = {rule: _means(accounts, of) for rule, of in outcomes.items()}
    allowed = {kind: false + MORE for kind, (_, false) in means[_HALF].items()}
    fitting = [r for r in _CHOICES if all(means[r][kind][1] <= allowed[kind] for kind in allowed)] or [_HALF]
    return max(fitting, key=lambda rule: sum(hit for hit, _ in means[rule].values()))


def _means(accounts: Sequence[Account], outcomes: Sequence[Outcome]) -> dict[str, tuple[float, float]]:
    found = {}
    for kind in KINDS:
        some = [at for at, account in enumerate(accounts) if account.kind == kind]
        if some:
            values = counted([accounts[at] for at in some], [outcomes[at] for at in some])
            found[kind] = (fmean(values["hit"] or [0.0]), fmean(values["false"]))
    return found


def _cells(accounts: Sequence[Account], outcomes: Sequence[Outcome]) -> list[str]:
    means = _means(accounts, outcomes)
    return ["{:.3f}/{:.3f}".format(*means[kind]) if kind in means else "" for kind in KINDS]
