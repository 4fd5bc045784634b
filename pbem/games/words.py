"""The order words of a game in every language: `words/<language>.toml` in its folder, a file for each."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pbem.resources import read_toml

ENGLISH = "en"
_NAME = re.compile(r"(?<!\?P)<([a-z][a-z_\d]*)>")


@cache
def word_files(folder: Path) -> Sequence[Mapping[str, Any]]:
    """What the files say, English first."""
    paths = sorted((folder / "words").glob("*.toml"), key=lambda path: (path.stem != ENGLISH, path.stem))
    return [*map(read_toml, paths)]


@cache
def order_words(folder: Path) -> Mapping[str, str]:
    """A regular expression for each name in the files, of what stands for it in all languages, English first; tables
    are the game's own business."""
    by_name: dict[str, list[str]] = {}
    for file in word_files(folder):
        for name, patterns in file.items():
            if not isinstance(patterns, Mapping):
                by_name.setdefault(name, []).extend(patterns)
    return {name: f"(?:{'|'.join(patterns)})" for name, patterns in by_name.items()}


def with_names(text: str, patterns: Mapping[str, str]) -> str:
    """The text of a grammar with regular expressions in the place of the <names> in it that are a game's own."""
    return _NAME.sub(lambda match: patterns[match[1]], text)


def words_in(folder: Path, table: str) -> Mapping[str, Any]:
    """A table of the files, those of all languages together: lists one behind the other, English first."""
    by_name: dict[str, Any] = {}
    for file in word_files(folder):
        for name, entries in file.get(table, {}).items():
            by_name[name] = [*by_name.get(name, ()), *entries] if isinstance(entries, list) else entries
    return by_name


@cache
def display_names(folder: Path, table: str, language: str) -> Mapping[str, str]:
    """The name of each thing of a table to show in a language: the first one that the file of its words gives."""
    file = read_toml(folder / "words" / f"{language}.toml")
    return {name: names[0] for name, names in file.get(table, {}).items()}
