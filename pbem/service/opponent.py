"""The computer's turns: how long each level may think. What it thinks is up to the game.

Quick levels answer at once. The others think after all letters have been sent, so that nobody waits for them.
"""

from collections.abc import Iterator, Mapping
from time import monotonic

from pbem.games.base import Seat
from pbem.games.capabilities import Thought
from pbem.match import computer
from pbem.match.model import Match


def thinks_long(match: Match) -> bool:
    """Check whether a turn waits for a level of the computer that takes its time to think."""
    return any(match.holders[seat].level > computer.QUICK for seat in computer.awaited(match))


def think(match: Match, key: bytes, seconds: float) -> Mapping[Seat, Thought]:
    """Choose moves for all seats of the computer for which a turn waits, in `seconds` altogether.

    Each seat gets at least its first thought, however little time there is.
    """
    seats = computer.awaited(match)
    return {seat: _best(computer.thoughts(match, seat, key), seconds / len(seats)) for seat in seats}


def _best(thoughts: Iterator[Thought], seconds: float) -> Thought:
    until, best = monotonic() + seconds, next(thoughts)
    while monotonic() < until and (better := next(thoughts, None)):
        best = better
    return best
