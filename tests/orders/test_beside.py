"""Sentences of many people, who order in words of their own, or only talk about moves."""

from collections import Counter

from pbem.games import find_game
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from tools.understanding import CORPUS, fate, samples

GAME = find_game("ozymandia")
STATE = GAME.new({})
PEOPLE = [*samples(CORPUS / "people.txt")]


def read(text: str) -> reader.Reading:
    return reader.read(Standpoint(GAME, STATE, "red"), text)


def test_most_sentences_of_many_people_are_played_or_proposed_and_none_as_something_else() -> None:
    fates = Counter(fate(one) for one in PEOPLE if one.kind.startswith("clear"))
    assert fates["as meant"] >= 0.7 * fates.total()
    assert fates["as meant"] + fates["proposed"] >= 0.8 * fates.total()
    assert fates["wrong proposal"] + fates["something else"] == 0


def test_no_talk_about_moves_is_played() -> None:
    talk = [one for one in PEOPLE if one.kind.startswith("doubt")]
    assert len(talk) >= 180
    fates = Counter(map(fate, talk))
    assert fates["something else"] + fates["may be else"] <= 1
