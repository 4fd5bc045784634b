"""Matches to which the clock means something: which are due, and which stand still; leagues that go on. Functions on a
Store."""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache

from pbem.match.terms import next_due, read_terms
from pbem.store.database import Store
from pbem.times.deadlines import parse_deadline
from pbem.times.moments import parse_moment, stamp

_AWAITED = "(CASE phase WHEN 'offered' THEN deck WHEN 'running' THEN secret ELSE '' END)"
"""What chance comes from that may wait for a round of a beacon: then a colon has nothing behind it."""


def ready(store: Store, due: datetime | None, after: int, limit: int) -> list[int]:
    """Matches above a number to which the clock means something: nobody is missing, or up to `due` a deadline is over
    or the time to think again."""
    rows = store.conn.execute(
        """SELECT id FROM (SELECT id FROM matches WHERE phase = 'running' AND waiting = 0
                           UNION SELECT id FROM matches WHERE due <= ?1
                           UNION SELECT id FROM matches WHERE cooling <= ?1)
           WHERE id > ?2 ORDER BY id LIMIT ?3""",
        (due and stamp(due), after, limit),
    )
    return [number for (number,) in rows]


def rounds_awaited(store: Store, numbers: Sequence[int] = ()) -> list[int]:
    """The rounds of the beacon that some matches wait for, 0 for one that is still to be named."""
    from pbem.games.chance import read_source

    rows = store.conn.execute(
        f"SELECT {_AWAITED} FROM matches WHERE id IN ({','.join('?' * len(numbers))}) AND {_AWAITED} LIKE '%:+%'",  # noqa: S608 - question marks
        numbers,
    )
    return [read_source(source).round for (source,) in rows]


def waiting_for_rounds(store: Store, late: datetime) -> list[str]:
    """The names of matches that have waited for a round of the beacon since before a moment."""
    rows = store.conn.execute(
        f"SELECT name FROM matches WHERE cooling < ? AND {_AWAITED} LIKE '%:+%' ORDER BY id",  # noqa: S608 - no value
        (stamp(late),),
    )
    return [name for (name,) in rows]


def cooled(store: Store, until: datetime) -> list[int]:
    """Matches in which the time to think again was over at a moment."""
    rows = store.conn.execute("SELECT id FROM matches WHERE cooling <= ? ORDER BY id", (stamp(until),))
    return [number for (number,) in rows]


def stuck(store: Store, late: datetime) -> list[str]:
    """The names of matches that should have been played on before a moment: due, or complete, since then."""
    rows = store.conn.execute(
        f"""SELECT name FROM matches m WHERE (:late > due OR :late > cooling OR (phase = 'running' AND waiting = 0
               AND NOT EXISTS (
               SELECT 1 FROM orders o JOIN letters l ON l.id = o.letter
               WHERE o.match = m.id AND o.turn = m.turn AND o.state = 'standing' AND l.arrived >= :late)))
               AND {_AWAITED} NOT LIKE '%:+%'
           ORDER BY id""",  # noqa: S608 - no value
        {"late": stamp(late)},
    )
    return [name for (name,) in rows]


def deserted(store: Store) -> list[str]:
    """The names of matches without a deadline in which a player has no address any more."""
    rows = store.conn.execute(
        """SELECT name FROM matches m WHERE phase IN ('running', 'paused') AND deadline IS NULL AND EXISTS (
               SELECT 1 FROM seats s WHERE s.match = m.id
               AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = s.player))
           ORDER BY id"""
    )
    return [name for (name,) in rows]


def due_leagues(store: Store) -> list[int]:
    """The leagues in which something has happened: games ended or were reopened, or somebody leaves."""
    rows = store.conn.execute(
        """SELECT league FROM matches WHERE settled = 0
           UNION SELECT l.id FROM entrants e JOIN leagues l ON l.id = e.league AND l.season = e.season
           WHERE e.state = 'leaving'"""
    )
    return [league for (league,) in rows]


def renew_due(store: Store, now: datetime) -> bool:
    """Look up anew when deadlines of matches are due, for a zone may have other rules since; whether any has moved."""
    from zoneinfo import ZoneInfo

    ZoneInfo.clear_cache()
    terms_in = cache(lambda text: read_terms(json.loads(text)))

    moved = []
    for deadline, terms, began, due in store.conn.execute(  # many games have the same
        """SELECT DISTINCT deadline, terms, began, due FROM matches
           WHERE due > ? AND deadline IS NOT NULL AND deadline NOT LIKE '% UTC'""",
        (stamp(now),),
    ):
        since = parse_moment(began) if began else None
        again = stamp(next_due(parse_deadline(deadline), terms_in(terms), since, now))
        if again != due:
            moved.append((again, due, deadline, terms, began))
    if moved:
        with store.transaction():
            store.conn.executemany(
                "UPDATE matches SET due = ? WHERE due = ? AND deadline = ? AND terms = ? AND began IS ?", moved
            )
    return bool(moved)
