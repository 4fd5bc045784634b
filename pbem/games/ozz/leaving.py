"""The end of a battle turn: leaders alone, retreats, and whether the battle is over (ozz §5.33-5.37, §6, §9.4)."""

from pbem.games.base import Seat
from pbem.games.ozz.board import row_of
from pbem.games.ozz.field import Field, Man

_CENTRE_FIRST = "CLR"


def find_leaders_company(field: Field, seat: Seat) -> None:
    """Bring a side's leaders to their nearest units, unless they are killed among enemies (§5.34)."""
    for one in [one for one in field.men.values() if one.leader and one.seat == seat]:
        if field.holds(seat, one.space):
            continue
        if not field.switches.lone_leaders:
            field.eliminate(one)
            continue
        if field.holds(field.enemy(seat), one.space):
            needs = field.values["leader_killed"]
            if field.roll("leader", seat=field.enemy(seat), at=one.code, needs=needs) <= needs:
                field.eliminate(one)
                continue
        _join_units(field, one)


def _join_units(field: Field, leader: Man) -> None:
    first_row, source = field.grid.first_row(attacks=leader.attacks), leader.space
    spaces = {unit.space for unit in field.units(leader.seat)}

    def key(space: str) -> tuple[int, int, int]:
        distance = field.grid.distance(leader.space, space)
        return distance, abs(row_of(space) - first_row), _CENTRE_FIRST.index(space[-1])

    rows = field.values["lone_leader_rows"]
    row = row_of(leader.space) + (-rows if leader.attacks else rows)
    if not spaces and not 1 <= row <= field.grid.rows:
        leave_or_die(field, leader.seat, [leader])
        return
    field.move(leader, min(spaces, key=key) if spaces else f"{row}{leader.space[-1]}")
    about = {"seat": leader.seat, "unit": leader.code, "source": source, "to": leader.space}
    field.tell({"type": "falls back", **about})


def leave_or_die(field: Field, seat: Seat, gone: list[Man]) -> None:
    """Let some of a side leave the board as in a retreat, or be eliminated if there is no point to go to."""
    if not gone:
        return
    if field.find_exit(seat):
        field.leave(seat, gone)
        return
    for one in gone:
        field.eliminate(one)


def retreat(field: Field) -> None:
    """Both sides retreat at once that want to and can: all who can move before anybody has left (§5.35, §6.2)."""
    free = [one for one in field.men.values() if _can_retreat(field, one)]
    wanting = [seat for seat in field.sides if _retreats(field, seat)]
    for seat in wanting:
        gone = [one for one in free if one.seat == seat]
        if gone and field.find_exit(seat):
            field.leave(seat, gone)


def _retreats(field: Field, seat: Seat) -> bool:
    own = sum(not one.intrinsic for one in field.units(seat))
    return field.wishes[seat].retreats(own)


def _can_retreat(field: Field, one: Man) -> bool:
    return not one.intrinsic and not field.is_held(one.code)


def is_over(field: Field) -> bool:
    """Whether the battle is over; who has lost all units, or is out of time, has left then (§5.36, §9.4)."""
    last = field.before.turn >= field.values["battle_turns"]
    beaten = [seat for seat in field.sides if not field.units(seat)]
    if not beaten and not last:
        return False
    if not beaten and field.before.at is not None:
        _drive_back(field)
    for seat in beaten:
        leave_or_die(field, seat, [one for one in field.men.values() if one.seat == seat])
    return True


def _drive_back(field: Field) -> None:
    """The attacker must retreat, and who of his cannot is eliminated, Healing or not (§5.36)."""
    mine = [one for one in field.men.values() if one.seat == field.attacker]
    gone = [one for one in mine if _can_retreat(field, one)]
    if gone and field.find_exit(field.attacker):
        field.leave(field.attacker, gone)
        mine = [one for one in mine if one not in gone]
    for one in mine:
        field.eliminate(one)
