"""The crash matrix: however often its runs are killed, a desk ends where it would have ended in peace.

The same letters are given to two desks. One is polled in peace; the runs of the other are killed, and now and then its
mailbox is moved. In the end every game, order, turn and letter out must be the same.
"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.demo import answer_letter, letter_text
from pbem.cli.main import main
from pbem.config.config import Address, load_config, read_key
from pbem.games.base import Seat
from pbem.games.ozymandia.state import SEATS
from pbem.match.identity import MailWishes, hidden_number
from pbem.match.terms import Terms
from pbem.service.desk import Desk, make_desk
from pbem.store import outbox
from pbem.store.database import Store, connect, remember
from pbem.store.verify import Audit
from pbem.times.moments import stamp
from support.desks import NOON
from support.dovecot import PASSWORD, Account
from support.killer import NOW, poll
from support.sink import Sink

PATTERNS: tuple[tuple[tuple[Seat, str], ...], ...] = (
    (("red", "3 A to M"), ("blue", "3 H to S; Bomb M")),
    (("red", "status"), ("red", "2 A to AC, Bomb EC"), ("blue", "2 H to S")),
    (("red", "3 M to A, Bmob EC"),),
    (("blue", "3 H to S"), ("blue", "Hello,\n\n2 H to S\n\nBob"), ("red", "1 A to M")),
    (("red", "Pass"),),
    (("blue", "2 H to S, Bmob M"), ("blue", "yes"), ("red", "3 A to M")),
    (("blue", "help"), ("blue", "where is everybody?")),
    (("red", "3 A to M, 7 A to V"), ("blue", "withdraw"), ("red", "2 A to AC"), ("blue", "3 H to S")),
    (("red", "2 A to AC, Bomb M"),),
    (("red", "turn 2: 1 M to MC"), ("red", "3 A to M"), ("blue", "Pass")),
    (("blue", "digest daily at 13:15"), ("red", "press: Hello there"), ("red", "press: Anybody there?")),
    (("red", "elsewhere: 3 A to M"), ("red", "elsewhere: 2 A to M")),
    (("red", "3 A to M or 2 A to Z"), ("blue", "vacation 1 December to 6 December"), ("red", "yes")),
    (("blue", "draw"), ("red", "next turn: 9 A to M"), ("red", "pause"), ("blue", "Pass")),
)
"""What the players of a game write to their invitations, so that no letter but the last makes the turn complete.

What a letter comes to does not depend, then, on where one run ends and the next begins. What stands behind
`elsewhere` comes from another address, and is held until the question about it is answered with `yes`.
"""

LATER = "2026-11-21T13:30Z"
"""When second thoughts are over in the games that leave time for them, and the day's digest is due."""

SECOND_TURN: dict[Seat, str] = {"red": "1 A to AC", "blue": "1 H to S"}
"""What both answer to the report of the first turn, in every fifth game."""


class Players:
    """The players of many games: what they write, and what they answer to what the desk has sent."""

    def __init__(self, invitations: dict[tuple[int, Seat], Message]) -> None:
        self.invitations = invitations
        self._read = 0
        self._reports: dict[int, dict[Seat, Message]] = {}
        self._asked: dict[int, list[bytes]] = {}

    def letters(self, random: Random) -> list[bytes]:
        """What they write first: mixed, but in order for each game. Some come again, bare or with a new head."""
        games = {number for number, _ in self.invitations}
        unwritten = {number: list(pattern) for number, pattern in zip(sorted(games), cycle(PATTERNS), strict=False)}
        turns = [number for number, pattern in unwritten.items() for _ in pattern]
        random.shuffle(turns)
        letters = []
        for number in turns:
            left = len(unwritten[number])
            seat, words = unwritten[number].pop(0)
            letters.append(_answer(self.invitations[number, seat], number, seat, words, f"{left}"))
            if number % 20 == 0:
                letters += [letters[-1], b"X-Copy: yes\n" + letters[-1]]
        return letters

    def answers(self, sent: list[bytes]) -> list[bytes]:
        """What they write when both have got the report of the first turn, and to the last question about a letter that
        is held; `sent` is all that the desk ever sent."""
        answers = []
        for raw in sent[self._read :]:
            held = re.search(rb"^To: .*<(red)(\d+)@", raw, re.MULTILINE) if b".warning-" in raw else None
            if held and raw not in self._asked.setdefault(int(held[2]), []):
                self._asked[int(held[2])].append(raw)
                if len(self._asked[int(held[2])]) == 2:
                    answers.append(_answer(message_from_bytes(raw), int(held[2]), "red", "yes", "held"))
            found = re.search(rb"^To: .*<(red|blue)(\d+)@", raw, re.MULTILINE) if b".report-1@" in raw else None
            if found and int(found[2]) % 5 == 0:
                number, reports = int(found[2]), self._reports.setdefault(int(found[2]), {})
                again = found[1].decode() in reports
                reports[found[1].decode()] = message_from_bytes(raw)
                if len(reports) == len(SEATS) and not again:
                    answers += [_answer(reports[seat], number, seat, SECOND_TURN[seat], "second") for seat in SEATS]
        self._read = len(sent)
        return answers


def _player(number: int, seat: Seat) -> Address:
    return Address(f"{seat.title()} {number}", f"{seat}{number}@example.net")


def _answer(answered: Message, number: int, seat: Seat, words: str, key: str) -> bytes:
    said = words.removeprefix("elsewhere: ")
    writer = _player(number, seat) if said == words else Address("", f"{seat}{number}@work.example")
    letter = answer_letter(answered, writer, said, NOON)
    letter.replace_header("Message-ID", f"<{seat}{number}.{key}@example.net>")
    return letter.as_bytes()


def make_games(folder: Path, number: int) -> dict[tuple[int, Seat], Message]:
    """A desk of so many games, of which only the invitations are sent, and those. Receipts and reports come apart:
    which of them are due together depends on when a run is killed."""
    config = load_config(make_desk(folder, rehearsal=True))
    store = Store(connect(config.database))
    desk = Desk(config, store, NOON, "", read_key(config.desk.key_file))
    with store.transaction():
        for game in range(1, number + 1):
            terms = Terms(cooling_off=timedelta(minutes=10 * (game % 3 == 0)))
            desk.new_game("ozymandia", {seat: _player(game, seat) for seat in SEATS}, {}, terms)
        store.conn.execute("UPDATE players SET mail = ?", (str(MailWishes(apart=True)),))
        outbox.mark_sent(store, [number for (number,) in store.conn.execute("SELECT id FROM outbox")], NOON)
        remember(store.conn, last_run="2026-11-21T13:00:00Z")
    rows = store.conn.execute("SELECT match, seat, raw FROM outbox").fetchall()
    store.conn.close()
    return {(match, seat): message_from_bytes(raw) for match, seat, raw in rows}


def give_servers(model: Path, folder: Path, account: Account, sink: Sink) -> Path:
    """A copy of a desk, with a mailbox on Dovecot and a way out to the sink."""
    shutil.copytree(model, folder)
    (folder / "password").write_text(PASSWORD)
    (folder / "password").chmod(0o600)
    config = (folder / "config.ini").read_text()
    config = config.replace("url = maildir:mail/in", f"url = {account.url()}\npassword_file = password")
    config = config.replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{sink.port}")
    (folder / "config.ini").write_text(config)
    return folder


def in_peace(desk: Path, account: Account, sink: Sink, players: Players, now: str) -> None:
    """A run for what lies there, another for what the players answer to it."""
    for _ in range(2):
        account.append(*players.answers([kept.raw for kept in sink.letters]))
        assert not poll(desk, now=now).killed


def killed_again_and_again(
    desk: Path, account: Account, sink: Sink, players: Players, now: str, letters: list[bytes], kills: int, reach: int
) -> Counter[str]:
    """Runs that are killed within so many steps, half of the letters there already and more coming; what happened."""
    random, count = Random(1981), Counter[str]()
    coming = iter(letters)
    account.append(*islice(coming, len(letters) // 2))
    while count["kills"] < kills:
        account.append(*players.answers([kept.raw for kept in sink.letters]))
        if random.random() < 0.2:
            renumber = random.random() < 0.5
            account.change_uidvalidity(renumber=renumber)
            count["UIDVALIDITY changed"] += 1
            count["UIDs renumbered"] += renumber
        step, reader = (int(8 * (reach / 8) ** random.random()) for _ in range(2))
        seconds = random.uniform(0.1, 2) if random.random() < 0.1 else None
        ended = poll(desk, step, reader=reader, seconds=seconds, now=now)
        count["runs"] += 1
        count["kills"] += ended.killed
        count["readers killed"] += ended.reader_killed
        account.append(*islice(coming, random.randrange(4) if ended.killed else 40))
    account.append(*coming)
    return count


# What is compared


def what_became_of_it(folder: Path) -> dict[str, Any]:
    """All that a desk holds in the end. Letters have numbers in order of arrival: their own ids stand for them.

    Whether orders are told as sealed depends on which letters share a run.
    """
    key = read_key(folder / "pbem.key")
    with closing(sqlite3.connect(folder / "pbem.db")) as db:
        ids = dict(db.execute("SELECT id, message_id FROM letters"))
        orders = db.execute(
            "SELECT letter, match, turn, seat, state, number, written, canonical FROM orders"
        ).fetchall()
        letters = db.execute("SELECT message_id, state, outcome, match, seat, turn FROM letters").fetchall()
        turns = db.execute(
            "SELECT orders, match, turn, before, after, events, rules, played, undone FROM turns ORDER BY match, turn"
        ).fetchall()
        outbox = db.execute("SELECT raw, kind, recipient, envelope, sent FROM outbox WHERE kind <> 'sealed'").fetchall()
        return {
            "matches": db.execute("SELECT * FROM matches ORDER BY id").fetchall(),
            "turns": [(_by_id(orders, ids), *rest) for orders, *rest in turns],
            "orders": Counter((ids[letter], *rest) for letter, *rest in orders),
            "letters": Counter(letters),
            "outbox": Counter((_content(raw, ids, key), *rest) for raw, *rest in outbox),
            "record": Counter(
                db.execute("SELECT kind, match FROM record WHERE kind NOT IN ('letter out', 'letters sent', 'rows')")
            ),
        }


def _by_id(orders: str, ids: dict[int, str]) -> dict[str, Any]:
    """The orders of a turn under the ids of the letters they came in, without the nonces made from their numbers."""
    told = json.loads(orders).items()
    return {seat: one and {**one, "letter": ids[one["letter"]], "nonce": ""} for seat, one in told}


def _content(raw: bytes, ids: dict[int, str], key: bytes) -> str:
    """A letter out without its boundary, its proof and its number, under the id of the letter that it comes of."""
    letter = message_from_bytes(raw)
    bare = re.sub(r"\.\w{16}(?=@)", "", letter["Message-ID"])
    bare = re.sub(r"(press-red|wish-\w+|away|address|gathered)-0\w{16}", r"\1", bare)  # made from the moment, too
    numbered = r"(answer|warning)-(0\w{16})"
    message_id = re.sub(numbered, lambda found: f"{found[1]} to {ids[hidden_number(key, found[2])]}", bare)
    head = [f"{name}: {value}" for name, value in letter.items() if name not in ("Message-ID", "Content-Type")]
    head = [re.sub(r"gathered-0\w{16}\.\w{16}(?=\.ref@|%40)", "gathered", line) for line in head]
    text = re.sub(r"(?m)^\* [0-9a-f]{64}$|\b(?:[0-9a-f]{32}){1,2}\b", "...", letter_text(letter))
    return "\n".join([message_id, *head, text])


def check_the_record(folder: Path) -> None:
    """All is as the record says, and it is whole."""
    with closing(sqlite3.connect(folder / "pbem.db")) as db:
        assert [*Audit(db).differences()] == []


def check_the_post(folder: Path, sent: list[bytes]) -> int:
    """All that was to be sent after noon was, byte for byte, and what was to be gathered came in a letter with others;
    how many letters went more than once, all in all."""
    with closing(sqlite3.connect(folder / "pbem.db")) as db:
        alone = "id NOT IN (SELECT letter FROM gathered WHERE within > 0)"
        rows = db.execute(f"SELECT raw FROM outbox WHERE sent > ? AND {alone}", (stamp(NOON),)).fetchall()
        assert db.execute("SELECT count(*) FROM gathered WHERE within IS NULL").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM outbox WHERE sent IS NULL").fetchone() == (0,)
    assert set(sent) == {raw for (raw,) in rows}
    assert len({message_from_bytes(raw)["Message-ID"] for raw in set(sent)}) == len(rows)
    return len(sent) - len(rows)


@pytest.mark.parametrize(
    ("games", "kills", "reach"),
    [(15, 4, 400), pytest.param(500, 220, 2_000, marks=pytest.mark.long, id="a thousand letters")],
)
def test_runs_that_are_killed_again_and_again_lose_and_double_nothing(tmp_path, dovecot, sink, games, kills, reach):
    began = time.monotonic()
    invitations = make_games(tmp_path / "model", games)
    letters = Players(invitations).letters(Random(1981))

    account = dovecot.account()
    peaceful = give_servers(tmp_path / "model", tmp_path / "peaceful", account, sink)
    account.append(*letters)
    players = Players(invitations)
    for now in (NOW, LATER):
        in_peace(peaceful, account, sink, players, now)
    assert check_the_post(peaceful, [kept.raw for kept in sink.letters]) == 0
    expected = what_became_of_it(peaceful)

    sink.reset()
    account, players, number = dovecot.account(), Players(invitations), len(letters)
    killed = give_servers(tmp_path / "model", tmp_path / "killed", account, sink)
    count = Counter[str]()
    for now, coming, most in ((NOW, letters, kills), (LATER, [], kills // 4)):
        count += killed_again_and_again(killed, account, sink, players, now, coming, most, reach)
        in_peace(killed, account, sink, players, now)
    found = what_became_of_it(killed)
    for kind, rows in expected.items():
        assert found[kind] == rows, kind
    check_the_record(killed)
    count["letters out"] = sum(expected["outbox"].values()) - len(invitations)
    count["sent more than once"] = check_the_post(killed, [kept.raw for kept in sink.letters])
    print(f"{number} letters in, {dict(count)}, in {time.monotonic() - began:.0f} s")


@pytest.mark.parametrize("games", [18, pytest.param(500, marks=pytest.mark.long)])
def test_games_are_set_up_and_listed_while_a_run_is_at_work(tmp_path, dovecot, sink, games):
    invitations, account = make_games(tmp_path / "model", games), dovecot.account()
    account.append(*Players(invitations).letters(Random(1981)))
    desk = give_servers(tmp_path / "model", tmp_path / "desk", account, sink)
    start = ["--config", f"{desk}/config.ini", "--now", NOW]
    people = ["--red", "Alice <alice@example.net>", "--blue", "Bob <bob@example.com>"]
    run = subprocess.Popen([sys.executable, "-m", "pbem", *start, "poll"])
    made, longest = 0, 0.0
    while run.poll() is None:
        for words in (["new", *people], ["list"]):
            began = time.monotonic()
            done = CliRunner().invoke(main, [*start, "game", *words])
            assert done.exit_code == 0, done.output
            longest = max(longest, time.monotonic() - began)
        made += 1
    assert run.returncode == 0
    assert made > 1
    assert not poll(desk, now=LATER).killed
    check_the_post(desk, [kept.raw for kept in sink.letters])
    print(f"{made} games set up and listed beside a run, in {longest:.2f} s at most")
