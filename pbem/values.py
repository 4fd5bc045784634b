"""Values: classes as `dataclasses.dataclass` and `typing.NamedTuple` make them, but at once.

Python's own writes functions for each class and compiles them, which for the classes that one letter meets takes
longer than its orders take to be played. Here a class shares all functions but the one that makes a value, and that
one is written when many values are made: the first are filled in field by field.
"""

from collections import _tuplegetter  # type: ignore[attr-defined]
from collections.abc import Iterable
from dataclasses import MISSING, FrozenInstanceError, fields
from dataclasses import dataclass as _dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_FIRST = 20  # values of a class take less time without a function of their own than it takes to write one

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - for whoever checks types it is the very same
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """What `dataclasses.dataclass` makes of a class."""
        make = partial(_made, frozen=frozen, slots=slots, eq=eq)
        return make if cls is None else make(cls)

    class _OfTuples(type):
        """Makes of a class that names its fields a class of tuples with these fields."""

        def __new__(cls, name, bases, body):
            made = type(name, (tuple,), {**_OF_EVERY_TUPLE, **body, "__slots__": ()})
            names = tuple(made.__annotations__)
            defaults = {name: body[name] for name in names if name in body}
            if names[len(names) - len(defaults) :] != (*defaults,):
                raise TypeError(f"{made.__qualname__}: a field without a default follows one that has one.")
            made._fields = made.__match_args__ = names
            made._field_defaults = defaults
            for number, field in enumerate(names):
                setattr(made, field, _tuplegetter(number, None))
            made.__new__ = _first_tuples(made)
            return made

    NamedTuple = type.__new__(_OfTuples, "NamedTuple", (), {"__doc__": "What `typing.NamedTuple` makes of a class."})


def _made(cls: Any, *, frozen: bool, slots: bool, eq: bool) -> Any:
    if frozen and not slots:
        raise TypeError("Values that are frozen have slots here; dataclasses.dataclass makes others.")
    cls.__doc__ = cls.__doc__ or cls.__name__  # or its signature would be written down
    made: Any = _dataclass(init=False, repr=False, eq=False, slots=slots)(cls)

    made.__init__ = _first_values(made, frozen=frozen)
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


def _first_values(made: Any, *, frozen: bool) -> Any:
    """What makes the first values of a class; the function that makes all others, once there are many."""
    count = 0

    def __init__(self: Any, *args: Any, **values: Any) -> None:  # noqa: N807
        nonlocal count
        count += 1
        if count > _FIRST or not _filled(self, args, values):
            made.__init__ = _init(made, frozen=frozen)
            made.__init__(self, *args, **values)
        elif hasattr(made, "__post_init__"):
            self.__post_init__()

    return __init__


def _filled(self: Any, args: tuple[Any, ...], values: dict[str, Any]) -> bool:
    """Fill in a value field by field, if it is given what it has to be."""
    asked = [one for one in fields(self) if one.init]
    given = dict(zip((one.name for one in asked if not one.kw_only), args, strict=False))
    if len(given) < len(args) or given.keys() & values or not values.keys() <= {one.name for one in asked}:
        return False
    given |= values
    for one in fields(self):
        if one.name in given:
            value = given[one.name]
        elif one.default is not MISSING:
            value = one.default
        elif one.default_factory is not MISSING:
            value = one.default_factory()
        elif one.init:
            return False
        else:
            continue  # what is made of the others, by __post_init__
        object.__setattr__(self, one.name, value)
    return True


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


def _first_tuples(made: Any) -> Any:
    """What makes the first tuples of a class; the function that makes all others, once there are many."""
    count = 0

    def __new__(cls: Any, *args: Any, **values: Any) -> Any:  # noqa: N807
        nonlocal count
        count += 1
        given = dict(zip(made._fields, args, strict=False))
        known = {**made._field_defaults, **given, **values}
        if (
            count <= _FIRST
            and len(given) == len(args)
            and not given.keys() & values
            and known.keys() == {*made._fields}
        ):
            return tuple.__new__(cls, map(known.__getitem__, made._fields))
        made.__new__ = _tuple_new(made)
        return made.__new__(cls, *args, **values)

    return __new__


def _tuple_new(made: Any) -> Any:
    """The function that makes tuples of a class, as Python's own would write it; it says what is wrong, as well."""
    names = "".join(f"{name}, " for name in made._fields)
    new = eval(f"lambda _cls, {names}: _tuple(_cls, ({names}))", {"_tuple": tuple.__new__})  # noqa: S307
    new.__name__, new.__qualname__ = "__new__", f"{made.__qualname__}.__new__"
    new.__defaults__ = tuple(made._field_defaults.values())
    return new


def _make(cls: Any, values: Iterable[Any]) -> Any:
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **values: Any) -> Any:
    made = self._make(map(values.pop, self._fields, self))
    if values:
        raise ValueError(f"Got unexpected field names: {[*values]!r}")
    return made


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _newargs(self: Any) -> tuple[Any, ...]:
    return tuple(self)


def _repr_of_tuple(self: Any) -> str:
    shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{self.__class__.__name__}({shown})"


_OF_EVERY_TUPLE = {
    "__repr__": _repr_of_tuple,
    "__getnewargs__": _newargs,
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _asdict,
}
