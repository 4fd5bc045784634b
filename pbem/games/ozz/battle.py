"""A battle on the board: how it begins, and one turn of it (ozz §5; the order of all that asks for chance: §11)."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.ozz import bell, leaving, spells
from pbem.games.ozz.activations import Activations
from pbem.games.ozz.aftermath import decide, settle
from pbem.games.ozz.fast import FastBattle
from pbem.games.ozz.field import Field
from pbem.games.ozz.map_wishes import MapWishes
from pbem.games.ozz.orders import Losses, Orders, Retreat, RetreatTo
from pbem.games.ozz.state import Battle, BoardBell, Fighter, MapBell
from pbem.games.ozz.table import Table


def begin(table: Table, at: str, origin: str, sides: tuple[Seat, Seat], fast: tuple[Seat, ...] = ()) -> None:
    """Let a battle of an attacker and a defender begin in a point (§5.1): everybody there takes part, and its intrinsic
    units. `fast`: who would have it fought fast.
    """
    attacker, defender = sides
    point, walls = table.points[at], table.intrinsic(at)
    units = {code: Fighter(table.units[code].seat) for code in table.at(at)}
    units |= {code: Fighter(defender) for code in walls}
    help_of_walls = table.values["walls"].get(point.kind, 0) if walls and table.switches.walls else 0
    found = table.bell if table.bell and table.bell.carrier in units else None
    if found:
        table.bell = None
    table.battle = Battle(
        at=at,
        origin=origin,
        terrain=point.terrain,
        walls=help_of_walls,
        fort=bool(walls),
        turn=1,
        attacker=attacker,
        defender=defender,
        units=units,
        spells=(),
        cast=(),
        raised=(),
        exit={},
        left={attacker: (), defender: ()},
        bell=BoardBell(found.seat, None, found.carrier) if found else None,
        fast=fast,
    )
    offer = {"fast": [*fast]} if fast else {}
    table.tell({"type": "battle", "at": at, "attacker": attacker, "defender": defender, **offer})


def play_turn(table: Table, letters: Mapping[Seat, Orders | None]) -> bool:
    """Play a turn of the table's battle; True when the battle is over.

    `letters` are those of both sides, None or absent for one that was missed; they are legal.
    """
    battle = table.battle
    assert battle is not None
    field = Field(table, battle, letters)
    if battle.turn == 1 and all(field.wishes[seat].fast or seat in battle.fast for seat in field.sides):
        _fight_fast(table, battle, letters)
        return True
    if battle.turn == 1:
        _deploy(field)
    for seat in field.sides:
        _form_up(field, seat)
    bell.take_up(field)
    spells.dissipate(field)
    for seat in field.sides:
        spells.cast_all(field, seat)
    for seat in field.sides:
        bell.ring(field, seat)
    Activations(field).run(_first(field))
    for seat in field.sides:
        leaving.find_leaders_company(field, seat)
    leaving.retreat(field)
    return _end(field)


def _fight_fast(table: Table, battle: Battle, letters: Mapping[Seat, Orders | None]) -> None:
    """Fight it as both sides have agreed (§3.9), by what their letters say of retreat and losses."""
    assert battle.at is not None
    table.battle = None
    if battle.bell:
        table.bell = MapBell(battle.bell.seat, battle.at, battle.bell.carrier)
    sides = battle.attacker, battle.defender
    wishes = {seat: MapWishes(_of_retreat(table, seat, letters.get(seat))) for seat in sides}
    FastBattle(table, wishes, battle.at, battle.origin, sides).fight()
    table.take()


def _of_retreat(table: Table, seat: Seat, letter: Orders | None) -> Orders | None:
    """Which of a side's letters says when it retreats, and whom it gives up: where that of the battle does not, that of
    the campaign turn."""
    if letter and any(isinstance(item, Retreat | RetreatTo | Losses) for item in letter.items):
        return letter
    return table.queue.letters.get(seat) if table.queue else None


def _deploy(field: Field) -> None:
    """Everybody takes a place in the first row, whoever is not named in its middle (§5.1)."""
    for one in field.men.values():
        start = field.grid.start(attacks=one.attacks)
        one.space = start if one.intrinsic else field.wishes[one.seat].deploy.get(one.code, start)
    if field.bell and field.bell.carrier:
        field.bell = replace(field.bell, space=field.men[field.bell.carrier].space)


def _form_up(field: Field, seat: Seat) -> None:
    """Make a side's groups anew, and set its flank guards (§5.2, §5.3)."""
    for order in field.wishes[seat].groups:
        for one in field.group(order.leader):
            one.group = None
        for code in order.units:
            field.men[code].group = order.leader
    for guard in field.wishes[seat].guards if field.switches.guards else ():
        posted = {"L": guard.left, "R": guard.right}
        field.guards[seat, guard.space] = {side: code for side, code in posted.items() if code}


def _first(field: Field) -> Seat:
    """Who moves first: both roll and add their Rulers and Heroes, the higher one decides (§5.9)."""
    while True:
        results: dict[Seat, int] = {}
        for seat in field.sides:
            heroes = sum(one.seat == seat and one.card.kind in ("ruler", "hero") for one in field.men.values())
            results[seat] = field.roll("initiative", seat=seat, added=heroes) + heroes
        if len(set(results.values())) > 1:
            break
    winner = max(results, key=results.__getitem__)
    first = winner if field.wishes[winner].first or not field.switches.initiative else field.enemy(winner)
    field.tell({"type": "first", "seat": first, "winner": winner})
    return first


def _end(field: Field) -> bool:
    """See whether the battle is over; else its next turn begins (§5.36)."""
    table, battle = field.table, field.before
    if not leaving.is_over(field):
        table.battle = replace(field.battle(battle.turn + 1), fast=())
        if battle.at is None:
            table.turn = battle.turn + 1
        return False
    if battle.at is None:
        table.battle, table.phase = field.battle(battle.turn), "over"
        table.result = decide(field, table.battle)
        table.tell({"type": "over", "winner": table.result.winner, "reason": table.result.reason})
    else:
        settle(field)
    return True
