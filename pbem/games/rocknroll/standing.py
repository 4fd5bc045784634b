"""Standing orders: what their keys and values can be, and what a value says to the rules (rnr §7).

They are kept as canonical text, `{"Reroll Doc": "1 with Move, orders"}`, and understood where they count.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, CardSet, Switches
from pbem.games.rocknroll.orders import DECK, DEFAULT, Rule

ORDERS, UNITS = "orders", "units"
"""Any order, any unit of the hand, in a list of cards."""
ALWAYS, NEVER = "always", "never"

KEYS: Mapping[str, tuple[str, ...] | None] = {
    "Income": None,
    "Reroll": ("attack", "feature"),
    "Rocknroll": ("all",),
    "Pour": ("attack", "feature", "order", "captive", "rocknroll"),
    "React": (),
    "First": None,
    "Block": (),
    "Goto": (),
    "Lose": None,
    "Captives": None,
}
"""The words with which standing orders begin, and what may stand behind each besides a unit; None: nothing does."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "Rocknroll": (ALWAYS, NEVER),
    "React": ("yes", "no", "attack", "move"),
    "Captives": ("torture", "execute", "recruit", "leave"),
}
"""Values that are a single word."""

ALLIED = ("Sequence", "Supply", "Compensation")
"""What allies decide: who plays first, who takes of the income first, and who gets cards for the side; each a list of
seats. They count while no ally says otherwise (J27)."""

SEATS = frozenset(f"{side}{at}" for side in SIDES for at in range(1, MOST_SEATS + 1))
"""The seats of sides that have several."""

LISTS: Mapping[str, tuple[str, ...]] = {"Income": (DECK,), "Rocknroll": (), "First": (), "Block": (), "Lose": (DECK,)}
"""Values that are a list of units, and what else may stand in it."""

AMOUNTS: Mapping[str, str] = {"Reroll": "with", "Pour": "sell"}
"""Values that are a number, and the word before the cards that may be given."""

_AMOUNT = re.compile(r"(?P<upto>to )?(?P<number>[0-9])(?P<each> each)?(?: (?P<how>with|sell) (?P<names>.+))?")


class Amount(NamedTuple):
    """So many rerolls or RD: `upto` means what lets a natural number succeed, `each` also for the first of two dice,
    `cards` are what may be given for it, in order of preference."""

    number: int
    upto: bool = False
    each: bool = False
    cards: tuple[str, ...] = ()


def needs(rule: str, switches: Switches) -> bool:
    """Whether a set has what a standing order is about."""
    match rule:
        case "Pour":
            return switches.rd
        case "Lose":
            return switches.last_unit
        case "Captives":
            return switches.captives
        case _:
            return True


@lru_cache(maxsize=4096)
def amount(value: str) -> Amount:
    """What the value of `Reroll` or `Pour` says."""
    found = _AMOUNT.fullmatch(value)
    if found is None:
        raise ValueError(value)
    names = found["names"]
    return Amount(
        int(found["number"]), bool(found["upto"]), bool(found["each"]), tuple(names.split(", ")) if names else ()
    )


@lru_cache(maxsize=4096)
def values(value: str) -> tuple[str, ...]:
    """The names of a list."""
    return tuple(value.split(", "))


@lru_cache(maxsize=4096)
def is_standing(cards: CardSet, rule: Rule) -> bool:
    """Whether a state can hold a standing order: one in canonical form, of cards and Points of its set."""
    word, _, subject = rule.key.partition(" ")
    if rule.key in ALLIED:
        return SEATS.issuperset(rule.value.split(", "))
    if word not in KEYS or not needs(word, cards.switches) or rule.value == DEFAULT:
        return False
    others = KEYS[word]
    if subject == "" if others is not None else rule.key != word:
        return False
    return (others is None or subject in others or subject in cards.units) and _is_value(cards, word, rule.value)


def _is_value(cards: CardSet, word: str, value: str) -> bool:
    if how := AMOUNTS.get(word):
        found = _AMOUNT.fullmatch(value)
        if found is None or found["each" if how == "sell" else "upto"] or found["how"] not in (None, how):
            return False
        known = {ORDERS, UNITS, *cards.units, *cards.orders}
        return found["names"] is None or known.issuperset(found["names"].split(", "))
    if value in WORDS.get(word, ()):
        return True
    if word == "Goto":
        return set(cards.row).issuperset(value.split(", "))
    return word in LISTS and {*LISTS[word], *cards.units}.issuperset(value.split(", "))


def merged(lines: Iterable[str]) -> tuple[Rule, ...]:
    """Standing orders in canonical form, of which the last for one key holds."""
    found: dict[str, Rule] = {}
    for line in filter(None, lines):
        key, _, value = line.partition(": ")
        found.pop(key, None)
        found[key] = Rule(key, value)
    return tuple(found.values())
