"""Letters that are removed on an IMAP server for good: what servers do about that, and what we never do."""

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.transport.base import BATCH, Unwanted
from pbem.transport.open import open_mailbox
from support.dovecot import Account
from support.faulty import Folder, Proxy, Scripted, whole
from support.keywordless import Keywordless
from support.posting import desk, fetch, letter, raws, remove, trouble


def folder(*says: int, letters: int = 4) -> Folder:
    """Some letters; the server has no text of those named."""
    said = {uid: lambda tag: b"" for uid in says}
    return Folder({uid: letter(uid) for uid in range(1, letters + 1)}, said)


def heard(server: Scripted) -> list[str]:
    """The commands that change the folder."""
    lines = [line.decode().split(maxsplit=1)[1].strip() for line in server.heard]
    return [line for line in lines if "STORE" in line or "EXPUNGE" in line]


def test_single_letters_are_expunged_where_the_server_can(tmp_path: Path) -> None:
    there = folder()
    there.uidplus, there.deleted = True, {4}
    with there.serve() as server:
        remove(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"), letter(1), letter(3))
        assert heard(server) == [r"UID STORE 1,3 +FLAGS.SILENT (\Deleted)", "UID EXPUNGE 1,3"]
    assert sorted(there.letters) == [2, 4]


def test_where_it_cannot_all_that_is_marked_is_expunged_if_that_is_ours_alone(tmp_path: Path) -> None:
    there = folder()
    there.deleted = {3}  # by a run that was killed
    with there.serve() as server:
        remove(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"), letter(1), letter(3))
        assert heard(server) == [r"UID STORE 1,3 +FLAGS.SILENT (\Deleted)", "EXPUNGE"]
    assert sorted(there.letters) == [2, 4]


def test_a_letter_that_somebody_else_has_marked_is_never_expunged_with_ours(tmp_path: Path) -> None:
    there = folder()
    there.deleted = {4}
    with there.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        assert trouble(lambda: remove(config, letter(1))) == (
            "The IMAP server 127.0.0.1 cannot remove single letters, and UID 4, which is none of ours, is marked as"
            " deleted: expunge the folder, or take that mark away."
        )
        assert heard(server) == []
    assert sorted(there.letters) == [1, 2, 3, 4]


def test_a_server_that_keeps_what_it_was_told_to_remove_is_told(tmp_path: Path) -> None:
    there = folder()
    there.keeps = {3}
    with there.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        told = "The IMAP server 127.0.0.1 says that it has removed the letter UID 3, and it is still there."
        assert trouble(lambda: remove(config, letter(1), letter(3))) == told
    assert sorted(there.letters) == [2, 3, 4]


def test_a_letter_without_text_may_be_one_of_them_and_is_told_when_the_others_are_gone(tmp_path: Path) -> None:
    there = folder(2)
    sizes = whole(2, letter(2))
    there.says[2] = lambda tag: sizes if not there.fetched[1:] else b""  # how long it is is all that is told
    with there.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        told = "The IMAP server 127.0.0.1 gives no text of UID 2, which may be one of them."
        assert trouble(lambda: remove(config, letter(1), letter(2))) == told
    assert sorted(there.letters) == [2, 3, 4]


def test_a_letter_of_which_another_length_is_told_is_known_by_when_it_came(tmp_path: Path) -> None:
    there, date = folder(), b'INTERNALDATE "21-Nov-2026 12:00:00 +0000"'
    for uid in there.letters:
        said = whole(uid, there.letters[uid]).replace(b"RFC822.SIZE ", date + b" RFC822.SIZE 9")
        rest = b"* %d FETCH (UID %d BODY[]<%d> {0}\r\n)\r\n" % (uid, uid, len(there.letters[uid]))
        there.says[uid] = lambda tag, said=said, rest=rest: rest if there.fetched[2:] else said
    when = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    with there.serve() as server, open_mailbox(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")) as mailbox:
        mailbox.remove([Unwanted(sha256(letter(2)).hexdigest(), len(letter(2)), when)])
    assert sorted(there.letters) == [1, 3, 4]


def test_letters_in_a_large_folder_are_found_in_pieces(
    tmp_path: Path, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.transport.imap._SEARCH", 7)
    letters = [letter(number) for number in range(BATCH + 20)]
    account.append(*letters)
    config = desk(tmp_path, account.url())
    remove(config, *letters[1:-1])
    assert raws(fetch(config)[0]) == [letters[0], letters[-1]]


def test_what_another_program_has_marked_as_deleted_stays(tmp_path: Path, account: Account) -> None:
    account.append(letter(1), letter(2))
    with account.client() as client:
        client.delete_messages([2])
    remove(desk(tmp_path, account.url()), letter(1))
    assert raws(fetch(desk(tmp_path, account.url()))[0]) == [letter(2)]


def test_a_server_without_keywords_removes_them_too(tmp_path: Path) -> None:
    with Keywordless() as server:
        server.append(letter(1), letter(2))
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        remove(config, letter(1))
        assert raws(fetch(config)[0]) == [letter(2)]


@pytest.mark.parametrize("at", ["SELECT", "UID SEARCH", "UID FETCH", "UID STORE", "UID EXPUNGE"])
def test_a_line_that_breaks_at_any_step_is_told_and_the_next_run_ends_it(
    tmp_path: Path, account: Account, at: str
) -> None:
    account.append(letter(1), letter(2), letter(3))
    with Proxy(account.server.imap, "close", at=rf"\S+ {at}") as proxy:
        config = desk(tmp_path, account.url().replace(f":{account.server.imap}", f":{proxy.port}"))
        assert "127.0.0.1" in trouble(lambda: remove(config, letter(2)))
    config = desk(tmp_path, account.url())
    remove(config, letter(2))
    assert raws(fetch(config)[0]) == [letter(1), letter(3)]
