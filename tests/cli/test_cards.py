"""`pbem cards check`: all that is wrong with a file of cards, at once."""

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.main import main
from pbem.games.rocknroll.cardfile import find_set


def check(*words: object) -> Result:
    return CliRunner().invoke(main, ["cards", "check", *map(str, words)])


def test_a_right_file_is_told_with_what_is_in_it_and_its_hash(tmp_path: Path) -> None:
    source = find_set("expansion").source
    (tmp_path / "mine.json").write_text(source)
    done = check(tmp_path / "mine.json")
    assert done.exit_code == 0
    assert "30 units, 40 orders, Points A B E C D; switches: rd, graveyard" in done.output
    assert hashlib.sha256(source.encode()).hexdigest() in done.output


def test_every_problem_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    data = json.loads(find_set("base").source)
    data["units"]["Bao"]["chance"] = 7
    data["units"]["Mai"]["ru"] = "Бао"
    data["orders"]["Move"]["suit"] = "hearts"
    del data["numbers"]["victory"]["value"]
    (tmp_path / "mine.json").write_text(json.dumps(data))
    done = check(tmp_path / "mine.json")
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert len(lines) == 4
    for where in (
        "units, Bao, chance",
        "orders, Move, suit",
        "numbers, victory",
        '"бао" is the name of Bao and of Mai',
    ):
        assert any(line.startswith(f"{tmp_path / 'mine.json'}: {where}") for line in lines)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1, "a": 2}', "\ufeff{}", "[" * 100_000])
def test_a_file_that_is_none_is_told_without_a_traceback(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.json").write_text(text)
    done = check(tmp_path / "mine.json")
    assert done.exit_code == 1
    assert "Traceback" not in done.output


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    assert check(tmp_path / "missing.json").exit_code == 2
    assert check(tmp_path).exit_code == 2


def test_a_shipped_set_is_looked_at_by_its_name_and_a_game_without_cards_has_none() -> None:
    assert check("base").exit_code == 0
    assert "Ozymandia has no files of cards" in check("base", "--game", "ozymandia").output
