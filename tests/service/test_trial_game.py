"""A game of three seats with turns one after the other, dice and hands, through the whole service."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

import pytest

from pbem import Sentence
from pbem.cli.demo import Table, answer_letter
from pbem.games.base import Chair
from pbem.match.clock import ending
from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_record, write_record
from support import trial
from support.commands import pbem
from support.game_masters import GINA, last_to
from support.game_masters import say as say_as_master
from support.tables import history
from support.trials import SEATS, add_trial, flat, hand, match_of, play, told, trial_table


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    add_trial(monkeypatch)
    table = trial_table(tmp_path / "desk")
    yield table
    table.close()


def command(table: Table, *words: str) -> str:
    """What a command says, all being well."""
    result = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *words)
    assert result.exit_code == 0, result.output
    return result.output


def test_each_of_three_seats_is_invited_and_sees_its_own_cards_alone(table):
    for seat in SEATS:
        letter = flat(table.last[seat])
        assert f"you are {trial.CALLED[seat]}" in letter
        assert "three cards that nobody else sees" in letter
        assert f"{seat} dice 0 laid hand {' '.join(map(str, hand(table, seat)))}" in letter
        assert letter.count("hand ? ? ?") == 2


def test_a_seat_is_called_what_its_game_calls_it_in_letters_on_pages_and_on_the_command_line(table, tmp_path):
    play(table, 3)
    for seat in ("birch", "cedar"):
        told(table, seat, "resign")
        told(table, seat, "yes")
    (winner,) = match_of(table).winners()
    called = trial.CALLED[winner]
    assert called in flat(table.last["birch"])
    assert f"{called} has won." in command(table, "game", "show", "tr-1")
    command(table, "archive", "build", str(tmp_path / "pages"))
    page = (tmp_path / "pages" / "games" / "tr-1.html").read_text()
    assert all(f">{name}</span>" in page for name in trial.CALLED.values())
    assert "not on turn" in page
    assert "nothing left to order" not in page
    assert f"{called} won" in (tmp_path / "pages" / "games.html").read_text()
    assert "Cedar" not in page + flat(table.last["birch"])


def test_orders_in_another_alphabet_get_a_receipt_and_play_the_turn_of_one_seat(table):
    card = hand(table, "amber")[0]
    letters = told(table, "amber", f"Ставлю {card} золота")
    assert f"Ставлю {card}" in letters["amber"][0]
    assert f"You say Ставлю {card}." in letters["amber"][0]
    assert match_of(table).missing() == ["birch"]
    assert "turn 2 waits for your orders" in letters["birch"][0]
    assert "turn 2 waits for your orders" not in letters["cedar"][0]


def test_orders_of_a_seat_that_is_not_on_turn_are_answered_and_not_taken(table):
    letters = told(table, "birch", "Пас")
    assert "It is not your turn." in letters["birch"][0]
    assert not match_of(table).standing


def test_a_game_is_played_to_its_end_and_told_whole(table):
    play(table)
    match = match_of(table)
    assert match.phase == "finished"
    assert match.turn == 10
    told_all = flat(table.last["amber"])
    assert "hand ?" not in told_all
    for seat in SEATS:
        assert " ".join(map(str, match.state["hands"][seat])) in told_all


def test_record_and_export_of_a_game_that_is_over_read_back_and_are_checked(table, tmp_path):
    play(table)
    told_history = history(table)
    reading = read_record(write_record(told_history))
    assert not reading.problems
    assert reading.history.state == told_history.state
    assert read_json(write_json(told_history)).state == told_history.state
    command(table, "verify")
    record = tmp_path / "tr-1.txt"
    record.write_text(write_record(told_history))
    command(table, "verify", str(record))
    command(table, "replay", str(record))


def test_record_and_export_of_a_game_that_goes_on_hold_no_cards(table):
    told(table, "amber", f"Ставлю {hand(table, 'amber')[0]}")
    for text in (write_record(history(table)), write_json(history(table))):
        assert "Ставлю" not in text
    command(table, "verify")
    assert json.loads(command(table, "game", "show", "tr-1", "--json"))["hands"]["birch"] == [0, 0, 0]


def test_two_of_three_play_on_when_one_resigns_and_the_last_one_wins(table):
    told(table, "birch", "resign")
    letters = told(table, "birch", "yes")
    assert match_of(table).phase == "running"
    assert "cedar" in letters
    told(table, "amber", "Пас")
    assert match_of(table).missing() == ["cedar"]
    told(table, "amber", "resign")
    told(table, "amber", "yes")
    result = match_of(table).result
    assert (result.winner, match_of(table).phase) == ("cedar", "finished")


def test_standing_orders_of_a_seat_that_is_not_on_turn_play_for_it_when_it_misses_its_turn(table):
    card = hand(table, "birch")[1]
    letters = told(table, "birch", f"Всегда {card}")
    assert set(letters) == {"birch"}
    assert f"Всегда {card}" in letters["birch"][0]
    assert match_of(table).missing() == ["amber"]
    told(table, "amber", "Пас")
    table.now += timedelta(days=4)
    table.poll()
    assert match_of(table).state["laid"]["birch"] == [card]


def test_standing_orders_with_a_token_of_long_ago_do_not_count(table):
    """Whoever has it may have found it anywhere."""
    old = table.last["birch"]
    play(table, 1)
    table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    table.now += timedelta(days=20)
    table.deliver(answer_letter(old, table.people["birch"], f"Всегда {hand(table, 'birch')[1]}", table.now).as_bytes())
    ((seat, letter),) = table.poll()
    assert seat == "birch"
    assert "turn 2" in flat(letter)
    assert not match_of(table).standing_orders


class Sided(trial.Trial):
    """Two seats on one side."""

    called = MappingProxyType({**trial.CALLED, "wood": Sentence("The Wood")})
    seats = staticmethod(lambda options: tuple(Chair(one, "amber" if one == "amber" else "wood") for one in SEATS))


@pytest.fixture
def sided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    add_trial(monkeypatch, Sided())
    table = trial_table(tmp_path / "desk")
    yield table
    table.close()


@pytest.mark.parametrize("word", ["wood", "birch"])
def test_seats_of_a_side_win_together_in_letters_on_pages_and_in_records(sided, tmp_path, word):
    command(sided, "game", "award", "tr-1", word, "--reason", "it is late")
    assert match_of(sided).winners() == ("birch", "cedar")
    sided.poll()
    assert "(The Wood)" in flat(sided.last["amber"])
    command(sided, "archive", "build", str(tmp_path / "site"))
    page = (tmp_path / "site" / "games.html").read_text()
    assert "The Wood won" in page
    assert page.partition("<footer>")[0].count("<b>") == 2
    record = command(sided, "export", "tr-1", "--format", "record")
    (tmp_path / "game.txt").write_text(record)
    assert "has won" in command(sided, "replay", str(tmp_path / "game.txt"))


def test_a_side_wins_when_all_seats_of_the_other_have_missed_too_many_turns(sided):
    match = replace(match_of(sided), missed={"amber": 99}, terms=replace(match_of(sided).terms, forfeit=1))
    assert ending(match).winner == "wood"
    match = replace(match, missed={"birch": 99})
    assert ending(match) is None


def test_the_game_takes_a_folder_with_at_most_150_lines_of_python():
    (module,) = Path(trial.__file__).parent.glob("*.py")
    assert len(module.read_text().splitlines()) <= 150


def test_a_game_master_gives_no_standing_orders_which_are_the_players_own(table):
    for text in (f"Всегда {hand(table, 'amber')[0]}", f"Ставлю {hand(table, 'amber')[0]}; Всегда 3"):
        letters = say_as_master(table, f"orders tr-1 amber: {text} because his mail is broken")
        assert "is a standing order, which only the player sends: leave it out." in flat(last_to(letters, GINA.address))
        assert match_of(table).missing() == ["amber"]
        assert match_of(table).standing == {}
