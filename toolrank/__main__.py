"""The command line: `python -m toolrank`, and `toolrank` once installed.

This module chooses the sub-command and owns the terminal: what is printed, how, and with which exit status. 0 is an
answer, 1 an empty one, 2 wrong usage or input, told in one line on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import toolrank
from toolrank._cli import Command, InputError, Parser
from toolrank._cli_lint import LINT
from toolrank._cli_search import EXPLAIN, SEARCH
from toolrank._cli_sweep import SWEEP

__all__ = ["COMMANDS", "main"]

# A new sub-command is a `Command` in a module of its own, and an entry here.
COMMANDS: tuple[Command, ...] = (SEARCH, EXPLAIN, LINT, SWEEP)

_DESCRIPTION = "Rank the tools of MCP servers for a query, and return nothing where nothing fits."
_STATUS = "Exit status: 0 with an answer, 1 with an empty one, 2 for wrong usage or input."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status.

    `arguments` are those after the program's name; None means the process's own.
    """
    try:
        options = _parser().parse_args(arguments)
        text, status = options.run(options)
        return _print(text, status)
    except InputError as error:
        print(_shown(f"toolrank: {error}", sys.stderr, lines=False), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130  # as a shell tells it


def _parser() -> Parser:
    parser = Parser(prog="toolrank", description=_DESCRIPTION, epilog=_STATUS, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"toolrank {toolrank.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        child = commands.add_parser(
            command.name, help=command.summary, description=command.summary, epilog=_STATUS, allow_abbrev=False
        )
        command.add_options(child)
        child.set_defaults(run=command.run)
    return parser


def _print(text: str, status: int) -> int:
    """Print an answer; a reader who has gone, as in `| head -1`, changes nothing about it."""
    try:
        print(_shown(text, sys.stdout, lines=True), flush=True)
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _discard_output()
        raise InputError(f"standard output: must take the answer ({error.strerror})") from None
    return status


def _discard_output() -> None:
    """Point standard output at nothing, or the interpreter would try once more as it ends, and complain."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def _shown(text: str, stream: object, *, lines: bool) -> str:
    r"""Return text as a terminal may see it: control characters, and what its encoding has not got, escaped.

    Line ends stay where `lines` is True.

    >>> _shown("caf\u00e9\x1b[2J", None, lines=True)
    'café\\x1b[2J'
    """
    kept = "\n" if lines else ""
    text = "".join([c if c.isprintable() or c in kept else repr(c)[1:-1] for c in text])
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


if __name__ == "__main__":
    sys.exit(main())
