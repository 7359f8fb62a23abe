"""Accounts: what is asked, what the caller sees, and what would be right.

An account is asked twice. Of everything it sees (`own` and `rest`) the right answers are `gold`; of `rest` alone, where
the connector that has the answer is not connected, the right answer is nothing. A question that no connector answers
has neither `gold` nor `own`, and is asked of `rest` alone.

Accounts come from two files of JSON lines, or are drawn from the tables in `data/`, which were written by hand.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolrank import Tool
from toolrank.mcp import tools as tools_of_listing

__all__ = ["KINDS", "Account", "MisfitError", "Set", "Side", "own_set", "read"]

KINDS = ("guess", "agent", "user")
DATA = Path(__file__).resolve().parent / "data"


class MisfitError(Exception):
    """Files that cannot be measured on; the message says where, and what was expected."""


class Account(NamedTuple):
    """One question and the ids of the tools that its caller sees."""

    query: str
    kind: str
    source: str
    gold: tuple[str, ...]
    own: tuple[str, ...]
    rest: tuple[str, ...]


class Side(NamedTuple):
    """One asking: the question, and the visible tools with their ids."""

    query: str
    kind: str
    ids: tuple[str, ...]
    tools: list[Tool]


class Set(NamedTuple):
    """Accounts and the catalogue that they see parts of."""

    name: str
    catalogue: dict[str, Tool]
    accounts: list[Account]

    def side(self, account: Account, connected: bool) -> Side:
        """Return what is asked with the connector that answers, or without it."""
        ids = account.own + account.rest if connected else account.rest
        return Side(account.query, account.kind, ids, [self.catalogue[i] for i in ids])


# ---- Files ----------------------------------------------------------------------------------------------------------


def read(accounts: Path, catalogue: Path) -> Set:
    """Read accounts and the catalogue that they name tools of: JSON lines, plain or gzipped.

    Raises MisfitError, naming the file, the line and the id, for the first line that does not fit.
    """
    tools: dict[str, Tool] = {}
    for place, row in _lines(catalogue):
        identity = _text(row, "id", place)
        if identity in tools:
            raise MisfitError(f"{place}: id must be one that no line before has, not {identity!r}")
        tools[identity] = _tool(row, place)
    found = [_account(row, place, tools) for place, row in _lines(accounts)]
    if not found:
        raise MisfitError(f"{accounts}: must have an account in it")
    return Set(accounts.name, tools, found)


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8") if zipped else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                place = f"{path}: line {number}"
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise MisfitError(f"{place}: must be JSON ({error})") from None
                if not isinstance(row, dict):
                    raise MisfitError(f"{place}: must be an object, not {row!r:.60}")
                yield place, row
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise MisfitError(f"{path}: must be readable ({error})") from None


def _text(row: dict[str, Any], key: str, place: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise MisfitError(f"{place}: {key} must be a string, not {value!r:.60}")
    return value


def _tool(row: dict[str, Any], place: str) -> Tool:
    """Read a catalogue row as an entry of a listing is read."""
    entry = {"name": row.get("name"), "description": row.get("description"), "inputSchema": row.get("input_schema")}
    try:
        (tool,) = tools_of_listing([entry], row.get("connector") or "")
    except (TypeError, ValueError) as error:
        raise MisfitError(f"{place}: {row.get('id')!r} must be a tool ({error})") from None
    return tool


def _account(row: dict[str, Any], place: str, tools: dict[str, Tool]) -> Account:
    kind = _text(row, "kind", place)
    if kind not in KINDS:
        raise MisfitError(f"{place}: kind must be one of {', '.join(KINDS)}, not {kind!r}")
    sides = {}
    for key in ("gold", "own", "rest"):
        ids = row.get(key)
        if not isinstance(ids, list):
            raise MisfitError(f"{place}: {key} must be a list of ids, not {ids!r:.60}")
        for identity in ids:
            if not isinstance(identity, str) or identity not in tools:
                raise MisfitError(f"{place}: {key} must be ids of the catalogue, not {identity!r}")
        sides[key] = tuple(ids)
    for identity in sides["gold"]:
        if identity not in sides["own"]:
            raise MisfitError(f"{place}: gold must be among own, not {identity!r}")
    if not sides["gold"] and sides["own"]:
        raise MisfitError(f"{place}: own must be empty where gold is, not {sides['own'][0]!r}")
    # A caller's tools have distinct names per connector; where a catalogue has a name twice, a right tool stands first.
    met: dict[tuple[str, str], str] = {}
    for identity in (*sides["gold"], *sides["own"], *sides["rest"]):
        met.setdefault(tools[identity].identity, identity)
    visible = set(met.values())
    sides = {key: tuple(identity for identity in ids if identity in visible) for key, ids in sides.items()}
    return Account(_text(row, "query", place), kind, str(row.get("source", "")), **sides)


# ---- The set that was written here ----------------------------------------------------------------------------------

OTHERS = 8  # connectors beside the one that answers


def own_set() -> Set:
    """Draw accounts from the tables in `data/`; the draw depends on the question's text alone.

    A connector that could fairly serve a question is left out of its account, unless the question names the product it
    is about: then a rival's look-alike is a wrong answer, as it is in life.
    """
    connectors, kin = _connectors(DATA / "catalogue.txt")
    by_label = {label: [f"{label}/{tool.name}" for tool in tools] for label, tools in connectors.items()}
    catalogue = {f"{label}/{tool.name}": tool for label, tools in connectors.items() for tool in tools}
    accounts = []
    for place, (kind, query, answer) in _table(DATA / "questions.txt"):
        label, _, names = answer.partition(": ")
        gold = [f"{label}/{name}" for name in names.split(", ")] if answer != "-" else []
        for identity in gold:
            if identity not in catalogue:
                raise MisfitError(f"{place}: the right tools must be of the catalogue, not {identity!r}")
        is_named = label.split()[0].casefold() in query.casefold()
        away = {label} if is_named else {label, *kin.get(label, ())}
        draw = random.Random(hashlib.sha256(query.encode()).hexdigest())
        others = draw.sample([other for other in by_label if other not in away], OTHERS)
        rest = [identity for other in others for identity in by_label[other]]
        accounts.append(
            Account(query, kind, "written here", tuple(gold), tuple(by_label[label] if gold else ()), tuple(rest))
        )
    return Set("written here", catalogue, accounts)


def _table(path: Path) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield f"{path.name}: line {number}", [cell.strip() for cell in line.split("|")]


def _connectors(path: Path) -> tuple[dict[str, list[Tool]], dict[str, Sequence[str]]]:
    """Read the tools of each connector, and which others can serve the same need."""
    found: dict[str, list[Tool]] = {}
    kin: dict[str, Sequence[str]] = {}
    label = ""
    for _, cells in _table(path):
        if cells[0].startswith("= "):
            label = cells[0][2:]
            found[label] = []
            kin[label] = [other.strip() for other in cells[1].split(",")]
        else:
            name, description, inputs = cells
            found[label].append(Tool(name, description, label, parameters=inputs.split()))
    return found, kin
