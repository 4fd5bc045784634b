"""Turns adjudicated for other programs, as questions and answers in JSON (§11)."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pbem.games.base import Chair, Ruling, Seat
from pbem.games.capabilities import QuestionError
from pbem.games.chance import Chance
from pbem.games.kit.questions import state_asked_about
from pbem.games.rocknroll import rules
from pbem.games.rocknroll.cardfile import FIRST, find_set
from pbem.games.rocknroll.cards import CardSet, Count
from pbem.games.rocknroll.loading import TWO_SEATS, load, read_seats
from pbem.games.rocknroll.state import State, dump
from pbem.typed import Key, Parsed, Reader, quote


def read_question(question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
    """Return the state that `question` is about, and the seats of that state. Raises QuestionError for a faulty
    question, or GameError for a faulty position."""
    state = load(state_asked_about(question))
    return state, tuple(seat for seat, _ in state.seats)


def answered(state: State) -> dict[str, Any]:
    """Return the answer to a question about a state: the state itself, the seats whose orders are awaited, and the OK
    of each seat's side."""
    scores = {seat: state.ok[side] for seat, side in state.seats}
    return {"state": dump(state), "awaiting": sorted(rules.awaiting(state)), "scores": scores}


def set_up(options: Mapping[str, Any], chance: Chance) -> tuple[Ruling[State], tuple[Seat, ...]]:
    """Set up a war; return its first state with the events of the set-up, and its seats. Raises QuestionError if
    `options` are faulty."""
    cards, seats, limit = chosen(options)
    return rules.set_up(cards, seats, limit, chance), tuple(seat for seat, _ in seats)


def named_set(name: Any) -> CardSet:
    """Return the set of cards that has the given name or path. Raises ValueError if `name` is not a text, or GameError
    if there is no valid set."""
    if not isinstance(name, str):
        raise ValueError(f"this should be a name or a path, not {quote(name)}.")
    return find_set(name)


class _New(NamedTuple):
    """The options of a new war. If no limit is given, the limit of the set applies."""

    cards: Annotated[CardSet, Key("set"), Parsed(named_set)]
    limit: Count | None
    seats: Annotated[tuple[Chair, ...], Parsed(read_seats)] = TWO_SEATS


def chosen(options: Mapping[str, Any]) -> tuple[CardSet, tuple[Chair, ...], int | None]:
    """Read the set, the seats and the limit from the options. Raises QuestionError with every problem, one per line."""
    reader = Reader()
    new = reader.read(_New, {"set": FIRST, "limit": None, **options})
    if reader.problems:
        raise QuestionError("\n".join(reader.problems))
    return new.cards, new.seats, new.limit if "limit" in options else new.cards.numbers.limit


def titles(before: State, after: State) -> tuple[str, str]:
    """Return two headings: one for the turn that leads from `before` to `after`, and one for the row of Points after
    it."""
    return (
        f"Round {before.round}, the turn of {before.on_turn or 'nobody'}",
        f"The row of Points in round {after.round}",
    )
