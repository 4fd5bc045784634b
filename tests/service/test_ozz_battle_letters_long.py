"""Six turns of Ozz with every battle on the board, in few letters: small battles fast, in others orders stand."""

from collections import Counter
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.games.base import Seat
from pbem.games.ozz.state import State
from support.leaks import settled
from support.trials import NOON, match_of

SMALL = 4
"""Units of a side that would fight a battle fast."""


GAMES = 6


@pytest.mark.long
def test_six_turns_take_some_26_letters_and_2500_lines_a_player(tmp_path: Path) -> None:
    """97 letters and 9,200 lines before letters could stand."""
    letters, lines = Counter[Seat](), Counter[Seat]()
    for seed in range(1, GAMES + 1):
        with pytest.MonkeyPatch.context() as patch:
            settled(patch, seed)
            for seat, letter in _played(tmp_path / str(seed)):
                letters[seat] += 1
                lines[seat] += len(letter_text(letter).splitlines())
    assert max(letters.values()) <= 27 * GAMES
    assert max(lines.values()) <= 2500 * GAMES


def _played(folder: Path) -> Iterator[tuple[Seat, Message]]:
    """The letters of six turns, those that came within others left out."""
    table = DemoDesk(folder, NOON, "ozz", battles="board", nations=("munchkins", "winkies"))
    told = table.poll()
    while told and not table.over() and match_of(table).state.turn <= 6:
        within = {one for (one,) in table.store.conn.execute(_WITHIN)}
        yield from ((seat, letter) for seat, letter in told if letter["Message-ID"].strip("<>") not in within)
        for seat in match_of(table).missing():
            orders = _written(match_of(table).state, seat, table.opponent_orders(seat))
            table.write(seat, f"word: {seat}\n{orders}")  # so that the dice are the same each time
        told = table.poll()
    table.close()


_WITHIN = "SELECT message_id FROM outbox JOIN gathered ON gathered.letter = outbox.id WHERE within"


def _written(state: State, seat: Seat, orders: str) -> str:
    """What a player who wants few letters writes besides."""
    if state.battle is None:
        return orders
    own = [
        code for code, one in state.battle.units.items() if one.seat == seat and not state.data.counters[code].leader
    ]
    more = "Fight fast" if state.battle.turn == 1 and len(own) < SMALL else "Orders stand"
    return more if orders == "Pass" else f"{orders}; {more}"
