"""Rules for people's names. A name must not be one by which the desk, a game master or the computer is known, and it
must not look like that of another member of the same game or league. Names that look alike count as equal: they are
compared by their skeletons (Unicode Technical Standard 39, section 4), with the table of confusable characters from the
library `confusable_homoglyphs`.
"""

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
_NUMBER = re.compile(r"\b(?:[a-z]{1,8}-?)?\d{1,9}\b", re.I)  # a number, or the name of a match, such as oz-17
_LONGEST = 40  # the maximum number of characters in a name
_PARTS = 4  # the maximum number of words in the name of an office


def plain_name(text: str, desk: str = "") -> str:
    """Return the name in `text`, made safe for others to read: without addresses, links or control characters. Return
    "" if it is the name of an office, such as "Game master", or `desk`, the name of the desk."""
    words = "".join(char if char.isprintable() else " " for char in text).split()
    name = " ".join(word for word in words if not _NO_NAME.search(word))[:_LONGEST]
    return "" if is_office(name, desk) else name


def named_person(text: str) -> Person:
    """Parse a text with which one person refers to another: a name and an address, or an address alone. Raises
    PersonError if this fails or if the name is that of an office, such as "Game master"."""
    person = parse_person(text)
    return person._replace(name=checked_name(person.name))


def checked_name(name: str) -> str:
    """Return `name`, which somebody has given to another person. Raises PersonError if it is the name of an office,
    such as "Game master"."""
    if is_office(name):
        raise PersonError(
            Sentence(
                '"{name}" is the name of the desk or of someone who runs its games: choose another one.', name=name
            )
        )
    return name


def is_office(name: str, desk: str = "") -> bool:
    """Return whether `name`, however it is spelt, suggests that its owner is the desk or runs its games. This is the
    case if it contains the name of an office, such as "Game master". A name of an office that also occurs in personal
    names, such as "System", counts only if the rest of `name` consists of words such as "the" and the names of games;
    so does the name of the desk itself, which is `desk`."""
    seen = "".join(char for char in name if category(char) != "Cf")
    for form in (seen, seen.casefold()):
        parts = _PART.findall(_plain_skeleton(form))
        telling = [part for part in _PART.findall(_plain_skeleton(_NUMBER.sub(" ", form))) if part not in _around()]
        runs = {
            "".join(parts[at : at + length])
            for length in range(1, _PARTS + 1)
            for at in range(len(parts) - length + 1)
            if min(map(len, parts[at : at + length])) > 1  # single letters are initials, not words
        }
        whole = {"".join(parts), "".join(telling)} - {""}
        if runs & _offices("always") or whole & (_offices("always") | _offices("alone") | _forms(desk)):
            return True
    return False


def look_alike(first: str, second: str) -> bool:
    """Return whether two names could be mistaken for each other."""
    return not forms(first).isdisjoint(forms(second))


def forms(name: str) -> frozenset[str]:
    """Return the skeletons of `name`, as written and in lower case. Two names look alike if they share a skeleton."""
    return frozenset("".join(skeleton(form).split()) for form in (name, name.casefold()))


def apart(name: str, taken_names: Iterable[str]) -> str:
    """Return `name`, with a number appended if it looks like one of `taken_names`. Return "" if `name` is ""."""
    others = tuple(taken_names)
    names = (name, *(f"{name} {number}" for number in range(2, len(others) + 3)))
    return name and next(
        candidate for candidate in names if not any(look_alike(candidate, taken_name) for taken_name in others)
    )


def skeleton(text: str) -> str:
    """Return a form of `text` that is the same for all texts that look like it: similar characters become the same
    character, capitals become lower case, and font and width variants become plain characters."""
    return _prototypes(_prototypes(normalize("NFKC", _prototypes(text))).casefold())


def _prototypes(text: str) -> str:
    return "".join(map(_prototype, normalize("NFD", text)))


@cache
def _prototype(char: str) -> str:
    """Return the text that represents all characters that look like `char`. The library's table has an entry for each
    character: the entry for the representative of a group lists all other characters of that group, and the entry for
    any other character lists only the representative."""
    from confusable_homoglyphs.confusables import confusables_data as table

    alike = [homoglyph["c"] for homoglyph in table.get(char, ())]
    if len(alike) != 1:
        return char
    return min(char, *alike) if len(table[alike[0]]) == 1 else str(alike[0])


def _plain_skeleton(text: str) -> str:
    """Return the skeleton of `text` without accents, because an accent alone does not make the name of an office a
    different name."""
    return "".join(char for char in normalize("NFD", skeleton(text)) if not combining(char))


def _forms(words: str) -> frozenset[str]:
    """Return the skeletons of `words` without spaces: in lower case, with initial capitals, and in capitals."""
    spelt = (words.lower(), words.title(), words.upper()) if words else ()
    return frozenset("".join(_PART.findall(_plain_skeleton(spelling))) for spelling in spelt)


@cache
def _offices(kind: str) -> frozenset[str]:
    return frozenset().union(*map(_forms, words("office", kind)))


@cache
def _around() -> frozenset[str]:
    """Return the skeletons of words that say nothing about a person: "the", "official" and the names of the games."""
    return frozenset().union(*map(_forms, (*words("office", "around"), *GAMES)))
