"""Orders of Rock'n'Roll in Russian, word for word as in §8."""

import re

from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.orders import Orders

_WORDS = {
    "Deploy": "Развернуть", "Trade": "Обменять", "Use": "Фишка", "Act": "Акт", "Sell": "Продать", "Buy": "Купить",
    "Capture": "Пленить", "If": "Если", "Pass": "Пас", "for": "на", "with": "за", "not": "не", "each": "каждый",
    "hit": "попал", "missed": "промах", "mine": "свои", "enemy": "враги", "RD": "РД", "Income": "Приход",
    "Reroll": "Переброс", "Rocknroll": "Рокнролл", "rocknroll": "рокнролл", "Pour": "Влить", "React": "Ответ",
    "First": "Первым", "Block": "Заслон", "Goto": "Куда", "Lose": "Потерять", "Captives": "Пленные",
    "deck": "колода", "order": "приказ", "orders": "приказы", "unit": "юнит", "units": "юниты", "all": "все",
    "attack": "атака", "feature": "фишка", "captive": "плен", "always": "всегда", "never": "никогда", "yes": "да",
    "no": "нет", "move": "манёвр", "torture": "пытать", "execute": "казнить", "recruit": "вербовать",
    "leave": "оставить", "sell": "продать", "in": "в", "A": "А", "B": "Б", "C": "С", "D": "Д", "E": "Е",
}  # fmt: skip


def in_russian(cards: CardSet, orders: Orders) -> str:
    """Write these orders as a Russian player does."""
    names = {name: unit.name.ru for name, unit in cards.units.items()}
    names |= {name: order.name.ru for name, order in cards.orders.items()}
    words = sorted(names | _WORDS, key=len, reverse=True)
    pattern = re.compile(rf"\bto (?=\d)|\bto\b|\b(?:{'|'.join(map(re.escape, words))})\b")

    def said(found: re.Match[str]) -> str:
        word = found[0]
        return {"to ": "до ", "to": "в"}.get(word) or names.get(word) or _WORDS[word]

    return "\n".join(pattern.sub(said, str(line)) for line in (*orders.standing, *orders.commands))
