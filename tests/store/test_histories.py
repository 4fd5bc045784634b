"""The history of a game, as it is read from the store."""

from datetime import timedelta

from pbem.cli.demo import ALICE, BOB
from pbem.record.history import Ended, Placed, Played, Remark, RolledBack
from pbem.record.notation import read_record, write_record
from pbem.store.histories import load_history
from support.game_masters import say, set_terms
from support.tables import history, play


def kinds(table) -> list[type]:
    return [type(step) for step in history(table).steps]


def test_a_game_that_has_just_begun_has_no_steps(table):
    found = history(table)
    assert found.steps == ()
    assert found.start == found.state == found.game.new({"board": "lattice"})
    assert found.players == {"red": ALICE.name, "blue": BOB.name}


def test_a_game_that_was_played_has_its_turns_in_order_with_what_each_seat_ordered(table):
    play(table, "3 A to M", "1 H to S")
    play(table, "Pass", "Pass")
    first, second = history(table).turns()
    assert (first.turn, first.orders) == (1, {"red": "3 A to M", "blue": "1 H to S"})
    assert (second.turn, second.before) == (2, first.after)
    assert history(table).state == second.after


def test_a_rollback_and_what_is_played_after_it_are_steps_of_their_own(table):
    play(table, "3 A to M")
    play(table)
    say(table, "rollback oz-1 1 because a letter was lost")
    assert kinds(table) == [Played, Played, RolledBack]
    play(table, "1 A to M")
    found = history(table)
    assert [type(step) for step in found.steps] == [Played, Played, RolledBack, Played]
    assert [step.undone for step in found.steps if isinstance(step, Played)] == [True, True, False]
    assert found.steps[2].turn == 1
    assert found.steps[2].reason == "Gina: a letter was lost"
    assert found.steps[3].before == found.start


def test_a_corrected_position_is_a_step_before_the_turn_that_starts_from_it(table):
    play(table)
    say(table, "position oz-1 red A3 M2 bombs 1 blue H4 bombs 2 because the board was wrong")
    found = history(table)
    assert kinds(table) == [Played, Placed]
    assert found.steps[1].state == found.state
    play(table)
    assert kinds(table) == [Played, Placed, Played]


def test_a_corrected_position_before_the_first_turn_leaves_the_start_as_it_was(table):
    say(table, "position oz-1 red A3 M2 bombs 1 blue H4 bombs 2 because the board was wrong")
    play(table)
    found = history(table)
    assert [type(step) for step in found.steps] == [Placed, Played]
    assert found.start == found.game.new({"board": "lattice"})


def test_press_is_told_only_to_who_asks_for_it(table):
    table.poll()
    table.write("red", "press: Good luck.")
    table.poll()
    play(table)
    assert kinds(table) == [Remark, Played]
    assert history(table).steps[0][:2] == ("red", "Good luck.")
    assert [type(step) for step in history(table, press=False).steps] == [Played]


def test_a_game_that_ends_by_a_word_says_so_in_its_last_step(table):
    play(table)
    say(table, "award oz-1 blue because red has left")
    found = history(table)
    assert kinds(table) == [Played, Remark, Ended]
    assert found.steps[1].text == "Gina: award blue. Reason: red has left."
    assert found.steps[2].result == found.result
    assert found.result.winner == "blue"


def test_a_turn_that_the_game_master_looks_at_first_is_not_told(table):
    set_terms(table, review=timedelta(days=1))
    play(table, "3 A to M")
    found = history(table)
    assert found.steps == ()
    assert found.state == found.start


def test_what_was_removed_at_a_wish_leaves_the_turns_as_they_were(table):
    play(table)
    say(table, "rollback oz-1 1 because a letter was lost")
    table.store.conn.execute("DELETE FROM record_contents")
    found = history(table)
    assert kinds(table) == [Played, RolledBack]
    assert (found.steps[1].moment, found.steps[1].reason) == (history(table).steps[1].moment, "")


def test_what_was_taken_back_before_anybody_saw_it_is_never_told(table):
    play(table)
    set_terms(table, review=timedelta(days=1))
    play(table, "3 A to M")
    say(table, "rollback oz-1 2 because a letter was lost")
    assert kinds(table) == [Played]
    play(table, "2 A to M")
    say(table, "release oz-1")
    assert [step.orders["red"] for step in history(table).steps] == ["Pass", "2 A to M"]


def test_whoever_takes_a_seat_is_named_from_the_turn_on_at_which_they_came(table):
    play(table)
    say(table, "replace oz-1 blue with Carl <carl@example.net> because Bob is ill")
    found = history(table)
    assert [step.text for step in found.steps if isinstance(step, Remark)] == [
        "Gina: replace blue with Carl. Reason: Bob is ill.",
        "Carl plays Blue from here on, in place of Bob.",
    ]
    assert kinds(table) == [Played, Remark, Remark]
    assert found.players["blue"] == "Carl"


def test_what_the_operator_and_masters_decide_for_one_alone_stands_in_no_history(table):
    play(table)
    say(table, "orders oz-1 red: 3 A to M because her mail is broken", "tell oz-1 red:", "Hello.", "end tell")
    assert kinds(table) == [Played]


def test_a_game_that_did_not_begin_has_a_record_that_says_why(table):
    say(table, "invite Ann <ann@example.net> and Ben <ben@example.net>")
    say(table, "annul oz-2 because Ben is away")
    text = write_record(load_history(table.store, 2))
    assert '[Result "annulled"]' in text
    assert "{Gina: annul. Reason: Ben is away.}" in text
    assert read_record(text).problems == ()


def test_what_was_decided_after_a_rollback_stands_behind_it(table):
    play(table)
    say(
        table,
        "award oz-1 red because of a slip",
        "rollback oz-1 1 because of another",
        "award oz-1 draw because of him",
    )
    assert kinds(table) == [Played, Remark, RolledBack, Remark, Ended]
