"""A flood of letters in a Maildir: peak memory, growth under `watch`, and how soon a turn is played in spite of it."""

import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from signal import SIGTERM
from tempfile import TemporaryDirectory

from benchmarks.installation import Installation, installation
from benchmarks.letters import Invitations, letter_to, new_games
from benchmarks.report import Row
from pbem.service.desk import make_desk

GAMES, LETTERS, MAILBOX = 500, 10_000, 100_000
_ROUNDS = 10
_PATIENCE = 300.0  # seconds


def measure() -> Iterator[Row]:
    """Measure the program as users install it."""
    return flooded(installation(), GAMES, LETTERS, MAILBOX)


def flooded(ours: Installation, games: int, letters: int, mailbox: int) -> Iterator[Row]:
    """Measure `letters` letters in `games` games, and a mailbox of `mailbox` letters, almost all from strangers."""
    with TemporaryDirectory(prefix="pbem-bench-") as name:
        folder = Path(name)
        yield _memory(ours, _Desk(folder / "memory", games), letters)
        yield _growth(ours, _Desk(folder / "watch", games), letters)
        yield _first_turn(ours, _Desk(folder / "mailbox", 1), mailbox)


class _Desk:
    """A desk on a Maildir with players who never stop writing."""

    def __init__(self, folder: Path, games: int) -> None:
        self.config = make_desk(folder)
        self.config.write_text(self.config.read_text().replace("cooling_off = 10 minutes", "cooling_off = 0"))
        self.invitations: Invitations = new_games(self.config, games)
        self._random, self._written = Random(1981), 0

    def write(self, number: int) -> None:
        """Deliver a number of letters, from each seat in turn. Only red writes orders, so no turn is played."""
        for (_, seat), raw in list(self.invitations.items()) * (number // len(self.invitations) + 1):
            if number:
                number -= 1
                words = f"{self._random.randint(1, 3)} A to M" if seat == "red" else "status"
                self.deliver(letter_to(self._random, seat, raw, words))

    def deliver(self, letter: bytes) -> None:
        self._written += 1
        place = self.config.parent / "mail" / "in"
        (place / "tmp" / "letter").write_bytes(letter)
        (place / "tmp" / "letter").rename(place / "new" / f"{self._written:07}.Q{self._written}.bench")

    def count(self, table: str) -> int:
        with closing(sqlite3.connect(self.config.with_name("pbem.db"))) as db:
            return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _memory(ours: Installation, desk: _Desk, letters: int) -> Row:
    desk.write(letters)
    run = ours.run(ours.pbem, "--config", desk.config, "poll")
    assert desk.count("letters WHERE state = 'handled'") == letters
    return Row(
        f"{letters:,} letters in one run: memory", run.megabytes, "MB", target="< 100 MB", met=run.megabytes < 100
    )


def _growth(ours: Installation, desk: _Desk, letters: int) -> Row:
    """The growth of `watch` in memory between the second and the last tenth of the letters."""
    sizes = []
    with subprocess.Popen([ours.pbem, "--config", desk.config, "watch"], stdout=subprocess.DEVNULL) as watch:
        for tenth in range(1, _ROUNDS + 1):
            desk.write(letters // _ROUNDS)
            _wait_until(lambda: desk.count("letters WHERE state = 'handled'") == tenth * (letters // _ROUNDS))  # noqa: B023
            sizes.append(_resident(watch.pid))
        watch.send_signal(SIGTERM)
    grown = sizes[-1] - sizes[1]
    return Row(f"  {letters:,} letters under watch: growth", grown, "MB", target="< 5 MB", met=grown < 5)


def _first_turn(ours: Installation, desk: _Desk, letters: int) -> Row:
    for number in range(letters):
        desk.deliver(b"From: s%d@example.net\nMessage-ID: <%d@x>\n\nHello, what is this?\n" % (number, number))
    for (_, seat), raw in desk.invitations.items():
        desk.deliver(letter_to(Random(1981), seat, raw, "Pass"))
    began = time.monotonic()
    with subprocess.Popen([ours.pbem, "--config", desk.config, "poll"], stdout=subprocess.DEVNULL) as run:
        _wait_until(lambda: desk.count("turns") > 0)
        seconds = time.monotonic() - began
        run.terminate()
    return Row(f"first turn beside {letters:,} letters", seconds, "s", target="< 60 s", met=seconds < 60)


def _resident(process: int) -> float:
    """The resident memory of a process in megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1_000_000


def _wait_until(done: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not done():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.1)
