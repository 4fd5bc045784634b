"""Load a state from plain data or from one line of text, and report as many problems as possible at once (§4, §11).

A position on one line is `round: 3; A vpa: Johnny; hand vpa: Attack, Doc; ok vpa: 1` (§12); values that are empty, 0 or
the default are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pbem.games.base import Chair, GameError, Side
from pbem.games.rocknroll.cardfile import FIRST, find_set, is_as_shipped, parse_set
from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, VPA, CardSet, Count, FromZero
from pbem.games.rocknroll.orders import Rule, is_standing
from pbem.games.rocknroll.rules import interleave
from pbem.games.rocknroll.state import Cards, Decks, Hand, State, dump
from pbem.typed import Between, Complete, Named, Parsed, Place, Reader, quote

TWO_SEATS = tuple(Chair(side, side) for side in SIDES)
_TWO = [[side, side] for side in SIDES]
_DECKS = (*SIDES, "orders")


def read_seats(value: Any) -> tuple[Chair, ...]:
    """Return the seats in plain data such as `[["vpa", "vpa"], ...]`. Raises ValueError if `value` does not list valid
    seats."""
    seats = seats_of(value)
    if seats is None:
        raise ValueError("these are pairs of a seat and its side, one to three for each side.")
    return seats


# The content of a position; `_PositionReader` knows the names that may occur in it

_Side = Annotated[Side, Named("side")]
_Units = tuple[Annotated[str, Named("unit of this set")], ...]
_Orders = tuple[Annotated[str, Named("order of this set")], ...]
_Seat = Annotated[str, Named("seat")]
_UnitsBySide = Annotated[Mapping[_Side, _Units], Complete()]
_NumberBySide = Annotated[Mapping[_Side, FromZero], Complete()]


class _Hand(NamedTuple):
    """The cards that a seat holds."""

    units: _Units
    orders: _Orders


class _Decks(NamedTuple):
    """The cards that have yet to be drawn."""

    vpa: _Units
    vietnam: _Units
    orders: _Orders


class _Position(NamedTuple):
    """A position as it appears in plain data."""

    set: str
    round: Count
    seats: Annotated[tuple[Chair, ...], Parsed(read_seats)]
    order: tuple[_Seat, ...]
    next: FromZero
    row: tuple[Annotated[str, Named("Point")], ...]
    points: Annotated[Mapping[Annotated[str, Named("Point")], _UnitsBySide], Complete()]
    hands: Annotated[Mapping[_Seat, _Hand], Complete()]
    decks: _Decks
    reserve: _UnitsBySide
    discard: _Orders
    graveyard: _UnitsBySide
    captives: _UnitsBySide
    box: _Units
    losses: _NumberBySide
    ok: _NumberBySide
    rd: _NumberBySide
    echo: Annotated[int, Between(1, 6)] | None
    standing: Annotated[Mapping[_Seat, Mapping[str, str]], Complete()]
    limit: Count | None
    winner: Literal["vpa", "vietnam", "draw"] | None
    gone: tuple[_Seat, ...] = ()


def load(data: object, cards: CardSet | None = None) -> State:
    """Return the state in `data`, which has the form that `dump` returns. The set that `data` names is read, unless
    `cards` is given.

    Raises GameError with one problem per line.
    """
    if not isinstance(data, dict):
        raise GameError("A position is an object.")
    if cards is None:
        name = data.get("set")
        if not isinstance(name, str):
            raise GameError(f"set: this should be a name or a path, not {quote(name)}.")
        cards = find_set(name)
    reader = _PositionReader(cards, data)
    state = reader.state()
    if reader.problems:
        raise GameError("\n".join(reader.problems))
    return state


def stored(state: State) -> dict[str, Any]:
    """Convert a state to plain data for the database. A set that is not shipped is included in full, because its file
    may change or disappear, while the war keeps the cards with which it began."""
    cards = state.cards
    if is_as_shipped(cards):
        return {**dump(state)}
    return {**dump(state), "set": {"name": cards.id, "file": cards.source}}


def restored(data: Mapping[str, Any]) -> State:
    """Load a state from the result of `stored`."""
    card_set = data["set"]
    if isinstance(card_set, str):
        return load(data)
    return load({**data, "set": card_set["name"]}, parse_set(card_set["file"], card_set["name"]))


def seats_of(data: object) -> tuple[Chair, ...] | None:
    """Return the seats in plain data such as `[["vpa", "vpa"], ...]`. Return None if a side has no seats, more than
    three seats, or seats with names other than those of §9."""
    if data == _TWO:
        return TWO_SEATS  # the usual case
    pairs = data if isinstance(data, list | tuple) else ()
    chairs = tuple(Chair(*pair) for pair in pairs if isinstance(pair, list | tuple) and len(pair) == len(SIDES))
    called: list[Any] = []
    for side in SIDES:
        number = sum(chair.side == side for chair in chairs)
        if not 0 < number <= MOST_SEATS:
            return None
        names = [side] if number == 1 else [f"{side}{at}" for at in range(1, number + 1)]
        if [chair.seat for chair in chairs if chair.side == side] != names:
            return None
        called += names
    return chairs if len(called) == len(chairs) == len(pairs) else None


class _PositionReader(Reader):
    """A reader of one position of a war with a given set of cards."""

    def __init__(self, cards: CardSet, data: Mapping[str, Any]) -> None:
        self.cards, self.data = cards, data
        self.seats = seats_of(data.get("seats")) or TWO_SEATS
        super().__init__(
            {
                "unit of this set": cards.units,
                "order of this set": cards.orders,
                "side": SIDES,
                "Point": cards.row,
                "seat": tuple(seat for seat, _ in self.seats),
            }
        )

    def state(self) -> State:
        """Return the state that was read. If `problems` is not empty afterwards, the state cannot be played."""
        position = self.read(_Position, self.data)
        self._check_course(position)
        self._check_marks(position)
        self._check_standing(position.standing)
        for sentence in self._doubled(position):
            self.problem((), sentence)
        decks = position.decks
        return State(
            cards=self.cards,
            round=position.round,
            seats=self.seats,
            order=position.order,
            next=position.next,
            row=position.row,
            points=position.points,
            hands={seat: Hand(*hand) for seat, hand in position.hands.items()},
            decks=Decks({"vpa": decks.vpa, "vietnam": decks.vietnam}, decks.orders),
            reserve=position.reserve,
            discard=position.discard,
            graveyard=position.graveyard,
            captives=position.captives,
            box=position.box,
            losses=position.losses,
            ok=position.ok,
            rd=position.rd,
            echo=position.echo,
            standing=position.standing,
            limit=position.limit,
            winner=position.winner,
            gone=tuple(seat for seat, _ in self.seats if seat in position.gone),
        )

    def _check_course(self, position: _Position) -> None:
        self._check_permutation(("row",), position.row, self.cards.row)
        if self.sound("seats"):
            self._check_permutation(("order",), position.order, self.names["seat"])
        most = len(self.seats) - (position.winner is None)
        if position.next > most and self.sound("winner"):
            self.mistaken(("next",), str(Between(0, most)), position.next)
        gone = position.gone
        playing = {side for seat, side in self.seats if seat not in gone}
        if self.sound("gone") and (len(set(gone)) < len(gone) or len(playing) < len(SIDES)):
            self.problem(("gone",), f"these are seats of sides that others play on for, not {quote(gone)}.")

    def _check_permutation(self, where: Place, names: Iterable[str], every: Iterable[str]) -> None:
        if self.sound(*where) and sorted(names) != sorted(every):
            self.mistaken(where, f"{', '.join(every)} in some order", names)

    def _check_marks(self, position: _Position) -> None:
        numbers, switches = self.cards.numbers, self.cards.switches
        most = {
            "losses": numbers.loss_pair - 1,
            "ok": numbers.victory + (1 if position.winner else -1),
            "rd": numbers.rd_max if switches.rd else 0,
        }
        for key, limit in most.items():
            for side, number in getattr(position, key).items():
                if number > limit:
                    self.mistaken((key, side), str(Between(0, limit)), number)
        if position.echo is not None and not switches.echo:
            self.problem(("echo",), "a set of cards without its switch has none.")
        if any(position.graveyard.values()) and not switches.graveyard:
            self.problem(("graveyard",), "a set of cards without its switch has none.")

    def _check_standing(self, standing: Mapping[str, Mapping[str, str]]) -> None:
        for seat, rules in standing.items():
            for key, rule in rules.items():
                if not is_standing(self.cards, Rule(key, rule)):
                    self.problem(("standing", seat), f"{quote(f'{key}: {rule}')} is no standing order.")

    def _doubled(self, position: _Position) -> Iterator[str]:
        """Yield a sentence for each card that occurs too often."""
        hands, decks = position.hands.values(), position.decks
        by_side = (*position.points.values(), position.reserve, position.graveyard, position.captives)
        lists = [cards for sides in by_side for cards in sides.values()] + [hand.units for hand in hands]
        for unit, number in Counter(_joined((*lists, decks.vpa, decks.vietnam, position.box))).items():
            if number > 1:
                yield f"{unit} is in {number} places."
        for order, number in Counter(
            _joined((*(hand.orders for hand in hands), decks.orders, position.discard))
        ).items():
            if number > self.cards.orders[order].count:
                yield f"There are {number} of {order}, and the set has {self.cards.orders[order].count}."


def _joined(lists: Iterable[Cards]) -> list[str]:
    return [card for cards in lists for card in cards]


_NONE = "none"  # the value of `next` when the last seat has played and the war is over
_CALLED = {"points": "", "hands": "hand", "decks": "deck"}
"""The first word of a value's entries, keyed by the value's name, where the two differ: the entries for `hands` begin
with `hand`, as in `hand vpa: Doc`. The word is "" for the Points, whose entries begin with the letter of a Point."""


def position(state: State) -> str:
    """Write a state on one line in the form that `placed` reads."""
    return "; ".join(f"{key}: {value}" for key, value in _items(state) if value)


def _items(state: State) -> Iterator[tuple[str, str]]:
    for key, value, usual in (
        ("set", state.cards.id, FIRST),
        ("round", state.round, 1),
        ("seats", [" ".join(chair) for chair in state.seats], [" ".join(chair) for chair in TWO_SEATS]),
        ("order", state.order, interleave(state.seats, VPA)),
        ("next", (*state.order, _NONE)[state.next], state.order[0]),
        ("row", state.row, state.cards.row),
        ("limit", state.limit, None),
        ("echo", state.echo, None),
        ("winner", state.winner, None),
        ("gone", state.gone, ()),
    ):
        yield from _entries(key, value) if value != usual else ()
    hands = {seat: (*hand.units, *hand.orders) for seat, hand in state.hands.items()}
    data = {**dump(state), "hands": hands}
    for key in _shapes(state.cards, state.seats):
        yield from _entries(_CALLED.get(key, key), data[key])
    yield from _entries("standing", state.standing)


def _entries(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the entries of a line for `value`. A mapping has an entry for each part, with the name of the part after
    `key`; any other value has a single entry."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _entries(f"{key} {name}".strip(), part)
    else:
        yield key, ", ".join(value) if isinstance(value, tuple | list) else str(value or "")


def _shapes(cards: CardSet, seats: Iterable[Chair]) -> Mapping[str, Any]:
    """Return the shape of each value that a line can contain, in the order of the line: an empty tuple for cards, 0 for
    a number, or a mapping of parts to such shapes."""
    lists, numbers = dict.fromkeys(SIDES, ()), dict.fromkeys(SIDES, 0)
    return {
        "points": dict.fromkeys(cards.row, lists),
        "hands": {seat: () for seat, _ in seats},
        "decks": dict.fromkeys(_DECKS, ()),
        **dict.fromkeys(("reserve", "graveyard", "captives"), lists),
        **dict.fromkeys(("discard", "box"), ()),
        **dict.fromkeys(("losses", "ok", "rd"), numbers),
    }


def _value(entries: dict[str, str], key: str, shape: Any) -> Any:
    """Remove the entries for `key` and its parts from `entries`, and return them as a value of the given shape. This is
    the inverse of `_entries`."""
    if isinstance(shape, Mapping):
        return {name: _value(entries, f"{key} {name}".strip(), inner) for name, inner in shape.items()}
    text = entries.pop(key, "")
    return _list(text) if shape == () else _number(text or "0")


def placed(text: str, war: State | None = None) -> State:
    """Return the state that the line `text` describes. If `war` is given, the state is a position in that war: the set,
    the seats, the limit and the seats that have left are taken from `war` if the line does not mention them.

    Raises GameError with one problem per line.
    """
    entries = dict(_parts(text))
    cards, pairs = _begun(entries, war)
    seats = seats_of(pairs)
    if seats is None:
        raise GameError("seats: these are pairs of a seat and its side, one to three for each side.")
    order = _list(entries.pop("order", "")) or [*interleave(seats, VPA)]
    following = entries.pop("next", order[0])
    data: dict[str, Any] = {
        "set": cards.id,
        "round": _number(entries.pop("round", "1")),
        "seats": pairs,
        "order": order,
        "next": order.index(following) if following in order else len(order) if following == _NONE else following,
        "row": _list(entries.pop("row", "")) or [*cards.row],
        "echo": _number(entries.pop("echo")) if entries.get("echo") else None,
        "limit": _number(entries.pop("limit")) if entries.get("limit") else war and war.limit,
        "winner": entries.pop("winner", "") or None,
        "standing": _standing(entries, seats),
    }
    if gone := _list(entries.pop("gone", ", ".join(war.gone) if war and seats == war.seats else "")):
        data["gone"] = gone
    data |= {key: _value(entries, _CALLED.get(key, key), shape) for key, shape in _shapes(cards, seats).items()}
    data["hands"] = {seat: _hand(hand, cards.orders) for seat, hand in data["hands"].items()}
    unknown = [f"{quote(key)}: this is nothing that a position says." for key in entries]
    if unknown:
        raise GameError("\n".join(unknown))
    return load(data, cards)


def _standing(entries: dict[str, str], seats: Iterable[Chair]) -> dict[str, dict[str, str]]:
    """Remove the standing orders from `entries`, and return them, keyed by seat and then by their own keys."""
    standing: dict[str, dict[str, str]] = {seat: {} for seat, _ in seats}
    for key in [key for key in entries if key.startswith("standing ")]:
        _, seat, rule = (*key.split(" ", 2), "")[:3]
        standing.setdefault(seat, {})[rule] = entries.pop(key)
    return standing


def _begun(entries: dict[str, str], war: State | None) -> tuple[CardSet, list[list[str]]]:
    """Remove the set and the seats from `entries`, and return them. If they are missing, those of `war` or the defaults
    are returned."""
    name, seats = entries.pop("set", war.cards.id if war else FIRST), entries.pop("seats", None)
    usual = [[*chair] for chair in war.seats] if war else [[side, side] for side in SIDES]
    pairs = usual if seats is None else [pair.split() for pair in _list(seats)]
    return war.cards if war and name == war.cards.id else find_set(name), pairs


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the value of each item in a line. Raises GameError if an item has no colon."""
    for part in filter(None, map(str.strip, text.split(";"))):
        key, colon, value = part.partition(":")
        if not colon:
            raise GameError(f"{quote(part)}: an item of a position is a word or two, a colon, and a value.")
        yield " ".join(key.split()), value.strip()


def _list(text: str) -> list[str]:
    return [part for part in map(str.strip, text.split(",")) if part]


def _number(text: str) -> int | str:
    """Convert `text` to a number if it consists of at most nine digits. Otherwise return `text` unchanged, so that
    `load` refuses it."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _hand(cards: list[str], orders: Any) -> dict[str, list[str]]:
    units = [card for card in cards if card not in orders]
    return {"units": units, "orders": [card for card in cards if card in orders]}
