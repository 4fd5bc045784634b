"""Atheris on the way of a letter from its bytes to its orders: nothing raises, nothing unprintable comes through."""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))
with atheris.instrument_imports(include=["pbem"]):
    from pbem.games import find_game
    from pbem.mail import authentication, letters
    from pbem.orders import reader
    from pbem.orders.situation import Standpoint

from support.hostile import is_clean

GAME = find_game("ozymandia")
STATE = GAME.new({})


def test_one(data: bytes) -> None:
    letter = letters.read(data, is_order=reader.may_be_order)
    assert is_clean(letter)
    assert is_clean(letters.read_head(data))
    authentication.vouched(letter.authentication, "", (letter.sender or "").rpartition("@")[2])
    reader.read(Standpoint(GAME, STATE, "red"), letter.text)


atheris.Setup(sys.argv, test_one)
atheris.Fuzz()
