"""The cards of a set and its numbers as values: everything that the rules know of a unit is on its card (§3).

The names of units, orders and Points are English. Sides are `vpa` and `vietnam`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pbem.games.base import Side
from pbem.typed import Between

VPA, VIETNAM = "vpa", "vietnam"
SIDES: tuple[Side, Side] = (VPA, VIETNAM)
_SIDES_OF_A_DIE = 6
MOST_SEATS = 3
"""The most seats of one side."""

MAX_NUMBER = 999_999
Check = Annotated[int, Between(2, 6)]
Count = Annotated[int, Between(1, MAX_NUMBER)]
FromZero = Annotated[int, Between(0, MAX_NUMBER)]

Kind = Literal[
    "blocker", "raider", "riposte", "avenger", "medic", "reach", "lure", "guard", "survivor", "aura", "gain", "none"
]
"""The kinds of features that units have."""

OrderKind = Literal["attack", "all", "move", "march", "super"]
"""What an order does: attack with some units, with all units of one number, move some units, march, or destroy a
Point."""

EchoKind = Literal["attack", "feature", "rd", "order", "unit", "none"]
"""The effects of holding Echo; the first two work while it is held, the others at the end of the round (R71)."""


def opponent(side: Side) -> Side:
    """The other side."""
    return VIETNAM if side == VPA else VPA


def at_least(number: int, dice: int = 1) -> float:
    """The probability that at least one of some dice shows a number or more."""
    missed = min(max(number - 1, 0), _SIDES_OF_A_DIE) / _SIDES_OF_A_DIE
    return float(1 - missed**dice)


@dataclass(frozen=True, slots=True)
class Name:
    """A name or a text of a card, a Point, a side or a set: in English, Russian and perhaps German."""

    en: str
    ru: str
    de: str = ""


@dataclass(frozen=True, slots=True)
class Feature:
    """A unit's special ability: `check` is the natural value needed (R37), 0 for none; `range` is in Points, 9 means
    anywhere."""

    kind: Kind
    check: Check = 0
    range: Annotated[int, Between(1, 9)] = 0
    bonus: Annotated[int, Between(1, 5)] = 0
    explodes: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's card: `chance` is the number in its corner, `dice` the number of dice thrown, `armour` 0 if it has none.

    `aliases` are other names for it, in any language; `text` is the text on the card; `marks` give the source of values
    by name.
    """

    name: Name
    aliases: tuple[str, ...]
    side: Side
    chance: int
    dice: int
    star: bool
    armour: int
    ace: bool
    feature: Feature
    text: Name
    marks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Order:
    """An order's card: `number` is the number of units that it is for, or the value that `all` and `super` require;
    `side` None means either side's."""

    name: Name
    suit: str
    kind: OrderKind
    number: int
    count: int
    side: Side | None
    marks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Point:
    """A Point of the row; `id` is its letter."""

    id: str
    name: Name


@dataclass(frozen=True, slots=True)
class Echo:
    """The effect of Echo for the whole game, chosen by a die at the set-up (R70); a black effect works while Echo is
    held."""

    colour: Literal["black", "red"]
    effect: EchoKind
    value: int
    text: Name


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a set. `limit` is in rounds (J17); `share_*` are for each seat if a side has several (R65)."""

    victory: Count
    double: Annotated[int, Between(2, MAX_NUMBER)]
    opening_units: FromZero
    opening_orders: FromZero
    income_units: FromZero
    income_orders: FromZero
    share_opening: FromZero
    share_income: FromZero
    limit: Count | None
    loss_pair: Annotated[int, Between(2, 2)]
    deal: FromZero
    to_reserve: FromZero
    rd_max: Annotated[int, Between(6, 6)]
    rd_price: Annotated[int, Between(1, 6)]
    act_cards: Annotated[int, Between(2, 2)]
    capture_check: Check
    torture_check: Check
    execute_check: Check
    recruit_check: Check


@dataclass(frozen=True, slots=True)
class Switches:
    """The rules of EXPANSION that are in force."""

    rd: bool
    graveyard: bool
    last_unit: bool
    extermination: bool
    act: bool
    armour: bool
    captives: bool
    echo: bool


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards: `id` is a shipped name or the path of a file, `source` the text of the file.

    Units, orders and Echo's effects are in the order of the file, Points in the order of the row.
    """

    id: str
    source: str
    title: Name = field(compare=False)
    sides: Mapping[Side, Name] = field(compare=False)
    points: tuple[Point, ...] = field(compare=False)
    numbers: Numbers = field(compare=False)
    switches: Switches = field(compare=False)
    units: Mapping[str, Unit] = field(compare=False)
    orders: Mapping[str, Order] = field(compare=False)
    echo: Mapping[int, Echo] = field(compare=False)
    # sources of Points, numbers, switches and Echo's effects: `numbers.limit`
    marks: Mapping[str, str] = field(compare=False)

    def units_of(self, side: Side) -> list[str]:
        """The units of a side, in the order of the file."""
        return [name for name, unit in self.units.items() if unit.side == side]

    @property
    def row(self) -> tuple[str, ...]:
        """The letters of the Points in the order of the row."""
        return tuple(point.id for point in self.points)
