"""What a letter's own orders lead to, as far as that can be said without dice and without the others (ozz §16)."""

from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.orders import Deploy, Fly, Group, Move, Orders
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import Table


def foresee(state: State, seat: Seat, orders: Orders) -> State:
    """A position after a seat's own moves, no enemy moving, each stack before the point where it would fight; on the
    board after its deployment and groups."""
    if state.battle:
        return replace(state, battle=_placed(state, state.battle, seat, orders))
    table = Table(state, NO_CHANCE)
    for item in orders.items:
        if isinstance(item, Move | Fly):
            _move(table, seat, item)
    return table.state()


def _move(table: Table, seat: Seat, item: Move | Fly) -> None:
    members = [code for code in item.units if code in table.units and table.units[code].at == item.way[0]]
    for number, point in enumerate(item.way[1:], start=1):
        if table.is_enemy_to(seat, point):
            break
        for code in members:
            table.units[code] = replace(table.units[code], at=point, done=True)
        if table.bell and table.bell.carrier in members:
            table.bell = replace(table.bell, at=point)
        if isinstance(item, Move) and number < len(item.way) - 1:
            members = [code for code in members if number > 1 or code not in item.drop]
            members += [code for code in item.take if code in table.units and table.units[code].at == point]
    table.take()


def _placed(state: State, battle: Battle, seat: Seat, orders: Orders) -> Battle:
    """A battle after a side's deployment and its groups."""
    units = {**battle.units}
    start = grid_of(state.data).start(attacks=seat == battle.attacker)
    for code, one in units.items():
        if one.seat == seat and one.space is None:
            units[code] = replace(one, space=start)
    for item in orders.items:
        if isinstance(item, Deploy):
            units |= {code: replace(units[code], space=item.space) for code in item.units if code in units}
        elif isinstance(item, Group):
            left = [code for code, one in units.items() if one.group == item.leader]
            units |= {code: replace(units[code], group=None) for code in left}
            units |= {code: replace(units[code], group=item.leader) for code in item.units if code in units}
    return replace(battle, units=units)
