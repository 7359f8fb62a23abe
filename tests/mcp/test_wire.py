"""A tool as it is shown: its definition in MCP's form, and its signature."""

from __future__ import annotations

from collections import UserDict
from types import SimpleNamespace as Object
from typing import Any

import pytest

from toolrank import Tool
from toolrank.mcp import definition, tools
from toolrank.mcp._wire import signature

DEFINITION: dict[str, Any] = {
    "name": "search",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


def model(**attributes: Any) -> Object:
    """Make an SDK's tool: what it dumps depends on being asked for the names of the wire."""

    def dump(mode: str, by_alias: bool, exclude_none: bool) -> dict[str, Any]:
        assert (mode, by_alias, exclude_none) == ("json", True, True)
        return dict(DEFINITION)

    return Object(name="search", model_dump=dump, **attributes)


@pytest.mark.parametrize(
    "payload",
    [
        DEFINITION,
        UserDict(DEFINITION),
        model(inputSchema={"type": "object"}),
        model(input_schema={"type": "object"}),
        Object(name="search", parameters={"type": "object"}, to_mcp_tool=lambda: model(inputSchema={"type": "object"})),
    ],
    ids=["dictionary", "mapping", "mcp 1.x", "mcp 2.x", "FastMCP"],
)
def test_an_original_is_shown_in_the_form_of_the_wire(payload: object) -> None:
    [tool] = tools([payload])
    assert definition(tool) == DEFINITION


def test_a_tool_of_another_framework_is_shown_by_what_was_read() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    notes = {"readOnlyHint": True}
    given = Object(
        name="search", description="Find.", args_schema=schema, metadata=notes, input_schema=Object, model_dump=1
    )
    [tool] = tools([given])
    assert definition(tool) == {
        "name": "search",
        "description": "Find.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True},
    }


def test_a_tool_without_an_original_is_shown_by_its_record() -> None:
    assert definition(Tool("search", "Find.", title="Search", parameters=["q"], destructive=False)) == {
        "name": "search",
        "title": "Search",
        "description": "Find.",
        "inputSchema": {"type": "object", "properties": {"q": {}}},
        "annotations": {"destructiveHint": False},
    }
    assert definition(Tool("search")) == {"name": "search", "inputSchema": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    ("schema", "inputs"),
    [
        ({}, ""),
        ({"properties": {"a": {}}}, "a?"),
        ({"properties": {"a": True, "b": {}}, "required": ["a"]}, "a, b?"),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, "a: string"),
        ({"properties": {"a": {"type": ["string", "null"]}}}, "a?: string|null"),
        ({"properties": {"a": {"enum": ["x", 2, None]}}}, 'a?: "x"|2|null'),
        ({"properties": {"a": {"enum": list(range(9)), "type": "integer"}}}, "a?: integer"),
        ({"properties": {"a": {"enum": []}}}, "a?"),
        ({"properties": {"a": {"type": "array", "items": {"type": "string"}}}}, "a?: string[]"),
        ({"properties": {"a": {"type": "array", "items": {"anyOf": []}}}}, "a?: array"),
        ({"properties": {"a": {"type": "array"}}}, "a?: array"),
        ({"properties": {"a": {"type": 7}}}, "a?"),
        ({"properties": [], "required": "a"}, ""),
    ],
)
def test_a_signature_tells_each_input_in_one_line(schema: dict[str, Any], inputs: str) -> None:
    [tool] = tools([{"name": "f", "inputSchema": schema}])
    assert signature(tool) == f"f({inputs})"


def test_a_signature_of_a_bare_record_has_its_parameters() -> None:
    assert signature(Tool("f", parameters=["a", "b"])) == "f(a?, b?)"
