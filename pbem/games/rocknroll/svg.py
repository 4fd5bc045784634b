"""The row of Points as an SVG picture for web pages: the Points side by side, their units as cards, and the side that
controls each Point.

A page contains the shared plan once, from `plan`, and for each turn a picture that uses the plan, from `overlay`; `svg`
combines both in one file. VPA's cards have square corners and are above the name of a Point; Vietnam's cards are
rounded and below the name.
"""

from collections.abc import Iterator, Sequence

from pbem import Say
from pbem.games.base import Event, Side
from pbem.games.kit.svg import BURST, Colours, Drawing, plan_of, text_at, themed
from pbem.games.rocknroll import drawing, hints, wording
from pbem.games.rocknroll.cards import SIDES, VPA, opponent
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.wording import CALLED

_COLUMN, _CARD, _STEP, _BAND = 200, 176, 36, 54
_LONG = 14  # the most letters of a name that is not squeezed
_LEAST = 4  # the smallest number of card slots for one side in a picture

LIGHT = {
    "paper": "#f4f1e8", "point": "#fffdf6", "line": "#6b6a55", "ink": "#22241c", "band": "#dcd8c4",
    "vpa": "#2f5d34", "on-vpa": "#ffffff", "vietnam": "#a3341f", "on-vietnam": "#ffffff", "sign": "#f2b705",
}  # fmt: skip
DARK = {
    "paper": "#1b1c18", "point": "#262822", "line": "#8d8c76", "ink": "#efeee3", "band": "#3b3d34",
    "vpa": "#8fd197", "on-vpa": "#0d1c0f", "vietnam": "#f7a08e", "on-vietnam": "#2a0b05", "sign": "#f2b705",
}  # fmt: skip
PRINT = {
    "paper": "#ffffff", "point": "#ffffff", "line": "#444444", "ink": "#000000", "band": "#e4e4e4",
    "vpa": "#ffffff", "on-vpa": "#000000", "vietnam": "#444444", "on-vietnam": "#ffffff", "sign": "#ffffff",
}  # fmt: skip


def _coloured(colours: Colours) -> str:
    return """\
.board{{fill:{ink}}}
.board-paper{{fill:{paper};stroke:{line}}}
.board-point{{fill:{point};stroke:{line}}}
.board-band{{fill:{band};stroke:{line}}}
.board-sign{{fill:{sign};stroke:{line}}}
.board .vpa rect{{fill:{vpa};stroke:{line}}}
.board .vpa text{{fill:{on-vpa}}}
.board .vietnam rect{{fill:{vietnam};stroke:{line}}}
.board .vietnam text{{fill:{on-vietnam}}}
""".format_map(colours)


_RULES = """\
.board{display:block;max-width:100%;height:auto;text-anchor:middle;
font-family:"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.board-plan{position:absolute}
.board text{stroke:none;font-size:18px}
.board .board-name{font-size:21px;font-weight:bold}
.board .board-changed{font-size:28px;font-weight:bold}
.board .board-number{font-size:15px;font-weight:bold;fill:#221800}
.board .board-side{font-size:17px;text-anchor:start}
"""
STYLE = themed(_RULES, _coloured, LIGHT, DARK, PRINT)
"""CSS for all classes of the pictures."""


def plan(state: State, say: Say) -> str:
    """Draw the symbol for a lost unit, which all pictures share."""
    return plan_of(_definitions())


def overlay(state: State, since: State | None = None, events: Sequence[Event] = (), *, say: Say) -> str:
    """Draw a position as an `<svg>` that uses the plan. It marks the Points that have changed since the state `since`,
    and the losses in `events`."""
    return Drawing(_size(state), _title(state, say), "".join(_content(state, since, events, say))).overlay()


def svg(state: State, since: State | None = None, events: Sequence[Event] = (), *, say: Say) -> str:
    """Draw a position as a standalone SVG file with its style and a description in words."""
    title = f"Rock'n'Roll: {_title(state, say)}"
    drawn = Drawing(_size(state), title, "".join(_content(state, since, events, say)))
    return drawn.document(f"<defs>{_definitions()}</defs>", STYLE, _in_words(state, say))


def _definitions() -> str:
    return f'<path id="board-loss" class="board-sign" d="{BURST}"/>'


def _title(state: State, say: Say) -> str:
    return hints.phase(state, say)


def _in_words(state: State, say: Say) -> str:
    lines = []
    for point in state.row:
        for side in SIDES:
            units = ", ".join(wording.card(state.cards, unit, say) for unit in state.points[point][side])
            if units:
                values = {"point": wording.point(point, say), "side": say(CALLED[side]), "units": units}
                lines.append(say("{point}, {side}: {units}.", **values))
    return "\n".join([*lines, *hints.summary(state, say)])


def _places(state: State) -> int:
    """Return the number of card slots that each side has on a Point."""
    return max(_LEAST, *(len(sides[side]) for sides in state.points.values() for side in SIDES))


def _size(state: State) -> tuple[int, int]:
    return len(state.row) * _COLUMN + 24, 2 * _places(state) * _STEP + _BAND + 76


def _content(state: State, since: State | None, events: Sequence[Event], say: Say) -> Iterator[str]:
    width, height = _size(state)
    yield f'<path class="board-paper" d="M1 1H{width - 1}V{height - 1}H1z"/>'
    points = {point.id: point for point in state.cards.points}
    middle = 38 + _places(state) * _STEP
    yield text_at(say(CALLED[SIDES[0]]), 16, 24, "board-side")
    yield text_at(say(CALLED[SIDES[1]]), 16, height - 12, "board-side")
    for number, name in enumerate(state.row):
        left = 12 + number * _COLUMN
        held = drawing.control(state, name)
        yield f'<rect class="board-point" x="{left + 4}" y="32" width="{_COLUMN - 8}" height="{height - 64}" rx="6"/>'
        yield _band(left, middle, held)
        title = f"{wording.point(name, say)} {wording.named(points[name].name, say)}"
        changed = since is not None and state.points[name] != since.points[name]
        yield text_at(
            title, left + _COLUMN / 2, middle + _BAND / 2 + 7, "board-name", _COLUMN - 60 if len(title) > 14 else 0
        )
        if changed:
            yield text_at("*", left + _COLUMN - 22, middle + _BAND / 2 + 12, "board-changed")
        for side in SIDES:
            yield _cards(state, name, side, (left, middle), say)
    lost = _losses(since or state, events)
    for number, name in enumerate(state.row):
        for at, side in enumerate(SIDES):
            if times := lost.count((side, name)):
                x, y = 12 + number * _COLUMN + 26, middle + at * _BAND
                yield f'<use href="#board-loss" x="{x}" y="{y}"/>'
                yield text_at(str(times), x, y + 6, "board-number")


def _band(left: int, middle: int, held: Side | None) -> str:
    """Draw the band behind a Point's name. The edge of the band has the colour of the side that controls the Point."""
    band = f'<rect class="board-band" x="{left + 4}" y="{middle}" width="{_COLUMN - 8}" height="{_BAND}"/>'
    if held is None:
        return band
    top = middle if held == VPA else middle + _BAND - 8
    edge = f'<g class="{held}"><rect x="{left + 4}" y="{top}" width="{_COLUMN - 8}" height="8"/></g>'
    return band + edge


def _cards(state: State, point: str, side: Side, place: tuple[int, int], say: Say) -> str:
    """Draw a side's units on a Point, starting next to the Point's name."""
    (left, middle), parts = place, []
    for number, unit in enumerate(state.points[point][side]):
        top = middle - (number + 1) * _STEP + 2 if side == VPA else middle + _BAND + number * _STEP + 4
        text = wording.carded(state.cards, unit, say)
        parts.append(
            f'<rect x="{left + (_COLUMN - _CARD) // 2}" y="{top}" width="{_CARD}" height="{_STEP - 6}" '
            f'rx="{3 if side == VPA else 15}"/>'
        )
        parts.append(text_at(text, left + _COLUMN / 2, top + 21, "", _CARD - 20 if len(text) > 17 else 0))
    return f'<g class="{side}">{"".join(parts)}</g>' if parts else ""


def _losses(since: State, events: Sequence[Event]) -> list[tuple[Side, str]]:
    """Return, for each unit that was lost or captured on a Point, its side and that Point."""
    places = {unit: point for point, sides in since.points.items() for side in SIDES for unit in sides[side]}
    losses = []
    for event in events:
        match event["type"]:
            case "deploy":
                places[event["unit"]] = event["point"]
            case "move":
                places[event["unit"]] = event["to"]
            case "lost" if event["unit"] in places:
                losses.append((event["side"], places.pop(event["unit"])))
            case "captured" if event["unit"] in places:
                losses.append((opponent(event["by"]), places.pop(event["unit"])))
    return losses
