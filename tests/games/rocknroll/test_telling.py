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


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Horny tries to lure Johnny, 4+: 1."),
        ("de", "Horny will Johnny anlocken, 4+: 1."),
        ("ru", "Хорни пытается заманить, кого: Джонни, 4+: 1."),
    ],
)
def test_a_throw_that_failed_does_not_read_like_a_success(language: str, expected: str) -> None:
    state = placed("order: vietnam, vpa; A vietnam: Horny; B vpa: Johnny")
    ruling = GAME.resolve(
        state, {"vietnam": reader.parse(GAME, state, "vietnam", "Use Horny: Johnny")}, GivenChance([1])
    )
    told_all = GAME.story(GAME.view(state, None), ruling.events, say=say_in(language))
    assert expected in " ".join(one.text for one in told_all)


def test_german_calls_a_round_of_the_war_otherwise_than_a_turn_of_the_desk() -> None:
    state = placed("order: vpa, vietnam; round: 3")
    assert GAME.phase(GAME.view(state, None), say=say_in("de")) == "Durchgang 3; am Zug: VPA."
