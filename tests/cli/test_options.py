"""What can be chosen of a game: the schema, and what people write of it."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from pbem import Sentence
from pbem.games import DEFAULT, GAMES, find_game
from pbem.games.base import Chair, GameError, with_default_files
from pbem.games.chance import any_chance
from pbem.games.options import Option, check, parse_options, read_texts, with_defaults
from pbem.games.ozymandia import Ozymandia
from pbem.games.words import display_names, words_in
from pbem.orders.command import Decision
from pbem.orders.commands import find_command
from pbem.orders.wanted import parse_challenge, parse_wanted, split_people
from support.commands import RED_AND_BLUE, context, pbem, wrong

HELP = Sentence("What it is for.")
LENGTH = Option("length", "choice", HELP, default="long", choices=("short", "long"))
ROUNDS = Option("max_rounds", "number", HELP, least=2, most=9)
RULES = Option("rules", "several", HELP, default=(), choices=("snow", "fog"), flag="rule", varies=True)
SCHEMA = (LENGTH, ROUNDS, RULES)


def test_what_is_not_said_is_as_usual():
    assert with_defaults("Chess", SCHEMA, {"max_rounds": 3}) == {"length": "long", "max_rounds": 3, "rules": ()}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"size": 3, "age": 4}, "Chess has no option age, size; its options are length, max_rounds and rules."),
        ({"length": "huge"}, 'length must be one of short, long, not "huge".'),
        ({"length": 3}, "length must be one of short, long, not 3."),
        ({"max_rounds": 1}, "max_rounds must be a number from 2 to 9, not 1."),
        ({"max_rounds": True}, "max_rounds must be a number from 2 to 9, not true."),
        ({"max_rounds": "many"}, 'max_rounds must be a number from 2 to 9, not "many".'),
        ({"rules": "fog"}, 'rules must be a list of some of snow, fog, not "fog".'),
        ({"rules": ["rain"]}, 'rules must be a list of some of snow, fog, not ["rain"].'),
    ],
)
def test_a_wrong_option_is_one_sentence_that_says_what_is_right(given, sentence):
    with pytest.raises(GameError) as error:
        check("Chess", SCHEMA, given)
    assert str(error.value) == sentence


def test_texts_become_values_and_what_makes_no_sense_is_left_to_be_refused():
    texts = {"length": ["SHORT"], "max_rounds": ["7"], "rules": ["Fog", "rain"]}
    assert read_texts(SCHEMA, texts) == {"length": "short", "max_rounds": 7, "rules": ("fog", "rain")}
    assert read_texts(SCHEMA, {"max_rounds": ["seven"], "length": []}) == {"max_rounds": "seven"}


def test_only_where_it_is_allowed_something_else_than_a_choice_is_left_to_the_game():
    board = Option("board", "choice", HELP, default="small", choices=("small",), is_open=True)
    check("Chess", [board], {"board": "/home/alice/board.toml"})
    with pytest.raises(GameError, match="board must be one of small"):
        check("Chess", [board], {"board": "/home/alice/board.toml"}, Path("chess"))


def test_what_can_be_chosen_twice_is_refused_where_nothing_but_the_choices_counts():
    with pytest.raises(GameError, match="rules must be a list"):
        check("Chess", [RULES], {"rules": ("fog", "fog")}, Path("chess"))


# Openings


def varied(number, *trades):
    return Option("trades", "several", HELP, default=(), choices=trades, varies=True).varied(number)


def test_openings_go_through_no_trade_and_each_one_in_turn():
    found = [varied(number, "A/V", "M/H", "W/E") for number in range(6)]
    assert found == [(), ("A/V",), ("M/H",), ("W/E",), (), ("A/V",)]


def test_a_board_without_trades_has_one_opening():
    assert varied(3) == ()


def test_neighbouring_openings_differ():
    assert all(one != other for one, other in pairwise(varied(number, "A/V", "M/H") for number in range(9)))


def test_a_choice_goes_through_all_its_values():
    assert [LENGTH.varied(number) for number in range(3)] == ["short", "long", "short"]


# The games there are


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_a_game_has_as_usual_makes_a_game(game):
    schema = game.options({})
    assert len({option.name for option in schema}) == len(schema)
    usual = with_defaults(game.title, schema, {})
    assert game.dump(game.new(with_default_files(game, {}), any_chance())) == game.dump(game.new(usual, any_chance()))


def test_where_no_game_is_named_ozymandia_is_meant():
    assert find_game() is find_game(DEFAULT) is find_game("ozymandia")


def test_the_trades_that_can_be_chosen_are_those_of_the_board_chosen():
    game = find_game("ozymandia")
    of_board = {
        board: next(one.choices for one in game.options({"board": board}) if one.name == "trades")
        for board in ("lattice", "triangles")
    }
    assert of_board["lattice"] == ("A/V", "M/H", "W/E")
    for board, trades in of_board.items():
        game.new({"board": board, "trades": trades})
    with pytest.raises(GameError, match="mars"):
        game.options({"board": "mars"})


# The command line

SEATS = ("--seat", "red=Alice <alice@example.net>", "--seat", 'Blue="Bob" <bob@example.com>')


def test_a_game_is_set_up_with_its_seats_by_name(config):
    told = pbem("--config", config, "game", "new", "--game", "Ozymandia", *SEATS, "--board", "triangles")
    assert told.output.split()[-1] == "oz-1"
    shown = pbem("--config", config, "game", "show", "oz-1").output
    assert "red Alice, blue Bob" in shown
    assert pbem("--config", config, "game", "new", "--red", "a@example.net", *SEATS[2:]).output.split()[-1] == "oz-2"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--game", "chess", *SEATS), 'There is no game "chess". You can play ozymandia, ozz, rocknroll.'),
        (
            (*SEATS, "--seat", "green=Gus <g@example.net>"),
            '--seat: Ozymandia has no seat "green"; there are red and blue.',
        ),
        ((*SEATS, "--seat", "red=Gus <g@example.net>"), "--seat red: red has somebody already: name each seat once."),
        ((*SEATS, "--red", "Gus <g@example.net>"), "--seat red: red has somebody already: name each seat once."),
        (SEATS[:2], '--blue: nobody plays blue: write --blue "Alice <alice@example.net>".'),
        ((), '--red: nobody plays red and blue: write --red "Alice <alice@example.net>".'),
        (("--seat", "red"), '--seat: "red" is no seat with its player: write SEAT="Alice <alice@example.net>".'),
        (("--seat", "red=Alice"), "--seat red: must be an address such as gm@example.org"),
        (
            (*SEATS[:2], "--blue", "Al <Alice@example.net>"),
            "--seat red: has the address of --blue: each seat needs a different person.",
        ),
        ((*SEATS, "--turn-limit", "0"), "turn_limit must be a number from 1 to 999999, not 0."),
        ((*SEATS, "--turn-limit", "soon"), 'turn_limit must be a number from 1 to 999999, not "soon".'),
    ],
)
def test_seats_and_options_that_cannot_be_are_told_in_a_sentence(config, words, sentence):
    assert wrong(2, "--config", config, "game", "new", *words).startswith(sentence)
    assert pbem("--config", config, "game", "list").stdout == ""


def test_help_lists_the_seats_and_options_of_the_game():
    told = " ".join(pbem("game", "new", "--help").output.split())
    flags = ("--game NAME", "--seat SEAT=", "--red", "--blue", "--board lattice|triangles|FILE", "--turn-limit N")
    for words in (*flags, "--trade A/V|M/H|W/E"):
        assert words in told


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_no_seat_or_option_of_a_game_hides_another_flag(game):
    from pbem.cli.main import new_game

    args = ["--game", game.name]
    asked = context(new_game)
    asked.meta["pbem.cli.flags"] = game
    flags = [flag for one in new_game.get_params(asked) for flag in one.opts]
    assert len(set(flags)) == len(flags), args


# A game that has only what every game has, and one with other seats and options


class Bare:
    """As much of a game as commands ask for before they look whether there is more."""

    name, title = "bare", "Bare"
    grammar = Path("nowhere") / "orders.lark"

    def options(self, chosen):
        return SCHEMA

    def seats(self, options):
        return tuple(Chair(seat, seat) for seat in ("north", "east", "west")[: 2 + (options.get("length") != "short")])


@pytest.fixture
def bare(monkeypatch):
    monkeypatch.setattr("pbem.games.GAMES", {**GAMES, Bare.name: Bare()})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["board"], "Bare has no boards to show."),
        (["demo"], "Bare has no demonstration."),
        (["demo", "--play"], "Bare has no computer opponent."),
        (["adjudicate", "--json"], "Bare has no turns that other programs can ask for."),
        (["check", "Pass", "--seat", "red"], 'Bare has no seat "red"; there are north, east and west.'),
    ],
)
def test_what_a_game_does_not_have_is_told_in_a_sentence(bare, words, sentence):
    result = pbem(*words, "--game", "bare", text='{"id": 1}\n')
    assert (result.exit_code, result.stderr.strip()) == (2, f"pbem: {sentence}")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--north", "a@b.example", "--red", "c@d.example"], "No such option"),
        (["--length", "shortish"], 'length must be one of short, long, not "shortish".'),
        (["--north", "a@b.example"], "--east: nobody plays east and west: write --east "),
        (["--length", "short", "--north", "a@b.example"], "--east: nobody plays east: write --east "),
        (["--length", "short", "--west", "a@b.example"], '--seat: Bare has no seat "west"; there are north and east.'),
        (["--seat", "up=a@b.example"], '--seat: Bare has no seat "up"; there are north, east and west.'),
        (["--rule", "snow", "--rule", "rain"], 'rules must be a list of some of snow, fog, not ["snow", "rain"].'),
        (
            ["--north", "a@b.example", "--east", "c@d.example", "--seat", "west=A@b.example"],
            "--seat west: has the address of --north: each seat needs a different person.",
        ),
    ],
)
def test_another_game_has_flags_of_its_own_seats_and_options(bare, config, words, sentence):
    result = pbem("--config", config, "game", "new", "--game", "bare", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr


# Letters


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("", {}),
        ("length short", {"length": "short"}),
        ("Length: SHORT, max rounds 7", {"length": "short", "max_rounds": 7}),
        ("max_rounds=7; rules fog snow", {"max_rounds": 7, "rules": ("fog", "snow")}),
        ("max-rounds 7, rule fog, rule snow", {"max_rounds": 7, "rules": ("fog", "snow")}),
        ("max rounds, size 3", {"max_rounds": "", "size": "3"}),
    ],
)
def test_options_are_read_as_people_write_them(text, chosen):
    assert parse_options(SCHEMA, text) == chosen


@pytest.mark.parametrize(
    ("text", "people", "chosen"),
    [
        ("bob@example.org", "bob@example.org", {}),
        ("Bob to go <bob@example.org>", "Bob to go <bob@example.org>", {}),
        ("bob@example.org to ozymandia", "bob@example.org", {}),
        ("bob@example.org zu Ozymandia mit board triangles", "bob@example.org", {"board": "triangles"}),
        (
            "Bob <bob@example.org> with trades A/V, turn limit 30",
            "Bob <bob@example.org>",
            {"trades": ("A/V",), "turn_limit": 30},
        ),
        ("nobody", "nobody", {}),
    ],
)
def test_a_letter_names_people_a_game_and_its_options(text, people, chosen):
    assert parse_wanted(text) == (people, find_game("ozymandia"), chosen)


def test_people_for_a_game_are_told_apart_by_commas_and_and():
    text = "Ann <a@example.net>, Ben and Co <b@example.net> and c@example.org"
    assert split_people(text) == ["Ann <a@example.net>", "Ben and Co <b@example.net>", "c@example.org"]
    assert find_command("invite", f"{text} to bare with length long") == Decision(
        "invite", "", f"{text} to bare with length long", ""
    )


def test_a_challenge_names_as_many_others_as_the_game_has_seats(bare):
    assert parse_challenge("bob@example.org to bare with length short").game.name == "bare"
    with pytest.raises(GameError, match="Bare with these options is for 3, and you name 1 besides yourself"):
        parse_challenge("bob@example.org to bare")


@pytest.mark.parametrize("name", ["ozymandia", "rocknroll", "ozz"])
@pytest.mark.parametrize("language", ["de", "ru"])
def test_what_a_reader_is_told_of_an_option_is_read_as_that_option(name, language):
    game = find_game(name)
    told = display_names(game.grammar.parent, "options", language)
    words = words_in(game.grammar.parent, "options")
    assert told.keys() >= {one.name for one in game.options({})}
    for option in game.options({}):
        for choice in option.choices or ("3",):
            read = parse_options(game.options({}), f"{told[option.name]}: {told.get(choice, choice)}", words)
            assert read == parse_options(game.options({}), f"{option.name} {choice}")


def test_a_challenge_names_options_in_ones_own_language():
    text = "bob@example.org в rocknroll с набор: расширение, длина: короткая"
    assert parse_challenge(text).options == {"set": "expansion", "length": "short"}


def test_an_invitation_tells_what_was_chosen_where_the_game_says_so(monkeypatch, config):
    class Shown(Ozymandia):
        def options(self, chosen):
            return tuple(replace(one, is_shown=True) for one in super().options(chosen))

    monkeypatch.setattr("pbem.games.GAMES", {Shown.name: Shown()})
    told = []
    for options in ((), ("--trade", "A/V", "--turn-limit", "9")):
        pbem("--config", config, "game", "new", *RED_AND_BLUE, *options)
        with closing(sqlite3.connect(config.with_name("pbem.db"))) as db:
            told.append(db.execute("SELECT raw FROM outbox ORDER BY id DESC LIMIT 1").fetchone()[0].decode())
    assert "settings differ" not in told[0]
    assert "This game's settings differ from the usual ones (trades: A/V, turn limit: 9)." in " ".join(told[1].split())
