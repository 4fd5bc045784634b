"""Values: classes as `dataclasses.dataclass` makes them, but at once.

Python's own writes half a dozen functions for each class and compiles them, which for the classes that one letter
meets takes longer than its orders take to be played. Here a class shares all functions but `__init__`, which is
written when the first value is made.
"""

from dataclasses import MISSING, FrozenInstanceError, fields
from dataclasses import dataclass as _dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - for whoever checks types it is the very same
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """What `dataclasses.dataclass` makes of a class."""
        make = partial(_made, frozen=frozen, slots=slots, eq=eq)
        return make if cls is None else make(cls)


def _made(cls: Any, *, frozen: bool, slots: bool, eq: bool) -> Any:
    if frozen and not slots:
        raise TypeError("Values that are frozen have slots here; dataclasses.dataclass makes others.")
    cls.__doc__ = cls.__doc__ or cls.__name__  # or its signature would be written down
    made: Any = _dataclass(init=False, repr=False, eq=False, slots=slots)(cls)

    def first(self: Any, *args: Any, **values: Any) -> None:
        made.__init__ = _init(made, frozen=frozen)
        made.__init__(self, *args, **values)

    made.__init__ = first
    if "__repr__" not in cls.__dict__:
        made.__repr__ = _repr
    if frozen:
        made.__setattr__, made.__delattr__ = _set, _delete
        made.__getstate__, made.__setstate__ = _state, _with_state
    if eq:
        made.__eq__, made.__hash__ = _equal(_getter([one.name for one in fields(made) if one.compare])), None
    if eq and frozen:
        hashed = [one.name for one in fields(made) if (one.compare if one.hash is None else one.hash)]
        made.__hash__ = _hash(_getter(hashed))
    return made


def _init(cls: Any, *, frozen: bool) -> Any:
    """The function that makes a value of a class, as Python's own would write it."""
    known: dict[str, Any] = {"_missing": MISSING}
    heads, named, lines = ["self"], list[str](), list[str]()
    for one in fields(cls):
        if not one.init and one.default is MISSING and one.default_factory is MISSING:
            continue  # what is made of the others, by __post_init__
        head, value = one.name, one.name
        if one.default is not MISSING:
            known[f"_default_{one.name}"] = one.default
            head += f"=_default_{one.name}"
        elif one.default_factory is not MISSING:
            known[f"_make_{one.name}"] = one.default_factory
            head += "=_missing"
            value = f"_make_{one.name}() if {one.name} is _missing else {one.name}"
        if one.init:
            (named if one.kw_only else heads).append(head)
        elif one.default is not MISSING:
            value = f"_default_{one.name}"
        else:
            value = f"_make_{one.name}()"
        if frozen:
            known[f"_set_{one.name}"] = getattr(cls, one.name).__set__  # of its slot
            lines.append(f"\n _set_{one.name}(self, {value})")
        else:
            lines.append(f"\n self.{one.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("\n self.__post_init__()")
    heads += ["*", *named] if named else []
    exec(f"def __init__({', '.join(heads)}):{''.join(lines) or ' pass'}", known)  # noqa: S102 - names of fields alone
    init = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _getter(names: list[str]) -> Any:
    """What gives the values of some fields as a tuple."""
    if not names:
        return lambda value: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda value: (get(value),)


def _equal(get: Any) -> Any:
    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(get: Any) -> Any:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(get(self))

    return __hash__


def _repr(self: Any) -> str:
    shown = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _set(_: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _with_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
