"""Votes among the players of a match: what may be voted on, how the votes stand, and how a vote ends without a result.

All functions are pure: they take values and `now`, and return effects. `motions` contains what players write about
votes, and what happens when one is carried.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from pbem.games.base import Seat
from pbem.match import reports
from pbem.match.effects import Effect, Note, Save, Section, course
from pbem.match.model import Match, Matter, Motion, concerned, without
from pbem.match.terms import milestones_of
from pbem.match.time_control import with_next_look
from pbem.times.moments import whole_minute

End = Literal["refused", "time", "turn", "change", "here"]
"""The reason for which a vote ends without being carried: too many have voted against it, its time is over, the turn is
played, something else has changed the course of the match, or the player whom the computer would replace is here."""


def needs_all(match: Match, matter: Matter, motion: Motion) -> bool:
    """Return whether a single vote against `motion` is enough to stop it. A turn is taken back only if all players
    agree, because some of them have gained by it."""
    return matter == "rollback" or match.terms.votes == "all" or len(match.voting(matter, motion)) < 3


def is_carried(match: Match, matter: Matter, motion: Motion) -> bool | None:
    """Return whether the votes are enough to carry `motion`, or to stop it; None if neither is the case yet."""
    voters = match.voting(matter, motion)
    agreeing, refusing = (sum(motion.votes.get(seat) is side for seat in voters) for side in (True, False))
    if needs_all(match, matter, motion):
        return False if refusing else agreeing == len(voters) or None
    return True if 2 * agreeing > len(voters) else False if 2 * refusing >= len(voters) else None


def ends_at(match: Match, now: datetime) -> datetime | None:
    """Return the moment at which a vote ends that begins at `now`: after the time that the terms give it, but no later
    than the deadline of the turn, or None if neither limits it."""
    ends = [whole_minute(now + match.terms.vote_time)] if match.terms.vote_time else []
    if match.deadline:
        marks = milestones_of(match.deadline, match.terms, match.began)
        ends += [moment for moment in (match.deadline.moment, marks.closes) if moment > now][:1]
    return min(ends, default=None)


def watched(match: Match, now: datetime) -> Match:
    """Return the match, whose votes have changed, with `due` set to the next moment at which the clock must look at it.
    A moment that has come, and a turn that waits beyond its deadline, are left to the clock."""
    has_come = match.due is not None and match.due <= now
    is_late = match.deadline is not None and match.deadline.moment <= now
    return match if has_come or is_late else with_next_look(match, now)


def expire(match: Match, now: datetime) -> list[Effect]:
    """End the votes whose time is over at `now`, and tell the players."""
    over = [matter for matter, motion in match.motions.items() if motion.until and motion.until <= now]
    if not over:
        return []
    kept = {matter: motion for matter, motion in match.motions.items() if matter not in over}
    after = replace(match, motions=kept)
    after = with_next_look(after, now) if match.deadline is None else after  # the deadline has just been looked at
    return [Save(after), *_told(match, over, "time", match.voters(), f"{now:%Y%m%d%H%M%S}")]


def end_all(match: Match, now: datetime) -> list[Effect]:
    """Return the letters about the votes that end because the turn is played, for a turn whose report has to wait."""
    return _told(match, match.motions, "turn", match.voters(), f"{now:%Y%m%d%H%M%S}")


def refused(match: Match, matter: Matter, by: Seat, now: datetime, key: str) -> list[Effect]:
    """Return the effects that end a vote because the vote of `by` has stopped it. The other players are told."""
    others = [seat for seat in match.voters() if seat != by]
    return [
        Save(watched(replace(match, motions=without(match.motions, matter)), now)),
        *_told(match, [matter], "refused", others, key, by=match.holders[by]),
    ]


def ended_by_presence(match: Match, seat: Seat, now: datetime, key: str) -> list[Effect]:
    """Return the effects that end the vote on replacing the holder of `seat` by the computer, because they are here.
    The others are told that, and nothing of what the holder has written."""
    others = [voter for voter in match.voters() if voter != seat]
    return [
        Save(watched(replace(match, motions=without(match.motions, "replace")), now)),
        *_told(match, ["replace"], "here", others, key, by=match.holders[seat]),
    ]


def _told(
    match: Match, matters: Iterable[Matter], why: End, seats: Iterable[Seat], key: str, **values: Any
) -> list[Effect]:
    """Return the notes and the letters that tell `seats` of the end of the votes on `matters`."""
    effects: list[Effect] = []
    for matter in matters:
        content = {"turn": match.turn, "on": matter, "ended": why, "votes": {**match.motions[matter].votes}}
        effects.append(Note("vote", content, match))
        for seat in seats:
            section = course("vote ended", match, seat, vote=_ended(match, matter, why), **values)
            effects.append(reports.to_seat(match, match.holders[seat], "course", f"vote-ended-{matter}-{key}", section))
    return effects


def ended_with_turn(match: Match, seat: Seat) -> tuple[Section, ...]:
    """Return the sections that tell `seat`, in the report of the turn, of the votes that end because it was played."""
    if seat not in match.voters():
        return ()
    return tuple(
        Section("vote", {"match": match, "seat": seat, "vote": _ended(match, matter, "turn")})
        for matter in match.motions
    )


def dropped(match: Match) -> dict[str, Any]:
    """Return values for a letter about a change in the course of the match: `ended` are the votes that end with it."""
    return {"ended": [_ended(match, matter, "change") for matter in match.motions]}


def _ended(match: Match, matter: Matter, why: End) -> dict[str, Any]:
    return {"why": why, **about(match, matter, match.motions[matter])}


def about(match: Match, matter: Matter, motion: Motion) -> dict[str, Any]:
    """Return values for a letter about `motion`: what it is about, how long the vote is open, how many must agree, and
    how the seats have voted."""
    from pbem.times.deadlines import parse_deadline

    voting = match.voting(matter, motion)
    votes = {side: [seat for seat in voting if motion.votes.get(seat) is side] for side in (True, False, None)}
    return {
        "on": matter,
        "turn": motion.argument if matter == "rollback" else "",
        "moved_to": parse_deadline(motion.argument).moment if matter == "extend" else None,
        "replaced": concerned(matter, motion),
        "level": motion.argument.rpartition(" ")[2] if matter == "replace" else "",
        "until": motion.until,
        "all": needs_all(match, matter, motion),
        "voters": len(voting),
        "agreeing": votes[True],
        "refusing": votes[False],
        "silent": votes[None],
    }
