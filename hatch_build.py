"""What the build of pbem generates: the .mo of each .po in `locale/` and, for a wheel, the compiled templates and the
manual pages."""

import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from click_man.core import write_man_pages
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from jinja2 import FileSystemLoader

ROOT = Path(__file__).parent


class BuildHook(BuildHookInterface):
    """Generates these files before hatch puts a wheel or an editable install together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_catalogues()
        if version != "editable":  # in a checkout each run compiles its templates, so none is ever stale
            self._made = TemporaryDirectory(prefix="pbem-")
            templates, manuals = Path(self._made.name, "templates"), Path(self._made.name, "man1")
            compile_templates(templates)
            make_manuals(manuals)
            build_data["force_include"][str(templates)] = "pbem/_data/templates/made"
            build_data["shared_data"][str(manuals)] = "share/man/man1"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()


def make_catalogues(*others: Path) -> None:
    """Compile the .mo of every .po, and of `others`, beside it. Each is replaced in one step, so a running program
    finds the old or the new one."""
    for path in (*catalogues(), *others):
        with path.open("rb") as po:
            catalogue = read_po(po, locale=path.parent.parent.name, domain=path.stem)
        new = path.with_suffix(f".{os.getpid()}.new")  # several processes may do this at the same time
        with new.open("wb") as mo:
            write_mo(mo, catalogue)
        new.replace(path.with_suffix(".mo"))


@contextmanager
def the_program() -> Iterator[None]:
    """Let the `with` block import pbem and find its games, because pip builds in an environment with only the build
    dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    with TemporaryDirectory(prefix="pbem-") as folder:
        metadata = Path(folder, "pbem-0.dist-info")
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: pbem\nVersion: 0\n")
        games = "\n".join(f"{name} = {value}" for name, value in project["entry-points"]["pbem.games"].items())
        (metadata / "entry_points.txt").write_text(f"[pbem.games]\n{games}\n")
        added = [folder, str(ROOT)]
        sys.path[:0] = added
        yield
        for path in added:
            sys.path.remove(path)


def compile_templates(folder: Path) -> None:
    """Have Jinja compile the templates of letters into a folder, for its `ModuleLoader`."""
    with the_program():
        from pbem.render.letters import SHARED, environment

        made = environment().overlay(loader=FileSystemLoader([ROOT / name for name in (*SHARED, "templates")]))
        made.compile_templates(folder, zip=None, filter_func=lambda name: "/" not in name or name.startswith("games/"))


def make_manuals(folder: Path) -> None:
    """Write a manual page for each command into a folder, which is made: `pbem.1`, `pbem-game.1`, `pbem-game-new.1`
    and so on."""
    folder.mkdir()
    with the_program():
        from pbem import __version__
        from pbem.cli.main import main

        for command in commands(main):
            command.params = command.get_params(click.Context(command))  # with the flags of a game
            command.short_help = command.get_short_help_str(limit=200)
        write_man_pages("pbem", main, version=__version__, target_dir=folder)


def commands(group: click.Group) -> Iterator[click.Command]:
    """The command `group` and all commands below it."""
    yield group
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command)
        else:
            yield command


def catalogues() -> list[Path]:
    """The path of every .po."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
