"""A fast source of chance for simulations, seeded from another source."""

from collections.abc import Sequence
from typing import TypeVar

from pbem.games.chance import Chance

_Item = TypeVar("_Item")
_MASK = (1 << 64) - 1


class QuickChance:
    """A linear congruential generator (Knuth's MMIX): fast enough for millions of trials, but predictable."""

    def __init__(self, seed: int) -> None:
        self._now = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & _MASK
        self.pick(2)

    def die(self, sides: int) -> int:
        return self.pick(sides) + 1

    def pick(self, number: int) -> int:
        self._now = (self._now * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._now >> 33) * number >> 31

    def of(self, items: Sequence[_Item]) -> _Item:
        """Pick one of the items at random."""
        return items[self.pick(len(items))]


def quick(chance: Chance) -> QuickChance:
    """Create a fast source of chance, seeded from `chance`."""
    seed = 0
    for _ in range(6):
        seed = seed << 8 | chance.pick(256)
    return QuickChance(seed)
