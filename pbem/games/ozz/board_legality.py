"""Checks of battle letters: the reasons why a letter is illegal (§14).

All checks assume that the letter's deployments and groups have taken effect. The checks of orders to forces also assume
that the letter's Transports have succeeded.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.ozz import orders
from pbem.games.ozz.board import forces, grid_of
from pbem.games.ozz.data import BELL, Data
from pbem.games.ozz.legality import ABLE, Checker
from pbem.games.ozz.orders import OFF, Codes, Item
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.wording import noted

_ONCE_A_BATTLE = ("fireball", "healing")
_FOR_OWN = ("healing", "transport")
_FOR_BELL = ("poppies", "confusion")
_MOST_STEPS, _MOST_ATTACKS = 2, 3


class BoardChecker(Checker):
    """A checker of battle letters."""

    def __init__(self, state: State, seat: Seat, items: Sequence[Item]) -> None:
        super().__init__(state, seat, items)
        assert state.battle is not None
        self.battle: Battle = state.battle
        self.attacks = seat == state.battle.attacker
        placed = Positions(self.data, self.battle, seat, items)
        self._units, self._moved, self._forces = placed.units, placed.moved, placed.forces

    def look(self, item: Item) -> None:  # noqa: C901, PLR0912 - one case for each kind of item
        match item:
            case orders.Deploy():
                self._deploy(item)
            case orders.Group():
                self._group(item)
            case orders.Guard():
                self._guard(item)
            case orders.Cast():
                self._cast(item)
            case orders.Ring():
                self._ring()
            case orders.Order():
                self._order(item)
            case orders.ActingOrder():
                for code in item.forces:
                    self._force(code)
            case orders.Evade() | orders.Join() | orders.Shoot():
                for code in item.units:
                    self._able(item, code)
            case orders.Carry():
                self._carry(item.unit)
            case orders.Losses():
                self.check_losses(item)
            case orders.Retreat() if item.at:
                self.fault(
                    item.at,
                    Sentence("There is only one battle on the board: write `Retreat` without `at`."),
                    orders.Retreat(item.below),
                )
            case orders.FightFast():
                self._fight_fast(item)
            case _:
                pass

    def _fight_fast(self, item: orders.FightFast) -> None:
        if self.battle.at is None:
            self.fault(None, Sentence("A skirmish is fought on the board."))
        elif self.battle.turn > 1:
            self.fault(None, Sentence("A battle can be fought fast only from its first turn."))
        elif item.at and item.at != (self.battle.at,):
            self.fault(
                item.at[0], Sentence("This is about one battle: write `Fight fast` without `at`."), orders.FightFast()
            )

    def seat_of(self, code: str) -> Seat | None:
        return self._units[code].seat if code in self._units else None

    def place_of(self, code: str) -> str | None:
        return self._units[code].space

    def not_there(self, code: str) -> Sentence:
        return Sentence("{code} ({name}) is not on the board.", code=code, name=self.called(code))

    # Deployment, groups and guards
    def _deploy(self, item: orders.Deploy) -> None:
        row = self.grid.first_row(attacks=self.attacks)
        if self.battle.turn > 1:
            self.fault(None, Sentence("Units deploy only in the first turn of a battle."))
            return
        if int(item.space[:-1]) != row:
            spaces = tuple(space for space in self.grid.spaces if int(space[:-1]) == row)
            self.fault(item.space, Sentence("You deploy in your first row: {spaces}.", spaces=spaces))
        for code in item.units:
            if not self.is_own(code):
                continue
            if self.card(code).intrinsic:
                self.fault(code, Sentence("{name} stays in its walls and is not deployed.", name=self.called(code)))
            if f"Deploy {code}" in self._named:
                self.fault(code, Sentence("{code} is deployed twice.", code=code))
            self._named.add(f"Deploy {code}")

    def _group(self, item: orders.Group) -> None:
        leader = item.leader
        most = self.data.values["group_max"]
        if not self.is_own(leader) or not self.is_only("Group", leader):
            return
        if self.card(leader).kind not in ("ruler", "hero"):
            self.fault(leader, Sentence("{name} cannot lead: only Rulers and Heroes can.", name=self.called(leader)))
            return
        if len(item.units) > most:
            values = {"most": most, "number": len(item.units)}
            self.fault(item.units[most], Sentence("A group has at most {most} units; you named {number}.", **values))
        for code in item.units:
            if self.is_own(code):
                self._member(code, leader)

    def _member(self, code: str, leader: str) -> None:
        card = self.card(code)
        here, there = self._units[code].space, self._units[leader].space
        if card.leader or code == BELL:
            self.fault(code, Sentence("{name} is not a unit and cannot join a group.", name=card.name))
        elif card.intrinsic:
            self.fault(code, Sentence("{name} stays in its walls and cannot join a group.", name=card.name))
        elif here != there:
            values = {"code": code, "here": here or "-", "leader": leader, "there": there or "-"}
            self.fault(code, Sentence("{code} is in {here}, but {leader} is in {there}.", **values))
        elif f"in a group {code}" in self._named:
            self.fault(code, Sentence("{code} is named in two groups.", code=code))
        self._named.add(f"in a group {code}")

    def _guard(self, item: orders.Guard) -> None:
        if not self.switches.guards:
            self.fault(None, Sentence("This match is played without flank guards."))
            return
        if not self.is_only("Guard", item.space):
            return
        column = item.space[-1]
        if item.left and column == "L":
            instead = () if item.right else (orders.Guard(item.space, None, item.left),)
            sentence = Sentence("{space} is the left column: it has a right flank only.", space=item.space)
            self.fault(item.left, sentence, *instead)
        if item.right and column == "R":
            instead = () if item.left else (orders.Guard(item.space, item.right),)
            sentence = Sentence("{space} is the right column: it has a left flank only.", space=item.space)
            self.fault(item.right, sentence, *instead)
        if item.left and item.left == item.right:
            self.fault(item.left, Sentence("{code} guards one flank, not both.", code=item.left))
        for code in dict.fromkeys(filter(None, (item.left, item.right))):
            if not self.is_own(code):
                continue
            if self.card(code).leader or code == BELL:
                self.fault(code, Sentence("{name} is not a unit and cannot guard a flank.", name=self.called(code)))
            elif (here := self._units[code].space) != item.space:
                values = {"code": code, "here": here or "-", "space": item.space}
                self.fault(code, Sentence("{code} stands in {here}, not in {space}.", **values))

    # Spells and the Bell

    def _cast(self, item: orders.Cast) -> None:
        if not self.is_own(item.caster):
            return
        spells = self.state.spells.get(item.caster, ())
        if item.spell not in spells:
            self.fault(item.caster, self._knows(item.caster, spells))
        elif self.is_only("Cast", item.caster) and self._is_left(item):
            self._target(item)

    def _knows(self, caster: str, spells: Codes) -> Sentence:
        name = self.called(caster)
        if not spells:
            return Sentence("{name} knows no spell.", name=name)
        if len(spells) == 1:
            return Sentence("{name} knows {spell} only.", name=name, spell=spells[0])
        return Sentence("{name} knows {spells} and {last}.", name=name, spells=spells[:-1], last=spells[-1])

    def _is_left(self, item: orders.Cast) -> bool:
        if item.spell in _ONCE_A_BATTLE and (item.caster, item.spell) in map(tuple, self.battle.cast):
            values = {"name": self.called(item.caster), "spell": item.spell}
            self.fault(
                item.caster, Sentence("{name} has already cast {spell}, which works once in a battle.", **values)
            )
            return False
        return True

    def _target(self, item: orders.Cast) -> None:
        target, card = item.on, self.card(item.on)
        fighter = self._units.get(target)
        if (item.spell == "transport") != (item.space is not None):
            self.fault(
                target,
                Sentence(
                    "Transport needs a space to go to: `Cast {caster}: transport {on} to 2C`.",
                    caster=item.caster,
                    on=target,
                ),
            )
        elif target == BELL:
            if item.spell not in _FOR_BELL:
                self.fault(target, Sentence("On the Bell only poppies and confusion can be cast."))
            elif self.battle.bell is None:
                self.fault(target, Sentence("The Bell is not on the board."))
        elif card.leader:
            self.fault(target, Sentence("{name} is a leader: spells are cast on units.", name=card.name))
        elif fighter is None:
            self.fault(target, Sentence("{code} ({name}) is not on the board.", code=target, name=card.name))
        elif item.spell in _FOR_OWN and fighter.seat != self.seat:
            self.fault(target, Sentence("{spell} is for your own units.", spell=item.spell.capitalize()))
        elif item.spell == "fireball" and fighter.seat == self.seat:
            self.fault(target, Sentence("Fireball is for enemy units, but {name} is yours.", name=card.name))
        elif item.spell == "transport" and card.intrinsic:
            self.fault(target, Sentence("{name} stays in its walls.", name=card.name))

    def _ring(self) -> None:
        bell = self.battle.bell
        users = self.data.values["bell_users"]
        if bell is None or bell.seat != self.seat:
            self.fault(None, Sentence("You do not hold the Bell."))
        elif self.seat not in users:
            self.fault(None, Sentence("Only Winkies and Gillikins can ring the Bell."))

    def _carry(self, code: str) -> None:
        bell = self.battle.bell
        carrier = self._units.get(bell.carrier or "") if bell else None
        where = carrier.space if carrier else bell.space if bell else None
        self.check_carrier(code, bell, where)

    # Forces

    def _force(self, code: str, *instead: Item) -> bool:
        """Return whether `code` names a force. If it does not, report the reason; if it names a unit in a group,
        propose the items in `instead`."""
        if code in self._forces:
            return True
        fighter = self._moved.get(code)
        if fighter is not None and fighter.seat == self.seat and fighter.group:
            values = {"name": self.called(code), "leader": self.called(fighter.group), "code": fighter.group}
            others = [member for member in self._forces[fighter.group] if member not in (code, fighter.group)]
            group = orders.Group(fighter.group, tuple(others))
            sentence = Sentence(
                "{name} is led by {leader}: order {code}, or `{line}` first.", line=noted(group), **values
            )
            self.fault(code, sentence, *instead)
        else:
            self.is_own(code)
        return False

    def _of_leader(self, item: orders.Order) -> list[Item]:
        """Return the order to a leader that was probably meant by `item`, an order to a unit of the leader's group. The
        list is empty unless all units of the group have the same order and the leader has no different order."""
        leader = self._leader_of(item.force)
        if leader not in self._forces:
            return []
        given = [other for other in self.items if isinstance(other, orders.Order)]
        led = [other for other in given if other.force == leader or self._leader_of(other.force) == leader]
        meant = replace(item, force=leader)
        whole = {other.force for other in led} >= {*self._forces[leader]} - {leader}
        return [meant] if whole and {replace(other, force=leader) for other in led} == {meant} else []

    def _leader_of(self, code: str) -> str:
        """Return the leader of a unit's group, or "" if the unit is not in a group."""
        return (code in self._moved and self._moved[code].group) or ""

    def _order(self, item: orders.Order) -> None:
        if not self._force(item.force, *self._of_leader(item)) or not self.is_only("Order", item.force):
            return
        units = [code for code in self._forces[item.force] if not self.card(code).leader]
        space = self._moved[item.force].space or self.grid.start(attacks=self.attacks)
        if any(self.card(code).intrinsic for code in units) and (item.word != "stand" or item.way or item.change):
            attack = orders.Order(item.force, "stand", (), item.attack, alone=item.alone)
            sentence = Sentence(
                "{name} stays in its walls: `{line}`.", name=self.called(item.force), line=noted(attack)
            )
            self.fault(item.force, sentence, attack)
            return
        self._way(item.word, item.way, space)
        if item.change:
            self._way(item.change.word, item.change.way, space)
        if len(item.attack) > _MOST_ATTACKS:
            self.fault(
                item.attack[_MOST_ATTACKS], Sentence("Up to {most} spaces can be named to attack.", most=_MOST_ATTACKS)
            )
        if item.charge:
            self._charge(item, units, space)
        self._clauses(item, units)

    def _clauses(self, item: orders.Order, units: Sequence[str]) -> None:
        if item.coordinate is not None or item.alone:
            self._coordinate(item)
        if item.leave and not (len(units) == 1 and self.card(item.force).leader):
            self.fault(
                item.force, Sentence("`leave` is for the leader of a single unit, who leaves it if it cannot move.")
            )

    def _charge(self, item: orders.Order, units: Sequence[str], space: str) -> None:
        if not self.switches.cavalry:
            self.fault(item.force, Sentence("This match is played without charges."))
        elif not units or any(self.card(code).kind != "cavalry" for code in units):
            self.fault(item.force, Sentence("Only a force that is all cavalry can charge."))
        elif item.word != "advance" or len(item.way) != _MOST_STEPS:
            self.fault(item.force, self._two_spaces(item.force, space))

    def _two_spaces(self, force: str, space: str) -> Sentence:
        ahead = self.grid.ahead(space, attacks=self.attacks)
        ways = [(first, second) for first in ahead for second in self.grid.ahead(first, attacks=self.attacks)]
        if not ways:
            return Sentence("A charge is an advance of two spaces, but there are none ahead of {space}.", space=space)
        line = noted(orders.Order(force, "advance", ways[0], charge=True))
        return Sentence("A charge is an advance of two spaces: `{line}`.", line=line)

    def _coordinate(self, item: orders.Order) -> None:
        if not self.switches.coordination:
            self.fault(item.force, Sentence("This match is played without coordination."))
        elif item.coordinate is None:
            return
        elif self.card(item.force).kind != "ruler":
            name = self.called(item.force)
            self.fault(item.force, Sentence("Only a Ruler can coordinate, and {name} is not one.", name=name))
        elif item.change:
            self.fault(item.force, Sentence("A Ruler who coordinates cannot also change orders: choose one."))

    def _way(self, word: orders.Word, way: Codes, space: str) -> None:
        """Check that an order with the order word `word` allows every step of `way` for a force that starts in
        `space`."""
        most = 1 if word == "stand" else _MOST_STEPS
        if len(way) > most:
            self.fault(way[most], Sentence("A way has at most {most} steps here.", most=most))
            return
        for step in way:
            if space == OFF:
                self.fault(step, Sentence("`off` is the last step of a way."))
                return
            allowed = self.grid.steps(space, word, attacks=self.attacks)
            if step not in allowed:
                self.fault(step, self._no_step(step, space, word, allowed))
                return
            space = step

    def _no_step(self, step: str, space: str, word: orders.Word, allowed: Codes) -> Sentence:
        ahead = self.grid.ahead(space, attacks=self.attacks) if word == "advance" else allowed
        values = {"step": step, "space": space, "allowed": (ahead or allowed) or ("-",), "word": noted(word)}
        if step == OFF:
            return Sentence("Nobody can leave the board from {space}: only from the first row, with `back`.", **values)
        if step not in self.grid.neighbours(space):
            if word == "advance":
                return Sentence("{step} is not next to {space}. Ahead of it: {allowed}.", **values)
            if word == "back":
                return Sentence("{step} is not next to {space}. Behind it: {allowed}.", **values)
            return Sentence("{step} is not next to {space}. Beside it: {allowed}.", **values)
        return Sentence("`{word}` cannot go from {space} to {step}, only to: {allowed}.", **values)

    # Evade, Join, Shoot

    def _able(self, item: orders.Evade | orders.Join | orders.Shoot, code: str) -> None:
        if not self.is_own(code):
            return
        card = self.card(code)
        if ABLE[type(item)](card):
            return
        if isinstance(item, orders.Evade):
            sentence = Sentence("{name} cannot evade: only cavalry and flyers can.", name=card.name)
        elif isinstance(item, orders.Join):
            sentence = Sentence("{name} cannot fly: `Join` is for flyers.", name=card.name)
        else:
            sentence = Sentence(
                "{name} cannot shoot at flyers: only units with ranged strength that do not fly can.", name=card.name
            )
        self.fault(code, sentence)


class Positions:
    """The positions on the board that follow from a letter. In `units`, its deployments and groups have taken effect;
    in `moved`, its Transports as well, on the assumption that they succeed. `forces` are the side's forces in
    `moved`."""

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
        """Deploy the counters in the first turn; counters that the letter does not deploy go to the middle of their
        first row."""
        battle, spaces = self._battle, dict[str, str]()
        for item in self._items if battle.turn == 1 else ():
            if isinstance(item, orders.Deploy) and item.space in self._grid.spaces:
                spaces |= dict.fromkeys(item.units, item.space)
        for code, fighter in battle.units.items():
            if fighter.space is None or battle.turn == 1:
                start = fighter.space or self._grid.start(attacks=fighter.seat == battle.attacker)
                fixed = fighter.seat != self._seat or self._data.counters[code].intrinsic
                self.units[code] = replace(fighter, space=start if fixed else spaces.get(code, start))

    def _group(self) -> None:
        for item in self._items:
            if not isinstance(item, orders.Group) or item.leader not in self.units:
                continue
            for code, fighter in self.units.items():
                if fighter.group == item.leader:
                    self.units[code] = replace(fighter, group=None)
            for code in item.units:
                if code in self.units:
                    self.units[code] = replace(self.units[code], group=item.leader)

    def _transport(self) -> None:
        """Carry out the Transports: the only unit of a group takes its leader along; any other unit leaves its group
        (§5.6)."""
        for item in self._items:
            if not isinstance(item, orders.Cast) or item.space not in self._grid.spaces or item.on not in self.moved:
                continue
            fighter = self.moved[item.on]
            if fighter.seat != self._seat:
                continue
            members = [code for code, member in self.moved.items() if fighter.group and member.group == fighter.group]
            if fighter.group in self.moved and len(members) == 1:
                self.moved[fighter.group] = replace(self.moved[fighter.group], space=item.space)
                self.moved[item.on] = replace(fighter, space=item.space)
            else:
                self.moved[item.on] = replace(fighter, space=item.space, group=None)
