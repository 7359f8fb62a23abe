"""What is measured, behind one shape: toolrank, the plain rule, and the engines that others would reach for.

Each peer is used as its own manual would have it: an index in memory, prepared statements, its own top-k. A peer gets
the same texts (name, connector label, description, parameter names) and gives back its first ten tools.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from benchmarks.catalogues import Row
from tests import reference
from toolrank import STOP_WORDS, Pool, Tool, rank
from toolrank._mass import mass
from toolrank._text import FUNCTION_WORDS, label_runs, prose_words, query_pieces, read_run, stem

__all__ = ["PEERS", "Limit", "Naive", "Own", "Peer", "Sqlite", "forget", "tools_of"]

TOP = 10

_RUNS = bytes(b if chr(b).isalnum() and b < 128 else 0x20 for b in range(256)).lower()


def split(text: str) -> list[str]:
    """Cut a text into lower-case words in the fastest way there is."""
    return text.encode(errors="replace").translate(_RUNS).decode().split()


def tools_of(rows: Sequence[Row]) -> list[Tool]:
    return [Tool(row.name, row.description, row.connector, parameters=row.parameters) for row in rows]


def forget(pool: Pool) -> None:
    """Empty what the index keeps of words that were asked before."""
    index: Any = pool._index  # noqa: SLF001 - a benchmark measures what nobody else may touch
    if hasattr(index, "forget"):
        index.forget()
        return
    held = [getattr(index, name) for name in ("known", "terms", "records") if hasattr(index, name)]
    if not held:
        raise AttributeError("the index must have a word cache that can be emptied, not none that is known here")
    for cache in held:
        cache.clear()


class Peer:
    """An engine over one catalogue. `prepare` and `view` are what a caller does once; the rest is timed."""

    name: ClassVar[str]
    wants: ClassVar[tuple[str, ...]] = ()  # modules beyond the standard library
    quick: ClassVar[bool] = False
    views: ClassVar[bool] = True  # whether a query can be restricted
    updates: ClassVar[bool] = True

    @staticmethod
    def prepare(rows: Sequence[Row]) -> Any:
        """Make the engine's own records of the tools, which a caller has anyway."""
        return rows

    def __init__(self, prepared: Any) -> None:
        raise NotImplementedError

    def query(self, text: str) -> Sequence[Any]:
        raise NotImplementedError

    def view(self, ids: Sequence[int]) -> Any:
        """Make what the engine needs to answer for a caller who sees only these rows."""
        raise NotImplementedError

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        raise NotImplementedError

    def replace(self, ids: Sequence[int], prepared: Any) -> Callable[[], object]:
        """Give what puts other rows in the place of these, ready to be searched."""
        raise NotImplementedError


class Own(Peer):
    """toolrank itself."""

    name = "toolrank"
    quick = True

    @staticmethod
    def prepare(rows: Sequence[Row]) -> list[Tool]:
        return tools_of(rows)

    def __init__(self, prepared: list[Tool]) -> None:
        self.tools = prepared
        self.pool = Pool(prepared)

    def query(self, text: str) -> Sequence[Any]:
        return rank(text, self.pool, TOP).tools

    def view(self, ids: Sequence[int]) -> Pool:
        identities = {self.tools[i].identity for i in ids}
        return self.pool.restrict(lambda tool: tool.identity in identities)

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        return rank(text, view, TOP).tools

    def replace(self, ids: Sequence[int], prepared: list[Tool]) -> Callable[[], object]:
        labels = {self.tools[i].connector for i in ids}
        label = labels.pop()
        if labels:
            raise ValueError("one connector's tools are replaced at a time")
        pool: Any = self.pool
        return lambda: pool.replace(label, prepared)


class Limit(Peer):
    """What no engine of this kind can go below: tokenise the query, and look every word up in a dict."""

    name = "own limit"
    quick = True
    views = updates = False

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.words: dict[str, list[int]] = {}
        for at, row in enumerate(prepared):
            for word in set(split(f"{row.name} {row.connector} {row.description}")):
                self.words.setdefault(word, []).append(at)

    def query(self, text: str) -> Sequence[Any]:
        find = self.words.get
        return [find(word) for word in text.encode(errors="replace").translate(_RUNS).decode().split()]


class Naive(Peer):
    """The plain rule with the words of the tools read once: what one would write first, all of its texts cached."""

    name = "naive rule"
    quick = True
    updates = False

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.entries = [_Entry(tool) for tool in tools_of(prepared)]

    def query(self, text: str) -> Sequence[Any]:
        return _naive(text, self.entries)

    def view(self, ids: Sequence[int]) -> Any:
        return [self.entries[i] for i in ids]

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        return _naive(text, view)


class _Entry:
    """A tool, read."""

    __slots__ = ("every", "forms", "joined", "label", "name", "parts", "risk", "stopped", "text", "tool")

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        runs = label_runs(tool.name)
        self.parts = [stem(part) for run in runs for part in run.parts]
        self.joined = {stem(run.joined): {stem(part) for part in run.parts} for run in runs if run.joined is not None}
        self.name = {*self.parts, *self.joined}
        self.label = _label_stems([tool.connector])
        typed = prose_words(tool.description)
        labels = [tool.title, *tool.parameters]
        typed |= {word for text in labels for run in label_runs(text) for word in (*run.parts, run.joined) if word}
        self.text = {stem(word) for word in typed if word not in STOP_WORDS}
        self.stopped = {stem(word) for word in typed if word in STOP_WORDS}
        self.every = self.name | self.label | self.text | self.stopped
        leaf = [stem(part) for run in label_runs(reference.leaf(tool.name)) for part in run.parts]
        label = [stem(part) for run in label_runs(tool.connector) for part in run.parts]
        self.forms = {tuple(form) for form in (self.parts, leaf, label + self.parts) if form} if self.parts else set()
        self.risk = reference.risk(tool)


def _label_stems(texts: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for text in texts:
        for run in label_runs(text):
            found.update(stem(word) for word in (*run.parts, run.joined) if word is not None)
    return found


def _naive(query: str, entries: Sequence[_Entry]) -> list[Tool]:
    """Answer by going through all tools, word by word."""
    pieces = query_pieces(query)
    required = dict(_read(pieces.required, entries))
    plain = dict(_read(pieces.plain, entries))
    kept = {
        typed: word
        for typed, word in plain.items()
        if not (typed in FUNCTION_WORDS or (len(typed) == 1 and "a" <= typed <= "z"))
        or any(word in entry.name for entry in entries)
    }
    if not kept and not required:
        kept = plain
    held = set(required.values())
    counting = list(dict.fromkeys(word for t, word in _read(pieces.spelled[0], entries) if t in kept or t in required))
    weighing = [word for word in counting if word not in held] or counting
    said: set[tuple[str, ...]] = set()
    for at, runs in enumerate(pieces.spelled):
        form = tuple([stem(part) for run in runs for part in read_run(run).parts])
        forms = (form, form[1:]) if form[:1] == ("mcp",) else (form,)
        said.update(form for form in forms if len(form) > 1 or at == 0)

    exact = {word: any(word in entry.name for entry in entries) for word in counting}
    scores: list[dict[str, int]] = []
    df = dict.fromkeys(counting, 0)
    for entry in entries:
        found: dict[str, int] = {}
        for word in counting:
            score = 0
            if word in entry.name:
                score = 5
            elif not exact[word] and any(reference.begin_alike(word, other) for other in entry.name):
                score = 3
            score += 2 * (word in entry.label) + (word in entry.text)
            if score or word in entry.stopped:
                df[word] += 1
            if score:
                found[word] = score
        scores.append(found)
    weight = {word: mass(len(entries), df[word]) for word in counting}
    total = sum(weight[word] for word in weighing)
    hits = []
    for entry, found in zip(entries, scores, strict=True):
        if any(word not in found for word in held):
            continue
        covered = sum(weight[word] for word in weighing if word in found)
        named = not said.isdisjoint(entry.forms)
        if named or (covered and 2 * covered >= total):
            left = len(_untouched(entry, counting, exact))
            score = sum(found.get(word, 0) for word in weighing)
            hits.append((not named, -score, left, entry.risk, entry.tool.name, entry.tool.connector, entry.tool))
    hits.sort(key=lambda hit: hit[:6])
    return [hit[-1] for hit in hits[:TOP]]


def _read(runs: Sequence[str], entries: Sequence[_Entry]) -> list[tuple[str, str]]:
    """Give the words of runs, as typed and as stems."""
    found = []
    for text in runs:
        run = read_run(text)
        if run.joined is not None and any(stem(run.joined) in entry.every for entry in entries):
            found.append((run.joined, stem(run.joined)))
        else:
            found += [(part, stem(part)) for part in run.parts]
    return found


def _untouched(entry: _Entry, words: Sequence[str], exact: dict[str, bool]) -> set[str]:
    left = set(entry.parts)
    for word in words:
        left -= entry.joined.get(word, set())
        left.discard(word)
        if not exact[word]:
            left = {part for part in left if not reference.begin_alike(word, part)}
    return left


class Sqlite(Peer):
    """SQLite's FTS5 in memory: bm25() with the weights of the fields, the words of a query joined by OR."""

    name = "sqlite FTS5"
    quick = True

    _ASK = (
        "SELECT rowid FROM tools WHERE tools MATCH ? AND rank MATCH 'bm25(5.0, 2.0, 1.0, 1.0)' ORDER BY rank LIMIT 10"
    )
    _ASK_IN = (
        "SELECT rowid FROM tools WHERE tools MATCH ? AND rowid IN (SELECT id FROM sees WHERE caller = ?) "
        "ORDER BY bm25(tools, 5.0, 2.0, 1.0, 1.0) LIMIT 10"
    )

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.execute("CREATE VIRTUAL TABLE tools USING fts5(name, connector, description, parameters)")
        self.db.execute("CREATE TABLE sees (caller INTEGER, id INTEGER, PRIMARY KEY (caller, id)) WITHOUT ROWID")
        self.db.executemany(
            "INSERT INTO tools(rowid, name, connector, description, parameters) VALUES (?, ?, ?, ?, ?)",
            self._values(enumerate(prepared)),
        )
        self.db.commit()
        self.callers = 0

    @staticmethod
    def _values(rows: Any) -> Any:
        return ((at, row.name, row.connector, row.description, " ".join(row.parameters)) for at, row in rows)

    def _words(self, text: str) -> str:
        return " OR ".join([f'"{word}"' for word in split(text)])

    def query(self, text: str) -> Sequence[Any]:
        return self.db.execute(self._ASK, (self._words(text),)).fetchall()

    def view(self, ids: Sequence[int]) -> int:
        self.callers += 1
        self.db.executemany("INSERT INTO sees VALUES (?, ?)", ((self.callers, at) for at in ids))
        self.db.commit()
        return self.callers

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        return self.db.execute(self._ASK_IN, (self._words(text), view)).fetchall()

    def replace(self, ids: Sequence[int], prepared: Any) -> Callable[[], object]:
        def swap() -> None:
            self.db.executemany("DELETE FROM tools WHERE rowid = ?", ((at,) for at in ids))
            self.db.executemany(
                "INSERT INTO tools(rowid, name, connector, description, parameters) VALUES (?, ?, ?, ?, ?)",
                self._values(zip(ids, prepared, strict=True)),
            )
            self.db.commit()

        return swap


PEERS: tuple[type[Peer], ...] = (Own, Limit, Naive, Sqlite)
