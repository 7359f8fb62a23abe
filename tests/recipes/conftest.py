"""These tests run the real packages, so each file is collected only where what it needs is installed.

The extra `recipes` has all that stands on mcp 2.x, and `recipes-mcp1` what stands on 1.x; the two exclude each other.
"""

from __future__ import annotations

from importlib.util import find_spec

NEEDS = {
    "test_gateway.py": ("mcp_types", "mcp_server_git"),
    "test_how_to.py": ("mcp_types", "fastmcp", "agents", "langchain", "pydantic_ai"),
    "test_mcp1.py": ("langchain_mcp_adapters",),
}

collect_ignore = [file for file, packages in NEEDS.items() if None in map(find_spec, packages)]
