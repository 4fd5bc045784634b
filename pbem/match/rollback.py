"""Taking back what was played: returning a match to the beginning of a turn, playing a turn again, correcting a board,
and continuing a match after an older database was restored.

All functions are pure: they take values and `now`, and return effects. Orders that answer a letter from before such a
change no longer belong to any turn.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import means_round
from pbem.match import ballots, clock
from pbem.match.chance import (
    attempt_of,
    comes_from_older_secret,
    dealing,
    dealt_again,
    freed_round,
    new_secret,
    renewed,
    reopened,
    reshuffled,
    with_new_secret,
)
from pbem.match.clock import ending, leave, play
from pbem.match.effects import Effect, Note, Play, Save, Send, Undo, notice
from pbem.match.identity import Holder
from pbem.match.lifecycle import becomes
from pbem.match.model import ChangedPast, Former, Match, Turn, Wish
from pbem.match.reports import tell, to_seat, waiting, written_to
from pbem.match.sections import DecisionError, name_of, where_it_stands
from pbem.match.time_control import cool, fresh_deadline, refreshed_deadline, with_banks_after, with_increments


def find_turns(match: Match, name: str) -> list[Turn]:
    """Return the played turns whose number or name is `name`, oldest first. Several turns may share a short name."""
    return [turn for turn in match.turns if name == str(turn.turn) or means_round(name_of(match, turn), name)]


def find_turn(match: Match, name: str) -> Turn:
    """Return the played turn whose number or name is `name`. Raises DecisionError if there is no such turn, or if there
    are several."""
    turns = find_turns(match, name)
    values: dict[str, object] = {"match": match.name, "turn": name}
    if len(turns) == 1:
        return turns[0]
    if turns:
        numbers = ", ".join(str(turn.turn) for turn in turns)
        raise DecisionError("Several turns of {match} are called {turn}: give the number, {numbers}.",
                            numbers=numbers, **values)  # fmt: skip
    if not match.turns:
        raise DecisionError("There is no turn {turn} of {match}: no turn has been played so far.", **values)
    first, last = name_of(match, match.turns[0]), name_of(match, match.turns[-1])
    raise DecisionError("There is no turn {turn} of {match}: turns {first} to {last} have been played.",
                        first=first, last=last, **values)  # fmt: skip


def roll_back(match: Match, turn: Turn, now: datetime, reason: str, by: str = "") -> list[Effect]:
    """Take the match back to the beginning of a turn. Everything that was played since then is kept, but no longer
    counts. `by` names the players if they have agreed to it.

    A paused match remains paused. The old dice and draws are known by now, so chance decides anew.
    """
    phase = becomes(match, "paused" if match.phase == "paused" else "running", "rollback")
    before = replace(_before(match, turn), phase=phase)
    if match.over or comes_from_older_secret(match, turn.secret, turn.turn):
        after = dealt_again(with_new_secret(before) if match.over else before)
        content, anew, noted = {}, False, dealing(before, after)
    else:
        attempt = attempt_of(match) + 1
        state = reshuffled(match, turn, attempt)
        after = replace(before, secret=new_secret(match, turn.turn, attempt), state=state)
        content, noted = {"state": match.game.dump(state)} if state != turn.before else {}, []
        # Nobody has seen what was drawn in a turn whose report is under review.
        anew = bool(content) and reshuffled(match.as_told(), turn, attempt) != turn.before
    after = fresh_deadline(after, now)
    note = Note("rollback", {"turn": turn.turn, "reason": reason, **content}, match)
    values = {
        "dropped": _with_later(match),
        "back": [seat for seat in match.gone if seat not in after.gone],
        "anew": anew,
        "by": by,
        **renewed(before, after),
        **ballots.dropped(match),
    }
    letters = tell(after, "rollback", now, turn=after.round, reason=reason, **values)
    return [Undo(match, turn.turn), Save(after), *noted, note, *letters]


def reopen(match: Match, now: datetime, reason: str) -> list[Effect]:
    """Take back the end of a match, unless the match ended by its rules. The match continues from the moment of its
    end, with the orders that stood then and a fresh deadline; the count of missed turns starts again. An annulled match
    becomes what it was before; if it was finished, it is finished again, with its result. Raises DecisionError if the
    match cannot be reopened."""
    if match.past.place and not match.past.place.has:
        raise DecisionError("Another game replaces {match} in its round.", match=match.name)
    if match.phase == "finished" and match.game.result(match.state):
        turn = last.turn if (last := match.past.last) else match.turn
        raise DecisionError("{match} ended by its rules: `rollback {match} {turn} because ...` takes that back.",
                            match=match.name, turn=turn)  # fmt: skip
    phase, result = _before_end(match)
    former = Former(match.phase, match.result) if match.phase == "finished" else None
    after = replace(match, phase=becomes(match, phase, "reopen"), result=result, former=former)
    if phase == "review" and (last := match.past.last):  # letters that are made from now on need the turn
        after = replace(after, past=ChangedPast(match.past, until=last.turn, added=(last,)))
    over = after
    if result is None:
        after = _going_on(after, now)
    note = Note("reopen", {"phase": phase, "winner": result and result.winner, "reason": reason}, match)
    excused = match.missed if phase == "running" and match.terms.forfeit and any(match.missed.values()) else {}
    seen = [seat for seat in match.seats if match.past.looked and _has_ordered(match, seat)]
    told = {"excused": excused, "place": match.past.place, "seen": seen, **renewed(over, after)}
    letters = tell(after, "reopen", now, reason=reason, **told)
    begun = clock.begin(after, now) if phase == "offered" and after.accepted_by_all else []
    dealt = dealing(over, after) if result is None else []
    return [Save(after), note, *dealt, *letters, *begun]


def _before_end(match: Match) -> Former:
    """Return the phase and result of a match before its end; a paused match counts as running."""
    if match.phase == "finished":
        phase, result = Former("running")
    else:
        ended = ending(match)  # a game imported as annulled may have a result
        phase, result = match.former or Former("finished" if ended else "running", ended)
    if phase in ("running", "paused"):
        phase = "running" if match.accepted_by_all else "offered"
    return Former(phase, result)


def _going_on(match: Match, now: datetime) -> Match:
    """Return a match that is no longer over, prepared for further play. Its secret was revealed at its end, so it gets
    a new secret."""
    wishes: dict[Wish, frozenset[Seat]] = {"wait": match.wishes.get("wait", frozenset())}
    match = replace(match, deadline=None, due=None, cooling=None, open_commands={}, wishes=wishes)
    match = dealt_again(with_new_secret(match))
    if match.phase == "offered":
        return replace(match, gone={}, due=now + match.terms.accept)
    if match.phase == "review":
        return replace(match, due=now + (match.terms.review or clock.OFFER))
    return cool(fresh_deadline(replace(match, missed={}), now), now)


def play_again(match: Match, turn: Turn, now: datetime, reason: str) -> list[Effect]:
    """Replay the last turn from the same orders under newer rules. Seats that left the match after this turn leave it
    again, and are not asked for orders in between."""
    standing = {seat: entry for seat, entry in turn.orders.items() if entry}
    before = replace(_before(match, turn), phase="running", standing=standing, secret=turn.secret)
    before = with_banks_after(with_new_secret(before) if match.over else before, turn)
    note = Note("readjudicate", {"turn": turn.turn, "reason": reason}, match)
    played = play(before, now, attempt_of(match) + bool(match.drawing))
    first, *_, after = _stages(played)
    goes_on = not (after.result or ending(after))
    again = renewed(replace(first, deck=match.deck) if goes_on else after, after)
    letters = tell(before, "readjudicate", now, reason=reason, **again, **ballots.dropped(match))
    effects = [Undo(match, turn.turn), note, *letters, *played]
    leaving = _left_since(match, after)
    effects = [
        effect
        for effect in effects
        if not (isinstance(effect, Send) and effect.holder and effect.holder.seat in leaving)
    ]
    return [*effects, *leave(after, leaving, now)]


def _stages(effects: Iterable[Effect]) -> list[Match]:
    """Return the match after the turn and after each later change among `effects`. The first stage is listed twice, so
    that there are always at least two."""
    stages = [
        effect.after if isinstance(effect, Play) else effect.match
        for effect in effects
        if isinstance(effect, Play | Save)
    ]
    return [stages[0], *stages]


def _left_since(match: Match, after: Match) -> dict[Seat, Sentence]:
    """Return the seats that have left the match since its last turn and are still playing in `after`, the match after
    the replay; each with the reason."""
    if after.result or ending(after):
        return {}
    return {
        seat: Sentence("{side} had left before the turn was played again.", side=Sentence(match.game.called[seat]))
        if match.holders[seat].untold
        else Sentence(
            "{name} ({side}) had left before the turn was played again.",
            name=match.holders[seat].name,
            side=match.game.called[seat],
        )
        for seat in match.gone
        if seat not in after.gone
    }


def correct(match: Match, state: Any, now: datetime, reason: str) -> list[Effect]:
    """Replace the board of a match with `state`; orders for the old board are dropped."""
    dropped: dict[str, Any] = {name: {} for name in ("standing", "proposals", "open_commands", "later", "motions")}
    after = replace(match, state=state, holders=_with_new_tokens(match), **dropped)
    after = refreshed_deadline(reopened(after), now)
    ended = ballots.dropped(match)
    note = Note("position", {"turn": match.turn, "state": match.game.dump(state), "reason": reason}, match)
    return [
        Undo(match, match.turn),
        Save(after),
        note,
        *tell(after, "position", now, reason=reason, dropped=_with_later(match), **freed_round(match), **ended),
    ]


def _before(match: Match, turn: Turn) -> Match:
    """Return the match as it was when `turn` began."""
    past = ChangedPast(match.past, until=turn.turn)
    at_start = with_banks_after(match.at_turn(turn.turn, turn.before), past.last)
    return replace(
        with_increments(at_start) if past.last else at_start,
        past=past,
        result=None,
        later={},
        wishes={},
        gone={seat: since for seat, since in match.gone.items() if since <= turn.turn},
        missed={seat: _missed_in_a_row(match, past.turns, seat) for seat in match.seats},
        holders=_with_new_tokens(match),
    )


def _has_ordered(match: Match, seat: Seat) -> bool:
    return any(seat in orders for orders in (match.standing, match.standing_orders, match.later))


def _with_later(match: Match) -> list[Seat]:
    """Return the seats with orders for later turns. Rolling back or correcting the match drops these orders."""
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


def tell_restored(match: Match, since: str, now: datetime) -> list[Effect]:
    """Tell every seat that an older database was restored: where its game stands, which questions are waiting for its
    answer, and what it has to send again. The match gets a new secret, and everything that may have been revealed is
    drawn again.

    `since` is a text that names the moment after which everything was forgotten. A turn whose orders are closed keeps
    its own secret and its round of the beacon, which are the same for everyone.
    """
    after = with_new_secret(match, now)
    is_closed = bool(match.drawing) and match.is_set_up
    after = after if is_closed else dealt_again(after)
    after = after if after.standing == match.standing else cool(after, now)
    effects: list[Effect] = [Save(after), *([] if is_closed else dealing(match, after))]
    for seat in written_to(after):
        holder = after.holders[seat]
        section = notice("put back", since=since, match=after, seat=seat, **renewed(match, after))
        waiting_sections = waiting(after, seat) if after.is_set_up else ()
        effects.append(
            to_seat(after, holder, "put back", "put-back", section, *waiting_sections, *where_it_stands(after, seat))
        )
    return effects
