"""The sub-command `lint`: what to mend in the tools that are read."""

from __future__ import annotations

import argparse
import json
from itertools import groupby

from toolrank._cli import Command, Report, add_pool_options, pool_of
from toolrank._cli_tables import progress
from toolrank.lint import KINDS, lint

__all__ = ["LINT"]


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pool_options(parser)
    parser.add_argument(
        "--ignore", metavar="KIND", choices=list(KINDS), nargs="+", action="extend", help="kinds not to tell"
    )
    parser.add_argument("--json", action="store_true", help="print the findings as one line of JSON")


def _lint(options: argparse.Namespace) -> Report:
    pool = pool_of(options)
    ignored = options.ignore or []
    found = [finding for finding in lint(pool, progress("lint")) if finding.kind not in ignored]
    status = 1 if found else 0
    if options.json:
        return Report(json.dumps([finding.to_dict() for finding in found]), status)
    if not found:
        return Report(f"Nothing to mend in {len(pool)} tools.", status)
    told = []
    for kind, findings in groupby(found, key=lambda finding: finding.kind):
        lines = [f"  {finding}" for finding in findings]
        told += ["", f"{kind}: {KINDS[kind]} ({len(lines)})", *lines]
    return Report("\n".join(told[1:]), status)


LINT = Command("lint", "tell what to mend in the tools (exit status 1 where there is something)", _add_options, _lint)
