"""The oldest SQLite that the README names does all that a desk asks of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.store.database import OLDEST_SQLITE
from support.docs import page
from support.paths import TESTS

OLDEST = Path(sys.prefix) / "oldest-sqlite"
"""Where `./tasks test-long` puts it."""

WHAT = ("store", "cli/test_data.py", "service/test_tick.py", "service/test_doctor.py", "service/test_league_rounds.py")
"""Tests of all that asks SQLite for something: wishes, draws, leagues, people who are forgotten, copies."""

RUN = """
import functools, sys
import pysqlite3, pysqlite3.dbapi2
from sqlite3.dump import _iterdump

class Connection(pysqlite3.Connection):
    iterdump = _iterdump  # which pysqlite3 lacks

    def execute(self, statement, *values):
        usual = self.isolation_level
        if usual is None or self.in_transaction or not statement.startswith("PRAGMA"):
            return super().execute(statement, *values)
        self.isolation_level = None  # a PRAGMA begins no transaction in Python's own sqlite3
        try:
            return super().execute(statement, *values)
        finally:
            self.isolation_level = usual

connect = functools.partial(pysqlite3.connect, factory=Connection)
pysqlite3.connect = pysqlite3.dbapi2.connect = connect
sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, pysqlite3.dbapi2
import pytest
print(pysqlite3.sqlite_version)
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_the_readme_and_the_operators_manual_name_the_oldest_sqlite():
    needed = f"SQLite {'.'.join(map(str, OLDEST_SQLITE))} or newer"
    for name in ("README.md", "docs/operating.md"):
        assert needed in " ".join(page(name).split())


def test_an_older_sqlite_is_refused_in_a_sentence(table, monkeypatch):
    import sqlite3

    from pbem.store.database import StoreError, connect

    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 39, 3))
    with pytest.raises(StoreError, match=r"pbem needs 3\.39\.4 or newer: use another Python\."):
        connect(table.config.database)


@pytest.mark.long
@pytest.mark.skipif(not OLDEST.exists(), reason="no wheel of the oldest SQLite for this Python")
def test_a_desk_works_with_the_oldest_sqlite():
    """A table of its own: what is said of a database that is damaged differs from version to version."""
    path = os.pathsep.join(filter(None, (str(OLDEST), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-c", RUN, "-n", "0", *(str(TESTS / one) for one in WHAT)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith(".".join(map(str, OLDEST_SQLITE))), done.stderr
    assert done.returncode == 0, done.stdout[-5_000:]
