"""What is made when pbem is built, in any way that pip knows: the .mo that are read of each .po in `locale/`, and in
`grammar/made` what Python makes of each regular expression, among others."""

import contextlib
import hashlib
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tomllib
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
    """Make what is read of words and templates, and what Python makes of regular expressions."""
    sys.path.insert(0, str(ROOT))  # where pip builds, only what it takes to build is installed
    try:
        _make_toml()
        _make_words()
        _make_templates()
        _make_patterns()
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


def _make_templates() -> None:
    """Make Python of every template of letters."""
    from pbem.render import jinja
    from pbem.render.templates import made_file

    for name in jinja.names():
        with contextlib.suppress(ValueError):  # a test says so; Jinja runs it until that is mended
            _put(made_file(name), jinja.written(name).encode())


def _make_patterns() -> None:
    """Make what is compiled of regular expressions, in a process of its own: it has asked for no others. What was made
    of these very sources stays."""
    path = ROOT / "grammar/made/patterns.json"
    if path.exists() and f'"sources": "{_sources()}"' in path.read_text():
        return
    script = "import hatch_build, sys; sys.stdout.write(hatch_build.all_patterns())"
    command = [sys.executable, "-c", script]
    made = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    _put(path, made.stdout.encode())


_READING = ["config", "games", "i18n", "leagues", "mail", "match", "orders", "record", "times", "tournament"]
"""The packages whose regular expressions are made ready; to import them takes no more than the standard library."""


def all_patterns() -> str:
    """All regular expressions of a process that has imported everything which reads and decides, as a file."""
    sys.path.insert(0, str(ROOT))
    import pbem
    from pbem import patterns

    patterns.asked = {}
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if module.name.split(".")[1] in _READING:
            importlib.import_module(module.name)
    _ask_for_the_rest()
    return patterns.written(patterns.asked, _sources())


def _sources() -> str:
    """SHA-256 of the program, the grammar, the words of all languages, and which Python works on them."""
    found = hashlib.sha256(sys.version.encode())
    texts = [path for folder in ("pbem", "grammar", "locale") for path in (ROOT / folder).rglob("*")]
    for path in sorted(path for path in texts if path.suffix in (".py", ".lark", ".toml")):
        found.update(path.read_bytes())
    return found.hexdigest()


def _ask_for_the_rest() -> None:
    """What is compiled on first use only."""
    from pbem.games.ozymandia import board, prose
    from pbem.games.rocknroll import names
    from pbem.mail import automatic
    from pbem.orders import commands, doubt, grammar, headings, inquiries, lookups

    grammar.make_ready()
    commands.make_ready()
    doubt.make_ready()
    headings.make_ready()
    automatic.absence()
    inquiries.make_ready()
    lookups.may_be_lookup(""), lookups.may_consult("")
    for shipped in board.SHIPPED:
        prose.pattern(board.find_board(shipped))
    names.patterns()


def _put(path: Path, content: bytes) -> None:
    """Write a file at once: a program that reads meanwhile finds the one or the other."""
    path.parent.mkdir(exist_ok=True, parents=True)
    beside = path.with_suffix(f".{os.getpid()}.new")  # several may make them at the same time
    beside.write_bytes(content)
    beside.replace(path)


def catalogues() -> list[Path]:
    """Every .po there is."""
    return sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
