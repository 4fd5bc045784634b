"""Worlds that differ only in what a person must not see: everything that leaves a desk in each, and the differences.

Each world begins with the same keys, numbers and clock, and gets the same letters from the reader. From the others it
gets different letters, more of them or fewer. A third world is like the second, but with different keys and nonces: a
hash that is the same in both depends only on hidden values, so anyone who guesses them can verify the guess.
"""

import email
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from difflib import unified_diff
from email.message import Message
from email.mime.text import MIMEText
from email.utils import format_datetime
from itertools import count
from pathlib import Path
from random import Random

import pytest

from pbem.cli.demo import answer_letter
from pbem.config.config import Address
from pbem.match.effects import Observe
from pbem.match.identity import Player
from pbem.match.model import Match
from pbem.store import apply, players
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from support.desks import TestDesk
from support.trials import decoded

MEMBERS = {name: Address(name, f"{name.lower()}@example.net") for name in ("Alice", "Bob", "Carla", "Dora", "Erin")}
"""The players: Alice reads, and is also a game master of the games in which she has no seat."""
OBSERVER, STRANGER = Address("Grace", "grace@example.org"), Address("Sam", "sam@example.org")
MASTER, OPERATOR = Address("Gina", "gina@example.org"), Address("", "op@example.org")
READERS = (MEMBERS["Alice"], OBSERVER, STRANGER)


class World(TestDesk):
    """A desk with a league, whose members write and read; `nonces` is the source of everything that cannot be guessed,
    except deals and throws."""

    __test__ = False

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, seed: int, nonces: str) -> None:
        cards, others = Random(f"cards {seed}"), Random(f"{nonces} {seed}")
        patch.setattr("pbem.service.desk.token_bytes", cards.randbytes)
        patch.setattr("secrets.token_bytes", others.randbytes)
        patch.setattr("secrets.token_hex", lambda size: others.randbytes(size).hex())
        patch.setattr("pbem.service.budget.BEFORE_TURNS", 3600.0)  # so that no letters wait on a busy machine
        super().__init__(folder)
        self._numbers = {one.address: count(1) for one in (*MEMBERS.values(), OBSERVER, STRANGER, MASTER)}
        self._files = count(1)
        self.letters: list[Message] = []
        self.raws: list[bytes] = []
        self.left: list[tuple[str, bytes]] = []

    @property
    def store(self) -> Store:
        return Store(connect(self.folder / "pbem.db"))

    def does(self, *words: str) -> str:
        told = self.run(*words)
        assert told.status == 0, told.lines
        return "\n".join(told.lines)

    def found(self, game: str, members: int, options: str = "", terms: str = "", table: int = 0) -> None:
        """Begin a league with an observer, and send its invitations."""
        people = ", ".join(f'"{one.name} <{one.address}>"' for one in [*MEMBERS.values()][:members])
        masters = ", ".join(f'{{ name = "{one.name}", address = "{one.address}" }}' for one in (MASTER, READERS[0]))
        (self.folder / "league.toml").write_text(
            f'name = "Winter"\nformat = "round-robin"\ngame = "{game}"\nconfirmed = true\nmasters = [{masters}]\n'
            f"{f'table = {table}' if table else ''}\ndivisions = [{{ players = [{people}] }}]\n"
            f'[options]\n{options}\n[terms]\ndeadline = "7 days"\n{terms}\n'
        )
        self.does("league", "new", "--file", str(self.folder / "league.toml"))
        self.watched()
        self.look()

    def watched(self) -> None:
        """Let a person observe all games."""
        store = self.store
        watcher = players.add_player(store, OBSERVER.name, OBSERVER.address, self.now)
        with store.transaction():
            for number in self.games(store):
                apply.write(store, Observe(load_match(store, number), watcher, on=True), self.now)
        store.conn.close()

    def games(self, store: Store) -> list[int]:
        return [number for (number,) in store.conn.execute("SELECT id FROM matches ORDER BY id")]

    def matches(self, *, played: bool = True) -> list[Match]:
        """All games, or only the running ones if `played`."""
        store = self.store
        found = [load_match(store, number) for number in self.games(store)]
        store.conn.close()
        return [one for one in found if one.phase == "running" or not played]

    # Letters

    def letters_to(self, who: Address | Player, about: str = "") -> list[Message]:
        """The letters to a person about a game, or all of them."""
        to = [one for one in self.letters if str(one["To"]).endswith(f"<{who.address}>")]
        return [one for one in to if about in str(one["Subject"])]

    def says(self, who: Address | Player, text: str, about: str = "") -> None:
        """Answer the last letter about a game, but not press, because plain words would go to its writer."""
        ours = [one for one in self.letters_to(who, about) if ".press-" not in str(one["Message-ID"])]
        self._put(who, answer_letter(ours[-1], who, text, self.now))

    def asks(self, who: Address, text: str) -> None:
        """Send a letter that answers none of ours."""
        letter = MIMEText(text, _charset="utf-8")
        letter["From"], letter["To"], letter["Subject"] = f"{who.name} <{who.address}>", "gm@example.org", "Hello"
        letter["Date"] = format_datetime(self.now)
        self._put(who, letter)

    def _put(self, who: Address | Player, letter: MIMEText) -> None:
        del letter["Message-ID"]
        letter["Message-ID"] = f"<{next(self._numbers[who.address])}@{who.address.partition('@')[2]}>"
        name = f"{self.now.timestamp():.0f}.Q{next(self._files)}.test"
        (self.folder / "mail" / "in" / "new" / name).write_bytes(letter.as_bytes())

    def look(self, after: timedelta = timedelta(minutes=5)) -> None:
        """Do what cron does; keep its log and the letters sent since."""
        self.now += after
        self.left.append((f"log of {self.now:%d %H:%M}", "\n".join(self.run("poll").lines).encode()))
        new = [raw for raw in self.post.sent() if raw not in self.raws]  # a letter that waited may have a low number
        self.raws += new
        self.letters += map(email.message_from_bytes, new)

    def shows(self, commands: Iterable[tuple[str, ...]]) -> None:
        """Keep the output of commands and the pages of the archive."""
        site = self.folder / "site"
        for words in (("archive", "build", str(site)), *commands):
            told = "\n".join(self.run(*words).lines).replace(str(self.folder), "")
            name = " ".join(words[:4]).replace(str(self.folder), "")
            self.left.append((f"{self.now:%d %H:%M} {name}", told.encode()))
        pages = sorted(path for path in site.rglob("*") if path.is_file())
        self.left += [(f"{self.now:%d %H:%M} {path.relative_to(site)}", path.read_bytes()) for path in pages]

    def all_told(self, readers: Collection[Address]) -> dict[str, str]:
        """Everything that has left the desk for these readers and for everyone, by name, as text."""
        operator = OPERATOR in readers
        left = [one for one in self.left if operator or not one[0].startswith("log")]
        found = [(f"{name} #{number}", raw) for number, (name, raw) in enumerate(left)]
        for who in readers:
            to = (raw for raw, one in zip(self.raws, self.letters, strict=True) if who.address in str(one["To"]))
            found += [(f"letter {number} to {who.address}", raw) for number, raw in enumerate(to, 1)]
        return {name: decoded(raw) for name, raw in found}


_HASHES = re.compile(r"(?<![0-9a-z])[0-9a-f]{32}(?:[0-9a-f]{32})?(?![0-9a-z])")
NAMES = r"-0[a-z2-7]{16}(?=[-.@]|%40)|\.[a-z2-7]{16}(?=(?:\.ref)?@|%40)"
"""The parts of a Message-ID that stand for the number of a letter, and the part that proves it."""


def changes(here: Mapping[str, str], there: Mapping[str, str]) -> Iterator[str]:
    """Yield the first differing lines of each of some texts, by their names."""
    for name in dict.fromkeys((*here, *there)):
        lines = unified_diff(*(one.get(name, "").splitlines() for one in (here, there)), n=0, lineterm="")
        changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        yield from (f"{name}: {line}" for line in changed[:6])


def differences(worlds: Iterable[World], readers: Collection[Address]) -> tuple[int, list[str]]:
    """Count the texts that have left the first of three worlds, and list the differences in the second, one per
    line."""
    here, there, third = (world.all_told(readers) for world in worlds)
    plain = [{name: re.sub(NAMES, "~", _HASHES.sub("#", text)) for name, text in one.items()} for one in (here, there)]
    found = [*changes(*plain)]
    of_hidden = set.intersection(*({*_HASHES.findall("\n".join(one.values()))} for one in (there, third)))
    known = {*_HASHES.findall("\n".join(here.values()))}
    for one in sorted(of_hidden - known):
        found.append(f"{next(name for name, text in there.items() if one in text)}: {one} is a hash of what is hidden")
    return len(here), found
