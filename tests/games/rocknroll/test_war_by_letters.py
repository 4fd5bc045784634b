"""Wars of Rock'n'Roll played by letters from the invitation to the record."""

from datetime import UTC, datetime
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.games import find_game
from pbem.games.base import Seat
from pbem.record.notation import read_record, write_record
from pbem.render.blocks import WIDTH
from pbem.store.histories import load_history
from pbem.store.matches import load_match

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def war(folder: Path, **options: object) -> tuple[DemoDesk, list[tuple[Seat, Message]]]:
    """A war in which each seat writes what its letters give as an example, and all its letters."""
    table = DemoDesk(folder, NOON, "rocknroll", **options)
    letters, game = table.poll(), find_game("rocknroll")
    for _ in range(200):
        if table.over():
            break
        match = load_match(table.store, 1)
        (seat,) = match.missing()
        _, example = game.prospects(game.view(match.state, seat), seat)
        table.write(seat, f"Reroll attack: 1 with orders\n{example}")
        letters += table.poll()
        if load_match(table.store, 1).turn == match.turn and not table.over():
            table.write(seat, "yes")  # with these cards a line is certain to be skipped
            letters += table.poll()
    return table, letters


@pytest.mark.parametrize(
    "options",
    [
        {"set": "expansion", "length": "short"},
        {"seats": "1v2", "length": "short"},
        {"set": "expansion", "seats": "3v3", "length": "short", "supply": ("vpa3", "vpa1")},
    ],
    ids=str,
)
def test_a_war_is_played_by_letters_and_its_record_plays_it_again(tmp_path: Path, options: dict[str, str]) -> None:
    table, letters = war(tmp_path, **options)
    history = load_history(table.store, 1)
    reading = read_record(write_record(history))
    table.close()
    assert history.result is not None
    assert not reading.problems
    assert reading.history
    assert reading.history.state == history.state
    lines = [line for _, letter in letters for line in letter_text(letter).splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []


def first_letters(folder: Path, **options: object) -> str:
    """The letters with which a war begins, on one line."""
    table = DemoDesk(folder, NOON, "rocknroll", **options)
    letters = table.poll()
    table.close()
    return " ".join(" ".join(letter_text(letter) for _, letter in letters).split())


def test_the_first_letter_of_an_expansion_war_says_what_there_is_to_decide(tmp_path: Path) -> None:
    told = first_letters(tmp_path, set="expansion")
    for expected in ("What you decide in EXPANSION", "what to spend RD on", "whether enemies become prisoners"):
        assert expected in told


def test_the_first_letter_of_a_base_war_says_nothing_of_expansion(tmp_path: Path) -> None:
    assert "EXPANSION" not in first_letters(tmp_path)


@pytest.mark.parametrize(("options", "is_told"), [({"set": "expansion"}, True), ({}, False)], ids=["expansion", "base"])
def test_the_rules_that_are_told_are_those_of_the_set(tmp_path: Path, options: dict[str, str], is_told: bool) -> None:
    table = DemoDesk(tmp_path, NOON, "rocknroll", **options)
    table.poll()
    table.write("vpa", "help rules")
    told = " ".join(" ".join(letter_text(letter) for _, letter in table.poll()).split())
    table.close()
    for expected in (
        "RD: a side gets 1",
        "ace of spades",
        "Current Action: two",
        "prisoners:",
        "loses the war at once",
    ):
        assert (expected in told) == is_told, expected
    assert "A side that already has OK, but at most half as many as the other, gets 2" in told


def test_the_receipt_of_orders_that_are_agreed_to_in_own_words_does_not_quote_these_words(tmp_path: Path) -> None:
    table = DemoDesk(tmp_path, NOON, "rocknroll")
    table.poll()
    state = load_match(table.store, 1).state
    for text in (
        "language русский",
        f"{state.cards.units[state.hands[state.on_turn].units[0]].name.ru} на Д, наверное",
    ):
        table.write(state.on_turn, text)
        table.poll()
    table.write(state.on_turn, "Да, так и есть.")
    (letter,) = [letter_text(letter) for who, letter in table.poll() if who == state.on_turn]
    table.close()
    assert "Ваши приказы на ход 1 приняты" in letter
    assert "так и есть" not in letter


@pytest.mark.parametrize("answer", ["Хм, дайте подумать.", "да 2"])
def test_a_question_that_is_open_names_orders_as_their_reader_writes_them(tmp_path: Path, answer: str) -> None:
    table = DemoDesk(tmp_path, NOON, "rocknroll")
    table.poll()
    state = load_match(table.store, 1).state
    seat = state.on_turn
    unit = state.cards.units[state.hands[seat].units[0]].name.ru
    for text in ("language русский", f"завтра {unit} на Д", answer):
        table.write(seat, text)
        ((_, letter),) = [one for one in table.poll() if one[0] == seat]
    table.close()
    assert f"предложенные вам приказы: Развернуть {unit} Д" in " ".join(letter_text(letter).split())
