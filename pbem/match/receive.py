"""The service core: what follows from a letter for a match and its people. All functions are pure: they take values and
`now`, and return effects.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n.words import ENGLISH, guess_language
from pbem.match import questions
from pbem.match.case import Case
from pbem.match.effects import Ask, Effect, Hold, MarkFailing, Notice, Outcome, Send, SetLanguage, TakeOrders, notice
from pbem.match.identity import Token
from pbem.match.lifecycle import may
from pbem.match.model import IN_VAIN, NO_SENDER, NOT_ANSWERED
from pbem.match.reply import Reply
from pbem.match.reports import mail_fails, to_master, to_seat, with_answer
from pbem.orders import conditions, reader
from pbem.orders.command import ANY_TURN, Asking, Command, Inquiry, Later, Press, Simple, Suppose, in_words
from pbem.orders.commands import row_of
from pbem.orders.headings import another_game
from pbem.orders.intents import LEAD, SURE
from pbem.orders.sentences import asks_for_person, chosen_number

if TYPE_CHECKING:
    from pbem.match.interpretation import Understood

_ANSWERS = ("answer", "stranger", "unproven", "puzzle")

_ASKED_ABOUT = ("yes", "accept", "check")
"""Commands that a doubtful answer deals with in any case."""

_SAME, _SAME_DONE = 3, 30
"""How many letters with the same words are answered within a few hours and one turn: the first limit applies if the
words have no effect, the second if they have an effect and nothing suggests that a machine sent them."""
_IN_VAIN = 6
"""How many letters in a row are answered without delay although the desk finds nothing in them. A person may need so
many attempts."""
_COMMON = 2  # the minimum number of common words by which a language is recognised
_HOUR = timedelta(hours=1)


def receive(case: Case, now: datetime) -> list[Effect]:
    """Return the effects of a letter. Its orders are handled as a whole, and each command by itself; the answer reports
    on everything."""
    effects = _in_few_letters(case, _receive(case, now))
    if not case.untied:
        return effects
    return [effect._replace(untied=True) if isinstance(effect, Send) else effect for effect in effects]


def _receive(case: Case, now: datetime) -> list[Effect]:
    writer, match = case.writer, case.match
    if case.returned and match and writer.token and writer.token.seat in match.holders:
        return [Outcome("delivery report"), *mail_fails(match, writer.token.seat, f"letter-{case.mark}")]
    if case.automatic:
        return _use_automatic(case, now)
    return _unless_repeated(case, _reply(case, now))


def _in_few_letters(case: Case, effects: list[Effect]) -> list[Effect]:
    """Return `effects` with the answer joined to the letter that tells everybody what has come of it, unless the writer
    has asked for more letters."""
    joined = with_answer(effects)
    return effects if joined is effects or case.facts.mail.apart else joined


def outcome_of(effects: list[Effect]) -> str:
    """Return the text of the letter's outcome, which is among its `effects`."""
    return next(effect.text for effect in effects if isinstance(effect, Outcome))


def _reply(case: Case, now: datetime) -> list[Effect]:
    """Return the effects of a letter that was written by a person."""
    writer, match = case.writer, case.match
    if case.facts.banned:
        return [Outcome("not used: the writer is banned")]
    if writer.failure and writer.token:
        return _warn_owner(case, writer.token, now)
    if match and match.sandbox:
        from pbem.match import sandbox_letters

        if sandbox_letters.is_for_sandbox(case) and not case.facts.lapsed:
            return sandbox_letters.answer(case, now)
    if writer.failure or match is None or writer.token is None or writer.token.seat not in match.holders:
        from pbem.match.persons import reply_to_other

        return reply_to_other(case, now)
    if lapsed := _lapsed_commands(case, now):
        from pbem.match.persons import ask_back

        return ask_back(case, lapsed)
    effects = _reply_to_seat(Reply(case, now, match, writer.token))
    if match.holders[writer.token.seat].failing:
        effects.append(MarkFailing(match, writer.token.seat, False))
    return effects


def _lapsed_commands(case: Case, now: datetime) -> list[Command]:
    """Return the letter's commands that need a `yes`, because its token has lapsed and does not authorise them; [] if
    the token has not lapsed."""
    if not case.facts.lapsed:
        return []
    from pbem.match.persons import commands_to_confirm

    return commands_to_confirm(case, now)


def _use_automatic(case: Case, now: datetime) -> list[Effect]:
    """Handle an automatic letter, which should not be answered (RFC 3834). However, some providers mark people's
    letters as automatic, and some people have addresses like those of programs. Orders and commands are therefore used
    if the letter has a token and comes from an address of the token's seat. They are even answered if a person may have
    written the letter, or if it has orders and only its subject looks automatic."""
    assert case.automatic
    writer, match, why = case.writer, case.match, f"automatic: {case.automatic.why}"
    token = writer.token
    if writer.failure or token is None or case.facts.banned or _lapsed_commands(case, now):
        return [Outcome(why)]
    is_useful, perhaps = bool(case.words.commands), case.automatic.perhaps
    if match and token.seat in match.holders:
        reading = reader.read_orders(match.standpoint(token.seat), case.words)
        is_useful = is_useful or reading.orders is not None or bool(reading.standing)
        is_useful = is_useful or bool(perhaps and (reading.mistakes or reading.doubts or reading.commands))
        is_useful = is_useful and (perhaps or not reading.mistakes)
        perhaps = perhaps or (case.automatic.by_subject and reading.orders is not None)
    if is_useful and perhaps:
        return _unless_repeated(case, _reply(case, now))
    return _unanswered(_reply(case, now), f"{why}; used, not answered") if is_useful else [Outcome(why)]


def _unless_repeated(case: Case, effects: list[Effect]) -> list[Effect]:
    """Return `effects`, but without an answer if the letter seems to come from a program that answers the desk's
    answers. The same words are answered only a few times. If the words change but the desk finds nothing in them,
    answers become rarer: after six answers, at least an hour passes before the next one, and this time doubles with
    each further answer. The first letter in a turn is always answered."""
    done = any(not isinstance(effect, Outcome | Send | MarkFailing | Ask) for effect in effects)
    before = case.facts.repeats
    most = _SAME_DONE if (done or case.words.commands) and not (case.automatic and case.automatic.perhaps) else _SAME
    again = before.same >= most
    in_vain = outcome_of(effects) in IN_VAIN and not case.words.commands
    if in_vain and before.ago is not None and before.in_vain >= _IN_VAIN:
        again = again or before.ago < _HOUR * 2 ** (before.in_vain - _IN_VAIN)
    return _unanswered(effects, NOT_ANSWERED) if again else effects


def _unanswered(effects: list[Effect], why: str) -> list[Effect]:
    """Return `effects` without the answer to the writer, and with `why` as the outcome."""
    others = [
        effect
        for effect in effects
        if not (isinstance(effect, Outcome) or (isinstance(effect, Send) and effect.kind in _ANSWERS))
    ]
    return [Outcome(why), *others]


def _read(reply: Reply) -> reader.Reading:
    """Return the reading of a seat's letter, with its orders in a form in which they can be played. Orders that only
    add to those that stand are left as they are, because they need not be complete."""
    standpoint, words = reply.match.standpoint(reply.seat), reply.case.words
    reading = reader.read_orders(standpoint, words)
    if not (reading.adds and reply.seat in reply.match.standing):
        reading = reader.as_playable(standpoint, reading, words.rest)
    if reply.case.answered.is_press and _may_be_for_people(reading):
        # the lines only look like orders, or like questions to the desk
        return reader.Reading(commands=words.commands, remarks=words.lines())
    return reading


def _reply_to_seat(reply: Reply) -> list[Effect]:
    """Answer a letter from a seat: first its commands, each by itself, then its orders as a whole."""
    match = reply.match
    _use_their_language(reply)
    reading = _read(reply)
    meant = reading.mistakes or reading.doubts or reading.orders is not None
    if meant and (name := another_game(reply.case.words.lines(), match.name)):
        reply.notice("another game", name=name)
        return reply.effects()
    understood = _understood(reply, reading)
    reply.reading = understood.reading if understood else reading
    is_answer = not understood and _answers_question(reply)
    reading = reply.reading
    to_look = [  # done last: these show the results of everything else
        command for command in reading.commands if command == Simple("status") or isinstance(command, Inquiry | Suppose)
    ]
    is_doubtful = bool(understood or reading.doubts)
    reading = reading._replace(commands=_commands_to_obey(reading, doubtful=is_doubtful))
    for command in reading.commands:
        if command not in to_look:
            _obey(reply, command)
    held_back = _held_back(reply, (*reading.commands, *to_look)) if is_doubtful and reply.current else ()
    wanted = [] if understood else _wanted_beside(reply, is_answer=is_answer)
    if understood:
        understood.answer(reply)
    elif reading.says_orders or not is_answer:
        _orders_or_words(reply, reading)
    for offer in wanted:
        offer(reply)
    for command in to_look:
        _obey(reply, command)
    if held_back:
        reply.notice("held back", commands=held_back)
    _show_presence(reply)
    for wish, change in reply.wished.items():
        from pbem.match.seat_commands import tell_others

        tell_others(reply, change, wish)
    return reply.effects()


def _show_presence(reply: Reply) -> None:
    """If the letter gives orders, correct or not, end the vote on replacing its writer by the computer."""
    gives_orders = reply.reading.says_orders or any(isinstance(effect, TakeOrders) for effect in reply.done)
    if gives_orders and reply.match.motions:
        from pbem.match.motions import show_presence

        show_presence(reply)


def _understood(reply: Reply, reading: reader.Reading) -> "Understood | None":
    """Return the letter as an interpreter has read it, if there is such a reading."""
    if reply.case.interpretation is None:
        return None
    from pbem.match import interpretation

    return interpretation.understood(reply, reading)


def _use_their_language(reply: Reply) -> None:
    """If a new player writes in a language other than that of the desk's letters to them, change the language of these
    letters. The invitation may have been in the host's language."""
    if reply.match.phase != "offered" or not reply.unconfirmed:
        return
    language = guess_language(reply.case.text, _COMMON)
    if language and language != (reply.person.language or ENGLISH):
        reply.become(replace(reply.person, language=language))
        reply.done.append(SetLanguage(reply.person, language))
        reply.notice("your language", language=language)


def _obey(reply: Reply, command: Command) -> None:
    from pbem.match.obey import obey  # most letters only give orders and do not need this module

    obey(reply, command)


def _commands_to_obey(reading: reader.Reading, *, doubtful: bool) -> tuple[Command, ...]:
    """Return the commands in a letter that are to be obeyed. If its orders contain mistakes, orders for later turns are
    left out, because a letter's orders are taken as a whole or not at all. If there are doubts about the orders, only
    commands that any known writer may give are obeyed."""
    commands = reading.commands
    if reading.mistakes:
        commands = tuple(command for command in commands if not isinstance(command, Later))
    if doubtful and not reading.in_subject:
        commands = tuple(command for command in commands if row_of(command).trust == "address")
    return commands


def _held_back(reply: Reply, obeyed: Sequence[Command]) -> tuple[str, ...]:
    """Return the commands of a doubtful letter that were not `obeyed`, each as it is written, cut to one line. Those
    about which the writer is asked anyway are left out."""
    reading, doubtful = reply.reading, {doubt.text for doubt in reply.reading.doubts}
    asked_about = (*_ASKED_ABOUT, *(("withdraw", "undo") if reply.case.words.undone else ()))
    others = (command for command in reading.commands if command not in obeyed and command.word not in asked_about)
    return tuple(words for words in dict.fromkeys(map(_as_written, others)) if words not in doubtful)


def _as_written(command: Command) -> str:
    """Return the first line of `command` as people write it."""
    match command:
        case Press(text=text, to=to):
            words = f"press {to}: {text}" if to else f"press: {text}"
        case Later(turn=turn, text=text):
            words = f"turn {turn}: {text}" if turn > 0 else text if turn == ANY_TURN else f"next turn: {text}"
        case Asking() if row_of(command).usage.startswith(f"{command.word}:"):
            words = f"{command.word}: {command.argument}"
        case _:
            words = in_words(command)
    return words.partition("\n")[0]


def _answers_question(reply: Reply) -> bool:
    """If the letter answers an open question in the writer's own words, settle this question; return whether the letter
    answers a question."""
    if not questions.of_seat(reply.match, reply.seat):
        return False
    from pbem.match.own_words import in_own_words

    is_answer = in_own_words(reply)
    if reply.agreed:
        _obey(reply, reply.agreed)
        reply.agreed = None
    return is_answer


def _wanted_beside(reply: Reply, *, is_answer: bool) -> list[Callable[[Reply], object]]:
    """Return the functions that handle what a letter asks for in addition to its orders, its commands or its answer to
    a question. A request for a person in charge is passed on, and anything else is proposed to the writer; the lines in
    question no longer count as remarks.

    The list is empty in two cases: if the letter has no orders, commands or such an answer, because it is then handled
    as a whole; and if it answers press, because it may be meant for the writer of the press.
    """
    reading = reply.reading
    if not (reading.commands or reading.says_orders or is_answer) or reply.case.answered.is_press:
        return []
    beside = (*reading.remarks, *reading.perhaps)
    lines = [line for line in beside if asks_for_person(line)]
    found_in_doubt = [doubt.text for doubt in reading.doubts if asks_for_person(doubt.text)]
    wanted: list[Callable[[Reply], object]] = []
    if lines or found_in_doubt:
        from pbem.match import press

        wanted.append(partial(press.write_to_master, text="\n".join((*lines, *found_in_doubt))))
    elif (reading.orders is not None or reading.standing or is_answer) and beside:
        from pbem.match import obey

        lines, wanted = obey.beside_orders(reply)
    if lines:
        remarks, perhaps = (
            tuple(line for line in texts if line not in lines) for texts in (reading.remarks, reading.perhaps)
        )
        reply.reading = reading._replace(remarks=remarks, perhaps=perhaps)
    return wanted


def _may_be_for_people(reading: reader.Reading) -> bool:
    """Return whether an answer to press, with this reading, may be meant for the writer of the press."""
    asks = any(isinstance(command, Inquiry | Suppose) for command in reading.commands)
    return reading.everyday or (asks and reading.orders is None and not reading.mistakes and not reading.doubts)


def _orders_or_words(reply: Reply, reading: reader.Reading) -> None:
    """Handle everything in a seat's letter except its commands: orders, possible orders, another request, or nothing
    that the desk understands."""
    decided = bool(reading.choices) and reply.current
    if decided:
        reply.notice("condition now", choices=reading.choices, says=reading.says_orders, **reply.pending())
    guessed = tuple(filter(None, (reading.proposal, *reading.readings)))
    doubtful = reading.doubts and not reply.reading.commands and not asks_for_person(reply.case.text)
    if {*guessed} == {"Pass"} and doubtful and _wants_else(reply):
        pass
    elif reading.mistakes or reading.orders is not None or reading.standing or guessed or reading.in_subject:
        reply.orders()
        _explain_conditions(reply)
    elif (decided and not reading.doubts) or (not reply.reading.commands and _is_for_people(reply)):
        pass
    elif reading.doubts:
        if not (doubtful and _wants_else(reply)):
            reply.doubtful()
            _explain_conditions(reply)
    elif Simple("check") in reading.commands:
        reply.notice("nothing to check")
    elif not reading.commands and may(reply.match, "orders come"):
        from pbem.match.consent import nothing_found

        nothing_found(reply)
        _explain_conditions(reply)
    elif not reading.commands:
        reply.too_late()


def _explain_conditions(reply: Reply) -> None:
    if reply.reading.orders is None and reply.current:
        from pbem.match import conditional

        conditional.explain(reply)


def _is_for_people(reply: Reply) -> bool:
    """If a letter without commands is meant for the other players or for the game master, or asks for something other
    than orders, handle it; return whether this is the case. Words that may be orders count only if they certainly mean
    something else."""
    from pbem.match import press

    if press.answer(reply):
        return True
    if asks_for_person(reply.case.text):
        press.write_to_master(reply, reply.case.text)
    else:
        return _wants_else(reply)
    reply.reading = reader.Reading()  # nothing else in the letter is read
    return True


def _wants_else(reply: Reply) -> bool:
    """If the letter asks for something other than orders, offer this; return whether it does. Doubtful words, which may
    be orders, count only if they certainly ask for something else, and never if other lines of the letter are orders. A
    number from one of the desk's lists never asks for anything else."""
    from pbem.match import answers, obey

    reading, match = reply.reading, reply.match
    doubts = "\n".join(doubt.text for doubt in reading.doubts)
    attempts = reader.attempts(match.situation, reply.case.words) if doubts else ()
    if reading.in_subject or any(item not in doubts for item in attempts):
        return False
    if any(map(conditions.is_shaped_like_wish, reply.case.words.lines())):  # "if I lose M I resign" resigns nothing now
        return False
    is_chosen = chosen_number(reply.case.words.lines()) and reply.case.facts.listing.answers
    is_offered = not is_chosen and (
        obey.answer_seat(reply, SURE if reading.doubts else LEAD)
        or (not (reading.proposal or reading.readings) and answers.answer_rule(reply, reply.case.text))
    )
    if is_offered:
        reply.reading = reader.Reading()
    return is_offered


def _warn_owner(case: Case, token: Token, now: datetime) -> list[Effect]:
    """Warn the owner of a proven token that a letter with this token came from another address or was unsigned. The
    writer of the letter learns nothing about the match.

    If a letter with a seat's token came from an unknown address, the letter is held, because the holder of the seat may
    say that it is theirs.
    """
    match, writer, key = case.match, case.writer, f"warning-{case.mark}"
    holder = match.holders.get(token.seat) if match else None
    owner = holder.player if holder else writer.owner
    assert owner is not None
    hold = bool(writer.failure == "another address" and holder and writer.player is None and case.address)
    reason: Notice = "held" if hold else writer.failure or "stranger"
    if writer.failure == "unsigned" and writer.player != owner:
        reason = "another address"
    kind, section = "question" if hold else "warning", notice(reason, address=case.address)
    warning = Send(kind, key, owner, (section,), holder, match if holder else None, match.turn if match else 0)
    if hold:
        return [Outcome("the token of a seat, from another address"), Hold(case.letter, case.address), warning]
    player = writer.player
    signed = writer.failure != "unsigned"
    answer: list[Effect] = []
    if signed and player and player.id != owner.id:
        from pbem.match.persons import which_game

        answer = which_game(Reply(case, now), "not yours")[1:]
    warnings = [warning] if holder or (player is None and case.facts.addresses) or not signed else []
    outcome = NO_SENDER if writer.failure == "no sender" else f"not used: {writer.failure}"
    return [Outcome(outcome), *warnings, *answer]


def apologise(case: Case, now: datetime) -> list[Effect]:
    """Tell a seat that the desk failed to handle its letter, that the letter is kept, and that the seat does not miss
    its turn because of this. The game master is told at most once a day per seat."""
    match, token = case.match, case.writer.token
    if case.automatic or case.writer.failure or match is None or token is None or token.seat not in match.holders:
        return []
    holder, key = match.holders[token.seat], f"aside-{case.mark}"
    daily = f"aside-{match.id}-{holder.seat}-{now:%Y-%m-%d}"
    return [
        to_seat(match, holder, "answer", key, notice("set aside"))._replace(answers=case.message_id),
        to_master(match, daily, notice("seat set aside", match=match, holder=holder)),
    ]
