"""Whether the engine answers as the rule says: random pools, views and queries against the plain statement of it.

Small pools over few words that are related to each other, so that ties, prefixes, joined forms, halves and repeated
entries happen all the time; some over an alphabet of two letters, some made of real-looking rows. Several questions are
asked of every pool, so that what the engine keeps between them is under test as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from benchmarks.catalogues import make
from tests import reference
from toolrank import Pool, Ranking, Tool, rank

__all__ = ["DifferenceError", "check", "expected", "told", "triples"]


class Triple(NamedTuple):
    """A pool, what of it is visible, and a query."""

    tools: list[Tool]
    visible: list[Tool]
    query: str
    limit: int | None


class DifferenceError(AssertionError):
    """The engine and the rule disagree."""


_FAMILIES = (
    "github GitHub git hub gitee gitHub git_hub",
    "repo repos repository repositories rep pos",
    "shop shopify click clickup ClickUp clicku",
    "add address addresses adding addPerson person",
    "list lists listing listS3Objects s3 S3 object",
    "create creates created creating creat cache caches",
    "get url getURL getURLs getURLInfo URLs info",
    "set sets settings Set connection connections frozen",
    "a i x the do does doe toDo todo are",
    "tool tools mcp MCP mcps tooling",
    "delete deletes remove Delete issue issues deleteIssue",
    "query queries movie movies copy copied news new",
    "v2 v2API oauth2 OAuth2 api 2 20",
    "漢字 検索 漢字検索 漢 字 GitHub漢字",
    "straße strasse café CAFÉ cafe ﬁle file",
    "don't dont user's user users O'Brien",
)
_ALPHABETS = ("ab", "aab_", "abs", "aBb", "xyz", "aA_")
_SEPARATORS = ("_", "_", "-", " ", "__", ".", "/", ":", "")


def _word(draw: random.Random, words: Sequence[str], alphabet: str) -> str:
    if alphabet:
        return "".join(draw.choice(alphabet) for _ in range(draw.randint(1, 6)))
    return draw.choice(words)


def _text(word: Callable[[], str], draw: random.Random, most: int) -> str:
    separator = draw.choice(_SEPARATORS)
    return separator.join(word() for _ in range(draw.randint(0 if most > 4 else 1, most)))


def _pool(draw: random.Random) -> tuple[list[Tool], Callable[[], str]]:
    kind = draw.random()
    if kind < 0.15:
        rows = make(draw.randint(1, 12), seed=str(draw.random()))
        tools = [Tool(r.name, r.description, r.connector, parameters=r.parameters) for r in rows]
        words = [word for row in rows for word in f"{row.name} {row.connector} {row.description}".split()]
        return tools, lambda: draw.choice(words)
    alphabet = draw.choice(_ALPHABETS) if kind < 0.4 else ""
    words = [word for family in draw.sample(_FAMILIES, draw.randint(1, 3)) for word in family.split()]

    def word() -> str:
        return _word(draw, words, alphabet)

    tools = []
    labels = ["", "", *(_text(word, draw, 2) for _ in range(2))]
    hints = (None, None, True, False)
    seen = set()
    for _ in range(draw.choice((1, 2, 3, 4, 5, 6, 8, 12))):
        tool = Tool(
            _text(word, draw, 3),
            "" if draw.random() < 0.2 else _text(word, draw, 6),
            draw.choice(labels),
            _text(word, draw, 2) if draw.random() < 0.2 else "",
            [_text(word, draw, 2) for _ in range(draw.randint(0, 2))] if draw.random() < 0.3 else (),
            draw.choice(hints),
            draw.choice(hints),
        )
        if tool.identity not in seen:
            tools.append(tool)
        seen.add(tool.identity)
    if draw.random() < 0.1:
        tools.append(draw.choice(tools))
    return tools, word


def _query(draw: random.Random, tools: Sequence[Tool], word: Callable[[], str]) -> str:
    kind = draw.random()
    tool = draw.choice(tools)
    if kind < 0.15:
        return draw.choice((tool.name, f"{tool.connector}__{tool.name}", f"mcp__{tool.name}", f"select:{tool.name}"))
    pieces = [word() for _ in range(draw.choice((0, 1, 1, 2, 2, 3, 4, 6)))]
    if kind < 0.3:
        pieces.append(tool.name)
    if kind < 0.4 and pieces:
        pieces[0] = "+" + pieces[0]
    return draw.choice((" ", " ", " ", ", ", "_")).join(pieces)


def triples(seed: str) -> Iterator[Triple]:
    """Yield triples without end; every fourth question is of all tools of a pool."""
    draw = random.Random(seed)
    while True:
        tools, word = _pool(draw)
        for at in range(8):
            share = draw.choice((0.3, 0.6, 0.9))
            hidden: set[object] = set()
            if at % 4 == 3:  # whole connectors
                hidden = {tool.connector for tool in tools if draw.random() > share}
                hidden = {tool.identity for tool in tools if tool.connector in hidden}
            elif at % 4:
                hidden = {tool.identity for tool in tools if draw.random() > share}
            visible = [tool for tool in tools if tool.identity not in hidden]
            yield Triple(tools, visible, _query(draw, tools, word), draw.choice((None, 10, 10, 1, 2)))


def told(answer: Ranking) -> dict[str, Any]:
    """Give all that an answer of the engine says, in plain values."""
    return {
        "hits": [
            (
                hit.tool.identity,
                (hit.score, hit.covered, hit.total, hit.named),
                [(match.word, match.mass, match.fields, match.score, match.weighs) for match in hit.words],
            )
            for hit in answer
        ],
        "unmatched": list(answer.unmatched),
        "reason": answer.reason.value,
        "withheld": answer.withheld,
        "query_words": list(answer.query_words),
        "required": list(answer.required),
    }


def expected(triple: Triple) -> dict[str, Any]:
    """Give the same of the rule."""
    answer = reference.rank(triple.query, triple.visible, triple.limit)
    return {
        "hits": [
            (
                (hit.tool.connector, hit.tool.name),
                (hit.score, hit.covered, hit.total, hit.named),
                [(match.typed, match.mass, match.fields, match.score, match.weighs) for match in hit.words],
            )
            for hit in answer.hits
        ],
        "unmatched": answer.unmatched,
        "reason": answer.reason,
        "withheld": answer.withheld,
        "query_words": answer.query_words,
        "required": answer.required,
    }


Engine = Callable[[Triple], dict[str, Any]]


def engine(seed: str = "toolrank") -> Engine:
    """Give the engine, which keeps a pool for all questions of it, whether it was built at once or came by updates.

    What a caller sees is said in one of the ways there are: a predicate, the tools, their identities, or labels.
    """
    draw = random.Random(f"{seed}/ways")
    kept: list[tuple[list[Tool], Pool]] = []

    def answer(triple: Triple) -> dict[str, Any]:
        if not kept or kept[0][0] is not triple.tools:
            kept[:] = [(triple.tools, _made(draw, triple))]
        pool = kept[0][1]
        if len(triple.visible) < len(triple.tools) or draw.random() < 0.3:
            pool = _seen(draw, pool, triple)
        # What is kept of words is made, and then used, from the second asking on.
        for _ in range(draw.randrange(3)):
            rank(triple.query, pool, triple.limit)
        return told(rank(triple.query, pool, triple.limit))

    return answer


def _made(draw: random.Random, triple: Triple) -> Pool:
    """Build a pool, or update another until it is that: a server's tools change, and one connects and leaves."""
    tools = triple.tools
    if draw.random() < 0.6:
        return Pool(tools)
    label = draw.choice(tools).connector
    before = [tool for tool in tools if tool.connector != label or draw.random() < 0.5]
    before += [Tool(f"{tool.name}_then", tool.name, label) for tool in tools if tool.connector == label][:2]
    passing = [Tool(name, text, "passing by") for name, text in {tool.name: tool.description for tool in tools}.items()]
    pool = Pool(dict.fromkeys(before))
    rank(triple.query, pool)
    pool = pool.replace("passing by", passing)
    rank(triple.query, pool)
    pool = pool.replace(label, list(dict.fromkeys(tool for tool in tools if tool.connector == label)))
    return pool.without("passing by")


def _seen(draw: random.Random, pool: Pool, triple: Triple) -> Pool:
    labels = {tool.connector for tool in triple.visible}
    identities = {tool.identity for tool in triple.visible}
    if all(tool.identity in identities for tool in triple.tools if tool.connector in labels) and draw.random() < 0.5:
        return pool.restrict([*labels, "not connected"])
    way = draw.randrange(3)
    if way == 0:
        return pool.restrict(lambda tool: tool.identity in identities)
    return pool.restrict(triple.visible if way == 1 else identities)


def check(count: int, seed: str = "toolrank", answer: Engine | None = None) -> int:
    """Ask `count` triples of the engine and of the rule, and raise `DifferenceError` for the first that differ."""
    answer = answer or engine(seed)
    with _read_once():
        for at, triple in zip(range(count), triples(seed), strict=False):
            _compare(at, seed, triple, answer)
    return count


@contextmanager
def _read_once() -> Iterator[None]:
    """Let the plain code read each text once: what it finds depends on the text alone, and it asks again and again."""
    plain = reference.runs
    reference.runs = lru_cache(maxsize=1 << 14)(plain)
    try:
        yield
    finally:
        reference.runs = plain


def _compare(at: int, seed: str, triple: Triple, answer: Engine) -> None:
    right, given = expected(triple), answer(triple)
    if right != given:
        fields = [field for field in right if right[field] != given[field]]
        raise DifferenceError(
            f"triple {at} of seed {seed!r}: {', '.join(fields)} differ\n  query   {triple.query!r}\n"
            f"  visible {triple.visible!r}\n  hidden  {[t for t in triple.tools if t not in triple.visible]!r}\n"
            + "".join(f"  {field}:\n    rule   {right[field]!r}\n    engine {given[field]!r}\n" for field in fields)
        )
