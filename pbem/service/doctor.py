"""A desk looked over: all that is wrong with it, or soon will be, each with what to do about it. Nothing is changed."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem import PbemError
from pbem.config.config import Config, Server
from pbem.config.ini import ConfigError
from pbem.i18n import languages
from pbem.service.maintenance import check
from pbem.store.database import StoreError, connect
from pbem.store.verify import Audit
from pbem.times.moments import parse_moment, stamp

Progress = Callable[[str], None]

_DAY = timedelta(days=1)
_FORTNIGHT = timedelta(days=14)
_ROOM = 200_000_000
"""Bytes that must be free; and twice the database, for a backup or an upgrade beside it."""


class Finding(NamedTuple):
    """One thing that is wrong: where, what it is, and what to do about it. No address, no word of a letter."""

    where: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return " ".join(filter(None, (f"{self.where}: {self.what}", self.remedy)))


def misconfigured(error: ConfigError) -> Iterator[Finding]:
    """The problems of a configuration that cannot be used."""
    for problem in error.problems:
        yield Finding("configuration", problem, "`pbem check-config` names the file.")


def examine(config: Config, now: datetime, progress: Progress) -> Iterator[Finding]:
    """All that is wrong with a desk whose configuration can be read, one finding after the other."""
    progress("trying key, database, mailbox and outgoing mail")
    for problem in check(config):
        yield Finding(_WHERE.get(type(problem), "mail"), str(problem), "")
    yield from _languages()
    yield from _disk(config)
    yield from _people_at_the_desk(config)
    try:
        conn = connect(config.database)
    except StoreError:
        return  # told above
    with closing(conn):
        try:
            conn.execute("BEGIN")  # a poll that is at work meanwhile shall not be seen in part
            yield from _database(conn, progress)
            for look in _LOOKS:
                yield from look(conn, config, now)
            yield from _record(conn, progress)
        except sqlite3.Error as error:
            yield Finding("database", f"cannot be read ({error}).", _PUT_BACK)


_WHERE: dict[type[PbemError], str] = {ConfigError: "configuration", StoreError: "database"}
_PUT_BACK = "Stop the polls, keep the file, and put back the newest backup that is whole."


def _languages() -> Iterator[Finding]:
    for language in languages.unmade():
        what = f"letters that should be in `{language}` are in English, for its catalogues were not made."
        yield Finding("languages", what, "Install pbem again (`pip install .`, or `pip install --editable .`).")


def _disk(config: Config) -> Iterator[Finding]:
    size = config.database.stat().st_size if config.database.exists() else 0
    free = shutil.disk_usage(config.path.parent).free
    needed = max(_ROOM, 2 * size)
    if free < needed:
        what = f"only {free // 1_000_000} MB are free beside the database."
        yield Finding("disk", what, f"Make room: at least {needed // 1_000_000} MB.")


_OF_YOURS = "Put in an address of yours."


def _people_at_the_desk(config: Config) -> Iterator[Finding]:
    """The example's addresses reach nobody once letters really go out (RFC 2606)."""
    if isinstance(config.outgoing.place, Server):
        told = {
            "[outgoing] from": config.outgoing.sender,
            "[desk] operator": config.desk.operator,
            "[desk] game_master": config.desk.game_master,
        }
        for key, one in told.items():
            if one.address.rpartition("@")[2].lower() in ("example.org", "example.com", "example.net"):
                yield Finding("configuration", f"{key} is still that of the example.", _OF_YOURS)
            elif one is not config.outgoing.sender and one.address.lower() == config.outgoing.sender.address.lower():
                yield Finding("configuration", f"{key} is the desk's own address, where nobody reads.", _OF_YOURS)


def _database(conn: sqlite3.Connection, progress: Progress) -> Iterator[Finding]:
    progress("checking the database")
    for (problem,) in conn.execute("PRAGMA integrity_check(5)").fetchall():
        if problem != "ok":
            yield Finding("database", f"is damaged: {' '.join(problem.split())}.", _PUT_BACK)
    astray = conn.execute('SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY 1').fetchall()
    for table, rows in astray:
        yield Finding("database", f"{rows} rows of {table} belong to nothing that is there.", _PUT_BACK)


def _runs(conn: sqlite3.Connection, config: Config, now: datetime) -> Iterator[Finding]:
    desk = dict(conn.execute("SELECT key, value FROM desk"))
    last = desk.get("last_run", "")
    if config.desk.rehearsal:
        return
    if not last:
        yield Finding("runs", "the desk has never run.", "Let cron start `pbem poll`, or run `pbem watch`.")
    elif parse_moment(last) > now:
        yield Finding("clock", f"it says {stamp(now)}, but the last run was at {last}.", "Set the clock right.")
    elif now - parse_moment(last) > 3 * config.desk.every:
        yield Finding("runs", f"the last run was at {last}.", "See whether cron starts `pbem poll`, and what it says.")
    if since := desk.get("down_since"):
        yield Finding("runs", f"no run has read the mailbox since {since}.", "`pbem poll` says why.")


def _letters_in(conn: sqlite3.Connection, config: Config, now: datetime) -> Iterator[Finding]:
    for state, after, what, remedy in (
        ("kept", 3 * config.desk.every, "came and are not handled yet", "`pbem poll` says what is wrong."),
        ("set aside", timedelta(), "are set aside: the program failed on them", "See `pbem letters --set-aside`."),
        ("held", _DAY, "are held until their senders say yes", "See `pbem letters`."),
    ):
        rows = conn.execute(
            "SELECT id FROM letters WHERE state = ? AND arrived <= ? ORDER BY id", (state, stamp(now - after))
        ).fetchall()
        if rows:
            yield Finding("letters", f"{_numbers(rows)} {what}.", remedy)


def _letters_out(conn: sqlite3.Connection, config: Config, now: datetime) -> Iterator[Finding]:
    waiting = conn.execute(
        "SELECT id FROM outbox WHERE sent IS NULL AND refused IS NULL AND made < ? ORDER BY id", (stamp(now - _DAY),)
    ).fetchall()
    if waiting:
        what = f"{_numbers(waiting)} wait for more than a day."
        yield Finding("outbox", what, "`pbem poll` says why they cannot be sent; `pbem check-config` tries the server.")
    refused = conn.execute(
        """SELECT coalesce(o.seat || ' of ' || m.name, 'player ' || o.player, 'somebody'), count(*)
           FROM outbox o LEFT JOIN matches m ON m.id = o.match
           WHERE o.refused IS NOT NULL AND o.made > ? GROUP BY 1 ORDER BY min(o.id)""",
        (stamp(now - _FORTNIGHT),),
    )
    for whom, number in refused.fetchall():
        what = f"letters to {whom} that were refused for good in the last two weeks: {number}."
        yield Finding("outbox", what, "Reach him another way, or give the seat to somebody else: `pbem game replace`.")


def _games(conn: sqlite3.Connection, config: Config, now: datetime) -> Iterator[Finding]:
    """Games that stand still: the clock has struck for them, or all orders are in; or nobody is there to write."""
    late = stamp(now - 3 * config.desk.every)
    stuck = conn.execute(
        """SELECT name FROM matches m WHERE due < :late OR (phase = 'running' AND waiting = 0 AND NOT EXISTS (
               SELECT 1 FROM orders o JOIN letters l ON l.id = o.letter
               WHERE o.match = m.id AND o.turn = m.turn AND o.state = 'standing' AND l.arrived >= :late))
           ORDER BY id""",
        {"late": late},
    ).fetchall()
    if stuck:
        what = f"nothing is missing, and they are not played: {_names(stuck)}."
        yield Finding("games", what, "`pbem poll` says why.")
    deserted = conn.execute(
        """SELECT name FROM matches m WHERE phase IN ('running', 'paused') AND deadline IS NULL AND EXISTS (
               SELECT 1 FROM seats s WHERE s.match = m.id
               AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = s.player))
           ORDER BY id"""
    ).fetchall()
    if deserted:
        what = f"a player is gone, and no deadline ends his turn: {_names(deserted)}."
        yield Finding("games", what, "End it or seat somebody else: `pbem game award`, `pbem game replace`.")


def _masters(conn: sqlite3.Connection, config: Config, now: datetime) -> Iterator[Finding]:
    """Game masters to whom nothing gets through, or whose word counts no longer."""
    known = conn.execute(
        """WITH masters (place, name, address) AS (
               SELECT 'the desk', ?, ?
               UNION ALL SELECT 'league ' || l.name, one.value ->> 'name', one.value ->> 'address'
               FROM leagues l, json_each(l.settings, '$.masters') one)
           SELECT place, name, (SELECT banned FROM addresses a JOIN players p ON p.id = a.player
                                WHERE a.address = lower(masters.address)),
                  (SELECT refused FROM outbox o WHERE o.recipient = masters.address ORDER BY o.id DESC LIMIT 1)
           FROM masters""",
        config.desk.game_master,
    ).fetchall()
    for place, name, banned, refused in known:
        who = f"{name or 'the game master'} of {place}"
        if banned:
            yield Finding(
                "game masters", f"{who} is banned.", "Let him in again (`pbem player unban`), or name another."
            )
        if refused:
            yield Finding("game masters", f"the last letter to {who} went back.", "See whether his address is right.")


def _record(conn: sqlite3.Connection, progress: Progress) -> Iterator[Finding]:
    """What `pbem verify` finds first, which is often the cause of all the rest."""
    audit, read = Audit(conn), 0

    def tell(rows: int) -> None:
        nonlocal read
        read += rows
        progress(f"{read} rows compared with the record")

    difference = next(audit.differences(tell), None)
    if difference:
        yield Finding("record", difference, "Compare with a backup; docs/proof.md says what this means.")


def _numbers(rows: list[tuple[int]]) -> str:
    return f"{len(rows)} ({_first(str(number) for (number,) in rows)})"


def _names(rows: list[tuple[str]]) -> str:
    return _first(name for (name,) in rows)


def _first(texts: Iterator[str]) -> str:
    """The first five of some texts."""
    told = [*texts]
    return ", ".join(told[:5]) + (", ..." if len(told) > 5 else "")


_LOOKS = (_runs, _letters_in, _letters_out, _games, _masters)
