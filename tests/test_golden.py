"""A whole game by letters, kept as a transcript: all that was written, every letter that came back, every position.

A change that is meant is written down by `PBEM_REWRITE_GOLDEN=1 pytest tests/test_golden.py`; read the difference.
"""

import html
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from email.message import Message
from typing import NamedTuple

import pytest

from pbem.cli.demo import letter_text
from pbem.i18n.words import hints
from pbem.mail.letters import with_seals
from support.desks import PLAYERS, TestDesk
from support.paths import GOLDEN

TRANSCRIPT = GOLDEN / "game.txt"
KEY = "00112233445566778899aabbccddeeff" * 2
HEADERS = ("From", "To", "Reply-To", "Subject", "Message-ID", "In-Reply-To", "References", "Auto-Submitted")


class Written(NamedTuple):
    """A player's letter, an answer to the last one he got or to an earlier one (counted from 0)."""

    seat: str
    text: str
    answers: int = -1


class Run(NamedTuple):
    """What is written, and how long after the run before the desk is polled."""

    letters: Sequence[Written]
    after: timedelta = timedelta(minutes=5)


def red(text: str, answers: int = -1) -> Written:
    return Written("red", text, answers)


def blue(text: str, answers: int = -1) -> Written:
    return Written("blue", text, answers)


MAP = r"(?s)\+---Atlantea.*?Elfin City(?:\n\n\| A  Red 3.*?between two cities)?"
CHANGES = r"(?<=The result if nobody else does anything\n\n)[A-Z]C? [^.]+?(?=\n\n)"
TABLE = r'(?s)<table class="map".*?</table>'
GAME = (
    Run([]),
    # 1: dispersal on both sides; a question before
    Run([blue("help")]),
    Run([red("Hi Bob,\nhave fun!\n\n2 A to AC, 1 A to Z\n\nAlice"), blue("2 H to HC, 1 H to S")]),
    # 2: a new piece in the province, an unequal meeting on the way, a province bombed
    Run([red("New A; 3 M to S")], timedelta(hours=7)),
    Run([blue("1 S to M; Bomb S")]),
    # 3: orders that cannot be, and yes; orders replaced
    Run([red("1 Zephyira to ZC, Bom H"), blue("3 HC to H")]),
    Run([blue("2 HC to H")]),
    Run([red("yes")]),
    # 4: an equal battle where Red was before; the rules by mail
    Run([red("help rules"), red("1 W to WC; new piece in Zephyria")]),
    Run([blue("New H, 2 H to S")]),
    # 5: an equal battle where nobody was before, a city bombed, orders withdrawn
    Run([red("all A to M")]),
    Run([red("withdraw")]),
    Run([red("1 W to U"), blue("1 E to U, bombard Amber City")]),
    # 6: Red lets the deadline pass
    Run([blue("2 E to EC")], timedelta(days=1)),
    Run([blue("status")], timedelta(days=1)),
    Run([], timedelta(days=1)),
    # 7: concentration; orders without any sense; no orders at all
    Run([red("Sorry, I was away."), blue("5 Q to X\nWhere is everybody?")]),
    Run([red("2 ZC to SC"), blue("3 HC to H")]),
    # 8: an equal meeting on the way; an answer to a letter of an old turn
    Run([red("2 S to H", answers=0)]),
    Run([red("New S; 2 S to H"), blue("2 H to S")]),
    # 9: Red's own pieces bombed, a battle that the larger force wins
    Run([red("3 WC to W, 1 WC to UC; Bomb W"), blue("2 EC to UC")]),
    # 10: both bomb the same province
    Run([red("1 A to AC\nBomb H"), blue("4 HC to H, Bomb H")]),
    # 11: the fifth city
    Run([red("1 AC to MC"), blue("3 UC to WC")]),
    # Afterwards
    Run([blue("3 V to Z"), red("status")]),
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> TestDesk:
    desk = TestDesk(tmp_path_factory.mktemp("golden") / "desk")
    (desk.folder / "pbem.key").write_text(KEY)
    desk.new_game("--deadline", "2 days")
    return desk


@pytest.fixture(scope="module")
def game(desk: TestDesk) -> tuple[str, list[Message]]:
    """The transcript of the game, and the letters that the desk sent."""
    transcript: list[str] = []
    letters: list[tuple[str, Message]] = []
    for run in GAME:
        transcript += write_all(desk, run.letters, letters)
        assert desk.poll(run.after) == (0, [])
        new = desk.read()
        letters += new
        transcript += [shown(letter) for _, letter in new]
        transcript += positions(desk)
    return "\n".join(transcript), [letter for _, letter in letters]


def write_all(desk: TestDesk, written: Sequence[Written], letters: list[tuple[str, Message]]) -> Iterator[str]:
    """The players' letters, as the transcript shows them."""
    for seat, text, answers in written:
        desk.last[seat] = [letter for to, letter in letters if to == seat][answers]
        letter = desk.answer(seat, text)
        letter.replace_header("Message-ID", f"<{len(desk.written) + 1}@players.example>")
        desk.send(letter)
        what = "an old letter" if answers >= 0 else "the last letter"
        yield f"{heading(f'{PLAYERS[seat].name} answers {what}')}\n{text}\n"


def shown(letter: Message) -> str:
    headers = "\n".join(f"{name}: {' '.join(letter[name].split())}" for name in HEADERS if letter[name])
    text = re.sub(
        r"(?m)^(\*) [0-9a-f]{64}$", r"\1 (the head of the record)", with_seals(letter.as_bytes())
    )  # no two are alike
    return f"{heading(letter['Date'])}\n{headers}\n\n{text}"


def positions(desk: TestDesk) -> list[str]:
    """The turn that has just been played, if any: where it led, and what happened."""
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        columns = "turn, orders, after, events, played"
        turns = db.execute(f"SELECT {columns} FROM turns ORDER BY turn DESC LIMIT 1").fetchall()
    now = f"{desk.now:%Y-%m-%dT%H:%M:00Z}"
    lines = []
    for turn, orders, after, events, played in turns:
        if played == now:
            canonical = {seat: told and told["canonical"] for seat, told in json.loads(orders).items()}
            lines += [heading(f"Turn {turn} as it is kept"), json.dumps(canonical)]
            state = json.loads(after)
            lines += [json.dumps({key: value for key, value in state.items() if key != "board"})]
            lines += [*(json.dumps(event) for event in json.loads(events)), ""]
    return lines


def heading(text: str) -> str:
    return f"{'=' * 4} {text} {'=' * max(4, 66 - len(text))}"


def test_the_game_is_told_as_it_was_told_before(game):
    transcript, _ = game
    if "PBEM_REWRITE_GOLDEN" in os.environ:
        TRANSCRIPT.write_text(transcript)
    assert transcript == TRANSCRIPT.read_text()


def test_the_game_has_all_that_can_happen():
    """So that the transcript goes on to show it."""
    transcript = TRANSCRIPT.read_text()
    for event in (
        '"type": "crossing", "from": {"red": "M", "blue": "S"}, "forces": {"red": 3, "blue": 1}',
        '"forces": {"red": 2, "blue": 2}, "left": {"red": 0, "blue": 0}',
        '"type": "battle", "area": "S", "occupant": "red", "forces": {"red": 2, "blue": 2}',
        '"type": "battle", "area": "U", "occupant": null, "forces": {"red": 1, "blue": 1}',
        '"type": "bombardment", "seat": "red", "area": "W", "before": {"red": 4, "blue": 0}',
        '"type": "bombardment", "seat": "blue", "area": "AC"',
        '"type": "missed", "seat": "red"',
        '"city": "AC", "area": "A"',
    ):
        assert event in transcript, event
    assert transcript.count("as it is kept") == 11


def test_every_line_of_every_letter_is_plain_and_fits_a_screen(game):
    for letter in game[1]:
        lines = letter_text(letter).splitlines()
        assert lines[0] == "== Answer above this line =="
        assert all(len(line) <= 72 and line == line.rstrip() for line in lines)
        assert all(line.isascii() or line in hints("en") for line in lines)
        assert "!" not in "".join(lines).replace("have fun!", "")


def test_the_html_part_says_the_same_as_the_text(game):
    for letter in game[1]:
        page = next(part for part in letter.walk() if part.get_content_type() == "text/html")
        markup = page.get_payload(decode=True).decode().replace("\r\n", "\n")
        assert "`" not in markup
        text = letter_text(letter)
        for drawn, table in zip(re.findall(f"{MAP}|{CHANGES}", text), re.findall(TABLE, markup), strict=True):
            pieces = re.findall(r"[|(] ([A-Z]C?) +((?:Red|Blue) \d+)(?: +(\*))?", drawn.partition("\n\n")[0])
            if pieces:
                assert sorted(pieces) == sorted(re.findall(r">([A-Z]C?) ((?:Red|Blue) \d+)(\*)?<", table))
            else:  # a receipt shows only what has changed
                changes = re.findall(r">([A-Z]C?) ?((?:Red|Blue) \d+)?\*<", table)
                assert sorted(" ".join(drawn.split()).split(", ")) == sorted(
                    f"{area} {force or 0}" for area, force in changes
                )
        markup = re.sub(TABLE + "|<summary.*?</summary>|<a .*?</a>", "", markup)
        markup = re.sub(r"(?s)^.*?<body[^>]*>\s*<div[^>]*display:none[^>]*>.*?</div>", "", markup)
        words = html.unescape(re.sub(r"<[^>]+>", " ", markup))
        assert squeezed(words) == squeezed(re.sub(f"{MAP}|{CHANGES}", "", text))


def squeezed(text: str) -> str:
    """A text without what its form makes of it: blanks, bullets, colons, code marks, carets, the rule above
    the foot."""
    return re.sub(r"[\s`:^]|^- |^-{8}$", "", text, flags=re.M)
