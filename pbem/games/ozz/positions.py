"""Where a side's counters stand as a battle letter counts on it: deployed, in groups, and transported (ozz §14)."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.ozz.board import forces, grid_of
from pbem.games.ozz.data import Data
from pbem.games.ozz.orders import Cast, Deploy, Group, Item
from pbem.games.ozz.state import Battle


class Positions:
    """`units`: after the deployment and the groups of a letter; `moved`: after its Transports, too, as if they
    succeed; `forces`: who acts together then.
    """

    def __init__(self, data: Data, battle: Battle, seat: Seat, items: Sequence[Item]) -> None:
        self._data, self._battle, self._seat, self._items = data, battle, seat, items
        self._grid = grid_of(data)
        self.units = dict(battle.units)
        self._deploy()
        self._group()
        self.moved = dict(self.units)
        self._transport()
        self.forces = forces(replace(battle, units=self.moved), data, seat)

    def _deploy(self) -> None:
        """In the first turn; whoever is not named stands in the middle of the first row."""
        battle, spaces = self._battle, dict[str, str]()
        for item in self._items if battle.turn == 1 else ():
            if isinstance(item, Deploy) and item.space in self._grid.spaces:
                spaces |= dict.fromkeys(item.units, item.space)
        for code, one in battle.units.items():
            if one.space is None or battle.turn == 1:
                start = one.space or self._grid.start(attacks=one.seat == battle.attacker)
                fixed = one.seat != self._seat or self._data.counters[code].intrinsic
                self.units[code] = replace(one, space=start if fixed else spaces.get(code, start))

    def _group(self) -> None:
        for item in self._items:
            if not isinstance(item, Group) or item.leader not in self.units:
                continue
            for code, one in self.units.items():
                if one.group == item.leader:
                    self.units[code] = replace(one, group=None)
            for code in item.units:
                if code in self.units:
                    self.units[code] = replace(self.units[code], group=item.leader)

    def _transport(self) -> None:
        """A group's only unit takes its leader along, any other leaves its group (§5.6)."""
        for item in self._items:
            if not isinstance(item, Cast) or item.space not in self._grid.spaces or item.on not in self.moved:
                continue
            one = self.moved[item.on]
            if one.seat != self._seat:
                continue
            members = [code for code, other in self.moved.items() if one.group and other.group == one.group]
            if one.group in self.moved and len(members) == 1:
                self.moved[one.group] = replace(self.moved[one.group], space=item.space)
                self.moved[item.on] = replace(one, space=item.space)
            else:
                self.moved[item.on] = replace(one, space=item.space, group=None)
