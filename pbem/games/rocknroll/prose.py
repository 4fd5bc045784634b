"""Lines of a letter that are meant as orders, and lines that are prose: "Good luck, Doc was great" orders nothing.

Whoever writes of cards writes their names, too, so that a name alone is no order. A line is meant as orders if what is
read in it can be one, or if it begins as orders do and names a card, a Point or what else such a line is about.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.cursor import COMMANDS, RULES
from pbem.games.rocknroll.items import ItemPart, Line, Token, Word
from pbem.games.rocknroll.lookup import Wrong
from pbem.games.rocknroll.names import Names, kinds_of, names_of
from pbem.games.rocknroll.phrases import read_line
from pbem.patterns import compiled

_STARTS = frozenset((*COMMANDS, *RULES))
_BEHIND = frozenset(("deploy", "trade", "buy", "sell"))
_DEEDS = frozenset(COMMANDS) - {"pass", "if", "play"}
_LEADING = frozenset(("filler", "polite", "then", "and"))
_BETWEEN = frozenset(("filler", "against", "article", "own", "for", "of", "at", "to", "with", "in", "not", "stands"))
_KEYS = frozenset(
    (
        "attack",
        "feature",
        "captive",
        "deck",
        "order",
        "orders",
        "unit",
        "all",
        "always",
        "never",
        "default",
        "rd",
        "hit",
    )
    + ("missed", "mine", "enemy", "yes", "no", "torture", "execute", "recruit", "leave", "point")
)
_WISHES = frozenset(("income", "reroll", "pour", "block", "goto", "lose", "captives"))
_FORM = 4  # words and signs of an order in its plainest form
_FEW = 6  # words
_LONG = 12  # words of a remark that may be an order
_VERBS = frozenset(("goes", "against", "marches"))
_WORD = compiled(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHORT = 2  # letters


def is_attempt(cards: CardSet, items: Sequence[Any]) -> bool:
    """Whether a line of a letter is meant as orders; `items` are what could be read of it."""
    return any(not isinstance(item, Line) or not is_prose(cards, item) for item in items)


def is_prose(cards: CardSet, line: Line) -> bool:
    """Whether a line, or what stands between two full stops, says nothing that could be an order."""
    return not (_looks_like_orders(cards, line) or any(_is_order(cards, one) for one in read_line(cards, line)))


def is_about(cards: CardSet, text: str) -> bool:
    """Whether a remark, in small letters, may be an order that is not read: what a unit does, or all do at a Point."""
    words = _WORD.findall(text)
    kinds = frozenset[str]().union(*map(kinds_of, words))
    if len(words) > _LONG or kinds.isdisjoint(_DEEDS | _VERBS):
        return False
    names = names_of(cards)
    everybody = not kinds.isdisjoint(("all", "others")) and not kinds.isdisjoint(_VERBS)
    if everybody and any(map(names.is_point, words)):
        return True
    return any(len(word) > _SHORT and len(names.find(word)) == 1 for word in words)


def _is_order(cards: CardSet, found: object) -> bool:
    """Whether what was read of a line can only be an order: of "Note: thanks" and "Use force" that cannot be said."""
    if isinstance(found, Wrong):
        return found.instead is not None or found.is_deed
    names = names_of(cards)
    return all(
        names.find(word.value)
        or names.is_point(word.value)
        or kinds_of(word.value)
        or not any(map(str.isalpha, word.value))
        for word in _words(found)
    )


def _words(item: object) -> Iterator[Word]:
    """All words of an item."""
    if isinstance(item, ItemPart):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _words(part)


def _looks_like_orders(cards: CardSet, line: Line) -> bool:
    """Whether a line begins as orders do, and goes on with what they are about; or a sign stands behind a card."""
    names = names_of(cards)
    words = [token for token in line.tokens if token.type != "OTHER"]
    while words and not kinds_of(words[0].value).isdisjoint(_LEADING) and not names.find(words[0].value):
        words.pop(0)
    if not words:
        return False
    cards_said = [token for token in words if token.type == "WORD" and _is_card(names, token.value)]
    if cards_said and any(token.type == "ARROW" for token in words):
        return True
    if cards_said and _says_what_and_where(cards, words):
        return True
    starts = kinds_of(words[0].value) & _STARTS
    if _names_nothing_known(names, words, starts):
        return True
    if starts:
        return _goes_on(names, words[1:]) and not (starts == {"first"} and "of" in kinds_of(words[1].value))
    first = names.longest([token.value for token in words[:3]])
    if not first:  # a misspelt command: Depoy Johnny A
        return len(words) <= _FEW and bool(cards_said) and names.is_point(words[-1].value)
    rest = words[first:]
    if any(card in cards.orders for card in names.find(" ".join(token.value for token in words[:first]))):
        return not rest or rest[0].type == "COLON" or _goes_on(names, rest)
    return any(not kinds_of(token.value).isdisjoint(_BEHIND) for token in rest[:_FEW])


def _names_nothing_known(names: Names, words: Sequence[Token], starts: AbstractSet[str]) -> bool:
    """Whether a line has the form of an order, and yet of a card that there is not: `Deploy Godzilla A`, `Rocket: B`,
    `Income: many`."""
    if len(words) > _FORM:
        return False
    signs, last = [word.type for word in words], words[-1]
    to_a_point = names.is_point(last.value) and (len(last.value) > 1 or last.value.isupper())
    if signs == ["WORD", "COLON", "WORD"]:
        return to_a_point or not starts.isdisjoint(_WISHES)
    return to_a_point and starts == {"deploy"} and signs.count("WORD") == len(words) and len(words) > _SHORT


def _says_what_and_where(cards: CardSet, words: Sequence[Token]) -> bool:
    """Whether a line has a word for what is done, or an order, and a Point, in whatever order: on A deploy Doc."""
    names, last = names_of(cards), words[-1]
    does = any(
        not kinds_of(word.value).isdisjoint(_DEEDS) or not cards.orders.keys().isdisjoint(names.find(word.value))
        for word in words
    )
    return does and any(
        names.is_point(word.value) and (word is last or len(word.value) > 1 or word.value.isupper()) for word in words
    )


def _goes_on(names: Names, rest: Sequence[Token]) -> bool:
    """Whether what follows the first word of a command fits behind it."""
    following = [token for token in rest[:_FEW] if token.type != "COLON" and kinds_of(token.value).isdisjoint(_BETWEEN)]
    if not following:
        return bool(rest) and rest[0].type == "COLON"
    word = following[0]
    if word.type != "WORD":
        return word.type == "NUMBER"
    return (
        not kinds_of(word.value).isdisjoint(_KEYS)
        or bool(names.find(word.value))
        or names.is_point(word.value)
        or names.nearest(word.value) is not None
        or (len(rest) > 1 and rest[1].type == "COLON")
    )


def _is_card(names: Names, text: str) -> bool:
    return len(text) > _SHORT and bool(names.find(text))
