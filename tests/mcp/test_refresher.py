"""Notifications and periods: bursts are listed once, and nothing that comes meanwhile is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace as Object
from typing import Any

import pytest

from toolrank.mcp import Catalog, Refresh, Refresher


class Source:
    """A server whose listing grows by one tool each time it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.open = asyncio.Event()
        self.open.set()

    async def __call__(self) -> list[dict[str, Any]]:
        self.asked += 1
        listed = [{"name": f"tool_{k}"} for k in range(self.asked)]
        await self.open.wait()
        return listed


def run(main: Callable[[], Awaitable[None]]) -> None:
    """Run a test's main function, which must not hang."""

    async def bounded() -> None:
        await asyncio.wait_for(main(), 20)

    asyncio.run(bounded())


async def until(claim: Callable[[], bool]) -> None:
    while not claim():
        await asyncio.sleep(0.001)


def test_a_burst_is_listed_once() -> None:
    async def main() -> None:
        catalog, source = Catalog(), Source()
        async with Refresher(catalog, {"a": source}, quiet=0.02) as refresher:
            for _ in range(50):
                refresher.changed("a")
                await asyncio.sleep(0)
            await refresher.settled()
        assert (source.asked, len(catalog.pool)) == (1, 1)

    run(main)


def test_a_change_during_the_listing_is_listed_again() -> None:
    async def main() -> None:
        catalog, source = Catalog(), Source()
        source.open.clear()
        async with Refresher(catalog, {"a": source}, quiet=0.001) as refresher:
            refresher.changed("a")
            await until(lambda: source.asked == 1)
            refresher.changed("a")
            refresher.changed("a")
            source.open.set()
            await refresher.settled()
        assert (source.asked, len(catalog.pool)) == (2, 2)

    run(main)


def test_a_source_that_hangs_holds_up_no_other() -> None:
    async def main() -> None:
        catalog, hung, quick = Catalog(), Source(), Source()
        hung.open.clear()
        async with Refresher(catalog, {"hung": hung, "quick": quick}, quiet=0.001) as refresher:
            refresher.changed("hung")
            refresher.changed("quick")
            await until(lambda: catalog.connectors == ("quick",))
        assert catalog.connectors == ("quick",)

    run(main)


def test_sources_may_come_and_go() -> None:
    async def main() -> None:
        catalog, sources = Catalog(), dict[str, Any]()
        async with Refresher(catalog, sources, quiet=0.001) as refresher:
            refresher.changed("a")
            await refresher.settled()
            assert not catalog.connectors
            sources["a"] = Source()
            refresher.changed("a")
            await refresher.settled()
        assert catalog.connectors == ("a",)

    run(main)


def test_every_period_all_sources_are_listed_and_reported_until_it_is_left() -> None:
    async def main() -> None:
        reports: list[Refresh] = []
        catalog, source = Catalog(), Source()

        def broken() -> object:
            raise ConnectionError("down")

        sources = {"a": source, "broken": broken}
        async with Refresher(catalog, sources, period=0.005, report=reports.append):
            await until(lambda: len(reports) >= 2)
        asked = source.asked
        await asyncio.sleep(0.03)
        assert source.asked == asked
        assert reports[0].changed == ("a",)
        assert str(reports[0].failed["broken"]) == "down"

    run(main)


def test_an_error_in_the_report_stops_no_refresh() -> None:
    async def main() -> None:
        raised: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context["exception"]))

        def report(_: Refresh) -> None:
            raise RuntimeError("report")

        async with Refresher(Catalog(), {"a": Source()}, period=0.005, report=report):
            await until(lambda: len(raised) >= 2)
        assert {str(error) for error in raised} == {"report"}

    run(main)


def test_it_can_be_started_again_and_left_unstarted() -> None:
    async def main() -> None:
        catalog, source = Catalog(), Source()
        refresher = Refresher(catalog, {"a": source}, period=0.005)
        await refresher.__aexit__(None, None, None)
        for count in (1, 2):
            async with refresher:
                await until(lambda count=count: source.asked >= count)  # type: ignore[misc]

    run(main)


@pytest.mark.parametrize(
    ("message", "listed"),
    [
        (Object(method="notifications/tools/list_changed"), True),
        (Object(root=Object(method="notifications/tools/list_changed")), True),
        ({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, True),
        (Object(method="notifications/prompts/list_changed"), False),
        (Object(root=Object(method="notifications/message")), False),
        (ConnectionError("gone"), False),
    ],
)
def test_the_handler_minds_one_notification_in_any_form(message: object, listed: bool) -> None:
    async def main() -> None:
        source = Source()
        async with Refresher(Catalog(), {"a": source}, quiet=0.001) as refresher:
            await refresher.handler("a")(message)
            await refresher.settled()
        assert source.asked == listed

    run(main)


def test_a_stream_of_events_is_followed_to_its_end_and_the_opening_is_a_change() -> None:
    async def main() -> None:
        source = Source()
        async with Refresher(Catalog(), {"a": source}, quiet=0.001) as refresher:

            class Client:
                @asynccontextmanager
                async def listen(self, *, tools_list_changed: bool) -> AsyncIterator[AsyncIterator[str]]:
                    assert tools_list_changed

                    async def events() -> AsyncIterator[str]:
                        await refresher.settled()
                        assert source.asked == 1
                        yield "changed"
                        await refresher.settled()
                        assert source.asked == 2

                    yield events()

            await refresher.listen("a", Client())
        assert source.asked == 2

    run(main)


@pytest.mark.parametrize("argument", ["period", "quiet", "timeout"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), True, "5", None])
def test_times_must_be_positive(argument: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{argument} must be a number of seconds above 0, not "):
        Refresher(Catalog(), {}, **{argument: value})
