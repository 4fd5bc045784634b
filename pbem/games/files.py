"""Files of people's own, such as cards or a map, that a game is played with."""

import json
from typing import Any

from pbem.games.options import quote


def read_json(text: str) -> Any:
    """What a file holds. Raises ValueError, also for two entries of one name, and RecursionError."""
    return json.loads(text, object_pairs_hook=_without_doubles)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of two entries with one name the second would silently win."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{quote(next(name for name in names if names.count(name) > 1))} stands twice in one object")
    return found
