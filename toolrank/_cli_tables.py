"""Tables, and how far a long run is: by rich on a terminal where it is installed, else in plain text.

What is piped or saved is always plain, so that it is the same whatever is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from shutil import get_terminal_size
from typing import TextIO

__all__ = ["plain", "progress", "table"]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as text; numbers are cells that begin with a digit, and stand to the right."""
    if not _is_rich(sys.stdout):
        return plain(head, rows)
    drawn = import_module("rich.table").Table(box=import_module("rich.box").SIMPLE)
    for at, name in enumerate(head):
        drawn.add_column(name, justify="right" if _are_numbers(rows, at) else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*[import_module("rich.text").Text(cell) for cell in row])
    # Drawn to a string, so without colours: whoever prints it escapes every control character, of any origin.
    text = StringIO()
    import_module("rich.console").Console(file=text, width=get_terminal_size().columns).print(drawn)
    return text.getvalue().strip("\n")


def plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in plain text.

    >>> print(plain(["share", "said"], [["1/2", "half"], ["11/20", "more"]]))
    share  said
      1/2  half
    11/20  more
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    right = [_are_numbers(rows, at) for at in range(len(head))]
    return "\n".join(
        "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right)).rstrip() for line in lines
    )


def progress(what: str, stream: TextIO | None = None) -> Callable[[int, int], None] | None:
    """Return what tells a terminal how far a run is; None where nobody looks on."""
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        return None
    if _is_rich(stream):
        bar = import_module("rich.progress").Progress(
            console=import_module("rich.console").Console(file=stream), transient=True
        )
        task = bar.add_task(what, total=None)
        bar.start()

        def drawn(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)
            if done == of:
                bar.stop()

        return drawn

    def counted(done: int, of: int) -> None:
        stream.write(f"\r{what}: {done} of {of}" if done < of else "\r\x1b[K")
        stream.flush()

    return counted


def _is_rich(stream: TextIO) -> bool:
    return stream.isatty() and find_spec("rich") is not None


def _are_numbers(rows: Sequence[Sequence[str]], at: int) -> bool:
    return bool(rows) and all(row[at][:1].isdigit() for row in rows)
