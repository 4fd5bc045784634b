"""A poll with nothing to do starts every few minutes, all year: it imports nothing that it does not need."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from support.desks import Folders, Servers, TestDesk

HEAVY = (
    *("lark.", "jinja2.", "lxml.", "sqlite_utils.", "email.mime.", "tomllib."),
    *("pbem.games.", "pbem.match.receive.", "pbem.render.letters.", "pbem.mail.letters.", "pbem.i18n."),
    *("pbem.store.backup.", "hashlib.", "pbem.service.opponent.", "pbem.lab.", "distributed.", "matplotlib."),
)
PROGRAM = """
import sys
from pbem.cli.main import main
try:
    main()
finally:
    print(*sys.modules)
"""


def imported_by_poll(desk: TestDesk, now: str = "2026-11-21T13:00Z") -> set[str]:
    """What a run of its own has imported at its end."""
    options = ("--config", desk.folder / "config.ini", "--now", now)
    command = [sys.executable, "-c", PROGRAM, *options, "poll"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.split())


def heavy(modules: set[str]) -> set[str]:
    return {module for module in modules if f"{module}.".startswith(HEAVY)}


@pytest.fixture
def desk(tmp_path: Path) -> TestDesk:
    """A desk with a running game, on folders."""
    return waiting(TestDesk(tmp_path / "desk"))


def waiting(desk: TestDesk) -> TestDesk:
    desk.new_game()
    desk.quiet_poll()
    return desk


def test_a_run_with_nothing_to_do_imports_no_game_and_no_heavy_library(desk):
    modules = imported_by_poll(desk)
    assert "pbem.service.tick" in modules
    assert heavy(modules) == set()
    assert not modules & {"imapclient", "smtplib", "ssl", "pbem.service.desk", "zoneinfo"}


def test_a_run_with_nothing_to_do_on_imap_imports_imapclient_besides(tmp_path, account, sink):
    modules = imported_by_poll(waiting(TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink))))
    assert "imapclient" in modules
    assert heavy(modules) == set()
    assert not modules & {"smtplib", "pbem.service.desk", "zoneinfo"}


def test_a_run_with_a_letter_to_answer_does_import_them(desk):
    """Else the tests above could not fail."""
    desk.write("red", "Pass")
    assert isinstance(desk.post, Folders)
    imported = heavy(imported_by_poll(desk))
    assert {"pbem.match.receive", "pbem.games", "pbem.render.letters", "lark"} <= imported
    assert "lxml" not in imported


def test_the_first_run_of_a_day_reads_no_words_that_people_have_for_days_and_hours(desk):
    with closing(sqlite3.connect(desk.folder / "pbem.db", isolation_level=None)) as database:
        changed = database.execute("UPDATE matches SET deadline = replace(deadline, 'UTC', 'Europe/Berlin')")
        assert changed.rowcount == 1
    assert "pbem.service.desk" in imported_by_poll(desk, "2026-11-22T00:05Z")  # the deadline is another one
    imported_by_poll(desk, "2026-11-22T18:05Z")  # the game master hears what has happened
    modules = imported_by_poll(desk, "2026-11-23T00:05Z")
    assert {"pbem.store.waiting", "zoneinfo"} <= modules
    assert heavy(modules) == set()
    assert not modules & {"pbem.times.dates"}


def test_orders_are_answered_without_what_only_commands_and_strangers_need(desk):
    desk.write("red", "3 A to M")
    modules = imported_by_poll(desk)
    assert "pbem.match.receive" in modules
    seldom = "persons obey gm_commands player_commands seat_commands consent press answers"
    assert not modules & {f"pbem.match.{name}" for name in seldom.split()}
    assert not modules & {"difflib", "pbem.orders.newcomers", "pbem.times.dates"}
