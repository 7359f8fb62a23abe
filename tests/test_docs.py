"""Everything that the pages show runs: commands here, doctests where pytest collects README.md and docs.

A block of `console` is a session: after `$ ` a command, after `> ` its next line, then what it prints, standard error
included. A block that neither this module nor doctest runs has a comment above it that names who does, or why nobody.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = ("python", "pycon", "sh", "bash", "shell", "console")


class Block(NamedTuple):
    """A fenced block: its page and line, what it says it is, what stands in it, and the comment above it."""

    page: str
    line: int
    language: str
    text: str
    comment: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


_FENCED = re.compile(
    r"(?:^<!-- (?P<comment>.+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)


def blocks_of(page: str, text: str) -> list[Block]:
    """Find the fenced blocks of a page."""
    return [
        Block(page, text.count("\n", 0, found.start("text")), found["language"], found["text"], found["comment"] or "")
        for found in _FENCED.finditer(text)
    ]


def session(block: Block) -> list[tuple[str, str]]:
    """Read a console block: each command with the output shown."""
    steps: list[tuple[str, str]] = []
    for line in block.text.splitlines(keepends=True):
        command, shown = steps[-1] if steps else ("", "")
        if line.startswith("$ "):
            steps.append((line[2:], ""))
        elif line.startswith("> ") and not shown:
            steps[-1] = (command + line[2:], "")
        else:
            assert steps, f"{block}: a session begins with a command"
            steps[-1] = (command, shown + line)
    return steps


MARK = "-- end of this command --"


def outputs(commands: list[str], folder: Path) -> list[str]:
    """Run commands one after the other in one shell at the root; `python3` is the Python that runs the tests."""
    python = folder / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    # The subshell hands the command's status on, so that the next one can look at `$?`.
    script = "exec 2>&1\n" + "".join(f"{c}\nstatus=$?; echo '{MARK}'; (exit $status)\n" for c in commands)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash"], input=script.encode(), cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=False
    )
    return done.stdout.decode().split(f"{MARK}\n")[:-1]


BLOCKS = [block for page in PAGES for block in blocks_of(str(page.relative_to(ROOT)), page.read_text(encoding="utf-8"))]
README = [block for block in BLOCKS if block.page == "README.md"]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "console"], ids=str)
def test_a_session_prints_what_is_shown(block: Block, tmp_path: Path) -> None:
    steps = session(block)
    assert outputs([command for command, _ in steps], tmp_path) == [shown for _, shown in steps]


def test_the_first_command_of_the_readme_prints_what_is_shown_below_it(tmp_path: Path) -> None:
    (at,) = [i for i, block in enumerate(README) if block.comment == "demo-command"]
    assert (README[at].language, README[at + 1].language) == ("sh", "text")
    assert outputs([README[at].text], tmp_path) == [README[at + 1].text]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language in CODE], ids=str)
def test_a_block_of_code_runs_or_says_who_runs_it(block: Block) -> None:
    runs_here = block.language == "console" or block.text.startswith(">>> ")
    assert runs_here or block.comment, f"{block}: neither a session, nor a doctest, nor a comment above it"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_links_to_what_is_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_blocks_and_sessions_are_read_as_they_stand() -> None:
    text = (
        "Text.\n\n<!-- why -->\n```sh\nmake\n```\n\n```console\n$ echo a \\\n> b\na b\n\n$ false\n$ echo $?\n1\n```\n"
    )
    first, second = blocks_of("page.md", text)
    assert first == Block("page.md", 4, "sh", "make\n", "why")
    assert (second.line, second.language, second.comment) == (8, "console", "")
    assert session(second) == [("echo a \\\nb\n", "a b\n\n"), ("false\n", ""), ("echo $?\n", "1\n")]


def test_the_shell_hands_each_commands_output_and_status_on(tmp_path: Path) -> None:
    commands = ["echo a >&2", "(exit 7)", "echo $?", "python3 -c 'import sys; print(sys.version)'"]
    assert outputs(commands, tmp_path) == ["a\n", "", "7\n", f"{sys.version}\n"]
