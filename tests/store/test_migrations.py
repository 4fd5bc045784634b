"""An upgrade to a later version of the tables, and whatever may cut it off.

The next versions are made up: a column and a table more, and rows that a step writes.
"""

import json
import os
import resource
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from sqlite_utils import Database, Migrations

from pbem import PbemError
from pbem.cli.demo import DemoDesk, letter_text
from pbem.service.tick import poll
from pbem.store import migrations
from pbem.store.backup import BackupError, restore_desk
from pbem.store.database import VERSION, Connection, Store, connect
from pbem.store.matches import load_match
from pbem.store.migrations import m005_votes, run
from pbem.store.schema import schema_differences
from pbem.store.verify import Audit

COLOURS = """
    ALTER TABLE seats ADD COLUMN colour TEXT;
    UPDATE seats SET colour = 'crimson' WHERE seat = 'red';
    CREATE TABLE colours (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    INSERT INTO colours (name) VALUES ('crimson'), ('navy');
"""


def m998_colours(db: Database) -> None:
    run(db, COLOURS)


def m999_shades(db: Database) -> None:
    run(db, "ALTER TABLE colours ADD COLUMN shade TEXT;")


def _released() -> list[Callable[[Database], None]]:
    return [step for name, step in sorted(vars(migrations).items()) if name.startswith("m0")]


@pytest.fixture
def old(table: DemoDesk, monkeypatch: pytest.MonkeyPatch) -> DemoDesk:
    """A desk with one game at its first turn and Red's orders in, and a program that is two versions further."""
    table.write("red", "3 A to M")
    table.poll()
    table.close()
    steps = Migrations("pbem")
    for step in (*_released(), m998_colours, m999_shades):
        steps()(step)
    monkeypatch.setattr("pbem.store.migrations.migrations", steps)
    monkeypatch.setattr("pbem.store.database.VERSION", VERSION + 2)
    return table


def kept(old: DemoDesk) -> Path:
    return old.config.database.with_name(f"pbem.db.{VERSION}")


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def upgraded(old: DemoDesk) -> Connection:
    """The database after an upgrade, which is checked, opened as a command opens it."""
    connect(old.config.database, upgrade=True).close()
    assert version(old.config.database) == VERSION + 2
    conn = connect(old.config.database)
    assert conn.execute("SELECT seat, colour FROM seats ORDER BY seat").fetchall() == [
        ("blue", None),
        ("red", "crimson"),
    ]
    assert conn.execute("SELECT name, shade FROM colours").fetchall() == [("crimson", None), ("navy", None)]
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    assert [*schema_differences(conn)] == []
    assert [*Audit(conn).differences()] == []
    return conn


def check_copy(path: Path) -> None:
    """The copy is whole, of the first version, and readable by its owner alone."""
    assert path.stat().st_mode & 0o777 == 0o600
    assert version(path) == VERSION
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert [*schema_differences(db)] == []
        assert db.execute("SELECT state, canonical FROM orders").fetchall() == [("standing", "3 A to M")]
        assert [*Audit(db).differences()] == []


# What an upgrade does


def test_the_first_poll_upgrades_keeps_a_copy_and_plays_on(old: DemoDesk) -> None:
    old.write("blue", "2 H to S")
    assert poll(old.config, old.now + timedelta(minutes=5), lambda text: None).well
    check_copy(kept(old))
    with closing(upgraded(old)) as conn:
        old.store = Store(conn)
        (told,) = [letter_text(letter) for seat, letter in old.letters() if seat == "blue"]
        assert "receipt 1-1" in told
        assert "3 A to M" in told  # the turn is played, from the orders that were in
        match = load_match(old.store, 1)
        assert (match.turn, match.phase) == (2, "running")


def test_commands_wait_for_the_poll_that_upgrades(old: DemoDesk) -> None:
    with pytest.raises(PbemError, match=r"made by an older pbem: the next `pbem poll` brings it up to date"):
        connect(old.config.database)
    assert version(old.config.database) == VERSION


def test_an_upgraded_database_is_refused_by_the_older_program(old: DemoDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    upgraded(old).close()
    monkeypatch.setattr("pbem.store.database.VERSION", VERSION)
    with pytest.raises(PbemError, match=rf"made by a newer pbem \(tables {VERSION + 2}, known here {VERSION}\)"):
        connect(old.config.database, upgrade=True)


def test_what_is_written_after_an_upgrade_is_vouched_for_with_the_new_columns(old: DemoDesk) -> None:
    with closing(upgraded(old)) as conn:
        with Store(conn).transaction():
            conn.execute("UPDATE seats SET colour = 'navy' WHERE seat = 'blue'")
        assert [*Audit(conn).differences()] == []
    with closing(sqlite3.connect(old.config.database)) as db:
        db.execute("UPDATE seats SET colour = 'pink' WHERE seat = 'blue'")
        assert [*Audit(db).differences()] == ["Row 1 blue of the table seats is not what the record says."]


# What the record says of it


def test_the_record_has_the_rows_that_an_upgrade_has_changed_and_no_others(old: DemoDesk) -> None:
    with closing(upgraded(old)) as conn:
        entries = conn.execute(
            "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = 'upgrade' ORDER BY id"
        ).fetchall()
    rows = [json.loads(content)["matches"] for (content,) in entries]
    keys = {
        (match, table): [*hashes]
        for entry in rows
        for match, tables in entry.items()
        for table, hashes in tables.items()
    }
    assert keys == {("", "colours"): ["1", "2"], ("1", "seats"): ['[1,"red"]']}


def test_an_upgrade_hides_no_alteration(old: DemoDesk) -> None:
    with closing(sqlite3.connect(old.config.database)) as db:
        db.execute("UPDATE orders SET canonical = '2 A to M'")
        db.commit()
    connect(old.config.database, upgrade=True).close()
    with closing(connect(old.config.database)) as conn:
        assert [*Audit(conn).differences()] == ["Row 1 of the table orders is not what the record says."]


def test_an_older_copy_is_compared_with_the_tables_of_its_own_version(old: DemoDesk, tmp_path: Path) -> None:
    restore_desk(old.config.database, tmp_path / "new.db", lambda text: None)
    with closing(sqlite3.connect(old.config.database)) as db:
        db.execute("CREATE TABLE colours (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
    with pytest.raises(BackupError, match=r'The table "colours" is not one of ours\.'):
        restore_desk(old.config.database, tmp_path / "another.db", lambda text: None)


def test_an_upgrade_does_not_mend_a_record_whose_end_was_cut_off(old: DemoDesk) -> None:
    with closing(sqlite3.connect(old.config.database)) as db:
        (last,) = db.execute("SELECT max(id) FROM record").fetchone()
        db.execute("DROP TRIGGER record_is_append_only_2")
        db.execute("DELETE FROM record_contents WHERE record = ?", (last,))
        db.execute("DELETE FROM record WHERE id = ?", (last,))
        db.commit()
    connect(old.config.database, upgrade=True).close()
    with closing(connect(old.config.database)) as conn:
        (head,) = conn.execute("SELECT max(id) FROM record").fetchone()
        told = f"The record ends with entry {head}, which is not the last one that was written."
        assert told in [*Audit(conn).differences()]


# What cuts it off


def test_a_copy_that_was_cut_off_is_made_anew(old: DemoDesk) -> None:
    kept(old).with_name(f"{kept(old).name}.part").write_bytes(b"half a copy")
    upgraded(old).close()
    check_copy(kept(old))


def test_a_copy_that_is_there_is_kept(old: DemoDesk) -> None:
    kept(old).write_bytes(b"the copy of the run that died")
    upgraded(old).close()
    assert kept(old).read_bytes() == b"the copy of the run that died"


def killed(path: Path, step: int) -> bool:
    """Upgrade in a process of its own that is killed before a step: a statement of SQL, or a change of a file."""
    child = os.fork()
    if not child:
        _upgrade_until(path, step)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _upgrade_until(path: Path, step: int) -> NoReturn:
    taken, real = 0, sqlite3.connect

    def take(*_: object) -> None:
        nonlocal taken
        taken += 1
        if taken == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def traced(*args: object, **options: object) -> Connection:
        conn = real(*args, **options)  # type: ignore[call-overload]
        conn.set_trace_callback(take)
        return conn  # type: ignore[no-any-return]

    sqlite3.connect = traced  # type: ignore[assignment]
    sys.addaudithook(lambda event, _: take() if event in ("os.rename", "os.remove", "open") else None)
    status = 1
    try:
        connect(path, upgrade=True)
        status = 0
    finally:
        os._exit(status)


@pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.long)])
def test_the_next_run_finishes_an_upgrade_that_was_killed_at_any_step(old: DemoDesk, every: int) -> None:
    path, step = old.config.database, 1
    whole = path.read_bytes()
    versions = set()
    while killed(path, step):
        versions.add(version(path))
        step += every
        upgraded(old).close()
        check_copy(kept(old))
        for file in path.parent.glob("pbem.db*"):
            file.unlink()
        path.write_bytes(whole)
    assert step > 60
    assert versions <= {VERSION, VERSION + 2}, "nothing in between is ever in the file"
    assert every > 1 or len(versions) == 2


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """No file grows beyond a number of bytes, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("copied", [False, True])
def test_a_full_disk_leaves_the_database_as_it_was(old: DemoDesk, copied: bool) -> None:
    path = old.config.database
    if copied:  # and the disk is full when the tables are altered
        kept(old).write_bytes(path.read_bytes())
        kept(old).chmod(0o600)
    with full_at(40_000), pytest.raises(sqlite3.Error):
        connect(path, upgrade=True)
    assert version(path) == VERSION
    assert kept(old).exists() == copied
    with closing(sqlite3.connect(path)) as db:
        assert [*Audit(db).differences()] == []
    upgraded(old).close()
    check_copy(kept(old))


def test_a_pause_that_was_asked_for_before_there_were_votes_becomes_a_vote() -> None:
    db = Database(memory=True)
    for step in _released()[:4]:
        step(db)
    run(db, "INSERT INTO wishes VALUES (1, 'pause', 'red'), (1, 'draw', 'red');")
    m005_votes(db)
    rows = db.execute("SELECT wish, seat, agrees, asks, argument, until FROM wishes ORDER BY wish").fetchall()
    assert rows == [("draw", "red", 1, 0, "", None), ("pause", "red", 1, 1, "", None)]
