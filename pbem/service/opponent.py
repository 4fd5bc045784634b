"""The computer's turns, with limits on the time for thinking. The games decide which moves the computer chooses.

Quick levels of the computer answer at once. The other levels think after all letters have been sent, so that nobody has
to wait for them.
"""

from collections.abc import Iterator, Mapping
from time import monotonic

from pbem.games.base import Seat
from pbem.games.capabilities import Thought
from pbem.match import computer
from pbem.match.model import Match


def thinks_long(match: Match) -> bool:
    """Return whether the turn of `match` is waiting for a level of the computer that takes its time to think."""
    return any(match.holders[seat].level > computer.QUICK for seat in computer.awaited(match))


def think(match: Match, key: bytes, seconds: float) -> Mapping[Seat, Thought]:
    """Choose a move for each seat of the computer for which the turn of `match` is waiting, within `seconds`
    altogether.

    However little time there is, each seat gets at least the first move that the computer finds.
    """
    seats = computer.awaited(match)
    return {seat: _best(computer.thoughts(match, seat, key), seconds / len(seats)) for seat in seats}


def _best(thoughts: Iterator[Thought], seconds: float) -> Thought:
    until, best = monotonic() + seconds, next(thoughts)
    while monotonic() < until and (better := next(thoughts, None)):
        best = better
    return best
