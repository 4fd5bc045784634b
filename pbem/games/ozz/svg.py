"""The map and the battleboard as SVG pictures for web pages.

A page contains the plan, which is the map without counters, only once; `plan` draws it. The pictures of the turns,
drawn by `overlay`, refer to the plan or, during a battle, show the board instead. `svg` combines everything in one
file. A nation is shown by its first letter and its colour. Castles are square with battlements, forts are square,
population centers are round, and recruiting grounds have the shape of a tent.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pbem import ENGLISH, Say
from pbem.games.base import Event, Seat
from pbem.games.kit.svg import BURST, Colours, Drawing, plan_of, text_at, themed
from pbem.games.ozz import drawing, wording
from pbem.games.ozz.data import Data, Point
from pbem.games.ozz.orders import Word
from pbem.games.ozz.state import Battle, State

_INCH, _EDGE = 34, 46
_NAME = 12  # the maximum number of characters in a line of a point's name
# the width of a space on the board, the height of a line in it, and the least number of lines
_SPACE, _LINE, _LEAST = 300, 26, 4
_SYMBOL = {"castle": "castle", "fort": "fort", "town": "town", "grounds": "grounds", "plain": "town"}

LIGHT = {
    "paper": "#efe9d8", "line": "#5f5a48", "ink": "#22201a", "road": "#8a6f45", "trail": "#8a6f45", "land": "#fffdf5",
    "plain": "#dfe8c4", "hills": "#e4d3b4", "fields": "#f3e3a6", "forest": "#bcd3b2", "open": "#f0ecdf",
    "munchkins": "#1b5e9b", "on-munchkins": "#ffffff", "winkies": "#6b2f8f", "on-winkies": "#ffffff",
    "quadlings": "#a62b21", "on-quadlings": "#ffffff", "gillikins": "#f0c419", "on-gillikins": "#221c00",
    "sign": "#f2b705",
}  # fmt: skip
DARK = {
    "paper": "#1b1c19", "line": "#a39d88", "ink": "#f0ede2", "road": "#b39a6d", "trail": "#b39a6d", "land": "#2a2b26",
    "plain": "#3a4527", "hills": "#4a3d28", "fields": "#4d4520", "forest": "#25402b", "open": "#37362f",
    "munchkins": "#8cc4f5", "on-munchkins": "#04121f", "winkies": "#d5abf2", "on-winkies": "#1d0a2a",
    "quadlings": "#f7a095", "on-quadlings": "#2a0805", "gillikins": "#f2d04a", "on-gillikins": "#221c00",
    "sign": "#f2b705",
}  # fmt: skip
PRINT = {
    "paper": "#ffffff", "line": "#444444", "ink": "#000000", "road": "#666666", "trail": "#666666", "land": "#ffffff",
    "plain": "#ffffff", "hills": "#ffffff", "fields": "#ffffff", "forest": "#ffffff", "open": "#ffffff",
    "munchkins": "#00406b", "on-munchkins": "#ffffff", "winkies": "#4b2064", "on-winkies": "#ffffff",
    "quadlings": "#ffffff", "on-quadlings": "#000000", "gillikins": "#e4e4e4", "on-gillikins": "#000000",
    "sign": "#ffffff",
}  # fmt: skip
_TERRAINS = ("plain", "hills", "fields", "forest", "open")


def _coloured(colours: Colours) -> str:
    rules = """\
.board{{fill:{ink}}}
.board-paper{{fill:{paper};stroke:{line}}}
.board-road,.board-trail{{stroke:{road}}}
.board-land{{fill:{land};stroke:{line}}}
.board-sign{{fill:{sign};stroke:{line}}}
.board-name{{stroke:{paper}}}
""".format_map(colours)
    for terrain in _TERRAINS:
        rules += f".board-{terrain}{{fill:{colours[terrain]};stroke:{colours['line']}}}\n"
    for seat in wording.CALLED:
        rules += f".board-home.{seat}{{fill:{colours[seat]};stroke:{colours['line']}}}\n"
        rules += f".board-code.{seat}{{fill:{colours['on-' + seat]}}}\n"
        rules += f".board .{seat} rect,.board .{seat} circle{{fill:{colours[seat]};stroke:{colours['line']}}}\n"
        rules += f".board .{seat} text{{fill:{colours['on-' + seat]}}}\n"
        rules += f".board .{seat} .board-order{{stroke:{colours['on-' + seat]}}}\n"
        rules += f".board .{seat} .board-way{{stroke:{colours[seat]}}}\n"
    return rules


_RULES = """\
.board{display:block;max-width:100%;height:auto;text-anchor:middle;
font-family:"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.board-plan{position:absolute}
.board-road,.board-trail{fill:none;stroke-width:7;stroke-linecap:round}
.board-trail{stroke-width:5;stroke-dasharray:1 11}
.board-home,.board-land,.board-plain,.board-hills,.board-fields,.board-forest,.board-open{stroke-width:2}
.board text{font-size:18px}
.board-code{font-size:17px;font-weight:bold}
.board-name{font-size:15px;stroke-width:5px;stroke-linejoin:round;paint-order:stroke}
.board .board-stack{font-size:20px;font-weight:bold}
.board .board-changed{font-size:30px;font-weight:bold}
.board .board-left{text-anchor:start}
.board .board-razed{stroke:#b3261e;stroke-width:5;fill:none}
.board .board-order{fill:none;stroke-width:3;stroke-linejoin:round}
.board .board-way{fill:none;stroke-width:4;stroke-dasharray:2 9;stroke-linecap:round}
.board .board-swords{fill:none;stroke:#221800;stroke-width:3;stroke-linecap:round}
"""
_SMALL = """\
@media (max-width:640px){
.board .board-name{display:none}
.board .board-code{font-size:23px}
.board .board-stack{font-size:22px}
.board .board-left{font-size:21px}
}
"""
STYLE = themed(_RULES, _coloured, LIGHT, DARK, PRINT) + _SMALL
"""The CSS for all classes that the pictures use."""

_SWORDS = "M-6-6l12 12m0-12l-12 12"
_SHAPES = {
    "castle": "M-20 20V-20h8v7h8v-7h8v7h8v-7h8V20z",
    "fort": "M-17-17h34v34h-34z",
    "town": "M-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0z",
    "grounds": "M0-20L22 17H-22z",
}


def plan(state: State, say: Say = ENGLISH) -> str:
    """Draw the map without counters as an invisible `<svg>`, to which the pictures of a match refer."""
    return plan_of(_definitions(state.data))


def overlay(state: State, since: State | None = None, events: Sequence[Event] = (), say: Say = ENGLISH) -> str:
    """Draw `state` as an `<svg>` that refers to the plan, with marks for the changes from the state `since` and for
    `events`."""
    return Drawing(_size(state), _title(state, say), "".join(_content(state, since, events, say))).overlay()


def svg(state: State, since: State | None = None, events: Sequence[Event] = (), say: Say = ENGLISH) -> str:
    """Draw `state` as a standalone SVG file with its style and a description in words."""
    words = "\n".join("".join(span.text for span in line).rstrip() for line in drawing.in_lists(state, since, say))
    drawn = Drawing(_size(state), _title(state, say), "".join(_content(state, since, events, say)))
    return drawn.document(_definitions(state.data), STYLE, words)


def _title(state: State, say: Say) -> str:
    battle = state.battle
    if battle is None:
        return say("Campaigns of Ozz, turn {turn}", turn=state.turn)
    sides = {"attacker": wording.nation(battle.attacker, say), "defender": wording.nation(battle.defender, say)}
    if battle.at is None:
        return say("Campaigns of Ozz, turn {turn}: {attacker} against {defender}", turn=battle.turn, **sides)
    where = wording.point(state.data, battle.at)
    return say("Battle of {point}, turn {turn}: {attacker} against {defender}", point=where, turn=battle.turn, **sides)


def _size(state: State) -> tuple[int, int]:
    if state.battle:
        heights = _heights(state.data, state.battle)
        below = len(state.battle.spells) * _LINE
        return len(drawing.columns(state.data)) * _SPACE + 60, sum(heights.values()) + below + 64
    return _map_size(state.data)


def _content(state: State, since: State | None, events: Sequence[Event], say: Say) -> Iterator[str]:
    return _board(state, state.battle, since, events, say) if state.battle else _map(state, since, events)


# The map


def _map_size(data: Data) -> tuple[int, int]:
    across, down = zip(*_places(data).values(), strict=True)
    return max(across) + _EDGE + 40, max(down) + _EDGE + 40


@lru_cache(maxsize=4)
def _places(data: Data) -> Mapping[str, tuple[int, int]]:
    """Return the position of each point in the picture, in pixels; north is up."""
    west = min(point.at[0] for point in data.points.values())
    north = max(point.at[1] for point in data.points.values())
    return {
        code: (round((point.at[0] - west) * _INCH) + _EDGE + 40, round((north - point.at[1]) * _INCH) + _EDGE)
        for code, point in data.points.items()
    }


@lru_cache(maxsize=4)
def _definitions(data: Data) -> str:
    signs = (
        f'<path id="board-burst" class="board-sign" d="{BURST}"/><path id="board-swords" d="{_SWORDS}"/>'
        '<path id="board-cross" d="M-20-20L20 20M20-20L-20 20"/>'
    )
    return f'<defs>{signs}<g id="board">{"".join(_ground(data))}</g></defs>'


def _ground(data: Data) -> Iterator[str]:
    """Draw the background, the links, and the points with their names."""
    width, height = _map_size(data)
    places = _places(data)
    yield f'<path class="board-paper" d="M1 1H{width - 1}V{height - 1}H1z"/>'
    for start, links in data.links.items():
        for end, kind in links.items():
            if start < end:
                (x, y), (to_x, to_y) = places[start], places[end]
                yield f'<path class="board-{kind}" d="M{x} {y}L{to_x} {to_y}"/>'
    for code, point in data.points.items():
        yield from _point(point, *places[code])


def _point(point: Point, x: int, y: int) -> Iterator[str]:
    """Draw a point in the colour of its nation (L15) or, if it has none, in the colour of its terrain."""
    shape, ground = _SHAPES[_SYMBOL[point.kind]], point.terrain if point.terrain in _TERRAINS else "land"
    look = f"board-home {point.nation}" if point.nation else f"board-{ground}"
    yield f'<path class="{look}" transform="translate({x} {y})" d="{shape}"/>'
    yield text_at(point.code, x, y + 6, f"board-code {point.nation or ''}".rstrip())
    for number, line in enumerate(textwrap.wrap(point.name, _NAME)):
        yield text_at(line, x, y + 38 + number * 16, "board-name")


def _map(state: State, since: State | None, events: Sequence[Event]) -> Iterator[str]:
    yield '<use href="#board"/>'
    battles = {event["at"] for event in events if event["type"] == "battle"}
    for point, (x, y) in _places(state.data).items():
        owner = state.control.get(point)
        if owner:
            yield f'<g class="{owner}"><circle cx="{x - 20}" cy="{y - 18}" r="7"/></g>'
        if point in state.razed:
            yield f'<use href="#board-cross" class="board-razed" x="{x}" y="{y}"/>'
        yield from _stack(state, point, x, y)
        if since and drawing.differs(state, since, point):
            yield text_at("*", x - 34, y + 12, "board-changed")
        if point in battles:
            yield f'<use href="#board-burst" x="{x - 36}" y="{y - 22}"/>'
            yield f'<use href="#board-swords" class="board-swords" x="{x - 36}" y="{y - 22}"/>'


def _stack(state: State, point: str, x: int, y: int) -> Iterator[str]:
    """Draw the symbol of the counters on `point`: the letter of their nation, and the number of units."""
    stack = drawing.held(state, point)
    if not stack:
        return
    seat, codes = stack
    text = wording.initial(seat) + drawing.size(state.data, codes)
    box = f'<rect x="{x + 14}" y="{y - 40}" width="{14 + 13 * len(text)}" height="30" rx="5"/>'
    yield f'<g class="{seat}">{box}{text_at(text, x + 21 + 6.5 * len(text), y - 18, "board-stack")}</g>'


# The battleboard


def _heights(data: Data, battle: Battle) -> dict[int, int]:
    """Return the height of each row, which depends on the number of forces in its fullest space."""
    lines = {
        row: max(sum(map(len, _lines(data, battle, f"{row}{column}").values())) for column in drawing.columns(data))
        for row in drawing.rows(data)
    }
    return {row: max(_LEAST, number) * _LINE + 18 for row, number in lines.items()}


def _lines(data: Data, battle: Battle, space: str) -> dict[Seat, list[str]]:
    """Return the forces of each side in `space`, the defender's first."""
    return {seat: wording.forces(data, battle, space, seat) for seat in (battle.defender, battle.attacker)}


def _board(state: State, battle: Battle, since: State | None, events: Sequence[Event], say: Say) -> Iterator[str]:
    data, (width, height) = state.data, _size(state)
    old = since.battle if since else None
    ordered = {event["units"][0]: event["word"] for event in events if event["type"] == "acts"}
    yield f'<path class="board-paper" d="M1 1H{width - 1}V{height - 1}H1z"/>'
    for number, column in enumerate(drawing.columns(data)):
        yield text_at(column, 40 + number * _SPACE + _SPACE / 2, 28, "board-code")
    ground, top = battle.terrain if battle.terrain in _TERRAINS else "land", 40
    for row, deep in _heights(data, battle).items():
        yield text_at(str(row), 22, top + deep / 2 + 6, "board-code")
        for number, column in enumerate(drawing.columns(data)):
            left, space = 40 + number * _SPACE, f"{row}{column}"
            yield f'<path class="board-{ground}" d="M{left} {top}h{_SPACE}v{deep}h-{_SPACE}z"/>'
            yield from _fighters(data, battle, space, (left, top), ordered)
            if old and _lines(data, battle, space) != _lines(data, old, space):
                yield text_at("*", left + _SPACE - 16, top + 28, "board-changed")
        top += deep
    yield from _fights(data, battle, events)
    for number, marker in enumerate(battle.spells, 1):
        text = f"{wording.spell(marker.spell, say)}: {marker.by}" + (f" > {marker.on}" if marker.on else "")
        yield text_at(text, 40, top + number * _LINE - 2, "board-left")


def _fights(data: Data, battle: Battle, events: Sequence[Event]) -> Iterator[str]:
    """Draw the movements of forces in this turn, and a sign in each space that was attacked."""
    middles, top = dict[str, tuple[int, int]](), 40
    for row, deep in _heights(data, battle).items():
        for number, column in enumerate(drawing.columns(data)):
            middles[f"{row}{column}"] = (40 + number * _SPACE + _SPACE - 16, top + deep - 18)
        top += deep
    for event in events:
        if event["type"] == "goes":
            (x, y), (to_x, to_y) = middles[event["source"]], middles[event["to"]]
            yield f'<g class="{event["seat"]}"><path class="board-way" d="M{x} {y}L{to_x} {to_y}"/></g>'
    for space in dict.fromkeys(event["space"] for event in events if event["type"] == "attack"):
        x, y = middles[space]
        burst = '<use href="#board-burst"/><use href="#board-swords" class="board-swords"/>'
        yield f'<g transform="translate({x} {y}) scale(.8)">{burst}</g>'


def _fighters(
    data: Data, battle: Battle, space: str, place: tuple[int, int], ordered: Mapping[str, Word]
) -> Iterator[str]:
    """Draw the forces in `space`, each with a symbol for the order that it has carried out: a triangle that points in
    the direction of the order, or a square if the force stands."""
    (left, top), number = place, 0
    for seat, forces in _lines(data, battle, space).items():
        for force in forces:
            text, y = f"{wording.initial(seat)}: {force}", top + 8 + number * _LINE
            long = len(text) > 22
            box = f'<rect x="{left + 8}" y="{y}" width="{_SPACE - 40}" height="{_LINE - 4}" rx="4"/>'
            words = text_at(text, left + 14, y + 17, "board-left", _SPACE - 80 if long else 0)
            sign = _order(ordered.get(force[:3]), left + _SPACE - 46, y + 11, up=seat == battle.attacker)
            yield f'<g class="{seat}">{box}{words}{sign}</g>'
            number += 1


def _order(word: Word | None, x: int, y: int, *, up: bool) -> str:
    if word is None:
        return ""
    ahead = -6 if up == (word == "advance") else 6
    shape = f"M{x - 6} {y - 6}h12v12h-12z" if word == "stand" else f"M{x - 7} {y - ahead}h14L{x} {y + ahead}z"
    return f'<path class="board-order" d="{shape}"/>'
