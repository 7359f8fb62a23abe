"""Hypothesis strategies for tools, pools, queries and views.

Small on purpose. A case is made of a few words that meet, nearly meet, or must not meet, so that ties, prefixes,
duplicates, joined forms, other scripts and exact halves turn up in every handful of examples.

A tool or a piece of a query is drawn as a handful of bytes, read as dice of any number of sides. One draw for a tool
instead of a dozen makes thousands of examples cheap, and since a 0 always means the plainest choice, smaller bytes are
simpler tools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from toolrank import Tool

__all__ = [
    "FOREIGN",
    "PLAIN",
    "Case",
    "Dice",
    "Identity",
    "cases",
    "distinct",
    "pools",
    "queries",
    "restrictions",
    "rolls",
    "spell",
    "tools",
    "wild_cases",
]

Identity = tuple[str, str]

# Words that are easily confused, by kind: joined forms, prefixes, plurals, stop words, acronyms, scripts, marks.
FAMILIES = (
    ("github", "GitHub", "git", "hub", "gitee", "git_hub"),
    ("repo", "repos", "repository", "repositories"),
    ("click", "clickup", "ClickUp", "shop", "shopify"),
    ("add", "address", "addresses", "addPerson", "person"),
    ("cal", "com", "comment", "calendar", "calendars", "cal.com"),
    ("plan", "plans", "planet", "planning"),
    ("list", "lists", "listing", "all", "listS3Objects", "S3", "object"),
    ("query", "queries", "movie", "movies", "create", "created", "creating"),
    ("delete", "remove", "issue", "issues", "deleteIssue", "get"),
    ("set", "settings", "connection", "the", "a", "my", "mcp", "tool", "tools"),
    ("getURL", "getURLs", "url", "urls", "v2", "oauth2", "2"),
    ("漢字検索", "検索", "漢", "カレンダー", "검색", "GitHub漢字"),
    ("straße", "STRASSE", "cafe\u0301", "café", "поиск", "Ａdd", "ﬁle", "file"),
    ("don't", "dont", "user's", "user", "lis\u200bt", "list", "Git\u00adHub", "github"),
)
PLAIN = ("page", "issue", "list", "update", "folder", "branch", "ticket", "invoice", "archive", "webhook")
"""Words of one spelling each: none is the beginning or another form of a second, and none is a stop word."""

FOREIGN = ("quokka", "jukebox", "vuvuzela", "kumquat", "wyvern", "zyzzyva", "xylophone")
"""Words that no tool made by these strategies has, and that are like none of theirs."""

STYLES = ("_", "_", "_", " ", "-", ".", "__", "camel")
_MARKUP = ("<b>", "</b>", "<", "http://github.com/list", "https://repo", ", ", "\n")
_NASTY = ("\x00", "\x1b", "\u202e", "\ufe0f", "\u0301" * 20, "\U0010ffff", "'", "+", "select:", "<", "http://", "__")
_SURROGATES = ("\ud800", "\udfff", "a\ud83d")

Words = tuple[str, ...]
T = TypeVar("T")


def spell(words: Sequence[str], style: str) -> str:
    """Write words as one name: in camel case, or with the style as separator."""
    if style == "camel":
        return "".join([*words[:1], *[word[:1].upper() + word[1:] for word in words[1:]]])
    return style.join(words)


class Dice:
    """Bytes that were drawn, read one by one; past their end every roll is a 0."""

    def __init__(self, rolled: bytes) -> None:
        self._rolled = iter(rolled)

    def roll(self, sides: int) -> int:
        """Return a number from 0 to one below `sides`."""
        return next(self._rolled, 0) % sides

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options; the first is the simplest."""
        return options[self.roll(len(options))]

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Return from `least` to `most` of the options, some of them perhaps more than once."""
        return [self.pick(options) for _ in range(least + self.roll(most - least + 1))]


@cache
def rolls(number: int) -> SearchStrategy[bytes]:
    """Draw bytes for that many rolls."""
    return st.binary(min_size=number, max_size=number)


def distinct(drawn: Sequence[Tool]) -> list[Tool]:
    """Keep one tool of each identity."""
    return list({tool.identity: tool for tool in drawn}.values())


# ---- Tools and pools ------------------------------------------------------------------------------------------------

_TOOL = 16  # rolls
_HINTS = (None, None, True, False)


def _words(dice: Dice) -> Words:
    """Choose the words that a whole case is made of."""
    families = [dice.pick(FAMILIES), *dice.some(FAMILIES, 0, 1)]
    related = [word for family in families for word in family]
    return tuple(dice.some(related, 2, 6))


_few_words = rolls(9).map(lambda rolled: _words(Dice(rolled)))


def _tool(dice: Dice, words: Words) -> Tool:
    name = spell(dice.some(words, 1, 3), dice.pick(STYLES))
    description = f" {dice.pick(_MARKUP)}".join(dice.some(words, 0, 3))
    connector = dice.pick(("", "", "", "Notion", "GitHub", words[0]))
    read_only, destructive = dice.pick(_HINTS), dice.pick(_HINTS)
    title = dice.pick(("", "", words[-1], f"{words[0]} {words[-1]}"))
    # The payload is something that a careless ranker can change.
    payload = {"name": name, "tags": [name]}
    return Tool(name, description, connector, title, dice.some(words, 0, 1), read_only, destructive, payload)


def tools() -> SearchStrategy[Tool]:
    """Draw one tool."""
    return st.builds(lambda rolled, words: _tool(Dice(rolled), words), rolls(_TOOL), _few_words)


def _copy(tool: Tool, **changes: Any) -> Tool:
    fields = ("name", "description", "connector", "title", "parameters", "read_only", "destructive", "payload")
    return Tool(**{field: getattr(tool, field) for field in fields} | changes)


def _pool(rolled: Sequence[bytes], extra: bytes, words: Words) -> list[Tool]:
    pool = distinct([_tool(Dice(one), words) for one in rolled])
    if pool:
        dice = Dice(extra)
        # A tool like another but for the label and a hint: the last keys of an order decide between them.
        sibling = dice.roll(3)
        if sibling:
            pool.append(_copy(dice.pick(pool), connector=dice.pick(("Slack", "git")), read_only=dice.pick(_HINTS)))
            pool = distinct(pool)
        # The same tool again, as a listing whose last page comes twice has it.
        if dice.roll(4) == 1:
            pool.insert(dice.roll(len(pool) + 1), _copy(dice.pick(pool), payload={"again": True}))
    return pool


@cache
def _pool_rolls(max_size: int) -> SearchStrategy[list[bytes]]:
    return st.lists(rolls(_TOOL), max_size=max_size)


def pools(max_size: int = 6) -> SearchStrategy[list[Tool]]:
    """Draw the tools of one pool: no two different ones of one identity, but some entries more than once.

    One tool that differs from another in its label alone, and one repeated entry, may exceed `max_size`.
    """
    return st.builds(_pool, _pool_rolls(max_size), rolls(7), _few_words)


# ---- Queries and views ----------------------------------------------------------------------------------------------

_PIECE = 7  # rolls
_PIECES = ("words", "words", "words", "name", "name", "whole", "mcp", "description", "foreign")
_GLUE = (" ", " ", " ", ", ", ";", "\u3000")


def _piece(dice: Dice, words: Words, pool: Sequence[Tool]) -> str:
    kind, glue, opening = dice.pick(_PIECES), dice.pick(_GLUE), dice.pick(("", "", "", "", "", "", "", "+"))
    if kind == "words" or not pool:
        text = spell(dice.some(words, 1, 2), dice.pick(STYLES))
    elif kind == "foreign":
        text = dice.pick(FOREIGN)
    else:
        tool = dice.pick(pool)
        whole = f"{tool.connector}__{tool.name}"
        text = {"name": tool.name, "whole": whole, "mcp": f"mcp__{whole}", "description": tool.description}[kind]
    return opening + text + glue


def _query(rolled: Sequence[bytes], words: Words, pool: Sequence[Tool]) -> str:
    text = "".join([_piece(Dice(one), words, pool) for one in rolled]).strip(" ")
    return f"select:{text}" if rolled and rolled[0][-1] > 216 else text


_query_rolls = st.lists(rolls(_PIECE), max_size=3)


def queries(about: Sequence[Tool] = ()) -> SearchStrategy[str]:
    """Draw a query; where tools are given, it often has their words or writes their names out."""
    told = tuple(word for tool in about for word in (tool.name, tool.connector, *tool.description.split()) if word)
    words = st.just(told) if told else _few_words
    return st.builds(lambda rolled, few: _query(rolled, few, about), _query_rolls, words)


def restrictions(of: Sequence[Tool]) -> SearchStrategy[frozenset[Identity]]:
    """Draw the identities of those tools that a caller may see: all, some or none."""
    every = sorted({tool.identity for tool in of})
    return st.builds(
        lambda seen: frozenset(identity for identity, kept in zip(every, seen) if kept),
        st.lists(st.sampled_from((True, True, False)), min_size=len(every), max_size=len(every)),
    )


@dataclass(frozen=True)
class Case:
    """One call: a query over the tools of one pool, a limit, and which of the tools a second caller may see."""

    query: str
    tools: tuple[Tool, ...]
    limit: int
    seen: tuple[bool, ...]

    @property
    def visible(self) -> frozenset[Identity]:
        """The identities of the tools that the second caller sees."""
        every = sorted({tool.identity for tool in self.tools})
        return frozenset(one for at, one in enumerate(every) if self.seen[at % len(self.seen)])


_LIMITS = (10, 1, 2, 3)
_CALL = 4  # rolls


def _limit_and_seen(dice: Dice) -> tuple[int, tuple[bool, ...]]:
    limit = dice.pick(_LIMITS)
    return limit, tuple(dice.some((True, False), 1, 2)) if dice.roll(2) else (True, False)


def _tame(pool: Sequence[bytes], extra: bytes, query: Sequence[bytes], words: Words) -> Case:
    tools_ = _pool(pool, extra[_CALL:], words)
    limit, seen = _limit_and_seen(Dice(extra[:_CALL]))
    return Case(_query(query, words, tools_), tuple(tools_), limit, seen)


_cases = st.builds(_tame, _pool_rolls(5), rolls(_CALL + 7), _query_rolls, _few_words)


def cases() -> SearchStrategy[Case]:
    """Draw a query over tools that have much to do with it."""
    return _cases


# ---- Wild -----------------------------------------------------------------------------------------------------------

_ALL_WORDS = tuple(word for family in FAMILIES for word in family)


@cache
def _wild_texts(surrogates: bool) -> SearchStrategy[str]:
    excluded: tuple[Literal["Cs"], ...] = () if surrogates else ("Cs",)
    nasty = _NASTY + _SURROGATES if surrogates else _NASTY
    return st.one_of(
        st.text(st.characters(exclude_categories=excluded), max_size=8),
        rolls(6).map(lambda rolled: "".join(Dice(rolled).some(nasty + _ALL_WORDS, 0, 3))),
    )


def _wild(query: str, drawn: Sequence[tuple[str, str, str, bytes]], extra: bytes) -> Case:
    pool = []
    for name, description, other, rolled in drawn:
        dice = Dice(rolled)
        connector, title, *parameters = (dice.pick(("", other)) for _ in range(3))
        pool.append(Tool(name, description, connector, title, parameters, dice.pick(_HINTS), dice.pick(_HINTS)))
    return Case(query, tuple(distinct(pool)), *_limit_and_seen(Dice(extra)))


@cache
def wild_cases(surrogates: bool) -> SearchStrategy[Case]:
    """Draw a query and tools of any characters at all, or one of the tame cases.

    Lone surrogates are optional: a Python string may hold one, and no Unicode text does.
    """
    text = _wild_texts(surrogates)
    tools_ = st.lists(st.tuples(text, text, text, rolls(5)), max_size=3)
    return st.builds(_wild, text, tools_, rolls(_CALL)) | _cases
