"""Press (messages from a seat to other players) and messages to the game master. Checks keep players from accidentally
passing on a possible plan, or anything that the desk has told only to them.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from pbem.games.base import Seat
from pbem.i18n.words import pattern, words
from pbem.match import reports, sections
from pbem.match.anonymous import names_in
from pbem.match.effects import Note, Section, Send, course
from pbem.match.identity import GAME_MASTER, Holder, Player, hide_tokens
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.seat_commands import too_many
from pbem.match.terms import CLAIM
from pbem.orders import reader
from pbem.orders.command import Asking, Press
from pbem.orders.people import find_people, means, names_of, without_preposition

MAX_CLAIMS = 3
"""The maximum number of claims that a player can make per match and day."""

MAX_PRESS = 4000
"""The maximum number of characters of a letter that are passed on to the other players."""

_PLAN = re.compile(rf"\b{pattern('around', 'plans')}", re.I)
_NONCE = re.compile(r"\b[0-9a-f]{32,64}\b", re.I)
_REPEATED = 4  # if this many words in a row, one of them a name, repeat the desk's answers, it is not by chance


def answer(reply: Reply) -> bool:
    """If the letter replies to press that the desk passed on, and contains text but no commands, treat the text as
    press, even if it is not marked as such; return whether the text was treated in this way.

    The writer is asked before the text is passed on if the seat's orders are missing, if the text gives orders or names
    things that orders are about, or if the token has lapsed.
    """
    case, whose = reply.case, reply.case.answered.press
    if whose is None or reply.reading.commands or not case.text.strip():
        return False
    reply.reading = reply.reading._replace(remarks=())
    if _is_refused(reply, case.text) or _gives_away(reply, case.text, whose):
        return True
    if case.facts.lapsed or _may_be_plan(reply):
        reply.ask(Press(case.text, whose), of_match=True)
        reply.notice("press asked", words=harmless(case.text), readers=_holders(reply, whose))
    else:
        _pass_on(reply, case.text, addressees(reply.match, reply.seat, whose).seats)
    return True


def offer(reply: Reply, text: str, to: str = "") -> bool:
    """Ask whether `text`, which is not marked as press, is meant as press for the people whom `to` names, or for all
    other players if `to` names nobody. Return False, without asking, if only the computer would get the text."""
    if all(holder.is_computer for holder in reply.match.others(reply.seat)):
        return False
    to = to if addressees(reply.match, reply.seat, to).seats else ""
    if not _is_refused(reply, text) and not _gives_away(reply, text, to):
        reply.ask(Press(text, to), of_match=True)
        reply.notice("press offered", words=harmless(text), readers=_holders(reply, to))
    return True


def send(reply: Reply, press: Press) -> None:
    """Send a message to the people whom `press` is addressed to, or to all other players if it names nobody. If a name
    is unknown, nobody gets the message. Text between press marks is press, whatever it contains. If no mark ends the
    text and the text may contain orders, the writer is asked first."""
    match, seat, text = reply.match, reply.seat, press.text
    if _is_refused(reply, text) or _gives_away(reply, text, press.to):
        return
    like_orders = reader.complete_orders(match.standpoint(seat), text) if may(match, "orders come") else ()
    if like_orders and press.open:
        reply.ask(Press(text, press.to), of_match=True)
        reply.notice("press with orders", items=like_orders)
        return
    if press.open:
        like_orders = reader.attempts(match.situation, reader.read_words(text))
    meant = addressees(match, seat, press.to)
    if meant.seats:
        _pass_on(reply, text, meant.seats, like_orders)
        return
    if meant.near:
        reply.ask(Press(text, meant.near), of_match=True)
    names = [holder.seat for holder in match.others(seat)]
    values = {"unknown": meant.unknown, "near": meant.near, "theirs": names}
    reply.notice("press to whom", words=harmless(text), **values)


def _holders(reply: Reply, to: str) -> list[Holder]:
    """Return the holders who would get a message to the people whom `to` names. In a match of two seats, return an
    empty list, because it is clear who would get it."""
    seats = addressees(reply.match, reply.seat, to).seats
    return [reply.match.holders[seat] for seat in seats] if len(reply.match.seats) > 2 else []


def _may_be_plan(reply: Reply) -> bool:
    """Return whether the letter's text might be orders or reveal orders, which is never the case in a finished game."""
    match, seat, text = reply.match, reply.seat, reply.case.text
    if match.result is not None:
        return False
    named = match.situation.names_in(text) or reader.attempts(match.situation, reply.case.words)
    return seat in match.missing() or bool(named) or _PLAN.search(text) is not None


def _is_refused(reply: Reply, text: str) -> bool:
    """Return whether `text` must not be passed on as press: press is not possible at present or in this match, or
    `text` repeats what the desk told only this seat, or `text` is empty. If so, tell the writer why."""
    match = reply.match
    if not may(match, "somebody writes press"):
        reply.notice("not now", at=match)  # no player's words go out with an invitation
    elif reply.seat in match.gone and not match.over:
        reply.notice("seat gone", at=match)
    elif not match.terms.press:
        reply.notice("no press")
    elif ours := _ours(reply, text):
        reply.notice("press of ours", words=ours)
    elif not harmless(text):
        reply.notice("empty press")
    else:
        return False
    return True


def _gives_away(reply: Reply, text: str, to: str) -> bool:
    """Return whether `text` contains the writer's own name or address while nobody is told who plays. If so, ask the
    writer first, but not about the same words again."""
    match, seat = reply.match, reply.seat
    names = names_in(match, seat, text)
    asked = (open_command.command for open_command in match.open_commands.get(seat, ()))
    if not names or any(isinstance(command, Press) and command.text == text for command in asked):
        return False
    reply.ask(Press(text, to), of_match=True)
    reply.notice("press names you", words=harmless(text), names=names)
    return True


def _ours(reply: Reply, text: str) -> str:
    """Return the first words of `text` that repeat the desk's answers to the seat in this turn and reveal the seat's
    orders: a nonce, or several words in a row with a name among them. Return "" if there are no such words."""
    if _NONCE.search(text) and (
        nonces := [nonce for nonce in _NONCE.findall(text) if nonce.lower() in reply.case.facts.receipts]
    ):
        return str(nonces[0])
    match, words = reply.match, text.split()
    standing = match.standing.get(reply.seat)
    proposed = chain.from_iterable(match.proposals.get(reply.seat, {}).values())
    arguments = (open_command.command.argument for open_command in match.open_commands.get(reply.seat, ()))
    own = plain(" ".join((standing.written if standing else "", *proposed, *arguments)))  # answers repeat these
    for at in range(len(words) - _REPEATED + 1):
        some = " ".join(words[at : at + _REPEATED])
        is_ours = f" {plain(some)} " in reply.case.facts.receipts and plain(some) not in own
        if is_ours and match.situation.names_in(f"... {some}"):
            return some
    return ""


def plain(text: str) -> str:
    """Return the words of `text` in lower case, for a comparison with what the desk has written."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _pass_on(reply: Reply, text: str, to: tuple[Seat, ...], like_orders: tuple[str, ...] = ()) -> None:
    match, seat, lines = reply.match, reply.seat, harmless(text)
    others = [holder for holder in match.others(seat) if not holder.is_computer]
    listening = [holder for holder in others if holder.seat in to and holder.seat not in match.muted]
    if too_many(reply):
        return
    private = not {holder.seat for holder in others}.issubset(to)
    values = {"match": match, "by": match.holders[seat], "text": lines, "private": private}
    key = reply.key(f"press-{seat}")
    for listener in listening:
        among = [holder for holder in others if holder.seat in to and holder.seat != listener.seat]
        section = Section("press", {**values, "seat": listener.seat, "among": among})
        reply.do([reports.to_seat(match, listener, "press", key, section)])
    content = {"seat": seat, "text": "\n".join(lines), **({"to": to} if private else {})}
    reply.done.append(Note("press", content, match))
    limit = len(text) > MAX_PRESS and MAX_PRESS
    if listening:
        readers = listening if len(match.seats) > 2 else []
        reply.notice("press sent", limit=limit, readers=readers, private=private, items=like_orders)
    else:
        reply.notice("press muted", limit=limit, readers=to if len(match.seats) > 2 else ())


def harmless(text: str) -> list[str]:
    """Return the lines of a message in the form in which they are passed on: cut to MAX_PRESS characters in total, and
    without control characters, the desk's reply marker, or the reply addresses that mail programs quote."""
    printable = ("".join(char if char.isprintable() else " " for char in line) for line in text.splitlines())
    lines = [line.rstrip() for line in hide_tokens("\n".join(printable)).split("\n")]
    return re.sub(r"={2,}", "=", "\n".join(lines).strip()[:MAX_PRESS]).splitlines()


class Addressees(NamedTuple):
    """The seats to which a message goes, in the match's order. If there are none, `unknown` is the unknown name, and
    `near` is the most similar known name, or "" if no known name is similar. If the writer has named only their own
    seat, `unknown` is the text that names it."""

    seats: tuple[Seat, ...] = ()
    unknown: str = ""
    near: str = ""


def addressees(match: Match, seat: Seat, written: str) -> Addressees:
    """Return the seats other than `seat` to which `written`, a list of names, refers from the standpoint of `seat`. If
    `written` is empty or a word for "everybody", return all other seats."""
    if not written or means("everybody", written):
        return Addressees(tuple(addressee for addressee in match.seats if addressee != seat))
    meant = find_people(written, _names_in(match, seat))
    others = tuple(addressee for addressee in match.seats if addressee in meant.seats and addressee != seat)
    return (
        Addressees(others)
        if others
        else Addressees(unknown=meant.unknown or without_preposition(written), near=meant.near)
    )


def _names_in(match: Match, seat: Seat) -> Mapping[str, frozenset[Seat]]:
    """Return all names that the holder of `seat` may use in a match, each with the seats to which it refers. A name
    that two players share refers to neither of them."""
    sides = {chair.seat: chair.side for chair in match.game.seats(match.options)}
    named = {
        name: frozenset(bearer for bearer in match.seats if {bearer, sides[bearer]} & called)
        for name, called in names_of(match.game).items()
    }
    people = [(name.casefold(), bearer) for name, bearer in sections.people(match)]
    players = {name: frozenset({bearer}) for name, bearer in people if [spelt for spelt, _ in people].count(name) == 1}
    allies = frozenset(
        other_seat for other_seat in match.seats if sides[other_seat] == sides[seat] and other_seat != seat
    )
    opponents = frozenset(other_seat for other_seat in match.seats if sides[other_seat] != sides[seat])
    groups = {
        name: group
        for word, group in (("allies", allies), ("opponents", opponents))
        for name in words("around", word)
        if group
    }
    return {name: seats for name, seats in {**players, **groups, **named}.items() if seats}


def claim(reply: Reply, text: str) -> None:
    """Send a seat's message to the game master as a claim, which should be decided within the time `CLAIM`. All claims
    in a letter count as one claim, which has the letter's number."""
    notes = (effect for effect in reply.done if isinstance(effect, Note))
    if reply.case.facts.claims_today >= MAX_CLAIMS:
        reply.once("too many today", limit=MAX_CLAIMS)
    elif not any(note.content.get("claim") == reply.case.letter for note in notes):
        every = [
            command.argument
            for command in reply.case.words.commands
            if isinstance(command, Asking) and command.word == "claim"
        ]
        write_to_master(reply, "\n\n".join(every or [text]), due=reply.now + CLAIM)


def _claimed(reply: Reply, due: datetime) -> None:
    """Tell the other seats, except those that have muted press, that a claim is waiting for a decision, which should be
    made by `due`; also confirm the claim to its writer. None of the claim's words are quoted, because they may reveal
    orders and are not press."""
    match, number = reply.match, reply.case.letter
    reply.notice("claimed", claim=number, until=due)
    others = match.others(reply.seat) if may(match, "somebody writes press") else ()
    others = [holder for holder in others if holder.seat not in match.muted]
    section = partial(course, "claim made", match, by=match.holders[reply.seat], claim=number, until=due)
    key = reply.key(f"claim-{reply.seat}")
    reply.do(reports.to_seat(match, holder, "course", key, section(holder.seat)) for holder in others)


def write_to_master(reply: Reply, text: str, due: datetime | None = None) -> None:
    """Send a player's message to a game master: to that of the match if the message comes from a seat, to that of the
    league if it answers a league's letter, and otherwise to that of the desk. If `due` is given, the message is a claim
    that should be decided by `due`, and it gets the number of its letter."""
    case, lines = reply.case, harmless(text)
    if not lines:
        reply.notice("gm empty")
        return
    if too_many(reply, "gm too often"):
        return
    match, person = (reply.about if reply.seat else None), reply.person
    by = match.holders[reply.seat] if match else None
    section = Section(
        "to_master", {"match": match, "by": by, "person": person, "text": lines, "claim": case.letter, "until": due}
    )
    key = reply.key(f"gm-{reply.seat if by and by.untold else person.id}")
    of_league = (
        next((master for master in case.facts.masters if master.address.lower() != case.address), None)
        if not match
        else None
    )
    to = Player(0, of_league.name, of_league.address) if of_league else GAME_MASTER
    content = {"player": person.id, "seat": reply.seat or None, "letter": case.letter, "text": "\n".join(lines)}
    content |= {"claim": case.letter} if due else {}
    reply.done += [Send("gm", key, to, (section,), match=match), Note("gm", content, match)]
    like_orders = reader.attempts(match.situation, reader.read_words(text)) if match else ()
    named: dict[str, Any] = {"game_master": of_league.address} if of_league else {}
    if due:
        _claimed(reply, due)
    reply.notice("gm sent", limit=len(text) > MAX_PRESS and MAX_PRESS, items=like_orders, until=due, **named)
