"""Names recognised by their sound: Атлантеи and Wivernia are heard as Atlantea and Wyvernia.

Players write the English names of places as they hear them, in Cyrillic with the endings of Russian cases or in Latin
letters. Each spelling is reduced to a rough sound, in which letters that stand for the same sound are the same.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from pbem.games.spelling import differing

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


class Sounds:
    """The sounds of names, each with the value that its name stands for, such as the code of an area.

    Of names that sound the same, the first counts. Names without letters have no sound and are never heard.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        values: dict[str, str] = {}
        for name, value in names:
            values.setdefault(sound_of(name), value)
        values.pop("", None)
        self._values = values
        self._stems = [(value, *_stem_of(sound)) for sound, value in values.items()]
        self.heard = lru_cache(maxsize=1024)(self._heard)

    def _heard(self, text: str) -> str:
        """Return the value of the one name that a text may spell by its sound; "" if there is none, or more than one.

        In Cyrillic, the endings of cases do not matter, and one letter of a long name may differ, because there are
        several ways to write an English name. In Latin, the sound must be the same.
        """
        sound = sound_of(text)
        if sound in self._values or not is_cyrillic(text):
            return self._values.get(sound, "")
        without = _ENDING.sub("", sound)
        said = [(value, stem, without if has_cases else sound) for value, stem, has_cases in self._stems]
        found = {value for value, stem, heard in said if stem == heard and len(stem) >= _MIN_STEM}
        found = found or {value for value, stem, heard in said if _is_near(stem, heard)}
        return found.pop() if len(found) == 1 else ""


def _stem_of(sound: str) -> tuple[str, bool]:
    """Return the sound of a name without the ending of its case, and whether the name has cases at all."""
    has_cases = sound[-1] not in _VOWELS
    return (_ENDING.sub("", sound) if has_cases else sound), has_cases


def _is_near(stem: str, other: str) -> bool:
    """Return whether two long stems differ by one letter that is added, left out or changed, but not the last vowel."""
    if max(len(stem), len(other)) < _MIN_NEAR or (stem[-1:] in tuple(_VOWELS) and stem[-1:] != other[-1:]):
        return False
    first, second = differing(stem, other)
    return max(len(first), len(second)) <= 1
