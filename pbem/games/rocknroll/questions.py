"""Turns that other programs have adjudicated: questions and answers in JSON (§11)."""

from collections.abc import Mapping
from typing import Any

from pbem.games.base import Chair, GameError, Ruling, Seat
from pbem.games.capabilities import QuestionError
from pbem.games.chance import Chance
from pbem.games.kit.checking import MAX_NUMBER
from pbem.games.options import quote
from pbem.games.rocknroll import rules
from pbem.games.rocknroll.cardfile import FIRST, find_set
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.loading import TWO_SEATS, load, seats_of
from pbem.games.rocknroll.state import State, dump

_KEYS = ("id", "state", "new", "orders", "chance", "seed", "deck_seed", "as")
_OPTIONS = ("set", "seats", "limit")


def read_question(question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
    """Read the state that a question is about, and its seats. Raises QuestionError, or GameError for the position."""
    check_keys(question, _KEYS)
    if "state" not in question:
        raise QuestionError('A question has a position, "state", or the options of a "new" match.')
    state = load(question["state"])
    return state, tuple(seat for seat, _ in state.seats)


def check_keys(question: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Raise QuestionError for unknown keys."""
    if unknown := [key for key in question if key not in keys]:
        raise QuestionError(f"There is no {', '.join(map(quote, unknown))}; there are {', '.join(keys)}.")


def answered(state: State) -> dict[str, Any]:
    """The state, the awaited seats, and the OK of each seat's side."""
    scores = {seat: state.ok[side] for seat, side in state.seats}
    return {"state": dump(state), "awaiting": sorted(rules.awaiting(state)), "scores": scores}


def set_up(options: Mapping[str, Any], chance: Chance) -> tuple[Ruling[State], tuple[Seat, ...]]:
    """Set up a new war: its first state, the events of the set-up, and the seats. Raises QuestionError."""
    cards, seats, limit = chosen(options)
    return rules.set_up(cards, seats, limit, chance), tuple(seat for seat, _ in seats)


def chosen(options: Mapping[str, Any]) -> tuple[CardSet, tuple[Chair, ...], int | None]:
    """Read the set, the seats and the limit from options. Raises QuestionError."""
    check_keys(options, _OPTIONS)
    name = options.get("set", FIRST)
    if not isinstance(name, str):
        raise QuestionError(f"set is a name or a path, not {quote(name)}.")
    try:
        cards = find_set(name)
    except GameError as error:
        raise QuestionError("\n".join(error.problems)) from None
    seats = seats_of(options["seats"]) if "seats" in options else TWO_SEATS
    if seats is None:
        raise QuestionError("seats are pairs of a seat and its side, one to three for each side.")
    limit = options.get("limit", cards.numbers.limit)
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or not 0 < limit <= MAX_NUMBER):
        raise QuestionError(f"limit is a number of rounds from 1 to {MAX_NUMBER}, or null, not {quote(limit)}.")
    return cards, seats, limit


def titles(before: State, after: State) -> tuple[str, str]:
    """The headings above a turn, and above the row after it."""
    return (
        f"Round {before.round}, the turn of {before.on_turn or 'nobody'}",
        f"The row of Points in round {after.round}",
    )
