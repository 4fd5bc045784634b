"""What people may be called: nothing that the desk, its game masters or the computer are, and in a game or league
nothing that somebody else there is. What only looks the same is the same: names are compared by their skeletons, as
Unicode Technical Standard 39 has them (section 4), whose table of confusable characters is the library's."""

import re
from collections.abc import Iterable
from functools import cache
from unicodedata import category, combining, normalize

from pbem import Sentence
from pbem.games import GAMES
from pbem.i18n.words import words
from pbem.match.identity import Person, PersonError, parse_person

_NO_NAME = re.compile(r"[@/:<>=`]|\w\.\w\w")
_PART = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\b(?:[a-z]{1,8}-?)?\d{1,9}\b", re.I)  # of a game, such as oz-17
_LONGEST = 40  # characters of a name
_PARTS = 4  # words that the name of an office has at most


def plain_name(text: str, desk: str = "") -> str:
    """What somebody calls themselves, as others may read it: no more than a name, above all no address; "" if it is the
    name of an office, or that of the `desk`."""
    words = "".join(char if char.isprintable() else " " for char in text).split()
    name = " ".join(word for word in words if not _NO_NAME.search(word))[:_LONGEST]
    return "" if is_office(name, desk) else name


def named_person(text: str) -> Person:
    """A name and an address, or an address alone, that somebody else has written. Raises PersonError."""
    person = parse_person(text)
    return person._replace(name=checked_name(person.name))


def checked_name(name: str) -> str:
    """A name that somebody is given by others. Raises PersonError if it is the name of an office."""
    if is_office(name):
        raise PersonError(
            Sentence('"{name}" is what the desk or who runs its games is called: write another name.', name=name)
        )
    return name


def is_office(name: str, desk: str = "") -> bool:
    """Whether a name, however it is spelt, says that its bearer is the desk or runs its games: it has the name of such
    an office in it, or is one that can be part of people's names, too ("System"), but for words such as "the" and the
    names of games."""
    seen = "".join(char for char in name if category(char) != "Cf")
    for form in (seen, seen.casefold()):
        parts = _PART.findall(_plain_skeleton(form))
        telling = [part for part in _PART.findall(_plain_skeleton(_NUMBER.sub(" ", form))) if part not in _around()]
        runs = {
            "".join(parts[at : at + length])
            for length in range(1, _PARTS + 1)
            for at in range(len(parts) - length + 1)
            if min(map(len, parts[at : at + length])) > 1  # initials are no word
        }
        whole = {"".join(parts), "".join(telling)} - {""}
        if runs & _offices("always") or whole & (_offices("always") | _offices("alone") | _forms(desk)):
            return True
    return False


def look_alike(first: str, second: str) -> bool:
    """Whether two names could be taken for the same."""
    return not forms(first).isdisjoint(forms(second))


def forms(name: str) -> frozenset[str]:
    """The skeletons of a name, which those that look like it share: as it is written, and in small letters."""
    return frozenset("".join(skeleton(form).split()) for form in (name, name.casefold()))


def apart(name: str, taken_names: Iterable[str]) -> str:
    """A name, with a number behind it if one of those that are taken looks like it; "" for none."""
    others = tuple(taken_names)
    names = (name, *(f"{name} {number}" for number in range(2, len(others) + 3)))
    return name and next(
        candidate for candidate in names if not any(look_alike(candidate, taken_name) for taken_name in others)
    )


def skeleton(text: str) -> str:
    """What a text looks like: characters that look alike are one, capitals are small, and those of which some are made
    for fonts or for width are as all others."""
    return _prototypes(_prototypes(normalize("NFKC", _prototypes(text))).casefold())


def _prototypes(text: str) -> str:
    return "".join(map(_prototype, normalize("NFD", text)))


@cache
def _prototype(char: str) -> str:
    """The character, or those, for which one is taken: the table has it with all that are, and each of them with it."""
    from confusable_homoglyphs.confusables import confusables_data as table

    alike = [homoglyph["c"] for homoglyph in table.get(char, ())]
    if len(alike) != 1:
        return char
    return min(char, *alike) if len(table[alike[0]]) == 1 else str(alike[0])


def _plain_skeleton(text: str) -> str:
    """The same without accents: no letter of an office is told from another by them alone."""
    return "".join(char for char in normalize("NFD", skeleton(text)) if not combining(char))


def _forms(words: str) -> frozenset[str]:
    """The skeletons of some words run together, written in small letters and in capitals."""
    spelt = (words.lower(), words.title(), words.upper()) if words else ()
    return frozenset("".join(_PART.findall(_plain_skeleton(spelling))) for spelling in spelt)


@cache
def _offices(kind: str) -> frozenset[str]:
    return frozenset().union(*map(_forms, words("office", kind)))


@cache
def _around() -> frozenset[str]:
    """What says nothing of who somebody is: "the", "official", and what games are called."""
    return frozenset().union(*map(_forms, (*words("office", "around"), *GAMES)))
