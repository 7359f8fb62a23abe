"""What a catalogue's author should mend, told by the ranker itself.

`from toolrank.lint import lint`. The core does not import this module, and it knows nothing of files or terminals.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toolrank._pool import Pool
from toolrank._rank import rank
from toolrank._text import FUNCTION_WORDS, STOP_WORDS, label_runs, prose_words, stem
from toolrank._tool import Tool

__all__ = ["KINDS", "Finding", "lint"]

# In the order in which they are told: what costs the most answers first.
KINDS = {
    "name": "another tool comes first for this one's own name",
    "twin": "no query can tell these tools apart",
    "empty": "there is no description",
    "boilerplate": "the description says nothing of its own",
    "stuffed": "the name holds more than a name should",
    "sentence": "the tool is not first for the first sentence of its description",
    "scaffolding": "many descriptions have this word, so it tells no tool from another",
}

# A name of more parts is a description, and one that says a word three times is after its score. In the public listings
# this was tried on, one name in a hundred has more than eight parts.
_MOST_PARTS = 8
_MOST_REPEATS = 2
# A word that a quarter of the descriptions have, and no name, is the voice of a vendor or of a gateway, not a subject.
_SCAFFOLDING = 4
_FEWEST_TOOLS = 12
_COPIES = 3

_SENTENCE = re.compile(r"[.!?](?=\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend: its kind (of `KINDS`), the tools it is about, the word it is about, and a line that says it.

    `others` are tools that the first is confused with. Of a finding about the whole pool, `tool` is None.
    """

    kind: str
    tool: Tool | None
    others: tuple[Tool, ...]
    word: str
    told: str

    def __str__(self) -> str:
        return self.told

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary; payloads are left out."""
        tools = [{"connector": tool.connector, "name": tool.name} for tool in (self.tool, *self.others) if tool]
        return {"kind": self.kind, "tools": tools, "word": self.word, "told": self.told}


def lint(pool: Pool, progress: Callable[[int, int], None] | None = None) -> list[Finding]:
    """Return what to mend in the tools of a pool, by kind and then in the pool's order.

    Every tool is searched for by its own name and by the first sentence of its description, as `rank` finds them. Words
    are read as the ranker reads them. `progress` is told (done, of how many) after each tool.

    Raises TypeError for anything but a pool.

    Cost: two queries a tool.

    >>> pool = Pool(
    ...     [Tool("get_page", "Gets a page."), Tool("get_page_info"), Tool("list_users", "People, newest first.")]
    ... )
    >>> for finding in lint(pool):
    ...     print(f"{finding.kind}: {finding}")
    empty: 'get_page_info' has no description
    boilerplate: the description of 'get_page' says nothing that its name does not
    """
    if not isinstance(pool, Pool):
        raise TypeError(f"pool must be a Pool, not {pool!r}")
    read = [_Read(tool) for tool in pool]
    found = [*_twins(read), *_descriptions(read, pool), *_stuffed(read), *_scaffolding(read, pool)]
    for done, one in enumerate(read, 1):
        found += _searched(one.tool, pool)
        if progress is not None:
            progress(done, len(read))
    order = list(KINDS)
    return sorted(found, key=lambda finding: order.index(finding.kind))


class _Read:
    """A tool with its words: the parts of its name, and the stems of each field."""

    __slots__ = ("label", "parts", "prose", "text", "tool")

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.parts = [stem(part) for run in label_runs(tool.name) for part in run.parts]
        self.label = frozenset(_stems(tool.connector))
        self.prose = frozenset(prose_words(tool.description))
        beside = [word for text in (tool.title, *tool.parameters) for word in _stems(text)]
        self.text = frozenset(map(stem, self.prose)) | frozenset(beside)


def _stems(text: str) -> Iterator[str]:
    return (stem(part) for run in label_runs(text) for part in run.parts)


def shown(tool: Tool) -> str:
    """Return a tool as a message names it: its connector, where it has one, and its name."""
    return repr(f"{tool.connector}:{tool.name}" if tool.connector else tool.name)


def _searched(tool: Tool, pool: Pool) -> Iterator[Finding]:
    """Search for a tool by what its author says of it."""
    first = _first(tool.name, pool)
    # Of two tools of one name, one can come first; which is a matter of connectors, and not of this name.
    if first is not None and first.name != tool.name:
        yield Finding("name", tool, (first,), "", f"{shown(first)} comes before {shown(tool)} for {tool.name!r}")
    sentence = _SENTENCE.split(tool.description.strip(), maxsplit=1)[0].strip()
    if not prose_words(sentence):
        return
    first = _first(sentence, pool)
    if first is None:
        yield Finding("sentence", tool, (), "", f"nothing is found, nor {shown(tool)}, for {_short(sentence)}")
    elif first.name != tool.name:
        line = f"{shown(first)} comes before {shown(tool)} for {_short(sentence)}"
        yield Finding("sentence", tool, (first,), "", line)


def _first(query: str, pool: Pool) -> Tool | None:
    return next((hit.tool for hit in rank(query, pool, 1)), None)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _twins(read: list[_Read]) -> Iterator[Finding]:
    same: dict[object, list[Tool]] = defaultdict(list)
    for one in read:
        same[tuple(one.parts), one.label, one.text].append(one.tool)
    for first, *others in same.values():
        if others:
            names = ", ".join(map(shown, others))
            yield Finding("twin", first, tuple(others), "", f"{shown(first)} has the same words as {names}")


def _descriptions(read: list[_Read], pool: Pool) -> Iterator[Finding]:
    copies = Counter(one.tool.description.strip() for one in read)
    idle = FUNCTION_WORDS | pool.stop_words
    for one in read:
        if not one.prose:
            yield Finding("empty", one.tool, (), "", f"{shown(one.tool)} has no description")
        elif {stem(word) for word in one.prose if word not in idle} <= {*one.parts, *one.label}:
            line = f"the description of {shown(one.tool)} says nothing that its name does not"
            yield Finding("boilerplate", one.tool, (), "", line)
        elif copies[one.tool.description.strip()] >= _COPIES:
            count = copies[one.tool.description.strip()]
            line = f"the description of {shown(one.tool)} is that of {count - 1} other tools"
            yield Finding("boilerplate", one.tool, (), "", line)


def _stuffed(read: list[_Read]) -> Iterator[Finding]:
    for one in read:
        count = Counter(one.parts)
        word, most = max(count.items(), key=lambda item: item[1], default=("", 0))
        if most > _MOST_REPEATS:
            yield Finding("stuffed", one.tool, (), word, f"the name of {shown(one.tool)} says {word!r} {most} times")
        elif len(one.parts) > _MOST_PARTS:
            line = f"the name of {shown(one.tool)} has {len(one.parts)} words, more than {_MOST_PARTS}"
            yield Finding("stuffed", one.tool, (), "", line)


def _scaffolding(read: list[_Read], pool: Pool) -> Iterator[Finding]:
    """Find words that could be stop words of this pool: in many descriptions, and in no name."""
    if len(read) < _FEWEST_TOOLS:
        return
    count = Counter(word for one in read for word in one.prose)
    names = {part for one in read for part in (*one.parts, *one.label)}
    known = FUNCTION_WORDS | STOP_WORDS | pool.stop_words
    for word, times in sorted(count.items(), key=lambda item: (-item[1], item[0])):
        if _SCAFFOLDING * times >= len(read) and word not in known and stem(word) not in names and len(word) > 1:
            line = f"{word!r} is in {times} of {len(read)} descriptions and in no name: a stop word of this pool?"
            yield Finding("scaffolding", None, (), word, line)
