"""The words that people may write to the desk in each language, from `locale/<language>/words.toml`.

People do not say which language they write in, so the words of all languages are understood everywhere.
locale/en/words.toml explains each table.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pbem import PbemError, Sentence
from pbem.resources import read_toml, resource

ENGLISH = "en"
"""The language of the code. Like the others it has a file of words, but it has no catalogue."""


class LanguageError(PbemError):
    """Raised when somebody names a language in which no letters are written; holds a sentence and the values for its
    gaps."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(Sentence(sentence, **values))


@cache
def files() -> Mapping[str, Mapping[str, Any]]:
    """Return the contents of all files of words, by language code (ISO 639-1), English first."""
    return {code: read_toml(resource("locale") / code / "words.toml") for code in codes()}


@cache
def codes() -> tuple[str, ...]:
    """Return the codes of all languages (ISO 639-1), English first."""
    folders = (path.parent.name for path in resource("locale").glob("*/words.toml"))
    return tuple(sorted(folders, key=lambda code: (code != ENGLISH, code)))


def parse_language(text: str) -> str:
    """Return the code of the language that `text` names. Raises LanguageError."""
    word = text.casefold()
    for code in files():
        if word == code or word in words("languages", code):
            return code
    *first, last = map(how_to_ask, files())
    ways = Sentence("{first} or {last}", first=tuple(first), last=last)
    raise LanguageError('There are no letters in "{text}" here: write {ways}.', text=text, ways=ways)


def language_name(code: str, reader: str = "") -> str:
    """Return the name of a language in the reader's language or, if no reader is given, in itself: "German",
    "Deutsch"."""
    names: Mapping[str, list[str]] = files().get(reader, files()[ENGLISH])["languages"]
    return names[code][0] if code in names else str(files()[code]["languages"][code][0])


def language_names(reader: str = "") -> list[str]:
    """Return the names of all languages in the reader's language, whose own name comes first."""
    return [language_name(code, reader) for code in sorted(files(), key=lambda code: code != (reader or ENGLISH))]


def guess_language(text: str, least: int = 1) -> str:
    """Guess the language of a text from its common words, of which there must be at least `least`, or otherwise from
    its script; return its code, or "" if neither shows it."""
    tokens = re.findall(r"[^\W\d_]+", fold(text[:2000]))
    hits = {code: sum(map(_common(code).__contains__, tokens)) for code in files()}
    best = max(hits.values())
    guesses = [code for code, number in hits.items() if number == best]
    if best < least:
        letters = frozenset("".join(tokens))
        guesses = [code for code in files() if not letters.isdisjoint(_alphabet(code))]
    return guesses[0] if len(guesses) == 1 else ""


@cache
def _alphabet(code: str) -> frozenset[str]:
    """Return the letters of the words that identify a language."""
    return frozenset("".join(_common(code)))


@cache
def _common(code: str) -> frozenset[str]:
    """Return the folded words that identify a language: its common words, and those that begin commands in it."""
    file = files()[code]
    return frozenset(map(fold, [*file["door"]["common"], *(name for row in file["commands"].values() for name in row)]))


def how_to_ask(code: str) -> str:
    """Return the command that asks for letters in a language, worded in that language: "`sprache deutsch`"."""
    command = next(iter(files()[code]["commands"].get("language", ())), "language")
    return f"`{command} {language_name(code, code).casefold()}`"


def hints(reader: str) -> list[str]:
    """Return the commands that ask for letters in each language except the reader's, worded in that language."""
    return [file["hint"] for code, file in files().items() if code != (reader or ENGLISH)]


@cache
def words(table: str, kind: str) -> tuple[str, ...]:
    """Return the words for a thing, such as "at least", in all languages and spellings, in lower case."""
    entries = ((word, file) for file in files().values() for word in file.get(table, {}).get(kind, ()))
    return tuple(dict.fromkeys(spelling for word, file in entries for spelling in _spellings(word, file)))


def pattern(table: str, kind: str) -> str:
    """Return a regular expression for the words that `words` returns, folded if the table is "times"."""
    spellings = map(fold, words(table, kind)) if table == "times" else words(table, kind)
    return alternatives(spellings)


def alternatives(texts: Iterable[str]) -> str:
    """Return a regular expression for any of `texts`, preferring the longest; without any texts, it never matches."""
    longest_first = sorted(set(texts), key=lambda text: (-len(text), text))
    return rf"(?:{'|'.join(map(re.escape, longest_first))})" if longest_first else r"(?!)"


def folded(kind: str) -> frozenset[str]:
    """Return the words for days or hours in all languages, folded by `fold`."""
    return frozenset(map(fold, words("times", kind)))


def folded_rows(kind: str) -> tuple[frozenset[str], ...]:
    """Return the names of weekdays or months in all languages, folded by `fold`."""
    tables = [(file, file["times"][kind]) for file in files().values() if kind in file.get("times", ())]
    spellings: list[set[str]] = [set() for _ in files()[ENGLISH]["times"][kind]]
    for file, rows in tables:
        for row, names in zip(spellings, rows, strict=True):
            row.update(fold(spelling) for name in names for spelling in _spellings(name, file))
    return tuple(map(frozenset, spellings))


def zones() -> Mapping[str, frozenset[str]]:
    """Return the everyday names of time zones, folded by `fold`."""
    keys = dict.fromkeys(key for file in files().values() for key in file.get("zones", ()))
    return {key: frozenset(map(fold, words("zones", key))) for key in keys}


def zone_name(key: str, reader: str) -> str:
    """Return the name of a time zone in the reader's language; "" if that is the same as the English one."""
    names = files().get(reader, {}).get("zones", {}).get(key, ()) if reader != ENGLISH else ()
    return next(iter(names), "")


def phrases(command: str) -> Mapping[str, str]:
    """Return the phrases that may follow a command's word, each with the English command for it; `...` stands for
    anything."""
    commands: dict[str, str] = {}
    for file in files().values():
        for phrase, english in file.get("behind", {}).get(command, {}).items():
            commands |= dict.fromkeys(_spellings(phrase, file), english)
    return commands


def fold(text: str) -> str:
    """Fold a text for look-ups: put it in lower case, without accents, and with single spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def _spellings(word: str, file: Mapping[str, Any]) -> list[str]:
    """Return a word in lower case and, if it has letters for which plainer spellings exist, also in the plainer
    spelling."""
    spellings = [word.casefold()]
    for letter, others in file.get("letters", {}).items():
        if letter in spellings[0]:
            spellings = [spelling.replace(letter, form) for spelling in spellings for form in (letter, *others)]
    return spellings
