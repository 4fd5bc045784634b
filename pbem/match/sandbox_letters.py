"""Letters to a sandbox, in which one person plays all sides. A letter gives orders for several sides, each below a
heading with its name, and the turn is played as soon as all orders are in.

The people whom the player has asked to watch get every letter about the sandbox, and may write into it, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from pbem import Sentence
from pbem.games.base import Result, Seat
from pbem.match import clock, consent, questions, reports, rollback
from pbem.match.case import Case
from pbem.match.effects import Effect, MarkFailing, Section, Send, WithdrawOrders, notice
from pbem.match.identity import MASTER, Token
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.obey import obey
from pbem.match.reply import Reply
from pbem.orders import conditions, reader, supposing
from pbem.orders.command import ANY_TURN, Asking, Command, Inquiry, Later, LetterText, Simple
from pbem.orders.sides import by_side

_OF_OTHERS = frozenset(
    (
        *("draw", "no draw", "wait", "no wait", "go", "no go", "vote", "no vote", "pause", "no pause", "resume"),
        *(
            "press",
            "claim",
            "appeal",
            "word",
            "mute",
            "unmute",
            "hand",
            "back",
            "rematch",
            "later",
            "no take back",
            "vote annul",
        ),
    )
)
"""Commands that make no sense where nobody else plays."""

_OF_SANDBOX = frozenset(
    ("yes", "accept", "decline", "withdraw", "undo", "take back", "check", "resign", "history", "resend")
)
"""Commands that people who watch a sandbox can use in it, too. Others that are not about games of several people
concern themselves."""


_SHOWN_IN_REPORT = frozenset(("side", "receipt"))
"""Sections of an answer that say nothing more than the report of the turn."""


def is_for_sandbox(case: Case) -> bool:
    """Return whether the letter is for a sandbox: from its player, or from a person who watches it and does not only
    give commands that concern themselves."""
    match, token = case.match, case.writer.token
    if not (match and match.sandbox and token) or case.writer.failure:
        return False
    if token.seat in match.holders:
        return True
    watches = reports.may_write_into(match, case.writer.player)
    return token.seat == MASTER and watches and _is_about(match, case)


def _is_about(match: Match, case: Case) -> bool:
    """Return whether a letter of somebody who watches is about the sandbox: all its commands are, or it gives
    orders."""
    if all(_is_of_sandbox(match, case, command) for command in case.words.commands):
        return True
    return any(_read(match, seat, LetterText(rest=text)).says_orders for seat, text in _parts(match, case.words.rest))


def _is_of_sandbox(match: Match, case: Case, command: Command) -> bool:
    """Return whether a command of somebody who watches is about the sandbox. An answer to a question is if it is the
    sandbox that has asked it."""
    if command.word not in ("yes", "accept", "decline"):
        return command.word in _OF_SANDBOX | _OF_OTHERS
    asked = (question.letters for seat in match.seats for question in questions.of_seat(match, seat))
    return any(case.answered.letter in (None, *letters) for letters in asked)


def _parts(match: Match, text: str) -> list[tuple[Seat, str]]:
    """Return `text` divided by headings, with their sides; what is above the first one may be for any side."""
    sides, rest = by_side(match.game, match.seats, text)
    return [*sides.items(), *((seat, rest) for seat in match.seats)]


def answer(case: Case, now: datetime) -> list[Effect]:
    """Return the effects of a letter to a sandbox. Its player gets the answer, and everybody who watches gets a copy.
    The report of a turn that the letter completes is part of the answer."""
    match, token = case.match, case.writer.token
    assert match
    assert token
    seat = match.seats[0]
    reply = Reply(case, now, match, token._replace(seat=seat))
    private = _obey_all(reply)
    _take_orders(reply, match, is_current=token.turn == match.turn)
    if not reply.sections and not reply.later:
        reply.notice("nothing found", remarks=reply.reading.remarks, problems=case.problems)
        reply.position()
    effects = reply.effects()
    if match.holders[seat].failing:
        effects.append(MarkFailing(match, seat, False))
    return _with_copies(reply, effects, private)


def _obey_all(reply: Reply) -> list[Section]:
    """Carry out the commands of the letter; return the sections that answer commands which concern only the writer."""
    private: list[Section] = []
    watches = not reply.match.held_by(reply.person)
    for command in reply.case.words.commands:
        before = len(reply.sections)
        match command:
            case Simple("undo" | "take back"):
                _take_back(reply)
            case Simple("withdraw"):
                _withdraw(reply)
            case Simple("resign"):
                _close(reply)
            case Simple("yes" | "accept") | Asking("yes" | "decline"):
                _settle(reply, command)
            case Simple("check"):
                pass
            case _ if command.word in _OF_OTHERS:
                reply.once("plays alone", word=command.word)
            case _ if watches and not _is_of_sandbox(reply.match, reply.case, command):
                reply.once("letter of its own", word=command.word)
            case _:
                obey(reply, command)
        if not watches and command.word not in _OF_SANDBOX:
            private += reply.sections[before:]
    return private


def _with_copies(reply: Reply, effects: Sequence[Effect], private: Sequence[Section]) -> list[Effect]:
    """Return `effects`, with a copy of the answer, but without its `private` sections, for everybody who watches. If
    one of them has written the letter, the answer says so."""
    case, match, copies = reply.case, reply.match, list[Effect]()
    told = list(effects)
    for at, effect in enumerate(effects):
        if not (isinstance(effect, Send) and effect.kind == "answer" and effect.match and effect.match.id == match.id):
            continue
        by = next((watcher for watcher in match.observers if watcher.id == case.person.id), None)
        head = (notice("teacher wrote", name=by.name),) if by else ()
        told[at] = effect._replace(sections=(*head, *effect.sections), answers=None if by else effect.answers)
        common = tuple(section for section in effect.sections if section not in private)
        for watcher in match.observers if common else ():
            copy = reports.to_watcher(match, watcher, "answer", effect.key, *head, *common)
            copies.append(copy._replace(answers=case.message_id if watcher == by else None))
    return [*told, *copies]


def _take_orders(reply: Reply, started: Match, *, is_current: bool) -> None:
    """Take the orders in the letter for each side, and play the turn if all orders are in then. `started` is the match
    as it was before the letter."""
    match = reply.match
    words, supposed = supposing.take(match.standpoint(reply.seat), reply.case.words)
    for command in supposed:
        obey(reply, command)
    sides, rest = by_side(match.game, match.seats, words.rest)
    texts = {seat: text for seat, text in sides.items() if text.strip()}
    if rest.strip() and not texts:
        texts, rest = _without_heading(reply, rest), ""
    answers = [_for_side(reply, seat, text, is_current=is_current) for seat, text in texts.items()]
    unread = [
        line for text in (rest, *(line for one in answers for line in one.reading.remarks)) for line in text.split("\n")
    ]
    reply.reading = reader.Reading(remarks=(*reply.reading.remarks, *filter(None, map(str.strip, unread))))
    if reply.match.phase == "running" and reply.match.can_play() and reply.match.standing:
        told = (*reply.sections, *(section for one in answers for section in one.sections))
        reply.sections = [section for section in told if section.template not in _SHOWN_IN_REPORT]
        reply.sections += _carry_out(reply, clock.tick(reply.match, reply.now))
        return
    for one in filter(_says_something, answers):
        reply.sections += [Section("side", {"match": match, "seat": one.seat}), *one.sections]
    is_changed = reply.match.standing != started.standing or any(map(_says_something, answers))
    if is_changed and not any(section.template == "position" for section in reply.sections):
        reply.tell("sides_missing", match=reply.match, missing=reply.match.missing(), deadline=None, seat=None)


def _says_something(part: Reply) -> bool:
    return bool(part.sections)


def _without_heading(reply: Reply, text: str) -> dict[Seat, str]:
    """Return the side for which orders without a heading are meant, with these orders: the only side whose orders are
    missing, or the only side for which they are legal. If it is not certain which side that is, ask."""
    match = reply.match
    missing = match.missing() or [*match.seats]
    legal = [seat for seat in missing if _read(match, seat, LetterText(rest=text)).orders is not None]
    tried = [seat for seat in missing if _read(match, seat, LetterText(rest=text)).says_orders]
    meant = missing if len(missing) == 1 else legal if len(legal) == 1 else tried if len(tried) == 1 else []
    if not meant and tried:
        reply.notice("which side", first=match.game.called[match.seats[0]])
    if not meant:
        reply.reading = reader.Reading(remarks=tuple(filter(None, map(str.strip, text.split("\n")))))
    return dict.fromkeys(meant, text)


def _read(match: Match, seat: Seat, words: LetterText) -> reader.Reading:
    """Return the reading of `words` as orders of `seat`, in a form in which they can be played."""
    standpoint = match.standpoint(seat)
    reading = reader.read_orders(standpoint, words)
    if reading.adds and seat in match.standing:
        return reading
    return reader.as_playable(standpoint, reading, words.rest)


def _for_side(reply: Reply, seat: Seat, text: str, *, is_current: bool) -> Reply:
    """Answer the part of the letter that is about the orders of `seat`; return this answer, whose effects are done."""
    part = _as_seat(reply, seat, is_current=is_current)
    words = reply.case.words
    checks = tuple(command for command in words.commands if command.word == "check")
    own = words._replace(rest=text, commands=checks, subject="", aside=(), worth_telling=(), undone="")
    part.case = replace(reply.case, words=own, text=text.strip())
    part.reading = _read(reply.match, seat, own)
    for command in part.reading.commands:
        if isinstance(command, Inquiry):
            obey(part, command)
        elif isinstance(command, Later):
            is_condition = conditions.branches(reply.match.standpoint(seat), command.text) != (command.text,)
            turn = f"turn {command.turn}:" if command.turn else "next turn:"
            reply.once("plays alone", word=command.text[:60] if is_condition or command.turn == ANY_TURN else turn)
    if part.reading.says_orders or part.reading.readings or part.reading.proposal or part.reading.standing:
        part.orders()
    elif part.reading.doubts:
        part.doubtful()
    _join(reply, part)
    return part


def _as_seat(reply: Reply, seat: Seat, *, is_current: bool) -> Reply:
    turn = reply.match.turn if is_current else reply.turn
    return Reply(reply.case, reply.now, reply.match, Token(reply.match.id, seat, turn, ""))


def _join(reply: Reply, part: Reply) -> None:
    """Add the effects of `part`, the answer for one side, to those of the letter."""
    reply.do(part.done)
    reply.later += part.later
    reply.apart += part.apart
    part.sections = [Section(one.template, {**one.values, "part": True}) for one in part.sections]


def _carry_out(reply: Reply, changes: Iterable[Effect]) -> list[Section]:
    """Add `changes` of the sandbox to the effects of the letter; return the sections of the letter that reports them to
    the player, which become part of the answer."""
    told: list[Section] = []
    for effect in changes:
        if not isinstance(effect, Send) or effect.match is None or effect.match.id != reply.match.id:
            reply.do([effect])
        elif effect.holder and effect.holder.seat == reply.seat:
            told += effect.sections
    return told


# Commands


def _take_back(reply: Reply) -> None:
    """Take back the last turn or, if none has been played, the orders that stand."""
    match = reply.match
    if match.past.last and may(match, "rollback"):
        reply.sections += _carry_out(reply, rollback.roll_back(match, match.past.last, reply.now, ""))
    elif match.standing and not match.over:
        _withdraw(reply)
    else:
        reply.notice("nothing played")
        reply.position()


def _withdraw(reply: Reply) -> None:
    """Withdraw the orders of all sides that stand."""
    match = reply.match
    seats = [] if match.over else [*match.standing]
    for seat in seats:
        standing = {name: entry for name, entry in reply.match.standing.items() if name != seat}
        reply.do([WithdrawOrders(replace(reply.match, standing=standing), seat)])
    reply.notice(
        "sides withdrawn" if seats else "nothing to withdraw", names=[match.game.called[seat] for seat in seats]
    )
    reply.position()


def _close(reply: Reply) -> None:
    """End the sandbox, which needs nobody's consent."""
    if may(reply.match, "somebody resigns"):
        result = Result(None, Sentence("The sandbox was closed."), forfeit=True)
        reply.sections += _carry_out(reply, clock.finish(reply.match, result, reply.now, "the players"))
    else:
        reply.notice("not now", at=reply.match)


def _settle(reply: Reply, command: Command) -> None:
    """Answer the questions about the orders of all sides: those that the answered letter asked or, if it is not known
    which letter that is, all of them."""
    match, answered = reply.match, reply.case.answered.letter
    asked = {seat: questions.of_seat(match, seat) for seat in match.seats}
    asked = {seat: every for seat, every in asked.items() if any(answered in (None, *one.letters) for one in every)}
    number = command.argument if isinstance(command, Asking) else ""
    is_player = bool(match.held_by(reply.person))
    for seat in asked or match.seats[:1]:
        part = _as_seat(reply, seat, is_current=reply.turn == match.turn)
        if not is_player:  # the questions to somebody who watches are not about the sandbox
            part.case = replace(part.case, confirmed=True)
        (consent.decline if command.word == "decline" else consent.yes)(part, number)
        if part.agreed:
            obey(part, part.agreed)
        _join(reply, part)
        reply.sections += [Section("side", {"match": match, "seat": seat})] * bool(asked) + part.sections
