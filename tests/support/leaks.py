"""Search for leaks: everything that leaves a desk is compared with what leaves one with other hidden values.

Only values that cannot be guessed may differ: seals, which have a nonce, hashes of secrets and of the chained record,
and checksums of texts that contain one of these.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import count
from pathlib import Path
from random import Random

import pytest

from pbem.cli import demo
from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config
from pbem.games.chance import KINDS, commitment
from pbem.match.commitments import order_commitment
from pbem.match.model import Entry
from pbem.store.database import Store, connect
from support.commands import pbem
from support.trials import decoded
from support.worlds import NAMES, changes

Commands = tuple[tuple[str, ...], ...]
Texts = Mapping[str, Sequence[str]]

OF_TEXTS = r"=_[0-9a-f]{32}|(?<=hecksum\W{2})[0-9a-f]{64}|(?<=hecksum\W{4})[0-9a-f]{64}"


def settled(patch: pytest.MonkeyPatch, seed: int) -> None:
    """Make a desk's random values the same each time, and have it read letters in one run, however slow."""
    patch.setattr("pbem.service.budget.BEFORE_TURNS", 3600.0)
    secrets = Random(f"secrets {seed}")
    for where in ("secrets.token_bytes", "pbem.service.desk.token_bytes"):
        patch.setattr(where, secrets.randbytes)


def twin(table: DemoDesk, folder: Path, change: Callable[[Path], None]) -> DemoDesk:
    """Copy a desk, and let `change` alter those values in its database that a player may not know."""
    table.store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(table.config.path.parent, folder)
    there = copy(table)
    there.config, there.last = load_config(folder / "config.ini"), dict(table.last)
    change(there.config.database)
    there.store = Store(connect(there.config.database))
    return there


def leaves(table: DemoDesk, reader: str, texts: Texts, commands: Commands) -> Iterator[tuple[str, bytes]]:
    """Yield everything that leaves a desk for a seat and for everyone outside, when seats write these letters."""
    others = tuple(f"{person.name} <" for seat, person in table.people.items() if seat != reader)
    for seat, letters in texts.items():
        for text in letters:
            table.write(seat, text)
    log = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", "poll")
    yield "log", log.output.encode()
    told = (letter for _, letter in table.letters() if not str(letter["To"]).startswith(others))
    yield from ((f"letter {number}", letter.as_bytes()) for number, letter in enumerate(told))
    site = table.config.path.parent / "site"
    for words in commands:
        said = [site if word == "site" else word for word in words]
        done = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *said)
        yield " ".join(words), done.output.replace(str(site.parent), "").encode()
    for path in sorted(site.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(site)), path.read_bytes()


def unguessable(table: DemoDesk) -> set[str]:
    """Hashes of values that nobody knows, and secrets that are revealed when their turn is played."""
    conn = table.store.conn
    found = {one for (one,) in conn.execute("SELECT hash FROM record")}
    secrets = "SELECT secret FROM turns UNION SELECT secret FROM matches UNION SELECT deck FROM matches"
    for (secret,) in conn.execute(secrets):
        found |= {*secret.split("+"), commitment(secret)} - {"-", *KINDS} if secret else set()
    found |= {words for (words,) in conn.execute("SELECT words FROM seats")}
    for turn, seat, canonical, nonce in conn.execute("SELECT turn, seat, canonical, nonce FROM orders"):
        found.add(order_commitment(table.name, turn, seat, Entry(0, None, "", canonical, nonce)))
    for turn, orders in conn.execute("SELECT turn, orders FROM turns"):
        for seat, said in json.loads(orders).items():
            if said:
                entry = Entry(0, None, "", said["canonical"], said.get("nonce", ""))
                found.add(order_commitment(table.name, turn, seat, entry))
    return found


def spaced(text: str) -> str:
    """A text with one word per line, wherever its lines break: a hash may be shown as several words."""
    return "\n".join(text.split())


def differences(
    desks: tuple[DemoDesk, DemoDesk],
    patch: pytest.MonkeyPatch,
    reader: str,
    texts: tuple[Texts, Texts],
    commands: Commands,
) -> tuple[int, list[str]]:
    """Count the texts that have left both desks when their readers write the same letters, and list the differences."""
    seen = []
    for one, said in zip(desks, texts, strict=True):
        numbers = count(1_000_000)
        patch.setattr(demo, "make_msgid", lambda domain, numbers=numbers: f"<{next(numbers)}@{domain}>")
        seen.append({name: decoded(raw) for name, raw in leaves(one, reader, said, commands)})
    hashes = re.compile("|".join([*filter(None, unguessable(desks[0]) | unguessable(desks[1])), OF_TEXTS, NAMES]))
    here, elsewhere = ({name: spaced(hashes.sub("#", text)) for name, text in one.items()} for one in seen)
    return len(here), [*changes(here, elsewhere)]
