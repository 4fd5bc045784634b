"""What is made when pbem is built, in any way that pip knows: the .mo that are read of each .po in `locale/`, and in
`grammar/made` what is read of words."""

import json
import os
import sys
import tomllib
from io import BytesIO
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
        make_tables()
        if version != "editable":  # a checkout has its templates compiled by each run, and none is stale
            self._made = TemporaryDirectory(prefix="pbem-")
            compile_templates(self._made.name)
            build_data["force_include"][self._made.name] = "pbem/_data/templates/made"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()


def make_catalogues() -> None:
    """Make the .mo of every .po, beside it."""
    for path in catalogues():
        with path.open("rb") as po:
            catalogue = read_po(po, locale=path.parent.parent.name, domain=path.stem)
        found = BytesIO()
        write_mo(found, catalogue)
        _put(path.with_suffix(".mo"), found.getvalue())


def make_tables() -> None:
    """Make what is read of words."""
    sys.path.insert(0, str(ROOT))  # where pip builds, only what it takes to build is installed
    try:
        _make_toml()
        _make_words()
    finally:
        sys.path.remove(str(ROOT))


def _make_toml() -> None:
    """Make JSON of every TOML file of the program; what is of none any more goes."""
    from pbem.resources import made_toml

    texts = [path.read_text("utf-8") for folder in ("pbem", "locale") for path in (ROOT / folder).rglob("*.toml")]
    made = {made_toml(text): tomllib.loads(text) for text in texts}
    for path, told in made.items():
        _put(path, json.dumps(told, ensure_ascii=False).encode())
    for old in {*made_toml("").parent.glob("*.json")} - made.keys():
        old.unlink(missing_ok=True)


def _make_words() -> None:
    """Make what all languages together have for each thing, as one table."""
    from pbem.i18n import words
    from pbem.resources import made_file

    _put(made_file(words.MADE), words.written_words().encode())


def compile_templates(folder: str) -> None:
    """Have Jinja write the templates of letters into a folder, as its `ModuleLoader` reads them."""
    sys.path.insert(0, str(ROOT))  # where pip builds, only what it takes to build is installed
    from pbem.render.templates import SHARED, environment

    made = environment().overlay(loader=FileSystemLoader([ROOT / name for name in (*SHARED, "templates")]))
    made.compile_templates(folder, zip=None, filter_func=lambda name: "/" not in name or name.startswith("games/"))
    sys.path.remove(str(ROOT))


def _put(path: Path, content: bytes) -> None:
    """Write a file at once: a program that reads meanwhile finds the one or the other."""
    path.parent.mkdir(exist_ok=True, parents=True)
    beside = path.with_suffix(f".{os.getpid()}.new")  # several may make them at the same time
    beside.write_bytes(content)
    beside.replace(path)


def catalogues() -> list[Path]:
    """Every .po there is."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
