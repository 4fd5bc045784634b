"""Rounds that other programs ask for: what a question and its answer say in JSON (ozz §18)."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from pbem.games.base import GameError, Ruling, Seat
from pbem.games.chance import Chance
from pbem.games.extras import QuestionError
from pbem.games.options import quote
from pbem.games.ozz import rules, scoring, setting, setting_up
from pbem.games.ozz.data import Data, Switches
from pbem.games.ozz.dumping import dump
from pbem.games.ozz.house import SHIPPED, find_data
from pbem.games.ozz.loading import BATTLES, MAX_TURNS, load
from pbem.games.ozz.state import Options, State

_KEYS = ("id", "state", "new", "orders", "chance", "seed", "deck_seed", "as")
_OPTIONS = ("scenario", "seats", "battles", "turns", "switches")


def asked(question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
    """The state that a question is about, and its seats. Raises QuestionError, or GameError for the position."""
    _check_keys(question, _KEYS)
    if "state" not in question:
        raise QuestionError('A question has a position, "state", or the options of a "new" match.')
    state = load(question["state"])
    return state, state.seats


def _check_keys(found: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    if unknown := [key for key in found if key not in keys]:
        raise QuestionError(f"There is no {', '.join(map(quote, unknown))}; there are {', '.join(keys)}.")


def answered(state: State) -> dict[str, Any]:
    """The state, who is to write, and the points so far."""
    return {"state": dump(state), "awaiting": [*rules.awaiting(state)], "scores": scoring.scores(state)}


def begun(options: Mapping[str, Any], chance: Chance) -> tuple[Ruling[State], tuple[Seat, ...]]:
    """A new match: its first state, the set-up's events, and the seats. Raises QuestionError."""
    _check_keys(options, _OPTIONS)
    data = find_data(SHIPPED)
    scenario = _one_of("scenario", options.get("scenario", next(iter(data.scenarios))), tuple(data.scenarios))
    if "seats" in options and not options["seats"]:
        raise QuestionError(f"seats are some of {', '.join(data.nations)}, not {quote(options['seats'])}.")
    try:
        seats = setting.seats(data, scenario, options.get("seats"))
    except GameError as error:
        raise QuestionError(str(error)) from None
    usual = "board" if data.scenarios[scenario]["kind"] == "skirmish" else "fast"
    turns = options.get("turns", data.values["turns"])
    if type(turns) is not int or not 0 < turns <= MAX_TURNS:
        raise QuestionError(f"turns is a number from 1 to {MAX_TURNS}, not {quote(turns)}.")
    battles: Any = _one_of("battles", options.get("battles", usual), BATTLES)
    found = Options(battles, turns, _switches(data, options.get("switches", {})))
    return setting_up.set_up(data, scenario, seats, found, chance), seats


def _one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise QuestionError(f"{name} is one of {', '.join(choices)}, not {quote(value)}.")
    return value


def _switches(data: Data, given: Any) -> Switches:
    if not isinstance(given, dict):
        raise QuestionError(f"switches is an object, not {quote(given)}.")
    _check_keys(given, tuple(one.name for one in fields(Switches)))
    for name, value in given.items():
        right = value in range(4) and type(value) is int if name == "dissipation" else isinstance(value, bool)
        if not right:
            kinds = "a number from 0 to 3" if name == "dissipation" else "true or false"
            raise QuestionError(f"{name} is {kinds}, not {quote(value)}.")
    return replace(data.switches, **given)


def titles(before: State, after: State) -> tuple[str, str]:
    """What stands above a round, and above the map or the board after it."""
    place = "The board" if after.battle else "The map"
    return f"Round {before.round}", f"{place} before {after.round}" if after.phase != "over" else f"{place} at the end"
