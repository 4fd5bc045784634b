"""Who is still in the game, and what everybody holds (ozz §9)."""

from pbem.games.base import Seat
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import Table, strength


def active(position: State | Table) -> tuple[Seat, ...]:
    """The nations that are not out, in seat order: with counters, or with intrinsic strength (§9.3)."""
    holders = {one.seat for one in position.units.values()}
    for code in position.data.centers:
        if (nation := position.data.points[code].nation) not in holders and nation and strength(position, code):
            holders.add(nation)
    return tuple(seat for seat in position.seats if seat in holders)


def scores(position: State | Table) -> dict[Seat, int]:
    """Points so far: a unit on the map, a population center, the strength of a razed Center (§9.2); in a skirmish the
    value on the board (§9.4)."""
    found, counters = dict.fromkeys(position.seats, 0), position.data.counters
    if position.battle and position.battle.at is None:
        return found | values(position.battle, position)
    for code, one in position.units.items():
        found[one.seat] += not counters[code].leader
    for holder in position.control.values():
        if holder is not None:
            found[holder] += 1
    for point, seat in position.razed.items():
        found[seat] += position.data.points[point].strength
    return found


def values(battle: Battle, position: State | Table) -> dict[Seat, int]:
    """What the units of both sides on the board are worth."""
    found = {battle.attacker: 0, battle.defender: 0}
    for code, one in battle.units.items():
        found[one.seat] += position.data.counters[code].value
    return found
