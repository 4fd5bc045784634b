"""What can happen in a round, as plain data: JSON as it stands (ozz §18). Everybody may know all of it."""

from typing import Literal, NotRequired, TypedDict

from pbem.games.base import Seat

Purpose = Literal[
    "initiative", "attrition", "fast", "return", "mishap", "dissipation", "fireball", "coordinate", "change", "chaos",
    "attack", "leader",
]  # fmt: skip
"""What a die is for (§11)."""

Rolled = TypedDict(
    "Rolled",
    {
        "type": Literal["roll"],
        "for": Purpose,
        "value": int,
        "seat": NotRequired[Seat],
        "by": NotRequired[str],
        "at": NotRequired[str | None],
        "unit": NotRequired[str],
        "needs": NotRequired[int],
        "hit": NotRequired[bool],
        "added": NotRequired[int],
        "total": NotRequired[int],
        "magic": NotRequired[bool],
        "spell": NotRequired[str],
        "on": NotRequired[str | None],
    },
)
"""A die: of whom, at what (a point or a counter), the most with which it succeeds and whether it has; what is added to
it, the sum of values it is multiplied with, whether a magic user is there; for a spell's marker which."""


class Missed(TypedDict):
    """A nation that was asked has sent no letter."""

    type: Literal["missed"]
    seat: Seat


class Drawn(TypedDict):
    """A leader's spells as they were drawn at the set-up."""

    type: Literal["spell"]
    unit: str
    spells: list[str]


# The map


class Moved(TypedDict):
    """A stack has come to a point; `way` has all that it has passed, the first one included."""

    type: Literal["move"]
    seat: Seat
    units: list[str]
    to: str
    way: list[str]


class Stacked(TypedDict):
    """Counters are dropped or picked up at a point, or stop at it: leaders do not enter where enemies are."""

    type: Literal["dropped", "taken", "halted"]
    seat: Seat
    units: list[str]
    at: str


class Skipped(TypedDict):
    """A move for which nobody is left, or a flight without a flyer."""

    type: Literal["skipped"]
    seat: Seat
    units: list[str]
    way: list[str]


class Fought(TypedDict):
    """A battle begins, fast or on the board; `fast`: who would have it fought fast."""

    type: Literal["battle"]
    at: str
    attacker: Seat
    defender: Seat
    fast: NotRequired[list[Seat]]


class Lost(TypedDict):
    """A counter is eliminated: it goes under a pool, `fallen` is a Ruler who may return, None is gone."""

    type: Literal["lost"]
    unit: str
    seat: Seat
    to: str | None


class Retreated(TypedDict):
    """Counters come to the point of their retreat; `priority` says why there (§6.4), None for attackers."""

    type: Literal["retreat"]
    seat: Seat
    source: str
    to: str
    units: list[str]
    priority: int | None


class Razed(TypedDict):
    """A Fortified Center is razed by a nation."""

    type: Literal["razed"]
    at: str
    seat: Seat


class Honored(TypedDict):
    """A garrison marches out with the honours of war, as a nation has offered."""

    type: Literal["honors"]
    seat: Seat
    by: Seat
    at: str


class Controlled(TypedDict):
    """A population center has another holder."""

    type: Literal["control"]
    at: str
    seat: Seat


class Recruited(TypedDict):
    """A Hero recruits a counter."""

    type: Literal["recruit"]
    seat: Seat
    by: str
    unit: str
    at: str


class Mishap(TypedDict):
    """A Hero's recruiting comes to nothing."""

    type: Literal["mishap"]
    seat: Seat
    by: str
    at: str


class Returned(TypedDict):
    """A Ruler is back."""

    type: Literal["ruler"]
    seat: Seat
    unit: str
    at: str


class Opened(TypedDict):
    """A nation's letter, in canonical form, for a turn that battles had stopped and that is over now."""

    type: Literal["letter"]
    seat: Seat
    orders: str


class Over(TypedDict):
    """The game is over; without a winner it is a draw."""

    type: Literal["over"]
    winner: Seat | None
    reason: Literal["castle", "points", "alone", "field", "strength"]


# The board


class First(TypedDict):
    """Who moves first, and who has won the roll and decided that."""

    type: Literal["first"]
    seat: Seat
    winner: Seat


class Casting(TypedDict):
    """A spell is cast, or fizzles; Transport goes to a space."""

    type: Literal["cast", "fizzle"]
    seat: Seat
    by: str
    spell: str
    on: str
    space: str | None


class Dissipated(TypedDict):
    """A marker is gone."""

    type: Literal["dissipated"]
    spell: str
    by: str
    on: str | None


class Healed(TypedDict):
    """A unit is saved by Healing."""

    type: Literal["healed"]
    unit: str
    seat: Seat
    by: str


class Raised(TypedDict):
    """The Bell rings and raises a unit, or None comes."""

    type: Literal["skeleton"]
    seat: Seat
    unit: str | None
    space: str


class Followed(TypedDict):
    """The next turn of a battle follows at once, for all orders stand (§5.38)."""

    type: Literal["turn"]
    turn: int


class Unforeseen(TypedDict):
    """The orders of a side stand no longer (§5.38)."""

    type: Literal["unforeseen"]
    seat: Seat
    why: Literal["leader", "losses", "chaos", "skeleton", "melee"]


class Silenced(TypedDict):
    """The Bell is silent for the rest of the battle."""

    type: Literal["silent"]
    seat: Seat


class Captured(TypedDict):
    """The Bell is another nation's, carried by a unit of it."""

    type: Literal["captured"]
    seat: Seat
    by: str


class Coordinated(TypedDict):
    """A Ruler waits for others: for so many, 0 for all."""

    type: Literal["coordinates"]
    seat: Seat
    by: str
    wanted: int


class Joined(TypedDict):
    """A force goes with its Ruler."""

    type: Literal["joined"]
    seat: Seat
    by: str
    ruler: str


class Acted(TypedDict):
    """A force acts, by this order."""

    type: Literal["acts"]
    seat: Seat
    units: list[str]
    word: Literal["advance", "stand", "back"]


class Went(TypedDict):
    """Counters go from one space to another."""

    type: Literal["goes"]
    seat: Seat
    units: list[str]
    source: str
    to: str


class WentBack(TypedDict):
    """A unit withdraws from melee, or a leader without units goes to others."""

    type: Literal["evades", "falls back"]
    seat: Seat
    unit: str
    source: str
    to: str


class Attacked(TypedDict):
    """A force attacks a space from its own."""

    type: Literal["attack"]
    how: Literal["melee", "ranged"]
    charge: bool
    seat: Seat
    units: list[str]
    source: str
    space: str


class Left(TypedDict):
    """Counters leave the board, for a point or off it."""

    type: Literal["leaves"]
    seat: Seat
    units: list[str]
    to: str


RoundEvent = (
    Rolled
    | Missed
    | Drawn
    | Moved
    | Stacked
    | Skipped
    | Fought
    | Lost
    | Retreated
    | Razed
    | Honored
    | Controlled
    | Recruited
    | Mishap
    | Returned
    | Opened
    | Over
    | First
    | Casting
    | Dissipated
    | Healed
    | Raised
    | Silenced
    | Captured
    | Coordinated
    | Joined
    | Acted
    | Went
    | WentBack
    | Attacked
    | Left
    | Followed
    | Unforeseen
)
