"""What every mailbox and every way out promise, and what a Maildir has to cope with."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.config.config import Config
from pbem.transport.base import BATCH, MAX_LETTER
from pbem.transport.maildir import make_maildir
from pbem.transport.open import open_mailbox, open_outgoing
from support.dovecot import Account
from support.posting import desk, fetch, letter, raws, remove, send, trouble
from support.sink import Sink

# What every mailbox promises


class Post(NamedTuple):
    """A mailbox and how letters get into it."""

    config: Config
    deliver: Callable[..., None]


@pytest.fixture(params=["maildir", "dovecot"])
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Post:
    if request.param == "dovecot":
        account: Account = request.getfixturevalue("account")
        return Post(desk(tmp_path, account.url()), account.append)
    make_maildir(tmp_path / "in")

    def deliver(*letters: bytes) -> None:
        for raw in letters:
            number = sum(1 for _ in tmp_path.glob("in/**/*.host*"))
            (tmp_path / f"in/new/1795000000.M{number}P7Q{number}.host").write_bytes(raw)

    return Post(desk(tmp_path), deliver)


def test_letters_come_byte_for_byte_in_order_of_arrival(post: Post) -> None:
    sent = [letter(number) for number in range(12)]
    post.deliver(*sent)
    letters, _ = fetch(post.config)
    assert raws(letters) == sent
    assert [one.size for one in letters] == [len(raw) for raw in sent]
    assert [one.when for one in letters] == sorted(one.when for one in letters)
    assert all(one.when.tzinfo is UTC for one in letters)


def test_an_empty_mailbox_has_no_letters(post: Post) -> None:
    letters, mark = fetch(post.config)
    assert not letters
    assert fetch(post.config, mark) == ([], mark)


def test_many_letters_come_in_batches_and_a_run_that_is_cut_short_is_gone_on_with(post: Post) -> None:
    sent = [letter(number) for number in range(BATCH * 2 + 3)]
    post.deliver(*sent)
    with open_mailbox(post.config) as mailbox:
        batch = next(iter(mailbox.fetch("")))
        mailbox.handled([one.key for one in batch.letters])
    assert raws(list(batch.letters)) == sent[:BATCH]
    assert raws(fetch(post.config, batch.mark)[0]) == sent[BATCH:]


def test_a_handled_letter_does_not_come_again_even_if_the_mark_is_lost(post: Post) -> None:
    post.deliver(letter(1), letter(2))
    _, mark = fetch(post.config, handle=True)
    assert not fetch(post.config, mark)[0]
    assert not fetch(post.config, "")[0]
    post.deliver(letter(3))
    assert raws(fetch(post.config, mark)[0]) == [letter(3)]
    assert raws(fetch(post.config, "")[0]) == [letter(3)]


def test_a_letter_that_was_fetched_but_not_kept_comes_again(post: Post) -> None:
    _, mark = fetch(post.config, handle=True)
    post.deliver(letter())
    assert raws(fetch(post.config, mark)[0]) == [letter()]
    assert raws(fetch(post.config, mark)[0]) == [letter()]


def test_of_a_long_letter_only_the_beginning_is_fetched(post: Post) -> None:
    long = letter(body="x" * 70 + "\r\n" + "y" * MAX_LETTER)
    post.deliver(long, letter(2))
    letters, _ = fetch(post.config)
    assert raws(letters) == [long[:MAX_LETTER], letter(2)]
    assert letters[0].size == len(long)


def test_marking_a_letter_twice_or_one_that_has_gone_is_no_trouble(post: Post) -> None:
    post.deliver(letter())
    with open_mailbox(post.config) as mailbox:
        ((one,),) = [batch.letters for batch in mailbox.fetch("") if batch.letters]
        mailbox.handled([one.key, one.key])
        mailbox.handled([one.key])
        mailbox.handled([])


# Letters that go for good


def test_letters_are_removed_handled_or_not_and_nothing_else_is(post: Post) -> None:
    alike = letter(1, "3 A to N")  # as long, and not the same
    post.deliver(letter(1), letter(2))
    _, mark = fetch(post.config, handle=True)
    post.deliver(alike, letter(3), letter(4))
    remove(post.config, letter(1), letter(3))
    assert raws(fetch(post.config, mark)[0]) == [alike, letter(4)]
    with open_mailbox(post.config) as mailbox:
        mailbox.again(datetime.fromtimestamp(0, UTC))
        assert raws([one for batch in mailbox.fetch("") for one in batch.letters]) == [letter(2), alike, letter(4)]


def test_a_letter_that_is_there_twice_goes_twice_and_one_that_is_gone_is_no_trouble(post: Post) -> None:
    post.deliver(letter(1), letter(2), letter(1))
    remove(post.config, letter(1))
    remove(post.config, letter(1), letter(3))
    remove(post.config)
    assert raws(fetch(post.config)[0]) == [letter(2)]


def test_a_long_letter_of_which_the_beginning_is_known_is_removed(post: Post) -> None:
    long = letter(body="x" * 70 + "\r\n" + "y" * MAX_LETTER)
    post.deliver(letter(2), long)
    remove(post.config, long)
    assert raws(fetch(post.config)[0]) == [letter(2)]


# What every way out promises


class Way(NamedTuple):
    """A way out and what came out of it."""

    config: Config
    arrived: Callable[[], list[bytes]]


@pytest.fixture(params=["maildir", "smtp", "submission"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Way:
    if request.param == "maildir":
        new = tmp_path / "out/new"
        return Way(maildir(tmp_path), lambda: [path.read_bytes() for path in sorted(new.iterdir())])
    sink: Sink = request.getfixturevalue("sink")
    url = f"smtp://127.0.0.1:{sink.port}"
    if request.param == "submission":
        url = request.getfixturevalue("account").submission_url()
    return Way(desk(tmp_path, outgoing=url), lambda: [kept.raw for kept in sink.letters])


def test_letters_go_out_byte_for_byte_in_order(way: Way) -> None:
    letters = [letter(1), letter(2, "a line\r\n.\r\n..and dots"), letter(3)]
    send(way.config, *letters)
    assert len(way.arrived()) == 3
    for sent, arrived in zip(letters, way.arrived(), strict=True):
        assert arrived.endswith(sent)  # a submission service writes Received above it


# Maildir in


def maildir(tmp_path: Path) -> Config:
    make_maildir(tmp_path / "in")
    make_maildir(tmp_path / "out")
    return desk(tmp_path)


def test_delivery_time_comes_from_the_name_or_else_from_the_file(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    names = (
        "1795000001.M5P1Q2.host:2,S",  # seconds, microseconds, counter
        "1795000001.M5P1Q10.host",
        "1795000001.M40P1.host,S=12:2,",
        "1795000001.M123456P1.host",
        "1795000002.4711_0.host",
        "written by hand",
    )
    for number, name in reversed(list(enumerate(names))):
        (tmp_path / "in/cur" / name).write_bytes(letter(number))
    os.utime(tmp_path / "in/cur/written by hand", ns=(0, 1_795_000_003_000_000_000))
    letters, _ = fetch(config)
    assert raws(letters) == [letter(number) for number in range(6)]
    start = datetime(2026, 11, 18, 11, 6, 41, tzinfo=UTC)
    assert letters[0].when == start + timedelta(microseconds=5)
    assert letters[3].when == start + timedelta(microseconds=123456)
    assert letters[5].when == start + timedelta(seconds=2)


def test_a_letter_that_a_person_has_looked_at_is_still_found(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    (tmp_path / "in/new/1795000000.M1P1.host").write_bytes(letter(1))
    (tmp_path / "in/cur/1795000000.M2P1.host:2,RS").write_bytes(letter(2))
    assert raws(fetch(config, handle=True)[0]) == [letter(1), letter(2)]


def test_handled_letters_lie_in_a_folder_of_their_own_and_are_seen(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    (tmp_path / "in/new/1795000000.M1P1.host").write_bytes(letter(1))
    (tmp_path / "in/cur/1795000000.M2P1.host:2,RF").write_bytes(letter(2))
    fetch(config, handle=True)
    found = {path.name: path.read_bytes() for path in (tmp_path / "in/.Handled/cur").iterdir()}
    assert found == {"1795000000.M1P1.host:2,S": letter(1), "1795000000.M2P1.host:2,FRS": letter(2)}
    assert (tmp_path / "in/.Handled/maildirfolder").exists()


def test_a_letter_that_is_moved_away_while_we_read_is_passed_over(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    for number in range(BATCH + 2):
        (tmp_path / f"in/new/1795000000.M{number}P1.host").write_bytes(letter(number))
    with open_mailbox(config) as mailbox:
        batches = mailbox.fetch("")
        next(batches)
        (tmp_path / f"in/new/1795000000.M{BATCH}P1.host").unlink()
        assert raws(list(next(batches).letters)) == [letter(BATCH + 1)]


def test_what_is_no_letter_is_passed_over(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    os.mkfifo(tmp_path / "in/new/pipe")
    (tmp_path / "in/new/folder").mkdir()
    (tmp_path / "in/new/nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "in/new/.hidden").write_bytes(letter())
    assert not fetch(config)[0]


def test_a_letter_that_cannot_be_read_stops_no_other_but_is_told(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    (tmp_path / "in/new/1795000000.M1P1.host").symlink_to("/proc/self/mem")  # reads as an input/output error
    (tmp_path / "in/new/1795000000.M2P1.host").write_bytes(letter(2))
    with open_mailbox(config) as mailbox:
        batches = mailbox.fetch("")
        assert raws(list(next(batches).letters)) == [letter(2)]
        sentence = f"A file in {tmp_path / 'in'} cannot be read: Input/output error."
        assert trouble(lambda: next(batches)) == f"{sentence} That is the letter new/1795000000.M1P1.host."


def test_a_folder_that_is_no_maildir_is_told(tmp_path: Path) -> None:
    config = desk(tmp_path)
    assert "is no Maildir: put it back" in trouble(lambda: open_mailbox(config).__enter__())
    assert "is no Maildir: put it back" in trouble(lambda: open_outgoing(config).__enter__())


def test_what_cannot_be_compared_is_told_when_the_others_are_removed(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    (tmp_path / "in/new/1795000000.M1P1.host").symlink_to("/proc/self/mem")  # as long as an empty letter
    (tmp_path / "in/new/1795000000.M2P1.host").write_bytes(letter(2))
    (tmp_path / "in/cur/1795000000.M3P1.host:2,").write_bytes(b"")
    told = f"A file in {tmp_path / 'in/new'} cannot be read or removed: Input/output error."
    assert trouble(lambda: remove(config, b"", letter(2))) == told
    assert [path.name for path in tmp_path.glob("in/*/*.host*")] == ["1795000000.M1P1.host"]


# Maildir out


def test_a_letter_delivered_twice_is_there_once(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    send(config, letter(1))
    send(config, letter(1), letter(2))
    assert sorted(path.name for path in tmp_path.glob("out/*/*")) == ["000000", "000001"]


def test_a_letters_name_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    with open_outgoing(maildir(tmp_path)) as outgoing:
        outgoing.send(letter(), "alice@example.org", "", "../../receipt:7")
    (path,) = (tmp_path / "out/new").iterdir()
    assert path.name == "..%2F..%2Freceipt%3A7"


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    config = maildir(tmp_path)
    (tmp_path / "out/tmp/000000").symlink_to("/dev/full")
    assert "cannot be written" in trouble(lambda: send(config, letter()))
    assert not list(tmp_path.glob("out/*/*"))
