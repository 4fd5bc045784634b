"""Answers to the desk's questions in the writer's own words: which answer they give, how sure this is, and what else
they ask for. `consent` decides which question is meant, and what the answer does.
"""

import re
from collections.abc import Mapping, Sequence

from pbem.match import consent, motions, questions, seat_commands
from pbem.match.effects import Confirm, TellOpen
from pbem.match.questions import Question
from pbem.match.reply import Reply
from pbem.orders import ambiguity, amending, reader, replies
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import Command, Later, Simple
from pbem.orders.commands import rows_named
from pbem.orders.intents import SURE, find_intent
from pbem.orders.misspelt import corrected, nearest_word
from pbem.orders.prose import sentences_of
from pbem.orders.reader import Reading
from pbem.orders.replies import Asked

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
    "rematch": "draw",
    **dict.fromkeys(questions.EVENTS, "draw"),
    "orders": "proposal",
    "provisional": "proposal",
    "command": "proposal",
}
_CONTRADICTED: Mapping[Asked, float] = {"draw": 0.8, "resign": 0.6}
"""The likelihood of a no in one clause from which on a yes in the rest of the letter does not count without another
question, by kind of question. To an invitation, "thanks for asking" sounds like a no by itself, and a yes to a proposal
can be taken back."""
_AGREEING = (Simple("yes"), Simple("accept"))
_ANSWERING = ("draw", "no draw", "resign", "join", "not mine", "withdraw", "thanks", "stop", "person")
"""Intents that a mere answer may seem to have."""
_MISSPELT: Mapping[str, replies.Said] = {"yes": "yes", "accept": "yes", "decline": "no"}
_VOTING = (*motions.SIMPLE, "vote")
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
    if _only_orders_later_turns(reading):
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
        consent.answer(reply, question, agreed=answer.said == "yes")
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
    consent.answer(reply, question, agreed=answer.said == "yes")
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
    """Return whether a yes in `text` may be none: it is only a question, consists of a few words with a negation, such
    as "don't do it", or stands beside a clause that says no, as in "yes, but I want to play on". A game that is being
    played does not end with a yes beside a hard word, such as "unless"."""
    text = replies.plainly(text)
    clauses = (clause for clause in replies.CLAUSE.findall(text) if not ambiguity.is_courtesy(clause))
    if replies.contradiction(clauses, asked) >= _CONTRADICTED.get(asked, 1.0):
        return True
    if ambiguity.negates_above_all(text) or (asked in ("draw", "resign") and ambiguity.is_hard(text)):
        return True
    stated = "\n".join(one.text for one in sentences_of(text) if "?" not in one.text)
    return "?" in text and (not stated or replies.answer_in(stated, asked).said != "yes")


def _question_heard(reply: Reply) -> Question | None:
    """Return the open question that the letter answers, if this question may be answered in the writer's own words;
    otherwise None. A letter with a lapsed token, or with a misspelt command, cannot answer a question in this way."""
    question = None if reply.case.facts.lapsed else consent.meant_by(reply, consent.open_to(reply), "")
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
    line = " ".join(reply.case.text.split())
    reply.notice("yes or no", question=question, agreed=agreed, line=line)
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


def _only_orders_later_turns(reading: Reading) -> bool:
    """Return whether a letter contains orders for later turns, or wishes with a condition, and nothing else, so that it
    answers nothing."""
    says_more = reading.says_orders or reading.proposal or reading.remarks
    return bool(reading.commands) and not says_more and all(isinstance(one, Later) for one in reading.commands)


def _answers_otherwise(command: Command) -> bool:
    """Return whether `command` is itself an answer: it declines, agrees to a question by its number, or is about a wish
    that players can share."""
    return command.word in ("decline", *seat_commands.WISHES, *_VOTING, "no draw") or (
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
