"""Orders, games and players are found by what they hold, and only what everybody may know."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.store.search import Found, SearchError, search
from support.game_masters import say, set_terms
from support.tables import play


def find(table: DemoDesk, text: str, limit: int = 50) -> Found:
    return search(table.store, text, limit)


def orders(table: DemoDesk, text: str) -> list[tuple[int, str, str]]:
    return [(one.turn, one.seat, one.orders) for one in find(table, text).orders]


def test_orders_are_found_by_the_words_of_an_item_as_they_stand_beside_each_other(table):
    play(table, "3 A to M", "1 H to S; Bomb EC")
    assert orders(table, "3 A to M") == [(1, "red", "3 A to M")]
    assert orders(table, "bomb ec") == [(1, "blue", "1 H to S; Bomb EC")]
    for other in ("3 A to MC", "A to", "1 A to M", "A 3 to M", "Bomb E"):
        assert orders(table, other) == ([(1, "red", "3 A to M")] if other == "A to" else [])


def test_items_are_found_in_any_order_but_all_of_them(table):
    play(table, "2 A to M, 1 A to AC", "1 H to S; Bomb EC")
    assert orders(table, "1 A to AC; 2 A to M") == [(1, "red", "2 A to M, 1 A to AC")]
    assert orders(table, "2 A to M, Bomb EC") == []


def test_the_newest_turns_come_first_and_no_more_than_are_asked_for(table):
    play(table)
    play(table)
    assert orders(table, "Pass") == [(turn, seat, "Pass") for turn in (2, 1) for seat in ("blue", "red")]
    found = find(table, "pass", limit=3)
    assert len(found.orders) == 3
    assert found.has_more
    assert not find(table, "pass", limit=4).has_more


def test_the_case_of_no_alphabet_matters_in_names(table):
    table.store.conn.execute("UPDATE seats SET name = 'Жанна Müller' WHERE seat = 'red'")
    for text in ("жанна", "ЖАННА", "MÜLLER"):
        assert [name for name, *_ in find(table, text).games] == ["oz-1"]


@pytest.mark.parametrize(
    "text",
    [
        '"3 A to M',
        "3 A to M*",
        "(3 A to M)",
        "'3 A' to M",
        "^3 A to M",
        "orders: 3 A to M",
        "-3 A to M",
        "3 A to M\x00",
    ],
)
def test_no_sign_has_a_meaning_of_its_own(table, text):
    play(table, "3 A to M")
    assert all(row[2] == "3 A to M" for row in orders(table, text))


@pytest.mark.parametrize(
    "text",
    [
        "NEAR",
        "AND",
        "NOT Pass",
        "NEAR(3 A, 2)",
        "%",
        "_x_",
        "a\ud800b",
        "² ½ Ⅷ",
        "x" * 20_000,
        ",a" * 9_000,
        "a " * 200_000,
    ],
)
def test_odd_texts_find_nothing_and_fail_in_nothing(table, text):
    play(table)
    try:
        found = find(table, text)
    except SearchError:
        found = Found([], [], has_more=False)
    assert (found.games, found.orders) == ([], [])


@pytest.mark.parametrize("text", ["", " ", '"', "*", "---", "\x00", "\ud800"])
def test_a_text_without_a_word_is_answered_with_a_sentence(table, text):
    with pytest.raises(SearchError, match="no word or number"):
        find(table, text)


def test_games_are_found_by_their_names_and_players(table):
    for text in ("oz-1", "OZ", "alice", "Bob"):
        assert [one.game for one in find(table, text).games] == ["oz-1"]
    assert find(table, "alice").games[0][1:] == ("blue Bob, red Alice", "running")
    assert find(table, "carol").games == []


def test_orders_that_are_not_revealed_are_not_found(table):
    table.write("red", "3 A to M")
    table.poll()
    assert orders(table, "3 A to M") == []


def test_a_turn_that_the_game_master_looks_at_is_found_when_he_releases_it(table):
    set_terms(table, review=timedelta(days=1))
    play(table, "3 A to M")
    assert orders(table, "3 A to M") == []
    say(table, "release oz-1")
    assert orders(table, "3 A to M") == [(1, "red", "3 A to M")]


def test_a_turn_that_was_taken_back_before_anybody_saw_it_is_never_found(table):
    set_terms(table, review=timedelta(days=1))
    play(table, "3 A to M")
    say(table, "rollback oz-1 1 because a letter was lost")
    assert orders(table, "3 A to M") == []


def test_a_turn_that_was_undone_is_marked(table):
    play(table, "3 A to M")
    say(table, "rollback oz-1 1 because a letter was lost")
    play(table, "3 A to M")
    assert [one.undone is None for one in find(table, "3 A to M").orders] == [True, False]


@pytest.fixture
def pbem(table: DemoDesk) -> Callable[..., object]:
    return lambda *words: CliRunner().invoke(
        main, ["--config", str(table.config.database.parent / "config.ini"), *words]
    )


def test_the_command_prints_game_turn_seat_and_orders(table, pbem):
    play(table, "3 A to M")
    assert pbem("search", "3 A to M").output == "oz-1  turn 1  red: 3 A to M\n"
    assert pbem("search", "alice").output == "oz-1  blue Bob, red Alice, running\n"
    assert pbem("search", "4 A to M").output == "Nothing was found.\n"
    assert json.loads(pbem("search", "3 A to M", "--json").output) == {
        "games": [],
        "orders": [{"game": "oz-1", "turn": 1, "seat": "red", "orders": "3 A to M", "undone": None}],
        "more": False,
    }


def test_the_command_says_in_a_sentence_what_cannot_be_searched_for(pbem):
    done = pbem("search", '"')
    assert done.exit_code == 2
    assert done.output.startswith("pbem: There is no word or number in what is to be found")
