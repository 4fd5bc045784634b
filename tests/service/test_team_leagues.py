"""Leagues of teams as their captains, players and game master see them: by letters and commands."""

import pytest

from pbem.archive.site import build
from pbem.cli.demo import answer_letter
from pbem.config.config import Address
from support.archives import SITE
from support.desks import flat
from support.leagues import LeagueDesk

OPERATOR = Address("Game master", "op@example.org")
TEAMS = {"Rooks": ("Alice", "Bob", "Carl"), "Knights": ("Dora", "Erin", "Flo"), "Pawns": ("Gus", "Hed", "Ivan")}
FOUR = {**TEAMS, "Kings": ("Jan", "Kim", "Lea")}


def person(name: str) -> Address:
    return Address(name, f"{name.lower()}@example.net")


def file(teams, shape="swiss", *settings, substitutes=1) -> str:
    """A league file of teams with two boards; the last players of each are its substitutes."""
    lines = [f'name = "Cup"\nformat = "{shape}"\nboards = 2\nrate_unplayed = true', *settings]
    for number, (name, people) in enumerate(teams.items()):
        own = [f'"{one} <{person(one).address}>"' for one in people]
        at = len(own) - substitutes
        division = 1 if len(teams) < 4 or number < 2 or "up = 1" not in settings else 2
        lines.append(f'[[teams]]\nname = "{name}"\ndivision = {division}')
        lines.append(f"players = [{', '.join(own[:at])}]\nsubstitutes = [{', '.join(own[at:])}]")
    return "\n".join(lines) + "\n"


class TeamDesk(LeagueDesk):
    def begin(self, teams=TEAMS, shape="swiss", *settings: str, **more: int) -> None:
        self.found_by_file(file(teams, shape, "confirmed = true", *settings, **more))
        self.poll_well()

    def boards(self, number: int) -> dict[str, dict]:
        """The games of a round by their names."""
        rounds = [one for one in self.ask("rounds", "Cup") if one["round"] == number]
        return {game["game"]: game for one in rounds for match in one["matches"] for game in match["boards"]}

    def play(self, number: int, *results: str) -> None:
        for name, result in zip(self.boards(number), results, strict=True):
            self.award(name, result)
        self.poll_well()

    def table(self) -> list[tuple]:
        rows = self.ask("standings", "Cup")
        return [(row["rank"], row["team"], row["points"], row["tie_breaks"]["game points"]) for row in rows]

    def hears(self, name: str, text: str) -> str:
        """Have somebody answer their last letter; return what they get."""
        last = self.letters_of(person(name))[-1]
        self.send(answer_letter(last, person(name), text, self.now))
        self.poll_well()
        return self.last_to(name)

    def last_to(self, name: str) -> str:
        self.poll_well()
        return flat(self.letters_of(person(name))[-1])

    def all_to(self, name: str) -> str:
        self.poll_well()
        return " ".join(map(flat, self.letters_of(person(name))))


@pytest.fixture
def desk(tmp_path):
    return TeamDesk(tmp_path / "desk")


# A season


def test_teams_play_board_by_board_with_sides_that_alternate(desk):
    desk.begin()
    (one,) = desk.ask("rounds", "Cup")
    assert one == {
        "round": 1,
        "matches": [
            {
                "teams": ["Rooks", "Knights"],
                "game_points": [0, 0],
                "boards": [
                    {"game": "oz-1", "red": "Alice", "blue": "Dora", "result": None},
                    {"game": "oz-2", "red": "Erin", "blue": "Bob", "result": None},
                ],
            }
        ],
        "byes": ["Pawns"],
    }
    assert "You play on board 2 for Rooks against Knights, in round 1 of the league Cup." in desk.last_to("Bob")
    assert "As the captain you can name who plays on a board" in desk.last_to("Alice")
    assert "captain" not in desk.last_to("Bob")
    assert "You are a substitute of Rooks in the league Cup" in desk.last_to("Carl")
    assert "Your team Pawns has a bye in round 1 of the league Cup." in desk.last_to("Ivan")


def test_the_round_ends_with_its_last_game_and_the_next_one_pairs_teams_by_match_points(desk):
    desk.begin()
    desk.award("oz-1", "red")
    desk.poll_well()
    assert len(desk.ask("rounds", "Cup")) == 1
    desk.award("oz-2", "draw")
    desk.poll_well()
    assert desk.ask("rounds", "Cup")[1]["matches"][0]["teams"] == ["Pawns", "Rooks"]
    assert desk.table() == [(1, "Rooks", 2, 1.5), (2, "Knights", 1, 1.5), (3, "Pawns", 1, 1)]  # with the bye of round 2
    told = desk.all_to("Carl")
    assert "Rooks against Knights: 1.5 : 0.5" in told
    assert "Board 1: oz-1, Alice against Dora, was won by Alice." in told
    assert "1. Rooks match points 2; won 1, drawn 0, lost 0; game points 1.5" in told
    assert "Board 2: oz-4: Bob (Red) against Hed (Blue)" in told


def test_players_are_rated_by_their_games_and_teams_are_not(desk):
    desk.begin()
    desk.play(1, "red", "red")
    ratings = desk.store.column(
        "SELECT name FROM ratings r JOIN players p ON p.id = r.player WHERE mu > 0 ORDER BY p.id"
    )
    assert ratings == ["Alice", "Bob", "Dora", "Erin"]
    assert "rating" not in desk.ask("standings", "Cup")[0]


def test_a_round_robin_of_three_teams_gives_each_a_bye_and_the_champion_is_a_team(desk):
    desk.begin(TEAMS, "round-robin")
    for number, results in enumerate([("red", "blue"), ("blue", "blue"), ("red", "blue")], start=1):
        desk.play(number, *results)
    assert [one["byes"] for one in desk.ask("rounds", "Cup")] == [["Rooks"], ["Knights"], ["Pawns"]]
    assert sum(row[3] for row in desk.table()) == 9  # three matches of two points, and three byes of one
    champion = desk.table()[0][1]
    assert f"The champion is {champion}." in desk.all_to("Ivan")


def test_the_lists_in_letters_show_teams(desk):
    desk.begin()
    desk.award("oz-1", "red")
    told = desk.hears("Carl", "leagues Cup")
    assert "Rooks Alice, Bob, Carl (captain: Alice)" in told
    assert "In each match 2 players of a team play, in this order; the others are substitutes." in told
    assert "Rooks against Knights: 1 : 0 so far" in desk.hears("Carl", "rounds Cup")
    assert "Rooks against Knights" in desk.hears("Flo", "schedule Cup")
    assert "(3)" in desk.hears("Carl", "crosstable Cup")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("Sprache deutsch", "Tabelle Cup"),
            "1. Rooks Mannschaftspunkte 2; gewonnen 1, remis 0, verloren 0; Brettpunkte 1.5",
        ),
        (("Sprache deutsch", "Spieltage Cup"), "Rooks gegen Knights: 1.5 : 0.5 - Brett 1: oz-1, Alice gegen Dora"),
        (
            ("язык русский", "таблица Cup"),
            "1. Rooks командные очки: 2; побед 1, ничьих 0, поражений 0; очки на досках: 1.5",
        ),
        (("язык русский", "туры Cup"), "Доска 2: oz-2, Erin против Bob: ничья."),
    ],
)
def test_teams_stand_in_letters_in_other_languages(desk, words, told):
    desk.begin()
    desk.play(1, "red", "draw")
    assert told in [desk.hears("Carl", text) for text in words][-1]


def test_the_page_of_a_season_has_teams_boards_and_both_tables(desk, tmp_path):
    desk.begin()
    desk.play(1, "red", "draw")
    build(desk.store, tmp_path / "site", SITE, desk.now, lambda text: None)
    page = (tmp_path / "site" / "leagues" / "1-season-1.html").read_text()
    assert "Swiss, 3 teams" in page
    assert "<strong>Rooks &ndash; Knights</strong> 1.5 : 0.5" in page
    assert "<td>2+ 1.5</td><td>(3)</td>" in page
    assert "(captain)" in page
    assert "<p>Bye: Pawns</p>" in page


def test_commands_show_teams(desk):
    desk.begin()
    desk.play(1, "red", "draw")
    shown = "\n".join(desk.run("league", "show", "Cup").lines)
    assert "Rooks (division 1, captain Alice): Alice, Bob, Carl" in shown
    rounds = "\n".join(desk.run("league", "rounds", "Cup").lines)
    assert "  Rooks - Knights  1.5 : 0.5\n    1. oz-1  Alice (Red) - Dora (Blue)  red" in rounds
    assert "Pawns has a bye" in rounds
    assert "  Pawns - Rooks\n    1. oz-3  Gus (Red) - Alice (Blue)\n" in rounds
    assert desk.run("league", "standings", "Cup").lines[1].split() == ["1", "2", "1", "1", "0", "0", "Rooks"]
    (first, *_) = desk.ask("crosstable", "Cup")
    assert first["rounds"][0] == {
        "round": 1, "outcome": "won", "opponents": ["Knights"], "game_points": 1.5, "forfeit": False,
    }  # fmt: skip


# Substitutes


def test_a_captain_names_who_plays_on_a_board_in_the_next_round(desk):
    desk.begin()
    told = desk.hears("Alice", "substitute Cup board 2 Carl")
    assert "Done: substitute Cup board 2 Carl." in told
    assert "You play on board 2 for Rooks in round 2 of the league Cup." in desk.last_to("Carl")
    assert "You have no game for Rooks in round 2 of the league Cup" in desk.last_to("Bob")
    assert "The boards of Rooks: 1. Alice, 2. Carl." in desk.last_to("Bob")
    desk.play(1, "red", "draw")
    assert {(game["red"], game["blue"]) for game in desk.boards(2).values()} == {("Gus", "Alice"), ("Carl", "Hed")}


@pytest.mark.parametrize(
    "text", ["Ersatz Cup Brett 2 Carl", "замена Cup доска 2 Carl", "substitute Cup board 2 Carl round 2"]
)
def test_captains_write_it_in_three_languages(desk, text):
    desk.begin()
    desk.hears("Alice", text)
    assert "You play on board 2 for Rooks in round 2 of the league Cup." in desk.last_to("Carl")


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("Sprache deutsch", "Ersatz Cup Brett 2 Carl", "Erledigt: Ersatz Cup Brett 2 Carl."),
        ("язык русский", "замена Cup доска 2 Carl", "Сделано: замена Cup доска 2 Carl."),
        ("язык русский", "замена Cup доска 2 отмена", "Сделано: замена Cup доска 2 отмена."),
    ],
)
def test_the_answer_repeats_it_in_the_language_of_the_captain(desk, language, text, told):
    desk.begin()
    desk.hears("Alice", language)
    assert told in desk.hears("Alice", text)


def test_the_other_teams_learn_of_a_substitute_only_when_the_round_begins(tmp_path):
    letters = []
    for number, text in enumerate(["substitute Cup board 2 Carl", "standings Cup"]):
        desk = TeamDesk(tmp_path / str(number))
        desk.begin()
        desk.hears("Alice", text)
        desk.hears("Gus", "leagues Cup")
        desk.hears("Gus", "rounds Cup")
        letters.append([flat(letter) for letter in desk.letters_of(person("Gus"))])
    assert letters[0] == letters[1]


def test_a_substitute_is_taken_back_by_off(desk):
    desk.begin()
    desk.hears("Alice", "substitute Cup board 2 Carl")
    desk.hears("Alice", "substitute Cup board 2 off")
    assert "You play on board 2 for Rooks in round 2" in desk.last_to("Bob")
    assert "You have no game for Rooks in round 2" in desk.last_to("Carl")
    desk.play(1, "red", "draw")
    assert ("Bob", "Hed") in {(game["red"], game["blue"]) for game in desk.boards(2).values()}


def test_nobody_but_the_captain_names_a_substitute_and_only_one_of_the_team_in_a_round_to_come(desk):
    desk.begin()
    assert "You are not the captain of a team in Cup." in desk.hears("Bob", "substitute Cup board 1 Carl")
    assert "Flo does not play for Rooks." in desk.hears("Alice", "substitute Cup board 1 Flo")
    assert "Cup has boards 1 to 2." in desk.hears("Alice", "substitute Cup board 3 Carl")
    assert "Round 1 has begun" in desk.hears("Alice", "substitute Cup board 2 Carl round 1")
    assert "There is no round 7: the last is 2." in desk.hears("Alice", "substitute Cup board 2 Carl round 7")
    assert desk.store.column("SELECT count(*) FROM substitutions") == [0]


@pytest.mark.parametrize("text", ["substitute Cup Rooks board 2 Carl", "Ersatz Cup Rooks Brett 2 Carl"])
def test_a_captain_may_name_the_team_if_it_is_their_own(desk, text):
    desk.begin()
    desk.hears("Alice", text)
    assert "You play on board 2 for Rooks in round 2 of the league Cup." in desk.last_to("Carl")
    assert "You are not the captain of Knights." in desk.hears("Alice", "substitute Cup Knights board 2 Flo")
    assert "Cup has no team Bishops." in desk.hears("Alice", "substitute Cup Bishops board 2 Flo")
    assert 'You are not in a league "Winter"' in desk.hears("Alice", "substitute Winter board 2 Carl")
    assert desk.store.column("SELECT count(*) FROM substitutions") == [1]


def test_after_the_last_round_has_begun_no_substitute_is_named(desk):
    desk.begin()
    desk.play(1, "red", "draw")
    told = desk.hears("Alice", "substitute Cup board 2 Carl")
    assert "The last round of Cup has begun: no boards are left to set." in told


def test_the_game_master_names_a_substitute_with_a_reason_and_the_captain_is_told(desk):
    desk.begin()
    told = flat(desk.direct(OPERATOR, "substitute Cup Rooks board 2 Carl because Bob is ill"))
    assert "Done: substitute Cup Rooks board 2 Carl." in told
    assert "The boards of Rooks in round 2 of the league Cup have changed." in desk.last_to("Alice")
    assert "Bob is ill" in desk.last_to("Carl")
    done = desk.run("league", "substitute", "Cup", "Rooks", "2", "--off", "--reason", "he is well")
    assert done.status == 0
    assert "You play on board 2 for Rooks in round 2" in desk.last_to("Bob")


def test_a_game_master_who_gives_no_reason_is_asked_for_it(desk):
    desk.begin()
    told = flat(desk.direct(OPERATOR, "substitute Cup Rooks board 2 Carl"))
    assert "`substitute Cup Rooks board 2 Carl` was not done. You are game master of Cup, so give a reason:" in told
    assert "`substitute LEAGUE TEAM board 2 NAME because ...`" in told


def test_somebody_on_standby_joins_a_team_as_its_substitute(desk):
    desk.begin()
    assert desk.run("league", "join", "Cup", "Zoe <zoe@example.net>").status == 0
    done = desk.run("league", "substitute", "Cup", "Knights", "1", "Zoe", "--reason", "Dora is away")
    assert done.status == 0, done.lines
    assert "You play on board 1 for Knights in round 2 of the league Cup." in desk.last_to("Zoe")
    (knights,) = [one for one in desk.ask("show", "Cup")["teams"] if one["name"] == "Knights"]
    assert knights["players"] == ["Dora", "Erin", "Flo", "Zoe"]


# Who leaves


def test_a_teammate_takes_over_the_running_game_of_who_leaves(desk):
    desk.begin()
    assert desk.run("league", "withdraw", "Cup", "Bob", "--reason", "he is ill").status == 0
    desk.poll_well()
    assert desk.boards(1)["oz-2"] == {"game": "oz-2", "red": "Erin", "blue": "Carl", "result": None}
    desk.play(1, "red", "red")
    assert {(game["red"], game["blue"]) for game in desk.boards(2).values()} == {("Gus", "Alice"), ("Carl", "Hed")}


def test_without_a_teammate_the_board_is_lost_and_stays_empty(desk):
    desk.begin()
    for name in ("Bob", "Carl"):
        assert desk.run("league", "withdraw", "Cup", name, "--reason", "he is ill").status == 0
    desk.award("oz-1", "red")
    desk.poll_well()
    assert desk.ask("rounds", "Cup")[0]["matches"][0]["game_points"] == [1, 1]
    assert [(game["red"], game["blue"]) for game in desk.boards(2).values()] == [("Gus", "Alice")]
    assert desk.ask("rounds", "Cup")[1]["matches"][0]["game_points"] == [1, 0]
    assert "Rooks cannot fill all boards: the others are lost by forfeit." in desk.all_to("Ivan")


def test_a_captain_who_leaves_is_followed_by_the_next_player(desk):
    desk.begin()
    desk.run("league", "withdraw", "Cup", "Alice", "--reason", "she is ill")
    assert "Done: substitute Cup board 1 Carl." in desk.hears("Bob", "substitute Cup board 1 Carl")


def test_a_team_that_is_withdrawn_loses_its_match_and_is_not_paired_again(desk):
    desk.begin(FOUR)
    assert desk.run("league", "withdraw", "Cup", "Knights", "--reason", "they have dissolved").status == 0
    desk.poll_well()
    matches = desk.ask("rounds", "Cup")[0]["matches"]
    lost = next(one for one in matches if "Knights" in one["teams"])
    assert sorted(lost["game_points"]) == [0, 2]
    for game, row in desk.boards(1).items():
        if row["result"] is None:
            desk.award(game, "red")
    desk.poll_well()
    paired = [team for one in desk.ask("rounds", "Cup")[1]["matches"] for team in one["teams"]]
    assert "Knights" not in paired
    assert [row["team"] for row in desk.ask("standings", "Cup") if row["left"]] == ["Knights"]


def test_who_does_not_accept_loses_the_board_and_the_next_one_plays_from_then_on(desk):
    desk.found_by_file(file(TEAMS))
    desk.poll_well()
    for name in ("Alice", "Dora", "Erin"):
        desk.hears(name, "accept")
    desk.hears("Bob", "decline")
    assert desk.ask("rounds", "Cup")[0]["matches"][0]["game_points"] == [0, 1]
    assert next(one["players"] for one in desk.ask("show", "Cup")["teams"]) == ["Alice", "Carl"]


# The rest


def test_words_for_single_players_are_refused_in_a_league_of_teams(desk):
    desk.begin()
    told = desk.refused("league", "forbid", "Cup", "Alice - Dora", "--reason", "so")
    assert told == "pbem: Cup is a league of teams: `forbid` is for single players."
    assert "is for single players" in desk.refused("league", "bye", "Cup", "Alice", "2", "--reason", "so")


def test_points_by_hand_are_for_teams_and_not_for_their_players(desk):
    desk.begin()
    assert desk.refused("league", "points", "Cup", "Alice", "1", "--reason", "so") == "pbem: Cup has no team Alice."


def test_a_team_gets_match_points_by_hand_and_its_division_is_told(desk):
    desk.begin()
    assert desk.run("league", "points", "Cup", "Pawns", "1", "--reason", "a wrong pairing").status == 0
    assert desk.table()[0] == (1, "Pawns", 2, 1)
    assert "has given Pawns extra points in the league Cup: 1." in desk.last_to("Flo")


def test_teams_go_up_and_down_and_begin_the_next_season_with_their_players(desk):
    desk.begin(FOUR, "swiss", "up = 1", "down = 1", "rounds = 1")
    desk.play(1, "red", "blue", "red", "blue")  # Rooks beat Knights, Pawns beat Kings
    assert "Knights" in desk.all_to("Carl")
    assert desk.run("league", "season", "Cup").status == 0
    desk.poll_well()
    teams = desk.ask("show", "Cup")["teams"]
    assert [(one["division"], one["name"]) for one in teams] == [
        (1, "Rooks"), (1, "Pawns"), (2, "Knights"), (2, "Kings"),
    ]  # fmt: skip
    assert [one["players"] for one in teams][2] == ["Dora", "Erin", "Flo"]
    assert [row["points"] for row in desk.ask("standings", "Cup")] == [0, 0, 0, 0]


def test_a_league_of_teams_is_vouched_for_by_the_record(desk):
    desk.begin()
    desk.hears("Alice", "substitute Cup board 2 Carl")
    desk.play(1, "red", "draw")
    told = desk.run("verify", "--all")
    assert told.status == 0, told.lines
