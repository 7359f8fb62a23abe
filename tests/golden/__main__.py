"""Write the golden answers anew, from the plain statement of the rule: `python -m tests.golden`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests import reference
from tests.golden import Answerer, Question, books, path_of, share_of, text_of
from toolrank import Tool


def plainly(tools: Sequence[Tool], ask: Any = reference.rank) -> Answerer:
    """Answer by the reference, from the visible tools alone."""

    def answer(question: Question) -> dict[str, Any]:
        only = question.only
        visible = [tool for tool in tools if only is None or tool.connector in only]
        found = ask(question.query, visible, question.limit, share_of(question))
        return {
            "reason": found.reason,
            "words": found.query_words,
            "required": found.required,
            "unmatched": found.unmatched,
            "withheld": found.withheld,
            "total": found.hits[0].total if found.hits else None,
            "hits": [[hit.tool.connector, hit.tool.name, hit.score, hit.covered, hit.named] for hit in found.hits],
            "fields": [[list(word.fields) for word in hit.words] for hit in found.hits[:3]],
        }

    return answer


def main() -> None:
    for book in books():
        path_of(book).write_bytes(text_of(book, plainly(book.tools)).encode())


if __name__ == "__main__":
    main()
