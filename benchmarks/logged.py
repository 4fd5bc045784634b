"""The log of a desk: runs of a desk with a thousand games that write a line for each event, compared with runs that
write none."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.installation import Installation, installation
from benchmarks.report import Row
from pbem.config.config import Address, load_config, read_key
from pbem.match.terms import read_terms
from pbem.service.desk import Desk, make_desk
from pbem.service.tick import clock
from pbem.store.database import Store, connect

GAMES, LETTERS, RUNS = 1_000, 20, 30
_TERMS = {"zone": "UTC", "deadline": "7 days"}


def measure() -> Iterator[Row]:
    """Poll two equal desks in alternation, one with a log and one without: with some letters in each run, and with
    none. The figures are the medians of the CPU times."""
    ours = installation()
    with TemporaryDirectory(prefix="pbem-bench-") as name:
        silent, logged = (Path(name) / kind for kind in ("silent", "logged"))
        _make(silent)
        shutil.copytree(silent, logged)
        config = logged / "config.ini"
        config.write_text(config.read_text().replace("log = none", "log = file"))
        for what, letters in ((f"run with {LETTERS} letters, with a log: CPU", LETTERS), ("  with no letters: CPU", 0)):
            off, on = (median(taken) * 1000 for taken in _in_turns(ours, (silent, logged), letters))
            yield Row(what, on, "ms", "without a log", off, "<= 1.03 x", on <= 1.03 * off)
        assert (logged / "pbem.log").read_text().count("is read") >= LETTERS * RUNS


def _in_turns(ours: Installation, desks: tuple[Path, Path], letters: int) -> tuple[list[float], list[float]]:
    """Return the CPU seconds of the runs of each desk, without the first three, which warm up."""
    taken: tuple[list[float], list[float]] = ([], [])
    for round_ in range(RUNS + 3):
        for desk, times in list(zip(desks, taken, strict=True))[:: 1 if round_ % 2 else -1]:
            _deliver(desk, letters)
            times.append(ours.run(ours.pbem, "--config", desk / "config.ini", "poll").cpu)
    return taken[0][3:], taken[1][3:]


_numbers = count(1)


def _deliver(desk: Path, letters: int) -> None:
    """Put letters of players into the mailbox of a desk, each with words of its own."""
    for _ in range(letters):
        number = next(_numbers)
        letter = f"From: red@example.net\nTo: gm@example.org\nMessage-ID: <{number}@example.net>\n\nstatus {number}\n"
        (desk / "mail/in/new" / f"1795262400.Q{number}.bench").write_text(letter)


def _make(folder: Path) -> None:
    """Make a desk on Maildirs with games that wait for both sides, and whose first letters have gone out."""
    config = load_config(make_desk(folder))
    store = Store(connect(config.database))
    desk = Desk(config, store, clock(), "", read_key(config.desk.key_file))
    seats = {seat: Address(seat.title(), f"{seat}@example.net") for seat in ("red", "blue")}
    with store.transaction():
        for _ in range(GAMES):
            desk.new_game("ozymandia", seats, {}, read_terms(_TERMS))
        store.conn.execute("UPDATE outbox SET sent = made")
    store.conn.close()
