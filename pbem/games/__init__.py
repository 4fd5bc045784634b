"""The games that can be played. Each is a package beside this file; a tuple is all the registry there is."""

from pbem.games.base import AnyGame, GameError
from pbem.games.ozymandia import Ozymandia
from pbem.games.ozz import Ozz
from pbem.games.rocknroll import Rocknroll

GAMES: tuple[AnyGame, ...] = (Ozymandia(), Rocknroll(), Ozz())

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
