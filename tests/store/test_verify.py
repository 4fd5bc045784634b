"""`pbem verify`: nothing that is in the record can be changed without its being seen."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.store.audit_log import NOT_COVERED, Covered, content_hash, covered, link
from pbem.store.database import Store, connect
from pbem.store.verify import Audit
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents, sure
from support.each import each
from support.game_masters import say
from support.tampering import NOON, TABLES, Tamperer, eventful_desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoDesk]:
    """A desk that has seen everything; tests change nothing of it that they do not take back."""
    table = eventful_desk(tmp_path_factory.mktemp("verify") / "desk")
    yield table
    table.close()


@pytest.fixture
def conn(desk: DemoDesk) -> sqlite3.Connection:
    """A copy of its database that can be changed."""
    return Tamperer(desk.store.conn, 0).conn


def first(conn: sqlite3.Connection, match: int | None = None) -> str | None:
    return next(Audit(conn, match).differences(), None)


def verify(table: DemoDesk, *words: str) -> Result:
    return CliRunner().invoke(main, ["--config", str(table.config.path), "verify", *words])


@contextmanager
def changed(table: DemoDesk, statement: str) -> Iterator[None]:
    """The database while a change is made to it."""
    conn = sqlite3.connect(table.config.database, isolation_level=None)
    kept = sqlite3.connect(":memory:")
    conn.backup(kept)
    conn.execute(statement)
    yield
    kept.backup(conn)
    conn.close()


# What is right


def test_a_desk_that_nobody_touched_is_as_it_was(desk):
    done = verify(desk)
    assert done.exit_code == 0
    line, left_out = done.output.splitlines()
    for part in (
        "All is as it was",
        "entries of the record (2 without content, as somebody wished)",
        "6 turns",
        "2 games",
        "rows of other tables",
    ):
        assert part in line
    assert left_out.startswith("Not looked at: ")
    assert all(f"{why} ({', '.join(names)})" in left_out for why, names in NOT_COVERED.items() if names)


def test_all_is_what_is_verified_if_nothing_is_named(desk):
    assert verify(desk, "--all").output == verify(desk).output


def test_of_one_game_its_own_rows_are_read_and_the_whole_record(desk):
    one, every = (json.loads(verify(desk, *words, "--json").output) for words in (["oz-2"], []))
    assert one["intact"]
    assert one["counts"]["turns"] == 1
    assert one["counts"]["entries"] == every["counts"]["entries"]
    others = one["not_looked_at"].pop("rows of other games, and of what is of no game")
    assert {"players", "leagues", "rounds"} <= {*others}
    assert one["not_looked_at"] == every["not_looked_at"] == {why: [*names] for why, names in NOT_COVERED.items()}


def test_a_desk_without_any_game_is_right(tmp_path):
    conn = Store.create(tmp_path / "pbem.db").conn
    assert [*Audit(conn).differences()] == []
    conn.close()


def test_a_turn_played_again_after_a_rollback_was_played_from_its_own_orders(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    people = Correspondents(table)
    for red, blue in (("3 A to M", "3 H to S"), ("1 M to MC", "1 S to SC")):
        people.write(ALICE, red)
        people.write(BOB, blue)
    say(table, "rollback oz-1 2 because a letter was lost")
    say(table, "readjudicate oz-1 because the rules were mended")
    people.poll()
    assert [*Audit(table.store.conn).differences()] == []
    table.close()


# What was changed


@pytest.mark.parametrize("number", [300, pytest.param(600, marks=pytest.mark.long)])
def test_any_changed_removed_doubled_or_swapped_value_or_row_is_found(desk, number):
    changes = [*Tamperer(desk.store.conn, 1981).changes(number)]
    assert {change.table for change, _ in changes} == set(TABLES)
    assert {change.way for change, _ in changes} == {"change", "remove", "double", "swap rows", "swap values"}
    assert [change for change, found in changes if found is None] == []


def test_the_first_difference_is_named_in_a_sentence_and_the_status_says_so(desk):
    with changed(desk, "UPDATE outbox SET recipient = 'eve@example.org' WHERE id = 7"):
        done = verify(desk)
        assert (done.exit_code, done.output) == (1, "pbem: Row 7 of the table outbox is not what the record says.\n")
        told = json.loads(verify(desk, "--json").stdout)
        assert told["difference"] == "Row 7 of the table outbox is not what the record says."
    assert verify(desk).exit_code == 0


@each(
    "statement, told",
    [
        (
            "CREATE TRIGGER helper AFTER DELETE ON outbox BEGIN SELECT 1; END",
            'The trigger "helper" is not one of ours.',
        ),
        ("DROP TRIGGER record_is_append_only_1", 'The trigger "record_is_append_only_1" is missing.'),
        ("ALTER TABLE outbox ADD COLUMN why TEXT", 'The table "outbox" was changed.'),
        ("DROP TABLE wishes", 'The table "wishes" is missing.'),
    ],
)
def test_a_schema_that_is_not_as_ours_is_told_before_any_row_is_compared(desk, statement, told):
    remedy = "Remove what is not ours with `sqlite3`; for the rest put back a backup. The rows are compared after that."
    with changed(desk, statement):
        for words in (), ("oz-2",):
            done = verify(desk, *words)
            assert (done.exit_code, done.output) == (1, f"pbem: {told} {remedy}\n")
    assert verify(desk).exit_code == 0


def test_what_is_changed_in_one_game_does_not_touch_another(conn):
    conn.execute("UPDATE turns SET after = before WHERE match = 1")
    assert first(conn, 2) is None
    assert first(conn, 1) == first(conn) == "Row 1 of the table turns is not what the record says."


@pytest.mark.parametrize("table", ["letters", "orders", "turns", "outbox"])
def test_a_missing_row_is_found_by_its_game_as_well(conn, table):
    conn.execute(f"DELETE FROM {table} WHERE id = (SELECT min(id) FROM {table} WHERE match = 1)")
    assert "is missing" in str(first(conn, 1))


def test_an_end_of_the_record_that_was_cut_off_is_found(conn):
    (last,) = conn.execute("SELECT max(id) FROM record").fetchone()
    conn.execute("DELETE FROM record_contents WHERE record = ?", (last,))
    conn.execute("DELETE FROM record WHERE id = ?", (last,))
    assert first(conn) == f"The record ends with entry {last - 1}, which is not the last one that was written."


def test_content_that_nobody_wished_removed_is_found(conn):
    conn.execute("DELETE FROM record_contents WHERE record = 3")
    assert "The content of entry 3 of the record is missing, and nobody's wish explains it." in [
        *Audit(conn).differences()
    ]


def test_words_that_were_blanked_like_a_forgotten_ones_are_found(conn):
    conn.execute("UPDATE letters SET raw = NULL WHERE id = 1")
    assert first(conn) == "Row 1 of the table letters is not what the record says."


def test_a_letter_whose_bytes_are_others_is_found(conn):
    conn.execute("UPDATE letters SET raw = CAST('9 A to M' AS BLOB) WHERE id = 1")
    assert first(conn) == "Letter 1 is not the one that came: its hash is another one."


def test_a_game_that_stands_elsewhere_than_its_last_turn_left_it_is_found(conn):
    conn.execute("UPDATE matches SET state = (SELECT before FROM turns WHERE match = 2) WHERE id = 2")
    assert first(conn) == "The game oz-2 does not stand where its last turn has left it."


def test_another_winner_is_found(conn):
    conn.execute("UPDATE matches SET winner = 'red' WHERE id = 1")
    assert first(conn) == "The game oz-1 was won by somebody else than it says."


def test_a_game_that_is_gone_is_found(conn):
    conn.execute("DELETE FROM matches WHERE id = 2")
    assert "is about a game that is missing" in str(first(conn))


# Somebody who knows how the chain is made


def new_hash(conn: sqlite3.Connection, table: str, key: str) -> str | None:
    """The hash that a row would have to have in the record, None if there is no such row."""
    one = covered(conn)[table]
    called = int(key) if one.numbered else key
    row = next((row for _, *row in one.find(conn, [called])), None)
    found = conn.execute("SELECT salt FROM salts WHERE tbl_name = ? AND key = ?", (table, called)).fetchone()
    return one.hash(found[0], row) if row and found else None


def rewrite(conn: sqlite3.Connection) -> None:
    """Make the record fit to all rows again, as its operator could."""
    before = ""
    for number, at, kind, match, nonce, content in conn.execute(
        """SELECT id, at, kind, match, nonce, content FROM record
           LEFT JOIN record_contents ON record = id ORDER BY id"""
    ).fetchall():
        (digest,) = conn.execute("SELECT digest FROM record WHERE id = ?", (number,)).fetchone()
        if content:
            told = json.loads(content)
            for table, rows in [item for some in told.get("matches", {}).values() for item in some.items()]:
                for key in rows:
                    rows[key] = new_hash(conn, table, key) or rows[key]
            text = json.dumps(told, sort_keys=True)
            digest = content_hash(nonce, text)
            conn.execute("UPDATE record_contents SET content = ? WHERE record = ?", (text, number))
        before = link(before, number, (at, kind, match), digest)
        conn.execute("UPDATE record SET digest = ?, hash = ? WHERE id = ?", (digest, before, number))
    conn.execute("UPDATE desk SET value = ? WHERE key = 'head'", (f"{number} {before}",))


def edit(conn: sqlite3.Connection, kind: str, **values: str) -> None:
    """Change the content of the last entry of a kind in oz-2, and its row in `turns`."""
    (number, text) = conn.execute(
        """SELECT id, content FROM record JOIN record_contents ON record = id
           WHERE kind = ? AND match = 2 ORDER BY id DESC LIMIT 1""",
        (kind,),
    ).fetchone()
    conn.execute(
        "UPDATE record_contents SET content = ? WHERE record = ?", (json.dumps({**json.loads(text), **values}), number)
    )
    for column, value in values.items():
        conn.execute(f"UPDATE turns SET {column} = ? WHERE match = 2", (value,))


def test_a_turn_that_the_rules_do_not_give_is_found_whatever_the_record_says(conn):
    (before,) = conn.execute("SELECT before FROM turns WHERE match = 2").fetchone()
    edit(conn, "turn", after=before)
    conn.execute("UPDATE matches SET state = ?, turn = 2 WHERE id = 2", (before,))
    rewrite(conn)
    assert "Turn 1 of oz-2 ends with another board when it is adjudicated anew." in [*Audit(conn).differences()]


@pytest.mark.parametrize("phase", ["annulled", "running"])
def test_a_game_that_ended_otherwise_is_found_whatever_the_record_says(conn, phase):
    conn.execute("UPDATE matches SET phase = ?, winner = NULL WHERE id = 1", (phase,))
    rewrite(conn)
    assert f"The game oz-1 is {phase}, which the record does not say." in [*Audit(conn).differences()]


def test_events_that_did_not_happen_are_found_whatever_the_record_says(conn):
    edit(conn, "turn", events='[{"type": "move"}]')
    rewrite(conn)
    assert "Turn 1 of oz-2 has other events when it is adjudicated anew." in [*Audit(conn).differences()]


def test_orders_that_did_not_stand_are_found_whatever_the_record_says(conn):
    (number, text) = conn.execute(
        "SELECT id, content FROM record JOIN record_contents ON record = id WHERE kind = 'orders' AND match = 2 LIMIT 1"
    ).fetchone()
    told = {**json.loads(text), "orders": "1 A to M"}
    conn.execute("UPDATE record_contents SET content = ? WHERE record = ?", (json.dumps(told), number))
    rewrite(conn)
    found = [*Audit(conn).differences()]
    assert f"Turn 1 of oz-2 was not played from the orders of {told['seat']} that stood then." in found


# Who is forgotten


def hashes_of(conn: sqlite3.Connection) -> set[str]:
    """All hashes of rows that the record holds."""
    told = [json.loads(content) for (content,) in conn.execute("SELECT content FROM record_contents")]
    tables = [table for one in told for tables in one.get("matches", {}).values() for table in tables.values()]
    return {digest for hashes in tables for digest in hashes.values() if digest}


def rows_with(conn: sqlite3.Connection, *words: str) -> set[tuple[Covered, tuple[object, ...]]]:
    """The rows of covered tables that hold one of some words, whatever the case."""
    return {
        (table, row)
        for table in covered(conn).values()
        for row in conn.execute(f"SELECT {table.all_in(table.name)} FROM {table.name}")
        if any(word in repr(row).lower() for word in words)
    }


def confirmed(conn: sqlite3.Connection, rows: set[tuple[Covered, tuple[object, ...]]]) -> set[str]:
    """The tables with rows that somebody who has the database can confirm to have been so, by trying."""
    noted, salts = hashes_of(conn), [b"", *(salt for (salt,) in conn.execute("SELECT salt FROM salts"))]
    return {table.name for table, row in rows if any(table.hash(salt, row) in noted for salt in salts)}


def test_what_a_forgotten_player_was_called_and_where_cannot_be_tried_out(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    people = Correspondents(table)
    for who in (CAROL, DAVE):
        people.write_anew(who, "join")
        people.write(who, "yes")
    sure(people, CAROL, "resign")
    conn = table.store.conn
    with table.store.transaction():
        conn.execute(
            """INSERT INTO claims (player, address, written, made, letter, instead)
               SELECT id, 'carol@work.example', 'carol@work.example', '', 0, '' FROM players WHERE name = 'Carol'"""
        )
        conn.execute("UPDATE matches SET reason = 'Carol (red) had to leave.' WHERE id = 2")
    tables = {"addresses", "claims", "players", "matches", "seats", "letters", "outbox"}
    before = rows_with(conn, "carol")
    assert confirmed(conn, before) >= tables
    sure(people, CAROL, "forget me")
    people.poll(timedelta(hours=1))
    gone = before - rows_with(conn, "carol")
    assert {table.name for table, _ in gone} >= tables
    assert confirmed(conn, gone) == set()
    assert [*Audit(conn).differences()] == []
    table.close()


# Who writes


def test_a_row_that_replaces_another_is_noted_and_the_one_before_is_gone(tmp_path):
    store = Store.create(tmp_path / "pbem.db")
    claim = (
        "INSERT OR REPLACE INTO claims (player, address, written, made, letter, instead) VALUES (1, ?, '', '', 0, '')"
    )
    with store.transaction():
        store.conn.execute("INSERT INTO players (name, since) VALUES ('Ann', '')")
        for address in ("a@example.org", "b@example.org"):
            store.conn.execute(claim, (address,))
    with store.transaction():
        store.conn.execute(claim, ("a@example.org",))
    assert store.conn.execute("SELECT id FROM claims ORDER BY id").fetchall() == [(2,), (3,)]
    assert [*Audit(store.conn).differences()] == []
    store.conn.close()


def test_what_another_program_writes_is_not_noted_by_the_desks_next_transaction(tmp_path):
    store = Store.create(tmp_path / "pbem.db")
    with store.transaction():
        store.conn.execute("INSERT INTO players (name, since) VALUES ('Ann', ''), ('Ben', '')")
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as other, other:
        other.execute("UPDATE players SET banned = 'now' WHERE id = 1")
    with store.transaction():
        store.conn.execute("UPDATE players SET zone = 'UTC' WHERE id = 2")
    assert [*Audit(store.conn).differences()] == ["Row 1 of the table players is not what the record says."]
    store.conn.close()


def test_two_programs_that_write_in_turns_note_what_each_has_written(tmp_path):
    stores = [Store.create(tmp_path / "pbem.db"), Store(connect(tmp_path / "pbem.db"))]
    for number in range(6):
        store = stores[number % 2]
        with store.transaction():
            store.conn.execute("INSERT INTO players (name, since) VALUES (?, '')", (f"player {number}",))
            store.conn.execute("UPDATE players SET zone = 'UTC' WHERE id = ?", (number,))
    assert [*Audit(stores[0].conn).differences()] == []
    for store in stores:
        store.conn.close()


def test_a_poll_that_finds_nothing_watches_nothing_and_notes_nothing(tmp_path, monkeypatch):
    table = DemoDesk(tmp_path / "desk")
    table.poll()
    head = table.store.head()
    monkeypatch.setattr("pbem.store.database.watch", lambda conn: pytest.fail("it watches"))
    table.poll()
    assert table.store.head() == head
    table.close()


def test_a_new_column_changes_no_hash(tmp_path):
    store = Store.create(tmp_path / "pbem.db")
    with store.transaction():
        store.conn.execute("INSERT INTO players (name, since) VALUES ('Ann', '')")
    store.conn.execute("ALTER TABLE players ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")
    assert first(store.conn) is None
    store.conn.execute("UPDATE players SET colour = 'blue'")
    assert first(store.conn) == "Row 1 of the table players is not what the record says."
    store.conn.close()


# Files


def files(desk: DemoDesk, folder: Path) -> list[Path]:
    """The games of the desk as they are exported: two records in one file, and the JSON of one."""
    from pbem.record.exports import write_json
    from pbem.record.notation import write_record
    from pbem.store.histories import load_history

    histories = [load_history(desk.store, number) for number in (1, 2)]
    written = {"games.txt": "\n".join(map(write_record, histories)), "oz-1.json": write_json(histories[0])}
    for name, text in written.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in written]


def test_exported_files_are_verified_by_their_checksums_and_turns(desk, tmp_path):
    records, data = files(desk, tmp_path)
    assert verify(desk, str(records)).output == "All is as it was written: 6 turns of 2 games.\n"
    assert verify(desk, str(data)).output == "All is as it was written: 5 turns of 1 game.\n"


def test_any_changed_character_of_an_exported_file_is_found(desk, tmp_path):
    chosen = Random(7)
    for path in files(desk, tmp_path):
        text = path.read_text("utf-8").rstrip("\n")
        for _ in range(60):
            at = chosen.randrange(len(text))
            other = chosen.choice([char for char in 'aA0f3 \n"é}' if char != text[at]])
            path.write_text(f"{text[:at]}{other}{text[at + 1 :]}\n", "utf-8")
            done = verify(desk, str(path))
            assert (done.exit_code, len(done.output.splitlines())) == (1, 1), (path.name, at, other, done.output)
            assert done.output.startswith(f"pbem: {path}: ")


# Databases that cannot be read


@pytest.mark.parametrize("holds", [b"SQLite format 3", b"Subject: Ozymandia"])
def test_a_damaged_database_is_told_in_one_sentence(tmp_path, holds):
    table = DemoDesk(tmp_path / "desk")
    table.poll()
    table.store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    table.close()
    path: Path = table.config.database
    raw = bytearray(path.read_bytes())
    page = raw.index(holds) // 4096
    raw[4096 * page : 4096 * (page + 4)] = b"\xa5" * 4096 * 4
    path.write_bytes(raw)
    done = verify(table)
    assert done.exit_code == 1
    assert done.output.startswith(f"pbem: The database {path} ")
    assert len(done.output.splitlines()) == 1


def test_a_game_that_is_not_there_is_told(desk):
    done = verify(desk, "oz-9")
    assert done.exit_code == 2
    assert done.output == 'pbem: There is no game "oz-9": `pbem game list` shows all.\n'


def test_a_file_that_is_not_there_is_not_taken_for_a_game(desk):
    done = verify(desk, "oz-9.txt")
    assert done.exit_code == 2
    assert "There is no file oz-9.txt." in done.output
