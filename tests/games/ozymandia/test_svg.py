"""The map as a picture: each area once, the position's numbers, an arrow for each move, to be read by everybody."""

import re
from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest
from lxml import etree

from pbem.games import find_game
from pbem.games.ozymandia.board import SHIPPED, SLOT, Board, find_board, parse_board
from pbem.games.ozymandia.layout import BOX_WIDTH, lay_out
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import SEATS, State, parse_state
from pbem.games.ozymandia.svg import DARK, LIGHT, PRINT, STYLE
from pbem.i18n.languages import say_in

GAME = find_game("ozymandia")
LATTICE = find_board("lattice")
SVG = "{http://www.w3.org/2000/svg}"
LONG = {
    "Shangri-La City": "Shangri La and the Nine Hidden Doors",
    "Ulteria": "Llanfairpwllgwyngyllgogerychwyrndrobwll",
    "Amber City": "Qart Hadasht d'Afrique",
    "Mu": "Þingvellir",
}


def undrawn(board: Board) -> Board:
    return parse_board(re.sub(r"(?s)drawing = '''.*?'''\n", "", board.source))


def renamed(board: Board) -> Board:
    source = board.source
    for old, new in LONG.items():
        source = source.replace(f'"{old}"', f'"{new}"')
    return parse_board(source)


def in_one_column() -> Board:
    """A board as narrow as can be, with a way between the first province and the last."""
    codes = "PQRSU"
    lines = [
        *('name = "tower"', "drawing = '''", *(f"{code + city:<2} ........." for code in codes for city in ("", "C"))),
        *("'''", f"passes = {[f'{a}-{b}' for a, b in combinations(codes, 2)]}"),
        *("[provinces]", *(f'{code} = "Land {code * 3}"' for code in codes)),
        *("[cities]", *(f'{code}C = "Castle {code * 3}"' for code in codes)),
        *("[setup]", "red = { P = 3 }", "blue = { U = 3 }"),
    ]
    return parse_board("\n".join(lines))


BOARDS = {
    **{name: find_board(name) for name in SHIPPED},
    **{f"{name} without a drawing": undrawn(find_board(name)) for name in SHIPPED},
    "long names": renamed(LATTICE),
    "one column": in_one_column(),
}
any_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS.keys())


def state(board: Board, text: str) -> State:
    return parse_state(text, board)


def parsed(text: str) -> etree._Element:
    return etree.fromstring(text)


def texts(element: etree._Element, group: str) -> list[str]:
    """All texts within the groups of a class."""
    return element.xpath(f'.//*[local-name()="g"][@class="{group}"]/*[local-name()="text"]/text()')


def shapes(element: etree._Element) -> Counter[str]:
    """How often each shape is used."""
    return Counter(element.xpath('.//*[local-name()="use"]/@href'))


def moves(*found: str) -> tuple[Move, ...]:
    return tuple(Move(int(count), origin, target) for count, origin, _, target in (text.split() for text in found))


def turn(text: str, red: Orders | None = None, blue: Orders | None = None) -> etree._Element:
    """The picture of a turn on the lattice."""
    before = state(LATTICE, text)
    ruling = GAME.resolve(before, {"red": red or Orders(), "blue": blue or Orders()})
    return parsed(GAME.overlay(ruling.state, before, ruling.events))


def any_position(board: Board, random: Random) -> State:
    pieces: dict[str, dict[str, int]] = {seat: {} for seat in SEATS}
    for code in board.areas:
        if seat := random.choice(["", *SEATS]):
            pieces[seat][code] = random.choice([1, random.randint(1, 30), random.randint(1, 1200)])
    return State(board, random.randint(1, 99), pieces, {"red": 3, "blue": 3})


def any_orders(position: State, seat: str, random: Random) -> Orders:
    """From some areas a move of one piece or more; perhaps a bombardment."""
    board = position.board
    marching = [(area, number) for area, number in position.pieces[seat].items() if random.random() < 0.4]
    return Orders(
        moves=tuple(
            Move(random.randint(1, number), area, random.choice(sorted(board.adjacent[area])))
            for area, number in marching
        ),
        bomb=random.choice([None, *board.areas]),
    )


# --- the plan ---------------------------------------------------------------------------------------------------


@any_board
def test_the_plan_draws_every_area_once_with_code_and_name(board):
    plan = parsed(GAME.plan(State(board, 1, board.setup, {"red": 3, "blue": 3})))
    kinds = Counter(area.kind for area in board.areas.values())
    used = shapes(plan)
    assert (used["#board-province"], used["#board-city"]) == (kinds["province"], kinds["city"])
    assert sorted(texts(plan, "board-code")) == sorted(board.areas)
    shown = "".join(texts(plan, "board-name")).replace(" ", "").replace("-", "")
    for area in board.areas.values():
        assert area.name.replace(" ", "").replace("-", "") in shown


@any_board
def test_the_plan_draws_every_way_once(board):
    plan = parsed(GAME.plan(State(board, 1, board.setup, {"red": 3, "blue": 3})))
    for kind, drawn in (("pass", "road"), ("gate", "gate"), ("bridge", "deck")):
        paths = plan.xpath(f'.//path[@class="board-{drawn}"]/@d')
        legend = 1
        assert "".join(paths).count("M") == sum(link.kind == kind for link in board.links) + legend


@any_board
def test_no_box_touches_another_and_all_lie_in_the_picture(board):
    layout = lay_out(board)
    for (ax, ay), (bx, by) in combinations(layout.places.values(), 2):
        assert abs(ax - bx) > BOX_WIDTH + 20 or abs(ay - by) > layout.box_height + 20
    for x, y in layout.places.values():
        assert BOX_WIDTH / 2 < x < layout.width - BOX_WIDTH / 2
        assert layout.box_height / 2 < y < layout.height - layout.box_height / 2


@pytest.mark.parametrize("name", SHIPPED)
def test_on_a_shipped_board_no_way_leads_through_an_area_that_is_not_its_end(name):
    board = find_board(name)
    layout = lay_out(board)
    for (a, b), way in layout.ways.items():
        for code, (x, y) in layout.places.items():
            points = [way.point_at(step / 50) for step in range(51)]
            if code not in (a, b):
                assert all(abs(p.x - x) > BOX_WIDTH / 2 or abs(p.y - y) > layout.box_height / 2 for p in points)


@pytest.mark.parametrize("name", SHIPPED)
def test_areas_lie_as_they_do_in_the_map_of_the_letters(name):
    board = find_board(name)
    at = {slot[1]: (slot.start(), row) for row, line in enumerate(board.drawing) for slot in SLOT.finditer(line)}
    places = lay_out(board).places
    for a, b in combinations(board.areas, 2):
        if abs(at[a][0] - at[b][0]) > 6:
            assert (at[a][0] < at[b][0]) == (places[a].x < places[b].x)
        if at[a][1] != at[b][1]:
            assert (at[a][1] < at[b][1]) == (places[a].y < places[b].y)


def test_a_long_name_is_squeezed_into_its_box_and_broken_into_two_lines():
    board = BOARDS["long names"]
    assert lay_out(board).names["U"] == ("Llanfairpwllgwyngyl-", "lgogerychwyrndrobwll")
    assert lay_out(board).names["AC"] == ("Qart Hadasht", "d'Afrique")
    plan = parsed(GAME.plan(State(board, 1, board.setup, {"red": 3, "blue": 3})))
    assert all(float(length) <= BOX_WIDTH for length in plan.xpath(".//text/@textLength"))


def test_a_board_that_is_reconstructed_says_so_and_another_does_not():
    said = "The board is our reconstruction of the original"
    start = State(LATTICE, 1, LATTICE.setup, {"red": 3, "blue": 3})
    assert said in texts(parsed(GAME.plan(start)), "board-legend")
    assert said in GAME.svg(start).partition("<style>")[0]
    tower = BOARDS["one column"]
    assert said not in GAME.svg(State(tower, 1, tower.setup, {"red": 3, "blue": 3}))


def test_the_picture_speaks_german():
    say = say_in("de")
    start = State(LATTICE, 1, LATTICE.setup, {"red": 3, "blue": 3})
    assert "Brücke" in texts(parsed(GAME.plan(start, say=say)), "board-legend")
    assert texts(parsed(GAME.overlay(start, say=say)), "stand red") == ["Rot 3"] * 3


# --- the overlay ------------------------------------------------------------------------------------------------


@any_board
@pytest.mark.parametrize("seed", [0, 1])
def test_any_turn_is_well_formed_and_shows_what_is_so(board, seed):
    random = Random(seed)
    for _ in range(100):
        before = any_position(board, random)
        check_turn(before, {seat: any_orders(before, seat, random) for seat in SEATS})


def check_turn(before: State, orders: dict[str, Orders]) -> None:
    """The picture of a turn has what the position and the events have, no more and no less."""
    ruling = GAME.resolve(before, orders)
    picture = parsed(GAME.overlay(ruling.state, before, ruling.events))
    used = shapes(picture)
    assert used["#board"] == 1
    for seat in SEATS:
        name, pieces = seat.capitalize(), ruling.state.pieces[seat]
        assert texts(picture, f"stand {seat}") == [
            f"{name} {pieces[area]}" if pieces[area] <= 999 else f"{name}>999" for area in ruling.state.areas(seat)
        ]
        marched = [event for event in ruling.events if event["type"] == "move" and event["seat"] == seat]
        assert len(picture.xpath(f'.//g[@class="march {seat}"]/path')) == len(marched)
        shown = [str(event["count"]) if event["count"] <= 999 else ">999" for event in marched]
        assert texts(picture, f"march {seat}") == shown
    types = Counter(event["type"] for event in ruling.events)
    assert used["#board-battle"] == types["battle"] + types["crossing"]
    assert used["#board-lightning"] == types["bombardment"]
    changed = sum(
        any(before.pieces[seat].get(area) != ruling.state.pieces[seat].get(area) for seat in SEATS)
        for area in before.board.areas
    )
    assert len(texts(picture, "board-changed")) == changed


def test_numbers_stand_in_their_areas():
    picture = turn("6 red A3 bombs 3 blue EC250 bombs 3")
    layout = lay_out(LATTICE)
    for seat, area in (("red", "A"), ("blue", "EC")):
        (text,) = picture.xpath(f'.//g[@class="stand {seat}"]/text')
        x, y = layout.places[area]
        assert abs(float(text.get("x")) - x) < BOX_WIDTH / 2
        assert abs(float(text.get("y")) - y) < layout.box_height / 2


def ends(path: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where an arrow begins, and where its tip is."""
    start = re.match(r"M(-?\d+) (-?\d+)", path)
    tip = re.findall(r"L(-?\d+) (-?\d+)", path)[-1]
    return (float(start[1]), float(start[2])), (float(tip[0]), float(tip[1]))


@any_board
@pytest.mark.parametrize("both_ways", [False, True])
def test_an_arrow_leads_from_the_edge_of_its_origin_to_the_edge_of_its_target(board, both_ways):
    layout = lay_out(board)
    empty = State(board, 2, {"red": {}, "blue": {}}, {"red": 0, "blue": 0})
    for a in board.areas:
        for b in board.adjacent[a]:
            there = {"type": "move", "seat": "red", "from": a, "to": b, "count": 1}
            back = {"type": "move", "seat": "blue", "from": b, "to": a, "count": 1}
            drawn = parsed(GAME.overlay(empty, None, [there, back] if both_ways else [there]))
            (path,) = drawn.xpath('.//g[@class="march red"]/path/@d')
            for (x, y), area in zip(ends(path), (a, b), strict=True):
                place = layout.places[area]
                outside = max(abs(x - place.x) - BOX_WIDTH / 2, abs(y - place.y) - layout.box_height / 2)
                assert 0 < outside < 20


def test_two_marches_that_cross_do_not_lie_upon_each_other():
    picture = turn("6 red M6 bombs 3 blue S3 bombs 3", Orders(moves=moves("6 M to S")), Orders(moves=moves("3 S to M")))
    (red,), (blue,) = (picture.xpath(f'.//g[@class="march {seat}"]/path/@d') for seat in SEATS)
    (_, red_y), _ = ends(red)
    (_, blue_y), _ = ends(blue)
    assert red_y - blue_y > 30  # each keeps to its right


def test_a_first_picture_marks_nothing():
    picture = parsed(GAME.overlay(GAME.new({})))
    assert shapes(picture)["#board-battle"] == 0
    assert texts(picture, "board-changed") == []
    assert picture.get("aria-label") == "The board at the start."


def test_a_picture_says_which_turn_it_shows():
    assert turn("6 red A3 bombs 3 blue EC250 bombs 3").get("aria-label") == "The board after turn 6."


# --- the file, the style, sizes ---------------------------------------------------------------------------------


@any_board
def test_a_file_stands_alone_and_tells_in_words_what_it_shows(board):
    document = GAME.svg(State(board, 4, {"red": {"S": 12}, "blue": {"SC": 345}}, {"red": 3, "blue": 1}))
    root = parsed(document)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    labels = {root.find(f'.//*[@id="{name}"]').tag for name in root.get("aria-labelledby").split()}
    assert labels == {f"{SVG}title", f"{SVG}desc"}
    assert root.findtext(f"{SVG}title") == "Ozymandia: The board after turn 3."
    described = root.findtext(f"{SVG}desc")
    assert f"Red: {board.areas['S'].name} 12.\nBlue: {board.areas['SC'].name} 345." in described
    assert "Pieces: Red 12, Blue 345." in described
    assert set(shapes(root)) <= {f"#{name}" for name in root.xpath(".//@id")}
    assert not re.search("https?://(?!www.w3.org/2000/svg)|url\\(|@import", document)


def test_a_name_of_any_letters_cannot_break_out_of_the_picture():
    """Board files refuse such names; the picture does not rely on it."""
    areas = {
        code: area._replace(name=f"{code}</text><script>alert('&\"1')</script>") for code, area in LATTICE.areas.items()
    }
    hostile = Board(
        **{
            **{name: getattr(LATTICE, name) for name in LATTICE.__slots__},
            "areas": areas,
            "source": "hostile",
        }
    )
    position = State(hostile, 2, {"red": {"A": 1}, "blue": {}}, {"red": 3, "blue": 3})
    for picture in (GAME.svg(position), GAME.plan(position), GAME.overlay(position)):
        root = parsed(picture)
        assert not root.xpath('.//*[local-name()="script"]')


@cache
def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


COLOURS = pytest.mark.parametrize("colours", [LIGHT, DARK, PRINT], ids=["light", "dark", "print"])
TEXT_ON = [
    *(("ink", ground) for ground in ("paper", "province", "city")),
    *(("code", ground) for ground in ("province", "city")),
    *(("on-red", "red"), ("on-blue", "blue")),
]


@COLOURS
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_every_text_stands_out_from_its_ground(colours, text, ground):
    assert contrast(colours[text], colours[ground]) >= 4.5


@COLOURS
@pytest.mark.parametrize("ground", ["paper", "province", "city"])
@pytest.mark.parametrize("line", ["line", "red-edge", "blue-edge"])
def test_every_line_that_means_something_stands_out_from_its_ground(colours, line, ground):
    assert contrast(colours[line], colours[ground]) >= 3


def test_on_paper_the_signs_of_both_sides_differ_without_colour():
    assert contrast(PRINT["red"], PRINT["blue"]) >= 4.5


def test_signs_differ_in_shape_and_not_by_colour_alone():
    plan = parsed(GAME.plan(GAME.new({})))
    corners = {
        seat: {rect.get("rx") for rect in plan.iter("rect") if seat in (rect.get("id") or rect.getparent().get("id"))}
        for seat in SEATS
    }
    assert corners == {"red": {"2"}, "blue": {"16"}}


def test_the_style_has_each_colour_where_it_belongs():
    light, dark, printed = re.split("@media", STYLE)
    for colours, part in ((LIGHT, light), (DARK, dark), (PRINT, printed)):
        assert set(colours.values()) <= set(re.findall("#[0-9a-f]{6}", part))
    assert STYLE.count("{") == STYLE.count("}")
    assert GAME.svg_style == STYLE


def test_every_class_of_a_picture_has_a_rule():
    before = state(LATTICE, "6 red M6 A3 bombs 3 blue S3 MC1 bombs 3")
    ruling = GAME.resolve(before, {"red": Orders(moves=moves("6 M to S"), bomb="MC")})
    picture = parsed(GAME.svg(ruling.state, before, ruling.events))
    for classes in picture.xpath(".//@class"):
        for name in classes.split():
            assert re.search(rf"\.{name}\b", STYLE), name


@pytest.mark.parametrize("name", SHIPPED)
def test_a_page_of_many_turns_stays_small(name):
    board = find_board(name)
    pieces = {seat: dict.fromkeys(list(board.areas)[n::2], 123) for n, seat in enumerate(SEATS)}
    crowded = State(board, 9, pieces, {"red": 3, "blue": 3})
    quiet = State(board, 8, {"red": {}, "blue": {}}, {"red": 3, "blue": 3})
    events = [{"type": "move", "seat": "red", "from": link.a, "to": link.b, "count": 123} for link in board.links[:6]]
    assert len(GAME.plan(crowded)) < 12_000
    assert len(GAME.overlay(crowded, quiet, events)) < 4_000
    assert len(STYLE) < 4_000


@any_board
def test_the_same_position_always_gives_the_same_picture(board):
    position = State(board, 4, {"red": {"S": 12, "U": 1}, "blue": {"SC": 345}}, {"red": 3, "blue": 1})
    shuffled = State(board, 4, {"red": {"U": 1, "S": 12}, "blue": {"SC": 345}}, {"red": 3, "blue": 1})
    first = GAME.svg(position)
    lay_out.cache_clear()
    assert GAME.svg(shuffled) == first
