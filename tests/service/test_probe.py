"""check-config --probe: which reply addresses reach the mailbox."""

import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

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
    assert done.output.splitlines() == [
        "reply = plus: arrives",
        "reply = catch-all: arrives",
        "reply = none: arrives",
        "Message-ID: kept",
        "References: kept",
        "All is well: the configuration is complete, and mailbox and outgoing mail can be used.",
    ]
    loaded = load_config(config)
    assert poll(loaded, NOON, lambda text: None).lines == []
    outcomes = connect(loaded.database).execute("SELECT outcome FROM letters").fetchall()
    assert len(outcomes) == 3
    assert all(outcome.startswith("automatic") for (outcome,) in outcomes)


@pytest.fixture
def probed(tmp_path: Path, account: Account, sink: Sink) -> Callable[..., Result]:
    """Probe a desk whose provider knows one address only, and changes letters with a regular expression."""

    def probe_it(reply: str, pattern: bytes = b"", instead: bytes = b"") -> Result:
        config = make_desk(tmp_path / "desk")
        (tmp_path / "desk" / "password").write_text(PASSWORD)
        (tmp_path / "desk" / "password").chmod(0o600)
        text = config.read_text().replace("url = maildir:mail/in", f"url = {account.url()}\npassword_file = password")
        text = text.replace("# game_master = ", "game_master = ").replace("reply = plus", f"reply = {reply}")
        config.write_text(text.replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{sink.port}"))
        done = threading.Event()

        def forward() -> None:
            while not done.wait(0.05):
                for kept in [kept for kept in sink.letters if kept.recipient == "gm@example.org"]:
                    sink.letters.remove(kept)
                    account.deliver(re.sub(pattern, instead, kept.raw, count=1) if pattern else kept.raw)

        provider = threading.Thread(target=forward)
        provider.start()
        told = check(config, "--patience", "2")
        done.set()
        provider.join()
        return told

    return probe_it


OWN_ID = rb"Message-ID: <[^>]*>"
SES = b"Message-ID: <0100019a2b3c4d5e-0000@email.amazonses.com>"


def test_a_server_that_replaces_the_message_id_is_told(probed):
    told = probed("none", OWN_ID, SES)
    assert told.exit_code == 0
    assert told.output.splitlines()[2:5] == [
        "reply = none: arrives",
        "Message-ID: replaced by a server",
        "References: kept",
    ]
    assert "Replies are known by References alone" in told.output


def test_where_references_are_lost_too_nothing_is_called_well(probed):
    told = probed("none", rb"(?s)Message-ID: <[^>]*>(.*?)References:\s+<[^>]*>", SES + rb"\1X-Was: nothing")
    assert told.exit_code == 2
    assert "reply = none: arrives" in told.output
    assert "References: changed by a server" in told.output
    assert "reply = none does not work with this mailbox" in told.output
    assert "All is well" not in told.output


def test_a_mailbox_without_plus_addresses_is_told_in_time(probed):
    told = probed("plus")
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
