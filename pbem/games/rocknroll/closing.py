"""The end of a round and the income of the next one (rnr §6: SUMMARY, INCOME)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from pbem.games.base import Chair, Seat, Side
from pbem.games.chance import shuffled
from pbem.games.rocknroll.cards import SIDES, Echo, Numbers, opponent
from pbem.games.rocknroll.dice import Checking, check
from pbem.games.rocknroll.events import TakeWhy
from pbem.games.rocknroll.orders import DECK
from pbem.games.rocknroll.standing import listed
from pbem.games.rocknroll.table import ECHO, Table

_FREED_BY = 3  # the natural value of a failed die with which a captive gets something (J18)


def summary(table: Table, limit: int | None) -> None:
    """SUMMARY: nobody is on turn."""
    table.on_turn = None
    control = {point: table.control(point) for point in table.row}
    winner = _score(table, control)
    if winner and table.ok[winner] >= table.numbers.victory:
        return _over(table, winner, "ok")  # R61
    _echo(table)
    for side in SIDES:
        _captives(table, side)
    if table.switches.last_unit:
        for side in SIDES:
            _last_unit(table, side)
    table.losses = dict.fromkeys(SIDES, 0)  # R28
    if table.is_exterminated():
        return None
    if limit is not None and table.round >= limit:
        vpa, vietnam = (table.ok[side] for side in SIDES)
        return _over(table, "draw" if vpa == vietnam else SIDES[vpa < vietnam], "limit")  # J17
    table.round += 1
    if winner:
        table.order = interleave(table.seats, winner)  # R56
    table.order = table.arranged(table.order, "Sequence")
    table.next = following(table.order, 0, table.gone)
    table.tell({"type": "round", "round": table.round, "order": [*table.order]})
    income(table, "income")
    return None


def _over(table: Table, winner: str, reason: Literal["ok", "limit"]) -> None:
    table.winner = winner
    table.tell({"type": "over", "winner": winner, "reason": reason})


def _score(table: Table, control: dict[str, Side | None]) -> Side | None:
    """The side that has won the round, and its OK (R54-R58)."""
    held = [*control.values()]
    vpa, vietnam = (held.count(side) for side in SIDES)
    winner = None if vpa == vietnam else SIDES[vpa < vietnam]
    if winner:
        own, other = table.ok[winner], table.ok[opponent(winner)]
        table.ok[winner] += 2 if own and own * table.numbers.double <= other else 1
    table.tell({"type": "summary", "control": control, "winner": winner, "ok": {**table.ok}})
    return winner


def _echo(table: Table) -> None:
    """What Echo brings at the end of a round, and units that stand in it (R71)."""
    if not table.switches.echo or ECHO not in table.points:
        return
    holder, echo = table.control(ECHO), table.echo
    if holder and echo and echo.colour == "red":
        table.tell({"type": "echo", "side": holder, "effect": echo.effect})
        _red_effect(table, holder, echo)
    for side in SIDES:
        for unit in table.alive(side, ECHO):
            if table.kind(unit) == "gain":
                table.add_rd(side, 1, "feature")


def _red_effect(table: Table, side: Side, echo: Echo) -> None:
    if echo.effect == "rd":
        table.add_rd(side, echo.value, "echo")
    for _ in range(echo.value):
        if echo.effect == "order":
            table.gift(side, "echo")
        elif echo.effect == "unit" and table.reserve[side]:
            seat = min(table.seats_of(side), key=lambda one: len(table.hands[one].units))
            table.take_unit(seat, table.reserve[side][0], "echo")


def _captives(table: Table, holder: Side) -> None:
    """What a side does with its captives, as its first seat says (J18)."""
    seat = table.seats_of(holder)[0]
    own = opponent(holder)  # his own side, whatever his card says
    captives, numbers = table.captives[holder], table.numbers
    for unit in [*captives]:
        match table.rule(seat, "Captives"):
            case "torture":
                success, value = check(table, Checking("torture", holder, numbers.torture_check, target=unit))
                if success or value == _FREED_BY:
                    table.gift(holder if success else own, "torture")
            case "execute":
                success, value = check(table, Checking("execute", holder, numbers.execute_check, target=unit))
                if success or value == _FREED_BY:
                    captives.remove(unit)
                    (table.graveyard if success and table.switches.graveyard else table.reserve)[own].append(unit)
                    table.tell({"type": "executed" if success else "freed", "unit": unit, "by": holder})
            case "recruit":
                if check(table, Checking("recruit", holder, numbers.recruit_check, target=unit)).success:
                    captives.remove(unit)
                    table.hands[seat].units.append(unit)
                    table.tell({"type": "recruited", "unit": unit, "by": holder, "seat": seat})


def _last_unit(table: Table, side: Side) -> None:
    """A side without a unit on the field loses one of its reserve or deck (R73, J20)."""
    deck, reserve = table.decks[side], table.reserve[side]
    if not (deck or reserve) or any(table.alive(side, point) for point in table.row):
        return
    value = table.rule(table.decider(side), "Lose")
    wishes = (*(listed(value) if value else ()), DECK)
    wish = next((one for one in wishes if (deck if one == DECK else one in reserve)), None)
    unit = deck.pop(0) if wish == DECK else reserve.pop(0 if wish is None else reserve.index(wish))
    table.lose(unit, side)


def interleave(seats: tuple[Chair, ...], first: Side) -> tuple[Seat, ...]:
    """The seats in the order of play: those of the two sides in turn, as long as both have some (R62)."""
    sides = [[seat for seat, side in seats if side == one] for one in (first, opponent(first))]
    longest = max(map(len, sides))
    return tuple(side[at] for at in range(longest) for side in sides if at < len(side))


def following(order: Sequence[Seat], at: int, gone: Collection[Seat]) -> int:
    """The place in the order of the first seat from one on that plays on; behind the last one if none does."""
    return next((place for place in range(at, len(order)) if order[place] not in gone), len(order))


def income(table: Table, why: Literal["opening", "income"]) -> None:
    """INCOME: units as each seat wishes, orders from the top; where they are too few, all orders are shuffled."""
    shares = _shares(table.numbers, table.playing, why)
    if len(table.orders) < sum(orders for _, orders in shares.values()):
        _reshuffle(table)  # R52, R53
    for seat in table.arranged(table.order, "Supply"):
        units, orders = shares.get(seat, (0, 0))  # nothing for who is gone
        _take_units(table, seat, units, why)
        for _ in range(min(orders, len(table.orders))):
            table.take_order(seat, why)


def _shares(
    numbers: Numbers, seats: tuple[Chair, ...], why: Literal["opening", "income"]
) -> Mapping[Seat, tuple[int, int]]:
    """How many units and orders each seat is due (R31, R32, R65)."""
    if len(seats) == len(SIDES):
        opening = (numbers.opening_units, numbers.opening_orders)
        return dict.fromkeys(
            (seat for seat, _ in seats), opening if why == "opening" else (numbers.income_units, numbers.income_orders)
        )
    share = numbers.share_opening if why == "opening" else numbers.share_income
    number = {side: sum(one.side == side for one in seats) for side in SIDES}
    due = {seat: share * (number[opponent(side)] if number[side] == 1 else 1) for seat, side in seats}
    return {seat: (one, one) for seat, one in due.items()}


def _reshuffle(table: Table) -> None:
    hands = [table.hands[seat] for seat, _ in table.seats]
    found = [*table.orders, *table.discard, *(order for hand in hands for order in hand.orders)]
    table.discard = []
    for hand in hands:
        hand.orders = []
    table.tell({"type": "reshuffle", "count": len(found)})
    table.orders = [*shuffled(found, table.chance)]


def _take_units(table: Table, seat: Seat, number: int, why: TakeWhy) -> None:
    """Units by the seat's wishes, then of the deck, then the oldest of the reserve (J3)."""
    side = table.side_of(seat)
    deck, reserve = table.decks[side], table.reserve[side]
    value = table.rule(seat, "Income")
    wishes = (*(listed(value) if value else ()), DECK)
    for _ in range(number):
        wish = next((one for one in wishes if (deck if one == DECK else one in reserve)), None)
        if wish is None and not reserve:
            return
        table.take_unit(seat, None if wish == DECK else wish or reserve[0], why)
