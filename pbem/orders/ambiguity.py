"""The decision whether a line beside orders is chat, may change the orders, or overturns them so that nothing in the
letter stands.

A trained model (`classifier.py`) computes the likelihood that the line changes the orders. A line is never ignored if
it contains a name used in the game, or if it is short and contains a number or a hard word (`[hard]` in
`ambiguity.toml`). When the desk asks about a line, it quotes the line without giving a reason, because the reason may
be wrong.
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
    "turned", "unread", "unsure", "twice", "two sets", "another turn", "lasting", "aside", "half",
    "subject", "beside yes",
]  # fmt: skip
"""The reason why a line is in doubt.

"turned": the line overturns the orders. "unread": the line may be orders that the program could not read. "unsure": the
same, but the orders that the desk proposes stand only if the writer confirms them with a `yes`. "twice": the same move
appears on two lines. "two sets": there are other orders for the same later turn above. "another turn": it is unclear
which turn is meant. "lasting": the line contains standing orders but is for a later turn. "aside": the line is in a
place for signatures and quotes. "half": the line appears in only one form of the letter, text or HTML. "subject": the
line is the subject of the letter. "beside yes": the line comes together with a `yes`.
"""

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

_NAMES = 3  # the maximum number of names beside greetings and thanks
_COUNTED = 4  # the maximum number of words in a sentence in which a number may count pieces
_FEW = 5  # the maximum number of words in a line in which a single hard word or negation is decisive
_LINK = re.compile(r"(?:https?://|mailto:)\S+|[^\s@,;]{0,64}\w@\w[\w.-]{0,80}\.\w+", re.I)
_NUMBER = re.compile(r"(?<![\w.,:/€$%-])\d{1,2}(?![\d.,:/]*\d)(?! ?(?:€|%|°|:))")
_MATCH = re.compile(r"\b[a-z]{2,8}-\d{1,9}\b")
_STRUCK = re.compile(r"\s*([-~=])\1*(?=[^\s>-]).*\w ?\1+\s*")
_STARRED = re.compile(r"\s*(?:\*\s?[^\s*]+(?: [^\s*]+)?|[^\s*]+(?: [^\s*]+)? ?\*)\s*")
_ONLY_SIGNS = re.compile(r"[^\w?]*|[^\w]*[:;=]['-]?[()dpo3]+\W*", re.I)
_INITIAL = re.compile(r"[A-Z]\.?")  # for example "M."
_SIGNATURE = re.compile(r"(?:[A-Z]\. ?)+[A-Z][a-z'’-]{2,}")  # for example "H. B. Miller"
_SIGNED = re.compile(r"[,.!] *[A-Z]\.? *$")  # for example "See you, M."
FACE = re.compile(
    r"(?<![^\s.!?,])[:;=]['-]?[()DP](?!\w)[()]*"
    r"|(?:(?![💣🔀-🔄🔙-🔟🔴🔵🟠-🟫])[☺-❵\U0001F300-\U0001FAFF][\uFE0E\uFE0F\u200D]*)+"
)
"""A pattern for smileys, and for emoji other than arrows, numbers, bombs and the colours of sides. The smileys and
emoji that it matches add nothing to orders."""


Place = Literal["beside", "among", "alone"]
"""The place of a line: "beside" orders in notation, "among" everyday sentences that may be orders, or "alone" in a
letter without any orders."""


class Doubt(NamedTuple):
    """Words of a letter that cast doubt on its orders: the `text` as written, and the reason for the doubt."""

    text: str
    turn: Turn


@cache
def phrases(table: str, kind: str) -> tuple[str, ...]:
    """Return the phrases for `kind` from the table `table` of `ambiguity.toml`, in all languages, folded by `fold`."""
    files = [read_toml(resource("locale") / code / "ambiguity.toml") for code in words.codes()]
    return tuple(dict.fromkeys(fold(text) for file in files for text in file.get(table, {}).get(kind, ())))


@cache
def pattern(table: str, kind: str) -> re.Pattern[str]:
    """Return a pattern that finds the phrases for `kind` from the table `table` (see `phrases`) in folded text. It does
    not match parts of words."""
    return re.compile(rf"(?<![\w'-]){alternatives(phrases(table, kind))}(?![\w'-])")


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Return `text` in the form in which words are looked up: folded, with plain apostrophes."""
    return fold(text.replace("’", "'"))


# The effect of a line on the orders beside it


def verdict(situation: AnySituation, line: str, name: str = "", *, place: Place = "among") -> Verdict:
    """Return the effect of `line` on the orders beside it or, if `place` is "alone", on the orders that already stand.

    `name` is the name of the match, which does not count as a mention of another match.
    """
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
    """Return `text` with a blank in place of each web or mail address."""
    return _LINK.sub(" ", text)


def is_chat_within(situation: AnySituation, text: str) -> bool:
    """Return whether `text`, a part of a sentence that also contains orders, is chat.

    It is chat if it is a greeting, or if it has several words of a known language and the classifier takes it for chat.
    If it contains a hard word or anything that orders are about, it is never chat.
    """
    if counts_or_names(situation, text) or is_hard(text):
        return False
    prose = len(WORD.findall(text)) > 1 and classifier.is_known_language(text)
    return is_greeting(text) or (prose and verdict(situation, text) == "chat")


def hard_words(text: str) -> list[re.Match[str]]:
    """Return the matches of all hard words in `text`, from first to last. `text` must be folded. Hard words are never
    ignored beside orders."""
    hits = (hit for kind in ("words", "conditions") for hit in pattern("hard", kind).finditer(text))
    return sorted(hits, key=lambda hit: hit.start())


def is_starred(line: str) -> bool:
    """Return whether `line` consists of one or two words with an asterisk, as in "*Wyvernia", which is how people
    correct what they wrote before."""
    return _STARRED.fullmatch(line) is not None


def is_hard(text: str, *, conditions: bool = True) -> bool:
    """Return whether `text` contains a word or picture that is never ignored beside orders. Weaker words, such as "if"
    and "not", count only if `conditions` is true."""
    folded_text = folded(text)
    hard = pattern("hard", "words").search(folded_text) or (
        conditions and pattern("hard", "conditions").search(folded_text)
    )
    return bool(hard) or has_picture(text)


def is_hard_above_all(text: str) -> bool:
    """Return whether a hard word or a picture decides what `text` means.

    It does if `text` contains a picture that overturns orders, or if `text` is only a few words long and one of these
    is hard, such as "Never" above an order.
    """
    return has_picture(text) or (len(WORD.findall(text)) <= _FEW and is_hard(text))


def turns(text: str, *, conditions: bool = True) -> bool:
    """Return whether `text`, which is within orders but is not an order itself, may overturn the orders.

    Weaker words, such as "if" and "not", and numbers written as words count only if `conditions` is true.
    """
    if "?" in text or is_hard(text, conditions=conditions):
        return True
    return conditions and pattern("numbers", "words").search(folded(text)) is not None


@cache
def _pictures() -> frozenset[str]:
    return frozenset(sign for text in phrases("hard", "pictures") for sign in text if not sign.isascii())


def has_picture(text: str) -> bool:
    """Return whether `text` contains a picture (an emoji) that overturns orders in the way that words can."""
    return not text.isascii() and not _pictures().isdisjoint(text)


def names_another_side(standpoint: AnyStandpoint, text: str) -> bool:
    """Return whether `text` contains the name of a side other than the writer's own."""
    sides, own = _sides(standpoint.game.grammar.parent), standpoint.seat
    return any(sides.get(word, own) != own for word in WORD.findall(folded(text)))


@cache
def _sides(folder: Path) -> Mapping[str, Seat]:
    """Return a mapping from folded names to the sides of the game in `folder`."""
    return {fold(name): side for side, names in words_in(folder, "sides").items() for name in names}


def is_struck_out(line: str) -> bool:
    """Return whether `line` is between marks that strike it out, as in "--3 A to M--"."""
    return _STRUCK.fullmatch(line) is not None


def counts_or_names(situation: AnySituation, text: str) -> bool:
    """Return whether `text` contains a number that may count pieces, or a name or verb used in the game."""
    return bool(numbers_in(text) or situation.names_within(text) or situation.is_about(folded(text)))


def negates(text: str) -> bool:
    """Return whether `text` contains a negation, such as "keine" in "keine Bombe auf EC" ("no bomb on EC")."""
    return not _negating().isdisjoint(WORD.findall(folded(text).replace("'", "")))


def negates_above_all(text: str) -> bool:
    """Return whether `text` consists of only a few words, one of which is a negation, such as "don't do it"."""
    return negates(text) and len(WORD.findall(text)) <= _FEW


@cache
def _negating() -> frozenset[str]:
    return frozenset(map(fold, words.words("around", "negating")))


def numbers_in(text: str) -> tuple[str, ...]:
    """Return the numbers in `text` that may count pieces: first those in digits, then the words for numbers, folded."""
    folded_text = folded(text)
    counted = (*_NUMBER.finditer(folded_text), *pattern("numbers", "words").finditer(folded_text))
    return tuple(match[0] for match in counted)


def mentions_orders(situation: AnySituation, line: str) -> bool:
    """Return whether `line`, which is not next to any orders, may be meant as orders.

    It may be if it contains a verb used in the game, two names, or one name together with a number or a word that
    overturns orders.
    """
    folded_line, named = folded(line), set(situation.names_in(line))
    counted = _NUMBER.search(folded_line) or pattern("numbers", "words").search(folded_line)
    turned = len(named) > 1 or (named and (counted or is_hard(line)))
    return not is_greeting(line) and (situation.is_about(folded_line) or bool(turned))


def counts_between(situation: AnySituation, line: str) -> bool:
    """Return whether `line` contains a number that may count pieces, and two names, as in "Sent from A to M: 3"."""
    return bool(_NUMBER.search(folded(line))) and len(set(situation.names_in(line))) > 1


def _counts(line: str) -> bool:
    """Return whether `line` is short and contains a number that may count pieces, as in `2*` or `3 -> 2`."""
    folded_line = folded(line)
    length = len(WORD.findall(folded_line))
    counted = length <= _COUNTED and _NUMBER.search(folded_line)
    return bool(counted or (length <= _COUNTED // 2 and pattern("numbers", "words").search(folded_line)))


def _may_be_orders(situation: AnySituation, line: str) -> bool:
    """Return whether `line` contains two names used in the game, or one such name and a number."""
    names = set(situation.names_within(line))
    return len(names) > 1 or bool(names and _NUMBER.search(folded(line)))


def _unsigned(text: str) -> str:
    """Return `text` without an initial at its end that may be a signature."""
    return text[: signature.start()] if (signature := _SIGNED.search(text)) else text


# Courtesies, and words for "also"


@lru_cache(maxsize=64)
def is_courtesy(line: str) -> bool:
    """Return whether `line` consists only of greetings, thanks, good wishes and names. Such a line may accompany a
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
    """Return the folded names of days and months, which begin with a capital letter but are not names of people."""
    return frozenset().union(*words.folded_rows("weekdays"), *words.folded_rows("months"))


def is_greeting(line: str) -> bool:
    """Return whether `line` consists only of words of greeting or thanks, perhaps with names."""
    return pattern("courtesy", "words").search(folded(line)) is not None and is_courtesy(line)


def adds(text: str, *, alone: bool = False) -> bool:
    """Return whether the orders in `text` are to be added to the orders that already stand.

    They are if the first line after any greeting begins with a word such as "also". If `text` contains only a single
    order (`alone`), the word may be anywhere in that line.
    """
    first = folded(next((line for line in text.splitlines() if line.strip() and not is_greeting(line)), ""))
    return _adding().match(first) is not None or (alone and _adding_inside().search(first) is not None)


def without_adding(lines: Sequence[str]) -> str:
    """Return the only line in `lines` that is not a courtesy, without its words for "also", such as "I'd also like to".

    Return "" if that line has no such words, or if `lines` does not contain exactly one such line.
    """
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
