"""Nobody's letters make the others wait: strangers' are read when the turns are played, and not all in one run."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.service import tick
from pbem.service.budget import AFTER_TURNS, Budget
from pbem.service.budget import Account as Payer
from pbem.service.handling import Handler
from pbem.service.load_case import read_letter
from pbem.service.run import Run
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from support import hostile
from support.tables import on_server

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def table(tmp_path):
    with_game = DemoDesk(tmp_path / "desk", NOON)
    with_game.poll()
    yield with_game
    with_game.close()


def stranger(number: int, text: str = "join") -> bytes:
    return f"From: s{number}@example.net\nTo: gm@example.org\nMessage-ID: <{number}@x>\n\n{text}\n".encode()


def poll(table: DemoDesk) -> tick.RunReport:
    table.now += timedelta(minutes=5)
    return tick.poll(table.config, table.now, lambda text: None, table.store)


def give_room(patch: pytest.MonkeyPatch, room: Callable[[Budget, Payer], bool]) -> None:
    """Let an account have room as a test says, whatever its letters have cost."""
    patch.setattr(Budget, "has_room_for_all", lambda budget: False)
    patch.setattr(Budget, "has_room", room)


def done(table: DemoDesk) -> list[str]:
    """What was written down of letters and turns, in order."""
    kinds = "('letter in', 'letter held', 'turn')"
    return [kind for (kind,) in table.store.conn.execute(f"SELECT kind FROM record WHERE kind IN {kinds} ORDER BY id")]


def test_strangers_without_room_wait_until_the_turns_are_played(table, monkeypatch):
    late = AFTER_TURNS
    give_room(monkeypatch, lambda budget, who: who.rank == 1 or budget._seconds == late)
    for number in range(3):
        table.deliver(stranger(number, "hello"))
    table.write("red", "3 A to M")
    table.write("blue", "Pass")
    assert poll(table).well
    assert done(table) == ["letter in", "letter in", "turn", "letter in", "letter in", "letter in"]


def test_what_has_no_room_at_all_is_told_and_is_the_next_runs(table, monkeypatch):
    with monkeypatch.context() as busy:
        give_room(busy, lambda budget, who: who.rank == 1)
        for number in range(60):
            table.deliver(stranger(number, "hello"))
        table.write("red", "3 A to M")
        table.write("blue", "Pass")
        report = poll(table)
        assert "60 letters wait to be read" in report.lines[0]
        assert load_match(table.store, 1).turn == 2
        assert poll(table).lines == []
    assert "The trouble with letters that wait" in poll(table).lines[0]
    assert table.store.letters_in_state("kept", table.now) == []


def test_a_letter_that_was_held_does_not_wait_behind_those_of_strangers(table, monkeypatch):
    table.deliver(table.answer("red", "3 A to M").as_bytes().replace(b"alice@example.net", b"alice@work.example"))
    table.poll()
    give_room(monkeypatch, lambda budget, who: who.rank == 1)
    for number in range(60):
        table.deliver(stranger(number, "hello"))
    table.write("red", "yes")
    poll(table)
    assert load_match(table.store, 1).standing["red"].canonical == "3 A to M"


def test_who_only_looks_like_a_player_pays_for_themselves(table):
    own = table.answer("red", "3 A to M").as_bytes()
    forged = re.sub(rb"(?m)^(To|In-Reply-To|References): .*$", b"", own)
    desk = Handler(Run(table.config, table.store, table.now, print)).desk
    accounts = [desk.incoming.account(raw) for raw in (own, forged, own.replace(b"alice@", b"eve@"), stranger(1))]
    assert [account.rank for account in accounts] == [1, 2, 3, 3]


@pytest.mark.parametrize("trust", ["token", "signed", "address"])
def test_who_pays_is_the_same_before_a_letter_is_read_and_after(table, trust):
    """Else an account would never be spent that its letters' heads name."""
    own = table.answer("red", "3 A to M").as_bytes()
    letters = [
        own,
        re.sub(rb"(?m)^(To|In-Reply-To|References): .*$", b"", own),
        own.replace(b"alice@", b"eve@"),
        stranger(1),
        b"Auto-Submitted: auto-replied\n" + own,
        own.replace(b"Content-Type: ", b"Content-Type: multipart/report; boundary=b\nX-Was: "),
    ]
    config = table.config._replace(desk=table.config.desk._replace(trust=trust))
    desk = Handler(Run(config, table.store, table.now, print)).desk
    before = [desk.incoming.account(raw) for raw in letters]
    for raw, payer in zip(letters, before, strict=True):
        with desk.store.transaction():
            (kept,) = desk.store.keep([(table.now, raw, len(raw), 0, "")], "")
            desk.incoming.case(kept, read_letter(desk.store, raw))
            assert desk.incoming.account(kept.raw) == payer
            desk.store.close_letter(kept.id, "read", table.now)


def test_a_turn_that_was_due_before_the_flood_came_is_played_while_it_is_read(table, monkeypatch):
    monkeypatch.setattr("pbem.service.budget.BEFORE_TURNS", -1.0)
    give_room(monkeypatch, lambda *_: True)
    table.write("red", "3 A to M")
    table.write("blue", "Pass")
    for number in range(120):
        table.deliver(stranger(number, "hello"))
    poll(table)
    assert "turn" in done(table)[:60]


def test_in_a_flood_a_turn_is_played_with_all_that_came_by_its_deadline_and_nothing_later(table, monkeypatch):
    monkeypatch.setattr("pbem.service.budget.BEFORE_TURNS", -1.0)  # reading takes long from the first letter on
    give_room(monkeypatch, lambda *_: True)
    due = load_match(table.store, 1).due
    for moment, seat in ((due - timedelta(seconds=1), "red"), (due + timedelta(hours=1), "blue")):
        table.now = moment
        for number in range(60):
            table.deliver(stranger(number, f"hello at {moment}"))
        table.write(seat, "Pass")
    table.now = due + timedelta(hours=2)
    assert poll(table).well
    (orders,) = table.store.conn.execute("SELECT orders FROM turns").fetchone()
    assert {seat: bool(one) for seat, one in json.loads(orders).items()} == {"red": True, "blue": False}
    assert "turn" in done(table)[: 2 * 61 - 1]


def flood(number: int) -> Iterator[bytes]:
    """Letters of strangers, each fiftieth of them as long and as hard to read as may be."""
    hard = [hostile.DEEP["one element in another"], hostile.page(hostile.repeated("<p><b>x</b> 3 A to M</p>"))]
    for one in range(number):
        raw = stranger(one, "join" if one % 2 else "hello\n" * 300)
        if one % 50 == 0:
            raw = f"Message-ID: <{one}@hard>\r\n".encode() + hard[one // 50 % 2]
        yield raw


@pytest.mark.long
@pytest.mark.parametrize("mailbox", ["maildir", "dovecot"])
def test_ten_thousand_letters_of_strangers_keep_no_turn_from_being_played(table, mailbox, request):
    letters = [*flood(10_000), *(table.answer(seat, "Pass").as_bytes() for seat in ("red", "blue"))]
    size = sum(map(len, letters))
    if mailbox == "dovecot":
        account = request.getfixturevalue("account")
        account.append(*letters)
        on_server(table, account)
    else:
        for one in letters:
            table.deliver(one)
    moment = f"{table.now + timedelta(minutes=5):%Y-%m-%dT%H:%MZ}"
    command = [sys.executable, "-m", "pbem", "--config", str(table.config.path), "--now", moment, "poll"]
    began, played = time.monotonic(), 0.0
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    most = {"pbem": 0, "reader": 0}
    while run.poll() is None:
        most["pbem"] = max(most["pbem"], resident(run.pid))
        most["reader"] = max([most["reader"], *map(resident, children(run.pid))])
        if not played:
            played = time.monotonic() - began if played_turns(table) else 0.0
        time.sleep(0.1)
    took = time.monotonic() - began
    megabytes = {name: kilobytes // 1_000 for name, kilobytes in most.items()}
    print(f"10,000 letters, {mailbox}, {size // 1_000_000} MB")
    print(f"turn played after {played:.0f} s, run {took:.0f} s, {megabytes} MB")
    assert 0 < played < 60
    assert megabytes["pbem"] < 200
    store = Store(connect(table.config.database))
    waiting = len(store.letters_in_state("kept", table.now + timedelta(days=1)))
    (answers,) = store.conn.execute("SELECT count(*) FROM outbox WHERE kind = 'newcomer'").fetchone()
    print(f"{waiting} letters wait for the next run, {answers} letters to strangers")
    assert answers <= 20
    store.conn.close()


def played_turns(table: DemoDesk) -> int:
    return table.store.conn.execute("SELECT count(*) FROM turns").fetchone()[0]


def resident(process: int) -> int:
    """Kilobytes of memory that a process has had at most."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) if found else 0


def children(process: int) -> list[int]:
    try:
        return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    except OSError:
        return []
