"""A stdio server of 200 tools, listed in pages of 64.

Two of them help to try a gateway out: `grow` adds a tool and says that the list has changed, in either protocol era;
`crash` ends the process at once.

    python docs/examples/servers/crowd.py
"""

import asyncio
import os
from typing import Any

from mcp.server import Server
from mcp.server.lowlevel import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

VERBS = ("list", "get", "create", "update", "archive")
THINGS = (
    "invoice payment customer contract warehouse shipment parcel pallet supplier order quote voucher campaign audience "
    "banner survey ticket shift timesheet payslip vacancy applicant course lesson exam badge asset laptop licence "
    "sensor meter reading route vehicle driver depot recipe menu table booking"
).split()
PAGE = 64

tools = [
    Tool(
        name=f"{verb}_{thing}",
        description=f"{verb.title()} a {thing} of the back office.",
        input_schema={"type": "object", "properties": {f"{thing}_id": {"type": "string"}, "note": {"type": "string"}}},
        annotations=ToolAnnotations(read_only_hint=verb in ("list", "get")),
    )
    for thing in THINGS
    for verb in VERBS
][:198]
for name, description in (("grow", "Add a tool of the given name."), ("crash", "End this server at once.")):
    schema: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}
    tools.append(Tool(name=name, description=description, input_schema=schema))
bus = InMemorySubscriptionBus()


async def list_tools(_: Any, params: Any) -> ListToolsResult:
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return ListToolsResult(tools=tools[start:end], next_cursor=str(end) if end < len(tools) else None)


async def call_tool(context: Any, params: Any) -> CallToolResult:
    if params.name == "crash":
        os._exit(1)
    if params.name == "grow":
        tools.append(Tool(name=params.arguments["name"], input_schema={"type": "object"}))
        await bus.publish(ToolsListChanged())
        await context.session.send_tool_list_changed()
    return CallToolResult(content=[TextContent(text=f"{params.name} {params.arguments}")])


async def main() -> None:
    handlers: dict[str, Any] = {"on_list_tools": list_tools, "on_call_tool": call_tool}
    server = Server("crowd", **handlers, on_subscriptions_listen=ListenHandler(bus))
    options = server.create_initialization_options(NotificationOptions(tools_changed=True))
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, options)


if __name__ == "__main__":
    asyncio.run(main())
