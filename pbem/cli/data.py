"""The commands for stored games: search, export, backup, restore and checks of the desk."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.flags import Settings
from pbem.cli.run import TROUBLE, progress

if TYPE_CHECKING:
    from pbem.store.database import Store


@click.command()
@click.argument("text")
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=50,
    show_default=True,
    metavar="N",
    help="At most this many.",
)
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def search(settings: Settings, /, text: str, limit: int, as_json: bool) -> None:
    """Find orders, and games by name or player. The newest come first; an example of TEXT is `3 A to MC`.

    Terms separated by commas may appear in any order. A turn can be found once its report has been sent.
    """
    from pbem.store.search import search as find

    with settings.desk() as desk:
        results = find(desk.store, text, limit)
    if as_json:
        games, orders = ([row._asdict() for row in rows] for rows in (results.games, results.orders))
        click.echo(json.dumps({"games": games, "orders": orders, "more": results.has_more}))
        return
    for game in results.games:
        click.echo(f"{game.game}  {game.players}, {game.phase}")
    for row in results.orders:
        click.echo(f"{row.game}  turn {row.turn}  {row.seat}: {row.orders}{' (undone)' if row.undone else ''}")
    if results.has_more:
        click.echo("There is more: --limit shows it.", err=True)
    if not results.games and not results.orders:
        click.echo("Nothing was found.", err=True)


@click.command()
@click.argument("name", metavar="[ID]", required=False)
@click.option(
    "--format", "form", type=click.Choice(("json", "mbox", "record", "svg")), help="The format of a game; else json."
)
@click.option("--turn", type=click.IntRange(1), metavar="N", help="The map after this turn, with --format svg.")
@click.option("--press", is_flag=True, help="With what the players wrote to each other; not in svg.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="A new file; else standard output."
)
@click.option(
    "--all", "folder", type=click.Path(path_type=Path), metavar="DIR", help="The whole desk, into a new folder."
)
@click.pass_obj
def export(settings: Settings, /, name: str | None, folder: Path | None, **options: Any) -> None:
    """Export a game in an open format, or the whole desk.

    The export of a game contains only what is public. The export of the desk contains everything except its key,
    including letters and addresses.
    """
    if folder and not name and not any(options.values()):
        from pbem.store.backup import export_desk

        with _progress() as tell:
            export_desk(settings.config().database, folder, settings.now(), tell)
    elif name and not folder:
        _export_game(settings, name, **options)
    else:
        raise click.UsageError("Say either a game and perhaps its format, or --all DIR alone.")


def _export_game(settings: Settings, name: str, form: str | None, output: Path | None, **options: Any) -> None:
    from pbem.store.matches import find_match

    if options["turn"] and form != "svg":
        raise click.UsageError("--turn is for --format svg: the other formats hold every turn.")
    if form == "mbox" and not output and sys.stdout.isatty():
        raise click.UsageError("What a letter holds may not be good for a terminal: put it into one with `-o FILE`.")
    with settings.desk() as desk:
        pieces = _pieces(desk.store, find_match(desk.store, name), form or "json", **options)
    _write(output, pieces)


def _pieces(store: "Store", match: int, form: str, *, press: bool, turn: int | None) -> list[bytes]:
    """Return a match in the format `form`, as pieces of bytes. If `press` is true, the players' messages to each
    other are included. `turn`, which only the format svg uses, is the turn after which the map is drawn."""
    from pbem.archive.mbox import game_mailbox
    from pbem.record.exports import draw, write_json
    from pbem.record.notation import write_record
    from pbem.store.histories import load_history

    if form == "mbox":
        return [*game_mailbox(store, match, press=press)]
    history = load_history(store, match, press=press)
    if form == "svg":
        return [draw(history, turn).encode()]
    return [(write_record(history) if form == "record" else write_json(history)).encode()]


def _write(path: Path | None, pieces: list[bytes]) -> None:
    """Write `pieces` to a new file at `path` or, if `path` is None, to standard output."""
    if path is None:
        sys.stdout.buffer.write(b"".join(pieces))
        return
    from pbem.store.backup import new_file

    with new_file(path) as part:
        part.write_bytes(b"".join(pieces))


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.pass_obj
def backup(settings: Settings, /, file: Path) -> None:
    """Copy the database into a new FILE, even while polls run. The key is not included."""
    from pbem.store.backup import back_up, note_backup

    config, now = settings.config(), settings.now()
    with _progress() as tell:
        back_up(config.database, file, tell)
    note_backup(config.database, now)


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="FILE|DIR")
@click.option("--replace", is_flag=True, help="Even if there is a database; it is kept beside the new one.")
@click.option("--as-it-is", is_flag=True, help="Even if it differs from its own record or version.")
@click.pass_obj
def restore(settings: Settings, /, source: Path, replace: bool, as_it_is: bool) -> None:
    """Restore a desk from a backup. Name either a FILE that `backup` wrote or a DIR that `export --all` wrote. The next
    poll completes the restoration.

    A database is refused if it differs from its own record, or if its tables, views, indexes or triggers are not those
    of its version.
    """
    from pbem.service import maintenance

    with _progress() as tell:
        former = maintenance.restore(settings.config(), source, tell, replace=replace, as_it_is=as_it_is)
    if former:
        click.echo(f"The database that was there is now {former}; delete it when all is well.")


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def doctor(settings: Settings, /, as_json: bool) -> None:
    """Examine the desk, and say what to do about each finding.

    This covers configuration, key, database, record, mail, disk, clock, runs and games.

    Exit status 0: all is well. 1: there are findings.
    """
    from pbem.config.ini import ConfigError
    from pbem.service.maintenance import examine, misconfigured

    try:
        with _progress() as tell:
            findings = [*examine(settings.config(), settings.now(), tell)]
    except ConfigError as error:
        findings = [*misconfigured(error)]
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings]))
    else:
        click.echo("\n".join(map(str, findings)) or "All is well.")
    if findings:
        sys.exit(TROUBLE)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the progress of long work on a terminal; clear its line at the end."""
    tell = progress()
    try:
        yield tell
    finally:
        tell("")


COMMANDS = (search, export, backup, restore, doctor)
