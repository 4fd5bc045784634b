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
from pbem.service.probe import probe
from pbem.service.tick import lock
from pbem.transport.base import TransportError
from support.dovecot import PASSWORD, Account
from support.sink import Sink

UNJUDGED = (
    "your server has judged none of them, as is usual for letters within one provider; write to an address at another"
    " one, and look at the Authentication-Results there."
)
UNSAFE = "replies are known by References alone, which some mail programs drop, so plus or catch-all is safer."
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def check(config: Path, *words: str):
    return CliRunner().invoke(main, ["--config", str(config), "check-config", "--probe", *words])


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("pbem.service.probe.PAUSE", 0.05)


def test_where_every_address_arrives_every_kind_of_reply_works(tmp_path):
    config = make_desk(tmp_path / "desk")
    config.write_text(config.read_text().replace("maildir:mail/out", "maildir:mail/in"))
    done = check(config)
    assert done.output.splitlines() == [
        "reply = plus: arrives; this is the configured kind.",
        "reply = catch-all: arrives; you may use it.",
        "reply = none: arrives; you may use it.",
        "Message-ID: kept; replies show which letter they answer.",
        "References: kept; mail programs keep a game in one thread.",
        "In-Reply-To: kept; mail programs keep a game in one thread.",
        "Folder: the inbox; nothing is to be done.",
        f"SPF, DKIM and DMARC: {UNJUDGED}",
        "Null sender: arrives; receipts and answers, which have it, are delivered.",
        "All is well: the configuration is complete, and mailbox and outgoing mail can be used.",
    ]
    assert done.exit_code == 0


def test_the_letters_of_a_probe_are_removed_and_no_others(tmp_path):
    config = make_desk(tmp_path / "desk")
    config.write_text(config.read_text().replace("maildir:mail/out", "maildir:mail/in"))
    other = tmp_path / "desk" / "mail" / "in" / "new" / "1.other"
    other.write_bytes(b"From: alice@example.net\r\n\r\nHello\r\n")
    check(config)
    assert [path.name for path in (tmp_path / "desk" / "mail" / "in").rglob("*") if path.is_file()] == ["1.other"]


def test_while_a_run_is_at_work_nothing_is_probed(tmp_path):
    config = make_desk(tmp_path / "desk")
    config.write_text(config.read_text().replace("maildir:mail/out", "maildir:mail/in"))
    with lock(tmp_path / "desk" / "pbem.lock"):
        assert "A poll is at work" in check(config).output


@pytest.fixture
def probed(tmp_path: Path, account: Account, sink: Sink) -> Callable[..., Result]:
    """Probe a desk whose provider changes letters with a regular expression, or puts them into a folder. It knows all
    addresses of the domain only if the kind of reply is `catch-all`."""

    def probe_it(reply: str, pattern: bytes = b"", instead: bytes = b"", folder: str = "", lines: str = "") -> Result:
        config = make_desk(tmp_path / "desk")
        config.write_text(config.read_text().replace("@example.org", "@desk.test"))
        (tmp_path / "desk" / "password").write_text(PASSWORD)
        (tmp_path / "desk" / "password").chmod(0o600)
        text = config.read_text().replace("url = maildir:mail/in", f"url = {account.url()}\npassword_file = password")
        text = text.replace("# game_master = ", "game_master = ").replace("reply = plus", f"reply = {reply}")
        text = text.replace("dkim = no", f"dkim = no\n{lines}")
        config.write_text(text.replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{sink.port}"))
        done = threading.Event()

        def forward() -> None:
            while not done.wait(0.05):
                for kept in [kept for kept in sink.letters if kept.recipient == "gm@desk.test" or reply == "catch-all"]:
                    sink.letters.remove(kept)
                    raw = re.sub(pattern, instead, kept.raw, count=1) if pattern else kept.raw
                    account.append(raw, folder=folder) if folder else account.deliver(raw)

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
        "reply = none: arrives; this is the configured kind.",
        f"Message-ID: replaced by a server; {UNSAFE}",
        "References: kept; mail programs keep a game in one thread.",
    ]


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
    assert "reply = none: arrives; you may use it." in told.output
    assert "reply = plus: did not arrive within 2 seconds; set [mailbox] reply to a kind that arrives." in told.output
    assert "reply = plus does not work with this mailbox" in told.output


def test_a_desk_with_a_maildir_on_one_side_only_has_nothing_to_probe(tmp_path):
    config = make_desk(tmp_path / "desk")
    config.write_text(
        config.read_text().replace("url = maildir:mail/in", "url = imap://gm@127.0.0.1:1/INBOX\npassword_env = X")
    )
    with pytest.raises(TransportError, match="nothing to probe"):
        probe(load_config(config), NOON, 0)


# What other servers would believe


def stamped(results: str) -> tuple[bytes, bytes]:
    """A change by which the server that takes our letters in writes what it has found."""
    return rb"\A", b"Authentication-Results: mx.desk.test; " + results.encode() + b"\r\n"


ALIGNED = "spf=pass smtp.mailfrom=gm@desk.test; dkim=pass header.d=desk.test; dmarc=pass header.from=desk.test"
VERDICTS = [
    (
        ALIGNED,
        0,
        "SPF: pass, aligned with desk.test; the records of the domain allow your server",
        "DKIM: pass, aligned with desk.test; letters carry a signature",
        "DMARC: pass, aligned with desk.test; servers believe",
        "Authentication-Results: written by mx.desk.test; with `authserv_id = mx.desk.test` in [mailbox]",
        "Null sender: arrives; receipts and answers",
    ),
    (
        "spf=none smtp.mailfrom=gm@desk.test; dkim=none; dmarc=fail header.from=desk.test",
        1,
        "! SPF: none; no record allows your server to send for the domain: publish one (docs/operating.md",
        "! DKIM: none; no signature of the domain holds: have your provider sign letters",
        "! DMARC: fail; servers may refuse letters or take them for junk: publish a record",
        "! Null sender: arrives, but DMARC does not pass; receipts and answers are not aligned, because only DKIM",
        "pbem: Letters may not arrive: see what is marked with !.",
    ),
    (
        "spf=pass smtp.mailfrom=bounces@mail.example.com; dkim=pass header.d=example.com",
        1,
        "SPF: pass for mail.example.com, not aligned; it counts for nothing, because letters are from desk.test",
        "! DKIM: pass for example.com, not aligned;",
        "DMARC: not judged by your server; nothing can be said about it here.",
    ),
    (
        f"dkim=fail header.d=example.com\r\nAuthentication-Results: mx.desk.test; {ALIGNED}",
        0,
        "DKIM: pass, aligned with desk.test",
        "DMARC: pass, aligned with desk.test",
    ),
    (
        f"none\r\nAuthentication-Results: evil.example.net; {ALIGNED}",
        0,
        "SPF, DKIM and DMARC: your server has judged none of them",
    ),
]


@pytest.mark.parametrize("verdict", VERDICTS, ids=range(len(VERDICTS)))
def test_what_the_server_has_found_is_told_with_what_it_means(probed, verdict):
    results, status, *sentences = verdict
    told = probed("catch-all", *stamped(results))
    assert [one for one in sentences if one not in told.output] == []
    assert told.exit_code == status
    assert ("All is well" in told.output) == (status == 0)


def test_a_name_of_the_server_that_is_wrong_in_the_configuration_is_told(probed):
    told = probed("catch-all", *stamped(ALIGNED), lines="authserv_id = mail.desk.test")
    assert "! Authentication-Results: written by mx.desk.test; correct [mailbox] authserv_id" in told.output
    assert "pass, aligned" not in told.output


def test_letters_in_the_junk_folder_are_told_and_removed_from_there(probed, account):
    told = probed("catch-all", folder="Bulk Mail")
    assert "! Folder: Bulk Mail, and not the inbox; your own server takes our letters for junk" in told.output
    assert told.exit_code == 1
    with account.client("Bulk Mail") as client:
        assert client.search() == []


def test_letters_in_the_inbox_are_removed_from_there(probed, account):
    assert probed("catch-all").exit_code == 0
    with account.client() as client:
        assert client.search() == []


def test_a_server_that_loses_the_null_sender_is_told(probed, sink):
    sink.refuse_null = "550 5.7.1 no empty sender"
    assert "Null sender: arrives" in probed("catch-all").output  # because the desk's own address takes its place
