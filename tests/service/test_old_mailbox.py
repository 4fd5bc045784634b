"""A desk with a new address: letters to its old one are read, and answered from the new one."""

import re
from contextlib import closing
from datetime import timedelta
from email.message import Message
from email.mime.text import MIMEText
from pathlib import Path

import pytest

from pbem.config.config import load_config
from pbem.store.database import Store, connect
from pbem.store.matches import load_turns
from pbem.transport.maildir import make_maildir
from support.desks import Servers, TestDesk, flat
from support.dovecot import Account, Dovecot
from support.faulty import Proxy
from support.keywordless import Keywordless
from support.sink import Sink

OLD = "games@old.example"


@pytest.fixture
def old(dovecot: Dovecot) -> Account:
    return dovecot.account()


@pytest.fixture
def desk(tmp_path: Path, account: Account, old: Account, sink: Sink) -> TestDesk:
    """A desk with two mailboxes, and its game, of which Red has got an invitation."""
    desk = TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink))
    add_old(desk, old.url())
    desk.new_game()
    desk.quiet_poll()
    return desk


def add_old(desk: TestDesk, url: str, *lines: str) -> None:
    """Write [mailbox.old] into the configuration, in place of one that is there."""
    path = desk.folder / "config.ini"
    secret = "password_file = password" if "@" in url else ""
    section = "\n".join(("[mailbox.old]", f"url = {url}", f"address = {OLD}", secret, *lines))
    path.write_text(f"{path.read_text().partition('[mailbox.old]')[0]}{section}\n")


def to_old(letter: Message) -> bytes:
    """A letter as if it answered one that the desk has written from its old address."""
    letter.replace_header("To", re.sub(r"gm(\+\S+)?@example\.org", r"games\1@old.example", letter["To"]))
    return letter.as_bytes()


def to_red(desk: TestDesk) -> list[Message]:
    return [letter for seat, letter in desk.quiet_poll() if seat == "red"]


def kept(desk: TestDesk) -> list[str]:
    """The mailbox from which each letter came that the desk has stored."""
    with closing(connect(desk.folder / "pbem.db")) as conn:
        return Store(conn).column("SELECT mailbox FROM letters ORDER BY id")


def test_orders_to_the_old_address_count_and_are_answered_from_the_new_one(desk: TestDesk, old: Account) -> None:
    old.append(to_old(desk.answer("red", "3 A to M")))
    (receipt,) = to_red(desk)
    assert "receipt 1-1. 3 A to M" in flat(receipt)
    assert (receipt["From"], OLD in receipt.as_string()) == ("Game Desk <gm@example.org>", False)
    assert old.flags() == [{b"$PbemHandled", rb"\Seen"}]
    assert desk.quiet_poll() == []
    assert kept(desk) == ["old"]


def test_what_has_no_token_is_answered_there_too(desk: TestDesk, old: Account) -> None:
    letter = MIMEText("status")
    letter["From"], letter["To"], letter["Message-ID"] = "Alice <alice@example.net>", OLD, "<1@alice.test>"
    old.append(letter.as_bytes())
    assert len(to_red(desk)) == 1


def test_orders_in_both_count_in_the_order_in_which_they_came(desk: TestDesk, account: Account, old: Account) -> None:
    first, second, third = (desk.answer("red", text) for text in ("3 A to M", "2 A to AC", "3 M to S"))
    old.append(to_old(first), at=desk.now)
    account.append(second.as_bytes(), at=desk.now + timedelta(seconds=10))
    old.append(to_old(third), at=desk.now + timedelta(seconds=20))
    told = [flat(letter) for letter in to_red(desk)]
    assert "receipt 1-3, which replaces receipt 1-2. 3 M to S" in told[-1]
    assert kept(desk) == ["old", "", "old"]


def test_a_letter_that_came_to_both_counts_once(desk: TestDesk, account: Account, old: Account) -> None:
    letter = desk.answer("red", "3 A to M").as_bytes()
    old.append(letter)
    account.append(letter)
    assert len(to_red(desk)) == 1
    assert old.flags() == account.flags() == [{b"$PbemHandled", rb"\Seen"}]


def test_orders_in_the_junk_folder_of_the_old_mailbox_count(desk: TestDesk, old: Account) -> None:
    old.append(to_old(desk.answer("red", "3 A to M")), folder="Bulk Mail")
    assert "receipt 1-1" in flat(to_red(desk)[0])
    assert desk.quiet_poll() == []


def test_trouble_with_the_old_mailbox_is_told_once_and_holds_nothing_up(desk: TestDesk, account: Account) -> None:
    add_old(desk, "imap://games@127.0.0.1:1/INBOX")
    account.append(desk.answer("red", "3 A to M").as_bytes())
    told = desk.poll()
    assert told.status == 1
    assert told.lines[0].startswith("pbem: The old mailbox is not read to its end: ")
    assert "receipt 1-1" in flat(desk.read()[0][1])
    assert desk.poll() == (1, [])
    assert "no run has read the mailbox" not in "".join(desk.run("doctor").lines)
    assert desk.run("check-config").lines[0].startswith("pbem: The IMAP server 127.0.0.1:1 cannot be reached")


@pytest.mark.parametrize("word", ["FETCH", "STORE"])
def test_a_line_to_the_old_mailbox_that_breaks_loses_nothing(desk: TestDesk, old: Account, word: str) -> None:
    old.append(to_old(desk.answer("red", "3 A to M")))
    with Proxy(old.server.imap, "close", at=rf"\S+ UID {word}") as proxy:
        add_old(desk, old.url().replace(str(old.server.imap), str(proxy.port)))
        assert "The old mailbox is not read to its end: " in desk.poll().lines[0]
        proxy.mend()
        assert desk.poll().lines[0].startswith("pbem: The trouble with the mailbox `old`, which began at")
    assert len([seat for seat, letter in desk.read() if seat == "red"]) == 1
    assert kept(desk) == ["old"]


def test_a_password_that_is_missing_there_holds_nothing_up(desk: TestDesk, account: Account) -> None:
    path = desk.folder / "config.ini"
    before, section, after = path.read_text().partition("[mailbox.old]")
    path.write_text(before + section + after.replace("password_file = password", "password_file = gone"))
    account.append(desk.answer("red", "3 A to M").as_bytes())
    assert "[mailbox.old] password_file: " in desk.poll().lines[0]
    assert "receipt 1-1" in flat(desk.read()[0][1])


def test_the_desk_moves_from_one_mailbox_to_another_and_back_to_one(
    tmp_path: Path, account: Account, old: Account, sink: Sink
) -> None:
    desk = TestDesk(tmp_path / "desk", lambda folder: Servers(old, sink))
    desk.new_game()
    desk.quiet_poll()
    old.append(desk.answer("red", "3 A to M").as_bytes())
    assert len(to_red(desk)) == 1
    desk.post = Servers(account, sink)
    desk.configure()
    add_old(desk, old.url())
    assert desk.quiet_poll() == []
    old.append(to_old(desk.answer("red", "2 A to AC")))
    assert "receipt 1-2" in flat(to_red(desk)[0])
    desk.configure()  # the old mailbox is shut down
    account.append(desk.answer("red", "3 M to S").as_bytes())
    assert "receipt 1-3" in flat(to_red(desk)[0])
    assert desk.quiet_poll() == []


def test_after_a_restore_letters_of_the_old_mailbox_are_read_again(
    desk: TestDesk, account: Account, old: Account
) -> None:
    backup = desk.folder / "../backup.db"
    assert desk.run("backup", str(backup)).status == 0
    for turn, orders in enumerate(("3 A to M", "3 M to S"), start=1):
        at = desk.now + timedelta(minutes=turn)
        account.append(desk.answer("blue", "Pass").as_bytes(), at=at)
        old.append(to_old(desk.answer("red", orders)), at=at)
        assert f"Turn {turn} has been played" in flat(to_red(desk)[-1])
    assert desk.run("restore", str(backup), "--replace").status == 0
    assert "was put back" in "".join(desk.poll().lines)
    with closing(connect(desk.folder / "pbem.db")) as conn:
        first, second = load_turns(Store(conn), 1)
    assert "3 A to M" in str(first)
    assert "3 M to S" in str(second)


def test_a_server_that_keeps_no_keywords_gives_each_letter_once(desk: TestDesk) -> None:
    with Keywordless() as server:
        add_old(desk, f"imap://gm@127.0.0.1:{server.port}")
        server.append(to_old(desk.answer("red", "3 A to M")))
        assert len(to_red(desk)) == 1
        assert desk.quiet_poll() == []


def test_the_verdict_of_a_server_counts_in_its_own_mailbox_alone(
    desk: TestDesk, account: Account, old: Account
) -> None:
    path = desk.folder / "config.ini"
    path.write_text(path.read_text().replace("reply = plus", "reply = plus\nauthserv_id = mx.new.example"))
    path.write_text(path.read_text().replace("cooling_off = 0", "cooling_off = 0\ntrust = signed"))
    add_old(desk, old.url(), "authserv_id = mx.old.example")
    for number, (place, server, counts) in enumerate(
        (
            (old, "mx.new.example", False),
            (account, "mx.old.example", False),
            (account, "mx.new.example", True),
            (old, "mx.old.example", True),
        )
    ):
        letter = desk.answer("red", "3 A to M" if number % 2 else "2 A to AC")
        letter["Authentication-Results"] = f"{server}; dkim=pass header.d=example.net"
        place.append(letter.as_bytes())
        assert any("receipt" in flat(answer) for answer in to_red(desk)) == counts, (number, server)


def test_the_old_mailbox_may_be_a_maildir(tmp_path: Path) -> None:
    desk = TestDesk(tmp_path / "desk")
    make_maildir(desk.folder / "mail/old")
    add_old(desk, "maildir:mail/old")
    desk.new_game()
    desk.quiet_poll()
    (desk.folder / "mail/old/new/1795262400.Q1.test").write_bytes(to_old(desk.answer("red", "3 A to M")))
    assert "receipt 1-1. 3 A to M" in flat(to_red(desk)[0])
    assert [path.name for path in (desk.folder / "mail/old/.Handled/cur").iterdir()] == ["1795262400.Q1.test:2,S"]
    assert desk.quiet_poll() == []


def test_the_old_address_is_the_desks_own(desk: TestDesk) -> None:
    told = desk.run("game", "new", "--red", f"Alice <{OLD}>", "--blue", "Bob <bob@example.com>")
    assert told.status == 2
    assert "has the desk's own address" in told.lines[0]


def test_letters_that_a_desk_must_forget_are_removed_from_both(desk: TestDesk, old: Account) -> None:
    old.append(to_old(desk.answer("red", "3 A to M")))
    to_red(desk)
    config = load_config(desk.folder / "config.ini")
    with closing(connect(config.database)) as conn:
        store = Store(conn)
        with store.transaction():
            conn.execute("UPDATE letters SET raw = NULL, sender = NULL")
            conn.execute("INSERT INTO removals SELECT id, '' FROM letters")
    desk.poll()
    assert old.flags() == []
