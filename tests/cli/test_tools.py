"""`pbem letter`: how a letter is read, for operators and for tests."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.cli.main import main
from pbem.match.identity import Token
from support.hostile import ENDLESS, hold_up, letter
from support.paths import SHARED

LETTERS = SHARED / "mail" / "letters"
EXPECTED = LETTERS / "expected.json"
SAMPLES = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else []

TOKEN = Token(17, "red", 7, "abcdefghijklmn23")
OLDER = Token(17, "red", 6, "bcdefghijklmno23")


def run(raw: bytes, *options: str) -> Result:
    return CliRunner().invoke(main, ["letter", "-", *options], input=raw)


def read(raw: bytes) -> dict[str, Any]:
    done = run(raw, "--json")
    assert done.exit_code == 0
    shown = json.loads(done.output)
    assert list(shown) == ["from", "automatic", "token", "text", "orders", "problems", "reading"]
    return shown


def test_a_letter_is_shown_as_one_json_object() -> None:
    raw = letter("Hi,\n3 A to M, Bomb EC\n-- \nM\n> 9 Q to Z\n", f"To: desk+{TOKEN}@example.org")
    shown = read(raw)
    assert shown.pop("reading")["orders"] == "3 A to M; Bomb EC"
    assert shown == {
        "from": "mallory@example.com",
        "automatic": None,
        "token": str(TOKEN),
        "text": "Hi,\n3 A to M, Bomb EC",
        "orders": ["3 A to M", "Bomb EC"],
        "problems": [],
    }


def test_a_letter_is_read_at_a_position_for_a_seat_and_without_the_letter_that_it_answers(tmp_path: Path) -> None:
    ours = tmp_path / "ours.eml"
    ours.write_bytes(letter("2 V to H"))
    at = ("--json", "--seat", "blue", "--position", "3 red A3 bombs 3 blue V2 bombs 3", "--answers", str(ours))
    shown = json.loads(run(letter("2 V to VC\nPlease ignore this"), *at).output)["reading"]
    assert shown["orders"] is None
    assert shown["open"] == {
        "doubts": [{"text": "Please ignore this", "why": "turned"}],
        "readings": ["2 V to VC"],
        "left_out": [],
        "perhaps": [],
        "adds": False,
    }


def test_the_token_of_the_address_goes_before_that_of_the_references() -> None:
    reference = f"References: <{OLDER}.answer-3@example.org>"
    assert read(letter("hi", reference))["token"] == str(OLDER)
    assert read(letter("hi", reference, f"Delivered-To: {TOKEN}@example.org"))["token"] == str(TOKEN)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("", []),
        ("Good luck, Bob", []),
        ("status", []),
        ("3 A to M\n2 W to M; Bomb EC", ["3 A to M", "2 W to M", "Bomb EC"]),
        ("- 3 Atlantea  to Mu\n- New M and A", ["3 Atlantea to Mu", "New M", "A"]),
        ("99 A to M, Bom EC, 3 Shalimar to Mu", ["99 A to M", "Bom EC", "3 Shalimar to Mu"]),
        ("3 A to\nM", ["3 A to M"]),
        ("Pass", ["Pass"]),
    ],
)
def test_orders_are_the_items_that_are_meant_as_such_whatever_the_position(text: str, orders: list[str]) -> None:
    assert read(letter(text))["orders"] == orders


def test_automatic_mail_has_no_orders() -> None:
    shown = read(letter("3 A to M", "Auto-Submitted: auto-replied"))
    assert (shown["automatic"], shown["orders"]) == ("Auto-Submitted", [])


def test_what_is_wrong_with_a_letter_is_told() -> None:
    shown = read(b"From: a@b.example, c@d.example\nContent-Type: image/png\n\nx")
    assert shown["from"] is None
    assert shown["problems"] == ["no text part", "From is not exactly one address"]


def test_without_json_it_is_shown_to_a_person() -> None:
    done = run(letter("3 A to M\nBomb EC\n", "Precedence: bulk"))
    assert done.output.splitlines() == [
        "from:      mallory@example.com",
        "automatic: Precedence",
        "token:     -",
        "text:      3 A to M",
        "           Bomb EC",
        "orders:    -",
        "problems:  -",
    ]


@pytest.mark.parametrize(
    ("header", "answered"), [("Precedence: bulk", "and answered"), ("Auto-Submitted: auto-replied", "but not answered")]
)
def test_orders_in_automatic_mail_that_has_a_token_are_shown_and_whether_they_are_answered(
    header: str, answered: str
) -> None:
    raw = letter("3 A to M", header, f"To: desk+{TOKEN}@example.org")
    assert (read(raw)["automatic"], read(raw)["orders"]) == (header.partition(":")[0], ["3 A to M"])
    told = f"automatic: {header.partition(':')[0]}: orders from the seat's own address are used, {answered}"
    assert told in run(raw).output


CONTROLS = "\x1b[31m\x1b]0;mine\x07\x9b31m\u202e\u2066"


def test_nothing_in_a_letter_is_obeyed_by_a_terminal() -> None:
    body = f"3 A to M {CONTROLS}\n"
    raw = letter(body, f"X-A: {CONTROLS}\nList-Id: {CONTROLS}\nReply-To: {CONTROLS}")
    for said in (run(raw).output, run(raw.replace(b"mallory", CONTROLS.encode())).output):
        assert said.endswith("\n")
        assert all(char.isprintable() for line in said.split("\n") for char in line)


@pytest.mark.parametrize("words", [["check", f"3 A to M\n{CONTROLS}"], ["board", CONTROLS], ["replay", "FILE"]])
def test_nothing_in_a_text_or_a_file_is_obeyed_by_a_terminal(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "record"
    file.write_text(f"1. Pass | {CONTROLS}\n[Event {CONTROLS}]\n")
    done = CliRunner().invoke(main, [str(file) if word == "FILE" else word for word in words])
    assert done.output
    assert all(char.isprintable() for line in done.output.split("\n") for char in line)


def test_a_letter_that_would_be_set_aside_is_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    hold_up(monkeypatch)
    done = run(ENDLESS)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "takes more than 1 second" in done.stderr


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["letter", str(tmp_path / "none.eml"), "--json"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be read" in done.stderr


def test_it_is_said_which_of_two_files_is_not_there(tmp_path: Path) -> None:
    letter = tmp_path / "there.eml"
    letter.write_bytes(b"Subject: orders\r\n\r\nPass\r\n")
    done = CliRunner().invoke(main, ["letter", str(letter), "--answers", str(tmp_path / "none.eml")])
    assert "none.eml cannot be read" in done.stderr


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_order_letters_made_by_hand(sample: dict[str, Any]) -> None:
    shown = read((LETTERS / f"{sample['name']}.eml").read_bytes())
    assert (shown["orders"], shown["automatic"], shown["problems"]) == (sample["expect"], None, [])
