"""Plans: the shipped data of a game as its records hold them, so that people and other programs can play the game
without this one (docs/record.md).

A plan is TOML with a line for each value. It leaves out what only this program or a player's letters need: drawings,
translations, and the marks that say where a value comes from. A game turns a plan into the content of a data file.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.games.values import GameError
from pbem.typed import TOML_WORDS, Made, Reader, quote

_BARE_KEY = re.compile("[A-Za-z0-9_-]+")
_ROWS = "rows"
_EMPTY: tuple[Any, ...] = ("", 0, [])


def write_plan(values: Mapping[str, Any]) -> str:
    """Return `values`, by their TOML keys, as a plan: a line for each value or, of a list of objects, for each object.
    Texts are in single quotes where possible, because a record escapes double ones."""
    lines: list[str] = []
    for key, value in values.items():
        if isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
            lines += [f"{key} = [", *(f"{_value(part)}," for part in value), "]"]
        else:
            lines.append(f"{key} = {_value(value)}")
    return "\n".join(lines)


def lines_of(key: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `entries` of the object `key` by TOML keys of their own, so that each has a line in a plan."""
    return {f"{key}.{_key(name)}": entry for name, entry in entries.items()}


def _value(value: Any) -> str:
    """Return a value in one line of TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            plain = "'" not in value and value.isprintable()
            return f"'{value}'" if plain else json.dumps(value, ensure_ascii=False)
        case Mapping():
            return f"{{ {', '.join(f'{_key(key)} = {_value(part)}' for key, part in value.items())} }}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
    return str(value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def read_plan(kind: type[Made], text: str, name: str) -> Made:
    """Return the values of a plan as the type `kind`; error messages call the plan `name`. Raises GameError with one
    problem per line."""
    try:
        data = tomllib.loads(text + "\n")
    except RecursionError:
        raise GameError(f"{name} cannot be read: its lists are nested too deeply.") from None
    except ValueError as error:
        raise GameError(f"{name} is not correct TOML: {error}.") from None
    reader = Reader(words=TOML_WORDS)
    values = reader.read(kind, data, name)
    if reader.problems:
        raise GameError("\n".join(reader.problems))
    return values


# Tables, for many entries with the same keys


def grouped(entries: Mapping[str, Mapping[str, Any]], columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return `entries` in groups. A group has the values that its entries share and, in `rows`, a list for each entry,
    with its values in the order of `columns`. Blank values are left out or, within a list, are those of `columns`."""
    groups = groupby(entries.items(), lambda entry: _shared(entry[1], columns))
    return [{**dict(shared), _ROWS: {code: _row(entry, columns) for code, entry in part}} for shared, part in groups]


def _shared(entry: Mapping[str, Any], columns: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(key, value) for key, value in entry.items() if key not in columns and not is_blank(value)]


def _row(entry: Mapping[str, Any], columns: Mapping[str, Any]) -> list[Any]:
    values = [entry.get(column) or blank for column, blank in columns.items()]
    while values and is_blank(values[-1]):
        values.pop()
    return values


def is_blank(value: Any) -> bool:
    """Return whether `value` says that there is nothing: None, an empty text or list, 0 or false."""
    return value is None or value in _EMPTY


def ungrouped(groups: Iterable[Mapping[str, Any]], columns: Sequence[str], name: str) -> dict[str, dict[str, Any]]:
    """Return the entries from which `grouped` made `groups`; blank values are left out. Error messages call the groups
    `name`. Raises GameError if they are not groups."""
    entries: dict[str, dict[str, Any]] = {}
    for group in groups:
        rows = group.get(_ROWS)
        if not isinstance(rows, dict):
            raise GameError(f"{name}: a group has its entries in {_ROWS}, not {quote(rows)}.")
        shared = {key: value for key, value in group.items() if key != _ROWS}
        for code, values in rows.items():
            if code in entries or not isinstance(values, list) or len(values) > len(columns):
                raise GameError(f"{name}, {code}: this stands twice, or is no list of {', '.join(columns)}.")
            entry = {column: value for column, value in zip(columns, values, strict=False) if not is_blank(value)}
            entries[code] = {**shared, **entry}
    return entries


# Comparing


def check_same(held: Mapping[str, Any], own: Mapping[str, Any], header: str, name: str) -> None:
    """Raise GameError if the data that a record holds under `header` differ from the shipped data called `name`. Both
    are the content of a data file."""
    if found := _difference(held, own, ""):
        raise GameError(
            f"{header} holds other data than {quote(name)} has: {found}. Correct the record, or take all its headers"
            f" {header} out to read it with {quote(name)} as it is here."
        )


def _difference(held: Any, own: Any, place: str) -> str:
    """Return the first difference between two values as a clause; "" if there is none."""
    if isinstance(held, Mapping) and isinstance(own, Mapping):
        for key in (*own, *held):
            where = f"{place}.{key}" if place else key
            if key not in held or key not in own:
                return f"{where} stands {'only' if key in held else 'not'} in the record"
            if found := _difference(held[key], own[key], where):
                return found
        return "" if [*held] == [*own] else f"{place} has another order"
    if isinstance(held, list) and isinstance(own, list) and len(held) == len(own):
        pairs = enumerate(zip(held, own, strict=True), start=1)
        return next(filter(None, (_difference(*pair, f"{place}.{at}") for at, pair in pairs)), "")
    if isinstance(held, list) and isinstance(own, list):
        return f"{place} has {len(held)} entries in the record, and {len(own)} here"
    same = type(held) is type(own) and held == own
    return "" if same else f"{place} is {quote(held)} in the record, and {quote(own)} here"
