"""Recognition of the people named in letters: seats, sides and players, by their names in any language."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from pbem.games.base import AnyGame, Seat, Side
from pbem.i18n import words
from pbem.i18n.languages import say_in

_TO = re.compile(rf"\s*(?:{words.pattern('around', 'to_people')}\s+)?(.*?)\s*", re.I | re.S)
_ARTICLE = re.compile(rf"{words.pattern('around', 'articles')}\s+", re.I)
_BETWEEN = re.compile(rf"\s*(?:[,;+]|\b{words.pattern('around', 'and')}(?!\w)|&)\s*", re.I)
_SHORTEST = 3  # the smallest number of letters in an abbreviated name
_STEM = 4  # the smallest number of leading letters that all grammatical cases of a name share
_ENDINGS = (3, 1)  # the maximum number of final letters in which a name's cases differ: in other scripts, and in ASCII


class NamedSeats(NamedTuple):
    """The seats to which a list of names refers. If a name in the list is unknown or ambiguous, `seats` is empty,
    `unknown` is the first such name, and `near` is the most similar known name, or "" if no known name is similar."""

    seats: frozenset[Seat] = frozenset()
    unknown: str = ""
    near: str = ""


@cache
def names_of(game: AnyGame) -> Mapping[str, frozenset[Side]]:
    """Return a mapping from each name in `game`, in lower case, to the seats and sides with that name."""
    names: dict[str, frozenset[Side]] = {}
    for side, called in game.called.items():
        for name in (side, *(say_in(code)(called) for code in words.files())):
            names[name.casefold()] = names.get(name.casefold(), frozenset()) | {side}
    return names


def are_named(game: AnyGame, text: str) -> bool:
    """Return whether `text` consists only of names of seats or sides of `game`."""
    return not find_people(text, names_of(game)).unknown


def is_to_somebody(text: str) -> bool:
    """Return whether `text` begins by naming its addressees, as in `to Red`."""
    return bool(re.match(rf"\s*{words.pattern('around', 'to_people')}\s+\S", text, re.I))


def means(word: str, text: str) -> bool:
    """Return whether `text` consists only of words for the group `word`, which is "everybody", "allies" or
    "opponents"."""
    return all(part.casefold() in words.words("around", word) for part in _parts(text))


def without_preposition(text: str) -> str:
    """Return `text`, a list of names, without the preposition before it, if there is one."""
    parts = _TO.fullmatch(text)
    return parts[1] if parts else text


def find_people(text: str, names: Mapping[str, Collection[Seat]]) -> NamedSeats:
    """Return the seats to which `text`, a list of names, refers. `names` maps each known name, in lower case, to its
    seats.

    A name may be abbreviated or in another grammatical case. If it then fits several known names, all of these must
    belong to the same seats.
    """
    seats: set[Seat] = set()
    for part in _parts(text):
        meant = _find(part, names) or (_each(part.split(), names) if " " in part else None)
        if meant is None:
            from difflib import get_close_matches

            return NamedSeats(
                unknown=part, near=next(iter(get_close_matches(part.casefold(), names, 1, cutoff=0.7)), "")
            )
        seats |= meant
    return NamedSeats(frozenset(seats))


def _parts(text: str) -> list[str]:
    parts = _BETWEEN.split(without_preposition(text))
    return [_ARTICLE.sub("", part, count=1) for part in parts if part]


def _each(written: Iterable[str], names: Mapping[str, Collection[Seat]]) -> frozenset[Seat] | None:
    meant = [_find(word, names) for word in written]
    return frozenset().union(*(seats for seats in meant if seats)) if all(meant) else None


def _find(written: str, names: Mapping[str, Collection[Seat]]) -> frozenset[Seat] | None:
    word = written.casefold()
    if word in names:
        return frozenset(names[word])
    candidates = {frozenset(seats) for name, seats in names.items() if _is_like(word, name)}
    return candidates.pop() if len(candidates) == 1 else None


def _is_like(word: str, name: str) -> bool:
    if len(word) >= _SHORTEST and name.startswith(word):
        return True
    ending = _ENDINGS[name.isascii()]
    stem = max(_STEM, len(name) - ending)
    return name.isalpha() and len(word) <= len(name) + ending and word[:stem] == name[:stem]
