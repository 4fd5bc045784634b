"""How a line of orders may begin in any game: a quick look, for which no game is imported.

The build writes it down beside the tables of the grammars, with a hash of all that it was made of.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

import pbem.games
from pbem.games import SHIPPED, folders
from pbem.games.base import AnyGame
from pbem.orders.tables import digest, with_words
from pbem.patterns import compiled
from pbem.resources import resource

_MADE = "grammar/made/starts.json"


def may_begin(line: str, at: int) -> bool:
    """Whether what stands at a place of a line may begin orders of some game."""
    if pbem.games.GAMES is SHIPPED:
        return _of_all().match(line, at) is not None
    return any(line_start_of(game).match(line, at) for game in pbem.games.GAMES.values())


@cache
def line_start_of(game: AnyGame) -> re.Pattern[str]:
    """Finds how a line of a game's orders may begin."""
    return compiled(_pattern(game), re.I)


def _pattern(game: AnyGame) -> str:
    return rf"(?:{with_words(game.line_start, game.grammar.parent)})\b"


@cache
def _of_all() -> re.Pattern[str]:
    """The same of every game that is shipped."""
    try:
        found = json.loads(made_file().read_bytes())
    except (OSError, ValueError):
        found = {}
    return compiled(found["starts"] if found.get("of") == _digest() else _all_starts(), re.I)


def _all_starts() -> str:
    return "|".join(map(_pattern, SHIPPED.values()))


def made_file() -> Path:
    """Where the build writes it down."""
    return resource(_MADE)


def written() -> str:
    """What the build writes down."""
    return json.dumps({"of": _digest(), "starts": _all_starts()}, sort_keys=True) + "\n"


def _digest() -> str:
    """SHA-256 of all that it depends on: the code and the words of the games, and the words that they share."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for folder in folders():
        found.update(digest(folder / "orders.lark").encode())
        for path in sorted(folder.glob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
