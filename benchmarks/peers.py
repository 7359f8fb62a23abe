"""What is measured, behind one shape: toolrank, the plain rule, and the engines that others would reach for.

Each peer is used in the quickest of the ways that its manual offers: an index in memory, prepared statements, its own
top-k, and one text of name, connector label, description and parameter names (fields with weights of their own make
those that have them slower). Each gives back its first ten. Peers beyond the standard library are imported when used.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cached_property
from heapq import nlargest
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from benchmarks.catalogues import Row
from tests import reference
from toolrank import STOP_WORDS, Pool, Tool, rank
from toolrank._mass import mass
from toolrank._text import FUNCTION_WORDS, clean, label_runs, prose_words, stem

__all__ = ["PEERS", "Limit", "Naive", "Own", "Peer", "choose", "forget", "split", "text_of", "tools_of"]

TOP = 10

_RUNS = bytes(b if chr(b).isalnum() and b < 128 else 0x20 for b in range(256)).lower()


def split(text: str) -> list[str]:
    """Cut a text into lower-case words in the fastest way there is."""
    return text.encode(errors="replace").translate(_RUNS).decode().split()


def text_of(row: Row) -> str:
    return f"{row.name} {row.connector} {row.description} {' '.join(row.parameters)}"


def tools_of(rows: Sequence[Row]) -> list[Tool]:
    return [Tool(row.name, row.description, row.connector, parameters=row.parameters) for row in rows]


def forget(pool: Pool) -> None:
    """Empty what the index keeps of words that were asked before."""
    pool._index.forget()  # noqa: SLF001 - a benchmark measures what nobody else may touch


def choose(names: str | None, quick: bool) -> tuple[list[type[Peer]], list[str]]:
    """Choose peers by name (a part of it will do): toolrank and the limit always, and say which cannot be had."""
    asked = None if names in (None, "all") else [name.strip().lower() for name in str(names).split(",") if name.strip()]
    chosen: list[type[Peer]] = [Own, Limit]
    missing: list[str] = []
    unknown = [n for n in asked or () if n != "none" and not any(n in peer.name.lower() for peer in PEERS)]
    if unknown:
        known = ", ".join(peer.name for peer in PEERS[2:])
        raise ValueError(f"peers must be of {known}; or all, or none, not {unknown[0]!r}")
    for peer in PEERS[2:]:
        if any(name in peer.name.lower() for name in asked) if asked is not None else peer.quick or not quick:
            absent = [module for module in peer.wants if find_spec(module) is None]
            if absent:
                missing.append(f"{peer.name}: {', '.join(absent)} is not installed")
            else:
                chosen.append(peer)
    return chosen, missing


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

    def forget_views(self) -> None:
        """Drop what is kept of views, where the engine keeps any."""

    def replace(self, ids: Sequence[int], prepared: Any) -> None:
        """Put other tools in the place of these, ready to be searched."""
        raise NotImplementedError


class Own(Peer):
    """toolrank itself."""

    name = "toolrank"
    quick = True

    @staticmethod
    def prepare(rows: Sequence[Row]) -> list[Tool]:
        return tools_of(rows)

    def __init__(self, prepared: list[Tool]) -> None:
        self.tools = list(prepared)
        self.pool = Pool(prepared)

    @cached_property
    def by_label(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, tool in enumerate(self.tools):
            found.setdefault(tool.connector, []).append(at)
        return found

    def query(self, text: str) -> Sequence[Any]:
        return rank(text, self.pool, TOP).tools

    def view(self, ids: Sequence[int]) -> Pool:
        return self.pool.restrict([self.tools[at].identity for at in ids])

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        return rank(text, view, TOP).tools

    def replace(self, ids: Sequence[int], prepared: list[Tool]) -> None:
        for at, tool in zip(ids, prepared, strict=True):
            self.tools[at] = tool
        (label,) = {tool.connector for tool in prepared}
        # What a server lists is everything it has, changed or not.
        self.pool = self.pool.replace(label, [self.tools[at] for at in self.by_label[label]])


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
    query = clean(query.removeprefix("select:"))
    pieces = [(piece[0] == "+", _read(piece, entries)) for piece in query.split()]
    required = {typed: word for plus, words in pieces if plus for typed, word in words}
    plain = {typed: word for plus, words in pieces if not plus for typed, word in words}
    kept = {
        typed: word
        for typed, word in plain.items()
        if not (typed in FUNCTION_WORDS or (len(typed) == 1 and "a" <= typed <= "z"))
        or any(word in entry.name for entry in entries)
    }
    if not kept and not required:
        kept = plain
    held = set(required.values())
    counting = list(dict.fromkeys(word for _, words in pieces for t, word in words if t in kept or t in required))
    weighing = [word for word in counting if word not in held] or counting
    said: set[tuple[str, ...]] = set()
    for at, piece in enumerate([query, *query.replace(",", " ").replace(";", " ").split()]):
        form = tuple([stem(part) for run in label_runs(piece) for part in run.parts])
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


def _read(text: str, entries: Sequence[_Entry]) -> list[tuple[str, str]]:
    """Give the words of a piece, as typed and as stems."""
    found = []
    for run in label_runs(text):
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
    """SQLite's FTS5 in memory; the words of a query joined by OR, the first ten by its own bm25()."""

    name = "sqlite FTS5"
    quick = True

    _ADD = "INSERT INTO tools(rowid, text) VALUES (?, ?)"
    _ASK = "SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY rank LIMIT 10"
    _ASK_IN = (
        "SELECT rowid FROM tools WHERE tools MATCH ? AND +rowid IN (SELECT id FROM sees WHERE caller = ?) "
        "ORDER BY rank LIMIT 10"
    )

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.execute("CREATE VIRTUAL TABLE tools USING fts5(text)")
        self.db.execute("CREATE TABLE sees (caller INTEGER, id INTEGER, PRIMARY KEY (caller, id)) WITHOUT ROWID")
        self.db.executemany(self._ADD, enumerate(map(text_of, prepared)))
        self.db.commit()
        self.callers = 0

    def __del__(self) -> None:
        self.db.close()

    @staticmethod
    def _words(text: str) -> str:
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

    def forget_views(self) -> None:
        self.db.execute("DELETE FROM sees")

    def replace(self, ids: Sequence[int], prepared: Any) -> None:
        self.db.executemany("DELETE FROM tools WHERE rowid = ?", ((at,) for at in ids))
        self.db.executemany(self._ADD, zip(ids, map(text_of, prepared), strict=True))
        self.db.commit()


class FastMCP(Peer):
    """The search of FastMCP's BM25 transform, called as its search tool calls it; the server around it is left out.

    Names are those that a mounted server has, its connector's name first; where one is taken it gets a number.
    """

    name = "FastMCP transform"
    wants = ("fastmcp",)

    @staticmethod
    def prepare(rows: Sequence[Row]) -> list[Any]:
        tool = import_module("fastmcp.tools.base").Tool
        names: dict[str, int] = {}
        tools = []
        for row in rows:
            name = "_".join([*split(row.connector), row.name])
            names[name] = names.get(name, 0) + 1
            schema = {"type": "object", "properties": {parameter: {"type": "string"} for parameter in row.parameters}}
            name = name if names[name] == 1 else f"{name}_{names[name]}"
            tools.append(tool(name=name, description=row.description, parameters=schema))
        return tools

    def __init__(self, prepared: list[Any]) -> None:
        transform = import_module("fastmcp.server.transforms.search").BM25SearchTransform(max_results=TOP)
        self._search = transform._search  # noqa: SLF001 - what its search tool awaits
        self.tools = list(prepared)
        self.query("build the index")

    def query(self, text: str) -> Sequence[Any]:
        return self.query_in(text, self.tools)

    def view(self, ids: Sequence[int]) -> list[Any]:
        return [self.tools[at] for at in ids]

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        search = self._search(view, text)
        try:
            search.send(None)  # it awaits nothing, so no event loop is needed, or charged to it
        except StopIteration as done:
            found: list[Any] = done.value
            return found
        raise RuntimeError("the search must not wait for anything")

    def replace(self, ids: Sequence[int], prepared: Any) -> None:
        for at, tool in zip(ids, prepared, strict=True):
            self.tools[at] = tool
        self.query("build the index")


class RankBM25(Peer):
    """rank-bm25's Okapi, over words that are cut beforehand."""

    name = "rank-bm25"
    wants = ("rank_bm25",)

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.words = [split(text_of(row)) for row in prepared]
        self._index()

    def _index(self) -> None:
        self.index = import_module("rank_bm25").BM25Okapi(self.words)
        self.ids = range(len(self.words))

    def query(self, text: str) -> Sequence[Any]:
        found: list[Any] = self.index.get_top_n(split(text), self.ids, TOP)
        return found

    def view(self, ids: Sequence[int]) -> list[int]:
        return list(ids)

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        scores = self.index.get_batch_scores(split(text), view)
        return nlargest(TOP, zip(scores, view, strict=True))

    def replace(self, ids: Sequence[int], prepared: Any) -> None:
        for at, row in zip(ids, prepared, strict=True):
            self.words[at] = split(text_of(row))
        self._index()


class _BM25S(Peer):
    """bm25s: token ids, scores, and its own top-k for its back end."""

    backend: ClassVar[str]

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.words = [split(text_of(row)) for row in prepared]
        self._index()

    def _index(self) -> None:
        self.index = import_module("bm25s").BM25(backend=self.backend)
        self.index.index(self.words, show_progress=False)
        self.top = min(TOP, len(self.words))

    def _first(self, scores: Any) -> Any:
        raise NotImplementedError

    def query(self, text: str) -> Sequence[Any]:
        return self.query_in(text, None)

    def view(self, ids: Sequence[int]) -> Any:
        mask = import_module("numpy").zeros(len(self.words), dtype="float32")
        mask[list(ids)] = 1
        return mask

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        ids = self.index.get_tokens_ids(split(text))
        if not ids:
            return []  # where no word is known it raises
        found: Sequence[Any] = self._first(self.index.get_scores_from_ids(ids, weight_mask=view))
        return found

    def replace(self, ids: Sequence[int], prepared: Any) -> None:
        for at, row in zip(ids, prepared, strict=True):
            self.words[at] = split(text_of(row))
        self._index()


class BM25SNumpy(_BM25S):
    """bm25s over numpy."""

    name = "bm25s (numpy)"
    wants = ("bm25s",)
    backend = "numpy"

    def _first(self, scores: Any) -> Any:
        return import_module("bm25s.selection").topk(scores, self.top, backend="numpy", sorted=True)


class BM25SNumba(_BM25S):
    """bm25s with its scorer and selection compiled by numba; its `retrieve` takes four times as long for one query."""

    name = "bm25s (numba)"
    wants = ("bm25s", "numba")
    backend = "numba"
    scorer: ClassVar[Any] = None

    def _index(self) -> None:
        super()._index()
        if BM25SNumba.scorer is None:
            self.index.activate_numba_scorer()
            BM25SNumba.scorer = vars(self.index)[_SCORER]
        setattr(self.index, _SCORER, BM25SNumba.scorer)  # compiled once, not once an index
        self._select = import_module("bm25s.numba.selection")._numba_sorted_top_k  # noqa: SLF001 - what its topk() calls

    def _first(self, scores: Any) -> Any:
        return self._select(scores, self.top)


class Tantivy(Peer):
    """tantivy in memory: one text field, its query parser, and the addresses of the first ten, unfetched."""

    name = "tantivy"
    wants = ("tantivy",)

    def __init__(self, prepared: Sequence[Row]) -> None:
        self.module = tantivy = import_module("tantivy")
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", index_option="freq")
        builder.add_unsigned_field("id", indexed=True)
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema)
        self.writer = self.index.writer(128_000_000, 1)  # one thread: one segment, which is searched fastest
        for at, row in enumerate(prepared):
            self._add(at, row)
        self._publish()

    def _add(self, at: int, row: Row) -> None:
        self.writer.add_document(self.module.Document.from_dict({"text": text_of(row), "id": at}, self.schema))

    def _publish(self) -> None:
        self.writer.commit()
        self.index.reload()
        self.searcher = self.index.searcher()

    def query(self, text: str) -> Sequence[Any]:
        query = self.index.parse_query(" ".join(split(text)), _TEXT)
        found: Sequence[Any] = self.searcher.search(query, TOP, count=False).hits
        return found

    def view(self, ids: Sequence[int]) -> Any:
        query = self.module.Query
        sees = query.const_score_query(query.term_set_query(self.schema, "id", list(ids)), 0.0)
        return self.module.Occur.Must, sees

    def query_in(self, text: str, view: Any) -> Sequence[Any]:
        words = self.index.parse_query(" ".join(split(text)), _TEXT)
        query = self.module.Query.boolean_query([(self.module.Occur.Must, words), view])
        found: Sequence[Any] = self.searcher.search(query, TOP, count=False).hits
        return found

    def replace(self, ids: Sequence[int], prepared: Any) -> None:
        for at, row in zip(ids, prepared, strict=True):
            self.writer.delete_documents_by_term("id", at)
            self._add(at, row)
        self._publish()


_TEXT = ["text"]
_SCORER = "_compute_relevance_from_scores"

PEERS: tuple[type[Peer], ...] = (
    Own,
    Limit,
    Naive,
    FastMCP,
    RankBM25,
    Sqlite,
    BM25SNumpy,
    BM25SNumba,
    Tantivy,
)
