"""The order words of all languages as phrases that can be looked up, from the patterns of `words/*.toml`."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from pbem.games.words import word_files, words_in
from pbem.values import NamedTuple

FOLDER = Path(__file__).parent
_NOTHING: frozenset[str] = frozenset()


class Lexicon(NamedTuple):
    """What stands for the names of `words/`: phrases without capitals, one blank between words."""

    phrases: Mapping[str, frozenset[str]]
    longest: Mapping[str, int]
    """How many words the longest phrase has that begins with a word; of one word, none."""
    kinds: Mapping[str, str]
    """The kinds of counters, by what stands for them."""
    spells: Mapping[str, str]
    """The names of spells, by what stands for them."""

    def names(self, phrase: str) -> frozenset[str]:
        """The order words that a phrase may be."""
        return self.phrases.get(phrase, _NOTHING)


@cache
def lexicon() -> Lexicon:
    """The words of all files, read once."""
    phrases: dict[str, set[str]] = {}
    longest: dict[str, int] = {}
    for file in word_files(FOLDER):
        for name, patterns in file.items():
            for phrase in [] if isinstance(patterns, Mapping) else (one for each in patterns for one in expanded(each)):
                phrases.setdefault(phrase, set()).add(name)
                first, *others = phrase.split()
                if others:
                    longest[first] = max(longest.get(first, 0), len(others) + 1)
    return Lexicon({phrase: frozenset(names) for phrase, names in phrases.items()}, longest, *map(_table, _TABLES))


_TABLES = ("kinds", "spells")


def _table(name: str) -> Mapping[str, str]:
    return {phrase: meant for meant, said in words_in(FOLDER, name).items() for phrase in said}


def expanded(pattern: str) -> Iterator[str]:
    """All texts that a pattern stands for: `(a|b)` one of several, `?` may be missing, ` +` a blank."""
    for text in _choices(pattern, 0)[0]:
        yield " ".join(text.split())


def _choices(pattern: str, at: int) -> tuple[list[str], int]:
    """What stands from a place on up to the end of its group, and where that is."""
    found, row = list[str](), [""]
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            found, row, at = found + row, [""], at + 1
            continue
        if pattern[at] == "(":
            part, at = _choices(pattern, at + 1)
        else:
            part = [pattern[at].replace("+", "")]
        at += 1
        if pattern[at : at + 1] == "?":
            part, at = [*part, ""], at + 1
        row = [before + one for before in row for one in part]
    return found + row, at
