"""The games that can be played. Those of pbem are packages in this folder; other packages can bring more.

A game is imported on first use, because a run started by cron often needs only one of the games, if any.
"""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from functools import cache
from importlib import import_module
from pathlib import Path

from pbem import PbemError, Sentence
from pbem.games.base import REQUIRED, TEMPLATES, AnyGame, Game, GameError
from pbem.games.spelling import caseless
from pbem.plugins import Fault, Source, installed


class NoGameError(GameError):
    """Raised if a game cannot be played here: no installed package has it, or its package is broken."""


class LeftOutError(PbemError):
    """Raised at the end of work that concerns many matches if the games of some of them cannot be played here, so that
    these matches were left out. Everything else is done."""

    trouble = True

    def __init__(self, why: Mapping[str, NoGameError], outcome: str) -> None:
        """`why` maps the name of each match or league that was left out to the error of its game; `outcome` is a
        sentence about what became of all of them."""
        games = dict.fromkeys(str(error) for error in why.values())
        super().__init__(f"{' '.join(games)} Left out: {', '.join(why)}. {outcome}")


class _Installed(Mapping[str, AnyGame]):
    """A mapping of names to the installed games. Each game is created on first use, from the class in its package.

    Looking up a game that cannot be created raises NoGameError. `items` and `values` create all games, and leave out
    those that cannot be created.
    """

    def __getitem__(self, name: str) -> AnyGame:
        game = _created(name, installed().games[name])
        if isinstance(game, Fault):
            raise unplayable(game)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(installed().games)

    def __len__(self) -> int:
        return len(installed().games)

    def __contains__(self, name: object) -> bool:
        return name in installed().games

    def items(self) -> ItemsView[str, AnyGame]:
        return self._sound().items()

    def values(self) -> ValuesView[AnyGame]:
        return self._sound().values()

    def _sound(self) -> dict[str, AnyGame]:
        games = {name: _created(name, source) for name, source in installed().games.items()}
        return {name: game for name, game in games.items() if not isinstance(game, Fault)}


INSTALLED = _Installed()
GAMES: Mapping[str, AnyGame] = INSTALLED

DEFAULT = "ozymandia"
"""The name of the game to use if the command line, a letter or the headers of a record do not name a game."""


def find_game(name: str = DEFAULT) -> AnyGame:
    """Return the game called `name`, ignoring case. Raises NoGameError, which lists the names of all games if the
    game does not exist, and says what is wrong with it if its package is broken."""
    if name.lower() in GAMES:
        return GAMES[name.lower()]
    for fault in installed().faults:
        if fault.name == name.lower():
            raise unplayable(fault)
    raise NoGameError(Sentence('There is no game "{name}". You can play {known}.', name=name, known=tuple(GAMES)))


def game_called(name: str) -> AnyGame | None:
    """Return the game whose name, short name or title is `name`, ignoring case; None if there is no such game."""
    wanted = caseless(name)
    named = (game for game in GAMES.values() if wanted in (game.name, game.short, caseless(game.title)))
    return next(named, None)


def folders() -> Mapping[str, Path]:
    """Return the folder of each game, which contains its grammar and words, without importing the installed games."""
    if GAMES is INSTALLED:
        return {name: source.folder for name, source in installed().games.items()}
    return {name: game.grammar.parent for name, game in GAMES.items()}


def faults() -> tuple[Fault, ...]:
    """Return what is wrong with each installed game that cannot be played. All games are imported."""
    created = (_created(name, source) for name, source in installed().games.items())
    return (*installed().faults, *(game for game in created if isinstance(game, Fault)))


def unplayable(fault: Fault) -> NoGameError:
    """Return the error for a game that cannot be played, which says what is wrong in one sentence."""
    said = Sentence(
        "The game {name} of the package {package} cannot be played: {what}.",
        name=fault.name,
        package=fault.package,
        what=" ".join(fault.what.split()).rstrip("."),
    )
    return NoGameError(said)


@cache
def _created(name: str, source: Source) -> AnyGame | Fault:
    """Create the game called `name`, or return what is wrong with it."""
    try:
        game = getattr(import_module(source.module), source.made_by)()
    except Exception as error:
        if source.is_ours:
            raise  # pbem is only partly installed, or may not be read
        return Fault(source.package, name, f"{source.module} fails with {type(error).__name__}: {error}".rstrip(": "))
    what = _flaw(game, name, source.folder)
    return Fault(source.package, name, what) if what else game


def _flaw(game: AnyGame, name: str, folder: Path) -> str:
    """Return what is wrong with a game that another package has created; "" if nothing is."""
    kind = type(game)
    if Game not in kind.__mro__:
        return f"{kind.__name__} is no subclass of pbem.games.base.Game"
    if missing := sorted(member for member in REQUIRED if getattr(kind, member, None) is getattr(Game, member, None)):
        return f"{kind.__name__} does not define {', '.join(missing)}"
    if game.name != name:
        return f'the name of {kind.__name__} is "{game.name}"'
    needed = (folder / "orders.lark", *(game.templates / f"{template}.j2" for template in TEMPLATES))
    if absent := [path.name for path in needed if not path.is_file()]:
        return f"its files {', '.join(absent)} are not there"
    return "" if game.grammar == needed[0] else f"its grammar is not {needed[0].name} beside its module"
