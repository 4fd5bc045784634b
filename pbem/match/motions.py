"""Votes among the players of a match: a seat asks for one, all vote with `yes` and `no`, and what is carried is done as
if a game master had decided it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem import Sentence
from pbem.match import ballots, clock, press, rollback, seat_commands, stand_ins
from pbem.match.anonymous import with_side
from pbem.match.effects import Effect, Note, Save, Send, TellOpen
from pbem.match.extending import later_deadline
from pbem.match.model import Match, Matter, Motion, concerned, without
from pbem.match.questions import EVENTS, Question, of_seat
from pbem.match.reply import Reply
from pbem.match.seat_commands import is_open, tell_later, too_many
from pbem.match.seats import seat_called
from pbem.match.sections import DecisionError, name_of
from pbem.orders.wanted import USUAL_LEVEL, computers_level, parse_replaced
from pbem.times.deadlines import parse_deadline

# Asking for a vote


def take_back(reply: Reply) -> None:
    """Ask the other players to take back the last turn that was played."""
    match = reply.match
    if not is_open(reply, EVENTS["rollback"]):
        return
    if not match.takes_back:
        reply.notice("no taking back")
    elif (last := match.past.last) is None:
        reply.notice("nothing played")
    elif any(since > last.turn for since in match.gone.values()):
        reply.notice("left since", turn=name_of(match, last))
    else:
        _ask(reply, "rollback", name_of(match, last))


def vote(reply: Reply, argument: str) -> None:
    """Ask the other players to move the deadline, or to let the computer play for somebody who is absent; `argument` is
    `extend` and the time, or `computer for` and the name of a side or player."""
    if not argument.casefold().startswith("extend"):
        _replace_by_computer(reply, argument)
    elif " " not in argument:
        reply.notice("incomplete", word="vote", usage="vote extend 2 days")
    elif _is_left_to_players(reply) and is_open(reply, EVENTS["extend"]):
        deadline = later_deadline(reply.match, argument.partition(" ")[2], reply.now)
        _ask(reply, "extend", str(deadline))


def _replace_by_computer(reply: Reply, argument: str) -> None:
    """Ask the other players to let the computer play for somebody who is absent, and tell that person."""
    name, level = parse_replaced(reply.match.game, argument)
    if not name:
        reply.notice("incomplete", word="vote", usage="vote computer for blue")
    elif _is_left_to_players(reply) and is_open(reply, EVENTS["replace"]):
        match = reply.match
        named = press.addressees(match, reply.seat, name).seats
        seat = named[0] if len(named) == 1 else seat_called(match, name)
        if seat == reply.seat:
            raise DecisionError("You play that side yourself: you can only vote on someone else's.")
        level = level or match.terms.computer or USUAL_LEVEL
        stand_ins.check(match, seat, level)
        if stand_ins.is_absent(match, seat, reply.now, reply.case.facts.last_answered(match, seat)):
            _ask(reply, "replace", f"{seat} with computer level {level}")
        else:
            reply.notice("not absent", replaced=seat)


def annul(reply: Reply) -> None:
    """Ask the other players to annul the match."""
    if _is_left_to_players(reply) and is_open(reply, EVENTS["annul"]):
        _ask(reply, "annul")


def pause(reply: Reply) -> None:
    """Ask the other players for a pause."""
    if reply.match.phase == "paused":
        reply.notice("paused already")
    elif is_open(reply, EVENTS["pause"]):
        _ask(reply, "pause")


def resume(reply: Reply) -> None:
    """Ask the other players to end the pause."""
    if reply.match.phase != "paused":
        reply.notice("not paused")
    elif is_open(reply, EVENTS["resume"]):
        _ask(reply, "resume")


def _is_left_to_players(reply: Reply) -> bool:
    """Return whether the players may decide what the game master of a league decides otherwise. If not, tell the
    writer."""
    if reply.match.league:
        reply.notice("master decides", league=reply.match.league)
    return not reply.match.league


def _ask(reply: Reply, matter: Matter, argument: str = "") -> None:
    """Put `matter` to the vote, with the vote of the seat for it. If the same vote is open already, only cast that
    vote."""
    match, seat = reply.match, reply.seat
    open_motion = match.motions.get(matter)
    if open_motion and seat in open_motion.votes and open_motion.votes[seat] and open_motion.argument == argument:
        reply.notice("wished", wish=matter, vote=ballots.about(match, matter, open_motion), again=True)
    elif open_motion and open_motion.argument != argument:
        asked = [question for question in of_seat(match, seat) if question.kind == matter]
        reply.notice("other vote", vote=ballots.about(match, matter, open_motion), unanswered=bool(asked))
        reply.done += [TellOpen(reply.case.letter, reply.person, (question.key,)) for question in asked]
    elif open_motion:
        cast(reply, matter, agrees=True)
    elif not too_many(reply):
        key = reply.key(f"wish-{matter}")
        motion = Motion(seat, {seat: True}, argument, ballots.ends_at(match, reply.now), key)
        if not _count(reply, matter, motion):
            reply.wished[matter] = "wish"  # even after a vote that the same letter has taken back: this is another one
            reply.notice("wished", wish=matter, vote=ballots.about(match, matter, motion), again=False)


# Voting


def cast(reply: Reply, matter: Matter, *, agrees: bool) -> None:
    """Add the vote of the seat to the open vote on `matter`."""
    motion = reply.match.motions[matter]
    if reply.seat == concerned(matter, motion):
        if agrees:
            reply.notice("others vote")
        else:
            show_presence(reply)
        return
    motion = motion._replace(votes={**motion.votes, reply.seat: agrees})
    if not _count(reply, matter, motion):
        reply.notice("voted", agrees=agrees, vote=ballots.about(reply.match, matter, motion))


def show_presence(reply: Reply) -> bool:
    """End the vote on replacing the writer by the computer, if there is one; return whether there is. The other players
    are told that the writer is here."""
    motion = reply.match.motions.get("replace")
    if motion is None or reply.seat != concerned("replace", motion):
        return False
    reply.do(ballots.ended_by_presence(reply.match, reply.seat, reply.now, reply.key("vote")))
    reply.notice("not replaced")
    return True


def back(reply: Reply) -> None:
    """Play the seat again, or end the vote on replacing the writer by the computer."""
    if not show_presence(reply):
        seat_commands.back(reply)


def _count(reply: Reply, matter: Matter, motion: Motion) -> bool:
    """Store the votes in `motion`, and do what follows if they are enough to carry or to stop it; return whether they
    are."""
    match, seat = reply.match, reply.seat
    content = {"turn": match.turn, "seat": seat, "on": matter, "agrees": motion.votes[seat]}
    content |= {"argument": motion.argument} if motion.argument else {}
    after = ballots.watched(replace(match, motions={**match.motions, matter: motion}), reply.now)
    reply.do([Save(after), Note("vote", content, after)])
    carried = ballots.is_carried(after, matter, motion)
    if carried:
        reply.wished.pop(matter, None)
        reply.notice("agreed", wish=matter, vote=ballots.about(after, matter, motion))
        _carry_out(reply, matter, motion)
    elif carried is False:
        reply.wished.pop(matter, None)
        reply.do(ballots.refused(reply.match, matter, seat, reply.now, reply.key("vote")))
        if len(after.voting(matter, motion)) > 2:
            reply.notice("vote failed", vote=ballots.about(after, matter, motion))
        else:
            reply.notice("dropped", question=Question(matter, about=motion.argument))
    return carried is not None


def _carry_out(reply: Reply, matter: Matter, motion: Motion) -> None:
    """Do what the players have decided, and note their decision as that of a game master is noted."""
    match = replace(reply.match, motions=without(reply.match.motions, matter))
    moved = f"to {motion.argument.replace('T', ' ', 1)}" if matter == "extend" else motion.argument
    content = {
        "decision": matter,
        "argument": moved,
        "reason": "",
        "by": "players",
        "letter": reply.case.letter or None,
        "votes": {**motion.votes},
    }
    vote = ballots.about(match, matter, motion)
    reply.do([Save(match), Note("decision", content, match)])
    done = _CARRIED[matter](reply, motion)
    reply.do([_with_votes(effect, vote) for effect in done] if vote["refusing"] or vote["silent"] else done)


def _the_players(match: Match, motion: Motion) -> Sentence:
    """Return the words for the players who have decided."""
    if not all(motion.votes.get(seat) for seat in match.voters()):
        return Sentence("a majority of the players")
    return Sentence("both players") if len(match.seats) == 2 else Sentence("all players")


def _with_votes(effect: Effect, vote: Mapping[str, Any]) -> Effect:
    """Return `effect` with the votes in `vote` added to it if it is a letter about what the players have decided."""
    if not isinstance(effect, Send) or effect.sections[0].template != "course":
        return effect
    told, *others = effect.sections
    return effect._replace(sections=(told._replace(values={**told.values, "vote": vote}), *others))


def _roll_back(reply: Reply, motion: Motion) -> list[Effect]:
    last = reply.match.past.last
    assert last is not None
    return rollback.roll_back(reply.match, last, reply.now, "", _the_players(reply.match, motion))


def _extend(reply: Reply, motion: Motion) -> list[Effect]:
    """Return the effects that move the deadline; one that was moved further meanwhile stays."""
    match, deadline = reply.match, parse_deadline(motion.argument)
    if match.deadline and match.deadline.moment > deadline.moment:
        deadline = match.deadline
    return clock.set_deadline(match, deadline, reply.now, "extended", by=_the_players(match, motion))


def _replace(reply: Reply, motion: Motion) -> list[Effect]:
    """Return the effects that let the computer play the seat. A person who alone has decided it is named."""
    match, seat = reply.match, concerned("replace", motion)
    voters = match.voting("replace", motion)
    if len(voters) == 1:
        voted = Sentence("Decided by {who}.", who=with_side(match, voters[0]))
    elif all(motion.votes.get(voter) for voter in voters):
        voted = Sentence("Decided by all the other players.")
    else:
        voted = Sentence("Decided by a majority of the other players.")
    level = computers_level(match.game, motion.argument.partition(" with ")[2])
    return stand_ins.take_over_by_vote(match, seat, level, reply.now, voted)


_CARRIED: Mapping[Matter, Callable[[Reply, Motion], list[Effect]]] = {
    "rollback": _roll_back,
    "extend": _extend,
    "pause": lambda reply, motion: clock.pause(reply.match, reply.now, _the_players(reply.match, motion)),
    "resume": lambda reply, motion: clock.resume(reply.match, reply.now, _the_players(reply.match, motion)),
    "replace": _replace,
    "annul": lambda reply, motion: clock.annul(reply.match, reply.now, "", _the_players(reply.match, motion)),
}
"""The functions that do what the players have decided, keyed by what they have voted on."""


# Taking it back


def withdraw(reply: Reply, *matters: Matter) -> None:
    """End the votes on `matters` that the seat has asked for, and vote against those that others have asked for. The
    other players are told."""
    found = [matter for matter in matters if matter in reply.match.motions]
    found = [matter for matter in found if reply.match.motions[matter].by == reply.seat] or found
    for matter in found:
        motion = reply.match.motions[matter]
        if motion.by != reply.seat:
            cast(reply, matter, agrees=False)
        elif not too_many(reply):
            after = ballots.watched(replace(reply.match, motions=without(reply.match.motions, matter)), reply.now)
            reply.do([Save(after), Note("vote", {"turn": after.turn, "on": matter, "ended": "withdrawn"}, after)])
            tell_later(reply, matter, "no wish")
            reply.notice("wish taken back", wish=matter)
    if not found:
        reply.notice("no such vote")


SIMPLE: Mapping[str, Callable[[Reply], None]] = {
    "take back": take_back,
    "pause": pause,
    "resume": resume,
    "vote annul": annul,
    "back": back,
    "no take back": lambda reply: withdraw(reply, "rollback"),
    "no pause": lambda reply: withdraw(reply, "pause"),
    "no vote": lambda reply: withdraw(reply, *EVENTS),
}
"""The functions for commands about votes that have no argument."""
