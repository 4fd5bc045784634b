"""The row of Points as text: one or more lines for each Point, with the sides facing each other.

The drawing is equally readable on a narrow screen and on paper: names are listed and wrapped, and an arrow points to
the side that controls a Point. The spans have the styles `name`, `legend` and, for units, `vpa` or `vietnam`, preceded
by `changed` if the Point of the units has changed.
"""

from textwrap import wrap

from pbem import Say
from pbem.games.base import Picture, Side, Span
from pbem.games.capabilities import Cell, Grid
from pbem.games.rocknroll import wording
from pbem.games.rocknroll.cards import SIDES, VIETNAM, VPA, CardSet, Point
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.wording import CALLED

_WIDTH = 26
_NAME = 9


def picture(state: State, since: State | None = None, *, say: Say) -> Picture:
    """Draw the Points in the order of the row, with a legend of the symbols. Points that have changed since the state
    `since` are marked."""
    points = {point.id: point for point in state.cards.points}
    head: tuple[Span, ...] = (
        Span(f"{say(CALLED[VPA]):>{_WIDTH}}", VPA),
        Span(" | ", "legend"),
        Span(" " * (_NAME + 4)),
        Span(" | ", "legend"),
        Span(say(CALLED[VIETNAM]), VIETNAM),
    )
    rows = [head]
    for name in state.row:
        rows += _rows(state, points[name], say, changed=since is not None and _differs(state, since, name))
    return (*rows, (), *((Span(line, "legend key"),) for line in _legend(state.cards, say)))


def cells(state: State, since: State | None = None, *, say: Say) -> Grid:
    """Return the same drawing as `picture`, but as a table for a narrow screen."""
    points = {point.id: point for point in state.cards.points}
    head = (Cell(((Span(say(CALLED[VPA]), VPA),),)), Cell(), Cell(((Span(say(CALLED[VIETNAM]), VIETNAM),),)))
    rows = [head, *(_row_of_cells(state, since, points[name], say) for name in state.row)]
    rows += ((Cell(((Span(line, "legend key"),),), columns=len(head)),) for line in _signs(state.cards, say))
    return tuple(rows)


def _row_of_cells(state: State, since: State | None, point: Point, say: Say) -> tuple[Cell, ...]:
    """Return the cells of a Point: the Point itself between the units of both sides, each unit on its own line."""
    changed = since is not None and _differs(state, since, point.id)
    mark = "changed " if changed else ""
    left, right = (
        tuple((Span(text, f"{mark}{side}"),) for text in _units(state, point.id, side, say)) for side in SIDES
    )
    held = control(state, point.id)
    signs = ("< " if held == VPA else "", " >" if held == VIETNAM else "")
    name = Span(f"{signs[0]}{wording.point(point.id, say)}{signs[1]}{'*' * changed}", "name")
    return Cell(left), Cell(((name,), (Span(wording.named(point.name, say), "name"),)), "box"), Cell(right)


def _differs(state: State, since: State, point: str) -> bool:
    return any(state.points[point][side] != since.points[point][side] for side in SIDES)


def control(state: State, point: str) -> Side | None:
    """Return the side with more units on a Point; None if both have the same number (R55)."""
    vpa, vietnam = (len(state.points[point][side]) for side in SIDES)
    return None if vpa == vietnam else VPA if vpa > vietnam else VIETNAM


def _rows(state: State, point: Point, say: Say, *, changed: bool) -> list[tuple[Span, ...]]:
    """Return the lines of the drawing for a Point. The Point's name is on the first line."""
    held = control(state, point.id)
    left, right = (_listed(state, point.id, side, say) for side in SIDES)
    name = f"{wording.point(point.id, say)} {wording.named(point.name, say)}"[: _NAME + 1]
    signs = ("<" if held == VPA else " ", ">" if held == VIETNAM else " ")
    middle = f"{signs[0]} {name:<{_NAME}} {signs[1]}"
    mark = "changed " if changed else ""
    rows = list[tuple[Span, ...]]()
    for number in range(max(len(left), len(right), 1)):
        own, enemy = (lines[number] if number < len(lines) else "" for lines in (left, right))
        rows.append(
            (
                Span(f"{own:>{_WIDTH}}", f"{mark}{VPA}" if own else ""),
                Span(" | ", "legend"),
                Span(middle, f"{mark}name") if number == 0 else Span(" " * len(middle), "name"),
                Span("*| " if changed and number == 0 else " | ", "legend"),
                Span(enemy, f"{mark}{VIETNAM}" if enemy else ""),
            )
        )
    return rows


def _listed(state: State, point: str, side: Side, say: Say) -> list[str]:
    texts = [text.replace(" ", "\xa0") for text in _units(state, point, side, say)]
    return [line.replace("\xa0", " ") for line in wrap(", ".join(texts), _WIDTH, break_on_hyphens=False)]


def _units(state: State, point: str, side: Side, say: Say) -> list[str]:
    cards = state.cards
    return [wording.carded(cards, unit, say) for unit in state.points[point][side]]


def _legend(cards: CardSet, say: Say) -> list[str]:
    """Return the lines of the legend of the symbols."""
    return [part for line in _signs(cards, say) for part in wrap(line, 60)]


def _signs(cards: CardSet, say: Say) -> list[str]:
    ends = (wording.point(cards.row[0], say), wording.point(cards.row[-1], say))
    lines = [
        say("After each name: the lowest number that hits; x2: two dice; ★: the unit's feature is always on."),
        say("< >: who has more units there. Deployment: {first} and {last}.", first=ends[0], last=ends[1]),
    ]
    if cards.switches.armour:
        lines.append(say("After a slash: armour, which a hit has to reach; ♠: the ace, which no armour stops."))
    return lines
