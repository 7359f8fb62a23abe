"""The incident, word by word: only Notion is connected, a model asks for Cal.com, and nothing is the right answer.

With only Notion connected, `list_all_cal_com_schedules` once came back with Notion's `list_all_notion_users`: two words
of scaffolding matched its name, scored 5 each, and nothing said that the words which name the product had no match.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.golden import EXAMPLES, listing
from toolrank import Floor, Pool, Reason, Tool, explain, rank
from toolrank._mass import mass

QUERY = "list_all_cal_com_schedules"
NOTION = Pool(listing(Path(EXAMPLES / "notion.json")))
BY_HAND = Pool(
    [
        Tool("list_all_notion_users", "People of the workspace.", connector="Notion"),
        Tool("retrieve_a_page", "Read one page.", connector="Notion"),
        Tool("create_a_page", "Add a page.", connector="Notion"),
        Tool("search_by_title", "Find pages.", connector="Notion"),
    ]
)
both = pytest.mark.parametrize("pool", [NOTION, BY_HAND], ids=["saved listing", "by hand"])


@both
def test_nothing_is_returned_and_the_answer_says_why(pool: Pool) -> None:
    answer = rank(QUERY, pool)
    assert list(answer) == []
    assert answer.reason is Reason.UNKNOWN_WORDS
    assert answer.query_words == ("list", "all", "cal", "com", "schedules")
    assert answer.unmatched == ("cal", "com", "schedules")
    assert str(answer) == (
        "Nothing fits 'list_all_cal_com_schedules': no visible tool knows 'cal', 'com' or 'schedules', "
        "and its known words weigh less than the floor asks for."
    )


@both
def test_the_tool_that_once_came_back_scores_five_and_five_and_covers_less_than_half(pool: Pool) -> None:
    told = explain(QUERY, pool, pool.tool("list_all_notion_users"))
    assert [(word.word, word.fields, word.score) for word in told.words] == [
        ("list", ("name",), 5),
        ("all", ("name",), 5),
        ("cal", (), 0),
        ("com", (), 0),
        ("schedules", (), 0),
    ]
    assert told.score == 10
    assert 2 * told.covered < told.total
    assert not told.named
    assert not told.returned
    assert told.position is None


def test_the_masses_are_those_of_the_formula() -> None:
    told = explain(QUERY, BY_HAND, BY_HAND.tool("list_all_notion_users"))
    assert [(word.mass, word.df) for word in told.words] == [(mass(4, 1), 1)] * 2 + [(mass(4, 0), 0)] * 3
    assert (told.covered, told.total) == (2 * mass(4, 1), 2 * mass(4, 1) + 3 * mass(4, 0))


def test_withheld_tools_are_counted_and_not_named() -> None:
    answer = rank(QUERY, NOTION)
    assert answer.withheld == 2  # the one by its name, another has `lists` in its description
    for text in (str(answer), repr(answer), str(answer.to_dict())):
        assert "list_all_notion_users" not in text
        assert "retrieve" not in text
    assert rank(QUERY, BY_HAND).withheld == 1


@both
def test_without_a_floor_the_old_answer_comes_back(pool: Pool) -> None:
    answer = rank(QUERY, pool, floor=Floor(0))
    assert answer[0].tool.name == "list_all_notion_users"
    assert answer[0].score == 10
    assert answer[0].coverage < Fraction(1, 2)
    assert answer.reason is Reason.MATCHED


@both
def test_a_query_that_notion_can_answer_is_answered(pool: Pool) -> None:
    assert [tool.name for tool in rank("list_all_notion_users", pool).tools] == ["list_all_notion_users"]
    assert rank("list all users", pool)[0].tool.name == "list_all_notion_users"


def test_with_the_calendar_connected_its_tool_is_the_answer() -> None:
    schedules = Tool("list_schedules", "All schedules of an account.", connector="Cal.com")
    answer = rank(QUERY, Pool([*NOTION, schedules]))
    assert answer.tools == [schedules]  # list and schedules in the name, cal and com in the label
    assert answer[0].score == 5 + 1 + 2 + 2 + 5 + 1
    assert answer.unmatched == ()


def test_with_the_calendar_hidden_the_answer_is_the_incidents_again() -> None:
    schedules = Tool("list_schedules", "All schedules of an account.", connector="Cal.com")
    view = Pool([*NOTION, schedules]).restrict(lambda tool: tool.connector == "notion")
    assert rank(QUERY, view) == rank(QUERY, NOTION)
