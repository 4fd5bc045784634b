"""The data of a campaign as values: counters, map, scenarios and numbers (§2).

Roster order is the order of `Data.counters`, point order that of `Data.points`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist
from typing import Annotated, Any, Literal

from pbem.games.base import Seat
from pbem.typed import Between

Kind = Literal["ruler", "hero", "witch", "infantry", "cavalry", "artillery", "flying", "giant", "bell"]
"""The kinds of counters; the first three are leaders."""
LEADERS: frozenset[Kind] = frozenset(("ruler", "hero", "witch"))

PointKind = Literal["castle", "fort", "town", "grounds", "plain"]
"""The kinds of points; the first two are Fortified Centers, and a town is a population center."""
CENTERS: frozenset[PointKind] = frozenset(("castle", "fort"))

LinkKind = Literal["road", "trail"]

BELL = "BEL"
"""The code of the Bell."""


@dataclass(frozen=True, slots=True)
class Card:
    """A counter as printed.

    A `nation` of None means that any nation may have the counter. `move` and `range` are in spaces; a strength of 0
    means none. `special` lists the points where the counter is a specialist. `reserve` means that the counter is in
    play only if a rule brings it in. `marks` contains the source of each value, keyed by the name of the value.
    """

    code: str
    name: str
    nation: Seat | None
    kind: Kind
    move: int = 0
    ranged: int = 0
    range: int = 0
    melee: int = 0
    home: str | None = None
    special: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    reserve: bool = False
    intrinsic: bool = False
    mercenary: str | None = None
    marks: Mapping[str, str] = field(default_factory=dict, hash=False)
    leader: bool = field(init=False)
    """Whether the counter is a Ruler, a Hero or a witch (§1.4)."""
    value: int = field(init=False)
    """The larger of the counter's two strengths (L27)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "leader", self.kind in LEADERS)
        object.__setattr__(self, "value", max(self.ranged, self.melee))


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the map: `at` is its position in inches from the lower left corner, `strength` the number of intrinsic
    units of a Fortified Center."""

    code: str
    name: str
    at: tuple[float, float]
    terrain: str
    kind: PointKind
    nation: Seat | None
    strength: int
    marks: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def center(self) -> bool:
        """Whether the point is a Fortified Center (§1.5)."""
        return self.kind in CENTERS


@dataclass(frozen=True, slots=True)
class Switches:
    """The options of the original rules; each is on unless it was switched off for the match. `dissipation` is the
    number of the suboption in use, or 0 for off."""

    flight: bool = True
    initiative: bool = True
    dissipation: Annotated[int, Between(0, 3)] = 1
    coordination: bool = True
    guards: bool = True
    lone_leaders: bool = True
    cavalry: bool = True
    limber: bool = True
    home: bool = True
    rest: bool = True
    garrison: bool = True
    walls: bool = True
    honors: bool = True
    ruler_return: bool = True
    bell_limit: bool = True
    bell_set_up: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class Data:
    """A checked data set, compared by identity.

    `name` is the name of a shipped set or the path of a folder, and is stored with a match; `title` is for people.
    `source` contains the texts of the files, keyed by file name. `values` and `scenarios` are the contents of the files
    with these names; in `values`, the marks, which name the sources of values, have been removed.
    """

    name: str
    title: str
    source: Mapping[str, str]
    counters: Mapping[str, Card]
    points: Mapping[str, Point]
    links: Mapping[str, Mapping[str, LinkKind]]
    cost: Mapping[LinkKind, int]
    allowance: int
    flight: float
    drawing: tuple[str, ...]
    colours: Mapping[Seat, str]
    values: Mapping[str, Any]
    spells: tuple[str, ...]
    switches: Switches
    scenarios: Mapping[str, Mapping[str, Any]]
    roster: Mapping[str, int]
    """The index of each counter in roster order."""
    nations: tuple[Seat, ...]
    """All possible seats, in seat order."""
    order: Mapping[str, int]
    """The index of each point in point order."""
    castles: Mapping[Seat, str]
    centers: tuple[str, ...]
    towns: tuple[str, ...]
    distances: Mapping[str, Mapping[str, int]]
    """The number of links between any two points, whatever the kind of link (J22)."""
    territory: Mapping[Seat, Mapping[str, int]]
    """For each nation, the number of links from each point to the nearest point of the nation; 0 for its own points."""

    def in_order(self, codes: Iterable[str]) -> list[str]:
        """Sort counters into roster order."""
        return sorted(codes, key=self.roster.__getitem__)

    def own(self, units: Mapping[str, Any], seat: Seat) -> list[str]:
        """Return a seat's counters among `units`, in roster order. `units` contains either the counters on the map or
        those on the board."""
        return self.in_order(code for code, unit in units.items() if unit.seat == seat)

    def cost_of(self, way: Iterable[str]) -> int:
        """Return the movement points that a way costs a stack (§3.2)."""
        return sum(self.cost[self.links[point][end]] for point, end in pairwise(way))

    def inches(self, start: str, end: str) -> float:
        """Return the distance in inches between the centres of two points (J8)."""
        return dist(self.points[start].at, self.points[end].at)

    def in_reach(self, start: str, end: str) -> bool:
        """Return whether `end` is within reach of a flight from `start` (§3.5)."""
        return self.inches(start, end) <= self.flight + 1e-9  # with a margin, because coordinates are decimal fractions
