"""Our own cases hold, the known limits are still limits, and the runner can tell a miss from a pass."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cases import Case, CaseError, answer, complaints, place, read_cases
from tests.cases.__main__ import main

FOLDER = Path(__file__).parent / "cases"
CASES = read_cases(FOLDER)

POOL = [
    {"name": "list_boats", "description": "Boats in the harbour.", "connector": "Harbour"},
    {"name": "rent_boat", "description": "Take a boat out.", "connector": "Harbour"},
    {"name": "list_tides", "description": "High and low water.", "connector": "Sea"},
    {"name": "list_ports", "description": "Where to land.", "connector": "Sea"},
]


def told(**more: Any) -> dict[str, Any]:
    """Make a case about boats, with other values where given."""
    return {"id": "x", "kind": "made", "why": "made", "query": "list boats", "pool": POOL, **more}


def write(folder: Path, *cases: object) -> Path:
    """Write a case file."""
    path = folder / "made.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return path


def made(folder: Path, **more: Any) -> Case:
    """Write a case and read it back."""
    (case,) = read_cases(write(folder, told(**more)))
    return case


# --- our own cases ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [case for case in CASES if not case.limit_known], ids=lambda case: case.why)
def test_the_case_holds(case: Case) -> None:
    assert complaints(case) == []


@pytest.mark.parametrize("case", [case for case in CASES if case.limit_known], ids=lambda case: case.why)
def test_the_known_limit_is_still_one(case: Case) -> None:
    assert complaints(case) != [], "it holds now: take the mark away, and tell it in the changelog"


def test_ids_are_unique_and_every_case_has_its_reason() -> None:
    assert len({case.id for case in CASES}) == len(CASES) >= 90
    assert [case.id for case in CASES if not case.why.endswith(".")] == []


def test_the_limits_have_a_file_of_their_own() -> None:
    assert {case.limit_known for case in read_cases(FOLDER / "limits.jsonl")} == {True}
    assert {case.id for case in CASES if case.limit_known} == {case.id for case in read_cases(FOLDER / "limits.jsonl")}


def test_the_readme_tells_every_file() -> None:
    named = re.findall(r"^\| `(\w+\.jsonl)` ", (FOLDER / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in FOLDER.glob("*.jsonl"))


def test_hidden_tools_decide_the_cases_about_them() -> None:
    hiding = [case for case in CASES if case.hidden]
    for case in hiding:
        seen = {**{name: getattr(case, name) for name in Case.__dataclass_fields__}, "hidden": ()}
        assert complaints(Case(**seen)) != [], f"{case.id} holds whether or not anything is hidden"
    assert len(hiding) >= 4


# --- the runner: each expectation can fail ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holds", "fails"),
    [
        ({"first": "list_boats"}, {"first": "rent_boat"}),
        ({"first": "Harbour::list_boats"}, {"first": "Sea::list_tides"}),
        ({"contains": ["rent_boat", "list_boats"]}, {"contains": ["list_boats", "list_tides"]}),
        ({"not_contains": ["list_tides"]}, {"not_contains": ["list_tides", "rent_boat"]}),
        ({"order": ["list_boats", "rent_boat"]}, {"order": ["rent_boat", "list_boats"]}),
        ({"first": "list_boats", "not_contains": ["list_tides"]}, {"first": "list_boats", "contains": ["list_tides"]}),
    ],
)
def test_an_expectation_holds_or_fails_by_the_hits(
    tmp_path: Path, holds: dict[str, Any], fails: dict[str, Any]
) -> None:
    # `list` is the commoner word, so `rent_boat` covers more than half of `list boats`, and `list_tides` less.
    assert [tool.name for tool in answer(made(tmp_path, expect=holds)).tools] == ["list_boats", "rent_boat"]
    assert complaints(made(tmp_path, expect=holds)) == []
    assert len(complaints(made(tmp_path, expect=fails))) == 1


def test_empty_holds_for_no_hits_alone(tmp_path: Path) -> None:
    assert complaints(made(tmp_path, query="anchor", expect={"empty": True})) == []
    assert complaints(made(tmp_path, expect={"empty": True})) == [
        "empty true, got Harbour::list_boats, Harbour::rent_boat"
    ]


def test_a_complaint_says_what_came_instead(tmp_path: Path) -> None:
    case = made(tmp_path, query="anchor", expect={"first": "rent_boat"})
    assert complaints(case) == ['first "rent_boat", got nothing']


def test_expectations_are_about_the_hits_within_the_limit(tmp_path: Path) -> None:
    assert complaints(made(tmp_path, expect={"contains": ["rent_boat"]})) == []
    assert complaints(made(tmp_path, limit=1, expect={"contains": ["rent_boat"]})) != []
    many = [{"name": f"boat_{number:02}"} for number in range(12)]
    last = {"contains": ["boat_11"]}
    assert complaints(made(tmp_path, query="boat", pool=many, expect=last)) != []
    assert complaints(made(tmp_path, query="boat", pool=many, limit=None, expect=last)) == []


def test_order_asks_for_every_tool_in_turn(tmp_path: Path) -> None:
    pool = [{"name": name} for name in ("boat_a", "boat_b", "boat_c")]
    for order, holds in [
        (["boat_a", "boat_b", "boat_c"], True),
        (["boat_a", "boat_c"], True),
        (["boat_a", "boat_c", "boat_b"], False),
        (["boat_a", "boat_a"], False),
    ]:
        assert (complaints(made(tmp_path, query="boat", pool=pool, expect={"order": order})) == []) is holds, order


def test_a_connector_and_a_name_must_both_match(tmp_path: Path) -> None:
    pool = [{"name": "list_boats", "connector": "A"}, {"name": "list_boats", "connector": "B"}]
    assert complaints(made(tmp_path, pool=pool, expect={"first": "A::list_boats"})) == []
    assert complaints(made(tmp_path, pool=pool, expect={"first": "B::list_boats"})) != []
    assert place(answer(made(tmp_path, pool=pool, expect={"first": "list_boats"})).tools, "B::list_boats") == 2


# --- the runner: what surrounds the question --------------------------------------------------------------------------


def test_a_hidden_tool_is_restricted_away(tmp_path: Path) -> None:
    case = made(tmp_path, hidden=["list_boats"], expect={"not_contains": ["list_boats"]})
    assert complaints(case) == []
    assert complaints(made(tmp_path, expect=case.expect)) != []


def test_a_removed_tool_was_connected_and_is_gone(tmp_path: Path) -> None:
    removed = [{"name": "count_boats", "connector": "Old"}]
    case = made(tmp_path, removed=removed, query="count_boats", expect={"not_contains": ["count_boats"]})
    assert complaints(case) == []
    assert [tool.name for tool in answer(case).tools] == []


def test_a_removed_definition_may_have_the_identity_of_a_living_tool(tmp_path: Path) -> None:
    removed = [{**POOL[1], "description": "Charter a yacht."}]
    assert complaints(made(tmp_path, removed=removed, query="yacht", expect={"empty": True})) == []
    assert complaints(made(tmp_path, removed=removed, query="rent", expect={"first": "rent_boat"})) == []


def test_pages_are_joined_and_a_page_that_comes_twice_adds_nothing(tmp_path: Path) -> None:
    for size in (1, 2, 3, 4, 9):
        case = made(tmp_path, page_size=size, expect={"contains": ["list_boats", "rent_boat"]})
        assert answer(case).tools == answer(made(tmp_path, expect=case.expect)).tools, size


def test_at_scale_a_case_must_hold_both_alone_and_among_others(tmp_path: Path) -> None:
    # Alone, the unknown `oars` outweighs the other two; among forty, they are rare too and outweigh it.
    question: dict[str, Any] = {"query": "list boat oars", "scale": 40}
    assert complaints(made(tmp_path, **question, expect={"not_contains": ["list_tides"]})) == []
    assert complaints(made(tmp_path, **question, expect={"empty": True})) == [
        "empty true with 40 more tools, got Harbour::list_boats"
    ]
    assert complaints(made(tmp_path, **question, expect={"first": "list_boats"})) == ['first "list_boats", got nothing']


# --- the runner: what is no case --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "made.jsonl:1: "),
        ("[1]", "a case must be an object, not [1]"),
        (json.dumps(told(expect={"first": "rent_boat"}, limt=3)), "a case must have known keys, not limt"),
        (json.dumps(told()), "expect"),
        (json.dumps(told(expect={})), "expect must have an expectation, not {}"),
        (json.dumps(told(expect={"frist": "rent_boat"})), "expect must have known keys, not frist"),
        (json.dumps(told(expect={"empty": False})), "empty must be true, or left out"),
        (json.dumps(told(expect={"contains": "rent_boat"})), "contains must be a list of names, not 'rent_boat'"),
        (json.dumps(told(expect={"contains": []})), "contains must be a list of names, not []"),
        (json.dumps(told(expect={"order": ["rent_boat"]})), "order must be a list of names, not ['rent_boat']"),
        (json.dumps(told(expect={"first": "rent_baot"})), "rent_baot must be a tool of the pool or a removed one"),
        (
            json.dumps(told(expect={"not_contains": ["Sea::rent_boat"]})),
            "Sea::rent_boat must be a tool of the pool or a removed one",
        ),
        (
            json.dumps(told(expect={"first": "rent_boat"}, hidden=["boat"])),
            "boat must be a tool of the pool or a removed one",
        ),
        (
            json.dumps(told(expect={"first": "a"}, pool=[{"name": "a", "desc": "b"}])),
            "a tool must have known keys, not desc",
        ),
        (json.dumps(told(expect={"first": "a"}, pool=[{"name": 7}])), "name must be a string, not 7"),
    ],
)
def test_a_line_that_is_no_case_is_an_error_that_names_the_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "made.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        read_cases(path)
    assert str(caught.value).startswith(f"{path}:1: ")
    assert message in str(caught.value)


def test_blank_lines_are_nothing_and_the_others_keep_their_numbers(tmp_path: Path) -> None:
    good = json.dumps(told(expect={"first": "list_boats"}))
    path = tmp_path / "made.jsonl"
    path.write_text(f"\n{good}\n\n", encoding="utf-8")
    assert len(read_cases(path)) == 1
    path.write_text(f"\n{good}\n{{\n", encoding="utf-8")
    with pytest.raises(CaseError, match=r"made\.jsonl:3: "):
        read_cases(path)


def test_a_path_without_a_case_is_an_error(tmp_path: Path) -> None:
    empty = write(tmp_path)
    for path in (empty, tmp_path):
        with pytest.raises(CaseError, match="must hold at least one case"):
            read_cases(path)
    with pytest.raises(CaseError, match="absent"):
        read_cases(tmp_path / "absent.jsonl")


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_counts_passes_misses_and_known_misses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(
        tmp_path,
        told(id="a", expect={"first": "list_boats"}),
        told(id="b", expect={"first": "rent_boat"}),
        told(id="c", expect={"first": "rent_boat"}, limit_known=True),
        told(id="d", expect={"first": "list_boats"}, limit_known=True),
    )
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "pass   a  made: list boats",
        "MISS   b  made: list boats",
        '         first "rent_boat", got Harbour::list_boats, Harbour::rent_boat',
        "known  c  made: list boats",
        '         first "rent_boat", got Harbour::list_boats, Harbour::rent_boat',
        "pass   d  made: list boats  (marked limit_known)",
        "2 passes, 1 misses, 1 known misses",
    ]


def test_the_command_is_content_with_known_misses_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, told(expect={"first": "rent_boat"}, limit_known=True))
    assert main([str(path), str(path)]) == 0
    assert capsys.readouterr().out.endswith("0 passes, 0 misses, 2 known misses\n")


def test_the_command_refuses_what_is_no_case_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(tmp_path, told(expect={"first": "list_boats"}))
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n", encoding="utf-8")
    assert main([str(good), str(bad)]) == 2
    printed = capsys.readouterr()
    assert printed.out == "", "nothing is judged from half of the files"
    assert printed.err.startswith(f"{bad}:1: ")
    for arguments in ([], ["--help"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err == "usage: python -m tests.cases PATH [PATH...]\n"


def test_the_command_prints_any_query_on_any_terminal(tmp_path: Path) -> None:
    path = write(tmp_path, told(query="b\u00f6t\ud800", expect={"empty": True}))
    run = subprocess.run(
        [sys.executable, "-m", "tests.cases", str(path)],
        cwd=FOLDER.parent.parent,
        env={"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert run.stderr == b""
    assert run.returncode == 0
    assert b"b\\xf6t\\ud800" in run.stdout
