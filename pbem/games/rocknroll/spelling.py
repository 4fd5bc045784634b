"""How names are written in Russian cases, in the English plural and genitive.

Everything here is derived from a name's own letters, so that the names of any file of cards decline.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from pbem.games.spelling import folded

_VOWELS = "аеиоуыэюя"

# Endings of each declension, behind what is cut off the name: the plural too, for it is the same card.
_HARD = ("", "а", "у", "ом", "ем", "е", "ы", "и", "ов", "ам", "ами", "ах")
_SOFT = ("ь", "я", "ю", "ем", "ём", "е", "и", "ей", "ям", "ями", "ях", "ью")
_IN_I = ("й", "я", "ю", "ем", "е", "и", "ев", "ям", "ями", "ях")
_IN_A = ("а", "ы", "и", "е", "у", "ой", "ою", "", "ам", "ами", "ах")
_IN_YA = ("я", "и", "е", "ю", "ей", "ею", "й", "ям", "ями", "ях")
_ADJECTIVE = ("ый", "ий", "ой", "ого", "его", "ому", "ему", "ым", "им", "ом", "ем", "ые", "ие", "ых", "их", "ыми")
_HER_ADJECTIVE = ("ая", "яя", "ой", "ей", "ую", "юю", "ою", "ею", "ые", "ие", "ых", "их", "ыми")


def forms_of(name: str) -> Iterator[str]:
    """A name as it may be written in any case, folded; of an English one also the plural and the genitive."""
    words = folded(name).split()
    for said in product(*map(_word_forms, words)):
        yield " ".join(said)


@lru_cache(maxsize=1024)
def _word_forms(word: str) -> tuple[str, ...]:
    if word.isascii():
        return word, f"{word}s", f"{word}'s"
    forms = [word]
    for ending, others in (
        ("ая", _HER_ADJECTIVE),
        ("ый", _ADJECTIVE),
        ("ий", _ADJECTIVE),
        ("ой", (*_ADJECTIVE, "оя", "ою", "оем", "ое")),
        ("й", _IN_I),
        ("ь", _SOFT),
        ("а", _IN_A),
        ("я", _IN_YA),
    ):
        if word.endswith(ending):
            return *forms, *(word.removesuffix(ending) + other for other in others)
    if word[-1] not in _VOWELS:
        forms += [word + other for other in _HARD]
        if word.endswith(("ок", "ек", "ец")) and sum(char in _VOWELS for char in word) > 1:  # Стрелок, Стрелка
            forms += [word[:-2] + word[-1] + other for other in _HARD[1:]]
    return tuple(forms)  # Бао, Зулу and Чили do not change
