"""A run of a desk as all its steps know it: what was found, and what troubles are to be told."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from pbem.config.config import Config, read_key
from pbem.resources import unread_part
from pbem.store.audit_log import Head
from pbem.store.database import UNREAD, Connection, KeptLetter, Look, SQLiteError, Store, look
from pbem.times.moments import outage, parse_moment, stamp

if TYPE_CHECKING:
    from pbem.service.desk import Desk

_DAY = timedelta(days=1)

_WAIT = timedelta(hours=12)
"""How long turns wait for a letter that the mailbox does not give us: the next one may come tomorrow."""

ASIDE = "letters of no game that were set aside"
"""What strangers' letters are told as, if we failed on them: once a day, for their writers may send any number."""

_NAMED = 20
"""Letters that are told one by one."""


class Troubles(dict[str, str]):
    """The troubles of a run, by what they are with, each with its sentence; `found` is what the last run left."""

    def __init__(self, found: Look, now: datetime) -> None:
        super().__init__()
        self._found, self._now = found, now
        self._all_read = False

    def read_all_but(self, unread: Mapping[str, str]) -> None:
        """The mailbox was read to its end, but for some letters, named as there, each with a sentence why."""
        self._all_read = True
        for name, why in islice(unread.items(), _NAMED):
            self[UNREAD + name] = (
                f"Letters cannot be fetched: {why} That is the letter {name}; all others are read, and each run asks"
                " for this one again. See what is wrong with it there, or delete it."
            )
        if len(unread) > _NAMED:
            self[f"{UNREAD}and more"] = f"{len(unread) - _NAMED} more letters cannot be fetched, either."

    def wait_to_be_read(self, letters: int) -> None:
        """So many letters are in the store, and had no room in this run."""
        if letters:
            self["letters that wait"] = (
                f"{letters} letters wait to be read, for they come faster than that. The next runs go on with them, and"
                " turns are played all the same."
            )

    @property
    def unread_of_late(self) -> bool:
        """Whether the mailbox holds a letter back that turns wait for: it may hold orders of anybody."""
        since = self._found.unread
        unread = (kind.removeprefix(UNREAD) for kind in self if kind.startswith(UNREAD))
        return any(name not in since or self._now < parse_moment(since[name]) + _WAIT for name in unread)

    def tell(self) -> tuple[list[str], str]:
        """What is news to the operator: troubles that are new, have lasted another day, or are over. And all that
        there are by now, for the next run."""
        known: dict[str, dict[str, str]] = json.loads(self._found.trouble or "{}")
        lines: list[str] = []
        # Of these nobody knows that they are over, though this run has not met them.
        lasting = [one for one in known if one == ASIDE or (one.startswith(UNREAD) and not self._all_read)]
        kept = {kind: known.pop(kind) for kind in lasting if kind not in self}
        for kind, text in self.items():
            entry = known.pop(kind, None)
            if entry is None:
                entry = {"since": stamp(self._now), "told": stamp(self._now)}
                lines.append(text)
            elif parse_moment(entry["told"]) + _DAY <= self._now:
                entry["told"] = stamp(self._now)
                lines.append(f"{text} It has been so since {entry['since']}.")
            kept[kind] = entry
        if (aside := kept.get(ASIDE)) and parse_moment(aside["told"]) + _DAY <= self._now:
            del kept[ASIDE]
        lines += [f"The trouble with {kind}, which began at {one['since']}, is over." for kind, one in known.items()]
        return lines, json.dumps(kept) if kept else ""


Progress = Callable[[str], None]
"""Is told after each group how far a run is; may raise Stopped."""


class Stopped(BaseException):
    """Somebody wants the run to end; what is left is the next one's."""


@contextmanager
def failures() -> Iterator[list[Exception]]:
    """One letter, game or league that we fail on must not stop the others: what was raised is in the list. For a full
    disk, or a program that is half installed, none of them is to blame: that is raised on."""
    failed: list[Exception] = []
    try:
        yield failed
    except SQLiteError:
        raise
    except Exception as error:
        if unread_part(error):
            raise
        failed.append(error)


class Run(ABC):
    """One run: what was found, what is done, and what troubles are to be told.

    Its steps are those of `tick.Tick`.
    """

    def __init__(self, config: Config, conn: Connection, now: datetime, progress: Progress) -> None:
        self.config, self.conn, self.now, self.progress = config, conn, now, progress
        self.started = self.played = monotonic()
        self.key = read_key(config.desk.key_file)
        self.found: Look = look(conn, now)
        self.events: list[str] = []  # told once, whatever the next run finds
        self.aside: dict[str, list[str]] = {}  # letters that were set aside and where we failed, by whose they are
        self.troubles = Troubles(self.found, now)  # told again daily while they last
        self.put_back: object = None  # what is done about a database that was put back, while it is
        self.witness: Head | None = None  # the head of the record that was written down last

    @cached_property
    def desk(self) -> "Desk":
        """Made when there is work, so that a run without any imports nothing of it."""
        from pbem.service.desk import Desk

        beacon = None if self.put_back else self.config.beacon  # at moments that are over no round can be named
        later = not self.put_back  # what is played again has its own moments
        return Desk(self.config, Store(self.conn), self.now, self.found.last_run, self.key, beacon, later)

    def renew_desk(self) -> None:
        """What it knows is of another moment, or of another epoch."""
        self.__dict__.pop("desk", None)

    @cached_property
    def outage(self) -> tuple[datetime, datetime] | None:
        """When the desk did not run, or could not read its letters, if that was too long: nobody has missed a
        deadline that fell into it."""
        since = self.found.down_since or self.found.last_run
        if not since or self.config.desk.rehearsal:
            return None
        began = parse_moment(since)
        return (began, self.now) if outage(began, self.now, self.config.desk.every) else None

    @property
    def is_new_day(self) -> bool:
        """Whether no run has been made on this day, in UTC."""
        return self.found.last_run[:10] != stamp(self.now)[:10]

    @abstractmethod
    def handle_group(self, group: Sequence[KeptLetter], *, at_once: bool = False) -> int:
        """Handle letters whose attempt is counted; how many. Unless it has to be `at_once`, what has no room waits."""

    @abstractmethod
    def advance(self, due: datetime | None, outage: tuple[datetime, datetime] | None = None) -> None:
        """Play every turn that is complete, or overdue at a moment; who missed a deadline in an outage did not miss it.

        While letters cannot be fetched, nobody has missed a turn: what they wrote may lie in the mailbox.
        """

    @abstractmethod
    def play_on(self, number: int, outage: tuple[datetime, datetime] | None = None) -> None:
        """What the clock means for a match, in the caller's transaction."""
