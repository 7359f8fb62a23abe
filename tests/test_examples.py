"""The saved tools/list results under docs/examples are what their README says they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
FILES = sorted(EXAMPLES.rglob("*.json"))
CONNECTORS = {"notion", "github", "google-calendar", "linear", "slack", "stripe"}

# The incident's three informative words. `commit` or `calendar` in a name would match by prefix.
NAME_BEGINNINGS = ("cal", "com", "sched")
TEXT_WORDS = {"cal", "com", "schedule", "schedules", "scheduled", "scheduling"}


def shape(value: Any) -> str:
    """Name the shape of a saved result, in the README's words."""
    if isinstance(value, list):
        return "a bare list"
    if "jsonrpc" in value:
        return "a JSON-RPC response"
    return '`{"tools": [...]}`'


def tools_of(value: Any) -> list[dict[str, Any]]:
    """Return the tool definitions of a saved result of any shape."""
    while isinstance(value, dict):
        value = value["result"] if "result" in value else value["tools"]
    assert isinstance(value, list)
    return value


def load(path: Path) -> Any:
    """Parse one example."""
    return json.loads(path.read_text(encoding="utf-8"))


def words(text: str) -> list[str]:
    """Split at everything but letters and digits, and before a capital that follows a small letter."""
    return [word.casefold() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", text)]


def texts_of(tool: dict[str, Any]) -> list[str]:
    """Collect what a ranker or a reader may see of a tool beside its name."""
    properties = tool["inputSchema"]["properties"]
    notes = [schema.get("description", "") for schema in properties.values()]
    return [tool["description"], tool.get("title", ""), *properties, *notes]


def forbidden(tool: dict[str, Any]) -> list[str]:
    """List the words of a tool that the incident's query could match."""
    in_name = [word for word in words(tool["name"]) if word.startswith(NAME_BEGINNINGS)]
    return in_name + [word for text in texts_of(tool) for word in words(text) if word in TEXT_WORDS]


def table() -> dict[str, tuple[int, str]]:
    """Read the table of the examples' README: file -> number of tools and shape."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| (\d+) \| (.+?) \|$", text, flags=re.MULTILINE)
    return {file: (int(count), how) for file, count, how in rows}


def test_the_readme_tells_every_file_with_its_count_and_shape() -> None:
    found = {path.relative_to(EXAMPLES).as_posix(): (len(tools_of(load(path))), shape(load(path))) for path in FILES}
    assert table() == found


def test_the_account_has_the_connectors_and_the_total_that_the_readme_tells() -> None:
    account = [path for path in FILES if path.parent.name == "account"]
    total = sum(len(tools_of(load(path))) for path in account)
    text = " ".join((EXAMPLES / "README.md").read_text(encoding="utf-8").split())
    assert {path.stem for path in FILES} == CONNECTORS
    assert len(account) == 5
    assert f"five connectors and {total} tools" in text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_are_unique_within_a_connector(path: Path) -> None:
    names = [tool["name"] for tool in tools_of(load(path))]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_definition_is_whole(path: Path) -> None:
    for tool in tools_of(load(path)):
        assert set(tool) <= {"name", "title", "description", "inputSchema", "annotations"}, tool["name"]
        assert tool["name"], "a tool has a name"
        assert tool["description"].endswith("."), tool["name"]
        schema = tool["inputSchema"]
        assert schema["type"] == "object", tool["name"]
        assert set(schema.get("required", [])) <= set(schema["properties"]), tool["name"]
        hints = tool["annotations"]
        assert not (hints["readOnlyHint"] and hints.get("destructiveHint")), tool["name"]


def test_no_notion_tool_has_a_word_that_the_incidents_query_could_match() -> None:
    assert {tool["name"]: forbidden(tool) for tool in tools_of(load(EXAMPLES / "notion.json")) if forbidden(tool)} == {}


def test_notion_has_the_words_list_and_all_in_one_name() -> None:
    names = [words(tool["name"]) for tool in tools_of(load(EXAMPLES / "notion.json"))]
    assert any({"list", "all"} <= set(name) for name in names)


def test_the_account_has_two_tools_of_one_name() -> None:
    names = {
        path.stem: {tool["name"] for tool in tools_of(load(path))}
        for path in FILES
        if path.stem in {"github", "linear"}
    }
    assert "list_issues" in names["github"] & names["linear"]


@pytest.mark.parametrize(
    ("name", "description", "parameter", "found"),
    [
        ("create_comment", "Say it.", "id", ["comment"]),
        ("listCalendars", "List them.", "id", ["calendars"]),
        ("reschedule_job", "Move it.", "id", []),
        ("list_jobs", "See cal.com for more.", "id", ["cal", "com"]),
        ("list_jobs", "A local call, complete.", "id", []),
        ("list_jobs", "List them.", "schedule_id", ["schedule"]),
    ],
)
def test_the_forbidden_words_are_words_and_not_letters(
    name: str, description: str, parameter: str, found: list[str]
) -> None:
    tool = {"name": name, "description": description, "inputSchema": {"properties": {parameter: {}}}}
    assert forbidden(tool) == found
