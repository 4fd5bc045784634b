"""Analyse a finished game: the position turn by turn, the turning points, and better orders at those points.

The analysis is the opinion of a program: the computer opponent judges positions and orders. The same game always yields
the same analysis. Positions are judged with everything in view, because nothing is hidden any more. Orders are judged
by what the seat could see when it gave them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.games.base import OPEN, AnyGame, Picture, Seat, Side, Span
from pbem.games.capabilities import Bot, can_be_analysed, round_name
from pbem.games.chance import SECRET, SecretChance

LEVEL = 3
"""The level at which the computer opponent analyses a game. At this level, it needs a fraction of a second for the
orders of a seat."""

TURNS = 3
"""The maximum number of turning points to examine."""

_SWING = 0.05  # share of the win; a smaller loss is not a turning point
_BETTER = 0.03  # share of the win; a smaller gain does not make orders better
_COLUMNS, _STEPS = 40, 10  # size of the drawing

Read = Callable[[Any, Seat, str], Any]
"""A function that reads the orders in a canonical text, given a state, a seat and the text. It returns None if the text
does not contain orders."""


class Moment(NamedTuple):
    """A turn that was played: its number, the state before it, and the orders of each seat in canonical form."""

    number: int
    state: Any
    orders: Mapping[Seat, str]


class Choice(NamedTuple):
    """The orders that a seat gave in a turn, compared with the orders that a program would have given.

    `played` is "" if the seat gave no orders. `gain` is the share of the win that the orders in `better` would have
    added; if no orders would have been clearly better, `better` is "" and `gain` is 0.
    """

    seat: Seat
    played: str
    better: str
    gain: float


class Turning(NamedTuple):
    """A turning point of a game: the index of its moment, the name of the turn, the side whose share of the win fell,
    and this share before and after the turn."""

    moment: int
    name: str
    side: Side
    before: float
    after: float


class Analysis(NamedTuple):
    """A program's opinion of a game: its sides, the share of the win that each side could expect before each turn and
    at the end, the names of the turns, and the turning points in order."""

    sides: tuple[Side, ...]
    shares: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    turnings: tuple[Turning, ...]

    def of(self, side: Side) -> list[float]:
        """Return the share of the win that `side` could expect before each turn and at the end."""
        at = self.sides.index(side)
        return [shares[at] for shares in self.shares]


def analyse(game: AnyGame, seats: Mapping[Seat, Side], moments: Sequence[Moment], end: Any) -> Analysis | None:
    """Judge a game before each of its turns and at its end, and find its turning points.

    Each position is judged without searching ahead. `seats` maps the seats of the game to their sides, and `end` is the
    final state. Returns None if no turn was played, or if no program can judge the game.
    """
    if not moments or not can_be_analysed(game):
        return None
    sides = tuple(dict.fromkeys(seats.values()))
    states = [*(moment.state for moment in moments), end]
    shares = tuple(_shares(game, seats, sides, state) for state in states)
    falls = [_fall(before, after) for before, after in pairwise(shares)]
    most = sorted(range(len(moments)), key=lambda at: -falls[at][0])[:TURNS]
    names = tuple(round_name(game, moment.state, moment.number) for moment in moments)
    turnings = []
    for at in sorted(turn for turn in most if falls[turn][0] >= _SWING):
        who = falls[at][1]
        turnings.append(Turning(at, names[at], sides[who], shares[at][who], shares[at + 1][who]))
    return Analysis(sides, shares, names, tuple(turnings))


def choices(game: AnyGame, seats: Mapping[Seat, Side], moment: Moment, side: Side, read: Read) -> tuple[Choice, ...]:
    """Compare the orders of each awaited seat of `side` in a turn with the orders that a program would have given. The
    comparison takes a fraction of a second for each seat."""
    own = (seat for seat in seats if seats[seat] == side and seat in game.awaiting(moment.state))
    return tuple(_choice(game, moment, seat, read) for seat in own)


def _shares(game: Any, seats: Mapping[Seat, Side], sides: Sequence[Side], state: Any) -> tuple[float, ...]:
    """Return the share of the win that each side can expect in `state`. The shares add up to 1."""
    if result := game.result(state):
        return tuple(1 / len(sides) if result.winner is None else float(side == result.winner) for side in sides)
    view = game.view(state, OPEN)
    first = {side: next(seat for seat in seats if seats[seat] == side) for side in sides}
    estimates = [min(max(game.win_share(view, first[side]), 0.0), 1.0) for side in sides]
    total = sum(estimates)
    return tuple(estimate / total if total else 1 / len(sides) for estimate in estimates)


def _fall(before: Sequence[float], after: Sequence[float]) -> tuple[float, int]:
    """Return the largest fall in any side's share from `before` to `after`, and the index of that side."""
    return max((share - later, at) for at, (share, later) in enumerate(zip(before, after, strict=True)))


def _choice(game: Any, moment: Moment, seat: Seat, read: Read) -> Choice:
    """Compare the orders that `seat` gave in a turn with the orders that a program would have given."""
    view = game.view(moment.state, seat if game.hides else OPEN)
    played = moment.orders.get(seat, "")
    *_, (best, _) = game.think(view, seat, LEVEL, SecretChance(bytes(SECRET)))
    orders = read(moment.state, seat, played) if played else None
    if orders is None or str(orders) == str(best):
        return Choice(seat, played, "", 0.0)
    worth, most = game.weigh(view, seat, (orders, best), LEVEL, SecretChance(bytes(SECRET)))
    gain = most - worth
    return Choice(seat, played, str(best), gain) if gain >= _BETTER else Choice(seat, played, "", 0.0)


def clear_best(game: AnyGame, moment: Moment, seat: Seat) -> Any | None:
    """Return the orders that the computer opponent finds for `seat` at `LEVEL`. Return None if it finds other orders at
    a lower level that are better or nearly as good."""
    assert isinstance(game, Bot)
    view = game.view(moment.state, seat if game.hides else OPEN)
    by_text = {}
    for level in range(1, LEVEL + 1):
        *_, (orders, _) = game.think(view, seat, level, SecretChance(bytes(SECRET)))
        by_text[str(orders)] = orders
    best, others = orders, [candidate for text, candidate in by_text.items() if text != str(orders)]
    worth, *rest = game.weigh(view, seat, (best, *others), LEVEL, SecretChance(bytes(SECRET)))
    return best if all(worth - value >= _BETTER for value in rest) else None


# Drawing the curve


def curve(shares: Sequence[float], names: Sequence[str], turned: Sequence[int]) -> Picture:
    """Draw one side's share of the win over the course of a game, in at most 48 columns. The bottom line means defeat,
    the top line victory, and the line in the middle an even position.

    Each position is drawn as a star; a drawing of a long game shows only evenly spaced positions. `names` are the names
    of the turns, and `turned` contains indexes of turns. The position after a turn in `turned` is drawn as a number
    instead: the place of the turn in `turned`, counted from 1.
    """
    moments = _evenly(len(shares))
    wide = max(1, min(3, _COLUMNS // len(moments)))
    marks = {at + 1: str(number) for number, at in enumerate(turned, start=1)}
    lines = []
    for height in range(_STEPS, -1, -1):
        label = f"{height * 100 // _STEPS:>3} % |" if height % (_STEPS // 2) == 0 else "      |"
        filler = "-" if height == _STEPS // 2 else " "
        line = [filler] * (wide * (len(moments) - 1) + 1)
        for column, at in enumerate(moments):
            if round(shares[at] * _STEPS) == height:
                until = moments[column + 1] if column + 1 < len(moments) else at + 1
                line[column * wide] = next((marks[turn] for turn in range(at, until) if turn in marks), "*")
        lines.append((Span(f"{label}{''.join(line).rstrip()}"),))
    axis = [" "] * (wide * (len(moments) - 1) + 1)
    for column in range(0, len(moments) - 1, max(1, -(-12 // wide))):
        name = names[moments[column]] if moments[column] < len(names) else ""
        axis[column * wide : column * wide + len(name)] = name
    return (*lines, (Span(f"       {''.join(axis)[: _COLUMNS + 6].rstrip()}"),))


def _evenly(number: int) -> list[int]:
    """Return the indexes of evenly spaced moments out of `number` moments, as many as fit into the drawing. The first
    and the last moment are always included."""
    step = -(-number // _COLUMNS)
    return sorted({*range(0, number, step), number - 1})
