"""A computer opponent of five levels: it tries scripts on wars that look like this one to its seat.

The method is determinized Monte Carlo search (perfect-information Monte Carlo; Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012): hidden cards are dealt anew for each try. A turn is a whole script, of
which there are far too many for a tree; it is found by changing the best one so far ("online evolution": Justesen,
Mahlmann and Togelius, 2016), and each change has to race the best one on the same wars and dice, given up as soon as it
falls behind (Maron and Moore, "Hoeffding Races", 1994). A try is played by the rules themselves, and its end is judged
by `outlook`.

Nothing but a view and chance is asked, and no clock: levels differ in how many tries they make.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.chance import Chance
from pbem.games.extras import Thought
from pbem.games.kit.quick import QuickChance, quick
from pbem.games.rocknroll import outlook
from pbem.games.rocknroll.bot import choose
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.receipt import guessed
from pbem.games.rocknroll.rules import resolve
from pbem.games.rocknroll.state import State, View
from pbem.games.rocknroll.variations import Variations


class _Level(NamedTuple):
    """How much a level tries: scripts and dice altogether, wars at most for a script, and whether it begins from the
    plan of the simple player."""

    tries: int
    worlds: int
    is_planned: bool = True


_LEVELS: Mapping[int, _Level] = {
    1: _Level(60, 8, is_planned=False),
    2: _Level(300, 16, is_planned=False),
    3: _Level(800, 32),
    4: _Level(5000, 64),
    5: _Level(20000, 128),
}
_FIRST = 4
"""Wars on which orders are looked at first; each time twice as many if it does not fall behind."""
_THOUGHT = 500
"""Tries between two thoughts."""
_EXPECTED = {"Reroll attack": "1 with orders"}
"""Standing orders of a seat whose own are hidden."""
_PLANNED = 4
"""One of so many other orders is a plan of its own, which costs as much as some tries."""
_PLAN = 8


def think(view: View, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """Orders that a level comes to, better from one to the next."""
    if view.state.on_turn != seat:
        yield Thought(choose(view, seat), outlook.share(view.state, view.state.side_of(seat)))
        return
    search = _Search(view, seat, quick(chance))
    how = _LEVELS[level]
    best = _Tried(choose(view, seat) if how.is_planned else search.variations.simple(), [])
    due = search.valued(best, _FIRST)
    yield best.thought()
    while search.tries < how.tries:
        best = search.raced(best, how.worlds)
        if search.tries > due:
            due = search.tries + _THOUGHT
            yield best.thought()
    yield best.thought()


def weigh(view: View, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> list[float]:
    """The outlook that each of some orders of a seat leads to."""
    search, found = _Search(view, seat, quick(chance)), []
    for one in orders:
        tried = _Tried(one, [])
        search.valued(tried, _LEVELS[level].worlds)
        found.append(tried.thought().outlook)
    return found


class _Tried(NamedTuple):
    """Orders, and the outlook after them in one war after the other."""

    orders: Orders
    values: list[float]

    def thought(self) -> Thought:
        return Thought(self.orders, sum(self.values) / len(self.values))


class _Search:
    """Tries of a seat's orders on the same wars for all of them."""

    def __init__(self, view: View, seat: Seat, chance: QuickChance) -> None:
        self.view, self.seen, self.seat, self.chance = view, view.state, seat, chance
        self.side = view.state.side_of(seat)
        self.variations = Variations(view.state, seat, chance)
        self.standing = {one: view.state.standing.get(one, _EXPECTED) for one, _ in view.state.seats}
        self.wars: list[tuple[State, int]] = []
        self.tries = 0

    def raced(self, best: _Tried, worlds: int) -> _Tried:
        """The better one of the best orders so far and a change to them."""
        changed = _Tried(self._other(best.orders), [])
        if changed.orders == best.orders:
            self.tries += 1
            return best
        size = _FIRST
        while True:
            size = min(size, worlds)
            self.valued(best, size)
            self.valued(changed, size)
            gains = [new - old for old, new in zip(best.values, changed.values, strict=False)]
            gain = sum(gains) / size
            error = (sum((one - gain) ** 2 for one in gains)) ** 0.5 / size
            if size == worlds:
                return changed if gain > error else best
            if gain <= -error / 2:
                return best
            size *= 2

    def _other(self, orders: Orders) -> Orders:
        """Other orders: changed ones, or what the simple player likes today."""
        if self.chance.pick(_PLANNED):
            return self.variations.changed(orders)
        self.tries += _PLAN
        return choose(self.view, self.seat, self.chance)

    def valued(self, tried: _Tried, number: int) -> int:
        """See that orders are tried in so many wars; how many tries there have been."""
        for at in range(len(tried.values), number):
            state, seed = self._war(at)
            after = resolve(state, {self.seat: tried.orders}, QuickChance(seed)).state
            tried.values.append(outlook.share(after, self.side))
            self.tries += 1
        return self.tries

    def _war(self, number: int) -> tuple[State, int]:
        """A war that looks like this one, and the seed of its dice."""
        while number >= len(self.wars):
            state = replace(guessed(self.seen, self.chance), standing=self.standing)
            self.wars.append((state, self.chance.pick(1 << 31)))
        return self.wars[number]
