"""Tool: a record, validated once."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from toolrank import Tool


def test_a_tool_is_its_fields_in_order() -> None:
    tool = Tool("n", "d", "c", "t", ["p", "q"], True, False, {"raw": 1})
    assert (tool.name, tool.description, tool.connector, tool.title) == ("n", "d", "c", "t")
    assert (tool.parameters, tool.read_only, tool.destructive) == (("p", "q"), True, False)
    assert tool.payload == {"raw": 1}


def test_only_the_name_must_be_given() -> None:
    tool = Tool("n")
    assert (tool.description, tool.connector, tool.title, tool.parameters) == ("", "", "", ())
    assert (tool.read_only, tool.destructive, tool.payload) == (None, None, None)


def test_none_for_a_text_is_the_empty_text() -> None:
    assert Tool("n", None, None, None) == Tool("n")
    assert Tool("n", None, None, None).identity == ("", "n")


def test_identity_is_connector_and_name() -> None:
    assert Tool("search", connector="Notion").identity == ("Notion", "search")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"description": "other"},
        {"connector": "other"},
        {"title": "other"},
        {"parameters": ("other",)},
        {"read_only": True},
        {"destructive": False},
    ],
)
def test_tools_differ_by_every_field_but_payload(change: dict[str, Any]) -> None:
    assert Tool(**{"name": "n", **change}) != Tool("n")
    assert Tool("n", payload=1) == Tool("n", payload=[2])
    assert hash(Tool("n", payload=1)) == hash(Tool("n", payload=[2]))


def test_payload_stays_out_of_the_repr() -> None:
    assert "secret" not in repr(Tool("n", payload="secret"))


def test_a_tool_is_frozen_and_slotted() -> None:
    tool = Tool("n")
    with pytest.raises(AttributeError, match="cannot assign to field 'name'"):
        tool.name = "m"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot delete field 'name'"):
        del tool.name
    assert not hasattr(tool, "__dict__")


def test_parameters_may_be_any_iterable_of_names() -> None:
    assert Tool("n", parameters={"a": 1, "b": 2}).parameters == ("a", "b")
    assert Tool("n", parameters=(name for name in "ab")).parameters == ("a", "b")


def test_a_tool_survives_a_copy_and_a_pickle() -> None:
    tool = Tool("n", "d", "c", parameters=("p",), payload={"raw": 1})
    for again in (copy.copy(tool), copy.deepcopy(tool), pickle.loads(pickle.dumps(tool))):
        assert again == tool
        assert again.payload == tool.payload
