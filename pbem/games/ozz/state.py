"""What a round of letters starts from (ozz §18): the map, and while a battle is fought the board.

Values only. A list is in the order in which its items came; those of one moment stand in roster order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pbem.games.base import Seat
from pbem.games.ozz.data import Data, Switches
from pbem.games.ozz.orders import Codes, Orders

Battles = Literal["fast", "board", "great"]
"""How battles of a campaign are fought (§3.9)."""

Phase = Literal["orders", "battle", "over"]

MERCENARIES = "mercenaries"
"""The pool that is nobody's."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A unit or leader in play: whose it is, the point it is in (None in a skirmish), whether it has moved."""

    seat: Seat
    at: str | None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit or leader on the board: `space` None before deployment; the leader of its group; spent cavalry (§5.19)."""

    seat: Seat
    space: str | None = None
    group: str | None = None
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """A spell in effect, by whom, and on which unit, the Bell, or nobody any more (§5.5)."""

    spell: str
    by: str
    on: str | None


@dataclass(frozen=True, slots=True)
class MapBell:
    """The Bell on the map; `at` None when it has left a skirmish."""

    seat: Seat
    at: str | None
    carrier: str | None


@dataclass(frozen=True, slots=True)
class BoardBell:
    """The Bell on the board."""

    seat: Seat
    space: str | None
    carrier: str | None
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A letter that stands in a battle (§5.38): of which turn, for how many more, and how many units its side had."""

    orders: Orders
    turn: int
    rounds: int
    units: int


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle on the board.

    `at` and `origin` None in a skirmish; `walls` what intrinsic units get on a die; `cast` what was cast of Fireball
    and Healing; `exit` where each side goes to; `left` who has left the board, by seat; `fast` who would fight it fast;
    `plans` whose letters stand, None for a plan that the reader does not see.
    """

    at: str | None
    origin: str | None
    terrain: str
    walls: int
    fort: bool
    turn: int
    attacker: Seat
    defender: Seat
    units: Mapping[str, Fighter] = field(hash=False)
    spells: tuple[Marker, ...]
    cast: tuple[tuple[str, str], ...]
    raised: Codes
    exit: Mapping[Seat, str] = field(hash=False)
    left: Mapping[Seat, Codes] = field(hash=False)
    bell: BoardBell | None
    fast: tuple[Seat, ...] = ()
    plans: Mapping[Seat, Plan | None] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Queue:
    """What a battle has stopped: the order of the nations, their letters, and moves still to do: seat and number."""

    seats: tuple[Seat, ...]
    letters: Mapping[Seat, Orders | None] = field(hash=False)
    todo: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """What was chosen of a match."""

    battles: Battles
    turns: int
    switches: Switches


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: None is a draw."""

    winner: Seat | None
    reason: Literal["castle", "points", "alone", "field", "strength"]


@dataclass(frozen=True, slots=True)
class State:
    """The position that letters are asked for."""

    data: Data
    scenario: str
    seats: tuple[Seat, ...]
    options: Options
    turn: int
    phase: Phase
    units: Mapping[str, Counter] = field(hash=False)
    control: Mapping[str, Seat | None] = field(hash=False)
    razed: Mapping[str, Seat] = field(hash=False)
    pools: Mapping[str, Codes] = field(hash=False)
    fallen: Mapping[str, int] = field(hash=False)
    spells: Mapping[str, Codes] = field(hash=False)
    bell: MapBell | None
    queue: Queue | None
    battle: Battle | None
    result: Outcome | None
    resigned: tuple[Seat, ...] = ()
    """Nations whose players have given up; they play on by default, and are not asked."""

    @property
    def round(self) -> str:
        """Which letters are asked for: `T3` for campaign turn 3, `B3.Q4.2` for turn 2 of a battle for Q4 in
        it, `B2` of a skirmish."""
        if self.battle is None:
            return f"T{self.turn}"
        return f"B{self.battle.turn}" if self.battle.at is None else f"B{self.turn}.{self.battle.at}.{self.battle.turn}"
