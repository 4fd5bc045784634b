"""A desk that has been through everything, and random changes to its database."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.cli.demo import DemoDesk
from pbem.store.verify import Audit
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents, sure
from support.game_masters import say

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TABLES = ("turns", "orders", "record", "record_contents", "letters", "outbox")
WAYS = ("change", "change", "change", "remove", "double", "swap rows", "swap values")


def eventful_desk(folder: Path) -> DemoDesk:
    """Two games with refused, corrected, replaced and withdrawn orders, letters that were held, repeated and resent, a
    rollback, a turn played again, a corrected position, and a person who was forgotten."""
    table = DemoDesk(folder, NOON)
    table.poll()
    people = Correspondents(table)
    people.write(ALICE, "9 A to M")
    people.write(ALICE, "3 A to M, 1 M to XX")
    people.write(ALICE, "yes")
    people.write(ALICE, "2 A to M")
    people.write(BOB, "3 H to S")
    _turns(people, "Pass", "1 S to V")
    letter = people.answer(BOB, "help").as_bytes()
    for _ in range(2):  # the second one came through another server
        table.deliver(letter)
        people.poll()
        letter += b"\n"
    _hold_and_release(people)
    people.write(ALICE, "3 M to MC")
    people.write(ALICE, "withdraw")
    _turns(people, "1 M to MC", "Pass")
    say(table, "rollback oz-1 2 because a letter was lost")
    people.poll()
    _turns(people, "Pass", "Pass")
    say(table, "readjudicate oz-1 because the rules were mended")
    say(table, "position oz-1 red A3 M2 MC1 bombs 1 blue H4 E1 bombs 2 because the board was wrong")
    say(table, "orders oz-1 red: 1 A to M because her server is down")
    people.poll()
    people.write(BOB, "Pass")
    people.write(BOB, "resend 1")
    _second_game(people)
    say(table, "award oz-1 blue because red has left")
    people.poll()
    return table


def _turns(people: Correspondents, red: str, blue: str) -> None:
    people.write(ALICE, red)
    people.write(BOB, blue)


def _hold_and_release(people: Correspondents) -> None:
    """Hold two letters from Alice sent elsewhere; she says yes only to the first."""
    for text in ("2 A to M", "1 A to M"):
        answer = people.answer(ALICE, text, people.got[ALICE][0])
        answer.replace_header("From", "Alice <alice@work.example>")
        people.table.deliver(answer.as_bytes())
        people.poll()
        if text == "2 A to M":
            people.write(ALICE, "yes")


def _second_game(people: Correspondents) -> None:
    """Let Carol and Dave play a turn and agree on a draw; then Carol asks to be forgotten."""
    for who in (CAROL, DAVE):
        people.write_anew(who, "join")
        people.write(who, "yes")
    people.write(CAROL, "press: Hello Dave.")
    for text in ("Pass", "draw"):
        people.write(CAROL, f"{text}\nHello from Carol")
        people.write(DAVE, text)
    sure(people, CAROL, "forget me")
    people.poll(timedelta(hours=1))


class Change(NamedTuple):
    """A change to a database: what was done to which table, and where."""

    way: str
    table: str
    column: str
    row: int


class Tamperer:
    """Changes a copy of a database in memory, one value or row at a time, and undoes each change."""

    def __init__(self, original: sqlite3.Connection, seed: int) -> None:
        self.conn = sqlite3.connect(":memory:", isolation_level=None)
        original.backup(self.conn)
        for (trigger,) in self.conn.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            self.conn.execute(f"DROP TRIGGER {trigger}")
        self.conn.execute("PRAGMA ignore_check_constraints = ON")
        self._random = Random(seed)
        self._columns = {
            table: [(name, kind) for _, name, kind, *_ in self.conn.execute(f"PRAGMA table_info({table})")]
            for table in TABLES
        }

    def changes(self, number: int) -> Iterator[tuple[Change, str | None]]:
        """Yield a number of changes, each with the first difference found; every column of every table has its turn."""
        places = [(table, column) for table in TABLES for column in self._columns[table]]
        done = 0
        while done < number:
            table, (column, kind) = places[done % len(places)]
            way = self._random.choice(WAYS)
            with self._undone():
                try:
                    row = self._change(way, table, column, kind)
                except sqlite3.IntegrityError:
                    continue  # the database rejects it
                if row is None:
                    continue  # it changed nothing
                yield Change(way, table, column, row), next(Audit(self.conn).differences(), None)
            done += 1

    @contextmanager
    def _undone(self) -> Iterator[None]:
        self.conn.execute("BEGIN")
        try:
            yield
        finally:
            self.conn.execute("ROLLBACK")

    def _change(self, way: str, table: str, column: str, kind: str) -> int | None:
        """Make a change; return the row that it affected, None if it changed nothing."""
        key = "record" if table == "record_contents" else "id"
        rows = [number for (number,) in self.conn.execute(f"SELECT {key} FROM {table}")]
        row, other = self._random.sample(rows, 2)
        if way == "remove":
            self.conn.execute(f"DELETE FROM {table} WHERE {key} = ?", (row,))
        elif way == "double":
            self._double(table, key, row)
        elif way == "swap rows":
            for old, new in ((row, -1), (other, row), (-1, other)):
                self.conn.execute(f"UPDATE {table} SET {key} = ? WHERE {key} = ?", (new, old))
        else:
            was = self._value(table, column, key, row)
            now = self._value(table, column, key, other) if way == "swap values" else self._another(was, kind)
            if was == now:
                return None
            self.conn.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (now, row))
            if way == "swap values":
                self.conn.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (was, other))
        return row

    def _double(self, table: str, key: str, row: int) -> None:
        """Add a copy of a row under the next number, with small differences in unique values."""
        values = {name: self._value(table, name, key, row) for name, _ in self._columns[table]}
        (last,) = self.conn.execute(f"SELECT max({key}) FROM {table}").fetchone()
        values[key] = last + 1
        for unique in values.keys() & {"sha256", "message_id"}:
            values[unique] = f"{values[unique]}0"
        marks = ", ".join("?" * len(values))
        self.conn.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", [*values.values()])

    def _value(self, table: str, column: str, key: str, row: int) -> int | str | bytes | None:
        return self.conn.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", (row,)).fetchone()[0]

    def _another(self, was: int | str | bytes | None, kind: str) -> int | str | bytes | None:
        if was is not None and self._random.random() < 0.1:
            return None
        match was:
            case None:
                return {"INTEGER": 1, "TEXT": "2026-11-21T12:00:00Z", "BLOB": b"x"}[kind]
            case int():
                return was + self._random.choice((-1, 1, 1000))
            case str():
                at = self._random.randrange(len(was) + 1)
                return was[:at] + self._random.choice("0aZ é") + was[at + self._random.randrange(2) :]
            case bytes():
                at = self._random.randrange(len(was) + 1)
                return was[:at] + bytes([self._random.randrange(256)]) + was[at + 1 :]
