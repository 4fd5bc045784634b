"""A tick, which is one run of a desk: take the lock, fetch and handle letters, advance the games, send letters, and
note the run. Only this module reads the clock.

The order of the steps makes crashes harmless: letters are stored and handled in transactions before they are marked as
handled on the server, and outgoing letters are marked as sent only after the server has taken them.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from pbem.config.config import Config
from pbem.service import budget
from pbem.service.failures import failures
from pbem.service.handling import Handler
from pbem.service.restored import handler_after, handler_of
from pbem.service.run import ASIDE, GROUP, WAITING, Progress, Run, Stopped, of_desk
from pbem.service.sending import send
from pbem.service.sending_limits import has_work
from pbem.service.witness import write_witness
from pbem.store.database import SQLiteError, Store, StoreError, connect, recall, remember
from pbem.store.forgetting import mark_removed, pending_removals, postpone_removal, prune, removal_failure
from pbem.times.moments import parse_moment, stamp
from pbem.transport.base import Arrived, TransportError, Unread, Unwanted
from pbem.transport.open import open_mailbox

if TYPE_CHECKING:
    from pbem.service.log import Log

SECONDS = 300.0
"""The number of seconds that a run may spend on its servers. Fetching may take two thirds of this time, so that some
remains for sending."""


def clock() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)


class RunReport(NamedTuple):
    """The report of a run to the operator: lines of news, whether the desk itself is well, whether the run took place,
    and whether it set letters aside."""

    lines: list[str]
    well: bool
    ran: bool = True
    aside: bool = False


def poll(
    config: Config, now: datetime, progress: Progress, store: Store | None = None, show: Progress | None = None
) -> RunReport:
    """Run a desk once; do nothing if another run is in progress. Raises PbemError if the run cannot take place or
    cannot be completed. If `show` is given, it is called with each line of the log.

    A caller that runs the desk often may pass an open `store`, which remains open. This saves 5 ms per run, most of
    which would be spent on the triggers of the record.
    """
    if not config.database.exists():
        connect(config.database)  # says so, and leaves no lock behind
    with lock(config.database.with_name("pbem.lock")) as free:
        if not free:
            return RunReport([], True, ran=False)
        conn = store.conn if store else connect(config.database, upgrade=True)
        try:
            return Tick(Run(config, store or Store(conn), now, progress), show).tick()
        except SQLiteError as error:
            problem = f"The database {config.database} failed ({error}); nothing is lost, the next run goes on."
            raise StoreError(problem) from None
        finally:
            if not store:
                conn.close()


@contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Hold the desk's lock, the file at `path`, during the `with` block. Yields False if another process holds the
    lock. The system releases the lock if the process dies. Raises StoreError if the file cannot be written."""
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


def open_log(run: Run, show: Progress | None) -> "Log | None":
    """Return the log of a run; None if nobody wants one. The desk then forgets how far an earlier log went."""
    if show or run.config.desk.log != "none":
        from pbem.service.log import Log

        return Log(run, show)
    if run.look.logged:
        remember(run.conn, logged="")
    return None


_UNUSED = timedelta(days=90)
"""The time without any letter after which a sandbox ends."""


class Tick:
    """The steps of a run, in order."""

    def __init__(self, run: Run, show: Progress | None = None) -> None:
        self.run = run
        self._log = open_log(run, show)
        self.handler = Handler(run)
        self._played = run.started
        self._has_given_back = False

    def tick(self) -> RunReport:
        """Take every step for which there is work, and return the report of the run."""
        try:
            self._take_steps()
        except Stopped:
            self._tell_aside()
            self._close_log()
            return RunReport([*self.run.events, *self.run.notes], not self.run.events)
        self._tell_aside()
        self._close_log()
        self._note_run()
        lines, troubles = self.run.troubles.tell()
        remember(self.run.conn, trouble=troubles)
        told, well = [*self.run.events, *self.run.notes, *lines], not (self.run.events or of_desk(self.run.troubles))
        return RunReport(told, well, aside=bool(self.run.aside))

    def _tell_aside(self) -> None:
        """Report the letters that were set aside: one line for each seat that wrote some, and one line a day for
        letters that belong to no seat."""
        for whose, (first, *others) in self.run.aside.items():
            rest = f", and so were {len(others)} more" if others else ""
            line = f"Letter {first}{rest}: `pbem letters --set-aside` shows {'them' if others else 'it'}."
            if whose:
                self.run.notes.append(line)
            else:
                self.run.troubles[ASIDE] = line

    def _close_log(self) -> None:
        if self._log:
            self._log.close()

    def _note_run(self) -> None:
        """Record that a run took place and, if the desk is down, since when it has been down.

        If the clock has been set back, the desk counts as down from the moment that the clock now shows.
        """
        now, since = stamp(self.run.now), self.run.look.down_since or self.run.look.last_run
        if "clock" in self.run.troubles:
            remember(self.run.conn, down_since=min(since, now))
        elif "mailbox" in self.run.troubles:
            remember(self.run.conn, down_since=since or now, last_run=now)
        else:
            remember(self.run.conn, last_run=now)
            if self.run.look.down_since:
                remember(self.run.conn, down_since="")

    def _take_steps(self) -> None:
        now, last_run = stamp(self.run.now), self.run.look.last_run
        if last_run > now and not self.run.config.desk.rehearsal:
            self.run.troubles["clock"] = (
                f"The clock says {now}, but the last run was at {last_run}: nothing was done."
                " Set the clock right; if it is right now, `pbem poll --clock-is-right` goes on. Else all waits for it."
            )
            return
        self.handler = handler_of(self.run)
        work = self._new_day() or self._has_work() or not self.handler.live
        if not self.handler.asks_interpreter:
            from pbem.store import interpretations

            with self.run.store.transaction():
                interpretations.release(self.run.store)
        if work:
            self._admit_waiting_letters()
            self._handle_kept()
        work = self._fetch() or work
        work = self._close_unused_sandboxes() or work
        if "mailbox" not in self.run.troubles:
            self.handler = self.handler.finish()
            self._give_back()
        if work and self.handler.live:
            self._play()
        if work:
            self._send()
        if work and self.handler.live:
            self._interpret()
            self._handle_the_rest()
            self._play_computer_turns()
        remove_forgotten(self.handler)

    def _has_work(self) -> bool:
        run = self.run
        return has_work(run.config.outgoing, run.store, run.look, run.now)

    def _send(self) -> None:
        send(self.handler, self.run.started + SECONDS)

    # Letters in

    def _fetch(self) -> bool:
        """Fetch and handle the letters in the mailbox; return whether there were any."""
        letters = 0
        try:
            with open_mailbox(self.run.config, self.run.started + SECONDS * 2 / 3, self._has_token) as mailbox:
                self.handler.position(mailbox)
                for batch in mailbox.fetch(self.run.look.mark):
                    self.run.troubles |= batch.troubles
                    if not batch.letters:
                        remember(self.run.conn, mark=batch.mark)
                        continue
                    self.handler = handler_after(self.handler, batch.letters)
                    arrived = [
                        (self._arrival(letter), letter.raw, letter.size, self.handler.rank(letter.raw), letter.mailbox)
                        for letter in batch.letters
                    ]
                    self._give_back()
                    self.handler.handle_group(self.run.store.keep(arrived, batch.mark))
                    self._handle_kept()  # a letter that was held may have been released
                    write_witness(self.run)
                    mailbox.handled([letter.key for letter in batch.letters])
                    letters += len(batch.letters)
                    self.run.progress(f"{letters} letters read")
                    self._play_meanwhile(batch.letters[-1].when)
            self.run.troubles.read_all_but({})
        except Unread as error:
            self.run.troubles.read_all_but(error.letters)
        except TransportError as error:
            self.run.troubles["mailbox"] = f"Letters cannot be fetched: {error}"
        return letters > 0

    def _has_token(self, head: bytes) -> bool:
        """Return whether the header `head` of a letter in a further folder has a token of this desk, which shows that
        the letter is for the desk."""
        return self.handler.desk.incoming.has_token(head)

    def _play_meanwhile(self, read: datetime) -> None:
        """Play turns before all letters have been read, if reading takes long: those that were due at the moment
        `read`, when the last of the letters read so far arrived.

        All letters that came in time for those turns have been read by then.
        """
        if monotonic() - self._played > budget.BEFORE_TURNS and self.handler.live:
            self.handler.advance(min(read, self.run.now), self.run.outage)
            self._send()
            self._played = monotonic()

    def _arrival(self, letter: Arrived) -> datetime:
        """Return the moment at which `letter` arrived. A letter that is read late counts as earlier than the letters
        that arrived in the same second."""
        late = letter.late or letter.key in self.run.look.unread
        return letter.when - timedelta(seconds=1) if late else letter.when

    def _admit_waiting_letters(self) -> None:
        """Admit strangers' letters that have been waiting for room, before newer letters take that room, and letters
        that were set aside because of a broken game that has been repaired."""
        from pbem.store.waiting import admit_waiting_letters, retry_letters_of_repaired_games

        if self.handler.live:
            with self.run.store.transaction():
                retry_letters_of_repaired_games(self.run.store, self.run.now)
                admit_waiting_letters(self.run.store, self.run.now)

    def _handle_kept(self) -> None:
        """Handle the letters in the store that have yet to be handled: in groups while there is time, but one by one if
        a run has died over them."""
        store = self.run.store
        for tried, size in ((True, 1), (False, GROUP)):
            for rank in budget.RANKS:
                while group := store.unhandled(size, rank, tried=tried):
                    self._give_back()
                    store.count_attempts(group)
                    if not self.handler.handle_group(group, at_once=tried or not rank):
                        break

    def _give_back(self) -> None:
        """Give back to the players' banks of time what an outage has taken out of them, before a letter stops a clock
        or a turn is played."""
        if self.handler.live and self.run.outage and not self._has_given_back:
            self._has_given_back = True
            self.handler.give_back(self.run.outage)

    def _interpret(self) -> None:
        """Handle the letters that wait for the interpreter, and play the turns that were waiting for them."""
        from pbem.store import interpretations
        from pbem.store.waiting import ready

        store, due = self.run.store, None if "mailbox" in self.run.troubles else self.run.now
        if not (waiting := interpretations.waiting_matches(store)):
            return
        from pbem.service.interpreting import interpret

        if interpret(self.handler, waiting & {*ready(store, due, 0, -1)}):
            self._play()
            self._send()

    def _handle_the_rest(self) -> None:
        """Handle letters for which there was no time before the turns were played; report how many are still
        waiting."""
        self.handler.budget = budget.Budget(budget.AFTER_TURNS)
        self._handle_kept()
        from pbem.store import interpretations

        for_interpreter = {one.letter.id for one in interpretations.waiting(self.run.store)}
        if waiting := len({*self.run.store.letters_in_state("kept", self.run.now)} - for_interpreter):
            self.run.troubles[WAITING] = (
                f"{waiting} letters wait to be read, because they come faster than that. The next runs go on with them,"
                " and turns are played all the same."
            )
        self._send()

    # Games

    def _play(self) -> None:
        """Play turns and advance leagues; send the notices and reports that follow from that."""
        store, late = self.run.store, "mailbox" in self.run.troubles
        with store.transaction():
            self.handler.desk.send_digests()
        self.handler.advance(None if late else self.run.now, self.run.outage)
        with store.transaction():
            self.handler.desk.send_notices()
        self._advance_leagues()
        self._tell_masters()

    def _new_day(self) -> bool:
        """Remove old letters from strangers and recompute deadlines once a day; return whether any deadline moved.

        A deadline moves when a time zone changes its rules.
        """
        if not self.run.is_new_day:
            return False
        from pbem.store.waiting import renew_due

        prune_old(self.run.config.desk.keep_strangers, self.run.store, self.run.now)
        return renew_due(self.run.store, self.run.now)

    def _close_unused_sandboxes(self) -> bool:
        """Once a day, after all letters have been read, end the sandboxes to which none comes any more. Return whether
        any ended."""
        if not self.run.is_new_day or not self.handler.live or "mailbox" in self.run.troubles:
            return False
        from pbem.store.waiting import unused_sandboxes

        if numbers := unused_sandboxes(self.run.store, self.run.now - _UNUSED):
            with self.run.store.transaction():
                self.handler.desk.close_unused(numbers)
        return bool(numbers)

    def _play_computer_turns(self) -> None:
        """Let the slow levels of the computer play the turns that are waiting for them, beginning with the turn that
        has been waiting longest.

        This stops when `[opponent] seconds_a_run` are used up; the next run plays the remaining turns. Letters that
        follow from a turn are sent at once.
        """
        if not recall(self.run.conn, "thinks"):
            return
        from pbem.store.waiting import waiting_to_think

        desk, played, failed = self.handler.desk, 0, set[int]()
        until = monotonic() + self.run.config.opponent.run
        while waiting := [number for number in waiting_to_think(desk.store) if number not in failed]:
            if (remaining := until - monotonic()) <= 0:
                break
            if self._play_computer_turn(waiting[0], min(self.run.config.opponent.turn, remaining)):
                played += 1
                self.run.progress(f"{played} turns thought about")
                self._send()
            else:
                failed.add(waiting[0])

    def _play_computer_turn(self, number: int, seconds: float) -> bool:
        """Let the computer think about match `number` for `seconds`, and move; return whether that worked."""
        from pbem.match.computer import awaited
        from pbem.service.opponent import think
        from pbem.store.matches import load_match, match_name
        from pbem.store.waiting import clear_thinking

        store = self.run.store
        with failures() as errors:
            match = load_match(store, number)
            moves = think(match, self.run.key, seconds)
            with store.transaction():
                clear_thinking(store, number)
                now = load_match(store, number)
                if (now.turn, now.state) == (match.turn, match.state):
                    self.handler.desk.move(now, {seat: move for seat, move in moves.items() if seat in awaited(now)})
        for error in errors:
            name = match_name(store, number)
            self.run.troubles[name] = (
                f"The computer cannot think about {name} ({type(error).__name__}); the turn waits."
            )
        return not errors

    def _advance_leagues(self) -> None:
        """Advance the leagues in which games have ended, members are leaving, or a round has its date."""
        from pbem.store.waiting import due_leagues

        if not due_leagues(self.run.store, self.run.now):
            return
        from pbem.service.league_rounds import advance

        self.run.troubles |= advance(self.handler.desk)

    def _tell_masters(self) -> None:
        """Queue reports to game masters about what has happened, as often as each game master wishes to get them."""
        from pbem.service.directing import tell_masters

        with self.run.store.transaction():
            self.handler.desk.apply(tell_masters(self.run.store, self.run.config, self.run.now))


# Letters that the desk no longer keeps

_SECONDS = 60.0
"""The number of seconds that a run may spend on the server to remove letters."""

_PAUSE = timedelta(hours=1)
"""The pause after a failed attempt to remove letters. It is long because each attempt searches the whole folder."""


def remove_forgotten(handler: Handler) -> None:
    """Remove from the mailbox the letters that the desk no longer keeps. Report letters that cannot be removed now;
    later runs try to remove them again."""
    run = handler.run
    letters = pending_removals(run.conn)
    if not letters:
        return
    if handler.live and "mailbox" not in run.troubles and any(letter.due <= stamp(run.now) for letter in letters):
        try:
            with open_mailbox(run.config, monotonic() + _SECONDS) as mailbox:
                mailbox.remove(
                    [Unwanted(letter.sha256, letter.size, parse_moment(letter.arrived)) for letter in letters]
                )
            mark_removed(run.conn, letters)
        except TransportError as error:
            postpone_removal(run.conn, letters, str(error), run.now + _PAUSE)
    if why := removal_failure(run.conn):
        run.troubles["letters to be removed"] = f"Letters cannot be removed from the mailbox: {why}"


def prune_old(keep: timedelta | None, store: Store, now: datetime) -> int:
    """Remove letters from strangers that are older than `keep`; return the number of letters removed. If `keep` is
    None, remove no letters."""
    return prune(store, now - keep, now) if keep else 0
