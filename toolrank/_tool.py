"""The record of a tool.

What a tool is, validated once at construction. Nothing here reads a text: words come later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from toolrank._record import Record

__all__ = ["Tool"]

_set = object.__setattr__


class Tool(Record):
    """A tool as its server lists it.

    `name` is what a call names, byte for byte; `connector` labels the server or account it comes from, and
    `(connector, name)` is its identity. `parameters` are the names of its inputs. `read_only` and `destructive` are the
    MCP hints: True, False, or None when not stated. `payload` carries whatever the caller wants back, such as the
    original definition; it takes no part in comparison or ranking. None for a text means the empty text.

    Raises TypeError where an argument has the wrong type.

    >>> Tool("search", "Search pages.", connector="Notion", parameters=["query"]).identity
    ('Notion', 'search')
    >>> Tool(7)
    Traceback (most recent call last):
    TypeError: name must be a string, not 7
    """

    name: str
    description: str
    connector: str
    title: str
    parameters: tuple[str, ...]
    read_only: bool | None
    destructive: bool | None
    payload: object

    __slots__ = ("connector", "description", "destructive", "name", "parameters", "payload", "read_only", "title")
    _aside: ClassVar[tuple[str, ...]] = ("payload",)

    def __init__(
        self,
        name: str,
        description: str | None = "",
        connector: str | None = "",
        title: str | None = "",
        parameters: Iterable[str] = (),
        read_only: bool | None = None,
        destructive: bool | None = None,
        payload: object = None,
    ) -> None:
        if not isinstance(name, str):
            raise TypeError(f"name must be a string, not {name!r}")
        _set(self, "name", name)
        _set(self, "description", _text("description", description))
        _set(self, "connector", _text("connector", connector))
        _set(self, "title", _text("title", title))
        _set(self, "parameters", _names(parameters))
        _set(self, "read_only", _hint("read_only", read_only))
        _set(self, "destructive", _hint("destructive", destructive))
        _set(self, "payload", payload)

    @property
    def identity(self) -> tuple[str, str]:
        """The pair (connector, name)."""
        return self.connector, self.name


def _text(argument: str, value: str | None) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be a string or None, not {value!r}")
    return value


def _names(value: Iterable[str]) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"parameters must be an iterable of strings, not {value!r}")
    names = tuple(value)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"parameters must be an iterable of strings, not one with {name!r}")
    return names


def _hint(argument: str, value: bool | None) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise TypeError(f"{argument} must be True, False or None, not {value!r}")
