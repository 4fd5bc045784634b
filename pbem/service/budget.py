"""Time budgets for letters, so that one person's letters cannot delay other players' turns.

The headers of a letter alone determine the account that pays for it. If that account has no time left, the letter waits
in the store until the turns have been played. Each account then gets a new budget; if that is used up, too, the letter
waits for the next run.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

BEFORE_TURNS, AFTER_TURNS = 10.0, 60.0
"""The number of seconds for the letters of one account: before the turns are played, and afterwards."""

RANKS = range(4)
"""The ranks of letters in the store; 0 is the rank of letters that were never postponed."""


class Account(NamedTuple):
    """The account that pays for a letter. Each proven writer has an account of their own, with their number as
    `player`; the other writers of a rank share one account.

    Waiting letters are read in order of `rank`: 1 for proven writers, 2 for people who seem to be known, 3 for
    strangers.
    """

    rank: int
    player: int = 0


class Budget:
    """A budget of seconds, the same for each account, with the number of seconds that each account has spent."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._spent: defaultdict[Account, float] = defaultdict(float)

    def has_room_for_all(self) -> bool:
        """Return whether every account has time left, so that it does not matter who wrote a letter."""
        return max(self._spent.values(), default=0.0) < self._seconds

    def has_room(self, account: Account) -> bool:
        """Return whether `account` has time left, so that another of its letters may be read."""
        return self._spent[account] < self._seconds

    @contextmanager
    def charge(self, whose: Callable[[], Account]) -> Iterator[None]:
        """Charge the time that the `with` block takes to an account. `whose` returns that account, and is called only
        at the end of the block."""
        began = monotonic()
        try:
            yield
        finally:
            self._spent[whose()] += monotonic() - began
