"""A property: a claim about every ranker, the cases to try it on, and the test of one case.

Running it draws cases, shrinks what breaks, and returns a record of what happened; the engine is hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, NoReturn

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as hypothesis_seed
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy

from toolrank.testing._ask import (
    Asker,
    Failure,
    NotApplicable,
    PropertyBroken,
    Ranker,
    Unjudged,
    Vacuous,
    shown,
)

__all__ = ["DEFAULT_EXAMPLES", "DEFAULT_TIMEOUT", "Outcome", "Property", "Tier", "Trial"]

DEFAULT_EXAMPLES = 200
DEFAULT_TIMEOUT = 10.0

# A counterexample is made smaller in at most this many further calls of the test: enough for a pool of six, and an end
# for rankers that take a second a call.
_SHRINKS = 400


class Outcome(str, Enum):
    """What came of a property."""

    KEPT = "kept"
    BROKEN = "broken"
    UNJUDGED = "unjudged"
    NOT_APPLICABLE = "not applicable"

    def __str__(self) -> str:
        return self.value


class Trial(NamedTuple):
    """A test of one case: what it asks, and how it says that the answers are wrong."""

    asker: Asker
    name: str
    claim: str

    def broken(self, expected: str) -> NoReturn:
        """Say what was expected of the calls made so far."""
        raise PropertyBroken(Failure(self.name, self.claim, tuple(self.asker.calls), expected))


@dataclass
class Verdict:
    """The record of a run: an outcome, how many examples were judged or could not be, why, and the failure."""

    outcome: Outcome = Outcome.KEPT
    judged: int = 0
    unjudged: int = 0
    why: str = ""
    hung: bool = False
    failure: Failure | None = None


@dataclass(frozen=True, eq=False)
class Property:
    """A claim that a ranker keeps or breaks.

    `cases` gives the strategy of its cases, given whether lone surrogates may be in texts; `test` asks the ranker about
    one case. Called by `check`, it raises AssertionError with a message that needs no knowledge of the test.
    """

    name: str
    claim: str
    cases: Callable[[bool], SearchStrategy[Any]] = field(repr=False)
    test: Callable[[Trial, Any], None] = field(repr=False)

    def __str__(self) -> str:
        return self.name

    def check(
        self,
        ranker: Ranker,
        *,
        examples: int = DEFAULT_EXAMPLES,
        seed: int = 0,
        timeout: float | None = DEFAULT_TIMEOUT,
        surrogates: bool = True,
    ) -> None:
        """Raise AssertionError where the ranker breaks this property, or gives no answer that could be judged.

        A property about what the ranker does not offer (scores, views) holds.

        Cost: a few calls of the ranker an example.

        >>> from toolrank.testing import CONTRACT, OwnRanker
        >>> for prop in CONTRACT:
        ...     prop.check(OwnRanker(), examples=5)
        """
        verdict = self.run(ranker, examples=examples, seed=seed, timeout=timeout, surrogates=surrogates)
        if verdict.failure is not None:
            raise PropertyBroken(verdict.failure)
        if verdict.outcome == Outcome.UNJUDGED:
            raise AssertionError(f"{self.name}: {self.claim}\n  not judged: {verdict.why}")

    def run(
        self, ranker: Ranker, *, examples: int, seed: int, timeout: float | None, surrogates: bool, shrink: bool = True
    ) -> Verdict:
        """Try the property on that many cases; the same seed tries the same cases."""
        verdict = Verdict()
        left = _SHRINKS
        judged: set[str] = set()

        def example(case: Any) -> None:
            nonlocal left
            if verdict.failure is not None:
                left -= 1
            if left < 0 or verdict.hung:
                return
            told = repr(case)
            if told in judged:
                return  # drawn a second time
            asker = Asker(ranker, timeout)
            try:
                self.test(Trial(asker, self.name, self.claim), case)
            except PropertyBroken as broken:
                if verdict.failure is None or broken.failure.size < verdict.failure.size:
                    verdict.failure = broken.failure
                verdict.hung = any(call.trouble == "hung" for call in asker.calls)
                raise
            except Unjudged as unjudged:
                verdict.hung = unjudged.attempt.trouble == "hung"
                verdict.unjudged += 1
                if verdict.hung or not verdict.why:
                    verdict.why = f"rank({shown(unjudged.attempt.query)}, ...): {unjudged.attempt.got}"
            except NotApplicable as why:
                verdict.outcome, verdict.why = Outcome.NOT_APPLICABLE, str(why)
            except Vacuous:
                pass
            else:
                judged.add(told)
                verdict.judged += verdict.failure is None

        run = given(self.cases(surrogates))(example)
        run = settings(
            max_examples=examples,
            phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
            database=None,
            deadline=None,
            derandomize=False,
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )(run)
        # The smallest failure is on the record; hypothesis also objects where a ranker answers now so, now so.
        with suppress(PropertyBroken, HypothesisException):
            hypothesis_seed(seed)(run)()
        if verdict.failure is not None:
            verdict.outcome = Outcome.BROKEN
        elif verdict.hung or (not verdict.judged and verdict.outcome == Outcome.KEPT):
            verdict.outcome = Outcome.UNJUDGED
            verdict.why = verdict.why or "no example had anything to judge"
        elif verdict.judged:
            verdict.outcome = Outcome.KEPT
        return verdict


@dataclass(frozen=True, eq=False)
class Tier:
    """Properties that belong together, in order."""

    name: str
    claim: str
    properties: tuple[Property, ...]

    def __str__(self) -> str:
        return self.name

    def __iter__(self) -> Iterator[Property]:
        return iter(self.properties)

    def __len__(self) -> int:
        return len(self.properties)
