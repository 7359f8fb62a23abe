"""Listings: whatever answers `tools/list`, as tools.

Shapes are told by what they hold, never by their class, so no SDK is imported. A listing is read whole or refused
whole; the message names the connector, the place in the listing, and what was expected there.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Mapping, Sequence
from typing import NoReturn

from toolrank._tool import Tool
from toolrank.mcp._schema import parameter_names

__all__ = ["entries", "field", "schema_of", "shown", "tools"]

# The input schema's name: in LangChain; mcp 2.x; mcp 1.x and on the wire; FastMCP; pydantic-ai; OpenAI Agents.
# LangChain's comes first: its tools have an `input_schema` of another meaning.
_SCHEMA = (
    "args_schema",
    "input_schema",
    "inputSchema",
    "parameters",
    "parameters_json_schema",
    "params_json_schema",
)
# New names before old ones: FastMCP warns of who reads the old name of what has a new one.
_READ_ONLY = ("read_only_hint", "readOnlyHint")
_DESTRUCTIVE = ("destructive_hint", "destructiveHint")
# Neither a mapping nor an object of an SDK.
_PLAIN = (str, bytes, int, float, list, tuple)

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


def tools(listing: object, connector: str = "") -> list[Tool]:
    """Return the tools of a listing, each with its original definition as `payload`.

    A listing is a dictionary with "tools", a JSON-RPC response with one as its "result", the list alone, any of these
    as JSON text or bytes, or the objects of an SDK: a result with `.tools`, or a list of its tools. Names, titles,
    descriptions, the two hints and the names of inputs (nested ones and local references too, within bounds) are read;
    nothing else is looked at.

    Raises ValueError for a listing that is something else, holds an error response, or has a malformed entry, and
    TypeError where `connector` is not a string.

    Cost: O(size of the listing).

    >>> [tool] = tools('{"tools": [{"name": "search", "inputSchema": {"properties": {"query": {}}}}]}', "Notion")
    >>> tool.connector, tool.name, tool.parameters, tool.payload["name"]
    ('Notion', 'search', ('query',), 'search')
    >>> tools([{"name": "search"}, {"name": None}], "Notion")
    Traceback (most recent call last):
    ValueError: tools listing of 'Notion': tools[1].name must be a string, not None
    """
    if not isinstance(connector, str):
        raise TypeError(f"connector must be a string, not {connector!r}")
    reader = _Reader(connector)
    return [reader.tool(definition, at) for at, definition in enumerate(reader.entries(listing))]


def entries(listing: object, connector: str = "") -> Sequence[object]:
    """Return the definitions of a listing, not yet looked at."""
    return _Reader(connector).entries(listing)


def field(value: object, *names: str) -> object:
    """Return the first of these keys that is not None, or the first of these attributes that an object has."""
    if type(value) is dict or isinstance(value, Mapping):
        for name in names:
            if (found := value.get(name)) is not None:
                return found
        return None
    return next((getattr(value, name) for name in names if hasattr(value, name)), None)


def schema_of(definition: object) -> Mapping[str, object] | None:
    """Return the input schema of a definition of any shape, or None where it has none."""
    found = _schema(definition)
    return found if isinstance(found, Mapping) else None


def _schema(definition: object) -> object:
    found = field(definition, *_SCHEMA)
    make = getattr(found, "model_json_schema", None)  # LangChain's may be a pydantic model
    return make() if callable(make) else found


def shown(value: object) -> str:
    """Return a value as an error message shows it: its beginning, in one line."""
    return _short.repr(value)


class _Reader:
    """One reading: the connector for messages, and the names that were met."""

    def __init__(self, connector: str) -> None:
        self.connector = connector
        self.met: dict[str, tuple[int, Tool]] = {}

    def entries(self, listing: object) -> Sequence[object]:
        """Return the definitions, whatever they are wrapped in."""
        found = self.parsed(listing)
        if isinstance(found, Mapping):
            if found.get("error") is not None:
                error = found["error"]
                code, message = field(error, "code"), field(error, "message")
                self.fail("the response", "a result", f"the error {shown(code)}: {shown(message)}")
            if isinstance(found.get("result"), Mapping):
                found = found["result"]
        inside = field(found, "tools")
        if inside is not None:
            found = inside
        elif not isinstance(found, (list, tuple)):
            self.fail("the listing", "a list of tools or an object with 'tools'", shown(found))
        if not isinstance(found, Sequence) or isinstance(found, (str, bytes, bytearray)):
            self.fail("tools", "a list", shown(found))
        return found

    def parsed(self, listing: object) -> object:
        """Return JSON text or bytes parsed, and anything else as it is."""
        if not isinstance(listing, (str, bytes, bytearray)):
            return listing
        try:
            return json.loads(listing.removeprefix("\ufeff") if isinstance(listing, str) else listing)
        except (ValueError, RecursionError) as error:
            self.fail("the listing", "JSON", f"{shown(listing)} ({error})")

    def tool(self, definition: object, at: int) -> Tool:
        """Return the tool of one definition."""
        where = f"tools[{at}]"
        if definition is None or isinstance(definition, _PLAIN):
            self.fail(where, "a tool definition", shown(definition))
        name = field(definition, "name")
        if not isinstance(name, str):
            self.fail(f"{where}.name", "a string", shown(name))
        if not name:
            self.fail(f"{where}.name", "a string of one character or more", "''")
        notes = self.annotations(definition, where)
        tool = Tool(
            name,
            self.text(definition, "description", where),
            connector=self.connector,
            title=self.text(definition, "title", where) or self.text(notes, "title", f"{where}.annotations"),
            parameters=parameter_names(self.schema(definition, where)),
            read_only=self.hint(notes, _READ_ONLY, where),
            destructive=self.hint(notes, _DESTRUCTIVE, where),
            payload=definition,
        )
        first, other = self.met.setdefault(name, (at, tool))
        if other != tool:
            self.fail(f"{where}.name", "a name that is listed once", f"{shown(name)}, that of tools[{first}] too")
        return tool

    def annotations(self, definition: object, where: str) -> object:
        """Return the annotations, if there are any."""
        metadata = field(definition, "metadata")
        # pydantic-ai keeps the annotations inside its metadata, and LangChain's adapter the hints themselves.
        found = field(definition, "annotations") or field(metadata, "annotations") or metadata
        if isinstance(found, _PLAIN):
            self.fail(f"{where}.annotations", "an object", shown(found))
        return found

    def text(self, holder: object, name: str, where: str) -> str:
        """Return an optional text."""
        found = field(holder, name)
        if found is None:
            return ""
        if not isinstance(found, str):
            self.fail(f"{where}.{name}", "a string", shown(found))
        return found

    def schema(self, definition: object, where: str) -> Mapping[str, object] | None:
        """Return the input schema, if there is one."""
        found = _schema(definition)
        if found is not None and not isinstance(found, Mapping):
            self.fail(f"{where}.inputSchema", "an object", shown(found))
        return found

    def hint(self, notes: object, names: tuple[str, str], where: str) -> bool | None:
        """Return an optional hint."""
        found = field(notes, *names)
        if found is not None and not isinstance(found, bool):
            self.fail(f"{where}.annotations.{names[-1]}", "true or false", shown(found))
        return found

    def fail(self, what: str, rule: str, value: str) -> NoReturn:
        of = f" of {self.connector!r}" if self.connector else ""
        raise ValueError(f"tools listing{of}: {what} must be {rule}, not {value}")
