"""The same answer everywhere: golden files byte for byte, whatever the hash seed, the locale and the pool's order."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden import FOLDER, Book, Dice, books, engine, path_of, text_of
from tests.golden.__main__ import plainly
from toolrank import Pool, rank

BOOKS = books()
each = pytest.mark.parametrize("book", BOOKS, ids=[book.name for book in BOOKS])


@each
def test_the_engine_gives_the_golden_answers_byte_for_byte(book: Book) -> None:
    assert text_of(book, engine(book.tools)).encode() == path_of(book).read_bytes()


@each
def test_the_order_of_the_pool_is_nothing_to_the_golden_answers(book: Book) -> None:
    for seed in (1, 2):
        assert text_of(book, engine(Dice(seed).shuffled(book.tools))).encode() == path_of(book).read_bytes()


@pytest.mark.parametrize("book", [book for book in BOOKS if len(book.tools) < 12], ids=lambda book: book.name)
def test_the_golden_answers_are_those_of_the_plain_code(book: Book) -> None:
    assert text_of(book, plainly(book.tools)).encode() == path_of(book).read_bytes()


def test_the_larger_golden_files_hold_answers_of_the_plain_code() -> None:
    # All of them would take a minute: a few questions of each stand for the rest.
    for book in BOOKS:
        if len(book.tools) >= 12:
            some = book._replace(questions=book.questions[3::23])
            assert text_of(some, engine(book.tools)) == text_of(some, plainly(book.tools))


def test_every_golden_file_is_of_a_book_and_is_json() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {path_of(book).name for book in BOOKS}
    for book in BOOKS:
        found = json.loads(path_of(book).read_bytes())
        assert len(found["answers"]) == len(book.questions)
    assert sum(len(book.questions) for book in BOOKS) > 400


def test_the_golden_answers_show_every_reason_and_every_field() -> None:
    answers = [answer for book in BOOKS for answer in json.loads(path_of(book).read_bytes())["answers"]]
    assert {answer["reason"] for answer in answers} == {
        *("matched", "blank_query", "empty_pool", "unknown_words", "below_floor", "missing_required")
    }
    assert {field for answer in answers for hit in answer["fields"] for word in hit for field in word} == {
        *("name", "prefix", "connector", "description")
    }
    assert any(hit[4] for answer in answers for hit in answer["hits"])
    assert any(2 * hit[3] == answer["total"] for answer in answers for hit in answer["hits"]), "an exact half"
    assert any(answer["withheld"] for answer in answers)
    assert any(answer["required"] and answer["hits"] for answer in answers)


# What a machine may be set to. Where a locale is not installed, setting the variables is all that a user could do too.
SETTINGS = (
    {"PYTHONHASHSEED": "0"},
    {"PYTHONHASHSEED": "1"},
    {"PYTHONHASHSEED": "random"},
    {"LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "7"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    {"LC_ALL": "sv_SE.UTF-8", "LANG": "sv_SE.UTF-8", "PYTHONOPTIMIZE": "2"},
)
CHILD = """
import hashlib, locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from tests.golden import books, engine, text_of
print(hashlib.sha256("".join(text_of(book, engine(book.tools)) for book in books()).encode()).hexdigest())
"""


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: " ".join(f"{k}={v}" for k, v in settings.items()))
def test_neither_hash_seed_nor_locale_changes_an_answer(settings: dict[str, str]) -> None:
    expected = hashlib.sha256(b"".join(path_of(book).read_bytes() for book in BOOKS)).hexdigest()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    run = subprocess.run(
        [sys.executable, "-c", CHILD],
        cwd=Path(__file__).parent.parent,
        env={**kept, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == expected


def test_a_query_asked_among_others_has_the_answer_that_it_has_alone() -> None:
    # What a pool remembers of earlier queries must not tell.
    for book in BOOKS:
        shared = Pool(book.tools)
        for question in book.questions[::9]:
            for other in book.questions[::31]:
                rank(other.query, shared)
            assert rank(question.query, shared, None) == rank(question.query, Pool(book.tools), None)
