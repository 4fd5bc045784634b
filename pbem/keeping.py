"""Keeping games: what is found in them, taken out of them, copied and looked over, on the command line."""

import json
from typing import Any

import click


@click.command()
@click.argument("text")
@click.option(
    "--limit", type=click.IntRange(1), default=50, show_default=True, metavar="N", help="No more than so many."
)
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def search(settings: Any, /, text: str, limit: int, as_json: bool) -> None:
    """Find orders that hold TEXT, such as `3 A to MC`, and games by name or player; newest first.

    Items parted by commas are found in any order. Only turns whose reports are out.
    """
    from pbem.searching import search as find

    with settings.desk() as desk:
        found = find(desk.store, text, limit)
    if as_json:
        games, orders = ([one._asdict() for one in several] for several in (found.games, found.orders))
        click.echo(json.dumps({"games": games, "orders": orders, "more": found.more}))
        return
    for game in found.games:
        click.echo(f"{game.game}  {game.players}, {game.phase}")
    for one in found.orders:
        click.echo(f"{one.game}  turn {one.turn}  {one.seat}: {one.orders}{' (undone)' if one.undone else ''}")
    if found.more:
        click.echo("There is more: --limit shows it.", err=True)
    if not found.games and not found.orders:
        click.echo("Nothing was found.", err=True)
