"""Evaluate positions: the share of the win that a side would get if both players were equally strong.

The share is a logistic function of the differences between the sides. Its weights were fitted to the values that the
search finds for positions from games, and to the results of those games (`tools/train_win_share.py`), as in Veness,
Silver, Uther and Blair, "Bootstrapping from game tree search" (2009).
"""

from collections.abc import Sequence
from math import exp, log
from operator import mul

from pbem.games.ozymandia.fast_rules import Ground, Position
from pbem.games.ozymandia.rules import CITIES_TO_WIN

WEIGHTS = (1.2, 1.05, 1.08, 0.84, 0.82, 0.42, 0.57, 0.47, 0.71, 1.35, 0.47)
"""The weights of the features, in the order of `features`."""
# Nearly every game is decided within this number of turns. If fewer remain, the share moves towards 0.5 in proportion.
_ENOUGH = 10
_GONE = 0.05  # the fraction of the share left to a side without pieces, which can only bombard


def win_share_of(ground: Ground, position: Position) -> float:
    """Return the share of the win, from 0 to 1, for the side whose pieces are positive numbers."""
    mine, yours, values = _compared(ground, position)
    if mine >= CITIES_TO_WIN:
        return 1.0
    if yours >= CITIES_TO_WIN:
        return 0.0
    alone, other_alone = min(position.at) >= 0, max(position.at) <= 0
    if position.turns <= 0 or (alone and other_alone):
        return 0.5
    share = 1 / (1 + exp(-sum(map(mul, WEIGHTS, values))))
    if other_alone:
        share *= _GONE
    elif alone:
        share = 1 - _GONE * (1 - share)
    return share if position.turns >= _ENOUGH else 0.5 + (share - 0.5) * position.turns / _ENOUGH


def ended(ground: Ground, position: Position) -> float | None:
    """If the game has ended, return the share of the win for the side with positive numbers. Return None if the game
    goes on."""
    share = win_share_of(ground, position)
    over = share in (0, 1) or position.turns <= 0 or not any(position.at)
    return share if over else None


def features(ground: Ground, position: Position) -> list[float]:
    """Return the features of a position. Each is an advantage of the side with positive numbers over the other side.

    They are, in this order: pieces; cities; having at least one, two and three bombardments left; free cities next to
    which the side has more pieces; enemy cities that it outnumbers; enemy cities that it would outnumber even with a
    new piece in them; the share of the enemy's pieces that are in cities, where a bombardment would destroy them; four
    cities with a fifth in reach; and three cities with two more in reach.
    """
    return _compared(ground, position)[2]


def _compared(ground: Ground, position: Position) -> tuple[int, int, list[float]]:
    """Return the number of cities of the side with positive numbers, the number of cities of the other side, and the
    `features`."""
    at, (bombs, their_bombs) = position.at, position.bombs
    own = sum([count for count in at if count > 0])
    theirs = own - sum(at)
    mine, yours, reach, their_reach, safe, outnumbered, by_more, exposed, their_exposed = _cities(ground, at)
    values = [
        log((own + 1) / (theirs + 1)),
        mine - yours,
        (bombs > 0) - (their_bombs > 0),
        (bombs > 1) - (their_bombs > 1),
        (bombs > 2) - (their_bombs > 2),
        safe,
        outnumbered,
        by_more,
        (their_exposed / theirs if bombs and theirs else 0) - (exposed / own if their_bombs and own else 0),
        (mine == CITIES_TO_WIN - 1 and reach > 0) - (yours == CITIES_TO_WIN - 1 and their_reach > 0),
        (mine == CITIES_TO_WIN - 2 and reach > 1) - (yours == CITIES_TO_WIN - 2 and their_reach > 1),
    ]
    return mine, yours, values


def _cities(ground: Ground, at: Sequence[int]) -> tuple[int, ...]:
    """Return counts over all cities. The first side is the one with positive numbers.

    The counts are, in this order: the cities that each side holds; the cities that each side can take next turn; the
    free cities next to which the first side has more pieces, minus those next to which the second side has more; the
    cities of the second side that are outnumbered by adjacent pieces, minus those of the first side; the same
    difference for cities that are outnumbered by at least two; and the pieces that each side has in cities.
    """
    mine = yours = reach = their_reach = safe = outnumbered = by_more = exposed = their_exposed = 0
    for city, near in ground.entries:
        held = at[city]
        a = b = 0
        for area in near:
            count = at[area]
            if count > 0:
                a += count
            else:
                b -= count
        if held > 0:
            mine += 1
            exposed += held
            if b > held:
                their_reach += 1
                outnumbered -= 1
                by_more -= b > held + 1
        elif held < 0:
            yours += 1
            their_exposed -= held
            if a > -held:
                reach += 1
                outnumbered += 1
                by_more += a > 1 - held
        else:
            reach += a > 0
            their_reach += b > 0
            safe += (a > b) - (b > a)
    return mine, yours, reach, their_reach, safe, outnumbered, by_more, exposed, their_exposed
