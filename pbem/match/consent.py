"""Answers to the questions that the desk has asked a person, given with `yes` and `no` or in the person's own words. A
single table defines the effects of these answers, and only this module decides which question an answer belongs to.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from pbem.match import addresses, clock, player_commands, questions, reports, seat_commands
from pbem.match.effects import Confirm, Dismiss, DropAddresses, EndOffer, Note, Refuse, Release, Save, TellOpen, course
from pbem.match.identity import Person
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.names import apart
from pbem.match.questions import Question
from pbem.match.reply import Reply
from pbem.orders import ambiguity, amending, reader, replies
from pbem.orders.ambiguity import Doubt, is_courtesy
from pbem.orders.command import Command, Simple
from pbem.orders.commands import rows_named
from pbem.orders.intents import SURE, find_intent
from pbem.orders.misspelt import corrected, nearest_word
from pbem.orders.prose import sentences_of
from pbem.orders.reader import IllegalOrders, Reading
from pbem.orders.replies import Asked
from pbem.orders.sentences import agreed_to, chosen_number

Proof = Literal["any", "direct", "exact"]
"""The letter that a `yes` must answer in order to count. "any": any letter, if no other question is open. "direct": the
letter that asks the question; the `yes` also counts if the desk cannot identify the letter that it answers. "exact":
the very letter that asks or lists the question, so that nobody can agree just because they got hold of some other
letter from the desk."""


class Row(NamedTuple):
    """The functions that carry out a `yes` and a `no` to one kind of question, and the proof that a `yes` requires."""

    yes: Callable[[Reply, Question], None]
    no: Callable[[Reply, Question], None]
    proof: Proof


def yes(reply: Reply, number: str = "") -> None:
    """Agree to the question that the letter answers or, if `number` is given, to the question with this number. A `yes`
    from an unconfirmed address also confirms the address."""
    if reply.seat or not _of_address(reply):
        _settle(reply, number, agreed=True)


def decline(reply: Reply, argument: str) -> None:
    """Decline the question that the letter answers, or the question whose number is `argument`. If `argument` is
    `always`, decline all open invitations and all future ones."""
    if argument != "always":
        _settle(reply, argument, agreed=False)
        return
    for question in _open(reply):
        if question.kind in ("invitation", "seat"):
            ROWS[question.kind].no(reply, question)
    reply.notice("refused")
    player = reply.match.holders[reply.seat].player if reply.seat else reply.person
    reply.done.append(Refuse(replace(player, address=reply.case.address)))


def nothing_found(reply: Reply) -> None:
    """Answer a letter that contains neither orders nor a command. Such a letter may be about the orders that stand, or
    may choose from a list by number. Otherwise, the open questions are listed, because the letter may be meant as a yes
    or no. If there are none, a letter that contains nothing but courtesies, such as thanks, is answered with a short
    notice instead of help."""
    lines, open_questions = reply.reading.remarks or reply.case.words.lines(), _open(reply)
    if doubts := _about_standing(reply, lines):
        reply.reading = reply.reading._replace(doubts=doubts)
        reply.doubtful()
    elif (number := chosen_number(lines)) and reply.case.facts.listing.answers:
        reply.reading = reply.reading._replace(remarks=())
        _settle(reply, number, agreed=True)
    elif open_questions:
        reply.notice("nothing found", remarks=reply.reading.remarks, problems=reply.case.problems)
        _list(reply, open_questions, gone=False)
    elif lines and all(map(is_courtesy, lines)):
        reply.notice("nothing to do", **reply.pending())
    else:
        reply.nothing_found()


def _about_standing(reply: Reply, lines: Sequence[str]) -> tuple[Doubt, ...]:
    """Return a doubt for each of `lines` that may be a remark about the orders that stand. Examples of such lines are
    `actually no` and `remove the bomb`."""
    match = reply.match
    if reply.seat not in match.standing:
        return ()
    situation = match.situation
    verdicts = ((line, ambiguity.verdict(situation, line, match.name, place="alone")) for line in lines)
    return tuple(
        Doubt(line, "turned")
        for line, verdict in verdicts
        if verdict == "turned"
        or (verdict == "perhaps" and (ambiguity.is_hard_above_all(line) or ambiguity.mentions_orders(situation, line)))
    )


# Answers in the writer's own words

_SURE, _LIKELY = 0.8, 0.4
"""The minimum likelihood at which a yes or no in the writer's own words counts, and the lower minimum at which the desk
asks the writer which of the two is meant."""
_HARMLESS, _CERTAIN = 0.7, 0.9
"""The minimum likelihood at which an answer counts if it can easily be taken back, and that of a no in one or two words
that the model does not know."""
_FINAL = frozenset({("invitation", "yes"), ("invitation", "no"), ("draw", "yes"), ("resign", "yes")})
"""The answers that begin or end a game, each as a pair: the kind of question and the answer."""

_ASKED: Mapping[questions.Kind, Asked] = {
    "invitation": "invitation",
    "seat": "invitation",
    "draw": "draw",
    "pause": "draw",
    "resume": "draw",
    "rematch": "draw",
    "orders": "proposal",
    "provisional": "proposal",
    "command": "proposal",
}
_AGREEING = (Simple("yes"), Simple("accept"))
_ANSWERING = ("draw", "no draw", "resign", "join", "not mine", "withdraw", "thanks", "stop", "person")
"""Intents that a mere answer may seem to have."""
_MISSPELT: Mapping[str, replies.Said] = {"yes": "yes", "accept": "yes", "decline": "no"}
_AROUND = " \t\n.!,;:"  # characters that may surround a single word
_BY_ITS_WORD = ("forget me", "hand", "leave")
"""Commands that can be confirmed only with the word `yes`, because they cannot be taken back."""


def in_own_words(reply: Reply) -> bool:
    """If a seat's letter answers an open question in the writer's own words, settle the question, prepare a proposal of
    changed orders, or ask the writer whether a yes or a no is meant. Return whether one of these was done; if so, the
    reading of `reply` now contains only what remains to be handled."""
    reading, lines = reply.reading, _lines_of_answer(reply)
    agreed = any(command in _AGREEING for command in reading.commands)
    if not lines or any(map(_answers_otherwise, reading.commands)) or (agreed and len(lines) == 1):
        return False
    question = _question_heard(reply)
    if question is None:
        return False
    asked = _asked_by(question)
    answer = _answer_in("\n".join(lines), asked)
    is_sure = _is_sure(answer, asked, "\n".join(lines))
    if asked == "proposal" and (answer.said == "else" or not is_sure) and _is_amended(reply, question, lines):
        return True
    if answer.said not in ("yes", "no") or answer.likelihood < _LIKELY or (agreed and answer.said == "no"):
        return False
    is_sure = is_sure or (agreed and not _is_hedged("\n".join(lines), asked))
    if answer.said == "yes" and asked in ("draw", "resign") and reading.orders is not None:
        return False  # who gives orders plays on
    if is_sure and not (asked == "proposal" and _rest_of(reply, answer.said, asked).says_orders):
        others = tuple(line for line in reading.remarks if not _only_says(reply, line, answer.said, asked))
        reply.reading = reading._replace(remarks=others)  # a receipt quotes the others
        _answer(reply, question, agreed=answer.said == "yes")
        reply.reading = _rest_of(reply, answer.said, asked)
    elif is_sure or reading.commands or reading.proposal or reading.orders is not None:
        return False
    else:
        _ask_again(reply, question, agreed=answer.said == "yes")
        reply.reading = Reading()
    return True


def person_in_own_words(reply: Reply) -> bool:
    """If a letter that concerns no seat answers an open question in the writer's own words, settle the question or, if
    the answer is not certain, ask the writer whether a yes or a no is meant. Return whether one of these was done. The
    question may be the offer of a seat, or may be about a command."""
    question = _question_heard(reply)
    if question is None or reply.case.confirmed or reply.case.address != reply.person.address.lower():
        return False
    asked = _asked_by(question)
    answer = _answer_in(reply.case.text, asked)
    if answer.said not in ("yes", "no") or answer.likelihood < _LIKELY:
        return False
    if not _is_sure(answer, asked, reply.case.text):
        _ask_again(reply, question, agreed=answer.said == "yes")
        reply.reading = Reading()
        return True
    if reply.unconfirmed:  # such an answer proves the address just as a `yes` does
        reply.done.append(Confirm(reply.person, reply.case.address))
    _answer(reply, question, agreed=answer.said == "yes")
    rest = tuple(line for line in reply.reading.remarks if not _is_answer(line, answer.said, asked))
    reply.reading = reply.reading._replace(remarks=rest)
    return True


def _answer_in(text: str, asked: Asked) -> replies.Answer:
    """Return the likeliest answer in `text`. A single word with one wrong letter, such as "acept", stands for the
    answer that it resembles, but it is still a guess."""
    answer = replies.answer_in(text, asked)
    near = nearest_word(text.strip(_AROUND)) if answer.is_guess else ""
    said = _MISSPELT.get(rows_named(near)[0].word) if near else None
    return answer._replace(said=said, likelihood=1.0) if said else answer


def _is_sure(answer: replies.Answer, asked: Asked, text: str) -> bool:
    """Return whether `answer`, which the model found in `text`, counts without another question."""
    is_final = (asked, answer.said) in _FINAL
    if answer.said == "yes" and (answer.is_guess or _is_hedged(text, asked)):
        return False
    least = _CERTAIN if answer.is_guess else _SURE if is_final else _HARMLESS
    return answer.likelihood >= least and not (answer.is_guess and is_final)


def _is_hedged(text: str, asked: Asked) -> bool:
    """Return whether a yes in `text` may be none: it is only a question, or consists of a few words with a negation,
    such as "don't do it". A game that is being played does not end with a yes beside a hard word, such as "unless"."""
    if ambiguity.negates_above_all(text) or (asked in ("draw", "resign") and ambiguity.is_hard(text)):
        return True
    stated = "\n".join(one.text for one in sentences_of(text) if "?" not in one.text)
    return "?" in text and (not stated or replies.answer_in(stated, asked).said != "yes")


def _question_heard(reply: Reply) -> Question | None:
    """Return the open question that the letter answers, if this question may be answered in the writer's own words;
    otherwise None. A letter with a lapsed token, or with a misspelt command, cannot answer a question in this way."""
    question = None if reply.case.facts.lapsed else _meant(reply, _open(reply), "")
    is_misspelt = any(map(corrected, filter(None, reply.case.text.splitlines())))
    if question is None or question.kind not in _ASKED or is_misspelt:
        return None
    return None if question.open_command and question.open_command.command.word in _BY_ITS_WORD else question


def may_answer(reply: Reply) -> bool:
    """Return whether the letter may answer an open question in the writer's own words."""
    return _question_heard(reply) is not None


def ask_about(reply: Reply, *, agreed: bool) -> None:
    """Ask whether the letter is meant as a yes or a no to the question that it answers; `agreed` tells which is
    likelier."""
    if question := _question_heard(reply):
        _ask_again(reply, question, agreed=agreed)


def _ask_again(reply: Reply, question: Question, *, agreed: bool) -> None:
    """Ask the writer of a letter that only sounds like a yes to `question` or, unless `agreed`, like a no, which of the
    two is meant. The notice asks `question` itself once more and does not say which is likelier: a hasty `yes` to "This
    sounds like a no" would agree to what the writer declines."""
    reply.notice("yes or no", question=question, agreed=agreed)
    reply.done.append(TellOpen(reply.case.letter, reply.person, (question.key,)))


def _is_amended(reply: Reply, question: Question, lines: Sequence[str]) -> bool:
    """If the letter accepts the proposed orders with changes, or gives other orders, prepare a proposal of the
    resulting orders; return whether there are any. Nothing is proposed for orders in notation, or for sentences that
    only give orders and do not agree to anything, because these are clear by themselves."""
    standpoint = reply.match.standpoint(reply.seat)
    text, reading = "\n".join(lines), reply.reading
    every = amending.CLAUSE.findall(text)
    agrees = any(_only_says(reply, clause, "yes", "proposal") for clause in every)
    if question.open_command or "?" in text or (reading.orders is not None and not (reading.everyday and agrees)):
        return False
    clauses = [clause for clause in every if not _only_says(reply, clause, "no", "proposal")]
    others = reader.read(standpoint, ", ".join(clauses))
    given = [str(others.orders)] if others.orders is not None else [*filter(None, [others.proposal]), *others.readings]
    likely = replies.likelihoods(replies.read_model(), text, "proposal")
    takes_back = ambiguity.negates(text) or ambiguity.is_hard(text)
    ways = amending.amended(standpoint, question.about, text, given, takes_back=takes_back)
    if any(map(ambiguity.adds, every)):
        ways = tuple(way for way in ways if all(part.strip() in way for part in re.split("[,;]", question.about)))
    if likely["no"] > likely["yes"] and given:
        ways = tuple(given)
    if not ways:
        return False
    commands = tuple(command for command in reply.reading.commands if command not in _AGREEING)
    reply.reading = Reading(doubts=(Doubt(text, "unread"),), readings=ways, commands=commands)
    return True


def _lines_of_answer(reply: Reply) -> list[str]:
    """Return the lines of the letter that may answer a question: all lines except orders in notation."""
    standpoint = reply.match.standpoint(reply.seat)
    lines = filter(None, map(str.strip, reply.case.text.splitlines()))
    return [line for line in lines if not standpoint.is_in_notation(line)]


def _answers_otherwise(command: Command) -> bool:
    """Return whether `command` is itself an answer: it declines, agrees to a question by its number, or is about a wish
    that players can share."""
    return command.word in ("decline", *seat_commands.WISHES, "no draw") or (
        command.word in ("yes", "accept") and command not in _AGREEING
    )


def _asked_by(question: Question) -> Asked:
    """Return the kind of `question` in the terms of the model that classifies answers."""
    is_resignation = question.open_command and question.open_command.command.word == "resign"
    return "resign" if is_resignation else _ASKED[question.kind]


def _rest_of(reply: Reply, said: replies.Said, asked: Asked) -> Reading:
    """Return a new reading of the letter without the lines that only give the answer `said`. The letter is read again
    because the answer may have changed the match."""
    match, words = reply.match, reply.case.words
    rest = [line for line in words.rest.splitlines() if not _only_says(reply, line, said, asked)]
    commands = tuple(command for command in words.commands if command not in _AGREEING)
    words = words._replace(commands=commands, rest="\n".join(rest), undone="")
    reading = reader.read_orders(match.standpoint(reply.seat), words)
    remarks = tuple(line for line in reading.remarks if not _only_says(reply, line, said, asked))
    return reading._replace(remarks=remarks)


def _only_says(reply: Reply, line: str, said: replies.Said, asked: Asked) -> bool:
    """Return whether `line` gives the answer `said` and contains nothing else that matters to the desk."""
    return not ambiguity.counts_or_names(reply.match.situation, line) and _is_answer(line, said, asked)


def _is_answer(line: str, said: replies.Said, asked: Asked) -> bool:
    """Return whether `line` gives the answer `said`, and neither asks nor clearly wants something else as well."""
    answer = replies.answer_in(line, asked)
    if "?" in line or answer.said != said or answer.likelihood < _LIKELY or answer.is_guess:
        return False
    intent = find_intent((line,), least=SURE)
    return intent is None or intent.name in _ANSWERING


# Which question is meant


def _open(reply: Reply) -> tuple[Question, ...]:
    """Return all open questions to the writer, both about the letter's match and about the writer in person."""
    of_seat = questions.of_seat(reply.match, reply.seat) if reply.seat else ()
    if reply.case.confirmed:
        return of_seat
    return (*of_seat, *questions.of_person(reply.case.facts, () if reply.unconfirmed else reply.claims.values()))


def _settle(reply: Reply, number: str, *, agreed: bool) -> None:
    """Settle the question that the letter answers or, if `number` is given, the question with this number: with a yes
    if `agreed` is true, otherwise with a no. If it is not certain which question that is, list the open questions."""
    case, reading, open_questions = reply.case, reply.reading, _open(reply)
    question = _meant(reply, open_questions, number) or (None if agreed or number else _any_way(reply, open_questions))
    beside = bool(reading.mistakes or reading.orders is not None)
    remarks = tuple(line for line in reading.remarks if agreed and not is_courtesy(line))
    if question and beside and (agreed or not number) and question.kind != "invitation":
        reply.notice("yes and orders")
    elif question and remarks and question.kind != "invitation":
        reply.once("beside yes", remarks=remarks)
    elif question:
        _answer(reply, question, agreed=agreed)
    elif open_questions:
        _list(reply, open_questions, gone=_is_gone(reply, number, open_questions))
    elif reply.seat and case.answered.letter is not None and reply.turn != reply.match.turn:
        reply.too_late()
    else:
        proposed = reply.match.proposals.get(reply.seat) if reply.seat else None
        reply.once("nothing open", beside=beside, gone=bool(proposed) or _is_gone(reply, number, ()))


def _answer(reply: Reply, question: Question, *, agreed: bool) -> None:
    row = ROWS[question.kind]
    (row.yes if agreed else row.no)(reply, question)


def _list(reply: Reply, open_questions: tuple[Question, ...], *, gone: bool) -> None:
    unseen = reply.case.untied
    reply.tell("open", match=reply.about, seat=reply.seat, questions=open_questions, gone=gone, unseen=unseen)
    reply.done.append(TellOpen(reply.case.letter, reply.person, tuple(question.key for question in open_questions)))


def _meant(reply: Reply, open_questions: tuple[Question, ...], number: str) -> Question | None:
    """Return the question that the letter answers or, if `number` is given, the question with this number; None if it
    is not certain which question that is. If the letter says what it agrees to, such as a draw, a question about
    anything else is not returned."""
    named = "" if number else agreed_to(reply.case.text.splitlines())
    question = _find_question(reply, open_questions, number)
    if not named or (question and _is_called(question, named)):
        return question
    of_kind = [candidate for candidate in open_questions if _is_called(candidate, named)]
    return of_kind[0] if len(of_kind) == 1 and not _is_older(reply) else None


def _is_called(question: Question, named: str) -> bool:
    return question.kind == named or (question.kind == "provisional" and named == "orders")


def _any_way(reply: Reply, open_questions: tuple[Question, ...]) -> Question | None:
    """If the letter answers a proposal of several readings of an earlier letter, return the question about the first
    reading; otherwise return None. Declining this question rejects all the readings."""
    listing = reply.case.facts.listing
    ways = [question for question in open_questions if question.key in listing.keys] if listing.answers else []
    return ways[0] if ways and all(question.way for question in ways) else None


def _is_older(reply: Reply) -> bool:
    """Return whether the letter answers a letter from the desk that belongs to a turn other than the current one."""
    return reply.seat != "" and reply.case.answered.letter is not None and reply.turn != reply.match.turn


def _find_question(reply: Reply, open_questions: tuple[Question, ...], number: str) -> Question | None:
    """Return the question whose number is `number`. Without a number, return the question that the answered letter
    asks, or else the only open question. Return None if it is not certain enough that this question is meant."""
    case, listing = reply.case, reply.case.facts.listing
    if number:
        listed = dict(enumerate(listing.keys, 1)).get(int(number))
        named = next((question for question in open_questions if question.key == listed), None)
        return named if named and (listing.answers or ROWS[named.kind].proof != "exact") else None
    if listing.answers:  # the answered letter lists the questions that were open
        candidates = (
            [question for question in open_questions if question.key in listing.keys] if len(listing.keys) == 1 else []
        )
        return candidates[0] if candidates else None
    if answered := case.answered.letter:
        candidates = [question for question in open_questions if answered in question.letters]
        if not candidates and reply.seat:
            candidates = [*questions.proposals(reply.match, reply.seat, answered)]
        if candidates:
            return candidates[0] if len(candidates) == 1 else None
    if case.answered.wish:  # the answered letter reports a wish of the others
        return next((question for question in open_questions if question.kind == case.answered.wish), None)
    only = open_questions[0] if len(open_questions) == 1 else None
    proof = ROWS[only.kind].proof if only else "exact"
    return (
        None
        if _is_older(reply) or proof == "exact" or (proof == "direct" and case.answered.letter is not None)
        else only
    )


def _is_gone(reply: Reply, number: str, open_questions: tuple[Question, ...]) -> bool:
    """Return whether the question that the letter answers or, if `number` is given, the question with this number is no
    longer open. The result is false for a number that is not in the list of questions."""
    listing, keys = reply.case.facts.listing, [question.key for question in open_questions]
    if number:
        return 0 < int(number) <= len(listing.keys) and listing.keys[int(number) - 1] not in keys
    is_listed = any(key in listing.keys for key in keys)
    return bool(reply.case.answered.wish) or (listing.answers and not is_listed)


# Writers with an unconfirmed address


def _of_address(reply: Reply) -> bool:
    """Let a `yes` confirm the address that it came from, if this address has yet to be confirmed; return whether the
    `yes` needs no further handling."""
    case, player = reply.case, reply.person
    confirm = Confirm(replace(player, name=case.name or player.name), case.address)
    claim = reply.claims.get(case.address)
    if case.confirmed:  # a letter that needed a `yes` itself is not an answer
        reply.notice("nothing asked")
    elif reply.unconfirmed and case.address != player.address.lower():
        if claim and claim.free and not claim.taken_at:
            addresses.agree(reply, claim, there=True)
        else:
            reply.notice("nothing asked")
    elif reply.unconfirmed:
        reply.done.append(confirm)
        if _open(reply):
            return False
        reply.notice("address yours", address=case.address, old=False, instead="")
        reply.introduce()
    else:
        return False
    return True


# The effect of each answer


def _take(reply: Reply, question: Question) -> None:
    """Take the orders that the question proposes, standing ones included, as if the writer had sent them."""
    match, seat = reply.match, reply.seat
    if not reply.current:
        reply.too_late()
        return
    try:
        orders, standing = reader.parse_all(match.standpoint(seat), question.about)
    except IllegalOrders:
        reply.notice("nothing open", beside=False, gone=True)
        return
    if standing:
        reply.stand(standing)
    if orders is not None:
        reply.take(orders)


def _dismiss(reply: Reply, question: Question) -> None:
    """Close `question` after a `no`, and dismiss any held letters that it is about."""
    reply.done += [Dismiss(letter, reply.about) for letter in question.letters]
    if question.way:
        ways = reply.match.proposals[reply.seat][question.letters[-1]]
        question = question._replace(about=" / ".join(ways))
    if question.kind == "orders" and reply.seat and reply.match.is_provisional(reply.seat):
        match, seat = reply.match, reply.seat  # the turn no longer waits for the answer
        others = {letter: ways for letter, ways in match.proposals[seat].items() if letter not in question.letters}
        reply.do([Save(replace(match, proposals={**match.proposals, seat: others}))])
    reply.notice("dropped", question=question)


def _do(reply: Reply, question: Question) -> None:
    """Close `question`, and have the command that it asks about carried out."""
    open_command = question.open_command
    assert open_command
    reply.done.append(Dismiss(open_command.letter, reply.about))
    reply.agreed = open_command.command


def _wish_too(reply: Reply, question: Question) -> None:
    seat_commands.WISHES[question.kind](reply)


def _wish_not(reply: Reply, question: Question) -> None:
    seat_commands.decline_wish(reply, question.kind)  # type: ignore[arg-type]


def _take_part(reply: Reply, _: Question) -> None:
    """Accept the game on behalf of the seat. If the holder of the seat is unconfirmed or has no name, the name in the
    letter is stored. The game begins once all players have accepted."""
    match, seat, case = reply.match, reply.seat, reply.case
    holder = match.holders[seat]
    if (reply.unconfirmed or not holder.player.name) and case.name:
        name = apart(case.name, [holder.name for holder in match.others(seat)])
        holder = replace(holder, name=name, player=replace(holder.player, name=case.name))
    accepted = match.accepted | {seat}
    after = replace(match, accepted=accepted, holders={**match.holders, seat: holder})
    reply.do([Save(after), Confirm(holder.player, case.address), Note("accept", {"seat": seat}, after)])
    reply.done += reply.taking_part()
    reply.bring(case.brings)
    if accepted.issuperset(match.seats):
        reply.do(clock.begin(reply.match, reply.now))
        reply.notice("begun")
    else:
        reply.notice("accepted")
    if not holder.player.name:
        reply.introduce()


def _take_no_part(reply: Reply, _: Question) -> None:
    reply.do(clock.decline(reply.match, reply.seat or "", reply.now))
    reply.notice("declined")


def _release(reply: Reply, question: Question) -> None:
    """Release all held letters that `question` is about, so that they are handled now, the newest last."""
    player = reply.match.holders[reply.seat].player if reply.seat and question.about else reply.person
    reply.done += [Release(letter, player) for letter in question.letters]
    if not question.about:
        reply.notice("confirmed")
        return
    reply.notice("released", address=question.about, letters=len(question.letters))
    sender = reply.invitee(question.about)
    unwanted = sender.player or sender.refuses or sender.banned or sender.ours
    if not unwanted and player_commands.has_room(reply, sender):  # only the person there can say whose address it is
        reply.invited += 1
        reply.done += addresses.ask_there(reply, reply.person, sender.address, agreed=True)


def _take_address(reply: Reply, question: Question) -> None:
    addresses.agree(reply, reply.claims[question.about.lower()])


def _leave_address(reply: Reply, question: Question) -> None:
    reply.done.append(DropAddresses(reply.person, (question.about,)))
    reply.notice("dropped", question=question)


def _take_seat(reply: Reply, question: Question) -> None:
    match, seat = _offered(reply, question)
    player, case = reply.person, reply.case
    if not may(match, "somebody hands over"):
        reply.notice("not now", at=match)
        return
    if seat in match.gone:
        reply.notice("seat gone", at=match)
        return
    if match.held_by(player):
        reply.notice("own game", name=match.name)
        return
    to = Person(player.name or case.name or str(match.game.called[seat]), player.address)
    reply.done += clock.change_holder(match, seat, to, reply.now, "")
    reply.notice("taken over", at=match, taken=seat)


def _leave_seat(reply: Reply, question: Question) -> None:
    match, seat = _offered(reply, question)
    section = course("offer declined", match, seat)
    key = reply.key("offer-declined")
    reply.done += [EndOffer(match, seat), reports.to_seat(match, match.holders[seat], "course", key, section)]
    reply.notice("seat declined")


def _offered(reply: Reply, question: Question) -> tuple[Match, str]:
    return next((match, seat) for match, seat, _ in reply.case.facts.offered if match.name == question.about)


ROWS: Mapping[str, Row] = {
    "invitation": Row(_take_part, _take_no_part, "any"),
    "orders": Row(_take, _dismiss, "any"),
    "provisional": Row(_take, lambda reply, _: reply.withdraw(), "any"),
    "command": Row(_do, _dismiss, "exact"),
    **dict.fromkeys(seat_commands.WISHES, Row(_wish_too, _wish_not, "direct")),
    "letter": Row(_release, _dismiss, "exact"),
    "address": Row(_take_address, _leave_address, "exact"),
    "seat": Row(_take_seat, _leave_seat, "any"),
}
"""The effects of `yes` and `no`, keyed by kind of question."""
