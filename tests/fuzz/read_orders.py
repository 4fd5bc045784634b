"""Atheris on the order reader: whatever the text, nothing raises, and what is read as orders is read back the same."""

import sys

import atheris

with atheris.instrument_imports(include=["pbem"]):
    from pbem.games import find_game
    from pbem.orders import reader
    from pbem.orders.situation import Situation, Standpoint

GAME = find_game("ozymandia")
STATE = GAME.new({})


def test_one(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    reading = reader.read(Standpoint(GAME, STATE, "red"), text)
    for mistake in reading.mistakes:
        assert max(map(len, reader.render_mistake(mistake))) <= 72
    if reading.orders is not None:
        assert not reading.mistakes
        assert reader.parse(Standpoint(GAME, STATE, "red"), str(reading.orders)) == reading.orders
    reader.attempts(Situation(GAME, STATE), reader.read_words(text))


atheris.Setup(sys.argv, test_one)
atheris.Fuzz()
