"""The data shared by the steps of a run: the state of the desk at the start of the run, and the troubles to report."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from pbem.config.config import Config, read_key
from pbem.store.audit_log import Head
from pbem.store.database import UNREAD, Look, Store, look
from pbem.times.moments import outage, parse_moment, stamp

if TYPE_CHECKING:
    from pbem.render.images import Images
    from pbem.service.beacon import Rounds

_DAY = timedelta(days=1)

_WAIT = timedelta(hours=12)
"""How long turns wait for a letter that the mailbox holds back. During this time, a later run may be able to fetch
it."""

ASIDE = "letters of no game that were set aside"
"""The name of the trouble that reports letters which were set aside and belong to no game, such as letters from
strangers.

It is reported only once a day, because strangers may send any number of such letters.
"""

WAITING = "letters that wait"
"""The name of the trouble that reports letters which come faster than they can be read."""

INTERPRETER = "the interpreter"
"""The name of the trouble that reports a failure of the interpreter. It lasts until the interpreter has answered."""

GROUP = 50
"""The number of letters or turns that share a commit, because commits are slow. Each letter or turn is still handled
completely or not at all."""

_NAMED = 20
"""The number of unread letters that are reported one by one."""


class Troubles(dict[str, str]):
    """The troubles of one run: a sentence about each trouble, keyed by the name of the thing that is in trouble, such
    as a game or the mailbox.

    `look`, which describes the desk at the start of the run, contains the troubles that remained after the previous
    run.
    """

    def __init__(self, look: Look, now: datetime) -> None:
        super().__init__()
        self._look, self._now = look, now
        self._all_read = False
        self.interpreted = False  # whether the interpreter has answered, or there is none

    def read_all_but(self, unread: Mapping[str, str]) -> None:
        """Record that the mailbox was read to its end, apart from some letters. `unread` maps their names to the
        reasons."""
        self._all_read = True
        for name, why in islice(unread.items(), _NAMED):
            self[UNREAD + name] = (
                f"Letters cannot be fetched: {why} That is the letter {name}; all others are read, and each run asks"
                " for this one again. See what is wrong with it there, or delete it."
            )
        if len(unread) > _NAMED:
            self[f"{UNREAD}and more"] = f"{len(unread) - _NAMED} more letters cannot be fetched, either."

    @property
    def unread_of_late(self) -> bool:
        """Whether there is a letter that the mailbox has been holding back for less than 12 hours.

        Turns wait for such a letter, because it may contain anybody's orders.
        """
        since = self._look.unread
        unread = (kind.removeprefix(UNREAD) for kind in self if kind.startswith(UNREAD))
        return any(name not in since or self._now < parse_moment(since[name]) + _WAIT for name in unread)

    def tell(self) -> tuple[list[str], str]:
        """Return the lines that are news to the operator, and all troubles as JSON for the next run.

        A trouble is news when it is new, again after each day that it lasts, and when it is over.
        """
        earlier: dict[str, dict[str, str]] = json.loads(self._look.trouble or "{}")
        lines: list[str] = []
        # This run has not met with these troubles, but it cannot tell whether they are over.
        lasting = [kind for kind in earlier if kind == ASIDE or (kind.startswith(UNREAD) and not self._all_read)]
        lasting += [INTERPRETER] if INTERPRETER in earlier and not self.interpreted else []
        troubles = {kind: earlier.pop(kind) for kind in lasting if kind not in self}
        for kind, text in self.items():
            entry = earlier.pop(kind, None)
            if entry is None:
                entry = {"since": stamp(self._now), "told": stamp(self._now)}
                lines.append(text)
            elif parse_moment(entry["told"]) + _DAY <= self._now:
                entry["told"] = stamp(self._now)
                lines.append(f"{text} It has been so since {entry['since']}.")
            troubles[kind] = entry
        if (aside := troubles.get(ASIDE)) and parse_moment(aside["told"]) + _DAY <= self._now:
            del troubles[ASIDE]
        lines += [
            f"The trouble with {kind}, which began at {entry['since']}, is over." for kind, entry in earlier.items()
        ]
        return lines, json.dumps(troubles) if troubles else ""


def of_desk(troubles: Mapping[str, object]) -> bool:
    """Return whether any of `troubles`, keyed by their names, concerns the desk itself. Trouble with letters that have
    arrived does not, so that nobody can make a run fail by writing to the desk."""
    return bool(troubles.keys() - {ASIDE, WAITING})


Progress = Callable[[str], None]
"""A function that is called with a line about the progress of the run after each group of letters or turns; it may
raise Stopped."""


class Stopped(BaseException):
    """Raised when somebody asks the run to end. The next run does the remaining work."""


class Run:
    """One run: the state of the desk at its start, and the news to report at its end.

    `tick.Tick` takes the steps in order; `handling.Handler` handles letters and plays turns.
    """

    def __init__(self, config: Config, store: Store, now: datetime, progress: Progress) -> None:
        self.config, self.store, self.now, self.progress = config, store, now, progress
        self.conn = store.conn
        self.started = monotonic()
        self.key = read_key(config.desk.key_file)
        self.look: Look = look(store.conn, now)
        self.events: list[str] = []  # reported once, whatever happens in the next run; they make this run fail
        self.notes: list[str] = []  # also reported once, but not as trouble with the desk
        self.aside: dict[str, list[str]] = {}  # where the program failed on letters that were set aside, by writer
        self.troubles = Troubles(self.look, now)  # reported again each day that they last
        self.troubles.interpreted = config.interpreter is None
        self.witness: Head | None = None  # the head of the record as last written to the witnesses

    @cached_property
    def images(self) -> "Images":
        """The images in the letters of this run, whose number is limited."""
        from pbem.render.images import Images

        return Images()

    @cached_property
    def rounds(self) -> "Rounds":
        """The rounds of the public beacon, looked up only when they are needed, because few games wait for a round."""
        from pbem.service.beacon import Rounds

        return Rounds(self.config.chance)

    @cached_property
    def outage(self) -> tuple[datetime, datetime] | None:
        """The beginning and the end of the time during which the desk did not run or could not read its letters; None
        if that time was short.

        A deadline within this time does not count as missed. For a rehearsal desk, whose clock the operator sets, this
        is None.
        """
        since = self.look.down_since or self.look.last_run
        if not since or self.config.desk.rehearsal:
            return None
        began = parse_moment(since)
        return (began, self.now) if outage(began, self.now, self.config.desk.every) else None

    @property
    def is_new_day(self) -> bool:
        """Whether this is the first run of a day (UTC)."""
        return self.look.last_run[:10] != stamp(self.now)[:10]
