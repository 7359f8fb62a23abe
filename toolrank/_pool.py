"""A pool: exactly the tools that one caller may see.

A pool is an index and the set of the ids in it that are visible. Restricting a pool shares the index; whatever a query
computes is computed over the visible ids alone, so nothing about a hidden tool can show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from toolrank._bits import mask_of
from toolrank._index import Index
from toolrank._text import STOP_WORDS
from toolrank._tool import Tool

__all__ = ["Pool"]


class Pool:
    """An immutable set of tools, read once and ranked any number of times.

    Tools that are equal in every field but payload collapse into the first. `stop_words` are the words that never
    match a description, title or parameter.

    Iteration gives the tools in the order in which they were given.

    Raises TypeError where `tools` holds something else, and ValueError where two different tools have one
    (connector, name).

    Cost: O(characters of all tools).

    >>> pool = Pool([Tool("search", "Search pages.", connector="Notion"), Tool("list_issues", connector="Linear")])
    >>> len(pool), pool.tool("search").connector
    (2, 'Notion')
    >>> [tool.name for tool in pool.restrict(lambda tool: tool.connector == "Linear")]
    ['list_issues']
    """

    __slots__ = ("_by_identity", "_index", "_size", "_visible")

    def __init__(self, tools: Iterable[Tool], stop_words: Iterable[str] = STOP_WORDS) -> None:
        if isinstance(tools, str) or not isinstance(tools, Iterable):
            raise TypeError(f"tools must be an iterable of Tool, not {tools!r}")
        index = Index(tools, _typed(stop_words))
        self._set(index, index.everything, index.size)

    def _set(self, index: Index, visible: int, size: int) -> None:
        self._index = index
        self._visible = visible
        self._size = size
        self._by_identity: dict[tuple[str, str], int] | None = None

    def _view(self, visible: int) -> Pool:
        pool = Pool.__new__(Pool)
        pool._set(self._index, visible, visible.bit_count())
        return pool

    @property
    def stop_words(self) -> frozenset[str]:
        """The words that never match a description, title or parameter, as typed."""
        return self._index.stop_words

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Tool]:
        return (self._index.tools[i] for i in self._ids())

    def _ids(self) -> Iterator[int]:
        """Yield the visible ids in the order in which their tools were given."""
        visible = self._visible.to_bytes((self._index.size + 7) >> 3, "little")
        return (i for i in self._index.given if visible[i >> 3] >> (i & 7) & 1)

    def __contains__(self, tool: object) -> bool:
        return isinstance(tool, Tool) and self._find(tool) is not None

    def __repr__(self) -> str:
        labels = sorted({tool.connector for tool in self if tool.connector})
        shown = ", ".join(labels[:5]) + (", ..." if len(labels) > 5 else "")
        return f"<Pool of {self._size} tool{'' if self._size == 1 else 's'}{' of ' + shown if shown else ''}>"

    def restrict(self, keep: Callable[[Tool], bool]) -> Pool:
        """Return the pool of a caller who may see only the tools that `keep` accepts.

        It answers exactly as a pool built from those tools alone: document frequencies, the floor, reasons and counts
        are those of the visible tools.

        Cost: O(tools) calls of `keep`.

        >>> pool = Pool([Tool("read_page"), Tool("delete_page")])
        >>> len(pool.restrict(lambda tool: not tool.name.startswith("delete")))
        1
        """
        if not callable(keep):
            raise TypeError(f"keep must be a predicate on Tool, not {keep!r}")
        tools = self._index.tools
        return self._view(mask_of((i for i in self._ids() if keep(tools[i])), self._index.size))

    def tool(self, name: str, connector: str | None = None) -> Tool:
        """Return the visible tool of this name, and of this connector where one is given.

        Raises KeyError where there is none, or where several connectors have one and none is given.

        Cost: O(1) after the first call.

        >>> Pool([Tool("search", connector="Notion")]).tool("find")
        Traceback (most recent call last):
        KeyError: "name must be that of a visible tool, not 'find'"
        """
        if not isinstance(name, str):
            raise TypeError(f"name must be a string, not {name!r}")
        if connector is not None:
            found = self._identities().get((connector, name))
            if found is None:
                raise KeyError(f"name must be that of a visible tool of {connector!r}, not {name!r}")
            return self._index.tools[found]
        tools = [self._index.tools[i] for (_, named), i in self._identities().items() if named == name]
        if not tools:
            raise KeyError(f"name must be that of a visible tool, not {name!r}")
        if len(tools) > 1:
            labels = ", ".join(sorted(repr(tool.connector) for tool in tools))
            raise KeyError(f"connector must be one of {labels} for a tool named {name!r}, not None")
        return tools[0]

    def _find(self, tool: Tool) -> int | None:
        """Return the id of a visible tool equal to this one."""
        found = self._identities().get(tool.identity)
        return found if found is not None and self._index.tools[found] == tool else None

    def _identities(self) -> dict[tuple[str, str], int]:
        if self._by_identity is None:
            self._by_identity = {self._index.tools[i].identity: i for i in self._ids()}
        return self._by_identity


def _typed(stop_words: Iterable[str]) -> frozenset[str]:
    if isinstance(stop_words, str) or not isinstance(stop_words, Iterable):
        raise TypeError(f"stop_words must be an iterable of strings, not {stop_words!r}")
    words = frozenset(stop_words)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"stop_words must be an iterable of strings, not one with {word!r}")
    return frozenset(word.casefold() for word in words)
