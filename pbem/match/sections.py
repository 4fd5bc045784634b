"""Parts of letters that several kinds of letter have: where a match stands, what a turn came to."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pbem import PbemError, Sentence
from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import can_be_analysed, names_rounds, opening_of, round_name, tabled, within_turn
from pbem.games.chance import read_source
from pbem.match.effects import Section
from pbem.match.model import Match, Turn
from pbem.orders import reader
from pbem.orders.command import Words
from pbem.orders.lines import Reading


class DecisionError(PbemError):
    """A decision that cannot be carried out, and why: a sentence, and the values that stand in it."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values))


def people(match: Match) -> tuple[tuple[str, Seat], ...]:
    """What the people of a match are called, in full and by the first of their names."""
    named = ((holder.name, seat) for seat, holder in match.holders.items())
    return tuple((called, seat) for name, seat in named for called in dict.fromkeys((name, *name.split()[:1])))


def position(match: Match, seat: Seat | None, *, since: Any | None = None) -> Section:
    """Where a match stands for one seat, or for everybody: the board, the count, what it may do now and until when."""
    game = match.game
    reader = match.reader(seat)
    view = game.view(match.state, reader)
    rounds = names_rounds(game)
    seen = rounds.seen_by(view, seat) if rounds else view
    awaited = match.result is None and seat is not None and seat in game.awaiting(match.state)
    entry = match.standing.get(seat) if seat else None
    return Section(
        "position",
        {
            "match": match,
            "seat": seat,
            "stage": "" if match.result else partial(game.phase, view),
            **board_of(game, seen, None if since is None else game.view(since, reader)),
            "changes": since is not None,
            "board": rounds.board_name(seen) if rounds else game.phrases.board,
            "summary": partial(game.summary, view),
            "holdings": partial(game.holdings, seen, seat) if seat and match.result is None else (),
            "prospects": partial(game.prospects, view, seat) if awaited and seat else ("", ""),
            "analysed": match.phase == "finished" and bool(match.turn > 1) and can_be_analysed(game),
            "entry": entry,
            "missing": match.missing(),
            "deadline": match.deadline and match.deadline.moment,
        },
    )


def opening(match: Match, seat: Seat | None) -> tuple[Section, ...]:
    """How a match that begins was set up, where chance decided on that: who begins, what was dealt."""
    game, reader = match.game, match.reader(seat)
    events = game.redact_events(opening_of(game, match.state, match.deck), reader)
    story = partial(game.story, game.view(match.state, reader), events)
    source = read_source(match.deck)._replace(secret="") if events else None
    return (Section("opening", {"match": match, "story": story, "source": source}),) if source else ()


def name_of(match: Match, turn: Turn) -> str:
    """What a turn that was played is called."""
    return round_name(match.game, turn.before, turn.turn)


def board_of(game: AnyGame, view: Any, since: Any | None) -> dict[str, Any]:
    """A view of a match as letters show it: a picture in their text, and in HTML a table where the game has one."""
    if view is None:
        return {"picture": (), "cells": ()}
    table = tabled(game)
    cells = partial(table.cells, view, since) if table else ()
    return {"picture": partial(game.picture, view, since), "cells": cells}


def where_it_stands(match: Match, seat: Seat) -> tuple[Section, ...]:
    """What a seat has to know to go on: where the match stands, or that it is invited still."""
    if match.is_set_up:
        return (position(match.as_told(), seat),)
    return () if seat in match.accepted else (invitation(match, seat),)


def invitation(match: Match, seat: Seat) -> Section:
    """Which game a seat is asked to play, and with whom."""
    return Section("invitation", {"match": match, "seat": seat, "others": match.others(seat)})


def in_full(match: Match, seats: Sequence[Seat]) -> str:
    """Who holds these seats, and which those are."""
    names = {seat: match.holders[seat].name for seat in seats}
    return listed([Sentence("{name} ({side})", name=names[seat], side=match.game.called[seat]) for seat in seats])


def listed(texts: Sequence[str]) -> str:
    """`Red`, `Red and Blue`, `Red, Blue and Green`, to be told in any language."""
    *first, last = texts
    return Sentence("{first} and {last}", first=tuple(first), last=last) if first else last


def why(error: PbemError) -> str:
    """What an error says; where it was made of a `Sentence` that is one still, so that its reader gets it in his
    language."""
    return next((argument for argument in error.args if isinstance(argument, Sentence)), str(error))


def pending(match: Match, seat: Seat) -> Mapping[str, Any]:
    """What every letter to a seat about orders says at its end: who is still to write, and until when; what of the seat
    is kept for later, and why it could not be as things stand."""
    deadline = match.deadline and match.deadline.moment
    return {"missing": match.missing(), "deadline": deadline, "unfit": unfit(match, seat)}


def read_orders(match: Match, seat: Seat, text: str) -> Reading:
    """How orders that were kept for later, or are only tried, are read as things stand."""
    return reader.read_orders(match.game, match.state, seat, Words(rest=text))


def why_not(match: Match, seat: Seat, text: str) -> Sentence | None:
    """Why orders for later could not be carried out as things stand; None if they could."""
    if within_turn(match.game, match.state):
        return None  # what is kept is for another board
    reading = read_orders(match, seat, text)
    return next((mistake.sentence for mistake in reading.mistakes), None) if reading.orders is None else None


def unfit(match: Match, seat: Seat) -> Mapping[int, Sentence]:
    """Why some of what a seat has given for later could not be carried out as things stand, by turn."""
    later_orders = match.later.get(seat, ())
    return {orders.turn: wrong for orders in later_orders if (wrong := why_not(match, seat, orders.written))}
