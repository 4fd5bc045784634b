"""Further folders of a mailbox: letters that are ours are found there, and no other letter is touched."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest

from pbem.config.config import Config
from pbem.transport.base import BATCH, Arrived, TransportError
from pbem.transport.maildir import make_maildir
from pbem.transport.open import open_mailbox
from support.dovecot import Account, Dovecot
from support.faulty import Proxy
from support.keywordless import Keywordless
from support.posting import desk, fetch, letter, raws, remove, trouble, without_ports

OVER = (
    "A further folder is not read: Of what is new in Bulk Mail a run looks at 2 letters; passed over: 1. Look there for"
    " letters of players."
)
JUNK = "Bulk Mail"  # that the Dovecot of the tests marks as \\Junk


def ours(number: int = 1, body: str = "3 A to M") -> bytes:
    return b"To: gm+token@example.org\r\n" + letter(number, body)


def run(config: Config, mark: str = "", *, handle: bool = True, seconds: float = 20) -> tuple[list[Arrived], str, str]:
    """What a run finds, the mark that it keeps, and the trouble with further folders."""
    letters: list[Arrived] = []
    told = ""
    with open_mailbox(config, monotonic() + seconds, lambda head: b"gm+token@" in head) as mailbox:
        for batch in mailbox.fetch(mark):
            letters += batch.letters
            mark, told = batch.mark, told + "".join(batch.troubles.values())
            if handle:
                mailbox.handled([one.key for one in batch.letters])
    return letters, mark, told


class Post(NamedTuple):
    config: Config
    deliver: Callable[[str, bytes], None]
    junk: Callable[[], list[tuple[bytes, bool]]]
    """The letters in the folder for junk, each with whether it is marked as handled."""


@pytest.fixture(params=["maildir", "dovecot"])
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Post]:
    if request.param == "dovecot":
        account: Account = request.getfixturevalue("account")

        def junk() -> list[tuple[bytes, bool]]:
            with account.client(JUNK) as client:
                found = client.fetch(client.search(), ["BODY.PEEK[]", "FLAGS"]).values()
                return [(one[b"BODY[]"], b"$PbemHandled" in one[b"FLAGS"]) for one in found]

        account.append(letter(0), folder=JUNK)
        yield Post(
            desk(tmp_path, account.url()),
            lambda place, raw: account.append(raw, folder=JUNK if place else "INBOX"),
            junk,
        )
        return
    for folder in ("in", "in/.Junk"):
        make_maildir(tmp_path / folder)

    def deliver(place: str, raw: bytes) -> None:
        number = sum(1 for _ in tmp_path.glob("in/**/*.host*"))
        (tmp_path / f"in/{place}/new/1795000000.M{number}P7Q{number}.host").write_bytes(raw)

    def in_folder() -> list[tuple[bytes, bool]]:
        there = [(path.read_bytes(), False) for path in sorted((tmp_path / "in/.Junk/new").iterdir())]
        handled = (tmp_path / "in/.Handled/cur").glob("*")
        return there + [(path.read_bytes(), True) for path in handled if b"gm+token@" in path.read_bytes()]

    deliver(".Junk", letter(0))
    yield Post(desk(tmp_path), deliver, in_folder)


def test_ours_in_the_folder_for_junk_are_found_once_and_the_others_stay_as_they_are(post: Post) -> None:
    post.deliver("", letter(1))
    post.deliver(".Junk", ours(2))
    letters, mark, told = run(post.config)
    assert sorted(raws(letters)) == sorted([letter(1), ours(2)])
    assert told == ""
    assert post.junk() == [(letter(0), False), (ours(2), True)]
    assert run(post.config, mark) == ([], mark, "")
    post.deliver(".Junk", letter(3))
    post.deliver(".Junk", ours(4))
    assert raws(run(post.config, mark)[0]) == [ours(4)]
    assert (letter(3), False) in post.junk()


def test_a_run_that_marks_nothing_finds_them_again_from_the_same_mark(post: Post) -> None:
    post.deliver(".Junk", ours(1))
    assert raws(run(post.config, handle=False)[0]) == [ours(1)]
    assert raws(run(post.config)[0]) == [ours(1)]


def test_where_nothing_tells_which_are_ours_none_is_read(post: Post) -> None:
    post.deliver(".Junk", ours(1))
    assert fetch(post.config)[0] == []


def test_letters_of_both_folders_come_in_the_order_of_their_arrival(tmp_path: Path) -> None:
    for folder in ("in", "in/.Junk"):
        make_maildir(tmp_path / folder)
    for number in range(2 * BATCH):
        (tmp_path / f"in/{'.Junk/' if number % 5 == 4 else ''}new/{1795000000 + number}.Q1.host").write_bytes(
            ours(number)
        )
    assert raws(run(desk(tmp_path))[0]) == [ours(number) for number in range(2 * BATCH)]


def test_letters_to_be_removed_are_removed_from_the_folder_for_junk(post: Post) -> None:
    post.deliver(".Junk", ours(1))
    run(post.config)
    remove(post.config, ours(1))
    assert post.junk() == [(letter(0), False)]


def test_a_configured_folder_is_read_and_one_that_is_missing_holds_nothing_up(tmp_path: Path, account: Account) -> None:
    config = desk(tmp_path, account.url())
    config = config._replace(mailbox=config.mailbox._replace(folders=("Später", "Nowhere")))
    account.append(ours(1), folder="Später")
    account.append(ours(2), folder=JUNK)
    account.append(letter(3))
    letters, mark, told = run(config)
    assert sorted(raws(letters)) == sorted([ours(1), ours(2), letter(3)])
    missing = "The IMAP server 127.0.0.1 has no folder Nowhere: mend `folders` in config.ini."
    assert without_ports(told) == f"A further folder is not read: {missing}"
    with open_mailbox(config) as mailbox, pytest.raises(TransportError, match="no folder Nowhere"):
        mailbox.further_folders()
    assert run(config, mark)[0] == []


def test_a_maildir_that_lacks_a_configured_folder_is_read_all_the_same(tmp_path: Path) -> None:
    make_maildir(tmp_path / "in")
    config = desk(tmp_path)
    config = config._replace(mailbox=config.mailbox._replace(folders=("Spam",)))
    (tmp_path / "in/new/1795000000.Q1.host").write_bytes(letter(1))
    letters, _, told = run(config)
    assert raws(letters) == [letter(1)]
    assert "Spam is no Maildir" in told


def test_a_connection_that_breaks_over_a_further_folder_leaves_the_main_one_to_be_read(
    tmp_path: Path, dovecot: Dovecot, account: Account
) -> None:
    account.append(ours(1), folder=JUNK)
    account.append(letter(2))
    with Proxy(dovecot.imap, "close", at=rb".*BODY.PEEK\[HEADER\]".decode()) as proxy:
        config = desk(tmp_path, f"imap://{account.name}@127.0.0.1:{proxy.port}/INBOX")
        letters, mark, told = run(config)
        assert raws(letters) == [letter(2)]
        assert f"That is about the folder {JUNK}." in told
        proxy.mend()
        assert raws(run(config, mark)[0]) == [ours(1)]


def test_only_the_newest_letters_are_looked_at_and_if_more_have_come_that_is_told(
    tmp_path: Path, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.transport.imap_folders._MOST", 2)
    account.append(*[ours(number) for number in range(5)], folder=JUNK)
    config = desk(tmp_path, account.url())
    letters, mark, told = run(config)
    assert (sorted(raws(letters)), told) == ([ours(3), ours(4)], "")
    account.append(*[ours(number) for number in range(5, 8)], folder=JUNK)
    letters, mark, told = run(config, mark)
    assert (sorted(raws(letters)), told) == (
        [ours(6), ours(7)],
        OVER,
    )
    assert run(config, mark) == ([], mark, "")


def test_a_server_that_is_stuck_over_a_further_folder_leaves_time_for_the_main_one(
    tmp_path: Path, dovecot: Dovecot, account: Account
) -> None:
    account.append(ours(1), folder=JUNK)
    account.append(letter(2))
    with Proxy(dovecot.imap, "stall", at=rb".*BODY.PEEK\[HEADER\]".decode()) as proxy:
        config = desk(tmp_path, f"imap://{account.name}@127.0.0.1:{proxy.port}/INBOX")
        letters, _, told = run(config, seconds=3)
    assert raws(letters) == [letter(2)]
    assert f"That is about the folder {JUNK}." in told


def test_a_server_without_special_folders_has_none(tmp_path: Path) -> None:
    with Keywordless() as server:
        server.append(letter(1))
        letters, _, told = run(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"))
    assert (raws(letters), told) == ([letter(1)], "")


def test_a_folder_that_can_only_be_read_is_told(tmp_path: Path, dovecot: Dovecot, account: Account) -> None:
    account.append(ours(1), folder=JUNK)
    account.append(letter(2))

    def examined(data: bytes) -> bytes:
        return data.replace(b"[READ-WRITE]", b"[READ-ONLY]")

    with Proxy(dovecot.imap, examined, at=".*SELECT .*Bulk") as proxy:
        letters, _, told = run(desk(tmp_path, f"imap://{account.name}@127.0.0.1:{proxy.port}/INBOX"))
    assert raws(letters) == [letter(2)]
    assert "lets us only read the folder" in told


def test_trouble_with_the_main_folder_is_trouble(tmp_path: Path, account: Account) -> None:
    account.append(ours(1), folder=JUNK)
    assert "Mailbox doesn't exist: Nowhere" in trouble(lambda: run(desk(tmp_path, account.url("Nowhere"))))
