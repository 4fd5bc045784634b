"""The computer in the place of an absent person: it takes over a seat, and gives it back when the person returns.

The person remains the holder of the seat, with its letters, its place in a league and its reply addresses. The computer
only gives orders where none of the person's are in; it neither resigns nor agrees to a draw in the person's name. All
functions are pure: they take values and `now`, and return effects.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.games.base import Seat
from pbem.games.capabilities import Bot
from pbem.match import ballots, reports
from pbem.match.effects import Effect, Note, Save, Send
from pbem.match.model import Match
from pbem.match.sections import DecisionError


def replaces_forfeit(match: Match) -> bool:
    """Return whether the computer takes over the seats that would otherwise lose the match by missed turns."""
    return bool(match.terms.computer) and isinstance(match.game, Bot)


def take_over(match: Match, seats: Sequence[Seat], level: int, now: datetime, reason: str = "") -> list[Effect]:
    """Let the computer of the given `level` play `seats` for their holders. `reason` is that of a game master; if it is
    "", the holders have missed too many turns in a row. Raises DecisionError if the computer cannot play a seat."""
    effects: list[Effect] = []
    for seat in seats:
        holder = match.holders[seat]
        if not isinstance(match.game, Bot):
            raise DecisionError("The computer does not play {game}.", game=match.game.title)
        if holder.is_computer or holder.stand_in == level:
            raise DecisionError("The computer plays that side already.")
        after, changes = _changed(match, seat, level, reason)
        missed = 0 if reason else match.terms.forfeit
        told = {"by": after.holders[seat], "reason": reason, "missed": missed, **ballots.dropped(match)}
        effects += [*changes, *reports.tell(after, "stand in", now, **told)]
        match = after
    return effects


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
