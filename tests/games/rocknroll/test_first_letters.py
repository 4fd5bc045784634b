"""What somebody who knows only the letters is told: the rules that are played, and what the enemy's units do."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.games import find_game
from pbem.games.chance import SecretChance
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.state import State
from pbem.i18n.languages import say_in
from pbem.orders.lines import read_text
from pbem.orders.situation import Standpoint

GAME = find_game("rocknroll")
NOON = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)


def letters(folder: Path, *said: str, **options: str) -> list[str]:
    """What the seat on turn is told at first, and what it is answered."""
    table = DemoDesk(folder, NOON, "rocknroll", **options)
    table.poll()
    seat = table.match().state.on_turn
    found = [letter_text(table.last[seat])]
    for text in said:
        table.write(seat, text)
        found += [letter_text(letter) for to, letter in table.poll() if to == seat]
    table.close()
    return [" ".join(text.split()) for text in found]


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_the_letter_that_calls_a_seat_first_says_what_there_is_to_decide(tmp_path: Path, name: str) -> None:
    first, rules = letters(tmp_path, "help rules", set=name)
    told = first.partition("It is your turn:")[2].partition("Reply with your orders")[0]
    assert told.count(" - ") == 5
    assert all(word in told for word in ("Deploy", "Trade", "Reroll", "Income", "card", "check:"))
    assert "`help rules` explains the rules" in first
    hand = [
        unit for unit in GAME.new({"set": name}, SecretChance(bytes(32))).cards.units if f"`Deploy {unit} A`" in told
    ]
    assert len(hand) == 1
    assert f" {hand[0]} " in first.partition("Your position")[2].partition("It is your turn:")[0]
    assert "Goal Change are not played here" in rules
    for word in ("Pour", "Act", "Captives", "Echo", "Lose"):
        assert (word in first.partition("What you decide in EXPANSION")[2].partition("To play, reply")[0]) == (
            name == "expansion"
        )


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "If you enter A, you are attacked by Bao (6, two dice: 31%), Mai (5+, 33%)."),
        ("de", "Wer A betritt, wird von Bao (6, zwei Würfel: 31 %), Mai (5+, 33 %) angegriffen."),
        ("ru", "Кто войдёт в Точку А, попадёт под атаку: Бао (6, два кубика: 31 %), Май (5+, 33 %)."),
    ],
)
def test_enemies_on_the_row_are_told_with_what_they_do_and_whom_entering_wakes(language: str, expected: str) -> None:
    state = placed("A vietnam: Bao, Mai; B vietnam: Scout; C vietnam: Min; next: vpa")
    rows = GAME.holdings(GAME.view(state, "vpa"), "vpa", say=say_in(language))
    met = [text for _, text in rows if "Bao" in text or "Бао" in text]
    assert [text for text in met if text.startswith(expected)] == met
    assert find(state, "Bao", language) in met[0]
    assert any(find(state, "Min", language) in text for _, text in rows)
    assert not any("Scout" in text for _, text in rows)  # who has no feature does nothing


def find(state: State, name: str, language: str) -> str:
    return str(getattr(state.cards.units[name].text, language))


def test_stars_and_aces_stand_in_the_row() -> None:
    state = placed("set: expansion; A vietnam: Bao, Matryoshka; B vpa: Sniper, Hardman; next: vpa")
    row = "".join(span.text for line in GAME.picture(GAME.view(state, None)) for span in line)
    assert all(name in row for name in ("Bao 6x2★", "Matryoshka 4/5♠★", "Sniper 5♠", "Hardman 4/5♠★"))


def test_what_is_left_open_is_told_in_the_first_round_and_where_standing_orders_change() -> None:
    for setting, text, told in (("round: 1", "Pass", True), ("round: 2", "Pass", False)):
        state = placed(f"{setting}; next: vpa; A vpa: Zulu; hand vpa: Attack")
        orders = read_text(Standpoint(GAME, state, "vpa"), text).orders
        assert ("at default" in " ".join(GAME.cautions(GAME.view(state, "vpa"), "vpa", orders))) == told
