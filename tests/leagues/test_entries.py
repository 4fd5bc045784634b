"""Lists of players, as spreadsheets and tournament programs write them."""

import pytest

from pbem.leagues.entries import parse_entries
from pbem.leagues.league_file import LeagueFileError


def names(text):
    return [(entry.person.name, entry.rating) for entry in parse_entries(text)]


def test_the_best_rated_come_first_and_who_has_no_rating_last():
    text = "\ufeffname,address,rating\nAl,al@example.org,1500\nBo,bo@example.org,\nCy,cy@example.org,1900\n"
    assert names(text) == [("Cy", 1900), ("Al", 1500), ("Bo", 0)]


def test_columns_stand_in_any_order_and_may_be_parted_by_semicolons():
    assert names("Address;Name\r\nal@example.org;Al\r\n") == [("Al", 0)]
    assert names('name,address\n"Brown, Al",al@example.org\n') == [("Brown, Al", 0)]


def test_a_column_has_the_division_of_each():
    text = "division;name;address\n2;Al;al@example.org\n;Bo;bo@example.org\n"
    assert [(entry.person.name, entry.division) for entry in parse_entries(text)] == [("Al", 2), ("Bo", 0)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: the columns are name, address and"),
        ("name,mail\n", "line 1: the columns are name, address and"),
        ("name,address\n", "There is no player in it."),
        ("name,address\nAl\n", "line 2: this line has not 2 columns"),
        ("name,address\nAl,al@example.org,x\n", "line 2: this line has not 2 columns"),
        ("name,address\nAl,al\n", 'line 2: "Al <al>" is no player'),
        ("name,address,rating\nAl,al@example.org,high\n", 'line 2: "high" is no rating'),
        (
            "name,address,division\nAl,al@example.org,B\n",
            'line 2: "B" is no division: write its number, 1 for the highest',
        ),
        ("name,address,division\nAl,al@example.org,0\n", 'line 2: "0" is no division'),
        ("name,address\nAl,al@example.org\nBo,al@example.org\n", "line 3: this address stands at line 2 already."),
    ],
)
def test_what_is_wrong_with_a_list_is_told_with_its_line(text, problem):
    with pytest.raises(LeagueFileError, match=problem):
        parse_entries(text)


def test_everything_that_is_wrong_is_told_at_once():
    with pytest.raises(LeagueFileError) as caught:
        parse_entries("name,address,rating\nAl,al,1\nBo,bo@example.org,x\n")
    assert [problem[:7] for problem in caught.value.problems] == ["line 2:", "line 3:"]
