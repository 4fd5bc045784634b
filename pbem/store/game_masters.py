"""Game masters in the store: of the whole desk by its configuration, of a league by its settings."""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from pbem.config.config import Address
from pbem.match.identity import Player
from pbem.match.model import Master, Match
from pbem.store import matches, players
from pbem.store.database import Store

_MOST = 50
"""How many games a game master's `status` lists: those that wait for them first."""


def with_masters(match: Match, of_desk: Address) -> Match:
    """The match with those who decide on it: the game masters of its league, or the desk's where none of them may."""
    desk = Master(of_desk.name, of_desk.address)
    return match if match.judges or desk in match.masters else replace(match, masters=(*match.masters, desk))


def masters_of(store: Store, league: int | None) -> tuple[Master, ...]:
    """The game masters of a league by its number, the first one foremost; none of no league."""
    rows = store.conn.execute(
        """SELECT one.value ->> 'name', one.value ->> 'address' FROM leagues l, json_each(l.settings, '$.masters') one
           WHERE l.id = ? ORDER BY one.key""",
        (league,),
    )
    return tuple(Master(*row) for row in rows)


def master_by_address(store: Store, of_desk: Address, address: str, now: datetime) -> Player | None:
    """Whoever is game master at this address, in lower case. They decide nothing before it has answered us."""
    name = of_desk.name if of_desk.address.lower() == address else _league_master(store, address)
    return None if name is None else players.add_player(store, name or "Game master", address, now, confirmed=False)


def _league_master(store: Store, address: str) -> str | None:
    row = store.conn.execute(
        """SELECT one.value ->> 'name' FROM leagues, json_each(settings, '$.masters') one
           WHERE lower(one.value ->> 'address') = ?""",
        (address,),
    ).fetchone()
    return row and str(row[0])


def leads(store: Store, address: str, player: int) -> bool:
    """Whether somebody is game master, at an address in lower case, of a league in which a player is or has played, and
    may say what their address is."""
    row = store.conn.execute(
        """SELECT 1 FROM leagues l, json_each(l.settings, '$.masters') one
           WHERE lower(one.value ->> 'address') = :address
             AND (json_array_length(coalesce(one.value -> 'rights', '[]')) = 0
                  OR 'address' IN (SELECT value FROM json_each(one.value, '$.rights')))
             AND (EXISTS (SELECT 1 FROM entrants e WHERE e.league = l.id AND e.player = :player)
                  OR EXISTS (SELECT 1 FROM seats s JOIN matches m ON m.id = s.match
                             WHERE m.league = l.id AND s.player = :player))""",
        {"address": address, "player": player},
    ).fetchone()
    return row is not None


class Reach(NamedTuple):
    """Whether somebody can do their part as game master: of what, their name; banned, or a letter refused, if so."""

    place: str
    name: str
    banned: str | None
    refused: str | None


def reach(store: Store, of_desk: Address) -> list[Reach]:
    """All game masters there are, the desk's first: whether they are banned, and their last letter came back."""
    rows = store.conn.execute(
        """WITH masters (place, name, address) AS (
               SELECT 'the desk', ?, ?
               UNION ALL SELECT 'league ' || l.name, one.value ->> 'name', one.value ->> 'address'
               FROM leagues l, json_each(l.settings, '$.masters') one)
           SELECT place, name, (SELECT banned FROM addresses a JOIN players p ON p.id = a.player
                                WHERE a.address = lower(masters.address)),
                  (SELECT refused FROM outbox o WHERE o.recipient = masters.address ORDER BY o.id DESC LIMIT 1)
           FROM masters""",
        of_desk,
    )
    return [Reach(*row) for row in rows]


def games_of_master(store: Store, of_desk: Address, address: str) -> tuple[Match, ...]:
    """The games that are not over of which somebody is game master."""
    if of_desk.address.lower() != address and _league_master(store, address) is None:
        return ()
    rows = store.conn.execute(
        """SELECT m.id FROM matches m LEFT JOIN leagues l ON l.id = league
           WHERE m.phase IN ('offered', 'running', 'paused', 'review')
             AND CASE WHEN json_array_length(l.settings, '$.masters')
                 THEN EXISTS (SELECT 1 FROM json_each(l.settings, '$.masters') one
                              WHERE lower(one.value ->> 'address') = :address)
                 ELSE :address = :of_desk END
           ORDER BY m.phase <> 'review', m.due IS NULL, m.due, m.id LIMIT :most""",
        {"address": address, "of_desk": of_desk.address.lower(), "most": _MOST},
    ).fetchall()
    return tuple(with_masters(matches.load_match(store, number), of_desk) for (number,) in rows)


def unjudged(store: Store, of_desk: Address) -> list[str]:
    """The names of matches whose report waits though nobody may look at it, since every game master plays there."""
    rows = store.conn.execute("SELECT id FROM matches WHERE phase = 'review' ORDER BY id").fetchall()
    waiting = (with_masters(matches.load_match(store, number), of_desk) for (number,) in rows)
    return [match.name for match in waiting if not match.judges]
