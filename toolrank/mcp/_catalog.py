"""The catalogue: what is connected now, as one pool that is replaced and never changed.

Writers take turns; readers take the pool that is there and are never kept waiting. It holds listings, and no sessions:
who listed them, and when to ask again, is said from outside.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from toolrank._pool import Pool
from toolrank._synonyms import Synonyms
from toolrank._text import STOP_WORDS
from toolrank._tool import Tool
from toolrank.mcp._listing import entries, tools
from toolrank.mcp._meta import META_NAMES
from toolrank.mcp._saved import read, write
from toolrank.mcp._sessions import list_all
from toolrank.mcp._wire import compact, content, definition, wire

__all__ = ["Catalog", "Refresh"]


@dataclass(frozen=True, slots=True)
class Refresh:
    """What a refresh did: the connectors whose listing changed, and why others could not be listed."""

    changed: tuple[str, ...] = ()
    failed: Mapping[str, BaseException] = field(default_factory=lambda: MappingProxyType({}))


class Catalog:
    """The listings of all connectors, and the pool of their tools.

    It may be used from any number of threads. `pool` is an immutable snapshot: whoever holds one ranks over it
    undisturbed. `reserved` names cannot be listed; the meta-tools' own by default. `stop_words` and `synonyms` are the
    pool's.

    >>> catalog = Catalog()
    >>> catalog.set("Notion", [{"name": "search"}]), catalog.set("Notion", [{"name": "search"}]), catalog.revision
    (True, False, 1)
    >>> catalog.set("Notion", [{"name": None}])
    Traceback (most recent call last):
    ValueError: tools listing of 'Notion': tools[0].name must be a string, not None
    >>> len(catalog.pool)
    1
    """

    def __init__(
        self,
        *,
        reserved: Iterable[str] = META_NAMES,
        stop_words: Iterable[str] = STOP_WORDS,
        synonyms: Synonyms | None = None,
    ) -> None:
        self._reserved = frozenset(reserved)
        self._lock = threading.Lock()
        self._pool = Pool((), stop_words, synonyms)
        self._revision = 0
        self._digests: dict[str, bytes] = {}
        # When the listing that a connector has was asked for: a slower answer to an earlier request is out of date.
        self._asked: dict[str, int] = {}
        self._clock = 0

    @property
    def pool(self) -> Pool:
        """The tools of all connectors, as they are now."""
        return self._pool

    @property
    def revision(self) -> int:
        """How often the catalogue has changed."""
        return self._revision

    @property
    def connectors(self) -> tuple[str, ...]:
        """The labels of what is connected, sorted; those with an empty listing too."""
        return tuple(sorted(self._digests))

    def __repr__(self) -> str:
        return f"<Catalog of {len(self._digests)} connectors, {len(self._pool)} tools, revision {self._revision}>"

    def set(self, connector: str, listing: object) -> bool:
        """Make this the listing of a connector; return whether that changed anything.

        `listing` is whatever `tools` takes. An unchanged one is told by a hash of its content and costs little more
        than that; of a changed one, only the tools that changed are indexed. A listing that is refused changes nothing.

        Raises ValueError for a malformed listing, or a tool with a reserved name.

        Cost: O(size of the listing) for the hash, and as `Pool.replace` for what changed.
        """
        return self._set(connector, listing, self._tick())

    def remove(self, connector: str) -> bool:
        """Forget a connector and its tools; return whether there was one.

        Cost: as `Pool.without`.
        """
        with self._lock:
            self._clock += 1
            self._asked[connector] = self._clock
            if self._digests.pop(connector, None) is None:
                return False
            self._pool = self._pool.without(connector)
            self._revision += 1
            return True

    async def refresh(self, sources: Mapping[str, Any], *, timeout: float = 30.0) -> Refresh:
        """List these sources again, all at once, and take over what they answer.

        A source is a session, as `list_all` takes, or a function that returns a listing or an awaitable of one. One
        that fails, or does not answer within `timeout` seconds, keeps its last listing and is reported. An answer that
        was overtaken, because the connector was set, removed or listed anew meanwhile, is dropped.

        Cost: as `set` for each source.
        """
        done = await asyncio.gather(*[self._again(*one, timeout) for one in sources.items()], return_exceptions=True)
        changed: list[str] = []
        failed: dict[str, BaseException] = {}
        for connector, outcome in zip(sources, done):
            if isinstance(outcome, asyncio.CancelledError):
                # Its own connection was torn down: were the refresh itself cancelled, this line would not be reached.
                failed[connector] = ConnectionError(f"{connector!r} was disconnected while it was listed")
            elif isinstance(outcome, BaseException):
                failed[connector] = outcome
            elif outcome:
                changed.append(connector)
        return Refresh(tuple(changed), MappingProxyType(failed))

    async def _again(self, connector: str, source: Any, timeout: float) -> bool:
        asked = self._tick()
        try:
            listing = await asyncio.wait_for(_listing_of(connector, source), timeout)
        except (asyncio.TimeoutError, TimeoutError):
            raise TimeoutError(f"{connector!r} did not list its tools within {timeout:g} seconds") from None
        return self._set(connector, listing, asked)

    def _tick(self) -> int:
        with self._lock:
            self._clock += 1
            return self._clock

    def _set(self, connector: str, listing: object, asked: int) -> bool:
        listed = entries(listing, connector)
        forms, digest = _content(listed, connector)
        with self._lock:
            if self._asked.get(connector, 0) > asked:
                return False
            if self._digests.get(connector) == digest:
                self._asked[connector] = asked
                return False
        return self._take(connector, self._read(connector, listed, forms), digest, asked)

    def _read(self, connector: str, listed: Sequence[object], forms: list[Any]) -> list[Tool]:
        found = tools(listed, connector)
        with _as_json(connector):
            compact(forms)
        for at, tool in enumerate(found):
            if tool.name in self._reserved:
                of = f"tools listing of {connector!r}: tools[{at}].name"
                raise ValueError(f"{of} must be another than the gateway's own, not {tool.name!r}")
        return found

    def _take(self, connector: str, found: list[Tool], digest: bytes, asked: int) -> bool:
        with self._lock:
            if self._asked.get(connector, 0) > asked:
                return False
            self._asked[connector] = asked
            if self._digests.get(connector) == digest:
                return False
            self._pool = self._pool.replace(connector, found)
            self._digests[connector] = digest
            self._revision += 1
            return True

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all listings to a file, as JSON; the file is there whole or not at all.

        Cost: O(size of the listings).
        """
        with self._lock:
            pool, connectors = self._pool, sorted(self._digests)
        listings: dict[str, list[dict[str, Any]]] = {connector: [] for connector in connectors}
        for tool in pool:
            listings[tool.connector].append(definition(tool))
        write(path, listings)

    def load(self, path: str | os.PathLike[str]) -> bool:
        """Take over the listings of a saved file; return whether that changed anything.

        A connector that was set or removed since the start is fresher than any file, and stays as it is. Payloads are
        then definitions in MCP's form, whatever they were.

        Raises ValueError for a file that is none of ours, or of another version, and changes nothing then.

        Cost: as `set` for each connector.
        """
        listings = read(path)
        ready = []
        for connector, listing in listings.items():
            forms, digest = _content(listing, connector)
            ready.append((connector, self._read(connector, listing, forms), digest))
        # As if asked for before all else, so that whatever happened since the start stands.
        taken = [self._take(*one, asked=0) for one in ready]
        return any(taken)


async def _listing_of(connector: str, source: Any) -> object:
    if hasattr(source, "list_tools"):
        return await list_all(source, connector)
    found = source()
    return await found if isinstance(found, Awaitable) else found


def _content(listed: Sequence[object], connector: str) -> tuple[list[Any], bytes]:
    """Return the definitions in MCP's form, and a hash of all they say."""
    forms: list[Any] = [wire(one) for one in listed]
    if None in forms:
        forms = [definition(tool) for tool in tools(listed, connector)]
    with _as_json(connector):
        return forms, content(forms)


@contextmanager
def _as_json(connector: str) -> Iterator[None]:
    try:
        yield
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"tools listing of {connector!r}: tools must be JSON, not otherwise ({error})") from error
