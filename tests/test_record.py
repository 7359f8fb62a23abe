"""Immutable records, as claims."""

from __future__ import annotations

import copy
import pickle
from typing import Any, ClassVar

import pytest

from toolrank import Floor, Pool, Tool, Weights, rank
from toolrank._record import Record


class Point(Record):
    x: int
    y: int
    note: str
    _sum: int

    __slots__ = ("_sum", "note", "x", "y")
    _aside: ClassVar[tuple[str, ...]] = ("note",)

    def __init__(self, x: int, y: int, note: str = "") -> None:
        self._set(x=x, y=y, note=note, _sum=x + y)


def test_a_record_cannot_be_changed() -> None:
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="cannot assign to field 'x'"):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 3
    assert not hasattr(point, "__dict__")


def test_records_are_equal_where_the_fields_that_count_are() -> None:
    assert Point(1, 2, "here") == Point(1, 2, "there")
    assert hash(Point(1, 2, "here")) == hash(Point(1, 2, "there"))
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != (1, 2)
    assert Floor(1) != Weights()


def test_a_record_tells_its_fields_in_the_order_in_which_they_are_annotated() -> None:
    assert repr(Point(1, 2, "here")) == "Point(x=1, y=2)"
    match Point(1, 2, "here"):
        case Point(x, y, note):
            assert (x, y, note) == (1, 2, "here")


def test_a_record_survives_a_copy_and_a_pickle_whole() -> None:
    point = Point(1, 2, "here")
    for again in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert (again, again.note, again._sum) == (point, "here", 3)


def test_a_field_is_replaced_in_a_copy() -> None:
    assert Weights().__replace__(name=7) == Weights(name=7)
    assert Tool("a", "b", payload=1).__replace__(name="c").payload == 1
    with pytest.raises(ValueError, match="name must be an integer of 0 or more, not -1"):
        Weights().__replace__(name=-1)


class Place(Point):
    """What a caller may derive: with attributes of its own, which are no fields."""

    def __init__(self, x: int, y: int, where: str) -> None:
        super().__init__(x, y)
        self._set(where=where)


class Named(Tool):
    __slots__ = ("owner",)
    owner: str

    def __init__(self, name: str, owner: str) -> None:
        super().__init__(name)
        self._set(owner=owner)


def test_what_derives_from_a_record_keeps_its_fields() -> None:
    place: Any = Place(1, 2, "here")
    assert (place == Place(1, 2, "there"), place == Place(1, 3, "here"), place == Point(1, 2)) == (True, False, False)
    assert repr(place) == "Place(x=1, y=2)"
    named = Named("ping", "me")
    assert repr(named).startswith("Named(name='ping', description=''")
    assert Named("ping", "me") != Named("pong", "me")
    for again in (copy.copy(named), copy.deepcopy(named), pickle.loads(pickle.dumps(named))):
        assert (again, again.name, again.owner) == (named, "ping", "me")
    for other in (copy.copy(place), pickle.loads(pickle.dumps(place))):
        assert (other.x, other.where) == (1, "here")
    assert rank("ping", Pool([named]))[0].tool is named
