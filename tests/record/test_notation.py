"""Game records: what is written is read the same; what is wrong is named with its line, and the rest is read."""

import re
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark

from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.records import board_plan
from pbem.record import notation
from pbem.record.history import Ended, History, Played, Remark, RolledBack
from pbem.record.notation import RecordReading, check_checksum, position_hash, read_record, write_record
from pbem.resources import resource
from support.each import each
from support.paths import DOCS
from support.random_games import GAME, OWN_BOARD, games

MANUAL = (DOCS / "record.md").read_text("utf-8")
SAMPLE = """\
[Game "oz-17"]
[Board "lattice"]
[Setup "A/V"]
[Red "Alice"]
[Blue "Bob"]
[Result "*"]

1. 3 V to Z | 3 H to S
2. 1 M to MC; Bomb SC | nmr
"""
"""As in the rules of the house: only what a person would write."""


def read(text: str) -> RecordReading:
    return read_record(text)


def history(text: str) -> History:
    """What a record tells that has nothing wrong in it."""
    found = read(text)
    assert found.problems == ()
    assert found.history is not None
    return found.history


def problems(text: str) -> list[str]:
    return [str(problem) for problem in read(text).problems]


def with_moves(*moves: str, result: str = "*") -> str:
    """A record of a game on the lattice with these lines below its headers, which are five with the blank one."""
    lines = ('[Game "oz-1"]', '[Red "Alice"]', '[Blue "Bob"]', f'[Result "{result}"]', "", *moves)
    return "\n".join(lines) + "\n"


def kinds(text: str) -> list[type]:
    return [type(step) for step in history(text).steps]


# Written and read


def test_what_is_written_is_read_the_same():
    for game in games(250):
        text = write_record(game)
        found = read_record(text)
        assert found == (game.name, 1, game, (), True)
        assert write_record(game) == text


def test_the_grammar_reads_whole_files_too():
    grammar = Lark(resource("grammar/record.lark").read_text("utf-8"), parser="lalr", start="file")
    texts = [write_record(game) for game in games(60)]
    tree = grammar.parse("\n".join(texts))
    assert len(tree.children) == 60
    moves = [child for game in tree.children for child in game.children if child.data not in ("name", "header")]
    assert len(moves) == sum(len(game.steps) for game in games(60))


def test_a_record_looks_like_this():
    text = write_record(history(SAMPLE))
    first, second = history(SAMPLE).turns()
    assert text.splitlines() == [
        '[Game "oz-17"]',
        '[Rules "ozymandia 1"]',
        '[Board "lattice"]',
        f'[BoardHash "{GAME.headers(first.before, {})["BoardHash"]}"]',
        '[Setup "A/V"]',
        *(f'[BoardPlan "{line}"]' for line in board_plan(first.before.board).split("\n")),
        '[Red "Alice"]',
        '[Blue "Bob"]',
        '[Result "*"]',
        text.splitlines()[16],
        "",
        f"1. 3 V to Z | 3 H to S #{position_hash(GAME, first.after)}",
        f"2. 1 M to MC; Bomb SC | nmr #{position_hash(GAME, second.after)}",
    ]
    assert text.splitlines()[16].startswith('[Checksum "')


def test_every_line_of_a_record_is_printable_whatever_was_said():
    for game in games(300):
        assert all(line.isprintable() for line in write_record(game).split("\n"))


def test_press_stays_one_line_and_keeps_its_braces():
    text = with_moves(r"press red {Hi \{Bob\},\nsee C:\\games. \u00ad[2J}")
    assert history(text).steps == (Remark("red", "Hi {Bob},\nsee C:\\games. \xad[2J"),)


def test_a_seat_that_had_nothing_to_say_has_not_missed_the_turn():
    text = with_moves("position 1 red M4 bombs 3 blue bombs 0", "1. Pass | nmr")
    assert "1. Pass | - #" in write_record(history(text))
    assert history(write_record(history(text))).turns()[0].orders == {"red": "Pass", "blue": None}


def test_a_board_that_is_not_shipped_goes_along():
    start = replace(GAME.new({}), board=OWN_BOARD)
    text = write_record(replace(history(SAMPLE), start=start, state=start, steps=(), options={"board": "/home/gm/b"}))
    assert history(text).start.board.source == OWN_BOARD.source
    assert "/home/gm" not in text


@each("name", SHIPPED)
def test_a_game_is_played_on_the_plan_of_its_board_where_that_board_is_unknown_or_another(name):
    start = state = GAME.new({"board": name})
    orders = Orders(moves=(Move(2, "M", "W"),))
    ruling = GAME.resolve(state, {"red": orders})
    turn = Played(1, state, {"red": str(orders), "blue": None}, ruling.state, ruling.events)
    told = replace(history(SAMPLE), start=start, state=ruling.state, steps=(turn,), options={"board": name})
    for text in (
        write_record(told).replace(f'[Board "{name}"]', '[Board "of old"]'),
        re.sub(r'\[BoardHash ".*?"\]', f'[BoardHash "{"0" * 64}"]', write_record(told)),
    ):
        played = history(re.sub(r'\[Checksum ".*"\]\n', "", text))
        board = find_board(name)
        assert (played.start.board.areas.keys(), played.start.board.adjacent) == (board.areas.keys(), board.adjacent)
        assert (played.start.board.trades, played.start.board.setup) == (board.trades, board.setup)
        assert played.state.pieces == ruling.state.pieces
        assert history(write_record(played)) == played


def test_a_comment_is_written_as_the_manual_says():
    (told,) = re.findall(r"`(@[^`]*\{[^`]*\})` \| a comment", MANUAL)
    undated = told.partition(" ")[2]
    text = with_moves(told, undated)
    assert [step.seat for step in history(text).steps] == [None, None]
    assert write_record(history(text)).endswith(f"\n\n{told}\n{undated}\n")


def test_a_start_that_is_not_the_set_up_is_a_position():
    text = with_moves("7. Pass | Pass").replace('[Red "', '[Position "7 red M4 bombs 1 blue S3 bombs 2"]\n[Red "')
    assert history(text).turns()[0].turn == 7
    assert '[Position "7 red M4 bombs 1 blue S3 bombs 2"]' in write_record(history(text))


def test_a_rollback_leaves_what_was_undone_in_the_record():
    found = history(
        with_moves("1. 3 A to M | Pass", "2. Pass | Pass", "rollback 1 {a letter was lost}", "1. Pass | nmr")
    )
    assert [type(step) for step in found.steps] == [Played, Played, RolledBack, Played]
    assert [turn.orders["red"] for turn in found.turns()] == ["Pass"]


@pytest.mark.parametrize(
    ("move", "result", "winner"),
    [
        ("award red", "red", "red"),
        ("award draw", "draw", None),
        ("forfeit blue", "blue", "blue"),
        ("annul", "annulled", None),
    ],
)
def test_a_game_may_end_by_a_word(move: str, result: str, winner: str | None):
    found = history(with_moves("1. Pass | Pass", f"{move} {{so it was agreed}}", result=result))
    assert isinstance(found.steps[-1], Ended)
    assert found.steps[-1].result.winner == winner
    assert found.phase() == ("annulled" if move == "annul" else "finished")


def test_orders_may_be_written_as_in_a_letter():
    text = with_moves("1. 3a to m, bomb EC | 3 Halcyonna -> Shalomar")
    assert history(text).turns()[0].orders == {"red": "3 A to M; Bomb EC", "blue": "3 H to S"}


def test_comments_may_stand_behind_a_turn_or_be_broken_over_lines():
    assert kinds(with_moves("1. Pass | Pass {quiet}", "{nobody", "dares}", "2. Pass | Pass")) == [
        *(Played, Remark, Remark, Played),
    ]


def test_dos_line_ends_blanks_and_a_mark_of_the_charset_change_nothing():
    text = write_record(history(SAMPLE))
    assert read("\ufeff" + text.replace("\n", "\r\n") + "\n\n") == read(text)
    assert history(SAMPLE.replace("1. 3 V to Z |", "  1.   3 V  to Z  |")) == history(SAMPLE)


def test_headers_that_somebody_adds_are_his_own():
    assert history('[Annotator "Carol"]\n' + SAMPLE) == history(SAMPLE)


# The checksum


def test_a_record_without_a_checksum_does_not_say_whether_it_was_changed():
    assert check_checksum(SAMPLE) is None
    assert read(SAMPLE).checksum is None


def test_a_wrong_checksum_is_named_and_the_game_is_read():
    text = write_record(history(SAMPLE)).replace("Alice", "Alicia")
    found = read(text)
    assert found.history is not None
    assert [str(one) for one in found.problems] == [
        "line 17: the checksum does not fit: the record was changed since it was written."
    ]


# The manual


def test_the_example_of_the_manual_is_a_record():
    example, *_ = re.findall(r"```text\n(.*?)```", MANUAL, re.S)
    found = read(example)
    assert (found.problems, found.checksum) == ((), True)
    assert write_record(history(example)) == example


def test_check_and_checksum_come_out_as_the_manual_shows(tmp_path):
    example, *_ = re.findall(r"```text\n(.*?)```", MANUAL, re.S)
    position, checksum = re.findall(r"```sh\n(.*?)\n```", MANUAL, re.S)
    (tmp_path / "oz-17.txt").write_text(example)
    one, whole = (
        subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for command in (position, checksum)
    )
    assert f" #{one[:8]} @" in example.split("\n1. ")[1].split("\n")[0]
    assert f'[Checksum "{whole[:64]}"]' in example


# Mistakes


@each(
    ("moves", "problem"),
    [
        (["1. 4 A to M | Pass"], "line 6: Red's orders of turn 1 cannot be carried out. 4 A to M: "),
        (["1. Pass | Pass", "3. Pass | Pass"], "line 7: turn 2 is to be played here, not turn 3."),
        (["1. Pass"], "line 6: turn 1 has 1 order lists for 2 sides."),
        (["1. Pass | Pass #00000000"], "line 6: turn 1 leads to another position here (#"),
        (["rollback 1"], "line 6: turn 1 was not played before"),
        (["position 3 red M1 bombs 0 blue S1 bombs 0"], "line 6: The position is from turn 3, but this is turn 1."),
        (["position red Q1 bombs 0 blue S1 bombs 9"], "line 6: "),
        (["press green {Hi}"], 'line 6: there is no side "green", only red and blue.'),
        (["award green"], 'line 6: there is no side "green"'),
        (["annul", "1. Pass | Pass"], "line 7: the game was over before this move."),
        (["1. Pass | Pass @2026-13-01T00:00:00Z"], 'line 6: there is no moment "2026-13-01T00:00:00Z".'),
        (["1. Pass | Pass }"], 'line 6: it cannot be read from "}" on; a turn looks like '),
        (["1. Pass |"], "line 6: it ends too early."),
        (["{never closed", "1. Pass | Pass"], 'line 6: it cannot be read from "{never closed" on'),
        (["Hello"], 'line 6: it cannot be read from "Hello" on'),
    ],
)
def test_what_is_wrong_is_named_with_its_line(moves: list[str], problem: str):
    assert problems(with_moves(*moves, result="annulled" if "annul" in moves else "*"))[0].startswith(problem)


def test_a_game_is_read_up_to_its_first_mistake_and_all_that_cannot_be_read_is_named():
    text = with_moves("1. Pass | Pass", "2. Pass | Pass", "3. Pass ! Pass", "4. Pass | Pass", "Hello")
    found = read(text)
    assert found.history is not None
    assert [turn.turn for turn in found.history.turns()] == [1, 2]
    assert [problem.line for problem in found.problems] == [8, 10]


def test_a_result_that_the_moves_do_not_lead_to_is_named():
    assert problems(with_moves("1. Pass | Pass", result="red")) == [
        'line 4: the result is said to be "red", but the moves lead to "*"; if it was awarded, end with `award red`.'
    ]


@each(
    ("header", "problem"),
    [
        ('[Rules "chess 1"]', 'line 1: there is no game "chess" here.'),
        (
            '[Board "/etc/passwd"]',
            'line 1: There is no board "/etc/passwd" here, and the record does not carry its file.',
        ),
        ('[BoardHash "00"]', 'line 1: The game was played on another board "lattice" than the one that is known here.'),
        ('[Setup "A/Z"]', "line 1: "),
        ('[TurnLimit "many"]', 'line 1: A turn limit is a number from 1 to 999999, not "many".'),
        ('[TurnLimit "0000010000000"]', 'line 1: A turn limit is a number from 1 to 999999, not "0000010000000".'),
        ('[Season "one"]', 'line 1: Season is a number, not "one".'),
        ('[Began "yesterday"]', "line 1: Began is a moment such as 2026-11-25T15:58:00Z."),
        ('[Bord "triangles"]', "line 1: there is no header Bord: Board is probably meant."),
        ('[Result "*"]', "line 5: the header Result is there twice."),
        ('[Red "Alice"]', "line 3: the header Red is there twice."),
        ('[Red "Alice]', "line 1: "),
    ],
)
def test_headers_that_make_no_sense_are_named(header: str, problem: str):
    assert problems(f"{header}\n{with_moves('1. Pass | Pass')}")[0].startswith(problem)


def test_a_game_that_was_set_back_thousands_of_times_is_read_in_no_time():
    turns = ["1. Pass | Pass", "rollback 1"] * 5_000
    assert len(history(with_moves(*turns)).steps) == 10_000


def test_what_is_no_record_at_all_has_no_history():
    found = read("Dear Bob,\nhow are you?\n" * 50)
    assert found.history is None
    assert len(found.problems) == 20


LINES = st.sampled_from(
    [*SAMPLE.splitlines(), "press red {x}", "rollback 1", "annul", "position 1 red M1", "{", "}", "[", '"']
)


@settings(deadline=None, max_examples=100)
@given(st.text() | st.lists(LINES | st.text(max_size=20)).map("\n".join))
def test_any_text_is_read_without_failing(text: str):
    found = read(text)
    assert all(1 <= problem.line <= text.count("\n") + 1 for problem in found.problems)
    if found.history:
        again = read_record(write_record(found.history))
        assert again.checksum
        assert again.history == found.history or found.problems


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_record_with_anything_changed_in_it_is_read_or_its_problems_are_named(data):
    text = write_record(next(games(1, data.draw(st.integers(0, 30)))))
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 20)))
    changed = text[:at] + data.draw(st.text(max_size=10)) + text[end:]
    found = read(changed)
    assert found.problems or found.checksum is None or notation._checksummed(changed) == text


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x85", "\u202e", "\u2066", "\ufffe"])
@pytest.mark.parametrize("how", [str, lambda char: f"\\u{ord(char):04x}"])
def test_a_character_that_acts_where_it_is_shown_is_refused_wherever_it_is_in_a_record(char, how):
    lines = (f'[Red "{how(char)}Ann"]', f'[Event "Cup{how(char)}"]', f"resign red {{{how(char)}}}")
    for line in (*lines, f"resign red {{bro{how(char)}ken\ninto two}}", f"resign red {{broken\ninto {how(char)}two}}"):
        text = f'[Game "oz-1"]\n[Rules "Ozymandia"]\n{line}\n'
        problems = [problem.sentence for problem in read_record(text).problems]
        assert f"it holds the character U+{ord(char):04X}, which cannot be seen: take it out." in problems, line
