"""Which league a command means that shows something of leagues: `standings Winter season 1 round 2`."""

import re
from typing import NamedTuple

from pbem.i18n import words

_SEASON, _ROUND = words.pattern("around", "of_season"), words.pattern("around", "after_round")
WHEN = rf"(?:(?:^| ){_SEASON} (?P<season>\d{{1,4}}))?(?:(?:^| ){_ROUND} (?P<round>\d{{1,4}}))?"
"""What may stand behind a league: a season and a round of it."""

SHOWING = ("standings", "crosstable", "rounds", "schedule", "leagues")
"""The commands that show something of leagues."""


class AskedLeague(NamedTuple):
    """A league to be shown, "" for the writer's own: a season of it, None for the current one, and a round after which
    to show the standing, None for now."""

    name: str
    season: int | None = None
    round: int | None = None


def asked_league(written: str) -> AskedLeague:
    """Parse the text behind `standings`: `Winter season 1 round 2`, or less."""
    parts = re.fullmatch(rf"(?P<name>.*?){WHEN}", written, re.I)
    season, number = (
        (int(digits) if digits else None for digits in parts.group("season", "round")) if parts else (None, None)
    )
    return AskedLeague(parts["name"] if parts else written, season, number)
