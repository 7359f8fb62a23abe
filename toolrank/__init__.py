"""Rank the tools of many MCP servers for a query, and return nothing where nothing fits.

>>> from toolrank import Pool, Tool, rank
>>> pool = Pool(
...     [
...         Tool("list_all_notion_users", "List all users of the workspace.", connector="Notion"),
...         Tool("retrieve_a_page", "Retrieve a page by its id.", connector="Notion"),
...         Tool("update_page", "Change the properties of a page.", connector="Notion"),
...     ]
... )
>>> print(rank("list_all_cal_com_schedules", pool))
Nothing fits 'list_all_cal_com_schedules': no visible tool knows 'cal', 'com' or 'schedules', \
and its known words weigh less than the floor asks for.
>>> [(hit.tool.name, hit.score) for hit in rank("notion users", pool)]
[('list_all_notion_users', 13)]

The rule: a word scores 5 in a tool's name, 3 where it begins like a word of the name, 2 in the connector's label and 1
in the description. Words weigh by how few of the visible tools have them, and a tool is returned only if the words it
matches weigh at least half of the query. The library is lexical, deterministic, and needs the standard library alone.
"""

from toolrank._answer import Hit, Ranking, Reason, WordMatch
from toolrank._bm25 import BM25
from toolrank._explain import Explanation, explain
from toolrank._floor import HALF, SQUARES, Demand, Floor, FloorPolicy, Squares
from toolrank._pool import Pool
from toolrank._rank import rank
from toolrank._score import WEIGHTS, Weights
from toolrank._sift import Statistics, sift
from toolrank._synonyms import VERBS
from toolrank._text import STOP_WORDS
from toolrank._tool import Tool

__all__ = [
    "BM25",
    "HALF",
    "SQUARES",
    "STOP_WORDS",
    "VERBS",
    "WEIGHTS",
    "Demand",
    "Explanation",
    "Floor",
    "FloorPolicy",
    "Hit",
    "Pool",
    "Ranking",
    "Reason",
    "Squares",
    "Statistics",
    "Tool",
    "Weights",
    "WordMatch",
    "explain",
    "rank",
    "sift",
]

__version__ = "0.1.0"
