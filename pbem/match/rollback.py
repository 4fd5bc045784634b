"""Taking back what was played: a match as it was when a turn began, a turn played again, a corrected board.

Values and `now` in, effects out. Orders that answer an earlier letter no longer belong to any turn.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import means_round
from pbem.match import clock
from pbem.match.chance import attempt_of, freed_round, new_secret, reopened, reshuffled
from pbem.match.clock import ending, fresh_deadline, leave, play
from pbem.match.effects import Effect, Note, Play, Save, Send, Undo
from pbem.match.identity import Holder
from pbem.match.lifecycle import becomes, cool
from pbem.match.model import ChangedPast, Former, Match, Turn, Wish
from pbem.match.reports import tell
from pbem.match.sections import DecisionError, name_of


def find_turns(match: Match, name: str) -> list[Turn]:
    """The turns played with this number or name, oldest first; two may share a name."""
    return [turn for turn in match.turns if name == str(turn.turn) or means_round(name_of(match, turn), name)]


def find_turn(match: Match, name: str) -> Turn:
    """The turn played with this number or name. Raises DecisionError."""
    turns = find_turns(match, name)
    values: dict[str, object] = {"match": match.name, "turn": name}
    if len(turns) == 1:
        return turns[0]
    if turns:
        numbers = ", ".join(str(turn.turn) for turn in turns)
        raise DecisionError("Several turns of {match} are called {turn}: name one by its number, {numbers}.",
                            numbers=numbers, **values)  # fmt: skip
    if not match.turns:
        raise DecisionError("There is no turn {turn} of {match}: no turn was played yet.", **values)
    first, last = name_of(match, match.turns[0]), name_of(match, match.turns[-1])
    raise DecisionError("There is no turn {turn} of {match}: turns {first} to {last} were played.",
                        first=first, last=last, **values)  # fmt: skip


def roll_back(match: Match, turn: Turn, now: datetime, reason: str) -> list[Effect]:
    """Return the match to where it stood when a turn began. What was played since is kept but no longer counts.

    A paused match stays paused. The old dice and draws are known by now, so both are drawn anew.
    """
    phase = becomes(match, "paused" if match.phase == "paused" else "running", "rollback")
    attempt = attempt_of(match) + 1
    state = reshuffled(match, turn, attempt)
    after = replace(_before(match, turn), phase=phase, secret=new_secret(match, turn.turn, attempt), state=state)
    after = fresh_deadline(after, now)
    anew = state != turn.before
    content = {"turn": turn.turn, "reason": reason, **({"state": match.game.dump(state)} if anew else {})}
    note = Note("rollback", content, match)
    as_known = match.as_told()  # nobody has seen what was drawn in a turn whose report waits
    values = {
        "dropped": _with_later(match),
        "back": [seat for seat in match.gone if seat not in after.gone],
        "anew": anew and reshuffled(as_known, turn, attempt) != turn.before,
    }
    letters = tell(after, "rollback", now, turn=after.round, reason=reason, **values)
    return [Undo(match, turn.turn), Save(after), note, *letters]


def reopen(match: Match, now: datetime, reason: str) -> list[Effect]:
    """Take back the end of a match, unless it came by the rules. The match stands where it stood then, with the orders
    that were in and a fresh deadline; missed turns are counted anew. An annulled match becomes what it was before; if
    it was finished, it is so again, with its result. Raises DecisionError."""
    if match.past.place and not match.past.place.has:
        raise DecisionError("Another game is played in place of {match} in its round.", match=match.name)
    if match.phase == "finished" and match.game.result(match.state):
        turn = last.turn if (last := match.past.last) else match.turn
        raise DecisionError("{match} ended by its rules: `rollback {match} {turn} because ...` takes that back.",
                            match=match.name, turn=turn)  # fmt: skip
    phase, result = _before_end(match)
    former = Former(match.phase, match.result) if match.phase == "finished" else None
    after = replace(match, phase=becomes(match, phase, "reopen"), result=result, former=former)
    if phase == "review" and (last := match.past.last):  # which its letters look at, made when all this is written
        after = replace(after, past=ChangedPast(match.past, until=last.turn, added=(last,)))
    if result is None:
        after = _going_on(after, now)
    note = Note("reopen", {"phase": phase, "winner": result and result.winner, "reason": reason}, match)
    excused = match.missed if phase == "running" and match.terms.forfeit and any(match.missed.values()) else {}
    letters = tell(after, "reopen", now, reason=reason, excused=excused, place=match.past.place)
    begun = clock.begin(after, now) if phase == "offered" and after.accepted_by_all else []
    return [Save(after), note, *letters, *begun]


def _before_end(match: Match) -> Former:
    """What a match was before its end; a paused one counts as running."""
    if match.phase == "finished":
        phase, result = Former("running")
    else:
        ended = ending(match)  # of a game that was imported as annulled
        phase, result = match.former or Former("finished" if ended else "running", ended)
    if phase in ("running", "paused"):
        phase = "running" if match.accepted_by_all else "offered"
    return Former(phase, result)


def _going_on(match: Match, now: datetime) -> Match:
    """Return a match that is no longer over. The source of its chance was revealed, so chance is drawn anew."""
    wishes: dict[Wish, frozenset[Seat]] = {"wait": match.wishes.get("wait", frozenset())}
    match = replace(match, deadline=None, due=None, cooling=None, open_commands={}, wishes=wishes)
    if match.phase == "offered":
        return replace(match, gone={}, due=now + match.terms.accept)
    if match.phase == "review":
        return replace(match, due=now + (match.terms.review or clock.OFFER))
    anew = replace(match, missed={}, secret=new_secret(match, match.turn, attempt_of(match) + 1))
    return cool(fresh_deadline(anew, now), now)


def play_again(match: Match, turn: Turn, now: datetime, reason: str) -> list[Effect]:
    """Play the last turn anew from the same orders under newer rules. Seats that left after it leave again and are not
    asked for orders in between."""
    standing = {seat: entry for seat, entry in turn.orders.items() if entry}
    before = replace(_before(match, turn), phase="running", standing=standing, secret=turn.secret)
    note = Note("readjudicate", {"turn": turn.turn, "reason": reason}, match)
    letters = tell(before, "readjudicate", now, reason=reason)
    effects = [Undo(match, turn.turn), note, *letters, *play(before, now, attempt_of(match) + bool(match.drawing))]
    (*_, after) = (
        effect.after if isinstance(effect, Play) else effect.match
        for effect in effects
        if isinstance(effect, Play | Save)
    )
    leaving = _left_since(match, after)
    effects = [
        effect
        for effect in effects
        if not (isinstance(effect, Send) and effect.holder and effect.holder.seat in leaving)
    ]
    return [*effects, *leave(after, leaving, now)]


def _left_since(match: Match, after: Match) -> dict[Seat, Sentence]:
    """The seats that left a match after its last turn and have not left it in the replay."""
    if after.result or ending(after):
        return {}
    return {
        seat: Sentence(
            "{name} ({side}) had left before the turn was played again.",
            name=match.holders[seat].name,
            side=match.game.called[seat],
        )
        for seat in match.gone
        if seat not in after.gone
    }


def correct(match: Match, state: Any, now: datetime, reason: str) -> list[Effect]:
    """Replace the board; orders for the old one are dropped."""
    after = replace(
        match, state=state, standing={}, proposals={}, open_commands={}, later={}, holders=_with_new_tokens(match)
    )
    after = fresh_deadline(reopened(after), now)
    note = Note("position", {"turn": match.turn, "state": match.game.dump(state), "reason": reason}, match)
    return [
        Undo(match, match.turn),
        Save(after),
        note,
        *tell(after, "position", now, reason=reason, dropped=_with_later(match), **freed_round(match)),
    ]


def _before(match: Match, turn: Turn) -> Match:
    """The match as it was when a turn began."""
    past = ChangedPast(match.past, until=turn.turn)
    return replace(
        match.at_turn(turn.turn, turn.before),
        past=past,
        result=None,
        later={},
        wishes={},
        gone={seat: since for seat, since in match.gone.items() if since <= turn.turn},
        missed={seat: _missed_in_a_row(match, past.turns, seat) for seat in match.seats},
        holders=_with_new_tokens(match),
    )


def _with_later(match: Match) -> list[Seat]:
    """The seats whose orders for later turns are dropped."""
    return [seat for seat, later_orders in match.later.items() if later_orders]


def _missed_in_a_row(match: Match, turns: Iterable[Turn], seat: Seat) -> int:
    number = 0
    for turn in turns:
        if seat in match.game.awaiting(turn.before):
            entry = turn.orders.get(seat)
            number = 0 if entry and entry.came else number + 1
    return number


def _with_new_tokens(match: Match) -> dict[Seat, Holder]:
    return {seat: replace(holder, epoch=holder.epoch + 1) for seat, holder in match.holders.items()}
