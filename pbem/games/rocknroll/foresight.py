"""What can be known of a script before it is played, from what its seat sees and nothing else.

What happens up to the first die is certain. Beyond it a script is tried on wars that look the same to its seat: hidden
cards lie there in some order, and dice fall somehow. What is skipped in all of them will be skipped as things stand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.games.base import Seat, Side
from pbem.games.chance import SECRET, Chance, SecretChance, shuffled
from pbem.games.rocknroll.cards import SIDES
from pbem.games.rocknroll.events import Reason, TurnEvent
from pbem.games.rocknroll.orders import DEFAULT, Command, Orders, cards_of
from pbem.games.rocknroll.script import Script
from pbem.games.rocknroll.state import Cards, Decks, Hand, State
from pbem.games.rocknroll.table import Table
from pbem.games.rocknroll.views import UNKNOWN

_TRIES = 16


class Skip(NamedTuple):
    """A line, or a unit of it, that is skipped: in every war that was tried, or in some for want of a card."""

    line: int
    unit: str | None
    reason: Reason
    always: bool
    paid: tuple[str, str] | None = None
    """A card of the line that was given for a throw before, and who threw."""


class Foresight(NamedTuple):
    """What a script comes to: the state before the line in which the first die falls, and that line's number, or None
    if no die is needed."""

    state: State
    die_in: int | None


class _FirstDie(Exception):  # noqa: N818 - it ends what can be foreseen
    pass


class _NoChance:
    """Where the first question ends everything."""

    def die(self, sides: int) -> int:
        raise _FirstDie

    def pick(self, number: int) -> int:
        raise _FirstDie


class _Always:
    """Dice that always show the same."""

    def __init__(self, value: int) -> None:
        self.value = value

    def die(self, sides: int) -> int:
        return self.value

    def pick(self, number: int) -> int:
        return 0


def foresee(seen: State, seat: Seat, commands: Sequence[Command]) -> Foresight:
    """Carry out lines as long as no die falls. Standing orders count only with dice, so none are looked at."""
    quiet = replace(seen, standing={one: {} for one, _ in seen.seats})
    state = quiet
    for number in range(1, len(commands) + 1):
        table = _table(quiet, seat, _NoChance())
        try:
            Script(table, seat).play(commands[:number])
        except _FirstDie:
            return Foresight(replace(state, standing=seen.standing), number)
        state = table.state()
    return Foresight(replace(state, standing=seen.standing), None)


def skips(seen: State, seat: Seat, orders: Orders) -> tuple[Skip, ...]:
    """The lines of a script that are skipped in all wars that look like this one, and those that are skipped in some
    because a card may not come."""
    standing = {one: dict(seen.standing.get(one, {})) for one, _ in seen.seats}
    for key, value in orders.standing:
        standing[seat].pop(key, None) if value == DEFAULT else standing[seat].update({key: value})
    found: dict[tuple[int, str | None], Counter[Reason]] = {}
    paid: dict[int, tuple[str, str]] = {}
    for number in range(_TRIES):
        chance = _chance(number)
        table = _table(guessed(replace(seen, standing=standing), chance), seat, chance)
        Script(table, seat).play(orders.commands)
        given = _given(table.events, seat)
        for event in table.events:
            if event["type"] == "skipped":
                if event["reason"] == "hand":
                    named = (card for card in cards_of(orders.commands[event["line"] - 1]) if card in given)
                    paid.update((event["line"], (card, given[card])) for card in named)
                found.setdefault((event["line"], event["unit"]), Counter())[event["reason"]] += 1
    told = []
    for (line, unit), reasons in found.items():
        ((reason, _),) = reasons.most_common(1)
        always = reasons.total() == _TRIES
        if always or reason == "hand":
            told.append(Skip(line, unit, reason, always, paid.get(line)))
    return tuple(sorted(told, key=lambda one: one.line))


def _given(events: Sequence[TurnEvent], seat: Seat) -> Mapping[str, str]:
    """The cards that a seat has given for throws, and who has thrown: what is sold is given before."""
    given, thrower = dict[str, str](), ""
    for event in events:
        if event["type"] in ("attack", "check"):
            thrower = str(event["unit"] or event.get("card") or "")
            given = {card: unit or thrower for card, unit in given.items()}
        elif event["type"] == "discard" and event["seat"] == seat and event["why"] in ("reroll", "sell"):
            given.setdefault(event["card"], thrower if event["why"] == "reroll" else "")
    return {card: unit for card, unit in given.items() if unit}


def _chance(number: int) -> Chance:
    """Dice that always hit, that never do, and others."""
    if number < len(_ALWAYS):
        return _ALWAYS[number]
    return SecretChance(bytes([number]) * SECRET)


_ALWAYS = (_Always(6), _Always(1))


def _table(state: State, seat: Seat, chance: Chance) -> Table:
    table = Table(state, chance)
    table.on_turn = seat
    return table


def guessed(seen: State, chance: Chance) -> State:
    """A war that looks like this one: cards that are hidden lie in the hidden places in an order of chance."""
    cards, hidden = seen.cards, _hidden(seen)
    units = {side: [*shuffled([one for one in hidden if _side(seen, one) == side], chance)] for side in SIDES}
    orders = [*shuffled([one for one in hidden if one in cards.orders], chance)]

    def dealt(places: Cards, pile: list[str]) -> Cards:
        found = [one or (pile.pop() if pile else UNKNOWN) for one in places]
        return tuple(filter(None, found))

    sides: Mapping[Seat, Side] = dict(seen.seats)
    hands = {
        seat: Hand(dealt(hand.units, units[sides[seat]]), dealt(hand.orders, orders))
        for seat, hand in seen.hands.items()
    }
    decks = {side: dealt(seen.decks.units[side], units[side]) for side in SIDES}
    return replace(seen, hands=hands, decks=Decks(decks, dealt(seen.decks.orders, orders)), box=())


def _side(state: State, name: str) -> Side | None:
    return state.cards.units[name].side if name in state.cards.units else None


def _hidden(state: State) -> list[str]:
    """The cards of the set that are seen nowhere."""
    seen: Counter[str] = Counter((*state.discard, *state.box, *state.decks.orders))
    for lists in (*state.points.values(), state.reserve, state.graveyard, state.captives, state.decks.units):
        for side in SIDES:
            seen.update(lists[side])
    for hand in state.hands.values():
        seen.update((*hand.units, *hand.orders))
    whole = Counter({name: order.count for name, order in state.cards.orders.items()})
    whole.update(dict.fromkeys(state.cards.units, 1))
    return [*(whole - seen).elements()]
