"""Orders in the notation of their reader's language (rnr §8): Russian for Russians, else the canonical English."""

import re
from collections.abc import Iterable, Mapping
from typing import assert_never

from pbem.games.base import Say
from pbem.games.rocknroll.canonical import read_canonical, read_part
from pbem.games.rocknroll.cards import CardSet
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
    Word,
)
from pbem.games.rocknroll.wording import RUSSIAN_POINTS
from pbem.patterns import compiled

_CYRILLIC = compiled("[а-яё]", re.I)

_RUSSIAN: Mapping[str, str] = {
    "Income": "Приход",
    "Reroll": "Переброс",
    "Rocknroll": "Рокнролл",
    "Pour": "Влить",
    "React": "Ответ",
    "First": "Первым",
    "Block": "Заслон",
    "Goto": "Куда",
    "Lose": "Потерять",
    "Captives": "Пленные",
    "all": "все",
    "always": "всегда",
    "never": "никогда",
    "yes": "да",
    "no": "нет",
    "attack": "атака",
    "move": "манёвр",
    "feature": "фишка",
    "order": "приказ",
    "captive": "плен",
    "rocknroll": "рокнролл",
    "orders": "приказы",
    "units": "юниты",
    "torture": "пытать",
    "execute": "казнить",
    "recruit": "вербовать",
    "leave": "оставить",
    "default": "как обычно",
    "deck": "колода",
    "mine": "свои",
    "enemy": "враги",
    "hit": "попал",
    "missed": "промах",
    "with": "за",
    "sell": "продать",
}
"""The words of keys, values and conditions."""


def written(cards: CardSet, orders: str, say: Say) -> str:
    """Orders in canonical form, or a part of them, as their reader writes them; any other text as it is."""
    return _Russian(cards).text(orders) if say.language == "ru" else orders


def like(cards: CardSet, name: str, text: str) -> str:
    """A card, a Point, a word of the notation or a whole order in the alphabet in which a player has written a text."""
    return _Russian(cards).text(name) if _CYRILLIC.search(text) else name


class _Russian:
    """Items of canonical orders in Russian. Names stand as the cards have them, without cases."""

    def __init__(self, cards: CardSet) -> None:
        self.cards = cards

    def text(self, text: str) -> str:
        """Orders in canonical form, a part of them, or a name; any other text as it is."""
        if (name := self.name(text)) != text:
            return name
        if items := read_canonical(text):
            return "; ".join(map(self.item, items))
        part = read_part(text)
        return self.part(part) if part else text

    def item(self, item: CommandItem | RuleItem) -> str:
        """A line."""
        match item:
            case RuleItem():
                return self._rule(item)
            case IfItem(condition, command):
                return f"Если {self._condition(condition)}: {self.item(command)}"
            case DeployItem(unit, point):
                return f"Развернуть {self._name(unit)} {self._name(point) if point else ''}".strip()
            case TradeItem() | BuyItem() | SellItem() | CaptureItem():
                return self._exchange(item)
            case PlayItem() | SuperItem() | UseItem() | ActItem():
                return self._play(item)
            case PassItem():
                return "Пас"
            case _:
                assert_never(item)

    def _exchange(self, item: TradeItem | BuyItem | SellItem | CaptureItem) -> str:
        match item:
            case TradeItem(given, wanted):
                return f"Обменять {self._name(given)} на {self._wanted(wanted)}"
            case BuyItem(what) if what.value == "order":
                return "Купить приказ"
            case BuyItem(what):
                return f"Купить юнит {self._name(what)}"
            case SellItem(card):
                return f"Продать {self._name(card)}"
            case CaptureItem(target, card):
                return f"Пленить {self._name(target)} за {self._name(card)}"
            case _:
                assert_never(item)

    def _wanted(self, word: Word) -> str:
        return "колоду" if word.value == "deck" else self._name(word)

    def _play(self, item: PlayItem | SuperItem | UseItem | ActItem) -> str:
        match item:
            case PlayItem(card, parts):
                return f"{self._name(card)}: {self._parts(parts)}"
            case SuperItem(card, point):
                return f"{self._name(card)}: {self._name(point)}"
            case UseItem(unit, target):
                return f"Фишка {self._name(unit)}: {self._name(target)}"
            case ActItem(first, second, part):
                return f"Акт {self._name(first)}, {self._name(second)}: {self.part(part)}"
            case _:
                assert_never(item)

    def _parts(self, parts: Iterable[PartItem]) -> str:
        return ", ".join(map(self.part, parts))

    def part(self, part: PartItem) -> str:
        """What a unit does by an order."""
        match part:
            case StrikeItem(unit, target):
                return f"{self._name(unit)} > {self._name(target)}"
            case StepItem(unit, point):
                return f"{self._name(unit)} в {self._name(point)}"
            case AloneItem(unit):
                return self._name(unit)
            case _:
                assert_never(part)

    def _condition(self, condition: ConditionItem) -> str:
        match condition:
            case StandsItem(unit, point):
                return f"{self._name(unit)} в {self._name(point)}"
            case StandsNotItem(unit, point):
                return f"{self._name(unit)} не в {self._name(point)}"
            case CountItem(whose, point, compare, number):
                return f"{self._name(whose)} {self._name(point)} {compare.value} {number.value}"
            case StockItem(compare, number):
                return f"RD {compare.value} {number.value}"
            case LastItem(outcome):
                return self._name(outcome)
            case _:
                assert_never(condition)

    def _rule(self, item: RuleItem) -> str:
        key = f"{self._name(item.rule)} {self._name(item.key)}" if item.key else self._name(item.rule)
        match item.value:
            case AmountItem(number, upto, each, how, names):
                told = f"{'до ' if upto else ''}{number.value}{' каждый' if each else ''}"
                return f"{key}: {told} {self._name(how)} {self._names(names)}" if how else f"{key}: {told}"
            case NamesItem(words):
                return f"{key}: {self._names(words)}"
            case word:
                return f"{key}: {self._name(word)}"

    def _names(self, words: Iterable[Word]) -> str:
        return ", ".join(map(self._name, words))

    def _name(self, word: Word) -> str:
        return self.name(word.value)

    def name(self, name: str) -> str:
        """A card, a Point, or a word of the notation."""
        for cards in (self.cards.units, self.cards.orders):
            if name in cards:
                return cards[name].name.ru
        return _RUSSIAN.get(name) or RUSSIAN_POINTS.get(name, name)
