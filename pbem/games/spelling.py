"""Normalize words for comparison, and find words that differ by a typo. Normalized words are in lower case and in one
alphabet, because people mix up letters of different alphabets that look alike."""

import re
from functools import lru_cache

_LOOK_ALIKE = ("АВЕКМНОРСТУХаеорсухкм", "ABEKMHOPCTYXaeopcyxkm")  # Cyrillic letters and their Latin look-alikes
_WORD = re.compile(r"\S+")
_TO_LATIN = str.maketrans(*_LOOK_ALIKE)
_TO_CYRILLIC = str.maketrans(*reversed(_LOOK_ALIKE))


def caseless(text: str) -> str:
    """Convert `text`, which a case-insensitive pattern has matched, to the lower-case form used in tables. Such a
    pattern accepts the Turkish ı and İ for an i, but `str.casefold` alone does not convert them to an i."""
    return text.replace("ı", "i").replace("İ", "i").casefold()


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """Normalize a name for comparison: each word in one alphabet and in lower case, with е in place of ё, plain
    apostrophes and hyphens, and single blanks between words."""
    name = in_one_alphabet(text)
    return " ".join(name.casefold().replace("ё", "е").replace("’", "'").replace("‐", "-").split())


@lru_cache(maxsize=1024)
def in_one_alphabet(text: str) -> str:
    """Write each word of a text in one alphabet. The length of the text does not change."""
    return text if text.isascii() else _WORD.sub(lambda word: _in_one_alphabet(word[0]), text)


def latin(text: str) -> str:
    """Replace Cyrillic letters with the Latin letters that look like them. This is meant for codes, in which only the
    look of a letter counts."""
    return text if text.isascii() else text.translate(_TO_LATIN)


def _in_one_alphabet(word: str) -> str:
    """Write a word that mixes Latin and Cyrillic letters in one alphabet: the alphabet of its unambiguous letters or,
    if that is not clear, the alphabet of most of its letters."""
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


def one_letter_apart(text: str, other: str) -> bool:
    """Return whether two words are equal, differ by one letter added, left out or changed, or differ by two
    neighbouring letters swapped."""
    first, second = differing(text, other)
    return max(len(first), len(second)) <= 1 or (len(first) == 2 and first == second[::-1])


def differing(text: str, other: str) -> tuple[str, str]:
    """Return the parts in which two texts differ: what remains of each text without the beginning and the end that both
    share."""
    begin = _shared(text, other)
    first, second = text[begin:], other[begin:]
    end = _shared(first[::-1], second[::-1])
    return first[: len(first) - end], second[: len(second) - end]


def _shared(text: str, other: str) -> int:
    """Return how many letters two texts share at their beginning."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (letter, another) in pairs if letter != another), min(len(text), len(other)))
