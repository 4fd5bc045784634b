"""The turn in plain numbers is the turn of the rules."""

from dataclasses import replace

from hypothesis import given, settings

from pbem.games.ozymandia.fast_rules import ground_of, plan_of, played, position_of
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.rules import resolve
from pbem.games.ozymandia.state import SEATS, opponent
from support.positions import turns


@given(turns())
@settings(deadline=None, max_examples=150)
def test_what_it_plays_is_what_the_rules_play(turn):
    state, orders = replace(turn[0], turn_limit=120), turn[1]
    ground, after = ground_of(state.board), resolve(state, orders).state
    for seat in SEATS:
        position = position_of(state, seat)
        mine = plan_of(ground, position, 1, orders.get(seat, Orders()))
        yours = plan_of(ground, position, -1, orders.get(opponent(seat), Orders()))
        assert played(ground, position, mine, yours) == position_of(after, seat)
