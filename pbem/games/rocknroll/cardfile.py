"""Card files (§3): types for their content, and checks that their values fit together.

docs/own-data.md describes the format. Each value has a mark that names its source.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pbem.games.kit.files import read_file, read_json
from pbem.games.rocknroll.cards import (
    CardSet,
    Check,
    Echo,
    EchoKind,
    Feature,
    Kind,
    Name,
    Numbers,
    Order,
    OrderKind,
    Point,
    Switches,
    Unit,
)
from pbem.games.rocknroll.orders import COMMANDS, KINDS
from pbem.games.values import GameError
from pbem.games.words import order_words
from pbem.typed import Between, Complete, Parsed, Place, Reader, quote

SHIPPED = ("base-2", "expansion")
FIRST = "base"
"""The set of cards for wars, records and programs that do not name one: SHIPPED[0] as it was before its numbers
changed. The old set remains available, because a shipped set never changes."""
MAX_SIZE = 256 * 1024  # the maximum size of a card file in bytes, eight times that of a shipped set
_FOLDER = Path(__file__).parent
_FILE = "The file of cards"  # the name of the file in error messages

_REQUIRED_KEYS: Mapping[Kind, tuple[str, ...]] = {
    "medic": ("check",),
    "lure": ("check",),
    "reach": ("range",),
    "aura": ("bonus",),
}
_OPTIONAL_KEYS: Mapping[Kind, tuple[str, ...]] = {"blocker": ("check", "explodes"), "raider": ("check", "explodes")}
_NUMBERS: Mapping[OrderKind, tuple[int, int]] = {"march": (0, 0), "all": (2, 6), "super": (2, 6)}
_ALSO_CARDS = ("attack", "move", "strike", "walk", "marches")  # order words that may also be the whole name of a card
_BETWEEN = ("for", "to", "upto", "with", "in", "not", "each", "sell")
_BEGINNINGS = (*_BETWEEN, *COMMANDS, "hit", "missed", "mine", "enemy", "rd", "default", *map(str.casefold, KINDS))

_WORD = r"[^\W\d_]{2,}[^\W_]*(?:[-'’][^\W\d_]+)*"
_NAME = re.compile(rf"(?=.{{2,30}}\Z){_WORD}(?: {_WORD})*")


def card_name(value: Any) -> str:
    """Return `value` if it can be the name of a card. Raises ValueError if the order reader could not find the name in
    a text, or could mistake it for an order word."""
    if not isinstance(value, str):
        raise ValueError(f"this should be a text, not {quote(value)}.")
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"{quote(value)} cannot be read as a name; one has 2 to 30 characters and consists of words of two letters "
            "or more."
        )
    if word := _order_word(value):
        raise ValueError(f"{quote(value)} holds an order word ({word}), and cannot be a name.")
    return value


def _order_word(name: str) -> str | None:
    """Return the key of the order word for which `name` or one of its words could be mistaken; None if there is no such
    order word."""
    first, *others = name.split()
    for key, pattern in order_words(_FOLDER).items():
        parts = {name} - ({name} if key in _ALSO_CARDS else set())
        parts |= {first} if key in _BEGINNINGS else set()
        parts |= set(others) if key in _BETWEEN else set()
        if any(re.fullmatch(pattern, part, re.I) for part in parts):
            return key
    return None


# The content of a file

CardName = Annotated[str, Parsed(card_name)]
_Side = Literal["vpa", "vietnam"]
_Die = Literal["1", "2", "3", "4", "5", "6"]


class Marked(NamedTuple):
    """A number or a switch, with a mark that names its source."""

    value: Annotated[Any, "the number, or true or false"]
    mark: Annotated[str, "where it comes from; what is yours begins with `house`"]


class SideEntry(NamedTuple):
    """The names of a side in each language."""

    en: Annotated[str, "in English"]
    ru: Annotated[str, "in Russian"]
    mark: Annotated[str, "where the name comes from"]
    de: Annotated[str, "in German"] = ""


class PointEntry(NamedTuple):
    """An entry for a Point. The entries are listed from one end of the row to the other."""

    id: Annotated[Literal["A", "B", "C", "D", "E"], "its letter, by which letters name it"]
    en: Annotated[CardName, "its English name"]
    ru: Annotated[CardName, "its Russian name"]
    mark: Annotated[str, "where it comes from"]


class UnitEntry(NamedTuple):
    """An entry for a unit, keyed by the unit's English name. `alias` lists other names for the unit, in any
    language."""

    ru: Annotated[CardName, "its Russian name"]
    side: Annotated[_Side, "the side whose unit it is"]
    chance: Annotated[Check, "the number in its corner: it hits with this or more"]
    dice: Annotated[int, Between(1, 2), "how many dice it throws"]
    star: Annotated[bool, "whether it has a star"]
    armour: Annotated[Literal[0] | Check, "the number that saves it, with the switch armour; 0 for none"]
    ace: Annotated[bool, "whether its armour card has an ace"]
    feature: Annotated[Feature, "what it can do besides"]
    text: Annotated[Name, "what its card says"]
    marks: Annotated[Mapping[str, str], "where each value comes from, by its key"]
    alias: Annotated[tuple[CardName, ...], "other names for it, in any language"] = ()


class OrderEntry(NamedTuple):
    """An entry for an order, keyed by the order's English name. If `side` is null, both sides can play the order;
    `count` is the number of copies in the set."""

    ru: Annotated[CardName, "its Russian name"]
    suit: Annotated[Literal["spades", "diamonds"], "the suit of the card"]
    kind: Annotated[
        OrderKind, "attack or move with so many units; all of one number attack; march; super destroys a Point"
    ]
    number: Annotated[
        int,
        Between(0, 99),
        "how many units it is for; 0 for march; for all their number, for super the number it needs",
    ]
    count: Annotated[int, Between(1, 99), "how many there are of it"]  # type: ignore[assignment]  # hides `tuple.count`
    side: Annotated[_Side | None, "the side that can play it; null for both"]
    marks: Annotated[Mapping[str, str], "where each value comes from, by its key"]
    de: Annotated[CardName, "its German name"] = ""


class EchoEntry(NamedTuple):
    """An entry for an effect of Echo, keyed by the number on a die. A die roll during the set-up chooses the effect for
    the whole game."""

    colour: Annotated[Literal["black", "red"], "black works while Echo is held, red at the end of a round"]
    effect: Annotated[EchoKind, "what it brings"]
    value: Annotated[int, Between(0, 6), "how much"]
    en: Annotated[str, "in English"]
    ru: Annotated[str, "in Russian"]
    mark: Annotated[str, "where it comes from"]
    de: Annotated[str, "in German"] = ""


class CardFile(NamedTuple):
    """The content of a card file. `set`, `version` and `decks` are notes for people, which the program ignores."""

    title: Annotated[Name, "what the set is called"]
    sides: Annotated[Mapping[_Side, SideEntry], Complete(), "what the sides are called"]
    points: Annotated[tuple[PointEntry, ...], "the row of Points from one end to the other, two to five"]
    numbers: Annotated[Numbers, "the numbers of the rules"]
    switches: Annotated[Switches, "which rules of EXPANSION count"]
    units: Annotated[Mapping[CardName, UnitEntry], "units by their English names"]
    orders: Annotated[Mapping[CardName, OrderEntry], "orders by their English names"]
    echo: Annotated[Mapping[_Die, EchoEntry], "effects of Echo by the die of the set-up; `{}` without that switch"]
    game: Annotated[Literal["rocknroll"], "the game"] = "rocknroll"
    set: Annotated[Any, "a note"] = None
    version: Annotated[Any, "a note"] = None
    decks: Annotated[Any, "a note"] = None


def find_set(name: str) -> CardSet:
    """Return the shipped set called `name`, or the set in the file whose path is `name`. Raises GameError with one
    problem per line."""
    return _shipped(name) if is_shipped(name) else parse_set(_read(Path(name)), name)


def is_shipped(name: str) -> bool:
    """Return whether `name` is the name of a shipped set."""
    return name in (*SHIPPED, FIRST)


def is_as_shipped(cards: CardSet) -> bool:
    """Return whether `cards` equals a shipped set exactly. If so, no copy of its file has to be kept."""
    return is_shipped(cards.id) and find_set(cards.id).source == cards.source


@cache
def _shipped(name: str) -> CardSet:
    return parse_set(_read(_FOLDER / "sets" / f"{name}.json"), name)


def _read(path: Path) -> str:
    """Return the text of the card file at `path`. Raises GameError if the file cannot be read."""
    missing = f"There is no set of cards {quote(str(path))}: say {' or '.join(SHIPPED)}, or the path of a file."
    return read_file(path, _FILE, missing, MAX_SIZE)


@lru_cache(maxsize=16)  # a desk reads the cards of its wars again and again
def parse_set(source: str, name: str) -> CardSet:
    """Return the set of cards in `source`, the text of a card file; `name` becomes the `id` of the set. Raises
    GameError with one problem per line."""
    data = read_json(source, _FILE)
    if not isinstance(data, dict):
        raise GameError(f"{_FILE} should hold an object, not {quote(data)}.")
    reader = _CardReader()
    file = reader.file(data)
    if reader.problems:
        raise GameError("\n".join(reader.problems))
    return CardSet(
        id=name,
        source=source,
        title=file.title,
        sides={side: Name(entry.en, entry.ru, entry.de) for side, entry in file.sides.items()},
        points=tuple(Point(point.id, Name(point.en, point.ru)) for point in file.points),
        numbers=file.numbers,
        switches=file.switches,
        units={card: _unit(card, entry) for card, entry in file.units.items()},
        orders={card: _order(card, entry) for card, entry in file.orders.items()},
        echo={int(die): _echo(file.echo[die]) for die in get_args(_Die) if die in file.echo},
        marks=_marks_of(data),
    )


def _unit(card: str, entry: UnitEntry) -> Unit:
    return Unit(
        name=Name(card, entry.ru),
        aliases=entry.alias,
        side=entry.side,
        chance=entry.chance,
        dice=entry.dice,
        star=entry.star,
        armour=entry.armour,
        ace=entry.ace,
        feature=entry.feature,
        text=entry.text,
        marks=entry.marks,
    )


def _order(card: str, entry: OrderEntry) -> Order:
    name = Name(card, entry.ru, entry.de)
    return Order(name, entry.suit, entry.kind, entry.number, entry.count, entry.side, entry.marks)


def _echo(entry: EchoEntry) -> Echo:
    return Echo(entry.colour, entry.effect, entry.value, Name(entry.en, entry.ru, entry.de))


def _marks_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the marks of the values that are not on a card; a key such as `numbers.limit` names the value."""
    marks = {f"{part}.{key}": entry["mark"] for part in _MARKED for key, entry in data[part].items()}
    return marks | {f"points.{point['id']}": point["mark"] for point in data["points"]}


_VALUES = ("numbers", "switches")  # parts of a file in which each value is accompanied by a mark
_MARKED = ("sides", *_VALUES, "echo")  # parts of a file whose entries have a mark


class _CardReader(Reader):
    """A reader of card files that also checks that the values in a file fit together."""

    def file(self, data: Mapping[str, Any]) -> CardFile:
        """Read the card file in `data`. If `problems` is not empty afterwards, the set cannot be used."""
        values = {part: self._unmarked(part, data[part]) for part in _VALUES if part in data}
        file = self.read(CardFile, {**data, **values})
        self._check_points(file.points)
        for card, unit in file.units.items():
            if self.sound("units", card, "feature"):
                self._check_feature(("units", card, "feature"), unit.feature.kind, data["units"][card]["feature"])
        for card, order in file.orders.items():
            if self.sound("orders", card):
                self._check_order(("orders", card, "number"), order)
        self._check_echo(file)
        for part, cards in (("units", file.units), ("orders", file.orders)):
            if not cards:
                self.problem((part,), "there are none.")
        for name, first, second in _doubled_names(file):
            self.problem((), f"{quote(name)} is the name of {first} and of {second}.")
        return file

    def _unmarked(self, part: str, entries: Any) -> dict[str, Any]:
        """Check `entries`, the marked values of `part`, and return the values without their marks."""
        read = self.read(dict[str, Marked], entries, part)
        self.replaced |= {(part, key) for key in read if not self.sound(part, key, "value")}
        return {key: entry.value for key, entry in read.items()}

    def _check_points(self, points: Sequence[PointEntry]) -> None:
        ids = [point.id for point in points]
        if self.sound("points") and not 2 <= len(set(ids)) == len(ids):
            self.problem(("points",), "these are two to five different Points.")

    def _check_feature(self, where: Place, kind: Kind, keys: Mapping[str, Any]) -> None:
        required, optional = _REQUIRED_KEYS.get(kind, ()), _OPTIONAL_KEYS.get(kind, ())
        for key in required:
            if key not in keys:
                self.problem((*where, key), "this is missing.")
        for key in keys:
            if key not in ("kind", *required, *optional):
                self.problem(where, f"a feature of kind {kind} has no {key}.")

    def _check_order(self, where: Place, order: OrderEntry) -> None:
        least, most = _NUMBERS.get(order.kind, (1, 99))
        if not least <= order.number <= most:
            self.mistaken(where, f"a number from {least} to {most}", order.number)

    def _check_echo(self, file: CardFile) -> None:
        if file.switches.echo or file.echo:
            for die in get_args(_Die):
                if die not in file.echo:
                    self.problem(("echo", die), "this is missing.")
        for die, echo in file.echo.items():
            black = echo.effect in ("attack", "feature")
            if self.sound("echo", die) and echo.effect != "none" and black != (echo.colour == "black"):
                self.problem(("echo", die, "colour"), f"an effect {quote(echo.effect)} is not {echo.colour}.")


def _doubled_names(file: CardFile) -> Iterator[tuple[str, str, str]]:
    """Yield each name that two cards or Points share, even in different languages, and the two owners of that name."""
    owners: dict[str, str] = {}
    for owner, names in _names(file):
        for name in dict.fromkeys(spelling.casefold().replace("ё", "е") for spelling in filter(None, names)):
            if owners.setdefault(name, owner) != owner:
                yield name, owners[name], owner


def _names(file: CardFile) -> Iterator[tuple[str, tuple[str, ...]]]:
    for card, unit in file.units.items():
        yield card, (card, unit.ru, *unit.alias)
    for card, order in file.orders.items():
        yield card, (card, order.ru, order.de)
    for point in file.points:
        yield f"Point {point.id}", (point.en, point.ru)


def described(cards: CardSet) -> str:
    """Describe a set in lines of text: its title, the numbers of cards, its switches, how many values are house values,
    and its hash."""
    on = [key for key, value in asdict(cards.switches).items() if value]
    orders = sum(order.count for order in cards.orders.values())
    groups = [cards.marks, *(unit.marks for unit in cards.units.values())]
    groups += [order.marks for order in cards.orders.values()]
    marks = [mark for group in groups for mark in group.values()]
    house = sum(mark.startswith("house") for mark in marks)
    return (
        f"{cards.title.en}.\n{len(cards.units)} units, {orders} orders, Points {' '.join(cards.row)}; "
        f"{'switches: ' + ', '.join(on) if on else 'no switches'}.\n"
        f"{house} of {len(marks)} marked values are house values.\n"
        f"SHA-256 {sha256(cards.source.encode()).hexdigest()}"
    )
