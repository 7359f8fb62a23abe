"""Immutable records.

`dataclasses` would do as well, but a fifth of `import toolrank` was its import and what it compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_how: object) -> Callable[[type], type]:
        """Tell type checkers that the fields are read-only; there is nothing to do when it runs."""
        return lambda cls: cls


__all__ = ["Record"]


@dataclass_transform(frozen_default=True)
class Record:
    """A value with fields, as a subclass annotates them: it cannot be changed, and equals another with equal fields.

    A field that begins with an underscore, or is among `_aside`, takes no part in comparison and representation. A
    subclass names its fields again as `__slots__`, and sets them with `_set`. What derives from that adds no field.

    >>> class Point(Record):
    ...     x: int
    ...     y: int
    ...     __slots__ = ("x", "y")
    ...
    ...     def __init__(self, x, y):
    ...         self._set(x=x, y=y)
    >>> Point(1, 2) == Point(1, 2), Point(1, 2), Point(1, 2).__replace__(y=3)
    (True, Point(x=1, y=2), Point(x=1, y=3))
    """

    __slots__: tuple[str, ...] = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _aside: ClassVar[tuple[str, ...]] = ()
    _values: ClassVar[Callable[[Any], Any]]

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        if "__slots__" in cls.__dict__ and Record in cls.__bases__:  # a record; what derives from one keeps its fields
            named = tuple([name for name in cls.__annotations__ if not name.startswith("_")])
            cls.__match_args__ = named  # type: ignore[misc]
            cls._values = attrgetter(*[name for name in named if name not in cls._aside])

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        of = type(self)._values
        return bool(of(self) == of(other))

    def __hash__(self) -> int:
        return hash(type(self)._values(self))

    def __repr__(self) -> str:
        told = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__ if name not in self._aside]
        return f"{type(self).__qualname__}({', '.join(told)})"

    def __replace__(self, **changes: Any) -> Any:
        """Return a copy with some fields changed, as `copy.replace` of Python 3.13 does."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__match_args__}, **changes})

    def __getstate__(self) -> dict[str, object]:
        slots = [slot for kind in type(self).__mro__ for slot in kind.__dict__.get("__slots__", ())]
        return {**getattr(self, "__dict__", {}), **{slot: getattr(self, slot) for slot in slots if hasattr(self, slot)}}

    def __setstate__(self, state: dict[str, object]) -> None:
        self._set(**state)
