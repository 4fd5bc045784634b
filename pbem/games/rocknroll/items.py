"""What a letter says: lines of words and signs, and what is read in them: a value each, still in the player's words."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pbem.values import NamedTuple


class Word(Protocol):
    """Words as they were written, and where in the text they start."""

    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


class ItemPart(NamedTuple):
    """A part of what the grammar took for one word, or a word that has no place."""

    value: str
    start_pos: int = 0


class DeployItem(NamedTuple):
    """A unit and where it comes; if there is one word, the Point is its end."""

    unit: Word
    point: Word | None = None


class TradeItem(NamedTuple):
    """What is given for what."""

    given: Word
    wanted: Word


class StrikeItem(NamedTuple):
    """A unit and whom it attacks."""

    unit: Word
    target: Word


class StepItem(NamedTuple):
    """A unit and the Point that it goes to."""

    unit: Word
    point: Word


class AloneItem(NamedTuple):
    """A name without a sign behind it."""

    unit: Word


PartItem = StrikeItem | StepItem | AloneItem


class PlayItem(NamedTuple):
    """An order and what its units do."""

    card: Word
    parts: tuple[PartItem, ...]


class SuperItem(NamedTuple):
    """An order and the Point that it is for."""

    card: Word
    point: Word


class UseItem(NamedTuple):
    """A unit whose feature is used, and on whom."""

    unit: Word
    target: Word


class ActItem(NamedTuple):
    """Two cards, and what one unit does for them."""

    first: Word
    second: Word
    part: PartItem


class SellItem(NamedTuple):
    """A card to be sold."""

    card: Word


class BuyItem(NamedTuple):
    """What is bought: `order`, `deck` or a unit."""

    what: Word


class CaptureItem(NamedTuple):
    """An enemy, and the card that is given."""

    target: Word
    card: Word


class StandsItem(NamedTuple):
    """Whether a unit stands in a Point."""

    unit: Word
    point: Word


class StandsNotItem(NamedTuple):
    """Whether a unit does not stand in a Point."""

    unit: Word
    point: Word


class CountItem(NamedTuple):
    """How many units of a side stand in a Point."""

    whose: Word
    point: Word
    compare: Word
    number: Word


class StockItem(NamedTuple):
    """How many RD there are."""

    compare: Word
    number: Word


class LastItem(NamedTuple):
    """How the last throw ended."""

    outcome: Word


ConditionItem = StandsItem | StandsNotItem | CountItem | StockItem | LastItem


class IfItem(NamedTuple):
    """A command with a condition."""

    condition: ConditionItem
    command: "CommandItem"


class PassItem(NamedTuple):
    """Nothing."""

    word: Word


CommandItem = (
    DeployItem
    | TradeItem
    | PlayItem
    | SuperItem
    | UseItem
    | ActItem
    | SellItem
    | BuyItem
    | CaptureItem
    | IfItem
    | PassItem
)


def first_word(item: object) -> Word:
    """The first words of an item, where a mistake of the whole is shown."""
    while isinstance(item, tuple) and not isinstance(item, ItemPart):
        item = item[0]
    return item  # type: ignore[return-value]


class NamesItem(NamedTuple):
    """Names with commas between them."""

    words: tuple[Word, ...]


class AmountItem(NamedTuple):
    """A number with what may stand around it; `how` is the word before the names."""

    number: Word
    upto: Word | None = None
    each: Word | None = None
    how: Word | None = None
    names: tuple[Word, ...] = ()


class RuleItem(NamedTuple):
    """A standing order; its value is a number, names, or a word that takes it back."""

    rule: Word
    key: Word | None
    value: AmountItem | NamesItem | Word


class Token(NamedTuple):
    """A word or a sign: what the grammar calls its kind, how it is written, and where; its place tells it from others
    that are written so, unlike Lark's."""

    type: str
    value: str
    start_pos: int


class Line(NamedTuple):
    """What stands between two separators: one command or standing order, or several with commas between them."""

    tokens: tuple[Token, ...]


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    "line": lambda tokens: Line(tuple(Token(one.type, one.value, one.start_pos) for one in tokens)),
}
"""What each rule of orders.lark becomes."""
