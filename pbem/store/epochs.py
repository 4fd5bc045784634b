"""Since when a desk's database is what it is: an older one that was put back begins a new epoch. Functions on a Store.

What was sent in the time that it has forgotten may have the same numbers as what it sends now. So Message-IDs bear the
epoch, and tokens of before prove nothing.
"""

from datetime import UTC, datetime

from pbem.store.database import Store, remember


def current(store: Store) -> str:
    """The epoch as Message-IDs bear it; "" if the database never was an older one."""
    row = store.conn.execute("SELECT value FROM desk WHERE key = 'epoch'").fetchone()
    return f"e{row[0]}" if row and row[0] else ""


def rereads(store: Store) -> bool:
    """Whether letters of before are still to be read again."""
    row = store.conn.execute("SELECT value FROM desk WHERE key = 'put_back'").fetchone()
    return bool(row and row[0])


def begin(store: Store, now: datetime) -> None:
    """A new epoch, which no desk of this name can have had: seconds of Unix time."""
    last = int(current(store).removeprefix("e") or 0)
    remember(store.conn, epoch=str(max(int(now.astimezone(UTC).timestamp()), last + 1)))


def renew_tokens(store: Store, match: int) -> None:
    """Tokens of a match from before this epoch prove nothing any more. Letters that bear them and still wait go now,
    before those that can be answered."""
    waiting = "UPDATE outbox SET due = made WHERE match = ? AND sent IS NULL AND refused IS NULL"
    store.conn.execute(waiting, (match,))
    store.conn.execute(
        """UPDATE seats SET epoch = since, oldest = since
           FROM (SELECT CAST(value AS INTEGER) AS since FROM desk WHERE key = 'epoch' AND value <> '') AS desk
           WHERE match = ? AND oldest < since""",
        (match,),
    )
