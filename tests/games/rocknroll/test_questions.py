"""Turns as other programs ask for them: the example of the manual, every refusal, views, chance, invariants."""

import json
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cli.adjudicate import adjudicate_line, run
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.state import dump
from support.each import each
from support.rocknroll_wars import dense, turn

QUESTION, ANSWER = (Path(__file__).parents[2] / "cases" / "rocknroll.jsonl").read_text(encoding="utf-8").splitlines()
Data = dict[str, Any]


def answered(line: str) -> Data:
    """The answer as another program reads it."""
    answer: Data = json.loads(json.dumps(adjudicate_line(line, "rocknroll")))
    return answer


def ask(**keys: Any) -> Data:
    return answered(json.dumps({"id": 1, **keys}))


def state(text: str = "A vpa: Johnny; A vietnam: Bao; hand vpa: Attack") -> Data:
    return {**dump(placed(text))}


def test_the_example_of_the_specification_is_answered_as_it_says() -> None:
    assert answered(QUESTION) == json.loads(ANSWER)


def test_vietnam_sees_the_example_without_what_is_hidden() -> None:
    seen = answered(json.dumps({**json.loads(QUESTION), "as": "vietnam"}))
    wanted = json.loads(ANSWER)
    events = [{key: value for key, value in one.items() if key != "seen"} for one in wanted["events"][:-1]]
    events = [
        {key: value for key, value in one.items() if key != "card"} if one["type"] == "discard" else one
        for one in events
    ]
    assert seen["events"] == events
    assert "state" not in seen
    view = seen["view"]
    assert view["hands"] == {"vpa": {"units": 0, "orders": 0}, "vietnam": {"units": [], "orders": ["Attack"]}}
    assert view["decks"] == {"vpa": 0, "vietnam": 0, "orders": 1}
    assert view["box"] == 0
    assert view["standing"] == {"vpa": None, "vietnam": {}}
    same = {key: value for key, value in wanted["state"].items() if key not in ("hands", "decks", "box", "standing")}
    assert same == {key: value for key, value in view.items() if key in same}


def test_the_public_sees_no_hand() -> None:
    seen = answered(json.dumps({**json.loads(QUESTION), "as": "public"}))
    assert seen["view"]["hands"] == {"vpa": {"units": 0, "orders": 0}, "vietnam": {"units": 0, "orders": 1}}
    assert seen["view"]["standing"] == {"vpa": None, "vietnam": None}
    assert not any("seen" in one for one in seen["events"])
    assert all("card" not in one for one in seen["events"] if one["type"] in ("take", "discard"))


def test_a_war_that_is_over_comes_back_as_it_is() -> None:
    over = state("winner: vpa; ok vpa: 5; next: none")
    answer = ask(state=over, orders={"vpa": "nonsense"}, chance=[99], seed=3)
    assert answer == {
        "id": 1,
        "state": over,
        "events": [],
        "awaiting": [],
        "winner": "vpa",
        "scores": {"vpa": 5, "vietnam": 0},
    }


INPUT: list[Data] = [
    {},
    {"state": state(), "new": {}},
    {"new": []},
    {"new": {"sets": "base"}},
    {"new": {"set": "nowhere"}},
    {"new": {"set": 3}},
    {"new": {"limit": 0}},
    {"new": {"limit": True}},
    {"new": {"seats": []}},
    {"new": {"seats": [["vpa", "vpa"], ["vpa", "vietnam"]]}},
    {"new": {"seats": [["vpa1", "vpa"], ["vietnam", "vietnam"]]}},
    {"new": {}, "extra": 1},
    {"new": {}, "as": "vpa2"},
    {"new": {}, "orders": {"vpa2": "Pass"}},
    {"state": state(), "extra": 1},
    {"state": state(), "orders": {"vpa2": "Pass"}},
    {"state": state(), "orders": []},
    {"state": state(), "as": "vpa2"},
]


@each("keys", INPUT, ids=str)
def test_a_question_that_is_none_is_told(keys: Data) -> None:
    assert [*ask(**keys)["errors"]] == ["input"]


def change(*path: str | int, to: Any) -> Data:
    """A position with another value in one place; `...` takes the key away."""
    found = json.loads(json.dumps(state("set: expansion; A vpa: Johny; hand vpa: Move, Move; ok vpa: 3")))
    *inner, last = path
    part = found
    for key in inner:
        part = part[key]
    if to is ...:
        del part[last]
    else:
        part[last] = to
    return dict(found)


POSITIONS: dict[str, Any] = {
    "no object": [],
    "nothing": {},
    "a key missing": change("captives", to=...),
    "a key too many": change("extra", to=1),
    "an unknown set": change("set", to="nowhere"),
    "a set that is no text": change("set", to=["base"]),
    "round 0": change("round", to=0),
    "round true": change("round", to=True),
    "no seats": change("seats", to=[]),
    "four seats of a side": change("seats", to=[[f"vpa{at}", "vpa"] for at in range(1, 5)] + [["vietnam", "vietnam"]]),
    "a seat of another name": change("seats", to=[["red", "vpa"], ["vietnam", "vietnam"]]),
    "an order of other seats": change("order", to=["vpa", "vpa"]),
    "an order too short": change("order", to=["vpa"]),
    "next too big": change("next", to=2),
    "next below 0": change("next", to=-1),
    "another row": change("row", to=["A", "B", "C", "D"]),
    "a Point missing": change("points", "E", to=...),
    "a side missing": change("points", "E", "vpa", to=...),
    "an unknown unit": change("points", "E", "vpa", to=["Rambo"]),
    "an order as a unit": change("points", "E", "vpa", to=["Move"]),
    "a unit that is no text": change("points", "E", "vpa", to=[["Bao"]]),
    "a unit in two places": change("reserve", "vietnam", to=["Johny"]),
    "a unit twice in one": change("reserve", "vietnam", to=["Bao", "Bao"]),
    "a unit in box and hand": change("box", to=["Johny"]),
    "a hand of a stranger": change("hands", "vpa2", to={"units": [], "orders": []}),
    "a hand without orders": change("hands", "vpa", "orders", to=...),
    "units that are no list": change("hands", "vpa", "units", to="Bao"),
    "too many of an order": change("discard", to=["Move"] * 7),
    "an unknown order": change("decks", "orders", to=["Retreat"]),
    "another deck": change("decks", "locals", to=[]),
    "two losses": change("losses", "vpa", to=2),
    "OK below 0": change("ok", "vpa", to=-1),
    "5 OK and no winner": change("ok", "vpa", to=5),
    "7 RD": change("rd", "vpa", to=7),
    "RD of a half": change("rd", "vpa", to=0.5),
    "Echo 7": change("echo", to=7),
    "limit 0": change("limit", to=0),
    "another winner": change("winner", to="usa"),
    "standing orders of a stranger": change("standing", "vpa2", to={}),
    "standing orders that are none": change("standing", "vpa", to={"Reroll attack": "many"}),
    "a key that is none": change("standing", "vpa", to={"Sing": "always"}),
    "a key without a unit": change("standing", "vpa", to={"React": "no"}),
    "a key with a unit too many": change("standing", "vpa", to={"Income Doc": "deck"}),
    "a rule of unknown units": change("standing", "vpa", to={"First": "Rambo"}),
    "a rule of an unknown Point": change("standing", "vpa", to={"Goto Mai": "Q"}),
    "a rule that is no text": change("standing", "vpa", to={"Income": ["deck"]}),
    "a rule that takes itself back": change("standing", "vpa", to={"Income": "default"}),
    "Reroll as Pour": change("standing", "vpa", to={"Reroll attack": "to 3"}),
    "Pour as Reroll": change("standing", "vpa", to={"Pour attack": "3 each"}),
    "base with RD": {**state(), "rd": {"vpa": 1, "vietnam": 0}},
    "base with a graveyard": {**state(), "graveyard": {"vpa": ["Doc"], "vietnam": []}},
    "base with Echo": {**state(), "echo": 3},
    "base with standing orders of EXPANSION": {**state(), "standing": {"vpa": {"Pour attack": "1"}, "vietnam": {}}},
}


@each("name", POSITIONS)
def test_a_position_that_cannot_be_is_told(name: str) -> None:
    answer = ask(state=POSITIONS[name], orders={"vpa": "nonsense"}, chance=[99])
    assert [*answer["errors"]] == ["position"]
    assert all(isinstance(one, str) and one for one in answer["errors"]["position"])


def test_all_that_is_wrong_with_a_position_is_told_at_once() -> None:
    wrong = {**state(), "round": 0, "limit": -1, "rd": {"vpa": 9, "vietnam": -9}}
    assert len(ask(state=wrong)["errors"]["position"]) == 4


def test_cards_that_are_nowhere_are_allowed() -> None:
    assert "errors" not in ask(state=state(""))


@pytest.mark.parametrize("text", ["", "\n\n", " ; ", "Hello there", "Attack", "Deploy Johnny", 3, "x" * 20_000])
def test_a_text_without_a_line_is_an_error_of_its_seat(text: Any) -> None:
    assert [*ask(state=state(), orders={"vpa": text})["errors"]] == ["vpa"]


def test_all_seats_whose_letters_cannot_be_read_are_told_and_chance_last() -> None:
    answer = ask(state=state(), orders={"vpa": "Attack: Rambo > Bao", "vietnam": "Pass"}, chance=[99])
    assert [*answer["errors"]] == ["vpa", "vietnam"]


@each(
    "keys",
    [
        {"chance": []},
        {"chance": [5, 5]},
        {"chance": [0]},
        {"chance": [7]},
        {"chance": [True]},
        {"chance": ["5"]},
        {"chance": 5},
        {"chance": [5], "seed": "00" * 32},
        {"seed": "00" * 31},
        {"seed": "zz" * 32},
        {"seed": 0},
        {"seed": "00" * 32, "deck_seed": "1"},
    ],
    ids=str,
)
def test_chance_that_cannot_be_is_told(keys: Data) -> None:
    assert [*ask(state=state(), orders={"vpa": "Attack: Johnny > Bao"}, **keys)["errors"]] == ["chance"]


def test_without_chance_a_seed_of_zeros_counts_in_either_case() -> None:
    orders = {"vpa": "Attack: Johnny > Bao"}
    plain = ask(state=state(), orders=orders)
    assert plain == ask(state=state(), orders=orders, seed="0" * 64)
    assert [one["value"] for one in plain["events"] if one["type"] == "roll"] == [6]
    assert ask(state=state(), orders=orders, seed="ab" * 32) == ask(state=state(), orders=orders, seed="AB" * 32)


def test_a_new_war_shuffles_throws_and_deals_in_that_order() -> None:
    zeros = [0] * (7 + 7 + 39)
    answer = ask(new={}, chance=[*zeros, 3, 3, 2, 5])
    assert [one["type"] for one in answer["events"]][:5] == ["roll"] * 4 + ["round"]
    assert [one["side"] for one in answer["events"][:4]] == ["vpa", "vietnam"] * 2
    assert answer["events"][4] == {"type": "round", "round": 1, "order": ["vietnam", "vpa"]}
    taken = [one for one in answer["events"] if one["type"] == "take"]
    assert [(one["seat"], one["kind"]) for one in taken[:8]] == [("vietnam", "unit")] * 4 + [("vietnam", "order")] * 4
    # picks of 0 move the first item to the end, and every other one a place on
    assert answer["state"]["hands"]["vpa"]["units"] == ["Doc", "Zulu", "Rook", "Boomer"]
    assert answer["state"]["decks"]["vpa"] == ["Chili", "Private", "Gunner", "Johnny"]
    assert answer["state"]["limit"] == 30
    assert answer["awaiting"] == ["vietnam"]


def test_a_new_war_of_expansion_deals_fourteen_and_rolls_for_echo() -> None:
    answer = ask(new={"set": "expansion", "limit": None})
    after = answer["state"]
    assert after["limit"] is None
    assert 1 <= after["echo"] <= 6
    assert [one for one in answer["events"] if one["type"] == "roll"][-1]["for"] == "echo"
    assert len(after["box"]) == 2
    assert {side: len(units) for side, units in after["reserve"].items()} == {"vpa": 2, "vietnam": 2}
    assert {side: len(after["decks"][side]) for side in ("vpa", "vietnam")} == {"vpa": 8, "vietnam": 8}


def test_seats_are_interleaved_and_a_lone_one_gets_as_much_as_its_opponents() -> None:
    seats = [["vpa1", "vpa"], ["vpa2", "vpa"], ["vietnam", "vietnam"]]
    after = ask(new={"seats": seats})["state"]
    assert after["order"] in (["vpa1", "vietnam", "vpa2"], ["vietnam", "vpa1", "vpa2"])
    held = {seat: (len(hand["units"]), len(hand["orders"])) for seat, hand in after["hands"].items()}
    assert held == {"vpa1": (2, 2), "vpa2": (2, 2), "vietnam": (4, 4)}


def test_turns_are_told_in_words_too() -> None:
    out = BytesIO()
    assert run([QUESTION.encode()], out, as_json=False, game_name="rocknroll") == 0
    told = " ".join(out.getvalue().decode().split())
    assert "Bao blocks and attacks Johnny, needing 6: 2, 3." in told
    assert "Johnny strikes back at Bao, needing 5+: 2, March paid for a reroll: 6. Bao is destroyed." in told


def test_the_exit_status_tells_whether_all_lines_were_adjudicated() -> None:
    out = BytesIO()
    assert run([QUESTION.encode()], out, as_json=True, game_name="rocknroll") == 0
    assert json.loads(out.getvalue()) == json.loads(ANSWER)
    assert run([QUESTION.encode(), b'{"id": 1, "state": []}'], BytesIO(), as_json=True, game_name="rocknroll") == 1
    assert run([b"{}"], BytesIO(), as_json=True, game_name="rocknroll") == 2


JUNK: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 1.5, 10**30, "", "Bao", "Move", "vpa", "A", "x" * 50, "Reroll attack"),
    *([], {}, ["Bao"], [["vpa", "vpa"]], {"vpa": []}, [None]),
)


def parts(data: Any) -> list[tuple[Any, Any]]:
    """Every place in JSON that has a value: what it is in, and its key there."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in inside for place in ((data, key), *parts(value))]


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_no_question_makes_the_program_fail(seed: int) -> None:
    random = Random(seed)
    played = turn(random, dense(random), 0.1)
    orders = {seat: str(one) for seat, one in played.letters.items()}
    text = json.dumps({"id": 1, "state": dump(played.before), "orders": orders, "chance": played.chance.values})
    for _ in range(20):
        question = json.loads(text)
        inside, key = random.choice(parts(question))
        inside[key] = json.loads(json.dumps(random.choice(JUNK)))
        answer = answered(json.dumps(question))
        assert all(sentences and all(sentences) for sentences in answer.get("errors", {}).values())


@given(st.text(max_size=60) | st.text(alphabet="Деплой Бао в А: > 1;\nattack RD>=", max_size=60))
def test_no_text_makes_the_program_fail(text: str) -> None:
    answer = ask(state=state(), orders={"vpa": text}, seed="00" * 32)
    assert "state" in answer or [*answer["errors"]] == ["vpa"]
