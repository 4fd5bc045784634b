"""The boards: what a board file may say, what it is told when it is wrong, and what the shipped boards hold."""

import json
import re
import tempfile
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import GameError
from pbem.games.ozymandia.board import MAX_SIZE, ORDER_WORDS, SHIPPED, Board, board_data, find_board, parse_board, trade
from support.each import each
from support.paths import SHARED

BOARDS = SHARED / "boards"
MIRROR = dict(zip("AMWVHEZSU", "VHEAMWZSU", strict=True))
SMALL = """\
name = "small"
status = "original"
passes = ["P-Q", "Q-R", "R-S", "S-T"]
city_bridges = ["PC-QC"]
trades = [["P", "T"]]
drawing = '''
P ......... = Q ......... = R ......... = S .........
PC .........  QC .........  RC .........  SC .........
T ......... ::: TC .........
'''

[provinces]
P = "Pontus"
Q = "Quarry"
R = "Rhodes"
S = "Sardis"
T = "Tyre"

[cities]
PC = "Pine City"
QC = "Quartz City"
RC = "Rose City"
SC = "Silver City"
TC = "Tin City"

[setup]
red = { P = 3, PC = 1 }
blue = { T = 2 }
"""


def problems(*changes: tuple[str, str]) -> list[str]:
    """What the small board is told after some changes to its text."""
    source = SMALL
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    with pytest.raises(GameError) as error:
        parse_board(source)
    return str(error.value).split("\n")


def test_a_board_in_order_is_read_as_written():
    board = parse_board(SMALL)
    assert list(board.areas) == ["P", "PC", "Q", "QC", "R", "RC", "S", "SC", "T", "TC"]
    assert board.areas["QC"] == ("QC", "Quartz City", "city", False)
    assert board.adjacent["P"] == {"PC", "Q"}
    assert board.adjacent["PC"] == {"P", "QC"}
    assert board.setup == {"red": {"P": 3, "PC": 1}, "blue": {"T": 2}}
    assert board.trades == (("P", "T"),)
    assert not board.reconstructed


@each(
    ("old", "new", "told"),
    [
        ('P = "Pontus"', 'P = "Pontus', "not correct TOML: .*line 13"),
        ('name = "small"', "", "name: this is missing"),
        ('name = "small"', 'name = "sm|all"', "name: this should be up to 40 letters"),
        ('name = "small"', "name = 5", "name: this should be a text in quotes"),
        ('"original"', '"new"', 'status: this should be one of "reconstructed", "original", not "new"'),
        ("city_bridges", "city_bridge", 'unknown key "city_bridge"; did you mean city_bridges?'),
        ('["P-Q", "Q-R"', '["P-Q", 3, "Q-R"', "passes, entry 2: this should be a text in quotes"),
        ('["PC-QC"]', '"PC-QC"', "city_bridges: this should be a list in brackets"),
        ('P = "Pontus"', 'PP = "Pontus"', 'provinces: "PP" should be one capital letter'),
        ('P = "Pontus"', 'p = "Pontus"', 'provinces: "p" should be one capital letter'),
        ('P = "Pontus"', '"Ä" = "Pontus"', 'provinces: "Ä" should be one capital letter'),
        ('TC = "Tin', 'TX = "Tin', 'cities: "TX" should be the letter of its province and C'),
        ('TC = "Tin City"\n', "", "cities: the province T has no city TC"),
        ('T = "Tyre"\n', "", "provinces: the city TC has no province T"),
        ('T = "Tyre"', 'S = "Tyre"', "not correct TOML: .*line 17"),
        ('"Tyre"', "7", "provinces, T: this should be a text in quotes"),
        ('"Tyre"', '"Tyre 2"', 'the name of "T", "Tyre 2": a name is words of letters'),
        ('"Tyre"', '"Ty  re"', "a name is words of letters"),
        ('"Tyre"', '""', "a name is words of letters"),
        ('"Tyre"', '"-Tyre"', "a name is words of letters"),
        ('"Tyre"', f'"{"Tyre" * 11}"', "at most 40 characters"),
        ('"Tyre"', '"T\u0308yre"', "a name is words of letters"),
        ('"Tyre"', '"\ufb01n"', "a name is words of letters"),
        ('"Tyre"', '"ROSE-city"', 'the name of "RC", "Rose City": "T" has the same name'),
        ('"Tyre"', '"Q"', 'the name of "T", "Q": it is the code of another area'),
        ('"P-Q"', '"P Q"', 'passes, "P Q": a link is two codes and a hyphen'),
        ('"P-Q"', '"P-X"', 'passes, "P-X": the board has no area "X"'),
        ('"P-Q"', '"P-Q", "P-P"', 'passes, "P-P": no area is linked to itself'),
        ('"P-Q"', '"P-Q", "Q-P"', 'passes, "Q-P": these two are linked already'),
        ('"P-Q"', '"P-Q", "P-PC"', 'passes, "P-PC": passes join two provinces'),
        ('"PC-QC"', '"PC-Q"', 'city_bridges, "PC-Q": passes join two provinces, city bridges two cities'),
        ('"PC-QC"', '"PC-QC", "QC-PC"', 'city_bridges, "QC-PC": these two are linked already'),
        ('"P-Q", "Q-R"', '"P-Q"', "passes: no way leads from P to R, S, T, RC, SC, TC"),
        ("trades =", 'invented = ["X"]\ntrades =', 'invented: the board has no area "X"'),
        ("trades =", 'invented_links = ["P-S"]\ntrades =', 'invented_links, "P-S": this is neither a pass'),
        ("red = { P = 3, PC = 1 }", "", "setup, red: this is missing"),
        ("red =", "green = { Q = 1 }\nred =", 'setup: there is no side "green"'),
        ("blue = { T = 2 }", "blue = 7", "setup, blue: this should be a table"),
        ("{ T = 2 }", "{ X = 2, T = 2 }", 'setup, blue: the board has no area "X"'),
        ("{ T = 2 }", "{ T = 0 }", "setup, blue, T: this should be a number from 1 to 999, not 0"),
        ("{ T = 2 }", "{ T = 1000 }", "setup, blue, T: this should be a number from 1 to 999"),
        ("{ T = 2 }", "{ T = true }", "setup, blue, T: this should be a number from 1 to 999, not true"),
        ("{ T = 2 }", "{ T = 2.0 }", "setup, blue, T: this should be a number from 1 to 999, not 2.0"),
        ("{ T = 2 }", "{ T = 2, PC = 1 }", 'setup: "PC" is given to both sides'),
        ('["P", "T"]', '["P", "Q"]', 'trades, "P/Q": a trade is two provinces of the set-up'),
        ('["P", "T"]', '["P", "PC"]', 'trades, "P/PC": a trade is two provinces of the set-up'),
        ('["P", "T"]', '["P"]', "trades, entry 1: this should be a list of 2 values"),
        ('["P", "T"]', '["P", "T"], ["T", "P"]', 'trades, "T/P": a province can be in one trade only'),
        ('["P", "T"]', '"P/T"', "trades, entry 1: this should be a list of 2 values"),
        (":::", "\u2261", r"drawing, line 3: '\\u2261' cannot stand there"),
        (":::", "\t", r"drawing, line 3: '\\t' cannot stand there"),
        (":::", ":" * 60, "drawing, line 3: it has 85 columns; there is room for 72"),
        ("::: TC .........", ":::", 'drawing: there is no slot for "TC"'),
        ("::: TC", "::: T ......... TC", "drawing: there are 2 slots for T; one is enough"),
        ("::: TC", "::: X ......... TC", "drawing: there is a slot for X, which is no area"),
        ("::: TC .........", "::: TC .....", "drawing, line 3: dots stand only in a slot"),
        (":::", ".........", "drawing, line 3: dots stand only in a slot"),
        ("drawing = '''", "drawing = ['''", "not correct TOML"),
    ],
)
def test_what_is_wrong_in_a_board_file_is_told_with_its_place(old, new, told):
    assert any(re.search(told, line) for line in problems((old, new)))


def test_all_problems_are_told_at_once_each_in_a_line():
    told = problems(
        ('name = "small"', ""),
        ('"P-Q"', '"P-Q", "Q-P"'),
        ('"Tyre"', '"New Tyre"'),
        ("{ T = 2 }", "{ T = 2000 }"),
        ("::: TC", "::: X ......... TC"),
    )
    assert [line.split(":")[0] for line in told] == [
        "name",
        "setup, blue, T",
        'passes, "Q-P"',
        'the name of "T", "New Tyre"',
        "drawing",
    ]


@each("word", ORDER_WORDS)
def test_no_name_is_or_begins_with_or_is_the_beginning_of_an_order_word(word):
    for name in (word.title(), f"{word} Town", f"{word.upper()}ia", word[:-1].strip()):
        assert 'the name of "T"' in problems(('"Tyre"', f'"{name}"'))[0]


def test_a_name_may_hold_an_order_word_where_it_does_no_harm():
    assert parse_board(SMALL.replace("Tyre", "Great Bombshire")).areas["T"].name == "Great Bombshire"


def test_a_name_may_have_letters_of_any_language():
    assert parse_board(SMALL.replace("Tyre", "Überlingen-Süd d'Été")).areas["T"].name == "Überlingen-Süd d'Été"


@pytest.mark.parametrize("count", [4, 10])
def test_a_board_has_five_to_nine_cities(count):
    codes = "DEFGIJKLMN"[:count]
    lines = [
        'name = "n"',
        f"passes = {[f'{a}-{b}' for a, b in pairwise(codes)]}",
        "[provinces]",
        *(f'{code} = "{code}xx"' for code in codes),
        "[cities]",
        *(f'{code}C = "{code}yy"' for code in codes),
        "[setup]",
        "red = { D = 1 }",
        "blue = { E = 1 }",
    ]
    with pytest.raises(GameError, match=f"^cities: there are {count}; a board has five to nine"):
        parse_board("\n".join(lines))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_holds_every_line_that_the_texts_fix(name):
    board = find_board(name)
    neighbours = {code: set(others) for code, others in board.adjacent.items()}
    assert {board.areas[code].name for code in neighbours["S"]} == {
        "Mu",
        "Ulteria",
        "Halcyonna",
        "Shangri-La City",
    }
    assert neighbours["M"] >= {"MC", "A", "W", "S"}
    assert board.setup == {"red": {"A": 3, "M": 3, "W": 3}, "blue": {"V": 3, "H": 3, "E": 3}}
    assert board.trades == (("A", "V"), ("M", "H"), ("W", "E"))
    assert len(board.cities) == 9
    for city in board.cities:
        provinces = {code for code in neighbours[city] if board.areas[code].kind == "province"}
        assert provinces == {city[0]}
        assert board.areas[city].name[0] == board.areas[city[0]].name[0] == city[0]
    assert board.areas["MC"].name == "Mystery City"
    assert board.areas["EC"].name == "Elfin City"
    assert all(board.areas[code].invented is False for code in ("A", "M", "S", "H", "V", "W", "U", "E", "SC"))
    assert board.reconstructed


@pytest.mark.parametrize("name", SHIPPED)
def test_all_adjacency_works_both_ways(name):
    board = find_board(name)
    for code, others in board.adjacent.items():
        assert all(code in board.adjacent[other] for other in others)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_mirrors_red_and_blue(name):
    board = find_board(name)
    assert {mirrored(code) for code in board.areas} == set(board.areas)
    for code, others in board.adjacent.items():
        assert board.adjacent[mirrored(code)] == {mirrored(other) for other in others}


def mirrored(code: str) -> str:
    return MIRROR[code[0]] + code[1:]


# Where the areas could lie so that every link is a straight line and no two of them cross.
PLANE = {
    "lattice": "A 0,6 Z 4,6 V 8,6 AC 1,5 ZC 4,5 VC 7,5 MC 1,3 SC 4,3 HC 7,3 M 0,2 S 4,2 H 8,2"
    " W 0,0 U 4,0 E 8,0 WC 0,-1 UC 4,-1 EC 8,-1",
    "triangles": "AC 0,12 SC 4,12 VC 8,12 A 0,10 V 8,10 M 1,8 S 4,8 H 7,8 MC 2,6 HC 6,6 WC 2,4 EC 6,4"
    " W 0,2 U 4,2 E 8,2 UC 4,0 ZC 4,-2 Z 4,-4",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_is_planar(name):
    words = PLANE[name].split()
    place = {code: tuple(map(int, at.split(","))) for code, at in zip(words[::2], words[1::2], strict=True)}
    links = find_board(name).links
    for one, other in combinations(links, 2):
        if not {one.a, one.b} & {other.a, other.b}:
            assert not cross(place[one.a], place[one.b], place[other.a], place[other.b]), (one, other)


def cross(a, b, c, d) -> bool:
    """Whether the segments ab and cd have a point in common (none of them lies on a line with the other)."""

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    if side(a, b, c) == side(a, b, d) == 0:
        return max(a, b) >= min(c, d) and max(c, d) >= min(a, b)
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


@pytest.mark.skipif(not BOARDS.exists(), reason="the reconstructions' data are not here")
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_is_the_reconstruction(name):
    data = json.loads((BOARDS / f"{name}.json").read_text(encoding="utf-8"))
    board = find_board(name)
    links = {kind: [f"{link.a}-{link.b}" for link in board.links if link.kind == kind] for kind in ("pass", "bridge")}
    areas = board.areas.values()
    assert {area.code: area.name for area in areas if area.kind == "province"} == data["provinces"]
    assert {area.code: area.name for area in areas if area.kind == "city"} == data["cities"]
    assert {area.code for area in areas if area.invented} == set(data["invented"])
    assert links == {"pass": data["passes"], "bridge": data["city_bridges"]}
    assert [f"{link.a}-{link.b}" for link in board.links if link.invented] == data["invented_links"]
    assert board.setup == data["setup"]
    assert [list(pair) for pair in board.trades] == data["trades"]
    assert board.reconstructed == (data["status"] == "reconstructed")


def test_board_data_has_areas_in_board_order_and_every_link_once():
    data = board_data(parse_board(SMALL))
    assert list(data) == ["name", "areas", "links", "setup"]
    assert data["areas"]["PC"] == {"name": "Pine City", "kind": "city", "invented": False}
    assert data["links"] == [
        ["P", "PC"],
        ["P", "Q"],
        ["PC", "QC"],
        ["Q", "QC"],
        ["Q", "R"],
        ["R", "RC"],
        ["R", "S"],
        ["S", "SC"],
        ["S", "T"],
        ["T", "TC"],
    ]
    assert data["setup"] == {"red": {"P": 3, "PC": 1}, "blue": {"T": 2}}
    assert json.loads(json.dumps(data)) == data


def test_the_order_of_links_in_the_file_does_not_show_in_board_data():
    shuffled = SMALL.replace('"P-Q", "Q-R", "R-S", "S-T"', '"T-S", "R-Q", "S-R", "P-Q"')
    assert board_data(parse_board(shuffled)) == board_data(parse_board(SMALL))


def test_a_trade_makes_the_pieces_of_two_provinces_change_sides():
    lattice = find_board("lattice")
    assert trade(lattice, ["A/V"]) == {"red": {"V": 3, "M": 3, "W": 3}, "blue": {"A": 3, "H": 3, "E": 3}}
    assert trade(lattice, ["h/m", "A / V"]) == trade(lattice, ["A/V", "M/H"])
    assert trade(lattice, []) == lattice.setup
    assert trade(parse_board(SMALL), ["P/T"]) == {"red": {"PC": 1, "T": 2}, "blue": {"P": 3}}


def test_an_unknown_trade_is_refused_with_the_possible_ones():
    with pytest.raises(GameError, match='"A/M" is no trade of this board; possible are: A/V, M/H, W/E'):
        trade(find_board("lattice"), ["A/M"])
    with pytest.raises(GameError, match="named twice"):
        trade(find_board("lattice"), ["A/V", "V/A"])
    with pytest.raises(GameError, match="possible are: none"):
        trade(parse_board(SMALL.replace('trades = [["P", "T"]]', "")), ["P/T"])


def test_a_board_is_found_by_name_or_by_path(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text(SMALL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_board("mine.toml") == find_board(str(tmp_path / "mine.toml")) == parse_board(SMALL)
    assert find_board("lattice") is find_board("lattice")


def test_a_file_from_windows_is_read(tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert find_board(str(tmp_path / "mine.toml")).drawing == parse_board(SMALL).drawing


def test_a_file_changed_between_two_looks_is_read_anew(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(SMALL, encoding="utf-8")
    before = find_board(str(file))
    file.write_text(SMALL.replace("Tyre", "Troy"), encoding="utf-8")
    assert before.areas["T"].name == "Tyre"
    assert find_board(str(file)).areas["T"].name == "Troy"


def test_two_boards_are_the_same_if_their_files_are():
    assert parse_board(SMALL + "\n") != parse_board(SMALL)
    assert len({parse_board(SMALL), parse_board(SMALL), find_board("lattice")}) == 2


@pytest.mark.parametrize("name", ["nowhere.toml", ".", "", "a\0b", "x" * 5000, "\udcff", "/dev/null/x"])
def test_a_board_that_is_not_there_is_a_sentence(name):
    with pytest.raises(GameError):
        find_board(name)


def test_a_wrong_file_is_named_before_its_problems(tmp_path):
    (tmp_path / "mine.toml").write_text("nonsense", encoding="utf-8")
    with pytest.raises(GameError, match=r'mine.toml" cannot be used.\nThe board file is not correct TOML: .*line 1'):
        find_board(str(tmp_path / "mine.toml"))


def test_a_file_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_bytes(SMALL.replace("Tyre", "Türe").encode("latin-1"))
    with pytest.raises(GameError, match="not text in UTF-8"):
        find_board(str(tmp_path / "mine.toml"))


def test_a_file_of_absurd_size_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"#" * 10_000_000)
    with pytest.raises(GameError, match="longer than 16 kB"):
        find_board(str(tmp_path / "mine.toml"))


@pytest.mark.parametrize(
    "source",
    ["x = " + "[" * 5000, "x = " + "{a=" * 4000, "x = " + "9" * 5000, "x = 0x" + "f" * 9000, "x" * (MAX_SIZE + 1)],
)
def test_files_made_to_break_a_reader_are_refused(source):
    with pytest.raises(GameError):
        parse_board(source)


def accepted_or_refused(source: str) -> Board | None:
    """The board, or None for a GameError: nothing else may come out of a board file."""
    try:
        return parse_board(source)
    except GameError as error:
        str(error).encode()  # can be printed and sent
        return None


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_no_text_makes_the_board_reader_raise_anything_else(text):
    assert accepted_or_refused(text) is None


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=200), st.integers(0, len(SMALL)), st.integers(0, 200))
def test_no_damage_to_a_file_makes_find_board_raise_anything_else(noise, at, gone):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mine.toml")
        file.write_bytes(SMALL[:at].encode() + noise + SMALL[at + gone :].encode())
        try:
            find_board(str(file))
        except GameError as error:
            str(error).encode()


VALUES = st.recursive(
    st.sampled_from(
        ["5", "-1", "1e400", "nan", "true", '"A"', '"P-Q"', '""', '"\\u0000"', "1979-05-27", "'''\nP\n'''"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=3).map(
            lambda items: "{" + ", ".join(f"{key} = {item}" for key, item in zip("PQR", items, strict=False)) + "}"
        ),
    ),
    max_leaves=6,
)
KEYS = ["name", "status", "passes", "city_bridges", "invented", "invented_links", "trades", "drawing"]


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from([*KEYS, "provinces", "cities", "setup", "other"]), VALUES))
def test_values_of_any_type_make_the_board_reader_raise_nothing_else(values):
    accepted_or_refused("\n".join(f"{key} = {value}" for key, value in values.items()))


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(SMALL.splitlines()), VALUES)
def test_a_value_exchanged_makes_the_board_reader_raise_nothing_else(line, value):
    key = line.partition(" = ")[0]
    accepted_or_refused(SMALL.replace(line, f"{key} = {value}"))
