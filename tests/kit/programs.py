"""Rankers behind the command door, good and bad: `python tests/kit/programs.py HOW`."""

# ruff: noqa: T201 - programs print
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import json
import sys
import time


def own(call):
    from toolrank import Tool  # noqa: PLC0415 - the others start quickly without
    from toolrank.testing import OwnRanker  # noqa: PLC0415

    visible = frozenset(map(tuple, call["visible"])) if "visible" in call else None
    tools = [Tool(**tool) for tool in call["tools"]]
    asked = (call["query"], tools, call["limit"])
    found = OwnRanker()(*asked) if visible is None else OwnRanker().restricted(*asked, visible)
    return [{"connector": connector, "name": name, "score": score} for (connector, name), score in found]


def by_name(call):
    words = call["query"].lower().split()
    found = {(t["connector"], t["name"]) for t in call["tools"] if any(w in t["name"].lower() for w in words)}
    return [{"connector": c, "name": n} if c else {"name": n} for c, n in sorted(found)][: call["limit"]]


def main(how):
    for number, line in enumerate(sys.stdin):
        call = json.loads(line)
        told = {"id": call["id"]}
        if how == "own":
            told["hits"] = own(call)
        elif how == "error":
            told["error"] = "out of cheese"
        elif how == "hits":
            told["hits"] = [7]
        elif how == "id":
            told = {"id": call["id"] - 1, "hits": []}
        elif how == "hang" or (how == "hangs-later" and number == 2):
            time.sleep(60)
        elif how == "crash":
            sys.exit("no such table")
        elif how == "quiet-crash":
            sys.exit(3)
        elif how == "deep":
            print("[" * 100_000, flush=True)
            continue
        elif how == "junk":
            print("Listening on port 80", flush=True)
            continue
        elif how == "deaf":
            time.sleep(60)
        else:
            told["hits"] = by_name(call)
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "deaf":
        time.sleep(60)  # never reads
    main(sys.argv[1])
