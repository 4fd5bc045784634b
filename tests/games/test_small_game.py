"""A game with a map and hidden hands that says little of its own, from the letter to the archive."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pbem_harbours import SEATS, WAYS, Harbours, Orders, State

from pbem.cli.demo import DemoDesk
from pbem.games.base import OPEN, GameError
from pbem.games.chance import SecretChance
from pbem.games.plain import data_of, line_of, loaded
from pbem.record.notation import read_record, write_record
from support.commands import pbem
from support.paths import EXAMPLE
from support.plugins import harbours, plugged
from support.tables import history
from support.trials import flat

__all__ = ["harbours", "plugged"]

GAME = Harbours()
START = State(
    turn=1,
    ships={"gull": "Ash", "heron": "Elm"},
    holds={"gull": 0, "heron": 0},
    hands={"gull": (1, 4, 6, 7, 10), "heron": (2, 3, 5, 8, 9)},
    cargo=dict.fromkeys(WAYS, 2),
)


@pytest.fixture
def table(tmp_path: Path, harbours: None) -> DemoDesk:
    table = DemoDesk(tmp_path / "desk", datetime(2026, 11, 21, 12, tzinfo=UTC), "harbours")
    table.poll()
    yield table
    table.close()


def play_turn(table: DemoDesk) -> None:
    """Both sail to the first harbour beside theirs with their highest card."""
    state = table.match().state
    for seat in SEATS:
        table.write(seat, str(Orders(WAYS[state.ships[seat]][0], max(state.hands[seat]))))
    table.poll()


def test_a_small_game_is_played_from_the_letter_to_the_archive(table, tmp_path):
    invitation = flat(table.last["gull"])
    assert "the higher one takes the cargo" in invitation
    hand = table.match().state.hands["gull"]
    assert f"gull {' '.join(map(str, hand))}" in invitation
    assert "heron 0 0 0 0 0" in invitation
    assert "Ash Dune---Elm" in invitation
    table.write("gull", "Sail to Elm with 99")
    ((_, answer),) = table.poll()
    assert "From Ash you reach Bay, Cove." in flat(answer)
    assert f"Your cards are {', '.join(map(str, hand))}." in flat(answer)
    table.write("gull", f"sail to cove with {hand[0]}")
    receipt, _ = (letter for _, letter in table.poll())
    assert flat(receipt).partition("Still waiting for orders")[0].count(f"Sail to Cove with {hand[0]}") == 1
    table.write("heron", f"sail to dune with {max(table.match().state.hands['heron'])}")
    report = flat(dict(table.poll())["heron"])
    assert "Gull sails to Cove." in report
    assert "Gull lays" not in report
    assert "Heron takes 2 in Dune." in report
    assert "gull Cove *" in report
    while not table.over():
        play_turn(table)
    assert "The fullest hold has" in flat(table.last["gull"])
    assert f"Sail to Cove with {hand[0]}" in write_record(history(table))
    assert read_record(write_record(history(table))).history.state == table.match().state
    site = tmp_path / "site"
    built = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", "archive", "build", str(site))
    assert built.exit_code == 0, built.output
    page = (site / "games" / f"{table.name}.html").read_text()
    assert "takes 2 in Dune" in page
    assert page.count('class="board"') >= 5


def test_a_player_reads_and_writes_the_example_in_another_language(table):
    hand = table.match().state.hands["gull"]
    table.write("gull", "language deutsch")
    table.poll()
    table.write("gull", "help rules")
    ((_, rules),) = table.poll()
    assert "Nach fünf Runden gewinnt der vollere Laderaum." in flat(rules)
    table.write("gull", "Segle nach Elm mit 99")
    ((_, answer),) = table.poll()
    assert "Von Ash aus erreichst du Bay, Cove." in flat(answer)
    table.write("gull", f"Segle nach Cove mit {hand[0]}")
    table.poll()
    table.write("heron", f"Плыву в Dune с {table.match().state.hands['heron'][0]}")
    table.poll()
    assert "Möwe segelt nach Cove." in flat(table.last["gull"])
    assert table.match().turn == 2


def test_a_seat_that_resigns_leaves_the_game_to_the_other(table):
    table.write("gull", "resign")
    table.poll()
    table.write("gull", "yes")
    table.poll()
    assert table.match().result.winner == "heron"


def test_a_state_of_dataclasses_is_dumped_loaded_and_said_in_a_line():
    assert GAME.load(GAME.dump(START)) == START
    line = GAME.position(START)
    assert not set(line) & set("|#@{}")
    assert GAME.placed(START, line) == START
    assert data_of(line_of({"a": "{(#)}|@", "b": [None, True]})) == {"a": "{(#)}|@", "b": [None, True]}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"turn": "1"}, 'the position, turn: this cannot be "1".'),
        ({"turn": True}, "the position, turn: this cannot be true."),
        ({"hands": {"gull": [1, "2"]}}, 'the position, hands, gull: this cannot be "2".'),
        ({"ships": []}, "the position, ships: this cannot be []."),
        ({"wind": 1}, "the position: this cannot be"),
    ],
)
def test_a_position_that_cannot_be_says_where(wrong, told):
    with pytest.raises(GameError) as found:
        GAME.load({**GAME.dump(START), **wrong})
    assert told in str(found.value)


def test_a_position_with_a_part_missing_says_which():
    with pytest.raises(GameError, match="the position: cargo is missing"):
        GAME.load({key: value for key, value in GAME.dump(START).items() if key != "cargo"})
    with pytest.raises(GameError, match="This is no position"):
        GAME.placed(START, "nonsense")


def test_a_type_with_several_forms_takes_the_first_that_fits():
    assert loaded(tuple[int | None, str], [None, "a"]) == (None, "a")
    assert loaded(tuple[int | str, ...], [1, "a"]) == (1, "a")
    with pytest.raises(GameError, match="these are 2 values"):
        loaded(tuple[int, int], [1])


def test_a_game_that_hides_something_has_to_say_what_may_be_seen():
    class Careless(Harbours):
        view = Harbours.__mro__[1].view

    with pytest.raises(NotImplementedError, match="says what a reader may see"):
        Careless().view(START, "gull")
    assert GAME.redact_orders("Sail", "gull", "heron", START, START) is None
    assert GAME.redact_orders("Sail", "gull", OPEN, START, START) == "Sail"


def test_a_picture_of_text_marks_what_has_changed_and_stands_alone_as_svg():
    later = replace(START, ships={"gull": "Bay", "heron": "Elm"})
    lines = ["".join(span.text for span in line) for line in GAME.picture(later, START)]
    assert [line for line in lines if line.endswith("*")] == ["  gull Bay *"]
    assert "<style>" in GAME.svg(later)
    assert "<style>" not in GAME.overlay(later)


def test_a_game_begins_again_from_its_headers():
    secret = bytes(32)
    start = GAME.new({}, SecretChance(secret))
    assert GAME.from_headers(GAME.headers(start, {}), SecretChance(secret)) == (start, {})


def test_an_event_without_a_template_is_told_by_what_stands_in_it():
    (told,) = GAME.story(START, ({"type": "storm", "seat": "gull", "harbours": ["Ash", "Bay"]},))
    assert told.text == "Storm: seat Gull, harbours Ash, Bay."


def test_the_rules_grammar_and_words_of_the_example_have_at_most_200_lines():
    files = [path for kind in ("*.py", "*.lark", "*.toml") for path in (EXAMPLE / "pbem_harbours").rglob(kind)]
    assert sum(len(path.read_text().splitlines()) for path in files) <= 200
