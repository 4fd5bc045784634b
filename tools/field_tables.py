"""Tables of the content of files that users write themselves, made from the types that read them."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pbem.typed import Between, Named, Parsed, Right, defaults_of, keys_of


def field_table(name: str) -> str:
    """A table of the fields of a type, such as `rocknroll.cardfile.UnitEntry`."""
    module, _, kind = name.rpartition(".")
    described = getattr(import_module(f"pbem.games.{module}"), kind)
    hints, usual = get_type_hints(described, include_extras=True), defaults_of(described)
    rows = ["| Key | Holds | By default | |", "| --- | --- | --- | --- |"]
    for key, field in zip(keys_of(described), usual, strict=True):
        marks = get_args(hints[field])[1:] if get_origin(hints[field]) is Annotated else ()
        meaning = next((mark for mark in marks if isinstance(mark, str)), "")
        rows.append(f"| `{key}` | {holds(hints[field])} | {_default(usual[field])} | {meaning} |")
    return "\n".join(rows)


def holds(kind: Any) -> str:
    """Describe the values of a type in words."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _marked(args[0], args[1:])
    if origin in (Union, UnionType):
        return " or ".join("null" if one is NoneType else holds(one) for one in args)
    if origin is Literal:
        return " or ".join(f"`{choice}`" for choice in args) if len(args) < 9 else "one of " + ", ".join(map(str, args))
    if origin is tuple:
        return f"a list; each {holds(args[0])}" if args[-1] is ... else f"a list of {', '.join(map(holds, args))}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"an object; each {holds(args[1])}"
    return _PLAIN.get(kind) or f"{_title(kind)}, below"


_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", Any: "anything"}


def _title(kind: Any) -> str:
    return " ".join(re.findall("[A-Z][a-z]+", kind.__name__.removesuffix("Entry").removesuffix("File")))


def _marked(kind: Any, marks: tuple[Any, ...]) -> str:
    for mark in marks:
        match mark:
            case Between():
                return str(mark)
            case Named():
                return f"{'an' if mark.kind[0] in 'aeiou' else 'a'} {mark.kind}"
            case Right() if "list" not in mark.wanted and "lines" not in mark.wanted:
                return mark.wanted
            case Parsed():
                return "a name of 2 to 30 characters"
    return holds(kind)


def _default(usual: Callable[[], Any] | None) -> str:
    if usual is None:
        return "must be there"
    value = usual()
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value not in (None, "", ()) else ""
