"""The tables of the tests of the core."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.store.database import connect
from support.cores import Core
from support.players import Players, beginning


@pytest.fixture(scope="session")
def _database(tmp_path_factory: pytest.TempPathFactory, _begun: DemoDesk) -> bytes:
    """The database that each `table` copies."""
    conn = connect(shutil.copy(_begun.config.database, tmp_path_factory.mktemp("core") / "pbem.db"))
    conn.execute("PRAGMA journal_mode = DELETE")  # a database in memory has no second file
    database = conn.serialize()
    conn.close()
    return database


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path, _begun: DemoDesk, _database: bytes) -> Iterator[DemoDesk]:
    """A game that has just begun, in memory: both invitations have been sent. Tests that use `desk_table`, because they
    are about more of a desk than its decisions, get that instead."""
    if "desk_table" in request.fixturenames:
        yield request.getfixturevalue("desk_table")
        return
    core = Core(_begun, _database, tmp_path)
    yield core
    core.close()


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Players]]:
    """A game of any kind, on other terms; `options` are those of the game."""
    with beginning(tmp_path / "desk") as begin:
        yield begin
