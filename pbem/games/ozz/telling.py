"""What people are told of a round: where it stands, what happened, what everybody holds."""

from collections.abc import Sequence

from pbem.games.base import Event, Paragraph, Say, Sentence
from pbem.games.ozz import scoring, wording
from pbem.games.ozz.state import State

HOUSE = Sentence("Map, counter values and base rules are house values: the printed ones are not known to us")


def phase(state: State, say: Say) -> str:
    """Which letters are asked for."""
    battle, turns = state.battle, state.data.values["battle_turns"]
    if battle is None:
        return say("Campaign turn {turn} of {turns}.", turn=state.turn, turns=state.options.turns)
    if battle.at is None:
        return say("Turn {turn} of {turns} of the battle.", turn=battle.turn, turns=turns)
    at = wording.point(state.data, battle.at)
    return say("Turn {turn} of {turns} of the battle at {at}.", turn=battle.turn, turns=turns, at=at)


def story(before: State, events: Sequence[Event], say: Say) -> tuple[Paragraph, ...]:
    """Everything that happened, in order."""
    return (Paragraph(say("What happened"), " ".join(f"{_told(event)}." for event in events)),) if events else ()


def _told(event: Event) -> str:
    values = (value for key, value in event.items() if key != "type" and value not in (None, [], False))
    return " ".join((event["type"], *(" ".join(one) if isinstance(one, list) else str(one) for one in values)))


def summary(state: State, say: Say) -> tuple[str, ...]:
    """The points so far."""
    found = (f"{wording.nation(seat, say)} {points}" for seat, points in scoring.scores(state).items())
    return (say("Points so far: {points}.", points=", ".join(found)),)


def notes(state: State, say: Say) -> tuple[str, ...]:
    """That the numbers are ours."""
    return (say(HOUSE),)
