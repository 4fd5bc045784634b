"""Press: words of a seat for the others. What may be a plan, or is ours to this seat alone, does not slip out."""

import re

from pbem.i18n import words
from pbem.match import reports
from pbem.match.effects import Note
from pbem.match.identity import hide_tokens
from pbem.match.lifecycle import may
from pbem.match.model import Section
from pbem.match.reply import Reply
from pbem.match.seat_commands import too_many
from pbem.orders import reader
from pbem.orders.command import Press, Words

MAX_PRESS = 4000
"""Characters of a letter that reach the other players."""

_PLAN = re.compile(rf"\b{words.pattern('around', 'plans')}", re.I)
_NONCE = re.compile(r"\b[0-9a-f]{32,64}\b", re.I)
_REPEATED = 4  # words in a row, one of them a name: so many of our own in press are no chance


def answer(reply: Reply) -> bool:
    """A plain answer to a letter with press is press, if it cannot be meant for us; whether this was one.

    Whoever still owes orders, or names what orders are about, or whose token has lapsed, is asked first.
    """
    case = reply.case
    if not case.answers_press or reply.reading.commands or not case.text.strip():
        return False
    reply.reading = reply.reading._replace(remarks=())
    if _is_refused(reply, case.text, case.words):
        return True
    if case.lapsed or _may_be_plan(reply):
        reply.ask(Press(case.text), of_match=True)
        reply.notice("press asked", words=harmless(case.text))
    else:
        _pass_on(reply, case.text)
    return True


def send(reply: Reply, text: str) -> None:
    """Words for the others."""
    if not _is_refused(reply, text, reader.read_words(text)):
        _pass_on(reply, text)


def _may_be_plan(reply: Reply) -> bool:
    """Whether words that nobody has marked as press could be orders, or tell some; a game that is over has none."""
    match, seat, text = reply.table, reply.seat, reply.case.text
    if match.result is not None:
        return False
    named = match.game.names_in(match.state, text)
    return seat in match.missing() or bool(named) or _PLAN.search(text) is not None


def _is_refused(reply: Reply, text: str, read: Words) -> bool:
    """What looks like orders is never passed on, wherever it was meant to go, nor what we told this seat alone."""
    match = reply.table
    if not may(match, "somebody writes press"):
        reply.notice("not now", at=match)  # an invitation carries no words of who invites
    elif reply.seat in match.gone and not match.over:
        reply.notice("seat gone", at=match)
    elif not match.terms.press:
        reply.notice("no press")
    elif ours := _ours(reply, text):
        reply.notice("press of ours", words=ours)
    elif like_orders := reader.attempts(match.game, match.state, read):
        reply.notice("press with orders", items=like_orders)
    elif not harmless(text):
        reply.notice("empty press")
    else:
        return False
    return True


def _ours(reply: Reply, text: str) -> str:
    """The first words that stand in our answers of this turn to the seat, too, and tell of its orders: a nonce, or some
    words in a row with a name among them; "" if there are none."""
    if _NONCE.search(text) and (found := [one for one in _NONCE.findall(text) if one.lower() in reply.case.receipts]):
        return str(found[0])
    match, said = reply.table, text.split()
    standing, proposals = match.standing.get(reply.seat), match.proposals.get(reply.seat, {})
    asked = (one.command.argument for one in match.asked.get(reply.seat, ()))
    own = plain(" ".join((standing.written if standing else "", *proposals.values(), *asked)))  # our answers repeat it
    for at in range(len(said) - _REPEATED + 1):
        some = " ".join(said[at : at + _REPEATED])
        is_ours = f" {plain(some)} " in reply.case.receipts and plain(some) not in own
        if is_ours and match.game.names_in(match.state, f"... {some}"):
            return some
    return ""


def plain(text: str) -> str:
    """Words alone, in small letters: how a text is compared with what we have written."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _pass_on(reply: Reply, text: str) -> None:
    match, seat, words = reply.table, reply.seat, harmless(text)
    listening = [other for other in match.others(seat) if other.seat not in match.muted]
    if too_many(reply):
        return
    said = {"match": match, "by": match.holders[seat], "text": words}
    key = f"press-{reply.case.letter}-{len(reply.done)}"
    reply.do(
        reports.to_seat(match, other, "press", key, Section("press", {**said, "seat": other.seat}))
        for other in listening
    )
    reply.done.append(Note("press", {"seat": seat, "text": "\n".join(words)}, match))
    reply.notice("press sent" if listening else "press muted", limit=len(text) > MAX_PRESS and MAX_PRESS)


def harmless(text: str) -> list[str]:
    """Words as they are passed on: indented lines, no control characters, no reply marker, none of the reply addresses
    that programs quote, no more than we pass on."""
    from textwrap import wrap

    printable = ("".join(char if char.isprintable() else " " for char in line) for line in text.splitlines())
    lines = [line.rstrip() for line in hide_tokens("\n".join(printable)).split("\n")]
    words = re.sub(r"={2,}", "=", "\n".join(lines).strip()[:MAX_PRESS])
    return [f"  {part}" for line in words.splitlines() for part in wrap(line, 70, break_long_words=False) or [""]]
