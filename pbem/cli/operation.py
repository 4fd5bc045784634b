"""The commands for what surrounds a desk on its machine."""

from pathlib import Path

import click

from pbem.cli.run import config_of, tell_lines


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
