"""A tick: lock, fetch, handle each letter, advance the games, send, note the run. The only one that reads the clock.

The order of steps is what makes a crash harmless: letters are kept and handled in transactions before they are
marked on the server, and letters out are marked as sent only after the server has taken them.
"""

import fcntl
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from pbem.config.config import Config
from pbem.service import budget
from pbem.service.failures import failures
from pbem.service.put_back import PutBack, write_witness
from pbem.service.run import ASIDE, GROUP, Progress, Run, Stopped
from pbem.store import outbox
from pbem.store.database import SQLiteError, Store, StoreError, connect, recall, remember
from pbem.store.forgetting import not_removed, prune, removed, to_remove, why_not
from pbem.store.outbox import OutLetter
from pbem.times.moments import parse_moment, stamp
from pbem.transport.base import Arrived, Interrupted, Refused, TransportError, Unread, Unwanted
from pbem.transport.open import open_mailbox, open_outgoing

SECONDS = 300.0
"""What a run may spend with its servers. Letters in get two thirds, so that letters out always have their turn."""


def clock() -> datetime:
    """The moment a run is for."""
    return datetime.now(UTC)


class RunReport(NamedTuple):
    """What a run tells its operator: lines that are news to him, whether all went well; and whether there was a run."""

    lines: list[str]
    well: bool
    ran: bool = True


def poll(config: Config, now: datetime, progress: Progress) -> RunReport:
    """One run of a desk. A second run that finds the first still at work does nothing. Raises PbemError."""
    with lock(config.database.with_name("pbem.lock")) as free:
        if not free:
            return RunReport([], True, ran=False)
        conn = connect(config.database, upgrade=True)
        try:
            return Tick(config, conn, now, progress).tick()
        except SQLiteError as error:
            problem = f"The database {config.database} failed ({error}); nothing is lost, the next run goes on."
            raise StoreError(problem) from None
        finally:
            conn.close()


@contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Hold the desk's lock, which the system gives back if we die; False if somebody else holds it."""
    try:
        file = path.open("w")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


class Tick(Run):
    """The steps of a run."""

    def tick(self) -> RunReport:
        try:
            self._work()
        except Stopped:
            self._tell_aside()
            return RunReport(self.events, not self.events)
        self._tell_aside()
        self._sign()
        lines, troubles = self.troubles.tell()
        remember(self.conn, trouble=troubles)
        return RunReport([*self.events, *lines], not (self.events or self.troubles))

    def _tell_aside(self) -> None:
        """A line for all letters of a seat that were set aside; one a day for those that are of none."""
        for whose, (first, *others) in self.aside.items():
            rest = f", and so were {len(others)} more" if others else ""
            line = f"Letter {first}{rest}: `pbem letters --set-aside` shows {'them' if others else 'it'}."
            if whose:
                self.events.append(line)
            else:
                self.troubles[ASIDE] = line

    def _sign(self) -> None:
        """Write down that we have run, and since when the desk is down, if it is.

        A clock that went back means that it is down since what the clock says now.
        """
        now, since = stamp(self.now), self.look.down_since or self.look.last_run
        if "clock" in self.troubles:
            remember(self.conn, down_since=min(since, now))
        elif "mailbox" in self.troubles:
            remember(self.conn, down_since=since or now, last_run=now)
        else:
            remember(self.conn, last_run=now)
            if self.look.down_since:
                remember(self.conn, down_since="")

    def _work(self) -> None:
        if self.look.last_run > stamp(self.now) and not self.config.desk.rehearsal:
            self.troubles["clock"] = (
                f"The clock says {stamp(self.now)}, but the last run was at {self.look.last_run}: nothing was done."
                " Set the clock right; if it is right now, `pbem poll --clock-is-right` goes on. Else all waits for it."
            )
            return
        self.put_back = PutBack.found_by(self)
        work = self._new_day() or self.look.work or self.put_back is not None
        if work:
            self._let_in()
            self._handle_kept()
        work = self._fetch() or work
        if self.put_back and "mailbox" not in self.troubles:
            self.put_back.end()
            self.put_back = None
        if work and not self.put_back:
            with self.desk.store.transaction():
                self.desk.send_digests()
            self.advance(None if "mailbox" in self.troubles else self.now, self.outage)
            with self.desk.store.transaction():
                self.desk.send_notices()
            self._advance_leagues()
            self._tell_masters()
        if work:
            send(self, self.started + SECONDS)
        if work and not self.put_back:
            self._handle_the_rest()
            self._play_computer_turns()
        remove_forgotten(self)

    # Letters in

    def _fetch(self) -> bool:
        """Take in what lies in the mailbox; whether there was anything."""
        letters = 0
        try:
            with open_mailbox(self.config, self.started + SECONDS * 2 / 3) as mailbox:
                if self.put_back:
                    mailbox.again(self.put_back.since)
                elif self.is_new_day:
                    mailbox.look_back()
                for batch in mailbox.fetch(self.look.mark):
                    if not batch.letters:
                        remember(self.conn, mark=batch.mark)
                        continue
                    self.put_back = PutBack.shown_by(self, batch.letters, self.put_back)
                    arrived = [
                        (self._arrival(letter), letter.raw, letter.size, self._waits(letter.raw))
                        for letter in batch.letters
                    ]
                    self.handle_group(self.desk.store.keep(arrived, batch.mark))
                    self._handle_kept()  # a letter that was held may have been released
                    write_witness(self)
                    mailbox.handled([letter.key for letter in batch.letters])
                    letters += len(batch.letters)
                    self.progress(f"{letters} letters read")
                    self._play_meanwhile(batch.letters[-1].when)
            self.troubles.read_all_but({})
        except Unread as error:
            self.troubles.read_all_but(error.letters)
        except TransportError as error:
            self.troubles["mailbox"] = f"Letters cannot be fetched: {error}"
        return letters > 0

    def _play_meanwhile(self, read: datetime) -> None:
        """If reading takes long, play what was due when the last letter read came: all that came in time are read."""
        if monotonic() - self.played > budget.BEFORE_TURNS and not self.put_back:
            self.advance(min(read, self.now), self.outage)
            send(self, self.started + SECONDS)
            self.played = monotonic()

    def _arrival(self, letter: Arrived) -> datetime:
        """When a letter arrived: before all that were read before it, though maybe in the same second."""
        late = letter.late or letter.key in self.look.unread
        return letter.when - timedelta(seconds=1) if late else letter.when

    def _let_in(self) -> None:
        """Have letters of strangers handled again that have waited for room, before newer ones take it."""
        from pbem.store.waiting import let_in

        if not self.put_back:
            with self.desk.store.transaction():
                let_in(self.desk.store, self.now)

    def _handle_kept(self) -> None:
        """Handle what was kept before: what a run has died over goes alone, others in groups while there is room."""
        store = self.desk.store
        for tried, size in ((True, 1), (False, GROUP)):
            for rank in budget.RANKS:
                while group := store.unhandled(size, rank, tried=tried):
                    store.tried(group)
                    if not self.handle_group(group, at_once=tried or not rank):
                        break

    def _handle_the_rest(self) -> None:
        """Letters that had no room before the turns were played; what waits still is told."""
        self.budget = budget.Budget(budget.AFTER_TURNS)
        self._handle_kept()
        if waiting := len(self.desk.store.letters_in_state("kept", self.now)):
            self.troubles["letters that wait"] = (
                f"{waiting} letters wait to be read, for they come faster than that. The next runs go on with them, and"
                " turns are played all the same."
            )
        send(self, self.started + SECONDS)

    # Games

    def _new_day(self) -> bool:
        """Once a day old letters of strangers go, and deadlines are looked up on the clocks of their zones; whether
        any has moved."""
        if not self.is_new_day:
            return False
        from pbem.store.waiting import renew_due

        store = Store(self.conn)
        prune_old(self.config.desk.keep_strangers, store, self.now)
        return renew_due(store, self.now)

    def _play_computer_turns(self) -> None:
        """Have the slow levels of the computer play the turns that wait for them, the oldest first.

        This ends when `[opponent] seconds_a_run` are spent; the next run goes on. Letters that follow from a
        turn are sent at once.
        """
        if not recall(self.conn, "thinks"):
            return
        from pbem.store.waiting import thinks

        desk, played, failed = self.desk, 0, set[int]()
        until = monotonic() + self.config.opponent.run
        while waiting := [number for number in thinks(desk.store) if number not in failed]:
            if (remaining := until - monotonic()) <= 0:
                break
            if self._play_computer_turn(waiting[0], min(self.config.opponent.turn, remaining)):
                played += 1
                self.progress(f"{played} turns thought about")
                send(self, self.started + SECONDS)
            else:
                failed.add(waiting[0])

    def _play_computer_turn(self, number: int, seconds: float) -> bool:
        """Have the computer think about a match for so many seconds and move; whether that worked."""
        from pbem.match.computer import awaited
        from pbem.service.opponent import think
        from pbem.store.matches import load_match, match_name
        from pbem.store.waiting import thinks_no_more

        store = self.desk.store
        match = load_match(store, number)
        with failures() as errors:
            moves = think(match, self.key, seconds)
            with store.transaction():
                thinks_no_more(store, number)
                now = load_match(store, number)
                if (now.turn, now.state) == (match.turn, match.state):
                    self.desk.move(now, {seat: move for seat, move in moves.items() if seat in awaited(now)})
        for error in errors:
            name = match_name(store, number)
            self.troubles[name] = f"The computer cannot think about {name} ({type(error).__name__}); the turn waits."
        return not errors

    def _advance_leagues(self) -> None:
        """Let leagues go on whose games have ended, or whose members leave."""
        from pbem.store.waiting import due_leagues

        if not due_leagues(self.desk.store):
            return
        from pbem.service.league_rounds import advance

        self.troubles |= advance(self.desk)

    def _tell_masters(self) -> None:
        """Let game masters hear what has happened, each as often as they like."""
        from pbem.service.directing import tell_masters

        with self.desk.store.transaction():
            self.desk.apply(tell_masters(self.desk.store, self.config, self.now))


# Letters out: in the order of the outbox, marked as sent only after the server has taken them


ATTEMPTS = 14
"""Tries after which a letter out is given up: with growing pauses that is six days (RFC 5321 §4.5.4.1)."""

_EPOCH = re.compile(r"\.e\d{9,}(?=[.@])")
_DAY = timedelta(days=1)
_FIRST_PAUSE = timedelta(minutes=5)


def send(run: Run, deadline: float) -> None:
    """Send all that is to go out now, until a moment of time.monotonic; after trouble nothing more in this run."""
    store, after, sent = run.desk.store, 0, 0
    if "outgoing" in run.troubles or not outbox.waiting(store, run.now, 0, 1):
        return
    with store.transaction():
        run.desk.outgoing.gather()
    write_witness(run)
    try:
        with open_outgoing(run.config, deadline) as outgoing:
            while letters := outbox.waiting(store, run.now, after, GROUP):
                after = letters[-1].id
                sent += _send_some(run, outgoing.send, letters)
                run.progress(f"{sent} letters sent")
    except TransportError as error:
        run.troubles["outgoing"] = f"Letters cannot be sent: {error}"


def _send_some(run: Run, send: Callable[[bytes, str, str, str], None], letters: Sequence[OutLetter]) -> int:
    """Send a group; what the server took is marked, even if the line breaks in the middle."""
    sent = []
    try:
        for letter in letters:
            try:
                send(letter.raw, letter.recipient, letter.envelope, _file_name(letter))
                sent.append(letter.id)
            except Refused as error:
                _not_taken(run, letter, str(error), permanent=error.permanent)
            except Interrupted as error:
                _not_taken(run, letter, str(error))  # the others go first next time
                raise
    finally:
        outbox.mark_sent(run.desk.store, sent, run.now)
    return len(sent)


def _not_taken(run: Run, letter: OutLetter, why: str, *, permanent: bool = False) -> None:
    """Try again after pauses that grow to a day, but not for ever; then the game master is told, too."""
    from pbem.match.identity import hide_number
    from pbem.match.reports import mail_fails
    from pbem.store.matches import load_match, match_name

    store = run.desk.store
    if permanent or letter.attempts + 1 >= ATTEMPTS:
        with store.transaction():
            outbox.give_up(store, letter, run.now, why)
            if letter.match and letter.seat:
                key = f"out-{hide_number(run.key, letter.id)}"
                run.desk.apply(mail_fails(load_match(store, letter.match), letter.seat, key))
        to = f"{letter.seat} of {match_name(store, letter.match)}" if letter.match else f"player {letter.player}"
        failure = "was refused for good" if permanent else f"is given up after {ATTEMPTS} tries"
        run.events.append(f"The {letter.kind} for {to} {failure}: {why}")
    else:
        outbox.postpone(store, letter, run.now, min(_FIRST_PAUSE * 2 ** min(letter.attempts, 12), _DAY))


def _file_name(letter: OutLetter) -> str:
    """What a letter is called where it becomes a file: the same for every try, and in the order of the outbox.

    After a database was put back, numbers come again.
    """
    epoch = _EPOCH.search(letter.message_id)
    again = epoch[0] if epoch else ""
    return f"{parse_moment(letter.made).timestamp():.0f}.Q{letter.id}{again}.pbem"


_SECONDS = 60.0
"""What a run may spend on it with the server."""

_PAUSE = timedelta(hours=1)
"""A folder is looked through for them: not in each run, if it was in vain."""


def remove_forgotten(run: Run) -> None:
    """Remove what is still to be removed; what cannot be stays known, is told, and is tried again."""
    letters = to_remove(run.conn)
    if not letters:
        return
    if any(letter.due <= stamp(run.now) for letter in letters) and not (run.put_back or "mailbox" in run.troubles):
        try:
            with open_mailbox(run.config, monotonic() + _SECONDS) as mailbox:
                mailbox.remove(
                    [Unwanted(letter.sha256, letter.size, parse_moment(letter.arrived)) for letter in letters]
                )
            removed(run.conn, letters)
        except TransportError as error:
            not_removed(run.conn, letters, str(error), run.now + _PAUSE)
    if why := why_not(run.conn):
        run.troubles["letters to be removed"] = f"Letters cannot be removed from the mailbox: {why}"


def prune_old(keep: timedelta | None, store: Store, now: datetime) -> int:
    """Remove letters of strangers that are older than is wanted, if they are not kept for ever; how many."""
    return prune(store, now - keep, now) if keep else 0
