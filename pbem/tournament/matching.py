"""Pairs that leave nobody out and cost least: Edmonds' algorithm, in time of about the third power.

Everybody has a price, and so has each *blossom*: an odd cycle of players, any of whom could be paired outside of it. No
two of different blossoms ever pay more than their pair costs; a pair is *tight* if they pay just that, and only tight
pairs are made. So in the end all together pay what the pairs cost, and no other pairs could cost less.

J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices" (1965); Z. Galil, "Efficient algorithms for finding
maximum matching in graphs" (1986). All numbers are whole, of any size, and nothing is left to chance.
"""

from collections.abc import Sequence
from enum import Enum
from heapq import heappop, heappush
from itertools import count

_Pair = tuple[int, int]

_NOBODY = -1


def cheapest_pairs(costs: Sequence[Sequence[int]]) -> list[_Pair]:
    """All of 0, 1, ... in pairs, the smaller first, in order; their costs have the least sum that there is.

    `costs[a][b]` is what a pair costs, the same as `costs[b][a]`; it may be below zero. `costs[a][a]` means nothing.
    Of several such matchings it is always the same one. Raises ValueError for an odd number.
    """
    if len(costs) % 2:
        raise ValueError(f"{len(costs)} cannot be put into pairs.")
    search = _Search(costs)
    for one in range(len(costs)):
        if search.mate[one] == _NOBODY:
            search.find_mate(one)
    return [(one, other) for one, other in enumerate(search.mate) if one < other]


class _Mark(Enum):
    """Where a blossom stands in the tree of a search: an even or an odd number of pairs from its root, or outside."""

    OUTER = 1
    INNER = -1
    OUTSIDE = 0


class _Blossom:
    """Somebody alone, or an odd cycle of blossoms, all but the first of which are paired with each other.

    `links[i]` is the tight pair that joins `parts[i]` to the next one, each end in its part. `entry` is the pair by
    which the tree came here, the end nearer to the root first; the root has none. `price` is never below zero.
    """

    __slots__ = ("entry", "links", "mark", "members", "parts", "price")

    def __init__(self, members: list[int], parts: "Sequence[_Blossom]" = (), links: Sequence[_Pair] = ()) -> None:
        self.members = members
        self.parts = [*parts]
        self.links = [*links]
        self.price = 0
        self.mark = _Mark.OUTSIDE
        self.entry: _Pair | None = None

    @property
    def base(self) -> int:
        """The one of them who is paired with somebody outside, or with nobody."""
        blossom = self
        while blossom.parts:
            blossom = blossom.parts[0]
        return blossom.members[0]

    def holding(self, member: int) -> int:
        """Which of the parts somebody is in."""
        return next(at for at, part in enumerate(self.parts) if member in part.members)

    def way_to_base(self, at: int) -> tuple[list[int], list[_Pair]]:
        """The way round the cycle with an even number of steps, from a part to the first: its parts and its links.

        It begins with a step to the part that this one is paired with, if it is not the first itself.
        """
        size = len(self.parts)
        if at % 2:
            steps = range(at, size)
            return [step % size for step in (*steps, size)], [self.links[step] for step in steps]
        back = [*range(at, -1, -1)]
        return back, [self.links[step][::-1] for step in back[1:]]


class _Search:
    """Grows a tree of tight pairs from somebody who is alone until it reaches another who is.

    `now` is how much the outer ones pay more than when the search began; `events` is what becomes possible when. Costs
    are doubled, so that prices stay whole.
    """

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.costs = [[2 * cost for cost in row] for row in costs]
        self.size = len(costs)
        self.mate = [_NOBODY] * self.size
        self.blossoms = [_Blossom([one]) for one in range(self.size)]  # the outermost that somebody is in
        self.prices = [min([*row[:at], *row[at + 1 :]]) for at, row in enumerate(costs)]
        self.begin()

    def begin(self) -> None:
        """Before a search: there is no tree."""
        for blossom in self.blossoms:
            blossom.mark, blossom.entry = _Mark.OUTSIDE, None
        self.now = 0
        self.nearest = [_NOBODY] * self.size  # who of the outer ones has the least slack to each
        self.events: list[tuple[int, int, _Pair | _Blossom]] = []
        self.order = count()

    def slack(self, one: int, other: int) -> int:
        """What two of different blossoms still could pay before their pair is tight."""
        return self.costs[one][other] - self.prices[one] - self.prices[other]

    def find_mate(self, root: int) -> None:
        """One pair more: somebody who is alone has a mate afterwards."""
        self.begin()
        self.add_outer(self.blossoms[root], None)
        while True:
            time, _, what = heappop(self.events)
            self.pay(time - self.now)
            if isinstance(what, _Blossom):
                if what.mark is _Mark.INNER and self.blossoms[what.members[0]] is what:
                    self.expand(what)
                continue
            one, other = what
            here, there = self.blossoms[one], self.blossoms[other]
            if here is there or there.mark is _Mark.INNER or self.slack(one, other):
                continue
            if there.mark is _Mark.OUTER:
                self.shrink(one, other)
            elif self.mate[there.base] == _NOBODY:
                self.augment(one, other)
                return
            else:
                self.grow(one, other)

    def pay(self, step: int) -> None:
        """Outer ones pay more and inner ones less; what is tight in the tree stays tight."""
        if not step:
            return
        self.now += step
        for blossom in dict.fromkeys(self.blossoms):
            change = step * blossom.mark.value
            if change:
                for member in blossom.members:
                    self.prices[member] += change
                if blossom.parts:
                    blossom.price += 2 * change

    # The tree

    def grow(self, one: int, other: int) -> None:
        """Two blossoms more: one outside that is reached by a tight pair, and the one that it is paired with."""
        inner = self.blossoms[other]
        self.add_inner(inner, (one, other))
        base = inner.base
        self.add_outer(self.blossoms[self.mate[base]], (base, self.mate[base]))

    def add_inner(self, blossom: _Blossom, entry: _Pair) -> None:
        blossom.mark, blossom.entry = _Mark.INNER, entry
        if blossom.parts:
            self.schedule(blossom.price // 2, blossom)

    def add_outer(self, blossom: _Blossom, entry: _Pair | None) -> None:
        blossom.mark, blossom.entry = _Mark.OUTER, entry
        self.look_round(blossom, blossom.members)

    def look_round(self, blossom: _Blossom, members: Sequence[int]) -> None:
        """Note when those who are outer from now on could be paired with whom."""
        for one in members:
            for other, there in enumerate(self.blossoms):
                if there is blossom:
                    continue
                slack = self.slack(one, other)
                if there.mark is _Mark.OUTER:
                    self.schedule(slack // 2, (one, other))
                    continue
                nearest = self.nearest[other]
                if nearest == _NOBODY or slack < self.slack(nearest, other):
                    self.nearest[other] = one
                    if there.mark is _Mark.OUTSIDE:
                        self.schedule(slack, (one, other))

    def schedule(self, time: int, what: "_Pair | _Blossom") -> None:
        """Something will be possible after some time."""
        heappush(self.events, (self.now + time, next(self.order), what))

    # Blossoms

    def shrink(self, one: int, other: int) -> None:
        """A tight pair of outer blossoms closes a cycle: it becomes one outer blossom."""
        here, there = self.way_to_root(one), self.way_to_root(other)
        shared = next(blossom for blossom in here if blossom in there)
        down, up = here[: here.index(shared)][::-1], there[: there.index(shared)]
        parts = [shared, *down, *up]
        links = [*(_entry(blossom) for blossom in down), (one, other), *(_entry(blossom)[::-1] for blossom in up)]
        blossom = _Blossom([member for part in parts for member in part.members], parts, links)
        blossom.mark, blossom.entry = _Mark.OUTER, shared.entry
        for member in blossom.members:
            self.blossoms[member] = blossom
        for part in parts:
            if part.mark is _Mark.INNER:
                self.look_round(blossom, part.members)

    def way_to_root(self, one: int) -> list[_Blossom]:
        blossom = self.blossoms[one]
        way = [blossom]
        while blossom.entry:
            blossom = self.blossoms[blossom.entry[0]]
            way.append(blossom)
        return way

    def expand(self, blossom: _Blossom) -> None:
        """An inner blossom that can pay no less falls apart; the even way through its cycle stays in the tree."""
        for part in blossom.parts:
            part.mark, part.entry = _Mark.OUTSIDE, None
            for member in part.members:
                self.blossoms[member] = part
        entry = _entry(blossom)
        way, links = blossom.way_to_base(blossom.holding(entry[1]))
        entries = [entry, *links]
        for at, step in enumerate(way):
            if at % 2 == 0:
                self.add_inner(blossom.parts[step], entries[at])
        for at, step in enumerate(way):
            if at % 2:
                self.add_outer(blossom.parts[step], entries[at])
        for part in blossom.parts:
            if part.mark is _Mark.OUTSIDE:
                for member in part.members:
                    nearest = self.nearest[member]
                    self.schedule(self.slack(nearest, member), (nearest, member))

    # Pairs

    def augment(self, one: int, other: int) -> None:
        """Whoever is on the way to the root gets another mate, and nobody there is alone any more."""
        while True:
            blossom = self.blossoms[one]
            self.pair(one, other)
            self.rotate(blossom, one)
            if blossom.entry is None:
                return
            inner = self.blossoms[blossom.entry[0]]
            one, other = _entry(inner)
            self.rotate(inner, other)

    def pair(self, one: int, other: int) -> None:
        self.mate[one], self.mate[other] = other, one

    def rotate(self, blossom: _Blossom, base: int) -> None:
        """Another one of a blossom becomes its base: who is left then are paired with each other."""
        if not blossom.parts:
            return
        at = blossom.holding(base)
        self.rotate(blossom.parts[at], base)
        way, links = blossom.way_to_base(at)
        for step in range(1, len(links), 2):
            one, other = links[step]
            self.pair(one, other)
            self.rotate(blossom.parts[way[step]], one)
            self.rotate(blossom.parts[way[step + 1]], other)
        blossom.parts = blossom.parts[at:] + blossom.parts[:at]
        blossom.links = blossom.links[at:] + blossom.links[:at]


def _entry(blossom: _Blossom) -> _Pair:
    assert blossom.entry is not None  # only the root of a tree has none
    return blossom.entry
