"""A desk looked over: all that is wrong with it, or soon will be, each with what to do about it. Nothing is changed."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem import PbemError
from pbem.config.config import Config, Server
from pbem.config.ini import ConfigError
from pbem.config.people import game_master_of
from pbem.i18n import languages
from pbem.service.beacon import BeaconError
from pbem.service.maintenance import check
from pbem.store import due, game_masters, outbox
from pbem.store.backup import all_damage, orphans
from pbem.store.database import SQLiteError, Store, StoreError, connect, look
from pbem.store.removals import why_not
from pbem.store.verify import Audit
from pbem.times.moments import parse_moment, stamp

Progress = Callable[[str], None]

_HOUR = timedelta(hours=1)
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
    for problem in check(config, now):
        yield Finding(_WHERE.get(type(problem), "mail"), str(problem), "")
    yield from _languages()
    yield from _disk(config)
    yield from _people_at_the_desk(config)
    try:
        conn = connect(config.database)
    except StoreError:
        return  # told above
    with closing(conn):
        store = Store(conn)
        try:
            with store.snapshot():
                yield from _database(store, progress)
                for look_at in _LOOKS:
                    yield from look_at(store, config, now)
                yield from _record(store, progress)
        except SQLiteError as error:
            yield Finding("database", f"cannot be read ({error}).", _PUT_BACK)


_WHERE: dict[type[PbemError], str] = {
    ConfigError: "configuration",
    StoreError: "database",
    BeaconError: "public beacon",
}
_PUT_BACK = "Stop the polls, keep the file, and put back the newest backup that is whole."


def _overlooked(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Letters that no run has read, though later ones were: the mail server has numbered them against its word."""
    from pbem.transport.base import TransportError
    from pbem.transport.open import open_mailbox

    with suppress(ConfigError, TransportError), open_mailbox(config) as mailbox:  # trouble with it is told above
        if number := mailbox.overlooked(look(store.conn, now).mark):
            what = f"letters that came before the last one that was read were not read themselves: {number}."
            yield Finding("mailbox", what, "The first poll of a day reads them. Ask the server's people about UIDNEXT.")


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
        if config.desk.game_master == config.desk.operator:
            del told["[desk] game_master"]
        for key, one in told.items():
            if one.address.rpartition("@")[2].lower() in ("example.org", "example.com", "example.net"):
                yield Finding("configuration", f"{key} is still that of the example.", _OF_YOURS)


def _database(store: Store, progress: Progress) -> Iterator[Finding]:
    progress("checking the database")
    for problem in all_damage(store.conn):
        yield Finding("database", f"is damaged: {problem}.", _PUT_BACK)
    for table, rows in orphans(store.conn):
        yield Finding("database", f"{rows} rows of {table} belong to nothing that is there.", _PUT_BACK)


def _runs(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    if config.desk.rehearsal:
        return
    found = look(store.conn, now)
    last = found.last_run
    if not last:
        yield Finding("runs", "the desk has never run.", "Let cron start `pbem poll`, or run `pbem watch`.")
    elif parse_moment(last) > now:
        yield Finding("clock", f"it says {stamp(now)}, but the last run was at {last}.", "Set the clock right.")
    elif now - parse_moment(last) > 3 * config.desk.every:
        yield Finding("runs", f"the last run was at {last}.", "See whether cron starts `pbem poll`, and what it says.")
    if found.down_since:
        yield Finding("runs", f"no run has read the mailbox since {found.down_since}.", "`pbem poll` says why.")


def _letters_in(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    for name, since in look(store.conn, now).unread.items():
        what = f"the mailbox has not given us the letter {name} since {since}."
        yield Finding("letters", what, "`pbem poll` says why; mend it there, or delete it.")
    if why := why_not(store.conn):
        what = f"some that are forgotten here could not be removed from the mailbox: {why}"
        yield Finding("letters", what, "`pbem poll` tries again every hour.")
    for state, after, what, remedy in (
        ("kept", 3 * config.desk.every, "came and are not handled yet", "`pbem poll` says what is wrong."),
        ("set aside", timedelta(), "are set aside: the program failed on them", "See `pbem letters --set-aside`."),
        ("held", _DAY, "are held until their senders say yes", "See `pbem letters`."),
    ):
        numbers = store.letters_in_state(state, now - after)
        if numbers:
            yield Finding("letters", f"{_numbers(numbers)} {what}.", remedy)


def _letters_out(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    waiting = outbox.unsent(store, now - _DAY)
    if waiting:
        what = f"{_numbers(waiting)} wait for more than a day."
        yield Finding("outbox", what, "`pbem poll` says why they cannot be sent; `pbem check-config` tries the server.")
    for whom, number in outbox.refused_since(store, now - _FORTNIGHT):
        what = f"letters to {whom} that were refused for good in the last two weeks: {number}."
        yield Finding("outbox", what, "Reach them another way, or give the seat to somebody else: `pbem game replace`.")


def _games(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Games that stand still: the clock has struck for them, or all orders are in; or nobody is there to write."""
    stuck = due.stuck(store, now - 3 * config.desk.every)
    if stuck:
        what = f"nothing is missing, and they are not played: {_first(stuck)}."
        yield Finding("games", what, "`pbem poll` says why.")
    if waiting := game_masters.unjudged(store, game_master_of(config)):
        what = f"a report waits, and every game master plays there: {_first(waiting)}."
        yield Finding("games", what, "Look at it and send it out: `pbem game show`, `pbem game release`.")
    if drawing := due.waiting_for_rounds(store, now - _HOUR):
        what = f"they have waited for a round of the public beacon for more than an hour: {_first(drawing)}."
        yield Finding("games", what, "`pbem poll` says why; `pbem game words` has one go on without it.")
    deserted = due.deserted(store)
    if deserted:
        what = f"a player is gone, and no deadline ends their turn: {_first(deserted)}."
        yield Finding("games", what, "End it or seat somebody else: `pbem game award`, `pbem game replace`.")


def _masters(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Game masters to whom nothing gets through, or whose word counts no longer."""
    for place, name, banned, refused in game_masters.reach(store, game_master_of(config)):
        who = f"{name or 'the game master'} of {place}"
        if banned:
            yield Finding(
                "game masters", f"{who} is banned.", "Let them in again (`pbem player unban`), or name another."
            )
        if refused:
            yield Finding("game masters", f"the last letter to {who} went back.", "See whether the address is right.")


def _record(store: Store, progress: Progress) -> Iterator[Finding]:
    """What `pbem verify` finds first, which is often the cause of all the rest."""
    audit, read = Audit(store.conn), 0

    def tell(rows: int) -> None:
        nonlocal read
        read += rows
        progress(f"{read} rows compared with the record")

    difference = next(audit.differences(tell), None)
    if difference:
        yield Finding("record", difference, "Compare with a backup; docs/proof.md says what this means.")


def _numbers(numbers: Sequence[int]) -> str:
    return f"{len(numbers)} ({_first([str(number) for number in numbers])})"


def _first(texts: Sequence[str]) -> str:
    """The first five of some texts."""
    return ", ".join(texts[:5]) + (", ..." if len(texts) > 5 else "")


_LOOKS = (_runs, _overlooked, _letters_in, _letters_out, _games, _masters)
