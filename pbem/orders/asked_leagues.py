"""The league that a command asks to see, with a season and a round: `standings Winter season 1 round 2`."""

import re
from typing import NamedTuple

from pbem.i18n import words

_SEASON, _ROUND = words.pattern("around", "of_season"), words.pattern("around", "after_round")
WHEN = rf"(?:(?:^| ){_SEASON} (?P<season>\d{{1,4}}))?(?:(?:^| ){_ROUND} (?P<round>\d{{1,4}}))?"
"""A pattern for the season and round that may follow a league's name."""

SHOWING = ("standings", "crosstable", "rounds", "schedule", "leagues")
"""The commands that show leagues."""


class AskedLeague(NamedTuple):
    """The league to show ("" for the writer's own), its season (None for the current one), and the round after which
    the standings are wanted (None for the current standings)."""

    name: str
    season: int | None = None
    round: int | None = None


def asked_league(written: str) -> AskedLeague:
    """Parse `written`, the text after a command such as `standings`, for example `Winter season 1 round 2`. The name,
    the season and the round may each be missing."""
    parts = re.fullmatch(rf"(?P<name>.*?){WHEN}", written, re.I)
    season, number = (
        (int(digits) if digits else None for digits in parts.group("season", "round")) if parts else (None, None)
    )
    return AskedLeague(parts["name"] if parts else written, season, number)
