"""check-config --probe: which reply addresses reach the mailbox."""

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.main import main
from pbem.config.config import load_config
from pbem.service.desk import make_desk
from pbem.service.maintenance import probe
from pbem.service.tick import poll
from pbem.store.database import connect
from pbem.transport.base import TransportError
from support.dovecot import PASSWORD, Account
from support.sink import Sink

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def check(config: Path, *words: str):
    return CliRunner().invoke(main, ["--config", str(config), "check-config", "--probe", *words])


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("pbem.service.maintenance.PAUSE", 0.05)


def test_where_every_address_arrives_every_kind_of_reply_works(tmp_path):
    config = make_desk(tmp_path / "desk")
    config.write_text(config.read_text().replace("maildir:mail/out", "maildir:mail/in"))
    done = check(config)
    assert done.exit_code == 0
    assert done.output.splitlines()[1:] == [
        "reply = plus: arrives",
        "reply = catch-all: arrives",
        "reply = none: arrives",
    ]
    loaded = load_config(config)
    assert poll(loaded, NOON, lambda text: None).lines == []
    outcomes = connect(loaded.database).execute("SELECT outcome FROM letters").fetchall()
    assert len(outcomes) == 3
    assert all(outcome.startswith("automatic") for (outcome,) in outcomes)


def test_a_mailbox_without_plus_addresses_is_told_in_time(tmp_path, account: Account, sink: Sink):
    config = make_desk(tmp_path / "desk")
    (tmp_path / "desk" / "password").write_text(PASSWORD)
    (tmp_path / "desk" / "password").chmod(0o600)
    text = config.read_text().replace("url = maildir:mail/in", f"url = {account.url()}\npassword_file = password")
    text = text.replace("# game_master = ", "game_master = ")
    config.write_text(text.replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{sink.port}"))
    done = threading.Event()

    def forward() -> None:
        """The provider: it knows one address only."""
        while not done.wait(0.05):
            for kept in [kept for kept in sink.letters if kept.recipient == "gm@example.org"]:
                sink.letters.remove(kept)
                account.deliver(kept.raw)

    provider = threading.Thread(target=forward)
    provider.start()
    told = check(config, "--patience", "2")
    done.set()
    provider.join()
    assert told.exit_code == 2
    assert "reply = none: arrives" in told.output
    assert "reply = plus: did not arrive within 2 seconds" in told.output
    assert "reply = plus does not work with this mailbox" in told.output


def test_a_desk_with_a_maildir_on_one_side_only_has_nothing_to_probe(tmp_path):
    config = make_desk(tmp_path / "desk")
    config.write_text(
        config.read_text().replace("url = maildir:mail/in", "url = imap://gm@127.0.0.1:1/INBOX\npassword_env = X")
    )
    with pytest.raises(TransportError, match="nothing to probe"):
        probe(load_config(config), NOON, 0)
