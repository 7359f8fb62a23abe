"""Listings of the official SDK 1.x, from a real server, and the tools that LangChain's adapter makes of them."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version
from typing import Any

from langchain_mcp_adapters.tools import load_mcp_tools
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from toolrank import Pool, rank
from toolrank.mcp import Catalog, Refresh, Refresher, definition, list_all, tools

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "mcp_server_time", "--local-timezone", "UTC"])


def with_session(main: Any) -> None:
    """Run a function with a session, and a refresher that hears its messages."""

    async def run() -> None:
        catalog = Catalog()
        sources: dict[str, Any] = {}
        async with (
            Refresher(catalog, sources, quiet=0.01) as refresher,
            stdio_client(SERVER) as streams,
            ClientSession(*streams, message_handler=refresher.handler("time")) as session,
        ):
            await session.initialize()
            sources["time"] = session
            await main(session, catalog, refresher)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_this_is_the_old_sdk() -> None:
    assert version("mcp").startswith("1.")


def test_a_session_is_drained_and_its_tools_are_read() -> None:
    async def main(session: ClientSession, *_: Any) -> None:
        listed = await list_all(session, "time")
        page = await session.list_tools()
        for listing in (listed, page, page.model_dump(mode="json", by_alias=True), page.model_dump_json(by_alias=True)):
            found = {tool.name: tool for tool in tools(listing, "time")}
            assert set(found) == {"get_current_time", "convert_time"}
            assert found["convert_time"].parameters == ("source_timezone", "time", "target_timezone")
        assert rank("convert a time", Pool(tools(listed)))[0].tool.name == "convert_time"
        assert definition(tools(listed)[0]) == page.tools[0].model_dump(mode="json", by_alias=True, exclude_none=True)

    with_session(main)


def test_a_refresh_and_a_second_listing_of_the_same_tools() -> None:
    async def main(session: ClientSession, catalog: Catalog, refresher: Refresher) -> None:
        refresher.changed("time")
        await refresher.settled()
        assert (catalog.connectors, catalog.revision) == (("time",), 1)
        assert await catalog.refresh({"time": session}) == Refresh()
        assert catalog.set("time", await session.list_tools()) is False

    with_session(main)


def test_the_tools_of_langchains_adapter_are_read_too() -> None:
    async def main(session: ClientSession, *_: Any) -> None:
        adapted = await load_mcp_tools(session)
        found = {tool.name: tool for tool in tools(adapted, "time")}
        plain = {tool.name: tool for tool in tools(await session.list_tools(), "time")}
        assert found == plain
        assert [definition(tool)["inputSchema"] for tool in found.values()] == [
            definition(tool)["inputSchema"] for tool in plain.values()
        ]

    with_session(main)
