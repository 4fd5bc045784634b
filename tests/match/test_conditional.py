"""Orders and wishes with a condition in letters: what is told at once, when their turn begins, and to whom."""

from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.match import conditional
from pbem.orders.command import ANY_TURN
from pbem.record.notation import read_record, write_record
from pbem.store.histories import load_history
from pbem.store.verify import Audit
from support.correspondents import ALICE, BOB, Correspondents
from support.desks import NOON
from support.each import each
from support.game_masters import decide, set_terms


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def play(people: Correspondents, reds: str = "Pass", blues: str = "Pass") -> dict[str, list[str]]:
    """Both send their orders; what they are sent then."""
    people.write(ALICE, reds)
    return people.write(BOB, blues)


def test_orders_with_a_condition_are_kept_and_the_case_is_decided_when_their_turn_begins(people):
    kept = people.say(ALICE, "2 A to AC\nif I hold AC: 1 AC to A, else 1 A to M")
    assert "Your orders for turn 2 are kept until it begins: if I hold AC: 1 AC to A, else 1 A to M" in kept
    assert (
        "Then we check whether your condition is met, and whether the orders that then apply can be carried out."
        in kept
    )
    assert "Kept for turn 2: if I hold AC: 1 AC to A, else 1 A to M" in kept
    report = people.write(BOB, "Pass")[ALICE][0]
    assert 'Your condition "I hold AC" is met. The orders you kept for turn 2 count now' in report
    assert people.match().standing["red"].canonical == "1 AC to A"


def test_the_other_case_counts_if_the_condition_is_not_met(people):
    report = play(people, "Pass\nturn 2: if I hold AC: 1 AC to A, else 1 A to M")[ALICE][0]
    assert 'Your condition "I hold AC" is not met. The orders you kept for turn 2 count now' in report
    assert people.match().standing["red"].canonical == "1 A to M"


def test_the_case_that_did_not_apply_is_in_no_record(people):
    play(people, "Pass\nturn 2: if I hold AC: 1 AC to A, else 1 A to M")
    people.write(BOB, "Pass")
    (*_, turn) = people.match().turns
    assert (turn.orders["red"].written, turn.orders["red"].canonical) == ("1 A to M", "1 A to M")


@pytest.mark.usefixtures("desk_table")
def test_the_record_of_a_game_with_conditions_replays_and_holds_nothing_of_them(people):
    play(people, "2 A to AC\nif I hold AC: 1 AC to A, else 1 A to M\nif I lose W I resign")
    people.write(BOB, "Pass")
    store = people.table.store
    record = write_record(load_history(store, 1))
    assert "1 AC to A" in record
    assert "if " not in record
    replayed = read_record(record).history
    assert replayed
    assert replayed.state == people.match().state
    assert [*Audit(store.conn).differences()] == []


def test_a_turn_that_a_game_master_takes_back_cancels_conditions(people):
    play(people, "Pass\nturn 2: if I hold AC: 1 AC to A, else 1 A to M")
    assert people.match().standing["red"].canonical == "1 A to M"
    decide(people.table, "rollback oz-1 1 because the mail of one side was lost")
    assert not people.match().standing
    assert not people.match().later


def test_without_orders_for_the_case_none_are_taken_and_the_report_says_so(people):
    report = play(people, "Pass\nturn 2: if I hold AC: 1 AC to A")[ALICE][0]
    assert 'Your condition "I hold AC" is not met.' in report
    assert "You gave no orders for this case, so none are in for turn 2; please send some." in report
    assert not people.match().standing
    assert not people.match().later


def test_orders_that_are_illegal_then_are_asked_about_with_what_was_decided(people):
    report = play(people, "Pass\nturn 2: if I hold M: 9 M to S, else Pass")[ALICE][0]
    assert 'Your condition "I hold M" is met.' in report
    assert "The orders you kept for turn 2 do not count" in report
    assert "There are 3 pieces in Mu (M), not 9." in report
    assert not people.match().standing


def test_receipts_warn_only_of_orders_that_would_apply_now(people):
    warning = "As things stand, they cannot be carried out"
    assert warning in people.say(ALICE, "turn 3: if I hold AC: 9 AC to A, else 1 A to M")  # told once, where it is kept
    assert warning not in people.say(ALICE, "Pass")
    people.write(ALICE, "turn 3: if I hold A: 9 A to M")
    assert warning in people.say(ALICE, "Pass")


def test_for_this_turn_the_answer_says_which_orders_apply(people):
    told = people.say(ALICE, "this turn: if Blue holds S: 3 M to W, else 3 M to S")
    assert 'Your condition "Blue holds S" is not met. These of your orders apply: 3 M to S' in told
    assert "Your orders for turn 1 are in: receipt 1-1. 3 M to S" in told
    told = people.say(ALICE, "this turn: if Blue holds S: 3 M to W")
    assert "You gave no orders for this case, so none of these orders apply." in told
    assert people.match().standing["red"].canonical == "3 M to S"


FORM = "if you write them like this: if Blue holds S: 3 M to W, else 3 M to S"


@each("text", ["if he attacks S, 3 M to W", "3 M to W if Blue holds S", "if Blue holds S: 3 M to W, else hide"])
def test_an_answer_to_something_like_a_condition_says_what_can_be_one(text, table):
    told = Correspondents(table).say(ALICE, text)
    assert "No orders in it were accepted" in told
    assert FORM in told


@each("text", ["3 A to Q", "if 3 A to M", "Do you know if I win?", "if Blue holds S: 3 M to W"])
def test_other_answers_say_nothing_of_conditions(text, table):
    assert FORM not in Correspondents(table).say(ALICE, text)


def test_two_sets_of_orders_for_a_turn_are_told_apart_from_a_move_that_is_written_twice(people):
    told = people.say(ALICE, "turn 3: if I hold M: bomb S\nturn 3: 2 A to AC")
    assert '"2 A to AC": other orders for the same turn stand above this, and only one of the two can count' in told
    assert "the same move" not in told


@pytest.mark.parametrize("game", ["ozz", "rocknroll"])
@pytest.mark.parametrize("text", ["if Blue holds S: 3 M to W, else 3 M to S", "if I lose M I resign"])
def test_other_games_say_that_nothing_can_depend_on_a_condition(game, text, begin):
    assert "a condition counts only within orders, where the rules have one" in begin(game).say(ALICE, text)


def test_without_orders_in_a_case_a_pass_counts_as_orders(people):
    report = play(people, "Pass\nif I hold AC: 1 AC to A, else pass")[ALICE][0]
    assert "Your orders for turn 2 are in (receipt 2-1): Pass" in report
    assert people.match().standing["red"].canonical == "Pass"


def test_a_wish_is_kept_and_asked_about_once_it_is_so(people):
    kept = people.say(ALICE, "if I hold AC I resign")
    assert 'We have noted: "if I hold AC I resign".' in kept
    assert "nothing happens without your `yes`" in kept
    assert 'Your condition still stands, and we check it whenever a turn begins: "if I hold AC I resign"' in people.say(
        ALICE, "2 A to AC"
    )
    report, question = people.write(BOB, "Pass")[ALICE]
    assert "Turn 1 has been played" in report
    assert 'Your condition "I hold AC" is met. Do you really want to resign oz-1?' in question
    assert people.match().result is None
    people.write(ALICE, "yes")
    assert people.match().result.winner == "blue"


def test_without_a_yes_nothing_happens_and_it_is_not_asked_again(people):
    people.write(ALICE, "if I hold AC I resign")
    play(people, "2 A to AC")
    (report,) = play(people)[ALICE]
    assert "Do you really want to resign" not in report
    assert people.match().result is None
    assert not people.match().later


def test_a_draw_is_offered_only_after_a_yes(people):
    people.write(ALICE, "wenn ich AC halte, biete ich Remis an")
    told = play(people, "2 A to AC")
    assert "Do you want to offer a draw in oz-1?" in told[ALICE][1]
    assert not any("draw" in letter for letter in told[BOB])
    assert "Alice (Red) offers a draw." in people.write(ALICE, "yes")[BOB][0]


def test_of_two_wishes_one_is_asked_about_at_a_time(people):
    people.write(ALICE, "if I hold AC I resign\nif I hold AC I offer a draw")
    _, question = play(people, "2 A to AC")[ALICE]
    assert "really want to resign" in question
    _, question = play(people)[ALICE]
    assert "offer a draw in oz-1?" in question
    assert "We have offered your opponent a draw on your behalf." in people.say(ALICE, "yes")


def test_a_wish_whose_condition_is_met_already_is_asked_about_at_once(people):
    assert "Do you really want to resign oz-1?" in people.say(ALICE, "if I hold Mu I resign")
    assert not people.match().later
    people.write(ALICE, "yes")
    assert people.match().result.winner == "blue"


def test_wishes_are_kept_until_they_are_taken_back(people):
    people.write(ALICE, "if I lose Mu I resign\nturn 4: 1 A to M")
    assert [one.turn for one in people.match().later["red"]] == [ANY_TURN, 4]
    assert 'withdrawn: "if I lose Mu I resign"' in people.say(ALICE, "withdraw conditions")
    assert [one.turn for one in people.match().later["red"]] == [4]
    assert "no wishes with a condition are kept" in people.say(ALICE, "zurückziehen Bedingungen")
    people.write(ALICE, "if I lose Mu I resign")
    people.write(ALICE, "withdraw later")
    assert "red" not in people.match().later


def test_the_same_wish_is_kept_once_and_others_up_to_a_limit(people, monkeypatch):
    monkeypatch.setattr(conditional, "MOST", 2)
    people.write(ALICE, "if I lose Mu I resign\nif I lose Mu I resign")
    assert len(people.match().later["red"]) == 1
    people.write(ALICE, "if I lose A I resign")
    assert "Not kept: you have 2 wishes with a condition already." in people.say(ALICE, "if I lose W I resign")


def test_a_wish_that_is_only_checked_is_not_kept(people):
    told = people.say(ALICE, "check: 2 A to AC\nif I lose Mu I resign")
    assert 'You wrote `check:`, so your wish is not kept. Your condition "I lose Mu" is not met.' in told
    assert "red" not in people.match().later


@each(
    ("language", "orders", "told"),
    [
        (
            "german",
            "diese Runde: wenn Blau S hält: 3 M nach W, sonst 3 M nach S",
            "Deine Bedingung „Blau S hält“ ist nicht",
        ),
        (
            "russian",
            "этот ход: если Синие держат S: 3 M на W, иначе 3 M на S",
            "Ваше условие «Синие держат S» не выполнено.",
        ),
    ],
)
def test_it_is_told_in_the_language_of_the_reader(table, language, orders, told):
    people = Correspondents(table)
    people.write(ALICE, f"language {language}")
    assert told in people.say(ALICE, orders)
    assert people.match().standing["red"].canonical == "3 M to S"


def test_while_a_game_master_reviews_a_turn_nothing_of_it_is_told_by_a_condition(people):
    set_terms(people.table, review=timedelta(days=1))
    play(people, "2 A to AC")
    assert people.match().phase == "review"
    for text in ("this turn: if I hold AC: pass, else 1 A to M", "if I hold AC I resign"):
        told = people.say(ALICE, text)
        assert "is met" not in told
        assert "is not met" not in told
        assert not people.match().later


def texts(people: Correspondents, who: str, most: int) -> list[str]:
    """The texts of a person's first letters, without seals, which are different in every world."""
    return [letter_text(letter) for letter in people.got[who][:most]]


def test_nothing_of_the_opponents_sealed_orders_is_consulted(tmp_path):
    """Two worlds that differ only in what Blue has ordered: until the turn is played, Red is told the same in both."""
    told = []
    for number, orders in enumerate(("3 H to S; Bomb M", "Pass")):
        table = DemoDesk(tmp_path / f"desk {number}", NOON)
        table.poll()
        people = Correspondents(table)
        people.write(BOB, orders)
        people.write(ALICE, "more letters")  # so that the receipt comes without the report
        people.say(ALICE, "if Blue holds S I resign\nturn 2: if Blue holds S: 1 A to M")
        people.say(ALICE, "this turn: if Blue holds S: 3 M to W")
        until = len(people.got[ALICE]) + 1
        people.write(ALICE, "this turn: if Blue holds S or nobody holds S: pass\nthis turn: if Blue holds H: 2 A to AC")
        people.write(ALICE, "this turn: if Blue has any bombs left: 2 A to AC, else pass")
        told.append(texts(people, ALICE, until + 1))
        table.close()
    assert told[0] == told[1]
    assert "These of your orders apply" in told[0][-1]


def test_nothing_of_conditions_and_wishes_is_seen_by_the_opponent(tmp_path):
    """Two worlds that differ only in the conditions of Red's letters: Blue is told the same in both."""
    told = []
    for number, kept in enumerate(("if Blue holds H: 1 A to M, else pass\nif I lose M I resign", "turn 2: 1 A to M")):
        table = DemoDesk(tmp_path / f"desk {number}", NOON)
        table.poll()
        people = Correspondents(table)
        people.write(ALICE, f"Pass\n{kept}")
        people.write(BOB, "Pass")
        people.write(BOB, "Pass")
        told.append(texts(people, BOB, len(people.got[BOB])))
        table.close()
    assert told[0] == told[1]


def test_a_turn_that_is_taken_back_cancels_conditions_and_tells_only_who_gave_them(tmp_path):
    told = []
    for number, kept in enumerate(("", "turn 3: if Blue holds H: 1 A to M, else pass\nif I lose W I resign")):
        table = DemoDesk(tmp_path / f"desk {number}", NOON)
        table.poll()
        people = Correspondents(table)
        play(people, f"Pass\n{kept}")
        people.write(ALICE, "take back")
        back = people.write(BOB, "yes")
        assert ("The orders and wishes you kept for later turns are cancelled, too." in back[ALICE][0]) == bool(kept)
        told.append(texts(people, BOB, len(people.got[BOB])))
        assert not people.match().later
        table.close()
    assert told[0] == told[1]
