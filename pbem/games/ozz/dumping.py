"""A state as plain data, with every key written (ozz §18); `loading` reads it back."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from pbem.games.ozz.data import Data, Switches
from pbem.games.ozz.state import MERCENARIES, Battle, BoardBell, Counter, Fighter, MapBell, Plan, Queue, State

KEYS = (
    "scenario", "seats", "options", "turn", "phase", "units", "control", "razed", "pools", "fallen", "spells", "bell",
    "queue", "battle", "result",
)  # fmt: skip


def dump(state: State) -> dict[str, Any]:
    """Everything that a state holds but its data set; counters in roster order, points in point order."""
    data = state.data
    owners = (*state.seats, MERCENARIES) if state.pools else ()
    return {
        "scenario": state.scenario,
        "seats": [*state.seats],
        "options": {
            "battles": state.options.battles,
            "turns": state.options.turns,
            "switches": {**plain_switches(state.options.switches)},
        },
        "turn": state.turn,
        "phase": state.phase,
        "units": {code: _counter(state.units[code]) for code in _sorted(state.units, data)},
        "control": {town: state.control[town] for town in data.towns if town in state.control},
        "razed": {point: state.razed[point] for point in data.points if point in state.razed} if state.razed else {},
        "pools": {owner: [*state.pools[owner]] for owner in owners},
        "fallen": {code: state.fallen[code] for code in _sorted(state.fallen, data)},
        "spells": {code: [*state.spells[code]] for code in _sorted(state.spells, data)},
        "bell": state.bell and _map_bell(state.bell),
        "queue": state.queue and _queue(state.queue, data),
        "battle": state.battle and _battle(state.battle, data),
        "result": state.result and {"winner": state.result.winner, "reason": state.result.reason},
    }


@lru_cache(maxsize=64)
def plain_switches(switches: Switches) -> Mapping[str, Any]:
    """Switches as plain data."""
    return asdict(switches)


def _sorted(codes: Iterable[str], data: Data) -> list[str]:
    return sorted(codes, key=data.roster.__getitem__)


def _in_seat_order(values: Mapping[str, Any], data: Data) -> dict[str, Any]:
    return {seat: values[seat] for seat in data.nations if seat in values}


def _counter(one: Counter) -> dict[str, Any]:
    return {"seat": one.seat, "at": one.at, "done": one.done}


def _map_bell(bell: MapBell) -> dict[str, Any]:
    return {"seat": bell.seat, "at": bell.at, "carrier": bell.carrier}


def _queue(queue: Queue, data: Data) -> dict[str, Any]:
    return {
        "seats": [*queue.seats],
        "letters": {
            seat: None if letter is None else str(letter)
            for seat, letter in _in_seat_order(queue.letters, data).items()
        },
        "todo": [[seat, number] for seat, number in queue.todo],
    }


def _battle(battle: Battle, data: Data) -> dict[str, Any]:
    return {
        "at": battle.at,
        "origin": battle.origin,
        "terrain": battle.terrain,
        "walls": battle.walls,
        "fort": battle.fort,
        "turn": battle.turn,
        "attacker": battle.attacker,
        "defender": battle.defender,
        "units": {code: _fighter(battle.units[code]) for code in _sorted(battle.units, data)},
        "spells": [{"spell": one.spell, "by": one.by, "on": one.on} for one in battle.spells],
        "cast": [[leader, spell] for leader, spell in battle.cast],
        "raised": [*battle.raised],
        "exit": _in_seat_order(battle.exit, data),
        "left": {seat: [*codes] for seat, codes in _in_seat_order(battle.left, data).items()},
        "bell": battle.bell and _board_bell(battle.bell),
        **({"fast": [*battle.fast]} if battle.fast else {}),
        **({"plans": {seat: plan and _plan(plan) for seat, plan in battle.plans.items()}} if battle.plans else {}),
    }


def _plan(plan: Plan) -> dict[str, Any]:
    return {"orders": str(plan.orders), "turn": plan.turn, "rounds": plan.rounds, "units": plan.units}


def _fighter(one: Fighter) -> dict[str, Any]:
    return {"seat": one.seat, "space": one.space, "group": one.group, "spent": one.spent}


def _board_bell(bell: BoardBell) -> dict[str, Any]:
    return {"seat": bell.seat, "space": bell.space, "carrier": bell.carrier, "silent": bell.silent}
