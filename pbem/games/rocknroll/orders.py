"""Orders as values, and their canonical form (§8), which `str` writes and the order reader parses.

A letter contains standing orders and a script of commands. Standing orders are stored as canonical text, such as
`{"Reroll Doc": "1 with Move, orders"}`, and parsed where they are used; this module defines their possible keys and
values (§7). All names here are complete: those of units and orders are the English names in the set's file, and those
of Points are letters. Nothing here depends on the position, because the rules decide whether a command can be carried
out only when they reach it (§6).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple, get_args

from pbem import Sentence
from pbem.games.kit.orders import OrderLine
from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, CardSet, Switches

DECK = "deck"
"""The word that takes the place of a unit's name and means the top unit of the deck."""
DEFAULT = "default"
"""The value that revokes a standing order."""


class Strike(NamedTuple):
    """An attack: a unit and its target."""

    unit: str
    target: str

    def __str__(self) -> str:
        return f"{self.unit} > {self.target}"


class Step(NamedTuple):
    """A move: a unit and the Point to which it moves."""

    unit: str
    point: str

    def __str__(self) -> str:
        return f"{self.unit} to {self.point}"


Pair = Strike | Step


class _Line(OrderLine):
    """A line of a script. `template` is a sentence about the line, with the same placeholders as `form`; `cost` names
    the attribute that contains the card or cards that the line takes from the hand."""

    __slots__ = ()
    between = ", "
    template: ClassVar[str]
    cost: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Deploy(_Line):
    """A command to deploy a unit from the hand to an end Point (R3)."""

    form = "Deploy {unit} {point}"
    template = "{unit} is deployed to {point}."
    cost = "unit"
    unit: str
    point: str


@dataclass(frozen=True, slots=True)
class TradeForUnit(_Line):
    """A command to trade an order for a unit from the reserve or, if `unit` is `deck`, for the top of the unit deck
    (J2)."""

    form = "Trade {order} for {unit}"
    template = "{order} is traded for a unit: {unit}."
    cost = "order"
    order: str
    unit: str


@dataclass(frozen=True, slots=True)
class TradeForOrder(_Line):
    """A command to trade a unit for the top order of the deck (R7)."""

    form = "Trade {unit} for order"
    template = "{unit} is traded for the top order of the deck."
    cost = "unit"
    unit: str


@dataclass(frozen=True, slots=True)
class BuyUnit(_Line):
    """A command to buy, for RD, a unit from the reserve or, if `unit` is `deck`, the top of the unit deck (R81)."""

    form = "Buy unit {unit}"
    template = "A unit is bought for RD: {unit}."
    unit: str


@dataclass(frozen=True, slots=True)
class BuyOrder(_Line):
    """A command to buy the top order of the deck for RD (R81)."""

    form = "Buy order"
    template = "An order is bought for RD."


@dataclass(frozen=True, slots=True)
class Sell(_Line):
    """A command to sell a card for 1 RD (R80)."""

    form = "Sell {card}"
    template = "{card} is sold for 1 RD."
    cost = "card"
    card: str


@dataclass(frozen=True, slots=True)
class Use(_Line):
    """A command to use a unit's voluntary feature on a target."""

    form = "Use {unit}: {target}"
    template = "{unit} uses its feature on {target}."
    unit: str
    target: str


@dataclass(frozen=True, slots=True)
class Act(_Line):
    """A Current Action: a command to give two cards for an action of one unit (R82)."""

    form = "Act {cards}: {pair}"
    template = "Current Action ({cards}): {pair}."
    cost = "cards"
    cards: tuple[str, str]
    pair: Pair


@dataclass(frozen=True, slots=True)
class Capture(_Line):
    """A command to try to capture an enemy unit, at the cost of a card (R83, J18)."""

    form = "Capture {target} with {card}"
    template = "{target} is to be captured; {card} is given for it."
    cost = "card"
    target: str
    card: str


@dataclass(frozen=True, slots=True)
class PlayPairs(_Line):
    """A command to play an order by which units act one after another (R12). With an order of kind `attack` or `all`
    they attack, and with one of kind `move` they move."""

    form = "{card}: {pairs}"
    template = "{card}: {pairs}."
    cost = "card"
    card: str
    pairs: tuple[Strike, ...] | tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class PlayMarch(_Line):
    """A command to play an order of kind `march`: any number of units move together (J7)."""

    form = "{card}: {units} to {point}"
    template = "{card}: {units} to {point}."
    cost = "card"
    card: str
    units: tuple[str, ...]
    point: str


@dataclass(frozen=True, slots=True)
class PlaySuper(_Line):
    """A command to play an order of kind `super`, which hits all units on a Point (R46)."""

    form = "{card}: {point}"
    template = "{card} on {point}: {number}, and all units there fall."
    cost = "card"
    card: str
    point: str


Exchange = TradeForUnit | TradeForOrder | BuyUnit | BuyOrder
Play = PlayPairs | PlayMarch | PlaySuper


@dataclass(frozen=True, slots=True)
class Stands:
    """The condition that a unit is, or is not, on a Point."""

    unit: str
    point: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{self.unit} {'not ' if self.negated else ''}in {self.point}"


Compare = Literal[">=", "<="]


@dataclass(frozen=True, slots=True)
class Count(OrderLine):
    """The condition that the number of a side's units on a Point is within a bound."""

    form = "{whose} {point} {compare} {number}"
    whose: Literal["mine", "enemy"]
    point: str
    compare: Compare
    number: int


@dataclass(frozen=True, slots=True)
class Stock(OrderLine):
    """The condition that the number of RD of the seat's side is within a bound."""

    form = "RD {compare} {number}"
    compare: Compare
    number: int


@dataclass(frozen=True, slots=True)
class Last:
    """The condition that the seat's last throw in this script had the given outcome."""

    outcome: Literal["hit", "missed"]

    def __str__(self) -> str:
        return self.outcome


Condition = Stands | Count | Stock | Last


@dataclass(frozen=True, slots=True)
class If(_Line):
    """A command that is carried out only if a condition holds when the command is reached."""

    form = "If {condition}: {command}"
    template = "If {condition}: {command}"
    condition: Condition
    command: "Command"


@dataclass(frozen=True, slots=True)
class Pour(_Line):
    """A command with RD, which are added to the first throw of the seat's side while the command is carried out.
    Standing orders about RD do not apply to that throw (J28)."""

    form = "Pour {number}: {command}"
    template = "With {number} RD for its throw: {command}"
    number: int
    command: "Command"


@dataclass(frozen=True, slots=True)
class Pass(_Line):
    """A command to do nothing."""

    form = "Pass"
    template = "You do nothing."


Plain = Deploy | Exchange | Sell | Use | Act | Capture | Play | Pass
"""A command without a condition or RD poured into its throw."""
Command = Plain | If | Pour


def paired(card: str, pairs: Sequence[Pair]) -> PlayPairs:
    """Return the command that plays the order `card` for `pairs`, which are either all attacks or all moves."""
    strikes = tuple(pair for pair in pairs if isinstance(pair, Strike))
    return PlayPairs(card, strikes or tuple(pair for pair in pairs if isinstance(pair, Step)))


def cards_of(command: Command) -> tuple[str, ...]:
    """Return the cards from the hand that a command needs."""
    if isinstance(command, If | Pour):
        return cards_of(command.command)
    cards = getattr(command, command.cost) if command.cost else ()
    return (cards,) if isinstance(cards, str) else cards


class Rule(NamedTuple):
    """A standing order: its key, such as `Reroll Doc`, and its value, such as `1 with orders`, both in canonical form,
    as the state stores them (§7)."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders in a seat's letter. If several standing orders have the same key, the last one counts. Without
    commands, a letter does not count as a turn."""

    standing: tuple[Rule, ...] = ()
    commands: tuple[Command, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.standing, *self.commands)))

    def change(self, rules: dict[str, str]) -> None:
        """Apply these standing orders to `rules`, which maps the keys of a seat's standing orders to their values."""
        for key, value in self.standing:
            rules.pop(key, None) if value == DEFAULT else rules.update({key: value})


COMMANDS = ("deploy", "trade", "use", "act", "sell", "buy", "capture", "if", "pass")
"""The words with which commands begin, apart from the names of cards."""
ORDERS, UNITS = "orders", "units"
"""In a list of cards, these words mean any order and any unit from the hand, respectively."""
ALWAYS, NEVER = "always", "never"


class Kind(NamedTuple):
    """A kind of standing order.

    `usual` describes the default. `template` is a sentence about such an order, used unless the value of the order is a
    key of `words`; then the sentence in `words` is used. `about` lists the words that may follow the first word of the
    key in place of a unit; it is None if nothing may follow. `among` lists the words that may occur in place of units
    in a value that is a list of units; it is None if the value is not such a list. `how` is the word before the cards
    that may be given if the value is a number. If `switch` is not empty, the kind exists only in sets with that switch.
    """

    usual: Sentence
    template: str = ""
    about: tuple[str, ...] | None = None
    words: Mapping[str, str] = {}
    among: tuple[str, ...] | None = None
    how: str = ""
    switch: str = ""


KINDS: Mapping[str, Kind] = {
    "Reroll": Kind(Sentence("no rerolls"), about=("attack", "feature"), how="with"),
    "Rocknroll": Kind(
        Sentence("no ROCK'N'ROLL"),
        "{subject}: ROCK'N'ROLL against {names}",
        about=("all",),
        words={ALWAYS: "{subject}: ROCK'N'ROLL always", NEVER: "{subject}: ROCK'N'ROLL never"},
        among=(),
    ),
    "Pour": Kind(
        Sentence("no RD poured in"),
        about=("attack", "feature", "order", "captive", "rocknroll"),
        how="sell",
        switch="rd",
    ),
    "Income": Kind(Sentence("new units from the deck"), "wanted at the next income: {names}", among=(DECK,)),
    "React": Kind(
        Sentence("units answer attacks if they may"),
        about=(),
        words={
            "yes": "{subject}: answers an attack",
            "no": "{subject}: answers no attack",
            "attack": "{subject}: attacks its attacker",
            "move": "{subject}: moves away after an attack",
        },
    ),
    "First": Kind(Sentence("features in the order of units"), "first in your turn: {names}", among=()),
    "Block": Kind(
        Sentence("blockers attack the first one named"),
        "{subject}: of several, attacks {names} first",
        about=(),
        among=(),
    ),
    "Goto": Kind(
        Sentence("units go where fewest enemies are"), "{subject}: when it moves by itself, goes to {names}", about=()
    ),
    "Lose": Kind(
        Sentence("a loss without units in Points comes from the deck"),
        "lost if no unit is in a Point: {names}",
        among=(DECK,),
        switch="last_unit",
    ),
    "Captives": Kind(
        Sentence("prisoners are left alone"),
        words={
            "torture": "prisoners: torture",
            "execute": "prisoners: execute",
            "recruit": "prisoners: recruit",
            "leave": "prisoners: leave them",
        },
        switch="captives",
    ),
}
"""The kinds of standing orders (§7), keyed by the word with which orders of the kind begin, such as `Reroll`."""
KEYS = {word: kind.about for word, kind in KINDS.items()}

ALLIED: Mapping[str, str] = {
    "Sequence": "allies play in this sequence, unless one of them says otherwise: {names}",
    "Supply": "allies take their income in this sequence, unless one of them says otherwise: {names}",
    "Compensation": "cards for losses go to this seat, unless an ally says otherwise: {names}",
}
"""Sentences about the standing orders on which allies can agree, keyed by the name of the order. The value of such an
order is a list of seats: who plays first, who takes income first, or who gets cards for the side's losses. The order
applies unless an ally disagrees (J27)."""

SEATS = frozenset(f"{side}{at}" for side in SIDES for at in range(1, MOST_SEATS + 1))
"""The names of seats on sides that have several seats."""

_AMOUNT = re.compile(r"(?P<upto>to )?(?P<number>[0-9])(?P<each> each)?(?: (?P<how>with|sell) (?P<names>.+))?")


class Amount(NamedTuple):
    """A number of rerolls or RD. If `upto` is true, `number` is a natural value instead, and as many RD are added as
    that value needs to succeed. If `each` is true, the first of two dice may be rerolled, too. `cards` lists the
    cards that may be given in payment, in order of preference."""

    number: int
    upto: bool = False
    each: bool = False
    cards: tuple[str, ...] = ()


def needs(word: str, switches: Switches) -> bool:
    """Return whether standing orders that begin with `word` are possible with a set that has these switches."""
    switch = KINDS[word].switch if word in KINDS else ""
    return not switch or bool(getattr(switches, switch))


@lru_cache(maxsize=4096)
def amount(value: str) -> Amount:
    """Parse the value of a `Reroll` or `Pour` order. Raises ValueError if it has another form."""
    parts = _AMOUNT.fullmatch(value)
    if parts is None:
        raise ValueError(value)
    names = parts["names"]
    return Amount(
        int(parts["number"]), bool(parts["upto"]), bool(parts["each"]), tuple(names.split(", ")) if names else ()
    )


@lru_cache(maxsize=4096)
def values(value: str) -> tuple[str, ...]:
    """Split the value of a standing order into the names that it lists."""
    return tuple(value.split(", "))


@lru_cache(maxsize=4096)
def is_standing(cards: CardSet, rule: Rule) -> bool:
    """Return whether a state with these cards may contain the standing order `rule`. The rule must be in canonical
    form, name only cards and Points of the set, and not have the value `default`."""
    word, _, subject = rule.key.partition(" ")
    if rule.key in ALLIED:
        return SEATS.issuperset(rule.value.split(", "))
    kind = KINDS.get(word)
    if kind is None or not needs(word, cards.switches) or rule.value == DEFAULT:
        return False
    if rule.key != word if kind.about is None else subject not in {*kind.about, *cards.units}:
        return False
    return _is_value(cards, word, rule.value)


def _is_value(cards: CardSet, word: str, value: str) -> bool:
    kind = KINDS[word]
    if kind.how:
        parts = _AMOUNT.fullmatch(value)
        if parts is None or parts["each" if kind.how == "sell" else "upto"] or parts["how"] not in (None, kind.how):
            return False
        choices = {ORDERS, UNITS, *cards.units, *cards.orders}
        return parts["names"] is None or choices.issuperset(parts["names"].split(", "))
    names = cards.row if word == "Goto" else () if kind.among is None else (*kind.among, *cards.units)
    return value in kind.words or {*names}.issuperset(value.split(", "))


def merged(lines: Iterable[str]) -> tuple[Rule, ...]:
    """Parse standing orders in canonical form. If several have the same key, only the last one is returned."""
    rules: dict[str, Rule] = {}
    for line in filter(None, lines):
        key, _, value = line.partition(": ")
        rules.pop(key, None)
        rules[key] = Rule(key, value)
    return tuple(rules.values())


SENTENCES = (
    *(command.template for command in (*get_args(Plain), If, Pour)),
    *(sentence for kind in KINDS.values() for sentence in (kind.template, *kind.words.values()) if sentence),
    *ALLIED.values(),
)
"""The sentences about orders, for translators."""
