"""Who and where is meant: the counters, points, spaces and numbers that phrases name."""

from pbem.games.base import Sentence
from pbem.games.ozz.items import Phrase, Token, Word, Wrong, quoted
from pbem.games.ozz.lexicon import spells, words_of
from pbem.games.ozz.names import NOBODY, choose
from pbem.games.ozz.orders import OFF
from pbem.games.ozz.sides import Side

_NAMING = ("COUNTER", "GUARDING", "POINT", "SPACE", "NUMBER")
_ROWS, _SEVERAL, _MAX_NUMBER = "123456789", 2, 99
_COLUMNS = {"l_side": "L", "centre": "C", "r_side": "R"}
_LETTERS = {"l": "L", "c": "C", "r": "R", "с": "C"}  # the last one is Cyrillic


class Places:
    """A side, and where in a letter each code stands that an item names."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.found: dict[str, Word] = {}
        self._used: set[int] = set()

    def note(self, token: Token, *codes: str) -> None:
        self._used.add(token.start_pos)
        for code in codes:
            self.found[code] = Word(token.value, token.start_pos)

    def see_all_used(self, phrase: Phrase) -> None:
        """Raises Wrong if a phrase names anything that was left out of what was read in it."""
        for token in phrase.tokens():
            if token.type in _NAMING and token.start_pos not in self._used:
                raise Wrong(_word(token), Sentence('"{text}" cannot be read here.', text=quoted(token.value)))


# Counters


def codes_of(places: Places, token: Token, *, enemy: bool = False) -> tuple[str, ...]:
    """The counters that a name means, several only where it is a plural. Raises Wrong where it fits two."""
    side = places.side
    names = side.names
    meant = names.find(token.value)
    if meant is NOBODY:
        meant = names.find(token.value.replace(" ", ""))
    found = choose(names, meant, *(side.pools_of_all if enemy else side.pools))
    if not found:
        raise Wrong(_word(token), Sentence('There is no counter "{text}".', text=quoted(token.value)))
    if len(found) >= _SEVERAL and not (meant.several and set(found) <= names.same[found[0]]):
        told = Sentence('"{text}" may be {counters}: write the code.', text=quoted(token.value), counters=found)
        raise Wrong(_word(token), told)
    places.note(token, *found)
    return found


def code_of(places: Places, token: Token, *, enemy: bool = False) -> str:
    """The one counter that a name means. Raises Wrong."""
    found = codes_of(places, token, enemy=enemy)
    if len(found) > 1:
        raise Wrong(_word(token), Sentence("One counter is needed here: {counters} are several.", counters=found))
    return found[0]


def who_of(places: Places, phrase: Phrase) -> list[str]:
    """The counters that a phrase names, one behind the other. Raises Wrong."""
    found: list[str] = []
    for part in phrase.parts:
        if part.type in ("who", "target", "by"):
            found += who_of(places, part)
        elif part.type in ("COUNTER", "GUARDING"):
            found += codes_of(places, part)
        elif part.type == "grouped":
            found += codes_of(places, part.one("COUNTER"))
        elif part.type == "both":
            found += both(places, part)
        elif part.type in ("all", "but"):
            raise Wrong(part.here, Sentence("Who? Name the counters here: `SOU HAR`, for example."))
    return found


def both(places: Places, phrase: Phrase) -> tuple[str, ...]:
    """Two counters of one name. Raises Wrong."""
    token = phrase.one("COUNTER")
    found = codes_of(places, token)
    if len(found) != _SEVERAL:
        raise Wrong(_word(token), Sentence("One counter is needed here: {counters} are several.", counters=found))
    return found


# Points


def point_of(places: Places, token: Token) -> str:
    """The point that a name means. Raises Wrong where it fits two."""
    side = places.side
    found = side.names.find_points(token.value)
    if len(found) > 1 and (own := side.own_points(found)):
        found = own
    if len(found) != 1:
        told = Sentence('"{text}" may be {points}: write the code.', text=quoted(token.value), points=found)
        raise Wrong(_word(token), told)
    places.note(token, found[0])
    return found[0]


def points_of(places: Places, phrase: Phrase) -> list[str]:
    """The points that a phrase names."""
    return [point_of(places, token) for token in phrase.all("POINT", "PLACE")]


# Spaces, numbers, spells


def space_of(places: Places, token: Token) -> str:
    """The space that is meant: `4c`, `c4`, `row 4 centre`, `off`."""
    if token.type == "OFF":
        return OFF
    row = column = ""
    for word in token.value.replace(",", " ").replace("-", " ").split():
        kinds = words_of(word)
        if len(word) == len("4C") and not word.isdigit() and any(map(str.isdigit, word)):
            row, column = next(filter(str.isdigit, word)), next(_LETTERS[char] for char in word if char in _LETTERS)
        row = next((nth for nth in _ROWS if nth in (word, word[:1]) or f"nth{nth}" in kinds), row)
        column = next((letter for name, letter in _COLUMNS.items() if name in kinds), column)
    places.note(token, row + column)
    return row + column


def spaces_of(places: Places, phrase: Phrase) -> list[str]:
    """The spaces that a phrase names."""
    return [space_of(places, token) for token in phrase.all("SPACE", "OFF")]


def number_of(places: Places, token: Token) -> int:
    """A number in digits or in words. Raises Wrong if it is beyond all measure."""
    places.note(token)
    text = token.value.rstrip(".")
    if text.isdecimal():
        if len(text) > len(str(_MAX_NUMBER)):
            raise Wrong(_word(token), Sentence("This number is too large."))
        return int(text)
    return next(number for number in range(11) if f"n{number}" in words_of(text))


def spell_of(spelled: str) -> str:
    """The name of a spell as it is told."""
    return spells()[spelled.replace(" - ", "-")]


def _word(token: Token) -> Word:
    return Word(token.value, token.start_pos)
