"""The rules of Rock'n'Roll: the set-up and a turn as functions of values. R and J are those of docs/games/rocknroll.md.

Nothing here does I/O, knows a clock, or changes what it is given.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from pbem.games.base import Chair, Result, Ruling, Seat, Sentence, Side
from pbem.games.chance import Chance, shuffled
from pbem.games.rocknroll.cards import SIDES, VIETNAM, VPA, CardSet, opponent
from pbem.games.rocknroll.closing import following, income, interleave, summary
from pbem.games.rocknroll.orders import DEFAULT, Orders
from pbem.games.rocknroll.script import Script
from pbem.games.rocknroll.state import Decks, Hand, State
from pbem.games.rocknroll.table import Table
from pbem.games.rocknroll.wording import CALLED

RULES_VERSION = "1"  # a ruling that has shipped is frozen; another reading gets another number


def set_up(
    cards: CardSet,
    seats: tuple[Chair, ...],
    limit: int | None,
    chance: Chance,
    standing: Mapping[Seat, Mapping[str, str]] = MappingProxyType({}),
) -> Ruling[State]:
    """The position that a war starts from, and what chance has said to it (rnr §5); `standing` are the standing orders
    with which it begins."""
    deal, to_reserve = cards.numbers.deal, cards.numbers.to_reserve
    units = {side: shuffled(cards.units_of(side), chance) for side in SIDES}
    orders = shuffled([name for name, order in cards.orders.items() for _ in range(order.count)], chance)
    dealt = {side: units[side][:deal] if deal else units[side] for side in SIDES}
    none, zero = dict.fromkeys(SIDES, ()), dict.fromkeys(SIDES, 0)
    table = Table(
        State(
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
            standing={seat: {**standing.get(seat, {})} for seat, _ in seats},
            limit=limit,
            winner=None,
        ),
        chance,
    )
    table.order = table.arranged(interleave(seats, _who_begins(table)), "Sequence")
    if cards.switches.echo:
        table.echo_die = table.die()
        _say_start(table, None, table.echo_die)
    table.tell({"type": "round", "round": 1, "order": [*table.order]})
    income(table, "opening")
    return Ruling(table.state(), tuple(table.events))


def _who_begins(table: Table) -> str:
    """The side with the higher die begins (J23)."""
    while True:
        vpa, vietnam = (_start_die(table, side) for side in SIDES)
        if vpa != vietnam:
            return VPA if vpa > vietnam else VIETNAM


def _start_die(table: Table, side: str) -> int:
    value = table.die()
    _say_start(table, side, value)
    return value


def _say_start(table: Table, side: str | None, value: int) -> None:
    what = "start" if side else "echo"
    table.tell({"type": "roll", "side": side, "for": what, "throw": "first", "value": value, "success": None})  # type: ignore[typeddict-item]


def resolve(state: State, letters: Mapping[Seat, Orders], chance: Chance) -> Ruling[State]:
    """Play the turn of the seat that is on turn; the others' standing orders count, too (rnr §6: TURN).

    A war that is over stays as it is; the turn of a seat that is gone passes (J25).
    Raises ChanceError if given values do not answer what is asked.
    """
    seat = state.on_turn
    if seat is None:
        return Ruling(state, ())
    table = Table(state, chance)
    for one, orders in letters.items():
        if one in state.gone:
            continue
        rules = table.standing[one]
        for key, value in orders.standing:
            rules.pop(key, None) if value == DEFAULT else rules.update({key: value})
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
    """The seat on turn; nobody when the war is over, or that seat is gone and no other has a turn in the round."""
    return frozenset({state.on_turn}.difference((None, *state.gone)))  # type: ignore[arg-type]


def resigned(state: State, seat: Seat) -> State:
    """The war without a seat (J25): its units go to its side's reserve and are no losses, its orders to the discard;
    its turn passes."""
    side, hand = state.side_of(seat), state.hands[seat]
    gone = tuple(one for one, _ in state.seats if one == seat or one in state.gone)
    later = following(state.order, state.next, gone)
    return replace(
        state,
        gone=gone,
        next=later if later < len(state.order) else state.next,  # the end of the round takes chance
        hands={**state.hands, seat: Hand()},
        reserve={**state.reserve, side: (*state.reserve[side], *hand.units)},
        discard=(*state.discard, *hand.orders),
        standing={**state.standing, seat: {}},
    )


def result(state: State) -> Result | None:
    """How the war ended and why, or None while it goes on."""
    match state.winner:
        case None:
            return None
        case "draw":
            return Result(None, _why_nobody(state))
        case side:
            return Result(side, _why(state, side))


def _why(state: State, side: Side) -> Sentence:
    """Why a side has won: by R61, R75 or J17."""
    enemy, ok = opponent(side), {one: str(number) for one, number in state.ok.items()}
    values = {"side": CALLED[side], "enemy": CALLED[enemy], "ok": ok[side], "other": ok[enemy]}
    if state.ok[side] >= state.cards.numbers.victory:
        return Sentence("{side} has won the war: it has {ok} OK.", **values)
    if not _has_units(state, enemy):
        return Sentence("{side} has won the war: no unit is left to the other side, {enemy}.", **values)
    if state.ok[side] > state.ok[enemy]:
        return Sentence("{side} has won the war: {ok} OK to {other} after the last round.", **values)
    return Sentence("{side} has won the war.", **values)


def _why_nobody(state: State) -> Sentence:
    if not any(_has_units(state, side) for side in SIDES):
        return Sentence("Neither side has won the war: no unit is left on either side.")
    return Sentence("Neither side has won the war: {ok} OK each after the last round.", ok=str(state.ok[VPA]))


def _has_units(state: State, side: Side) -> bool:
    """Whether a side has a unit anywhere; captives do not count (J16)."""
    hands = (state.hands[seat].units for seat, of in state.seats if of == side)
    points = (sides[side] for sides in state.points.values())
    return any((*hands, *points, state.decks.units[side], state.reserve[side]))
