"""The players of a Tournament Report File (TRF16), who are entered with the addresses of another list."""

import pytest

from pbem.leagues.entries import addressed, decode, parse_addresses
from pbem.leagues.league_file import LeagueFileError
from pbem.leagues.trf import is_trf, parse_trf
from support.each import each


def line(rank, name, rating="", rest=""):
    """A line 001 of a player, as a tournament program writes it: with title, federation and FIDE's number."""
    return f"001 {rank:>4} m  g {name:33} {rating:>4} NOR     1503014 1990/11/30{rest}\n"


HEAD = "012 Winter open\n042 2026/12/01\n092 Individual: Swiss-System\nXXR 5\n"
LIST = HEAD + line(2, "Brown, Alice", 1850) + line(1, "Carlsen, Magnus", 2864) + line(3, "Dora")
ADDRESSES = "name,address\nMagnus Carlsen,magnus@example.net\nAlice Brown,alice@example.org\nDora,dora@example.com\n"


def players(text):
    return [(one.name, one.rating, one.line) for one in parse_trf(text)]


def entered(trf=LIST, addresses=ADDRESSES):
    return [(*one.person, one.rating, one.line) for one in addressed(parse_trf(trf), parse_addresses(addresses))]


def problems(read, *arguments):
    with pytest.raises(LeagueFileError) as caught:
        read(*arguments)
    return caught.value.problems


def test_players_stand_in_the_order_of_their_starting_ranks_with_their_ratings():
    assert players(LIST) == [("Carlsen, Magnus", 2864, 6), ("Brown, Alice", 1850, 5), ("Dora", 0, 7)]


def test_the_last_name_goes_last_and_addresses_come_from_their_list():
    assert entered() == [
        ("Magnus Carlsen", "magnus@example.net", 2864, 6),
        ("Alice Brown", "alice@example.org", 1850, 5),
        ("Dora", "dora@example.com", 0, 7),
    ]


SPELT = {
    "in the order of a telephone book": ADDRESSES.replace("Alice Brown", '"Brown, Alice"'),
    "in capitals": ADDRESSES.replace("Alice Brown", '"BROWN, Alice"').replace("BROWN, Alice", "ALICE BROWN"),
    "with columns and people of no concern": (
        "since;address;name\n2019;magnus@example.net;Magnus Carlsen\n;alice@example.org;Alice Brown\n"
        "2020;;Erin\n;flo@example.net;Flo\n;dora@example.com;Dora\n"
    ),
}


@each("addresses", SPELT.values(), ids=SPELT)
def test_addresses_are_found_by_name(addresses):
    assert [address for _, address, *_ in entered(addresses=addresses)] == [
        "magnus@example.net",
        "alice@example.org",
        "dora@example.com",
    ]


def test_a_name_that_a_trf_has_cut_off_is_whole_again():
    name = "Maximiliane von Hohenstein-Waldburg"
    trf = HEAD + line(1, name[:33], 1700)
    assert entered(trf, f"name,address\n{name},max@example.net\n") == [(name, "max@example.net", 1700, 5)]


def test_whoever_has_no_address_is_named_in_one_sentence():
    told = problems(entered, LIST, "name,address\nDora,dora@example.com\n")
    assert told == (
        "There is no address for Carlsen, Magnus; Brown, Alice: add a line with name and address for each.",
    )


def test_a_name_with_several_addresses_and_an_address_with_several_names_are_told():
    two = ADDRESSES + "Dora,dora@example.net\n"
    assert problems(entered, LIST, two) == ("line 7: Dora has several addresses, in lines 4 and 5 of their list.",)
    shared = ADDRESSES.replace("dora@example.com", "alice@example.org")
    assert problems(entered, LIST, shared) == ("line 7: this address stands at line 5 already.",)


def test_what_is_wrong_with_addresses_is_told_with_its_line():
    assert problems(parse_addresses, "name,mail\n") == (
        "line 1: the columns name and address are needed: write them above.",
    )
    (told,) = problems(parse_addresses, "name,address\nAl,al@example.org\nBo,bo\n")
    assert told.startswith('line 3: "Bo <bo>" is no player')


CHARSETS = {
    "UTF-8": LIST.replace("Dora", "Døra").encode(),
    "UTF-8 with a mark": LIST.replace("Dora", "Døra").encode("utf-8-sig"),
    "Latin-1": LIST.replace("Dora", "Døra").encode("latin-1"),
    "with the line ends of Windows": LIST.replace("Dora", "Døra").replace("\n", "\r\n").encode("latin-1"),
    "without a last line end, and with the mark of an end": LIST.replace("Dora", "Døra").encode() + b"\x1a",
}


@each("text", CHARSETS.values(), ids=CHARSETS)
def test_files_come_in_several_charsets(text):
    assert is_trf(decode(text))
    assert players(decode(text)) == [("Carlsen, Magnus", 2864, 6), ("Brown, Alice", 1850, 5), ("Døra", 0, 7)]


def test_a_file_in_another_charset_is_refused():
    assert problems(decode, LIST.encode("utf-16")) == ("It is neither UTF-8 nor Latin-1 text: save the file as UTF-8.",)


def test_results_however_many_say_nothing():
    results = "  1.0    1" + "     2 w 1" * 40 + "\t"
    assert players(HEAD + line(1, "Al", 1500, results)) == [("Al", 1500, 5)]


def test_a_short_line_is_enough_for_a_player_without_a_rating():
    assert players("001    1      Al\n") == [("Al", 0, 1)]


NO_RANK = ", in columns 5 to 8, is no starting rank: write a whole number."
NO_RATING = ", in columns 49 to 52, is no rating: write a whole number, or nothing."
SHIFTED = "has to be blank: the starting rank stands in columns 5 to 8, the name in 15 to 47, the rating in 49 to 52."


WRONG = {
    "tab": ("001\t1\tAl\t1500\n", "line 2: there is a tab in it: a TRF goes by columns, so write blanks."),
    "name too long": (line(1, "A" * 34, 1500), f"line 2: column 48 {SHIFTED}"),
    "rating too long": (line(1, "Al", 15000), f"line 2: column 53 {SHIFTED}"),
    "columns that have moved": (line(1, "Al", 1500).replace("001 ", "001  "), f"line 2: column 9 {SHIFTED}"),
    "no rank": (line("", "Al"), "line 2: there is no starting rank in columns 5 to 8: write a whole number."),
    "rank in words": (line("one", "Al"), f'line 2: "one"{NO_RANK}'),
    "no name": ("001    1\n", "line 2: there is no name in columns 15 to 47."),
    "rating in words": (line(1, "Al", "high"), f'line 2: "high"{NO_RATING}'),
    "rank twice": (line(7, "Al") + line(7, "Bo"), "line 3: the starting rank 7 stands at line 2 already."),
    "nobody": ("", "There is no player in it: lines that begin with 001 name them."),
}  # fmt: skip


@each(("wrong", "problem"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_line_is_told_with_what_to_do(wrong, problem):
    assert problems(parse_trf, "012 Winter\n" + wrong) == (problem,)


def test_everything_that_is_wrong_is_told_at_once():
    told = problems(parse_trf, line(1, "Al", "x") + line("", "Bo") + line(2, "Cy"))
    assert [problem[:7] for problem in told] == ["line 1:", "line 2:"]


def test_a_table_with_a_heading_is_no_trf():
    assert not is_trf("name,address\n001 Al,al@example.org\n")
    assert not is_trf("")
