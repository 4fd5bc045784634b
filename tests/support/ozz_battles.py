"""Battles of Ozz in a few lines: the positions, the letters of both sides, and the dice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.base import Seat
from pbem.games.chance import Chance, GivenChance
from pbem.games.ozz.battle import play_turn
from pbem.games.ozz.data import Data
from pbem.games.ozz.dataset import FIRST, find_data
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.state import Battle, BoardBell, Counter, Fighter, Marker, Options, Queue, State
from pbem.games.ozz.table import Table

DATA = find_data(FIRST)
MINE, THEIRS = (10, 1), (1, 10)
"""Dice of the initiative: the attacker moves first, or the defender."""


def men(text: str, seat: Seat) -> dict[str, Fighter]:
    """Parse positions: "ZOR 1C, SOU 1C ZOR, MCA 2C spent": code, space, leader of the group."""
    found = {}
    for one in filter(None, (part.split() for part in text.split(","))):
        leader = next((word for word in one[2:] if word != "spent"), None)
        found[one[0]] = Fighter(seat, one[1] if len(one) > 1 else None, leader, "spent" in one)
    return found


def spells(text: str) -> tuple[Marker, ...]:
    """Parse spells in effect: "poppies EVO SOU, fireball EVO -"."""
    found = []
    for part in filter(None, text.split(",")):
        *spell, by, on = part.split()
        found.append(Marker(" ".join(spell), by, None if on == "-" else on))
    return tuple(found)


def state_of(battle: Battle, data: Data = DATA, **switches: Any) -> State:
    """The state of a battle: a skirmish, or a battle at a point of a campaign."""
    seats = tuple(seat for seat in data.values["nations"] if seat in (battle.attacker, battle.defender))
    skirmish = battle.at is None
    units = {
        code: Counter(one.seat, battle.at, one.seat == battle.attacker)
        for code, one in battle.units.items()
        if not data.counters[code].intrinsic
    }
    towns = [code for code, point in data.points.items() if point.kind == "town"]
    return State(
        data=data,
        scenario="hill" if skirmish else "meeting",
        seats=seats,
        options=Options("board", 10, replace(data.switches, **switches)),
        turn=battle.turn if skirmish else 1,
        phase="battle",
        units=units,
        control={} if skirmish else dict.fromkeys(towns),
        razed={},
        pools={} if skirmish else dict.fromkeys((*seats, "mercenaries"), ()),
        fallen={},
        spells={code: data.counters[code].spells for code in units if data.counters[code].leader},
        bell=None,
        queue=None if skirmish else Queue(seats, dict.fromkeys(seats), ()),
        battle=battle,
        result=None,
    )


def battle_of(
    attackers: str, defenders: str, *, sides: tuple[Seat, Seat] = ("munchkins", "winkies"), **said: Any
) -> Battle:
    """A battle, in its second turn unless `said` changes that; `bell` is "seat space carrier"."""
    units = men(attackers, sides[0]) | men(defenders, sides[1])
    bell = said.pop("bell", None)
    if isinstance(bell, str):
        seat, space, carrier, *silent = bell.split()
        bell = BoardBell(seat, space, None if carrier == "-" else carrier, bool(silent))
    start = Battle(
        at=None,
        origin=None,
        terrain="open",
        walls=0,
        fort=any(DATA.counters[code].intrinsic for code in units),
        turn=2,
        attacker=sides[0],
        defender=sides[1],
        units=units,
        spells=spells(said.pop("spells", "")),
        cast=(),
        raised=(),
        exit={},
        left=dict.fromkeys(sides, ()),
        bell=bell,
    )
    return replace(start, **said)


@dataclass
class Played:
    """The result of a turn."""

    state: State
    events: Sequence[Mapping[str, Any]]
    over: bool

    @property
    def battle(self) -> Battle:
        assert self.state.battle is not None
        return self.state.battle

    @property
    def spaces(self) -> dict[str, str | None]:
        """The space of everyone on the board."""
        return {code: one.space for code, one in self.battle.units.items()}

    @property
    def groups(self) -> dict[str, str | None]:
        return {code: one.group for code, one in self.battle.units.items() if one.group}

    @property
    def gone(self) -> list[str]:
        """The units and leaders lost or killed, in order."""
        return [event["unit"] for event in self.events if event["type"] == "lost"]

    def rolls(self, *what: str) -> list[tuple[str, str]]:
        """The pairs of who rolled dice and at whom, by default for attacks."""
        rolls = [event for event in self.events if event["type"] == "roll" and event["for"] in (what or ("attack",))]
        return [(event.get("by", ""), event.get("at", "")) for event in rolls]

    def needed(self) -> list[int]:
        """The highest value with which each die of an attack hit."""
        return [event["needs"] for event in self.events if event["type"] == "roll" and event["for"] == "attack"]

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """The events of a type."""
        return [event for event in self.events if event["type"] == kind]


def read(text: str) -> Orders:
    orders = read_canonical(DATA, text)
    assert orders is not None, text
    return orders


def play(state: State, letters: Mapping[Seat, str | None], chance: Chance) -> Played:
    """Play a turn of a state's battle."""
    table = Table(state, chance)
    over = play_turn(table, {seat: None if text is None else read(text) for seat, text in letters.items()})
    return Played(table.state(), table.events, over)


def fight(
    battle: Battle,
    attacker: str | None,
    defender: str | None,
    *dice: int,
    first: tuple[int, ...] = MINE,
    before: tuple[int, ...] = (),
    **switches: Any,
) -> Played:
    """Play a turn of a battle. `before` are the dice before the initiative, `dice` those after it; all must be used."""
    chance = GivenChance((*before, *first, *dice))
    letters = {battle.attacker: attacker, battle.defender: defender}
    played = play(state_of(battle, **{"dissipation": 0, **switches}), letters, chance)
    chance.finish()
    return played
