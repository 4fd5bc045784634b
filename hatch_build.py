"""What is made when pbem is built, in any way that pip knows: the .mo that are read of each .po in `locale/`."""

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


class CatalogueHook(BuildHookInterface):
    """Makes the catalogues before a wheel, or what stands for one in an editable install, is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_catalogues()


def make_catalogues() -> None:
    """Make the .mo of every .po, beside it."""
    for path in catalogues():
        made = path.with_suffix(".mo")
        beside = made.with_suffix(f".{os.getpid()}.new")  # several may make them at the same time
        with path.open("rb") as po, beside.open("wb") as mo:
            write_mo(mo, read_po(po, locale=path.parent.parent.name, domain=path.stem))
        beside.replace(made)  # a program that reads meanwhile finds the one or the other


def catalogues() -> list[Path]:
    """Every .po there is."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
