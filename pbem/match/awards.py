"""A game master decides how a game ended: who has won, or the places of more than two."""

import re

from pbem.games.base import Result, Seat, Sentence, Side
from pbem.match import clock
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.sections import DecisionError, listed
from pbem.orders.command import Decision


def award(reply: Reply, decision: Decision) -> None:
    """`award GAME SEAT`, `award GAME draw`, or at a table `award GAME SEAT, SEAT and SEAT, SEAT`: places from the first
    on, shared by those between whom an `and` stands; whoever is not named shares the last one."""
    match = reply.table
    words = re.sub(r"^to\s+", "", decision.argument, flags=re.I)
    named = [re.split(r"\s+and\s+", place.strip()) for place in words.casefold().split(",")]
    ranking = _places(match, named) if "," in words or len(named[0]) > 1 else ()
    (first, *more), *_ = named
    winner = None if more or first == "draw" else side_of(match, first)
    if winner:
        names = listed([holder.name for seat, holder in match.holders.items() if winner in match.sides([seat])])
        side = match.game.called[winner]
        why = Sentence("The game master awarded the game to {name} ({side}).", name=names, side=side)
    else:
        why = Sentence("The game master awarded the game as a draw.")
    result = Result(winner, why, ranking=ranking)
    reply.do(clock.finish(match, result, reply.now, "the game master", decision.reason))


def _places(match: Match, named: list[list[str]]) -> tuple[tuple[Seat, ...], ...]:
    """The seats by places; of two there is nothing more to say than who has won. Raises DecisionError."""
    places = [tuple(seat_of(match, one) for one in place) for place in named]
    said = [seat for place in places for seat in place]
    if len(set(said)) < len(said):
        raise DecisionError("Each side has one place: name none of them twice.")
    if len(match.sides(match.seats)) < len(match.seats):
        raise DecisionError("Sides of several win together: award the game to one of them, or as a draw.")
    left = tuple(seat for seat in match.seats if seat not in said)
    return tuple(filter(None, (*places, left))) if len(match.seats) > 2 else ()


def seat_of(match: Match, name: str) -> Seat:
    """The seat that has this name. Raises DecisionError."""
    if name.casefold() not in match.seats:
        values = {"name": name, "match": match.name, "seats": listed(match.seats)}
        raise DecisionError('There is no side "{name}" in {match}, only {seats}.', **values)
    return name.casefold()


def side_of(match: Match, name: str) -> Side:
    """The side that has this name, or a seat with this name on it. Raises DecisionError."""
    sides = match.sides(match.seats)
    return name.casefold() if name.casefold() in sides else next(iter(match.sides([seat_of(match, name)])))
