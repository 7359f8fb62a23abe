"""A run may try a share of everything, and by default it does not."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tries import fewer, some, spread


def drawn(share: Fraction, examples: int) -> int:
    """Count the examples that a test draws with this share of its own number."""
    seen = []

    @settings(max_examples=examples, database=None, deadline=None)
    @given(st.integers())
    def test(number: int) -> None:
        seen.append(number)

    fewer(test, share)
    test()
    return len(seen)


def test_a_share_of_the_examples_is_drawn() -> None:
    assert drawn(Fraction(1), 100) == 100
    assert drawn(Fraction(1, 4), 100) == 25
    assert drawn(Fraction(1, 4), 30) == 10  # fewer would say nothing


def test_a_share_of_a_number_is_rounded_up() -> None:
    assert [some(10, share=Fraction(share)) for share in ("1", "1/4", "1/100")] == [10, 3, 1]
    assert some(10, 5, Fraction(1, 4)) == 5


def test_a_share_of_things_is_taken_evenly() -> None:
    assert spread("abcdefghi", Fraction(1)) == list("abcdefghi")
    assert spread("abcdefghi", Fraction(1, 4)) == ["a", "e", "i"]


def test_what_draws_nothing_is_let_be() -> None:
    fewer(some, Fraction(1, 4))
    assert vars(some) == {}
