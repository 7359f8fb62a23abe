"""What toolrank computes, said a second time: the rule as the plainest possible code.

No index, no cache, no regular expression and no import of toolrank: every question is answered by going through
every visible tool and every one of its texts again. Sections follow the specification's, in its order, and the
comments number them. The engine must agree with this file on every input; where they disagree, one of them is wrong.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol


class ToolLike(Protocol):
    """Anything with a tool's fields: the reference asks for no class of its own."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def connector(self) -> str | None: ...
    @property
    def title(self) -> str | None: ...
    @property
    def parameters(self) -> Sequence[str]: ...
    @property
    def read_only(self) -> bool | None: ...
    @property
    def destructive(self) -> bool | None: ...


# ---- 9. The lists, as typed -----------------------------------------------------------------------------------------

FUNCTION_WORDS = frozenset(
    """
    a an and any are as at be been being but by can could do does did for from had has have here how i if in into is it
    its just let me my no not of off on onto or our out over own per please should so some such than that the their them
    then there these they this those through to too under until up upon us very via was we were what when where which
    while who whom whose why will with within without would you your yours mcp tool tools
    """.split()
)
STOP_WORDS = frozenset("set connection frozen".split())
DESTRUCTIVE = frozenset("delete remove destroy drop purge wipe erase revoke terminate kill truncate uninstall".split())
STEM_EXCEPTIONS = frozenset("news alias canvas atlas lens series species".split())


# ---- 1. Tools and pools ---------------------------------------------------------------------------------------------


def label_of(tool: ToolLike) -> str:
    """Give the connector label: none and the empty one are the same."""
    return tool.connector or ""


def everything_but_payload(tool: ToolLike) -> tuple[object, ...]:
    """Give the fields by which two entries are one tool."""
    return (
        tool.name,
        tool.description or "",
        label_of(tool),
        tool.title or "",
        tuple(tool.parameters),
        tool.read_only,
        tool.destructive,
    )


def pool(tools: Iterable[ToolLike]) -> list[ToolLike]:
    """Collapse equal entries into the first; two different tools with one identity are an error."""
    kept: list[ToolLike] = []
    for tool in tools:
        if any(everything_but_payload(tool) == everything_but_payload(earlier) for earlier in kept):
            continue
        if any((label_of(tool), tool.name) == (label_of(earlier), earlier.name) for earlier in kept):
            raise ValueError(f"two different tools are both {(label_of(tool), tool.name)!r}")
        kept.append(tool)
    return kept


# ---- 2. Text to words -----------------------------------------------------------------------------------------------


class Word(NamedTuple):
    """One word in its two forms."""

    typed: str
    stem: str


class Run(NamedTuple):
    """What one run became: its parts, and the joined form where case split it."""

    parts: tuple[Word, ...]
    joined: Word | None


def clean(text: str) -> str:
    """2.1: drop format characters and variation selectors, then NFKC."""
    kept = ""
    for character in text:
        selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
        if unicodedata.category(character) != "Cf" and not selector:
            kept += character
    return unicodedata.normalize("NFKC", kept)


def without_markup(text: str) -> str:
    """2.2, for descriptions: put a space in the place of each tag and each URL."""
    kept = ""
    at = 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] == "<" and (following.isalpha() or following in ("/", "!", "?")) and ">" in text[at:]:
            at = text.index(">", at) + 1
            kept += " "
        elif text[at : at + 7].lower() == "http://" or text[at : at + 8].lower() == "https://":
            while at < len(text) and not text[at].isspace() and text[at] not in "<>\"')]":
                at += 1
            kept += " "
        else:
            kept += text[at]
            at += 1
    return kept


def is_run_character(character: str) -> bool:
    """2.3: letters, marks and numbers."""
    return unicodedata.category(character)[0] in "LMN"


def is_cjk(character: str) -> bool:
    """2.3: Han, Hiragana, Katakana or Hangul, by the ranges given."""
    code = ord(character)
    return (
        0x1100 <= code <= 0x11FF
        or 0x3005 <= code <= 0x3007
        or 0x3040 <= code <= 0x30FF
        or 0x31F0 <= code <= 0x31FF
        or 0x3400 <= code <= 0x9FFF
        or 0xAC00 <= code <= 0xD7AF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )


def split_into_runs(text: str) -> list[str]:
    """2.3: the maximal sequences, their apostrophes still inside."""
    found = []
    run = ""
    for at, character in enumerate(text):
        # An apostrophe is inside a run if the run goes on directly on both sides of it.
        inside = (
            character in "'\u2019"
            and 0 < at < len(text) - 1
            and is_run_character(text[at - 1])
            and is_run_character(text[at + 1])
        )
        if is_run_character(character) or inside:
            run += character
        elif run:
            found.append(run)
            run = ""
    if run:
        found.append(run)
    return found


def without_apostrophes(run: str) -> str:
    """2.3: a final 's (any case) is dropped, any other apostrophe vanishes."""
    if run[-2:] in ("'s", "'S", "\u2019s", "\u2019S"):
        run = run[:-2]
    return run.replace("'", "").replace("\u2019", "")


def cut_at_cjk(run: str) -> list[str]:
    """2.3: cut where one of those scripts meets anything else."""
    stretches: list[str] = []
    for character in run:
        if stretches and is_cjk(stretches[-1][-1]) == is_cjk(character):
            stretches[-1] += character
        else:
            stretches.append(character)
    return stretches


def pairs(stretch: str) -> list[str]:
    """2.3: the overlapping pairs; one character stays itself."""
    if len(stretch) == 1:
        return [stretch]
    return [stretch[at : at + 2] for at in range(len(stretch) - 1)]


def split_by_case(run: str) -> list[str]:
    """2.4: cut a run before some of its capitals."""
    letters: list[str] = []  # each character with the marks that go with it
    for character in run:
        if letters and unicodedata.category(character)[0] == "M":
            letters[-1] += character
        else:
            letters.append(character)

    def upper(at: int) -> bool:
        return 0 <= at < len(letters) and unicodedata.category(letters[at][0]) in ("Lu", "Lt")

    def lower(at: int) -> bool:
        return 0 <= at < len(letters) and unicodedata.category(letters[at][0]) == "Ll"

    def number(at: int) -> bool:
        return 0 <= at < len(letters) and unicodedata.category(letters[at][0])[0] == "N"

    def plural_acronym(at: int) -> bool:  # the last of two or more capitals, then `s`, then no lower-case letter
        return upper(at - 1) and upper(at) and letters[at + 1 : at + 2] == ["s"] and not lower(at + 2)

    parts = [letters[0]]
    for at in range(1, len(letters)):
        after_lower_or_number = upper(at) and (lower(at - 1) or number(at - 1))
        last_capital_is_a_beginning = upper(at) and upper(at - 1) and lower(at + 1) and not plural_acronym(at)
        if after_lower_or_number or last_capital_is_a_beginning:
            parts.append(letters[at])
        else:
            parts[-1] += letters[at]
    return parts


def stem(typed: str) -> str:
    """2.7: the light stemmer."""
    word = typed
    if not all("a" <= letter <= "z" for letter in word):
        return word
    if word in STEM_EXCEPTIONS:
        return word
    # Plurals.
    if len(word) >= 5 and word.endswith("ies"):
        word = word[:-3] + "i"
    elif len(word) >= 5 and word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif len(word) >= 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    # Then `ing` or `ed`.
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "aeiou" and word[-1] not in "lsz":
                word = word[:-1]
            break
    # Then a final `e`, else a final `y` after a consonant.
    if len(word) >= 5 and word.endswith("e"):
        word = word[:-1]
    elif len(word) >= 4 and word.endswith("y") and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    return word


def runs(text: str, kind: str) -> list[Run]:
    """2.1 to 2.7 for one text; `kind` is "description" or anything else (name, title, label, parameter, query)."""
    text = clean(text)
    if kind == "description":
        text = without_markup(text)
    found = []
    for run in split_into_runs(text):
        for stretch in cut_at_cjk(without_apostrophes(run)):
            if is_cjk(stretch[0]):  # no part in steps 4, 6 and 7
                found.append(Run(tuple(Word(pair.casefold(), pair.casefold()) for pair in pairs(stretch)), None))
                continue
            split = [stretch] if kind == "description" else split_by_case(stretch)
            typed = [part.casefold() for part in split]
            parts = tuple(Word(part, stem(part)) for part in typed)
            joined = "".join(typed)
            found.append(Run(parts, Word(joined, stem(joined)) if len(parts) > 1 else None))
    return found


def parts(text: str, kind: str) -> list[Word]:
    """Give the parts of every run, in order, without joined forms."""
    return [part for run in runs(text, kind) for part in run.parts]


def words(text: str, kind: str) -> list[Word]:
    """2.6, a tool's side: the parts and the joined forms."""
    found = []
    for run in runs(text, kind):
        found += list(run.parts)
        if run.joined is not None:
            found.append(run.joined)
    return found


# ---- 3. Which field a word matches ----------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A visible tool, read."""

    tool: ToolLike
    name_runs: list[Run]
    name: list[Word]
    label: list[Word]
    description: list[Word]  # with the title and the parameter names: together they are one field


def read_tool(tool: ToolLike) -> Entry:
    description = words(tool.description or "", "description") + words(tool.title or "", "title")
    for parameter in tool.parameters:
        description += words(parameter, "parameter")
    name_runs = runs(tool.name, "name")
    return Entry(tool, name_runs, words(tool.name, "name"), words(label_of(tool), "label"), description)


def stems(found: Iterable[Word]) -> set[str]:
    return {word.stem for word in found}


def in_some_name(word: str, visible: Sequence[Entry]) -> bool:
    """Say whether some visible tool's name has the word exactly, as a part or joined."""
    return any(word in stems(entry.name) for entry in visible)


def in_some_field(word: str, visible: Sequence[Entry]) -> bool:
    return any(word in stems(entry.name + entry.label + entry.description) for entry in visible)


def begin_alike(word: str, name_word: str) -> bool:
    """3: the prefix of either direction, on stems."""
    if len(word) < 3 or len(name_word) < 3 or word == name_word:
        return False
    return name_word.startswith(word) or (word.startswith(name_word) and 4 * len(name_word) > 3 * len(word))


def scoring_fields(word: str, entry: Entry, visible: Sequence[Entry], stop_words: frozenset[str]) -> tuple[str, ...]:
    """Give the rows of the table that hold for this word and this tool."""
    rows = []
    if word in stems(entry.name):
        rows.append("name")
    elif any(begin_alike(word, other) for other in stems(entry.name)) and not in_some_name(word, visible):
        rows.append("prefix")
    if word in stems(entry.label):
        rows.append("connector")
    if word in stems(other for other in entry.description if other.typed not in stop_words):
        rows.append("description")
    return tuple(rows)


# ---- 4. Mass --------------------------------------------------------------------------------------------------------


def document_frequency(word: str, visible: Sequence[Entry]) -> int:
    """4: how many match in any field, exactly or by prefix; a stop word counts where it stands."""
    return sum(scoring_fields(word, entry, visible, stop_words=frozenset()) != () for entry in visible)


def mass(n: int, df: int) -> int:
    """4: floor(2^32 * log2((2n + 2) / (2df + 1))), exactly.

    The binary digits of a logarithm come from squaring: with 1 <= x < 2, the next digit of log2(x) is 1 where
    x * x >= 2, and then x * x / 2 goes on, else x * x. Here x is kept between two integers over 2^precision; where a
    digit is not certain from both, all is done again with twice the precision. That ends: x is rational, and a
    rational whose repeated square is exactly 2 does not exist; only x = 1 has a finite logarithm, and it is exact.
    """
    numerator, denominator = 2 * n + 2, 2 * df + 1
    whole = 0
    while numerator >= 2 * denominator:
        denominator *= 2
        whole += 1
    # 0 <= df <= n makes the ratio more than 1, so the mass is never negative.
    precision = 64
    while True:
        one = 1 << precision
        low = numerator * one // denominator
        high = low if numerator * one % denominator == 0 else low + 1
        digits = whole
        certain = True
        for _ in range(32):
            low = low * low // one
            high = -(-high * high // one)
            digits *= 2
            if low >= 2 * one:
                digits += 1
                low //= 2
                high = -(-high // 2)
            elif high >= 2 * one:
                certain = False
                break
        if certain:
            return digits
        precision *= 2


# ---- 2. The query ---------------------------------------------------------------------------------------------------


class Query(NamedTuple):
    """A query over one pool: which of its words count, which are required, which score and weigh."""

    text: str  # without `select:`, cleaned
    blank: bool
    required: list[Word]
    weighing: list[Word]
    counting: list[Word]  # the plain that are kept and the required, distinct and in order of first appearance


def distinct(found: Iterable[Word]) -> list[Word]:
    """Keep the first word of each stem."""
    kept: list[Word] = []
    for word in found:
        if word.stem not in stems(kept):
            kept.append(word)
    return kept


def query_side(text: str, visible: Sequence[Entry]) -> list[Word]:
    """2.6: a split run counts as its joined form where that is a word of any field of some visible tool."""
    found = []
    for run in runs(text, "query"):
        if run.joined is not None and in_some_field(run.joined.stem, visible):
            found.append(run.joined)
        else:
            found += list(run.parts)
    return found


def is_droppable(word: Word, visible: Sequence[Entry]) -> bool:
    """Say whether a plain word is one of those that are dropped."""
    single_letter = len(word.typed) == 1 and "a" <= word.typed <= "z"
    return (word.typed in FUNCTION_WORDS or single_letter) and not in_some_name(word.stem, visible)


def read_query(text: str, visible: Sequence[Entry]) -> Query:
    # A `select:` that begins it is removed before anything else.
    text = clean(text.removeprefix("select:"))

    in_order: list[tuple[bool, Word]] = []
    for piece in text.split():
        found = query_side(piece, visible)
        in_order += [(piece.startswith("+"), word) for word in found]
    all_required = [word for is_required, word in in_order if is_required]
    all_plain = [word for is_required, word in in_order if not is_required]

    kept = [word for word in all_plain if not is_droppable(word, visible)]
    if not kept and not all_required:
        kept = all_plain

    # A word required anywhere is required only; it stands where it first appears, be that without its `+`.
    counting = distinct(word for _, word in in_order if word in kept or word in all_required)
    plain = [word for word in counting if word.stem not in stems(all_required)]
    required = [word for word in counting if word.stem in stems(all_required)]
    return Query(text, not in_order, required, plain or required, counting)


# ---- 5. The floor ---------------------------------------------------------------------------------------------------


def pieces(text: str) -> list[str]:
    """5: what stands between white space, commas and semicolons."""
    return text.replace(",", " ").replace(";", " ").split()


def leaf(name: str) -> str:
    """5: what follows the last `__`, `.`, `:` or `/` of the cleaned name."""
    name = clean(name)
    for separator in ("__", ".", ":", "/"):
        name = name.split(separator)[-1]
    return name


def names_whole(text: str, tool: ToolLike) -> bool:
    """5: say whether the (cleaned) query names the tool whole."""
    name = [part.stem for part in parts(tool.name, "name")]
    if not name:
        return False  # a label alone spells no name
    forms = [
        name,
        [part.stem for part in parts(leaf(tool.name), "name")],
        [part.stem for part in parts(label_of(tool), "label")] + name,
    ]
    for piece, is_whole_query in [(text, True)] + [(piece, False) for piece in pieces(text)]:
        said = [part.stem for part in parts(piece, "query")]
        for reading in [said, said[1:]] if said[:1] == ["mcp"] else [said]:
            if reading in forms and (len(reading) > 1 or (len(reading) == 1 and is_whole_query)):
                return True
    return False


# ---- 6. Order -------------------------------------------------------------------------------------------------------


def untouched_parts(query: Query, entry: Entry, visible: Sequence[Entry]) -> int:
    """6.3: how many distinct parts of the tool's name no query word matches."""
    untouched = stems(part for run in entry.name_runs for part in run.parts)
    for word in query.counting:
        for run in entry.name_runs:
            if run.joined is not None and run.joined.stem == word.stem:
                untouched -= stems(run.parts)
            for part in run.parts:
                if part.stem == word.stem:
                    untouched -= {part.stem}
                elif begin_alike(word.stem, part.stem) and not in_some_name(word.stem, visible):
                    untouched -= {part.stem}
    return len(untouched)


def risk(tool: ToolLike) -> int:
    """6.4: 0 comes first, 2 last."""
    if tool.read_only is True:
        return 0
    first = [part.typed for part in parts(tool.name, "name")][:1]
    if tool.destructive is True or (tool.destructive is None and first and first[0] in DESTRUCTIVE):
        return 2
    return 1


# ---- 7. The answer --------------------------------------------------------------------------------------------------


class Match(NamedTuple):
    """One query word on one tool."""

    typed: str
    mass: int
    fields: tuple[str, ...]
    score: int
    weighs: bool


class Hit(NamedTuple):
    """One tool of the answer."""

    tool: ToolLike
    score: int
    covered: int
    total: int
    named: bool
    words: list[Match]  # one for each word that counts, in order of first appearance

    @property
    def coverage(self) -> Fraction:
        return Fraction(self.covered, self.total)


class Answer(NamedTuple):
    """All that a ranking says."""

    hits: list[Hit]
    unmatched: list[str]
    reason: str
    withheld: int
    query_words: list[str]
    required: list[str]


def rank(
    query: str,
    tools: Iterable[ToolLike],
    limit: int | None = 10,
    share: Fraction = Fraction(1, 2),
    weights: tuple[int, int, int, int] = (5, 3, 2, 1),
    stop_words: frozenset[str] = STOP_WORDS,
) -> Answer:
    """Rank the tools, which are all that the caller can see."""
    visible = [read_tool(tool) for tool in pool(tools)]
    asked = read_query(query, visible)
    weight_of = dict(zip(("name", "prefix", "connector", "description"), weights, strict=True))
    frequency = {word.stem: document_frequency(word.stem, visible) for word in asked.counting}
    mass_of = {word.stem: mass(len(visible), frequency[word.stem]) for word in asked.counting}
    total = sum(mass_of[word.stem] for word in asked.weighing)

    found: list[tuple[Entry, Hit]] = []
    withheld = 0
    required_somewhere = False
    for entry in visible:
        fields = {word.stem: scoring_fields(word.stem, entry, visible, stop_words) for word in asked.counting}
        # 2: every required word must match or the tool is out, even one named whole.
        if not all(fields[word.stem] for word in asked.required):
            continue
        required_somewhere = True
        matches = [
            Match(
                word.typed,
                mass_of[word.stem],
                fields[word.stem],
                sum(weight_of[field] for field in fields[word.stem]),
                word.stem in stems(asked.weighing),
            )
            for word in asked.counting
        ]
        score = sum(match.score for match in matches if match.weighs)
        covered = sum(match.mass for match in matches if match.weighs and match.fields)
        named = names_whole(asked.text, entry.tool)
        # 5: at least the share of the whole mass, and never nothing at all, unless named whole.
        if named or (covered > 0 and covered * share.denominator >= total * share.numerator):
            found.append((entry, Hit(entry.tool, score, covered, total, named, matches)))
        elif covered > 0:
            withheld += 1

    def order(answered: tuple[Entry, Hit]) -> tuple[bool, int, int, int, str, str]:
        entry, hit = answered
        return (
            not hit.named,
            -hit.score,
            untouched_parts(asked, entry, visible),
            risk(entry.tool),
            entry.tool.name,
            label_of(entry.tool),
        )

    hits = [hit for _, hit in sorted(found, key=order)]

    known = sum(mass_of[word.stem] for word in asked.weighing if frequency[word.stem] > 0)
    if hits:
        reason = "matched"
    elif asked.blank:
        reason = "blank_query"
    elif not visible:
        reason = "empty_pool"
    elif not required_somewhere:
        reason = "missing_required"
    elif known == 0 or known * share.denominator < total * share.numerator:
        reason = "unknown_words"
    else:
        reason = "below_floor"

    return Answer(
        hits=hits if limit is None else hits[:limit],
        unmatched=[word.typed for word in asked.counting if frequency[word.stem] == 0],
        reason=reason,
        withheld=withheld,
        query_words=[word.typed for word in asked.counting],
        required=[word.typed for word in asked.required],
    )
