"""Measure speed: build, query, restricted query, update, memory and import, beside other engines in one run.

    python -m benchmarks.speed [--sizes 30,500] [--catalog PATH] [--huge] [--quick] [--peers a,b] [--rounds N]
    python -m benchmarks.speed --only query --peers none     # toolrank alone, by kind of query
    python -m benchmarks.speed --profile                     # where a query's time goes, for each size

Answers are checked first. Engines take turns within each round, another one first every time, and a figure is the
median of the rounds.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import os
import platform
import pstats
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime, timezone
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a file, too

from benchmarks import measures, memory, tell  # noqa: E402
from benchmarks.catalogues import Row, make, read  # noqa: E402
from benchmarks.check import check  # noqa: E402
from benchmarks.measures import Catalogue  # noqa: E402
from benchmarks.peers import PEERS, Limit, Own, choose  # noqa: E402
from benchmarks.timing import Figure  # noqa: E402

SIZES = (30, 500, 3_000, 10_000, 100_000)
QUICK_SIZES = (30, 500, 3_000)
MEASURES = ("build", "query", "kinds", "restricted", "update", "worst", "memory", "import")


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=numbers, help="of the seeded catalogues, such as 30,500")
    parser.add_argument(
        "--catalog", action="append", default=[], type=Path, help="JSON lines, gzip too; again for more"
    )
    parser.add_argument("--huge", action="store_true", help="1,000,000 tools, too")
    parser.add_argument("--quick", action="store_true", help="about a minute: standard library alone, small sizes")
    parser.add_argument("--peers", help=f"parts of {', '.join(peer.name for peer in PEERS[2:])}; all; none")
    parser.add_argument("--rounds", type=int, help="15 by default, 3 for a quick run")
    parser.add_argument("--only", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--profile", action="store_true", help="where the time of warm queries goes, for each size")
    parser.add_argument("--triples", type=int, help="how many answers to check first: 10000, 1000 for a quick run")
    parser.add_argument("--write", action="store_true", help="write the result of a quick or partial run, too")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)  # in a fresh process: see memory.py
    options = parser.parse_args(given)
    options.only = options.only.split(",") if options.only else None
    unknown = set(options.only or ()) - set(MEASURES)
    if unknown:
        parser.error(f"--only must be of {', '.join(MEASURES)}, not {min(unknown)}")
    return options


def numbers(text: str) -> list[int]:
    return [int(number.replace("_", "")) for number in text.split(",")]


def main(given: Sequence[str] | None = None) -> int:
    options = arguments(given)
    if options.memory_of:
        path = options.catalog[0] if options.catalog else None
        print(json.dumps(memory.child(options.memory_of, options.sizes[0], path)))
        return 0
    partial = bool(options.only or options.profile)
    triples = options.triples if options.triples is not None else 200 if partial else 1_000 if options.quick else 10_000
    print(f"Checked: {check(triples):,} random (pool, view, query) triples are answered as the rule says.")
    peers, missing = choose(options.peers, options.quick)
    for line in missing:
        print(f"Missing: {line}")

    rounds = options.rounds or (3 if options.quick else 15)
    wanted = options.only or MEASURES
    run = about(options, triples, missing)
    keep = options.write or not (partial or options.quick)
    for label, rows, path in catalogues(options):
        if options.profile:
            profile(*measures.build(label, rows, [Own, Limit], 1, path))
            continue
        figures = measure(label, rows, path, peers, wanted, rounds)
        if keep:
            write(run, figures)
        del figures
        gc.collect()
    if "import" in wanted and not options.profile:
        figures = measures.imports(2 * rounds)
        show("Fresh processes", figures)
        if keep:
            write(run, figures)
    return 0


def catalogues(options: argparse.Namespace) -> list[tuple[str, list[Row], Path | None]]:
    sizes = options.sizes or ([] if options.catalog else [*(QUICK_SIZES if options.quick else SIZES)])
    found: list[tuple[str, list[Row], Path | None]] = []
    for path in options.catalog:
        rows, repeated = read(path)
        print(f"{path.name}: {len(rows):,} tools; {repeated:,} rows repeat an identity and are left out.")
        found.append((f"{len(rows):,} real", rows, path))
    found += [(f"{size:,}", make(size), None) for size in sizes + [1_000_000] * options.huge]
    return sorted(found, key=lambda one: len(one[1]))


def measure(
    label: str, rows: list[Row], path: Path | None, peers: list[Any], wanted: Sequence[str], rounds: int
) -> list[Figure]:
    """Measure all that is wanted on one catalogue, and show it."""
    catalogue, built = measures.build(label, rows, peers, max(3, rounds // 3) if "build" in wanted else 1, path)
    figures = built if "build" in wanted else []
    for name in ("query", "kinds", "restricted", "update", "worst"):
        if name in wanted or (name == "kinds" and list(wanted) == ["query"]):
            print(f"{label}: {name}", file=sys.stderr)
            figures += getattr(measures, name)(catalogue, rounds)
    if "memory" in wanted:
        # A process for each engine takes its time: the peers are weighed at one size.
        weighed = [peer for peer in peers if peer is Own or (peer is not Limit and len(rows) == 10_000)]
        figures += measures.memory(catalogue, [peer.name for peer in weighed])
    show(f"{label} tools, {len({row.connector for row in rows}):,} connectors", figures)
    return figures


def show(title: str, figures: list[Figure]) -> None:
    """Show figures: one line for each that toolrank is compared in, by engine, then toolrank's own."""
    engines = list(dict.fromkeys(f.engine for f in figures if f.engine != Own.name))
    by_measure: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        by_measure.setdefault(figure.measure, {})[figure.engine] = figure
    compared = {m: found for m, found in by_measure.items() if len(found) > 1}
    if compared:
        head = ["peer / toolrank", Own.name, *engines]
        rows = [
            [m, f"{tell.number(found[Own.name].value)} {found[Own.name].unit}"]
            + [f"{tell.number(found[e].ratio or 0)} x" if e in found else "-" for e in engines]
            for m, found in compared.items()
        ]
        print("\n" + tell.table(title, head, rows))
    alone = [[m, tell.number(f[Own.name].value), f[Own.name].unit] for m, f in by_measure.items() if m not in compared]
    if alone:
        print("\n" + tell.table(f"{title}: toolrank", ["measure", "value", "unit"], alone))
    sys.stdout.flush()


def profile(catalogue: Catalogue, _: list[Figure]) -> None:
    """Show where the time of warm queries goes."""
    texts = [query.text for query in catalogue.queries]
    ask = catalogue.own.query
    for text in texts:
        ask(text)
    profiler = cProfile.Profile()
    profiler.enable()
    for _round in range(20):
        for text in texts:
            ask(text)
    profiler.disable()
    print(f"\n{catalogue.label} tools: {20 * len(texts):,} warm queries")
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(30)


# ---- The record of a run --------------------------------------------------------------------------------------------


def about(options: argparse.Namespace, triples: int, missing: list[str]) -> dict[str, Any]:
    """Say what a run is: of which commit, how it was started, where, and beside what."""
    return {
        "commit": git("rev-parse", "--short=12", "HEAD") or "unknown",
        "changed": bool(git("status", "--porcelain", "--", "toolrank", "benchmarks/*.py")),
        "checked": triples,
        "command": " ".join(["python -m benchmarks.speed", *shown(options)]),
        "when": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": f"{platform.system()} {platform.machine()}, {processor()}, {os.cpu_count()} cores",
        "load": [round(load, 1) for load in os.getloadavg()],
        "versions": versions(),
        "missing": missing,
    }


def write(run: dict[str, Any], figures: list[Figure]) -> None:
    """Add figures to the record of the run's commit, and draw the record again."""
    folder = ROOT / "benchmarks" / "results"
    folder.mkdir(exist_ok=True)
    name = run["commit"] + ("-changed" if run["changed"] else "")
    path = folder / f"{name}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    record = tell.with_run(before, run, figures)
    path.write_text(tell.as_json(record), encoding="utf-8")
    lines: dict[str, list[tuple[float, float]]] = {}
    for figure in record["figures"]:
        if figure["measure"] == "query, warm" and not figure["catalogue"].endswith("real"):
            lines.setdefault(figure["engine"], []).append((figure["tools"], figure["value"]))
    if any(len(line) > 1 for line in lines.values()):
        picture = tell.as_svg("A query with a warm word cache", lines, "tools in the pool", "microseconds")
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    print(f"Written: benchmarks/results/{name}.json")


def shown(options: argparse.Namespace) -> list[str]:
    """Say the options again, a catalogue by its file's name alone."""
    said = []
    if options.sizes:
        said.append("--sizes " + ",".join(map(str, options.sizes)))
    said += [f"--catalog {path.name}" for path in options.catalog]
    said += [f"--{name}" for name in ("huge", "quick") if getattr(options, name)]
    said += [f"--{name} {value}" for name in ("peers", "rounds") if (value := getattr(options, name))]
    return [*said, *([f"--only {','.join(options.only)}"] if options.only else [])]


def git(*command: str) -> str:
    try:
        done = subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


def versions() -> dict[str, str]:
    wanted = {"fastmcp", "rank-bm25", "bm25s", "numba", "numpy", "tantivy"}
    found = {name: found.version for found in distributions() if (name := found.metadata["Name"].lower()) in wanted}
    return {"sqlite": sqlite3.sqlite_version, **dict(sorted(found.items()))}


if __name__ == "__main__":
    sys.exit(main())
