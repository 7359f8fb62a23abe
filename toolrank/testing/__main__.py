"""The command door: `python -m toolrank.testing --command 'prog args'`.

Exit status: 0 where every property is kept, 1 where one is broken, 2 for bad usage or a program that cannot be started,
3 where nothing is broken but something could not be judged.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from toolrank.testing import TIERS, check
from toolrank.testing._command import CommandRanker, CommandViewRanker
from toolrank.testing._property import DEFAULT_EXAMPLES, DEFAULT_TIMEOUT


def _parser() -> argparse.ArgumentParser:
    by_default = [tier.name for tier in TIERS[:4]]
    parser = argparse.ArgumentParser(
        prog="python -m toolrank.testing",
        description="Try a ranker behind a program: one JSON line in, one JSON line out, for each call.",
        epilog="Exit status: 0 all kept, 1 something broken, 2 bad usage, 3 nothing broken but something not judged.",
    )
    parser.add_argument("--command", required=True, help="the program and its arguments, as one string")
    parser.add_argument("--tiers", nargs="+", choices=[tier.name for tier in TIERS], default=by_default, metavar="TIER")
    parser.add_argument(
        "--examples", type=int, default=DEFAULT_EXAMPLES, help="for each property (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed tries the same examples (default: 0)")
    parser.add_argument(
        "--timeout", type=float, default=DEFAULT_TIMEOUT, help="seconds for a call (default: %(default)g)"
    )
    parser.add_argument("--views", action="store_true", help="the program reads `visible`")
    parser.add_argument(
        "--surrogates", action="store_true", help="send lone surrogates too, which many languages cannot read"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    door = CommandViewRanker if chosen.views else CommandRanker
    try:
        with door(chosen.command, chosen.timeout) as ranker:
            ranker.start()
            report = check(
                ranker,
                [tier for tier in TIERS if tier.name in chosen.tiers],
                examples=chosen.examples,
                seed=chosen.seed,
                timeout=None,  # the door has its own
                surrogates=chosen.surrogates,
            )
    except (OSError, ValueError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)  # noqa: T201
        return 2
    print(json.dumps(report.to_dict()) if chosen.json else report)  # noqa: T201
    return report.exit_status


if __name__ == "__main__":
    sys.exit(main())
