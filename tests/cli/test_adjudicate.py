"""The machine interface: a line in, a line out, whatever the line (docs/games/ozymandia-events.md)."""

import io
import json
import re

import pytest

from pbem import games
from pbem.cli.adjudicate import adjudicate_line, run
from pbem.games.base import Ruling, seats_of
from pbem.games.capabilities import Adjudicable, AdjudicatesSetUp, QuestionError
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.state import parse_state
from support.paths import DOCS
from support.trial import Trial

QUESTION = {
    "id": 1,
    "board": "lattice",
    "turn": 4,
    "pieces": {"red": {"M": 4}, "blue": {"S": 3, "HC": 1}},
    "bombs": {"red": 3, "blue": 2},
    "orders": {"red": "2 M to S", "blue": "3 S to M; New H; Bomb MC"},
}
SCHEMA = json.loads((DOCS / "games" / "ozymandia-events.schema.json").read_text(encoding="utf-8"))


def ask(**changes):
    return adjudicate_line(json.dumps(QUESTION | changes))


def stream(*lines: bytes, as_json: bool = True) -> tuple[int, list[str]]:
    out = io.BytesIO()
    status = run(lines, out, as_json=as_json)
    return status, out.getvalue().decode().splitlines()


def check(value, schema) -> None:
    """As much of JSON Schema as docs/games/ozymandia-events.schema.json uses."""
    if "$ref" in schema:
        return check(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "oneOf" in schema:
        (one,) = (one for one in schema["oneOf"] if one["$ref"] == f"#/$defs/{value['type']}")
        return check(value, one)
    types = {"object": dict, "array": list, "string": str, "integer": int}
    assert isinstance(value, types[schema["type"]] if "type" in schema else object)
    assert value in schema.get("enum", [value])
    assert value == schema.get("const", value)
    assert re.search(schema["pattern"], value) if "pattern" in schema else True
    if isinstance(value, int):
        assert schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, list):
        assert len(value) >= schema.get("minItems", 0)
        for item in value:
            check(item, schema["items"])
    if isinstance(value, dict):
        assert value.keys() == set(schema["required"]) == schema["properties"].keys()
        for key, inner in value.items():
            check(inner, schema["properties"][key])
    return None


def test_the_example_of_the_interface():
    answer = ask()
    events = answer.pop("events")
    assert answer == {
        "id": 1,
        "turn": 5,
        "pieces": {"red": {"M": 1}, "blue": {"H": 1, "HC": 1}},
        "bombs": {"red": 3, "blue": 1},
        "winner": None,
    }
    assert [event["type"] for event in events] == ["new", "move", "move", "crossing", "battle", "bombardment"]


@pytest.mark.parametrize(
    ("position", "orders", "last"),
    [
        ("red M4 bombs 3 blue S3 HC1 bombs 2", {"red": "2 M to S", "blue": "3 S to M; Bomb MC"}, "bombardment"),
        ("red M3 MC1 bombs 3 blue S3 bombs 2", {"red": "New M; 4 M to S"}, "battle"),
        ("red AC1 MC1 WC1 UC1 E1 bombs 3 blue V1 bombs 2", {"red": "1 E to EC"}, "victory"),
        ("red HC1 bombs 3 blue bombs 2", {"blue": "Bomb HC"}, "draw"),
    ],
)
def test_events_keep_to_their_schema(position, orders, last):
    state = parse_state(position, find_board("lattice"))
    events = json.loads(json.dumps(ask(pieces=state.pieces, bombs=state.bombs, orders=orders)["events"]))
    check(events, SCHEMA)
    assert events[-1]["type"] == last


def test_every_type_of_event_is_in_the_document():
    told = (DOCS / "games" / "ozymandia-events.md").read_text(encoding="utf-8")
    types = [one["$ref"].rpartition("/")[2] for one in SCHEMA["items"]["oneOf"]]
    assert [name for name in types if f"| `{name}` |" not in told] == []


@pytest.mark.parametrize("orders", [{}, None, {"red": None}, {"red": "Pass"}])
def test_absent_orders_are_missed(orders):  # J7
    answer = ask(orders=orders)
    missed = [event["seat"] for event in answer["events"] if event["type"] == "missed"]
    assert missed == (["blue"] if orders == {"red": "Pass"} else ["red", "blue"])
    assert answer["pieces"] == {"red": {"M": 4}, "blue": {"S": 3, "HC": 2}}


def test_orders_may_be_absent_as_a_whole():
    question = {key: value for key, value in QUESTION.items() if key not in {"orders", "turn", "board", "id"}}
    answer = adjudicate_line(json.dumps(question))
    assert (answer["id"], answer["turn"]) == (None, 2)


@pytest.mark.parametrize("text", ["", "  \n ", "Hi,\ngood luck"])
def test_a_text_without_orders_is_not_a_pass(text):
    errors = ask(orders={"red": text, "blue": "Pass"})["errors"]
    assert list(errors) == ["red"]
    assert len(errors["red"]) == 1


def test_illegal_orders_of_both_sides_are_told_item_by_item():
    answer = ask(orders={"red": "1 A to M, 9 M to S", "blue": "3 S to E"})
    assert answer["id"] == 1
    assert answer.keys() == {"id", "errors"}
    red, blue = answer["errors"]["red"], answer["errors"]["blue"]
    assert [sentence.partition(":")[0] for sentence in red + blue] == ["1 A to M", "9 M to S", "3 S to E"]


@pytest.mark.parametrize(
    "changes",
    [
        {"pieces": {"red": {"Q": 1}, "blue": {}}},
        {"pieces": {"red": {"M": 1}, "blue": {"M": 1}}},
        {"pieces": {"red": {"M": -1}, "blue": {"H": 1}}},
        {"pieces": []},
        {"bombs": {"red": 4, "blue": 0}},
        {"bombs": None},
        {"turn": 0},
        {"turn": [4]},
        {"board": "atlantis"},
        {"board": None},
        {"board": {"name": "lattice"}},
        {"board": "\0"},
    ],
)
def test_what_is_wrong_with_the_position_is_told(changes):
    answer = ask(**changes)
    assert answer["id"] == 1
    assert list(answer["errors"]) == ["position"]


def test_all_that_is_wrong_with_the_position_is_told_at_once():
    errors = ask(pieces={"red": {"Q": 1, "M": 1}, "blue": {"M": 1}}, bombs={"red": 4, "blue": -1})["errors"]
    assert len(errors["position"]) == 4


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"[1]",
        b"7",
        b'"M"',
        b"null",
        b"NaN",
        b'{"id": NaN}',
        b'{"id": 1e999}',
        b'{"id": 1' + b"0" * 5000 + b"}",
        b'{"id": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"[" * 100_000,
        b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"orders": "2 M to S", "pieces": {}, "bombs": {"red": 0, "blue": 0}, "turn": NaN}',
    ],
)
def test_a_line_that_cannot_be_read_is_told_so(line):
    answer = adjudicate_line(line)
    assert list(answer["errors"]) == ["input"]
    assert stream(line)[0] == 2


@pytest.mark.parametrize("orders", ["2 M to S", ["2 M to S"], {"Red": "2 M to S"}, 7])
def test_orders_that_are_no_table_of_the_two_sides_are_no_missed_turn(orders):
    answer = ask(orders=orders)
    assert (answer["id"], list(answer["errors"])) == (1, ["input"])


@pytest.mark.parametrize("text", [7, True, ["Pass"], {}, "1 M to S, " * 100_000])
def test_orders_that_are_no_text_or_far_too_long_are_an_error_of_their_side(text):
    assert list(ask(orders={"red": text})["errors"]) == ["red"]


@pytest.mark.parametrize("value", [1, "oz-17", None, 1.5, True, [1, {"a": None}], {"x": "ä"}, 10**30, "\ud800"])
def test_ids_come_back_as_they_are(value):
    assert ask(id=value)["id"] == value
    assert json.loads(stream(json.dumps(QUESTION | {"id": value}).encode())[1][0])["id"] == value


def test_other_keys_are_ignored_and_a_byte_order_mark_too():
    line = b"\xef\xbb\xbf" + json.dumps(QUESTION | {"comment": "no", "turn_limit": 1}).encode()
    assert adjudicate_line(line) == ask()


@pytest.mark.parametrize(
    ("position", "winner"),
    [
        ("9 red AC1 MC1 WC1 UC1 EC1 bombs 3 blue V1 bombs 2", "red"),
        ("9 red V1 bombs 0 blue AC1 MC1 WC1 UC1 EC1 HC4 bombs 2", "blue"),
        ("9 red bombs 1 blue bombs 2", "draw"),
    ],
)
def test_a_game_that_is_over_comes_back_unchanged(position, winner):
    state = parse_state(position, find_board("lattice"))
    answer = ask(turn=9, pieces=state.pieces, bombs=state.bombs, orders={"red": "Bomb M", "blue": "nonsense 7 X"})
    assert answer == {
        "id": 1,
        "turn": 9,
        "pieces": state.pieces,
        "bombs": state.bombs,
        "winner": winner,
        "events": (),
    }


def test_areas_are_written_in_board_order_whatever_the_order_of_the_orders():
    first = ask(pieces={"red": {"M": 6}, "blue": {"V": 1}}, orders={"red": "1 M to S, 1 M to A, 1 M to W"})
    second = ask(pieces={"blue": {"V": 1}, "red": {"M": 6}}, orders={"red": "1 M to W, 1 M to A, 1 M to S"})
    assert json.dumps(first) == json.dumps(second)
    assert list(first["pieces"]["red"]) == ["A", "M", "S", "W"]


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ([], 0),
        ([b"good", b"good"], 0),
        ([b"good", b"bad"], 1),
        ([b"good", b"{"], 1),
        ([b"bad", b"{"], 1),
        ([b"bad"], 1),
        ([b"{", b"["], 2),
    ],
)
def test_the_exit_status_sums_up(lines, status):
    known = {b"good": QUESTION, b"bad": QUESTION | {"turn": -1}}
    texts = [json.dumps(known[line]).encode() + b"\n" if line in known else line for line in lines]
    found, answers = stream(*texts)
    assert found == status
    assert len(answers) == len(lines)


def test_answers_come_in_the_order_of_the_lines_and_a_bad_one_stops_nothing():
    lines = [json.dumps(QUESTION | {"id": number}).encode() for number in range(3)]
    status, answers = stream(lines[0], b"{", lines[1], lines[2])
    assert [json.loads(answer)["id"] for answer in answers] == [0, None, 1, 2]
    assert status == 1


def test_without_json_a_line_gives_report_and_map():
    _, lines = stream(json.dumps(QUESTION).encode(), as_json=False)
    text = "\n".join(lines)
    assert max(map(len, lines)) <= 72
    assert text.isascii()
    assert "  Blue                New H; 3 S to M; Bomb MC" in lines
    assert "Blue 1: Halcyonna (for Harmony City)." in text
    assert "The board at the start of turn 5" in text
    assert "Cities: Red 0, Blue 1 (HC). Five cities win." in lines


def test_without_json_the_end_of_the_game_and_errors_are_told_too():
    won = QUESTION | {"pieces": {"red": dict.fromkeys(("AC", "MC", "WC", "UC", "EC"), 1)}}
    wrong = QUESTION | {"orders": {"red": "1 M to H"}}
    status, lines = stream(json.dumps(won).encode(), json.dumps(wrong).encode(), as_json=False)
    assert status == 1
    assert lines[lines.index("Line 2 was not adjudicated.") + 1].startswith("  red: 1 M to H")
    assert any(line.startswith("Red has won.") for line in lines)


# A game with dice, hidden hands and standing orders


class Asked(Trial, Adjudicable, AdjudicatesSetUp):
    def read_question(self, question):
        if "state" not in question:
            raise QuestionError("There is no state.")
        return question["state"], tuple(question["state"]["hands"])

    def answered(self, state):
        return {"state": state, "awaiting": sorted(self.awaiting(state))}

    def titles(self, before, after):
        return "", ""

    def adjudicate_set_up(self, options, chance):
        if options.keys() - {"seats"}:
            raise QuestionError("The only option is seats.")
        return Ruling(self.new(options, chance), ()), seats_of(self, options)


@pytest.fixture
def asked(monkeypatch):
    monkeypatch.setattr(games, "GAMES", {**games.GAMES, "trial": Asked()})
    return lambda **question: adjudicate_line(json.dumps({"id": 1, **question}), "trial")


@pytest.fixture
def state(asked):
    return asked(new={"seats": 2})["state"]


def test_a_match_begins_as_its_seed_has_it_64_zeros_if_none_is_said(asked):
    assert asked(new={}) == asked(new={}, seed="0" * 64)
    assert asked(new={})["state"]["hands"] != asked(new={}, seed="1" * 64)["state"]["hands"]
    assert asked(new={})["awaiting"] == ["amber"]
    assert asked(new={}, deck_seed="1" * 64) == asked(new={}, seed="1" * 64)  # all that is asked are picks


@pytest.mark.parametrize("question", [{"new": {"sea": 1}}, {"new": []}, {"new": {}, "state": {}}, {}])
def test_a_question_that_is_none_is_told(asked, question):
    assert list(asked(**question)["errors"]) == ["input"]


def test_a_turn_is_played_with_the_values_that_are_given(asked, state):
    card = state["hands"]["amber"][0]
    answer = asked(state=state, orders={"amber": f"Ставлю {card}"}, chance=[4, 0])
    die, lay, draw = answer["events"]
    assert (die["fell"], lay["card"], lay["seen"]) == (4, card, ["amber"])
    assert draw["card"] in answer["state"]["hands"]["amber"]


def test_who_asks_as_a_seat_sees_what_that_seat_may_see(asked, state):
    card, orders = state["hands"]["amber"][0], {"amber": f"Ставлю {state['hands']['amber'][0]}"}
    own, other, public = (
        asked(state=state, orders=orders, chance=[4, 0], **{"as": reader}) for reader in ("amber", "birch", "public")
    )
    assert own["view"]["laid"]["amber"] == [card]
    assert other["view"]["hands"] != public["view"]["hands"]
    assert [len(one["events"]) for one in (own, other, public)] == [3, 1, 1]
    assert not any("state" in one or "seen" in str(one) for one in (own, other, public))
    assert list(asked(state=state, **{"as": "cedar"})["errors"]) == ["input"]


def test_standing_orders_among_the_others_play_for_a_seat_without_others(asked, state):
    card = state["hands"]["amber"][1]
    answer = asked(state=state, orders={"amber": f"Всегда {card}"}, chance=[4, 0])
    assert answer["state"]["laid"]["amber"] == [card]
