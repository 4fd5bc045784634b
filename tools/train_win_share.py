"""Fit the weights of Ozymandia's win share to games that the computer opponent plays against itself.

`python -m tools.train_win_share [GAMES]` prints them, and how well weights predict the ends of games to which they were
not fitted. It needs scikit-learn (`pip install .[train]`). The target of each position is the mean of its game's result
and the search's estimate: the result is true but mostly luck, the estimate involves little luck but may be wrong.
"""

import sys
from collections.abc import Iterator, Sequence
from math import exp, log
from operator import mul
from typing import NamedTuple

from pbem.games import find_game
from pbem.games.kit.quick import QuickChance
from pbem.games.ozymandia.board import SHIPPED
from pbem.games.ozymandia.candidates import plans
from pbem.games.ozymandia.evaluation import WEIGHTS, features
from pbem.games.ozymandia.fast_rules import ground_of, orders_of, position_of
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.search import next_turn, think
from pbem.games.ozymandia.state import SEATS, State

_LEVEL = 3
_LIMIT = 60  # the turn limit
_ODD = 16  # this many of 256 orders are random, so that positions occur that good players avoid
_GAME = find_game("ozymandia")


class Sample(NamedTuple):
    """A position from Red's point of view: its game, its features, the search's estimate, and Red's share of the
    win."""

    game: int
    features: Sequence[float]
    found: float
    share: float


def samples(games: int) -> Iterator[Sample]:
    """Yield the positions of a number of games, alternating between the boards."""
    for game in range(games):
        chance = QuickChance(game)
        states = [_GAME.new({"board": SHIPPED[game % 2], "turn_limit": _LIMIT})]
        while _GAME.result(states[-1]) is None:
            orders = {seat: _orders(states[-1], seat, chance) for seat in SEATS}
            states.append(_GAME.resolve(states[-1], orders).state)
        share = {"red": 1.0, "blue": 0.0, None: 0.5}[_GAME.result(states[-1]).winner]
        for state in states[1:-1]:
            ground, position = ground_of(state.board), position_of(state, "red")
            yield Sample(game, features(ground, position), next_turn(ground, position), share)


def _orders(state: State, seat: str, chance: QuickChance) -> Orders:
    if chance.pick(256) < _ODD:
        ground, position = ground_of(state.board), position_of(state, seat)
        return orders_of(ground, chance.of(plans(ground, position, 1, 2)))
    *_, thought = think(state, seat, _LEVEL, chance)
    return thought.orders


def fitted(material: Sequence[Sample]) -> list[float]:
    """Find the weights for which the logistic function of the features is closest to the samples, seen from both
    sides."""
    from sklearn.linear_model import LogisticRegression

    rows, labels, parts = [], [], []
    for one in material:
        share = (one.found + one.share) / 2
        for sign, part in ((1, share), (-1, 1 - share)):
            for label, weight in ((1, part), (0, 1 - part)):
                rows.append([sign * value for value in one.features])
                labels.append(label)
                parts.append(weight)
    model = LogisticRegression(fit_intercept=False, max_iter=5000).fit(rows, labels, sample_weight=parts)
    return [round(float(weight), 2) for weight in model.coef_[0]]


def evaluated(weights: Sequence[float], material: Sequence[Sample]) -> Iterator[str]:
    """Describe how well weights predict the ends of games: the log loss, and by tenths the prediction and the
    outcome."""
    said = [1 / (1 + exp(-sum(map(mul, weights, one.features)))) for one in material]
    loss = -sum(
        one.share * log(share) + (1 - one.share) * log(1 - share) for one, share in zip(material, said, strict=True)
    )
    yield f"{len(material)} positions, log loss {loss / len(material):.3f} (of who knows nothing: {log(2):.3f})"
    for tenth in range(10):
        group = [at for at, share in enumerate(said) if int(share * 10) == tenth]
        if group:
            mean = sum(said[at] for at in group) / len(group)
            came = sum(material[at].share for at in group) / len(group)
            yield f"{len(group):6} said {mean:.2f} came {came:.2f}"


def main() -> None:
    material = [*samples(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)]
    seen, unseen = ([one for one in material if (one.game % 4 == 0) is new] for new in (False, True))
    print("The weights in use:", *evaluated(WEIGHTS, material), "", sep="\n")
    print("Weights fitted to three games of four, in the fourth:", *evaluated(fitted(seen), unseen), "", sep="\n")
    print("Weights fitted to all:", fitted(material))


if __name__ == "__main__":
    main()
