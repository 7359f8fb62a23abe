"""One caller's view of many tools: all of them as they are, or two meta-tools in front of those that are connected.

It decides nothing about permission. The pool is what the caller may see, and `call` is the gateway's own way to a tool:
every execution goes through it, whichever way the tool was named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import isawaitable
from typing import Any

from toolrank._answer import Reason
from toolrank._floor import HALF, FloorPolicy
from toolrank._pool import Pool
from toolrank._rank import rank
from toolrank._tool import Tool
from toolrank.mcp import _meta
from toolrank.mcp._answers import answer, asked, nothing
from toolrank.mcp._listing import shown
from toolrank.mcp._meta import LIMIT, META_NAMES
from toolrank.mcp._wire import DETAILS, compact, definition, entry, estimated_tokens

__all__ = ["Surface"]

_COLLAPSE = ("auto", "always", "never")


class Surface:
    """What one caller lists, searches and executes.

    `pool` holds the connected tools that the caller may see, and `control` the gateway's own, which are listed one by
    one and never searched. `call(tool, arguments)`, a function or a coroutine function, is the gateway's tools/call
    path. The surface collapses past `threshold` tools, control-plane and connected ones counted together, or past
    `tokens` estimated tokens of listing if given; `collapse` "always" or "never" settles it. `pins`, names or
    (connector, name) pairs, stay listed where the caller sees them. `budget` is how many bytes the tools of one answer
    may take. `names` are those of the two meta-tools.

    Raises ValueError for a tool that has the name of a meta-tool, and for two tools of one identity.

    >>> pool = Pool([Tool("list_issues", connector="Linear", read_only=True), Tool("search", connector="Notion")])
    >>> surface = Surface(pool, call=lambda tool, arguments: tool.connector, collapse="always")
    >>> [tool["name"] for tool in surface.list_tools()]
    ['search_tools', 'execute_tool']
    >>> print(surface.search_tools("linear issues")["content"][0]["text"])
    {"tools":[{"name":"list_issues","connector":"Linear","read_only":true,"call":"list_issues()"}]}
    """

    def __init__(
        self,
        pool: Pool,
        call: Callable[[Tool, Any], Any],
        *,
        control: Iterable[Tool] = (),
        pins: Iterable[str | tuple[str, str]] = (),
        threshold: int = 30,
        tokens: int | None = None,
        collapse: str = "auto",
        budget: int = 8192,
        floor: FloorPolicy = HALF,
        names: tuple[str, str] = META_NAMES,
    ) -> None:
        if not isinstance(pool, Pool):
            raise TypeError(f"pool must be a Pool, not {pool!r}")
        if not callable(call):
            raise TypeError(f"call must be a function of a tool and its arguments, not {call!r}")
        if collapse not in _COLLAPSE:
            raise ValueError(f"collapse must be one of {', '.join(_COLLAPSE)}, not {collapse!r}")
        for argument, value in (("threshold", threshold), ("tokens", 0 if tokens is None else tokens)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ValueError(f"{argument} must be an integer of 0 or more, not {value!r}")
        if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
            raise ValueError(f"budget must be an integer of 1 or more, not {budget!r}")
        search, execute = names
        if search == execute or not all(isinstance(name, str) and name for name in names):
            raise ValueError(f"names must be two different names, not {names!r}")
        self._pool = pool
        self._call = call
        if isinstance(pins, str):
            raise TypeError(f"pins must be an iterable of names or (connector, name) pairs, not {pins!r}")
        self._control = tuple(control)
        self._pins = frozenset(pins)
        self._threshold, self._tokens, self._collapse = threshold, tokens, collapse
        self._budget = budget
        self._floor = floor
        self._search, self._execute = search, execute
        self._by_name = self._named()
        self._entries: dict[tuple[int, str], str] = {}

    def _named(self) -> dict[str, list[Tool]]:
        """Map names to the tools that have them."""
        found: dict[str, list[Tool]] = {}
        for tool in (*self._control, *self._pool):
            same = found.setdefault(tool.name, [])
            if any(other.connector == tool.connector for other in same):
                raise ValueError(f"control must hold tools that differ from all others, not {tool.identity!r} again")
            same.append(tool)
        for name in (self._search, self._execute):
            if name in found:
                raise ValueError(f"names must differ from those of tools, not {name!r} of {found[name][0].connector!r}")
        return found

    @property
    def collapsed(self) -> bool:
        """Whether the connected tools stand behind the meta-tools."""
        if self._collapse != "auto":
            return self._collapse == "always"
        if len(self._control) + len(self._pool) > self._threshold:
            return True
        return self._tokens is not None and estimated_tokens(self._everything()) > self._tokens

    def _everything(self) -> list[dict[str, Any]]:
        return [definition(tool) for tool in (*self._control, *self._pool)]

    def list_tools(self) -> list[dict[str, Any]]:
        """Return the definitions to answer `tools/list` with.

        Past the threshold these are the control-plane tools, the pinned ones, and the two meta-tools.

        Cost: O(tools), and O(size of their definitions) where a token budget is to be held.
        """
        if not self.collapsed:
            return self._everything()
        pinned = [tool for tool in self._pool if tool.name in self._pins or tool.identity in self._pins]
        meta = (_meta.search_definition(*self._names), _meta.execute_definition(*self._names))
        return [*[definition(tool) for tool in (*self._control, *pinned)], *meta]

    @property
    def _names(self) -> tuple[str, str]:
        return self._search, self._execute

    def search_tools(
        self, query: str | Sequence[str], limit: int = LIMIT, app: str | None = None, detail: str = DETAILS[0]
    ) -> dict[str, Any]:
        """Return what fits a query, or each of several, as the result of a tool call: JSON in one text.

        `app` requires its words, as `+words` in a query do. `detail` is "names" (with a one-line signature each),
        "descriptions" or "schemas". Tools that the budget has no room for are left out whole, and counted. An empty
        answer gives the reason, the words that no visible tool knows, and what to try. Wrong arguments give a tool
        error.

        Cost: as `rank` for each query, and O(limit).
        """
        queries = (query,) if isinstance(query, str) else query
        wrong = _meta.wrong_search(queries, limit, app, detail)
        if wrong is not None:
            return _error(f"{self._search}: {wrong}.")
        if isinstance(query, str):
            return _result(self._answer(query, limit, app, detail, self._budget)[0])
        told: list[str] = []
        room = self._budget
        for at, one in enumerate(queries):
            text, used = self._answer(one, limit, app, detail, room // (len(queries) - at))
            told.append(asked(one, text))
            room -= used
        return _result('{"answers":[' + ",".join(told) + "]}")

    def _answer(self, query: str, limit: int, app: str | None, detail: str, budget: int) -> tuple[str, int]:
        required = "".join([f" +{word}" for word in app.split()]) if app else ""
        ranking = rank(query + required, self._pool, limit, floor=self._floor)
        if ranking:
            return answer(ranking, budget, lambda tool: self._entry(tool, detail))
        connected = not required or rank(required, self._pool, 1).reason is not Reason.MISSING_REQUIRED
        return nothing(ranking, app, connected), 0

    def _entry(self, tool: Tool, detail: str) -> str:
        key = id(tool), detail  # the pool keeps the tool, and so its id
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = entry(tool, detail)
        return found

    async def execute_tool(self, name: str, arguments: Any = None, connector: str | None = None) -> Any:
        """Call the tool of this name, and of this connector where one is given, and return what the call returns.

        It only names the tool: `call` gets the tool itself and the arguments untouched. A name that the caller does not
        see, one that several connectors have, and a meta-tool's own are a tool error, and nothing is called.

        Cost: O(1) and the call.
        """
        if name in self._names:
            return _error(f"{shown(name)} is called directly, not through {self._execute}.")
        return await self._direct(name, arguments, connector)

    async def _direct(self, name: str, arguments: Any, connector: str | None) -> Any:
        if not isinstance(name, str) or not (connector is None or isinstance(connector, str)):
            return _error(f"{self._execute}: name and connector must be strings.")
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, Mapping):
            return _error(f"{self._execute}: arguments must be an object, not {shown(arguments)}.")
        found = [tool for tool in self._by_name.get(name, ()) if connector is None or tool.connector == connector]
        if not found:
            of = "" if connector is None else f" of {shown(connector)}"
            return _error(f"No tool {shown(name)}{of} is connected here. Find the exact name with {self._search}.")
        if len(found) > 1:
            labels = ", ".join(sorted(compact(tool.connector) for tool in found))
            return _error(f"Several connectors have a tool {shown(name)}. Give one of them as `connector`: {labels}.")
        returned = self._call(found[0], arguments)
        return await returned if isawaitable(returned) else returned

    async def call_tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Answer a `tools/call`: a meta-tool with the arguments a model gave, or any visible tool by its own name.

        Cost: as `search_tools` or `execute_tool`.
        """
        if name not in self._names:
            return await self._direct(name, arguments, None)
        if not isinstance(arguments, (Mapping, type(None))):
            return _error(f"{name}: arguments must be an object, not {shown(arguments)}.")
        given = dict(arguments or {})
        if name == self._search:
            if wrong := set(given) - {"query", "queries", "limit", "app", "detail"}:
                return _error(
                    f"{name} takes query or queries, app, limit and detail, not {shown(min(map(str, wrong)))}."
                )
            if (given.get("query") is None) == (given.get("queries") is None):
                return _error(f"{name} takes either query or queries.")
            query = given["queries"] if given.get("query") is None else given["query"]
            if given.get("queries") is not None and not isinstance(query, list):
                return _error(f"{name}: queries must be a list of strings, not {shown(query)}.")
            options = {key: given[key] for key in ("limit", "app", "detail") if given.get(key) is not None}
            return self.search_tools(query, **options)
        if "name" not in given or set(given) - {"name", "arguments", "connector"}:
            return _error(f"{name} takes name, arguments and connector.")
        return await self.execute_tool(**given)


def _result(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": False}


def _error(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}
