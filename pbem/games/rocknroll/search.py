"""A computer opponent with five levels, which tries out scripts in wars that its seat cannot tell from the real one.

The method is determinized Monte Carlo search (perfect-information Monte Carlo; Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012): hidden cards are dealt again for each of these wars. A turn is a whole
script, and there are far too many scripts for a tree. Instead, the search mutates the best script so far ("online
evolution": Justesen, Mahlmann and Togelius, 2016). Each mutation races the best script in the same wars with the same
dice, and is dropped as soon as it falls behind (Maron and Moore, "Hoeffding Races", 1994). Now and then, a new plan of
the simple player (`bot`) races in place of a mutation. A try is played by the actual rules, and its result is judged by
`win_share`.

The search depends only on a view and on chance, not on a clock: a level limits the number of tries, not the time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import Thought
from pbem.games.chance import Chance
from pbem.games.kit.quick import QuickChance, quick
from pbem.games.rocknroll import win_share
from pbem.games.rocknroll.bot import choose
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.receipt import guessed
from pbem.games.rocknroll.rules import resolve
from pbem.games.rocknroll.state import State, View
from pbem.games.rocknroll.variations import Variations


class _Level(NamedTuple):
    """The effort of a level. `tries` is the total number of tries with different scripts and dice, and `worlds` is the
    largest number of wars for one script. `start` names the orders that the search starts from: those of a player who
    knows only the rules (`simple`), those of the simple player with random errors (`mood`), or the simple player's best
    (`plan`). `plays_on` says whether each war is played on to the end of the round."""

    tries: int
    worlds: int
    start: Literal["simple", "mood", "plan"] = "plan"
    plays_on: bool = False


_LEVELS: Mapping[int, _Level] = {
    1: _Level(60, 8, "simple"),
    2: _Level(0, 8, "mood"),
    3: _Level(20, 4),
    4: _Level(1000, 16),
    5: _Level(9000, 32, plays_on=True),
}
_FIRST = 4
"""The number of wars in which new orders are first compared with the best ones. It is doubled as long as the new orders
do not fall behind."""
_THOUGHT = 500
"""The number of tries between two reported thoughts."""
_EXPECTED = {"Reroll attack": "1 with orders"}
"""The standing orders that are assumed for a seat whose orders are hidden."""
_PLANNED = 4
"""On average, one in this many alternatives is a new plan of the simple player."""
_PLAN, _REPLY = 8, 6
"""The costs, counted in tries, of a new plan and of the turn of another seat."""
_WEIGHED = 64
"""The number of wars in which `weigh` judges each of the given orders."""


def think(view: View, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """Yield ever better orders for `seat`, as a search at the given level finds them, each time with the expected share
    of the win."""
    if view.state.on_turn != seat:
        yield Thought(choose(view, seat), win_share.share(view.state, view.state.side_of(seat)))
        return
    how = _LEVELS[level]
    search = _Search(view, seat, how, quick(chance))
    best = _Tried(search.start(), [])
    due = search.valued(best, _FIRST)
    yield best.thought()
    while search.tries < how.tries:
        best = search.raced(best)
        if search.tries > due:
            due = search.tries + _THOUGHT
            yield best.thought()
    yield best.thought()


def weigh(view: View, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> list[float]:
    """Return the shares of the win that `seat` can expect after each of the given orders."""
    search, shares = _Search(view, seat, _LEVELS[level], quick(chance)), []
    for letter in orders:
        tried = _Tried(letter, [])
        search.valued(tried, _WEIGHED)
        shares.append(tried.thought().win_share)
    return shares


class _Tried(NamedTuple):
    """Orders that were tried, and the share of the win after them in each war."""

    orders: Orders
    values: list[float]

    def thought(self) -> Thought:
        return Thought(self.orders, sum(self.values) / len(self.values))


class _Search:
    """A search for a seat's best orders, in which all candidates are tried in the same wars."""

    def __init__(self, view: View, seat: Seat, level: _Level, chance: QuickChance) -> None:
        self.view, self.seat, self.level, self.chance = view, seat, level, chance
        self.side = view.state.side_of(seat)
        self.variations = Variations(view.state, seat, chance)
        self.standing = {name: view.state.standing.get(name, _EXPECTED) for name, _ in view.state.seats}
        self.wars: list[tuple[State, int]] = []
        self.tries = 0

    def start(self) -> Orders:
        """Return the orders from which the level starts."""
        if self.level.start == "simple":
            return self.variations.simple()
        return choose(self.view, self.seat, self.chance if self.level.start == "mood" else None)

    def raced(self, best: _Tried) -> _Tried:
        """Race a variation of `best`, the best orders so far, against `best` itself, and return the winner."""
        changed = _Tried(self._alternative(best.orders), [])
        if changed.orders == best.orders:
            self.tries += 1
            return best
        size, worlds = _FIRST, self.level.worlds
        while True:
            size = min(size, worlds)
            self.valued(best, size)
            self.valued(changed, size)
            gains = [new - old for old, new in zip(best.values, changed.values, strict=False)]
            gain = sum(gains) / size
            error = (sum((value - gain) ** 2 for value in gains)) ** 0.5 / size
            if size == worlds:
                return changed if gain > error else best
            if gain <= -error / 2:
                return best
            size *= 2

    def _alternative(self, orders: Orders) -> Orders:
        """Return orders to try instead of `orders`: a mutation of these, or a plan of the simple player with random
        errors."""
        if self.level.start == "simple" or self.chance.pick(_PLANNED):
            return self.variations.changed(orders)
        self.tries += _PLAN
        return choose(self.view, self.seat, self.chance)

    def valued(self, tried: _Tried, number: int) -> int:
        """Ensure that the orders in `tried` have been tried in `number` wars; return the total number of tries of the
        search."""
        for at in range(len(tried.values), number):
            tried.values.append(self._value(tried.orders, *self._war(at)))
        return self.tries

    def _value(self, orders: Orders, war: State, seed: int) -> float:
        """Return the share of the win after `orders` are played in `war` or, at levels that play on, after the rest of
        the round. The simple player chooses the orders for all other turns of the round."""
        dice = QuickChance(seed)
        after = resolve(war, {self.seat: orders}, dice).state
        self.tries += 1
        while self.level.plays_on and after.round == war.round and (on_turn := after.on_turn):
            after = resolve(after, {on_turn: choose(View(after, on_turn), on_turn)}, dice).state
            self.tries += _REPLY
        return win_share.share(after, self.side)

    def _war(self, number: int) -> tuple[State, int]:
        """Return war `number`, which the seat cannot tell from the real one, and the seed of its dice."""
        while number >= len(self.wars):
            state = replace(guessed(self.view.state, self.chance), standing=self.standing)
            self.wars.append((state, self.chance.pick(1 << 31)))
        return self.wars[number]
