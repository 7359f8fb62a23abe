"""A ranker behind a command: any program that reads one JSON line a call, and writes one.

    > {"id": 1, "query": "list issues", "limit": 10, "tools": [{"name": "list_issues", "description": "", ...}]}
    < {"id": 1, "hits": [{"connector": "", "name": "list_issues", "score": 10}]}

`connector` may be left out where it is empty, and `score` where there is none. A program that cannot answer writes
`{"id": 1, "error": "why"}`. With views, a call may have `"visible": [["connector", "name"], ...]`.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, TypeVar

from toolrank import Tool
from toolrank.testing._strategies import Identity

__all__ = ["CommandRanker", "CommandViewRanker", "ProgramError"]


Self = TypeVar("Self", bound="CommandRanker")


class ProgramError(Exception):
    """The program ended, or said that it cannot answer."""


class _Program:
    """One running process: lines in, lines out, each with a thread of its own so that nothing can block a call."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.asked: queue.Queue[bytes | None] = queue.Queue()
        self.complaints: deque[bytes] = deque(maxlen=3)
        pipes = self.process.stdin, self.process.stdout, self.process.stderr
        jobs = zip((self._write, self._read, self._listen), pipes)
        self.threads = [threading.Thread(target=job, args=(pipe,), daemon=True) for job, pipe in jobs]
        for thread in self.threads:
            thread.start()

    def _write(self, pipe: IO[bytes]) -> None:
        # Where the program is gone, whoever waits for its answer learns it from the end of its output.
        with suppress(OSError), pipe:
            while (line := self.asked.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                self.lines.put(line)
        self.lines.put(None)

    def _listen(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                self.complaints.append(line[:500])

    def end(self) -> str:
        """Stop the process and tell how it ended."""
        self.process.kill()
        self.asked.put(None)
        status = self.process.wait()
        for thread in self.threads:
            thread.join(1)
        said = b"".join(self.complaints).decode("utf-8", "replace").strip()
        return f"status {status}" + (f", having written to standard error: {said}" if said else "")


class CommandRanker:
    """A program as a ranker: started at the first call, and again after one that it did not answer as it should.

    `command` is a list of words, or one string that is split as a shell would split it, without a shell. A call that
    takes longer than `timeout` seconds raises TimeoutError. Close it, or use it in a `with`.
    """

    def __init__(self, command: str | Sequence[str], timeout: float = 10.0) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.command:
            raise ValueError(f"command must be a program and its arguments, not {command!r}")
        self.timeout = timeout
        self._program: _Program | None = None
        self._calls = 0

    def start(self) -> None:
        """Start the program; OSError where there is none."""
        if self._program is None:
            self._program = _Program(self.command)

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> Any:
        """Ask the program; what it returns is read by the kit."""
        return self._ask({"query": query, "limit": limit, "tools": [_told(tool) for tool in tools]})

    def _ask(self, call: dict[str, Any]) -> Any:
        self.start()
        program = self._program
        assert program is not None
        self._calls += 1
        program.asked.put(json.dumps({"id": self._calls, **call}).encode("ascii") + b"\n")
        try:
            line = program.lines.get(timeout=self.timeout)
        except queue.Empty:
            self.close()
            raise TimeoutError(f"the program wrote no line within {self.timeout:g} s and was stopped") from None
        if line is None:
            program.process.wait()
            self._program = None
            raise ProgramError(f"the program ended with {program.end()}")
        said = _heard(line)
        if isinstance(said, dict) and said.get("id") == self._calls and isinstance(said.get("error"), str):
            raise ProgramError(f"the program said: {said['error']}")
        if isinstance(said, dict) and said.get("id") == self._calls and isinstance(said.get("hits"), list):
            return [_hit(hit) for hit in said["hits"]]
        # Whatever it was, lines and calls may be out of step from here.
        self.close()
        return f"the line {line[:300].decode('utf-8', 'replace').rstrip()}, not one with id {self._calls} and hits"

    def close(self) -> None:
        """Stop the program."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def __enter__(self: Self) -> Self:  # noqa: PYI019 - typing.Self is of 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CommandViewRanker(CommandRanker):
    """A program that also reads `visible`: the identities of the tools that the caller sees."""

    def restricted(self, query: str, tools: Sequence[Tool], limit: int, visible: frozenset[Identity], /) -> Any:
        """Ask the program on behalf of a caller who sees some of the tools."""
        told = [_told(tool) for tool in tools]
        return self._ask(
            {"query": query, "limit": limit, "tools": told, "visible": [list(one) for one in sorted(visible)]}
        )


def _told(tool: Tool) -> dict[str, Any]:
    fields = ("name", "description", "connector", "title", "read_only", "destructive")
    return {**{field: getattr(tool, field) for field in fields}, "parameters": list(tool.parameters)}


def _heard(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _hit(hit: Any) -> Any:
    """Return a hit as the kit reads it, or as it is where it is none."""
    if not isinstance(hit, dict):
        return hit
    identity = (hit.get("connector", ""), hit.get("name"))
    return (identity, hit["score"]) if hit.get("score") is not None else identity
