"""Pairings: round robins by the circle method, and Swiss rounds as a minimum-cost matching.

A round is only good if later rounds can be paired, too, without two players meeting again. Several rounds are therefore
sought at once, as a router lays the wires of a circuit: each round takes the pairs that clash least with the other
rounds, and a pair that two rounds want costs both of them more from then on, until no two rounds want the same pair.
This method is from L. McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs"
(1995). The search is deterministic. It finds nearly all solutions that exist, and every solution that it finds is
valid.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, combinations, groupby
from math import inf
from typing import NamedTuple

_Pair = tuple[int, int]
_Round = Sequence[_Pair]

FARTHEST = 16
"""The maximum number of rounds that the search looks ahead. With up to 32 players, it looks ahead to the last round."""

_ATTEMPTS = 30


def cheapest_pairs(costs: Sequence[Sequence[int]]) -> list[_Pair]:
    """Divide the numbers 0, 1, ..., the indexes of `costs`, into pairs at the minimum total cost. Each pair has the
    smaller number first, and the pairs are sorted.

    `costs[a][b]` is the cost of pairing `a` with `b` and must equal `costs[b][a]`; it may be negative. `costs[a][a]` is
    ignored. If several matchings are optimal, the choice between them is deterministic. Raises ValueError if the number
    of indexes is odd.
    """
    import networkx  # slow to import, and only needed to pair a round

    if len(costs) % 2:
        raise ValueError(f"{len(costs)} cannot be put into pairs.")
    graph = networkx.Graph()
    graph.add_weighted_edges_from(
        (first, second, costs[first][second]) for first, second in combinations(range(len(costs)), 2)
    )
    return sorted((min(pair), max(pair)) for pair in networkx.min_weight_matching(graph))


def farsighted(size: int, free: Set[_Pair], costs: Mapping[_Pair, int], rounds: int) -> list[_Pair] | None:
    """Divide the numbers from 0 to `size` - 1 into pairs from `free`, so that as many rounds as possible can be paired
    from `free` without repeating a pair: up to `rounds`, including this one.

    Return the cheapest pairs by `costs` if they allow that, otherwise cheap pairs that do. Return None if not even this
    round can be paired from `free`. Each pair has the smaller number first.
    """
    cheapest = _cheapest(size, {pair: costs[pair] for pair in free})
    if not {*cheapest} <= free:
        return None
    ways = Counter(chain.from_iterable(free))
    fewest = min((ways[place] for place in range(size)), default=0)
    if 2 * (fewest - 1) >= size:  # by Dirac's theorem, any round allows another; the next call checks again
        return cheapest
    for number in range(min(rounds, fewest, FARTHEST), 1, -1):
        disjoint = disjoint_rounds(size, free, number)
        if disjoint:
            return cheapest if disjoint_rounds(size, free - {*cheapest}, number - 1) else _cheapest_of(disjoint, costs)
    return cheapest


def disjoint_rounds(size: int, free: Set[_Pair], number: int) -> list[_Round]:
    """Return `number` rounds of pairs from `free`, such that no pair occurs in more than one round. Return an empty
    list if no such rounds are found."""
    chosen: list[_Round] = [()] * number
    wanted: Counter[_Pair] = Counter()  # the number of rounds that want each pair
    dear: Counter[_Pair] = Counter()
    for _ in range(_ATTEMPTS):
        for at, before in enumerate(chosen):
            if before and all(wanted[pair] == 1 for pair in before):
                continue
            wanted.subtract(before)
            chosen[at] = _cheapest(size, {pair: wanted[pair] * (1 + dear[pair]) for pair in free})
            if not {*chosen[at]} <= free:
                return []
            wanted.update(chosen[at])
        clashes = [pair for pair, rounds in wanted.items() if rounds > 1]
        if not clashes:
            return chosen
        dear.update(clashes)
    return []


def _cheapest(size: int, costs: Mapping[_Pair, int]) -> list[_Pair]:
    """Return the cheapest division of the numbers from 0 to `size` - 1 into pairs. Pairs that are not in `costs` are
    used only where they cannot be avoided."""
    never = 1 + size * max(costs.values(), default=0)
    table = [[never] * size for _ in range(size)]
    for (first, second), cost in costs.items():
        table[first][second] = table[second][first] = cost
    return cheapest_pairs(table)


def _cheapest_of(rounds: Sequence[_Round], costs: Mapping[_Pair, int]) -> list[_Pair]:
    """Return the cheapest of `rounds`, made even cheaper by exchanging pairs with the other rounds in such a way that
    all remain complete rounds."""
    best, *others = sorted(({*round_} for round_ in rounds), key=lambda round_: sum(costs[pair] for pair in round_))
    better = True
    while better:
        better = False
        for other_round in others:
            for cycle in _cycles(best ^ other_round):
                if sum(costs[pair] for pair in best & cycle) > sum(costs[pair] for pair in other_round & cycle):
                    best.symmetric_difference_update(cycle)
                    other_round.symmetric_difference_update(cycle)
                    better = True
    return sorted(best)


def _cycles(pairs: Set[_Pair]) -> list[set[_Pair]]:
    """Split `pairs`, which belong to one of two rounds but not to both, into parts that have no player in common. Each
    part is a cycle."""
    import networkx

    parts = networkx.connected_components(networkx.Graph([*pairs]))
    return [{pair for pair in pairs if pair[0] in part} for part in parts]


class Pairing(NamedTuple):
    """The games and byes of a round. Players are numbers, which have no further meaning here."""

    games: tuple[tuple[int, ...], ...]  # the top board first; players are in order of their seats
    byes: tuple[int, ...] = ()  # players who sit out
    # sentences about the rules that had to be broken; without names, so that each sentence can be translated as it is
    notes: tuple[str, ...] = ()
    seats: tuple[tuple[int, ...], ...] = ()  # indexes into all seats of the game; () if the first are used

    @property
    def seated(self) -> tuple[tuple[int, ...], ...]:
        """The seats of the players in each game."""
        return self.seats or tuple(tuple(range(len(game))) for game in self.games)


class Entrant(NamedTuple):
    """A player to be paired in a Swiss round, with the results of earlier rounds."""

    player: int
    points: float
    seed: int  # their place in the seeding; the strongest player has the smallest number
    byes: int = 0
    seats: tuple[int, ...] = ()  # the seats in the games played so far; 0 is the first seat
    floats: tuple[int, ...] = ()  # latest round first: 1 if the opponent had more points, -1 if fewer or a bye, or 0

    @property
    def lean(self) -> int:
        """The number of games in the first seat minus the number in the second."""
        return self.seats.count(0) - self.seats.count(1)

    def has_had(self, seat: int) -> int:
        """Return the number of consecutive games, up to the latest one, in which the player had this `seat`."""
        return next((number for number, held in enumerate(reversed(self.seats)) if held != seat), len(self.seats))


def accelerated(players: int, rounds: int, win: float = 1) -> tuple[int, tuple[float, ...]]:
    """Return how many of `players`, the strongest first, are in the upper half of a Swiss tournament with accelerated
    pairing, and the virtual points that these have in each accelerated round; `win` is the points for a win.

    This is the Baku acceleration (FIDE C.04.5.1): the upper half is of even size, the first half of the rounds is
    accelerated, and virtual points are a win in the first half of the accelerated rounds, then half a win. Halves are
    rounded up.
    """
    number = (rounds + 1) // 2
    whole = (number + 1) // 2
    return 2 * ((players + 3) // 4), (win,) * whole + (win / 2,) * (number - whole)


def round_robin(players: Sequence[int], cycles: int = 1) -> tuple[Pairing, ...]:
    """Return the rounds in which all players meet each other once per cycle; in every second cycle the sides are
    reversed.

    `players` are in seeding order. At any time in the first cycle, and at the end of each cycle, the numbers of a
    player's games on the two sides differ by at most one. With an odd number of players, there is one bye per round,
    and one for each player per cycle.
    """
    if len(players) < 2:
        return ()
    out = [_turn_of_circle(players, number) for number in range(len(players) - 1 + len(players) % 2)]
    back = [Pairing(tuple(game[::-1] for game in pairing.games), pairing.byes) for pairing in out]
    return tuple(pairing for cycle in range(cycles) for pairing in (back if cycle % 2 else out))


def _turn_of_circle(players: Sequence[int], number: int) -> Pairing:
    """Return round `number`, counted from 0, by the circle method: the players sit in a circle; if their number is
    even, one of them sits in its middle.

    The circle turns by one seat each round. The player at the top meets the one in the middle or sits out, and the
    others meet the player on the opposite side. A pair's distance from the top changes by one from round to round. The
    sides depend on whether this distance is odd, so they alternate.
    """
    circle, middle = (players, ()) if len(players) % 2 else (players[:-1], players[-1:])
    top = circle[number]
    games = [(opponent, top) if number % 2 else (top, opponent) for opponent in middle]
    for step in range(1, len(circle) // 2 + 1):
        after, before = circle[(number + step) % len(circle)], circle[number - step]
        games.append((after, before) if step % 2 else (before, after))
    return Pairing(tuple(games), () if middle else (top,))


class _Cost(NamedTuple):
    """The costs of a game or a bye, the most important first: each cost outweighs all costs that follow it."""

    met: int = 0  # whether the two have met
    byes: int = 0  # byes that this player had before
    rise: int = 0  # how far the points of the player who sits out are above the lowest, in hundredths
    lopsided: int = 0  # by how much the difference between a player's games on the two sides exceeds two
    leaders: int = 0  # players of the highest score group without an opponent from it
    third: int = 0  # players who would have the same side for the third time running
    gap: int = 0  # the difference between the points of the two, in hundredths, squared
    sides: int = 0  # by how much the difference in `lopsided` exceeds one, squared
    again: int = 0  # players who float the same way as in the last round
    lately: int = 0  # players who float the same way as in the round before the last
    last: int = 0  # places between the player who sits out and the last one
    alike: int = 0  # players who keep the side that they had in their last game
    halves: int = 0  # games within one half of a score group of even size
    fold: int = 0  # places from the opponent that pairing the halves of the score group would give, squared
    apart: int = 0  # places between the two in the ranking, squared; this decides last


class _Place(NamedTuple):
    """An entrant's `place`, from 0, among the `size` entrants with the same points."""

    entrant: Entrant
    place: int
    size: int

    @property
    def half(self) -> int:
        """The half of the score group: 0 for the upper, 1 for the lower."""
        return int(2 * self.place >= self.size)


_ALL_MET = "Everyone has met everyone, so pairs meet again."
_MET = "Some pairs meet again, because no round without that was possible."
_BYES = "A player sits out once more, because any other round would have had more repeated pairs."
_SIDES = "Someone plays one side at least three games more than the other, because no better round was possible."
_FORBIDDEN = "Two players meet who should not, because no other round was possible."
NOTES = (_ALL_MET, _MET, _BYES, _SIDES, _FORBIDDEN)
"""All notes that a round can have."""


def swiss_round(
    entrants: Iterable[Entrant],
    played: frozenset[frozenset[int]],
    later: int | None = None,
    forbidden: frozenset[frozenset[int]] = frozenset(),
) -> Pairing:
    """Pair the next round of a Swiss tournament; `entrants` excludes players who have withdrawn.

    `played` contains the pairs that should not meet again, each as a set of two players. The aims of the pairing are,
    most important first: as few of these pairs as possible meet; as few byes as possible go to players who already had
    one, and byes go to the lowest score; no player's numbers of games on the two sides differ by more than two. Then,
    as many leaders as possible meet each other, nobody has a side for the third time running, and opponents are close
    in points (least squares). Then, sides are balanced within one game, nobody floats the same way as in the last two
    rounds, sides alternate, and the upper half of a score group meets its lower half, as in the Dutch system (FIDE
    C.04.3). Where that leaves a choice, opponents are close in the ranking.

    The pairing allows as many later rounds as possible in which no pair meets again and nobody sits out again, up to
    `later` rounds; None means no limit. The order of `entrants` does not matter. Pairs in `forbidden` meet only if
    there is no other round at all, not even one in which all pairs meet again.
    """
    ranking = sorted(entrants, key=lambda entrant: (-entrant.points, entrant.seed, entrant.player))
    costs = _costs(ranking, played)
    for pair, cost in costs.items():
        if pair[1] < len(ranking) and _have_met(ranking[pair[0]], ranking[pair[1]], forbidden):
            costs[pair] = cost._replace(met=cost.met + len(ranking))
    matched = _matched(ranking, costs, later)
    boards = [(ranking[upper], ranking[lower]) for upper, lower in matched if lower < len(ranking)]
    games = (_sides(pair, board) for board, pair in enumerate(boards))
    byes = (ranking[upper].player for upper, lower in matched if lower == len(ranking))
    all_met = all(_have_met(first, second, played) for first, second in combinations(ranking, 2))
    return Pairing(
        tuple((first.player, second.player) for first, second in games),
        tuple(byes),
        tuple(_notes([costs[pair] for pair in matched], len(ranking), all_met=all_met)),
    )


def _notes(costs: Sequence[_Cost], forbidden: int, *, all_met: bool) -> Iterator[str]:
    if any(cost.met % forbidden for cost in costs):
        yield _ALL_MET if all_met else _MET
    if any(cost.met >= forbidden for cost in costs):
        yield _FORBIDDEN
    if any(cost.byes for cost in costs):
        yield _BYES
    if any(cost.lopsided for cost in costs):
        yield _SIDES


def _costs(ranking: Sequence[Entrant], played: frozenset[frozenset[int]]) -> dict[_Pair, _Cost]:
    """Return the cost of each possible game, keyed by the places of its two players in `ranking`. A bye counts as a
    game against the place after the last."""
    places: list[_Place] = []
    for _, group in groupby(ranking, key=lambda entrant: entrant.points):
        tied = [*group]
        places += [_Place(entrant, place, len(tied)) for place, entrant in enumerate(tied)]
    costs = {
        (upper, lower): _cost_of_game(places[upper], places[lower], played)._replace(
            leaders=ranking[lower].points < ranking[upper].points == ranking[0].points, apart=(lower - upper) ** 2
        )
        for upper, lower in combinations(range(len(places)), 2)
    }
    if len(ranking) % 2:
        for at, entrant in enumerate(ranking):
            costs[at, len(ranking)] = _cost_of_bye(entrant, ranking)._replace(last=len(ranking) - 1 - at)
    return costs


def _cost_of_game(upper: _Place, lower: _Place, played: frozenset[frozenset[int]]) -> _Cost:
    high, low = upper.entrant, lower.entrant
    first, second = _sides((high, low), 0)
    way = high.points > low.points
    again, lately = (
        sum(
            way and number < len(entrant.floats) and entrant.floats[number] == to
            for entrant, to in ((high, -1), (low, 1))
        )
        for number in range(2)
    )
    if high.points == low.points:
        fold = (lower.place - upper.place - upper.size // 2) ** 2
    else:  # ideally, the last of the higher group meets the first of the lower
        fold = (upper.size - 1 - upper.place) ** 2 + lower.place**2
    return _Cost(
        met=_have_met(high, low, played),
        lopsided=_beyond(2, first, 1) + _beyond(2, second, -1),
        gap=round(100 * (high.points - low.points)) ** 2,
        third=_third(first, second),
        sides=_beyond(1, first, 1) ** 2 + _beyond(1, second, -1) ** 2,
        again=again,
        lately=lately,
        alike=(first.has_had(0) > 0) + (second.has_had(1) > 0),
        halves=high.points == low.points and upper.size % 2 == 0 and upper.half == lower.half,
        fold=fold,
    )


def _cost_of_bye(entrant: Entrant, ranking: Sequence[Entrant]) -> _Cost:
    return _Cost(
        byes=entrant.byes,
        rise=round(100 * (entrant.points - ranking[-1].points)),
        lopsided=_beyond(2, entrant, 0),
        leaders=entrant.points == ranking[0].points,
        sides=_beyond(1, entrant, 0) ** 2,
    )


def _have_met(first: Entrant, second: Entrant, played: frozenset[frozenset[int]]) -> bool:
    return frozenset((first.player, second.player)) in played


def _sides(pair: tuple[Entrant, Entrant], board: int) -> tuple[Entrant, Entrant]:
    """Return the two players in the order of their seats.

    The first seat goes to the player who has had it less often, unless that would be the third time running. If that
    leaves a choice, it goes to the player who had it longer ago, and then to the higher-ranked player or, on every
    second board, to the lower-ranked one.
    """
    high, low = pair

    def against(first: Entrant, second: Entrant) -> tuple[int, ...]:
        return (
            _beyond(2, first, 1) + _beyond(2, second, -1),
            _third(first, second),
            first.lean - second.lean,
            first.has_had(0) - first.has_had(1) + second.has_had(1) - second.has_had(0),
        )

    there, back = against(high, low), against(low, high)
    return (low, high) if there > back or (there == back and board % 2) else (high, low)


def _third(first: Entrant, second: Entrant) -> int:
    """Return how many of the two players would have their seat for the third time running if `first` had the first
    seat."""
    return (first.has_had(0) > 1) + (second.has_had(1) > 1)


def _beyond(most: int, entrant: Entrant, game: int) -> int:
    """Return by how much the difference between the player's numbers of games in the two seats exceeds `most` after one
    more game. `game` is 1 for a game in the first seat, -1 for one in the second, and 0 for a bye."""
    return max(0, abs(entrant.lean + game) - most)


def _matched(ranking: Sequence[Entrant], costs: Mapping[_Pair, _Cost], later: int | None) -> list[_Pair]:
    """Return the pairs with the lowest cost, level by level, preferring a round that allows further rounds. The pairs
    are sorted.

    The look-ahead numbers players by their ids, so that later rounds that were found possible before this round are
    found again after it.
    """
    size = 1 + max((lower for _, lower in costs), default=-1)
    numbers = sorted(range(size), key=lambda at: ranking[at].player if at < len(ranking) else inf)
    place = {at: number for number, at in enumerate(numbers)}
    weights = {_ordered(place[first], place[second]): weight for (first, second), weight in _weights(costs).items()}
    free = {
        _ordered(place[first], place[second]) for (first, second), cost in costs.items() if not cost.met + cost.byes
    }
    pairs = farsighted(size, free, weights, size if later is None else 1 + later)
    if pairs is None:
        pairs = cheapest_pairs([[weights.get(_ordered(a, b), 0) for b in range(size)] for a in range(size)])
    return sorted(_ordered(numbers[first], numbers[second]) for first, second in pairs)


def _ordered(first: int, second: int) -> _Pair:
    return (first, second) if first < second else (second, first)


def _weights(costs: Mapping[_Pair, _Cost]) -> dict[_Pair, int]:
    """Encode each cost as a single number, with its levels as digits. The digits are so large that the sum over a round
    never carries from one digit into the next."""
    weights = dict.fromkeys(costs, 0)
    if not costs:
        return weights
    boards = (max(lower for _, lower in costs) + 1) // 2
    unit = 1
    for level in reversed(range(len(_Cost._fields))):
        for pair, cost in costs.items():
            weights[pair] += unit * cost[level]
        unit *= 1 + boards * max(cost[level] for cost in costs.values())
    return weights
