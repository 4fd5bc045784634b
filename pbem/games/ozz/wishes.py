"""What a side wants in a turn of a battle: its letter's lines by what they are about (ozz §12, §14)."""

from typing import Literal

from pbem.games.ozz import orders as said
from pbem.games.ozz.data import Card
from pbem.games.ozz.orders import Codes, Orders


class Wishes:
    """A battle letter, and the defaults of what it does not say; None is a letter that was missed."""

    def __init__(self, letter: Orders | None) -> None:
        items = letter.items if letter else ()
        self.deploy: dict[str, str] = {}
        self.groups: list[said.Group] = []
        self.guards: list[said.Guard] = []
        self.casts: list[said.Cast] = []
        self.orders: dict[str, said.Order] = {}
        self.place: dict[str, int] = {}
        """When a force acts (§5.10): those of `Sequence`, then those of `Order` lines; all others after them."""
        self.evade: frozenset[str] = frozenset()
        self.join: frozenset[str] = frozenset()
        self.shoot: frozenset[str] | None = None
        self.losses: Codes = ()
        self.retreat: said.Retreat | None = None
        self.retreat_to: Codes = ()
        self.carry: str | None = None
        self.keep: Literal["skeletons", "others"] = "others"
        self.rings, self.first = False, True
        self.fast = any(isinstance(item, said.FightFast) for item in items)
        for item in items:
            self._note(item)
        sequence = next((item.forces for item in items if isinstance(item, said.ActingOrder)), ())
        self.place = {code: at for at, code in enumerate(dict.fromkeys((*sequence, *self.orders)))}

    def _note(self, item: said.Item) -> None:
        match item:
            case said.Deploy(space, units):
                self.deploy |= dict.fromkeys(units, space)
            case said.Group():
                self.groups.append(item)
            case said.Guard():
                self.guards.append(item)
            case said.Cast():
                self.casts.append(item)
            case said.Order(force):
                self.orders[force] = item
            case said.Ring():
                self.rings = True
            case said.Initiative(first):
                self.first = first
            case said.Carry(unit):
                self.carry = unit
            case said.Keep(kept):
                self.keep = kept
            case _:
                self._note_list(item)

    def _note_list(self, item: said.Item) -> None:
        match item:
            case said.Evade(units):
                self.evade = frozenset(units)
            case said.Join(units):
                self.join = frozenset(units)
            case said.Shoot(units):
                self.shoot = frozenset(units)
            case said.Losses(units):
                self.losses = units
            case said.Retreat(at=None):
                self.retreat = item
            case said.RetreatTo(points):
                self.retreat_to = points

    def shoots(self, card: Card) -> bool:
        """Whether a unit fires at flyers in melee (§5.26), if it can."""
        return card.ranged > card.melee if self.shoot is None else card.code in self.shoot

    def retreats(self, units_left: int) -> bool:
        """Whether it retreats with so many of its own units left, intrinsic ones not counted (§6.1)."""
        if self.retreat is None:
            return False
        return self.retreat.below is None or units_left < self.retreat.below
