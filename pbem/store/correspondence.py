"""What the seats of a match wrote, and during which turn each letter came. Functions on a Store."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.store.database import Store


class OrdersOf(NamedTuple):
    """Orders that a letter held: turn, state, number of the receipt (None: only proposed), own words, canonical."""

    turn: int
    state: str
    number: int | None
    written: str
    canonical: str


class CameIn(NamedTuple):
    """A letter with the token of a seat: its number, when it came, from which address, `raw` None if that is gone.

    `answers` is the turn of its token, 0 if that was undone; `during` the turn that was being played when it was
    handled, the last time if there were several, and `played` how many turns had been played by then, those that were
    undone since included. `state` and `outcome` are what became of it.
    """

    number: int
    arrived: str
    seat: Seat
    sender: str
    answers: int
    during: int
    played: int
    state: str
    outcome: str
    raw: bytes | None
    orders: tuple[OrdersOf, ...]


def letters_of(store: Store, match: int) -> list[CameIn]:
    """The letters of a match's seats that were handled, held or set aside, in the order in which they were kept."""
    orders, found = _orders_of(store, match), []
    for letter, (during, played) in sorted(_when(store, match).items()):
        rows = store.conn.execute(
            """SELECT arrived, seat, coalesce(sender, ''), turn, state, coalesce(outcome, ''), raw FROM letters
               WHERE id = ? AND state <> 'kept' AND seat IN (SELECT seat FROM seats WHERE match = letters.match)""",
            (letter,),
        )
        for arrived, seat, sender, turn, state, outcome, raw in rows:
            held = tuple(orders.get(letter, ()))
            found.append(CameIn(letter, arrived, seat, sender, turn, during, played, state, outcome, raw, held))
    return found


def _when(store: Store, match: int) -> Mapping[int, tuple[int, int]]:
    """For each letter the turn that was being played, and how many turns had been: as the record tells it."""
    during, played, found = 1, 0, {}
    for kind, text in store.conn.execute(
        """SELECT kind, content FROM record JOIN record_contents ON record = id WHERE match = ?
           AND kind IN ('letter in', 'letter set aside', 'turn', 'undo') ORDER BY id""",
        (match,),
    ):
        content = json.loads(text)
        if kind == "turn":
            during, played = content["turn"] + 1, played + 1
        elif kind == "undo":
            during = content["turn"]
        else:
            found[content["letter"]] = during, played
    return found


def _orders_of(store: Store, match: int) -> Mapping[int, list[OrdersOf]]:
    found: dict[int, list[OrdersOf]] = {}
    for letter, turn, state, number, written, canonical in store.conn.execute(
        """SELECT letter, turn, state, number, written, canonical FROM orders
           WHERE match = ? AND letter IS NOT NULL ORDER BY id""",
        (match,),
    ):
        found.setdefault(letter, []).append(OrdersOf(turn, state, number, written, canonical))
    return found


def states_before(store: Store, match: int) -> list[str]:
    """The state before each turn that was played, those that were undone since included, in the game's own form."""
    rows = store.conn.execute("SELECT before FROM turns WHERE match = ? ORDER BY id", (match,))
    return [before for (before,) in rows]


def asked_back(store: Store) -> list[tuple[bytes, str]]:
    """The letters of turns that are played whose orders were asked about or refused, each with its game."""
    rows = store.conn.execute(
        """SELECT l.raw, m.game FROM letters l JOIN matches m ON m.id = l.match
           WHERE (l.outcome LIKE '%doubt%' OR l.outcome LIKE '%perhaps%' OR l.outcome LIKE '%refusal%')
           AND l.raw IS NOT NULL AND (l.turn < m.turn OR m.phase = 'finished')"""
    )
    return [(bytes(raw), game) for raw, game in rows]


def names_of_players(store: Store) -> list[str]:
    """What all players are called."""
    return [name for (name,) in store.conn.execute("SELECT name FROM players")]
