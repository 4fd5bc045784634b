"""A poll with nothing to do starts every few minutes, all year: it imports nothing that it does not need."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.desks import Folders, Servers, TestDesk

HEAVY = (
    *("lark.", "jinja2.", "lxml.", "sqlite_utils.", "email.mime.", "tomllib."),
    *("pbem.games.", "pbem.match.receive.", "pbem.render.letters.", "pbem.mail.letters.", "pbem.i18n."),
    *("pbem.store.backup.", "hashlib."),
)
PROGRAM = """
import sys
from pbem.cli.main import main
try:
    main()
finally:
    print(*sys.modules)
"""


def imported_by_poll(desk: TestDesk) -> set[str]:
    """What a run of its own has imported at its end."""
    options = ("--config", desk.folder / "config.ini", "--now", "2026-11-21T13:00Z")
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
    assert {"pbem.match.receive", "pbem.games", "pbem.render.letters"} <= imported
    assert not imported & {"lark", "jinja2", "lxml", "tomllib"}  # what they would do was done by the build
