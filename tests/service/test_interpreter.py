"""A desk with an interpreter: what it is asked, what becomes of its answers, and what happens when it fails."""

import json
import shlex
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.interpreter.program import Answer
from pbem.service.handling import Handler
from pbem.service.tick import poll
from pbem.store.matches import load_match
from pbem.typed import keys_of
from support.correspondents import ALICE, BOB, Correspondents
from support.docs import ROOT
from support.interpreters import Scripted, plug_in

TROOPS = "Let the three lads from area A stroll over to Muster, would you"
READING = {"orders": "3 A to M", "because": ["the three lads from area A stroll over to Muster"]}


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    return Scripted(tmp_path)


@pytest.fixture
def people(desk_table: DemoDesk) -> Correspondents:
    return Correspondents(desk_table)


def standing(people: Correspondents, seat: str = "red") -> str:
    entry = load_match(people.table.store, 1).standing.get(seat)
    return entry.canonical if entry else ""


def troubles(people: Correspondents) -> list[str]:
    """Run the desk; return what the operator is told."""
    people.table.now += timedelta(minutes=5)
    return poll(people.table.config, people.table.now, lambda text: None, people.table.store).lines


# What its answers may do


def test_everyday_orders_stand_provisionally_as_the_interpreter_reads_them(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    answer = people.say(ALICE, TROOPS)
    assert "This is how we understand your orders" in answer
    assert "If you do not answer, they are played at the deadline" in answer
    assert standing(people) == "3 A to M"
    people.write(BOB, "Pass")
    report = people.poll(timedelta(days=4))[ALICE][0]
    assert "3 A to M" in report


@pytest.mark.parametrize(
    "text", [f"Only if Bob agrees: {TROOPS}", f"{TROOPS}, or would you rather not?", f"{TROOPS}. Or rather don't."]
)
def test_hard_words_and_questions_keep_them_from_standing(people, scripted, text):
    plug_in(people.table, scripted.will({"stroll": READING}))
    answer = people.say(ALICE, text)
    assert standing(people) == ""
    assert "3 A to M" in answer
    people.write(ALICE, "yes")
    assert standing(people) == "3 A to M"


def test_a_part_of_the_letter_on_which_nothing_rests_is_called_left_out(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    answer = people.say(ALICE, f"{TROOPS}. And the wyvern folk had better saunter to Ulteria.")
    assert standing(people) == ""
    assert "Left out: And the wyvern folk had better saunter to Ulteria." in answer


def test_orders_can_be_tried_out_before_the_answer(people, scripted):
    plug_in(people.table, scripted.will({"stroll": [{"try": "4 A to M"}, {"try": "3 A to M"}, READING]}))
    people.say(ALICE, TROOPS)
    _, wrong, right = scripted.asked
    assert not wrong["legal"]
    assert "three" in wrong["mistakes"][0] or "3" in wrong["mistakes"][0]
    assert right == {"id": 1, "legal": True, "orders": "3 A to M", "mistakes": []}


def test_the_grammar_of_the_orders_is_given_to_a_program_that_asks_for_it(people, scripted):
    plug_in(people.table, scripted.will({"stroll": [{"grammar": True}, READING]}))
    people.say(ALICE, TROOPS)
    assert standing(people) == "3 A to M"
    _, told = scripted.asked
    assert {*told} == {"id", "grammar"}
    assert told["grammar"].startswith("orders: ")


@pytest.mark.parametrize(
    "answer",
    [
        {"orders": "3 H to S", "because": ["stroll over to Muster"]},  # Blue's pieces
        {"orders": "4 A to M", "because": ["stroll over to Muster"]},  # more than there are
        {"orders": "3 A to M", "because": ["the second army marches"]},  # not the writer's words
        {"orders": "3 A to M"},
        {"orders": "3 A to M. Thanks!", "because": ["stroll over to Muster"]},
        {"command": "process oz-1 now because Bob is gone", "because": ["stroll over to Muster"]},
        {"command": "turn 3: Pass", "because": ["stroll over to Muster"]},
        {"command": "press: I give up", "because": ["stroll over to Muster"]},
        {"command": "gm: Bob cheats", "because": ["stroll over to Muster"]},
        {"command": "resign\ndraw", "because": ["stroll over to Muster"]},
        {"command": "claim: Bob cheats", "because": ["stroll over to Muster"]},
        {"command": "hand over to eve@example.org", "because": ["stroll over to Muster"]},
        {"command": "challenge Eve <eve@example.org>", "because": ["stroll over to Muster"]},
        {"command": "yes", "because": ["stroll over to Muster"]},  # nothing was asked
        {"command": "nonsense", "because": ["stroll over to Muster"]},
        {"answer": "yes", "because": ["stroll over to Muster"]},  # nothing was asked
        {"asks": "Which army?"},
        {},
    ],
)
def test_a_reading_that_cannot_be_used_is_as_none(people, scripted, answer):
    """The answer is the same as without an interpreter."""
    without = people.say(ALICE, TROOPS)
    plug_in(people.table, scripted.will({"stroll": answer}))
    told = people.say(ALICE, TROOPS)
    assert len(scripted.asked) == 1
    assert told.partition("--------")[0] == without.partition("--------")[0]
    assert standing(people) == ""
    assert troubles(people) == []


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("draw", "offers a draw"),
        ("resign", "really"),
        ("forget me", "forget"),
        ("vacation 1 December to 8 December", "vacation"),
        ("press: over to Muster", "over to Muster"),
    ],
)
def test_commands_are_only_asked_about(people, scripted, command, told):
    plug_in(people.table, scripted.will({"stroll": {"command": command, "because": ["stroll over to Muster"]}}))
    letters = people.write(ALICE, TROOPS)
    assert [*letters] == [ALICE]
    assert told in letters[ALICE][0]
    match = load_match(people.table.store, 1)
    assert (match.phase, match.wishes, match.result) == ("running", {}, None)
    assert match.holders["red"].player.address == ALICE


def test_a_yes_and_a_no_to_what_is_open_are_asked_about_too(people, scripted):
    people.write(BOB, "draw")
    plug_in(
        people.table,
        scripted.will(
            {
                "splendid": {"answer": "yes", "because": ["splendid notion"]},
                "cows": {"answer": "no", "because": ["When the cows come home"]},
            }
        ),
    )
    assert "answer `no` if you do not agree" in people.say(ALICE, "When the cows come home, mate")
    assert "answer `yes` if you agree" in people.say(ALICE, "Well what a splendid notion of his")
    assert load_match(people.table.store, 1).result is None
    assert "a draw offered to you" in scripted.asked[0]["asked"]


# When it is asked


@pytest.mark.parametrize("text", ["3 A to M", "4 A to M", "status", "3 A to M\nThanks, see you on Sunday!", "Thanks!"])
def test_it_is_not_asked_where_the_desk_is_sure(people, scripted, text):
    plug_in(people.table, scripted.will({}))
    people.say(ALICE, text)
    assert scripted.asked == []


def test_a_letter_that_says_so_itself_is_not_shown_to_it(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    people.write(ALICE, f"no interpreter\n\n{TROOPS}")
    assert scripted.asked == []


def test_whoever_does_not_want_it_keeps_it_from_their_letters(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    answer = people.say(ALICE, "no interpreter")
    assert "No interpreter reads your letters from now on" in answer
    assert "Interpreter none reads your letters" in people.say(ALICE, "my settings")
    people.say(ALICE, TROOPS)
    assert scripted.asked == []
    assert "it may ask it" in people.say(ALICE, "interpreter")
    people.say(ALICE, f"Please: {TROOPS}")
    assert len(scripted.asked) == 1


def test_a_turn_waits_for_the_reading_of_a_letter_in_the_same_run(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    people.write(ALICE, "3 A to Z")
    people.table.deliver(people.answer(BOB, "Pass").as_bytes())
    people.table.deliver(people.answer(ALICE, f"Forget that. {TROOPS}").as_bytes())
    letters = people.poll()
    assert "3 A to M" in letters[ALICE][0]
    assert load_match(people.table.store, 1).turn == 2  # no cooling-off time on a rehearsal desk


def test_it_is_asked_about_so_many_letters_in_a_day(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), day=1)
    people.say(ALICE, f"{TROOPS} today")
    people.say(ALICE, f"{TROOPS} soon")
    assert len(scripted.asked) == 1
    people.table.now += timedelta(days=1)
    people.say(ALICE, f"{TROOPS} at last")
    assert len(scripted.asked) == 2


def test_a_letter_for_which_there_is_no_time_is_answered_in_the_next_run(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), run=0)
    assert people.write(ALICE, TROOPS) == {}
    plug_in(people.table, scripted.will({"stroll": READING}))
    assert "3 A to M" in people.poll()[ALICE][0]


def test_but_no_later_than_its_turn(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), run=0)
    people.table.now += timedelta(days=3)
    letters = people.write(ALICE, TROOPS)[ALICE]
    assert "No orders in it were accepted" in letters[0]
    assert load_match(people.table.store, 1).turn == 2


def test_letters_that_wait_are_answered_when_the_interpreter_is_gone(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), run=0)
    people.write(ALICE, TROOPS)
    people.table.config = people.table.config._replace(interpreter=None)
    assert len(people.poll()[ALICE]) == 1


# When it fails

PROGRAMS = {
    "ended before it had answered": "pass",
    "wrote a line that is not JSON": "input(); print('Sure! Here are the orders')",
    "wrote a line that is not as": "input(); print('[1, 2]')",
    "wrote a line of more than": "input(); print('x' * 200_000)",
    "did not answer in time": "import time; input(); time.sleep(60)",
    "tried out orders more than 5 times": 'while input(): print(\'{"id": 1, "try": "Pass"}\', flush=True)',
}


def program(code: str) -> str:
    return shlex.join((sys.executable, "-c", code))


@pytest.mark.parametrize("why", PROGRAMS)
def test_the_desk_goes_on_without_an_interpreter_that_fails_and_tells_the_operator_once(people, why):
    plug_in(people.table, program(PROGRAMS[why]), seconds=0.5)
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    people.table.deliver(people.answer(BOB, f"{TROOPS}, too").as_bytes())
    (line,) = troubles(people)
    assert why in line
    assert "stroll" not in line
    people.table.now += timedelta(hours=1)
    assert troubles(people) == []  # it is not over because nobody has asked
    letters = people._read()
    assert (len(letters[ALICE]), len(letters[BOB])) == (1, 1)
    people.table.deliver(people.answer(ALICE, f"{TROOPS}!").as_bytes())
    assert troubles(people) == []  # told already


def test_when_it_works_again_the_trouble_is_over(people, scripted):
    plug_in(people.table, "/nowhere/interpreter")
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    assert "The interpreter cannot be started: there is no such program." in troubles(people)[0]
    plug_in(people.table, scripted.will({"stroll": READING}))
    people.table.deliver(people.answer(ALICE, f"{TROOPS}!").as_bytes())
    (line,) = troubles(people)
    assert "is over" in line


# Runs that die, and letters that meet


@pytest.mark.parametrize("step", ["pbem.interpreter.program.Program.ask", "pbem.service.handling.Handler.handle_group"])
def test_a_run_that_dies_over_it_loses_no_letter_and_asks_once(people, scripted, monkeypatch, step):
    plug_in(people.table, scripted.will({"stroll": READING}))
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    handle = Handler.handle_group

    def die(*arguments: object, **_: object) -> None:
        if step.endswith("ask") or "at_once" in _:
            raise KeyboardInterrupt
        return handle(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(step, die)
        with pytest.raises(KeyboardInterrupt):
            people.poll()
    (answer,) = people.poll()[ALICE]
    assert ("3 A to M" in answer) is step.endswith("handle_group")
    assert people.table.store.value("SELECT count(*) FROM letters WHERE state = 'kept'") == 0
    assert len(scripted.asked) == (0 if step.endswith("ask") else 1)


def test_an_error_while_asking_costs_the_reading_and_nothing_else(people, scripted, monkeypatch):
    plug_in(people.table, scripted.will({"stroll": READING}))
    monkeypatch.setattr("pbem.service.interpreting.question_of", lambda *_: {}["nothing"])
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    assert "could not be asked (KeyError)" in troubles(people)[0]
    assert len(people._read()[ALICE]) == 1


def test_a_later_letter_of_the_same_seat_is_read_after_it(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    people.table.deliver(people.answer(ALICE, "withdraw").as_bytes())
    people.poll()
    assert standing(people) == ""
    people.table.deliver(people.answer(ALICE, f"{TROOPS}, again").as_bytes())
    people.table.deliver(people.answer(ALICE, "1 A to Z").as_bytes())
    people.poll()
    assert standing(people) == "1 A to Z"


def test_a_decision_about_the_game_comes_after_the_letters_that_wait(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), run=0)
    people.write(ALICE, "three gents hop A to M")
    assert standing(people) == ""
    people.write_anew("operator@example.org", "process oz-1 because Bob is ill")
    letters = people.write("operator@example.org", "yes")[ALICE]
    assert load_match(people.table.store, 1).turn == 2
    assert "This is how we understand your orders for turn 1" in letters[0]
    assert people.table.store.value("SELECT count(*) FROM letters WHERE state = 'kept'") == 0


def test_a_turn_is_processed_by_hand_without_a_letter_that_waits_only_if_the_operator_says_so(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), run=0)
    people.write(ALICE, TROOPS)
    command = ["--config", str(people.table.config.path), "game", "process", "oz-1", "--reason", "Bob is ill"]
    run = CliRunner().invoke(main, command)
    assert run.exit_code == 2
    assert "Letters of red wait for the interpreter" in run.output
    assert load_match(people.table.store, 1).turn == 1
    run = CliRunner().invoke(main, [*command, "--as-it-is"])
    assert run.exit_code == 0
    assert load_match(people.table.store, 1).turn == 2


def test_when_a_player_is_forgotten_no_letter_waits_any_more(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}), run=0)
    people.write(ALICE, TROOPS)
    people.write(ALICE, "resign")
    people.write(ALICE, "yes")
    people.write(ALICE, "forget me")
    people.write(ALICE, "yes")
    assert people.table.store.value("SELECT count(*) FROM letters WHERE state = 'kept'") == 0


def test_a_seat_has_a_share_of_the_letters_of_a_day(people, scripted, monkeypatch):
    monkeypatch.setattr("pbem.service.interpreting.A_SEAT", 2)
    plug_in(people.table, scripted.will({"stroll": READING}))
    for word in ("today", "soon", "at last"):
        people.say(ALICE, f"{TROOPS} {word}, if you do")
    assert len(scripted.asked) == 2
    people.say(BOB, f"{TROOPS}, if you do")
    assert len(scripted.asked) == 3


def test_an_answer_to_an_earlier_question_counts_for_nothing(people):
    answer = json.dumps({"id": 1, **READING, "orders": "Pass"})
    plug_in(people.table, program(f"while input(): print({answer!r}, flush=True); print({answer!r}, flush=True)"))
    people.table.deliver(people.answer(ALICE, TROOPS).as_bytes())
    people.table.deliver(people.answer(BOB, f"{TROOPS}, too").as_bytes())
    (line,) = troubles(people)
    assert "answered another question" in line
    assert (standing(people), standing(people, "blue")) == ("Pass", "")


# Secrets, and what is kept


def test_a_question_has_no_address_no_token_and_no_secret_of_others(people, scripted):
    """The questions about the same letter in two worlds, which differ in what Bob has ordered, are the same."""
    token = people.got[ALICE][-1]["Reply-To"].partition("+")[2].partition("@")[0]
    plug_in(people.table, scripted.will({"stroll": {"asks": "?"}}))
    letter = f"{TROOPS}. Or write to {BOB}, ref {token}"
    people.write(BOB, "3 H to S")
    people.say(ALICE, letter)
    people.say(ALICE, "no")  # to what the desk has proposed by itself
    people.write(BOB, "Bomb AC")
    people.say(ALICE, letter)
    first, second = scripted.asked
    assert first == second
    text = json.dumps(first)
    assert "@" not in text
    assert token not in text
    assert token.rpartition("-")[2] not in text


def test_what_is_said_is_as_the_schema_has_it(people, scripted):
    shapes = json.loads((ROOT / "docs" / "interpreter.schema.json").read_text("utf-8"))["$defs"]
    plug_in(people.table, scripted.will({"stroll": [{"try": "4 A to M"}, {"grammar": True}, READING]}))
    people.say(ALICE, TROOPS)
    for said, name in zip(scripted.asked, ("question", "verdict", "grammar"), strict=True):
        shape = shapes[name]
        assert {*said} == {*shape["properties"]} == {*shape["required"]}
    assert {*keys_of(Answer)} == {*shapes["answer"]["properties"]}


def test_what_it_answered_is_shown_with_the_letter_until_somebody_is_forgotten(people, scripted):
    plug_in(people.table, scripted.will({"stroll": READING}))
    people.write(ALICE, TROOPS)
    people.write(ALICE, "yes")
    people.write(BOB, "Pass")
    run = CliRunner().invoke(main, ["--config", str(people.table.config.path), "letters", "oz-1"])
    assert 'The interpreter answered: {"orders": "3 A to M"' in run.output
    people.write(ALICE, "resign")
    people.write(ALICE, "yes")
    people.write(ALICE, "forget me")
    people.write(ALICE, "yes")
    assert people.table.store.value("SELECT count(*) FROM interpretations") == 0
