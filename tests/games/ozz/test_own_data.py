"""A map and counters of one's own: a match keeps what it began with, whatever becomes of the folder."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.games import find_game
from pbem.games.base import GameError
from pbem.games.chance import any_chance
from pbem.games.ozz.dataset import FILES, SHIPPED, find_data, hash_of
from pbem.record.notation import read_record, write_record
from pbem.store.histories import load_history
from pbem.store.matches import load_match

GAME: Any = find_game("ozz")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "mine", melee=9)


def written(folder: Path, melee: int) -> Path:
    """The shipped data, in which Zoraster's Guard strikes with another strength."""
    folder.mkdir(exist_ok=True)
    for file in FILES:
        data = json.loads(find_data(SHIPPED).source[file])
        if file == "counters":
            data["units"]["GUA"]["melee"] = melee
        (folder / f"{file}.json").write_text(json.dumps(data))
    return folder


def guard(state: Any) -> int:
    return int(state.data.counters["GUA"].melee)


def test_a_match_goes_on_with_the_data_it_began_with_when_the_folder_changes(folder: Path) -> None:
    kept = json.loads(json.dumps(GAME.dump(GAME.new({"data": str(folder)}, any_chance()))))
    written(folder, melee=1)
    assert guard(GAME.load(kept)) == 9
    assert GAME.dump(GAME.load(kept)) == kept


def test_a_match_goes_on_when_the_folder_is_broken_or_gone(folder: Path) -> None:
    kept = GAME.dump(GAME.new({"data": str(folder)}, any_chance()))
    (folder / "map.json").write_text("{")
    assert guard(GAME.load(kept)) == 9
    shutil.rmtree(folder)
    assert guard(GAME.load(kept)) == 9


def test_a_new_match_is_played_with_the_folder_as_it_is_now(folder: Path) -> None:
    assert guard(GAME.new({"data": str(folder)}, any_chance())) == 9
    written(folder, melee=1)
    assert guard(GAME.new({"data": str(folder)}, any_chance())) == 1


def test_no_match_is_made_with_data_that_are_wrong(folder: Path) -> None:
    written(folder, melee=-1)
    with pytest.raises(GameError, match="counters, units, GUA, melee"):
        GAME.new({"data": str(folder)}, any_chance())


def play_on(table: DemoDesk, rounds: int) -> None:
    for _ in range(rounds):
        for seat in load_match(table.store, 1).missing():
            table.write(seat, table.opponent_orders(seat))
        table.poll()


def test_a_match_by_letters_survives_a_change_of_its_data_and_its_record_carries_them(
    folder: Path, tmp_path: Path
) -> None:
    data = find_data(str(folder))
    table = DemoDesk(tmp_path / "desk", datetime(2026, 11, 21, 12, 0, tzinfo=UTC), "ozz", data=str(folder), turns=4)
    table.poll()
    play_on(table, 1)
    written(folder, melee=1)
    play_on(table, 1)
    (folder / "counters.json").write_text("{")
    play_on(table, 1)
    shutil.rmtree(folder)
    while not table.over():
        play_on(table, 1)
    text = write_record(load_history(table.store, 1))
    table.close()
    verified = CliRunner().invoke(main, ["--config", str(tmp_path / "desk" / "config.ini"), "verify"])
    assert verified.exit_code == 0, verified.output
    reading = read_record(text)
    assert not reading.problems
    assert reading.history
    assert reading.history.state.data.source == data.source
    assert f'[DataHash "{hash_of(data)}"]' in text


def test_a_record_whose_data_were_changed_is_told_so(folder: Path) -> None:
    start = GAME.new({"data": str(folder)}, any_chance())
    headers = GAME.headers(start, {"data": str(folder)})
    headers["DataCounters"] = headers["DataCounters"].replace('"melee": 9', '"melee": 8')
    with pytest.raises(GameError, match="other data"):
        GAME.from_headers(headers, any_chance())


# pbem data check


def check(*words: object) -> Result:
    return CliRunner().invoke(main, ["data", "check", *map(str, words)])


def test_a_right_folder_is_told_with_what_is_in_it_and_its_hash(folder: Path) -> None:
    done = check(folder)
    assert done.exit_code == 0
    assert "21 points, 4 nations; scenarios: meeting, hill, forest, sisters, siege." in done.output
    assert " marked values are house values." in done.output
    assert hash_of(find_data(str(folder))) in done.output


def test_the_shipped_data_are_looked_at_by_their_name_and_a_game_without_a_map_has_none() -> None:
    assert check(SHIPPED).exit_code == 0
    assert "Ozymandia has no folders of map and counters" in check(SHIPPED, "--game", "ozymandia").output


def test_every_problem_of_all_files_is_told_at_once(folder: Path) -> None:
    for file, old, new in (
        ("counters", '"melee": 9', '"melee": "nine"'),
        ("map", '"kind": "grounds"', '"kind": "swamp"'),
        ("values", '"die": {"value": 10', '"die": {"value": 1'),
    ):
        path = folder / f"{file}.json"
        path.write_text(path.read_text().replace(old, new))
    done = check(folder)
    assert done.exit_code == 1
    lines = done.output.splitlines()
    for where in ("counters, units, GUA, melee", "map, points, R1, kind", "values, die"):
        assert any(line.startswith(f"{folder}: {where}: ") for line in lines)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"3", b'{"a": 1, "a": 2}', b"[" * 100_000, b"\xff\xfe", b" " * 300_000]
)
@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_none_is_told_without_a_traceback(folder: Path, file: str, text: bytes) -> None:
    (folder / f"{file}.json").write_bytes(text)
    done = check(folder)
    assert done.exit_code == 1
    assert file in done.output
    assert "Traceback" not in done.output


def test_what_is_nothing_to_look_into_is_told_once(folder: Path) -> None:
    (folder / "values.json").write_text("[]")
    assert check(folder).output.splitlines() == [f"{folder}: values: this should be an object, not []."]


def test_all_files_that_are_missing_are_told(folder: Path) -> None:
    for file in ("map", "values"):
        (folder / f"{file}.json").unlink()
    done = check(folder)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        f"{folder}: There is no file {file}.json, or it cannot be read." for file in ("map", "values")
    ]


def test_a_folder_that_is_not_there_and_a_file_are_wrong_use(folder: Path) -> None:
    missing = check(folder / "missing")
    assert missing.exit_code == 2
    assert "with map.json, counters.json, values.json, scenarios.json" in missing.output
    assert check(folder / "map.json").exit_code == 2
