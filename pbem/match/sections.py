"""Sections and other parts that several kinds of letters share, such as the position of a match."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pbem import PbemError, Say, Sentence
from pbem.games.base import AnyGame, Event, Reader, Seat
from pbem.games.capabilities import as_grid_game, can_be_analysed, names_rounds, opening_of, round_name, within_turn
from pbem.games.chance import read_source, set_up_source
from pbem.match.anonymous import with_side
from pbem.match.effects import Section
from pbem.match.model import Entry, Match, Turn
from pbem.match.time_control import deadline_for
from pbem.orders import conditions, reader
from pbem.orders.command import ANY_TURN, LetterText
from pbem.orders.lines import Reading


class DecisionError(PbemError):
    """Raised if a decision cannot be carried out. The reason is given as a `Sentence`, or as a template and its
    values."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values))


def people(match: Match) -> tuple[tuple[str, Seat], ...]:
    """Return the names of the people in a match, each with the seat that the person holds. Everyone is listed under
    their full name and under their first name."""
    named = ((holder.name, seat) for seat, holder in match.holders.items())
    return tuple((called, seat) for name, seat in named for called in dict.fromkeys((name, *name.split()[:1])))


def position(match: Match, seat: Seat | None, *, turn: Turn | None = None, key: bool = False) -> Section:
    """Return the section with the position of a match as `seat` or, if `seat` is None, everyone may see it: the board,
    the score, what the seat may do now, and until when. What happened in `turn`, the turn before, is marked.

    The signs on the board are explained during the first turn and, if `key` is true, for somebody who may be new.
    """
    game = match.game
    seat = None if match.sandbox else seat
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
            **board_of(game, seen, *_changes(game, turn, reader)),
            "changes": turn is not None,
            "key": key or match.turn == 1,
            "board": rounds.board_name(seen) if rounds else game.phrases.board,
            "summary": partial(game.summary, view),
            "holdings": partial(game.holdings, seen, seat) if seat and match.result is None else (),
            "prospects": partial(game.prospects, view, seat) if awaited and seat else ("", ""),
            "analysed": match.phase == "finished" and bool(match.turn > 1) and can_be_analysed(game),
            "entry": entry,
            "missing": match.missing(),
            "deadline": deadline_for(match, seat),
            "sides": partial(all_sides, match) if match.sandbox else (),
        },
    )


class SideShown(NamedTuple):
    """A side of a sandbox: its orders that stand, what it holds, what it may do now, and an example of orders."""

    seat: Seat
    entry: Entry | None
    holdings: tuple[tuple[str, str], ...]
    prospects: str
    example: str


def all_sides(match: Match, *, say: Say) -> tuple[SideShown, ...]:
    """Return the sides of a sandbox, all as its player sees them."""
    game, view = match.game, match.view(None)
    awaited = game.awaiting(match.state) if match.result is None else ()
    return tuple(
        SideShown(
            seat,
            match.standing.get(seat),
            game.holdings(view, seat, say=say) if match.result is None else (),
            *(game.prospects(view, seat, say=say) if seat in awaited else ("", "")),
        )
        for seat in match.seats
    )


def _changes(game: AnyGame, turn: Turn | None, reader: Reader) -> tuple[Any | None, Sequence[Event]]:
    """Return what `reader` may know of a turn: the view before it, and its events."""
    return (game.view(turn.before, reader), game.redact_events(turn.events, reader)) if turn else (None, ())


def opening(match: Match, seat: Seat | None) -> tuple[Section, ...]:
    """Return the section on what chance decided in the set-up of a new match, such as who begins and what was dealt; ()
    if chance decided nothing."""
    game, reader = match.game, match.reader(seat)
    events = game.redact_events(opening_of(game, match.state, match.deck), reader)
    story = partial(game.story, game.view(match.state, reader), events)
    source = read_source(set_up_source(match.deck))._replace(secret="") if events else None
    return (Section("opening", {"match": match, "story": story, "source": source}),) if source else ()


def manual(topic: str, match: Match | None, seat: Seat | None, *, directs: bool) -> Section:
    """Return the section that answers `help`, about `match` if it is not None. `directs` says whether the reader is a
    game master."""
    shown = match and match.is_set_up
    view = match.game.view(match.state, match.reader(seat or None)) if match and shown else None
    values = {"picture": partial(match.game.picture, view)} if match and shown else {}
    return Section(
        "help", {"topic": topic, "match": match, "seat": seat, "directs": directs, "listed": False, **values}
    )


def name_of(match: Match, turn: Turn) -> str:
    """Return the name of a turn that was played."""
    return round_name(match.game, turn.before, turn.turn)


def board_of(game: AnyGame, view: Any, since: Any | None, events: Sequence[Event] = ()) -> dict[str, Any]:
    """Return values that show a view of a match in letters: `picture`, the board as text; `cells`, the board as an HTML
    table if the game has one; and `draw`, a function that draws it as SVG in the language of the reader. Changes since
    the view `since` are marked and, in the drawing, the `events`, of which the reader must be allowed to know."""
    if view is None:
        return {"picture": (), "cells": (), "draw": None}

    def draw(say: Say) -> str:  # not a `partial`, because most letters have no use for it
        return game.svg(view, since, events, say=say)

    table = as_grid_game(game)
    cells = partial(table.cells, view, since) if table else ()
    return {"picture": partial(game.picture, view, since), "cells": cells, "draw": draw}


def where_it_stands(match: Match, seat: Seat) -> tuple[Section, ...]:
    """Return the section that a seat needs in order to play on: the position of the match or, if the seat has not
    accepted yet, the invitation. Return () if the seat is waiting for others to accept."""
    if match.is_set_up:
        return (position(match.as_told(), seat),)
    return () if seat in match.accepted else (invitation(match, seat),)


def invitation(match: Match, seat: Seat) -> Section:
    """Return the section on the game to which a seat is invited, with the other players."""
    return Section("invitation", {"match": match, "seat": seat, "others": match.others(seat)})


def in_full(match: Match, seats: Sequence[Seat]) -> str:
    """Return the names of the holders of `seats`, each with the name of the seat, joined as in a sentence."""
    return listed([with_side(match, seat) for seat in seats])


def listed(texts: Sequence[str]) -> str:
    """Return `texts` joined as `Red`, `Red and Blue` or `Red, Blue and Green`, in a form that can be translated."""
    *first, last = texts
    return Sentence("{first} and {last}", first=tuple(first), last=last) if first else last


def why(error: PbemError) -> str:
    """Return the text of an error. If the error was made from a `Sentence`, return this `Sentence`, so that readers get
    it in their language."""
    return next((argument for argument in error.args if isinstance(argument, Sentence)), str(error))


def pending(match: Match, seat: Seat) -> Mapping[str, Any]:
    """Return the values for the end of a letter to `seat` about orders: the seats whose orders are missing, the
    deadline, and the orders kept for later turns that would be illegal in the present position, with the reasons."""
    deadline = match.deadline and match.deadline.moment
    return {"missing": match.missing(), "deadline": deadline, "unfit": unfit(match, seat)}


def read_orders(match: Match, seat: Seat, text: str) -> Reading:
    """Return the reading of `text` as orders of `seat` in the present position. This is for orders that were kept for a
    later turn, or that are only being tried out."""
    return reader.read_orders(match.standpoint(seat), LetterText(rest=text))


def why_not(match: Match, seat: Seat, text: str) -> Sentence | None:
    """Return a sentence that explains why orders for a later turn would be illegal in the present position, or None if
    they would be legal. Of orders with a condition, this is about all that may apply."""
    if within_turn(match.game, match.state):
        return None  # the orders are for the board after this turn of the game
    readings = (read_orders(match, seat, case) for case in conditions.branches(match.standpoint(seat), text))
    wrong = (mistake.sentence for reading in readings if reading.orders is None for mistake in reading.mistakes)
    return next(wrong, None)


def unfit(match: Match, seat: Seat) -> Mapping[int, Sentence]:
    """Return, for each later turn for which the orders of `seat` would be illegal in the present position, a sentence
    that explains why. Of orders with a condition, only those that would apply now count."""
    standpoint, later_orders = match.standpoint(seat), match.later.get(seat, ())
    of_turns = ((orders.turn, orders.written) for orders in later_orders if orders.turn != ANY_TURN)
    apply_now = (
        (turn, choice.orders if (choice := conditions.choose(standpoint, written)) else written)
        for turn, written in of_turns
    )
    return {turn: wrong for turn, text in apply_now if text and (wrong := why_not(match, seat, text))}
