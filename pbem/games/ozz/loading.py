"""A state from plain data, and everything that can be wrong with a position (ozz §18): all is told at once.

Keys that are missing have their defaults; counters on the board that are not in `units` are supplied.
"""

from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from pbem.games.base import GameError, Seat
from pbem.games.kit.checking import Checker
from pbem.games.options import quote
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.data import BELL, Card, Data, Switches
from pbem.games.ozz.house import FIRST, find_data, is_shipped, read_data
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import OFF, Codes, Fly, Move, Orders
from pbem.games.ozz.state import (
    KEYS,
    MERCENARIES,
    Battle,
    Battles,
    BoardBell,
    Counter,
    Fighter,
    MapBell,
    Marker,
    Options,
    Outcome,
    Plan,
    Queue,
    State,
    dump,
    home_towns,
    plain_switches,
)
from pbem.games.ozz.table import can_carry

REASONS = ("castle", "points", "alone", "field", "strength")
MAX_TURNS = 999
BATTLES: tuple[Battles, ...] = get_args(Battles)
_PHASES = ("orders", "battle", "over")
_KEYS = frozenset(KEYS)
_COUNTER = frozenset(("seat", "at", "done"))
_BELL = frozenset(("seat", "at", "carrier"))
_QUEUE = frozenset(("seats", "letters", "todo"))
_BATTLE = frozenset((
    "at", "origin", "terrain", "walls", "fort", "turn", "attacker", "defender", "units", "spells", "cast", "raised",
    "exit", "left", "bell", "fast", "plans",
))  # fmt: skip
_FIGHTER = frozenset(("seat", "space", "group", "spent"))
_MARKER = frozenset(("spell", "by", "on"))
_PLAN = frozenset(("orders", "turn", "rounds", "units"))
_BOARD_BELL = frozenset(("seat", "space", "carrier", "silent"))
_TURN = 2  # of a position that does not say: everybody is deployed


def load(position: object, data: Data | None = None) -> State:
    """A state of plain data; the first data set, if no other is given. Raises GameError, every problem a line."""
    if not isinstance(position, dict):
        raise GameError("A position is an object.")
    loader = Loader(data or find_data(FIRST), position)
    state = loader.state()
    loader.finish()
    return state


def stored(state: State) -> dict[str, Any]:
    """A state as plain data to be kept; a data set that is not shipped is written out, for its files may change or go,
    and the match goes on with what it began with."""
    data = state.data
    kept = data.name if is_shipped(data.name) else {"name": data.name, "files": {**data.source}}
    return {**dump(state), "data": kept, "resigned": [*state.resigned]}


def restored(kept: Mapping[str, Any]) -> State:
    """The inverse of `stored`."""
    position = {**kept}
    data, resigned = position.pop("data", FIRST), position.pop("resigned", ())
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


class Loader(Checker):
    """Takes a position apart, by a data set; what is chosen of a match alone, too. `skirmish`: it has no map."""

    def __init__(self, data: Data, position: Mapping[str, Any] = {}) -> None:
        super().__init__()
        self.data, self.position = data, position
        self.seats: tuple[Seat, ...] = ()
        self.skirmish = False

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
            loader = _BattleLoader(self, data.scenarios[scenario], options.switches)
            battle = loader.battle(self.object("battle", given["battle"], _BATTLE))
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

    # Names of the data set

    def seat(self, where: str, value: Any) -> Seat:
        """A nation in play."""
        if not isinstance(value, str) or value not in self.seats:
            self.problem(where, f"{quote(value)} is no nation in play.")
            return self.seats[0]
        return value

    def point(self, where: str, value: Any) -> str | None:
        if not isinstance(value, str) or value not in self.data.points:
            self.problem(where, f"there is no point {quote(value)}.")
            return None
        return value

    def counter(self, where: str, value: Any) -> str | None:
        """The code of a unit or leader, intrinsic or not."""
        if not isinstance(value, str) or value not in self.data.counters or value == BELL:
            self.problem(where, f"there is no counter {quote(value)}.")
            return None
        return value

    def leader(self, where: str, value: Any) -> str | None:
        code = self.counter(where, value)
        if code and not self.data.counters[code].leader:
            self.problem(where, f"{code} is no leader.")
            return None
        return code

    def spell(self, where: str, value: Any) -> str | None:
        if not isinstance(value, str) or value not in self.data.spells:
            self.problem(where, f"there is no spell {quote(value)}.")
            return None
        return value

    def owner(self, where: str, card: Card, given: Mapping[str, Any], default: Seat | None = None) -> Seat:
        """Whose a counter is: a nation's own is its nation's."""
        seat = self.seat(where, given.get("seat", card.nation or default))
        if card.nation not in (None, seat) and card.nation in self.seats:
            self.problem(where, f"{card.code} is of the {card.nation}.")
        return seat

    # What is chosen of a match

    def options(self, given: Mapping[str, Any], *, skirmish: bool) -> Options:
        """Battles, turns and switches; what is not said is as usual."""
        battles = self.one_of("battles", given.get("battles", "board" if skirmish else "fast"), BATTLES)
        turns = self.number("turns", given.get("turns", self.data.values["turns"]), 1, MAX_TURNS)
        return Options(battles, turns, self._switches(given.get("switches", {})))

    def _switches(self, value: Any) -> Switches:
        usual = plain_switches(self.data.switches)
        if value == usual:
            return self.data.switches
        given = self.object("switches", value, usual)
        found: dict[str, Any] = {}
        for key in usual:
            if key in given and key == "dissipation":
                found[key] = self.number("switches, dissipation", given[key], 0, 3)
            elif key in given:
                found[key] = self.truth(f"switches, {key}", given[key])
        return replace(self.data.switches, **found)

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


class _BattleLoader:
    """Takes a battle apart."""

    def __init__(self, loader: Loader, scenario: Mapping[str, Any], switches: Switches) -> None:
        self.plain, self.scenario, self.switches = loader, scenario, switches
        self.data, self.skirmish = loader.data, loader.skirmish
        self.spaces = grid_of(loader.data).spaces
        self.sides: tuple[Seat, Seat] = loader.seats[:2]  # type: ignore[assignment]

    def battle(self, given: Mapping[str, Any]) -> Battle:
        plain = self.plain
        attacker = plain.seat("battle, attacker", given.get("attacker", plain.seats[0]))
        defender = plain.seat("battle, defender", given.get("defender", plain.seats[1]))
        if attacker == defender:
            plain.problem("battle", "attacker and defender are two nations.")
        self.sides = attacker, defender
        at, origin = (self._point(f"battle, {key}", given.get(key), needed=key == "at") for key in ("at", "origin"))
        turn = plain.number("battle, turn", given.get("turn", _TURN), 1, self.data.values["battle_turns"])
        units = self._fighters(given.get("units", {}), turn)
        walls = plain.number("battle, walls", given.get("walls", 0), 0, 2)
        usual = self.data.points[at].terrain if at else self.scenario.get("terrain", "open")
        terrains = dict.fromkeys((usual, *(point.terrain for point in self.data.points.values())))
        found = Battle(
            at=at,
            origin=origin,
            terrain=plain.one_of("battle, terrain", given.get("terrain", usual), terrains),
            walls=walls if self.switches.walls else 0,
            fort=plain.truth(
                "battle, fort", given.get("fort", any(self.data.counters[one].intrinsic for one in units))
            ),
            turn=turn,
            attacker=attacker,
            defender=defender,
            units=units,
            spells=plain.list("battle, spells", given.get("spells", []), self._marker),
            cast=plain.list("battle, cast", given.get("cast", []), self._cast),
            raised=plain.list("battle, raised", given.get("raised", []), plain.counter),
            exit=self._exit(given.get("exit", {})),
            left=self._left(given.get("left", {})),
            bell=self._bell(given["bell"], units, turn) if given.get("bell") is not None else None,
            fast=plain.list("battle, fast", given.get("fast", []), self._side),
            plans={
                self._side("battle, plans", seat): self._plan(f"battle, plans, {seat}", plan)
                for seat, plan in plain.object("battle, plans", given.get("plans", {})).items()
            },
        )
        self._check_markers(found)
        self._check_places(found)
        return found

    def _point(self, where: str, value: Any, *, needed: bool) -> str | None:
        if value is None and (self.skirmish or not needed):
            return None
        if self.skirmish:
            self.plain.problem(where, "a skirmish is nowhere on the map.")
        return self.plain.point(where, value)

    def _side(self, where: str, value: Any) -> Seat:
        seat = self.plain.seat(where, value)
        if seat not in self.sides:
            self.plain.problem(where, f"the {seat} are not in the battle.")
            return self.sides[0]
        return seat

    def _plan(self, where: str, value: Any) -> Plan | None:
        if value is None:
            return None
        given, most = self.plain.object(where, value, _PLAN), self.data.values["battle_turns"]
        orders = read_canonical(self.data, given["orders"]) if isinstance(given.get("orders"), str) else None
        if orders is None:
            self.plain.problem(where, f"these are no orders: {quote(given.get('orders'))}.")
        turn, rounds = (self.plain.number(where, given.get(key, 1), 1, most) for key in ("turn", "rounds"))
        return Plan(orders or Orders(), turn, rounds, self.plain.number(where, given.get("units", 0), 0))

    # Who is there

    def _fighters(self, value: Any, turn: int) -> dict[str, Fighter]:
        found: dict[str, Fighter] = {}
        for code, one in self.plain.object("battle, units", value).items():
            if self.plain.counter("battle, units", code):
                found[code] = self._fighter(code, self.plain.object(f"battle, units, {code}", one, _FIGHTER), turn)
        for code, fighter in found.items():
            if fighter.group is not None:
                self._check_group(code, fighter, found)
        sizes = Tally(one.group for one in found.values() if one.group)
        most = self.data.values["group_max"]
        for leader, number in sizes.items():
            if number > most:
                self.plain.problem(f"battle, units, {leader}", f"a group has {most} units at most.")
        return found

    def _fighter(self, code: str, given: Mapping[str, Any], turn: int) -> Fighter:
        card, where = self.data.counters[code], f"battle, units, {code}"
        seat = self.plain.owner(where, card, given, self._usual_owner(code))
        if seat not in self.sides or (card.intrinsic and seat != self.sides[1]):
            self.plain.problem(where, f"{code} cannot be of the {seat} here.")
        space, group, spent = given.get("space"), given.get("group"), given.get("spent", False)
        if (space is not None or turn > 1) and space not in self.spaces:
            self.plain.problem(where, f"there is no space {quote(space)}.")
            space = None
        if not isinstance(group, str | None):
            self.plain.problem(where, f"there is no group {quote(group)}.")
            group = None
        if self.plain.truth(where, spent) and card.kind != "cavalry":
            self.plain.problem(where, "only cavalry is spent.")
        return Fighter(seat, space, group, spent is True)

    def _usual_owner(self, code: str) -> Seat | None:
        """Whose a counter of no nation is, if it is not said: walls are the defender's, others as on the map."""
        if self.data.counters[code].intrinsic:
            return self.sides[1]
        units = self.plain.position.get("units")
        on_map = units.get(code) if isinstance(units, dict) else None
        return on_map.get("seat") if isinstance(on_map, dict) else None

    def _check_group(self, code: str, one: Fighter, fighters: Mapping[str, Fighter]) -> None:
        where, card = f"battle, units, {code}", self.data.counters[code]
        leader = fighters.get(one.group) if isinstance(one.group, str) else None
        if leader is None or self.data.counters[one.group or ""].kind not in ("ruler", "hero"):
            self.plain.problem(where, f"{quote(one.group)} leads no group here.")
        elif (leader.seat, leader.space) != (one.seat, one.space):
            self.plain.problem(where, f"its leader {one.group} is elsewhere.")
        elif card.leader or card.intrinsic:
            self.plain.problem(where, f"{code} is in no group.")

    def _left(self, value: Any) -> dict[Seat, Codes]:
        given = self.plain.object("battle, left", value, self.sides)
        return {
            seat: self.plain.list(f"battle, left, {seat}", given.get(seat, []), self.plain.counter)
            for seat in self.sides
        }

    def _exit(self, value: Any) -> dict[Seat, str]:
        found: dict[Seat, str] = {}
        for key, point in self.plain.object("battle, exit", value).items():
            seat = self._side("battle, exit", key)
            if self.skirmish:
                found[seat] = self.plain.one_of("battle, exit", point, (OFF,))
            else:
                found[seat] = self.plain.point("battle, exit", point) or ""
        return found

    def _check_places(self, battle: Battle) -> None:
        """Nobody is on the board and off it, and who has left goes somewhere."""
        gone = [code for codes in battle.left.values() for code in codes]
        for code in gone:
            if code in battle.units or gone.count(code) > 1 or self.data.counters[code].intrinsic:
                self.plain.problem("battle, left", f"{code} cannot be there.")
        for seat, codes in battle.left.items():
            if codes and seat not in battle.exit:
                self.plain.problem("battle, exit", f"some of the {seat} have left, and go nowhere.")
        if len(set(battle.raised)) < len(battle.raised):
            self.plain.problem("battle, raised", "one of them is there twice.")

    # Spells and the Bell

    def _marker(self, where: str, value: Any) -> Marker | None:
        given = self.plain.object(where, value, _MARKER)
        spell, by = self.plain.spell(where, given.get("spell")), self.plain.leader(where, given.get("by"))
        return Marker(spell, by, given.get("on")) if spell and by else None

    def _cast(self, where: str, value: Any) -> tuple[str, str] | None:
        if not isinstance(value, list) or len(value) != 2:
            self.plain.problem(where, f"this is a leader and a spell, not {quote(value)}.")
            return None
        by, spell = self.plain.leader(where, value[0]), self.plain.spell(where, value[1])
        return (by, spell) if by and spell else None

    def _check_markers(self, battle: Battle) -> None:
        targets = {code for code in battle.units if not self.data.counters[code].leader}
        targets |= {BELL} if battle.bell else set()
        for one in battle.spells:
            if one.on is not None and not (isinstance(one.on, str) and one.on in targets):
                self.plain.problem("battle, spells", f"{quote(one.on)} is not on the board.")

    def _bell(self, value: Any, units: Mapping[str, Fighter], turn: int) -> BoardBell:
        given, where = self.plain.object("battle, bell", value, _BOARD_BELL), "battle, bell"
        seat, space, carrier = self._side(where, given.get("seat")), given.get("space"), given.get("carrier")
        if (space is not None or turn > 1) and space not in self.spaces:
            self.plain.problem(where, f"there is no space {quote(space)}.")
        if carrier is not None and self.plain.counter(where, carrier):
            one = units.get(carrier)
            if one is None or (one.seat, one.space) != (seat, space) or not can_carry(self.data.counters[carrier]):
                self.plain.problem(where, f"{carrier} is not with the Bell, or cannot carry it.")
        return BoardBell(seat, space, carrier, self.plain.truth(where, given.get("silent", False)))
