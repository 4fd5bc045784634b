"""What would come of orders is told from what a letter says alone, and is never taken for orders, nor orders for it."""

import json
from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games import find_game
from pbem.games.chance import SecretChance
from pbem.match.receive import receive
from pbem.match.supposing import A_DAY
from pbem.orders.command import Suppose
from pbem.orders.reader import Reading, read
from pbem.orders.situation import Standpoint
from support.cases import NOON, letter, told
from support.correspondents import ALICE, BOB, Correspondents, everything
from support.each import each


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def supposed(reading: Reading) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The turns that a letter supposes; such a letter gives no orders."""
    (command,) = reading.commands
    assert isinstance(command, Suppose)
    assert reading.orders is None
    assert not any((reading.mistakes, reading.doubts, reading.standing))
    return command.turns


def in_ozymandia(text: str) -> Reading:
    game = find_game("ozymandia")
    return read(Standpoint(game, game.new({}), "red"), text)


def in_rocknroll(text: str) -> Reading:
    game = find_game("rocknroll")
    return read(Standpoint(game, game.new({}, SecretChance(bytes(32))), "vpa"), text)


@pytest.mark.parametrize(
    "line",
    [
        "if 3 A to M and Blue 2 S to M",
        "If 3 A to M, Blue: 2 S to M!",
        "please, if Blue 2 S to M and I 3 A to M?",
        "wenn 3 A nach M und Blau 2 S nach M",
        "falls 3 A nach M und Blau 2 S nach M",
        "если 3 A в M и Синие 2 S в M",
    ],
)
def test_seats_are_named_by_what_they_are_called_in_any_language(line):
    ((said),) = supposed(in_ozymandia(line))
    assert {seat: text.split()[0] for seat, text in said} == {"red": "3", "blue": "2"}


@pytest.mark.parametrize(
    "text",
    [
        "if Blue attacks, 3 A to M",
        "3 A to M\nif Blue attacks, 2 A to W instead",
        "if possible 3 A to M",
        "if all else fails, 3 A to M",
        "if he moves to M, 3 S to M",
        "I will do it if 3 A to M",
    ],
)
def test_a_condition_in_words_is_no_such_line_and_its_orders_are_in_doubt(text):
    reading = in_ozymandia(text)
    assert not reading.commands
    assert reading.orders is None
    assert reading.doubts or reading.mistakes


@pytest.mark.parametrize(
    "text", ["If hit: Pass", "If Bao not in A: March: Zulu to B", "Unless Bao in A: Pass", "Wenn Treffer: Pass"]
)
def test_orders_with_a_condition_of_their_own_stay_orders(text):
    reading = in_rocknroll(text)
    assert not reading.commands
    assert reading.orders is not None


@pytest.mark.parametrize("text", ["If Bao hti: Pass", "If 2 enemies in B: Pass", "if pass: Deploy Doc A"])
def test_such_orders_with_a_mistake_are_told_their_mistake(text):
    reading = in_rocknroll(text)
    assert not reading.commands
    assert reading.mistakes


def test_where_orders_may_begin_with_the_same_word_plain_orders_behind_it_are_supposed():
    assert supposed(in_rocknroll("if Deploy Johnny A; Pass")) == ((("vpa", "Deploy Johnny A; Pass"),),)


def test_orders_beside_it_are_asked_about_and_not_stored(people):
    answer = people.say(ALICE, "3 M to S\nif Blue 2 H to S")
    assert "We ask before we do anything" in answer
    assert "Blue 2 H to S The result if nobody does anything else" in answer
    assert not people.match().standing


@each(
    ("text", "orders"),
    [
        ("What if I move two from A to M?", "2 A to M"),
        ("What if I send everything from A to Mu?", "3 A to M"),
        ("Was wäre, wenn ich zwei Steine von A nach M ziehe?", "2 A to M"),
        ("Что если я пойду двумя фишками из A в M?", "2 A to M"),
    ],
)
def test_orders_in_own_words_are_tried_if_they_have_one_meaning(text: str, orders: str) -> None:
    tried, end = told(receive(letter(text), NOON))
    assert (tried.template, tried.values["orders"], end.values["own"]) == ("tried", (("red", orders),), orders)


def test_the_first_receipt_of_a_game_names_it_once(people):
    assert 'write "if" before them' in people.say(ALICE, "3 A to M")
    assert '"if"' not in people.say(ALICE, "2 A to M")


def test_orders_that_are_not_clear_are_not_answered_with_a_rule() -> None:
    asked = "What if I move some of Mu to Mystery City?"
    assert [section.template for section in told(receive(letter(asked), NOON))] == ["not_tried", "supposed"]


@pytest.mark.parametrize(("who", "written"), [(BOB, "3 H to S"), (ALICE, "3 A to M")])
def test_nobodys_orders_that_are_in_play_a_part_in_it(people, who, written):
    people.write(who, written)
    answer = people.say(ALICE, "if 3 M to S")
    assert "Red 3 M to S The result if nobody does anything else" in answer
    assert "S Red 3 * |" in answer
    assert "3 H to S" not in answer
    assert "A Red 3 |" in answer
    assert [entry.canonical for entry in people.match().standing.values()] == [written]


def test_lines_are_turns_one_after_the_other(people):
    answer = people.say(ALICE, "if 3 A to M\nif 3 M to S and Bob 3 H to S\nif 3 M to W")
    assert answer.index("Red 3 A to M") < answer.index("Red 3 M to S")
    assert "3 red against 3 blue. Equal forces" in answer
    assert "Red 3 M to W" in answer
    assert "W Red 6 * |" in answer
    assert "To give these orders, reply with them: 3 A to M" in answer


def test_what_cannot_be_is_explained_as_always_and_ends_it(people):
    answer = people.say(ALICE, "if 3 A to M\nif 9 W to M\nif 1 V to Z")
    assert "There are 3 pieces in Wyvernia (W), not 9. Did you mean this? 3 W to M" in answer
    assert "The lines after it were not tried." in answer
    assert "Red 3 A to M" in answer


def test_an_end_of_the_game_is_told_and_no_turn_is_tried_behind_it(people):
    match = people.match()
    state = match.game.placed(match.state, "1 red A1 MC3 SC3 HC3 ZC1 bombs 0 blue E1 bombs 0")
    dumped = json.dumps(match.game.dump(state))
    people.table.store.conn.execute("UPDATE matches SET state = ?", (dumped,))
    answer = people.say(ALICE, "if 1 A to AC\nif 1 A to M\nif 1 A to M")
    assert "That would end the game: Red holds 5 cities" in answer
    assert "The lines after it were not tried." in answer


def test_nothing_of_it_is_stored(people, table):
    people.say(ALICE, "if 1 A to AC, 1 A to Z")
    assert "1 A to AC, 1 A to Z" not in everything(table).replace("if 1 A to AC", "")
    assert not people.match().standing


def test_a_thousand_lines_meet_a_limit(people):
    answer = people.say(ALICE, "\n".join(f"if 1 {a} to {b}" for a, b in [("A", "M"), ("M", "A")] * 500))
    assert answer.count("Red 1 A to M") == 5
    assert "Only the first 10 lines were tried." in answer


def test_a_day_has_a_limit_which_questions_share(people):
    for number in range(A_DAY):
        question = f"What happens if I {1 + number % 3} A to M?" if number % 2 else f"if {1 + number % 3} A to M"
        assert "The result if" in people.say(ALICE, question)
        people.poll(timedelta(minutes=40))
    answer = people.say(ALICE, "if 2 W to M")
    assert "You have tried out turns 20 times today" in answer
    assert "The result if" not in answer
    assert "The result if" in people.say(BOB, "if 2 V to H")
    people.poll(timedelta(days=1))
    assert "The result if" in people.say(ALICE, "if 2 W to M")


@pytest.mark.parametrize("text", ["if 3 A to M", "What happens if I 3 A to M?"])
def test_a_league_can_switch_it_off(people, text):
    people.table.store.conn.execute("""UPDATE matches SET terms = '{"deadline": "3 days", "what_if": false}'""")
    answer = people.say(ALICE, text)
    assert "This league does not allow trying out turns" in answer
    assert "Atlantea to Mu" not in answer


def test_where_dice_decide_it_says_so_and_others_cannot_be_tried(people):
    people.write(ALICE, "challenge computer to rocknroll")
    answer = people.say(ALICE, "if Pass\nif Pass")
    assert "What comes then depends on dice or cards" in answer
    assert "hidden from you" in people.say(ALICE, "if Pass and Vietnam pass")
    assert not people.match("rnr-2").standing
