"""Pool: an immutable set of tools, and views of it that show nothing of what they hide."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from tests.strategies import Case, cases
from toolrank import STOP_WORDS, Pool, Tool, rank

READ = Tool("read_page", "Read a page.", connector="Notion")
WRITE = Tool("write_page", "Write a page.", connector="Notion")
LIST = Tool("list_issues", "List issues.", connector="Linear")
POOL = Pool([WRITE, READ, LIST])


def test_a_pool_is_sized_and_iterates_in_the_order_given() -> None:
    assert len(POOL) == 3
    assert list(POOL) == [WRITE, READ, LIST]
    assert list(Pool([LIST, READ, WRITE])) == [LIST, READ, WRITE]
    assert list(Pool(iter([READ]))) == [READ]


def test_a_pool_contains_tools_and_nothing_else() -> None:
    assert READ in POOL
    assert Tool("read_page", "Read a page.", connector="Notion", payload=1) in POOL
    assert Tool("read_page", "Another text.", connector="Notion") not in POOL
    assert Tool("read_page", "Read a page.") not in POOL
    assert "read_page" not in POOL


def test_entries_equal_in_all_but_payload_collapse_into_the_first() -> None:
    first, again = Tool("n", payload=1), Tool("n", payload=2)
    pool = Pool([LIST, first, again, LIST])
    assert list(pool) == [LIST, first]
    assert pool.tool("n").payload == 1
    assert rank("n", pool)[0].tool.payload == 1
    assert rank("issues n", pool)[0].total == rank("issues n", Pool([LIST, first]))[0].total


def test_no_connector_and_an_empty_label_are_one() -> None:
    assert len(Pool([Tool("n", connector=None), Tool("n", connector="")])) == 1


def test_one_name_in_two_connectors_is_two_tools() -> None:
    assert len(Pool([Tool("n", connector="a"), Tool("n", connector="b"), Tool("n")])) == 3


def test_tool_finds_by_name_and_by_connector() -> None:
    pool = Pool(
        [READ, Tool("search", connector="a"), Tool("search", connector="b"), Tool("find"), Tool("find", "", "c")]
    )
    assert pool.tool("read_page") == READ
    assert pool.tool("search", "b").connector == "b"
    assert pool.tool("find", "").connector == ""


def test_a_view_iterates_in_the_order_given_and_holds_only_what_it_shows() -> None:
    view = POOL.restrict(lambda tool: tool.connector == "Notion")
    assert list(view) == [WRITE, READ]
    assert len(view) == 2
    assert LIST not in view
    with pytest.raises(KeyError):
        view.tool("list_issues")
    assert list(POOL) == [WRITE, READ, LIST]


def test_a_view_of_a_view_hides_what_either_hides() -> None:
    view = POOL.restrict(lambda tool: tool.connector == "Notion").restrict(lambda tool: tool.name != "write_page")
    assert list(view) == [READ]
    asked: list[Tool] = []

    def keep(tool: Tool) -> bool:
        asked.append(tool)
        return True

    assert list(view.restrict(keep)) == [READ]
    assert asked == [READ]  # a hidden tool is not even shown to the predicate


def test_a_name_is_ambiguous_only_among_visible_tools() -> None:
    pool = Pool([Tool("search", connector="a"), Tool("search", connector="b")])
    assert pool.restrict(lambda tool: tool.connector == "a").tool("search").connector == "a"


def test_an_empty_pool_and_an_empty_view_are_pools() -> None:
    for pool in (Pool([]), POOL.restrict(lambda _: False)):
        assert len(pool) == 0
        assert list(pool) == []
        assert READ not in pool


def test_the_repr_of_a_pool_tells_its_size_and_some_visible_connectors() -> None:
    assert repr(POOL) == "<Pool of 3 tools of Linear, Notion>"
    assert repr(POOL.restrict(lambda tool: tool.connector == "Linear")) == "<Pool of 1 tool of Linear>"
    assert repr(Pool([])) == "<Pool of 0 tools>"
    many = Pool([Tool("n", connector=label) for label in "gfedcba"])
    assert repr(many) == "<Pool of 7 tools of a, b, c, d, e, ...>"


def test_stop_words_are_those_of_the_rule_unless_replaced() -> None:
    assert POOL.stop_words == STOP_WORDS == {"set", "connection", "frozen"}
    assert Pool([], stop_words=["Page"]).stop_words == {"page"}
    tools = [Tool("x_y", "set a thing"), Tool("z")]
    assert rank("set", Pool(tools)).tools == []
    assert rank("set", Pool(tools, stop_words=())).tools == [tools[0]]
    assert rank("thing", Pool(tools, stop_words={"thing"})).tools == []
    view = Pool(tools, stop_words={"thing"}).restrict(lambda _: True)
    assert view.stop_words == {"thing"}
    assert rank("thing", view).tools == []


def test_a_pool_does_not_change_with_the_list_it_was_made_of() -> None:
    tools = [READ]
    pool = Pool(tools)
    tools.append(LIST)
    assert len(pool) == 1


# What a hidden tool could change, one at a time: each pool is (visible, hidden), with a query that would tell.
LEAKS = {
    "document frequency": ([Tool("issue_x"), Tool("user_x")], [Tool("issue_a"), Tool("issue_b")], "issue user"),
    "the number of tools": ([Tool("issue_x"), Tool("user_x")], [Tool("a"), Tool("b"), Tool("c")], "issue user kept"),
    "an exact name stops prefixes": ([Tool("find_address")], [Tool("add_person")], "add"),
    "a name keeps a function word": ([Tool("list_x")], [Tool("list_the")], "list the"),
    "a name keeps a single letter": ([Tool("list_x")], [Tool("list_q")], "list q"),
    "a joined form": ([Tool("git_hub")], [Tool("y", "github")], "GitHub"),
    "a known word": ([Tool("list_x")], [Tool("y", "calendar")], "calendar list"),
    "a near miss": ([Tool("list_x")], [Tool("list_y")], "list calendars of cal"),
    "a required word": ([Tool("list_x")], [Tool("drive_y")], "list +drive"),
    "a stop word that stands somewhere": ([Tool("list_x")], [Tool("y", "set")], "list set"),
    "a whole name": ([Tool("list_x")], [Tool("list_all_things")], "list_all_things"),
    "a label and a name": ([Tool("list_x")], [Tool("y", connector="list")], "list_y"),
    "a leaf": ([Tool("list_x")], [Tool("a__list_z")], "list_z and more words"),
    "a part touched": ([Tool("issue_a"), Tool("issue_b_c")], [Tool("b")], "issue b"),
    "the whole pool": ([], [Tool("list_x")], "list"),
}


@pytest.mark.parametrize("what", LEAKS)
def test_a_hidden_tool_shows_in_nothing(what: str) -> None:
    shown, hidden, query = LEAKS[what]
    alone = Pool(shown)
    view = Pool([*hidden, *shown]).restrict(lambda tool: tool in shown)
    whole = rank(query, Pool([*hidden, *shown]), None)
    assert rank(query, view, None) == rank(query, alone, None)
    assert rank(query, view, None).to_dict() == rank(query, alone, None).to_dict()
    assert str(rank(query, view)) == str(rank(query, alone))
    assert whole != rank(query, view, None), "the case must be one where the hidden tools would tell"


@settings(max_examples=60)
@given(cases(Tool, max_size=8))
def test_restricting_equals_absence(case: Case) -> None:
    visible = {tool.identity for tool in case.visible}
    view = Pool(case.tools).restrict(lambda tool: tool.identity in visible)
    assert rank(case.query, view, None).to_dict() == rank(case.query, Pool(case.visible), None).to_dict()
    assert list(view) == list(Pool(case.visible))


def test_labels_tools_and_pairs_may_be_mixed() -> None:
    page, issue, ping = Tool("read_page", connector="Notion"), Tool("list_issues", connector="Linear"), Tool("ping")
    pool = Pool([page, issue, ping])
    mixed: list[Any] = ["Notion", ping]
    assert list(pool.restrict(mixed)) == [page, ping]
    mixed = [("Linear", "list_issues"), "Notion", "Slack"]
    assert list(pool.restrict(mixed)) == [page, issue]
