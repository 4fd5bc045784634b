"""Fixtures for all tests. Each server is started only once, and only if a test asks for it."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from copy import copy
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.register_assert_rewrite("support")

from hypothesis import HealthCheck, settings

from hatch_build import make_catalogues
from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config
from pbem.render.images import Images
from pbem.store.database import Store, connect
from support.desks import Servers, TestDesk, with_login
from support.dovecot import Account, Certificate, Dovecot, needs
from support.paths import EXAMPLE, ram_disk
from support.sink import Sink

if ram := ram_disk():
    os.environ.setdefault("TMPDIR", str(ram))  # for workers and for programs that tests start, too
    tempfile.tempdir = None  # pytest has made a temporary file before, and pytest's folders are made later


def pytest_configure(config: pytest.Config) -> None:
    """Generate the build's files once before the tests, instead of in each worker."""
    if not hasattr(config, "workerinput"):
        make_catalogues(*EXAMPLE.rglob("*.po"))


# Every run of the tests has the same examples; `./tasks test-long` looks for new ones. A busy machine fails no test.
settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "repeatable", settings.get_profile("searching"), derandomize=True, database=None, max_examples=30
)


@pytest.fixture(scope="session", autouse=True)
def _databases_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Copy the database of a new desk from one created in the usual way, because creating it takes longer than most
    tests."""
    made = tmp_path_factory.mktemp("made") / "pbem.db"

    class Copied:
        @staticmethod
        def create(path: Path) -> Store:
            if path.exists():
                return Store.create(path)  # it raises the error
            if not made.exists():
                Store.create(made).conn.close()
            path.touch(mode=0o600)
            path.write_bytes(made.read_bytes())
            return Store(sqlite3.connect(path, isolation_level=None))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.service.desk.Store", Copied)
        yield


_DRAWN = Images.of


@pytest.fixture(scope="session", autouse=True)
def _images_not_drawn() -> Iterator[None]:
    """Send letters without images, because drawing an image takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Images, "of", lambda images, svg: None)
        yield


@pytest.fixture
def images(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send letters with the images that every desk draws."""
    monkeypatch.setattr(Images, "of", _DRAWN)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for 127.0.0.1 that nothing trusts unless a test says so."""
    needs("openssl")
    return Certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory, certificate: Certificate) -> dict[str, Certificate]:
    """Certificates that nobody may trust, by what is wrong with them."""
    folder = tmp_path_factory.mktemp("certificates")
    return {
        "self-signed certificate": certificate,
        "certificate has expired": Certificate(folder / "expired", expired=True),
        "IP address mismatch": Certificate(folder / "another", names="DNS:mail.example.org"),
    }


@pytest.fixture(scope="session")
def _sink() -> Iterator[Sink]:
    server = Sink()
    yield server
    server.stop()


@pytest.fixture
def sink(_sink: Sink) -> Sink:
    """An empty SMTP server that keeps letters."""
    _sink.reset()
    return _sink


@pytest.fixture(scope="session")
def dovecot(_sink: Sink, certificate: Certificate) -> Iterator[Dovecot]:
    """A Dovecot whose submission service sends to `sink`."""
    needs("dovecot")
    server = Dovecot(_sink.port, certificate)
    yield server
    server.stop()


@pytest.fixture
def account(dovecot: Dovecot) -> Account:
    """A user of Dovecot with an empty mailbox."""
    return dovecot.account()


@pytest.fixture(scope="module")
def _login_sink() -> Iterator[Sink]:
    server = Sink(login=True)
    yield server
    server.stop()


@pytest.fixture
def login_desk(tmp_path: Path, account: Account, _login_sink: Sink) -> TestDesk:
    """A desk on servers that want a login, its game's invitations read."""
    _login_sink.reset()
    servers = Servers(account, _login_sink)
    servers.outgoing = with_login(_login_sink.port)
    desk = TestDesk(tmp_path / "desk", lambda folder: servers)
    desk.new_game()
    desk.quiet_poll()
    return desk


@pytest.fixture(scope="session")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> DemoDesk:
    """The table that each `desk_table` copies, because starting a game takes longer than most tests."""
    table = DemoDesk(tmp_path_factory.mktemp("begun") / "desk", datetime(2026, 11, 21, 12, 0, tzinfo=UTC))
    table.poll()
    table.close()
    return table


@pytest.fixture
def desk_table(tmp_path: Path, _begun: DemoDesk) -> Iterator[DemoDesk]:
    """A desk on Maildirs with one game that has just begun: both invitations have been sent."""
    table = copy(_begun)
    folder = shutil.copytree(_begun.config.path.parent, tmp_path / "desk")
    table.config, table.last = load_config(folder / "config.ini"), dict(_begun.last)
    table.store = Store(connect(table.config.database))
    yield table
    table.close()


@pytest.fixture
def table(desk_table: DemoDesk) -> DemoDesk:
    """The same as `desk_table`; tests of the core have a table in memory instead."""
    return desk_table
