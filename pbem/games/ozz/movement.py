"""A force executes its order: it moves, then fights or fires (ozz §5.13-5.19, "execute" in §11)."""

from typing import NamedTuple

from pbem.games.ozz import exchange
from pbem.games.ozz.exchange import Attack
from pbem.games.ozz.field import Field, Man
from pbem.games.ozz.orders import OFF, Codes, Order, Word

_MOST = 2
"""Steps of a way."""


class Course(NamedTuple):
    """Where a movement has led, how many spaces, and the space before the last."""

    at: str
    steps: int
    source: str


def execute(field: Field, members: list[Man], order: Order, word: Word, way: Codes) -> None:
    """Let a force do what it is ordered to: `word` and `way` may have changed (§5.12); all of it has acted."""
    seat = members[0].seat
    field.acted.update(one.code for one in members)
    units = _in_roster_order(field, [one for one in members if one.unit])
    if order.leave and len(units) == 1 and units[0].group and not field.speed(units[0]):
        field.leave_group(units[0])
        members, units = [one for one in members if one.leader], []
    field.tell({"type": "acts", "seat": seat, "units": [one.code for one in members], "word": word})
    course = _course(field, members, word, way)
    if course is None:
        field.leave(seat, _in_roster_order(field, members))
        return
    if course.steps:
        _go(field, members, course)
    for one in units:
        one.spent = False
    if not units:
        return
    if course.steps and field.holds(field.enemy(seat), course.at):
        charges = order.charge and word == "advance" and course.steps == _MOST and field.switches.cavalry
        charges = charges and all(one.card.kind == "cavalry" for one in units)
        exchange.melee(field, Attack(seat, units, course.source, course.at, charges))
        for one in units if charges else ():
            one.spent = True
    else:
        _attack(field, Attack(seat, units, course.at, course.at), order.attack)


def _in_roster_order(field: Field, members: list[Man]) -> list[Man]:
    return sorted(members, key=lambda one: field.data.roster[one.code])


def _course(field: Field, members: list[Man], word: Word, way: Codes) -> Course | None:
    """Follow a way as far as it is allowed; None if it leads off the board, by which the force leaves."""
    first = members[0]
    units = [one for one in members if one.unit]
    speed = min((field.speed(one) for one in units), default=int(field.values["hero_alone_speed"]))
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
    """Whether a step is allowed now (§5.15, §5.16)."""
    first = members[0]
    if step not in field.grid.steps(at, word, attacks=first.attacks):
        return False
    if step == OFF:
        return not any(field.is_held(one.code) for one in members) and field.can_leave(first.seat)
    enemies = field.holds(field.enemy(first.seat), step)
    if enemies and not any(one.unit for one in members):
        return False
    if word == "stand":
        return not enemies or field.holds(first.seat, step)
    return word == "back" or enemies or step not in field.grid.beside(at)


def _go(field: Field, members: list[Man], course: Course) -> None:
    units = [one.code for one in members]
    field.tell({"type": "goes", "seat": members[0].seat, "units": units, "source": members[0].space, "to": course.at})
    for one in members:
        field.move(one, course.at)
        if one.card.kind == "artillery" and field.switches.limber:
            fleet = "fleet feet" in field.effects(one.code) and not field.is_held(one.code)
            if course.steps > 1 or not fleet:
                field.limbered.add(one.code)


def _attack(field: Field, attack: Attack, spaces: Codes) -> None:
    """Attack the first of these spaces that the force can (§5.14)."""
    enemy = field.enemy(attack.seat)
    close = field.holds(enemy, attack.source)
    for space in spaces:
        if not field.holds(enemy, space):
            continue
        if space == attack.source:
            exchange.melee(field, attack)
            return
        if not close and any(exchange.can_shoot(field, one, space) for one in attack.units):
            exchange.fire(field, attack._replace(space=space))
            return
