"""The three doors: `check` and its report, pytest's parametrisation as the how-to shows it, and the command."""

# ruff: noqa: ARG005 - a ranker has three arguments, also where it heeds none of them

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolrank import Tool
from toolrank.testing import CONTRACT, FLOOR, PRIVACY, TIERS, CommandRanker, Failure, OwnRanker, check
from toolrank.testing.__main__ import main
from toolrank.testing._ask import Asker
from toolrank.testing._property import Outcome

PROGRAMS = Path(__file__).with_name("programs.py")
HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "test-your-ranker.md"
TOOLS = [Tool("list_issues", connector="GitHub"), Tool("get_page")]


def command(how: str) -> str:
    return shlex.join([sys.executable, str(PROGRAMS), how])


# ---- check ----------------------------------------------------------------------------------------------------------


def test_a_report_is_a_table_the_notes_and_the_counterexamples() -> None:
    report = check(lambda query, tools, limit: [], [FLOOR, PRIVACY], examples=20)
    table, notes, counterexample = str(report).split("\n\n")
    assert table.splitlines()[0].split() == ["tier", "property", "outcome", "examples"]
    assert len(table.splitlines()) == 1 + len(FLOOR) + len(PRIVACY)
    assert notes.splitlines() == [
        "restriction_equals_absence: not applicable: the ranker has no method `restricted`",
        "hidden_tools_stay_hidden: not applicable: the ranker has no method `restricted`",
    ]
    assert counterexample == str(report.failures[0])
    assert (report.ok, report.exit_status) == (False, 1)


def test_a_report_is_json_ready() -> None:
    told = json.loads(json.dumps(check(lambda query, tools, limit: [], [FLOOR], examples=5).to_dict()))
    assert told["ok"] is False
    last = told["results"][-1]
    assert last["counterexample"].startswith("full_cover_is_never_withheld: ")
    assert {**last, "counterexample": ""} == {
        "tier": "FLOOR",
        "property": "full_cover_is_never_withheld",
        "claim": "A tool that has every word of the query is returned.",
        "outcome": "broken",
        "judged": 0,
        "unjudged": 0,
        "why": "",
        "counterexample": "",
    }
    assert told["results"][0]["counterexample"] is None


def test_a_failure_shows_tools_by_the_fields_that_matter_and_views_by_whom_they_show() -> None:
    asker = Asker(OwnRanker(), None)
    tool = Tool("a", "b", "c", "d", ["e"], True, False, payload=3)
    asker.attempt("a", [tool], 1, frozenset({("c", "a")}))
    asker.attempt("a", [], 1)
    assert str(Failure("name", "Claim.", tuple(asker.calls), "other")).splitlines() == [
        "name: Claim.",
        "  tools = [",
        (
            "      Tool('a', description='b', connector='c', title='d', parameters=('e',), read_only=True, "
            "destructive=False),"
        ),
        "  ]",
        "  call 1:   restricted('a', tools, limit=1, visible=[('c', 'a')])",
        "  got:      [(('c', 'a'), 1099511627781.0)]",
        "  tools2 = []",
        "  call 2:   rank('a', tools2, limit=1)",
        "  got:      []",
        "  expected: other",
    ]


# ---- pytest ---------------------------------------------------------------------------------------------------------


def blocks() -> dict[str, str]:
    """The how-to's fenced files, by the name in the comment above each."""
    return dict(re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", HOW_TO.read_text("utf-8"), flags=re.DOTALL))


def test_the_five_lines_of_the_how_to_are_five_and_run(tmp_path: Path) -> None:
    files = blocks()
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    lines = [line for line in files["test_my_ranker.py"].splitlines() if line]
    assert len([line for line in lines if not line.startswith(("import", "from"))]) <= 5
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_ranker.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    told = HOW_TO.read_text("utf-8")
    summary = ran.stdout.strip().splitlines()[-1]
    outcome = re.match(r"\d+ failed, \d+ passed", summary)
    assert outcome, ran.stdout + ran.stderr
    assert outcome[0] in told
    for failed in re.findall(r"^FAILED \S+\[(\w+)\]", ran.stdout, flags=re.MULTILINE):
        assert failed in told


# ---- The command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def program() -> Iterator[Any]:
    opened: list[CommandRanker] = []

    def start(how: str, timeout: float = 30.0) -> CommandRanker:
        opened.append(CommandRanker(command(how), timeout))
        return opened[-1]

    yield start
    for ranker in opened:
        ranker.close()


def test_a_program_answers_with_and_without_scores_and_labels(program: Any) -> None:
    assert program("own")("list issues", TOOLS, 10) == [(("GitHub", "list_issues"), 10 + (1 << 40))]
    assert program("by-name")("issue page", TOOLS, 10) == [("", "get_page"), ("GitHub", "list_issues")]


@pytest.mark.parametrize(
    ("how", "outcomes", "told"),
    [
        ("error", ("broken", "unjudged"), "ProgramError: the program said: out of cheese"),
        ("crash", ("broken", "unjudged"), "ended with status 1, having written to standard error: no such table"),
        ("quiet-crash", ("broken", "unjudged"), "ProgramError: the program ended with status 3"),
        ("hits", ("kept", "broken"), "an answer with 7: not a sequence"),
        ("id", ("kept", "broken"), "not one with id "),
        ("junk", ("kept", "broken"), "'the line Listening on port 80, not one with id "),
        ("deep", ("kept", "broken"), "the line [[["),
    ],
)
def test_what_a_bad_program_does_is_reported(program: Any, how: str, outcomes: tuple[str, str], told: str) -> None:
    ranker = program(how)
    results = [
        prop.run(ranker, examples=1, seed=0, timeout=None, surrogates=False, shrink=False)
        for prop in list(CONTRACT)[:2]
    ]
    assert tuple(result.outcome.value for result in results) == outcomes
    failure = next(result.failure for result in results if result.failure is not None)
    assert told in str(failure)


@pytest.mark.parametrize("how", ["hang", "deaf"])
def test_a_program_that_hangs_or_does_not_read_is_stopped(program: Any, how: str) -> None:
    ranker = program(how, timeout=0.3)
    long = [Tool(f"tool_{number}", "x" * 1000) for number in range(200)]  # more than a pipe holds
    with pytest.raises(TimeoutError, match=r"the program wrote no line within 0\.3 s and was stopped"):
        ranker("issue", long, 10)


def test_a_program_that_was_stopped_is_started_again(program: Any) -> None:
    ranker = program("hangs-later", timeout=2.0)
    for _ in range(2):
        assert ranker("page", TOOLS, 10) == [("", "get_page")]
    with pytest.raises(TimeoutError):
        ranker("page", TOOLS, 10)
    ranker.timeout = 30.0
    assert ranker("page", TOOLS, 10) == [("", "get_page")]


def test_a_command_must_name_a_program() -> None:
    with pytest.raises(ValueError, match="command must be a program and its arguments, not ''"):
        CommandRanker("")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_good_program_is_kept_with_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    names = [tier.name for tier in TIERS]
    status, out, _ = run(capsys, "--command", command("own"), "--views", "--examples", "9", "--tiers", *names)
    assert status == 0, out
    assert out.count(" kept ") >= 22


def test_a_program_that_breaks_a_property_has_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(
        *(capsys, "--command", command("by-name"), "--examples", "4", "--seed", "1", "--tiers", "FLOOR", "--json")
    )
    told = {result["property"]: result["outcome"] for result in json.loads(out)["results"]}
    assert (status, told["generic_words_are_no_answer"]) == (1, Outcome.BROKEN)


def test_a_program_that_could_not_be_judged_has_status_3(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--command", command("error"), "--examples", "2", "--tiers", "FLOOR")
    assert status == 3
    assert out.count("unjudged") >= 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--command", "/no/such/program"], "No such file or directory"),
        (["--command", ""], "command must be a program and its arguments, not ''"),
        (["--command", "'unclosed"], "No closing quotation"),
        (["--command", shlex.join([sys.executable, "-c", ""]), "--examples", "0"], "examples must be an integer of 1"),
    ],
)
def test_bad_usage_has_status_2(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert told in err


def test_the_module_runs() -> None:
    ran = subprocess.run([sys.executable, "-m", "toolrank.testing"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "--command" in ran.stderr
