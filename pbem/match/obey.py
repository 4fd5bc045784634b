"""Functions that carry out commands, in tables keyed by command word, and functions that propose commands to writers
who have asked for something in their own words.

The table in `orders/commands.py` says who may use each command, and how certain it must be who the writer is.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import assert_never

from pbem import PbemError
from pbem.games.capabilities import turn_of
from pbem.i18n import words
from pbem.match import (
    addresses,
    analysing,
    answers,
    appeals,
    consent,
    gm_commands,
    later,
    motions,
    player_commands,
    press,
    puzzles,
    sandboxes,
    seat_commands,
    sections,
    watching,
)
from pbem.match.lifecycle import may
from pbem.match.model import Entry, Match
from pbem.match.reply import Reply
from pbem.match.sections import manual, name_of, people
from pbem.orders import beside, intents, reader
from pbem.orders.ambiguity import is_courtesy
from pbem.orders.command import (
    Asking,
    Command,
    Decision,
    Help,
    Inquiry,
    Later,
    LookUp,
    Press,
    Simple,
    Suppose,
    in_words,
)
from pbem.orders.commands import explanation, find_command, row_of
from pbem.orders.intents import LEAD, SURE, Intent
from pbem.orders.misspelt import similar_usage
from pbem.times.dates import parse_dates, parse_hour
from pbem.times.moments import TimeError

MOST = 60
"""The maximum number of commands in a letter that are carried out and answered. Repetitions of a command that only
shows something do not count."""

SIMPLE: Mapping[str, Callable[[Reply], None]] = {
    **player_commands.SIMPLE,
    **seat_commands.SIMPLE,
    **motions.SIMPLE,
    **watching.SIMPLE,
    "yes": consent.yes,
    "accept": consent.yes,
    "withdraw": Reply.withdraw,
    "check": lambda reply: None,  # it only changes what happens to the letter's orders
    "undo": addresses.undo,
}

ASKING: Mapping[str, Callable[[Reply, str], None]] = {
    **player_commands.ASKING,
    **seat_commands.ASKING,
    **watching.ASKING,
    "try": sandboxes.begin_sandbox,
    "yes": consent.yes,
    "vote": motions.vote,
    "withdraw": later.take_back,
    "decline": consent.decline,
    "gm": press.write_to_master,
    "claim": press.claim,
    "appeal": appeals.appeal,
    "address": addresses.address,
    "analysis": analysing.tell,
    "puzzle": puzzles.show,
}


def obey(reply: Reply, command: Command) -> None:
    """Carry out a command, or explain in the reply why it cannot be carried out."""
    row = row_of(command)
    if len(reply.sections) >= MOST:
        reply.once("enough commands", limit=MOST)
    elif row.of_seat and not reply.seat:
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
    """Propose `command`, which resembles `line`; it is carried out only after a `yes`. Requests for help, look-ups,
    incomplete commands, `games`, and commands that ask for confirmation themselves, such as `resign`, are obeyed at
    once."""
    row = row_of(command)
    too_little = isinstance(command, Asking) and not command.argument and not row.complete
    if isinstance(command, Help | LookUp) or too_little or command.word in ("resign", "forget me", "games"):
        obey(reply, command)
    else:
        reply.ask(command, of_match=row.of_seat)
        about, effect = explanation(command)
        reply.notice("nearly", word=command.word, argument=command.argument, line=line, about=about, help=effect)


def _offer_as_player(reply: Reply, decision: Decision) -> None:
    """Propose what a player may mean by a command that is otherwise a game master's decision: `tell` as a message to
    someone, any other as a vote of the players."""
    if decision.word == "tell":
        to, _, text = decision.argument.partition(":")
        press.offer(reply, text.strip(), to)
    elif voting := find_command("vote", f"{decision.word} {decision.argument}".strip()):
        offer(reply, voting, in_words(decision))
    else:
        gm_commands.carry_out(reply, decision)


def _help(reply: Reply, topic: str) -> None:
    if not any(section.template == "help" and section.values["topic"] == topic for section in reply.sections):
        reply.sections.append(manual(topic, reply.about, reply.seat, directs=reply.case.directs))


def _do(reply: Reply, command: Command) -> None:
    match command:
        case Decision("tell" | "pause" | "resume" | "extend" | "annul" | "replace", "") if (
            reply.seat and gm_commands.why_not(reply, command)
        ):
            _offer_as_player(reply, command)
        case Decision():
            gm_commands.carry_out(reply, command)
        case Help():
            _help(reply, command.topic)
        case Later():
            later.keep(reply, command)
        case LookUp():
            player_commands.look_up(reply, command)
        case Inquiry() | Suppose():
            answers.answer(reply, command)
        case Press():
            press.send(reply, command)
        case Simple():
            SIMPLE[command.word](reply)
        case Asking():
            ASKING[command.word](reply, command.argument)
        case _:
            assert_never(command)


_OF_RUNNING = frozenset(("draw", "resign", "pass", "same", "withdraw", "pause", "resume", "wait", "go", "hand", "time"))
"""Intents that make no sense once a game is over."""

_CERTAIN = 0.9  # from this likelihood on, the game master is told at once that a writer disavows orders
_DATE_WORDS = 9
_ANY_DAY = date(2024, 1, 1)  # in a leap year; whether words are a date must not depend on today


def answer_seat(reply: Reply, least: float = LEAD) -> bool:
    """Answer a seat's letter without orders: propose the command, or give the answer, that the letter asks for. Return
    whether it asks for anything. `least` is the minimum lead of its intent over the next one."""
    intent = reply.intent(reply.case.words.lines(), least)
    if intent is None or (intent.name == "thanks" and (reply.reading.proposal or reply.reading.readings)):
        return False
    only_asks = intent.how or _BY_INTENT.get(intent.name) is _answer
    if only_asks and intent.lead < SURE and answers.answer_rule(reply, reply.case.text):
        return True
    return offer_intent(reply, intent)


_NEVER_BESIDE = frozenset(
    (
        "pass",
        "same",
        "withdraw",
        "resign",
        "forget me",
        "mine",
        "deadline",
        "missing",
        "score",
        "help",
        "advice",
        "thanks",
    )
)
"""Intents that are not offered beside orders, because the orders already imply them, or because a wrong guess would
cast doubt on the orders."""


def beside_orders(reply: Reply) -> tuple[list[str], list[Callable[[Reply], object]]]:
    """For a letter with orders, return the lines other than orders that the desk understands, and the functions that
    handle these lines.

    A line with a clear intent takes precedence. Otherwise, among lines that do not affect the orders, those that
    mention another player are offered as press; if there are none, the desk offers to pass on questions to the game
    master.
    """
    reading = reply.reading
    maybe = (line for line in reading.perhaps if not beside.is_hard(line))  # the writer is asked about the others
    intent = reply.intent((*reading.remarks, *maybe), SURE)
    if intent and not intent.how and intent.name not in _NEVER_BESIDE:
        return [intent.line], [partial(offer_intent, intent=intent)]
    others = beside.names_of_others(people(reply.match), reply.seat)
    remarks = [line for line in reading.remarks if not (similar_usage(line) or is_courtesy(line))]
    asked = [line for line in remarks if beside.asks(line) and not beside.is_addressed(line, others)]
    if said := [line for line in remarks if line not in asked and beside.mentions(line, others)]:
        text = intents.message_in(said[0]) if len(said) == 1 else "\n".join(said)
        return said, [partial(press.offer, text=text)]
    question = "\n".join(asked)
    return asked, [partial(offer, command=Asking("gm", question), line=question)] if asked else []


def offer_intent(reply: Reply, intent: Intent) -> bool:
    """Propose the command or give the answer that `intent` asks for; return False if this makes no sense in the
    match."""
    name = intent.name
    if reply.match.over and name in _OF_RUNNING:
        return False
    if intent.how:
        return answers.tell_how(reply, name.removeprefix("how "))
    if name in _BY_INTENT:
        return _BY_INTENT[name](reply, intent) is not False
    if (command := command_of(intent)) is None:
        return False
    offer(reply, command, intent.line)
    return True


def answer_person(reply: Reply) -> bool:
    """Answer a letter that concerns no seat: propose the command, or give the answer, that the letter asks for. Return
    whether it asks for anything. Only commands that need no seat are proposed. It must be certain who the writer is."""
    intent = intents.find_intent(reply.case.words.lines())
    if intent is None:
        return False
    if intent.how:
        return answers.tell_how(reply, intent.name.removeprefix("how "))
    command = command_of(intent) if intent.name not in _BY_INTENT else None
    if command is None or row_of(command).of_seat:
        return False
    offer(reply, command, intent.line)
    return True


def is_about_a_game(lines: tuple[str, ...]) -> bool:
    """Return whether `lines`, the text of a letter that names no game, ask for something that concerns a game."""
    intent = intents.find_intent(lines)
    if intent is None or intent.how or intent.name == "thanks":
        return False
    command = None if intent.name in _BY_INTENT else command_of(intent)
    return row_of(command).of_seat or command.word == "gm" if command else intent.name in _BY_INTENT


def command_of(intent: Intent) -> Command | None:
    """Return the command that `intent` means, with the values that its line contains, or None if `intent` does not mean
    a command. The command itself asks for any value that is missing."""
    line = intent.line
    if intent.command:
        return intent.command
    match intent.name:
        case "time" | "person" | "enter":
            return Asking("gm", line)
        case "vacation":
            dates = dates_in(line)
            return Asking("vacation", dates) if dates or intent.lead >= SURE else None
        case "address" | "hand":
            return Asking(intent.name, intents.address_in(line))
        case "language":
            return Asking("language", intents.language_in(line))
        case "zone":
            return Asking("zone", intents.zone_in(line))
        case "digest daily":
            hour = hour_in(line)
            return Asking("digest", f"daily at {hour}" if hour else "daily")
        case name:
            word, _, rest = name.partition(" ")
            argument = _ARGUMENTS[word](line) if word in _ARGUMENTS else rest
            return find_command(word, argument) or find_command(word, rest)


_ARGUMENTS: Mapping[str, Callable[[str], str]] = {
    "resend": intents.turn_in,
    "withdraw": lambda line: f"turn {turn}" if (turn := intents.turn_in(line)) else "",
    "record": intents.match_in,
    "join": intents.game_in,
}
"""The functions that find the argument of a command in a line, keyed by command word."""


# Intents for which a command is not enough


def _person(reply: Reply, intent: Intent) -> None:
    """Pass a message on to the game master: at once if it is certainly meant for a person in charge, otherwise after a
    `yes`."""
    text = reply.case.text
    if intent.lead >= SURE and "?" not in text and not reply.reading.says_orders:
        press.write_to_master(reply, text)
    else:
        offer(reply, Asking("gm", intent.line if reply.reading.says_orders else text), intent.line)


def _thanks(reply: Reply, _: Intent) -> None:
    """Answer thanks in the writer's own words, which ask for nothing."""
    reply.notice("nothing to do", **reply.pending())


def _no_draw(reply: Reply, intent: Intent) -> bool:
    """Propose `no draw`, which takes back the writer's own offer of a draw or declines that of others. Return False if
    no draw has been offered."""
    wished = bool(reply.match.wishes.get("draw"))
    if wished:
        offer(reply, Simple("no draw"), intent.line)
    return wished


def _rematch(reply: Reply, intent: Intent) -> None:
    """Propose a rematch if the match is over; otherwise, propose joining another game."""
    again = may(reply.match, "both rematch")
    offer(reply, Simple("rematch") if again else Asking("join", ""), intent.line)


def _same(reply: Reply, intent: Intent) -> None:
    """Propose repeating the orders of the last turn if they are still legal. If orders stand already, or the seat gave
    none in the last turn, tell the writer so."""
    match, seat = reply.match, reply.seat
    standing, before = match.standing.get(seat), last_orders(match, seat)
    if standing or before is None:
        reply.notice("same stands", entry=standing, **reply.pending())
        return
    reading = reader.read_text(match.standpoint(seat), before.canonical)
    turn = turn_of(match.game, match.state, match.turn) - 1
    if reading.orders is None:
        wrong = [mistake.sentence for mistake in reading.mistakes[:3]]
        reply.notice("same impossible", orders=before.canonical, turn=turn, wrong=wrong, **reply.pending())
    else:
        _propose(reply, str(reading.orders), intent.line)


def last_orders(match: Match, seat: str) -> Entry | None:
    """Return the orders of `seat` in the last turn that was played, or None if it gave none."""
    entry = last.orders.get(seat) if (last := match.past.last) else None
    return entry if entry and entry.came else None


def _pass(reply: Reply, intent: Intent) -> bool:
    """Propose the game's order for doing nothing. Return False if the game has no such order, or if orders cannot be
    given now."""
    match, seat = reply.match, reply.seat
    reading = reader.read_text(match.standpoint(seat), "Pass")
    if reading.orders is None or not may(match, "orders come") or not reply.current:
        return False
    _propose(reply, str(reading.orders), intent.line)
    return True


def _propose(reply: Reply, orders: str, line: str) -> None:
    reply.done += reply.propose(orders)
    match, seat = reply.match, reply.seat
    standing = match.standing.get(seat)
    reply.tell("meant", match=match, seat=seat, proposal=orders, line=line, standing=standing, **reply.pending())


def _not_mine(reply: Reply, intent: Intent) -> None:
    """Answer a writer who disavows orders: show the letter that brought them and how it was read, and tell the game
    master. If it is not certain that the writer disavows them, only offer to tell the game master."""
    match, seat = reply.match, reply.seat
    if intent.lead < _CERTAIN:  # a guess is not passed on
        offer(reply, Asking("gm", intent.line), intent.line)
        return
    entry = match.standing.get(seat)
    played = None if entry else last_orders(match, seat)
    last = match.past.last
    number = match.round if entry else name_of(match, last) if last else ""
    reply.notice("not mine", entry=entry or played, stands=entry is not None, turn=number)
    press.write_to_master(reply, reply.case.text)


def _reminder(reply: Reply, intent: Intent) -> None:
    spans = reply.match.terms.remind
    if spans and reply.match.deadline:
        reply.notice("reminders", before=max(spans), **reply.pending())
    else:
        offer(reply, Asking("gm", intent.line), intent.line)


def _answer(reply: Reply, intent: Intent) -> None:
    answers.answer(reply, Inquiry(intent.name, text=intent.line))


_BY_INTENT: Mapping[str, Callable[[Reply, Intent], object]] = {
    "person": _person,
    "no draw": _no_draw,
    "rematch": _rematch,
    "press": lambda reply, intent: press.offer(reply, intents.message_in(intent.line)),
    "same": _same,
    "pass": _pass,
    "not mine": _not_mine,
    "stop": lambda reply, _: reply.notice("stopping"),
    "reminder": _reminder,
    "advice": lambda reply, _: reply.notice("no advice"),
    "thanks": _thanks,
    "rule": lambda reply, _: answers.answer_rule(reply, reply.case.text),
    **dict.fromkeys(("deadline", "missing", "mine", "score", "last turn", "turns"), _answer),
}
"""The functions for intents that are not simply commands, keyed by the name of the intent. A function returns False if
the intent makes no sense in the match."""


# Days and hours in a line


def dates_in(line: str) -> str:
    """Return the dates in a line as they are written, such as `3 May to 12 May`; "" if there are none."""
    between = rf"\s+{words.pattern('around', 'and')}\s+"
    for text in dict.fromkeys((re.sub(between, " - ", line), line)):
        parts = text.split()
        spans = ((at, at + size) for size in range(_DATE_WORDS, 1, -1) for at in range(len(parts) - size + 1))
        for first, last in spans:
            if _are_dates(dates := " ".join(parts[first:last]).strip(" ,.;!?()")):
                return dates
    return ""


def hour_in(line: str) -> str:
    """Return the hour in a line as it is written; "" if there is none."""
    kinds = "|".join(words.pattern("times", kind) for kind in ("am", "pm", "oclock"))
    hour = re.compile(rf"\d{{1,2}}(?:[:.]\d\d)?(?: ?(?:{kinds}))?(?!\w)", re.I).search(line)
    return hour[0] if hour and parse_hour(hour[0]) else ""


def _are_dates(text: str) -> bool:
    try:
        parse_dates(text, _ANY_DAY)
    except TimeError:
        return False
    return True
