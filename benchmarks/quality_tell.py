"""What a run of `quality.py` says: the table, the record in JSON, and the pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.quality_data import KINDS
from benchmarks.quality_metrics import Figure
from benchmarks.tell import table

__all__ = ["as_json", "as_table", "draw", "fallen", "record_of"]

Figures = Mapping[str, Mapping[str, Figure]]
SAID = {"guess": "guessed names", "agent": "agent searches", "user": "user sentences"}
HEADS = {"first": "first", "hit": "hit@5", "rr": "MRR", "ndcg": "nDCG@10", "empty": "empty", "false": "false"}


def as_table(results: Mapping[str, Figures], kind: str, count: str) -> str:
    """Write the table of one kind: a ranker a line, the 95 % interval beside the two figures to compare."""
    names = [name for name in HEADS if any(name in figures.get(kind, {}) for figures in results.values())]
    rows = []
    for ranker, figures in results.items():
        of = figures.get(kind, {})
        rows.append([ranker, *[_cell(of[name], name in ("hit", "false")) if name in of else "" for name in names]])
    return table(f"{SAID[kind]} ({count})", ["ranker", *[HEADS[name] for name in names]], rows)


def _cell(figure: Figure, spread: bool) -> str:
    value, low, high = figure
    said = f"{value:.3f}"
    return f"{said} {low:.2f}-{high:.2f}" if spread and low is not None and high is not None else said


def as_json(run: Mapping[str, Any], results: Mapping[str, Figures], curves: Mapping[str, Any]) -> str:
    """Write a run: what was measured on what and by which command, one line a ranker and kind, and the curves."""
    lines = [
        json.dumps({"ranker": ranker, "kind": kind} | {k: _rounded(f) for k, f in of.items()}, ensure_ascii=False)
        for ranker, figures in results.items()
        for kind, of in figures.items()
    ]
    head = json.dumps(run, indent=1, ensure_ascii=False, sort_keys=True)[:-2]
    drawn = ",\n".join(f"  {json.dumps(name)}: {json.dumps(points)}" for name, points in curves.items())
    figures_ = ",\n  ".join(lines)
    return f'{head},\n "figures": [\n  {figures_}\n ],\n "curves": {{\n{drawn}\n }}\n}}\n'


def _rounded(figure: Figure) -> list[float]:
    return [round(value, 4) for value in figure if value is not None]


# ---- The recorded figures --------------------------------------------------------------------------------------------

BETTER = {"first": 1, "hit": 1, "empty": -1, "false": -1}


def record_of(results: Mapping[str, Figures]) -> dict[str, Any]:
    """Return what a later run is held to."""
    return {
        ranker: {kind: {name: round(of[name].value, 6) for name in BETTER} for kind, of in figures.items()}
        for ranker, figures in results.items()
    }


def fallen(results: Mapping[str, Figures], recorded: Mapping[str, Any]) -> list[str]:
    """Return a line for each figure that is worse than the recorded one, or that is not there any more."""
    told = []
    for ranker, kinds in recorded.items():
        for kind, values in kinds.items():
            for name, before in values.items():
                figure = results.get(ranker, {}).get(kind, {}).get(name)
                if figure is None:
                    told.append(f"{ranker}, {SAID[kind]}: {HEADS[name]} was {before:.3f}, and is not measured now")
                elif BETTER[name] * (figure.value - before) < -1e-6:
                    now = f"{figure.value:.3f}"
                    told.append(f"{ranker}, {SAID[kind]}: {HEADS[name]} was {before:.3f}, and is {now} now")
    return told


# ---- Pictures --------------------------------------------------------------------------------------------------------


def draw(path: Path, curves: Mapping[str, Mapping[str, Sequence[Sequence[float]]]], note: str) -> None:
    """Draw hit@5 against false answers, a panel a kind and a line a ranker, as its cut-off sweeps; one SVG.

    A point of a curve is (cut-off, false, hit); the ring on a line is where the floor stands by default.
    """
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    plt = import_module("matplotlib.pyplot")
    with plt.rc_context({"svg.hashsalt": "toolrank", "svg.fonttype": "none", "font.size": 9}):
        figure, panels = plt.subplots(1, len(KINDS), figsize=(10.5, 4), sharey=True)
        for panel, kind in zip(panels, KINDS, strict=True):
            for name, points in curves.items():
                line = points.get(kind, [])
                panel.plot([p[1] for p in line], [p[2] for p in line], label=name, linewidth=1.4)
                at = [p for p in line if abs(p[0] - 0.5) < 1e-9 and "cut-off" not in name]
                panel.plot([p[1] for p in at], [p[2] for p in at], "o", mfc="none", color=panel.lines[-1].get_color())
            panel.set_title(SAID[kind])
            panel.set_xlabel("false answers where nothing fits")
            panel.set_xlim(0, 0.4)
            panel.set_ylim(0, 1.02)
            panel.grid(alpha=0.3)
        panels[0].set_ylabel("a right tool among the first five")
        panels[0].legend(loc="lower right", fontsize=7)
        figure.text(0.01, 0.005, note, fontsize=6, color="#666666")
        figure.tight_layout(rect=(0, 0.02, 1, 1))
        figure.savefig(path, format="svg", metadata={"Date": None})
        plt.close(figure)
