"""Asking a ranker: one call, whatever it does, becomes a record.

Here lives the protocol of a ranker and all that stands between the kit and a bad one: exceptions, answers that are
none, calls that do not return. Nothing here knows a property.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple, NoReturn, Protocol, runtime_checkable

from toolrank import Tool
from toolrank.testing._strategies import Identity

__all__ = [
    "Asker",
    "Attempt",
    "Failure",
    "Identity",
    "NotApplicable",
    "PropertyBroken",
    "Ranker",
    "Ranking",
    "Unjudged",
    "Vacuous",
    "ViewRanker",
    "shown",
]

Ranking = Sequence[Identity] | Sequence[tuple[Identity, float]]
"""What a ranker returns: identities (connector, name), best first, or pairs of an identity and its score."""


class Ranker(Protocol):
    """A ranker: a query, all the tools the caller sees, and a limit of 1 or more, to identities, best first."""

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> Ranking:
        """Return at most `limit` identities (connector, name), best first, each with a score or none with one."""
        ...


@runtime_checkable
class ViewRanker(Ranker, Protocol):
    """A ranker that reads many tools once and answers callers who may see some of them."""

    def restricted(self, query: str, tools: Sequence[Tool], limit: int, visible: frozenset[Identity], /) -> Ranking:
        """Answer as for a caller who sees only those of `tools` whose identity is in `visible`."""
        ...


class Answer(NamedTuple):
    """A well-formed answer: identities in order, and their scores where the ranker gave them."""

    identities: tuple[Identity, ...]
    scores: tuple[float, ...] | None

    def __str__(self) -> str:
        return shown(list(self.identities if self.scores is None else zip(self.identities, self.scores)))


class Attempt(NamedTuple):
    """One call and what came of it: an answer as the ranker gave it, or the reason why there is none."""

    query: str
    tools: tuple[Tool, ...]
    limit: int
    visible: frozenset[Identity] | None
    given: list[Tool]  # the very list that the ranker was handed
    answer: Answer | None
    trouble: str  # "", "raised", "hung" or "malformed"
    got: str

    @property
    def seen(self) -> frozenset[Identity]:
        """The identities that may be in the answer."""
        every = frozenset(tool.identity for tool in self.tools)
        return every if self.visible is None else every & self.visible

    def needed(self) -> Answer:
        """Return the answer as it came; Unjudged where there is none."""
        if self.answer is None:
            raise Unjudged(self)
        return self.answer


class Failure(NamedTuple):
    """How a ranker broke a property: the calls that were made, what came back and what was expected."""

    name: str
    claim: str
    calls: tuple[Attempt, ...]
    expected: str

    @property
    def size(self) -> tuple[int, int, str]:
        """The key by which the smallest failure is chosen."""
        pools = {tool for call in self.calls for tool in call.tools}
        story = str(self)
        return len(pools), len(story), story

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.claim}"]
        labels: dict[tuple[Tool, ...], str] = {}
        for number, call in enumerate(self.calls, 1):
            if call.tools not in labels:
                labels[call.tools] = label = f"tools{len(labels) + 1 if labels else ''}"
                lines.append(f"  {label} = [" + ("" if call.tools else "]"))
                lines += [f"      {tool_shown(tool)}," for tool in call.tools]
                lines += ["  ]"] if call.tools else []
            asked = f"{shown(call.query)}, {labels[call.tools]}, limit={call.limit}"
            if call.visible is None:
                lines.append(f"  call {number}:   rank({asked})")
            else:
                lines.append(f"  call {number}:   restricted({asked}, visible={shown(sorted(call.visible))})")
            lines.append(f"  got:      {call.got}")
        return "\n".join([*lines, f"  expected: {self.expected}"])


class PropertyBroken(AssertionError):  # noqa: N818 - says what happened, as pytest's own outcomes do
    """A ranker broke a property; `failure` tells how, and so does the message."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Unjudged(Exception):  # noqa: N818 - no error of ours: what the ranker did is another property's business
    """The ranker gave no answer that the property could judge."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(attempt.got)
        self.attempt = attempt


class NotApplicable(Exception):  # noqa: N818 - as above
    """The property is about something that the ranker does not offer, such as scores."""


class Vacuous(Exception):  # noqa: N818 - as above
    """The case says nothing about the property."""


class _TimeIsUp(BaseException):
    """Not an Exception, so that a ranker's own handlers let it pass."""


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    """Interrupt what takes longer: on systems with interval timers, in the main thread; elsewhere there is no limit."""
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> NoReturn:
        raise _TimeIsUp

    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, ring)
    # It rings again and again: a ranker may swallow the first one.
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:  # somebody else's timer, such as a test runner's
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), 0.001), interval)


class Asker:
    """One ranker during one example: asks it, and remembers the calls."""

    def __init__(self, ranker: Ranker, timeout: float | None) -> None:
        self.ranker = ranker
        self.timeout = timeout
        self.calls: list[Attempt] = []

    def attempt(
        self, query: str, tools: Sequence[Tool], limit: int, visible: frozenset[Identity] | None = None
    ) -> Attempt:
        """Call the ranker with tools of its own, so that what it does to them stays with this call."""
        given = [fresh(tool) for tool in tools]
        answer, trouble = None, ""
        try:
            with _time_limit(self.timeout):
                if visible is None:
                    raw: Any = self.ranker(query, given, limit)
                elif isinstance(self.ranker, ViewRanker):
                    raw = self.ranker.restricted(query, given, limit, visible)
                else:
                    raise NotApplicable("the ranker has no method `restricted`")
                answer, got = read(raw), ""
        except (_TimeIsUp, TimeoutError) as error:
            seconds = "in time" if self.timeout is None else f"within {self.timeout:g} s"
            trouble, got = "hung", f"no answer {seconds}" + (f": {error}" if str(error) else "")
        except _Malformed as error:
            trouble, got = "malformed", str(error)
        except NotApplicable:
            raise
        except (Exception, SystemExit) as error:
            trouble, got = "raised", f"{type(error).__name__}: {shown(error, str)}"
        else:
            got = str(answer)
        attempt = Attempt(query, tuple(tools), limit, visible, given, answer, trouble, got)
        self.calls.append(attempt)
        return attempt

    def answer(
        self, query: str, tools: Sequence[Tool], limit: int | None = None, visible: frozenset[Identity] | None = None
    ) -> Answer:
        """Return the answer without what other properties judge: strangers, repetitions, what exceeds the limit.

        No limit means one that all the tools fit in. Raises Unjudged where there is no answer.
        """
        attempt = self.attempt(query, tools, max(1, len(tools)) if limit is None else limit, visible)
        identities, scores = attempt.needed()
        seen, kept = attempt.seen, {}
        for at, identity in enumerate(identities):
            if identity in seen and identity not in kept:
                kept[identity] = at
        places = list(kept.values())[: attempt.limit]
        scored = tuple(scores[at] for at in places) if scores and places else None
        return Answer(tuple(identities[at] for at in places), scored)


class _Malformed(Exception):  # noqa: N818 - becomes a record at once
    """What a ranker returned is no answer."""


def read(raw: Any) -> Answer:
    """Read what a ranker returned."""
    wanted = "not a sequence of (connector, name), nor of ((connector, name), score)"
    if isinstance(raw, (str, bytes, bytearray)) or not isinstance(raw, Sequence):
        raise _Malformed(f"{shown(raw)}: {wanted}")
    identities, scores = [], []
    for item in raw:
        if _is_identity(item):
            identities.append((item[0], item[1]))
        elif _is_pair(item) and _is_identity(item[0]) and isinstance(item[1], Real) and not isinstance(item[1], bool):
            identities.append((item[0][0], item[0][1]))
            scores.append(float(item[1]))
        else:
            raise _Malformed(f"an answer with {shown(item)}: {wanted}")
    if scores and len(scores) < len(identities):
        raise _Malformed(f"{shown(raw)}: only some of the tools have a score")
    return Answer(tuple(identities), tuple(scores) if scores else None)


def _is_pair(item: Any) -> bool:
    return isinstance(item, (tuple, list)) and len(item) == 2


def _is_identity(item: Any) -> bool:
    return _is_pair(item) and type(item[0]) is str and type(item[1]) is str


def in_order(scores: Sequence[float]) -> bool:
    """Whether scores are finite and never rise."""
    return all(map(math.isfinite, scores)) and all(one >= following for one, following in pairwise(scores))


def fresh(tool: Tool) -> Tool:
    """Return an equal tool that shares nothing changeable with this one."""
    fields = (tool.name, tool.description, tool.connector, tool.title, tool.parameters, tool.read_only)
    return Tool(*fields, tool.destructive, _fresh_payload(tool.payload))


def _fresh_payload(payload: Any) -> Any:
    if isinstance(payload, dict):
        return {key: _fresh_payload(value) for key, value in payload.items()}
    return [_fresh_payload(value) for value in payload] if isinstance(payload, list) else payload


_LONGEST = 400


def shown(value: object, how: Any = repr) -> str:
    """Return `repr`, or another telling, of anything: cut where it is long, and never with an exception."""
    try:
        text = str(how(value))
    except Exception as error:
        text = f"<{type(value).__name__} whose {how.__name__} raises {type(error).__name__}>"
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 4 :]}"


_DEFAULTS: tuple[tuple[str, object], ...] = (
    *(("description", ""), ("connector", ""), ("title", ""), ("parameters", ())),
    *(("read_only", None), ("destructive", None)),
)


def tool_shown(tool: Tool) -> str:
    """Return a tool as the shortest call that makes it."""
    told = [shown(tool.name)]
    for field, default in _DEFAULTS:
        if getattr(tool, field) != default:
            told.append(f"{field}={shown(getattr(tool, field))}")
    return f"Tool({', '.join(told)})"
