"""A sweep says what each floor would return for one's own queries, and which one to take."""

from __future__ import annotations

import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from toolrank import Floor, Pool, Tool, _cli_sweep, _cli_tables, rank
from toolrank.__main__ import main
from toolrank.sweep import SHARES, Question, identity_of, sweep

ACCOUNT = str(Path(__file__).parent.parent / "docs" / "examples" / "account")
POOL = Pool(
    [
        Tool("list_users", "People of a workspace.", connector="Notion"),
        Tool("list_issues", "Open issues.", connector="Linear"),
        Tool("create_issue", "File one.", connector="Linear"),
    ]
)
ASKED = [
    Question("list notion users", ("list_users",)),
    Question("create an issue in linear"),
    Question("list_all_cal_com_schedules", ()),
]


def test_a_point_counts_what_rank_returns_at_that_floor() -> None:
    found = sweep(ASKED, POOL)
    assert [point.share for point in found.points] == list(SHARES)
    assert (found.asked, found.labelled, found.away) == (3, 1, 3)
    for point in found.points:
        answers = [rank(question.query, POOL, floor=Floor(point.share)) for question in ASKED]
        assert point.answered == sum(map(bool, answers))
        assert point.right == (POOL.tool("list_users") in answers[0].tools[:5])
        without = [{"Notion"}, {"Linear"}, set()]
        others = [POOL.restrict(lambda tool, gone=gone: tool.connector not in gone) for gone in without]  # type: ignore[misc]
        false = [rank(q.query, pool, floor=Floor(point.share)) for q, pool in zip(ASKED, others)]
        assert point.false == sum(map(bool, false))


def test_the_share_taken_is_the_least_that_keeps_false_answers_few() -> None:
    # Without Notion, `list` is in one of two tools and `users` in none: 1 bit of 3.6 is covered, more than a quarter.
    found = sweep([Question("list users", ("list_users",))], POOL)
    before = [point for point in found.points if point.share < found.share]
    assert (found.fits, found.share) == (True, Fraction(3, 10))
    assert [point.false for point in before] == [1, 1]
    told = "at 3/10 0 of 1 queries get an answer from connectors that cannot have one"
    assert found.why == f"{told}, and 1 of 1 get one from all"
    assert sweep([Question("list users")], POOL, allowed=Fraction(1)).share == SHARES[0]


def test_where_no_share_is_safe_the_one_with_the_fewest_false_answers_is_told_as_such() -> None:
    twins = Pool([Tool("search", connector="a"), Tool("search", connector="b")])
    found = sweep([Question("search", ("a:search",))], twins)
    assert (found.fits, found.share) == (False, SHARES[0])
    assert found.why.startswith("no share keeps that to 1/20 of them: at 1/5 1 of 1 queries")


def test_a_tool_that_is_named_whole_is_above_every_share() -> None:
    found = sweep([Question("list_users", ("list_users",))], POOL, [Fraction(1)])
    assert found.points[0][1:3] == (1, 1)


def test_one_connector_alone_tells_no_share_from_another() -> None:
    alone = POOL.restrict(["Linear"])
    found = sweep([Question("list issues", ("list_issues",))], alone)
    assert (found.share, found.fits, found.away) == (Fraction(1, 2), True, 0)
    assert "the only connector there is" in found.why
    assert sweep([Question("zebra")], Pool([])).points[0].answered == 0


def test_a_right_tool_behind_five_others_is_not_counted() -> None:
    tools = [Tool(f"page_{c}", connector="x") for c in "abcdef"]
    found = sweep([Question("page", ("page_f",)), Question("page", ("page_e",))], Pool(tools), [Fraction(1, 2)])
    assert found.points[0].right == 1


def test_progress_is_told_and_a_sweep_is_ready_for_json() -> None:
    told: list[tuple[int, int]] = []
    found = sweep(ASKED, POOL, [Fraction(1, 2)], progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    as_dict = json.loads(json.dumps(found.to_dict()))
    assert as_dict["share"] == "1/2"
    assert as_dict["points"] == [{"share": "1/2", "answered": 2, "right": 1, "false": found.points[0].false}]


def test_wrong_arguments_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"^pool must be a Pool, not \[\]$"):
        sweep(ASKED, [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^questions must hold a question or more, not none$"):
        sweep([], POOL)
    with pytest.raises(ValueError, match=r"^shares must hold a share or more, not none$"):
        sweep(ASKED, POOL, [])
    with pytest.raises(ValueError, match=r"^share must be from 0 to 1, not 2$"):
        sweep(ASKED, POOL, [Fraction(2)])
    with pytest.raises(ValueError, match=r"^right must be NAME or CONNECTOR:NAME of a visible tool, not 'x'$"):
        sweep([Question("q", ("x",))], POOL)


def test_a_tool_is_meant_by_its_name_where_one_has_it_else_with_its_connector() -> None:
    pool = Pool([Tool("search", connector="a"), Tool("search", connector="b"), Tool("a:search", connector="c")])
    assert identity_of("b:search", pool) == ("b", "search")
    assert identity_of("a:search", pool) == ("a", "search"), "connector and name before a name that looks like both"
    with pytest.raises(
        ValueError, match=r"^right must be CONNECTOR:NAME where several tools have one name, not 'search'$"
    ):
        identity_of("search", pool)


# ---- The command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "queries.txt"
    path.write_text("list my open issues\n\nrefund a customer\n", encoding="utf-8")
    return path


def test_the_command_prints_a_table_and_the_share_to_take(queries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(queries), "--tools", ACCOUNT, "--allow", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["share", "answered", "false"]
    assert len(lines) == 1 + len(SHARES) + 2
    assert lines[1].endswith("==================== <")
    assert lines[-1].startswith("Take 1/5: at 1/5 ")


def test_the_command_reads_right_tools_and_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "queries.jsonl"
    rows = [{"query": "refund a customer", "right": ["create_refund"]}, {"query": "cal.com bookings", "right": []}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["sweep", str(path), "--tools", ACCOUNT]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["share", "answered", "right", "false"]
    assert main(["sweep", str(path), "--tools", ACCOUNT, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["asked"], told["labelled"]) == (2, 1)


def test_the_command_says_with_status_1_that_no_share_is_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "queries.txt"
    path.write_text("list_issues", encoding="utf-8")
    assert main(["sweep", str(path), "--tools", ACCOUNT]) == 1
    assert "no share keeps that to 1/20 of them" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "queries.txt: must have a query in it"),
        ("a\n{nothing", "queries.txt: line 2: must be JSON ("),
        ('{"right": []}', "queries.txt: line 1: query must be a string, not None"),
        ('{"query": "a", "right": "b"}', "queries.txt: line 1: right must be a list of tools, not 'b'"),
        ('{"query": "a", "right": [1]}', "queries.txt: line 1: right must be a list of tools, not [1]"),
        ('\n{"query": "a", "right": ["b"]}', "queries.txt: line 2: right must be NAME or CONNECTOR:NAME"),
        ("\udcff", "queries.txt: must be a readable text file ("),
    ],
)
def test_the_command_refuses_bad_queries_in_one_line(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "queries.txt"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    assert main(["sweep", str(path), "--tools", ACCOUNT]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_the_command_refuses_a_file_that_is_not_there_and_a_share_that_is_none(
    queries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(queries) + "x", "--tools", ACCOUNT]) == 2
    assert main(["sweep", str(queries), "--tools", ACCOUNT, "--allow", "2"]) == 2
    assert "share must be from 0 to 1, not 2" in capsys.readouterr().err


# ---- Tables, progress and plots, with stand-ins for the libraries of the extra --------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def stand_in(monkeypatch: pytest.MonkeyPatch, **modules: dict[str, Any]) -> None:
    """Put modules of these contents where `import_module` finds them, and let them be found."""
    for name, content in modules.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name.replace("__", "."), module)
    monkeypatch.setattr(_cli_tables, "find_spec", lambda name: name)
    monkeypatch.setattr(_cli_sweep, "find_spec", lambda name: name)


def without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cli_tables, "find_spec", lambda _: None)
    monkeypatch.setattr(_cli_sweep, "find_spec", lambda _: None)


def test_a_table_on_a_terminal_is_drawn_by_rich_and_elsewhere_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    class Table:
        def __init__(self, box: object) -> None:
            self.lines: list[object] = [box]

        def add_column(self, *name: str, justify: str, overflow: str) -> None:
            self.lines.append((*name, justify, overflow))

        def add_row(self, *cells: str) -> None:
            self.lines.append(cells)

    class Console:
        def __init__(self, file: io.StringIO, width: int) -> None:
            assert width > 0
            self.file = file

        def print(self, drawn: Table) -> None:
            self.file.write(f"\n{drawn.lines}\n")

    stand_in(
        monkeypatch,
        rich={},
        rich__table={"Table": Table},
        rich__box={"SIMPLE": "box"},
        rich__text={"Text": str},
        rich__console={"Console": Console},
    )
    head, rows = ["share", "said"], [["1/2", "half"]]
    plain = _cli_tables.table(head, rows)
    assert plain == "share  said\n  1/2  half"
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert _cli_tables.table(head, rows) == str(
        ["box", ("share", "right", "fold"), ("said", "left", "fold"), ("1/2", "half")]
    )
    without_extras(monkeypatch)
    assert _cli_tables.table(head, rows) == plain


def test_progress_is_told_to_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    without_extras(monkeypatch)
    assert _cli_tables.progress("lint", io.StringIO()) is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert _cli_tables.progress("lint") is None
    stream = Terminal()
    tell = _cli_tables.progress("lint", stream)
    assert tell is not None
    tell(1, 2)
    tell(2, 2)
    assert stream.getvalue() == "\rlint: 1 of 2\r\x1b[K"


def test_progress_on_a_terminal_is_drawn_by_rich_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    stream = Terminal()

    class Progress:
        def __init__(self, console: object, transient: bool) -> None:
            assert (console, transient) == (stream, True)

        def add_task(self, what: str, total: None) -> int:
            told.append((what, total))
            return 7

        def start(self) -> None:
            told.append("start")

        def stop(self) -> None:
            told.append("stop")

        def update(self, task: int, completed: int, total: int) -> None:
            told.append((task, completed, total))

    stand_in(
        monkeypatch,
        rich={},
        rich__progress={"Progress": Progress},
        rich__console={"Console": lambda file: file},
    )
    tell = _cli_tables.progress("lint", stream)
    assert tell is not None
    tell(1, 2)
    tell(2, 2)
    assert told == [("lint", None), "start", (7, 1, 2), (7, 2, 2), "stop"]


def plotting(monkeypatch: pytest.MonkeyPatch, error: Exception | None = None) -> list[object]:
    """Stand in for matplotlib, and give what was drawn."""
    drawn: list[object] = []

    def save(path: str) -> None:
        drawn.append(path)
        if error is not None:
            raise error

    axes = SimpleNamespace(
        plot=lambda shares, values, label: drawn.append((label, len(shares), len(values))),
        axvline=lambda share, label, **_: drawn.append((label, share)),
        set_xlabel=lambda _: None,
        set_ylim=lambda *_: None,
        legend=lambda: None,
    )
    pyplot = {
        "subplots": lambda **_: (SimpleNamespace(savefig=save), axes),
        "close": lambda _: drawn.append("closed"),
    }
    stand_in(monkeypatch, matplotlib={"use": lambda _: None}, matplotlib__pyplot=pyplot)
    return drawn


def test_the_plot_has_a_line_for_each_count_that_there_is(queries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = plotting(monkeypatch)
    assert main(["sweep", str(queries), "--tools", ACCOUNT, "--allow", "1", "--plot", "sweep.svg"]) == 0
    count = len(SHARES)
    lines = [("answered", count, count), ("false", count, count), ("take 1/5", 0.2)]
    assert drawn == [*lines, "sweep.svg", "closed"]


def test_a_plot_that_cannot_be_written_or_drawn_is_told_in_one_line(
    queries: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plotting(monkeypatch, ValueError("no such format"))
    assert main(["sweep", str(queries), "--tools", ACCOUNT, "--plot", "a.doc"]) == 2
    assert (
        "--plot must be a file that can be written, .svg or .png, not 'a.doc' (no such format)"
        in capsys.readouterr().err
    )
    without_extras(monkeypatch)
    assert main(["sweep", str(queries), "--tools", ACCOUNT, "--plot", "a.svg"]) == 2
    assert "--plot must be left out, or matplotlib be installed" in capsys.readouterr().err
