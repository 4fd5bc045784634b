"""Wars of Rock'n'Roll at random, turn by turn."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from pbem.games.base import Chair, Event, Seat
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.rules import resolve, set_up
from pbem.games.rocknroll.state import State
from support.rocknroll_orders import Writer

TABLES = (
    (Chair("vpa", "vpa"), Chair("vietnam", "vietnam")),
    (Chair("vpa1", "vpa"), Chair("vpa2", "vpa"), Chair("vietnam", "vietnam")),
    (Chair("vpa1", "vpa"), Chair("vietnam1", "vietnam"), Chair("vpa2", "vpa"), Chair("vietnam2", "vietnam")),
)


class RandomChance:
    """Chance from a Random, which keeps what it has answered."""

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
    """A turn: what it began with, the letters, what came of it, and what chance has said. The set-up has no letters,
    and begins where it ends."""

    before: State
    letters: Mapping[Seat, Orders]
    events: tuple[Event, ...]
    after: State
    chance: RandomChance


def war(seed: int, name: str | None = None, turns: int = 40) -> Iterator[Played]:
    """A war from its set-up on, always the same for a seed."""
    random = Random(seed)
    cards = find_set(name or random.choice(("base", "expansion")))
    chance = RandomChance(random)
    state, events = _ruling(set_up(cards, random.choice(TABLES), random.choice((None, 8)), chance))
    yield Played(state, {}, events, state, chance)
    wild = random.choice((0.05, 0.3))
    for _ in range(turns):
        if state.winner:
            return
        played = turn(random, state, wild)
        yield played
        state = played.after


def turn(random: Random, state: State, wild: float) -> Played:
    """One turn with letters at random; others than the seat on turn send standing orders only."""
    letters: dict[Seat, Orders] = {}
    for seat, _ in state.seats:
        if random.random() < (0.95 if seat == state.on_turn else 0.2):
            orders = Writer(random, state, seat, wild).orders()
            letters[seat] = orders if seat == state.on_turn else Orders(orders.standing)
    chance = RandomChance(random)
    after, events = _ruling(resolve(state, letters, chance))
    return Played(state, letters, events, after, chance)


def _ruling(ruling) -> tuple[State, tuple[Event, ...]]:  # type: ignore[no-untyped-def]
    return ruling.state, ruling.events
