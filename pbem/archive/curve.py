"""The course of a finished game as judged by a program: a curve with turning points, for the page of the game."""

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
    """A turning point of a game: the id of its step on the page, its heading, and the orders that would have been
    better.

    The heading is a block, as in letters. `better` consists of such blocks, or is None if no program has analysed the
    turning point yet.
    """

    step: str
    heading: Block
    better: Sequence[Block] | None


class ShownCurve(NamedTuple):
    """The curve of a game as SVG, the sides whose lines it shows, the turning points, and a remark that says whose
    opinion the curve shows."""

    svg: str
    sides: Sequence[Side]
    turnings: Sequence[ShownTurning]
    opinion: Sequence[Block]


def curve_of(history: History, thoughts: str = "") -> ShownCurve | None:
    """Return the curve of a finished game; None if the game is not finished, or if no program can judge it.

    The curve of a game with two sides has one line, because the second line would be its mirror image. `thoughts` is
    the result of `thoughts_of`, which callers run beforehand because it takes longer than the rest of a page.
    """
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
    """Return the path of the file that contains the result of `thoughts_of` for the game `name`."""
    return f"games/{name}-analysis.json"


def thoughts_of(history: History) -> str:
    """Find out which orders would have been better at the turning points of a finished game; return them as JSON.

    At each turning point, this takes a fraction of a second for each seat of the side whose chances fell.
    """
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
    """Parse the JSON that `thoughts_of` returned; return the better choices by turn and side, or an empty mapping if
    somebody has tampered with the JSON."""
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
    """Return the blocks of `section` in English, the language of the pages. Sections about curves contain no dates or
    times, so it does not matter for which moment and time zone they are rendered."""
    return blocks_of([section], "en", datetime.min.replace(tzinfo=UTC), ZoneInfo("UTC"))


def _drawn(history: History, analysis: Analysis, sides: Sequence[Side]) -> str:
    """Return the curve as SVG, with a line for each of `sides` in the colour of that side's first seat, and numbered
    turning points."""
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
