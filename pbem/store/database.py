"""The desk's database: incoming letters, transactions, and the record of events.

The database uses SQLite in WAL mode. A poll that finds no work only needs `look`, which imports no further modules.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import PbemError
from pbem.store.audit_log import (
    Covered,
    Head,
    append,
    covered,
    find_head,
    sha256,
    vouch_for_upgraded,
    vouch_for_written,
    watch,
)
from pbem.times.moments import parse_moment, stamp

if TYPE_CHECKING:
    from pbem.games.base import Seat
    from pbem.match.identity import Token
    from pbem.match.model import Repeats

PATIENCE = 10.0
"""The number of seconds to wait for another process to end its transaction."""

VERSION = 13
"""The version of the tables that this program supports. A database stores its own version in `PRAGMA user_version`."""

OLDEST_SQLITE = (3, 39, 4)
"""The oldest version of SQLite with which the program is tested."""

ERASE = "PRAGMA secure_delete = ON"
"""The pragma that makes a connection overwrite whatever it moves or deletes; every connection that writes uses it.
Without it, the words of somebody who is forgotten later would remain in the unused parts of the file. Some builds of
SQLite overwrite by default."""

UNREAD = "letter "
"""The prefix of those keys in `Look.trouble` that refer to letters which the mailbox fails to return. The prefix is
followed by the name of the letter in the mailbox."""

Row = sqlite3.Row
"""A row whose values can be read by column name."""

Connection = sqlite3.Connection
"""An open database, as `connect` returns it. Only the store executes SQL on it."""

SQLiteError = sqlite3.Error
"""An error that any function of the store may raise because the disk is full, or because the file is damaged or was
locked for too long. No letter, game or league is to blame, so the run stops."""


class StoreError(PbemError):
    """Raised when the database is missing, damaged, locked for too long, or of another version."""

    trouble = True


class KeptLetter(NamedTuple):
    """A stored letter: its number, the moment of its arrival, its bytes (which may be truncated), its size on the
    server, the number of attempts at handling it, and the name of the mailbox from which it came."""

    id: int
    arrived: str
    raw: bytes
    size: int
    attempts: int
    mailbox: str = ""


HEARD = "heard"
"""The prefix of those keys in the table `desk` whose values say when a game master will next be sent news."""


class Look(NamedTuple):
    """The state of the store before a run fetches letters: whether there is work to do, and what the last run left
    behind.

    `mark` is the position that was reached in the mailbox, and `trouble` describes the troubles of the last run as
    JSON. `down_since` is the moment at which a run could last read letters, or "" if the last run could read them.
    `copied` is not empty if this database is a restored copy, and `put_back` describes the work that still has to be
    done because of that. `logged` is the number of the last entry of the record that is in the log, or "" if there is
    no log. If there is nothing to do but to send letters, `only_sends` is true.
    """

    mark: str
    last_run: str
    trouble: str
    work: bool
    down_since: str = ""
    copied: str = ""
    put_back: str = ""
    logged: str = ""
    only_sends: bool = False

    @property
    def unread(self) -> dict[str, str]:
        """The letters that the mailbox did not return to the last run: the name of each letter, mapped to the moment at
        which it was first reported missing."""
        troubles = json.loads(self.trouble or "{}")
        return {
            kind.removeprefix(UNREAD): trouble["since"] for kind, trouble in troubles.items() if kind.startswith(UNREAD)
        }


def connect(path: Path, *, upgrade: bool = False) -> sqlite3.Connection:
    """Open an existing database of the current `VERSION`, in autocommit mode. Raises StoreError if that is not
    possible.

    If `upgrade` is true, a database that an older pbem made is upgraded, and a copy of the old database is left next to
    it. Only the holder of the desk's lock may do this.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise StoreError(
            f"This Python has SQLite {sqlite3.sqlite_version}, and pbem needs {needed} or newer: use another Python."
        )
    if not path.exists():
        raise StoreError(
            f"There is no database at {path}: restore it from a backup; `pbem init` makes new desks elsewhere."
        )
    try:
        conn, version = _open(path)
    except UnicodeDecodeError:  # SQLite's message about damaged table names is not valid text
        raise StoreError(f"The database {path} is damaged: put back a backup that is whole.") from None
    except sqlite3.Error as error:
        raise StoreError(f"The database {path} cannot be read: {error}.") from None
    if version > VERSION:
        raise StoreError(
            f"The database {path} was made by a newer pbem (tables {version}, known here {VERSION}): update pbem."
        )
    if version == 0:
        raise StoreError(f"{path} is not a database of pbem: restore yours from a backup.")
    if version < VERSION and not upgrade:
        raise StoreError(f"The database {path} was made by an older pbem: the next `pbem poll` brings it up to date.")
    if version < VERSION:
        _upgrade(conn, path.with_name(f"{path.name}.{version}"))
    return conn


def _open(path: Path) -> tuple[sqlite3.Connection, int]:
    """Open a database; return it with its version. If an error occurs, close the database again before the error is
    passed on."""
    conn = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        (version,) = conn.execute("PRAGMA user_version").fetchone()
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute(ERASE)
        conn.execute("PRAGMA wal_autocheckpoint = 4000")  # pages; more than usual, to copy back busy pages less often
        conn.execute("SELECT 1 FROM sqlite_schema").fetchone()  # makes SQLite read the schema
    except BaseException:
        conn.close()
        raise
    return conn, version


def _upgrade(conn: sqlite3.Connection, backup_file: Path) -> None:
    """Copy a database of an older version to `backup_file`, and upgrade its tables to `VERSION`."""
    if not backup_file.exists():  # otherwise an earlier upgrade was interrupted, and its copy is kept
        part = backup_file.with_name(f"{backup_file.name}.part")
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with closing(sqlite3.connect(part)) as copy:
            conn.backup(copy)
        part.replace(backup_file)
    Store(conn).migrate()


def look(conn: sqlite3.Connection, now: datetime) -> Look:
    """Return the state that the last run left behind, and whether the store contains work: unhandled letters, matches
    that are ready, due or waiting for the computer, members who are leaving a league, news, and letters to send."""
    desk = dict(conn.execute("SELECT key, value FROM desk"))
    at = stamp(now)
    work, sends = conn.execute(
        """SELECT EXISTS (SELECT 1 FROM letters WHERE state = 'kept')
               OR EXISTS (SELECT 1 FROM letters WHERE state = 'handled' AND rank > 0 AND raw IS NOT NULL)
               OR EXISTS (SELECT 1 FROM matches WHERE phase = 'running' AND waiting = 0)
               OR EXISTS (SELECT 1 FROM matches WHERE due <= ?)
               OR EXISTS (SELECT 1 FROM matches WHERE cooling <= ?)
               OR EXISTS (SELECT 1 FROM matches WHERE settled = 0)
               OR EXISTS (SELECT 1 FROM leagues WHERE due <= ?)
               OR EXISTS (SELECT 1 FROM entrants e JOIN leagues l ON l.id = e.league AND l.season = e.season
                          WHERE e.state = 'leaving')
               OR EXISTS (SELECT 1 FROM digests WHERE due <= ?)
               OR EXISTS (SELECT 1 FROM notices),
               EXISTS (SELECT 1 FROM outbox WHERE sent IS NULL AND refused IS NULL AND due <= ?)""",
        (at, at, at, at, at),
    ).fetchone()
    mark, last_run, trouble = (desk.get(key, "") for key in ("mark", "last_run", "trouble"))
    others = {key: desk.get(key, "") for key in ("down_since", "copied", "put_back", "logged")}
    more = bool(work or desk.get("thinks")) or _hears(desk, at)
    return Look(mark, last_run, trouble, more or bool(sends), **others, only_sends=bool(sends) and not more)


def _hears(desk: Mapping[str, str], at: str) -> bool:
    """Return whether a game master may have to be sent news at the moment `at`, judging by the content of the table
    `desk`: because news is due, because the record has grown, or because the desk has run but has never sent any
    news."""
    head = int(desk.get("head", "0").partition(" ")[0])
    due = [value.partition(" ")[0] for key, value in desk.items() if key.startswith(HEARD)]
    return (not due and "last_run" in desk) or any(
        int(entry[1:]) < head if entry.startswith("@") else entry <= at for entry in due
    )


def remember(conn: sqlite3.Connection, **values: str) -> None:
    """Store `values` in the table `desk` under their names. This table also contains the fields of `Look`, which the
    next run reads."""
    for key, value in values.items():
        conn.execute(
            "INSERT INTO desk VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            " WHERE value <> excluded.value",
            (key, value),
        )


def recall(conn: sqlite3.Connection, key: str) -> str:
    """Return the value that `remember` stored under `key`; "" if there is no such value."""
    row = conn.execute("SELECT value FROM desk WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


class Stale(Exception):  # noqa: N818 - the name says what an answer would be: stale
    """Raised when a snapshot of the store is used after something was written to the store."""


class Snapshot:
    """Access to a store as long as nothing is written to it. A query made after a write would mix two states of the
    store, so it is refused."""

    def __init__(self, store: "Store") -> None:
        self._store, self._changes = store, store.conn.total_changes

    @property
    def store(self) -> "Store":
        """The store. Raises Stale if it has been written to since the snapshot was made."""
        if self._store.conn.total_changes != self._changes:
            raise Stale
        return self._store


class Store:
    """The database of a desk. Callers must open a transaction, `with store.transaction():`, before they use methods
    that write."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn
        self._head: Head | None = None  # the head of the record, cached within a transaction
        self._watched: Mapping[str, Covered] = {}  # tables with triggers that remember written rows

    @classmethod
    def create(cls, path: Path) -> "Store":
        """Create a database. Raises StoreError if the file exists."""
        if path.exists():
            raise StoreError(f"There is a database at {path} already; it was left as it is.")
        path.touch(mode=0o600)  # the file contains letters and addresses
        store = cls(sqlite3.connect(path, isolation_level=None))
        store.conn.execute("PRAGMA journal_mode = WAL")
        store.conn.execute(ERASE)
        store.migrate()
        return store

    def migrate(self) -> None:
        """Upgrade the tables to `VERSION`, completely or not at all. The hashes of all rows that the upgrade changes
        are added to the record."""
        from sqlite_utils import Database

        from pbem.store.migrations import migrations

        self.conn.execute("PRAGMA foreign_keys = OFF")  # a step may replace a table, and briefly drop it
        self.conn.execute("BEGIN IMMEDIATE")
        with self.conn:  # commits, or rolls back
            before = {name: table.digests(self.conn) for name, table in covered(self.conn).items()}
            migrations.apply(Database(self.conn))
            was = find_head(self.conn)
            head = vouch_for_upgraded(self.conn, before, was)
            if recall(self.conn, "head") == str(was):  # otherwise the record was cut off, and verify must find that
                remember(self.conn, head=str(head))
            self.conn.execute(f"PRAGMA user_version = {VERSION}")
        self.conn.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything written in the block, or nothing; if a nested transaction fails, only its own part is
        undone. Before the commit, the hashes of all written rows are added to the record."""
        within, head = self.conn.in_transaction, self._head
        if within:
            begin, end, undo = "SAVEPOINT part", "RELEASE part", ["ROLLBACK TO part", "RELEASE part"]
        else:
            # IMMEDIATE: a deferred transaction that reads first fails at once if another process commits meanwhile.
            begin, end, undo = "BEGIN IMMEDIATE", "COMMIT", ["ROLLBACK"]
            self._watched = self._watched or watch(self.conn)
        self.conn.execute(begin)
        try:
            yield
            if not within:
                self._head = vouch_for_written(self.conn, self._watched, self._head)
                if self._head:
                    remember(self.conn, head=str(self._head))
            self.conn.execute(end)
        except BaseException:
            self._head = head
            if self.conn.in_transaction:  # some errors roll everything back by themselves
                for statement in undo:
                    self.conn.execute(statement)
            raise
        finally:
            if not within:
                self._head = None  # from now on other processes may write

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Make everything that is read in the block reflect the same moment, even while a run is writing. The block
        itself must not write."""
        self.conn.execute("BEGIN")
        try:
            yield
        finally:
            if self.conn.in_transaction:  # some errors end the transaction
                self.conn.execute("ROLLBACK")

    def rows(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """Return the rows that a statement yields; their values can be read by column name."""
        cursor = self.conn.cursor()
        cursor.row_factory = Row
        return cursor.execute(statement, values).fetchall()

    def column(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """Return the values of the only column that a statement yields."""
        return [value for (value,) in self.conn.execute(statement, values)]

    def value(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        """Return the value of a statement's only column in its first row; None if there is no row."""
        (value,) = self.conn.execute(statement, values).fetchone() or (None,)
        return value

    def insert(self, table: str, /, **row: Any) -> int:
        """Insert a row with the given columns; return its number if the table numbers its rows."""
        columns, gaps = ", ".join(row), ", ".join(f":{column}" for column in row)
        return self.conn.execute(f"INSERT INTO {table} ({columns}) VALUES ({gaps})", row).lastrowid or 0  # noqa: S608

    def epoch(self) -> str:
        """Return the epoch as it appears in Message-IDs; "" if no copy of the database was ever restored."""
        since = recall(self.conn, "epoch")
        return f"e{since}" if since else ""

    def rereads(self) -> bool:
        """Return whether letters from before the database was restored still have to be read again."""
        return bool(recall(self.conn, "put_back"))

    # Incoming letters

    def keep(self, letters: Iterable[tuple[datetime, bytes, int, int, str]], mark: str) -> list[KeptLetter]:
        """Store fetched letters (arrival, bytes, size on the server, rank, name of the mailbox), each only once, and
        `mark`, the position that was reached in the mailboxes.

        Letters with a rank above 0 are left for later. Of the other letters, those that are new are returned, and a
        first attempt at handling each of them is counted, as in `count_attempts`.
        """
        new = []
        with self.transaction():
            for arrived, raw, size, rank, mailbox in letters:
                rows = self.conn.execute(
                    """INSERT INTO letters (sha256, arrived, size, raw, attempts, rank, mailbox)
                       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING RETURNING id, arrived""",
                    (sha256(raw), stamp(arrived), size, raw, int(not rank), rank, mailbox),
                )
                new += [KeptLetter(number, at, raw, size, 0, mailbox) for number, at in rows if not rank]
            remember(self.conn, mark=mark)
        return new

    def unhandled(self, limit: int, rank: int, *, tried: bool) -> list[KeptLetter]:
        """Return up to `limit` unhandled letters of the given rank, oldest first: those that an earlier run has tried
        to handle if `tried` is true, otherwise those that no run has tried."""
        rows = self.conn.execute(
            """SELECT id, arrived, raw, size, attempts, mailbox FROM letters
               WHERE state = 'kept' AND (attempts > 0) = ? AND rank = ? ORDER BY id LIMIT ?""",
            (tried, rank, limit),
        )
        return [KeptLetter(*row) for row in rows]

    def queue_by_rank(self, letter: int, rank: int) -> None:
        """Take back the last attempt counted for a letter, and move the letter to the queue of the given rank."""
        self.conn.execute("UPDATE letters SET attempts = attempts - 1, rank = ? WHERE id = ?", (rank, letter))

    def count_attempts(self, letters: Iterable[KeptLetter], attempts: int = 1) -> None:
        """Count an attempt to handle each letter before the attempt is made, so that a letter that kills the process
        can be identified. With `attempts=-1`, an attempt is taken back."""
        with self.transaction():
            self.conn.executemany(
                "UPDATE letters SET attempts = attempts + ? WHERE id = ?", ((attempts, letter.id) for letter in letters)
            )

    def seen_before(self, letter: int, sender: str, message_id: str, words: str) -> bool:
        """Store the sender, the Message-ID and the hash of the words of `letter`, and return whether all three are the
        same as those of an earlier letter. Letters without a Message-ID never count as seen before."""
        self.conn.execute(
            "UPDATE letters SET sender = ?, message_id = ?, words = ? WHERE id = ?",
            (sender, message_id, words, letter),
        )
        rows = self.conn.execute(
            "SELECT 1 FROM letters WHERE sender = ? AND message_id = ? AND message_id <> '' AND words = ? AND id < ?",
            (sender, message_id, words, letter),
        )
        return rows.fetchone() is not None

    def repeats(self, letter: int, match: int | None) -> "Repeats":
        """Return how many letters with the same words as `letter` its sender has recently sent in a row, and how many
        letters in a row from this sender the desk could not use. Only letters about `match` count or, if `match` is
        None, only those about no match."""
        from pbem.match.model import IN_VAIN, LOOP, NOT_ANSWERED, WEEK, Repeats

        began = self.value("SELECT coalesce(max(played), '') FROM turns WHERE match = ?", (match,))
        rows = self.conn.execute(
            """SELECT b.words = a.words, b.outcome, b.arrived, a.arrived FROM letters a JOIN letters b
               ON b.sender = a.sender AND b.id < a.id AND b.match IS ? WHERE a.id = ? ORDER BY +b.id DESC LIMIT 500""",
            (match, letter),
        ).fetchall()
        if not rows:
            return Repeats()
        came = parse_moment(rows[0][3])
        loop, week = max(stamp(came - LOOP), began), stamp(came - WEEK)
        same = takewhile(lambda row: row[0] and row[2] >= loop, rows)
        vain = takewhile(lambda row: row[1] in (*IN_VAIN, NOT_ANSWERED) and row[2] >= week, rows)
        answered = [arrived for _, outcome, arrived, _ in vain if outcome in IN_VAIN]
        ago = came - parse_moment(answered[0]) if answered and answered[0] >= began else None
        return Repeats(len([*same]), len(answered), ago)

    def close_letter(
        self, letter: int, outcome: str, now: datetime, *, token: "Token | None" = None, failed: bool = False
    ) -> None:
        """Mark a letter as handled or, if handling it has failed, as set aside. Store its outcome, and the match, seat
        and turn of its `token`."""
        match, seat, turn, _ = token or (None, None, None, None)
        ((digest,),) = self.conn.execute(
            """UPDATE letters SET state = ?, attempts = 0, rank = 0, outcome = ?, match = ?, seat = ?, turn = ?
               WHERE id = ? RETURNING sha256""",
            ("set aside" if failed else "handled", outcome, match, seat, turn, letter),
        )
        content = {"letter": letter, "sha256": digest, "outcome": outcome}
        self.note("letter set aside" if failed else "letter in", content, now, match)

    def has_letter(self, raw: bytes) -> bool:
        """Return whether a letter with exactly these bytes has arrived before."""
        return self.conn.execute("SELECT 1 FROM letters WHERE sha256 = ?", (sha256(raw),)).fetchone() is not None

    def retry(self, letter: int) -> bool:
        """Put a letter that is held or set aside back into the queue, as if it had just arrived. Returns False if the
        letter is neither held nor set aside."""
        again = self.conn.execute(
            "UPDATE letters SET state = 'kept', attempts = 0, rank = 0 WHERE id = ? AND state IN ('held', 'set aside')",
            (letter,),
        )
        return again.rowcount > 0

    def vouched_by(self, letter: int) -> int | None:
        """Return the number of the player who has confirmed that a letter is theirs; None if nobody has."""
        player: int | None = self.value("SELECT vouched FROM letters WHERE id = ?", (letter,))
        return player

    def outcome_of(self, letter: int) -> str:
        """Return the outcome that a letter had when it was last handled; "" if it has not been handled."""
        return str(self.value("SELECT outcome FROM letters WHERE id = ?", (letter,)) or "")

    def arrival(self, letter: int) -> tuple[str, bytes]:
        """Return the moment of arrival of a letter, and its bytes, which are empty if they are no longer stored."""
        (arrived, raw) = self.conn.execute("SELECT arrived, raw FROM letters WHERE id = ?", (letter,)).fetchone()
        return str(arrived), bytes(raw or b"")

    def waiting_for_people(self, *, quarantined: bool) -> list[tuple[int, str, str, str, str]]:
        """Return the letters that need a person's attention: number, arrival, state, the seat and its match as one text
        ("" if they are unknown), and outcome. If `quarantined` is true, these are only the letters that were set aside;
        otherwise they include held letters, and letters whose writers the desk could not answer. The outcome of a
        letter that was set aside says where the program failed."""
        from pbem.match.model import NO_SENDER

        return self.conn.execute(
            """SELECT l.id, arrived, l.state, coalesce(seat || ' of ' || m.name, ''), outcome
               FROM letters l LEFT JOIN matches m ON m.id = l.match
               WHERE l.state = 'set aside' OR (NOT ? AND (l.state = 'held' OR outcome = ?)) ORDER BY l.id""",
            (quarantined, NO_SENDER),
        ).fetchall()

    def letters_in_state(self, state: str, before: datetime) -> list[int]:
        """Return the numbers of the letters in a state (`kept`, `held`, `set aside`) that arrived at or before the
        moment `before`, oldest first."""
        return self.column(  # each half uses an index
            """SELECT +id FROM letters WHERE state = 'kept' AND state = ?1 AND arrived <= ?2
               UNION SELECT +id FROM letters WHERE state IN ('held', 'set aside') AND state = ?1 AND arrived <= ?2
               ORDER BY 1""",
            (state, stamp(before)),
        )

    def raw_letter(self, letter: int) -> bytes:
        """Return the bytes of a letter. Raises StoreError if there is no such letter or its bytes are gone."""
        raw = self.value("SELECT raw FROM letters WHERE id = ?", (letter,))
        if raw is None:
            raise StoreError(f"There is no letter {letter}: `pbem letters` shows those that wait.")
        return bytes(raw)

    def schedule_digest(self, match: int, seat: "Seat", due: datetime) -> None:
        """Arrange for a seat that has had too many answers to get a single letter at the moment `due` in place of all
        further answers."""
        self.conn.execute(
            "INSERT INTO digests VALUES (?, ?, ?) ON CONFLICT (match, seat) DO NOTHING", (match, seat, stamp(due))
        )

    def take_digests(self, now: datetime) -> "list[tuple[int, Seat]]":
        """Return the seats (match, seat) for which a letter scheduled by `schedule_digest` is due, and remove them from
        the schedule."""
        due = self.conn.execute("SELECT match, seat FROM digests WHERE due <= ?", (stamp(now),)).fetchall()
        self.conn.execute("DELETE FROM digests WHERE due <= ?", (stamp(now),))
        return due

    # The record

    def note(self, kind: str, content: Mapping[str, Any], now: datetime, match: int | None = None) -> None:
        """Add an entry to the record inside an open transaction. The chain contains only the hash of the content, so
        the row with the content can be deleted later."""
        assert self.conn.in_transaction, "the record's head is kept with what it tells"
        self._head = append(self.conn, self.head(), (stamp(now), kind, match), content)

    def head(self) -> Head:
        """Return the head of the record inside the open transaction."""
        return self._head or find_head(self.conn)


EffectHandler = Callable[[Store, Any, datetime], None]
"""A function that stores an effect of one class, given the store, the effect and the current moment."""
