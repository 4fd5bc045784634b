"""Orders of Rock'n'Roll in Russian, word for word as rnr §8 has them."""

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
