"""Make any `tools/list` a searchable pool, and collapse a long one behind two meta-tools.

>>> from toolrank import Pool, rank
>>> from toolrank.mcp import tools
>>> pool = Pool(tools({"tools": [{"name": "list_pages"}, {"name": "list_users"}]}, connector="Notion"))
>>> [hit.tool.name for hit in rank("notion users", pool)]
['list_users']

No SDK is imported: shapes are told by what they hold, so the official SDK, FastMCP and plain dictionaries serve alike.
There is no transport, session or policy here.
"""

from toolrank.mcp._catalog import Catalog, Refresh
from toolrank.mcp._listing import tools
from toolrank.mcp._refresher import Refresher
from toolrank.mcp._sessions import list_all
from toolrank.mcp._surface import Surface
from toolrank.mcp._wire import definition, estimated_tokens

__all__ = ["Catalog", "Refresh", "Refresher", "Surface", "definition", "estimated_tokens", "list_all", "tools"]
