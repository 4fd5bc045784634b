"""League files and players' files: what they say, and every mistake at once with where it stands."""

import json
import re
from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.leagues.dates import start_of
from pbem.leagues.league_file import (
    League,
    LeagueFileError,
    TeamEntry,
    dump_league,
    parse_league,
    parse_players,
    read_league,
)
from pbem.match.identity import Person
from pbem.match.model import Master
from pbem.match.terms import Terms
from pbem.times.deadlines import Pace
from pbem.tournament.standings import TIE_BREAKS, Scoring
from pbem.tournament.tables import Seating
from support.paths import DOCS

WHOLE = """
name = "Winter 2026"
format = "swiss"
rounds = 3
up = 1
down = 1
rated = false
confirmed = true
standby = ["Erin <erin@example.org>"]

[options]
turn_limit = 40

[terms]
deadline = "3 days"
extensions = 2

[scoring]
win = 3
draw = 1
tie_breaks = ["wins", "score"]

[[masters]]
name = "Gerda"
address = "gerda@example.org"
rights = ["extend", "pause", "resume"]

[[divisions]]
players = ["Alice <alice@example.net>", "Bob <bob@example.com>"]

[[divisions]]
players = ["Carla Brown <carla@example.org>", "Dora <dora@example.org>"]
"""
KEYS = (
    "name, format, game, options, terms, scoring, masters, appeal, boards, table, even, rounds, acceleration, starts,"
    " every, announce, cycles, reach, length, up, down, ratings, rated, rate_unplayed, anonymous_divisions, confirmed,"
    " divisions, standby, forbidden, teams"
)
NO_PACE = (
    '"soon" does not say how long turns take: write, for example, "3 days", "daily 20:00"'
    ' or "Mon, Wed and Fri 20:00, at least 1 day".'
)
SHORT = 'name = "Winter"\nformat = "round-robin"\n'


def problems(text):
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text)
    return caught.value.problems


def problem(text):
    (one,) = problems(SHORT + text)
    return one


def test_a_league_file_says_all_there_is_to_a_league():
    assert parse_league(WHOLE) == League(
        name="Winter 2026",
        format="swiss",
        options={"turn_limit": 40},
        terms=Terms(deadline=Pace(every=timedelta(days=3)), extensions=2),
        scoring=Scoring(win=3, draw=1, tie_breaks=("wins", "score")),
        masters=(Master("Gerda", "gerda@example.org", ("extend", "pause", "resume")),),
        rounds=3,
        up=1,
        down=1,
        rated=False,
        confirmed=True,
        divisions=(
            (Person("Alice", "alice@example.net"), Person("Bob", "bob@example.com")),
            (Person("Carla Brown", "carla@example.org"), Person("Dora", "dora@example.org")),
        ),
        standby=(Person("Erin", "erin@example.org"),),
    )


def test_two_lines_are_enough_and_terms_that_are_not_said_are_the_usual_ones():
    usual = Terms(deadline=Pace(every=timedelta(days=2), zone="Asia/Tokyo"), extensions=1)
    assert parse_league(SHORT, usual) == League("Winter", "round-robin", terms=usual)
    assert parse_league(SHORT + "[terms]\nextensions = 3\n", usual).terms == Terms(usual.deadline, extensions=3)


@pytest.mark.parametrize("text", [WHOLE, SHORT, 'name = "L"\nformat = "ladder"\nlength = "12 weeks"\nreach = 5\n'])
def test_a_league_is_kept_as_plain_data_without_its_players(text):
    league = parse_league(text)
    kept = dump_league(league)
    assert "alice@example.net" not in str(kept)
    found = read_league(kept)
    assert (found.terms, found.scoring, found.masters, found.length) == (
        league.terms,
        league.scoring,
        league.masters,
        league.length,
    )
    assert dump_league(found) == kept


def test_all_mistakes_of_a_league_file_are_told_at_once_each_with_where_it_stands():
    listed = ", ".join(f'"{name}"' for name in TIE_BREAKS)
    no_player = "is no player: write a name and an address, Alice <alice@example.net>."
    at_first = "stands at [[divisions]] 1, players, entry 1 already."
    assert problems(
        """
        name = "Winter!"
        format = "swis"
        rounds = 0
        sise = 4
        standby = ["Frieda"]
        [terms]
        deadline = "soon"
        grace = 3
        [scoring]
        win = "a lot"
        tie_breaks = ["dice", "wins"]
        bonus = 1
        [[masters]]
        name = "Gerda"
        [[masters]]
        name = "Gerda"
        address = "gerda@example.org"
        rights = ["rule"]
        [[divisions]]
        players = ["Alice <alice@example.net>", "Bob"]
        [[divisions]]
        players = ["alice <carl@example.org>", "Carl <ALICE@example.net>"]
        """
    ) == (
        f'unknown key "sise"; known are {KEYS}.',
        'name: "Winter!" cannot be the name of a league: write up to 40 letters, digits, blanks and hyphens.',
        'format: this should be one of "round-robin", "swiss", "ladder", not "swis".',
        f'[terms] "deadline": {NO_PACE}',
        '[terms] "grace": write a text, for example "3 days", not 3.',
        '[scoring] unknown key "bonus"; known are win, draw, loss, bye, forfeit, requested, late, tie_breaks.',
        '[scoring] win: this should be a number from -100 to 100, not "a lot".',
        f'[scoring] tie_breaks, entry 1: this should be one of {listed}, not "dice".',
        "[[masters]] 1: address: this is missing.",
        '[[masters]] 2: rights, entry 1: there is no right "rule".',
        "rounds: this should be a number from 1 to 99, not 0.",
        f'[[divisions]] 1, players, entry 2: "Bob" {no_player}',
        f'standby, entry 1: "Frieda" {no_player}',
        f"[[divisions]] 2, players, entry 1: this name, or one that looks like it, {at_first}",
        f"[[divisions]] 2, players, entry 2: this address {at_first}",
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rounds = 3", "rounds: this is for the format swiss, not for round-robin."),
        ('acceleration = "baku"', "acceleration: this is for the format swiss, not for round-robin."),
        ("reach = 3", "reach: this is for the format ladder, not for round-robin."),
        ('game = "chess"', 'game: There is no game "chess". You can play ozymandia, ozz, rocknroll.'),
        ("rated = 1", "rated: this should be true or false, not 1."),
        ("cycles = true", "cycles: this should be a number from 1 to 9, not true."),
        ("terms = 3", "[terms] this is a table: write its name in brackets on a line of its own."),
        (
            "[options]\nturns = 3",
            "[options] Ozymandia has no option turns; its options are board, trades and turn_limit.",
        ),
        (
            'standby = "Al <al@example.org>"',
            'standby: this should be a list, for example ["Alice <alice@example.net>"], not "Al <al@example.org>".',
        ),
        ("standby = [3]", "standby, entry 1: write a text such as Alice <alice@example.net>, not 3."),
        ("[[divisions]]\nplayers = 3", "[[divisions]] 1, players: this should be a list in brackets, not 3."),
        ("divisions = 2", "divisions: this should be [[divisions]] above the players of each, not 2."),
        ('[[divisions]]\nplayers = ["A <a@example.org>"]', "[[divisions]] 1: at least 2 players are needed, not 1."),
        (
            'up = 1\n[[divisions]]\nplayers = ["A <a@example.org>", "B <b@example.org>"]',
            "up: there is only one division; nobody can go up or down.",
        ),
    ],
)
def test_a_mistake_in_a_league_file_is_told_in_a_sentence(text, sentence):
    assert problem(text) == sentence


def test_a_division_that_up_and_down_would_leave_too_small_is_told_before_the_season_is_over():
    divisions = "".join(
        f'[[divisions]]\nplayers = ["{first} <{first}@example.org>", "{second} <{second}@example.org>"]\n'
        for first, second in ("AB", "CD")
    )
    assert problem(f"up = 1\n{divisions}") == (
        "up: after a season division 2 would have 1 left, and needs 2: set `down` to the same number, or make the "
        "division bigger."
    )
    assert problem(f"down = 1\n{divisions}").startswith("down: after a season division 1 would have 1 left")
    parse_league(f'name = "Winter"\nformat = "round-robin"\nup = 1\ndown = 1\n{divisions}')
    parse_league(f'name = "Winter"\nformat = "round-robin"\nup = 1\nstandby = ["E <e@example.org>"]\n{divisions}')


def test_divisions_are_big_enough_for_who_goes_up_and_who_goes_down():
    small = '[[divisions]]\nplayers = ["A <a@example.org>", "B <b@example.org>"]\n'
    big = '[[divisions]]\nplayers = ["C <c@example.org>", "D <d@example.org>", "E <e@example.org>"]\n'
    assert problem(f"up = 2\ndown = 1\n{small}{big}") == "[[divisions]] 1: at least 3 players are needed, not 2."


OZZ = """name = "Ozz"
format = "round-robin"
game = "ozz"
"""
NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")


@pytest.mark.parametrize(
    ("said", "seats", "seating"),
    [
        ("", NATIONS[:2], None),
        ("table = 2", NATIONS[:2], None),
        ("table = 3", NATIONS, Seating(3, 4, fewer=True)),
        ("table = 4", NATIONS, Seating(4, 4, fewer=True)),
        ('table = 4\neven = "meetings"', NATIONS, Seating(4, 4, fewer=True, meetings=True)),
        ('[options]\nnations = ["munchkins", "quadlings", "gillikins"]', None, Seating(3, 3, fewer=True)),
        ('game = "rocknroll"\n[options]\nseats = "2v2"', None, Seating(4, 4, fewer=False)),
        ('game = "rocknroll"\ntable = 3\n[options]\nseats = "1v2"', None, Seating(3, 3, fewer=False)),
    ],
)
def test_how_many_play_at_a_table_is_said_or_follows_from_the_game(said, seats, seating):
    league = parse_league((OZZ if "game" not in said else OZZ.replace('game = "ozz"\n', "")) + said)
    assert league.seating == seating
    assert seats in (None, league.seats)
    assert read_league(dump_league(league)) == league


def test_a_game_of_fewer_takes_the_nations_that_are_wanted():
    three = parse_league(OZZ + "table = 3\n[options]\nturns = 8")
    assert three.options_of((1, 3)) == {"turns": 8, "nations": ["winkies", "gillikins"]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "ozymandia"\ntable = 3', "table: with these options Ozymandia is for 2, not for 3."),
        (
            'game = "ozz"\ntable = 4\n[options]\nnations = ["munchkins", "winkies", "quadlings"]',
            "table: with these options Campaigns of Ozz is for 3, not for 4.",
        ),
        (
            'game = "ozz"\ntable = 2\n[options]\nnations = ["munchkins", "winkies", "quadlings"]',
            "table: with these options Campaigns of Ozz is for 3, not for 2.",
        ),
        (
            'game = "ozz"\ntable = 4\n[options]\nscenario = "siege"',
            "[options] siege is a skirmish of munchkins and winkies.",
        ),
        ('game = "rocknroll"\ntable = 2\n[options]\nseats = "2v2"', "table: with these options Rock'n'Roll is for 4"),
        ("rounds = 3", "rounds: this is for the format swiss, not for round-robin."),
        (
            'options = { seats = "2v2" }\ngame = "rocknroll"\ndivisions = [{ players = ["A <a@x.de>", "B <b@x.de>"] }]',
            "[[divisions]] 1: at least 4 players are needed, not 2.",
        ),
    ],
)
def test_tables_that_cannot_be_are_refused(text, sentence):
    with pytest.raises(LeagueFileError) as error:
        parse_league('name = "L"\nformat = "round-robin"\n' + text)
    assert error.value.problems[0].startswith(sentence)


def test_a_ladder_is_for_games_of_two():
    with pytest.raises(LeagueFileError, match="a ladder is for games of two; Campaigns of Ozz is for 4 here"):
        parse_league(OZZ.replace("round-robin", "ladder") + "table = 4")


ODD = st.recursive(
    st.one_of(
        st.dates().map(str),
        st.datetimes().map(lambda moment: moment.isoformat()),
        st.times().map(str),
        st.sampled_from(["nan", "-inf", "1e400", "true", '""', '"\\u0000"', "{}", "{ a = [1] }"]),
        st.integers().map(str),
        st.integers(300, 4000).map(lambda digits: "9" * digits),
    ),
    lambda one: st.lists(one, max_size=3).map(lambda many: f"[{', '.join(many)}]"),
    max_leaves=5,
)
"""Values of all types that TOML has, most of which make no sense anywhere."""
PLACES = st.sampled_from(
    [
        *(field.name for field in fields(League)),
        *(f"options.{key}" for key in ("board", "turn_limit", "trades", "x")),
        *(f"terms.{field.name}" for field in fields(Terms)),
        *(f"scoring.{key}" for key in ("win", "tie_breaks")),
    ]
)


@settings(max_examples=100)
@given(PLACES, ODD)
def test_whatever_stands_in_a_league_file_is_taken_or_told_in_a_sentence(key, value):
    said = {"name": '"north"', "format": '"swiss"', key: value}
    with suppress(LeagueFileError):
        json.dumps(dump_league(parse_league("\n".join(f"{key} = {value}" for key, value in said.items()))))


def test_a_date_is_nothing_that_can_be_chosen_of_a_game():
    with pytest.raises(LeagueFileError, match="board is a word in quotation marks"):
        parse_league('name = "north"\nformat = "swiss"\n[options]\nboard = 2026-01-01')


def test_a_league_needs_a_name_and_a_format():
    assert problems("") == ("name: this is missing.", "format: this is missing.")


def test_a_file_that_is_no_toml_is_told_with_the_line():
    assert "line 2" in problems('name = "Winter"\nformat\n')[0]


# Players' files


def test_a_players_file_has_a_name_and_an_address_a_line():
    lines = (
        "\ufeffAlice <alice@example.net>",
        "",
        "# and",
        ' "Brown, Carla"  <carla@example.org>\r',
        "Özgür\t<o@example.org>",
    )
    assert parse_players("\n".join(lines)) == (
        Person("Alice", "alice@example.net"),
        Person("Brown, Carla", "carla@example.org"),
        Person("Özgür", "o@example.org"),
    )


def test_all_mistakes_of_a_players_file_are_told_at_once_by_line():
    with pytest.raises(LeagueFileError) as caught:
        parse_players(
            "Al <al@example.org>\n\nBob\nAL <bo@example.org>\nC\x07d <cd@example.org>\nEd <ed@example.org\n"
            "Flo <AL@example.org>\n<gus@example.org>\nHans <hans>\n"
        )
    wanted = "is no player: write a name and an address, Alice <alice@example.net>."
    assert list(caught.value.problems) == [
        f'line 3: "Bob" {wanted}',
        "line 4: this name, or one that looks like it, stands at line 1 already.",
        f'line 5: "C?d <cd@example.org>" {wanted}',
        f'line 6: "Ed <ed@example.org" {wanted}',
        "line 7: this address stands at line 1 already.",
        f'line 8: "<gus@example.org>" {wanted}',
        f'line 9: "Hans <hans>" {wanted}',
    ]


@pytest.mark.parametrize("text", ["", "# nobody\n", "Alice <alice@example.net>\n"])
def test_a_league_has_two_players_or_more(text):
    with pytest.raises(LeagueFileError, match="fewer than two players"):
        parse_players(text)


# The manual


MANUAL = (DOCS / "gamemasters.md").read_text("utf-8")


def test_the_example_of_the_manual_is_a_league_file_and_names_every_key_but_those_of_the_table_of_terms():
    example, of_teams = re.findall(r"^```toml\n(.*?)^```$", MANUAL, re.M | re.S)
    league = parse_league(example)
    assert parse_league(of_teams).boards == 4
    assert (league.name, league.rounds, [len(players) for players in league.divisions]) == ("Winter", 3, [3, 3])
    both = example + of_teams
    keys = {*re.findall(r"^#? ?(\w+) = ", both, re.M), *re.findall(r"^\[+(\w+)", both, re.M)}
    terms = {"zone", *(field.name for field in fields(Terms))}
    assert keys | terms == terms | {
        *(field.name for field in fields(League)),
        *Scoring._fields,
        *("name", "address", "rights", "players", "board", "turn_limit", "trades"),
        *TeamEntry._fields,
    }


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ('game = "ozz"\ntable = 4', "acceleration: this is for games of two; Campaigns of Ozz is for 4 here."),
        ('[terms]\nanonymous = "game"', "acceleration: anonymous games are paired by lot, not by strength."),
    ],
)
def test_pairing_is_accelerated_only_where_points_and_strength_decide_it(more, sentence):
    with pytest.raises(LeagueFileError, match=re.escape(sentence)):
        parse_league(f'name = "L"\nformat = "swiss"\nacceleration = "baku"\n{more}\n')


def test_dates_of_rounds_are_days_or_moments_in_their_order():
    text = 'name = "L"\nformat = "swiss"\nevery = "1 week"\n'
    text += 'starts = [2026-12-01, "2026-12-15 20:00", 2026-12-20T08:30:00]\n'
    league = parse_league(text + '[terms]\nzone = "Europe/Berlin"\n')
    assert league.starts == ("2026-12-01 00:00", "2026-12-15 20:00", "2026-12-20 08:30")
    assert read_league(dump_league(league)) == league
    moments = [start_of(league, number) for number in (1, 2, 4, 20)]
    assert [f"{moment:%m-%d %H:%M %z}" for moment in moments] == [
        "12-01 00:00 +0100", "12-15 20:00 +0100", "12-27 08:30 +0100", "04-18 08:30 +0200"
    ]  # fmt: skip
    assert start_of(replace(league, every=None), 4) is None


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            'starts = ["in May"]',
            'starts, entry 1: write a day, or a day and an hour, "2026-12-01 20:00", not "in May".',
        ),
        ("starts = [3]", 'starts, entry 1: write a day, or a day and an hour, "2026-12-01 20:00", not 3.'),
        ("starts = [2026-12-01T08:00:00Z]", "starts, entry 1: write a day, or a day and an hour"),
        (
            "starts = [2026-12-02, 2026-12-01]",
            "starts: write the dates of the rounds in their order, each later than the",
        ),
        ('every = "1 week"', "every: this is for rounds with dates: name the first of them in starts."),
    ],
)
def test_what_is_wrong_with_dates_of_rounds_is_told(more, sentence):
    with pytest.raises(LeagueFileError, match=re.escape(sentence)):
        parse_league(f'name = "L"\nformat = "swiss"\n{more}\n')
