"""The recipes of docs/how-to, word for word, in the frameworks they are for; a scripted model plays the model."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from agents import Agent as OpenAIAgent
from agents import Model, ModelResponse, Runner, Usage, set_tracing_disabled
from fastmcp import Client, FastMCP
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelMessage, TextPart, ToolCallPart
from pydantic_ai.messages import ModelResponse as Reply
from pydantic_ai.models.function import AgentInfo, FunctionModel

from toolrank import Pool
from toolrank import Tool as Listed
from toolrank.mcp import Surface

HOW_TO = Path(__file__).parent.parent.parent / "docs" / "how-to"
PAGES = ("fastmcp", "pydantic-ai", "langchain", "openai-agents")
THINGS = ("page", "issue", "invoice", "message", "refund", "calendar", "contact", "file")
VERBS = ("list", "get", "create", "update", "delete")
NAMES = [f"{verb}_{thing}" for verb in VERBS for thing in THINGS]


def recipe(page: str) -> dict[str, Any]:
    """Run the code of a page, and return what it defines."""
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    [code] = re.findall(
        r"^<!-- run by tests/recipes/test_how_to.py -->\n```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE
    )
    defined: dict[str, Any] = {"__name__": f"how_to_{page.replace('-', '_')}"}
    exec(compile(code, f"{page}.md", "exec"), defined)
    return defined


def function(name: str) -> Any:
    """Make a tool's function: it takes a note, and tells what was called."""

    def called(note: str) -> str:
        return f"{name}: {note}"

    called.__name__ = name
    called.__doc__ = f"{name.replace('_', ' ').capitalize()}."
    return called


@pytest.mark.parametrize("page", PAGES)
def test_a_recipe_is_about_fifteen_lines(page: str) -> None:
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for line in code.splitlines() if line and not line.startswith(("from ", "import ", "@"))]
    assert len(lines) <= 20


# --- FastMCP ----------------------------------------------------------------------------------------------------------


def fastmcp_server(names: list[str]) -> FastMCP:
    server: FastMCP = FastMCP("office")
    for name in names:
        server.tool(function(name))
    transform = recipe("fastmcp")["ToolrankTransform"](max_results=10, call_tool_name="execute_tool")
    server.add_transform(transform)
    return server


def test_fastmcp_collapses_past_the_threshold_finds_with_the_floor_and_calls() -> None:
    async def main() -> None:
        async with Client(fastmcp_server(NAMES)) as client:
            assert [tool.name for tool in await client.list_tools()] == ["search_tools", "execute_tool"]
            found = await client.call_tool("search_tools", {"query": "create refund"})
            assert json.loads(found.content[0].text)[0]["name"] == "create_refund"
            empty = await client.call_tool("search_tools", {"query": "list_all_cal_com_schedules"})
            assert empty.content[0].text.startswith("Nothing fits 'list_all_cal_com_schedules': no visible tool knows")
            given = {"name": "create_refund", "arguments": {"note": "n"}}
            assert (await client.call_tool("execute_tool", given)).content[0].text == "create_refund: n"

    asyncio.run(main())


def test_fastmcp_lists_a_few_tools_as_they_are() -> None:
    async def main() -> None:
        async with Client(fastmcp_server(NAMES[:5])) as client:
            assert [tool.name for tool in await client.list_tools()] == NAMES[:5]

    asyncio.run(main())


# --- pydantic-ai ------------------------------------------------------------------------------------------------------


def test_pydantic_ai_discovers_what_clears_the_floor() -> None:
    seen: list[list[str]] = []
    script = [
        ToolCallPart("search_tools", {"queries": ["create refund", "list_all_cal_com_schedules"]}),
        ToolCallPart("create_refund", {"note": "n"}),
        TextPart("done"),
    ]

    def play(_: list[ModelMessage], info: AgentInfo) -> Reply:
        seen.append(sorted(tool.name for tool in info.function_tools))
        return Reply(parts=[script[len(seen) - 1]])

    deferred = [Tool(function(name), defer_loading=True) for name in NAMES]
    agent = Agent(FunctionModel(play), tools=deferred, capabilities=[recipe("pydantic-ai")["tool_search"]])
    result = asyncio.run(agent.run("Refund it."))
    assert result.output == "done"
    assert seen[0] == ["search_tools"]
    discovered = [name for name in seen[1] if name != "search_tools"]
    assert "create_refund" in discovered
    assert "list_calendar" not in discovered
    assert "create_refund: n" in str(result.all_messages())


# --- LangChain --------------------------------------------------------------------------------------------------------


class Script(BaseChatModel):  # type: ignore[misc]
    """A chat model that says its lines, and notes which tools it was shown."""

    lines: list[AIMessage]
    shown: list[list[str]]

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        self.shown.append(sorted(tool.name for tool in tools))
        return self

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.lines[len(self.shown) - 1])])

    @property
    def _llm_type(self) -> str:
        return "script"


def says(name: str, **arguments: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": name, "type": "tool_call"}])


def test_langchain_shows_what_was_found_and_calls_it_by_its_own_name() -> None:
    mine = [StructuredTool.from_function(function(name)) for name in NAMES]
    lines = [says("search_tools", query="create refund"), says("create_refund", note="n"), AIMessage("done")]
    model = Script(lines=lines, shown=[])
    agent = create_agent(model, tools=mine, middleware=[recipe("langchain")["ToolrankMiddleware"](mine)])
    messages = agent.invoke({"messages": [("user", "Refund it.")]})["messages"]
    assert messages[-1].text == "done"
    assert messages[-2].text == "create_refund: n"
    assert model.shown[0] == ["search_tools"]
    assert "create_refund" in model.shown[1]
    assert "list_page" not in model.shown[1]


# --- OpenAI Agents SDK ------------------------------------------------------------------------------------------------


class Scripted(Model):  # type: ignore[misc]
    """A model that says its lines, and notes which tools it was shown."""

    def __init__(self, *lines: Any) -> None:
        self.lines = list(lines)
        self.shown: list[list[str]] = []
        self.inputs: list[Any] = []

    async def get_response(self, *given: Any, **more: Any) -> ModelResponse:
        _, sent, _, tools, *_ = (*given, *more.values())
        self.shown.append([tool.name for tool in tools])
        self.inputs.append(sent)
        return ModelResponse(output=[self.lines.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def calls(name: str, /, **arguments: object) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(type="function_call", call_id=name, name=name, arguments=json.dumps(arguments))


def test_openai_agents_search_and_execute_through_the_surface() -> None:
    def call(tool: Listed, arguments: Any) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": f"{tool.name}: {arguments['note']}"}]}

    surface = Surface(Pool([Listed(name, connector="Office", parameters=["note"]) for name in NAMES]), call)
    text = ResponseOutputText(type="output_text", text="done", annotations=[])
    done = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
    model = Scripted(
        calls("search_tools", query="create refund"),
        calls("execute_tool", name="create_refund", arguments={"note": "n"}),
        done,
    )
    set_tracing_disabled(True)
    agent = OpenAIAgent(name="a", model=model, mcp_servers=[recipe("openai-agents")["ToolrankServer"](surface)])
    result = asyncio.run(Runner.run(agent, "Refund it."))
    assert result.final_output == "done"
    assert model.shown[0] == ["search_tools", "execute_tool"]
    told = json.dumps([item for item in model.inputs[-1] if item.get("type") == "function_call_output"])
    assert "create_refund: n" in told
    assert "list_page" not in told
