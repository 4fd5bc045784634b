"""Orders in the notation of their reader's language (rnr §8): German and Russian have their own, else the canonical
English stands."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from pbem.games.base import Say, Sentence
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

_GERMAN: Mapping[str, str] = {
    "Deploy ": "Aufstellen: ",
    "Trade ": "Tausche ",
    "for deck": "gegen Stapel",
    "for ": "gegen ",
    "Sell ": "Verkaufe ",
    "Buy unit ": "Kaufe Einheit ",
    "Buy order": "Kaufe Befehl",
    "Capture ": "Fange ",
    "Use ": "Nutze ",
    "Act ": "Aktion ",
    "If ": "Wenn ",
    "Pass": "Passe",
    "not in ": "nicht in ",
    "in ": "in ",
    "Income": "Einkommen",
    "Reroll": "Neuwurf",
    "Rocknroll": "Rocknroll",
    "Pour": "Zugabe",
    "React": "Antwort",
    "First": "Zuerst",
    "Block": "Blocke",
    "Goto": "Ziel",
    "Lose": "Verlust",
    "Captives": "Gefangene",
    "Sequence": "Reihenfolge",
    "Supply": "Nachschub",
    "Compensation": "Ausgleich",
    **{f"vpa{number}": f"VPA {number}" for number in range(1, MOST_SEATS + 1)},
    **{f"vietnam{number}": f"Vietnam {number}" for number in range(1, MOST_SEATS + 1)},
    "all": "alle",
    "always": "immer",
    "never": "nie",
    "yes": "ja",
    "no": "nein",
    "attack": "Angriff",
    "move": "Bewegung",
    "feature": "Fähigkeit",
    "order": "Befehl",
    "captive": "Gefangene",
    "rocknroll": "Rocknroll",
    "sell orders": "verkaufe Befehle",
    "orders": "Befehlen",
    "units": "Einheiten",
    "torture": "foltern",
    "execute": "hinrichten",
    "recruit": "anwerben",
    "leave": "lassen",
    "default": "üblich",
    "deck": "Stapel",
    "mine": "eigene",
    "enemy": "Feinde",
    "hit": "Treffer",
    "missed": "daneben",
    "each": "je",
    "with": "mit",
    "sell": "verkaufe",
    **{f"to {number}": f"bis {number}" for number in range(10)},
    **{f"to {point}": f"nach {point}" for point in RUSSIAN_POINTS},
    **dict(zip(RUSSIAN_POINTS, RUSSIAN_POINTS, strict=True)),
    "RD": "RD",
}
_OWN: Mapping[str, Mapping[str, str]] = {"de": _GERMAN, "ru": _RUSSIAN}
"""What stands in canonical orders besides the names of cards, and what for it in those of a language."""


class _Noted(Sentence):
    """What stands in an answer in canonical form, and is said in the notation of its reader."""

    cards: CardSet

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        return _in_language(self.cards, str(self), language) if language == "de" else str(self)


def written(cards: CardSet, orders: str, say: Say) -> str:
    """Orders in canonical form, or a part of them, as their reader writes them; any other text as it is."""
    return _in_language(cards, orders, say.language)


def like(cards: CardSet, name: str, text: str) -> str:
    """A card, a Point, a word of the notation or a whole order in the alphabet in which a player has written a text:
    in Russian, else in the notation of the player's language."""
    if _CYRILLIC.search(text):
        return _in_language(cards, name, "ru")
    noted = _Noted(name)
    noted.cards = cards
    return noted


def _in_language(cards: CardSet, text: str, language: str) -> str:
    """Canonical orders word by word: names stand without cases there as they do in English."""
    if language not in _OWN:
        return text
    words, known = _words(cards, language)
    if not re.fullmatch(rf"(?:{known.pattern}|[ >:;,<=\d])*", text):
        return text
    return known.sub(lambda found: words[found[0]], text)


@lru_cache(maxsize=16)
def _words(cards: CardSet, language: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """What is said in a language for each name and word of canonical orders, and what finds them."""
    named = ((name, card.name) for some in (cards.units, cards.orders) for name, card in some.items())
    names = {name: getattr(called, language) or name for name, called in named}
    words = {**_OWN[language], **names}
    longest = sorted(words, key=len, reverse=True)
    return words, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})(?:(?<= )|(?!\w))")
