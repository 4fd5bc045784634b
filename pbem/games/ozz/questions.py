"""The adjudication of rounds for other programs, as questions and answers in JSON (§18)."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pbem.games.base import GameError, Ruling, Seat
from pbem.games.capabilities import QuestionError
from pbem.games.chance import Chance
from pbem.games.kit.questions import state_asked_about
from pbem.games.ozz import rules, setting, state, table
from pbem.games.ozz.data import Switches
from pbem.games.ozz.dataset import FIRST, find_data
from pbem.games.ozz.loading import load, options_of
from pbem.games.ozz.state import MAX_TURNS, Battles, Options, State, dump
from pbem.typed import Between, Named, Parsed, Reader, quote


def read_question(question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
    """Return the state that `question` is about, and the seats of that state. Raises QuestionError if the question has
    no position or unknown keys, and GameError if the position is not valid."""
    state = load(state_asked_about(question))
    return state, state.seats


def answered(state: State) -> dict[str, Any]:
    """Return the answer to a question: `state` as plain data, the awaited seats, and the points so far."""
    return {"state": dump(state), "awaiting": [*rules.awaiting(state)], "scores": table.scores(state)}


class _New(NamedTuple):
    """The options of a new match."""

    scenario: Annotated[str, Named("scenario")]
    seats: Annotated[tuple[Seat, ...], Parsed("seats")]
    battles: Battles
    turns: Annotated[int, Between(1, MAX_TURNS)]
    switches: Switches


def set_up(options: Mapping[str, Any], chance: Chance) -> tuple[Ruling[State], tuple[Seat, ...]]:
    """Set up a match with the first data set, which all questions use (§14). Return its first state with the events of
    the set-up, and the seats of the match. Raises QuestionError with all problems in `options`, one per line."""
    data = find_data(FIRST)
    named = options.get("scenario")
    scenario = named if isinstance(named, str) and named in data.scenarios else next(iter(data.scenarios))

    def seats(names: Any) -> tuple[Seat, ...]:
        if not names and "seats" in options:
            raise GameError(f"seats are some of {', '.join(data.nations)}, not {quote(names)}.")
        return setting.seats(data, scenario, names)

    reader = Reader({"scenario": data.scenarios}, {"seats": seats})
    skirmish = data.scenarios[scenario]["kind"] == "skirmish"
    usual = {"scenario": scenario, "seats": None}
    new = reader.read(_New, {**usual, **options_of(data, options, skirmish=skirmish)})
    if reader.problems:
        raise QuestionError("\n".join(reader.problems))
    wanted = Options(new.battles, new.turns, new.switches)
    return state.set_up(data, new.scenario, new.seats, wanted, chance), new.seats


def titles(before: State, after: State) -> tuple[str, str]:
    """Return two headings: one for the round that began with the state `before`, and one for the map or board in the
    state `after`."""
    place = "The board" if after.battle else "The map"
    return f"Round {before.round}", f"{place} before {after.round}" if after.phase != "over" else f"{place} at the end"
