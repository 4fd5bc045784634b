"""How a game that is over stood turn by turn, as a program sees it: a drawing for its page, and where it turned."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from pbem.games.analysis import Analysis, Moment, analyse
from pbem.games.base import Side
from pbem.record.history import History

_WIDTH, _HEIGHT, _EDGE = 600, 200, 8
_TWO = 2


class ShownTurning(NamedTuple):
    """A turn in which a game turned: the step of the page, what it is called, whose share of the win fell in it, and
    from how many percent to how many."""

    step: str
    name: str
    side: Side
    before: int
    after: int


class ShownCurve(NamedTuple):
    """The drawing as SVG, whose lines it has, and where the game turned."""

    svg: str
    sides: Sequence[Side]
    turnings: Sequence[ShownTurning]


def curve_of(history: History) -> ShownCurve | None:
    """What there is to show of a game that is over; None while it goes on, and where no program has an opinion of it.
    Of two sides there is one line, for the other one's is its mirror image."""
    if history.phase() != "finished":
        return None
    moments = [Moment(step.turn, step.before, {}) for step in history.turns()]
    found = analyse(history.game, dict(history.game.seats(history.options)), moments, history.state)
    if found is None:
        return None
    sides = found.sides[:1] if len(found.sides) == _TWO else found.sides
    turnings = []
    for one in found.turnings:
        fall = round(100 * one.before), round(100 * one.after)
        turnings.append(ShownTurning(f"turn-{moments[one.moment].number}", one.name, one.side, *fall))
    return ShownCurve(_drawn(history, found, sides), sides, turnings)


def _drawn(history: History, found: Analysis, sides: Sequence[Side]) -> str:
    """A line for each side, in the colour of its first seat, and a number at each turn in which it turned."""
    game, chairs = history.game, history.game.seats(history.options)
    first = {side: next(chair.seat for chair in chairs if chair.side == side) for side in sides}
    step = (_WIDTH - 2 * _EDGE) / (len(found.shares) - 1)

    def at(moment: int, share: float) -> tuple[float, float]:
        return _EDGE + moment * step, _EDGE + (1 - share) * (_HEIGHT - 2 * _EDGE)

    lines = []
    for side in sides:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*one) for one in enumerate(found.of(side))))
        lines.append(f'<polyline class="{game.name}-{escape(first[side])}" points="{points}"/>')
    marks = []
    for number, one in enumerate(found.turnings, start=1):
        x, y = at(one.moment + 1, found.of(sides[0] if len(sides) == 1 else one.side)[one.moment + 1])
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11"/><text x="{x:.1f}" y="{y + 5:.1f}">{number}</text>')
    named = " and ".join(str(game.called[side]) for side in sides)
    _, even = at(0, 1 / len(found.sides))
    return (
        f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="How {escape(named)} stood">'
        f'<path class="even" d="M{_EDGE} {even:.1f}H{_WIDTH - _EDGE}"/>{"".join(lines)}{"".join(marks)}</svg>'
    )
