"""Normalize words for comparison: in one alphabet, because people mix up letters that look alike, and in lower case.
Compare words that may differ by a typo."""

import re
from functools import lru_cache

_LOOK_ALIKE = ("АВЕКМНОРСТУХаеорсухкм", "ABEKMHOPCTYXaeopcyxkm")  # Cyrillic letters and their Latin look-alikes
_WORD = re.compile(r"\S+")
_TO_LATIN = str.maketrans(*_LOOK_ALIKE)
_TO_CYRILLIC = str.maketrans(*reversed(_LOOK_ALIKE))


def caseless(text: str) -> str:
    """Reduce a match of a case-insensitive pattern to the lower-case form used in tables: `re.IGNORECASE` takes the
    Turkish ı and İ for an i, whereas `str.casefold` does not."""
    return text.replace("ı", "i").replace("İ", "i").casefold()


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """Normalize a name for comparison: each word in one alphabet, lower case, ё = е, single blanks between words."""
    name = in_one_alphabet(text)
    return " ".join(name.casefold().replace("ё", "е").replace("’", "'").replace("‐", "-").split())


@lru_cache(maxsize=1024)
def in_one_alphabet(text: str) -> str:
    """Write each word of a text in one alphabet; the length stays the same."""
    return text if text.isascii() else _WORD.sub(lambda word: _in_one_alphabet(word[0]), text)


def latin(text: str) -> str:
    """Replace Cyrillic letters with the Latin ones that look like them, because codes are meant as they look."""
    return text if text.isascii() else text.translate(_TO_LATIN)


def _in_one_alphabet(word: str) -> str:
    """Write a word of mixed letters in the alphabet of its unambiguous letters, or else in that of most of its
    letters."""
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
    """Return whether two words differ by one letter added, left out or changed, or by two neighbouring letters
    swapped."""
    first, second = differing(text, other)
    return max(len(first), len(second)) <= 1 or (len(first) == 2 and first == second[::-1])


def differing(text: str, other: str) -> tuple[str, str]:
    """Return what two texts have between the beginning and the end that they share."""
    begin = _shared(text, other)
    first, second = text[begin:], other[begin:]
    end = _shared(first[::-1], second[::-1])
    return first[: len(first) - end], second[: len(second) - end]


def _shared(text: str, other: str) -> int:
    """Return how many letters two texts share at their beginning."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (letter, another) in pairs if letter != another), min(len(text), len(other)))
