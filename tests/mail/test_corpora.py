"""Public fixture mails, where they lie beside the checkout: each is read, judged and answered as the desk does it."""

from functools import partial
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.mail import letters
from pbem.mail.authentication import vouched
from pbem.mail.sandbox import Reader
from pbem.orders.reader import may_be_order
from support.hostile import is_clean
from support.paths import SHARED

read = partial(letters.read, is_order=may_be_order)

CORPORA = SHARED / "mail" / "corpora"
MAILS = sorted(path for path in CORPORA.rglob("*") if path.is_file() and path.name != "LICENSE")
BOUNCES = [path for path in MAILS if "flufl" in str(path)]
NO_BOUNCES = ("groupwise_03.txt", "qmail_08.txt")
"""Two of the bounces' folder: a person's letter, and a note that a question was received."""

REPORTS = ("msg_05.txt", "msg_16.txt", "msg_25.txt", "msg_43.txt")
"""Delivery reports among the other mails."""

pytestmark = pytest.mark.skipif(not MAILS, reason="no corpora beside the checkout")


def test_every_mail_is_read_and_judged() -> None:
    reader = Reader(may_be_order)
    for path in MAILS:
        seen = reader.read(path.read_bytes())
        assert is_clean(seen), path
        for authserv_id in ("", "mx.example.org", "com"):
            domain = (seen.sender or "").rpartition("@")[2]
            assert isinstance(vouched(seen.authentication, authserv_id, domain).vouched, bool)
    reader.close()


def test_bounces_are_recognised() -> None:
    seen = {path.name: read(path.read_bytes()) for path in BOUNCES}
    recognised = [name for name, letter in seen.items() if letter.report]
    print(f"{len(recognised)} of {len(seen)} bounces are recognised")
    assert len(recognised) >= 112
    assert set(seen) - set(recognised) <= set(NO_BOUNCES)
    assert {seen[name].report.outcome for name in recognised} == {"failed", "delayed"}


def test_no_other_mail_is_taken_for_a_bounce() -> None:
    taken = {path.name for path in MAILS if path not in BOUNCES and read(path.read_bytes()).report}
    assert taken <= set(REPORTS)


@pytest.mark.parametrize("written", ["by strangers", "by a player"])
def test_no_mail_is_set_aside_and_no_automatic_one_is_answered(written: str, tmp_path: Path) -> None:
    """Each goes to the desk, as it is or as if it answered a letter of ours; first those that are automatic."""
    table = DemoDesk(tmp_path / "desk")
    table.poll()
    answer = table.answer("red", "")
    head = f"To: {answer['To']}\r\nReferences: {answer['References']}\r\n".encode() if written == "by a player" else b""
    mails = {head + path.read_bytes() for path in MAILS}
    automatic = {raw for raw in mails if read(raw).automatic}
    assert len(automatic) > 110
    for raw in automatic:
        table.deliver(raw)
    assert table.poll() == []
    for raw in mails - automatic:
        table.deliver(raw)
    sent = table.poll()  # raises if a letter is set aside
    assert bool(sent) == (written == "by a player")
    states = dict(table.store.conn.execute("SELECT state, count(*) FROM letters GROUP BY state"))
    assert set(states) <= {"handled", "held"}
    assert sum(states.values()) == len(mails)
    table.close()
