"""Query words against a pool: which visible tools match each word, and in which field.

A `Term` is what an index knows of one query word: a set of tools per field. Terms are made when a word is first asked
and kept, so a word that was asked before costs one look-up. Everything here is about matching; nothing is weighed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from toolrank._bits import mask_of
from toolrank._index import Form, Index
from toolrank._pool import Pool
from toolrank._text import FUNCTION_WORDS, query_pieces, read_run, stem

__all__ = ["Asked", "Term", "ask"]


class Term:
    """The tools of an index that match one word, by field.

    `name`, `prefix`, `label` and `text` are the scoring matches, `stopped` those that only count towards document
    frequency. `cover` is the union of the first four, `seen` that of all. `alike` are the name words that begin like
    this word where no name has it exactly. `droppable` says that the word, as typed, is one that a query drops.
    """

    __slots__ = ("alike", "cover", "droppable", "exact", "label", "name", "prefix", "seen", "stopped", "text", "word")

    def __init__(self, index: Index, word: str, *, droppable: bool = False, unnamed: bool = False) -> None:
        self.word = word
        self.droppable = droppable
        self.name = 0 if unnamed else index.mask(index.name, word)
        self.label = index.label.get(word, 0)
        self.text = index.mask(index.text, word)
        self.stopped = index.mask(index.stopped, word)
        self.exact = self.name | self.label | self.text | self.stopped
        self.alike: tuple[str, ...] = () if self.name else tuple(_alike(index, word))
        self.prefix = 0
        for other in self.alike:
            self.prefix |= index.mask(index.name, other)
        self.cover = self.name | self.prefix | self.label | self.text
        self.seen = self.cover | self.stopped


def _alike(index: Index, word: str) -> Iterator[str]:
    """Yield the name words that begin like `word`: longer ones, and those over three quarters of its length."""
    if len(word) < 3:
        return
    names = index.name_words
    for at in range(bisect_left(names, word), len(names)):
        if not names[at].startswith(word):
            break
        if names[at] != word:
            yield names[at]
    # Why three quarters: shorter name words swallow the names of products that are not connected (shop in shopify,
    # click in clickup, git in gitee).
    for length in index.name_lengths:
        if 4 * length > 3 * len(word) and length < len(word) and word[:length] in index.name:
            yield word[:length]


class Split:
    """A run of a query that case splits: one word where a visible tool has the joined form, else its parts."""

    __slots__ = ("joined", "parts", "typed", "word")

    def __init__(self, index: Index, parts: tuple[str, ...], joined: str) -> None:
        self.typed = parts
        self.word = joined
        self.parts = tuple(_term(index, part) for part in parts)
        self.joined = _term(index, joined)


def _entry(index: Index, run: str) -> Term | Split:
    """Return what a run of a query means in this index."""
    entry: Term | Split | None = index.known.get(run)
    if entry is None:
        parts, joined = read_run(run)
        entry = _term(index, parts[0]) if joined is None else Split(index, parts, joined)
        index.known[run] = entry
    return entry


def _term(index: Index, typed: str) -> Term:
    droppable = typed in FUNCTION_WORDS or (len(typed) == 1 and "a" <= typed <= "z")
    key = "\n" + typed if droppable else stem(typed)  # `does` is dropped, `doe` is not: one stem, two terms
    term = index.terms.get(key)
    if term is None:
        term = index.terms[key] = Term(index, stem(typed), droppable=droppable)
    return term


class Asked(NamedTuple):
    """A query, read against a pool: its words, distinct and in order of first appearance.

    `words` are the typed forms of `every` term; of these `terms` score and weigh, and `required` are those that a tool
    must match. `named` are the visible tools that the query names whole. The sets in a term may hold hidden tools.
    """

    words: tuple[str, ...]
    every: tuple[Term, ...]
    terms: tuple[Term, ...]
    required: tuple[Term, ...]
    named: int


def ask(query: str, pool: Pool) -> Asked:
    """Read a query against a pool.

    Cost: O(characters), and O(words) set operations.
    """
    index, visible = pool._index, pool._visible
    pieces = query_pieces(query)
    required = dict(_resolve(index, visible, pieces.required))
    plain = dict(_resolve(index, visible, pieces.plain))
    held = {term.word for term in required.values()}
    kept = {typed: term for typed, term in plain.items() if not term.droppable or term.name & visible}
    if not kept and not required:
        kept = plain
    weighs = any(term.word not in held for term in kept.values())
    counting = {**kept, **required}
    order: dict[str, str] = {}  # stem to its typed form, by first appearance
    for typed, term in _resolve(index, visible, pieces.spelled[0]):
        if typed in counting:
            order.setdefault(term.word, typed)
    shown = {word: _shown(index, visible, counting[typed]) for word, typed in order.items()}
    return Asked(
        words=tuple(order.values()),
        every=tuple(shown.values()),
        terms=tuple([shown[word] for word in order if word not in held or not weighs]),
        required=tuple([shown[word] for word in order if word in held]),
        named=_named(index, pieces.spelled) & visible,
    )


def _resolve(index: Index, visible: int, runs: list[str]) -> list[tuple[str, Term]]:
    """Return the words of runs as typed, with their terms: a split run is one word where a visible tool has it so."""
    found: list[tuple[str, Term]] = []
    for run in runs:
        entry = _entry(index, run)
        if isinstance(entry, Term):
            found.append((run.casefold(), entry))
        elif entry.joined.exact & visible:
            found.append((entry.word, entry.joined))
        else:
            found.extend(zip(entry.typed, entry.parts))
    return found


def _shown(index: Index, visible: int, term: Term) -> Term:
    """Return the term, without its name where only hidden tools have it: then the prefix rule holds."""
    return Term(index, term.word, unnamed=True) if term.name and not term.name & visible else term


def _named(index: Index, spelled: list[list[str]]) -> int:
    """Return the tools that a piece of the query names whole; the first piece is the whole query."""
    found = 0
    for at, runs in enumerate(spelled):
        form = tuple(stem(part) for run in runs for part in read_run(run).parts)
        for parts in (form, form[1:]) if form[:1] == ("mcp",) else (form,):
            if len(parts) > 1 or (parts and at == 0):
                found |= _tools_of(index, parts)
    return found


def _tools_of(index: Index, form: Form) -> int:
    """Return the tools whose name, leaf, or label and name have exactly these parts."""
    found = mask_of(index.named.get(form, ()), index.size) | mask_of(index.leaves.get(form, ()), index.size)
    for cut in index.label_lengths:
        if cut < len(form) and form[:cut] in index.label_forms:
            found |= index.label_forms[form[:cut]] & mask_of(index.named.get(form[cut:], ()), index.size)
    return found
