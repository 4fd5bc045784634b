"""Rounds to come: a round is only good if those that follow can be paired, too, so that nobody meets twice.

Several rounds are sought at once as a router seeks its wires: each takes the pairs that clash least with those of the
others, and a pair that two rounds have wanted is dearer to both from then on, until no two rounds want the same.
L. McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs" (1995). It finds nearly
all that there is, and what it finds is right; nothing is left to chance.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import chain, combinations

_Pair = tuple[int, int]
_Round = Sequence[_Pair]

FARTHEST = 16
"""How many rounds it looks ahead: all of them, for up to 32 players."""

_ATTEMPTS = 30


def cheapest_pairs(costs: Sequence[Sequence[int]]) -> list[_Pair]:
    """All of 0, 1, ... in pairs, the smaller first, in order; their costs have the least sum that there is.

    `costs[a][b]` is what a pair costs, the same as `costs[b][a]`; it may be below zero. `costs[a][a]` means nothing.
    Of several such matchings it is always the same one. Raises ValueError for an odd number.
    """
    import networkx  # when a round is paired, and not before

    if len(costs) % 2:
        raise ValueError(f"{len(costs)} cannot be put into pairs.")
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, costs[one][other]) for one, other in combinations(range(len(costs)), 2))
    return sorted((min(pair), max(pair)) for pair in networkx.min_weight_matching(graph))


def farsighted(size: int, free: Set[_Pair], costs: Mapping[_Pair, int], rounds: int) -> list[_Pair] | None:
    """The pairs of 0 to `size` - 1 for a round, after which as many `rounds` as possible of free pairs can follow.

    The cheapest pairs by `costs` if those will do, else cheap ones; None if there is no round of free pairs at all.
    A pair has the smaller number first. `rounds` counts this one.
    """
    cheapest = _cheapest(size, {pair: costs[pair] for pair in free})
    if not {*cheapest} <= free:
        return None
    ways = Counter(chain.from_iterable(free))
    fewest = min((ways[one] for one in range(size)), default=0)
    if 2 * (fewest - 1) >= size:  # Dirac: any round leaves one, and it is looked at again before the next
        return cheapest
    for number in range(min(rounds, fewest, FARTHEST), 1, -1):
        known = disjoint_rounds(size, free, number)
        if known:
            return cheapest if disjoint_rounds(size, free - {*cheapest}, number - 1) else _cheapest_of(known, costs)
    return cheapest


def disjoint_rounds(size: int, free: Set[_Pair], number: int) -> list[_Round]:
    """So many rounds of free pairs, no pair in two of them; none at all if they are not found."""
    found: list[_Round] = [()] * number
    wanted: Counter[_Pair] = Counter()  # by how many of the rounds
    dear: Counter[_Pair] = Counter()
    for _ in range(_ATTEMPTS):
        for at, before in enumerate(found):
            if before and all(wanted[pair] == 1 for pair in before):
                continue
            wanted.subtract(before)
            found[at] = _cheapest(size, {pair: wanted[pair] * (1 + dear[pair]) for pair in free})
            if not {*found[at]} <= free:
                return []
            wanted.update(found[at])
        clashes = [pair for pair, rounds in wanted.items() if rounds > 1]
        if not clashes:
            return found
        dear.update(clashes)
    return []


def _cheapest(size: int, costs: Mapping[_Pair, int]) -> list[_Pair]:
    """The cheapest pairs of those that have costs; others only where it does not work without."""
    never = 1 + size * max(costs.values(), default=0)
    table = [[never] * size for _ in range(size)]
    for (one, other), cost in costs.items():
        table[one][other] = table[other][one] = cost
    return cheapest_pairs(table)


def _cheapest_of(rounds: Sequence[_Round], costs: Mapping[_Pair, int]) -> list[_Pair]:
    """The cheapest of some rounds, made cheaper by swaps with the others after which all are still rounds."""
    best, *others = sorted(({*one} for one in rounds), key=lambda one: sum(costs[pair] for pair in one))
    better = True
    while better:
        better = False
        for other in others:
            for cycle in _cycles(best ^ other):
                if sum(costs[pair] for pair in best & cycle) > sum(costs[pair] for pair in other & cycle):
                    best.symmetric_difference_update(cycle)
                    other.symmetric_difference_update(cycle)
                    better = True
    return sorted(best)


def _cycles(pairs: Set[_Pair]) -> list[set[_Pair]]:
    """Pairs that two rounds do not share, in parts that have nobody in common, each a cycle."""
    parts: list[set[_Pair]] = []
    for pair in sorted(pairs):
        touched = [part for part in parts if {*pair} & {*chain.from_iterable(part)}]
        parts = [part for part in parts if part not in touched] + [{pair}.union(*touched)]
    return parts
