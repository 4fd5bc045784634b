"""A state from plain data, and everything that can be wrong with a position (§18): all is told at once.

Keys that are missing have their defaults; counters on the board that are not in `units` are supplied.
"""

from collections import Counter as Tally
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from pbem.games.base import GameError, Seat
from pbem.games.kit.checking import Checker
from pbem.games.options import quote
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.data import BELL, Card, Data, Switches
from pbem.games.ozz.dataset import FIRST, find_data, is_shipped, read_data
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import OFF, Codes, Orders, Wishes
from pbem.games.ozz.state import (
    KEYS,
    MERCENARIES,
    Battle,
    Battles,
    BoardBell,
    Counter,
    Fighter,
    GameEnd,
    MapBell,
    Marker,
    Options,
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
    source = data.name if is_shipped(data.name) else {"name": data.name, "files": {**data.source}}
    return {**dump(state), "data": source, "resigned": [*state.resigned]}


def restored(values: Mapping[str, Any]) -> State:
    """The inverse of `stored`."""
    position = {**values}
    data, resigned = position.pop("data", FIRST), position.pop("resigned", ())
    state = load(position, find_data(data) if isinstance(data, str) else read_data(data["files"], data["name"]))
    return replace(state, resigned=tuple(resigned))


def seats_of(data: Data, scenario: str) -> tuple[Seat, ...]:
    """The seats that a scenario has if nobody says otherwise, in seat order."""
    layout = data.scenarios[scenario]
    names = layout["seats"] if layout["kind"] == "campaign" else (layout["attacker"], layout["defender"])
    return tuple(seat for seat in data.nations if seat in names)


def known_spells(card: Card) -> Codes:
    """The spells that are printed of a leader; those that are drawn at the set-up are not."""
    return tuple(spell for spell in card.spells if spell != "?")


class _Names(Checker):
    """Looks at what a position names of its data set, and at its nations. `skirmish`: it has no map."""

    def __init__(self, data: Data) -> None:
        super().__init__()
        self.data, self.codes = data, data.counters.keys() - {BELL}
        self.seats: tuple[Seat, ...] = ()
        self.skirmish = False

    def seat(self, where: str, value: Any) -> Seat:
        """A nation in play."""
        if not isinstance(value, str) or value not in self.seats:
            self.problem(where, f"{quote(value)} is no nation in play.")
            return self.seats[0]
        return value

    def point(self, where: str, value: Any) -> str | None:
        return self.among(where, value, self.data.points, "point")

    def counter(self, where: str, value: Any) -> str | None:
        """The code of a unit or leader, intrinsic or not."""
        return self.among(where, value, self.codes, "counter")

    def leader(self, where: str, value: Any) -> str | None:
        code = self.counter(where, value)
        if code and not self.data.counters[code].leader:
            self.problem(where, f"{code} is no leader.")
            return None
        return code

    def spell(self, where: str, value: Any) -> str | None:
        return self.among(where, value, self.data.spells, "spell")

    def owner(self, where: str, card: Card, entries: Mapping[str, Any], default: Seat | None = None) -> Seat:
        """Whose a counter is: a nation's own is its nation's."""
        seat = self.seat(where, entries.get("seat", card.nation or default))
        if card.nation not in (None, seat) and card.nation in self.seats:
            self.problem(where, f"{card.code} is of the {card.nation}.")
        return seat

    def check_carrier(self, where: str, code: Any, there: Collection[str]) -> None:
        """See that who carries the Bell can, and is one of those who stand with it; None is nobody."""
        carrier = code is not None and self.counter(where, code)
        if carrier and not (carrier in there and can_carry(self.data.counters[carrier])):
            self.problem(where, f"{carrier} is not with the Bell, or cannot carry it.")

    def pair(self, where: str, value: Any, kinds: str) -> tuple[Any, Any] | None:
        """Two values of some kinds."""
        if not isinstance(value, list) or len(value) != 2:
            self.problem(where, f"this is {kinds}, not {quote(value)}.")
            return None
        return value[0], value[1]


class Loader(_Names):
    """Takes a position apart, by a data set; what is chosen of a match alone, too."""

    def __init__(self, data: Data, position: Mapping[str, Any] = {}) -> None:
        super().__init__(data)
        self.position = position

    def state(self) -> State:
        entries, data = self.position, self.data
        self.object("the position", entries, _KEYS)
        scenario = self.one_of("scenario", entries.get("scenario", next(iter(data.scenarios))), data.scenarios)
        self.skirmish = data.scenarios[scenario]["kind"] == "skirmish"
        self.seats = self._seats(entries["seats"]) if "seats" in entries else seats_of(data, scenario)
        chosen = self.object("options", entries.get("options", {}), Options)
        options = self.options(chosen, skirmish=self.skirmish)
        battle = None
        if entries.get("battle") is not None:
            loader = _BattleLoader(self, data.scenarios[scenario], options.switches)
            battle = loader.battle(self.object("battle", entries["battle"], Battle))
        units = self._units(entries.get("units", {}), battle)
        pools = self._pools(entries.get("pools", {}))
        result = self._result(entries.get("result"))
        state = State(
            data=data,
            scenario=scenario,
            seats=self.seats,
            options=options,
            turn=self.number("turn", entries.get("turn", battle.turn if battle and self.skirmish else 1), 1),
            phase=self.one_of(
                "phase", entries.get("phase", "over" if result else "battle" if battle else "orders"), _PHASES
            ),
            units=units,
            control=self._control(entries.get("control", {})),
            razed=self._razed(entries.get("razed", {})),
            pools=pools,
            fallen=self._fallen(entries.get("fallen", {})),
            spells=self._spells(
                entries.get("spells", {}), (*units, *(code for codes in pools.values() for code in codes))
            ),
            bell=self._bell(entries["bell"], units) if entries.get("bell") is not None else None,
            queue=self._queue(entries.get("queue"), battle),
            battle=battle,
            result=result,
        )
        self.problems += _conflicts(state)
        return state

    # What is chosen of a match

    def options(self, entries: Mapping[str, Any], *, skirmish: bool) -> Options:
        """Battles, turns and switches; what is not said is as usual."""
        battles = self.one_of("battles", entries.get("battles", "board" if skirmish else "fast"), BATTLES)
        turns = self.number("turns", entries.get("turns", self.data.values["turns"]), 1, MAX_TURNS)
        return Options(battles, turns, self._switches(entries.get("switches", {})))

    def _switches(self, value: Any) -> Switches:
        usual = plain_switches(self.data.switches)
        if value == usual:
            return self.data.switches
        entries = self.object("switches", value, usual)
        switches: dict[str, Any] = {}
        for key in usual:
            if key in entries and key == "dissipation":
                switches[key] = self.number("switches, dissipation", entries[key], 0, 3)
            elif key in entries:
                switches[key] = self.truth(f"switches, {key}", entries[key])
        return replace(self.data.switches, **switches)

    def _seats(self, value: Any) -> tuple[Seat, ...]:
        most = 2 if self.skirmish else len(self.data.nations)
        names = self.list("seats", value, lambda where, name: name if isinstance(name, str) else repr(name))
        if not (set(names) <= {*self.data.nations} and len(names) == len(set(names)) and 2 <= len(names) <= most):
            kinds = "two" if most == 2 else f"two to {most}"
            self.problem("seats", f"these are {kinds} of {', '.join(self.data.nations)}, not {quote(value)}.")
            return self.data.nations[:most]
        return tuple(seat for seat in self.data.nations if seat in names)

    # The map

    def _units(self, value: Any, battle: Battle | None) -> dict[str, Counter]:
        units: dict[str, Counter] = {}
        for code, entry in self.object("units", value).items():
            if self.counter("units", code) is None:
                continue
            card, where = self.data.counters[code], f"units, {code}"
            if card.intrinsic:
                self.problem(where, "intrinsic units are in no place of the map.")
                continue
            entries = self.object(where, entry, Counter)
            seat = self.owner(where, card, entries)
            at = None if self.skirmish and entries.get("at") is None else self.point(where, entries.get("at"))
            units[code] = Counter(seat, at, self.truth(where, entries.get("done", False)))
        return self._supplied(units, battle) if battle else units

    def _supplied(self, units: dict[str, Counter], battle: Battle) -> dict[str, Counter]:
        """Units with those on the board, and those who have left it."""
        there = {code: fighter.seat for code, fighter in battle.units.items() if not self.data.counters[code].intrinsic}
        there |= {code: seat for seat, codes in battle.left.items() for code in codes}
        for code, seat in there.items():
            counter = units.setdefault(code, Counter(seat, battle.at, done=seat == battle.attacker))
            if (counter.seat, counter.at) != (seat, battle.at):
                self.problem(f"units, {code}", "the battle has this counter elsewhere, or of another nation.")
        for code, counter in units.items():
            if counter.at == battle.at and code not in there:
                self.problem(f"units, {code}", "this counter is where the battle is, and not in it.")
        return units

    def _control(self, value: Any) -> dict[str, Seat | None]:
        entries = self.object("control", value, self.data.towns)
        if self.skirmish:
            return {}
        homes, control = home_towns(self.data, self.seats), dict[str, Seat | None]()
        for town in self.data.towns:
            seat = entries.get(town, homes[town])
            control[town] = None if seat is None else self.seat(f"control, {town}", seat)
        return control

    def _razed(self, value: Any) -> dict[str, Seat]:
        razed = {}
        for point, seat in self.object("razed", value).items():
            if self.point("razed", point) and not self.data.points[point].center:
                self.problem("razed", f"{point} is no Fortified Center.")
            razed[point] = self.seat(f"razed, {quote(point)}", seat)
        return razed

    def _pools(self, value: Any) -> dict[str, Codes]:
        owners = () if self.skirmish else (*self.seats, MERCENARIES)
        entries = self.object("pools", value, owners)
        return {owner: self.list(f"pools, {owner}", entries.get(owner, []), self._pooled) for owner in owners}

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
        fallen = {}
        for code, turn in self.object("fallen", value).items():
            if self.leader("fallen", code) and self.data.counters[code].kind != "ruler":
                self.problem("fallen", f"{code} is no Ruler.")
            fallen[code] = self.number(f"fallen, {quote(code)}", turn, 1)
        return fallen

    def _spells(self, value: Any, codes: Codes) -> dict[str, Codes]:
        """The spells of those who are named, and of all leaders among some counters."""
        named = {}
        for code, spells in self.object("spells", value).items():
            if self.leader("spells", code):
                named[code] = self.list(f"spells, {code}", spells, self.spell)
        cards = self.data.counters
        return {code: named.get(code) or known_spells(cards[code]) for code in codes if cards[code].leader} | named

    def _bell(self, value: Any, units: Mapping[str, Counter]) -> MapBell:
        entries = self.object("bell", value, MapBell)
        seat, at, carrier = self.seat("bell", entries.get("seat")), entries.get("at"), entries.get("carrier")
        if not (self.skirmish and at is None):
            self.point("bell", at)
        there = {code for code, counter in units.items() if (counter.seat, counter.at) == (seat, at)}
        self.check_carrier("bell", carrier, there)
        return MapBell(seat, at, carrier)

    # What waits

    def _queue(self, value: Any, battle: Battle | None) -> Queue | None:
        if value is None:
            waits = battle is not None and not self.skirmish
            return Queue(self.seats, dict.fromkeys(self.seats), ()) if waits else None
        entries = self.object("queue", value, Queue)
        seats = self.list("queue, seats", entries.get("seats", [*self.seats]), self.seat)
        letters = {
            seat: self._letter(f"queue, letters, {quote(seat)}", text)
            for seat, text in self.object("queue, letters", entries.get("letters", {}), self.seats).items()
        }
        moves = {seat: len(Wishes(letter).moves) for seat, letter in letters.items()}
        todo = self.list("queue, todo", entries.get("todo", []), self._move)
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
        ways = [move.way for move in Wishes(orders).moves]
        if orders is None or not all(len(way) > 1 and {*way} <= self.data.points.keys() for way in ways):
            self.problem(where, f"this is no letter in canonical form: {quote(value)}.")
            return None
        return orders

    def _move(self, where: str, value: Any) -> tuple[Seat, int] | None:
        pair = self.pair(where, value, "a nation and a number")
        return pair and (self.seat(where, pair[0]), self.number(where, pair[1], 0))

    def _result(self, value: Any) -> GameEnd | None:
        if value is None:
            return None
        entries = self.object("result", value, GameEnd)
        winner = entries.get("winner")
        if winner is not None:
            winner = self.seat("result", winner)
        return GameEnd(winner, self.one_of("result, reason", entries.get("reason"), REASONS))


def _conflicts(state: State) -> Iterator[str]:
    """Problems of values that are right each by itself and cannot be at the same time, as sentences."""
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
    for code, counter in state.units.items():
        if counter.at is None or counter.at == battle_at:
            continue
        if holders.setdefault(counter.at, counter.seat) != counter.seat:
            yield f"units, {code}: {counter.at} has counters of two nations."
    for at, seat in holders.items():
        point = state.data.points[at]
        if point.center and point.nation in state.seats and point.nation != seat and at not in state.razed:
            yield f"units: {at} is a standing Fortified Center of the {point.nation}."


class _BattleLoader(_Names):
    """Takes a battle apart."""

    def __init__(self, loader: Loader, scenario: Mapping[str, Any], switches: Switches) -> None:
        super().__init__(loader.data)
        self.problems, self.seats, self.skirmish = loader.problems, loader.seats, loader.skirmish
        self.on_map, self.scenario, self.switches = loader.position.get("units"), scenario, switches
        self.spaces = grid_of(loader.data).spaces
        self.sides: tuple[Seat, Seat] = loader.seats[:2]  # type: ignore[assignment]

    def battle(self, entries: Mapping[str, Any]) -> Battle:
        attacker = self.seat("battle, attacker", entries.get("attacker", self.seats[0]))
        defender = self.seat("battle, defender", entries.get("defender", self.seats[1]))
        if attacker == defender:
            self.problem("battle", "attacker and defender are two nations.")
        self.sides = attacker, defender
        at, origin = (self._point(f"battle, {key}", entries.get(key), needed=key == "at") for key in ("at", "origin"))
        turn = self.number("battle, turn", entries.get("turn", _TURN), 1, self.data.values["battle_turns"])
        units = self._fighters(entries.get("units", {}), turn)
        fort = any(self.data.counters[code].intrinsic for code in units)
        walls = self.number("battle, walls", entries.get("walls", 0), 0, 2)
        usual = self.data.points[at].terrain if at else self.scenario.get("terrain", "open")
        terrains = dict.fromkeys((usual, *(point.terrain for point in self.data.points.values())))
        battle = Battle(
            at=at,
            origin=origin,
            terrain=self.one_of("battle, terrain", entries.get("terrain", usual), terrains),
            walls=walls if self.switches.walls else 0,
            fort=self.truth("battle, fort", entries.get("fort", fort)),
            turn=turn,
            attacker=attacker,
            defender=defender,
            units=units,
            spells=self.list("battle, spells", entries.get("spells", []), self._marker),
            cast=self.list("battle, cast", entries.get("cast", []), self._cast),
            raised=self.list("battle, raised", entries.get("raised", []), self.counter),
            exit=self._exit(entries.get("exit", {})),
            left=self._left(entries.get("left", {})),
            bell=self._bell(entries["bell"], units, turn) if entries.get("bell") is not None else None,
            fast=self.list("battle, fast", entries.get("fast", []), self._side),
            plans={
                self._side("battle, plans", seat): self._plan(f"battle, plans, {seat}", plan)
                for seat, plan in self.object("battle, plans", entries.get("plans", {})).items()
            },
        )
        self._check_markers(battle)
        self._check_places(battle)
        return battle

    def _point(self, where: str, value: Any, *, needed: bool) -> str | None:
        if value is None and (self.skirmish or not needed):
            return None
        if self.skirmish:
            self.problem(where, "a skirmish is nowhere on the map.")
        return self.point(where, value)

    def _side(self, where: str, value: Any) -> Seat:
        seat = self.seat(where, value)
        if seat not in self.sides:
            self.problem(where, f"the {seat} are not in the battle.")
            return self.sides[0]
        return seat

    def _plan(self, where: str, value: Any) -> Plan | None:
        if value is None:
            return None
        entries, most = self.object(where, value, Plan), self.data.values["battle_turns"]
        orders = read_canonical(self.data, entries["orders"]) if isinstance(entries.get("orders"), str) else None
        if orders is None:
            self.problem(where, f"these are no orders: {quote(entries.get('orders'))}.")
        turn, rounds = (self.number(where, entries.get(key, 1), 1, most) for key in ("turn", "rounds"))
        return Plan(orders or Orders(), turn, rounds, self.number(where, entries.get("units", 0), 0))

    # Who is there

    def _fighters(self, value: Any, turn: int) -> dict[str, Fighter]:
        fighters: dict[str, Fighter] = {}
        for code, entry in self.object("battle, units", value).items():
            if self.counter("battle, units", code):
                fighters[code] = self._fighter(code, self.object(f"battle, units, {code}", entry, Fighter), turn)
        for code, fighter in fighters.items():
            if fighter.group is not None:
                self._check_group(code, fighter, fighters)
        sizes = Tally(fighter.group for fighter in fighters.values() if fighter.group)
        most = self.data.values["group_max"]
        for leader, number in sizes.items():
            if number > most:
                self.problem(f"battle, units, {leader}", f"a group has {most} units at most.")
        return fighters

    def _fighter(self, code: str, entries: Mapping[str, Any], turn: int) -> Fighter:
        card, where = self.data.counters[code], f"battle, units, {code}"
        seat = self.owner(where, card, entries, self._usual_owner(code))
        if seat not in self.sides or (card.intrinsic and seat != self.sides[1]):
            self.problem(where, f"{code} cannot be of the {seat} here.")
        space, group, spent = entries.get("space"), entries.get("group"), entries.get("spent", False)
        if (space is not None or turn > 1) and space not in self.spaces:
            self.problem(where, f"there is no space {quote(space)}.")
            space = None
        if not isinstance(group, str | None):
            self.problem(where, f"there is no group {quote(group)}.")
            group = None
        if self.truth(where, spent) and card.kind != "cavalry":
            self.problem(where, "only cavalry is spent.")
        return Fighter(seat, space, group, spent is True)

    def _usual_owner(self, code: str) -> Seat | None:
        """Whose a counter of no nation is, if it is not said: walls are the defender's, others as on the map."""
        if self.data.counters[code].intrinsic:
            return self.sides[1]
        on_map = self.on_map.get(code) if isinstance(self.on_map, dict) else None
        return on_map.get("seat") if isinstance(on_map, dict) else None

    def _check_group(self, code: str, fighter: Fighter, fighters: Mapping[str, Fighter]) -> None:
        where, card = f"battle, units, {code}", self.data.counters[code]
        leader = fighters.get(fighter.group) if isinstance(fighter.group, str) else None
        if leader is None or self.data.counters[fighter.group or ""].kind not in ("ruler", "hero"):
            self.problem(where, f"{quote(fighter.group)} leads no group here.")
        elif (leader.seat, leader.space) != (fighter.seat, fighter.space):
            self.problem(where, f"its leader {fighter.group} is elsewhere.")
        elif card.leader or card.intrinsic:
            self.problem(where, f"{code} is in no group.")

    def _left(self, value: Any) -> dict[Seat, Codes]:
        entries = self.object("battle, left", value, self.sides)
        return {seat: self.list(f"battle, left, {seat}", entries.get(seat, []), self.counter) for seat in self.sides}

    def _exit(self, value: Any) -> dict[Seat, str]:
        exits: dict[Seat, str] = {}
        for key, point in self.object("battle, exit", value).items():
            seat = self._side("battle, exit", key)
            if self.skirmish:
                exits[seat] = self.one_of("battle, exit", point, (OFF,))
            else:
                exits[seat] = self.point("battle, exit", point) or ""
        return exits

    def _check_places(self, battle: Battle) -> None:
        """Nobody is on the board and off it, and who has left goes somewhere."""
        gone = [code for codes in battle.left.values() for code in codes]
        for code in gone:
            if code in battle.units or gone.count(code) > 1 or self.data.counters[code].intrinsic:
                self.problem("battle, left", f"{code} cannot be there.")
        for seat, codes in battle.left.items():
            if codes and seat not in battle.exit:
                self.problem("battle, exit", f"some of the {seat} have left, and go nowhere.")
        if len(set(battle.raised)) < len(battle.raised):
            self.problem("battle, raised", "one of them is there twice.")

    # Spells and the Bell

    def _marker(self, where: str, value: Any) -> Marker | None:
        entries = self.object(where, value, Marker)
        spell, by = self.spell(where, entries.get("spell")), self.leader(where, entries.get("by"))
        return Marker(spell, by, entries.get("on")) if spell and by else None

    def _cast(self, where: str, value: Any) -> tuple[str, str] | None:
        pair = self.pair(where, value, "a leader and a spell")
        if pair is None:
            return None
        by, spell = self.leader(where, pair[0]), self.spell(where, pair[1])
        return (by, spell) if by and spell else None

    def _check_markers(self, battle: Battle) -> None:
        targets = {code for code in battle.units if not self.data.counters[code].leader}
        targets |= {BELL} if battle.bell else set()
        for marker in battle.spells:
            if marker.on is not None and not (isinstance(marker.on, str) and marker.on in targets):
                self.problem("battle, spells", f"{quote(marker.on)} is not on the board.")

    def _bell(self, value: Any, units: Mapping[str, Fighter], turn: int) -> BoardBell:
        entries, where = self.object("battle, bell", value, BoardBell), "battle, bell"
        seat, space, carrier = self._side(where, entries.get("seat")), entries.get("space"), entries.get("carrier")
        if (space is not None or turn > 1) and space not in self.spaces:
            self.problem(where, f"there is no space {quote(space)}.")
        there = {code for code, fighter in units.items() if (fighter.seat, fighter.space) == (seat, space)}
        self.check_carrier(where, carrier, there)
        return BoardBell(seat, space, carrier, self.truth(where, entries.get("silent", False)))
