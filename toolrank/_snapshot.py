"""A pool on disk: a versioned JSON snapshot of its tools, written so that the last good one is never lost."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolrank._tool import Tool

__all__ = ["read", "write"]

_FORMAT = "toolrank pool"
_VERSION = 1
_FIELDS = ("name", "description", "connector", "title", "parameters", "read_only", "destructive")


def write(path: str | os.PathLike[str], content: dict[str, Any], default: Callable[[Any], Any] | None) -> None:
    """Write a snapshot in place of the file, if there is one: whole, or not at all."""
    document = {"format": _FORMAT, "version": _VERSION, **content}
    # Made whole first, so that what JSON cannot hold raises before any file is touched. Lone surrogates are kept as
    # they are: two escaped ones in a row would be read as one character.
    text = json.dumps(document, default=default, indent=0, ensure_ascii=False) + "\n"
    whole = text.encode("utf-8", "surrogatepass")
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync(target.parent)


def _sync(folder: Path) -> None:
    """Make the renaming last, where the system lets a folder be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def of_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as a dictionary; what is empty or not stated is left out."""
    found: dict[str, Any] = {"name": tool.name}
    for field in _FIELDS[1:]:
        value = getattr(tool, field)
        if value not in ("", (), None):
            found[field] = list(value) if field == "parameters" else value
    if tool.payload is not None:
        found["payload"] = tool.payload
    return found


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a snapshot: its content, with the tools made.

    Raises ValueError for a file that is truncated, that is something else, or of a newer version.
    """
    where = os.fspath(path)
    try:
        document = json.loads(Path(path).read_bytes().decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} must be a whole JSON snapshot of a pool, not a file with: {error}") from None
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise ValueError(f"{where} must be a snapshot of a pool, not another JSON document")
    version = document.get("version")
    if version != _VERSION:
        raise ValueError(f"{where} must be a snapshot of version {_VERSION} or older, not of version {version!r}")
    listed = document.get("tools")
    if not isinstance(listed, list):
        raise ValueError(f"{where} must have a list of tools, not {type(listed).__name__}")
    document["tools"] = [_tool(where, at, fields) for at, fields in enumerate(listed)]
    return document


def _tool(where: str, at: int, fields: object) -> Tool:
    if not isinstance(fields, dict) or "name" not in fields:
        raise ValueError(f"{where}: tools[{at}] must be an object with a name, not {fields!r}")
    known = {field: fields[field] for field in (*_FIELDS, "payload") if field in fields}
    try:
        return Tool(**known)
    except TypeError as error:
        raise ValueError(f"{where}: tools[{at}]: {error}") from None
