"""The floor: an exact share, and exactly the tools that clear it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolrank import HALF, Floor, Pool, Reason, Tool, rank
from toolrank._floor import clearing
from toolrank._mass import mass


def _clearing(covers: list[int], masses: list[int], need: int, eligible: int) -> int:
    return clearing(list(zip(masses, covers, strict=True)), need, eligible)


@pytest.mark.parametrize(
    ("share", "exact"),
    [
        ("1/2", Fraction(1, 2)),
        ("0.5", Fraction(1, 2)),
        (0.5, Fraction(1, 2)),
        (Fraction(1, 2), Fraction(1, 2)),
        (" 1/2 ", Fraction(1, 2)),
        (0, Fraction(0)),
        (1, Fraction(1)),
        (-0.0, Fraction(0)),
        (0.1, Fraction(3602879701896397, 36028797018963968)),  # a float is taken exactly
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
    ],
)
def test_a_share_is_taken_exactly(share: Fraction | float | str, exact: Fraction) -> None:
    assert Floor(share).share == exact


def test_half_is_the_default() -> None:
    assert Floor("1/2") == HALF
    assert hash(Floor(0.5)) == hash(HALF)
    assert Floor(0) != HALF
    assert rank("alpha beta", POOL) == rank("alpha beta", POOL, floor=HALF)


def test_a_floor_is_frozen_and_tells_itself() -> None:
    with pytest.raises(AttributeError, match="cannot assign"):
        HALF.share = Fraction(1)  # type: ignore[misc]
    assert str(HALF) == "1/2 of the query's mass"
    assert repr(HALF) == "Floor(share=Fraction(1, 2))"


@pytest.mark.parametrize(
    ("share", "masses", "need"),
    [
        ("1/2", [3, 4], 4),  # half of 7 is 3.5: four clear it, three do not
        ("1/2", [3, 3], 3),
        ("1/3", [3, 4], 3),
        ("1/3", [3, 3], 2),
        (1, [3, 4], 7),
        (0, [3, 4], 1),  # some word must be covered, whatever the share
        ("1/2", [], 1),
        ("1/100", [3, 4], 1),
    ],
)
def test_the_need_is_the_least_mass_that_clears(share: int | str, masses: list[int], need: int) -> None:
    assert Floor(share).need(masses) == need


# ---- Exactly half, and one unit less -------------------------------------------------------------------------------

POOL = Pool([Tool("alpha_x"), Tool("beta_x"), Tool("gamma_x")])
BIT = Fraction(1, 1 << 80)  # finer than any difference of shares of masses


def test_half_of_the_mass_is_enough_and_a_bit_more_than_half_is_not() -> None:
    answer = rank("alpha beta", POOL)
    assert [(hit.tool.name, hit.score) for hit in answer] == [("alpha_x", 5), ("beta_x", 5)]
    assert all(2 * hit.covered == hit.total for hit in answer)
    above = rank("alpha beta", POOL, floor=Floor(Fraction(1, 2) + BIT))
    assert (above.tools, above.reason, above.withheld) == ([], Reason.BELOW_FLOOR, 2)


@pytest.mark.parametrize("query", ["alpha beta gamma", "alpha alpha unheard", "x alpha", "alpha beta x unheard"])
def test_the_share_that_a_tool_covers_admits_it_and_any_more_does_not(query: str) -> None:
    hit = rank(query, POOL, floor=Floor(0))[0]
    at = rank(query, POOL, floor=Floor(hit.coverage))
    above = rank(query, POOL, floor=Floor(min(Fraction(1), hit.coverage + BIT)))
    assert hit.tool in at.tools
    assert (hit.tool in above.tools) == (hit.coverage == 1)


def test_one_unit_of_mass_less_than_half_is_not_enough() -> None:
    # Of two words with masses m and m + 1 none may clear half by rounding; the floor's own numbers say so.
    assert HALF.need([7, 8]) == 8
    assert _clearing([0b01, 0b10], [7, 8], HALF.need([7, 8]), 0b11) == 0b10
    assert _clearing([0b01, 0b10], [8, 8], HALF.need([8, 8]), 0b11) == 0b11


def test_a_whole_share_asks_for_every_word() -> None:
    assert rank("alpha x", POOL, floor=Floor(1)).tools == [POOL.tool("alpha_x")]
    assert rank("alpha x unheard", POOL, floor=Floor(1)).tools == []


def test_no_share_still_asks_for_some_word() -> None:
    assert rank("unheard", POOL, floor=Floor(0)).tools == []
    assert rank("unheard", POOL, floor=Floor(0)).reason is Reason.UNKNOWN_WORDS
    assert rank("alpha unheard", POOL, floor=Floor(0)).tools == [POOL.tool("alpha_x")]


def test_a_tool_named_whole_clears_any_floor() -> None:
    answer = rank("alpha_x and many words that nobody knows", POOL, floor=Floor(1))
    assert [(hit.tool.name, hit.named) for hit in answer] == [("alpha_x", True)]
    assert answer[0].coverage < Fraction(1, 2)


# ---- Small pools and common words ----------------------------------------------------------------------------------


def test_a_pool_of_one_tool_answers_where_it_covers_half() -> None:
    one = Pool([Tool("list_files", "Show them.")])
    assert [hit.covered for hit in rank("list", one)] == [mass(1, 1)]
    assert rank("show list", one)[0].coverage == 1
    # A known word of a pool of one weighs log2(4/3), an unknown one log2(4): five times as much.
    assert rank("list photos", one).reason is Reason.UNKNOWN_WORDS
    assert rank("list files show them photos", one).reason is Reason.UNKNOWN_WORDS


def test_a_query_of_words_that_all_tools_have_is_answered_with_all() -> None:
    tools = [Tool(f"list_files_{letter}", connector="Drive") for letter in ("bb", "aa", "cc")]
    answer = rank("drive list files", Pool(tools))
    assert [hit.tool.name for hit in answer] == ["list_files_aa", "list_files_bb", "list_files_cc"]
    assert {(hit.covered, hit.total) for hit in answer} == {(3 * mass(3, 3), 3 * mass(3, 3))}


def test_words_that_all_tools_have_weigh_next_to_nothing_beside_a_rare_one() -> None:
    tools = [Tool(f"list_files_{letter}{letter}") for letter in "abcdefgh"]
    assert [hit.tool.name for hit in rank("list files hh", Pool(tools))] == ["list_files_hh"]
    assert rank("list files unheard", Pool(tools)).tools == []


# ---- The walk, against going through the tools one by one ----------------------------------------------------------


def one_by_one(covers: Sequence[int], masses: Sequence[int], need: int, eligible: int) -> int:
    found = 0
    for tool in range(eligible.bit_length()):
        covered = sum(m for m, cover in zip(masses, covers, strict=True) if cover >> tool & 1)
        if eligible >> tool & 1 and covered >= need:
            found |= 1 << tool
    return found


words = st.lists(st.tuples(st.integers(0, 2**10 - 1), st.sampled_from((1, 2, 3, 3, 5, 8, 1 << 33))), max_size=8)


@given(words, st.integers(1, 40) | st.integers(1, 1 << 34), st.integers(0, 2**10 - 1))
def test_exactly_the_tools_that_cover_the_need_clear(words: list[tuple[int, int]], need: int, eligible: int) -> None:
    covers, masses = [cover for cover, _ in words], [m for _, m in words]
    assert _clearing(covers, masses, need, eligible) == one_by_one(covers, masses, need, eligible)


@pytest.mark.parametrize("need", [1, 2, 12, 13, 19, 20, 21, 24, 25, 31, 32, 400, 1 << 20])
def test_where_a_walk_would_be_exponential_the_same_tools_clear(need: int) -> None:
    # Every set of words is some tool's, and all weigh about the same: no set of tools can be dropped early.
    tools = 512
    covers = [sum(1 << t for t in range(tools) if (t * t * (w + 3) + t * w) % 7 < 4) for w in range(24)]
    masses = [1] * 16 + [2] * 8
    eligible = (1 << tools) - 1 - (1 << 5)
    assert _clearing(covers, masses, need, eligible) == one_by_one(covers, masses, need, eligible)


def test_nothing_clears_where_there_are_no_words_or_no_tools() -> None:
    assert _clearing([], [], 1, 0b111) == 0
    assert _clearing([0b111], [5], 1, 0) == 0
    assert _clearing([0], [5], 1, 0b111) == 0
