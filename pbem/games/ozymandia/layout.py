"""The places of a board's areas in a picture, and the ways that connect them. Lengths are in units of the picture.

Places follow the board's own drawing, row by row and column by column, so that the picture matches the map in letters;
without a drawing they form a grid. A way is straight if no box is in its path; otherwise it bends around the box.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import dist, hypot
from typing import NamedTuple

from pbem.games.ozymandia.board import SLOT, Board, Link

BOX_WIDTH = 165
NAME_LINE = 23  # the height of one line of a name
_LONGEST_LINE, _SQUEEZED_LINE = 17, 24  # the most letters of a name on one line, normally and squeezed
_BELOW_NAME = 49  # the height of a box in addition to the name
_ABREAST, _BELOW = 62, 52  # the smallest gap between boxes that are side by side, and one below the other
LANE = 21  # how far two marches in opposite directions are from the middle of a way
_COLUMN, _ROW = 10, 20  # the width of a column and the height of a row of a drawing
_GAP = 4  # the distance between an arrow's ends and the boxes
_CLEAR = 18  # the smallest distance between a way and a box that it passes
_APART = 24  # the smallest distance between a bent way and others
_BENDS = [sign * bend for bend in range(20, 421, 15) for sign in (1, -1)]
_MARGIN = 24
_LEAST_WIDTH = 600
_SAME_COLUMN = 5  # slots that are at most this many columns apart form one column of the picture
_GRID = 3  # the number of columns for a board without a drawing


class Point(NamedTuple):
    """A point in the picture; `x` grows to the right, and `y` downwards."""

    x: float
    y: float


class Way(NamedTuple):
    """A cubic Bézier curve, given by its four points. If it is straight, the inner points are on the line between the
    outer ones."""

    a: Point
    b: Point
    c: Point
    d: Point

    def point_at(self, t: float) -> Point:
        """Return the point at parameter `t`, which goes from 0 at the start to 1 at the end."""
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        return Point(
            a * self.a.x + b * self.b.x + c * self.c.x + d * self.d.x,
            a * self.a.y + b * self.b.y + c * self.c.y + d * self.d.y,
        )

    def is_straight(self) -> bool:
        """Return whether the way can be drawn as a straight line."""
        return dist(self.point_at(0.5), _between(self.a, self.d, 0.5)) < 1

    def back(self) -> "Way":
        """Return the same way in the other direction."""
        return Way(self.d, self.c, self.b, self.a)

    def until(self, t: float) -> "Way":
        """Return the part of the curve up to `t` (de Casteljau)."""
        ab, bc, cd = (_between(p, q, t) for p, q in pairwise(self))
        abc, bcd = _between(ab, bc, t), _between(bc, cd, t)
        return Way(self.a, ab, abc, _between(abc, bcd, t))

    def part(self, start: float, end: float) -> "Way":
        """Return the part of the curve between the parameters `start` and `end`."""
        return self.until(end).back().until(1 - start / end).back()

    def beside(self, offset: float) -> "Way":
        """Return the same way, shifted by `offset` to the right of a traveller along it."""
        right = _normal(self.a, self.d)
        return Way(*(_shifted(point, right, offset) for point in self))


@dataclass(frozen=True, slots=True)
class Layout:
    """The centres of all areas' boxes and the ways of all links, each from centre to centre.

    Every box is `BOX_WIDTH` wide and `box_height` high. `names` contains each area's name, split into lines.
    """

    width: int
    height: int
    box_height: int
    names: Mapping[str, tuple[str, ...]]
    places: Mapping[str, Point]
    ways: Mapping[tuple[str, str], Way]

    def way(self, origin: str, target: str) -> Way:
        """Return the way from one area to an adjacent one."""
        return self.ways[origin, target] if (origin, target) in self.ways else self.ways[target, origin].back()

    def march(self, origin: str, target: str, beside: float = 0) -> Way:
        """Return the way from just outside the box of one area to just outside the box of an adjacent area, shifted to
        the right by `beside`."""
        way = self.way(origin, target).beside(beside)
        half_width, half_height = BOX_WIDTH / 2 + _GAP, self.box_height / 2 + _GAP
        boxes = [self.places[origin], self.places[target]]
        steps = [number / 96 for number in range(97)]
        free = [t for t in steps if not any(_inside(way.point_at(t), box, half_width, half_height) for box in boxes)]
        return way.part(free[0], free[-1])


@lru_cache(maxsize=16)
def lay_out(board: Board) -> Layout:
    """Lay out a board; the same board always gets the same layout."""
    names = {code: _lines(area.name) for code, area in board.areas.items()}
    height = _BELOW_NAME + NAME_LINE * max(map(len, names.values()))
    places = _drawn(board.drawing, height) if board.drawing else _grid(board, height)
    ways: dict[tuple[str, str], Way] = {}
    for link in sorted(board.links, key=lambda link: dist(places[link.a], places[link.b])):
        ways[link.a, link.b] = _way(link, places, height, list(ways.values()))
    half = Point(BOX_WIDTH / 2, height / 2)
    lanes = [way.beside(offset) for way in ways.values() for offset in (-LANE, LANE)]
    points = [point for lane in lanes for point in _points(lane, 16)]
    points += [Point(x + sign * half.x, y + sign * half.y) for x, y in places.values() for sign in (-1, 1)]
    left, top = (min(point[axis] for point in points) - _MARGIN for axis in (0, 1))
    right, bottom = (max(point[axis] for point in points) + _MARGIN for axis in (0, 1))
    if (spare := _LEAST_WIDTH - (right - left)) > 0:
        left, right = left - spare / 2, right + spare / 2

    def moved(point: Point) -> Point:
        return Point(point.x - left, point.y - top)

    return Layout(
        width=round(right - left),
        height=round(bottom - top),
        box_height=height,
        names=names,
        places={code: moved(place) for code, place in places.items()},
        ways={ends: Way(*map(moved, ways[ends])) for ends in ((link.a, link.b) for link in board.links)},
    )


def _lines(name: str) -> tuple[str, ...]:
    """Split a name into one line, or into two of about the same length; a word is broken only if nothing else helps."""
    if len(name) <= _LONGEST_LINE:
        return (name,)
    middle = len(name) // 2
    at = min((gap.end() for gap in re.finditer("[ -]", name)), key=lambda at: abs(at - middle), default=0)
    if not 0 < max(at, len(name) - at) <= _SQUEEZED_LINE:
        return f"{name[:middle]}-", name[middle:]
    return name[:at].rstrip(), name[at:]


def _drawn(drawing: Iterable[str], height: float) -> dict[str, Point]:
    """Place a drawing's slots in the picture, far enough apart for the boxes."""
    slots = slots_of(drawing)
    columns = columns_of(x for _, x, _ in slots)
    slots = [(code, columns[x], row) for code, x, row in slots]
    abreast = [b[1] - a[1] for a, b in pairwise(slots) if a[2] == b[2]]
    column = max([_COLUMN, *((BOX_WIDTH + _ABREAST) / apart for apart in abreast)])
    levels: dict[int, float] = {}
    for _, x, row in slots:
        levels[row] = max(
            [
                levels.get(row, 0.0),
                *(levels[higher] + _ROW * (row - higher) for higher in levels if higher < row),
                *(
                    levels[higher] + height + _BELOW
                    for _, above, higher in slots
                    if higher < row and abs(x - above) * column < BOX_WIDTH + _ABREAST / 2
                ),
            ]
        )
    return {code: Point(x * column, levels[row]) for code, x, row in slots}


def slots_of(drawing: Iterable[str]) -> list[tuple[str, float, int]]:
    """Return the areas of a drawing in the order of its lines, each with the middle column and the row of its slot."""
    return [
        (slot[1], (slot.start() + slot.end()) / 2, row)
        for row, line in enumerate(drawing)
        for slot in SLOT.finditer(line)
    ]


def columns_of(xs: Iterable[float]) -> dict[float, float]:
    """Map each horizontal position in `xs` to its column in the picture: the most frequent of the positions close to
    it."""
    columns: list[list[float]] = []
    for x in sorted(xs):
        if columns and x - columns[-1][0] <= _SAME_COLUMN:
            columns[-1].append(x)
        else:
            columns.append([x])
    return {x: max(column, key=column.count) for column in columns for x in column}


def _grid(board: Board, height: float) -> dict[str, Point]:
    """Place provinces in rows of three, each above its city, in an order that keeps linked areas near each other."""
    provinces = [code for code, area in board.areas.items() if area.kind == "province"]

    def places() -> dict[str, Point]:
        points = {}
        for number, code in enumerate(provinces):
            x, y = number % _GRID * (BOX_WIDTH + 1.5 * _ABREAST), number // _GRID * 2 * (height + _BELOW)
            points[code], points[code + "C"] = Point(x, y), Point(x, y + height + _BELOW)
        return points

    def length() -> float:
        there = places()
        return sum(dist(there[link.a], there[link.b]) for link in board.links)

    shortest, tried = length(), False
    while not tried:
        tried = True
        for a, b in combinations(range(len(provinces)), 2):
            provinces[a], provinces[b] = provinces[b], provinces[a]
            if (shorter := length()) < shortest - 1:
                shortest, tried = shorter, False
            else:
                provinces[a], provinces[b] = provinces[b], provinces[a]
    return places()


def _way(link: Link, places: Mapping[str, Point], height: float, others: Iterable[Way]) -> Way:
    """Find the way of a link: a straight one if it crosses no box; otherwise, of the ways that come near the fewest
    others, the one that bends least.

    Of two ways that bend equally far in opposite directions, the outer one is chosen.
    """
    a, b = places[link.a], places[link.b]
    boxes = [place for code, place in places.items() if code not in (link.a, link.b)]
    straight = Way(a, _between(a, b, 1 / 3), _between(a, b, 2 / 3), b)
    if _is_free(straight, boxes, height):
        return straight
    middle = Point(_middle(place.x for place in places.values()), _middle(place.y for place in places.values()))
    tracks = [list(_points(way, 24)) for way in others]

    def badness(way: Way) -> tuple[int, float, float]:
        inner = list(_points(way, 12))[3:-3]
        near = sum(any(dist(p, q) < _APART for p in inner for q in points) for points in tracks)
        return near, round(dist(way.point_at(0.5), _between(a, b, 0.5))), -dist(way.point_at(0.5), middle)

    bent = (_bent(a, b, bend) for bend in _BENDS)
    return min((way for way in bent if _is_free(way, boxes, height)), key=badness, default=straight)


def _bent(a: Point, b: Point, bend: float) -> Way:
    """Return a bent way from `a` to `b`, most of which runs parallel to the straight way."""
    normal = _normal(a, b)
    return Way(a, _shifted(_between(a, b, -0.2), normal, bend), _shifted(_between(a, b, 1.2), normal, bend), b)


def _is_free(way: Way, boxes: Sequence[Point], height: float) -> bool:
    half_width, half_height = BOX_WIDTH / 2 + _CLEAR, height / 2 + _CLEAR
    return not any(_inside(point, box, half_width, half_height) for point in _points(way, 32) for box in boxes)


def _inside(point: Point, centre: Point, half_width: float, half_height: float) -> bool:
    return abs(point.x - centre.x) < half_width and abs(point.y - centre.y) < half_height


def _middle(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return (ordered[0] + ordered[-1]) / 2


def _points(way: Way, number: int) -> Iterator[Point]:
    return (way.point_at(step / number) for step in range(number + 1))


def _between(p: Point, q: Point, t: float) -> Point:
    return Point(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t)


def _normal(a: Point, b: Point) -> Point:
    """Return the unit vector to the right of a traveller from `a` to `b` (y points down)."""
    length = hypot(b.x - a.x, b.y - a.y) or 1
    return Point(-(b.y - a.y) / length, (b.x - a.x) / length)


def _shifted(point: Point, normal: Point, length: float) -> Point:
    return Point(point.x + normal.x * length, point.y + normal.y * length)
