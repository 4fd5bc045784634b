"""The decision whether a line beside orders is chat, may change them, or overturns them so that nothing in the letter
stands.

A trained model gives the likelihood (`classifier.py`). A short line with a hard word (`[hard]` of `ambiguity.toml`), a
name of the game or a number is never ignored. The desk quotes the line to its writer without saying why it asks,
because the reason may be wrong.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pbem.games.base import Seat
from pbem.games.words import words_in
from pbem.i18n import words
from pbem.i18n.words import alternatives, fold
from pbem.orders import classifier
from pbem.orders.classifier import Verdict
from pbem.orders.situation import AnySituation, AnyStandpoint
from pbem.resources import read_toml, resource

Turn = Literal[
    "turned", "unread", "unknown", "twice", "another turn", "lasting", "aside", "half", "subject", "beside yes"
]  # fmt: skip
"""The reason why a line is in doubt. "turned": it overturns the orders; "unread": it may be orders that we could not
read; "unknown": it is an unknown word within orders; "twice": the same move appears on two lines; "another turn": it is
unclear which turn is meant; "lasting": it holds standing orders, but is for a later turn; "aside": it is in a place for
signatures and quotes; "half": it appears in only one form of the letter, text or HTML; "subject": it is the subject of
the letter; "beside yes": it comes with a `yes`."""

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

_NAMES = 3  # the maximum number of names beside greetings and thanks
_COUNTED = 4  # the maximum number of words in a sentence whose number may count pieces
_FEW = 5  # the maximum number of words in a line in which a hard word decides
_LINK = re.compile(r"(?:https?://|mailto:)\S+|[^\s@,;]{0,64}\w@\w[\w.-]{0,80}\.\w+", re.I)
_NUMBER = re.compile(r"(?<![\w.,:/€$%-])\d{1,2}(?![\d.,:/]*\d)(?! ?(?:€|%|°|:))")
_MATCH = re.compile(r"\b[a-z]{2,8}-\d{1,9}\b")
_STRUCK = re.compile(r"\s*([-~=])\1*(?=[^\s>-]).*\w ?\1+\s*")
_STARRED = re.compile(r"\s*(?:\*\s?[^\s*]+(?: [^\s*]+)?|[^\s*]+(?: [^\s*]+)? ?\*)\s*")
_ONLY_SIGNS = re.compile(r"[^\w?]*|[^\w]*[:;=]['-]?[()dpo3]+\W*", re.I)
_INITIAL = re.compile(r"[A-Z]\.?")  # M.
_SIGNATURE = re.compile(r"(?:[A-Z]\. ?)+[A-Z][a-z'’-]{2,}")  # H. B. Miller
_SIGNED = re.compile(r"[,.!] *[A-Z]\.? *$")  # ..., M.
FACE = re.compile(
    r"(?<![^\s.!?,])[:;=]['-]?[()DP](?!\w)[()]*"
    r"|(?:(?![💣🔀-🔄🔙-🔟🔴🔵🟠-🟫])[☺-❵\U0001F300-\U0001FAFF][\uFE0E\uFE0F\u200D]*)+"
)
"""A pattern for a smiley, or a picture other than an arrow, a number, a bomb or a side's colour. None of these adds
anything to orders."""


Place = Literal["beside", "among", "alone"]
"""Where a line stands: beside orders in notation, among everyday sentences that may be orders, or in a letter without
any orders."""


class Doubt(NamedTuple):
    """Words of a letter that may overturn its orders, as written, and why they are in doubt."""

    text: str
    turn: Turn


@cache
def phrases(table: str, kind: str) -> tuple[str, ...]:
    """Return the phrases for a kind of word in all languages, in the form that `fold` gives them."""
    files = [read_toml(resource("locale") / code / "ambiguity.toml") for code in words.codes()]
    return tuple(dict.fromkeys(fold(text) for file in files for text in file.get(table, {}).get(kind, ())))


@cache
def pattern(table: str, kind: str) -> re.Pattern[str]:
    """Return a pattern that finds words of a kind as whole words in folded text."""
    return re.compile(rf"(?<![\w'-]){alternatives(phrases(table, kind))}(?![\w'-])")


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Return a text in the form in which words are looked up: folded, with plain apostrophes."""
    return fold(text.replace("’", "'"))


# The effect of a line on the orders beside it


def verdict(situation: AnySituation, line: str, name: str = "", *, place: Place = "among") -> Verdict:
    """Return the effect of a line on the orders beside it, or on those that stand if it is alone. The name of the match
    itself, `name`, does not count as a mention of another match."""
    text = without_links(line.replace(name, " ") if name else line).strip()
    named = bool(situation.names_within(_unsigned(text)))
    if (is_greeting(text) and not named) or (_ONLY_SIGNS.fullmatch(text) and "?" not in text and not has_picture(text)):
        return "chat"
    if _INITIAL.fullmatch(text) or _SIGNATURE.fullmatch(text):
        return "chat"
    if not any(map(str.isalnum, text)):
        return "turned"  # "?"
    sides, courteous = _sides(situation.game.grammar.parent), not named and is_courtesy(text)
    if courteous and folded(text).strip(" .") in sides:
        return "chat"  # a signature
    likely = classifier.likelihood(classifier.without_names(situation, text))
    if courteous and classifier.verdict(likely, hard=True) != "turned":
        return "chat"
    hard = is_hard_above_all(text) if place == "beside" else is_hard(text)
    judgement = classifier.verdict(likely, hard=hard)
    if place == "alone" and classifier.verdict(likely, hard=True) == "turned":
        judgement = "turned"
    matches = (match_name for match_name in _MATCH.findall(folded(text)) if match_name != name)
    if any(match_name.startswith(f"{situation.game.short}-") for match_name in matches):
        return "perhaps" if judgement == "chat" else "turned"
    if _may_be_orders(situation, text):
        return "turned"
    asks = (
        named
        or situation.is_about(folded(text))
        or _counts(text)
        or ("?" in text and not classifier.is_known_language(text))
    )
    return "perhaps" if judgement == "chat" and asks else judgement


def without_links(text: str) -> str:
    """Return a text without web and mail addresses."""
    return _LINK.sub(" ", text)


def is_chat_within(situation: AnySituation, text: str) -> bool:
    """Return whether words in the same sentence as orders are chat.

    They are chat if they are a greeting, or more than one word of a known language, and contain nothing that orders are
    about.
    """
    if counts_or_names(situation, text) or is_hard(text):
        return False
    prose = len(WORD.findall(text)) > 1 and classifier.is_known_language(text)
    return is_greeting(text) or (prose and verdict(situation, text) == "chat")


def hard_words(text: str) -> list[re.Match[str]]:
    """Return the matches, in folded text, of words that are never ignored."""
    hits = (hit for kind in ("words", "conditions") for hit in pattern("hard", kind).finditer(text))
    return sorted(hits, key=lambda hit: hit.start())


def is_starred(line: str) -> bool:
    """Return whether a line is a word or two with an asterisk, which is how people correct what they wrote:
    "*Wyvernia"."""
    return _STARRED.fullmatch(line) is not None


def is_hard(text: str, *, conditions: bool = True) -> bool:
    """Return whether a text contains a word or picture that is never ignored beside orders."""
    folded_text = folded(text)
    hard = pattern("hard", "words").search(folded_text) or (
        conditions and pattern("hard", "conditions").search(folded_text)
    )
    return bool(hard) or has_picture(text)


def is_hard_above_all(text: str) -> bool:
    """Return whether a hard word or picture decides what a text means: it has a picture that overturns orders, or only
    a few words, such as "Never" above an order."""
    return has_picture(text) or (len(WORD.findall(text)) <= _FEW and is_hard(text))


def turns(text: str, *, conditions: bool = True) -> bool:
    """Return whether words that appear within orders, but are not orders themselves, may overturn them."""
    if "?" in text or is_hard(text, conditions=conditions):
        return True
    return conditions and pattern("numbers", "words").search(folded(text)) is not None


@cache
def _pictures() -> frozenset[str]:
    return frozenset(sign for text in phrases("hard", "pictures") for sign in text if not sign.isascii())


def has_picture(text: str) -> bool:
    """Return whether a text contains a picture that overturns orders in the way that words can."""
    return not text.isascii() and not _pictures().isdisjoint(text)


def names_another_side(standpoint: AnyStandpoint, text: str) -> bool:
    """Return whether a text contains the name of a side other than the writer's own."""
    sides, own = _sides(standpoint.game.grammar.parent), standpoint.seat
    return any(sides.get(word, own) != own for word in WORD.findall(folded(text)))


@cache
def _sides(folder: Path) -> Mapping[str, Seat]:
    """Return the sides of a game by each of their names in folded form."""
    return {fold(name): side for side, names in words_in(folder, "sides").items() for name in names}


def is_struck_out(line: str) -> bool:
    """Return whether a line is between marks that strike it out."""
    return _STRUCK.fullmatch(line) is not None


def counts_or_names(situation: AnySituation, text: str) -> bool:
    """Return whether a text contains a number of pieces, or a name or verb of the game."""
    return bool(numbers_in(text) or situation.names_within(text) or situation.is_about(folded(text)))


def negates(text: str) -> bool:
    """Return whether a text says that something is not to happen: "keine Bombe auf EC"."""
    return not _negating().isdisjoint(WORD.findall(folded(text).replace("'", "")))


@cache
def _negating() -> frozenset[str]:
    return frozenset(map(fold, words.words("around", "negating")))


def numbers_in(text: str) -> tuple[str, ...]:
    """Return the numbers of pieces in a text, in digits or words."""
    folded_text = folded(text)
    counted = (*_NUMBER.finditer(folded_text), *pattern("numbers", "words").finditer(folded_text))
    return tuple(match[0] for match in counted)


def mentions_orders(situation: AnySituation, line: str) -> bool:
    """Return whether a line that is not next to any orders may be meant as orders: it contains a verb of the game, two
    names, or a name beside a number or a word that overturns orders."""
    folded_line, named = folded(line), set(situation.names_in(line))
    counted = _NUMBER.search(folded_line) or pattern("numbers", "words").search(folded_line)
    turned = len(named) > 1 or (named and (counted or is_hard(line)))
    return not is_greeting(line) and (situation.is_about(folded_line) or bool(turned))


def counts_between(situation: AnySituation, line: str) -> bool:
    """Return whether a line contains a number of pieces and two names: "Sent from A to M: 3"."""
    return bool(_NUMBER.search(folded(line))) and len(set(situation.names_in(line))) > 1


def _counts(line: str) -> bool:
    """Return whether a short line contains a number that may count pieces: `2*`, `3 -> 2`."""
    folded_line = folded(line)
    length = len(WORD.findall(folded_line))
    counted = length <= _COUNTED and _NUMBER.search(folded_line)
    return bool(counted or (length <= _COUNTED // 2 and pattern("numbers", "words").search(folded_line)))


def _may_be_orders(situation: AnySituation, line: str) -> bool:
    """Return whether a line contains two names of the game, or one beside a number."""
    names = set(situation.names_within(line))
    return len(names) > 1 or bool(names and _NUMBER.search(folded(line)))


def _unsigned(text: str) -> str:
    """Return a text without any initials that sign it at its end."""
    return text[: signature.start()] if (signature := _SIGNED.search(text)) else text


# Courtesies, and words for "also"


@lru_cache(maxsize=64)
def is_courtesy(line: str) -> bool:
    """Return whether a line consists only of greetings, thanks, good wishes and names, so that it may accompany a
    `yes`."""
    folded_line = folded(line)
    if _ONLY_SIGNS.fullmatch(folded_line) and "?" not in folded_line:
        return True
    rest = WORD.findall(pattern("courtesy", "words").sub(" ", folded_line))
    if len(rest) > _NAMES or "?" in line or any(map(str.isdigit, line)) or is_hard(" ".join(rest)):
        return False
    names = {fold(word) for word in WORD.findall(line) if word[:1].isupper()}
    return names.issuperset(rest) and not _no_names().intersection(rest)


@cache
def _no_names() -> frozenset[str]:
    """Return words with a capital letter that are not names of people: days and months."""
    return frozenset().union(*words.folded_rows("weekdays"), *words.folded_rows("months"))


def is_greeting(line: str) -> bool:
    """Return whether a line consists of a word of greeting or thanks and, at most, names."""
    return pattern("courtesy", "words").search(folded(line)) is not None and is_courtesy(line)


def adds(text: str, *, alone: bool = False) -> bool:
    """Return whether the orders of a text are to be added to those that stand.

    They are if the first line after any greeting begins with a word such as "also". If there is only a single order
    (`alone`), the word may be anywhere in that line.
    """
    first = folded(next((line for line in text.splitlines() if line.strip() and not is_greeting(line)), ""))
    return _adding().match(first) is not None or (alone and _adding_inside().search(first) is not None)


def without_adding(lines: Sequence[str]) -> str:
    """Return the only line of a letter that is not a courtesy, without its words for "also", such as "I'd also like
    to"; "" if the line has no such words, or if there are several such lines."""
    rest = [line for line in lines if not is_courtesy(line)]
    if len(rest) != 1:
        return ""
    line = rest[0] if len(folded(rest[0])) == len(rest[0]) else folded(rest[0])  # folding may change the length
    begun = _adding().match(folded(line))
    without = _adding_inside().sub("", line[begun.end() :].lstrip(" :,") if begun else line)
    return "" if without == line else without


@cache
def _adding() -> re.Pattern[str]:
    return re.compile(rf"\W*{alternatives((*phrases('adds', 'words'), *phrases('adds', 'joining')))}\b")


@cache
def _adding_inside() -> re.Pattern[str]:
    inside, ending = (alternatives(phrases("adds", kind)) for kind in ("inside", "ending"))
    end = rf"(?=\W*(?:{alternatives(words.words('around', 'polite'))}\W*)?$)"
    return re.compile(rf"(?<!\w)(?:{inside}\b|{ending}\b{end})", re.I | re.M)
