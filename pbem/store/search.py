"""Orders, games and players by what they hold: what everybody may know, and nothing else. Functions on a Store."""

import re
from typing import NamedTuple

from pbem import PbemError
from pbem.store.database import Store

_SEPARATORS = re.compile(r"[,;\n]")
_WORDS = re.compile(r"[^\W_]+")


class SearchError(PbemError):
    """There is nothing in a text that could be searched for."""


class FoundGame(NamedTuple):
    """A game by its own name or a player's; `players` with their seats, `phase` as in the table of games."""

    game: str
    players: str
    phase: str


class FoundOrders(NamedTuple):
    """What a seat ordered in a turn; `undone`: since when the turn counts no longer."""

    game: str
    turn: int
    seat: str
    orders: str
    undone: str | None


class Found(NamedTuple):
    """What was found, newest first; `more`: there is more of either than was asked for."""

    games: list[FoundGame]
    orders: list[FoundOrders]
    more: bool


def search(store: Store, text: str, limit: int) -> Found:
    """Games whose name or players hold a text, and orders that hold all its items. Raises SearchError.

    Items are parted by commas, semicolons and line feeds; the words of one stand beside each other in this order, in
    any case. No sign means anything else: neither quotation marks nor `*` nor `NEAR`.
    """
    words = [_WORDS.findall(item) for item in _SEPARATORS.split(text)]
    items = [f'"{" ".join(item)}"' for item in words if item]
    if not items:
        raise SearchError(
            "There is no word or number in what is to be found: write orders such as 3 A to MC, or a name."
        )
    name = text.encode("utf-8", "replace").decode().strip()
    games = store.conn.execute(_GAMES, (name, name, limit + 1)).fetchall()
    orders = store.conn.execute(_ORDERS, (" AND ".join(items), limit + 1)).fetchall()
    return Found(
        [FoundGame(*row) for row in games[:limit]],
        [FoundOrders(*row) for row in orders[:limit]],
        len(games) > limit or len(orders) > limit,
    )


_GAMES = """
    SELECT name, players, phase FROM games
    WHERE id IN (SELECT id FROM matches WHERE instr(lower(name), lower(?))
                 UNION SELECT match FROM seats WHERE instr(lower(name), lower(?))) ORDER BY id DESC LIMIT ?"""

# CROSS JOIN: first what is found, newest first, and of that no more than is asked for.
_ORDERS = """
    SELECT game, p.turn, p.seat, p.orders, undone
    FROM order_search s CROSS JOIN turns_played p ON p.id = s.turn AND p.seat = s.seat
    WHERE order_search MATCH ? ORDER BY s.rowid DESC LIMIT ?"""
