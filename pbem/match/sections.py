"""Parts that several kinds of letters share: the position of a match, the result of a turn and so on."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pbem import PbemError, Sentence
from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import as_grid_game, can_be_analysed, names_rounds, opening_of, round_name, within_turn
from pbem.games.chance import read_source, set_up_source
from pbem.match.effects import Section
from pbem.match.model import Match, Turn
from pbem.orders import reader
from pbem.orders.command import LetterText
from pbem.orders.lines import Reading


class DecisionError(PbemError):
    """Raised when a decision cannot be carried out; the reason is a sentence and its values."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values))


def people(match: Match) -> tuple[tuple[str, Seat], ...]:
    """Return the names of the people in a match, both full names and first names, each with its seat."""
    named = ((holder.name, seat) for seat, holder in match.holders.items())
    return tuple((called, seat) for name, seat in named for called in dict.fromkeys((name, *name.split()[:1])))


def position(match: Match, seat: Seat | None, *, since: Any | None = None) -> Section:
    """Return the position of a match for one seat, or for everyone: the board and the score, and what the seat may do
    now and until when."""
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
    """Return the section on what chance decided in the set-up of a new match: who begins, what was dealt."""
    game, reader = match.game, match.reader(seat)
    events = game.redact_events(opening_of(game, match.state, match.deck), reader)
    story = partial(game.story, game.view(match.state, reader), events)
    source = read_source(set_up_source(match.deck))._replace(secret="") if events else None
    return (Section("opening", {"match": match, "story": story, "source": source}),) if source else ()


def name_of(match: Match, turn: Turn) -> str:
    """Return the name of a turn that was played."""
    return round_name(match.game, turn.before, turn.turn)


def board_of(game: AnyGame, view: Any, since: Any | None) -> dict[str, Any]:
    """Return a view of a match for letters: a picture as text and, if the game has one, a table for HTML."""
    if view is None:
        return {"picture": (), "cells": ()}
    table = as_grid_game(game)
    cells = partial(table.cells, view, since) if table else ()
    return {"picture": partial(game.picture, view, since), "cells": cells}


def where_it_stands(match: Match, seat: Seat) -> tuple[Section, ...]:
    """Return the section that a seat needs in order to play on: the position of the match, or the invitation if that is
    still open."""
    if match.is_set_up:
        return (position(match.as_told(), seat),)
    return () if seat in match.accepted else (invitation(match, seat),)


def invitation(match: Match, seat: Seat) -> Section:
    """Return the section on the game that a seat is invited to, with its players."""
    return Section("invitation", {"match": match, "seat": seat, "others": match.others(seat)})


def in_full(match: Match, seats: Sequence[Seat]) -> str:
    """Return the names of the holders of these seats, each with the name of the seat."""
    names = {seat: match.holders[seat].name for seat in seats}
    return listed([Sentence("{name} ({side})", name=names[seat], side=match.game.called[seat]) for seat in seats])


def listed(texts: Sequence[str]) -> str:
    """Join texts as `Red`, `Red and Blue` or `Red, Blue and Green`, translatable into any language."""
    *first, last = texts
    return Sentence("{first} and {last}", first=tuple(first), last=last) if first else last


def why(error: PbemError) -> str:
    """Return the text of an error; one made from a `Sentence` stays a `Sentence`, so that readers get it in their
    language."""
    return next((argument for argument in error.args if isinstance(argument, Sentence)), str(error))


def pending(match: Match, seat: Seat) -> Mapping[str, Any]:
    """Return the end of every letter about orders to a seat: who has yet to write and until when, and which orders kept
    for later turns would be illegal as things stand, and why."""
    deadline = match.deadline and match.deadline.moment
    return {"missing": match.missing(), "deadline": deadline, "unfit": unfit(match, seat)}


def read_orders(match: Match, seat: Seat, text: str) -> Reading:
    """Read orders as things stand. They were kept for later, or are only tried out."""
    return reader.read_orders(match.standpoint(seat), LetterText(rest=text))


def why_not(match: Match, seat: Seat, text: str) -> Sentence | None:
    """Explain why orders for a later turn would be illegal as things stand; None if they are legal."""
    if within_turn(match.game, match.state):
        return None  # they are for the board after this turn of the game
    reading = read_orders(match, seat, text)
    return next((mistake.sentence for mistake in reading.mistakes), None) if reading.orders is None else None


def unfit(match: Match, seat: Seat) -> Mapping[int, Sentence]:
    """Explain why a seat's orders for later turns would be illegal as things stand; return a sentence for each turn
    with illegal orders."""
    later_orders = match.later.get(seat, ())
    return {orders.turn: wrong for orders in later_orders if (wrong := why_not(match, seat, orders.written))}
