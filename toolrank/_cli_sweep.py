"""The sub-command `sweep`: what each floor would return for one's own queries."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from toolrank._cli import Command, InputError, Report, add_pool_options, floor, pool_of
from toolrank._cli_tables import progress, table
from toolrank._pool import Pool
from toolrank.sweep import Point, Question, Sweep, identity_of, sweep

__all__ = ["SWEEP"]

_BAR = 20  # characters of a bar, of all queries


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "queries",
        metavar="QUERIES",
        help='a text file of one query a line, or one of JSON lines: {"query": "...", "right": ["TOOL", ...]}',
    )
    add_pool_options(parser)
    parser.add_argument(
        "--allow",
        metavar="SHARE",
        type=_share,
        default=Fraction(1, 20),
        help="of the queries asked where nothing fits, how many may get an answer (default: 1/20)",
    )
    parser.add_argument("--plot", metavar="PATH", help="draw the sweep as an SVG or PNG file (extra `cli`)")
    parser.add_argument("--json", action="store_true", help="print the sweep as one line of JSON")


def _share(text: str) -> Fraction:
    return floor(text).share


def _sweep(options: argparse.Namespace) -> Report:
    questions = _questions(Path(options.queries))
    if options.plot and find_spec("matplotlib") is None:
        raise InputError("--plot must be left out, or matplotlib be installed (the extra `cli` brings it)")
    pool = pool_of(options)
    for place, question in questions:
        _check(question, pool, place)
    found = sweep([question for _, question in questions], pool, allowed=options.allow, progress=progress("sweep"))
    if options.plot:
        _plot(found, options.plot)
    return Report(json.dumps(found.to_dict()) if options.json else _told(found), 0 if found.fits else 1)


def _check(question: Question, pool: Pool, place: str) -> None:
    """Look for the right tools of a question before anything long begins, while its line is known."""
    try:
        for name in question.right or ():
            identity_of(name, pool)
    except ValueError as error:
        raise InputError(f"{place}: {error}") from None


def _questions(path: Path) -> list[tuple[str, Question]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: must be a readable text file ({error})") from None
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = f"{path}: line {number}"
            found.append((place, _question(line, place) if line.lstrip()[0] == "{" else Question(line.strip())))
    if not found:
        raise InputError(f"{path}: must have a query in it")
    return found


def _question(line: str, place: str) -> Question:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: must be JSON ({error})") from None
    query, right = row.get("query"), row.get("right")
    if not isinstance(query, str):
        raise InputError(f"{place}: query must be a string, not {query!r}")
    if right is not None and not (isinstance(right, list) and all(isinstance(name, str) for name in right)):
        raise InputError(f"{place}: right must be a list of tools, not {right!r}")
    return Question(query, None if right is None else tuple(right))


def _told(found: Sweep) -> str:
    head = ["share", "answered", "right", "false", ""]
    rows = [_row(point, found) for point in found.points]
    if not found.labelled:
        head.remove("right")
        rows = [[*row[:2], *row[3:]] for row in rows]
    return f"{table(head, rows)}\n\nTake {found.share}: {found.why}."


def _row(point: Point, found: Sweep) -> list[str]:
    of = ((point.answered, found.asked), (point.right, found.labelled), (point.false, found.away))
    counts = [f"{count} of {every}" for count, every in of]
    bar = "=" * (point.answered * _BAR // found.asked)
    return [str(point.share), *counts, bar + (" <" if point.share == found.share else "")]


def _plot(found: Sweep, path: str) -> None:
    matplotlib = import_module("matplotlib")
    matplotlib.use("agg")
    plt = import_module("matplotlib.pyplot")
    figure, axes = plt.subplots(figsize=(6, 4))
    shares = [float(point.share) for point in found.points]
    for name, of in (("answered", found.asked), ("right", found.labelled), ("false", found.away)):
        if of:
            axes.plot(shares, [getattr(point, name) / of for point in found.points], label=name)
    axes.axvline(float(found.share), linestyle=":", label=f"take {found.share}")
    axes.set_xlabel("share of the query's mass that a tool must cover")
    axes.set_ylim(0, 1.02)
    axes.legend()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise InputError(f"--plot must be a file that can be written, .svg or .png, not {path!r} ({error})") from None
    finally:
        plt.close(figure)


SWEEP = Command("sweep", "tell what each floor would return for your own queries", _add_options, _sweep)
