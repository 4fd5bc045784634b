"""What a seat, or anybody, may see of a state and of what happened (rnr §9)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.base import OPEN, Event, Reader
from pbem.games.rocknroll.state import Cards, Decks, Hand, State, dump

UNKNOWN = ""
"""A card that its reader may not see."""


@dataclass(frozen=True, slots=True)
class View:
    """A state as its reader may see it: `UNKNOWN` stands for each card that is hidden, and other seats' standing orders
    are left out."""

    state: State
    reader: Reader


def view(state: State, reader: Reader) -> View:
    """What a seat may see, or None: everybody; `OPEN`: whoever looks when the war is over."""
    if reader == OPEN:
        return View(state, reader)
    hands = {seat: hand if seat == reader else _hidden_hand(hand) for seat, hand in state.hands.items()}
    decks = Decks({side: _hidden(deck) for side, deck in state.decks.units.items()}, _hidden(state.decks.orders))
    standing = {seat: rules for seat, rules in state.standing.items() if seat == reader}
    return View(replace(state, hands=hands, decks=decks, box=_hidden(state.box), standing=standing), reader)


def _hidden(cards: Cards) -> Cards:
    return (UNKNOWN,) * len(cards)


def _hidden_hand(hand: Hand) -> Hand:
    return Hand(_hidden(hand.units), _hidden(hand.orders))


def show(seen: View) -> dict[str, Any]:
    """A view in JSON: the state with numbers in place of what is hidden, other seats' standing orders null."""
    found: dict[str, Any] = {**dump(seen.state)}
    if seen.reader == OPEN:
        return found
    hands = {seat: hand if seat == seen.reader else _numbers(hand) for seat, hand in found["hands"].items()}
    standing = {seat: found["standing"].get(seat) for seat, _ in seen.state.seats}
    return {**found, "hands": hands, "decks": _numbers(found["decks"]), "box": len(found["box"]), "standing": standing}


def _numbers(lists: Mapping[str, list[str]]) -> dict[str, int]:
    return {name: len(cards) for name, cards in lists.items()}


def shown(events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
    """Events as a reader may know them: to others than those in `seen` one is told without its card, if it has one."""
    told = []
    for event in events:
        if "seen" not in event:
            told.append(event)
        elif reader == OPEN or reader in event["seen"]:
            told.append({key: value for key, value in event.items() if key != "seen"})
        elif "card" in event:
            told.append({key: value for key, value in event.items() if key not in ("seen", "card")})
    return tuple(told)
