"""What each command does: one table, and the one place that looks into it.

Who may use a command and how sure we must be of them stands in its row of `orders/commands.py`.
"""

from collections.abc import Callable, Mapping
from typing import assert_never

from pbem import PbemError
from pbem.match import (
    addresses,
    answers,
    consent,
    disputes,
    door,
    gm_commands,
    later,
    mail_wishes,
    player_commands,
    press,
    seat_commands,
    sections,
)
from pbem.match.reply import Reply
from pbem.orders.command import Asking, Command, Decision, Help, Inquiry, Later, LookUp, Press, Simple
from pbem.orders.commands import row_of

MOST = 60
"""Commands of one letter that are carried out, each of which is answered; what is only shown once counts once."""

SIMPLE: Mapping[str, Callable[[Reply], None]] = {
    "status": player_commands.status,
    "yes": consent.yes,
    "accept": consent.yes,
    "withdraw": Reply.withdraw,
    "check": lambda reply: None,  # what the letter's orders are for
    "wait": seat_commands.wait,
    "go": seat_commands.go,
    "draw": seat_commands.draw,
    "no wait": seat_commands.unwish("wait"),
    "no go": seat_commands.unwish("go"),
    "no draw": seat_commands.unwish("draw"),
    "no pause": seat_commands.unwish("pause"),
    "resign": seat_commands.resign,
    "pause": seat_commands.pause,
    "resume": seat_commands.resume,
    "rematch": seat_commands.rematch,
    "mute": lambda reply: seat_commands.mute(reply, on=True),
    "unmute": lambda reply: seat_commands.mute(reply, on=False),
    "history": seat_commands.history,
    "my data": player_commands.my_data,
    "my settings": mail_wishes.settings,
    "fewer letters": lambda reply: mail_wishes.set_parts(reply, fewer=True),
    "more letters": lambda reply: mail_wishes.set_parts(reply, fewer=False),
    "text only": lambda reply: mail_wishes.set_parts(reply, text=True),
    "html": lambda reply: mail_wishes.set_parts(reply, text=False),
    "calendar off": lambda reply: mail_wishes.set_parts(reply, no_calendar=True),
    "calendar": lambda reply: mail_wishes.set_parts(reply, no_calendar=False),
    "forget me": player_commands.forget_me,
    "undo": addresses.undo,
    "games": door.games,
}

ASKING: Mapping[str, Callable[[Reply, str], None]] = {
    "yes": consent.yes,
    "withdraw": later.take_back,
    "word": seat_commands.bring_words,
    "decline": consent.decline,
    "gm": disputes.ask,
    "resend": seat_commands.resend,
    "hand": seat_commands.hand_over,
    "join": player_commands.join,
    "leave": player_commands.leave,
    "challenge": player_commands.challenge,
    "vacation": player_commands.vacation,
    "digest": mail_wishes.set_digest,
    "zone": player_commands.zone,
    "language": player_commands.language,
    "address": addresses.address,
    "observe": player_commands.observe,
    "unobserve": player_commands.unobserve,
    "record": player_commands.record,
}


def obey(reply: Reply, command: Command) -> None:
    """Do what a command says, or tell why not."""
    row = row_of(command)
    if len(reply.sections) >= MOST:
        reply.once("enough commands", limit=MOST)
    elif row.trust == "seat" and not reply.seat:
        reply.notice("no seat", word=command.word)
    elif isinstance(command, Asking) and not command.argument and not row.complete:
        reply.notice("incomplete", word=command.word, usage=row.usage)
    else:
        try:
            _do(reply, command)
        except PbemError as error:
            reply.notice("not understood", why=sections.why(error))
    if reply.agreed and command.word in ("yes", "accept"):
        obey(reply, reply.agreed)
        reply.agreed = None


def offer(reply: Reply, command: Command, line: str) -> None:
    """What a line nearly says is done after a `yes`; help at once, and what asks by itself."""
    row = row_of(command)
    too_little = isinstance(command, Asking) and not command.argument and not row.complete
    if isinstance(command, Help) or too_little or command.word in ("resign", "forget me", "games"):
        obey(reply, command)
    else:
        reply.ask(command, of_match=row.trust == "seat")
        reply.notice("nearly", word=command.word, argument=command.argument, line=line, help=row.help)


def _do(reply: Reply, command: Command) -> None:
    match command:
        case Decision(word="tell", match="") if reply.seat and gm_commands.why_not(reply, command):
            to, _, text = command.argument.partition(":")
            press.offer(reply, text.strip(), to)
        case Decision():
            gm_commands.carry_out(reply, command)
        case Help():
            player_commands.show_help(reply, command.topic)
        case Later():
            later.keep(reply, command)
        case LookUp():
            player_commands.look_up(reply, command)
        case Inquiry():
            answers.answer(reply, command)
        case Press():
            press.send(reply, command)
        case Simple():
            SIMPLE[command.word](reply)
        case Asking():
            ASKING[command.word](reply, command.argument)
        case _:
            assert_never(command)
