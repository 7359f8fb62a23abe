"""What the sub-commands of the command line share.

A sub-command is a `Command`: it adds its options to a parser, and turns the parsed options into text and an exit
status. It prints nothing itself, so that what a terminal must never see raw is decided in one place, `__main__`. Wrong
input is an `InputError` of one line.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from toolrank._cli_files import InputError, read
from toolrank._floor import SQUARES, Floor, FloorPolicy
from toolrank._pool import Pool

__all__ = ["Command", "InputError", "Parser", "Report", "add_pool_options", "floor", "policy", "pool_of"]


class Report(NamedTuple):
    """What a sub-command found: the text for standard output, and the exit status."""

    text: str
    status: int


class Command(NamedTuple):
    """A sub-command: `add_options` fills its parser, `run` does its work."""

    name: str
    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Report]


class Parser(argparse.ArgumentParser):
    """A parser whose errors are `InputError` like any other wrong input."""

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of printing the usage before it."""
        raise InputError(f"{message} (`{self.prog} --help` tells the usage)")


def add_pool_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which tools are visible."""
    parser.add_argument(
        "--tools",
        metavar="PATH",
        nargs="+",
        action="extend",
        required=True,
        help="saved tools/list results in JSON: files, folders of *.json files, or - for standard input",
    )
    parser.add_argument(
        "--connector",
        metavar="LABEL",
        help="the connector of every tool read, instead of what each file names or is called",
    )
    parser.add_argument(
        "--only", metavar="LABEL", nargs="+", action="extend", help="rank as if these connectors alone were visible"
    )
    parser.add_argument(
        "--without", metavar="LABEL", nargs="+", action="extend", help="rank as if these connectors were not there"
    )


def pool_of(options: argparse.Namespace) -> Pool:
    """Read the files that the options name, and keep the connectors that they leave visible."""
    pool = Pool(read(options.tools, options.connector))
    connected = {tool.connector for tool in pool}
    kept = connected if options.only is None else _labels("--only", options.only, connected)
    kept = kept - _labels("--without", options.without or [], connected)
    return pool if kept == connected else pool.restrict(lambda tool: tool.connector in kept)


def _labels(option: str, labels: list[str], connected: set[str]) -> set[str]:
    # A mistyped label would show as an empty answer, or hide nothing: both look like a ranking.
    for label in labels:
        if label not in connected:
            known = ", ".join(map(repr, sorted(connected))) or "which there are none"
            raise InputError(f"{option} must be a connector of the tools read, of {known}, not {label!r}")
    return set(labels)


def policy(text: str) -> FloorPolicy:
    """Read the value of `--floor`: a share, or the name of the policy that is no plain share."""
    return SQUARES if text == "squares" else floor(text)


def floor(text: str) -> Floor:
    """Read a share, in the way of `argparse`'s types."""
    try:
        return Floor(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
