"""Letters that concern no seat, or that no token connects with a seat: a person's own commands, a game master's
decisions, letters that must be confirmed with a `yes`, and letters from strangers.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from pbem.games import GAMES
from pbem.games.base import Seat
from pbem.match import gm_commands, masters_words, own_words, player_commands, press
from pbem.match.case import Case
from pbem.match.effects import Confirm, Effect, Hold, Meet, Notice, Outcome, Section, Send, Wait, notice
from pbem.match.identity import MASTER, Player, hide_tokens
from pbem.match.lifecycle import may
from pbem.match.model import NO_ROOM, NO_SENDER, WANTS_TO_JOIN, WHICH_GAME, Match
from pbem.match.obey import answer_person, is_about_a_game, obey
from pbem.match.player_commands import look_up_in_game
from pbem.match.puzzles import judge
from pbem.match.reply import Reply
from pbem.match.sections import people
from pbem.orders import reader
from pbem.orders.ambiguity import is_courtesy
from pbem.orders.asked_leagues import SHOWING
from pbem.orders.command import Asking, Command, Decision, Help, Inquiry, Later, LookUp, Simple, in_words
from pbem.orders.commands import row_of
from pbem.orders.intents import find_intent
from pbem.orders.sentences import asks_for_person
from pbem.orders.wanted import is_computer


def reply_to_other(case: Case, now: datetime) -> list[Effect]:
    """Answer a letter that is not certainly from the holder of a seat."""
    if case.writer.failure == "stranger" or case.writer.player is None:
        return reply_to_stranger(case)
    if case.facts.lapsed and (commands := commands_to_confirm(case, now)):
        return ask_back(case, commands)
    return ask(case, now) if case.writer.failure and not case.confirmed else reply_to_person(case, now)


def reply_to_person(case: Case, now: datetime) -> list[Effect]:
    """Answer a letter that concerns no seat and whose writer is known for certain: carry out the writer's own commands
    and, if the writer is a game master, decisions."""
    token = case.writer.token
    about = case.match if token and token.seat == MASTER else None
    reply = Reply(case, now, about)
    remarks = case.words.lines()
    commands = case.words.commands
    if about:
        commands = tuple(gm_commands.as_decision(command, about) for command in commands)
    reply.reading = reader.Reading(commands=commands, remarks=remarks)
    unsure, beside = _unsure(reply, commands), tuple(line for line in remarks if not is_courtesy(line))
    for command in commands:
        if beside and command.word in ("yes", "accept"):
            reply.once("beside yes", remarks=beside)
        elif unsure and row_of(command).trust != "asked":
            reply.notice("confirm first", address=case.address)
        else:
            obey(reply, command)
    for_a_person = () if about else _for_a_person(case)
    if (case.answered.puzzle and judge(reply)) or masters_words.offer_lines(reply):
        pass
    elif for_a_person:
        press.write_to_master(reply, "\n".join(for_a_person))
        reply.reading = reply.reading._replace(remarks=tuple(line for line in remarks if line not in for_a_person))
    elif not commands and not (_answers_question(reply) or answer_person(reply)):
        reply.notice("nothing found", remarks=remarks, problems=case.problems)
        player_commands.status(reply)
    if any(section.template == "master_status" for section in reply.sections):
        sections, notes = gm_commands.open_orders(reply)
        reply.sections += sections
        reply.done += notes
    return reply.effects()


def _answers_question(reply: Reply) -> bool:
    """If the letter answers an open question in the writer's own words, settle this question; return whether the letter
    answers a question."""
    is_answer = own_words.person_in_own_words(reply)
    if reply.agreed:
        obey(reply, reply.agreed)
    return is_answer


def _for_a_person(case: Case) -> list[str]:
    """Return the lines of the letter that are meant for the game master: all lines if the letter asks for a human
    being, but only the lines that do so if the letter also has commands."""
    if case.words.commands:
        return [line for line in case.words.lines() if asks_for_person(line)]
    return case.text.splitlines() if wants_a_person(case) else []


def wants_a_person(case: Case) -> bool:
    """Return whether the letter asks for the person in charge, in words that are not a command."""
    intent = find_intent(case.words.lines())
    return asks_for_person(case.text) or (intent is not None and intent.name in ("person", "time"))


def _unsure(reply: Reply, commands: tuple[Command, ...]) -> bool:
    """Return whether the letter came from an address that has not been proven to be the writer's. A game master proves
    this by answering a letter that the desk sent to the address; a person with no other address proves it by any
    command except a yes or no. If the letter is such a proof, confirm the address."""
    case, only = reply.case, reply.case.address == reply.person.address.lower()
    sure = bool(reply.about) or (only and any(command.word not in ("yes", "accept", "decline") for command in commands))
    if case.facts.unconfirmed and sure:
        reply.done.append(Confirm(reply.person, case.address))
    return case.facts.unconfirmed and not (sure or (only and commands))


def ask(case: Case, now: datetime) -> list[Effect]:
    """Answer a letter that seems to come from a known person, but has no token to prove this. Everything in it that
    would change something waits for a `yes` from this person."""
    commands = case.words.commands
    changing = [
        command
        for command in commands
        if row_of(command).trust in ("anybody", "person")
        or (isinstance(command, Decision) and not gm_commands.why_not(Reply(case, now), command))
    ]
    if case.writer.failure == "unsigned":
        return [Outcome("not used: unsigned"), _unproven(case, notice("unsigned"))]
    if case.writer.failure != "no token":
        failure = case.writer.failure or "stranger"
        return which_game(Reply(case, now), "not yours" if failure == "another address" else failure)
    reply = Reply(case, now)
    if masters_words.offer_lines(reply):
        return [Outcome("answered without a game: lines to copy"), _unproven(case, *reply.sections)]
    if question := ask_which_game(case):
        return question
    if not commands and wants_a_person(case):
        changing = [Asking("gm", " ".join(case.text.split()))]
    if not changing:
        words = case.words._replace(worth_telling=tuple(quoted_parts(case.words.worth_telling)))
        return _reply_to_known(Reply(replace(case, words=words), now), commands)
    if case.trust == "address" and not case.facts.unconfirmed:
        return reply_to_person(replace(case, confirmed=True), now)
    return ask_back(case, changing)


def ask_back(case: Case, changing: list[Command]) -> list[Effect]:
    """Ask the writer to confirm that the letter is theirs. The commands in `changing` are carried out only after
    that."""
    written = [in_words(command) for command in changing]
    words = quoted_shares(zip(written, (len(command.word) for command in changing), strict=True))
    return _hold(case, "waits for the writer's yes", notice("confirm", words=words, part=words != written))


def _hold(case: Case, outcome: str, question: Section) -> list[Effect]:
    """Hold a letter until its writer has answered `question`."""
    send = Send("question", f"warning-{case.mark}", case.person, (question,), answers=case.message_id)
    return [Outcome(outcome), Hold(case.letter, case.address), send]


def _unproven(case: Case, *sections: Section) -> Send:
    """Return an answer, made of `sections`, to a letter that no token connects with its writer."""
    return Send("unproven", f"answer-{case.mark}", case.person, sections, answers=case.message_id)


def commands_to_confirm(case: Case, now: datetime) -> list[Command]:
    """Return the letter's commands that need a `yes`, because a lapsed token does not authorise them."""
    of_master = case.writer.token is not None and case.writer.token.seat == MASTER
    reply = Reply(case, now, case.match if of_master else None)
    return [
        command
        for command in case.words.commands
        if row_of(command).trust not in ("address", "lapsed seat") and not _is_proven(case, command)
        if not (isinstance(command, Decision) and gm_commands.why_not(reply, command))
    ]


def _is_proven(case: Case, command: Command) -> bool:
    """Return whether `command` itself proves who the writer is. A yes or no to a letter from the desk does so; if it
    contains a number, that letter must be one that lists open questions."""
    if command.word not in ("yes", "accept", "decline"):
        return False
    if isinstance(command, Asking) and command.argument:
        return command.argument != "always" and case.facts.listing.answers
    return bool(case.answered.letter or case.answered.wish or case.facts.listing.answers)


def _reply_to_known(reply: Reply, commands: tuple[Command, ...]) -> list[Effect]:
    """Answer a known person's letter that changes nothing, or that only asks for decisions that the person may not
    make."""
    refused = [(command, gm_commands.why_not(reply, command)) for command in commands if isinstance(command, Decision)]
    if not refused:
        return which_game(reply, "no token")
    arguments = quoted_shares((decision.argument, 0) for decision, _ in refused)
    for (decision, why), argument in zip(refused, arguments, strict=True):
        gm_commands.refuse(reply, replace(decision, argument=argument), why)
    return reply.effects()


def which_game(reply: Reply, failure: Notice) -> list[Effect]:
    """Answer a known person whose letter no token connects with a single seat. The answer goes to the address that the
    desk has on file."""
    case, commands = reply.case, reply.case.words.commands
    sections = [
        Section("help", {"topic": command.topic, "directs": case.directs, "listed": bool(case.facts.master_of)})
        for command in dict.fromkeys(commands)
        if isinstance(command, Help)
    ]
    if not commands or any(row_of(command).trust not in ("anybody", "address") for command in commands):
        sections.append(notice(failure))
    askings = [command for command in commands if isinstance(command, Asking) and command.word in SHOWING]
    if askings and not (sections or any(command == Simple("status") for command in commands)):
        sections = [
            part for asking in askings for part in player_commands.of_leagues(reply, asking.word, asking.argument)
        ]
        return [Outcome("answered without a game: leagues"), _unproven(case, *sections)]
    standing, notes = gm_commands.open_orders(reply)
    sections += [*player_commands.games_of(reply), *standing]
    return [*notes, Outcome(f"answered without a game: {failure}"), _unproven(case, *sections)]


# A new letter that names no game, from a person who plays one here. The sender may be forged, so nothing in the letter
# counts, and no `yes` to another letter can refer to it, until the question asked here is answered with a `yes`


_LINES = 10  # the maximum number of lines of a letter that the question repeats


def ask_which_game(case: Case) -> list[Effect] | None:
    """Hold the letter and ask whether it is meant for the writer's only game. If its orders are clear, show how they
    would be read. Return None if the letter does not seem to be about a game, or if the writer has no game or
    several."""
    seats = _seats(case)
    if case.facts.unconfirmed or len(seats) != 1:
        return None
    match, seat = seats[0]
    words = case.words._replace(match=match.name, people=people(match), turn=match.turn)
    reading = reader.read_orders(match.standpoint(seat), words)
    about = any(isinstance(command, Inquiry | Later) or row_of(command).of_seat for command in reading.commands)
    if not (about or reading.says_orders or _is_nearly_for_it(case)):
        return None
    certain = reading.orders is not None and not (reading.doubts or reading.perhaps or reading.commands or reading.adds)
    lines = [*reading.remarks] if certain else press.harmless(case.text)
    quoted = quoted_parts((lines if certain else press.harmless(without_links(case.text)))[:_LINES])
    values = {"orders": str(reading.orders) if certain else "", "remarks": quoted if certain else (), "text": quoted}
    return _hold(case, WHICH_GAME, notice("only game", match=match, seat=seat, part=quoted != lines, **values))


def _is_nearly_for_it(case: Case) -> bool:
    """Return whether the letter has no commands but asks for something that concerns a game, or for a person in
    charge."""
    if case.words.commands:
        return False
    return asks_for_person(case.text) or is_about_a_game(case.words.lines())


def _seats(case: Case) -> list[tuple[Match, Seat]]:
    """Return the writer's seats in matches that accept orders now."""
    return [
        (match, seat)
        for match in case.facts.own
        for seat in match.held_by(case.person)
        if not match.sandbox
        if seat not in match.gone and may(match, "orders come")
    ]


# How an answer repeats words from an unproven letter: only a few words, and nothing that a mail program turns into a
# link. Otherwise anyone could send their own links to people who trust letters from the desk


SHOWN = 200
"""The maximum number of characters of a letter that an answer quotes."""

_LONGEST = 64  # the maximum number of characters in a word, which is that of the local part of an address
_LINK = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{0,20}:[/\\]+\S*|\b(?:mailto|tel|sms|callto|data|javascript):\S+|\bwww\.\S*")
_DATE = r"(?:\d{4}-\d\d?-\d\d?|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4})(?!\d)"
_TELEPHONE = re.compile(rf"(?<![\w.-])(?!{_DATE})[+(]{{0,2}}\d(?:[ ()/.-]{{0,3}}\d){{6,}}")
_DOT = re.compile(r"(?<=\w)[.．。｡](?=[^\W\d_]{2})")
_AT = re.compile(r"(?<=\S)[@＠](?=\S)")
_LONG = re.compile(rf"(\S{{{_LONGEST}}})\S+")


def without_links(text: str) -> str:
    """Return `text` without links, telephone numbers or reply addresses, and with blanks in domains and mail addresses,
    so that these remain legible but do not work as links."""
    text = _TELEPHONE.sub("[...]", _LINK.sub("[...]", hide_tokens(text)))
    return _LONG.sub(r"\1...", _AT.sub(" @ ", _DOT.sub(" . ", text))).replace("`", "'")


def quoted_parts(texts: Iterable[str]) -> list[str]:
    """Return `texts` without links, cut to SHOWN characters in total."""
    quoted: list[str] = []
    for text in texts:
        room = SHOWN - sum(map(len, quoted))
        if room <= 0:
            break
        quoted.append(_shortened(without_links(text), room))
    return quoted


def quoted_shares(texts: Iterable[tuple[str, int]]) -> list[str]:
    """Return the given texts without links, each shortened to an equal share of SHOWN characters, or to its own minimum
    length if this is longer. `texts` contains each text with its minimum length."""
    texts = [*texts]
    return [_shortened(without_links(text), max(least, SHOWN // len(texts))) for text, least in texts]


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(most - 3, 1)].rstrip()}..."


# Strangers


def reply_to_stranger(case: Case) -> list[Effect]:
    """Answer a letter from a stranger: explain what this desk is, without revealing anything about any game, or ask a
    stranger who wants to play to confirm the letter. If the sender may be forged, answer only a letter that asks for
    something, because otherwise anyone could make the desk write to other people (RFC 3834). If the limits do not allow
    an answer now, the letter waits."""
    joins = _joins(case)
    kind = "newcomer" if joins else "stranger"
    asks = any(isinstance(command, Help | LookUp) or command == Simple("games") for command in case.words.commands)
    sure = case.vouched or (case.trust != "signed" and (joins or case.trust == "address" or asks))
    if not case.address:
        return [Outcome(NO_SENDER)]
    if not sure or kind not in case.facts.room.kinds:
        return [Outcome("a stranger's letter")]
    outcome = WANTS_TO_JOIN if joins else "a stranger's letter"
    if case.facts.room.full:
        return [Outcome(f"{outcome}, {NO_ROOM}"), Wait(case.letter, case.address, case.vouched)]
    key, name = (f"warning-{case.mark}", case.name) if joins else (f"answer-{case.mark}", "")
    stranger = Player(0, name, case.address, language=case.facts.language)
    reason: Notice = "who are you" if joins else "stranger"
    played, tried = [game.title for game in GAMES.values()], next(iter(GAMES))
    sections = (
        *(() if joins else _looked_up(case)),
        notice(reason, waited=case.facts.waited, poses=case.poses, played=played, tried=tried),
    )
    held: list[Effect] = [Meet(stranger), Hold(case.letter, case.address)] if joins else []
    return [Outcome(outcome), *held, Send(kind, key, stranger, sections, answers=case.message_id)]


def _looked_up(case: Case) -> list[Section]:
    """Return the answers to the look-ups in a letter. A look-up of a name that is not safe to quote gets no answer,
    because the answer repeats the stranger's words."""
    look_ups = [command for command in case.words.commands if isinstance(command, LookUp)]
    quoted = quoted_parts(look_up.argument for look_up in look_ups)
    return [
        look_up_in_game(look_up) for look_up, name in zip(look_ups, quoted, strict=False) if name == look_up.argument
    ]


def _joins(case: Case) -> bool:
    """Return whether the stranger asks to play, and has neither been banned nor refused all invitations."""
    askings = [command for command in case.words.commands if isinstance(command, Asking)]
    if not any(
        asking.word in ("join", "try") or (asking.word == "challenge" and is_computer(asking.argument))
        for asking in askings
    ):
        return False
    invitee = case.facts.invitee(case.address)
    return not (invitee.refuses or invitee.banned)
