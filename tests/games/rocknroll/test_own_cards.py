"""A set of cards of one's own: a war keeps the cards it began with, whatever becomes of their file."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.games.base import GameError
from pbem.games.chance import any_chance
from pbem.games.rocknroll import Rocknroll
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.orders import Orders, PlayPairs, Strike

GAME: Any = Rocknroll()  # type: ignore[abstract]


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


def test_a_record_whose_cards_were_changed_is_told_so(file: Path) -> None:
    start = GAME.new({"set": str(file)}, any_chance())
    headers = GAME.headers(start, {"set": str(file)})
    headers["SetFile"] = headers["SetFile"].replace('"chance": 2', '"chance": 3')
    with pytest.raises(GameError, match="other cards"):
        GAME.from_headers(headers, any_chance())
