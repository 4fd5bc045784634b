"""Letters of different people, in two games and three languages: each line of `letters.txt` is played as it is meant,
or asked back; nothing is played otherwise."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.games import find_game
from pbem.games.chance import SECRET, SecretChance
from pbem.orders.reader import Reading, read
from pbem.orders.situation import AnyStandpoint, Standpoint
from support.ozz_reading import on_board, on_map

PLAYED, ASKED, NOTHING = "=", "?", "-"


class Letter(NamedTuple):
    """Where everybody stands, what is written, what becomes of it, and the orders that are meant."""

    position: str
    text: str
    mark: str
    meant: str


def letters() -> list[Letter]:
    found, position = [], ""
    path = Path(__file__).parent / "corpus" / "letters.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            position = line[2:]
        elif line and not line.startswith("#"):
            words = line.split(" ")
            at = max(place for place, word in enumerate(words) if word in (PLAYED, ASKED, NOTHING))
            text = " ".join(words[:at]).replace("\\n", "\n")
            found.append(Letter(position, text, words[at], " ".join(words[at + 1 :])))
    return found


_ROW = "A vietnam: Bao, Min; B vpa: Zulu, Doc; B vietnam: Mai, Scout; C vietnam: Farmer; D vpa: Chili"
_HAND = "hand vpa: Gunner, Boomer, Attack, Attack, Attack two, All five, All six, Move, Move two, March, Napalm"
_WARS = {
    "vpa": ("base", f"round: 3; order: vpa, vietnam; next: vpa; A vpa: Johnny, Rook; {_ROW}; {_HAND}"),
    "vpax": ("expansion", f"round: 3; order: vpa, vietnam; next: vpa; rd vpa: 3; A vpa: Johny, Rook; {_ROW}; {_HAND}"),
    "vietnam": (
        "base",
        "round: 3; order: vietnam, vpa; next: vietnam; A vpa: Johnny; A vietnam: Bao; B vpa: Zulu; D vietnam: Horny",
    ),
}
_OZZ: dict[str, tuple[str, Any]] = {
    "mapM": (
        "munchkins",
        on_map("M1 ZOR GUA BAL M2 MAY SOU MCA M3 JIN MBA M4 HAR NA1 NA2 W2 ZEP HER W1 EVO Q1 GLE G1 ARE"),
    ),
    "boardM": (
        "munchkins",
        on_board(
            "1L HAR MBA MCA BAL 1C NA1 2C ZOR SOU/ZOR 1R MAY NA2/MAY 3L THI 3R OOG 4C HER EVO ZIL",
            "munchkins",
            "winkies",
        ),
    ),
    "boardW": (
        "winkies",
        on_board("2C ZOR SOU/ZOR 1C MAY MBA 4C EVO WI1/EVO 3R ZIL 3C THI 4L WBA HER", "munchkins", "winkies"),
    ),
}


STAYING = "Остальные стоят"
"""Who stays orders nothing: alone it is asked about, beside orders it is a remark."""


def placed(position: str) -> AnyStandpoint:
    if position in _OZZ:
        seat, state = _OZZ[position]
        return Standpoint(find_game("ozz"), state, seat)
    game = find_game("rocknroll")
    kind, where = _WARS[position]
    start = game.new({"set": kind}, SecretChance(bytes(SECRET)))
    return Standpoint(game, game.placed(start, where), position.removesuffix("x"))


def read_one(letter: Letter, before: str = "") -> Reading:
    return read(placed(letter.position), before + letter.text)


def is_unsure(reading: Reading) -> bool:
    """What is heard in everyday words, and is not likely enough to stand."""
    turns = {doubt.turn for doubt in reading.doubts}
    return reading.orders is None and turns == {"unsure"}


def said(reading: Reading) -> str:
    orders = [] if reading.orders is None else str(reading.orders).split("; ")
    return "; ".join((*(line for line in reading.standing if line not in orders), *orders))


@pytest.mark.parametrize("position", dict.fromkeys(one.position for one in letters()))
def test_letters_are_played_as_they_are_meant_or_asked_back(position: str) -> None:
    wrong = []
    for letter in letters():
        if letter.position != position:
            continue
        reading = read_one(letter)
        made = said(reading)
        asked = bool(reading.mistakes or reading.doubts or reading.perhaps)
        match letter.mark:
            case "=":
                right = not asked and made == letter.meant
            case "?":
                right = asked and not (made and not reading.perhaps)
                right = right and (reading.proposal in (None, letter.meant) or is_unsure(reading))
            case _:
                right = not made and not asked
        if not right:
            wrong.append((letter, made, reading.proposal, [str(one.sentence) for one in reading.mistakes]))
    assert wrong == []


@pytest.mark.parametrize("position", dict.fromkeys(one.position for one in letters()))
def test_what_is_asked_back_alone_is_not_left_out_beside_clear_orders(position: str) -> None:
    before = {"vpa": "Napalm: C\n", "vpax": "Napalm: C\n", "vietnam": "Artillery: C\n", "mapM": "Garrison M3: 1\n"}
    first = before.get(position, "Retreat below 4\n")
    asked = [one for one in letters() if one.position == position and one.mark == ASKED and one.text != STAYING]
    read = ((one.text, read_one(one, first)) for one in asked)
    assert [(text, said(reading)) for text, reading in read if said(reading) and not reading.perhaps] == []
