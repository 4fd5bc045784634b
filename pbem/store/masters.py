"""The game masters of matches and leagues: who they are, and what they may decide."""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from pbem.config.config import Address
from pbem.match.identity import Player
from pbem.match.model import Master, Match
from pbem.store import players
from pbem.store.database import Store
from pbem.store.matches import playable, read_masters

_MOST = 50
"""The maximum number of games listed in a game master's `status`. Games that are waiting for the game master come
first."""


def with_masters(match: Match, of_desk: Address) -> Match:
    """Return `match` itself or, if none of its own game masters may decide about it, a copy with the desk's game master
    added."""
    desk = Master(of_desk.name, of_desk.address)
    return match if match.judges or desk in match.masters else replace(match, masters=(*match.masters, desk))


def all_masters(store: Store) -> list[tuple[int, str, Master]]:
    """Return the game masters of all leagues as tuples of the league's number, the league's name and the game master.
    The leading game master of a league comes before its other game masters."""
    rows = store.conn.execute("SELECT id, name, settings ->> '$.masters' FROM leagues ORDER BY id")
    return [(number, name, master) for number, name, masters in rows for master in read_masters(masters or "[]")]


def masters_of(store: Store, league: int | None) -> tuple[Master, ...]:
    """Return the game masters of a league, the leading one first, without those who play in the league. Returns () if
    `league` is None."""
    playing = _playing(store, league)
    every = (master for number, _, master in all_masters(store) if number == league)
    return tuple(master for master in every if master.address.lower() not in playing)


def listeners(store: Store, league: int, of_desk: Address, now: datetime) -> list[Player]:
    """Return the game masters who hear of the rounds of a league: its own or, if it names none, the desk's. Those who
    play in the league, are banned, or want no news (`desk never`) are left out."""
    every = [master.address for number, _, master in all_masters(store) if number == league] or [of_desk.address]
    found = []
    for address in every:
        invitee = players.invitee(store, address.lower())
        silent = invitee.banned or (invitee.player and players.mail_wishes(store, invitee.player.id).desk == "never")
        if not silent and address.lower() not in _playing(store, league):
            player = master_by_address(store, of_desk, address.lower(), now)
            assert player
            found.append(replace(player, address=address))
    return found


def _playing(store: Store, league: int | None) -> frozenset[str]:
    """Return the addresses, in lower case, of everyone who takes part in the current season of a league."""
    rows = """SELECT address FROM entrants e JOIN leagues l ON l.id = e.league AND l.season = e.season
              JOIN addresses a ON a.player = e.player WHERE l.id = ? AND e.state <> 'withdrawn'"""
    return frozenset(store.column(rows, (league,)))


def master_by_address(store: Store, of_desk: Address, address: str, now: datetime) -> Player | None:
    """Return the game master with the given lower-case `address` as a player; None if no game master has that address.
    If the game master is not a player yet, an unconfirmed player is created, who cannot decide anything before a reply
    has come from the address."""
    name = of_desk.name if of_desk.address.lower() == address else _league_master(store, address)
    return None if name is None else players.add_player(store, name or "Game master", address, now, confirmed=False)


def _league_master(store: Store, address: str) -> str | None:
    return next((master.name for _, _, master in all_masters(store) if master.address.lower() == address), None)


def may_set_address(store: Store, address: str, player: int) -> bool:
    """Return whether the game master with the given lower-case `address` may request a new e-mail address for `player`.
    The game master needs the right to do so in a league that the player has agreed to join and in which the game master
    does not play."""
    members = """SELECT e.league FROM entrants e JOIN leagues l ON l.id = e.league AND l.season = e.season
                 WHERE e.player = ? AND e.state <> 'withdrawn' AND agreed IS NOT NULL"""
    leagues = [number for number in store.column(members, (player,)) if address not in _playing(store, number)]
    rights = [master.rights for number, _, master in all_masters(store)
              if number in leagues and master.address.lower() == address]  # fmt: skip
    return any(not words or "address" in words for words in rights)


def directed_by(store: Store, address: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the rights of the game master with the given lower-case `address`, keyed by the name of the league. A
    league that names the address several times has one tuple of rights for each time; an empty tuple means all
    rights."""
    rights: dict[str, tuple[tuple[str, ...], ...]] = {}
    for _, name, master in sorted(all_masters(store), key=lambda row: row[1].casefold()):
        if master.address.lower() == address:
            rights[name] = (*rights.get(name, ()), master.rights)
    return rights


class MasterStatus(NamedTuple):
    """The status of a game master: the league or desk that they direct, their name, the moment at which they were
    banned, and the server's reply if it refused the last letter to them. The last two are None if they do not apply."""

    place: str
    name: str
    banned: str | None
    refused: str | None


def master_statuses(store: Store, of_desk: Address) -> list[MasterStatus]:
    """Return the status of every game master of the desk and of the leagues; the desk's game master comes first."""
    banned = "SELECT banned FROM addresses a JOIN players p ON p.id = a.player WHERE a.address = ?"
    refused = "SELECT refused FROM outbox WHERE recipient = ? ORDER BY id DESC LIMIT 1"
    places = [("the desk", *of_desk), *((f"league {name}", *master[:2]) for _, name, master in all_masters(store))]
    return [
        MasterStatus(place, name, store.value(banned, (address.lower(),)), store.value(refused, (address,)))
        for place, name, address in places
    ]


def games_of_master(store: Store, of_desk: Address, address: str) -> tuple[Match, ...]:
    """Return the unfinished games that the game master with the given lower-case `address` directs, at most `_MOST` of
    them."""
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
    return tuple(with_masters(match, of_desk) for match in playable(store, *(number for (number,) in rows)))


def reports_without_judge(store: Store, of_desk: Address) -> list[str]:
    """Return the names of matches with a report that is waiting for review but that no game master may see, because all
    of them play in the match."""
    rows = store.conn.execute("SELECT id FROM matches WHERE phase = 'review' ORDER BY id").fetchall()
    waiting = (with_masters(match, of_desk) for match in playable(store, *(number for (number,) in rows)))
    return [match.name for match in waiting if not match.judges]
