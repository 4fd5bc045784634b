"""A database that was put back: it is noticed, its letters are read again turn by turn, and everybody is told.

A desk knows by three signs that its database is older than what it has done: it says of itself that it is a copy; the
record lacks the entry that was its last one when letters last left the desk, which is written down outside of the
database; or letters are marked as handled that it has never seen. Then a new epoch begins (`store/backup.py`). What is
left to do stands in the database until all of it is done, so that a run may die anywhere.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.config.config import Config, Maildir
from pbem.service.failures import failures
from pbem.service.run import Run
from pbem.store.audit_log import Head, find_head, holds
from pbem.store.database import KeptLetter, StoreError, remember
from pbem.times.moments import parse_moment, stamp
from pbem.transport.base import Arrived

if TYPE_CHECKING:
    from pbem.match.effects import Effect
    from pbem.match.model import Match

WITNESS = "pbem.head"
"""The file beside the database, and in a Maildir, that holds the record's head and when it was that."""

_WITNESS = re.compile(r"(\d{1,15}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")


def _places(config: Config) -> list[Path]:
    """Where witnesses lie: that in the mailbox tells of the desk on another machine, too."""
    mailbox = config.mailbox.place
    return [config.database.with_name(WITNESS), *([mailbox.path / WITNESS] if isinstance(mailbox, Maildir) else [])]


def _witnesses(config: Config) -> Iterator[tuple[Head, str]]:
    """The heads that there are, and when they were that; one that nobody could have written says nothing."""
    for path in _places(config):
        try:
            parts = _WITNESS.fullmatch(path.read_text("ascii", "replace"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error.strerror}.") from None
        if parts:
            yield Head(int(parts[1]), parts[2]), parts[3]


def write_witness(run: Run) -> None:
    """Write down how far the record is, before anything of it leaves the desk."""
    head = find_head(run.conn)
    if head.number and head != run.witness:
        for path in _places(run.config):
            if path.parent.is_dir():  # a Maildir that is gone is told elsewhere
                _replace(path, f"{head} {stamp(run.now)}\n")
        run.witness = head


def _replace(path: Path, text: str) -> None:
    """Write a file so that after a power cut it is either the old one or the new one."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from None


class PutBack:
    """What a run does about a database that was put back.

    What is known to have happened lies between `since`, the last run that it remembers, and `until`.
    """

    def __init__(self, run: Run, since: str, until: str) -> None:
        self._run = run
        self.since, self._until = parse_moment(since), min(parse_moment(until), run.now)
        self._reached = min(self.since, run.now)
        self.at_work = False

    @classmethod
    def found_by(cls, run: Run) -> "PutBack | None":
        """Whether the database was put back, or is still to be seen to after that."""
        if not run.look.put_back:
            witnesses = [*_witnesses(run.config)]
            newer = [at for head, at in witnesses if not holds(run.conn, head)]
            if newer or (run.look.copied and not witnesses):
                return cls._begin(run, max(newer, default=""))
            if run.look.copied:  # nothing has left the desk since the copy was made
                remember(run.conn, copied="")
            return None
        put_back = cls(run, **json.loads(run.look.put_back))
        write_witness(run)
        return put_back

    @classmethod
    def shown_by(cls, run: Run, letters: Sequence[Arrived], put_back: "PutBack | None") -> "PutBack | None":
        """The same where there was no `put_back` before: letters that are marked as handled, and that the database has
        never seen, show that it was put back."""
        handled = [letter for letter in letters if letter.handled and not run.desk.store.knows(letter.raw)]
        if handled:
            put_back = put_back or cls._begin(run, "")
            put_back._until = min(max(put_back._until, *(letter.when for letter in handled)), run.now)
        return put_back

    @classmethod
    def _begin(cls, run: Run, until: str) -> "PutBack":
        """A new epoch begins. What is to be done is written down first."""
        from pbem.store import backup

        store = run.desk.store
        since = run.look.last_run or stamp(datetime.fromtimestamp(0, UTC))
        state = {"since": since, "until": max(since, until)}
        with store.transaction():
            backup.begin_epoch(store, run.now)
            remember(run.conn, put_back=json.dumps(state), copied="")
            store.note("put back", state, run.now)
        run.renew_desk()
        write_witness(run)
        return cls(run, **state)

    @contextmanager
    def _at(self, moment: datetime) -> Iterator[None]:
        """Within this the run works as if it were another moment, an earlier one."""
        run, now = self._run, self._run.now
        run.now, self.at_work = moment, True
        run.renew_desk()
        try:
            yield
        finally:
            run.now, self.at_work = now, False
            run.renew_desk()

    def replay(self, kept_letter: KeptLetter) -> None:
        """Handle a letter as if it came when it came; the turns that it shows to be played are played before."""
        run, at = self._run, min(parse_moment(kept_letter.arrived), self._run.now)
        if at > self._until:
            self._close()
        self._reached = max(self._reached, at)
        self._catch_up(kept_letter)
        with self._at(self._reached):
            self._play_cooled()
            run.handle_group([kept_letter])
            run.advance(None)

    def _catch_up(self, kept_letter: KeptLetter) -> None:
        """Whoever answers the letter of a turn was sent it: if the deadline of the one before is over, so is that."""
        from pbem.mail.letters import read_head
        from pbem.store.matches import load_match

        desk, match, token = self._run.desk, None, None
        with failures():  # whoever handles it says what is wrong
            case = desk.incoming.case(kept_letter, read_head(kept_letter.raw))
            match, token = case.match, case.writer.token
        while match and token and match.turn < token.turn and (due := self._due(match)):
            with self._at(max(self._reached, due)), self._run.desk.store.transaction():
                self._run.play_on(match.id)
            before, match = match, load_match(desk.store, match.id)
            if (match.turn, match.due, match.cooling) == (before.turn, before.due, before.cooling):
                return

    def _due(self, match: "Match") -> datetime | None:
        """When a turn that was played may have been: its players had thought again, or its deadline was over, or a run
        that was ended had read the last orders and not yet played it."""
        if match.can_play():
            return self._reached
        over = match.due if match.due and match.due <= self._until else None
        return match.cooling or over

    def _play_cooled(self) -> None:
        """Turns whose players had thought again before a run that must have been: it has played them."""
        from pbem.store.waiting import cooled

        run = self._run
        for number in cooled(run.desk.store, run.now - run.config.desk.every):
            with run.desk.store.transaction():
                run.play_on(number)

    def _close(self) -> None:
        """Deadlines up to the last run that we know of are over; what came later finds them so."""
        if self._reached < self._until:
            self._reached = self._until
            with self._at(self._until):
                self._run.advance(self._until)

    def played_on(self, match: "Match", effects: Iterable["Effect"]) -> None:
        """Dice of later turns fall anew, for their secrets are lost: letters about them are about something else."""
        from pbem.match.effects import Play
        from pbem.store import matches

        if match.game.chance and any(isinstance(effect, Play) for effect in effects):
            matches.renew_tokens(self._run.desk.store, match.id)

    def end(self) -> None:
        """All letters are read: tell everybody where their games stand, in letters that alone count from now on."""
        from pbem.match.effects import notice
        from pbem.match.reports import put_back, to_master
        from pbem.store import matches

        self._close()
        run, since = self._run, f"{self.since:%Y-%m-%d %H:%M} UTC"
        desk, count = run.desk, 0
        with desk.store.transaction():
            for number in matches.match_numbers(desk.store, "offered", "running", "paused", "review"):
                matches.renew_tokens(desk.store, number)
                effects = put_back(matches.load_match(desk.store, number, turns=True), since, run.now)
                desk.apply(effects)
                count += len(effects) - 1
            desk.apply([to_master(None, "put-back", notice("put back for master", since=since))])
            remember(run.conn, put_back="")
            desk.store.note("put back", {"letters": count}, run.now)
        run.events.append(
            f"The database was put back to what it was at {since}. Letters since then that are still in the mailbox"
            f" were read again, and {count} letters tell where games stand; what was done by commands has to be done"
            " again."
        )
        run.renew_desk()
        run.look = run.look._replace(last_run=stamp(self._reached), down_since="", put_back="")
