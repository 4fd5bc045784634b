"""What a letter means as a whole: its orders, unless anything else that its writer says puts them in doubt.

The grammar answers first. Where it leaves words over, these are judged (`pbem/orders/doubt.py`), and a game that takes
everyday sentences apart reads them; only what is explained to the last word, chat aside, is taken as orders.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import reads_clauses
from pbem.i18n.words import alternatives
from pbem.i18n.words import words as words_of
from pbem.mail.quotes import worth_telling
from pbem.orders import doubt, inquiries, later
from pbem.orders.choices import choices, offered, says_otherwise
from pbem.orders.command import Asking, Inquiry, Simple, Words
from pbem.orders.doubt import Doubt, Turn
from pbem.orders.headings import without_heading
from pbem.orders.joined import or_joined
from pbem.orders.lines import LineMistake, Lines, Reading, read_text, read_whole
from pbem.orders.repeated import unless_repeated
from pbem.orders.sentences import holds_command, in_ordinary_words, names_command
from pbem.orders.signs import FACE, turns_by_picture
from pbem.orders.unfit import mistaken
from pbem.orders.unknown import beside, is_refused, is_remark
from pbem.orders.whole_sentences import Sentence, joined, sentences_of
from pbem.orders.within import without_chat
from pbem.patterns import compiled

_MOST_LINES = 60  # of a letter that are taken apart; one with more is no letter of a few orders
_MOST_CHARACTERS = 4_000
_MOST_READINGS = 4
_FEW = 4  # words of a line without orders
_NAME_WORDS = 2  # of what a command names
_EVERYDAY = ("leave", "forget", "join", "decline", "record")  # commands whose words begin other sentences, too
_YES = compiled(rf"\W*{alternatives(('yes', *words_of('commands', 'yes')))}\b", re.I)
_SIGNED = compiled(r"\W*(?:\w+|(?:\w\.\W?){2,4})\W*")


def understand(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What a letter says to a game. Its commands are the letter's own, whatever becomes of its orders."""
    part = partial(_of_part, game, state)
    words = without_heading(game, state, _with_sentences(game, state, words))
    words, kept, unsure = later.take(words, partial(part, seat))
    # Where every word is one of orders, none is of a question.
    text = words.rest
    whole = None if "?" in text else read_whole(game, state, seat, text)
    words, asked = inquiries.take(game, state, seat, words, part) if whole is None else (words, ())
    if "?" in text or words.rest != text:
        whole = read_whole(game, state, seat, words.rest)
    reading = _of_text(game, state, seat, words, whole)
    if reading.orders is None and (said := doubt.without_adding(words.lines())):
        again = _of_text(game, state, seat, words._replace(rest=said), read_whole(game, state, seat, said))
        reading = again if again.orders is not None and not reading.standing else reading
    if unsure:
        reading = Reading(doubts=unsure, remarks=reading.remarks)
    if asked:
        reading = _unless_asked(reading, words, asked)
    one = whole is None and not re.search("[,;]", str(reading.orders))  # an "also" in it is about others
    adds = reading.orders is not None and (one or not words.rest[:1].isdigit()) and doubt.adds(words.rest, alone=one)
    return reading._replace(commands=(*words.commands, *kept, *asked), adds=adds)


def _with_sentences(game: AnyGame, state: Any, words: Words) -> Words:
    """Words of a letter whose lines that only begin like a command are lines again: "leave everything as is"."""
    taken = [one for one in words.commands if isinstance(one, Asking) and one.word in _EVERYDAY and one.argument]
    said = {one: f"{one.word} {one.argument}" for one in taken}
    clauses = reads_clauses(game)
    meant = [one for one in taken if clauses and clauses.explains(state, said[one])]
    if not meant:
        return words
    others = tuple(one for one in words.commands if one not in meant)
    return words._replace(commands=others, rest="\n".join((words.rest, *map(said.__getitem__, meant))).strip())


def _of_part(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading:
    """What a part of a letter says, such as the orders in a question."""
    return _of_text(game, state, seat, Words(rest=text), read_whole(game, state, seat, text))


def _unless_asked(reading: Reading, words: Words, asked: Sequence[Inquiry]) -> Reading:
    """A reading, but one in doubt if its writer asks about these very orders; or about anything beside a `yes`."""
    if _agrees(words):
        return reading._replace(doubts=(*reading.doubts, *(Doubt(one.text, "beside yes") for one in asked)))
    said = reading.proposal or "" if reading.orders is None else str(reading.orders)
    doubts = tuple(Doubt(one.text, "question") for one in asked if said and inquiries.are_about(one, said))
    if not doubts:
        return reading
    ways = dict.fromkeys((*reading.readings, *([said] if reading.orders is not None else ())))
    return reading._replace(orders=None, proposal=None, doubts=(*reading.doubts, *doubts), readings=tuple(ways))


def _of_text(game: AnyGame, state: Any, seat: Seat, words: Words, whole: Reading | None) -> Reading:
    """What the text of a letter says; `whole` is what `read_whole` makes of it."""
    text = words.rest
    if Simple("yes") in words.commands and (others := _beside_yes(game, state, words)):
        return Reading(doubts=others)
    if others := _beside_orders(game, state, words):
        return Reading(doubts=others, readings=offered(game, state, seat, text.splitlines()), remarks=words.lines())
    if others := _struck(game, state, seat, words):
        return Reading(doubts=others, remarks=words.lines())
    if others := _left_away(game, state, seat, words):
        told = [*words.lines(), *(one.text for one in others)]
        return Reading(doubts=others, readings=offered(game, state, seat, told), remarks=words.lines())
    if whole is not None:
        return unless_repeated(game, state, seat, whole, text.splitlines())
    return or_joined(game, state, seat, words, _of_lines(game, state, seat, words))


def _of_lines(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What the text of a letter says that is not all orders."""
    lines = Lines(game, state, words.rest)
    reading = lines.read(seat)
    if _agrees(words) and not lines.attempts and (others := _beside_yes(game, state, words)):
        return Reading(doubts=others)
    doubts = _beside(game, state, words, reading.remarks, lines.attempts)
    if not doubts and (reading.orders is not None or reading.mistakes):
        reading = unless_repeated(game, state, seat, reading, lines.attempts)
        if reading.orders is not None or reading.doubts:
            return reading
    if not (lines.attempts or reading.remarks) or reading.standing:
        return reading._replace(doubts=doubts if reading.standing else ())
    explained = _by_clauses(seat, words, lines)
    if explained and (explained.orders is not None or explained.readings):
        return explained
    asked = _in_doubt(seat, reading, lines, doubts)
    return explained if explained and not _says_more(asked, explained) else asked


def _says_more(asked: Reading, explained: Reading) -> bool:
    """Whether what the grammar asks about a letter is to be preferred to what is explained, which is no orders yet."""
    if explained.proposal:
        return bool(asked.proposal or asked.readings)
    marked = [one.text[one.column : one.column + one.width] for one in asked.mistakes]
    if marked and not any(" " in text for text in marked):  # where it marks more, words were taken for a name
        return True
    return bool(asked.readings or any(one.turn != "unread" for one in asked.doubts))


def _agrees(words: Words) -> bool:
    """Whether a letter says `yes`, to all that is open or to the question with a number."""
    return any(one.word == "yes" for one in words.commands)


def _beside_yes(game: AnyGame, state: Any, words: Words) -> tuple[Doubt, ...]:
    """What stands beside a `yes` and is no courtesy."""
    said = tuple(dict.fromkeys(words.lines()))
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


def _struck(game: AnyGame, state: Any, seat: Seat, words: Words) -> tuple[Doubt, ...]:
    """Lines of orders that are struck out, by a picture or otherwise, or another side's, whatever else they say."""
    lines = [line for line in words.lines() if any(map(str.isdigit, line))]
    struck = [Doubt(line, "correction") for line in lines if doubt.is_struck(line)]
    theirs = [Doubt(line, "other") for line in lines if doubt.names_another_side(game, seat, line)]
    crossed = [Doubt(line, how) for line in words.lines() if (how := _by_picture(game, state, line))]
    return (*struck, *theirs, *crossed)


def _by_picture(game: AnyGame, state: Any, line: str) -> Turn | None:
    return None if line.isascii() else turns_by_picture(line, orders=doubt.counts_or_names(game, state, line))


def _left_away(game: AnyGame, state: Any, seat: Seat, words: Words) -> tuple[Doubt, ...]:
    """The lines aside that read as orders or a command, or turn orders."""
    told = frozenset(worth_telling(words.aside)) if words.aside else frozenset()
    return tuple(
        Doubt(line, "aside")
        for line in words.aside
        if read_text(game, state, seat, line).orders is not None
        or _says_orders(game, state, seat, line)
        or doubt.counts_between(game, state, line)
        or in_ordinary_words(line)
        or names_command(line)
        or (line in told and doubt.turns_from_aside(game, state, line))
    )


def _says_orders(game: AnyGame, state: Any, seat: Seat, line: str) -> bool:
    """Whether a line aside is explained, and more than a name or initials: those of areas sign letters, too."""
    said = _explained(game, state, line)
    clauses = reads_clauses(game)
    if not (said and clauses):
        return False
    *before, name = said.split(",")
    signs = _SIGNED.fullmatch(name) and all(map(doubt.is_kind, before))
    return not signs or bool(clauses.readings(state, seat, [said]))


def _beside(
    game: AnyGame, state: Any, words: Words, remarks: Sequence[str], attempts: Sequence[str]
) -> tuple[Doubt, ...]:
    """The remarks that turn the orders, each with how it does; a broken line with those that it was broken into."""
    found, closed = list[Doubt](), False
    above = _above(words, attempts)
    for line in joined(remarks, commas=False):
        how = doubt.turned(game, state, line, words.match, above=line in above)
        how = how or ("unread" if holds_command(line) else None)
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
        return Reading(doubts=doubts, readings=_ways(seat, lines, doubts), remarks=left)
    if not reading.mistakes:
        unread = [one for one in reading.remarks if _is_of_orders(game, state, one)]
        asked = [Doubt(one, "condition" if doubt.turns(one) == "condition" else "unread") for one in unread]
        about = (
            *(one.text for one in doubts),
            *(one for one in reading.remarks if doubt.counts_or_names(game, state, one)),
        )
        agreed = [Doubt(one, "beside yes") for one in dict.fromkeys(about) if _YES.match(one)]
        ways = () if agreed else choices(game, state, seat, reading.remarks)
        turning = [Doubt(one, how) for one in reading.remarks if ways and (how := doubt.turns(one))]
        return reading._replace(doubts=(*agreed, *(turning or asked)), readings=ways)
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
    ways = () if doubts else choices(game, state, seat, lines.attempts)
    if game.turning_words and not here and len(ways) > 1:  # though these words may stand in its orders
        here = tuple(Doubt(" ".join(line.split()), "alternative") for line in lines.attempts if doubt.turns(line))
    if not (doubts or here):
        return _unless_refused(reading, lines)
    # What turns the orders is asked about, and not shown as a mistake as well; nor can orders of another turn be any.
    elsewhere = {one.text for one in here if one.turn in ("other", "later")}
    mistakes = tuple(
        one for one in reading.mistakes if not (ways or _marks_a_turn(one) or " ".join(one.text.split()) in elsewhere)
    )
    return reading._replace(mistakes=mistakes, proposal=None, left_out=(), doubts=(*doubts, *here), readings=ways)


def _ways(seat: Seat, lines: Lines, doubts: Sequence[Doubt]) -> tuple[str, ...]:
    """What may be chosen where something turns orders that can be read: nothing if they alone are left, and others are
    named in their place."""
    game, state = lines.game, lines.state
    ways = choices(game, state, seat, [line for line in lines.text.splitlines() if line.strip()])
    if len(ways) > 1:
        return ways
    ways = offered(game, state, seat, lines.attempts)
    said = [part for one in doubts for part in doubt.sentences(one.text) if part not in ways]
    return () if len(ways) == 1 and any(says_otherwise(game, state, ways[0], one) for one in said) else ways


def _marks_a_turn(mistake: LineMistake) -> bool:
    """Whether what a mistake marks turns the orders, and is no single name within them: "3 A to Nowhere"."""
    marked = mistake.text[mistake.column : mistake.column + mistake.width]
    return (" " in marked or marked == mistake.item) and doubt.turns(marked) is not None


def _unless_refused(reading: Reading, lines: Lines) -> Reading:
    """A reading, but without its proposal if a sentence says more beside it: "2 from A to M looks bad"."""
    refused = (is_refused(lines.game, lines.state, one) for line in lines.attempts for one in doubt.sentences(line))
    return reading._replace(proposal=None, left_out=()) if reading.proposal and any(refused) else reading


def _is_of_orders(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line without orders that can be read is about some; a few words with a name may be an order, too."""
    if len(line.split()) <= _FEW and game.names_in(state, line) and not doubt.is_kind(line):
        return True
    return doubt.mentions_orders(game, state, line) or bool(_explained(game, state, line.rstrip(" .!")))


def _by_clauses(seat: Seat, words: Words, lines: Lines) -> Reading | None:
    """What sentences say that the game explains to the last word, chat aside: orders if that is one thing, else what
    they may mean; a proposal where only a few words are not known. None if more stays unexplained."""
    game, state, text = lines.game, lines.state, words.rest
    attempts = set(map(str.strip, lines.attempts))
    clauses = reads_clauses(game)
    if not clauses or len(text) > _MOST_CHARACTERS or text.count("\n") > _MOST_LINES:
        return None
    above = _above(words, lines.attempts)
    explained, chat, unknown = list[str](), list[str](), list[Doubt]()
    for sentence in sentences_of(text):
        if known := _explained(game, state, sentence.text):
            explained.append(known)
        elif some := beside(game, state, sentence.text):
            explained.append(sentence.text)
            unknown += [Doubt(word, "unknown") for word in some.words] + [Doubt(one, "unread") for one in some.remarks]
        elif not doubt.is_harmless(sentence.text) and (
            sentence.text in attempts
            or _turned(game, state, sentence, words.match, above)
            or _is_attempt(game, state, sentence.text)
        ):
            if not is_remark(game, state, sentence.text):
                return None
            unknown.append(Doubt(sentence.text, "unread"))
        else:
            chat.append(sentence.text)
    found = clauses.readings(state, seat, explained) if explained else ()
    if unknown:
        about = tuple(dict.fromkeys(unknown))
        proposal, ways = (found[0], ()) if len(found) == 1 else (None, found[:_MOST_READINGS])
        reading = Reading(proposal=proposal, readings=ways, doubts=about, remarks=tuple(chat), everyday=True)
        return reading if found else None
    if len(found) == 1:
        meant = read_text(game, state, seat, found[0])
        return Reading(meant.orders, remarks=tuple(chat), everyday=True)
    if not found:
        wrong = mistaken(game, clauses, state, seat, explained) if explained else None
        return wrong and wrong._replace(remarks=tuple(chat), everyday=True)
    doubts = tuple(Doubt(one, "unclear") for one in explained)
    return Reading(doubts=doubts, readings=found[:_MOST_READINGS], remarks=tuple(chat), everyday=True)


def _turned(game: AnyGame, state: Any, sentence: Sentence, match: str, above: frozenset[str]) -> bool:
    said = f"{sentence.text}:" if sentence.heading else sentence.text
    turned = doubt.turned(game, state, said, match, above=sentence.text in above)
    return turned is not None or holds_command(sentence.text)


def _is_attempt(game: AnyGame, state: Any, sentence: str) -> bool:
    """Whether the grammar takes a sentence for orders, good or bad."""
    return any(items for _, _, items in Lines(game, state, sentence).told_apart())


def _explained(game: AnyGame, state: Any, sentence: str) -> str:
    """A sentence that the game explains, without the courtesies between its commas; "" if it does not."""
    sentence = FACE.sub(" ", sentence).strip()
    clauses = reads_clauses(game)
    if not clauses:
        return ""
    if clauses.explains(state, sentence):
        return sentence
    parts = sentence.split(",")
    signed = next((at for at in range(1, len(parts)) if _is_kind(game, state, ",".join(parts[at:]))), len(parts))
    kept = [part for part in parts[:signed] if not _is_kind(game, state, part)]
    rest = ",".join(kept).strip()
    if len(kept) < len(parts) and rest and clauses.explains(state, rest):
        return rest
    return without_chat(game, state, sentence, partial(clauses.explains, state))


def _is_kind(game: AnyGame, state: Any, part: str) -> bool:
    """Whether what stands between commas is greetings or thanks, without anything that orders are about."""
    return doubt.is_kind(part) and not game.names_in(state, f"x {part}") and not game.is_about(state, part.casefold())
