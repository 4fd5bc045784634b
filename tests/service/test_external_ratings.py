"""Leagues that show the ratings that were given with their players, not those of the desk."""

import csv
import io

import pytest

from pbem.config.config import Address
from support.desks import flat
from support.leagues import LeagueDesk

GINA = Address("Gina", "gina@example.org")
OPEN = """
name = "Winter"
format = "swiss"
rounds = 3
confirmed = true
rate_unplayed = true
ratings = "external"
masters = [{ name = "Gina", address = "gina@example.org" }]
"""
LIST = """\
name,address,rating
Alice,alice@example.net,1850
Bob,bob@example.com,1920
Carla Brown,carla@example.org,1700
Dora,dora@example.org,
"""


@pytest.fixture
def desk(tmp_path):
    """A league with four players, whose first season has begun."""
    desk = LeagueDesk(tmp_path / "desk")
    desk.found_by_file(OPEN)
    enter(desk, LIST)
    assert desk.run("league", "season", "Winter").status == 0
    return desk


def enter(desk, text, *options):
    (desk.folder / "players.csv").write_text(text)
    words = ("league", "enter", "Winter", "--from", str(desk.folder / "players.csv"), "--reason", "they registered")
    assert desk.run(*words, *options).status == 0


def rate(desk, name, rating):
    return desk.run("league", "rate", "Winter", name, str(rating), "--reason", "the list of December")


def ratings(desk):
    return {row["player"]: row["rating"] for row in desk.standings()}


def exported(desk, *options):
    return desk.run("league", "export", "Winter", *options).lines


def trf(desk):
    """Starting rank, name and rating of the players in the TRF, in their columns."""
    lines = [line for line in exported(desk, "--format", "trf") if line.startswith("001")]
    return [(line[4:8].strip(), line[14:47].strip(), line[48:52].strip()) for line in lines]


def opponents(desk, number):
    return [(game["red"], game["blue"]) for game in desk.rounds()[number - 1]["games"]]


def finish(desk, number):
    for game in desk.rounds()[number - 1]["games"]:
        desk.award(game["game"], "red")
    desk.poll_well()


def test_tables_cross_tables_and_files_show_the_ratings_that_were_given(desk):
    given = {"Bob": 1920, "Alice": 1850, "Carla Brown": 1700, "Dora": 0}
    assert ratings(desk) == given
    assert {row["player"]: row["rating"] for row in desk.ask("crosstable", "Winter")} == given
    rows = csv.DictReader(io.StringIO("\n".join(exported(desk))))
    assert {row["player"]: int(row["rating"]) for row in rows} == given
    assert trf(desk) == [("1", "Bob", "1920"), ("2", "Alice", "1850"), ("3", "Carla Brown", "1700"), ("4", "Dora", "0")]
    assert "072 3" in exported(desk, "--format", "trf")
    heading, first, *_ = desk.run("league", "crosstable", "Winter").lines
    assert heading.endswith("points  rating")
    assert first.endswith("0    1920")
    assert " 1920 " in desk.run("league", "standings", "Winter").lines[1]


def test_letters_tell_the_ratings_that_were_given_and_of_who_has_none_nothing(desk):
    finish(desk, 1)
    told = flat(desk.letters_to("Alice")[-1])
    assert "1. Bob points 1; won 1, drawn 0, lost 0; rating 1920 1. Dora points 1; won 1, drawn 0, lost 0 3." in told


def test_results_count_for_the_ratings_of_the_desk(desk):
    finish(desk, 1)
    assert ratings(desk) == {"Bob": 1920, "Alice": 1850, "Carla Brown": 1700, "Dora": 0}
    rated = desk.store.conn.execute("SELECT name FROM people WHERE rating IS NOT NULL ORDER BY name").fetchall()
    assert rated == [("Alice",), ("Bob",), ("Carla Brown",), ("Dora",)]


def test_the_first_round_is_paired_by_rating_whoever_was_listed_first(tmp_path):
    desk = LeagueDesk(tmp_path / "desk")
    desk.found_by_file(OPEN)
    enter(desk, "name,address,rating\nDora,dora@example.org,1500\nCarla Brown,carla@example.org,1400\n")
    enter(desk, "name,address,rating\nAlice,alice@example.net,1900\nBob,bob@example.com,2000\n")
    assert desk.run("league", "season", "Winter").status == 0
    assert {*map(frozenset, opponents(desk, 1))} == {frozenset(("Bob", "Dora")), frozenset(("Alice", "Carla Brown"))}


def test_somebody_who_enters_late_is_ranked_by_rating(desk):
    words = ("league", "enter", "Winter", "Erin <erin@example.net>", "--rating", "1800", "--reason", "she asked")
    assert desk.run(*words).status == 0
    desk.direct(GINA, "enter Winter Flo <flo@example.com> rating 2000 because she asked")
    assert [name for _, name, _ in trf(desk)] == ["Flo", "Bob", "Alice", "Erin", "Carla Brown", "Dora"]


def test_a_rating_is_corrected_and_its_player_is_told(desk):
    assert rate(desk, "Dora", 1990).lines == [
        "Dora has the rating 1990 in Winter. Letters go out with the next poll."
    ]  # fmt: skip
    assert trf(desk)[0] == ("1", "Dora", "1990")
    desk.poll_well()
    told = flat(desk.letters_to("Dora")[-1])
    assert "Your rating in the league Winter is now 1990." in told
    assert "the list of December" in told
    assert rate(desk, "dora", 0).status == 0
    desk.poll_well()
    assert "You no longer have a rating in the league Winter." in flat(desk.letters_to("Dora")[-1])
    assert ratings(desk)["Dora"] == 0


def test_a_correction_by_letter_shows_the_table_and_stands_among_the_decisions_of_the_league(desk):
    desk.poll_well()
    told = flat(desk.direct(GINA, "rate Winter Dora 1600 because of the list of December"))
    assert "Dora points 0; won 0, drawn 0, lost 0; rating 1600" in told
    listed = flat(desk.direct(GINA, "decisions Winter"))
    assert "Gina rate Winter Dora 1600: because of the list of December" in listed


def test_nobody_else_learns_more_of_a_correction_than_the_table_has(desk):
    desk.poll_well()
    before = len(desk.letters_to("Alice"))
    assert rate(desk, "Dora", 1600).status == 0
    desk.poll_well()
    assert len(desk.letters_to("Alice")) == before


def test_ratings_stay_for_the_next_season(desk):
    for number in (1, 2, 3):
        finish(desk, number)
    assert rate(desk, "Dora", 2100).status == 0
    assert desk.run("league", "season", "Winter").status == 0
    assert ratings(desk) == {"Bob": 1920, "Alice": 1850, "Carla Brown": 1700, "Dora": 2100}
    assert trf(desk)[0] == ("1", "Dora", "2100")


def test_a_league_with_the_ratings_of_the_desk_takes_no_others(tmp_path):
    desk = LeagueDesk(tmp_path / "desk")
    desk.found("swiss", 4, "--confirmed")
    own = 'Winter shows the ratings of this desk: only a league with `ratings = "external"` has others.'
    words = ("league", "enter", "Winter", "Erin <erin@example.net>", "--rating", "1800", "--reason", "she asked")
    assert own in desk.refused(*words)
    assert own in desk.refused("league", "join", "Winter", "Erin <erin@example.net>", "--rating", "1800")
    assert own in desk.refused("league", "rate", "Winter", "Dora", "1800", "--reason", "the list of December")
    enter(desk, "name,address,rating\nErin,erin@example.net,1800\n")
    assert {*ratings(desk).values()} == {1500}


def test_an_anonymous_league_is_paired_by_lot_whatever_the_ratings(tmp_path):
    """With the same lot, other ratings change no pairing: else the pairing would tell who plays."""
    from pbem.leagues.league_file import parse_league
    from pbem.leagues.season import Member, in_pairing_order

    league = parse_league(OPEN + '[terms]\nanonymous = "season"\n')
    members = [Member(seed, f"P{seed}", seed, rating=1000 + seed) for seed in (1, 2, 3)]
    assert in_pairing_order(league, members) == members


def test_a_trf_that_was_exported_enters_the_same_names_ratings_and_order_in_another_league(desk, tmp_path):
    """And what is exported then is read by the library that pairs."""
    from py4swiss.trf import TrfParser

    finish(desk, 1)
    (tmp_path / "winter.trf").write_text("\n".join(exported(desk, "--format", "trf")) + "\n")
    (tmp_path / "addresses.csv").write_text(LIST)
    desk.found_by_file(OPEN.replace("Winter", "Spring"))
    words = ("--from", str(tmp_path / "winter.trf"), "--addresses", str(tmp_path / "addresses.csv"), "--reason", "-")
    assert desk.run("league", "enter", "Spring", *words).status == 0
    assert desk.run("league", "season", "Spring").status == 0
    lines = desk.run("league", "export", "Spring", "--format", "trf").lines
    (tmp_path / "spring.trf").write_text("\n".join(lines) + "\n")
    players = [
        [
            (one.starting_number, one.name, one.fide_rating)
            for one in TrfParser.parse(tmp_path / name, strict=True).player_sections
        ]
        for name in ("winter.trf", "spring.trf")
    ]
    assert players[0] == players[1]
    assert players[0] == [(1, "Bob", 1920), (2, "Alice", 1850), (3, "Carla Brown", 1700), (4, "Dora", 0)]


def test_the_page_of_a_season_shows_the_ratings_that_were_given(desk, tmp_path):
    finish(desk, 1)
    assert desk.run("archive", "build", str(tmp_path / "pages")).status == 0
    page = (tmp_path / "pages" / "leagues" / "1-season-1.html").read_text()
    assert '<th scope="col" class="number wide">Rating</th>' in page
    assert [page.count(f'<td class="number wide">{rating}</td>') for rating in (1920, 1850, 1700)] == [1, 1, 1]


def test_a_player_who_asks_for_their_data_is_told_the_rating_that_was_given(desk):
    desk.poll_well()
    desk.respond("Alice", "my data")
    desk.poll_well()
    assert "Winter, as Alice: playing; rating 1850" in flat(desk.letters_to("Alice")[-1])
    shown = desk.run("player", "show", "alice@example.net").lines
    assert "league: Winter, as Alice, playing, rating 1850" in shown
