"""The harbours are a game as pbem wants it."""

from random import Random

from pbem_harbours import WAYS, Harbours, Orders, State

from pbem.conformance import problems


def any_orders(state: State, seat: str, random: Random) -> str:
    """Legal orders."""
    return str(Orders(random.choice(WAYS[state.ships[seat]]), random.choice(state.hands[seat])))


def test_the_game_fulfils_what_pbem_asks_of_every_game() -> None:
    assert problems(Harbours(), write=any_orders) == []
