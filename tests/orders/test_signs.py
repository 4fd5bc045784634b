"""Pictures and asterisks beside orders: what they turn is asked about, what is only a face is not."""

import pytest

from pbem.games import find_game
from pbem.games.chance import SECRET, SecretChance
from pbem.games.options import with_defaults
from pbem.orders import doubt, reader
from pbem.orders.signs import is_starred

GAME = find_game("ozymandia")
STATE = GAME.new(with_defaults(GAME.title, GAME.options({}), {}), SecretChance(bytes(SECRET)))


def read(text: str) -> reader.Reading:
    return reader.read(GAME, STATE, "red", text)


@pytest.mark.parametrize(
    ("picture", "turn"),
    [
        ("❌", "correction"),
        ("👎", "correction"),
        ("🤔", "question"),
        ("🤷‍♂️", "question"),
        ("❓", "question"),
        ("⏳", "later"),
    ],
)
def test_a_picture_that_says_no_not_yet_or_perhaps_is_asked_about(picture: str, turn: str) -> None:
    for text in (f"3 A to M\n{picture}", f"3 A to M {picture}", f"{picture} 3 A to M"):
        assert (read(text).orders, [one.turn for one in read(text).doubts]) == (None, [turn])


def test_beside_words_about_the_world_it_says_how_their_writer_feels() -> None:
    assert str(read("3 A to M\nMy dog ate the sofa 🤔").orders) == "3 A to M"


@pytest.mark.parametrize(
    "text", ["3 A to M 🚀🚀", "🚀 3 A to M", "3 A to M 👍🏻", "3 A to M ❤️", "✅ 3 A to M", "3 A to M 💪 🔥"]
)
def test_any_other_picture_is_a_face(text: str) -> None:
    assert str(read(text).orders) == "3 A to M"


def test_a_bomb_is_one_and_a_coloured_dot_is_no_face() -> None:
    assert str(read("3 A to M 💣 EC").orders) == "3 A to M; Bomb EC"
    assert read("🔵 3 A to M").orders is None


@pytest.mark.parametrize("line", ["*W", "* W", "W*", "*2", "*from W", "*Wyvernia"])
def test_an_asterisk_mends_a_word(line: str) -> None:
    assert [one.turn for one in read(f"3 A to M\n{line}").doubts] == ["correction"]


def test_between_two_of_them_somebody_acts() -> None:
    assert not is_starred("*grins*")
    assert str(read("3 A to M\n*grins*").orders) == "3 A to M"


def test_an_initial_behind_sorry_signs_nothing() -> None:
    assert doubt.turned(GAME, STATE, "sorry, W") == "unread"
    assert doubt.turned(GAME, STATE, "Cheers, W") is None
