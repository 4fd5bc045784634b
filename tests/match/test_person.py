"""A way to a person: plain words that are neither orders nor chat reach the game master, and are in the record."""

import json

import pytest

from support.correspondents import ALICE, Correspondents

MASTER = "operator@example.org"


@pytest.fixture
def people(table) -> Correspondents:
    return Correspondents(table)


FOR_A_PERSON = (
    "I want to complain about my opponent",
    "This is unfair, he insulted me",
    "I'd like to talk to a human",
    "Ich möchte mich beschweren",
    "Da stimmt etwas nicht",
    "Хочу пожаловаться на соперника",
)
NOT_FOR_A_PERSON = ("Thanks!", "Have a nice day", "What a game", "Schöne Grüße", "Спасибо")


@pytest.mark.parametrize("text", FOR_A_PERSON)
def test_words_that_want_a_person_reach_the_game_master_and_are_in_the_record(people, text):
    news = people.write(ALICE, text)
    assert "What you wrote has gone to the game master" in news[ALICE][0]
    assert text in news[MASTER][0]
    rows = people.table.store.conn.execute(
        "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = 'gm'"
    ).fetchall()
    assert text in json.loads(rows[-1][0])["text"]


@pytest.mark.parametrize("text", ["Could I have an extension until Monday?", "Kann ich bitte mehr Zeit bekommen?"])
def test_what_may_be_for_the_game_master_goes_there_with_a_yes(people, text):
    assert "Should your words go to the game master" in people.write(ALICE, text)[ALICE][0]
    assert text in people.write(ALICE, "yes")[MASTER][0]


@pytest.mark.parametrize("text", NOT_FOR_A_PERSON)
def test_chat_reaches_nobody(people, text):
    assert MASTER not in people.write(ALICE, text)


def test_orders_beside_chat_about_the_game_master_are_orders(people):
    assert MASTER not in people.write(ALICE, "2 A to AC")


def test_undo_says_how_orders_are_taken_back_and_else_asks_the_game_master(people):
    news = people.write(ALICE, "undo")
    assert "Only the game master can take back a turn." in news[ALICE][0]
    assert MASTER in news
    people.write(ALICE, "2 A to AC")
    news = people.write(ALICE, "undo")
    assert "`withdraw` takes back the orders" in news[ALICE][0]
    assert MASTER not in news
    assert people.match().standing
