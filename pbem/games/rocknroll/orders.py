"""Orders as values, and their canonical form (rnr §8): what `str` writes, the order reader reads back.

A letter holds standing orders and a script of commands. Standing orders are kept as canonical text, `{"Reroll Doc": "1
with Move, orders"}`, and understood where they count: here stands what their keys and values can be (rnr §7).
Everything here is about names in full, units and orders as the set's file calls them in English, Points by their
letters. Nothing depends on the position: whether a command can be carried out is seen when its turn comes (rnr §6).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from pbem.games.kit.orders import Line
from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, CardSet, Switches

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
class Deploy(Line):
    """A unit of the hand comes to an end Point (R3)."""

    form = "Deploy {unit} {point}"
    unit: str
    point: str


@dataclass(frozen=True, slots=True)
class TradeForUnit(Line):
    """An order for a unit of the reserve, or for the top of the unit deck: `deck` (J2)."""

    form = "Trade {order} for {unit}"
    order: str
    unit: str


@dataclass(frozen=True, slots=True)
class TradeForOrder(Line):
    """A unit for the top order of the deck (R7)."""

    form = "Trade {unit} for order"
    unit: str


@dataclass(frozen=True, slots=True)
class BuyUnit(Line):
    """RD for a unit of the reserve, or for the top of the unit deck: `deck` (R81)."""

    form = "Buy unit {unit}"
    unit: str


@dataclass(frozen=True, slots=True)
class BuyOrder(Line):
    """RD for the top order of the deck (R81)."""

    form = "Buy order"


@dataclass(frozen=True, slots=True)
class Sell(Line):
    """A card for 1 RD (R80)."""

    form = "Sell {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Use(Line):
    """A feature that its player chooses to use, and on whom."""

    form = "Use {unit}: {target}"
    unit: str
    target: str


@dataclass(frozen=True, slots=True)
class Act:
    """Current Action: two cards for what one unit does (R82)."""

    cards: tuple[str, str]
    pair: Pair

    def __str__(self) -> str:
        return f"Act {self.cards[0]}, {self.cards[1]}: {self.pair}"


@dataclass(frozen=True, slots=True)
class Capture(Line):
    """An enemy to be captured, and the card that is given for it (R83, J18)."""

    form = "Capture {target} with {card}"
    target: str
    card: str


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
class PlaySuper(Line):
    """An order of the kind `super`: all units on a Point (R46)."""

    form = "{card}: {point}"
    card: str
    point: str


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
class Count(Line):
    """How many units of a side stand on a Point."""

    form = "{whose} {point} {compare} {number}"
    whose: Literal["mine", "enemy"]
    point: str
    compare: Compare
    number: int


@dataclass(frozen=True, slots=True)
class Stock(Line):
    """How many RD there are."""

    form = "RD {compare} {number}"
    compare: Compare
    number: int


@dataclass(frozen=True, slots=True)
class Last:
    """How the last own throw of this script ended."""

    outcome: Literal["hit", "missed"]

    def __str__(self) -> str:
        return self.outcome


Condition = Stands | Count | Stock | Last


@dataclass(frozen=True, slots=True)
class If(Line):
    """A command that counts only if something is so when its turn comes."""

    form = "If {condition}: {command}"
    condition: Condition
    command: "Command"


@dataclass(frozen=True, slots=True)
class Pass(Line):
    """Nothing."""

    form = "Pass"


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


ORDERS, UNITS = "orders", "units"
"""Any order, any unit of the hand, in a list of cards."""
ALWAYS, NEVER = "always", "never"

KEYS: Mapping[str, tuple[str, ...] | None] = {
    "Income": None,
    "Reroll": ("attack", "feature"),
    "Rocknroll": ("all",),
    "Pour": ("attack", "feature", "order", "captive", "rocknroll"),
    "React": (),
    "First": None,
    "Block": (),
    "Goto": (),
    "Lose": None,
    "Captives": None,
}
"""The words with which standing orders begin, and what may stand behind each besides a unit; None: nothing does."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "Rocknroll": (ALWAYS, NEVER),
    "React": ("yes", "no", "attack", "move"),
    "Captives": ("torture", "execute", "recruit", "leave"),
}
"""Values that are a single word."""

ALLIED = ("Sequence", "Supply", "Compensation")
"""What allies decide: who plays first, who takes of the income first, and who gets cards for the side; each a list of
seats. They count while no ally says otherwise (J27)."""

SEATS = frozenset(f"{side}{at}" for side in SIDES for at in range(1, MOST_SEATS + 1))
"""The seats of sides that have several."""

LISTS: Mapping[str, tuple[str, ...]] = {"Income": (DECK,), "Rocknroll": (), "First": (), "Block": (), "Lose": (DECK,)}
"""Values that are a list of units, and what else may stand in it."""

AMOUNTS: Mapping[str, str] = {"Reroll": "with", "Pour": "sell"}
"""Values that are a number, and the word before the cards that may be given."""

_AMOUNT = re.compile(r"(?P<upto>to )?(?P<number>[0-9])(?P<each> each)?(?: (?P<how>with|sell) (?P<names>.+))?")


class Amount(NamedTuple):
    """So many rerolls or RD: `upto` means what lets a natural number succeed, `each` also for the first of two dice,
    `cards` are what may be given for it, in order of preference."""

    number: int
    upto: bool = False
    each: bool = False
    cards: tuple[str, ...] = ()


def needs(rule: str, switches: Switches) -> bool:
    """Whether a set has what a standing order is about."""
    match rule:
        case "Pour":
            return switches.rd
        case "Lose":
            return switches.last_unit
        case "Captives":
            return switches.captives
        case _:
            return True


@lru_cache(maxsize=4096)
def amount(value: str) -> Amount:
    """What the value of `Reroll` or `Pour` says."""
    found = _AMOUNT.fullmatch(value)
    if found is None:
        raise ValueError(value)
    names = found["names"]
    return Amount(
        int(found["number"]), bool(found["upto"]), bool(found["each"]), tuple(names.split(", ")) if names else ()
    )


@lru_cache(maxsize=4096)
def values(value: str) -> tuple[str, ...]:
    """The names of a list."""
    return tuple(value.split(", "))


@lru_cache(maxsize=4096)
def is_standing(cards: CardSet, rule: Rule) -> bool:
    """Whether a state can hold a standing order: one in canonical form, of cards and Points of its set."""
    word, _, subject = rule.key.partition(" ")
    if rule.key in ALLIED:
        return SEATS.issuperset(rule.value.split(", "))
    if word not in KEYS or not needs(word, cards.switches) or rule.value == DEFAULT:
        return False
    others = KEYS[word]
    if subject == "" if others is not None else rule.key != word:
        return False
    return (others is None or subject in others or subject in cards.units) and _is_value(cards, word, rule.value)


def _is_value(cards: CardSet, word: str, value: str) -> bool:
    if how := AMOUNTS.get(word):
        found = _AMOUNT.fullmatch(value)
        if found is None or found["each" if how == "sell" else "upto"] or found["how"] not in (None, how):
            return False
        known = {ORDERS, UNITS, *cards.units, *cards.orders}
        return found["names"] is None or known.issuperset(found["names"].split(", "))
    if value in WORDS.get(word, ()):
        return True
    if word == "Goto":
        return set(cards.row).issuperset(value.split(", "))
    return word in LISTS and {*LISTS[word], *cards.units}.issuperset(value.split(", "))


def merged(lines: Iterable[str]) -> tuple[Rule, ...]:
    """Standing orders in canonical form, of which the last for one key holds."""
    found: dict[str, Rule] = {}
    for line in filter(None, lines):
        key, _, value = line.partition(": ")
        found.pop(key, None)
        found[key] = Rule(key, value)
    return tuple(found.values())
