"""A season played by letters: a real desk whose clock is set by a script, people with their mail programs, a game
master, and all letters between them."""

import os
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.utils import format_datetime, parseaddr
from pathlib import Path

from click.testing import CliRunner

from pbem.cli.demo import answer_letter
from pbem.cli.main import main
from pbem.config.config import Address, Maildir, load_config, read_key
from pbem.leagues.league_file import parse_league
from pbem.mail.letters import with_seals
from pbem.match.model import Match
from pbem.orders.command import Decision
from pbem.service import league_rounds
from pbem.service.desk import Desk, make_desk
from pbem.service.tick import poll
from pbem.store.database import Store, connect, look
from pbem.store.matches import find_match, load_match
from pbem.store.outbox import made_after

KEY = "00112233445566778899aabbccddeeff" * 2
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Jakob", "Klara", "Lena")
MASTER = Address("Gina", "gina@example.org")
PEOPLE = {"Gina": MASTER, **{name: Address(name, f"{name.lower()}@example.net") for name in NAMES}}


class Season:
    """A desk, players with their mail programs, a game master, and all letters between them."""

    def __init__(self, folder: Path, begins: datetime, *, by_master: bool = False) -> None:
        self.path = make_desk(folder)
        text = self.path.read_text("utf-8").replace("cooling_off = 10 minutes", "cooling_off = 0")
        text = text.replace("# game_master = ", "game_master = Gina <gina@example.org>\n# ") if by_master else text
        self.path.write_text(text, "utf-8")
        (folder / "pbem.key").write_text(f"{KEY}\n")
        self.config = load_config(self.path)
        self.store = Store(connect(self.config.database))
        self.now = begins
        self.lines: list[str] = []
        self.got: dict[str, list[Message]] = {}
        self._written = self._seen = 0

    # The clock and the desk

    def run(self) -> None:
        """Do what cron does every five minutes."""
        self.now += timedelta(minutes=5)
        report = poll(self.config, self.now, lambda text: None, self.store)
        assert (report.well, report.aside) == (True, False), report.lines
        self._read()

    def pass_days(self, until: datetime) -> None:
        """Run the desk every quarter of an hour, because few letters come and many deadlines."""
        while self.now + timedelta(minutes=15) < until:
            self.now += timedelta(minutes=10)
            self.run()

    def be_down(self, until: datetime) -> None:
        """Let time pass without running anything."""
        self.lines.append(f"*** The desk is down until {until:%a %d %b %H:%M} UTC\n")
        self.now = until

    # Letters

    def write(self, who: str, text: str, about: Callable[[Message], bool] = lambda letter: True) -> None:
        """Have a person answer their last letter, or the last one that fits `about`."""
        letter = next(letter for letter in reversed(self.got[PEOPLE[who].address]) if about(letter))
        self._deliver(answer_letter(letter, PEOPLE[who], text, self.now))
        self._tell(f"{who} answers", text)

    def send(self, who: str, text: str) -> None:
        """Have a person write a letter that answers none."""
        letter = EmailMessage()
        letter["From"], letter["To"] = f"{who} <{PEOPLE[who].address}>", self.config.outgoing.sender.address
        letter["Subject"], letter["Date"] = "Hello", format_datetime(self.now)
        letter["Message-ID"] = f"<{self._written}@{PEOPLE[who].address}>"
        letter.set_content(text)
        self._deliver(letter)
        self._tell(f"{who} writes", text)

    def _deliver(self, letter: Message) -> None:
        inbox = self.config.mailbox.place
        assert isinstance(inbox, Maildir)
        self._written += 1
        name = f"{self.now.timestamp():.0f}.Q{self._written}.test"
        (inbox.path / "new" / name).write_bytes(letter.as_bytes())

    def _read(self) -> None:
        for number, _, raw in made_after(self.store, self._seen):
            self._seen = number
            letter = message_from_bytes(raw)
            name, address = parseaddr(letter["To"])
            self.got.setdefault(address.lower(), []).append(letter)
            text = re.sub(r"(?m)^(\*) [0-9a-f]{64}$", r"\1 (the head of the record)", with_seals(raw))
            self._tell(f"To {name}: {letter['Subject']}", without_maps(text))

    def _tell(self, head: str, text: str) -> None:
        self.lines += [f"=== {self.now:%a %d %b %H:%M} UTC, {head}", "", text.strip(), ""]

    # The game master, and the views of the tests

    def found(self, file: str) -> None:
        self.lines.append(f"*** {self.now:%a %d %b %H:%M} UTC, the league is founded\n")
        desk = self.desk
        with self.store.transaction():
            league_rounds.found_league(desk, parse_league(file, desk.terms))

    def decide(self, word: str, game: str, argument: str = "", reason: str = "it is only right") -> None:
        self.lines.append(f"*** {self.now:%a %d %b %H:%M} UTC, the game master: {word} {game} {argument}\n")
        self.desk.decide(Decision(word, game, argument, reason))

    @property
    def desk(self) -> Desk:
        last_run = look(self.store.conn, self.now).last_run
        return Desk(self.config, self.store, self.now, last_run, read_key(self.config.desk.key_file))

    def match(self, name: str) -> Match:
        return load_match(self.store, find_match(self.store, name))

    def games(self) -> dict[str, tuple[str, str]]:
        """The games being played, and the players of their seats."""
        rows = self.store.conn.execute("SELECT name FROM matches WHERE phase = 'running' ORDER BY id").fetchall()
        found = {name: self.match(name).holders for (name,) in rows}
        return {name: (holders["red"].name, holders["blue"].name) for name, holders in found.items()}

    def called(self, game: str, seat: str) -> str:
        """The name of the person who plays a seat, in an anonymous game too."""
        return self.match(game).holders[seat].own_name

    def pbem(self, *words: str) -> str:
        done = CliRunner().invoke(main, ["--config", str(self.path), *words])
        assert done.exit_code == 0, done.output
        return done.output


MAP_LINE = re.compile(r"[ |:]*$|[ ]*[+(|=#:][^a-z]|.* City   .*")
"""A line of the map or its legend, or an empty one between them."""


def without_maps(text: str) -> str:
    """A letter's text without its maps, which the golden game shows."""
    blocks = re.split(r"(?m)^(The board\b.*)\n", text)
    for at in range(2, len(blocks), 2):
        lines = blocks[at].splitlines()
        end = next((n for n, line in enumerate(lines) if not MAP_LINE.match(line)), len(lines))
        blocks[at] = "\n".join([blocks[at - 1], "(map)", "", *lines[end:]])
        blocks[at - 1] = ""
    return "".join(blocks)


def about(game: str) -> Callable[[Message], bool]:
    return lambda letter: game in letter["Subject"] and letter["Reply-To"] != "gm@example.org"


def check_transcript(season: Season, file: Path) -> None:
    """Check that a season is told as its transcript in `file` says, or write that down if this is asked for."""
    told = "\n".join(season.lines) + "\n"
    if "PBEM_REWRITE_GOLDEN" in os.environ:
        file.write_text(told)
    assert told == file.read_text()
