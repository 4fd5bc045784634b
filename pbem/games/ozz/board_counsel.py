"""What a side of a battle has and can do on the board now: where each force can go, whom it can attack, an example."""

from collections.abc import Iterator, Sequence

from pbem.games.base import Say, Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz import wording
from pbem.games.ozz.board import CENTRE, COLUMNS, forces, grid_of
from pbem.games.ozz.exchange import can_shoot
from pbem.games.ozz.field import Field
from pbem.games.ozz.orders import OFF, Codes, Deploy, Group, Item, Order
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import Table

_FOLLOWERS = 2  # of the leader in an example


def holdings(state: State, battle: Battle, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    """A side's forces with what they can do, and the spells that can still be cast."""
    field = Field(Table(state, NO_CHANCE), battle, {})
    waiting = [one.code for one in field.men.values() if one.seat == seat and not one.space and not one.intrinsic]
    if waiting:
        spaces = " ".join(f"{_first_row(field, seat)}{column}" for column in COLUMNS)
        values = {"centre": _start(field, seat), "units": wording.listed(waiting)}
        yield spaces, say("to be deployed, in {centre} whoever is not named: {units}", **values)
    walls = [one.code for one in field.men.values() if one.seat == seat and not one.space and one.intrinsic]
    if walls:
        yield (
            _start(field, seat),
            say("in the walls, and may be ordered to stand and fire: {units}", units=wording.listed(walls)),
        )
    for leader, codes in forces(battle, state.data, seat).items():
        if battle.units[leader].space:
            yield _force(field, leader, codes, say)
    for code, one in battle.units.items():
        left = [spell for spell in state.spells.get(code, ()) if (code, spell) not in battle.cast]
        if one.seat == seat and left:
            yield code, say("can cast {spells}", spells=", ".join(wording.spell(spell, say) for spell in left))


def _start(field: Field, seat: Seat) -> str:
    return field.grid.start(attacks=seat == field.attacker)


def _first_row(field: Field, seat: Seat) -> int:
    return field.grid.first_row(attacks=seat == field.attacker)


def _force(field: Field, leader: str, codes: Codes, say: Say) -> tuple[str, str]:
    """Where a force can go, and what it can attack from where it stands."""
    man, attacks = field.men[leader], field.men[leader].attacks
    enemy = field.enemy(man.seat)
    units = [one for one in field.force(leader) if one.unit]
    speed = min((field.speed(one) for one in units), default=int(field.values["hero_alone_speed"]))
    beside = [space for space in field.grid.beside(man.space) if field.holds(enemy, space)] if units else []
    ahead = [*field.grid.ahead(man.space, attacks=attacks), *beside]
    back = [space for space in field.grid.steps(man.space, "back", attacks=attacks) if space != OFF]
    targets = [
        space
        for space in field.grid.spaces
        if field.holds(enemy, space) and space != man.space and any(can_shoot(field, one, space) for one in units)
    ]
    does = []
    if speed:
        does.append(say.many("moves {speed} space", "moves {speed} spaces", speed, speed=speed))
        does += [say("ahead {spaces}", spaces=" ".join(ahead))] if ahead else []
        does += [say("back {spaces}", spaces=" ".join(back))] if back else []
    else:
        does.append(say("cannot move"))
    if units and field.holds(enemy, man.space):
        does.append(say("is in melee if it attacks {space}", space=man.space))
    elif targets:
        does.append(say("from here can fire at {spaces}", spaces=" ".join(targets)))
    told = f"{leader}[{wording.listed(codes[1:])}]" if len(codes) > 1 else leader
    return f"{man.space} {told}", "; ".join(does)


def example(state: State, battle: Battle, seat: Seat) -> Iterator[Item]:
    """Orders of a side's own that would be legal and do something: before the first turn with a deployment and a group,
    into melee where enemies are near, and with a target for who can fire alone."""
    grid, cards, attacks = grid_of(state.data), state.data.counters, seat == battle.attacker
    own = forces(battle, state.data, seat)
    field = Field(Table(state, NO_CHANCE), battle, {})
    able = [code for code in own if not cards[code].intrinsic and not any(map(field.is_held, own[code]))]
    if not able:
        return
    first = next((code for code in able if len(own[code]) > 1 or not cards[code].leader), able[0])
    units: Sequence[str] = own[first]
    space = battle.units[first].space or grid.start(attacks=attacks)
    if battle.units[first].space is None:
        first = able[0]
        units = [code for code in able if not cards[code].leader]
        if cards[first].kind in ("ruler", "hero") and units:
            yield Group(first, tuple(units[:_FOLLOWERS]))
        if units[_FOLLOWERS:]:
            row = grid.first_row(attacks=attacks)
            yield Deploy(f"{row}{COLUMNS.replace(CENTRE, '')[0]}", (units[-1],))
    held = {one.space for one in battle.units.values() if one.seat != seat}
    if space in held:
        yield Order(first, "stand", (), (space,))
    elif ahead := grid.ahead(space, attacks=attacks):
        step = next((one for one in ahead if one in held), ahead[0])
        fires = any(cards[code].ranged and cards[code].kind != "artillery" for code in units)  # which moved
        beyond = grid.ahead(step, attacks=attacks)[:1] if fires else ()
        yield Order(first, "advance", (step,), (step,) if step in held else beyond)
