"""The commands for what surrounds a desk on its machine."""

import json
import sys
from pathlib import Path

import click

from pbem.cli.flags import Settings
from pbem.cli.run import TROUBLE, config_of, tell_lines


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--user", default="pbem", show_default=True, metavar="NAME", help="Who runs the desk.")
@click.option("--name", default="pbem", show_default=True, metavar="NAME", help="What the units are called.")
@click.option("--install", "target", metavar="FOLDER", type=click.Path(path_type=Path), help="Write them there.")
def units(folder: Path, user: str, name: str, target: Path | None) -> None:
    """Print systemd units for the desk in DIR. There are a service and a timer for `poll`, and a service for `watch`.

    With --install /etc/systemd/system they are written there instead. Nothing is started.
    """
    from pbem.service import units as of_systemd

    config = config_of(str(folder / "config.ini"))
    texts = of_systemd.units(config, user, name)
    if target:
        of_systemd.install(texts, target)
        click.echo(f"{', '.join(texts)} are in {target}. `systemctl daemon-reload` has systemd read them; then")
        click.echo(f"`systemctl enable --now {name}.timer` polls, or `systemctl enable --now {name}-watch` watches.")
    else:
        click.echo("\n".join(f"# {file}\n{text}" for file, text in texts.items()), nl=False)
    tell_lines(of_systemd.missing(config, user))


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--prometheus", is_flag=True, help="As text for the textfile collector of a node exporter.")
@click.pass_obj
def status(settings: Settings, /, as_json: bool, prometheus: bool) -> None:
    """Show in figures how the desk is. It asks no server; `doctor` looks more closely.

    Exit status 0: the last run was good, and lately. 1: it was not.
    """
    from pbem.service.status import metrics, sentences
    from pbem.service.status import status as find

    with settings.desk() as desk:
        found = find(desk.config, desk.store, desk.now)
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo("\n".join(metrics(found) if prometheus else sentences(found)))
    if not found["well"]:
        sys.exit(TROUBLE)
