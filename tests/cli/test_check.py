"""`pbem check --json`: letters that other programs ask about."""

import io
import json
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.check import KEYS, check_line, run
from pbem.cli.main import main
from support.docs import code, fenced, page, rows, section

KEYS_OF_ANSWERS = ["id", "orders", "proposal", "mistakes", "remarks", "commands", "open"]


def check(**question: Any) -> dict[str, Any]:
    return check_line(json.dumps(question))


def test_a_letter_is_read_as_the_desk_reads_it() -> None:
    text = "Hi,\n3 A to M\ndraw\n\nOn Monday the desk wrote:\n> 3 A to Z\n\n-- \nBob\n"
    answer = check(id=[1], game="ozymandia", seat="red", text=text)
    assert list(answer) == KEYS_OF_ANSWERS
    assert answer == {
        "id": [1], "orders": "3 A to M", "proposal": None, "mistakes": [], "remarks": ["Hi,"], "commands": ["draw"],
        "open": {"doubts": [], "readings": [], "left_out": [], "perhaps": [], "adds": False},
    }  # fmt: skip


def test_what_is_quoted_of_the_letter_answered_without_a_mark_is_left_out() -> None:
    ours = "Your last orders were:\n\n3 A to Z\n\nGood luck from the desk of games"
    answer = check(game="ozymandia", seat="red", text=f"3 A to M\n{ours}", answers=ours)
    assert (answer["orders"], answer["remarks"]) == ("3 A to M", [])


def test_where_the_game_stands_is_a_line_or_a_state_or_a_new_match() -> None:
    line = "7 red A3 bombs 3 blue H4 bombs 2"
    state = {"turn": 7, "pieces": {"red": {"A": 3}, "blue": {"H": 4}}, "bombs": {"red": 3, "blue": 2}}
    for place in ({"position": line}, {"state": state}):
        assert check(game="ozymandia", seat="red", text="3 A to Z", **place)["orders"] == "3 A to Z"
        assert check(game="ozymandia", seat="red", text="3 M to Z", **place)["orders"] is None
    assert check(game="ozymandia", board="triangles", seat="red", text="Pass", new={})["orders"] == "Pass"
    match = {"scenario": "hill", "seats": ["munchkins", "winkies"]}  # as `adjudicate` takes it
    assert "errors" not in check(game="ozz", seat="winkies", text="Pass", new=match)
    assert check(game="ozz", seat="winkies", text="Pass", new={"seats": ["nobody"]})["errors"]
    war = {"game": "rocknroll", "options": {"set": "expansion"}, "text": "Продаю Манёвр"}
    assert check(**war, seat="vpa", position="round: 3; A vpa: Zulu")["orders"] == "Sell Move"
    assert check(**war, seat="vietnam", position="round: 3; A vpa: Zulu")["mistakes"]
    [told] = check(**war | {"options": {}}, seat="vpa", position="round: 3")["mistakes"]
    assert "EXPANSION" in told["sentence"]


@pytest.mark.parametrize("seat", ["vpa", "vietnam"])
def test_where_nothing_says_how_the_game_stands_the_seat_has_its_turn(seat: str) -> None:
    assert check(game="rocknroll", seat=seat, text="Пасую")["orders"] == "Pass"


def test_standing_orders_alone_are_told_too() -> None:
    answer = check(game="rocknroll", seat="vpa", text="Рок-н-ролл для всех: всегда\nПереброс Док: 1")
    assert answer["orders"] == "Rocknroll all: always; Reroll Doc: 1"


def test_mistakes_have_their_place_and_a_proposal() -> None:
    answer = check(game="rocknroll", seat="vpa", text="Привет!\nРазвернуть Джоннни А")
    assert answer["orders"] is None
    assert answer["proposal"] == "Deploy Johnny A"
    assert answer["mistakes"] == [
        {
            "line": 2,
            "column": 11,
            "width": 7,
            "text": "Развернуть Джоннни А",
            "item": "Развернуть Джоннни А",
            "sentence": 'There is no card "Джоннни". Джонни?',
        }
    ]
    assert answer["remarks"] == ["Привет!"]


BAD = {
    "no json": ("input", "not JSON"),
    "[]": ("input", "not an object"),
    "{}": ("input", "game: this is missing."),
    '{"game": "chess", "seat": "red", "text": ""}': ("input", 'no game "chess"'),
    '{"game": "ozymandia", "seat": "green", "text": ""}': ("input", "no seat"),
    '{"game": "ozymandia", "seat": 3, "text": []}': ("input", "seat: this should be a text, not 3."),
    '{"game": "ozymandia", "seat": "red", "text": "", "sit": 1}': ("input", 'unknown key "sit"'),
    '{"game": "ozymandia", "seat": "red", "text": "", "board": "nowhere"}': ("input", "nowhere"),
    '{"game": "ozymandia", "seat": "red", "text": "", "position": "7 red"}': ("position", ""),
    '{"game": "ozymandia", "seat": "red", "text": "", "state": {"turn": 0}}': ("position", ""),
    '{"game": "ozymandia", "seat": "red", "text": "", "state": {}, "new": {}}': (
        "input",
        "say where the game stands once",
    ),
    '{"game": "rocknroll", "seat": "vpa", "text": "", "options": {"size": 1}}': ("input", '"size"'),
    '{"game": "rocknroll", "seat": "vpa", "text": "", "options": {"set": "nosuch"}}': ("input", "nosuch"),
    '{"game": "rocknroll", "seat": "vpa", "text": "", "state": {"round": 1}}': ("position", ""),
    '{"game": "rocknroll", "seat": "vpa", "text": "", "position": "A vpa: Bob"}': ("position", "Bob"),
    json.dumps({"game": "ozymandia", "seat": "red", "text": "A" * 10_001}): ("input", "10000"),
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:60])
def test_a_line_that_is_no_question_is_answered_with_what_is_wrong(line: str) -> None:
    where, told = BAD[line]
    answer = check_line(line)
    assert list(answer) == ["id", "errors"]
    assert list(answer["errors"]) == [where]
    assert told in " ".join(answer["errors"][where])


def test_the_status_says_whether_all_letters_have_orders() -> None:
    good = b'{"game": "ozymandia", "seat": "red", "text": "Pass"}'
    wrong = b'{"game": "ozymandia", "seat": "red", "text": "Bomb Q"}'
    for lines, status in (([], 0), ([good], 0), ([good, wrong], 1), ([good, b"x"], 1), ([b"x", b""], 2)):
        out = io.BytesIO()
        assert run(lines, out) == status
        assert len(out.getvalue().splitlines()) == len(lines)


def test_the_command_line_reads_a_file_or_standard_input(tmp_path: Any) -> None:
    line = '{"game": "ozymandia", "seat": "red", "text": "Pass"}\n'
    (tmp_path / "letters").write_text(line)
    for args, given in (([str(tmp_path / "letters")], ""), ([], line), (["-"], line)):
        result = CliRunner().invoke(main, ["check", "--json", *args], input=given)
        assert (result.exit_code, json.loads(result.stdout)["orders"]) == (0, "Pass")
    missing = CliRunner().invoke(main, ["check"])
    assert missing.exit_code == 2
    assert "ORDERS" in missing.output
    assert CliRunner().invoke(main, ["check", "--json", str(tmp_path / "none")]).exit_code == 2


def test_the_page_and_the_schema_have_the_keys_that_there_are() -> None:
    shapes = json.loads(page("docs/checker.schema.json"))["$defs"]
    asked, answered = (section("docs/checker.md", f"## The {what}") for what in ("question", "answer"))
    assert [*KEYS] == [code(row[0])[0] for row in rows(asked)] == [*shapes["question"]["properties"]]
    assert KEYS_OF_ANSWERS == [code(row[0])[0] for row in rows(answered)] == [*shapes["answer"]["properties"]]


def test_the_example_is_what_is_answered() -> None:
    question, answer = fenced(page("docs/checker.md"), "json")
    assert check_line(question) == json.loads(answer)
    mistake = json.loads(page("docs/checker.schema.json"))["$defs"]["mistake"]
    assert list(json.loads(answer)["mistakes"][0]) == mistake["required"] == [*mistake["properties"]]
