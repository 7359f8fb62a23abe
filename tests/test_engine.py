"""The engine's insides: sets of ids, postings, terms that are kept or inherited, and many tools in order."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.check import triples
from tests import reference
from tests.test_rank_oracle import expected, told
from toolrank import Pool, Tool, Weights, _floor, _index, _keys, _lanes, _match, _order, explain, rank
from toolrank._bits import add, add_all, ids_of, mask_of
from toolrank._floor import clearing

sets = st.sets(st.integers(0, 200), max_size=90)


# --- sets of ids ----------------------------------------------------------------------------------------------------


@given(sets, st.none() | st.integers(0, 95))
def test_a_set_gives_its_ids_back_highest_first(ids: set[int], most: int | None) -> None:
    assert ids_of(mask_of(ids, 201), most) == sorted(ids, reverse=True)[:most]


def numbers(counter: list[int], size: int) -> list[int]:
    return [sum((plane >> i & 1) << k for k, plane in enumerate(counter)) for i in range(size)]


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 40)), max_size=8))
def test_a_counter_adds_amounts_to_all_tools_of_a_set(added: list[tuple[int, int]]) -> None:
    counter: list[int] = []
    for mask, amount in added:
        add(counter, mask, amount)
    assert numbers(counter, 8) == [sum(amount for mask, amount in added if mask >> i & 1) for i in range(8)]


counters = st.lists(st.integers(0, 255), max_size=6)


@given(counters, counters, st.integers(0, 255))
def test_counters_add_for_the_tools_of_a_set(one: list[int], other: list[int], mask: int) -> None:
    total = list(one)
    add_all(total, other, mask)
    before, more = numbers(one, 8), numbers(other, 8)
    assert numbers(total, 8) == [before[i] + (more[i] if mask >> i & 1 else 0) for i in range(8)]


@given(
    st.lists(st.tuples(st.integers(1, 20), st.integers(1, 255)), max_size=9), st.integers(1, 60), st.integers(0, 255)
)
def test_the_floor_finds_just_the_tools_that_cover_enough(
    words: list[tuple[int, int]], need: int, eligible: int
) -> None:
    covered = [sum(mass for mass, tools in words if tools >> i & 1) for i in range(8)]
    right = mask_of([i for i in range(8) if eligible >> i & 1 and covered[i] >= need], 8)
    assert clearing(list(words), need, eligible) == right


def test_a_walk_that_could_be_exponential_is_given_up_and_exact_all_the_same() -> None:
    draw = random.Random(5)
    words = [(1000 + k, draw.getrandbits(400)) for k in range(40)]
    need = sum(mass for mass, _ in words) // 2
    covered = [sum(mass for mass, tools in words if tools >> i & 1) for i in range(400)]
    right = mask_of([i for i in range(400) if covered[i] >= need], 400)
    assert 0 < right.bit_count() < 400
    assert clearing(list(words), need, (1 << 400) - 1) == right


# --- pools of a size at which sets, planes and sparse postings all come into play ----------------------------------

VERBS = ("list", "get", "create", "delete", "update", "remove")
NOUNS = ("issue", "issues", "page", "pages", "repoStar", "repository", "user", "fileList", "file")
PLACES = ("github", "notion", "linear", "my drive", "Slack")


def tools_of(seed: int, count: int) -> list[Tool]:
    draw = random.Random(seed)
    found: dict[tuple[str, str], Tool] = {}
    while len(found) < count:
        noun, other = draw.choice(NOUNS), draw.choice(NOUNS)
        name = draw.choice((f"{draw.choice(VERBS)}_{noun}", f"{draw.choice(VERBS)}_{noun}_{other}", f"{noun}.{other}"))
        tool = Tool(
            name + draw.choice(("", "", "_v2", f"_{draw.randrange(60)}")),
            f"{draw.choice(VERBS)} the {noun} of a {draw.choice(('set', 'team', other))}",
            draw.choice(PLACES),
            read_only=draw.choice((None, None, True, False)),
            destructive=draw.choice((None, None, True, False)),
        )
        found.setdefault(tool.identity, tool)
    return list(found.values())


QUERIES = (
    "list issues",
    "list",
    "repository",
    "repositor page",
    "get the github issue",
    "repostar",
    "filelist list",
    "delete user of notion",
    "github__get_issue",
    "+linear update pages",
    "issue page user file repository star",
    "set",
    "nothing here knows this",
)


def test_a_large_pool_and_its_views_answer_as_the_reference() -> None:
    tools = tools_of(1, 150)
    pool = Pool(tools)
    kept = {tool.identity for tool in random.Random(1).sample(tools, 60)}
    view = pool.restrict(kept)
    visible = [tool for tool in tools if tool.identity in kept]
    for query in QUERIES * 2:
        right = expected(reference.rank(query, tools, None))
        for limit in (3, 40, None):
            assert told(rank(query, pool, limit)) == {**right, "hits": right["hits"][:limit]}
        assert told(rank(query, view, None)) == expected(reference.rank(query, visible, None))


def test_ties_of_many_tools_are_broken_by_planes_as_one_by_one() -> None:
    tools = [
        Tool(f"{verb}_issue{extra}", "", f"{place}{read_only}{destructive}", "", (), read_only, destructive)
        for verb in ("get", "delete")
        for extra in ("", "_comment")
        for place in ("a", "b")
        for read_only in (None, True, False)
        for destructive in (None, True, False)
    ]
    right = expected(reference.rank("issue", tools, None))
    pool = Pool(tools)
    for limit in (None, 30, 3) * 3:
        assert told(rank("issue", pool, limit)) == {**right, "hits": right["hits"][:limit]}


LONG = "_".join(f"part{k} list issue".replace(" ", "_") for k in range(20))


def ways_of(pool: Pool) -> list[dict[str, object]]:
    """Give the answers to queries that are asked for the first, second and third time, and after an update."""
    queries = (
        *QUERIES,
        "part3 issu list",
        "filelist file list repositor",
        "repositor repo issu",
        "list issue page unheard",
        " ".join(["list issue"] * 80 + [LONG]),
    )
    updated = pool.replace("late", [Tool(LONG, "Pages.", "late"), Tool("list_issue_late", "", "late")])
    pools = (pool, updated, updated.without("notion"), updated.without("late"))
    return [told(rank(query, of, limit)) for of in pools for query in queries for limit in (5, 5, None)]


def test_few_tools_and_many_are_ranked_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [*tools_of(2, 100), Tool(f"{LONG}_and_more", "Lists.", "github"), Tool("fileList_page", "", "notion")]
    right = ways_of(Pool(tools))
    # Walking the sets, keys of two bytes, keys by word; planes for all but a few, and sums from the first node on.
    monkeypatch.setattr(_lanes, "_MOST", 0)
    assert ways_of(Pool(tools)) == right
    monkeypatch.setattr(_keys, "_NARROW", 0)
    assert ways_of(Pool(tools)) == right
    monkeypatch.setattr(_keys, "_DENSE", 1)
    assert ways_of(Pool(tools)) == right
    monkeypatch.setattr(_keys, "WORDS", 0)
    assert ways_of(Pool(tools)) == right
    monkeypatch.setattr(_order, "_FEW", 1)
    monkeypatch.setattr(_order, "_SPARE", 0)
    assert ways_of(Pool(tools)) == right
    monkeypatch.setattr(_floor, "_NODES", -1000)
    assert ways_of(Pool(tools)) == right


def test_views_that_are_asked_in_turn_answer_as_pools_of_their_own() -> None:
    tools = [*tools_of(3, 80), Tool("fileList_page", "", "notion"), Tool("file_list_page", "", "github")]
    whole = Pool(tools)
    views = [whole, whole.restrict(["github"]), whole.restrict(["notion"]), whole.restrict(tools[::7])]
    for query in [*QUERIES, "fileList", "does the team"] * 3:
        for view in views:
            assert told(rank(query, view, 5)) == told(rank(query, Pool(list(view)), 5))


TIES = {
    # 7 each for two of four equal words. `a` is left over of the one, of which two words touch one part.
    "repositor repo issue ticket": [Tool("issue", "An issue or ticket."), Tool("a_repository", "Repo.")],
    # 8 each, and of the two words that touch one part, one is that part.
    "repository repo issue ticket": [Tool("issue", "Issue.", "ticket"), Tool("a_repository")],
    # 11 each. `a` is left over of the one, of which two words touch two parts.
    "alpha beta gamma delta": [Tool("gamma", "Gamma delta.", "gamma delta"), Tool("a_alpha_beta", "Alpha.")],
    # 5 each, of four parts of which three are left over, joined ones among them.
    "fileList page": [Tool("page_b", "", "x"), Tool("a_fileList_c_d", "", "x")],
}


@pytest.mark.parametrize("query", TIES)
@pytest.mark.parametrize(
    "changed",
    [
        (),
        (_lanes, "_MOST", 0),
        (_lanes, "_MOST", 0, _keys, "_NARROW", 0),
        (_lanes, "_MOST", 0, _keys, "_NARROW", 0, _keys, "_DENSE", 1),
        (_keys, "WORDS", 0),
    ],
    ids=str,
)
def test_ties_of_score_are_broken_by_what_is_left_over(
    monkeypatch: pytest.MonkeyPatch, query: str, changed: tuple[Any, ...]
) -> None:
    for at in range(0, len(changed), 3):
        monkeypatch.setattr(*changed[at : at + 3])
    tools = TIES[query]
    right = reference.rank(query, tools, None)
    assert len({hit.score for hit in right.hits}) == 1
    pools = [Pool(tools), Pool([*tools, Tool("ping", connector="z")]).restrict(tools)]
    for pool in pools:
        for _ in range(3):
            assert told(rank(query, pool)) == expected(right)
    assert rank(query, pools[0]).tools == tools


def test_few_tools_are_added_up_from_the_second_asking_on_and_counted() -> None:
    pools = [Pool(tools_of(3, count)) for count in (_lanes._MOST, _lanes._MOST + 1)]
    for pool in pools:
        rank("list issue", pool)
        assert all(term.lanes is None for term in pool._index.memory.terms.values())
        rank("list issue", pool)
    few, many = pools
    assert all(term.lanes is not None for term in few._index.memory.terms.values())
    assert many._index.lanes is None
    assert all(term.told is not None for term in many._index.memory.terms.values())
    assert few._index.memory.size - many._index.memory.size > 2 * 6 * _lanes._MOST


@pytest.mark.parametrize("weights", [(5, 3, 2, 1), (0, 0, 0, 0), (1, 100, 0, 7)])
def test_other_weights_give_the_reference_s_order_in_a_large_pool(weights: tuple[int, int, int, int]) -> None:
    tools = tools_of(3, 60)
    pool = Pool(tools)
    for query in QUERIES[:7]:
        right = reference.rank(query, tools, 30, weights=weights)
        assert told(rank(query, pool, 30, weights=Weights(*weights))) == expected(right)


@pytest.mark.parametrize("weights", [(5, 3, 2, 1), (1, 0, 0, 9)])
def test_the_first_of_many_tools_are_found_with_any_weights(weights: tuple[int, int, int, int]) -> None:
    tools = [Tool(f"list_page_{k}", "Pages." if k % 3 else "", "page" if k % 7 == 0 else "notion") for k in range(60)]
    pool = Pool(tools)
    right = expected(reference.rank("page", tools, None, weights=weights))
    for limit in (1, 5, 20, 59):
        answer = rank("page", pool, limit, weights=Weights(*weights))
        assert told(answer) == {**right, "hits": right["hits"][:limit]}


def test_ties_of_many_tools_count_a_part_that_two_words_begin_once() -> None:
    tools = [Tool(f"{'b_' if k % 2 else ''}repository_{'x_' if k % 3 else ''}{k}") for k in range(60)]
    pool = Pool(tools)
    right = expected(reference.rank("repositor reposit", tools, None))
    for limit in (5, 25, None):
        assert told(rank("repositor reposit", pool, limit)) == {**right, "hits": right["hits"][:limit]}


def test_the_first_of_a_few_more_tools_than_are_wanted_are_found() -> None:
    tools = [Tool(f"z_page_{k:02}") for k in range(3)] + [Tool(f"a_{k:02}", "page") for k in range(50)]
    pool = Pool(tools)
    whole = rank("page", pool, None).tools
    assert whole[:3] == tools[:3]
    for limit in range(30, 54):
        assert rank("page", pool, limit).tools == whole[:limit]


def test_random_questions_of_random_pools_are_answered_as_the_reference_does() -> None:
    for triple, _ in zip(triples("engine"), range(150), strict=False):
        pool = Pool(triple.tools).restrict([tool.identity for tool in triple.visible])
        right = expected(reference.rank(triple.query, triple.visible, triple.limit))
        assert told(rank(triple.query, pool, triple.limit)) == right


# --- updates ----------------------------------------------------------------------------------------------------------


class Reads:
    """Counts the texts that are read into words."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        for reader in ("label_runs", "prose_words", "runs_of"):
            monkeypatch.setattr(_index, reader, self.counting(getattr(_index, reader)))

    def counting(self, read: Callable[[str], Any]) -> Callable[[str], Any]:
        def reading(text: str) -> Any:
            self.texts.append(text)
            return read(text)

        return reading


def test_an_update_reads_only_the_tools_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tools_of(4, 200)
    pool = Pool(tools)
    listing = [tool for tool in tools if tool.connector == "notion"]
    changed = Tool(listing[0].name, "Changed now.", "notion")
    reads = Reads(monkeypatch)
    other = pool.replace("notion", [changed, *listing[1:]])
    names = {text for text in reads.texts if text not in PLACES}
    assert names == {changed.name, changed.name.rpartition(".")[2], "Changed now."}
    assert rank("changed now", other).tools == [changed]
    assert not rank("changed now", pool)


def test_an_unchanged_listing_gives_the_same_pool_and_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tools_of(4, 60)
    pool = Pool(tools)
    reads = Reads(monkeypatch)
    assert pool.replace("notion", [tool for tool in tools if tool.connector == "notion"]) is pool
    assert pool.without("not connected") is pool
    assert reads.texts == []


def test_a_new_payload_is_given_back_and_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool([Tool("search", connector="Notion", payload=1), Tool("ping", payload=2)])
    rank("search", pool)
    reads = Reads(monkeypatch)
    other = pool.replace("Notion", [Tool("search", connector="Notion", payload=3)])
    assert reads.texts == []
    assert [tool.payload for tool in rank("search", other).tools] == [3]
    assert [tool.payload for tool in rank("search", pool).tools] == [1]


def test_many_updates_leave_no_dead_tools_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tools_of(5, 150)
    pool = Pool(tools)
    rest = [tool for tool in tools if tool.connector != "notion"]
    sizes = []
    reads = Reads(monkeypatch)
    for turn in range(120):
        listing = [Tool(f"find_{k}", f"Turn {turn}.", "notion") for k in range(5)]
        pool = pool.replace("notion", listing)
        sizes.append(pool._index.size)
    assert max(sizes) <= 150 + 5 + _index._COMPACT_FROM + 5 < sum(len(listing) for _ in sizes)
    assert all(not text.startswith("list") for text in reads.texts)  # compacting reads no tool again
    same = Pool([*rest, *listing])
    for query in (*QUERIES, "turn 119", "turn 118", "find 3"):
        assert told(rank(query, pool, None)) == told(rank(query, same, None))
    assert [tool.identity for tool in pool] == [tool.identity for tool in same]


def test_words_that_an_update_does_not_touch_are_known_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tools_of(6, 120)
    pool = Pool(tools)
    before = {query: told(rank(query, pool, None)) for query in ("github", "list pages")}
    made: list[str] = []
    build = _match.Term.__init__

    def counted(self: _match.Term, index: Any, word: str, **how: bool) -> None:
        made.append(word)
        build(self, index, word, **how)

    monkeypatch.setattr(_match.Term, "__init__", counted)
    other = pool.replace("Zoom", [Tool("join_meeting", "Joins.", "Zoom")])
    for query in before:
        told(rank(query, other, None))
    assert made == []
    assert rank("join meeting", other).tools[0].name == "join_meeting"
    assert set(made) == {"join", "meet"}


def test_joined_forms_of_tools_that_are_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_index, "_COMPACT_FROM", 1)
    tools = tools_of(7, 5)
    pool = Pool([*tools, Tool("pingPong", "", "late"), Tool("fileList", "", "github")]).without("late")
    assert "pingpong" not in pool._index.core.joined
    assert "filelist" in pool._index.core.joined
    assert rank("pingPong", pool).unmatched == ("ping", "pong")


def test_a_view_can_be_updated_and_keeps_out_what_it_never_saw() -> None:
    tools = tools_of(7, 100)
    view = Pool(tools).restrict(["github"]).replace("Zoom", [Tool("join_meeting", connector="Zoom")])
    mine = [*(tool for tool in tools if tool.connector == "github"), Tool("join_meeting", connector="Zoom")]
    for query in QUERIES:
        assert told(rank(query, view, None)) == told(rank(query, Pool(mine), None))


@pytest.mark.parametrize(
    ("connector", "tools", "error", "message"),
    [
        (7, [], TypeError, "connector must be a string, not 7"),
        ("a", "abc", TypeError, "tools must be an iterable of Tool, not 'abc'"),
        ("a", 7, TypeError, "tools must be an iterable of Tool, not 7"),
        ("a", ["x"], TypeError, "tools must be an iterable of Tool, not one with 'x' at 0"),
        ("a", [Tool("x", connector="b")], ValueError, "tools must be of connector 'a', not 'b' at 0"),
    ],
)
def test_a_bad_update_says_what_is_wrong(connector: Any, tools: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        Pool([]).replace(connector, tools)
    assert str(raised.value) == message


# --- views by label, tool and pair ------------------------------------------------------------------------------------


def test_a_view_by_labels_tools_or_pairs_has_just_those() -> None:
    mine, other, plain = Tool("a", connector="X"), Tool("b", connector="Y"), Tool("c")
    pool = Pool([mine, other, plain])
    assert list(pool.restrict(["X", "Z"])) == [mine]
    assert list(pool.restrict([""])) == [plain]
    either: list[Tool | tuple[str, str]] = [other, ("X", "a")]
    assert list(pool.restrict(either)) == [mine, other]
    assert list(pool.restrict(iter([plain]))) == [plain]
    assert list(pool.restrict([])) == []
    assert list(pool.restrict(["X"]).restrict(["Y"])) == []


@pytest.mark.parametrize(
    ("keep", "error", "message"),
    [
        ("X", TypeError, "keep must be a predicate or an iterable of labels, tools or pairs, not 'X'"),
        (7, TypeError, "keep must be a predicate or an iterable of labels, tools or pairs, not 7"),
        ([7], TypeError, "keep must be an iterable of labels, tools or pairs, not one with 7"),
        ([Tool("b")], KeyError, "keep must hold tools of this pool, not ('', 'b')"),
        ([Tool("a", "other")], KeyError, "keep must hold tools of this pool, not ('', 'a')"),
        ([("", "b")], KeyError, "keep must hold (connector, name) pairs of this pool, not ('', 'b')"),
    ],
)
def test_a_view_of_what_is_not_there_says_so(keep: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        Pool([Tool("a")]).restrict(keep)
    assert raised.value.args == (message,)


def test_a_hidden_tool_and_an_unknown_one_are_the_same_error_everywhere() -> None:
    hidden = Tool("lever", "Pull it.", "Secret")
    pool = Pool([Tool("door"), hidden])
    views = (pool.restrict(lambda tool: tool != hidden), Pool([Tool("door")]))
    for ask in (
        lambda view: explain("lever", view, hidden),
        lambda view: view.restrict([hidden]),
        lambda view: view.restrict([hidden.identity]),
        lambda view: view.tool("lever"),
        lambda view: view.tool("lever", "Secret"),
    ):
        errors = []
        for view in views:
            with pytest.raises(KeyError) as raised:
                ask(view)
            errors.append(raised.value.args)
        assert errors[0] == errors[1]
    assert hidden not in views[0]
    assert list(views[0].restrict(["Secret"])) == []


# --- what is remembered -----------------------------------------------------------------------------------------------


def test_memory_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_index, "_BUDGET", 20_000)
    pool = Pool(tools_of(8, 100))
    right = told(rank("list issues", pool))
    most = 0
    for turn in range(300):
        rank(f"word{turn} list issues other{turn}", pool)
        most = max(most, pool._index.memory.size)
    assert most <= 20_000 + 4096 * (100 >> 3) + 3_000
    assert told(rank("list issues", pool)) == right


def test_a_word_that_begins_like_thousands_is_told_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool([Tool(f"repository{k}_{k % 7}") for k in range(600)])
    looked = 0
    having = _index.Index.having

    def counted(self: _index.Index, field: str, word: object) -> int:
        nonlocal looked
        looked += 1
        return having(self, field, word)

    monkeypatch.setattr(_index.Index, "having", counted)
    for _ in range(3):
        first = rank("repo", pool, 5)
    made = looked
    assert rank("repo", pool, 5) == first
    assert looked == made > 600
    assert first.tools == rank("repo", pool, None).tools[:5]


def test_what_views_remember_is_bounded_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_index, "_BUDGET", 60_000)
    tools = tools_of(8, 100)
    pool = Pool(tools)
    views = [pool.restrict([label]) for label in ("notion", "github", "linear")]
    right = [told(rank("list issues", Pool(list(view)))) for view in views]
    memories = set()
    for turn in range(300):
        view = views[turn % 3]
        for query in (f"word{turn} list issues other{turn}", f"+list word{turn}"):
            rank(query, view)
        assert pool._index.memory.size <= 60_000 + 4096 * (100 >> 3) + 8_000
        memories.add(id(pool._index.memory))
        words = sum(len(of.straight) + len(of.masses) for of in pool._index.memory.views.values())
        assert words * 100 <= pool._index.memory.size
    assert len(memories) > 1
    assert [told(rank("list issues", view)) for view in views] == right


def test_a_word_is_one_term_to_threads_that_learn_it_at_one_time() -> None:
    tools = tools_of(8, 60)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for turn in range(60):
            pool = Pool(tools)
            view = pool.restrict(["notion", "github"])
            start = threading.Barrier(4)

            def ask(pools: tuple[Pool, ...] = (pool, view), start: threading.Barrier = start) -> None:
                start.wait()
                for of in pools:
                    rank("list lists listing page pages issue issues", of)

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for of in (pool, view):
                words = rank("lists list pages page issues issue", of).query_words
                assert words == ("lists", "pages", "issues"), turn
    finally:
        sys.setswitchinterval(interval)


def test_threads_rank_over_old_and_new_pools_while_another_builds_the_next() -> None:
    tools = tools_of(9, 120)
    rest = [tool for tool in tools if tool.connector != "notion"]
    turns = [[Tool(f"find_{k}", f"Turn {turn}.", "notion") for k in range(4)] for turn in range(30)]
    queries = (*QUERIES, "turn 7", "find 2")
    right = {
        at: [told(rank(query, Pool([*rest, *turns[at]]), 5)) for query in queries] for at in range(0, len(turns), 10)
    }
    pools: list[Pool] = [Pool(tools)]
    wrong: list[object] = []

    def build() -> None:
        for turn in turns:
            pools.append(pools[-1].replace("notion", turn))

    def ask(seed: int) -> None:
        draw = random.Random(seed)
        try:
            for _ in range(40):
                at = draw.choice(list(right))
                if len(pools) > at + 1:
                    place = draw.randrange(len(queries))
                    found = told(rank(queries[place], pools[at + 1], 5))
                    if found != right[at][place]:
                        wrong.append((at, queries[place], found))
                pools[-1]._index.forget()
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=build), *(threading.Thread(target=ask, args=(seed,)) for seed in range(4))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    ask(99)
    assert wrong == []
