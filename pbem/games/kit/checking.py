"""Plain data from outside, such as a position or a file of cards: whatever is wrong with it is told at once."""

import json
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pbem.games.options import quote
from pbem.games.values import GameError

MAX_NUMBER = 999_999
Item = TypeVar("Item")


class Checker:
    """Looks at values; `problems` has a sentence for each that cannot be, and something harmless takes its place, so
    that the rest can be looked at all the same. `is_`: how sentences begin that say what would be right."""

    is_: ClassVar[str] = "this is"
    types: ClassVar[Mapping[type, str]] = {
        str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object",
    }  # fmt: skip

    def __init__(self) -> None:
        self.problems: list[str] = []

    def problem(self, where: str, sentence: str) -> None:
        self.problems.append(f"{where}: {sentence}")

    def finish(self) -> None:
        """Raises GameError if there are problems, each a line."""
        if self.problems:
            raise GameError("\n".join(self.problems))

    def wrong(self, where: str, right: str, value: Any) -> None:
        """Something else stands where something right should."""
        self.problem(where, f"{self.is_} {right}, not {quote(value)}.")

    def typed(self, where: str, value: object, kind: type[Item]) -> Item | None:
        """A value of a type, called as in `types` where it is not; a bool is no number."""
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        self.problem(where, f"this should be {self.types[kind]}.")
        return None

    def object(self, where: str, value: Any, keys: Container[str] | type | None = None) -> Mapping[str, Any]:
        """An object; `keys` are all that it may have, or a dataclass whose fields they are."""
        if not isinstance(value, dict):
            self.wrong(where, "an object", value)
            return {}
        if isinstance(keys, type):
            keys = {field.name for field in fields(keys)}
        if keys is not None:
            for key in value:
                if key not in keys:
                    self.problem(where, f"{quote(key)} is no key.")
        return value

    def list(self, where: str, value: Any, read: Callable[[str, Any], Item | None]) -> tuple[Item, ...]:
        """A list of what `read` makes of each entry; those that it makes nothing of are left out."""
        if not isinstance(value, list):
            self.wrong(where, "a list", value)
            return ()
        items = (read(where, entry) for entry in value)
        return tuple(item for item in items if item is not None)

    def number(self, where: str, value: Any, least: int, most: int = MAX_NUMBER) -> int:
        if type(value) is not int or not least <= value <= most:  # a bool is no number here
            self.wrong(where, f"a number from {least} to {most}", value)
            return least
        return value

    def truth(self, where: str, value: Any) -> bool:
        if not isinstance(value, bool):
            self.wrong(where, "true or false", value)
        return value is True

    def among(self, where: str, value: Any, names: Container[str], kind: str) -> str | None:
        """The name of a thing that there is; None if it is none."""
        if not isinstance(value, str) or value not in names:
            self.problem(where, f"there is no {kind} {quote(value)}.")
            return None
        return value

    def one_of(self, where: str, value: Any, choices: Iterable[str | None]) -> Any:
        """One of some texts; the first of them if it is none."""
        choices = tuple(choices)
        if not isinstance(value, str | None) or value not in choices:
            self.wrong(where, f"one of {', '.join(map(quote, choices))}", value)
            return choices[0]
        return value


def read_json(text: str, name: str) -> Any:
    """What a text holds of which errors speak as `name`, such as "map.json". Raises GameError, also for two entries of
    one name in one object."""
    try:
        return json.loads(text, object_pairs_hook=_without_doubles)
    except RecursionError:
        raise GameError(f"{name} cannot be read: it has lists within lists without end.") from None
    except ValueError as error:
        raise GameError(f"{name} is not correct JSON: {error}.") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of two entries with one name the second would silently win."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{quote(next(name for name in names if names.count(name) > 1))} stands twice in one object")
    return entries


def read_file(path: Path, name: str, missing: str, most: int) -> str:
    """The text of a file of at most so many bytes. Raises GameError, `missing` if there is none; else it speaks of the
    file as `name`."""
    try:
        with path.open("rb") as file:
            source = file.read(most + 1)
    except (OSError, ValueError):  # a path with a zero character
        raise GameError(missing) from None
    if len(source) > most:
        raise GameError(f"{name} is longer than {most // 1024} kB.")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{name} is not UTF-8.") from None
