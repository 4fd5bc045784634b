"""What is made when pbem is built: the .mo that are read of each .po in `locale/`, and, for a wheel, its templates."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from jinja2 import FileSystemLoader

ROOT = Path(__file__).parent


class MadeHook(BuildHookInterface):
    """Makes all that is made before a wheel, or what stands for one in an editable install, is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_catalogues()
        if version != "editable":  # a checkout has its templates compiled by each run, and none is stale
            self._made = TemporaryDirectory(prefix="pbem-")
            compile_templates(self._made.name)
            build_data["force_include"][self._made.name] = "pbem/_data/templates/made"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()


def make_catalogues() -> None:
    """Make the .mo of every .po, beside it, at once: a program that reads meanwhile finds the one or the other."""
    for path in catalogues():
        with path.open("rb") as po:
            catalogue = read_po(po, locale=path.parent.parent.name, domain=path.stem)
        new = path.with_suffix(f".{os.getpid()}.new")  # several may make them at the same time
        with new.open("wb") as mo:
            write_mo(mo, catalogue)
        new.replace(path.with_suffix(".mo"))


def compile_templates(folder: str) -> None:
    """Have Jinja write the templates of letters into a folder, as its `ModuleLoader` reads them."""
    sys.path.insert(0, str(ROOT))  # where pip builds, only what it takes to build is installed
    from pbem.render.letters import SHARED, environment

    made = environment().overlay(loader=FileSystemLoader([ROOT / name for name in (*SHARED, "templates")]))
    made.compile_templates(folder, zip=None, filter_func=lambda name: "/" not in name or name.startswith("games/"))
    sys.path.remove(str(ROOT))


def catalogues() -> list[Path]:
    """Every .po there is."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
