"""The headers by which mail programs recognise the letters of a game (List-Id, RFC 2919) and offer to have fewer of
them (List-Unsubscribe, RFC 2369), and the letters that these programs then write."""

from typing import TypedDict

from pbem import Say
from pbem.match.effects import Send
from pbem.match.identity import MASTER
from pbem.orders.command import Command
from pbem.orders.reader import read_words
from pbem.render.blocks import mailto
from pbem.service.subjects import is_for_masters


class Headers(TypedDict, total=False):
    """The fields of a draft for these headers."""

    list_id: str
    unsubscribe: str


def headers_of(send: Send, own: str, answer: tuple[str, str], say: Say) -> Headers:
    """Return the headers of a letter; none unless it goes to a seat or an observer of a match.

    `own` is the address of the desk, `answer` the reply address and the Message-ID of the letter. Each match of each
    desk has an identifier of its own.
    """
    match, (reply_to, message_id) = send.match, answer
    if match is None or is_for_masters(send):
        return {}
    words = (
        say("fewer letters") if send.holder and send.holder.seat != MASTER else say("unobserve {name}", name=match.name)
    )
    link = mailto(reply_to, f"{words} <{message_id}>", words)
    return {"list_id": f"{match.name}.{own.replace('@', '.')}", "unsubscribe": link}


def unsubscribing(subject: str) -> tuple[Command, ...]:
    """Return the command in the subject of a letter that a mail program wrote because somebody unsubscribed; an empty
    tuple if there is none. Some programs put words of their own into the text."""
    commands = read_words(subject).commands
    return commands if [command.word for command in commands] in (["fewer letters"], ["unobserve"]) else ()
