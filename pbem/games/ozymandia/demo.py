"""The letters of a short demonstration game."""

from collections.abc import Mapping

from pbem.games.base import Seat

LETTERS: Mapping[str, tuple[tuple[tuple[Seat, str], ...], ...]] = {
    "en": (
        (("red", "2 A to AC"), ("blue", "2 H to S")),
        (("red", "1 AC to MC"), ("blue", "2 S to M; Bomb W")),
        (
            ("red", "Hi Bob,\nsorry for the delay.\n5 Wyvernai to WC, Bom S\n\nAlice"),
            ("blue", "1 H to S"),
        ),
        (("red", "yes"),),
        (("red", "1 WC to UC; Bomb U"), ("blue", "2 E to U")),
        (("red", "New UC, 1 UC to EC"), ("blue", "Pass")),
    ),
    "de": (
        (("red", "2 A nach AC"), ("blue", "2 H nach S")),
        (("red", "1 AC nach MC"), ("blue", "2 S nach M; Bombe W")),
        (
            ("red", "Hallo Bob,\nentschuldige die Verspätung.\n5 Wyvernai nach WC, Bome S\n\nAlice"),
            ("blue", "1 H nach S"),
        ),
        (("red", "ja"),),
        (("red", "1 WC nach UC; Bombe U"), ("blue", "2 E nach U")),
        (("red", "Neu UC, 1 UC nach EC"), ("blue", "Passe")),
    ),
    "ru": (
        (("red", "2 A в AC"), ("blue", "2 H в S")),
        (("red", "1 AC в MC"), ("blue", "2 S в M; Бомба W")),
        (
            ("red", "Привет, Bob!\nИзвини, что так долго.\n5 Wyvernai в WC, Бонба S\n\nAlice"),
            ("blue", "1 H в S"),
        ),
        (("red", "да"),),
        (("red", "1 WC в UC; Бомба U"), ("blue", "2 E в U")),
        (("red", "Новая UC, 1 UC в EC"), ("blue", "Пас")),
    ),
}
"""The letters of Alice and Bob in each language, grouped by the run of the desk that handles them. One of Alice's
letters has a mistake, which her next letter corrects."""
