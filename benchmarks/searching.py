"""Searches in an archive of 10,000 finished games of 25 turns, with orders written by two bots."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.positions import questions
from benchmarks.report import Row
from pbem.store.database import Store
from pbem.store.search import search

GAMES, TURNS, ROUNDS = 10_000, 25, 5
_TEXTS = {
    "a phrase": "3 A to MC",
    "a bombardment": "Bomb EC",
    "what half of all turns hold": "Pass",
    "two items that often occur and seldom together": "2 H to S, 2 M to A",
    "a name": "Player 77",
    "nothing": "99 A to MC",
}


def measure() -> Iterator[Row]:
    """The slowest of some searches, each the best of several rounds, compared with reading a row by its key."""
    with TemporaryDirectory(prefix="pbem-bench-") as folder:
        store = _archive(Path(folder) / "pbem.db")
        taken = {what: _milliseconds(lambda text=text: search(store, text, 50)) for what, text in _TEXTS.items()}
        beside = _milliseconds(lambda: store.conn.execute("SELECT * FROM turns WHERE id = 77").fetchall())
        what = max(taken, key=lambda one: taken[one])
        store.conn.close()
    slowest = taken[what]
    yield Row(f"search, 250,000 turns: {what}", slowest, "ms", "a row by its key", beside, "< 100", slowest < 100)


def _archive(path: Path) -> Store:
    """A store of finished games without letters. Each turn has orders of both sides; one order list in three is
    `Pass`."""
    dice = Random(1981)
    said = [str(orders) for one in questions(5_000) for orders in one.orders.values()]
    store = Store.create(path)
    with store.transaction():
        store.conn.executemany(
            "INSERT INTO players (id, name, since) VALUES (?, ?, '')", ((at, f"Player {at}") for at in range(2_000))
        )
        store.conn.executemany(
            """INSERT INTO matches (id, name, game, options, rules, state, phase, turn, waiting, since)
               VALUES (?, 'oz-' || ?, 'ozymandia', '{}', '1', '{}', 'finished', ?, 1, '')""",
            ((number, number, TURNS) for number in range(1, GAMES + 1)),
        )
        store.conn.executemany(
            "INSERT INTO seats (match, seat, player, name) VALUES (?, ?, ?, 'Player ' || ?)",
            (
                (number, seat, player, player)
                for number in range(1, GAMES + 1)
                for seat, player in (("red", dice.randrange(2_000)), ("blue", dice.randrange(2_000)))
            ),
        )
        store.conn.executemany(
            """INSERT INTO turns (match, turn, before, orders, after, events, rules, played)
               VALUES (?, ?, '{}', ?, '{}', '[]', '1', '')""",
            (
                (number, turn, json.dumps({seat: {"canonical": _orders(dice, said)} for seat in ("red", "blue")}))
                for number in range(1, GAMES + 1)
                for turn in range(1, TURNS + 1)
            ),
        )
    return store


def _orders(dice: Random, said: list[str]) -> str:
    return dice.choice(said) if dice.randrange(3) else "Pass"


def _milliseconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return 1000 * best
