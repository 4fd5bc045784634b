"""The map as an SVG picture for web pages, equivalent to the text map in letters.

A page contains the plan once, as drawn by `plan`. For each turn, it contains a picture that refers to the plan, as
drawn by `overlay`; `svg` combines both in one file. Shapes and words convey everything that colours do: Red's symbols
have corners, and Blue's are round. All colours come from `STYLE`.

Classes that begin with `board-` belong to the plan. The CSS rules for these classes use no other selectors, because an
element shown with `<use>` is styled where it is defined, and inherits only fill and stroke from where it is used.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import dist

from pbem import ENGLISH, Say
from pbem.games.base import Event, Seat
from pbem.games.kit.svg import BURST, Colours, Drawing, group, plan_of, text_at, themed
from pbem.games.ozymandia import narrative
from pbem.games.ozymandia.board import MAX_SHOWN, Board
from pbem.games.ozymandia.layout import BOX_WIDTH, LANE, NAME_LINE, Layout, Point, Way, lay_out
from pbem.games.ozymandia.state import NAMES, SEATS, State

LIGHT: Colours = {
    "paper": "#f3e9d2", "province": "#fffaf0", "city": "#e7dabd", "line": "#6b5636", "road": "#d9c49a",
    "ink": "#2b2118", "code": "#5e4a30", "sign": "#f2b705",
    "red": "#b23c00", "red-edge": "#b23c00", "on-red": "#ffffff",
    "blue": "#00568f", "blue-edge": "#00568f", "on-blue": "#ffffff",
}  # fmt: skip
DARK: Colours = {
    "paper": "#1f1b16", "province": "#2d2720", "city": "#3f372c", "line": "#a8946e", "road": "#5c4f3a",
    "ink": "#f3e8d3", "code": "#cdbd9d", "sign": "#f2b705",
    "red": "#ff9a5e", "red-edge": "#ff9a5e", "on-red": "#1f0f04",
    "blue": "#7cc0f5", "blue-edge": "#7cc0f5", "on-blue": "#04121f",
}  # fmt: skip
PRINT: Colours = {  # Red's symbols are pale and Blue's dark, because print may lack colours
    "paper": "#ffffff", "province": "#ffffff", "city": "#e4e4e4", "line": "#444444", "road": "#cccccc",
    "ink": "#000000", "code": "#333333", "sign": "#ffffff",
    "red": "#fff0e6", "red-edge": "#8c3000", "on-red": "#000000",
    "blue": "#00406b", "blue-edge": "#00406b", "on-blue": "#ffffff",
}  # fmt: skip


def _coloured(colours: Colours) -> str:
    return """\
.board{{fill:{ink}}}
.board-paper{{fill:{paper};stroke:{line}}}
.board-edges,.board-gate,.board-deck,.board-planks{{stroke:{line}}}
.board-road{{stroke:{road}}}
.board-province{{fill:{province};stroke:{line}}}
.board-city{{fill:{city};stroke:{line}}}
.board-code{{fill:{code}}}
.board-sign{{fill:{sign}}}
.board .red{{fill:{red};stroke:{red-edge}}}
.board .red text{{fill:{on-red}}}
.board .blue{{fill:{blue};stroke:{blue-edge}}}
.board .blue text{{fill:{on-blue}}}
""".format_map(colours)


_RULES = """\
.board{display:block;max-width:100%;height:auto;text-anchor:middle;
font-family:Palatino,"Palatino Linotype","Book Antiqua",Georgia,serif}
.board-plan{position:absolute}
.board-edges,.board-road,.board-gate,.board-deck,.board-planks,.board-held,.board-swords{fill:none}
.board-edges{stroke-width:11}
.board-road{stroke-width:7}
.board-gate{stroke-width:6;stroke-linecap:round;stroke-dasharray:0 10}
.board-deck{stroke-width:9}
.board-planks{stroke-width:16;stroke-dasharray:4 4}
.board-province,.board-city{stroke-width:2}
.board-name,.board-legend{font-size:21px}
.board-code{font-size:20px;font-weight:bold}
.board-legend{text-anchor:start}
.board-changed{font-size:30px;font-weight:bold}
.board-held{stroke-width:5}
.board-sign{stroke:#221800;stroke-width:2;stroke-linejoin:round}
.board-swords{stroke:#221800;stroke-width:3;stroke-linecap:round}
.board text{stroke:none}
.board .stand{font-size:24px;font-weight:bold}
.board .march{font-size:20px;font-weight:bold}
.board .march path{fill:none;stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
"""
STYLE = themed(_RULES, _coloured, LIGHT, DARK, PRINT)
"""CSS for all classes of the pictures."""

_RADIUS = {"red": 2, "blue": 16}  # the radius of the corners of a side's symbols
_LAYERS = {"pass": ("edges", "road"), "gate": ("gate",), "bridge": ("deck", "planks")}
_SWORDS = "M-5-5l10 10m0-10l-10 10"
_LIGHTNING = "M3-20l-13 22h8l-5 18 16-24h-9l8-16z"
_ROW = 36  # the height of a row of the legend


def plan(state: State, say: Say = ENGLISH) -> str:
    """Draw everything that all pictures on a board share, as an invisible `<svg>` that a page contains once."""
    return plan_of(_definitions(state.board, say))


def overlay(state: State, since: State | None = None, events: Sequence[Event] = (), say: Say = ENGLISH) -> str:
    """Draw a position as an `<svg>` for a page with the plan. The events and the changes since the position `since` are
    marked."""
    return Drawing(_size(state.board), _title(state, say), _content(state, since, events, say)).overlay()


def svg(state: State, since: State | None = None, events: Sequence[Event] = (), say: Say = ENGLISH) -> str:
    """Draw a position as a standalone SVG file with its style and a description in words."""
    title = f"Ozymandia: {_title(state, say)}"
    drawn = Drawing(_size(state.board), title, _content(state, since, events, say))
    return drawn.document(_definitions(state.board, say), STYLE, _in_words(state, say))


def _title(state: State, say: Say) -> str:
    if state.turn == 1:
        return say("The board at the start.")
    return say("The board after turn {turn}.", turn=state.turn - 1)


def _in_words(state: State, say: Say) -> str:
    board = state.board
    sides = [
        f"{say(NAMES[seat])}: {', '.join(stands)}."
        for seat in SEATS
        if (stands := [f"{board.areas[area].name} {state.pieces[seat][area]}" for area in state.areas(seat)])
    ]
    reconstructed = [say("The board is our reconstruction of the original") + "."] if board.reconstructed else []
    return "\n".join([*sides, *narrative.summary(state, say), *reconstructed])


# The plan


def _size(board: Board) -> tuple[int, int]:
    """Return the width and height of the picture: the map with the legend below it."""
    layout = lay_out(board)
    return layout.width, layout.height + _ROW * (3 if board.reconstructed else 2) + 10


@lru_cache(maxsize=16)
def _definitions(board: Board, say: Say) -> str:
    layout = lay_out(board)
    width, height = _size(board)
    below = layout.box_height / 2 - 15
    ways: dict[str, str] = {"pass": "", "gate": "", "bridge": ""}
    for link in board.links:
        ways[link.kind] += _path(layout.ways[link.a, link.b])
    parts = [
        *_shapes(layout.box_height),
        f'<symbol id="board" viewBox="0 0 {width} {height}">',
        f'<path class="board-paper" d="M1 1H{width - 1}V{height - 1}H1zM6 6H{width - 6}V{height - 6}H6z"/>',
        *(_links(kind, path) for kind, path in ways.items()),
        *(_use(area.kind, layout.places[code]) for code, area in board.areas.items()),
        group("board-name", (_name(layout, code) for code in board.areas)),
        group("board-code", (text_at(code, x - 61, y + below) for code, (x, y) in layout.places.items())),
        *_legend(board, layout, say),
        "</symbol>",
    ]
    return f"<defs>{''.join(parts)}</defs>"


def _shapes(height: int) -> Iterator[str]:
    """Yield the shared shapes, centred at 0, 0: boxes, marks of their owners, and symbols."""
    x, y = BOX_WIDTH / 2, height / 2
    merlon, crenel = "v-6h11v6", "h11"
    outlines = {
        "province": f"M{-x:g} {-y:g}h{BOX_WIDTH}v{height}h-{BOX_WIDTH}z",
        "city": f"M{-x:g} {-y:g}{crenel.join([merlon] * 8)}v{height}h-{BOX_WIDTH}z",
    }
    for kind, outline in outlines.items():
        yield f'<path id="board-{kind}" class="board-{kind}" d="{outline}"/>'
        for seat, radius in _RADIUS.items():
            yield f'<g id="board-{seat}-{kind}"><path class="board-held" d="{outline}"/>'
            yield f'<rect x="-40" y="{y - 40:g}" width="104" height="32" rx="{radius}"/></g>'
    for seat, radius in _RADIUS.items():
        for digits in (1, 2, 3, 4):
            half = 8 + 6 * digits
            yield f'<rect id="board-{seat}-{digits}" x="-{half:g}" y="-13" width="{2 * half:g}" height="26" '
            yield f'rx="{radius}"/>'
    yield f'<g id="board-battle"><path class="board-sign" d="{BURST}"/><path class="board-swords" d="{_SWORDS}"/></g>'
    yield f'<path id="board-lightning" class="board-sign" d="{_LIGHTNING}"/>'


def _links(kind: str, path: str) -> str:
    """Draw links of one kind: a pass has two edges, a gate is dotted, a bridge has planks."""
    return "".join(f'<path class="board-{layer}" d="{path}"/>' for layer in _LAYERS[kind])


def _name(layout: Layout, code: str) -> str:
    """Draw an area's name, squeezed to the width of its box."""
    x, y = layout.places[code]
    top = y - layout.box_height / 2 + 24
    return "".join(
        text_at(
            line, x, top + NAME_LINE * number, length=min(BOX_WIDTH - 19, 10.2 * len(line)) if len(line) > 12 else 0
        )
        for number, line in enumerate(layout.names[code])
    )


def _legend(board: Board, layout: Layout, say: Say) -> Iterator[str]:
    """Yield the legend of links and symbols in two rows of three, and a note if the board is reconstructed."""
    top = layout.height + 8
    columns = [26 + round(number * (layout.width - 26) / 3) for number in range(3)]
    for kind, left in zip(_LAYERS, columns, strict=True):
        yield _links(kind, f"M{left} {top}h34")
    yield _use("battle", Point(columns[0] + 17, top + _ROW))
    yield _use("lightning", Point(columns[1] + 17, top + _ROW))
    words = (say("pass"), say("gate"), say("bridge"), say("battle"), say("bombardment"), say("changed"))
    places = [(left, top + down) for down in (0, _ROW) for left in columns]
    texts = [text_at(word, x + 44, y + 6) for word, (x, y) in zip(words, places, strict=True)]
    yield group("board-changed", [text_at("*", columns[2] + 17, top + _ROW + 14)])
    if board.reconstructed:
        texts.append(text_at(say("The board is our reconstruction of the original"), columns[0], top + 2 * _ROW + 4))
    yield group("board-legend", texts)


# The elements drawn over the plan


def _content(state: State, since: State | None, events: Sequence[Event], say: Say) -> str:
    layout = lay_out(state.board)
    parts = [
        '<use href="#board"/>',
        *(_stands(state, seat, layout, say) for seat in SEATS),
        _changes(state, since or state, layout),
        *_meetings(events, layout),
        *(_marches(state.board, seat, events) for seat in SEATS),
    ]
    return "".join(parts)


def _stands(state: State, seat: Seat, layout: Layout, say: Say) -> str:
    """Draw the areas that a side holds, with its pieces there."""
    parts = []
    below, name = layout.box_height / 2 - 14, say(NAMES[seat])
    for area in state.areas(seat):
        place, number = layout.places[area], state.pieces[seat][area]
        label = f"{name} {number}" if number <= MAX_SHOWN else f"{name}>{MAX_SHOWN}"
        parts.append(_use(f"{seat}-{state.board.areas[area].kind}", place))
        parts.append(
            text_at(label, place.x + 12, place.y + below, length=min(94, 13 * len(label)) if len(label) > 6 else 0)
        )
    return group(f"stand {seat}", parts)


def _changes(state: State, since: State, layout: Layout) -> str:
    changed = [
        place
        for area, place in layout.places.items()
        if any(state.pieces[seat].get(area) != since.pieces[seat].get(area) for seat in SEATS)
    ]
    return group("board-changed", (text_at("*", x + 73, y + layout.box_height / 2 - 8) for x, y in changed))


def _meetings(events: Sequence[Event], layout: Layout) -> Iterator[str]:
    """Yield symbols for fights and bombardments: battles at the left corner of an area or in the middle of a link,
    bombardments at the right corner."""
    across, up = BOX_WIDTH / 2, layout.box_height / 2
    for event in events:
        if event["type"] == "crossing":
            yield _use("battle", layout.way(event["from"]["red"], event["from"]["blue"]).point_at(0.5))
        elif event["type"] == "battle":
            x, y = layout.places[event["area"]]
            yield _use("battle", Point(x - across, y - up))
        elif event["type"] == "bombardment":
            x, y = layout.places[event["area"]]
            yield _use("lightning", Point(x + across, y - up))


def _marches(board: Board, seat: Seat, events: Sequence[Event]) -> str:
    """Draw an arrow with a number for each move of a side. Of two arrows in opposite directions, each keeps to its
    right."""
    moves = [event for event in events if event["type"] == "move"]
    ends = {(move["from"], move["to"]) for move in moves}
    arrows, numbers = [], []
    for move in moves:
        if move["seat"] == seat:
            origin, target, number = move["from"], move["to"], move["count"]
            path, place = _arrow(board, origin, target, (target, origin) in ends)
            arrows.append(path)
            label = str(number) if number <= MAX_SHOWN else f">{MAX_SHOWN}"
            numbers += [_use(f"{seat}-{len(label)}", place), text_at(label, place.x, place.y + 7)]
    return group(f"march {seat}", arrows + numbers)


@lru_cache(maxsize=1024)
def _arrow(board: Board, origin: str, target: str, keeps_right: bool) -> tuple[str, Point]:
    """Draw the arrow of a move, to the right of the middle of the way if `keeps_right` is true. Return it with the
    place for its number."""
    way = lay_out(board).march(origin, target, LANE if keeps_right else 0)
    along = way.point_at(0.9)
    length = dist(along, way.d)
    x, y = (way.d.x - along.x) / length * 9, (way.d.y - along.y) / length * 9
    tip = f"m{-x - y:.0f} {-y + x:.0f}L{way.d.x:.0f} {way.d.y:.0f}l{-x + y:.0f} {-y - x:.0f}"
    return f'<path d="{_path(way)}{tip}"/>', way.point_at(0.3)


# Elements


def _path(way: Way) -> str:
    a, b, c, d = (f"{x:.0f} {y:.0f}" for x, y in way)
    return f"M{a}L{d}" if way.is_straight() else f"M{a}C{b} {c} {d}"


def _use(shape: str, place: Point) -> str:
    return f'<use href="#board-{shape}" x="{place.x:.0f}" y="{place.y:.0f}"/>'
