"""Listings of every shape give the same tools; malformed ones say where, and what was expected."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace as Object
from typing import Any

import pytest

from toolrank import Pool, Tool, rank
from toolrank.mcp import tools
from toolrank.mcp._schema import MAX_DEPTH, MAX_NAMES, MAX_SCHEMAS, parameter_names

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"page_id": {"type": "string"}}}
DEFINITION: dict[str, Any] = {
    "name": "delete_page",
    "title": "Delete a page",
    "description": "Move a page to the bin.",
    "inputSchema": SCHEMA,
    "annotations": {"readOnlyHint": False, "destructiveHint": True},
}
EXPECTED = Tool("delete_page", "Move a page to the bin.", "Notion", "Delete a page", ("page_id",), False, True)


def old_sdk(definition: dict[str, Any]) -> Object:
    """Make an object with the attributes of the official SDK's 1.x."""
    return Object(**{**definition, "annotations": Object(**definition["annotations"])}, outputSchema=None, meta=None)


def new_sdk(definition: dict[str, Any]) -> Object:
    """Make an object with the attributes of the official SDK's 2.x."""
    notes = Object(title=None, read_only_hint=False, destructive_hint=True, idempotent_hint=None)
    tool = Object(**{key: value for key, value in definition.items() if key not in ("inputSchema", "annotations")})
    tool.input_schema, tool.annotations = definition["inputSchema"], notes
    return tool


def fastmcp(definition: dict[str, Any]) -> Object:
    """Make an object with the attributes of a FastMCP tool."""
    tool = old_sdk(definition)
    tool.parameters = tool.inputSchema
    del tool.inputSchema
    return tool


SHAPES: dict[str, Callable[[], object]] = {
    "a list": lambda: [DEFINITION],
    "a tuple": lambda: (DEFINITION,),
    "a result": lambda: {"tools": [DEFINITION], "nextCursor": None},
    "a response": lambda: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [DEFINITION]}},
    "a response with a null error": lambda: {"error": None, "result": {"tools": [DEFINITION]}},
    "text": lambda: json.dumps({"tools": [DEFINITION]}),
    "text with a byte order mark": lambda: "\ufeff" + json.dumps([DEFINITION]),
    "bytes": lambda: json.dumps([DEFINITION]).encode(),
    "bytes in UTF-16": lambda: json.dumps([DEFINITION]).encode("utf-16"),
    "a bytearray": lambda: bytearray(json.dumps([DEFINITION]).encode()),
    "a result of mcp 1.x": lambda: Object(tools=[old_sdk(DEFINITION)], nextCursor=None),
    "a result of mcp 2.x": lambda: Object(tools=[new_sdk(DEFINITION)], next_cursor=None, ttl_ms=0),
    "tools of mcp 1.x": lambda: [old_sdk(DEFINITION)],
    "tools of mcp 2.x": lambda: [new_sdk(DEFINITION)],
    "tools of FastMCP": lambda: [fastmcp(DEFINITION)],
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_gives_the_same_tool(shape: Callable[[], object]) -> None:
    assert tools(shape(), "Notion") == [EXPECTED]


def test_the_payload_is_the_definition_itself() -> None:
    given = new_sdk(DEFINITION)
    assert tools([given])[0].payload is given


def test_what_is_not_stated_stays_unstated() -> None:
    assert tools([{"name": "search"}]) == [Tool("search")]


def test_the_title_of_the_annotations_stands_in_for_a_missing_one() -> None:
    notes = {"title": "Find pages"}
    assert tools([{"name": "search", "annotations": notes}])[0].title == "Find pages"
    assert tools([{"name": "search", "title": "Search", "annotations": notes}])[0].title == "Search"


def test_an_old_name_is_not_read_where_the_new_one_is_there() -> None:
    class Warns:
        """What FastMCP makes of the SDK's records: the names of mcp 1.x still work, and warn."""

        def __init__(self, **attributes: object) -> None:
            self.__dict__.update(attributes)

        def __getattr__(self, name: str) -> object:
            if name in ("inputSchema", "readOnlyHint", "destructiveHint", "nextCursor"):
                raise DeprecationWarning(name)
            raise AttributeError(name)

    notes = Warns(title=None, read_only_hint=None, destructive_hint=None)
    given = Warns(name="search", title=None, description=None, input_schema=SCHEMA, annotations=notes)
    assert tools(Warns(tools=[given], next_cursor=None)) == [Tool("search", parameters=["page_id"])]


def test_tools_of_agent_frameworks_are_read_too() -> None:
    notes = {"readOnlyHint": True}
    model = Object(model_json_schema=lambda: SCHEMA)
    given = [
        Object(
            name="a", description=None, parameters_json_schema=SCHEMA, metadata={"annotations": notes, "meta": None}
        ),
        Object(name="b", description="", params_json_schema=SCHEMA),
        Object(name="c", description="", args_schema=SCHEMA, metadata=notes),
        Object(name="d", description="", args_schema=model, metadata=None),
    ]
    assert tools(given) == [
        Tool("a", parameters=["page_id"], read_only=True),
        Tool("b", parameters=["page_id"]),
        Tool("c", parameters=["page_id"], read_only=True),
        Tool("d", parameters=["page_id"]),
    ]


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.json")), ids=lambda path: path.stem)
def test_the_saved_listings_are_read_from_their_bytes(path: Path) -> None:
    found = tools(path.read_bytes(), path.stem)
    assert found
    assert {tool.connector for tool in found} == {path.stem}


@pytest.mark.parametrize(
    ("listing", "message"),
    [
        (None, "the listing must be a list of tools or an object with 'tools', not None"),
        (7, "the listing must be a list of tools or an object with 'tools', not 7"),
        ({}, "the listing must be a list of tools or an object with 'tools', not {}"),
        ({"tools": None}, "the listing must be a list of tools or an object with 'tools', not {'tools': None}"),
        ({"tools": "search"}, "tools must be a list, not 'search'"),
        ({"tools": {"search": {}}}, "tools must be a list, not {'search': {}}"),
        ({"result": {"prompts": []}}, "the listing must be a list of tools or an object with 'tools', not"),
        ("not json", "the listing must be JSON, not 'not json' (Expecting value"),
        (b"\xff\xfe\xff", "the listing must be JSON, not b'\\xff\\xfe\\xff' ("),
        ("[" * 100_000, "the listing must be JSON, not '[[["),
        (
            {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}},
            "the response must be a result, not the error -32601: 'Method not found'",
        ),
        ({"error": "no"}, "the response must be a result, not the error None: None"),
        ([None], "tools[0] must be a tool definition, not None"),
        ([{"name": "a"}, "b"], "tools[1] must be a tool definition, not 'b'"),
        ([{"name": "a"}, {"name": None}], "tools[1].name must be a string, not None"),
        ([{}], "tools[0].name must be a string, not None"),
        ([{"name": ""}], "tools[0].name must be a string of one character or more, not ''"),
        ([{"name": "a", "title": 1}], "tools[0].title must be a string, not 1"),
        ([{"name": "a", "description": ["b"]}], "tools[0].description must be a string, not ['b']"),
        ([{"name": "a", "inputSchema": []}], "tools[0].inputSchema must be an object, not []"),
        ([{"name": "a", "annotations": "safe"}], "tools[0].annotations must be an object, not 'safe'"),
        ([{"name": "a", "annotations": {"title": 1}}], "tools[0].annotations.title must be a string, not 1"),
        (
            [{"name": "a", "annotations": {"readOnlyHint": "yes"}}],
            "tools[0].annotations.readOnlyHint must be true or false, not 'yes'",
        ),
        (
            [{"name": "a", "annotations": {"destructiveHint": 1}}],
            "tools[0].annotations.destructiveHint must be true or false, not 1",
        ),
        (
            [{"name": "a"}, {"name": "b"}, {"name": "a", "title": "A"}],
            "tools[2].name must be a name that is listed once, not 'a', that of tools[0] too",
        ),
    ],
)
def test_a_malformed_listing_names_the_connector_the_place_and_what_was_expected(listing: object, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        tools(listing, "Notion")
    assert str(caught.value).startswith(f"tools listing of 'Notion': {message}")
    assert len(str(caught.value)) < 300


def test_without_a_connector_the_message_names_none() -> None:
    with pytest.raises(ValueError, match=r"^tools listing: tools\[0\]\.name must be a string, not 1$"):
        tools([{"name": 1}])


def test_the_connector_must_be_a_string() -> None:
    with pytest.raises(TypeError, match=r"^connector must be a string, not None$"):
        tools([], None)  # type: ignore[arg-type]


def test_an_entry_listed_twice_is_one_tool_of_the_pool() -> None:
    assert len(Pool(tools([DEFINITION, dict(DEFINITION)]))) == 1


@pytest.mark.parametrize(
    "name", ["mcp__notion__delete_page", "notion__delete_page", "notion.delete_page", "notion:delete_page"]
)
def test_a_name_that_carries_its_server_is_found_by_its_leaf_and_kept_as_listed(name: str) -> None:
    pool = Pool(tools([{"name": name}, {"name": "mcp__linear__list_issues"}]))
    [hit] = rank("delete_page", pool)
    assert (hit.tool.name, hit.named) == (name, True)


def test_nested_names_follow_the_outer_ones() -> None:
    schema: dict[str, Any] = {
        "properties": {
            "parent": {"properties": {"page_id": {}, "type": {}}},
            "children": {"type": "array", "items": {"properties": {"text": {}}}},
            "pair": {"prefixItems": [{"properties": {"left": {}}}, True], "items": [{"properties": {"right": {}}}]},
            "when": {"anyOf": [{"properties": {"start": {}}}, {"oneOf": [{"allOf": [{"properties": {"end": {}}}]}]}]},
            "extra": {"additionalProperties": {"properties": {"value": {}}}, "patternProperties": {"^x": {}}},
        },
        "if": {"properties": {"mode": {}}},
        "then": {"properties": {"size": {}}},
    }
    outer = "parent children pair when extra"
    assert " ".join(parameter_names(schema)) == f"{outer} page_id type mode size text left right start value end"


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#/$defs/page", "title"),
        ("#/$defs/a~1b", "slash"),
        ("#/$defs/a~0b", "tilde"),
        ("#/$defs/with%20space", "space"),
        ("#/$defs/several/0", "first"),
        ("#", None),
        ("#/$defs/several/1", None),
        ("#/$defs/several/x", None),
        ("#/$defs/none/deeper", None),
        ("#/title/deeper", None),
        ("https://example.com/schema", None),
    ],
)
def test_local_references_are_followed_and_others_left(reference: str, found: str | None) -> None:
    schema = {
        "title": "Page",
        "properties": {"page": {"$ref": reference}},
        "$defs": {
            "page": {"properties": {"title": {}}},
            "a/b": {"properties": {"slash": {}}},
            "a~b": {"properties": {"tilde": {}}},
            "with space": {"properties": {"space": {}}},
            "several": [{"properties": {"first": {}}}],
        },
    }
    assert parameter_names(schema) == (("page",) if found is None else ("page", found))


def test_a_schema_that_refers_to_itself_ends() -> None:
    tree: dict[str, Any] = {"properties": {"name": {}, "child": {"$ref": "#"}, "next": {"$ref": "#/$defs/node"}}}
    tree["$defs"] = {"node": {"properties": {"next": {"$ref": "#/$defs/node"}, "value": {}}}}
    assert parameter_names(tree) == ("name", "child", "next", "value")
    tree["properties"]["child"] = tree
    assert parameter_names(tree) == ("name", "child", "next", "value")


def test_depth_names_and_schemas_are_bounded() -> None:
    deep: dict[str, Any] = {}
    for level in reversed(range(MAX_DEPTH + 5)):
        deep = {"properties": {f"level{level}": deep}}
    assert parameter_names(deep) == tuple(f"level{level}" for level in range(MAX_DEPTH))

    wide: dict[str, Any] = {"properties": {f"name{k}": {} for k in range(MAX_NAMES + 5)}}
    assert parameter_names(wide) == tuple(f"name{k}" for k in range(MAX_NAMES))

    many: dict[str, Any] = {"anyOf": [{} for _ in range(MAX_SCHEMAS)] + [{"properties": {"late": {}}}]}
    assert parameter_names(many) == ()
    del many["anyOf"][:2]
    assert parameter_names(many) == ("late",)


@pytest.mark.parametrize(
    "schema", [None, True, [], {"properties": []}, {"properties": {7: {}}}, {"anyOf": {}, "items": 3}]
)
def test_what_is_no_schema_has_no_names(schema: object) -> None:
    assert parameter_names(schema) == ()
