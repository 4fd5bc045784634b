"""A turn as a report tells it."""

import pytest

from pbem.games import find_game
from pbem.games.chance import GivenChance
from pbem.games.rocknroll.position import placed
from pbem.i18n.languages import say_in
from pbem.orders import reader

GAME = find_game("rocknroll")


def told(position: str, text: str, dice: list[int], reader_of: str | None = None, language: str = "en") -> str:
    """What a reader is told of the turn of VPA."""
    state = placed(position)
    orders = reader.parse(GAME, state, "vpa", text)
    ruling = GAME.resolve(state, {"vpa": orders}, GivenChance(dice))
    before, events = GAME.view(state, reader_of), GAME.shown(ruling.events, reader_of)
    return "\n".join(f"{one.heading}. {one.text}" for one in GAME.story(before, events, say=say_in(language)))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Napalm is fired at A, 4+: 2."),
        ("de", "Napalm wird auf A gezündet, 4+: 2."),
        ("ru", "Напалм, активация, Точка А, 4+: 2."),
    ],
)
def test_everybody_is_told_what_a_super_weapon_was_fired_at_though_it_failed(language: str, expected: str) -> None:
    row = "order: vpa, vietnam; A vietnam: Bao; hand vpa: Napalm"
    assert expected in told(row, "Napalm: A", [2], "vietnam", language)
