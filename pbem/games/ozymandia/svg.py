"""The map as a picture in SVG: the map of the letters, drawn for pages.

A page has the plan once, `plan`, and a picture of each turn that uses it, `overlay`; `svg` is both in one file. Shapes
and words say all that colours say: Red's signs have corners, Blue's are round. Colours come from `STYLE` alone, which
knows light, dark and print.

Classes that begin with `board-` are those of the plan. Rules for them have no other selectors: what is used by `<use>`
is styled where it is defined, and only what it inherits (fill, variables) comes from where it is used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import hypot
from xml.sax.saxutils import escape, quoteattr

from pbem.games.base import ENGLISH, Event, Say, Seat
from pbem.games.ozymandia import telling
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.boardfile import MAX_SHOWN
from pbem.games.ozymandia.layout import BOX_WIDTH, LONGEST_LINE, NAME_LINE, Layout, Point, Way, lay_out
from pbem.games.ozymandia.state import NAMES, SEATS, State

LIGHT = {
    "paper": "#f3e9d2", "land": "#fffaf0", "wall": "#e7dabd", "line": "#6b5636", "road": "#d9c49a",
    "ink": "#2b2118", "faint": "#5e4a30", "mark": "#f2b705",
    "red": "#b23c00", "on-red": "#ffffff", "blue": "#00568f", "on-blue": "#ffffff",
}  # fmt: skip
"""The colours on a screen, by name: what is filled with one has the text of the one beside it (see `TEXTS`)."""

DARK = {
    "paper": "#1f1b16", "land": "#2d2720", "wall": "#3f372c", "line": "#a8946e", "road": "#5c4f3a",
    "ink": "#f3e8d3", "faint": "#cdbd9d", "mark": "#f2b705",
    "red": "#ff9a5e", "on-red": "#1f0f04", "blue": "#7cc0f5", "on-blue": "#04121f",
}  # fmt: skip

PRINT = {
    "paper": "#ffffff", "land": "#ffffff", "wall": "#e4e4e4", "line": "#444444", "road": "#cccccc",
    "ink": "#000000", "faint": "#333333", "mark": "#ffffff",
    "red": "#ffe2d1", "on-red": "#000000", "blue": "#00406b", "on-blue": "#ffffff",
}  # fmt: skip
"""On paper Red's signs are pale and Blue's dark, so that they differ without any colour."""

TEXTS = (
    ("ink", "paper"), ("ink", "land"), ("ink", "wall"), ("faint", "land"), ("faint", "wall"), ("faint", "paper"),
    ("on-red", "red"), ("on-blue", "blue"),
)  # fmt: skip
"""Each colour of text with each that it stands on."""


def _variables(colours: Mapping[str, str]) -> str:
    return ".board{" + ";".join(f"--{name}:{colour}" for name, colour in colours.items()) + "}"


STYLE = f"""\
{_variables(LIGHT)}
@media (prefers-color-scheme:dark){{{_variables(DARK)}}}
@media print{{{_variables(PRINT)}}}
.board{{display:block;width:100%;height:auto;fill:var(--ink);text-anchor:middle;
font-family:Palatino,"Palatino Linotype","Book Antiqua",Georgia,serif}}
.board-plan{{position:absolute;width:0;height:0}}
.board-paper{{fill:var(--paper);stroke:var(--line)}}
.board-road{{fill:none;stroke:var(--line);stroke-width:11}}
.board-bed{{fill:none;stroke:var(--road);stroke-width:7}}
.board-gate{{fill:none;stroke:var(--line);stroke-width:6;stroke-linecap:round;stroke-dasharray:0 10}}
.board-bridge{{fill:none;stroke:var(--line);stroke-width:16;stroke-dasharray:4 4}}
.board-rails{{fill:none;stroke:var(--line);stroke-width:9}}
.board-land{{fill:var(--land);stroke:var(--line);stroke-width:2}}
.board-wall{{fill:var(--wall);stroke:var(--line);stroke-width:2}}
.board-name{{font-size:17px}}
.board-code{{font-size:19px;font-weight:bold;fill:var(--faint)}}
.board-key{{font-size:16px;text-anchor:start}}
.board-held{{fill:none;stroke-width:5}}
.board-sign{{stroke:var(--line)}}
.board-mark{{fill:var(--mark);stroke:var(--ink);stroke-width:1.5;stroke-linejoin:round}}
.board-swords{{fill:none;stroke:#000;stroke-width:2.5;stroke-linecap:round}}
.board .red{{fill:var(--red);stroke:var(--red)}}
.board .blue{{fill:var(--blue);stroke:var(--blue)}}
.board text{{stroke:none}}
.board .red text{{fill:var(--on-red)}}
.board .blue text{{fill:var(--on-blue)}}
.board .stand text{{font-size:20px;font-weight:bold}}
.board .march text{{font-size:17px;font-weight:bold}}
.board .march path{{fill:none;stroke-width:6;stroke-linecap:round;stroke-linejoin:round}}
.board .changed{{font-size:26px;font-weight:bold}}
"""
"""CSS for all classes of the pictures: a page has it once, `svg` brings it along."""

_KEY_HEIGHT = 78
_TWIN = 19  # how far two marches in opposite directions are from the middle of the way


def plan(state: State, say: Say = ENGLISH) -> str:
    """What is the same in every picture on a board: an `<svg>` that shows nothing, to stand once on a page."""
    return f'<svg class="board-plan" width="0" height="0" aria-hidden="true">{_definitions(state.board, say)}</svg>'


def overlay(state: State, since: State | None = None, events: Sequence[Event] = (), say: Say = ENGLISH) -> str:
    """The picture of a position as an `<svg>` that uses the plan; with what changed `since`, and what happened."""
    opening = f'class="board" {_size(state.board)} role="img" aria-label={quoteattr(_title(state, say))}'
    return f"<svg {opening}>{_content(state, since, events, say)}</svg>"


def svg(state: State, since: State | None = None, events: Sequence[Event] = (), say: Say = ENGLISH) -> str:
    """The picture as a file of its own, with its style, and all that it shows in words."""
    layout = lay_out(state.board)
    size = f'{_size(state.board)} width="{layout.width}" height="{layout.height + _KEY_HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" {size} role="img" aria-labelledby="title desc">\n'
        f'<title id="title">Ozymandia: {escape(_title(state, say))}</title>\n'
        f'<desc id="desc">{escape(_in_words(state, say))}</desc>\n'
        f"<style>{STYLE}</style>\n{_definitions(state.board, say)}\n{_content(state, since, events, say)}\n</svg>\n"
    )


def _size(board: Board) -> str:
    layout = lay_out(board)
    return f'viewBox="0 0 {layout.width} {layout.height + _KEY_HEIGHT}"'


def _title(state: State, say: Say) -> str:
    if state.turn == 1:
        return say("The board at the start.")
    return say("The board after turn {turn}.", turn=state.turn - 1)


def _in_words(state: State, say: Say) -> str:
    board = state.board
    sides = [
        say("{side}: {areas}.", side=say(NAMES[seat]), areas=", ".join(stands))
        for seat in SEATS
        if (stands := [f"{board.areas[area].name} {state.pieces[seat][area]}" for area in state.areas(seat)])
    ]
    reconstructed = [say("This board is a reconstruction") + "."] if board.reconstructed else []
    return "\n".join([*sides, *telling.summary(state, say), *reconstructed])


# The plan


@lru_cache(maxsize=16)
def _definitions(board: Board, say: Say) -> str:
    layout = lay_out(board)
    kinds: dict[str, list[str]] = {"pass": [], "gate": [], "bridge": []}
    for link in board.links:
        kinds[link.kind].append(_path(layout.ways[link.a, link.b]))
    roads, gates, bridges = map("".join, kinds.values())
    frame = f'width="{layout.width - 12}" height="{layout.height + _KEY_HEIGHT - 12}"'
    return "".join(
        (
            "<defs>",
            *_shapes(layout.box_height),
            f'<symbol id="board" {_size(board)}>',
            f'<rect class="board-paper" x="1" y="1" width="{layout.width - 2}" height="{layout.height + _KEY_HEIGHT - 2}"/>',
            f'<rect class="board-paper" x="6" y="6" {frame}/>',
            f'<path class="board-road" d="{roads}"/><path class="board-bed" d="{roads}"/>',
            f'<path class="board-gate" d="{gates}"/>',
            f'<path class="board-rails" d="{bridges}"/><path class="board-bridge" d="{bridges}"/>',
            *(_use(area.kind, layout.places[code]) for code, area in board.areas.items()),
            '<g class="board-name">',
            *(_name(layout.names[code], layout, place) for code, place in layout.places.items()),
            '</g><g class="board-code">',
            *(_text(code, place.x - 57, place.y + layout.box_height / 2 - 13) for code, place in layout.places.items()),
            "</g>",
            *_key(board, layout, say),
            "</symbol></defs>",
        )
    )


def _shapes(height: int) -> Iterator[str]:
    """What is drawn again and again: the boxes, who holds them, the signs. All are drawn around 0, 0."""
    x, y = BOX_WIDTH // 2, height / 2
    land = f"M{-x} {-y:g}h{2 * x}v{height}h{-2 * x}z"
    teeth = "v-6h12v6h10" * 7
    wall = f"M{-x} {-y:g}{teeth[:-3]}v{height}h{-2 * x}z"
    yield f'<path id="board-province" class="board-land" d="{land}"/>'
    yield f'<path id="board-city" class="board-wall" d="{wall}"/>'
    for seat, radius in (("red", 2), ("blue", 14)):
        for kind, outline in (("province", land), ("city", wall)):
            yield f'<g id="board-{seat}-{kind}"><path class="board-held" d="{outline}"/>'
            yield f'<rect x="-36" y="{y - 35:g}" width="96" height="28" rx="{radius}"/></g>'
        for digits in (1, 2, 3):
            width = 14 + 12 * digits
            yield f'<rect id="board-{seat}-{digits}" x="{-width / 2:g}" y="-12" width="{width}" height="24" rx="{radius}"/>'
    burst = "M0-19l5 9 9-5-2 10 10 4-10 5 3 10-10-4-5 9-5-9-10 4 3-10-10-5 10-4-2-10 9 5z"
    yield f'<g id="board-battle"><path class="board-mark" d="{burst}"/>'
    yield '<path class="board-swords" d="M-6-6l12 12m0-12l-12 12m-2-5l5 5m6 0l5-5"/></g>'
    yield '<path id="board-lightning" class="board-mark" d="M3-20l-13 22h8l-5 18 16-24h-9l8-16z"/>'


def _name(lines: Sequence[str], layout: Layout, place: Point) -> str:
    top = place.y - layout.box_height / 2 + 21
    return "".join(_squeezed(line, place.x, top + NAME_LINE * number) for number, line in enumerate(lines))


def _squeezed(line: str, x: float, y: float) -> str:
    """A line that is no wider than its box in any font."""
    length = min(BOX_WIDTH - 12, 8.6 * len(line))
    fit = f' textLength="{length:.0f}" lengthAdjust="spacingAndGlyphs"' if len(line) > LONGEST_LINE - 4 else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{fit}>{escape(line)}</text>'


def _key(board: Board, layout: Layout, say: Say) -> Iterator[str]:
    """The legend in two rows, and that a board is reconstructed."""
    top = layout.height + 6
    first, second = top + 8, top + 34
    column = (layout.width - 40) / 3
    xs = [24 + number * column for number in range(3)]
    line = "h34"
    yield f'<path class="board-road" d="M{xs[0]:.0f} {first}{line}"/><path class="board-bed" d="M{xs[0]:.0f} {first}{line}"/>'
    yield f'<path class="board-gate" d="M{xs[1]:.0f} {first}{line}"/>'
    yield f'<path class="board-rails" d="M{xs[2]:.0f} {first}{line}"/><path class="board-bridge" d="M{xs[2]:.0f} {first}{line}"/>'
    yield _use("battle", Point(xs[0] + 17, second))
    yield _use("lightning", Point(xs[1] + 17, second))
    yield '<g class="board-key">'
    words = (say("pass"), say("gate"), say("bridge"), say("battle"), say("bombardment"), say("* changed"))
    for number, word in enumerate(words):
        indent = 46 if number < 5 else 12
        yield _text(word, xs[number % 3] + indent, (first, second)[number // 3] + 5)
    if board.reconstructed:
        yield _text(say("This board is a reconstruction"), 24, second + 28)
    yield "</g>"


# What lies over it


def _content(state: State, since: State | None, events: Sequence[Event], say: Say) -> str:
    layout = lay_out(state.board)
    marches = [event for event in events if event["type"] == "move"]
    return "".join(
        (
            '<use href="#board"/>',
            *(_stands(state, seat, layout, say) for seat in SEATS),
            *_changes(state, since, layout),
            *_meetings(events, layout),
            *(_marches(seat, marches, layout) for seat in SEATS),
        )
    )


def _stands(state: State, seat: Seat, layout: Layout, say: Say) -> str:
    """Who holds which areas, and with how many pieces."""
    parts = []
    for area in state.areas(seat):
        place, number = layout.places[area], state.pieces[seat][area]
        shown = f"{say(NAMES[seat])} {number}" if number <= MAX_SHOWN else f"{say(NAMES[seat])}>{MAX_SHOWN}"
        parts.append(_use(f"{seat}-{state.board.areas[area].kind}", place))
        parts.append(_text(shown, place.x + 12, place.y + layout.box_height / 2 - 14))
    return _group(f"stand {seat}", parts)


def _changes(state: State, since: State | None, layout: Layout) -> Iterator[str]:
    if since is None:
        return
    changed = [
        place
        for area, place in layout.places.items()
        if any(state.pieces[seat].get(area) != since.pieces[seat].get(area) for seat in SEATS)
    ]
    yield _group("changed", (_text("*", x + 69, y + layout.box_height / 2 - 8) for x, y in changed))


def _meetings(events: Sequence[Event], layout: Layout) -> Iterator[str]:
    for event in events:
        if event["type"] == "crossing":
            yield _use("battle", layout.march(event["from"]["red"], event["from"]["blue"]).at(0.5))
        elif event["type"] in ("battle", "bombardment"):
            x, y = layout.places[event["area"]]
            side = -1 if event["type"] == "battle" else 1
            sign = "battle" if side < 0 else "lightning"
            yield _use(sign, Point(x + side * (BOX_WIDTH / 2 - 4), y - layout.box_height / 2 + 4))


def _marches(seat: Seat, marches: Iterable[Event], layout: Layout) -> str:
    """An arrow with a number for each move of a side; two in opposite directions keep to their right."""
    ends = {(event["from"], event["to"]) for event in marches}
    arrows, numbers = [], []
    for event in marches:
        if event["seat"] != seat:
            continue
        origin, target, count = event["from"], event["to"], event["count"]
        way = layout.march(origin, target, beside=_TWIN if (target, origin) in ends else 0)
        arrows.append(f'<path d="{_path(way)}{_tip(way)}"/>')
        shown = str(count) if count <= MAX_SHOWN else f">{MAX_SHOWN}"
        middle = way.at(0.42)
        numbers.append(_use(f"{seat}-{min(len(shown), 3)}", middle) + _text(shown, middle.x, middle.y + 6))
    return _group(f"march {seat}", arrows + numbers)


# Elements


def _path(way: Way) -> str:
    a, b, c, d = (f"{x:.0f} {y:.0f}" for x, y in way)
    straight = hypot(*_minus(way.at(0.5), Point((way.a.x + way.d.x) / 2, (way.a.y + way.d.y) / 2))) < 1
    return f"M{a}L{d}" if straight else f"M{a}C{b} {c} {d}"


def _tip(way: Way) -> str:
    """The two strokes of an arrow's head, from one side over its end to the other."""
    along = _minus(way.d, way.at(0.9))
    length = hypot(*along) or 1
    x, y = along.x / length * 9, along.y / length * 9
    return f"m{-x - y:.0f} {-y + x:.0f}L{way.d.x:.0f} {way.d.y:.0f}l{-x + y:.0f} {-y - x:.0f}"


def _minus(p: Point, q: Point) -> Point:
    return Point(p.x - q.x, p.y - q.y)


def _use(shape: str, place: Point) -> str:
    return f'<use href="#board-{shape}" x="{place.x:.0f}" y="{place.y:.0f}"/>'


def _text(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>'


def _group(classes: str, parts: Iterable[str]) -> str:
    content = "".join(parts)
    return f'<g class="{classes}">{content}</g>' if content else ""
