"""Scorers: they order what the floor lets through, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference_policies as plain
from tests.strategies import Case, cases, limits, wild_cases
from toolrank import BM25, SQUARES, VERBS, Pool, Tool, Weights, explain, rank

UNIT = 1 << 32


def rated_by_length(query: str, tools: list[Tool]) -> list[int]:
    return [(len(tool.name) * 7 + len(query)) % 3 for tool in tools]


SCORERS: list[Any] = [BM25(), BM25(0, 1, {"name": 0}), rated_by_length, lambda _, tools: (1 for _ in tools)]


# ---- Order, never admission ----------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(cases(Tool), st.sampled_from(SCORERS), limits())
def test_a_scorer_decides_order_and_never_admission(case: Case, scorer: Any, limit: int | None) -> None:
    pool = Pool(case.visible, synonyms=VERBS)
    by_weights = rank(case.query, pool, None)
    by_scorer = rank(case.query, pool, None, scorer=scorer)
    assert sorted(tool.identity for tool in by_scorer.tools) == sorted(tool.identity for tool in by_weights.tools)
    for field in ("query_words", "required", "unmatched", "reason", "withheld"):
        assert getattr(by_scorer, field) == getattr(by_weights, field)
    # Named ones first, then by rating, and ties as the weights have them.
    place = {tool.identity: at for at, tool in enumerate(by_weights.tools)}
    keys = [(not hit.named, -(hit.rating or 0), place[hit.tool.identity]) for hit in by_scorer]
    assert keys == sorted(keys)
    assert all(hit.rating is not None for hit in by_scorer)
    assert all(hit.rating is None for hit in by_weights)
    assert list(rank(case.query, pool, limit, scorer=scorer)) == list(by_scorer)[:limit]
    for tool in pool:
        told = explain(case.query, pool, tool, scorer=scorer)
        assert told.position == (by_scorer.tools.index(tool) + 1 if tool in by_scorer.tools else None)
        assert told.rating == (by_scorer[told.position - 1].rating if told.position else None)


@settings(max_examples=150)
@given(cases(Tool), st.booleans())
def test_bm25_rates_as_its_plain_statement(case: Case, with_verbs: bool) -> None:
    classes = VERBS if with_verbs else ()
    right = plain.rank(case.query, case.visible, by_bm25=True, classes=classes)
    seen = {tool.identity for tool in case.visible}
    whole = Pool(case.tools, synonyms=classes)
    for view in (Pool(case.visible, synonyms=classes), whole.restrict(lambda tool: tool.identity in seen)):
        for _ in range(2):  # the second time from the lengths it kept
            answer = rank(case.query, view, None, scorer=BM25())
            assert [(hit.tool.identity, hit.rating) for hit in answer] == [
                (identity, Fraction(rating, UNIT)) for identity, _, rating, _ in right.hits
            ]


@settings(max_examples=60)
@given(wild_cases(Tool))
def test_bm25_rates_as_its_plain_statement_on_any_text(case: Case) -> None:
    right = plain.rank(case.query, case.visible, by_bm25=True)
    answer = rank(case.query, Pool(case.visible), None, scorer=BM25())
    assert [(hit.tool.identity, hit.rating) for hit in answer] == [
        (identity, Fraction(rating, UNIT)) for identity, _, rating, _ in right.hits
    ]


# ---- BM25 ----------------------------------------------------------------------------------------------------------


def order(query: str, *tools: Tool, scorer: Any) -> list[str]:
    return [hit.tool.name for hit in rank(query, Pool(tools), scorer=scorer)]


def test_repetition_counts_until_it_is_saturated() -> None:
    once, thrice = Tool("a_x", "page of it all"), Tool("b_x", "page page page it")
    assert order("page", once, thrice, scorer=BM25()) == ["b_x", "a_x"]
    assert order("page", once, thrice, scorer=BM25(k1=0)) == ["a_x", "b_x"]  # a tie; by name


def test_a_shorter_field_counts_for_more_unless_b_is_none() -> None:
    long, short = Tool("a_x", "page of many more words"), Tool("b_x", "page")
    assert order("page", long, short, scorer=BM25()) == ["b_x", "a_x"]
    assert order("page", long, short, scorer=BM25(b=0)) == ["a_x", "b_x"]


def test_every_boost_counts() -> None:
    tools = [Tool("page_x"), Tool("b_b", connector="page"), Tool("c_c", "page"), Tool("d_d", parameters=["page"])]
    assert order("page", *tools, scorer=BM25())[:2] == ["page_x", "b_b"]
    for at, field in enumerate(("name", "connector", "description", "parameters")):
        boosts = dict.fromkeys(("name", "connector", "description", "parameters"), 0) | {field: 1}
        assert order("page", *tools, scorer=BM25(boosts=boosts))[0] == tools[at].name
    assert rank("page", Pool(tools), scorer=BM25(boosts={"name": 0}))[3].rating == 0


def test_a_title_is_of_the_description_and_a_stop_word_of_neither() -> None:
    titled, described = Tool("a_x", title="page"), Tool("b_x", "page")
    assert {hit.rating for hit in rank("page", Pool([titled, described]), scorer=BM25())} != {0}
    stopped = Pool([Tool("set_x", "set"), Tool("b_x", "page")])
    assert rank("set", stopped, scorer=BM25(boosts={"name": 0}))[0].rating == 0


def test_bm25_is_frozen_exact_and_tells_itself() -> None:
    assert BM25() == BM25(Fraction(6, 5), 0.75, {"name": 5.0})
    assert hash(BM25()) == hash(BM25(b=Fraction(3, 4)))
    assert BM25(k1=1.2) != BM25()  # a float is taken exactly, and 1.2 has none
    assert repr(BM25()) == "BM25(k1=6/5, b=3/4, boosts={'name': 5, 'connector': 2, 'description': 1, 'parameters': 1})"


def test_a_rating_is_in_the_table_and_the_dictionaries() -> None:
    pool = Pool([Tool("page_x"), Tool("b_x", "page")])
    answer = rank("page", pool, scorer=lambda _, tools: (Fraction(at + 3, 12) for at in range(len(tools))))
    assert str(answer).split("\n")[0].split() == ["tool", "connector", "rating", "coverage", "matched", "words"]
    assert [row.split()[1] for row in str(answer).split("\n")[1:]] == ["0.3333", "0.25"]
    assert [hit["rating"] for hit in answer.to_dict()["hits"]] == [1 / 3, 0.25]
    assert explain("page", pool, Tool("page_x"), scorer=BM25()).to_dict()["rating"] > 0
    assert "rating" not in explain("page", pool, Tool("page_x")).to_dict()
    assert "rating" not in rank("page", pool)[0].to_dict()


# ---- A caller's own ------------------------------------------------------------------------------------------------

POOL = Pool([Tool("page_x", connector="c"), Tool("page_y"), Tool("x_z", "A page.")])


def test_a_callers_scorer_is_asked_once_with_the_admitted_tools_in_order() -> None:
    asked: list[Any] = []

    def scorer(query: str, tools: list[Tool]) -> list[float]:
        asked.append((query, list(tools)))
        tools.clear()  # a list of its own
        return [float("-inf"), 2.5, float("inf")]

    answer = rank(" Page ", POOL, 2, scorer=scorer)
    assert asked == [(" Page ", rank(" Page ", POOL).tools)]
    assert [hit.tool.name for hit in answer] == ["x_z", "page_y"]
    assert not rank("unheard", POOL, scorer=scorer)
    assert len(asked) == 1


def test_what_is_named_whole_stays_first() -> None:
    answer = rank("page_y and some page", POOL, scorer=lambda _, tools: [-1] * len(tools), floor=SQUARES)
    assert answer[0].named
    assert answer[0].tool.name == "page_y"


def test_ties_are_as_the_weights_have_them() -> None:
    same: Callable[..., list[int]] = lambda _, tools: [0] * len(tools)  # noqa: E731
    for weights in (Weights(), Weights(name=0, description=3)):
        assert rank("page", POOL, weights=weights, scorer=same).tools == rank("page", POOL, weights=weights).tools


def giving(answer: Any) -> Any:
    return lambda _query, _tools: answer


ERRORS: list[tuple[Any, type[Exception], str]] = [
    (giving([1, 2]), ValueError, "scorer must give 3 numbers, not 2: none for ('', 'x_z')"),
    (giving([]), ValueError, "scorer must give 3 numbers, not 0: none for ('c', 'page_x')"),
    (giving([1, 2, 3, 4]), ValueError, "scorer must give 3 numbers, not 4: more after ('', 'x_z')"),
    (
        giving([1, float("nan"), 3]),
        ValueError,
        "scorer must give a number for each tool, not nan for ('', 'page_y')",
    ),
    (giving([1, 2, "3"]), ValueError, "scorer must give a number for each tool, not '3' for ('', 'x_z')"),
    (giving([None, 2, 3]), ValueError, "scorer must give a number for each tool, not None for ('c', 'page_x')"),
    (giving([True, 2, 3]), ValueError, "scorer must give a number for each tool, not True for ('c', 'page_x')"),
    (
        giving([Decimal(1), 2, 3]),
        ValueError,
        "scorer must give a number for each tool, not Decimal('1') for ('c', 'page_x')",
    ),
    (giving(7), TypeError, "scorer must give a sequence of numbers, not 7"),
    (7, TypeError, "scorer must be BM25() or a function of query and tools, not 7"),
    (
        BM25,
        TypeError,
        "scorer must be BM25() or a function of query and tools, not <class 'toolrank._bm25.BM25'>",
    ),
]


@pytest.mark.parametrize(("scorer", "error", "message"), ERRORS, ids=[row[2] for row in ERRORS])
def test_a_bad_scorer_is_told_in_full(scorer: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        rank("page", POOL, scorer=scorer)
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_an_error_of_the_callers_scorer_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        rank("page", POOL, scorer=lambda _, tools: [1 // 0 for _ in tools])


BM25_ERRORS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"k1": -1}, ValueError, "k1 must be a number of 0 or more, not -1"),
    ({"k1": float("nan")}, ValueError, "k1 must be a number of 0 or more, not nan"),
    ({"k1": float("inf")}, ValueError, "k1 must be a number of 0 or more, not inf"),
    ({"k1": "1.2"}, TypeError, "k1 must be a Fraction, an int or a float, not '1.2'"),
    ({"b": 1.5}, ValueError, "b must be a number from 0 to 1, not 1.5"),
    ({"b": True}, TypeError, "b must be a Fraction, an int or a float, not True"),
    ({"boosts": 5}, TypeError, "boosts must be a mapping of fields to numbers, not 5"),
    (
        {"boosts": {"title": 1}},
        ValueError,
        "boosts must be for name, connector, description, parameters, not 'title'",
    ),
    ({"boosts": {"name": -1}}, ValueError, "boosts['name'] must be a number of 0 or more, not -1"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BM25_ERRORS, ids=[row[2] for row in BM25_ERRORS])
def test_a_bad_constant_is_told_in_full(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        BM25(**arguments)
    assert str(caught.value) == message


def test_a_field_of_stopped_words_and_their_joined_form_has_a_rating() -> None:
    # Its length is 0 in every tool; the length of each is then the average.
    pool = Pool([Tool("x", parameters=("setConnection",))])
    (hit,) = rank("setConnection", pool, scorer=BM25(k1=1, b=1))
    assert hit.rating == Fraction(hit.total // 2, 1 << 32)
