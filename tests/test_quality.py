"""The quality benchmark: the set that was written here, files that do not fit, and what figures are made of."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

from benchmarks import quality
from benchmarks.quality_data import KINDS, Account, MisfitError, Set, own_set, read
from benchmarks.quality_metrics import Figure, Outcome, counted, cut_all, fold, judged, threshold
from benchmarks.quality_rankers import RANKERS, SWEPT, Answer, Shared, cut
from benchmarks.quality_sweep import at_false, curves_of
from benchmarks.quality_tell import as_json, fallen, record_of
from toolrank import HALF, SQUARES, Tool, rank

OURS = own_set()
NOTHING = Answer((), ())


# ---- The set that was written here ----------------------------------------------------------------------------------


def test_our_own_set_is_as_large_as_it_says() -> None:
    assert len({tool.connector for tool in OURS.catalogue.values()}) >= 12
    assert len(OURS.catalogue) >= 400
    assert len(OURS.accounts) >= 250
    for kind in KINDS:
        some = [account for account in OURS.accounts if account.kind == kind]
        without = [account for account in some if not account.gold]
        assert 0.3 < len(without) / len(some) < 0.4, "a third of each kind has no right answer"
    assert len({account.query for account in OURS.accounts}) == len(OURS.accounts)
    assert all(tool.description for tool in OURS.catalogue.values())


def test_an_account_is_the_connector_that_answers_and_eight_others() -> None:
    for account in OURS.accounts:
        own = {OURS.catalogue[i].connector for i in account.own}
        rest = {OURS.catalogue[i].connector for i in account.rest}
        assert (len(own), len(rest)) == (bool(account.gold), 8)
        assert not own & rest
        assert set(account.gold) <= set(account.own)


def test_who_could_fairly_answer_is_left_out_unless_the_product_is_named() -> None:
    by_query = {account.query: account for account in OURS.accounts}
    labels = {OURS.catalogue[i].connector for i in by_query["delete label"].rest}
    assert "Outlook" not in labels
    named = [a for a in OURS.accounts if a.gold and "jira" in a.query.lower() and a.own[0].startswith("Jira")]
    seen = {OURS.catalogue[i].connector for account in named for i in account.rest}
    assert {"Linear", "GitHub"} <= seen, "a rival's look-alike is there to be wrong"


# ---- Files ----------------------------------------------------------------------------------------------------------

TOOLS = [
    {"id": "n/list", "name": "list_users", "description": "People.", "connector": "Notion", "input_schema": {}},
    {"id": "l/list", "name": "list_issues", "description": None, "connector": "Linear"},
]
ASKED: dict[str, Any] = {"query": "list users", "kind": "guess", "source": "s", "gold": ["n/list"]}
ASKED |= {"own": ["n/list"], "rest": ["l/list"]}


def files(tmp_path: Path, accounts: list[Any], tools: list[Any] = TOOLS, zipped: bool = False) -> tuple[Path, Path]:
    made = []
    for name, rows in (("accounts", accounts), ("catalog", tools)):
        text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n"
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
        made.append(path)
    return made[0], made[1]


@pytest.mark.parametrize("zipped", [False, True])
def test_files_are_read_plain_or_zipped(tmp_path: Path, zipped: bool) -> None:
    data = read(*files(tmp_path, [ASKED, "", ASKED], zipped=zipped))
    assert data.accounts == [Account("list users", "guess", "s", ("n/list",), ("n/list",), ("l/list",))] * 2
    there, away = data.side(data.accounts[0], True), data.side(data.accounts[0], False)
    assert [tool.name for tool in there.tools] == ["list_users", "list_issues"]
    assert away.ids == ("l/list",)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**ASKED, "gold": ["n/gone"]}, "gold must be ids of the catalogue, not 'n/gone'"),
        ({**ASKED, "rest": ["l/list", "x"]}, "rest must be ids of the catalogue, not 'x'"),
        ({**ASKED, "gold": ["l/list"]}, "gold must be among own, not 'l/list'"),
        ({**ASKED, "gold": []}, "own must be empty where gold is, not 'n/list'"),
        ({**ASKED, "own": "n/list"}, "own must be a list of ids, not 'n/list'"),
        ({**ASKED, "kind": "poem"}, "kind must be one of guess, agent, user, not 'poem'"),
        ({**ASKED, "query": None}, "query must be a string, not None"),
        ("[]", "must be an object, not []"),
        ("{", "must be JSON ("),
    ],
)
def test_an_account_that_does_not_fit_is_told_in_one_line_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: Any, said: str
) -> None:
    accounts, catalogue = files(tmp_path, [ASKED, row])
    assert quality.main(["--quick", "--accounts", str(accounts), "--catalog", str(catalogue)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"accounts.jsonl: line 2: {said}" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ([TOOLS[0], TOOLS[0]], "line 2: id must be one that no line before has, not 'n/list'"),
        ([{"name": "a"}], "line 1: id must be a string, not None"),
        ([{"id": "a", "name": 1}], "line 1: 'a' must be a tool ("),
    ],
)
def test_a_catalogue_that_does_not_fit_is_told_with_its_place(tmp_path: Path, tools: list[Any], said: str) -> None:
    with pytest.raises(MisfitError) as raised:
        read(*files(tmp_path, [ASKED], tools))
    assert said in str(raised.value)


def test_files_that_are_missing_empty_or_alone_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accounts, catalogue = files(tmp_path, [""])
    assert quality.main(["--quick", "--accounts", str(accounts), "--catalog", str(catalogue)]) == 2
    assert quality.main(["--quick", "--accounts", str(accounts), "--catalog", str(tmp_path / "none")]) == 2
    assert quality.main(["--quick", "--accounts", str(accounts)]) == 2
    first, second, third = capsys.readouterr().err.splitlines()
    assert first.endswith("must have an account in it")
    assert "none: must be readable (" in second
    assert third == "quality: --accounts and --catalog must be given together"


def test_where_a_catalogue_has_a_name_twice_the_right_tool_is_kept(tmp_path: Path) -> None:
    twice = [*TOOLS, {"id": "n/list~2", "name": "list_users", "description": "Other.", "connector": "Notion"}]
    row = {**ASKED, "own": ["n/list~2", "n/list"]}
    assert read(*files(tmp_path, [row], twice)).accounts[0].own == ("n/list",)


# ---- Figures --------------------------------------------------------------------------------------------------------


def account(query: str, gold: tuple[str, ...] = ("a",), kind: str = "guess") -> Account:
    return Account(query, kind, "s", gold, gold, ("z",))


def answer(*ids: str, marks: tuple[float, ...] = ()) -> Answer:
    return Answer(ids, marks or (1.0,) * len(ids))


def test_each_asking_counts_as_the_protocol_says() -> None:
    outcomes = [
        Outcome(answer("a", "b"), NOTHING),  # first, and nothing where nothing fits
        Outcome(answer("b", "c", "d", "e", "a"), answer("z")),  # fifth, and a false answer
        Outcome(answer("b", "c", "d", "e", "f", "a"), NOTHING),  # sixth: no hit
        Outcome(NOTHING, NOTHING),  # empty
        Outcome(None, answer("z")),  # nothing could be right
    ]
    accounts = [*[account(f"q{at}") for at in range(4)], account("q4", ())]
    assert counted(accounts, outcomes) == {
        "first": [1, 0, 0, 0],
        "hit": [1, 1, 0, 0],
        "empty": [0, 0, 0, 1],
        "false": [0, 1, 0, 0, 1],
    }


def test_a_cut_off_keeps_what_reaches_it_and_leaves_a_twentieth_false() -> None:
    assert cut(answer("a", "b", "c", marks=(0.5, 0.9, 0.4)), 0.5) == answer("a", "b", marks=(0.5, 0.9))
    outcomes = [Outcome(None, answer("z", marks=(float(at),))) for at in range(100)]
    at = threshold(outcomes)
    assert sum(bool(outcome.away.ids) for outcome in cut_all(outcomes, [at] * 100)) == 5
    assert threshold([Outcome(None, NOTHING)] * 10) > -math.inf


def test_each_half_is_cut_where_the_other_half_says() -> None:
    accounts = [account(chr(97 + at % 2) * (at // 2 * 2 + 1), ()) for at in range(80)]
    assert {fold(one) for one in accounts} == {0, 1}
    outcomes = [Outcome(None, answer("z", marks=(1.0 + fold(one),))) for one in accounts]
    _, cuts = judged(accounts, outcomes)
    assert cuts[0] > 2 > cuts[1] > 1, "half 0 has marks of 1 and is cut by half 1's, which are 2"


def test_a_curve_counts_what_each_cut_off_would_return() -> None:
    tool = answer("b", "c", "d", "e", "f", "a", marks=(0.2, 0.9, 0.9, 0.9, 0.9, 0.6))
    outcomes = [Outcome(tool, answer("z", marks=(0.3,)))]
    points = curves_of([account("q")], {"ours": outcomes}, {"ours"})["ours"]["guess"]
    for at, false, hits in points:
        kept = cut(tool, at).ids
        assert (false, hits) == (float(at <= 0.3), float("a" in kept[:5]))
    assert at_false(points, 0.0) == (0.32, 0.0, 1.0)
    assert at_false([(0.5, 1.0, 1.0)], 0.5) is None


def test_the_curves_of_the_floors_are_what_rank_returns() -> None:
    share, squares, with_verbs = SWEPT
    every = [account for account in OURS.accounts if "omment" in account.query or account in OURS.accounts[::25]]
    for one in every:
        shared = Shared(OURS.side(one, connected=False))
        for ranker, floor, verbs in ((share, HALF, False), (squares, SQUARES, False), (with_verbs, SQUARES, True)):
            ids = tuple(shared.id_of[t.identity] for t in rank(one.query, shared.pool(verbs), floor=floor).tools)
            assert cut(ranker.answer(shared), 0.5).ids == ids


def test_no_two_rankers_have_one_name() -> None:
    assert len({ranker.name for ranker in RANKERS}) == len(RANKERS)


# ---- The record -----------------------------------------------------------------------------------------------------


def results(**values: float) -> dict[str, dict[str, dict[str, Figure]]]:
    every = {"first": 0.8, "hit": 0.9, "empty": 0.1, "false": 0.05} | values
    return {"HALF": {"guess": {name: Figure(value) for name, value in every.items()}}}


def test_a_figure_that_fell_is_told_and_one_that_rose_is_not() -> None:
    recorded = record_of(results())
    assert fallen(results(), recorded) == []
    assert fallen(results(first=0.9, false=0.0), recorded) == []
    assert fallen(results(hit=0.89), recorded) == ["HALF, guessed names: hit@5 was 0.900, and is 0.890 now"]
    assert fallen(results(false=0.06), recorded) == ["HALF, guessed names: false was 0.050, and is 0.060 now"]
    assert len(fallen({}, recorded)) == 4


def test_a_quick_run_is_held_to_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = {"n": Tool("list_users", "People.", "Notion"), "l": Tool("list_issues", "Work.", "Linear")}
    one = Account("notion users", "guess", "s", ("n",), ("n",), ("l",))
    monkeypatch.setattr(quality, "own_set", lambda: Set("small", catalogue, [one]))
    monkeypatch.setattr(quality, "RECORDED", tmp_path / "recorded.json")
    assert quality.main(["--quick", "--record"]) == 0
    assert quality.main(["--quick"]) == 0
    better = json.loads((tmp_path / "recorded.json").read_text())
    better["HALF"]["guess"]["hit"] = 1.5
    (tmp_path / "recorded.json").write_text(json.dumps(better))
    capsys.readouterr()
    assert quality.main(["--quick"]) == 1
    assert "fell: HALF, guessed names: hit@5 was 1.500, and is 1.000 now" in capsys.readouterr().out


def test_the_record_of_the_set_written_here_names_what_a_quick_run_measures() -> None:
    recorded = json.loads(quality.RECORDED.read_text(encoding="utf-8"))
    assert set(recorded) == {ranker.name for ranker in RANKERS if ranker.quick}


def test_a_run_is_written_as_json() -> None:
    run = json.loads(as_json({"commit": "abc"}, results(), {"HALF": {"guess": [[0.5, 0.1, 0.9]]}}))
    assert run["commit"] == "abc"
    assert run["figures"][0] == {
        "ranker": "HALF", "kind": "guess", "first": [0.8], "hit": [0.9], "empty": [0.1], "false": [0.05]
    }  # fmt: skip
    assert run["curves"]["HALF"]["guess"] == [[0.5, 0.1, 0.9]]
