"""Data that are shipped never change: newer ones stand beside them, and a match keeps those that it began with."""

from datetime import UTC, datetime

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games import find_game
from pbem.games.base import with_default_files
from pbem.games.chance import any_chance
from pbem.games.ozz.dataset import find_data, hash_of
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.setting import set_hash
from pbem.orders.wanted import parse_challenge
from pbem.store.matches import load_match

OZZ, ROCKNROLL = find_game("ozz"), find_game("rocknroll")


def test_shipped_data_and_sets_are_what_they_were():
    assert {name: hash_of(find_data(name)) for name in ("house", "house-2")} == {
        "house": "72ade294a6268b75d003a10059aad96546f570a0554d04d8a959d5940908139f",
        "house-2": "dd3c2d9c16016f538237780d16ca3fea05a42cfabd1c6d4a7a8e9ffd45af7e15",
    }
    assert {name: set_hash(find_set(name)) for name in ("base", "base-2", "expansion")} == {
        "base": "5928895b2dd258e425375a3e54232bdf00aae2465bd684ddee4861b21bc5adba",
        "base-2": "6ac874ee5d0c95a3a55604896e9be869283e640a2926a4792b3d21097b1810bc",
        "expansion": "7005c3e3695cffe6b914c28a1ec9082be7bd5349818d4401082c028af83cb57a",
    }


@pytest.mark.parametrize(
    ("game", "usual"), [("ozz", {"data": "house-2"}), ("rocknroll", {"set": "base-2"})], ids=["ozz", "rocknroll"]
)
def test_a_new_match_keeps_the_name_of_what_is_usual_now(tmp_path, game, usual):
    table = DemoDesk(tmp_path / "desk", datetime(2026, 11, 21, 12, 0, tzinfo=UTC), game)
    table.poll()
    match = load_match(table.store, 1)
    table.close()
    assert usual.items() <= match.options.items()


def test_what_names_no_data_is_of_before_there_were_others():
    assert OZZ.new({"scenario": "hill"}, any_chance()).data is find_data("house")
    assert ROCKNROLL.new({}, any_chance()).cards is find_set("base")


@pytest.mark.parametrize("data", ["house", "house-2"])
def test_a_state_and_a_record_lead_back_to_their_data(data):
    options = with_default_files(OZZ, {"scenario": "hill", "data": data})
    start = OZZ.new(options, any_chance())
    assert start.data.name == OZZ.load(OZZ.dump(start)).data.name == data
    assert OZZ.from_headers(OZZ.headers(start, options), any_chance())[1]["data"] == data


@pytest.mark.parametrize("cards", ["base", "base-2"])
def test_a_war_and_its_record_lead_back_to_their_cards(cards):
    start = ROCKNROLL.new({"set": cards}, any_chance())
    assert ROCKNROLL.load(ROCKNROLL.dump(start)).cards is find_set(cards)
    again, options = ROCKNROLL.from_headers(ROCKNROLL.headers(start, {"set": cards}), any_chance())
    assert (again.cards, options["set"]) == (find_set(cards), cards)


@pytest.mark.parametrize("words", ["set base", "cards base", "Karten Grundspiel", "набор базовый", "set: base-2"])
def test_who_asks_for_the_base_set_gets_the_newest(words):
    wanted = parse_challenge(f"bob@example.org to rocknroll with {words}")
    assert wanted.options == {"set": "base-2"}
