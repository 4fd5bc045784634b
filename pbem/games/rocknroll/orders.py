"""Orders as values, and their canonical form (rnr §8): what `str` writes, the order reader reads back.

A letter holds standing orders and a script of commands. Everything here is about names in full, units and orders as
the set's file calls them in English, Points by their letters. Nothing depends on the position: whether a command can
be carried out is seen when its turn comes (rnr §6).
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

DECK = "deck"
"""What stands for a unit where the top of the unit deck is meant."""
DEFAULT = "default"
"""The value that takes a standing order back."""


class Strike(NamedTuple):
    """A unit and whom it attacks."""

    unit: str
    target: str

    def __str__(self) -> str:
        return f"{self.unit} > {self.target}"


class Step(NamedTuple):
    """A unit and the Point that it moves to."""

    unit: str
    point: str

    def __str__(self) -> str:
        return f"{self.unit} to {self.point}"


Pair = Strike | Step


@dataclass(frozen=True, slots=True)
class Deploy:
    """A unit of the hand comes to an end Point (R3)."""

    unit: str
    point: str

    def __str__(self) -> str:
        return f"Deploy {self.unit} {self.point}"


@dataclass(frozen=True, slots=True)
class TradeForUnit:
    """An order for a unit of the reserve, or for the top of the unit deck: `deck` (J2)."""

    order: str
    unit: str

    def __str__(self) -> str:
        return f"Trade {self.order} for {self.unit}"


@dataclass(frozen=True, slots=True)
class TradeForOrder:
    """A unit for the top order of the deck (R7)."""

    unit: str

    def __str__(self) -> str:
        return f"Trade {self.unit} for order"


@dataclass(frozen=True, slots=True)
class BuyUnit:
    """RD for a unit of the reserve, or for the top of the unit deck: `deck` (R81)."""

    unit: str

    def __str__(self) -> str:
        return f"Buy unit {self.unit}"


@dataclass(frozen=True, slots=True)
class BuyOrder:
    """RD for the top order of the deck (R81)."""

    def __str__(self) -> str:
        return "Buy order"


@dataclass(frozen=True, slots=True)
class Sell:
    """A card for 1 RD (R80)."""

    card: str

    def __str__(self) -> str:
        return f"Sell {self.card}"


@dataclass(frozen=True, slots=True)
class Use:
    """A feature that its player chooses to use, and on whom."""

    unit: str
    target: str

    def __str__(self) -> str:
        return f"Use {self.unit}: {self.target}"


@dataclass(frozen=True, slots=True)
class Act:
    """Current Action: two cards for what one unit does (R82)."""

    cards: tuple[str, str]
    pair: Pair

    def __str__(self) -> str:
        return f"Act {self.cards[0]}, {self.cards[1]}: {self.pair}"


@dataclass(frozen=True, slots=True)
class Capture:
    """An enemy to be captured, and the card that is given for it (R83, J18)."""

    target: str
    card: str

    def __str__(self) -> str:
        return f"Capture {self.target} with {self.card}"


@dataclass(frozen=True, slots=True)
class PlayPairs:
    """Attacks by an order of the kinds `attack` and `all`, or moves by one of the kind `move`, one after the other
    (R12)."""

    card: str
    pairs: tuple[Strike, ...] | tuple[Step, ...]

    def __str__(self) -> str:
        return f"{self.card}: {', '.join(map(str, self.pairs))}"


@dataclass(frozen=True, slots=True)
class PlayMarch:
    """An order of the kind `march`: any number of units, together (J7)."""

    card: str
    units: tuple[str, ...]
    point: str

    def __str__(self) -> str:
        return f"{self.card}: {', '.join(self.units)} to {self.point}"


@dataclass(frozen=True, slots=True)
class PlaySuper:
    """An order of the kind `super`: all units on a Point (R46)."""

    card: str
    point: str

    def __str__(self) -> str:
        return f"{self.card}: {self.point}"


Play = PlayPairs | PlayMarch | PlaySuper


@dataclass(frozen=True, slots=True)
class Stands:
    """Whether a unit stands on a Point, or does not."""

    unit: str
    point: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{self.unit} {'not ' if self.negated else ''}in {self.point}"


Compare = Literal[">=", "<="]


@dataclass(frozen=True, slots=True)
class Count:
    """How many units of a side stand on a Point."""

    whose: Literal["mine", "enemy"]
    point: str
    compare: Compare
    number: int

    def __str__(self) -> str:
        return f"{self.whose} {self.point} {self.compare} {self.number}"


@dataclass(frozen=True, slots=True)
class Stock:
    """How many RD there are."""

    compare: Compare
    number: int

    def __str__(self) -> str:
        return f"RD {self.compare} {self.number}"


@dataclass(frozen=True, slots=True)
class Last:
    """How the last own throw of this script ended."""

    outcome: Literal["hit", "missed"]

    def __str__(self) -> str:
        return self.outcome


Condition = Stands | Count | Stock | Last


@dataclass(frozen=True, slots=True)
class If:
    """A command that counts only if something is so when its turn comes."""

    condition: Condition
    command: "Command"

    def __str__(self) -> str:
        return f"If {self.condition}: {self.command}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing."""

    def __str__(self) -> str:
        return "Pass"


Plain = Deploy | TradeForUnit | TradeForOrder | BuyUnit | BuyOrder | Sell | Use | Act | Capture | Play | Pass
"""A command without a condition."""
Command = Plain | If


def cards_of(command: Command) -> tuple[str, ...]:
    """The cards of the hand that a command needs."""
    match command:
        case If():
            return cards_of(command.command)
        case Act():
            return command.cards
        case Deploy() | TradeForOrder():
            return (command.unit,)
        case TradeForUnit():
            return (command.order,)
        case Sell() | Capture() | PlayPairs() | PlayMarch() | PlaySuper():
            return (command.card,)
        case _:
            return ()


class Rule(NamedTuple):
    """A standing order: `Reroll Doc` and `1 with orders`. Both are canonical, and as the state keeps them (rnr §7)."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


@dataclass(frozen=True, slots=True)
class Orders:
    """What a seat's letter says: of the standing orders for one key the last holds. Without commands it is no turn."""

    standing: tuple[Rule, ...] = ()
    commands: tuple[Command, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.standing, *self.commands)))
