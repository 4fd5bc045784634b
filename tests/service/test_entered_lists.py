"""Players entered by a list: all of them, or nobody."""

import pytest

from pbem.config.config import Address
from support.desks import flat
from support.leagues import LeagueDesk

GINA = Address("Gina", "gina@example.org")
MASTER = 'masters = [{ name = "Gina", address = "gina@example.org" }]\n'
OPEN = 'name = "Winter"\nformat = "swiss"\nrounds = 3\n'
LIST = "name,address,rating\nAlice,alice@example.net,1500\nBob,bob@example.com,1900\nDora,dora@example.org,\n"


@pytest.fixture
def desk(tmp_path):
    return LeagueDesk(tmp_path / "desk")


def listed(desk, text):
    path = desk.folder / "players.csv"
    path.write_text(text)
    return ("league", "enter", "Winter", "--from", str(path), "--reason", "they have registered")


def test_those_of_a_list_are_on_standby_before_the_first_season_and_its_seeds_then(desk):
    desk.found_by_file(OPEN)
    told = desk.run(*listed(desk, LIST))
    assert told.lines == ["3 players are on standby in Winter. Letters go out with the next poll."]
    assert desk.ask("show", "Winter")["standby"] == ["Bob", "Alice", "Dora"]
    assert desk.run("league", "season", "Winter").status == 0
    assert [member["player"] for member in desk.ask("show", "Winter")["divisions"][0]] == ["Bob", "Alice", "Dora"]


def test_those_of_a_list_play_in_a_running_season_from_its_next_round_on(desk):
    desk.found("swiss", 4, "--confirmed")
    text = "name,address,rating\nErin,erin@example.net,\nFlo,flo@example.com,2000\n"
    told = desk.run(*listed(desk, text), "--points", "1")
    assert told.lines == ["2 players are entered in Winter. Letters go out with the next poll."]
    rows = {row["player"]: row["points"] for row in desk.standings()}
    assert (rows["Erin"], rows["Flo"]) == (1, 1)
    members = [member["player"] for member in desk.ask("show", "Winter")["divisions"][0]]
    assert members == ["Alice", "Bob", "Carla Brown", "Dora", "Flo", "Erin"]


def test_nobody_is_entered_if_one_cannot_be(desk):
    desk.found("swiss", 4, "--confirmed")
    said = desk.refused(*listed(desk, "name,address\nErin,erin@example.net\nBob,bob@example.com\n"))
    assert said.endswith("players.csv: line 3: Bob is already in Winter. Nobody was entered.")
    assert [member["player"] for member in desk.ask("show", "Winter")["divisions"][0]] == [
        "Alice", "Bob", "Carla Brown", "Dora"
    ]  # fmt: skip


def test_a_wrong_line_enters_nobody(desk):
    desk.found_by_file(OPEN)
    said = desk.refused(*listed(desk, LIST + "Flo,flo,1\n"))
    assert 'line 5: "Flo <flo>" is no player' in said
    assert desk.ask("show", "Winter")["standby"] == []


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_called_empty_whatever_else_is_given(desk, text):
    desk.found_by_file(OPEN)
    for options in ((), ("--addresses", str(desk.folder / "players.csv"))):
        told = desk.run(*listed(desk, text), *options)
        assert told.status != 0
        assert "players.csv is empty: it must list players." in " ".join(told.lines)


def test_a_list_and_a_person_are_not_entered_in_one_go(desk):
    assert desk.run("league", "enter", "Winter", "--reason", "-").status == 2


TRF = """\
012 Club championship
001    1      Brown, Alice                      1850
001    2      Dora                              1500
001    3      Bob                               1900
"""


def from_trf(desk, addresses="", text=TRF):
    path = desk.folder / "players.trf"
    path.write_text(text)
    words = ("league", "enter", "Winter", "--from", str(path), "--reason", "they have registered")
    if not addresses:
        return words
    (desk.folder / "addresses.csv").write_text(addresses)
    return (*words, "--addresses", str(desk.folder / "addresses.csv"))


def test_those_of_a_trf_are_entered_by_starting_rank_with_the_addresses_of_another_list(desk):
    desk.found_by_file(OPEN)
    told = desk.run(
        *from_trf(desk, "name,address\nBob,bob@example.com\nAlice Brown,alice@example.net\nDora,dora@example.org\n")
    )
    assert told.lines == ["3 players are on standby in Winter. Letters go out with the next poll."]
    assert desk.ask("show", "Winter")["standby"] == ["Alice Brown", "Dora", "Bob"]
    desk.poll_well()
    assert len(desk.letters_to("Dora")) == 1


def test_if_one_of_a_trf_has_no_address_nobody_is_entered(desk):
    desk.found_by_file(OPEN)
    said = desk.refused(*from_trf(desk, "name,address\nBob,bob@example.com\n"))
    assert said.endswith("There is no address for Brown, Alice; Dora: add a line with name and address for each.")
    assert desk.ask("show", "Winter")["standby"] == []


def test_a_trf_is_refused_without_addresses_and_a_table_with_them(desk):
    desk.found_by_file(OPEN)
    assert "A TRF16 has no addresses" in desk.refused(*from_trf(desk))
    assert "a CSV list has a column `address`" in desk.refused(*from_trf(desk, "name,address\n", LIST))
    said = desk.refused(*from_trf(desk, "name,address\nBob,bob\n"))
    assert 'addresses.csv: line 2: "Bob <bob>" is no player' in said


def test_addresses_belong_to_a_list(desk):
    desk.found_by_file(OPEN)
    words = ("Flo <flo@example.com>", "--addresses", "addresses.csv", "--reason", "-")
    assert "--addresses is for a list" in desk.refused("league", "enter", "Winter", *words)


DIVISIONS = """\
name,address,rating,division
Alice,alice@example.net,1500,1
Bob,bob@example.com,1900,2
Carla Brown,carla@example.org,1700,1
Dora,dora@example.org,,
"""


def divisions(desk):
    return [[member["player"] for member in one] for one in desk.ask("show", "Winter")["divisions"]]


def test_the_divisions_of_a_list_are_those_with_which_the_first_season_begins(desk):
    desk.found_by_file(OPEN)
    assert desk.run(*listed(desk, DIVISIONS)).status == 0
    assert desk.ask("show", "Winter")["planned"] == [["Carla Brown", "Alice"], ["Bob", "Dora"]]
    assert "Division 2 begins with Bob, Dora." in desk.run("league", "show", "Winter").lines
    assert desk.run("league", "season", "Winter").status == 0
    assert divisions(desk) == [["Carla Brown", "Alice"], ["Bob", "Dora"]]


def test_another_list_goes_into_a_division_by_an_option(desk):
    desk.found_by_file(OPEN)
    assert desk.run(*listed(desk, DIVISIONS)).status == 0
    erin = "name,address\nErin,erin@example.net\nFlo,flo@example.com\n"
    assert "There is no division 4 in Winter, only 1, 2." in desk.refused(*listed(desk, erin), "--division", "4")
    assert desk.run(*listed(desk, erin), "--division", "3").status == 0
    assert desk.ask("show", "Winter")["planned"] == [["Carla Brown", "Alice"], ["Bob"], ["Dora", "Erin", "Flo"]]


def test_a_division_that_there_is_not_is_told_with_those_that_there_are(
    desk,
):
    desk.found_by_file(OPEN)
    assert desk.run(*listed(desk, DIVISIONS)).status == 0
    assert desk.run("league", "season", "Winter").status == 0
    more = "name,address,division\nErin,erin@example.net,{}\nFlo,flo@example.com,2\n"
    said = desk.refused(*listed(desk, more.format(3)))
    assert said.endswith("line 2: There is no division 3 in Winter, only 1, 2. Nobody was entered.")
    assert desk.run(*listed(desk, more.format(1))).status == 0
    assert divisions(desk) == [["Carla Brown", "Alice", "Erin"], ["Bob", "Dora", "Flo"]]


def test_a_single_player_enters_a_division_on_the_command_line_and_by_letter(desk):
    desk.found_by_file(OPEN + MASTER)
    assert desk.run(*listed(desk, DIVISIONS)).status == 0
    desk.poll_well()
    desk.direct(GINA, "join Winter Erin <erin@example.net> in division 1")
    assert desk.ask("show", "Winter")["planned"][0] == ["Carla Brown", "Alice", "Erin"]
    assert desk.run("league", "season", "Winter").status == 0
    words = ("league", "enter", "Winter", "Flo <flo@example.com>", "--division", "1", "--reason", "she asked")
    assert desk.run(*words).status == 0
    desk.direct(GINA, "enter Winter Gus <gus@example.com> in division 2 with 1 point because he asked")
    assert divisions(desk) == [["Carla Brown", "Alice", "Erin", "Flo"], ["Bob", "Dora", "Gus"]]
    told = flat(desk.direct(GINA, "join Winter Hal <hal@example.com> in division 1"))
    assert "A division is chosen before the first season of Winter, or by `enter`." in told


def test_a_ladder_has_one_division(desk):
    desk.found_by_file('name = "Winter"\nformat = "ladder"\n')
    assert "There is no division 2 in Winter, only 1." in desk.refused(*listed(desk, DIVISIONS))
    assert desk.ask("show", "Winter")["standby"] == []
