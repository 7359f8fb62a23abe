"""The file of a saved catalogue: one JSON object with a format, a version, and a listing for each connector.

Listings are kept rather than indexes, so a file outlives any change of the engine.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolrank.mcp._listing import shown
from toolrank.mcp._wire import compact

__all__ = ["read", "write"]

_FORMAT = "toolrank catalog"
_VERSION = 1


def write(path: str | os.PathLike[str], listings: Mapping[str, Sequence[object]]) -> None:
    """Write a file that is there whole or not at all."""
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(compact({"format": _FORMAT, "version": _VERSION, "listings": listings}))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read(path: str | os.PathLike[str]) -> dict[str, list[object]]:
    """Return the listings of a file, not yet looked at."""
    try:
        found = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} must be a saved catalogue, not other text ({error})") from error
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise ValueError(f"{path} must be a saved catalogue, not {shown(found)}")
    if found.get("version") != _VERSION:
        raise ValueError(f"{path} must be a saved catalogue of version {_VERSION}, not {shown(found.get('version'))}")
    listings = found.get("listings")
    if not isinstance(listings, dict) or not all(isinstance(one, list) for one in listings.values()):
        raise ValueError(f"{path} must hold a list of tools for each connector, not {shown(listings)}")
    return listings
