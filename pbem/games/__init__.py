"""The games that can be played. Each is a package beside this file; a tuple is all the registry there is."""

from functools import cache

from pbem.games.base import AnyGame, GameError
from pbem.games.ozymandia import Ozymandia

GAMES: tuple[AnyGame, ...] = (Ozymandia(),)

RULES_ONLY = ("rocknroll",)
"""Games whose rules are here, and whose letters are not yet: `pbem adjudicate --json` plays their turns."""

DEFAULT = "ozymandia"
"""The game that is meant where none is named: on the command line, in a letter, in a record from before there were
several."""


def find_game(name: str = DEFAULT) -> AnyGame:
    """A game by its name in any case. Raises GameError with the names there are."""
    for game in GAMES:
        if game.name == name.lower():
            return game
    known = ", ".join(game.name for game in GAMES)
    raise GameError(f'There is no game "{name}". These can be played: {known}.')


def find_rules(name: str = DEFAULT) -> AnyGame:
    """A game whose turns can be asked for. Raises GameError with the names of those that can be played."""
    return _rocknroll() if name.lower() in RULES_ONLY else find_game(name)


@cache
def _rocknroll() -> AnyGame:
    """Read when it is asked for: it would double what a poll takes to start."""
    from pbem.games.rocknroll import Rocknroll

    return Rocknroll()  # type: ignore[abstract]
