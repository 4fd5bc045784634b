"""What a letter means as a whole: its orders, unless anything else that its writer says puts them in doubt.

The grammar answers first. Words that it leaves over are classified (`pbem/orders/ambiguity.py`): chat is passed over,
what may change the orders is asked about while they stand, and where something turns them nothing stands. A game that
finds orders in everyday sentences is asked about what its grammar does not know, and never about what that refuses.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import Suggestion, Suggests
from pbem.games.spelling import caseless
from pbem.games.values import MAX_ITEMS
from pbem.i18n.words import alternatives, words
from pbem.i18n.words import words as words_of
from pbem.orders import ambiguity, classifier, headings, inquiries, supposing
from pbem.orders.ambiguity import FACE, Doubt
from pbem.orders.command import Asking, Inquiry, Simple, Suppose, Words
from pbem.orders.lines import BULLET, LineMistake, Lines, Reading, is_in_notation, or_joined, read_text, read_whole
from pbem.orders.sentences import holds_command, in_ordinary_words, names_command

_MOST_LINES = 60  # of a letter that are taken apart; one with more is no letter of a few orders
_MOST_CHARACTERS = 4_000
_FEW = 4  # words of a line without orders
_NAME_WORDS = 2  # of what a command names
_EVERYDAY = ("leave", "forget", "join", "decline", "record")  # commands whose words begin other sentences, too
_YES = re.compile(rf"\W*{alternatives(('yes', *words_of('commands', 'yes')))}\b", re.I)
_SIGNED = re.compile(r"\W*(?:\w+|(?:\w\.\W?){2,4})\W*")


def understand(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What a letter says to a game. Its commands are the letter's own, whatever becomes of its orders."""
    part = partial(_of_part, game, state)
    words = headings.without_heading(game, state, _with_sentences(game, state, words))
    words, tried = supposing.take(game, state, seat, words)
    words, later, unsure = headings.take_later(words, partial(part, seat))
    # Where every word is one of orders, none is of a question.
    text = words.rest
    whole = None if "?" in text else read_whole(game, state, seat, text)
    words, questions = inquiries.take(game, state, seat, words, part) if whole is None else (words, ())
    if "?" in text or words.rest != text:
        whole = read_whole(game, state, seat, words.rest)
    reading = _of_text(game, state, seat, words, whole)
    if reading.orders is None and (bare := ambiguity.without_adding(words.lines())):
        again = _of_text(game, state, seat, words._replace(rest=bare), read_whole(game, state, seat, bare))
        reading = again if again.orders is not None and not reading.standing else reading
    if unsure:
        reading = Reading(doubts=unsure, remarks=reading.remarks)
    if questions or tried:
        reading = _unless_asked(reading, words, (*questions, *tried))
    is_single = whole is None and not re.search("[,;]", str(reading.orders))  # an "also" in it is about others
    adds = (
        bool(reading.orders is not None or reading.proposal)
        and (is_single or not words.rest[:1].isdigit())
        and ambiguity.adds(words.rest, alone=is_single)
    )
    return reading._replace(commands=(*words.commands, *later, *questions, *tried), adds=adds)


def _with_sentences(game: AnyGame, state: Any, words: Words) -> Words:
    """Words of a letter whose lines that only begin like a command are lines again: "leave one in A, the rest to M"."""
    everyday = [
        command
        for command in words.commands
        if isinstance(command, Asking) and command.word in _EVERYDAY and command.argument
    ]
    meant = [
        command for command in everyday if isinstance(game, Suggests) and game.names_in(state, f"x {command.argument}")
    ]
    if not meant:
        return words
    others = tuple(command for command in words.commands if command not in meant)
    lines = (f"{command.word} {command.argument}" for command in meant)
    return words._replace(commands=others, rest="\n".join((words.rest, *lines)).strip())


def _of_part(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading:
    """What a part of a letter says, such as the orders in a question."""
    return _of_text(game, state, seat, Words(rest=text), read_whole(game, state, seat, text))


def _unless_asked(reading: Reading, words: Words, questions: Sequence[Inquiry | Suppose]) -> Reading:
    """A reading, but one in doubt if its writer asks about these very orders; or about anything beside a `yes`."""
    if _agrees(words):
        return reading._replace(
            doubts=(*reading.doubts, *(Doubt(question.text, "beside yes") for question in questions))
        )
    orders = reading.proposal or "" if reading.orders is None else str(reading.orders)
    doubts = tuple(Doubt(question.text, "turned") for question in questions if orders and _are_about(question, orders))
    if not doubts:
        return reading
    readings = dict.fromkeys((*reading.readings, *([orders] if reading.orders is not None else ())))
    return reading._replace(
        orders=None, proposal=None, perhaps=(), doubts=(*reading.doubts, *doubts), readings=tuple(readings)
    )


def _are_about(question: Inquiry | Suppose, orders: str) -> bool:
    """Whether a question puts orders beside it in doubt, as all do that suppose some."""
    return isinstance(question, Suppose) or inquiries.are_about(question, orders)


def _of_text(game: AnyGame, state: Any, seat: Seat, words: Words, whole: Reading | None) -> Reading:
    """What the text of a letter says; `whole` is what `read_whole` makes of it."""
    text = words.rest
    if Simple("yes") in words.commands and (others := _beside_yes(game, state, words)):
        return Reading(doubts=others)
    for others in (_beside_orders(game, state, words), _struck(game, state, seat, words)):
        if others:
            return Reading(doubts=others, remarks=words.lines())
    aside = _left_away(game, state, seat, words)
    if others := tuple(doubt for doubt in aside if doubt.turn == "aside"):
        lines = [*words.lines(), *(doubt.text for doubt in others)]
        return Reading(doubts=others, readings=ways(game, state, seat, lines), remarks=words.lines())
    if whole is not None:
        reading = unless_repeated(game, state, seat, whole, text.splitlines())
    else:
        reading = or_joined(game, state, seat, words, _of_lines(game, state, seat, words))
    perhaps = (*reading.perhaps, *(doubt.text for doubt in aside))
    return reading if reading.orders is None else reading._replace(perhaps=perhaps)


def _of_lines(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What the text of a letter says that is not all orders."""
    words = words._replace(rest=FACE.sub(_blank, words.rest))
    lines = Lines(game, state, words.rest)
    reading = lines.read(seat)
    if _agrees(words) and not lines.attempts and (others := _beside_yes(game, state, words)):
        return Reading(doubts=others)
    doubts, perhaps = _beside(game, state, words, reading.remarks)
    if not doubts and reading.orders is not None:
        reading = unless_repeated(game, state, seat, reading, lines.attempts)
        return reading if reading.doubts else _asking(reading, perhaps)
    if not doubts and reading.mistakes and unless_repeated(game, state, seat, reading, lines.attempts).doubts:
        return unless_repeated(game, state, seat, reading, lines.attempts)
    if not (lines.attempts or reading.remarks) or reading.standing:
        return reading._replace(doubts=doubts if reading.standing else ())
    everyday = None if reading.orders is not None or _is_refused(seat, lines) else _everyday(seat, words, lines)
    if everyday is None:
        return _in_doubt(seat, reading, lines, doubts)
    says = everyday.orders is not None or everyday.proposal
    if not reading.mistakes or everyday.mistakes or (says and not _is_in_part_known(lines)):
        return everyday
    if everyday.orders is not None and _are_sure(seat, lines):
        return everyday
    proposal = everyday.proposal if everyday.orders is None else str(everyday.orders)
    if not proposal:
        return _in_doubt(seat, reading, lines, doubts)
    return reading._replace(proposal=reading.proposal or proposal)  # with the mistakes where they stand


def _is_in_part_known(lines: Lines) -> bool:
    """Whether the grammar reads a part of a letter to its end."""
    return any(lines.says_all(part) for _, parts, _ in lines.split_lines() for part in parts)


def _blank(face: re.Match[str]) -> str:
    """As many blanks, unless the picture turns orders."""
    return face[0] if ambiguity.has_picture(face[0]) else " " * len(face[0])


def _are_sure(seat: Seat, lines: Lines) -> bool:
    """Whether each part of a letter that the grammar does not read to its end is orders for sure by itself, or chat."""
    game, state = lines.game, lines.state
    parts = (part for _, parts, items in lines.split_lines() if items for part in parts if not lines.says_all(part))
    texts = (lines.text[part.start : part.end] for part in parts)
    return all(_says_orders(game, state, seat, text) or ambiguity.is_chat_within(game, state, text) for text in texts)


def _asking(reading: Reading, perhaps: Sequence[str]) -> Reading:
    """Orders that stand, and lines beside them that are asked about."""
    return reading._replace(perhaps=tuple(perhaps), remarks=tuple(_without(reading.remarks, perhaps)))


def _without(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    return [line for line in lines if not any(line in text for text in others)]


def _agrees(words: Words) -> bool:
    """Whether a letter says `yes`, to all that is open or to the question with a number."""
    return any(command.word == "yes" for command in words.commands)


def _beside_yes(game: AnyGame, state: Any, words: Words) -> tuple[Doubt, ...]:
    """What stands beside a `yes` and is no courtesy."""
    lines = tuple(dict.fromkeys(words.lines()))
    named = {line for line in lines if len(game.names_in(state, f"x {line}")) or game.is_about(state, line.casefold())}
    return tuple(Doubt(line, "beside yes") for line in lines if line in named or not ambiguity.is_courtesy(line))


def _beside_orders(game: AnyGame, state: Any, words: Words) -> tuple[Doubt, ...]:
    """Lines that are commands by their first word, and yet are about pieces or names: `leave one in A`; beside orders
    `no 2` may be one, too."""
    everyday = [
        command
        for command in words.commands
        if isinstance(command, Asking) and command.word in _EVERYDAY and command.argument
    ]
    if everyday and not any(ambiguity.mentions_orders(game, state, line) for line in words.lines()):
        everyday = [command for command in everyday if command.word not in ("yes", "decline")]
    prose = [
        command
        for command in everyday
        if command.word in ("leave", "forget") and len(command.argument.split()) > _NAME_WORDS
    ]
    about = [
        command for command in everyday if command in prose or ambiguity.counts_or_names(game, state, command.argument)
    ]
    return tuple(Doubt(f"{command.word} {command.argument}", "unread") for command in about)


def _struck(game: AnyGame, state: Any, seat: Seat, words: Words) -> tuple[Doubt, ...]:
    """Lines of orders that are struck out, by a picture or otherwise, mended by another line, or another side's."""
    lines = [line for line in words.lines() if any(map(str.isdigit, line))]
    struck = [line for line in lines if ambiguity.is_struck(line) or ambiguity.names_another_side(game, seat, line)]
    crossed = [
        line
        for line in filter(ambiguity.has_picture, words.lines())
        if ambiguity.counts_or_names(game, state, line) or not any(map(str.isalnum, line))
    ]
    starred = [
        line for line in words.lines() if ambiguity.is_starred(line) and ambiguity.counts_or_names(game, state, line)
    ]
    mended = [line for line in starred if not is_in_notation(game, state, line)]  # else it is an item of a list
    return tuple(Doubt(line, "turned") for line in dict.fromkeys((*struck, *crossed, *mended)))


def _left_away(game: AnyGame, state: Any, seat: Seat, words: Words) -> list[Doubt]:
    """The lines aside that read as orders or a command, or turn orders; and as "turned" those that only may."""
    doubts = []
    for line in words.aside:
        verdict = ambiguity.verdict(game, state, line, words.match) if line in words.worth_telling else "chat"
        if verdict == "turned" or _may_be_meant(game, state, seat, line):
            doubts.append(Doubt(line, "aside"))
        elif verdict == "perhaps":
            doubts.append(Doubt(line, "turned"))
    return doubts


def _may_be_meant(game: AnyGame, state: Any, seat: Seat, line: str) -> bool:
    """Whether a line aside reads as orders or a command."""
    return (
        read_text(game, state, seat, line).orders is not None
        or _says_orders(game, state, seat, line)
        or ambiguity.counts_between(game, state, line)
        or in_ordinary_words(line) is not None
        or names_command(line)
    )


def _says_orders(game: AnyGame, state: Any, seat: Seat, line: str) -> bool:
    """Whether a line aside is orders in everyday words, for sure: names and initials of areas sign letters, too."""
    return isinstance(game, Suggests) and game.suggestion(state, seat, line).sure


def _beside(game: AnyGame, state: Any, words: Words, remarks: Sequence[str]) -> tuple[tuple[Doubt, ...], list[str]]:
    """The remarks that turn the orders, and those that may change them; a broken line with what it was broken into."""
    doubts, perhaps = list[Doubt](), list[str]()
    for line in joined(remarks, commas=False):
        verdict = ambiguity.verdict(game, state, line, words.match)
        if verdict == "turned" or holds_command(line):
            doubts.append(Doubt(line, "turned"))
        elif verdict == "perhaps":
            perhaps.append(line)
    return tuple(doubts), perhaps


def _in_doubt(seat: Seat, reading: Reading, lines: Lines, doubts: tuple[Doubt, ...]) -> Reading:
    """What is turned, or cannot be read: with the ways that may be meant, each a whole, and no proposal beside words
    that turn orders."""
    game, state = lines.game, lines.state
    text = [line for line in lines.text.splitlines() if line.strip()]
    if reading.orders is not None:
        return Reading(doubts=doubts, readings=ways(game, state, seat, text), remarks=reading.remarks)
    if not reading.mistakes:
        unread = [remark for remark in reading.remarks if _is_of_orders(game, state, remark)]
        about = (
            *(doubt.text for doubt in doubts),
            *(remark for remark in reading.remarks if ambiguity.counts_or_names(game, state, remark)),
        )
        agreed = [Doubt(line, "beside yes") for line in dict.fromkeys(about) if _YES.match(line)]
        questioned = [Doubt(line, "turned" if ambiguity.is_hard(line) else "unread") for line in unread]
        readings = () if agreed or not (questioned or doubts) else ways(game, state, seat, text)
        return reading._replace(doubts=(*agreed, *questioned), readings=readings)
    within = tuple(Doubt(line, "turned") for line in dict.fromkeys(_turned_within(reading, lines)))
    if not (doubts or within):
        return reading
    readings = () if doubts and not within else ways(game, state, seat, text)
    # What turns the orders is asked about, and not shown as a mistake as well.
    mistakes = () if readings else tuple(mistake for mistake in reading.mistakes if not _marks_turning(mistake, lines))
    return reading._replace(mistakes=mistakes, proposal=None, left_out=(), doubts=(*doubts, *within), readings=readings)


def _turned_within(reading: Reading, lines: Lines) -> list[str]:
    """The lines of orders with mistakes in which something turns these: a hard word, unless it may be one of the game's
    own orders, or what was not understood."""
    own = lines.game.turning_words
    hard = [
        line for line in (*lines.attempts, *reading.left_out) if not own and (ambiguity.is_hard(line) or "?" in line)
    ]
    unread = [mistake.text for mistake in reading.mistakes if _marks_turning(mistake, lines)]
    return [" ".join(line.split()) for line in (*hard, *unread)]


def _marks_turning(mistake: LineMistake, lines: Lines) -> bool:
    """Whether what a mistake marks turns the orders."""
    own = lines.game.turning_words
    return ambiguity.turns(mistake.text[mistake.column :][: None if own else mistake.width], conditions=not own)


def _is_of_orders(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line without orders that can be read is about some; a few words with a name may be an order, too."""
    if len(line.split()) <= _FEW and game.names_in(state, line) and not ambiguity.is_kind(line):
        return True
    return ambiguity.mentions_orders(game, state, line)


# Everyday sentences


def _is_refused(seat: Seat, lines: Lines) -> bool:
    """Whether the grammar reads a line to its end, and it cannot be: then no sentence says otherwise."""
    game, state = lines.game, lines.state
    return any(
        is_in_notation(game, state, attempt) and read_text(game, state, seat, attempt).mistakes
        for attempt in lines.attempts
    )


def _everyday(seat: Seat, words: Words, lines: Lines) -> Reading | None:
    """What sentences order that no grammar reads, chat aside: orders where the game is sure of them, a proposal where
    it is not; else what is wrong with them, or what is understood. None if anything turns them."""
    game, state = lines.game, lines.state
    sentences = _sorted_out(game, state, words)
    if not isinstance(game, Suggests) or sentences is None:
        return None
    ordering, perhaps = (*sentences.naming, *sentences.counting), sentences.perhaps
    meant = _suggested(game, state, seat, "\n".join(ordering))
    if not meant.orders and sentences.counting:
        ordering, perhaps = sentences.naming, (*perhaps, *sentences.counting)
        meant = _suggested(game, state, seat, "\n".join(ordering))
    aside = sentences.aside
    orders_text, chat = _without_chat(game, state, ordering)
    if (
        chat
        and not meant.sure
        and (less := _suggested(game, state, seat, orders_text)).orders
        and meant.orders in ("", less.orders)
    ):
        meant, aside = less, (*aside, *chat)
    beside = (*aside, *perhaps)
    if meant.sure:
        orders = read_text(game, state, seat, meant.orders).orders
        return _asking(Reading(orders, remarks=beside, everyday=True), perhaps)
    if not (sentences.naming or meant.orders):
        return None
    if meant.illegal:
        return Reading(mistakes=read_text(game, state, seat, meant.illegal).mistakes, remarks=beside, everyday=True)
    doubts = tuple(Doubt(sentence, "unread") for sentence in ordering)
    return Reading(doubts=doubts, proposal=meant.orders or None, remarks=beside, understood=meant.understood)


def _suggested(game: AnyGame, state: Any, seat: Seat, text: str) -> Suggestion:
    """What sentences order, in notation or in everyday words."""
    whole = read_whole(game, state, seat, text)
    if whole and whole.orders is not None:
        return Suggestion(str(whole.orders), sure=True)
    return game.suggestion(state, seat, text) if isinstance(game, Suggests) else Suggestion()


def _without_chat(game: AnyGame, state: Any, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Sentences without the chat between their commas, and this."""
    parts = [
        (part, ambiguity.is_chat_within(game, state, part)) for sentence in sentences for part in sentence.split(",")
    ]
    return "\n".join(part for part, chat in parts if not chat), [part.strip() for part, chat in parts if chat]


class _Sentences(NamedTuple):
    """Sentences sorted: those `naming` what orders are about, `counting` those that only have a number, chat `aside`,
    and what `perhaps` changes orders."""

    naming: tuple[str, ...]
    counting: tuple[str, ...]
    aside: tuple[str, ...]
    perhaps: tuple[str, ...]


def _sorted_out(game: AnyGame, state: Any, words: Words) -> _Sentences | None:
    """The sentences of a letter, sorted; None if any may turn its orders, or none says anything of these."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in _Sentences._fields}
    text = words.rest if len(words.rest) <= _MOST_CHARACTERS and words.rest.count("\n") <= _MOST_LINES else ""
    for sentence in sentences_of(text):
        wording = sentence.text
        if "?" in wording or ambiguity.is_hard(wording) or holds_command(wording):
            return None
        if game.names_in(state, f"x {wording}") or game.is_about(state, ambiguity.folded(wording)):
            by_kind["naming"].append(wording)
        elif ambiguity.counts_or_names(game, state, wording):
            by_kind["counting"].append(wording)
        elif (
            verdict := ambiguity.verdict(game, state, f"{wording}:" if sentence.heading else wording, words.match)
        ) == "turned":
            return None
        else:
            by_kind["aside" if verdict == "chat" else "perhaps"].append(wording)
    return _Sentences(*map(tuple, by_kind.values())) if by_kind["naming"] or by_kind["counting"] else None


# The sentences of a letter, those put together again that a mail program has broken


_LONG = 55  # characters of a line that a mail program may have broken
_ABBREVIATED = re.compile(r"\b([A-Za-z])\.([A-Za-z])\.?(?!\w)")


class Sentence(NamedTuple):
    """A sentence, and whether its line ends in a colon: then it is a heading of what follows."""

    text: str
    heading: bool


def sentences_of(text: str) -> Iterator[Sentence]:
    """The sentences of a letter, those put together again that a mail program has broken."""
    plain = _ABBREVIATED.sub(r"\1\2", BULLET.sub("", text))
    for line in joined(list(filled_in([line.strip() for line in plain.splitlines() if line.strip()]))):
        heading = line.rstrip(" *_").endswith(":")
        for sentence in classifier.sentences(line):
            yield Sentence(sentence, heading and line.rstrip(" *_:").endswith(sentence.rstrip(" *_:")))


def joined(lines: Sequence[str], *, commas: bool = True) -> Iterator[str]:
    """Lines with those together that are one which a mail program has broken; at commas if they are of orders."""
    before = ""
    for line in lines:
        if before and ((commas and before.endswith(",")) or (len(before) > _LONG and line[0].islower())):
            before = f"{before} {line}"
        else:
            if before:
                yield before
            before = line
    if before:
        yield before


# Forms filled in, line by line


_LABELLED = re.compile(r"\W{0,4}([^\W\d_]{2,12}) ?[:=] ?((?:[\w’'-]+ ?){1,3})[.,;]?")


def filled_in(lines: Sequence[str]) -> Iterator[str]:
    """Lines with those together that are a form filled in, as "From: A", "To: M", "Count: 3"; a label that comes once
    more begins the next one."""
    block: dict[str, str] = {}
    first = ""
    for line in (*lines, ""):
        labelled = _LABELLED.fullmatch(line)
        label = caseless(labelled[1]) if labelled else ""
        if block and (not labelled or label in block):
            yield " ".join(block.values()) if len(block) > 1 else first
            block = {}
        if labelled:
            first = first if block else line
            value = labelled[2].strip()
            block[label] = f"{labelled[1]}{':' if value.isdigit() else ''} {value}"
        elif line:
            yield line


# What a letter in doubt may mean, each a whole turn: what it says without the words that turn it, and each of two
# things of which it offers one in the place of the other


_MOST = 3
_SIGNS = " \t,;.:!?()-–—"


def ways(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str]) -> tuple[str, ...]:
    """The orders that lines may mean, in canonical form, the likeliest first; none if the words that turn them count or
    name anything."""
    if len(lines) > MAX_ITEMS:  # which no game takes for orders
        return ()
    read = partial(_read, game, state, seat)
    sentences = [part for line in lines for part in classifier.sentences(line)]
    pieces = [piece for sentence in sentences for piece in _pieces(sentence)]
    allowed = [piece for piece in pieces if read(piece)]
    unread = [piece for piece in pieces if piece not in allowed]
    if any(ambiguity.counts_or_names(game, state, piece) for piece in unread) or any(
        _forbids(sentence, allowed) for sentence in sentences
    ):
        return ()
    return tuple(dict.fromkeys(filter(None, map(read, _texts(sentences, allowed)))))[:_MOST]


def _forbids(sentence: str, allowed: Sequence[str]) -> bool:
    """Whether a sentence says what shall not be: "don't bomb EC"."""
    spoken = ambiguity.WORD.findall(ambiguity.folded(sentence).replace("'", ""))
    return not frozenset(words("around", "negating")).isdisjoint(spoken) and any(
        piece in allowed for piece in _pieces(sentence)
    )


def _read(game: AnyGame, state: Any, seat: Seat, text: str) -> str:
    """The orders that a text says, in notation or in everyday sentences; "" if that is not one thing."""
    orders = read_text(game, state, seat, text).orders
    if orders is not None:
        return str(orders)
    orders_text = ",".join(part for part in text.split(",") if not ambiguity.is_kind(part))
    suggestion = game.suggestion(state, seat, orders_text) if isinstance(game, Suggests) else None
    return suggestion.orders if suggestion and suggestion.sure else ""


def _pieces(sentence: str) -> list[str]:
    """What stands before, between and behind the words of a sentence that turn orders."""
    folded = ambiguity.folded(sentence)
    text = sentence if len(folded) == len(sentence) else folded  # folding may change how long a text is
    ends = [0, *(place for hit in ambiguity.hard_words(folded) for place in hit.span()), None]
    pieces = (text[start:end].strip(_SIGNS) for start, end in zip(ends[::2], ends[1::2], strict=True))
    return [piece for piece in pieces if piece]


def _texts(sentences: Sequence[str], allowed: Sequence[str]) -> Iterator[str]:
    """All that is kept; or, of two things in one sentence or on both sides of it, each with all the others."""
    turning = next(
        (
            sentence
            for sentence in sentences
            if ambiguity.is_hard(sentence) and any(piece in allowed for piece in _pieces(sentence))
        ),
        None,
    )
    beside = [piece for piece in _pieces(turning) if piece in allowed] if turning else []
    if len(beside) == 1 and (at := allowed.index(beside[0])):
        beside = [allowed[at - 1], *beside]
    if len(beside) > 1:
        others = [piece for piece in allowed if piece not in beside]
        yield from ("\n".join((*others, piece)) for piece in beside)
    else:
        yield "\n".join(allowed)


# The same move on two lines: nothing is added up unseen


_DIGITS = re.compile(r"\d+")
_ITEM = re.compile(r"[,;] ")


def unless_repeated(game: AnyGame, state: Any, seat: Seat, reading: Reading, lines: Sequence[str]) -> Reading:
    """A reading, but one in doubt if the same move stands on two lines: once or twice is meant. One with mistakes is
    so if each line by itself has none."""
    written = [line for line in lines if line.strip()]
    canonical = "" if reading.orders is None else str(reading.orders)
    refused = not canonical and len(written) > MAX_ITEMS
    if len(written) < 2 or refused or not _may_repeat(game, written, canonical):
        return reading
    whole = set(_ITEM.split(canonical))
    alone = {line: read_text(game, state, seat, line).orders for line in _unlike(written, canonical)}
    parts: dict[str, str] = {}
    twice, once = [], []
    for line in written:
        again = False
        for part in _ITEM.split(str(alone[line])) if alone.get(line) is not None else ():
            way = _DIGITS.sub("", part)
            if part not in whole and way in parts:
                twice += [Doubt(parts[way].strip(), "twice"), Doubt(line.strip(), "twice")]
                again = True
            if part not in whole:
                parts[way] = line
        once += [] if again else [line]
    if not twice or (not canonical and None in alone.values()):
        return reading
    orders = read_text(game, state, seat, "\n".join(once)).orders
    ways = dict.fromkeys(("" if orders is None else str(orders), canonical))
    return Reading(doubts=tuple(dict.fromkeys(twice)), readings=tuple(filter(None, ways)), remarks=reading.remarks)


def _may_repeat(game: AnyGame, lines: Sequence[str], canonical: str) -> bool:
    """A quick look: lines that are added up have other numbers than their sum, and else they are written alike."""
    alike = [_DIGITS.sub("", line).strip().casefold() for line in lines]
    if len(set(alike)) < len(alike):
        return True
    written = sorted(_DIGITS.findall("\n".join(lines)))
    return isinstance(game, Suggests) and written != sorted(_DIGITS.findall(canonical))


def _unlike(lines: Sequence[str], orders: str) -> list[str]:
    """The lines that are not written as orders in canonical form are: what the others say alone is in these, and need
    not be read once more."""
    canonical = {*orders.casefold().split("; "), *_ITEM.split(orders.casefold())} if orders else set()
    return [line for line in lines if BULLET.sub("", line).strip(" ;.").casefold() not in canonical]
