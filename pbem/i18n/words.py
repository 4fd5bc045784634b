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
"""The code of English, the language of the source code. English has a word file like other languages, but no
catalogue."""


class LanguageError(PbemError):
    """Raised when somebody names a language in which no letters are written. The message is made from a sentence and
    the values for its placeholders."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(Sentence(sentence, **values))


@cache
def files() -> Mapping[str, Mapping[str, Any]]:
    """Return the contents of all word files, keyed by language code (ISO 639-1), English first."""
    return {code: read_toml(resource("locale") / code / "words.toml") for code in codes()}


@cache
def codes() -> tuple[str, ...]:
    """Return the codes (ISO 639-1) of all languages that have a word file, English first."""
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
    raise LanguageError('Letters are not available in "{text}" here: write {ways}.', text=text, ways=ways)


def language_name(code: str, reader: str = "") -> str:
    """Return the name of the language `code`, such as "German", in the reader's language, by default English. If the
    reader's language has no name for it, return the name in the language `code` itself, such as "Deutsch"."""
    names: Mapping[str, list[str]] = files().get(reader, files()[ENGLISH])["languages"]
    return names[code][0] if code in names else str(files()[code]["languages"][code][0])


def language_names(reader: str = "") -> list[str]:
    """Return the names of all languages in the reader's language. The reader's own language comes first."""
    return [language_name(code, reader) for code in sorted(files(), key=lambda code: code != (reader or ENGLISH))]


def guess_language(text: str, least: int = 1) -> str:
    """Guess the language of `text` from its common words or, if there are fewer than `least` of them, from its script.
    Returns the code of the language, or "" if that leaves no language or more than one."""
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
    """Return the letters that occur in the words that identify a language."""
    return frozenset("".join(_common(code)))


@cache
def _common(code: str) -> frozenset[str]:
    """Return the folded words that identify a language: its common words, and the words of its commands."""
    file = files()[code]
    return frozenset(map(fold, [*file["door"]["common"], *(name for row in file["commands"].values() for name in row)]))


def how_to_ask(code: str) -> str:
    """Return the command that asks for letters in a language, worded in that language: "`sprache deutsch`"."""
    command = next(iter(files()[code]["commands"].get("language", ())), "language")
    return f"`{command} {language_name(code, code).casefold()}`"


def hints(reader: str) -> list[str]:
    """Return, for each language except the reader's, a hint in that language that shows how to ask for letters in
    it."""
    return [file["hint"] for code, file in files().items() if code != (reader or ENGLISH)]


@cache
def words(table: str, kind: str) -> tuple[str, ...]:
    """Return the words of all languages that are listed in `table` under the key `kind`, such as `at_least`: every
    spelling, in lower case."""
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
    """Return the words for `kind` in the table `times`, in all languages, folded by `fold`."""
    return frozenset(map(fold, words("times", kind)))


def folded_rows(kind: str) -> tuple[frozenset[str], ...]:
    """Return the names of the days of the week or of the months (`kind`) in all languages, folded by `fold`: one set
    for each day or month."""
    tables = [(file, file["times"][kind]) for file in files().values() if kind in file.get("times", ())]
    spellings: list[set[str]] = [set() for _ in files()[ENGLISH]["times"][kind]]
    for file, rows in tables:
        for row, names in zip(spellings, rows, strict=True):
            row.update(fold(spelling) for name in names for spelling in _spellings(name, file))
    return tuple(map(frozenset, spellings))


def zones() -> Mapping[str, frozenset[str]]:
    """Return the everyday names of time zones, folded by `fold`, keyed by the IANA name of the zone."""
    keys = dict.fromkeys(key for file in files().values() for key in file.get("zones", ()))
    return {key: frozenset(map(fold, words("zones", key))) for key in keys}


def zone_name(key: str, reader: str) -> str:
    """Return the everyday name of a time zone in the reader's language; "" if the language has no name of its own for
    it."""
    names = files().get(reader, {}).get("zones", {}).get(key, ()) if reader != ENGLISH else ()
    return next(iter(names), "")


def phrases(command: str) -> Mapping[str, str]:
    """Return the phrases that may follow the word of `command` in any language, each mapped to the English command that
    it means. In both, `...` stands for any text."""
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
    """Return the spellings of a word in lower case: the word itself and, if it contains letters for which `file` lists
    plainer spellings, the word with those spellings."""
    spellings = [word.casefold()]
    for letter, others in file.get("letters", {}).items():
        if letter in spellings[0]:
            spellings = [spelling.replace(letter, form) for spelling in spellings for form in (letter, *others)]
    return spellings
