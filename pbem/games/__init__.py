"""The games that can be played. Each game is a package in this folder; `GAMES` is the only registry.

A game is imported on first use, because a run started by cron often needs only one of the games, if any.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from pbem import Sentence
from pbem.games.base import AnyGame, GameError


class _Shelf(Mapping[str, AnyGame]):
    """A mapping of names to games. Each game is created on first use, from the class in its package."""

    def __init__(self, **classes: str) -> None:
        self._classes, self._games = classes, dict[str, AnyGame]()

    def __getitem__(self, name: str) -> AnyGame:
        if name not in self._games:
            game_class = getattr(import_module(f"pbem.games.{name}"), self._classes[name])
            self._games[name] = game_class()
        return self._games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)

    def __contains__(self, name: object) -> bool:
        return name in self._classes


SHIPPED = _Shelf(ozymandia="Ozymandia", rocknroll="Rocknroll", ozz="Ozz")
GAMES: Mapping[str, AnyGame] = SHIPPED

DEFAULT = "ozymandia"
"""The name of the game to use if the command line, a letter or the headers of a record do not name a game."""


def find_game(name: str = DEFAULT) -> AnyGame:
    """Return the game called `name`, ignoring case. Raises GameError, which lists the names of all games, if the game
    does not exist."""
    if name.lower() in GAMES:
        return GAMES[name.lower()]
    raise GameError(Sentence('There is no game "{name}". These can be played: {known}.', name=name, known=tuple(GAMES)))


def folders() -> tuple[Path, ...]:
    """Return the folder of each game, which contains its grammar and words, without importing the shipped games."""
    if GAMES is SHIPPED:
        return tuple(Path(__file__).parent / name for name in GAMES)
    return tuple(game.grammar.parent for game in GAMES.values())
