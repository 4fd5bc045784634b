"""What people say for themselves by letters: how they come together, go away, move, watch, and are forgotten."""

import hashlib
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games import GAMES
from pbem.orders import reader
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents, come, everything, finish, flat, move, sure
from support.trials import add_trial

WORK, OPERATOR = "alice@work.example", "operator@example.org"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1; Carol and Dave are strangers."""
    return Correspondents(table)


def games(people: Correspondents) -> int:
    return people.table.store.conn.execute("SELECT count(*) FROM matches").fetchone()[0]


# Joining


def test_a_stranger_who_wants_to_join_is_asked_whether_it_is_really_him(people):
    news = people.write_anew(CAROL, "join")
    assert list(news) == [CAROL]
    assert "answer `yes`" in news[CAROL][0]
    assert "oz-1" not in news[CAROL][0]
    confirmed, joined = people.write(CAROL, "yes")[CAROL]
    assert "counts from now on" in confirmed
    assert "You are in the queue" in joined


def test_nothing_is_done_before_the_yes_however_often_the_stranger_writes(people):
    people.write_anew(CAROL, "join")
    for text in ("join\nplease", "I would like to play"):
        assert "answer `yes`" in people.write_anew(CAROL, text)[CAROL][0]
    assert people.write_anew(CAROL, "join at last") == {}  # that was three times in a day
    people.write_anew(DAVE, "join")
    people.write(DAVE, "yes")
    assert games(people) == 1


def test_a_yes_from_another_address_confirms_nobody(people):
    question = people.write_anew(CAROL, "join") and people.got[CAROL][-1]
    assert people.write(DAVE, "yes", to=question) == {}
    assert people.write(BOB, "yes", to=question).keys() <= {BOB}
    assert people.table.store.conn.execute(
        "SELECT confirmed FROM addresses WHERE address = ?", (CAROL,)
    ).fetchone() == (None,)


def test_two_who_wait_are_paired(people):
    people.write_anew(CAROL, "join")
    people.write(CAROL, "yes")
    people.write_anew(DAVE, "join")
    news = people.write(DAVE, "yes")
    assert "you play Red, Dave plays Blue" in news[CAROL][0]
    assert "you play Blue, Carol plays Red" in " ".join(news[DAVE])
    assert people.match("oz-2").phase == "running"
    assert CAROL not in " ".join(news[DAVE])


def test_games_names_games_to_watch_but_not_those_that_one_plays(people):
    assert "Games you can watch" not in people.say(ALICE, "games")
    people.write_anew(CAROL, "join")
    people.write(CAROL, "yes")
    lobby = people.say(CAROL, "games")
    assert "oz-1 Ozymandia, turn 1: Alice, Bob" in lobby
    assert "`observe oz-1`" in lobby


def test_nobody_is_paired_with_himself_or_waits_after_he_has_left(people):
    assert "You are in the queue" in people.say(ALICE, "join")
    assert "already waiting for the next game of Ozymandia" in people.say(ALICE, "join")
    assert games(people) == 1
    assert "no longer wait" in people.say(ALICE, "leave")
    assert "are not waiting for a game" in people.say(ALICE, "leave")
    people.write(BOB, "join")
    assert games(people) == 1


def test_each_game_has_a_queue_of_its_own(people, monkeypatch):
    add_trial(monkeypatch)
    joined = people.say(ALICE, "join")
    assert "in the queue for Ozymandia" in joined
    assert "You can also play trial: `join trial`" in joined
    answer = people.say(ALICE, "join Trial")
    assert "in the queue for Trial" in answer
    assert "You can also play" not in answer
    assert "already waiting for the next game of Trial" in people.say(ALICE, "join trial")
    people.write(BOB, "join trial")
    assert games(people) == 1  # two of three for the one, one of two for the other
    people.write_anew(CAROL, "join trial")
    news = people.write(CAROL, "yes")
    assert "you play CDR" in " ".join(news[CAROL])
    assert people.match("tr-2").game.name == "trial"
    assert "no longer wait" in people.say(ALICE, "leave ozymandia")
    assert "are not waiting" in people.say(ALICE, "leave")


def test_leave_alone_ends_all_waiting(people, monkeypatch):
    add_trial(monkeypatch)
    people.say(ALICE, "join\njoin trial")
    assert 'not in a league "chess"' in people.say(ALICE, "leave chess")
    assert "no longer wait" in people.say(ALICE, "leave")
    assert people.table.store.conn.execute("SELECT count(*) FROM entrants").fetchone() == (0,)


def test_a_game_that_is_not_played_here_is_answered_with_those_that_are(people):
    assert 'There is no league "chess" and no such game to join, only ozymandia, ozz and rocknroll.' in people.say(
        ALICE, "join chess"
    )


def test_a_league_that_is_not_there_cannot_be_joined(people):
    assert 'no league "Autumn Cup"' in people.say(ALICE, "join Autumn Cup")
    assert 'not in a league "Autumn Cup"' in people.say(ALICE, "leave Autumn Cup")
    people.write(BOB, "join")
    assert games(people) == 1


def test_a_stranger_who_wants_no_such_letters_gets_none(people):
    people.write_anew(CAROL, "join")
    assert "no more invitations" in people.say(CAROL, "decline always")
    people.table.now += timedelta(days=3)
    assert CAROL not in people.write_anew(CAROL, "join\nonce more")
    assert set(people.write(ALICE, f"challenge {CAROL}")) == {ALICE}


def test_names_show_nobodys_address(people):
    name = b'"carol@example.org, www.example.org"'
    people.table.deliver(b"From: " + name + b" <carol@example.org>\nTo: gm@example.org\nMessage-ID: <1@c>\n\njoin\n")
    people.poll()
    people.write(CAROL, "yes")
    news = people.write(ALICE, "join")
    assert "example.org" not in " ".join(news[ALICE])


# Challenges


def test_an_invitation_holds_no_words_of_the_inviter_and_begins_the_game_when_it_is_accepted(people):
    news = people.write(ALICE, f"challenge Buy pills <{CAROL}>\nCheap pills here")
    assert "is invited to a game with you" in news[ALICE][0]
    (invitation,) = news[CAROL]
    assert invitation.startswith("== Answer above this line == Alice invites you to a game of Ozymandia by mail")
    assert "ills" not in people.got[CAROL][-1].as_string()
    assert ALICE not in people.got[CAROL][-1].as_string()
    assert people.match("oz-2").phase == "offered"
    news = people.write(CAROL, "accept\n2 H to S")
    assert "the game oz-2 begins" in news[CAROL][0]
    assert "receipt 1-1" in news[CAROL][1]
    assert "the game oz-2 begins" in news[ALICE][0]
    assert people.match("oz-2").holders["blue"].name == "Carol"


@pytest.mark.parametrize("word", ["yes", "Accept."])
def test_yes_accepts_as_well(people, word):
    people.write(ALICE, f"challenge {CAROL}")
    people.write(CAROL, word)
    assert people.match("oz-2").phase == "running"


def test_only_the_invited_address_can_accept(people):
    people.write(ALICE, f"challenge {CAROL}")
    people.write(DAVE, "accept", to=people.got[CAROL][-1])
    assert people.match("oz-2").phase == "offered"


def test_a_declined_invitation_is_told_to_the_inviter_alone(people):
    people.write(ALICE, f"challenge {CAROL}")
    news = people.write(CAROL, "decline")
    assert "You do not play in" in news[CAROL][0]
    assert "does not take place: an invitation was declined" in news[ALICE][0]
    assert [len(letters) for letters in news.values()] == [1, 1]
    assert people.match("oz-2").phase == "annulled"
    assert "No question is open" in people.say(CAROL, "accept")


def test_whoever_declines_always_cannot_be_invited_again_by_anybody(people):
    people.write(ALICE, f"challenge {CAROL}")
    assert "no more invitations" in people.write(CAROL, "decline always")[CAROL][0]
    assert set(people.write(BOB, f"challenge {CAROL.upper()}")) == {BOB}


@pytest.mark.parametrize("refuses", ["decline always", "ban"])
def test_nobody_learns_from_an_invitation_that_somebody_is_known_refuses_or_is_banned(people, refuses):
    come(people, CAROL)
    if refuses == "ban":
        people.table.store.conn.execute("UPDATE players SET banned = '2026-11-21T12:00:00Z' WHERE name = 'Carol'")
    else:
        people.write(CAROL, refuses)
    told = []
    for who in (CAROL, DAVE):
        first = people.write(BOB, f"challenge {who}")
        again, later = people.say(BOB, f"challenge {who}"), people.say(BOB, "status")
        told.append([text.partition("-----")[0].replace(who, "WHO") for text in (first[BOB][0], again)])
        assert later.count("not everyone has accepted") == len(told) or "oz-2" in later
        assert set(first) == {BOB} | ({DAVE} & {who})
    assert told[0] == told[1]
    news = people.poll(timedelta(days=15))
    assert " ".join(news[BOB]).count("was not accepted in time") == 2
    assert CAROL not in news


def test_an_invitation_lapses_after_two_weeks_and_whoever_did_not_answer_hears_nothing(people):
    people.write(ALICE, f"challenge {CAROL}")
    people.table.now += timedelta(days=13, hours=23)
    assert CAROL not in people.poll()
    assert people.match("oz-2").phase == "offered"
    news = people.poll(timedelta(hours=2))
    assert "was not accepted in time" in news[ALICE][-1]
    assert CAROL not in news
    assert people.match("oz-2").phase == "annulled"


def test_three_people_a_day_can_be_written_to_whatever_the_command(people):
    text = "\n".join(f"challenge p{n}@example.org" for n in range(2))
    news = people.write(ALICE, f"{text}\naddress {WORK}\nchallenge p3@example.org\nhand over to p4@example.org")
    assert set(news) == {ALICE, "p0@example.org", "p1@example.org", WORK}
    assert news[ALICE][0].count("We wrote to nobody: you can have 3 letters a day") == 2
    assert "We wrote to nobody" in people.say(ALICE, "challenge p5@example.org")
    people.table.now += timedelta(days=1)
    assert set(people.write(ALICE, "challenge p5@example.org")) >= {ALICE, "p5@example.org"}


def test_three_letters_at_most_wait_at_one_address_whoever_has_them_sent(people):
    crowd = [f"eve@evil{number}.example" for number in range(6)]
    come(people, *crowd)
    victims = ("victim@example.org", "v.ictim@example.org", "victim+3@example.org")
    words = [f"challenge {victims[0]}", f"address {victims[1]}", f"challenge {victims[2]}"]
    for who, text in zip(crowd, words, strict=False):
        people.write(who, text)
    for who in crowd[3:]:
        for text in (f"challenge {victims[1]} to rocknroll", f"address {victims[0]}"):
            refused = people.say(who, text)
            assert "3 of our letters already wait there for an answer" in refused
            assert not any(other in refused for other in {*crowd} - {who})
    assert people.write(ALICE, f"hand over to {victims[0]}").keys() == {ALICE}
    assert sum(map(len, (people.got.get(one, ()) for one in victims))) == 3
    people.write(victims[0], "decline")
    assert victims[1] in people.write(crowd[3], f"challenge {victims[1]} to rocknroll")


def test_nobody_learns_from_the_letters_that_wait_whether_somebody_is_known_here(people):
    crowd = [f"eve@evil{number}.example" for number in range(4)]
    come(people, CAROL, *crowd)
    for who in crowd[:3]:
        people.write(who, f"challenge {CAROL}")
    for number, who in enumerate(crowd[:3]):
        people.write(who, f"challenge {DAVE} to {('rocknroll', 'ozz', 'rocknroll')[number]}")
    told = [people.say(crowd[3], f"challenge {who}").replace(who, "WHO") for who in (CAROL, DAVE)]
    assert "wait there for an answer" in told[0]
    assert len({text.partition("-----")[0] for text in told}) == 1


def test_nobody_is_invited_twice_by_the_same_player_while_he_has_not_answered(people):
    people.write(ALICE, f"challenge {CAROL}")
    assert "already has an invitation from you" in people.say(ALICE, f"challenge {CAROL}\nplease")
    people.write(CAROL, "decline")
    assert set(people.write(ALICE, f"challenge {CAROL}\nonce more")) == {ALICE, CAROL}


def test_oneself_cannot_be_invited(people):
    assert "your own address" in people.say(ALICE, f"challenge {ALICE}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("to chess", 'There is no game "chess". You can play ozymandia, ozz, rocknroll.'),
        ("with pleasure", "Ozymandia has no option pleasure; its options are board, trades and turn_limit."),
        ("with board /etc/passwd", 'board must be one of lattice, triangles, not "/etc/passwd".'),
        ("with trades P/Q", 'trades must be a list of some of A/V, M/H, W/E, not ["P/Q"].'),
        ("with trades A/V A/V", 'trades must be a list of some of A/V, M/H, W/E, not ["A/V", "A/V"].'),
        ("with turn limit soon", 'turn_limit must be a number from 1 to 999999, not "soon".'),
    ],
)
def test_a_challenge_with_a_wrong_game_or_option_is_answered_with_what_is_right(people, text, sentence):
    assert sentence in people.say(ALICE, f"challenge {CAROL} {text}")
    assert games(people) == 1


@pytest.mark.parametrize(
    ("language", "text", "sentence"),
    [
        ("deutsch", "rocknroll mit Länge riesig", 'Länge: eins von kurz, voll, nicht "riesig".'),
        ("deutsch", "ozz mit Züge 9999", "Runden: eine Zahl von 1 bis 999, nicht 9999."),
        (
            "deutsch",
            "ozymandia mit Größe 3",
            "Die Option Größe gibt es bei Ozymandia nicht, nur Brett, Tausch und Zuglimit.",
        ),
        ("русский", "rocknroll with length huge", 'длина: одно из значений короткая, полная, а не "huge".'),
        ("русский", "ozz with nations winkies", "Места: от двух до 4 разных народов, а не мигуны."),
        ("русский", "chess", "Игры «chess» нет. Можно играть в такие: ozymandia, ozz, rocknroll."),
    ],
)
def test_such_an_answer_calls_options_and_choices_as_its_reader_does(people, language, text, sentence):
    people.write(ALICE, f"language {language}")
    assert sentence in people.say(ALICE, f"challenge {CAROL} to {text}")


@pytest.mark.parametrize(
    "line",
    [
        f"challenge {CAROL} to ozymandia with board triangles, turn limit 9",
        f"Fordere {CAROL} zu Ozymandia mit board triangles, turn_limit 9 heraus",
    ],
)
def test_a_challenge_may_name_the_game_and_what_is_chosen_of_it(people, line):
    assert set(people.write(ALICE, line)) == {ALICE, CAROL}
    assert people.match("oz-2").options == {"board": "triangles", "turn_limit": 9}
    assert people.match("oz-2").state.board.name == "triangles"


def test_a_challenge_to_a_known_player_shows_no_address_but_the_one_that_was_typed(people):
    move(people, BOB, "bob@work.example")
    news = people.write(ALICE, f"challenge {BOB}")
    assert BOB in news[ALICE][0]
    assert "work" not in news[ALICE][0]
    assert "bob@work.example" in news


def test_orders_and_wishes_for_a_game_that_has_not_begun_are_answered(people):
    people.write(ALICE, f"challenge {CAROL}")
    orders = people.write(CAROL, "3 H to S")[CAROL][0]
    assert "the game has not begun" in orders
    assert "`accept`" in orders
    wish = people.write(CAROL, "draw\nwait\nresign")[CAROL][0]
    assert wish.count("Nothing was changed in oz-2: the game has not begun.") == 3
    assert people.match("oz-2").standing == {}


# Time zones and vacations


def test_dates_are_told_in_the_readers_zone(people):
    assert "in Asia/Tokyo time" in people.say(ALICE, "zone Tokyo")
    assert "21:00 Tokyo time" in people.say(ALICE, "status")
    assert "12:00 UTC" in people.say(BOB, "status")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("zone Atlantis", 'There is no time zone "Atlantis"'),
        ("zone", "write `zone Europe/Berlin`"),
        ("vacation 30 February to 3 March", "as a date: write"),
        ("vacation 1 November 2026 to 3 December 2026", "is in the past"),
        ("vacation 9 December 2026 to 3 December 2026", "comes before"),
        ("vacation", "write `vacation FROM to TO`"),
        *((text, "From when to when?") for text in ("I am on holiday", "Ich fahre in den Urlaub.", "Я в отпуске")),
        ("challenge bob@", "is not a name and address"),
        ("challenge", "write `challenge ADDRESS`"),
        ("address alice@localhost", "is not a name and address"),
        ("observe oz-99", "No game called oz-99"),
        ("observe", "write `observe GAME`"),
        ("unobserve oz-1", "do not observe oz-1"),
        ("observe oz-1", "You play in oz-1 yourself"),
    ],
)
def test_what_cannot_be_is_answered_with_a_sentence(people, line, sentence):
    answer = people.say(ALICE, line)
    assert sentence in answer
    assert len(answer.partition("Taken as remarks")[0]) < 400


def test_a_vacation_moves_deadlines_and_the_opponents_are_told(people):
    before = people.match().deadline
    news = people.write(ALICE, "vacation 23 November to 30 November")
    assert "from Monday 23 November 2026 to Monday 30 November 2026" in news[ALICE][0]
    assert "You have 22 days of vacation left in 2026" in news[ALICE][0]
    assert "oz-1" in news[ALICE][0]
    (told,) = news[BOB]
    assert "Alice (Red) is away from Monday 23 November 2026 to Monday 30 November 2026" in told
    assert "waits: it is now Tuesday 1 December 2026" in told
    assert people.match().deadline != before


def test_a_command_may_stand_behind_the_name_of_its_game_and_does_all_that_it_does_alone(people):
    before = people.match().deadline
    news = people.write(ALICE, "oz-1: vacation 23 November to 30 November")
    assert "waits: it is now Tuesday 1 December 2026" in news[BOB][0]
    assert people.match().deadline != before


@pytest.mark.parametrize("words", ["status\njoin", "help\n3 A to M", "Hello, 3 A to M or what?", "accept"])
@pytest.mark.parametrize("anew", [True, False])
def test_a_letter_is_read_once_whoever_writes_and_wherever_it_goes(people, monkeypatch, words, anew):
    texts, read = [], reader.read_words
    monkeypatch.setattr(reader, "read_words", lambda text, *rest: texts.append(text) or read(text, *rest))
    people.write_anew(ALICE, words) if anew else people.write(ALICE, words)
    people.write_anew(CAROL, words)
    assert texts == [words, words]


def test_a_letter_makes_one_letter_to_each_other_person_however_often_it_says_something(people):
    for _ in range(2):
        people.write(ALICE, f"challenge {BOB}")
        people.write(BOB, "accept")
    first = people.got[ALICE][-1]
    assert len(people.match("oz-3").holders) == 2
    news = people.write(ALICE, "vacation 20 December to 23 December\nvacation none\n" * 25, to=first)
    assert BOB not in news
    news = people.write(ALICE, "vacation 20 December to 23 December\nvacation 3 January to 5 January\n", to=first)
    (told,) = news[BOB]
    assert told.count("is away from") == 6
    news = people.write(
        ALICE, "press: Hello\nend press\npress: Hello again\nend press\ngm: Hm\nend gm\ngm: Well\nend gm"
    )
    assert {who: len(letters) for who, letters in news.items() if who != ALICE} == {BOB: 1, OPERATOR: 1}
    assert "Hello again" in news[BOB][0]
    assert "| Hm" in news[OPERATOR][0]
    assert "| Well" in news[OPERATOR][0]


def test_a_vacation_that_ended_in_the_same_letter_is_told_where_it_has_moved_a_deadline(people):
    news = people.write(ALICE, "vacation 23 November to 30 November\nvacation none\n" * 20)
    (told,) = news[BOB]
    assert told.count("is away from") == 1
    assert "The deadline of turn 1 of oz-1 waits" in told


def test_a_vacation_later_on_leaves_the_deadline_alone(people):
    before = people.match().deadline
    (told,) = people.write(ALICE, "vacation 20 December to 23 December")[BOB]
    assert "stays as it is" in told
    assert people.match().deadline == before


def test_a_vacation_keeps_what_else_the_same_letter_wishes(people):
    people.write(ALICE, "wait\nvacation 23 November to 30 November\nmute")
    match = people.match()
    assert match.wishes["wait"] == {"red"}
    assert match.muted == {"red"}
    assert match.deadline.wall.day == 1


def test_days_of_vacation_are_limited_in_each_year_they_fall_into(people):
    assert "That would be 40 days" in people.say(ALICE, "vacation 22 November to 31 December")
    people.write(ALICE, "vacation 1 December to 20 December\nvacation 21 December to 30 December")
    assert "That would be 31 days" in people.say(ALICE, "vacation 31 December")
    assert "That would be 31 days" in people.say(ALICE, "vacation 1 January 2027 to 31 January 2027")
    assert people.match().holders["red"].player.absences[-1].last.day == 30


def test_a_vacation_that_is_ended_frees_its_days(people):
    people.write(ALICE, "vacation 1 December to 20 December")
    assert "no longer away" in people.say(ALICE, "vacation none")
    assert people.match().holders["red"].player.absences == ()
    assert "You have 5 days of vacation left" in people.write(ALICE, "vacation 1 December to 25 December")[ALICE][0]


def test_a_deadline_is_put_off_by_no_more_days_than_there_are_however_often_a_vacation_is_ended(people):
    for _ in range(2):
        first = people.match().deadline.wall.date()
        text = f"vacation {first} to {first + timedelta(days=19)}"
        answer = " ".join(people.write(ALICE, f"{text}\nvacation none")[ALICE])
    assert "That would be 38 days" in answer
    assert people.match().deadline.wall.date().isoformat() == "2026-12-14"
    assert people.match().holders["red"].player.absences == ()


def test_nobody_is_flooded_by_somebody_elses_vacations(people):
    assert BOB not in people.write(ALICE, "vacation 1 December to 2 December\nvacation none\n" * 15)
    for day in range(1, 25):
        letter = people.answer(ALICE, f"vacation {day} December to {day} December")
        people.table.deliver(letter.as_bytes())
    assert len(people.poll()[BOB]) == 20


# Addresses


def test_a_new_address_counts_when_a_yes_has_come_from_it_and_from_the_older_one(people):
    news = people.write(ALICE, f"address {WORK}")
    assert "Is alice@work.example yours?" in news[ALICE][0]
    question = people.got[ALICE][-1]
    assert "Alice" not in people.got[WORK][-1].as_string()
    assert ALICE not in people.got[WORK][-1].as_string()
    people.write(WORK, "3 A to M", to=people.got[ALICE][0])
    assert people.match().standing == {}
    news = people.write(WORK, "yes", to=people.got[WORK][0])
    assert list(news) == [ALICE]
    assert f"A `yes` has come from {WORK}" in news[ALICE][0]
    assert people.match().holders["red"].addresses == {ALICE}
    news = people.write(ALICE, "yes", to=question)
    assert f"From now on {WORK} is yours" in news[ALICE][0]
    assert f"From now on {WORK} is yours" in news[WORK][0]


def test_the_older_address_may_say_yes_first_or_to_the_letter_that_tells_of_the_others_yes(people):
    people.write(ALICE, f"address {WORK}")
    assert "yours once a `yes` comes from there" in people.write(ALICE, "yes")[ALICE][0]
    assert set(people.write(WORK, "yes", to=people.got[WORK][0])) == {ALICE, WORK}
    people.write(BOB, f"address {DAVE}")
    people.write(DAVE, "yes")
    assert f"From now on {DAVE} is yours" in people.write(BOB, "yes")[BOB][0]


def test_an_address_that_is_not_answered_for_two_weeks_is_nobodys(people):
    people.write(ALICE, f"address {WORK}")
    people.write(ALICE, "yes")
    claim = people.got[WORK][0]
    people.poll(timedelta(days=14))
    people.write(WORK, "yes", to=claim)
    assert people.match().holders["red"].addresses == {ALICE}


def test_an_older_address_can_undo_a_newer_one_for_two_weeks(people):
    move(people, ALICE, WORK)
    told = people.got[ALICE][-1]
    assert "reply to this letter with `undo` within 14 days" in flat(told)
    people.poll(timedelta(days=13))
    news = people.write(ALICE, "undo", to=told)
    assert f"{WORK} no longer counts as yours" in news[ALICE][0]
    assert people.match().holders["red"].addresses == {ALICE}
    news = people.write(ALICE, "undo")
    assert "`take back` asks your opponent to agree to replay the last turn." in news[ALICE][0]
    assert people.match().holders["red"].addresses == {ALICE}


def test_two_weeks_later_nothing_can_be_undone(people):
    move(people, ALICE, WORK)
    told = people.got[ALICE][-1]
    people.poll(timedelta(days=14))
    assert "nothing to undo" in people.write(ALICE, "undo", to=told)[WORK][0]
    assert people.match().holders["red"].addresses == {ALICE, WORK}


def test_a_newer_address_undoes_no_older_one(people):
    move(people, ALICE, WORK)
    assert "nothing to undo" in people.write(WORK, "undo")[WORK][0]
    assert people.match().holders["red"].addresses == {ALICE, WORK}


def test_a_letter_that_asks_for_a_correction_and_an_address_is_answered_by_numbers(people):
    people.write(ALICE, f"address {WORK}\n9 A to M")
    assert "1 orders proposed to you: 3 A to M" in people.say(ALICE, "yes")
    people.write(ALICE, "yes 1\nyes 2")
    assert people.match().standing["red"].canonical == "3 A to M"
    people.write(WORK, "yes", to=people.got[WORK][0])
    assert people.match().holders["red"].addresses == {ALICE, WORK}


def test_from_then_on_letters_go_there_and_both_addresses_count(people):
    invitation = people.got[ALICE][0]
    move(people, ALICE, WORK)
    assert list(people.write(WORK, "1 A to M", to=invitation)) == [WORK, BOB]
    assert list(people.write(ALICE, "2 A to M", to=invitation)) == [WORK]
    assert people.match().standing["red"].canonical == "2 A to M"


def test_whoever_is_asked_can_say_no_more_than_yes_for_the_one_who_named_him(people):
    people.write(ALICE, f"address {CAROL}")
    news = people.write(CAROL, "my data\nzone Tokyo\nforget me\nchallenge dave@example.edu")
    assert list(news) == [ALICE]
    assert news[ALICE][0].count("carol@example.org is not confirmed yet") == 4
    people.write(CAROL, "decline always\nmy data")
    assert set(people.write(ALICE, f"address {CAROL}")) == {ALICE}
    assert set(people.write(BOB, f"challenge {DAVE}")) == {BOB, DAVE}


def test_nobody_can_say_yes_for_an_address_that_he_claims_with_a_letter_to_another_of_his_own(people):
    people.write_anew(ALICE, "zone Tokyo")
    mine = people.got[ALICE][-1]
    people.write(ALICE, f"address {WORK}", to=mine)
    people.write(ALICE, "yes")
    assert set(people.write(WORK, "yes\nmy data", to=mine)) == {ALICE}
    assert people.match().holders["red"].addresses == {ALICE}
    people.write(WORK, "yes", to=people.got[WORK][0])
    assert people.match().holders["red"].addresses == {ALICE, WORK}


def test_an_address_that_only_somebody_claims_is_still_everybody_elses(people):
    people.write(ALICE, f"address {CAROL}")
    claim = people.got[CAROL][-1]
    assert set(people.write(BOB, f"challenge {CAROL}")) == {BOB, CAROL}
    people.write(CAROL, "accept")
    assert people.match("oz-2").holders["blue"].name == "Carol"
    people.write(CAROL, "yes", to=claim)
    assert people.match().holders["red"].addresses == {ALICE}


def test_whether_an_address_is_somebodys_is_told_to_nobody(people):
    strange, known = people.say(ALICE, f"address {CAROL}"), people.say(ALICE, f"address {BOB}")
    assert known.partition("Mail processed")[0].replace(BOB, CAROL) == strange.partition("Mail processed")[0]
    agreed = people.say(ALICE, "yes")
    assert "yours once a `yes` comes from there" in agreed
    assert people.match().holders["blue"].addresses == {BOB}


def test_an_address_that_is_ones_own_already_is_told_so(people):
    assert "is already yours" in people.say(ALICE, f"address {ALICE}")


# Watching


def test_an_observer_gets_reports_without_secrets(people):
    come(people, CAROL)
    assert "You get the reports of oz-1" in people.say(CAROL, "observe oz-1")
    assert CAROL not in people.write(ALICE, "press: only for Bob\nend press\n3 A to M")
    news = people.write(BOB, "3 H to S")
    (report,) = news[CAROL]
    assert "Turn 1 has been played" in report
    assert "3 A to M" in report
    assert "only for Bob" not in report
    assert "your orders" not in report.lower()
    assert "You observe oz-1" in people.say(CAROL, "status")
    assert "no more reports of oz-1" in people.say(CAROL, "unobserve oz-1")
    people.write(ALICE, "Pass", to=people.got[ALICE][-1])
    assert CAROL not in people.write(BOB, "Pass")


def test_an_observer_has_no_say_in_the_game(people):
    come(people, CAROL)
    people.write(CAROL, "observe oz-1")
    people.write(ALICE, "3 A to M")
    people.write(BOB, "3 H to S")
    answer = people.say(CAROL, "resign\ndraw\nhistory\npress: hi")
    assert answer.count("is about a game, but this letter belongs to none") == 4
    assert people.match().phase == "running"


def test_a_game_that_is_over_cannot_be_observed(people):
    finish(people)
    come(people, CAROL)
    assert "No game called oz-1 is being played" in people.say(CAROL, "observe oz-1")


# Letters without a token


def test_what_changes_anything_is_asked_back_when_no_token_proves_the_writer(people):
    news = people.write_anew(ALICE, "zone Tokyo\nmy data")
    assert "Did you write this? `zone Tokyo`, `my data`" in news[ALICE][0]
    assert BOB not in news
    confirmed, answer = people.write(ALICE, "yes")[ALICE]
    assert "counts from now on" in confirmed
    assert "Everything we have stored about you" in answer
    assert "Asia/Tokyo" in answer


def test_orders_without_a_token_are_never_guessed_to_be_for_a_game(people):
    answer = people.write_anew(ALICE, "zone Tokyo\n3 A to M")[ALICE][0]
    assert "Did you mean oz-1, the game you play here?" in answer
    assert people.match().standing == {}
    answer = people.write(ALICE, "yes")[ALICE][-1]
    assert "Asia/Tokyo" in answer
    assert people.match().standing["red"].canonical == "3 A to M"


def test_whoever_has_several_games_tells_them_apart_by_the_letter_he_answers(people):
    people.write(ALICE, f"challenge {CAROL}")
    people.write(CAROL, "accept")
    first, second = people.got[ALICE][0], people.got[ALICE][-1]
    people.write(ALICE, "1 A to AC", to=second)
    people.write(ALICE, "2 A to AC", to=first)
    assert people.match("oz-1").standing["red"].canonical == "2 A to AC"
    assert people.match("oz-2").standing["red"].canonical == "1 A to AC"
    status = people.say(ALICE, "status")
    assert "oz-1" in status
    assert "oz-2" in status


# Help


def test_help_lists_all_words_and_the_game_masters_are_a_topic_of_their_own(people):
    assert "forget me" not in people.say(ALICE, "help")
    answer = people.say(ALICE, "help commands")
    for word in ("challenge ADDRESS", "hand over to ADDRESS", "forget me", "vacation FROM to TO"):
        assert word in answer
    assert "rollback" not in answer
    answer = people.say(ALICE, "help game master")
    assert "rollback GAME TURN because" in answer
    assert "challenge ADDRESS" not in answer


def test_help_asked_for_in_somebodys_name_does_not_fill_his_mailbox(people):
    (answer,) = people.write_anew(ALICE, "help\n" * 500)[ALICE]
    assert answer.count("How to write orders") == len(GAMES)  # once for each game


def test_help_is_given_in_answers_about_no_game_too(people):
    come(people, CAROL)
    assert "How to write orders" in people.say(CAROL, "help")
    assert "The rules" in people.say(CAROL, "help rules")


# Data


def test_my_data_tells_all_that_is_known_of_a_player_and_of_nobody_else(people):
    people.write(ALICE, f"zone Tokyo\naddress {WORK}\nvacation 1 December to 3 December")
    people.write(ALICE, "3 A to M", to=people.got[ALICE][0])
    people.write(BOB, "3 H to S")
    answer = people.say(ALICE, "my data")
    for known in ("Alice", ALICE, f"{WORK}, not confirmed yet", "Asia/Tokyo", "1 on time"):
        assert known in answer
    assert "Away Tuesday 1 December 2026 to Thursday 3 December 2026" in answer
    assert "oz-1, Red, as Alice" in answer
    assert "Bob" not in answer
    assert BOB not in answer


def test_my_data_tells_what_they_have_set_and_which_game_they_wait_for(people):
    people.write(ALICE, "fewer letters\ndigest daily at 7:30\ntext only\nno calendar\njoin ozymandia")
    answer = people.say(ALICE, "my data")
    for known in (
        "receipt and report come in one letter",
        "one letter a day at 07:30",
        "text only",
        "no entries; `calendar`",
    ):
        assert known in answer
    assert "Waiting for the next game of Ozymandia" in answer
    assert "`my data`" not in answer


def test_a_vacation_that_is_over_is_data_and_no_setting_any_more(people):
    people.write(BOB, "vacation 22 November to 23 November\nvacation 1 December to 3 December")
    people.poll(timedelta(days=4))
    answer = people.say(BOB, "my data")
    assert "Away 2026-11-22 to 2026-11-23" in answer
    assert "Away Tuesday 1 December 2026 to Thursday 3 December 2026;" in answer


def test_nobody_is_forgotten_while_he_plays(people):
    answer = people.say(ALICE, "forget me")
    assert "Nothing has been removed: you are still playing oz-1" in answer
    assert people.match().holders["red"].name == "Alice"


def test_whoever_is_forgotten_leaves_nothing_but_his_moves(people):
    people.write(ALICE, f"Hi Bob!\nAlice here, my cat is called Mitzi.\nzone Tokyo\naddress {WORK}\n3 A to M")
    people.write(ALICE, "yes")
    people.write(WORK, "yes")
    people.write(BOB, "Hi Alice and Mitzi!\n3 H to S")
    people.write(BOB, "press: Dear Alice, how is Mitzi?")
    people.write(WORK, "press: Mitzi is well.\nend press\nvacation 1 December to 3 December", to=people.got[WORK][-1])
    people.write(WORK, "resign", to=people.got[WORK][-1])
    people.write(WORK, "yes")
    people.poll(timedelta(days=14))
    people.write_anew(WORK, "status")
    answer = sure(people, WORK, "forget me")[WORK][0]
    assert "your addresses and your words have been removed" in answer
    assert "These stay" in answer
    left = everything(people.table)
    for known in ("alice", "mitzi", WORK, "tokyo"):
        assert known not in left.lower()
    assert "3 A to M" in left
    assert first_broken_row(people) is None


def test_a_forgotten_opponent_is_a_player_in_ones_own_language(people):
    people.write(BOB, "language deutsch")
    finish(people)
    sure(people, ALICE, "forget me")
    assert "als Blau gegen einen Spieler: zu Ende" in people.say(BOB, "status")


@pytest.mark.usefixtures("desk_table")
def test_nothing_lies_in_the_files_of_the_database_either(people):
    people.write(ALICE, "My cat is called Mitzi.\n3 A to M")
    finish(people)
    sure(people, ALICE, "forget me")
    people.table.store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database: Path = people.table.config.database
    assert b"Mitzi" not in database.read_bytes()
    assert b"alice@" not in database.read_bytes().lower()


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite as many build it: what was deleted or moved stays in a file unless a connection says otherwise."""
    real = sqlite3.connect

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        conn = real(*args, **options)
        conn.execute("PRAGMA secure_delete = OFF")
        return conn

    monkeypatch.setattr(sqlite3, "connect", connect)


@pytest.mark.usefixtures("careless", "desk_table")
def test_nothing_of_it_lies_there_whatever_sqlite_does_with_what_moves_within_a_file(people):
    for orders in ("3 A to M", "Pass", "Pass", "Pass"):
        people.write(ALICE, f"My cat is called Mitzi.\n{orders}")
        people.write(BOB, f"{'Hello Mitzi and Alice! ' * 5}\nPass")
    finish(people)
    sure(people, ALICE, "forget me")
    people.table.store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = people.table.config.database.read_bytes().lower()
    assert (b"mitzi" in data, b"alice@" in data) == (False, False)


def test_the_opponent_can_still_look_back_at_the_game(people):
    people.write(ALICE, "3 A to M")
    people.write(BOB, "3 H to S")
    finish(people)
    sure(people, ALICE, "forget me")
    news = people.write(BOB, "resend 1\nhistory")
    again, _ = sorted(news[BOB], key=lambda text: "goes out to you again" in text)
    assert "Red, a player 3 A to M" in again
    assert "Alice" not in " ".join(news[BOB])
    assert "over. Red resigned" in people.say(BOB, "status")


def test_the_forgotten_one_is_a_stranger_from_then_on(people):
    finish(people)
    sure(people, ALICE, "forget me")
    assert people.write(ALICE, "status") == {}
    assert "answer `yes`" in people.write_anew(ALICE, "join")[ALICE][0]


def test_an_invitation_of_somebody_who_is_forgotten_is_called_off(people):
    come(people, CAROL)
    people.write(CAROL, f"challenge {BOB}")
    sure(people, CAROL, "forget me")
    assert people.match("oz-2").phase == "annulled"
    assert "carol" not in everything(people.table).lower()


def test_whoever_was_invited_and_does_not_want_to_be_known_can_be_forgotten(people):
    people.write(ALICE, f"challenge {CAROL}")
    news = sure(people, CAROL, "forget me")
    assert "removed" in news[CAROL][0]
    assert "does not take place" in news[ALICE][0]


def first_broken_row(people: Correspondents) -> int | None:
    """The chain as the design describes it: contents may be gone, nothing else."""
    before = ""
    rows = people.table.store.conn.execute(
        """SELECT id, at, kind, match, digest, hash, nonce, content
           FROM record LEFT JOIN record_contents ON record = id ORDER BY id"""
    )
    for number, at, kind, match, digest, link, nonce, content in rows:
        fields = before, number, at, kind, match or "", digest
        chained = hashlib.sha256("".join(f"{field}\n" for field in fields).encode()).hexdigest()
        intact = content is None or hashlib.sha256(nonce + content.encode()).hexdigest() == digest
        if link != chained or not intact:
            return number
        before = link
    return None


def test_the_letters_to_a_stranger_are_short_and_plain(people):
    people.write_anew(CAROL, "join")
    text = flat(people.got[CAROL][-1])
    assert len(text.partition("--------")[0]) < 800


def test_the_forgotten_one_gets_no_letter_but_the_last(people):
    come(people, CAROL)
    people.write(CAROL, f"challenge {DAVE}")
    assert len(sure(people, CAROL, "forget me")[CAROL]) == 1


def test_a_rematch_that_the_forgotten_one_wished_does_not_begin(people):
    finish(people)
    people.write(ALICE, "rematch")
    sure(people, ALICE, "forget me")
    people.write(BOB, "rematch")
    assert games(people) == 1


def test_an_address_that_was_claimed_is_confirmed_by_owning_to_a_letter_from_there(people):
    people.write(ALICE, f"address {WORK}")
    people.write(WORK, "3 A to M", to=people.got[ALICE][0])
    assert "answer `yes`" in flat(people.got[ALICE][-1])
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == "3 A to M"


def test_a_letter_to_the_reply_address_of_another_player_is_told_so(people):
    people.write_anew(CAROL, "join")
    answer = people.write(BOB, "my data", to=people.got[CAROL][-1])
    assert list(answer) == [BOB]
    assert "a reply address that is not yours" in answer[BOB][0]


ODD = (
    *("help me", "status?", "yes", "accept", "decline", "decline always", "join x y", "leave", "leave x", "check:"),
    *(
        "challenge @",
        "challenge <@>",
        "challenge a@b.c, d@e.f",
        "challenge Ä <ä@ö.example>",
        "hand over to @",
        "observe 1",
    ),
    *(
        "hand over to a@b.example <c@d.example>",
        "vacation ....",
        "vacation 1/2/2026",
        "zone ../../etc",
        "zone +01",
        "zone",
    ),
    *("address a@b@c.example", "address x@y.example\u202e", "unobserve oz-1", "resend 0", "resend 999999", "history"),
    *(
        "no wait",
        "no pause",
        "pause",
        "resume",
        "rematch",
        "mute",
        "unmute",
        "wait",
        "draw",
        "resign",
        "press:",
        "end press",
    ),
    *("my data", "say oz-1: hi", "extend oz-1 1 day because I say so", "ban bob@example.com because I say so", "ok"),
)


def test_no_line_of_anybody_is_beyond_us(people):
    people.write_anew(CAROL, "join")
    for line in ODD:
        for who in (ALICE, BOB, CAROL):
            people.table.deliver(people.answer(who, line, people.got[who][0]).as_bytes())
    assert people.poll().keys() >= {ALICE, BOB, CAROL}
    handled = people.table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'handled'").fetchone()
    assert handled[0] >= 3 * len(ODD)


# Letters of very many lines


def test_of_very_many_commands_in_a_letter_the_first_are_carried_out_and_it_is_told(people):
    answer = people.say(ALICE, "\n".join(f"vacation {number}" for number in range(1_000, 1_070)))
    assert answer.count("as a date: write") == 60
    assert answer.count("We carry out at most 60 commands from one letter: send the others in a new one.") == 1


def test_of_very_many_mistakes_the_first_are_shown_and_the_others_counted(people):
    answer = people.say(ALICE, "\n".join(f"1 A to Qu{letter}" for letter in "abcdefghijklmnopqrstuvwxy"))
    assert answer.count("There is no area") == 20
    assert "5 more mistakes are not shown." in answer
