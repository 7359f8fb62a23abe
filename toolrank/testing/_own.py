"""This library's ranker, as the kit asks rankers."""

from __future__ import annotations

from collections.abc import Sequence

from toolrank import HALF, WEIGHTS, Floor, Pool, Tool, Weights, rank
from toolrank.testing._strategies import Identity

__all__ = ["OwnRanker", "Scored"]

Scored = tuple[Identity, float]

# Tools named whole come first whatever they score, so their score here is lifted past any sum of weights.
_NAMED = 1 << 40


class OwnRanker:
    """`toolrank.rank`, with a view for callers who see fewer tools.

    >>> OwnRanker()("issues", [Tool("list_issues"), Tool("list_pages")], 10)
    [(('', 'list_issues'), 5)]
    """

    def __init__(self, floor: Floor = HALF, weights: Weights = WEIGHTS) -> None:
        self.floor = floor
        self.weights = weights

    def __call__(self, query: str, tools: Sequence[Tool], limit: int, /) -> list[Scored]:
        """Rank these tools."""
        return self.answer(query, Pool(tools))[:limit]

    def restricted(
        self, query: str, tools: Sequence[Tool], limit: int, visible: frozenset[Identity], /
    ) -> list[Scored]:
        """Rank those of the tools that are visible, through a view of a pool of all."""
        return self.answer(query, Pool(tools).restrict(lambda tool: tool.identity in visible))[:limit]

    def answer(self, query: str, pool: Pool) -> list[Scored]:
        """Rank a pool, without a limit."""
        hits = rank(query, pool, None, floor=self.floor, weights=self.weights)
        return [(hit.tool.identity, hit.score + _NAMED * hit.named) for hit in hits]
