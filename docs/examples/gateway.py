"""A gateway: many MCP servers behind one, its tools collapsed behind two meta-tools, on the official SDK (mcp 2.x).

    python docs/examples/gateway.py config.json                      serves over stdio
    python docs/examples/gateway.py config.json --http 8800          serves http://127.0.0.1:8800/mcp

The configuration names the servers to start, what each caller may see (`*` for all), and a file to start from:

    {"servers": {"git": {"command": "mcp-server-git"}, "time": {"command": "mcp-server-time"}},
     "callers": {"ann": ["*"], "bob": ["time"]}, "catalogue": "catalogue.json"}

A caller is named by `--caller`, or over HTTP by its bearer token. A real gateway would check a signature there; who may
see what is its own business, and the library has no part in it.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import uvicorn
from mcp import MCPError, StdioServerParameters
from mcp.client.client import Client
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.types import CallToolResult, ListToolsResult

from toolrank import Tool
from toolrank.mcp import Catalog, Refresh, Refresher, Surface, tools

BEAT = 5.0  # seconds between two looks at a server that sends no notifications
RETRY = 0.5  # seconds before a server that died is started again
APPS = {"name": "list_apps", "description": "List the apps that you may use.", "inputSchema": {"type": "object"}}
CONTROL = tools([APPS])


class Gateway:
    """Everything between the servers and the callers."""

    def __init__(self, config: dict[str, Any], caller: str | None) -> None:
        self.servers: dict[str, Any] = config["servers"]
        self.grants: dict[str, list[str]] = config["callers"]
        self.file = Path(config["catalogue"]) if "catalogue" in config else None
        self.caller = caller
        self.catalog = Catalog()
        self.clients: dict[str, Client] = {}
        self.refresher = Refresher(self.catalog, self.clients, report=self.report)
        self.surfaces: dict[str, tuple[int, Surface]] = {}
        self.bus = InMemorySubscriptionBus()
        handlers: dict[str, Any] = {"on_list_tools": self.on_list, "on_call_tool": self.on_call}
        self.server = Server("gateway", **handlers, on_subscriptions_listen=ListenHandler(self.bus))

    async def run(self, serve: Any) -> None:
        """Connect all servers, and serve until `serve` ends."""
        if self.file is not None and self.file.exists():
            self.catalog.load(self.file)
        async with self.refresher:
            kept = [asyncio.create_task(self.keep(*server)) for server in self.servers.items()]
            for _ in range(600):  # what was never listed before may take its time, but not for ever
                if len(self.catalog.connectors) < len(self.servers):
                    await asyncio.sleep(0.1)
            await serve
            for task in kept:
                task.cancel()
            await asyncio.gather(*kept, return_exceptions=True)

    async def keep(self, label: str, server: dict[str, Any]) -> None:
        """Keep one server connected: start it, follow its changes, and start it again when it has died."""
        while True:
            try:
                handler = self.refresher.handler(label)
                async with Client(StdioServerParameters(**server), message_handler=handler) as client:
                    self.clients[label] = client
                    self.refresher.changed(label)
                    notifies = client.server_capabilities.tools and client.server_capabilities.tools.list_changed
                    if notifies and client.protocol_version >= "2026":
                        await self.refresher.listen(label, client)
                    while True:
                        await asyncio.sleep(BEAT)
                        await client.list_tools()  # fails when the server is gone
            except Exception as error:
                print(f"{label}: {error!r}; starting again", file=sys.stderr)
            finally:
                self.clients.pop(label, None)
            await asyncio.sleep(RETRY)

    def report(self, done: Refresh) -> None:
        """Note what a refresh did: keep the listings for the next start, and tell the callers' clients."""
        for label, error in done.failed.items():
            print(f"{label}: {error}", file=sys.stderr)
        if done.changed:
            if self.file is not None:
                self.catalog.save(self.file)
            self.publishing = asyncio.create_task(self.bus.publish(ToolsListChanged()))

    def allowed(self, caller: str, connector: str) -> bool:
        """Decide; the one place where anything is decided."""
        granted = self.grants.get(caller, ())
        return "*" in granted or connector in granted

    def surface(self, context: Any) -> Surface:
        """Return the view of whoever is asking, made anew when the catalogue has changed."""
        header = context.request.headers.get("authorization", "") if context.request is not None else ""
        caller = self.caller or header.removeprefix("Bearer ")
        revision, found = self.surfaces.get(caller, (-1, None))
        if found is None or revision != self.catalog.revision:
            revision = self.catalog.revision
            pool = self.catalog.pool.restrict(lambda tool: self.allowed(caller, tool.connector))

            async def call(tool: Tool, arguments: dict[str, Any]) -> CallToolResult | dict[str, Any]:
                return await self.call(caller, tool, arguments)

            found = Surface(pool, call, control=CONTROL)
            self.surfaces[caller] = revision, found
        return found

    async def call(self, caller: str, tool: Tool, arguments: dict[str, Any]) -> CallToolResult | dict[str, Any]:
        """Call a tool: every call comes through here, and is allowed or not here."""
        if not tool.connector:
            apps = [label for label in self.catalog.connectors if self.allowed(caller, label)]
            return {"content": [{"type": "text", "text": ", ".join(apps)}]}
        client = self.clients.get(tool.connector)
        why = "is not connected now" if self.allowed(caller, tool.connector) else "is not yours"
        if client is not None and self.allowed(caller, tool.connector):
            try:
                return await client.call_tool(tool.name, arguments)
            except MCPError as error:
                why = f"did not answer: {error}"
        return {"content": [{"type": "text", "text": f"{tool.connector} {why}."}], "isError": True}

    async def on_list(self, context: Any, _: Any) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": self.surface(context).list_tools()})

    async def on_call(self, context: Any, params: Any) -> CallToolResult:
        result = await self.surface(context).call_tool(params.name, params.arguments)
        return result if isinstance(result, CallToolResult) else CallToolResult.model_validate(result)

    async def stdio(self) -> None:
        async with stdio_server() as (reading, writing):
            await self.server.run(reading, writing, self.server.create_initialization_options())

    async def http(self, port: int) -> None:
        app = self.server.streamable_http_app()
        await uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning")).serve()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve many MCP servers as one.")
    parser.add_argument("config", type=Path)
    parser.add_argument("--caller")
    parser.add_argument("--http", type=int, metavar="PORT")
    options = parser.parse_args()
    gateway = Gateway(json.loads(options.config.read_text(encoding="utf-8")), options.caller)
    asyncio.run(gateway.run(gateway.stdio() if options.http is None else gateway.http(options.http)))
