"""Sandboxes: matches in which one person plays all sides, from the beginning or from a position of their choice.

Nothing is hidden from the player, and nobody else learns anything of a sandbox except the people whom the player has
asked to watch. `match/sandbox_letters.py` answers the letters to a sandbox.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem import Sentence
from pbem.games.base import AnyGame, Result, seats_of
from pbem.match import clock, reports, rollback
from pbem.match.effects import Effect, NewMatch, Note, Save, Section, Send
from pbem.match.identity import Player
from pbem.match.model import Match, Placed
from pbem.match.reply import Reply
from pbem.match.sections import DecisionError, name_of, opening, position
from pbem.match.terms import Terms
from pbem.orders.wanted import parse_tried

MOST = 5
"""The maximum number of sandboxes that a person may have at the same time."""

UNUSED = Sentence("The sandbox was closed, because no letter to it had come for 90 days.")


def begin_sandbox(reply: Reply, written: str) -> None:
    """Begin a sandbox for the writer: of the game that `written` names, or from a position of a match."""
    wanted = parse_tried(written)
    reply.introduce()
    match = reply.match_named(wanted.match.lower()) if wanted.match else None
    if wanted.match and (match is None or not match.is_set_up):
        reply.notice("nothing to begin from", name=wanted.match)
        return
    is_open = match is None or match.over or (match.sandbox and match.held_by(reply.person))
    own = [match.name for match in reply.case.facts.own if match.sandbox and match.held_by(reply.person)]
    begun = [effect for effect in reply.later if isinstance(effect, NewMatch) and effect.sandbox]
    if match and not is_open:
        reply.notice("not ended", name=match.name)
        return
    if match:
        new = from_position(match, wanted.turn, reply.person, reply.case.terms)
    else:
        new = new_sandbox(wanted.game, wanted.options, reply.person, reply.case.terms)
    if new in begun:
        return  # written twice
    if len(own) + len(begun) >= MOST:
        reply.once("enough sandboxes", limit=MOST, names=own, begun=len(begun))
    else:
        reply.later.append(new)


def new_sandbox(game: AnyGame, options: Mapping[str, Any], player: Player, terms: Terms) -> NewMatch:
    """Return the effect that begins a sandbox of `player`, at a desk whose games have `terms`. Nothing waits for
    anybody in it."""
    seats = seats_of(game, options)
    own = Terms(replace(terms.deadline, every=None), press=False, sealed=False, chance="desk")
    return NewMatch(game.name, dict.fromkeys(seats, player), options, own, frozenset(seats), sandbox=True)


def from_position(match: Match, turn: str, player: Player, terms: Terms) -> NewMatch:
    """Return the effect that begins a sandbox from the position of `match` at the beginning of `turn`, by default of
    its last turn. Raises DecisionError if there is no such turn."""
    if turn == match.round or not (turn or match.past.last):
        placed = Placed(match.state, match.name, match.round)
    else:
        played = rollback.find_turn(match, turn) if turn else match.turns[-1]
        placed = Placed(played.before, match.name, name_of(match, played))
    if match.game.result(placed.state):
        raise DecisionError("The game is over in that position: name an earlier turn.")
    return new_sandbox(match.game, match.options, player, terms)._replace(placed=placed)


def close(match: Match, now: datetime, why: str) -> list[Effect]:
    """Return the effects that end a sandbox with the sentence `why`, with a letter to its player and one to everybody
    who watches it."""
    first = match.holders[match.seats[0]]
    done = clock.finish(match, Result(None, why, forfeit=True), now, "the players")
    return [
        one
        for one in done
        if not (isinstance(one, Send) and one.player.id == first.player.id and one.holder)
        or one.holder.seat == first.seat
    ]


def begin(match: Match, placed: Placed | None) -> list[Effect]:
    """Return the effects that begin a sandbox, from the position `placed` if it is given, with the first letter."""
    holder = match.holders[match.seats[0]]
    noted: list[Effect] = []
    if placed:
        match = replace(match, state=placed.state)
        why = f"The position of {placed.match} before turn {placed.turn}."
        noted = [Note("position", {"turn": match.turn, "state": match.game.dump(match.state), "reason": why}, match)]
    told = Section("sandbox", {"match": match, "placed": placed})
    sections = (told, *(() if placed else opening(match, None)), position(match, None))
    return [Save(match), *noted, reports.to_seat(match, holder, "invitation", "invitation", *sections)]
