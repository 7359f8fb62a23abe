"""The sub-commands that put a query to a pool: `search` and `explain`."""

from __future__ import annotations

import argparse
import json

from toolrank._cli import Command, InputError, Report, add_pool_options, policy, pool_of
from toolrank._explain import explain
from toolrank._floor import HALF
from toolrank._pool import Pool
from toolrank._rank import rank
from toolrank._tool import Tool

__all__ = ["EXPLAIN", "SEARCH"]


def _add_search_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="words, a guessed tool name, or several; +word must match")
    add_pool_options(parser)
    parser.add_argument(
        "--limit", metavar="N", type=_limit, default=10, help="how many tools to show at most, or `all` (default: 10)"
    )
    _add_answer_options(parser)


def _add_explain_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="the query to explain")
    parser.add_argument("tool", metavar="TOOL", help="the name of a tool, as NAME or as CONNECTOR:NAME")
    add_pool_options(parser)
    _add_answer_options(parser)


def _add_answer_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--floor",
        metavar="SHARE",
        type=policy,
        default=HALF,
        help="the share of the query that a tool must cover, from 0 to 1, such as 1/3 or 0.4; or squares, which asks "
        "less of long queries (default: 1/2)",
    )
    parser.add_argument("--json", action="store_true", help="print the whole answer as one line of JSON")


def _limit(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isdecimal() and text.isascii() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, or all, not {text!r}")
    return int(text)


def _search(options: argparse.Namespace) -> Report:
    answer = rank(options.query, pool_of(options), options.limit, floor=options.floor)
    return Report(json.dumps(answer.to_dict()) if options.json else str(answer), 0 if answer else 1)


def _explain(options: argparse.Namespace) -> Report:
    pool = pool_of(options)
    told = explain(options.query, pool, _tool(options.tool, pool), floor=options.floor)
    return Report(json.dumps(told.to_dict()) if options.json else str(told), 0 if told.returned else 1)


def _tool(text: str, pool: Pool) -> Tool:
    """Find the visible tool that `CONNECTOR:NAME`, or `NAME` alone, means."""
    by_both = [tool for tool in pool if f"{tool.connector}:{tool.name}" == text]
    found = by_both or [tool for tool in pool if tool.name == text]
    if not found:
        raise InputError(f"TOOL must be NAME or CONNECTOR:NAME of a visible tool, not {text!r}")
    if len(found) > 1:
        names = " or ".join(sorted(repr(f"{tool.connector}:{tool.name}") for tool in found))
        raise InputError(f"TOOL must be one tool, {names}, not {text!r}")
    return found[0]


SEARCH = Command("search", "rank tools for a query, or say why none fits", _add_search_options, _search)
EXPLAIN = Command("explain", "say why one tool is where it is, or why it is absent", _add_explain_options, _explain)
