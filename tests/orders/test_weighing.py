"""Whether words beside orders are about the world or about them: what is weighed, one thing at a time."""

import pytest

from pbem.games import find_game
from pbem.orders import doubt

GAME = find_game("ozymandia")
STATE = GAME.new({})


def turned(text: str, *, above: bool = False) -> str | None:
    return doubt.turned(GAME, STATE, text, above=above)


@pytest.mark.parametrize(
    ("chat", "in_doubt"),
    [
        ("My dog is asleep on the sofa", "It is all wrong, dog or no dog on the sofa"),  # a hard word turns
        ("The library was closed.", "the glorp was gloppy"),  # words that nobody knows say little
        ("I am not afraid of spiders", "I am not"),
        ("This weather is awful", "This"),  # what points does not before a word of the world
        ("Without coffee I am no human being", "Without"),
        ("Mein Hund mag keine Katzen", "Keine"),
        ("Нет погоды хуже этой", "Нет"),
        ("The soup was only lukewarm, and so was the beer", "Only"),
        ("How are you?", "ok?"),
        ("Half of my colleagues at the office have the flu", "Half of them"),  # it mostly turns orders
        (
            "A bit of rain, my dog is in half the puddles of the garden",
            "Half of them, my dog barks",
        ),  # so does its clause
        ("If it rains tomorrow, we eat in the kitchen", "If it rains tomorrow, don't"),  # all clauses tell of the world
        ("lol :)", "the glorp :)"),
        ("If only I had a garden with apples, plums and a bench", "If my plums are ripe"),
    ],
)
def test_what_is_said_of_the_world_makes_chat_of_words_that_turn(chat: str, in_doubt: str) -> None:
    assert turned(chat) is None
    assert turned(in_doubt) is not None


@pytest.mark.parametrize(
    ("in_doubt", "chat"),
    [
        ("The cat jumped from the sofa and pressed a key", "The cat jumped from the sofa on the key of the piano"),
        ("I sent my soup far too hungry, tired and early", "My soup came early, and hungry I was"),
        ("Beim Kaffee hat meine kleine Tochter getippt", "Beim Kaffee hat meine kleine Tochter gesungen"),
        ("Кошка на кухне нажала лапой", "Кошка на кухне спит и мурлычет"),
    ],
)
def test_words_of_some_groups_turn_orders_where_they_come_together(in_doubt: str, chat: str) -> None:
    assert turned(in_doubt) == "correction"
    assert turned(chat) is None


def test_a_word_that_continues_the_orders_weighs_more() -> None:
    assert turned("My wife is here") is None
    assert turned("but my wife") == "unread"


def test_what_speaks_of_orders_weighs_more() -> None:
    assert turned("Coffee with milk") is None
    assert turned("The order of my coffee") == "unread"


def test_a_line_right_above_orders_may_announce_them() -> None:
    assert turned("My uncle") is None
    assert turned("My uncle", above=True) == "unread"
    assert turned("Hello uncle", above=True) is None


def test_a_remark_in_brackets_weighs_more() -> None:
    assert turned("I have no cake left") is None
    assert turned("(I have no cake left)") == "negation"
