"""The players of one game, in tests of what they, the game master and the computer do with it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.cli.demo import DemoDesk
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.store.matches import load_match
from pbem.times.deadlines import Pace
from support.correspondents import ALICE, BOB, CAROL, Correspondents
from support.game_masters import decide

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
CARLA = CAROL.replace("carol", "carla")
PEOPLE = (ALICE, BOB, CARLA, "dan@example.org")
"""The addresses of the players, by their places around the table."""


class Players(Correspondents):
    """The players of the first game of a desk."""

    def everybody(self, text: str) -> dict[str, list[str]]:
        """Have all players answer their last letter in turn; return what everybody gets in the end."""
        news: dict[str, list[str]] = {}
        for who in PEOPLE[: len(self.table.people)]:
            news = self.write(who, text)
        return news

    def decide(self, text: str) -> dict[str, list[str]]:
        """A game master decides by letter; what everybody gets."""
        decide(self.table, text)
        return self._read()

    @property
    def game(self) -> Match:
        return load_match(self.table.store, 1)

    def noted(self, kind: str) -> list[dict[str, Any]]:
        """The contents of the entries of this kind in the record."""
        rows = self.table.store.conn.execute(
            "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = ? ORDER BY id", (kind,)
        )
        return [json.loads(content) for (content,) in rows]


@contextmanager
def beginning(folder: Path) -> Iterator[Callable[..., Players]]:
    """A function that begins a game of any kind on a new desk in `folder`, with the given options and terms."""
    tables: list[DemoDesk] = []

    def begin(game: str = "ozymandia", options: dict[str, Any] | None = None, **terms: Any) -> Players:
        agreed = Terms(**{"deadline": Pace(every=3 * DAY), "remind": (), **terms})
        tables.append(DemoDesk(folder, NOON, game_name=game, terms=agreed, **(options or {})))
        tables[-1].poll()
        return Players(tables[-1])

    yield begin
    for table in tables:
        table.close()
