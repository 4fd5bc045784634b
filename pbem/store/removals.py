"""Letters whose bytes are gone from the database and that are to go from the mailbox, too: known until they are."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pbem.store.database import Connection, Store, remember
from pbem.times.moments import stamp

_MOST = 200
"""Letters that are removed together: to be known for certain, each is read once more."""


class Removal(NamedTuple):
    """A letter to be removed: its number, hash, bytes on the server, when it came, and when it is tried next."""

    id: int
    sha256: str
    size: int
    arrived: str
    due: str


def to_remove(conn: Connection) -> list[Removal]:
    """The oldest letters that are still to be removed; never one that the database has kept."""
    rows = conn.execute(
        """SELECT id, sha256, size, arrived, r.due FROM removals r JOIN letters ON id = letter
           WHERE raw IS NULL AND sender IS NULL ORDER BY id LIMIT ?""",
        (_MOST,),
    )
    return [Removal(*row) for row in rows]


def removed(conn: Connection, letters: Sequence[Removal]) -> None:
    """They are in the mailbox no longer."""
    with Store(conn).transaction():
        conn.executemany("DELETE FROM removals WHERE letter = ?", ((one.id,) for one in letters))
        remember(conn, removal="")


def not_removed(conn: Connection, letters: Sequence[Removal], why: str, due: datetime) -> None:
    """They are there still, for some reason, and are tried again at a moment."""
    with Store(conn).transaction():
        conn.executemany("UPDATE removals SET due = ? WHERE letter = ?", ((stamp(due), one.id) for one in letters))
        remember(conn, removal=why)


def why_not(conn: Connection) -> str:
    """Why letters could not be removed the last time, "" if they could."""
    row = conn.execute("SELECT value FROM desk WHERE key = 'removal'").fetchone()
    return str(row[0]) if row else ""
