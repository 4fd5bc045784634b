"""Correction of times that the desk set while its clock was ahead, as soon as the clock is right."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.match import reports
from pbem.match.chance import freed_round, reopened
from pbem.match.effects import Effect, Note, Save
from pbem.match.model import Match
from pbem.match.terms import offer_due
from pbem.match.time_control import cool, fresh_deadline

_SMALL = timedelta(hours=1)
"""The largest error of the clock that is left uncorrected, because a correction would do more harm than the error: for
example, it would extend a deadline."""


def mend(match: Match, now: datetime) -> list[Effect]:
    """Reset all times of a match that are further in the future than they could be if they had been set by `now`.

    A deadline is set again, a whole turn from now, banks of time keep what is left in them, and a round of the beacon
    no longer counts, so that the next run names another round; everyone is told of this. Any other time limit, such as
    that of an invitation, starts again without a letter. A round for which the set-up of a match waits is kept, because
    only one round may ever be named for a set-up.
    """
    after = _with_possible_times(match, now)
    if after == match:
        return []
    if after.deadline == match.deadline and not match.drawing:
        return [Save(after)]
    content = {"turn": match.turn, "deadline": str(after.deadline or ""), "why": "clock", "reason": ""}
    told = reports.tell(after, "clock", now, **freed_round(match))
    return [Save(after), Note("deadline", content, match), *told]


def _with_possible_times(match: Match, now: datetime) -> Match:
    if match.drawing:
        is_far = match.is_set_up and match.beacon and match.drawing.round > match.beacon.ahead(now)
        return fresh_deadline(reopened(match), now) if is_far else match
    if match.phase == "offered" and match.since and match.since > now + _SMALL:
        return replace(match, since=now, due=match.due and offer_due(match.terms, now, now))
    if match.phase == "review" and match.due and match.terms.review and match.due > now + match.terms.review:
        return replace(match, due=now + match.terms.review)
    set_at = [bank.since for bank in match.banks.values()] + [match.began if match.deadline else None]
    if match.phase == "running" and any(moment and moment > now + _SMALL for moment in set_at):
        return cool(fresh_deadline(match, now), now)
    if match.phase == "running" and match.cooling and match.cooling > now + match.terms.cooling_off + _SMALL:
        return cool(match, now)
    return match
