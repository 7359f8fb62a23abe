"""Hypothesis strategies for texts, tools, pools, queries and views, over small alphabets.

Small on purpose: a case draws a few words that are related to each other, and its names, labels, descriptions and query
are made of little else, so that ties, prefixes, stop words, joined forms, duplicates and exact halves happen in every
handful of examples. The `wild_` strategies give up the vocabulary and draw any characters, lone surrogates included.

Texts are drawn as templates, whose tokens are strings or places in the case's few words; so all strategies are built
once, and shrinking a case shrinks places and lengths.

Tools are made by whatever `make` is given, called with a tool's fields by keyword; without one they are `PlainTool`s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

# No test fails for the time it takes: a busy machine is not a bug.
settings.register_profile("timeless", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("timeless")


@dataclass(frozen=True)
class PlainTool:
    """A tool's fields and nothing else."""

    name: str
    description: str | None = ""
    connector: str | None = ""
    title: str | None = ""
    parameters: tuple[str, ...] = ()
    read_only: bool | None = None
    destructive: bool | None = None
    payload: object = None


# ---- Vocabulary: families of words that meet, nearly meet, or must not meet -----------------------------------------

FAMILIES: tuple[tuple[str, ...], ...] = (
    ("github", "GitHub", "gitHub", "git", "hub", "git_hub", "gith", "gitee"),
    ("repo", "repos", "repository", "repositories", "rep"),
    ("shop", "shopify", "click", "clickup", "ClickUp", "clicku"),
    ("add", "address", "addresses", "adding", "addPerson", "person"),
    ("com", "comment", "comments", "cal", "calendar", "calendars", "cal_com"),
    ("plan", "plans", "planet", "planning", "planned", "plane"),
    ("list", "lists", "listing", "listed", "listS3Objects", "S3", "s3", "object"),
    ("query", "queries", "querying", "movie", "movies", "copy", "copied", "ties", "tie"),
    ("create", "creates", "created", "creating", "cache", "caches", "box", "boxes", "calling", "mapped"),
    ("new", "news", "alias", "status", "series", "serie", "class", "type", "typed", "species", "lens"),
    ("set", "sets", "settings", "connection", "connections", "frozen", "Set", "setConnection"),
    ("a", "i", "x", "A", "the", "do", "does", "doe", "toDo", "todo", "are", "area", "my", "is", "us", "use"),
    ("tool", "tools", "mcp", "mcps", "MCP", "MCPs", "list", "tooling"),
    ("delete", "deletes", "Delete", "remove", "drop", "deleteIssue", "issue", "issues"),
    ("getURL", "getURLs", "getURLInfo", "URLsFor", "url", "urls", "get", "geturl", "IDs", "iOS"),
    ("v2", "v2API", "oauth2", "OAuth2", "2FA", "2", "api", "\u0663", "\u2167", "1\ufe0f\u20e3"),
    ("漢", "漢字", "漢's", "漢字検索", "検索", "字検", "かな漢字", "GitHub漢字", "漢s字", "々", "漢\u0301字"),
    ("カレンダー", "か\u3099", "が", "ｶﾞ", "カ\u3099ガ", "검색", "캘린더검색", "검"),
    ("straße", "STRASSE", "strasse", "cafe\u0301", "café", "CAFÉ", "E\u0301cole", "ŒUVRE", "ﬁle", "file", "Ａdd"),
    ("x\u0331Y", "ABs\u0331", "ABs", "\u0301", "İ", "Ǆ", "ᾼB", "a\u20dd", "поиск", "ПоискКода", "поиски"),
    ("don't", "dont", "DON\u2019T", "user's", "user", "users'", "USER'S", "O\u2019Brien", "'s", "a''b", "s's's"),
    ("lis\u200bt", "list", "git\ufe0fhub", "Git\u00adHub", "\u202elist", "\U000e0061dd", "l\U000e0100ist", "\ufeff"),
    ("cal__com", "cal.com", "a_b", "list/issue", "get-issue", "issue's", "getIssue", "issue"),
)
VOCABULARY = tuple(dict.fromkeys(word for family in FAMILIES for word in family))
MARKUP = (
    *("<b>", "</b>", "<br/>", "<!-- list -->", "<?set?>", "<a href='issue'>", "< ", "<", "<2", "<x", ">", "<é>"),
    *("http://github.com/list", "HTTPS://list", "https://", "(https://repo)", "<http://add>", "xhttp://url]", "http:/"),
)
ODD_NAMES = ("", "!!!", "mcp", "mcp__github__list", "list.", "__", "Tool", "a")
ODD_PIECES = ("+", "++list", "+the", "+a", "+set,issue", "!!!", "＋repo", "a", "the", "")


# ---- Templates ------------------------------------------------------------------------------------------------------

Token = int | str  # a place in the case's few words, or a text


@dataclass(frozen=True)
class Template:
    """A text over words that are still to be chosen."""

    style: str
    tokens: tuple[Token, ...]

    def fill(self, words: Sequence[str], _pool: Sequence[dict[str, Any]] = ()) -> str:
        said = [words[token % len(words)] if isinstance(token, int) else token for token in self.tokens]
        return spell(said, self.style)


def spell(words: Sequence[str], style: str) -> str:
    """Write words as one name: `camel`, `pascal` or `screaming`, or with the style as separator."""
    capitalised = [word[:1].upper() + word[1:] for word in words]
    if style == "camel":
        return "".join([*words[:1], *capitalised[1:]])
    if style == "pascal":
        return "".join(capitalised)
    if style == "screaming":
        return "_".join(words).upper()
    return style.join(words)


STYLES = ("_", "_", "_", "-", " ", "__", ".", "/", ":", "", "___", "camel", "camel", "pascal", "screaming")

_places: SearchStrategy[Token] = st.integers(0, 5)
_mostly_places: tuple[Token, ...] = (*range(6),) * (len(VOCABULARY) // 2) + VOCABULARY
_tokens: SearchStrategy[Token] = st.sampled_from(_mostly_places)


@st.composite
def _few_words(draw: DrawFn) -> tuple[list[str], list[str]]:
    """Draw the words that tools are made of, and those that queries are: the same ones and some relatives."""
    families = draw(st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=2))
    related = [word for family in families for word in family]
    words = draw(st.lists(st.sampled_from(related), min_size=2, max_size=6))
    return words, words * 2 + related


_words = _few_words()


def _texts_of(tokens: SearchStrategy[list[Token]], styles: Sequence[str] = STYLES) -> SearchStrategy[Template]:
    return st.builds(lambda style, drawn: Template(style, tuple(drawn)), st.sampled_from(styles), tokens)


_short_names = _texts_of(st.lists(_tokens, min_size=1, max_size=3))
_mcp_names = _texts_of(
    st.builds(lambda one, other: ["mcp", one, other], _tokens, _tokens), ("__", "_", ".", ":", "camel")
)
_odd_names = st.sampled_from(ODD_NAMES).map(lambda name: Template("", (name,)))
_names = st.sampled_from((_short_names,) * 8 + (_mcp_names, _odd_names)).flatmap(lambda names: names)
_labels = st.sampled_from((None, "", "", "GitHub", "github", "Notion", "mcp")).map(
    lambda label: None if label is None else Template("", (label,))
) | _texts_of(st.lists(_places, min_size=1, max_size=2))
_mixed: tuple[Token, ...] = _mostly_places + MARKUP * (len(_mostly_places) // 2 // len(MARKUP))
_descriptions = _texts_of(st.lists(st.sampled_from(_mixed), max_size=5), (" ", " ", ", ", "", "\n", "\u3000", "-"))


def texts() -> SearchStrategy[str]:
    """Draw any text that a tool or a query may hold."""
    return st.builds(lambda template, words: template.fill(words[0]), _names | _descriptions, _words)


# ---- Tools and pools ------------------------------------------------------------------------------------------------

_hints = st.sampled_from((None, None, None, True, False))
_tools = st.fixed_dictionaries(
    {
        "name": _names,
        "description": st.none() | _descriptions | _descriptions | _descriptions,
        "connector": _labels,
        "title": st.none() | st.none() | st.just(Template("", ())) | _names,
        "parameters": st.just(()) | st.lists(_names, max_size=2).map(tuple),
        "read_only": _hints,
        "destructive": _hints,
        "payload": st.integers(0, 3),
    }
)


def _fill(templates: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
    def filled(value: Any) -> Any:
        if isinstance(value, Template):
            return value.fill(words)
        return tuple(filled(one) for one in value) if isinstance(value, tuple) else value

    return {field: filled(value) for field, value in templates.items()}


def _identity(fields: dict[str, Any]) -> tuple[str, str]:
    return fields["connector"] or "", fields["name"]


# What to add to a pool: which tool to copy, and what its copy has in place of the original's.
_siblings = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(("Notion", "", None, "Git")), _hints), max_size=3)
_copies = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(4, 7)), max_size=2)


@st.composite
def _pools(
    draw: DrawFn, one: SearchStrategy[dict[str, Any]], words: Sequence[str], max_size: int
) -> list[dict[str, Any]]:
    pool: list[dict[str, Any]] = []

    def add(fields: dict[str, Any]) -> None:
        if all(_identity(fields) != _identity(other) for other in pool):
            pool.append(fields)

    for templates in draw(st.lists(one, min_size=min(draw(st.integers(0, 4)), max_size), max_size=max_size)):
        add(_fill(templates, words))
    if pool:
        # Tools like another but for the label and a hint, so that the last keys of the order decide.
        for place, connector, hint in draw(_siblings):
            add({**pool[place % len(pool)], "connector": connector, "read_only": hint})
        # Entries that are equal in all but payload.
        for place, target, payload in draw(_copies):
            pool.insert(target % (len(pool) + 1), {**pool[place % len(pool)], "payload": payload})
    return pool


def _make(make: Callable[..., Any] | None, fields: dict[str, Any]) -> Any:
    return (PlainTool if make is None else make)(**fields)


@st.composite
def tools(draw: DrawFn, make: Callable[..., Any] | None = None) -> Any:
    """Draw one tool."""
    return _make(make, _fill(draw(_tools), draw(_words)[0]))


@st.composite
def pools(draw: DrawFn, make: Callable[..., Any] | None = None, max_size: int = 6) -> list[Any]:
    """Draw the tools of one pool: no two different ones of one identity, but some entries more than once."""
    return [_make(make, fields) for fields in draw(_pools(_tools, draw(_words)[0], max_size))]


@st.composite
def clashing_pools(draw: DrawFn, make: Callable[..., Any] | None = None) -> list[Any]:
    """Draw tools of which two are different and have one identity."""
    pool = draw(_pools(_tools, draw(_words)[0], 4).filter(bool))
    copied = draw(st.sampled_from(pool))
    other = {**copied, "description": f"{copied['description'] or ''} otherwise"}
    if not other["connector"]:
        other["connector"] = draw(st.sampled_from((None, "")))
    pool.insert(draw(st.integers(0, len(pool))), other)
    return [_make(make, fields) for fields in pool]


# ---- Queries --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Naming:
    """A way in which a caller may write a tool's name out, or nearly so."""

    place: int
    form: int
    style: str

    def fill(self, _words: Sequence[str], pool: Sequence[dict[str, Any]]) -> str:
        if not pool:
            return "list_issues"
        fields = pool[self.place % len(pool)]
        name, label = fields["name"], fields["connector"] or "server"
        leaf = name.replace(".", "__").replace(":", "__").replace("/", "__").split("__")[-1]
        forms = (
            *(name, name, leaf, spell(name.replace("-", "_").split("_"), self.style), name.lower()),
            *(f"{label}__{name}", f"{label}.{leaf}", f"{label} {name}", f"mcp__{label}__{name}", f"mcp__{name}"),
            *(f"mcp {leaf}", f"mcp__mcp__{leaf}", f"{name}s", f"{leaf}_", label, f"{label} {leaf}"),
        )
        return forms[self.form % len(forms)]


_namings = st.builds(Naming, st.integers(0, 9), st.integers(0, 15), st.sampled_from(STYLES))
_query_places: SearchStrategy[Token] = st.integers(0, 19)
_single_words = _texts_of(st.lists(_query_places, min_size=1, max_size=1), (" ",))
_pieces: SearchStrategy[Template | Naming] = st.one_of(
    _single_words,
    _single_words,
    _texts_of(st.lists(_query_places, min_size=1, max_size=3)),
    _namings,
    st.sampled_from(VOCABULARY + ODD_PIECES).map(lambda piece: Template("", (piece,))),
)
_prefixes = st.sampled_from(("", "", "", "", "", "", "+"))
_query_glue = st.sampled_from((" ", " ", " ", " ", ", ", ",", "; ", ";", "_", "\u3000", "\u00a0", " \n", "，"))
_openings = st.sampled_from(("", "", "", "", "", "", "", "select:", " select:", "select:select:"))
_tangled = st.tuples(
    _openings,
    st.integers(0, 3).flatmap(
        lambda fewest: st.lists(st.tuples(_prefixes, _pieces, _query_glue), min_size=fewest, max_size=5)
    ),
    st.booleans(),
)
# Two or four words and nothing else: here a tool often covers half of the mass exactly.
_even_pieces: SearchStrategy[Template | Naming] = st.sampled_from((2, 2, 4)).flatmap(
    lambda size: _texts_of(st.lists(_places, min_size=size, max_size=size, unique=True), (" ",))
)
_even = st.tuples(
    st.just(""), st.lists(st.tuples(_prefixes, _even_pieces, st.just(" ")), min_size=1, max_size=1), st.just(True)
)


@st.composite
def _queries(draw: DrawFn, pool: Sequence[dict[str, Any]], words: Sequence[str]) -> str:
    opening, pieces, strip = draw(_tangled | _tangled | _even)
    query = opening + "".join(prefix + piece.fill(words, pool) + glue for prefix, piece, glue in pieces)
    return query.strip() if strip else query


@st.composite
def queries(draw: DrawFn) -> str:
    """Draw a query that knows no pool."""
    return draw(_queries([], draw(_words)[1]))


@dataclass(frozen=True)
class Case:
    """A query over the tools of one pool, of which the caller sees those whose place is in `seen`."""

    query: str
    tools: list[Any]
    seen: tuple[bool, ...]

    @property
    def visible(self) -> list[Any]:
        """The tools that the caller sees: equal entries are seen or hidden together."""
        return [tool for tool, seen in zip(self.tools, self.seen, strict=True) if seen]


_seen = st.just([True]) | st.lists(st.sampled_from((True, True, False)), min_size=1, max_size=6)


@st.composite
def _cases(
    draw: DrawFn, make: Callable[..., Any] | None, one: SearchStrategy[dict[str, Any]], wild: bool, max_size: int
) -> Case:
    words, query_words = draw(_words)
    pool = draw(_pools(one, words, max_size))
    query = draw(wild_texts() | _queries(pool, query_words) if wild else _queries(pool, query_words))
    seen = draw(_seen)
    identities = sorted({_identity(fields) for fields in pool})
    seen_by_identity = {identity: seen[place % len(seen)] for place, identity in enumerate(identities)}
    return Case(
        query,
        [_make(make, fields) for fields in pool],
        tuple(seen_by_identity[_identity(fields)] for fields in pool),
    )


def cases(make: Callable[..., Any] | None = None, max_size: int = 6) -> SearchStrategy[Case]:
    """Draw a pool, a query that has much to do with it, and a restricted view."""
    return _cases(make, _tools, False, max_size)


def wild_cases(make: Callable[..., Any] | None = None, max_size: int = 4) -> SearchStrategy[Case]:
    """Draw a pool and a query of any characters at all, and a restricted view."""
    return _cases(make, _wild_tools | _tools, True, max_size)


# ---- Policies -------------------------------------------------------------------------------------------------------


def shares() -> SearchStrategy[Fraction]:
    """Draw a share for the floor."""
    return st.sampled_from(
        (Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(1), Fraction(1, 100))
    )


def weights() -> SearchStrategy[tuple[int, int, int, int]]:
    """Draw the weights of name, prefix, connector and description."""
    small = st.integers(0, 5)
    return st.just((5, 3, 2, 1)) | st.tuples(small, small, small, small)


def limits() -> SearchStrategy[int | None]:
    """Draw a limit."""
    return st.none() | st.integers(1, 4) | st.just(10)


# ---- Wild -----------------------------------------------------------------------------------------------------------

_NASTY = (
    *("\ud800", "\udfff", "\ud83d\ude00", "\x00", "\x1b", "\x7f", "\x85", "\u2028", "\ufffe", "\U0010ffff", "\ufdfa"),
    *("\u0301" * 40, "a\u0315\u0300\u0301", "\u1100\u1161\u11a8", "각\u11a8", "\u0345", "ς", "Σ", "ΑΣ", "ﬀi", "ſ"),
    *("'", "\u2019", "＇", "<", "</", "<!", ">", "http://", "HTTPs://", "ｈttp://", "_", "__", ".", "+", "select:"),
)


_anything = st.text(st.characters(exclude_categories=()), max_size=12)
_letters = st.text(st.characters(categories=("L", "M", "N", "Cf")), max_size=12)
_alternating = st.text("aAbBsS1\u0301'é漢", max_size=14)
_wild_pieces = st.one_of(_anything, _letters, _alternating, st.sampled_from(_NASTY), st.sampled_from(VOCABULARY))
_wild_texts = st.builds(
    lambda glue, pieces: glue.join(pieces), st.sampled_from(("", " ")), st.lists(_wild_pieces, max_size=4)
)
_wild_tools = st.fixed_dictionaries(
    {
        "name": _wild_texts,
        "description": st.none() | _wild_texts,
        "connector": st.none() | _wild_texts,
        "title": st.none() | _wild_texts,
        "parameters": st.lists(_wild_texts, max_size=2).map(tuple),
        "read_only": _hints,
        "destructive": _hints,
        "payload": st.none(),
    }
)


def wild_texts() -> SearchStrategy[str]:
    """Draw text of any characters at all, lone surrogates and unassigned ones included."""
    return _wild_texts
