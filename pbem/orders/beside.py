"""Lines beside orders in notation: whether a line leaves the orders unchanged, and to whom it is addressed.

Orders in notation already show what their writer wants. The program therefore first checks whether a line beside them
is a message to another player, a question, or a refusal of something that was not ordered. All other lines are left to
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
_HEAD = 7  # the maximum number of words before a colon that can name the addressee of a message
_STEM = 4  # the number of leading letters that all forms of a word share
_CODE = 3  # the minimum length of a code with which a word for the same thing begins: MAY, Mayor
_PEOPLE = 5  # the number of leading letters that all forms of a word such as "opponent" share
_TO = re.compile(rf"\W*(?:{pattern('around', 'to_people')}\W+(?:{pattern('around', 'articles')}\W+)?)?", re.I)
_NOTATION = re.compile(r"[>→=]|\w: *\w")  # signs of notation that the grammar does not accept: "Attack: Rook > Bao"
_CLAUSE = re.compile(r"[,;–—]")
_NEGATING = frozenset(map(fold, (*words("around", "negating"), "no", *words("commands", "no"))))
_NAME = re.compile(r"(?<=[\w,:] )[A-ZА-ЯЁÄÖÜ][^\W\d_]+,? [A-ZА-ЯЁÄÖÜ][^\W\d_]+")  # "Herku Regiment"


def verdict(standpoint: AnyStandpoint, letter: LetterText, line: str, orders: str) -> Verdict:
    """Return the effect of `line` on the orders in notation beside it. `orders` is the text of these orders, as
    written, in canonical form, or both."""
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
    # A question that names two things, or a thing that the orders name, may be about the orders.
    named = set(standpoint.names_within(line))
    is_certain = len(named) <= 1 and named.isdisjoint(WORD.findall(orders.replace("-", " ")))
    is_question = is_certain and asks(line)
    if is_question or (is_mention and judgement == "perhaps" and not is_hard(line)):
        return classifier.verdict_on_question(classifier.likelihood(classifier.without_names(standpoint, line)))
    return judgement


def may_be_prose(line: str) -> bool:
    """Return whether `line` looks like a sentence of a known language rather than like orders.

    It must have several words, no signs of notation, and no two capitalised words in a row.
    """
    return (
        len(WORD.findall(line)) >= _PROSE
        and not is_like_notation(line)
        and not _NAME.search(line)
        and classifier.is_known_language(line)
    )


def is_like_notation(line: str) -> bool:
    """Return whether `line` has a sign of notation, such as an arrow or a colon between words."""
    return _NOTATION.search(line) is not None


def asks(line: str) -> bool:
    """Return whether `line` asks something and is too long to be a courtesy or a question about the orders beside
    it."""
    return len(WORD.findall(line)) > _SHORT and classifier.asks(line) and classifier.is_known_language(line)


def names_of_others(people: Iterable[tuple[str, Seat]], seat: Seat) -> tuple[str, ...]:
    """Return the folded names of all `people` except the one who holds `seat`."""
    return tuple(fold(name) for name, bearer in people if name and bearer != seat)


def mentions(line: str, others: Sequence[str]) -> bool:
    """Return whether `line` mentions another player, either by one of the names in `others` or by a word such as
    "opponent"."""
    return any(_is_other(word, others) for word in WORD.findall(line))


def is_addressed(line: str, others: Sequence[str]) -> bool:
    """Return whether `line` begins by addressing one of the players in `others`: `Bob, ...`, `for Bob ...`, `please
    tell Bob: ...`."""
    begun = _TO.match(line)
    word = WORD.match(line, begun.end() if begun else 0)
    return (word is not None and _is_other(word[0], others)) or _message_in(line, others) != line


def _message_in(line: str, others: Sequence[str]) -> str:
    """Return `line` without the words before a colon that name its addressee, as in `for Bob: ...`. Return any other
    line unchanged."""
    head, _, message = line.partition(":")
    is_heading = len(head.split()) <= _HEAD and mentions(head, others) and not is_hard(head)
    return message.strip() if message.strip() and is_heading else line


def _is_other(word: str, others: Sequence[str]) -> bool:
    folded = fold(word.split("-", maxsplit=1)[0].removesuffix("'s").removesuffix("’s"))
    if any(is_of(spelt_in_latin(folded), name) or is_of(folded, name) for name in others):
        return True
    return any(len(name) >= _PEOPLE and folded.startswith(name[:_PEOPLE]) for name in words("around", "opponents"))


def refuses_something_else(situation: AnySituation, line: str, orders: str) -> bool:
    """Return whether `line` refuses something that `orders` do not contain, such as `no bomb` beside orders without a
    bomb."""
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
    """Return whether `line` contains a hard word (see `ambiguity`) other than a negation."""
    hits = (hit[0].replace("'", "") for hit in ambiguity.hard_words(ambiguity.folded(line)))
    return any(hit not in _NEGATING for hit in hits)
