"""Lines beside orders in notation: whether they leave the orders as they are, and whom they are for.

Orders in notation say what their writer wants, so a line beside them is judged by what it may be in that place: words
for another player, a question, or a refusal of something that was not ordered. Only what is none of these is left to
the classifier alone.
"""

import re
from collections.abc import Iterable, Sequence

from pbem.games.base import Seat
from pbem.i18n.words import fold, pattern, words
from pbem.orders import ambiguity, classifier
from pbem.orders.ambiguity import WORD
from pbem.orders.classifier import Verdict
from pbem.orders.command import LetterText
from pbem.orders.intents import is_of, spelt_in_latin
from pbem.orders.situation import AnySituation, AnyStandpoint

_SHORT = 4  # a question of at most this many words is about the orders beside it: "or rather 3?", "legal?"
_PROSE = 5  # a line with fewer words may be an incomplete order
_HEAD = 7  # the largest number of words before a colon that can say whom a message is for
_STEM = 4  # the number of leading letters that forms of a word share
_CODE = 3  # the fewest letters of a code that begins the word for the same thing: MAY, Mayor
_PEOPLE = 5  # the same for words such as "opponent"
_TO = re.compile(rf"\W*(?:{pattern('around', 'to_people')}\W+(?:{pattern('around', 'articles')}\W+)?)?", re.I)
_NOTATION = re.compile(r"[>→=]|\w: *\w")  # signs of notation that the grammar does not accept: "Attack: Rook > Bao"
_CLAUSE = re.compile(r"[,;–—]")
_NEGATING = frozenset(map(fold, (*words("around", "negating"), "no", *words("commands", "no"))))
_NAME = re.compile(r"(?<=[\w,:] )[A-ZА-ЯЁÄÖÜ][^\W\d_]+,? [A-ZА-ЯЁÄÖÜ][^\W\d_]+")  # Herku Regiment


def verdict(standpoint: AnyStandpoint, letter: LetterText, line: str, orders: str) -> Verdict:
    """Return the effect of a line on the `orders` in notation beside it, given as written and in canonical form."""
    others = names_of_others(letter.people, standpoint.seat)
    is_mention = mentions(line, others)
    line = _message_in(line, others)
    rest = [one for one in classifier.sentences(line) if not refuses_something_else(standpoint, one, orders)]
    if len(rest) < len([*classifier.sentences(line)]):
        line = " ".join(rest)
    if not line:
        return "chat"
    judgement = ambiguity.verdict(standpoint, line, letter.match, place="beside")
    if "?" not in line and _NOTATION.search(ambiguity.without_links(line)):
        return "perhaps" if judgement == "chat" else judgement
    # A question that names two things, or one of the orders, may be about the orders.
    named = set(standpoint.names_within(line))
    is_certain = len(named) <= 1 and named.isdisjoint(WORD.findall(orders.replace("-", " ")))
    is_question = is_certain and asks(line)
    if is_question or (is_mention and judgement == "perhaps" and not is_hard(line)):
        return classifier.verdict_on_question(classifier.likelihood(classifier.without_names(standpoint, line)))
    return judgement


def may_be_prose(line: str) -> bool:
    """Return whether a line looks like a sentence of a known language rather than like orders: it has no sign of
    notation and no two names in a row."""
    return (
        len(WORD.findall(line)) >= _PROSE
        and not _NOTATION.search(line)
        and not _NAME.search(line)
        and classifier.is_known_language(line)
    )


def asks(line: str) -> bool:
    """Return whether a line asks something, and is too long to ask about the orders beside it or to be a courtesy."""
    return len(WORD.findall(line)) > _SHORT and classifier.asks(line) and classifier.is_known_language(line)


def names_of_others(people: Iterable[tuple[str, Seat]], seat: Seat) -> tuple[str, ...]:
    """Return the names by which the other players are called, in folded form."""
    return tuple(fold(name) for name, bearer in people if name and bearer != seat)


def mentions(line: str, others: Sequence[str]) -> bool:
    """Return whether a line mentions another player, by name or as the opponent."""
    return any(_is_other(word, others) for word in WORD.findall(line))


def is_addressed(line: str, others: Sequence[str]) -> bool:
    """Return whether a line begins by addressing another player: `Bob, ...`, `for Bob ...`, `please tell Bob: ...`."""
    begun = _TO.match(line)
    word = WORD.match(line, begun.end() if begun else 0)
    return (word is not None and _is_other(word[0], others)) or _message_in(line, others) != line


def _message_in(line: str, others: Sequence[str]) -> str:
    """Return a line without the words before a colon that say whom it is for: `for Bob: ...`."""
    head, _, message = line.partition(":")
    is_heading = len(head.split()) <= _HEAD and mentions(head, others) and not is_hard(head)
    return message.strip() if message.strip() and is_heading else line


def _is_other(word: str, others: Sequence[str]) -> bool:
    folded = fold(word.split("-", maxsplit=1)[0].removesuffix("'s").removesuffix("’s"))
    if any(is_of(spelt_in_latin(folded), name) or is_of(folded, name) for name in others):
        return True
    return any(len(name) >= _PEOPLE and folded.startswith(name[:_PEOPLE]) for name in words("around", "opponents"))


def refuses_something_else(situation: AnySituation, line: str, orders: str) -> bool:
    """Return whether a line says that something is not to happen which the orders do not contain anyway: `no bomb`."""
    clauses = [one for one in _CLAUSE.split(line) if not _NEGATING.isdisjoint(_spoken(one))]
    if len(clauses) > 1:
        return all(refuses_something_else(situation, one, orders) for one in clauses)
    spoken = _spoken(line)
    if _NEGATING.isdisjoint(spoken) or is_hard(line) or "?" in line:
        return False
    ordered = spelt_in_latin(fold(orders))
    named = (name for name in situation.names_within(line) if len(name) > 1 or name.isupper())
    names = [spelt_in_latin(fold(name)) for name in named]
    verbs = [spelt_in_latin(word) for word in spoken if situation.is_about(word)]
    if not verbs or any(char.isdigit() for char in line):
        return False
    codes = tuple(word for word in WORD.findall(ordered) if len(word) >= _CODE)
    return not any(re.search(rf"(?<!\w){re.escape(name[:1])}", ordered) for name in names) and not any(
        verb[:_STEM] in ordered or verb.startswith(codes) for verb in verbs
    )


def _spoken(text: str) -> list[str]:
    return WORD.findall(ambiguity.folded(text).replace("'", ""))


def is_hard(line: str) -> bool:
    """Return whether a line has a hard word other than one that merely negates."""
    hits = (hit[0].replace("'", "") for hit in ambiguity.hard_words(ambiguity.folded(line)))
    return any(hit not in _NEGATING for hit in hits)
