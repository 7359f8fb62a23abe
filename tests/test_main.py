"""The command line does what its help says, and whatever it is given ends in an answer or in one line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolrank
from toolrank import Pool, Tool, rank
from toolrank.__main__ import COMMANDS, main
from toolrank.mcp import tools

ROOT = Path(__file__).parent.parent
NOTION = str(ROOT / "docs" / "examples" / "notion.json")
ACCOUNT = str(ROOT / "docs" / "examples" / "account")
INCIDENT = "list_all_cal_com_schedules"


class Outcome:
    """What one run of the command came to."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def names(self) -> list[str]:
        """The tools of a table, in order."""
        return [line.split()[0] for line in self.out.splitlines()[1:]]

    @property
    def json(self) -> Any:
        """The one line of JSON."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one line of an error, on standard error alone."""
        assert (self.status, self.out) == (2, "")
        assert self.err.startswith("toolrank: ")
        assert self.err.endswith("\n")
        line = self.err[len("toolrank: ") : -1]
        assert line.isprintable(), "one line, and nothing in it that a terminal would obey"
        return line


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*arguments: object) -> Outcome:
        status = main([str(argument) for argument in arguments])
        return Outcome(status, *capsys.readouterr())

    return go


def process(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own."""
    command = [sys.executable, "-m", "toolrank", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, **more)


def listing(*given: str | Tool, **beside: object) -> str:
    """Write a tools/list result, with more keys beside its tools."""
    made = [Tool(tool) if isinstance(tool, str) else tool for tool in given]
    return json.dumps({"tools": [{"name": tool.name, "description": tool.description} for tool in made], **beside})


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def save(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return save


Saved = Callable[[str, "str | bytes"], Path]


# --- the main job -----------------------------------------------------------------------------------------------------


def test_the_incident_is_answered_with_nothing_and_the_words_that_no_tool_knows(run: Run) -> None:
    answer = run("search", INCIDENT, "--tools", NOTION)
    assert answer.status == 1
    assert answer.out == (
        f"Nothing fits '{INCIDENT}': no visible tool knows 'cal', 'com' or 'schedules', "
        "and its known words weigh less than the floor asks for.\n"
    )
    assert answer.err == ""


def test_hits_are_a_table_with_score_coverage_and_matched_words(run: Run) -> None:
    answer = run("search", "refund a payment", "--tools", ACCOUNT)
    assert answer.status == 0
    assert answer.out == (
        "tool           connector  score  coverage  matched words\n"
        "create_refund  stripe     7      100%      refund payment\n"
    )


def test_a_folder_is_every_json_file_in_it_each_file_a_connector(run: Run, saved: Saved) -> None:
    folder = saved("account/a.json", listing("read_page")).parent
    saved("account/b.json", listing("write_page"))
    saved("account/notes.txt", "not a listing")
    saved("account/deeper.json/c.json", listing("move_page"))
    hits = run("search", "page", "--tools", folder, "--json").json["hits"]
    assert [(hit["connector"], hit["name"]) for hit in hits] == [("a", "read_page"), ("b", "write_page")]


def test_several_paths_are_one_pool_and_the_option_may_be_repeated(run: Run, saved: Saved) -> None:
    a, b, c = (saved(f"{name}.json", listing(f"{name}_page")) for name in ("a", "b", "c"))
    assert run("search", "page", "--tools", a, b, "--tools", c).names == ["a_page", "b_page", "c_page"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "read_page"}]',
        '{"tools": [{"name": "read_page"}]}',
        '{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "read_page"}], "nextCursor": "2"}}',
        '\ufeff{"tools": [{"name": "read_page"}]}',
    ],
    ids=["a bare list", "a result", "a response", "a byte order mark before it"],
)
def test_every_shape_of_a_saved_result_is_read(run: Run, saved: Saved, text: str) -> None:
    (hit,) = run("search", "page", "--tools", saved("docs.json", text), "--json").json["hits"]
    assert (hit["connector"], hit["name"]) == ("docs", "read_page")


@pytest.mark.parametrize(
    "text",
    [
        listing("read_page", connector="Docs"),
        listing("read_page", server="Docs"),
        json.dumps({"jsonrpc": "2.0", "id": 1, "server": "Docs", "result": json.loads(listing("read_page"))}),
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": json.loads(listing("read_page", connector="Docs"))}),
        listing("read_page", connector="Docs", server="other"),
        listing("read_page", connector={"name": "other"}, server="Docs"),
    ],
    ids=["connector", "server", "around the result", "inside the result", "connector first", "a string only"],
)
def test_a_file_may_name_its_server_and_the_option_overrules_it(run: Run, saved: Saved, text: str) -> None:
    path = saved("stem.json", text)
    assert run("search", "page", "--tools", path, "--json").json["hits"][0]["connector"] == "Docs"
    (hit,) = run("search", "page", "--tools", path, "--connector", "mine", "--json").json["hits"]
    assert hit["connector"] == "mine"


def test_standard_input_is_read_and_has_no_label_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given = listing("read_page").encode()
    for label, more in (("", []), ("docs", ["--connector", "docs"])):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        (hit,) = run("search", "page", "--tools", "-", "--json", *more).json["hits"]
        assert hit["connector"] == label


def test_a_pipe_has_no_label_of_its_own(run: Run) -> None:
    reader, writer = os.pipe()
    os.write(writer, listing("read_page").encode())
    os.close(writer)
    (hit,) = run("search", "page", "--tools", f"/dev/fd/{reader}", "--json").json["hits"]
    os.close(reader)
    assert hit["connector"] == ""


# --- what is visible, how many, and how much they must cover ----------------------------------------------------------


def test_only_and_without_rank_as_if_the_other_connectors_were_not_there(run: Run) -> None:
    alone = run("search", "list issues", "--tools", Path(ACCOUNT) / "linear.json", "--json").json
    assert run("search", "list issues", "--tools", ACCOUNT, "--only", "linear", "--json").json == alone
    others = ["github", "google-calendar", "slack", "stripe"]
    assert run("search", "list issues", "--tools", ACCOUNT, "--without", *others, "--json").json == alone
    both = ["--only", "linear", "slack", "--without", "slack"]
    assert run("search", "list issues", "--tools", ACCOUNT, *both, "--json").json == alone


def test_without_the_connector_that_has_the_answer_nothing_is_found(run: Run) -> None:
    answer = run("search", "create refund", "--tools", ACCOUNT, "--without", "stripe")
    assert answer.status == 1
    assert "no visible tool knows 'refund'" in answer.out


def test_an_account_of_which_nothing_is_left_says_so(run: Run) -> None:
    answer = run("search", "page", "--tools", NOTION, "--without", "notion")
    assert (answer.status, answer.out) == (1, "Nothing fits 'page': no tools are visible.\n")


@pytest.mark.parametrize("option", ["--only", "--without"])
def test_a_label_that_no_tool_has_is_an_error_that_lists_the_labels(run: Run, saved: Saved, option: str) -> None:
    assert run("search", "page", "--tools", ACCOUNT, option, "notion").error == (
        f"{option} must be a connector of the tools read, of 'github', 'google-calendar', 'linear', 'slack', 'stripe', "
        "not 'notion'"
    )
    assert run("search", "page", "--tools", saved("a.json", "[]"), option, "a").error == (
        f"{option} must be a connector of the tools read, of which there are none, not 'a'"
    )


def test_limit_bounds_the_table_and_all_lifts_it(run: Run) -> None:
    query = ["search", "list", "--tools", ACCOUNT]
    everything = run(*query, "--limit", "all").names
    assert len(everything) > 10
    assert run(*query).names == everything[:10]
    assert run(*query, "--limit", "3").names == everything[:3]


def test_the_floor_takes_what_floor_takes(run: Run) -> None:
    query = ["search", "delete issue", "--tools", ACCOUNT]
    half = run(*query).names
    assert run(*query, "--floor", "1/2").names == run(*query, "--floor", "0.5").names == half
    assert run(*query, "--floor", "0.9", "--limit", "all").names == []
    assert len(run(*query, "--floor", "0").names) > len(half)


def test_the_floor_may_be_squares_which_answers_longer_queries(run: Run) -> None:
    text = "add a comment to the pull request that changes the login page today"
    assert run("search", text, "--tools", ACCOUNT).names == []
    told = run("search", text, "--tools", ACCOUNT, "--floor", "squares").names
    assert told == ["add_issue_comment", "pull_request_read"]
    assert "reaches" in run("explain", text, told[0], "--tools", ACCOUNT, "--floor", "squares").out


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--limit", "0", "must be a whole number of 1 or more, or all, not '0'"),
        ("--limit", "-1", "must be a whole number of 1 or more, or all, not '-1'"),
        ("--limit", "٣", "must be a whole number of 1 or more, or all, not '٣'"),
        ("--limit", "9" * 5000, f"must be a whole number of 1 or more, or all, not '{'9' * 5000}'"),
        ("--floor", "2", "share must be from 0 to 1, not 2"),
        ("--floor", "half", "share must be a number from 0 to 1, not 'half'"),
        ("--floor", "1/0", "share must be a number from 0 to 1, not '1/0'"),
    ],
)
def test_a_value_that_an_option_cannot_take_is_an_error(run: Run, option: str, value: str, complaint: str) -> None:
    assert run("search", "page", "--tools", NOTION, f"{option}={value}").error == (
        f"argument {option}: {complaint} (`toolrank search --help` tells the usage)"
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "the following arguments are required: COMMAND (`toolrank --help` tells the usage)"),
        (
            ["search", "page"],
            "the following arguments are required: --tools (`toolrank search --help` tells the usage)",
        ),
        (
            ["explain", "page", "--tools", NOTION],
            "the following arguments are required: TOOL (`toolrank explain --help` tells the usage)",
        ),
        (
            ["search", "page", "--tools", NOTION, "--tool\x1b[2J\n"],
            "unrecognized arguments: --tool\\x1b[2J\\n (`toolrank --help` tells the usage)",
        ),
    ],
)
def test_wrong_usage_is_one_line_that_tells_where_the_help_is(run: Run, arguments: list[str], complaint: str) -> None:
    assert run(*arguments).error == complaint


# --- JSON -------------------------------------------------------------------------------------------------------------


def test_json_is_the_whole_answer_on_one_line(run: Run) -> None:
    pool = Pool(tools(Path(NOTION).read_text(encoding="utf-8"), connector="notion"))
    for query, status in (("update a page", 0), (INCIDENT, 1)):
        answer = run("search", query, "--tools", NOTION, "--json")
        assert (answer.status, answer.json) == (status, rank(query, pool).to_dict())


def test_json_is_ascii_whatever_the_tools_are_called(run: Run, saved: Saved) -> None:
    name = "page \x1b\x7f 日本 \ud800"
    answer = run("search", "page", "--tools", saved("a.json", listing(name)), "--json")
    assert answer.json["hits"][0]["name"] == name
    assert answer.out[:-1].isascii()
    assert answer.out[:-1].isprintable()


# --- explain ----------------------------------------------------------------------------------------------------------


def test_explain_tells_word_by_word_why_a_tool_is_absent(run: Run) -> None:
    answer = run("explain", INCIDENT, "list_all_notion_users", "--tools", NOTION)
    assert answer.status == 1
    first, *words = answer.out.splitlines()
    assert first.startswith("list_all_notion_users absent: it covers ")
    assert [line.split()[0] for line in words] == ["list", "all", "cal", "com", "schedules"]
    assert [line.endswith("known to no visible tool") for line in words] == [False, False, True, True, True]


def test_explain_tells_where_a_tool_that_is_returned_stands(run: Run) -> None:
    told = run("explain", "list issues", "linear:list_issues", "--tools", ACCOUNT, "--json")
    assert told.status == 0
    assert (told.json["connector"], told.json["position"], told.json["named"]) == ("linear", 2, True)


def test_explain_holds_a_tool_to_the_floor_and_the_connectors_that_are_asked_for(run: Run) -> None:
    query = ["explain", "delete issue", "delete_file", "--tools", ACCOUNT]
    assert run(*query).status == 0
    assert run(*query, "--floor", "1").status == 1
    assert run("explain", "list issues", "list_issues", "--tools", ACCOUNT, "--only", "linear").status == 0


def test_a_tool_that_is_not_visible_or_not_one_tool_is_an_error(run: Run) -> None:
    for name in ("list_all_cal_com_schedules", "linear:create_refund"):
        assert run("explain", "page", name, "--tools", ACCOUNT).error == (
            f"TOOL must be NAME or CONNECTOR:NAME of a visible tool, not {name!r}"
        )
    hidden = run("explain", "page", "create_refund", "--tools", ACCOUNT, "--without", "stripe")
    assert hidden.error == "TOOL must be NAME or CONNECTOR:NAME of a visible tool, not 'create_refund'"
    assert run("explain", "page", "list_issues", "--tools", ACCOUNT).error == (
        "TOOL must be one tool, 'github:list_issues' or 'linear:list_issues', not 'list_issues'"
    )


def test_a_tool_without_a_connector_is_told_from_its_namesake(
    run: Run, saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = saved("docs.json", listing("read_page"))
    for name, connector in ((":read_page", ""), ("docs:read_page", "docs")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(listing("read_page").encode())))
        assert run("explain", "page", name, "--tools", "-", docs, "--json").json["connector"] == connector


# --- wrong input ------------------------------------------------------------------------------------------------------


def test_a_path_that_cannot_be_read_is_named(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    assert run("search", "page", "--tools", missing).error == (
        f"{missing}: must be a file that can be read (No such file or directory)"
    )


def test_a_folder_without_listings_is_named(run: Run, tmp_path: Path) -> None:
    assert run("search", "page", "--tools", tmp_path).error == (
        f"{tmp_path}: must be a file or a folder that has *.json files, not one without"
    )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"tools": [\n  {"name": "a"\n]}', "line 3, column 1: must be JSON (Expecting ',' delimiter)"),
        (b"", "line 1, column 1: must be JSON (Expecting value)"),
        (b'{"tools": [\n {"name": "caf\xe9"}]}', "line 2, byte 15: must be UTF-8, not byte 0xe9"),
        (b"\xff\xfe[\x00]\x00", "line 1, byte 1: must be UTF-8, not byte 0xff"),
    ],
    ids=["cut short", "empty", "latin-1", "utf-16"],
)
def test_a_file_that_is_not_utf_8_or_not_json_is_told_with_the_place(
    run: Run, saved: Saved, content: bytes, complaint: str
) -> None:
    path = saved("bad.json", content)
    assert run("search", "page", "--tools", NOTION, path).error == f"{path}: {complaint}"


def test_json_that_python_cannot_hold_is_an_error_and_no_traceback(run: Run, saved: Saved) -> None:
    path = saved("deep.json", "[" * 200_000 + "]" * 200_000)
    assert run("search", "page", "--tools", path).error.startswith(f"{path}: must be JSON that Python can hold (")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"name": "read_page"}', []),
        ('"read_page"', []),
        ("null", []),
        ('{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}}', []),
        ('{"tools": {"read_page": {}}}', []),
        ('[{"name": "read_page"}, {"title": "Write page"}]', ["1", "name"]),
        ('[{"name": "read_page"}, {"name": 7}]', ["1", "name", "7"]),
        ('[{"name": "read_page"}, "write_page"]', ["1"]),
    ],
)
def test_a_file_that_is_no_listing_is_told_with_the_index_and_nothing_is_ranked(
    run: Run, saved: Saved, text: str, told: list[str]
) -> None:
    path = saved("bad.json", text)
    error = run("search", "page", "--tools", path).error
    assert error.startswith(f"{path}: ")
    assert " must " in error
    assert "'bad'" in error, "the connector is named"
    for part in told:
        assert part in error


def test_two_tools_of_one_identity_are_told_with_both_places(run: Run, saved: Saved) -> None:
    one = saved("one.json", listing("write_page", Tool("read_page", "Read a page."), connector="docs"))
    two = saved("two.json", listing(Tool("read_page", "Show a page."), connector="docs"))
    assert run("search", "page", "--tools", one, two).error == (
        f"{two}: tools[0].name must be one that connector 'docs' has once, not 'read_page', "
        f"that of another tool ({one}: tools[1])"
    )


def test_a_file_given_twice_is_there_once_and_pages_join_under_one_label(run: Run, saved: Saved) -> None:
    one, two = saved("1.json", listing("a_page", "b_page")), saved("2.json", listing("b_page", "c_page"))
    hits = run("search", "page", "--tools", one, two, one, "--connector", "docs", "--json").json["hits"]
    assert [hit["name"] for hit in hits] == ["a_page", "b_page", "c_page"]


def test_standard_input_that_is_closed_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run("search", "page", "--tools", "-").error == "standard input: must be open"


# --- the terminal -----------------------------------------------------------------------------------------------------


def test_control_characters_of_names_never_reach_the_terminal(run: Run, saved: Saved) -> None:
    name = "page\x1b]0;owned\x07\r\n\x9b2J\u202e"
    path = saved("a\x1b.json", listing(name))
    table = run("search", "page", "--tools", path).out
    told = run("explain", "page", name, "--tools", path).out
    for text in (table, told):
        assert all(line.isprintable() for line in text.splitlines())
        assert "page\\x1b]0;owned\\x07\\r\\n\\x9b2J\\u202e" in text
    assert run("search", "page", "--tools", f"{path}\n").error.count("\\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16"])
def test_what_an_encoding_has_not_got_is_escaped(encoding: str, saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved("a.json", listing("日本_page_\ud800"))
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    assert main(["search", "日本 page", "--tools", str(path)]) == 0
    shown = "日本" if encoding.startswith("utf") else "\\u65e5\\u672c"
    assert f"{shown}_page_\\ud800" in raw.getvalue().decode(encoding)


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_c_locale_reads_and_prints_any_query(environment: dict[str, str], saved: Saved) -> None:
    path = saved("a.json", listing("ページ_page"))
    query = b"page \xff \xe3\x83\x9a".decode("utf-8", "surrogateescape")
    done = process("search", query, "--tools", str(path), "--floor", "0", env={**os.environ, **environment})
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 2


def test_a_reader_who_goes_early_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for query, status in (("page", 0), (INCIDENT, 1)):
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "w", encoding="utf-8") as gone:  # noqa: PTH123 - a file descriptor, not a path
            monkeypatch.setattr(sys, "stdout", gone)
            assert main(["search", query, "--tools", NOTION]) == status


def test_a_closed_pipe_is_quiet_to_the_end_of_the_process() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "toolrank", "search", "page", "--tools", NOTION]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


class Full(io.StringIO):
    """A device without space, with a descriptor to discard."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor

    def flush(self) -> None:
        raise OSError(28, "No space left on device")

    def fileno(self) -> int:
        return self.descriptor


def test_an_answer_that_cannot_be_written_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with (tmp_path / "out").open("wb") as file:
        monkeypatch.setattr(sys, "stdout", Full(file.fileno()))
        assert main(["search", "page", "--tools", NOTION]) == 2
    assert capsys.readouterr().err == "toolrank: standard output: must take the answer (No space left on device)\n"


def test_an_interrupt_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        @property
        def buffer(self) -> io.BytesIO:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    answer = run("search", "page", "--tools", "-")
    assert (answer.status, answer.out, answer.err) == (130, "", "")


# --- the command as a whole -------------------------------------------------------------------------------------------


def test_the_module_runs_and_ends_with_the_status() -> None:
    assert process("search", INCIDENT, "--tools", NOTION).returncode == 1
    assert process("search", "page", "--tools", "nowhere").returncode == 2


def test_it_needs_the_standard_library_alone() -> None:
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); "]
    command[-1] += "import toolrank.__main__ as m; sys.exit(m.main(sys.argv[1:]))"
    done = subprocess.run([*command, "search", "page", "--tools", NOTION], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_and_version_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, shown in (
        (["--version"], f"toolrank {toolrank.__version__}"),
        (["--help"], "Exit status: 0 with an answer"),
        *((["--help"], command.name) for command in COMMANDS),
        *(([command.name, "--help"], "--tools PATH") for command in COMMANDS),
    ):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        assert shown in capsys.readouterr().out
