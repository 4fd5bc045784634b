"""Players entered by a list: all of them, or nobody."""

import pytest

from support.leagues import LeagueDesk

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
    assert said.endswith("players.csv: line 3: Bob is in Winter already. Nobody was entered.")
    assert [member["player"] for member in desk.ask("show", "Winter")["divisions"][0]] == [
        "Alice", "Bob", "Carla Brown", "Dora"
    ]  # fmt: skip


def test_a_wrong_line_enters_nobody(desk):
    desk.found_by_file(OPEN)
    said = desk.refused(*listed(desk, LIST + "Flo,flo,1\n"))
    assert 'line 5: "Flo <flo>" is no player' in said
    assert desk.ask("show", "Winter")["standby"] == []


def test_a_list_and_a_person_are_not_entered_in_one_go(desk):
    assert desk.run("league", "enter", "Winter", "--reason", "-").status == 2
