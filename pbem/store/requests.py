"""Requests for the pairing of a league's rounds, as they are stored.

A season is identified by the pair (league, season). The caller opens the transaction.
"""

from collections.abc import Sequence
from datetime import datetime

from pbem.leagues.season import Request
from pbem.store.database import Store


def load_requests(store: Store, season: tuple[int, int]) -> tuple[Request, ...]:
    """Return the pairing requests of a season, including requests for two players never to meet, which are stored under
    season 0."""
    rows = store.conn.execute(
        "SELECT round, player, other, points, late FROM requests WHERE league = ? AND season IN (0, ?) ORDER BY id",
        season,
    )
    return tuple(
        Request(number, player, other, points, late=bool(late)) for number, player, other, points, late in rows
    )


def set_requests(store: Store, season: tuple[int, int], requests: Sequence[Request], now: datetime) -> None:
    """Replace all pairing requests of a season with `requests`."""
    earlier = load_requests(store, season)
    store.conn.execute("DELETE FROM requests WHERE league = ? AND season IN (0, ?)", season)
    for request in requests:
        store.conn.execute(
            "INSERT INTO requests (league, season, round, player, other, points, late) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (season[0], season[1] if request.round else 0, *request),
        )
    added, gone = (
        [request for request in some if request not in rest]
        for some, rest in ((requests, earlier), (earlier, requests))
    )
    store.note("requests", {"league": season[0], "season": season[1], "more": added, "gone": gone}, now)
