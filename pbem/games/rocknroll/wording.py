"""Names and numbers of cards as people are told them: a set says them in English and in Russian."""

from collections.abc import Mapping, Sequence

from pbem.games.base import Say, Seat, Sentence, Side
from pbem.games.rocknroll.cards import SIDES, CardSet, Name, Order
from pbem.games.rocknroll.combat import Attack
from pbem.games.rocknroll.table import Table

CALLED: dict[Seat | Side, Sentence] = {
    "vpa": Sentence("VPA"),
    "vpa1": Sentence("VPA 1"),
    "vpa2": Sentence("VPA 2"),
    "vpa3": Sentence("VPA 3"),
    "vietnam": Sentence("Vietnam"),
    "vietnam1": Sentence("Vietnam 1"),
    "vietnam2": Sentence("Vietnam 2"),
    "vietnam3": Sentence("Vietnam 3"),
}
"""Every side, and every seat of rnr §9."""

RUSSIAN_POINTS = {"A": "А", "B": "Б", "C": "С", "D": "Д", "E": "Э"}
_SURE = 6  # of six faces


def named(name: Name, say: Say) -> str:
    """A name or text in the language of its reader if the set has it, else in English."""
    return {"ru": name.ru, "de": name.de}.get(say.language) or name.en


def card(cards: CardSet, name: str, say: Say) -> str:
    """What a card is called."""
    return named(cards.units[name].name if name in cards.units else cards.orders[name].name, say)


def listed(cards: CardSet, names: Sequence[str], say: Say) -> str:
    """Cards by name, of equal ones how many."""
    counts = {name: names.count(name) for name in names}
    return ", ".join(card(cards, one, say) + (f" ×{number}" if number > 1 else "") for one, number in counts.items())


def moves(order: Order, say: Say) -> str:
    """What an order that moves units is for."""
    if order.kind == "march":
        return say("any units of one Point to one neighbouring Point")
    return say.many(
        "{number} unit to a neighbouring Point", "{number} units, each to a neighbouring Point", order.number
    )


def point(name: str, say: Say) -> str:
    """The letter of a Point."""
    return RUSSIAN_POINTS.get(name, name) if say.language == "ru" else name


def corner(cards: CardSet, unit: str) -> str:
    """What stands in the corner of a unit's card: `5`, or `6x2★` with two dice and a star; where armour counts, it is
    behind a slash, and `♠` is the ace."""
    found = cards.units[unit]
    dice = f"x{found.dice}" if found.dice > 1 else ""
    armour = f"/{found.armour}" if found.armour and cards.switches.armour else ""
    ace = "♠" if found.ace and cards.switches.armour else ""
    return f"{found.chance}{dice}{armour}{ace}{'★' * found.star}"


def least(number: int) -> str:
    """A natural value that is enough, or any higher one: `5+`, `6`."""
    return "6" if number == _SURE else f"{max(number, 1)}+"


def percent(number: int, dice: int = 1) -> int:
    """How likely one of so many dice shows a number or more, in percent."""
    failing = min(max(number - 1, 0), _SURE) / _SURE
    return round(100 * (1 - failing**dice))


def chance(number: int, dice: int, say: Say) -> str:
    """`5+, 33 %`; `6, two dice: 31 %`."""
    if number > _SURE:
        return say("never without help")
    if dice > 1:
        return say("{least}, two dice: {percent} %", least=least(number), percent=percent(number, dice))
    return say("{least}, {percent} %", least=least(number), percent=percent(number))


def needed(table: Table, unit: str, target: str) -> int:
    """The natural value with which a unit hits another now."""
    attack = Attack(table, unit, target, "order")
    return attack.need - attack.bonus()


def sides(values: Mapping[Side, object], say: Say) -> str:
    """`VPA 2, Vietnam 1`."""
    return ", ".join(f"{say(CALLED[side])} {values[side]}" for side in SIDES)
