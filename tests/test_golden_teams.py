"""A season of three teams with two boards each, played by letters: the whole correspondence, kept as a transcript.

A change that is meant is written down by `PBEM_REWRITE_GOLDEN=1 pytest tests/test_golden_teams.py`;
read the difference.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

from support.paths import GOLDEN
from support.seasons import Season, about, check_transcript

TEAMS = GOLDEN / "teams.txt"

LEAGUE = (GOLDEN / "teams.toml").read_text("utf-8")
"""A game is a draw after one turn, so that whoever is to lose a board resigns."""


def play(folder: Path) -> Season:
    """The script of the season."""
    season = Season(folder, datetime(2026, 10, 17, 12, 0, tzinfo=UTC))
    season.found(LEAGUE)
    season.run()
    # Round 1: the Knights meet the Pawns, and the Rooks have a bye. Their captain plans ahead.
    season.write("Bob", "substitute Cup board 2 Carol")
    season.run()
    _win(season, "Dave", "Grace")
    _draw(season, "Heidi", "Erin")
    # Round 2: the Pawns meet the Rooks, for whom Carol plays on board 2. Grace has to stop, and Ivan takes over.
    season.decide("withdraw", "Cup", "Grace", reason="she has moved house")
    season.run()
    _win(season, "Alice", "Ivan")
    _win(season, "Carol", "Heidi")
    # Round 3: the Rooks meet the Knights, in the order of the file again.
    _win(season, "Dave", "Alice")
    _win(season, "Bob", "Erin")
    season.run()
    season.store.conn.close()
    return season


def _game_of(season: Season, first: str, second: str) -> str:
    return next(name for name, seats in season.games().items() if {*seats} == {first, second})


def _win(season: Season, winner: str, loser: str) -> None:
    game = _game_of(season, winner, loser)
    for text in ("resign", "yes"):
        season.write(loser, text, about(game))
        season.run()


def _draw(season: Season, first: str, second: str) -> None:
    game = _game_of(season, first, second)
    for who in (first, second):
        season.write(who, "draw", about(game))
        season.run()


def test_a_season_of_teams_is_told_as_it_was_told_before(tmp_path: Path) -> None:
    season = play(tmp_path / "desk")
    check_transcript(season, TEAMS)
    standings = json.loads(season.pbem("league", "standings", "Cup", "--json"))
    assert [(row["team"], row["points"], row["tie_breaks"]["game points"]) for row in standings] == [
        ("Rooks", 4, 4),
        ("Knights", 4, 3.5),
        ("Pawns", 1, 1.5),
    ]
    matches = [
        match for one in json.loads(season.pbem("league", "rounds", "Cup", "--json")) for match in one["matches"]
    ]
    assert [(*match["teams"], *match["game_points"]) for match in matches] == [
        ("Knights", "Pawns", 1.5, 0.5),
        ("Pawns", "Rooks", 0, 2),
        ("Rooks", "Knights", 1, 1),
    ]
