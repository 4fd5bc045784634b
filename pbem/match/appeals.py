"""Appeals in leagues: a player asks a second instance about a decision of a game master.

An appeal changes nothing in the match. If it is allowed, the second instance gets a line with which the decision can be
corrected, and decides itself what to do.
"""

import re
from collections.abc import Mapping

from pbem import Sentence
from pbem.match import press, reports
from pbem.match.effects import Note, course
from pbem.match.facts import Ruling
from pbem.match.model import Master, Match
from pbem.match.reply import Reply
from pbem.match.seat_commands import too_many
from pbem.match.sections import DecisionError, position
from pbem.orders.command import Decision

CORRECTIONS: Mapping[str, str] = {
    "award": "reopen {match} because ...",
    "annul": "reopen {match} because ...",
    "reopen": "award {match} again because ...",
    "replace": "replace {match} {seat} with NAME <ADDRESS> because ...",
    "rollback": "position {match} ... because ...",
    "readjudicate": "rollback {match} TURN because ...",
    "position": "rollback {match} TURN because ...",
    "orders": "rollback {match} TURN because ...",
    "process": "rollback {match} TURN because ...",
    "words": "rollback {match} TURN because ...",
    "extend": "process {match} because ...",
    "pause": "resume {match} because ...",
    "resume": "pause {match} because ...",
}
"""The decisions against which a player can appeal, by their command words, each with the line that may correct it."""


def second_instance(match: Match) -> Master | None:
    """Return the game master who hears appeals about a match; None if there is nobody, or if they play themselves."""
    named = (master for master in match.judges if match.appeal and master.name == match.appeal)
    return next(named, None)


def appeal(reply: Reply, argument: str) -> None:
    """Appeal against the newest decision of a game master on the match, or the newest one of the kind that `argument`
    names before its reasons. The other players hear of it, but only game masters get the reasons."""
    match, case = reply.match, reply.case
    kind, lines = _parts(match, argument)
    if not lines:
        reply.notice("incomplete", word="appeal", usage="appeal: ...")
        return
    ruling = _ruling(reply, kind)
    if too_many(reply, "gm too often"):
        return
    by, key = match.holders[reply.seat], reply.key(f"appeal-{reply.seat}")
    content = {"appeal": case.letter, "against": ruling.number, "decision": ruling.word, "seat": reply.seat}
    content |= {"player": reply.person.id, "turn": match.turn, "text": "\n".join(lines)}
    values = {"by": by, "appeal": case.letter, "ruling": ruling, "name": match.appeal}
    heard = course("appeal heard", match, None, text=lines, **values)
    reply.do([Note("appeal", content, match)])
    reply.do([reports.to_master(match, key, heard, position(match.as_told(), None))])
    for holder in match.others(reply.seat):
        section = course("appeal made", match, holder.seat, **values)
        reply.do([reports.to_seat(match, holder, "course", key, section)])
    reply.notice("appealed", appeal=case.letter, word=ruling.word, name=match.appeal)


def _parts(match: Match, argument: str) -> tuple[str, list[str]]:
    """Return the command word of the decision that `argument` names, or "", and the lines of its reasons. Raises
    DecisionError if it names another match."""
    named = re.match(r"\s*([a-z]+-\d+)\s*:", argument, re.I)
    if named and named[1].lower() != match.name:
        raise DecisionError("This letter is about {match}: answer one of {other}.", match=match.name, other=named[1])
    text = argument[named.end() :] if named else argument
    kind = re.match(rf"\s*({'|'.join(CORRECTIONS)})\s*:", text, re.I)
    return (kind[1].lower() if kind else ""), press.harmless(text[kind.end() :] if kind else text)


def _ruling(reply: Reply, kind: str) -> Ruling:
    """Return the decision against which the writer appeals. Raises DecisionError if the writer may not."""
    match, facts = reply.match, reply.case.facts
    instance = second_instance(match)
    if instance is None:
        raise DecisionError(
            "No second instance hears appeals about {match}: write to its game master with `gm:`.", match=match.name
        )
    rulings = [one for one in facts.rulings(match) if one.word in CORRECTIONS and kind in ("", one.word)]
    if not rulings:
        raise DecisionError("No game master has made such a decision on {match}.", match=match.name)
    ruling, player = rulings[-1], facts.invitee(instance.address.lower()).player
    values = {"decision": ruling.word, "match": match.name, "name": instance.name}
    if player and ruling.by == f"player {player.id}":
        raise DecisionError(
            "{name}, who hears appeals, has made the decision `{decision}`: nobody else can be asked about it.",
            **values,
        )
    if reply.now > ruling.at + match.terms.appeal_time:
        raise DecisionError("The time for an appeal against the decision `{decision}` on {match} is over.", **values)
    made = any(isinstance(effect, Note) and effect.kind == "appeal" for effect in reply.done)
    if made or any((one.against, one.player) == (ruling.number, reply.person.id) for one in facts.appeals(match)):
        raise DecisionError("You have already appealed against the decision `{decision}`.", **values)
    return ruling


def uphold(reply: Reply, decision: Decision) -> None:
    """Announce that the decision of a game master stands."""
    _decide(reply, decision, upheld=True)


def overturn(reply: Reply, decision: Decision) -> None:
    """Announce that the decision of a game master was wrong, and tell the second instance how to correct it."""
    ruling = _decide(reply, decision, upheld=False)
    seat = ruling.argument.partition(" ")[0].casefold() if ruling.word == "replace" else ""
    line = CORRECTIONS[ruling.word].format(match=reply.match.name, seat=seat)
    reply.notice("overturned", appeal=decision.argument, word=ruling.word, line=line)


def _decide(reply: Reply, decision: Decision, *, upheld: bool) -> Ruling:
    match, facts = reply.match, reply.case.facts
    instance = second_instance(match)
    if (instance.address.lower() != reply.case.address) if instance else not reply.case.master:
        raise DecisionError(
            "Only {name} decides on appeals about {match}.",
            name=instance.name if instance else Sentence("the operator"),
            match=match.name,
        )
    decided = {
        effect.content["argument"]
        for effect in reply.done
        if isinstance(effect, Note) and effect.content.get("decision") in ("uphold", "overturn")
    }
    waiting = (one for one in facts.appeals(match) if one.waits and str(one.number) not in decided)
    appealed = next((one for one in waiting if str(one.number) == decision.argument), None)
    ruling = next((one for one in facts.rulings(match) if appealed and one.number == appealed.against), None)
    if appealed is None or ruling is None:  # its decision may be forgotten with a player
        raise DecisionError(
            "No appeal {number} is waiting in {match}.", number=decision.argument or "0", match=match.name
        )
    values = {"appeal": appealed.number, "of": appealed.seat, "ruling": ruling, "upheld": upheld}
    reply.do(reports.tell(match, "appeal decided", reply.now, reason=decision.reason, **values))
    return ruling
