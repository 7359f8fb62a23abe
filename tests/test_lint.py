"""Lint tells what a catalogue's author should mend, and the command says it with its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolrank import Pool, Tool
from toolrank.__main__ import main
from toolrank.lint import KINDS, Finding, lint

ACCOUNT = str(Path(__file__).parent.parent / "docs" / "examples" / "account")


def kinds(*tools: Tool, **how: object) -> list[tuple[str, str]]:
    """Give the kind of each finding, and the name of its tool or its word."""
    return [(f.kind, f.tool.name if f.tool else f.word) for f in lint(Pool(tools), **how)]  # type: ignore[arg-type]


def test_tools_that_can_be_told_apart_and_found_have_nothing_to_mend() -> None:
    assert kinds(Tool("list_users", "People of a workspace."), Tool("get_page", "Text with its headings.")) == []
    assert lint(Pool([])) == []


def test_a_tool_that_another_beats_for_its_own_name_is_told_with_the_other() -> None:
    # Both names are of the parts get and page, so a query for one names both whole; then the code points decide.
    pool = Pool([Tool("get_page", "Alpha beta."), Tool("getPage", "Gamma delta.", connector="x")])
    (found,) = [f for f in lint(pool) if f.kind == "name"]
    assert (found.tool, found.others) == (pool.tool("get_page"), (pool.tool("getPage"),))
    assert str(found) == "'x:getPage' comes before 'get_page' for 'get_page'"


def test_a_name_that_two_connectors_have_is_no_ones_fault() -> None:
    assert (
        kinds(Tool("search", "In pages.", connector="Notion"), Tool("search", "In issues.", connector="Linear")) == []
    )


def test_tools_of_the_same_words_are_twins_whatever_their_case_and_order_in_the_text() -> None:
    pool = Pool([Tool("get_page", "Text of it."), Tool("getPage", "It, of text."), Tool("get_user", "Somebody.")])
    twins = [f for f in lint(pool) if f.kind == "twin"]
    assert [(f.tool, f.others) for f in twins] == [(pool.tool("get_page"), (pool.tool("getPage"),))]
    assert str(twins[0]) == "'get_page' has the same words as 'getPage'"


def test_a_parameter_is_enough_to_tell_two_tools_apart() -> None:
    one, other = Tool("get_page", "Text.", parameters=["id"]), Tool("getPage", "Text.", parameters=["title"])
    assert ("twin", "get_page") not in kinds(one, other)


def test_a_description_without_words_is_empty() -> None:
    assert kinds(Tool("list_users", " <br/> ... ")) == [("empty", "list_users")]


@pytest.mark.parametrize("text", ["Lists the users.", "Set a user list connection.", "List users in Notion"])
def test_a_description_of_the_names_own_words_is_boilerplate(text: str) -> None:
    assert ("boilerplate", "list_users") in kinds(Tool("list_users", text, connector="Notion"))


def test_a_description_that_three_tools_share_is_boilerplate_and_that_two_share_is_not() -> None:
    made = [Tool(f"{verb}_page", "Calls the service.") for verb in ("get", "make", "drop")]
    assert [kind for kind, _ in kinds(*made)].count("boilerplate") == 3
    assert "boilerplate" not in [kind for kind, _ in kinds(*made[:2])]
    (first, *_) = [f for f in lint(Pool(made)) if f.kind == "boilerplate"]
    assert str(first) == "the description of 'get_page' is that of 2 other tools"


def test_a_name_is_stuffed_that_repeats_a_word_or_is_a_sentence() -> None:
    long = Tool("get_all_open_and_closed_issues_of_every_team", "Work to do.")
    again = Tool("search_find_searches_searching", "Looks a thing up.")
    assert [found for found in kinds(long, again) if found[0] == "stuffed"] == [
        ("stuffed", long.name),
        ("stuffed", again.name),
    ]
    told = [str(f) for f in lint(Pool([long, again])) if f.kind == "stuffed"]
    assert told == [
        "the name of 'get_all_open_and_closed_issues_of_every_team' has 9 words, more than 8",
        "the name of 'search_find_searches_searching' says 'search' 3 times",
    ]
    assert kinds(Tool("...", "A name without a word.")) == []


def test_a_tool_that_is_not_found_by_its_first_sentence_is_told() -> None:
    silent = Tool("ping", "Connection set. Frozen.")  # stop words alone: they never match a description
    found = [f for f in lint(Pool([silent, Tool("list_users", "People.")])) if f.kind == "sentence"]
    assert [str(f) for f in found] == ["nothing is found, nor 'ping', for 'Connection set'"]
    beaten = Tool("page_reader", "Get page text")
    found = [f for f in lint(Pool([beaten, Tool("get_page_text", "Of one.")])) if f.kind == "sentence"]
    assert [str(f) for f in found] == ["'get_page_text' comes before 'page_reader' for 'Get page text'"]
    assert found[0].others[0].name == "get_page_text"


def test_a_long_sentence_is_shown_by_its_beginning() -> None:
    (found,) = lint(Pool([Tool("ping", "set " * 30 + "connection")]))[1:]
    assert str(found).endswith("'" + ("set " * 30)[:57] + "...'")


def test_words_of_many_descriptions_and_no_name_are_scaffolding() -> None:
    letters = "abcdefghijkl"
    tools = [Tool(f"do{c}{c}", f"Gateway {c}{c}{c}." if at < 3 else f"Thing{c}.") for at, c in enumerate(letters)]
    found = [f for f in lint(Pool(tools)) if f.kind == "scaffolding"]
    assert [(f.word, f.tool) for f in found] == [("gateway", None)]
    assert str(found[0]) == "'gateway' is in 3 of 12 descriptions and in no name: a stop word of this pool?"
    assert [f for f in lint(Pool(tools, stop_words=["gateway"])) if f.kind == "scaffolding"] == []
    assert [f for f in lint(Pool(tools[:11])) if f.kind == "scaffolding"] == [], "too few to learn from"
    named = [*tools[:-1], Tool("gateway", "It.")]
    assert [f for f in lint(Pool(named)) if f.kind == "scaffolding"] == []


def test_findings_come_by_kind_and_progress_is_told_after_each_tool() -> None:
    told: list[tuple[int, int]] = []
    pool = Pool([Tool("a_b_c_d_e_f_g_h_i", ""), Tool("list_users", "")])
    found = lint(pool, progress=lambda done, of: told.append((done, of)))
    assert [f.kind for f in found] == ["empty", "empty", "stuffed"]
    assert sorted(KINDS, key=list(KINDS).index) == list(KINDS)
    assert told == [(1, 2), (2, 2)]


def test_a_finding_is_ready_for_json() -> None:
    tool = Tool("list_users", connector="Notion")
    told = Finding("empty", tool, (), "", "it has none").to_dict()
    assert told == {
        "kind": "empty",
        "tools": [{"connector": "Notion", "name": "list_users"}],
        "word": "",
        "told": "it has none",
    }
    assert Finding("scaffolding", None, (), "w", "t").to_dict()["tools"] == []


def test_lint_takes_a_pool_and_nothing_else() -> None:
    with pytest.raises(TypeError, match=r"^pool must be a Pool, not \[\]$"):
        lint([])  # type: ignore[arg-type]


def listing(tmp_path: Path, *tools: tuple[str, str]) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"name": name, "description": text} for name, text in tools]), encoding="utf-8")
    return str(path)


def test_the_command_says_nothing_to_mend_with_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = listing(tmp_path, ("list_users", "People of a workspace."))
    assert main(["lint", "--tools", path]) == 0
    assert capsys.readouterr() == ("Nothing to mend in 1 tools.\n", "")


def test_the_command_tells_findings_by_kind_with_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = listing(tmp_path, ("list_users", ""), ("get_page", "Get the page."))
    assert main(["lint", "--tools", path, "--connector", ""]) == 1
    assert capsys.readouterr().out == (
        "empty: there is no description (1)\n"
        "  'list_users' has no description\n"
        "\n"
        "boilerplate: the description says nothing of its own (1)\n"
        "  the description of 'get_page' says nothing that its name does not\n"
    )
    assert main(["lint", "--tools", path, "--json"]) == 1
    assert [found["kind"] for found in json.loads(capsys.readouterr().out)] == ["empty", "boilerplate"]
    assert main(["lint", "--tools", path, "--ignore", "empty", "boilerplate"]) == 0


def test_the_command_refuses_bad_input_with_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--tools", "nowhere.json"]) == 2
    assert main(["lint", "--tools", ACCOUNT, "--ignore", "spelling"]) == 2
    assert "invalid choice: 'spelling'" in capsys.readouterr().err
