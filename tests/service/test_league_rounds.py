"""Leagues as their game master and their players see them: by commands and by letters."""

import email
import json
import re
from collections import Counter
from datetime import timedelta

import pytest

from pbem.config.config import Address
from pbem.store import leagues
from pbem.store.ratings import rate
from support.desks import flat
from support.leagues import BY_NAME, PEOPLE, LeagueDesk, division_of

OPERATOR = Address("Game master", "op@example.org")


@pytest.fixture
def desk(tmp_path):
    return LeagueDesk(tmp_path / "desk")


def results(rounds):
    return [[game["result"] for game in one["games"]] for one in rounds]


# A round robin


def test_a_division_has_no_more_players_than_can_be_paired(desk):
    (desk.folder / "players.txt").write_text("".join(f"P{n} <p{n}@example.org>\n" for n in range(129)))
    told = desk.refused("league", "new", "Big", "--format", "swiss", "--players", str(desk.folder / "players.txt"))
    assert told == "pbem: A division has at most 128 players: make more divisions."
    assert desk.ask("list") == []


def test_a_round_robin_of_four_is_played_round_by_round(desk):
    desk.found("round-robin", 4, "--confirmed")
    first = desk.rounds()
    assert first == [
        {
            "round": 1,
            "games": [
                {"game": "oz-1", "red": "Alice", "blue": "Dora", "result": None},
                {"game": "oz-2", "red": "Bob", "blue": "Carla Brown", "result": None},
            ],
            "byes": [],
        },
        {
            "round": 2,
            "games": [
                {"game": None, "red": "Dora", "blue": "Bob", "result": None},
                {"game": None, "red": "Carla Brown", "blue": "Alice", "result": None},
            ],
            "byes": [],
        },
        {
            "round": 3,
            "games": [
                {"game": None, "red": "Carla Brown", "blue": "Dora", "result": None},
                {"game": None, "red": "Alice", "blue": "Bob", "result": None},
            ],
            "byes": [],
        },
    ]
    desk.poll_well()
    desk.award("oz-1", "red")
    desk.poll_well()
    assert desk.rounds()[1]["games"][0]["game"] is None  # one game of the round goes on
    desk.award("oz-2", "draw")
    desk.poll_well()
    assert [game["game"] for game in desk.rounds()[1]["games"]] == ["oz-3", "oz-4"]
    desk.award("oz-3", "blue")
    desk.award("oz-4", "blue")
    desk.poll_well()
    desk.award("oz-5", "red")
    desk.award("oz-6", "red")
    desk.poll_well()
    assert results(desk.rounds()) == [["red", "draw"], ["blue", "blue"], ["red", "red"]]
    table = desk.standings()
    assert [(row["rank"], row["player"], row["points"]) for row in table] == [
        (1, "Alice", 3),
        (2, "Bob", 1.5),
        (2, "Carla Brown", 1.5),
        (4, "Dora", 0),
    ]
    assert set(table[0]) == {
        "rank",
        "player",
        "points",
        "played",
        "won",
        "drawn",
        "lost",
        "tie_breaks",
        "rating",
        "reliability",
        "left",
    }
    assert table[0] == {
        "rank": 1,
        "player": "Alice",
        "points": 3,
        "played": 3,
        "won": 3,
        "drawn": 0,
        "lost": 0,
        "tie_breaks": {"head to head": None, "sonneborn-berger": 3, "score": 0},
        "rating": table[0]["rating"],
        "reliability": None,
        "left": False,
    }
    assert table[0]["rating"] > 1500 > table[3]["rating"]


def test_a_player_who_wins_by_letters_stands_first_and_his_turns_count_as_on_time(desk):
    desk.found("round-robin", 2, "--confirmed")
    desk.poll_well()
    desk.respond("Alice", "2 A to AC")
    desk.respond("Bob", "Pass")
    desk.poll_well()
    desk.respond("Bob", "resign")
    desk.poll_well()
    desk.respond("Bob", "yes")
    desk.poll_well()
    assert [(row["player"], row["won"], row["reliability"]) for row in desk.standings()] == [
        ("Alice", 1, 1),
        ("Bob", 0, 1),
    ]
    told = flat(desk.letters_to("Bob")[-1])
    assert "Round 1 of the league Winter is over, and so is the season." in told
    assert "1. Alice points 1; won 1, drawn 0, lost 0; rating 1578 +/- 238; 100% on time" in told
    desk.respond("Alice", "status")
    desk.poll_well()
    assert "Your rating is 1578 +/- 238. 100% of your turns were on time." in flat(desk.letters_to("Alice")[-1])


def test_after_each_round_all_get_the_standings_and_can_answer_them(desk):
    desk.found("round-robin", 3, "--confirmed")
    desk.poll_well()
    desk.award("oz-1", "red")
    desk.poll_well()
    for person in PEOPLE[:3]:
        (letter,) = [
            one for one in desk.letters_to(person.name) if one["Subject"] == "League Winter" and "is over" in flat(one)
        ]
        assert "Round 1 of the league Winter is over. - oz-1, Bob against Carla Brown, was won by Bob." in flat(letter)
        assert "- Alice had a bye." in flat(letter)
    assert len({letter["Reply-To"] for person in PEOPLE[:3] for letter in desk.letters_to(person.name)[-1:]}) == 3


def test_what_tells_equal_points_apart_is_told_with_its_values_and_only_of_those_whom_it_does(desk):
    """Two rounds of six: one leads alone, one by the first tie-break that speaks, and two need the second."""
    named = '"head to head", "buchholz", "buchholz cut 1", "sonneborn-berger", "wins"'
    text = f"rate_unplayed = true\nconfirmed = true\n{division_of(6)}"
    desk.found_by_file(f'name = "Winter"\nformat = "swiss"\n{text}rounds = 3\n[scoring]\ntie_breaks = [{named}]\n')
    for number in range(2):
        for game, result in zip(desk.rounds()[number]["games"], ("red", "draw", "draw"), strict=True):
            desk.award(game["game"], result)
        desk.poll_well()
    table = {row["player"]: row["tie_breaks"] for row in desk.standings()}
    assert table["Alice"] == {
        "head to head": None,
        "buchholz": 2,  # Bob has one and a half, Dora a half
        "buchholz cut 1": 1.5,
        "sonneborn-berger": 0.5,
        "wins": 1,
    }
    told = flat(desk.letters_to("Alice")[-1])
    assert "1. Bob points 1.5; won 1, drawn 1, lost 0; rating" in told
    assert "2. Erin points 1; won 0, drawn 2, lost 0; Buchholz 2.5; rating" in told
    assert "lost 1; Buchholz 2; Buchholz without the weakest 1.5; rating" in told
    assert desk.run("league", "standings", "Winter").lines[-5:-2] == [
        "rank  head to head  buchholz  buchholz cut 1  sonneborn-berger  wins  player",
        "   2             -       2.5             1.5              1.25     0  Erin",
        "   3             -         2             1.5               0.5     1  Alice",
    ]


def test_words_for_the_game_master_in_answer_to_a_leagues_letter_reach_that_leagues_game_master_alone(desk):
    masters = "".join(f'[[masters]]\nname = "{one}"\naddress = "{one}@example.com"\n' for one in ("gina", "hans"))
    three = ", ".join(f'"{one.name} <{one.address}>"' for one in PEOPLE[:3])
    divisions = f"confirmed = true\n[[divisions]]\nplayers = [{three}]\n"
    desk.found_by_file(f'name = "Winter"\nformat = "round-robin"\n{divisions}{masters}')
    desk.poll_well()
    desk.award("oz-1", "red")
    desk.poll_well()
    desk.respond("Alice", "gm: Was that right?", about="League Winter")
    desk.poll_well()
    letters = [email.message_from_bytes(raw) for raw in desk.post.sent()]
    told = [letter for letter in letters if "Was that right?" in flat(letter)]
    assert [(letter["To"], letter["Subject"]) for letter in told] == [
        ("gina <gina@example.com>", "For the game master")
    ]
    assert "has gone to the game master, gina@example.com, and to nobody else" in flat(desk.letters_to("Alice")[-1])


def test_words_to_the_game_master_in_answer_to_any_letter_about_the_league_reach_the_game_master(desk):
    three = ", ".join(f'"{one.name} <{one.address}>"' for one in PEOPLE[:3])
    masters = '[[masters]]\nname = "gina"\naddress = "gina@example.com"\n'
    desk.found_by_file(
        f'name = "Winter"\nformat = "round-robin"\nconfirmed = true\n[[divisions]]\nplayers = [{three}]\n{masters}'
    )
    desk.poll_well()
    desk.run("league", "points", "Winter", "Alice", "0.5", "--reason", "a late letter")
    desk.poll_well()
    desk.respond("Alice", "gm: Half a point is too much.", about="League Winter")
    desk.poll_well()
    letters = [email.message_from_bytes(raw) for raw in desk.post.sent()]
    assert [letter["To"] for letter in letters if "Half a point is too much" in flat(letter)] == [
        "gina <gina@example.com>"
    ]


def test_openings_differ_from_round_to_round(desk):
    desk.found("round-robin", 4, "--confirmed")
    for number in range(1, 7):
        desk.award(f"oz-{number}", "draw")
        desk.poll_well()
    options = [json.loads(text) for (text,) in desk.store.conn.execute("SELECT options FROM matches ORDER BY id")]
    assert [one["trades"] for one in options] == [[], [], ["A/V"], ["A/V"], ["M/H"], ["M/H"]]


def test_games_begin_when_both_are_confirmed_and_who_has_confirmed_once_is_not_asked_again(desk):
    desk.found("round-robin", 3)
    desk.poll_well()
    assert desk.run("game", "show", "oz-1").lines[0].startswith("oz-1: Ozymandia, turn 1, offered.")
    desk.respond("Bob", "accept")
    desk.respond("Carla Brown", "accept")
    desk.poll_well()
    desk.award("oz-1", "draw")
    desk.poll_well()
    desk.respond("Alice", "accept", about="oz-2")
    desk.poll_well()
    desk.award("oz-2", "draw")
    desk.poll_well()
    assert desk.run("game", "show", "oz-3").lines[0].startswith("oz-3: Ozymandia, turn 1, running.")


def test_who_does_not_accept_in_time_has_forfeited_the_game_but_no_rating(desk):
    desk.found("round-robin", 2)
    desk.poll_well()
    desk.respond("Alice", "accept")
    desk.poll_well()
    assert desk.poll(timedelta(days=15)).status == 0
    assert results(desk.rounds()) == [["red"]]
    assert [(row["player"], row["points"], row["rating"]) for row in desk.standings()] == [
        ("Alice", 1, 1500),
        ("Bob", 0, 1500),
    ]
    assert "was won by Alice, by forfeit" in flat(desk.letters_to("Alice")[-1])


def league_of(size: int, shape: str = "swiss", *more: str) -> str:
    """A league file; `more` are lines of its terms."""
    people = ", ".join(f'"{one.name} <{one.address}>"' for one in PEOPLE[:size])
    head = f'name = "Winter"\nformat = "{shape}"\n' + ("rounds = 3\n" if shape == "swiss" else "")
    return "\n".join([head, "[[divisions]]", f"players = [{people}]", "[terms]", *more])


def test_who_does_not_answer_is_reminded_twice_and_then_nobody_waits_for_them_again(desk):
    desk.found_by_file(league_of(4, "swiss", 'accept = "5 days"'))
    desk.poll_well()
    for name in ("Alice", "Bob", "Carla Brown"):
        desk.respond(name, "accept")
    desk.poll_well()
    assert "do not answer by Thursday 26 November 2026, 12:00 UTC" in flat(desk.letters_to("Dora")[0])
    missing = "You have not answered the invitation to oz-2 yet. If you do not, you lose the game on Thursday 26"
    for after, letters in ((48, 1), (12, 2), (35, 2), (1, 3)):
        desk.poll(timedelta(hours=after))
        assert len(desk.letters_to("Dora")) == letters
        assert letters == 1 or missing in flat(desk.letters_to("Dora")[-1])
    desk.poll(timedelta(days=1))
    assert desk.rounds()[0]["games"][1]["result"] == "blue"
    won = next(flat(one) for one in desk.letters_to("Bob") if "You have won" in flat(one))
    assert "You have won oz-2 in the league Winter by forfeit: it was not accepted in time by Dora." in won
    told = flat(desk.letters_to("Dora")[-1])
    assert "You did not accept oz-2, a game of the league Winter, so you lose it by forfeit." in told
    assert "answer `join Winter`: you are in as soon as there is a place for you" in told
    assert desk.run("verify", "--all").status == 0
    desk.award("oz-1", "red")
    desk.poll_well()
    assert [one["byes"] for one in desk.rounds()] == [[], ["Carla Brown"]]
    desk.respond("Dora", "join Winter")
    desk.poll_well()
    assert "You play in the league Winter and are paired from round 3 on." in flat(desk.letters_to("Dora")[-2])


def test_the_first_letter_of_a_season_tells_its_terms_and_whom_a_player_meets_when(desk):
    terms = ('grace = "2 hours"', "extensions = 2", "forfeit = 3", "vacation = 0", 'no_show = "forfeit"')
    desk.found_by_file(league_of(3, "round-robin", 'accept = "4 days"', 'deadline = "3 days"', *terms))
    desk.poll_well()
    for name, schedule in (
        ("Alice", "Round 1 a bye Round 2 Carla Brown Round 3 Bob"),
        ("Bob", "Round 1 Carla Brown Round 2 a bye Round 3 Alice"),
    ):
        (told,) = map(flat, desk.letters_to(name))
        assert (
            "- The season has 3 rounds. - Time for each turn: 3 days. - Grace after each deadline: 2 hours. "
            "- A turn waits for anyone who is late, up to 2 times: 1 day each. - Anyone who does not accept a game "
            "within 4 days loses it. - Anyone without orders when the first turn of a game closes loses it. - Anyone "
            f"who misses 3 turns in a row loses the game. {schedule}"
        ) in told
        assert told.count("Time for each turn") == 1
    assert "you lose it by forfeit" in told
    desk.respond("Bob", "accept")
    desk.respond("Carla Brown", "accept")
    desk.poll_well()
    desk.award("oz-1", "red")
    desk.poll_well()
    (first,) = [flat(one) for one in desk.letters_to("Alice") if "oz-2" in one["Subject"]]
    assert "The season has" not in first


@pytest.mark.parametrize(
    ("results", "told"),
    [
        (("red", "blue", "red"), "The champion is Alice."),
        (("red", "red", "red"), "Alice, Bob and Carla Brown share"),
    ],
)
def test_the_champion_is_told_at_the_end_of_the_season(desk, results, told):
    desk.found("round-robin", 3, "--confirmed")
    for number, result in enumerate(results, start=1):
        assert all("hampion" not in flat(one) for one in desk.letters_to("Bob"))
        desk.award(f"oz-{number}", result)
        desk.poll_well()
    assert told in flat(desk.letters_to("Bob")[-1])


def test_who_is_on_standby_takes_the_place_of_who_never_accepts(desk):
    desk.found_by_file('standby = ["Flo <flo@example.com>"]\n' + league_of(4, "round-robin", 'accept = "2 days"'))
    desk.poll_well()
    for name in ("Bob", "Carla Brown", "Dora"):
        desk.respond(name, "accept")
    desk.poll_well()
    desk.poll(timedelta(days=3))
    assert [one["player"] for one in desk.ask("show", "Winter")["divisions"][0] if one["state"] == "playing"] == [
        "Flo",
        "Bob",
        "Carla Brown",
        "Dora",
    ]
    assert {row["player"]: row["points"] for row in desk.standings()}["Dora"] == 1


def test_who_never_accepts_in_a_round_robin_loses_all_games_at_once_until_they_say_that_they_play(desk):
    desk.found_by_file(league_of(4, "round-robin", 'accept = "2 days"'))
    desk.poll_well()
    for name in ("Bob", "Carla Brown", "Dora"):
        desk.respond(name, "accept")
    desk.poll_well()
    desk.poll(timedelta(days=2))
    desk.award("oz-2", "red")
    desk.poll_well()
    assert results(desk.rounds()) == [["blue", "red"], [None, "red"], [None, None]]
    assert sum("you lose your next games in the same way" in flat(one) for one in desk.letters_to("Alice")) == 1
    assert all("oz-3" not in one["Subject"] for one in desk.letters_to("Alice"))
    assert "You have won oz-4 in the league Winter by forfeit" in "".join(map(flat, desk.letters_to("Carla Brown")))
    desk.respond("Alice", "join Winter")
    desk.poll_well()
    desk.award("oz-3", "red")
    desk.poll_well()
    assert results(desk.rounds())[2] == [None, None]


def test_who_declines_has_lost_and_is_not_asked_again_and_the_other_has_won(desk):
    desk.found_by_file(league_of(4, "swiss"))
    desk.poll_well()
    desk.respond("Carla Brown", "decline")
    desk.poll_well()
    assert results(desk.rounds()) == [["red", None]]
    assert "You have won oz-1 in the league Winter by forfeit: Carla Brown has declined it." in flat(
        desk.letters_to("Alice")[-1]
    )
    assert [one["state"] for one in desk.ask("show", "Winter")["divisions"][0]].count("withdrawn") == 1


@pytest.mark.parametrize(("writing", "result"), [((), "forfeit"), (("Alice",), "red"), (("Alice", "Bob"), None)])
def test_who_gives_no_orders_for_the_first_turn_loses_the_game_where_the_league_says_so(desk, writing, result):
    desk.found_by_file("confirmed = true\n" + league_of(2, "swiss", 'no_show = "forfeit"', 'deadline = "2 days"'))
    desk.poll_well()
    for name in writing:
        desk.respond(name, "Pass")
    desk.poll_well()
    desk.poll(timedelta(days=2))
    assert results(desk.rounds()) == [[result]]
    told = flat([one for one in desk.letters_to("Bob") if "oz-1" in one["Subject"]][-1])
    assert ("Alice (Red) and Bob (Blue) gave no orders for the first turn." in told) == (not writing)
    assert ("Nobody has won: everyone loses the game by forfeit." in told) == (not writing)
    assert ("Alice (Red) has won. Bob (Blue) gave no orders for the first turn." in told) == (result == "red")
    desk.poll(timedelta(days=4))
    desk.poll_well()
    if result is None:
        assert results(desk.rounds()) == [[None]]  # later turns are missed as ever


def test_the_game_master_can_begin_the_next_round_while_games_go_on(desk):
    desk.found("round-robin", 4, "--confirmed")
    desk.award("oz-1", "red")
    assert desk.run("league", "next", "winter").status == 0
    assert [game["game"] for game in desk.rounds()[1]["games"]] == ["oz-3", "oz-4"]
    for number in (2, 3, 4):
        desk.award(f"oz-{number}", "draw")
    desk.poll_well()
    assert [game["game"] for game in desk.rounds()[2]["games"]] == ["oz-5", "oz-6"]
    assert "no further round" in desk.refused("league", "next", "Winter")


# Decisions after the end


def test_a_game_that_is_rolled_back_counts_no_longer_until_it_ends_again(desk):
    desk.found("round-robin", 2, "--confirmed")
    desk.poll_well()
    desk.respond("Alice", "Pass")
    desk.respond("Bob", "Pass")
    desk.poll_well()
    desk.award("oz-1", "red")
    desk.poll_well()
    assert desk.run("game", "rollback", "oz-1", "1", "--reason", "a mistake").status == 0
    desk.poll_well()
    assert results(desk.rounds()) == [[None]]
    assert [(row["points"], row["rating"]) for row in desk.standings()] == [(0, 1500), (0, 1500)]
    desk.award("oz-1", "blue")
    desk.poll_well()
    assert [(row["player"], row["points"], row["rating"]) for row in desk.standings()] == [
        ("Bob", 1, 1578),
        ("Alice", 0, 1422),
    ]


def reopen(desk: LeagueDesk, game: str, to: str) -> str:
    """A game is reopened; what a player reads of it, in one line."""
    told = desk.run("game", "reopen", game, "--reason", "a mistake")
    assert told.status == 0, told.lines
    desk.poll_well()
    return flat(desk.letters_to(to)[-1])


def test_a_game_that_is_reopened_counts_no_longer_until_it_ends_again_and_the_round_after_it_stays(desk):
    desk.found("swiss", 4, "--confirmed")
    for number in (1, 2):
        desk.award(f"oz-{number}", "red")
    desk.poll_well()
    assert len(desk.rounds()) == 2
    pairs = [(one["red"], one["blue"]) for one in desk.rounds()[1]["games"]]
    text = reopen(desk, "oz-1", "Alice")
    assert "Until it ends, nobody has points or a rating for it in Winter." in text
    assert "Round 1 of Winter is over, and later rounds are not affected; the table will include this game." in text
    assert desk.rounds()[0]["games"][0]["result"] is None
    assert sum(row["points"] for row in desk.standings()) == 1
    desk.award("oz-1", "blue")
    desk.poll_well()
    assert desk.rounds()[0]["games"][0]["result"] == "blue"
    assert [(one["red"], one["blue"]) for one in desk.rounds()[1]["games"]] == pairs
    assert sum(row["points"] for row in desk.standings()) == 2


def test_a_wrong_end_of_the_last_round_is_taken_back_and_all_hear_the_right_table(desk):
    desk.found("round-robin", 2, "--confirmed")
    desk.award("oz-1", "red")
    desk.poll_well()
    assert "later rounds" not in reopen(desk, "oz-1", "Alice")
    assert "is not over" in desk.refused("league", "season", "Winter")
    desk.award("oz-1", "blue")
    desk.poll_well()
    assert "1. Bob points 1" in flat(desk.letters_to("Alice")[-1])


def test_a_game_of_a_season_that_is_over_is_reopened_and_its_letter_says_what_follows(desk):
    desk.found("round-robin", 2, "--confirmed")
    desk.award("oz-1", "red")
    assert desk.run("league", "season", "Winter").status == 0
    text = reopen(desk, "oz-1", "Alice")
    assert "Season 1 of Winter is over, and the next one is not affected; the table of season 1 will include" in text


def test_a_no_show_is_asked_again_and_nobody_has_the_point_meanwhile(desk):
    desk.found("round-robin", 2)
    desk.poll_well()
    desk.respond("Alice", "accept")
    desk.poll_well()
    desk.now += timedelta(days=15)
    desk.poll_well()
    assert results(desk.rounds()) == [["red"]]
    text = reopen(desk, "oz-1", "Bob")
    assert "The game oz-1 takes place after all" in text
    assert "You have accepted already; the others are asked once more." in flat(desk.letters_to("Alice")[-1])
    assert results(desk.rounds()) == [[None]]
    desk.respond("Bob", "accept")
    desk.poll_well()
    desk.respond("Alice", "Pass")
    desk.respond("Bob", "Pass")
    desk.poll_well()
    assert desk.run("verify").status == 0


def test_a_no_show_is_settled_at_once_by_an_award_and_both_hear_who_has_the_point_and_why(desk):
    desk.found("round-robin", 4)
    desk.poll_well()
    for name in ("Alice", "Bob", "Carla Brown"):
        desk.respond(name, "accept")
    desk.poll_well()
    told = desk.run("game", "award", "oz-1", "red", "--reason", "Dora does not answer")
    assert told.status == 0
    desk.award("oz-2", "draw")
    desk.poll_well()
    alice, dora = (
        [flat(one) for one in desk.letters_to(name) if "oz-1" in one["Subject"]][-1] for name in ("Alice", "Dora")
    )
    assert "You have won. The game master awarded the game to Alice (Red)." in alice
    assert "Alice (Red) has won. The game master awarded the game to Alice (Red)." in dora
    for text in (alice, dora):
        assert "The game oz-1 did not begin, because not everyone had accepted." in text
        assert "Dora does not answer" in text
        assert "Atlantea" not in text
    assert desk.rounds()[0]["games"][0]["result"] == "red"
    assert desk.rounds()[1]["games"][0]["game"] == "oz-3"  # nobody has waited
    rows = {row["player"]: row for row in desk.standings()}
    assert (rows["Alice"]["points"], rows["Alice"]["rating"], rows["Dora"]["points"]) == (1, 1500, 0)
    desk.respond("Dora", "accept", about="oz-1")
    desk.poll_well()
    assert desk.rounds()[0]["games"][0]["result"] == "red"
    reopen(desk, "oz-1", "Dora")
    desk.respond("Dora", "accept", about="oz-1")
    desk.poll_well()
    assert desk.rounds()[0]["games"][0]["result"] is None
    assert desk.run("verify").status == 0


def test_an_annulled_game_is_played_anew_in_its_place_and_all_hear_why(desk):
    desk.found("round-robin", 4, "--confirmed")
    for number in (1, 2):
        desk.award(f"oz-{number}", "red")
    desk.poll_well()
    assert "oz-1 is over: `annul` it first" in desk.refused("game", "replay", "oz-1", "--reason", "a mistake")
    assert desk.run("game", "annul", "oz-1", "--reason", "a mistake").status == 0
    assert desk.run("game", "replay", "oz-1", "--reason", "nobody is to blame").status == 0
    desk.poll_well()
    first, *_ = desk.rounds()
    assert first["games"][0] == {"game": "oz-5", "red": "Alice", "blue": "Dora", "result": None}
    told = [flat(one) for one in desk.letters_to("Dora")]
    (text,) = (one for one in told if "is replayed as" in one)
    assert "The game oz-1 is replayed as oz-5; oz-1 stays annulled." in text
    assert "It is in the same round of Winter, with the same people in the same seats." in text
    assert "nobody is to blame" in text
    assert any("oz-5" in one["Subject"] for one in desk.letters_to("Alice"))
    desk.award("oz-5", "blue")
    desk.poll_well()
    assert desk.rounds()[0]["games"][0]["result"] == "blue"
    assert "Another game replaces" in desk.refused("game", "reopen", "oz-1", "--reason", "a mistake")
    assert desk.run("verify").status == 0


def test_the_last_round_waits_for_a_game_that_is_played_anew(desk):
    desk.found("round-robin", 2, "--confirmed")
    assert desk.run("game", "annul", "oz-1", "--reason", "a mistake").status == 0
    desk.poll_well()
    assert desk.run("game", "replay", "oz-1", "--reason", "they want it").status == 0
    assert "is not over" in desk.refused("league", "season", "Winter")
    desk.award("oz-2", "blue")
    desk.poll_well()
    assert "1. Bob points 1" in flat(desk.letters_to("Alice")[-1])


def test_points_given_by_hand_count_in_the_table_which_says_so_and_can_be_taken_back(desk):
    desk.found("round-robin", 3, "--confirmed")
    desk.award("oz-1", "draw")
    desk.poll_well()
    before = {row["player"]: row["points"] for row in desk.standings()}
    told = desk.run("league", "points", "Winter", "Carla Brown", "0.5", "--reason", "her game was lost by a mistake")
    assert told.lines == ["Carla Brown has +0.5 points in Winter. Letters go out with the next poll."]
    desk.poll_well()
    text = next(one for one in map(flat, desk.letters_to("Alice")) if "has given" in one)
    assert "The game master has given Carla Brown extra points in the league Winter: 0.5." in text
    assert "her game was lost by a mistake" in text
    rows = {row["player"]: (row["points"], row.get("given")) for row in desk.standings()}
    assert rows["Carla Brown"] == (before["Carla Brown"] + 0.5, 0.5)
    assert "(+0.5 by hand)" in "".join(desk.run("league", "standings", "Winter").lines)
    desk.award("oz-2", "draw")
    desk.poll_well()
    assert any("including points by hand: +0.5" in flat(one) for one in desk.letters_to("Alice")[-2:])
    assert desk.run("league", "points", "Winter", "Carla Brown", "-0.5", "--reason", "it was another").status == 0
    assert all("given" not in row for row in desk.standings())
    desk.poll_well()
    assert "has taken points from Carla Brown in the league Winter: 0.5." in flat(desk.letters_to("Bob")[-1])
    decided = "".join(desk.run("decisions").lines)
    assert "points Winter Carla Brown -0.5: it was another" in decided
    assert desk.run("verify").status == 0


def test_nobody_has_points_by_hand_who_is_in_no_table(desk):
    desk.found("ladder", 2, "--confirmed")
    assert "Bob has no points in Winter." in desk.refused("league", "points", "Winter", "Bob", "1", "--reason", "so")
    assert "Nobody called" in desk.refused("league", "points", "Winter", "Zoe", "1", "--reason", "so")


def test_an_annulled_game_counts_for_nothing(desk):
    desk.found("round-robin", 2, "--confirmed")
    desk.award("oz-1", "red")
    desk.poll_well()
    assert desk.run("game", "annul", "oz-1", "--reason", "a mistake").status == 0
    desk.poll_well()
    assert results(desk.rounds()) == [["annulled"]]
    assert [(row["played"], row["rating"]) for row in desk.standings()] == [(0, 1500), (0, 1500)]


def test_a_game_of_which_no_turn_was_played_counts_for_ratings_only_if_its_league_says_so(desk):
    """A draw, a resignation or an award before the first report tells nothing of skill."""
    desk.found_by_file(f'name = "Winter"\nformat = "round-robin"\nconfirmed = true\ncycles = 2\n{division_of(2)}')
    desk.award("oz-1", "red")
    desk.poll_well()
    assert [(row["won"], row["rating"]) for row in desk.standings()] == [(1, 1500), (0, 1500)]
    desk.respond("Alice", "Pass", "oz-2")
    desk.respond("Bob", "Pass", "oz-2")
    desk.poll_well()
    desk.award("oz-2", "red")
    desk.poll_well()
    assert {row["rating"] for row in desk.standings()} == {1578, 1422}
    assert desk.run("game", "rollback", "oz-2", "1", "--reason", "a mistake").status == 0
    desk.award("oz-2", "red")
    desk.poll_well()
    assert {row["rating"] for row in desk.standings()} == {1500}


def test_ratings_can_be_reckoned_anew_and_are_the_same(desk):
    desk.found("swiss", 6, "--confirmed")
    for number in range(1, 10):
        desk.award(f"oz-{number}", ("red", "blue", "draw")[number % 3])
        desk.poll_well()
    assert desk.run("game", "annul", "oz-2", "--reason", "a mistake").status == 0
    desk.poll_well()
    store = desk.store
    before = store.conn.execute("SELECT match, player, mu, sigma FROM ratings ORDER BY id").fetchall()
    assert len({match for match, *_ in before}) == 8
    rate(store, before[0][0], unplayed=True)
    assert store.conn.execute("SELECT match, player, mu, sigma FROM ratings ORDER BY id").fetchall() == before


# Any season, any round


def test_any_season_and_any_round_can_be_asked_for_and_taken_out_for_other_programs(desk):
    desk.found("round-robin", 3, "--confirmed")
    for number in (1, 2, 3):
        desk.award(f"oz-{number}", "red")
        desk.poll_well()
    assert desk.run("league", "season", "Winter").status == 0
    assert {row["played"] for row in desk.standings()} == {0}
    table = {row["player"]: row["points"] for row in desk.ask("standings", "Winter", "--season", "1")}
    assert table == {"Alice": 2, "Bob": 2, "Carla Brown": 2}
    early = {row["player"]: row["points"] for row in desk.ask("standings", "Winter", "--season", "1", "--round", "1")}
    assert early == {"Alice": 1, "Bob": 1, "Carla Brown": 0}
    assert [one["round"] for one in desk.ask("rounds", "Winter", "--season", "1", "--round", "2")] == [1, 2]
    assert desk.run("league", "crosstable", "Winter", "--season", "1").lines == [
        "                  1  2  3  points",
        "  1  Alice        .  1  0       2",
        "  2  Bob          0  .  1       2",
        "  3  Carla Brown  1  0  .       2",
    ]
    asked = desk.ask("crosstable", "Winter", "--season", "1", "--round", "1")
    bye = {"round": 1, "outcome": "bye", "opponents": []}
    won = {"round": 1, "outcome": "won", "opponents": ["Carla Brown"], "seat": "red", "forfeit": False}
    assert [row["rounds"] for row in asked[:2]] == [[bye], [won]]
    told = desk.run("league", "export", "Winter", "--season", "1").lines
    assert told[0].startswith("division,number,rank,player,left,points,given,played,won,drawn,lost,head to head,")
    trf = desk.run("league", "export", "Winter", "--season", "1", "--format", "trf").lines
    assert trf[0] == "012 Winter, season 1"
    assert desk.refused("league", "standings", "Winter", "--season", "3").endswith(
        "has no season 3: the last one is 2."
    )
    assert desk.refused("league", "crosstable", "Winter", "--round", "2").endswith("has no round 2: the last one is 1.")


# A Swiss tournament


def test_a_swiss_tournament_of_six_has_three_rounds_without_a_pair_twice(desk):
    desk.found("swiss", 6, "--confirmed")
    number = 0
    for played in (1, 2, 3):
        rounds = desk.rounds()
        assert [one["round"] for one in rounds] == [*range(1, played + 1)]
        for game in rounds[-1]["games"]:
            number += 1
            assert game["game"] == f"oz-{number}"
            desk.award(f"oz-{number}", "red" if game["red"] < game["blue"] else "blue")  # by the alphabet
        desk.poll_well()
    pairs = [frozenset((game["red"], game["blue"])) for one in desk.rounds() for game in one["games"]]
    assert len(pairs) == len({*pairs}) == 9
    assert desk.standings()[0]["player"] == "Alice"
    sides = Counter(game["red"] for one in desk.rounds() for game in one["games"])
    assert {*sides.values()} <= {1, 2}
    assert "and so is the season" in flat(desk.letters_to("Alice")[-1])


def test_in_a_swiss_tournament_of_five_somebody_has_a_bye_that_counts_a_point(desk):
    desk.found("swiss", 5, "--confirmed")
    (first,) = desk.rounds()
    assert first["byes"] == ["Erin"]
    rows = {row["player"]: row for row in desk.standings()}
    assert (rows["Erin"]["points"], rows["Erin"]["played"]) == (1, 0)

    desk.poll_well()
    (told,) = [flat(one) for one in desk.letters_to("Erin")]
    assert "You have a bye in round 1 of the league Winter" in told


def test_the_table_after_a_round_counts_that_round_and_no_bye_of_the_next(desk):
    desk.found("swiss", 5, "--confirmed")
    desk.poll_well()
    for name in ("oz-1", "oz-2"):
        desk.award(name, "red")
    desk.poll_well()
    (resting,) = desk.rounds()[1]["byes"]
    told = next(flat(one) for one in desk.letters_to("Alice") if "Round 1 of the league Winter is over" in flat(one))
    table, playing = told.split("Now playing")
    assert f"{resting} has a bye." in playing
    assert table.count("points 1;") == 3  # two have won, and Erin had the bye of this round
    assert any("You have a bye in round 2" in flat(one) for one in desk.letters_to(resting))


def test_the_table_after_the_last_round_counts_a_later_one_that_was_over_before(desk):
    desk.found("round-robin", 3, "--confirmed")
    for _ in range(2):
        assert desk.run("league", "next", "Winter").status == 0
    desk.poll_well()
    for name in ("oz-3", "oz-2", "oz-1"):
        desk.award(name, "red")
        desk.poll_well()
    told = [flat(one) for one in desk.letters_to("Alice") if "of the league Winter is over" in flat(one)]
    assert "and so is the season" in told[-1]
    played = [int(number) for row in re.findall(r"won (\d), drawn \d, lost (\d)", told[-1]) for number in row]
    assert sum(played) == 6


# Leaving


def test_who_leaves_by_letter_forfeits_his_game_and_the_others_have_byes(desk):
    desk.found("round-robin", 3, "--confirmed")
    desk.poll_well()
    desk.award("oz-1", "red")  # Bob against Carla Brown
    desk.poll_well()
    desk.respond("Carla Brown", "leave winter", about="League")
    desk.poll_well()
    assert "Do you really want to leave the league Winter? You play in oz-2:" in flat(
        desk.letters_to("Carla Brown")[-1]
    )
    assert desk.rounds()[1]["games"][0]["result"] is None
    desk.respond("Carla Brown", "yes")
    desk.poll_well()
    assert "You have left the league Winter" in " ".join(map(flat, desk.letters_to("Carla Brown")))
    rounds = desk.rounds()
    assert rounds[1]["games"] == [{"game": "oz-2", "red": "Carla Brown", "blue": "Alice", "result": "blue"}]
    assert (rounds[2]["games"][0]["red"], rounds[2]["games"][0]["blue"]) == ("Alice", "Bob")
    assert [(row["player"], row["rating"]) for row in desk.standings()][-1] == ("Carla Brown", 1422)


def test_games_to_come_of_who_leaves_become_byes(desk):
    desk.found("round-robin", 4, "--confirmed")
    told = desk.run("league", "withdraw", "Winter", "dora", "--reason", "she moves house")
    assert told.status == 0
    assert [(len(one["games"]), one["byes"]) for one in desk.rounds()] == [
        (2, []),
        (1, ["Bob"]),
        (1, ["Carla Brown"]),
    ]
    assert desk.rounds()[0]["games"][0]["result"] == "red"
    desk.award("oz-2", "draw")
    desk.poll_well()
    assert any("she moves house" in flat(letter) for letter in desk.letters_to("Alice"))
    assert 'Nobody called "Dora" is in Winter' in desk.refused(
        "league", "withdraw", "Winter", "Dora", "--reason", "again"
    )


def test_who_is_banned_has_left_his_leagues(desk):
    desk.found("round-robin", 4, "--confirmed")
    assert desk.run("player", "ban", "dora@example.org", "--reason", "threats").status == 0
    desk.poll_well()
    assert [one["byes"] for one in desk.rounds()] == [[], ["Bob"], ["Carla Brown"]]
    assert desk.rounds()[0]["games"][0]["result"] == "red"


def test_who_has_left_has_no_byes_and_what_hangs_on_them_alone_decides_no_title(desk):
    """A round robin of five: the first opponent has won by forfeit, and the others would have had byes."""
    desk.found("round-robin", 5, "--confirmed")
    (first, _), (leaver,) = desk.rounds()[0]["games"], desk.rounds()[1]["byes"]
    assert leaver in first.values()
    assert desk.run("league", "withdraw", "Winter", leaver, "--reason", "no time").status == 0
    for number in range(5):
        for game in desk.rounds()[number]["games"]:
            if game["result"] is None:
                desk.award(game["game"], "draw")
        desk.poll_well()
    assert [len(one["byes"]) for one in desk.rounds()] == [1, 0, 2, 2, 2]
    table = desk.standings()
    assert [(row["rank"], row["points"]) for row in table] == [(1, 2.5)] * 4 + [(5, 0)]
    assert (table[-1]["player"], table[-1]["played"]) == (leaver, 0)
    (stayed,) = {"Alice"} - {leaver} or {"Bob"}
    told = " ".join(flat(desk.letters_to(stayed)[-1]).split())
    assert f"{leaver} left before playing half of their games: none of them counts." in told
    assert f"5. {leaver} (has left)" in told
    assert [row["left"] for row in table] == [False] * 4 + [True]
    assert any(line.endswith(f"{leaver} (has left)") for line in desk.run("league", "standings", "Winter").lines)


def test_who_is_banned_wins_no_game_that_never_began_and_the_other_has_not_forfeited_it(desk):
    desk.found("round-robin", 2)
    desk.poll_well()
    desk.respond("Bob", "accept")
    desk.poll_well()
    assert desk.run("player", "ban", "bob@example.com", "--reason", "threats").status == 0
    desk.poll_well()
    assert desk.rounds() == [{"round": 1, "games": [], "byes": ["Alice"]}]
    assert [(row["player"], row["lost"]) for row in desk.standings()] == [("Alice", 0), ("Bob", 0)]


def test_who_leaves_and_is_forgotten_then_has_left(desk):
    desk.found("round-robin", 3, "--confirmed")
    desk.poll_well()
    desk.award("oz-1", "red")  # Bob against Carla Brown
    desk.poll_well()
    desk.respond("Carla Brown", "leave Winter", about="League")
    desk.poll_well()
    desk.respond("Carla Brown", "yes")
    desk.poll_well()
    desk.respond("Carla Brown", "forget me")
    desk.poll_well()
    desk.respond("Carla Brown", "yes")
    desk.poll_well()
    second, third = desk.rounds()[1:]
    assert second == {
        **second,
        "games": [{**second["games"][0], "red": "a player", "result": "blue"}],
        "byes": ["Bob"],
    }
    assert [{one["red"], one["blue"]} for one in third["games"]] == [{"Alice", "Bob"}]


FILE = """
name = "Winter"
format = "round-robin"
confirmed = true
up = 1
down = 1
standby = ["Erin <erin@example.net>", "Flo <flo@example.com>"]

[terms]
deadline = "2 days"
forfeit = 1

[[masters]]
name = "Gerda"
address = "gerda@example.org"

[[divisions]]
players = ["Alice <alice@example.net>", "Bob <bob@example.com>"]

[[divisions]]
players = ["Carla Brown <carla@example.org>", "Dora <dora@example.org>"]
"""


def test_who_is_first_on_standby_takes_over_the_games_of_who_leaves(desk):
    desk.found_by_file(FILE)
    desk.poll_well()
    desk.respond("Bob", "leave Winter")
    desk.poll_well()
    desk.respond("Bob", "yes")
    desk.poll_well()
    assert desk.rounds()[0]["games"] == [{"game": "oz-1", "red": "Alice", "blue": "Erin", "result": None}]
    assert desk.ask("show", "Winter")["standby"] == ["Flo"]
    desk.respond("Erin", "2 H to S")
    desk.poll_well()
    assert "receipt" in flat(desk.letters_to("Erin")[-1]).lower()
    desk.award("oz-1", "blue")
    desk.poll_well()
    assert [(row["player"], row["points"]) for row in desk.ask("standings", "Winter", "--division", "1")] == [
        ("Erin", 1),
        ("Alice", 0),
        ("Bob", 0),
    ]


def test_nobody_takes_over_a_game_against_himself(desk):
    desk.found_by_file(FILE)
    desk.poll_well()
    desk.respond("Alice", "hand over to erin@example.net")
    desk.poll_well()
    desk.respond("Alice", "yes")
    desk.poll_well()
    desk.respond("Erin", "accept")
    desk.poll_well()
    desk.respond("Bob", "leave Winter")
    desk.poll_well()
    desk.respond("Bob", "yes")
    desk.poll_well()
    assert desk.rounds()[0]["games"] == [{"game": "oz-1", "red": "Alice", "blue": "Flo", "result": None}]
    assert desk.ask("show", "Winter")["standby"] == ["Erin"]


ROUND_OF_TWO = f"""
name = "Winter"
format = "swiss"
rounds = 2
confirmed = true
{division_of(4)}"""


def replace(desk, game, seat, who):
    person = f"{BY_NAME[who].name} <{BY_NAME[who].address}>"
    assert desk.run("game", "replace", game, seat, "with", person, "--reason", "no time").status == 0
    desk.poll_well()


def test_who_plays_for_a_member_who_leaves_plays_on(desk):
    desk.found_by_file(ROUND_OF_TWO)
    desk.poll_well()
    (game, *_) = (one["game"] for one in desk.rounds()[0]["games"] if "Alice" in (one["red"], one["blue"]))
    seat = next(seat for seat in ("red", "blue") if desk.rounds()[0]["games"][0][seat] == "Alice")
    replace(desk, game, seat, "Flo")
    desk.respond("Flo", {"red": "3 A to M", "blue": "3 H to S"}[seat])
    desk.respond("Alice", "leave Winter")
    desk.poll_well()
    desk.respond("Alice", "yes")
    desk.poll_well()
    assert desk.ask("show", "Winter")["divisions"][0][0] == {"player": "Alice", "state": "withdrawn"}
    assert desk.rounds()[0]["games"][0]["result"] is None
    assert "Flo" in "\n".join(desk.run("game", "show", game).lines)
    assert not any("has left the league" in flat(letter) for letter in desk.letters_to("Flo"))
    desk.award(game, seat)
    assert desk.rounds()[0]["games"][0]["result"] == seat


def test_who_plays_for_a_member_already_takes_their_place_before_all_who_wait(desk):
    desk.found_by_file(ROUND_OF_TWO + 'standby = ["Erin <erin@example.net>"]')
    desk.poll_well()
    game = desk.rounds()[0]["games"][0]
    seat = next(seat for seat in ("red", "blue") if game[seat] == "Alice")
    replace(desk, game["game"], seat, "Flo")
    desk.run("league", "join", "Winter", "Flo <flo@example.com>")
    assert desk.run("league", "withdraw", "Winter", "Alice", "--reason", "no time").status == 0
    assert desk.rounds()[0]["games"][0] == {**game, seat: "Flo"}
    assert desk.ask("show", "Winter")["standby"] == ["Erin"]
    desk.poll_well()
    assert "You play in the league Winter from now on, in place of Alice" in flat(desk.letters_to("Flo")[-1])
    taken_out = flat(desk.letters_to("Alice")[-1])
    assert "The game master has removed you from the league Winter." in taken_out
    assert "no time" in taken_out


def test_whoever_is_put_on_standby_is_told_so_and_takes_themselves_out(desk):
    desk.found_by_file(ROUND_OF_TWO + 'standby = ["Erin <erin@example.net>"]')
    desk.run("league", "join", "Winter", "Flo <flo@example.com>")
    desk.poll_well()
    for name in ("Erin", "Flo"):
        assert "has put you on standby for the league Winter" in flat(desk.letters_to(name)[-1])
        desk.respond(name, "leave Winter")
    desk.poll_well()
    for name in ("Erin", "Flo"):
        desk.respond(name, "yes")
    desk.poll_well()
    assert desk.ask("show", "Winter")["standby"] == []


@pytest.mark.parametrize("standby", ["", 'standby = ["Flo <flo@example.com>"]'])
def test_reopening_the_game_of_a_no_show_says_how_they_get_their_place_back(desk, standby):
    desk.found_by_file(ROUND_OF_TWO.replace("confirmed = true", standby).replace("rounds = 2", "rounds = 3"))
    desk.poll_well()
    for name in ("Bob", "Carla Brown", "Dora"):
        desk.respond(name, "accept")
    desk.poll_well()
    desk.poll(timedelta(days=15))
    game = next(one["game"] for one in desk.rounds()[0]["games"] if "Alice" in (one["red"], one["blue"]))
    told = desk.direct(OPERATOR, f"reopen {game} because she was ill")
    assert f"Done: {game} goes on." in flat(told)
    assert "Alice plays this game, but no more games in Winter." in flat(told)
    assert "`enter Winter Alice <ADDRESS> because ...`" in flat(told)
    assert ("`withdraw Winter Flo because ...`" in flat(told)) == bool(standby)


def test_a_game_that_has_not_begun_is_set_up_anew_for_who_stands_in(desk):
    desk.found_by_file(FILE.replace("confirmed = true", "confirmed = false"))
    desk.poll_well()
    assert desk.run("league", "withdraw", "Winter", "Bob", "--reason", "no answer").status == 0
    desk.poll_well()
    assert desk.rounds()[0]["games"] == [{"game": "oz-3", "red": "Alice", "blue": "Erin", "result": None}]
    desk.respond("Alice", "accept", about="oz-3")
    desk.respond("Erin", "accept")
    desk.poll_well()
    assert desk.run("game", "show", "oz-3").lines[0].startswith("oz-3: Ozymandia, turn 1, running.")


def test_who_misses_too_many_turns_forfeits_and_it_does_not_count_for_ratings(desk):
    desk.found_by_file(FILE)
    desk.poll_well()
    desk.respond("Alice", "Pass")
    assert desk.poll(timedelta(days=3)).status == 0
    first, second = desk.rounds()
    assert (first["games"][0]["result"], second["games"][0]["result"]) == ("red", "forfeit")
    assert [(row["points"], row["rating"], row["reliability"]) for row in desk.standings()] == [
        (1, 1500, 1),
        (0, 1500, 0),
        (0, 1500, 0),
        (0, 1500, 0),
    ]


# Seasons and divisions


def test_a_season_ends_with_promotion_and_relegation(desk):
    desk.found_by_file(FILE)
    assert "Season 1 of Winter is not over" in desk.refused("league", "season", "Winter")
    desk.award("oz-1", "red")
    desk.award("oz-2", "red")
    desk.poll_well()
    assert desk.run("league", "season", "Winter").lines == [
        "Season 2 of Winter begins. Letters go out with the next poll."
    ]
    shown = desk.ask("show", "Winter")
    assert [[one["player"] for one in division] for division in shown["divisions"]] == [
        ["Alice", "Carla Brown"],
        ["Bob", "Dora"],
    ]
    assert (shown["season"], shown["standby"]) == (2, ["Erin", "Flo"])
    assert [game["game"] for one in desk.rounds() for game in one["games"]] == ["oz-3", "oz-4"]
    assert {row["points"] for row in desk.standings()} == {0}


def test_the_next_season_can_take_everybody_in(desk):
    desk.found_by_file(FILE)
    for number in (1, 2):
        desk.award(f"oz-{number}", "draw")
    assert desk.run("league", "season", "Winter", "--everybody").status == 0
    shown = desk.ask("show", "Winter")
    assert [one["player"] for one in shown["divisions"][1]][-2:] == ["Erin", "Flo"]
    assert shown["standby"] == []


def test_a_league_without_players_is_open_until_its_first_season(desk):
    desk.found_by_file('name = "Winter"\nformat = "swiss"\n')
    assert desk.standings() == desk.rounds() == []
    assert "fewer than two players" in desk.refused("league", "season", "Winter")
    for name in ("Alice", "Bob"):
        told = desk.run("league", "join", "Winter", f"{name} <{BY_NAME[name].address}>")
        assert told.lines == [f"{name} is on standby in Winter."]
    assert desk.run("league", "season", "Winter").status == 0
    assert desk.rounds()[0]["games"] == [{"game": "oz-1", "red": "Alice", "blue": "Bob", "result": None}]


def test_somebody_joins_by_letter_and_plays_in_the_next_season(desk):
    desk.found("round-robin", 2, "--confirmed")
    desk.new_game()
    desk.poll_well()
    desk.run("game", "new", "--red", "Dora <dora@example.org>", "--blue", "Flo <flo@example.com>")
    desk.poll_well()
    desk.respond("Dora", "join summer")
    desk.poll_well()
    assert 'There is no league "summer"' in flat(desk.letters_to("Dora")[-1])
    assert "Winter" in flat(desk.letters_to("Dora")[-1])
    desk.respond("Dora", "join winter", about="oz")
    desk.poll_well()
    assert desk.ask("show", "Winter")["standby"] == ["Dora"]
    desk.award("oz-1", "draw")
    desk.poll_well()
    desk.run("league", "season", "Winter", "--everybody")
    assert {row["player"] for row in desk.standings()} == {"Alice", "Bob", "Dora"}


# Ladders


def test_in_a_ladder_a_winner_from_below_takes_the_place_of_whom_he_challenged(desk):
    desk.found("ladder", 5, "--confirmed")
    assert desk.rounds() == [{"round": 1, "games": [], "byes": []}]
    assert desk.run("league", "challenge", "Winter", "erin", "Bob").lines[-1].endswith("The game is oz-1")
    desk.poll_well()
    told = desk.refused("league", "challenge", "Winter", "Dora", "Bob")
    assert told == "pbem: Dora cannot challenge Bob in Winter now, but can challenge Alice, Carla Brown."
    desk.award("oz-1", "blue")
    desk.poll_well()
    assert [row["player"] for row in desk.standings()] == ["Alice", "Erin", "Bob", "Carla Brown", "Dora"]
    assert "2. Erin points 1" in flat(desk.letters_to("Bob")[-1])


def test_a_ladder_is_challenged_by_letter(desk):
    desk.found("ladder", 3, "--confirmed")
    desk.run("game", "new", "--red", "Carla Brown <carla@example.org>", "--blue", "Flo <flo@example.com>")
    desk.poll_well()
    for text, told in [
        ("challenge Bob in Spring", 'There is no league "Spring"'),
        ("challenge Dora in Winter", "You can challenge Alice and Bob."),
        ("challenge bob in winter", "You play Bob for the higher place in the league winter"),
        ("challenge Alice in Winter", "There is nobody you can challenge"),
    ]:
        desk.respond("Carla Brown", text, about="Ozymandia oz-1")
        desk.poll_well()
        assert any(told in flat(letter) for letter in desk.letters_to("Carla Brown")), text
    assert desk.rounds()[0]["games"] == [{"game": "oz-2", "red": "Bob", "blue": "Carla Brown", "result": None}]


def test_everybody_hears_that_a_ladder_begins_and_how_to_challenge(desk):
    desk.found("ladder", 3)
    desk.poll_well()
    for name in ("Alice", "Bob", "Carla Brown"):
        (letter,) = desk.letters_to(name)
        told = "You play in the league Winter: its season begins. Write `challenge NAME in Winter` to play"
        assert told in flat(letter)


def test_a_season_of_a_ladder_takes_challenges_for_its_length(desk):
    desk.found_by_file(
        'name = "Winter"\nformat = "ladder"\nlength = "4 weeks"\nconfirmed = true\n[[divisions]]\n'
        'players = ["Alice <alice@example.net>", "Bob <bob@example.com>"]\n'
    )
    desk.now += timedelta(weeks=5)
    told = desk.refused("league", "challenge", "Winter", "Bob", "Alice")
    assert told == "pbem: Bob cannot challenge Alice in Winter now, nor anyone else."
    desk.run("league", "season", "Winter")
    assert desk.run("league", "challenge", "Winter", "Bob", "Alice").status == 0


def test_a_newcomer_begins_at_the_foot_of_a_ladder(desk):
    desk.found("ladder", 2, "--confirmed")
    told = desk.run("league", "join", "Winter", "Bob <bob2@example.com>")
    assert told.lines == ["Bob 2 is playing in Winter."]
    assert [row["player"] for row in desk.standings()] == ["Alice", "Bob", "Bob 2"]


# What cannot be


@pytest.mark.parametrize(
    "words",
    [
        ("show", "Summer"),
        ("standings", "Summer"),
        ("rounds", "Summer"),
        ("next", "Summer"),
        ("season", "Summer"),
        ("join", "Summer", "Al <al@example.org>"),
        ("withdraw", "Summer", "Al", "--reason", "none"),
        ("challenge", "Summer", "Al", "Bo"),
    ],
)
def test_an_unknown_league_is_told_with_those_there_are(desk, words):
    desk.found_by_file('name = "Winter"\nformat = "swiss"\n')
    assert desk.refused("league", *words) == 'pbem: There is no league "Summer": this desk has Winter.'


def test_where_there_is_no_league_the_way_to_one_is_told(desk):
    assert "`pbem league new` makes one" in desk.refused("league", "show", "Winter")


def test_a_league_is_made_once_and_all_of_it_or_nothing(desk):
    desk.found("swiss", 2, "--confirmed")
    (desk.folder / "players.txt").write_text("".join(f"{one.name} <{one.address}>\n" for one in PEOPLE))
    again = ("league", "new", "WINTER", "--format", "swiss", "--players", str(desk.folder / "players.txt"))
    assert 'There is a league "WINTER" already' in desk.refused(*again)
    (desk.folder / "players.txt").write_text("Al <al@example.org>\nBo\nCy <al@example.org>\n")
    again = ("league", "new", "Spring", "--format", "swiss", "--players", str(desk.folder / "players.txt"))
    told = desk.refused(*again)
    assert told.startswith(f"pbem: {desk.folder / 'players.txt'}:\n  line 2: ")
    assert "\n  line 3: " in told
    assert [one["league"] for one in desk.ask("list")] == ["Winter"]


def test_two_addresses_of_one_player_make_no_two_members(desk):
    desk.found("swiss", 2, "--confirmed")
    store = desk.store
    store.conn.execute(
        "INSERT INTO addresses (address, written, player) VALUES ('al@example.org', 'al@example.org', 1)"
    )
    (desk.folder / "players.txt").write_text("Alice <alice@example.net>\nAl <al@example.org>\n")
    store.conn.execute("UPDATE addresses SET confirmed = '2026-11-21T12:00:00Z'")
    again = ("league", "new", "Spring", "--format", "swiss", "--players", str(desk.folder / "players.txt"))
    assert desk.refused(*again) == "pbem: Al and Alice are the same player, with two addresses."


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, " cannot be read: No such file or directory."),
        (b"\xff", ": it is not UTF-8 text: save the file in that charset."),
        (b"Al <al@example.org>\n", ": There are fewer than two players: write one `Name <address>` a line."),
    ],
)
def test_what_is_wrong_with_a_list_of_players_is_told_with_the_name_of_the_file(desk, content, problem):
    path = desk.folder / "players.txt"
    if content is not None:
        path.write_bytes(content)
    told = desk.refused("league", "new", "Spring", "--format", "swiss", "--players", str(path))
    assert told == f"pbem: {path}{problem}"


def test_places_are_played_for_in_ladders_only(desk):
    desk.found("round-robin", 3)
    told = desk.refused("league", "challenge", "Winter", "Carla Brown", "Alice")
    assert told == "pbem: Winter is not a ladder, so there is no place to play for."


def test_an_invitation_names_the_league_and_the_opponent(desk):
    desk.found("round-robin", 2)
    desk.poll_well()
    (letter,) = desk.letters_to("Alice")
    assert "In the league Winter you play Ozymandia by mail against Bob, as Red." in flat(letter)
    desk.found_by_file(
        'name = "Spring"\nformat = "swiss"\nconfirmed = true\n[[divisions]]\n'
        'players = ["Alice <alice@example.net>", "Bob <bob@example.com>"]\n'
    )
    desk.poll_well()
    assert "This is a game of the league Spring." in flat(desk.letters_to("Alice")[-1])


def test_an_invitation_is_repeated_in_the_language_that_is_asked_for(desk):
    desk.found("round-robin", 2)
    desk.poll_well()
    desk.respond("Alice", "Sprache deutsch")
    desk.poll_well()
    told = flat(desk.letters_to("Alice")[-1])
    assert "In der Liga Winter spielst du per E-Mail Ozymandia gegen Bob. Deine Seite: Rot." in told
    assert "Antworte `annehmen`" in told


def test_who_waits_for_somebody_who_has_left_is_told_so_in_his_own_language(desk):
    desk.found("round-robin", 2)
    desk.poll_well()
    desk.respond("Alice", "accept")
    desk.respond("Alice", "Sprache deutsch")
    desk.poll_well()
    assert desk.run("league", "withdraw", "Winter", "Bob", "--reason", "he is ill").status == 0
    desk.poll_well()
    assert any("findet nicht statt: Bob macht nicht mit." in flat(letter) for letter in desk.letters_to("Alice"))


def test_results_come_from_games_only(desk):
    desk.found("round-robin", 4, "--confirmed")
    assert "oz-3" in desk.refused("game", "award", "oz-3", "red", "--reason", "none")


@pytest.mark.parametrize("words", [(), ("Winter",), ("Winter", "--format", "swiss"), ("Winter", "--file", "x.toml")])
def test_new_wants_a_list_of_players_or_a_league_file(desk, words):
    assert "Say either NAME, --format and --players, or --file alone." in desk.refused("league", "new", *words)


def test_a_league_that_fails_stops_no_other_and_the_operator_is_told(desk, monkeypatch):
    desk.found("round-robin", 2, "--confirmed")
    desk.poll_well()
    desk.award("oz-1", "red")

    def fail(store, match, *, unplayed):
        raise RuntimeError

    monkeypatch.setattr(leagues, "rate", fail)
    told = desk.poll()
    assert told.status == 1
    assert "pbem: The league Winter cannot go on (RuntimeError); nothing of it was changed." in told.lines
    monkeypatch.undo()
    desk.poll()
    assert desk.standings()[0]["rating"] == 1578
