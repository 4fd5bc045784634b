"""Seating for games with more than two players: the tables of each round, and the seats of the players at each table.

There are two goals: all players sit out, or play at a smaller table, equally often, and all pairs of players meet
equally often. With few players, all divisions into tables are tried; with more, pairs of players swap places as long as
that improves the result. Nothing is random: the same players always get the same rounds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import factorial, inf, prod
from typing import NamedTuple

from pbem.tournament.pairing import Pairing

_Tables = tuple[tuple[int, ...], ...]

_ALL_WAYS = 3000
"""If there are at most this many ways to divide the players, all of them are tried. At tables of four, this is the case
for up to ten players."""

_FEW = 24
"""The maximum number of players for which earlier rounds are improved again whenever a new round is found. With more
players, that would take too long."""


class Seating(NamedTuple):
    """The rules for seating players at the tables of a game."""

    most: int  # players at a full table
    seats: int  # seats in the game
    fewer: bool  # whether a smaller table can be played
    meetings: bool = False  # whether equal meetings matter more than equal numbers of smaller tables

    def sizes(self, players: int) -> tuple[int, ...]:
        """Return the sizes of the tables of a round, largest first: as few tables as possible, of sizes as equal as
        possible. For example, nine players at tables of up to four form three tables of three. If the game needs full
        tables, the players left over have a bye."""
        if not self.fewer:
            return (self.most,) * (players // self.most)
        tables = -(-players // self.most)
        return tuple(players // tables + (at < players % tables) for at in range(tables)) if players > 1 else ()


class Past(NamedTuple):
    """Counts of what happened in earlier rounds."""

    met: Mapping[frozenset[int], int] = {}  # how often each pair of players has met
    had: Mapping[tuple[int, int], int] = {}  # how often each player had each seat, which is an index
    less: Mapping[int, int] = {}  # how often each player sat at a smaller table or had a bye


def past_of(rounds: Iterable[Pairing], most: int) -> Past:
    """Count what happened in `rounds`: the meetings, the seats, and the smaller tables and byes. In a round without
    games, `most` is taken as the size of a full table."""
    met, had, less = Counter[frozenset[int]](), Counter[tuple[int, int]](), Counter[int]()
    for round_ in rounds:
        full = max([len(game) for game in round_.games], default=most)
        for game, seats in zip(round_.games, round_.seated, strict=True):
            met.update(frozenset(pair) for pair in combinations(game, 2))
            had.update(zip(game, seats, strict=True))
            less.update(game if len(game) < full else ())
        less.update(round_.byes)
    return Past(met, had, less)


def rounds_of_tables(players: Sequence[int], shape: Seating, rounds: int = 0, cycles: int = 1) -> tuple[Pairing, ...]:
    """Return rounds in which all pairs meet as nearly equally often as possible; `players` are in seeding order.

    If `rounds` is 0, there are as few rounds as can be found in which all players meet each other `cycles` times.
    """
    if not shape.sizes(len(players)):
        return ()
    return tuple(_with_seats(_rounds(players, shape, rounds, cycles), players, shape))


def next_tables(points: Mapping[int, float], past: Past, shape: Seating) -> Pairing | None:
    """Return the next round of a Swiss tournament: players who have met least often sit together, and among these,
    players who are close in points. Return None if there are too few players.

    `points` contains the points of all players, in seeding order. Byes go to the lowest scores.
    """
    players = sorted(points, key=lambda player: -points[player])
    if not shape.sizes(len(players)):
        return None
    tables = _divided({player: points[player] for player in players}, shape, past)
    return _pairing([_fairest(table, past, shape) for table in tables], _out(tables, players))


# Rounds


def _rounds(players: Sequence[int], shape: Seating, rounds: int, cycles: int) -> list[_Tables]:
    chosen: list[_Tables] = []
    while len(chosen) < rounds or not rounds:
        chosen.append(_one_of(chosen, players, shape))
        if not rounds and len(players) <= _FEW:
            chosen = _mended(chosen, players, shape)
        if not rounds and _least(chosen, players) >= cycles:
            break
    return _mended(chosen, players, shape) if len(players) <= _FEW else chosen


def _least(rounds: Sequence[_Tables], players: Sequence[int]) -> int:
    """Return how often the two players who have met least often have met."""
    met = _past(rounds, players).met
    return min(met.get(frozenset(pair), 0) for pair in combinations(players, 2))


def _past(rounds: Iterable[_Tables], players: Sequence[int]) -> Past:
    return past_of([Pairing(tables, _out(tables, players)) for tables in rounds], 0)


def _one_of(others: Sequence[_Tables], players: Sequence[int], shape: Seating) -> _Tables:
    """Return one more round, which fits the `others` best."""
    return _divided(dict.fromkeys(players, 0), shape, _past(others, players))


def _mended(rounds: list[_Tables], players: Sequence[int], shape: Seating) -> list[_Tables]:
    """Replace one round at a time with a round that fits all the others better, as long as the result improves; return
    the rounds."""
    best = _worth(rounds, players, shape)
    while True:
        for at in range(len(rounds)):
            others = [*rounds[:at], *rounds[at + 1 :]]
            changed = [*others[:at], _one_of(others, players, shape), *others[at:]]
            if _worth(changed, players, shape) < _worth(rounds, players, shape):
                rounds = changed
        if (now := _worth(rounds, players, shape)) >= best:
            return rounds
        best = now


def _worth(rounds: Sequence[_Tables], players: Sequence[int], shape: Seating) -> tuple[int, int]:
    """Return how unevenly players meet, and how unevenly they sit out or play at smaller tables, with the more
    important measure first. Less is better."""
    past = _past(rounds, players)
    pairs = [past.met.get(frozenset(pair), 0) for pair in combinations(players, 2)]
    smaller = sum(number**2 for number in past.less.values())
    meetings = sum(2 * met**2 + 3 * (not met) for met in pairs)
    return (meetings, smaller) if shape.meetings and shape.fewer else (smaller, meetings)


def _out(tables: _Tables, players: Sequence[int]) -> tuple[int, ...]:
    """Return the players who sit at no table, and so have a bye."""
    sitting = {player for table in tables for player in table}
    return tuple(player for player in players if player not in sitting)


# One round


class _Costs(NamedTuple):
    """The costs of a round: for two players at one table, and for a player at a smaller table or with a bye."""

    pair: Mapping[tuple[int, int], int]
    less: Mapping[int, int]

    def total(self, tables: Sequence[Sequence[int]], byes: Iterable[int]) -> int:
        """Return the total cost of a round with the given `tables` and `byes`."""
        full = max(map(len, tables))
        small = [player for table in tables if len(table) < full for player in table]
        together = sum(self.pair[pair] for table in tables for pair in combinations(sorted(table), 2))
        return together + sum(self.less[player] for player in (*small, *byes))


def _divided(points: Mapping[int, float], shape: Seating, past: Past) -> _Tables:
    """Divide the players in `points` into tables at the lowest cost that can be found.

    Smaller tables and byes cost most, and a bye for a player above the lowest score a little more than others. Repeated
    meetings come next, or first if smaller tables can be played and `shape.meetings` is set. Unequal points at a table
    cost least. Tables are sorted by size, and the players at a table keep the order of `points`.
    """
    players, sizes = [*points], shape.sizes(len(points))
    places = range(len(players))
    pairs = [*combinations(places, 2)]
    met = {(a, b): past.met.get(frozenset((players[a], players[b])), 0) for a, b in pairs}
    # what one more meeting adds to `2 * met**2 + 3 * (not met)` in `_worth`
    again = {pair: 4 * times + 2 - (0 if times else 3) for pair, times in met.items()}
    gaps = {(a, b): round(100 * (points[players[a]] - points[players[b]])) ** 2 for a, b in pairs}
    least = min(points.values())
    low = {player: 0 if shape.fewer else round(100 * (points[player] - least)) for player in players}
    lowest = 1 + sum(low.values())
    less = {at: lowest * (2 * past.less.get(player, 0) + 1) + low[player] for at, player in enumerate(players)}
    unit = 1 + sum(gaps.values())
    if shape.meetings and shape.fewer:
        less, unit = {at: unit * cost for at, cost in less.items()}, unit * (1 + sum(less.values()))
        pair = {both: unit * again[both] + gaps[both] for both in pairs}
    else:
        pair = {both: unit * again[both] + gaps[both] for both in pairs}
        unit = 1 + sum(map(abs, pair.values()))
        less = {at: unit * cost for at, cost in less.items()}
    costs = _Costs(pair, less)
    ways = _all_ways(len(players), sizes) if _number(len(players), sizes) <= _ALL_WAYS else _tried(sizes, costs, places)
    best, cheapest = None, inf
    for tables, byes in ways:
        if (cost := costs.total(tables, byes)) < cheapest:
            best, cheapest = tables, cost
    ordered = sorted((tuple(sorted(table)) for table in best or ()), key=lambda table: (-len(table), table))
    return tuple(tuple(players[at] for at in table) for table in ordered)


_Way = tuple[Sequence[Sequence[int]], Sequence[int]]


def _number(players: int, sizes: Sequence[int]) -> int:
    """Return the number of ways to divide players into tables of the given `sizes`."""
    byes = players - sum(sizes)
    same = prod(map(factorial, Counter(sizes).values()))
    return factorial(players) // (factorial(byes) * prod(map(factorial, sizes)) * same)


def _all_ways(players: int, sizes: Sequence[int]) -> Iterator[_Way]:
    """Yield every way to divide players into tables of the given `sizes` once; tables of equal size are ordered by
    their first players."""

    def ways(free: tuple[int, ...], remaining: Sequence[int], after: int) -> Iterator[_Way]:
        if not remaining:
            yield (), free
            return
        for table in combinations(free, remaining[0]):
            if table[0] > after:
                rest = tuple(player for player in free if player not in table)
                same = len(remaining) > 1 and remaining[1] == remaining[0]
                for tables, byes in ways(rest, remaining[1:], table[0] if same else -1):
                    yield (table, *tables), byes

    return ways(tuple(range(players)), sizes, -1)


def _tried(sizes: Sequence[int], costs: _Costs, places: Sequence[int]) -> Iterator[_Way]:
    """Yield a few ways to divide the players, each of which cannot be improved by swapping two players."""
    for start in range(8 if len(places) <= _FEW else 3):
        order = sorted(places, key=lambda at: (at * (2 * start + 1) * 2654435761) % 2**32) if start else [*places]
        tables = [order[at :: len(sizes)][:size] for at, size in enumerate(sizes)]
        sitting = {at for table in tables for at in table}
        byes = [at for at in order if at not in sitting]
        for table, size in zip(tables, sizes, strict=True):
            while len(table) < size:
                table.append(byes.pop())
        yield _settled([*tables, byes], costs)


def _settled(groups: list[list[int]], costs: _Costs) -> _Way:
    """Improve a division by swapping two players, each time with the best swap, until no swap helps. The last of
    `groups` contains the players with byes."""
    full = max(len(group) for group in groups[:-1])
    alone = [len(group) < full or at == len(groups) - 1 for at, group in enumerate(groups)]

    def pair(first: int, second: int) -> int:
        return costs.pair[(first, second) if first < second else (second, first)]

    def with_all(player: int, at: int) -> int:
        """Return the cost of placing `player` in `groups[at]` with the other members of that group."""
        beside = (
            0
            if at == len(groups) - 1
            else sum(pair(player, neighbour) for neighbour in groups[at] if neighbour != player)
        )
        return beside + costs.less[player] * alone[at]

    while True:
        cost = {(player, at): with_all(player, at) for group in groups for player in group for at in range(len(groups))}
        best = (0, 0, 0, 0, 0)
        for first_group, second_group in combinations(range(len(groups)), 2):
            twice = 1 + (second_group < len(groups) - 1)
            for first in groups[first_group]:
                for second in groups[second_group]:
                    change = (
                        cost[first, second_group]
                        + cost[second, first_group]
                        - cost[first, first_group]
                        - cost[second, second_group]
                    )
                    best = min(best, (change - twice * pair(first, second), first, second, first_group, second_group))
        change, first, second, first_group, second_group = best
        if not change:
            return groups[:-1], groups[-1]
        groups[first_group][groups[first_group].index(first)] = second
        groups[second_group][groups[second_group].index(second)] = first


# Seats


def _with_seats(rounds: Sequence[_Tables], players: Sequence[int], shape: Seating) -> Iterator[Pairing]:
    """Yield the rounds with a seat for every player. For each player, the numbers of games in any two seats differ by
    at most one."""
    tables = [table for round_ in rounds for table in round_]
    edges = [(player, at) for at, table in enumerate(tables) for player in table]
    seats = iter(_balanced(edges, [at for table in tables for at in range(len(table))], shape.seats))
    for round_ in rounds:
        yield _pairing([[(next(seats), player) for player in table] for table in round_], _out(round_, players))


def _pairing(games: Iterable[Iterable[tuple[int, int]]], byes: tuple[int, ...]) -> Pairing:
    """Create the pairing of a round from the pairs of seat and player in each game, and the byes."""
    ordered = [sorted(game) for game in games]
    places, players = (tuple(tuple(seated[part] for seated in game) for game in ordered) for part in (0, 1))
    return Pairing(players, byes, seats=places)


_Edge = tuple[int, int]


def _balanced(edges: Sequence[_Edge], seats: Sequence[int], number: int) -> list[int]:
    """Assign one of `number` seats to each edge (a player at a table), starting from `seats`, so that for each player
    and each table the counts of any two seats differ by at most one. In `seats`, no seat occurs twice at a table; so
    this is also true of the result.

    This is an equitable colouring of the edges of a bipartite graph (D. de Werra, 1971): as long as two seats of a
    player have counts too far apart, all edges with either seat are divided anew between the two.
    """
    chosen, uneven = [*seats], True
    while uneven:
        uneven = False
        for pair in combinations(range(number), 2):
            pair_edges = [at for at, seat in enumerate(chosen) if seat in pair]
            surplus = Counter[int]()
            for at in pair_edges:
                surplus[edges[at][0]] += 1 if chosen[at] == pair[0] else -1
            if any(abs(count) > 1 for count in surplus.values()):
                uneven = True
                for at, half in _halves([edges[at] for at in pair_edges]).items():
                    chosen[pair_edges[at]] = pair[half]
    return chosen


def _halves(edges: Sequence[_Edge]) -> dict[int, int]:
    """Assign each edge to half 0 or 1, so that every player and every table has nearly equally many edges in both
    halves.

    The halves alternate along closed walks, which have even length in a bipartite graph. An extra node on each side of
    the graph is connected to all nodes of odd degree on the other side.
    """
    ends: dict[tuple[int, int], list[int]] = {}  # the edges at a player, (0, number), or a table, (1, number)
    whole = [((0, player), (1, table)) for player, table in edges]
    odd = Counter(end for edge in whole for end in edge)
    extra = ((0, -1), (1, -1))
    whole += [(end, extra[1]) if end[0] == 0 else (extra[0], end) for end, times in sorted(odd.items()) if times % 2]
    if sum(extra[0] in edge for edge in whole) % 2:
        whole.append(extra)
    for at, edge in enumerate(whole):
        for end in edge:
            ends.setdefault(end, []).append(at)
    half: dict[int, int] = {}
    for start in whole:
        position = start[0]
        while free := [at for at in ends[position] if at not in half]:
            half[free[0]] = position[0]  # 0 on the way from a player to a table, 1 on the way back
            position = whole[free[0]][1 - position[0]]
    return {at: half[at] for at in range(len(edges))}


def _fairest(table: Sequence[int], past: Past, shape: Seating) -> list[tuple[int, int]]:
    """Return the players at `table` with their seats, as pairs of seat and player, so that the players have had these
    seats as rarely as possible."""
    best = min(
        permutations(range(shape.seats), len(table)),
        key=lambda seats: sum(past.had.get(sitting, 0) for sitting in zip(table, seats, strict=True)),
    )
    return [*zip(best, table, strict=True)]
