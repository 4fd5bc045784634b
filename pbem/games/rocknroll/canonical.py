"""Reading orders as `str(orders)` writes them, without the grammar: most of what is read is our own.

What comes of a text here is what the grammar makes of it, its words without places; None if there is any doubt.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from pbem.games.rocknroll.items import (
    ActItem,
    AloneItem,
    AmountItem,
    BuyItem,
    CaptureItem,
    CommandItem,
    ConditionItem,
    CountItem,
    DeployItem,
    IfItem,
    ItemPart,
    LastItem,
    NamesItem,
    PartItem,
    PassItem,
    PlayItem,
    RuleItem,
    SellItem,
    StandsItem,
    StandsNotItem,
    StepItem,
    StockItem,
    StrikeItem,
    SuperItem,
    TradeItem,
    UseItem,
)
from pbem.patterns import compiled

Item = CommandItem | RuleItem

# A word of a name: two letters or more, and no word that stands between names.
_WORD = r"(?!(?i:for|to|with|in|not|each|sell)\b)[A-Za-z][a-z]+"
_NAME = rf"(?=[A-Z]){_WORD}(?: {_WORD})?"
_ANY = rf"{_WORD}(?: {_WORD})?"
_LIST = rf"(?:{_ANY}|[A-E])(?:, (?:{_ANY}|[A-E]))*"
_PART = rf"{_NAME}(?: > {_NAME}| to [A-E])?"
_WHOLE_PART = compiled(_PART)
_PLAY = compiled(rf"({_NAME}): (?:([A-E])|({_PART}(?:, {_PART})*))")
_RULE = compiled(
    rf"([A-Z][a-z]+)(?: ({_ANY}))?: (?:(default)|(to )?([0-9])( each)?(?: (with|sell) ({_LIST}))?|({_LIST}))"
)
_IF = compiled(
    rf"If (?:(hit|missed)|RD (>=|<=) ([0-9])|(mine|enemy) ([A-E]) (>=|<=) ([0-9])|({_NAME}) (not )?in ([A-E])): (.+)"
)
_RULES = ("Income", "Reroll", "Rocknroll", "Pour", "React", "First", "Block", "Goto", "Lose", "Captives")


def read_canonical(text: str) -> tuple[Item, ...] | None:
    """The items of orders in canonical form; None for any other text."""
    items = tuple(map(_item, text.replace("\n", "; ").split("; ")))
    return None if None in items else items  # type: ignore[return-value]


@lru_cache(maxsize=65_536)
def _item(line: str) -> Item | None:
    word = line.partition(" ")[0].removesuffix(":")
    if word in _RULES:
        found = _RULE.fullmatch(line)
        return _rule(found) if found else None
    return _command(line, word)


def _command(line: str, word: str) -> CommandItem | None:
    if word == "If":
        found = _IF.fullmatch(line)
        then = _command(found[11], found[11].partition(" ")[0].removesuffix(":")) if found else None
        return IfItem(_condition(found), then) if found and then else None
    pattern, made = _COMMANDS.get(word, (_PLAY, _play))
    found = pattern.fullmatch(line)
    return made(found) if found and (pattern is not _PLAY or word.lower() not in _BEGINNINGS) else None


def _play(found: re.Match[str]) -> CommandItem:
    card, point, parts = found.groups()
    if point:
        return SuperItem(ItemPart(card), ItemPart(point))
    return PlayItem(ItemPart(card), tuple(map(_part, parts.split(", "))))


def _part(text: str) -> PartItem:
    unit, sign, target = text.partition(" > ")
    if sign:
        return StrikeItem(ItemPart(unit), ItemPart(target))
    unit, sign, point = text.rpartition(" to ")
    return StepItem(ItemPart(unit), ItemPart(point)) if sign else AloneItem(ItemPart(point))


def read_part(text: str) -> PartItem | None:
    """A part of such orders that stands alone: `Johnny > Bao`."""
    return _part(text) if _WHOLE_PART.fullmatch(text) else None


def _condition(found: re.Match[str]) -> ConditionItem:
    last, sign, number, whose, where, compare, count, unit, negated, point, _ = map(ItemPart, found.groups(""))
    if last.value:
        return LastItem(last)
    if number.value:
        return StockItem(sign, number)
    if whose.value:
        return CountItem(whose, where, compare, count)
    return StandsNotItem(unit, point) if negated.value else StandsItem(unit, point)


def _rule(found: re.Match[str]) -> RuleItem:
    rule, key, default, upto, number, each, how, given, names = found.groups()
    word, subject = ItemPart(rule), ItemPart(key) if key else None
    if number:
        amount = AmountItem(ItemPart(number), _some(upto), _some(each), _some(how), _words(given))
        return RuleItem(word, subject, amount)
    return RuleItem(word, subject, ItemPart(default) if default else NamesItem(_words(names)))


def _some(text: str | None) -> ItemPart | None:
    return ItemPart(text.strip()) if text else None


def _words(names: str | None) -> tuple[ItemPart, ...]:
    return tuple(map(ItemPart, names.split(", "))) if names else ()


def _of(shape: Callable[..., CommandItem]) -> Callable[[re.Match[str]], CommandItem]:
    return lambda found: shape(*map(ItemPart, found.groups()))


def _act(found: re.Match[str]) -> CommandItem:
    return ActItem(ItemPart(found[1]), ItemPart(found[2]), _part(found[3]))


def _buy(found: re.Match[str]) -> CommandItem:
    return BuyItem(ItemPart(found[1] or found[2]))


_COMMANDS: dict[str, tuple[re.Pattern[str], Callable[[re.Match[str]], CommandItem]]] = {
    "Deploy": (compiled(rf"Deploy ({_NAME}) ([A-E])"), _of(DeployItem)),
    "Trade": (compiled(rf"Trade ({_NAME}) for ({_ANY})"), _of(TradeItem)),
    "Use": (compiled(rf"Use ({_NAME}): ({_NAME})"), _of(UseItem)),
    "Act": (compiled(rf"Act ({_NAME}), ({_NAME}): ({_PART})"), _act),
    "Sell": (compiled(rf"Sell ({_NAME})"), _of(SellItem)),
    "Buy": (compiled(rf"Buy (?:unit (?!order$)({_ANY})|(order))"), _buy),
    "Capture": (compiled(rf"Capture ({_NAME}) with ({_NAME})"), _of(CaptureItem)),
    "Pass": (compiled("(Pass)"), _of(PassItem)),
}
_BEGINNINGS = {word.lower() for word in (*_COMMANDS, *_RULES, "If")}
