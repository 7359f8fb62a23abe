"""The example gateway, as a process of its own, with real servers behind it and real clients before it."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

from toolrank.mcp import Catalog, Refresh, Refresher

ROOT = Path(__file__).parent.parent.parent
GATEWAY = str(ROOT / "docs" / "examples" / "gateway.py")
CROWD = str(ROOT / "docs" / "examples" / "servers" / "crowd.py")


def config(folder: Path, *labels: str, **more: object) -> Path:
    """Write a configuration: three servers from the package index and our own of 200 tools, and two callers."""
    servers: dict[str, Any] = {
        "git": {"command": sys.executable, "args": ["-m", "mcp_server_git"]},
        "time": {"command": sys.executable, "args": ["-m", "mcp_server_time", "--local-timezone", "UTC"]},
        "fetch": {"command": sys.executable, "args": ["-m", "mcp_server_fetch"]},
        "crowd": {"command": sys.executable, "args": [CROWD]},
    }
    servers = {label: server for label, server in servers.items() if label in labels or not labels}
    path = folder / "config.json"
    path.write_text(json.dumps({"servers": servers, "callers": {"ann": ["*"], "bob": ["time"]}, **more}))
    return path


@asynccontextmanager
async def over_stdio(path: Path, caller: str, mode: str = "auto") -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=sys.executable, args=[GATEWAY, str(path), "--caller", caller])
    async with Client(parameters, mode=mode) as client:
        await client.list_tools()
        yield client


@asynccontextmanager
async def over_http(path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Serve on a free port of the loopback; yield what makes a caller's client."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(sys.executable, GATEWAY, str(path), "--http", str(port))

    @asynccontextmanager
    async def client_of(caller: str, mode: str = "auto") -> AsyncIterator[Client]:
        async with create_mcp_http_client(headers={"authorization": f"Bearer {caller}"}) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                await client.list_tools()
                yield client

    async def listening() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            return False
        writer.close()
        return True

    try:
        await until(listening)
        yield client_of
    finally:
        process.terminate()
        await process.wait()


async def until(claim: Callable[[], Awaitable[bool]]) -> None:
    while not await claim():
        await asyncio.sleep(0.1)


def run(main: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(main(), 150)

    asyncio.run(bounded())


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


async def search(client: Client, query: str, **more: object) -> Any:
    result = await client.call_tool("search_tools", {"query": query, **more})
    assert not result.is_error
    return json.loads(result.content[0].text)


async def found(client: Client, query: str) -> list[tuple[str, str]]:
    return [(tool["connector"], tool["name"]) for tool in (await search(client, query))["tools"]]


async def execute(client: Client, name: str, /, **arguments: object) -> tuple[bool, str]:
    result = await client.call_tool("execute_tool", {"name": name, "arguments": arguments})
    return result.is_error, result.content[0].text


async def drive(client: Client) -> None:
    """List, search and execute, as a model's client would."""
    assert await names(client) == ["list_apps", "search_tools", "execute_tool"]
    assert (await found(client, "git commit"))[0] == ("git", "git_commit")
    assert ("time", "get_current_time") in await found(client, "current time")
    assert (await found(client, "fetch url"))[0] == ("fetch", "fetch")
    assert (await found(client, "create timesheet"))[0] == ("crowd", "create_timesheet")

    empty = await search(client, "list_all_cal_com_schedules", app="cal.com")
    assert empty["tools"] == []
    assert empty["note"].startswith("cal.com is not connected here.")

    wrong, text = await execute(client, "get_current_time", timezone="Europe/Zurich")
    assert (wrong, json.loads(text)["timezone"]) == (False, "Europe/Zurich")
    assert await execute(client, "create_timesheet", note="n") == (False, "create_timesheet {'note': 'n'}")
    assert await execute(client, "list_apps") == (False, "crowd, fetch, git, time")
    wrong, text = await execute(client, "no_such_tool")
    assert (wrong, text.split(".")[0]) == (True, "No tool 'no_such_tool' is connected here")
    wrong, text = await execute(client, "search_tools", query="x")
    assert (wrong, text) == (True, "'search_tools' is called directly, not through execute_tool.")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_stdio_all_servers_are_listed_searched_and_executed(tmp_path: Path, mode: str) -> None:
    async def main() -> None:
        async with over_stdio(config(tmp_path), "ann", mode) as client:
            assert (client.protocol_version >= "2026") == (mode == "auto")
            await drive(client)

    run(main)


def test_over_http_each_caller_has_its_own_surface(tmp_path: Path) -> None:
    async def main() -> None:
        async with over_http(config(tmp_path)) as client_of:
            for mode in ("auto", "legacy"):
                async with client_of("ann", mode) as client:
                    await drive(client)
                async with client_of("bob", mode) as client:
                    # Two tools and the control plane: nothing to collapse.
                    assert await names(client) == ["list_apps", "get_current_time", "convert_time"]
                    result = await client.call_tool("get_current_time", {"timezone": "UTC"})
                    assert not result.is_error
                    hidden = await client.call_tool("git_commit", {})
                    unknown = await client.call_tool("git_commis", {})
                    texts = [one.content[0].text for one in (hidden, unknown)]
                    assert texts[0].replace("git_commit", "git_commis") == texts[1]
                    assert hidden.is_error
                    assert (await client.call_tool("list_apps", {})).content[0].text == "time"
                async with client_of("eve", mode) as client:
                    assert await names(client) == ["list_apps"]

    run(main)


def test_a_changed_listing_is_found_and_told_to_the_client(tmp_path: Path) -> None:
    async def main() -> None:
        path = config(tmp_path, "crowd", "time")
        async with over_stdio(path, "ann") as client, client.listen(tools_list_changed=True) as events:
            assert await found(client, "frobnicate gadget") == []
            assert not (await execute(client, "grow", name="frobnicate_gadget"))[0]
            async for _ in events:
                if await found(client, "frobnicate gadget") == [("crowd", "frobnicate_gadget")]:
                    break

    run(main)


def test_a_server_that_dies_stays_searchable_and_comes_back(tmp_path: Path) -> None:
    async def main() -> None:
        async with over_stdio(config(tmp_path, "crowd", "time"), "ann") as client:
            wrong, text = await execute(client, "crash")
            assert (wrong, text.split(":")[0]) == (True, "crowd did not answer")

            async def gone() -> bool:
                return await execute(client, "create_parcel") == (True, "crowd is not connected now.")

            async def back() -> bool:
                return await execute(client, "create_parcel") == (False, "create_parcel {}")

            await until(gone)
            assert (await found(client, "create parcel"))[0] == ("crowd", "create_parcel")
            assert (await execute(client, "list_apps"))[1] == "crowd, time"
            await until(back)

    run(main)


def test_a_restart_answers_before_its_servers_do(tmp_path: Path) -> None:
    async def main() -> None:
        saved = tmp_path / "catalogue.json"
        async with over_stdio(config(tmp_path, "crowd", catalogue=str(saved)), "ann") as client:
            assert await found(client, "create parcel")
        broken = {"crowd": {"command": sys.executable, "args": ["-c", "raise SystemExit('broken')"]}}
        path = config(tmp_path, catalogue=str(saved), servers=broken)
        async with over_stdio(path, "ann") as client:
            assert (await found(client, "create parcel"))[0] == ("crowd", "create_parcel")
            assert await execute(client, "create_parcel") == (True, "crowd is not connected now.")

    run(main)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_page_is_listed_and_a_notification_of_either_era_lists_again(mode: str) -> None:
    async def main() -> None:
        catalog, clients = Catalog(), dict[str, Client]()
        crowd = StdioServerParameters(command=sys.executable, args=[CROWD])
        async with (
            Refresher(catalog, clients, quiet=0.05) as refresher,
            Client(crowd, mode=mode, message_handler=refresher.handler("crowd")) as client,
        ):
            clients["crowd"] = client
            assert (await catalog.refresh({"crowd": client.session})).changed == ("crowd",)
            assert await catalog.refresh(clients) == Refresh()
            assert (len(catalog.pool), catalog.revision) == (200, 1)
            listening = asyncio.create_task(refresher.listen("crowd", client)) if mode == "auto" else None
            for name in ("one_more", "and_another"):
                await asyncio.sleep(0.2)
                await client.call_tool("grow", {"name": name})

            async def grown() -> bool:
                return len(catalog.pool) == 202

            await until(grown)
            if listening is not None:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    run(main)
