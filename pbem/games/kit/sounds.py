"""Names recognised by their sound: Атлантеи and Wivernia are heard as Atlantea and Wyvernia.

Players write the English names of places as they hear them, in Cyrillic with the endings of Russian cases or in Latin
letters. Each spelling is reduced to a rough sound, in which letters that stand for the same sound are the same.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

_CYRILLIC = str.maketrans("абвгдеёжзийклмнопрстуфхцчшщыэюя", "abvgdeezziiklmnoprstufhskssieua", "ъь")
_SAME = (("ph", "f"), ("th", "t"), ("sh", "s"), ("sch", "s"), ("ck", "k"), ("ch", "k"), ("kh", "h"), ("gh", "g"))
_LETTERS = str.maketrans("wyäöüjz", "viaouis")
_SOFT = re.compile("c(?=[ei])")
_DOUBLE = re.compile(r"(.)\1+")
_ENDING = re.compile("[aeiou]+(?:m|h|mi|v|i)?$")
_VOWELS = "eiou"  # a name that ends in one of these has no cases
_MIN_STEM = 4  # the fewest letters of a stem that is compared
_MIN_NEAR = 7  # the fewest letters of a stem that may differ by one letter


@lru_cache(maxsize=512)
def sound_of(text: str) -> str:
    """Return the rough sound of a name: letters only, in Latin, with one letter for each sound."""
    sound = "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text))).casefold().translate(_CYRILLIC)
    for spelt, heard in _SAME:
        sound = sound.replace(spelt, heard)
    sound = _SOFT.sub("s", sound.translate(_LETTERS)).replace("c", "k").replace("q", "k").replace("x", "ks")
    return _DOUBLE.sub(r"\1", sound)


def is_cyrillic(text: str) -> bool:
    """Return whether all letters of a text are Cyrillic, and there are any."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and all("а" <= char.casefold() <= "я" or char in "ёЁ" for char in letters)


def heard(text: str, sounds: Mapping[str, str]) -> str:
    """Return the value of the one name that a text may spell by its sound; "" if there is none, or more than one.

    `sounds` has the values of names by their `sound_of`. In Cyrillic, the endings of cases do not matter, and one
    letter of a long name may differ, because there are several ways to write an English name. In Latin, the sound must
    be the same.
    """
    sound = sound_of(text)
    if sound in sounds or not is_cyrillic(text):
        return sounds.get(sound, "")
    found = {value for name, value in sounds.items() if _is_same(*_stems(name, sound))}
    if not found:
        found = {value for name, value in sounds.items() if _is_near(*_stems(name, sound))}
    return found.pop() if len(found) == 1 else ""


def _stems(name: str, sound: str) -> tuple[str, str]:
    """Return two sounds without endings, unless the name has no cases."""
    return (name, sound) if name[-1] in _VOWELS else (_ENDING.sub("", name), _ENDING.sub("", sound))


def _is_same(stem: str, other: str) -> bool:
    return stem == other and len(stem) >= _MIN_STEM


def sounds_of(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the value of each name by its sound, for `heard`; of names that sound the same, the first counts."""
    sounds: dict[str, str] = {}
    for name, value in names:
        sounds.setdefault(sound_of(name), value)
    return sounds


def _is_near(stem: str, other: str) -> bool:
    """Return whether two long stems differ by one letter that is added, left out or changed, but not the last vowel."""
    if max(len(stem), len(other)) < _MIN_NEAR or (stem[-1] in _VOWELS and stem[-1:] != other[-1:]):
        return False
    begin = _shared(stem, other)
    first, second = stem[begin:], other[begin:]
    return max(len(first), len(second)) - _shared(first[::-1], second[::-1]) <= 1


def _shared(text: str, other: str) -> int:
    """Return how many letters two texts share at their beginning."""
    return next((at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
