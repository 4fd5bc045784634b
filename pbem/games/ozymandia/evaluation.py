"""How a position stands, in numbers: the share of the win that equals would have from it.

A logistic function of what tells the sides apart, its weights fitted to the results of games that the opponent played
against itself.
"""

from math import exp, log

from pbem.games.ozymandia.rules import CITIES_TO_WIN
from pbem.games.ozymandia.swift import Ground, Position

WEIGHTS = (
    0.903,
    -0.798,
    0.785,
    0.959,
    0.915,
    -0.376,
    0.83,
    0.754,
    0.685,
    0.521,
    0.874,
    0.675,
    0.025,
    0.075,
    -0.464,
    1.935,
)
"""Of the features, in their order."""


def outlook_of(ground: Ground, position: Position) -> float:
    """The share of the win that the side with the positive pieces has, from 0 to 1."""
    end = ended(ground, position)
    if end is not None:
        return end
    return 1 / (1 + exp(-sum(map(float.__mul__, WEIGHTS, features(ground, position)))))


def ended(ground: Ground, position: Position) -> float | None:
    """The share of the win that a game has ended with, None while it goes on."""
    at, mine, yours = position.at, 0, 0
    for city in ground.cities:
        if at[city] > 0:
            mine += 1
        elif at[city] < 0:
            yours += 1
    if mine >= CITIES_TO_WIN:
        return 1.0
    if yours >= CITIES_TO_WIN:
        return 0.0
    return None if position.left > 0 and any(at) else 0.5


def features(ground: Ground, position: Position) -> list[float]:
    """What a side has more than the other of all that counts."""
    at, bombs = position.at, position.bombs
    own = sum([count for count in at if count > 0])
    theirs = own - sum(at)
    areas = sum([(count > 0) - (count < 0) for count in at])
    cities, open_, risk, exposed = [0, 0], [0, 0], [0, 0], [0, 0]
    gates = 0
    for city in ground.cities:
        held = at[city]
        a = b = 0
        for one in ground.near[city]:
            count = at[one]
            if count > 0:
                a += count
            else:
                b -= count
        if held > 0:
            cities[0] += 1
            exposed[0] += held
            risk[0] += b > held
            gates -= at[ground.home[city]] < 0
        elif held < 0:
            cities[1] += 1
            exposed[1] -= held
            risk[1] += a > -held
            gates += at[ground.home[city]] > 0
        else:
            open_[0] += a > 0
            open_[1] += b > 0
    m, y = cities
    return [
        log((own + 1) / (theirs + 1)),
        (own - theirs) / (own + theirs),
        float((m >= 1) - (y >= 1)),
        float((m >= 2) - (y >= 2)),
        float((m >= 3) - (y >= 3)),
        float((m >= 4) - (y >= 4)),
        float((bombs[0] >= 1) - (bombs[1] >= 1)),
        float((bombs[0] >= 2) - (bombs[1] >= 2)),
        float((bombs[0] >= 3) - (bombs[1] >= 3)),
        float(open_[0] - open_[1]),
        float(risk[1] - risk[0]),
        (exposed[1] / theirs if theirs and bombs[0] else 0.0) - (exposed[0] / own if own and bombs[1] else 0.0),
        float(areas),
        float((m + open_[0] >= 5) - (y + open_[1] >= 5)),
        float(gates),
        float((m == 4 and open_[0] + risk[1] > 0) - (y == 4 and open_[1] + risk[0] > 0)),
    ]
