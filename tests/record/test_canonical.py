"""Orders in canonical form are read without the grammar, and come to what the grammar would make of them."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.ozymandia.state import SEATS, State
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from pbem.record.history import Played
from support.random_games import GAME, games, some_orders


def with_grammar(state: State, seat: str, text: str) -> reader.Reading:
    """What the whole reader makes of a text."""
    return reader.read_text(Standpoint(GAME, state, seat), text)


def positions(number: int) -> list[State]:
    return [step.before for game in games(number, seed=5) for step in game.steps if isinstance(step, Played)]


def test_thousands_of_lists_are_read_as_the_grammar_reads_them():
    random = Random(6)
    for state in positions(300):
        for seat in SEATS:
            given = some_orders(random, state, seat)
            assert GAME.interpret(state, seat, GAME.items(str(given))).orders == given
            assert with_grammar(state, seat, str(given)).orders == given
            assert reader.parse(Standpoint(GAME, state, seat), str(given)) == given


PARTS = st.sampled_from(
    (
        "3 A to M",
        "1 M to MC",
        "2 W to M",
        "0 A to M",
        "99 A to M",
        "New M",
        "New MC",
        "Bomb EC",
        "Pass",
        "A",
        "3 a to m",
    )
)
GLUE = st.sampled_from((", ", "; ", ",", " ", "", " and ", ". "))


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(PARTS, GLUE), max_size=5), st.sampled_from(positions(20)), st.sampled_from(SEATS))
def test_whatever_is_read_without_the_grammar_is_read_so_with_it(parts, state, seat):
    text = "".join(part + glue for part, glue in parts)
    items = GAME.items(text)
    if items is not None:
        meant = GAME.interpret(state, seat, items)
        assert meant.mistakes or meant.orders == with_grammar(state, seat, text).orders


def test_what_people_write_is_left_to_the_grammar():
    for text in ("3 a to M", "3 A  to M", "3 A to M.", " Pass", "", "New A, M", "3 A to M, ", "1234567 A to M"):
        assert GAME.items(text) is None
