"""What a run says: tables, JSON, and a picture of cost against pool size."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.timing import Figure

__all__ = ["as_json", "as_svg", "number", "table", "with_run"]


def number(value: float) -> str:
    """Write a number with three digits that count.

    >>> [number(x) for x in (0.1234, 1.5, 12.34, 123.4, 12345.6)]
    ['0.123', '1.5', '12.3', '123', '12,346']
    """
    if value >= 100:
        return f"{value:,.0f}"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table: by rich where it is installed, else in plain text."""
    if find_spec("rich") is None:
        return plain(title, head, rows)
    drawn = import_module("rich.table").Table(
        title=title, title_justify="left", box=import_module("rich.box").SIMPLE, padding=(0, 1)
    )
    for at, name in enumerate(head):
        drawn.add_column(name, justify="right" if at else "left", no_wrap=True)
    for row in rows:
        drawn.add_row(*row)
    console = import_module("rich.console").Console(width=max(100, 14 * len(head) + 30))
    with console.capture() as captured:
        console.print(drawn)
    found: str = captured.get()
    return found


def plain(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in plain text.

    >>> print(plain("Ages", ["who", "age"], [["Ada", "36"], ["Grace", "7"]]))
    Ages
      who    age
      Ada     36
      Grace    7
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    told = []
    for line in lines:
        cells = [
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        told.append("  " + "  ".join(cells))
    return "\n".join([title, *map(str.rstrip, told)])


def as_json(record: dict[str, Any]) -> str:
    """Write a record of runs: what they say of themselves, and then one line a figure."""
    head = {key: value for key, value in record.items() if key != "figures"}
    lines = ",\n".join("  " + json.dumps(figure, ensure_ascii=False) for figure in record["figures"])
    return json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ',\n "figures": [\n' + lines + "\n ]\n}\n"


def with_run(record: dict[str, Any], run: dict[str, Any], figures: Sequence[Figure]) -> dict[str, Any]:
    """Add figures to a record of the runs of one commit; one that is there already gives way to the new one."""
    runs = record.get("runs", [])
    if runs[-1:] != [run]:
        runs = [*runs, run]
    rows = {_key(figure): figure for figure in record.get("figures", [])}
    for figure in figures:
        row = figure._asdict() | {"ratio": figure.ratio, "run": len(runs)}
        row = {key: float(f"{value:.5g}") if isinstance(value, float) else value for key, value in row.items()}
        rows[_key(row)] = {key: value for key, value in row.items() if value is not None}
    ordered = sorted(rows.values(), key=lambda row: (row["tools"], row["catalogue"]))
    return {"runs": runs, "figures": ordered}


def _key(figure: dict[str, Any]) -> tuple[str, str, str]:
    return figure["catalogue"], figure["measure"], figure["engine"]


# ---- The picture ----------------------------------------------------------------------------------------------------

_COLOURS = ("#0b6e4f", "#888888", "#7a5195", "#ef5675", "#c98a1b", "#003f5c", "#58a4b0", "#2f7ed8", "#a0522d")
_SVG = "http://www.w3.org/2000/svg"
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 460, 70, 170, 40, 50


def as_svg(title: str, lines: dict[str, list[tuple[float, float]]], across: str, up: str) -> str:
    """Draw lines over two logarithmic axes; the same figures give the same bytes."""
    points = [point for line in lines.values() for point in line]
    left, right = (_decade([x for x, _ in points], end) for end in (0, 1))
    low, high = (_decade([y for _, y in points], end) for end in (0, 1))

    def x(value: float) -> str:
        return f"{_LEFT + (math.log10(value) - left) / (right - left) * (_WIDTH - _LEFT - _RIGHT):.1f}"

    def y(value: float) -> str:
        return f"{_HEIGHT - _BOTTOM - (math.log10(value) - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM):.1f}"

    out = [
        f'<svg xmlns="{_SVG}" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    for power in range(left, right + 1):
        at = x(10.0**power)
        out.append(f'<path d="M{at} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#ddd"/>')
        out.append(f'<text x="{at}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{10**power:,}</text>')
    for power in range(low, high + 1):
        at = y(10.0**power)
        out.append(f'<path d="M{_LEFT} {at}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        label = f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"
        out.append(f'<text x="{_LEFT - 8}" y="{at}" dy="4" text-anchor="end">{label}</text>')
    out.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:g}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
    )
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    out.append(f'<text transform="translate(16 {middle:g}) rotate(-90)" text-anchor="middle">{escape(up)}</text>')
    ends = sorted((line[-1][1], name) for name, line in lines.items() if line)
    below = float("inf")
    for value, name in ends:  # from the bottom up, labels no nearer than a line of text
        line = lines[name]
        colour = _COLOURS[list(lines).index(name) % len(_COLOURS)]
        width = 3 if name == next(iter(lines)) else 1.5
        path = "L".join(f"{x(size)} {y(cost)}" for size, cost in line)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        for size, cost in line:
            out.append(f'<circle cx="{x(size)}" cy="{y(cost)}" r="{width + 1:g}" fill="{colour}"/>')
        below = min(float(y(value)), below - 14)
        beside = float(x(line[-1][0])) + 8
        out.append(f'<text x="{beside:.1f}" y="{below:.1f}" dy="4" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*out, "</svg>", ""])


def _decade(values: Sequence[float], end: int) -> int:
    """Give the power of ten at or below the least value, or above the greatest."""
    return math.floor(math.log10(min(values))) if end == 0 else math.floor(math.log10(max(values))) + 1
