"""No leak: what waits behind a battle of Campaigns of Ozz, and the order of the pools, is replaced by something else,
and nothing that leaves the desk for a seat, or for everybody outside, is other than before."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.cli.demo import DemoDesk
from support.leaks import differences, settled, twin
from support.trials import NOON, add_observer, match_of

pytestmark = pytest.mark.usefixtures("images")

LETTERS = {
    "munchkins": "Move MAY SOU MCA: M2-M4-R1; Move ZOR GUA TIC: M1-M2; Losses MCA SOU; Retreat below 2",
    "winkies": "Move ZEP HER ZIL: W2-W4-R1; Move ZER WI5: W3-W1; Losses HER ZIL; Retreat always",
    "quadlings": "Move ROL NOR QCA: Q2-Q4-R1; Move CAP CEN PU1: Q3-Q1; Recruit ROL: none; Losses CEN",
}
"""All want to the same point, so that there is a battle in which somebody's moves wait behind it."""
OTHERWISE = {
    "munchkins": "Move JIN HAR MBA: M3-M1; Losses TIC",
    "winkies": "Move EVO WI1 WBA SK1: W1-W3; Recruit ZER: none",
    "quadlings": "Move GLE TI1 QBA: Q1-Q2; Retreat always",
}
OTHER_PLAN = "Retreat always; Orders stand"
STANDING = {"munchkins": "Losses MCA", "winkies": "Retreat always", "quadlings": "Retreat below 2"}
COMMANDS = (
    ("archive", "build", "site"), ("export", "ozz-1"), ("export", "ozz-1", "--format", "mbox"), ("record", "ozz-1"),
    ("export", "ozz-1", "--format", "json"), ("game", "show", "ozz-1"), ("game", "show", "ozz-1", "--json"),
    ("search", "Losses"), ("search", "Alice"), ("letters", "list"),
    ("search", "Move"), ("search", "Pass"), ("game", "list"),
)  # fmt: skip


def stopped(folder: Path, patch: pytest.MonkeyPatch, seed: int) -> DemoDesk:
    """A campaign whose first turn a battle has stopped."""
    settled(patch, seed)
    table = DemoDesk(folder, NOON, "ozz", nations=tuple(LETTERS), battles="board")
    table.poll()
    add_observer(table)
    for seat, letter in LETTERS.items():
        table.write(seat, f"{letter}; Standing {STANDING[seat]}")
    table.poll()
    for seat in LETTERS:
        table.write(seat, f"T2: {OTHERWISE[seat]}")
    table.poll()
    return table


class Elsewhere:
    """Other letters behind the battle, with the same moves that are carried out; pools in another order."""

    def __init__(self, table: DemoDesk, reader: str, seed: int) -> None:
        self.reader, self.random = reader, Random(seed)
        self.todo = {(seat, number) for seat, number in match_of(table).state.queue.todo}

    def letter(self, seat: str, text: str) -> str:
        if "Orders stand" in text:
            return OTHER_PLAN
        moves = [item for item in text.split("; ") if item.startswith("Move")]
        done = [move for number, move in enumerate(moves) if (seat, number) not in self.todo]
        return "; ".join((*done, OTHERWISE[seat]))

    def state(self, text: str) -> str:
        state = json.loads(text)
        for pool in state["pools"].values():
            Random(repr(sorted(pool))).shuffle(pool)
        queue = state["queue"]
        if queue:
            others = [seat for seat in queue["letters"] if seat != self.reader]
            queue["letters"] |= {seat: self.letter(seat, queue["letters"][seat]) for seat in others}
            done = {seat: queue["letters"][seat].count("Move") - 1 for seat in others}
            own = [one for one in queue["todo"] if one[0] == self.reader]
            queue["todo"] = [*own, *([seat, number] for seat, number in done.items())]
        for seat, plan in (state["battle"] or {}).get("plans", {}).items():
            if seat != self.reader:
                plan["orders"] = OTHER_PLAN
        return json.dumps(state)

    def entries(self, text: str) -> str:
        def other(seat: str, said: dict[str, Any]) -> dict[str, Any]:
            letter = self.letter(seat, said["canonical"])
            if not said["written"]:  # it was not asked: what joined are its standing orders
                return {**said, "joined": letter}
            return {**said, "written": letter, "canonical": letter, "joined": letter}

        entries = json.loads(text).items()
        return json.dumps({seat: said if seat == self.reader else other(seat, said) for seat, said in entries})

    def database(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as conn, conn:
            for number, state in conn.execute("SELECT id, state FROM matches").fetchall():
                values = self.state(state), self.secret(), self.secret(), number
                conn.execute(
                    """UPDATE matches SET state = ?, secret = ? || substr(secret, 65), deck = ? || substr(deck, 65)
                       WHERE id = ?""",
                    values,
                )
            for number, before, orders, after in conn.execute("SELECT id, before, orders, after FROM turns").fetchall():
                values = self.state(before), self.entries(orders), self.state(after), number
                conn.execute("UPDATE turns SET before = ?, orders = ?, after = ? WHERE id = ?", values)
            for seat in LETTERS.keys() - {self.reader}:
                conn.execute("UPDATE standing_orders SET canonical = 'Evade ZIL' WHERE seat = ?", (seat,))
                conn.execute("UPDATE orders SET written = 'Pass', canonical = 'Pass' WHERE seat = ?", (seat,))
            kept = conn.execute("SELECT seat, later FROM seats WHERE later IS NOT NULL").fetchall()
            assert {seat for seat, _ in kept} == LETTERS.keys()
            for seat, later in kept:
                if seat != self.reader:
                    (turn, letter, _, nonce), *_ = json.loads(later)
                    values = json.dumps([[turn, letter, "Pass", nonce]]), seat
                    conn.execute("UPDATE seats SET later = ? WHERE seat = ?", values)
            rows = "SELECT id, kind, content FROM record JOIN record_contents ON record = id"
            for number, kind, content in conn.execute(rows).fetchall():
                note = json.loads(content)
                if kind in ("game", "deal"):
                    note |= {"state": self.state(note["state"]), "deck": self.secret()}
                elif kind in ("orders", "standing") and note["seat"] != self.reader:
                    note["orders"] = OTHERWISE[note["seat"]]
                conn.execute("UPDATE record_contents SET content = ? WHERE record = ?", (json.dumps(note), number))

    def secret(self) -> str:
        return self.random.randbytes(32).hex()


@pytest.mark.parametrize("reader", LETTERS)
def test_nothing_that_waits_behind_a_battle_leaves_the_desk(tmp_path, monkeypatch, reader):
    table = stopped(tmp_path / "here", monkeypatch, 1)
    match = match_of(table)
    assert match.state.round == "B1.R1.1"
    assert {seat for seat, _ in match.state.queue.todo} - {reader}
    asked = ("card SOU, HER", "point R1", "who holds R1?", "what did he do last turn?", "resend T1", "my data")
    told = ("status", "history", "report 1", "Moove SOU", "check: Pass", "Standing Losses", "press: Good luck!")
    texts = {reader: [*told, *asked]}
    for seat in match.missing():
        if seat != reader:
            texts[seat] = ["wait", "press: We shall see.", "Retreat always; Order XYZ: stand", "Retreat always"]
    desks = table, twin(table, tmp_path / "there", Elsewhere(table, reader, 1).database)
    more = ("status", "T3: Pass", "check: Pass", "Standing Losses SOU", "my data", "word: of mine", "card HER")
    there = {reader: texts[reader], **{one: [*more, *texts.get(one, [])] for one in LETTERS if one != reader}}
    number, different = differences(desks, monkeypatch, reader, (texts, there), COMMANDS)
    assert number > len(COMMANDS)
    assert not different
    for one in desks:
        one.close()


def test_a_battle_letter_that_stands_is_its_writers_alone(tmp_path, monkeypatch):
    table = stopped(tmp_path / "here", monkeypatch, 1)
    first, reader = (match_of(table).state.battle.attacker, match_of(table).state.battle.defender)
    table.write(first, "Retreat below 1; Orders stand for 5 rounds")
    table.write(reader, "Retreat never")
    table.poll()
    match = match_of(table)
    assert (match.state.round, match.missing(), [*match.state.battle.plans]) == ("B1.R1.2", [reader], [first])
    texts = {
        reader: ["status", "history", "resend B1.R1.1", "check: Pass", "what did they do last turn?", "record"],
        first: ["status", "wait"],
    }
    desks = table, twin(table, tmp_path / "there", Elsewhere(table, reader, 1).database)
    number, different = differences(desks, monkeypatch, reader, (texts, texts), COMMANDS)
    assert number > len(COMMANDS)
    assert not different
    for one in desks:
        one.close()
