"""Search a pool by a pattern: the other search that gateways offer, for patterns that a model wrote.

A pattern is hostile until it ends. Its length is bounded, and the whole search has one time limit, so that a
pathological pattern ends in an error that says so, not in a hung gateway. Nothing here ranks: what matches is found, in
a fixed order.

Needs the extra `regex` (the package of that name, whose matching can be interrupted).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

try:
    import regex
except ImportError as error:
    raise ImportError("toolrank.grep needs regex: install toolrank-floor with the extra 'regex'") from error

from toolrank import Pool, Tool
from toolrank._rank import check_pool_and_limit

__all__ = ["FIELDS", "MAX_PATTERN", "MAX_WRITTEN_OUT", "Found", "PatternError", "PatternTimeout", "grep"]

FIELDS = ("name", "title", "description", "connector", "parameters")
"""The fields that can be searched; each parameter's name is a text of its own."""

MAX_PATTERN = 256
"""The longest pattern, in characters: models write patterns of a tenth of that."""

MAX_WRITTEN_OUT = 100_000
"""The longest pattern with its counted repeats written out, by a bound: its length times all of its counts.

The compiler writes repeats out: 99^3 letters for `(((a{99}){99}){99})`, a second's work that no time limit stops. What
is within this bound took at most 0.03 s to compile; 25 characters 4,000 times were the worst.
"""


# Of the time that is left, what one text may take. Within it `regex` counts the process's processor time, and on a busy
# machine more passes on the wall: so much that the error still comes in 1.5 times the limit with 45 % of a processor.
_ONE_TEXT = 2 / 3


class PatternError(ValueError):
    """The pattern is no regular expression, or one that cannot be searched for."""


class PatternTimeout(TimeoutError):  # noqa: N818 - named as the builtin is
    """The search took longer than it may."""


@dataclass(frozen=True, slots=True)
class Found:
    """A tool that matches, and the fields in which it does, in the order of `FIELDS`."""

    tool: Tool
    fields: tuple[str, ...]


def grep(
    pattern: str, pool: Pool, limit: int | None = 10, *, fields: Iterable[str] = FIELDS, timeout: float = 0.25
) -> list[Found]:
    """Return the visible tools of which a field matches `pattern`, whatever the case: at most `limit`, or all for None.

    Tools that match in their name come first, then by name and connector, by code point; the order of the pool is
    irrelevant, and a larger limit extends the answer. The pattern may match anywhere in a text; `^` and `$` are its
    ends. `timeout` is in seconds, for the whole search and for reading the pattern. One text may take two thirds of
    what is left, in processor time of the process: on a busy machine that is more on the wall.

    Raises PatternError for a pattern that is too long, repeats too much or is no regular expression, PatternTimeout
    where the search takes too long, and TypeError or ValueError for another bad argument.

    Cost: one search of each text, bounded by `timeout`.

    >>> pool = Pool([Tool("list_issues", "List issues."), Tool("get_page", "A page, with its issues.")])
    >>> [(found.tool.name, found.fields) for found in grep("^list_|issue", pool)]
    [('list_issues', ('name', 'description')), ('get_page', ('description',))]
    >>> grep("(a|aa)+$", Pool([Tool("a" * 60 + "!")]), timeout=0.01)
    Traceback (most recent call last):
    toolrank.grep.PatternTimeout: pattern must be found or not within 0.01 s, not '(a|aa)+$' in this pool
    """
    searched = _check(pattern, pool, limit, fields, timeout)
    deadline = time.monotonic() + timeout
    compiled = _compile(pattern)
    found = []
    try:
        for tool in pool:
            matching = [
                field for field in searched if any(_matches(compiled, text, deadline) for text in _texts(tool, field))
            ]
            if matching:
                found.append(Found(tool, tuple(matching)))
    except TimeoutError:
        raise PatternTimeout(
            f"pattern must be found or not within {timeout:g} s, not {pattern!r} in this pool"
        ) from None
    except (MemoryError, RecursionError, RuntimeError, regex.error) as error:
        raise PatternError(f"pattern must be one that can be searched for, not {pattern!r}: {_why(error)}") from None
    found.sort(key=lambda one: ("name" not in one.fields, one.tool.name, one.tool.connector))
    return found if limit is None else found[:limit]


def _texts(tool: Tool, field: str) -> Iterator[str]:
    value: str | tuple[str, ...] = getattr(tool, field)
    return iter((value,) if isinstance(value, str) else value)


def _matches(compiled: regex.Pattern[str], text: str, deadline: float) -> bool:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return compiled.search(text, timeout=left * _ONE_TEXT) is not None


_COUNTED = regex.compile(r"\{\s*(\d*)\s*,?\s*(\d*)\s*\}")


def _written_out(pattern: str) -> int:
    """Bound the length of a pattern with its repeats written out."""
    return len(pattern) * prod(max(int(count or 1) for count in counts) or 1 for counts in _COUNTED.findall(pattern))


def _compile(pattern: str) -> regex.Pattern[str]:
    if _written_out(pattern) > MAX_WRITTEN_OUT:
        raise PatternError(
            f"pattern must be of at most {MAX_WRITTEN_OUT} characters with its repeats written out, not {pattern!r}"
        )
    try:
        # Not kept in the module's cache: a model's patterns come once.
        return regex.compile(pattern, regex.IGNORECASE | regex.V0, cache_pattern=False)
    except Exception as error:  # the parser raises whatever its own code happens to raise
        raise PatternError(f"pattern must be a regular expression, not {pattern!r}: {_why(error)}") from None


def _why(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _check(pattern: str, pool: Pool, limit: int | None, fields: Iterable[str], timeout: float) -> tuple[str, ...]:
    """Refuse bad arguments; return the chosen fields in the order of `FIELDS`."""
    if not isinstance(pattern, str):
        raise TypeError(f"pattern must be a string, not {pattern!r}")
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"pattern must be of at most {MAX_PATTERN} characters, not {len(pattern)}")
    check_pool_and_limit(pool, limit)
    if isinstance(fields, str) or not isinstance(fields, Iterable):
        raise TypeError(f"fields must be an iterable of {', '.join(FIELDS)}, not {fields!r}")
    chosen = tuple(fields)
    for field in chosen:
        if field not in FIELDS:
            raise ValueError(f"fields must be an iterable of {', '.join(FIELDS)}, not one with {field!r}")
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"timeout must be a number of seconds above 0, not {timeout!r}")
    if not 0 < timeout < float("inf"):
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout!r}")
    return tuple(field for field in FIELDS if field in chosen)
