"""`pbem record`, `pbem replay` and `pbem import`: games out of one archive, on the table, and into another."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.wars import wars
from pbem.cli.demo import DemoDesk
from pbem.record.history import History, Remark
from pbem.record.notation import check_checksum, read_record, write_record
from pbem.store.histories import load_history
from support.commands import pbem, wrong
from support.correspondents import ALICE, BOB, Correspondents, sure
from support.game_masters import say
from support.random_games import games
from support.tables import play

SECRET = "1 W to WC"


@pytest.fixture
def config(table: DemoDesk) -> Path:
    return table.config.path


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The configuration of another desk, with nothing in it."""
    assert pbem("init", tmp_path / "other").exit_code == 0
    return tmp_path / "other" / "config.ini"


def record(config: Path, *words: str) -> str:
    done = pbem("--config", config, "record", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def shown(config: Path, name: str) -> dict[str, object]:
    return json.loads(pbem("--config", config, "game", "show", name, "--json").stdout)


def finished(table: DemoDesk, tmp_path: Path) -> Path:
    """The record of a game that was played, talked about, set back, corrected and awarded."""
    play(table, "3 A to M", "1 H to S")
    table.write("red", "press: {Sorry}, I was away.\nend press")
    table.poll()
    play(table, "Pass", "3 E to U")
    say(table, "rollback oz-1 2 because a letter was lost")
    play(table, "2 M to MC")
    say(table, "position oz-1 red A3 M2 bombs 1 blue H4 bombs 2 because the board was wrong")
    play(table)
    say(table, "award oz-1 blue because red has left")
    path = tmp_path / "oz-1.txt"
    path.write_text(record(table.config.path, "oz-1", "--press"))
    return path


# record


def test_a_record_tells_a_game_and_is_read_the_same(table, tmp_path):
    text = finished(table, tmp_path).read_text()
    found = read_record(text)
    assert (found.problems, found.checksum) == ((), True)
    history = load_history(table.store, 1, press=True)
    assert write_record(found.history) == text
    assert [type(one) for one in found.history.steps] == [type(one) for one in history.steps]
    assert found.history.turns()[-1].after == history.turns()[-1].after
    assert str(found.history.result.reason) == str(history.result.reason)


def test_press_stands_only_in_a_record_that_is_asked_to_have_it(table, tmp_path, config):
    assert r"press red @" in finished(table, tmp_path).read_text()
    assert "Sorry" not in record(config, "oz-1")
    assert check_checksum(record(config, "oz-1"))


def test_nothing_secret_of_a_running_game_stands_in_its_record(table, config):
    play(table)
    table.write("red", SECRET)
    table.poll()
    text = record(config, "oz-1", "--press")
    assert SECRET not in text
    assert "@example" not in text
    assert '[Result "*"]' in text


def test_all_records_follow_each_other_and_are_played_again(table, tmp_path, config):
    path = tmp_path / "games.txt"
    path.write_text("\n".join(write_record(game) for game in games(9) if game.phase() != "running"))
    pbem("--config", config, "import", path)
    every = record(config, "--all")
    assert every.count("[Game ") == len(json.loads(pbem("--config", config, "game", "list", "--json").stdout))
    assert pbem("replay", "-", text=every).exit_code == 0


def test_an_invitation_that_nobody_has_accepted_has_no_record(table, config):
    say(table, "invite carol@example.org and dave@example.edu")
    assert "oz-2" not in record(config, "--all")
    assert wrong(2, "--config", config, "record", "oz-2") == "oz-2 has not begun, so there is no record of it."


def test_a_forgotten_player_is_a_player_in_the_record(table, config):
    people = Correspondents(table)
    people.write(ALICE, "press: I am Alice.\nend press")
    people.write(ALICE, "resign")
    people.write(ALICE, "yes")
    sure(people, ALICE, "forget me")
    text = record(config, "oz-1", "--press")
    assert '[Red "a player"]' in text
    assert "Alice" not in text
    assert pbem("replay", "-", text=text).exit_code == 0


def test_which_games_has_to_be_said(config):
    assert "Say which games, or --all." in pbem("--config", config, "record").stderr
    assert pbem("--config", config, "record", "oz-1", "--all").exit_code == 2
    assert wrong(2, "--config", config, "record", "oz-9").startswith('There is no game "oz-9"')


# replay


def test_a_replay_shows_where_a_game_stands_with_the_keys_of_game_show(table, config):
    play(table, "3 A to M", "1 H to S")
    replayed = json.loads(pbem("replay", "--json", "-", text=record(config, "oz-1")).stdout)
    assert {**shown(config, "oz-1"), "deadline": None} == replayed


def test_a_replay_tells_a_turn_with_its_report_and_board(table, tmp_path):
    done = pbem("replay", finished(table, tmp_path), "--turn", "2")
    assert done.exit_code == 0
    assert "Turn 2\n  Red: 2 M to MC\n" in done.stdout
    assert "MC Red 2" in done.stdout
    assert "( MC Red 2   * )" in done.stdout


def test_a_replay_without_a_turn_shows_the_last_board_and_the_result(table, tmp_path):
    done = pbem("replay", finished(table, tmp_path))
    assert done.stdout.startswith("oz-1: Ozymandia, 3 turns. red Alice, blue Bob.")
    assert "Blue has won. The game master awarded the game to Bob (Blue)." in done.stdout


def test_a_turn_that_was_not_played_is_said(table, config):
    done = pbem("replay", "-", "--turn", "3", text=record(config, "oz-1"))
    assert (done.exit_code, done.stderr) == (1, "pbem: -, line 1, oz-1: turn 3 was not played.\n")


def test_a_difference_is_named_with_file_line_and_game_and_the_next_game_is_played(tmp_path):
    orders = {"oz-1": "Pass", "oz-2": "9 A to M", "oz-3": "Pass"}
    texts = [f'[Game "{name}"]\n\n1. 3 A to M | Pass\n2. {told} | Pass\n' for name, told in orders.items()]
    path = tmp_path / "games.txt.gz"
    path.write_bytes(gzip.compress("\n".join(texts).encode()))
    done = pbem("replay", "--json", path)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"pbem: {path}, line 9, oz-2: Red's orders of turn 2 cannot be carried out.")
    assert [json.loads(line)["turn"] for line in done.stdout.splitlines()] == [3, 2, 3]


def test_what_cannot_be_read_at_all_is_said_by_the_status(tmp_path):
    (tmp_path / "empty").write_text("")
    (tmp_path / "prose").write_text("Dear Bob,\n")
    assert wrong(2, "replay", tmp_path / "empty") == f"{tmp_path / 'empty'}: there is no game in it."
    assert wrong(2, "replay", tmp_path / "none") == f"{tmp_path / 'none'} cannot be read: No such file or directory."
    assert wrong(2, "replay", tmp_path) == f"{tmp_path} cannot be read: Is a directory."
    assert wrong(2, "replay", tmp_path / "prose").startswith(f"{tmp_path / 'prose'}, line 1, a game: it cannot be read")


def test_a_record_cannot_talk_to_the_terminal():
    text = '[Game "oz-1\\u001b[2J"]\n[Red "\\u001b]0;x\\u0007"]\n\n1. Pass | Pass #00000000\n'
    done = pbem("replay", "-", text=text)
    assert "\x1b" not in done.stdout + done.stderr


# import


def test_an_imported_game_has_the_same_record_and_looks_the_same(table, tmp_path, config, other):
    path = finished(table, tmp_path)
    done = pbem("--config", other, "import", path)
    assert (done.exit_code, done.stdout) == (0, "oz-1 is in the archive as oz-1.\n")
    assert record(other, "oz-1", "--press") == path.read_text()
    assert record(other, "oz-1") == record(config, "oz-1")
    assert shown(other, "oz-1") == shown(config, "oz-1")


def test_any_game_that_is_over_keeps_its_record(other, tmp_path):
    over = {game.name: game for game in games(60) if game.phase() != "running"}
    path = tmp_path / "games.txt"
    path.write_text("\n".join(map(write_record, over.values())))
    done = pbem("--config", other, "import", path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert pbem("--config", other, "verify").exit_code == 0
    for name, game in over.items():
        assert record(other, name, "--press") == write_record(game)
        assert record(other, name) == write_record(_without_press(game))


def _without_press(game: History) -> History:
    return replace(game, steps=tuple(one for one in game.steps if not (isinstance(one, Remark) and one.seat)))


def test_a_game_is_imported_once_whatever_it_is_called(table, tmp_path, config, other):
    path = finished(table, tmp_path)
    renamed = path.read_text().replace('"oz-1"', '"oz-7"').split("\n")
    (tmp_path / "renamed").write_text(
        "\n".join(line for line in renamed if not line.startswith(("[Checksum", "press")))
    )
    assert pbem("--config", config, "import", path).stdout == "oz-1 is here already.\n"
    pbem("--config", other, "import", path)
    assert pbem("--config", other, "import", path, tmp_path / "renamed").stdout == (
        "oz-1 is here already.\noz-7 is here already.\n"
    )


def test_a_name_that_is_taken_is_not_taken_twice(table, tmp_path, config):
    changed = finished(table, tmp_path).read_text().replace("Alice", "Carol")
    path = tmp_path / "other.txt"
    path.write_text("\n".join(line for line in changed.split("\n") if not line.startswith("[Checksum")))
    assert pbem("--config", config, "import", path).stdout == "oz-1 is in the archive as oz-2.\n"
    assert pbem("--config", config, "record", "oz-2").stdout.startswith('[Game "oz-2"]')
    assert "oz-3" in pbem("--config", config, "game", "new", "--red", f"A <{ALICE}>", "--blue", f"B <{BOB}>").stdout


def test_games_of_different_kinds_keep_their_names_though_these_have_one_number(table, tmp_path, config):
    (war,) = wars(1)
    path = tmp_path / "wars.txt"
    path.write_text("\n".join(write_record(replace(war, name=name)) for name in ("rnr-1", "rnr-4")))
    assert pbem("--config", config, "import", path).stdout == (
        "rnr-1 is in the archive as rnr-1.\nrnr-4 is here already.\n"
    )
    path.write_text(write_record(replace(war, name="rnr-4", players=dict.fromkeys(war.players, "Zoe"))))
    assert pbem("--config", config, "import", path).stdout == "rnr-4 is in the archive as rnr-4.\n"
    told = pbem("--config", config, "game", "new", "--red", f"A <{ALICE}>", "--blue", f"B <{BOB}>").stdout
    assert "oz-5" in told
    assert pbem("--config", config, "verify").exit_code == 0


def test_a_game_that_goes_on_or_has_a_mistake_in_it_stays_outside(table, tmp_path, other):
    play(table)
    (tmp_path / "running").write_text(record(table.config.path, "oz-1"))
    (tmp_path / "wrong").write_text(finished(table, tmp_path).read_text().replace("Bob", "Rob"))
    done = pbem("--config", other, "import", tmp_path / "running", tmp_path / "wrong")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "oz-1: it is not over, and only games that are over can be imported." in done.stderr
    assert "oz-1: the checksum does not fit" in done.stderr
    assert pbem("--config", other, "game", "list", "--json").stdout == "[]\n"


def test_nobody_is_rated_or_written_to_for_a_game_that_is_imported(table, tmp_path, other):
    pbem("--config", other, "import", finished(table, tmp_path))
    people = json.loads(pbem("--config", other, "player", "list", "--json").stdout)
    assert [(one["name"], one["address"]) for one in people] == [("Alice", None), ("Bob", None)]
    assert pbem("--config", other, "poll").output == ""
    assert not [*(other.parent / "mail" / "out" / "new").iterdir()]


def test_openings_of_games_that_are_over_are_printed_as_a_tree_and_of_others_nothing(table, config, tmp_path):
    before = pbem("--config", config, "archive", "openings", "ozymandia")
    assert before.stdout == "Games of Ozymandia that are over: 0\n"
    finished(table, tmp_path)
    lines = pbem("--config", config, "archive", "openings", "ozymandia").stdout.splitlines()
    assert lines[0] == "Games of Ozymandia that are over: 1"
    assert lines[2:5] == ["Red", "   1 x   0 %  3 A to M", "       1 x   0 %  2 M to MC"]
    at = lines.index("Blue")
    assert lines[at + 1 :][:2] == ["   1 x 100 %  1 H to S", "       1 x 100 %  Pass"]
    assert pbem("--config", config, "archive", "openings", "ozymandia", "--least", 2).stdout.splitlines()[-1] == "Blue"
    assert "There is no game" in wrong(2, "--config", config, "archive", "openings", "chess")
