"""Wars of Rock'n'Roll for `adjudicate`: positions, and scripts written by two computer players."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from pbem.games import find_game
from pbem.games.base import Chair, Seat
from pbem.games.chance import SECRET, SecretChance, commitment, set_up_chance, turn_chance, turn_secret
from pbem.games.rocknroll.bot import choose
from pbem.games.rocknroll.cardfile import SHIPPED, find_set
from pbem.games.rocknroll.cards import SIDES
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.rules import resolve, set_up
from pbem.games.rocknroll.state import State, view_of
from pbem.record.history import History, Played

_SEATS = (Chair("vpa", "vpa"), Chair("vietnam", "vietnam"))


class Turn(NamedTuple):
    """A position, the seat whose turn it is, its orders, and the secret of the dice."""

    state: State
    seat: Seat
    orders: Orders
    secret: bytes


def turns(number: int, seed: int = 2026) -> list[Turn]:
    """Generate a number of turns, half of them with each shipped set, always the same for a seed."""
    random = Random(seed)
    found: list[Turn] = []
    for at, name in enumerate(SHIPPED, start=1):
        war = _wars(name, random)
        while len(found) < number * at // len(SHIPPED):
            found.append(next(war))
    return found


def wars(number: int, seed: int = 2026) -> list[History]:
    """Play a number of wars from beginning to end, every second one with EXPANSION."""
    random, game = Random(seed), find_game("rocknroll")
    found = []
    for at in range(number):
        options, match = {"set": SHIPPED[at % len(SHIPPED)]}, random.randbytes(SECRET).hex()
        start = state = game.new(options, set_up_chance(match))
        played: list[Played] = []
        while seat := state.on_turn:
            turn = len(played) + 1
            orders, secret = choose(view_of(state, seat), seat), turn_secret(match, turn)
            ruling = resolve(state, {seat: orders}, turn_chance(secret, match))
            told = {one: str(orders) if one == seat else None for one, _ in state.seats}
            played.append(Played(turn, state, told, ruling.state, ruling.events, secret=secret))
            state = ruling.state
        found.append(
            History(
                name=f"rnr-{at + 1}",
                game=game,
                options=options,
                rules=game.rules_version,
                players=dict.fromkeys(SIDES, ""),
                start=start,
                state=state,
                steps=tuple(played),
                result=game.result(state),
                secret=match,
                secret_hash=commitment(match),
            )
        )
    return found


def _wars(name: str, random: Random) -> Iterator[Turn]:
    """Yield the turns of one war after another."""
    while True:
        state = set_up(find_set(name), _SEATS, None, SecretChance(random.randbytes(32))).state
        while seat := state.on_turn:
            turn = Turn(state, seat, choose(view_of(state, seat), seat), random.randbytes(32))
            yield turn
            state = resolve(state, {seat: turn.orders}, SecretChance(turn.secret)).state
