"""The names that a JSON Schema gives to its inputs.

Schemas come from servers, so every walk over one is bounded and keeps going past what it does not understand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard
from urllib.parse import unquote

__all__ = ["parameter_names"]

# Bounds on work, not on meaning: past eight levels or some hundreds of names, the words are those of a data model that
# was expanded, not of what the tool takes, and a schema comes from a stranger.
MAX_DEPTH = 8
MAX_NAMES = 256
MAX_SCHEMAS = 2048

# The keywords that hold schemas: one, a list of them, or several by name.
_ONE = frozenset(["items", "additionalProperties", "if", "then", "else"])
_LIST = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
_BY_NAME = frozenset(["properties", "patternProperties", "dependentSchemas"])


def parameter_names(schema: object) -> tuple[str, ...]:
    """Return the property names of a schema, outermost first, each once.

    Nested objects, arrays, alternatives and local references are followed, at most 8 schemas deep, 256 names and 2,048
    schemas in all. Every schema is visited once, so a reference to itself ends there.

    Cost: O(size of the schema), within those bounds.

    >>> parameter_names({"properties": {"page": {"properties": {"title": {}}}, "limit": {"type": "integer"}}})
    ('page', 'limit', 'title')
    """
    names: dict[str, None] = {}
    seen: set[int] = set()
    level: list[object] = [schema]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for here in level:
            if not _is_mapping(here) or id(here) in seen:
                continue
            if len(seen) == MAX_SCHEMAS:
                return tuple(names)
            seen.add(id(here))
            for key, found in here.items():
                if key == "properties" and _is_mapping(found):
                    for name in found:
                        if isinstance(name, str) and len(names) < MAX_NAMES:
                            names[name] = None
                if key in _BY_NAME and _is_mapping(found):
                    below.extend(found.values())
                elif key in _LIST and isinstance(found, list):
                    below.extend(found)
                elif key in _ONE:
                    below.append(found)
                elif key == "$ref" and isinstance(found, str) and found.startswith("#"):
                    below.append(_resolve(found, schema))
        level = below
    return tuple(names)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return type(value) is dict or isinstance(value, Mapping)  # the first is quick, and nearly always enough


def _resolve(reference: str, root: object) -> object:
    """Return what a local reference (`#/$defs/page`) points at, or None."""
    here = root
    for part in unquote(reference[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(here, Mapping):
            here = here.get(key)
        elif isinstance(here, list) and key.isdecimal() and len(key) < 9 and int(key) < len(here):
            here = here[int(key)]
        else:
            return None
    return here
