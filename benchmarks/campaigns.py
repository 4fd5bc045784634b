"""Rounds of Ozz for `adjudicate`: positions, and letters written by computer players."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from pbem.games import find_game
from pbem.games.base import Seat
from pbem.games.chance import SecretChance
from pbem.games.ozz.bot import choose
from pbem.games.ozz.rules import awaiting, resolve
from pbem.games.ozz.state import State
from pbem.games.ozz.views import view

_NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")
_MATCHES: tuple[Mapping[str, Any], ...] = (
    {"battles": "great"},
    {"nations": _NATIONS, "battles": "great"},
    {"nations": _NATIONS[2:], "battles": "fast"},
    {"scenario": "hill"},
    {"scenario": "sisters"},
)


class Round(NamedTuple):
    """A position, the canonical letters of all seats awaited, and the secret of the dice."""

    state: State
    texts: Mapping[Seat, str]
    secret: bytes


def rounds(number: int, seed: int = 2026) -> list[Round]:
    """Generate a number of rounds, alternating between campaigns and skirmishes, always the same for a seed."""
    found = _rounds(Random(seed))
    return [next(found) for _ in range(number)]


def _rounds(random: Random) -> Iterator[Round]:
    game, at = find_game("ozz"), 0
    while True:
        state = game.new(_MATCHES[at % len(_MATCHES)], SecretChance(random.randbytes(32)))
        at += 1
        while asked := awaiting(state):
            letters = {seat: choose(view(state, seat), seat) for seat in asked}
            secret = random.randbytes(32)
            yield Round(state, {seat: str(orders) for seat, orders in letters.items()}, secret)
            state = resolve(state, letters, SecretChance(secret)).state
