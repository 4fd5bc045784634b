"""Wars of Rock'n'Roll for `adjudicate`: positions and scripts as two computer players write them."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from pbem.games.base import Chair, Seat
from pbem.games.chance import SecretChance
from pbem.games.rocknroll.bot import choose
from pbem.games.rocknroll.cardfile import SHIPPED, find_set
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.rules import resolve, set_up
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.views import view

_SEATS = (Chair("vpa", "vpa"), Chair("vietnam", "vietnam"))


class Turn(NamedTuple):
    """A position, the seat on turn, its orders, and the secret of the dice."""

    state: State
    seat: Seat
    orders: Orders
    secret: bytes


def turns(number: int, seed: int = 2026) -> list[Turn]:
    """So many turns, half of each shipped set, always the same for a seed."""
    random = Random(seed)
    found: list[Turn] = []
    for at, name in enumerate(SHIPPED, start=1):
        war = _wars(name, random)
        while len(found) < number * at // len(SHIPPED):
            found.append(next(war))
    return found


def _wars(name: str, random: Random) -> Iterator[Turn]:
    """The turns of wars, one after the other."""
    while True:
        state = set_up(find_set(name), _SEATS, None, SecretChance(random.randbytes(32))).state
        while seat := state.on_turn:
            turn = Turn(state, seat, choose(view(state, seat), seat), random.randbytes(32))
            yield turn
            state = resolve(state, {seat: turn.orders}, SecretChance(turn.secret)).state
