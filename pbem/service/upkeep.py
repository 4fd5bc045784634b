"""What the first run of a day does besides: deadlines are looked up anew, and old letters of strangers go."""

from datetime import datetime, timedelta

from pbem.config.config import Config
from pbem.store.database import Connection, Store
from pbem.store.due import renew_due
from pbem.store.junk import prune


def daily(config: Config, conn: Connection, now: datetime) -> bool:
    """Once a day, deadlines are looked up anew on the clocks of their zones; whether any has moved."""
    store = Store(conn)
    prune_old(config.desk.keep_strangers, store, now)
    return renew_due(store, now)


def prune_old(keep: timedelta | None, store: Store, now: datetime) -> int:
    """Remove letters of strangers that are older than is wanted, if they are not kept for ever; how many."""
    return prune(store, now - keep, now) if keep else 0
