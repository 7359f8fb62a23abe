"""Saboteurs: for each property a ranker that breaks it, and no other.

A property that no saboteur breaks could not fail, and would prove nothing. Each saboteur is this library's ranker with
one fault; whatever breaks an order or a floor is of course not equal to `toolrank` any more, so "no other" is said of
the tiers before `TOOLRANK`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from toolrank import Floor, Hit, Pool, Tool, Weights, rank
from toolrank.testing._ask import Ranker
from toolrank.testing._own import OwnRanker, Scored
from toolrank.testing._strategies import Identity

__all__ = ["SABOTEURS"]

_EVERYTHING = Floor(0)


def _first(pool: Pool) -> Identity:
    return min(tool.identity for tool in pool)


class FailsOnText(OwnRanker):
    """Take it for granted that queries are ASCII."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        query.encode("ascii")
        return super().__call__(query, tools, limit)


class InventsTools(OwnRanker):
    """Return a tool that nobody gave."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        found = super().__call__(query, tools, limit)
        return [*found, (("", "help"), found[-1][1])] if 0 < len(found) < limit else found


class Repeats(OwnRanker):
    """Return the last tool twice."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        found = super().__call__(query, tools, limit)
        return found + found[-1:] if len(found) < limit else found


class GoesOverTheLimit(OwnRanker):
    """Count from nought."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        return super().__call__(query, tools, limit + 1)


class CutsTheWrongEnd(OwnRanker):
    """Where there are too many, drop the best."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        found = self.answer(query, Pool(tools))
        return found[:limit] if len(found) <= limit else found[1 : limit + 1]


class TiresOfRepetition(OwnRanker):
    """Leave the last tool out where the very same call comes a third time."""

    last: tuple[str, list[Tool], int] | None = None
    times = 0

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        found = super().__call__(query, tools, limit)
        last, self.last = self.last, (query, list(tools), limit)
        self.times = self.times + 1 if last == self.last else 1
        return found[:-1] if self.times > 2 else found


class TrustsTheGivenOrder(OwnRanker):
    """Break ties by who was given first."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        place = {tool.identity: at for at, tool in enumerate(pool)}
        return sorted(super().answer(query, pool), key=lambda hit: (-hit[1], place[hit[0]]))


class SortsItsInput(OwnRanker):
    """Sort the caller's list."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        found = super().__call__(query, tools, limit)
        assert isinstance(tools, list)
        tools.sort(key=lambda tool: (tool.name, tool.connector))
        return found


class ScoresBackwards(OwnRanker):
    """Give scores of which the smallest is the best, as distances are."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        return [(identity, -score) for identity, score in super().answer(query, pool)]


class AnswersBlankQueries(OwnRanker):
    """Where nothing is asked, suggest something."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = super().answer(query, pool)
        return found if query.strip() or not len(pool) else [(_first(pool), 1)]


class FiltersAfterRanking(OwnRanker):
    """Rank everything, and take the hidden tools out of the answer."""

    def restricted(
        self, query: str, tools: Sequence[Tool], limit: int, visible: frozenset[Identity], /
    ) -> list[Scored]:
        return [hit for hit in self.answer(query, Pool(tools)) if hit[0] in visible][:limit]


class ShowsHiddenTools(OwnRanker):
    """Fill an answer up with a hidden tool."""

    def restricted(
        self, query: str, tools: Sequence[Tool], limit: int, visible: frozenset[Identity], /
    ) -> list[Scored]:
        found = super().restricted(query, tools, limit, visible)
        hidden = sorted({tool.identity for tool in tools} - visible)
        return [*found, *[(identity, 0) for identity in hidden[:1]]][:limit]


class RemembersCallers(OwnRanker):
    """Leave the last tool out where a caller asks again after one who sees other tools."""

    calls: tuple[tuple[str, frozenset[Identity]], ...] = ()

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        found = super().__call__(query, tools, limit)
        this = (query, frozenset(tool.identity for tool in tools))
        again = len(self.calls) == 2 and self.calls[0] == this and not self.calls[1][1] & this[1]
        self.calls = (*self.calls[-1:], this)
        return found[:-1] if again and self.calls[0][1] else found


class AlwaysFindsSomething(OwnRanker):
    """Where no tool has any word of the query, return the first of them."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = rank(query, pool, None)
        if len(pool) and found.query_words and found.unmatched == found.query_words:
            return [(_first(pool), 1)]
        return super().answer(query, pool)


class AddsForAnUnknownWord(OwnRanker):
    """Where one word of several is unknown, add a tool that has none of them: it might be the one."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = rank(query, pool, None)
        hits = super().answer(query, pool)
        if len(found.unmatched) == 1 < len(found.query_words):
            matching = {tool.identity for tool in rank(query, pool, None, floor=_EVERYTHING).tools}
            hits += [(identity, 0) for identity in sorted({tool.identity for tool in pool} - matching)[:1]]
        return hits


class IgnoresUnknownWords(OwnRanker):
    """Ask half of the words that are known, as if the others had not been said."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = rank(query, pool, None)
        known = [word for word in found.query_words if word not in found.unmatched]
        return super().answer(" ".join(known) if known and found.unmatched else query, pool)


class WithholdsTheObvious(OwnRanker):
    """Leave out what has every known word, unless it is named."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = rank(query, pool, None)
        known = len(found.query_words) - len(found.unmatched)
        obvious = {hit.tool.identity for hit in found if _covers(hit) == known > 1 and not hit.named}
        return [hit for hit in super().answer(query, pool) if hit[0] not in obvious]


def _covers(hit: Hit) -> int:
    return sum(bool(match.fields) for match in hit.words)


class DemotesTheNamed(OwnRanker):
    """Put the tool that is named whole second."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = rank(query, pool, None)
        order = [hit.tool.identity for hit in found]
        if len(found) > 1 and found[0].named:
            order[:2] = order[1], order[0]
        return [(identity, len(order) - at) for at, identity in enumerate(order)]


class PrefersCommonWords(OwnRanker):
    """Where no tool has both words, return those that have the commoner one."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = rank(query, pool, None, floor=_EVERYTHING)
        if len(found.query_words) != 2 or found.unmatched or not found or any(_covers(hit) == 2 for hit in found):
            return super().answer(query, pool)
        one, other = found[0].words
        if one.mass == other.mass:
            return super().answer(query, pool)
        at = 0 if one.mass < other.mass else 1
        return [(hit.tool.identity, hit.score) for hit in found if hit.words[at].fields]


class CountsTheTools(OwnRanker):
    """Break ties one way in pools of an even number of tools, the other way in others."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = super().answer(query, pool)
        if len(pool) % 2:
            return found
        return sorted(sorted(found, reverse=True), key=lambda hit: -hit[1])


class ReadsCapitalsOtherwise(OwnRanker):
    """Know one word less where the query is in capitals."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        found = super().answer(query, pool)
        return found[:-1] if query.isupper() else found


class TripsOverTheInvisible(OwnRanker):
    """Take invisible characters for spaces."""

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        return super().answer("".join(" " if unicodedata.category(c) == "Cf" else c for c in query), pool)


SABOTEURS: dict[str, Callable[[], Ranker]] = {
    "answers_any_text": FailsOnText,
    "results_are_visible_tools": InventsTools,
    "no_duplicates": Repeats,
    "at_most_limit": GoesOverTheLimit,
    "larger_limit_extends": CutsTheWrongEnd,
    "same_call_same_answer": TiresOfRepetition,
    "pool_order_is_irrelevant": TrustsTheGivenOrder,
    "inputs_stay_untouched": SortsItsInput,
    "scores_are_in_order": ScoresBackwards,
    "blank_query_gets_nothing": AnswersBlankQueries,
    "restriction_equals_absence": FiltersAfterRanking,
    "hidden_tools_stay_hidden": ShowsHiddenTools,
    "earlier_calls_leave_no_trace": RemembersCallers,
    "unknown_words_get_nothing": AlwaysFindsSomething,
    "unknown_words_add_nothing": AddsForAnUnknownWord,
    "generic_words_are_no_answer": IgnoresUnknownWords,
    "full_cover_is_never_withheld": WithholdsTheObvious,
    "named_whole_comes_first": DemotesTheNamed,
    "rarer_words_weigh_no_less": PrefersCommonWords,
    "strangers_change_no_order": CountsTheTools,
    "case_and_separators_do_not_matter": ReadsCapitalsOtherwise,
    "invisible_characters_do_not_matter": TripsOverTheInvisible,
    "same_tools_as_toolrank": lambda: OwnRanker(floor=Floor("2/3")),
    "same_order_as_toolrank": lambda: OwnRanker(weights=Weights(name=1, prefix=3, connector=2, description=5)),
}
"""A maker of the saboteur of each property, by the property's name."""
