"""What records of Rock'n'Roll and Ozz hold of shipped data: enough to play the game where those data are unknown, and
never something else than what is played here."""

import json
import re
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.base import AnyGame, GameError
from pbem.games.chance import any_chance
from pbem.games.ozz.dataset import find_data
from pbem.games.rocknroll.cardfile import find_set
from pbem.record.exports import write_json
from pbem.record.history import History
from pbem.record.lines import escaped
from pbem.record.notation import read_record, write_record
from support.chance_games import over, with_chance
from support.each import each
from support.paths import DOCS

OZYMANDIA, ROCKNROLL, OZZ = map(find_game, ("ozymandia", "rocknroll", "ozz"))
PLANS = {"rocknroll": "SetPlan", "ozz": "DataPlan"}
OPTIONS = {
    "rocknroll": {"set": "base-2", "length": "short"},
    "ozz": {"data": "house-2", "nations": ("munchkins", "winkies"), "battles": "fast"},
}


@pytest.fixture(scope="module", params=PLANS)
def played(request: pytest.FixtureRequest) -> History:
    """A game of three turns, which a word has ended then."""
    return over(with_chance(request.param, OPTIONS[request.param], 3))


def with_a_change(game: AnyGame, options: dict[str, Any], before: str, after: str) -> dict[str, str]:
    """The headers of the record of a game, with a change in its plan."""
    headers, header = game.headers(game.new(options, any_chance()), options), PLANS[game.name]
    assert before in headers[header]
    return {**headers, header: headers[header].replace(before, after, 1)}


def unsummed(text: str) -> str:
    """A record without its checksum, as by somebody who changed it."""
    return re.sub(r'\[Checksum ".*"\]\n', "", text)


def without(header: str, text: str) -> str:
    return re.sub(rf'\[{header} ".*"\]\n', "", text)


def told(text: str) -> str:
    """The one thing that is wrong in a record."""
    (problem,) = read_record(text).problems
    return str(problem)


def test_a_record_with_its_plan_is_written_and_read_the_same(played: History) -> None:
    text = write_record(played)
    assert f"[{PLANS[played.game.name]} " in text
    found = read_record(text)
    assert (found.problems, found.checksum) == ((), True)
    assert found.history
    assert write_record(found.history) == text


def test_a_record_of_before_is_read_as_it_was(played: History) -> None:
    text = write_record(played)
    found = read_record(without(PLANS[played.game.name], unsummed(text)))
    assert not found.problems
    assert found.history
    assert write_record(found.history) == text


def test_an_export_holds_the_plan_too(played: History) -> None:
    header = PLANS[played.game.name]
    assert json.loads(write_json(played))["setup"][header] == played.game.headers(played.start, played.options)[header]


def test_a_game_is_played_on_its_plan_where_the_data_are_others_now(played: History) -> None:
    text = re.sub(r'\[(Set|Data)Hash ".*"\]', rf'[\1Hash "{"0" * 64}"]', unsummed(write_record(played)))
    found = read_record(text)
    assert not found.problems
    assert found.history
    assert [turn.orders for turn in found.history.turns()] == [turn.orders for turn in played.turns()]
    assert found.history.result == played.result
    whole = write_record(found.history)
    assert PLANS[played.game.name] not in whole  # but the files, because they are nobody else's
    again = read_record(whole)
    assert not again.problems
    assert again.history
    assert write_record(again.history) == whole


def test_a_game_is_told_what_it_lacks_where_its_data_are_others_and_it_has_no_plan(played: History) -> None:
    text = re.sub(r'\[(Set|Data)Hash ".*"\]', rf'[\1Hash "{"0" * 64}"]', unsummed(write_record(played)))
    assert "was played with other" in told(without(PLANS[played.game.name], text))


def test_a_changed_value_is_told_with_its_place_and_what_stands_here(played: History) -> None:
    place, before, after = {
        "rocknroll": ("units.Johnny.chance", "'vpa', chance = 5", "'vpa', chance = 4"),
        "ozz": ("counters.units.GUA.melee", "'infantry', 1, 4, 5, 1]", "'infantry', 1, 3, 5, 1]"),
    }[played.game.name]
    text = unsummed(write_record(played))
    assert f"{place} is " in told(text.replace(before, after, 1))
    assert "in the record, and " in told(text.replace(before, after, 1))


def test_a_changed_board_is_told_too() -> None:
    headers = OZYMANDIA.headers(OZYMANDIA.new({}, any_chance()), {})
    plan = headers["BoardPlan"].replace("'A-Z', ", "")
    with pytest.raises(GameError, match="passes has 10 entries in the record, and 11 here"):
        OZYMANDIA.from_headers({**headers, "BoardPlan": plan}, any_chance())


# Every shipped set


def headers_of(name: str, value: str) -> list[str]:
    """The lines of a record that hold a value."""
    return [f'[{name} "{escaped(line, chr(34))}"]\n' for line in value.split("\n")]


def fits(header: str, plan: str, most: int) -> bool:
    """Whether the lines of a plan take at most so many bytes of a record."""
    return len("".join(headers_of(header, plan)).encode()) <= most


@each("name", ["base", "base-2", "expansion"])
def test_a_war_begins_on_the_plan_of_its_cards_where_the_set_is_unknown(name: str) -> None:
    start = ROCKNROLL.new({"set": name}, any_chance())
    headers = ROCKNROLL.headers(start, {"set": name})
    assert fits("SetPlan", headers["SetPlan"], 6200)
    cards = ROCKNROLL.from_headers({**headers, "Set": "of old"}, any_chance())[0].cards
    shipped = find_set(name)
    assert (cards.row, cards.numbers, cards.switches) == (shipped.row, shipped.numbers, shipped.switches)
    for part in ("units", "orders", "echo"):
        held, own = getattr(cards, part), getattr(shipped, part)
        assert [*held] == [*own]
        assert [values(one) for one in held.values()] == [values(one) for one in own.values()]


def values(card: Any) -> dict[str, Any]:
    """What the rules know of a card: everything but names in other languages, texts and sources."""
    return {key: getattr(card, key) for key in card.__slots__ if key not in ("name", "aliases", "text", "marks")}


@each("name", ["house", "house-2"])
@each("scenario", ["meeting", "hill", "forest", "sisters", "siege"])
def test_a_match_begins_on_the_plan_of_its_data_where_they_are_unknown(name: str, scenario: str) -> None:
    start = OZZ.new({"data": name, "scenario": scenario}, any_chance())
    headers = OZZ.headers(start, {})
    assert fits("DataPlan", headers["DataPlan"], 10_000)
    data, shipped = OZZ.from_headers({**headers, "DataName": "of old"}, any_chance())[0].data, find_data(name)
    for part in (
        "links",
        "cost",
        "allowance",
        "flight",
        "colours",
        "switches",
        "roster",
        "nations",
        "order",
        "castles",
    ):
        assert getattr(data, part) == getattr(shipped, part), part
    assert data.scenarios[scenario] == {k: v for k, v in shipped.scenarios[scenario].items() if k not in NOTES}
    assert unnoted(data.values) == unnoted(shipped.values)
    for part in ("counters", "points"):
        held, own = getattr(data, part), getattr(shipped, part)
        assert [values(one) for one in held.values()] == [values(one) for one in own.values()]


NOTES = ("mark", "marks", "sources")


def unnoted(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in (*NOTES, "spells", "switches")}


# Whatever stands there


@each(
    ("before", "after", "said"),
    [
        ("switches = []", "switches = 3", "SetPlan, switches: this should be a list in brackets, not 3."),
        ("switches = []", "switches = [", "SetPlan is not correct TOML"),
        ("switches = []", "", "SetPlan, switches: this is missing."),
        ("victory = 5", "victory = 1979-05-27", "numbers, victory: this should be"),
        ("kind = 'riposte'", "kind = 'flees'", "units, Johnny, feature, kind: this should be one of"),
        ("switches = []", "switches = ['magic']", "magic"),
    ],
)
def test_cards_that_cannot_be_used_are_told(before: str, after: str, said: str) -> None:
    changed = with_a_change(ROCKNROLL, {"set": "base-2"}, before, after)
    with pytest.raises(GameError, match=re.escape(said)):
        ROCKNROLL.from_headers({**changed, "Set": "of old"}, any_chance())
    with pytest.raises(GameError):
        ROCKNROLL.from_headers(changed, any_chance())


@each(
    ("before", "after", "said"),
    [
        ("['Sourdough', ", "[", "map, points, M2, name: this should be a text"),
        ("rows = { M1", "row = { M1", "DataPlan, points: a group has its entries in rows, not null."),
        ("MAY = ['Munchkin Mayor', 'hero']", "MAY = 3", "DataPlan, counters, MAY: this"),
        ("MAY = ['Munchkin Mayor', 'hero']", "MAY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "DataPlan, counters, MAY: this"),
        ("ZEP = ['Zeph", "ZEQ = ['Zeph", "there is no counter"),
        ("'M1-M2'", "'M1'", "map, links, entry 1: this should be a list of 3 values"),
        ("kind = 'skirmish'", "kind = ['skirmish']", "scenarios, hill"),
        ("scenarios.hill", "scenarios.dale", 'scenario must be one of dale, not "hill"'),
    ],
)
def test_data_that_cannot_be_used_are_told(before: str, after: str, said: str) -> None:
    changed = with_a_change(OZZ, {"data": "house-2", "scenario": "hill"}, before, after)
    with pytest.raises(GameError, match=re.escape(said)):
        OZZ.from_headers({**changed, "DataName": "of old"}, any_chance())
    with pytest.raises(GameError):
        OZZ.from_headers(changed, any_chance())


@each(
    ("before", "after", "said"),
    [
        ("'M1-M2', 'M1-M3'", "'M1-M3', 'M1-M2'", 'map.links.1.2 is "M3" in the record, and "M2" here'),
        ("'M1-M2', ", "", "map.links has 27 entries in the record, and 28 here"),
        ("home = true, ", "", "values.switches.home stands not in the record"),
    ],
)
def test_every_difference_of_a_map_is_told(before: str, after: str, said: str) -> None:
    changed = with_a_change(OZZ, {"data": "house-2", "scenario": "hill"}, before, after)
    with pytest.raises(GameError, match=re.escape(said)):
        OZZ.from_headers(changed, any_chance())


def test_a_plan_that_is_only_written_in_other_ways_is_the_same() -> None:
    headers = OZZ.headers(OZZ.new({"data": "house-2", "scenario": "hill"}, any_chance()), {})
    plan = headers["DataPlan"].replace(", ", " ,  ").replace("\n", "\n\n# a comment\n")
    assert plan != headers["DataPlan"]
    assert OZZ.from_headers({**headers, "DataPlan": plan}, any_chance())[0].data is find_data("house-2")


def test_the_manual_shows_lines_as_they_are() -> None:
    lines = []
    for game, options in ((ROCKNROLL, {"set": "base-2"}), (OZZ, {"data": "house-2", "scenario": "hill"})):
        header = PLANS[game.name]
        lines += headers_of(header, game.headers(game.new(options, any_chance()), options)[header])
    shown = re.findall(r"^\[(?:Set|Data)Plan .*\n", (DOCS / "record.md").read_text("utf-8"), re.M)
    assert shown
    assert set(shown) <= {*lines}
