"""Checking a ranker, and the report that tells what it keeps and breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from toolrank.testing._ask import Failure, Ranker
from toolrank.testing._properties import CONTRACT, FLOOR, LEXICAL, PRIVACY
from toolrank.testing._property import DEFAULT_EXAMPLES, DEFAULT_TIMEOUT, Outcome, Property, Tier, Verdict

__all__ = ["Report", "Result", "check"]

# A ranker that does not return is asked again for another property, but not for all of them.
_PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one property.

    `judged` examples were judged up to the first that broke it; `unjudged` ones got no answer that this property could
    judge. `why` says why, where the outcome is neither kept nor broken.
    """

    tier: str
    property: str
    claim: str
    outcome: Outcome
    judged: int
    unjudged: int
    why: str
    failure: Failure | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary."""
        return {
            "tier": self.tier,
            "property": self.property,
            "claim": self.claim,
            "outcome": self.outcome.value,
            "judged": self.judged,
            "unjudged": self.unjudged,
            "why": self.why,
            "counterexample": None if self.failure is None else str(self.failure),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What a ranker keeps and breaks: `str()` gives a table, then the smallest counterexample of what is broken."""

    results: tuple[Result, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is broken and everything that applies could be judged."""
        return all(result.outcome in (Outcome.KEPT, Outcome.NOT_APPLICABLE) for result in self.results)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The counterexamples, one for each broken property."""
        return tuple(result.failure for result in self.results if result.failure is not None)

    @property
    def exit_status(self) -> int:
        """0 where all is well, 1 where a property is broken, 3 where none is and some could not be judged."""
        return 0 if self.ok else 1 if self.failures else 3

    def __str__(self) -> str:
        rows = [("tier", "property", "outcome", "examples")]
        for result in self.results:
            examples = f"{result.judged}" + (f" ({result.unjudged} unjudged)" if result.unjudged else "")
            rows.append((result.tier, result.property, result.outcome.value, examples))
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = ["  ".join([*map(str.ljust, row, widths), row[3]]) for row in rows]
        notes = [f"{result.property}: {result.outcome}: {result.why}" for result in self.results if result.why]
        return "\n\n".join(["\n".join(lines), *(["\n".join(notes)] if notes else []), *map(str, self.failures)])

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary."""
        return {"ok": self.ok, "results": [result.to_dict() for result in self.results]}


def check(
    ranker: Ranker,
    tiers: Iterable[Tier] = (CONTRACT, PRIVACY, FLOOR, LEXICAL),
    *,
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    timeout: float | None = DEFAULT_TIMEOUT,
    surrogates: bool = True,
) -> Report:
    """Try every property of these tiers on a ranker, and report what it keeps and breaks.

    The same seed tries the same examples. A call may take `timeout` seconds, or any time for None; the limit needs a
    system with interval timers, and the main thread. `surrogates` says whether lone surrogates, which no Unicode text
    has, may be in texts.

    Raises TypeError or ValueError for a bad argument; never for anything the ranker does.

    Cost: `examples` times a few calls of the ranker for each property, and some hundred more for each broken one.

    >>> from toolrank.testing import FLOOR
    >>> report = check(lambda query, tools, limit: [], [FLOOR], examples=20)
    >>> [(result.property, result.outcome.value) for result in report.results][-2:]
    [('generic_words_are_no_answer', 'kept'), ('full_cover_is_never_withheld', 'broken')]
    >>> print(report.failures[0])
    full_cover_is_never_withheld: A tool that has every word of the query is returned.
      tools = [
          Tool('page'),
      ]
      call 1:   rank('page', tools, limit=1)
      got:      []
      expected: ('', 'page') among the results, since it has every word of the query
    """
    chosen = _checked(ranker, tiers, examples, seed, timeout)
    results = []
    hung = 0
    for tier, prop in chosen:
        if hung < _PATIENCE:
            verdict = prop.run(ranker, examples=examples, seed=seed, timeout=timeout, surrogates=surrogates)
        else:
            verdict = Verdict(Outcome.UNJUDGED, why=f"not asked: {hung} earlier calls were not answered in time")
        hung += verdict.hung
        results.append(
            Result(
                *(tier.name, prop.name, prop.claim, verdict.outcome, verdict.judged, verdict.unjudged),
                _note(verdict),
                verdict.failure,
            )
        )
    return Report(tuple(results))


def _note(verdict: Verdict) -> str:
    if verdict.outcome == Outcome.KEPT and verdict.unjudged:
        return f"but {verdict.unjudged} could not be judged, such as {verdict.why}"
    return verdict.why


def _checked(
    ranker: Ranker, tiers: Iterable[Tier], examples: int, seed: int, timeout: float | None
) -> Sequence[tuple[Tier, Property]]:
    if not callable(ranker):
        raise TypeError(f"ranker must be callable with a query, tools and a limit, not {ranker!r}")
    if isinstance(tiers, Tier) or not isinstance(tiers, Iterable):
        raise TypeError(f"tiers must be an iterable of Tier, not {tiers!r}")
    chosen = list(tiers)
    for tier in chosen:
        if not isinstance(tier, Tier):
            raise TypeError(f"tiers must be an iterable of Tier, not one with {tier!r}")
    for argument, value, least in (("examples", examples, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{argument} must be an integer of {least} or more, not {value!r}")
        if value < least:
            raise ValueError(f"{argument} must be an integer of {least} or more, not {value}")
    if timeout is not None:
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
            raise TypeError(f"timeout must be a number of seconds above 0, or None, not {timeout!r}")
        if not 0 < timeout < float("inf"):
            raise ValueError(f"timeout must be a number of seconds above 0, or None, not {timeout!r}")
    return [(tier, prop) for tier in chosen for prop in tier]
