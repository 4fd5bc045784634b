"""Recognise names by their sound, so that Атлантеи and Wivernia are understood as Atlantea and Wyvernia.

Players write the English names of places as they hear them, in Cyrillic with Russian case endings or in Latin letters.
Each spelling is reduced to a rough sound, in which all letters that stand for the same sound are the same.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from pbem.games.spelling import differing

_CYRILLIC = str.maketrans("абвгдеёжзийклмнопрстуфхцчшщыэюя", "abvgdeezziiklmnoprstufhskssieua", "ъь")
_SAME = (
    ("dz", "j"),
    ("ough", "o"),
    ("ph", "f"),
    ("th", "t"),
    ("sh", "s"),
    ("sch", "s"),
    ("ck", "k"),
    ("ch", "k"),
    ("kh", "h"),
    ("gh", "g"),
)
_LETTERS = str.maketrans("wyäöüjz", "viaouis")
_SOFT = re.compile("c(?=[ei])")
_DOUBLE = re.compile(r"(.)\1+")
_ENDING = re.compile("[aeiou]+(?:m|h|mi|v|i)?$")
_VOWELS = "eiou"  # a name that ends in one of these has no case endings
_MIN_STEM = 4  # the fewest letters of a stem that is compared
_MIN_NEAR = 7  # the fewest letters of a stem that may differ by one letter
_MIN_ROUGH = 4  # the fewest sounds of a name that is compared without telling vowels apart
_MIN_SHORT, _MIN_LEFT_OUT = 3, 2  # the fewest letters of a shortened name, and the fewest that it leaves out
_MIN_LONGER, _MAX_ADDED = 5, 6
"""The fewest letters of a stem from which other words are derived, and the most that these add."""
_VOWEL_GROUP = re.compile("[aeiou]+")


@lru_cache(maxsize=512)
def sound_of(text: str) -> str:
    """Return the rough sound of a name: letters only, in Latin, with one letter for each sound."""
    sound = "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text))).casefold().translate(_CYRILLIC)
    for spelt, heard in _SAME:
        sound = sound.replace(spelt, heard)
    sound = _SOFT.sub("s", sound.translate(_LETTERS)).replace("c", "k").replace("q", "k").replace("x", "ks")
    return _DOUBLE.sub(r"\1", sound)


def is_cyrillic(text: str) -> bool:
    """Return whether a text contains letters, and all of them are Cyrillic."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and all("а" <= char.casefold() <= "я" or char in "ёЁ" for char in letters)


class Sounds:
    """The sounds of names. Each name stands for a value, such as the code of an area.

    If several names sound the same, the first of them counts. Names without letters have no sound and are never
    recognised.
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
        """Return the value of the name that sounds like `text`, or "" if no name sounds like it, or more than one does.

        If `text` is in Cyrillic, case endings do not matter, and one letter of a long name may differ, because there
        are several ways to write an English name. If `text` is in Latin letters, the sound must be the same.
        """
        sound = sound_of(text)
        if sound in self._values or not is_cyrillic(text):
            return self._values.get(sound, "")
        without = _ENDING.sub("", sound)
        said = [(value, stem, without if has_cases else sound) for value, stem, has_cases in self._stems]
        found = {value for value, stem, heard in said if stem == heard and len(stem) >= _MIN_STEM}
        found = found or {value for value, stem, heard in said if _is_near(stem, heard)}
        return found.pop() if len(found) == 1 else ""

    def resembled(self, text: str) -> str:
        """Return the value of the name that `text` resembles more loosely, or "" if it resembles no name, or more than
        one. A word in Cyrillic resembles a name that has the same consonants in the same places. Any word resembles a
        name that it shortens, or from which it is derived, as in Wyvernians or вивернийцы."""
        sound = sound_of(text)
        rough, found = _rough(sound), set[str]()
        if is_cyrillic(text) and len(rough) >= _MIN_ROUGH:
            found = {value for name, value in self._values.items() if _rough(name) == rough}
        if not found and len(sound) >= _MIN_SHORT:
            least = len(sound) + _MIN_LEFT_OUT
            found = {value for name, value in self._values.items() if len(name) >= least and name.startswith(sound)}
        return found.pop() if len(found) == 1 else self.derived(text)

    def derived(self, text: str) -> str:
        """Return the value of the name from which the word `text` is derived, or "" if there is no such name, or more
        than one."""
        sound = sound_of(text)
        stems = ((value, _ENDING.sub("", name)) for name, value in self._values.items())
        found = {
            value
            for value, stem in stems
            if len(stem) >= _MIN_LONGER and sound.startswith(stem) and 0 < len(sound) - len(stem) <= _MAX_ADDED
        }
        return found.pop() if len(found) == 1 else ""


def _rough(sound: str) -> str:
    """Return a sound without its case ending, and with the same sign for each group of vowels."""
    return _VOWEL_GROUP.sub("-", _ENDING.sub("", sound))


def _stem_of(sound: str) -> tuple[str, bool]:
    """Return the sound of a name without its Russian case ending, and whether the name can have case endings."""
    has_cases = sound[-1] not in _VOWELS
    return (_ENDING.sub("", sound) if has_cases else sound), has_cases


def _is_near(stem: str, other: str) -> bool:
    """Return whether `stem` and `other` differ by at most one letter that is added, left out or changed; at least one
    of them must be long. A vowel at the end of `stem` must also be the last letter of `other`."""
    if max(len(stem), len(other)) < _MIN_NEAR or (stem[-1:] in tuple(_VOWELS) and stem[-1:] != other[-1:]):
        return False
    first, second = differing(stem, other)
    return max(len(first), len(second)) <= 1
