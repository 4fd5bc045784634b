"""What is asked about the row of Points, and answered by what a seat may see."""

import pytest

from pbem.games import find_game
from pbem.games.chance import SecretChance
from pbem.games.rocknroll.loading import placed
from pbem.i18n.languages import say_in
from pbem.orders.command import Inquiry, LookUp, Simple
from pbem.orders.inquiries import paragraph
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.each import each

GAME = find_game("rocknroll")


def told(text: str, seat: str) -> list[str]:
    """The game's answers to the questions of a letter, at the beginning of a war."""
    state = GAME.new({}, SecretChance(bytes(32)))
    asked = [one for one in read(Standpoint(GAME, state, seat), text).commands if isinstance(one, Inquiry)]
    view = GAME.view(state, seat)
    return [sentence for one in asked for sentence in GAME.answer(view, seat, one.kind, one.names)]


@pytest.mark.parametrize("text", ["Who holds Point C?", "Wer steht auf C?", "Кто на точке С?"])
def test_who_stands_on_a_point_is_told(text):
    assert told(text, "vpa") == ["Point C: nobody is there."]


def test_how_far_two_points_are_apart_is_told():
    assert told("How far is it from A to D? And from A to B?", "vpa")[:1] == ["From Point A to Point D: 3 steps."]


def test_a_card_in_a_hand_is_told_to_its_owner_alone():
    state = GAME.new({}, SecretChance(bytes(32)))
    card = state.hands["vpa"].units[0]
    assert told(f"Where is {card}?", "vpa") == [f"{card}: in hand."]
    assert told(f"Where is {card}?", "vietnam") == [f"{card}: not in sight."]


@pytest.mark.parametrize(
    "text", ["Where are my units?", "Wo sind meine Einheiten?", "Где мои отряды?", "which units do I have"]
)
def test_where_all_units_of_a_side_are_is_told_as_far_as_they_are_to_be_seen(text):
    state = GAME.new({}, SecretChance(bytes(32)))
    assert told(text, "vpa") == [f"{card}: in hand." for card in state.hands["vpa"].units]
    for other in ("Where are Vietnam's units?", "Where are the units of Vietnam?"):
        assert told(other, "vpa") == ["Vietnam: no units in sight."]


@pytest.mark.parametrize("text", ["can Zulu attack Bao?", "Kann Zulu Bao angreifen?", "Может Зулу атаковать Бао?"])
def test_whether_a_unit_may_do_something_is_a_question_about_orders(text):
    state = GAME.placed(
        GAME.new({}, SecretChance(bytes(32))), "next: vpa; A vpa: Zulu; A vietnam: Bao; hand vpa: Move, Attack"
    )
    (asked,) = read(Standpoint(GAME, state, "vpa"), text).commands
    assert isinstance(asked, Inquiry)
    assert (asked.kind, len(asked.orders)) == ("may", 1)


@each(
    "text",
    [
        *("Bao?", "What can Bao do?", "Who is Bao?", "What's on Bao's card?", "Hm, what does Bao do again?"),
        *("Was kann Bao?", "Wer ist Bao?", "Was steht auf der Karte Bao?"),
        *("Бао?", "Что может Бао?", "Что на карте Бао?", "Кто такой Бао?"),
    ],
)
def test_a_card_that_is_asked_about_in_plain_words_is_told(text):
    (told_of,) = told(text, "vpa")
    assert told_of.startswith("Bao: a unit of Vietnam. Star, blocker.")


@pytest.mark.parametrize("text", ["OK?", "What can I do?", "Ready?", "Ок?"])
def test_what_names_no_card_is_no_question_about_one(text):
    assert told(text, "vpa") == []


def test_orders_beside_a_question_about_a_card_are_taken():
    state = GAME.placed(GAME.new({}, SecretChance(bytes(32))), "next: vpa; B vpa: Johnny; hand vpa: Move")
    assert str(read(Standpoint(GAME, state, "vpa"), "Bao?\nMove: Johnny to A").orders) == "Move: Johnny to A"


@pytest.mark.parametrize(("language", "word"), [("en", "card"), ("de", "Karten"), ("ru", "карты")])
def test_the_word_that_lists_all_cards_is_the_one_that_letters_promise(language, word):
    state = GAME.new({}, SecretChance(bytes(32)))
    assert f"`{word}`" in say_in(language)("`card` alone lists all cards.")
    assert read(Standpoint(GAME, state, "vpa"), word).commands == (LookUp("card", ""),)


@pytest.mark.parametrize("word", ["card", "Karte", "Karten", "карта", "карту", "Карта.", "карты"])
def test_the_word_alone_asks_for_the_cards_though_elsewhere_it_asks_for_the_map(word):
    state = GAME.new({}, SecretChance(bytes(32)))
    assert read(Standpoint(GAME, state, "vpa"), word).commands == (LookUp("card", ""),)
    assert read(
        Standpoint(find_game("ozz"), find_game("ozz").new({}, SecretChance(bytes(32))), "a"), "карта"
    ).commands == (Simple("status"),)


@each(
    ("text", "number"),
    [
        *(("What is RD?", 10), ("Was ist RD?", 10), ("Что такое РД?", 10)),
        *(("What does armour mean?", 11), ("Was bedeutet Rüstung?", 11), ("Что значит броня?", 11)),
        *(("What is Echo?", 14), ("Was sind Gefangene?", 13), ("Что такое звезда?", 7), ("Was ist ein Stern?", 7)),
    ],
)
def test_what_a_word_of_the_rules_means_is_asked_and_answered_with_its_paragraph(text, number):
    (asked,) = read(Standpoint(GAME, GAME.new({}, SecretChance(bytes(32))), "vpa"), text).commands
    assert isinstance(asked, Inquiry)
    assert asked.kind in ("means", "rules")
    assert paragraph(GAME, asked.text) == (number,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploy all units to A", "Which units? Write their names: `Deploy Doc A; Deploy Zulu A`."),
        ("Stelle alle meine Einheiten auf A", "Which units? Write their names: `Deploy Doc A; Deploy Zulu A`."),
        ("Разворачиваю всех в А", "Which units? Write their names: `Развернуть Док А; Развернуть Зулу А`."),
    ],
)
def test_who_deploys_all_is_shown_how_that_is_written(text, expected):
    (wrong,) = read(Standpoint(GAME, placed("next: vpa; hand vpa: Doc, Zulu"), "vpa"), text).mistakes
    assert str(wrong.sentence) == expected


@pytest.mark.parametrize("text", ["What does armour mean?", "Was ist RD?", "Что такое звезда?", "Бао?"])
def test_what_a_word_or_a_card_is_may_be_asked_beside_orders(text):
    row = "next: vpa; A vpa: Doc; A vietnam: Bao; hand vpa: Attack"
    reading = read(Standpoint(GAME, placed(row), "vpa"), f"Attack: Doc > Bao\n{text}")
    assert str(reading.orders) == "Attack: Doc > Bao"
    assert len(reading.commands) == 1


def test_a_unit_that_a_line_brings_to_the_hand_is_understood_in_the_next():
    state = placed("next: vpa; hand vpa: Artillery; reserve vpa: Boomer")
    reading = read(Standpoint(GAME, state, "vpa"), "Артиллерию меняю на Бумера\nБумера на Д")
    assert str(reading.proposal) == "Trade Artillery for Boomer; Deploy Boomer D"


@pytest.mark.parametrize(
    "text", ["How many cards are left in the deck?", "Wie viele Karten sind im Deck?", "Сколько карт в колоде?"]
)
def test_how_many_cards_the_decks_have_is_told_with_the_score(text: str) -> None:
    at_first = Standpoint(GAME, GAME.new({}, SecretChance(bytes(32))), "vpa")
    assert [one.kind for one in read(at_first, text).commands if isinstance(one, Inquiry)] == ["score"]


@pytest.mark.parametrize("text", ["Who is on turn?", "Wer ist gerade dran?", "Кто сейчас ходит?"])
def test_who_is_on_turn_is_no_question_about_the_rules(text: str) -> None:
    at_first = Standpoint(GAME, GAME.new({}, SecretChance(bytes(32))), "vpa")
    assert [one.kind for one in read(at_first, text).commands if isinstance(one, Inquiry)] == ["missing"]


@pytest.mark.parametrize(
    "text",
    [
        "Сколько карт в колоде?",
        "Сколько приказов у противника?",
        "How many cards are left in the deck?",
        "Wie viele Befehle hat mein Gegner noch?",
    ],
)
def test_how_many_cards_there_are_is_answered_with_the_count_of_hands_and_decks(text):
    state = GAME.new({}, SecretChance(bytes(32)))
    assert [
        one.kind for one in read(Standpoint(GAME, state, "vietnam"), text).commands if isinstance(one, Inquiry)
    ] == ["score"]


@pytest.mark.parametrize("text", ["Когда мой ход?", "Wann bin ich dran?", "When is it my turn?"])
def test_when_ones_turn_comes_is_answered_with_whose_orders_are_missing(text):
    state = GAME.new({}, SecretChance(bytes(32)))
    assert [
        one.kind for one in read(Standpoint(GAME, state, "vietnam"), text).commands if isinstance(one, Inquiry)
    ] == ["missing"]


@each("text", ["How strong is Bao?", "Wie stark ist Bao?", "What number does Bao need?", "Какая сила у Бао?"])
def test_any_question_about_a_card_by_its_name_is_answered_from_the_set(text: str) -> None:
    assert told(text, "vpa")[0].startswith("Bao: a unit of Vietnam.")


@each("text", ["How are You today?", "Where can I find the May rules?", "Who is my opponent, Bob?"])
def test_a_question_that_names_no_card_is_none_about_cards(text: str) -> None:
    asked = read(Standpoint(GAME, GAME.new({}, SecretChance(bytes(32))), "vpa"), text).commands
    assert "about" not in [one.kind for one in asked if isinstance(one, Inquiry)]
