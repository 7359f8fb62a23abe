"""Any text at all: no exception, and work that grows linearly with the text.

Work is counted, not timed: each bytecode that runs counts one, and each call of a built-in method counts the size of
the text, list or number that it belongs to. What CPython's normalisation does inside is counted beside it, by how often
its insertion sort of combining marks would have to move one past another.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tries import spread
from toolrank import Floor, Pool, Reason, Tool, explain, rank
from toolrank._text import prose_words


def ask_everything(query: str, tools: list[Tool]) -> None:
    """Ask a query and look at all of the answer."""
    pool = Pool(tools)
    answer = rank(query, pool, floor=Floor(0))
    assert isinstance(answer.reason, Reason)
    assert answer.to_dict()["query"] == query
    assert {*answer.required, *answer.unmatched} <= set(answer.query_words)
    assert str(answer)
    assert repr(answer)
    assert answer.withheld >= 0
    assert str(explain(query, pool, tools[0]))


def everywhere(text: str) -> list[Tool]:
    """Give a tool that has a text in every field, and another that goes on where it ends."""
    return [Tool(text, text, text, text, (text, "other"), payload=text), Tool(text + "q", connector="x")]


# ---- No exception --------------------------------------------------------------------------------------------------

any_text = st.text(st.characters(exclude_categories=()), max_size=60)
odd_text = st.text(
    st.sampled_from(
        "aAbBzZsS09 _-.:/+,;'<>!?\"()[]&#\t\n\x00\x1c\x7f\x85\xad\xaa\xb5\xdf\u0130\u0131\u0149\u01c5\u0301\u0323\u0345"
        "\u03a3\u03c2\u0660\u1100\u1161\u11a8\u180e\u1e9e\u200b\u200d\u2019\u2028\u20dd\u2160\u3000\u3005\u304b\u3099"
        "\u4e00\uac00\ud800\udbff\udc00\udfff\ufb03\ufdfa\ufe0f\ufeff\uff07\uff0b\uff21\uffff\U00016fe0\U0001d400\U0001f600"
        "\U00020000\U000e0001\U000e0100\U0010ffff"
    ),
    max_size=60,
)


@settings(max_examples=150)
@given(*[any_text | odd_text] * 6)
def test_no_text_of_a_query_or_a_tool_raises(
    query: str, name: str, description: str, connector: str, title: str, parameter: str
) -> None:
    tool = Tool(name, description, connector, title, (parameter, query))
    ask_everything(query, [tool, Tool("list_items", query)])
    ask_everything(name, [tool])
    ask_everything(f"{connector}__{name}", [tool])


@pytest.mark.parametrize("code", range(0, 0x10000, 0x2000))
def test_no_character_raises(code: int) -> None:
    # Every third character of the first plane, in a name and in prose; the strategies draw the others.
    text = " ".join(f"a{chr(c)}B" for c in range(code, code + 0x2000, 3))
    Pool([Tool(text, text)])
    assert rank(text[:900], Pool([Tool("x")])).reason in (Reason.UNKNOWN_WORDS, Reason.BELOW_FLOOR, Reason.MATCHED)


# ---- Texts made to be dear -----------------------------------------------------------------------------------------


def filled(pattern: str) -> Callable[[int], str]:
    return lambda size: (pattern * (size // len(pattern) + 1))[:size]


def numbered(pattern: str) -> Callable[[int], str]:
    """Repeat a pattern with another number each time, so that all words are distinct."""

    def make(size: int) -> str:
        each = len(pattern.format(f"{0:06x}"))
        return "".join(pattern.format(f"{n:06x}") for n in range(size // each + 1))

    return make


def prefixes(size: int) -> str:
    """Give words that are each the beginning of the next."""
    words: list[str] = []
    while sum(map(len, words)) < size:
        words.append("a" * (3 + len(words)))
    return " ".join(words)


KINDS: dict[str, Callable[[int], str]] = {
    "one letter": filled("a"),
    "one capital": filled("A"),
    "alternating case": filled("aB"),
    "capitals and small": filled("AAb"),
    "plural acronyms": filled("ABs"),
    "digits and capitals": filled("1A"),
    "digits": filled("7"),
    "s": filled("s"),
    "ing": filled("ing"),
    "marks in reverse order": lambda size: "a" + "\u0301" * (size // 2) + "\u0323" * (size // 2),
    "marks out of order": lambda size: "a" + "\u0301\u0323\u0327\u0345\u05b0" * (size // 5),
    "letters and marks": filled("a\u0301\u0323B"),
    "composed letters": filled("\u1e69\u0323"),
    "marks alone": filled("\u0301"),
    "less-than": filled("<"),
    "open tags": filled("<a"),
    "tags": filled("<a>"),
    "open tags, closed once": lambda size: "<a" * (size // 2) + ">",
    "open tags, closed before": lambda size: ">" + "<a" * (size // 2),
    "comments": filled("<!-"),
    "URLs without end": filled("http://"),
    "URLs": filled("https:// "),
    "URLs in tags": filled("<http://a "),
    "nearly URLs": filled("htthttp:/"),
    "apostrophes": filled("'"),
    "letters and apostrophes": filled("a'"),
    "typographic apostrophes": filled("a\u2019"),
    "possessives": filled("'s"),
    "doubled apostrophes": filled("a''"),
    "plus signs": filled("+"),
    "required letters": filled("+a "),
    "required words": numbered("+w{} "),
    "words": numbered("w{} "),
    "camel-case words": numbered("wX{} "),
    "one camel-case word": numbered("W{}q"),
    "names between commas": numbered("list_{},"),
    "function words": filled("the of a "),
    "words that begin alike": prefixes,
    "Han": filled("漢"),
    "Han words": lambda size: "".join(
        f"{chr(0x4E00 + n % 20000)}{chr(0x4E01 + n % 19999)}, " for n in range(size // 4)
    ),
    "Han and letters": filled("漢a"),
    "Han and apostrophes": filled("漢'"),
    "jamo": filled("\u1100\u1161\u11a8"),
    "zero-width": filled("\u200b"),
    "letters and zero-width": filled("a\u200b"),
    "variation selectors": filled("\ufe0f"),
    "surrogates": filled("\ud800"),
    "surrogates and letters": filled("\udfffa"),
    "astral letters": filled("\U0001d400"),
    "ligatures of eighteen": filled("\ufdfa a few words "),
    "sharp s": filled("ß"),
    "NUL": filled("\x00"),
    "underscores": filled("_"),
    "leaves": filled("a__"),
    "dots": filled("a."),
    "select": filled("select:"),
    "mcp": filled("mcp "),
}
MEGABYTE = 1_000_000
QUICK = {
    *("one letter", "alternating case", "marks in reverse order", "less-than", "open tags, closed once", "digits"),
    *("URLs without end", "apostrophes", "possessives", "plus signs", "Han", "zero-width", "surrogates", "NUL"),
}


@pytest.mark.parametrize("kind", spread(KINDS))
def test_a_description_of_up_to_a_megabyte_and_some_of_it_elsewhere_raise_nothing(kind: str) -> None:
    # A whole one of what is quick to read, less of what makes many words or is read character by character.
    text = KINDS[kind](MEGABYTE if kind in QUICK else MEGABYTE // 10)
    pool = Pool([Tool("list_items", text), Tool("other")])
    assert len(rank("list items", pool)) == 1
    some = text[: MEGABYTE // 250]
    ask_everything(some, everywhere(some))


@pytest.mark.parametrize("kind", ["one letter", "alternating case", "digits", "less-than", "zero-width"])
def test_a_megabyte_in_every_field_and_in_the_query_raises_nothing(kind: str) -> None:
    text = KINDS[kind](MEGABYTE)
    assert rank(text, Pool([Tool("list_items"), Tool("other")])).query == text
    assert len(Pool([Tool(text, "", text), Tool("a", "", "", text, [text])])) == 2


def test_words_of_a_megabyte_meet_by_prefix() -> None:
    long = "ab" * (MEGABYTE // 2)
    shorter = long[: MEGABYTE * 4 // 5]
    assert [hit.score for hit in rank(long, Pool([Tool(long + "b")]))] == [3]
    assert [hit.score for hit in rank(long, Pool([Tool(shorter)]))] == [3]
    assert [hit.score for hit in rank(shorter, Pool([Tool(long), Tool(shorter)]))] == [5]
    assert rank(long, Pool([Tool(long[: MEGABYTE // 2])])).reason is Reason.UNKNOWN_WORDS
    assert rank("abx", Pool([Tool(long)])).unmatched == ("abx",)


def test_a_label_of_a_hundred_thousand_words_is_a_label() -> None:
    label = " ".join(f"w{n}" for n in range(100_000))
    tool = Tool("search", connector=label)
    pool = Pool([tool, Tool("other")])
    assert [hit.score for hit in rank("w7 w99999 search", pool)] == [2 + 2 + 5]
    assert len(repr(pool)) > len(label)


def test_a_query_of_two_hundred_thousand_words_is_answered() -> None:
    pool = Pool([Tool(f"list_w{n}") for n in range(40)])
    query = " ".join(f"w{n % 4000}" for n in range(200_000))
    answer = rank(query, pool)
    assert answer.reason is Reason.UNKNOWN_WORDS
    assert (len(answer.query_words), len(answer.unmatched), answer.withheld) == (4000, 3960, 40)


def test_more_distinct_words_than_a_pool_would_remember_are_answered() -> None:
    pool = Pool([Tool("list_w1"), Tool("other")])
    answer = rank(" ".join(f"w{n}" for n in range(20_000)), pool)
    assert (len(answer.query_words), len(answer.unmatched), answer.withheld) == (20_000, 19_999, 1)


def test_a_label_of_many_words_and_a_name_spell_a_tool() -> None:
    label = " ".join(f"w{n}" for n in range(10_000))
    tool, other = Tool("search", connector=label), Tool(label.replace(" ", "_"))
    pool = Pool([tool, other])
    assert [(hit.tool, hit.named) for hit in rank(f"{label} search", pool, 1)] == [(tool, True)]
    assert [(hit.tool, hit.named) for hit in rank(other.name, pool, 1)] == [(other, True)]


# ---- Counting ------------------------------------------------------------------------------------------------------


def size_of(thing: object) -> int:
    """Say what a built-in method of this object may have to go through."""
    if isinstance(thing, (str, bytes, bytearray)):
        return 1 + len(thing)
    if isinstance(thing, int):
        return 1 + thing.bit_length() // 64
    return 1


# What goes through a list; every method of a text counts its whole length, but for these: how far they go depends on
# what they look for, and the test of searches counts that.
GOES_THROUGH = {"sort", "index", "count", "remove", "insert", "copy", "reverse"}
SEARCHES = {"find", "index", "rfind", "startswith", "endswith"}


def work(action: Callable[[], object]) -> int:
    """Count what an action does."""
    done = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal done
        if event == "call":
            frame.f_trace_opcodes = True
            frame.f_trace_lines = False
        elif event == "opcode":
            done += 1
        return trace

    def profile(_frame: FrameType, event: str, argument: Any) -> None:
        nonlocal done
        if event == "c_call":
            owner = getattr(argument, "__self__", None)
            if isinstance(owner, list) and argument.__name__ in GOES_THROUGH:
                done += len(owner)
            elif argument.__name__ not in SEARCHES:
                done += size_of(owner)

    before = sys.gettrace(), sys.getprofile()
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return done


def moves(text: str) -> int:
    """Count how often an insertion sort of a text's combining marks moves one past another."""
    done = 0
    stretch: Counter[int] = Counter()  # of the marks since the last letter, by class
    for c in "".join(NORMALIZE("NFKD", c) for c in text):
        kind = unicodedata.combining(c)
        if not kind:
            stretch.clear()
            continue
        done += sum(count for other, count in stretch.items() if other > kind)
        stretch[kind] += 1
    return done


NORMALIZE = unicodedata.normalize


def moves_in(action: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """Count the moves in all normalisations of an action."""
    normalised: list[str] = []

    def normalize(form: Any, text: str) -> str:
        normalised.append(text)
        return NORMALIZE(form, text)

    with monkeypatch.context() as patched:
        patched.setattr(unicodedata, "normalize", normalize)
        action()
    assert normalised, "the counting stands where the work is"
    return sum(moves(text) for text in normalised)


SIZE = 1100  # of the smaller text: of twice that, a quadratic path would do four times the work


@pytest.mark.parametrize("kind", spread(KINDS))
def test_work_is_linear_in_the_text(kind: str) -> None:
    def count(size: int) -> int:
        text = KINDS[kind](size)
        return work(lambda: ask_everything(text, everywhere(text)))

    count(60)  # what is made once, by whichever test comes first
    once, twice = count(SIZE), count(2 * SIZE)
    # Between two sizes a quicker or slower way may begin, which is a step and no growth: the next doubling tells.
    assert twice <= 2.1 * once + 5000 or count(4 * SIZE) <= 2.1 * twice + 5000


@pytest.mark.parametrize("kind", spread(kind for kind in KINDS if not KINDS[kind](10).isascii()))
def test_no_normalisation_sorts_marks_in_quadratic_time(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(size: int) -> int:
        text = KINDS[kind](size)
        return moves_in(lambda: ask_everything(text, everywhere(text)), monkeypatch)

    assert count(SIZE) <= SIZE
    assert count(2 * SIZE) <= 2 * SIZE


class Searched(str):
    """A text that counts the characters which searches in it go through."""

    __slots__ = ()
    gone_through = 0

    def find(self, sought: str, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        found = super().find(sought, start, end)
        Searched.gone_through += (len(self) if found < 0 else found) - start
        return found

    def index(self, sought: str, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        found = self.find(sought, start, end)
        assert found >= 0, "a search for what is there"
        return found

    def rfind(self, sought: str, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        found = super().rfind(sought, start, end)
        Searched.gone_through += len(self) - max(found, 0)
        return found


@pytest.mark.parametrize(
    "kind",
    [kind for kind in KINDS if set(KINDS[kind](100)) & set("<>:")],
)
def test_searches_for_the_ends_of_tags_are_linear_in_the_text(kind: str) -> None:
    Searched.gone_through = 0
    text = Searched(KINDS[kind](20_000))
    prose_words(text)
    assert Searched.gone_through <= 3 * len(text)


# ---- The counting can fail -----------------------------------------------------------------------------------------


def test_the_count_tells_linear_from_quadratic_work() -> None:
    def quadratic(text: str) -> int:
        return sum(text.count(c) for c in text)

    def loop(text: str) -> int:
        return sum(one == other for one in text for other in text)

    def linear(text: str) -> int:
        return len([c for c in text if c.isalpha()])

    def count(action: Callable[[str], int], size: int) -> int:
        return work(lambda: action("ab" * size))

    assert count(quadratic, 200) > 3 * count(quadratic, 100)
    assert count(loop, 200) > 3 * count(loop, 100)
    assert count(linear, 200) < 2.1 * count(linear, 100)


def test_the_count_of_moves_tells_sorted_marks_from_others() -> None:
    assert moves("a" + "\u0301" * 300 + "\u0323" * 300) == 300 * 300
    assert moves("a" + "\u0323" * 300 + "\u0301" * 300) == 0
    assert moves("a\u0301\u0323" * 300) == 300


def test_the_count_of_searches_tells_a_search_that_starts_anew() -> None:
    text = Searched("<a" * 1000)
    Searched.gone_through = 0
    for at in range(len(text)):
        text.find(">", at)
    assert Searched.gone_through > 100 * len(text)
