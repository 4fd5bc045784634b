"""Images of positions: small, the same everywhere, and drawn from what their reader may see."""

import sys
from dataclasses import replace
from io import BytesIO

import pytest
from pbem_harbours import WAYS, Harbours, State
from PIL import Image

from pbem import ENGLISH, Say
from pbem.games import GAMES
from pbem.games.base import OPEN, AnyGame
from pbem.games.chance import SecretChance
from pbem.i18n.languages import say_in
from pbem.match.sections import board_of
from pbem.render import images
from pbem.render.images import MAX_BYTES, Images, rasterise

pytestmark = pytest.mark.usefixtures("images")

WORD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><text x="5" y="20" font-family="{}">{}</text></svg>'


def first_map(game: AnyGame, say: Say = ENGLISH) -> str:
    """The map of a game that has just been set up."""
    state = game.new({}, SecretChance(bytes(32)))
    return game.svg(game.view(state, OPEN if game.hides else None), say=say)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_map_is_a_small_image_of_twice_the_width_of_a_phone(game: AnyGame, language: str) -> None:
    png = rasterise(first_map(game, say_in(language)))
    image = Image.open(BytesIO(png))
    assert (image.format, image.width, image.mode) == ("PNG", 720, "P")
    assert 1_000 < len(png) <= MAX_BYTES
    assert rasterise(first_map(game, say_in(language))) == png


@pytest.mark.parametrize("family", ["serif", "sans-serif", "monospace", "Palatino, Georgia", ""])
def test_letters_of_every_family_come_from_the_fonts_of_the_program(family: str) -> None:
    drawn = {rasterise(WORD.format(family, word)) for word in ("", "Mu", "Ω", "Ж", "Щ", "ß", "★")}
    assert len(drawn) == 7
    assert rasterise(WORD.format("DejaVu Sans", "Щ")) in drawn


def test_the_background_is_light_because_letters_may_be_dark() -> None:
    assert Image.open(BytesIO(rasterise(WORD.format("serif", "")))).convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_an_image_that_would_be_too_large_has_fewer_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = first_map(GAMES["ozymandia"])
    whole = rasterise(svg)
    monkeypatch.setattr(images, "MAX_BYTES", len(whole) - 1)
    smaller = rasterise(svg)
    assert 0 < len(smaller) < len(whole)
    monkeypatch.setattr(images, "MAX_BYTES", 100)
    assert rasterise(svg) == b""


def test_what_is_no_drawing_becomes_no_image() -> None:
    for svg in ("", "<svg", WORD.format("", "\x01")):
        assert Images().of(svg) is None


def test_a_drawing_that_a_phone_would_show_too_small_or_too_long_becomes_no_image() -> None:
    svg = WORD.format("serif", "Mu")
    drawn = [bool(rasterise(svg.replace("90 30", size))) for size in ("1440 400", "1441 400", "90 270", "90 271")]
    assert drawn == [True, False, True, False]


@pytest.mark.parametrize("library", ["resvg_py", "PIL.PngImagePlugin"])
def test_there_are_no_images_without_the_libraries(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert Images().of(first_map(GAMES["ozymandia"])) is None


def test_a_run_draws_so_many_images_and_each_of_them_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(images, "rasterise", lambda svg: drawn.append(svg) or b"png")
    monkeypatch.setattr(images, "MAX_DRAWN", 2)
    of_run = Images()
    first, second, third = (f"<svg><title>{one}</title><text>{one}</text></svg>" for one in "ABC")
    shown = [of_run.of(svg) for svg in (first, second, third, first)]
    assert [image.words if image else None for image in shown] == ["A", "B", None, "A"]
    assert len(drawn) == 2


def test_two_readers_who_see_the_same_share_an_image_and_each_has_their_own_words() -> None:
    of_run = Images()
    mine, yours = (
        of_run.of(WORD.format("", "Mu").replace("<text", f"<title>{who}</title><desc>Hand: 1 &lt; 2</desc><text", 1))
        for who in ("You", "They")
    )
    assert mine
    assert yours
    assert (mine.cid, mine.png) == (yours.cid, yours.png)
    assert (mine.words, yours.words) == ("You\nHand: 1 < 2", "They\nHand: 1 < 2")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_words_for_an_image_are_whole_lines_and_short(game: AnyGame) -> None:
    svg = first_map(game)
    image = Images().of(svg)
    assert image
    assert 40 < len(image.words) <= 500
    assert all(line in svg.replace("&#x27;", "'") for line in image.words.splitlines())


def test_an_image_shows_nothing_that_its_reader_may_not_see() -> None:
    game = Harbours()
    here = State(
        turn=1, ships={"gull": "Ash", "heron": "Elm"}, holds={"gull": 0, "heron": 0},
        hands={"gull": (1, 4, 6, 7, 10), "heron": (2, 3, 5, 8, 9)}, cargo=dict.fromkeys(WAYS, 2),
    )  # fmt: skip
    there = replace(here, hands={**here.hands, "heron": (11, 12, 13, 14, 15)})

    def seen_by(seat: str, state: State) -> images.Image | None:
        return Images().of(board_of(game, game.view(state, seat), game.view(here, seat))["draw"](ENGLISH))

    assert seen_by("gull", here) == seen_by("gull", there)
    assert seen_by("heron", here) != seen_by("heron", there)
