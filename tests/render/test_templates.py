"""Templates: what stands where, and what letters need from each game."""

import pytest

from pbem.games import GAMES
from pbem.games.base import TEMPLATES, Game
from pbem.resources import resource

FOLDER = resource("templates")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_has_every_template_that_letters_need_from_it(game: Game) -> None:
    missing = [
        f"{game.title} has no templates/games/{game.name}/{name}.j2, which says {what}"
        for name, what in TEMPLATES.items()
        if not (FOLDER / "games" / game.name / f"{name}.j2").is_file()
    ]
    assert not missing, "; ".join(missing)


def test_a_game_has_no_template_that_no_letter_asks_for() -> None:
    for folder in (FOLDER / "games").iterdir():
        assert folder.name in {game.name for game in GAMES}
        assert {path.stem for path in folder.iterdir()} == {*TEMPLATES}, folder.name


def test_a_section_is_found_by_its_name_alone() -> None:
    names = [path.name for folder in ("letters", "notices") for path in (FOLDER / folder).iterdir()]
    assert sorted(names) == sorted({*names})
