"""One tool as it is shown: its definition on the wire, its signature, and its entry in an answer of three sizes.

Every text here may come from a stranger, so it leaves as JSON: a description cannot pass for another entry.
"""

from __future__ import annotations

import hashlib
import json
import marshal
from collections.abc import Iterable, Mapping
from typing import Any

from toolrank._tool import Tool
from toolrank.mcp._listing import field, schema_of

__all__ = ["DETAILS", "compact", "content", "definition", "entry", "estimated_tokens", "signature", "wire"]

# The sizes of an answer, smallest first.
DETAILS = ("names", "descriptions", "schemas")
_ANYTHING = {"type": "object"}

_unicode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
_ascii = json.JSONEncoder(separators=(",", ":"), default=str).encode
# A definition that holds itself ends in a RecursionError here.
_quick = json.JSONEncoder(separators=(",", ":"), default=str, check_circular=False).encode


def compact(value: object) -> str:
    """Return JSON without white space, that any transport can encode: a lone surrogate leaves as an escape."""
    return _encodable(_unicode(value))


def _encodable(text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return _ascii(json.loads(text))
    return text


def content(forms: list[Any]) -> bytes:
    """Return a hash of everything that these definitions say, good for this process.

    Raises TypeError, ValueError or RecursionError for some definitions that cannot be written as JSON.
    """
    try:
        # Several times as quick as JSON. Version 2 has no references, so equal values give equal bytes.
        data = marshal.dumps(forms, 2)
    except ValueError:  # a subclass of dict, say
        data = _quick(forms).encode()
    return hashlib.sha256(data).digest()


def estimated_tokens(definitions: Iterable[Mapping[str, Any]]) -> int:
    """Return about how many tokens a listing takes: a quarter of the characters of its compact JSON.

    It is an estimate. Real counts depend on the model, and for schemas they are usually somewhat higher.

    >>> estimated_tokens([{"name": "search", "inputSchema": {"type": "object"}}])
    13
    """
    return -(-len(compact(list(definitions))) // 4)


def wire(payload: object) -> dict[str, Any] | None:
    """Return an original definition as MCP sends it, or None where it is not in MCP's form."""
    if isinstance(payload, dict):
        return payload
    if isinstance(payload, Mapping):
        return dict(payload)
    convert = getattr(payload, "to_mcp_tool", None)  # FastMCP
    found = convert() if callable(convert) else payload
    dump = getattr(found, "model_dump", None)
    # LangChain's tools have an `input_schema` too, which is a class, and cannot be dumped.
    if not isinstance(field(found, "input_schema", "inputSchema"), Mapping) or not callable(dump):
        return None
    dumped: dict[str, Any] = dump(mode="json", by_alias=True, exclude_none=True)
    return dumped


def definition(tool: Tool) -> dict[str, Any]:
    """Return the definition to list for a tool: the original in MCP's form, or one made from the record.

    >>> definition(Tool("search", "Search pages.", parameters=["query"]))["inputSchema"]
    {'type': 'object', 'properties': {'query': {}}}
    """
    found = wire(tool.payload)
    if found is not None:
        return found
    texts = (("name", tool.name), ("title", tool.title), ("description", tool.description))
    made: dict[str, Any] = {key: text for key, text in texts if text}
    schema = schema_of(tool.payload)
    made["inputSchema"] = schema or {"type": "object", "properties": {name: {} for name in tool.parameters}}
    hints = (("readOnlyHint", tool.read_only), ("destructiveHint", tool.destructive))
    if stated := {key: hint for key, hint in hints if hint is not None}:
        made["annotations"] = stated
    return made


def signature(tool: Tool) -> str:
    """Return how a tool is called, in one line: its inputs in order, a `?` after those that may be left out.

    >>> signature(Tool("search", parameters=["query"]))
    'search(query?)'
    """
    schema: Mapping[str, Any] = schema_of(tool.payload) or {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping):
        properties = {} if tool.payload is not None else dict.fromkeys(tool.parameters)
    needed = set(map(str, required)) if isinstance(required, (list, tuple)) else ()
    inputs = [f"{name}{'' if name in needed else '?'}{_kind(inner)}" for name, inner in properties.items()]
    return f"{tool.name}({', '.join(inputs)})"


def _kind(schema: object) -> str:
    """Return what a signature says of one input: `: integer`, `: "open"|"closed"`, or nothing."""
    if type(schema) is not dict and not isinstance(schema, Mapping):
        return ""
    found = schema.get("enum")
    if isinstance(found, list) and 0 < len(found) <= 8:
        return ": " + "|".join(map(compact, found))
    kind = schema.get("type")
    if isinstance(kind, list):
        return ": " + "|".join(map(str, kind))
    if kind == "array" and isinstance(inner := schema.get("items"), Mapping) and isinstance(inner.get("type"), str):
        return f": {inner['type']}[]"
    return f": {kind}" if isinstance(kind, str) else ""


def entry(tool: Tool, detail: str) -> str:
    """Return one tool of an answer as JSON, in the size asked for: always whole.

    >>> entry(Tool("search", "Search pages.", connector="Notion", read_only=True), "names")
    '{"name":"search","connector":"Notion","read_only":true,"call":"search()"}'
    """
    # Put together by hand, which takes a third of the time: ten of these are most of what a search adds to `rank`.
    hint = "true" if tool.read_only else "false"
    made = f'{{"name":{_unicode(tool.name)},"connector":{_unicode(tool.connector)},"read_only":{hint}'
    if detail != "schemas":
        made += f',"call":{_unicode(signature(tool))}'
    if detail != "names":
        made += f',"description":{_unicode(tool.description)}'
    if detail == "schemas":
        made += f',"inputSchema":{_unicode(definition(tool).get("inputSchema", _ANYTHING))}'
    return _encodable(made + "}")
