"""A small game with a map and hidden hands, as a guide for authors of games. It relies on the defaults of
`pbem.games.base` wherever it can.

Two ships carry cargo. Each turn both sail to an adjacent harbour and lay a card of their hand face down. A ship that is
alone there takes the cargo; of two, the one with the higher card does. After five turns the fuller hold wins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pbem import ENGLISH, Say, Sentence
from pbem.games.base import (
    OPEN,
    Chair,
    Event,
    Game,
    Interpretation,
    Mistake,
    Picture,
    Reader,
    Result,
    Ruling,
    Seat,
    Span,
    Terminals,
    Unread,
)
from pbem.games.chance import Chance, shuffled

SEATS = ("gull", "heron")
TURNS = 5
WAYS = {
    "Ash": ("Bay", "Cove"),
    "Bay": ("Ash", "Dune"),
    "Cove": ("Ash", "Dune"),
    "Dune": ("Bay", "Cove", "Elm"),
    "Elm": ("Dune",),
}
MAP = ("      Bay      ", "     /   \\     ", "  Ash     Dune---Elm", "     \\   /     ", "      Cove     ", "")


class Orders(NamedTuple):
    """The harbour to sail to, and the card to lay."""

    harbour: str
    card: int

    def __str__(self) -> str:
        return f"Sail to {self.harbour} with {self.card}"


@dataclass(frozen=True, slots=True)
class State:
    """The positions of the ships, what they carry, and the cargo in the harbours; 0 is a card that its reader may not
    see."""

    turn: int
    ships: Mapping[Seat, str]
    holds: Mapping[Seat, int]
    hands: Mapping[Seat, tuple[int, ...]]
    cargo: Mapping[str, int]


class Harbours(Game[State, Orders]):
    name = "harbours"
    chance = hides = True
    grammar, templates = Path(__file__).with_name("orders.lark"), Path(__file__).with_name("templates")
    shapes = {"orders": tuple, "sail": tuple}  # noqa: RUF012
    sentences = {  # noqa: RUF012
        "sail": "{seat} sails to {to}.",
        "lay": "{seat} lays {card}.",
        "take": "{seat} takes {number} in {at}.",
    }

    def seats(self, options: Mapping[str, Any]) -> tuple[Chair, ...]:
        return tuple(Chair(seat, seat) for seat in SEATS)

    def usage(self, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        return (("Sail to Cove with 7", say("your ship goes to Cove, and you lay the card 7")),)

    def new(self, options: Mapping[str, Any], chance: Chance) -> State:
        cards = shuffled(range(1, 2 * TURNS + 1), chance)
        hands = {seat: tuple(sorted(cards[at::2])) for at, seat in enumerate(SEATS)}
        return State(1, {"gull": "Ash", "heron": "Elm"}, dict.fromkeys(SEATS, 0), hands, dict.fromkeys(WAYS, 2))

    def dealt_anew(self, state: State, chance: Chance) -> State:
        cards = iter(shuffled(sorted(card for own in state.hands.values() for card in own), chance))
        return replace(state, hands={seat: tuple(sorted(islice(cards, len(own)))) for seat, own in state.hands.items()})

    def awaiting(self, state: State) -> frozenset[Seat]:
        return frozenset(SEATS if state.turn <= TURNS else ())

    def resolve(self, state: State, orders: Mapping[Seat, Orders], chance: Chance) -> Ruling[State]:
        events: list[Event] = []
        for seat in filter(orders.get, SEATS):
            harbour, card = orders[seat]
            events.append({"type": "sail", "seat": seat, "to": harbour})
            events.append({"type": "lay", "seat": seat, "card": card, "seen": [seat]})
            left = tuple(one for one in state.hands[seat] if one != card)
            state = replace(state, ships={**state.ships, seat: harbour}, hands={**state.hands, seat: left})
        for harbour in WAYS:
            laid = {seat: one.card for seat, one in orders.items() if one.harbour == harbour}
            best = max(laid, key=laid.__getitem__, default=None)
            if best and state.cargo[harbour]:
                number = state.cargo[harbour]
                events.append({"type": "take", "seat": best, "number": number, "at": harbour})
                holds = {**state.holds, best: state.holds[best] + number}
                state = replace(state, holds=holds, cargo={**state.cargo, harbour: 0})
        grown = {harbour: number + 1 for harbour, number in state.cargo.items()}
        return Ruling(replace(state, turn=state.turn + 1, cargo=grown), tuple(events))

    def result(self, state: State) -> Result | None:
        if state.turn <= TURNS:
            return None
        most = max(state.holds.values())
        best = [seat for seat, number in state.holds.items() if number == most]
        return Result(best[0] if len(best) == 1 else None, Sentence("The fullest hold has {most}.", most=most))

    def view(self, state: State, reader: Reader) -> State:
        hands = {seat: own if reader in (seat, OPEN) else (0,) * len(own) for seat, own in state.hands.items()}
        return replace(state, hands=hands)

    def terminals(self, state: State) -> Terminals:
        return (("harbour", "|".join(WAYS)),)

    def interpret(self, state: State, seat: Seat, items: Sequence[Any]) -> Interpretation[Orders]:
        near, hand = WAYS[state.ships[seat]], state.hands[seat]
        mistakes, orders = list[Mistake](), None

        def wrong(start: int, text: str, said: Sentence) -> None:
            mistakes.append(Mistake(start, start + len(text), said))

        for item in items:
            if isinstance(item, Unread):
                said = Sentence("Write `Sail to {at} with {card}`.", at=near[0], card=hand[0])
                wrong(item.start_pos, item.value, said)
                continue
            harbour, card = item
            if orders:
                wrong(harbour.start_pos, harbour.value, Sentence("You have one ship: sail to one harbour."))
            orders = Orders(harbour.value.capitalize(), int(card.value))
            if orders.harbour not in near:
                said = Sentence("From {at} you reach {near}.", at=state.ships[seat], near=near)
                wrong(harbour.start_pos, harbour.value, said)
            if orders.card not in hand:
                wrong(card.start_pos, card.value, Sentence("Your cards are {hand}.", hand=hand))
        if mistakes:
            return Interpretation(None, tuple(mistakes), Orders(near[0], max(hand)))
        return Interpretation(orders, ())

    def picture(self, view: State, since: State | None = None, *, say: Say = ENGLISH) -> Picture:
        return (*((Span(line),) for line in MAP), *super().picture(view, since, say=say))

    def prospects(self, view: State, seat: Seat, *, say: Say = ENGLISH) -> tuple[str, str]:
        near = WAYS[view.ships[seat]]
        said = say("You can sail to {near}; lay one of your cards.", near=", ".join(near))
        return said, str(Orders(near[0], max(view.hands[seat])))
