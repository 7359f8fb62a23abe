"""A pool: exactly the tools that one caller may see.

A pool is an index and the set of the ids in it that are visible. Restricting a pool shares the index; whatever a query
computes is computed over the visible ids alone, so nothing about a hidden tool can show.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from toolrank._bits import ids_of, mask_of
from toolrank._index import Index, in_tie_order
from toolrank._synonyms import Classes, Synonyms, classes_of, kin_of
from toolrank._text import STOP_WORDS
from toolrank._tool import Tool

__all__ = ["Pool"]


class Pool:
    """An immutable set of tools, read once and ranked any number of times.

    Tools that are equal in every field but payload collapse into the first. `stop_words` are the words that never
    match a description, title or parameter. `synonyms`, classes of words such as `VERBS`, let a word of a query match
    another of its class in a tool's name, for less than a word that begins alike; there are none by default.

    Iteration gives the tools in the order in which they were given.

    Raises TypeError where `tools` holds something else, and ValueError where two different tools have one
    (connector, name).

    Cost: O(characters of all tools).

    >>> pool = Pool([Tool("search", "Search pages.", connector="Notion"), Tool("list_issues", connector="Linear")])
    >>> len(pool), pool.tool("search").connector
    (2, 'Notion')
    >>> [tool.name for tool in pool.restrict(lambda tool: tool.connector == "Linear")]
    ['list_issues']
    >>> Pool([Tool("find_page")], synonyms=[("find", "search", "lookup")]).synonyms
    (('find', 'lookup', 'search'),)
    """

    __slots__ = (
        "_by_identity",
        "_index",
        "_is_whole",
        "_lengths",
        "_masses",
        "_size",
        "_token",
        "_visible",
    )

    def __init__(
        self, tools: Iterable[Tool], stop_words: Iterable[str] = STOP_WORDS, synonyms: Synonyms | None = None
    ) -> None:
        if isinstance(tools, str) or not isinstance(tools, Iterable):
            raise TypeError(f"tools must be an iterable of Tool, not {tools!r}")
        classes = classes_of(synonyms)
        index = Index(tools, _typed(stop_words), kin_of(classes))
        index.classes = classes
        self._set(index, index.alive)

    def _set(self, index: Index, visible: int) -> None:
        self._index = index
        self._visible = visible
        self._size = visible.bit_count()
        self._is_whole = visible == index.alive
        self._masses: dict[int, int] | None = None  # by document frequency: the mass step's
        self._token = object()  # by which the index remembers what this pool asked, as long as it remembers that
        self._by_identity: dict[tuple[str, str], int] | None = None
        self._lengths: tuple[int, ...] | None = None  # of all visible texts, by field: BM25's

    @classmethod
    def _of(cls, index: Index, visible: int) -> Pool:
        pool = cls.__new__(cls)
        pool._set(index, visible)
        return pool

    @property
    def stop_words(self) -> frozenset[str]:
        """The words that never match a description, title or parameter, as typed."""
        return self._index.stop_words

    @property
    def synonyms(self) -> Classes:
        """The classes of words that stand for each other, as typed: none unless the pool was given some."""
        return self._index.classes

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

    def restrict(self, keep: Callable[[Tool], bool] | Iterable[str] | Iterable[Tool | tuple[str, str]]) -> Pool:
        """Return the pool of a caller who may see only some of these tools.

        `keep` is a predicate on Tool, an iterable of connector labels, or an iterable of tools or of (connector, name)
        pairs. A label that no visible tool has is passed over: a grant may name what is not connected. The new pool
        answers exactly as one built from its tools alone would, and shares the index: keep it as long as the grant
        holds.

        Raises KeyError for a tool or pair that is not in this pool.

        Cost: O(tools) for a predicate, O(labels) set operations for labels, O(pairs) for pairs after the first call.

        >>> pool = Pool([Tool("read_page", connector="Notion"), Tool("delete_page", connector="Notion"), Tool("ping")])
        >>> len(pool.restrict(lambda tool: not tool.name.startswith("delete")))
        2
        >>> len(pool.restrict(["Notion", "Linear"])), len(pool.restrict([("Notion", "read_page")]))
        (2, 1)
        """
        index = self._index
        if callable(keep):
            tools = index.tools
            kept = mask_of([i for i in self._ids() if keep(tools[i])], index.size)
        else:
            kept = self._visible & self._asked_for(keep)
        return Pool._of(index, kept)

    def _asked_for(self, keep: Iterable[str] | Iterable[Tool | tuple[str, str]]) -> int:
        if isinstance(keep, (str, bytes)) or not isinstance(keep, Iterable):
            raise TypeError(f"keep must be a predicate or an iterable of labels, tools or pairs, not {keep!r}")
        labels: list[str] = []
        ids: list[int] = []
        given = list(keep)
        self._index.make_room()
        if {*map(type, given)} == {str}:
            return self._index.labelled(given)  # type: ignore[arg-type]  # strings alone, as was seen
        for one in given:
            if isinstance(one, str):
                labels.append(one)
            elif isinstance(one, Tool):
                found = self._find(one)
                if found is None:
                    raise KeyError(f"keep must hold tools of this pool, not {one.identity!r}")
                ids.append(found)
            elif isinstance(one, tuple):
                found = self._identities().get(one)
                if found is None:
                    raise KeyError(f"keep must hold (connector, name) pairs of this pool, not {one!r}")
                ids.append(found)
            else:
                raise TypeError(f"keep must be an iterable of labels, tools or pairs, not one with {one!r}")
        return self._index.labelled(labels) | mask_of(ids, self._index.size)

    def replace(self, connector: str, tools: Iterable[Tool]) -> Pool:
        """Return the pool in which this connector has these tools, and no others.

        The new pool shares all that did not change; only tools that are new or differ are read. This pool stays as it
        is, for those who rank over it. In the new one the connector's tools come last.

        Raises ValueError for a tool of another connector, and as `Pool` does.

        Cost: O(characters of the changed tools), O(tools) to copy the list of tools, and now and then O(postings).

        >>> pool = Pool([Tool("search", connector="Notion"), Tool("list_issues", connector="Linear")])
        >>> [tool.name for tool in pool.replace("Notion", [Tool("find_page", connector="Notion")])]
        ['list_issues', 'find_page']
        """
        if not isinstance(connector, str):
            raise TypeError(f"connector must be a string, not {connector!r}")
        if isinstance(tools, str) or not isinstance(tools, Iterable):
            raise TypeError(f"tools must be an iterable of Tool, not {tools!r}")
        listing = list(tools)
        distinct, places = in_tie_order(listing)
        for at, tool in enumerate(listing):
            if tool.connector != connector:
                raise ValueError(f"tools must be of connector {connector!r}, not {tool.connector!r} at {at}")
        return self._replaced(connector, distinct, places)

    def without(self, connector: str) -> Pool:
        """Return the pool without this connector's tools; the pool itself where it has none.

        Cost: as `replace`.

        >>> pool = Pool([Tool("search", connector="Notion"), Tool("list_issues", connector="Linear")])
        >>> [tool.name for tool in pool.without("Notion")]
        ['list_issues']
        """
        return self.replace(connector, ())

    def _replaced(self, connector: str, listing: Sequence[Tool], places: Iterable[int]) -> Pool:
        index = self._index
        before = self._visible & index.labelled([connector])
        old = {index.tools[i].name: i for i in ids_of(before)}
        ids: list[int] = []  # of the listing
        same: list[int] = []
        added: list[Tool] = []
        replaced: dict[int, Tool] = {}
        for tool in listing:
            i = old.get(tool.name)
            if i is None or index.tools[i] != tool:
                ids.append(index.size + len(added))
                added.append(tool)
                continue
            ids.append(i)
            same.append(i)
            if index.tools[i].payload is not tool.payload:
                replaced[i] = tool
        kept = mask_of(same, index.size)
        if not added and not replaced and kept == before:
            return self
        last = [ids[place] for place in places]
        child = index.updated(self._visible & ~before | kept, replaced, added, last)
        return Pool._of(child, child.alive)

    def save(self, path: str | os.PathLike[str], default: Callable[[Any], Any] | None = None) -> None:
        """Write a snapshot of the tools to `path` as versioned JSON, so that a gateway starts with what it last knew.

        The file is replaced as a whole (a temporary file, fsync, rename): a crash leaves the old one. Payloads are
        written as JSON; `default` makes others JSON-ready, as that of `json.dumps` does.

        Raises TypeError for a payload that JSON cannot hold; the old file stays.

        Cost: O(characters).

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Pool([Tool("search", connector="Notion", payload={"cost": 1})]).save(folder + "/pool.json")
        ...     Pool.load(folder + "/pool.json").tool("search").payload
        {'cost': 1}
        """
        # json and tempfile are a third of the import, and most processes save nothing.
        from toolrank._snapshot import of_tool, write

        content = {"stop_words": sorted(self.stop_words), "tools": [of_tool(tool) for tool in self]}
        if self.synonyms:
            content["synonyms"] = [list(words) for words in self.synonyms]
        write(path, content, default)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Pool:
        """Read the pool that `save` wrote.

        Raises ValueError, naming the file, where it is truncated, is something else, or is of a newer version.

        Cost: O(characters).
        """
        from toolrank._snapshot import read

        content = read(path)
        try:
            return cls(content["tools"], content.get("stop_words", STOP_WORDS), content.get("synonyms"))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None

    def __reduce__(self) -> tuple[type[Pool], tuple[list[Tool], frozenset[str], Classes]]:
        return Pool, (list(self), self.stop_words, self.synonyms)

    def __copy__(self) -> Pool:
        return self

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
