"""Words as they are compared: in one alphabet, for letters that look alike are mixed up, and without capitals."""

import re
from functools import lru_cache

_LOOK_ALIKE = ("АВЕКМНОРСТУХаеорсухкм", "ABEKMHOPCTYXaeopcyxkm")  # Cyrillic letters, and Latin ones that look so
_WORD = re.compile(r"\S+")
_TO_LATIN = str.maketrans(*_LOOK_ALIKE)
_TO_CYRILLIC = str.maketrans(*reversed(_LOOK_ALIKE))


def caseless(text: str) -> str:
    """What an expression that disregards capitals has matched, as tables have it: `re.IGNORECASE` takes the Turkish ı
    and İ for an i, `str.casefold` does not."""
    return text.replace("ı", "i").replace("İ", "i").casefold()


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """A name as it is compared: each word in one alphabet, without capitals, ё = е, one blank between words."""
    name = in_one_alphabet(text)
    return " ".join(name.casefold().replace("ё", "е").replace("’", "'").replace("‐", "-").split())


@lru_cache(maxsize=1024)
def in_one_alphabet(text: str) -> str:
    """A text of the same length with the letters of each word in one alphabet."""
    return text if text.isascii() else _WORD.sub(lambda word: _in_one_alphabet(word[0]), text)


def latin(text: str) -> str:
    """A text with Latin letters for Cyrillic ones that look so: codes are written as they look."""
    return text if text.isascii() else text.translate(_TO_LATIN)


def _in_one_alphabet(word: str) -> str:
    """A word of both alphabets in that of the letters that are like no others, or else of most of its letters."""
    latin = sum(char.isascii() and char.isalpha() for char in word)
    cyrillic = sum("Ѐ" <= char <= "ӿ" for char in word)
    if not latin or not cyrillic:
        return word
    in_latin, in_cyrillic = word.translate(_TO_LATIN), word.translate(_TO_CYRILLIC)
    if in_latin.isascii() and not _is_cyrillic(in_cyrillic):
        return in_latin
    if _is_cyrillic(in_cyrillic) and not in_latin.isascii():
        return in_cyrillic
    return in_cyrillic if cyrillic > latin else in_latin


def _is_cyrillic(word: str) -> bool:
    return not any(char.isascii() and char.isalpha() for char in word)
