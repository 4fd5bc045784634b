"""A position of a campaign as one line of a record (§17)."""

from dataclasses import replace

import pytest

from pbem.games.base import GameError
from pbem.games.ozz.position import placed, position
from pbem.games.ozz.state import State
from support.ozz_battles import battle_of, state_of

STATE = replace(
    state_of(battle_of("SOU 1C", "HER 4C", at="R1")), pools={"munchkins": ("NA1", "NA2", "TIC"), "winkies": ("ZIL",)}
)


def test_while_a_battle_is_fought_only_the_pools_are_put_in_another_order() -> None:
    dealt = replace(STATE, pools={"munchkins": ("TIC", "NA1", "NA2"), "winkies": ("ZIL",)})
    assert placed(position(dealt), STATE) == dealt


@pytest.mark.parametrize(
    "other",
    [
        replace(STATE, turn=STATE.turn + 1),
        replace(STATE, pools={"munchkins": ("TIC",), "winkies": ("ZIL",)}),
        replace(STATE, pools={"munchkins": ("ZIL", "NA1", "NA2"), "winkies": ("TIC",)}),
    ],
)
def test_nothing_else_is_put_right_while_a_battle_is_fought(other: State) -> None:
    with pytest.raises(GameError, match="only between campaign turns"):
        placed(position(other), STATE)
