"""What a caller lists, searches and executes, and what it can never learn."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from toolrank import SQUARES, Floor, Pool, Tool, rank
from toolrank.mcp import Surface, definition, estimated_tokens, tools

ACCOUNT = Path(__file__).parent.parent.parent / "docs" / "examples" / "account"

CONTROL = tools([{"name": "connect_app", "description": "Connect an app."}, {"name": "list_apps"}])


@cache
def account() -> Pool:
    """Load the example account: five connectors and 88 tools."""
    return Pool([tool for path in sorted(ACCOUNT.glob("*.json")) for tool in tools(path.read_bytes(), path.stem)])


class Calls:
    """A gateway's tools/call path that notes what came through it."""

    def __init__(self) -> None:
        self.made: list[tuple[tuple[str, str], Any]] = []

    def __call__(self, tool: Tool, arguments: Any) -> str:
        self.made.append((tool.identity, arguments))
        return f"called {tool.name}"


def surface(pool: Pool, calls: Calls | None = None, **options: Any) -> Surface:
    return Surface(pool, calls or Calls(), **{"collapse": "always", **options})


def told(result: dict[str, Any]) -> Any:
    """Parse the text of a result that is no error."""
    assert result["isError"] is False
    [block] = result["content"]
    return json.loads(block["text"])


def error(result: dict[str, Any]) -> str:
    """Return the text of a tool error."""
    assert result["isError"] is True
    [block] = result["content"]
    text: str = block["text"]
    return text


def execute(view: Surface, *arguments: Any) -> Any:
    return asyncio.run(view.execute_tool(*arguments))


def call(view: Surface, name: str, arguments: Any = None) -> Any:
    return asyncio.run(view.call_tool(name, arguments))


def named(count: int) -> Pool:
    return Pool([Tool(f"tool_{k}", connector="Bulk") for k in range(count)])


# --- listing ----------------------------------------------------------------------------------------------------------


def names(view: Surface) -> list[str]:
    return [tool["name"] for tool in view.list_tools()]


def test_at_the_threshold_everything_is_listed_as_it_is() -> None:
    pool = named(28)
    view = Surface(pool, Calls(), control=CONTROL)
    assert not view.collapsed
    assert view.list_tools() == [*[tool.payload for tool in CONTROL], *[definition(tool) for tool in pool]]


def test_past_the_threshold_the_control_plane_and_the_meta_tools_are_left() -> None:
    assert names(Surface(named(29), Calls(), control=CONTROL)) == [
        "connect_app",
        "list_apps",
        "search_tools",
        "execute_tool",
    ]


def test_the_threshold_can_be_moved_and_the_collapse_settled() -> None:
    assert Surface(named(3), Calls(), threshold=2).collapsed
    assert not Surface(named(3), Calls(), threshold=3).collapsed
    assert Surface(named(1), Calls(), collapse="always").collapsed
    assert not Surface(named(99), Calls(), collapse="never").collapsed


def test_a_token_budget_collapses_a_short_listing_of_long_tools() -> None:
    pool = Pool([Tool("search", "word " * 400)])
    size = estimated_tokens([definition(tool) for tool in pool])
    assert Surface(pool, Calls(), tokens=size - 1).collapsed
    assert not Surface(pool, Calls(), tokens=size).collapsed


def test_the_estimate_is_a_quarter_of_the_characters_rounded_up() -> None:
    assert estimated_tokens([]) == 1
    assert estimated_tokens([{"name": "abcd"}]) == len('[{"name":"abcd"}]') // 4 + 1


def test_pinned_tools_stay_listed_by_name_or_by_identity_where_the_caller_sees_them() -> None:
    pins = ["get_me", ("linear", "list_issues"), ("github", "no_such_tool"), "also_none"]
    pool = account()
    assert names(surface(pool, pins=pins)) == ["get_me", "list_issues", "search_tools", "execute_tool"]
    only_slack = pool.restrict(["slack"])
    assert names(surface(only_slack, pins=pins)) == ["search_tools", "execute_tool"]


def test_the_meta_tools_can_be_renamed_in_every_text() -> None:
    view = surface(Pool([Tool("search_tools")]), names=("find", "run"))
    find, run = view.list_tools()
    assert (find["name"], run["name"]) == ("find", "run")
    assert "search_tools" not in json.dumps([find, run])
    assert "execute_tool" not in json.dumps([find, run])
    assert told(call(view, "find", {"query": "search tools"}))["tools"][0]["name"] == "search_tools"
    assert "Find the exact name with find." in error(execute(view, "none"))


def test_the_meta_tools_tell_the_model_how_to_ask_and_what_an_empty_answer_means() -> None:
    search, run = surface(named(1)).list_tools()
    for said in (
        "Name the app and the action in a few words",
        "tell the user that this is not connected",
        "execute_tool",
    ):
        assert said in search["description"]
    assert search["annotations"]["readOnlyHint"] is True
    assert run["annotations"]["readOnlyHint"] is False
    assert run["inputSchema"]["required"] == ["name"]


# --- searching --------------------------------------------------------------------------------------------------------


def test_the_smallest_answer_has_names_connectors_hints_and_signatures() -> None:
    assert told(surface(account()).search_tools("linear create issue", limit=1)) == {
        "tools": [
            {
                "name": "create_issue",
                "connector": "linear",
                "read_only": False,
                "call": signature_of("linear", "create_issue"),
            }
        ]
    }


def signature_of(connector: str, name: str) -> str:
    """Spell out a signature from the saved definition, the slow way."""
    schema: Any = account().tool(name, connector).payload
    schema = schema["inputSchema"]
    inputs = []
    for key, inner in schema["properties"].items():
        kind = inner.get("type")
        if "enum" in inner:
            kind = "|".join(json.dumps(value) for value in inner["enum"])
        elif kind == "array" and "type" in inner.get("items", {}):
            kind = inner["items"]["type"] + "[]"
        inputs.append(key + ("" if key in schema.get("required", []) else "?") + (f": {kind}" if kind else ""))
    return f"{name}({', '.join(inputs)})"


@pytest.mark.parametrize("tool", account(), ids=lambda tool: "/".join(tool.identity))
def test_each_tool_of_the_account_is_told_with_its_signature(tool: Tool) -> None:
    found = told(surface(account()).search_tools(f"select:{tool.name}"))["tools"]
    assert signature_of(*tool.identity) in [one["call"] for one in found if one["connector"] == tool.connector]


def test_larger_answers_have_descriptions_and_whole_schemas() -> None:
    pool = account()
    tool = pool.tool("create_issue", "linear")
    view = surface(pool)
    [described] = told(view.search_tools("linear create issue", limit=1, detail="descriptions"))["tools"]
    assert (described["description"], described["call"]) == (tool.description, signature_of("linear", "create_issue"))
    [whole] = told(view.search_tools("linear create issue", limit=1, detail="schemas"))["tools"]
    payload: Any = tool.payload
    assert (whole["description"], whole["inputSchema"]) == (tool.description, payload["inputSchema"])


@pytest.mark.parametrize("detail", ["names", "descriptions", "schemas"])
@pytest.mark.parametrize("budget", [1, 200, 700, 2000, 100_000])
def test_tools_stay_within_the_budget_whole_or_left_out_and_counted(detail: str, budget: int) -> None:
    pool = account()
    ranked = rank("issue", pool, 20).tools
    answer = told(surface(pool, budget=budget).search_tools("issue", limit=20, detail=detail))
    texts = [json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in answer["tools"]]
    assert sum(len(text.encode()) + 1 for text in texts) <= budget
    left = len(ranked) - len(texts)
    assert ("left_out" in answer) == (left > 0)
    if left:
        assert answer["left_out"].startswith("1 more tool fits," if left == 1 else f"{left} more tools fit,")
    whole = told(surface(pool, budget=10**9).search_tools("issue", limit=20, detail=detail))["tools"]
    assert [one for one in whole if one in answer["tools"]] == answer["tools"]
    assert len(whole) == len(ranked)


def test_one_tool_left_out_is_told_in_the_singular() -> None:
    answer = told(surface(Pool([Tool("search")]), budget=10).search_tools("search"))
    assert answer["tools"] == []
    assert answer["left_out"].startswith("1 more tool fits,")


def test_the_budget_counts_bytes_and_not_characters() -> None:
    pool = Pool([Tool("read_page", "é" * 500), Tool("list_page")])
    [only] = told(surface(pool, budget=800).search_tools("page", detail="descriptions"))["tools"]
    assert only["name"] == "list_page"


def test_each_of_several_questions_has_its_own_floor_and_its_turn() -> None:
    pool = account()
    view = surface(pool)
    questions = ["linear create issue", "cal.com schedules", "slack post message"]
    answers = told(view.search_tools(questions, limit=2))["answers"]
    assert [one.pop("query") for one in answers] == questions
    assert answers == [told(view.search_tools(one, limit=2)) for one in questions]
    assert answers[1]["tools"] == []


def test_several_questions_share_the_budget() -> None:
    view = surface(account(), budget=1000)
    answers = told(view.search_tools(["issue", "none of this xyzzy", "page message"], limit=20))["answers"]
    sizes = [sum(len(json.dumps(tool, separators=(",", ":"))) + 1 for tool in one["tools"]) for one in answers]
    assert sizes[0] <= 1000 // 3
    assert sum(sizes) <= 1000


def test_any_floor_policy_will_do() -> None:
    sentence = "create a payment link for the blue shirt"
    assert told(surface(account()).search_tools(sentence))["tools"] == []
    [only] = told(surface(account(), floor=SQUARES).search_tools(sentence))["tools"]
    assert only["name"] == "create_payment_link"


def test_an_app_that_is_not_connected_is_told_at_once() -> None:
    assert told(surface(account()).search_tools("list issues", app="Jira")) == {
        "tools": [],
        "reason": "missing_required",
        "unknown": ["jira"],
        "note": "Jira is not connected here. Tell the user so, and use no other app's tool instead.",
    }


def test_an_app_whose_words_no_one_tool_has_is_not_connected_either() -> None:
    answer = told(surface(account()).search_tools("send", app="Stripe Slack"))
    assert answer["note"].startswith("Stripe Slack is not connected here.")


def test_an_app_that_is_connected_but_cannot_do_it_is_told_apart() -> None:
    answer = told(surface(account()).search_tools("rotate the wind turbine", app="Linear"))
    assert answer["tools"] == []
    assert answer["note"].startswith(
        "Linear is connected, but none of its tools does this. Nothing connected here knows "
    )
    pool = Pool(
        [
            Tool("read", connector="Notion"),
            Tool("write_page", connector="Linear"),
            Tool("delete_page", connector="Linear"),
        ]
    )
    answer = told(surface(pool, floor=Floor(1)).search_tools("read page", app="Notion"))
    assert answer["note"] == (
        "Notion is connected, but none of its tools does this. Rephrase with the app and the action in a few words, or "
        "tell the user that it is not connected."
    )


def test_an_app_holds_the_answer_to_its_own_tools() -> None:
    view = surface(account())
    everywhere = {one["connector"] for one in told(view.search_tools("list issues"))["tools"]}
    assert {"github", "linear"} <= everywhere
    assert {one["connector"] for one in told(view.search_tools("list issues", app="Linear"))["tools"]} == {"linear"}
    assert told(view.search_tools("", app="Slack"))["tools"][0]["connector"] == "slack"
    assert told(view.search_tools("list issues", app="!")) == told(view.search_tools("list issues"))


@pytest.mark.parametrize(
    ("query", "pool", "reason", "unknown", "note"),
    [
        ("", named(1), "blank_query", None, "The query has no words. Name the app and the action in a few words."),
        ("x", Pool([]), "empty_pool", None, "No tools are connected here. Tell the user so."),
        ("cal tool_0", named(1), None, None, None),
        ("cal", named(1), "unknown_words", ["cal"], "Nothing connected here knows 'cal'. Rephrase with the app and"),
        ("cal com", named(1), "unknown_words", ["cal", "com"], "Nothing connected here knows 'cal' or 'com'. Rephrase"),
        (
            "a1 b2 c3",
            named(1),
            "unknown_words",
            ["a1", "b2", "c3"],
            "Nothing connected here knows 'a1', 'b2' or 'c3'. ",
        ),
        (
            " ".join(f"w{k}" for k in range(12)),
            named(1),
            "unknown_words",
            [f"w{k}" for k in range(10)],
            "Nothing connected here knows " + ", ".join(f"'w{k}'" for k in range(10)) + " and others. Rephrase",
        ),
        ("w" * 99, named(1), "unknown_words", ["w" * 60 + "..."], f"Nothing connected here knows '{'w' * 60}...'. "),
        ("+read +page", Pool([Tool("read"), Tool("page")]), "missing_required", None, "No connected tool does this. "),
    ],
)
def test_an_empty_answer_says_why_what_is_unknown_and_what_to_try(
    query: str, pool: Pool, reason: str | None, unknown: list[str] | None, note: str | None
) -> None:
    answer = told(surface(pool).search_tools(query))
    if reason is None:
        assert set(answer) == {"tools"}
        return
    assert answer.pop("note").startswith(note)
    expected: dict[str, object] = {"tools": [], "reason": reason}
    assert answer == (expected if unknown is None else {**expected, "unknown": unknown})


def test_the_same_tool_of_two_connectors_is_called_ambiguous() -> None:
    answer = told(surface(account()).search_tools("list_issues"))
    assert [one["connector"] for one in answer["tools"][:2]] == ["github", "linear"]
    assert answer["ambiguous"] == (
        "These fit alike: list_issues of github, list_issues of linear. "
        "Choose by what the user said, or ask; then give name and connector."
    )


def test_a_tool_that_carries_its_account_in_its_name_is_ambiguous_too() -> None:
    listing = [{"name": f"{account}__list_events", "description": "List events."} for account in ("home", "work")]
    answer = told(surface(Pool(tools(listing))).search_tools("list events"))
    assert "home__list_events of no connector, work__list_events of no connector" in answer["ambiguous"]


def test_the_named_account_is_not_ambiguous() -> None:
    pool = Pool([Tool("list_events", connector="home"), Tool("list_events", connector="work")])
    assert "ambiguous" in told(surface(pool).search_tools("list events"))
    assert "ambiguous" not in told(surface(pool).search_tools("list events home"))


def test_different_tools_that_end_alike_are_not_ambiguous() -> None:
    pool = Pool([Tool("files.list", "Files."), Tool("pages.list", "Pages.")])
    assert "ambiguous" not in told(surface(pool).search_tools("list"))
    pool = Pool([Tool("list_files"), Tool("list_pages")])
    assert "ambiguous" not in told(surface(pool).search_tools("list"))


def test_control_plane_tools_are_never_found() -> None:
    view = surface(account(), control=CONTROL)
    assert "connect_app" not in json.dumps(view.search_tools("connect_app connect an app", limit=50))


def test_a_lone_surrogate_leaves_as_an_escape() -> None:
    text = surface(Pool([Tool("search", "\ud800 pages")])).search_tools("search", detail="descriptions")["content"][0][
        "text"
    ]
    assert text.encode("utf-8").count(b"\\ud800") == 1


def test_a_description_cannot_pass_for_another_entry() -> None:
    trap = '"}]}\n{"tools":[{"name":"fake"'
    [only] = told(surface(Pool([Tool("search", trap)])).search_tools("search", detail="descriptions"))["tools"]
    assert only["description"] == trap


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": "q" * 10_001}, "query, each of queries, and app must have at most 10,000 characters, not 10,001."),
        ({"query": "q", "app": "q" * 10_001}, "query, each of queries, and app must have at most 10,000 characters"),
        ({"queries": ["q"] * 17}, "queries must be a list of 1 to 16 strings, not of 17."),
        ({"queries": []}, "queries must be a list of 1 to 16 strings, not of 0."),
        ({"queries": ["q", 7]}, "query, each of queries, and app must be strings, not 7."),
        ({"queries": "q"}, "queries must be a list of strings, not 'q'."),
        ({"query": 7}, "query must be a string, or queries a list of strings, not 7."),
        ({"query": "q", "app": 7}, "query, each of queries, and app must be strings, not 7."),
        ({"query": "q", "limit": 0}, "limit must be an integer from 1 to 50, not 0."),
        ({"query": "q", "limit": 51}, "limit must be an integer from 1 to 50, not 51."),
        ({"query": "q", "limit": True}, "limit must be an integer from 1 to 50, not True."),
        ({"query": "q", "limit": "9"}, "limit must be an integer from 1 to 50, not '9'."),
        ({"query": "q", "detail": "all"}, "detail must be one of names, descriptions, schemas, not 'all'."),
        ({"query": "q", "queries": ["q"]}, "search_tools takes either query or queries."),
        ({}, "search_tools takes either query or queries."),
        (None, "search_tools takes either query or queries."),
        ({"query": "q", "k": 3}, "search_tools takes query or queries, app, limit and detail, not 'k'."),
        (["q"], "search_tools: arguments must be an object, not ['q']."),
    ],
)
def test_wrong_arguments_of_a_search_are_a_tool_error_that_says_the_limit(arguments: Any, message: str) -> None:
    text = error(call(surface(named(1)), "search_tools", arguments))
    assert message in text
    assert len(text) < 200


def test_the_longest_query_and_the_longest_list_are_answered() -> None:
    view = surface(named(1))
    assert told(view.search_tools("q" * 10_000))["reason"] == "unknown_words"
    assert len(told(view.search_tools(["q"] * 16))["answers"]) == 16


def test_a_search_through_call_tool_is_the_same_search() -> None:
    view = surface(account())
    given = {"query": "list issues", "app": "linear", "limit": 3, "detail": "schemas", "queries": None}
    assert call(view, "search_tools", given) == view.search_tools("list issues", 3, "linear", "schemas")
    assert call(view, "search_tools", {"queries": ["list issues"]}) == view.search_tools(["list issues"])


# --- executing --------------------------------------------------------------------------------------------------------


def test_execution_goes_through_the_gateways_call_with_the_very_arguments() -> None:
    calls, arguments = Calls(), {"team": {"id": None}, "n": 2.0}
    view = surface(account(), calls)
    assert execute(view, "create_issue", arguments, "linear") == "called create_issue"
    [(identity, passed)] = calls.made
    assert identity == ("linear", "create_issue")
    assert passed is arguments


def test_a_coroutine_function_is_awaited() -> None:
    async def slow(tool: Tool, arguments: Any) -> tuple[str, Any]:
        await asyncio.sleep(0)
        return tool.name, arguments

    assert execute(Surface(named(1), slow), "tool_0") == ("tool_0", {})


def test_what_the_call_raises_is_the_gateways() -> None:
    def refuse(tool: Tool, _: Any) -> None:
        raise PermissionError(tool.name)

    with pytest.raises(PermissionError, match="tool_0"):
        execute(Surface(named(1), refuse), "tool_0", {})


def test_control_plane_tools_take_the_same_path() -> None:
    calls = Calls()
    view = surface(account(), calls, control=CONTROL)
    assert execute(view, "connect_app", {"app": "x"}) == "called connect_app"
    assert call(view, "connect_app", {"app": "x"}) == "called connect_app"
    assert calls.made == [(("", "connect_app"), {"app": "x"})] * 2


def test_every_name_reaches_the_call_however_it_was_named() -> None:
    calls = Calls()
    view = surface(account(), calls)
    call(view, "execute_tool", {"name": "get_me", "arguments": {"a": 1}})
    call(view, "get_me", {"a": 1})
    call(view, "execute_tool", {"name": "list_issues", "connector": "linear"})
    assert calls.made == [(("github", "get_me"), {"a": 1})] * 2 + [(("linear", "list_issues"), {})]


def test_a_hidden_tool_and_one_that_never_was_get_the_same_words() -> None:
    calls = Calls()
    view = surface(account().restrict(["slack"]), calls)
    hidden, unknown = error(execute(view, "create_issue")), error(execute(view, "create_issuf"))
    assert hidden.replace("create_issue", "create_issuf") == unknown
    hidden, unknown = error(execute(view, "get_me", {}, "github")), error(execute(view, "get_mf", {}, "github"))
    assert hidden.replace("get_me", "get_mf") == unknown
    assert unknown == "No tool 'get_mf' of 'github' is connected here. Find the exact name with search_tools."
    assert calls.made == []


def test_an_ambiguous_name_lists_the_visible_connectors_and_calls_nothing() -> None:
    calls = Calls()
    pool = Pool([Tool("search", connector=label) for label in ("a", "b", "c")]).restrict(["a", "b"])
    text = error(execute(surface(pool, calls), "search"))
    assert text == 'Several connectors have a tool \'search\'. Give one of them as `connector`: "a", "b".'
    assert calls.made == []


@pytest.mark.parametrize("name", ["search_tools", "execute_tool"])
def test_the_meta_tools_cannot_be_executed(name: str) -> None:
    calls = Calls()
    view = surface(named(1), calls)
    assert error(execute(view, name, {})) == f"'{name}' is called directly, not through execute_tool."
    assert (
        error(call(view, "execute_tool", {"name": name})) == f"'{name}' is called directly, not through execute_tool."
    )
    assert calls.made == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "execute_tool takes name, arguments and connector."),
        ({"name": "tool_0", "args": {}}, "execute_tool takes name, arguments and connector."),
        ({"name": 7}, "execute_tool: name and connector must be strings."),
        ({"name": ["tool_0"]}, "execute_tool: name and connector must be strings."),
        ({"name": "tool_0", "connector": 7}, "execute_tool: name and connector must be strings."),
        ({"name": "tool_0", "arguments": "{}"}, "execute_tool: arguments must be an object, not '{}'."),
        ("tool_0", "execute_tool: arguments must be an object, not 'tool_0'."),
    ],
)
def test_wrong_arguments_of_an_execution_are_a_tool_error_without_a_call(arguments: Any, message: str) -> None:
    calls = Calls()
    assert error(call(surface(named(1), calls), "execute_tool", arguments)) == message
    assert calls.made == []


# --- what cannot be learnt --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["list issues", "create refund", "calendar", "create_issue", "", "xyzzy page"])
def test_a_restricted_caller_is_told_exactly_what_its_own_pool_would_tell(query: str) -> None:
    pool = account()
    seen = surface(pool.restrict(["slack", "linear"]))
    alone = surface(Pool([tool for tool in pool if tool.connector in ("slack", "linear")]))
    for detail in ("names", "descriptions", "schemas"):
        for app in (None, "github", "Linear"):
            assert seen.search_tools(query, 50, app, detail) == alone.search_tools(query, 50, app, detail)
    assert seen.list_tools() == alone.list_tools()


def test_withheld_tools_are_neither_named_nor_counted() -> None:
    pool = account()
    query = "list all cal com schedules"
    assert rank(query, pool).withheld > 0
    answer = told(surface(pool).search_tools(query))
    assert set(answer) == {"tools", "reason", "unknown", "note"}
    assert not [tool.name for tool in pool if tool.name in json.dumps(answer)]
    assert not [sign for sign in json.dumps(answer) if sign.isdigit()]


# --- construction -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"pool": [Tool("a")]}, TypeError, "pool must be a Pool, not ["),
        ({"call": None}, TypeError, "call must be a function of a tool and its arguments, not None"),
        ({"collapse": "maybe"}, ValueError, "collapse must be one of auto, always, never, not 'maybe'"),
        ({"threshold": -1}, ValueError, "threshold must be an integer of 0 or more, not -1"),
        ({"threshold": True}, ValueError, "threshold must be an integer of 0 or more, not True"),
        ({"tokens": 1.5}, ValueError, "tokens must be an integer of 0 or more, not 1.5"),
        ({"budget": 0}, ValueError, "budget must be an integer of 1 or more, not 0"),
        ({"budget": "8k"}, ValueError, "budget must be an integer of 1 or more, not '8k'"),
        ({"budget": True}, ValueError, "budget must be an integer of 1 or more, not True"),
        ({"names": ("a", "a")}, ValueError, "names must be two different names, not ('a', 'a')"),
        ({"names": ("", "a")}, ValueError, "names must be two different names, not ('', 'a')"),
        ({"pins": "get_me"}, TypeError, "pins must be an iterable of names or (connector, name) pairs, not 'get_me'"),
        (
            {"pool": Pool([Tool("search_tools", connector="Evil")])},
            ValueError,
            "names must differ from those of tools, not 'search_tools' of 'Evil'",
        ),
        (
            {"control": [Tool("execute_tool")]},
            ValueError,
            "names must differ from those of tools, not 'execute_tool' of ''",
        ),
        (
            {"pool": Pool([Tool("a")]), "control": [Tool("a", "Another.")]},
            ValueError,
            "control must hold tools that differ from all others, not ('', 'a') again",
        ),
    ],
)
def test_wrong_construction_is_refused(options: dict[str, Any], kind: type[Exception], message: str) -> None:
    given = {"pool": named(1), "call": Calls(), **options}
    with pytest.raises(kind) as caught:
        Surface(**given)
    assert str(caught.value).startswith(message)
