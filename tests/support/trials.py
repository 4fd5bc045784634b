"""Desks whose games are the trial game, which has three players, and a world in which other cards were dealt."""

import email
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path

import pytest

from pbem import games
from pbem.cli.demo import DemoDesk
from pbem.games.base import Seat
from pbem.mail.letters import with_seals
from pbem.match.effects import Observe
from pbem.match.model import Match
from pbem.store import apply, players
from pbem.store.matches import load_match
from support.trial import Trial

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SEATS = ("amber", "birch", "cedar")


def add_trial(monkeypatch: pytest.MonkeyPatch, game: Trial | None = None) -> None:
    """Register a game as usual, with a single line."""
    played = (games.find_game("ozymandia"), game or Trial())
    monkeypatch.setattr(games, "GAMES", {one.name: one for one in played})


def trial_table(folder: Path, **options: object) -> DemoDesk:
    """A desk with a game of three whose invitations have been sent."""
    table = DemoDesk(folder, NOON, "trial", **options)
    table.poll()
    return table


def match_of(table: DemoDesk, number: int = 1) -> Match:
    return load_match(table.store, number)


def add_observer(table: DemoDesk) -> None:
    """Let Grace get the reports of the game from now on."""
    observer = players.add_player(table.store, "Grace", "grace@example.org", NOON)
    with table.store.transaction():
        apply.write(table.store, Observe(match_of(table), observer, on=True), NOON)


def hand(table: DemoDesk, seat: Seat) -> list[int]:
    """The cards that a seat holds."""
    cards: Mapping[Seat, list[int]] = match_of(table).state["hands"]
    return cards[seat]


def flat(letter: Message) -> str:
    """The text of a letter and its seals on one line."""
    return " ".join(with_seals(letter.as_bytes()).split())


def told(table: DemoDesk, seat: Seat, text: str) -> dict[Seat, list[str]]:
    """Have a seat write; return what each seat is told then."""
    table.write(seat, text)
    found: dict[Seat, list[str]] = {}
    for reader, letter in table.poll():
        found.setdefault(reader, []).append(flat(letter))
    return found


def play(table: DemoDesk, turns: int = 99) -> None:
    """Play a number of turns, in each of which the highest card is laid."""
    while turns and not table.over():
        (seat,) = match_of(table).missing()
        told(table, seat, f"Ставлю {max(hand(table, seat))} золота")
        turns -= 1


def decoded(raw: bytes) -> str:
    """Decode bytes as text; for letters and mailboxes, with their parts decoded."""
    letters = [email.message_from_bytes(one) for one in re.split(rb"(?m)^(?=From )", raw)]
    parts = [part for letter in letters for part in letter.walk()]
    content = [part.get_payload(decode=True) or b"" for part in parts]
    heads = [f"{name}: {value}" for part in parts for name, value in part.items()]
    return "\n".join([*heads, *(one.decode("utf-8", "replace") for one in content)])
