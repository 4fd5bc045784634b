"""Templates: what stands where, and what letters need from each game."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from jinja2 import UndefinedError

from pbem import Sentence
from pbem.archive.assets import style
from pbem.games import GAMES
from pbem.games.base import TEMPLATES, AnyGame, Span, seats_of
from pbem.match.effects import Section
from pbem.render.blocks import Blocks, dark, looks_of
from pbem.render.letters import render_letter
from pbem.resources import resource

FOLDER = resource("templates")
_OF_SOME_GAMES = re.compile(r"\b(ozymandia|pieces|cities|city|red|blue|bombard\w*)\b", re.IGNORECASE)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_has_every_template_that_letters_need_from_it(game: AnyGame) -> None:
    missing = [
        f"{game.title} has no templates/games/{game.name}/{name}.j2, which says {what}"
        for name, what in TEMPLATES.items()
        if not (FOLDER / "games" / game.name / f"{name}.j2").is_file()
    ]
    assert not missing, "; ".join(missing)


def test_a_game_has_no_template_that_no_letter_asks_for() -> None:
    for folder in (FOLDER / "games").iterdir():
        assert folder.name in {game.name for game in GAMES.values()}
        assert {path.stem for path in folder.iterdir()} == {*TEMPLATES}, folder.name


def test_a_section_is_found_by_its_name_alone() -> None:
    names = [path.name for folder in ("letters", "notices") for path in (FOLDER / folder).iterdir()]
    assert sorted(names) == sorted({*names})


@pytest.mark.parametrize(("template", "key"), [("notice", "reason"), ("course", "what")])
def test_a_notice_whose_name_has_no_sentence_fails_rather_than_saying_nothing(template: str, key: str) -> None:
    section = Section(template, {key: "no such name", "match": None, "seat": None})
    frame = {
        "language": "en",
        "now": datetime(2026, 11, 26, tzinfo=UTC),
        "zone": ZoneInfo("UTC"),
        "title": "",
        "to": ("", ""),
    }
    with pytest.raises(UndefinedError, match="no_such_name"):
        render_letter([section], {**frame, "run": "", "last_run": "", "notes": (), "game_master": "gm@example.org"})


def test_what_letters_say_of_a_game_is_sentences_that_can_be_put_into_other_languages() -> None:
    for game in GAMES.values():
        assert all(isinstance(words, Sentence) for words in game.phrases), game.name


def test_every_seat_has_a_sign_of_its_own_in_letters_and_on_pages() -> None:
    css = style(tuple(GAMES.values()))
    for game in GAMES.values():
        for seat in seats_of(game, {}):
            sign, page = game.signs[seat], Blocks()
            page.picture(((Span("Here", seat),),), (), game.signs)
            shown = f'<span class="seat-{seat}" style="color:{sign.light};font-weight:bold">Here</span>'
            assert shown in looks_of(*page.written).html
            assert f".seat-{seat}{{color:{sign.dark} !important}}" in dark(page.written)
            assert css.count(f".side.{game.name}-{seat}::before") == 4  # its shape; on light ground, on dark, on paper
        assert len({game.signs[seat] for seat in seats_of(game, {})}) == len(seats_of(game, {}))


def test_the_service_says_nowhere_what_only_some_games_have() -> None:
    for folder in ("letters", "notices", "site"):
        for path in sorted((FOLDER / folder).iterdir()):
            if path.suffix in (".j2", ".css") and path.stem != "standings":
                found = _OF_SOME_GAMES.search(path.read_text())
                assert not found, f"{path.name}: {found}"
