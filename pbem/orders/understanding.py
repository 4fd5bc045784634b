"""What a letter means as a whole: its orders, unless anything else that its writer says puts them in doubt.

The grammar answers first. Where it leaves words over, these are judged (`pbem/orders/doubt.py`), and a game that takes
everyday sentences apart reads them; only what is explained to the last word, chat aside, is taken as orders.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import ReadsClauses
from pbem.i18n.words import alternatives, pattern
from pbem.i18n.words import words as words_of
from pbem.orders import doubt, inquiries, later
from pbem.orders.choices import choices
from pbem.orders.command import Asking, Inquiry, Simple, Words
from pbem.orders.commands import find_command
from pbem.orders.doubt import Doubt
from pbem.orders.lines import Lines, Reading, read_text, read_whole
from pbem.orders.sentences import in_ordinary_words
from pbem.patterns import compiled

_MOST_LINES = 60  # of a letter that are taken apart; one with more is no letter of a few orders
_MOST_CHARACTERS = 4_000
_MOST_READINGS = 4
_LONG = 55  # characters of a line that a mail program may have broken
_BULLET = compiled(r"(?m)^ *(?:\(?(?:\d{1,2}|[a-z])[.)]|\((?:\d|[a-z])\)|[-–—*•◦·§o]) +")
_ABBREVIATED = compiled(r"\b([A-Za-z])\.([A-Za-z])\.?(?!\w)")
_FACES = compiled(r"(?<![^\s.!?,])[:;=]['-]?[()DP](?!\w)[()]*|[☺☹\U0001F600-\U0001F64F\U0001F44D\U0001F44B]️?")
_NAME_WORDS = 2  # of what a command names
_EVERYDAY = ("leave", "forget", "join", "decline", "record")  # commands whose words begin other sentences, too
_YES = compiled(rf"\W*{alternatives(('yes', *words_of('commands', 'yes')))}\b", re.I)
_SIGNED = compiled(r"\W*(?:\w+|(?:\w\.\W?){2,4})\W*")
_DIGITS = compiled(r"\d+")
_ITEM = compiled(r"[,;] ")
_LABELLED = compiled(r"\W{0,4}([^\W\d_]{2,12}) ?[:=] ?((?:[\w’'-]+ ?){1,3})[.,;]?")


class _Sentence(NamedTuple):
    """A sentence, and whether its line ends in a colon: then it is a heading of what follows."""

    text: str
    heading: bool


def understand(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What a letter says to a game. Its commands are the letter's own, whatever becomes of its orders."""
    part = partial(_of_part, game, state)
    words = _with_sentences(game, state, words)
    words, kept, unsure = later.take(words, partial(part, seat))
    # Where every word is one of orders, none is of a question.
    whole = None if "?" in words.rest else read_whole(game, state, seat, words.rest)
    words, asked = inquiries.take(game, state, seat, words, part) if whole is None else (words, ())
    reading = _of_text(game, state, seat, words, whole)
    if unsure:
        reading = Reading(doubts=unsure, remarks=reading.remarks)
    if asked:
        reading = _unless_asked(reading, words, asked)
    adds = reading.orders is not None and not words.rest[:1].isdigit() and doubt.adds(words.rest)
    return reading._replace(commands=(*words.commands, *kept, *asked), adds=adds)


def _with_sentences(game: AnyGame, state: Any, words: Words) -> Words:
    """Words of a letter whose lines that only begin like a command are lines again: "leave everything as is"."""
    taken = [one for one in words.commands if isinstance(one, Asking) and one.word in _EVERYDAY and one.argument]
    said = {one: f"{one.word} {one.argument}" for one in taken}
    meant = [one for one in taken if isinstance(game, ReadsClauses) and game.explains(state, said[one])]
    if not meant:
        return words
    others = tuple(one for one in words.commands if one not in meant)
    return words._replace(commands=others, rest="\n".join((words.rest, *map(said.__getitem__, meant))).strip())


def _of_part(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading:
    """What a part of a letter says, such as the orders in a question."""
    return _of_text(game, state, seat, Words(rest=text))


def _unless_asked(reading: Reading, words: Words, asked: Sequence[Inquiry]) -> Reading:
    """A reading, but one in doubt if its writer asks about these very orders; or about anything beside a `yes`."""
    if Simple("yes") in words.commands:
        return reading._replace(doubts=(*reading.doubts, *(Doubt(one.text, "beside yes") for one in asked)))
    said = reading.proposal or "" if reading.orders is None else str(reading.orders)
    doubts = tuple(Doubt(one.text, "question") for one in asked if said and inquiries.are_about(one, said))
    if not doubts:
        return reading
    offered = dict.fromkeys((*reading.readings, *([said] if reading.orders is not None else ())))
    return reading._replace(orders=None, proposal=None, doubts=(*reading.doubts, *doubts), readings=tuple(offered))


def another_game(reading: Reading, name: str) -> str:
    """Which other game a line beside the orders names, alone or with a colon: so many play two, and answer a letter of
    the wrong one. "" if none does."""
    kind = re.escape(name.rpartition("-")[0])
    heading = compiled(rf"\W*(?:{pattern('around', 'game')}\b\W*)*({kind}-\d{{1,9}})\W*(?::|$)", re.I)
    lines = (*reading.remarks, *(one.text for one in reading.mistakes), *(one.text for one in reading.doubts))
    named = (found[1].lower() for line in lines if (found := heading.match(line)))
    return next((one for one in named if one != name), "")


def _of_text(game: AnyGame, state: Any, seat: Seat, words: Words, whole: Reading | None = None) -> Reading:
    """What the text of a letter says; `whole` if all of it is known to be orders."""
    text = words.rest
    if Simple("yes") in words.commands and (others := _beside_yes(game, state, words)):
        return Reading(doubts=others)
    if others := _beside_orders(game, state, words):
        return Reading(doubts=others, readings=_offered(game, state, seat, text.splitlines()), remarks=words.lines())
    if others := _struck(game, seat, words):
        return Reading(doubts=others, remarks=words.lines())
    if others := _left_away(game, state, seat, words):
        offered = _offered(game, state, seat, [*words.lines(), *(one.text for one in others)])
        return Reading(doubts=others, readings=offered, remarks=words.lines())
    whole = whole or read_whole(game, state, seat, text)
    if whole is not None:
        return _unless_repeated(game, state, seat, whole, text.splitlines())
    lines = Lines(game, state, text)
    reading = lines.read(seat)
    doubts = _beside(game, state, words, reading.remarks, lines.attempts)
    if reading.orders is not None and not doubts:
        return _unless_repeated(game, state, seat, reading, lines.attempts)
    if not (lines.attempts or reading.remarks) or reading.standing:
        return reading._replace(doubts=doubts if reading.standing else ())
    return _by_clauses(seat, words, lines) or _in_doubt(seat, reading, lines, doubts)


def _beside_yes(game: AnyGame, state: Any, words: Words) -> tuple[Doubt, ...]:
    """What stands beside a `yes` and is no courtesy."""
    said = words.lines()
    named = {line for line in said if len(game.names_in(state, f"x {line}")) or game.is_about(state, line.casefold())}
    return tuple(Doubt(line, "beside yes") for line in said if line in named or not doubt.is_courtesy(line))


def _beside_orders(game: AnyGame, state: Any, words: Words) -> tuple[Doubt, ...]:
    """Lines that are commands by their first word, and yet are about pieces or names: `leave one in A`; beside orders
    `no 2` may be one, too."""
    asked = [one for one in words.commands if isinstance(one, Asking) and one.word in _EVERYDAY and one.argument]
    if asked and not any(doubt.mentions_orders(game, state, line) for line in words.lines()):
        asked = [one for one in asked if one.word not in ("yes", "decline")]
    about = [one for one in asked if doubt.counts_or_names(game, state, one.argument) or _is_prose(one)]
    return tuple(Doubt(f"{one.word} {one.argument}", "unread") for one in about)


def _is_prose(command: Asking) -> bool:
    """Whether more stands behind a word such as `leave` than the name of what is meant."""
    return command.word in ("leave", "forget") and len(command.argument.split()) > _NAME_WORDS


def _struck(game: AnyGame, seat: Seat, words: Words) -> tuple[Doubt, ...]:
    """Lines of orders that are struck out or another side's, whatever else they say."""
    lines = [line for line in words.lines() if any(map(str.isdigit, line))]
    struck = [Doubt(line, "correction") for line in lines if doubt.is_struck(line)]
    theirs = [Doubt(line, "other") for line in lines if doubt.names_another_side(game, seat, line)]
    return (*struck, *theirs)


def _left_away(game: AnyGame, state: Any, seat: Seat, words: Words) -> tuple[Doubt, ...]:
    """The lines aside that read as orders or a command."""
    return tuple(
        Doubt(line, "aside")
        for line in words.aside
        if read_text(game, state, seat, line).orders is not None
        or _says_orders(game, state, seat, line)
        or doubt.counts_between(game, state, line)
        or in_ordinary_words(line)
        or (line.strip(" .!").isalpha() and find_command(line.strip(" .!")))
    )


def _says_orders(game: AnyGame, state: Any, seat: Seat, line: str) -> bool:
    """Whether a line aside is explained, and more than a name or initials: those of areas sign letters, too."""
    said = _explained(game, state, line)
    if not (said and isinstance(game, ReadsClauses)):
        return False
    *before, name = said.split(",")
    signs = _SIGNED.fullmatch(name) and all(map(doubt.is_kind, before))
    return not signs or bool(game.readings(state, seat, [said]))


def _beside(
    game: AnyGame, state: Any, words: Words, remarks: Sequence[str], attempts: Sequence[str]
) -> tuple[Doubt, ...]:
    """The remarks that turn the orders, each with how it does; a broken line with those that it was broken into."""
    found, closed = list[Doubt](), False
    above = _above(words, attempts)
    for line in _joined(remarks, commas=False):
        how = doubt.turned(game, state, line, words.match, above=line in above)
        closed = closed or doubt.is_kind(line)
        if how and not (how == "unread" and doubt.is_signature(line, closed=closed)):
            found.append(Doubt(line, how))
    return tuple(found)


def _above(words: Words, attempts: Sequence[str]) -> frozenset[str]:
    """The lines that stand right above one of orders."""
    begun = {line.strip() for line in attempts}
    return frozenset(one.strip() for one, below in pairwise(words.rest.splitlines()) if below.strip() in begun)


def _in_doubt(seat: Seat, reading: Reading, lines: Lines, doubts: tuple[Doubt, ...]) -> Reading:
    """What nobody can be sure of: with the readings to choose from where the grammar knows orders, without a proposal
    where something turns what it knows."""
    game, state = lines.game, lines.state
    if reading.orders is not None:
        left = tuple(line for line in reading.remarks if line not in {one.text for one in doubts})
        offered = _offered(game, state, seat, lines.attempts)
        return Reading(doubts=doubts, readings=offered, remarks=left)
    if not reading.mistakes:
        asked = [Doubt(one, "unread") for one in reading.remarks if _is_of_orders(game, state, one)]
        agreed = [Doubt(one.text, "beside yes") for one in doubts if _YES.match(one.text)]
        return reading._replace(doubts=(*agreed, *asked))
    counts, weak = lines.reads_clauses, not game.turning_words
    turned = [(line, doubt.turns(line, counts=counts, weak=weak)) for line in lines.attempts]
    turned += [(part, doubt.turns(part)) for part in reading.left_out]
    here = tuple(
        Doubt(" ".join(line.split()), how)
        for line, how in turned
        if how and not (how == "condition" and game.turning_words)
    )
    if here and all(one.turn == "condition" for one in (*doubts, *here)) and len(here) == len(lines.attempts):
        return reading._replace(mistakes=(), proposal=None, left_out=(), doubts=(*doubts, *here))
    if doubts or here:
        offered = () if doubts else choices(game, state, seat, lines.attempts)
        return reading._replace(proposal=None, left_out=(), doubts=(*doubts, *here), readings=offered)
    return reading


def _is_of_orders(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line without orders that can be read is about some."""
    return doubt.mentions_orders(game, state, line) or bool(_explained(game, state, line.rstrip(" .!")))


def _unless_repeated(game: AnyGame, state: Any, seat: Seat, reading: Reading, lines: Sequence[str]) -> Reading:
    """A reading, but one in doubt if the same move stands on two lines: once or twice is meant."""
    written = [line for line in lines if line.strip()]
    if len(written) < 2 or reading.orders is None or not _may_repeat(game, written, str(reading.orders)):
        return reading
    whole = set(_ITEM.split(str(reading.orders)))
    parts: dict[str, str] = {}
    twice = []
    for line in _unlike(written, reading):
        alone = read_text(game, state, seat, line).orders
        for part in _ITEM.split(str(alone)) if alone is not None else ():
            way = _DIGITS.sub("", part)
            if part not in whole and way in parts:
                twice += [Doubt(parts[way].strip(), "twice"), Doubt(line.strip(), "twice")]
            if part not in whole:
                parts[way] = line
    if not twice:
        return reading
    offered = dict.fromkeys((*_offered(game, state, seat, written), str(reading.orders)))
    return Reading(doubts=tuple(dict.fromkeys(twice)), readings=tuple(offered), remarks=reading.remarks)


def _may_repeat(game: AnyGame, lines: Sequence[str], canonical: str) -> bool:
    """A quick look: lines that are added up have other numbers than their sum, and else they are written alike."""
    alike = [_DIGITS.sub("", line).strip().casefold() for line in lines]
    if len(set(alike)) < len(alike):
        return True
    written = sorted(_DIGITS.findall("\n".join(lines)))
    return isinstance(game, ReadsClauses) and written != sorted(_DIGITS.findall(canonical))


def _unlike(lines: Sequence[str], reading: Reading) -> list[str]:
    """The lines that are not written as a reading has them: what the others say alone is in it, and need not be read
    once more."""
    text = str(reading.orders).casefold()
    known = {*text.split("; "), *_ITEM.split(text), *map(str.casefold, reading.standing)}
    return [line for line in lines if _BULLET.sub("", line).strip(" ;.").casefold() not in known]


def _offered(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str]) -> tuple[str, ...]:
    """The orders that a letter in doubt may mean: of each line alone, and of more of them together."""
    some = lines[:_MOST_READINGS]
    chosen = [group for size in range(1, len(some) + 1) for group in combinations(some, size)]
    found: dict[str, None] = {}
    for group in chosen:
        meant = read_text(game, state, seat, "\n".join(group))
        if meant.orders is not None:
            found[str(meant.orders)] = None
    return tuple(found)[:_MOST_READINGS]


def _by_clauses(seat: Seat, words: Words, lines: Lines) -> Reading | None:
    """What sentences say that the game explains to the last word, chat aside: orders if that is one thing, else what
    they may mean. None if words stay unexplained."""
    game, state, text = lines.game, lines.state, words.rest
    attempts = set(map(str.strip, lines.attempts))
    if not isinstance(game, ReadsClauses) or len(text) > _MOST_CHARACTERS or text.count("\n") > _MOST_LINES:
        return None
    above = _above(words, lines.attempts)
    explained, chat = list[str](), list[str]()
    for sentence in _sentences(text):
        if known := _explained(game, state, sentence.text):
            explained.append(known)
        elif not doubt.is_harmless(sentence.text) and (
            sentence.text in attempts
            or _turned(game, state, sentence, words.match, above)
            or _is_attempt(game, state, sentence.text)
        ):
            return None
        else:
            chat.append(sentence.text)
    found = game.readings(state, seat, explained) if explained else ()
    if len(found) == 1:
        meant = read_text(game, state, seat, found[0])
        return Reading(meant.orders, remarks=tuple(chat), everyday=True)
    doubts = tuple(Doubt(one, "unread") for one in explained)
    offered = found[:_MOST_READINGS]
    return Reading(doubts=doubts, readings=offered, remarks=tuple(chat), everyday=True) if found else None


def _turned(game: AnyGame, state: Any, sentence: _Sentence, match: str, above: frozenset[str]) -> bool:
    said = f"{sentence.text}:" if sentence.heading else sentence.text
    return doubt.turned(game, state, said, match, above=sentence.text in above) is not None


def _is_attempt(game: AnyGame, state: Any, sentence: str) -> bool:
    """Whether the grammar takes a sentence for orders, good or bad."""
    return any(items for _, _, items in Lines(game, state, sentence).told_apart())


def _explained(game: AnyGame, state: Any, sentence: str) -> str:
    """A sentence that the game explains, without the courtesies between its commas; "" if it does not."""
    sentence = _FACES.sub(" ", sentence).strip()
    if not isinstance(game, ReadsClauses):
        return ""
    if game.explains(state, sentence):
        return sentence
    parts = sentence.split(",")
    kept = [part for part in parts if not _is_kind(game, state, part)]
    rest = ",".join(kept).strip()
    return rest if len(kept) < len(parts) and rest and game.explains(state, rest) else ""


def _is_kind(game: AnyGame, state: Any, part: str) -> bool:
    """Whether what stands between commas is greetings or thanks, without anything that orders are about."""
    return doubt.is_kind(part) and not game.names_in(state, f"x {part}") and not game.is_about(state, part.casefold())


def _sentences(text: str) -> Iterator[_Sentence]:
    """The sentences of a letter, those put together again that a mail program has broken."""
    plain = _ABBREVIATED.sub(r"\1\2", _BULLET.sub("", text))
    for line in _joined(list(_blocks([line.strip() for line in plain.splitlines() if line.strip()]))):
        heading = line.rstrip(" *_").endswith(":")
        for one in doubt.sentences(line):
            yield _Sentence(one, heading and line.rstrip(" *_:").endswith(one.rstrip(" *_:")))


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    """Lines with those together that are a form filled in, as "From: A", "To: M", "Count: 3"; a label that comes once
    more begins the next one."""
    block: dict[str, str] = {}
    first = ""
    for line in (*lines, ""):
        found = _LABELLED.fullmatch(line)
        label = found[1].casefold() if found else ""
        if block and (not found or label in block):
            yield " ".join(block.values()) if len(block) > 1 else first
            block = {}
        if found:
            first = first if block else line
            value = found[2].strip()
            block[label] = f"{found[1]}{':' if value.isdigit() else ''} {value}"
        elif line:
            yield line


def _joined(lines: Sequence[str], *, commas: bool = True) -> Iterator[str]:
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
