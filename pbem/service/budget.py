"""What letters may cost before the turns that are due are played, so that nobody's letters make all others wait.

Whose account a letter is charged to is seen by its head alone; what has no room waits in the store until the turns are
played, and what has none then is the next run's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

BEFORE_TURNS, AFTER_TURNS = 10.0, 60.0
"""Seconds for the letters of one account."""

RANKS = range(4)
"""Those of letters in the store: 0 has what was never put off."""


class Account(NamedTuple):
    """Who pays for a letter: its surely known writer, by their number, or all others of a rank together.

    `rank` is how soon its letters are read when they have waited: 1 of who is sure, 2 of whom we seem to know, 3 of
    strangers.
    """

    rank: int
    player: int = 0


class Budget:
    """What is left of the seconds that each account has."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._spent: defaultdict[Account, float] = defaultdict(float)

    def has_room_for_all(self) -> bool:
        """Whether no account has spent its seconds, so that nobody needs to know whose a letter is."""
        return max(self._spent.values(), default=0.0) < self._seconds

    def has_room(self, account: Account) -> bool:
        """Whether another letter of an account may be read."""
        return self._spent[account] < self._seconds

    @contextmanager
    def charge(self, whose: Callable[[], Account]) -> Iterator[None]:
        """What is done meanwhile is done for an account; whose it is is asked when it is done."""
        began = monotonic()
        try:
            yield
        finally:
            self._spent[whose()] += monotonic() - began
