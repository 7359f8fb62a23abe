"""Query words against a pool: which visible tools match each word, and in which field.

A `Term` is what an index knows of one query word: a set of tools per field. Terms are made when a word is first asked
and kept, so a word that was asked before costs one look-up. Everything here is about matching; nothing is weighed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from toolrank._index import Form, Index, Memory
from toolrank._pool import Pool
from toolrank._text import (
    FUNCTION_WORDS,
    Pieces,
    is_spelled,
    plain_text,
    query_pieces,
    read_run,
    spelled_pieces,
    stem,
)

__all__ = ["Asked", "Term", "ask", "view_of", "were_known"]


class Term:
    """The tools of an index that match one word, by field.

    `name`, `prefix`, `synonym`, `label` and `text` are the scoring matches, `stopped` those that only count towards
    document frequency. `cover` is the union of the first five, `seen` that of all, `df` its size. `kin` are the
    synonyms, which stand for the word in a name that has it neither exactly nor by prefix. `alike` are the name words
    that begin like this word where no name has it exactly. `joins` are the parts that the word joins, by tool;
    without either it `is_alone`: it touches no part of a name but itself. `odd` says that a query may drop the word.
    """

    __slots__ = (
        "alike",
        "cover",
        "df",
        "is_alone",
        "is_known",
        "joins",
        "kin",
        "label",
        "lanes",
        "mass",
        "name",
        "odd",
        "planes",
        "prefix",
        "seen",
        "stopped",
        "synonym",
        "text",
        "told",
        "touches",
        "word",
    )

    def __init__(self, index: Index, word: str, *, odd: bool = False, unnamed: bool = False) -> None:
        self.word = word
        self.odd = odd
        self.name = name = 0 if unnamed else index.having("name", word)
        self.label = label = index.labelled(index.label[word]) if word in index.label else 0
        self.text = text = index.having("text", word)
        self.stopped = stopped = index.having("stopped", word)
        self.alike = alike = _NONE if name else _alike(index, word)
        self.prefix = prefix = index.having_any("name", alike) if alike else 0
        self.kin = kin = index.synonyms.get(word, _NONE)
        self.synonym = synonym = index.having_any("name", kin) & ~(name | prefix) if kin else 0
        # Equal sets are one object: wide sets of rare words are mostly zeros, and most words stand in one field.
        self.cover = cover = _union([having for having in (name, prefix, synonym, label, text) if having])
        self.seen = _union([cover, stopped]) if stopped else cover
        self.df = self.seen.bit_count()
        self.joins = index.joins(word)
        self.is_alone = not (alike or self.joins)
        self._derive_anew()

    def _derive_anew(self) -> None:
        """Forget what later steps derive: the mass where all is visible, and what the word adds to scores and keys.

        What it adds to keys, `told`, and to `lanes` is made once the word `is_known`: from the second time on.
        """
        self.mass = 0
        self.is_known = False
        self.told: Any = None  # the order step's
        self.lanes: Any = None
        self.planes: list[int] | None = None
        self.touches: Any = None  # the order step's

    @property
    def fields(self) -> tuple[int, int, int, int, int]:
        """The scoring matches, in the order in which they are told."""
        return self.name, self.prefix, self.synonym, self.label, self.text

    @property
    def exact(self) -> int:
        """The tools that have the word itself in any field."""
        return self.name | self.label | self.text | self.stopped

    def copy(self) -> Term:
        """Return the same term for an index of another size."""
        term = Term.__new__(Term)
        for slot in self.__slots__:
            setattr(term, slot, getattr(self, slot))
        term._derive_anew()
        return term

    def size(self) -> int:
        """Return about how many bytes the term holds: few have more than three different sets, and three planes."""
        beside = 60 * len(self.alike) + 150 * len(self.joins)
        return 400 + 2 * len(self.word) + 6 * (self.seen.bit_length() >> 3) + beside


def were_known(terms: Sequence[Term]) -> bool:
    """Whether all of these words were asked before; from now on they were."""
    if all(term.is_known for term in terms):
        return True
    for term in terms:
        term.is_known = True
    return False


def _union(sets: Sequence[int]) -> int:
    """Return the union of sets: one of them, where it has all."""
    if len(sets) == 1:
        return sets[0]
    found = 0
    for one in sets:
        found |= one
    return next((one for one in sets if one == found), found)


_NONE: frozenset[str] = frozenset()


def _alike(index: Index, word: str) -> frozenset[str]:
    """Return the name words that begin like `word`: longer ones, and those over three quarters of its length.

    Why three quarters: shorter name words swallow the names of products that are not connected (shop in shopify, click
    in clickup, git in gitee).
    """
    size = len(word)
    if size < 3:
        return _NONE
    found: set[str] = set()
    for segment in index.segments:
        names = segment.name_words
        at = bisect_left(names, word)
        while at < len(names) and names[at].startswith(word):
            found.add(names[at])
            at += 1
        lengths = segment.name_lengths
        for length in lengths[bisect_right(lengths, 3 * size // 4) : bisect_left(lengths, size)]:
            if word[:length] in segment.name:
                found.add(word[:length])
    found.discard(word)
    return frozenset(found) if found else _NONE


class Split:
    """A run of a query that case splits: one word where a visible tool has the joined form, else its parts."""

    __slots__ = ("joined", "odd", "parts", "typed", "word")

    def __init__(self, index: Index, memory: Memory, parts: tuple[str, ...], joined: str) -> None:
        self.odd = True
        self.typed = parts
        self.word = joined
        self.parts = tuple([_term(index, memory, part) for part in parts])
        self.joined = _term(index, memory, joined)


# A memory is shared by threads. What is put into it is put there once: of two that make a word's term at one time, both
# take the first, so that a word is one term to everyone who remembers by this memory.


def _entry(index: Index, memory: Memory, run: str) -> Term | Split:
    """Return what a run of a query means in this index."""
    entry: Term | Split | None = memory.known.get(run)
    if entry is None:
        parts, joined = read_run(run)
        made = _term(index, memory, parts[0]) if joined is None else Split(index, memory, parts, joined)
        entry = memory.known.setdefault(run, made)
        memory.size += 250 + 2 * len(run)
    return entry


_DROPPABLE = FUNCTION_WORDS | set("abcdefghijklmnopqrstuvwxyz")


def _learn(index: Index, runs: Sequence[str]) -> Memory:
    """Remember what runs mean where all of the index is visible and no word is required.

    `straight` has the terms of a run: none where every query drops it here, several where case splits it. `forms` has
    the stems of its parts, and `enders` are the runs with which a name may end.
    """
    index.make_room()
    memory = index.memory
    for run in runs:
        if run in _DROPPABLE and not index.names(stemmed := stem(run)):  # every query drops it here
            memory.forms[run] = (stemmed,)
            memory.straight[run] = ()
            continue
        entry = _entry(index, memory, run)
        memory.forms[run] = _form([entry])
        if isinstance(entry, Split):
            memory.splits.add(run)
            terms = entry.parts if not entry.joined.exact else (entry.joined,)
        else:
            terms = (entry,)
        named = [term for term in terms if not term.odd or term.name]
        kept = [_plain(index, memory, term) for term in named]
        if (kept and kept[-1].name) or isinstance(entry, Split):
            memory.enders.add(run)
        memory.straight[run] = tuple(kept)
    return memory


class View:
    """What an index remembers of the words that one view was asked.

    `straight` has the terms that a run means among what is visible, `masses` the masses of terms there.
    """

    __slots__ = ("masses", "straight")

    def __init__(self) -> None:
        self.straight: dict[str, tuple[Term, ...]] = {}
        self.masses: dict[Term, int] = {}


def view_of(pool: Pool, memory: Memory) -> View:
    """Return what an index remembers of a pool that is a view."""
    view: View | None = memory.views.get(pool._token)
    if view is None:
        view = memory.views.setdefault(pool._token, View())
        memory.size += 1000
    return view


def _learn_view(pool: Pool, runs: Sequence[str], memory: Memory) -> dict[str, tuple[Term, ...]]:
    """Remember what runs mean where not all of the index is visible."""
    index, visible = pool._index, pool._visible
    straight = view_of(pool, memory).straight
    for run in runs:
        if run not in straight:
            resolved = _resolve(index, memory, visible, [run])
            plain = [_plain(index, memory, term) for _, term in resolved if not term.odd or term.name & visible]
            straight[run] = tuple([_shown(index, memory, visible, term) for term in plain])
            memory.size += 200 + len(run)
    return straight


def _term(index: Index, memory: Memory, typed: str) -> Term:
    """Return the term of a typed word."""
    word = stem(typed)
    odd = typed in _DROPPABLE
    key = "\n" + typed if odd else word  # `does` may be dropped, `doe` not: one stem, two terms
    term: Term | None = memory.terms.get(key)
    if term is None:
        term = _kept(memory, key, _inherited(index, key) or Term(index, word, odd=odd))
    return term


def _plain(index: Index, memory: Memory, term: Term) -> Term:
    """Return the same term as one that no query drops: a word that may be dropped and is not is like any other."""
    if not term.odd:
        return term
    return memory.terms.get(term.word) or _kept(memory, term.word, Term(index, term.word))


def _shown(index: Index, memory: Memory, visible: int, term: Term) -> Term:
    """Return the term, without its name where only hidden tools have it: then the prefix rule holds."""
    if not term.name or term.name & visible:
        return term
    key = ("\t" if term.odd else "\r") + term.word
    return memory.terms.get(key) or _kept(memory, key, Term(index, term.word, odd=term.odd, unnamed=True))


def _kept(memory: Memory, key: str, term: Term) -> Term:
    kept: Term = memory.terms.setdefault(key, term)
    memory.size += kept.size()
    return kept


def _inherited(index: Index, key: str) -> Term | None:
    """Return a term of the index from which this one was made, if the change did not touch it."""
    heirloom = index.heirloom
    term: Term | None = heirloom.terms.get(key) if heirloom is not None else None
    return term.copy() if term is not None and heirloom is not None and heirloom.holds(term) else None


class Asked(NamedTuple):
    """A query, read against a pool: its words, distinct and in order of first appearance.

    Of the terms of `every` word, `terms` score and weigh, and `required` are those that a tool must match. `named` are
    the visible tools that the query names whole. The sets in a term may hold hidden tools. `runs` are the query's, and
    `typed` the typed forms of every word, or None where they are yet to be told.
    """

    every: Sequence[Term]
    terms: Sequence[Term]
    required: Sequence[Term]
    named: int
    runs: list[str]
    typed: tuple[str, ...] | None = None

    def words(self, pool: Pool) -> tuple[str, ...]:
        """Return the typed forms of `every` word, in the pool that was asked.

        Cost: O(words).
        """
        if self.typed is not None:
            return self.typed
        counts = {term.word for term in self.every}
        visible = pool._visible
        first: dict[str, str] = {}
        dropped: dict[str, str] = {}
        for typed, term in _resolve(pool._index, pool._index.memory, visible, self.runs):
            if term.word in counts:
                (dropped if term.odd and not term.name & visible else first).setdefault(term.word, typed)
        return tuple([first.get(term.word) or dropped[term.word] for term in self.every])


def ask(query: str, pool: Pool) -> Asked:
    """Read a query against a pool.

    Cost: O(characters), and O(words) set operations.
    """
    text = plain_text(query)
    if text is None:
        pieces = query_pieces(query)
        if pieces.required:
            return _ask_with_required(pieces, pool)
        runs, text, are_spelled = pieces.plain, pieces.text, True
    else:
        runs, are_spelled = text.split(), is_spelled(text)
    index, visible = pool._index, pool._visible
    memory = index.memory  # another thread may put a new one in its place: a query is read by one
    straight = memory.straight if pool._is_whole else view_of(pool, memory).straight
    try:
        terms = [*dict.fromkeys(chain.from_iterable(map(straight.__getitem__, runs)))]
    except KeyError:
        memory = _learn(index, runs)
        straight = memory.straight if pool._is_whole else _learn_view(pool, runs, memory)
        terms = [*dict.fromkeys(chain.from_iterable(map(straight.__getitem__, runs)))]
    if not terms:
        return _ask_closely(query_pieces(query), pool)
    named = 0
    # Whatever names a tool whole ends with a word of its name, or with a run that case splits into one.
    if runs[-1] in memory.enders:
        form = tuple(chain.from_iterable(map(memory.forms.__getitem__, runs)))
        if form in index.core.spelled or form in index.tail.spelled or form[0] in index.heads:
            named = _tools_of(index, form, True) & visible
    if are_spelled or not memory.splits.isdisjoint(runs):
        named |= _spelled_in(text, index, memory) & visible
    return Asked(terms, terms, (), named, runs)


def _ask_closely(pieces: Pieces, pool: Pool) -> Asked:
    """Read the pieces of a query of which nothing would be left: then nothing is dropped."""
    index, visible = pool._index, pool._visible
    index.make_room()
    memory = index.memory
    distinct: dict[str, Term] = {}
    for _, term in _resolve(index, memory, visible, pieces.plain):
        distinct.setdefault(term.word, term)
    named = _tools_of(index, _form([_entry(index, memory, run) for run in pieces.plain]), True)
    named |= _spelled_in(pieces.text, index, memory)
    shown = [_shown(index, memory, visible, term) for term in distinct.values()]
    return Asked(shown, shown, (), named & visible, pieces.plain)


def _ask_with_required(pieces: Pieces, pool: Pool) -> Asked:
    """Read the pieces of a query of which some words are required."""
    index, visible = pool._index, pool._visible
    index.make_room()
    memory = index.memory
    asked_for = dict(_resolve(index, memory, visible, pieces.required))
    plain = dict(_resolve(index, memory, visible, pieces.plain))
    held = {term.word for term in asked_for.values()}
    kept = {typed: term for typed, term in plain.items() if not term.odd or term.name & visible}
    weighs = any(term.word not in held for term in kept.values())
    counting = {**kept, **asked_for}
    order: dict[str, str] = {}  # stem to its typed form, by first appearance
    for typed, term in _resolve(index, memory, visible, pieces.whole):
        if typed in counting:
            order.setdefault(term.word, typed)
    shown = {word: _shown(index, memory, visible, counting[typed]) for word, typed in order.items()}
    named = _tools_of(index, _form([_entry(index, memory, run) for run in pieces.whole]), True)
    named |= _spelled_in(pieces.text, index, memory)
    terms = tuple([shown[word] for word in order if word not in held or not weighs])
    required = tuple([shown[word] for word in order if word in held])
    return Asked(tuple(shown.values()), terms, required, named & visible, pieces.whole, tuple(order.values()))


def _resolve(index: Index, memory: Memory, visible: int, runs: list[str]) -> list[tuple[str, Term]]:
    """Return the words of runs as typed, with their terms: a split run is one word where a visible tool has it so."""
    found: list[tuple[str, Term]] = []
    for run in runs:
        entry = _entry(index, memory, run)
        if isinstance(entry, Term):
            found.append((run.casefold(), entry))
        elif entry.joined.exact & visible:
            found.append((entry.word, entry.joined))
        else:
            found.extend(zip(entry.typed, entry.parts))
    return found


def _form(entries: Sequence[Term | Split]) -> Form:
    """Return the stems of the parts of runs, in order."""
    form: list[str] = []
    for entry in entries:
        if isinstance(entry, Term):
            form.append(entry.word)
        else:
            form += [part.word for part in entry.parts]
    return tuple(form)


def _spelled_in(text: str, index: Index, memory: Memory) -> int:
    """Return the tools that a piece of a query's text names whole."""
    named = 0
    for runs in spelled_pieces(text):
        named |= _tools_of(index, _form([_entry(index, memory, run) for run in runs]), False)
    return named


def _tools_of(index: Index, form: Form, whole: bool) -> int:
    """Return the tools that a piece of the query, or the whole query, names; a leading `mcp` may be ignored."""
    found = _spelled_so(index, form, whole)
    if form and form[0] == "mcp":
        found |= _spelled_so(index, form[1:], whole)
    return found


def _spelled_so(index: Index, form: Form, whole: bool) -> int:
    """Return the tools whose name, leaf, or label and name is this; a single word counts only as the whole query."""
    if len(form) < 2 and not (whole and form):
        return 0
    found = index.spelled(form)
    if form[0] in index.heads:
        for cut in index.label_lengths:
            if cut >= len(form):
                break
            if labels := index.label_forms.get(form[:cut]):
                found |= index.labelled(labels) & index.named(form[cut:])
    return found
