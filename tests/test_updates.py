"""Views and updates: every pool answers as one that was built from its tools alone."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import Case, cases
from tests.test_rank_oracle import told
from toolrank import Pool, Tool, rank


def same(pool: Pool, tools: list[Tool], queries: list[str]) -> None:
    fresh = Pool(tools)
    assert sorted(tool.identity for tool in pool) == sorted(tool.identity for tool in fresh)
    for query in queries:
        assert told(rank(query, pool, None)) == told(rank(query, fresh, None))


@settings(max_examples=150)
@given(st.lists(cases(Tool), min_size=2, max_size=4), st.booleans())
def test_a_pool_after_updates_answers_as_a_new_one(rounds: list[Case], warm: bool) -> None:
    queries = [case.query for case in rounds]
    pool = Pool(rounds[0].visible)
    expected = {tool.identity: tool for tool in pool}
    for case in rounds[1:]:
        labels = {tool.connector for tool in case.tools}
        for label in sorted(labels | {"Notion"}):
            listing = [tool for tool in case.visible if tool.connector == label]
            if warm:
                for query in queries:
                    rank(query, pool)
            pool = pool.replace(label, listing)
            expected = {i: tool for i, tool in expected.items() if i[0] != label}
            expected.update((tool.identity, tool) for tool in reversed(listing))
            same(pool, list(expected.values()), queries)
    left = pool.without("Notion")
    same(left, [tool for i, tool in expected.items() if i[0] != "Notion"], queries)
    same(pool, list(expected.values()), queries)
