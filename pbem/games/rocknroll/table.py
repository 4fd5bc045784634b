"""The table during a turn: where everything is at the moment, and the operations shared by all parts of the rules.

A table is created from a state, which it does not modify; `Table.state` returns a new one. A fallen unit remains on its
Point until it is saved or lost, but the rules treat it as absent (§6).
"""

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.base import Seat, Side
from pbem.games.chance import Chance
from pbem.games.rocknroll.cards import SIDES, Echo, Kind, Unit, opponent
from pbem.games.rocknroll.events import CardKind, Discarded, FellWhy, GiveWhy, MoveWhy, RdWhy, Taken, TakeWhy, TurnEvent
from pbem.games.rocknroll.orders import ORDERS, UNITS
from pbem.games.rocknroll.state import Cards, Decks, Hand, State

ECHO = "E"
"""The letter of Echo, the Point that has an effect (R69)."""


class _Hand:
    """A hand that can be modified."""

    __slots__ = ("orders", "units")

    def __init__(self, hand: Hand) -> None:
        self.units, self.orders = [*hand.units], [*hand.orders]


class Table:
    """The cards, scores and events of one turn. Words in capitals in docstrings, such as GIFT, are the names of
    procedures in §6."""

    def __init__(self, state: State, chance: Chance) -> None:
        self._before, self._chance = state, chance
        self.cards, self.row, self.seats = state.cards, state.row, state.seats
        self.playing, self.gone = state.playing, state.gone
        self.numbers, self.switches = state.cards.numbers, state.cards.switches
        self.round, self.order, self.next, self.winner = state.round, state.order, state.next, state.winner
        self.points = {point: _lists(sides) for point, sides in state.points.items()}
        self.hands = {seat: _Hand(hand) for seat, hand in state.hands.items()}
        self.decks, self.orders = _lists(state.decks.units), [*state.decks.orders]
        self.reserve, self.graveyard = _lists(state.reserve), _lists(state.graveyard)
        self.captives, self.discard, self.box = _lists(state.captives), [*state.discard], state.box
        self.losses, self.ok, self.rd = {**state.losses}, {**state.ok}, {**state.rd}
        self.echo_die = state.echo
        self.standing = {seat: {**rules} for seat, rules in state.standing.items()}
        self.events: list[TurnEvent] = []
        self.fallen: set[str] = set()
        self.on_turn: Seat | None = None
        self.needed: Mapping[str, int] = {}  # cards that later lines of the seat to move require, with counts
        self.to_pour: int | None = None  # the RD for the next throw of the side to move (J28)
        self._sides = dict(state.seats)
        self._places = {
            unit: (side, point) for point, sides in self.points.items() for side in SIDES for unit in sides[side]
        }

    def state(self) -> State:
        """Return the state that the table has reached."""
        before = self._before
        return State(
            cards=before.cards,
            round=self.round,
            seats=before.seats,
            order=self.order,
            next=self.next,
            row=before.row,
            points={point: _tuples(sides) for point, sides in self.points.items()},
            hands={seat: Hand(tuple(hand.units), tuple(hand.orders)) for seat, hand in self.hands.items()},
            decks=Decks(_tuples(self.decks), tuple(self.orders)),
            reserve=_tuples(self.reserve),
            discard=tuple(self.discard),
            graveyard=_tuples(self.graveyard),
            captives=_tuples(self.captives),
            box=self.box,
            losses=self.losses,
            ok=self.ok,
            rd=self.rd,
            echo=self.echo_die,
            standing=self.standing,
            limit=before.limit,
            winner=self.winner,
            gone=self.gone,
        )

    def tell(self, event: TurnEvent) -> None:
        self.events.append(event)

    def die(self) -> int:
        return self._chance.die(6)

    @property
    def chance(self) -> Chance:
        """The source of chance for shuffles."""
        return self._chance

    @property
    def echo(self) -> Echo | None:
        """The effect of the Point Echo in this war; None if it has no effect."""
        return self.cards.echo[self.echo_die] if self.echo_die and self.switches.echo else None

    # Who decides

    def side_of(self, seat: Seat) -> Side:
        return self._sides[seat]

    def seats_of(self, side: Side) -> list[Seat]:
        """Return the seats of a side that are still playing, in the usual order."""
        return [chair.seat for chair in self.playing if chair.side == side]

    def decider(self, side: Side) -> Seat:
        """Return the seat that decides for a side's units: the seat to move if it belongs to the side, otherwise the
        side's first seat that is still playing."""
        if self.on_turn is not None and self._sides[self.on_turn] == side:
            return self.on_turn
        return next(seat for seat, on in self.playing if on == side)

    def rule(self, seat: Seat, *keys: str) -> str | None:
        """Return the value of the first of `keys` for which a seat has a standing order; None if it has no such
        order."""
        rules = self.standing[seat]
        return next((rules[key] for key in keys if key in rules), None)

    def agreed(self, side: Side, key: str) -> list[Seat]:
        """Return the seats of a side that are still playing, in the sequence on which they have agreed by standing
        orders with the given key; seats that these orders name come first. The list is empty if there is no such order,
        or if two seats disagree (J27)."""
        seats = self.seats_of(side)
        lists = [value.split(", ") for seat in seats if (value := self.standing[seat].get(key))]
        whole = [[*dict.fromkeys(name for name in (*named, *seats) if name in seats)] for named in lists]
        return whole[0] if whole and all(sequence == whole[0] for sequence in whole) else []

    def arranged(self, order: Sequence[Seat], key: str) -> tuple[Seat, ...]:
        """Return the seats in `order`, rearranged as allies have agreed by standing orders with the given key. Each
        side keeps its places in the order."""
        agreed = {side: iter(self.agreed(side, key)) for side in SIDES}
        return tuple(seat if seat in self.gone else next(agreed[self._sides[seat]], seat) for seat in order)

    # Where units stand

    def card(self, unit: str) -> Unit:
        return self.cards.units[unit]

    def kind(self, unit: str) -> Kind:
        return self.cards.units[unit].feature.kind

    def place(self, unit: str) -> tuple[Side, str] | None:
        """Return the side and the Point of a unit; None if the unit is not in a Point or has fallen."""
        return None if unit in self.fallen else self._places.get(unit)

    def lies_at(self, unit: str) -> tuple[Side, str]:
        """Return the side and the Point of a unit that may have fallen."""
        return self._places[unit]

    def alive(self, side: Side, point: str) -> list[str]:
        """Return the units that a side has on a Point and that have not fallen, in order of arrival."""
        units = self.points[point][side]
        return [unit for unit in units if unit not in self.fallen] if self.fallen else units[:]

    def stands(self, unit: str, side: Side, point: str | None = None) -> bool:
        """Return whether `unit` is on a Point, belongs to `side` there, and has not fallen. If `point` is given, only
        that Point counts."""
        place = self.place(unit)
        return place is not None and place[0] == side and point in (None, place[1])

    def is_guarded(self, unit: str) -> bool:
        """Return whether another unit's feature protects `unit` from attacks."""
        place = self.place(unit)
        if place is None or self.kind(unit) == "guard":
            return False
        return any(self.kind(guard) == "guard" for guard in self.alive(*place))

    def distance(self, point: str, target: str) -> int:
        return abs(self.row.index(point) - self.row.index(target))

    def control(self, point: str) -> Side | None:
        """Return the side with more units on a Point; None if both have the same number (R55)."""
        first, second = (len(self.alive(side, point)) for side in SIDES)
        return None if first == second else SIDES[0] if first > second else SIDES[1]

    def in_sequence(self, units: Iterable[str], entrants: Iterable[str] = ()) -> list[str]:
        """SEQ: return `units` in the sequence in which their features work. Units in `entrants` come first (R36), then
        those that the seat to move lists in `First`, in the order of that list (R51)."""
        chosen = list(units)
        if len(chosen) < 2:
            return chosen
        value = self.rule(self.on_turn, "First") if self.on_turn else None
        first = value.split(", ") if value else []
        entered = set(entrants)
        return sorted(
            chosen, key=lambda unit: (unit not in entered, first.index(unit) if unit in first else len(first))
        )

    def put(self, unit: str, side: Side, point: str) -> None:
        self.points[point][side].append(unit)
        self._places[unit] = (side, point)

    def take_off(self, unit: str) -> Side:
        """Take a unit off its Point, and return the side to which it belonged there."""
        side, point = self._places.pop(unit)
        self.points[point][side].remove(unit)
        self.fallen.discard(unit)
        return side

    def move(self, unit: str, to: str, why: MoveWhy) -> None:
        side, source = self._places[unit]
        self.take_off(unit)
        self.put(unit, side, to)
        self.tell({"type": "move", "unit": unit, "side": side, "source": source, "to": to, "why": why})

    # Cards of hands

    def has(self, seat: Seat, card: str, barred: Iterable[str] = ()) -> bool:
        """Return whether a seat can give `card`: it is in the seat's hand, or it is a unit of the seat's side on a
        Point and not in `barred`."""
        if card in self.cards.orders:
            return card in self.hands[seat].orders
        return card in self.hands[seat].units or (card not in barred and self.stands(card, self._sides[seat]))

    def give(self, seat: Seat, card: str, why: GiveWhy) -> None:
        """Make a seat give `card`, from the seat's hand if the card is there, otherwise from the card's Point. The seat
        must have the card."""
        hand, side = self.hands[seat], self._sides[seat]
        kind: CardKind = "order" if card in self.cards.orders else "unit"
        event: Discarded = {"type": "discard", "seat": seat, "kind": kind, "why": why, "to": "discard", "card": card}
        if kind == "order":
            hand.orders.remove(card)
            if why in ("trade", "reroll"):
                self.orders.append(card)
                event["to"] = "deck"
            else:
                self.discard.append(card)
        elif card in hand.units:
            hand.units.remove(card)
            event["to"] = "deck" if why == "reroll" else "reserve"
            (self.decks if why == "reroll" else self.reserve)[side].append(card)
        else:
            self.take_off(card)
            event["to"] = "reserve"
            self.reserve[side].append(card)
        if event["to"] == "deck":
            event["seen"] = [seat]
        self.tell(event)

    def choose(self, seat: Seat, cards: Iterable[str], barred: Iterable[str]) -> str | None:
        """Return the first of `cards` that a seat can give; None if it can give none of them. In `cards`, the words
        `orders` and `units` mean the oldest order or unit in the hand that no later line of the script needs (J26)."""
        hand, needed = self.hands[seat], self.needed if seat == self.on_turn else {}
        for card in cards:
            if card in (ORDERS, UNITS):
                held = hand.orders if card == ORDERS else hand.units
                spare = (name for name in held if held.count(name) > needed.get(name, 0))
                if oldest := next(spare, None):
                    return oldest
            elif self.has(seat, card, barred):
                return card
        return None

    def can_take_unit(self, side: Side, unit: str | None) -> bool:
        """Return whether `unit` is in the reserve of a side. If `unit` is None, return whether the side's deck has a
        unit."""
        return unit in self.reserve[side] if unit is not None else bool(self.decks[side])

    def take_unit(self, seat: Seat, unit: str | None, why: TakeWhy) -> None:
        """Give a seat `unit` from the reserve. If `unit` is None, give it the top unit of the deck."""
        side = self._sides[seat]
        event: Taken
        if unit is None:
            unit = self.decks[side].pop(0)
            event = {"type": "take", "seat": seat, "kind": "unit", "source": "deck", "why": why, "card": unit}
            event["seen"] = [seat]
        else:
            self.reserve[side].remove(unit)
            event = {"type": "take", "seat": seat, "kind": "unit", "source": "reserve", "why": why, "card": unit}
        self.hands[seat].units.append(unit)
        self.tell(event)

    def take_order(self, seat: Seat, why: TakeWhy) -> None:
        """Give a seat the top order of the deck, which must not be empty."""
        card = self.orders.pop(0)
        self.hands[seat].orders.append(card)
        event: Taken = {"type": "take", "seat": seat, "kind": "order", "source": "deck", "why": why, "card": card}
        event["seen"] = [seat]
        self.tell(event)

    def gift(self, side: Side, why: TakeWhy) -> bool:
        """GIFT: give the top order of the deck to the seat on which the side has agreed, otherwise to the side's seat
        with the fewest orders (J15). Return False if the deck is empty."""
        if not self.orders:
            return False
        seats = self.agreed(side, "Compensation")[:1] or self.seats_of(side)
        self.take_order(min(seats, key=lambda seat: len(self.hands[seat].orders)), why)
        return True

    # Losses and RD

    def add_rd(self, side: Side, number: int, why: RdWhy) -> None:
        """Add `number`, which may be negative, to a side's RD, up to the maximum (R76)."""
        now = min(self.rd[side] + number, self.numbers.rd_max)
        if self.switches.rd and now != self.rd[side]:
            self.rd[side] = now
            self.tell({"type": "rd", "side": side, "now": now, "why": why})

    def fell(self, unit: str, why: FellWhy) -> None:
        self.fallen.add(unit)
        self.tell({"type": "fell", "unit": unit, "why": why})

    def saved(self, unit: str, by: str) -> None:
        self.fallen.discard(unit)
        self.tell({"type": "saved", "unit": unit, "by": by})

    def bury(self, unit: str) -> None:
        """BURY: take a fallen unit off its Point, and record that it is lost."""
        self.lose(unit, self.take_off(unit))

    def lose(self, unit: str, side: Side) -> None:
        """Record a combat loss of a unit that is already off its Point."""
        if self.switches.graveyard:
            self.graveyard[side].append(unit)
        else:
            self.reserve[side].append(unit)
        to = "graveyard" if self.switches.graveyard else "reserve"
        self.tell({"type": "lost", "unit": unit, "side": side, "to": to})  # type: ignore[typeddict-item]
        self.mark_loss(side)

    def mark_loss(self, side: Side) -> None:
        """LOSS: count a loss of a side, which brings the side 1 RD (R77). Every second loss in a round also brings it
        an order or, if there is no order, another RD (R27-R30)."""
        self.add_rd(side, 1, "loss")
        self.losses[side] += 1
        if self.losses[side] >= self.numbers.loss_pair:
            self.losses[side] = 0
            if not self.gift(side, "compensation"):
                self.add_rd(side, 1, "compensation")

    def is_exterminated(self) -> bool:
        """EXTERMINATED: return whether a side has no unit left, and end the war in that case (R75, J16). Captives do
        not count."""
        if not self.switches.extermination:
            return False
        gone = [side for side in SIDES if not self.has_units(side)]
        if gone:
            self.winner = "draw" if len(gone) == len(SIDES) else opponent(gone[0])
            self.tell({"type": "over", "winner": self.winner, "reason": "extermination"})
        return bool(gone)

    def has_units(self, side: Side) -> bool:
        """Return whether a side has a unit anywhere; captives do not count (J16)."""
        hands = (self.hands[seat].units for seat in self.seats_of(side))
        points = (sides[side] for sides in self.points.values())
        return any((*hands, *points, self.decks[side], self.reserve[side]))


def _lists(cards: Mapping[Side, Cards]) -> dict[Side, list[str]]:
    return {side: [*names] for side, names in cards.items()}


def _tuples(cards: Mapping[Side, list[str]]) -> dict[Side, Cards]:
    return {side: tuple(names) for side, names in cards.items()}
