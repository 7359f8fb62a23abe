"""Point this at your own ranker, and it finds the bug.

A ranker is any callable `(query, tools, limit)` that returns the identities of tools, best first. The properties here
come in tiers, from what any ranker owes its caller to equality with this library; each finds the smallest pool on which
a ranker breaks it, and each is shown to work by a saboteur, a ranker that breaks it and nothing else.

Needs the extra `testing` (hypothesis).

>>> from toolrank.testing import CONTRACT, check
>>> def by_name(query, tools, limit):
...     return list(dict.fromkeys(tool.identity for tool in tools if query in tool.name))[:limit]
>>> report = check(by_name, [CONTRACT], examples=50)
>>> report.ok, [failure.name for failure in report.failures]
(False, ['pool_order_is_irrelevant', 'blank_query_gets_nothing'])
"""

try:
    import hypothesis as _hypothesis  # noqa: F401
except ImportError as error:
    raise ImportError("toolrank.testing needs hypothesis: install toolrank-floor with the extra 'testing'") from error

from toolrank.testing._ask import Failure, Identity, PropertyBroken, Ranker, Ranking, ViewRanker
from toolrank.testing._check import Report, Result, check
from toolrank.testing._command import CommandRanker
from toolrank.testing._own import OwnRanker
from toolrank.testing._properties import CONTRACT, FLOOR, LEXICAL, PRIVACY, TIERS, TOOLRANK
from toolrank.testing._property import Property, Tier
from toolrank.testing._saboteurs import SABOTEURS
from toolrank.testing._strategies import pools, queries, restrictions, tools

__all__ = [
    "CONTRACT",
    "FLOOR",
    "LEXICAL",
    "PRIVACY",
    "SABOTEURS",
    "TIERS",
    "TOOLRANK",
    "CommandRanker",
    "Failure",
    "Identity",
    "OwnRanker",
    "Property",
    "PropertyBroken",
    "Ranker",
    "Ranking",
    "Report",
    "Result",
    "Tier",
    "ViewRanker",
    "check",
    "pools",
    "queries",
    "restrictions",
    "tools",
]
