"""Servers for tests: each is started once and only if a test asks for it."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.register_assert_rewrite("support")

from hypothesis import HealthCheck, settings

from hatch_build import make_catalogues
from pbem.cli.demo import Table
from pbem.store.database import Store
from support.dovecot import Account, Certificate, Dovecot, needs
from support.sink import Sink


def pytest_configure(config: pytest.Config) -> None:
    """What the build makes is made before the tests, once, and not by each worker."""
    if not hasattr(config, "workerinput"):
        make_catalogues()


# A run of the tests says the same whenever it is made; `./tasks test-long` looks for examples that are new.
settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    max_examples=30,
    deadline=None,  # a busy machine is no mistake
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.fixture(scope="session", autouse=True)
def _databases_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The database of a new desk is a copy of one that was made as ever: its steps take longer than most tests."""
    made = tmp_path_factory.mktemp("made") / "pbem.db"

    class Copied:
        @staticmethod
        def create(path: Path) -> Store:
            if path.exists():
                return Store.create(path)  # which says so
            if not made.exists():
                Store.create(made).conn.close()
            path.touch(mode=0o600)
            path.write_bytes(made.read_bytes())
            return Store(sqlite3.connect(path, isolation_level=None))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.service.desk.Store", Copied)
        yield


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for 127.0.0.1 that nobody trusts unless a test says so."""
    needs("openssl")
    return Certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="session")
def _sink() -> Iterator[Sink]:
    server = Sink()
    yield server
    server.stop()


@pytest.fixture
def sink(_sink: Sink) -> Sink:
    """An SMTP server that keeps letters; empty."""
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


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A desk on Maildirs whose one game has just begun: both invitations are out."""
    table = Table(tmp_path / "desk", datetime(2026, 11, 21, 12, 0, tzinfo=UTC))
    table.poll()
    yield table
    table.close()
