"""What is asked about the map of Ozz, and answered by what a seat may see."""

import pytest

from pbem.games import find_game
from pbem.games.chance import SecretChance
from pbem.games.ozz import wording
from pbem.games.ozz.datafiles import SPELLS
from pbem.i18n.languages import say_in
from pbem.orders.command import Inquiry
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.each import each

GAME = find_game("ozz")


def told(text: str) -> list[str]:
    """The game's answers to the questions of a letter of the Munchkins, at the beginning."""
    state = GAME.new({}, SecretChance(bytes(32)))
    asked = [one for one in read(Standpoint(GAME, state, "munchkins"), text).commands if isinstance(one, Inquiry)]
    view = GAME.view(state, "munchkins")
    return [sentence for one in asked for sentence in GAME.answer(view, "munchkins", one.kind, one.names)]


@pytest.mark.parametrize("text", ["Where is Evora?", "Wo ist Evora?", "Где Evora?", "In which town is EVO?"])
def test_where_a_counter_is_is_told(text):
    assert told(text) == ["Evora (EVO): in Evora's Castle (W1)."]


@pytest.mark.parametrize("text", ["Who is in W1?", "Wer ist in W1?", "Кто в W1?"])
def test_who_is_in_a_point_is_told(text):
    (answer,) = told(text)
    assert answer.startswith("Evora's Castle (W1)")
    assert "Winkies: Evora (EVO), 1st Winkies (WI1)" in answer


def test_how_far_two_points_are_apart_is_told():
    assert told("How far is it from W1 to W3?") == ["From Evora's Castle (W1) to Thi (W3): 1 link."]


@pytest.mark.parametrize(
    "text", ["Where are my units?", "Wo sind meine Einheiten?", "Где мои отряды?", "which units do I have"]
)
def test_where_all_counters_of_a_nation_are_is_told(text):
    assert told(text) == ["Munchkins: M1 ZOR GUA TIC; M2 MAY SOU MCA; M3 JIN HAR MBA"]
    assert told("Where are the Winkies units?")[0].startswith("Winkies: W1 EVO")


@pytest.mark.parametrize("text", ["hm, what is R1?", "What is the point R1?", "Was ist R1?", "Что такое R1?"])
def test_what_a_point_is_is_told_to_who_asks_in_plain_words(text):
    (answer,) = told(text)
    assert "R1" in answer
    assert "Recruiting Grounds" in answer


@pytest.mark.parametrize("text", ["Who is MAY?", "What does the Munchkin Mayor do?", "Wer ist MAY?", "Кто такой MAY?"])
def test_what_a_counter_is_is_told_to_who_asks_in_plain_words(text):
    (answer,) = told(text)
    assert "Munchkin Mayor" in answer


@pytest.mark.parametrize("text", ["What is your plan?", "What about a draw?", "Was ist los?", "Что это?"])
def test_what_names_nothing_of_the_game_is_no_question_about_it(text):
    assert told(text) == []


@each(
    ("text", "effect"),
    [
        ("What does fireball do?", "Fireball: at once one die at an enemy unit, with strength 5; once a battle."),
        ("Wen kann Zoraster heilen?", "Healing: the next time the unit would be eliminated, it is not"),
        ("Was bewirkt Heilung?", "Healing: the next time the unit would be eliminated, it is not"),
        ("Что делает огненный шар?", "Fireball: at once one die"),
        ("Who can Evora cast a spell on?", "EVO Evora has the spells poppies, fireball."),
        ("Welche Zauber hat Evora?", "EVO Evora has the spells poppies, fireball."),
        ("How many units can one transport at once?", "Transport: a unit of your own goes at once"),
    ],
)
def test_what_a_spell_does_and_who_has_it_is_told(text: str, effect: str) -> None:
    paragraphs = told(text)
    assert paragraphs[0].startswith(effect)
    assert paragraphs[-1].endswith("on a unit and never on a leader.")


@each("spell", SPELLS)
def test_each_spell_has_an_effect_in_each_language(spell: str) -> None:
    assert len({wording.effect(spell, say_in(language)) for language in ("en", "de", "ru")}) == 3


@each(
    ("text", "what"),
    [
        ("Wie stark ist SOU?", "SOU Sourdough's: infantry, Munchkins"),
        ("What terrain is M4?", "M4 Tic-Tok: population center"),
        ("Какая сила у SOU?", "SOU Sourdough's"),
        ("What can Zoraster do?", "ZOR Zoraster: Ruler, Munchkins. Spells: good luck, poor luck, healing."),
    ],
)
def test_any_question_about_a_thing_by_its_name_is_answered_from_the_data(text: str, what: str) -> None:
    assert told(text)[0].startswith(what)


@each("text", ["How many units may her army have?", "Which are for you?"])
def test_words_that_are_codes_in_capitals_name_nothing(text: str) -> None:
    assert not [one for one in told(text) if "MAY" in one or "HER" in one]
