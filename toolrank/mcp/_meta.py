"""The two meta-tools: their definitions, written for the model that reads them, and what their arguments may be."""

from __future__ import annotations

from typing import Any

from toolrank.mcp._listing import shown
from toolrank.mcp._wire import DETAILS

__all__ = ["LIMIT", "MAX_LIMIT", "MAX_QUERIES", "MAX_QUERY", "META_NAMES", "execute_definition", "search_definition"]

META_NAMES = ("search_tools", "execute_tool")

MAX_QUERY = 10_000
MAX_QUERIES = 16
LIMIT = 10
MAX_LIMIT = 50


def search_definition(search: str, execute: str) -> dict[str, Any]:
    """Return the definition of the searching meta-tool."""
    return {
        "name": search,
        "title": "Search the connected tools",
        "description": (
            "Find tools of the apps that are connected here. Name the app and the action in a few words, such as "
            "'linear create issue' or 'calendar free slots'; the exact name of a tool works too. If the user named an "
            "app or product, give it as `app` too: then only its tools are returned, and an empty answer means that it "
            f"is not connected. Call what you find with {execute}. An empty answer is final for its words: nothing "
            "here does that. Rephrase once with the app and the action; if it stays empty, tell the user that this is "
            "not connected, and do not use a tool for something else instead."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The app and the action, in a few words."},
                "queries": {
                    "type": "array",
                    "items": {"type": "string"},
                    "maxItems": MAX_QUERIES,
                    "description": "Instead of query: several different questions, answered in turn.",
                },
                "app": {"type": "string", "description": "The app, product or server that the user named."},
                "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": LIMIT},
                "detail": {
                    "enum": list(DETAILS),
                    "default": DETAILS[0],
                    "description": "How much to tell of each tool; 'schemas' before a call with nested inputs.",
                },
            },
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def execute_definition(search: str, execute: str) -> dict[str, Any]:
    """Return the definition of the executing meta-tool."""
    return {
        "name": execute,
        "title": "Call a connected tool",
        "description": (
            f"Call a tool that {search} returned, by its exact name, with the arguments that its signature or schema "
            "asks for. Give the connector as well where several have a tool of that name."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": f"The name, exactly as {search} gave it."},
                "arguments": {"type": "object", "description": "The arguments of that tool."},
                "connector": {"type": "string", "description": f"The connector, as {search} gave it."},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
        # The tool that is called may do anything.
        "annotations": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True},
    }


def wrong_search(queries: object, limit: object, app: object, detail: object) -> str | None:
    """Return what is wrong with the arguments of a search, if anything is."""
    if not isinstance(queries, (list, tuple)):
        return f"query must be a string, or queries a list of strings, not {shown(queries)}"
    if not 1 <= len(queries) <= MAX_QUERIES:
        return f"queries must be a list of 1 to {MAX_QUERIES} strings, not of {len(queries)}"
    for query in (*queries, "" if app is None else app):
        if not isinstance(query, str):
            return f"query, each of queries, and app must be strings, not {shown(query)}"
        if len(query) > MAX_QUERY:
            return f"query, each of queries, and app must have at most {MAX_QUERY:,} characters, not {len(query):,}"
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        return f"limit must be an integer from 1 to {MAX_LIMIT}, not {shown(limit)}"
    if detail not in DETAILS:
        return f"detail must be one of {', '.join(DETAILS)}, not {shown(detail)}"
    return None
