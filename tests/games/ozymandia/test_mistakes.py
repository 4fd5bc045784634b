"""Every kind of mistake in orders, by its own examples: what is said about it, and what is proposed."""

import pytest

from pbem import Sentence
from pbem.games import find_game
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.mistakes import MISTAKES
from pbem.games.ozymandia.state import State, parse_state
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.each import each
from support.ozymandia_mistakes import EXAMPLES, Example

GAME = find_game("ozymandia")


def position(text: str) -> State:
    return parse_state(text, find_board("lattice"))


def test_every_kind_has_a_name_of_its_own_and_an_example() -> None:
    names: dict[str, str] = {}
    for example in EXAMPLES:
        with pytest.raises(reader.IllegalOrders) as refused:
            reader.parse(Standpoint(GAME, position(example.position), "red"), example.orders)
        [mistake] = refused.value.mistakes
        assert isinstance(mistake.sentence, Sentence)
        assert names.setdefault(example.kind, mistake.sentence.template) == mistake.sentence.template
    assert sorted(names.values()) == sorted(MISTAKES)


@each("example", EXAMPLES)
def test_an_example_is_answered_with_its_sentence_alone(example: Example) -> None:
    with pytest.raises(reader.IllegalOrders) as refused:
        reader.parse(Standpoint(GAME, position(example.position), "red"), example.orders)
    assert [mistake.sentence for mistake in refused.value.mistakes] == [example.sentence]


@each(
    "orders, proposal, told",
    [
        ("5 Wyvernai to M", "3 W to M", "There are 3 pieces in Wyvernia (W), not 5."),
        ("3 A to M, 2 Shalomer to H", "3 A to M", "You have no pieces in Shalomar (S)"),
        ("3 A to M, 3 W to Shalomer", "3 A to M", "From Wyvernia (W) you can reach"),
    ],
)
def test_a_proposal_with_a_corrected_name_tells_what_else_it_changes(orders: str, proposal: str, told: str) -> None:
    read = reader.read_text(Standpoint(GAME, position("1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"), "red"), orders)
    assert read.proposal == proposal
    assert any(str(mistake.sentence).startswith(told) for mistake in read.mistakes)


@each("example", EXAMPLES)
def test_an_example_gets_its_proposal_which_is_legal(example: Example) -> None:
    state = position(example.position)
    assert reader.read_text(Standpoint(GAME, state, "red"), example.orders).proposal == example.proposal
    if example.proposal:
        assert str(reader.parse(Standpoint(GAME, state, "red"), example.proposal)) == example.proposal


@each("example", EXAMPLES)
def test_a_mistake_is_shown_in_72_columns_with_the_caret_under_its_place(example: Example) -> None:
    for mistake in reader.read(Standpoint(GAME, position(example.position), "red"), example.orders).mistakes:
        quoted, caret, *sentence = reader.render_mistake(mistake)
        assert max(map(len, (quoted, caret, *sentence))) <= 72
        place = mistake.text[mistake.column : mistake.column + mistake.width]
        assert quoted[caret.index("^") : caret.rindex("^") + 1] == place
        assert " ".join(map(str.strip, sentence)) == mistake.sentence
