"""Spells on the board: how they end by themselves, and casting (ozz §5.4-5.7)."""

from pbem.games.base import Seat
from pbem.games.ozz.data import BELL
from pbem.games.ozz.exchange import shield
from pbem.games.ozz.field import Field, Man
from pbem.games.ozz.orders import Cast
from pbem.games.ozz.state import Marker

ONCE = ("fireball", "healing")
"""Spells of one cast a battle (L63)."""


def dissipate(field: Field) -> None:
    """Roll for every marker, the oldest first (§5.4): what was cast once may be cast again under suboption 2 only."""
    option, most = field.switches.dissipation, field.values["dissipates"]
    if not option:
        return
    kept: list[Marker] = []
    for marker in field.markers:
        about = {"spell": marker.spell, "by": marker.by, "on": marker.on}
        exempt = option == 1 and marker.spell in ONCE
        if exempt or field.roll("dissipation", needs=most, **about) > most:
            kept.append(marker)
        else:
            field.tell({"type": "dissipated", **about})
            if option == 2 and (marker.by, marker.spell) in field.cast:
                field.cast.remove((marker.by, marker.spell))
    field.set_markers(kept)


def cast_all(field: Field, seat: Seat) -> None:
    """Carry out a side's casts in the order of its letter (§5.5)."""
    for cast in field.wishes[seat].casts:
        target = field.men.get(cast.on)
        if not _works(field, seat, cast, target):
            field.tell({"type": "fizzle", **_told(seat, cast)})
            continue
        field.tell({"type": "cast", **_told(seat, cast)})
        if cast.spell == "transport":
            assert target is not None
            assert cast.space is not None
            _transport(field, target, cast.space)
            continue
        kept = [one for one in field.markers if (one.by, one.spell) != (cast.caster, cast.spell)]
        on = None if cast.spell == "fireball" else cast.on
        field.set_markers((*kept, Marker(cast.spell, cast.caster, on)))
        if cast.spell in ONCE:
            field.cast.append((cast.caster, cast.spell))
        if cast.spell == "fireball":
            assert target is not None
            _burn(field, cast, target)


def _told(seat: Seat, cast: Cast) -> dict[str, str | None]:
    return {"seat": seat, "by": cast.caster, "spell": cast.spell, "on": cast.on, "space": cast.space}


def _works(field: Field, seat: Seat, cast: Cast, target: Man | None) -> bool:
    """Whether the target is still there, and no enemy units are where a unit is to be brought (§5.7)."""
    if cast.caster not in field.men:
        return False
    if target is None:
        return cast.on == BELL and field.bell is not None
    return cast.space is None or not field.holds(field.enemy(seat), cast.space)


def _transport(field: Field, unit: Man, to: str) -> None:
    """Bring a unit to a space, with its leader if it is all he leads (§5.6)."""
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
