"""Results cannot be invented: whatever is altered in a desk's database by SQL, `pbem verify` finds or says that it does
not look at it."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.games.ozymandia.bot import choose
from pbem.leagues.league_file import parse_league
from pbem.match import clock
from pbem.match.identity import Token
from pbem.match.terms import Terms
from pbem.service import league_rounds
from pbem.store import outbox
from pbem.store.audit_log import NOT_COVERED
from pbem.store.matches import find_match, load_match
from pbem.store.schema import schema_differences
from pbem.store.verify import Audit
from support.archives import PEOPLE, Office
from support.each import each

LEAGUE = """
name = "Autumn"
format = "round-robin"
confirmed = true
rate_unplayed = true
divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.net>", "Carol <carol@example.net>"] }]
"""


def league_desk(folder: Path) -> Office:
    """A league with a round that is over and one that is played, each with a bye. Besides, oz-3 was won, oz-4 annulled,
    oz-5 goes on with a turn and orders, and the sixth game with dice and without any turn."""
    office = Office(folder)
    with office.store.transaction():
        league_rounds.found_league(office.desk, parse_league(LEAGUE, office.desk.terms))
    office.award("oz-1", "red")
    turn(office, "oz-2")
    won, annulled, running = (office.begin(*pair) for pair in (("Alice", "Bob"), ("Bob", "Carol"), ("Carol", "Dave")))
    turn(office, won)
    office.decide("award", won, "red")
    office.decide("annul", annulled)
    turn(office, running)
    office.decide("orders", running, "red: 2 A to AC")
    office.desk.new_game("rocknroll", {"vpa": PEOPLE["Alice"], "vietnam": PEOPLE["Bob"]}, {}, Terms())
    (letter,) = office.store.keep([(office.now, b"To: desk\n\nPass", 15, 0, "")], "")
    with office.store.transaction():
        office.store.close_letter(letter.id, "answered: receipt", office.now, token=Token(5, "red", 2, ""))
        for statement in OF_OTHER_TABLES:
            office.store.conn.execute(statement)
    numbers = [number for (number,) in office.store.conn.execute("SELECT id FROM outbox")]
    outbox.mark_sent(office.store, numbers, office.now)
    return office


OF_OTHER_TABLES = (
    "INSERT INTO absences (player, first, last, zone) VALUES (1, '2026-12-24', '2026-12-31', 'UTC')",
    """INSERT INTO claims (player, address, written, made, letter, instead)
       VALUES (1, 'a@example.com', 'A@example.com', '', 0, '')""",
    "INSERT INTO digests VALUES (5, 'red', '2027-01-01T12:00:00Z')",
    "INSERT INTO gathered (letter, body, within) VALUES (1, '', 2)",
    "INSERT INTO invitations (player, made) VALUES (1, '2026-11-21T12:00:00Z')",
    "INSERT INTO lists (letter, player, keys, made) VALUES (1, 1, '[]', '')",
    "INSERT INTO observers VALUES (5, 1, 0)",
    "INSERT INTO offers VALUES (5, 'red', 1, '', 1)",
    "INSERT INTO questions VALUES (1, 'resign', NULL, 3, 5, 'red', 2, '')",
    "INSERT INTO refusals (address, since, nobody) VALUES ('a@example.com', '2026-11-21T12:00:00Z', 1)",
    "INSERT INTO removals VALUES (1, '')",
    "INSERT INTO requests (league, season, round, player, points) VALUES (1, 1, 3, 1, 0.5)",
    "INSERT INTO standing_orders VALUES (6, 'vpa', 'HOLD')",
    "INSERT INTO substitutions VALUES (1, 1, 2, 1, 1, 1)",
    "INSERT INTO teams VALUES (1, 1, 1, 1, 'Rooks', 1, 1, 0)",
    "INSERT INTO wishes VALUES (5, 'pause', 'red', 1, 1, '', NULL, '')",
)
"""A row for each table that would be empty: whoever writes in a transaction of the desk has it noted."""


def turn(office: Office, name: str) -> None:
    """A turn as the computer plays it, from orders that the game master has entered."""
    match = load_match(office.store, find_match(office.store, name))
    for seat in match.seats:
        office.decide("orders", name, f"{seat}: {choose(match.state, seat)}")
    with office.store.transaction():
        office.desk.apply(clock.play(load_match(office.store, match.id), office.now))


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Such a desk; tests change copies of it."""
    made = league_desk(tmp_path_factory.mktemp("alterations") / "desk")
    yield made
    made.store.conn.close()


@pytest.fixture
def conn(office: Office) -> Iterator[sqlite3.Connection]:
    with closing(copy(office.store.conn)) as db:
        yield db


def copy(original: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of a database with which its operator can do whatever they like."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    original.backup(db)
    for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute("PRAGMA ignore_check_constraints = ON")
    return db


def first(db: sqlite3.Connection) -> str | None:
    return next(Audit(db).differences(), None)


def test_a_desk_that_nobody_altered_is_as_it_was(conn: sqlite3.Connection) -> None:
    assert first(conn) is None


def columns(db: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns of every table that is not named as not covered, but for the record's head."""
    rows = db.execute(
        """SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
           WHERE t.schema = 'main' AND t.type <> 'view' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1, cid"""
    ).fetchall()
    found: dict[str, list[str]] = {}
    for table, column in rows:
        if not any(table == name or table.startswith(f"{name}_") for name in NAMED):
            found.setdefault(table, []).append(column)
    return found


NAMED = {name for names in NOT_COVERED.values() for name in names}


@contextmanager
def undone(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN")
    yield
    db.execute("ROLLBACK")


def a_row(db: sqlite3.Connection, table: str, names: list[str]) -> tuple[str, tuple[Any, ...]]:
    """The first row of a table, and the condition that it alone fulfils."""
    row = db.execute(f"SELECT {', '.join(names)} FROM {table} LIMIT 1").fetchone()
    assert row, f"the table {table} has no row"
    return " AND ".join(f"{name} IS ?" for name in names), row


def another(value: Any) -> Iterator[Any]:
    """Other values, one of which its column may have."""
    match value:
        case None:
            yield from (1, "x", b"x", 1.5)
        case bytes():
            yield value + b"x"
        case str():
            yield f"{value}0"
        case _:
            yield value + 1000


def alter(db: sqlite3.Connection, table: str, column: str, names: list[str]) -> None:
    where, row = a_row(db, table, names)
    for value in another(row[names.index(column)]):
        try:
            assert db.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row)).rowcount == 1
        except sqlite3.IntegrityError:
            continue
        return
    raise AssertionError(f"{table}.{column} was not altered")


def test_each_column_of_each_table_is_covered_or_named_as_not_covered(conn: sqlite3.Connection) -> None:
    unnoticed = set()
    for table, names in columns(conn).items():
        for column in names:
            with undone(conn):
                alter(conn, table, column, names)
                unnoticed |= {f"{table}.{column}"} if first(conn) is None else set()
    assert unnoticed <= NAMED
    assert unnoticed == {"removals.due"}, "the others are not covered while something waits"


def test_each_row_that_is_gone_is_found(conn: sqlite3.Connection) -> None:
    for table, names in columns(conn).items():
        where, row = a_row(conn, table, names)
        with undone(conn):
            conn.execute(f"DELETE FROM {table} WHERE {where}", row)
            assert first(conn) is not None, table


def test_a_row_that_nobody_noted_is_found(conn: sqlite3.Connection) -> None:
    conn.execute("INSERT INTO ratings (match, player, mu, sigma) VALUES (3, 2, 40.0, 2.0)")
    assert first(conn) == "Row 3 of the table ratings is not in the record."


def test_what_is_not_covered_is_there(conn: sqlite3.Connection) -> None:
    there = {row[0] for row in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    there |= {f"{table}.{column}" for table, names in columns(conn).items() for column in names}
    assert there >= NAMED


def test_the_secret_of_an_open_turn_is_covered(conn: sqlite3.Connection) -> None:
    (secret,) = conn.execute("SELECT secret FROM matches WHERE id = 6").fetchone()
    other = secret.replace(secret[:8], "00000000")
    assert secret != other
    conn.execute("UPDATE matches SET secret = ? WHERE id = 6", (other,))
    assert first(conn) == "Row 6 of the table matches is not what the record says."


# What the tables are made of


@pytest.fixture
def whole(office: Office) -> Iterator[sqlite3.Connection]:
    """A copy of the database with its triggers."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        office.store.conn.backup(db)
        db.execute("PRAGMA foreign_keys = OFF")
        yield db


def parts(db: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Name, kind and statement of each table, view, index and trigger that pbem makes."""
    return db.execute(
        """SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> '_sqlite_migrations'
           AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY name"""
    ).fetchall()


def rewrite(db: sqlite3.Connection, name: str, sql: str) -> None:
    """Write another text of a statement into the schema, as a program may that is no friend of the desk."""
    db.execute("PRAGMA writable_schema = ON")
    assert db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name)).rowcount == 1


def test_each_table_view_index_and_trigger_that_is_gone_is_named(whole: sqlite3.Connection) -> None:
    gone = parts(whole)
    for name, kind, _ in gone:
        whole.execute(f"DROP {kind} IF EXISTS {name}")
    assert {*schema_differences(whole)} == {f'The {kind} "{name}" is missing.' for name, kind, _ in gone}


def test_each_statement_with_another_word_is_named(whole: sqlite3.Connection) -> None:
    changed = parts(whole)
    for name, _, sql in changed:
        words = [*re.finditer(r"\w+", re.sub(r"--.*", lambda comment: " " * len(comment[0]), sql))]
        rewrite(whole, name, f"{sql[: words[-1].start()]}x{sql[words[-1].end() :]}")
    assert {*schema_differences(whole)} == {f'The {kind} "{name}" was changed.' for name, kind, _ in changed}


WAYS_TO_WRITE: Mapping[str, Callable[[str], str]] = {
    "without comments": lambda sql: re.sub(r"--.*", "", sql),
    "on one line": lambda sql: " ".join(re.sub(r"--.*", "", sql).split()),
    "with other comments": lambda sql: re.sub(r"(--.*)?\n", "\r\n\t-- ' not a text\n/* nor \" a name */", sql),
    "in capitals": lambda sql: re.sub(
        r"--.*|'[^']*'|\w+", lambda part: part[0] if "'" in part[0] else part[0].upper(), sql
    ),
}


@each("how", WAYS_TO_WRITE)
def test_a_statement_that_is_written_in_another_way_is_the_same(whole: sqlite3.Connection, how: str) -> None:
    with undone(whole):
        for name, _, sql in parts(whole):
            rewrite(whole, name, WAYS_TO_WRITE[how](sql))
        assert [*schema_differences(whole)] == []


@each(
    "old, new",
    [
        ("IN ('kept'", "IN ('KEPT'"),
        ("IN ('kept'", "IN (\"'kept'\""),
        ("CHECK (state IN", "/* CHECK (state IN"),
        ("state TEXT", "state\u00a0TEXT"),  # no space to SQLite
        ("(state IN", "(\u017ftate IN"),  # whose capital letter is an S
        ("STRICT", "STRICT\x00"),
    ],
)
def test_a_statement_that_only_looks_the_same_is_named(whole: sqlite3.Connection, old: str, new: str) -> None:
    (sql,) = (sql for name, _, sql in parts(whole) if name == "letters")
    assert old in sql
    with undone(whole):
        rewrite(whole, "letters", sql.replace(old, new, 1))
        assert [*schema_differences(whole)] == ['The table "letters" was changed.']


REWRITES = "AFTER INSERT ON orders BEGIN UPDATE orders SET canonical = 'Pass' WHERE id = new.id; END"


@each(
    "statement, what",
    [
        (f"CREATE TRIGGER helper {REWRITES}", 'trigger "helper"'),
        (f'CREATE TRIGGER "a\x1b[31m\u202e" {REWRITES}', r'trigger "a\u001b[31m\u202e"'),
        ("CREATE TRIGGER helper AFTER INSERT ON _sqlite_migrations BEGIN SELECT 1; END", 'trigger "helper"'),
        ("CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT UNIQUE)", 'table "notes"'),
        (
            "CREATE TABLE pragma_table_list AS SELECT 'main' schema, 'pragma_table_list' name, 'shadow' type",
            'table "pragma_table_list"',
        ),
        ("CREATE VIRTUAL TABLE notes USING fts5 (note)", 'table "notes"'),
        ("CREATE VIEW winners AS SELECT winner FROM matches", 'view "winners"'),
        ("CREATE INDEX players_by_name ON players (name)", 'index "players_by_name"'),
    ],
)
def test_what_is_not_ours_is_named(whole: sqlite3.Connection, statement: str, what: str) -> None:
    with undone(whole):
        whole.execute(statement)
        assert [*schema_differences(whole)] == [f"The {what} is not one of ours."]


def test_a_trigger_with_a_name_of_sqlites_own_is_named(whole: sqlite3.Connection) -> None:
    whole.execute(f"CREATE TRIGGER helper {REWRITES}")
    rewrite(whole, "helper", f"CREATE TRIGGER sqlite_stat1 {REWRITES}")
    whole.execute("UPDATE sqlite_schema SET name = 'sqlite_stat1' WHERE name = 'helper'")
    assert [*schema_differences(whole)] == ['The trigger "sqlite_stat1" is not one of ours.']


def test_what_sqlite_makes_for_itself_is_ours(whole: sqlite3.Connection) -> None:
    whole.execute("ANALYZE")
    whole.execute("INSERT INTO order_search (order_search) VALUES ('rebuild')")
    whole.execute("VACUUM")
    assert "sqlite_stat1" in {name for name, *_ in parts(whole)}
    assert [*schema_differences(whole)] == []
