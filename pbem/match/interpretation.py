"""Readings of letters by an interpreter, which is a program that the operator may plug in, usually a language model
(decision 53).

The desk asks an interpreter about a letter from a seat only if neither the grammar nor the desk's own readers are sure
of it. Its answer merely suggests a reading of that one letter. Orders have to pass the grammar and the rules, and at
most they stand provisionally; commands, and answers to questions, are only proposed to the writer.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple

from pbem import Sentence
from pbem.games.capabilities import Bot
from pbem.i18n.words import ENGLISH, fold, guess_language
from pbem.match import obey, own_words, press, questions
from pbem.match.case import Case, Interpretation
from pbem.match.effects import Ask, Effect, MarkFailing, Outcome, Propose, Section, Send, SetLanguage, TellOpen
from pbem.match.identity import hide_tokens
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.sections import position
from pbem.orders import ambiguity, reader
from pbem.orders.ambiguity import Doubt, Turn
from pbem.orders.command import Command, Decision, Inquiry, Later, Press, Simple, Suppose
from pbem.orders.commands import COMMANDS
from pbem.orders.hearing import is_about_orders
from pbem.orders.lines import Reading
from pbem.orders.prose import sentences_of
from pbem.orders.situation import AnySituation

MOST_CHARACTERS = 4_000
"""The maximum length of a letter about which an interpreter is asked."""

_LONGEST = 4_000  # the maximum length of orders or a command that an interpreter suggests
_UNSURE_SECTIONS = ("meant", "start", "open")
_OF_WORDS = ("turned", "unread", "unsure")  # doubts about what words mean, and not about where they stand
_UNSURE_NOTICES = ("nothing found", "nearly", "offered", "yes or no", "beside yes", "press offered")
_WORD_FOR_WORD = ("gm", "claim", "appeal", "word")  # commands whose argument is passed on to people
_ANSWERING: Mapping[str, Literal["yes", "no"]] = {"yes": "yes", "accept": "yes", "decline": "no"}
"""The commands that answer a question of the desk."""
_UNDECIDED = (
    Ask,
    MarkFailing,
    Outcome,
    Propose,
    Send,
    SetLanguage,
    TellOpen,
)  # effects of a letter that decides nothing
_ADDRESS = re.compile(r"\S+@\S+")
_PLACEHOLDER = "[address]"
_AROUND = "<>()[].,;:!\"'"  # signs around an address that are not part of it
_ARROW = re.compile("[->]>|→")
_WORDS = re.compile(r"\w+")
_NUMBER = re.compile(r"\d")


class Question(NamedTuple):
    """A question to an interpreter: how is `letter` to be read? It contains nothing that the seat may not see.

    `language` is the language in which `rules` and `position`, sections of letters, are to be written. `asked` are the
    open questions of the desk to the seat, `standing` its orders that stand, `examples` legal orders, and `commands`
    pairs of a command and its effect.
    """

    language: str
    game: str
    seat: str
    letter: str
    rules: Section
    position: Section
    asked: tuple[Sentence, ...]
    standing: str
    examples: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]


def is_wanted(case: Case, effects: Sequence[Effect]) -> bool:
    """Return whether an interpreter should be asked about a letter with these `effects`: its writer is known to hold a
    seat and has not refused interpreters, and the answer to the letter shows that the desk is not sure how to read
    it. Letters to sandboxes, which concern several seats, are left out."""
    match, token = case.match, case.writer.token
    if match is None or token is None or token.seat not in match.holders or case.writer.failure:
        return False
    if match.sandbox or case.automatic or case.interpretation or not 0 < len(case.text) <= MOST_CHARACTERS:
        return False
    if Simple("interpreter off") in case.words.commands:
        return False
    answers = (effect for effect in effects if isinstance(effect, Send) and effect.kind == "answer")
    sections = [section for answer in answers for section in answer.sections]
    is_guess = any(section.template == "receipt" and section.values["guessed"] for section in sections)
    is_done = not is_guess and not all(isinstance(effect, _UNDECIDED) for effect in effects)
    if is_done or not any(_is_unsure(section, case, match) for section in sections):
        return False
    return not (case.facts.lapsed or case.facts.banned or case.facts.mail.uninterpreted)


def _is_unsure(section: Section, case: Case, match: Match) -> bool:
    """Return whether a section of the answer to a letter shows that the desk is not sure what the letter means.

    Mistakes in notation are certain, but not mistakes in everyday words; and so are answers to questions, if the letter
    asks any, but not paragraphs of the rules, which are found by their words alone.
    """
    values = section.values
    match section.template:
        case "refusal":
            lines = case.words.lines()
            return not any(_ARROW.search(line) or match.situation.is_in_notation(line) for line in lines)
        case "doubt":
            return all(doubt.turn in _OF_WORDS for doubt in values["doubts"])
        case "receipt":
            return bool(values["guessed"])
        case "answer":
            return values["kind"] == "allowed" or "?" not in case.text
        case "notice":
            return values["reason"] in _UNSURE_NOTICES
        case template:
            return template in _UNSURE_SECTIONS


def question_about(case: Case) -> Question:
    """Return the question to an interpreter about a letter for which `is_wanted` is true. Addresses in the letter are
    left out."""
    match, token = case.match, case.writer.token
    assert match
    assert token
    seat, standing = token.seat, match.standing.get(token.seat)
    rows = (row for row in COMMANDS if row.usage and row.word not in ("interpreter", "check", *_ANSWERING))
    return Question(
        language=guess_language(case.text) or case.person.language or ENGLISH,
        game=match.game.title,
        seat=match.game.called[seat],
        letter=without_addresses(case.text),
        rules=Section("help", {"topic": "orders", "match": match}),
        position=position(match.as_told(), seat),
        asked=tuple(question.sentence for question in questions.of_seat(match, seat)),
        standing=standing.canonical if standing else "",
        examples=_examples(match, seat),
        commands=tuple((row.usage, row.help) for row in rows),
    )


def without_addresses(text: str) -> str:
    """Return `text` with a placeholder for each address and each token."""
    return _ADDRESS.sub(_PLACEHOLDER, hide_tokens(text))


def _examples(match: Match, seat: str) -> tuple[str, ...]:
    """Return orders that are legal for `seat` in the present position, if it may give any."""
    game = match.game
    if not may(match, "orders come") or seat not in game.may_order(match.state):
        return ()
    view = match.view(seat)
    texts = [game.prospects(view, seat)[1]]
    if isinstance(game, Bot):
        texts.append(str(game.choose(view, seat)))
    return tuple(dict.fromkeys(filter(None, texts)))


def constraint(case: Case) -> str:
    """Return the grammar of the orders that the letter may contain, in the form that llguidance reads."""
    assert case.match
    return case.match.situation.constraint


def try_orders(case: Case, orders: str) -> tuple[str, tuple[str, ...]]:
    """Return `orders` in canonical form, and the mistakes that make them illegal for the writer of the letter. Without
    mistakes they are legal as they are written."""
    reading = _read_orders(case, orders)
    if reading is None:
        return "", ("This is not a list of orders.",)
    if reading.mistakes:
        return "", tuple(str(mistake) for mistake in reading.mistakes)
    return _canonical(reading), ()


def _read_orders(case: Case, orders: str) -> Reading | None:
    """Return the reading of orders that an interpreter suggests; None if they contain anything but orders."""
    match, token = case.match, case.writer.token
    assert match
    assert token
    text = orders.strip()[:_LONGEST]
    standpoint = match.standpoint(token.seat)
    reading = reader.as_playable(standpoint, reader.read_text(standpoint, text), text)
    is_orders = reading.orders is not None or reading.standing or reading.mistakes
    return None if reading.remarks or not is_orders else reading


def _canonical(reading: Reading) -> str:
    return "; ".join(reading.standing) if reading.orders is None else str(reading.orders)


class Understood(NamedTuple):
    """A letter as an interpreter has read it: the reading in place of the desk's own, and the function that answers
    it."""

    reading: Reading
    answer: Callable[[Reply], object]


def understood(reply: Reply, reading: Reading) -> Understood | None:
    """Return the letter as an interpreter has read it; None if there is no such reading, or if it cannot be used.
    `reading` is the desk's own reading, whose commands remain."""
    meant = _with_address(reply.case.interpretation, reply.case.text)
    if meant is None or not meant.because or not all(_stands_in(words, reply.case.text) for words in meant.because):
        return None
    command = _command(reply, meant.command)
    beside = tuple(one for one in reading.commands if one != command and not _is_read(one, meant))
    rest = tuple(one for one in _sentences(reply) if not _covered(meant, one))
    if orders := _with_orders(reply, meant) if meant.orders else None:
        return Understood(orders._replace(commands=beside), Reply.orders)
    said = _ANSWERING.get(command.word, "") if command else meant.answer
    if said and own_words.may_answer(reply):
        return Understood(Reading(commands=beside, remarks=rest), partial(own_words.ask_about, agreed=said == "yes"))
    if said or command is None:
        return None
    if isinstance(command, Press):
        offer: Callable[[Reply], object] = partial(press.offer, text=command.text, to=command.to)
    else:
        line = next((one for one in _sentences(reply) if _stands_in(meant.because[0], one)), reply.case.text)
        offer = partial(obey.offer, command=command, line=line)
    return Understood(Reading(commands=beside, remarks=rest), offer)


def _with_address(meant: Interpretation | None, text: str) -> Interpretation | None:
    """Return `meant` with the only address in `text` in place of the placeholder."""
    found = {*_ADDRESS.findall(text)}
    if meant is None or len(found) != 1:
        return meant
    (word,) = found
    because = tuple(one.replace(_PLACEHOLDER, word) for one in meant.because)
    return meant._replace(command=meant.command.replace(_PLACEHOLDER, word.strip(_AROUND)), because=because)


def _sentences(reply: Reply) -> list[str]:
    return [one.text for one in sentences_of(reply.case.words.rest or reply.case.text)]


def _covered(meant: Interpretation, text: str) -> bool:
    """Return whether at least half of the words of `text`, a part of the letter, are among those on which `meant`
    rests."""
    words = _WORDS.findall(fold(text))
    rests = [_WORDS.findall(fold(one)) for one in meant.because if _stands_in(one, text) or _stands_in(text, one)]
    return bool(words) and sum(map(len, rests)) * 2 >= len(words)


def _beside(situation: AnySituation, meant: Interpretation, sentence: str) -> Iterator[str]:
    """Yield the parts of `sentence` that name something or contain a number, although `meant` does not rest on them. A
    number alone is usually that of an item in a list."""
    if any(_stands_in(sentence, one) for one in meant.because):
        return
    hits = list(_WORDS.finditer(sentence))
    words, used = [fold(hit[0]) for hit in hits], set[int]()
    for because in (_WORDS.findall(fold(one)) for one in meant.because):
        for at in range(len(words)):
            if words[at : at + len(because)] == because:
                used.update(range(at, at + len(because)))
    for is_used, group in groupby(enumerate(hits), lambda one: one[0] in used):
        part = [hit for _, hit in group]
        text = sentence[part[0].start() : part[-1].end()]
        if not is_used and not text.isdigit() and (situation.names_within(text) or _NUMBER.search(text)):
            yield text


def _is_read(command: Command, meant: Interpretation) -> bool:
    """Return whether `command`, which the desk has found in the letter, answers a question of the desk, or comes from
    words on which `meant` rests."""
    if isinstance(command, Inquiry | Suppose):
        return any(_stands_in(command.text, words) or _stands_in(words, command.text) for words in meant.because)
    return command.word in _ANSWERING


def _stands_in(words: str, text: str) -> bool:
    """Return whether the writer has written `words`, apart from differences in case, space and punctuation."""
    wanted, written = (" ".join(_WORDS.findall(fold(one))) for one in (words, text))
    return bool(wanted) and f" {wanted} " in f" {written} "


def _with_orders(reply: Reply, meant: Interpretation) -> Reading | None:
    """Return a reading that proposes the orders in `meant`, with a doubt for each sentence that is about orders or may
    change them. If such a sentence is not among the words on which the orders rest, it counts as left out; if only a
    part of it is not, and names something, that part counts as not read."""
    read = _read_orders(reply.case, meant.orders)
    if read is None or read.mistakes:
        return None
    match, sentences = reply.match, _sentences(reply)
    naming = [one for one in sentences if is_about_orders(match.situation, one)] or sentences
    remarks = tuple(one for one in sentences if one not in naming)
    perhaps = [one for one in remarks if ambiguity.verdict(match.situation, one, match.name, place="among") != "chat"]
    left_out = tuple(one for one in naming if not _covered(meant, one))
    beside = [part for one in naming if one not in left_out for part in _beside(match.situation, meant, one)]
    turn: Turn = "unsure" if read.standing else "unread"
    return Reading(
        proposal=_canonical(read),
        doubts=(*(Doubt(one, turn) for one in naming), *(Doubt(one, "unsure") for one in perhaps)),
        left_out=left_out,
        remarks=(*(one for one in remarks if one not in perhaps), *beside),
        everyday=True,
    )


def _command(reply: Reply, text: str) -> Command | None:
    """Return the command that `text` consists of, if an interpreter may suggest it; otherwise None. Words that are
    passed on to people, and addresses, must stand in the letter as they are; and decisions are for people alone."""
    from pbem.orders.lookups import take_lookups

    words = reader.read_words(text[:_LONGEST], reply.match.name, reply.match.situation)
    words = take_lookups(reply.match.situation, words)
    if len(words.commands) != 1 or words.rest.strip():
        return None
    (command,) = words.commands
    argument = getattr(command, "argument", "")
    if isinstance(command, Press) or command.word in _WORD_FOR_WORD or "@" in argument:
        own, written = (" ".join(one.split()) for one in (argument, reply.case.text))
        if own not in written:
            return None
    return None if isinstance(command, Decision | Later) or command.word == "interpreter" else command
