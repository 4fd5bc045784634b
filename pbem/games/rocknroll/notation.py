"""Orders in the notation of their reader's language (rnr §8): Russian for Russians, else the canonical English."""

import re
from collections.abc import Mapping
from functools import lru_cache

from pbem.games.base import Say
from pbem.games.rocknroll.cards import MOST_SEATS, CardSet
from pbem.games.rocknroll.wording import RUSSIAN_POINTS

_CYRILLIC = re.compile("[а-яё]", re.I)

_RUSSIAN: Mapping[str, str] = {
    "Deploy ": "Развернуть ",
    "Trade ": "Обменять ",
    "for deck": "на колоду",
    "for ": "на ",
    "Sell ": "Продать ",
    "Buy unit ": "Купить юнит ",
    "Buy order": "Купить приказ",
    "Capture ": "Пленить ",
    "Use ": "Фишка ",
    "Act ": "Акт ",
    "If ": "Если ",
    "Pass": "Пас",
    "not in ": "не в ",
    "in ": "в ",
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
    "Sequence": "Очередь",
    "Supply": "Снабжение",
    "Compensation": "Возмещение",
    **{f"vpa{number}": f"ВПА {number}" for number in range(1, MOST_SEATS + 1)},
    **{f"vietnam{number}": f"Вьетнам {number}" for number in range(1, MOST_SEATS + 1)},
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
    "each": "каждый",
    "with": "за",
    "sell": "продать",
    **{f"to {number}": f"до {number}" for number in range(10)},
    **{f"to {point}": f"в {russian}" for point, russian in RUSSIAN_POINTS.items()},
    **RUSSIAN_POINTS,
    "RD": "RD",
}
"""What stands in canonical orders besides the names of cards, and what for it in Russian ones."""


def written(cards: CardSet, orders: str, say: Say) -> str:
    """Orders in canonical form, or a part of them, as their reader writes them; any other text as it is."""
    return _in_russian(cards, orders) if say.language == "ru" else orders


def like(cards: CardSet, name: str, text: str) -> str:
    """A card, a Point, a word of the notation or a whole order in the alphabet in which a player has written a text."""
    return _in_russian(cards, name) if _CYRILLIC.search(text) else name


def _in_russian(cards: CardSet, text: str) -> str:
    """Canonical orders word by word: names stand without cases there as they do in English."""
    words, known = _words(cards)
    if not re.fullmatch(rf"(?:{known.pattern}|[ >:;,<=\d])*", text):
        return text
    return known.sub(lambda found: words[found[0]], text)


@lru_cache(maxsize=16)
def _words(cards: CardSet) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """What is said in Russian for each name and word of canonical orders, and what finds them."""
    names = {name: card.name.ru for some in (cards.units, cards.orders) for name, card in some.items()}
    words = {**_RUSSIAN, **names}
    longest = sorted(words, key=len, reverse=True)
    return words, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})(?:(?<= )|(?!\w))")
