"""The properties, tier by tier.

Each is a claim, a strategy of cases and a test of one case, short enough to be read as the definition of the claim.
What an answer has that another property judges (strangers, repetitions) is taken out before it is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from toolrank import Tool
from toolrank.testing._ask import Answer, NotApplicable, Vacuous, fresh, in_order
from toolrank.testing._own import OwnRanker
from toolrank.testing._property import Property, Tier, Trial
from toolrank.testing._strategies import (
    FOREIGN,
    PLAIN,
    Case,
    Dice,
    Identity,
    cases,
    distinct,
    pools,
    rolls,
    spell,
    wild_cases,
)

__all__ = ["CONTRACT", "FLOOR", "LEXICAL", "PRIVACY", "TIERS", "TOOLRANK"]

Test = Callable[[Trial, Any], None]


def _tame(_: bool) -> SearchStrategy[Case]:
    return cases()


def _identities(answer: Answer) -> list[Identity]:
    return list(answer.identities)


def _same(one: Answer, other: Answer) -> bool:
    # By repr, so that a NaN is itself.
    return one.identities == other.identities and repr(one.scores) == repr(other.scores)


def _unique(words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(words))


# ---- CONTRACT -------------------------------------------------------------------------------------------------------


def _answers_any_text(trial: Trial, case: Case) -> None:
    attempt = trial.asker.attempt(case.query, case.tools, case.limit)
    if attempt.trouble in ("raised", "hung"):
        trial.broken("an answer, be it an empty one")


def _results_are_visible_tools(trial: Trial, case: Case) -> None:
    attempt = trial.asker.attempt(case.query, case.tools, case.limit)
    if attempt.trouble == "malformed":
        trial.broken("a sequence of identities (connector, name), or of pairs (identity, score)")
    if strangers := [one for one in attempt.needed().identities if one not in attempt.seen]:
        trial.broken(f"only identities of the given tools, which {strangers[0]!r} is not")


def _no_duplicates(trial: Trial, case: Case) -> None:
    answer = trial.asker.attempt(case.query, case.tools, case.limit).needed()
    if len(set(answer.identities)) < len(answer.identities):
        trial.broken("each identity once")


def _at_most_limit(trial: Trial, case: Case) -> None:
    answer = trial.asker.attempt(case.query, case.tools, case.limit).needed()
    if len(answer.identities) > case.limit:
        trial.broken(f"at most {case.limit} results, not {len(answer.identities)}")


def _larger_limit_extends(trial: Trial, case: Case) -> None:
    larger = max(case.limit + 1, len(case.tools))
    first = trial.asker.answer(case.query, case.tools, case.limit)
    if trial.asker.answer(case.query, case.tools, larger).identities[: case.limit] != first.identities:
        trial.broken("the first answer to be the beginning of the second")


def _same_call_same_answer(trial: Trial, case: Case) -> None:
    first = trial.asker.answer(case.query, case.tools, case.limit)
    for _ in range(2):
        if not _same(trial.asker.answer(case.query, case.tools, case.limit), first):
            trial.broken("the same answer every time")


class _Shuffled(NamedTuple):
    case: Case
    tools: tuple[Tool, ...]


def _shuffle(case: Case, rolled: bytes) -> _Shuffled:
    dice = Dice(rolled)
    return _Shuffled(case, tuple(sorted(case.tools, key=lambda _: -dice.roll(256))))


def _pool_order_is_irrelevant(trial: Trial, shuffled: _Shuffled) -> None:
    case = shuffled.case
    if shuffled.tools == case.tools:
        raise Vacuous
    first = trial.asker.answer(case.query, case.tools, case.limit)
    if trial.asker.answer(case.query, shuffled.tools, case.limit).identities != first.identities:
        trial.broken("the same results in the same order, for the same tools given in another order")


def _inputs_stay_untouched(trial: Trial, case: Case) -> None:
    attempt = trial.asker.attempt(case.query, case.tools, case.limit)
    if not _untouched(attempt.given, case.tools):
        trial.broken("the list of tools, its tools and their payloads to be after the call what they were before")


def _untouched(given: list[Tool], tools: Sequence[Tool]) -> bool:
    try:
        return given == list(tools) and [fresh(tool).payload for tool in given] == [tool.payload for tool in tools]
    except Exception:
        return False  # something else stands in the list, or in a tool


def _scores_are_in_order(trial: Trial, case: Case) -> None:
    answer = trial.asker.answer(case.query, case.tools, case.limit)
    if answer.scores is None:
        if answer.identities:
            raise NotApplicable("the ranker gives no scores")
        raise Vacuous
    if not in_order(answer.scores):
        trial.broken("finite scores, none larger than the one before it")


_SPACES = (" ", "", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000")


def _blanked(case: Case, rolled: bytes) -> Case:
    return Case("".join(Dice(rolled).some(_SPACES, 0, 3)), case.tools, case.limit, case.seen)


def _blank(_: bool) -> SearchStrategy[Case]:
    return st.builds(_blanked, cases(), rolls(4))


def _blank_query_gets_nothing(trial: Trial, case: Case) -> None:
    if not case.tools:
        raise Vacuous
    if trial.asker.answer(case.query, case.tools, case.limit).identities:
        trial.broken("no results for a query that is white space")


def _shuffles(_: bool) -> SearchStrategy[_Shuffled]:
    return st.builds(_shuffle, cases(), rolls(8))


CONTRACT = Tier(
    "CONTRACT",
    "What any ranker owes its caller.",
    (
        Property("answers_any_text", "Any query and any tool text gets an answer.", wild_cases, _answers_any_text),
        Property(
            "results_are_visible_tools",
            "An answer holds identities of the given tools and nothing else.",
            wild_cases,
            _results_are_visible_tools,
        ),
        Property("no_duplicates", "No tool is returned twice.", _tame, _no_duplicates),
        Property("at_most_limit", "No more tools are returned than asked for.", _tame, _at_most_limit),
        Property("larger_limit_extends", "A larger limit only extends the answer.", _tame, _larger_limit_extends),
        Property("same_call_same_answer", "The same call gives the same answer.", _tame, _same_call_same_answer),
        Property(
            "pool_order_is_irrelevant",
            "The order in which tools are given changes nothing.",
            _shuffles,
            _pool_order_is_irrelevant,
        ),
        Property("inputs_stay_untouched", "A call changes nothing it is given.", _tame, _inputs_stay_untouched),
        Property("scores_are_in_order", "Scores, where given, are finite and never rise.", _tame, _scores_are_in_order),
        Property("blank_query_gets_nothing", "A blank query gets nothing.", _blank, _blank_query_gets_nothing),
    ),
)


# ---- PRIVACY --------------------------------------------------------------------------------------------------------


def _visible(case: Case) -> list[Tool]:
    return [tool for tool in case.tools if tool.identity in case.visible]


_FEW = PLAIN[:4]


def _shared_words(rolled: bytes) -> Case:
    """Make tools of four words and a query of two: what hidden tools share with it decides how much a word weighs."""
    dice = Dice(rolled)
    names = [spell(_unique(dice.some(_FEW, 1, 2)), "_") for _ in range(3 + dice.roll(4))]
    tools = distinct([Tool(name) for name in names])
    seen = tuple(dice.pick((False, True)) for _ in tools)
    return Case(" ".join(_unique(dice.some(_FEW, 2, 2))), tuple(tools), 10, seen)


def _views(_: bool) -> SearchStrategy[Case]:
    return rolls(28).map(_shared_words) | cases()


def _restriction_equals_absence(trial: Trial, case: Case) -> None:
    view = trial.asker.answer(case.query, case.tools, visible=case.visible)
    if not _same(trial.asker.answer(case.query, _visible(case), max(1, len(case.tools))), view):
        trial.broken("a caller who sees some of the tools to get what those tools alone would give")


def _hidden_tools_stay_hidden(trial: Trial, case: Case) -> None:
    attempt = trial.asker.attempt(case.query, case.tools, max(1, len(case.tools)), case.visible)
    if hidden := [one for one in attempt.needed().identities if one not in attempt.seen]:
        trial.broken(f"no tool that is hidden from the caller, as {hidden[0]!r} is")


def _earlier_calls_leave_no_trace(trial: Trial, case: Case) -> None:
    visible = _visible(case)
    hidden = [tool for tool in case.tools if tool.identity not in case.visible]
    if not (visible and hidden):
        raise Vacuous
    first = trial.asker.answer(case.query, visible)
    trial.asker.answer(case.query, hidden)
    if not _same(trial.asker.answer(case.query, visible), first):
        trial.broken("the third answer to be the first, whatever another caller asked of other tools in between")


PRIVACY = Tier(
    "PRIVACY",
    "Nothing about hidden tools changes the answer.",
    (
        Property(
            "restriction_equals_absence",
            "A restricted view answers as if the hidden tools did not exist.",
            _views,
            _restriction_equals_absence,
        ),
        Property(
            "hidden_tools_stay_hidden",
            "A restricted view returns no hidden tool.",
            _tame,
            _hidden_tools_stay_hidden,
        ),
        Property(
            "earlier_calls_leave_no_trace",
            "What other callers asked earlier changes no answer.",
            _views,
            _earlier_calls_leave_no_trace,
        ),
    ),
)


# ---- FLOOR ----------------------------------------------------------------------------------------------------------
# Here and in the next tier pools are made of plain words alone, so that a claim needs no rule of stemming or prefixes.

_SEPARATORS = (" ", "_", "-")


def _plain_tool(rolled: bytes) -> Tool:
    dice = Dice(rolled)
    name, description = _unique(dice.some(PLAIN, 1, 3)), dice.some(PLAIN, 0, 3)
    return Tool(spell(name, "_"), " ".join(description), dice.pick(("", "", "Acme", "Globex")))


_plain_pools = st.lists(rolls(9), min_size=1, max_size=5).map(lambda drawn: distinct([*map(_plain_tool, drawn)]))


class _Asked(NamedTuple):
    """Plain tools, and a query of plain words, one of which a tool has in its name."""

    tools: list[Tool]
    words: list[str]
    unknown: list[str]  # words that no tool has
    separator: str

    @property
    def query(self) -> str:
        return self.separator.join(self.words)


def _ask_plainly(tools: list[Tool], rolled: bytes) -> _Asked:
    dice = Dice(rolled)
    tool, separator = dice.pick(tools), dice.pick(_SEPARATORS)
    unknown = _unique(dice.some(FOREIGN, 1, 3))
    words = _unique([tool.name.split("_")[0], *dice.some(PLAIN, 0, 2)])
    return _Asked(tools, words, unknown, separator)


_plain_asked = st.builds(_ask_plainly, _plain_pools, rolls(9))


def _asked(_: bool) -> SearchStrategy[_Asked]:
    return _plain_asked


def _foreign_query(tools: list[Tool], rolled: bytes) -> Case:
    dice = Dice(rolled)
    return Case(spell(dice.some(FOREIGN, 1, 3), dice.pick(_SEPARATORS)), tuple(tools), 10, (True,))


def _foreign_queries(_: bool) -> SearchStrategy[Case]:
    return st.builds(_foreign_query, pools(), rolls(5))


def _unknown_words_get_nothing(trial: Trial, case: Case) -> None:
    if not case.tools:
        raise Vacuous
    if trial.asker.answer(case.query, case.tools).identities:
        trial.broken("no results, since no tool has any word of the query")


def _unknown_words_add_nothing(trial: Trial, asked: _Asked) -> None:
    before = trial.asker.answer(asked.query, asked.tools)
    after = trial.asker.answer(asked.separator.join([*asked.words, *asked.unknown]), asked.tools)
    if added := set(after.identities) - set(before.identities):
        trial.broken(f"no tool in the second answer that is not in the first, as {min(added)!r} is")


class _Incident(NamedTuple):
    tools: list[Tool]
    query: str


def _incident(rolled: bytes) -> _Incident:
    """Make tools that share the beginnings of their names, and a query of those beginnings and of unknown words."""
    dice = Dice(rolled)
    generic = _unique(dice.some(PLAIN[:5], 1, 2))
    unknown = _unique([*FOREIGN[: len(generic) + 1], *dice.some(FOREIGN, 0, 2)])
    names = [spell([*generic, noun], "_") for noun in _unique(dice.some(PLAIN[5:], 1, 5))]
    query = dice.pick(_SEPARATORS).join([*generic, *unknown])
    return _Incident([Tool(name) for name in names], query)


def _incidents(_: bool) -> SearchStrategy[_Incident]:
    return rolls(13).map(_incident)


def _generic_words_are_no_answer(trial: Trial, incident: _Incident) -> None:
    if trial.asker.answer(incident.query, incident.tools).identities:
        trial.broken("no results: only words that every tool has are known, and the others, at least as many, are not")


class _Covered(NamedTuple):
    tools: list[Tool]
    tool: Tool
    query: str


def _covered(tools: list[Tool], rolled: bytes) -> _Covered:
    dice = Dice(rolled)
    chosen = dice.pick(tools)
    words = [*chosen.name.split("_"), *chosen.description.split()]
    return _Covered(tools, chosen, " ".join(_unique(dice.some(words, 1, 4))))


def _covered_queries(_: bool) -> SearchStrategy[_Covered]:
    return st.builds(_covered, _plain_pools, rolls(6))


def _full_cover_is_never_withheld(trial: Trial, case: _Covered) -> None:
    if case.tool.identity not in trial.asker.answer(case.query, case.tools).identities:
        trial.broken(f"{case.tool.identity!r} among the results, since it has every word of the query")


FLOOR = Tier(
    "FLOOR",
    "It says nothing where nothing fits, and only there.",
    (
        Property(
            "unknown_words_get_nothing",
            "A query whose words no tool has gets nothing.",
            _foreign_queries,
            _unknown_words_get_nothing,
        ),
        Property(
            "unknown_words_add_nothing",
            "Words that no tool has never add a tool to the answer.",
            _asked,
            _unknown_words_add_nothing,
        ),
        Property(
            "generic_words_are_no_answer",
            "Matching only the words that every tool has is no answer to a query about something else.",
            _incidents,
            _generic_words_are_no_answer,
        ),
        Property(
            "full_cover_is_never_withheld",
            "A tool that has every word of the query is returned.",
            _covered_queries,
            _full_cover_is_never_withheld,
        ),
    ),
)


# ---- LEXICAL --------------------------------------------------------------------------------------------------------


def _named(tools: list[Tool], rolled: bytes) -> _Covered:
    tool = Dice(rolled).pick(tools)
    return _Covered(tools, tool, tool.name)


def _named_queries(_: bool) -> SearchStrategy[_Covered]:
    return st.builds(_named, _plain_pools, rolls(1))


def _named_whole_comes_first(trial: Trial, case: _Covered) -> None:
    answer = trial.asker.answer(case.query, case.tools)
    if [name for _, name in answer.identities[:1]] != [case.tool.name]:
        trial.broken(f"{case.tool.name!r} first, since it is the query")


class _Rarity(NamedTuple):
    tools: list[Tool]
    query: str
    rare: set[Identity]
    common: set[Identity]


def _rarity(rolled: bytes) -> _Rarity:
    """Make tools that differ in one word: some with a rarer, more with a commoner, and perhaps one with neither."""
    dice = Dice(rolled)
    rarer = dice.pick(PLAIN)
    commoner, neither = (PLAIN[(PLAIN.index(rarer) + further) % len(PLAIN)] for further in (1, 2))
    rare, more = 1 + dice.roll(2), 1 + dice.roll(2)
    firsts = [rarer] * rare + [commoner] * (rare + more) + [neither] * dice.roll(2)
    nouns = [word for word in PLAIN if word not in (rarer, commoner, neither)]
    names = [spell([first, noun], "_") for first, noun in zip(firsts, nouns)]
    said = [rarer, commoner]
    return _Rarity(
        sorted([Tool(name) for name in names], key=lambda _: dice.roll(256)),
        " ".join(reversed(said) if dice.roll(2) else said),
        {("", name) for name in names[:rare]},
        {("", name) for name in names[rare : rare + rare + more]},
    )


def _rarities(_: bool) -> SearchStrategy[_Rarity]:
    return rolls(13).map(_rarity)


def _rarer_words_weigh_no_less(trial: Trial, case: _Rarity) -> None:
    answer = trial.asker.answer(case.query, case.tools)
    returned = set(answer.identities)
    if returned & case.common and (absent := case.rare - returned):
        trial.broken(f"{min(absent)!r} too: the word it has is rarer than that of {min(returned & case.common)!r}")
    if answer.scores is not None and in_order(answer.scores):
        score = dict(zip(answer.identities, answer.scores))
        pairs = [(a, b) for a in sorted(case.rare) for b in sorted(case.common & returned) if score[a] < score[b]]
        if pairs:
            trial.broken(f"{pairs[0][0]!r} to score no less than {pairs[0][1]!r}: the word it has is rarer")


class _Joined(NamedTuple):
    """Plain tools and a query, and the same tools with one more, which has nothing to do with it."""

    asked: _Asked
    stranger: Tool
    tools: list[Tool]


def _join(asked: _Asked, rolled: bytes) -> _Joined:
    dice = Dice(rolled)
    at = dice.roll(len(asked.tools) + 1)
    stranger = Tool(spell(dice.some(FOREIGN, 1, 3), "_"), " ".join(dice.some(FOREIGN, 0, 3)))
    return _Joined(asked, stranger, [*asked.tools[:at], stranger, *asked.tools[at:]])


def _strangers(_: bool) -> SearchStrategy[_Joined]:
    return st.builds(_join, _plain_asked, rolls(9))


def _strangers_change_no_order(trial: Trial, case: _Joined) -> None:
    before = trial.asker.answer(case.asked.query, case.asked.tools)
    after = trial.asker.answer(case.asked.query, case.tools)
    both = set(before.identities) & set(after.identities)
    if [one for one in before.identities if one in both] != [one for one in after.identities if one in both]:
        trial.broken(f"the tools of both answers in the same order: {case.stranger.name!r} has no word of the query")


_CASINGS: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.title)


class _Spelled(NamedTuple):
    tools: list[Tool]
    plain: str
    other: str


def _spelled(asked: _Asked, rolled: bytes) -> _Spelled:
    dice = Dice(rolled)
    casing, separator = dice.pick(_CASINGS), dice.pick(("_", " ", "-", ".", "/", "__"))
    return _Spelled(asked.tools, " ".join(asked.words), separator.join(casing(word) for word in asked.words))


def _spellings(_: bool) -> SearchStrategy[_Spelled]:
    return st.builds(_spelled, _plain_asked, rolls(2))


def _case_and_separators_do_not_matter(trial: Trial, case: _Spelled) -> None:
    if case.plain == case.other:
        raise Vacuous
    first = trial.asker.answer(case.plain, case.tools)
    if trial.asker.answer(case.other, case.tools).identities != first.identities:
        trial.broken(f"the same results for {case.other!r} as for {case.plain!r}")


_INVISIBLE = ("\u200b", "\u200d", "\u00ad", "\u202e", "\ufe0f", "\ufeff", "\U000e0061", "\U000e0100")


class _Veiled(NamedTuple):
    """Plain tools and a query, and both with invisible characters: in the query, or in descriptions."""

    asked: _Asked
    query: str
    tools: list[Tool]


def _veil(asked: _Asked, rolled: bytes) -> _Veiled:
    dice = Dice(rolled)
    in_tools = dice.roll(3) == 1
    marks = [(dice.roll(20), dice.pick(_INVISIBLE)) for _ in range(1 + dice.roll(2))]

    def veiled(text: str) -> str:
        for place, mark in marks:
            at = 1 + place % max(1, len(text) - 1)
            text = text[:at] + mark + text[at:]
        return text

    if in_tools:
        told = [Tool(tool.name, veiled(tool.description), tool.connector) for tool in asked.tools]
        return _Veiled(asked, asked.query, told)
    return _Veiled(asked, veiled(asked.query), asked.tools)


def _veils(_: bool) -> SearchStrategy[_Veiled]:
    return st.builds(_veil, _plain_asked, rolls(6))


def _invisible_characters_do_not_matter(trial: Trial, case: _Veiled) -> None:
    first = trial.asker.answer(case.asked.query, case.asked.tools)
    if trial.asker.answer(case.query, case.tools).identities != first.identities:
        where = "the descriptions" if case.query == case.asked.query else "the query"
        trial.broken(f"the same results with invisible characters in {where} as without")


LEXICAL = Tier(
    "LEXICAL",
    "It reads words as people write them.",
    (
        Property(
            "named_whole_comes_first",
            "A tool whose whole name is the query comes first.",
            _named_queries,
            _named_whole_comes_first,
        ),
        Property(
            "rarer_words_weigh_no_less",
            "A word that fewer tools have weighs no less than one that more have.",
            _rarities,
            _rarer_words_weigh_no_less,
        ),
        Property(
            "strangers_change_no_order",
            "A tool that has no word of the query changes nothing in the order of the others.",
            _strangers,
            _strangers_change_no_order,
        ),
        Property(
            "case_and_separators_do_not_matter",
            "Upper or lower case, spaces, hyphens or underscores: a query is its words.",
            _spellings,
            _case_and_separators_do_not_matter,
        ),
        Property(
            "invisible_characters_do_not_matter",
            "What cannot be seen changes nothing.",
            _veils,
            _invisible_characters_do_not_matter,
        ),
    ),
)


# ---- TOOLRANK -------------------------------------------------------------------------------------------------------


def _any(surrogates: bool) -> SearchStrategy[Case]:
    return wild_cases(surrogates) | _views(surrogates)


def _ours(case: Case) -> list[Identity]:
    return [identity for identity, _ in OwnRanker()(case.query, case.tools, max(1, len(case.tools)))]


def _same_tools_as_toolrank(trial: Trial, case: Case) -> None:
    ours = _ours(case)
    if set(trial.asker.answer(case.query, case.tools).identities) != set(ours):
        trial.broken(f"the tools that toolrank returns: {ours!r}")


def _same_order_as_toolrank(trial: Trial, case: Case) -> None:
    ours = _ours(case)
    theirs = _identities(trial.asker.answer(case.query, case.tools))
    if [one for one in theirs if one in ours] != [one for one in ours if one in theirs]:
        trial.broken(f"the order in which toolrank returns them: {ours!r}")


TOOLRANK = Tier(
    "TOOLRANK",
    "It is this library's rule: for ports.",
    (
        Property(
            "same_tools_as_toolrank",
            "It returns the tools that toolrank returns.",
            _any,
            _same_tools_as_toolrank,
        ),
        Property(
            "same_order_as_toolrank",
            "It returns them in the order in which toolrank does.",
            _any,
            _same_order_as_toolrank,
        ),
    ),
)

TIERS = (CONTRACT, PRIVACY, FLOOR, LEXICAL, TOOLRANK)
