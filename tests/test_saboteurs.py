"""The tests tested: every claim holds of the engine and of the plain code, and every saboteur is caught."""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from tests import reference
from tests.golden import books, by_hand, path_of
from tests.golden.__main__ import plainly
from tests.saboteurs import CLAIMS, SABOTEURS, Ranker, Saboteur, by_engine, by_reference, changed

# The golden pools that are small enough for the plain code, with their answers.
GOLDEN = [
    (book.tools, book.questions, json.loads(path_of(book).read_bytes())["answers"])
    for book in sorted(books(), key=lambda book: book.name != by_hand().name)
    if book.generated
]


def is_caught_by(claim: str, rank: Ranker) -> bool:
    try:
        CLAIMS[claim](rank)
    except AssertionError:
        return True
    return False


def is_caught_by_the_golden_answers(module: ModuleType) -> bool:
    for tools, questions, answers in GOLDEN:
        ask = plainly(tools, module.rank)
        if any(
            not ask(question).items() <= answer.items() for question, answer in zip(questions, answers, strict=True)
        ):
            return True
    return False


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_holds_of_the_engine_and_of_the_plain_code(claim: str) -> None:
    CLAIMS[claim](by_engine)
    CLAIMS[claim](by_reference(reference))


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.name)
def test_a_saboteur_is_caught_by_the_claim_named_beside_it(saboteur: Saboteur) -> None:
    assert is_caught_by(saboteur.claim.__name__, by_reference(saboteur.ranker()))


# The golden answers are all given with the weights that the rule has.
UNSEEN = {"weights are the rule's and not the caller's"}


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.name)
def test_a_saboteur_is_caught_by_the_golden_answers(saboteur: Saboteur) -> None:
    assert is_caught_by_the_golden_answers(saboteur.ranker()) == (saboteur.name not in UNSEEN)


def test_every_claim_catches_a_saboteur_and_so_can_fail() -> None:
    assert {saboteur.claim.__name__ for saboteur in SABOTEURS} == set(CLAIMS)
    assert len({saboteur.name for saboteur in SABOTEURS}) == len(SABOTEURS)


def test_a_change_that_changes_nothing_is_caught_by_nothing() -> None:
    same = changed("return Answer(", "return  Answer(")
    assert not any(is_caught_by(claim, by_reference(same)) for claim in CLAIMS)
    assert not is_caught_by_the_golden_answers(same)
