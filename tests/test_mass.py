"""Mass: an exact floor of a logarithm, by integers alone."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import reference
from toolrank._mass import _exact, mass

UNIT = 1 << 32


def by_decimals(n: int, df: int) -> int:
    """Say a mass that is no whole number of bits by decimal logarithms of 70 digits."""
    with localcontext() as context:
        context.prec = 70
        bits = (Decimal(2 * n + 2) / Decimal(2 * df + 1)).ln() / Decimal(2).ln()
        return int((bits * UNIT).to_integral_value(ROUND_FLOOR))


@pytest.mark.parametrize(
    ("n", "df", "bits"),
    [
        (0, 0, 1),  # 2 / 1
        (1, 0, 2),  # 4 / 1
        (3, 0, 3),
        (5, 1, 2),  # 12 / 3
        (7, 0, 4),
        (9, 2, 2),  # 20 / 5
        (11, 1, 3),  # 24 / 3
        ((1 << 40) - 1, 0, 41),
    ],
)
def test_a_power_of_two_weighs_a_whole_number_of_bits(n: int, df: int, bits: int) -> None:
    assert mass(n, df) == bits * UNIT


@pytest.mark.parametrize(
    ("n", "df", "expected"),
    [
        (1, 1, 1782572486),  # log2(4 / 3)
        (2, 1, 4294967296),  # log2(6 / 3)
        (4, 1, 7460210421),  # log2(10 / 3)
        (10, 10, 288253276),  # log2(22 / 21)
        (100, 3, 20834270285),  # log2(202 / 7)
        (10**6, 10**6, 3098),  # log2(2000002 / 2000001): a word that all tools have still weighs
    ],
)
def test_masses_of_known_ratios(n: int, df: int, expected: int) -> None:
    assert mass(n, df) == expected


def test_every_mass_of_small_pools_is_that_of_the_plain_code() -> None:
    for n in range(60):
        assert [mass(n, df) for df in range(n + 1)] == [reference.mass(n, df) for df in range(n + 1)]


@given(st.integers(0, 10**9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_a_mass_is_that_of_decimal_logarithms(pair: tuple[int, int]) -> None:
    n, df = pair
    whole, rest = divmod(2 * n + 2, 2 * df + 1)
    if rest or whole & (whole - 1):
        assert mass(n, df) == by_decimals(n, df)
    else:
        assert mass(n, df) == (whole.bit_length() - 1) * UNIT


@pytest.mark.parametrize("n", [1, 2, 17, 400])
def test_a_rarer_word_weighs_more_and_every_word_weighs_something(n: int) -> None:
    masses = [mass(n, df) for df in range(n + 1)]
    assert masses == sorted(set(masses), reverse=True)
    assert masses[-1] > 0


def test_a_larger_pool_makes_a_word_of_one_df_heavier() -> None:
    assert mass(10, 1) < mass(11, 1) < mass(100, 1)


@pytest.mark.parametrize(
    ("p", "q", "expected"),
    [
        (8, 1, 3 * UNIT),
        (12, 3, 2 * UNIT),
        (10, 3, mass(4, 1)),
        # So near a whole number of bits that 64 guard bits cannot tell, nor 128: the floor is told all the same.
        ((1 << 200) + 1, 1 << 199, UNIT),
        ((1 << 200) - 1, 1 << 199, UNIT - 1),
    ],
)
def test_an_exact_floor_takes_as_many_guard_bits_as_it_needs(p: int, q: int, expected: int) -> None:
    assert _exact(p, q) == expected
