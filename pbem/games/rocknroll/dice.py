"""Throws: what is poured in before, and what is paid to throw again (rnr §6: CHECK, POUR, PAYERS, PAY)."""

from collections.abc import Collection
from typing import NamedTuple

from pbem.games.base import Seat, Side
from pbem.games.rocknroll.events import Check, Throw
from pbem.games.rocknroll.standing import ORDERS, amount
from pbem.games.rocknroll.table import ECHO, Table

_FEATURE_CHECKS = ("save", "lure", "trap")
_MOST_POURED = 6


class Payer:
    """A seat that may pay for rerolls: how many, whether also for the first of two dice, and with what."""

    __slots__ = ("cards", "each", "left", "seat")

    def __init__(self, seat: Seat, rule: str | None) -> None:
        self.seat = seat
        said = amount(rule or "0")
        self.left, self.each, self.cards = said.number, said.each, said.cards or (ORDERS,)


def payers(table: Table, side: Side, keys: tuple[str, ...], *, star: bool) -> list[Payer]:
    """Who may pay: the decider, and for a star feature its allies, too (R39)."""
    first = table.decider(side)
    seats = [first, *(seat for seat in table.seats_of(side) if seat != first)] if star else [first]
    return [Payer(seat, table.rule(seat, *(f"Reroll {key}" for key in keys))) for seat in seats]


def pay(table: Table, able: list[Payer], *, last_die: bool, barred: Collection[str]) -> bool:
    """Whether somebody pays for one more throw (R21)."""
    for payer in able:
        if payer.left and (last_die or payer.each):
            card = table.choose(payer.seat, payer.cards, barred)
            if card is not None:
                payer.left -= 1
                table.give(payer.seat, card, "reroll")
                return True
    return False


def pour(table: Table, side: Side, keys: tuple[str, ...], missing: int, barred: Collection[str]) -> int:
    """How many RD a side pours into a throw (R78); `missing` is what a natural 0 would need."""
    if not table.switches.rd:
        return 0
    seat = table.decider(side)
    rule = table.rule(seat, *(f"Pour {key}" for key in keys))
    if rule is None:
        return 0
    said = amount(rule)
    want = min(max(0, missing - said.number) if said.upto else said.number, _MOST_POURED)
    while table.rd[side] < want:
        card = table.choose(seat, said.cards, barred)
        if card is None:
            break
        table.give(seat, card, "sell")
        table.add_rd(side, 1, "sell")
    poured = min(want, table.rd[side])
    if poured:
        table.add_rd(side, -poured, "pour")
    return poured


def roll(table: Table, side: Side, purpose: Check | None, throw: Throw, least: int) -> int:
    """A die that is enough from `least` on; without a purpose it is an attack's."""
    value = table.die()
    what = purpose or "attack"
    success = value >= least
    table.tell({"type": "roll", "side": side, "for": what, "throw": throw, "value": value, "success": success})
    return value


class Checking(NamedTuple):
    """A check to be made: by which side, what it needs, and what stands in its event."""

    what: Check
    side: Side
    need: int
    unit: str | None = None
    card: str | None = None
    target: str | None = None
    point: str | None = None


class Outcome(NamedTuple):
    """Whether a check has succeeded, and the natural value of its last die."""

    success: bool
    value: int


def check(table: Table, checking: Checking) -> Outcome:
    """CHECK: a throw that is no attack. Only those of features can be paid for (J14)."""
    what, side, need, unit, card, target, point = checking
    is_feature = what in _FEATURE_CHECKS
    family = "feature" if is_feature else "order" if what == "order" else "captive"
    bonus = held_effect(table, side, "feature") if is_feature else 0
    barred = [one for one in (unit, target) if one is not None]
    keys = (family,) if unit is None else (unit, family)
    poured = pour(table, side, keys, need - bonus, barred)
    table.tell(
        {
            "type": "check",
            "what": what,
            "side": side,
            "unit": unit,
            "card": card,
            "target": target,
            "point": point,
            "need": need,
            "bonus": bonus,
            "poured": poured,
        }
    )
    least = need - bonus - poured
    value = roll(table, side, what, "first", least)
    if is_feature and unit is not None:
        able = payers(table, side, keys, star=table.card(unit).star)
        while value < least and pay(table, able, last_die=True, barred=barred):
            value = roll(table, side, what, "reroll", least)
    if value < least:
        table.add_rd(side, 1, "miss")
    return Outcome(value >= least, value)


def held_effect(table: Table, side: Side, effect: str) -> int:
    """What a black effect of Echo is worth to a side now (R71)."""
    echo = table.echo
    if echo is None or echo.colour != "black" or echo.effect != effect or ECHO not in table.points:
        return 0
    return echo.value if table.control(ECHO) == side else 0
