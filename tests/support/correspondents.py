"""People who write to a desk from their own addresses: the letters that each of them gets, and their answers."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from email.mime.text import MIMEText
from email.parser import BytesHeaderParser
from email.utils import make_msgid, parseaddr
from typing import overload

from pbem.cli.demo import DemoDesk, answer_letter
from pbem.config.config import Address, Maildir
from pbem.mail.letters import with_seals
from pbem.match.model import Match
from pbem.store.matches import load_match
from support.cores import Core

ALICE, BOB = "alice@example.net", "bob@example.com"
CAROL, DAVE = "carol@example.org", "dave@example.edu"
NAMES = {ALICE: "Alice", BOB: "Bob", CAROL: "Carol", DAVE: "Dave"}


class Letters(Sequence[Message]):
    """The letters of a person. Each is parsed only when it is first used, because most never are."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self._opened: dict[int, Message] = {}

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, at: int) -> Message: ...
    @overload
    def __getitem__(self, at: slice) -> list[Message]: ...
    def __getitem__(self, at: int | slice) -> Message | list[Message]:
        if isinstance(at, slice):
            return [self[one] for one in range(len(self.raw))[at]]
        number = range(len(self.raw))[at]
        if number not in self._opened:
            self._opened[number] = message_from_bytes(self.raw[number])
        return self._opened[number]


class Correspondents:
    """The people around a desk, who know each other only through letters."""

    def __init__(self, table: DemoDesk) -> None:
        self.table = table
        self.got: dict[str, Letters] = {}
        self._seen: dict[int, int] = {}  # the time at which each file was written, by number
        self._read_so_far = 0  # the number of a core's letters read so far
        self._read()

    def write(self, who: str, text: str, to: Message | None = None) -> dict[str, list[str]]:
        """Have a person answer their last letter, or another one; return everyone's new letters as flat text."""
        self.table.deliver(self.answer(who, text, to).as_bytes())
        return self.poll()

    def answer(self, who: str, text: str, to: Message | None = None) -> MIMEText:
        return answer_letter(to or self.got[who][-1], Address(NAMES.get(who, ""), who), text, self.table.now)

    def say(self, who: str, text: str) -> str:
        """Do the same, and return the only letter that comes back to them."""
        (answer,) = self.write(who, text)[who]
        return answer

    def write_anew(self, who: str, text: str, to: str = "gm@example.org", subject: str = "") -> dict[str, list[str]]:
        """Have a person write a letter that answers none."""
        letter = MIMEText(text, _charset="utf-8")
        letter["From"] = f"{NAMES.get(who, '')} <{who}>"
        letter["To"] = to
        if subject:
            letter["Subject"] = subject
        letter["Message-ID"] = make_msgid(domain="example.org")
        self.table.deliver(letter.as_bytes())
        return self.poll()

    def poll(self, after: timedelta = timedelta()) -> dict[str, list[str]]:
        self.table.now += after
        self.table.run()
        return self._read()

    def _read(self) -> dict[str, list[str]]:
        """Collect the letters sent since the last call, by reader and in order; a letter that is sent again counts
        again."""
        news: dict[str, list[str]] = {}
        for raw in self._sent():
            reader = parseaddr(BytesHeaderParser().parsebytes(raw)["To"])[1].lower()
            self.got.setdefault(reader, Letters()).raw.append(raw)
            news.setdefault(reader, []).append(_flat(raw))
        return news

    def _sent(self) -> Iterator[bytes]:
        if isinstance(self.table, Core):
            yield from self.table.sent[self._read_so_far :]
            self._read_so_far = len(self.table.sent)
            return
        outgoing = self.table.config.outgoing.place
        assert isinstance(outgoing, Maildir)
        files = (
            (int(path.name.split(".")[1][1:]), path.stat().st_mtime_ns, path) for path in outgoing.path.glob("new/*")
        )
        for number, written, path in sorted(files):
            if self._seen.get(number) == written:
                continue
            self._seen[number] = written
            yield path.read_bytes()

    def match(self, name: str = "oz-1") -> Match:
        return load_match(self.table.store, int(name.rpartition("-")[2]))


def flat(letter: Message) -> str:
    """The text of a letter and its seals on one line."""
    return _flat(letter.as_bytes())


def _flat(raw: bytes) -> str:
    return " ".join(with_seals(raw).split())


def everything(table: DemoDesk) -> str:
    """All text and bytes of the database, as its owner could read them."""
    return "\n".join(table.store.conn.iterdump())


def come(people: Correspondents, *strangers: str) -> None:
    """Make strangers known to the desk, no longer waiting for a game."""
    for who in strangers:
        people.write_anew(who, "join")
        people.write(who, "yes\nleave")
        people.write(who, "leave")


def sure(people: Correspondents, who: str, text: str) -> dict[str, list[str]]:
    """Have a person write something that must be confirmed, and say yes; return everyone's letters after that."""
    people.write(who, text)
    return people.write(who, "yes")


def move(people: Correspondents, who: str, to: str) -> dict[str, list[str]]:
    """Have a person change their address, with a `yes` from the new one and from the older one; return everyone's
    letters after the last of these."""
    people.write(who, f"address {to}")
    question = people.got[who][-1]
    people.write(to, "yes", to=people.got[to][-1])
    return people.write(who, "yes", to=question)


def finish(people: Correspondents) -> None:
    """Have Alice resign oz-1."""
    people.write(ALICE, "resign")
    people.write(ALICE, "yes")
    assert people.match().result
