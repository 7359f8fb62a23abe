"""Cases of tool search, told as data: a small pool, a query, and what must come back.

This module reads and judges them and prints nothing; `python -m tests.cases` is the command. The format is described
in the README beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from toolrank import Pool, Ranking, Tool, rank


class CaseError(ValueError):
    """A case file that cannot be read, or that says something no case can say."""


@dataclass(frozen=True)
class Case:
    """One case, as its line says it."""

    id: str
    kind: str
    why: str
    query: str
    pool: tuple[Tool, ...]
    expect: dict[str, Any]
    limit: int | None = 10
    hidden: tuple[str, ...] = ()
    removed: tuple[Tool, ...] = ()
    page_size: int | None = None
    scale: int = 0
    limit_known: bool = False


# Told about a case, and taking no part in judging it.
NOTES = {"url", "complaint", "confidence"}
TOOL_KEYS = {
    "name": "name",
    "description": "description",
    "connector": "connector",
    "title": "title",
    "params": "parameters",
    "read_only": "read_only",
    "destructive": "destructive",
}


def read_cases(path: Path) -> list[Case]:
    """Read the cases of a file, or of the `.jsonl` files of a folder.

    Raises CaseError with the path and the line where a line is not a case, and where there is none at all.
    """
    try:
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        lines = [
            (f"{file}:{number}", line)
            for file in files
            for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1)
            if line.strip()
        ]
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{path}: {error}") from error
    if not lines:
        raise CaseError(f"{path}: must hold at least one case")
    return [_read_case(where, line) for where, line in lines]


def _read_case(where: str, line: str) -> Case:
    try:
        told = json.loads(line)
        if not isinstance(told, dict):
            raise CaseError(f"a case must be an object, not {line.strip()[:40]}")
        known = {field.name for field in fields(Case)}
        if strange := set(told) - known - NOTES:
            raise CaseError(f"a case must have known keys, not {min(strange)}")
        told = {key: value for key, value in told.items() if key in known}
        for key in ("pool", "removed"):
            told[key] = tuple(_read_tool(entry) for entry in told.get(key, ()))
        case = Case(**{**told, "hidden": tuple(told.get("hidden", ()))})
        _validate(case)
    except (CaseError, TypeError, ValueError) as error:
        raise CaseError(f"{where}: {error}") from error
    return case


def _read_tool(entry: dict[str, Any]) -> Tool:
    if strange := set(entry) - set(TOOL_KEYS):
        raise CaseError(f"a tool must have known keys, not {min(strange)}")
    return Tool(**{TOOL_KEYS[key]: value for key, value in entry.items()})


def _validate(case: Case) -> None:
    """Refuse what would let a case hold for no reason: no expectation, or one about a tool that never was."""
    if not case.expect:
        raise CaseError("expect must have an expectation, not {}")
    if strange := set(case.expect) - set(CHECKS):
        raise CaseError(f"expect must have known keys, not {min(strange)}")
    if case.expect.get("empty", True) is not True:
        raise CaseError("empty must be true, or left out")
    for key in ("contains", "not_contains", "order"):
        wanted = case.expect.get(key, ["", ""])
        if not isinstance(wanted, list) or len(wanted) < (2 if key == "order" else 1):
            raise CaseError(f"{key} must be a list of names, not {wanted!r}")
    first = [case.expect["first"]] if "first" in case.expect else []
    wanted = first + [name for key in ("contains", "not_contains", "order") for name in case.expect.get(key, [])]
    ever = (*case.pool, *case.removed)
    for name in (*wanted, *case.hidden):
        if not any(is_named(tool, name) for tool in ever):
            raise CaseError(f"{name} must be a tool of the pool or a removed one")


def is_named(tool: Tool, name: str) -> bool:
    """Tell whether a case means this tool by `name` or by `connector::name`."""
    return name in (tool.name, f"{tool.connector}::{tool.name}")


# --- from a case to an answer -----------------------------------------------------------------------------------------


def answer(case: Case, fillers: int = 0) -> Ranking:
    """Rank as the case says, with that many more tools around."""
    arriving = [*_arrival(case), *_fillers(fillers)]
    pool = _updated(case, arriving) if case.removed else Pool(arriving)
    if case.hidden:
        pool = pool.restrict(lambda tool: not any(is_named(tool, name) for name in case.hidden))
    return rank(case.query, pool, limit=case.limit)


def _updated(case: Case, arriving: Sequence[Tool]) -> Pool:
    """Index the tools as they were, ask once so that whatever is remembered could show, and bring them up to date."""
    replaced = {tool.identity for tool in case.removed}
    pool = Pool([*(tool for tool in arriving if tool.identity not in replaced), *case.removed])
    rank(case.query, pool, limit=case.limit)
    for connector in sorted({tool.connector for tool in case.removed}):
        pool = pool.replace(connector, [tool for tool in arriving if tool.connector == connector])
    return pool


def _arrival(case: Case) -> Iterator[Tool]:
    """Yield the listing as it arrives: whole, or in pages of which the last one comes twice."""
    if case.page_size is None:
        yield from case.pool
        return
    pages = [case.pool[at : at + case.page_size] for at in range(0, len(case.pool), case.page_size)]
    for page in (*pages, *pages[-1:]):
        yield from page


def _fillers(count: int) -> list[Tool]:
    """Make tools that share no word with any query, in connectors of ten."""
    return [
        Tool(f"zzfiller{i}_zzaction{i % 7}", f"Zztext{i % 5} zznote{i}.", connector=f"zzserver{i // 10}")
        for i in range(count)
    ]


# --- from an answer to a verdict --------------------------------------------------------------------------------------


def place(hits: Sequence[Tool], name: str) -> int:
    """Return the rank of the first hit of that name, from 1; 0 where it was not returned."""
    return next((at for at, tool in enumerate(hits, start=1) if is_named(tool, name)), 0)


def _first(hits: Sequence[Tool], name: str) -> bool:
    return place(hits, name) == 1


def _contains(hits: Sequence[Tool], names: Sequence[str]) -> bool:
    return all(place(hits, name) for name in names)


def _not_contains(hits: Sequence[Tool], names: Sequence[str]) -> bool:
    return not any(place(hits, name) for name in names)


def _order(hits: Sequence[Tool], names: Sequence[str]) -> bool:
    places = [place(hits, name) for name in names]
    return all(places) and places == sorted(set(places))


def _empty(hits: Sequence[Tool], wanted: bool) -> bool:
    return (not hits) is wanted


CHECKS: dict[str, Callable[[Sequence[Tool], Any], bool]] = {
    "first": _first,
    "contains": _contains,
    "not_contains": _not_contains,
    "order": _order,
    "empty": _empty,
}


def complaints(case: Case) -> list[str]:
    """List what the answers fail to meet, a line each; none where the case holds, at its own size and at scale."""
    found = []
    for fillers in sorted({0, case.scale}):
        hits = answer(case, fillers).tools
        for key, wanted in case.expect.items():
            if not CHECKS[key](hits, wanted):
                around = f" with {fillers} more tools" if fillers else ""
                found.append(f"{key} {json.dumps(wanted, ensure_ascii=False)}{around}, got {_names(hits)}")
    return found


def _names(tools: Iterable[Tool]) -> str:
    return ", ".join(f"{tool.connector}::{tool.name}" if tool.connector else tool.name for tool in tools) or "nothing"
