"""Keeping a catalogue current: list_changed notifications of both protocol eras, and a refresh now and then.

It knows the sources and when to ask them. Connecting, and connecting again, is the gateway's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any

from toolrank.mcp._catalog import Catalog, Refresh
from toolrank.mcp._listing import field

__all__ = ["Refresher"]

_METHOD = "notifications/tools/list_changed"


class Refresher:
    """Lists sources again when they say that they changed, and all of them every `period` seconds.

    `sources` maps connectors to what `Catalog.refresh` takes; it is looked at anew each time, so entries may come and
    go. A connector is listed `quiet` seconds after its first notification, once for all that came until then; one that
    comes while it is being listed has it listed again. Each outcome goes to `report`. Everything happens on the event
    loop that entered it, and leaving it stops all of it.

    >>> catalog = Catalog()
    >>> async def main():
    ...     async with Refresher(catalog, {"Notion": lambda: [{"name": "search"}]}, quiet=0.01) as refresher:
    ...         refresher.changed("Notion")
    ...         refresher.changed("Notion")
    ...         await refresher.settled()
    >>> asyncio.run(main())
    >>> len(catalog.pool), catalog.revision
    (1, 1)
    """

    def __init__(
        self,
        catalog: Catalog,
        sources: Mapping[str, Any],
        *,
        period: float = 300.0,
        quiet: float = 0.25,
        timeout: float = 30.0,
        report: Callable[[Refresh], object] | None = None,
    ) -> None:
        for argument, value in (("period", period), ("quiet", quiet), ("timeout", timeout)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise ValueError(f"{argument} must be a number of seconds above 0, not {value!r}")
        self._catalog = catalog
        self._sources = sources
        self._period, self._quiet, self._timeout = period, quiet, timeout
        self._report = report
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._noted: set[str] = set()
        self._periodic: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Refresher:  # noqa: PYI034 - typing.Self is of Python 3.11
        """Start the periodic refresh; the first one is a period from now."""
        self._periodic = asyncio.create_task(self._every_period())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the periodic refresh, and what is being listed."""
        tasks = [task for task in (self._periodic, *self._tasks.values()) if task is not None]
        self._periodic = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def changed(self, connector: str) -> None:
        """Note that a connector's tools may have changed. Call it on the event loop; it returns at once."""
        self._noted.add(connector)
        if connector not in self._tasks:
            self._tasks[connector] = asyncio.create_task(self._settle(connector))

    def handler(self, connector: str) -> Callable[[object], Awaitable[None]]:
        """Return a `message_handler` for the client of a connector, in the protocol's handshake era.

        It minds tools/list_changed alone, in the form of either SDK, 1.x or 2.x, or of a dictionary.
        """

        async def handle(message: object) -> None:
            if field(field(message, "root") or message, "method") == _METHOD:
                self.changed(connector)

        return handle

    async def listen(self, connector: str, client: Any) -> None:
        """Follow the change events of a client of mcp 2.x, in protocol 2026-07-28, until its stream ends.

        Nothing is replayed after a gap, so the connector is listed when the stream has opened, too. Errors of the
        stream are the client's own, and are not caught.
        """
        async with client.listen(tools_list_changed=True) as events:
            self.changed(connector)
            async for _ in events:
                self.changed(connector)

    async def settled(self) -> None:
        """Wait until every change noted so far has been listed."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def _settle(self, connector: str) -> None:
        try:
            while connector in self._noted:
                await asyncio.sleep(self._quiet)
                self._noted.discard(connector)
                if connector in self._sources:
                    await self._refresh({connector: self._sources[connector]})
        finally:
            del self._tasks[connector]

    async def _every_period(self) -> None:
        while True:
            await asyncio.sleep(self._period)
            await self._refresh(dict(self._sources))

    async def _refresh(self, sources: Mapping[str, Any]) -> None:
        done = await self._catalog.refresh(sources, timeout=self._timeout)
        if self._report is not None:
            # Not here: an error in it is its own, and stops no refresh.
            asyncio.get_running_loop().call_soon(self._report, done)
