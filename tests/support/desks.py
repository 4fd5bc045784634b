"""A desk as its operator and its players see it: run only by its commands, and reached only by letters."""

import ctypes
import email
import os
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.mime.text import MIMEText
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from click.testing import CliRunner

from pbem.cli.demo import ALICE, BOB, answer_letter
from pbem.cli.main import main
from pbem.config.config import Address
from pbem.mail.letters import with_seals
from support.dovecot import PASSWORD, Account
from support.sink import Sink

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PLAYERS = {"red": ALICE, "blue": BOB}


class Post(Protocol):
    """The mail around a desk: where its letters are, and how players reach it."""

    mailbox: str
    outgoing: str

    def deliver(self, letter: bytes) -> None:
        """Put a letter into the desk's mailbox."""

    def sent(self) -> list[bytes]:
        """All letters that the desk has sent so far, in order."""


class Folders(Post):
    """The two Maildirs made by `pbem init`."""

    mailbox, outgoing = "maildir:mail/in", "maildir:mail/out"

    def __init__(self, desk: Path) -> None:
        self.inbox, self.outbox = desk / "mail" / "in", desk / "mail" / "out"
        self._delivered = 0

    def deliver(self, letter: bytes) -> None:
        self._delivered += 1
        name = f"1795262400.Q{self._delivered}.test"
        (self.inbox / "tmp" / name).write_bytes(letter)
        (self.inbox / "tmp" / name).rename(self.inbox / "new" / name)  # complete at once, in case the folder is watched

    def sent(self) -> list[bytes]:
        paths = (self.outbox / "new").iterdir()
        return [path.read_bytes() for path in sorted(paths, key=_number)]


def _number(path: Path) -> int:
    return int(path.name.split(".")[1].removeprefix("Q"))


def with_login(port: int, scheme: str = "smtp", host: str = "127.0.0.1") -> str:
    """The lines of [outgoing] for a server that wants a login."""
    return f"{scheme}://gm@{host}:{port}\npassword_file = password"


class Servers(Post):
    """A Dovecot to fetch from, and an SMTP server to send to. A letter arrives when it was written, by its Date."""

    def __init__(self, account: Account, sink: Sink) -> None:
        self.account, self.sink = account, sink
        self.mailbox, self.outgoing = account.url(), f"smtp://127.0.0.1:{sink.port}"

    def deliver(self, letter: bytes) -> None:
        date = email.message_from_bytes(letter)["Date"]
        self.account.append(letter, at=parsedate_to_datetime(date) if date else None)

    def sent(self) -> list[bytes]:
        return [kept.raw for kept in self.sink.letters]


class Told(NamedTuple):
    """The output of a command, line by line on standard output and standard error, and its exit status."""

    status: int
    lines: list[str]


class TestDesk:
    """A desk in a folder, and two players who answer its letters with their mail programs."""

    __test__ = False

    def __init__(self, folder: Path, post: Callable[[Path], Post] = Folders, reply: str = "plus") -> None:
        self.folder, self.now = folder, NOON
        self.printed = ""  # the output of all commands
        self.written: list[bytes] = []
        self._read = 0
        self.last: dict[str, Message] = {}
        assert self.run("init", str(folder), config=False).status == 0
        self.post, self.reply = post(folder), reply
        self.configure()

    def configure(self, mailbox: str = "", outgoing: str = "", password: str = PASSWORD) -> None:
        """Write config.ini again, like an operator who corrects it."""
        mailbox, outgoing = mailbox or self.post.mailbox, outgoing or self.post.outgoing
        (self.folder / "password").write_text(password)
        (self.folder / "password").chmod(0o600)
        secret = "password_file = password" if "@" in mailbox else ""
        (self.folder / "config.ini").write_text(
            f"[mailbox]\nurl = {mailbox}\nreply = {self.reply}\n{secret}\n"
            f"[outgoing]\nurl = {outgoing}\nfrom = Game Desk <gm@example.org>\n"
            "[desk]\noperator = op@example.org\nkey_file = pbem.key\nrehearsal = yes\ncooling_off = 0\n"
        )

    # The operator

    def run(self, *words: str, config: bool = True) -> Told:
        """Run a command at the current moment."""
        start = ["--now", f"{self.now:%Y-%m-%dT%H:%MZ}", *(["--config", f"{self.folder}/config.ini"] if config else [])]
        done = CliRunner().invoke(main, [*start, *words])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        self.printed += done.output
        return Told(done.exit_code, done.output.splitlines())

    def poll(self, after: timedelta = timedelta(minutes=5)) -> Told:
        """Do what cron does."""
        self.now += after
        return self.run("poll")

    def quiet_poll(self) -> "list[tuple[str, Message]]":
        """Run the desk, which must have no trouble; return the letters that it sent."""
        assert self.poll() == (0, [])
        return self.read()

    def new_game(self, *options: str) -> str:
        told = self.run("game", "new", "--red", written(ALICE), "--blue", written(BOB), *options)
        assert told.status == 0
        return told.lines[-1].split()[-1]

    # The players

    def read(self) -> list[tuple[str, Message]]:
        """The letters sent since the last call, each with the seat it is for."""
        letters = []
        sent = self.post.sent()
        for raw in sent[self._read :]:
            letter = email.message_from_bytes(raw)
            seat = next((seat for seat, person in PLAYERS.items() if letter["To"] == written(person)), "game master")
            self.last[seat] = letter
            letters.append((seat, letter))
        self._read = len(sent)
        return letters

    def answer(self, seat: str, text: str) -> MIMEText:
        """An answer to the last letter that a seat got."""
        return answer_letter(self.last[seat], PLAYERS[seat], text, self.now)

    def write(self, seat: str, text: str) -> None:
        """Answer the last letter that a seat got."""
        self.send(self.answer(seat, text))

    def send(self, letter: Message) -> None:
        self.written.append(letter.as_bytes())
        self.post.deliver(self.written[-1])


def written(person: Address) -> str:
    """Write an address like `Alice <alice@example.net>`."""
    return f"{person.name} <{person.address}>"


def flat(letter: Message) -> str:
    """The text of a letter and its seals on one line."""
    return " ".join(with_seals(letter.as_bytes()).split())


def thread(letter: Message) -> str:
    """The id of the thread that a letter belongs to."""
    return f"{letter['References']}".split()[0]


def proof(letter: Message) -> str:
    """The part of a letter's reply token that nobody else can know."""
    found = re.search(r"-([a-z2-7]{16})[.@]", f"{letter['Message-ID']}")
    assert found
    return found[1]


@contextmanager
def bound_by_modes() -> Iterator[None]:
    """Obey the modes of files, which root does not (capabilities(7)).

    The user stays the same: another one might not be able to read the program, or modules that Python imports late.
    """
    if os.geteuid():
        yield
        return
    effective, *others = _capabilities("capget", 0, 0, 0, 0, 0, 0)
    _capabilities("capset", effective & ~_PAST_MODES, *others)
    try:
        yield
    finally:
        _capabilities("capset", effective, *others)


_PAST_MODES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


def _capabilities(call: str, *words: int) -> tuple[int, ...]:
    """Get or set this thread's capabilities: effective, permitted, inheritable; then those from 32 on."""
    header = struct.pack("Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this thread
    libc, data = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(struct.pack("6I", *words), 24)
    if getattr(libc, call)(header, data):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return struct.unpack("6I", data.raw)
