"""`pbem archive`: the games of a desk as pages that anybody can read."""

import sys
from pathlib import Path
from typing import Any

import click


@click.group()
def archive() -> None:
    """The games as pages. They need no server, no JavaScript and no pbem."""


@archive.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.pass_obj
def build(settings: Any, /, folder: Path) -> None:
    """Build the pages in DIR, or bring them up to date. Only what has changed is written.

    DIR is new, empty, or holds an archive of pbem. Silent without a terminal.
    """
    from pbem.archive import site
    from pbem.archive.pages import Site
    from pbem.times.moments import load_zone

    with settings.desk() as desk:
        sender = desk.config.outgoing.sender
        about = Site(sender.name or "Games by e-mail", load_zone(desk.config.desk.zone))
        changed = site.build(desk.store, folder, about, desk.now, _progress)
    if sys.stdout.isatty():
        click.echo(f"{folder / 'index.html'}: {changed} files have changed.")


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{text:<40}\r", nl=False, err=True)
