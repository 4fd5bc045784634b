"""The places of the players in a game of a league."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from pbem.games.base import Chair, Result, Seat


class Placing(NamedTuple):
    """The outcome of a game at a table: the place of each player, 1 for the best and equal for ties; the players who
    forfeited it; each player's side; and the winning side, "" if there is none."""

    ranks: Mapping[int, int]
    forfeit: frozenset[int]
    sides: Mapping[int, str]
    winner: str = ""


class Places(NamedTuple):
    """The outcome of a game, keyed by seat: the place of each seat, and the seats that forfeited the game."""

    ranks: Mapping[Seat, int]
    forfeit: frozenset[Seat]


def places_of(chairs: Iterable[Chair], result: Result, gone: Collection[Seat]) -> Places:
    """Return the places that follow from `result`: its ranking or, without one, the winner's side before all others.

    Seats that are `gone` (given up while others played on) have forfeited, and share last place. So do the seats whose
    leaving ended the game: the last of the ranking or, without a ranking, all that have not won.
    """
    sides = {chair.seat: chair.side for chair in chairs}
    winning = tuple(seat for seat, side in sides.items() if result.winner == side)
    ranking = result.ranking or (winning, tuple(seat for seat in sides if seat not in winning))
    forfeit = frozenset((*gone, *(ranking[-1] if result.forfeit else ())))
    staying = [[seat for seat in place if seat not in forfeit] for place in ranking]
    ranks: dict[Seat, int] = {}
    for place in (*staying, [seat for seat in sides if seat in forfeit]):
        ranks |= dict.fromkeys(place, len(ranks) + 1)
    return Places(ranks, forfeit)


def places_if_not_begun(accepted: Mapping[Seat, bool], declined: Collection[Seat]) -> Places:
    """Return the places of a game that never began: it is forfeited by the seats that declined it or, if none declined,
    by the seats that had not accepted it."""
    forfeit = frozenset(declined) or frozenset(seat for seat, has_accepted in accepted.items() if not has_accepted)
    return Places({seat: 1 + (len(accepted) - len(forfeit)) * (seat in forfeit) for seat in accepted}, forfeit)
