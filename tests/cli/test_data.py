"""Games and desks are taken out and put back on the command line; what cannot be is said in one sentence."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.record.exports import read_json
from pbem.record.notation import write_record
from pbem.service.tick import lock
from support.tables import history, play

Pbem = Callable[..., Result]


@pytest.fixture
def played(table: DemoDesk) -> DemoDesk:
    """A table at its second turn."""
    play(table, "3 A to M", "1 H to S")
    return table


@pytest.fixture
def pbem(table: DemoDesk) -> Pbem:
    """A command at the table's desk."""
    config = table.config.database.parent / "config.ini"

    def run(*words: object) -> Result:
        done = CliRunner().invoke(main, ["--config", str(config), *map(str, words)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done

    return run


def sentence(done: Result, status: int = 2) -> str:
    """What a command says that did nothing."""
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr.startswith("pbem: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_game_is_exported_as_json_if_nothing_is_said(played, pbem):
    assert read_json(pbem("export", "oz-1").stdout) == history(played, press=False)


def test_press_is_exported_only_if_it_is_asked_for(table, pbem):
    table.write("red", "press: Good luck.")
    table.poll()
    assert "Good luck." not in pbem("export", "oz-1").stdout
    assert "Good luck." in pbem("export", "oz-1", "--press").stdout


def test_the_other_formats_are_mailbox_record_and_map(played, pbem):
    assert pbem("export", "oz-1", "--format", "mbox").stdout.startswith("From desk@oz-1.invalid ")
    assert pbem("export", "oz-1", "--format", "record").stdout == write_record(history(played, press=False))
    assert pbem("export", "oz-1", "--format", "svg").stdout.lstrip().startswith(("<?xml", "<svg"))


def test_a_map_is_of_the_turn_that_is_asked_for(played, pbem):
    first = pbem("export", "oz-1", "--format", "svg", "--turn", 1).stdout
    assert first == pbem("export", "oz-1", "--format", "svg").stdout
    play(played, "Pass", "2 E to U")
    assert pbem("export", "oz-1", "--format", "svg", "--turn", 1).stdout == first
    assert pbem("export", "oz-1", "--format", "svg").stdout != first
    assert "Turn 3 of oz-1 is not played" in sentence(pbem("export", "oz-1", "--format", "svg", "--turn", 3))


def test_an_export_goes_into_a_new_file_and_never_over_another(played, pbem, tmp_path):
    assert pbem("export", "oz-1", "-o", tmp_path / "game.json").output == ""
    assert json.loads((tmp_path / "game.json").read_text())["name"] == "oz-1"
    (tmp_path / "mine").write_text("mine")
    assert "was left as it is" in sentence(pbem("export", "oz-1", "-o", tmp_path / "mine"))
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_game_that_is_not_there_is_said_to_be_so(pbem):
    assert 'There is no game "oz-9"' in sentence(pbem("export", "oz-9"), 2)


@pytest.mark.parametrize(
    "words",
    [(), ("oz-1", "--all", "x"), ("--all", "x", "--press"), ("oz-1", "--turn", "1"), ("oz-1", "--format", "pdf")],
)
def test_what_does_not_go_together_is_wrong_use(pbem, words):
    assert pbem("export", *words).exit_code == 2


def test_a_desk_is_backed_up_exported_and_restored(played, pbem, tmp_path):
    assert pbem("backup", tmp_path / "copy.db").output == ""
    assert pbem("export", "--all", tmp_path / "all").output == ""
    assert "move it away first" in sentence(pbem("restore", tmp_path / "all"))
    played.close()
    for part in played.config.database.parent.glob("pbem.db*"):
        part.unlink()
    assert pbem("restore", tmp_path / "all").output == ""
    assert "3 A to M" in pbem("search", "3 A to M").output
    assert "is there already" in sentence(pbem("backup", tmp_path / "copy.db"))


def test_a_backup_is_put_back_by_one_command_and_the_database_that_was_there_is_kept(played, pbem, tmp_path):
    pbem("backup", tmp_path / "copy.db")
    play(played, "Pass", "2 E to U")
    played.close()
    done = pbem("restore", tmp_path / "copy.db", "--replace")
    kept = done.stdout.removeprefix("The database that was there is now ").partition(";")[0]
    assert Path(kept).name.startswith("pbem.db.before-")
    assert pbem("search", "2 E to U").stdout == ""
    assert "3 A to M" in pbem("search", "3 A to M").output
    pbem("restore", kept, "--replace")
    assert "2 E to U" in pbem("search", "2 E to U").output


def test_a_desk_is_not_put_back_while_a_poll_is_at_work(played, pbem, tmp_path):
    pbem("backup", tmp_path / "copy.db")
    with lock(played.config.database.with_name("pbem.lock")):
        assert "A poll is at work" in sentence(pbem("restore", tmp_path / "copy.db", "--replace"), 1)


def newer(database: Path) -> None:
    import sqlite3

    with sqlite3.connect(database) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def no_database(database: Path) -> None:
    database.write_bytes(b"This is no database. " * 500)


def cut_off(database: Path) -> None:
    data = database.read_bytes()
    database.write_bytes(data[: len(data) // 2])


def another_schema(database: Path) -> None:
    """What the tables are is damaged, in the middle of a letter."""
    data = database.read_bytes()
    database.write_bytes(data.replace(b"CREATE TABLE desk (key", b"CREATE TABLE \xff\xfe\xc3\x28 (key"))


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (newer, ("search", "Pass")),
        (no_database, ("export", "oz-1")),
        (cut_off, ("export", "oz-1", "--format", "mbox")),
        (another_schema, ("export", "--all", "OUT")),
        (newer, ("backup", "OUT")),
        (cut_off, ("backup", "OUT")),
    ],
)
def test_a_database_that_is_damaged_or_newer_is_one_sentence_and_nothing_is_made(played, pbem, tmp_path, harm, words):
    played.store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    played.close()
    harm(played.config.database)
    told = sentence(pbem(*(str(tmp_path / "out") if word == "OUT" else word for word in words)), 1)
    assert "newer" in told or "database" in told or "malformed" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["desk"]
