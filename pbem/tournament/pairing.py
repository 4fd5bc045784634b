"""Who meets whom: round robin by the circle method, Swiss rounds as the matching that costs least."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from pbem.tournament.matching import cheapest_pairs


class Pairing(NamedTuple):
    """The games of a round, top board first, each as the players of its first and its second seat; who sits out; and
    what had to give way, as sentences.

    Players are numbers that mean nothing here. The notes name nobody, so each is one text to translate.
    """

    games: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


class Entrant(NamedTuple):
    """A player before a Swiss round: points so far, place in the seeding (the strongest has the smallest), byes so far,
    and in how many games that were played they had the first and the second seat."""

    player: int
    points: float
    seed: int
    byes: int = 0
    firsts: int = 0
    seconds: int = 0


def round_robin(players: Sequence[int], cycles: int = 1) -> tuple[Pairing, ...]:
    """Rounds in which each meets each, once a cycle; every second cycle has the sides reversed.

    `players` stand in seeding order. Nobody has a side more than once oftener than the other, at any time in the first
    cycle and at the end of each. An odd number has one bye a round, each player one a cycle.
    """
    if len(players) < 2:
        return ()
    out = [_turn_of_circle(players, number) for number in range(len(players) - 1 + len(players) % 2)]
    back = [Pairing(tuple((second, first) for first, second in one.games), one.byes) for one in out]
    return tuple(one for cycle in range(cycles) for one in (back if cycle % 2 else out))


def _turn_of_circle(players: Sequence[int], number: int) -> Pairing:
    """Pairing `number`, from 0: an odd number of players sit in a circle, and with an even number one in its middle.

    The circle turns by a seat each round. Who is at its top meets the middle or sits out, the others meet across. The
    steps from the top change by one from round to round, so sides that go by odd and even steps alternate.
    """
    circle, middle = (players, ()) if len(players) % 2 else (players[:-1], players[-1:])
    top = circle[number]
    games = [(other, top) if number % 2 else (top, other) for other in middle]
    for step in range(1, len(circle) // 2 + 1):
        after, before = circle[(number + step) % len(circle)], circle[number - step]
        games.append((after, before) if step % 2 else (before, after))
    return Pairing(tuple(games), () if middle else (top,))


class _Cost(NamedTuple):
    """What speaks against a game or a bye, what weighs most first: less of one counts more than all that follow."""

    met: int = 0  # the two have met
    byes: int = 0  # byes that this player had before
    sides: int = 0  # beyond one game more on one side than on the other, squared
    rise: int = 0  # places between who sits out and the last
    gap: int = 0  # between their points, in hundredths, squared
    fold: int = 0  # places off the opponent whom the halves of the score group give, squared
    apart: int = 0  # places of the ranking between them, squared: decides where nothing else does


class _Place(NamedTuple):
    """An entrant as number `place`, from 0, of `size` with the same points."""

    entrant: Entrant
    place: int
    size: int


_ALL_MET = "Everybody has met everybody, so pairs meet again."
_MET = "Pairs meet again: no round without that was possible."
_BYES = "A player sits out once more: no other round without more games of pairs that have met was possible."
_SIDES = "Sides are not balanced within one for everybody: no such round was possible."
NOTES = (_ALL_MET, _MET, _BYES, _SIDES)
"""All that can be noted of a round."""


def swiss_round(entrants: Iterable[Entrant], played: frozenset[frozenset[int]]) -> Pairing:
    """The next round of a Swiss tournament; who has withdrawn is absent from `entrants`.

    `played` holds the pairs that shall not meet again, each a set of two players. As few of them as possible do; then
    as few byes as possible go to who had one; then sides are balanced within one as well as can be. Within that the bye
    goes to the lowest-ranked, opponents are near in points (least squares), and the upper half of a score group meets
    its lower half, as in the Dutch system; where that leaves a choice, opponents are near in the ranking. The order of
    `entrants` never matters.
    """
    ranking = sorted(entrants, key=lambda one: (-one.points, one.seed, one.player))
    costs = _costs(ranking, played)
    matched = _cheapest(costs)
    boards = [(ranking[upper], ranking[lower]) for upper, lower in matched if lower < len(ranking)]
    games = (_sides(pair, board) for board, pair in enumerate(boards))
    byes = (ranking[upper].player for upper, lower in matched if lower == len(ranking))
    all_met = all(_have_met(one, other, played) for one, other in combinations(ranking, 2))
    return Pairing(
        tuple((first.player, second.player) for first, second in games),
        tuple(byes),
        tuple(_notes([costs[pair] for pair in matched], all_met)),
    )


def _notes(costs: Sequence[_Cost], all_met: bool) -> Iterator[str]:
    if any(cost.met for cost in costs):
        yield _ALL_MET if all_met else _MET
    if any(cost.byes for cost in costs):
        yield _BYES
    if any(cost.sides for cost in costs):
        yield _SIDES


def _costs(ranking: Sequence[Entrant], played: frozenset[frozenset[int]]) -> dict[tuple[int, int], _Cost]:
    """What each game of two places of the ranking costs; a bye is a game against the place after the last."""
    places: list[_Place] = []
    for _, group in groupby(ranking, key=lambda one: one.points):
        tied = [*group]
        places += [_Place(one, place, len(tied)) for place, one in enumerate(tied)]
    costs = {
        (upper, lower): _cost_of_game(places[upper], places[lower], played)._replace(apart=(lower - upper) ** 2)
        for upper, lower in combinations(range(len(places)), 2)
    }
    if len(ranking) % 2:
        for at, one in enumerate(ranking):
            costs[at, len(ranking)] = _Cost(byes=one.byes, sides=_imbalance(one, 0), rise=len(ranking) - 1 - at)
    return costs


def _cost_of_game(upper: _Place, lower: _Place, played: frozenset[frozenset[int]]) -> _Cost:
    high, low = upper.entrant, lower.entrant
    first, second = _sides((high, low), 0)
    if high.points == low.points:
        fold = (lower.place - upper.place - upper.size // 2) ** 2
    else:  # the last of the one group floats down to the first of the other
        fold = (upper.size - 1 - upper.place) ** 2 + lower.place**2
    return _Cost(
        met=_have_met(high, low, played),
        sides=_imbalance(first, 1) + _imbalance(second, -1),
        gap=round(100 * (high.points - low.points)) ** 2,
        fold=fold,
    )


def _have_met(one: Entrant, other: Entrant, played: frozenset[frozenset[int]]) -> bool:
    return frozenset((one.player, other.player)) in played


def _sides(pair: tuple[Entrant, Entrant], board: int) -> tuple[Entrant, Entrant]:
    """Who had the first seat less often gets it; of equals the higher-ranked, but on every second board the other."""
    high, low = pair
    more = (high.firsts - high.seconds) - (low.firsts - low.seconds)
    return (low, high) if more > 0 or (more == 0 and board % 2) else (high, low)


def _imbalance(one: Entrant, game: int) -> int:
    """How far beyond one their games in each seat differ after this `game`, squared; 1: in the first seat, -1: in the
    second, 0: none."""
    return max(0, abs(one.firsts - one.seconds + game) - 1) ** 2


def _cheapest(costs: dict[tuple[int, int], _Cost]) -> list[tuple[int, int]]:
    """The pairs, in order, that leave nobody out and together cost least, level by level."""
    weights = _weights(costs)
    size = 1 + max((lower for _, lower in costs), default=-1)
    return cheapest_pairs([[weights.get((min(a, b), max(a, b)), 0) for b in range(size)] for a in range(size)])


def _weights(costs: dict[tuple[int, int], _Cost]) -> dict[tuple[int, int], int]:
    """Each cost as one number, its levels as digits: no sum over a round ever carries into the next digit."""
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
