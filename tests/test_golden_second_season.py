"""A season of six teams with clocks of their own, beside an anonymous league, played by letters.

A turn is taken back, a vote pauses a game, and the computer plays for somebody until she is back. The transcript keeps
the whole correspondence. A change that is meant is written down by
`PBEM_REWRITE_GOLDEN=1 pytest tests/test_golden_second_season.py`; read the difference.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.paths import GOLDEN
from support.seasons import Season, about, check_transcript


def play(folder: Path) -> Season:
    """The script of the season."""
    season = Season(folder, datetime(2026, 12, 5, 12, 0, tzinfo=UTC))
    for league in ("second_season.toml", "masks.toml"):
        season.found((GOLDEN / league).read_text("utf-8"))
    season.run()
    _take_back(season, "oz-1", "Alice", "Grace")
    _pause(season, "oz-2", "Heidi", "Bob")
    for game in ("oz-3", "oz-4", "oz-5"):
        _give_up(season, game, season.games()[game][0])
    _be_absent(season, "oz-6", "Lena", "Frank")
    while games := season.games():
        _give_up(season, *next((game, season.called(game, "blue")) for game in games))
    season.run()
    season.store.conn.close()
    return season


def _take_back(season: Season, game: str, first: str, second: str) -> None:
    """The first turn is played twice, because Alice has mistyped an area."""
    _both(season, game, {first: "3 A to M", second: "2 V to VC"})
    season.write(first, "take back", about(game))
    season.run()
    season.write(second, "yes", about(game))
    season.run()
    for orders in ("3 A to AC", "1 AC to MC"):
        _both(season, game, {first: orders, second: "Pass"})


def _pause(season: Season, game: str, first: str, second: str) -> None:
    """Both clocks stop until Sunday."""
    season.write(first, "vote pause", about(game))
    season.run()
    season.write(second, "yes", about(game))
    season.run()
    season.pass_days(datetime(2026, 12, 6, 8, 0, tzinfo=UTC))
    season.write(second, "vote resume", about(game))
    season.run()
    season.write(first, "yes", about(game))
    season.run()
    _both(season, game, {first: "draw", second: "draw"})


def _be_absent(season: Season, game: str, absent: str, other: str) -> None:
    """Her bank is empty before her first letter comes; for the second turn she is back."""
    season.write(other, "2 V to VC", about(game))
    season.pass_days(datetime(2026, 12, 6, 13, 0, tzinfo=UTC))
    season.write(absent, "Sorry, I was in hospital.\n1 A to AC", about(game))
    season.run()
    season.write(other, "1 VC to MC", about(game))
    season.run()


def _both(season: Season, game: str, letters: dict[str, str]) -> None:
    for who, text in letters.items():
        season.write(who, text, about(game))
    season.run()


def _give_up(season: Season, game: str, who: str) -> None:
    for text in ("resign", "yes"):
        season.write(who, text, about(game))
        season.run()


@pytest.fixture
def season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Season:
    monkeypatch.setattr("pbem.store.leagues.token_hex", lambda size: "0" * (2 * size))  # the lot of the masks
    return play(tmp_path / "desk")


def test_a_season_with_clocks_masks_an_absence_and_votes_is_told_as_it_was_told_before(season: Season) -> None:
    check_transcript(season, GOLDEN / "second_season.txt")
    standings = {
        league: json.loads(season.pbem("league", "standings", league, "--json")) for league in ("Winter", "Masks")
    }
    assert [(row["team"], row["points"]) for row in standings["Winter"]] == [
        ("Kings", 3),
        ("Rooks", 2),
        ("Bishops", 2),
        ("Queens", 2),
        ("Knights", 2),
        ("Pawns", 1),
    ]
    assert [(row["player"], row["points"]) for row in standings["Masks"]] == [
        ("Klara", 2),
        ("Ivan", 2),
        ("Erin", 1),
        ("Alice", 1),
    ]
    season.pbem("verify")
