"""The benchmark's pieces: catalogues, the checker, the peers that need nothing installed, and what is written.

No test here looks at a clock: what is fast is for the benchmark to say, and for no machine to fail.
"""

from __future__ import annotations

import doctest
import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks import catalogues, check, memory, peers, tell
from benchmarks.catalogues import KINDS, Draw, Row, ask, make, read
from benchmarks.timing import FEWEST, Figure, Turn, side_by_side
from tests import reference
from toolrank import Pool, Tool, rank

ROOT = Path(__file__).resolve().parent.parent
ROWS = make(300)


# ---- Catalogues -----------------------------------------------------------------------------------------------------


def test_a_catalogue_is_the_same_in_every_process() -> None:
    code = "from benchmarks.catalogues import *; rows = make(80); print(rows, ask(rows))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(said) == 1


def test_another_seed_makes_another_catalogue() -> None:
    assert make(40, "one") != make(40, "two")
    assert make(40, "one") == make(40, "one")


@pytest.mark.parametrize("size", [1, 30, 500])
def test_a_catalogue_has_the_size_asked_for_and_no_identity_twice(size: int) -> None:
    rows = make(size)
    assert len(rows) == size
    assert len({(row.connector, row.name) for row in rows}) == size
    assert len(Pool(peers.tools_of(rows))) == size


def test_a_catalogue_has_the_shape_of_real_ones() -> None:
    rows = make(3_000)
    lengths = [len(row.description) for row in rows]
    sizes = Counter(row.connector for row in rows)
    words = Counter(word for row in rows for word in set(peers.split(peers.text_of(row))))
    assert 3 <= median(sizes.values()) <= 20
    assert 40 <= median(lengths) <= 120
    assert 0 < lengths.count(0) < len(rows) / 10
    assert max(lengths) > 3 * median(lengths)
    assert 1 <= median(len(row.parameters) for row in rows) <= 4
    assert any("_" in row.name for row in rows)
    assert any("-" in row.name for row in rows)
    assert any(row.name != row.name.lower() for row in rows)
    # A long tail: the commonest word stands in a fifth of the tools or more, and half of the words in a few.
    assert max(words.values()) > len(rows) / 5
    assert median(words.values()) < len(rows) / 50


def test_more_connectors_than_names_for_them_get_numbers() -> None:
    labels: set[str] = set()
    draw = Draw("labels")
    for _ in range(9_000):
        catalogues._label(draw, labels)
    assert len(labels) == 9_000


def test_the_tail_draws_the_first_most_often() -> None:
    draw = Draw("tail")
    drawn = Counter(draw.tail("abcdefgh") for _ in range(2_000))
    assert set(drawn) == set("abcdefgh")
    assert drawn["a"] > drawn["b"] > drawn["d"] > drawn["h"]


def test_a_sample_is_of_different_ones() -> None:
    draw = Draw("sample")
    assert sorted(draw.sample("abcd", 9)) == list("abcd")
    assert len(set(draw.sample(range(100), 40))) == 40


def test_queries_are_mixed_and_a_third_names_a_product_that_is_not_connected() -> None:
    queries = ask(ROWS)
    assert len(queries) == 200
    kinds = Counter(query.kind for query in queries)
    assert set(kinds) == set(KINDS)
    assert max(kinds.values()) - min(kinds.values()) <= 1
    absent = [query for query in queries if query.absent]
    assert abs(len(absent) - 200 / 3) < 2
    known = {word for row in ROWS for word in peers.split(f"{row.connector} {row.name}")}
    for query in absent:
        said = {word for part in rank(query.text, Pool([])).unmatched for word in (part, part.removesuffix("s"))}
        assert not said <= known, query
    assert all(" " not in query.text for query in queries if query.kind == "name")
    assert median(len(query.text.split()) for query in queries if query.kind == "sentence") > 6


def test_some_queries_find_and_some_do_not() -> None:
    pool = Pool(peers.tools_of(ROWS))
    found = [len(rank(query.text, pool)) > 0 for query in ask(ROWS)]
    assert 40 < sum(found) < 180


@pytest.mark.parametrize("name", ["tools.jsonl", "tools.jsonl.gz"])
def test_a_catalogue_file_is_read_and_repeated_identities_are_counted(tmp_path: Path, name: str) -> None:
    tools = [
        {"name": "list_a", "description": None, "connector": "A", "input_schema": {"properties": {"x": {}, "y": {}}}},
        {"name": "list_a", "description": "again", "connector": "A"},
        {"name": "list_a"},
        {"name": "odd", "connector": "B", "inputSchema": {"type": "object"}},
    ]
    text = "\n\n".join(map(json.dumps, tools)) + "\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    assert read(path) == (
        [Row("list_a", "", "A", ("x", "y")), Row("list_a", "", "", ()), Row("odd", "", "B", ())],
        1,
    )


# ---- The checker ----------------------------------------------------------------------------------------------------


def test_the_engine_passes_the_check() -> None:
    assert check.check(150, "tests") == 150
    assert reference.runs.__module__ == reference.__name__  # the cache is gone


def wrong(change: Any) -> check.Engine:
    """Make an engine that is right but for one thing."""
    right = check.engine()

    def answer(triple: check.Triple) -> dict[str, Any]:
        told = right(triple)
        change(told)
        return told

    return answer


def a_mass(told: dict[str, Any]) -> None:
    for _, _, words in told["hits"]:
        words[:] = [(word, mass + 1, *rest) for word, mass, *rest in words]


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("hits", lambda told: told["hits"].reverse()),
        ("hits", lambda told: told["hits"].__delitem__(slice(1, 2))),
        ("hits", a_mass),
        ("withheld", lambda told: told.update(withheld=told["withheld"] + 1)),
        ("reason", lambda told: told.update(reason="unknown_words")),
        ("unmatched", lambda told: told["unmatched"].clear()),
        ("query_words", lambda told: told["query_words"].reverse()),
        ("required", lambda told: told["required"].clear()),
    ],
)
def test_the_check_catches_an_engine_that_is_wrong(field: str, change: Any) -> None:
    with pytest.raises(check.DifferenceError, match=f": {field} differ"):
        check.check(400, "tests", wrong(change))


def test_the_check_catches_a_hidden_tool_that_shows() -> None:
    def careless(triple: check.Triple) -> dict[str, Any]:
        pool = Pool(triple.tools)
        visible = {tool.identity for tool in triple.visible}
        hits = [hit for hit in rank(triple.query, pool, None) if hit.tool.identity in visible]
        told = check.told(rank(triple.query, pool.restrict(visible), triple.limit))
        return told | {
            "hits": [(hit.tool.identity, (hit.score, hit.covered, hit.total, hit.named), []) for hit in hits]
        }

    with pytest.raises(check.DifferenceError):
        check.check(400, "tests", careless)


def test_triples_are_varied() -> None:
    drawn = [triple for triple, _ in zip(check.triples("varied"), range(800))]
    answers = [reference.rank(triple.query, triple.visible, triple.limit) for triple in drawn]
    reasons = Counter(answer.reason for answer in answers)
    assert set(reasons) == {"matched", "blank_query", "empty_pool", "unknown_words", "below_floor", "missing_required"}
    assert reasons["matched"] > 100
    assert any(len(triple.visible) < len(triple.tools) for triple in drawn)
    assert any(len(set(triple.tools)) < len(triple.tools) for triple in drawn)
    assert any(hit.named for answer in answers for hit in answer.hits)
    assert any(answer.withheld for answer in answers)
    assert any("prefix" in match.fields for answer in answers for hit in answer.hits for match in hit.words)
    again = [triple for triple, _ in zip(check.triples("varied"), range(800))]
    assert again == drawn


# ---- Peers ----------------------------------------------------------------------------------------------------------


def test_the_naive_rule_is_the_rule() -> None:
    for triple, _ in zip(check.triples("naive"), range(300)):
        tools = list(dict.fromkeys(triple.visible))
        right = [(hit.tool.connector or "", hit.tool.name) for hit in reference.rank(triple.query, tools, 10).hits]
        found = peers._naive(triple.query, [peers._Entry(tool) for tool in tools])
        assert [tool.identity for tool in found] == right


STANDARD = [peer for peer in peers.PEERS if not peer.wants]


@pytest.mark.parametrize("peer", STANDARD, ids=lambda peer: peer.name)
def test_a_peer_finds_what_it_is_asked_for(peer: type[peers.Peer]) -> None:
    engine = peer(peer.prepare(ROWS))
    assert len(engine.query(ROWS[7].name)) > 0
    if engine.views:
        view = engine.view([0, 7, 9])
        found = engine.query_in(ROWS[7].name, view)
        assert 1 <= len(found) <= 3
        assert len(engine.query_in(ROWS[7].name, engine.view([0]))) < len(found) + 1
        engine.forget_views()
    if engine.updates:
        ids = [at for at, row in enumerate(ROWS) if row.connector == ROWS[7].connector]
        changed = [ROWS[at]._replace(description="Zyzzyva.") for at in ids]
        assert len(engine.query("zyzzyva")) == 0
        engine.replace(ids, peer.prepare(changed))
        assert len(engine.query("zyzzyva")) == min(len(ids), peers.TOP)


def test_peers_are_chosen_by_part_of_their_names() -> None:
    names = [peer.name for peer in peers.choose("naive,sqlite", quick=False)[0]]
    assert names == ["toolrank", "own limit", "naive rule", "sqlite FTS5"]
    assert [peer.name for peer in peers.choose("none", quick=False)[0]] == ["toolrank", "own limit"]
    assert [peer.name for peer in peers.choose(None, quick=True)[0]] == names[:2] + names[2:]
    with pytest.raises(ValueError, match=r"peers must be of naive rule, .*; or all, or none, not 'lucene'"):
        peers.choose("naive,lucene", quick=False)


def test_a_missing_peer_is_named_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda name: None if name == "tantivy" else name)
    chosen, missing = peers.choose("all", quick=False)
    assert missing == ["tantivy: tantivy is not installed"]
    assert len(chosen) == len(peers.PEERS) - 1


def test_a_cold_query_finds_an_empty_word_cache() -> None:
    pool = Pool(peers.tools_of(ROWS))
    empty = memory.weigh(pool)
    for query in ask(ROWS):
        rank(query.text, pool)
    full = memory.weigh(pool)
    peers.forget(pool)
    assert memory.weigh(pool) < full
    assert full > empty


# ---- Timing, memory -------------------------------------------------------------------------------------------------


def test_a_turn_asks_everything_once_a_pass() -> None:
    asked: list[int] = []
    turn = Turn("all", asked.append, 24)
    asked.clear()
    turn.repeat = 2
    turn.run()
    assert asked == [*range(24), *range(24)]
    turn.take(3)
    assert list(turn.places) == list(range(0, 24, 3))
    assert len(turn.places) == FEWEST


def test_a_turn_is_made_ready_before_each_pass() -> None:
    done: list[object] = []
    turn = Turn("cold", done.append, 2, lambda: done.append("ready"))
    done.clear()
    turn.repeat = 1
    turn.run()
    turn.run()
    assert done == ["ready", 0, 1, "ready", 0, 1]


def test_toolrank_is_timed_over_the_sample_that_a_slow_engine_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, list[int]] = {"own": [], "slow": []}
    monkeypatch.setattr("benchmarks.timing.TOO_LONG", 0.0)
    own, slow = asked["own"].append, asked["slow"].append
    turns, samples = side_by_side({"own": own}, {"slow": slow}, 64, 2)
    assert turns["slow"].step == samples["own", "slow"].step == 64 // FEWEST
    assert samples["own", "slow"].each == own
    assert len(samples["own", "slow"].times) == 2


def test_weighing_counts_each_object_once_and_leaves_out_what_is_given() -> None:
    text = "a long text" * 100
    one = sys.getsizeof(text)
    assert memory.weigh([text, text]) == sys.getsizeof([text, text]) + one
    assert memory.weigh([text], without=[text]) == sys.getsizeof([text])
    assert memory.weigh({text: (1 << 9000,)}) == sum(map(sys.getsizeof, ({text: 1}, (1,), 1 << 9000))) + one
    tool = Tool("a_name_of_its_own", "a description")
    assert memory.weigh(tool) > sum(map(sys.getsizeof, (tool.name, tool.description)))


def test_an_index_that_holds_more_weighs_more() -> None:
    tools = peers.tools_of(ROWS)
    assert memory.weigh(Pool(tools[:100])) < memory.weigh(Pool(tools))


# ---- What is written ------------------------------------------------------------------------------------------------

FIGURES = [
    Figure("30", 30, "query, warm", "toolrank", 4.0, "us"),
    Figure("30", 30, "query, warm", "naive rule", 100.0, "us", 4.0),
    Figure("500", 500, "query, warm", "toolrank", 7.123456789, "us"),
]


def test_a_ratio_is_the_peers_time_over_toolranks_for_the_same_work() -> None:
    assert [figure.ratio for figure in FIGURES] == [None, 25.0, None]


def test_a_table_without_rich_is_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tell, "find_spec", lambda _: None)
    told = tell.table("Sizes", ["engine", "us"], [["toolrank", "4"], ["naive rule", "1,234"]])
    assert told == "Sizes\n  engine         us\n  toolrank        4\n  naive rule  1,234"


def test_the_examples_of_the_writers_hold() -> None:
    assert doctest.testmod(tell).failed == 0
    assert doctest.testmod(tell).attempted > 1


def test_a_record_is_json_with_one_line_a_figure() -> None:
    text = tell.as_json(tell.with_run({}, {"commit": "abc", "load": [1.0]}, FIGURES))
    told = json.loads(text)
    assert told["runs"] == [{"commit": "abc", "load": [1.0]}]
    assert told["figures"][1] == {
        "catalogue": "30",
        "tools": 30,
        "measure": "query, warm",
        "engine": "naive rule",
        "value": 100.0,
        "unit": "us",
        "against": 4.0,
        "ratio": 25.0,
        "run": 1,
    }
    assert told["figures"][2]["value"] == 7.1235
    assert sum('"measure"' in line for line in text.splitlines()) == len(FIGURES)


def test_a_second_run_adds_to_the_record_and_what_it_measures_again_is_new() -> None:
    first = json.loads(tell.as_json(tell.with_run({}, {"load": [1.0]}, FIGURES)))
    again = [FIGURES[2]._replace(value=9.0), Figure("100", 100, "query, warm", "toolrank", 5.0, "us")]
    both = tell.with_run(first, {"load": [2.0]}, again)
    assert both["runs"] == [{"load": [1.0]}, {"load": [2.0]}]
    assert [(row["tools"], row["value"], row["run"]) for row in both["figures"]] == [
        (30, 4.0, 1),
        (30, 100.0, 1),
        (100, 5.0, 2),
        (500, 9.0, 2),
    ]


LINES: dict[str, list[tuple[float, float]]] = {
    "toolrank": [(30, 4.0), (500, 7.0), (10_000, 18.0)],
    "a < b & c": [(30, 8.0), (500, 6.9), (10_000, 18.5)],
}


def drawn(lines: dict[str, list[tuple[float, float]]]) -> ET.Element:
    return ET.fromstring(tell.as_svg("Cost & size", lines, "tools", "us"))


def texts(root: ET.Element) -> Sequence[str | None]:
    return [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_is_well_formed_and_names_every_engine() -> None:
    root = drawn(LINES)
    assert {"Cost & size", "tools", "us", "toolrank", "a < b & c", "10", "100,000", "1", "100"} <= set(texts(root))
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == 6
    places = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in circles]
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    assert all(0 < x < width and 0 < y < height for x, y in places)
    across = sorted({x for x, _ in places})
    assert len(across) == 3
    # On a logarithmic axis 500 stands as far from 30 as 17 times further on from anywhere.
    assert (across[1] - across[0]) / (across[2] - across[1]) == pytest.approx(1.222 / 1.301, abs=0.01)


def test_a_cost_that_is_higher_stands_higher_and_labels_do_not_lie_on_each_other() -> None:
    root = drawn(LINES)
    labels = {
        one.text: float(one.attrib["y"])
        for one in root.iter("{http://www.w3.org/2000/svg}text")
        if "fill" in one.attrib
    }
    assert labels["toolrank"] - labels["a < b & c"] >= 14


def test_the_same_figures_give_the_same_picture() -> None:
    assert tell.as_svg("t", LINES, "x", "y") == tell.as_svg("t", dict(LINES), "x", "y")


# ---- The command ----------------------------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_command_checks_and_then_measures() -> None:
    done = run(
        "-m",
        "benchmarks.speed",
        "--only",
        "query",
        "--sizes",
        "20",
        "--rounds",
        "1",
        "--triples",
        "20",
        "--peers",
        "naive",
    )
    assert done.returncode == 0, done.stderr
    assert "20 random (pool, view, query) triples are answered as the rule says" in done.stdout
    assert "query, warm" in done.stdout
    assert "naive rule" in done.stdout


def test_the_command_runs_as_a_file_too() -> None:
    done = run("benchmarks/speed.py", "--profile", "--sizes", "20", "--triples", "5")
    assert done.returncode == 0, done.stderr
    assert "20 tools: 4,000 warm queries" in done.stdout


def test_the_command_refuses_a_measure_that_it_does_not_have() -> None:
    done = run("-m", "benchmarks.speed", "--only", "queries")
    assert done.returncode == 2
    assert (
        "--only must be of build, query, kinds, restricted, update, worst, memory, import, not queries" in done.stderr
    )
