"""The events of a turn as plain data, stored as JSON without conversion (§10).

An event with `seen` either has a hidden card, which is its `card`, or is meant for these seats alone; see
`state.redact_events`.
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
    """A seat's turn begins, a seat has sent no script, or a Current Action begins, whose two cards follow."""

    type: Literal["turn", "missed", "act"]
    seat: Seat


class Skipped(TypedDict):
    """A line of the script that cannot be carried out; with `unit`, only the pair of that unit."""

    type: Literal["skipped"]
    seat: Seat
    line: int
    unit: str | None
    reason: Reason
    seen: list[Seat]


class Deployed(TypedDict):
    """A unit comes from a hand to an end Point."""

    type: Literal["deploy"]
    seat: Seat
    unit: str
    point: str


class Played(TypedDict):
    """An order is revealed."""

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
    """A card of a seat; if it comes from a deck or goes to one, only the seat sees which card it is."""

    seat: Seat
    kind: CardKind
    card: str
    seen: NotRequired[list[Seat]]


class Taken(_Card):
    """A card comes to a hand."""

    type: Literal["take"]
    source: Literal["deck", "reserve"]
    why: TakeWhy


class Discarded(_Card):
    """A card is given away."""

    type: Literal["discard"]
    why: GiveWhy
    to: Literal["deck", "reserve", "discard"]


class _Throw(TypedDict):
    """The purpose of dice, and what is added to each of them."""

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
    """A check is declared; `point` is the target of an order."""

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
"""A die roll, and whether it suffices with everything that is added."""


class Supplied(TypedDict):
    """The RD that a side has now, and why they have changed."""

    type: Literal["rd"]
    side: Side
    now: int
    why: RdWhy


class Fell(TypedDict):
    """A unit falls; it lies there until it is saved or lost."""

    type: Literal["fell"]
    unit: str
    why: FellWhy


class Lost(TypedDict):
    """A combat loss."""

    type: Literal["lost"]
    unit: str
    side: Side
    to: Literal["reserve", "graveyard"]


class Treated(TypedDict):
    """Something happens to a captive, and `by` is the side that holds it; or a fallen unit is saved, and `by` is the
    unit that saved it."""

    type: Literal["captured", "executed", "freed", "saved"]
    unit: str
    by: Side | str


class Recruited(TypedDict):
    """A captive joins the side that held it."""

    type: Literal["recruited"]
    unit: str
    by: Side
    seat: Seat


class Summed(TypedDict):
    """The end of a round: who holds the Points, who has won the round, and the OK after it."""

    type: Literal["summary"]
    control: dict[str, Side | None]
    winner: Side | None
    ok: dict[Side, int]


class Echoed(TypedDict):
    """A red effect of Echo for the side that holds it."""

    type: Literal["echo"]
    side: Side
    effect: str


class Reshuffled(TypedDict):
    """The orders are shuffled into a new deck of this size."""

    type: Literal["reshuffle"]
    count: int


class Round(TypedDict):
    """A round begins."""

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
