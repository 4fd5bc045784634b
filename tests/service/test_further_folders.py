"""Letters to a desk that a filter took for junk: those with a valid token count, and nothing else is touched."""

import re
from contextlib import closing
from datetime import timedelta
from email.mime.text import MIMEText
from pathlib import Path

import pytest

from pbem.store.database import Store, connect
from pbem.store.matches import load_turns
from pbem.transport.maildir import make_maildir
from support.desks import Servers, TestDesk, flat
from support.dovecot import Account
from support.posting import without_ports
from support.sink import Sink

JUNK = "Bulk Mail"


@pytest.fixture
def desk(tmp_path: Path, account: Account, sink: Sink) -> TestDesk:
    """A desk on servers, and its game, of which Red has got an invitation."""
    desk = TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink))
    desk.new_game()
    desk.quiet_poll()
    return desk


def to_red(desk: TestDesk) -> list[str]:
    """Run the desk; return its letters to Red."""
    return [flat(letter) for seat, letter in desk.quiet_poll() if seat == "red"]


def flags(account: Account) -> list[set[bytes]]:
    with account.client(JUNK) as client:
        return [set(one) - {rb"\Recent"} for one in client.get_flags(client.search()).values()]


def kept(desk: TestDesk) -> int:
    """How many letters the desk has stored."""
    with closing(connect(desk.folder / "pbem.db")) as conn:
        return int(Store(conn).value("SELECT count(*) FROM letters"))


def test_orders_in_the_folder_for_junk_are_no_missed_turn(desk: TestDesk, account: Account) -> None:
    account.append(desk.answer("red", "3 A to M").as_bytes(), folder=JUNK)
    assert "receipt 1-1. 3 A to M" in to_red(desk)[0]
    assert flags(account) == [{b"$PbemHandled", rb"\Seen"}]
    assert desk.quiet_poll() == []


def test_what_has_no_token_or_a_false_one_stays_there_as_it_is(desk: TestDesk, account: Account) -> None:
    forged = desk.answer("red", "resign")
    for name in ("To", "In-Reply-To", "References"):
        forged.replace_header(name, re.sub(r"(-red-\d-)[a-z2-7]{16}", r"\1aaaaaaaaaaaaaaaa", forged[name]))
    anew, stranger = MIMEText("status"), MIMEText("join")
    anew["From"], stranger["From"] = "Alice <alice@example.net>", "Sue <sue@example.org>"
    anew["To"] = stranger["To"] = "gm@example.org"
    account.append(*[letter.as_bytes() for letter in (forged, anew, stranger)], folder=JUNK)
    assert desk.quiet_poll() == []
    assert kept(desk) == 0
    assert flags(account) == [set(), set(), set()]


def test_a_token_from_another_address_is_held_as_in_the_inbox(desk: TestDesk, account: Account) -> None:
    letter = desk.answer("red", "3 A to M")
    letter.replace_header("From", "Eve <eve@evil.example>")
    account.append(letter.as_bytes(), folder=JUNK)
    assert "eve@evil.example" in to_red(desk)[0]


def test_orders_in_both_folders_count_in_the_order_in_which_they_came(desk: TestDesk, account: Account) -> None:
    account.append(desk.answer("red", "3 A to M").as_bytes(), folder=JUNK)
    account.append(desk.answer("red", "2 A to AC").as_bytes())
    assert "which replaces receipt 1-1. 2 A to AC" in to_red(desk)[1]


def test_a_letter_that_is_moved_to_the_inbox_later_is_not_handled_twice(desk: TestDesk, account: Account) -> None:
    account.append(desk.answer("red", "3 A to M").as_bytes(), folder=JUNK)
    desk.quiet_poll()
    with account.client(JUNK) as client:
        client.move(client.search(), "INBOX")
    assert desk.quiet_poll() == []
    assert kept(desk) == 1


def test_a_configured_folder_that_is_missing_is_told_once_and_by_check_config(desk: TestDesk, account: Account) -> None:
    config = desk.folder / "config.ini"
    config.write_text(config.read_text().replace("reply = plus", "reply = plus\nfolders = Old games, Spam"))
    account.append(desk.answer("red", "3 A to M").as_bytes(), folder="Old games")
    told = desk.poll()
    missing = "The IMAP server 127.0.0.1 has no folder Spam: mend `folders` in config.ini."
    assert [without_ports(line) for line in told.lines] == [f"pbem: A further folder is not read: {missing}"]
    assert "receipt 1-1. 3 A to M" in flat(desk.read()[0][1])
    assert desk.poll().lines == []
    assert "has no folder Spam" in desk.run("check-config").lines[0]


def test_after_a_restore_letters_in_the_folder_for_junk_are_read_again_in_order(
    desk: TestDesk, account: Account
) -> None:
    backup = desk.folder / "../backup.db"
    assert desk.run("backup", str(backup)).status == 0
    for turn, orders in enumerate(("3 A to M", "3 M to S"), start=1):
        at = desk.now + timedelta(minutes=turn)  # servers count in seconds, in which both turns may be played
        account.append(desk.answer("blue", "Pass").as_bytes(), at=at)
        account.append(desk.answer("red", orders).as_bytes(), folder=JUNK, at=at)
        assert f"Turn {turn} has been played" in to_red(desk)[-1]
    assert desk.run("restore", str(backup), "--replace").status == 0
    assert "was put back" in "".join(desk.poll().lines)
    assert "turn 3" in [flat(letter) for seat, letter in desk.read() if seat == "red"][-1]
    with closing(connect(desk.folder / "pbem.db")) as conn:
        first, second = load_turns(Store(conn), 1)
    assert "3 A to M" in str(first)
    assert "3 M to S" in str(second)


def test_a_maildir_may_have_a_folder_for_junk(tmp_path: Path) -> None:
    desk = TestDesk(tmp_path / "desk")
    desk.new_game()
    desk.quiet_poll()
    junk = tmp_path / "desk/mail/in/.Junk"
    make_maildir(junk)
    (junk / "new/1795262400.Q1.test").write_bytes(desk.answer("red", "3 A to M").as_bytes())
    (junk / "new/1795262400.Q2.test").write_bytes(b"From: spam@example.org\r\n\r\nbuy\r\n")
    assert "receipt 1-1. 3 A to M" in to_red(desk)[0]
    assert [path.name for path in (junk / "new").iterdir()] == ["1795262400.Q2.test"]
    assert desk.quiet_poll() == []
