"""Random letters of battles: anything that is legal on the board (§14), wise or not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from pbem.games.base import Seat
from pbem.games.ozz import orders
from pbem.games.ozz.board import Grid, forces, grid_of
from pbem.games.ozz.data import BELL, Data
from pbem.games.ozz.orders import OFF, Codes, Item, Orders, Word
from pbem.games.ozz.state import Battle, Fighter, State

_One = TypeVar("_One")
WORDS: tuple[Word, ...] = ("advance", "advance", "stand", "back")
HOSTILE = ("poppies", "confusion", "poor luck")


class RandomLetter:
    """Writes one letter of a side; `battle` is the position that the side expects after the lines written so far."""

    def __init__(self, state: State, seat: Seat, random: Random) -> None:
        assert state.battle is not None
        self.state, self.data, self.seat, self.random = state, state.data, seat, random
        self.battle: Battle = state.battle
        self.attacks = seat == self.battle.attacker
        self.grid: Grid = grid_of(self.data)
        self.items: list[Item] = []

    def letter(self) -> Orders:
        """Write lines of every kind at random."""
        self._deploy()
        self._group()
        self._guard()
        self._carry()
        self._cast()
        self._order()
        self._wish()
        return Orders(tuple(self.items))

    def some(self, items: Sequence[_One], most: int | None = None) -> list[_One]:
        number = self.random.randint(0, len(items) if most is None else min(most, len(items)))
        return self.random.sample(list(items), number)

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def own(self) -> Mapping[str, Fighter]:
        return {code: one for code, one in self.battle.units.items() if one.seat == self.seat}

    def units(self) -> list[str]:
        return [code for code in self.own() if not self.data.counters[code].leader]

    def _put(self, spaces: Mapping[str, str]) -> None:
        units = {code: replace(one, space=spaces.get(code, one.space)) for code, one in self.battle.units.items()}
        bell = self.battle.bell
        if bell and bell.carrier in spaces:
            bell = replace(bell, space=spaces[bell.carrier])
        self.battle = replace(self.battle, units=units, bell=bell)

    def _deploy(self) -> None:
        if self.battle.turn != 1:
            return
        start = self.grid.start(attacks=self.attacks)
        spaces = dict.fromkeys(self.own(), start)
        free = [code for code in spaces if not self.data.counters[code].intrinsic]
        for column in "LCR":
            placed = [code for code in self.some(free, 4) if code in free]
            free = [code for code in free if code not in placed]
            spaces |= dict.fromkeys(placed, f"{start[:-1]}{column}")
            if placed:
                self.items.append(orders.Deploy(f"{start[:-1]}{column}", tuple(placed)))
        self._put(spaces)

    def _group(self) -> None:
        cards, grouped = self.data.counters, set[str]()
        for leader in self.some([code for code in self.own() if cards[code].kind in ("ruler", "hero")]):
            space = self.battle.units[leader].space
            able = [
                code
                for code in self.units()
                if self.battle.units[code].space == space and code not in grouped and not cards[code].intrinsic
            ]
            chosen = self.some(able, self.data.values["group_max"])
            grouped.update(chosen)
            self.items.append(orders.Group(leader, tuple(chosen)))
            units = {
                code: replace(one, group=leader if code in chosen else None if one.group == leader else one.group)
                for code, one in self.battle.units.items()
            }
            self.battle = replace(self.battle, units=units)

    def _guard(self) -> None:
        if not self.state.options.switches.guards:
            return
        for space in self.some(sorted({self.battle.units[code].space or "" for code in self.units()})):
            there = [code for code in self.units() if self.battle.units[code].space == space]
            left, right = self.random.sample([*there, None, None], 2)
            left, right = (left if space[-1] != "L" else None), (right if space[-1] != "R" else None)
            if left or right:
                self.items.append(orders.Guard(space, left, right))

    def _carry(self) -> None:
        bell, cards = self.battle.bell, self.data.counters
        if bell and bell.seat == self.seat and self.maybe():
            able = [
                code
                for code in self.units()
                if cards[code].kind != "flying"
                and not cards[code].intrinsic
                and self.battle.units[code].space == bell.space
            ]
            if able:
                code = self.random.choice(able)
                self.items.append(orders.Carry(code))
                self.battle = replace(self.battle, bell=replace(bell, carrier=code))

    def _cast(self) -> None:
        for caster in self.own():
            spells = self.state.spells.get(caster, ())
            able = [spell for spell in spells if (caster, spell) not in self.battle.cast]
            if able and self.maybe(0.8):
                self._cast_one(caster, self.random.choice(able))
        bell, users = self.battle.bell, self.data.values["bell_users"]
        if bell and bell.seat == self.seat and self.seat in users and self.maybe():
            self.items.append(orders.Ring())

    def _cast_one(self, caster: str, spell: str) -> None:
        cards = self.data.counters
        mine = self.units()
        theirs = [code for code in self.battle.units if code not in self.own() and not cards[code].leader]
        targets = theirs if spell == "fireball" else mine if spell in ("healing", "transport") else mine + theirs
        if spell == "transport":
            targets = [code for code in targets if not cards[code].intrinsic]
        if spell in ("poppies", "confusion") and self.battle.bell:
            targets = [*targets, BELL]
        if not targets:
            return
        on = self.random.choice(targets)
        space = self.random.choice(self.grid.spaces) if spell == "transport" else None
        self.items.append(orders.Cast(caster, spell, on, space))
        if space:
            self._transported(on, space)

    def _transported(self, unit: str, space: str) -> None:
        leader = self.battle.units[unit].group
        mates = [code for code, one in self.battle.units.items() if leader and one.group == leader]
        if len(mates) == 1 and leader:
            self._put({unit: space, leader: space})
            return
        self._put({unit: space})
        units = {**self.battle.units, unit: replace(self.battle.units[unit], group=None)}
        self.battle = replace(self.battle, units=units)

    def _order(self) -> None:
        own = forces(self.battle, self.data, self.seat)
        for code in self.some(list(own)):
            self.items.append(self._order_of(code, own[code]))
        if self.maybe() and own and (sequence := self.some(list(own))):
            self.items.append(orders.ActingOrder(tuple(sequence)))

    def _order_of(self, code: str, members: Codes) -> orders.Order:
        cards, switches = self.data.counters, self.state.options.switches
        attack = tuple(self.some(self.grid.spaces, 3))
        if cards[code].intrinsic:
            return orders.Order(code, "stand", attack=attack)
        word = self.random.choice(WORDS)
        way = self._way(self.battle.units[code].space or "", word)
        units = [one for one in members if not cards[one].leader]
        riders = bool(units) and all(cards[one].kind == "cavalry" for one in units)
        coordinates = cards[code].kind == "ruler" and switches.coordination and self.maybe()
        other = self.random.choice(WORDS)
        change = orders.Change(
            other,
            self._way(self.battle.units[code].space or "", other),
            self.random.choice((None, *self.grid.spaces)),
            no=False,
        )
        return orders.Order(
            code,
            word,
            way,
            attack,
            charge=word == "advance" and len(way) > 1 and riders and switches.cavalry,
            coordinate=self.random.randint(0, 2) if coordinates else None,
            alone=switches.coordination and self.maybe(0.2),
            leave=len(units) == 1 and len(members) > 1 and self.maybe(),
            change=change if self.maybe(0.3) and not coordinates else None,
        )

    def _way(self, space: str, word: Word) -> Codes:
        way: list[str] = []
        for _ in range(self.random.randint(0, 1 if word == "stand" else 2)):
            steps = self.grid.steps(space, word, attacks=self.attacks)
            if not steps:
                break
            space = self.random.choice(steps)
            way.append(space)
            if space == OFF:
                break
        return tuple(way)

    def _wish(self) -> None:
        cards, units = self.data.counters, self.units()
        fast = [code for code in units if cards[code].kind in ("cavalry", "flying")]
        flying = [code for code in units if cards[code].kind == "flying"]
        shots = [code for code in units if cards[code].kind != "flying" and cards[code].ranged]
        for able, make in ((fast, orders.Evade), (flying, orders.Join), (units, orders.Losses)):
            if self.maybe() and (chosen := tuple(self.some(able))):
                self.items.append(make(chosen))
        if self.maybe():
            self.items.append(orders.Shoot(tuple(self.some(shots))))
        if self.state.options.switches.initiative and self.maybe():
            self.items.append(orders.Initiative(self.maybe()))
        if self.maybe(0.2):
            self.items.append(orders.Retreat(self.random.choice((None, 0, 2, 4))))
        if self.maybe():
            self.items.append(orders.Keep(self.random.choice(("skeletons", "others"))))
        if self.maybe(0.3):
            self.items.append(orders.Lasting(self.random.choice((None, 2, 3, 8))))


def letter(state: State, seat: Seat, random: Random) -> Orders:
    """A legal letter of a side in a battle."""
    return RandomLetter(state, seat, random).letter()


def mirrored(orders: Orders) -> Orders:
    """The letter with columns L and R exchanged."""
    return Orders(tuple(_mirrored(item) for item in orders.items))


def other_side(space: str) -> str:
    """A space with columns L and R exchanged; `off` stays the same."""
    return space if space == OFF else space[:-1] + {"L": "R", "R": "L", "C": "C"}[space[-1]]


def _way_mirrored(way: Codes) -> Codes:
    return tuple(other_side(space) for space in way)


def _mirrored(item: Item) -> Item:
    match item:
        case orders.Deploy():
            return replace(item, space=other_side(item.space))
        case orders.Guard(space, left, right):
            return orders.Guard(other_side(space), right, left)
        case orders.Cast(space=str(space)):
            return replace(item, space=other_side(space))
        case orders.Order(way=way, attack=attack, change=change):
            if change:
                enemy_in = change.enemy_in and other_side(change.enemy_in)
                change = replace(change, way=_way_mirrored(change.way), enemy_in=enemy_in)
            return replace(item, way=_way_mirrored(way), attack=_way_mirrored(attack), change=change)
        case _:
            return item


def swapped(state: State) -> State:
    """The position with columns L and R exchanged."""
    battle = state.battle
    if battle is None:
        return state
    units = {code: replace(one, space=one.space and other_side(one.space)) for code, one in battle.units.items()}
    bell = replace(battle.bell, space=battle.bell.space and other_side(battle.bell.space)) if battle.bell else None
    plans = {seat: plan and replace(plan, orders=mirrored(plan.orders)) for seat, plan in battle.plans.items()}
    return replace(state, battle=replace(battle, units=units, bell=bell, plans=plans))


def scenario(data: Data, name: str) -> tuple[str, str]:
    """The counters of both sides of a skirmish, in the format of `battle_of`."""
    found = data.scenarios[name]
    walls = [code for code, card in data.counters.items() if card.intrinsic][: found["strength"]]
    return ", ".join(found["attackers"]), ", ".join((*found["defenders"], *walls))
