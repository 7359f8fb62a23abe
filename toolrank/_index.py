"""Tools to postings.

Every tool is read once, when a pool is built. After that a query touches postings, never texts. This module knows which
words stand in which field of which tool; which of them count, and for how much, is decided further down the flow.

Ids are given in descending code-point order of (name, connector): the highest bit of any set of tools is the first of
them in the last tie-break.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from toolrank._bits import mask_of
from toolrank._text import clean, label_runs, prose_words, stem
from toolrank._tool import Tool

if TYPE_CHECKING:
    from toolrank._match import Term

__all__ = ["Index"]

# A posting is a tuple of ids while it is rare, and a bit set once that is smaller.
Posting = tuple[int, ...] | int
_DENSE = 64
Form = tuple[str, ...]


class Index:
    """What a pool of tools says, word by word.

    `name`, `text` and `stopped` map a stem to the tools that have it in the name (parts and joined forms), in the
    description, title or parameters, and there as a stop word only; `label` maps it to connectors. `parts` holds the
    stems of each tool's name in order; `named` and `leaves` map such a sequence to the tools whose name or leaf it is.

    Cost: O(characters) to build.
    """

    __slots__ = (
        "connectors",
        "everything",
        "first_words",
        "given",
        "joined",
        "known",
        "label",
        "label_forms",
        "label_lengths",
        "leaves",
        "name",
        "name_lengths",
        "name_words",
        "named",
        "parts",
        "size",
        "stop_words",
        "stopped",
        "terms",
        "text",
        "ties",
        "tools",
    )

    def __init__(self, tools: Iterable[Tool], stop_words: frozenset[str]) -> None:
        distinct, self.given = _in_tie_order(tools)
        self.tools: tuple[Tool, ...] = distinct
        self.size = len(distinct)
        self.everything = (1 << self.size) - 1
        self.stop_words = stop_words
        stems = _Stems()
        self._read_names(stems)
        self._read_texts(stems)
        self._read_labels(stems)
        # Filled by later steps: what they derive from these postings, for words that queries have used.
        self.known: dict[str, Any] = {}
        self.terms: dict[str, Term] = {}
        self.ties: Any = None

    def _read_names(self, stems: _Stems) -> None:
        name: defaultdict[str, list[int]] = defaultdict(list)
        joined: defaultdict[str, dict[int, Form]] = defaultdict(dict)
        named: defaultdict[Form, list[int]] = defaultdict(list)
        leaves: defaultdict[Form, list[int]] = defaultdict(list)
        self.parts: list[Form] = []
        self.first_words: list[str] = []
        for i, tool in enumerate(self.tools):
            runs = label_runs(tool.name)
            parts = tuple([stems[part] for run in runs for part in run.parts])
            words = set(parts)
            for run in runs:
                if run.joined is not None:
                    whole = stems[run.joined]
                    words.add(whole)
                    joined[whole][i] = joined[whole].get(i, ()) + tuple([stems[part] for part in run.parts])
            for word in words:
                name[word].append(i)
            self.parts.append(parts)
            self.first_words.append(runs[0].parts[0] if runs else "")
            if parts:
                named[parts].append(i)
            leaf = _leaf(tool.name)
            if leaf is not None and (form := tuple([stems[p] for run in label_runs(leaf) for p in run.parts])):
                leaves[form].append(i)
        self.name = self._postings(name)
        self.joined = dict(joined)
        self.named = {form: tuple(ids) for form, ids in named.items()}
        self.leaves = {form: tuple(ids) for form, ids in leaves.items()}
        self.name_words = sorted(word for word in name if len(word) >= 3)
        self.name_lengths = sorted({len(word) for word in self.name_words})

    def _read_texts(self, stems: _Stems) -> None:
        typed: defaultdict[str, list[int]] = defaultdict(list)
        labels = _Labels()
        for i, tool in enumerate(self.tools):
            words = prose_words(tool.description) if tool.description else set()
            if tool.title:
                words.update(labels[tool.title])
            for parameter in tool.parameters:
                words.update(labels[parameter])
            for word in words:
                typed[word].append(i)
        text: dict[str, list[int]] = {}
        stopped: dict[str, list[int]] = {}
        for word, ids in typed.items():
            field = stopped if word in self.stop_words else text
            word = stems[word]
            field[word] = sorted({*field[word], *ids}) if word in field else ids
        self.text = self._postings(text)
        self.stopped = self._postings(stopped)

    def _read_labels(self, stems: _Stems) -> None:
        connectors: defaultdict[str, list[int]] = defaultdict(list)
        for i, tool in enumerate(self.tools):
            connectors[tool.connector].append(i)
        self.connectors = {label: mask_of(ids, self.size) for label, ids in connectors.items()}
        label: defaultdict[str, int] = defaultdict(int)
        self.label_forms: defaultdict[Form, int] = defaultdict(int)
        for connector, mask in self.connectors.items():
            runs = label_runs(connector)
            form = tuple([stems[part] for run in runs for part in run.parts])
            for word in {*form, *(stems[run.joined] for run in runs if run.joined is not None)}:
                label[word] |= mask
            if form:
                self.label_forms[form] |= mask
        self.label = dict(label)
        self.label_lengths = sorted({len(form) for form in self.label_forms})

    def _postings(self, lists: dict[str, list[int]]) -> dict[str, Posting]:
        sparse = self.size // _DENSE
        return {word: mask_of(ids, self.size) if len(ids) > sparse else tuple(ids) for word, ids in lists.items()}

    def mask(self, postings: dict[str, Posting], word: str) -> int:
        """Return the tools that have `word` in this field, as a bit set."""
        posting = postings.get(word, 0)
        return posting if isinstance(posting, int) else mask_of(posting, self.size)


class _Stems(dict[str, str]):
    """Stems of typed words, each made once."""

    def __missing__(self, typed: str) -> str:
        self[typed] = found = stem(typed)
        return found


class _Labels(dict[str, tuple[str, ...]]):
    """Typed words of titles and parameter names, which recur: parts and joined forms."""

    def __missing__(self, text: str) -> tuple[str, ...]:
        runs = label_runs(text)
        words = [part for run in runs for part in run.parts]
        words += [run.joined for run in runs if run.joined is not None]
        self[text] = found = tuple(words)
        return found


def _leaf(name: str) -> str | None:
    """Return what follows the last `__`, `.`, `:` or `/` of a name, or None where none of them stands."""
    name = name if name.isascii() else clean(name)
    at = max(name.rfind("__") + 1, name.rfind("."), name.rfind(":"), name.rfind("/"))
    return name[at + 1 :] if at > 0 or name[:1] in (".", ":", "/") else None


def _in_tie_order(tools: Iterable[Tool]) -> tuple[tuple[Tool, ...], Collection[int]]:
    """Collapse repeated tools; return them in descending order of (name, connector), and their ids as given."""
    given = list(tools)
    for at, tool in enumerate(given):
        if not isinstance(tool, Tool):
            raise TypeError(f"tools must be an iterable of Tool, not one with {tool!r} at {at}")
    order = sorted(range(len(given)), key=lambda at: (given[at].name, given[at].connector))
    kept: list[int] = []
    for at in order:
        if kept and given[kept[-1]].identity == given[at].identity:
            if given[kept[-1]] != given[at]:
                raise ValueError(
                    f"tools must be one for each (connector, name), not two different ones for {given[at].identity!r},"
                    f" at {kept[-1]} and {at}"
                )
            continue
        kept.append(at)
    kept.reverse()
    ids = {at: i for i, at in enumerate(kept)}
    return tuple(given[at] for at in kept), tuple(ids[at] for at in sorted(kept))
