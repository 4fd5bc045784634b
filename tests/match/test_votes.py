"""What players decide together: taking back a turn, a later deadline, a pause, its end, and annulling the game."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config, read_key
from pbem.orders.command import Asking, Simple
from pbem.orders.reader import read_words
from pbem.service.desk import Desk
from pbem.store.waiting import renew_due
from pbem.times.dates import parse_pace
from pbem.times.deadlines import Pace
from support.commands import pbem
from support.correspondents import ALICE, BOB, CAROL
from support.each import each
from support.game_masters import decide, fresh, in_league, set_terms
from support.players import CARLA, DAY, Players

HOUR = timedelta(hours=1)


@pytest.fixture
def people(table: DemoDesk) -> Players:
    """Alice is Red and Bob is Blue in oz-1, where one turn has been played."""
    players = Players(table)
    players.write(ALICE, "3 A to M")
    players.write(BOB, "2 H to S")
    assert players.game.turn == 2
    return players


def of_three(begin: Callable[..., Players], **terms: Any) -> Players:
    """A campaign of three nations, Alice's, Bob's and Carla's, whose first turn has been played."""
    players = begin("ozz", {"nations": ("munchkins", "winkies", "gillikins")}, **terms)
    players.everybody("Pass")
    assert players.game.turn == 2
    return players


# Taking back a turn


def test_a_turn_is_taken_back_when_both_agree_and_the_game_stands_as_at_its_start(people):
    before = people.game.past.last.before
    news = people.write(ALICE, "take back")
    assert "We have asked your opponent to agree to take back turn 1." in news[ALICE][0]
    (asked,) = news[BOB]
    assert "Alice (Red) would like to take back turn 1." in asked
    assert "Answer `yes` to agree or `no` to refuse." in asked
    assert "The question can be answered until Tuesday 24 November 2026" in asked
    assert people.game.turn == 2
    news = people.write(BOB, "yes")
    for who in (ALICE, BOB):
        assert "Turn 1 of oz-1 has been taken back by both players." in " ".join(news[who])
        assert "Reply to this letter with your orders for turn 1" in " ".join(news[who])
    assert people.game.turn == 1
    assert people.game.state == before
    assert not people.game.motions
    assert not people.game.standing


def test_it_is_a_decision_of_the_players_in_the_record_with_their_votes(people):
    people.write(ALICE, "take back")
    people.write(BOB, "yes")
    assert [(one["on"], one["seat"], one["agrees"]) for one in people.noted("vote")] == [
        ("rollback", "red", True),
        ("rollback", "blue", True),
    ]
    (decision,) = people.noted("decision")
    assert (decision["decision"], decision["argument"], decision["by"]) == ("rollback", "1", "players")
    assert decision["votes"] == {"red": True, "blue": True}
    assert [one["turn"] for one in people.noted("rollback")] == [1]


def test_who_is_refused_is_told_once_and_the_game_goes_on(people):
    people.write(ALICE, "take back")
    question = people.got[BOB][-1]
    news = people.write(BOB, "no")
    (told,) = news[ALICE]
    assert "Turn 1 is not taken back. Bob (Blue) refuses." in told
    assert "our question about taking back turn 1, so nothing changes." in news[BOB][0]
    assert list(people.write(BOB, "yes", to=question)) == [BOB]
    assert people.game.turn == 2
    assert people.poll(HOUR) == {}


def test_orders_that_are_in_stay_secret_and_stay_in_while_the_others_are_asked(people):
    people.write(ALICE, "1 M to W")
    news = people.write(ALICE, "take back")
    assert "If you meant your orders for turn 2: they stand, and `withdraw` takes them back." in news[ALICE][0]
    assert "M to W" not in " ".join(news[BOB])
    assert people.game.standing["red"].canonical == "1 M to W"
    news = people.write(BOB, "yes")
    assert "M to W" not in " ".join(news[BOB])


def test_whoever_has_nothing_to_withdraw_hears_how_a_turn_is_taken_back(people):
    assert "`take back` asks your opponent to agree to replay the last turn." in people.say(ALICE, "withdraw")


def test_orders_for_the_turn_that_is_gone_are_refused_and_no_game_master_is_blamed(people):
    old = people.got[BOB][-1]
    people.everybody("take back")
    answer = people.write(BOB, "2 H to S", to=old)[BOB][0]
    assert "it answers a letter from before the game was set back or corrected, and turn 1 is waiting" in answer
    assert not people.game.standing


def test_undo_tells_of_both_ways_to_take_a_turn_back(people):
    answer = people.write(ALICE, "undo")[ALICE][0]
    assert "`take back` asks your opponent to agree to replay the last turn." in answer
    assert "Only the game master" not in answer


def test_before_the_first_turn_there_is_nothing_to_take_back(table):
    assert "No turn of oz-1 has been played yet, so there is none to take back." in Players(table).say(
        ALICE, "take back"
    )


def test_the_time_for_an_answer_ends_with_the_deadline_and_both_are_told_once_in_the_report(people):
    people.write(ALICE, "take back")
    news = people.poll(4 * DAY)
    for who in (ALICE, BOB):
        (report,) = news[who]
        assert "Turn 2 has been played" in report
        assert "Turn 1 is not taken back. The request expired when the turn was played." in report
    people.write(BOB, "yes", to=people.got[BOB][-2])
    assert people.game.turn == 3


def test_the_next_turn_ends_it_too_if_all_orders_are_in(people):
    people.write(ALICE, "take back")
    asked = people.got[BOB][-1]
    people.write(ALICE, "Pass")
    news = people.write(BOB, "Pass", to=asked)
    assert "Turn 1 is not taken back. The request expired when the turn was played." in " ".join(news[ALICE])
    assert "expired when the turn was played" in " ".join(news[BOB])
    assert people.game.turn == 3
    assert not people.game.motions


def test_terms_may_give_a_vote_less_time_and_all_are_told_once_when_it_is_over(begin):
    people = begin(vote_time=DAY)
    people.everybody("Pass")
    assert "The question can be answered until Sunday 22 November 2026" in " ".join(
        people.write(ALICE, "take back")[BOB]
    )
    news = people.poll(25 * HOUR)
    for who in (ALICE, BOB):
        (text,) = news[who]
        assert "Turn 1 is not taken back. The time to agree to it is over." in text
    assert people.poll(HOUR) == {}
    assert people.noted("vote")[-1] == {"turn": 2, "on": "rollback", "ended": "time", "votes": {"red": True}}
    assert "Turn 2 has been played" in " ".join(people.poll(3 * DAY)[ALICE])  # at its own deadline


def test_without_any_deadline_a_request_waits_until_the_turn_is_played(begin):
    people = begin(deadline=Pace())
    people.everybody("Pass")
    assert "The question can be answered until the turn is played." in " ".join(people.write(ALICE, "take back")[BOB])
    assert people.poll(60 * DAY) == {}
    people.write(BOB, "yes")
    assert people.game.turn == 1


@pytest.mark.parametrize("text", ["no vote", "no take back"])
def test_a_request_can_be_taken_back_and_the_other_is_told(people, text):
    people.write(ALICE, "take back")
    news = people.write(ALICE, text)
    assert "You no longer ask to take the turn back." in news[ALICE][0]
    assert "Alice (Red) no longer asks to take the turn back." in news[BOB][0]
    people.write(BOB, "yes")
    assert people.game.turn == 2
    assert "nothing to take back: no vote is open" in people.say(ALICE, text)


def test_what_one_letter_asks_for_and_takes_back_is_told_to_nobody(people):
    assert BOB not in people.write(ALICE, "take back\nno take back")


def test_asking_twice_tells_the_others_once(people):
    people.write(ALICE, "take back")
    news = people.write(ALICE, "take back")
    assert "You have asked for that already; there is no answer yet." in news[ALICE][0]
    assert BOB not in news


def test_whoever_asks_for_the_same_agrees(people):
    people.write(ALICE, "take back")
    people.write(BOB, "take back")
    assert people.game.turn == 1


@pytest.mark.parametrize(
    ("said", "turn"), [("Yes, I agree, let us do that", 1), ("Sure, go ahead", 1), ("I'd rather not, sorry", 2)]
)
def test_an_answer_may_be_in_own_words(people, said, turn):
    people.write(ALICE, "take back")
    people.write(BOB, said)
    assert people.game.turn == turn


def test_orders_beside_the_answer_are_asked_about_and_a_word_to_the_other_is_not_an_answer(people):
    people.write(ALICE, "take back")
    asked = people.got[BOB][-1]
    people.write(BOB, "yes\n2 V to Z")
    assert people.game.turn == 2
    people.write(BOB, "press: yes\nend press", to=asked)
    assert people.game.turn == 2
    assert "rollback" in people.game.motions


def test_the_terms_of_a_game_may_forbid_it_and_the_answer_says_so(begin):
    people = begin(take_back=False)
    people.everybody("Pass")
    answer = people.write(ALICE, "take back")
    assert list(answer) == [ALICE]
    assert "No turn can be taken back by agreement in oz-1: the terms of the game do not allow it." in answer[ALICE][0]


@pytest.mark.parametrize(("terms", "allowed"), [({}, False), ({"take_back": True}, True)])
def test_in_a_league_a_turn_is_taken_back_only_if_its_terms_allow_it(people, terms, allowed):
    in_league(people.table)
    set_terms(people.table, **terms)
    answer = people.say(ALICE, "take back")
    assert ("We have asked your opponent" in answer) == allowed


def test_the_computer_agrees_at_once_and_plays_its_turn_again(begin):
    people = begin()
    people.write_anew(ALICE, "challenge computer level 1")
    people.write(ALICE, "yes", to=people.got[ALICE][-1])
    people.write(ALICE, "Pass")
    match = people.match("oz-2")
    assert match.turn == 2
    assert "Turn 1 of oz-2 has been taken back by both players." in people.say(ALICE, "take back")
    assert people.match("oz-2").turn == 1
    people.write(ALICE, "Pass")
    assert people.match("oz-2").turn == 2


# What else happens meanwhile


def test_a_rollback_of_the_game_master_ends_a_request_and_its_letter_says_so(people):
    people.write(ALICE, "take back")
    asked = people.got[BOB][-1]
    decide(people.table, "rollback oz-1 1 because both asked me")
    news = people.poll()
    text = " ".join(people.got[BOB][-1].as_string().split())
    assert "both asked me" in text
    assert not people.game.motions
    people.write(BOB, "yes", to=asked)
    assert people.game.turn == 1
    assert len(people.noted("rollback")) == 1, news


def test_a_substitute_is_not_bound_by_what_was_asked_before(people):
    people.write(ALICE, "take back")
    decide(people.table, "replace oz-1 blue with Carol <carol@example.org> because Bob is ill")
    people.poll()
    assert not people.game.motions
    told = " ".join(people.got[ALICE][-1].as_string().split())
    assert "The request expires with this." in told
    people.write(CAROL, "yes")
    assert people.game.turn == 2
    people.write(ALICE, "take back")
    people.write(CAROL, "yes")
    assert people.game.turn == 1


def test_a_vacation_moves_the_deadline_but_not_the_end_of_a_vote_that_was_told(people):
    people.write(ALICE, "take back")
    until = people.game.motions["rollback"].until
    people.write(BOB, "vacation 23 November to 1 December")
    assert people.game.deadline.moment > until
    news = people.poll(3 * DAY)
    assert "Turn 1 is not taken back. The time to agree to it is over." in " ".join(news[ALICE])
    assert people.game.turn == 2


def test_under_review_nothing_of_the_turn_is_told_but_that_the_request_has_expired(begin):
    people = begin(review=DAY)
    people.everybody("Pass")
    people.poll(25 * HOUR)
    people.write(ALICE, "take back")
    asked = people.got[BOB][-1]
    people.write(ALICE, "Pass")
    news = people.write(BOB, "Pass", to=asked)
    assert people.game.phase == "review"
    assert "The request expired when the turn was played." in " ".join(news[ALICE])
    assert "Turn 2 has been played" not in " ".join(news[ALICE])


# A vote on the deadline, a pause, the end


def test_the_players_move_their_deadline(people):
    before = people.game.deadline.moment
    news = people.write(ALICE, "vote extend 2 days")
    assert "Alice (Red) would like a later deadline for turn 2: Thursday 26 November 2026" in news[BOB][0]
    news = people.write(BOB, "yes")
    assert "The deadline of turn 2 has been moved by both players: it is now Thursday 26" in " ".join(news[ALICE])
    assert people.game.deadline.moment == before + 2 * DAY
    assert people.noted("decision")[-1]["argument"].startswith("to 2026-11-26 ")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("vote extend to 22 November", "can only be moved to a later time"),
        ("vote extend 90 days", "pause the game instead"),
        ("vote extend 2 fortnights", "2 fortnights"),
    ],
)
def test_a_deadline_that_cannot_be_is_put_to_no_vote(people, text, answer):
    news = people.write(ALICE, text)
    assert list(news) == [ALICE]
    assert answer in news[ALICE][0]
    assert not people.game.motions


def test_two_deadlines_are_voted_on_one_after_the_other(people):
    people.write(ALICE, "vote extend 2 days")
    answer = people.say(BOB, "vote extend 3 days")
    assert "The players are already voting on another deadline: Thursday 26 November" in answer
    assert "Answer `yes` to agree to this one" in answer
    before = people.game.deadline.moment
    people.write(BOB, "yes")
    assert people.game.deadline.moment == before + 2 * DAY


def test_a_deadline_that_a_game_master_has_moved_further_stays(people):
    people.write(ALICE, "vote extend 1 day")
    asked = people.got[BOB][-1]
    fresh(people.table, "extend oz-1 4 days because of the holidays")
    decided = people.game.deadline.moment
    decide(people.table, "extend oz-1 4 days because of the holidays")
    people.poll()
    moved = people.game.deadline.moment
    assert moved > decided
    people.write(BOB, "yes", to=asked)
    assert people.game.deadline.moment == moved


@pytest.mark.parametrize("words", [("vote pause", "vote resume"), ("pause", "resume"), ("vote pause", "weiter")])
def test_a_pause_and_its_end_are_votes_with_or_without_the_word(people, words):
    pause, resume = words
    people.write(ALICE, pause)
    assert "has been paused by both players" in " ".join(people.write(BOB, "yes")[ALICE])
    assert "The question can be answered until the game goes on." in " ".join(people.write(BOB, resume)[ALICE])
    assert "has been resumed by both players" in " ".join(people.write(ALICE, "yes")[BOB])
    assert [one["decision"] for one in people.noted("decision")] == ["pause", "resume"]


def test_a_turn_can_be_taken_back_in_a_pause_which_goes_on(people):
    people.everybody("pause")
    people.everybody("take back")
    assert (people.game.phase, people.game.turn) == ("paused", 1)


def test_players_annul_their_game(people):
    assert "It would end at once and count for nothing." in people.write(ALICE, "vote annul")[BOB][0]
    news = people.write(BOB, "yes")
    assert "The game oz-1 has been annulled by both players, and does not count." in " ".join(news[ALICE])
    assert people.game.phase == "annulled"


@pytest.mark.parametrize("text", ["vote annul", "vote extend 2 days"])
def test_in_a_league_its_game_master_decides_that(people, text):
    in_league(people.table)
    assert "decides that, not the players" in people.say(ALICE, text)
    assert not people.game.motions


def test_several_votes_are_told_apart_by_the_letter_that_is_answered(people):
    people.write(ALICE, "vote annul")
    annul = people.got[BOB][-1]
    people.write(ALICE, "take back")
    back = people.got[BOB][-1]
    people.write(BOB, "no", to=annul)
    assert people.game.motions.keys() == {"rollback"}
    people.write(BOB, "yes", to=back)
    assert (people.game.phase, people.game.turn) == ("running", 1)


def test_one_letter_of_the_desk_lists_the_votes_that_wait_for_an_answer(people):
    people.write(ALICE, "take back")
    people.write(ALICE, "vote extend 2 days")
    answer = people.write(BOB, "yes", to=people.got[BOB][0])[BOB][-1]
    assert "taking back turn 1" in answer
    assert "a later deadline that someone wants" in answer


@pytest.mark.parametrize("letters", [["no vote", "vote extend 30 days"], ["no vote\nvote extend 30 days"]])
def test_a_yes_to_an_earlier_request_is_no_yes_to_one_that_took_its_place(people, letters):
    people.write(ALICE, "vote extend 2 days")
    asked, before = people.got[BOB][-1], people.game.deadline
    for text in letters:
        news = people.write(ALICE, text)
    assert "would like a later deadline for turn 2: Thursday 24 December" in news[BOB][0]
    answer = people.write(BOB, "yes", to=asked)[BOB][-1]
    assert "a later deadline that someone wants" in answer
    assert people.game.deadline == before
    people.write(BOB, "yes")
    assert people.game.deadline.moment == before.moment + 30 * DAY


def test_a_yes_to_a_request_that_expired_takes_no_later_turn_back(people):
    people.write(ALICE, "take back")
    asked = people.got[BOB][-1]
    people.everybody("Pass")
    people.write(ALICE, "take back")
    people.write(BOB, "yes", to=asked)
    assert people.game.turn == 3


def test_a_request_whose_letter_also_carries_another_vote_ends_with_that(people):
    people.write(ALICE, "pause")
    news = people.write(BOB, "take back\npause")
    assert "has been paused by both players" in " ".join(news[ALICE])
    assert not people.game.motions


def test_no_vote_leaves_the_request_of_another_player_alone_if_there_is_one_of_your_own(people):
    people.write(ALICE, "take back")
    people.write(BOB, "vote extend 2 days")
    people.write(BOB, "no vote")
    assert people.game.motions.keys() == {"rollback"}
    people.write(BOB, "no vote")
    assert not people.game.motions


@pytest.mark.parametrize(
    ("text", "command", "matter"),
    [
        ("extend 2 days because I am ill", "vote extend 2 days", "extend"),
        ("annul because nobody enjoys it", "vote annul", "annul"),
        ("pause because of Christmas", "pause", "pause"),
    ],
)
def test_a_player_who_decides_like_a_game_master_is_offered_a_vote(people, text, command, matter):
    assert f"Do you mean `{command}`?" in people.say(ALICE, text)
    people.write(ALICE, "yes")
    assert people.game.motions.keys() == {matter}


# Three players


def test_all_of_three_must_agree_to_take_a_turn_back_whatever_the_terms_say(begin):
    people = of_three(begin, votes="majority")
    news = people.write(ALICE, "take back")
    assert "All 3 players must agree; a single `no` ends the vote." in news[BOB][0]
    assert "Whatever depends on chance would be drawn again." in news[CARLA][0]
    news = people.write(BOB, "yes")
    assert list(news) == [BOB]
    assert "Your vote for it is counted. For it Alice (Munchkins) and Bob (Winkies)" in news[BOB][0]
    assert "No vote yet Carla (Gillikins)" in news[BOB][0]
    assert people.game.turn == 2
    news = people.write(CARLA, "yes")
    assert "Turn T1 of ozz-1 has been taken back by all players." in " ".join(news[ALICE])
    assert people.game.turn == 1


def test_one_of_three_who_refuses_ends_the_vote_and_all_hear_how_it_went(begin):
    people = of_three(begin)
    people.write(ALICE, "take back")
    news = people.write(BOB, "no")
    for who in (ALICE, CARLA):
        (text,) = news[who]
        assert "Turn T1 is not taken back. Bob (Winkies) is against it, and all would have to agree." in text
        assert "Against it Bob (Winkies)" in text
    assert "the vote is over: nothing changes" in news[BOB][0]
    people.write(CARLA, "yes")
    assert people.game.turn == 2


def test_a_majority_carries_what_the_terms_leave_to_it_and_all_hear_who_was_against_it(begin):
    people = of_three(begin, votes="majority")
    news = people.write(ALICE, "vote pause")
    assert "More than half of the 3 players must agree." in news[BOB][0]
    assert "Your vote against it is counted." in people.say(CARLA, "no")
    news = people.write(BOB, "yes")
    for who in (ALICE, CARLA):
        assert "has been paused by a majority of the players" in " ".join(news[who])
        assert "Against it Carla (Gillikins)" in " ".join(news[who])
    assert people.game.phase == "paused"


def test_a_majority_against_it_ends_a_vote(begin):
    people = of_three(begin, votes="majority")
    people.write(ALICE, "vote annul")
    people.write(BOB, "no")
    news = people.write(CARLA, "no")
    assert "The game is not annulled. Too many are against it." in " ".join(news[ALICE])
    assert people.game.phase == "running"


def test_with_votes_of_all_each_of_three_must_agree_to_a_pause(begin):
    people = of_three(begin)
    people.write(ALICE, "pause")
    people.write(BOB, "yes")
    assert people.game.phase == "running"
    people.write(CARLA, "yes")
    assert people.game.phase == "paused"


def test_a_vote_ends_if_the_player_who_asked_for_it_is_banned_and_the_game_goes_on(begin):
    people = of_three(begin)
    people.write(CARLA, "vote extend 2 days")
    people.write(ALICE, "yes")
    decide(people.table, f"ban {CARLA} because of spam")
    people.poll()
    assert not people.game.motions
    people.poll(4 * DAY)
    assert people.game.turn == 3


def test_who_leaves_ends_the_votes_and_the_letter_says_so(begin):
    people = of_three(begin, votes="majority")
    people.write(ALICE, "vote annul")
    people.write(CARLA, "resign", to=people.got[CARLA][-2])
    news = people.write(CARLA, "yes")
    assert "The game is not annulled. The vote on it ends with this." in " ".join(news[ALICE])
    assert not people.game.motions
    answer = people.say(ALICE, "take back")
    assert "because someone who played it has left the game since" in answer


# A game with dice and hidden hands


def test_a_turn_of_chance_that_is_taken_back_gets_a_new_secret(begin):
    people = begin("rocknroll")
    people.everybody("Pass")
    people.everybody("Pass")
    before = people.game
    last = before.past.last
    assert last is not None
    people.write(ALICE, "take back")
    news = people.write(BOB, "yes")
    after = people.game
    assert after.turn == last.turn
    assert after.secret not in (before.secret, last.secret)
    assert "has been taken back by both players" in " ".join(news[ALICE])
    done = pbem("--config", people.table.config.path, "verify")
    assert done.exit_code == 0, done.output


# Languages


GERMAN = [
    ("Runde zurücknehmen", "take back"),
    ("Bitte die letzte Runde zurücknehmen", "take back"),
    ("nehmt die Runde zurück", "take back"),
    ("keine Rücknahme", "no take back"),
    ("keine Abstimmung", "no vote"),
    ("Abstimmung Frist 2 Tage", "vote extend 2 tage"),
    ("Abstimmung verlängern um 2 Tage", "vote extend 2 tage"),
    ("Abstimmung über eine Pause", "pause"),
    ("Abstimmung weiter", "resume"),
    ("Abstimmung Annullierung", "vote annul"),
    ("Abstimmung Computer für Blau Stufe 3", "vote computer for blau stufe 3"),
    ("Abstimmung über den Computer für Bob", "vote computer for bob"),
    ("Abstimmung Blau durch den Computer ersetzen", "vote computer for blau"),
]
RUSSIAN = [
    ("вернуть ход", "take back"),
    ("взять последний ход назад", "take back"),
    ("нет возврата", "no take back"),
    ("не голосование", "no vote"),
    ("голосование срок 2 дня", "vote extend 2 дня"),
    ("голосование продлить на 2 дня", "vote extend 2 дня"),
    ("голосование о паузе", "pause"),
    ("голосование продолжить", "resume"),
    ("голосование отмена партии", "vote annul"),
    ("голосование компьютер за синих уровень 3", "vote computer for синих уровень 3"),
    ("голосование компьютер вместо Bob", "vote computer for bob"),
    ("голосование заменить синих компьютером", "vote computer for синих"),
]


@each("text, meant", [*GERMAN, *RUSSIAN, ("take the last turn back", "take back"), ("vote take back", "take back")])
def test_each_language_has_its_words(text, meant):
    (command,) = read_words(text).commands
    assert isinstance(command, Simple | Asking)
    words = command.word if isinstance(command, Simple) else f"{command.word} {command.argument.casefold()}"
    assert words == meant


@pytest.mark.parametrize(
    ("language", "word", "asked", "yes", "done"),
    [
        (
            "deutsch",
            "Runde zurücknehmen",
            "Alice (Rot) möchte Runde 1 zurücknehmen.",
            "ja",
            "Runde 1 von oz-1 ist auf Wunsch beider Spieler zurückgenommen.",
        ),
        (
            "русский",
            "вернуть ход",
            "Alice (Красные) просит вернуть ход 1.",
            "да",
            "Ход 1 партии oz-1 отменён по желанию обоих игроков.",
        ),
    ],
)
def test_it_is_asked_and_told_in_the_language_of_the_reader(people, language, word, asked, yes, done):
    people.write(BOB, f"language {language}")
    assert asked in people.write(ALICE, word)[BOB][0]
    assert done in " ".join(people.write(BOB, yes)[BOB])


# Around it


def test_decisions_of_players_are_listed_with_those_of_game_masters(desk_table):
    people = Players(desk_table)
    people.everybody("Pass")
    people.everybody("take back")
    people.everybody("vote annul")
    (taken, annulled) = json.loads(pbem("--config", people.table.config.path, "decisions", "--json").output)
    assert (taken["word"], taken["argument"], taken["by"]) == ("rollback", "1", "players")
    assert (annulled["word"], annulled["by"]) == ("annul", "players")
    assert pbem("--config", people.table.config.path, "verify").exit_code == 0
    record = pbem("--config", people.table.config.path, "record", "oz-1").output
    assert "{All players agreed to it.}" in record
    assert "{The players have annulled the game.}" in record


def test_friendly_games_have_what_the_configuration_says(desk_table):
    path = desk_table.config.path
    path.write_text(
        path.read_text().replace("take_back = yes", "take_back = no").replace("votes = all", "votes = majority")
    )

    config = load_config(path)
    desk = Desk(config, desk_table.store, desk_table.now, "", read_key(config.desk.key_file))
    assert (desk.terms.take_back, desk.terms.votes) == (False, "majority")


# The clock


def test_a_vote_takes_nobodys_reminder_away(begin):
    people = begin(remind=(DAY,), vote_time=2 * DAY)
    people.everybody("Pass")
    people.poll(47 * HOUR)
    people.table.now = people.game.deadline.moment - DAY - timedelta(minutes=3)  # the reminder is due in this run
    news = people.write(ALICE, "pause")
    assert any("You have no orders in for turn 2 yet" in text for text in news[BOB])


def test_in_a_pause_a_vote_ends_by_the_clock_and_the_game_stays_paused(begin):
    people = begin(vote_time=DAY)
    people.everybody("pause")
    people.write(ALICE, "resume")
    news = people.poll(25 * HOUR)
    assert "The game stays paused. The time to agree to it is over." in " ".join(news[BOB])
    assert people.game.due is None
    assert people.poll(DAY) == {}


def test_a_change_of_clocks_moves_no_vote(begin):
    people = begin(deadline=parse_pace("daily 20:00, at least 2 days", "Europe/Berlin"), vote_time=DAY)
    people.everybody("Pass")
    people.write(ALICE, "take back")
    due = people.game.due
    renew_due(people.table.store, people.table.now)
    assert people.game.due == due == people.game.motions["rollback"].until


def test_half_a_command_is_told_how_it_goes_on(people):
    assert "write `vote extend 2 days`." in people.write(ALICE, "vote extend")[ALICE][0]
    told = people.write(ALICE, "vote")[ALICE][0]
    assert (
        "write `vote extend 2 days` or `vote pause` or `vote resume` or `vote annul` or `vote computer for SEAT`."
        in told
    )
    assert people.game.motions == {}
