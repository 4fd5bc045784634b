"""What a letter comes to if nobody else did anything and no die fell (ozz §16): what a receipt shows."""

from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz.campaign import Stack
from pbem.games.ozz.map_wishes import MapWishes
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import Table
from pbem.games.ozz.wishes import Wishes


def foresee(state: State, seat: Seat, orders: Orders) -> State:
    """The map with a nation's own moves, without attrition and battles; on the board deployment and groups alone."""
    if state.battle:
        return replace(state, battle=_formed(state.battle, Wishes(orders)))
    table = Table(state, NO_CHANCE)
    for item in MapWishes(orders).moves:
        stack = Stack(table, seat, item)
        if stack.can_go():
            stack.go()
    table.take()
    return table.state()


def _formed(battle: Battle, wishes: Wishes) -> Battle:
    units = dict(battle.units)
    for code, space in wishes.deploy.items() if battle.turn == 1 else ():
        units[code] = replace(units[code], space=space)
    for group in wishes.groups:
        for code, one in units.items():
            if one.group == group.leader:
                units[code] = replace(one, group=None)
        for code in group.units:
            units[code] = replace(units[code], group=group.leader)
    return replace(battle, units=units)
