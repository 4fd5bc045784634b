"""A desk of an older pbem: the first poll brings its database up to date, and the games go on."""

import lzma
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from pbem import PbemError
from pbem.cli.demo import Table, answer_letter, letter_text
from pbem.leagues.season import table
from pbem.service.desk import make_desk
from pbem.service.tick import poll
from pbem.store import players
from pbem.store.database import VERSION, Store, connect
from pbem.store.leagues import find_season
from pbem.store.matches import load_match
from pbem.store.migrations import migrations
from pbem.store.verify import Audit
from support.archives import Office
from support.game_masters import GINA
from support.paths import TESTS


@pytest.fixture
def old(tmp_path: Path) -> Table:
    """A table whose database has the tables of version 1: one game, at its first turn, with Red's orders in."""
    table = Table(tmp_path / "desk")
    table.poll()
    (match,) = table.store.conn.execute("SELECT name, game, options, rules, state, since, due FROM matches").fetchall()
    outbox = table.store.conn.execute(
        "SELECT message_id, match, seat, player, kind, recipient, envelope, raw, made, due, sent FROM outbox"
    ).fetchall()
    table.close()
    path = table.config.database
    for file in (*path.parent.glob("pbem.db*"), *path.parent.rglob("pbem.head")):
        file.unlink()
    with closing(sqlite3.connect(path)) as db:
        migrations.apply(Database(db), stop_before="m002_leagues")
        name, game, options, rules, state, since, due = match
        db.execute("INSERT INTO players (id, name, since) VALUES (1, 'Alice', ?), (2, 'Bob', ?)", (since, since))
        db.execute("INSERT INTO addresses VALUES ('alice@example.net', 'alice@example.net', 1)")
        db.execute("INSERT INTO addresses VALUES ('bob@example.com', 'bob@example.com', 2)")
        db.execute(
            "INSERT INTO matches (id, name, game, options, rules, state, waiting, every, deadline, since)"
            " VALUES (1, ?, ?, ?, ?, ?, 1, 259200, ?, ?)",
            (name, game, options, rules, state, due, since),
        )
        db.execute("INSERT INTO seats (match, seat, player, name) VALUES (1, 'red', 1, 'Alice'), (1, 'blue', 2, 'Bob')")
        db.execute("INSERT INTO letters (id, sha256, arrived, size, state) VALUES (1, '', ?, 0, 'handled')", (since,))
        db.execute(
            "INSERT INTO orders (match, turn, seat, state, number, letter, written, canonical)"
            " VALUES (1, 1, 'red', 'standing', 1, 1, '3 A to M', '3 A to M')"
        )
        db.executemany(
            "INSERT INTO outbox (message_id, match, seat, player, kind, recipient, envelope, raw, made, due, sent)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            outbox,
        )
        db.execute("INSERT INTO desk VALUES ('last_run', ?)", (since,))
        db.commit()
        db.execute("PRAGMA user_version = 1")
    return table


def test_the_first_poll_of_an_older_desk_tells_its_game_master_what_waits_at_an_address_that_counts(old):
    connect(old.config.database, upgrade=True).close()
    old.store = Store(connect(old.config.database))
    old.store.conn.execute("UPDATE matches SET phase = 'paused', due = NULL")
    (told,) = [letter for _, letter in old.poll() if "What waits for your decision" in letter_text(letter)]
    assert "oz-1 the game is paused (for" in " ".join(letter_text(told).split())
    old.deliver(answer_letter(told, GINA, "resume oz-1 because all are back", old.now).as_bytes())
    assert any("Done: resume oz-1." in letter_text(letter) for _, letter in old.poll())


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """A desk whose database version 4 of the tables has made: Bob and Carol have played, Carol and Alice play on."""
    make_desk(tmp_path / "desk", rehearsal=True)
    path = tmp_path / "desk" / "pbem.db"
    for file in path.parent.glob("pbem.db*"):
        file.unlink()
    with closing(sqlite3.connect(path)) as db:
        migrations.apply(Database(db), stop_before="m005_secrets")
        db.executescript(lzma.decompress((TESTS / "upgrades" / "version4.sql.xz").read_bytes()).decode())
        db.execute(
            "INSERT INTO entrants (player, name, seed, state, since)"
            " VALUES (4, 'Dave', 0, 'playing', '2026-11-30T12:00:00Z')"
        )
        db.commit()
        db.execute("PRAGMA user_version = 4")
        assert db.execute("SELECT red, blue, winner FROM results WHERE round = 1").fetchall() == [
            ("Bob", "Carol", "blue")
        ]
    connect(path, upgrade=True).close()
    return Office(tmp_path / "desk", datetime(2026, 12, 1, 12, 0, tzinfo=UTC))


def test_a_league_of_before_knows_its_games_by_first_and_second_seat(office: Office) -> None:
    season = find_season(office.store, "Autumn")
    first, second, third = season.divisions[0].rounds
    assert season.league.scoring.tie_breaks == ("score", "wins")
    (played,), (running,), (to_come,) = first.fixtures, second.fixtures, third.fixtures
    assert (played.players, played.winner, played.outcome, played.name) == ((2, 3), 3, "won", "oz-1")
    assert (running.players, running.outcome, running.name) == ((3, 1), None, "oz-2")
    assert (to_come.players, to_come.match) == ((1, 2), None)
    assert {row.player: row.won for row in table(season.league, season.divisions[0])} == {1: 0, 2: 0, 3: 1}
    assert played.scores != (0, 0)
    assert office.store.conn.execute("SELECT first, second, winner FROM results WHERE round = 1").fetchall() == [
        ("Bob", "Carol", "blue")
    ]


def test_who_waited_for_the_next_game_waits_for_one_of_ozymandia(office: Office) -> None:
    assert players.waiting_to_play(office.store, "ozymandia")[0].name == "Dave"
    assert players.awaited_games(office.store, 4) == {"ozymandia"}
    assert players.waiting_to_play(office.store, "trial") == []


def test_a_league_of_before_goes_on_to_its_end(office: Office) -> None:
    office.play("oz-2")
    office.award("oz-2", "red")
    office.award("oz-3", "blue")
    season = find_season(office.store, "Autumn")
    assert [(row.player, row.won) for row in table(season.league, season.divisions[0])] == [(3, 2), (2, 1), (1, 0)]
    assert {one.outcome for one in season.divisions[0].fixtures} == {"won"}


def test_what_has_a_hash_of_before_keeps_it_and_all_other_rows_have_one_from_the_upgrade_on(office: Office) -> None:
    db = office.store.conn
    assert not any("Row" in one for one in Audit(db).differences())
    assert db.execute("SELECT count(*) FROM salts WHERE tbl_name IN ('turns', 'orders', 'outbox')").fetchone() == (0,)
    for altered, told in (
        ("UPDATE turns SET played = ''", "Row 1 of the table turns is not what the record says."),
        ("UPDATE pairings SET first = second", "Row 1 of the table pairings is not what the record says."),
        ("DELETE FROM entrants", "Row 1 of the table entrants is missing."),
    ):
        db.execute("BEGIN")
        db.execute(altered)
        assert told in Audit(db).differences()
        db.execute("ROLLBACK")


def test_a_record_whose_end_was_cut_off_is_not_mended_by_an_upgrade(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "pbem.db", isolation_level=None)) as db:
        migrations.apply(Database(db), stop_before="m022_all_rows")
        db.execute("INSERT INTO players (name, since) VALUES ('Ann', '')")
        db.execute("INSERT INTO desk VALUES ('head', '2 00')")
        db.execute("PRAGMA user_version = 21")
    with closing(connect(tmp_path / "pbem.db", upgrade=True)) as db:
        told = "The record ends with entry 1, which is not the last one that was written."
        assert [*Audit(db).differences()] == [told]


def test_commands_wait_for_the_poll_that_upgrades(old: Table) -> None:
    with pytest.raises(PbemError, match=r"made by an older pbem: the next `pbem poll` brings it up to date"):
        connect(old.config.database)


def test_an_upgrade_that_was_cut_off_keeps_the_first_copy(old: Table) -> None:
    kept = old.config.database.with_name("pbem.db.1")
    kept.write_bytes(b"the copy of the run that died")
    connect(old.config.database, upgrade=True).close()
    assert kept.read_bytes() == b"the copy of the run that died"
    connect(old.config.database).close()


def test_what_was_there_before_is_vouched_for_from_the_upgrade_on(old: Table) -> None:
    connect(old.config.database, upgrade=True).close()
    with closing(sqlite3.connect(old.config.database)) as db:
        assert [*Audit(db).differences()] == []
        db.execute("UPDATE orders SET canonical = '2 A to M'")
        assert [*Audit(db).differences()] == ["Row 1 of the table orders is not what the record says."]
        db.rollback()
        db.execute("UPDATE outbox SET sent = '2026-11-21T13:00:00Z' WHERE id = 1")
        assert [*Audit(db).differences()] == ["Letter 1 of the outbox was not sent when the record says."]


def test_the_first_poll_upgrades_and_keeps_a_copy(old: Table) -> None:
    old.write("blue", "2 H to S")
    kept = old.config.database.with_name("pbem.db.1")
    with closing(sqlite3.connect(old.config.database)) as db:
        before = db.execute("SELECT state, canonical FROM orders").fetchall()
    assert poll(old.config, old.now + timedelta(minutes=5), lambda text: None).well
    old.store = Store(connect(old.config.database))
    told = [letter_text(letter) for seat, letter in old.letters() if seat == "blue"]
    assert "receipt 1-1" in told[0]
    assert "3 A to M" in told[1]  # the turn is played, from the orders that were in
    match = load_match(old.store, 1)
    assert (match.turn, match.phase) == (2, "running")
    assert match.deadline is not None
    assert old.store.conn.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert old.store.conn.execute("PRAGMA foreign_key_check").fetchall() == []
    assert kept.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT state, canonical FROM orders").fetchall() == before
