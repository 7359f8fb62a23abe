"""Synonyms: opt-in, in names, below a prefix, and told as such."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference
from tests import reference_policies as plain
from tests.strategies import VOCABULARY, Case, cases
from toolrank import SQUARES, VERBS, WEIGHTS, Pool, Ranking, Reason, Tool, Weights, explain, rank

FETCH, GET, LIST = Tool("fetch_page", "Fetch it."), Tool("get_user"), Tool("list_users", connector="get")
POOL = Pool([FETCH, GET, LIST], synonyms=VERBS)

SINGLE = sorted({word.casefold() for word in VOCABULARY if word.isascii() and word.isalpha()})
TABLES = st.lists(st.lists(st.sampled_from(SINGLE), min_size=2, max_size=4), max_size=3).map(
    lambda table: [words for words in table if len({reference.stem(word) for word in words}) > 1]
)


def told(answer: Ranking) -> list[Any]:
    return [
        (hit.tool.identity, hit.score, 0, [(w.word, w.mass, w.df, w.fields, w.score) for w in hit.words])
        for hit in answer
    ]


@settings(max_examples=300)
@given(cases(Tool), TABLES, st.booleans())
def test_synonyms_match_as_their_plain_statement_says(case: Case, table: list[list[str]], by_squares: bool) -> None:
    floor: Any = {"floor": SQUARES} if by_squares else {}
    right = plain.rank(case.query, case.visible, plain.squares if by_squares else plain.half, classes=table)
    seen = {tool.identity for tool in case.visible}
    whole = Pool(case.tools, synonyms=table)
    for view in (Pool(case.visible, synonyms=table), whole.restrict(lambda tool: tool.identity in seen)):
        answer = rank(case.query, view, None, **floor)
        assert told(answer) == right.hits
        assert (answer.withheld, list(answer.unmatched)) == (right.withheld, right.unmatched)


@settings(max_examples=150)
@given(cases(Tool), TABLES)
def test_a_pool_that_came_by_updates_has_the_synonyms_too(case: Case, table: list[list[str]]) -> None:
    label = case.tools[0].connector if case.tools else ""
    mine = list(dict.fromkeys(tool for tool in case.tools if tool.connector == label))
    pool = Pool([tool for tool in case.tools if tool.connector != label] + mine[:1], synonyms=table)
    rank(case.query, pool)
    updated = pool.replace(label, mine)
    assert rank(case.query, updated, None) == rank(case.query, Pool(case.tools, synonyms=table), None)
    assert updated.synonyms == pool.synonyms


@settings(max_examples=150)
@given(cases(Tool))
def test_without_synonyms_all_is_as_it_was(case: Case) -> None:
    nothing: list[Any] = [None, (), {}]
    for none in nothing:
        pool = Pool(case.visible, synonyms=none)
        assert pool.synonyms == ()
        assert rank(case.query, pool, None) == rank(case.query, Pool(case.visible), None)


def test_a_synonym_scores_below_a_prefix_and_is_told() -> None:
    (hit,) = rank("retrieve page", POOL)
    assert [(word.word, word.fields, word.score) for word in hit.words] == [
        ("retrieve", ("synonym",), 1),
        ("page", ("name",), 5),
    ]
    assert 0 < WEIGHTS.synonym < WEIGHTS.prefix
    assert "df 2  synonym, score 1" in str(explain("retrieve page", POOL, FETCH))
    assert [hit.score for hit in rank("retrieve page", POOL, weights=Weights(synonym=0))] == [5]
    assert Weights(1, 2, 3, 4) == Weights(name=1, prefix=2, connector=3, description=4, synonym=1)


@pytest.mark.parametrize(
    ("query", "tool", "fields"),
    [
        ("get", GET, ("name",)),  # the name itself
        ("get", FETCH, ("synonym",)),
        ("get", LIST, ("connector",)),  # another class, and a label
        ("fetch", FETCH, ("name", "description")),
        ("fetching", GET, ("synonym",)),  # by stem
        ("retrieve", LIST, ()),  # a label has no synonyms
        ("view", LIST, ("synonym",)),
        ("view", Tool("x", "List it."), ()),  # nor has prose
    ],
)
def test_a_synonym_stands_for_the_name_alone(query: str, tool: Tool, fields: tuple[str, ...]) -> None:
    pool = Pool(dict.fromkeys([*POOL, tool]), synonyms=VERBS)
    assert explain(query, pool, tool).words[0].fields == fields


def test_a_prefix_goes_before_a_synonym() -> None:
    pool = Pool([Tool("getter_x"), Tool("fetch_x")], synonyms=VERBS)
    assert [(hit.tool.name, hit.words[0].fields) for hit in rank("get", pool)] == [
        ("getter_x", ("prefix",)),
        ("fetch_x", ("synonym",)),
    ]


def test_a_synonym_counts_in_document_frequency_of_what_is_visible() -> None:
    assert explain("retrieve", POOL, FETCH).words[0].df == 2
    view = POOL.restrict(lambda tool: tool == FETCH)
    assert explain("retrieve", view, FETCH).words[0].df == 1
    assert rank("retrieve", view.without("")).reason is Reason.EMPTY_POOL


def test_a_synonym_touches_no_part_of_the_name() -> None:
    tools = [Tool("a_erase"), Tool("b_x")]
    pool = Pool([*tools, Tool("c", connector="x")], synonyms=[("erase", "wipe")])
    assert rank("wipe", pool).tools == [tools[0]]


def test_classes_are_not_joined_by_a_word_of_both() -> None:
    pool = Pool([Tool("aa_x"), Tool("cc_x")], synonyms=[("aa", "bb"), ("bb", "cc")])
    assert [hit.tool.name for hit in rank("aa", pool)] == ["aa_x"]
    assert [hit.tool.name for hit in rank("bb", pool)] == ["aa_x", "cc_x"]


def test_views_updates_pickles_and_snapshots_carry_the_table(tmp_path: Path) -> None:
    POOL.save(tmp_path / "pool.json")
    for pool in (
        POOL.restrict(["", "get"]),
        POOL.replace("x", [Tool("read_x", connector="x")]),
        pickle.loads(pickle.dumps(POOL)),
        Pool.load(tmp_path / "pool.json"),
    ):
        assert pool.synonyms == POOL.synonyms
        assert rank("retrieve page", pool).tools == [FETCH]


def test_what_a_new_tool_is_called_counts_for_its_synonyms() -> None:
    before = Pool([GET], synonyms=VERBS)
    assert [hit.tool for hit in rank("retrieve", before)] == [GET]
    after = before.replace("x", [Tool("read_x", connector="x")])
    assert [hit.tool.name for hit in rank("retrieve", after)] == ["get_user", "read_x"]


def test_a_table_is_a_mapping_or_classes() -> None:
    assert Pool([], synonyms={"get": ["fetch"], "list": ("show",)}).synonyms == (("fetch", "get"), ("list", "show"))
    assert Pool([], synonyms=iter([iter(["Get", "fetch", "get"])])).synonyms == (("fetch", "get"),)
    assert Pool([], synonyms=VERBS).synonyms == tuple(sorted(tuple(sorted(words)) for words in VERBS))


def test_verbs_are_disjoint_single_words() -> None:
    words = [word for words in VERBS for word in words]
    assert len(set(words)) == len(words)
    assert all(word.isalpha() and word.islower() for word in words)


ERRORS: list[tuple[Any, type[Exception], str]] = [
    (7, TypeError, "synonyms must be an iterable of classes of words, or a mapping, not 7"),
    ("get", TypeError, "synonyms must be an iterable of classes of words, or a mapping, not 'get'"),
    (["get"], TypeError, "synonyms must hold iterables of words, not 'get'"),
    ({"get": "fetch"}, TypeError, "synonyms must hold iterables of words, not 'fetch'"),
    ([7], TypeError, "synonyms must hold iterables of words, not 7"),
    ([["get", 7]], TypeError, "synonyms must hold strings, not 7"),
    ({7: ["get"]}, TypeError, "synonyms must hold strings, not 7"),
    ([["find", "look up"]], ValueError, "synonyms must hold single words, not 'look up'"),
    ([["find", ""]], ValueError, "synonyms must hold single words, not ''"),
    ([["find", "see-"]], ValueError, "synonyms must hold single words, not 'see-'"),
    ([["get", "gets"]], ValueError, "synonyms must hold classes of two words or more, not ['get', 'gets']"),
    ({"get": []}, ValueError, "synonyms must hold classes of two words or more, not ['get']"),
]


@pytest.mark.parametrize(("table", "error", "message"), ERRORS, ids=[row[2] for row in ERRORS])
def test_a_bad_table_is_told_in_full(table: Any, error: type[Exception], message: str) -> None:
    make: Callable[[], object] = lambda: Pool([], synonyms=table)  # noqa: E731
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == message
