"""News for game masters: the matches that are waiting for a decision, and the entries made in the record since a game
master last looked.

The caller opens the transaction.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from pbem.config.config import Address
from pbem.games.base import Seat
from pbem.store.audit_log import sha256
from pbem.store.database import HEARD, Store, recall, remember
from pbem.store.masters import all_masters
from pbem.times.moments import parse_moment, stamp

OPERATOR = "operator"
"""The name under which the mark of the operator, the person at the command line, is stored."""

BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
"""A moment before every entry of the record."""

_KINDS = (
    *("turn", "end", "annul", "reopen", "resign", "replace", "stand in", "pause", "resume", "mail fails", "gm"),
    *("decision", "entrant", "season"),
)
_SINCE_FIRST = timedelta(days=7)  # how far back the news reaches for somebody who has never looked
_WORDS_WAIT = timedelta(days=14)  # how long messages count as unanswered


class News(NamedTuple):
    """An entry of the record: its number, moment, kind, match and content."""

    id: int
    at: datetime
    kind: str
    match: int | None
    content: Mapping[str, Any]


class Mark(NamedTuple):
    """The number of the last entry of the record that somebody has seen, and when they last looked."""

    record: int
    at: datetime


def mark_of(store: Store, who: str) -> Mark | None:
    """Return the mark of `who`, a game master's address or `OPERATOR`; None if that person has never looked."""
    record, _, at = recall(store.conn, _key(who)).partition(" ")
    return Mark(int(record), parse_moment(at)) if at else None


def first_mark(store: Store, now: datetime) -> Mark:
    """Return the mark to use for somebody who has never looked: it lies `_SINCE_FIRST` before `now`, and only later
    news is shown."""
    since = now - _SINCE_FIRST
    return Mark(_last_before(store, since), since)


def _last_before(store: Store, moment: datetime) -> int:
    return int(store.value("SELECT id FROM record WHERE at < ? ORDER BY id DESC LIMIT 1", (stamp(moment),)) or 0)


def _key(who: str, kind: str = "looked") -> str:
    return f"{kind} {who if who == OPERATOR else sha256(who.lower().encode())[:16]}"


def mark(store: Store, who: str, record: int, now: datetime) -> None:
    """Store `record` as the number of the last entry of the record that `who` has seen, and `now` as when they
    looked."""
    remember(store.conn, **{_key(who): f"{record} {stamp(now)}"})


def heard(store: Store, who: str) -> tuple[str, datetime | None]:
    """Return when the game master `who` will next be sent news, in the form that `hear` stores, and when that was
    stored; "" and None if nothing is stored."""
    due, _, at = recall(store.conn, _key(who, HEARD)).partition(" ")
    return due, parse_moment(at) if at else None


def anybody_heard(store: Store) -> bool:
    """Return whether the desk has ever checked for news for any game master."""
    return store.value("SELECT 1 FROM desk WHERE key LIKE ? LIMIT 1", (f"{HEARD} %",)) is not None


def hear(store: Store, who: str, due: str, at: datetime) -> None:
    """Store when the game master `who` will next be sent news. `due` is a moment, or else `@` and an entry number,
    which means: as soon as the record has entries with higher numbers. `at` is when this was decided."""
    remember(store.conn, **{_key(who, HEARD): f"{due} {stamp(at)}"})


def news_since(store: Store, record: int) -> list[News]:
    """Return the entries of the record with numbers above `record` that concern game masters, oldest first. Entries
    whose content was deleted are left out."""
    kinds = ", ".join("?" * len(_KINDS))
    rows = store.conn.execute(
        f"""SELECT id, at, kind, match, content FROM record JOIN record_contents ON record = id
            WHERE id > ? AND kind IN ({kinds}) ORDER BY id""",  # noqa: S608 - no value
        (record, *_KINDS),
    )
    return [
        News(number, parse_moment(at), kind, match, json.loads(content)) for number, at, kind, match, content in rows
    ]


def name_then(store: Store, match: int, seat: Seat, entry: int) -> str:
    """Return the name of the player who held a seat when the entry numbered `entry` was made; "" if that player is
    unknown or still holds the seat."""
    then = store.value(
        """SELECT coalesce((SELECT content ->> 'player' FROM record JOIN record_contents ON record = id
                            WHERE match = ?1 AND kind = 'holder' AND content ->> 'seat' = ?2 AND id <= ?3
                            ORDER BY id DESC LIMIT 1),
                           (SELECT content -> 'seats' ->> ?2 FROM record JOIN record_contents ON record = id
                            WHERE match = ?1 AND kind = 'game'))""",
        (match, seat, entry),
    )
    now = store.value("SELECT player FROM seats WHERE match = ? AND seat = ?", (match, seat))
    return "" if then in (None, now) else str(store.value("SELECT name FROM players WHERE id = ?", (then,)) or "?")


def rounds_over(store: Store, since: datetime) -> list[tuple[int, int, int, int, datetime]]:
    """Return the rounds that ended after `since`: league, season, division, round, and the moment of the end."""
    rows = store.conn.execute(
        "SELECT league, season, division, round, ended FROM rounds WHERE ended > ? ORDER BY ended, league, division",
        (stamp(since),),
    )
    return [(league, season, division, number, parse_moment(ended)) for league, season, division, number, ended in rows]


def missed(store: Store, match: int, turn: int) -> list[Seat]:
    """Return the seats that missed a turn."""
    return store.column(
        "SELECT seat FROM attendance WHERE match = ? AND turn = ? AND missed > 0 ORDER BY seat", (match, turn)
    )


def in_question(store: Store, now: datetime) -> list[int]:
    """Return the numbers of unfinished matches that are late or may need a decision."""
    return store.column(
        """SELECT id FROM matches m WHERE phase IN ('offered', 'paused', 'review')
               OR (phase = 'running' AND (due <= ? OR EXISTS (
                   SELECT 1 FROM seats s JOIN players p ON p.id = s.player WHERE s.match = m.id AND gone IS NULL
                   AND (failing IS NOT NULL OR missed > 0 OR banned IS NOT NULL
                        OR NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = p.id)))))
           ORDER BY id""",
        (stamp(now),),
    )


def seats_in_question(store: Store, match: int) -> Mapping[Seat, tuple[str | None, bool]]:
    """Return for each seat of a match the moment at which letters to it began to bounce, or None if they arrive, and
    whether its player is banned or was forgotten."""
    rows = store.conn.execute(
        """SELECT seat, failing, banned IS NOT NULL OR NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = p.id)
           FROM seats s JOIN players p ON p.id = s.player WHERE match = ?""",
        (match,),
    )
    return {seat: (failing, bool(away)) for seat, failing, away in rows}


def since_when(store: Store, match: int, kind: str) -> datetime:
    """Return the moment of a match's last entry of the given kind, or the moment of its set-up if there is no such
    entry."""
    (at,) = store.conn.execute(
        """SELECT coalesce((SELECT at FROM record WHERE match = :match AND kind = :kind ORDER BY id DESC LIMIT 1),
                           (SELECT since FROM matches WHERE id = :match))""",
        {"match": match, "kind": kind},
    ).fetchone()
    return parse_moment(at)


def unanswered_words(store: Store, now: datetime) -> list[tuple[int, Seat, int, datetime]]:
    """Return the recent messages to game masters after which no decision in the same match has been recorded: match,
    seat, number of the entry in the record, and moment of arrival. Claims are left out."""
    rows = store.conn.execute(
        """SELECT g.match, content ->> 'seat', g.id, g.at FROM record g JOIN record_contents ON record = g.id
           WHERE g.id > ? AND g.kind = 'gm' AND g.match IS NOT NULL AND content ->> 'seat' IS NOT NULL
             AND content ->> 'claim' IS NULL
             AND NOT EXISTS (SELECT 1 FROM record d WHERE d.match = g.match AND d.kind = 'decision' AND d.id > g.id)
           ORDER BY g.id""",
        (_last_before(store, now - _WORDS_WAIT),),
    )
    return [(match, seat, number, parse_moment(at)) for match, seat, number, at in rows]


def directors(store: Store, of_desk: Address) -> list[Address]:
    """Return all game masters, beginning with the desk's. Each address appears only once."""
    addresses = {of_desk.address.lower(): of_desk}
    for _, _, master in all_masters(store):
        addresses.setdefault(master.address.lower(), Address(master.name, master.address))
    return [*addresses.values()]
