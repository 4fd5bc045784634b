"""Send a batch of letters of all kinds through one desk, and compare everything that results with another version's.

    python benchmarks/golden.py make FOLDER        # with the pbem of PYTHONPATH; number of letters: --letters 1000
    python benchmarks/golden.py compare OLD NEW    # what differs; the exit status is 1 if anything does

Nothing is left to chance: the clock, key, dice and nonces are the same in each run. A change that should only make
`pbem` faster must therefore leave every byte as it is. The letters answer those that the version under test has sent.
"""

import argparse
import json
import re
import secrets
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from email import message_from_bytes
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime
from hashlib import sha256
from os import utime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ROUND = 100
"""The number of letters in one run, which handles them in groups of fifty."""

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("ozymandia", {"board": board}) for board in ("lattice", "triangles") * 4),
    *(("rocknroll", {"set": name}) for name in ("base", "expansion") * 2),
    ("ozz", {"scenario": "hill"}),
    ("ozz", {"battles": "fast"}),
    ("ozz", {"nations": ["munchkins", "winkies", "quadlings", "gillikins"], "battles": "great"}),
)
NAMES = ("Anna", "Bob", "Clara", "Jürgen", "Eve", "Фёдор", "Gus", "Hana")
TALK = """status|help|help orders|games|withdraw|wait|go|draw|no draw|resign|yes|no|pause|resume|history|resend|resend 1
mute|unmute|my data|language de|language ru|language en|zone Europe/Berlin|vacation 2026-12-24 to 2027-01-02|rematch
observe oz-1|record|join|leave|press: Good luck, and see you in Mu.|gm: The map is hard to read on my phone.
check: 1 A to M|Can I move 3 M to S?|who holds Mu?|when is the deadline?|how far is M from EC?|what did he do last turn?
What happens if I 3 A to M?|Wann ist der Zug fällig?|Кто держит Mu?|Когда срок?|cancle my ordres|How about a draw?
next turn: 3 M to S|turn 4: Pass|withdraw turn 4|orders of turn 2 please|card Bao|Can ZOR reach M2?|hand|Пасую|Pass
Привет!⏎⏎Пас.⏎⏎Спасибо, Фёдор|Ich warte noch.|challenge computer|challenge bob9@example.net|undo|forget me"""
STRANGE = (
    "Hello, what is this?",
    "join",
    "Hallo, wie kann ich mitspielen?",
    "Здравствуйте! Как начать игру?",
    "3 A to M",
    "Buy cheap watches now: http://example.com/",
    "unsubscribe",
    "",
)

_TALK = tuple(TALK.replace("\n", "|").replace("⏎", "\n").split("|"))
_BOUNCE = """\
From: MAILER-DAEMON@mx.example.net
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{number}@mx.example.net>
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="=_r"

--=_r
Content-Type: text/plain

It could not be delivered.
--=_r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; {address}
Action: failed
Status: 5.1.1

--=_r
Content-Type: text/rfc822-headers

{head}
--=_r--
"""


class _Chance:
    """Random bytes for a run, from a generator for each module, so that a module that asks more often affects no other.
    The module that loads matches gets the same bytes throughout a run, because it may load a match any number of
    times."""

    def __init__(self) -> None:
        self._of: dict[str, Random] = {}
        self.run = 0

    def token_bytes(self, length: int = 32) -> bytes:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals["__name__"] in (__name__, "secrets"):
            frame = frame.f_back
        name = frame.f_globals["__name__"]
        if name == "pbem.store.matches":
            name = f"{name} in run {self.run}"
            self._of.pop(name, None)
        return self._of.setdefault(name, Random(name)).randbytes(length)


class Seated(NamedTuple):
    """A seat of a match, its player, and the computer's orders for it, "" if none are awaited."""

    match: int
    seat: str
    person: tuple[str, str]
    orders: str


class Batch:
    """A desk, its correspondents, and the letters that it has sent them."""

    def __init__(self, folder: Path, corpus: list[str], chance: _Chance) -> None:
        from pbem.config.config import Address, load_config, read_key
        from pbem.games import find_game
        from pbem.games.base import seats_of
        from pbem.match.terms import Terms
        from pbem.service.desk import Desk, make_desk
        from pbem.store.database import Store, connect

        self.random, self.corpus, self.chance, self.now, self.written = Random(2026), corpus, chance, NOON, 0
        self.config = load_config(make_desk(folder, rehearsal=True))
        self.store = Store(connect(self.config.database))
        self.got: dict[tuple[int | None, str | None, str], Message] = {}
        self.seen, self.last = 0, b""
        desk = Desk(self.config, self.store, self.now, "", read_key(self.config.desk.key_file))
        for number, (name, options) in enumerate(GAMES, start=1):
            game = find_game(name)
            people = (
                Address(one, f"p{(number * 3 + at) % 20}@example.net") for at, one in enumerate(NAMES[number % 5 :])
            )
            desk.new_game(name, dict(zip(seats_of(game, options), people, strict=False)), options, Terms())

    def poll(self) -> None:
        """Run the desk, and read what it has sent."""
        from pbem.service.tick import poll

        self.now += timedelta(minutes=40)
        self.chance.run += 1
        report = poll(self.config, self.now, lambda text: None)
        self.store.conn.execute("INSERT INTO temp.told VALUES (?)", (json.dumps(report.lines),))
        rows = self.store.conn.execute("SELECT id, match, seat, recipient, raw FROM outbox WHERE id > ?", (self.seen,))
        for number, match, seat, recipient, raw in rows.fetchall():
            self.seen = number
            self.got[match, seat, recipient] = self.got[None, None, recipient] = message_from_bytes(raw)

    def seats(self) -> list[Seated]:
        """Every seat of every match that is offered or running."""
        from pbem.store.matches import load_match, match_numbers

        found = []
        for number in match_numbers(self.store, "running", "offered"):
            match = load_match(self.store, number)
            missing = match.missing() if match.phase == "running" else ()
            for seat, holder in match.holders.items():
                game = match.game
                orders = str(game.choose(game.view(match.state, seat), seat)) if seat in missing else ""
                if holder.player.address:  # the computer has no address
                    found.append(Seated(number, seat, (holder.player.name, holder.player.address), orders))
        return found

    def letters(self, number: int) -> Iterator[bytes]:
        """Yield a number of letters of all kinds."""
        seats: list[Seated] = []
        for _ in range(number):
            if not seats:
                seats = self.seats()
                self.random.shuffle(seats)
            raw = self._letter(seats.pop())
            self.last = self.last if self.random.random() < 0.5 else raw
            yield raw

    def _letter(self, seated: Seated) -> bytes:
        chance = self.random.random()
        if chance < 0.03:
            return self.last or self._stranger()
        if chance < 0.09:
            return self._stranger()
        answered = self.got.get((seated.match, seated.seat, seated.person[1])) or self.got[None, None, seated.person[1]]
        if chance < 0.11:
            return self._bounce(answered, seated.person[1])
        text = self._words(seated)
        return self._answer(answered, seated.person, text)

    def _words(self, seated: Seated) -> str:
        random, chance = self.random, self.random.random()
        if seated.orders and chance < 0.55:
            text = seated.orders
        elif chance < 0.75:
            text = random.choice(self.corpus)
        else:
            text = random.choice(_TALK)
            if random.random() < 0.3:
                text += f"\n{random.choice((seated.orders, *_TALK))}"
        return random.choice(("{}", "{}", "Hi,\n\n{}\n\nBest regards\n{name}", "{}\n\n-- \n{name}, Berlin")).format(
            text, name=seated.person[0]
        )

    def _answer(self, answered: Message, who: tuple[str, str], text: str) -> bytes:
        from pbem.cli.demo import letter_text

        quoted = "".join(f"> {line}\n" for line in letter_text(answered).splitlines())
        quoted = f"On {answered['Date']}, {answered['From']} wrote:\n{quoted}" if self.random.random() < 0.8 else ""
        letter = self._body(text, quoted)
        self._head(letter, who, f"{answered['Reply-To']}", f"Re: {answered['Subject']}")
        letter["In-Reply-To"] = answered["Message-ID"]
        letter["References"] = f"{answered['References'] or ''} {answered['Message-ID']}".strip()
        if self.random.random() < 0.02:
            letter["Auto-Submitted"] = "auto-replied"
        return letter.as_bytes()

    def _body(self, text: str, quoted: str) -> Message:
        """Put a text into the forms that mail programs send: plain, in both forms, only as HTML, or with an
        attachment."""
        chance, plain = self.random.random(), MIMEText(f"{text}\n\n{quoted}", _charset="utf-8")
        if chance < 0.6:
            return plain
        lines = "<br>".join(text.replace("&", "&amp;").replace("<", "&lt;").splitlines())
        marked = quoted.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
        page = MIMEText(
            f"<html><body><div>{lines}</div><blockquote>{marked}</blockquote></body></html>", "html", "utf-8"
        )
        if chance < 0.75:
            return page
        both = MIMEMultipart("alternative", f"=_{self.written}a", [plain, page])
        if chance < 0.93:
            return both
        file = MIMEApplication(self.random.randbytes(2_000), "octet-stream")
        file.add_header("Content-Disposition", "attachment", filename="map.bin")
        return MIMEMultipart("mixed", f"=_{self.written}m", [both, file])

    def _head(self, letter: Message, who: tuple[str, str], to: str, subject: str) -> None:
        self.written += 1
        letter["From"] = f"{who[0]} <{who[1]}>" if who[0].isascii() else who[1]
        letter["To"] = to
        letter["Subject"] = subject
        letter["Date"] = format_datetime(self.now)
        letter["Message-ID"] = f"<{self.written}@example.net>"

    def _stranger(self) -> bytes:
        letter, number = MIMEText(self.random.choice(STRANGE), _charset="utf-8"), self.random.randrange(30)
        self._head(letter, ("", f"stranger{number}@example.com"), "gm@example.org", "Hello")
        return letter.as_bytes()

    def _bounce(self, returned: Message, address: str) -> bytes:
        self.written += 1
        head = "".join(f"{name}: {value}\n" for name, value in returned.items() if name != "Content-Type")
        return _BOUNCE.format(number=self.written, to=returned["Reply-To"], address=address, head=head).encode()

    def deliver(self, letters: Iterable[bytes], kept: Path) -> None:
        """Put letters into the mailbox in order, and a copy of each into a folder."""
        kept.mkdir(parents=True)
        for at, raw in enumerate(letters):
            (kept / f"{at:05}").write_bytes(raw)
            path = self.config.mailbox.place.path / "new" / f"{self.written:05}.Q{at:05}.test"  # type: ignore[union-attr]
            path.write_bytes(raw)
            arrived = int((self.now + timedelta(seconds=at)).timestamp())
            utime(path, (arrived, arrived))


def make(folder: Path, number: int, like: Path | None = None) -> None:
    """Run the batch, with the letters of an earlier batch if `like` names its folder. Write the outcome to files for
    reading and comparing, and print their hashes."""
    chance = _Chance()
    secrets.token_bytes = chance.token_bytes  # before pbem is imported
    shutil.rmtree(folder, ignore_errors=True)
    batch = Batch(folder / "desk", _corpus(), chance)
    from pbem.service import budget, handling, tick

    for timed in (budget, handling, tick):  # so that a slow machine has no effect
        timed.monotonic = lambda: 0.0  # type: ignore[attr-defined]
    batch.store.conn.execute("CREATE TEMP TABLE told (lines TEXT)")
    batch.poll()
    for start in range(0, number, ROUND):
        place = f"letters-in/{start}"
        letters = batch.letters(min(ROUND, number - start)) if like is None else _kept(like / place)
        batch.deliver([*letters], folder / place)
        batch.poll()
    for _ in range(3):  # deadlines and reminders
        batch.now += timedelta(days=2)
        batch.poll()
    told = outcome_of(batch.store.conn)
    for name, text in told.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
        print(f"{sha256(text.encode()).hexdigest()[:16]}  {text.count(chr(10)):7,} lines  {name}")
    outcomes = Counter(
        row[0].partition(":")[0] for row in batch.store.conn.execute("SELECT coalesce(outcome, '') FROM letters")
    )
    print(*(f"{count} {outcome}" for outcome, count in outcomes.most_common()), sep=", ")


def _kept(folder: Path) -> Iterator[bytes]:
    return (path.read_bytes() for path in sorted(folder.iterdir()))


def outcome_of(conn: sqlite3.Connection) -> dict[str, str]:
    """The outgoing letters as people read them, and all rows of each table, by name."""
    told = {
        "letters-out": "".join(
            _shown(*row) for row in conn.execute("SELECT recipient, kind, raw FROM outbox ORDER BY id")
        )
    }
    told["letters-out-bytes"] = _lines(conn.execute("SELECT id, raw FROM outbox ORDER BY id"))
    names = [name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    for name in [*(one for one in names if not re.search("^_|^sqlite_|search", one)), "told"]:
        rows = conn.execute(f"SELECT * FROM {name}")
        columns = [one[0] for one in rows.description]
        told[name] = _lines(
            (
                f"{column}={value}" if not isinstance(value, bytes) else value
                for column, value in zip(columns, row, strict=True)
            )
            for row in rows
        )
    return told


def _lines(rows: Iterable[Iterable[Any]]) -> str:
    return "".join(sorted(" ".join(_cell(one) for one in row) + "\n" for row in rows))


def _cell(value: Any) -> str:
    return f"sha256:{sha256(value).hexdigest()}" if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False)


def _shown(recipient: str, kind: str, raw: bytes) -> str:
    letter = message_from_bytes(raw)
    parts = [part for part in letter.walk() if not part.is_multipart()]
    head = "".join(f"{name}: {value}\n" for name, value in letter.items())
    texts = (part.get_payload(decode=True) for part in parts)
    body = "\n".join(one.decode("utf-8", "replace") for one in texts if isinstance(one, bytes)).replace("><", ">\n<")
    return f"===== {kind} to {recipient}\n{head}\n{body}\n"


def _corpus() -> list[str]:
    """Letters as people write them, from the tests."""
    tests = Path(__file__).parents[1] / "tests"
    found = []
    for name in ("known", "held_out", "attacks"):
        for line in (tests / "orders/corpus" / f"{name}.txt").read_text("utf-8").splitlines():
            if line and line[0] not in "#=":
                found.append(line.rpartition(" | ")[2].replace("⏎", "\n"))
    for game in ("rocknroll", "ozz"):
        for line in (tests / "games" / game / "tolerance.txt").read_text("utf-8").splitlines():
            if line and line[0] not in "#>":
                found.append(line.partition(" = ")[0])
    return found


def compare(old: Path, new: Path) -> int:
    """Print the differences, first of whole files, then of lines without hashes, boundaries and other random
    strings."""
    names = sorted({path.name for folder in (old, new) for path in folder.glob("*.txt")})
    differ = 0
    for name in names:
        before, after = (
            (folder / name).read_text("utf-8") if (folder / name).exists() else "" for folder in (old, new)
        )
        if before == after:
            continue
        differ += 1
        lines = [
            *unified_diff(
                *(_DRAWN.sub("…", one).splitlines() for one in (before, after)),
                f"{old.name}",
                f"{new.name}",
                n=2,
                lineterm="",
            )
        ]
        print(f"{name}: other bytes, {sum(line[:1] in '+-' for line in lines[2:])} lines that differ but for hashes")
        print(*lines[:LINES], sep="\n")
    print("all the same" if not differ else f"{differ} of {len(names)} differ")
    return differ > 0


_DRAWN = re.compile(r"=_[0-9a-f]{32}|\b(?:sha256:)?[0-9a-f]{16,}\b|\.[a-z2-7]{16,}(?=@)")
LINES = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "compare"))
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--letters", type=int, default=1_000)
    parser.add_argument("--like", type=Path, metavar="FOLDER", help="write the same letters as a batch made before")
    given = parser.parse_args()
    if given.what == "make":
        make(given.folders[0], given.letters, given.like)
    else:
        sys.exit(compare(*given.folders))


if __name__ == "__main__":
    main()
