"""The adapter needs nothing but the standard library, whatever is installed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import toolrank.mcp

CODE = """
import json, sys
before = set(sys.modules)
import toolrank.mcp
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names))))
"""


def test_importing_it_loads_the_package_and_the_standard_library_alone() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["toolrank"]


@pytest.mark.parametrize("name", toolrank.mcp.__all__)
def test_all_is_what_can_be_imported_and_is_documented(name: str) -> None:
    assert getattr(toolrank.mcp, name).__doc__
    assert toolrank.mcp.__all__ == sorted(toolrank.mcp.__all__)
