"""People who watch a match in which they do not play: anyone who asks to, or, for a sandbox, those whom its player
asks, who may be teachers. The latter get all letters about the sandbox, and may write into it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.match.effects import AskToWatch, Note, Observe, notice
from pbem.match.identity import Player, parse_person
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.player_commands import may_write
from pbem.match.reply import Reply
from pbem.match.reports import to_seat, to_watcher
from pbem.match.sections import position

_EVERYBODY = Player(0, "", "")


def observe(reply: Reply, name: str) -> None:
    """Start sending the writer the reports of a game in which they do not play."""
    match, player = reply.case.facts.match(name.lower()), reply.person
    if match is None or not may(match, "somebody watches"):
        reply.notice("no such game", name=name)
    elif match.held_by(player):
        reply.notice("own game", name=match.name)
    elif match.sandbox and match.name not in reply.case.facts.asked_to_watch:
        reply.notice("no such game", name=name)
    else:
        reply.introduce()
        reply.done += [Observe(match, player, on=True), Note("observe", {"player": player.id}, match)]
        if match.sandbox:
            _begin_to_watch(reply, match)
        else:
            reply.notice("observing", name=match.name)


def _begin_to_watch(reply: Reply, match: Match) -> None:
    """Show the sandbox to the writer, who was asked to watch it, and tell its player."""
    player, host = reply.person, match.holders[match.seats[0]]
    watched = replace(match, observers=(*match.observers, player))
    shown = (notice("watching sandbox", match=match, name=host.player.name), position(watched, None))
    letter = to_watcher(watched, player, "course", f"watching-{reply.case.mark}", *shown)
    told = notice("teacher agreed", match=match, name=player.name)
    reply.later += [
        letter._replace(answers=reply.case.message_id),
        to_seat(watched, host, "notice", reply.key("teacher"), told),
    ]


def unobserve(reply: Reply, name: str) -> None:
    """Stop sending the writer the reports of a game."""
    match, player = reply.case.facts.match(name.lower()), reply.person
    if match is None or match.name not in (*reply.case.facts.watched, *reply.case.facts.asked_to_watch):
        reply.notice("not observing", name=name)
        return
    if match.sandbox and player in match.observers:
        host, told = match.holders[match.seats[0]], notice("teacher left", match=match, name=player.name)
        reply.later.append(to_seat(match, host, "notice", reply.key("teacher"), told))
    reply.done.append(Observe(match, player, on=False))
    reply.notice("no longer observing", name=match.name)


def ask_teacher(reply: Reply, to: str) -> None:
    """Ask a person, whom `to` names, to watch the sandbox of the writer. The person sees nothing before they agree."""
    match = reply.match
    if not match.sandbox or not match.held_by(reply.person):
        reply.notice("no sandbox")
        return
    invitee = reply.invitee(parse_person(to).address)
    if may_write(reply, invitee):
        key, unwanted = reply.key("watch"), invitee.refuses or invitee.banned
        reply.later.append(AskToWatch(match, reply.person, invitee, key, unwanted))
        reply.do([Note("observe", {"asked": True}, match)])
        reply.notice("teacher asked", address=invitee.address)


def send_away(reply: Reply) -> None:
    """Let nobody watch the sandbox of the writer any more."""
    if not reply.match.sandbox:
        reply.notice("no sandbox")
        return
    reply.do([Observe(reply.match, _EVERYBODY, on=False), Note("observe", {"asked": False}, reply.match)])
    reply.notice("teacher off")


SIMPLE: Mapping[str, Callable[[Reply], None]] = {"teacher off": send_away}
"""The function for each command that consists of its word alone."""

ASKING: Mapping[str, Callable[[Reply, str], None]] = {
    "observe": observe,
    "unobserve": unobserve,
    "teacher": ask_teacher,
}
"""The function for each command that takes an argument."""
