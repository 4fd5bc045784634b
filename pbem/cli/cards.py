"""`pbem cards`, `pbem data`: files of cards, and folders with map and counters, for games whose things are data."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from pbem.cli.run import TROUBLE, WRONG_USE


@click.group()
def cards() -> None:
    """Look at files of cards."""


@cards.command()
@click.argument("file", metavar="FILE")
@click.option("--game", "game_name", metavar="NAME", default="rocknroll", show_default=True, help="Whose cards.")
def check(file: str, game_name: str) -> None:
    """Tell everything that is wrong with a file of cards. FILE is a path, or the name of a shipped set.

    Exit status 0: a war can be played with it. 1: all that is wrong is told, a line each. 2: it cannot be read.
    """
    from pbem.games import find_game
    from pbem.games.base import GameError
    from pbem.games.extras import Carded

    game = find_game(game_name)
    if not isinstance(game, Carded):
        raise GameError(f"{game.title} has no files of cards.")
    if Path(file).exists() and not Path(file).is_file():
        click.echo(f"pbem: {file} is no file.", err=True)
        sys.exit(WRONG_USE)
    _check(game.cards_shown, file)


@click.group()
def data() -> None:
    """Look at folders with map and counters."""


@data.command(name="check")
@click.argument("folder", metavar="DIR")
@click.option("--game", "game_name", metavar="NAME", default="ozz", show_default=True, help="Whose map and counters.")
def check_data(folder: str, game_name: str) -> None:
    """Tell everything that is wrong with a folder of map and counters. DIR is a path, or the name of a shipped set.

    Exit status 0: a match can be played with it. 1: all that is wrong is told, a line each. 2: it cannot be read.
    """
    from pbem.games import find_game
    from pbem.games.base import GameError
    from pbem.games.extras import Mapped

    game = find_game(game_name)
    if not isinstance(game, Mapped):
        raise GameError(f"{game.title} has no folders of map and counters.")
    if Path(folder).exists() and not Path(folder).is_dir():
        click.echo(f"pbem: {folder} is no folder.", err=True)
        sys.exit(WRONG_USE)
    _check(game.data_shown, folder)


def _check(shown: Callable[[str], str], path: str) -> None:
    """Print what is there, or all that is wrong with it, and end with the status that says so."""
    from pbem.games.base import GameError

    try:
        click.echo(f"{path}: {shown(path)}")
    except GameError as error:
        for problem in error.problems:
            click.echo(f"{path}: {problem}", err=True)
        sys.exit(TROUBLE if Path(path).exists() else WRONG_USE)
