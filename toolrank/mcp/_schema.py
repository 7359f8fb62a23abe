"""The names that a JSON Schema gives to its inputs.

Schemas come from servers, so every walk over one is bounded and keeps going past what it does not understand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

__all__ = ["parameter_names"]

# Bounds on work, not on meaning: past eight levels or some hundreds of names, the words are those of a data model that
# was expanded, not of what the tool takes, and a schema comes from a stranger.
MAX_DEPTH = 8
MAX_NAMES = 256
MAX_SCHEMAS = 2048

_ONE = ("items", "additionalProperties", "if", "then", "else")
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_BY_NAME = ("patternProperties", "dependentSchemas")


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
    queue: deque[tuple[object, int]] = deque([(schema, 1)])
    while queue and len(seen) < MAX_SCHEMAS:
        here, depth = queue.popleft()
        if not isinstance(here, Mapping) or id(here) in seen:
            continue
        seen.add(id(here))
        for name in _properties(here):
            if len(names) == MAX_NAMES:
                return tuple(names)
            names[name] = None
        if depth < MAX_DEPTH:
            queue.extend((inner, depth + 1) for inner in _inner(here, schema))
    return tuple(names)


def _properties(schema: Mapping[object, object]) -> list[str]:
    found = schema.get("properties")
    return [name for name in found if isinstance(name, str)] if isinstance(found, Mapping) else []


def _inner(schema: Mapping[object, object], root: object) -> Iterator[object]:
    """Yield the schemas directly inside one, in a fixed order."""
    for key in ("properties", *_BY_NAME):
        found = schema.get(key)
        if isinstance(found, Mapping):
            yield from found.values()
    for key in _ONE:
        yield schema.get(key)
    for key in _SEVERAL:
        found = schema.get(key)
        if isinstance(found, list):
            yield from found
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        yield _resolve(reference, root)


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
