"""sift: the floor alone, over what somebody else ranked, and over counts that come from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import Case, cases
from toolrank import HALF, SQUARES, Pool, Reason, Statistics, Tool, rank, sift
from toolrank._mass import mass

LIST, PAGE, PAGES = Tool("list_users", "List all users."), Tool("get_page", "Get a page."), Tool("list_pages")
POOL = Pool([LIST, PAGE, PAGES, Tool("ping", connector="net")])


@settings(max_examples=200)
@given(cases(Tool), st.randoms(use_true_random=False), st.sampled_from((HALF, SQUARES)))
def test_exactly_the_given_tools_that_rank_returns_stay_in_their_order(case: Case, draw: Any, floor: Any) -> None:
    seen = {tool.identity for tool in case.visible}
    pool = Pool(case.tools).restrict(lambda tool: tool.identity in seen)
    given_ = [tool for tool in dict.fromkeys(case.tools) if draw.random() < 0.7]
    draw.shuffle(given_)
    everything = rank(case.query, pool, None, floor=floor)
    answer = sift(case.query, pool, given_, floor=floor)
    assert answer.tools == [tool for tool in given_ if tool in everything.tools]
    for hit in answer:
        assert hit == everything[everything.tools.index(hit.tool)]
    assert answer.withheld <= everything.withheld
    assert (answer.unmatched, answer.query_words) == (everything.unmatched, everything.query_words)
    if not everything:
        assert answer.reason is everything.reason
    whole = sift(case.query, pool, pool, floor=floor)
    assert (whole.withheld, whole.reason) == (everything.withheld, everything.reason)


@settings(max_examples=150)
@given(cases(Tool), st.sampled_from((HALF, SQUARES)))
def test_a_pools_own_statistics_change_nothing(case: Case, floor: Any) -> None:
    pool = Pool(case.visible)
    right = sift(case.query, pool, case.visible, floor=floor)
    assert sift(case.query, pool, case.visible, floor=floor, stats=Statistics.of(pool)) == right


@settings(max_examples=100)
@given(cases(Tool))
def test_counts_of_shards_add(case: Case) -> None:
    tools = list(dict.fromkeys(case.visible))
    one, other = Pool(tools[::2]), Pool(tools[1::2])
    both = Statistics.of(one) + Statistics.of(other)
    assert both.n == len(Pool(tools))
    for word in rank(case.query, Pool(tools)).query_words:
        assert both.df(word) == Statistics.of(one).df(word) + Statistics.of(other).df(word)


def test_tools_pairs_and_scores_are_taken() -> None:
    plain = sift("list users pages", POOL, [PAGES, LIST])
    assert [hit.rating for hit in plain] == [None, None]
    assert (
        sift("list users pages", POOL, [("", "list_pages"), ("", "list_users")]).tools == plain.tools == [PAGES, LIST]
    )
    rated = sift("list users pages", POOL, [(PAGES, 0.25), (("", "list_users"), 3)])
    assert [(hit.tool, hit.rating) for hit in rated] == [(PAGES, 0.25), (LIST, 3)]
    some: list[Any] = [(PAGES, 0.25), LIST]
    mixed = sift("list users pages", POOL, iter(some))
    assert [hit.rating for hit in mixed] == [0.25, None]
    assert str(mixed).split("\n")[1].split()[:2] == ["list_pages", "0.25"]


def test_what_is_not_visible_is_passed_over_and_what_comes_again_counts_once() -> None:
    view = POOL.restrict(["net"])
    assert sift(
        "ping", view, [LIST, ("net", "ping"), ("net", "ping"), ("x", "y"), Tool("ping", "Other.", "net")]
    ).tools == [POOL.tool("ping")]
    assert sift("list users", view, [LIST]).withheld == 0


def test_a_tool_named_whole_clears_the_floor_and_keeps_its_place() -> None:
    answer = sift("list pages list_users", POOL, [PAGES, LIST])
    assert [(hit.tool.name, hit.named) for hit in answer] == [("list_pages", False), ("list_users", True)]


@pytest.mark.parametrize(
    ("query", "ranked", "reason", "withheld"),
    [
        ("list users", [LIST, PAGE], Reason.MATCHED, 0),
        ("list users", [PAGES], Reason.BELOW_FLOOR, 1),
        ("list users", [], Reason.BELOW_FLOOR, 0),
        ("", [LIST], Reason.BLANK_QUERY, 0),
        ("unheard of", [LIST], Reason.UNKNOWN_WORDS, 0),
        ("list +unheard", [LIST], Reason.MISSING_REQUIRED, 0),
    ],
)
def test_the_reason_is_told_from_the_same_numbers(
    query: str, ranked: list[Tool], reason: Reason, withheld: int
) -> None:
    answer = sift(query, POOL, ranked)
    assert (answer.reason, answer.withheld) == (reason, withheld)


def test_an_empty_answer_speaks_of_the_tools_given() -> None:
    assert (
        str(sift("list users", POOL, [PAGE]))
        == "Nothing fits 'list users': none of the tools given covers enough of it."
    )
    assert "none of the tools given" not in str(sift("unheard of", POOL, [PAGE]))
    assert "no single tool covers" in str(rank("ping users pages", POOL))


# ---- Counts from elsewhere -----------------------------------------------------------------------------------------


def test_words_weigh_by_the_counts_that_are_given() -> None:
    few = Pool([PAGE])  # all that another engine found among 1,000
    common = Statistics({"get": 900, "page": 3, "weather": 0}.__getitem__, 1000)
    assert sift("get weather", few, few, stats=common).reason is Reason.UNKNOWN_WORDS
    assert sift("get weather", few, few, stats=common).unmatched == ("weather",)
    (hit,) = sift("get page", few, few, stats=common)
    assert [(word.word, word.df) for word in hit.words] == [("get", 900), ("page", 3)]
    assert hit.words[1].mass > hit.words[0].mass
    # A rare word that the tool lacks is no longer unknown, and still outweighs a common one.
    rare = Statistics({"get": 900, "weather": 1}.__getitem__, 1000)
    answer = sift("get weather", few, few, stats=rare)
    assert (answer.reason, answer.unmatched, answer.withheld) == (Reason.BELOW_FLOOR, (), 1)


def test_a_word_that_a_given_tool_has_is_known_whatever_the_counts_say() -> None:
    none = Statistics(lambda _: 0, 10)
    assert sift("page +get", Pool([PAGE]), [PAGE], stats=none).unmatched == ()
    assert sift("page +get", Pool([PAGE]), [PAGE], stats=none).tools == [PAGE]


def test_statistics_add_only_to_statistics() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        Statistics(len, 1) + 1  # type: ignore[operator]


ERRORS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: Statistics(7, 1), TypeError, "df must be a function of a word, not 7"),  # type: ignore[arg-type]
    (lambda: Statistics(len, 1.0), TypeError, "n must be an integer of 0 or more, not 1.0"),  # type: ignore[arg-type]
    (lambda: Statistics(len, True), TypeError, "n must be an integer of 0 or more, not True"),
    (lambda: Statistics(len, -1), ValueError, "n must be an integer of 0 or more, not -1"),
    (
        lambda: sift("list", POOL, [LIST], stats=Statistics(len, 3)),
        ValueError,
        "df must give an integer from 0 to 3, not 4 for 'list'",
    ),
    (
        lambda: sift("list", POOL, [LIST], stats=Statistics(lambda _: "4", 9)),  # type: ignore[arg-type, return-value]
        TypeError,
        "df must give an integer from 0 to 9, not '4' for 'list'",
    ),
    (lambda: sift("list", POOL, [LIST], stats=len), TypeError, f"stats must be Statistics or None, not {len!r}"),  # type: ignore[arg-type]
    (lambda: sift(7, POOL, []), TypeError, "query must be a string, not 7"),  # type: ignore[arg-type]
    (
        lambda: sift("q", POOL, 7),  # type: ignore[arg-type]
        TypeError,
        "ranked must be an iterable of tools or (connector, name) pairs, not 7",
    ),
    (
        lambda: sift("q", POOL, ["ping"]),  # type: ignore[list-item]
        TypeError,
        "ranked must be an iterable of tools or (connector, name) pairs, not one with 'ping'",
    ),
    (
        lambda: sift("q", POOL, [("net", 7)]),  # type: ignore[list-item]
        TypeError,
        "ranked must be an iterable of tools or (connector, name) pairs, not one with ('net', 7)",
    ),
    (
        lambda: sift("q", POOL, [(("net", "ping"), float("nan"))]),
        ValueError,
        "ranked must rate each tool by a number, not (('net', 'ping'), nan) at 0",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), ERRORS, ids=[row[2] for row in ERRORS])
def test_a_bad_argument_is_told_in_full(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_a_required_word_weighs_by_the_given_counts_too() -> None:
    pool = Pool([Tool("list_pages"), Tool("get_page")])
    counts = Statistics(lambda word: {"list": 400, "pages": 300}.get(word, 0), 1000)
    words = sift("+list pages", pool, list(pool), stats=counts)[0].words
    assert [(word.word, word.mass, word.weighs) for word in words] == [
        ("list", mass(1000, 400), False),
        ("pages", mass(1000, 300), True),
    ]
