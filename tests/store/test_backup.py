"""Copies of a desk: made beside runs that go on, whole, nobody else's to read, and never over what is there."""

import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.config.config import read_key
from pbem.store.backup import BackupError, back_up, damage, export_desk, leftovers, restore_desk
from pbem.store.database import VERSION, Store, StoreError, connect
from pbem.store.verify import Audit
from support.archives import with_everything
from support.tables import play
from support.tampering import eventful_desk


def silent(text: str) -> None:
    """Nobody is told."""


@pytest.fixture
def played(table: DemoDesk) -> DemoDesk:
    """A table at its third turn."""
    play(table, "3 A to M", "1 H to S")
    play(table)
    return table


def contents(path: Path) -> dict[str, object]:
    """All that a database holds, by table, with the order of its rows, and what it is made of."""
    with closing(sqlite3.connect(path)) as db:
        schema = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
        tables = [name for kind, name, *_ in schema if kind == "table"]
        return {
            "schema": schema,
            "version": db.execute("PRAGMA user_version").fetchone(),
            "journal": db.execute("PRAGMA journal_mode").fetchone(),
            **{name: db.execute(f"SELECT * FROM {name}").fetchall() for name in tables if "_search_" not in name},
        }


def as_copy(held: dict[str, object]) -> dict[str, object]:
    """The same as a copy holds it, which says of itself that it is one."""
    desk = held["desk"]
    assert isinstance(desk, list)
    return {**held, "desk": [*desk, ("copied", "yes")]}


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# Backups


def test_a_backup_holds_all_that_the_database_holds_and_nobody_else_can_read_it(played, tmp_path):
    back_up(played.config.database, tmp_path / "copy.db", silent)
    assert contents(tmp_path / "copy.db") == as_copy(contents(played.config.database))
    assert mode(tmp_path / "copy.db") == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "desk"]


def test_a_backup_is_of_one_moment_though_somebody_writes_all_the_while(played, tmp_path):
    database = played.config.database
    played.store.conn.execute("CREATE TABLE pairs (a INTEGER, b INTEGER, stuff BLOB)")
    written = "import sqlite3, sys\n"
    written += "db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)\n"
    written += "for n in range(100_000):\n"
    written += "    db.execute('BEGIN IMMEDIATE')\n"
    written += "    db.execute('INSERT INTO pairs VALUES (?, 0, randomblob(9000))', (n,))\n"
    written += "    db.execute('UPDATE pairs SET b = (SELECT count(*) FROM pairs)')\n"
    written += "    db.execute('COMMIT')\n"
    written += "    print(n, flush=True)\n"
    with subprocess.Popen([sys.executable, "-c", written, str(database)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        for _ in range(100):
            writer.stdout.readline()
        told: list[str] = []

        def tell(text: str) -> None:
            told.append(text)
            for _ in range(3):  # the writer goes on while the copy is made
                assert writer.stdout
                writer.stdout.readline()

        back_up(database, tmp_path / "copy.db", tell)
        with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
            assert damage(copy) == ""
            rows, counted = copy.execute("SELECT count(*), max(b) FROM pairs").fetchone()
        while int(writer.stdout.readline()) < rows:  # what it has said so far may be older than the copy
            pass
        writer.kill()
    assert rows == counted >= 100
    assert played.store.conn.execute("SELECT count(*) FROM pairs").fetchone()[0] > rows
    assert told


def test_a_backup_never_replaces_a_file(played, tmp_path):
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(BackupError, match=r"copy.db is there already and was left as it is"):
        back_up(played.config.database, tmp_path / "copy.db", silent)
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_what_a_killed_run_has_left_is_deleted_by_the_next_and_what_a_run_works_in_is_not(played, tmp_path):
    def left(name: str) -> Path:
        folder = tmp_path / f".new.db.{name}"
        folder.mkdir()
        (folder / "new.db").write_bytes(b"a whole copy")
        return folder

    killed, working, other = left("part-abcd1234"), left("part-efgh5678"), left("archived")
    descriptor = os.open(working, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    assert leftovers(tmp_path / "new.db") == [killed]
    back_up(played.config.database, tmp_path / "copy.db", silent)
    restore_desk(tmp_path / "copy.db", tmp_path / "new.db", silent)
    os.close(descriptor)
    assert not killed.exists()
    assert working.exists()
    assert other.exists()


def test_a_backup_into_a_folder_that_is_not_there_is_refused(played, tmp_path):
    with pytest.raises(BackupError, match=r"cannot be made: No such file or directory\."):
        back_up(played.config.database, tmp_path / "nowhere" / "copy.db", silent)


def test_a_damaged_database_gives_no_backup(played, tmp_path):
    path = played.config.database
    played.close()
    data = bytearray(path.read_bytes())
    data[8192:20000] = b"\xff" * (20000 - 8192)
    path.write_bytes(data)
    with pytest.raises((StoreError, sqlite3.Error)):
        back_up(path, tmp_path / "copy.db", silent)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["desk"]


@pytest.mark.parametrize("word", ["draw", "wait", "press: Hello.", "resign"])
def test_a_desk_can_be_copied_whatever_its_players_have_said(table, tmp_path, word):
    table.poll()
    table.write("red", word)
    table.poll()
    back_up(table.config.database, tmp_path / "copy.db", silent)
    export_desk(table.config.database, tmp_path / "export", table.now, silent)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert damage(copy) == ""


@pytest.mark.parametrize("make", [eventful_desk, with_everything])
def test_a_desk_that_has_seen_everything_is_copied_and_put_back(tmp_path, make):
    """Wishes, draws, leagues, people who are forgotten: nothing of it is taken for damage."""
    made = make(tmp_path / "desk")
    database = made.config.database
    back_up(database, tmp_path / "copy.db", silent)
    export_desk(database, tmp_path / "export", made.now, silent)
    for number, source in enumerate(("copy.db", "export")):
        restore_desk(tmp_path / source, tmp_path / f"{number}.db", silent, as_it_is=make is with_everything)
        assert contents(tmp_path / f"{number}.db") == as_copy(contents(database))
    made.store.conn.close()


def keys_and_columns(path: Path) -> dict[str, tuple[list[str], list[str]]]:
    """The columns of the key of each table without rowids, in the order of the key and in that of the columns."""
    with closing(sqlite3.connect(path)) as db:
        tables = db.execute("SELECT name FROM pragma_table_list WHERE wr AND schema = 'main' AND type = 'table'")
        found = {}
        for (table,) in tables.fetchall():
            columns = "SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY "
            by_key, by_place = ([name for (name,) in db.execute(columns + order, (table,))] for order in ("pk", "cid"))
            found[table] = by_key, by_place
        return found


def test_no_table_without_rowids_has_its_key_in_another_order_than_its_columns(played):
    """Of such a one SQLite 3.40 says in its quick check that it is damaged, and it is not."""
    found = keys_and_columns(played.config.database)
    assert "wishes" in found
    assert [table for table, (by_key, by_place) in found.items() if by_key != by_place] == []


# The whole desk


@pytest.fixture
def exported(played: DemoDesk, tmp_path: Path) -> Path:
    """What `pbem export --all` has written of a desk whose database is then moved away."""
    export_desk(played.config.database, tmp_path / "export", played.now, silent)
    played.close()
    played.config.database.rename(tmp_path / "before.db")
    for left in played.config.database.parent.glob("pbem.db-*"):
        left.unlink()
    return tmp_path / "export"


def test_what_is_exported_and_restored_lacks_nothing(played, exported, tmp_path):
    restore_desk(exported, played.config.database, silent)
    assert contents(played.config.database) == as_copy(contents(tmp_path / "before.db"))
    with closing(sqlite3.connect(played.config.database)) as db:
        assert db.execute("SELECT count(*) FROM order_search WHERE order_search MATCH 'M'").fetchone() == (1,)
        assert damage(db) == ""
        assert [*Audit(db).differences()] == []
    assert mode(played.config.database) == 0o600


def test_a_restored_desk_plays_on(played, exported):
    restore_desk(exported, played.config.database, silent)
    played.store = Store(connect(played.config.database))
    play(played, "Pass", "Pass")
    assert played.store.conn.execute("SELECT turn FROM matches").fetchone() == (4,)


def test_an_export_is_open_files_that_only_their_owner_reads(exported):
    assert mode(exported) == 0o700
    assert {mode(path) for path in exported.iterdir()} == {0o600}
    (game,) = map(json.loads, (exported / "matches.jsonl").read_text().splitlines())
    assert game["name"] == "oz-1"
    assert json.loads((exported / "manifest.json").read_text())["tables"] == VERSION


def test_neither_backup_nor_export_holds_the_key(played, tmp_path):
    back_up(played.config.database, tmp_path / "copy.db", silent)
    export_desk(played.config.database, tmp_path / "export", played.now, silent)
    key = read_key(played.config.desk.key_file)
    for path in (tmp_path / "copy.db", *(tmp_path / "export").iterdir()):
        assert key not in path.read_bytes()
        assert key.hex().encode() not in path.read_bytes()


def test_an_export_goes_into_an_empty_folder_and_into_no_other(played, tmp_path):
    (tmp_path / "empty").mkdir()
    export_desk(played.config.database, tmp_path / "empty", played.now, silent)
    assert mode(tmp_path / "empty") == 0o700
    for target in (tmp_path / "empty", tmp_path / "empty" / "manifest.json"):
        before = sorted((path, path.stat().st_size) for path in (tmp_path / "empty").iterdir())
        with pytest.raises(BackupError, match="is there already"):
            export_desk(played.config.database, target, played.now, silent)
        assert sorted((path, path.stat().st_size) for path in (tmp_path / "empty").iterdir()) == before


def test_a_database_that_is_there_is_never_replaced(played, tmp_path):
    export_desk(played.config.database, tmp_path / "export", played.now, silent)
    with pytest.raises(BackupError, match="already, and it was left as it is: move it away first"):
        restore_desk(tmp_path / "export", played.config.database, silent)


@pytest.mark.parametrize("source", ["copy.db", "export"])
def test_a_database_that_is_to_be_replaced_is_kept_with_all_that_is_in_it(played, tmp_path, source):
    database, kept = played.config.database, tmp_path / "desk" / "pbem.db.before"
    export_desk(database, tmp_path / "export", played.now, silent)
    back_up(database, tmp_path / "copy.db", silent)
    old = as_copy(contents(database))
    play(played)
    before = contents(database)
    shutil.copytree(tmp_path / "desk", tmp_path / "machine")  # as it lies there when the machine stops
    played.close()
    for part in ("pbem.db", "pbem.db-wal"):
        (tmp_path / "machine" / part).exists() and shutil.copy(tmp_path / "machine" / part, tmp_path / "desk" / part)
    restore_desk(tmp_path / source, database, silent, kept)
    assert contents(database) == old
    assert contents(kept) == before
    assert mode(database) == 0o600


def test_a_database_is_not_replaced_by_what_is_no_backup(played, tmp_path):
    database, kept = played.config.database, tmp_path / "kept.db"
    before = contents(database)
    (tmp_path / "notes").write_text("No database at all. " * 500)
    sqlite3.connect(tmp_path / "other.db").executescript("CREATE TABLE a (b); INSERT INTO a VALUES (1)").close()
    back_up(database, tmp_path / "torn.db", silent)
    with (tmp_path / "torn.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 12_000)
    for source, sentence in (
        ("notes", "cannot be read"),
        ("nowhere", "cannot be read"),
        ("other.db", "is no database of pbem"),
        ("torn.db", "is damaged"),
    ):
        with pytest.raises(BackupError, match=sentence):
            restore_desk(tmp_path / source, database, silent, kept)
    assert contents(database) == before
    assert not kept.exists()


def cut(folder: Path) -> None:
    path = folder / "letters.jsonl"
    path.write_bytes(path.read_bytes()[:-10])


def lose(folder: Path) -> None:
    (folder / "turns.jsonl").unlink()


def change(folder: Path) -> None:
    path = folder / "turns.jsonl"
    path.write_text(path.read_text().replace("3 A to M", "2 A to M"))


def doctor(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"tables": ', '"tables": 9'))


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (cut, r"letters\.jsonl is not as it was written: use another export\."),
        (lose, r"turns\.jsonl is missing: use another export\."),
        (change, r"turns\.jsonl is not as it was written: use another export\."),
        (doctor, r"manifest\.json is not as `pbem export --all` has written it: use another export\."),
    ],
)
def test_an_export_that_is_not_as_it_was_written_is_refused_and_nothing_is_made(played, exported, damaged, sentence):
    damaged(exported)
    before = sorted(played.config.database.parent.iterdir())
    with pytest.raises(BackupError, match=sentence):
        restore_desk(exported, played.config.database, silent)
    assert sorted(played.config.database.parent.iterdir()) == before


def reseal(folder: Path, **changed: object) -> None:
    """A manifest that says something else and is whole all the same."""
    from hashlib import sha256

    from pbem.record.notation import add_checksum

    manifest = json.loads((folder / "manifest.json").read_text()) | changed
    manifest["files"] = {name: sha256((folder / name).read_bytes()).hexdigest() for name in manifest["files"]}
    (folder / "manifest.json").write_text(add_checksum(json.dumps(manifest | {"checksum": ""}), '"checksum": "'))


def test_an_export_of_a_newer_version_is_refused(played, exported):
    reseal(exported, tables=VERSION + 1)
    with pytest.raises(BackupError, match="was made by a newer pbem"):
        restore_desk(exported, played.config.database, silent)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("matches.jsonl", ""),
        ("matches.jsonl", "[1]\n"),
        ("matches.jsonl", '{"no such column": 1}\n'),
        ("matches.jsonl", "\udcff"),
        ("schema.sql", "DROP TABLE desk;\n"),
        ("schema.sql", "ATTACH DATABASE 'stolen.db' AS s;\n"),
    ],
)
def test_an_export_that_does_not_fit_together_leaves_no_database_behind(played, exported, name, text):
    (exported / name).write_text(text, errors="surrogateescape")
    reseal(exported)
    before = sorted(played.config.database.parent.iterdir())
    with pytest.raises(BackupError, match="does not fit together"):
        restore_desk(exported, played.config.database, silent)
    assert sorted(played.config.database.parent.iterdir()) == before


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"format": "another"}', "[" * 100_000])
def test_a_folder_that_is_no_export_is_refused(played, exported, tmp_path, text):
    (tmp_path / "other").mkdir()
    if text is not None:
        (tmp_path / "other" / "manifest.json").write_text(text)
    with pytest.raises(BackupError, match=r"`pbem export --all` has written"):
        restore_desk(tmp_path / "other", played.config.database, silent)


# Damaged copies


@pytest.mark.parametrize("place", [10, 30, 50, 70, 90])
def test_a_backup_that_was_damaged_anywhere_is_not_put_back(played, tmp_path, place):
    copy, database = tmp_path / "copy.db", tmp_path / "new.db"
    back_up(played.config.database, copy, silent)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("PRAGMA secure_delete = ON").fetchall()  # or pages may hold what is no longer in use
        db.execute("VACUUM")
    found = bytearray(copy.read_bytes())
    at = next(at for at in range(len(found) * place // 100, len(found)) if 0 not in found[at : at + 200])
    found[at : at + 200] = bytes(200)
    copy.write_bytes(found)
    with pytest.raises(BackupError, match="se another backup"):
        restore_desk(copy, database, silent)
    assert not database.exists()
    assert [path.name for path in tmp_path.glob("copy.db*")] == ["copy.db"]


def test_a_copy_that_differs_from_its_record_is_put_back_only_as_it_is(played, tmp_path):
    copy, database = tmp_path / "copy.db", tmp_path / "new.db"
    back_up(played.config.database, copy, silent)
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE turns SET events = '[]' WHERE turn = 1")
    with pytest.raises(BackupError, match="not as its record says"):
        restore_desk(copy, database, silent)
    restore_desk(copy, database, silent, as_it_is=True)
    assert database.exists()


@pytest.mark.parametrize("source", ["copy.db", "folder"])
def test_a_copy_with_a_trigger_that_is_not_ours_is_put_back_only_as_it_is(played, tmp_path, source):
    played.store.conn.execute(HELPER)
    back_up(played.config.database, tmp_path / "copy.db", silent)
    export_desk(played.config.database, tmp_path / "folder", played.now, silent)
    with pytest.raises(BackupError) as refused:
        restore_desk(tmp_path / source, tmp_path / "new.db", silent)
    assert str(refused.value) == (
        f'{tmp_path / source} is not as pbem made it: The trigger "helper" is not one of ours. Use another backup; if'
        " this is the best one, --as-it-is puts it back, and `pbem verify` says what to do then."
    )
    assert not (tmp_path / "new.db").exists()
    restore_desk(tmp_path / source, tmp_path / "new.db", silent, as_it_is=True)
    assert (tmp_path / "new.db").exists()


HELPER = """CREATE TRIGGER helper AFTER INSERT ON orders WHEN new.seat = 'red' BEGIN
    UPDATE orders SET canonical = 'Pass' WHERE id = new.id; END"""
