"""The games that can be played. Each is a package in this folder; `GAMES` is the only registry.

A game is imported on first use, because a run started by cron often needs only one of them, or none.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from pbem import Sentence
from pbem.games.base import AnyGame, GameError


class _Shelf(Mapping[str, AnyGame]):
    """Games by name, created on first use from the class in their package."""

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
"""The default game: on the command line, in a letter, and in the headers of a record."""


def find_game(name: str = DEFAULT) -> AnyGame:
    """Find a game by name, ignoring case. Raises GameError with the names of all games."""
    if name.lower() in GAMES:
        return GAMES[name.lower()]
    raise GameError(Sentence('There is no game "{name}". These can be played: {known}.', name=name, known=tuple(GAMES)))


def folders() -> tuple[Path, ...]:
    """Return the folders with the grammar and words of each game, found without importing the shipped games."""
    if GAMES is SHIPPED:
        return tuple(Path(__file__).parent / name for name in GAMES)
    return tuple(game.grammar.parent for game in GAMES.values())
