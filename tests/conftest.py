"""Let the tests try as much as this run asks for."""

from __future__ import annotations

import pytest

from tests.tries import fewer


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = {id(test): test for item in items if (test := getattr(item, "obj", None)) is not None}
    for test in tests.values():  # each once, however many cases it has
        fewer(test)
