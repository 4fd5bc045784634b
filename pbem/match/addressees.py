"""Whom press is for: seats of a match, by what they, their sides and their players are called."""

from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.i18n.words import words
from pbem.match import sections
from pbem.match.model import Match
from pbem.orders.people import find_people, means, names_of, without_preposition


class Addressees(NamedTuple):
    """The seats that words are for, in the match's order. Without any, the name that nobody has, and the one that is
    near it; a name of the writer's own seat alone is none, either."""

    seats: tuple[Seat, ...] = ()
    unknown: str = ""
    near: str = ""


def find(match: Match, seat: Seat, written: str) -> Addressees:
    """Whom a seat means; everybody else, if it names nobody."""
    if not written or means("everybody", written):
        return Addressees(tuple(one for one in match.seats if one != seat))
    found = find_people(written, _names(match, seat))
    others = tuple(one for one in match.seats if one in found.seats and one != seat)
    return (
        Addressees(others)
        if others
        else Addressees(unknown=found.unknown or without_preposition(written), near=found.near)
    )


def _names(match: Match, seat: Seat) -> Mapping[str, frozenset[Seat]]:
    """All names of a match, and the seats that each means; a name that two players have means neither."""
    sides = {chair.seat: chair.side for chair in match.game.seats(match.options)}
    named = {
        name: frozenset(one for one in match.seats if {one, sides[one]} & called)
        for name, called in names_of(match.game).items()
    }
    people = [(name.casefold(), one) for name, one in sections.people(match)]
    players = {name: frozenset({one}) for name, one in people if [other for other, _ in people].count(name) == 1}
    mine = frozenset(one for one in match.seats if sides[one] == sides[seat] and one != seat)
    groups = {
        name: group
        for word, group in (("allies", mine), ("opponents", _against(match, sides, seat)))
        for name in words("around", word)
        if group
    }
    return {name: seats for name, seats in {**players, **groups, **named}.items() if seats}


def _against(match: Match, sides: Mapping[Seat, str], seat: Seat) -> frozenset[Seat]:
    return frozenset(one for one in match.seats if sides[one] != sides[seat])
