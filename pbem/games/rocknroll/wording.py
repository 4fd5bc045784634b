"""Text for people to read: names and numbers of cards; standing orders in plain words, with the defaults that apply
otherwise (§7); and orders in the notation of the reader's language (§8), from `words/`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pbem import Say, Sentence
from pbem.games.base import Seat, Side
from pbem.games.kit import notation
from pbem.games.rocknroll.cards import SIDES, CardSet, Name, Order, at_least
from pbem.games.rocknroll.combat import Attack
from pbem.games.rocknroll.orders import ALLIED, KINDS, amount, needs, values
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
"""The names of all sides and seats (§9)."""

RUSSIAN_POINTS = {"A": "А", "B": "Б", "C": "С", "D": "Д", "E": "Э"}
_SURE = 6  # the highest face of a die


def named(name: Name, say: Say) -> str:
    """Return the text of `name` in the reader's language if the set has it, otherwise in English."""
    return {"ru": name.ru, "de": name.de}.get(say.language) or name.en


def card(cards: CardSet, name: str, say: Say) -> str:
    """Return the name of a card in the reader's language."""
    return named(cards.units[name].name if name in cards.units else cards.orders[name].name, say)


def listed(cards: CardSet, names: Sequence[str], say: Say) -> str:
    """Return the names of cards as a list, in which a card that occurs several times has a count."""
    counts = {name: names.count(name) for name in names}
    return ", ".join((f"{number} × " if number > 1 else "") + card(cards, name, say) for name, number in counts.items())


def moves(order: Order, say: Say) -> str:
    """Return words that say how many units an order moves, and where to."""
    if order.kind == "march":
        return say("any units from one Point to one neighbouring Point")
    return say.many(
        "{number} unit to a neighbouring Point", "{number} units, each to a neighbouring Point", order.number
    )


def point(name: str, say: Say) -> str:
    """Return the letter of a Point in the reader's alphabet."""
    return RUSSIAN_POINTS.get(name, name) if say.language == "ru" else name


def called(cards: CardSet, name: str, say: Say) -> str:
    """Return the reader's name for a card, a side, a seat or a Point; any other word is returned unchanged."""
    if name in cards.units or name in cards.orders:
        return card(cards, name, say)
    return say(CALLED[name]) if name in CALLED else point(name, say)


def corner(cards: CardSet, unit: str) -> str:
    """Return the text in the corner of a unit's card: its number, such as `5`, or `6x2★` with two dice and a star. If
    the set has armour, `/` and the armour follow, and `♠` marks the ace."""
    face = cards.units[unit]
    dice = f"x{face.dice}" if face.dice > 1 else ""
    armour = f"/{face.armour}" if face.armour and cards.switches.armour else ""
    ace = "♠" if face.ace and cards.switches.armour else ""
    return f"{face.chance}{dice}{armour}{ace}{'★' * face.star}"


def carded(cards: CardSet, unit: str, say: Say) -> str:
    """Return a unit's name with the text in the corner of its card, such as `Bao 6x2★`."""
    return f"{card(cards, unit, say)} {corner(cards, unit)}"


def carded_all(cards: CardSet, units: Iterable[str], say: Say) -> str:
    """Return a list of units, each with the text in the corner of its card."""
    return ", ".join(carded(cards, unit, say) for unit in units)


def least(number: int) -> str:
    """Return the natural values that suffice if `number` is needed, as a text such as `5+` or `6`."""
    return "6" if number == _SURE else f"{max(number, 1)}+"


def percent(number: int, dice: int = 1) -> int:
    """Return the chance, in percent, that at least one of `dice` dice shows `number` or more."""
    return round(100 * at_least(number, dice))


def chance(number: int, dice: int, say: Say) -> str:
    """Return a chance in words, such as `5+, 33 %` or `6, two dice: 31 %`."""
    if number > _SURE:
        return say("never without help")
    if dice > 1:
        return say("{least}, two dice: {percent}%", least=least(number), percent=percent(number, dice))
    return say("{least}, {percent}%", least=least(number), percent=percent(number))


def needed(table: Table, unit: str, target: str) -> int:
    """Return the lowest natural value with which an attack of `unit` on `target` hits as things stand."""
    attack = Attack(table, unit, target, "order")
    return attack.need - attack.bonus()


def sides(values: Mapping[Side, object], say: Say) -> str:
    """Return the names of both sides with their values, such as `VPA 2, Vietnam 1`."""
    return ", ".join(f"{say(CALLED[side])} {values[side]}" for side in SIDES)


def describe_standing(cards: CardSet, side: Side | None, rules: Mapping[str, str], say: Say) -> str:
    """Describe the standing orders of a seat in one sentence; "" if there are none. `rules` maps their keys to their
    values, both in canonical form."""
    words = _Words(cards, side, say)
    return "; ".join(words.rule(*key.partition(" ")[::2], value) for key, value in rules.items())


class _Words:
    """A translator of standing orders into words in the reader's language. Names are placed where no language has to
    inflect them."""

    def __init__(self, cards: CardSet, side: Side | None, say: Say) -> None:
        self.cards, self.side, self.say = cards, side, say

    def rule(self, word: str, subject: str, value: str) -> str:
        """Describe one standing order, given by its first word, its subject and its value."""
        if word == "Reroll":
            return self._reroll(subject, value)
        if word == "Pour":
            return self._pour(subject, value)
        template = ALLIED[word] if word in ALLIED else KINDS[word].words.get(value, KINDS[word].template)
        text = self.say(template, subject=self._name(subject), names=self._names(values(value)))
        return ", ".join((text, *self._vain(values(value)))) if word == "Income" else text

    def _reroll(self, subject: str, value: str) -> str:
        payment, say = amount(value), self.say
        who, number = self._name(subject), payment.number
        text = say.many("{subject}: up to {number} reroll", "{subject}: up to {number} rerolls", number, subject=who)
        text = (
            say("{told}, paid for with {cards}", told=text, cards=self._names(payment.cards)) if payment.cards else text
        )
        return say("{told}, of either die", told=text) if payment.each else text

    def _pour(self, subject: str, value: str) -> str:
        payment, say = amount(value), self.say
        values = {"subject": self._name(subject), "number": str(payment.number)}
        text = (
            say("{subject}: RD poured in up to a natural {number}", **values)
            if payment.upto
            else say("{subject}: {number} RD poured in", **values)
        )
        if not payment.cards:
            return text
        return say("{told}, cards sold for it: {cards}", told=text, cards=self._names(payment.cards))

    def _vain(self, names: Iterable[str]) -> Iterator[str]:
        """Yield a warning if some of the units in `names`, a wish list, belong to the enemy."""
        others = [
            name for name in names if name in self.cards.units and self.side not in (None, self.cards.units[name].side)
        ]
        if others:
            yield self.say("but enemy units never come to you: {names}", names=self._names(others))

    def _names(self, names: Iterable[str]) -> str:
        return ", ".join(map(self._name, names))

    def _name(self, name: str) -> str:
        """Return the reader's name for a card, a Point, a seat, or a word of standing orders."""
        return self.say(_CALLED[name]) if name in _CALLED else called(self.cards, name, self.say)


_CALLED: Mapping[str, str] = {
    "attack": Sentence("attacks"),
    "feature": Sentence("features"),
    "order": Sentence("orders that are fired"),
    "captive": Sentence("prisoners"),
    "rocknroll": "ROCK'N'ROLL",
    "orders": Sentence("any orders"),
    "units": Sentence("any units of the hand"),
    "all": Sentence("all units"),
    "deck": Sentence("the deck"),
}
"""The words that readers see in place of the words of standing orders."""


def usual(cards: CardSet, rules: Mapping[str, str], say: Say) -> str:
    """Return a sentence about the defaults for everything that the standing orders in `rules` leave open; "" if they
    leave nothing open."""
    ruled = {key.partition(" ")[0] for key in rules}
    texts = [say(kind.usual) for word, kind in KINDS.items() if word not in ruled and needs(word, cards.switches)]
    return say("Your standing orders leave these at default: {usual}.", usual=", ".join(texts)) if texts else ""


_FOLDER = Path(__file__).parent
_CYRILLIC = re.compile("[а-яё]", re.I)


def written(cards: CardSet, orders: str, say: Say) -> str:
    """Return canonical orders, or a part of them, in the reader's notation. Any other text is returned unchanged."""
    return _in_language(cards, orders, say.language)


def like(cards: CardSet, name: str, text: str) -> str:
    """Return `name` (a card, a Point, an order word or a whole order) in a form that matches a player's `text`: in
    Russian if the text is Cyrillic, otherwise in German or English, depending on the reader's language."""
    if _CYRILLIC.search(text):
        return _in_language(cards, name, "ru")
    return noted(cards, name, ("de",))


def noted(cards: CardSet, text: str, languages: tuple[str, ...] = ("de", "ru")) -> Sentence:
    """Return canonical orders, or a part of them, as a sentence. The sentence appears in the notation of its reader's
    language if that language is one of `languages`, otherwise unchanged."""
    return notation.noted(text, lambda text, to: _in_language(cards, text, to) if to in languages else text)


def _in_language(cards: CardSet, text: str, language: str) -> str:
    """Translate canonical orders word by word, without inflecting the names in them. Any other text is returned
    unchanged."""
    words = _words(cards, language)
    return notation.replaced(text, words, r"[ >:;,<=\d]") if words else text


@lru_cache(maxsize=16)
def _words(cards: CardSet, language: str) -> Mapping[str, str]:
    """Return the translation of each name and word of canonical orders; empty if the language has no notation."""
    own = notation.words_of(_FOLDER, language)
    named = ((name, card.name) for some in (cards.units, cards.orders) for name, card in some.items())
    return {**own, **{name: getattr(called, language) or name for name, called in named}} if own else own
