"""The dates on which the rounds of a league begin, if its file names any.

All functions are pure. Without dates a round begins as soon as the one before it is over. With them it also waits for
its date, and its pairings are drawn and told some time before.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.leagues.effects import AddRound, BeginRound, LeagueEffect
from pbem.leagues.league_file import League
from pbem.leagues.rounds import next_round
from pbem.leagues.season import LeagueSeason
from pbem.times.moments import load_zone

_NOW = timedelta()


def start_of(league: League, number: int) -> datetime | None:
    """Return the moment before which round `number` does not begin; None if it has no date."""
    if number > len(league.starts) and not (league.starts and league.every):
        return None
    named = league.starts[min(number, len(league.starts)) - 1]
    wall = datetime.fromisoformat(named) + max(0, number - len(league.starts)) * (league.every or _NOW)
    return wall.replace(tzinfo=load_zone(league.terms.deadline.zone))


def told_at(league: League, number: int) -> datetime | None:
    """Return the moment at which the pairings of round `number` are told; None if it has no date."""
    start = start_of(league, number)
    return start and start - league.announce


def on_time(league: League, effects: Iterable[LeagueEffect], now: datetime) -> Iterator[LeagueEffect]:
    """Yield `effects` without those whose time has not come: the beginning of rounds before their dates, and the
    drawing of Swiss rounds before their pairings are to be told."""
    for effect in effects:
        moment = None
        if isinstance(effect, BeginRound):
            moment = start_of(league, effect.round)
        elif isinstance(effect, AddRound) and league.format == "swiss":
            moment = told_at(league, effect.round)
        if moment is None or moment <= now:
            yield effect


class Coming(NamedTuple):
    """A round of a division that has not begun and waits for its date."""

    division: int
    number: int
    start: datetime
    told_at: datetime
    is_paired: bool
    is_told: bool

    def due(self, now: datetime) -> datetime:
        """Return the moment at which something has to be done about the round, which may be past."""
        return self.start if self.is_told or now >= self.start else self.told_at


def coming_rounds(season: LeagueSeason) -> list[Coming]:
    """Return the next round of each division if it waits for its date only: the rounds before it are over."""
    found = []
    for at, division in enumerate(season.divisions, start=1):
        if any(round_.begun and not round_.ended for round_ in division.rounds):
            continue
        known = next((round_ for round_ in division.rounds if not round_.begun), None)
        number = known.number if known else len(division.rounds) + 1
        start, told = start_of(season.league, number), told_at(season.league, number)
        if start and told and (known or next_round(season, at)):
            found.append(Coming(at, number, start, told, known is not None, known is not None and known.told))
    return found
