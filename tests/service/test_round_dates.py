"""Rounds of a league that begin on dates of their own, with pairings that are told before."""

import pytest

from pbem.config.config import Address
from support.desks import flat
from support.leagues import LeagueDesk, division_of

GINA = Address("Gina", "gina@example.org")
LEAGUE = """name = "Winter"
format = "{shape}"
starts = ["2026-12-01 20:00", 2026-12-15]
every = "2 weeks"
confirmed = true
masters = [{{ name = "Gina", address = "gina@example.org" }}]
{more}
{players}
[terms]
zone = "Europe/Berlin"
deadline = "7 days"
"""


@pytest.fixture
def desk(tmp_path):
    """At noon on 21 November 2026."""
    return LeagueDesk(tmp_path / "desk")


def found(desk, shape, more="", size=4):
    desk.found_by_file(LEAGUE.format(shape=shape, more=more, players=division_of(size)))
    return desk


def wait_until(desk, moment):
    """Have the desk run at `moment`, by UTC."""
    desk.now = desk.now.replace(month=int(moment[:2]), day=int(moment[3:5]), hour=int(moment[6:8]), minute=0)
    desk.poll_well()


def told(desk, name):
    letter = desk.letters_to(name)[-1] if name != "Gina" else desk.letters_of(GINA)[-1]
    return flat(letter)


def games(desk):
    return [[game["game"] for game in one["games"]] for one in desk.rounds()]


def test_a_swiss_round_is_paired_and_told_some_days_before_its_date_and_begins_then(desk):
    found(desk, "swiss", "rounds = 3")
    assert desk.rounds() == []
    assert desk.letters_to("Alice") == []

    wait_until(desk, "11-28 20")
    assert games(desk) == [[None, None]]
    begins = "Round 1 of the league Winter begins on Tuesday 1 December 2026, 20:00 Berlin time (in 2 days"
    assert begins in told(desk, "Alice")
    assert "Alice (Red) against Carla Brown (Blue)" in told(desk, "Alice")
    assert "Round 1 of the league Winter begins on" in told(desk, "Gina")
    letters = len(desk.letters_to("Alice"))

    wait_until(desk, "12-01 18")
    assert games(desk) == [[None, None]]
    assert len(desk.letters_to("Alice")) == letters
    wait_until(desk, "12-01 19")
    assert games(desk) == [["oz-1", "oz-2"]]
    assert "8 December 2026, 20:05 Berlin time" in told(desk, "Alice")


def test_a_round_waits_for_its_date_though_the_games_before_are_over(desk):
    found(desk, "swiss", "rounds = 3")
    wait_until(desk, "12-01 19")
    for game in ("oz-1", "oz-2"):
        desk.award(game, "red")
    wait_until(desk, "12-02 12")
    assert len(desk.rounds()) == 1
    assert "Round 1 of the league Winter is over" in told(desk, "Alice")
    assert "Now playing" not in told(desk, "Alice")
    wait_until(desk, "12-12 12")
    assert games(desk) == [["oz-1", "oz-2"], [None, None]]
    wait_until(desk, "12-14 23")  # midnight in Berlin
    assert games(desk)[1] == ["oz-3", "oz-4"]


def test_a_round_begins_at_once_where_the_games_before_last_beyond_its_date(desk):
    found(desk, "swiss", "rounds = 3")
    wait_until(desk, "12-01 19")
    desk.award("oz-1", "red")
    wait_until(desk, "12-16 12")
    assert len(desk.rounds()) == 1
    desk.award("oz-2", "red")
    wait_until(desk, "12-16 13")
    assert games(desk)[1] == ["oz-3", "oz-4"]
    for game in ("oz-3", "oz-4"):
        desk.award(game, "draw")
    wait_until(desk, "12-25 23")  # the third round begins two weeks after the second
    assert games(desk)[2] == [None, None]


def test_rounds_of_a_round_robin_are_known_and_each_is_told_before_its_date(desk):
    found(desk, "round-robin")
    assert games(desk) == [[None, None]] * 3
    wait_until(desk, "11-29 12")
    assert "Dora" in told(desk, "Alice")
    wait_until(desk, "12-01 20")
    assert games(desk)[0] == ["oz-1", "oz-2"]


def test_a_game_master_can_begin_a_round_before_its_date(desk):
    found(desk, "swiss", "rounds = 3")
    assert desk.run("league", "next", "Winter").status == 0
    assert games(desk) == [["oz-1", "oz-2"]]


def test_who_leaves_before_the_date_does_not_play(desk):
    found(desk, "swiss", "rounds = 3")
    wait_until(desk, "11-29 12")
    assert desk.run("league", "withdraw", "Winter", "Alice", "--reason", "no time").status == 0
    wait_until(desk, "12-01 20")
    (first,) = desk.rounds()
    assert [sorted((game["red"], game["blue"])) for game in first["games"]] == [["Bob", "Dora"]]
    assert first["byes"] == ["Carla Brown"]


@pytest.mark.parametrize("words", [("pair", "Winter", "1", "Alice - Bob"), ("bye", "Winter", "Alice", "1")])
def test_what_is_drawn_already_is_not_paired_otherwise(desk, words):
    found(desk, "swiss", "rounds = 3")
    wait_until(desk, "11-29 12")
    said = desk.refused("league", *words, "--reason", "they asked")
    assert said == "pbem: Round 1 is paired, and its players know it."


def test_the_pairings_of_anonymous_games_are_not_told_before_either(desk, tmp_path):
    """Desks that differ in who meets whom alone, by the secret lot: until the round begins all letters are equal."""
    pairs, letters = set(), set()
    for lot in "abcdef":
        world = LeagueDesk(tmp_path / lot)
        text = LEAGUE.format(shape="swiss", more="rounds = 3", players=division_of(4)) + 'anonymous = "game"\n'
        world.found_by_file(text)
        store = world.store
        with store.transaction():
            store.conn.execute("UPDATE leagues SET lot = ?", (lot,))
        wait_until(world, "11-29 12")
        pairs.add(str(world.ask("rounds", "Winter", "--names")))
        letters |= {told(world, name) for name in ("Alice", "Dora")}
    assert len(pairs) > 1
    (letter,) = letters
    assert "begins on Tuesday 1 December 2026" in letter
    assert "Nobody is told who plays whom" in letter
