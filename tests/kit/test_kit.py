"""Every property can fail, and fails for its saboteur alone; the library's own ranker keeps all of them."""

# ruff: noqa: ARG001, ARG005 - a ranker has three arguments, also where it heeds none of them

from __future__ import annotations

import importlib
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.exact import broken
from tests.tries import some, spread
from toolrank import Tool
from toolrank.testing import (
    CONTRACT,
    FLOOR,
    LEXICAL,
    SABOTEURS,
    TIERS,
    TOOLRANK,
    OwnRanker,
    Property,
    PropertyBroken,
    Report,
    Tier,
    ViewRanker,
    check,
    pools,
    queries,
    restrictions,
    tools,
)
from toolrank.testing import _ask as ask
from toolrank.testing._property import Outcome

PROPERTIES = {prop.name: prop for tier in TIERS for prop in tier}
SEEDS = spread(range(10))


def by_words(query: str, tools: Sequence[Tool], limit: int) -> list[tuple[str, str]]:
    """A naive ranker: tools with any word of the query, by name."""
    words = query.lower().replace("_", " ").split()
    found = {tool.identity for tool in tools if any(word in tool.name.lower() for word in words)}
    return sorted(found, key=lambda identity: identity[::-1])[:limit]


# ---- The properties -------------------------------------------------------------------------------------------------


def test_every_property_has_a_name_of_its_own_and_a_saboteur() -> None:
    assert sum(map(len, TIERS)) == len(PROPERTIES)
    assert list(SABOTEURS) == list(PROPERTIES)
    assert [str(tier) for tier in TIERS] == ["CONTRACT", "PRIVACY", "FLOOR", "LEXICAL", "TOOLRANK"]


@pytest.mark.parametrize("name", SABOTEURS)
def test_a_saboteur_is_caught_by_its_property_within_200_examples_whatever_the_seed(name: str) -> None:
    for seed in SEEDS:
        verdict = PROPERTIES[name].run(
            SABOTEURS[name](), examples=200, seed=seed, timeout=10, surrogates=True, shrink=False
        )
        assert verdict.outcome == Outcome.BROKEN, f"seed {seed}"
        assert verdict.failure is not None
        assert verdict.failure.name == name


@pytest.mark.parametrize("name", spread(SABOTEURS))
def test_a_saboteur_breaks_no_other_property(name: str) -> None:
    # A few examples of each; `python -m tests.kit.exact` goes through all of them.
    assert set(broken(name, examples=4, seed=0)) <= {name}


@pytest.mark.parametrize("tier", TIERS, ids=str)
def test_toolrank_keeps_every_property_and_most_examples_are_judged(tier: Tier) -> None:
    examples = some(50, 20)
    report = check(OwnRanker(), [tier], examples=examples, seed=1)
    assert report.ok, str(report)
    for result in report.results:
        assert result.outcome == Outcome.KEPT
        assert result.unjudged == 0
        assert result.judged >= examples // 4, result.property


@pytest.mark.parametrize("name", spread(SABOTEURS))
def test_a_failure_tells_the_claim_the_call_the_tools_what_came_and_what_was_expected(name: str) -> None:
    with pytest.raises(PropertyBroken) as caught:
        PROPERTIES[name].check(SABOTEURS[name](), examples=200, seed=0)
    told = str(caught.value)
    assert told.startswith(f"{name}: {PROPERTIES[name].claim}\n  tools = [")
    assert "\n  call 1:   " in told
    assert "\n  got:      " in told
    assert told.splitlines()[-1].startswith("  expected: ")
    assert len({tool for call in caught.value.failure.calls for tool in call.tools}) <= 6


def test_the_smallest_pool_is_told() -> None:
    assert str(outcome_of(SABOTEURS["no_duplicates"](), "no_duplicates", examples=100).failure) == "\n".join(  # noqa: FLY002 - a line a line
        [
            "no_duplicates: No tool is returned twice.",
            "  tools = [",
            "      Tool('github'),",
            "  ]",
            "  call 1:   rank('github', tools, limit=10)",
            "  got:      [(('', 'github'), 1099511627781.0), (('', 'github'), 1099511627781.0)]",
            "  expected: each identity once",
        ]
    )


def test_the_same_seed_gives_the_same_report_and_another_seed_other_examples() -> None:
    def examples(seed: int) -> list[str]:
        asked = []

        def ranker(query: str, tools: Sequence[Tool], limit: int) -> list[tuple[str, str]]:
            asked.append(f"{query!r} {tools}")
            return []

        check(ranker, [CONTRACT], examples=5, seed=seed)
        return asked

    assert examples(3) == examples(3)
    assert examples(3) != examples(4)
    once, again = (check(by_words, [FLOOR], examples=30, seed=3) for _ in range(2))
    assert once.failures
    assert str(once) == str(again)


def test_a_ranker_without_views_or_scores_is_not_judged_by_them() -> None:
    for name, why in (
        ("scores_are_in_order", "the ranker gives no scores"),
        ("restriction_equals_absence", "the ranker has no method `restricted`"),
        ("hidden_tools_stay_hidden", "the ranker has no method `restricted`"),
    ):
        result = outcome_of(by_words, name, examples=40)
        assert (result.outcome, result.why) == (Outcome.NOT_APPLICABLE, why)
        PROPERTIES[name].check(by_words, examples=5)
    assert not isinstance(by_words, ViewRanker)
    assert isinstance(OwnRanker(), ViewRanker)


def test_scores_too_must_say_that_a_rarer_word_weighs_no_less() -> None:
    def by_frequency(query: str, tools: Sequence[Tool], limit: int) -> list[tuple[tuple[str, str], int]]:
        firsts = [tool.name.split("_")[0] for tool in tools]
        scored = [(tool.identity, firsts.count(first)) for tool, first in zip(tools, firsts)]
        return sorted(scored, key=lambda one: -one[1])[:limit]

    failure = outcome_of(by_frequency, "rarer_words_weigh_no_less").failure
    assert failure is not None
    assert " to score no less than " in failure.expected


def test_who_gives_no_scores_or_gives_them_in_disorder_is_judged_by_the_tools_alone() -> None:
    def unscored(query: str, tools: Sequence[Tool], limit: int) -> list[tuple[str, str]]:
        return [identity for identity, _ in OwnRanker()(query, tools, limit)]

    for ranker in (unscored, SABOTEURS["scores_are_in_order"]()):
        result = outcome_of(ranker, "rarer_words_weigh_no_less", examples=20)
        assert (result.outcome, result.unjudged) == (Outcome.KEPT, 0)
        assert result.judged > 10


def test_an_answer_is_compared_without_strangers_repetitions_and_what_exceeds_the_limit() -> None:
    tools = [Tool("a"), Tool("b"), Tool("c")]
    given = [(("", "x"), 9), (("", "b"), 8), (("", "b"), 7), (("", "a"), 6), (("", "c"), 5)]
    asker = ask.Asker(lambda query, tools, limit: given, None)
    assert asker.answer("", tools, 2) == ((("", "b"), ("", "a")), (8, 6))
    assert asker.answer("", tools[:1]) == ((("", "a"),), (6,))
    assert asker.answer("", [Tool("d")]) == ((), None)


def test_a_saboteur_answers_where_its_fault_does_not_show() -> None:
    alike = [Tool("page"), Tool("issue")]
    for make in SABOTEURS.values():
        for query in ("page", "page issue", "quokka page", "nothing", ""):
            assert len(make()(query, list(alike), 2)) <= 3


# ---- Bad rankers ----------------------------------------------------------------------------------------------------


class Incomparable:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    __hash__ = object.__hash__


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def outcome_of(ranker: Any, name: str, **settings: Any) -> Any:
    return check(ranker, [Tier("ONE", "One.", (PROPERTIES[name],))], **{"examples": 10, **settings}).results[0]


def broken_by(ranker: Any, name: str, examples: int) -> bool:
    """Whether a ranker breaks a property; nobody looks at the counterexample, so that it need not be small."""
    verdict = PROPERTIES[name].run(ranker, examples=examples, seed=0, timeout=10, surrogates=True, shrink=False)
    return verdict.outcome == Outcome.BROKEN


@pytest.mark.parametrize(
    ("junk", "told"),
    [
        (None, "None: not a sequence of (connector, name)"),
        ("list", "'list': not a sequence"),
        (b"list", "b'list': not a sequence"),
        (7, "7: not a sequence"),
        ({"a": 1}, "{'a': 1}: not a sequence"),
        (iter([]), "_iterator object at"),
        ([None], "an answer with None: not a sequence"),
        (["name"], "an answer with 'name': not a sequence"),
        ([("a", "b", "c")], "an answer with ('a', 'b', 'c')"),
        ([(("", "a"), "high")], "an answer with (('', 'a'), 'high')"),
        ([(("", "a"), True)], "an answer with (('', 'a'), True)"),
        ([((None, "a"), 1.0)], "an answer with ((None, 'a'), 1.0)"),
        ([("", "a"), (("", "b"), 1.0)], "only some of the tools have a score"),
        ([Unspeakable()], "an answer with <Unspeakable whose repr raises RuntimeError>"),
        (["x" * 10_000], "x ... x"),
        ("\ud800", "'\\ud800': not a sequence"),
    ],
)
def test_junk_is_reported_with_the_call_and_what_came_back(junk: Any, told: str) -> None:
    result = outcome_of(lambda query, tools, limit: junk, "results_are_visible_tools")
    assert result.outcome == Outcome.BROKEN
    assert told in str(result.failure)
    assert "expected: a sequence of identities (connector, name), or of pairs (identity, score)" in str(result.failure)
    for other in ("no_duplicates", "same_call_same_answer"):
        judged = outcome_of(lambda query, tools, limit: junk, other)
        assert (judged.outcome, judged.judged) == (Outcome.UNJUDGED, 0)
        assert judged.why.startswith("rank(")
    assert check(lambda query, tools, limit: junk, [FLOOR], examples=5).exit_status == 3


def raising(error: BaseException) -> Callable[..., Any]:
    def ranker(query: str, tools: Sequence[Tool], limit: int) -> Any:
        raise error

    return ranker


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("page"), "KeyError: 'page'"),
        (SystemExit(3), "SystemExit: 3"),
        (RecursionError("deep"), "RecursionError: deep"),
        (MemoryError(), "MemoryError: "),
        (TimeoutError("slow"), "no answer within 10 s: slow"),
        (type("Odd", (Exception,), {"__str__": lambda _: 1 / 0})(), "Odd: <Odd whose str raises ZeroDivisionError>"),
    ],
)
def test_what_a_ranker_raises_is_reported(error: BaseException, told: str) -> None:
    result = outcome_of(raising(error), "answers_any_text")
    assert result.outcome == Outcome.BROKEN
    assert f"  got:      {told}\n  expected: an answer, be it an empty one" in str(result.failure)
    assert outcome_of(raising(error), "hidden_tools_stay_hidden").outcome == Outcome.NOT_APPLICABLE


def test_what_a_view_raises_is_reported_and_its_junk_not_judged() -> None:
    class Bad(OwnRanker):
        def restricted(self, *_: Any) -> Any:
            return None

    result = outcome_of(Bad(), "hidden_tools_stay_hidden")
    assert (result.outcome, result.judged) == (Outcome.UNJUDGED, 0)
    assert "None: not a sequence" in result.why


def test_one_who_asks_to_be_interrupted_is() -> None:
    with pytest.raises(KeyboardInterrupt):
        check(raising(KeyboardInterrupt()), [CONTRACT], examples=2)


def test_a_ranker_that_now_and_then_raises_is_judged_by_the_rest() -> None:
    class Moody(OwnRanker):
        def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> Any:
            if len(tools) == 1:
                raise ValueError("alone")
            return super().__call__(query, tools, limit)

    result = outcome_of(Moody(), "no_duplicates", examples=60)
    assert result.outcome == Outcome.KEPT
    assert result.unjudged > 0
    assert result.why.startswith(f"but {result.unjudged} could not be judged, such as rank(")
    assert result.why.endswith("ValueError: alone")
    assert f"({result.unjudged} unjudged)" in str(Report((result,)))


def test_a_ranker_that_rolls_dice_is_caught_and_told() -> None:
    rolled = random.Random(0)
    result = outcome_of(
        lambda query, tools, limit: sorted({tool.identity for tool in tools}, key=lambda _: rolled.random())[:limit],
        "same_call_same_answer",
        examples=100,
    )
    assert result.outcome == Outcome.BROKEN
    assert "expected: the same answer every time" in str(result.failure)


@pytest.mark.parametrize("act", ["clear", "foreign", "hostile", "payload"])
def test_changes_to_the_inputs_are_seen_and_stay_with_the_call(act: str) -> None:
    def ranker(query: str, tools: list[Any], limit: int) -> list[Any]:
        found = OwnRanker()(query, tools, limit)
        if act == "clear":
            tools.clear()
        elif act == "hostile":
            tools[:] = [Incomparable()] * len(tools)
        elif act == "foreign":
            tools[:] = [None] * len(tools)
        else:
            for tool in tools:
                tool.payload.get("tags", []).append(query)
        return found

    found = {name for name in map(str, CONTRACT) if broken_by(ranker, name, examples=15)}
    assert "inputs_stay_untouched" in found
    assert found <= {"inputs_stay_untouched", "answers_any_text"}  # the wild tools have no payload


def test_a_ranker_that_hangs_is_stopped_reported_and_not_asked_for_ever() -> None:
    calls = []

    def hangs(query: str, tools: Sequence[Tool], limit: int) -> Any:
        calls.append(query)
        while True:
            time.sleep(0.001)

    report = check(hangs, timeout=0.02, examples=50)
    assert len(calls) == 3
    first, second, *rest = report.results
    assert first.outcome == Outcome.BROKEN
    assert "got:      no answer within 0.02 s\n" in str(first.failure)
    assert second.outcome == Outcome.UNJUDGED
    assert second.why.endswith("no answer within 0.02 s")
    assert rest[-1].why == "not asked: 3 earlier calls were not answered in time"
    assert not report.ok
    assert report.exit_status == 1


def test_a_ranker_that_swallows_every_exception_is_stopped_too() -> None:
    def stubborn(query: str, tools: Sequence[Tool], limit: int) -> Any:
        for _ in range(2):
            try:
                while True:
                    pass
            except Exception:  # noqa: PERF203 - that is its fault
                pass

    assert outcome_of(stubborn, "answers_any_text", timeout=0.02).outcome == Outcome.BROKEN


def test_the_time_limit_leaves_the_timer_of_others_as_it_was() -> None:
    rung = []
    handler = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60, 0)
        check(by_words, [FLOOR], examples=3)
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60
        assert not rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


def test_without_a_timer_or_outside_the_main_thread_there_is_no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    thread = threading.Thread(target=lambda: done.append(check(by_words, [FLOOR], examples=3, timeout=0.5).results))
    thread.start()
    thread.join()
    assert len(done[0]) == len(FLOOR)
    monkeypatch.delattr(signal, "setitimer")
    assert len(check(by_words, [FLOOR], examples=3, timeout=0.5).results) == len(FLOOR)


def test_a_slow_ranker_is_shrunk_in_a_bounded_number_of_calls() -> None:
    calls = []

    def flood(query: str, tools: Sequence[Tool], limit: int) -> list[tuple[str, str]]:
        calls.append(query)
        return [("", str(len(calls)))]

    verdict = PROPERTIES["same_call_same_answer"].run(
        lambda query, tools, limit: flood(query, tools, limit) and [tool.identity for tool in tools][: len(calls) % 3],
        examples=50,
        seed=0,
        timeout=None,
        surrogates=True,
    )
    assert verdict.outcome == Outcome.BROKEN
    assert len(calls) < 3 * (50 + 400)


# ---- Arguments, strategies, imports ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"ranker": 7}, TypeError, "ranker must be callable with a query, tools and a limit, not 7"),
        ({"tiers": CONTRACT}, TypeError, "tiers must be an iterable of Tier, not "),
        ({"tiers": 7}, TypeError, "tiers must be an iterable of Tier, not 7"),
        ({"tiers": ["CONTRACT"]}, TypeError, "tiers must be an iterable of Tier, not one with 'CONTRACT'"),
        ({"examples": True}, TypeError, "examples must be an integer of 1 or more, not True"),
        ({"examples": 0}, ValueError, "examples must be an integer of 1 or more, not 0"),
        ({"seed": 1.5}, TypeError, "seed must be an integer of 0 or more, not 1.5"),
        ({"seed": -1}, ValueError, "seed must be an integer of 0 or more, not -1"),
        ({"timeout": "1"}, TypeError, "timeout must be a number of seconds above 0, or None, not '1'"),
        ({"timeout": 0}, ValueError, "timeout must be a number of seconds above 0, or None, not 0"),
        ({"timeout": float("nan")}, ValueError, "timeout must be a number of seconds above 0, or None, not nan"),
    ],
)
def test_a_bad_argument_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        check(**{"ranker": by_words, "tiers": [FLOOR], **arguments})
    assert str(caught.value).startswith(message)


def test_a_property_that_could_not_be_judged_fails_when_checked() -> None:
    with pytest.raises(AssertionError, match=r"no_duplicates: No tool is returned twice\.\n  not judged: rank"):
        PROPERTIES["no_duplicates"].check(raising(ValueError("no")), examples=5)


def test_a_property_with_nothing_to_judge_says_so() -> None:
    def vacuous(_trial: Any, _case: Any) -> None:
        raise ask.Vacuous

    prop = Property("never", "Nothing.", lambda _: st.integers(), vacuous)
    verdict = prop.run(by_words, examples=5, seed=0, timeout=None, surrogates=True)
    assert (verdict.outcome, verdict.why) == (Outcome.UNJUDGED, "no example had anything to judge")


def test_a_case_that_is_drawn_again_is_not_judged_again() -> None:
    tried = []
    prop = Property(
        "parity", "Of two.", lambda _: st.integers(0, 99).map(lambda n: n % 2), lambda _, n: tried.append(n)
    )
    verdict = prop.run(by_words, examples=30, seed=0, timeout=None, surrogates=True)
    assert sorted(tried) == [0, 1]
    assert (verdict.outcome, verdict.judged) == (Outcome.KEPT, 2)


def test_where_some_could_be_judged_a_check_that_finds_nothing_broken_raises_nothing() -> None:
    def moody(query: str, tools: Sequence[Tool], limit: int) -> Any:
        if not tools:
            raise ValueError("none")
        return OwnRanker()(query, tools, limit)

    PROPERTIES["no_duplicates"].check(moody, examples=20)
    assert outcome_of(moody, "no_duplicates", examples=20).unjudged > 0


@settings(max_examples=60, deadline=None)
@given(tools(), pools(), st.data())
def test_the_strategies_draw_what_they_say(tool: Tool, pool: list[Tool], data: st.DataObject) -> None:
    assert isinstance(tool, Tool)
    identities = {one.identity for one in pool}
    assert len(identities) == len(set(pool))
    assert len(pool) <= 8
    for about in ((), pool):
        assert isinstance(data.draw(queries(about)), str)
    assert data.draw(restrictions(pool)) <= identities


def test_the_strategies_make_rare_things_likely() -> None:
    seen = {"duplicate": 0, "sibling": 0, "select": 0, "joined": 0, "match": 0}

    @settings(max_examples=300, database=None, derandomize=True, deadline=None)
    @given(pools().flatmap(lambda pool: st.tuples(st.just(pool), queries(pool))))
    def draw(drawn: tuple[list[Tool], str]) -> None:
        pool, query = drawn
        seen["duplicate"] += len(pool) > len(set(pool))
        seen["sibling"] += len({tool.name for tool in pool}) < len(set(pool))
        seen["select"] += query.startswith("select:")
        seen["joined"] += any("GitHub" in tool.name or "ClickUp" in tool.name for tool in pool)
        seen["match"] += bool(OwnRanker()(query, pool, 10))

    draw()
    assert min(seen.values()) >= 5, seen
    assert seen["match"] >= 60, seen


def test_without_hypothesis_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("toolrank.testing")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match=r"toolrank\.testing needs hypothesis: .* with the extra 'testing'"):
        importlib.import_module("toolrank.testing")


def test_tiers_are_read_as_their_properties() -> None:
    assert [len(tier) for tier in TIERS] == [10, 3, 4, 5, 2]
    assert str(next(iter(LEXICAL))) == "named_whole_comes_first"
    assert all(tier.claim.endswith(".") and prop.claim.endswith(".") for tier in TIERS for prop in tier)
    assert str(TOOLRANK) == "TOOLRANK"
