"""What is made when pbem is built, in any way that pip knows: the .mo that are read of each .po in `locale/`, and in
`grammar/made` what Lark makes of each grammar."""

import os
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


class MadeHook(BuildHookInterface):
    """Makes all that is made before a wheel, or what stands for one in an editable install, is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_catalogues()
        make_tables()


def make_catalogues() -> None:
    """Make the .mo of every .po, beside it."""
    for path in catalogues():
        with path.open("rb") as po:
            catalogue = read_po(po, locale=path.parent.parent.name, domain=path.stem)
        found = BytesIO()
        write_mo(found, catalogue)
        _put(path.with_suffix(".mo"), found.getvalue())


def make_tables() -> None:
    """Make the tables of every grammar, and how their lines may begin."""
    sys.path.insert(0, str(ROOT))  # where pip builds, only what it takes to build is installed
    try:
        from pbem.orders import starts
        from pbem.orders.tables import grammars, made_file, written
    finally:
        sys.path.remove(str(ROOT))
    for path, rules in grammars():
        _put(made_file(path), written(path, rules).encode())
    _put(starts.made_file(), starts.written().encode())


def _put(path: Path, content: bytes) -> None:
    """Write a file at once: a program that reads meanwhile finds the one or the other."""
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.new")  # several may make them at the same time
    beside.write_bytes(content)
    beside.replace(path)


def catalogues() -> list[Path]:
    """Every .po there is."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
