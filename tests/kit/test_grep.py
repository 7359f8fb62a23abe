"""Pattern search: what it finds, in which order, and that no pattern makes it hang or fail in an unclear way."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.patterns import CATASTROPHIC, FILL
from toolrank import Pool, Tool
from toolrank.grep import FIELDS, MAX_PATTERN, MAX_WRITTEN_OUT, Found, PatternError, PatternTimeout, grep
from toolrank.testing import pools, restrictions

POOL = Pool(
    [
        Tool("list_issues", "List the issues of a repository.", "GitHub", "Issues", ["owner", "repo"]),
        Tool("list_issues", "List the issues of a team.", "Linear", parameters=["team_id"]),
        Tool("get_page", "Get a page; see also its issues.", "Notion", parameters=["page_id"]),
        Tool("Create_Page", "Make a page.", "Notion"),
    ]
)

HOSTILE = [Tool(f"tool_{number}_{'a' * 40}", FILL, title="x" * 60) for number in range(500)]


def found(pattern: str, pool: Pool = POOL, **options: Any) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.tool.name, one.tool.connector, one.fields) for one in grep(pattern, pool, **{"timeout": 5, **options})]


def test_a_pattern_is_found_whatever_the_case_with_names_first_and_then_by_name_and_connector() -> None:
    assert found("ISSUE") == [
        ("list_issues", "GitHub", ("name", "title", "description")),
        ("list_issues", "Linear", ("name", "description")),
        ("get_page", "Notion", ("description",)),
    ]
    assert found("^(get|create)_") == [("Create_Page", "Notion", ("name",)), ("get_page", "Notion", ("name",))]


def test_each_parameter_is_a_text_of_its_own() -> None:
    assert found("^repo$") == [("list_issues", "GitHub", ("parameters",))]
    assert found("owner.?repo") == []


def test_only_the_chosen_fields_are_searched_and_they_are_told_in_one_order() -> None:
    assert found("page", fields=["description"]) == [
        ("Create_Page", "Notion", ("description",)),
        ("get_page", "Notion", ("description",)),
    ]
    assert found("get_page|page_id", fields=iter(["parameters", "name"])) == [
        ("get_page", "Notion", ("name", "parameters"))
    ]
    assert found("notion", fields=["connector"]) == [
        ("Create_Page", "Notion", ("connector",)),
        ("get_page", "Notion", ("connector",)),
    ]
    assert found("page", fields=[]) == []


def test_a_tool_that_is_hidden_is_not_found() -> None:
    view = POOL.restrict(lambda tool: tool.connector == "Linear")
    assert found("issue", view) == [("list_issues", "Linear", ("name", "description"))]


_patterns = st.one_of(
    st.sampled_from(["git", "^list", "s$", "(repo|hub)", "[a-f]+", "", ".", "\\w+_", "漢", "(?=i)", "a{2}", "É", "ß"]),
    st.text(st.sampled_from("abi_.*+?()[]{}|\\^$漢\u200b\ud800"), max_size=8),
)


@settings(max_examples=150, deadline=None)
@given(_patterns, pools(), st.integers(1, 5), st.data())
def test_the_answer_is_that_of_searching_each_text_in_any_order_of_the_pool_and_through_any_view(
    pattern: str, tools: list[Tool], limit: int, data: st.DataObject
) -> None:
    pool = Pool(tools)
    try:
        everything = grep(pattern, pool, None, timeout=30)
    except PatternError:
        with pytest.raises(PatternError):
            grep(pattern, Pool([]))
        return
    assert grep(pattern, pool, limit, timeout=30) == everything[:limit]
    assert grep(pattern, Pool(tools[::-1]), None, timeout=30) == everything
    plain = regex.compile(pattern, regex.IGNORECASE)

    def fields(tool: Tool) -> tuple[str, ...]:
        texts = {field: getattr(tool, field) for field in FIELDS}
        return tuple(
            field
            for field, value in texts.items()
            if any(plain.search(text) for text in (value if field == "parameters" else [value]))
        )

    assert {(one.tool, one.fields) for one in everything} == {(tool, fields(tool)) for tool in pool if fields(tool)}
    keys = [("name" not in one.fields, one.tool.name, one.tool.connector) for one in everything]
    assert keys == sorted(keys)
    visible = data.draw(restrictions(tools))
    view = pool.restrict(lambda tool: tool.identity in visible)
    assert grep(pattern, view, None, timeout=30) == [one for one in everything if one.tool.identity in visible]


@pytest.fixture(scope="module")
def hostile() -> Pool:
    return Pool(HOSTILE)


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_a_catastrophic_pattern_ends_in_an_error_that_says_so(pattern: str, hostile: Pool) -> None:
    with pytest.raises(PatternTimeout) as caught:
        grep(pattern, hostile, timeout=0.02)
    assert str(caught.value) == f"pattern must be found or not within 0.02 s, not {pattern!r} in this pool"
    assert isinstance(caught.value, TimeoutError)


def test_the_time_limit_is_for_the_whole_search(hostile: Pool) -> None:
    with pytest.raises(PatternTimeout):
        grep("a.a.a.a", hostile, timeout=1e-9)


def test_one_text_may_take_two_thirds_of_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now, given = [100.0], []

    class Slow:
        def search(self, _text: str, timeout: float) -> None:
            given.append(round(timeout, 9))
            now[0] += 3

    monkeypatch.setattr("toolrank.grep.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("toolrank.grep._compile", lambda _: Slow())
    with pytest.raises(PatternTimeout):
        grep("list", POOL, timeout=9)
    assert given == [6, 4, 2]


def test_the_time_that_reading_the_pattern_takes_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]

    def read(pattern: str) -> regex.Pattern[str]:
        now[0] += 0.2
        return regex.compile(pattern)

    monkeypatch.setattr("toolrank.grep.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("toolrank.grep._compile", read)
    assert len(grep("list", POOL, timeout=0.3)) == 2
    with pytest.raises(PatternTimeout):
        grep("list", POOL, timeout=0.1)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("(", "pattern must be a regular expression, not '(': missing ) at position 1"),
        (r"\L<words>", "pattern must be a regular expression, not "),
        (
            "a{4294967295}",
            "pattern must be of at most 100000 characters with its repeats written out, not 'a{4294967295}'",
        ),
        (
            "(((a{99}){99}){ 1, 99 })",
            "pattern must be of at most 100000 characters with its repeats written out, not '(((",
        ),
        ("a" * (MAX_PATTERN + 1), "pattern must be of at most 256 characters, not 257"),
    ],
)
def test_a_pattern_that_cannot_be_searched_for_is_refused(pattern: str, told: str) -> None:
    with pytest.raises(PatternError) as caught:
        grep(pattern, POOL)
    assert str(caught.value).startswith(told)
    assert isinstance(caught.value, ValueError)


def test_patterns_at_the_bounds_are_searched_for() -> None:
    assert grep("a" * MAX_PATTERN, POOL, timeout=5) == []
    longest = "p{12500}"
    assert len(longest) * 12_500 == MAX_WRITTEN_OUT
    assert grep(longest, POOL, timeout=5) == []
    with pytest.raises(PatternError):
        grep("p{12501}", POOL)
    assert found("a{1,2}ge{,1}$", fields=["name"]) == [
        ("Create_Page", "Notion", ("name",)),
        ("get_page", "Notion", ("name",)),
    ]


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("too deep"), RuntimeError("invalid")])
def test_what_the_matcher_raises_becomes_a_clear_error(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def search(self, _text: str, **_: float) -> None:
            raise error

    monkeypatch.setattr("toolrank.grep._compile", lambda _: Broken())
    with pytest.raises(PatternError) as caught:
        grep("a", POOL)
    told = str(error) or type(error).__name__
    assert str(caught.value) == f"pattern must be one that can be searched for, not 'a': {told}"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"pattern": b"a"}, TypeError, "pattern must be a string, not b'a'"),
        ({"pool": [Tool("a")]}, TypeError, "pool must be a Pool, not [Tool("),
        ({"limit": True}, TypeError, "limit must be an integer of 1 or more, or None, not True"),
        ({"limit": 0}, ValueError, "limit must be an integer of 1 or more, or None, not 0"),
        ({"fields": "name"}, TypeError, "fields must be an iterable of name, title, description, connector, "),
        (
            {"fields": 3},
            TypeError,
            "fields must be an iterable of name, title, description, connector, parameters, not 3",
        ),
        ({"fields": ["schema"]}, ValueError, "fields must be an iterable of name, title, description, connector, "),
        ({"timeout": None}, TypeError, "timeout must be a number of seconds above 0, not None"),
        ({"timeout": False}, TypeError, "timeout must be a number of seconds above 0, not False"),
        ({"timeout": 0}, ValueError, "timeout must be a number of seconds above 0, not 0"),
        ({"timeout": float("nan")}, ValueError, "timeout must be a number of seconds above 0, not nan"),
        ({"timeout": float("inf")}, ValueError, "timeout must be a number of seconds above 0, not inf"),
    ],
)
def test_a_bad_argument_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        grep(**{"pattern": "a", "pool": POOL, **arguments})
    assert str(caught.value).startswith(message)


def test_a_found_tool_is_a_plain_record() -> None:
    assert grep("get", POOL, 1, timeout=5) == [Found(POOL.tool("get_page"), ("name", "description"))]


def test_without_regex_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "toolrank.grep")
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(ImportError, match=r"toolrank\.grep needs regex: .* with the extra 'regex'"):
        importlib.import_module("toolrank.grep")
