"""Floor policies: SQUARES against its plain statement, and any object that answers as a policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference_policies as plain
from tests.strategies import Case, cases, wild_cases
from toolrank import HALF, SQUARES, Demand, Floor, FloorPolicy, Pool, Reason, Squares, Tool, explain, rank
from toolrank._floor import _root

BIT = 1 << 32


def identities(pool: Pool, query: str, floor: FloorPolicy) -> list[tuple[str, str]]:
    return [tool.identity for tool in rank(query, pool, None, floor=floor).tools]


# ---- SQUARES, exactly ----------------------------------------------------------------------------------------------


def agree(case: Case) -> None:
    right = plain.rank(case.query, case.visible, plain.squares)
    seen = {tool.identity for tool in case.visible}
    for view in (Pool(case.visible), Pool(case.tools).restrict(lambda tool: tool.identity in seen)):
        answer = rank(case.query, view, None, floor=SQUARES)
        assert [hit.tool.identity for hit in answer] == [told[0] for told in right.hits]
        assert answer.withheld == right.withheld
        assert list(answer.unmatched) == right.unmatched


@settings(max_examples=300)
@given(cases(Tool))
def test_squares_admits_what_its_plain_statement_admits(case: Case) -> None:
    agree(case)


@settings(max_examples=60)
@given(cases(Tool, max_size=20))
def test_squares_admits_what_its_plain_statement_admits_in_larger_pools(case: Case) -> None:
    agree(case)


@settings(max_examples=60)
@given(wild_cases(Tool))
def test_squares_admits_what_its_plain_statement_admits_on_any_text(case: Case) -> None:
    agree(case)


@settings(max_examples=150)
@given(cases(Tool))
def test_explanations_tell_the_numbers_that_decided(case: Case) -> None:
    pool = Pool(case.visible)
    answer = rank(case.query, pool, None, floor=SQUARES)
    for tool in pool:
        told = explain(case.query, pool, tool, floor=SQUARES)
        assert told.returned == (tool in answer.tools)
        assert told.reached == sum(told.gains)
        assert len(told.gains) == len(told.words)
        if told.words and not told.missing and not told.named:
            assert told.returned == (told.reached >= told.need)
        half = explain(case.query, pool, tool)
        assert half.reached == half.covered == told.covered


@settings(max_examples=150)
@given(cases(Tool), st.sampled_from(("zzqxa", "zzqxa zzqxb", "zzqxa1", "zzqxa zzqxb zzqxc zzqxd zzqxe")))
def test_words_that_nobody_knows_never_add_a_tool(case: Case, unknown: str) -> None:
    pool = Pool(case.visible)
    with_them = rank(f"{case.query} {unknown}", pool, None, floor=SQUARES)
    without = rank(case.query, pool, None, floor=SQUARES)
    assert {tool.identity for tool in with_them.tools} <= {tool.identity for tool in without.tools} | {
        hit.tool.identity for hit in with_them if hit.named
    }


@settings(max_examples=150)
@given(cases(Tool))
def test_a_tool_that_covers_every_word_by_any_field_is_returned(case: Case) -> None:
    pool = Pool(case.visible)
    for hit in rank(case.query, pool, None, floor=Floor(1)):
        assert hit.tool in rank(case.query, pool, None, floor=SQUARES).tools


@settings(max_examples=100)
@given(cases(Tool))
def test_only_visible_tools_move_the_need(case: Case) -> None:
    seen = {tool.identity for tool in case.visible}
    alone, view = Pool(case.visible), Pool(case.tools).restrict(lambda tool: tool.identity in seen)
    for tool in alone:
        one, other = (explain(case.query, pool, tool, floor=SQUARES) for pool in (alone, view))
        assert one == other


def test_squares_asks_for_half_of_few_words_and_a_root_of_many() -> None:
    assert SQUARES.asks(["aa", "bb"], [BIT, BIT]) == Demand(4 * BIT, [2 * BIT] * 2, [2 * BIT] * 2)
    full = 4 * BIT  # what a word of one bit gains from a name
    for words, least in ((1, 1), (2, 1), (4, 2), (8, 2), (9, 3), (16, 3), (18, 3), (19, 4)):
        need = SQUARES.asks(["aa"] * words, [BIT] * words).need
        assert (least - 1) * full < need <= least * full, words


def test_the_need_is_exact_to_the_unit() -> None:
    # Three masses of 1: 2 r^2 >= 4 * 3 * 4 asks for r >= sqrt(24), so 5 where half of the sum is 6.
    assert SQUARES.asks(["aa"] * 3, [1] * 3) == Demand(5, [2] * 3, [2] * 3)
    assert SQUARES.asks(["aa"] * 2, [1] * 2).need == 4  # the root of 16, exactly
    assert SQUARES.asks([], []) == Demand(1, [], [])


@given(st.integers(0, 1 << 80))
def test_a_root_is_the_least_integer_whose_square_is_as_large(n: int) -> None:
    root = _root(n)
    assert root * root >= n
    assert root == 0 or (root - 1) ** 2 < n


@pytest.mark.parametrize(("word", "is_light"), [("the", True), ("a", True), ("s3", True), ("2", True), ("é", False)])
def test_a_light_word_weighs_half(word: str, is_light: bool) -> None:
    assert SQUARES.asks([word], [10]).gains == [10 if is_light else 20]


def test_prose_gains_half_of_what_a_name_does() -> None:
    pool = Pool([Tool("alpha_beta"), Tool("x_y", "Alpha beta."), Tool("z_z", "Alpha."), Tool("q_q", connector="alpha")])
    gains = [sum(explain("alpha beta", pool, tool, floor=SQUARES).gains) for tool in pool]
    assert gains[0] == 2 * gains[1]
    assert gains[3] == 2 * gains[2]
    assert [tool.name for tool in rank("alpha beta", pool, floor=SQUARES).tools] == ["alpha_beta", "x_y"]


def test_a_tool_named_whole_clears_any_policy() -> None:
    pool = Pool([Tool("alpha_x"), Tool("beta_x")])
    answer = rank("alpha_x and words that nobody knows", pool, floor=Squares("1", "1", "1", "1"))
    assert [(hit.tool.name, hit.named) for hit in answer] == [("alpha_x", True)]


# ---- What it says --------------------------------------------------------------------------------------------------


def test_the_constants_are_fields_and_the_policy_is_frozen() -> None:
    assert (SQUARES.share, SQUARES.squares, SQUARES.light, SQUARES.prose) == (Fraction(1, 2),) * 4
    assert Squares() == SQUARES
    assert hash(Squares(0.5, "0.5")) == hash(SQUARES)
    assert str(SQUARES) == "SQUARES"
    assert str(Squares("1/3")) == "Squares(share 1/3, squares 1/2, light 1/2, prose 1/2)"
    with pytest.raises(AttributeError, match="cannot assign"):
        SQUARES.share = Fraction(1)  # type: ignore[misc]


CONSTANTS: list[dict[str, Any]] = [{"share": "2/5"}, {"squares": "2/5"}, {"light": "1"}, {"prose": "1"}]


@pytest.mark.parametrize("constant", CONSTANTS, ids=str)
def test_every_constant_moves_some_answer(constant: dict[str, Any]) -> None:
    words, masses = ["the", "alpha", "beta", "gamma", "delta", "omega"], [3, 5, 5, 5, 5, 5]
    few = (["the", "alpha"], [3, 9])
    changed = Squares(**constant)

    def shares(policy: Squares) -> list[list[Fraction]]:
        demands = [policy.asks(*few), policy.asks(words, masses)]
        return [[Fraction(n, d.need) for n in (*d.gains, *(d.most(k) for k in range(len(d.gains))))] for d in demands]

    assert shares(changed) != shares(SQUARES)


POOL = Pool([Tool("list_users", "List all users."), Tool("get_page", "Get a page of users."), Tool("ping")])


def test_an_explanation_tells_the_policys_own_numbers() -> None:
    told = explain("list users", POOL, POOL.tool("get_page"), floor=SQUARES)
    assert str(told).split("\n") == [
        "get_page absent: it covers 32.4% of the query's mass, and reaches 32.4% of what SQUARES asks for",
        "  list      67.6%  df 1  in none of its fields",
        "  users     32.4%  df 2  description, score 1, gains 32.4% of the need",
    ]
    assert (told.need, told.reached, told.gains) == (told.need, told.gains[1], (0, told.reached))
    content = told.to_dict()
    assert (content["floor"], content["reached"], content["gains"]) == ("SQUARES", told.reached, list(told.gains))
    assert content["need"] == told.need
    plainly = explain("list users", POOL, POOL.tool("get_page")).to_dict()
    assert not {"floor", "reached", "gains"} & set(plainly)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("list users", Reason.MATCHED),
        ("list zzqxa zzqxb zzqxc zzqxd", Reason.UNKNOWN_WORDS),
        ("ping all zzqxa", Reason.UNKNOWN_WORDS),
        ("", Reason.BLANK_QUERY),
        ("zzqxa", Reason.UNKNOWN_WORDS),
        ("list page +ping", Reason.BELOW_FLOOR),
        ("list +page", Reason.BELOW_FLOOR),
        ("list +zzqxa", Reason.MISSING_REQUIRED),
    ],
)
def test_a_reason_is_of_the_policys_numbers(query: str, reason: Reason) -> None:
    assert rank(query, POOL, floor=SQUARES).reason is reason


def test_known_words_count_at_the_most_that_they_gain() -> None:
    # `prose` is known to prose alone: half of what a name would gain, and short of the need.
    pool = Pool([Tool("alpha_x", "prose"), Tool("beta_x"), Tool("gamma_x"), Tool("omega_x")])
    need = SQUARES.asks(["prose", "zzqxa"], [word.mass for word in explain("prose zzqxa", pool, Tool("beta_x")).words])
    assert need.gains[0] < need.need
    assert rank("prose zzqxa", pool, floor=SQUARES).reason is Reason.UNKNOWN_WORDS
    # Two such words would together do, and no tool has both.
    pool = Pool([Tool("a_x", "prose"), Tool("b_x", "verse"), Tool("c_x")])
    assert rank("prose verse zzqxa", pool, floor=SQUARES).reason in (Reason.BELOW_FLOOR, Reason.UNKNOWN_WORDS)
    assert rank("alpha beta", POOL.replace("", [Tool("alpha_x"), Tool("beta_x")]), floor=Floor(1)).withheld == 2


# ---- Any policy ----------------------------------------------------------------------------------------------------


class Counting:
    """So many words of the query, whatever they weigh; a name counts double."""

    def __init__(self, need: int) -> None:
        self.need = need

    def asks(self, words: Sequence[str], masses: Sequence[int]) -> Demand:
        self.asked = list(words), list(masses)
        return Demand(self.need, [1] * len(words), (1,) * len(words))

    def __str__(self) -> str:
        return f"{self.need} words"


@settings(max_examples=150)
@given(cases(Tool), st.integers(1, 6))
def test_any_object_that_answers_as_a_policy_is_one(case: Case, need: int) -> None:
    pool = Pool(case.visible)
    answer = rank(case.query, pool, None, floor=Counting(need))
    everything = rank(case.query, pool, None, floor=Floor(0))
    for hit in everything:
        gained = sum(
            2 if {"name", "prefix", "connector"} & set(word.fields) else 1
            for word in hit.words
            if word.fields and word.weighs
        )
        assert (hit.tool in answer.tools) == (gained >= need or hit.named)
    assert {tool.identity for tool in answer.tools} <= {tool.identity for tool in everything.tools}


@settings(max_examples=100)
@given(cases(Tool), st.sampled_from((Fraction(0), Fraction(1, 2), Fraction(2, 3), Fraction(1))))
def test_a_share_asked_as_any_policy_is_answers_as_it_does_itself(case: Case, share: Fraction) -> None:
    floor = Floor(share)

    class Asked:
        def asks(self, words: Sequence[str], masses: Sequence[int]) -> Demand:
            return floor.asks(words, masses)

    pool = Pool(case.visible)
    assert rank(case.query, pool, None, floor=Asked()) == rank(case.query, pool, None, floor=floor)


def test_a_policy_is_asked_with_the_words_that_weigh_as_typed() -> None:
    policy = Counting(1)
    rank("Listing users +ping users the PAGES", POOL, floor=policy)
    assert policy.asked[0] == ["listing", "users", "pages"]
    assert len(policy.asked[1]) == 3
    rank("+ping", POOL, floor=policy)
    assert policy.asked[0] == ["ping"]
    assert str(explain("ping", POOL, Tool("ping"), floor=policy)).count("2 words") == 0
    assert "1 words asks for" in str(explain("list ping", POOL, Tool("ping"), floor=policy))


class Answering:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def asks(self, *_: object) -> Any:
        return self.answer


ERRORS: list[tuple[Callable[[], object], type[Exception], str]] = [
    *(
        (lambda answer=answer: rank("list users", POOL, floor=Answering(answer)), error, message)
        for answer, error, message in (
            (7, TypeError, "floor must answer with a Demand, not 7"),
            ((1, [1, 1], [0, 0]), TypeError, "floor must answer with a Demand, not (1, [1, 1], [0, 0])"),
            (Demand(0, [1, 1], [0, 0]), ValueError, "floor must ask for a need of 1 or more, not 0"),
            (Demand(1, [1, -1], [0, 0]), ValueError, "floor must answer with gains of 0 or more, not -1"),
            (Demand(1, [1, 1], [0, -2]), ValueError, "floor must answer with gains of 0 or more, not -2"),
            (Demand(1, [1], [0, 0]), ValueError, "floor must give one gain for each of 2 words, not 1"),
            (Demand(1, [1, 1], []), ValueError, "floor must give one extra for each of 2 words, not 0"),
            (Demand(True, [1, 1], [0, 0]), TypeError, "floor must answer in integers, not True"),
            (Demand(1, [1, 0.5], [0, 0]), TypeError, "floor must answer in integers, not 0.5"),  # type: ignore[list-item]
        )
    ),
    (
        lambda: rank("q", POOL, floor=Floor),  # type: ignore[arg-type]
        TypeError,
        "floor must be a floor policy such as HALF, not <class 'toolrank._floor.Floor'>",
    ),
    (lambda: rank("q", POOL, floor=None), TypeError, "floor must be a floor policy such as HALF, not None"),  # type: ignore[arg-type]
    (lambda: Squares(share=2), ValueError, "share must be from 0 to 1, not 2"),
    (lambda: Squares(squares="x"), ValueError, "squares must be a number from 0 to 1, not 'x'"),
    (lambda: Squares(light=0), ValueError, "light must be more than 0, not 0"),
    (lambda: Squares(0, prose="0"), ValueError, "prose must be more than 0, not 0"),
    (lambda: Squares(prose=0.25), ValueError, "prose must be the share (1/2) or more, not 1/4"),
    (
        lambda: Squares(light=None),  # type: ignore[arg-type]
        TypeError,
        "light must be a Fraction, an int, a float or a string like '1/2', not None",
    ),
    *(
        (lambda text=text: Floor(text), ValueError, f"share must be a number from 0 to 1, not {text!r}")
        for text in ("1e99999999", "1E-99999999", " 0.5e+1000 ", "1e1_000", "1e٩٩٩٩٩٩٩٩")
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), ERRORS, ids=[row[2] for row in ERRORS])
def test_a_bad_policy_is_told_in_full(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_half_stays_the_default_and_a_plain_share_of_the_mass() -> None:
    assert rank("list users", POOL) == rank("list users", POOL, floor=HALF)
    assert isinstance(HALF, FloorPolicy)
    assert isinstance(SQUARES, FloorPolicy)
