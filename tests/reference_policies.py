"""The other policies, said as the plainest possible code, in terms of `tests/reference.py`.

`rank` here is the reference's own, with three things that may differ: the floor, the scorer, and synonyms. Each is
stated once, tool by tool and word by word, in fractions and whole numbers, and imports nothing of toolrank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from tests import reference
from tests.reference import Entry, ToolLike, Word

Classes = Sequence[Sequence[str]]

# ---- Synonyms -------------------------------------------------------------------------------------------------------


def kin(word: str, classes: Classes) -> set[str]:
    """Give the stems that share a class with a stem."""
    found: set[str] = set()
    for words in classes:
        stemmed = {reference.stem(other.casefold()) for other in words}
        if word in stemmed:
            found |= stemmed
    return found - {word}


def fields_of(
    word: str, entry: Entry, visible: Sequence[Entry], stop_words: frozenset[str], classes: Classes
) -> tuple[str, ...]:
    """Give the fields in which a word scores: a synonym stands for the name where neither name nor prefix does."""
    rows = reference.scoring_fields(word, entry, visible, stop_words)
    synonym = kin(word, classes) & reference.stems(entry.name)
    return ("synonym", *rows) if synonym and not {"name", "prefix"} & set(rows) else rows


def frequency(word: str, visible: Sequence[Entry], classes: Classes) -> int:
    return sum(fields_of(word, entry, visible, frozenset(), classes) != () for entry in visible)


# ---- Floors ---------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A weighing word: as typed, and its mass."""

    typed: str
    mass: int


Reached = Sequence[tuple[Asked, "tuple[str, ...]"]]  # each weighing word with the fields in which a tool has it
Floor = Callable[[Sequence[Asked], Reached], bool]  # whether a tool clears it


def half(words: Sequence[Asked], reached: Reached) -> bool:
    """The default: half of the mass."""
    return 2 * sum(word.mass for word, fields in reached if fields) >= sum(word.mass for word in words)


def is_light(typed: str) -> bool:
    a_letter = len(typed) == 1 and "a" <= typed <= "z"
    return typed in reference.FUNCTION_WORDS or a_letter or any(character.isdigit() for character in typed)


def squares(words: Sequence[Asked], reached: Reached) -> bool:
    """SQUARES: light words weigh half, prose gains half; then half of the sum, or of the sum of squares squared."""
    weight = {word: Fraction(word.mass, 2 if is_light(word.typed) else 1) for word in words}
    covered = sum(
        (weight[word] * (1 if {"name", "prefix", "connector"} & set(fields) else Fraction(1, 2)))
        for word, fields in reached
        if fields
    )
    return 2 * covered >= sum(weight.values()) or 2 * covered**2 >= sum(w * w for w in weight.values())


# ---- BM25 -----------------------------------------------------------------------------------------------------------

BM25_FIELDS = ("name", "connector", "description", "parameters")
BOOSTS = {"name": Fraction(5), "connector": Fraction(2), "description": Fraction(1), "parameters": Fraction(1)}


def occurrences(entry: Entry, stop_words: frozenset[str]) -> dict[str, tuple[list[str], int]]:
    """Give for each field the stems that stand in it, joined forms too, and its length in words."""
    tool = entry.tool

    def read(*texts: tuple[str, str], stopped: bool) -> tuple[list[str], int]:
        runs = [run for text, kind in texts for run in reference.runs(text, kind)]
        parts = [part for run in runs for part in run.parts]
        joined = [run.joined for run in runs if run.joined is not None]
        keep: Callable[[Word], bool] = lambda word: not (stopped and word.typed in stop_words)  # noqa: E731
        return [word.stem for word in parts + joined if keep(word)], sum(keep(part) for part in parts)

    return {
        "name": read((tool.name, "name"), stopped=False),
        "connector": read((reference.label_of(tool), "label"), stopped=False),
        "description": read((tool.description or "", "description"), (tool.title or "", "title"), stopped=True),
        "parameters": read(*[(parameter, "parameter") for parameter in tool.parameters], stopped=True),
    }


def bm25(
    words: Sequence[tuple[str, int]],
    entry: Entry,
    visible: Sequence[Entry],
    stop_words: frozenset[str],
    classes: Classes,
    k1: Fraction = Fraction(6, 5),
    b: Fraction = Fraction(3, 4),
    boosts: dict[str, Fraction] = BOOSTS,
) -> int:
    """Rate a tool by stems and their masses: each word in each field rounds down to a unit of mass."""
    read = [occurrences(other, stop_words) for other in visible]
    rating = 0
    for word, mass in words:
        for field in BM25_FIELDS:
            stems, length = occurrences(entry, stop_words)[field]
            often = stems.count(word)
            if field == "name" and not often and not reference.in_some_name(word, visible):
                often = sum(reference.begin_alike(word, other) for other in stems)
            if field == "name" and not often:
                often = sum(other in kin(word, classes) for other in stems)
            if often:
                average = Fraction(sum(other[field][1] for other in read), len(visible))
                relative = length / average if average else Fraction(1)
                saturated = often / (often + k1 * (1 - b + b * relative))
                rating += mass * boosts[field] * saturated // 1
    return rating


# ---- The answer -----------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What the engine must say: identities in order with scores, words and ratings, and why there are no more."""

    hits: list[tuple[tuple[str, str], int, int, list[tuple[str, int, int, tuple[str, ...], int]]]]
    withheld: int
    unmatched: list[str]


def rank(
    query: str,
    tools: Iterable[ToolLike],
    floor: Floor = half,
    by_bm25: bool = False,
    classes: Classes = (),
    weights: tuple[int, int, int, int, int] = (5, 3, 2, 1, 1),
    stop_words: frozenset[str] = reference.STOP_WORDS,
) -> Told:
    """Rank as the reference does, with another floor, scorer or synonyms; no limit."""
    visible = [reference.read_tool(tool) for tool in reference.pool(tools)]
    asked = reference.read_query(query, visible)
    weight_of = dict(zip(("name", "prefix", "connector", "description", "synonym"), weights, strict=True))
    df = {word.stem: frequency(word.stem, visible, classes) for word in asked.counting}
    mass = {stem: reference.mass(len(visible), count) for stem, count in df.items()}
    weighing = {word.stem: Asked(word.typed, mass[word.stem]) for word in asked.weighing}
    # The typed form that is shown is the first of its stem in the query.
    shown = {word.stem: word.typed for word in reversed(asked.counting)}
    weighing = {stem: word._replace(typed=shown[stem]) for stem, word in weighing.items()}

    found = []
    withheld = 0
    for entry in visible:
        fields = {word.stem: fields_of(word.stem, entry, visible, stop_words, classes) for word in asked.counting}
        if not all(fields[word.stem] for word in asked.required):
            continue
        reached = [(word, fields[stem]) for stem, word in weighing.items()]
        covers = any(has for _, has in reached)
        named = reference.names_whole(asked.text, entry.tool)
        if not named and not (covers and floor(list(weighing.values()), reached)):
            withheld += covers
            continue
        score = {stem: sum(weight_of[field] for field in has) for stem, has in fields.items()}
        total = sum(score[stem] for stem in weighing)
        rating = 0
        if by_bm25:
            rating = bm25([(s, w.mass) for s, w in weighing.items()], entry, visible, stop_words, classes)
        key = (
            not named,
            -rating,
            -total,
            reference.untouched_parts(asked, entry, visible),
            reference.risk(entry.tool),
            entry.tool.name,
            reference.label_of(entry.tool),
        )
        words = [(w.typed, mass[w.stem], df[w.stem], fields[w.stem], score[w.stem]) for w in asked.counting]
        found.append((key, ((reference.label_of(entry.tool), entry.tool.name), total, rating, words)))
    return Told(
        [told for _, told in sorted(found, key=lambda one: one[0])],
        withheld,
        [word.typed for word in asked.counting if df[word.stem] == 0],
    )
