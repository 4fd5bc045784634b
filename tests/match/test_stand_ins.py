"""The computer in the place of somebody who is absent: how it comes to play, what it may do, and how it goes again."""

import json

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.terms import TermsError, read_terms
from pbem.store.ratings import rate, rating_of
from support.commands import pbem
from support.correspondents import ALICE, BOB
from support.game_masters import in_league, set_terms
from support.players import CARLA, DAY, Players

REPLACE = "replace oz-1 blue with computer level 2 because Bob is in hospital"


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
    assert "waits for" not in report.replace("turn 2 waits for your orders", ""), "nobody waits for who is absent"
    assert "turn 2, the computer (level 2) plays for you" in " ".join(people.write(BOB, "status")[BOB])


def test_nothing_of_its_orders_is_told_to_the_others_before_the_turn_is_played(people):
    news = people.decide(REPLACE)
    (orders,) = (entry.canonical for entry in people.game.standing.values())
    letters = [*news[ALICE], *people.write(ALICE, "status")[ALICE]]
    assert not any(orders in letter for letter in letters)


def test_no_turn_is_said_to_wait_for_orders_of_somebody_for_whom_the_computer_plays(people):
    people.decide(REPLACE)
    news = people.write(ALICE, "3 A to M")
    assert "Turn 1 is played; turn 2 waits for your orders." in news[ALICE][-1]
    assert "Turn 1 is played." in news[BOB][-1]
    assert "waits for your orders" not in news[BOB][-1]


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
    assert "The computer plays that side already." in " ".join(again["operator@example.org"])
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
    assert "What you hold" in " ".join(news[BOB])
    assert not [name for name in hand if name in told]
    for _ in range(6):
        if people.game.seats[0] in people.game.missing():
            people.write(ALICE, "pass")
        people.poll()
    assert people.game.turn > 1
    assert seat not in people.game.missing()
