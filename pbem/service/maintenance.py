"""What an operator does with a desk besides its runs: tries its configuration, makes a new key, corrects its clock."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path

from pbem import PbemError
from pbem.config.config import Config, Server
from pbem.config.ini import ConfigError
from pbem.config.keys import make_key, read_key
from pbem.config.people import is_own
from pbem.service.beacon import last_round
from pbem.service.tick import lock
from pbem.store.database import StoreError, connect, look, remember
from pbem.times.moments import stamp
from pbem.transport.open import open_mailbox, open_outgoing


def check(config: Config, now: datetime) -> list[PbemError]:
    """Try all that a run needs: key, database, both logins, the last round of the beacon. Every problem at once."""
    problems: list[PbemError] = [*_nobody_reads(config)]
    for attempt in (
        lambda: read_key(config.desk.key_file),
        lambda: connect(config.database).close(),
        lambda: open_mailbox(config).__enter__().__exit__(None, None, None),
        lambda: open_outgoing(config).__enter__().__exit__(None, None, None),
        lambda: last_round(config.chance, now),
    ):
        try:
            attempt()
        except PbemError as error:
            problems.append(error)
    return problems


def _nobody_reads(config: Config) -> Iterator[ConfigError]:
    """Addresses of people that are the desk's own: what players write to them comes back here, and nobody reads it."""
    if not isinstance(config.outgoing.place, Server):
        return
    if is_own(config, config.desk.operator):
        what = "[desk] operator is the desk's own address, where nobody reads: put in an address of yours."
        yield ConfigError(str(config.path), what)
    if config.desk.game_master != config.desk.operator and is_own(config, config.desk.game_master):
        what = "[desk] game_master is the desk's own address, where nobody reads, so that the operator gets what is"
        yield ConfigError(str(config.path), f"{what} written to them: put in an address of yours, or leave it out.")


def rekey(config: Config, now: datetime) -> int:
    """Make a new key: every older reply address is worthless, and every seat gets a letter with its new one.

    Returns how many letters go out with the next run. If we die on the way, the old key holds or it is done again.
    """
    from pbem.service.desk import Desk
    from pbem.store.database import Store

    old = config.desk.key_file
    with _alone(config):
        new = old.with_name(f"{old.name}.new")
        new.unlink(missing_ok=True)
        make_key(new)
        with closing(connect(config.database)) as conn:
            desk = Desk(config, Store(conn), now, look(conn, now).last_run, read_key(new))
            told = desk.tell_new_addresses()
            new.replace(old)
    return told


def trust_clock(config: Config, now: datetime) -> None:
    """Take the clock's word that it is `now`, though a run has been later: that one's clock was wrong."""
    from pbem.store.database import Store

    with _alone(config), closing(connect(config.database, upgrade=True)) as conn:
        found = look(conn, now)
        if found.last_run > stamp(now):
            with (store := Store(conn)).transaction():
                remember(conn, last_run=stamp(now), down_since=min(found.down_since or stamp(now), stamp(now)))
                store.note("clock", {"last run": found.last_run}, now)


def put_back(
    config: Config, source: Path, progress: Callable[[str], None], *, replace: bool, as_it_is: bool = False
) -> Path | None:
    """Make the database anew from a copy; where the one that was there is kept, if there was one to `replace`."""
    from pbem.store.backup import restore_desk

    database = config.database
    places = (database.with_name(f"{database.name}.before-{number}") for number in count(1))
    with _alone(config):
        there = database.exists()
        kept = next(place for place in places if not place.exists()) if replace else None
        restore_desk(source, database, progress, kept, as_it_is=as_it_is)
    return kept if there else None


@contextmanager
def _alone(config: Config) -> Iterator[None]:
    """Keep runs away meanwhile. Raises StoreError if one is at work."""
    with lock(config.database.with_name("pbem.lock")) as free:
        if not free:
            raise StoreError("A poll is at work: try again when it is done.")
        yield
