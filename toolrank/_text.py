"""Text to words.

This module keeps section 2 of the rule: how any text becomes words. It knows nothing of tools, pools or ranking.

A word has two forms. The *typed* form is what stood in the text, normalised and casefolded; the lists of function
words, stop words and stem exceptions are compared with it. The *stem* is what words match by.

Every function here is linear in its text: single-character classes, fixed-width look-arounds, and one pass each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

__all__ = [
    "DESTRUCTIVE_WORDS",
    "FUNCTION_WORDS",
    "STOP_WORDS",
    "Run",
    "clean",
    "is_spelled",
    "label_runs",
    "plain_text",
    "prose_words",
    "query_pieces",
    "read_run",
    "runs_of",
    "spelled_pieces",
    "stem",
]

FUNCTION_WORDS = frozenset(
    "a an and any are as at be been being but by can could do does did for from had has have here how i if in into is "
    "it its just let me my no not of off on onto or our out over own per please should so some such than that the "
    "their them then there these they this those through to too under until up upon us very via was we were what when "
    "where which while who whom whose why will with within without would you your yours mcp tool tools".split()
)
"""Words of a query that say nothing about a tool, unless a visible tool's name has them (as typed)."""

STOP_WORDS = frozenset({"set", "connection", "frozen"})
"""Words that never match a description (as typed).

They come from one gateway, whose merged and frozen tools all carried them; every catalogue has its own, so
`Pool(tools, stop_words=...)` replaces them.
"""

DESTRUCTIVE_WORDS = frozenset(
    "delete remove destroy drop purge wipe erase revoke terminate kill truncate uninstall".split()
)
"""Names that begin with one of these are taken to destroy, where a tool's hints do not say (as typed)."""

_STEM_EXCEPTIONS = frozenset("news alias canvas atlas lens series species".split())


class Run(NamedTuple):
    """A run of letters, marks and numbers, read: its parts, and its joined form where case splits it."""

    parts: tuple[str, ...]
    joined: str | None


# --- step 1: what is invisible, and what only looks different -------------------------------------------------------

# CPython sorts combining marks by insertion, in quadratic time. Past this many characters we sort them first.
_SORT_MARKS_FROM = 512


def clean(text: str) -> str:
    r"""Drop format characters and variation selectors, then apply NFKC.

    Cost: O(characters).

    >>> clean("pass\u200bword \uff21")
    'password A'
    """
    if text.isascii():
        return text
    invisible = {ord(c): None for c in set(text) if _is_invisible(c)}
    if invisible:
        text = text.translate(invisible)
    if len(text) >= _SORT_MARKS_FROM:
        text = _sort_marks(text)
    return unicodedata.normalize("NFKC", text)


def _is_invisible(c: str) -> bool:
    return unicodedata.category(c) == "Cf" or "\ufe00" <= c <= "\ufe0f" or "\U000e0100" <= c <= "\U000e01ef"


def _sort_marks(text: str) -> str:
    """Decompose, and put each stretch of combining marks in canonical order, in linear time."""
    combining = unicodedata.combining
    out: list[str] = []
    marks: list[str] = []
    for part in map(_decompose, text):
        for c in part:
            if combining(c):
                marks.append(c)
                continue
            if marks:
                out += sorted(marks, key=combining)
                marks.clear()
            out.append(c)
    out += sorted(marks, key=combining)
    return "".join(out)


def _decompose(c: str) -> str:
    return c if c.isascii() else unicodedata.normalize("NFKD", c)


# --- step 2: markup and addresses in descriptions -------------------------------------------------------------------

_MARKUP = re.compile(r"<|https?://[^\s<>\"')\]]*", re.IGNORECASE)


def _without_markup(text: str) -> str:
    """Put a space where a tag or a URL stands."""
    if "<" not in text and "://" not in text:
        return text
    kept: list[str] = []
    at = 0
    last_close = text.rfind(">")
    for found in _MARKUP.finditer(text):
        start, end = found.span()
        if start < at:
            continue  # inside the tag before it
        if text[start] == "<":
            if start > last_close or not (text[end : end + 1].isalpha() or text[end : end + 1] in ("/", "!", "?")):
                continue  # never closed, or not a tag: a separator like any other
            end = text.index(">", start) + 1
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    return " ".join(kept)


# --- step 3: runs ---------------------------------------------------------------------------------------------------


def _is_run_character(c: str) -> bool:
    return unicodedata.category(c)[0] in "LMN"


# ASCII letters and digits stay, the apostrophe waits for `_runs`, everything else separates.
_ASCII_RUNS = bytes(b if (chr(b).isalnum() and b < 128) or b == 0x27 else 0x20 for b in range(256))
_ASCII_PROSE = _ASCII_RUNS.lower()

_PAIRED = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)


@cache
def _stretches() -> re.Pattern[str]:
    """Compile the pattern of a stretch of such characters: that is dear, and most texts have none."""
    return re.compile(f"([{_PAIRED}]+)")


def _runs(text: str) -> list[str]:
    """Cut a cleaned text into its runs; stretches of Han, kana and Hangul arrive as pairs of characters."""
    if text.isascii():
        chunks = text.encode().translate(_ASCII_RUNS).decode().split()
        return list(_join_at_apostrophes(chunks)) if "'" in text else chunks
    separators: dict[int, str] = {ord(c): " " for c in set(text) if not _is_run_character(c)}
    for apostrophe in "'\u2019":
        if apostrophe in text:
            separators[ord(apostrophe)] = "'"
    chunks = text.translate(separators).split()
    return list(_pairs(_join_at_apostrophes(chunks)))


def _join_at_apostrophes(chunks: Iterable[str]) -> Iterator[str]:
    """Let an apostrophe inside a run vanish, a final `'s` with it; at an edge it separates."""
    for chunk in chunks:
        if "'" not in chunk:
            yield chunk
            continue
        run: list[str] = []
        for piece in [*chunk.split("'"), ""]:
            if piece:
                run.append(piece)
            elif run:
                if len(run) > 1 and run[-1] in ("s", "S"):
                    run.pop()
                yield "".join(run)
                run = []


def _pairs(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        for i, stretch in enumerate(_stretches().split(run)):
            if i % 2 == 0 or len(stretch) == 1:
                if stretch:
                    yield stretch
            else:
                yield from (stretch[at : at + 2] for at in range(len(stretch) - 1))


# --- step 4: case ---------------------------------------------------------------------------------------------------

_ASCII_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))")


def _split_by_case(run: str) -> list[str]:
    """Split a run before an upper-case letter that begins a word of its own.

    >>> _split_by_case("listS3Objects"), _split_by_case("getURLInfo"), _split_by_case("getURLs")
    (['list', 'S3', 'Objects'], ['get', 'URL', 'Info'], ['get', 'URLs'])
    """
    if run.isascii():
        return _ASCII_CASE.split(run)
    category = unicodedata.category
    # A mark goes with its letter: boundaries are decided on the run without its marks.
    places = [i for i, c in enumerate(run) if category(c)[0] != "M"]
    kinds = [_CASES.get(category(run[i]), category(run[i])[0]) for i in places]
    cuts = [
        places[k]
        for k in range(1, len(places))
        if kinds[k] == "upper" and (kinds[k - 1] in ("lower", "N") or _begins_word(run, places, kinds, k))
    ]
    return [run[a:b] for a, b in zip([0, *cuts], [*cuts, len(run)])]


_CASES = {"Lu": "upper", "Lt": "upper", "Ll": "lower"}


def _begins_word(run: str, places: list[int], kinds: list[str], k: int) -> bool:
    """Whether the capital at `k` follows a capital and begins a word: `Info` in URLInfo, but not `Ls` in URLs."""
    if kinds[k - 1] != "upper" or kinds[k + 1 : k + 2] != ["lower"]:
        return False
    after = places[k + 2] if k + 2 < len(places) else len(run)
    plural = run[places[k + 1] : after] == "s" and kinds[k + 2 : k + 3] != ["lower"]
    return not plural


# --- steps 5 to 7 ---------------------------------------------------------------------------------------------------


def read_run(run: str) -> Run:
    """Split a run by case and casefold it.

    Cost: O(characters).

    >>> read_run("GitHub")
    Run(parts=('git', 'hub'), joined='github')
    >>> read_run("issues")
    Run(parts=('issues',), joined=None)
    """
    # Without a capital after the first character, or of capitals and caseless letters alone, nothing splits.
    if run[1:].islower() or len(run) == 1 or (run.isupper() and run.isalpha()):
        return Run((run.casefold(),), None)
    parts = _split_by_case(run)
    if len(parts) == 1:
        return Run((run.casefold(),), None)
    return Run(tuple(part.casefold() for part in parts), run.casefold())


# The last letters of what is cut off: most words end otherwise.
_STEMMED = frozenset("sgdey")


def stem(typed: str) -> str:
    """Return the stem of a typed word: plurals, -ing and -ed, and a final e or y.

    Only words of the letters a to z have one; any other word is its own stem.

    Cost: O(characters).

    >>> [stem(w) for w in ("queries", "query", "creating", "creates", "addresses", "news")]
    ['queri', 'queri', 'creat', 'creat', 'address', 'news']
    """
    if typed[-1:] not in _STEMMED or not (typed.isascii() and typed.isalpha()) or typed in _STEM_EXCEPTIONS:
        return typed
    word = typed
    if len(word) >= 5 and word.endswith("ies"):
        word = word[:-2]
    elif len(word) >= 5 and word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif len(word) >= 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    base = word[:-3] if word.endswith("ing") else word[:-2] if word.endswith("ed") else ""
    if len(base) >= 4:
        word = base[:-1] if base[-1] == base[-2] and base[-1] not in "aeioulsz" else base
    if len(word) >= 5 and word.endswith("e"):
        return word[:-1]
    if len(word) >= 4 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word


# --- whole texts ----------------------------------------------------------------------------------------------------


def runs_of(text: str) -> list[str]:
    """Cut a name, title, connector label or parameter name into its runs, in order.

    Cost: O(characters).

    >>> runs_of("mcp__GitHub-list_issues")
    ['mcp', 'GitHub', 'list', 'issues']
    """
    return _runs(clean(text))


def label_runs(text: str) -> list[Run]:
    """Read a name, title, connector label or parameter name, in order.

    Cost: O(characters).

    >>> [run.parts for run in label_runs("mcp__GitHub-list_issues")]
    [('mcp',), ('git', 'hub'), ('list',), ('issues',)]
    """
    return [read_run(run) for run in runs_of(text)]


def prose_words(text: str) -> set[str]:
    """Read a description: its distinct typed words, without markup and URLs, not split by case.

    Cost: O(characters).

    >>> sorted(prose_words("Lists <b>GitHub</b> issues; see https://example.com/docs."))
    ['github', 'issues', 'lists', 'see']
    """
    text = _without_markup(clean(text))
    if text.isascii() and "'" not in text:
        return set(text.encode().translate(_ASCII_PROSE).decode().split())
    return {run.casefold() for run in _runs(text)}


class Pieces(NamedTuple):
    """A query cut up: its plain runs, the required ones, and all of them in order.

    White space parts the pieces of `text` that may spell a tool's name.
    """

    plain: list[str]
    required: list[str]
    whole: list[str]
    text: str


# White space, commas and semicolons end a piece of a query; other separators hold it together.
_PIECE_ENDS = str.maketrans(",;", "  ")
_ASCII_QUERY = bytes(
    0x20 if chr(b).isspace() or chr(b) in ",;" else 0x1F if _ASCII_RUNS[b] == 0x20 else b for b in range(256)
)
_HELD_TOGETHER = re.compile("[^ \x1f]\x1f+[^ \x1f]")


def plain_text(query: str) -> str | None:
    r"""Return a query as text that white space cuts into runs, U+001F where it holds a piece together.

    That is how most queries are; None where it takes more: apostrophes, required words, other scripts.

    Cost: O(characters).

    >>> plain_text("get_page, then stop"), plain_text("don't")
    ('get\x1fpage  then stop', None)
    """
    if query.isascii() and "'" not in query and "+" not in query:
        return query.removeprefix("select:").encode().translate(_ASCII_QUERY).decode()
    return None


def is_spelled(text: str) -> bool:
    r"""Whether one of several pieces of a plain text has several runs, and so may spell a tool's name.

    >>> is_spelled("get\x1fpage then"), is_spelled("get\x1fpage")
    (True, False)
    """
    return " " in text and "\x1f" in text and _HELD_TOGETHER.search(text) is not None


def query_pieces(query: str) -> Pieces:
    """Cut a query into runs: plain ones, and required ones (`+word`).

    Cost: O(characters).

    >>> query_pieces("+slack post_message")[:3]
    (['post', 'message'], ['slack'], ['slack', 'post', 'message'])
    """
    text = plain_text(query)
    if text is not None:
        runs = text.split()  # splits at what holds a piece together too
        return Pieces(runs, [], runs, text)
    query = clean(query.removeprefix("select:"))
    plain: list[str] = []
    required: list[str] = []
    whole: list[str] = []
    for piece in query.split():
        runs = _runs(piece)
        whole += runs
        (required if piece[0] == "+" else plain).extend(runs)
    return Pieces(plain, required, whole, query.translate(_PIECE_ENDS))


def spelled_pieces(text: str) -> list[list[str]]:
    """Return the runs of each piece of a query, of its `Pieces.text`, that may spell a tool's name.

    Cost: O(characters).

    >>> spelled_pieces(query_pieces("call get_page, then stop").text)
    [['call'], ['get', 'page'], ['then'], ['stop']]
    """
    return [_runs(piece) for piece in text.replace("\x1f", "_").split()]
