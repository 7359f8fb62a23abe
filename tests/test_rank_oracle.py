"""The engine against the plain statement of the rule, on everything an answer says."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given, settings

from tests import reference
from tests.strategies import Case, cases, limits, shares, weights, wild_cases
from toolrank import HALF, WEIGHTS, Floor, Pool, Ranking, Tool, Weights, explain, rank


def told(answer: Ranking) -> dict[str, Any]:
    """Give all that an answer says, in plain values."""
    return {
        "hits": [
            (
                hit.tool.identity,
                hit.score,
                hit.covered,
                hit.total,
                hit.named,
                [(w.word, w.mass, w.fields, w.score, w.weighs) for w in hit.words],
            )
            for hit in answer
        ],
        "unmatched": list(answer.unmatched),
        "reason": answer.reason.value,
        "withheld": answer.withheld,
        "query_words": list(answer.query_words),
        "required": list(answer.required),
    }


def expected(answer: reference.Answer) -> dict[str, Any]:
    return {
        "hits": [
            (
                (hit.tool.connector or "", hit.tool.name),
                hit.score,
                hit.covered,
                hit.total,
                hit.named,
                [(m.typed, m.mass, m.fields, m.score, m.weighs) for m in hit.words],
            )
            for hit in answer.hits
        ],
        "unmatched": answer.unmatched,
        "reason": answer.reason,
        "withheld": answer.withheld,
        "query_words": answer.query_words,
        "required": answer.required,
    }


def agree(
    case: Case,
    limit: int | None = None,
    share: Fraction = Fraction(1, 2),
    scores: tuple[int, int, int, int] = (5, 3, 2, 1),
) -> None:
    right = expected(reference.rank(case.query, case.visible, limit, share, scores))
    pool = Pool(case.tools)
    visible = {tool.identity for tool in case.visible}
    # The default floor and weights have ways of their own, of which some are taken from the second asking on.
    floor = HALF if share == HALF.share else Floor(share)
    weighing = WEIGHTS if scores == (5, 3, 2, 1) else Weights(*scores)
    views: Sequence[Pool] = (Pool(case.visible), pool.restrict(lambda tool: tool.identity in visible))
    for view in views:
        for _ in range(3):
            assert told(rank(case.query, view, limit, floor=floor, weights=weighing)) == right
    absent = reference.rank(case.query, case.visible, None, share, scores)
    order = [(hit.tool.connector or "", hit.tool.name) for hit in absent.hits]
    for tool in views[1]:
        one, other = (explain(case.query, view, tool, floor=floor, weights=weighing) for view in views)
        assert one == other
        assert one.position == (order.index(tool.identity) + 1 if tool.identity in order else None)


@settings(max_examples=400)
@given(cases(Tool), limits(), shares(), weights())
def test_the_engine_answers_as_the_reference(
    case: Case, limit: int | None, share: Fraction, scores: tuple[int, int, int, int]
) -> None:
    agree(case, limit, share, scores)


@settings(max_examples=100)
@given(cases(Tool, max_size=20))
def test_the_engine_answers_as_the_reference_on_larger_pools(case: Case) -> None:
    agree(case)


@settings(max_examples=200)
@given(wild_cases(Tool))
def test_the_engine_answers_as_the_reference_on_any_text(case: Case) -> None:
    agree(case)
