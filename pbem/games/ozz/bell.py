"""The Bell on the board: who carries it, ringing, capture, and who stays of those it has raised (ozz §5.29-5.33)."""

from collections.abc import Iterable
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.ozz.data import Card
from pbem.games.ozz.field import Field, Man
from pbem.games.ozz.table import can_carry


def skeletons(cards: Iterable[Card]) -> list[Card]:
    """The units that the Bell raises, in roster order."""
    return [card for card in cards if card.code.startswith("SK")]


def take_up(field: Field) -> None:
    """Let the units that are named carry the Bell; one that nobody carries is taken by the first who can (§5.29)."""
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
    return next((one for one in field.units_at(seat, field.bell.space or "") if can_carry(one.card)), None)


def _pass_to(field: Field, unit: Man) -> None:
    assert field.bell is not None
    if unit.seat != field.bell.seat:
        field.tell({"type": "captured", "seat": unit.seat, "by": unit.code})
    field.carry(unit.code)


def capture(field: Field, space: str) -> None:
    """After a melee the enemy takes a Bell that no unit of its side stands with any more (§5.31)."""
    bell = field.bell
    if bell and bell.space == space and not field.holds(bell.seat, space):
        first = _first_carrier(field, field.enemy(bell.seat))
        if first:
            _pass_to(field, first)


def silence(field: Field) -> None:
    """The Bell is hit by fire: it does not ring in this battle any more (§5.31)."""
    assert field.bell is not None
    field.bell = replace(field.bell, silent=True)
    field.tell({"type": "silent", "seat": field.bell.seat})


def ring(field: Field, seat: Seat) -> None:
    """Let a side that holds the Bell raise a skeleton unit where it stands (§5.30)."""
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
