"""The words of all languages that turn orders or are chat, `locale/<language>/doubt.toml`, as they are looked for."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from pbem.i18n import words as languages
from pbem.i18n.words import fold
from pbem.patterns import compiled
from pbem.resources import read_made, read_toml, resource, written

WORD = compiled(r"[^\W_]+(?:['’-][^\W_]+)*")
_FIRST = compiled(rf"^[\W_]*({WORD.pattern})", re.M)
_ROWS = "together"  # the table of words that turn orders where they stand one behind the other
_STEM = 5  # letters of a word's beginning that stands for the word with any ending

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
    made = {f"{table} {kind}": _found(table, kind) for table, kind in pairs}
    return written({**made, _ROWS: _kinds_of_rows()}, _sources())


def _sources() -> list[str]:
    return [*_texts().values(), *languages.sources(), Path(__file__).read_text(encoding="utf-8")]


@cache
def phrases(table: str, kind: str) -> tuple[str, ...]:
    """What any language has for a kind of words, as `fold` leaves it."""
    made = _made()
    return tuple(made.get(f"{table} {kind}", ())) if made else _found(table, kind)


def _found(table: str, kind: str) -> tuple[str, ...]:
    found = (text for file in word_lists().values() for text in file.get(table, {}).get(kind, ()))
    return tuple(dict.fromkeys(map(fold, found)))


@cache
def known_words() -> frozenset[str]:
    """All words of the files, one by one."""
    texts = (
        text for file in word_lists().values() for table in file.values() for some in table.values() for text in some
    )
    return frozenset(word for text in texts for word in WORD.findall(fold(text)))


@cache
def pattern(table: str, kind: str) -> re.Pattern[str]:
    return compiled(rf"(?<![\w'-]){languages.alternatives(phrases(table, kind))}(?![\w'-])")


@cache
def first_words(table: str, kind: str) -> frozenset[str]:
    return frozenset(_FIRST.findall("\n".join(phrases(table, kind))))


@lru_cache(maxsize=64)
def words_of(said: str) -> frozenset[str]:
    return frozenset(WORD.findall(said))


def search(table: str, kind: str, said: str) -> re.Match[str] | None:
    """Where a folded text has one of some phrases; a look at single words spares most texts the long pattern."""
    return None if first_words(table, kind).isdisjoint(words_of(said)) else pattern(table, kind).search(said)


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    return fold(text)


@cache
def stems_of(table: str, kind: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """How words of a kind begin, and a pattern of phrases that do: those of few letters stand for themselves, and so
    does the last word of a phrase."""
    found = phrases(table, kind)
    together = [text for text in found if not (text.isalpha() or WORD.fullmatch(text))]  # most are letters alone
    whole = [text for text in together if len(text) - text.rfind(" ") <= _STEM - 1]
    longer = languages.alternatives([text for text in together if text not in whole])
    pattern = rf"(?<![\w'-])(?:{longer}|{languages.alternatives(whole)}(?![\w'-]))"
    return frozenset(found).difference(together), compiled(pattern)


def has_stem(table: str, kind: str, said: str) -> bool:
    """Whether a folded text has a word that begins as one of a kind does."""
    return any(begins_as(table, kind, word) for word in words_of(said)) or bool(stems_of(table, kind)[1].search(said))


@lru_cache(maxsize=32_768)
def begins_as(table: str, kind: str, word: str) -> bool:
    """Whether a word is one of a kind, or begins as one does: two letters may follow four, and any five or more."""
    stems = stems_of(table, kind)[0]
    if word in stems or (_STEM <= len(word) <= _STEM + 1 and word[: _STEM - 1] in stems):
        return True
    return any(word[:length] in stems for length in range(_STEM, len(word)))


@lru_cache(maxsize=64)
def come_together(said: str) -> str | None:
    """How words of groups that stand one behind the other turn orders, in a folded text: "my cat", then "pressed"."""
    groups = [found for word in WORD.findall(said) if (found := _groups_of(word))]
    return next((kind for kind, row in _rows() if _stand_in(groups, row)), None)


def _stand_in(groups: list[frozenset[str]], row: tuple[str, ...]) -> bool:
    left = iter(groups)
    return all(any(name in found for found in left) for name in row)


@cache
def _rows() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The groups of each row of `together`, and how they turn orders."""
    kinds = _made().get(_ROWS) or _kinds_of_rows()
    return tuple((kind, tuple(row.split(" ... "))) for kind in kinds for row in phrases(_ROWS, kind))


def _kinds_of_rows() -> list[str]:
    return list(dict.fromkeys(kind for file in word_lists().values() for kind in file.get(_ROWS, ())))


@lru_cache(maxsize=32_768)
def _groups_of(word: str) -> frozenset[str]:
    return frozenset(name for name in _groups() if begins_as("groups", name, word))


@cache
def _groups() -> frozenset[str]:
    return frozenset(name for _, row in _rows() for name in row)
