"""Runs of a big desk as whole processes: with nothing due, compared with a desk of one game, and with 500 turns due."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.installation import Installation, installation
from benchmarks.report import Row
from benchmarks.servers import smtp_sink
from pbem.config.config import Address, load_config, read_key
from pbem.match.terms import read_terms
from pbem.service.desk import Desk, make_desk
from pbem.service.tick import clock
from pbem.store.database import Store, connect
from pbem.times.moments import stamp, whole_minute

LEAGUES, OPEN, FINISHED = 200, 10_000, 100_000
RUNS = 30
DUE, ROUNDS = 500, 3
ZONE = "Europe/Berlin"
TERMS = {"zone": ZONE, "deadline": "3 days", "remind": ["1 day"], "grace": "none", "extensions": 0, "forfeit": 3}

_SEND = """
import json
import smtplib
import sys

with smtplib.SMTP("127.0.0.1", int(sys.argv[1]), local_hostname="example.org") as smtp:
    for recipient, size in json.load(open(sys.argv[2])):
        smtp.sendmail("", [recipient], b"x" * 70 + (b"\\r\\n" + b"x" * 70) * (size // 72))
"""


def measure() -> Iterator[Row]:
    """The medians of idle runs on both desks in alternation; then the best of several rounds with turns due."""
    ours = installation()
    with smtp_sink() as port, TemporaryDirectory(prefix="pbem-bench-") as name:
        folder = Path(name)
        single, big = _desk(folder / "single", port), _desk(folder / "big", port)
        _fill(big.with_name("pbem.db"))
        yield from _idle(ours, single, big)
        yield _new_day(ours, big)
        yield from _due(ours, big, port)


def _idle(ours: Installation, single: Path, big: Path) -> Iterator[Row]:
    taken = [[ours.run(ours.pbem, "--config", config, "poll").seconds for config in (single, big)] for _ in range(RUNS)]
    one, many = (median(column) * 1000 for column in zip(*taken[3:], strict=True))
    yield Row(
        "run, 10,000 games, nothing due", many, "ms", "a desk with one game", one, "<= 1.15 x", many <= 1.15 * one
    )


def _new_day(ours: Installation, big: Path) -> Row:
    """Time the first run of a day, which looks deadlines up again in their time zones."""
    first, others = [], []
    for _ in range(ROUNDS):
        with closing(sqlite3.connect(big.with_name("pbem.db"), isolation_level=None)) as db:
            db.execute("UPDATE desk SET value = ? WHERE key = 'last_run'", (stamp(clock() - timedelta(days=1)),))
        first.append(ours.run(ours.pbem, "--config", big, "poll").cpu * 1000)
        others.append(ours.run(ours.pbem, "--config", big, "poll").cpu * 1000)
    cpu, other = min(first), min(others)
    return Row("  first run of a day: CPU", cpu, "ms", "another run", other, "<= 1.3 x", cpu <= 1.3 * other)


def _due(ours: Installation, big: Path, port: int) -> Iterator[Row]:
    runs = [_due_run(ours, big, port, round_) for round_ in range(ROUNDS)]
    speed = DUE / min(seconds for seconds, _ in runs)
    beside = DUE / min(seconds for _, seconds in runs)
    yield Row("games due, played and told", speed, "a second", "send alone", beside, ">= 150", speed >= 150)


def _due_run(ours: Installation, big: Path, port: int, round_: int) -> tuple[float, float]:
    """The seconds of a run with turns due, half of which lack a letter; and the seconds to send as many letters."""
    first = 2 + round_ * DUE
    with closing(sqlite3.connect(big.with_name("pbem.db"), isolation_level=None)) as db:
        wall = whole_minute(clock()) - timedelta(minutes=2)
        db.execute(
            "UPDATE matches SET deadline = ?, due = ? WHERE id BETWEEN ? AND ?",
            (f"{wall:%Y-%m-%dT%H:%M} UTC", stamp(wall), first, first + DUE - 1),
        )
        (sent,) = db.execute("SELECT max(id) FROM outbox").fetchone()
        seconds = ours.run(ours.pbem, "--config", big, "poll").seconds
        letters = db.execute("SELECT recipient, length(raw) FROM outbox WHERE id > ? AND sent > ''", (sent,)).fetchall()
        assert len(letters) == 2 * DUE, len(letters)
    (script := big.with_name("send.py")).write_text(_SEND)
    (sizes := big.with_name("letters.json")).write_text(json.dumps(letters))
    return seconds, ours.run(ours.python, script, port, sizes).seconds


def _desk(folder: Path, port: int) -> Path:
    """A desk with one game that waits for both sides; the path of its configuration."""
    path = make_desk(folder)
    path.write_text(path.read_text().replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{port}"))
    config = load_config(path)
    store = Store(connect(config.database))
    desk = Desk(config, store, clock(), "", read_key(config.desk.key_file))
    seats = {seat: Address(seat.title(), f"{seat}@example.net") for seat in ("red", "blue")}
    desk.new_game("ozymandia", seats, {}, read_terms(TERMS))
    store.conn.execute("UPDATE outbox SET sent = made")
    store.conn.close()
    return path


def _fill(path: Path) -> None:
    """Add leagues, waiting games and an archive, copied from the game already there. Red has written in every game,
    blue in every second one."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"""
            BEGIN;
            CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS
                (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {OPEN + FINISHED + 1}) SELECT i FROM n;
            CREATE TEMP TABLE open AS SELECT i FROM n WHERE i <= {OPEN + 1};
            CREATE TEMP TABLE over AS SELECT i FROM n WHERE i > {OPEN + 1};
            INSERT INTO leagues (name, settings)
                SELECT 'league-' || i, '{{"name": "L", "format": "swiss"}}' FROM n LIMIT {LEAGUES};
            INSERT INTO players (id, name, since, confirmed) SELECT i + 10, 'Player ' || i, '', '' FROM n LIMIT 4000;
            INSERT INTO addresses (address, written, player, confirmed)
                SELECT 'p' || id || '@example.net', 'p' || id || '@example.net', id, '' FROM players WHERE id > 10;
            INSERT INTO matches (id, name, game, options, rules, state, phase, turn, waiting, terms, deadline, began,
                                 due, league, winner, reason, since, ended)
                SELECT i, 'oz-' || i, game, options, rules, state, phase, turn, waiting, terms, deadline, began, due,
                       i % {LEAGUES} + 1, NULL, NULL, since, NULL FROM open, matches WHERE id = 1
                UNION ALL
                SELECT i, 'oz-' || i, game, options, rules, state, 'finished', 9, 1, terms, NULL, NULL, NULL,
                       i % {LEAGUES} + 1, 'red', 'Red holds five cities.', since, since FROM over, matches WHERE id = 1;
            INSERT INTO seats (match, seat, player, name, accepted)
                SELECT i, 'red', 12 + i % 2000, 'Player', '' FROM n
                UNION ALL SELECT i, 'blue', 2012 + i % 2000, 'Player', '' FROM n;
            INSERT INTO orders (match, turn, seat, state, number, written, canonical)
                SELECT i, 1, 'red', 'standing', 1, '3 A to M', '3 A to M' FROM open
                UNION ALL SELECT i, 1, 'blue', 'standing', 1, '3 H to S', '3 H to S' FROM open WHERE i % 2
                UNION ALL SELECT i, 8, 'red', 'played', 1, 'Pass', 'Pass' FROM over;
            INSERT INTO turns (match, turn, before, orders, after, events, rules, played)
                SELECT i, 8, '', '{{}}', '', '', '1', '' FROM over;
            INSERT INTO attendance (match, turn, seat, player, missed) SELECT i, 8, 'red', 12, 0 FROM over;
            INSERT INTO letters (sha256, arrived, size, raw, state, sender, message_id, words, match, seat, turn)
                SELECT 'hash' || i, '', 0, X'', 'handled', 'p12@example.net', i || '@x', '', i, 'red', 8 FROM over;
            INSERT INTO outbox (message_id, match, seat, player, kind, recipient, envelope, raw, made, due, sent)
                SELECT 'x' || i, i, 'red', 12, 'report', 'p12@example.net', '', X'', '', '', '2026' FROM over;
            INSERT INTO record (id, at, kind, match, digest, hash) SELECT 100 + i, '', 'turn', i, '', '' FROM over;
            INSERT INTO record_contents SELECT 100 + i, X'', '' FROM over;
            UPDATE matches SET waiting = 1;
            COMMIT;
        """)
