"""Draining a server's `tools/list`, page by page.

A session is told by its `list_tools` method, whichever SDK it is from. Nothing here opens or keeps one.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from toolrank.mcp._listing import entries, field

__all__ = ["list_all"]


async def list_all(session: Any, connector: str = "", *, pages: int = 1000) -> list[object]:
    """Return every tool definition of a server, in the server's order.

    `session` is a client or session of the official SDK (1.x or 2.x), a FastMCP client, or any object whose
    `await list_tools(cursor=...)` gives one page. `pages` is the most that are asked for.

    Raises ValueError for a page that is no listing, for a cursor that comes again, and past the last of `pages`.

    Cost: one request for each page.
    """
    if isinstance(pages, bool) or not isinstance(pages, int) or pages < 1:
        raise ValueError(f"pages must be an integer of 1 or more, not {pages!r}")
    ask = getattr(session, "list_tools_mcp", None) or session.list_tools  # FastMCP's own list_tools drops the cursor
    found: list[object] = []
    met: set[str] = set()
    page = await ask()
    while True:
        found.extend(entries(page, connector))
        cursor = field(page, "next_cursor", "nextCursor")
        # Some servers send an empty cursor with the last page.
        if not cursor:
            return found
        of = f" of {connector!r}" if connector else ""
        if not isinstance(cursor, str) or cursor in met:
            raise ValueError(f"tools listing{of}: nextCursor must be a string that is new, not {cursor!r:.80}")
        met.add(cursor)
        if len(met) == pages:
            raise ValueError(f"tools listing{of}: the listing must end within {pages} pages, not go on")
        page = await ask(**_next(ask, cursor))


def _next(ask: Callable[..., Any], cursor: str) -> dict[str, object]:
    """Return the arguments that ask for the page at a cursor."""
    taken = inspect.signature(ask).parameters
    if "cursor" in taken or "params" not in taken:
        return {"cursor": cursor}
    # The sessions of mcp 2.x take a model, which their own annotation names: the SDK is used, and not imported.
    hint = typing.get_type_hints(ask)["params"]
    [model] = [kind for kind in typing.get_args(hint) if kind is not type(None)] or [hint]
    return {"params": model(cursor=cursor)}
