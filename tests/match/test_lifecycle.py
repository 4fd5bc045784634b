"""Whatever players, game masters and the clock do, in whatever order: what always holds of a game's life."""

import hashlib
import json
import re
from contextlib import suppress
from datetime import datetime, timedelta
from inspect import getsource
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import sampled_from

from pbem import PbemError
from pbem.cli.demo import DemoDesk
from pbem.config.config import read_key
from pbem.games.base import Seat
from pbem.games.ozymandia.bot import choose
from pbem.match import clock, commitments, press
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.orders.command import Decision
from pbem.service.desk import Desk
from pbem.store import matches
from pbem.times.deadlines import Pace

NOON = datetime.fromisoformat("2026-11-21T12:00:00+00:00")
SECRET = {"red": "1 A to AC", "blue": "1 H to HC"}  # legal at the start, and in no letter of ours by itself
WORDS = (
    "help",
    "status",
    "yes",
    "withdraw",
    "wait",
    "no wait",
    "draw",
    "no draw",
    "resign",
    "pause",
    "no pause",
    "resume",
    "press: Good luck\nend press",
    "mute",
    "history",
    "resend",
    "check: 2 A to AC",
    "vacation 1 December to 3 December",
    "rematch",
    "9 Q to Z",
    "accept",
    "ok",
    "pause oz-1 because I say so",
)
DECISIONS = ("extend 1 day", "pause", "resume", "process", "rollback 1", "rollback 2", "readjudicate", "annul")
TERMS = (
    Terms(deadline=Pace(every=timedelta(days=3))),
    Terms(),
    Terms(deadline=Pace(every=timedelta(days=1)), extensions=1, grace=timedelta(hours=2), forfeit=2),
    Terms(deadline=Pace(every=timedelta(days=2)), review=timedelta(days=1), remind=()),
    Terms(deadline=Pace(every=timedelta(days=2)), early=False),
)


class Life(RuleBasedStateMachine):
    """One game from its beginning to wherever chance leads it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory(prefix="pbem-life-")
        self.sealed: dict[tuple[str, int], str] = {}

    @initialize(terms=sampled_from(TERMS))
    def begin(self, terms: Terms) -> None:
        self.table = DemoDesk(Path(self.folder.name) / "desk", NOON, terms=terms)
        self.table.poll()

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()
        self.folder.cleanup()

    @property
    def match(self) -> Match:
        return matches.load_match(self.table.store, 1)

    @property
    def desk(self) -> Desk:
        config = self.table.config
        return Desk(config, self.table.store, self.table.now, "", read_key(config.desk.key_file))

    # What people and the clock do

    @rule(seat=sampled_from(("red", "blue")), how=sampled_from(("bot", "pass", "secret")))
    def orders(self, seat: Seat, how: str) -> None:
        text = {"bot": str(choose(self.match.state, seat)), "pass": "Pass", "secret": SECRET[seat]}[how]
        self.table.write(seat, text)

    @rule(seat=sampled_from(("red", "blue")), word=sampled_from(WORDS))
    def word(self, seat: Seat, word: str) -> None:
        self.table.write(seat, word)

    @rule(words=sampled_from(DECISIONS))
    def decide(self, words: str) -> None:
        word, _, argument = words.partition(" ")
        with suppress(PbemError):
            self.desk.decide(Decision(word, "oz-1", argument, "we try it out"))

    @rule(hours=sampled_from((1, 12, 30, 80)))
    def time_passes(self, hours: int) -> None:
        self.table.now += timedelta(hours=hours)

    @rule()
    def the_desk_runs(self) -> None:
        self.table.poll()

    @precondition(lambda self: hasattr(self, "table") and self.match.turns and self.match.phase == "running")
    @rule()
    def a_turn_is_taken_back_and_played_again(self) -> None:
        """The same orders from the same state give the same state."""
        before = self.match
        last = before.turns[-1]
        self.desk.decide(Decision("rollback", "oz-1", str(last.turn), "we try it out"))
        assert (self.match.turn, self.match.state) == (last.turn, last.before)
        for seat, entry in last.orders.items():
            if entry:
                self.desk.decide(Decision("orders", "oz-1", f"{seat}: {entry.canonical}", "the same again"))
        self.desk.decide(Decision("process", "oz-1", "", "the same again"))
        after = self.match
        assert (after.turn, after.state, after.turns[-1].events) == (before.turn, before.state, last.events)

    # What always holds

    @invariant()
    def turns_are_played_once_and_one_after_the_other(self) -> None:
        if hasattr(self, "table"):
            match = self.match
            assert [turn.turn for turn in match.turns] == list(range(1, len(match.turns) + 1))
            if match.phase in ("running", "paused", "review"):
                assert match.turn == len(match.turns) + 1
            for one, following in zip(match.turns, match.turns[1:], strict=False):
                assert one.after == following.before

    @invariant()
    def letters_never_change(self) -> None:
        if hasattr(self, "table"):
            for table in ("letters", "outbox"):
                for number, raw in self.rows(f"SELECT id, raw FROM {table}"):
                    digest = hashlib.sha256(raw).hexdigest()
                    assert self.sealed.setdefault((table, number), digest) == digest

    @invariant()
    def the_game_waits_for_somebody_or_pauses_or_is_over(self) -> None:
        if hasattr(self, "table"):
            match = self.match
            match match.phase:
                case "running":
                    assert match.missing() or match.can_play() or match.due or match.wishes.get("wait")
                    assert (match.deadline is None) == (match.terms.deadline == Pace())
                    assert match.deadline is None or match.due is not None
                case "review" | "offered":
                    assert match.due is not None
                case "paused":
                    assert match.result is None
                case _:
                    assert match.result is not None
                    assert match.due is None

    @invariant()
    def nobody_sees_what_he_may_not(self) -> None:
        """Orders that wait are in no letter to anybody else, addresses in none at all."""
        if not hasattr(self, "table"):
            return
        waiting = {
            seat: entry.canonical for seat, entry in self.match.standing.items() if entry.canonical == SECRET[seat]
        }
        played = {
            text for turn in self.match.turns for entry in turn.orders.values() if entry for text in (entry.canonical,)
        }
        undone = json.dumps(self.rows("SELECT orders FROM turns"))
        for seat, raw in self.rows("SELECT seat, raw FROM outbox"):
            text = raw.decode()
            assert seat == "red" or "alice@example.net" not in text.replace("To: Alice <alice@example.net>", "")
            assert seat == "blue" or "bob@example.com" not in text.replace("To: Bob <bob@example.com>", "")
            for other, canonical in waiting.items():
                if other != seat and canonical not in played and canonical not in undone:
                    assert canonical not in text

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.table.store.conn.execute(sql).fetchall()


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)


@pytest.mark.parametrize("module", [clock, commitments, press], ids=lambda module: module.__name__)
def test_what_may_happen_in_a_phase_is_asked_of_the_table_alone(module: ModuleType) -> None:
    assert not re.findall(r"\.phase (?:==|!=|in|not in) .*", getsource(module))
