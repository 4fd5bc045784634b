"""A state from plain data, and everything that can be wrong with a position (ozz §18): all is told at once.

Keys that are missing have their defaults; counters on the board that are not in `units` are supplied.
"""

from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.games.base import GameError, Seat
from pbem.games.options import quote
from pbem.games.ozz.data import Card, Data
from pbem.games.ozz.house import SHIPPED, find_data, read_data
from pbem.games.ozz.loading_battle import load_battle
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import Codes, Fly, Move, Orders
from pbem.games.ozz.plain import Plain
from pbem.games.ozz.state import KEYS, MERCENARIES, Battle, Counter, MapBell, Outcome, Queue, State, dump, home_towns
from pbem.games.ozz.table import can_carry

REASONS = ("castle", "points", "alone", "field", "strength")
_PHASES = ("orders", "battle", "over")
_KEYS = frozenset(KEYS)
_COUNTER = frozenset(("seat", "at", "done"))
_BELL = frozenset(("seat", "at", "carrier"))
_QUEUE = frozenset(("seats", "letters", "todo"))


def load(position: object, data: Data | None = None) -> State:
    """A state of plain data; the shipped data set, if no other is given. Raises GameError, every problem a line."""
    if not isinstance(position, dict):
        raise GameError("A position is an object.")
    loader = Loader(data or find_data(SHIPPED), position)
    state = loader.state()
    loader.finish()
    return state


def stored(state: State) -> dict[str, Any]:
    """A state as plain data to be kept; a data set that is not shipped is written out, for its files may change or go,
    and the match goes on with what it began with."""
    data = state.data
    kept = data.name if data.name == SHIPPED else {"name": data.name, "files": {**data.source}}
    return {**dump(state), "data": kept, "resigned": [*state.resigned]}


def restored(kept: Mapping[str, Any]) -> State:
    """The inverse of `stored`."""
    position = {**kept}
    data, resigned = position.pop("data", SHIPPED), position.pop("resigned", ())
    state = load(position, find_data(data) if isinstance(data, str) else read_data(data["files"], data["name"]))
    return replace(state, resigned=tuple(resigned))


def seats_of(data: Data, scenario: str) -> tuple[Seat, ...]:
    """The seats that a scenario has if nobody says otherwise, in seat order."""
    found = data.scenarios[scenario]
    names = found["seats"] if found["kind"] == "campaign" else (found["attacker"], found["defender"])
    return tuple(seat for seat in data.nations if seat in names)


def known_spells(card: Card) -> Codes:
    """The spells that are printed of a leader; those that are drawn at the set-up are not."""
    return tuple(spell for spell in card.spells if spell != "?")


class Loader(Plain):
    """Takes a position apart."""

    def state(self) -> State:
        given, data = self.position, self.data
        self.object("the position", given, _KEYS)
        scenario = self.one_of("scenario", given.get("scenario", next(iter(data.scenarios))), data.scenarios)
        self.skirmish = data.scenarios[scenario]["kind"] == "skirmish"
        self.seats = self._seats(given["seats"]) if "seats" in given else seats_of(data, scenario)
        chosen = self.object("options", given.get("options", {}), ("battles", "turns", "switches"))
        options = self.options(chosen, skirmish=self.skirmish)
        battle = None
        if given.get("battle") is not None:
            battle = load_battle(self, given["battle"], data.scenarios[scenario], options.switches)
        units = self._units(given.get("units", {}), battle)
        pools = self._pools(given.get("pools", {}))
        result = self._result(given.get("result"))
        found = State(
            data=data,
            scenario=scenario,
            seats=self.seats,
            options=options,
            turn=self.number("turn", given.get("turn", battle.turn if battle and self.skirmish else 1), 1),
            phase=self.one_of(
                "phase", given.get("phase", "over" if result else "battle" if battle else "orders"), _PHASES
            ),
            units=units,
            control=self._control(given.get("control", {})),
            razed=self._razed(given.get("razed", {})),
            pools=pools,
            fallen=self._fallen(given.get("fallen", {})),
            spells=self._spells(
                given.get("spells", {}), (*units, *(code for codes in pools.values() for code in codes))
            ),
            bell=self._bell(given["bell"], units) if given.get("bell") is not None else None,
            queue=self._queue(given.get("queue"), battle),
            battle=battle,
            result=result,
        )
        self.problems += _conflicts(found)
        return found

    # What was chosen

    def _seats(self, value: Any) -> tuple[Seat, ...]:
        most = 2 if self.skirmish else len(self.data.nations)
        names = self.list("seats", value, lambda where, one: one if isinstance(one, str) else repr(one))
        if not (set(names) <= {*self.data.nations} and len(names) == len(set(names)) and 2 <= len(names) <= most):
            kinds = "two" if most == 2 else f"two to {most}"
            self.problem("seats", f"these are {kinds} of {', '.join(self.data.nations)}, not {quote(value)}.")
            return self.data.nations[:most]
        return tuple(seat for seat in self.data.nations if seat in names)

    # The map

    def _units(self, value: Any, battle: Battle | None) -> dict[str, Counter]:
        found: dict[str, Counter] = {}
        for code, given in self.object("units", value).items():
            if usual := self._usual(code, given):
                found[code] = usual
                continue
            if self.counter("units", code) is None:
                continue
            card, where = self.data.counters[code], f"units, {code}"
            if card.intrinsic:
                self.problem(where, "intrinsic units are in no place of the map.")
                continue
            one = self.object(where, given, _COUNTER)
            seat = self.owner(where, card, one)
            at = one.get("at") if self.skirmish and one.get("at") is None else self.point(where, one.get("at"))
            done = one.get("done", False)
            found[code] = Counter(seat, at, done if done is False else self.truth(where, done))
        return self._supplied(found, battle) if battle else found

    def _usual(self, code: str, given: Any) -> Counter | None:
        """A counter as `dump` writes it, if nothing is wrong with it: most are, and one look is quicker than many."""
        if type(given) is not dict or len(given) != len(_COUNTER):
            return None
        seat, at, done, card = given.get("seat"), given.get("at"), given.get("done"), self.data.counters.get(code)
        if type(seat) is not str or seat not in self.seats or type(at) is not str or at not in self.data.points:
            return None
        if type(done) is not bool or card is None or card.intrinsic or card.kind == "bell":
            return None
        return Counter(seat, at, done) if card.nation in (None, seat) else None

    def _supplied(self, units: dict[str, Counter], battle: Battle) -> dict[str, Counter]:
        """Units with those on the board, and those who have left it."""
        there = {code: one.seat for code, one in battle.units.items() if not self.data.counters[code].intrinsic}
        there |= {code: seat for seat, codes in battle.left.items() for code in codes}
        for code, seat in there.items():
            given = units.setdefault(code, Counter(seat, battle.at, done=seat == battle.attacker))
            if (given.seat, given.at) != (seat, battle.at):
                self.problem(f"units, {code}", "the battle has this counter elsewhere, or of another nation.")
        for code, given in units.items():
            if given.at == battle.at and code not in there:
                self.problem(f"units, {code}", "this counter is where the battle is, and not in it.")
        return units

    def _control(self, value: Any) -> dict[str, Seat | None]:
        given = self.object("control", value, self.data.towns)
        if self.skirmish:
            return {}
        homes, found = home_towns(self.data, self.seats), dict[str, Seat | None]()
        for town in self.data.towns:
            seat = given.get(town, homes[town])
            found[town] = None if seat is None else self.seat(f"control, {town}", seat)
        return found

    def _razed(self, value: Any) -> dict[str, Seat]:
        found = {}
        for point, seat in self.object("razed", value).items():
            if self.point("razed", point) and not self.data.points[point].center:
                self.problem("razed", f"{point} is no Fortified Center.")
            found[point] = self.seat(f"razed, {quote(point)}", seat)
        return found

    def _pools(self, value: Any) -> dict[str, Codes]:
        owners = () if self.skirmish else (*self.seats, MERCENARIES)
        given = self.object("pools", value, owners)
        return {owner: self.list(f"pools, {owner}", given.get(owner, []), self._pooled) for owner in owners}

    def _pooled(self, where: str, value: Any) -> str | None:
        code = self.counter(where, value)
        if code is None:
            return None
        card = self.data.counters[code]
        owner = MERCENARIES if card.mercenary else card.nation
        if card.reserve or card.intrinsic or where != f"pools, {owner}":
            self.problem(where, f"{code} is not of this pool.")
        return code

    def _fallen(self, value: Any) -> dict[str, int]:
        found = {}
        for code, turn in self.object("fallen", value).items():
            if self.leader("fallen", code) and self.data.counters[code].kind != "ruler":
                self.problem("fallen", f"{code} is no Ruler.")
            found[code] = self.number(f"fallen, {quote(code)}", turn, 1)
        return found

    def _spells(self, value: Any, codes: Codes) -> dict[str, Codes]:
        """The spells of those who are named, and of all leaders among some counters."""
        found = {}
        for code, spells in self.object("spells", value).items():
            if self.leader("spells", code):
                found[code] = self.list(f"spells, {code}", spells, self.spell)
        cards = self.data.counters
        return {code: found.get(code) or known_spells(cards[code]) for code in codes if cards[code].leader} | found

    def _bell(self, value: Any, units: Mapping[str, Counter]) -> MapBell:
        given = self.object("bell", value, _BELL)
        seat, at, carrier = self.seat("bell", given.get("seat")), given.get("at"), given.get("carrier")
        if not (self.skirmish and at is None):
            self.point("bell", at)
        if carrier is not None and self.counter("bell", carrier):
            one = units.get(carrier)
            if one is None or (one.seat, one.at) != (seat, at) or not can_carry(self.data.counters[carrier]):
                self.problem("bell", f"{carrier} is not with the Bell, or cannot carry it.")
        return MapBell(seat, at, carrier)

    # What waits

    def _queue(self, value: Any, battle: Battle | None) -> Queue | None:
        if value is None:
            waits = battle is not None and not self.skirmish
            return Queue(self.seats, dict.fromkeys(self.seats), ()) if waits else None
        given = self.object("queue", value, _QUEUE)
        seats = self.list("queue, seats", given.get("seats", [*self.seats]), self.seat)
        letters = {
            seat: self._letter(f"queue, letters, {quote(seat)}", text)
            for seat, text in self.object("queue, letters", given.get("letters", {}), self.seats).items()
        }
        moves = {seat: _number_of_moves(letter) for seat, letter in letters.items()}
        todo = self.list("queue, todo", given.get("todo", []), self._pair)
        for seat, number in todo:
            if not 0 <= number < moves.get(seat, 0):
                self.problem("queue, todo", f"{seat} has no move {number}.")
        if len(set(seats)) < len(seats):
            self.problem("queue, seats", "one of them is there twice.")
        return Queue(seats, letters, todo)

    def _letter(self, where: str, value: Any) -> Orders | None:
        if value is None:
            return None
        orders = read_canonical(self.data, value) if isinstance(value, str) else None
        if orders is None or not all(self._is_way(one.way) for one in orders.items if isinstance(one, Move | Fly)):
            self.problem(where, f"this is no letter in canonical form: {quote(value)}.")
            return None
        return orders

    def _is_way(self, way: Codes) -> bool:
        return len(way) > 1 and all(point in self.data.points for point in way)

    def _pair(self, where: str, value: Any) -> tuple[Seat, int] | None:
        if not isinstance(value, list) or len(value) != 2:
            self.problem(where, f"this is a nation and a number, not {quote(value)}.")
            return None
        return self.seat(where, value[0]), self.number(where, value[1], 0)

    def _result(self, value: Any) -> Outcome | None:
        if value is None:
            return None
        given = self.object("result", value, ("winner", "reason"))
        winner = given.get("winner")
        if winner is not None:
            winner = self.seat("result", winner)
        return Outcome(winner, self.one_of("result, reason", given.get("reason"), REASONS))


def _number_of_moves(letter: Orders | None) -> int:
    return sum(isinstance(item, Move | Fly) for item in letter.items) if letter else 0


def _conflicts(state: State) -> Iterator[str]:
    """What cannot be at the same time."""
    battle, skirmish = state.battle, state.data.scenarios[state.scenario]["kind"] == "skirmish"
    if (state.phase == "over") != (state.result is not None):
        yield "phase: a game is over when it has a result."
    if (battle is None) == (state.phase == "battle" or skirmish) or (battle and state.phase == "orders"):
        yield f"phase: {state.phase!r} does not go with {'a' if battle else 'no'} battle."
    if state.queue and (state.phase != "battle" or skirmish):
        yield "queue: only a battle of a campaign keeps moves waiting."
    if state.bell and battle and battle.bell:
        yield "bell: it is on the map, or else on the board."
    places = (*state.units, *state.fallen, *(code for codes in state.pools.values() for code in codes))
    if len(set(places)) < len(places):
        yield from (f"{code} is in {number} places." for code, number in Tally(places).items() if number > 1)
    yield from _shared_points(state, battle.at if battle else None)


def _shared_points(state: State, battle_at: str | None) -> Iterator[str]:
    """Points with counters of two nations, or with another nation's intrinsic strength."""
    holders: dict[str, Seat] = {}
    for code, one in state.units.items():
        if one.at is None or one.at == battle_at:
            continue
        if holders.setdefault(one.at, one.seat) != one.seat:
            yield f"units, {code}: {one.at} has counters of two nations."
    for at, seat in holders.items():
        point = state.data.points[at]
        if point.center and point.nation in state.seats and point.nation != seat and at not in state.razed:
            yield f"units: {at} is a standing Fortified Center of the {point.nation}."
