"""Actions of forces on the board: movement, melee and fire (§5.13-5.28); spells (§5.4-5.7); and the Bell, which is
rung, carried and captured (§5.29-5.33).
"""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.ozz.board import COLUMNS, Field, Man, row_of
from pbem.games.ozz.data import BELL, Card
from pbem.games.ozz.orders import OFF, Cast, Codes, Order, Word
from pbem.games.ozz.state import Marker
from pbem.games.ozz.table import can_carry, in_losses_order


class Roller(NamedTuple):
    """A unit or the Bell that rolls a die in an exchange, and its targets."""

    code: str
    strength: int
    targets: list[Man]
    """The targets, in the order of aim."""
    high: int = 0
    """The number added to the die roll against a flyer (L109)."""


class Attack(NamedTuple):
    """A force's units, the space that they come or fire from, and the space that they attack."""

    seat: Seat
    units: list[Man]
    source: str
    space: str
    charge: bool = False


def shield(field: Field, target: Man) -> int:
    """Return the number added to every die roll against `target` for its home terrain and for walls (§5.21)."""
    home = target.card.home is not None and target.card.home == field.before.terrain and field.switches.home
    walls = field.before.walls if target.intrinsic and field.switches.walls else 0
    return walls + (int(field.values["home_terrain"]) if home else 0)


def may_fire(field: Field, unit: Man) -> bool:
    """Return whether a unit may fire now, regardless of distance (§5.23, §5.24)."""
    return bool(unit.card.ranged) and not unit.spent and unit.code not in field.limbered


def may_attack(field: Field, unit: Man) -> bool:
    """Return whether a unit rolls a die when its own side attacks (§5.5, §5.19)."""
    return not unit.spent and "confusion" not in field.effects(unit.code)


def can_shoot(field: Field, unit: Man, space: str) -> bool:
    """Return whether a unit can fire at a space in an attack by its own side."""
    in_range = field.grid.distance(unit.space, space) <= unit.card.range
    return in_range and may_fire(field, unit) and may_attack(field, unit)


def fire(field: Field, attack: Attack) -> None:
    """Carry out a ranged attack and the answer to it (§5.23)."""
    enemy = field.enemy(attack.seat)
    there = field.units_at(enemy, attack.space)
    guard = _guard(field, attack, there)
    distance = field.grid.distance(attack.source, attack.space)
    mine = [unit for unit in attack.units if can_shoot(field, unit, attack.space)]
    answer = [unit for unit in ([guard] if guard else there) if may_fire(field, unit) and unit.card.range >= distance]
    at_enemy, at_us = _aims(field, there, guard), _aims(field, attack.units, None)
    _tell(field, attack, "ranged")
    first = [_shot(field, unit, at_enemy) for unit in mine]
    second = [_shot(field, unit, at_us) for unit in answer]
    _exchange(field, attack, first, second, _reachable(field, attack))


def melee(field: Field, attack: Attack) -> None:
    """Fight a melee in a space (§5.25); units that withdraw leave first."""
    enemy = field.enemy(attack.seat)
    _withdraw(field, attack, enemy)
    there = field.units_at(enemy, attack.space)
    if not there:
        return
    guard = _guard(field, attack, there)
    our_flyers, their_flyers = _flyers(attack.units), _flyers(there)
    joined = any(may_attack(field, flyer) and flyer.card.melee for flyer in our_flyers)
    join = field.wishes[enemy].join
    in_it = [unit for unit in there if unit not in their_flyers or joined or unit.code in join or unit is guard]
    second_units = [guard] if guard else in_it
    bonus = field.values["charge_bonus"] if attack.charge else 0
    at_enemy, at_flyers = _aims(field, in_it, guard), _aims(field, their_flyers, guard)
    at_us, at_our_flyers = _aims(field, attack.units, None), _aims(field, our_flyers, None)
    first = [
        _in_melee(field, unit, at_enemy, at_flyers, bonus) for unit in attack.units if may_attack(field, unit)
    ] + _bell_blow(field, attack.seat, attack.units, at_enemy)
    second = [_in_melee(field, unit, at_us, at_our_flyers) for unit in second_units if not unit.spent]
    second += [] if guard else _bell_blow(field, enemy, there, at_us)
    _tell(field, attack, "melee")
    _exchange(field, attack, first, second, None)
    capture(field, attack.space)


def _tell(field: Field, attack: Attack, how: str) -> None:
    units = [unit.code for unit in attack.units]
    about = {"seat": attack.seat, "units": units, "source": attack.source, "space": attack.space}
    field.tell({"type": "attack", "how": how, "charge": attack.charge, **about})


def _aims(field: Field, units: list[Man], guard: Man | None) -> list[Man]:
    """Sort `units` into the order in which dice are aimed at them (§5.22): the flank guard `guard` first if it is among
    them, then their owner's order of losses."""
    if not units:
        return []
    losses = field.wishes[units[0].seat].losses
    ordered = [field.men[card.code] for card in in_losses_order([unit.card for unit in units], losses)]
    return [guard, *(unit for unit in ordered if unit is not guard)] if guard in units else ordered


def _flyers(units: list[Man]) -> list[Man]:
    return [unit for unit in units if unit.card.kind == "flying"]


def _guard(field: Field, attack: Attack, defenders: list[Man]) -> Man | None:
    """Return the flank guard on the side from which an attack comes, or None (§5.27). Only an attack from another space
    in the same row meets a flank guard."""
    if row_of(attack.source) != row_of(attack.space) or attack.source == attack.space:
        return None
    side = "L" if COLUMNS.index(attack.source[-1]) < COLUMNS.index(attack.space[-1]) else "R"
    code = field.guards.get((field.enemy(attack.seat), attack.space), {}).get(side)
    return next((unit for unit in defenders if unit.code == code), None)


def _reachable(field: Field, attack: Attack) -> Seat | None:
    """Return the side whose Bell a ranged attack or its answer can silence (§5.31), because the Bell is in the attacked
    space or with the attacking force; None if the Bell cannot be silenced."""
    held = field.bell
    if held is None or held.silent:
        return None
    if held.seat == attack.seat:
        return held.seat if held.carrier in {unit.code for unit in attack.units} else None
    return held.seat if held.space == attack.space else None


def _shot(field: Field, unit: Man, targets: list[Man]) -> Roller:
    high = 0 if unit.card.kind == "flying" else field.values["flyer_shot"]
    return Roller(unit.code, unit.card.ranged, targets, high)


def _in_melee(field: Field, unit: Man, targets: list[Man], flyers: list[Man], bonus: int = 0) -> Roller:
    """Return the `Roller` for `unit` in a melee: the unit strikes at `targets`, or fires at the enemy's `flyers`
    instead (§5.26)."""
    if flyers and unit.card.kind != "flying" and may_fire(field, unit) and field.wishes[unit.seat].shoots(unit.card):
        return _shot(field, unit, flyers)
    return Roller(unit.code, unit.card.melee + bonus, targets if unit.card.melee else [])


def _bell_blow(field: Field, seat: Seat, units: list[Man], targets: list[Man]) -> list[Roller]:
    """Return a list with the `Roller` for the Bell if its carrier is among `units` in the melee and the Bell can
    strike, otherwise an empty list (§5.32)."""
    carried = field.bell
    if carried is None or carried.seat != seat or carried.silent or seat not in field.values["bell_users"]:
        return []
    if not any(unit.code == carried.carrier for unit in units):
        return []
    return [Roller(BELL, field.data.counters[BELL].melee, targets)]


def _withdraw(field: Field, attack: Attack, enemy: Seat) -> None:
    """Let cavalry and flyers that have orders to withdraw leave before the melee, if they can (§5.25)."""
    evade = field.wishes[enemy].evade
    if not evade:
        return
    kinds = {unit.card.kind for unit in field.units_at(attack.seat, attack.space)}
    for unit in field.units_at(enemy, attack.space):
        kind = unit.card.kind
        able = kind == "flying" or (kind == "cavalry" and field.switches.cavalry)
        if unit.code not in evade or not able or kind in kinds or not field.speed(unit):
            continue
        back = field.grid.behind(attack.space, attacks=unit.attacks)
        to = next((space for space in back if not field.holds(attack.seat, space)), None)
        if to is not None:
            field.tell({"type": "evades", "seat": enemy, "unit": unit.code, "source": attack.space, "to": to})
            field.move_alone(unit, to)


def _exchange(field: Field, attack: Attack, first: list[Roller], second: list[Roller], bell_of: Seat | None) -> None:
    """Roll all dice, then apply all losses (§11). `bell_of` is the side whose Bell can be hit when all other targets
    have been hit; None if the Bell cannot be hit."""
    enemy = field.enemy(attack.seat)
    hit: set[str] = set()
    for seat, rollers in ((attack.seat, first), (enemy, second)):
        for roller in rollers:
            _roll(field, seat, roller, hit, reaches_bell=bell_of == field.enemy(seat))
    for seat in (enemy, attack.seat):
        for unit in [man for man in field.men.values() if man.seat == seat and man.code in hit]:
            field.hit(unit)
    if BELL in hit:
        silence(field)


def _roll(field: Field, seat: Seat, roller: Roller, hit: set[str], *, reaches_bell: bool) -> None:
    """Roll a die against the first target that has not yet been hit; add that target to `hit` if the roll succeeds. Do
    nothing if there is nothing left to aim at (§5.22)."""
    target = next((unit for unit in roller.targets if unit.code not in hit), None)
    if target is None and (not reaches_bell or BELL in hit or not roller.targets):
        return
    code = target.code if target else BELL
    added = _luck(field, roller.code)
    if target:
        added += shield(field, target) + (roller.high if target.card.kind == "flying" else 0)
    needs = roller.strength - added
    value = field.roll("attack", seat=seat, by=roller.code, at=code, needs=needs)
    if value <= needs:
        hit.add(code)


def _luck(field: Field, code: str) -> int:
    """Return the effect of Good and Poor Luck on every die roll of a unit (§5.5)."""
    spells, size = field.effects(code), int(field.values["luck"])
    return size * (("poor luck" in spells) - ("good luck" in spells))


def skeletons(cards: Iterable[Card]) -> list[Card]:
    """Return the skeleton units among `cards`, which the Bell can raise, in the order of `cards`."""
    return [card for card in cards if card.code.startswith("SK")]


def take_up(field: Field) -> None:
    """Give the Bell to the unit that its owner's letter names as carrier. If the Bell still has no carrier, it goes to
    the first unit in its space that can carry it, with the owner's units first (§5.29)."""
    if field.bell is None:
        return
    named = field.men.get(field.wishes[field.bell.seat].carry or "")
    if named and named.seat == field.bell.seat and named.space == field.bell.space and can_carry(named.card):
        field.carry(named.code)
    if field.bell.carrier is None:
        first = _first_carrier(field, field.bell.seat) or _first_carrier(field, field.enemy(field.bell.seat))
        if first:
            _pass_to(field, first)


def _first_carrier(field: Field, seat: Seat) -> Man | None:
    assert field.bell is not None
    return next((unit for unit in field.units_at(seat, field.bell.space or "") if can_carry(unit.card)), None)


def _pass_to(field: Field, unit: Man) -> None:
    assert field.bell is not None
    if unit.seat != field.bell.seat:
        field.tell({"type": "captured", "seat": unit.seat, "by": unit.code})
    field.carry(unit.code)


def capture(field: Field, space: str) -> None:
    """Let the enemy take the Bell after a melee in `space` if the Bell is there and its own side no longer has units in
    that space (§5.31)."""
    bell = field.bell
    if bell and bell.space == space and not field.holds(bell.seat, space):
        first = _first_carrier(field, field.enemy(bell.seat))
        if first:
            _pass_to(field, first)


def silence(field: Field) -> None:
    """Silence the Bell for the rest of the battle, because fire has hit it (§5.31)."""
    assert field.bell is not None
    field.bell = replace(field.bell, silent=True)
    field.tell({"type": "silent", "seat": field.bell.seat})


def ring(field: Field, seat: Seat) -> None:
    """Let a side raise a skeleton unit in the Bell's space if it holds the Bell and its letter orders this (§5.30)."""
    bell, users = field.bell, field.values["bell_users"]
    if not (field.wishes[seat].rings and bell and bell.seat == seat and seat in users):
        return
    if bell.carrier is None or bell.silent or bell.space is None:
        return
    raised = sum(code in field.men for code in field.raised)
    limited = field.switches.bell_limit and raised >= field.values["bell_skeletons"]
    cards = () if limited else skeletons(field.data.counters.values())
    code = next((card.code for card in cards if card.code not in field.table.units), None)
    field.tell({"type": "skeleton", "seat": seat, "unit": code, "space": bell.space})
    if code is None:
        return
    field.add_unit(code, seat, bell.space)
    field.raised += [code] if code not in field.raised else []
    field.rung = True


_MOST = 2
"""The maximum number of steps in a way."""


class Course(NamedTuple):
    """A movement: the `space` where it ended, the number of `steps`, and the space before the last step."""

    space: str
    steps: int
    source: str


def execute(field: Field, members: list[Man], order: Order, word: Word, way: Codes) -> None:
    """Let the force `members` carry out its order; `word` and `way` take into account any change of order (§5.12). The
    whole force then counts as having acted."""
    seat = members[0].seat
    field.acted.update(member.code for member in members)
    units = _in_roster_order(field, [member for member in members if member.unit])
    if order.leave and len(units) == 1 and units[0].group and not field.speed(units[0]):
        field.leave_group(units[0])
        members, units = [member for member in members if member.leader], []
    codes = [member.code for member in members]
    held = [asdict(marker) for marker in field.holding(codes)] if word != "stand" else []
    field.tell({"type": "acts", "seat": seat, "units": codes, "word": word, **({"held": held} if held else {})})
    course = _course(field, members, word, way)
    if course is None:
        field.leave(seat, _in_roster_order(field, members))
        return
    if course.steps:
        _go(field, members, course)
    for unit in units:
        unit.spent = False
    if not units:
        return
    if course.steps and field.holds(field.enemy(seat), course.space):
        charges = order.charge and word == "advance" and course.steps == _MOST and field.switches.cavalry
        charges = charges and all(unit.card.kind == "cavalry" for unit in units)
        melee(field, Attack(seat, units, course.source, course.space, charges))
        for unit in units if charges else ():
            unit.spent = True
    else:
        _attack(field, Attack(seat, units, course.space, course.space), order.attack)


def _in_roster_order(field: Field, members: list[Man]) -> list[Man]:
    return sorted(members, key=lambda member: field.data.roster[member.code])


def _course(field: Field, members: list[Man], word: Word, way: Codes) -> Course | None:
    """Return the movement of the force `members`, which follows `way` as far as allowed; None if the force leaves the
    board. In that case, the destination of its side is determined as well."""
    first = members[0]
    units = [member for member in members if member.unit]
    speed = min((field.speed(unit) for unit in units), default=int(field.values["hero_alone_speed"]))
    at = source = first.space
    steps = 0
    while steps < min(speed, _MOST):
        step = way[steps] if len(way) > steps and _may(field, members, word, at, way[steps]) else None
        straight = step is None
        if straight and not steps and word != "stand":
            step = _straight(field, first, word, at)
            step = step if step and _may(field, members, word, at, step) else None
        if step is None:
            break
        if step == OFF:
            field.find_exit(first.seat)
            return None
        at, source, steps = step, at, steps + 1
        if straight or word == "stand" or (units and field.holds(field.enemy(first.seat), at)):
            break
    return Course(at, steps, source)


def _straight(field: Field, first: Man, word: Word, at: str) -> str | None:
    grid = field.grid
    row = grid.ahead(at, attacks=first.attacks) if word == "advance" else grid.behind(at, attacks=first.attacks)
    return row[0] if row else None


def _may(field: Field, members: list[Man], word: Word, at: str, step: str) -> bool:
    """Return whether the force `members` may take `step` from `at` now (§5.15, §5.16)."""
    first = members[0]
    if step not in field.grid.steps(at, word, attacks=first.attacks):
        return False
    if step == OFF:
        return not any(field.is_held(member.code) for member in members) and field.can_leave(first.seat)
    enemies = field.holds(field.enemy(first.seat), step)
    if enemies and not any(member.unit for member in members):
        return False
    if word == "stand":
        return not enemies or field.holds(first.seat, step)
    return word == "back" or enemies or step not in field.grid.beside(at)


def _go(field: Field, members: list[Man], course: Course) -> None:
    units = [member.code for member in members]
    field.tell(
        {"type": "goes", "seat": members[0].seat, "units": units, "source": members[0].space, "to": course.space}
    )
    for member in members:
        field.move(member, course.space)
        if member.card.kind == "artillery" and field.switches.limber:
            fleet = "fleet feet" in field.effects(member.code) and not field.is_held(member.code)
            if course.steps > 1 or not fleet:
                field.limbered.add(member.code)


def _attack(field: Field, attack: Attack, spaces: Codes) -> None:
    """Attack the first of `spaces` that the force is able to attack (§5.14)."""
    enemy = field.enemy(attack.seat)
    close = field.holds(enemy, attack.source)
    for space in spaces:
        if not field.holds(enemy, space):
            continue
        if space == attack.source:
            melee(field, attack)
            return
        if not close and any(can_shoot(field, unit, space) for unit in attack.units):
            fire(field, attack._replace(space=space))
            return


ONCE = ("fireball", "healing")
"""Spells that can be cast only once in a battle (L63)."""


def dissipate(field: Field) -> None:
    """Roll a die for every spell in effect, the oldest first, and remove those that dissipate (§5.4). Spells that can
    be cast only once are exempt under suboption 1, and may be cast again under suboption 2."""
    option, most = field.switches.dissipation, field.values["dissipates"]
    if not option:
        return
    lasting: list[Marker] = []
    for marker in field.markers:
        about = {"spell": marker.spell, "by": marker.by, "on": marker.on}
        exempt = option == 1 and marker.spell in ONCE
        if exempt or field.roll("dissipation", needs=most, **about) > most:
            lasting.append(marker)
        else:
            field.tell({"type": "dissipated", **about})
            if option == 2 and (marker.by, marker.spell) in field.cast:
                field.cast.remove((marker.by, marker.spell))
    field.set_markers(lasting)


def cast_all(field: Field, seat: Seat) -> None:
    """Carry out a side's casts in the order of its letter (§5.5)."""
    for cast in field.wishes[seat].casts:
        target = field.men.get(cast.on)
        if not _works(field, seat, cast, target):
            field.tell({"type": "fizzle", **_cast_event(seat, cast)})
            continue
        field.tell({"type": "cast", **_cast_event(seat, cast)})
        if cast.spell == "transport":
            assert target is not None
            assert cast.space is not None
            _transport(field, target, cast.space)
            continue
        markers = [marker for marker in field.markers if (marker.by, marker.spell) != (cast.caster, cast.spell)]
        on = None if cast.spell == "fireball" else cast.on
        field.set_markers((*markers, Marker(cast.spell, cast.caster, on)))
        if cast.spell in ONCE:
            field.cast.append((cast.caster, cast.spell))
        if cast.spell == "fireball":
            assert target is not None
            _burn(field, cast, target)


def _cast_event(seat: Seat, cast: Cast) -> dict[str, str | None]:
    return {"seat": seat, "by": cast.caster, "spell": cast.spell, "on": cast.on, "space": cast.space}


def _works(field: Field, seat: Seat, cast: Cast, target: Man | None) -> bool:
    """Return whether a cast takes effect (§5.7): the caster and the target must still be there, and Transport must not
    lead into a space with enemy units."""
    if cast.caster not in field.men:
        return False
    if target is None:
        return cast.on == BELL and field.bell is not None
    return cast.space is None or not field.holds(field.enemy(seat), cast.space)


def _transport(field: Field, unit: Man, to: str) -> None:
    """Bring a unit to a space, together with its leader if it is the leader's only unit (§5.6)."""
    if unit.group and len(field.group(unit.group)) == 1:
        field.move(field.men[unit.group], to)
        field.move(unit, to)
    else:
        field.move_alone(unit, to)


def _burn(field: Field, cast: Cast, target: Man) -> None:
    needs = field.values["fireball_strength"] - shield(field, target)
    value = field.roll("fireball", seat=field.enemy(target.seat), by=cast.caster, at=target.code, needs=needs)
    if value <= needs:
        field.hit(target)
