"""How a campaign and a skirmish begin (ozz §11)."""

from collections.abc import Mapping
from typing import Any

from pbem.games.base import Ruling, Seat
from pbem.games.chance import Chance, shuffled
from pbem.games.ozz.data import Data
from pbem.games.ozz.orders import Codes
from pbem.games.ozz.state import MERCENARIES, Battle, BoardBell, Counter, Fighter, MapBell, Options, State


def set_up(data: Data, scenario: str, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Ruling[State]:
    """The first state of a match, and what was drawn; `seats` in seat order."""
    found = data.scenarios[scenario]
    skirmish = found["kind"] == "skirmish"
    pools = {} if skirmish else _pools(found, seats, chance)
    units = _skirmishers(found) if skirmish else _garrisons(found, seats)
    bell = None if skirmish else _bell(data, found["bell"], seats)
    if bell:
        units[bell.carrier or ""] = Counter(bell.seat, bell.at)
    spells, events = _spells(data, (*units, *(code for codes in pools.values() for code in codes)), chance)
    state = State(
        data=data,
        scenario=scenario,
        seats=seats,
        options=options,
        turn=1,
        phase="battle" if skirmish else "orders",
        units={code: units[code] for code in sorted(units, key=data.roster.__getitem__)},
        control={} if skirmish else home_towns(data, seats),
        razed={},
        pools=pools,
        fallen={},
        spells=spells,
        bell=bell,
        queue=None,
        battle=_battle(data, found, units, options) if skirmish else None,
        result=None,
    )
    return Ruling(state, tuple(events))


def home_towns(data: Data, seats: tuple[Seat, ...]) -> dict[str, Seat | None]:
    """Population centers at the start: their own nation's if it is in play, else nobody's (§3.7)."""
    homes = {town: data.points[town].nation for town in data.towns}
    return {town: nation if nation in seats else None for town, nation in homes.items()}


def _pools(scenario: Mapping[str, Any], seats: tuple[Seat, ...], chance: Chance) -> dict[str, Codes]:
    found: dict[str, Codes] = {seat: shuffled(scenario["pools"][seat], chance) for seat in seats}
    return found | {MERCENARIES: shuffled(scenario["mercenaries"], chance)}


def _garrisons(scenario: Mapping[str, Any], seats: tuple[Seat, ...]) -> dict[str, Counter]:
    return {
        code: Counter(seat, point)
        for seat in seats
        for point, codes in scenario["start"][seat].items()
        for code in codes
    }


def _bell(data: Data, bell: Mapping[str, Any] | None, seats: tuple[Seat, ...]) -> MapBell | None:
    """The Bell stands in the Castle of the first of its nations that is in play."""
    owner = next((seat for seat in bell["nations"] if seat in seats), None) if bell else None
    return MapBell(owner, data.castles[owner], bell["with"]) if bell and owner else None


def _spells(data: Data, codes: Codes, chance: Chance) -> tuple[dict[str, Codes], list[Mapping[str, Any]]]:
    """What each leader among some counters knows; a random spell is drawn in roster order."""
    found: dict[str, Codes] = {}
    events: list[Mapping[str, Any]] = []
    names = data.values["witch_spells"]
    for code in sorted(codes, key=data.roster.__getitem__):
        card = data.counters[code]
        if not card.leader:
            continue
        found[code] = tuple(names[chance.pick(len(names))] if spell == "?" else spell for spell in card.spells)
        if "?" in card.spells:
            events.append({"type": "spell", "unit": code, "spells": [*found[code]]})
    return found, events


def _skirmishers(scenario: Mapping[str, Any]) -> dict[str, Counter]:
    return {
        code: Counter(scenario[side], None)
        for side, codes in (("attacker", "attackers"), ("defender", "defenders"))
        for code in scenario[codes]
    }


def _battle(data: Data, scenario: Mapping[str, Any], units: Mapping[str, Counter], options: Options) -> Battle:
    attacker, defender, bell = scenario["attacker"], scenario["defender"], scenario["bell"]
    walls = [card.code for card in data.counters.values() if card.intrinsic and card.kind != "artillery"]
    fighters = {code: Fighter(one.seat) for code, one in units.items()}
    fighters |= {code: Fighter(defender) for code in walls[: scenario["strength"]]}
    return Battle(
        at=None,
        origin=None,
        terrain=scenario["terrain"],
        walls=data.values["walls"].get(scenario["walls"], 0) if options.switches.walls else 0,
        fort=scenario["strength"] > 0,
        turn=1,
        attacker=attacker,
        defender=defender,
        units={code: fighters[code] for code in sorted(fighters, key=data.roster.__getitem__)},
        spells=(),
        cast=(),
        raised=(),
        exit={},
        left={attacker: (), defender: ()},
        bell=BoardBell(bell["seat"], None, bell["carrier"]) if bell else None,
    )
