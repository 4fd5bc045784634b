"""No leak: what is hidden in a war is replaced by something else of the same shape, and nothing that leaves the desk
for a seat, or for everybody outside, is other than before.

What may differ is what cannot be guessed: seals, which have a nonce, hashes of secrets and of the chained record, and
checksums of texts with one of these in them.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from copy import copy
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.cli import demo
from pbem.cli.demo import Table
from pbem.config.config import load_config
from pbem.match.commitments import commitment, order_commitment
from pbem.match.model import Entry
from pbem.store.database import Store, connect
from support.commands import pbem
from support.trials import NOON, add_observer, decoded, match_of

TABLES = ({}, {"set": "expansion"}, {"seats": "1v2"}, {"set": "expansion", "seats": "2v2"})
OTHER_ORDERS = ("Reroll attack: 9; Pass", "Rocknroll all: always; Pass", "Pass")
OTHER_RULES = ({"Reroll attack": "9"}, {"Rocknroll all": "always", "Reroll feature": "3 with orders"}, {})
COMMANDS = (
    ("archive", "build", "site"), ("export", "rnr-1"), ("export", "rnr-1", "--format", "mbox"), ("record", "rnr-1"),
    ("export", "rnr-1", "--format", "json"), ("game", "show", "rnr-1"), ("game", "show", "rnr-1", "--json"),
    ("search", "Deploy"), ("search", "Alice"), ("letters", "list"),
)  # fmt: skip

OF_TEXTS = r"=_[0-9a-f]{32}|(?<=hecksum\W{2})[0-9a-f]{64}|(?<=hecksum\W{4})[0-9a-f]{64}"


class Elsewhere:
    """What a seat may not know, made other: cards, orders, standing orders and secrets of the same shape."""

    def __init__(self, reader: str, random: Random, cards: Any) -> None:
        self.reader, self.random, self.cards = reader, random, cards
        self._known: dict[str, str] = {}

    def database(self, path: Path) -> None:
        with sqlite3.connect(path) as conn:
            for number, state in conn.execute("SELECT id, state FROM matches").fetchall():
                values = (self.json(state), self.secret(), self.secret(), number)
                conn.execute("UPDATE matches SET state = ?, secret = ?, deck = ? WHERE id = ?", values)
            for number, *columns in conn.execute("SELECT id, before, orders, after, events FROM turns").fetchall():
                values = (*map(self.json, columns), self.secret(), number)
                conn.execute(
                    "UPDATE turns SET before = ?, orders = ?, after = ?, events = ?, secret = ? WHERE id = ?", values
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
        if kind == "game":
            return {**content, "state": self.json(content["state"]), "deck": self.secret()}
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


def twin(table: Table, folder: Path, reader: str, seed: int) -> Table:
    """The same desk where what `reader` may not know is other."""
    table.store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(table.config.path.parent, folder)
    there = copy(table)
    there.config, there.last = load_config(folder / "config.ini"), dict(table.last)
    Elsewhere(reader, Random(seed), match_of(table).state.cards).database(there.config.database)
    there.store = Store(connect(there.config.database))
    return there


def leaves(table: Table, reader: str, texts: dict[str, list[str]]) -> Iterator[tuple[str, bytes]]:
    """All that leaves a desk for a seat and for everybody outside, when seats write these letters."""
    others = tuple(f"{person.name} <" for seat, person in table.people.items() if seat != reader)
    for seat, letters in texts.items():
        for text in letters:
            table.write(seat, text)
    log = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", "poll")
    yield "log", log.output.encode()
    for number, (_, letter) in enumerate(table.letters()):
        if not str(letter["To"]).startswith(others):
            yield f"letter {number}", letter.as_bytes()
    site = table.config.path.parent / "site"
    for words in COMMANDS:
        said = [site if word == "site" else word for word in words]
        done = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *said)
        yield " ".join(words), done.output.replace(str(site.parent), "").encode()
    for path in sorted(site.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(site)), path.read_bytes()


def unguessable(table: Table) -> set[str]:
    """Hashes with something in them that nobody knows, and secrets that are told when their turn is played."""
    conn = table.store.conn
    found = {one for (one,) in conn.execute("SELECT hash FROM record")}
    secrets = "SELECT secret FROM turns UNION SELECT secret FROM matches UNION SELECT deck FROM matches"
    for (secret,) in conn.execute(secrets):
        found |= {secret, commitment(bytes.fromhex(secret))}
    for turn, seat, canonical, nonce in conn.execute("SELECT turn, seat, canonical, nonce FROM orders"):
        found.add(order_commitment("rnr-1", turn, seat, Entry(0, None, "", canonical, nonce)))
    for turn, orders in conn.execute("SELECT turn, orders FROM turns"):
        for seat, said in json.loads(orders).items():
            if said:
                entry = Entry(0, None, "", said["canonical"], said.get("nonce", ""))
                found.add(order_commitment("rnr-1", turn, seat, entry))
    return found


def spaced(text: str) -> str:
    """Without regard to where lines break: a hash may be told as a few words."""
    return " ".join(text.split())


def check(folder: Path, patch: pytest.MonkeyPatch, seed: int) -> int:
    """A war by letters up to a moment, there twice; how many things have left each desk alike."""
    random, numbers = Random(seed), count(1)
    patch.setattr(demo, "make_msgid", lambda domain: f"<{next(numbers)}@{domain}>")
    secrets = Random(f"secrets {seed}")
    for where in ("secrets.token_bytes", "pbem.service.desk.token_bytes", "pbem.store.matches.token_bytes"):
        patch.setattr(where, secrets.randbytes)
    table = Table(folder / "here", NOON, "rocknroll", length="short", **random.choice(TABLES))
    table.poll()
    add_observer(table)
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
    if seat != reader:
        texts[seat] = ["wait", random.choice(("Pass", "Reroll attack: 1"))]
    elif state.next + 1 < len(state.order):
        texts[seat] += ["Pass"]  # at the end of a round there would be other cards
    there, seen = twin(table, folder / "there", reader, seed), []
    start = next(numbers)
    desks = (table, there)
    for one in desks:
        numbers = count(start)
        seen.append({name: decoded(raw) for name, raw in leaves(one, reader, texts)})
    hashes = re.compile("|".join([*filter(None, unguessable(table) | unguessable(there)), OF_TEXTS]))
    here, elsewhere = ({name: spaced(hashes.sub("#", text)) for name, text in one.items()} for one in seen)
    assert here.keys() == elsewhere.keys(), seed
    for name, text in here.items():
        assert text == elsewhere[name], (seed, name)
    for one in desks:
        one.close()
    return len(seen[0])


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_hidden_leaves_the_desk(tmp_path, monkeypatch, seed):
    assert check(tmp_path, monkeypatch, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200))
def test_nothing_that_is_hidden_leaves_the_desk_in_200_wars(tmp_path, monkeypatch, seed):
    check(tmp_path, monkeypatch, seed)
