"""A game as JSON: all of it, as the schema says, read back the same, and never unnoticed if it was changed."""

import json
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.record.exports import ExportError, read_json, write_json
from pbem.record.history import History, Played
from support.chance_games import over, with_chance
from support.game_masters import say
from support.paths import DOCS
from support.tables import history, play

SCHEMAS = [
    json.loads(path.read_text("utf-8")) for path in (DOCS / "game.schema.json", *DOCS.glob("games/*.schema.json"))
]
REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS
)
SECRET = "ab" * 32


def problems(text: str) -> list[str]:
    """What the schema has against an exported game; the schemas find each other by their `$id` alone."""
    schema = REGISTRY.contents("https://pbem.invalid/game.schema.json")
    checker = jsonschema.Draft202012Validator(schema, registry=REGISTRY)
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(json.loads(text))]


@pytest.fixture
def eventful(table) -> History:
    """A game with all that can happen in one: turns played and missed, press, a rollback, a correction, a result."""
    table.write("red", "press: Good luck, Bob.")
    play(table, "3 A to M", "1 H to S")
    say(table, "process oz-1 because the holidays begin")
    say(table, "rollback oz-1 2 because a letter was lost")
    play(table, "Pass", "Pass; Bomb EC")
    say(table, "position oz-1 red A3 M2 bombs 1 blue H4 bombs 2 because the board was wrong")
    play(table)
    say(table, "award oz-1 blue because red has left")
    return history(table)


def test_a_game_is_exported_as_its_schema_says_and_read_back_the_same(eventful):
    text = write_json(eventful)
    assert problems(text) == []
    assert read_json(text) == eventful
    kinds = [step["step"] for step in json.loads(text)["steps"]]
    assert kinds == ["remark", "turn", "remark", "turn", "rollback", "turn", "position", "turn", "remark", "end"]


@pytest.mark.parametrize(
    ("name", "options", "turns"),
    [
        ("rocknroll", {"length": "short"}, 8),
        ("rocknroll", {"seats": "2v1"}, 4),
        ("ozz", {"scenario": "hill"}, 4),
        ("ozz", {"nations": ("munchkins", "winkies", "quadlings"), "battles": "fast"}, 3),
    ],
)
def test_a_game_of_chance_is_exported_as_its_schema_says_while_it_goes_on_and_when_it_is_over(name, options, turns):
    running = with_chance(name, options, turns)
    assert problems(write_json(running)) == []
    assert problems(write_json(over(running))) == []


@pytest.mark.parametrize("name", ["ozymandia", "rocknroll", "ozz"])
def test_the_schema_knows_the_events_of_every_game(name):
    game = with_chance(name, {}, 1) if find_game(name).chance else history_of(name)
    told = json.loads(write_json(game))
    assert problems(json.dumps(told)) == []
    told["steps"][0]["events"][0]["type"] = "earthquake"
    assert problems(json.dumps(told)) != []


def history_of(name: str) -> History:
    """A game without chance in which both sides have missed a turn."""
    game = find_game(name)
    start = game.new({})
    ruling = game.resolve(start, {})
    missed = dict.fromkeys(seats_of(game, {}))
    turn = Played(1, start, missed, ruling.state, ruling.events, None, "1")
    return History("oz-1", game, {}, "1", dict.fromkeys(missed, "Alice"), start, ruling.state, (turn,))


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (("state", "pieces", "red"), {"A": -1}),
        (("players",), {"vpa": "Alice", "vietnam": "Bob"}),
        (("setup", "BoardHash"), "none"),
        (("steps", 1, "events", 0, "type"), "earthquake"),
        (("steps", 1, "orders"), {"red": None}),
        (("result", "winner"), "green"),
    ],
)
def test_the_schema_says_what_the_game_of_an_export_may_hold(eventful, place, wrong):
    told = json.loads(write_json(eventful))
    *way, last = place
    within = told
    for key in way:
        within = within[key]
    within[last] = wrong
    assert problems(json.dumps(told)) != []
    assert problems(json.dumps({**told, "game": "another"})) == []
    assert problems(json.dumps({key: value for key, value in told.items() if key != "players"})) != []


def test_the_export_tells_players_board_orders_missed_turns_and_the_result(eventful):
    told = json.loads(write_json(eventful))
    assert told["players"] == {"red": "Alice", "blue": "Bob"}
    assert told["setup"]["Board"] == "lattice"
    assert told["steps"][1]["orders"] == {"red": "3 A to M", "blue": "1 H to S"}
    assert told["steps"][2]["text"] == "Gina: process. Reason: the holidays begin."
    assert (told["steps"][3]["missed"], told["steps"][3]["undone"]) == (["red", "blue"], True)
    assert told["result"]["winner"] == "blue"
    assert told["steps"][4]["reason"] == "Gina: a letter was lost"


def test_a_game_that_has_just_begun_can_be_exported(table):
    text = write_json(history(table))
    assert problems(text) == []
    assert (json.loads(text)["steps"], json.loads(text)["result"]) == ([], None)


def a_game() -> str:
    game = find_game("ozymandia")
    start = game.new({})
    return write_json(History("oz-1", game, {}, "1", {"red": "Änne", "blue": "Bob"}, start, start))


GAME = a_game()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no JSON, or it is cut off"),
        (GAME[: len(GAME) // 2], "no JSON, or it is cut off"),
        ("[" * 100_000, "no JSON, or it is cut off"),
        ("[1, 2]", "not what `pbem export"),
        ('{"format": "pbem desk"}', "not what `pbem export"),
        (GAME.replace('"version": 1', '"version": 2'), "newer pbem: update pbem"),
        (GAME.replace("Bob", "Rob"), "its checksum is another one"),
    ],
)
def test_what_is_no_exported_game_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(ExportError, match=sentence):
        read_json(text)
