"""A set of cards of one's own: a war keeps the cards it began with, whatever becomes of their file."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.games import find_game
from pbem.games.base import GameError
from pbem.games.chance import any_chance
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.orders import Orders, PlayPairs, Strike
from pbem.record.notation import read_record, write_record
from pbem.store.histories import load_history
from pbem.store.matches import load_match

GAME: Any = find_game("rocknroll")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "mine.json", chance=2)


def written(path: Path, chance: int) -> Path:
    """The base set, in which Johnny hits on another number."""
    data = json.loads(find_set("base").source)
    data["units"]["Johnny"]["chance"] = chance
    path.write_text(json.dumps(data))
    return path


def johnny(state: Any) -> int:
    return int(state.cards.units["Johnny"].chance)


def test_a_war_goes_on_when_the_file_of_its_cards_is_gone_or_broken(file: Path) -> None:
    kept = GAME.dump(GAME.new({"set": str(file)}, any_chance()))
    file.write_text("{")
    assert johnny(GAME.load(kept)) == 2
    file.unlink()
    assert johnny(GAME.load(kept)) == 2


def test_a_new_war_is_played_with_the_file_as_it_is_now(file: Path) -> None:
    assert johnny(GAME.new({"set": str(file)}, any_chance())) == 2
    written(file, chance=6)
    assert johnny(GAME.new({"set": str(file)}, any_chance())) == 6


def test_the_cards_of_a_war_decide_its_dice(file: Path) -> None:
    state = placed(f"set: {file}; A vpa: Johnny; A vietnam: Scout; hand vpa: Attack")
    kept = GAME.load(GAME.dump(state))
    written(file, chance=6)
    attack = Orders(commands=(PlayPairs("Attack", (Strike("Johnny", "Scout"),)),))
    events = GAME.resolve(kept, {"vpa": attack}, any_chance()).events
    assert next(event for event in events if event["type"] == "attack")["need"] == 2


def test_a_shipped_set_is_kept_by_its_name() -> None:
    assert GAME.dump(GAME.new({"set": "expansion"}, any_chance()))["set"] == "expansion"


def test_what_is_told_of_a_set_has_its_hash_and_how_much_of_it_is_made_up(file: Path) -> None:
    told = GAME.describe_cards(str(file))
    assert "16 units, 40 orders, Points A B C D" in told
    assert " marked values are house values." in told
    with pytest.raises(GameError, match="There is no set of cards"):
        GAME.describe_cards("missing.json")


def test_a_war_by_letters_survives_a_change_of_its_cards_and_its_record_carries_them(
    file: Path, tmp_path: Path
) -> None:
    source = file.read_text()
    table = DemoDesk(
        tmp_path / "desk", datetime(2026, 11, 21, 12, 0, tzinfo=UTC), "rocknroll", set=str(file), length="short"
    )
    table.poll()
    for change in ("changed", "broken", "gone"):
        for _ in range(3):
            (seat,) = load_match(table.store, 1).missing()
            table.write(seat, table.opponent_orders(seat))
            table.poll()
        if change == "changed":
            written(file, chance=6)
        elif change == "broken":
            file.write_text("{")
        else:
            file.unlink()
    while not table.over():
        (seat,) = load_match(table.store, 1).missing()
        table.write(seat, table.opponent_orders(seat))
        table.poll()
    text = write_record(load_history(table.store, 1))
    table.close()
    verified = CliRunner().invoke(main, ["--config", str(tmp_path / "desk" / "config.ini"), "verify"])
    assert verified.exit_code == 0, verified.output
    reading = read_record(text)
    assert not reading.problems
    assert reading.history
    assert reading.history.state.cards.source == source
    assert f'[SetHash "{sha256(source.encode()).hexdigest()}"]' in text


def test_a_record_whose_cards_were_changed_is_told_so(file: Path) -> None:
    start = GAME.new({"set": str(file)}, any_chance())
    headers = GAME.headers(start, {"set": str(file)})
    headers["SetFile"] = headers["SetFile"].replace('"chance": 2', '"chance": 3')
    with pytest.raises(GameError, match="other cards"):
        GAME.from_headers(headers, any_chance())
