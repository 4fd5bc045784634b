"""Combat on the board: exchanges of dice, ranged and melee (ozz §5.20-5.32)."""

from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.ozz import bell
from pbem.games.ozz.board import COLUMNS, row_of
from pbem.games.ozz.data import BELL
from pbem.games.ozz.field import Field, Man
from pbem.games.ozz.table import in_losses_order


class Roller(NamedTuple):
    """Who rolls a die in an exchange: a unit, or the Bell; and at whom."""

    code: str
    strength: int
    targets: list[Man]
    """In the order in which they are aimed at."""
    high: int = 0
    """What is added to its die at a flyer (L109)."""


class Attack(NamedTuple):
    """A force's units, where they came or fire from, and the space that they attack."""

    seat: Seat
    units: list[Man]
    source: str
    space: str
    charge: bool = False


def shield(field: Field, target: Man) -> int:
    """What a unit's home terrain and walls add to every die at it (§5.21)."""
    home = target.card.home is not None and target.card.home == field.before.terrain and field.switches.home
    walls = field.before.walls if target.intrinsic and field.switches.walls else 0
    return walls + (int(field.values["home_terrain"]) if home else 0)


def may_fire(field: Field, unit: Man) -> bool:
    """Whether a unit may fire at all now, at whatever distance (§5.23, §5.24)."""
    return bool(unit.card.ranged) and not unit.spent and unit.code not in field.limbered


def may_attack(field: Field, unit: Man) -> bool:
    """Whether a unit rolls when its own side attacks (§5.5, §5.19)."""
    return not unit.spent and "confusion" not in field.effects(unit.code)


def can_shoot(field: Field, unit: Man, space: str) -> bool:
    """Whether a unit can fire at a space in an attack of its own side."""
    in_range = field.grid.distance(unit.space, space) <= unit.card.range
    return in_range and may_fire(field, unit) and may_attack(field, unit)


def fire(field: Field, attack: Attack) -> None:
    """A ranged attack and its answer (§5.23)."""
    enemy = field.enemy(attack.seat)
    there = field.units_at(enemy, attack.space)
    guard = _guard(field, attack, there)
    distance = field.grid.distance(attack.source, attack.space)
    mine = [one for one in attack.units if can_shoot(field, one, attack.space)]
    answer = [one for one in ([guard] if guard else there) if may_fire(field, one) and one.card.range >= distance]
    at_enemy, at_us = _aims(field, there, guard), _aims(field, attack.units, None)
    _tell(field, attack, "ranged")
    first = [_shot(field, one, at_enemy) for one in mine]
    second = [_shot(field, one, at_us) for one in answer]
    _exchange(field, attack, first, second, _reachable(field, attack))


def melee(field: Field, attack: Attack) -> None:
    """A melee in a space (§5.25): who withdraws is gone before it."""
    enemy = field.enemy(attack.seat)
    _withdraw(field, attack, enemy)
    there = field.units_at(enemy, attack.space)
    if not there:
        return
    guard = _guard(field, attack, there)
    our_flyers, their_flyers = _flyers(attack.units), _flyers(there)
    joined = any(may_attack(field, one) and one.card.melee for one in our_flyers)
    join = field.wishes[enemy].join
    in_it = [one for one in there if one not in their_flyers or joined or one.code in join or one is guard]
    second_units = [guard] if guard else in_it
    bonus = field.values["charge_bonus"] if attack.charge else 0
    at_enemy, at_flyers = _aims(field, in_it, guard), _aims(field, their_flyers, guard)
    at_us, at_our_flyers = _aims(field, attack.units, None), _aims(field, our_flyers, None)
    first = [
        _in_melee(field, one, at_enemy, at_flyers, bonus) for one in attack.units if may_attack(field, one)
    ] + _bell_blow(field, attack.seat, attack.units, at_enemy)
    second = [_in_melee(field, one, at_us, at_our_flyers) for one in second_units if not one.spent]
    second += [] if guard else _bell_blow(field, enemy, there, at_us)
    _tell(field, attack, "melee")
    _exchange(field, attack, first, second, None)
    bell.capture(field, attack.space)


def _tell(field: Field, attack: Attack, how: str) -> None:
    units = [one.code for one in attack.units]
    about = {"seat": attack.seat, "units": units, "source": attack.source, "space": attack.space}
    field.tell({"type": "attack", "how": how, "charge": attack.charge, **about})


def _aims(field: Field, units: list[Man], guard: Man | None) -> list[Man]:
    """Units in the order in which dice are aimed at them (§5.22): a flank guard, then as their owner loses them."""
    if not units:
        return []
    losses = field.wishes[units[0].seat].losses
    ordered = [field.men[card.code] for card in in_losses_order([one.card for one in units], losses)]
    return [guard, *(one for one in ordered if one is not guard)] if guard in units else ordered


def _flyers(units: list[Man]) -> list[Man]:
    return [one for one in units if one.card.kind == "flying"]


def _guard(field: Field, attack: Attack, there: list[Man]) -> Man | None:
    """The flank guard for the side from which an attack of the same row comes (§5.27)."""
    if row_of(attack.source) != row_of(attack.space) or attack.source == attack.space:
        return None
    side = "L" if COLUMNS.index(attack.source[-1]) < COLUMNS.index(attack.space[-1]) else "R"
    code = field.guards.get((field.enemy(attack.seat), attack.space), {}).get(side)
    return next((one for one in there if one.code == code), None)


def _reachable(field: Field, attack: Attack) -> Seat | None:
    """Whose Bell a ranged attack or its answer can silence (§5.31): it is in the space, or with the force."""
    held = field.bell
    if held is None or held.silent:
        return None
    if held.seat == attack.seat:
        return held.seat if held.carrier in {one.code for one in attack.units} else None
    return held.seat if held.space == attack.space else None


def _shot(field: Field, unit: Man, targets: list[Man]) -> Roller:
    high = 0 if unit.card.kind == "flying" else field.values["flyer_shot"]
    return Roller(unit.code, unit.card.ranged, targets, high)


def _in_melee(field: Field, unit: Man, targets: list[Man], flyers: list[Man], bonus: int = 0) -> Roller:
    """A unit's die in a melee: it strikes, or fires at enemy flyers instead (§5.26)."""
    if flyers and unit.card.kind != "flying" and may_fire(field, unit) and field.wishes[unit.seat].shoots(unit.card):
        return _shot(field, unit, flyers)
    return Roller(unit.code, unit.card.melee + bonus, targets if unit.card.melee else [])


def _bell_blow(field: Field, seat: Seat, units: list[Man], targets: list[Man]) -> list[Roller]:
    """The Bell's own die, while its carrier is in the melee (§5.32)."""
    carried = field.bell
    if carried is None or carried.seat != seat or carried.silent or seat not in field.values["bell_users"]:
        return []
    if not any(one.code == carried.carrier for one in units):
        return []
    return [Roller(BELL, field.data.counters[BELL].melee, targets)]


def _withdraw(field: Field, attack: Attack, enemy: Seat) -> None:
    """Cavalry and flyers that are told to go before the melee, if they can (§5.25)."""
    evade = field.wishes[enemy].evade
    if not evade:
        return
    kinds = {one.card.kind for one in field.units_at(attack.seat, attack.space)}
    for one in field.units_at(enemy, attack.space):
        kind = one.card.kind
        able = kind == "flying" or (kind == "cavalry" and field.switches.cavalry)
        if one.code not in evade or not able or kind in kinds or not field.speed(one):
            continue
        back = field.grid.behind(attack.space, attacks=one.attacks)
        to = next((space for space in back if not field.holds(attack.seat, space)), None)
        if to is not None:
            field.tell({"type": "evades", "seat": enemy, "unit": one.code, "source": attack.space, "to": to})
            field.move_alone(one, to)


def _exchange(field: Field, attack: Attack, first: list[Roller], second: list[Roller], bell_of: Seat | None) -> None:
    """All dice, then all losses (§11). `bell_of` is the side whose Bell fire can reach when all else there is hit."""
    enemy = field.enemy(attack.seat)
    hit: set[str] = set()
    for seat, rollers in ((attack.seat, first), (enemy, second)):
        for roller in rollers:
            _roll(field, seat, roller, hit, reaches_bell=bell_of == field.enemy(seat))
    for seat in (enemy, attack.seat):
        for one in [one for one in field.men.values() if one.seat == seat and one.code in hit]:
            field.hit(one)
    if BELL in hit:
        bell.silence(field)


def _roll(field: Field, seat: Seat, roller: Roller, hit: set[str], *, reaches_bell: bool) -> None:
    """A die at the first target that is not hit yet; none if there is nothing left to aim at (§5.22)."""
    target = next((one for one in roller.targets if one.code not in hit), None)
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
    """What Good and Poor Luck add to every die of a unit (§5.5)."""
    spells, size = field.effects(code), int(field.values["luck"])
    return size * (("poor luck" in spells) - ("good luck" in spells))
