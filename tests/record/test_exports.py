"""A game as JSON: all of it, as the schema says, read back the same, and never unnoticed if it was changed."""

import json

import jsonschema
import pytest
from referencing import Registry, Resource

from pbem.games import find_game
from pbem.record.exports import ExportError, read_json, write_json
from pbem.record.history import History
from support.game_masters import say
from support.paths import DOCS
from support.tables import history, play

SCHEMAS = {
    name: json.loads((DOCS / name).read_text("utf-8"))
    for name in ("game.schema.json", "games/ozymandia-game.schema.json", "games/ozymandia-events.schema.json")
}


def problems(text: str) -> list[str]:
    """What the schema has against an exported game."""
    registry = Registry().with_resources(
        (f"https://pbem.invalid/{name}", Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
    )
    checker = jsonschema.Draft202012Validator(SCHEMAS["game.schema.json"], registry=registry)
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
