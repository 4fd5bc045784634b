"""The door: who writes for the first time hears what this is and how to begin, in the language that they write."""

import re
from datetime import timedelta

import pytest

from pbem.games import find_game
from pbem.i18n.words import guess_language
from pbem.orders.newcomers import wants_to_play
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents
from support.tables import configure

FIVE = 5
DAY = timedelta(days=1)


@pytest.fixture
def people(table) -> Correspondents:
    return Correspondents(table)


WISHES = (
    "Hi, I would like to play.",
    "Hello! A friend told me about your games. Can I join?",
    "I'd like to take part in a game of Ozymandia please",
    "How do I sign up?",
    "My friend Bob plays here, and I wonder how I could take part too.",
    "Wie melde ich mich an?",
    "Как записаться?",
    "Count me in!",
    "May I play against somebody?",
    "I want to participate",
    "Ich möchte mitspielen",
    "Hallo, ich würde gerne mitmachen!",
    "Guten Tag, wie kann ich an einem Spiel teilnehmen?",
    "Ich hätte Lust auf eine Partie",
    "Здравствуйте, хочу сыграть с кем-нибудь",
    "Хотел бы поучаствовать в партии",
    "Можно мне присоединиться?",
    "Запишите меня, пожалуйста",
)
NO_WISHES = (
    "I do not want to play any more",
    "Our offer: win a game of poker now",
    "The report of last week is attached.",
    "Bitte nicht mehr spielen",
    "Не хочу играть",
    "Meeting on Monday at ten",
    "Stop sending me letters about your games, I never wanted to join",
    "Buy our pills today, they are the best that there are. How does it work? Click here. We never lie.",
    "What is this about my invoice? Please pay it at once, for it is long due and we shall not wait.",
)


@pytest.mark.parametrize("text", WISHES)
def test_whoever_would_like_to_play_is_asked_whether_it_was_they_and_a_yes_joins(people, text):
    (asked,) = people.write_anew(CAROL, text)[CAROL]
    assert re.search("`(yes|ja|да)`", asked)
    assert re.search("`(join|mitspielen|участвую)`", asked)
    letters = people.write(CAROL, "yes")[CAROL]
    assert any("Ozymandia" in letter and re.search("`.*(computer|компьютер)", letter, re.I) for letter in letters)
    assert people.table.store.conn.execute("SELECT count(*) FROM entrants WHERE league IS NULL").fetchone() == (1,)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("I'd like to play Rock'n'Roll, please", "Rock'n'Roll"),
        ("Ich würde gern Campaigns of Ozz spielen", "Campaigns of Ozz"),
        ("please let me join the next game of ozz", "Campaigns of Ozz"),
        ("Хочу сыграть в Rock’n’Roll", "Rock'n'Roll"),
        ("I would like to play Ozymandia or Rock'n'Roll", "Ozymandia"),
    ],
)
def test_whoever_names_a_game_waits_for_that_one(people, text, game):
    people.write_anew(CAROL, text)
    assert any(game in letter for letter in people.write(CAROL, "yes")[CAROL])
    (wanted,) = people.table.store.conn.execute("SELECT game FROM entrants").fetchone()
    assert find_game(wanted).title == game


@pytest.mark.parametrize("text", NO_WISHES)
def test_who_does_not_ask_for_it_hears_nothing_unless_their_provider_vouches(people, text):
    assert not wants_to_play(text)
    assert people.write_anew(CAROL, text) == {}


@pytest.mark.parametrize(
    ("subject", "body"), [("join", ""), ("Re: Join", ""), ("Mitspielen", ""), ("I want to play", "")]
)
def test_the_subject_counts_where_the_letter_says_nothing(people, subject, body):
    (asked,) = people.write_anew(CAROL, body, subject=subject)[CAROL]
    assert re.search("`(yes|ja)`", asked)


@pytest.mark.parametrize(
    "text",
    [
        "help",
        "Hilfe",
        "games",
        "помощь",
        "What is this?",
        "Hello,\n\nwho are you?",
        "Was ist das?",
        "Что это?",
        "Hi, a friend told me about this desk the other day. How does it work?",
        "Guten Tag, meine Schwester hat mir diese Adresse gegeben. Wie geht das hier?",
    ],
)
def test_who_asks_what_this_is_is_told_in_five_lines_with_join_ready_to_send(people, text):
    (told,) = people.write_anew(CAROL, text)[CAROL]
    letter = people.got[CAROL][-1]
    html = next(part for part in letter.walk() if part.get_content_type() == "text/html").get_payload(decode=True)
    assert html.decode().count("<li") == FIVE
    assert "body=join" in html.decode()
    assert "oz-1" not in told


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_letter_is_answered_where_its_sender_is_believed(people, text):
    assert people.write_anew(CAROL, text) == {}
    configure(people.table, "desk", "trust = address")
    assert CAROL in people.write_anew(CAROL, text)


def test_in_a_day_one_person_is_told_so_once(people):
    assert CAROL in people.write_anew(CAROL, "What is this?")
    assert people.write_anew(CAROL, "Who are you?") == {}
    assert people.write_anew(CAROL, "") == {}


@pytest.mark.parametrize(
    ("text", "language", "lead"),
    [
        ("I would like to play", "en", "We got a letter from your address"),
        ("Ich möchte mitspielen", "de", "Jemand hat unter deiner Adresse"),
        ("Хочу сыграть", "ru", "С вашего адреса"),
        ("join", "", "We got a letter from your address"),
    ],
)
def test_the_answer_and_all_that_follow_are_in_the_language_of_the_letter(people, text, language, lead):
    assert guess_language(text) in (language, "en")
    (told,) = people.write_anew(CAROL, text)[CAROL]
    assert lead in told
    assert people.table.store.conn.execute("SELECT language FROM players WHERE id = 3").fetchone()[0] in (
        language,
        "en",
    )


def test_a_join_is_never_met_with_silence_not_even_twice_a_day_nor_on_the_next(people):
    configure(people.table, "desk", "trust = address")
    people.write_anew(CAROL, "Hello")
    for hours in (0, 1, 25, 1):
        people.table.now += timedelta(hours=hours)
        assert CAROL in people.write_anew(CAROL, f"join\n{hours}")


def test_who_waits_is_told_who_else_does_and_for_how_long(people):
    alone = people.say(ALICE, "join rocknroll")
    assert "Nobody else is waiting now." in alone
    assert "`challenge computer to rocknroll` begins a game against the computer" in alone
    people.table.now += 2 * DAY
    assert "You have waited for 2 days" in people.say(ALICE, "join rocknroll")
    assert "waited 2 days for the next game of Rock'n'Roll" in people.say(ALICE, "status")
    lobby = people.say(BOB, "games")
    assert "Rock'n'Roll Alice, for 2 days" in lobby
    assert "oz-1" not in lobby  # he plays in it himself


def test_games_is_told_to_players_alone_and_names_the_leagues(people):
    assert "oz-1" not in people.write_anew(DAVE, "games")[DAVE][0]
    assert "Nobody is waiting for a game at the moment" in people.say(BOB, "игры")
    assert "Gerade wartet niemand" in people.write(BOB, "Sprache deutsch\nSpiele")[BOB][-1]


# What is answered to the question whether it was they


def test_a_command_in_answer_to_it_counts_as_the_letter_says(people):
    people.write_anew(CAROL, "join")
    letters = people.write(CAROL, "challenge computer")[CAROL]
    assert any("you play " in letter and "Computer (level 2) plays " in letter for letter in letters)


def test_words_for_a_person_reach_the_game_master(people):
    people.write_anew(CAROL, "join")
    assert "I want to complain" in people.write(CAROL, "I want to complain")["operator@example.org"][0]
    assert "this is unfair" in people.write(CAROL, "gm: this is unfair")["operator@example.org"][0]


def test_the_question_how_it_works_is_answered_with_help(people):
    people.write_anew(CAROL, "join")
    assert "How to write orders" in people.say(CAROL, "Oh. How does it work?")


def test_to_decline_begins_nothing(people):
    people.write_anew(CAROL, "join")
    people.write(CAROL, "decline always")
    assert people.table.store.conn.execute("SELECT count(*) FROM entrants").fetchone() == (0,)
