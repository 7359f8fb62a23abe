"""Run case files: `python -m tests.cases PATH [PATH...]`.

Exit status 0 where every case holds or is marked as a known limit, 1 where another one misses, 2 for a file that is
not a case file.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.cases import CaseError, complaints, read_cases


def main(arguments: list[str]) -> int:
    """Print a verdict for each case and the counts, and return the exit status."""
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m tests.cases PATH [PATH...]", file=sys.stderr)
        return 2
    try:
        cases = [case for path in arguments for case in read_cases(Path(path))]
    except CaseError as error:
        print(error, file=sys.stderr)
        return 2
    counts = Counter[str]()
    for case in cases:
        found = complaints(case)
        verdict = "pass" if not found else "known" if case.limit_known else "MISS"
        counts[verdict] += 1
        lifted = "  (marked limit_known)" if case.limit_known and not found else ""
        print(f"{verdict:5}  {case.id}  {case.kind}: {_printable(case.query)}{lifted}")
        for line in found:
            print(f"         {_printable(line)}")
    print(f"{counts['pass']} passes, {counts['MISS']} misses, {counts['known']} known misses")
    return 1 if counts["MISS"] else 0


def _printable(text: str) -> str:
    """Escape what the terminal's encoding has not got, so that no query can stop the run."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
