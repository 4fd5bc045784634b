"""How a match ended for its seats: places, and who has forfeited it."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from pbem.games.base import Chair, Result, Seat


class Placing(NamedTuple):
    """How a game at a table ended: the place of each player, 1 for the best, equal ones together; who has forfeited it;
    on whose side each was; and which side has won, "" if none has."""

    ranks: Mapping[int, int]
    forfeit: frozenset[int]
    sides: Mapping[int, str]
    winner: str = ""


class Places(NamedTuple):
    """The same by seats."""

    ranks: Mapping[Seat, int]
    forfeit: frozenset[Seat]


def places_of(chairs: Iterable[Chair], result: Result, gone: Collection[Seat]) -> Places:
    """The places of a result: those of its ranking, else its winner's side before all the others.

    Seats that are `gone`, given up while others played on, have forfeited it and are last together. So are those by
    whose leaving it ended: the last ones of the ranking, or all who have not won.
    """
    sides = {chair.seat: chair.side for chair in chairs}
    winning = tuple(seat for seat, side in sides.items() if result.winner == side)
    ranking = result.ranking or (winning, tuple(seat for seat in sides if seat not in winning))
    forfeit = frozenset((*gone, *(ranking[-1] if result.forfeit else ())))
    staying = [[seat for seat in some if seat not in forfeit] for some in ranking]
    ranks: dict[Seat, int] = {}
    for some in (*staying, [seat for seat in sides if seat in forfeit]):
        ranks |= dict.fromkeys(some, len(ranks) + 1)
    return Places(ranks, forfeit)


def of_nobody(accepted: Mapping[Seat, bool], declined: Collection[Seat]) -> Places:
    """The places of a game that never began: who has declined it has forfeited it, else who has not accepted it."""
    forfeit = frozenset(declined) or frozenset(seat for seat, said in accepted.items() if not said)
    return Places({seat: 1 + (len(accepted) - len(forfeit)) * (seat in forfeit) for seat in accepted}, forfeit)
