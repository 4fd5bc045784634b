"""The state at the start of a round of letters (§18): the map and, during a battle, the board. Also the set-up of
campaigns and skirmishes (§11).

States consist of plain values. The entries of a list are in the order in which they were added; entries added at the
same moment are in roster order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal

from pbem.games.base import Ruling, Seat
from pbem.games.chance import Chance, shuffled
from pbem.games.ozz.data import Data, Switches
from pbem.games.ozz.orders import Codes, Orders
from pbem.games.plain import dumped, fields_of
from pbem.typed import Between, Named, Parsed

Battles = Literal["fast", "board", "great"]
"""The way in which the battles of a campaign are fought (§3.9)."""

Phase = Literal["orders", "battle", "over"]

MERCENARIES = "mercenaries"
"""The name of the pool that belongs to no nation."""

MAX_NUMBER = 999_999
MAX_TURNS = 999

# Names in a position, by type; `games.ozz.loading` tells its reader which names of each type are valid.
Nation = Annotated[Seat, Named("nation in play")]
Side = Annotated[Seat, Named("side of the battle")]
PointCode = Annotated[str, Named("point")]
Code = Annotated[str, Named("counter")]
Leader = Annotated[str, Named("leader")]
Spell = Annotated[str, Named("spell")]
Space = Annotated[str, Named("space")]
Exit = Annotated[str, Named("way off the board")]
Count = Annotated[int, Between(1, MAX_NUMBER)]
FromZero = Annotated[int, Between(0, MAX_NUMBER)]


@dataclass(frozen=True, slots=True)
class Counter:
    """A unit or leader in play: its owner, its point (None in a skirmish), and whether it has already moved."""

    seat: Nation
    at: PointCode | None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit or leader on the board: its side, its space (None before deployment), the leader of its group, and whether
    it is spent cavalry (§5.19)."""

    seat: Side
    space: Space | None = None
    group: Code | None = None
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """A spell in effect, its caster, and its target: a unit, the Bell, or None if the target is gone (§5.5)."""

    spell: Spell
    by: Leader
    on: Annotated[str, Named("unit or Bell")] | None = None


@dataclass(frozen=True, slots=True)
class MapBell:
    """The Bell on the map. `at` is None once the Bell has left a skirmish."""

    seat: Nation
    at: PointCode | None = None
    carrier: Code | None = None


@dataclass(frozen=True, slots=True)
class BoardBell:
    """The Bell on the board. `space` is None before deployment; `silent` is true after the Bell has been silenced."""

    seat: Side
    space: Space | None = None
    carrier: Code | None = None
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A letter that remains in force during a battle (§5.38): its `orders`, the turn for which it was written, the
    number of further rounds for which it applies, and the number of units that its side had in that turn."""

    orders: Annotated[Orders, Parsed("orders")]
    turn: Count = 1
    rounds: Count = 1
    units: FromZero = 0


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle on the board.

    `at` and `origin` are None in a skirmish; `walls` is the die bonus of intrinsic units; `cast` lists the casts of
    Fireball and Healing; `exit` maps each side to its destination off the board; `left` lists the counters that have
    left the board, keyed by seat; `fast` lists the seats that have offered to fight the battle fast; `plans` contains
    the letters that remain in force, with None for a letter that the reader may not see.
    """

    at: PointCode | None
    origin: PointCode | None
    terrain: Annotated[str, Named("terrain")]
    walls: Annotated[int, Between(0, 2)]
    fort: bool
    turn: Count
    attacker: Nation
    defender: Nation
    units: Mapping[Code, Fighter] = field(hash=False)
    spells: tuple[Marker, ...] = ()
    cast: tuple[tuple[Leader, Spell], ...] = ()
    raised: tuple[Code, ...] = ()
    exit: Mapping[Side, Exit] = field(default_factory=dict, hash=False)
    left: Mapping[Side, tuple[Code, ...]] = field(default_factory=dict, hash=False)
    bell: BoardBell | None = None
    fast: tuple[Side, ...] = ()
    plans: Mapping[Side, Plan | None] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Queue:
    """The rest of a campaign turn that a battle has interrupted.

    `seats` is the order of the nations, and `letters` contains their orders. `todo` lists the remaining moves, each as
    a seat and the index of a move in its letter. `fought` lists the points of the board battles that are over, so that
    the rounds of a further battle at the same point get other names.
    """

    seats: tuple[Nation, ...]
    letters: Mapping[Nation, Annotated[Orders | None, Parsed("letter")]] = field(hash=False)
    todo: tuple[tuple[Nation, FromZero], ...]
    fought: tuple[PointCode, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """The options that were chosen for a match."""

    battles: Battles
    turns: Annotated[int, Between(1, MAX_TURNS)]
    switches: Switches


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game. A `winner` of None means a draw."""

    winner: Nation | None
    reason: Literal["castle", "points", "alone", "field", "strength"]


@dataclass(frozen=True, slots=True)
class State:
    """The position for which letters are due."""

    data: Data
    scenario: str
    seats: tuple[Seat, ...]
    options: Options
    turn: int
    phase: Phase
    units: Mapping[str, Counter] = field(hash=False)
    control: Mapping[str, Seat | None] = field(hash=False)
    razed: Mapping[str, Seat] = field(hash=False)
    pools: Mapping[str, Codes] = field(hash=False)
    fallen: Mapping[str, int] = field(hash=False)
    spells: Mapping[str, Codes] = field(hash=False)
    bell: MapBell | None
    queue: Queue | None
    battle: Battle | None
    result: GameEnd | None
    resigned: tuple[Seat, ...] = ()
    """Nations whose players have resigned. They act by the default orders and are not asked for letters."""

    @property
    def round(self) -> str:
        """The name of the round of letters: `T3` in turn 3 of a campaign; `B3.Q4.2` in turn 2 of a battle for Q4 during
        that campaign turn; `B3.Q4.2.1` in turn 1 of the second battle for Q4 during the same turn; `B2` in turn 2 of a
        skirmish."""
        if self.battle is None:
            return f"T{self.turn}"
        if self.battle.at is None:
            return f"B{self.battle.turn}"
        before = self.queue.fought.count(self.battle.at) if self.queue else 0
        place = f"{self.battle.at}.{before + 1}" if before else self.battle.at
        return f"B{self.turn}.{place}.{self.battle.turn}"


def set_up(data: Data, scenario: str, seats: tuple[Seat, ...], options: Options, chance: Chance) -> Ruling[State]:
    """Create the first state of a match, with events for the spells that were drawn; `seats` are in seat order."""
    layout = data.scenarios[scenario]
    skirmish = layout["kind"] == "skirmish"
    pools = {} if skirmish else _pools(layout, seats, chance)
    units = _skirmishers(layout) if skirmish else _garrisons(layout, seats)
    bell = None if skirmish else _bell(data, layout["bell"], seats)
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
        units={code: units[code] for code in data.in_order(units)},
        control={} if skirmish else home_towns(data, seats),
        razed={},
        pools=pools,
        fallen={},
        spells=spells,
        bell=bell,
        queue=None,
        battle=_battle(data, layout, units, options) if skirmish else None,
        result=None,
    )
    return Ruling(state, tuple(events))


def home_towns(data: Data, seats: tuple[Seat, ...]) -> dict[str, Seat | None]:
    """Return the owner of each population center at the start: its own nation if that nation is in play, otherwise None
    (§3.7)."""
    homes = {town: data.points[town].nation for town in data.towns}
    return {town: nation if nation in seats else None for town, nation in homes.items()}


def _pools(scenario: Mapping[str, Any], seats: tuple[Seat, ...], chance: Chance) -> dict[str, Codes]:
    pools: dict[str, Codes] = {seat: shuffled(scenario["pools"][seat], chance) for seat in seats}
    return pools | {MERCENARIES: shuffled(scenario["mercenaries"], chance)}


def _garrisons(scenario: Mapping[str, Any], seats: tuple[Seat, ...]) -> dict[str, Counter]:
    return {
        code: Counter(seat, point)
        for seat in seats
        for point, codes in scenario["start"][seat].items()
        for code in codes
    }


def _bell(data: Data, bell: Mapping[str, Any] | None, seats: tuple[Seat, ...]) -> MapBell | None:
    """Return the Bell at the start. It belongs to the first of the nations in `bell` that is in play, and is in that
    nation's Castle. Return None if there is no Bell, or if none of these nations is in play."""
    owner = next((seat for seat in bell["nations"] if seat in seats), None) if bell else None
    return MapBell(owner, data.castles[owner], bell["with"]) if bell and owner else None


def _spells(data: Data, codes: Codes, chance: Chance) -> tuple[dict[str, Codes], list[Mapping[str, Any]]]:
    """Return the spells of each leader among `codes`, and an event for each leader with randomly drawn spells. The
    spells are drawn in roster order."""
    spells: dict[str, Codes] = {}
    events: list[Mapping[str, Any]] = []
    names = data.values["witch_spells"]
    for code in data.in_order(codes):
        card = data.counters[code]
        if not card.leader:
            continue
        spells[code] = tuple(names[chance.pick(len(names))] if spell == "?" else spell for spell in card.spells)
        if "?" in card.spells:
            events.append({"type": "spell", "unit": code, "spells": [*spells[code]]})
    return spells, events


def _skirmishers(scenario: Mapping[str, Any]) -> dict[str, Counter]:
    return {
        code: Counter(scenario[side], None)
        for side, codes in (("attacker", "attackers"), ("defender", "defenders"))
        for code in scenario[codes]
    }


def _battle(data: Data, scenario: Mapping[str, Any], units: Mapping[str, Counter], options: Options) -> Battle:
    attacker, defender, bell = scenario["attacker"], scenario["defender"], scenario["bell"]
    walls = [card.code for card in data.counters.values() if card.intrinsic and card.kind != "artillery"]
    fighters = {code: Fighter(counter.seat) for code, counter in units.items()}
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
        units={code: fighters[code] for code in data.in_order(fighters)},
        left={attacker: (), defender: ()},
        bell=BoardBell(bell["seat"], None, bell["carrier"]) if bell else None,
    )


def dump(state: State) -> dict[str, Any]:
    """Convert `state` to plain data without its data set. Counters are in roster order, and points in point order."""
    data = state.data
    return fields_of(
        state,
        "data",
        "resigned",
        units=_in_order(state.units, data.roster),
        control=_in_order(state.control, data.towns),
        razed=_in_order(state.razed, data.points),
        pools=_in_order(state.pools, (*state.seats, MERCENARIES)),
        fallen=_in_order(state.fallen, data.roster),
        spells=_in_order(state.spells, data.roster),
        queue=state.queue and _queue(state.queue, data),
        battle=state.battle and _plain_battle(state.battle, data),
    )


@lru_cache(maxsize=64)
def plain_switches(switches: Switches) -> Mapping[str, Any]:
    """Convert switches to plain data."""
    return asdict(switches)


def _in_order(values: Mapping[str, Any], order: Iterable[str]) -> dict[str, Any]:
    return {key: dumped(values[key]) for key in order if key in values}


def _queue(queue: Queue, data: Data) -> dict[str, Any]:
    letters = {seat: letter and str(letter) for seat, letter in queue.letters.items()}
    return fields_of(queue, *() if queue.fought else ("fought",), letters=_in_order(letters, data.nations))


def _plain_battle(battle: Battle, data: Data) -> dict[str, Any]:
    return fields_of(
        battle,
        *(name for name in ("fast", "plans") if not getattr(battle, name)),
        units=_in_order(battle.units, data.roster),
        exit=_in_order(battle.exit, data.nations),
        left=_in_order(battle.left, data.nations),
        plans={seat: plan and fields_of(plan, orders=str(plan.orders)) for seat, plan in battle.plans.items()},
    )
