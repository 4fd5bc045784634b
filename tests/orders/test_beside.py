"""Everyday sentences of which some words are not known: what they order is proposed, remarks are left aside."""

from collections import Counter

import pytest

from pbem.games import find_game
from pbem.orders import reader
from tools.understanding import CORPUS, fate, samples

GAME = find_game("ozymandia")
STATE = GAME.new({})
PEOPLE = [*samples(CORPUS / "people.txt")]


def read(text: str) -> reader.Reading:
    return reader.read(GAME, STATE, "red", text)


def test_most_sentences_of_many_people_are_played_or_proposed_and_none_as_something_else() -> None:
    fates = Counter(fate(one) for one in PEOPLE if one.kind.startswith("clear"))
    assert fates["as meant"] >= 0.74 * fates.total()
    assert fates["as meant"] + fates["proposed"] >= 0.78 * fates.total()
    assert fates["wrong proposal"] + fates["something else"] == 0


def test_no_talk_about_moves_is_played_or_proposed() -> None:
    talk = [one for one in PEOPLE if one.kind.startswith("doubt")]
    assert len(talk) >= 180
    assert [one.text for one in talk if fate(one) not in ("asked", "not seen")] == []


@pytest.mark.parametrize(
    ("text", "proposal", "aside"),
    [
        ("Zany weather, 2 from A to M", "2 A to M", ["Zany weather"]),
        ("2 from A to M, zany zest", "2 A to M", ["zany zest"]),
        ("zany - 2 from A to M", "2 A to M", ["zany"]),
        ("Nach zackigem Frühstück ziehe ich 2 von A nach M", None, []),  # a place that the board does not have
        ("zackig und keck: 2 von A nach M", "2 A to M", ["zackig", "keck"]),
        ("зябко, две из A в M", "2 A to M", ["зябко"]),
        ("two from Atlantaea hop over to Mu", "2 A to M", ["Atlantaea"]),
        ("kindly drop a bomb on Elphin City", "Bomb EC", ["Elphin"]),
        ("Wilma: 2 from A to M", None, []),  # who says it
        ("Wilma marches 2 from A to M", None, []),  # who does it
        ("2 from A to M for Wilma", None, []),
        ("2 from A zigzagged to M", None, []),  # what has been
        ("2 from A to M zings", None, []),  # what is said of it
        ("2 from A to M bothers me", None, []),
        ("tell me to send 2 from A to M", None, []),
        ("you know, 2 from A to M", None, []),
        ("we have to talk about 2 from A to M", None, []),
        ("In theory, 2 from A to M", None, []),
        ("Thanks for moving 2 from A to M", None, []),
    ],
)
def test_what_may_be_a_remark_or_the_manner_is_left_aside(text: str, proposal: str | None, aside: list[str]) -> None:
    reading = read(text)
    assert (reading.orders, reading.proposal) == (None, proposal)
    if proposal:
        assert [one.text for one in reading.doubts] == aside


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("2 M S, cheers", "2 M to S"),
        ("two pieces, Wyvernia to Ulteria", "2 W to U"),
        ("the lads in A (all three) hop over to M", "3 A to M"),
        ("2 (two) from W to U", "2 W to U"),
        ("three from M march on S", "3 M to S"),
        ("W komplett nach U", "3 W to U"),
        ("here we go - 2 from W to U", "2 W to U"),
        ("throw all 3 in M at S", "3 M to S"),
    ],
)
def test_sentences_whose_words_are_all_known_are_orders(text: str, orders: str) -> None:
    assert str(read(text).orders) == orders


@pytest.mark.parametrize("text", ["Half of A to M", "die Hälfte von A nach M", "половина из A в M"])
def test_half_of_an_odd_number_is_asked_about_and_both_are_offered(text: str) -> None:
    reading = read(text)
    assert (reading.orders, reading.proposal, reading.readings) == (None, None, ("1 A to M", "2 A to M"))


def test_half_of_an_even_number_is_so_many() -> None:
    state = GAME.placed(STATE, "1 red A4 M3 W2 bombs 3 blue V3 H3 E3 bombs 3")
    assert str(reader.read(GAME, state, "red", "Half of A to M").orders) == "2 A to M"
