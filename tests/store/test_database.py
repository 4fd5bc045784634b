"""The database of a desk: its tables, its record, and what it never does twice."""

import ast
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from sqlite_utils import Database

import pbem
from pbem.cli.demo import DemoDesk
from pbem.match import effects
from pbem.store import outbox
from pbem.store.apply import HANDLERS, write
from pbem.store.database import VERSION, Store, StoreError, connect, look
from pbem.store.migrations import migrations
from pbem.store.outbox import OutLetter
from pbem.store.verify import Audit

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(minutes=5)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.create(tmp_path / "pbem.db")
    yield store
    store.conn.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The store of a desk on which two turns have been played."""
    table = DemoDesk(tmp_path_factory.mktemp("desk") / "desk", NOON)
    table.poll()
    for _ in range(2):
        table.write("red", "status")
        table.write("red", "Pass")
        table.write("blue", "Pass")
        table.poll()
    yield table.store
    table.close()


def letter(number: int = 1, raw: bytes = b"Subject: Turn 1\r\n\r\n3 A to M\r\n") -> OutLetter:
    return OutLetter(f"{number}@example.org", "report", "alice@example.net", "", raw)


def counts(store: Store, *tables: str) -> list[int]:
    return [store.conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


# Tables


def test_every_table_is_strict(store):
    tables = store.conn.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'").fetchall()
    strict = {name for name, strict in tables if strict}
    assert strict >= {"letters", "players", "matches", "seats", "orders", "turns", "outbox", "record"}
    assert all(name in strict or name.startswith(("sqlite_", "_sqlite_")) for name, _ in tables)


def test_a_database_is_readable_by_its_owner_alone(tmp_path, store):
    assert (tmp_path / "pbem.db").stat().st_mode & 0o777 == 0o600


def test_migrations_apply_once_and_the_version_says_so(store):
    schema = store.conn.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
    store.migrate()
    assert store.conn.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == schema
    assert store.conn.execute("PRAGMA user_version").fetchone() == (VERSION,)
    steps = migrations.pending(Database(memory=True))
    assert len(steps) == VERSION, "else a database of the version before is never brought up to date"


def test_a_database_is_never_made_over_another(tmp_path, store):
    before = (tmp_path / "pbem.db").read_bytes()
    with pytest.raises(StoreError, match="left as it is"):
        Store.create(tmp_path / "pbem.db")
    assert (tmp_path / "pbem.db").read_bytes() == before


def test_a_database_of_a_newer_version_is_not_touched(tmp_path, store):
    store.conn.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match="made by a newer pbem"):
        connect(tmp_path / "pbem.db")


def test_a_seat_of_a_match_that_is_not_there_is_refused(tmp_path, store):
    conn = connect(tmp_path / "pbem.db")
    with pytest.raises(sqlite3.IntegrityError):
        conn.execute("INSERT INTO seats (match, seat, player, name) VALUES (7, 'red', 1, 'Alice')")
    conn.close()


# The record


def test_each_row_of_the_record_follows_from_the_one_before_and_its_content(played):
    rows = played.conn.execute(
        "SELECT id, at, kind, match, digest, hash, nonce, content FROM record JOIN record_contents ON record = id"
    ).fetchall()
    kinds = {row[2] for row in rows}
    assert kinds == {"game", "letter in", "letter out", "letters sent", "orders", "turn", "rows"}
    before = ""
    for number, (row, at, kind, match, digest, link, nonce, content) in enumerate(rows, 1):
        assert row == number
        assert hashlib.sha256(nonce + content.encode()).hexdigest() == digest
        fields = (before, number, at, kind, "" if match is None else match, digest)
        assert hashlib.sha256("".join(f"{field}\n" for field in fields).encode()).hexdigest() == link
        before = link


@pytest.mark.parametrize("change", ["UPDATE record SET kind = 'none' WHERE id = 2", "DELETE FROM record WHERE id = 2"])
def test_the_record_is_append_only(played, change):
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        played.conn.execute(change)


def test_the_chain_goes_on_when_contents_are_removed_at_a_persons_wish(store):
    with store.transaction():
        store.note("orders", {"orders": "Pass"}, NOON)
        store.conn.execute("DELETE FROM record_contents")
        store.note("later", {}, LATER)
    (first, _), (last, digest) = store.conn.execute("SELECT hash, digest FROM record ORDER BY id").fetchall()
    assert hashlib.sha256(f"{first}\n2\n2026-11-21T12:05:00Z\nlater\n\n{digest}\n".encode()).hexdigest() == last


def test_equal_contents_have_different_digests_so_that_nobody_can_guess_what_was_removed(store):
    with store.transaction():
        store.note("orders", {"orders": "Pass"}, NOON)
        store.note("orders", {"orders": "Pass"}, NOON)
    first, second = store.conn.execute("SELECT digest FROM record").fetchall()
    assert first != second


# Letters in


def test_a_letter_that_is_kept_twice_counts_once(store):
    kept = store.keep([(NOON, b"one", 3, 0, ""), (NOON, b"two", 3, 0, "")], "1:2")
    kept += store.keep([(LATER, b"two", 3, 0, ""), (LATER, b"three", 5, 0, "")], "1:3")
    assert [(one.raw, one.arrived) for one in kept] == [
        (b"one", "2026-11-21T12:00:00Z"),
        (b"two", "2026-11-21T12:00:00Z"),
        (b"three", "2026-11-21T12:05:00Z"),
    ]
    assert look(store.conn, NOON).mark == "1:3"


def test_letters_are_kept_with_the_mark_or_not_at_all(store):
    with pytest.raises(sqlite3.Error):
        store.keep([(NOON, b"one", 3, 0, ""), (NOON, b"two", None, 0, "")], "1:2")  # type: ignore[list-item]
    assert store.unhandled(10, 0, tried=True) == store.unhandled(10, 0, tried=False) == []
    assert look(store.conn, NOON).mark == ""


def test_a_letter_tried_before_is_told_apart(store):
    one, two = store.keep([(NOON, b"one", 3, 0, ""), (NOON, b"two", 3, 0, "")], "")
    assert one.attempts == two.attempts == 0, "this is the first one"
    store.count_attempts([two], -1)
    assert [(one.raw, one.attempts) for one in store.unhandled(10, 0, tried=True)] == [(b"one", 1)]
    assert [(one.raw, one.attempts) for one in store.unhandled(10, 0, tried=False)] == [(b"two", 0)]
    store.count_attempts(store.unhandled(10, 0, tried=True))
    assert [(one.raw, one.attempts) for one in store.unhandled(10, 0, tried=True)] == [(b"one", 2)]


# Transactions


def queue_and_fail(store: Store, number: int) -> None:
    with store.transaction():
        outbox.queue(store, letter(number), NOON)
        raise ValueError(number)


def test_a_transaction_within_another_is_undone_alone(store):
    with store.transaction():
        outbox.queue(store, letter(1), NOON)
        with pytest.raises(ValueError, match="2"):
            queue_and_fail(store, 2)
        outbox.queue(store, letter(3), NOON)
    assert [one.message_id for one in outbox.waiting(store, NOON, outbox.FIRST, 10)] == [
        "1@example.org",
        "3@example.org",
    ]
    assert counts(store, "record", "record_contents") == [3, 3]  # two letters, and their rows
    assert [*noted_rows(store)["outbox"]] == ["1", "2"]
    assert [*Audit(store.conn).differences()] == []


def noted_rows(store: Store) -> dict[str, dict[str, str | None]]:
    """The rows of no match that the last entry of the record tells of, by table."""
    (content,) = store.conn.execute("SELECT content FROM record_contents ORDER BY record DESC LIMIT 1").fetchone()
    return dict(json.loads(content)["matches"][""])


def test_a_transaction_that_fails_undoes_those_within(store):
    def fails() -> None:
        with store.transaction():
            with store.transaction():
                outbox.queue(store, letter(1), NOON)
            queue_and_fail(store, 2)

    with pytest.raises(ValueError, match="2"):
        fails()
    assert counts(store, "outbox", "record") == [0, 0]
    assert not store.conn.in_transaction


def test_a_transaction_takes_the_right_to_write_at_its_beginning(tmp_path, store):
    with store.transaction():
        other = sqlite3.connect(tmp_path / "pbem.db", timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_a_snapshot_is_of_one_moment_though_others_write_meanwhile(tmp_path, store):
    with store.snapshot():
        assert outbox.unsent(store, LATER) == []
        other = Store(connect(tmp_path / "pbem.db"))
        with other.transaction():
            outbox.queue(other, letter(), NOON)
        other.conn.close()
        assert outbox.unsent(store, LATER) == []
    assert outbox.unsent(store, LATER) == [1]


def test_a_snapshot_that_fails_is_over(store):
    with pytest.raises(ValueError, match="2"), store.snapshot():
        raise ValueError(2)
    assert not store.conn.in_transaction


# Where SQL stands

STATEMENT = re.compile(
    r"\s*(?:(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|PRAGMA|VACUUM|SAVEPOINT|RELEASE)\s"
    r"|(?:BEGIN|COMMIT|ROLLBACK)(?:\s|$))"
)


def statements(path: Path) -> list[str]:
    """What a module holds of SQL, and where it carries it out: each with its line."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value):
            found.append(f"{path}:{node.lineno}: {node.value.strip().splitlines()[0]}")
        if isinstance(node, ast.Attribute) and node.attr in ("execute", "executemany", "executescript"):
            found.append(f"{path}:{node.lineno}: {node.attr}")
    return found


def test_sql_stands_in_the_store_alone():
    package = Path(pbem.__file__).parent
    found = {path: statements(path) for path in package.rglob("*.py")}
    assert [line for path, lines in found.items() if path.parent != package / "store" for line in lines] == []
    assert len(found[package / "store" / "matches.py"]) > 20


# Letters out


def test_the_same_message_id_is_queued_and_recorded_once(store):
    with store.transaction():
        outbox.queue(store, letter(1, b"first"), NOON)
        outbox.queue(store, letter(1, b"second"), LATER)
    assert [one.raw for one in outbox.waiting(store, LATER, outbox.FIRST, 10)] == [b"first"]
    assert counts(store, "outbox", "record") == [1, 2]  # the second entry has the row's hash


def test_what_was_sent_is_what_is_in_the_outbox_byte_for_byte(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    table.write("red", "3 A to M\nGrüße")
    table.poll()
    files = {path.read_bytes() for path in (tmp_path / "desk" / "mail" / "out" / "new").iterdir()}
    rows = table.store.conn.execute("SELECT raw, sent FROM outbox").fetchall()
    assert files == {raw for raw, _ in rows}
    assert all(sent for _, sent in rows)
    table.close()


def test_letters_wait_until_they_are_due_and_those_that_were_not_tried_yet_go_first(store):
    with store.transaction():
        for number in range(1, 5):
            outbox.queue(store, letter(number), NOON)
    first, second, *_ = outbox.waiting(store, NOON, outbox.FIRST, 10)
    outbox.postpone(store, first, NOON, timedelta(minutes=5), 1)
    outbox.give_up(store, second, NOON, "550 unknown")
    outbox.mark_sent(store, [3], NOON)
    assert [one.id for one in outbox.waiting(store, NOON, outbox.FIRST, 10)] == [4]
    assert [(one.id, one.attempts) for one in outbox.waiting(store, LATER, outbox.FIRST, 10)] == [(4, 0), (1, 1)]
    assert [one.id for one in outbox.waiting(store, LATER, (False, False, 4), 10)] == [1]


# The look before a run


def test_a_look_sees_whatever_is_to_be_done(store):
    assert not look(store.conn, NOON).work
    with store.transaction():
        outbox.queue(store, letter(), LATER)
    assert not look(store.conn, NOON).work, "it is not due yet"
    assert look(store.conn, LATER).work
    outbox.mark_sent(store, [1], LATER)
    assert not look(store.conn, LATER).work
    store.keep([(NOON, b"one", 3, 0, "")], "")
    assert look(store.conn, NOON).work


# Effects


def test_every_effect_is_one_that_is_carried_out_and_anything_else_is_an_error(store):
    own = [one for one in vars(effects).values() if isinstance(one, type) and one.__module__ == effects.__name__]
    made = {one for one in own if issubclass(one, tuple)} - {effects.Section}
    assert made == set(get_args(effects.Effect)) == {*HANDLERS, *get_args(effects.Following), effects.Outcome}
    with pytest.raises(AssertionError):
        write(store, "a letter", NOON)
