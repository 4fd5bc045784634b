"""Who is forgotten is forgotten in the mailbox, too: their letters go from there, and nobody else's do."""

import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.config.config import load_config
from pbem.service.maintenance import examine
from pbem.store.database import connect
from pbem.store.verify import Audit
from support.desks import Folders, Post, Servers, TestDesk, flat
from support.dovecot import Account
from support.faulty import Proxy
from support.killer import poll

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture(params=["maildir", "dovecot"])
def post(request: pytest.FixtureRequest) -> Callable[[Path], Post]:
    if request.param == "maildir":
        return Folders
    servers = Servers(request.getfixturevalue("account"), request.getfixturevalue("sink"))
    return lambda folder: servers


@pytest.fixture
def server_desk(tmp_path: Path, account: Account, sink) -> TestDesk:
    return over(TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink)))


def over(desk: TestDesk) -> TestDesk:
    """A game that Alice has resigned, with letters of both."""
    desk.new_game()
    desk.quiet_poll()
    for seat, text in (("red", "My cat is called Mitzi.\n3 A to M"), ("blue", "3 H to S"), ("red", "resign")):
        desk.write(seat, text)
        desk.quiet_poll()
    desk.write("red", "yes")
    desk.quiet_poll()
    return desk


def left(desk: TestDesk) -> list[bytes]:
    """All that lies in the mailbox, handled or not, with the lines' ends of a file."""
    if isinstance(desk.post, Folders):
        return in_folder(desk.folder)
    assert isinstance(desk.post, Servers)
    with desk.post.account.client() as client:
        return sorted(
            one[b"BODY[]"].replace(b"\r\n", b"\n") for one in client.fetch(client.search(), ["BODY[]"]).values()
        )


def in_folder(desk: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in (desk / "mail/in").glob("**/*.test*"))


def of_bob(desk: TestDesk) -> list[bytes]:
    return sorted(raw for raw in desk.written if b"From: Bob" in raw)


def waiting(desk: TestDesk) -> int:
    """How many letters are still to be removed."""
    with closing(connect(desk.folder / "pbem.db")) as conn:
        return conn.execute("SELECT count(*) FROM removals").fetchone()[0]


def test_the_letters_of_whoever_is_forgotten_go_from_the_mailbox_and_no_others(tmp_path, post):
    desk = over(TestDesk(tmp_path / "desk", post))
    assert len(left(desk)) == 4
    desk.write("red", "forget me")
    desk.quiet_poll()
    desk.write("red", "yes")
    ((_, answer),) = desk.quiet_poll()
    assert "your addresses and your words have been removed" in flat(answer)
    assert left(desk) == of_bob(desk) != []
    assert waiting(desk) == 0
    assert desk.quiet_poll() == []
    with closing(connect(desk.folder / "pbem.db")) as conn:
        assert [*Audit(conn).differences()] == []


def test_a_letter_that_somebody_vouched_for_from_another_address_goes_too(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game()
    desk.quiet_poll()
    desk.post.deliver(desk.answer("red", "3 A to M").as_bytes().replace(b"alice@example.net", b"alice@work.example"))
    desk.quiet_poll()
    for text in ("yes", "resign", "yes", "forget me", "yes"):
        desk.write("red", text)
        desk.quiet_poll()
    assert left(desk) == []
    with closing(connect(desk.folder / "pbem.db")) as conn:
        assert "alice@work.example" not in "\n".join(conn.iterdump())


def test_old_letters_of_strangers_go_from_the_mailbox_too(tmp_path, post):
    desk = over(TestDesk(tmp_path / "desk", post))
    before = left(desk)
    desk.post.deliver(b"From: <spam@example.net>\nTo: gm@example.org\n\nBuy\n")
    desk.quiet_poll()
    assert len(left(desk)) == len(before) + 1
    arrived = max(datetime.now(UTC), desk.now)  # a server goes by its own clock
    assert desk.poll(arrived + 91 * DAY - desk.now).status == 0
    assert left(desk) == before


def test_what_cannot_be_removed_is_told_and_tried_again_every_hour(server_desk):
    desk, server = server_desk, server_desk.post.account.server
    desk.write("red", "forget me")
    desk.quiet_poll()
    with Proxy(server.imap, "close", at=r"\S+ UID STORE.*Deleted") as proxy:
        desk.configure(mailbox=desk.post.mailbox.replace(f":{server.imap}", f":{proxy.port}"))
        desk.write("red", "yes")
        told = desk.poll()
        why = f"The IMAP server 127.0.0.1:{proxy.port} said: command: UID => socket error: EOF."
        assert (told.status, told.lines) == (1, [f"pbem: Letters cannot be removed from the mailbox: {why}"])
        assert len(left(desk)) == 6
        lines = proxy.lines
        assert desk.poll() == (1, [])
        assert proxy.lines == lines + 1  # only to read letters
        findings = [*map(str, examine(load_config(desk.folder / "config.ini"), desk.now, lambda text: None))]
        finding = f"letters: some that are forgotten here could not be removed from the mailbox: {why}"
        assert f"{finding} `pbem poll` tries again every hour." in findings
        proxy.mend()
        over = desk.poll(HOUR)
        assert over.status == 0
        assert "The trouble with letters to be removed" in over.lines[0]
        assert desk.poll() == (0, [])
    assert left(desk) == of_bob(desk)


def test_nothing_is_removed_while_the_mailbox_cannot_be_read(tmp_path):
    desk = over(TestDesk(tmp_path / "desk"))
    with closing(connect(desk.folder / "pbem.db")) as conn:
        conn.execute("UPDATE letters SET raw = NULL, sender = NULL WHERE seat = 'red'")
        conn.execute("INSERT INTO removals SELECT id, '' FROM letters")
    inbox, aside = desk.folder / "mail/in", desk.folder / "aside"
    inbox.rename(aside)
    assert len(desk.poll().lines) == 1
    aside.rename(inbox)
    desk.poll()
    assert left(desk) == of_bob(desk)


def kill_everywhere(folder: Path, every: int) -> int:
    """Kill a run that forgets at each `every`-th of its steps, and let the next one end it; how many kills."""
    desk = over(TestDesk(folder / "model"))
    desk.write("red", "forget me")
    desk.quiet_poll()
    desk.write("red", "yes")
    kept, trial = of_bob(desk), folder / "desk"

    def copied() -> Path:
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(desk.folder, trial)
        return trial

    steps, kills = poll(copied()).steps, 0
    for step in range(1, steps + 1, every):
        kills += poll(copied(), step).killed
        with closing(connect(trial / "pbem.db")) as conn:
            known = b"alice@example.net" in "\n".join(conn.iterdump()).encode()
        if known:  # nothing is removed that is not forgotten
            assert len(in_folder(trial)) == 6
        poll(trial)
        assert in_folder(trial) == kept
        with closing(connect(trial / "pbem.db")) as conn:
            assert conn.execute("SELECT 1 FROM removals").fetchone() is None
            assert len(conn.execute("SELECT 1 FROM outbox WHERE sent IS NOT NULL").fetchall()) > 5
    return kills


def test_a_run_killed_between_forgetting_and_removing_is_ended_by_the_next(tmp_path):
    assert kill_everywhere(tmp_path, every=397) > 0


@pytest.mark.long
def test_every_step_of_a_run_that_forgets(tmp_path):
    print(kill_everywhere(tmp_path, every=1), "kills of runs that forget")
