"""Verify a desk of finished games: adjudicate their turns again, with all letters, and check the whole record."""

import io
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.positions import some_orders
from benchmarks.report import Row
from pbem.cli.adjudicate import run
from pbem.config.config import Address, load_config, read_key
from pbem.games import find_game
from pbem.games.base import Seat
from pbem.games.chance import read_source
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozz import state
from pbem.games.ozz.bot import choose
from pbem.match import clock
from pbem.match.commitments import make_nonce, make_secret
from pbem.match.effects import Play, TakeOrders
from pbem.match.identity import Token
from pbem.match.model import Entry, Match
from pbem.service.desk import Desk, make_desk
from pbem.store import apply, outbox
from pbem.store.database import Store, connect
from pbem.store.histories import Archive, load_history
from pbem.store.matches import load_match
from pbem.store.outbox import OutLetter
from pbem.store.verify import Audit

GAMES, TURNS, ROUNDS = 80, 25, 3
CAMPAIGNS = 6
LETTER_IN, LETTER_OUT = 3_000, 8_000  # the sizes of letters in bytes
_NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def measure() -> Iterator[Row]:
    """Turns per second, each with its letters: two in, four out. Then the same for imported games, and for campaigns of
    Ozz."""
    with TemporaryDirectory(prefix="pbem-bench-") as name:
        desk = _desk(Path(name) / "desk")
        yield _verified("turns verified", desk)
        imported = _empty_desk(Path(name) / "archive")
        archive = Archive(imported.store)
        for number in range(1, GAMES + 1):
            archive.add(load_history(desk.store, number), _NOW)
        yield _verified("  of games without letters", imported)
        desk.store.conn.close()
        imported.store.conn.close()
        yield campaigns(Path(name) / "campaigns")


def campaigns(folder: Path, number: int = CAMPAIGNS, turns: int = 10) -> Row:
    """Rounds per second of campaigns of four nations with their letters, compared with adjudicating all of them
    twice."""
    desk, game = _empty_desk(folder), find_game("ozz")
    nations = ("munchkins", "winkies", "quadlings", "gillikins")
    options = {"nations": nations, "battles": "great", "turns": turns}

    def write(match: Match, seat: Seat) -> str:
        return str(choose(game.view(match.state, seat), seat))

    seats = {seat: Address(seat, f"{seat}@example.net") for seat in nations}
    _play(desk, seats, [("ozz", options)] * number, write)
    lines = [
        json.dumps(
            {
                "state": state.dump(turn.before),
                "orders": {seat: entry and entry.played for seat, entry in turn.orders.items()},
                "seed": read_source(turn.secret).seed.hex(),
            }
        ).encode()
        for match in range(1, number + 1)
        for turn in load_match(desk.store, match).turns
    ]
    twice = min(_adjudicated([*lines, *lines]) for _ in range(ROUNDS))
    row = _verified("  rounds of whole campaigns of Ozz", desk)
    desk.store.conn.close()
    beside = len(lines) / twice
    return Row(row.what, row.number, "turns/s", "adjudicating them twice", beside, ">= that", row.number >= beside)


def _adjudicated(lines: list[bytes]) -> float:
    """The seconds that `adjudicate --json` takes."""
    start = perf_counter()
    out = io.BytesIO()
    assert run(lines, out, as_json=True, game_name="ozz") == 0, out.getvalue()[:600]
    return perf_counter() - start


def _verified(name: str, desk: Desk) -> Row:
    turns, best, bare = 0, float("inf"), float("inf")
    for _ in range(ROUNDS):
        audit, start = Audit(desk.store.conn), perf_counter()
        assert next(audit.differences(), None) is None
        best, turns = min(best, perf_counter() - start), audit.counts["adjudicated"]
        bare = min(bare, _read_and_hash(desk.store.conn))
    speed = turns / best
    return Row(name, speed, "turns/s", "reading and hashing the rows", turns / bare, ">= 4,000", speed >= 4_000)


def _read_and_hash(conn: sqlite3.Connection) -> float:
    """The seconds that it takes to read every row and to hash each one: the least possible work."""
    start = perf_counter()
    for table in ("record", "record_contents", "letters", "orders", "turns", "outbox"):
        for row in conn.execute(f"SELECT * FROM {table}"):
            sha256(b"".join(one if isinstance(one, bytes) else str(one).encode() for one in row)).hexdigest()
    return perf_counter() - start


def _empty_desk(folder: Path) -> Desk:
    make_desk(folder, rehearsal=True)
    config = load_config(folder / "config.ini")
    return Desk(config, Store(connect(config.database)), _NOW, "", read_key(config.desk.key_file))


def _desk(folder: Path) -> Desk:
    desk, random = _empty_desk(folder), Random(1981)
    seats = {"red": Address("Red", "red@example.net"), "blue": Address("Blue", "blue@example.net")}

    def write(match: Match, seat: Seat) -> str:
        return str(some_orders(random, match.state, seat, range(1, 4)) or Orders())

    _play(desk, seats, [("ozymandia", {"turn_limit": TURNS})] * GAMES, write)
    return desk


Write = Callable[[Match, Seat], str]


def _play(
    desk: Desk, seats: Mapping[Seat, Address], matches: list[tuple[str, Mapping[str, Any]]], write: Write
) -> None:
    """Play matches, given as games and their options, to their ends; they share the letters of the desk."""
    random, letters = Random(1982), count(1)
    with desk.store.transaction():
        for number, (game, options) in enumerate(matches, start=1):
            desk.new_game(game, seats, options, desk.terms)
            match = load_match(desk.store, number)
            while not match.result:
                match = _turn(desk, match, write, random, letters)
        outbox.mark_sent(desk.store, [number for (number,) in desk.store.conn.execute("SELECT id FROM outbox")], _NOW)


def _turn(desk: Desk, match: Match, write: Write, random: Random, letters: Iterator[int]) -> Match:
    """Store a turn as its letters would leave it, without reading or writing them."""
    for seat in match.missing():
        letter, orders = next(letters), write(match, seat)
        raw = random.randbytes(LETTER_IN)
        desk.store.conn.execute(
            "INSERT INTO letters (id, sha256, arrived, size, raw) VALUES (?, ?, '2026-11-21T12:00:00Z', ?, ?)",
            (letter, sha256(raw).hexdigest(), len(raw), raw),
        )
        desk.store.close_letter(letter, "answered: receipt", _NOW, token=Token(match.id, seat, match.turn, ""))
        nonce = make_nonce(make_secret(desk.key, letter, _NOW), match, seat, 1)
        entry = Entry(1, letter, orders, orders, nonce)
        match = replace(match, standing={**match.standing, seat: entry})
        apply.write(desk.store, TakeOrders(match, seat, entry), _NOW)
        _queue(desk, match, f"answer-{letter}", seat, random)
    play = clock.play(match, _NOW)[0]
    assert isinstance(play, Play)
    apply.write(desk.store, play, _NOW)
    for seat in match.seats:
        _queue(desk, match, f"report-{match.turn}", seat, random)
    return play.after


def _queue(desk: Desk, match: Match, name: str, seat: str, random: Random) -> None:
    message_id, kind = f"{match.id}-{seat}.{name}@example.org", name.partition("-")[0]
    head = f"\n{desk.store.head()}\n".encode()  # the head is at the end of the text, and most of a letter is HTML
    raw = random.randbytes(LETTER_OUT // 3) + head + random.randbytes(LETTER_OUT * 2 // 3)
    outbox.queue(desk.store, OutLetter(message_id, kind, f"{seat}@example.net", "", raw, match.id, seat), _NOW)
