"""How a game that is over stood turn by turn, as a program sees it: a drawing for its page, where it turned, and what
would have been better."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pbem.games.analysis import Analysis, Choice, Moment, analyse
from pbem.games.base import Seat, Side
from pbem.match.analysing import better_at, turning_sections
from pbem.match.effects import Section
from pbem.record.history import History
from pbem.render.blocks import Block
from pbem.render.letters import blocks_of

_WIDTH, _HEIGHT, _EDGE = 600, 200, 12


class ShownTurning(NamedTuple):
    """A turn in which a game turned: the step of the page, its heading, and what would have been better, None where
    nobody has thought about that yet; both as blocks of letters."""

    step: str
    heading: Block
    better: Sequence[Block] | None


class ShownCurve(NamedTuple):
    """The drawing as SVG, whose lines it has, where the game turned, and whose opinion that is."""

    svg: str
    sides: Sequence[Side]
    turnings: Sequence[ShownTurning]
    opinion: Sequence[Block]


def curve_of(history: History, thoughts: str = "") -> ShownCurve | None:
    """What there is to show of a game that is over; None while it goes on, and where no program has an opinion of it.
    Of two sides there is one line, for the other one's is its mirror image. `thoughts` are what `thoughts_of` gives;
    they are read and not had here, for they take longer than all the rest of a page."""
    seats, moments = _seats(history), _moments(history)
    analysis = analyse(history.game, seats, moments, history.state) if history.phase() == "finished" else None
    if analysis is None:
        return None
    choices = _read(thoughts)
    thoughts_had = [choices.get((moments[turning.moment].number, turning.side)) for turning in analysis.turnings]
    *sections, opinion = turning_sections(history.game, moments, analysis, [had or () for had in thoughts_had])
    turnings = []
    for turning, thought, section in zip(analysis.turnings, thoughts_had, sections, strict=True):
        heading, *better = _blocks(section)
        step = f"turn-{moments[turning.moment].number}"
        turnings.append(ShownTurning(step, heading, None if thought is None else better))
    sides = analysis.sides[:1] if len(analysis.sides) == 2 else analysis.sides
    return ShownCurve(_drawn(history, analysis, sides), sides, turnings, _blocks(opinion))


def thoughts_file(name: str) -> str:
    """Where what `thoughts_of` gives for a game is kept."""
    return f"games/{name}-analysis.json"


def thoughts_of(history: History) -> str:
    """What would have been better where a game that is over turned, as JSON: a fraction of a second for each seat of a
    side that fell."""
    seats, moments = _seats(history), _moments(history)
    analysis = analyse(history.game, seats, moments, history.state)
    entries = [
        {
            "turn": moments[turning.moment].number,
            "side": turning.side,
            "choices": [choice._asdict() for choice in better_at(history.game, seats, moments, turning)],
        }
        for turning in (analysis.turnings if analysis else ())
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


def _read(thoughts: str) -> Mapping[tuple[int, Side], Sequence[Choice]]:
    """What `thoughts_of` has written, by turn and side; nothing if somebody has changed that."""
    with suppress(ValueError, TypeError, LookupError):
        entries = json.loads(thoughts or "[]")
        return {(entry["turn"], entry["side"]): [Choice(**choice) for choice in entry["choices"]] for entry in entries}
    return {}


def _seats(history: History) -> dict[Seat, Side]:
    return dict(history.game.seats(history.options))


def _moments(history: History) -> list[Moment]:
    return [
        Moment(step.turn, step.before, {seat: orders for seat, orders in step.orders.items() if orders})
        for step in history.turns()
    ]


def _blocks(section: Section) -> list[Block]:
    """What a section says in the language of the pages, which tells no moments."""
    return blocks_of([section], "en", datetime.min.replace(tzinfo=UTC), ZoneInfo("UTC"))


def _drawn(history: History, analysis: Analysis, sides: Sequence[Side]) -> str:
    """A line for each side, in the colour of its first seat, and a number at each turn in which it turned."""
    game, chairs = history.game, history.game.seats(history.options)
    first = {side: next(chair.seat for chair in chairs if chair.side == side) for side in sides}
    step = (_WIDTH - 2 * _EDGE) / (len(analysis.shares) - 1)

    def at(moment: int, share: float) -> tuple[float, float]:
        return _EDGE + moment * step, _EDGE + (1 - share) * (_HEIGHT - 2 * _EDGE)

    lines = []
    for side in sides:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in enumerate(analysis.of(side))))
        lines.append(f'<polyline class="{game.name}-{escape(first[side])}" points="{points}"/>')
    marks = []
    for number, turning in enumerate(analysis.turnings, start=1):
        x, y = at(turning.moment + 1, analysis.of(sides[0] if len(sides) == 1 else turning.side)[turning.moment + 1])
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11"/><text x="{x:.1f}" y="{y + 5:.1f}">{number}</text>')
    named = " and ".join(str(game.called[side]) for side in sides)
    _, even = at(0, 1 / len(analysis.sides))
    return (
        f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="How {escape(named)} stood">'
        f'<path class="even" d="M{_EDGE} {even:.1f}H{_WIDTH - _EDGE}"/>{"".join(lines)}{"".join(marks)}</svg>'
    )
