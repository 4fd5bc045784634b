"""Games of Ozz from beginning to end, and players who write any legal letter."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from pbem.games import find_game
from pbem.games.base import Event, Seat
from pbem.games.chance import Chance
from pbem.games.ozz import orders
from pbem.games.ozz.hints import flyers, stacks, ways
from pbem.games.ozz.orders import Item, Orders
from pbem.games.ozz.rules import awaiting, resolve
from pbem.games.ozz.state import State
from support.ozz_letters import letter

GAME: Any = find_game("ozz")
Player = Callable[[Random, State, Seat], Orders]


class RandomChance:
    """Chance from a Random."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def die(self, sides: int) -> int:
        return self._random.randint(1, sides)

    def pick(self, number: int) -> int:
        return self._random.randrange(number)


class Round(NamedTuple):
    """The start of a round, its letters, and its result."""

    before: State
    letters: Mapping[Seat, Orders]
    events: tuple[Event, ...]
    after: State


def thinking(random: Random, state: State, seat: Seat) -> Orders:
    """Choose orders like the computer player, which sees what its seat sees."""
    orders: Orders = GAME.choose(GAME.view(state, seat), seat)
    return orders


def at_random(random: Random, state: State, seat: Seat) -> Orders:
    """Choose any legal orders."""
    return letter(state, seat, random) if state.battle else Orders(tuple(_map_items(random, state, seat)))


def play(random: Random, players: Mapping[Seat, Player], **options: Any) -> list[Round]:
    """Play a game, and return its rounds."""
    chance: Chance = RandomChance(random)
    state, rounds = GAME.new(options, chance), list[Round]()
    while asked := awaiting(state):
        letters = {seat: players[seat](random, state, seat) for seat in asked}
        ruling = resolve(state, letters, chance)
        rounds.append(Round(state, letters, ruling.events, ruling.state))
        state = ruling.state
    return rounds


def _some(random: Random, codes: tuple[str, ...], least: int = 0) -> tuple[str, ...]:
    return tuple(random.sample(codes, random.randint(least, len(codes))))


def _map_items(random: Random, state: State, seat: Seat) -> list[Item]:
    items: list[Item] = []
    data, switches = state.data, state.options.switches
    own = stacks(state, seat)
    for point, codes in own.items():
        chosen, winged = _some(random, codes), flyers(state, codes)
        far = [end for end in data.points if end != point and data.in_reach(point, end)]
        if winged and far and random.random() < 0.2:
            items.append(orders.Fly(winged, (point, random.choice(far))))
        elif chosen:
            way = random.choice([*ways(state, seat, point).values()])
            drop = _some(random, chosen)[:-1] if len(way) > 2 and len(chosen) > 1 else ()
            items.append(orders.Move(chosen, way, drop))
    heroes = [code for codes in own.values() for code in codes if data.counters[code].kind == "hero"]
    items += [
        orders.Recruit(code, random.choice(("pool", "special", "none"))) for code in heroes if random.random() < 0.3
    ]
    for point in data.centers:
        mine = data.points[point].nation == seat
        if data.points[point].nation not in state.seats or point in state.razed:
            continue
        if mine and switches.garrison and random.random() < 0.2:
            items.append(orders.Garrison(point, random.randint(0, 1)))
        if switches.honors and random.random() < 0.2:
            items.append(orders.Honors("accept" if mine else "offer", point))
    if random.random() < 0.3:
        items.append(orders.Retreat(random.choice((None, 0, 2, 4))))
    return items
