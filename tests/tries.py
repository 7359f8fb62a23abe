"""How much the tests try: everything, or a share of it where another run of the same commit tries everything.

`TOOLRANK_TRIES=1/4` makes the tests that draw examples draw a quarter as many, and those that go through many seeds,
saboteurs or kinds of text go through every fourth of them. No claim is left out, and no claim is about less. `.ci/run`
tries everything on one Python, and a share on the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from fractions import Fraction
from math import ceil
from typing import Any, TypeVar

T = TypeVar("T")

SHARE = Fraction(os.environ.get("TOOLRANK_TRIES", "1"))


def some(whole: int, least: int = 1, share: Fraction = SHARE) -> int:
    """Return this share of a number, and no less than `least`."""
    return max(least, ceil(whole * share))


def spread(whole: Iterable[T], share: Fraction = SHARE) -> list[T]:
    """Return this share of some things, taken evenly: all of them, or every fourth."""
    return list(whole)[:: max(1, round(1 / share))]


def fewer(test: Any, share: Fraction = SHARE) -> None:
    """Let a test of hypothesis draw this share of its examples; do nothing to another."""
    # Where hypothesis keeps the settings of a test, which has no public name and is read when the test is called.
    whole = getattr(test, "_hypothesis_internal_use_settings", None)
    if whole is not None and share != 1:
        test._hypothesis_internal_use_settings = type(whole)(whole, max_examples=some(whole.max_examples, 10, share))
