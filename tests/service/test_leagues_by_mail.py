"""A league run from its game master's mailbox, and what its players can ask of it."""

import json
import re

import pytest

from pbem.cli.demo import letter_text
from pbem.config.config import Address
from support.desks import flat
from support.leagues import PEOPLE, LeagueDesk

GINA, HANS = Address("Gina", "gina@example.com"), Address("Hans", "hans@example.com")


@pytest.fixture
def desk(tmp_path):
    return LeagueDesk(tmp_path / "desk")


def found(desk, size=4, shape="round-robin", more="", masters=(GINA,)):
    desk.found_by_file(
        f'name = "Autumn"\nformat = "{shape}"\nconfirmed = true\n{more}\n'
        + "".join(f'[[masters]]\nname = "{one.name}"\naddress = "{one.address}"\n' for one in masters)
        + f"[[divisions]]\nplayers = {json.dumps([f'{one.name} <{one.address}>' for one in PEOPLE[:size]])}\n"
    )
    desk.poll_well()


def decisions(desk):
    rows = desk.store.conn.execute(
        "SELECT content FROM record_contents JOIN record ON id = record WHERE kind = 'decision'"
    )
    return [json.loads(content) for (content,) in rows]


def test_each_line_about_a_league_is_done_or_refused_by_itself_and_stands_in_the_record(desk):
    found(desk)
    told = flat(
        desk.direct(
            GINA,
            "withdraw Autumn Hal because he said so\n"
            "withdraw autumn carla brown because she moves house\n"
            "join Autumn Flo <flo@example.com>\n"
            "season Autumn\n",
        )
    )
    assert 'not done. Nobody called "Hal" is in Autumn, only Alice, Bob, Carla Brown, Dora.' in told
    assert "Done: withdraw Autumn carla brown." in told
    assert "Done: join Autumn Flo <flo@example.com>." in told
    assert "Season 1 of Autumn is not over: `rounds` shows the unfinished games." in told
    shown = desk.ask("show", "Autumn")
    assert {one["player"]: one["state"] for one in shown["divisions"][0]}["Carla Brown"] == "withdrawn"
    assert shown["standby"] == ["Flo"]
    kept = [(one["decision"], one["argument"], one["reason"], one["by"][:6]) for one in decisions(desk)]
    assert kept == [("withdraw", "carla brown", "she moves house", "player"), ("join", "Flo", "", "player")]


def test_answers_show_the_state_after_the_letters_own_decisions(desk):
    found(desk, size=2)
    told = flat(desk.direct(GINA, "standings Autumn\npoints Autumn Bob 0.5 because of a claim"))
    assert told.count("1. Bob points 0.5") == 1
    told = flat(desk.direct(GINA, "points Autumn Bob 0.5 because of another\npoints Autumn Alice 2 because of a third"))
    assert told.count("1. Alice points 2") == 1
    assert "2. Bob points 1" in told
    told = flat(desk.direct(GINA, "points Autumn Nobody 0.5 because of another"))
    assert "points" in told
    assert "1. Alice" not in told


def test_a_decision_is_confirmed_with_what_came_of_it(desk):
    found(desk, size=2)
    told = flat(desk.direct(GINA, "extend oz-1 2 days because Bob is ill\npause oz-1 because Bob is ill"))
    assert re.search(r"Done: extend oz-1 2 days\. The deadline of turn 1 is \S+ \d+ \w+", told)
    assert "Done: pause oz-1. The game is paused and has no deadline until it goes on." in told
    desk.direct(GINA, "award oz-1 red because Bob is gone")
    told, of_the_round = map(flat, desk.letters_of(GINA)[-2:])
    assert "Done: award oz-1 red. The game is over. The game master awarded the game to" in told
    assert "Round 1 of the league Autumn is over" in of_the_round


def test_a_round_and_a_season_begin_by_a_letter(desk):
    found(desk, size=2, more="cycles = 2")
    assert "Done: next Autumn." in flat(desk.direct(GINA, "next Autumn because both want to"))
    told = flat(desk.direct(GINA, "next Autumn because both want to"))
    assert "Autumn has no further round: `season` begins the next season." in told
    for game in ("oz-1", "oz-2"):
        desk.award(game, "red")
    desk.poll_well()
    assert "Done: season Autumn." in flat(desk.direct(GINA, "season Autumn"))
    assert desk.ask("show", "Autumn")["season"] == 2


def test_a_ladder_is_challenged_by_its_game_master(desk):
    found(desk, size=4, shape="ladder")
    assert "Done: challenge Autumn Dora against Alice." in flat(
        desk.direct(GINA, "challenge Autumn Dora against Alice")
    )
    told = flat(desk.direct(GINA, "challenge Autumn Dora against Bob"))
    assert "Dora cannot challenge Bob in Autumn now, nor anyone else." in told
    assert desk.ask("rounds", "Autumn")[0]["games"][0]["game"] == "oz-1"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "withdraw Autum Dora because she left",
            "No league has that name, only Autumn: write `withdraw LEAGUE NAME",
        ),
        ("season Winter", "No league has that name, only Autumn: write `season LEAGUE"),
        ("next Autumn because it is late", "You do not have this right in Autumn."),
    ],
)
def test_what_cannot_be_said_of_a_league_is_told_with_the_way(desk, line, why):
    found(desk, masters=(GINA, HANS._replace(name="Hans")))
    settings = json.loads(*desk.store.conn.execute("SELECT settings FROM leagues").fetchone())
    settings["masters"][1]["rights"] = ["withdraw", "season"]
    desk.store.conn.execute("UPDATE leagues SET settings = ?", (json.dumps(settings),))
    assert why in flat(desk.direct(HANS, line))
    assert decisions(desk) == []


def test_only_who_directs_a_league_and_does_not_play_in_it_decides_about_it(desk):
    found(desk, masters=(GINA, PEOPLE[0]))
    told = flat(desk.direct(PEOPLE[1], "withdraw Autumn Dora because I would win then"))
    assert "You are not the game master of the league Autumn." in told
    told = flat(desk.direct(PEOPLE[0], "withdraw Autumn Dora because I would win then"))
    assert "You play in Autumn yourself: another game master, or the operator, decides there." in told
    assert decisions(desk) == []


def test_a_word_that_begins_a_sentence_is_no_word_about_a_league(desk):
    found(desk)
    for line in ("next Sunday I am away", "withdraw the troops", "Season's greetings", "schedule is tight"):
        desk.respond("Alice", f"2 A to AC\n\n{line}")
        desk.poll_well()
        assert "league" not in flat(desk.letters_to("Alice")[-1]).replace("League", ""), line


def test_players_see_the_table_all_games_their_own_and_who_plays(desk):
    found(desk, size=3)
    desk.award("oz-1", "red")
    desk.poll_well()
    desk.respond("Alice", "standings\nrounds Autumn\nschedule\nleagues")
    desk.poll_well()
    told = flat(desk.letters_to("Alice")[-1])
    assert "Season 1 of the league Autumn goes on." in told
    assert "1. Bob points 2; won 1, drawn 0, lost 0" in told
    assert "Round 1, over - oz-1, Bob against Carla Brown, was won by Bob. - Alice had a bye." in told
    assert "Round 3, upcoming - Alice (Red) against Bob (Blue) - Carla Brown has a bye." in told
    own = told.partition("Your games in season 1 of the league Autumn")[2]
    assert own.startswith(" Round 1, over - Alice had a bye. Round 2 - oz-2: Carla Brown (Red) against Alice (Blue)")
    assert "Players Alice, Bob and Carla Brown" in own


def test_players_see_who_met_whom_by_players_or_by_rounds(desk):
    found(desk, size=3)
    desk.award("oz-1", "red")
    desk.poll_well()
    desk.respond("Alice", "crosstable autumn")
    desk.poll_well()
    told = letter_text(desk.letters_to("Alice")[-1])
    assert "Who has met whom in season 1 of the league Autumn" in told
    assert "  1. Bob          x . 1; points 2\n  2. Alice        . x .; points 1\n" in told


def test_of_a_swiss_tournament_the_cross_table_goes_by_rounds(desk):
    found(desk, size=5, shape="swiss", more="rounds = 3")
    for game in ("oz-1", "oz-2"):
        desk.award(game, "red")
    desk.poll_well()
    desk.write(PEOPLE[1], "Kreuztabelle Autumn")
    desk.poll_well()
    told = letter_text(desk.letters_to("Bob")[-1])
    assert "  1. Alice        R1 2+, R2 (5); points 1\n  2. Carla Brown  R1 1-, R2 bye; points 1\n" in told
    assert "5+ is a win against the player in line 5, 5= a draw, 5- a loss" in told


def test_players_see_an_earlier_season_and_how_it_stood_after_a_round(desk):
    found(desk, size=3)
    for game in ("oz-1", "oz-2", "oz-3"):
        desk.award(game, "red")
        desk.poll_well()
    assert "Done: season Autumn." in flat(desk.direct(GINA, "season Autumn"))
    desk.respond("Alice", "standings Autumn season 1 round 1\ncrosstable season 1\nTabelle Autumn Saison 1")
    desk.poll_well()
    told = flat(desk.letters_to("Alice")[-1])
    assert "Season 1 of the league Autumn after round 1 The table 1. Alice points 1; won 0" in told
    assert "Who has met whom in season 1 of the league Autumn 1. Alice x 1 0; points 2" in told
    assert "Season 1 of the league Autumn is over. The champion" not in told
    assert "Season 1 of the league Autumn is over. The table 1. Alice points 2; won 1" in told
    desk.respond("Alice", "standings Autumn season 7\nrounds Autumn round 2\nstandings Winter season 1")
    desk.poll_well()
    told = flat(desk.letters_to("Alice")[-1])
    assert "Autumn has no season 7: the last one is 2." in told
    assert "Season 2 of Autumn has no round 2: the last one is 1." in told
    assert 'There is no league "Winter", only Autumn.' in told


def test_who_writes_afresh_is_shown_a_league_at_once_and_nothing_else(desk):
    found(desk, size=3)
    desk.write(PEOPLE[2], "standings Autumn\nrounds Autum")
    desk.poll_well()
    told = flat(desk.letters_to("Carla Brown")[-1])
    assert "Season 1 of the league Autumn goes on." in told
    assert 'There is no league "Autum", only Autumn.' in told
    assert "which game" not in told


def test_of_a_swiss_tournament_the_rounds_that_are_still_to_be_paired_are_told(desk):
    found(desk, size=4, shape="swiss", more="rounds = 3")
    desk.respond("Dora", "schedule Autumn")
    desk.poll_well()
    told = flat(desk.letters_to("Dora")[-1])
    assert "2 more rounds are paired, each after the one before." in told


def test_who_plays_in_no_league_and_writes_standings_is_told_how_their_games_stand(desk):
    game = desk.new_game()
    desk.quiet_poll()
    desk.write(PEOPLE[0], "standings")
    desk.poll_well()
    told = flat(desk.letters_to("Alice")[-1])
    assert f"{game} Ozymandia, you play Red against Bob" in told
    assert "league" not in told


OTTO = Address("Otto", "op@example.org")  # the game master of this desk
FILE = """league:
# as typed on a phone
name = “Winter”
format = "swiss"
players_are = "strongest first"

[terms]
deadline = "Sun 20:00"

[[divisions]]
players = ["Alice <alice@example.net>", "Bob <bob@example.com>",
           "Carla Brown <carla@example.org>"]
end league
"""


def test_a_league_is_made_by_a_letter_of_the_game_master_of_the_desk(desk):
    told = flat(desk.direct(OTTO, FILE))
    assert '`league Winter` was not done. unknown key "players_are"' in told
    assert desk.run("league", "list").lines == ["There are no leagues yet."]
    told = flat(desk.direct(OTTO, FILE.replace('players_are = "strongest first"\n', "") + "\nstandings Winter\n"))
    assert "Done: league Winter." in told
    assert [one["games"][0]["red"] for one in desk.ask("rounds", "Winter")[:1]] == ["Alice"]
    assert "In the league Winter you play" in flat(desk.letters_to("Bob")[-1])
    (kept,) = decisions(desk)
    assert (kept["decision"], kept["argument"]) == ("league", "")


def test_nobody_else_makes_a_league(desk):
    found(desk)
    assert "Only a game master of the whole desk can ask for this." in flat(desk.direct(GINA, FILE))
    assert desk.run("league", "list").lines == ["Autumn  round-robin, season 1, 4 players"]


def test_a_sentence_that_begins_with_the_word_makes_none(desk):
    found(desk)
    desk.respond("Alice", "League: you sly dog!\n\n2 A to AC")
    desk.poll_well()
    assert "Only a game master" not in flat(desk.letters_to("Alice")[-1])


def test_decisions_of_a_league_are_listed_with_those_of_its_games(desk):
    found(desk)
    game = desk.ask("rounds", "Autumn")[0]["games"][0]["game"]
    desk.direct(GINA, f"pause {game} because of the flood\njoin Autumn Flo <flo@example.com>")
    desk.direct(GINA, "withdraw Autumn Dora because she moves house")
    told = flat(desk.direct(GINA, "decisions autumn"))
    assert "Decisions in Autumn" in told
    for line in (f"pause {game}: because of the flood", "join Autumn Flo", "withdraw Autumn Dora: she moves house"):
        assert line in told
    listed = desk.run("decisions", "autumn").lines
    assert [line.split("  ")[2] for line in listed][-1] == "withdraw Autumn Dora: she moves house"
    assert len(listed) == 3


def test_decisions_of_an_unknown_league_or_of_one_that_somebody_else_runs_are_refused(desk):
    found(desk, masters=(GINA,))
    assert "No league has that name, only Autumn: write `decisions" in flat(desk.direct(GINA, "decisions Spring"))
    assert "You are not the game master of the league Autumn." in flat(desk.direct(PEOPLE[0], "decisions Autumn"))
