"""Measure quality: the account protocol over labelled questions, beside the rankers one would use instead.

    python -m benchmarks.quality                                   # the set written here, and the table
    python -m benchmarks.quality --accounts PATH --catalog PATH    # any other set, of JSON lines, plain or gzipped
    python -m benchmarks.quality --embeddings                      # all-MiniLM-L6-v2 too (extra `quality-embeddings`)
    python -m benchmarks.quality --sweep                           # the curves and the constants of the policies
    python -m benchmarks.quality --quick                           # counted figures of ours alone, held to the record
    python -m benchmarks.quality --quick --record                  # after a change that is meant: record them anew

Each question is asked of an account in which a right tool is visible, and of the same account without that connector.
Exit status: 0 where all is well, 1 where a figure fell below the recorded one, 2 for input that does not fit.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a file, too

from benchmarks import quality_policy, quality_tell  # noqa: E402
from benchmarks.quality_data import DATA, KINDS, MisfitError, Set, own_set, read  # noqa: E402
from benchmarks.quality_metrics import Outcome, figures, judged  # noqa: E402
from benchmarks.quality_rankers import SWEPT, Ranker, Shared, chosen  # noqa: E402
from benchmarks.quality_sweep import Curves, curves_of, told  # noqa: E402

RECORDED = DATA / "quality-recorded.json"
RESULTS = ROOT / "benchmarks" / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    try:
        return _run(options)
    except MisfitError as misfit:
        print(f"quality: {misfit}", file=sys.stderr)
        return 2


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="quality", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--accounts", type=Path, metavar="PATH", help="accounts, one a line (with --catalog)")
    parser.add_argument("--catalog", type=Path, metavar="PATH", help="tools, one a line (with --accounts)")
    parser.add_argument("--quick", action="store_true", help="ours alone, counted, and held to the recorded figures")
    parser.add_argument("--record", action="store_true", help="with --quick: record the figures")
    parser.add_argument("--embeddings", action="store_true", help="embeddings too")
    parser.add_argument("--sweep", action="store_true", help="sweep the floors and the constants, too")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one account in N (default: all)")
    parser.add_argument("--svg", type=Path, metavar="PATH", help="draw hit against false, as the floors sweep")
    parser.add_argument("--out", type=Path, metavar="PATH", help="write the record here, not to results/")
    return parser


def _run(options: argparse.Namespace) -> int:
    if (options.accounts is None) != (options.catalog is None):
        raise MisfitError("--accounts and --catalog must be given together")
    if options.every < 1:
        raise MisfitError(f"--every must be 1 or more, not {options.every}")
    data = own_set() if options.accounts is None else read(options.accounts, options.catalog)
    data = data._replace(accounts=data.accounts[:: options.every])
    library = not options.quick
    if library and (absent := [name for name in ("ir_measures", "numpy") if find_spec(name) is None]):
        raise MisfitError(f"the whole run wants the extra `quality` ({', '.join(absent)} is not installed)")
    rankers, missing = chosen(options.quick, options.embeddings)
    for line in missing:
        print(f"left out: {line}", file=sys.stderr)
    swept = SWEPT if options.sweep or options.svg else ()
    began, commit, command = time.perf_counter(), _commit(), _command(options)  # what ran, not what stands there later
    policies = quality_policy.ASKED if options.sweep else ()
    outcomes = ask(data, [*rankers, *swept, *policies])
    results, cuts = {}, {}
    for ranker in rankers:
        given = outcomes[ranker]
        if ranker.tuned:
            given, cuts[ranker.name] = judged(data.accounts, given)
        results[ranker.name] = figures(data.accounts, given, library)
    for kind in KINDS:
        print(quality_tell.as_table(results, kind, _count(data, kind)))
    curves: Curves = {}
    if swept:
        tuned = {f"{r.name}": outcomes[r] for r in rankers if r.tuned}
        curves = curves_of(data.accounts, {r.name: outcomes[r] for r in swept} | tuned, {r.name for r in swept})
        _check(results, curves)
        print(told(curves))
    if options.sweep:
        print(quality_policy.told(data.accounts, outcomes))
    seconds = time.perf_counter() - began
    print(f"{data.name}: {len(data.accounts)} accounts, {seconds:.0f} s, commit {commit}: {command}")
    if options.svg:
        quality_tell.draw(options.svg, curves, f"commit {commit}: {command}")
    if options.quick:
        return _held(results, options)
    run = {
        "accounts": len(data.accounts),
        "command": command,
        "commit": commit,
        "cut-offs": cuts,
        "python": platform.python_version(),
        "set": data.name,
        "tools": len(data.catalogue),
    }
    mark = "" if options.accounts is None else "-handed"
    path = options.out or RESULTS / f"quality-{commit}{mark}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(quality_tell.as_json(run, results, curves), encoding="utf-8")
    return 0


def ask(data: Set, rankers: Sequence[Ranker]) -> dict[Ranker, list[Outcome]]:
    """Put every account to every ranker, both ways."""
    for ranker in rankers:
        ranker.prepare(data)
    found: dict[Ranker, list[Outcome]] = {ranker: [] for ranker in rankers}
    shown = sys.stderr.isatty()
    for at, account in enumerate(data.accounts):
        there = Shared(data.side(account, True)) if account.gold else None
        away = Shared(data.side(account, False))
        for ranker, outcomes in found.items():
            outcomes.append(Outcome(ranker.answer(there) if there else None, ranker.answer(away)))
        if shown and at % 20 == 0:
            print(f"\r{at} of {len(data.accounts)}", end="", file=sys.stderr)
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr)
    return found


def _check(results: dict[str, Any], curves: Curves) -> None:
    """Hold the policies to the curves, which read their rules anew: at 1/2 they must be the same."""
    for curve in curves:
        policy = "HALF" if curve == "a share of the mass" else curve
        if policy not in ("HALF", "SQUARES", "SQUARES, VERBS"):
            continue
        for kind, points in curves.get(curve, {}).items():
            (point,) = [p for p in points if p[0] == 0.5]
            of = results[policy][kind]
            for name, drawn in (("false", point[1]), ("hit", point[2])):
                if name in of and abs(of[name].value - drawn) > 1e-9:
                    raise AssertionError(f"{policy}, {kind}: {name} must be {drawn:.4f}, not {of[name].value:.4f}")


def _held(results: dict[str, Any], options: argparse.Namespace) -> int:
    if options.accounts is not None or options.every > 1:
        return 0
    if options.record:
        RECORDED.write_text(json.dumps(quality_tell.record_of(results), indent=1) + "\n", encoding="utf-8")
        return 0
    lines = quality_tell.fallen(results, json.loads(RECORDED.read_text(encoding="utf-8")))
    for line in lines:
        print(f"fell: {line}")
    return 1 if lines else 0


def _count(data: Set, kind: str) -> str:
    some = [account for account in data.accounts if account.kind == kind]
    return f"{len(some)} accounts, {sum(not account.gold for account in some)} of them without a right tool"


def _commit() -> str:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--", "toolrank", "benchmarks/data")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("-changed" if changed else "")


def _command(options: argparse.Namespace) -> str:
    """Return the command of a run, without the place of its files."""
    said = ["python -m benchmarks.quality"]
    for name in ("accounts", "catalog"):
        if getattr(options, name) is not None:
            said += [f"--{name}", getattr(options, name).name]
    said += [f"--{name}" for name in ("quick", "embeddings", "sweep") if getattr(options, name)]
    return " ".join(said + ([f"--every {options.every}"] if options.every > 1 else []))


if __name__ == "__main__":
    sys.exit(main())
