"""The rules of Rock'n'Roll: the set-up, a turn, the end of a round, and the income (§6: SUMMARY, INCOME).

Numbers such as R1 and J1 refer to rules and rulings in docs/games/rocknroll.md. Nothing here does I/O or reads a clock.
States are never modified; functions that take a `Table` modify that table.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Literal

from pbem import Sentence
from pbem.games.base import Chair, Result, Ruling, Seat, Side
from pbem.games.chance import NO_CHANCE, Chance, shuffled
from pbem.games.rocknroll.cards import SIDES, VIETNAM, VPA, CardSet, Echo, Numbers, opponent
from pbem.games.rocknroll.combat import Checking, check
from pbem.games.rocknroll.events import TakeWhy
from pbem.games.rocknroll.orders import DECK, Orders, values
from pbem.games.rocknroll.script import Script
from pbem.games.rocknroll.state import Decks, Hand, State
from pbem.games.rocknroll.table import ECHO, Table
from pbem.games.rocknroll.wording import CALLED

RULES_VERSION = "1"  # a published ruling never changes; a different reading gets a new version number


def set_up(
    cards: CardSet,
    seats: tuple[Chair, ...],
    limit: int | None,
    chance: Chance,
    standing: Mapping[Seat, Mapping[str, str]] = MappingProxyType({}),
) -> Ruling[State]:
    """Set up a war; return its first position with the events of the set-up (§5). `standing` contains the initial
    standing orders, keyed by seat and then by their own keys."""
    dealt = replace(
        _dealt(cards, seats, chance), standing={seat: {**standing.get(seat, {})} for seat, _ in seats}, limit=limit
    )
    table = Table(dealt, chance)
    table.order = table.arranged(interleave(seats, _who_begins(table)), "Sequence")
    if cards.switches.echo:
        table.echo_die = table.die()
        _say_start(table, None, table.echo_die)
    table.tell({"type": "round", "round": 1, "order": [*table.order]})
    income(table, "opening")
    return Ruling(table.state(), tuple(table.events))


def _dealt(cards: CardSet, seats: tuple[Chair, ...], chance: Chance) -> State:
    """Shuffle the cards and deal them into decks and reserves; return the state before anything else has happened."""
    deal, to_reserve = cards.numbers.deal, cards.numbers.to_reserve
    units = {side: shuffled(cards.units_of(side), chance) for side in SIDES}
    orders = shuffled([name for name, order in cards.orders.items() for _ in range(order.count)], chance)
    dealt = {side: units[side][:deal] if deal else units[side] for side in SIDES}
    none, zero = dict.fromkeys(SIDES, ()), dict.fromkeys(SIDES, 0)
    return State(
        cards=cards,
        round=1,
        seats=seats,
        order=(),
        next=0,
        row=cards.row,
        points=dict.fromkeys(cards.row, none),
        hands={seat: Hand() for seat, _ in seats},
        decks=Decks({side: dealt[side][to_reserve:] for side in SIDES}, orders),
        reserve={side: dealt[side][:to_reserve] for side in SIDES},
        discard=(),
        graveyard=none,
        captives=none,
        box=tuple(unit for side in SIDES for unit in units[side][len(dealt[side]) :]),
        losses=zero,
        ok=zero,
        rd=zero,
        echo=None,
        standing={},
        limit=None,
        winner=None,
    )


def _who_begins(table: Table) -> str:
    """Throw a die for each side until the values differ; return the side with the higher value, which begins (J23)."""
    while True:
        vpa, vietnam = (_start_die(table, side) for side in SIDES)
        if vpa != vietnam:
            return VPA if vpa > vietnam else VIETNAM


def _start_die(table: Table, side: str) -> int:
    value = table.die()
    _say_start(table, side, value)
    return value


def _say_start(table: Table, side: str | None, value: int) -> None:
    cause = "start" if side else "echo"
    table.tell({"type": "roll", "side": side, "for": cause, "throw": "first", "value": value, "success": None})  # type: ignore[typeddict-item]


def resolve(state: State, letters: Mapping[Seat, Orders], chance: Chance) -> Ruling[State]:
    """Play the turn of the seat to move, after applying the new standing orders in all `letters` (§6: TURN).

    A war that is over remains unchanged; the turn of a seat that has left is skipped (J25). Raises ChanceError if
    `chance` consists of given values that do not fit the turn.
    """
    seat = state.on_turn
    if seat is None:
        return Ruling(state, ())
    table = Table(state, chance)
    for writer, orders in letters.items():
        if writer not in state.gone:
            orders.change(table.standing[writer])
    if seat not in state.gone:
        table.on_turn = seat
        table.tell({"type": "turn", "seat": seat})
        script = letters[seat].commands if seat in letters else ()
        if script:
            Script(table, seat).play(script)
        else:
            table.tell({"type": "missed", "seat": seat})
    if not table.is_exterminated():
        table.next = following(table.order, table.next + 1, state.gone)
        if table.next == len(table.order):
            summary(table, state.limit)
    return Ruling(table.state(), tuple(table.events))


def awaiting(state: State) -> frozenset[Seat]:
    """Return the set of seats whose orders are awaited: the seat to move. The set is empty if the war is over, or if
    all seats that still have a turn in this round have left."""
    return frozenset({state.on_turn}.difference((None, *state.gone)))  # type: ignore[arg-type]


def resigned(state: State, seat: Seat) -> State:
    """Return `state` after `seat` has left the war (J25): the units in its hand go to the reserve of its side and do
    not count as losses, its orders go to the discard pile, and its turns are skipped."""
    side, hand = state.side_of(seat), state.hands[seat]
    gone = tuple(name for name, _ in state.seats if name == seat or name in state.gone)
    later = following(state.order, state.next, gone)
    return replace(
        state,
        gone=gone,
        next=later if later < len(state.order) else state.next,  # the end of a round requires chance
        hands={**state.hands, seat: Hand()},
        reserve={**state.reserve, side: (*state.reserve[side], *hand.units)},
        discard=(*state.discard, *hand.orders),
        standing={**state.standing, seat: {}},
    )


def result(state: State) -> Result | None:
    """Return the result of a war that is over, with the reason for it; None if the war goes on."""
    match state.winner:
        case None:
            return None
        case "draw":
            return Result(None, _why_nobody(state))
        case side:
            return Result(side, _why(state, side))


def _why(state: State, side: Side) -> Sentence:
    """Return a sentence with the reason why `side` has won (R61, R75 or J17)."""
    enemy, ok = opponent(side), {whose: str(number) for whose, number in state.ok.items()}
    values = {"side": CALLED[side], "enemy": CALLED[enemy], "ok": ok[side], "other": ok[enemy]}
    if state.ok[side] >= state.cards.numbers.victory:
        return Sentence("{side} has won the war: it has {ok} OK.", **values)
    if not Table(state, NO_CHANCE).has_units(enemy):
        return Sentence("{side} has won the war: {enemy} has no units left.", **values)
    if state.ok[side] > state.ok[enemy]:
        return Sentence("{side} has won the war: {ok} OK to {other} after the last round.", **values)
    return Sentence("{side} has won the war.", **values)


def _why_nobody(state: State) -> Sentence:
    if not any(map(Table(state, NO_CHANCE).has_units, SIDES)):
        return Sentence("Neither side has won the war: no unit is left on either side.")
    return Sentence("Neither side has won the war: {ok} OK each after the last round.", ok=str(state.ok[VPA]))


_FREED_BY = 3  # the natural value at which a failed check helps the captive's own side (J18)


def summary(table: Table, limit: int | None) -> None:
    """SUMMARY: score the round after its last turn. Then end the war or begin the next round with its income."""
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
    """Score the round based on `control`, which maps each Point to the side that controls it. Return the winner, or
    None after a tie (R54-R58)."""
    held = [*control.values()]
    vpa, vietnam = (held.count(side) for side in SIDES)
    winner = None if vpa == vietnam else SIDES[vpa < vietnam]
    if winner:
        own, enemy = table.ok[winner], table.ok[opponent(winner)]
        table.ok[winner] += 2 if own and own * table.numbers.double <= enemy else 1
    table.tell({"type": "summary", "control": control, "winner": winner, "ok": {**table.ok}})
    return winner


def _echo(table: Table) -> None:
    """Apply Echo's red effect at the end of a round, and the features of units on Echo (R71)."""
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
            seat = min(table.seats_of(side), key=lambda ally: len(table.hands[ally].units))
            table.take_unit(seat, table.reserve[side][0], "echo")


def _captives(table: Table, holder: Side) -> None:
    """Torture, execute or recruit the captives that `holder` holds, as the standing orders of its first seat require
    (J18)."""
    seat = table.seats_of(holder)[0]
    own = opponent(holder)  # the side from which the captives were taken, whatever their cards say
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
    """Make `side` lose a unit from its reserve or deck if it has no unit in a Point (R73, J20)."""
    deck, reserve = table.decks[side], table.reserve[side]
    if not (deck or reserve) or any(table.alive(side, point) for point in table.row):
        return
    value = table.rule(table.decider(side), "Lose")
    wishes = (*(values(value) if value else ()), DECK)
    wish = next((candidate for candidate in wishes if (deck if candidate == DECK else candidate in reserve)), None)
    unit = deck.pop(0) if wish == DECK else reserve.pop(0 if wish is None else reserve.index(wish))
    table.lose(unit, side)


def interleave(seats: tuple[Chair, ...], first: Side) -> tuple[Seat, ...]:
    """Return the seats in the order of play: the side `first` begins, and the sides alternate while both have seats
    left (R62)."""
    sides = [[seat for seat, side in seats if side == whose] for whose in (first, opponent(first))]
    longest = max(map(len, sides))
    return tuple(side[at] for at in range(longest) for side in sides if at < len(side))


def following(order: Sequence[Seat], at: int, gone: Collection[Seat]) -> int:
    """Return the index of the first seat in `order`, from index `at` on, that is not in `gone`; the length of `order`
    if there is no such seat."""
    return next((place for place in range(at, len(order)) if order[place] not in gone), len(order))


def dealt_anew(state: State, chance: Chance) -> State:
    """Return `state` with the cards in all hands, the decks and the box shuffled and dealt again. Each place keeps its
    number of units and its number of orders."""
    hands, decks = {**state.hands}, {**state.decks.units}
    box: list[str] = []
    for side in SIDES:
        boxed = [unit for unit in state.box if state.cards.units[unit].side == side]
        seats = [chair.seat for chair in state.seats if chair.side == side]
        hidden = [card for seat in seats for card in hands[seat].units]
        deal = iter(shuffled([*hidden, *decks[side], *boxed], chance))
        for seat in seats:
            hands[seat] = replace(hands[seat], units=tuple(islice(deal, len(hands[seat].units))))
        decks[side] = tuple(islice(deal, len(decks[side])))
        box += deal
    hidden = [card for seat, _ in state.seats for card in hands[seat].orders]
    deal = iter(shuffled([*hidden, *state.decks.orders], chance))
    for seat, _ in state.seats:
        hands[seat] = replace(hands[seat], orders=tuple(islice(deal, len(hands[seat].orders))))
    return replace(state, hands=hands, decks=Decks(decks, tuple(deal)), box=tuple(box))


def income(table: Table, why: Literal["opening", "income"]) -> None:
    """INCOME: give each seat units according to its wishes, and orders from the top of the deck. If the deck has too
    few orders, all orders, including those in hands, are first shuffled into it."""
    shares = _shares(table.numbers, table.playing, why)
    if len(table.orders) < sum(orders for _, orders in shares.values()):
        _reshuffle(table)  # R52, R53
    for seat in table.arranged(table.order, "Supply"):
        units, orders = shares.get(seat, (0, 0))  # nothing for seats that have left
        _take_units(table, seat, units, why)
        for _ in range(min(orders, len(table.orders))):
            table.take_order(seat, why)


def _shares(
    numbers: Numbers, seats: tuple[Chair, ...], why: Literal["opening", "income"]
) -> Mapping[Seat, tuple[int, int]]:
    """Return the number of units and the number of orders that each seat is due (R31, R32, R65)."""
    if len(seats) == len(SIDES):
        opening = (numbers.opening_units, numbers.opening_orders)
        return dict.fromkeys(
            (seat for seat, _ in seats), opening if why == "opening" else (numbers.income_units, numbers.income_orders)
        )
    share = numbers.share_opening if why == "opening" else numbers.share_income
    number = {side: sum(chair.side == side for chair in seats) for side in SIDES}
    due = {seat: share * (number[opponent(side)] if number[side] == 1 else 1) for seat, side in seats}
    return {seat: (count, count) for seat, count in due.items()}


def _reshuffle(table: Table) -> None:
    hands = [table.hands[seat] for seat, _ in table.seats]
    cards = [*table.orders, *table.discard, *(order for hand in hands for order in hand.orders)]
    table.discard = []
    for hand in hands:
        hand.orders = []
    table.tell({"type": "reshuffle", "count": len(cards)})
    table.orders = [*shuffled(cards, table.chance)]


def _take_units(table: Table, seat: Seat, number: int, why: TakeWhy) -> None:
    """Give `seat` up to `number` units: those that it wishes for, then units from the deck, then the oldest units from
    the reserve (J3)."""
    side = table.side_of(seat)
    deck, reserve = table.decks[side], table.reserve[side]
    value = table.rule(seat, "Income")
    wishes = (*(values(value) if value else ()), DECK)
    for _ in range(number):
        wish = next((candidate for candidate in wishes if (deck if candidate == DECK else candidate in reserve)), None)
        if wish is None and not reserve:
            return
        table.take_unit(seat, None if wish == DECK else wish or reserve[0], why)
