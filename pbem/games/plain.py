"""Default implementations for games without functions of their own. They convert positions, which must be dataclasses,
to plain data, to a line of text, and to a picture.

`pbem.games.base` shows which methods use these functions.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from html import escape
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pbem import Say, Sentence
from pbem.games.values import Event, GameError, Picture, Seat, Sign, Span
from pbem.typed import quote

Made = TypeVar("Made")

SIGNS = (
    Sign("#a33600", "#ff9a5e"), Sign("#00568f", "#7cc0f5", round=True), Sign("#2f5d34", "#8fd197"),
    Sign("#8a2c6b", "#f0a3d6", round=True), Sign("#5b5a10", "#d4d27a"), Sign("#6b2f8f", "#d5abf2", round=True),
)  # fmt: skip
"""The default signs of the seats, in seat order."""
SVG_STYLE = """
.board text { font: 16px monospace; fill: #222; white-space: pre }
@media (prefers-color-scheme: dark) { .board text { fill: #ddd } }
"""
_LINE_HEIGHT, _CHARACTER = 20, 9.7  # pixels
_UNSAID = re.compile(r"[{}|#@()]")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


# Plain data


def dumped(value: Any) -> Any:
    """Convert a value to JSON data. Dataclasses and mappings become objects; tuples and sets become lists."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple | list):
        return [dumped(entry) for entry in value]
    if isinstance(value, Mapping):
        return {str(key): dumped(inner) for key, inner in value.items()}
    return sorted(map(dumped, value)) if isinstance(value, frozenset | set) else fields_of(value)


def fields_of(value: Any, *without: str, **instead: Any) -> dict[str, Any]:
    """Convert the fields of a dataclass to a JSON object. Fields named in `without` are left out, and fields named in
    `instead` get the values given there."""
    return {
        field.name: instead[field.name] if field.name in instead else dumped(getattr(value, field.name))
        for field in fields(value)
        if field.name not in without
    }


def loaded(kind: type[Made], data: Any) -> Made:
    """Convert JSON data, made by `dumped`, back to a value of the type `kind`. Raises GameError, which specifies where
    a value has the wrong type."""
    value: Made = _loaded(kind, data, "the position")
    return value


@cache
def _fields(kind: Any) -> Mapping[str, Any]:
    """Return the types of the fields of `kind` by name. The result is empty if `kind` is not a dataclass."""
    return get_type_hints(kind) if is_dataclass(kind) else {}


def _loaded(kind: Any, data: Any, where: str) -> Any:
    origin, args = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        return _one_of(args, data, where)
    if kind is Any:
        return data
    if origin is Literal:
        right = data in args
    elif _fields(kind):
        right = isinstance(data, dict) and data.keys() <= _fields(kind).keys()
    else:
        right = isinstance(data, _PLAIN.get(origin, origin)) and not (kind is int and isinstance(data, bool))
    if not right:
        raise GameError(f"{where}: this cannot be {quote(data)}.")
    return _of_parts(kind, data, where)


_PLAIN: Mapping[Any, Any] = {Mapping: dict, Sequence: list, tuple: list, frozenset: list, set: list}
"""The JSON types that represent Python types unknown to JSON."""


def _one_of(kinds: Iterable[Any], data: Any, where: str) -> Any:
    """Load a value as the first of the types `kinds` that fits `data`. None is tried first."""
    *others, last = sorted(kinds, key=lambda kind: kind is not NoneType)
    for kind in others:
        try:
            return _loaded(kind, data, where)
        except GameError:
            pass
    return _loaded(last, data, where)


def _of_parts(kind: Any, data: Any, where: str) -> Any:
    """Load a value from `data`, part by part. The outer type of `data` has already been checked."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    if kinds := _fields(kind):
        try:
            return origin(**{key: _loaded(kinds[key], entry, f"{where}, {key}") for key, entry in data.items()})
        except TypeError:  # a field is missing
            missing = ", ".join(key for key in kinds if key not in data)
            raise GameError(f"{where}: {missing} is missing.") from None
    if isinstance(data, dict) and args:
        return {key: _loaded(args[1], entry, f"{where}, {key}") for key, entry in data.items()}
    if not isinstance(data, list):
        return data
    if origin is tuple and args[-1:] != (...,):
        if len(args) != len(data):
            raise GameError(f"{where}: these are {len(args)} values.")
        return tuple(_loaded(part, entry, where) for part, entry in zip(args, data, strict=True))
    return (tuple if origin is Sequence else origin)(_loaded(args[0], entry, where) for entry in data)


def line_of(data: Any) -> str:
    """Write plain data on one line: as JSON with parentheses instead of braces, and with escapes for the characters
    that are reserved in records."""
    text = json.dumps(data, separators=(", ", ": "))
    return _TEXT.sub(lambda string: _UNSAID.sub(lambda sign: f"\\u{ord(sign[0]):04x}", string[0]), text).translate(
        str.maketrans("{}", "()")
    )


def data_of(line: str) -> Any:
    """Parse a line that `line_of` wrote. Raises GameError if the line is not in that form."""
    try:
        return json.loads(line.translate(str.maketrans("()", "{}")))
    except (ValueError, RecursionError):
        raise GameError(f"This is no position: {quote(line)}.") from None


# Display


def picture(data: Mapping[str, Any], since: Mapping[str, Any] | None, signs: Mapping[Seat, Sign]) -> Picture:
    """Draw a position, given as plain data, as lines of text. Each part of the position has a line, or a line for each
    of its entries; `*` marks lines that differ from `since`."""
    before = None if since is None else {tuple(line) for line in _lines(since)}

    def drawn(indent: str, name: str, text: str) -> tuple[Span, ...]:
        changed = before is not None and (indent, name, text) not in before
        return (
            Span(indent),
            Span(name, name if name in signs else ""),
            *([Span(f" {text}", "changed" if changed else "")] if text else []),
            *([Span(" *")] if changed else []),
        )

    return tuple(drawn(*line) for line in _lines(data))


def _lines(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the indent, the name and the value for each line of a picture."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield "", name, ""
            yield from (("  ", inner, _short(entry)) for inner, entry in value.items())
        else:
            yield "", name, _short(value)


def _short(value: Any) -> str:
    """Write a value without quotation marks and brackets."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_short(entry)}" for key, entry in value.items()) or "-"
    if isinstance(value, list):
        return " ".join(map(_short, value)) or "-"
    return "-" if value is None else str(value)


def story(events: Sequence[Event], templates: Mapping[str, str], called: Mapping[str, Sentence], say: Say) -> str:
    """Describe events in sentences. Each sentence is made from the template for the type of its event; if there is no
    such template, the sentence lists the values of the event. Seats and sides are named as in `called`."""
    return " ".join(_sentence(event, templates, called, say) for event in events)


def _sentence(event: Event, templates: Mapping[str, str], called: Mapping[str, Sentence], say: Say) -> str:
    values = {key: _name(value, called, say) for key, value in event.items() if key not in ("type", "seen")}
    if template := templates.get(event["type"]):
        return say(template, **values)
    return f"{str(event['type']).capitalize()}: {', '.join(f'{key} {value}' for key, value in values.items())}."


def _name(value: Any, called: Mapping[str, Sentence], say: Say) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_name(entry, called, say) for entry in value)
    return say(called[value]) if isinstance(value, str) and value in called else _short(value)


def svg(drawing: Picture, style: str = "") -> str:
    """Draw the lines of a picture as SVG. With a `style`, the result is a standalone document."""
    lines = ["".join(span.text for span in line) for line in drawing]
    width, height = int(_CHARACTER * max(map(len, lines), default=0)) + 16, _LINE_HEIGHT * len(lines) + 16
    rows = "".join(f'<text x="8" y="{_LINE_HEIGHT * at + 20}">{escape(line)}</text>' for at, line in enumerate(lines))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" viewBox="0 0 {width} {height}">'
    return f"{head}{f'<style>{style}</style>' if style else ''}<desc>{escape(chr(10).join(lines))}</desc>{rows}</svg>"
