"""The events of a turn as plain data, stored as JSON without conversion (§10).

If an event has `seen`, that list names the seats that may see the whole event. All others see the event without its
`card` or, if it has no card, do not see it; see `state.redact_events`.
"""

from typing import Literal, NotRequired, TypedDict

from pbem.games.base import Seat, Side

Throw = Literal["first", "reroll", "rocknroll"]
AttackWhy = Literal["order", "act", "blocker", "raid", "riposte", "avenge"]
MoveWhy = Literal["order", "act", "march", "lure", "ride", "avenge"]
TakeWhy = Literal["opening", "income", "trade", "buy", "compensation", "echo", "torture"]
GiveWhy = Literal["reroll", "trade", "act", "sell", "capture"]
RdWhy = Literal["miss", "loss", "compensation", "echo", "feature", "sell", "buy", "pour"]
FellWhy = Literal["attack", "rocknroll", "explosion", "super"]
CardKind = Literal["order", "unit"]
Check = Literal["save", "lure", "trap", "order", "capture", "torture", "execute", "recruit"]
Reason = Literal[
    "condition", "phase", "hand", "point", "supply", "rd", "unit", "used", "target", "range", "guarded", "number",
    "side", "chance",
]  # fmt: skip
"""The reasons why a line cannot be carried out (§6)."""


class Turn(TypedDict):
    """A seat's turn begins (`turn`), a seat has sent no script (`missed`), or a Current Action begins (`act`). The two
    cards given for a Current Action are in the events that follow."""

    type: Literal["turn", "missed", "act"]
    seat: Seat


class Skipped(TypedDict):
    """A line of the script is skipped because it cannot be carried out. If `unit` is not None, only the action of that
    unit is skipped."""

    type: Literal["skipped"]
    seat: Seat
    line: int
    unit: str | None
    reason: Reason
    seen: list[Seat]


class Deployed(TypedDict):
    """A unit is deployed from a hand to an end Point."""

    type: Literal["deploy"]
    seat: Seat
    unit: str
    point: str


class Played(TypedDict):
    """A seat plays an order, which all players can then see."""

    type: Literal["play"]
    seat: Seat
    card: str


class Moved(TypedDict):
    """A unit goes from one Point to another."""

    type: Literal["move"]
    unit: str
    side: Side
    source: str
    to: str
    why: MoveWhy


class _Card(TypedDict):
    """The keys that all events about a seat's card have in common. If the card comes from a deck or goes to a deck,
    only that seat may see which card it is."""

    seat: Seat
    kind: CardKind
    card: str
    seen: NotRequired[list[Seat]]


class Taken(_Card):
    """A seat takes a card into its hand."""

    type: Literal["take"]
    source: Literal["deck", "reserve"]
    why: TakeWhy


class Discarded(_Card):
    """A seat gives away a card."""

    type: Literal["discard"]
    why: GiveWhy
    to: Literal["deck", "reserve", "discard"]


class _Throw(TypedDict):
    """The keys that all events announcing a throw have in common: the side that throws, the value that it needs, and
    the bonus and the RD that are added to each die."""

    side: Side
    need: int
    bonus: int
    poured: int


class Attacked(_Throw):
    """An attack is declared."""

    type: Literal["attack"]
    unit: str
    target: str
    why: AttackWhy


class Checked(_Throw):
    """A check is declared. `point` is the target if the check is for an order."""

    type: Literal["check"]
    what: Check
    unit: str | None
    card: str | None
    target: str | None
    point: str | None


Rolled = TypedDict(
    "Rolled",
    {
        "type": Literal["roll"],
        "side": Side | None,
        "for": Check | Literal["attack", "start", "echo"],
        "throw": Throw,
        "value": int,
        "success": bool | None,
    },
)
"""A die is rolled. `success` says whether its value suffices together with everything added to it; for a roll during
the set-up, `success` is None."""


class Supplied(TypedDict):
    """A side's RD changes: `now` is the new number of RD, and `why` is the reason."""

    type: Literal["rd"]
    side: Side
    now: int
    why: RdWhy


class Fell(TypedDict):
    """A unit falls. It remains on its Point until it is saved or lost."""

    type: Literal["fell"]
    unit: str
    why: FellWhy


class Lost(TypedDict):
    """A unit is lost, which counts as a combat loss."""

    type: Literal["lost"]
    unit: str
    side: Side
    to: Literal["reserve", "graveyard"]


class Treated(TypedDict):
    """A unit is captured, a captive is executed or freed, or a fallen unit is saved. `by` is the captor's side or, if a
    unit is saved, the unit that saved it."""

    type: Literal["captured", "executed", "freed", "saved"]
    unit: str
    by: Side | str


class Recruited(TypedDict):
    """A captive joins the side that held it, and comes into the hand of `seat`."""

    type: Literal["recruited"]
    unit: str
    by: Side
    seat: Seat


class Summed(TypedDict):
    """A round ends: `control` maps each Point to the side that controls it, `winner` is the side that won the round,
    and `ok` is the OK of each side after the round."""

    type: Literal["summary"]
    control: dict[str, Side | None]
    winner: Side | None
    ok: dict[Side, int]


class Echoed(TypedDict):
    """A red effect of Echo applies for the side that holds Echo."""

    type: Literal["echo"]
    side: Side
    effect: str


class Reshuffled(TypedDict):
    """The orders are shuffled into a new deck of `count` cards."""

    type: Literal["reshuffle"]
    count: int


class Round(TypedDict):
    """A round begins, and `order` lists the seats in its order of play."""

    type: Literal["round"]
    round: int
    order: list[Seat]


class Over(TypedDict):
    """The war is over; the winner is a side or `draw`."""

    type: Literal["over"]
    winner: str
    reason: Literal["ok", "extermination", "limit"]


TurnEvent = (
    Turn
    | Skipped
    | Deployed
    | Played
    | Moved
    | Taken
    | Discarded
    | Attacked
    | Checked
    | Rolled
    | Supplied
    | Fell
    | Lost
    | Treated
    | Recruited
    | Summed
    | Echoed
    | Reshuffled
    | Round
    | Over
)
