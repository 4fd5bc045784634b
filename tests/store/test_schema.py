"""What the manual says of the database is what there is, and Datasette shows nothing that is secret."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.store.database import Store
from support.docs import code, page
from support.game_masters import say
from support.paths import ROOT
from support.tables import play

WHOLE = json.loads((ROOT / "docs" / "datasette.json").read_text())
DATASETTE = WHOLE["databases"]["pbem"]


@pytest.fixture(scope="module")
def new(tmp_path_factory) -> Iterator[sqlite3.Connection]:
    """A new database, which is only looked at."""
    with closing(Store.create(tmp_path_factory.mktemp("schema") / "new.db").conn) as db:
        yield db


@pytest.fixture
def kinds(new) -> dict[str, str]:
    """Every table and view of a new database: what it is, by its name."""
    found = new.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name <> 'sqlite_schema'")
    return dict(found.fetchall())


def columns(db: sqlite3.Connection, name: str) -> list[str]:
    return [column for (column,) in db.execute("SELECT name FROM pragma_table_info(?)", (name,))]


def told() -> dict[str, list[str]]:
    """The columns that the manual tells of, by table or view."""
    parts = re.split(r"^### `(\w+)`$", page("docs/database.md"), flags=re.M)[1:]
    return {
        name: code(" ".join(re.findall(r"^- (.*?):", text.partition("\n## ")[0], re.M | re.S)))
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def test_the_manual_tells_of_every_table_and_view_and_of_no_other(kinds):
    assert set(told()) == {
        name for name, kind in kinds.items() if kind != "shadow" and not name.startswith(("_", "sqlite_"))
    }


@pytest.mark.parametrize("name", sorted(told()))
def test_the_manual_tells_of_every_column_and_of_no_other(new, name):
    assert sorted(told()[name]) == sorted(columns(new, name))


def test_datasette_shows_the_views_and_no_table(kinds):
    shown = {name for name, table in DATASETTE["tables"].items() if table.get("allow") is not False}
    assert shown == {name for name, kind in kinds.items() if kind == "view"}
    assert set(DATASETTE["tables"]) == set(kinds)
    assert DATASETTE["allow_sql"] is False
    assert WHOLE["allow"] is WHOLE["allow_sql"] is False, "what the file does not name is shut"


def test_no_view_holds_an_address_a_token_or_orders_that_are_not_revealed(table):
    play(table, "3 A to M", "1 H to S")
    table.write("red", "2 M to W")
    table.poll()
    conn = table.store.conn
    views = [name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
    shown = json.dumps([conn.execute(f"SELECT * FROM {view}").fetchall() for view in views])
    assert "3 A to M" in shown
    assert "2 M to W" not in shown
    assert "@" not in shown
    assert not re.search(r"-[a-z2-7]{16}\b", shown)


def test_the_views_tell_who_plays_and_who_has_won(table):
    play(table)
    say(table, "award oz-1 blue because red has left")

    def first(statement: str) -> tuple[object, ...]:
        return tuple(table.store.conn.execute(statement).fetchone())

    assert first("SELECT name, phase, players, winner FROM games") == (
        "oz-1",
        "finished",
        "blue Bob, red Alice",
        "blue",
    )
    assert first("SELECT games, finished, won FROM people WHERE name = 'Bob'") == (1, 1, 1)
    assert first("SELECT games, finished, won FROM people WHERE name = 'Alice'") == (1, 1, 0)
    assert first("SELECT game, turn, seat, orders, undone FROM turns_played") == ("oz-1", 1, "red", "Pass", None)
    assert first("SELECT kind, game, seat, refused FROM letters_sent") == ("invitation", "oz-1", "red", 0)
    assert first("SELECT game, seat, state FROM letters_received") == ("oz-1", "red", "handled")


SHOWN = ("/pbem.json", "/pbem/games.json", "/pbem/turns_played.json")
SHUT = ("/pbem/letters.json", "/pbem/orders.json", "/pbem/order_search_content.json", "/pbem.json?sql=select+1", "/")


def test_datasette_itself_shows_what_is_open_and_nothing_else(table: DemoDesk):
    addresses = [*SHOWN, *SHUT, "/pbem.db"]
    shown = datasette(table.config.database, *addresses)
    assert [one for one in addresses if one in shown] == [*SHOWN]


def test_datasette_shows_nothing_of_a_database_of_another_name(table: DemoDesk, tmp_path: Path):
    copy = tmp_path / "other.db"
    copy.write_bytes(table.config.database.read_bytes())
    assert datasette(copy, *(one.replace("pbem", "other") for one in SHOWN)) == []


_ASK = """
import asyncio, json, sys
from datasette.app import Datasette
from datasette.version import __version__

async def ask(database, rules, *addresses):
    key = "metadata" if __version__.startswith("0.") else "config"
    server = Datasette([database], **{key: json.load(open(rules))})
    await server.invoke_startup()
    print(json.dumps([one for one in addresses if (await server.client.get(one)).status_code == 200]))

asyncio.run(ask(*sys.argv[1:]))
"""


def datasette(database: Path, *addresses: str) -> list[str]:
    """The pages that Datasette, a process of its own, shows to anybody."""
    command = [sys.executable, "-c", _ASK, database, ROOT / "docs" / "datasette.json", *addresses]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))
