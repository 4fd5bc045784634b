"""Puzzles by mail: three letters lead from no knowledge to orders of all kinds; no answer is ever orders of a game."""

import json
import re
from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games import GAMES, find_game
from pbem.games.puzzles import FILE, Puzzle, load_puzzle, texts_in
from pbem.i18n.languages import say_in
from pbem.match.puzzles import A_DAY, LESSONS, of_turn
from pbem.orders.reader import parse_played, read
from pbem.orders.situation import Situation, Standpoint
from pbem.store.matches import load_match
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, finish

EVERY = [(name, number) for name in GAMES for number in range(1, len(texts_in(find_game(name))) + 1)]


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def puzzle(name: str, number: int) -> Puzzle:
    game = find_game(name)
    found = load_puzzle(game, number, lambda state, seat, text: parse_played(Standpoint(game, state, seat), text))
    assert found
    return found


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_the_orders_that_solve_a_puzzle_are_legal_and_solve_it(name, number):
    one = puzzle(name, number)
    assert one.seat in one.game.awaiting(one.state)
    orders = parse_played(Standpoint(one.game, one.state, one.seat), one.best)
    assert one.short_by(orders, orders) == 0
    assert not any("skipped" in line for line in one.game.cautions(one.view, one.seat, orders))


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_other_legal_orders_do_not_solve_it(name, number):
    one = puzzle(name, number)
    best, other = (parse_played(Standpoint(one.game, one.state, one.seat), text) for text in (one.best, "Pass"))
    assert one.short_by(other, best) != 0


@pytest.mark.parametrize("code", ["en", "de", "ru"])
@pytest.mark.parametrize(("name", "number"), EVERY)
def test_orders_that_a_task_shows_can_be_written_so_in_its_language(code, name, number):
    one = puzzle(name, number)
    for text in re.findall("`([^`]+)`", say_in(code)(one.task)):
        assert Situation(one.game, one.state).is_in_notation(text), text


def test_each_game_has_a_tutorial_of_three():
    for game in GAMES.values():
        assert game.grammar.with_name(FILE).exists()
        assert len(texts_in(game)) >= LESSONS


def test_three_letters_lead_from_no_knowledge_to_orders_of_all_kinds(people):
    assert "Ozymandia 1: lesson 1 of 3" in people.say(ALICE, "puzzle")
    answer = people.say(ALICE, "1 A to AC\nThanks, Alice")
    assert "That is right." in answer
    assert "Ozymandia 2: lesson 2 of 3" in answer
    assert "Ozymandia 3: lesson 3 of 3" in people.say(ALICE, "1 from A to AC and 1 A to Z")
    answer = people.say(ALICE, "New M; 1 AC to A; Bomb H")
    assert "`challenge computer to ozymandia level 1` begins a game at once" in answer


def test_mistakes_are_explained_and_other_orders_do_not_do_it(people):
    people.say(ALICE, "puzzle ozymandia 1")
    answer = people.say(ALICE, "9 A to AC")
    assert "That cannot be ordered here." in answer
    assert "There are 3 pieces in Atlantea (A), not 9." in answer
    answer = people.say(ALICE, "1 W to WC")
    assert "legal, but do not solve the puzzle" in answer
    assert "One solution: 1 A to AC" in answer
    assert "Ozymandia 1: lesson 1 of 3" in answer
    assert "No orders were found" in people.say(ALICE, "What a nice day it is today!")


def test_no_answer_to_a_puzzle_is_orders_of_the_game_whose_letter_asked_for_it(people):
    people.say(ALICE, "puzzle")
    people.say(ALICE, "1 A to AC")
    people.say(ALICE, "1 A to AC, 1 A to Z")
    assert not people.match().standing
    assert not people.match().proposals
    report = people.got[ALICE][0]
    people.write(ALICE, "1 W to WC", to=report)
    assert people.match().standing["red"].canonical == "1 W to WC"


@pytest.mark.parametrize("name", ["rocknroll", "ozz"])
def test_puzzles_of_other_games_are_answered_in_their_notation(people, name):
    people.say(ALICE, f"puzzle {name}")
    for number in range(1, LESSONS + 1):
        assert "That is right." in people.say(ALICE, puzzle(name, number).best.replace("; ", "\n"))


def test_commands_in_answer_to_a_puzzle_are_commands(people):
    people.say(ALICE, "puzzle")
    assert "Rock'n'Roll 1: lesson 1 of 3" in people.say(ALICE, "puzzle rocknroll")
    assert "Your games" in people.say(ALICE, "status")


def test_a_puzzle_that_there_is_not_is_answered_with_those_that_there_are(people):
    answer = people.say(ALICE, "puzzle chess 3")
    assert 'There is no puzzle "chess 3"' in answer
    assert "`puzzle rocknroll` (1 to 3)" in answer


def test_strangers_get_no_puzzle(people):
    people.write_anew(CAROL, "puzzle")
    assert not any("lesson" in letter.as_string() for letter in people.got.get(CAROL, ()))


def test_a_letter_and_a_day_have_limits(people):
    answers = people.write(ALICE, "puzzle\n" * 30 + "puzzle ozz")[ALICE]
    assert sum("lesson 1 of 3" in one for one in answers) == 1
    arrived = f"{people.table.now:%Y-%m-%dT%H:%M:%SZ}"
    rows = [(f"{number}", arrived, ALICE) for number in range(A_DAY - 2)]
    insert = "INSERT INTO letters (sha256, arrived, size, state, sender, outcome)"
    people.table.store.conn.executemany(f"{insert} VALUES (?, ?, 1, 'handled', ?, 'answered: puzzle')", rows)
    assert "lesson 1 of 3" in people.say(ALICE, "puzzle")
    assert "one puzzle a letter and 60 a day" in people.say(ALICE, "puzzle rocknroll")
    people.poll(timedelta(days=1))
    assert "lesson 1 of 3" in people.say(ALICE, "puzzle rocknroll")


def lose(people: Correspondents) -> None:
    """Red passes where it should have guarded Shangri-La City, and gives oz-1 up."""
    match = people.match()
    state = match.game.placed(match.state, "red AC2 ZC2 MC2 SC2 W2 bombs 0 blue HC4 EC4 VC4 S6 bombs 0")
    people.table.store.conn.execute("UPDATE matches SET state = ?", (json.dumps(match.game.dump(state)),))
    people.write(BOB, "6 S to SC")
    people.write(ALICE, "Pass")
    finish(people)


def test_a_turn_of_a_game_that_is_over_in_which_the_best_was_missed_is_a_puzzle_for_anybody(people):
    come(people, CAROL)
    lose(people)
    answer = people.say(CAROL, "puzzle oz-1")
    assert "oz-1, turn 1: a puzzle You play Red." in answer
    answer = people.say(CAROL, "1 W to M")
    assert "others are better, by about" in answer
    assert "One solution" not in answer
    match = load_match(people.table.store, 1)
    found = of_turn(match, 1)
    assert found
    answer = people.say(CAROL, found.best)
    assert "That is right." in answer
    assert "In oz-1 these orders were given: Pass" in answer


def test_no_game_that_goes_on_is_a_puzzle(people):
    answer = people.say(ALICE, "puzzle oz-1")
    assert "oz-1 is not over" in answer
    assert "Atlantea---" not in answer


def test_a_game_without_such_a_turn_says_so(people):
    finish(people)
    assert "In oz-1 no turn has one clearly best answer" in people.say(ALICE, "puzzle oz-1")


def test_words_that_may_be_orders_are_proposed(people):
    people.say(ALICE, "puzzle")
    assert "If you mean this, write it like this: 1 A to AC" in people.say(ALICE, "one torkels from A to AC")


def test_the_answer_reads_whatever_somebody_writes_without_failing(people):
    people.say(BOB, "puzzle ozz 2")
    for text in ("?", "no", "99999999999 A to M", "Move XXX: M2-M4", "-" * 300, "`" * 20):
        people.write(BOB, text)
    assert read(Standpoint(find_game("ozz"), puzzle("ozz", 2).state, "munchkins"), "Pass").orders is not None
