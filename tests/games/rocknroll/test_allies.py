"""What allies decide: who plays first, who takes income first, who gets cards for losses; three against three."""

from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.base import GameError
from pbem.games.chance import GivenChance, SecretChance, any_chance
from pbem.games.rocknroll.loading import placed
from pbem.i18n.languages import say_in
from pbem.orders.reader import parse_all, read
from pbem.orders.situation import Standpoint

GAME: Any = find_game("rocknroll")
SEATS = "seats: vpa1 vpa, vpa2 vpa, vietnam1 vietnam, vietnam2 vietnam"
LAST = f"{SEATS}; order: vpa1, vietnam1, vpa2, vietnam2; next: vietnam2"


def after(position: str, text: str = "Pass", dice: list[int] | None = None, **said: str) -> Any:
    """The state after the turn of the seat on turn; others send standing orders."""
    state = placed(position)
    orders = {}
    for seat, one in {state.on_turn: text, **said}.items():
        found, standing = parse_all(Standpoint(GAME, state, seat), one)
        orders[seat] = GAME.joined(state, seat, found, "; ".join(standing))
    return GAME.resolve(state, orders, GivenChance(dice or [])).state


def test_a_war_is_for_three_against_three_too() -> None:
    state = GAME.new({"seats": "3v3", "set": "expansion"}, SecretChance(bytes(32)))
    assert [seat for seat, _ in state.seats] == ["vpa1", "vpa2", "vpa3", "vietnam1", "vietnam2", "vietnam3"]
    assert len(state.order) == 6
    sides = [state.side_of(seat) for seat in state.order]
    assert sides == [sides[0], sides[1]] * 3
    assert all(len(hand.units) == len(hand.orders) == 2 for hand in state.hands.values())


def test_allies_play_in_the_sequence_that_they_agree_on_from_the_next_round_on() -> None:
    assert after(LAST).order == ("vpa1", "vietnam1", "vpa2", "vietnam2")
    assert after(LAST, vpa1="Sequence: vpa2").order == ("vpa2", "vietnam1", "vpa1", "vietnam2")
    assert after(f"{LAST}; A vietnam: Bao", vpa1="Sequence: vpa2").order == ("vietnam1", "vpa2", "vietnam2", "vpa1")


def test_where_allies_say_different_things_what_counts_is_as_usual() -> None:
    agreed = after(LAST, vpa1="Sequence: vpa2", vpa2="Sequence: vpa2, vpa1")
    assert agreed.order[0] == "vpa2"
    assert after(LAST, vpa1="Sequence: vpa2", vpa2="Sequence: vpa1").order[0] == "vpa1"


def test_the_ally_who_takes_of_the_income_first_has_the_choice() -> None:
    row = f"{LAST}; reserve vpa: Doc"
    said = {"vpa1": "Income: Doc", "vpa2": "Income: Doc"}
    assert after(row, **said).hands["vpa1"].units == ("Doc",)
    said["vpa2"] = "Income: Doc; Supply: vpa2"
    assert after(row, **said).hands["vpa2"].units == ("Doc",)


def test_cards_for_losses_go_to_the_ally_that_they_agree_on() -> None:
    row = f"{SEATS}; order: vpa1, vietnam1, vpa2, vietnam2; A vpa: Johnny; A vietnam: Bao; losses vietnam: 1"
    position = f"{row}; deck orders: Move; hand vpa1: Attack"
    usual = after(position, "Attack: Johnny > Bao", [6])
    agreed = after(position, "Attack: Johnny > Bao", [6], vietnam1="Compensation: vietnam2")
    assert [usual.hands[seat].orders for seat in ("vietnam1", "vietnam2")] == [("Move",), ()]
    assert [agreed.hands[seat].orders for seat in ("vietnam1", "vietnam2")] == [(), ("Move",)]


def test_a_war_may_begin_with_what_allies_have_agreed_on_and_its_record_knows() -> None:
    options = {"seats": "2v2", "sequence": ("vpa2", "vietnam2"), "compensation": ("vpa2",)}
    state = GAME.new(options, SecretChance(bytes(32)))
    assert [seat for seat in state.order if seat.startswith("vpa")] == ["vpa2", "vpa1"]
    assert [seat for seat in state.order if seat.startswith("viet")] == ["vietnam2", "vietnam1"]
    assert state.standing["vpa1"] == {"Sequence": "vpa2", "Compensation": "vpa2"}
    again, found = GAME.from_headers(GAME.headers(state, options), SecretChance(bytes(32)))
    assert again == state
    assert found["sequence"] == ("vpa2", "vietnam2")


def test_a_seat_without_allies_is_no_choice() -> None:
    with pytest.raises(GameError, match="sequence: vpa2 has no allies in this war"):
        GAME.new({"sequence": ("vpa2",)}, any_chance())


@pytest.mark.parametrize("text", ["Sequence: VPA 2", "Reihenfolge: VPA2", "Очередь: ВПА 2", "очередь впа 2"])
def test_it_is_written_in_three_languages(text: str) -> None:
    assert read(Standpoint(GAME, placed(SEATS), "vpa1"), text).standing == ("Sequence: vpa2",)


def test_seats_of_the_other_side_are_refused_and_a_lone_seat_is_told_that_it_has_no_allies() -> None:
    (wrong,) = read(Standpoint(GAME, placed(SEATS), "vpa1"), "Sequence: vietnam2").mistakes
    assert str(wrong.sentence) == "Only seats of your side can be named here: VPA 1, VPA 2."
    state = placed("next: vpa")
    orders, standing = parse_all(Standpoint(GAME, state, "vpa"), "Compensation: vpa2\nPass")
    joined = GAME.joined(state, "vpa", orders, "; ".join(standing))
    told = GAME.cautions(GAME.view(state, "vpa"), "vpa", joined, say=say_in("ru"))
    assert "`Возмещение` в этой войне ничего не меняет: на вашей стороне один игрок." in told


def test_what_allies_have_agreed_on_is_told_in_words() -> None:
    told = GAME.paraphrase_standing(GAME.view(placed(SEATS), "vpa1"), "Compensation: vpa2", say=say_in("de"))
    assert (
        told == "Karten für Verluste bekommt, wenn kein Verbündeter etwas anderes sagt: VPA 2. "
        "Einen Dauerbefehl nimmst du zum Beispiel mit `Ausgleich: üblich` zurück"
    )
