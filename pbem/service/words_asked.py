"""The words that letters were asked back for and that no word list has: a lexicon grows from real letters."""

from collections import Counter
from functools import cache

from pbem.games import find_game
from pbem.i18n.words import fold
from pbem.mail.sandbox import Unreadable
from pbem.orders import doubt_words
from pbem.patterns import compiled
from pbem.resources import read_toml
from pbem.service.letters_shown import read_letter
from pbem.store import correspondence
from pbem.store.database import Store

_WORD = compiled(r"[^\W\d_]{2,30}")
_LEAST = 2  # letters that a word stands in: what one alone has may be a secret or a slip


def words_asked(store: Store) -> list[tuple[str, int]]:
    """Words that nobody has explained, with the number of letters that were asked back for them, most frequent first.

    Letters of turns that are played alone are looked at, and each word by itself, so that no orders are told; names of
    players and of the game are no words.
    """
    names = {word for name in correspondence.names_of_players(store) for word in _words(name)}
    found = Counter[str]()
    for raw, game in correspondence.asked_back(store):
        try:
            text = read_letter(store, raw).text
        except Unreadable:
            continue
        found.update(_words(text) - names - doubt_words.known_words() - _of_game(game))
    return [
        (word, number) for word, number in sorted(found.items(), key=lambda one: (-one[1], one[0])) if number >= _LEAST
    ]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(fold(text)))


@cache
def _of_game(name: str) -> frozenset[str]:
    """The words of a game's own lexicon, and of its boards and the like."""
    folder = find_game(name).grammar.parent
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*/*.toml"))]
    return frozenset(word for text in texts for said in _texts(read_toml(text)) for word in _words(said))


def _texts(value: object) -> list[str]:
    """All texts within plain data, keys among them."""
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in (str(key), *_texts(one))]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [str(value)]
