"""Random wars of Rock'n'Roll, turn by turn."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from pbem.games import find_game
from pbem.games.base import Chair, Event, Seat
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.cards import SIDES, opponent
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.rules import resolve, set_up
from pbem.games.rocknroll.state import Decks, Hand, State
from support.rocknroll_orders import RandomOrders

GAME = find_game("rocknroll")
TABLES = (
    (Chair("vpa", "vpa"), Chair("vietnam", "vietnam")),
    (Chair("vpa1", "vpa"), Chair("vpa2", "vpa"), Chair("vietnam", "vietnam")),
    (Chair("vpa1", "vpa"), Chair("vietnam1", "vietnam"), Chair("vpa2", "vpa"), Chair("vietnam2", "vietnam")),
)


class RandomChance:
    """Chance from a Random that remembers its answers."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.values: list[int] = []
        self.picks = 0

    def die(self, sides: int) -> int:
        self.values.append(self._random.randint(1, sides))
        return self.values[-1]

    def pick(self, number: int) -> int:
        self.picks += 1
        self.values.append(self._random.randrange(number))
        return self.values[-1]


class Played(NamedTuple):
    """A turn: the state before it, the letters, the result, and the answers of chance. The setup has no letters, and
    its state before is the one after."""

    before: State
    letters: Mapping[Seat, Orders]
    events: tuple[Event, ...]
    after: State
    chance: RandomChance


def war(seed: int, name: str | None = None, turns: int = 40) -> Iterator[Played]:
    """Yield the turns of a war from its setup on, always the same for a seed; in some wars, one of several seats
    resigns."""
    random, leaving = Random(seed), Random(f"leaving {seed}")
    cards = find_set(name or random.choice(("base", "expansion")))
    chance = RandomChance(random)
    state, events = _ruling(set_up(cards, random.choice(TABLES), random.choice((None, 8)), chance))
    yield Played(state, {}, events, state, chance)
    wild = random.choice((0.05, 0.3))
    for _ in range(turns):
        if state.winner:
            return
        seat = leaving.choice(state.playing).seat
        if leaving.random() < 0.05 and (left := GAME.resigned(state, seat)).result is None:
            state = left.state
        played = turn(random, state, wild)
        yield played
        state = played.after


def turn(random: Random, state: State, wild: float) -> Played:
    """Play a turn with random letters; only the seat to move sends more than standing orders."""
    letters: dict[Seat, Orders] = {}
    for seat, _ in state.seats:
        if random.random() < (0.95 if seat == state.on_turn else 0.2):
            orders = RandomOrders(random, state, seat, wild).orders()
            letters[seat] = orders if seat == state.on_turn else Orders(orders.standing)
    chance = RandomChance(random)
    after, events = _ruling(resolve(state, letters, chance))
    return Played(state, letters, events, after, chance)


def _ruling(ruling) -> tuple[State, tuple[Event, ...]]:  # type: ignore[no-untyped-def]
    return ruling.state, ruling.events


def dense(random: Random, name: str | None = None) -> State:
    """A position in which much can happen at once: most units on few Points, with hands and standing orders for
    everyone."""
    cards = find_set(name or random.choice(("base", "expansion")))
    seats = random.choice(TABLES)
    start = set_up(cards, seats, random.choice((None, 3)), RandomChance(random)).state
    lists: dict[str, dict[str, list[str]]] = {part: {side: [] for side in SIDES} for part in ("reserve", "captives")}
    lists |= {part: {side: [] for side in SIDES} for part in ("graveyard", "decks", *cards.row)}
    hands: dict[Seat, tuple[list[str], list[str]]] = {seat: ([], []) for seat, _ in seats}
    places = random.sample(cards.row, 2)
    for unit, card in cards.units.items():
        side = card.side if random.random() < 0.95 else opponent(card.side)
        where = random.choice((*places, *places, *cards.row, "reserve", "decks", "hand", "captives", "graveyard"))
        if where in ("captives", "graveyard") and not cards.switches.captives:
            where = "reserve"
        own = [seat for seat, on in seats if on == side]
        held = (
            hands[random.choice(own)][0]
            if where == "hand"
            else lists[where][opponent(side) if where == "captives" else side]
        )
        held.append(unit)
    orders = [order for order, card in cards.orders.items() for _ in range(card.count)]
    random.shuffle(orders)
    for _, found in hands.values():
        found += [orders.pop() for _ in range(random.randint(0, 5))]
    at = random.randint(0, len(orders))

    def sides(part: str) -> dict[str, tuple[str, ...]]:
        return {side: tuple(lists[part][side]) for side in SIDES}

    def numbers(most: int) -> dict[str, int]:
        return {side: random.randint(0, most) for side in SIDES}

    state = replace(
        start,
        round=random.randint(1, 3),
        next=random.choice((0, len(seats) - 1)),
        points={point: sides(point) for point in cards.row},
        hands={seat: Hand(tuple(units), tuple(found)) for seat, (units, found) in hands.items()},
        decks=Decks(sides("decks"), tuple(orders[:at])),
        discard=tuple(orders[at:]),
        box=(),
        echo=random.randint(1, 6) if cards.switches.echo else None,
        losses=numbers(1),
        ok=numbers(4),
        rd=numbers(6 if cards.switches.rd else 0),
        **{part: sides(part) for part in ("reserve", "captives", "graveyard")},  # type: ignore[arg-type]
    )
    rules = {seat: [RandomOrders(random, state, seat).rule() for _ in range(random.randint(0, 8))] for seat, _ in seats}
    return replace(state, standing={seat: dict(found) for seat, found in rules.items()})


def with_hidden_things(random: Random, state: State, seat: Seat) -> State:
    """The same position for a seat, with everything changed that it may not see: cards of hands and decks, standing
    orders."""
    units = {side: [*deck] for side, deck in state.decks.units.items()}
    orders, others = [*state.decks.orders], {one: hand for one, hand in state.hands.items() if one != seat}
    for one, hand in others.items():
        units[state.side_of(one)] += hand.units
        orders += hand.orders
    for cards in (*units.values(), orders):
        random.shuffle(cards)
    hands = {
        one: Hand(tuple(units[state.side_of(one)].pop() for _ in hand.units), tuple(orders.pop() for _ in hand.orders))
        for one, hand in others.items()
    }
    standing = {one: rules if one == seat else {} for one, rules in state.standing.items()}
    decks = Decks({side: tuple(deck) for side, deck in units.items()}, tuple(orders))
    return replace(state, hands={**state.hands, **hands}, decks=decks, standing=standing)
