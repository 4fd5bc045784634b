"""The letters of a short demonstration game."""

from pbem.games.base import Seat

LETTERS: tuple[tuple[tuple[Seat, str], ...], ...] = (
    (("red", "2 A to AC"), ("blue", "2 H to S")),
    (("red", "1 AC to MC"), ("blue", "2 S to M; Bomb W")),
    (
        ("red", "Hi Bob,\nsorry for the delay.\n5 Wyvernai to WC, Bom S\n\nAlice"),
        ("blue", "1 H to S"),
    ),
    (("red", "yes"),),
    (("red", "1 WC to UC; Bomb U"), ("blue", "2 E to U")),
    (("red", "New UC, 1 UC to EC"), ("blue", "Pass")),
)
"""The letters of Alice and Bob, grouped by the run of the desk that handles them. One of Alice's letters has a mistake,
which her next letter corrects."""
