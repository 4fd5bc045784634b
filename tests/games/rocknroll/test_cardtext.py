"""A card as whoever asks is told it."""

import pytest

from pbem.games import find_game
from pbem.games.chance import any_chance
from pbem.games.rocknroll.answers import look_up
from pbem.games.rocknroll.cardfile import find_set
from pbem.i18n.languages import say_in
from pbem.orders.command import LookUp
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.each import each

GAME = find_game("rocknroll")
BASE, EXPANSION = find_set("base"), find_set("expansion")


def told(name: str, language: str = "en", cards=EXPANSION) -> str:
    found = look_up(cards, name, say_in(language))
    assert found is not None
    return "\n".join(f"{one.heading}. {one.text}" for one in found)


def test_a_unit_is_told_with_its_text_its_chance_and_its_house_values():
    text = told("Bao", cards=BASE)
    assert text.startswith("Bao: a unit of Vietnam. Star, blocker. Attacks an enemy that enters")
    assert "Hits on 6, two dice: 31%." in text
    assert text.endswith("House values: the number in the corner.")
    assert "the armour" in told("Bao")  # counts in EXPANSION alone


def test_an_order_is_told_with_how_many_there_are():
    text = told("Napalm")
    assert "Destroys all units in one Point (4+, 50%). Only VPA can play it." in text
    assert "There are 3 among the 40 orders of the set." in text


@pytest.mark.parametrize(
    ("language", "name", "expected"),
    [
        ("ru", "Бао", "Бао: юнит, Вьетнам. Звезда, заградительный."),
        ("ru", "Двойную атаку", "Двойная атака: приказ. Атакуют до 2 юнитов. В наборе 4 таких приказа из 40."),
        ("ru", "Манёвр", "1 юнит в соседнюю Точку. В наборе 8 таких приказов из 40."),
        ("de", "Attack two", "Doppelangriff: Befehl. Bis zu 2 Einheiten greifen an."),
    ],
)
def test_cards_are_told_in_the_language_of_the_reader(language, name, expected):
    assert expected in told(name, language)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Boa", 'There is no card "Boa". Bao?'),
        ("Боа", 'There is no card "Боа". Бао?'),
        ("All", "may be All five or All six"),
        ("Xyzzy", 'There is no card "Xyzzy". `card` alone lists all cards.'),
    ],
)
def test_an_unknown_name_is_answered_with_what_is_near(name, expected):
    assert expected in told(name)


def test_several_cards_can_be_asked_for_in_one_line():
    text = told("Bao, Mai and Attack")
    assert all(f"{one}: a" in text for one in ("Bao", "Mai", "Attack"))


def test_the_word_alone_names_all_cards():
    text = told("", cards=BASE)
    assert all(name in text for name in (*BASE.units, *BASE.orders))
    assert "Bao 6x2" in text
    assert "8 × Attack" in text


@pytest.mark.parametrize("line", ["players are fun", "games are what I like, and you?", "Bao is really strong here"])
def test_a_sentence_is_no_name(line):
    assert look_up(EXPANSION, line, say_in("en")) is None


@pytest.mark.parametrize("line", ["card Bao", "Karte Bao", "карта Бао", "карту Бао?"])
def test_the_line_is_read_in_every_language_and_is_no_order(line):
    state = GAME.placed(GAME.new({}, any_chance()), "order: vpa, vietnam; next: vpa")
    reading = read(Standpoint(GAME, state, "vpa"), f"{line}\nPass")
    assert [type(one) for one in reading.commands] == [LookUp]
    assert str(reading.orders) == "Pass"
    assert reading.remarks == ()


@pytest.mark.parametrize("cards", [BASE, EXPANSION])
def test_all_texts_of_cards_are_there_in_german(cards):
    texts = [one.text for one in (*cards.units.values(), *cards.echo.values())]
    assert [one.en for one in texts if bool(one.en) != bool(one.de)] == []
    assert "Stern, Blocker. Greift einen Feind an, der seinen Punkt betritt" in told("Bao", "de", cards)
    assert "which its set gives in English" not in told("Bao", "de", cards)


@each(
    ("language", "words"), [("en", "or is deployed there"), ("de", "oder dort aufgestellt"), ("ru", "или размещаемого")]
)
@each("name", ["Zulu", "Rook", "Bao", "Mai", "Bamboo"])
def test_who_attacks_whoever_enters_says_that_this_counts_for_deployment(name, language, words):
    assert words in told(name, language)
