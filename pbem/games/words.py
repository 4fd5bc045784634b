"""The order words of a game in every language, from the files `words/<language>.toml` in its folder."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pbem.resources import read_toml

ENGLISH = "en"
_ENDING = 5  # the maximum number of letters that a case ending adds to the beginning of a word
_NAME = re.compile(r"(?<!\?P)<([a-z][a-z_\d]*)>")


@cache
def word_files(folder: Path) -> Sequence[Mapping[str, Any]]:
    """Return the contents of the word files in a game's folder, English first."""
    paths = sorted((folder / "words").glob("*.toml"), key=lambda path: (path.stem != ENGLISH, path.stem))
    return [*map(read_toml, paths)]


@cache
def order_words(folder: Path) -> Mapping[str, str]:
    """Return a regular expression for each name in the word files. It matches the words for that name in all languages,
    English first. Tables in the files are skipped, because only the game itself uses them."""
    by_name: dict[str, list[str]] = {}
    for file in word_files(folder):
        for name, patterns in file.items():
            if not isinstance(patterns, Mapping):
                by_name.setdefault(name, []).extend(patterns)
    return {name: f"(?:{'|'.join(patterns)})" for name, patterns in by_name.items()}


def with_names(text: str, patterns: Mapping[str, str]) -> str:
    """Replace each <name> in the text of a grammar with the regular expression for it in `patterns`."""
    return _NAME.sub(lambda match: patterns[match[1]], text)


def words_in(folder: Path, table: str) -> Mapping[str, Any]:
    """Merge a table from the word files of all languages. Lists are concatenated, English first."""
    by_name: dict[str, Any] = {}
    for file in word_files(folder):
        for name, entries in file.get(table, {}).items():
            by_name[name] = [*by_name.get(name, ()), *entries] if isinstance(entries, list) else entries
    return by_name


def meant_by(folder: Path, word: str) -> tuple[str, ...]:
    """Return the words or names for which `word`, in lower case and with any ending, is another word in some language.
    The table `names` of the word files lists the beginnings of such words; the longest that fits counts."""
    begins = _beginnings(folder)
    fits = [begin for begin in begins if word.startswith(begin) and len(word) <= len(begin) + _ENDING]
    return begins[max(fits, key=len)] if fits else ()


@cache
def _beginnings(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the words or names that other words mean, keyed by the beginnings of these words."""
    meant: dict[str, tuple[str, ...]] = {}
    for name, begins in words_in(folder, "names").items():
        for begin in begins:
            meant[begin] = (*meant.get(begin, ()), name)
    return meant


@cache
def display_names(folder: Path, table: str, language: str) -> Mapping[str, str]:
    """Return the display name of each thing in a table: the first of its names in the file of the given language."""
    file = read_toml(folder / "words" / f"{language}.toml")
    return {name: names[0] for name, names in file.get(table, {}).items()}
