"""The computer in the place of somebody who is absent: how it comes to play, what it may do, and how it goes again."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.terms import TermsError, read_terms
from pbem.store.ratings import rate, rating_of
from pbem.times.deadlines import Pace
from support.commands import pbem
from support.correspondents import ALICE, BOB
from support.game_masters import in_league, set_terms
from support.players import CARLA, DAY, Players, beginning

REPLACE = "replace oz-1 blue with computer level 2 because Bob is in hospital"


def without_seals(letter: str) -> str:
    """A letter without the numbers of its desk, which differ from one desk to another."""
    return re.sub(r"[0-9a-f]{64}", "SHA-256", letter)


def attended(people: Players, seat: str) -> list[int]:
    """The turns that count for the reliability of who holds a seat."""
    return people.table.store.column("SELECT turn FROM attendance WHERE seat = ? ORDER BY turn", (seat,))


def rated(people: Players) -> set[str]:
    """The names of all whom the end of the game has given a rating."""
    store = people.table.store
    with store.transaction():
        rate(store, 1)
    return {holder.name for holder in people.game.holders.values() if rating_of(store, holder.player.id).rating}


@pytest.fixture
def people(table: DemoDesk) -> Players:
    """Alice is Red and Bob is Blue in oz-1, which has just begun."""
    return Players(table)


# A game master puts the computer in


def test_the_computer_plays_for_somebody_by_a_game_masters_decision_and_everybody_is_told(people):
    news = people.decide(REPLACE)
    assert "The computer (level 2) plays Blue for Bob in oz-1 from now on." in news[ALICE][0]
    assert "The game master's reason: | Bob is in hospital" in news[ALICE][0]
    assert "rated" not in news[ALICE][0], "only games of leagues are"
    assert "The computer (level 2) plays Blue for you in oz-1 from now on." in news[BOB][0]
    assert "Answer `back`, or send orders, to play yourself again." in news[BOB][0]
    assert (people.game.holders["blue"].name, people.game.holders["blue"].stand_in) == ("Bob", 2)


@pytest.mark.parametrize(
    "words",
    [
        "replace oz-1 Bob with computer level 2 because he is ill",
        "replace oz-1 blue computer, level 2 because he is ill",
        "replace oz-1 blue with the computer because he is ill",
    ],
)
def test_it_is_named_like_the_computer_of_a_challenge_and_level_2_is_the_usual_one(people, words):
    people.decide(words)
    assert people.game.holders["blue"].stand_in == 2


def test_a_turn_is_played_as_soon_as_the_others_have_written_and_the_report_says_who_played(people):
    people.decide(REPLACE)
    news = people.write(ALICE, "3 A to M")
    assert people.game.turn == 2
    assert "The computer (level 2) plays Blue for Bob." in news[ALICE][0]
    assert "The computer (level 2) plays Blue for you." in news[BOB][-1]
    (report,) = news[ALICE]
    assert "waits for" not in report.replace("turn 2 is waiting for your orders", ""), "nobody waits for who is absent"
    assert "turn 2, the computer (level 2) plays for you" in " ".join(people.write(BOB, "status")[BOB])


def test_nothing_of_its_orders_is_told_to_the_others_before_the_turn_is_played(people):
    news = people.decide(REPLACE)
    (orders,) = (entry.canonical for entry in people.game.standing.values())
    letters = [*news[ALICE], *people.write(ALICE, "status")[ALICE]]
    assert not any(orders in letter for letter in letters)


def test_no_turn_is_said_to_wait_for_orders_of_somebody_for_whom_the_computer_plays(people):
    people.decide(REPLACE)
    news = people.write(ALICE, "3 A to M")
    assert "Turn 1 has been played; turn 2 is waiting for your orders." in news[ALICE][-1]
    assert "Turn 1 has been played." in news[BOB][-1]
    assert "is waiting for your orders" not in news[BOB][-1]


def test_orders_that_are_in_are_played_before_the_computer_gives_its_own(people):
    people.write(BOB, "3 V to Z")
    people.decide(REPLACE)
    people.write(ALICE, "3 A to M")
    (turn,) = people.game.turns
    assert turn.orders["blue"].canonical == "3 V to Z"
    assert people.game.holders["blue"].unrated == 2


def test_from_the_command_line_the_same(people, begin):
    players = begin()
    done = pbem(
        *("--config", players.table.config.path, "game", "replace", "oz-1", "blue", "with", "computer", "level", "3"),
        *("--reason", "Bob is in hospital"),
    )
    assert done.exit_code == 0, done.output
    assert players.game.holders["blue"].stand_in == 3
    shown = pbem("--config", players.table.config.path, "game", "show", "oz-1", "--json")
    assert json.loads(shown.output)["computer"] == {"blue": 3}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("replace oz-1 blue with computer level 9 because he is ill", "level"),
        ("replace oz-1 green with computer because he is ill", 'There is no side "green" in oz-1'),
        ("replace oz-1 blue with computer", "Give a reason"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(people, line, why):
    news = people.decide(line)
    assert why in " ".join(news["operator@example.org"])
    assert not people.game.stand_ins()


def test_the_same_level_twice_is_refused_and_another_one_replaces_it(people):
    people.decide(REPLACE)
    again = people.decide(REPLACE)
    assert "The computer already plays that side." in " ".join(again["operator@example.org"])
    people.decide("replace oz-1 blue with computer level 1 because it is too good")
    assert people.game.holders["blue"].stand_in == 1


def test_another_person_takes_the_seat_over_from_the_computer(people):
    people.decide(REPLACE)
    people.decide("replace oz-1 blue with Carl <carl@example.org> because Bob stays away")
    assert (people.game.holders["blue"].name, people.game.stand_ins()) == ("Carl", ())
    assert "blue" not in people.game.standing


# Taken back


def test_who_comes_back_plays_on_and_everybody_is_told(people):
    people.decide(REPLACE)
    news = people.write(BOB, "back")
    assert "You play Blue in oz-1 yourself again, and the others are told." in news[BOB][0]
    assert "The orders of the computer for turn 1 stand until you send your own." in news[BOB][0]
    (told,) = news[ALICE]
    assert "Bob is back and plays Blue in oz-1 again, in place of the computer." in told
    assert not people.game.stand_ins()


@pytest.mark.parametrize("words", ["I'm back.", "Ich bin wieder da!", "Rückkehr", "вернулся", "Я вернулась."])
def test_in_other_languages_too(people, words):
    people.decide(REPLACE)
    people.write(BOB, words)
    assert not people.game.stand_ins()


def test_orders_take_the_seat_back_and_replace_those_of_the_computer(people):
    people.decide(REPLACE)
    news = people.write(BOB, "3 V to Z")
    assert "You play Blue in oz-1 yourself again" in news[BOB][0]
    assert "Your orders for turn 1 are in" in news[BOB][0]
    assert people.game.standing["blue"].canonical == "3 V to Z"
    assert (people.game.stand_ins(), people.game.holders["blue"].unrated) == ((), 0)


def test_a_question_to_the_desk_takes_nothing_back(people):
    people.decide(REPLACE)
    people.write(BOB, "status")
    people.write(BOB, "check: 3 V to Z")
    assert people.game.stand_ins() == ("blue",)


def test_by_its_terms_a_game_can_leave_that_to_the_game_master(people):
    set_terms(people.table, come_back=False)
    told = people.decide(REPLACE)[BOB][0]
    assert "Only the game master can give you the seat back" in told
    (orders,) = (entry.canonical for entry in people.game.standing.values())
    for words in ("back", "3 V to Z"):
        (answer,) = people.write(BOB, words)[BOB]
        assert "by the terms of this game only the game master can give you the seat back" in answer
    assert people.game.standing["blue"].canonical == orders
    news = people.decide("replace oz-1 blue with Bob <bob@example.com> because he is back")
    assert "You play Blue in oz-1 yourself again." in news[BOB][0]
    assert "Bob is back and plays Blue" in news[ALICE][0]
    assert not people.game.stand_ins()


def test_who_is_not_away_is_told_so(people):
    assert "the computer does not play for you" in people.say(BOB, "back")


# By the terms, after missed turns


def test_after_missed_turns_the_computer_plays_instead_of_a_forfeit(people):
    set_terms(people.table, forfeit=2, computer=1)
    for orders in ("3 A to M", "1 M to MC"):
        people.write(ALICE, orders)
        news = people.poll(4 * DAY)
        if people.game.turn == 2:
            warned = "You have missed 1 of 2 turns: after that many in a row the computer plays for you."
            assert warned in news[BOB][-1]
    assert "You have missed 2 turns in a row." in news[BOB][-1]
    assert (
        "The computer (level 1) plays Blue for Bob in oz-1 from now on. Bob has missed 2 turns in a row."
        in news[ALICE][-1]
    )
    assert people.game.phase == "running"
    assert attended(people, "blue") == [1, 2]
    people.write(ALICE, "1 M to W")
    assert people.game.turn == 4
    assert attended(people, "blue") == [1, 2], "what the computer plays says nothing of Bob"


def test_terms_name_the_level_and_after_how_many_turns():
    assert read_terms({"forfeit": 2, "computer": 3, "come_back": False}).computer == 3
    with pytest.raises(TermsError, match='"computer": say with "forfeit" after how many missed turns'):
        read_terms({"computer": 3})
    with pytest.raises(TermsError, match="write a number from 0 to 5"):
        read_terms({"forfeit": 2, "computer": 6})


def test_a_game_that_nobody_plays_is_paused_until_somebody_comes_back(people):
    set_terms(people.table, forfeit=1, computer=1)
    news = people.poll(4 * DAY)
    for _ in range(3):
        for who, letters in people.poll(4 * DAY).items():
            news.setdefault(who, []).extend(letters)
    assert people.game.phase == "paused"
    for who in (ALICE, BOB, "operator@example.org"):
        assert "The game oz-1 has been paused by this desk." in " ".join(news[who])
    assert people.game.turn == 2
    assert "`resume` asks to go on" in " ".join(people.write(ALICE, "back")[ALICE])
    people.write(ALICE, "resume")
    assert people.game.phase == "running"
    people.write(ALICE, "3 A to M")
    assert people.game.turn == 3


# What the computer does not do for somebody


def test_a_draw_needs_the_absent_person(people):
    people.decide(REPLACE)
    people.write(ALICE, "draw")
    assert people.game.phase == "running"
    people.write(BOB, "yes")
    assert people.game.phase == "finished"


def test_it_does_not_resign_for_somebody(people):
    people.decide(REPLACE)
    people.decide("position oz-1 1 red A9 M9 W9 AC9 MC9 WC9 bombs 3 blue H1 bombs 0 because of a test")
    assert people.game.phase == "running"
    assert "blue" in people.game.standing


def test_an_absent_person_does_not_hold_up_votes(people):
    people.decide(REPLACE)
    people.write(ALICE, "pause")
    assert people.game.phase == "paused"


# Ratings, the record, the page


def ended(people: Players) -> dict[str, list[str]]:
    return people.decide("award oz-1 red because Blue has lost")


def test_a_game_in_which_the_computer_played_is_rated_for_neither_of_two(people):
    in_league(people.table)
    news = people.decide(REPLACE)
    assert "Once the computer has given orders, it is not rated." in news[ALICE][0]
    people.write(ALICE, "3 A to M")
    people.write(BOB, "back")
    news = ended(people)
    assert "The computer played for Bob for a time, so this game is not rated." in news[ALICE][0]
    assert rated(people) == set()


def test_a_game_is_rated_if_the_computer_was_put_in_but_has_not_played(people):
    people.decide(REPLACE)
    people.write(BOB, "3 V to Z")
    people.write(ALICE, "3 A to M")
    ended(people)
    assert rated(people) == {"Alice", "Bob"}


def test_a_turn_that_is_taken_back_makes_no_difference_to_the_rating(people):
    people.decide(REPLACE)
    people.write(ALICE, "3 A to M")
    people.decide("replace oz-1 blue with Bob <bob@example.com> because he is back")
    people.decide("rollback oz-1 1 because he was here all the time")
    people.write(ALICE, "3 A to M")
    people.write(BOB, "3 V to Z")
    ended(people)
    assert rated(people) == {"Alice", "Bob"}


def test_the_game_counts_in_the_table_of_its_league(people):
    in_league(people.table)
    people.decide(REPLACE)
    people.write(ALICE, "3 A to M")
    ended(people)
    row = people.table.store.conn.execute("SELECT phase, winner, forfeit FROM matches").fetchone()
    assert row == ("finished", "red", 0)


def test_the_record_has_who_played_and_is_verified(begin):
    people = begin()
    people.decide(REPLACE)
    people.write(ALICE, "3 A to M")
    people.write(BOB, "back\n1 H to S")
    assert [(one["seat"], one["level"]) for one in people.noted("stand in")] == [("blue", 2), ("blue", 0)]
    config = people.table.config.path
    assert pbem("--config", config, "verify").exit_code == 0
    text = pbem("--config", config, "export", "oz-1").output
    assert "The computer (level 2) plays Blue for Bob from here on." in " ".join(text.split())
    assert "Bob plays Blue again from here on." in " ".join(text.split())
    steps = json.loads(pbem("--config", config, "export", "oz-1", "--format", "json").output)["steps"]
    assert [step["text"] for step in steps if step["step"] == "remark"] == [
        "Gina: replace blue with computer level 2. Reason: Bob is in hospital.",
        "The computer (level 2) plays Blue for Bob from here on.",
        "Bob plays Blue again from here on.",
    ]


# The other games


def test_in_a_game_of_three_the_others_are_rated_among_themselves(begin):
    people = begin("ozz", {"nations": ("munchkins", "winkies", "gillikins")})
    news = people.decide(f"replace ozz-1 {people.game.seats[1]} with computer because Bob is away")
    assert "The computer (level 2) plays Winkies for Bob" in news[ALICE][0]
    for who in (ALICE, CARLA):
        news = people.write(who, "Pass")
    assert people.game.turn == 2
    assert "for Bob." in news[ALICE][-1]
    first, _, third = people.game.seats
    people.decide(f"award ozz-1 {first} because the others have lost")
    assert rated(people) == {people.game.holders[first].name, people.game.holders[third].name}


def test_in_rocknroll_it_plays_from_its_own_cards_and_nobody_is_told_them(begin):
    people = begin("rocknroll")
    news = people.decide(f"replace {people.game.name} {people.game.seats[1]} with computer level 1 because Bob is away")
    seat = people.game.seats[1]
    hand = [name for name, _ in people.game.game.holdings(people.game.view(seat), seat) if "★" in name]
    told = " ".join(news[ALICE])
    assert "Your position" in " ".join(news[BOB])
    assert not [name for name in hand if name in told]
    for _ in range(6):
        if people.game.seats[0] in people.game.missing():
            people.write(ALICE, "pass")
        people.poll()
    assert people.game.turn > 1
    assert seat not in people.game.missing()


# The other players put the computer in


def of_three(begin: Callable[..., Players], **terms: Any) -> Players:
    """A campaign of Alice's Munchkins, Bob's Winkies and Carla's Gillikins. Carla has missed the first turn."""
    people = begin("ozz", {"nations": ("munchkins", "winkies", "gillikins")}, **terms)
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.poll(4 * DAY)
    assert people.game.missed["gillikins"] == 1
    return people


VOTE = "vote computer for gillikins"


def test_all_the_others_vote_for_the_computer_in_the_place_of_an_absent_player(begin):
    people = of_three(begin)
    news = people.write(ALICE, f"{VOTE} level 3")
    assert "whether the computer should play for Carla (Gillikins), who is told about it." in news[ALICE][0]
    assert "Your request takes effect as soon as Bob agrees, unless Carla writes before that." in news[ALICE][0]
    assert "Alice (Munchkins) would like the computer (level 3) to play for Carla (Gillikins)" in news[BOB][0]
    assert "Alice (Munchkins) has asked the others to let the computer play for you in ozz-1" in news[CARLA][0]
    assert "answer `back` or `no`: that ends the vote at once." in news[CARLA][0]
    assert not people.game.stand_ins()
    news = people.write(BOB, "yes")
    for who in (ALICE, BOB):
        told = " ".join(news[who])
        assert "The computer (level 3) plays Gillikins for Carla in ozz-1 from now on." in told
        assert "Carla has missed a turn. Decided by all the other players." in told
    assert (
        "The computer (level 3) plays Gillikins for you in ozz-1 from now on. You have missed a turn." in news[CARLA][0]
    )
    assert people.game.holders["gillikins"].stand_in == 3
    assert not people.game.motions
    news = people.write(CARLA, "back")
    assert "Carla is back and plays Gillikins in ozz-1 again" in news[ALICE][0]
    assert not people.game.stand_ins()


def test_a_majority_is_one_of_the_others_and_all_hear_who_was_for_it(begin):
    people = begin("ozz", {"nations": ("munchkins", "winkies", "quadlings", "gillikins")}, votes="majority")
    for who in (ALICE, BOB, CARLA):
        people.write(who, "Pass")
    people.poll(4 * DAY)
    assert "More than half of the 3 players must agree." in people.write(ALICE, "vote computer for Dan")[BOB][0]
    news = people.write(CARLA, "yes")
    assert "Decided by a majority of the other players." in news[BOB][0]
    assert "Did not vote Bob (Winkies)" in news[BOB][0]
    assert people.game.stand_ins() == ("gillikins",)


@pytest.mark.parametrize("text", ["no", "back", "Pass", "Move HUN: G2-G99", "no vote"])
def test_any_sign_of_the_absent_player_ends_the_vote_and_everybody_is_told(begin, text):
    people = of_three(begin)
    question = people.write(ALICE, VOTE) and people.got[BOB][-1]
    news = people.write(CARLA, text)
    assert "The vote on letting the computer play for you is over" in " ".join(news[CARLA])
    for who in (ALICE, BOB):
        assert "The computer does not take over Gillikins. Carla has written." in " ".join(news[who])
    people.write(BOB, "yes", to=question)
    assert not people.game.stand_ins()
    assert not people.game.motions


def test_a_question_to_the_desk_ends_no_vote_and_a_yes_of_the_absent_player_is_no_vote(begin):
    people = of_three(begin)
    people.write(ALICE, VOTE)
    question = people.got[CARLA][-1]
    people.write(CARLA, "status")
    assert "The others vote on this, and you cannot vote for it." in people.write(CARLA, "yes", to=question)[CARLA][0]
    assert people.game.motions["replace"].votes == {"munchkins": True}


def test_a_refusal_ends_it_and_so_does_the_turn(begin):
    people = of_three(begin)
    people.write(ALICE, VOTE)
    news = people.write(BOB, "no")
    assert "The computer does not take over Gillikins. Bob (Winkies) refuses." in news[ALICE][0]
    assert "The computer does not take over Gillikins. Bob (Winkies) refuses." in news[CARLA][0]
    people.write(ALICE, VOTE)
    assert "The computer does not take over Gillikins. The request expired" in " ".join(people.poll(4 * DAY)[BOB])


def test_one_vote_at_a_time_is_on_the_computer_and_the_first_level_named_stands(begin):
    people = of_three(begin)
    people.write(ALICE, VOTE)
    told = people.write(BOB, f"{VOTE} level 4")[BOB][0]
    assert "The players are already voting on the computer (level 2) for Carla (Gillikins)." in told
    people.write(BOB, VOTE)
    assert people.game.holders["gillikins"].stand_in == 2, "who asks for the same agrees"


def test_the_request_can_be_taken_back(begin):
    people = of_three(begin)
    people.write(ALICE, VOTE)
    news = people.write(ALICE, "no vote")
    assert "You no longer ask for the computer in the place of an absent player." in news[ALICE][0]
    for who in (BOB, CARLA):
        assert "no longer asks for the computer in the place of an absent player." in news[who][0]


def test_in_a_game_of_two_the_only_other_player_decides_but_only_after_a_missed_turn(people):
    refused = people.say(ALICE, "vote computer for blue")
    assert "Bob (Blue) is not absent" in refused
    assert "when someone has missed the last turn, is not on vacation, and has no orders in for this one." in refused
    people.write(ALICE, "3 A to M")
    assert "is not absent" in people.say(ALICE, "vote computer for Bob"), "the turn still waits for its deadline"
    people.poll(4 * DAY)
    news = people.write(ALICE, "vote computer for Bob")
    assert "The computer plays for Bob (Blue) from now on." in " ".join(news[ALICE])
    assert "You have missed a turn." in news[BOB][0]
    assert "Decided by Alice (Red)." in news[BOB][0]
    assert people.game.stand_ins() == ("blue",)


def test_whoever_has_orders_in_or_a_vacation_is_not_absent(begin):
    people = of_three(begin)
    people.write(CARLA, "Pass")
    assert "Carla (Gillikins) is not absent" in people.say(ALICE, VOTE)
    people.write(CARLA, "withdraw")
    people.write(CARLA, "vacation today to 20 December")
    assert "Carla (Gillikins) is not absent" in people.say(ALICE, VOTE)


def test_without_a_deadline_it_takes_two_weeks_without_a_letter(begin):
    people = begin(deadline=Pace())
    people.write(ALICE, "3 A to M")
    told = people.say(ALICE, "vote computer for blue")
    assert "when the turn has waited for someone for 14 days, with no letter from them." in told
    people.poll(10 * DAY)
    people.write(BOB, "status")
    people.poll(5 * DAY)
    assert "is not absent" in people.say(ALICE, "vote computer for blue")
    people.poll(10 * DAY)
    people.write(ALICE, "vote computer for blue")
    assert people.noted("decision")[0]["by"] == "players"
    assert people.noted("stand in")[0]["seat"] == "blue"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("vote computer for munchkins", "You play that side yourself"),
        ("vote computer for quadlings", 'There is no side "quadlings" in ozz-1'),
        ("vote computer for gillikins level 9", "level"),
        ("vote computer", "write `vote computer for blue`."),
    ],
)
def test_what_cannot_be_put_to_the_vote_is_said_and_nobody_else_is_told(begin, text, why):
    people = of_three(begin)
    news = people.write(ALICE, text)
    assert why in news[ALICE][0]
    assert list(news) == [ALICE]
    assert not people.game.motions


def test_a_player_who_writes_like_a_game_master_is_offered_the_vote(begin):
    people = of_three(begin)
    assert "`vote" in people.say(ALICE, "replace gillikins with computer because Carla is gone")
    people.write(ALICE, "yes")
    assert people.game.motions["replace"].argument == "gillikins with computer level 2"


def test_in_a_league_its_game_master_decides_that(people):
    people.write(ALICE, "3 A to M")
    people.poll(4 * DAY)
    in_league(people.table)
    assert "The game master of north decides that" in people.say(ALICE, "vote computer for blue")
    assert not people.game.stand_ins()


def test_a_level_in_the_terms_is_the_usual_one(begin):
    people = of_three(begin, forfeit=3, computer=1)
    people.write(ALICE, VOTE)
    people.write(BOB, "yes")
    assert people.game.holders["gillikins"].stand_in == 1


def test_in_an_anonymous_game_nobody_is_named(begin):
    people = of_three(begin, anonymous="game")
    unknown = people.say(ALICE, "vote computer for Carla").replace("Carla", "Zoe")
    assert people.say(ALICE, "vote computer for Zoe") == unknown
    news = people.write(ALICE, VOTE)
    told = news[ALICE] + news[BOB] + news[CARLA]
    later = people.write(BOB, "yes")
    told += later[ALICE] + later[BOB] + later[CARLA]
    assert "The computer (level 2) plays Gillikins for its player in ozz-1 from now on." in " ".join(later[ALICE])
    assert not re.search("Alice|Bob|Carla", " ".join(told))


def test_whoever_ends_the_vote_tells_nothing_of_what_they_have_written(begin, tmp_path):
    """Two worlds that differ only in what Carla writes: orders, or a refusal. The others are told the same."""
    heard = []
    for folder, text in (("one", "Pass"), ("two", "no")):
        with beginning(tmp_path / folder) as begin_there:
            people = of_three(begin_there, sealed=False)
            people.write(ALICE, VOTE)
            news = people.write(CARLA, text)
            heard.append([without_seals(letter) for who in (ALICE, BOB) for letter in news[who]])
    assert heard[0] == heard[1]


def test_the_vote_is_in_the_record_in_the_lists_and_in_the_games_history(begin):
    people = of_three(begin)
    people.write(ALICE, VOTE)
    people.write(BOB, "yes")
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.write(CARLA, "back")
    config = people.table.config.path
    (decided,) = json.loads(pbem("--config", config, "decisions", "--json").output)
    assert (decided["word"], decided["argument"], decided["by"]) == (
        "replace",
        "gillikins with computer level 2",
        "players",
    )
    assert people.noted("decision")[0]["votes"] == {"munchkins": True, "winkies": True}
    assert pbem("--config", config, "verify").exit_code == 0
    steps = json.loads(pbem("--config", config, "export", "ozz-1", "--format", "json").output)["steps"]
    assert [step["text"] for step in steps if step["step"] == "remark"] == [
        "The other players have decided that the computer plays for somebody who is absent.",
        "The computer (level 2) plays Gillikins for Carla from here on.",
        "Carla plays Gillikins again from here on.",
    ]


@pytest.mark.parametrize(
    ("language", "word", "asked", "yes", "done"),
    [
        (
            "deutsch",
            "Abstimmung Computer für Gillikins",
            "Alice (Munchkins) möchte, dass der Computer (Stufe 2) für Carla (Gillikins) spielt",
            "ja",
            "Das haben alle anderen Spieler entschieden.",
        ),
        (
            "русский",
            "голосование компьютер за гилликинов",
            "за отсутствующего игрока играл компьютер (уровень 2): Carla (Гилликины)",
            "да",
            "Так решили все остальные игроки.",
        ),
    ],
)
def test_it_is_voted_on_in_other_languages(begin, language, word, asked, yes, done):
    people = of_three(begin)
    people.write(BOB, f"language {language}")
    assert asked in people.write(ALICE, word)[BOB][0]
    assert done in " ".join(people.write(BOB, yes)[BOB])
