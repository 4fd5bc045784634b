"""The archive of a desk with 10,000 finished games: built, rebuilt after one more turn, and rebuilt without any
changes."""

import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.installation import Installation, installation
from benchmarks.positions import some_orders
from benchmarks.report import Row
from pbem.games.ozymandia.board import SHIPPED
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.rules import resolve, result
from pbem.games.ozymandia.state import SEATS, dump, set_up
from pbem.service.desk import make_desk
from pbem.times.moments import stamp

GAMES, PLAYERS, TURNS = 10_000, 500, 25
DIFFERENT = 40
"""The number of games that are really played; the others are copies with different players."""

_BEGIN = datetime(2000, 1, 1, 12, 0, tzinfo=UTC)


class _Turn(NamedTuple):
    """A row of `turns` without its match: the number, and JSON of the states, orders and events."""

    number: int
    before: str
    orders: str
    after: str
    events: str


def measure(games: int = GAMES) -> Iterator[Row]:
    """Time one build of each kind. With fewer `games`, the target for the first build shrinks in proportion."""
    ours, share = installation(), games / GAMES
    with TemporaryDirectory(prefix="pbem-bench-") as name:
        config, site = make_desk(Path(name) / "desk"), Path(name) / "site"
        fill(config.with_name("pbem.db"), games)
        first = _build(ours, config, site)
        pages = [path.stat().st_size for path in (site / "games").iterdir()]
        yield Row(
            f"archive of {games:,} games",
            first.seconds,
            "s",
            target=f"<= {600 * share:g} s",
            met=first.seconds <= 600 * share,
        )
        yield Row("  peak memory", first.megabytes, "MB", target="< 300 MB", met=first.megabytes < 300)
        size = max(pages) / 1000
        yield Row(f"  biggest page of a game of {TURNS} turns", size, "kB", target="< 150 kB", met=size < 150)
        one_more_turn(config.with_name("pbem.db"))
        again = _build(ours, config, site)
        yield Row("  after one more turn", again.seconds, "s", target="< 5 s", met=again.seconds < 5)
        yield Row("  with nothing new", _build(ours, config, site).seconds, "s")


def _build(ours: Installation, config: Path, site: Path) -> Any:
    return ours.run(ours.pbem, "--config", config, "archive", "build", site)


def fill(path: Path, games: int) -> None:
    """Store finished games, and before them a running one, as a desk has them after years of play."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        people = range(1, PLAYERS + 1)
        db.executemany("INSERT INTO players (id, name, since) VALUES (?, ?, '')", ((n, f"Player {n}") for n in people))
        played = [_play(random.Random(seed), SHIPPED[seed % len(SHIPPED)]) for seed in range(DIFFERENT)]
        for number in range(1, games + 1):
            _insert(db, number, played[number % DIFFERENT], over=number > 1)
        db.execute("COMMIT")


def one_more_turn(path: Path) -> None:
    """Add a turn to the first game."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (number,) = db.execute("SELECT max(turn) FROM turns WHERE match = 1").fetchone()
        db.execute(
            "INSERT INTO turns (match, turn, before, orders, after, events, rules, played)"
            " SELECT match, turn + 1, after, '{}', after, '[]', rules, played FROM turns WHERE match = 1 AND turn = ?",
            (number,),
        )
        db.execute("UPDATE matches SET turn = turn + 1 WHERE id = 1")


def _play(chance: random.Random, board: str) -> Sequence[_Turn]:
    """Play a game with random orders for both sides until they agree to a draw."""
    state, turns = set_up({"board": board}), []
    while len(turns) < TURNS:
        chosen = {seat: some_orders(chance, state, seat, range(1, 4)) or Orders() for seat in SEATS}
        ruling = resolve(state, chosen)
        if result(ruling.state) is None:
            orders = {seat: {"written": str(one), "canonical": str(one)} for seat, one in chosen.items()}
            turns.append(_Turn(state.turn, *map(json.dumps, (dump(state), orders, dump(ruling.state), ruling.events))))
            state = ruling.state
    return turns


def _insert(db: sqlite3.Connection, number: int, turns: Sequence[_Turn], *, over: bool) -> None:
    began = _BEGIN + timedelta(days=number)
    db.execute(
        """INSERT INTO matches (id, name, game, options, rules, state, phase, turn, waiting, reason, since, ended)
           VALUES (?, ?, 'ozymandia', '{}', '1', ?, ?, ?, 1, ?, ?, ?)""",
        (
            number, f"oz-{number}", turns[-1].after, "finished" if over else "running", len(turns) + 1,
            "Both sides have agreed to a draw." if over else None, stamp(began),
            stamp(began + timedelta(days=3 * len(turns))) if over else None,
        ),
    )  # fmt: skip
    for side, seat in enumerate(SEATS):
        player = (number * (7 + side * 4) + side) % PLAYERS + 1
        db.execute(
            "INSERT INTO seats (match, seat, player, name, accepted) VALUES (?, ?, ?, ?, '')",
            (number, seat, player, f"Player {player}"),
        )
    db.executemany(
        """INSERT INTO turns (match, turn, before, orders, after, events, rules, played)
           VALUES (?, ?, ?, ?, ?, ?, '1', ?)""",
        ((number, *turn, stamp(began + timedelta(days=3 * turn.number))) for turn in turns),
    )
    kinds = ["game", *["orders", "orders", "turn", "letter out", "letter out"] * len(turns)]
    db.executemany(
        "INSERT INTO record (at, kind, match, digest, hash) VALUES (?, ?, ?, '', '')",
        ((stamp(began), kind, number) for kind in kinds),
    )
