"""Orders and wishes with a condition in a letter: which are told apart, for which turn, and what is read as before."""

import pytest

from pbem.games import find_game
from pbem.games.chance import SecretChance
from pbem.orders.command import ANY_TURN, Later, Suppose
from pbem.orders.conditions import branches, choose, wish
from pbem.orders.reader import read_orders, read_words
from pbem.orders.situation import Situation, Standpoint
from support.each import each

OZYMANDIA = find_game("ozymandia")
START = OZYMANDIA.new({})
RED = Standpoint(OZYMANDIA, START, "red")


def in_turn(turn: int, text: str):
    """How a letter of Red's is read that comes in a turn."""
    return read_orders(RED, read_words(text, "oz-1", Situation(OZYMANDIA, START))._replace(turn=turn))


@each(
    ("text", "turn", "kept"),
    [
        ("if Blue holds S: 3 M to W, else 3 M to S", 0, "if Blue holds S: 3 M to W, else 3 M to S"),
        ("if Blue holds S: 3 M to W", 0, "if Blue holds S: 3 M to W"),
        ("Turn 5: if Blue holds S: 3 M to W; otherwise pass", 5, "if Blue holds S: 3 M to W; otherwise pass"),
        ("turn 5:\n\nif Blue holds S: 3 M to W,\nelse 3 M to S", 5, "if Blue holds S: 3 M to W, else 3 M to S"),
        (
            "if Blue holds S:\n3 M to W\nbomb EC\nelse:\n3 M to S",
            0,
            "if Blue holds S: 3 M to W; bomb EC; else: 3 M to S",
        ),
        ("next turn: if I hold M: 1 M to S, 1 M to W", 0, "if I hold M: 1 M to S, 1 M to W"),
        ("wenn Blau S hält: 3 M nach W, sonst 3 M nach S", 0, "wenn Blau S hält: 3 M nach W, sonst 3 M nach S"),
        ("Runde 5: falls niemand S hält: 3 M nach S", 5, "falls niemand S hält: 3 M nach S"),
        ("если Синие держат S: 3 M на W, иначе 3 M на S", 0, "если Синие держат S: 3 M на W, иначе 3 M на S"),
        ("на ход 5: если Синие держат S: 3 M на W", 5, "если Синие держат S: 3 M на W"),
    ],
)
def test_orders_with_a_condition_are_for_the_turn_that_is_named_or_the_next(text, turn, kept):
    reading = in_turn(3, text)
    assert reading.commands == (Later(turn, kept),)
    assert reading.orders is None
    assert (reading.doubts, reading.choices, reading.remarks) == ((), (), ())


@pytest.mark.parametrize(
    "text",
    [
        "If Blue holds Shalomar, 3 M to H, otherwise 3 M to S",
        "If Blue has S then 3 M to H else 3 M to S",
        "if Blue holds S 3 M to W",
        "if Blue holds S and I hold M, 3 M to W, else pass",
        "If Blue holds S, then 3 M to W, else if nobody holds S, 2 M to S, else I pass",
        "when Blue holds S: 3 M to H. Else: 3 M to S.",
        "in case Blue has 3 or more in Mystery City bomb MC",
        "wenn Blau Shalomar hält: 3 M nach S, sonst passe ich",
        "Sofern Blau S besetzt hat, dann 3 M nach W",
        "если Синие держат S, то 3 M на W, иначе пас",
    ],
)
def test_without_a_colon_a_condition_ends_where_orders_in_notation_begin(text):
    assert in_turn(3, text).commands == (Later(0, text),)


@each(
    ("text", "kept"),
    [
        ("if Blue holds S\n3 M to W\notherwise\n3 M to S", "if Blue holds S: 3 M to W; otherwise: 3 M to S"),
        ("If Blue holds S, 3 M to W.\nIf not, 3 M to S.", "If Blue holds S, 3 M to W; If not, 3 M to S."),
        ("if Blue holds S: 3 M to W\n\nOtherwise: 3 M to S", "if Blue holds S: 3 M to W; Otherwise: 3 M to S"),
    ],
)
def test_the_cases_may_stand_on_lines_of_their_own(text, kept):
    assert in_turn(3, text).commands == (Later(0, kept),)


@each(
    ("text", "kept"),
    [
        ("if Bob holds S: 3 M to W", "if Blue holds S: 3 M to W"),
        ("Falls Bob S besetzt hat, dann 3 M nach W", "Falls Blau S besetzt hat, dann 3 M nach W"),
        ("если Bob держит S: пас", "если Синие держит S: пас"),
        ("if Alice loses Mu I resign", "if Red loses Mu I resign"),
        ("turn 5: if Bob holds S: pass", "if Blue holds S: pass"),
    ],
)
def test_the_name_of_a_player_stands_for_that_of_their_side(text, kept):
    letter = read_words(text, "oz-1", Situation(OZYMANDIA, START))
    reading = read_orders(RED, letter._replace(turn=3, people=(("Alice", "red"), ("Bob", "blue"))))
    assert [command.text for command in reading.commands] == [kept]


def test_of_two_sets_of_orders_for_a_later_turn_the_second_is_asked_about():
    reading = in_turn(3, "turn 4: if I hold M: bomb S\nturn 4: 2 A to AC")
    assert [(doubt.text, doubt.turn) for doubt in reading.doubts] == [("2 A to AC", "two sets")]
    assert not reading.commands


def test_orders_above_are_for_this_turn():
    reading = in_turn(3, "2 A to AC\nif Blue holds S: 3 M to W\nelse 3 M to S")
    assert str(reading.orders) == "2 A to AC"
    assert reading.commands == (Later(0, "if Blue holds S: 3 M to W; else 3 M to S"),)


@each(
    ("text", "orders"),
    [
        ("this turn: if Blue holds H: 3 M to S, else 3 M to W", "3 M to S"),
        ("this turn: if Blue holds S: 3 M to S, else 3 M to W", "3 M to W"),
        ("Turn 3:\nif Blue holds S: 3 M to S, else 3 M to W", "3 M to W"),
        ("this turn: if Blue holds S: pass, else if Blue holds E: 1 M to S, else 2 M to S", "1 M to S"),
        ("diese Runde: wenn Blau S hält: 3 M nach S, sonst 3 M nach W", "3 M to W"),
        ("этот ход: если Синие держат S: 3 M на S, иначе 3 M на W", "3 M to W"),
    ],
)
def test_for_this_turn_it_is_decided_at_once(text, orders):
    reading = in_turn(3, text)
    assert str(reading.orders) == orders
    assert not reading.commands
    assert len(reading.choices) == 1


def test_without_orders_for_the_case_nothing_is_ordered():
    reading = in_turn(3, "this turn: if Blue holds S: 3 M to W")
    assert reading.orders is None
    assert not reading.says_orders
    assert reading.choices[0].orders == ""


def test_mistakes_of_the_case_that_applies_are_mistakes_of_the_letter():
    assert in_turn(3, "this turn: if I hold M: 9 M to W, else pass").mistakes
    assert not in_turn(3, "this turn: if I hold M: pass, else 9 M to W").mistakes


@each(
    ("text", "word"),
    [
        ("if I lose Mu I resign", "resign"),
        ("If I lose Mu, I resign.", "resign"),
        ("I resign if I lose Mu", "resign"),
        ("if Blue holds EC I offer a draw", "draw"),
        ("Wenn ich Mu verliere, gebe ich auf", "resign"),
        ("falls Blau EC hält, biete ich Remis an", "draw"),
        ("если я потеряю Му, я сдаюсь", "resign"),
        ("сдаюсь, если потеряю Му", "resign"),
        ("если Синие держат EC, предлагаю ничью", "draw"),
    ],
)
def test_wishes_with_a_condition_are_kept_for_any_turn(text, word):
    reading = in_turn(3, f"2 A to AC\n{text}")
    assert reading.commands == (Later(ANY_TURN, text),)
    assert str(reading.orders) == "2 A to AC"
    assert wish(RED, text).word == word


@pytest.mark.parametrize(
    "text", ["if 3 A to M", "if 3 A to M and Blue 2 S to M", "wenn 3 A nach M und Blau 2 S nach M"]
)
def test_what_if_is_still_a_forecast(text):
    (command,) = in_turn(3, text).commands
    assert isinstance(command, Suppose)


@pytest.mark.parametrize(
    "text",
    [
        "if he bombs M, send 3",
        "if he bombs M: 3 M to S",
        "if Blue attacks S: 3 M to W, else 3 M to S",
        "if he bombs M, 3 M to S",
        "if Blue holds S, send three to W",
        "if Blue holds S, 3 M to W, else cry",
        "if Blue holds S, 3 M to W?",
        "if Blue holds S: I will cry",
        "if Blue holds S: 3 M to W, else cry",
        "if Blue holds S or M: 3 M to W",
    ],
)
def test_what_is_no_condition_with_orders_is_asked_about_as_before(text):
    reading = in_turn(3, text)
    assert reading.orders is None
    assert [doubt.turn for doubt in reading.doubts] == ["turned"]
    assert (reading.commands, reading.choices) == ((), ())


@pytest.mark.parametrize("text", ["if Blue attacks I resign", "if I lose I resign", "if I lose Mu I may resign"])
def test_other_wishes_are_no_commands(text):
    assert not in_turn(3, text).commands


@pytest.mark.parametrize(
    "text",
    [
        "if Blue holds S: 3 M to W\n2 A to AC",  # of which turn is the last line?
        "turn 2: if Blue holds S: 3 M to W",  # it is over
        "if I hold M: 3 M to S\nif I lose M: 2 A to M",  # both are for the next turn
    ],
)
def test_where_nobody_can_be_sure_the_writer_is_asked(text):
    reading = in_turn(3, text)
    assert reading.doubts
    assert reading.orders is None
    assert (reading.commands, reading.choices) == ((), ())


def test_the_first_condition_that_is_met_decides():
    text = "if Blue holds S: 1 M to S, else if I hold M: 2 M to S; else 3 M to S"
    assert branches(RED, text) == ("1 M to S", "2 M to S", "3 M to S")
    choice = choose(RED, text)
    assert choice.orders == "2 M to S"
    assert choice.checked == (("Blue holds S", False), ("I hold M", True))


def test_a_game_that_knows_no_conditions_reads_its_own_notation():
    game = find_game("rocknroll")
    state = game.new({}, SecretChance(bytes(32)))
    seat, *_ = game.awaiting(state)
    text = "if Blue holds S: 3 M to W"
    assert choose(Standpoint(game, state, seat), text) is None
    assert branches(Standpoint(game, state, seat), text) == (text,)
