"""What a letter means as a whole: its orders, unless anything else that its writer says puts them in doubt.

The grammar answers first. Where it leaves words over, these are judged (`pbem/orders/doubt.py`), and a game that takes
everyday sentences apart reads them; only what is explained to the last word, chat aside, is taken as orders.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import ReadsClauses
from pbem.i18n.words import alternatives, pattern
from pbem.i18n.words import words as words_of
from pbem.orders import doubt
from pbem.orders.command import Asking, Simple, Words
from pbem.orders.doubt import Doubt
from pbem.orders.lines import Lines, Reading, read_text, read_whole

_MOST_LINES = 60  # of a letter that are taken apart; one with more is no letter of a few orders
_MOST_CHARACTERS = 4_000
_MOST_READINGS = 4
_LONG = 55  # characters of a line that a mail program may have broken
_BULLET = re.compile(r"(?m)^ *(?:\(?(?:\d{1,2}|[a-z])[.)]|\((?:\d|[a-z])\)|[-–—*•◦·§o]) +")
_ABBREVIATED = re.compile(r"\b([A-Za-z])\.([A-Za-z])\.?(?!\w)")
_FACES = re.compile(r"(?<![^\s.!?,])[:;=]['-]?[()DP](?!\w)[()]*|[☺☹\U0001F600-\U0001F64F\U0001F44D\U0001F44B]️?")
_EVERYDAY = ("leave", "forget", "join", "decline", "record")  # commands whose words begin other sentences, too
_YES = re.compile(rf"\W*{alternatives(('yes', *words_of('commands', 'yes')))}\b", re.I)
_DIGITS = re.compile(r"\d+")
_ITEM = re.compile(r"[,;] ")


class _Sentence(NamedTuple):
    """A sentence, and whether its line ends in a colon: then it is a heading of what follows."""

    text: str
    heading: bool


def understand(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What a letter says to a game. Its commands are the letter's own, whatever becomes of its orders."""
    reading = _of_text(game, state, seat, words)
    adds = reading.orders is not None and not words.rest[:1].isdigit() and doubt.adds(words.rest)
    return reading._replace(commands=words.commands, adds=adds)


def another_game(reading: Reading, name: str) -> str:
    """Which other game a line beside the orders names, alone or with a colon: so many play two, and answer a letter of
    the wrong one. "" if none does."""
    kind = re.escape(name.rpartition("-")[0])
    heading = re.compile(rf"\W*(?:{pattern('around', 'game')}\b\W*)*({kind}-\d{{1,9}})\W*(?::|$)", re.I)
    lines = (*reading.remarks, *(one.text for one in reading.mistakes), *(one.text for one in reading.doubts))
    named = (found[1].lower() for line in lines if (found := heading.match(line)))
    return next((one for one in named if one != name), "")


def _of_text(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    text = words.rest
    if Simple("yes") in words.commands and (others := _beside_yes(game, state, words)):
        return Reading(doubts=others)
    if others := _beside_orders(game, state, words):
        return Reading(doubts=others, readings=_offered(game, state, seat, text.splitlines()), remarks=words.lines())
    whole = read_whole(game, state, seat, text)
    if whole is not None:
        return _unless_repeated(game, state, seat, whole, text.splitlines())
    lines = Lines(game, state, text)
    reading = lines.read(seat)
    turned = ((line, doubt.turned(game, state, line, words.match)) for line in reading.remarks)
    doubts = tuple(Doubt(line, how) for line, how in turned if how)
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
    if not any(doubt.mentions_orders(game, state, line) for line in words.lines()):
        asked = [one for one in asked if one.word not in ("yes", "decline")]
    said = [f"{one.word} {one.argument}" for one in asked if doubt.counts_or_names(game, state, one.argument)]
    return tuple(Doubt(line, "unread") for line in said)


def _in_doubt(seat: Seat, reading: Reading, lines: Lines, doubts: tuple[Doubt, ...]) -> Reading:
    """What nobody can be sure of: with the readings to choose from where the grammar knows orders, without a proposal
    where something turns what it knows."""
    game, state = lines.game, lines.state
    if reading.orders is not None:
        left = tuple(line for line in reading.remarks if line not in {one.text for one in doubts})
        offered = _offered(game, state, seat, lines.attempts)
        return Reading(doubts=doubts, readings=offered, remarks=left)
    if not reading.mistakes:
        asked = [Doubt(one, "unread") for one in reading.remarks if doubt.mentions_orders(game, state, one)]
        agreed = [Doubt(one.text, "beside yes") for one in doubts if _YES.match(one.text)]
        return reading._replace(doubts=(*agreed, *asked))
    here = tuple(Doubt(" ".join(line.split()), how) for line in lines.attempts if (how := doubt.turns(line)))
    if doubts or here:
        return reading._replace(proposal=None, left_out=(), doubts=(*doubts, *here))
    return reading


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
    explained, chat = list[str](), list[str]()
    for sentence in _sentences(text):
        if known := _explained(game, state, sentence.text):
            explained.append(known)
        elif not doubt.is_harmless(sentence.text) and (
            sentence.text in attempts
            or _turned(game, state, sentence, words.match)
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


def _turned(game: AnyGame, state: Any, sentence: _Sentence, match: str) -> bool:
    return doubt.turned(game, state, f"{sentence.text}:" if sentence.heading else sentence.text, match) is not None


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
    for line in _joined([line.strip() for line in plain.splitlines() if line.strip()]):
        heading = line.rstrip(" *_").endswith(":")
        for one in doubt.sentences(line):
            yield _Sentence(one, heading and line.rstrip(" *_:").endswith(one.rstrip(" *_:")))


def _joined(lines: Sequence[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if before and (before.endswith(",") or (len(before) > _LONG and line[0].islower())):
            before = f"{before} {line}"
        else:
            if before:
                yield before
            before = line
    if before:
        yield before
