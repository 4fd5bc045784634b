"""The words of all languages that turn orders, `locale/<language>/doubt.toml`, as `doubt.py` looks for them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pbem.i18n import words as languages
from pbem.i18n.words import fold
from pbem.resources import read_made, read_toml, resource, written

MADE = "doubt"
"""What the build calls what it makes of the files."""


@cache
def word_lists() -> Mapping[str, Mapping[str, Any]]:
    """What the files say, by the codes of their languages."""
    return {code: read_toml(text) for code, text in _texts().items()}


@cache
def _texts() -> Mapping[str, str]:
    paths = {code: resource("locale") / code / "doubt.toml" for code in languages.codes()}
    return {code: path.read_text(encoding="utf-8") for code, path in paths.items() if path.is_file()}


@cache
def _made() -> Mapping[str, list[str]]:
    """What the build has found for each kind."""
    return read_made(MADE, _sources())


def written_phrases() -> str:
    """All words for each kind, for the build."""
    pairs = {(table, kind) for file in word_lists().values() for table, kinds in file.items() for kind in kinds}
    return written({f"{table} {kind}": _found(table, kind) for table, kind in pairs}, _sources())


def _sources() -> list[str]:
    return [*_texts().values(), *languages.sources(), Path(__file__).read_text(encoding="utf-8")]


@cache
def phrases(table: str, kind: str) -> tuple[str, ...]:
    """What any language has for a kind of words, as `fold` leaves it."""
    made = _made().get(f"{table} {kind}")
    return _found(table, kind) if made is None else tuple(made)


def _found(table: str, kind: str) -> tuple[str, ...]:
    found = (text for file in word_lists().values() for text in file.get(table, {}).get(kind, ()))
    return tuple(dict.fromkeys(map(fold, found)))
