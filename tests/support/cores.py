"""The core of a desk alone: letters are read, decided and answered as usual, but in memory and without a mailbox."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config, read_key
from pbem.match.clock import tick
from pbem.match.receive import outcome_of, receive
from pbem.service.desk import Desk
from pbem.service.league_rounds import advance
from pbem.service.load_case import read_letter
from pbem.store import outbox, waiting
from pbem.store.audit_log import sha256
from pbem.store.database import KeptLetter, Store
from pbem.times.moments import stamp

_MANY = 1000


class MemoryStore(Store):
    """A store in memory. A failure in a transaction fails the test, so nothing is ever rolled back. The record vouches
    for no rows."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self.conn.in_transaction:
            yield
            return
        self.conn.execute("BEGIN")
        yield
        self.conn.execute("COMMIT")
        self._head = None


class Core(DemoDesk):
    """A table where `receive` decides on letters, and effects are written and answered as they are by a desk.

    It has no other part of a desk: no mailbox and no outgoing mail, no transactions, no budgets, no letters that are
    set aside or wait for room, and no daily list for game masters. Tests of those need a desk.
    """

    def __init__(self, begun: DemoDesk, database: bytes, folder: Path) -> None:
        for name in ("config.ini", "pbem.key"):
            shutil.copy(begun.config.path.with_name(name), folder)
        conn = sqlite3.connect(":memory:", isolation_level=None)
        conn.deserialize(database)
        conn.execute("PRAGMA foreign_keys = ON")
        vars(self).update(vars(begun))
        self.config = load_config(folder / "config.ini")
        self.store, self.last = MemoryStore(conn), dict(begun.last)
        rows = conn.execute("SELECT raw FROM outbox WHERE sent IS NOT NULL ORDER BY id")
        self.sent: list[bytes] = [raw for (raw,) in rows]
        self._came: list[bytes] = []
        self._last_run = stamp(self.now)

    def deliver(self, letter: bytes) -> None:
        """Have the next run read a letter."""
        self._came.append(letter)

    def run(self) -> None:
        """Five minutes later, read what came, play what is due, and send what is ready."""
        self.now += timedelta(minutes=5)
        desk = Desk(self.config, self.store, self.now, self._last_run, read_key(self.config.desk.key_file))
        with self.store.transaction():
            self._read(desk)
            desk.send_digests()
            self._advance(desk)
            desk.send_notices()
            if waiting.due_leagues(self.store, self.now):
                assert not advance(desk)
            self._send(desk)
        self._last_run = stamp(self.now)

    def _read(self, desk: Desk) -> None:
        came, self._came = self._came, []
        for raw in came:
            for kept in self.store.keep([(self.now, raw, len(raw), 0, "")], ""):
                self._handle(desk, kept)
            while released := self.store.unhandled(1, 0, tried=False):
                self._handle(desk, *released)

    def _handle(self, desk: Desk, kept: KeptLetter) -> None:
        letter = read_letter(self.store, kept.raw)
        words = sha256(letter.text.encode("utf-8", "replace"))
        if self.store.seen_before(kept.id, letter.sender or "", letter.message_id or "", words):
            self.store.close_letter(kept.id, "the same letter again", self.now)
            return
        case = desk.incoming.case(kept, letter)
        effects = receive(case, self.now)
        token = case.writer.token if case.match else None
        self.store.close_letter(kept.id, outcome_of(effects), self.now, token=token)
        desk.apply(effects)

    def _advance(self, desk: Desk) -> None:
        """Play every turn that is complete or overdue."""
        for number in waiting.ready(self.store, self.now, 0, _MANY):
            match = desk.judged(number)
            is_over = match.deadline and match.deadline.moment <= self.now
            if is_over and any(holder.level for holder in match.holders.values()):
                desk.let_computer_move(number, at_once=True)
            desk.apply(tick(desk.judged(number), self.now))

    def _send(self, desk: Desk) -> None:
        desk.outgoing.gather()
        letters = outbox.waiting(self.store, self.now, outbox.FIRST, _MANY)
        self.sent += [letter.raw for letter in letters]
        outbox.mark_sent(self.store, [letter.id for letter in letters], self.now)
