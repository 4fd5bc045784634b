"""The part of a receipt that follows the orders: where the orders lead, to the extent that this can be foreseen; where
stacks may have to fight; what will have no effect; and the defaults for everything left open, with the lines that
change them (ozz §12, §16).
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace

from pbem import ENGLISH, Say
from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz import drawing, hints, orders, wording
from pbem.games.ozz.board import Field, forces, grid_of
from pbem.games.ozz.board_legality import Positions
from pbem.games.ozz.data import Card
from pbem.games.ozz.legality import ABLE
from pbem.games.ozz.orders import OFF, Item, Orders, Wishes
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import Table, recruiters


def cautions(state: State, seat: Seat, orders: Orders, say: Say = ENGLISH) -> tuple[str, ...]:
    """Return lines of text with the cautions about an accepted letter, `orders`, and the defaults for what it leaves
    open."""
    defaults = _Defaults(state, seat, orders, say)
    return tuple(defaults.of_a_battle(state.battle) if state.battle else defaults.of_a_campaign())


_EXPLAINED = 2  # the number of turns of a campaign whose receipts explain each default


class _Defaults:
    """A letter, and everything that it leaves open."""

    def __init__(self, state: State, seat: Seat, orders: Orders, say: Say) -> None:
        self.state, self.data, self.seat, self.orders, self.say = state, state.data, seat, orders, say
        self.wishes = Wishes(orders)
        self.own = state.data.own(state.units, seat)

    def _has(self, *kinds: type[Item]) -> bool:
        return any(isinstance(item, kinds) for item in self.orders.items)

    def _cards(self, codes: Iterable[str]) -> list[Card]:
        return [self.data.counters[code] for code in codes]

    # On the map

    def of_a_campaign(self) -> Iterator[str]:
        for move in self.wishes.moves:
            yield from self._on_the_way(move)
        yield from self._still()
        if self.state.turn <= _EXPLAINED:
            yield from self._recruiting()
            yield from self._centers()
        fallen = [card for card in self._cards(self.state.fallen) if card.nation == self.seat]
        if fallen and not self._has(orders.Return):
            yield self.say(
                "Return of {ruler}: to the Castle, else the first fort or town (default). To change: `Return {point}`.",
                ruler=fallen[0].name,
                point=self._own_points()[0],
            )
        if self.state.turn <= _EXPLAINED:
            yield from self._of_both(self.own, self._own_points())
        else:
            yield self.say(
                "By default, Heroes recruit from the pool, nobody retreats, there are no honours of war"
                " and no batteries in walls, and the weakest units are lost first."
            )

    def _own_points(self) -> list[str]:
        return [code for code, point in self.data.points.items() if point.nation == self.seat]

    def _on_the_way(self, item: orders.Move | orders.Fly) -> Iterator[str]:
        """Yield a line that says where a stack will stop or fight if nothing changes, or where enemies may arrive
        before the stack."""
        say, units = self.say, wording.listed(item.units)
        going = self._cards((*item.units, *getattr(item, "take", ())))
        table = Table(self.state, NO_CHANCE)
        for point in item.way[1:] if all(card.leader for card in going) else ():
            if table.is_enemy_to(self.seat, point):
                where = wording.point(self.data, point)
                yield say(
                    "{units} will stop before {point}: leaders alone do not go where enemies are.",
                    units=units,
                    point=where,
                )
                return
        for point in item.way[1:]:
            if enemies := self._enemies(point):
                where = wording.point(self.data, point)
                yield say(
                    "{units} will fight at {point} if nothing changes there: {enemies}.",
                    units=units,
                    point=where,
                    enemies=enemies,
                )
                return
        threatened = hints.threatened(self.state, self.seat)
        threats = [point for point in item.way[1:] if point in threatened]
        if threats:
            yield say("{units} may meet enemies who move first, at {points}.", units=units, points=", ".join(threats))

    def _enemies(self, point: str) -> str:
        """Return a description of the enemy units and walls on a point, or "" if there are none."""
        held = drawing.held(self.state, point)
        table, place = Table(self.state, NO_CHANCE), self.data.points[point]
        walls = table.strength(point) if place.nation != self.seat else 0
        units = held is not None and held[0] != self.seat and not all(card.leader for card in self._cards(held[1]))
        if not units and not walls:
            return ""
        nation = held[0] if held and units else place.nation
        parts = [drawing.counted(self.data, held[1])] if held and units else []
        parts += [self.say("walls {strength}", strength=walls)] if walls else []
        return f"{wording.nation(nation, self.say)}, {', '.join(parts)}"

    def _moved(self) -> set[str]:
        """Return the counters that move, including those that a stack picks up on its way."""
        return {code for move in self.wishes.moves for code in (*move.units, *getattr(move, "take", ()))}

    def _still(self) -> Iterator[str]:
        """Yield a line that lists the seat's counters that stay where they are, if there are any."""
        moved = self._moved()
        staying = [code for code in self.own if code not in moved]
        if staying:
            yield self.say("Staying where they are: {units}.", units=wording.listed(staying))

    def _recruiting(self) -> Iterator[str]:
        """Yield a line that lists the Heroes who recruit by default where they are, if there are any."""
        busy = {*self.wishes.recruits, *self._moved()}
        able = [code for code in recruiters(self.state, self.seat) if code not in busy]
        if able:
            yield self.say(
                "Recruiting: {heroes}, from the pool (default). To change: `Recruit {example}: special`, `Recruit"
                " {example}: none`.",
                heroes=wording.listed(able),
                example=able[0],
            )

    def _centers(self) -> Iterator[str]:
        """Yield lines about honours of war and batteries for the places where there may be a siege."""
        table, switches, say = Table(self.state, NO_CHANCE), self.state.options.switches, self.say
        ends = [point for move in self.wishes.moves for point in move.way[1:]]
        sieges = [point for point in ends if table.strength(point) and self.data.points[point].nation != self.seat]
        threatened = hints.threatened(self.state, self.seat)
        mine = [point for point in self._own_points() if table.strength(point) and point in threatened]
        if switches.honors and sieges and not self.wishes.offers:
            yield say("Honours of war: none offered (default). To change: `Honors offer {point}`.", point=sieges[0])
        if switches.honors and mine and not self.wishes.accepts:
            yield say("Honours of war: none accepted (default). To change: `Honors accept {point}`.", point=mine[0])
        if switches.garrison and mine and not self._has(orders.Garrison):
            yield say("Batteries in your walls: none (default). To change: `Garrison {point}: 1`.", point=mine[0])

    # On the map or on the board

    def _of_both(self, codes: Iterable[str], points: list[str]) -> Iterator[str]:
        say, units = self.say, [card.code for card in self._cards(codes) if not card.leader and not card.intrinsic]
        if not any(isinstance(item, orders.Retreat) and item.at is None for item in self.orders.items):
            yield say("Retreat: never (default). To change: `Retreat below 3`, `Retreat always`.")
        elif not self._has(orders.RetreatTo) and points:
            yield say(
                "Retreat among equally good points: in the order of the map (default). To change: `Retreat"
                " to {points}`.",
                points=" ".join(reversed(points[-2:])),
            )
        if not self._has(orders.Losses) and units:
            yield say(
                "Losses: weakest first, the Bell last (default). To change: `Losses {units}`.",
                units=wording.listed(units[:2]),
            )

    # On the board

    def of_a_battle(self, battle: Battle) -> Iterator[str]:
        field = Field(Table(self.state, NO_CHANCE), self._foreseen(), {})
        for force, order in self.wishes.orders.items():
            if force in field.men:
                yield from self._held(field, force, order)
                yield from self._alone(field, force, order)
                yield from self._finds_nobody(field, force, order)
        yield from self._out_of_reach()
        yield from self._undeployed(battle)
        yield from self._without_order()
        if battle.turn > 1:
            yield self.say("By default, nobody retreats, no spell is cast, and the weakest units are lost first.")
            return
        yield from self._magic(battle)
        yield from self._in_melee(battle)
        if self.state.options.switches.initiative and not self._has(orders.Initiative):
            yield self.say("You move first if you may choose (default). To change: `Initiative second`.")
        yield from self._of_both(self.data.own(battle.units, self.seat), self._own_points() if battle.at else [])

    def _foreseen(self) -> Battle:
        """Return the battle after this letter's deployment and groups."""
        battle = foresee(self.state, self.seat, self.orders).battle
        assert battle
        return battle

    def _held(self, field: Field, force: str, order: orders.Order) -> Iterator[str]:
        """Yield lines that say how far a force gets this turn if it cannot complete its way, and which spells currently
        keep it from moving or attacking."""
        say, units = self.say, [member.code for member in field.force(force) if member.unit]
        if order.attack and units and all("confusion" in field.effects(code) for code in units):
            yield say("{force} cannot attack as things stand: {spells}.", force=force, spells=self._on(field, units))
        quick = any(cast.spell == "fleet feet" for cast in self.wishes.casts)
        speed = min((field.speed(field.men[code]) for code in units), default=None)
        if quick or order.word == "stand" or speed is None:
            return
        held = [code for code in units if field.is_held(code)]
        if not speed and held:
            yield say("{force} cannot move as things stand: {spells}.", force=force, spells=self._on(field, held))
        elif not speed:
            yield say("{force} cannot move as things stand.", force=force)
        elif speed < len([space for space in order.way if space != OFF]):
            yield say("{force} gets only as far as {space} this turn.", force=force, space=order.way[speed - 1])

    def _on(self, field: Field, units: list[str]) -> str:
        """Return the names of the spells that hold any of `units`."""
        return ", ".join(wording.marker(asdict(marker), self.say) for marker in field.holding(units))

    def _alone(self, field: Field, force: str, order: orders.Order) -> Iterator[str]:
        """Yield a line that says what happens to a leader who has an order but no units (§5.16, §5.34)."""
        man, enemy = field.men[force], field.enemy(self.seat)
        if any(member.unit for member in field.force(force)):
            return
        ahead = field.grid.ahead(man.space, attacks=man.attacks)[:1] if order.word == "advance" else ()
        way = [space for space in order.way or ahead if space != OFF]
        if blocked := [space for space in way if field.holds(enemy, space)]:
            values = {"force": force, "space": blocked[0]}
            yield self.say(
                "{force} is alone, and cannot go to {space}: leaders alone do not go among enemies.", **values
            )
            return
        ways = [other.way for code, other in self.wishes.orders.items() if code != force]
        at = way[-1] if way else man.space
        if OFF in order.way or field.holds(self.seat, at) or any(at in other for other in ways):
            return
        if self.state.options.switches.lone_leaders:
            yield self.say(
                "{force} is alone in {space}, and returns to your nearest units unless some come there this turn.",
                force=force,
                space=at,
            )
        else:
            yield self.say(
                "{force} is alone in {space}, and is killed unless units of yours come there this turn.",
                force=force,
                space=at,
            )

    def _finds_nobody(self, field: Field, force: str, order: orders.Order) -> Iterator[str]:
        """Yield a line if no enemies are currently in the spaces that a force is to attack, and another line if the
        force is artillery that will not fire because it moves (§5.24)."""
        say, enemy = self.say, field.enemy(self.seat)
        known = field.before.turn > 1  # in the first turn, the enemy's deployment is not known yet
        if order.attack and known and not any(field.holds(enemy, space) for space in order.attack):
            yield say(
                "Nobody is in {spaces} now: {force} attacks only if enemies come there before it acts.",
                force=force,
                spaces=", ".join(order.attack),
            )
        units = [member.card for member in field.force(force) if member.unit]
        moves = order.word != "stand" or order.way
        guns = bool(units) and all(card.kind == "artillery" for card in units)
        if guns and moves and order.attack and self.state.options.switches.limber and not self._speeds(units):
            yield say("{force} moves, and artillery does not fire in a turn in which it moves.", force=force)

    def _speeds(self, units: list[Card]) -> bool:
        """Return whether a spell in the letter may let artillery move and fire in the same turn."""
        codes = {card.code for card in units}
        return any(cast.spell in ("fleet feet", "transport") and cast.on in codes for cast in self.wishes.casts)

    def _out_of_reach(self) -> Iterator[str]:
        """Yield a line for each force that, at the end of its way, cannot reach any of the spaces that it is to
        attack."""
        battle = self._foreseen()
        attacks, grid = self.seat == battle.attacker, grid_of(self.data)
        members = forces(battle, self.data, self.seat)
        for force, order in self.wishes.orders.items():
            if not order.attack or force not in members:
                continue
            start = battle.units[force].space or grid.start(attacks=attacks)
            ahead = grid.ahead(start, attacks=attacks) if order.word == "advance" and not order.way else ()
            at = (order.way or ahead[:1] or (start,))[-1]
            reach = max(card.range * bool(card.ranged) for card in self._cards(members[force]))
            if at != OFF and not any(space == at or grid.distance(at, space) <= reach for space in order.attack):
                values = {"force": force, "spaces": ", ".join(order.attack), "space": at}
                yield self.say(
                    "{force} has no unit that reaches {spaces} from {space}, so it will not attack there.", **values
                )

    def _undeployed(self, battle: Battle) -> Iterator[str]:
        waiting = [code for code in self.data.own(battle.units, self.seat) if battle.units[code].space is None]
        rest = [code for code in waiting if code not in self.wishes.deploy]
        able = [card.code for card in self._cards(rest) if not card.intrinsic]
        if able:
            space = grid_of(self.data).start(attacks=self.seat == battle.attacker)
            yield self.say(
                "In {space}, the middle of your first row: {units} (default). To change: `Deploy {row}L: {example}`.",
                space=space,
                units=wording.listed(able),
                row=space[:-1],
                example=able[-1],
            )

    def _without_order(self) -> Iterator[str]:
        """Yield a line that lists the forces without an order in the letter, if there are any; groups that the letter
        forms count as forces."""
        idle = [code for code in forces(self._foreseen(), self.data, self.seat) if code not in self.wishes.orders]
        able = [card.code for card in self._cards(idle) if not card.intrinsic]
        if idle:
            example = f"Order {able[0]}: advance" if able else f"Order {idle[0]}: stand, attack 3C"
            yield self.say(
                "They stand, and attack nobody: {forces} (default). To change: `{example}`.",
                forces=wording.listed(idle),
                example=wording.written(example, self.say.language),
            )

    def _magic(self, battle: Battle) -> Iterator[str]:
        """Yield lines about leaders who cast nothing, about the Bell, and about raised skeletons."""
        say, bell = self.say, battle.bell
        free = [
            (code, spell)
            for code, fighter in battle.units.items()
            if fighter.seat == self.seat
            for spell in self.state.spells.get(code, ())
            if (code, spell) not in battle.cast
        ]
        casters = dict.fromkeys(code for code, _ in free)
        cast = {item.caster for item in self.wishes.casts}
        if idle := [code for code in casters if code not in cast]:
            example = next(f"Cast {code}: {spell} on …" for code, spell in free if code in idle)
            yield say(
                "No spell is cast by {casters} (default); those in effect stay. To change: `{example}`.",
                casters=wording.listed(idle),
                example=wording.written(example, say.language),
            )
        users = self.data.values["bell_users"]
        if bell and bell.seat == self.seat and self.seat in users and not bell.silent and not self._has(orders.Ring):
            yield say("The Bell is quiet (default). To change: `Ring`.")
        if bell and bell.seat == self.seat and not self._has(orders.Carry):
            yield say("The Bell stays with its carrier (default). To change: `Carry …`.")
        if self._ours_rose(battle) and not self._has(orders.Keep):
            yield say(
                "After the battle other mercenaries stay, raised skeletons go (default). To change: `Keep skeletons`."
            )

    def _ours_rose(self, battle: Battle) -> bool:
        """Return whether the seat has a choice between raised skeletons and other mercenaries."""
        rose = any(code in battle.units and battle.units[code].seat == self.seat for code in battle.raised)
        return rose and any(
            card.mercenary not in (None, "skeletons") and not card.leader for card in self._cards(self.own)
        )

    def _in_melee(self, battle: Battle) -> Iterator[str]:
        """Yield lines about flank guards, and about the reactions of cavalry and flyers to attacks."""
        say = self.say
        cards = self._cards(self.data.own(battle.units, self.seat))
        others = self._cards(code for code, fighter in battle.units.items() if fighter.seat != self.seat)
        quick, flyers, shots = (
            [card.code for card in cards if ABLE[kind](card)] for kind in (orders.Evade, orders.Join, orders.Shoot)
        )
        if quick and not self._has(orders.Evade):
            yield say("Nobody withdraws from melee (default). To change: `Evade {units}`.", units=wording.listed(quick))
        if flyers and not self._has(orders.Join):
            yield say(
                "Flyers stay out of melee when attacked (default). To change: `Join {units}`.",
                units=wording.listed(flyers),
            )
        if shots and any(card.kind == "flying" for card in others) and not self._has(orders.Shoot):
            yield say(
                "Units that are stronger at range shoot at flyers in melee (default). To change: `Shoot"
                " {unit}`, `Shoot none`.",
                unit=shots[0],
            )
        if self.state.options.switches.guards and not self._has(orders.Guard):
            yield say("No flank guards (default). To change: `Guard 2C: left …, right …`.")


def foresee(state: State, seat: Seat, orders: Orders) -> State:
    """Return the position after a seat's own moves if no enemy moves. A stack that would have to fight is left on the
    point before the one where it would fight. During a battle, return the position after the seat's deployment and
    groups."""
    if state.battle:
        placed = Positions(state.data, state.battle, seat, orders.items).units
        units = {code: placed[code] if unit.seat == seat else unit for code, unit in state.battle.units.items()}
        return replace(state, battle=replace(state.battle, units=units))
    table = Table(state, NO_CHANCE)
    for move in Wishes(orders).moves:
        _move(table, seat, move)
    return table.state()


def _move(table: Table, seat: Seat, item: orders.Move | orders.Fly) -> None:
    members = [code for code in item.units if code in table.units and table.units[code].at == item.way[0]]
    for number, point in enumerate(item.way[1:], start=1):
        if table.is_enemy_to(seat, point):
            break
        for code in members:
            table.units[code] = replace(table.units[code], at=point, done=True)
        if table.bell and table.bell.carrier in members:
            table.bell = replace(table.bell, at=point)
        if isinstance(item, orders.Move) and number < len(item.way) - 1:
            members = [code for code in members if number > 1 or code not in item.drop]
            members += [code for code in item.take if code in table.units and table.units[code].at == point]
    table.take()
