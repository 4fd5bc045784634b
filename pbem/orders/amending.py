"""Answers that ask for changes to the proposed orders: "yes, but bomb Ulteria", "right, only without the bomb".

Orders in the answer are added to the proposed orders. If the answer contains no orders, each new name or number in it
replaces a name or number in the proposal; failing that, a part of the proposal is left out if the answer takes
something back. A change is offered only if it is legal and uses every new name and number for which the proposal has a
legal place. No change is played before the deadline without a `yes`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from pbem.i18n.words import fold, words
from pbem.orders import ambiguity
from pbem.orders.lines import read_text
from pbem.orders.situation import AnyStandpoint

_WORDS = 30  # the maximum number of words of an answer that are tried as names
_SHORT = 2  # a word of at most this many letters can be a name only if it is in capitals
_MOST = 3  # the maximum number of changed proposals that are offered
_TRIED = 300  # the maximum number of combinations of changes that are tried
CLAUSE = re.compile(r"(?:[^.!?;:,\n]|(?<=\d)[.:,](?=\d))+")
_PART = re.compile(r"[^,;]+")
_WORD = re.compile(r"[^\W_]+")
_COUNTS = {fold(word): number for number in ("1", "2", "3", "4", "5", "6", "all") for word in words("counts", number)}


class _Place(NamedTuple):
    """The start and end of a word of the proposal that may be replaced, and the number of the part that contains the
    word."""

    start: int
    end: int
    part: int


def amended(
    standpoint: AnyStandpoint, proposal: str, text: str, added: Sequence[str] = (), *, takes_back: bool = True
) -> tuple[str, ...]:
    """Return the orders that `text`, an answer to `proposal`, may mean, likeliest first.

    The result is empty if the answer names nothing that can be changed. `added` contains the orders in the answer
    itself. Unless the answer `takes_back` something, a part that it mentions is not left out: "Yes, with the bomb".
    """
    proposal = read_all(standpoint, proposal)
    if not proposal:
        return ()
    old, new = _mentions(standpoint, proposal, text)
    ways = [*filter(None, (read_all(standpoint, f"{proposal}; {orders}") for orders in added))]
    if not ways:
        ways += _replaced(standpoint, proposal, old, new) if new else ()
        ways += _left_out(standpoint, proposal, text, old) if takes_back and not new else ()
    return tuple(dict.fromkeys(way for way in ways if way and way != proposal))[:_MOST]


def read_all(standpoint: AnyStandpoint, text: str) -> str:
    """Return the orders in `text` in canonical form; "" if they are illegal, or if `text` contains anything else."""
    reading = read_text(standpoint, text)
    return "" if reading.orders is None or reading.remarks else str(reading.orders)


def _places(standpoint: AnyStandpoint, proposal: str) -> list[_Place]:
    """Return the places of all names and numbers in `proposal`. If the game finds no names in it, all words except the
    first of each part count as names."""
    found = [
        (_Place(word.start(), word.end(), number), word[0], at)
        for number, part in enumerate(_PART.finditer(proposal))
        for at, word in enumerate(_WORD.finditer(proposal, part.start(), part.end()))
    ]
    has_names = bool(standpoint.names_within(proposal))
    return [
        place for place, word, at in found if word.isdigit() or (standpoint.names_within(word) if has_names else at > 0)
    ]


def _mentions(standpoint: AnyStandpoint, proposal: str, text: str) -> tuple[set[_Place], dict[str, list[_Place]]]:
    """Return the places in `proposal` whose words the answer `text` repeats, and the other names and numbers in `text`,
    each with the places where it would be legal."""
    old, new = set[_Place](), dict[str, list[_Place]]()
    places = _places(standpoint, proposal)
    numbers = (_COUNTS.get(number, number) for number in ambiguity.numbers_in(text))
    names = standpoint.names_within(text)
    if not standpoint.names_within(proposal):  # a game in which cards have everyday names
        names = tuple(word for word in _WORD.findall(text)[:_WORDS] if len(word) > _SHORT or word.isupper())
    for mention in dict.fromkeys((*names, *numbers)):
        ways = {place: _put(standpoint, proposal, {place: mention}) for place in places}
        if same := {place for place, way in ways.items() if way == proposal}:
            old |= same
        elif fitting := [place for place, way in ways.items() if way]:
            new[mention] = fitting
    return old, new


def _put(standpoint: AnyStandpoint, proposal: str, others: dict[_Place, str]) -> str:
    """Return `proposal` with the words in `others` put into their places; "" if the result is illegal."""
    text = proposal
    for place in sorted(others, reverse=True):
        text = text[: place.start] + others[place] + text[place.end :]
    return read_all(standpoint, text)


def _replaced(
    standpoint: AnyStandpoint, proposal: str, old: set[_Place], new: dict[str, list[_Place]]
) -> Iterator[str]:
    """Yield the proposal with each of the `new` names and numbers put into a different place.

    `old` are the places whose present words the answer repeats. These places are preferred; places in the same parts of
    the proposal come next, and all other places last.
    """
    named = {place.part for place in old}

    def likeliest(places: list[_Place]) -> list[_Place]:
        in_named = [place for place in places if place.part in named]
        return [place for place in places if place in old] or in_named or places

    choices = product(*map(likeliest, new.values()))
    for _, chosen in zip(range(_TRIED), choices, strict=False):
        if len(set(chosen)) == len(chosen):
            yield _put(standpoint, proposal, dict(zip(chosen, new, strict=True)))


def _left_out(standpoint: AnyStandpoint, proposal: str, text: str, old: set[_Place]) -> Iterator[str]:
    """Yield the proposal without one of its parts, for each part to which the answer `text` refers. The answer may
    repeat a name or number of the part (a place in `old`) or use a word for the order."""
    parts = [match[0].strip() for match in _PART.finditer(proposal)]
    spoken = [word for word in dict.fromkeys(_WORD.findall(ambiguity.folded(text))) if standpoint.is_about(word)]
    named = {place.part for place in old}
    for at, part in enumerate(parts):
        if len(parts) > 1 and (at in named or any(_is_word_for(standpoint, word, part) for word in spoken)):
            yield read_all(standpoint, "; ".join(other for number, other in enumerate(parts) if number != at))


def _is_word_for(standpoint: AnyStandpoint, word: str, part: str) -> bool:
    """Return whether `word`, in any language or form, is a word for the order in `part`."""
    names = standpoint.names_within(part)
    return bool(names) and standpoint.suggestion(f"{word} {names[-1]}").orders == part
