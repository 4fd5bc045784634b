"""The map or the battleboard as a table for a phone screen: three columns, followed by explanations from `drawing`.

The map is a list of its points, with the counters there and the destinations of roads and trails. The styles are those
of `drawing`.
"""

from collections.abc import Iterable, Iterator

from pbem import ENGLISH, Say
from pbem.games.base import Span
from pbem.games.capabilities import Cell, Grid
from pbem.games.ozz import drawing, wording
from pbem.games.ozz.data import Data, LinkKind
from pbem.games.ozz.state import Battle, State

_COLUMNS = 3
_SIGNS: dict[LinkKind, str] = {"road": "--", "trail": ".."}


def cells(state: State, since: State | None = None, say: Say = ENGLISH) -> Grid:
    """Lay out the board during a battle, otherwise the map; differences from `since` are marked."""
    if state.battle:
        return (
            *_board(state.data, state.battle),
            *_below(drawing.in_words(state, since, say), len(drawing.columns(state.data))),
        )
    legend = (Span(_ways(state.data, say), "legend key"), *drawing.legend(state, since, say))
    return (*_points(state, since, say), *_below(legend, _COLUMNS))


def _below(spans: Iterable[Span], columns: int) -> Iterator[tuple[Cell, ...]]:
    """Yield each statement in a row of its own, because a single line would be too long for mail."""
    for span in spans:
        yield (Cell(((span,),), columns=columns),)


def _board(data: Data, battle: Battle) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of spaces, with the defender's first row on top."""
    for row in drawing.rows(data):
        spaces = (f"{row}{column}" for column in drawing.columns(data))
        yield tuple(_space(data, battle, space) for space in spaces)


def _space(data: Data, battle: Battle, space: str) -> Cell:
    there = ((span,) for span in drawing.in_space(data, battle, space))
    return Cell(((Span(space, "name"),), *there), "box")


def _points(state: State, since: State | None, say: Say) -> Iterator[tuple[Cell, ...]]:
    head = (say("Point"), say("Who is there"), say("Ways"))
    yield tuple(Cell(((Span(word, "legend"),),)) for word in head)
    for point in state.data.points:
        changed = since is not None and drawing.differs(state, since, point)
        yield (_named(state, point, changed=changed), _held(state, point, say, changed=changed), _links(state, point))


def _named(state: State, point: str, *, changed: bool) -> Cell:
    """Return the cell of a point: its code above its name, such as `*{M1}`. An asterisk marks a change, braces mark a
    Castle, and lower case marks a razed point."""
    place = state.data.points[point]
    code = point.lower() if point in state.razed else point
    sign = f"{{{code}}}" if place.kind == "castle" else code
    return Cell(((Span("*" * changed + sign, "name"),), (Span(place.name, "name"),)))


def _held(state: State, point: str, say: Say, *, changed: bool) -> Cell:
    """Return the cell of the counters on a point: the name of each nation, such as `Winkies`, above its counters and
    their total value, such as `ZEP WI1 HER (10)`."""
    there = drawing.holders(state, point)
    walls = drawing.walled(state, point, say)
    below = ((Span(walls, "legend"),),) if walls else ()
    if not there:
        style = drawing.style(state.control.get(point), changed=changed)
        return Cell(((Span(say("empty"), style),),) if changed and not walls else below)
    lines = []
    for seat, codes in there:
        style = drawing.style(seat, changed=changed)
        lines += [(Span(wording.nation(seat, say), style),), (Span(drawing.counted(state.data, codes), style),)]
    return Cell((*lines, *below))


def _links(state: State, point: str) -> Cell:
    """Return the links of a point, such as `-- M1 M4` and `.. H1`."""
    links = state.data.links[point]
    by_kind = {kind: [end for end, link in links.items() if link == kind] for kind in _SIGNS}
    return Cell(tuple((Span(f"{_SIGNS[kind]} {' '.join(ends)}", "link"),) for kind, ends in by_kind.items() if ends))


def _ways(data: Data, say: Say) -> str:
    """Return an explanation of the symbols for roads and trails."""
    return say(
        "-- is a road, which costs {road} of a stack's {points} points; .. is a trail, which costs"
        " {trail}. Braces mark a Castle.",
        road=data.cost["road"],
        trail=data.cost["trail"],
        points=data.allowance,
    )
