"""Bad input: each error in full, in the form `<argument> must be <rule>, not <value>`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolrank import Floor, Pool, Tool, Weights, explain, rank

LIST = Tool("list_x", connector="a")
POOL: Any = Pool([LIST, Tool("search", connector="a"), Tool("search", connector="b"), Tool("search")])

ARGUMENT_ERRORS: list[tuple[Callable[[], object], type[Exception], str]] = [
    # Tool
    (lambda: Tool(7), TypeError, "name must be a string, not 7"),  # type: ignore[arg-type]
    (lambda: Tool(None), TypeError, "name must be a string, not None"),  # type: ignore[arg-type]
    (lambda: Tool("n", 7), TypeError, "description must be a string or None, not 7"),  # type: ignore[arg-type]
    (lambda: Tool("n", connector=b"a"), TypeError, "connector must be a string or None, not b'a'"),  # type: ignore[arg-type]
    (lambda: Tool("n", title=["t"]), TypeError, "title must be a string or None, not ['t']"),  # type: ignore[arg-type]
    (lambda: Tool("n", parameters="pq"), TypeError, "parameters must be an iterable of strings, not 'pq'"),
    (
        lambda: Tool("n", parameters=None),  # type: ignore[arg-type]
        TypeError,
        "parameters must be an iterable of strings, not None",
    ),
    (
        lambda: Tool("n", parameters=["p", 7]),  # type: ignore[list-item]
        TypeError,
        "parameters must be an iterable of strings, not one with 7",
    ),
    (lambda: Tool("n", read_only=1), TypeError, "read_only must be True, False or None, not 1"),  # type: ignore[arg-type]
    (
        lambda: Tool("n", destructive="yes"),  # type: ignore[arg-type]
        TypeError,
        "destructive must be True, False or None, not 'yes'",
    ),
    # Pool
    (lambda: Pool("ab"), TypeError, "tools must be an iterable of Tool, not 'ab'"),  # type: ignore[arg-type]
    (lambda: Pool(7), TypeError, "tools must be an iterable of Tool, not 7"),  # type: ignore[arg-type]
    (lambda: Pool([LIST, "x"]), TypeError, "tools must be an iterable of Tool, not one with 'x' at 1"),  # type: ignore[list-item]
    (lambda: Pool([], "set"), TypeError, "stop_words must be an iterable of strings, not 'set'"),
    (lambda: Pool([], 7), TypeError, "stop_words must be an iterable of strings, not 7"),  # type: ignore[arg-type]
    (
        lambda: Pool([], ["a", 7]),  # type: ignore[list-item]
        TypeError,
        "stop_words must be an iterable of strings, not one with 7",
    ),
    (lambda: POOL.tool(7), TypeError, "name must be a string, not 7"),
    # rank
    (lambda: rank(7, POOL), TypeError, "query must be a string, not 7"),  # type: ignore[arg-type]
    (lambda: rank(None, POOL), TypeError, "query must be a string, not None"),  # type: ignore[arg-type]
    (lambda: rank("q", "pool"), TypeError, "pool must be a Pool, not 'pool'"),  # type: ignore[arg-type]
    (lambda: rank("q", [LIST]), TypeError, f"pool must be a Pool, not {[LIST]!r}"),  # type: ignore[arg-type]
    (lambda: rank("q", POOL, "3"), TypeError, "limit must be an integer of 1 or more, or None, not '3'"),  # type: ignore[arg-type]
    (lambda: rank("q", POOL, 2.0), TypeError, "limit must be an integer of 1 or more, or None, not 2.0"),  # type: ignore[arg-type]
    (lambda: rank("q", POOL, True), TypeError, "limit must be an integer of 1 or more, or None, not True"),
    (lambda: rank("q", POOL, 0), ValueError, "limit must be an integer of 1 or more, or None, not 0"),
    (lambda: rank("q", POOL, -3), ValueError, "limit must be an integer of 1 or more, or None, not -3"),
    (lambda: rank("q", POOL, floor=0.5), TypeError, "floor must be a floor policy such as HALF, not 0.5"),  # type: ignore[arg-type]
    (lambda: rank("q", POOL, weights=(5, 3, 2, 1)), TypeError, "weights must be Weights, not (5, 3, 2, 1)"),  # type: ignore[arg-type]
    # explain
    (lambda: explain(7, POOL, LIST), TypeError, "query must be a string, not 7"),  # type: ignore[arg-type]
    (lambda: explain("q", None, LIST), TypeError, "pool must be a Pool, not None"),  # type: ignore[arg-type]
    (lambda: explain("q", POOL, "list_x"), TypeError, "tool must be a Tool, not 'list_x'"),  # type: ignore[arg-type]
    (lambda: explain("q", POOL, LIST, floor=1), TypeError, "floor must be a floor policy such as HALF, not 1"),  # type: ignore[arg-type]
    (lambda: explain("q", POOL, LIST, weights=1), TypeError, "weights must be Weights, not 1"),  # type: ignore[arg-type]
    # Floor
    (lambda: Floor(2), ValueError, "share must be from 0 to 1, not 2"),
    (lambda: Floor(-0.5), ValueError, "share must be from 0 to 1, not -0.5"),
    (lambda: Floor("3/2"), ValueError, "share must be from 0 to 1, not 3/2"),
    (lambda: Floor("half"), ValueError, "share must be a number from 0 to 1, not 'half'"),
    (lambda: Floor(""), ValueError, "share must be a number from 0 to 1, not ''"),
    (lambda: Floor("1/0"), ValueError, "share must be a number from 0 to 1, not '1/0'"),
    (lambda: Floor(float("nan")), ValueError, "share must be a number from 0 to 1, not nan"),
    (lambda: Floor(float("inf")), ValueError, "share must be a number from 0 to 1, not inf"),
    (
        lambda: Floor(None),  # type: ignore[arg-type]
        TypeError,
        "share must be a Fraction, an int, a float or a string like '1/2', not None",
    ),
    (lambda: Floor(True), TypeError, "share must be a Fraction, an int, a float or a string like '1/2', not True"),
    # Weights
    *(
        (
            lambda field=field, value=value: Weights(**{field: value}),
            error,
            f"{field} must be an integer of 0 or more, not {value}",
        )
        for field in ("name", "prefix", "connector", "description")
        for value, error in ((-1, ValueError), (1.0, TypeError), (True, TypeError), (None, TypeError))
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), ARGUMENT_ERRORS, ids=[row[2] for row in ARGUMENT_ERRORS])
def test_a_bad_argument_is_told_in_full(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_nothing_of_the_inside_shows_in_an_error() -> None:
    with pytest.raises(ValueError, match=r"^share must be") as caught:
        Floor("half")
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        (
            [LIST, Tool("y"), Tool("list_x", "Another.", connector="a")],
            "tools must be one for each (connector, name), not two different ones for ('a', 'list_x'), at 0 and 2",
        ),
        (
            [Tool("y"), LIST, LIST, Tool("list_x", connector="a", payload=1), Tool("list_x", connector="a", title="T")],
            "tools must be one for each (connector, name), not two different ones for ('a', 'list_x'), at 1 and 4",
        ),
        (
            [Tool("n", destructive=True), Tool("n", connector=None, destructive=False)],
            "tools must be one for each (connector, name), not two different ones for ('', 'n'), at 0 and 1",
        ),
    ],
)
def test_two_different_tools_of_one_identity_are_told_with_both_positions(tools: list[Tool], message: str) -> None:
    with pytest.raises(ValueError, match=r"^tools must be one for each") as caught:
        Pool(tools)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: POOL.tool("find"), "name must be that of a visible tool, not 'find'"),
        (lambda: POOL.tool("list_x", "b"), "name must be that of a visible tool of 'b', not 'list_x'"),
        (lambda: POOL.tool("search"), "connector must be one of '', 'a', 'b' for a tool named 'search', not None"),
        (lambda: explain("q", POOL, Tool("find", connector="c")), "tool must be one of the pool's, not ('c', 'find')"),
        (
            lambda: explain("q", POOL.restrict(lambda tool: tool.name == "search"), LIST),
            "tool must be one of the pool's, not ('a', 'list_x')",
        ),
        (
            lambda: explain("q", POOL, Tool("list_x", "Another.", connector="a")),
            "tool must be one of the pool's, not ('a', 'list_x')",
        ),
    ],
)
def test_a_tool_that_is_not_visible_is_a_key_error(call: Callable[[], object], message: str) -> None:
    with pytest.raises(KeyError) as caught:
        call()
    assert caught.value.args == (message,)


def test_what_keep_must_be_is_said() -> None:
    with pytest.raises(TypeError, match=r"^keep must be .*, not 7$"):
        POOL.restrict(7)


def test_an_error_of_the_callers_own_predicate_or_iterable_is_the_callers() -> None:
    def broken() -> Any:
        yield LIST
        raise LookupError("the caller's")

    with pytest.raises(LookupError, match="the caller's"):
        Pool(broken())
    with pytest.raises(ZeroDivisionError):
        POOL.restrict(lambda _: 1 // 0 == 0)
