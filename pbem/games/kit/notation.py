"""Canonical orders in the notation of their reader's language, by the table `notation` in a game's
`words/<language>.toml`: its words replace those of canonical orders, one by one, without inflection.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from pbem import Sentence
from pbem.resources import read_toml


class _Noted(Sentence):
    """Orders in a sentence. `write` takes canonical orders and a language."""

    write: Callable[[str, str], str]

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        return self.write(str(self), language)


def noted(orders: str, write: Callable[[str, str], str]) -> Sentence:
    """Return canonical orders, or a part of them, as a sentence that `write` puts in the notation of its reader's
    language."""
    sentence = _Noted(orders)
    sentence.write = write
    return sentence


def words_of(folder: Path, language: str) -> Mapping[str, str]:
    """Return the words of canonical orders with their equivalents in `language`. The result is empty if the game in
    `folder` has no notation of its own in that language."""
    words: Mapping[str, str] = read_toml(folder / "words" / f"{language}.toml").get("notation", {})
    return words


def replaced(text: str, words: Mapping[str, str], others: str) -> str:
    """Replace the `words` in `text`. A text that contains anything else, apart from what the pattern `others` matches,
    is no order, and is returned unchanged."""
    scan, whole = _patterns(tuple(words), others)
    return scan.sub(lambda match: words[match[0]], text) if whole.fullmatch(text) else text


@lru_cache(maxsize=16)
def _patterns(words: tuple[str, ...], others: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern for any of the `words`, longer ones first, and one for orders that consist of them."""
    longest = sorted(words, key=len, reverse=True)
    scan = rf"\b(?:{'|'.join(map(re.escape, longest))})(?:(?<= )|(?!\w))"
    return re.compile(scan), re.compile(rf"(?:{scan}|{others})*")
