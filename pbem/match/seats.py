"""The seats and sides of a match as game masters name them: by their own names, or by those of their players."""

import re
from dataclasses import replace

from pbem.games.base import Seat, Side
from pbem.match.anonymous import sees_names, with_names
from pbem.match.model import Match
from pbem.match.sections import DecisionError, listed
from pbem.orders.command import Decision


def seat_called(match: Match, name: str) -> Seat:
    """Return the seat called `name`, or the only one whose player is called so. Raises DecisionError if there is no
    such seat, or if several players have that name."""
    wanted = name.casefold()
    if wanted in match.seats:
        return wanted
    names = {seat: match.holders[seat].name.casefold() for seat in match.seats}
    named = [seat for seat in names if names[seat] == wanted] or [
        seat for seat in names if wanted in names[seat].split()
    ]
    values = {"name": name, "match": match.name, "seats": listed(named or match.seats)}
    if len(named) > 1:
        raise DecisionError('Several players of {match} are called "{name}": name the side, {seats}.', **values)
    if not named:
        raise DecisionError('There is no side "{name}" in {match}, only {seats}.', **values)
    return named[0]


def side_called(match: Match, name: str) -> Side:
    """Return the side called `name`, or that of the seat or player called `name`. Raises DecisionError if there is
    none."""
    sides = match.sides(match.seats)
    return name.casefold() if name.casefold() in sides else next(iter(match.sides([seat_called(match, name)])))


def seat_and_person(match: Match, argument: str) -> tuple[str, str]:
    """Split `red with Eve <eve@example.org>` into the name of a seat or player and the new player. A name may have
    several words if `with` comes after it."""
    name, _, rest = argument.partition(" ")
    parts = re.fullmatch(r"(?P<name>[^<>@]+?)\s+with\s+(?P<rest>.+)", argument, re.I | re.S)
    if parts and name.casefold() not in match.seats:
        return parts["name"], parts["rest"]
    return name, re.sub(r"^with\s+", "", rest, flags=re.I)


def by_seat(match: Match, decision: Decision, address: str) -> Decision:
    """Return `decision` with a seat in place of the name of its player, if the game master with this `address` is told
    the names that players are not told: these names go neither into the record nor into letters. Raises DecisionError
    if nobody in the match has such a name."""
    known = with_names(match)
    if known == match or not sees_names(match, address):
        return decision
    argument = decision.argument
    match decision.word:
        case "replace":
            name, person = seat_and_person(known, argument)
            argument = f"{seat_called(known, name)} with {person}"
        case "tell" | "orders":
            name, colon, text = argument.partition(":")
            argument = f"{seat_called(known, name.strip())}{colon}{text}" if name.strip() else argument
        case "award":
            argument = _AWARDED.sub(lambda word: _awarded(known, word[0]), argument)
    return replace(decision, argument=argument)


_AWARDED = re.compile(r"\b(?!(?:to|and|draw|again)\b)[^\W_]+", re.I)


def _awarded(match: Match, name: str) -> str:
    return name if name.casefold() in match.sides(match.seats) else seat_called(match, name)
