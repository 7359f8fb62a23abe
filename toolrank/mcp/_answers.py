"""The answer to one question, as a model reads it: whole tools within a budget, or why there are none.

What it says comes from the ranking over the visible tools. How many were withheld, or by how much, is not said: a model
takes a near miss for a match.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from toolrank._answer import Ranking, Reason
from toolrank._tool import Tool
from toolrank.mcp._wire import compact

__all__ = ["answer", "asked", "nothing"]

# Most of an unknown query is enough to see what is not known; ten words of it, and sixty characters of each.
_WORDS = 10
_CHARACTERS = 60

_prefix = re.compile(r".*(?:__|[.:/])", re.DOTALL)


def answer(ranking: Ranking, budget: int, show: Callable[[Tool], str]) -> tuple[str, int]:
    """Return the JSON of an answer that has hits, and how many bytes its tools take."""
    tools = ranking.tools
    shown: list[str] = []
    used = 0
    for tool in tools:
        text = show(tool)
        size = (len(text) if text.isascii() else len(text.encode())) + 1
        if used + size <= budget:
            shown.append(text)
            used += size
    made = '{"tools":[' + ",".join(shown) + "]"
    if twins := _twins(ranking, tools):
        made += f',"ambiguous":{compact(_ambiguous(twins))}'
    if left := len(tools) - len(shown):
        what = "1 more tool fits" if left == 1 else f"{left} more tools fit"
        made += f',"left_out":"{what}, and had no room here: ask with narrower words or a smaller detail."'
    return made + "}", used


def _twins(ranking: Ranking, tools: list[Tool]) -> list[Tool]:
    """Return the first tools where they are one tool on different accounts, told apart by nothing but their label."""
    first = tools[0]
    same = [at for at, tool in enumerate(tools) if at and _is_twin(tool, first)]
    if not same:
        return []
    # Hits are made when looked at, so only where there is something to compare.
    top = ranking[0]
    level = [at for at in same if (ranking[at].score, ranking[at].named) == (top.score, top.named)]
    return [first, *[tools[at] for at in level]] if level else []


def _is_twin(tool: Tool, other: Tool) -> bool:
    if tool.name == other.name:
        return True
    if (tool.description, tool.parameters) != (other.description, other.parameters):
        return False
    return _prefix.sub("", tool.name) == _prefix.sub("", other.name)


def _ambiguous(twins: list[Tool]) -> str:
    which = ", ".join(f"{tool.name} of {tool.connector or 'no connector'}" for tool in twins)
    return f"These fit alike: {which}. Choose by what the user said, or ask; then give name and connector."


def nothing(ranking: Ranking, app: str | None, connected: bool) -> str:
    """Return the JSON of an answer that is empty: the reason, the words that nothing knows, and what to try.

    `connected` tells whether any visible tool has the words of `app`.
    """
    reason = ranking.reason
    made: dict[str, object] = {"tools": [], "reason": reason.value}
    unknown = [_cut(word) for word in ranking.unmatched]
    if unknown and reason not in (Reason.BLANK_QUERY, Reason.EMPTY_POOL):
        made["unknown"] = unknown[:_WORDS]
    shown = app and _cut(app)
    made["note"] = _advice(reason, unknown, None if connected else shown, shown)
    return compact(made)


def _advice(reason: Reason, unknown: list[str], absent: str | None, app: str | None) -> str:
    """Return what to do about an empty answer."""
    if reason is Reason.EMPTY_POOL:
        return "No tools are connected here. Tell the user so."
    if reason is Reason.BLANK_QUERY:
        return "The query has no words. Name the app and the action in a few words."
    if absent is not None:
        return f"{absent} is not connected here. Tell the user so, and use no other app's tool instead."
    known = f"{app} is connected, but none of its tools does this. " if app else ""
    if unknown:
        known += f"Nothing connected here knows {_listed(unknown)}. "
    elif not app:
        known = "No connected tool does this. "
    return f"{known}Rephrase with the app and the action in a few words, or tell the user that it is not connected."


def _listed(words: list[str]) -> str:
    if len(words) > _WORDS:
        return ", ".join(map(repr, words[:_WORDS])) + " and others"
    quoted = [repr(word) for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def asked(query: str, told: str) -> str:
    """Return the JSON of one of several answers, with its question."""
    return f'{{"query":{compact(_cut(query))},{told[1:]}'


def _cut(text: str) -> str:
    return text if len(text) <= _CHARACTERS else text[:_CHARACTERS] + "..."
