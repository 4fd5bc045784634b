"""The example that a letter suggests."""

import pytest

from pbem.games import find_game
from pbem.games.rocknroll.loading import placed

GAME = find_game("rocknroll")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            "A vietnam: Bao; B vpa: Johnny; hand vpa: Move",
            "Pass",
        ),  # Bao waits in A, and C wins nothing
        ("A vietnam: Bao; A vpa: Johnny, Zulu, Rook; hand vpa: Napalm", "Pass"),  # three own, one enemy
        ("A vietnam: Bao; hand vpa: Doc", "Deploy Doc D"),
        ("A vietnam: Bao, Mai, Min; hand vpa: Napalm", "Napalm: A"),
        ("B vpa: Johnny, Gunner; hand vpa: Move", "Move: Johnny to A"),
    ],
)
def test_what_a_letter_suggests_is_no_bad_advice(row: str, expected: str) -> None:
    state = placed(f"order: vpa, vietnam; {row}")
    assert GAME.prospects(GAME.view(state, "vpa"), "vpa")[1] == expected
