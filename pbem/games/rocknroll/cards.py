"""The cards and numbers of a card set, as immutable values. A unit's card contains everything that the rules know about
the unit (§3).

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
"""The most seats that one side can have."""

MAX_NUMBER = 999_999
Check = Annotated[int, Between(2, 6)]
Count = Annotated[int, Between(1, MAX_NUMBER)]
FromZero = Annotated[int, Between(0, MAX_NUMBER)]

Kind = Literal[
    "blocker", "raider", "riposte", "avenger", "medic", "reach", "lure", "guard", "survivor", "aura", "gain", "none"
]
"""The kinds of features that units have."""

OrderKind = Literal["attack", "all", "move", "march", "super"]
"""The kinds of orders: attack with some units, attack with all units that have a given number in the corner of their
cards, move some units, march, or destroy the units on a Point."""

EchoKind = Literal["attack", "feature", "rd", "order", "unit", "none"]
"""The kinds of effects that the Point Echo has for the side that holds it. The first two apply as long as the side
holds Echo; all others, except `none`, apply at the end of each round (R71)."""


def opponent(side: Side) -> Side:
    """Return the other side."""
    return VIETNAM if side == VPA else VPA


def at_least(number: int, dice: int = 1) -> float:
    """Return the probability that at least one of `dice` dice shows `number` or more."""
    missed = min(max(number - 1, 0), _SIDES_OF_A_DIE) / _SIDES_OF_A_DIE
    return float(1 - missed**dice)


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a card, a Point, a side or a set, or a text on a card, in English, in Russian and possibly in
    German."""

    en: Annotated[str, "in English"]
    ru: Annotated[str, "in Russian"]
    de: Annotated[str, "in German; the English text if empty"] = ""


@dataclass(frozen=True, slots=True)
class Feature:
    """The special ability of a unit. `check` is the number that the unit must throw for it (R37), or 0 if no throw is
    needed. `range` is the greatest distance, in Points, at which the unit can attack; 9 means any distance."""

    kind: Annotated[Kind, "what it does"]
    check: Annotated[Check, "the number that the feature needs"] = 0
    range: Annotated[int, Between(1, 9), "how many Points away it attacks; 9 is anywhere"] = 0
    bonus: Annotated[int, Between(1, 5), "what it adds to the dice of others"] = 0
    explodes: Annotated[bool, "whether it destroys itself if it misses with two ones"] = False


@dataclass(frozen=True, slots=True)
class Unit:
    """The card of a unit.

    `chance` is the number in the corner of the card, and `dice` is the number of dice that the unit throws. `armour` is
    the lowest value with which a unit without an ace can hit this unit (J19), or 0 if it has no armour. `aliases` are
    other names of the unit, in any language, and `text` is the text on the card. `marks` says where each value comes
    from, keyed by the name of the value.
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
    """The card of an order. `number` is the number of units that can act when the order is played; for the kind `all`,
    it is the number that the units must have in the corner of their cards; for `super`, it is the value that the throw
    needs. `count` is the number of copies in the set. If `side` is None, both sides can play the order."""

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
    """The effect of the Point Echo throughout a game, which is chosen by a die roll during the set-up (R70). A black
    effect applies as long as a side holds Echo, a red effect at the end of each round."""

    colour: Literal["black", "red"]
    effect: EchoKind
    value: int
    text: Name


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers in the rules of a set. `limit` is the number of rounds after which the war is over, or None (J17).
    Each `share_*` is the number of cards of each kind that every seat draws if its side has several seats (R65)."""

    victory: Annotated[Count, "OK that win the war"]
    double: Annotated[
        int, Between(2, MAX_NUMBER), "a winner gets 2 OK whose own OK, times this, are at most the enemy's (R58)"
    ]
    opening_units: Annotated[FromZero, "units that a seat draws before the first round"]
    opening_orders: Annotated[FromZero, "orders that a seat draws before the first round"]
    income_units: Annotated[FromZero, "units that a seat draws each round"]
    income_orders: Annotated[FromZero, "orders that a seat draws each round"]
    share_opening: Annotated[
        FromZero, "cards of each kind per seat before the first round, where a side has several seats"
    ]
    share_income: Annotated[FromZero, "cards of each kind per seat each round, where a side has several seats"]
    limit: Annotated[Count | None, "rounds after which the war is over; null is never"]
    loss_pair: Annotated[int, Between(2, 2), "losses in a round that bring a side a card"]
    deal: Annotated[FromZero, "units of each side that are dealt into its deck; 0 is all of them"]
    to_reserve: Annotated[FromZero, "units of each side that begin in the reserve"]
    rd_max: Annotated[int, Between(6, 6), "the most RD that a side can have (R76)"]
    rd_price: Annotated[int, Between(1, 6), "what a card costs in RD"]
    act_cards: Annotated[int, Between(2, 2), "cards that a Current Action takes"]
    capture_check: Annotated[Check, "the number that captures a unit"]
    torture_check: Annotated[Check, "the number at which torture brings an order"]
    execute_check: Annotated[Check, "the number at which an executed captive goes to the graveyard"]
    recruit_check: Annotated[Check, "the number at which a captive is recruited"]


@dataclass(frozen=True, slots=True)
class Switches:
    """The optional rules of the expansion (EXPANSION): whether each of them is used."""

    rd: Annotated[bool, "RD, R76 to R79"]
    graveyard: Annotated[bool, "destroyed units go to the graveyard, R72"]
    last_unit: Annotated[bool, "a side without a unit on the field loses a card, R73"]
    extermination: Annotated[bool, "a side without any unit has lost, R75"]
    act: Annotated[bool, "Current Actions: two cards let one unit attack or move"]
    armour: Annotated[bool, "armour on cards counts"]
    captives: Annotated[bool, "units can be captured"]
    echo: Annotated[bool, "the die of the set-up chooses an effect of Echo, R70"]


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards. `id` is the name of a shipped set or the path of a file, and `source` is the text of the file.

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
    # the sources of values that are not on a card, under keys such as `numbers.limit`
    marks: Mapping[str, str] = field(compare=False)

    def units_of(self, side: Side) -> list[str]:
        """Return the units of a side, in the order of the file."""
        return [name for name, unit in self.units.items() if unit.side == side]

    @property
    def row(self) -> tuple[str, ...]:
        """The letters of the Points in the order of the row."""
        return tuple(point.id for point in self.points)
