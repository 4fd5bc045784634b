"""Time budgets for letters, so that nobody's letters can delay other players' turns.

The account that pays for a letter is determined by its headers alone. A letter whose account is spent waits in the
store until the turns have been played. If the account has nothing left then either, the letter waits for the next run.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

BEFORE_TURNS, AFTER_TURNS = 10.0, 60.0
"""Seconds for the letters of one account, before the turns are played and afterwards."""

RANKS = range(4)
"""Ranks of letters in the store; 0 is the rank of letters that were never postponed."""


class Account(NamedTuple):
    """The account that pays for a letter: that of its proven writer, by their number, or one for all other writers of a
    rank.

    Waiting letters are read in order of `rank`: 1 for proven writers, 2 for people who seem to be known, 3 for
    strangers.
    """

    rank: int
    player: int = 0


class Budget:
    """The remaining seconds of each account."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._spent: defaultdict[Account, float] = defaultdict(float)

    def has_room_for_all(self) -> bool:
        """Check whether every account has time left, so that it does not matter who wrote a letter."""
        return max(self._spent.values(), default=0.0) < self._seconds

    def has_room(self, account: Account) -> bool:
        """Check whether another letter of an account may be read."""
        return self._spent[account] < self._seconds

    @contextmanager
    def charge(self, whose: Callable[[], Account]) -> Iterator[None]:
        """Charge the time of the `with` block to an account, which is determined only at its end."""
        began = monotonic()
        try:
            yield
        finally:
            self._spent[whose()] += monotonic() - began
