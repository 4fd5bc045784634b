"""The course of a match: turns are played, deadlines pass, games begin and end. All functions are pure: they take
values and `now`, and return effects.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem import Sentence
from pbem.games.base import Result, Seat
from pbem.games.capabilities import KeepsStandingOrders
from pbem.games.chance import read_source
from pbem.match import ballots, later, reports, stand_ins, unread
from pbem.match.anonymous import renamed, told
from pbem.match.chance import (
    chance_of,
    chance_text,
    comes_from_older_secret,
    dealing,
    dealt,
    dealt_again,
    freed_round,
    must_close,
    never_dealt,
    new_secret,
    reopened,
    source_of,
    turn_of_round,
    with_chance,
    with_round,
    with_words,
    without_round,
)
from pbem.match.effects import Course, Effect, NewHolder, Note, Play, Save, Send, WithdrawOrders, course, result_content
from pbem.match.identity import Holder, Person, Player
from pbem.match.lifecycle import PLAYED, becomes, may
from pbem.match.model import ChangedPast, Entry, Former, Match, Turn, without
from pbem.match.names import apart
from pbem.match.sections import in_full, invitation, listed, position
from pbem.match.terms import offer_due
from pbem.match.time_control import (
    clear_of_absences,
    cool,
    deadline_for,
    fresh_deadline,
    interrupt,
    moved_to,
    out_of_time,
    past_absences,
    past_outage,
    refreshed_deadline,
    reminders,
    stop_clocks,
    with_deadline,
    with_increments,
    with_new_bank,
    with_next_look,
)
from pbem.orders import reader
from pbem.times.deadlines import Deadline, deadline_at, extended

OFFER = timedelta(days=14)
"""How long a person has to accept a seat that has been offered to them."""

_MOST_TURNS = 9_999  # the maximum number of turns of a match: without orders to wait for, it would play on forever
_ANNULLED = Result(None, Sentence("The game was annulled."))


# The clock


def tick(match: Match, now: datetime, outage: tuple[datetime, datetime] | None = None) -> list[Effect]:
    """Return the effects that are due in the match at `now`: its turn is played, its deadline is extended, or its
    players are reminded, or a vote ends because its time is over.

    A seat does not miss the turn if one of its letters was set aside or is held; the match then waits beyond its
    deadline. `outage` is the time during which the desk was not running; a deadline that fell into it is postponed.
    """
    effects = _due(match, now, outage)
    return [*effects, *ballots.expire(_changed_by(match, effects), now)]


def _changed_by(match: Match, effects: Iterable[Effect]) -> Match:
    """Return the match as `effects` leave it."""
    for effect in effects:
        if isinstance(effect, Play | Save):
            match = effect.after if isinstance(effect, Play) else effect.match
    return match


def _due(match: Match, now: datetime, outage: tuple[datetime, datetime] | None) -> list[Effect]:
    """Return the effects that are due in the match at `now`, apart from the end of votes."""
    due = match.due is not None and match.due <= now
    if may(match, "the round comes"):
        return _draw(match, now, late=due)
    if match.is_deserted() and may(match, "pause"):
        told = course("pause", match, None, by=Sentence("this desk"))
        return [*pause(match, now, told.values["by"]), reports.to_master(match, f"deserted-{now:%Y%m%d%H%M%S}", told)]
    cooled: list[Effect] = []
    if match.cooling and match.cooling <= now:
        match = replace(match, cooling=None)
        cooled = [Save(match)]
    if may(match, *PLAYED):
        if match.can_play():
            return play(match, now)
        return [*cooled, *(_at_mark(match, match.deadline, now, outage) if due and match.deadline else ())]
    if due and may(match, "its time is over"):
        return release(match, now)
    if due and may(match, "nobody answers"):
        return _unanswered(match, now)
    return cooled


def _unanswered(match: Match, now: datetime) -> list[Effect]:
    """Remind players who have not answered an invitation, or end the match if its invitations have lapsed."""
    if match.lapses and now < match.lapses:
        return [Save(replace(match, due=offer_due(match.terms, match.since or now, now))), *reports.ask_again(match)]
    return no_show(match, [seat for seat in match.seats if seat not in match.accepted], now)


def _draw(match: Match, now: datetime, *, late: bool) -> list[Effect]:
    """Advance a match that is waiting for a round of the beacon: name the round, use it once it has come, or report
    that the round is late."""
    if match.beacon and match.drawing and not match.drawing.round:
        return _name_round(match, now)
    if match.pulse:
        after, note = with_round(match)
        return [note, *_after_round(after, now)]
    return _round_is_late(match, now) if late else []


def go_on_without(match: Match, now: datetime, reason: str) -> list[Effect]:
    """Continue a match without the beacon round for which it is waiting, because a game master has decided so."""
    after = without_round(match)
    return [*reports.tell(after, "words", now, reason=reason), *_after_round(after, now)]


def _after_round(match: Match, now: datetime) -> list[Effect]:
    """Carry out what was waiting for a round of the beacon: begin the match, or play its turn."""
    return begin(match, now) if may(match, "all accept") else play(match, now)


def _at_mark(match: Match, deadline: Deadline, now: datetime, outage: tuple[datetime, datetime] | None) -> list[Effect]:
    """Handle a milestone of the turn: a reminder, the deadline, or the end of the grace period after it."""
    missing, closes = match.missing(), deadline.moment + match.terms.grace
    moved = past_outage(match, deadline, *outage) if outage and missing and not match.banks else deadline
    if moved != deadline:
        return set_deadline(match, moved, now, "outage")
    if now < deadline.moment:
        late = out_of_time(match, missing, match.due or now, now)
        told = [*_remind(match, "reminder", _to_remind(match, now)), *_remind(match, "out of time", late)]
        return [Save(with_next_look(match, now)), *told]
    if not missing:
        return play(match, now)
    if now < closes:
        return [Save(with_next_look(match, now)), *_remind(match, "late", missing)]
    waited = match.due is not None and match.due > closes
    if waited and now >= closes + unread.HELD:
        match = replace(match, held={})
    if letters := unread.waited_for(match, missing, now - closes if waited else timedelta()):
        return unread.wait(match, now, {} if waited else letters)
    if match.extended < match.terms.extensions:
        return _extend(match, deadline, now)
    return _without_move(match, missing, now) or play(match, now)


def _without_move(match: Match, missing: Iterable[Seat], now: datetime) -> list[Effect]:
    """Return the effects by which seats without orders for the first turn forfeit the game; [] if the terms do not
    require this. A seat with an unread letter, which may contain orders, is spared."""
    if match.terms.no_show != "forfeit" or match.turn > 1:
        return []
    out = [seat for seat in missing if seat not in match.unread()]
    remaining = match.sides(set(match.playing()).difference(out))
    if len(remaining) > 1:
        return leave(match, {seat: _made_no_move(match, [seat]) for seat in out}, now)
    return finish(
        match, Result(next(iter(remaining), None), _made_no_move(match, out), forfeit=True), now, "the players"
    )


def _made_no_move(match: Match, seats: Sequence[Seat]) -> Sentence:
    return Sentence("{who} gave no orders for the first turn.", who=in_full(match, seats))


def _to_remind(match: Match, now: datetime) -> list[Seat]:
    """Return the seats whose orders are missing or uncertain, and whose reminder has come since the match was due."""
    seats = dict.fromkeys((*match.missing(), *reports.undecided(match)))
    return [
        seat for seat in seats if any(match.due and match.due <= reminder <= now for reminder in reminders(match, seat))
    ]


def _remind(match: Match, kind: Course, seats: Sequence[Seat]) -> list[Effect]:
    """Remind `seats`, whose orders are missing or uncertain, once per milestone."""
    key = f"{kind.replace(' ', '-')}-{match.turn}-{match.due:%Y%m%d%H%M}"
    letters = {
        seat: (
            course(kind, match, seat, until=deadline_for(match, seat)),
            *reports.waiting(match, seat),
            position(match, seat),
        )
        for seat in seats
        if not match.holders[seat].level
    }
    return [reports.to_seat(match, match.holders[seat], kind, key, *sections) for seat, sections in letters.items()]


def _extend(match: Match, deadline: Deadline, now: datetime) -> list[Effect]:
    """Extend a missed deadline by the time that the terms allow. Wishes to wait for the deadline are dropped, because
    they have been fulfilled."""
    span = match.terms.extension
    longer = extended(deadline, span)
    if longer.moment < now + span / 2:  # this run of the desk is late
        longer = deadline_at(now + span, deadline.zone)
    match = replace(match, extended=match.extended + 1, wishes=without(match.wishes, "wait"))
    return set_deadline(match, past_absences(match, longer), now, "missing")


def set_deadline(match: Match, deadline: Deadline, now: datetime, why: Course, **told: str) -> list[Effect]:
    """Change the deadline of the current turn and tell everyone `why`. `told` contains the `reason` of the game master
    who has decided this, or, as `by`, who the players are who have."""
    after = (with_deadline if why == "missing" else moved_to)(match, deadline, now)
    note = Note(
        "deadline", {"turn": match.turn, "deadline": str(deadline), "why": why, "reason": told.get("reason", "")}, match
    )
    return [Save(after), note, *reports.tell(after, why, now, **told)]


def after_outage(match: Match, outage: tuple[datetime, datetime], now: datetime) -> list[Effect]:
    """Give back to the banks of time what an outage has taken out of them. Everyone is told if the deadline would have
    passed in it."""
    after = interrupt(match, outage, now)
    if after == match:
        return []
    passed = match.deadline and match.deadline.moment <= outage[1] and match.missing()
    if not (passed and after.deadline):
        return [Save(after)]
    content = {"turn": match.turn, "deadline": str(after.deadline), "why": "outage", "reason": ""}
    return [Save(after), Note("deadline", content, match), *reports.tell(after, "outage", now)]


# Turns


def play(match: Match, now: datetime, attempt: int | None = None) -> list[Effect]:
    """Play the turn from the orders that stand; a seat without orders misses the turn. A match with a beacon first
    closes its orders and waits for a round. The chance of the next turn comes from the newest secret of the match;
    `attempt` says how many times this chance has been drawn again, by default as often as that of this turn. If this
    turn's chance came from an older secret, everything hidden is dealt again."""
    if must_close(match):
        return _close_orders(match, now)
    match, game = stop_clocks(match, now), match.game
    entries, orders = _orders(match)
    ruling = game.resolve(match.state, orders, chance_of(match))
    wrote = match.attendance()
    missed = {seat: 0 if wrote[seat] else match.missed.get(seat, 0) + 1 for seat in wrote}
    left = {seat: bank.left for seat, bank in match.banks.items()}
    turn = Turn(match.turn, match.state, entries, ruling.state, ruling.events, source_of(match), left)
    after = replace(
        match.at_turn(match.turn + 1, ruling.state),
        held={},
        quarantined={},
        wishes={wish: seats for wish, seats in match.wishes.items() if wish == "rematch"},
        missed={**match.missed, **missed},
        past=ChangedPast(match.past, added=(turn,)),
        secret=new_secret(match, match.turn + 1, attempt),
    )
    if deals := comes_from_older_secret(match, match.secret, match.turn) and not ending(after):
        after = dealt_again(after)
    is_judged = bool(match.judges or not match.masters)
    if match.terms.review and (is_judged or match.terms.unreviewed == "operator"):
        after = replace(after, phase=becomes(match, "review", *PLAYED), deadline=None, due=now + match.terms.review)
        looked = [reports.for_review(replace(after, result=ending(after)), turn, now)] if is_judged else []
        return [*_played(Play(match, entries, ruling, after), deals=deals), *looked, *ballots.end_all(match, now)]
    lapsed = {
        seat: (*(reports.lapsed(match, seat, missed=not wrote[seat]) if seat in wrote else ()), *ended)
        for seat in match.seats
        if (ended := ballots.ended_with_turn(match, seat)) or seat in wrote
    }
    begun = later.begin(_next_turn(after, now, *PLAYED), now, lapsed)
    return [*_played(Play(match, entries, ruling, begun.match), deals=deals), *_reported(begun, turn, now)]


def _played(play: Play, *, deals: bool) -> list[Effect]:
    """Return the effects of playing a turn. If `deals` is true, everything hidden is dealt again afterwards."""
    if not deals:
        return [play]
    left = replace(play.after, state=play.ruling.state)
    return [play._replace(after=left), Save(play.after), *dealing(left, play.after)]


def _reported(begun: later.Begun, turn: Turn, now: datetime) -> list[Effect]:
    """Return the effects that follow a played turn: orders kept for the next turn are taken, reports are sent, and
    seats that have missed too many turns leave the game, or the computer takes them over."""
    match = begun.match
    out = _too_often(match) if may(match, *PLAYED) else ()
    if stand_ins.replaces_forfeit(match):
        departures = stand_ins.take_over(match, out, match.terms.computer, now)
    else:
        departures = leave(match, {seat: _missed_too_many(match, [seat]) for seat in out}, now)
    return [*begun.effects, *reports.of_turn(match, turn, begun.news), *begun.letters, *departures]


def _orders(match: Match) -> tuple[dict[Seat, Entry | None], dict[Seat, Any]]:
    """Return the orders of each seat for the turn in two forms: as entries for the report, and as values for the rules.
    Both include standing orders."""
    game, entries, orders = match.game, dict[Seat, Entry | None](), dict[Seat, Any]()
    for seat in match.seats:
        entry = match.standing.get(seat)
        value = reader.parse_played(match.standpoint(seat), entry.played) if entry else None
        again = entry and entry.joined  # a replay keeps the standing orders of that time
        absent = seat in match.gone or match.holders[seat].stand_in
        standing = match.standing_orders.get(seat) if not again and not absent else None
        if standing and isinstance(game, KeepsStandingOrders):
            value = game.joined(match.state, seat, value, standing)
            if value is not None:
                entry = replace(entry or Entry(0, None, "", ""), joined=str(value))
        entries[seat] = entry
        if value is not None:
            orders[seat] = value
    return entries, orders


def leave(match: Match, seats: Mapping[Seat, Sentence], now: datetime) -> list[Effect]:
    """Take `seats` out of the game, each for its own reason, and play the turn if it needs no further orders."""
    effects: list[Effect] = []
    for seat, reason in seats.items():
        departure = match.game.resigned(match.state, seat)
        if departure.result:  # no opponent is left, so the game ends
            return [*effects, *finish(match, departure.result, now, "the players")]
        match, following = _leave(match, seat, departure.state, now, why=reason)
        effects += following
    if may(match, *PLAYED) and not match.game.awaiting(match.state):
        if match.turn > _MOST_TURNS:
            raise ValueError(f"{match.name} waits for nobody, turn after turn")
        effects += play(match, now)
    return effects


def _next_turn(match: Match, now: datetime, *words: str) -> Match:
    """Return the match after a turn: finished, or waiting for orders for the next turn. `words` are as in `becomes`."""
    result = ending(match)
    phase = becomes(match, "finished" if result else "running", *words)
    after = told(replace(match, result=result, phase=phase))
    return fresh_deadline(after if result else with_increments(after), now)


def release(match: Match, now: datetime) -> list[Effect]:
    """Send the report that was waiting for a game master's review; the time for the next turn starts now."""
    begun = later.begin(_next_turn(match, now, "its time is over", "release"), now)
    after = begun.match
    notes = [Note("release", {"turn": match.turn - 1}, match)]
    if after.result:
        notes.append(Note("end", result_content(after.result), match))
    return [Save(after), *notes, *_reported(begun, match.turns[-1], now)]


# Players


def begin(match: Match, now: datetime) -> list[Effect]:
    """Begin the first turn, now that all players have accepted, or wait for the beacon round that the set-up needs."""
    if must_close(match):
        return _close_orders(match, now)
    phase = becomes(match, "running", "all accept")
    after = fresh_deadline(replace(dealt(match), phase=phase, cooling=None, gone={}), now)
    return [Save(after), Note("begin", {}, match), *reports.tell(after, "begin", now)]


def change_holder(match: Match, seat: Seat, to: Person, now: datetime, reason: str) -> list[Effect]:
    """Give `seat` to another person, who gets at least the full time of a turn. The former holder no longer sees
    anything of the game."""
    old = match.holders[seat]
    name = apart(to.name, [holder.own_name for holder in match.others(seat)])
    player, addresses = Player(0, name, to.address), frozenset((to.address.lower(),))
    new = renamed(Holder(seat, player, old.name, old.epoch + 1, addresses, untold=old.untold), name)
    new = replace(new, unrated=old.unrated)
    after = replace(
        with_new_bank(stop_clocks(match.without_seat(seat), now), seat),
        holders={**match.holders, seat: new},
        missed={**match.missed, seat: 0},
        muted=match.muted - {seat},
        motions={},
        standing_orders=without(match.standing_orders, seat),
    )
    if may(after := reopened(after), *PLAYED):
        after = refreshed_deadline(after, now)
    gone = course("replaced", match, seat, reason=reason)
    return [
        NewHolder(match, seat, new.player),
        Save(after),
        Note("replace", {"seat": seat, "reason": reason}, match),
        Send("course", f"replaced-{old.epoch}", old.player, (gone,), match=match),
        *reports.tell(after, "replace", now, by=new, reason=reason, **freed_round(match), **ballots.dropped(match)),
    ]


def resign(match: Match, seat: Seat, now: datetime) -> list[Effect]:
    """Resign a seat: the game ends, or the others play on."""
    departure = match.game.resigned(match.state, seat)
    if departure.result:
        return finish(match, departure.result, now, "the players")
    return _leave(match, seat, departure.state, now)[1]


def give_up(match: Match, seat: Seat, now: datetime, by: str, why: tuple[Sentence, str]) -> list[Effect]:
    """Make a seat resign by a decision from outside the game: the game ends, or the others play on. `why` consists of
    the sentence for the players and the game master's own reason."""
    departure = match.game.resigned(match.state, seat)
    if departure.result:
        return finish(match, replace(departure.result, reason=why[0], forfeit=True), now, by, why[1])
    return _leave(match, seat, departure.state, now, why=why[0], reason=why[1])[1]


def _leave(match: Match, seat: Seat, state: Any, now: datetime, **reasons: str) -> tuple[Match, list[Effect]]:
    """Return the match without `seat`, and the effects. The others play on; the orders and wishes of `seat` no longer
    count. Everyone is told the `reasons`: `why` and, if there is one, a game master's `reason`."""
    after = replace(match.without_seat(seat), state=state, gone={**match.gone, seat: match.turn}, motions={})
    after = refreshed_deadline(reopened(after), now) if match.drawing else clear_of_absences(after, now)
    content = {"seat": seat, "turn": match.turn, "state": match.game.dump(state)}
    note = Note("resign", content | ({"because": reasons["reason"]} if reasons.get("reason") else {}), match)
    withdrawn = [WithdrawOrders(after, seat)] if seat in match.standing else []
    values = {**reasons, **freed_round(match), **ballots.dropped(match)}
    letters = reports.tell(after, "resigned", now, by=match.holders[seat], **values)
    return after, [*withdrawn, Save(after), note, *letters]


# The clock stops


def pause(match: Match, now: datetime, by: str, reason: str = "") -> list[Effect]:
    """Stop the clock of a match; orders are still accepted."""
    phase = becomes(match, "paused", "both pause", "pause")
    after = replace(reopened(match), phase=phase, deadline=None, due=None, motions={})
    return [
        Save(after),
        Note("pause", {"by": by, "reason": reason}, match),
        *reports.tell(after, "pause", now, by=by, reason=reason, **freed_round(match), **ballots.dropped(match)),
    ]


def resume(match: Match, now: datetime, by: str, reason: str = "") -> list[Effect]:
    """Restart the clock of a match with the full time of a turn."""
    phase = becomes(match, "running", "both resume", "resume")
    after = cool(fresh_deadline(replace(match, phase=phase, motions={}), now), now)
    return [
        Save(after),
        Note("resume", {"by": by, "reason": reason}, match),
        *reports.tell(after, "resume", now, by=by, reason=reason, **ballots.dropped(match)),
    ]


# The end


def finish(match: Match, result: Result, now: datetime, by: str, reason: str = "") -> list[Effect]:
    """End the game with a result that does not come from play: a draw by agreement, a resignation, an award, or the
    departure of a player from the league."""
    phase = becomes(match, "finished", "both draw", "somebody resigns", "somebody leaves the league", "award")
    after = told(replace(match, phase=phase, result=result, deadline=None, due=None, former=None, motions={}))
    content = {**result_content(result), "by": by, "because": reason}
    return [Save(after), Note("end", content, match), *reports.tell(after, "end", now, by=by, reason=reason)]


def decline(match: Match, seat: Seat, now: datetime) -> list[Effect]:
    """Annul a match because the player of `seat` declines the invitation. A match in a league or with more than two
    seats remembers who declined."""
    why = Sentence("an invitation was declined")
    if match.league:
        why = Sentence("{who} has declined it", who=match.holders[seat].name)
    return annul(_without(match, [seat]), now, why, "the players")


def no_show(match: Match, seats: Sequence[Seat], now: datetime) -> list[Effect]:
    """Annul a match that cannot begin because the players of `seats` have not answered the invitation."""
    why = Sentence("the invitation was not accepted in time")
    if match.league:
        who = listed([match.holders[seat].name for seat in seats])
        why = Sentence("it was not accepted in time by {who}", who=who)
    return annul(_without(match, seats), now, why)


def _without(match: Match, seats: Iterable[Seat]) -> Match:
    """Return the match, which will not begin. If it is in a league or has more than two seats, it records that the
    players of `seats` are to blame."""
    if not match.league and len(match.seats) == 2:
        return match
    return replace(match, gone={**match.gone, **dict.fromkeys(seats, match.turn)})


def annul(match: Match, now: datetime, reason: str, by: str = "") -> list[Effect]:
    """Annul the match: it counts for nothing, as if it had never been played."""
    phase = becomes(match, "annulled", "somebody declines", "nobody answers", "annul")
    former = Former(match.phase, match.result)
    after = replace(
        never_dealt(match), phase=phase, result=_ANNULLED, deadline=None, due=None, former=former, motions={}
    )
    letters = (
        reports.call_off(after, reason)
        if may(match, "somebody declines")
        else reports.tell(after, "annul", now, by=by, reason=reason)
    )
    return [Save(after), Note("annul", {"by": by, "reason": reason}, match), *letters]


# How play itself ends a game


def ending(match: Match) -> Result | None:
    """Return the result that a match has reached by play or by missed turns, or None if the match goes on."""
    return match.game.result(match.state) or _forfeit(match)


def _forfeit(match: Match) -> Result | None:
    """Return a win for the only side left after the others have missed too many turns in a row, or a draw if no side is
    left; return None if the game goes on."""
    gone = () if stand_ins.replaces_forfeit(match) else _too_often(match)
    remaining = match.sides(set(match.playing()).difference(gone))
    if not gone or len(remaining) > 1:
        return None
    return Result(next(iter(remaining), None), _missed_too_many(match, gone), forfeit=True)


def _too_often(match: Match) -> list[Seat]:
    """Return the seats that have missed so many turns in a row that the terms no longer wait for them."""
    limit = match.terms.forfeit
    return [seat for seat in match.playing() if limit and match.missed.get(seat, 0) >= limit]


def _missed_too_many(match: Match, seats: Sequence[Seat]) -> Sentence:
    """Return the sentence that explains that `seats` are out of the game because they have missed too many turns."""
    who = in_full(match, seats)
    if match.terms.forfeit == 1:
        return Sentence("{who} missed a turn.", who=who)
    return Sentence("{who} missed {number} turns in a row.", who=who, number=match.terms.forfeit)


# Chance from a public beacon: orders close, a future round is named, and the turn (or the set-up of a match that all
# have accepted) waits for it


_PATIENCE, _TOLD_AGAIN = timedelta(hours=1), timedelta(days=1)
"""The time from naming a round to telling everyone that it is late, and the interval at which game masters are told."""


def _close_orders(match: Match, now: datetime) -> list[Effect]:
    """Close the orders of the turn, fix the seats' contributions to chance, and name a beacon round as soon as
    possible."""
    source = with_words(match, read_source(chance_text(match)))._replace(beacon="0:")
    return _name_round(replace(with_chance(match, source), deadline=None, due=now + _PATIENCE, cooling=now), now)


def _name_round(match: Match, now: datetime) -> list[Effect]:
    """Name a beacon round in the record and tell everyone. If the match has no beacon yet, it waits for one."""
    source, beacon = match.drawing, match.beacon
    if source is None or beacon is None:
        return [Save(match)]
    number = beacon.ahead(now)
    after = with_chance(match, source._replace(beacon=f"{number}:"))
    after = replace(after, began=now, due=now + _PATIENCE, cooling=beacon.moment(number))
    note = Note("beacon", {"turn": turn_of_round(match), "round": number, "of": beacon.name}, match)
    if match.is_set_up:
        return [Save(after), note, *reports.tell(after, "closed", now)]
    letters = reports.tell(after, "accepted", now)
    if match.began:  # a match that was created for its players, who have not been told yet
        letters = [_inviting(after, letter) for letter in letters if isinstance(letter, Send)]
    return [Save(after), note, *letters]


def _inviting(match: Match, send: Send) -> Send:
    """Return `send`, the letter that names the round, with an introduction to the game, because it is the first letter
    about the game."""
    if send.holder is None:
        return send
    sections = (invitation(match, send.holder.seat), *send.sections)
    return send._replace(kind="invitation", key="invitation", sections=sections)


def _round_is_late(match: Match, now: datetime) -> list[Effect]:
    """Report that a round is late: once to everyone, and daily to the game masters."""
    letters = reports.tell(match, "silent", now) if match.due == (match.began or now) + _PATIENCE else []
    key = f"silent-{match.name}-{now:%Y%m%d%H%M%S}"
    return [
        Save(replace(match, due=now + _TOLD_AGAIN)),
        *letters,
        reports.to_master(match, key, course("silent", match, None)),
    ]
