"""What tests of the core play at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.demo import Table
from pbem.store.database import connect
from support.cores import Core


@pytest.fixture(scope="session")
def _database(_begun: Table) -> bytes:
    """The database of each `table`."""
    conn = connect(_begun.config.database)
    conn.execute("PRAGMA journal_mode = DELETE")  # one in memory has no second file
    database = conn.serialize()
    conn.close()
    return database


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path, _begun: Table, _database: bytes) -> Iterator[Table]:
    """A game that has just begun, in memory: both invitations are out. A test that uses `desk_table`, since it is about
    more of a desk than what it decides, gets that."""
    if "desk_table" in request.fixturenames:
        yield request.getfixturevalue("desk_table")
        return
    core = Core(_begun, _database, tmp_path)
    yield core
    core.close()
