"""A run of a desk as all its steps know it: what was found, and what troubles are to be told."""

import json
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from pbem.config.config import Config, read_key
from pbem.service import budget
from pbem.service.failures import failures
from pbem.store.audit_log import Head, sha256
from pbem.store.database import UNREAD, Connection, KeptLetter, Look, Store, look
from pbem.times.moments import outage, parse_moment, stamp

if TYPE_CHECKING:
    from pbem.service.beacon import Rounds
    from pbem.service.desk import Desk
    from pbem.service.put_back import PutBack

_DAY = timedelta(days=1)

_WAIT = timedelta(hours=12)
"""How long turns wait for a letter that the mailbox does not give us: the next one may come tomorrow."""

ASIDE = "letters of no game that were set aside"
"""What strangers' letters are told as, if we failed on them: once a day, for their writers may send any number."""

GROUP = 50
"""Letters and turns that share a commit: each is all or nothing of its own, and disks are slow."""

DEATHS = 8
"""Runs that may die over one letter before it is set aside: where runs are killed for other reasons, a few of them in
a row may well have been at the same letter."""

_NAMED = 20
"""Letters that are told one by one."""


class Troubles(dict[str, str]):
    """The troubles of a run, by what they are with, each with its sentence; `found` is what the last run left."""

    def __init__(self, look: Look, now: datetime) -> None:
        super().__init__()
        self._look, self._now = look, now
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

    @property
    def unread_of_late(self) -> bool:
        """Whether the mailbox holds a letter back that turns wait for: it may hold orders of anybody."""
        since = self._look.unread
        unread = (kind.removeprefix(UNREAD) for kind in self if kind.startswith(UNREAD))
        return any(name not in since or self._now < parse_moment(since[name]) + _WAIT for name in unread)

    def tell(self) -> tuple[list[str], str]:
        """What is news to the operator: troubles that are new, have lasted another day, or are over. And all that
        there are by now, for the next run."""
        earlier: dict[str, dict[str, str]] = json.loads(self._look.trouble or "{}")
        lines: list[str] = []
        # Of these nobody knows that they are over, though this run has not met them.
        lasting = [kind for kind in earlier if kind == ASIDE or (kind.startswith(UNREAD) and not self._all_read)]
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


Progress = Callable[[str], None]
"""Is told after each group how far a run is; may raise Stopped."""


class Stopped(BaseException):
    """Somebody wants the run to end; what is left is the next one's."""


class Run:
    """One run: what was found, what is done with letters and games, and what troubles are to be told. In which order,
    says `tick.Tick`."""

    def __init__(self, config: Config, conn: Connection, now: datetime, progress: Progress) -> None:
        self.config, self.conn, self.now, self.progress = config, conn, now, progress
        self.started = self.played = monotonic()
        self.key = read_key(config.desk.key_file)
        self.look: Look = look(conn, now)
        self.events: list[str] = []  # told once, whatever the next run finds
        self.aside: dict[str, list[str]] = {}  # letters that were set aside and where we failed, by whose they are
        self.troubles = Troubles(self.look, now)  # told again daily while they last
        self.put_back: PutBack | None = None  # what is done about a database that was put back, while it is
        self.budget = budget.Budget(budget.BEFORE_TURNS)
        self.witness: Head | None = None  # the head of the record that was written down last

    @cached_property
    def rounds(self) -> "Rounds":
        """Of the public beacon, once a game waits for one."""
        from pbem.service.beacon import Rounds

        return Rounds(self.config.chance)

    @cached_property
    def desk(self) -> "Desk":
        """Made when there is work, so that a run without any imports nothing of it."""
        from pbem.service.desk import Desk

        beacon = None if self.put_back else self.config.beacon  # at moments that are over no round can be named
        later = not self.put_back  # what is played again has its own moments
        return Desk(self.config, Store(self.conn), self.now, self.look.last_run, self.key, beacon, later)

    def renew_desk(self) -> None:
        """What it knows is of another moment, or of another epoch."""
        self.__dict__.pop("desk", None)

    @cached_property
    def outage(self) -> tuple[datetime, datetime] | None:
        """When the desk did not run, or could not read its letters, if that was too long: nobody has missed a
        deadline that fell into it."""
        since = self.look.down_since or self.look.last_run
        if not since or self.config.desk.rehearsal:
            return None
        began = parse_moment(since)
        return (began, self.now) if outage(began, self.now, self.config.desk.every) else None

    @property
    def is_new_day(self) -> bool:
        """Whether no run has been made on this day, in UTC."""
        return self.look.last_run[:10] != stamp(self.now)[:10]

    # Letters

    def _waits(self, raw: bytes) -> int:
        """The rank of a letter that has to wait, 0 of all others."""
        if self.put_back or self.budget.has_room_for_all():
            return 0
        account = self.desk.incoming.account(raw)
        return 0 if self.budget.has_room(account) else account.rank

    def handle_group(self, group: Sequence[KeptLetter], *, at_once: bool = False) -> int:
        """Handle letters whose attempt is counted; how many. Unless it has to be `at_once`, what has no room waits."""
        store = self.desk.store
        if self.put_back and not self.put_back.at_work:
            for kept_letter in group:
                self.put_back.replay(kept_letter)
            return len(group)
        done = 0
        try:
            with store.transaction():
                for kept_letter in group:
                    if at_once or self._has_room(kept_letter):
                        done += 1
                        with self.budget.charge(partial(self.desk.incoming.account, kept_letter.raw)):
                            self._handle(kept_letter)
        except Exception:
            store.tried(group, -1)  # no letter is to blame for a full disk, or for a program that is half installed
            raise
        return done

    def _has_room(self, kept_letter: KeptLetter) -> bool:
        """Whether a letter may be handled now; if not, it waits."""
        if rank := self._waits(kept_letter.raw):
            self.desk.store.waits(kept_letter.id, rank)
        return not rank

    def _handle(self, kept_letter: KeptLetter) -> None:
        """One letter, all of it or nothing; one that we fail on is set aside and stops nobody else."""
        with failures() as failed, self.desk.store.transaction():
            if kept_letter.attempts >= DEATHS:
                raise RuntimeError("runs died over this letter")
            self._answer(kept_letter)
        for error in failed:
            self._quarantine(kept_letter, error)

    def _answer(self, kept_letter: KeptLetter) -> None:
        from pbem.match.receive import outcome_of, receive
        from pbem.service.load_case import read_letter

        store = self.desk.store
        letter = read_letter(store, kept_letter.raw)
        words = sha256(letter.text.encode("utf-8", "replace"))
        if store.seen_before(kept_letter.id, letter.sender or "", letter.message_id or "", words):
            store.close_letter(kept_letter.id, "the same letter again", self.now)
            return
        case = self.desk.incoming.case(kept_letter, letter)
        token = case.writer.token if case.match else None  # a player's own is about no game
        effects = receive(case, self.now)
        store.close_letter(kept_letter.id, outcome_of(effects), self.now, token=token)
        self.desk.apply(effects)

    def _quarantine(self, kept_letter: KeptLetter, error: Exception) -> None:
        """Keep the letter for the operator, with where we failed but none of its text, and tell its seat if we can."""
        from pbem.mail import letters
        from pbem.match.receive import apologise
        from pbem.store.matches import match_name

        store, token = self.desk.store, None
        frames = [f"{Path(at.filename).name}:{at.lineno} {at.name}" for at in traceback.extract_tb(error.__traceback__)]
        where = " > ".join([*frames[-8:], type(error).__name__])
        with failures() as failed, store.transaction():
            case = self.desk.incoming.case(kept_letter, letters.read_head(kept_letter.raw))
            token = case.writer.token if case.match and case.writer.failure is None else None
            self.desk.apply(apologise(case, self.now))
        if failed:  # then nobody but the operator is told
            token = None
        store.close_letter(kept_letter.id, where, self.now, token=token, failed=True)
        whose = f" of {token.seat} in {match_name(store, token.match)}" if token else ""
        self.aside.setdefault(whose, []).append(f"{kept_letter.id}{whose} was set aside ({where})")

    # Games

    def advance(self, due: datetime | None, outage: tuple[datetime, datetime] | None = None) -> None:
        """Play every turn that is complete, or overdue at a moment; who missed a deadline in an outage did not miss it.

        While letters cannot be fetched, nobody has missed a turn: what they wrote may lie in the mailbox.
        """
        from pbem.store.matches import match_name
        from pbem.store.waiting import ready, rounds_awaited

        store, last, played = self.desk.store, 0, 0
        while numbers := ready(store, due, last, GROUP):
            last = numbers[-1]
            if awaited := [] if self.put_back else rounds_awaited(store, numbers):
                self.rounds.look(awaited, self.now)
                if self.rounds.trouble:
                    self.troubles["the public beacon"] = self.rounds.trouble
            with store.transaction():
                for number in numbers:
                    with failures() as failed, store.transaction():
                        self.play_on(number, outage)
                    for error in failed:
                        name, failure = match_name(store, number), type(error).__name__
                        self.troubles[name] = f"{name} cannot be played on ({failure}); nothing of it was changed."
            played += len(numbers)
            self.progress(f"{played} turns played")

    def play_on(self, number: int, outage: tuple[datetime, datetime] | None = None) -> None:
        """What the clock means for a match, in the caller's transaction."""
        from pbem.match.clock import tick

        match = replace(self.desk.judged(number), unfetched=self.troubles.unread_of_late)
        if (
            match.deadline
            and match.deadline.moment <= self.now
            and any(holder.level for holder in match.holders.values())
        ):
            self.desk.let_computer_move(number, at_once=True)  # it is never late
            match = replace(self.desk.judged(number), unfetched=match.unfetched)
        if match.drawing:
            if self.put_back:
                return
            match = replace(match, pulse=self.rounds.values.get(match.drawing.round, ""))
        self.desk.apply(effects := tick(match, self.now, outage))
        if self.put_back:
            self.put_back.played_on(match, effects)
