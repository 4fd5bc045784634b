"""Pictures and asterisks beside orders: what they turn is asked about, what is only a face is not."""

import pytest

from pbem.games import find_game
from pbem.games.chance import SECRET, SecretChance
from pbem.games.options import with_defaults
from pbem.orders import reader
from pbem.orders.situation import Standpoint

GAME = find_game("ozymandia")
STATE = GAME.new(with_defaults(GAME.title, GAME.options({}), {}), SecretChance(bytes(SECRET)))


def read(text: str) -> reader.Reading:
    return reader.read(Standpoint(GAME, STATE, "red"), text)


@pytest.mark.parametrize("picture", ["❌", "👎", "🤔", "🤷‍♂️", "❓", "⏳"])
def test_orders_beside_a_picture_that_says_no_not_yet_or_perhaps_do_not_stand(picture: str) -> None:
    for text in (f"3 A to M\n{picture}", f"3 A to M {picture}", f"{picture} 3 A to M"):
        assert (read(text).orders, [one.turn for one in read(text).doubts]) == (None, ["turned"])


def test_beside_words_about_the_world_they_stand_and_it_is_asked_about() -> None:
    reading = read("3 A to M\nMy dog ate the sofa 🤔")
    assert (str(reading.orders), reading.perhaps) == ("3 A to M", ("My dog ate the sofa 🤔",))


@pytest.mark.parametrize(
    "text", ["3 A to M 🚀🚀", "🚀 3 A to M", "3 A to M 👍🏻", "3 A to M ❤️", "✅ 3 A to M", "3 A to M 💪 🔥"]
)
def test_any_other_picture_is_a_face(text: str) -> None:
    assert str(read(text).orders) == "3 A to M"


def test_a_bomb_is_one_and_a_coloured_dot_is_no_face() -> None:
    assert read("3 A to M 💣 EC").proposal == "3 A to M; Bomb EC"
    assert read("🔵 3 A to M").orders is None


@pytest.mark.parametrize("line", ["*W", "* W", "W*", "*2", "*from W", "*Wyvernia"])
def test_an_asterisk_mends_a_word(line: str) -> None:
    assert [one.turn for one in read(f"3 A to M\n{line}").doubts] == ["turned"]


def test_between_two_of_them_somebody_acts() -> None:
    assert str(read("3 A to M\n*grins*").orders) == "3 A to M"


def test_an_initial_signs() -> None:
    assert (str(read("3 A to M\nCheers, W").orders), read("3 A to M\nCheers, W").perhaps) == ("3 A to M", ())
