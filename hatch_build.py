"""What the build of pbem generates: the .mo of each .po in `locale/` and, for a wheel, the compiled templates."""

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


class BuildHook(BuildHookInterface):
    """Generates these files before hatch puts a wheel or an editable install together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_catalogues()
        if version != "editable":  # in a checkout each run compiles its templates, so none is ever stale
            self._made = TemporaryDirectory(prefix="pbem-")
            compile_templates(self._made.name)
            build_data["force_include"][self._made.name] = "pbem/_data/templates/made"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()


def make_catalogues() -> None:
    """Compile the .mo of every .po, beside it. Each is replaced in one step, so a running program finds the old or the
    new one."""
    for path in catalogues():
        with path.open("rb") as po:
            catalogue = read_po(po, locale=path.parent.parent.name, domain=path.stem)
        new = path.with_suffix(f".{os.getpid()}.new")  # several processes may do this at the same time
        with new.open("wb") as mo:
            write_mo(mo, catalogue)
        new.replace(path.with_suffix(".mo"))


def compile_templates(folder: str) -> None:
    """Have Jinja compile the templates of letters into a folder, for its `ModuleLoader`."""
    sys.path.insert(0, str(ROOT))  # pip builds in an environment with only the build dependencies
    from pbem.render.letters import SHARED, environment

    made = environment().overlay(loader=FileSystemLoader([ROOT / name for name in (*SHARED, "templates")]))
    made.compile_templates(folder, zip=None, filter_func=lambda name: "/" not in name or name.startswith("games/"))
    sys.path.remove(str(ROOT))


def catalogues() -> list[Path]:
    """The path of every .po."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
