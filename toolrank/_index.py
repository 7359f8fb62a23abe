"""Tools to postings.

Every tool is read once, when it first comes into a pool. After that a query touches postings, never texts. This module
knows which words stand in which field of which tool; which of them count, and for how much, is decided further down.

Ids are given in descending code-point order of (name, connector), so the highest bit of a set of tools is the first of
them in the last tie-break. Tools that come later are kept in a tail, in any order, until the index is compacted.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain, filterfalse
from operator import or_
from typing import Any, TypeAlias

from toolrank._bits import ids_of, mask_of
from toolrank._text import DESTRUCTIVE_WORDS, Run, clean, label_runs, prose_words, read_run, runs_of, stem
from toolrank._tool import Tool

__all__ = ["Form", "Index", "Memory"]

Form: TypeAlias = tuple[str, ...]
# A posting is a tuple or, where it is longer, an array of ids; once it was asked for, a bit set where that is smaller.
Posting: TypeAlias = "tuple[int, ...] | array[int] | int"
_TUPLE = 8
_DENSE = 64
# What an index remembers of the words it was asked: some megabytes, and as much again as a few hundred common words of
# a large index need. Past this it forgets all, and learns anew from the next queries.
_BUDGET = 4 << 20
_BUDGET_SETS = 4096
# Compact once the tail and the dead are this many, and this part of the index.
_COMPACT_FROM = 256
_COMPACT_PART = 8


class Segment:
    """What a stretch of tools says, word by word.

    `name`, `text` and `stopped` map a stem to the tools that have it in the name (parts and joined forms), in the
    description, title or parameters, and there as a stop word. `parts` holds the stems of each tool's name in order,
    `spelled` maps such a sequence to the tools whose name or leaf it is; `joined` tells which parts of which tool a
    joined form stands for. `name_sizes` are tools by how many distinct parts their names have, `first_words` by
    the first of them as typed, where it is a destructive one. Ids count from `start`.

    Cost: O(characters) to read.
    """

    __slots__ = (
        "first_words",
        "joined",
        "name",
        "name_lengths",
        "name_sizes",
        "name_words",
        "parts",
        "spelled",
        "start",
        "stop_words",
        "stopped",
        "text",
    )

    def __init__(self, start: int, stop_words: frozenset[str]) -> None:
        self.start = start
        self.stop_words = stop_words
        self.name: dict[str, Posting] = {}
        self.text: dict[str, Posting] = {}
        self.stopped: dict[str, Posting] = {}
        self.first_words: dict[str, Posting] = {}
        self.name_sizes: dict[int, Posting] = {}
        self.joined: dict[str, dict[int, Form]] = {}
        self.spelled: dict[Form, int | list[int]] = {}  # one id, or several
        self.parts: list[Form] = []
        self.name_words: list[str] = []
        self.name_lengths: list[int] = []

    @classmethod
    def read(cls, start: int, tools: Sequence[Tool], stop_words: frozenset[str]) -> Segment:
        """Read tools, and number them from `start`."""
        segment = cls(start, stop_words)
        stems = _Stems()
        segment._read_names(tools, stems)
        segment._read_texts(tools, stems)
        segment._settle()
        return segment

    def _read_names(self, tools: Sequence[Tool], stems: _Stems) -> None:
        name: defaultdict[str, list[int]] = defaultdict(list)
        sizes: defaultdict[int, list[int]] = defaultdict(list)
        first_words: defaultdict[str, list[int]] = defaultdict(list)
        known = _Runs(stems)
        split, destructive = known.joined.keys(), known.destructive
        for i, tool in enumerate(tools, self.start):
            typed = tool.name
            runs = runs_of(typed)
            parts = tuple(chain.from_iterable(map(known.__getitem__, runs)))
            self.parts.append(parts)
            words = set(parts)
            sizes[len(words)].append(i)
            if split and not split.isdisjoint(runs):
                self._join(i, dict.fromkeys([run for run in runs if run in known.joined]), known, words)
            for word in words:
                name[word].append(i)
            if not parts:
                continue
            self._spell(parts, i)
            if runs[0] in destructive:
                first_words[destructive[runs[0]]].append(i)
            if "__" in typed or "." in typed or ":" in typed or "/" in typed or not typed.isascii():
                leaf = _leaf(typed)
                form = () if leaf is None else tuple(chain.from_iterable(map(known.__getitem__, runs_of(leaf))))
                if form and form != parts:
                    self._spell(form, i)
        self.name, self.name_sizes, self.first_words = _frozen(name), _frozen(sizes), _frozen(first_words)

    def _spell(self, form: Form, tool: int) -> None:
        """Note that a tool's name or leaf is this."""
        before = self.spelled.setdefault(form, tool)
        if isinstance(before, list):
            before.append(tool)
        elif before != tool:
            self.spelled[form] = [before, tool]

    def spelled_so(self, form: Form) -> Sequence[int]:
        """Return the tools whose name or leaf is this."""
        found = self.spelled.get(form, ())
        return (found,) if isinstance(found, int) else found

    def _join(self, tool: int, runs: Iterable[str], known: _Runs, words: set[str]) -> None:
        """Note the joined forms of a name, and add them to its words."""
        for run in runs:
            whole = known.joined[run]
            words.add(whole)
            of = self.joined.setdefault(whole, {})
            of[tool] = of.get(tool, ()) + known[run]

    def _read_texts(self, tools: Sequence[Tool], stems: _Stems) -> None:
        typed: defaultdict[str, list[int]] = defaultdict(list)
        labels = _Labels()
        for i, tool in enumerate(tools, self.start):
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
            root = stems[word]
            field[root] = sorted({*field[root], *ids}) if root in field else ids
        self.text, self.stopped = _frozen(text), _frozen(stopped)

    def _settle(self) -> None:
        """Derive what follows from the rest."""
        self.name_words = sorted([word for word in self.name if len(word) >= 3])
        self.name_lengths = sorted({len(word) for word in self.name_words})

    def extended(self, more: Segment, size: int) -> Segment:
        """Return this segment with the one that follows it; the index will have `size` ids."""
        whole = Segment(self.start, self.stop_words)
        whole.parts = self.parts + more.parts
        for field in _FIELDS:
            setattr(whole, field, _joint(getattr(self, field), getattr(more, field), size))
        whole.spelled = {form: ids if isinstance(ids, int) else [*ids] for form, ids in self.spelled.items()}
        for form in more.spelled:
            for tool in more.spelled_so(form):
                whole._spell(form, tool)
        whole.joined = {word: {**self.joined.get(word, {}), **of} for word, of in more.joined.items()}
        whole.joined = {**self.joined, **whole.joined}
        whole._settle()
        return whole


_FIELDS = ("name", "text", "stopped", "first_words", "name_sizes")


def _frozen(lists: dict[Any, list[int]]) -> dict[Any, Posting]:
    return {word: _packed(ids) for word, ids in lists.items()}


def _packed(ids: Sequence[int]) -> tuple[int, ...] | array[int]:
    return tuple(ids) if len(ids) <= _TUPLE else array("I", ids)


def _joint(ours: dict[Any, Posting], theirs: dict[Any, Posting], size: int) -> dict[Any, Posting]:
    joint = ours.copy()
    for word, more in theirs.items():
        before = joint.get(word, ())
        if isinstance(before, int) or isinstance(more, int):
            joint[word] = as_mask(before, size) | as_mask(more, size)
        else:
            joint[word] = _packed((*before, *more))
    return joint


def as_mask(posting: Posting, size: int) -> int:
    """Return a posting as a bit set."""
    return posting if isinstance(posting, int) else mask_of(posting, size)


_NO_KIN: dict[str, frozenset[str]] = {}
_NO_JOINS: dict[int, Form] = {}


class Index:
    """The postings of all the tools that a family of pools shares.

    It is two segments, of the tools in tie order and of those that came later; `segments` are those that hold any.
    `alive` are the ids that the newest pool of the family has; `connectors` are the tools by label, `label` and
    `label_forms` the labels that have a word, or whose words in order are a form. `synonyms` gives a stem's kin.
    `memory` is filled by the matching step with what queries asked for, or from the `heirloom`.
    """

    __slots__ = (
        "alive",
        "classes",
        "connectors",
        "core",
        "core_size",
        "destroys",
        "given",
        "heads",
        "heirloom",
        "label",
        "label_forms",
        "label_lengths",
        "lanes",
        "memory",
        "read_only",
        "segments",
        "size",
        "stop_words",
        "synonyms",
        "tail",
        "ties",
        "tools",
        "unsaid",
    )

    def __init__(
        self, tools: Iterable[Tool], stop_words: frozenset[str], synonyms: dict[str, frozenset[str]] = _NO_KIN
    ) -> None:
        self.tools, self.given = in_tie_order(list(tools))
        self.stop_words = stop_words
        self.synonyms = synonyms
        self.classes: tuple[tuple[str, ...], ...] = ()  # the table that they were made of
        size = len(self.tools)
        self.core = Segment.read(0, self.tools, stop_words)
        self._take(size, Segment(size, stop_words), (1 << size) - 1)
        self._read_connectors(range(size), {})
        self._read_hints(range(size), (0, 0, 0))

    def _take(self, size: int, tail: Segment, alive: int) -> None:
        self.size = size
        self.core_size = tail.start
        self.tail = tail
        self.segments = (self.core, tail) if tail.parts else (self.core,)
        self.ties: Any = None  # the order step's
        self.lanes: Any = None
        self.alive = alive
        self.heirloom: Heirloom | None = None
        self.forget()

    def forget(self) -> None:
        """Forget what queries have asked: the next ones learn it again."""
        self.memory = Memory()

    def make_room(self) -> None:
        """Forget all where the budget is spent: before a query's words are learnt, so that they stay for its length."""
        if self.memory.size > _BUDGET + _BUDGET_SETS * (self.size >> 3):
            self.forget()

    def _read_connectors(self, ids: Iterable[int], before: dict[str, Sequence[int]]) -> None:
        lists: defaultdict[str, list[int]] = defaultdict(list)
        for i in ids:
            lists[self.tools[i].connector].append(i)
        more = {label: _packed((*before.get(label, ()), *found)) for label, found in lists.items()}
        self.connectors = {**before, **more}
        if before and self.connectors.keys() == before.keys():
            return
        label: defaultdict[str, list[str]] = defaultdict(list)
        forms: defaultdict[Form, list[str]] = defaultdict(list)
        for connector in self.connectors:
            runs = label_runs(connector)
            form = tuple([stem(part) for run in runs for part in run.parts])
            for word in {stem(word) for word in _words_of(runs)}:
                label[word].append(connector)
            if form:
                forms[form].append(connector)
        self.label = dict(label)
        self.label_forms = dict(forms)
        self.heads = {"mcp", *(form[0] for form in forms)}
        self.label_lengths = sorted({len(form) for form in forms})

    def _read_hints(self, ids: Sequence[int], before: tuple[int, int, int]) -> None:
        tools, size = self.tools, self.size
        self.read_only = before[0] | mask_of([i for i in ids if tools[i].read_only], size)
        self.destroys = before[1] | mask_of([i for i in ids if tools[i].destructive], size)
        self.unsaid = before[2] | mask_of([i for i in ids if tools[i].destructive is None], size)

    # --- look-ups -------------------------------------------------------------------------------------------------

    def having(self, field: str, word: object) -> int:
        """Return the tools that have `word` in a field of the segments, as a bit set."""
        found = 0
        for segment in self.segments:
            postings = getattr(segment, field)
            posting = postings.get(word)
            if posting is None:
                continue
            if not isinstance(posting, int):
                size = self.core_size if segment is self.core else self.size
                is_dense = len(posting) * _DENSE > size
                posting = mask_of(posting, size)
                if is_dense:
                    postings[word] = posting  # packed when it is first asked for
            found |= posting
        return found & self.alive

    def having_any(self, field: str, words: Iterable[str]) -> int:
        """Return the tools that have any of some words in a field of the segments, as a bit set."""
        found = 0
        ids: list[int] = []
        for segment in self.segments:
            postings = getattr(segment, field)
            for word in words:
                posting = postings.get(word, ())
                if isinstance(posting, int):
                    found |= posting
                else:
                    ids += posting
        return (found | mask_of(ids, self.size)) & self.alive

    def names(self, word: str) -> bool:
        """Whether some tool's name may have a word; those of dead tools are not told apart."""
        return word in self.core.name or word in self.tail.name

    def named(self, form: Form) -> int:
        """Return the tools whose name, not its leaf alone, is this sequence of stems."""
        found = [i for segment in self.segments for i in segment.spelled_so(form) if self.parts(i) == form]
        return mask_of(found, self.size) & self.alive

    def spelled(self, form: Form) -> int:
        """Return the tools whose name or leaf is this sequence of stems."""
        return mask_of([i for segment in self.segments for i in segment.spelled_so(form)], self.size) & self.alive

    def labelled(self, labels: Iterable[str]) -> int:
        """Return the tools of these connectors; a label that none has is passed over."""
        memory = self.memory
        wanted = list(labels)
        having = [*map(memory.labels.get, wanted)]
        if None in having:
            having = [self._labelled(label, memory) for label in wanted]
        return reduce(or_, having, 0) & self.alive

    def _labelled(self, label: str, memory: Memory) -> int:
        having = memory.labels.get(label)
        if having is None:
            having = mask_of(self.connectors.get(label, ()), self.size)
            if having:
                memory.labels[label] = having
                memory.size += 100 + (having.bit_length() >> 3)
        return having

    def joins(self, word: str) -> dict[int, Form]:
        """Return, for each tool whose name has `word` as a joined form, the parts that it joins."""
        if word in self.core.joined or word in self.tail.joined:
            return {**self.core.joined.get(word, {}), **self.tail.joined.get(word, {})}
        return _NO_JOINS

    def parts(self, tool: int) -> Form:
        """Return the stems of a tool's name, by id, in order."""
        return self.core.parts[tool] if tool < self.core_size else self.tail.parts[tool - self.core_size]

    def in_order(self, tools: int, most: int | None = None) -> list[int]:
        """Return ids in the last tie-break's order, by name, then by connector label: the first `most`, or all."""
        if not self.tail.parts:
            return ids_of(tools, most)
        late = [self.core_size + i for i in ids_of(tools >> self.core_size)]
        ids = ids_of(tools & ((1 << self.core_size) - 1), most)
        return sorted([*ids, *late], key=self._key)[:most]

    def _key(self, tool: int) -> tuple[str, str]:
        return self.tools[tool].name, self.tools[tool].connector

    # --- updates --------------------------------------------------------------------------------------------------

    def updated(self, alive: int, replaced: dict[int, Tool], added: Sequence[Tool], last: Sequence[int]) -> Index:
        """Return the index of the tools in `alive` and those added, of which only the latter are read.

        `replaced` gives tools that differ in payload alone. `last` are the ids that the new pool gives last, in order,
        those added included.
        """
        child = Index.__new__(Index)
        child.stop_words = self.stop_words
        child.synonyms = self.synonyms
        child.classes = self.classes
        child.core = self.core
        size = self.size + len(added)
        tools = [*self.tools, *added]
        for i, tool in replaced.items():
            tools[i] = tool
        child.tools = tuple(tools)
        moved = {i for i in last if i < self.size}
        given = array("I", filterfalse(moved.__contains__, self.given)) if moved else self.given
        child.given = given + array("I", last)
        more = Segment.read(self.size, added, self.stop_words)
        alive |= ((1 << len(added)) - 1) << self.size
        child._take(size, self.tail.extended(more, size) if added else self.tail, alive)
        child.label, child.label_forms = self.label, self.label_forms
        child.heads, child.label_lengths = self.heads, self.label_lengths
        child._read_connectors(range(self.size, size), self.connectors)
        child._read_hints(range(self.size, size), (self.read_only, self.destroys, self.unsaid))
        if alive == self.alive:
            child.memory = self.memory
        else:
            labels = {tool.connector for tool in added}
            late = {stem(word) for label in labels for word in _words_of(label_runs(label))}
            child.heirloom = Heirloom(self.memory.terms, self.alive & ~alive, more, late)
        waste = size - child.alive.bit_count() + size - child.core_size
        if waste >= _COMPACT_FROM and waste * _COMPACT_PART >= size:
            child._compact()
        return child

    def _compact(self) -> None:
        """Forget the dead, and put all tools in tie order, without reading any again."""
        order = self.in_order(self.alive)
        order.reverse()
        ids: dict[int, int] = {old: new for new, old in enumerate(order)}
        size = len(order)
        core = Segment(0, self.stop_words)
        core.parts = [self.parts(old) for old in order]
        for field in _FIELDS:
            setattr(core, field, self._moved(field, ids))
        for segment in (self.core, self.tail):
            for form in segment.spelled:
                for old in segment.spelled_so(form):
                    if old in ids:
                        core._spell(form, ids[old])
            for word, of in segment.joined.items():
                moved = {ids[old]: parts for old, parts in of.items() if old in ids}
                if moved:
                    core.joined[word] = {**core.joined.get(word, {}), **moved}
        core._settle()
        self.core = core
        self.tools = tuple([self.tools[old] for old in order])
        self.given = array("I", [ids[old] for old in self.given if old in ids])
        self._take(size, Segment(size, self.stop_words), (1 << size) - 1)
        self._read_connectors(range(size), {})
        self._read_hints(range(size), (0, 0, 0))

    def _moved(self, field: str, ids: dict[int, int]) -> dict[Any, Posting]:
        moved: dict[Any, list[int]] = {}
        for segment in (self.core, self.tail):
            for word, posting in getattr(segment, field).items():
                old = ids_of(posting) if isinstance(posting, int) else posting
                if found := [ids[i] for i in old if i in ids]:
                    moved.setdefault(word, []).extend(found)
        return _frozen(moved)


class Memory:
    """What queries have asked of an index: runs as typed, and the terms of their words; the matching step's.

    It is replaced as a whole, never emptied, so that a query that reads it in one thread is not disturbed by another.
    """

    __slots__ = ("apart", "enders", "forms", "known", "labels", "size", "splits", "straight", "terms", "views")

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.straight: dict[str, Any] = {}
        self.forms: dict[str, Form] = {}
        self.splits: set[str] = set()
        self.enders: set[str] = set()
        self.labels: dict[str, int] = {}
        self.terms: dict[str, Any] = {}
        self.views: dict[object, Any] = {}
        self.apart: dict[tuple[Any, ...], bool] = {}
        self.size = 0  # about how many bytes


class Heirloom:
    """What an index may take over from the one it was made from: terms that the change did not touch."""

    __slots__ = ("_gone", "_heads", "_words", "terms")

    def __init__(self, terms: dict[str, Any], gone: int, more: Segment, labels: Iterable[str]) -> None:
        self.terms = terms
        self._gone = gone
        self._words = {*more.name, *more.text, *more.stopped, *labels}
        # Words that begin alike have their first three characters in common.
        self._heads = {word[:3] for word in more.name_words}

    def holds(self, term: Any) -> bool:
        """Whether a term of the older index is what the newer one would make."""
        if term.seen & self._gone or term.word in self._words or term.word[:3] in self._heads:
            return False
        return bool(term.kin.isdisjoint(self._words))


class _Stems(dict[str, str]):
    """Stems of typed words, each made once."""

    def __missing__(self, typed: str) -> str:
        self[typed] = found = stem(typed)
        return found


class _Runs(dict[str, Form]):
    """The stems of the parts of runs, each read once.

    `joined` has the stems of those that case splits, `destructive` the first part, as typed, of those that begin so.
    """

    def __init__(self, stems: _Stems) -> None:
        self.stems = stems
        self.joined: dict[str, str] = {}
        self.destructive: dict[str, str] = {}

    def __missing__(self, run: str) -> Form:
        parts, joined = read_run(run)
        self[run] = found = tuple([self.stems[part] for part in parts])
        if joined is not None:
            self.joined[run] = self.stems[joined]
        if parts[0] in DESTRUCTIVE_WORDS:
            self.destructive[run] = parts[0]
        return found


class _Labels(dict[str, tuple[str, ...]]):
    """Typed words of titles and parameter names, which recur: parts and joined forms."""

    def __missing__(self, text: str) -> tuple[str, ...]:
        self[text] = found = tuple(_words_of(label_runs(text)))
        return found


def _words_of(runs: Sequence[Run]) -> list[str]:
    """Return the typed words of runs: parts and joined forms."""
    return [
        *[part for run in runs for part in run.parts],
        *[run.joined for run in runs if run.joined is not None],
    ]


def _leaf(name: str) -> str | None:
    """Return what follows the last `__`, `.`, `:` or `/` of a name, or None where none of them stands."""
    name = clean(name)
    at = max(name.rfind("__") + 1, name.rfind("."), name.rfind(":"), name.rfind("/"))
    return name[at + 1 :] if at > 0 or name[:1] in (".", ":", "/") else None


def in_tie_order(given: Sequence[Tool]) -> tuple[tuple[Tool, ...], array[int]]:
    """Collapse repeated tools; return them in descending order of (name, connector), and their ids as given."""
    if not {*map(type, given)} <= {Tool} and not all(isinstance(one, Tool) for one in given):
        at, odd = next((at, one) for at, one in enumerate(given) if not isinstance(one, Tool))
        raise TypeError(f"tools must be an iterable of Tool, not one with {odd!r} at {at}")
    keys = [(tool.name, tool.connector) for tool in given]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    if len(set(keys)) < len(keys):
        order = _collapsed(given, order)
    order.reverse()
    places = dict(zip(order, range(len(order))))
    return tuple([given[at] for at in order]), array("I", [places[at] for at in sorted(order)])


def _collapsed(given: Sequence[Tool], order: Iterable[int]) -> list[int]:
    """Keep the first of each run of equal tools."""
    kept: list[int] = []
    for at in order:
        if not kept or given[kept[-1]].identity != given[at].identity:
            kept.append(at)
        elif given[kept[-1]] != given[at]:
            raise ValueError(
                f"tools must be one for each (connector, name), not two different ones for {given[at].identity!r},"
                f" at {kept[-1]} and {at}"
            )
    return kept
