"""A season of eight players, played by letters: the whole correspondence, kept as a transcript.

A change that is meant is written down by `PBEM_REWRITE_GOLDEN=1 pytest tests/test_golden_season.py`;
read the difference.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

from support.paths import GOLDEN
from support.seasons import NAMES, PEOPLE, Season, about, check_transcript

SEASON = GOLDEN / "season.txt"
PLAYERS = NAMES[:8]

LEAGUE = (GOLDEN / "season.toml").read_text("utf-8")
"""Sundays at eight in the evening, by the clock on the wall; on 25 October 2026 summer time ends."""


def play(folder: Path) -> Season:
    """The script of the season."""
    season = Season(folder, datetime(2026, 10, 17, 12, 0, tzinfo=UTC))
    season.found(LEAGUE)
    season.run()
    first = list(season.games())
    _first_round(season, *first)
    second = [name for name in season.games() if name not in first]
    _second_round(season, *second)
    season.store.conn.close()
    return season


def _first_round(season: Season, one: str, two: str, three: str, four: str) -> None:
    """From Saturday 17 October; the first turn is due on Sunday the 18th or 25th, when summer time ends."""
    seats = season.games()
    for game in (one, two):  # early turns keep the grid
        for who in seats[game]:
            season.write(who, "Pass", about(game))
    red, blue = seats[three]
    season.write(red, "vacation 20 October to 30 October", about(three))
    season.run()
    season.write(blue, "Pass", about(three))
    red, blue = seats[four]
    season.write(red, "Pass", about(four))  # blue is late: a reminder, the grace, then the turn without him
    season.write(seats[one][0], "draw", about(one))
    season.write(seats[two][1], "resign", about(two))
    season.run()
    season.write(seats[one][1], "draw", about(one))
    season.write(seats[two][1], "yes", about(two))
    season.run()
    season.pass_days(datetime(2026, 10, 26, 6, 0, tzinfo=UTC))
    season.decide("rollback", four, "1", reason="the mail of one side was lost")
    season.decide("replace", four, f"blue with Ivan <{PEOPLE['Ivan'].address}>", reason="the other one has no time")
    season.run()
    season.write("Ivan", "Pass", about(four))
    season.write(red, "Pass", about(four))
    season.run()
    season.pass_days(datetime(2026, 11, 1, 10, 0, tzinfo=UTC))
    season.be_down(datetime(2026, 11, 3, 10, 0, tzinfo=UTC))  # over a deadline
    season.run()
    for _ in range(2):
        for game in (three, four):
            for who in season.games().get(game, ()):
                season.write(who, "Pass", about(game))
        season.run()
    season.run()


def _second_round(season: Season, *games: str) -> None:
    for _ in range(3):
        for game in games:
            for who in season.games().get(game, ()):
                season.write(who, "Pass", about(game))
        season.run()
    season.run()


def test_a_season_is_told_as_it_was_told_before(tmp_path: Path) -> None:
    season = play(tmp_path / "desk")
    check_transcript(season, SEASON)
    standings = json.loads(season.pbem("league", "standings", "Autumn", "--json"))
    assert {row["player"] for row in standings} >= set(PLAYERS) - {"Heidi"}
    assert sum(row["played"] for row in standings) == 16
