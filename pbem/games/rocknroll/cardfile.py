"""Reading a file of cards, and everything that can be wrong with it: every problem is told at once (§3).

`sets/base.json` is the pattern for a file of one's own. Each value bears a mark that says where it comes from.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from pbem.games.kit.checking import Checker, read_file, read_json
from pbem.games.options import quote
from pbem.games.rocknroll.cards import (
    ECHO_KINDS,
    FEATURES,
    ORDER_KINDS,
    SIDES,
    CardSet,
    Echo,
    Feature,
    Kind,
    Name,
    Numbers,
    Order,
    Point,
    Switches,
    Unit,
)
from pbem.games.rocknroll.orders import COMMANDS, KINDS
from pbem.games.words import order_words

SHIPPED = ("base-2", "expansion")
FIRST = "base"
"""The set that wars, records and programs mean which name none: SHIPPED[0] before its numbers changed. No set that is
shipped changes what it says."""
MAX_SIZE = 256 * 1024  # bytes, eight times a shipped set
_FOLDER = Path(__file__).parent
_FILE = "The file of cards"  # in errors

_KEYS = ("game", "set", "version", "title", "sides", "points", "numbers", "switches", "units", "orders", "echo")
_SUITS = ("spades", "diamonds")
_COLOURS: tuple[Literal["black", "red"], ...] = ("black", "red")
_REQUIRED_KEYS: Mapping[Kind, tuple[str, ...]] = {
    "medic": ("check",),
    "lure": ("check",),
    "reach": ("range",),
    "aura": ("bonus",),
}
_OPTIONAL_KEYS: Mapping[Kind, tuple[str, ...]] = {"blocker": ("check", "explodes"), "raider": ("check", "explodes")}
_CHECKS = ("capture_check", "torture_check", "execute_check", "recruit_check")
_LEAST = {"victory": 1, "double": 2, "loss_pair": 2, "rd_max": 6, "rd_price": 1, "act_cards": 2, "share_opening": 0}
_MOST = {"loss_pair": 2, "rd_max": 6, "rd_price": 6, "act_cards": 2}
_ALSO_CARDS = ("attack", "move", "strike", "walk", "marches")  # words that mean the same as such a card, or a value
_BETWEEN = ("for", "to", "upto", "with", "in", "not", "each", "sell")
_BEGINNINGS = (*_BETWEEN, *COMMANDS, "hit", "missed", "mine", "enemy", "rd", "default", *map(str.casefold, KINDS))

_WORD = r"[^\W\d_]{2,}[^\W_]*(?:[-'’][^\W\d_]+)*"
_NAME = re.compile(rf"(?=.{{2,30}}\Z){_WORD}(?: {_WORD})*")

T = TypeVar("T")
L = TypeVar("L", bound=str)


def find_set(name: str) -> CardSet:
    """The set of a shipped name, or of a file of that path as it is now. Raises GameError, every problem a line."""
    return _shipped(name) if is_shipped(name) else parse_set(_read(Path(name)), name)


def is_shipped(name: str) -> bool:
    """Whether a name is that of a set which comes with the program."""
    return name in (*SHIPPED, FIRST)


def is_as_shipped(cards: CardSet) -> bool:
    """Whether a set is one of these, and its file need not be kept."""
    return is_shipped(cards.id) and find_set(cards.id).source == cards.source


@cache
def _shipped(name: str) -> CardSet:
    return parse_set(_read(_FOLDER / "sets" / f"{name}.json"), name)


def _read(path: Path) -> str:
    """The text of a file of cards. Raises GameError."""
    missing = f"There is no set of cards {quote(str(path))}: say {' or '.join(SHIPPED)}, or the path of a file."
    return read_file(path, _FILE, missing, MAX_SIZE)


@lru_cache(maxsize=16)  # a desk reads its wars' cards again and again
def parse_set(source: str, name: str) -> CardSet:
    """The set of cards that a file holds, for which `name` stands. Raises GameError, every problem a line."""
    data = read_json(source, _FILE)
    reader = _SetReader()
    cards = reader.card_set(reader.typed("the file", data, dict) or {}, source, name)
    reader.problems += _doubled_names(cards) if not reader.problems else ()
    reader.finish()
    return cards


def described(cards: CardSet) -> str:
    """What is in a set, in lines: its title, how many cards, which switches, whose values they are, its hash."""
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


class _Place(NamedTuple):
    """A part of the file: where it is, and what stands there."""

    where: str
    data: Mapping[str, Any]


class _SetReader(Checker):
    """Takes a file of cards apart. `problems` has a sentence for all that is missing, mistyped or cannot be; what is
    wrong is taken for something harmless, so that the rest can be looked at all the same."""

    def card_set(self, data: Mapping[str, Any], source: str, name: str) -> CardSet:
        top = _Place("", data)
        self.problems += [f"{quote(key)}: this is no key." for key in data if key not in (*_KEYS, "decks")]
        if data.get("game", "rocknroll") != "rocknroll":
            self.problems.append(f"game: these are cards of {quote(data['game'])}, not of rocknroll.")
        sides = self.part(top, "sides")
        self.same_keys(sides, SIDES)
        points = [self.point(at, entry) for at, entry in enumerate(self.get(top, "points", list, []), start=1)]
        self.row(points)
        switches = self.switches(self.part(top, "switches"))
        return CardSet(
            id=name,
            source=source,
            title=self.name(top, "title"),
            sides={side: self.name(sides, side) for side in SIDES},
            points=tuple(points),
            numbers=self.numbers(self.part(top, "numbers")),
            switches=switches,
            units={card: self.unit(part, card) for card, part in self.parts(top, "units")},
            orders={card: self.order(part, card) for card, part in self.parts(top, "orders")},
            echo=self.echoes(top, switches.echo),
            marks=self.marks_of_set(top),
        )

    # Plain values

    def get(self, place: _Place, key: str, kind: type[T], instead: T) -> T:
        where = f"{place.where}{key}"
        if key not in place.data:
            self.problems.append(f"{where}: this is missing.")
            return instead
        value = self.typed(where, place.data[key], kind)
        return instead if value is None else value

    def number_at(self, place: _Place, key: str, least: int, most: int) -> int:
        return self.number(f"{place.where}{key}", self.get(place, key, int, least), least, most)

    def choice(self, place: _Place, key: str, choices: Sequence[L]) -> L:
        value = self.get(place, key, str, choices[0])
        chosen = next((choice for choice in choices if choice == value), None)
        if chosen is None:
            self.problems.append(f"{place.where}{key}: this is one of {', '.join(choices)}, not {quote(value)}.")
        return chosen or choices[0]

    def part(self, place: _Place, key: str) -> _Place:
        return _Place(f"{place.where}{key}, ", self.get(place, key, dict, {}))

    def parts(self, place: _Place, key: str) -> Iterator[tuple[str, _Place]]:
        entries = self.get(place, key, dict, {})
        if not entries:
            self.problems.append(f"{key}: there are none.")
        for name in entries:
            yield name, self.part(_Place(f"{key}, ", entries), name)

    def name(self, place: _Place, key: str) -> Name:
        part = self.part(place, key)
        return self.read_name(part)

    def read_name(self, part: _Place) -> Name:
        """The name that a part of the file gives in each language; German may be missing."""
        german = self.get(part, "de", str, "") if "de" in part.data else ""
        return Name(self.get(part, "en", str, ""), self.get(part, "ru", str, ""), german)

    def marks(self, place: _Place) -> Mapping[str, str]:
        part = self.part(place, "marks")
        return {key: self.get(part, key, str, "") for key in part.data}

    def marks_of_set(self, top: _Place) -> Mapping[str, str]:
        """Where the values come from that stand on no card."""
        places: dict[str, _Place] = {}
        for part in ("sides", "numbers", "switches", "echo"):
            entries = top.data.get(part)
            for key in entries if isinstance(entries, dict) else ():
                places[f"{part}.{key}"] = self.part(_Place(f"{part}, ", top.data[part]), key)
        points = top.data.get("points")
        for at, data in enumerate(points if isinstance(points, list) else (), start=1):
            if isinstance(data, dict):
                places[f"points.{data.get('id')}"] = _Place(f"points, entry {at}, ", data)
        return {key: self.get(place, "mark", str, "") for key, place in places.items()}

    def same_keys(self, place: _Place, keys: Sequence[str]) -> None:
        where = place.where.removesuffix(", ")
        self.problems += [f"{where}: {quote(key)} is no key." for key in place.data if key not in keys]

    # Parts of a set

    def point(self, at: int, data: object) -> Point:
        place = _Place(f"points, entry {at}, ", self.typed(f"points, entry {at}", data, dict) or {})
        return Point(self.choice(place, "id", tuple("ABCDE")), Name(*(self.called(place, key) for key in ("en", "ru"))))

    def called(self, place: _Place, key: str) -> str:
        return self.card_name(f"{place.where}{key}", self.get(place, key, str, ""))

    def row(self, points: Sequence[Point]) -> None:
        ids = [point.id for point in points]
        if len(ids) < 2 or len(set(ids)) < len(ids):
            self.problems.append("points: these are two to five different Points.")

    def numbers(self, place: _Place) -> Numbers:
        keys = [field.name for field in fields(Numbers)]
        self.same_keys(place, keys)
        values: dict[str, Any] = {}
        for key in keys:
            part = self.part(place, key)
            least, most = (2, 6) if key in _CHECKS else (_LEAST.get(key, 0), _MOST.get(key, 999_999))
            if key == "limit":
                has_none = part.data.get("value", 0) is None
                values[key] = None if has_none else self.number_at(part, "value", 1, most)
            else:
                values[key] = self.number_at(part, "value", least, most)
        return Numbers(**values)

    def switches(self, place: _Place) -> Switches:
        keys = [field.name for field in fields(Switches)]
        self.same_keys(place, keys)
        return Switches(**{key: self.get(self.part(place, key), "value", bool, False) for key in keys})

    def unit(self, place: _Place, name: str) -> Unit:
        return Unit(
            name=Name(self.card_name(place.where.removesuffix(", "), name), self.called(place, "ru")),
            aliases=self.aliases(place),
            side=self.choice(place, "side", SIDES),
            chance=self.number_at(place, "chance", 2, 6),
            dice=self.number_at(place, "dice", 1, 2),
            star=self.get(place, "star", bool, False),
            armour=self.number_at(place, "armour", 2, 6) if place.data.get("armour") != 0 else 0,
            ace=self.get(place, "ace", bool, False),
            feature=self.feature(self.part(place, "feature")),
            text=self.name(place, "text"),
            marks=self.marks(place),
        )

    def aliases(self, place: _Place) -> tuple[str, ...]:
        entries = self.get(place, "alias", list, []) if "alias" in place.data else []
        names = [self.typed(f"{place.where}alias", entry, str) for entry in entries]
        return tuple(self.card_name(f"{place.where}alias", name) for name in names if name is not None)

    def feature(self, place: _Place) -> Feature:
        kind = self.choice(place, "kind", FEATURES)
        required, optional = _REQUIRED_KEYS.get(kind, ()), _OPTIONAL_KEYS.get(kind, ())
        self.same_keys(place, ("kind", *required, *optional))
        keys = (*required, *(key for key in optional if key in place.data))
        return Feature(
            kind,
            check=self.number_at(place, "check", 2, 6) if "check" in keys else 0,
            range=self.number_at(place, "range", 1, 9) if "range" in keys else 0,
            bonus=self.number_at(place, "bonus", 1, 5) if "bonus" in keys else 0,
            explodes=self.get(place, "explodes", bool, False) if "explodes" in keys else False,
        )

    def order(self, place: _Place, name: str) -> Order:
        kind = self.choice(place, "kind", ORDER_KINDS)
        least, most = {"march": (0, 0), "all": (2, 6), "super": (2, 6)}.get(kind, (1, 99))
        german = self.called(place, "de") if "de" in place.data else ""
        return Order(
            name=Name(self.card_name(place.where.removesuffix(", "), name), self.called(place, "ru"), german),
            suit=self.choice(place, "suit", _SUITS),
            kind=kind,
            number=self.number_at(place, "number", least, most),
            count=self.number_at(place, "count", 1, 99),
            side=None if place.data.get("side", "") is None else self.choice(place, "side", SIDES),
            marks=self.marks(place),
        )

    def echoes(self, top: _Place, needed: bool) -> Mapping[int, Echo]:
        place = self.part(top, "echo")
        if not needed and not place.data:
            return {}
        keys = tuple("123456")
        self.same_keys(place, keys)
        return {int(key): self.echo(self.part(place, key)) for key in keys}

    def echo(self, place: _Place) -> Echo:
        colour, effect = self.choice(place, "colour", _COLOURS), self.choice(place, "effect", ECHO_KINDS)
        if effect != "none" and (effect in ("attack", "feature")) != (colour == "black"):
            self.problems.append(f"{place.where}colour: an effect {quote(effect)} is not {colour}.")
        return Echo(colour, effect, self.number_at(place, "value", 0, 6), self.read_name(place))

    def card_name(self, where: str, name: str) -> str:
        """A name that the order reader can find in a text, and takes for nothing else."""
        if not _NAME.fullmatch(name):
            self.problems.append(
                f"{where}: {quote(name)} cannot be read as a name; one has 2 to 30 characters and consists of words "
                "of two letters or more."
            )
        elif word := _order_word(name):
            self.problems.append(f"{where}: {quote(name)} holds an order word ({word}), and cannot be a name.")
        return name


def _order_word(name: str) -> str | None:
    """The order word for which a name, or the beginning of it, or a word that stands between names, could be taken."""
    first, *others = name.split()
    for key, pattern in order_words(_FOLDER).items():
        parts = {name} - ({name} if key in _ALSO_CARDS else set())
        parts |= {first} if key in _BEGINNINGS else set()
        parts |= set(others) if key in _BETWEEN else set()
        if any(re.fullmatch(pattern, part, re.I) for part in parts):
            return key
    return None


def _doubled_names(cards: CardSet) -> Iterator[str]:
    """A sentence for each name that two cards or Points have, in either language."""
    owners: dict[str, str] = {}
    for owner, names in _names(cards):
        for name in dict.fromkeys(spelling.casefold().replace("ё", "е") for spelling in names):
            if owners.setdefault(name, owner) != owner:
                yield f"{quote(name)} is the name of {owners[name]} and of {owner}."


def _names(cards: CardSet) -> Iterator[tuple[str, list[str]]]:
    for key, unit in cards.units.items():
        yield key, [key, unit.name.ru, *unit.aliases]
    for key, order in cards.orders.items():
        yield key, [*dict.fromkeys((key, order.name.ru, order.name.de or key))]
    for point in cards.points:
        yield f"Point {point.id}", [point.name.en, point.name.ru]
