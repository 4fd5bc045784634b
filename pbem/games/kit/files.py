"""Read a game's own data files, as text or as JSON. `pbem.typed` checks and converts their content."""

import json
from pathlib import Path
from typing import Any

from pbem.games.values import GameError
from pbem.typed import quote


def read_json(text: str, name: str) -> Any:
    """Decode the JSON text of a file that error messages call `name`, such as "map.json". Raises GameError if the text
    is not valid JSON, or if an object in it has the same key twice."""
    try:
        return json.loads(text, object_pairs_hook=_without_doubles)
    except RecursionError:
        raise GameError(f"{name} cannot be read: it has lists within lists without end.") from None
    except ValueError as error:
        raise GameError(f"{name} is not correct JSON: {error}.") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its entries. Raises ValueError if two entries have the same key, because the second entry
    would silently replace the first."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{quote(next(name for name in names if names.count(name) > 1))} stands twice in one object")
    return entries


def read_file(path: Path, name: str, missing: str, most: int) -> str:
    """Read a text file of at most `most` bytes. Raises GameError: with the message `missing` if the file cannot be
    opened, and with a message that calls the file `name` if it is too long or not UTF-8."""
    try:
        with path.open("rb") as file:
            source = file.read(most + 1)
    except (OSError, ValueError):  # ValueError for a path with a NUL character
        raise GameError(missing) from None
    if len(source) > most:
        raise GameError(f"{name} is longer than {most // 1024} kB.")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{name} is not UTF-8.") from None
