"""When the rounds of a public beacon come: random numbers that nobody knows before, such as those of drand."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

_AHEAD = timedelta(minutes=2)


class Beacon(NamedTuple):
    """What people know a beacon by, best with where its rounds can be looked up; when its round 1 came, in seconds
    since 1970, and every how many seconds another does: `genesis_time` and `period` of a drand chain."""

    name: str
    genesis: int
    period: int

    def moment(self, number: int) -> datetime:
        """When a round comes."""
        return datetime.fromtimestamp(self.genesis + (number - 1) * self.period, UTC)

    def latest(self, now: datetime) -> int:
        """The last round that has come; 0 before the first."""
        return max(0, int(now.timestamp() - self.genesis) // self.period + 1)

    def ahead(self, now: datetime) -> int:
        """The next round that surely nobody knows yet, whatever our clock: two periods ahead, and two minutes, in which
        a letter that names it arrives."""
        return self.latest(now + _AHEAD) + 3
