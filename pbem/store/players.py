"""Players: their addresses and whether these are confirmed, the games that players are waiting for, and their
vacations.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from pbem.match import effects
from pbem.match.identity import MailWishes, Player, computers_level, read_mail_wishes
from pbem.match.model import UNDO, Claim, Invitee
from pbem.match.names import apart
from pbem.store.database import EffectHandler, Store
from pbem.store.forgetting import forget
from pbem.store.outbox import arrives_again
from pbem.times.deadlines import Absence
from pbem.times.moments import parse_moment, stamp


def player_by_address(store: Store, address: str | None) -> Player | None:
    """Return the player who has confirmed the given lower-case `address`; None if there is no such player, or if the
    player is banned."""
    row = store.conn.execute(
        """SELECT p.id, p.name, (SELECT written FROM addresses a WHERE a.player = p.id AND confirmed IS NOT NULL
                                 ORDER BY rowid LIMIT 1), zone, language
           FROM addresses JOIN players p ON p.id = player
           WHERE address = ? AND addresses.confirmed IS NOT NULL AND banned IS NULL""",
        (address,),
    ).fetchone()
    return row and Player(row[0], row[1], row[2], row[3], language=row[4])


def add_player(store: Store, name: str, address: str, now: datetime, *, confirmed: bool = True) -> Player:
    """Return the player with this address. If nobody has the address, a player called `name` is created. If `confirmed`
    is true, the address counts as confirmed. The address of a computer player is stored in such a way that no letters
    are sent to it."""
    since = stamp(now)
    row = store.conn.execute("SELECT player FROM addresses WHERE address = ?", (address.lower(),)).fetchone()
    if row is None:
        written = "" if computers_level(address) else address
        sure = since if confirmed else None
        number = store.insert("players", name=name, since=since, confirmed=sure)
        store.insert("addresses", address=address.lower(), written=written, player=number, confirmed=sure)
        return Player(number, name, written)
    player = load_player(store, row[0])
    if confirmed:
        _confirm(store, effects.Confirm(player, address), now)
    return player


def is_computer(store: Store, number: int) -> bool:
    """Return whether a player is the computer, at any level."""
    places = store.conn.execute("SELECT address FROM addresses WHERE player = ?", (number,))
    return any(computers_level(place) for (place,) in places)


def load_player(store: Store, number: int) -> Player:
    """Load a player by number. The player's address is the one to which letters go, even if it has yet to be
    confirmed."""
    row = store.conn.execute(
        """SELECT id, name, (SELECT written FROM addresses WHERE player = players.id
                             ORDER BY confirmed IS NULL, rowid LIMIT 1), zone,
                  (SELECT json_group_array(json_array(first, last, zone)) FROM absences a
                   WHERE a.player = players.id AND NOT spent),
                  language
           FROM players WHERE id = ?""",
        (number,),
    ).fetchone()
    return Player(row[0], row[1], row[2] or "", row[3], read_absences(row[4]), row[5])


def spent_absences(store: Store, player: int) -> tuple[Absence, ...]:
    """Return those vacations of a player that had already put off a deadline when the player ended them early."""
    query = "SELECT json_group_array(json_array(first, last, zone)) FROM absences WHERE player = ? AND spent"
    return read_absences(store.value(query, (player,)))


def drop_absences(store: Store, beyond: date) -> list[tuple[Player, Absence]]:
    """Delete all vacations that begin after the day `beyond`, apart from those in `spent_absences`; return each deleted
    vacation with its player."""
    rows = store.conn.execute(
        "DELETE FROM absences WHERE first > ? AND NOT spent RETURNING player, first, last, zone", (beyond.isoformat(),)
    ).fetchall()
    return [
        (load_player(store, player), Absence(date.fromisoformat(first), date.fromisoformat(last), zone))
        for player, first, last, zone in rows
    ]


def read_absences(text: str) -> tuple[Absence, ...]:
    """Parse a JSON list of vacations, each of which is a list of the first day, the last day and the time zone."""
    if text == "[]":
        return ()
    days = (tuple(row) for row in json.loads(text))
    return tuple(Absence(date.fromisoformat(first), date.fromisoformat(last), zone) for first, last, zone in days)


def mail_wishes(store: Store, number: int) -> MailWishes:
    """Return how a player wants to receive letters."""
    mail = store.value("SELECT mail FROM players WHERE id = ?", (number,))
    return read_mail_wishes(mail) if mail else MailWishes()


def find_player(store: Store, number: int) -> Player | None:
    """Return the player with this number; None if there is no such player, or if the player is banned."""
    row = store.conn.execute("SELECT 1 FROM players WHERE id = ? AND banned IS NULL", (number,)).fetchone()
    return row and load_player(store, number)


def has_played(store: Store, player: int) -> bool:
    """Return whether a player has ever sent orders in time."""
    return bool(store.value("SELECT 1 FROM attendance WHERE player = ? AND NOT missed LIMIT 1", (player,)))


def addresses(store: Store, player: int, *, confirmed: bool) -> frozenset[str]:
    """Return a player's addresses in lower case, either the confirmed or the unconfirmed ones."""
    rows = store.conn.execute(
        "SELECT address FROM addresses WHERE player = ? AND (confirmed IS NOT NULL) = ?", (player, confirmed)
    )
    return frozenset(address for (address,) in rows)


def answered_with(store: Store, player: int, section: str, since: datetime) -> int:
    """Return how many letters from a player arrived at or after `since` and were answered with the given section."""
    count = store.value(
        """SELECT count(*) FROM letters WHERE sender IN (SELECT address FROM addresses WHERE player = ?)
           AND arrived >= ? AND instr(outcome, ?)""",
        (player, stamp(since), section),
    )
    return int(count)


def invitee(store: Store, address: str, by: int = 0) -> Invitee:
    """Return what the desk knows about the person at a lower-case `address`, whom the player `by` has named in a
    command."""
    row = store.conn.execute(
        """SELECT player, refuses IS NOT NULL, banned IS NOT NULL,
                  EXISTS (SELECT 1 FROM matches m JOIN seats mine ON mine.match = m.id AND mine.player = ?
                          JOIN seats theirs ON theirs.match = m.id AND theirs.player = p.id AND theirs.accepted IS NULL
                          WHERE m.phase = 'offered')
           FROM addresses a JOIN players p ON p.id = player
           WHERE address = ?""",
        (by, address),
    ).fetchone()
    if row is None:
        return Invitee(address, None)
    player, refuses, banned, is_asked = row
    return Invitee(address, load_player(store, player), bool(refuses), bool(banned), bool(is_asked))


def addresses_called(store: Store, name: str) -> tuple[str, ...]:
    """Return the first confirmed address of each player called `name`, in any case. Players without one are left
    out."""
    rows = store.conn.execute(
        """SELECT name, address FROM players p JOIN addresses a ON a.player = p.id
           WHERE a.confirmed IS NOT NULL GROUP BY p.id HAVING a.rowid = min(a.rowid) ORDER BY p.id"""
    )
    return tuple(address for known, address in rows if known.casefold() == name.strip().casefold())


def list_players(store: Store) -> list[dict[str, Any]]:
    """Return a row about each player, for the operator: number, name, address, when they joined, whether they are
    confirmed, whether they are banned, and the number of their unfinished games."""
    from sqlite_utils import Database

    rows = Database(store.conn).query(
        """SELECT p.id, p.name, (SELECT written FROM addresses a WHERE a.player = p.id
                                 ORDER BY confirmed IS NULL, rowid LIMIT 1) AS address,
                  p.since, p.confirmed IS NOT NULL AS confirmed, p.banned IS NOT NULL AS banned,
                  (SELECT count(*) FROM seats s JOIN matches m ON m.id = s.match
                   WHERE s.player = p.id AND m.phase IN ('offered', 'running', 'paused', 'review')) AS games
           FROM players p ORDER BY p.id"""
    )
    return [row | {"confirmed": bool(row["confirmed"]), "banned": bool(row["banned"])} for row in rows]


def player_names(store: Store) -> list[tuple[int, str]]:
    """Return the numbers and names of all players, in the order in which they joined."""
    return store.conn.execute("SELECT id, name FROM players ORDER BY id").fetchall()


def number_of_player(store: Store, who: str) -> int | None:
    """Return the number of the player whom `who` names by number or by address; None if there is no such player."""
    number: int | None = store.value(
        "SELECT id FROM players WHERE CAST(id AS TEXT) = ? UNION SELECT player FROM addresses WHERE address = ?",
        (who, who.lower()),
    )
    return number


def awaited_games(store: Store, player: int) -> frozenset[str]:
    """Return the names of the games in which a player is waiting for the next match."""
    return frozenset(store.column("SELECT game FROM entrants WHERE player = ? AND league IS NULL", (player,)))


def invited(store: Store, by: Player, now: datetime) -> None:
    """Count one letter that the player `by` caused to be sent to somebody who had not asked for it."""
    store.insert("invitations", player=by.id, made=stamp(now))


def invited_since(store: Store, player: int, since: datetime) -> int:
    """Return the number of letters that a player has caused to be sent after `since` to people who had not asked for
    them."""
    return int(store.value("SELECT count(*) FROM invitations WHERE player = ? AND made > ?", (player, stamp(since))))


def held_letters(store: Store, player: int) -> tuple[int, ...]:
    """Return the numbers of the held letters from a player's addresses. The player has yet to confirm these letters."""
    rows = store.conn.execute(
        """SELECT id FROM letters WHERE state = 'held'
           AND sender IN (SELECT address FROM addresses WHERE player = ?)""",
        (player,),
    )
    return tuple(number for (number,) in rows)


def waiting_to_play(store: Store, game: str) -> list[Player]:
    """Return the players who are waiting for the next match of a game, longest-waiting first."""
    rows = store.conn.execute(
        "SELECT player FROM entrants WHERE league IS NULL AND game = ? ORDER BY since, rowid", (game,)
    ).fetchall()
    return [load_player(store, number) for (number,) in rows]


def stop_waiting(store: Store, player: int, games: Iterable[str]) -> None:
    """Remove a player from the waiting lists for the next match of each of `games`."""
    store.conn.executemany(
        "DELETE FROM entrants WHERE player = ? AND league IS NULL AND game = ?", [(player, game) for game in games]
    )


def data_of(store: Store, player: int) -> dict[str, Any]:
    """Return everything that the desk stores about a player, except their rating, in the form in which it is shown to
    them."""
    keys = ("name", "since", "zone", "language", "mail", "refuses")
    select = "SELECT name, since, zone, language, mail, refuses FROM players WHERE id = ?"
    row = store.conn.execute(select, (player,)).fetchone()
    lists = {
        key: store.conn.execute(query, (player,)).fetchall()
        for key, query in {
            "addresses": """SELECT written, confirmed IS NOT NULL FROM addresses WHERE player = ?1
                            UNION ALL SELECT address, 0 FROM claims WHERE player = ?1 AND taken IS NULL""",
            "absences": "SELECT DISTINCT first, last FROM absences WHERE player = ? ORDER BY first",
            "games": """SELECT m.name, seat, coalesce(nullif(s.untold, ''), s.name), m.game
                        FROM seats s JOIN matches m ON m.id = match
                        WHERE player = ? ORDER BY match""",
            "leagues": """SELECT l.name, e.name, state, rating FROM entrants e JOIN leagues l ON l.id = league
                          WHERE player = ? ORDER BY l.name""",
            "watched": "SELECT name FROM observers JOIN matches ON matches.id = match WHERE player = ? ORDER BY match",
            "awaited": "SELECT game FROM entrants WHERE player = ? AND league IS NULL ORDER BY game",
        }.items()
    }
    counted = {
        key: store.value(query, (player,))
        for key, query in {
            "on_time": "SELECT count(*) FROM attendance WHERE player = ? AND NOT missed",
            "missed": "SELECT count(*) FROM attendance WHERE player = ? AND missed",
            "letters": """SELECT count(*) FROM letters WHERE raw IS NOT NULL
                          AND sender IN (SELECT address FROM addresses WHERE player = ?)""",
            "sent": "SELECT count(*) FROM outbox WHERE player = ? AND recipient <> ''",
        }.items()
    }
    return {**dict(zip(keys, row, strict=True)), **lists, **counted}


def _meet(store: Store, effect: effects.Meet, now: datetime) -> None:
    new = add_player(store, effect.player.name, effect.player.address, now, confirmed=False)
    if effect.player.language and not new.language:
        _set_language(store, effects.SetLanguage(new, effect.player.language), now)


def _confirm(store: Store, effect: effects.Confirm, now: datetime) -> None:
    """Confirm an address. A player who was not confirmed or had no name before gets the name in `effect`, followed by a
    number in games where another seat has a similar name."""
    conn, player, since = store.conn, effect.player, stamp(now)
    conn.execute(
        """UPDATE addresses SET confirmed = ?
           WHERE address = ? AND player = ? AND confirmed IS NULL""",
        (since, effect.address.lower(), player.id),
    )
    named = conn.execute(
        """UPDATE players SET confirmed = coalesce(confirmed, ?), name = ?
           WHERE id = ? AND (confirmed IS NULL OR name = '')""",
        (since, player.name, player.id),
    )
    if not (named.rowcount and player.name):
        return
    seats = conn.execute(  # in a league, the league's rules for names apply
        """SELECT match, seat,
                  (SELECT json_group_array(coalesce(nullif(o.untold, ''), o.name)) FROM seats o
                   WHERE o.match = s.match AND o.seat <> s.seat)
           FROM seats s WHERE player = ? AND match IN (SELECT id FROM matches WHERE league IS NULL)""",
        (player.id,),
    ).fetchall()
    for match, seat, others in seats:
        name = apart(player.name, json.loads(others))
        conn.execute(
            """UPDATE seats SET name = iif(untold = '', ?1, name), untold = iif(untold = '', '', ?1)
               WHERE match = ?2 AND seat = ?3""",
            (name, match, seat),
        )


def _refuse(store: Store, effect: effects.Refuse, now: datetime) -> None:
    who = add_player(store, effect.player.name, effect.player.address, now, confirmed=False)
    store.conn.execute("UPDATE players SET refuses = ? WHERE id = ?", (stamp(now), who.id))


def _set_zone(store: Store, effect: effects.SetZone, now: datetime) -> None:
    store.conn.execute("UPDATE players SET zone = ? WHERE id = ?", (effect.zone, effect.player.id))


def _set_language(store: Store, effect: effects.SetLanguage, now: datetime) -> None:
    store.conn.execute("UPDATE players SET language = ? WHERE id = ?", (effect.language, effect.player.id))


def _set_mail(store: Store, effect: effects.SetMail, now: datetime) -> None:
    """Store how a player wants to receive letters. If the player no longer wants digests, letters gathered so far are
    sent now."""
    store.conn.execute("UPDATE players SET mail = ? WHERE id = ?", (str(effect.mail), effect.player.id))
    if not effect.mail.digest:
        store.conn.execute(
            """UPDATE outbox SET due = ? WHERE player = ? AND sent IS NULL
               AND id IN (SELECT letter FROM gathered WHERE within IS NULL)""",
            (stamp(now), effect.player.id),
        )


def _away(store: Store, effect: effects.Away, now: datetime) -> None:
    if effect.absence is None:
        player, today = effect.player.id, now.date()
        for spent in effect.spent:
            store.conn.execute(
                "UPDATE absences SET spent = 1 WHERE player = ? AND first = ? AND last = ?",
                (player, spent.first.isoformat(), spent.last.isoformat()),
            )
        store.conn.execute(
            "DELETE FROM absences WHERE player = ? AND first >= ? AND NOT spent", (player, today.isoformat())
        )
        store.conn.execute(
            "UPDATE absences SET last = ? WHERE player = ? AND last >= ? AND NOT spent",
            ((today - timedelta(days=1)).isoformat(), player, today.isoformat()),
        )
        return
    absence = effect.absence
    content = {"player": effect.player.id, "first": absence.first.isoformat(), "last": absence.last.isoformat()}
    store.insert("absences", **content, zone=absence.zone)
    store.note("vacation", content, now)


def _join(store: Store, effect: effects.Join, now: datetime) -> None:
    """Put a player on the list for the next match of a game. Leagues manage their own entrants."""
    if effect.game:
        store.conn.execute(
            """INSERT INTO entrants (game, player, name, seed, state, since)
               VALUES (?, ?, ?, 0, 'playing', ?) ON CONFLICT DO NOTHING""",
            (effect.game, effect.player.id, effect.player.name, stamp(now)),
        )


def _leave(store: Store, effect: effects.Leave, now: datetime) -> None:
    stop_waiting(store, effect.player.id, effect.games)


def _ban(store: Store, effect: effects.Ban, now: datetime) -> None:
    """Ban a player, or lift the ban. A banned player leaves all waiting lists, leagues and offers of seats; game
    masters decide what happens to the player's seats."""
    conn, player = store.conn, effect.player.id
    conn.execute("UPDATE players SET banned = ? WHERE id = ?", (None if effect.lifted else stamp(now), player))
    if effect.lifted:
        store.note("unban", {"player": player, "reason": effect.reason}, now)
        return
    conn.execute("DELETE FROM entrants WHERE player = ? AND league IS NULL", (player,))
    conn.execute(
        "UPDATE entrants SET state = iif(state IN ('playing', 'leaving'), 'leaving', 'withdrawn') WHERE player = ?"
        " AND season = (SELECT season FROM leagues WHERE id = entrants.league)",  # past seasons stay as they are
        (player,),
    )
    conn.execute("DELETE FROM observers WHERE player = ?", (player,))
    conn.execute(
        "DELETE FROM wishes WHERE (match, seat) IN (SELECT match, seat FROM seats WHERE player = ?)", (player,)
    )
    conn.execute(
        "DELETE FROM offers WHERE player = ?1 OR (match, seat) IN (SELECT match, seat FROM seats WHERE player = ?1)",
        (player,),
    )
    store.note("ban", {"player": effect.player.id, "reason": effect.reason}, now)


def epoch(store: Store, player: int) -> int:
    """Return the epoch of a player's own tokens, a number that grows each time these tokens are renewed."""
    return int(store.value("SELECT epoch FROM players WHERE id = ?", (player,)))


def claims(store: Store, player: int, now: datetime) -> dict[str, Claim]:
    """Return a player's claims to addresses, keyed by lower-case address: the open claims, and those fulfilled
    recently."""
    rows = store.conn.execute(
        """SELECT address, written, letter, agreed IS NOT NULL, answered,
                  NOT EXISTS (SELECT 1 FROM addresses a WHERE a.address = claims.address), instead, taken,
                  coalesce(taken, made)
           FROM claims WHERE player = ? AND coalesce(taken, made) > ? ORDER BY taken""",
        (player, stamp(now - UNDO)),
    )
    return {
        address: Claim(
            written,
            letter,
            bool(agreed),
            answered,
            bool(free),
            instead,
            taken_at and parse_moment(taken_at),
            parse_moment(since),
        )
        for address, written, letter, agreed, answered, free, instead, taken_at, since in rows
    }


def known_addresses(store: Store, player: int) -> tuple[str, ...]:
    """Return a player's confirmed addresses in the spelling in which they were given. Letters go to the first
    address."""
    rows = store.conn.execute(
        "SELECT written FROM addresses WHERE player = ? AND confirmed IS NOT NULL ORDER BY rowid", (player,)
    )
    return tuple(written for (written,) in rows)


def token_expired(store: Store, match: int, turn: int) -> datetime | None:
    """Return when a token for `turn` expired because the turn or the match was over; None if the token has not expired.
    If `turn` is 0, the token is for a turn that was undone."""
    row = store.conn.execute(
        """SELECT min(moment) FROM (
               SELECT ended AS moment FROM matches WHERE id = :match
               UNION ALL SELECT max(iif(:turn, played, undone)) FROM turns
               WHERE match = :match AND ((turn = :turn AND undone IS NULL) OR (NOT :turn AND undone IS NOT NULL)))""",
        {"match": match, "turn": turn},
    ).fetchone()
    return parse_moment(row[0]) if row[0] else None


def _claim(store: Store, effect: effects.NewAddress, now: datetime) -> None:
    agreed = stamp(now) if effect.agreed else None
    store.conn.execute(
        """INSERT OR REPLACE INTO claims (player, address, written, made, letter, agreed, instead)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (
            effect.player.id,
            effect.address.lower(),
            effect.address,
            stamp(now),
            effect.letter,
            agreed,
            effect.instead.lower(),
        ),
    )
    invited(store, effect.player, now)
    store.note("address", {"player": effect.player.id, "asked": True}, now)


def _agree(store: Store, effect: effects.Agree, now: datetime) -> None:
    store.conn.execute(
        """UPDATE claims SET answered = coalesce(:letter, answered),
                             agreed = iif(:letter IS NULL, :now, agreed)
           WHERE player = :player AND address = :address""",
        {"letter": effect.letter, "now": stamp(now), "player": effect.player.id, "address": effect.address.lower()},
    )


def _take(store: Store, effect: effects.TakeAddress, now: datetime) -> None:
    """Make a claimed address the first of the player's addresses, so that letters go there, and remove the address that
    it replaces."""
    conn, player, claim = store.conn, effect.player.id, effect.claim
    _add(store, player, claim.address, now)
    gone = conn.execute(
        "DELETE FROM addresses WHERE player = ? AND address = ? RETURNING confirmed IS NOT NULL",
        (player, claim.instead),
    ).fetchone()
    conn.execute(  # an address that was never confirmed cannot undo the change
        "UPDATE claims SET taken = ?, instead = iif(?, instead, '') WHERE player = ? AND address = ?",
        (stamp(now), bool(gone and gone[0]), player, claim.address.lower()),
    )
    conn.execute("UPDATE players SET confirmed = coalesce(confirmed, ?) WHERE id = ?", (stamp(now), player))
    if claim.instead:
        _renew_tokens(store, player)
    store.note("address", {"player": player, "taken": True}, now)
    arrives_again(store, player, now)


def _drop(store: Store, effect: effects.DropAddresses, now: datetime) -> None:
    player, proven = effect.player.id, addresses(store, effect.player.id, confirmed=True)
    if proven.intersection(map(str.lower, effect.addresses)):
        _renew_tokens(store, player)
    for address in effect.addresses:
        for table in ("addresses", "claims"):
            store.conn.execute(
                f"DELETE FROM {table} WHERE player = ? AND address = ?",  # noqa: S608 - our own names
                (player, address.lower()),
            )
    for address in effect.again:
        _add(store, player, address, now)
    store.note("address", {"player": player, "dropped": len(effect.addresses)}, now)


def _renew_tokens(store: Store, player: int) -> None:
    """Void all of a player's tokens, so that nobody can use tokens from letters to an address that no longer belongs to
    the player."""
    store.conn.execute("UPDATE seats SET epoch = epoch + 1, oldest = epoch + 1 WHERE player = ?", (player,))
    store.conn.execute("UPDATE players SET epoch = epoch + 1 WHERE id = ?", (player,))


def _add(store: Store, player: int, address: str, now: datetime) -> None:
    store.conn.execute(
        """INSERT INTO addresses (rowid, address, written, player, confirmed)
           SELECT coalesce(min(rowid), 1) - 1, ?, ?, ?, ? FROM addresses WHERE true
           ON CONFLICT (address) DO NOTHING""",
        (address.lower(), address, player, stamp(now)),
    )


HANDLERS: Mapping[type, EffectHandler] = {
    effects.Meet: _meet,
    effects.Confirm: _confirm,
    effects.Refuse: _refuse,
    effects.Away: _away,
    effects.Ban: _ban,
    effects.Forget: forget,
    effects.SetZone: _set_zone,
    effects.SetLanguage: _set_language,
    effects.SetMail: _set_mail,
    effects.Join: _join,
    effects.Leave: _leave,
    effects.NewAddress: _claim,
    effects.Agree: _agree,
    effects.TakeAddress: _take,
    effects.DropAddresses: _drop,
}
"""The functions that store effects about people, keyed by the class of the effect."""
