"""Orders in the notation of their reader's language (rnr §8): German and Russian have their own, else the canonical
English stands."""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from pbem.games.base import Say, Sentence
from pbem.games.rocknroll.cards import CardSet
from pbem.resources import read_toml

_WORDS = Path(__file__).parent / "words"
_CYRILLIC = re.compile("[а-яё]", re.I)


@cache
def _own(language: str) -> Mapping[str, str]:
    """What stands in canonical orders besides the names of cards, and what for it in those of a language, if it has any
    of its own."""
    found: Mapping[str, str] = read_toml(_WORDS / f"{language}.toml").get("notation", {})
    return found


class _Noted(Sentence):
    """What stands in an answer in canonical form, and is said in the notation of its reader."""

    cards: CardSet

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        return _in_language(self.cards, str(self), language) if language == "de" else str(self)


def written(cards: CardSet, orders: str, say: Say) -> str:
    """Orders in canonical form, or a part of them, as their reader writes them; any other text as it is."""
    return _in_language(cards, orders, say.language)


def like(cards: CardSet, name: str, text: str) -> str:
    """A card, a Point, a word of the notation or a whole order in the alphabet in which a player has written a text:
    in Russian, else in the notation of the player's language."""
    if _CYRILLIC.search(text):
        return _in_language(cards, name, "ru")
    noted = _Noted(name)
    noted.cards = cards
    return noted


def _in_language(cards: CardSet, text: str, language: str) -> str:
    """Canonical orders word by word: names stand without cases there as they do in English."""
    if not _own(language):
        return text
    words, known = _words(cards, language)
    if not re.fullmatch(rf"(?:{known.pattern}|[ >:;,<=\d])*", text):
        return text
    return known.sub(lambda found: words[found[0]], text)


@lru_cache(maxsize=16)
def _words(cards: CardSet, language: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """What is said in a language for each name and word of canonical orders, and what finds them."""
    named = ((name, card.name) for some in (cards.units, cards.orders) for name, card in some.items())
    names = {name: getattr(called, language) or name for name, called in named}
    words = {**_own(language), **names}
    longest = sorted(words, key=len, reverse=True)
    return words, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})(?:(?<= )|(?!\w))")
