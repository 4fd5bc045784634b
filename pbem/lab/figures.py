"""The results of an experiment: shares with their intervals, lengths and endings of games, and a sentence that sums
these up."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import quantiles
from typing import Any, NamedTuple

from pbem.games import find_game
from pbem.games.base import Side
from pbem.lab.play import Experiment, PlayedGame

_Z = 1.96  # 95 % of a normal distribution lies within this many standard deviations
TOLERANCE = 0.1
"""The tolerance for a fair game: each side's share of the points differs from an equal share by at most this fraction
of the equal share. With two sides, this means 45 to 55 %."""


class Share(NamedTuple):
    """A share, and the ends of its 95 % interval (Wilson 1927)."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f}-{100 * self.high:.1f})"


def wilson(points: float, games: int) -> Share:
    """Return the share of the points won in a number of games, with its 95 % interval; each game is worth at most one
    point. Half points make the interval wider than necessary, never narrower."""
    if not games:
        return Share(0.0, 0.0, 1.0)
    share, square = points / games, _Z * _Z / games
    middle = (share + square / 2) / (1 + square)
    reach = _Z * sqrt(share * (1 - share) / games + square / games / 4) / (1 + square)
    return Share(share, max(0.0, middle - reach), min(1.0, middle + reach))


class Score(NamedTuple):
    """The score of a player or side: `points` is the number of wins, plus a share of each drawn game."""

    games: int
    won: int
    drawn: int
    points: float

    @property
    def lost(self) -> int:
        return self.games - self.won - self.drawn

    @property
    def wins(self) -> Share:
        return wilson(self.won, self.games)

    @property
    def share(self) -> Share:
        return wilson(self.points, self.games)

    def as_data(self) -> dict[str, Any]:
        """Return the score as data for JSON."""
        return {**self._asdict(), "lost": self.lost, "wins": self.wins._asdict(), "share": self.share._asdict()}


def score_of(games: Iterable[tuple[PlayedGame, Side]]) -> Score:
    """Return the total score over pairs of a game and the side whose result in that game counts."""
    count = won = drawn = 0
    points = 0.0
    for game, side in games:
        count, won = count + 1, won + (game["winner"] == side)
        if side in game["best"]:
            drawn += game["winner"] is None
            points += 1 / len(game["best"])
    return Score(count, won, drawn, points)


class Figures(NamedTuple):
    """The results of an experiment.

    `scores` are keyed by side; with two players, they are instead the first player's scores, overall and on each side.
    `fair` is the share of the points that equal players would get. `turns` maps each length of a game, in turns, to the
    number of games with that length, and `decided` maps each reason for the end to the number of games that ended for
    it. `different` is the number of games that differ in their moves. `thought` is the time per decision in
    milliseconds, keyed by player.
    """

    of: Experiment
    games: int
    scores: Mapping[str, Score]
    fair: float
    turns: Mapping[int, int]
    decided: Mapping[str, int]
    different: int
    thought: Mapping[str, float]

    @property
    def lengths(self) -> tuple[float, ...]:
        """The minimum, the quartiles and the maximum of the lengths."""
        turns = [*Counter(self.turns).elements()]
        return (turns[0], *(quantiles(turns, n=4, method="inclusive") if turns[1:] else turns * 3), turns[-1])

    def as_data(self) -> dict[str, Any]:
        """Return the figures as data for JSON."""
        scores = {name: score.as_data() for name, score in self.scores.items()}
        rest = {name: value for name, value in self._asdict().items() if name not in ("of", "scores")}
        return {"experiment": self.of.as_data(), "scores": scores, **rest, "says": verdict(self)}


def figures_of(of: Experiment, games: Sequence[PlayedGame]) -> Figures:
    """Calculate the figures of one or more games."""
    sides = tuple(games[0]["played"])
    return Figures(
        of=of,
        games=len(games),
        scores=_of_players(of, games, sides) if len(of.players) > 1 else _of_sides(games, sides),
        fair=1 / len(sides),
        turns=dict(sorted(Counter(game["turns"] for game in games).items())),
        decided=dict(Counter(_ending(game["why"]) for game in games).most_common()),
        different=len({(game["game"], game["winner"]) for game in games}),
        thought=_thought(of, games),
    )


def _of_sides(games: Sequence[PlayedGame], sides: Iterable[Side]) -> dict[str, Score]:
    return {side: score_of((game, side) for game in games) for side in sides}


def _of_players(of: Experiment, games: Sequence[PlayedGame], sides: Sequence[Side]) -> dict[str, Score]:
    """Return the first player's scores. In each game this player has side `number % len(sides)`, as `pbem.lab.play`
    assigns it."""
    own = [(game, sides[game["number"] % len(sides)]) for game in games]
    name = called(of.players[0])
    scores = {name: score_of(own)}
    for side in sides:
        scores[f"{name} as {side}"] = score_of(pair for pair in own if pair[1] == side)
    return scores


def called(player: str) -> str:
    """Return the name of a player for people to read: "level 3" for level 3, and other names unchanged."""
    return f"level {player}" if player.isdecimal() else player


def _ending(why: str) -> str:
    """Replace the placeholders in the sentence `why` with dots, so that people can read it."""
    return re.sub(r"\{\w+\}", "...", why)


def _thought(of: Experiment, games: Sequence[PlayedGame]) -> dict[str, float]:
    times = {}
    for player in of.players:
        own = [(game, side) for game in games for side, played in game["played"].items() if played == player]
        count = sum(game["decisions"][side] for game, side in own)
        times[called(player)] = round(sum(game["took"][side] for game, side in own) / (count or 1), 2)
    return times


def verdict(figures: Figures) -> str:
    """Return the conclusion to draw from the games, in one or two sentences."""
    if figures.different < figures.games / 2:
        return (
            f"Only {figures.different} of {figures.games} games differ, so nothing can be told of chances: "
            "have a level play that varies what it does."
        )
    return _of_strength(figures) if len(figures.of.players) > 1 else _of_fairness(figures)


def _of_strength(figures: Figures) -> str:
    share, (first, second) = next(iter(figures.scores.values())).share, map(called, figures.of.players)
    if share.low <= figures.fair <= share.high:
        return f"Which is stronger cannot be told yet: {first} has {share} of the points."
    better, worse = (first, second) if share.low > figures.fair else (second, first)
    return f"{better} is stronger than {worse}: {first} has {share} of the points.".capitalize()


def deviation(figures: Figures) -> float:
    """Return the largest difference between any side's share of the points and an equal share."""
    return max(abs(score.share.value - figures.fair) for score in figures.scores.values())


def _of_fairness(figures: Figures) -> str:
    """Return the verdict on fairness. It names the side that is farthest from an equal share, or the first of several
    such sides."""
    least, most = figures.fair * (1 - TOLERANCE), figures.fair * (1 + TOLERANCE)
    far = deviation(figures) - 1e-9
    shares = {side: score.share for side, score in figures.scores.items()}
    side, share = next((side, share) for side, share in shares.items() if abs(share.value - figures.fair) > far)
    finding = f"{find_game(figures.of.game).called[side]} has {share} of the points, and "
    finding += f"a fair share is {100 * least:.1f}-{100 * most:.1f} %."
    if all(least <= share.low and share.high <= most for share in shares.values()):
        return f"It is fair: {finding}"
    if any(share.high < least or share.low > most for share in shares.values()):
        return f"It is not fair: {finding}"
    return f"Whether it is fair cannot be told yet: {finding}"


def table(figures: Figures) -> str:
    """Return the figures as a text of several lines."""
    rows: list[tuple[str, ...]] = [("", "games", "won", "", "drawn", "lost", "points")]
    for name, score in figures.scores.items():
        cells = (score.games, score.won, score.wins, score.drawn, score.lost, score.share)
        rows.append((name, *map(str, cells)))
    lines = [title(figures), "", *columns(rows)]
    low, first, middle, third, high = figures.lengths
    lines += ["", f"Turns: {middle:g}, half of the games {first:g}-{third:g}, all {low:g}-{high:g}"]
    lines += [f"Decided by: {count:>6}  {why}" for why, count in figures.decided.items()]
    lines += [f"A decision of {name} takes {took:.2f} ms" for name, took in figures.thought.items()]
    if figures.different < figures.games:
        lines.append(f"Different games: {figures.different}")
    return "\n".join([*lines, "", verdict(figures)])


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lay out rows as lines: names aligned to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        numbers = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        lines.append(f"{name.ljust(widths[0])}  {numbers}".rstrip())
    return lines


def title(figures: Figures) -> str:
    """Describe what was played: the game with its first option and with all other options that differ from their
    defaults, the players, the number of games, and the seed."""
    of, game = figures.of, find_game(figures.of.game)
    first, *others = game.options(of.options)
    unusual = [option for option in others if of.options[option.name] != option.default]
    chosen = [f"{option.name.replace('_', ' ')} {_in_words(of.options[option.name])}" for option in (first, *unusual)]
    players = " against ".join(map(called, of.players))
    return f"{', '.join((game.title, *chosen))}: {players}, {figures.games} games of seed {of.seed}"


def _in_words(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
