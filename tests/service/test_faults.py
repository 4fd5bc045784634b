"""Whatever servers, lines and disks do: a run ends with its status and one line, and the next one goes on."""

import contextlib
import os
import re
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path

import pytest

from pbem.transport.open import open_mailbox
from support.desks import Folders, Servers, TestDesk, flat, with_login
from support.dovecot import Certificate, Dovecot
from support.faulty import Fault, Proxy, Scripted
from support.keywordless import Keywordless
from support.posting import desk as plain_desk
from support.posting import fetch, letter, without_ports
from support.sink import Sink

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
FAULTS: tuple[Fault, ...] = ("close", "reset", "stall", "trickle")

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the sink asks for a login over a plain line


@pytest.fixture
def desk(login_desk: TestDesk) -> TestDesk:
    return login_desk


def mailbox(desk: TestDesk, port: int, scheme: str = "imap", host: str = "127.0.0.1") -> str:
    return f"{scheme}://{desk.post.account.name}@{host}:{port}/INBOX"


@contextmanager
def hurry(seconds: float = 1.0, patience: float = 0.3) -> Iterator[None]:
    """A run that has little time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.transport.sockets.PATIENCE", patience)
        patch.setattr("pbem.service.tick.SECONDS", seconds)
        began = time.monotonic()
        yield
        assert time.monotonic() - began < seconds + 30  # of the five minutes that a run usually has


def fails(desk: TestDesk) -> str:
    """A run that ends in trouble; what it says."""
    told = desk.poll()
    assert told.status == 1
    assert len(told.lines) == 1, told.lines
    assert not re.search(r"Traceback|mistake of ours", told.lines[0])
    return without_ports(told.lines[0])


def goes_on(desk: TestDesk) -> list[str]:
    """The run after the trouble; the seats that got a letter, each counted once, since the one before."""
    told = desk.poll()
    assert told.status == 0
    assert re.fullmatch(r"pbem: The trouble with [\w ]+, which began at \S+, is over\.", "\n".join(told.lines))
    return seats(desk)


def seats(desk: TestDesk) -> list[str]:
    """Who got letters since we looked last; one that came twice under the same Message-ID counts once."""
    return list({str(letter["Message-ID"]): seat for seat, letter in desk.read()}.values())


# Every word of both conversations

IMAP = {
    "greeting": "",
    "CAPABILITY": r"\S+ CAPABILITY",
    "LOGIN": r"\S+ LOGIN",
    "SELECT": r"\S+ SELECT",
    "SEARCH": r"\S+ UID SEARCH",
    "FETCH": r"\S+ UID FETCH",
    "STORE": r"\S+ UID STORE",
}
SMTP = {
    "greeting": "",
    "EHLO": "ehlo",
    "AUTH": "AUTH",
    "MAIL": "mail",
    "RCPT": "rcpt",
    "DATA": "data",
    "the final dot": r"\.\r\n",
}


@pytest.mark.parametrize(("word", "fault"), list(zip(IMAP, cycle(FAULTS), strict=False)))
def test_a_mailbox_may_fail_at_any_word(desk: TestDesk, word: str, fault: Fault) -> None:
    desk.write("red", "help")
    with Proxy(desk.post.account.server.imap, fault, at=IMAP[word]) as proxy:
        desk.configure(mailbox=mailbox(desk, proxy.port))
        with hurry(1.0 if fault == "trickle" else 10.0):
            assert "Letters cannot be fetched: " in fails(desk)
        early = seats(desk)
        proxy.mend()
        assert early + goes_on(desk) == ["red"]
        assert desk.quiet_poll() == []


@pytest.mark.parametrize(("word", "fault"), list(zip(SMTP, cycle(FAULTS), strict=False)))
def test_a_way_out_may_fail_at_any_word(desk: TestDesk, word: str, fault: Fault) -> None:
    desk.write("red", "help")
    with Proxy(desk.post.sink.port, fault, at=SMTP[word]) as proxy:
        desk.configure(outgoing=with_login(proxy.port))
        with hurry(1.0 if fault == "trickle" else 10.0):
            assert "Letters cannot be sent: " in fails(desk)
        early = seats(desk)
        assert early == (["red"] if word == "the final dot" else [])  # the server has it, and we cannot know
        proxy.mend()
        assert goes_on(desk) == ["red"]
        assert desk.quiet_poll() == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_does_not_say_goodbye_is_no_trouble(
    desk: TestDesk, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("red", "help")
    began = time.monotonic()
    with (
        Proxy(desk.post.account.server.imap, fault, at=r"\S+ LOGOUT") as inward,
        Proxy(desk.post.sink.port, fault, at="quit") as outward,
    ):
        desk.configure(mailbox(desk, inward.port), with_login(outward.port))
        monkeypatch.setattr("pbem.transport.sockets._GOODBYE", 0.2)
        with hurry(10, patience=10):
            assert [seat for seat, _ in desk.quiet_poll()] == ["red"]
        assert time.monotonic() - began < 9
    desk.configure()
    assert desk.quiet_poll() == []


def refuses(why: bytes) -> Fault:
    """The server answers NO with its reason."""
    return lambda data: data.rsplit(b"\r\n", 2)[-2].split()[0] + b" NO " + why + b"\r\n"


@pytest.mark.parametrize(
    ("word", "fault", "sentence"),
    [
        (
            "LOGIN",
            refuses(b"[UNAVAILABLE] try gm@example.org later"),
            "cannot check the login now: [UNAVAILABLE] try *** later",
        ),
        ("SELECT", refuses(b"[INUSE] locked"), "said: select failed: [INUSE] locked."),
        ("SEARCH", refuses(b"[SERVERBUG] lost the index"), "[SERVERBUG] lost the index."),
        ("FETCH", lambda data: b"* 1 FETCH (UID 1 BODY[]<0> {99000000000}\r\nx", "a literal of 99000000000 bytes."),
        ("FETCH", lambda data: b"* 1 FETCH (UID 1 BODY[]<0> {-1}\r\n" + data, "127.0.0.1 said"),
        ("FETCH", lambda data: b"HTTP/1.1 400 Bad Request\r\n", "127.0.0.1 said"),
        ("STORE", refuses(b"[OVERQUOTA] mailbox full"), "said: store failed: [OVERQUOTA] mailbox full."),
    ],
)
def test_a_mailbox_may_say_anything(desk: TestDesk, word: str, fault: Fault, sentence: str) -> None:
    desk.write("red", "help")
    with Proxy(desk.post.account.server.imap, fault, at=IMAP[word]) as proxy:
        desk.configure(mailbox=mailbox(desk, proxy.port))
        with hurry(10.0):
            assert sentence in fails(desk)
        early = seats(desk)
        proxy.mend()
        assert early + goes_on(desk) == ["red"]


# Time

TOO_SLOW = r"127\.0\.0\.1(?::\d+)? (took too long, the next run goes on where this one ends|did not answer in time)\."


def test_a_mailbox_that_takes_all_its_time_leaves_some_for_the_letters_out(desk: TestDesk) -> None:
    desk.new_game()
    with Proxy(desk.post.account.server.imap, "trickle", at=IMAP["SELECT"]) as proxy:
        desk.configure(mailbox=mailbox(desk, proxy.port))
        with hurry(6, patience=10):  # a third of it for the letters out, on a machine that is busy
            assert re.search(TOO_SLOW, fails(desk))
    assert seats(desk) == ["red", "blue"]


def test_a_run_that_trickles_on_both_sides_ends_in_its_time(desk: TestDesk) -> None:
    desk.new_game()
    with (
        Proxy(desk.post.account.server.imap, "trickle", at=IMAP["SELECT"]) as inward,
        Proxy(desk.post.sink.port, "trickle", at=SMTP["EHLO"]) as outward,
    ):
        desk.configure(mailbox(desk, inward.port), with_login(outward.port))
        with hurry(patience=10):
            told = desk.poll()
        assert told.status == 1
        assert [bool(re.search(TOO_SLOW, line)) for line in told.lines] == [True, True]
        inward.mend()
        outward.mend()
        assert len(desk.poll().lines) == 2
    assert seats(desk) == ["red", "blue"]


def test_a_name_server_that_hangs_is_left_behind(desk: TestDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    getaddrinfo, over = socket.getaddrinfo, threading.Event()

    def hangs(host: str, *args: object, **options: object) -> object:
        if host == "imap.example.org":
            over.wait(60)
        return getaddrinfo("127.0.0.1", *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("socket.getaddrinfo", hangs)
    desk.configure(mailbox="imaps://gm@imap.example.org/INBOX")
    with hurry():
        told = "The IMAP server imap.example.org:993 cannot be found: the name server does not answer."
        assert fails(desk).endswith(f"{told} See whether DNS works on this machine.")
    over.set()


@pytest.mark.parametrize("host", ["a..b", "x" * 64, "nowhere.invalid"])
def test_a_name_that_leads_nowhere_is_told(desk: TestDesk, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    getaddrinfo = socket.getaddrinfo

    def offline(host: str, *args: object, **options: object) -> object:
        if host == "nowhere.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return getaddrinfo(host, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("socket.getaddrinfo", offline)
    desk.configure(mailbox=f"imaps://gm@{host}/INBOX", outgoing=with_login(465, "smtps", host))
    desk.new_game()
    told = desk.poll()
    assert told.status == 1
    assert [f"The IMAP server {host}:993 cannot be found: " in told.lines[0]] == [True]
    assert [f"The SMTP server {host}:465 cannot be found: " in told.lines[1]] == [True]


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port whose queue is full: connecting to it takes for ever."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, contextlib.ExitStack() as queue:
        for _ in range(4):
            waiting = queue.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield server.getsockname()[1]


@pytest.mark.parametrize("alive", [False, True])
def test_of_many_addresses_that_do_not_answer_each_gets_its_share_of_the_time(
    desk: TestDesk, monkeypatch: pytest.MonkeyPatch, alive: bool
) -> None:
    imap = desk.post.account.server.imap
    with deaf_port() as dead:
        addresses = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in [*[dead] * 9, imap]]
        getaddrinfo = socket.getaddrinfo

        def many(host: str, port: int, *args: object, **options: object) -> object:
            if port == imap:
                return addresses if alive else addresses[:-1]
            return getaddrinfo(host, port, *args, **options)  # type: ignore[arg-type]

        desk.write("red", "help")
        monkeypatch.setattr("socket.getaddrinfo", many)
        with hurry(3.0 if alive else 0.6, patience=10):
            if alive:
                assert [seat for seat, _ in desk.quiet_poll()] == ["red"]
            else:
                assert "127.0.0.1 did not answer in time." in fails(desk)


# Letters that are not taken


@pytest.mark.parametrize(
    ("answer", "permanent"),
    [
        ("550 5.1.1 no such user", True),
        ("552 5.2.2 over quota", False),
        ("452 4.2.2 mailbox full", False),
        ("450 4.2.0 greylisted, come back in five minutes", False),
    ],
)
def test_a_recipient_may_be_refused_for_now_or_for_good(desk: TestDesk, answer: str, permanent: bool) -> None:
    sink = desk.post.sink
    sink.refuse["bob@example.com"] = answer
    desk.write("blue", "help")
    desk.write("red", "help")
    told = desk.poll()
    assert seats(desk) == ["red", *(["game master"] if permanent else [])]
    if permanent:
        said = f"The mail server refused the letter with {answer[:3]}: {answer[4:]}"
        assert told == (0, [f"pbem: Letter 3 for blue of oz-1 cannot be delivered: {said}."])
    else:
        assert told == (0, [])
    sink.refuse.clear()
    assert desk.poll() == (0, [])
    assert seats(desk) == ([] if permanent else ["blue"])


def test_a_letter_over_which_the_line_breaks_holds_up_no_other(desk: TestDesk) -> None:
    desk.write("blue", "help")
    desk.write("red", "help")
    with Proxy(desk.post.sink.port, "close", at="rcpt TO:<bob") as proxy:
        desk.configure(outgoing=with_login(proxy.port))
        assert "127.0.0.1 broke off the line." in fails(desk)
        assert desk.poll() == (1, [])
        assert seats(desk) == ["red"]
        assert desk.poll().status == 0
        assert seats(desk) == []


def test_a_letter_is_tried_again_after_pauses_that_grow_to_a_day_and_given_up_in_the_end(desk: TestDesk) -> None:
    """A full mailbox is told, but the desk is well."""
    desk.post.sink.refuse["bob@example.com"] = "450 4.2.0 later"
    desk.write("blue", "help")
    assert desk.poll() == (0, [])
    pauses = []
    while due := due_next(desk):
        pauses.append((due - desk.now) // MINUTE)
        told = desk.poll(due - desk.now)
        assert len(desk.read()) == (0 if due_next(desk) else 1)
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440, 1440, 1440]
    why = "The mail server refused the letter with 450: 4.2.0 later"
    assert told == (0, [f"pbem: Letter 3 for blue of oz-1 is given up after 14 tries: {why}."])


def due_next(desk: TestDesk) -> datetime | None:
    """When the next letter is to go out."""
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        (due,) = db.execute("SELECT min(due) FROM outbox WHERE sent IS NULL AND refused IS NULL").fetchone()
    return due and datetime.fromisoformat(due)


# Encryption


@pytest.mark.parametrize("problem", ["self-signed certificate", "certificate has expired", "IP address mismatch"])
def test_no_password_and_no_letter_goes_to_a_server_with_a_wrong_certificate(
    desk: TestDesk, certificates: dict[str, Certificate], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, right = certificates[problem], certificates["self-signed certificate"]
    desk.new_game()
    heard: list[bytes] = []

    def listen(data: bytes) -> bytes:
        heard.append(data)
        return data

    if problem != "self-signed certificate":
        monkeypatch.setenv("SSL_CERT_FILE", str(shown.certificate))
    with (
        Proxy(desk.post.account.server.imap, listen, certificate=shown) as inward,
        Proxy(desk.post.sink.port, listen, certificate=shown) as outward,
    ):
        desk.configure(mailbox(desk, inward.port, "imaps"), with_login(outward.port, "smtps"))
        told = desk.poll()
        assert told.status == 1
        assert [
            f"127.0.0.1 shows a certificate that cannot be trusted: {problem}" in without_ports(one)
            for one in told.lines
        ] == [
            True,
            True,
        ]
        assert not heard
    with (
        Proxy(desk.post.account.server.imap, certificate=right) as inward,
        Proxy(desk.post.sink.port, certificate=right) as outward,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(right.certificate))
        desk.configure(mailbox(desk, inward.port, "imaps"), with_login(outward.port, "smtps"))
        assert len(desk.poll().lines) == 2
        assert seats(desk) == ["red", "blue"]


def test_a_stripped_starttls_is_noticed_before_anything_is_said(desk: TestDesk) -> None:
    desk.new_game()
    said: list[bytes] = []

    def offers_nothing(line: bytes) -> bytes:
        said.append(line)
        tag = line.split()[0]
        return (
            b"250 me\r\n"
            if tag.lower() == b"ehlo"
            else b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n" + tag + b" OK done\r\n"
        )

    with Scripted(b"* OK here\r\n", offers_nothing) as imap, Scripted(b"220 here\r\n", offers_nothing) as smtp:
        # 127.1 is this machine, but only 127.0.0.1 is taken for it.
        desk.configure(mailbox(desk, imap.port, host="127.1"), with_login(smtp.port, host="127.1"))
        told = desk.poll()
    assert told.status == 1
    assert ["127.1 offers no STARTTLS, and no " in without_ports(one) for one in told.lines] == [True, True]
    assert {line.split()[-1] for line in said} <= {b"CAPABILITY", b"LOGOUT", b"example.org"}
    desk.configure()
    assert len(desk.poll().lines) == 2
    assert seats(desk) == ["red", "blue"]


# Mailboxes that change


@pytest.mark.parametrize("renumber", [False, True])
def test_a_mailbox_that_was_moved_or_restored_gives_nothing_twice(desk: TestDesk, renumber: bool) -> None:
    account = desk.post.account
    account.append(letter())
    with account.client() as client:  # a gap, so that the numbers do change
        client.delete_messages([1])
        client.expunge()
    for text in ("3 A to M", "help"):
        desk.write("red", text)
        desk.quiet_poll()
    desk.write("blue", "help")
    account.change_uidvalidity(renumber=renumber)
    assert [seat for seat, _ in desk.quiet_poll()] == ["blue"]
    desk.write("red", "status")
    assert [seat for seat, _ in desk.quiet_poll()] == ["red"]
    assert desk.quiet_poll() == []


def test_a_server_without_keywords_gives_nothing_twice_even_if_the_mark_is_lost(tmp_path: Path, sink: Sink) -> None:
    with Keywordless() as server:
        servers = Servers.__new__(Servers)
        servers.sink, servers.deliver = sink, server.append  # type: ignore[method-assign]
        servers.mailbox, servers.outgoing = f"imap://gm@127.0.0.1:{server.port}/INBOX", f"smtp://127.0.0.1:{sink.port}"
        desk = TestDesk(tmp_path / "desk", lambda folder: servers)
        desk.new_game()
        desk.quiet_poll()
        for text, told in (("3 A to M", ["red", "blue"]), ("help", ["red"])):
            desk.write("red", text)
            assert [seat for seat, _ in desk.quiet_poll()] == told
        forget_the_mark(desk)
        assert desk.quiet_poll() == []
        forget_the_mark(desk)
        desk.write("blue", "help")
        assert [seat for seat, _ in desk.quiet_poll()] == ["blue"]


def forget_the_mark(desk: TestDesk) -> None:
    with closing(sqlite3.connect(desk.folder / "pbem.db", isolation_level=None)) as db:
        db.execute("DELETE FROM desk WHERE key = 'mark'")


@pytest.mark.parametrize("word", ["SEARCH", "FETCH"])
def test_letters_that_somebody_removes_while_we_read_harm_no_other(desk: TestDesk, word: str) -> None:
    account = desk.post.account
    for seat in ("red", "blue", "red"):
        desk.write(seat, "help")
        desk.now += MINUTE

    def removes(data: bytes) -> bytes:
        with account.client() as client:
            client.delete_messages([1] if word == "SEARCH" else [1, 2, 3])
            client.expunge()
        return data

    with Proxy(account.server.imap, removes, at=IMAP[word]) as proxy:
        desk.configure(mailbox=mailbox(desk, proxy.port))
        letters = desk.quiet_poll()
        assert [seat for seat, _ in letters] == (["blue", "red"] if word == "SEARCH" else ["red", "blue", "red"])
        proxy.mend()
        assert desk.quiet_poll() == []


def full_mailbox(letters: dict[int, bytes], number: int) -> Scripted:
    """A server with so many letters, of which these can be had; the others have our keyword."""

    def answer(line: bytes) -> bytes:
        tag, *words = line.split()
        said = b""
        if words[0] == b"CAPABILITY":
            said = b"* CAPABILITY IMAP4rev1\r\n"
        if words[0] == b"SELECT":
            said = b"* %d EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT %d] ok\r\n" % (number, number + 1)
            said += rb"* OK [PERMANENTFLAGS (\Seen \*)] ok" + b"\r\n"
        if words[:2] == [b"UID", b"SEARCH"]:
            low, high = (number if part == b"*" else int(part) for part in words[2].split(b":"))
            found = range(max(low, int(words[4].split(b":")[0])), high + 1) if words[3] == b"UID" else [*letters]
            said = b"* SEARCH" + b"".join(b" %d" % uid for uid in found if low <= uid <= high) + b"\r\n"
        if words[:2] == [b"UID", b"FETCH"]:
            for uid in map(int, words[2].split(b",")):
                said += b"* %d FETCH (UID %d RFC822.SIZE %d BODY[]<0> {%d}\r\n%s)\r\n" % (
                    *(uid, uid, len(letters[uid]), len(letters[uid])),
                    letters[uid],
                )
        return said + tag + b" OK done\r\n"

    return Scripted(b"* OK here\r\n", answer)


@pytest.mark.parametrize("marked", [True, False])
def test_in_a_mailbox_of_130_000_letters_only_the_new_ones_are_fetched(desk: TestDesk, marked: bool) -> None:
    answers = {uid: desk.answer(seat, "help").as_bytes() for uid, seat in ((129_999, "red"), (130_000, "blue"))}
    with closing(sqlite3.connect(desk.folder / "pbem.db", isolation_level=None)) as db:
        db.execute("UPDATE desk SET value = ? WHERE key = 'mark'", ("7:129998" if marked else "6:1",))
    with full_mailbox(answers, 130_000) as server:
        desk.configure(mailbox=mailbox(desk, server.port))
        assert [seat for seat, _ in desk.quiet_poll()] == ["red", "blue"]
        assert sum(b"SEARCH" in line for line in server.heard) == (2 if marked else 26)
        assert desk.quiet_poll() == []


@pytest.mark.long
def test_130_000_letters_are_fetched_from_a_real_server(tmp_path: Path, dovecot: Dovecot) -> None:
    account = dovecot.account()
    account.append(letter())
    owner = account.folder.stat()
    for number in range(130_000):
        path = account.folder / "new" / f"{1_700_000_000 + number}.M1P1.host"
        path.write_bytes(letter(number))
        os.chown(path, owner.st_uid, owner.st_gid)
    config = plain_desk(tmp_path, account.url())
    began = time.monotonic()
    with open_mailbox(config) as mailbox:
        fetched, mark = 0, ""
        for batch in mailbox.fetch(""):
            fetched += len(batch.letters)
            mark = batch.mark
    print(f"130,001 letters in {time.monotonic() - began:.0f} s")
    assert fetched == 130_001
    account.append(letter(7))
    assert [one.raw for one in fetch(config, mark)[0]] == [letter(7)]


# A full disk


def prepared(folder: Path) -> TestDesk:
    """A desk on folders, with letters to be answered and a turn to be played."""
    desk = TestDesk(folder, Folders)
    desk.new_game()
    desk.quiet_poll()
    for seat, text in (("red", "3 A to M"), ("red", "help"), ("blue", "3 H to S"), ("blue", "status")):
        desk.write(seat, text)
    return desk


def check_all_was_done_once(desk: TestDesk) -> None:
    letters = [(seat, flat(letter)) for seat, letter in desk.read()]
    for told in (
        r"(We received your orders for turn 1 \(|Your orders for turn 1 are in: )receipt 1-1",
        "Turn 1 has been played",
    ):
        assert sorted(seat for seat, letter in letters if re.search(told, letter)) == ["blue", "red"]
    assert [seat for seat, letter in letters if "How to write orders" in letter] == ["red"]
    assert [seat for seat, letter in letters if "Your games" in letter] == ["blue"]
    assert not list(desk.folder.glob("mail/out/tmp/*"))
    assert desk.quiet_poll() == []


@pytest.mark.parametrize("size", [0, 2_000, 4_200, 8_400, 20_000, 40_000, 80_000])
def test_a_file_that_cannot_grow_leaves_nothing_half_done(tmp_path: Path, size: int) -> None:
    desk = prepared(tmp_path / "desk")
    desk.now += 5 * MINUTE
    done = subprocess.run(
        [
            *(sys.executable, "-B", "-m", "pbem", "--config", desk.folder / "config.ini"),
            *("--now", f"{desk.now:%Y-%m-%dT%H:%MZ}", "poll"),
        ],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "mistake of ours" not in done.stderr
    assert desk.poll().status == 0
    check_all_was_done_once(desk)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = os.geteuid() == 0 and shutil.which("mount")
    if not mounted or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], check=False).returncode:
        pytest.skip("only root can mount a file system")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_on_a_full_disk_nothing_is_half_done(small_disk: Path) -> None:
    desk = prepared(small_disk / "desk")
    shutil.copytree(desk.folder, small_disk.parent / "model")
    read, now = desk._read, desk.now
    outcomes = set()
    for pages in (0, 1, 2, 3, 5, 8, 12, 18, 26, 40, 60, 90, 150, 250):
        shutil.rmtree(desk.folder)
        shutil.copytree(small_disk.parent / "model", desk.folder)
        desk._read, desk.now = read, now
        filler = small_disk / "filler"
        room = shutil.disk_usage(small_disk).free - pages * 4096
        filler.write_bytes(b"x" * room)
        told = desk.poll()
        outcomes.add(told.status)
        assert (told.status, len(told.lines)) in ((0, 0), (1, 1)), told
        assert "mistake of ours" not in "".join(told.lines)
        filler.unlink()
        assert desk.poll().status == 0
        check_all_was_done_once(desk)
    assert outcomes == {0, 1}
