"""How names are written in Russian cases, in the English plural and genitive, as regular expressions.

Everything here is derived from a name's own letters, so that the names of any file of cards decline.
"""

from functools import lru_cache

from pbem.games.spelling import folded

_VOWELS = "аеиоуыэюя"
_NOUN = "а|у|ом|ем|е|ы|и|ов|ам|ами|ах"  # the plural too, for it is the same card
_ADJECTIVE = "ый|ий|ой|ого|его|ому|ему|ым|им|ом|ем|ые|ие|ых|их|ыми"

# How a word ends, and with what besides, in place of that.
_ENDINGS = {
    "ая": "ая|яя|ой|ей|ую|юю|ою|ею|ые|ие|ых|их|ыми",
    "ый": _ADJECTIVE,
    "ий": _ADJECTIVE,
    "ой": f"{_ADJECTIVE}|оя|ою|оем|ое",
    "й": "й|я|ю|ем|е|и|ев|ям|ями|ях",
    "ь": "ь|я|ю|ем|е|и|ей|ям|ями|ях|ью",
    "а": "а|ы|и|е|у|ой|ою||ам|ами|ах",
    "я": "я|и|е|ю|ей|ею|й|ям|ями|ях",
}
_FLEETING = ("ок", "ек", "ец")  # Стрелок, Стрелка


def cases_of(name: str) -> str:
    """What a name looks like in any case; of an English one also in the plural and the genitive. ё is е."""
    return " +".join(map(_word, folded(name).split()))


@lru_cache(maxsize=1024)
def _word(word: str) -> str:
    if word.isascii():
        return f"{word}(?:'?s)?"
    for ending, others in _ENDINGS.items():
        if word.endswith(ending):
            return f"{word.removesuffix(ending)}(?:{others})"
    if word[-1] in _VOWELS:
        return word  # Бао, Зулу and Чили do not change
    if word.endswith(_FLEETING) and sum(char in _VOWELS for char in word) > 1:
        return f"(?:{word}(?:{_NOUN})?|{word[:-2]}{word[-1]}(?:{_NOUN}))"
    return f"{word}(?:{_NOUN})?"
