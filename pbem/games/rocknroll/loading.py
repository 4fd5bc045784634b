"""A state from plain data, and everything that can be wrong with a position (rnr §4, §11): all is told at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.base import Chair, GameError, Seat, Side
from pbem.games.kit.checking import MAX_NUMBER, Checker
from pbem.games.options import quote
from pbem.games.rocknroll.cardfile import SHIPPED, find_set, parse_set
from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, CardSet
from pbem.games.rocknroll.orders import Rule, is_standing
from pbem.games.rocknroll.state import DRAW, GONE, KEYS, Cards, Decks, Hand, State, dump

TWO_SEATS = tuple(Chair(side, side) for side in SIDES)
_TWO = [[side, side] for side in SIDES]
_KEYS = frozenset(KEYS)
_NO_CARDS: dict[Side, list[str]] = {side: [] for side in SIDES}
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
    if cards.id in SHIPPED and find_set(cards.id).source == cards.source:
        return {**dump(state)}
    return {**dump(state), "set": {"name": cards.id, "file": cards.source}}


def restored(data: Mapping[str, Any]) -> State:
    """The inverse of `stored`."""
    kept = data["set"]
    if isinstance(kept, str):
        return load(data)
    return load({**data, "set": kept["name"]}, parse_set(kept["file"], kept["name"]))


def seats_of(data: object) -> tuple[Chair, ...] | None:
    """Seats of plain data, `[["vpa", "vpa"], ...]`; None if a side has none, more than three or other names than those
    of rnr §9."""
    if data == _TWO:
        return TWO_SEATS  # as most have
    pairs = data if isinstance(data, list | tuple) else ()
    chairs = tuple(Chair(*one) for one in pairs if isinstance(one, list | tuple) and len(one) == len(SIDES))
    called: list[Any] = []
    for side in SIDES:
        number = sum(one.side == side for one in chairs)
        if not 0 < number <= MOST_SEATS:
            return None
        names = [side] if number == 1 else [f"{side}{at}" for at in range(1, number + 1)]
        if [one.seat for one in chairs if one.side == side] != names:
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
        data = self.data
        seats = seats_of(data["seats"])
        if seats is None:
            self.problems.append("seats: these are pairs of a seat and its side, one to three for each side.")
            seats = TWO_SEATS
        row = self.permutation("row", data["row"], self.cards.row)
        winner = self.one_of("winner", data["winner"], (None, *SIDES, DRAW))
        names = tuple(seat for seat, _ in seats)
        decks = self.parts("decks", data["decks"], _DECKS)
        found = State(
            cards=self.cards,
            round=self.number("round", data["round"], 1, MAX_NUMBER),
            seats=seats,
            order=self.permutation("order", data["order"], names),
            next=self.number("next", data["next"], 0, len(seats) - (winner is None)),
            row=row,
            points=self.points(),
            hands={seat: self.hand(seat, hand) for seat, hand in self.parts("hands", data["hands"], names).items()},
            decks=Decks({side: self.units(f"decks, {side}", decks[side]) for side in SIDES}, self.drawn(decks)),
            reserve=self.sides("reserve", data["reserve"]),
            discard=self.orders("discard", data["discard"]),
            graveyard=self.sides("graveyard", data["graveyard"]),
            captives=self.sides("captives", data["captives"]),
            box=self.units("box", data["box"]),
            losses=self.numbers("losses", self.cards.numbers.loss_pair - 1),
            ok=self.numbers("ok", self.cards.numbers.victory + (1 if winner else -1)),
            rd=self.numbers("rd", self.cards.numbers.rd_max if self.cards.switches.rd else 0),
            echo=self.or_none("echo", data["echo"], 6 if self.cards.switches.echo else 0),
            standing={
                seat: self.standing(seat, rules)
                for seat, rules in self.parts("standing", data["standing"], names).items()
            },
            limit=self.or_none("limit", data["limit"], MAX_NUMBER),
            winner=winner,
            gone=self.gone(data.get(GONE, []), seats),
        )
        self.problems += self._doubled(found)
        return found

    def points(self) -> dict[str, dict[Side, tuple[str, ...]]]:
        found = self.parts("points", self.data["points"], self.cards.row)
        return {point: self.sides(f"points, {point}", sides) for point, sides in found.items()}

    # Plain values

    def gone(self, value: Any, seats: tuple[Chair, ...]) -> tuple[Seat, ...]:
        """Seats that play on no longer, as the seats are listed: one of each side at least does."""
        names = value if isinstance(value, list) else [None]
        left = tuple(seat for seat, _ in seats if seat in names)
        if len(left) != len(names) or len({side for seat, side in seats if seat not in left}) < len(SIDES):
            self.problems.append(f"gone: these are seats of sides that others play on for, not {quote(value)}.")
            return ()
        return left

    def or_none(self, where: str, value: Any, most: int) -> int | None:
        """A number from 1, or None."""
        if value is not None and not most:
            self.problems.append(f"{where}: a set of cards without its switch has none.")
            return None
        return None if value is None else self.number(where, value, 1, most)

    def numbers(self, key: str, most: int) -> dict[Side, int]:
        values = self.parts(key, self.data[key], SIDES)
        return {side: self.number(f"{key}, {side}", values[side], 0, most) for side in SIDES}

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
            or not all(isinstance(one, str) for one in value)
            or sorted(value) != sorted(names)
        ):
            self.wrong(where, f"{', '.join(names)} in some order", value)
            return names
        return tuple(value)

    # Cards

    def cards_of(self, where: str, value: Any, known: Mapping[str, object], kind: str) -> Cards:
        if not isinstance(value, list):
            self.wrong(where, f"a list of {kind}s", value)
            return ()
        if not value:
            return ()  # as most are
        try:
            if known.keys() >= set(value):
                return tuple(value)
        except TypeError:
            pass  # some are lists or objects
        wrong = [one for one in value if not isinstance(one, str) or one not in known]
        self.problems += [f"{where}: {quote(one)} is no {kind} of this set." for one in wrong]
        return ()

    def units(self, where: str, value: Any) -> Cards:
        found = self.cards_of(where, value, self.cards.units, "unit")
        self._units += found
        return found

    def orders(self, where: str, value: Any) -> Cards:
        found = self.cards_of(where, value, self.cards.orders, "order")
        self._orders += found
        return found

    def drawn(self, decks: Mapping[str, Any]) -> Cards:
        return self.orders("decks, orders", decks["orders"])

    def sides(self, where: str, value: Any) -> dict[Side, Cards]:
        if value == _NO_CARDS:
            return dict.fromkeys(SIDES, ())  # as most are
        parts = self.parts(where, value, SIDES)
        return {side: self.units(f"{where}, {side}", parts[side]) for side in SIDES}

    def hand(self, seat: Seat, value: Any) -> Hand:
        where = f"hands, {seat}"
        parts = self.parts(where, value, ("units", "orders"))
        return Hand(self.units(f"{where}, units", parts["units"]), self.orders(f"{where}, orders", parts["orders"]))

    def standing(self, seat: Seat, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            self.problems.append(f"standing, {seat}: this is an object, not {quote(value)}.")
            return {}
        for key, rule in value.items():
            if not isinstance(rule, str) or not is_standing(self.cards, Rule(key, rule)):
                said = f"{key}: {rule}"
                self.problems.append(f"standing, {seat}: {quote(said)} is no standing order.")
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
