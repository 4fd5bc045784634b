"""Conversion of plain data, such as a parsed TOML or JSON file, into typed values. All problems are reported at once.

A dataclass or a NamedTuple describes an object: fields with a default may be left out, and unknown keys are errors.
`tuple` describes a list, and `Mapping` an object whose keys are not fixed. `Literal`, `X | None`, `str`, numbers and
`bool` have their usual meanings. `Annotated` adds further conditions: `Between`, `Named`, `Right`, `Parsed`, `Key`,
`Complete`.

    class Order(NamedTuple):
        number: Annotated[int, Between(1, 99)]
        side: Annotated[str, Named("side")] | None = None

Conditions that involve several values are checked by the caller, who reports problems to the same `Reader`.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pbem import PbemError

Made = TypeVar("Made")
Place = tuple[str | int, ...]
"""The path to a value in the data: the keys of objects, and the positions in lists, counted from 1. Errors show a path
as `units, Doc, chance` or `points, entry 2`."""

_PLAIN_KEY = re.compile(r"[\w.'-]+( [\w.'-]+)*")
_LONGEST = 40  # the maximum number of characters of a value that an error quotes
JSON_WORDS: Mapping[type, str] = {str: "a text", tuple: "a list", dict: "an object"}
TOML_WORDS: Mapping[type, str] = {str: "a text in quotes", tuple: "a list in brackets", dict: "a table"}


class Between:
    """A condition in `Annotated`: a number from `least` to `most`, both included."""

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

    def __str__(self) -> str:
        return f"a number from {self.least} to {self.most}" if self.least < self.most else str(self.least)


class Named:
    """A condition in `Annotated`: one of the known names of a `kind`, such as "point". The `Reader` has the names of
    each kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Right:
    """A condition in `Annotated`: a value that passes `test`. `wanted` describes such values in errors, after "this
    should be"."""

    def __init__(self, test: Callable[[Any], object], wanted: str) -> None:
        self.test, self.wanted = test, wanted


class Parsed:
    """A mark in `Annotated`: a value that `parse` makes from the raw value. If `parse` is a string, it names one of the
    `parsers` of the `Reader`.

    The function raises ValueError or PbemError if the value is wrong. If the error has `problems`, each of them is a
    sentence about the value; otherwise the text of the error is used.
    """

    def __init__(self, parse: "Callable[[Any], Any] | str") -> None:
        self.parse = parse


class Key:
    """A mark in `Annotated`: the key of a field in the data, if the field has another name in Python."""

    def __init__(self, name: str) -> None:
        self.name = name


class Complete:
    """A mark in `Annotated`: a Mapping that must contain every key that its key type allows. The keys of the result are
    in the order of that type."""


_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb]"
    r"|[\ufffe\uffff\U0001fffe\U0001ffff\U0010fffe\U0010ffff]"
)


def unseen(text: str) -> str:
    """Return the code point, such as `U+202E`, of the first character in `text` that could upset a terminal or a page,
    or change the order in which characters are displayed; "" if there is no such character. Line feeds and tabs are
    allowed, and so are joiners, because emoji need them."""
    found = None if text.isprintable() else _UNSEEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def quote(value: object, longest: int = _LONGEST) -> str:
    """Return `value` as JSON for an error message, cut to at most `longest` characters. A value that JSON cannot
    represent is shown as `str` shows it."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    if not text.isprintable():
        text = json.dumps(value, default=str)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def nearest(word: str, words: Iterable[str]) -> str:
    """Return a hint for an error about the unknown word `word`: the most similar of the known `words` or, if none of
    them is similar, a list of them all."""
    from difflib import get_close_matches

    known = [*words]
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known) or 'none'}."


def keys_of(kind: Any) -> tuple[str, ...]:
    """Return the keys that are allowed in an object that `kind`, a dataclass or a NamedTuple, describes."""
    return tuple(_key(name, hint) for name, hint, _ in _fields(kind))


def defaults_of(kind: Any) -> dict[str, Callable[[], Any] | None]:
    """Return, for each field of the dataclass or NamedTuple `kind`, the function that makes its default value; None for
    a required field."""
    return {name: default for name, _, default in _fields(kind)}


class Reader:
    """A reader of plain data, which collects all problems as lines in `problems`.

    It replaces a wrong value with a harmless value of the same type, and leaves out a wrong entry of a list or of an
    object without fixed keys, so that everything else can still be checked. After that, it reports no more problems
    with the same value.

    `names` are the known names for each kind of `Named`, `parsers` the functions to which `Parsed` can refer by name,
    and `words` the terms of the data format for texts, lists and objects.
    """

    def __init__(
        self,
        names: Mapping[str, Collection[str]] | None = None,
        parsers: Mapping[str, Callable[[Any], Any]] | None = None,
        words: Mapping[type, str] = JSON_WORDS,
    ) -> None:
        self.problems: list[str] = []
        self.words = words
        self.names, self.parsers = dict(names or {}), dict(parsers or {})
        self.replaced: set[Place] = set()

    def read(self, kind: type[Made], value: object, *where: str | int) -> Made:
        """Return `value`, which is at the place `where` in the data, converted to the type `kind`."""
        kind_of: Any = kind
        made: Made = _compiled(kind_of).read(self, where, value)
        return made

    def problem(self, where: Place, sentence: str) -> None:
        """Report a problem with the value at `where`, unless this value, or one that contains it, has already been
        replaced."""
        if not any(where[:length] in self.replaced for length in range(len(where) + 1)):
            self.problems.append(self.line(where, sentence))

    def line(self, where: Place, sentence: str) -> str:
        """Return the problem `sentence` as one line, which begins with the place `where`."""
        return ": ".join(filter(None, (named(where), sentence)))

    def replace(self, where: Place, sentence: str) -> None:
        """Report a problem with the value at `where`, and note that this value is replaced."""
        self.problem(where, sentence)
        self.replaced.add(where)

    def mistaken(self, where: Place, wanted: str, value: object) -> None:
        """Report that `value`, at the place `where`, is not what is `wanted`, and note that this value is replaced."""
        self.replace(where, f"this should be {wanted}, not {quote(value)}.")

    def sound(self, *where: str | int) -> bool:
        """Return whether nothing was replaced at the place `where`: neither the value itself, nor anything inside or
        around it."""
        size = len(where)
        return not any(place[:size] == where[: len(place)] for place in self.replaced)


def named(where: Place) -> str:
    """Return the place `where` as error messages show it."""
    return ", ".join(f"entry {step}" if isinstance(step, int) else _step(step) for step in where)


def _step(key: str) -> str:
    return key if len(key) <= _LONGEST and _PLAIN_KEY.fullmatch(key) else quote(key)


class _Kind:
    """The functions that read one type of value: `read` converts the raw value at a place, and `harmless` makes a value
    to put in place of a wrong one."""

    def __init__(self, read: Callable[[Reader, Place, Any], Any], harmless: Callable[[Reader], Any]) -> None:
        self.read, self.harmless = read, harmless


@cache
def _compiled(kind: Any) -> _Kind:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(args[0], args[1:])
    if origin in (Union, UnionType):
        return _union(args)
    if origin is Literal:
        return _literal(args)
    if origin is tuple:
        return _list(args[0]) if args[-1] is ... else _row(args)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*args)
    if kind in _TYPES:
        return _plain(kind)
    return _Kind(lambda reader, where, value: value, lambda reader: None) if kind is Any else _struct(kind)


_TYPES: Mapping[Any, tuple[str, Any]] = {
    str: ("", ""), int: ("a whole number", 0), float: ("a number", 0), bool: ("true or false", False),
}  # fmt: skip
"""For each plain type, its term in error messages, or "" if the term is in `Reader.words`; and a harmless value."""


def _plain(kind: type, wanted: str = "") -> _Kind:
    types, (called, harmless) = (int, float) if kind is float else (kind,), _TYPES[kind]

    def read(reader: Reader, where: Place, value: Any) -> Any:
        if type(value) not in types:  # not isinstance: a bool does not count as a number
            reader.mistaken(where, wanted or called or reader.words[kind], value)
        elif kind is str and (char := unseen(value)):
            reader.mistaken(where, f"{reader.words[str]} without the character {char}", value)
        else:
            return value
        return harmless

    return _Kind(read, lambda reader: harmless)


def _literal(choices: tuple[Any, ...]) -> _Kind:
    wanted = f"one of {', '.join(map(quote, choices))}" if choices[1:] else quote(choices[0])
    types = {type(choice) for choice in choices}  # so that True does not count as 1

    def read(reader: Reader, where: Place, value: Any) -> Any:
        if type(value) in types and value in choices:
            return value
        reader.mistaken(where, wanted, value)
        return choices[0]

    return _Kind(read, lambda reader: choices[0])


def _union(kinds: tuple[Any, ...]) -> _Kind:
    """Return the functions that read a union of fixed values, such as None or a Literal, and at most one other type."""
    fixed = tuple(choice for kind in kinds for choice in _choices(kind))
    others = [kind for kind in kinds if not _choices(kind)]
    other = _compiled(others[0]) if others else _literal(fixed)

    types = {type(choice) for choice in fixed}

    def read(reader: Reader, where: Place, value: Any) -> Any:
        return value if type(value) in types and value in fixed else other.read(reader, where, value)

    return _Kind(read, lambda reader: fixed[0])


def _choices(kind: Any) -> tuple[Any, ...]:
    return (None,) if kind is NoneType else get_args(kind) if get_origin(kind) is Literal else ()


def _list(inner: Any) -> _Kind:
    entry = _compiled(inner)

    def read(reader: Reader, where: Place, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            reader.mistaken(where, reader.words[tuple], value)
            return ()
        made = [entry.read(reader, (*where, at), part) for at, part in enumerate(value, start=1)]
        if not reader.replaced:
            return tuple(made)
        return tuple(part for at, part in enumerate(made, start=1) if (*where, at) not in reader.replaced)

    return _Kind(read, lambda reader: ())


def _row(kinds: tuple[Any, ...]) -> _Kind:
    """Return the functions that read a list of fixed length in which each entry has its own type."""
    entries = [_compiled(kind) for kind in kinds]

    def read(reader: Reader, where: Place, value: Any) -> tuple[Any, ...]:
        if isinstance(value, list | tuple) and len(value) == len(entries):
            return tuple(entry.read(reader, (*where, at), value[at - 1]) for at, entry in enumerate(entries, start=1))
        reader.mistaken(where, f"a list of {len(entries)} values", value)
        return harmless(reader)

    def harmless(reader: Reader) -> tuple[Any, ...]:
        return tuple(entry.harmless(reader) for entry in entries)

    return _Kind(read, harmless)


def _mapping(keys: Any, values: Any, *, complete: bool = False) -> _Kind:
    inner, fault = _compiled(values), _key_fault(keys)

    def needed(reader: Reader) -> Collection[str]:
        return _keys_of(reader, keys) if complete else ()

    def read(reader: Reader, where: Place, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            reader.mistaken(where, reader.words[dict], value)
            return harmless(reader)
        made: dict[str, Any] = {}
        for key, part in value.items():
            if sentence := fault(reader, key):
                reader.problem(where, sentence)
                continue
            value_made = inner.read(reader, (*where, key), part)
            if complete or (*where, key) not in reader.replaced:
                made[key] = value_made
        for key in needed(reader):
            if key not in made:
                reader.replace((*where, key), "this is missing.")
                made[key] = inner.harmless(reader)
        return {key: made[key] for key in needed(reader)} if complete else made

    def harmless(reader: Reader) -> dict[str, Any]:
        return {key: inner.harmless(reader) for key in needed(reader)}

    return _Kind(read, harmless)


def _keys_of(reader: Reader, keys: Any) -> Collection[str]:
    """Return the keys that the type `keys` allows: the choices of a Literal, or the names of a `Named` kind."""
    choices = _choices(keys)
    if choices:
        return choices
    return next(reader.names[mark.kind] for mark in get_args(keys) if isinstance(mark, Named))


def _key_fault(keys: Any) -> Callable[[Reader, str], str]:
    """Return a function that explains in a sentence why the type `keys` does not allow a key; it returns "" for an
    allowed key."""
    choices, marks = _choices(keys), get_args(keys)[1:]

    def fault(reader: Reader, key: str) -> str:
        if choices:
            return "" if key in choices else f"unknown key {quote(key)}; {nearest(key, choices)}"
        for mark in marks:
            if isinstance(mark, Named) and key not in reader.names[mark.kind]:
                return f"there is no {mark.kind} {quote(key)}."
            if isinstance(mark, Right) and not mark.test(key):
                return f"a key should be {mark.wanted}, not {quote(key)}."
            if isinstance(mark, Parsed):
                return " ".join(_parsed_as(reader, mark, key)[1])
        return ""

    return fault


_Field = tuple[str, _Kind, Callable[[], Any] | None]
"""A field: its key, the functions that read its type, and the function that makes its default (None if it is
required)."""


def _struct(kind: Any) -> _Kind:
    by_name = {name: _field(name, hint, default) for name, hint, default in _fields(kind)}
    known = [key for key, _, _ in by_name.values()]

    def read(reader: Reader, where: Place, value: Any) -> Any:
        if not isinstance(value, dict):
            reader.mistaken(where, reader.words[dict], value)
            return harmless(reader)
        for key in value.keys() - known and [key for key in value if key not in known]:
            reader.problem(where, f"unknown key {quote(key)}; {nearest(key, known)}")
        made = {}
        for name, (key, inner, default) in by_name.items():
            if key in value:
                made[name] = inner.read(reader, (*where, key), value[key])
                continue
            if not default:
                reader.replace((*where, key), "this is missing.")
            made[name] = default() if default else inner.harmless(reader)
        return kind(**made)

    def harmless(reader: Reader) -> Any:
        fields = by_name.items()
        return kind(**{name: (usual or partial(inner.harmless, reader))() for name, (_, inner, usual) in fields})

    return _Kind(read, harmless)


def _field(name: str, hint: Any, default: Callable[[], Any] | None) -> _Field:
    return _key(name, hint), _compiled(hint), default


def _key(name: str, hint: Any) -> str:
    return next((mark.name for mark in get_args(hint)[1:] if isinstance(mark, Key)), name)


def _fields(kind: Any) -> Iterable[tuple[str, Any, Callable[[], Any] | None]]:
    """Return the name, the type and the default function of each field that the constructor of `kind`, a dataclass or a
    NamedTuple, takes. The function is None for a required field."""
    hints = get_type_hints(kind, include_extras=True)
    if hasattr(kind, "_field_defaults"):
        usual = kind._field_defaults
        return [(name, hints[name], partial(usual.get, name) if name in usual else None) for name in kind._fields]
    from dataclasses import MISSING, fields

    def maker(field: Any) -> Callable[[], Any] | None:
        if field.default_factory is not MISSING:
            return field.default_factory  # type: ignore[no-any-return]
        return None if field.default is MISSING else partial(getattr, field, "default")

    return [(field.name, hints[field.name], maker(field)) for field in fields(kind) if field.init]


def _annotated(kind: Any, marks: tuple[Any, ...]) -> _Kind:
    """Return the functions that read the type `kind` with the conditions in `marks`."""
    inner = _base(kind, marks)
    for mark in marks:
        match mark:
            case Between():
                inner = _between(inner, mark)
            case Named():
                inner = _named(mark)
            case Right():
                inner = _right(inner, mark)
            case Parsed():
                inner = _parsed(mark)
    return inner


def _base(kind: Any, marks: tuple[Any, ...]) -> _Kind:
    if any(isinstance(mark, Parsed | Named) for mark in marks):
        return _Kind(lambda reader, where, value: value, lambda reader: None)
    if any(isinstance(mark, Complete) for mark in marks):
        return _mapping(*get_args(kind), complete=True)
    wanted = [str(mark) for mark in marks if isinstance(mark, Between)]
    return _plain(kind, wanted[0]) if wanted else _compiled(kind)


def _between(inner: _Kind, mark: Between) -> _Kind:
    def read(reader: Reader, where: Place, value: Any) -> Any:
        number = inner.read(reader, where, value)
        if mark.least <= number <= mark.most:
            return number
        reader.mistaken(where, str(mark), value)
        return mark.least

    return _Kind(read, lambda reader: mark.least)


def _named(mark: Named) -> _Kind:
    def read(reader: Reader, where: Place, value: Any) -> Any:
        if isinstance(value, str) and value in reader.names[mark.kind]:
            return value
        reader.replace(where, f"there is no {mark.kind} {quote(value)}.")
        return harmless(reader)

    def harmless(reader: Reader) -> str:
        return next(iter(reader.names[mark.kind]), "")

    return _Kind(read, harmless)


def _right(inner: _Kind, mark: Right) -> _Kind:
    def read(reader: Reader, where: Place, value: Any) -> Any:
        made = inner.read(reader, where, value)
        if where not in reader.replaced and not mark.test(made):
            reader.mistaken(where, mark.wanted, value)
            return inner.harmless(reader)
        return made

    return _Kind(read, inner.harmless)


def _parsed(mark: Parsed) -> _Kind:
    def read(reader: Reader, where: Place, value: Any) -> Any:
        made, problems = _parsed_as(reader, mark, value)
        for problem in problems:
            reader.problem(where, problem)
        if problems:
            reader.replaced.add(where)
        return made

    return _Kind(read, lambda reader: None)


def _parsed_as(reader: Reader, mark: Parsed, value: Any) -> tuple[Any, Sequence[str]]:
    """Parse `value` as `mark` specifies; return the result and no problems, or None and the problems."""
    parse = reader.parsers[mark.parse] if isinstance(mark.parse, str) else mark.parse
    try:
        return parse(value), ()
    except (PbemError, ValueError) as error:
        return None, getattr(error, "problems", None) or (str(error),)
