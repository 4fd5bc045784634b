"""The games that can be played. Each is a package beside this file; `GAMES` is all the registry there is.

A game is imported when it is first asked for: a run that cron starts has letters about one of them, or none at all.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from pbem import Sentence
from pbem.games.base import AnyGame, GameError


class _Shelf(Mapping[str, AnyGame]):
    """Games by their names: the packages in which they are, and the classes there."""

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
"""The game that is meant where none is named: on the command line, in a letter, in a record from before there were
several."""


def find_game(name: str = DEFAULT) -> AnyGame:
    """A game by its name in any case. Raises GameError with the names there are."""
    if name.lower() in GAMES:
        return GAMES[name.lower()]
    raise GameError(Sentence('There is no game "{name}". These can be played: {known}.', name=name, known=tuple(GAMES)))


def folders() -> tuple[Path, ...]:
    """Where each game has its grammar and its words; those that are shipped are not imported for it."""
    if GAMES is SHIPPED:
        return tuple(Path(__file__).parent / name for name in GAMES)
    return tuple(game.grammar.parent for game in GAMES.values())
