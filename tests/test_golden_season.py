"""A season of eight players, played by letters: the whole correspondence, kept as a transcript.

The clock stands still but for what the script says; the desk is a real one, so that gaps between its runs count.
A change that is meant is written down by `PBEM_REWRITE_GOLDEN=1 pytest tests/test_golden_season.py`;
read the difference.
"""

import json
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import parseaddr
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
from support.paths import GOLDEN

SEASON = GOLDEN / "season.txt"
KEY = "00112233445566778899aabbccddeeff" * 2
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan")
PEOPLE = {name: Address(name, f"{name.lower()}@example.net") for name in NAMES}
MASTER = Address("Gina", "gina@example.org")
PLAYERS = NAMES[:8]

LEAGUE = (GOLDEN / "season.toml").read_text("utf-8")
"""Sundays at eight in the evening, by the clock on the wall; on 25 October 2026 summer time ends."""


class Season:
    """A desk, eight players with their mail programs, a game master, and all they write to each other."""

    def __init__(self, folder: Path) -> None:
        self.path = make_desk(folder)
        text = self.path.read_text("utf-8").replace("cooling_off = 10 minutes", "cooling_off = 0")
        self.path.write_text(text, "utf-8")
        (folder / "pbem.key").write_text(f"{KEY}\n")
        self.config = load_config(self.path)
        self.store = Store(connect(self.config.database))
        self.now = datetime(2026, 10, 17, 12, 0, tzinfo=UTC)
        self.lines: list[str] = []
        self.got: dict[str, list[Message]] = {}
        self._written = self._seen = 0

    # The clock and the desk

    def run(self) -> None:
        """What cron does every five minutes."""
        self.now += timedelta(minutes=5)
        report = poll(self.config, self.now, lambda text: None)
        assert report.well, report.lines
        self._read()

    def pass_days(self, until: datetime) -> None:
        """The desk runs every quarter of an hour: few letters come, and many deadlines."""
        while self.now + timedelta(minutes=15) < until:
            self.now += timedelta(minutes=10)
            self.run()

    def be_down(self, until: datetime) -> None:
        """Nothing runs."""
        self.lines.append(f"*** The desk is down until {until:%a %d %b %H:%M} UTC\n")
        self.now = until

    # Letters

    def write(self, who: str, text: str, about: Callable[[Message], bool] = lambda letter: True) -> None:
        """Somebody answers his last letter, or his last one of some kind."""
        person = MASTER if who == "Gina" else PEOPLE[who]
        letter = next(letter for letter in reversed(self.got[person.address]) if about(letter))
        inbox = self.config.mailbox.place
        assert isinstance(inbox, Maildir)
        self._written += 1
        name = f"{self.now.timestamp():.0f}.Q{self._written}.test"
        (inbox.path / "new" / name).write_bytes(answer_letter(letter, person, text, self.now).as_bytes())
        self._tell(f"{who} answers", text)

    def _read(self) -> None:
        for number, raw in self.store.conn.execute(
            "SELECT id, raw FROM outbox WHERE id > ? ORDER BY id", (self._seen,)
        ).fetchall():
            self._seen = number
            letter = message_from_bytes(raw)
            name, address = parseaddr(letter["To"])
            self.got.setdefault(address.lower(), []).append(letter)
            text = re.sub(r"(?m)^(\*) [0-9a-f]{64}$", r"\1 (the head of the record)", with_seals(raw))
            self._tell(f"To {name}: {letter['Subject']}", without_maps(text))

    def _tell(self, head: str, text: str) -> None:
        self.lines += [f"=== {self.now:%a %d %b %H:%M} UTC, {head}", "", text.strip(), ""]

    # The game master, and what the tests look at

    def found(self, file: str) -> None:
        self.lines.append(f"*** {self.now:%a %d %b %H:%M} UTC, the league is founded\n")
        desk = self.desk
        with self.store.transaction():
            league_rounds.found(desk, parse_league(file, desk.terms))

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
        """The games that are played, and who sits where."""
        rows = self.store.conn.execute("SELECT name FROM matches WHERE phase = 'running' ORDER BY id").fetchall()
        found = {name: self.match(name).holders for (name,) in rows}
        return {name: (holders["red"].name, holders["blue"].name) for name, holders in found.items()}

    def pbem(self, *words: str) -> str:
        done = CliRunner().invoke(main, ["--config", str(self.path), *words])
        assert done.exit_code == 0, done.output
        return done.output


MAP_LINE = re.compile(r"[ |:]*$|[ ]*[+(|=#:][^a-z]|.* City   .*")
"""A line of the map or of its legend, or an empty one within."""


def without_maps(text: str) -> str:
    """A letter's text with its maps left out: the golden game shows them."""
    blocks = re.split(r"(?m)^(The board .*|If nobody else .*)\n", text)
    for at in range(2, len(blocks), 2):
        lines = blocks[at].splitlines()
        end = next((n for n, line in enumerate(lines) if not MAP_LINE.match(line)), len(lines))
        blocks[at] = "\n".join([blocks[at - 1], "(map)", "", *lines[end:]])
        blocks[at - 1] = ""
    return "".join(blocks)


def about(game: str) -> Callable[[Message], bool]:
    return lambda letter: game in letter["Subject"] and letter["Reply-To"] != "gm@example.org"


def play(folder: Path) -> Season:
    """The script of the season."""
    season = Season(folder)
    season.found(LEAGUE)
    season.run()
    first = list(season.games())
    _first_round(season, *first)
    second = [name for name in season.games() if name not in first]
    _second_round(season, *second)
    season.store.conn.close()
    return season


def _first_round(season: Season, one: str, two: str, three: str, four: str) -> None:
    """From Saturday 17 October; the first turn is due on Sunday the 18th or 25th, when summer time ends."""
    seats = season.games()
    for game in (one, two):  # early turns keep the grid
        for who in seats[game]:
            season.write(who, "Pass", about(game))
    red, blue = seats[three]
    season.write(red, "vacation 20 October to 30 October", about(three))
    season.run()
    season.write(blue, "Pass", about(three))
    red, blue = seats[four]
    season.write(red, "Pass", about(four))  # blue is late: a reminder, the grace, then the turn without him
    season.write(seats[one][0], "draw", about(one))
    season.write(seats[two][1], "resign", about(two))
    season.run()
    season.write(seats[one][1], "draw", about(one))
    season.write(seats[two][1], "yes", about(two))
    season.run()
    season.pass_days(datetime(2026, 10, 26, 6, 0, tzinfo=UTC))
    season.decide("rollback", four, "1", reason="the mail of one side was lost")
    season.decide("replace", four, f"blue with Ivan <{PEOPLE['Ivan'].address}>", reason="the other one has no time")
    season.run()
    season.write("Ivan", "Pass", about(four))
    season.write(red, "Pass", about(four))
    season.run()
    season.pass_days(datetime(2026, 11, 1, 10, 0, tzinfo=UTC))
    season.be_down(datetime(2026, 11, 3, 10, 0, tzinfo=UTC))  # over a deadline
    season.run()
    for _ in range(2):
        for game in (three, four):
            for who in season.games().get(game, ()):
                season.write(who, "Pass", about(game))
        season.run()
    season.run()


def _second_round(season: Season, *games: str) -> None:
    for _ in range(3):
        for game in games:
            for who in season.games().get(game, ()):
                season.write(who, "Pass", about(game))
        season.run()
    season.run()


def test_a_season_is_told_as_it_was_told_before(tmp_path: Path) -> None:
    season = play(tmp_path / "desk")
    told = "\n".join(season.lines) + "\n"
    if "PBEM_REWRITE_GOLDEN" in os.environ:
        SEASON.write_text(told)
    assert told == SEASON.read_text()
    standings = json.loads(season.pbem("league", "standings", "Autumn", "--json"))
    assert {row["player"] for row in standings} >= set(PLAYERS) - {"Heidi"}
    assert sum(row["played"] for row in standings) == 16
