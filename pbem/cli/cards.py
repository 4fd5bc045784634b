"""`pbem cards`: files of cards, for games whose cards are data."""

import sys

import click

from pbem.cli.tools import TROUBLE, WRONG_USE


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
    from pathlib import Path

    from pbem.games import find_game
    from pbem.games.base import GameError
    from pbem.games.extras import Carded

    game = find_game(game_name)
    if not isinstance(game, Carded):
        raise GameError(f"{game.title} has no files of cards.")
    if Path(file).exists() and not Path(file).is_file():
        click.echo(f"pbem: {file} is no file.", err=True)
        sys.exit(WRONG_USE)
    try:
        click.echo(f"{file}: {game.cards_shown(file)}")
    except GameError as error:
        for problem in error.problems:
            click.echo(f"{file}: {problem}", err=True)
        sys.exit(TROUBLE if Path(file).is_file() else WRONG_USE)
