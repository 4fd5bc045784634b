"""The computer in the place of an absent person: it takes over a seat, and gives it back when the person returns.

The person remains the holder of the seat, with its letters, its place in a league and its reply addresses. The computer
only gives orders where none of the person's are in; it neither resigns nor agrees to a draw in the person's name. All
functions are pure: they take values and `now`, and return effects.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import Bot
from pbem.match import ballots, reports
from pbem.match.effects import Effect, Note, Save, Send
from pbem.match.model import Match
from pbem.match.sections import DecisionError


def replaces_forfeit(match: Match) -> bool:
    """Return whether the computer takes over the seats that would otherwise lose the match by missed turns."""
    return bool(match.terms.computer) and isinstance(match.game, Bot)


def check(match: Match, seat: Seat, level: int) -> None:
    """Raise DecisionError if the computer of this `level` cannot take over `seat`."""
    holder = match.holders[seat]
    if seat in match.gone:
        raise DecisionError("{side} has left {match}.", side=Sentence(match.game.called[seat]), match=match.name)
    if not isinstance(match.game, Bot):
        raise DecisionError("The computer does not play {game}.", game=match.game.title)
    if holder.is_computer or holder.stand_in == level:
        raise DecisionError("The computer already plays that side.")


def is_absent(match: Match, seat: Seat, now: datetime, answered: datetime | None) -> bool:
    """Return whether the holder of `seat` is absent, so that the players may vote on the computer in their place.

    The holder must have missed the turn before, and have no orders in for this one. In a match without deadlines, in
    which nobody misses a turn, the turn must have waited for them as long as an invitation can be accepted, and the
    desk must not have `answered` a letter of theirs in that time. A vacation is no absence.
    """
    if seat not in match.missing() or any(begins <= now < ends for begins, ends in match.free(seat)):
        return False
    since = max(filter(None, (match.began, answered)), default=now)
    return bool(match.missed.get(seat)) or (match.deadline is None and since + match.terms.accept <= now)


def take_over(match: Match, seats: Sequence[Seat], level: int, now: datetime, reason: str = "") -> list[Effect]:
    """Let the computer of the given `level` play `seats` for their holders. `reason` is that of a game master; if it is
    "", the holders have missed too many turns in a row. Raises DecisionError if the computer cannot play a seat."""
    effects: list[Effect] = []
    for seat in seats:
        told = {"reason": reason, "missed": 0 if reason else match.terms.forfeit}
        match, following = _take_over(match, seat, level, now, told)
        effects += following
    return effects


def take_over_by_vote(match: Match, seat: Seat, level: int, now: datetime, voted: Sentence) -> list[Effect]:
    """Let the computer of the given `level` play `seat` for its holder, because players have decided it; `voted` says
    which of them. Raises DecisionError if the computer cannot play the seat."""
    told = {"reason": "", "missed": match.missed.get(seat, 0), "voted": voted}
    return _take_over(match, seat, level, now, told)[1]


def _take_over(
    match: Match, seat: Seat, level: int, now: datetime, told: Mapping[str, Any]
) -> tuple[Match, list[Effect]]:
    """Return the match in which the computer plays `seat`, and the effects; everybody is `told` why."""
    check(match, seat, level)
    after, changes = _changed(match, seat, level, told["reason"])
    letters = reports.tell(after, "stand in", now, by=after.holders[seat], **told, **ballots.dropped(match))
    return after, [*changes, *letters]


def come_back(match: Match, seat: Seat, now: datetime, reason: str = "") -> list[Effect]:
    """Let the holder of `seat` play it again, by the holder's own wish or for the `reason` of a game master, and tell
    everyone except a holder who has asked for it."""
    after, changes = _changed(match, seat, 0, reason)
    holder = after.holders[seat]
    letters = reports.tell(after, "came back", now, by=holder, reason=reason, **ballots.dropped(match))
    return [*changes, *(one for one in letters if reason or not (isinstance(one, Send) and one.holder == holder))]


def _changed(match: Match, seat: Seat, level: int, reason: str) -> tuple[Match, list[Effect]]:
    """Return the match in which the computer of this `level`, or the holder if it is 0, plays `seat` from now on, and
    the effects that store it. Votes end, because who votes has changed."""
    holders = {**match.holders, seat: replace(match.holders[seat], stand_in=level)}
    after = replace(match, holders=holders, missed={**match.missed, seat: 0}, motions={})
    content = {"seat": seat, "turn": match.turn, "level": level, "reason": reason}
    return after, [Save(after), Note("stand in", content, match)]
