"""A state from plain data, and everything that can be wrong with a position (§4, §11): all is told at once.

A position in one line is `round: 3; A vpa: Johnny; hand vpa: Attack, Doc; ok vpa: 1` (§12); what is empty, 0 or as
usual is left out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.games.base import Chair, GameError, Seat, Side
from pbem.games.kit.checking import MAX_NUMBER, Checker
from pbem.games.options import quote
from pbem.games.rocknroll.cardfile import FIRST, find_set, is_as_shipped, parse_set
from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, VPA, CardSet
from pbem.games.rocknroll.orders import Rule, is_standing
from pbem.games.rocknroll.rules import interleave
from pbem.games.rocknroll.state import DRAW, GONE, KEYS, Cards, Decks, Hand, State, dump

TWO_SEATS = tuple(Chair(side, side) for side in SIDES)
_TWO = [[side, side] for side in SIDES]
_KEYS = frozenset(KEYS)
_DECKS = (*SIDES, "orders")


def load(data: object, cards: CardSet | None = None) -> State:
    """A state of plain data, as `dump` writes it; its set is read, if it is not at hand.

    Raises GameError, every problem a line.
    """
    if not isinstance(data, dict):
        raise GameError("A position is an object.")
    if data.keys() != _KEYS and data.keys() != _KEYS | {GONE}:
        problems = [f"{key}: this is missing." for key in KEYS if key not in data]
        problems += [f"{quote(key)}: this is no key." for key in data if key not in _KEYS | {GONE}]
        raise GameError("\n".join(problems))
    if not isinstance(data["set"], str):
        raise GameError(f"set: this is a name or a path, not {quote(data['set'])}.")
    loader = _Loader(cards or find_set(data["set"]), data)
    state = loader.state()
    loader.finish()
    return state


def stored(state: State) -> dict[str, Any]:
    """A state as plain data to be kept; a set that is not shipped is written out, for its file may change or go, and
    the war goes on with the cards that it began with."""
    cards = state.cards
    if is_as_shipped(cards):
        return {**dump(state)}
    return {**dump(state), "set": {"name": cards.id, "file": cards.source}}


def restored(data: Mapping[str, Any]) -> State:
    """The inverse of `stored`."""
    card_set = data["set"]
    if isinstance(card_set, str):
        return load(data)
    return load({**data, "set": card_set["name"]}, parse_set(card_set["file"], card_set["name"]))


def seats_of(data: object) -> tuple[Chair, ...] | None:
    """Seats of plain data, `[["vpa", "vpa"], ...]`; None if a side has none, more than three or other names than those
    of §9."""
    if data == _TWO:
        return TWO_SEATS  # as most have
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


class _Loader(Checker):
    """Takes a position apart; what is wrong becomes a problem, and something harmless takes its place."""

    def __init__(self, cards: CardSet, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.cards, self.data = cards, data
        self._units: list[str] = []
        self._orders: list[str] = []

    def state(self) -> State:
        data, numbers = self.data, self.cards.numbers
        seats = seats_of(data["seats"])
        if seats is None:
            self.problems.append("seats: these are pairs of a seat and its side, one to three for each side.")
            seats = TWO_SEATS
        row = self.permutation("row", data["row"], self.cards.row)
        winner = self.one_of("winner", data["winner"], (None, *SIDES, DRAW))
        names = tuple(seat for seat, _ in seats)
        decks = self.parts("decks", data["decks"], _DECKS)
        units, cards = dict.fromkeys(SIDES, self.units), {"units": self.units, "orders": self.orders}
        state = State(
            cards=self.cards,
            round=self.number("round", data["round"], 1, MAX_NUMBER),
            seats=seats,
            order=self.permutation("order", data["order"], names),
            next=self.number("next", data["next"], 0, len(seats) - (winner is None)),
            row=row,
            points=self.read("points", dict.fromkeys(self.cards.row, units)),
            hands={seat: Hand(**hand) for seat, hand in self.read("hands", dict.fromkeys(names, cards)).items()},
            decks=Decks(
                {side: self.units(f"decks, {side}", decks[side]) for side in SIDES},
                self.orders("decks, orders", decks["orders"]),
            ),
            reserve=self.read("reserve", units),
            discard=self.orders("discard", data["discard"]),
            graveyard=self.read("graveyard", units),
            captives=self.read("captives", units),
            box=self.units("box", data["box"]),
            losses=self.read("losses", self.marks(numbers.loss_pair - 1)),
            ok=self.read("ok", self.marks(numbers.victory + (1 if winner else -1))),
            rd=self.read("rd", self.marks(numbers.rd_max if self.cards.switches.rd else 0)),
            echo=self.or_none("echo", data["echo"], 6 if self.cards.switches.echo else 0),
            standing=self.read("standing", dict.fromkeys(names, self.standing)),
            limit=self.or_none("limit", data["limit"], MAX_NUMBER),
            winner=winner,
            gone=self.gone(data.get(GONE, []), seats),
        )
        self.problems += self._doubled(state)
        return state

    def read(self, key: str, shape: Any) -> Any:
        """What the position says under a key."""
        return self.shaped(key, shape, self.data[key])

    def shaped(self, where: str, shape: Any, value: Any) -> Any:
        """An object of a shape, which has for each key another shape, or what reads its value."""
        if callable(shape):
            return shape(where, value)
        parts = self.parts(where, value, tuple(shape))
        return {key: self.shaped(f"{where}, {key}", inner, parts[key]) for key, inner in shape.items()}

    def marks(self, most: int) -> Mapping[Side, Callable[[str, Any], int]]:
        """The shape of a number for each side."""
        return dict.fromkeys(SIDES, lambda where, value: self.number(where, value, 0, most))

    # Plain values

    def gone(self, value: Any, seats: tuple[Chair, ...]) -> tuple[Seat, ...]:
        """Seats that play on no longer, as the seats are listed: one of each side at least does."""
        names = value if isinstance(value, list) else [None]
        gone = tuple(seat for seat, _ in seats if seat in names)
        if len(gone) != len(names) or len({side for seat, side in seats if seat not in gone}) < len(SIDES):
            self.problems.append(f"gone: these are seats of sides that others play on for, not {quote(value)}.")
            return ()
        return gone

    def or_none(self, where: str, value: Any, most: int) -> int | None:
        """A number from 1, or None."""
        if value is not None and not most:
            self.problems.append(f"{where}: a set of cards without its switch has none.")
            return None
        return None if value is None else self.number(where, value, 1, most)

    def parts(self, where: str, value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        """An object with exactly these keys, in this order."""
        if not isinstance(value, dict):
            self.problems.append(f"{where}: this is an object with {', '.join(keys)}.")
            return dict.fromkeys(keys)
        if len(value) == len(keys):
            try:
                return {key: value[key] for key in keys}
            except KeyError:
                pass  # another key than these
        self.problems.append(f"{where}: its keys are {', '.join(keys)}, not {', '.join(map(quote, value)) or 'none'}.")
        return {key: value.get(key) for key in keys}

    def permutation(self, where: str, value: Any, names: tuple[str, ...]) -> tuple[str, ...]:
        if (
            not isinstance(value, list)
            or not all(isinstance(name, str) for name in value)
            or sorted(value) != sorted(names)
        ):
            self.wrong(where, f"{', '.join(names)} in some order", value)
            return names
        return tuple(value)

    # Cards

    def cards_of(self, where: str, value: Any, by_name: Mapping[str, object], kind: str) -> Cards:
        if not isinstance(value, list):
            self.wrong(where, f"a list of {kind}s", value)
            return ()
        if not value:
            return ()  # as most are
        try:
            if by_name.keys() >= set(value):
                return tuple(value)
        except TypeError:
            pass  # some are lists or objects
        wrong = [entry for entry in value if not isinstance(entry, str) or entry not in by_name]
        self.problems += [f"{where}: {quote(entry)} is no {kind} of this set." for entry in wrong]
        return ()

    def units(self, where: str, value: Any) -> Cards:
        cards = self.cards_of(where, value, self.cards.units, "unit")
        self._units += cards
        return cards

    def orders(self, where: str, value: Any) -> Cards:
        cards = self.cards_of(where, value, self.cards.orders, "order")
        self._orders += cards
        return cards

    def standing(self, where: str, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            self.problems.append(f"{where}: this is an object, not {quote(value)}.")
            return {}
        for key, rule in value.items():
            if not isinstance(rule, str) or not is_standing(self.cards, Rule(key, rule)):
                line = f"{key}: {rule}"
                self.problems.append(f"{where}: {quote(line)} is no standing order.")
        return dict(value)

    def _doubled(self, state: State) -> Iterator[str]:
        """What there is more of than there can be."""
        if len(set(self._units)) < len(self._units):
            yield from (f"{unit} is in {n} places." for unit, n in Counter(self._units).items() if n > 1)
        for order, n in Counter(self._orders).items():
            if n > self.cards.orders[order].count:
                yield f"There are {n} of {order}, and the set has {self.cards.orders[order].count}."
        if any(state.graveyard.values()) and not self.cards.switches.graveyard:
            yield "graveyard: a set of cards without its switch has none."


_NONE = "none"  # next, when the last seat has played and the war is over
_CALLED = {"points": "", "hands": "hand", "decks": "deck"}
"""How the items of a line begin that are about the parts of something; of all else by its key in a state."""


def position(state: State) -> str:
    """A state in one line, which `placed` reads."""
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
    """The entries of a line that say a value; those of its parts have the names of the parts behind the key."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _entries(f"{key} {name}".strip(), part)
    else:
        yield key, ", ".join(value) if isinstance(value, tuple | list) else str(value or "")


def _shapes(cards: CardSet, seats: Iterable[Chair]) -> Mapping[str, Any]:
    """What a line says of lists of cards and of numbers, in its order: each an empty list or 0, or such parts."""
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
    """The inverse of `_entries`: the value of a shape that entries say of a key, and of those that begin with it; they
    are removed."""
    if isinstance(shape, Mapping):
        return {name: _value(entries, f"{key} {name}".strip(), inner) for name, inner in shape.items()}
    text = entries.pop(key, "")
    return _list(text) if shape == () else _number(text or "0")


def placed(text: str, war: State | None = None) -> State:
    """The state that a line says; what it does not say of set, seats, limit, and who is gone is as in a war whose
    position it is.

    Raises GameError, every problem a line.
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
    """The standing orders of all seats, whose entries are removed."""
    standing: dict[str, dict[str, str]] = {seat: {} for seat, _ in seats}
    for key in [key for key in entries if key.startswith("standing ")]:
        _, seat, rule = (*key.split(" ", 2), "")[:3]
        standing.setdefault(seat, {})[rule] = entries.pop(key)
    return standing


def _begun(entries: dict[str, str], war: State | None) -> tuple[CardSet, list[list[str]]]:
    """The set and the seats of a position."""
    name, seats = entries.pop("set", war.cards.id if war else FIRST), entries.pop("seats", None)
    usual = [[*chair] for chair in war.seats] if war else [[side, side] for side in SIDES]
    pairs = usual if seats is None else [pair.split() for pair in _list(seats)]
    return war.cards if war and name == war.cards.id else find_set(name), pairs


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The items of a line: a key, and what is said of it."""
    for part in filter(None, map(str.strip, text.split(";"))):
        key, colon, value = part.partition(":")
        if not colon:
            raise GameError(f"{quote(part)}: an item of a position is a word or two, a colon, and a value.")
        yield " ".join(key.split()), value.strip()


def _list(text: str) -> list[str]:
    return [part for part in map(str.strip, text.split(",")) if part]


def _number(text: str) -> int | str:
    """A number; anything else is left for `load` to refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _hand(cards: list[str], orders: Any) -> dict[str, list[str]]:
    units = [card for card in cards if card not in orders]
    return {"units": units, "orders": [card for card in cards if card in orders]}
