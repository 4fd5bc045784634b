"""No leak: what is hidden in a war is replaced by something else of the same shape, and nothing that leaves the desk
for a seat, or for everybody outside, is other than before.
"""

import json
import sqlite3
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.cli import demo
from pbem.cli.demo import DemoDesk
from pbem.games.rocknroll.state import View
from support.leaks import differences, settled, twin
from support.rocknroll_orders import RandomOrders
from support.trials import NOON, add_observer, match_of

pytestmark = pytest.mark.usefixtures("images")

TABLES = ({}, {"set": "expansion"}, {"seats": "1v2"}, {"set": "expansion", "seats": "2v2"})
OTHER_ORDERS = ("Reroll attack: 9; Pass", "Rocknroll all: always; Pass", "Pass")
OTHER_RULES = ({"Reroll attack": "9"}, {"Rocknroll all": "always", "Reroll feature": "3 with orders"}, {})
MORE = ("status", "check: Pass", "Reroll attack: 4 with orders", "turn 29: Pass", "Moove", "my data", "word: of mine")
"""What the others write in one of the worlds alone."""
COMMANDS = (
    ("archive", "build", "site"), ("export", "rnr-1"), ("export", "rnr-1", "--format", "mbox"), ("record", "rnr-1"),
    ("export", "rnr-1", "--format", "json"), ("game", "show", "rnr-1"), ("game", "show", "rnr-1", "--json"),
    ("search", "Deploy"), ("search", "Alice"), ("letters", "list"),
)  # fmt: skip


class Elsewhere:
    """What a seat may not know, made other: cards, orders, standing orders and secrets of the same shape."""

    def __init__(self, reader: str, random: Random, cards: Any) -> None:
        self.reader, self.random, self.cards = reader, random, cards
        self._known: dict[str, str] = {}

    def database(self, path: Path) -> None:
        with sqlite3.connect(path) as conn:
            for number, state in conn.execute("SELECT id, state FROM matches").fetchall():
                values = (self.json(state), self.secret(), self.secret(), number)
                conn.execute(
                    """UPDATE matches SET state = ?, secret = ? || substr(secret, 65), deck = ? || substr(deck, 65)
                       WHERE id = ?""",
                    values,
                )
            for number, *columns in conn.execute("SELECT id, before, orders, after, events FROM turns").fetchall():
                values = (*map(self.json, columns), self.secret(), number)
                conn.execute(
                    """UPDATE turns SET before = ?, orders = ?, after = ?, events = ?, secret = ? || substr(secret, 65)
                       WHERE id = ?""",
                    values,
                )
            for number, seat in conn.execute("SELECT id, seat FROM orders").fetchall():
                if seat != self.reader:
                    other = self.random.choice(OTHER_ORDERS)
                    conn.execute("UPDATE orders SET written = ?, canonical = ? WHERE id = ?", (other, other, number))
            other = "; ".join(f"{key}: {value}" for key, value in self.rules().items())
            conn.execute("UPDATE standing_orders SET canonical = ? WHERE seat <> ?", (other, self.reader))
            for number, kind, content in conn.execute(
                "SELECT id, kind, content FROM record JOIN record_contents ON record = id"
            ).fetchall():
                other = json.dumps(self.note(kind, json.loads(content)))
                conn.execute("UPDATE record_contents SET content = ? WHERE record = ?", (other, number))
        conn.close()

    def note(self, kind: str, content: dict[str, Any]) -> dict[str, Any]:
        if kind in ("game", "deal"):
            opening = json.loads(self.json(json.dumps(content["opening"])))
            return {**content, "state": self.json(content["state"]), "deck": self.secret(), "opening": opening}
        if kind in ("orders", "standing") and content["seat"] != self.reader:
            return {**content, "orders": self.random.choice(OTHER_ORDERS)}
        return content

    def secret(self) -> str:
        return self.random.randbytes(32).hex()

    def rules(self) -> dict[str, str]:
        return dict(self.random.choice(OTHER_RULES))

    def json(self, text: str) -> str:
        """The same text is the same other one each time: a turn begins where the last one has ended."""
        if text not in self._known:
            self._known[text] = json.dumps(self.other(json.loads(text)))
        return self._known[text]

    def other(self, data: Any) -> Any:
        if isinstance(data, list):
            return [self.event(event) for event in data]
        return self.state(data) if "hands" in data else self.orders(data)

    def state(self, data: dict[str, Any]) -> dict[str, Any]:
        hands = {seat: hand for seat, hand in data["hands"].items() if seat != self.reader}
        self.deal([data["decks"]["orders"], *(hand["orders"] for hand in hands.values())])
        for side in ("vpa", "vietnam"):
            own = [hands[seat]["units"] for seat, on in data["seats"] if on == side and seat in hands]
            box = [unit for unit in data["box"] if self.cards.units[unit].side == side]
            self.deal([data["decks"][side], box, *own])
            data["box"] = [*box, *(unit for unit in data["box"] if self.cards.units[unit].side != side)]
        for seat in hands:
            data["standing"][seat] = self.rules()
        return data

    def deal(self, lists: list[list[str]]) -> None:
        found = [card for cards in lists for card in cards]
        self.random.shuffle(found)
        for cards in lists:
            cards[:] = [found.pop() for _ in cards]

    def orders(self, data: dict[str, Any]) -> dict[str, Any]:
        for seat, said in data.items():
            if seat != self.reader and said and not said["canonical"]:
                data[seat] = None  # standing orders alone
            elif seat != self.reader and said:
                other = self.random.choice(OTHER_ORDERS)
                data[seat] = {**said, "written": other, "canonical": other}
                data[seat].pop("joined", None)
        return data

    def event(self, event: dict[str, Any]) -> dict[str, Any]:
        if self.reader in event.get("seen", [self.reader]):
            return event
        if "card" in event:
            known = self.cards.orders if event["kind"] == "order" else self.cards.units
            return {**event, "card": self.random.choice([*known])}
        return {**event, "line": 7, "reason": "supply"}


def check(folder: Path, patch: pytest.MonkeyPatch, seed: int) -> int:
    """A war by letters up to a moment, there twice; how many things have left each desk alike."""
    random, numbers = Random(seed), count(1)
    patch.setattr(demo, "make_msgid", lambda domain: f"<{next(numbers)}@{domain}>")
    settled(patch, seed)
    table = DemoDesk(folder / "here", NOON, "rocknroll", length="short", **random.choice(TABLES))
    table.poll()
    add_observer(table)
    for one in table.people:  # everybody may know who has brought words for the dice
        table.write(one, "word: mine")
    reader = random.choice([*table.people])
    for _ in range(random.randint(1, 7)):
        (seat,) = match_of(table).missing()
        table.write(random.choice([*table.people]), f"Rocknroll all: {random.choice(('always', 'never'))}")
        table.write(seat, table.opponent_orders(seat))
        table.poll()
        if table.over():
            return 0
    (seat,) = match_of(table).missing()
    state, texts = match_of(table).state, {reader: ["status", "history", "Atack: Bao", "check: Pass"]}
    texts[reader] += ["Reroll feature: 2 with orders"]
    texts[reader] += [f"check: {RandomOrders(random, state, reader).orders()}" for _ in range(4)]
    if seat != reader:
        texts[seat] = ["wait", random.choice(("Pass", "Reroll attack: 1"))]
    elif state.next + 1 < len(state.order):
        texts[seat] += ["Pass"]  # at the end of a round there would be other cards
    elsewhere = Elsewhere(reader, Random(seed), match_of(table).state.cards)
    more = {one: random.choices(MORE, k=3) + texts.get(one, []) for one in table.people if one != reader}
    desks = table, twin(table, folder / "there", elsewhere.database)
    number, different = differences(desks, patch, reader, (texts, {reader: texts[reader], **more}), COMMANDS)
    assert not different, (seed, different)
    for one in desks:
        one.close()
    return number


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_hidden_leaves_the_desk(tmp_path, monkeypatch, seed):
    assert check(tmp_path, monkeypatch, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200))
def test_nothing_that_is_hidden_leaves_the_desk_in_200_wars(tmp_path, monkeypatch, seed):
    check(tmp_path, monkeypatch, seed)


def test_decks_that_are_seen_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr("pbem.games.rocknroll.Rocknroll.view", staticmethod(View))
    with pytest.raises(AssertionError, match="export"):
        check(tmp_path, monkeypatch, 0)
