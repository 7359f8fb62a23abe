"""Draining a listing: every page, once, from a session of any SDK."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import SimpleNamespace as Object
from typing import Any

import pytest

from toolrank.mcp import list_all

PAGES: dict[str | None, tuple[list[str], str | None]] = {None: (["a", "b"], "1"), "1": (["c"], "2"), "2": (["d"], None)}


def page(cursor: str | None, key: str = "nextCursor") -> Object:
    names, following = PAGES[cursor]
    return Object(**{"tools": [{"name": name} for name in names], key: following})


class OneX:
    """A session of mcp 1.x: the cursor by its name, or in params."""

    async def list_tools(self, cursor: str | None = None, *, params: Any = None) -> Object:
        assert params is None
        return page(cursor)


class TwoClient:
    """A client of mcp 2.x."""

    async def list_tools(self, *, cursor: str | None = None, meta: Any = None, cache_mode: str = "use") -> Object:
        assert (meta, cache_mode) == (None, "use")
        return page(cursor, "next_cursor")


@dataclass
class Params:
    cursor: str | None = None


class TwoSession:
    """A session of mcp 2.x: the cursor in a model."""

    async def list_tools(self, *, params: Params | None = None) -> Object:
        return page(params.cursor if params else None, "next_cursor")


class Strict:
    """A session whose params may not be left empty by a None."""

    async def list_tools(self, params: Params = Params()) -> Object:  # noqa: B008 - never changed
        return page(params.cursor)


class FastMCP:
    """A FastMCP client: `list_tools` drains by itself and gives a bare list."""

    async def list_tools(self) -> list[object]:
        raise AssertionError("the page-wise method is preferred")

    async def list_tools_mcp(self, *, cursor: str | None = None) -> Object:
        return page(cursor)


class Loose:
    """A hand-written session that takes anything."""

    async def list_tools(self, **options: Any) -> Object:
        return page(options.get("cursor"))


class Bare:
    """A source that gives everything at once."""

    async def list_tools(self) -> list[object]:
        return [{"name": name} for name in "abcd"]


@pytest.mark.parametrize("session", [OneX, TwoClient, TwoSession, Strict, FastMCP, Loose, Bare])
def test_every_page_is_drained_in_order(session: type[Any]) -> None:
    found: list[Any] = asyncio.run(list_all(session()))
    assert [tool["name"] for tool in found] == ["a", "b", "c", "d"]


def session(*cursors: object) -> Object:
    """Make a session whose pages end with these cursors."""
    given = iter(cursors)

    async def list_tools(**_: str) -> dict[str, Any]:
        return {"tools": [], "nextCursor": next(given)}

    return Object(list_tools=list_tools)


@pytest.mark.parametrize(
    ("cursors", "message"),
    [
        (("x", "x"), "tools listing of 'Notion': nextCursor must be a string that is new, not 'x'"),
        (("x", "y", "x"), "tools listing of 'Notion': nextCursor must be a string that is new, not 'x'"),
        ((7,), "tools listing of 'Notion': nextCursor must be a string that is new, not 7"),
        (("1", "2", "3"), "tools listing of 'Notion': the listing must end within 3 pages, not go on"),
    ],
)
def test_a_listing_that_goes_round_or_on_is_an_error(cursors: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        asyncio.run(list_all(session(*cursors), "Notion", pages=3))
    assert str(caught.value) == message


def test_the_last_page_may_be_the_last_that_is_allowed_or_end_with_an_empty_cursor() -> None:
    assert asyncio.run(list_all(session("1", "2", None), pages=3)) == []
    assert asyncio.run(list_all(session(""))) == []


def test_without_a_connector_no_name_is_made_up() -> None:
    with pytest.raises(ValueError, match=r"^tools listing: nextCursor must be a string that is new, not 7$"):
        asyncio.run(list_all(session(7)))


def test_a_page_that_is_no_listing_is_an_error() -> None:
    async def list_tools() -> dict[str, Any]:
        return {"prompts": []}

    with pytest.raises(ValueError, match=r"^tools listing of 'X': the listing must be a list of tools"):
        asyncio.run(list_all(Object(list_tools=list_tools), "X"))


@pytest.mark.parametrize("pages", [0, -1, True, 1.5, None])
def test_the_page_limit_must_be_positive(pages: Any) -> None:
    with pytest.raises(ValueError, match=r"^pages must be an integer of 1 or more, not "):
        asyncio.run(list_all(Bare(), pages=pages))
