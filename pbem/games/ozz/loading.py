"""Build a state from plain data, and report as many problems with a position (§18) as possible at once.

The types in `games.ozz.state` describe the value of each key. This module supplies the defaults, which depend on the
data set and on the rest of the position, and the rules that relate several values to each other. Counters on the board
that are missing in `units` are added there.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple, get_args

from pbem.games.base import GameError, Seat
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.data import BELL, Card, Data
from pbem.games.ozz.dataset import FIRST, find_data, is_shipped, read_data
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import OFF, Codes, Orders, Wishes
from pbem.games.ozz.state import (
    MERCENARIES,
    Battle,
    Battles,
    Code,
    Count,
    Counter,
    Fighter,
    GameEnd,
    Leader,
    MapBell,
    Nation,
    Options,
    Phase,
    Queue,
    Spell,
    State,
    dump,
    home_towns,
    plain_switches,
)
from pbem.games.ozz.table import can_carry
from pbem.typed import Named, Parsed, Place, Reader, quote

BATTLES: tuple[Battles, ...] = get_args(Battles)
_TURN = 2  # the default turn of a battle: the first turn in which all counters are deployed


class _Position(NamedTuple):
    """A position in plain data, read after defaults have been filled in for whatever was left out."""

    scenario: Annotated[str, Named("scenario")]
    seats: Annotated[tuple[Seat, ...], Parsed("seats")]
    options: Options
    turn: Count
    phase: Phase
    units: Mapping[Code, Counter]
    battle: Battle | None
    result: GameEnd | None
    control: Mapping[Annotated[str, Named("population center")], Nation | None] = {}
    razed: Mapping[Annotated[str, Named("Fortified Center")], Nation] = {}
    pools: Mapping[Annotated[str, Named("pool")], tuple[Code, ...]] = {}
    fallen: Mapping[Annotated[str, Named("Ruler")], Count] = {}
    spells: Mapping[Leader, tuple[Spell, ...]] = {}
    bell: MapBell | None = None
    queue: Queue | None = None


def load(position: object, data: Data | None = None) -> State:
    """Build a state from plain data; by default, `data` is the first shipped data set.

    Raises GameError with one problem per line.
    """
    if not isinstance(position, dict):
        raise GameError("A position is an object.")
    reader = _PositionReader(data or find_data(FIRST), position)
    state = reader.state()
    if reader.problems:
        raise GameError("\n".join(reader.problems))
    return state


def stored(state: State) -> dict[str, Any]:
    """Return a state as plain data for storage. A data set that is not shipped is included in full, because its files
    may change or disappear, and the match keeps the data with which it began."""
    data = state.data
    source = data.name if is_shipped(data.name) else {"name": data.name, "files": {**data.source}}
    return {**dump(state), "data": source, "resigned": [*state.resigned]}


def restored(values: Mapping[str, Any]) -> State:
    """Restore a state from the values that `stored` returned."""
    position = {**values}
    data, resigned = position.pop("data", FIRST), position.pop("resigned", ())
    state = load(position, find_data(data) if isinstance(data, str) else read_data(data["files"], data["name"]))
    return replace(state, resigned=tuple(resigned))


def seats_of(data: Data, scenario: str) -> tuple[Seat, ...]:
    """Return the default seats of a scenario, in seat order."""
    layout = data.scenarios[scenario]
    names = layout["seats"] if layout["kind"] == "campaign" else (layout["attacker"], layout["defender"])
    return tuple(seat for seat in data.nations if seat in names)


def known_spells(card: Card) -> Codes:
    """Return the spells printed on a leader; spells that are drawn during the set-up are not included."""
    return tuple(spell for spell in card.spells if spell != "?")


def options_of(data: Data, entries: Mapping[str, Any], *, skirmish: bool) -> dict[str, Any]:
    """Fill in the defaults of a data set in `entries`, the options of a match as plain data, and return the result. The
    options have yet to be checked."""
    usual = {
        "battles": "board" if skirmish else "fast",
        "turns": data.values["turns"],
        "switches": {},
    }
    entries = {**usual, **entries}
    return {**entries, "switches": _filled(plain_switches(data.switches), entries["switches"])}


def _filled(usual: Mapping[str, Any], entries: Any) -> Any:
    """Return `entries` with the values in `usual` for missing keys. If `entries` is not an object, return it unchanged;
    the reader then rejects it."""
    return {**usual, **entries} if isinstance(entries, dict) else entries


def _items(value: Any) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


class _PositionReader(Reader):
    """A reader of one position of a match with a given data set."""

    def __init__(self, data: Data, position: Mapping[str, Any]) -> None:
        super().__init__()
        self.data, self.entries, scenarios = data, position, data.scenarios
        name = position.get("scenario")
        self.scenario = name if isinstance(name, str) and name in scenarios else next(iter(scenarios))
        self.skirmish = scenarios[self.scenario]["kind"] == "skirmish"
        self.seats, self._fault = self._seats()
        self.codes = {code: card for code, card in data.counters.items() if code != BELL}
        self.names = self._names()
        self.parsers = {"seats": self._read_seats, "orders": self._orders, "letter": self._letter}

    def _names(self) -> dict[str, Any]:
        data, cards = self.data, self.codes.values()
        battle = self.entries.get("battle")
        terrain = self._terrain(battle if isinstance(battle, dict) else {})
        return {
            "scenario": data.scenarios,
            "nation in play": self.seats,
            "side of the battle": self._sides(battle if isinstance(battle, dict) else {}),
            "point": data.points,
            "counter": self.codes,
            "unit or Bell": self.data.counters,
            "leader": [card.code for card in cards if card.leader],
            "Ruler": [card.code for card in cards if card.kind == "ruler"],
            "spell": data.spells,
            "space": grid_of(data).spaces,
            "terrain": dict.fromkeys((terrain, *(point.terrain for point in data.points.values()))),
            "population center": data.towns,
            "Fortified Center": data.centers,
            "pool": () if self.skirmish else (*self.seats, MERCENARIES),
            "way off the board": (OFF,) if self.skirmish else data.points,
        }

    def state(self) -> State:
        """Return the state that was read. If there are `problems`, the state cannot be played."""
        position = self.read(_Position, self._with_defaults())
        battle = position.battle and self._battle(position.battle, position.options.switches.walls)
        units = self._units(position.units, battle)
        pools = {} if self.skirmish else {owner: position.pools.get(owner, ()) for owner in self.names["pool"]}
        state = State(
            data=self.data,
            scenario=self.scenario,
            seats=self.seats,
            options=position.options,
            turn=position.turn,
            phase=position.phase,
            units=units,
            control={} if self.skirmish else home_towns(self.data, self.seats) | {**position.control},
            razed=position.razed,
            pools=pools,
            fallen=position.fallen,
            spells=self._spells(position.spells, (*units, *(code for codes in pools.values() for code in codes))),
            bell=position.bell,
            queue=position.queue or self._usual_queue(battle),
            battle=battle,
            result=position.result,
        )
        self._check_map(state)
        self._check_queue(state)
        self._check_phase(state)
        return state

    # Defaults

    def _with_defaults(self) -> dict[str, Any]:
        entries, data = self.entries, self.data
        battle, result = entries.get("battle"), entries.get("result")
        fought = self._battle_with_defaults(battle) if battle is not None else None
        turn = fought.get("turn") if self.skirmish and isinstance(fought, dict) else 1
        options = entries.get("options", {})
        units = entries.get("units", {})
        return {
            "scenario": self.scenario,
            "seats": [*self.seats],
            "turn": turn,
            "phase": "over" if result else "battle" if fought else "orders",
            **entries,
            "options": options_of(data, options, skirmish=self.skirmish) if isinstance(options, dict) else options,
            "units": {code: self._owned(code, _filled({"at": None}, unit), {}) for code, unit in _items(units)}
            if isinstance(units, dict)
            else units,
            "battle": fought,
            "result": None if result is None else _filled({"winner": None}, result),
            "queue": _filled({"seats": [*self.seats], "letters": {}, "todo": []}, entries.get("queue")),
        }

    def _owned(self, code: str, unit: Any, owners: Mapping[str, Any]) -> Any:
        """Return `unit`, the entry of the counter `code`, with a seat filled in if the entry has none: the counter's
        own nation or, if it has no nation, its owner in `owners`."""
        card = self.codes.get(code)
        owner = card and (card.nation or owners.get(code))
        return _filled({"seat": owner} if owner else {}, unit)

    def _battle_with_defaults(self, battle: Any) -> Any:
        if not isinstance(battle, dict):
            return battle
        units, codes = battle.get("units", {}), self.codes
        walls = [code for code, _ in _items(units) if code in codes and codes[code].intrinsic]
        owners = {code: unit.get("seat") for code, unit in _items(self.entries.get("units")) if isinstance(unit, dict)}
        owners |= dict.fromkeys(walls, self._sides(battle)[1])
        owned = {code: self._owned(code, unit, owners) for code, unit in _items(units)}
        return {
            "at": None,
            "origin": None,
            "terrain": self._terrain(battle),
            "walls": 0,
            "fort": bool(walls),
            "turn": _TURN,
            "attacker": self.seats[0],
            "defender": self.seats[1],
            **battle,
            "units": owned if isinstance(units, dict) else units,
        }

    def _terrain(self, battle: Mapping[str, Any]) -> str:
        """Return the default terrain of a battle: the terrain of its point or, in a skirmish, that of the scenario."""
        at = battle.get("at")
        if isinstance(at, str) and at in self.data.points:
            return self.data.points[at].terrain
        return str(self.data.scenarios[self.scenario].get("terrain", "open"))

    def _sides(self, battle: Mapping[str, Any]) -> tuple[Seat, Seat]:
        attacker, defender = battle.get("attacker"), battle.get("defender")
        return (
            attacker if isinstance(attacker, str) and attacker in self.seats else self.seats[0],
            defender if isinstance(defender, str) and defender in self.seats else self.seats[1],
        )

    def _usual_queue(self, battle: Battle | None) -> Queue | None:
        waits = battle is not None and not self.skirmish
        return Queue(self.seats, dict.fromkeys(self.seats), ()) if waits else None

    # Values that need the data set

    def _seats(self) -> tuple[tuple[Seat, ...], str]:
        """Return the nations in play, and a sentence on what is wrong with the seats that the position names, or "" if
        nothing is wrong."""
        if "seats" not in self.entries:
            return seats_of(self.data, self.scenario), ""
        nations, names = self.data.nations, self.entries["seats"]
        most = 2 if self.skirmish else len(nations)
        texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        right = isinstance(names, list) and len(texts) == len(names) == len(set(texts)) and set(texts) <= {*nations}
        if not right or not 2 <= len(texts) <= most:
            wanted = "two" if most == 2 else f"two to {most}"
            return nations[:most], f"these are {wanted} of {', '.join(nations)}, not {quote(names)}."
        return tuple(seat for seat in nations if seat in texts), ""

    def _read_seats(self, value: Any) -> tuple[Seat, ...]:
        if self._fault:
            raise ValueError(self._fault)
        return self.seats

    def _orders(self, value: Any) -> Orders:
        orders = read_canonical(self.data, value) if isinstance(value, str) else None
        if orders is None:
            raise ValueError(f"these are no orders in canonical form: {quote(value)}.")
        return orders

    def _letter(self, value: Any) -> Orders | None:
        if value is None:
            return None
        orders = self._orders(value)
        if not all(len(move.way) > 1 and {*move.way} <= self.data.points.keys() for move in Wishes(orders).moves):
            raise ValueError(f"this letter moves along no way of the map: {quote(value)}.")
        return orders

    def _spells(self, named: Mapping[str, Codes], codes: Codes) -> dict[str, Codes]:
        """Return the spells of all leaders in `named` or among `codes`. Leaders who are not in `named` have the spells
        printed on the counter."""
        cards = self.data.counters
        return {code: named.get(code) or known_spells(cards[code]) for code in codes if cards[code].leader} | {**named}

    # Rules of the map

    def _units(self, read: Mapping[str, Counter], battle: Battle | None) -> dict[str, Counter]:
        units = dict(read)
        for code, counter in read.items():
            card, where = self.codes[code], ("units", code)
            if card.intrinsic:
                self.problem(where, "an intrinsic unit is nowhere on the map.")
                del units[code]
                continue
            self._check_owner(where, card, counter.seat)
            if counter.at is None and not self.skirmish:
                self.replace((*where, "at"), "this is missing: name a point.")
        return self._supplied(units, battle) if battle else units

    def _check_owner(self, where: Place, card: Card, seat: Seat) -> None:
        if card.nation not in (None, seat) and card.nation in self.seats and self.sound(*where):
            self.problem(where, f"{card.code} belongs to the {card.nation}.")

    def _supplied(self, units: dict[str, Counter], battle: Battle) -> dict[str, Counter]:
        """Add the counters on the board, and the counters that have left the board, to `units`; report contradictions
        between the battle and `units`."""
        there = {code: fighter.seat for code, fighter in battle.units.items() if not self.data.counters[code].intrinsic}
        there |= {code: seat for seat, codes in battle.left.items() for code in codes}
        for code, seat in there.items():
            counter = units.setdefault(code, Counter(seat, battle.at, done=seat == battle.attacker))
            if (counter.seat, counter.at) != (seat, battle.at) and self.sound("units", code):
                self.problem(("units", code), "the battle lists this counter in another place or for another nation.")
        for code, counter in units.items():
            if counter.at == battle.at and code not in there and self.sound("units", code):
                self.problem(("units", code), "this counter is where the battle is, and the battle does not list it.")
        return units

    def _check_map(self, state: State) -> None:
        for owner, codes in state.pools.items():
            for at, code in enumerate(codes, start=1):
                card = self.data.counters[code]
                if card.reserve or card.intrinsic or owner != (MERCENARIES if card.mercenary else card.nation):
                    self.problem(("pools", owner, at), f"{code} does not belong in this pool.")
        if state.bell:
            if state.bell.at is None and not self.skirmish:
                self.problem(("bell", "at"), "this is missing: name a point.")
            place = state.bell.seat, state.bell.at
            there = {code for code, counter in state.units.items() if (counter.seat, counter.at) == place}
            self._check_carrier(("bell", "carrier"), state.bell.carrier, there)
            if state.battle and state.battle.bell:
                self.problem(("bell",), "it is both on the map and on the board.")
        places = (*state.units, *state.fallen, *(code for codes in state.pools.values() for code in codes))
        for code, number in Tally(places).items():
            if number > 1:
                self.problem((), f"{code} is in {number} places.")
        if self.sound("units"):
            self._check_shared_points(state)

    def _check_carrier(self, where: Place, carrier: str | None, there: Iterable[str]) -> None:
        if carrier and not (carrier in there and can_carry(self.data.counters[carrier])):
            self.problem(where, f"{carrier} is not with the Bell, or cannot carry it.")

    def _check_shared_points(self, state: State) -> None:
        """Report points with counters of two nations, or with another nation's intrinsic strength."""
        holders: dict[str, Seat] = {}
        for code, counter in state.units.items():
            if counter.at is None or (state.battle and counter.at == state.battle.at):
                continue
            if holders.setdefault(counter.at, counter.seat) != counter.seat:
                self.problem(("units", code), f"{counter.at} has counters of two nations.")
        for at, seat in holders.items():
            point = state.data.points[at]
            if point.center and point.nation in state.seats and point.nation != seat and at not in state.razed:
                self.problem(("units",), f"{at} is a standing Fortified Center of the {point.nation}.")

    def _check_queue(self, state: State) -> None:
        queue = state.queue
        if not queue:
            return
        moves = {seat: len(Wishes(letter).moves) for seat, letter in queue.letters.items()}
        for at, (seat, number) in enumerate(queue.todo, start=1):
            if number >= moves.get(seat, 0):
                self.problem(("queue", "todo", at), f"{seat} has no move {number}.")
        if len(set(queue.seats)) < len(queue.seats):
            self.problem(("queue", "seats"), "a nation is listed twice.")
        if state.phase != "battle" or self.skirmish:
            self.problem(("queue",), "only a battle of a campaign keeps moves waiting.")

    def _check_phase(self, state: State) -> None:
        battle, phase = state.battle, state.phase
        if not self.sound("phase"):
            return
        if (phase == "over") != (state.result is not None):
            self.problem(("phase",), "a game is over when it has a result, and only then.")
        if (battle is None) == (phase == "battle" or self.skirmish) or (battle and phase == "orders"):
            self.problem(("phase",), f"{quote(phase)} does not go with {'a' if battle else 'no'} battle.")

    # Rules of a battle

    def _battle(self, battle: Battle, walls: bool) -> Battle:
        where, (attacker, defender) = ("battle",), (battle.attacker, battle.defender)
        if attacker == defender:
            self.problem(where, "attacker and defender are the same nation.")
        for key, point in (("at", battle.at), ("origin", battle.origin)):
            if self.skirmish and point is not None:
                self.problem((*where, key), "a skirmish is nowhere on the map.")
        if battle.at is None and not self.skirmish:
            self.replace((*where, "at"), "this is missing: name a point.")
        self._check_turns(battle)
        for code, fighter in battle.units.items():
            self._check_fighter(code, fighter, battle)
        self._check_group_sizes(battle)
        self._check_markers(battle)
        battle = replace(
            battle,
            walls=battle.walls if walls else 0,
            left={seat: battle.left.get(seat, ()) for seat in (attacker, defender)},
        )
        self._check_left(battle)
        return battle

    def _check_turns(self, battle: Battle) -> None:
        most = self.data.values["battle_turns"]
        numbers: dict[Place, int] = {("battle", "turn"): battle.turn}
        for seat, plan in battle.plans.items():
            if plan:
                numbers |= {("battle", "plans", seat, key): getattr(plan, key) for key in ("turn", "rounds")}
        for where, number in numbers.items():
            if number > most:
                self.problem(where, f"a battle has at most {most} turns, not {number}.")

    def _check_fighter(self, code: str, fighter: Fighter, battle: Battle) -> None:
        card, where = self.codes[code], ("battle", "units", code)
        self._check_owner(where, card, fighter.seat)
        if card.intrinsic and fighter.seat != battle.defender and self.sound(*where):
            self.problem(where, "an intrinsic unit belongs to the defender.")
        if fighter.space is None and battle.turn > 1:
            self.problem((*where, "space"), f"this is missing: everybody is deployed in turn {battle.turn}.")
        if fighter.spent and card.kind != "cavalry":
            self.problem((*where, "spent"), "only cavalry is spent.")
        if fighter.group is None or not self.sound(*where):
            return
        leader = battle.units.get(fighter.group)
        if leader is None or self.codes[fighter.group].kind not in ("ruler", "hero"):
            self.problem((*where, "group"), f"{fighter.group} leads no group here.")
        elif (leader.seat, leader.space) != (fighter.seat, fighter.space):
            self.problem((*where, "group"), f"its leader {fighter.group} is elsewhere.")
        elif card.leader or card.intrinsic:
            self.problem((*where, "group"), f"{code} cannot be in a group.")

    def _check_group_sizes(self, battle: Battle) -> None:
        most = self.data.values["group_max"]
        for leader, number in Tally(fighter.group for fighter in battle.units.values() if fighter.group).items():
            if number > most:
                self.problem(("battle", "units", leader), f"a group has at most {most} units, not {number}.")

    def _check_markers(self, battle: Battle) -> None:
        """Report spells on targets that are not on the board, and a Bell that has no space or the wrong carrier."""
        targets = {code for code in battle.units if not self.data.counters[code].leader}
        for at, marker in enumerate(battle.spells, start=1):
            if marker.on is not None and marker.on not in targets and not (marker.on == BELL and battle.bell):
                self.problem(("battle", "spells", at, "on"), f"{marker.on} is not on the board.")
        bell = battle.bell
        if bell:
            if bell.space is None and battle.turn > 1:
                self.problem(("battle", "bell", "space"), "this is missing.")
            place = bell.seat, bell.space
            there = {code for code, fighter in battle.units.items() if (fighter.seat, fighter.space) == place}
            self._check_carrier(("battle", "bell", "carrier"), bell.carrier, there)

    def _check_left(self, battle: Battle) -> None:
        """Report counters that cannot have left the board, sides whose counters have left the board without a
        destination, and raised counters that are listed twice."""
        gone = [code for codes in battle.left.values() for code in codes]
        for code in dict.fromkeys(gone):
            if code in battle.units or gone.count(code) > 1 or self.data.counters[code].intrinsic:
                self.problem(("battle", "left"), f"{code} cannot be there.")
        for seat, codes in battle.left.items():
            if codes and seat not in battle.exit:
                self.problem(("battle", "exit"), f"some of the {seat} have left; say where they go.")
        if len(set(battle.raised)) < len(battle.raised):
            self.problem(("battle", "raised"), "a counter is listed twice.")
