"""Rounds that other programs have adjudicated: questions and answers in JSON (§18)."""

from collections.abc import Mapping
from typing import Any

from pbem.games.base import GameError, Ruling, Seat
from pbem.games.capabilities import QuestionError
from pbem.games.chance import Chance
from pbem.games.options import quote
from pbem.games.ozz import rules, setting, state, table
from pbem.games.ozz.data import Data
from pbem.games.ozz.dataset import FIRST, find_data
from pbem.games.ozz.loading import Loader, load
from pbem.games.ozz.state import State, dump

_KEYS = ("id", "state", "new", "orders", "chance", "seed", "deck_seed", "as")
_OPTIONS = ("scenario", "seats", "battles", "turns", "switches")


def read_question(question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
    """Read the state that a question is about, and its seats. Raises QuestionError, or GameError for the position."""
    _check_keys(question, _KEYS)
    if "state" not in question:
        raise QuestionError('A question has a position, "state", or the options of a "new" match.')
    state = load(question["state"])
    return state, state.seats


def _check_keys(entries: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    if unknown := [key for key in entries if key not in keys]:
        raise QuestionError(f"There is no {', '.join(map(quote, unknown))}; there are {', '.join(keys)}.")


def answered(state: State) -> dict[str, Any]:
    """The state, the awaited seats, and the points so far."""
    return {"state": dump(state), "awaiting": [*rules.awaiting(state)], "scores": table.scores(state)}


def set_up(options: Mapping[str, Any], chance: Chance) -> tuple[Ruling[State], tuple[Seat, ...]]:
    """Set up a new match: its first state, the events of the set-up, and the seats. It uses the first data set, which
    the documentation of questions assumes (§14). Raises QuestionError with each problem on a line."""
    data = find_data(FIRST)
    wanted = _Wanted(data, options)
    if wanted.problems:
        raise QuestionError("\n".join(wanted.problems))
    return state.set_up(data, wanted.scenario, wanted.seats, wanted.chosen, chance), wanted.seats


class _Wanted(Loader):
    """Reads the options of a new match."""

    def __init__(self, data: Data, entries: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.entries = self.object("new", entries, _OPTIONS)
        names = tuple(data.scenarios)
        self.scenario: str = self.one_of("scenario", entries.get("scenario", names[0]), names)
        self.chosen = self.options(self.entries, skirmish=data.scenarios[self.scenario]["kind"] == "skirmish")
        self.seats = self._named_seats()

    def _named_seats(self) -> tuple[Seat, ...]:
        names = self.entries.get("seats")
        try:
            if "seats" in self.entries and not names:
                raise GameError(f"seats are some of {', '.join(self.data.nations)}, not {quote(names)}.")
            return setting.seats(self.data, self.scenario, names)
        except GameError as error:
            self.problems.append(str(error))
            return self.data.nations[:2]


def titles(before: State, after: State) -> tuple[str, str]:
    """The headings above a round, and above the map or the board after it."""
    place = "The board" if after.battle else "The map"
    return f"Round {before.round}", f"{place} before {after.round}" if after.phase != "over" else f"{place} at the end"
