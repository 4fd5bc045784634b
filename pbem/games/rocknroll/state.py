"""The state at the start of a turn (§4), and the view of it that a seat or the public gets (§9).

A state contains the place of every card and everything else that the rules remember. Lists are ordered: a hand from the
oldest card to the newest, a deck from the top, a Point in order of arrival. A unit belongs to the side in whose list it
appears, whatever its card says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem import ENGLISH, Say
from pbem.games.base import OPEN, Chair, Event, Reader, Seat, Side
from pbem.games.plain import fields_of
from pbem.games.rocknroll.cards import CardSet

Cards = tuple[str, ...]
"""Names of cards, in order."""

DRAW = "draw"
"""The value of `State.winner` after a war that ended in a draw."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards that a seat holds."""

    units: Cards = ()
    orders: Cards = ()


@dataclass(frozen=True, slots=True)
class Decks:
    """The cards that remain to be drawn: the units of each side, and the orders."""

    units: Mapping[Side, Cards]
    orders: Cards


@dataclass(frozen=True, slots=True)
class State:
    """The position at the start of a turn.

    `order` lists the seats in the order of play of this round, and `next` is the index of the seat to move. `row` lists
    the Points from one end to the other. `captives` are keyed by the side that holds them, and `box` lists the units
    that were not dealt. `losses` counts each side's losses that have yet to be compensated; `ok` and `rd` count each
    side's OK and RD. `echo` is the die thrown for Echo during the set-up. `standing` contains standing orders in
    canonical form, keyed by seat and then by their own keys. `limit` is the number of rounds after which the war ends,
    or None. `winner` is None, a side or `draw`. `gone` lists the seats that have left, in the order of `seats` (J25).
    """

    cards: CardSet
    round: int
    seats: tuple[Chair, ...]
    order: tuple[Seat, ...]
    next: int
    row: tuple[str, ...]
    points: Mapping[str, Mapping[Side, Cards]] = field(hash=False)
    hands: Mapping[Seat, Hand] = field(hash=False)
    decks: Decks = field(hash=False)
    reserve: Mapping[Side, Cards] = field(hash=False)
    discard: Cards
    graveyard: Mapping[Side, Cards] = field(hash=False)
    captives: Mapping[Side, Cards] = field(hash=False)
    box: Cards
    losses: Mapping[Side, int] = field(hash=False)
    ok: Mapping[Side, int] = field(hash=False)
    rd: Mapping[Side, int] = field(hash=False)
    echo: int | None
    standing: Mapping[Seat, Mapping[str, str]] = field(hash=False)
    limit: int | None
    winner: str | None
    gone: tuple[Seat, ...] = ()

    @property
    def on_turn(self) -> Seat | None:
        """The seat whose turn it is; None after the end of the war."""
        return None if self.winner else self.order[self.next]

    @property
    def playing(self) -> tuple[Chair, ...]:
        """The seats that are still in the game."""
        return tuple(chair for chair in self.seats if chair.seat not in self.gone) if self.gone else self.seats

    def side_of(self, seat: Seat) -> Side:
        """Return the side of a seat."""
        return next(chair.side for chair in self.seats if chair.seat == seat)


def neighbours(row: tuple[str, ...], point: str) -> list[str]:
    """Return the neighbours of a Point, in the order of the row."""
    at = row.index(point)
    return [row[to] for to in (at - 1, at + 1) if 0 <= to < len(row)]


GONE = "gone"


def dump(state: State) -> dict[str, Any]:
    """Convert a state to plain data."""
    data = {"set": state.cards.id, **fields_of(state, "cards", *(() if state.gone else (GONE,)))}
    return {**data, "decks": {**data["decks"]["units"], "orders": data["decks"]["orders"]}}


UNKNOWN = ""
"""A stand-in for a card that the reader may not see."""


@dataclass(frozen=True, slots=True)
class View:
    """A state as its reader may see it: hidden cards are `UNKNOWN`, and the standing orders of other seats are left
    out."""

    state: State
    reader: Reader


def of_states(tell: Callable[..., Any]) -> Any:
    """Turn `tell`, a function of states, into a static method that also accepts views in place of states."""

    def of_views(*views: Any, say: Say = ENGLISH) -> Any:
        return tell(*(view.state if isinstance(view, View) else view for view in views), say=say)

    return staticmethod(of_views)


def view_of(state: State, reader: Reader) -> View:
    """Return what `reader` may see of `state`. The reader is a seat, None for the public, or `OPEN` for anyone after
    the end of the war."""
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
    """Convert a view to plain data for JSON: counts replace hidden cards, and None replaces other seats' standing
    orders."""
    data: dict[str, Any] = {**dump(seen.state)}
    if seen.reader == OPEN:
        return data
    hands = {seat: hand if seat == seen.reader else _numbers(hand) for seat, hand in data["hands"].items()}
    standing = {seat: data["standing"].get(seat) for seat, _ in seen.state.seats}
    return {**data, "hands": hands, "decks": _numbers(data["decks"]), "box": len(data["box"]), "standing": standing}


def _numbers(lists: Mapping[str, list[str]]) -> dict[str, int]:
    return {name: len(cards) for name, cards in lists.items()}


def redact_events(events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
    """Return the events as `reader` may see them. If the `seen` list of an event does not name the reader, the event
    loses its `card`; if it has no card, it is left out."""
    visible = []
    for event in events:
        if "seen" not in event:
            visible.append(event)
        elif reader == OPEN or reader in event["seen"]:
            visible.append({key: value for key, value in event.items() if key != "seen"})
        elif "card" in event:
            visible.append({key: value for key, value in event.items() if key not in ("seen", "card")})
    return tuple(visible)
