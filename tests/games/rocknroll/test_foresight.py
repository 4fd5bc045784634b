"""What a receipt says before a die has fallen: lines that will be skipped, gambles, chances, and nothing hidden."""

from pbem.games import find_game
from pbem.games.chance import GivenChance
from pbem.games.rocknroll.loading import placed
from pbem.orders import reader
from pbem.orders.situation import Standpoint

GAME = find_game("rocknroll")
ROW = "order: vpa, vietnam; A vietnam: Bao; B vpa: Johnny; hand vpa: Move, Attack, Doc; deck orders: March, Napalm"


def cautions(position: str, text: str) -> str:
    """What VPA is warned of."""
    state = placed(position)
    orders = reader.parse(Standpoint(GAME, state, "vpa"), text)
    return "\n".join(GAME.cautions(GAME.view(state, "vpa"), "vpa", orders))


def test_a_line_that_cannot_be_carried_out_is_named_with_its_reason() -> None:
    told = cautions(ROW, "Move: Johnny to A; Deploy Doc D; Attack: Doc > Bao")
    assert (
        "Line 2, `Deploy Doc D`, will be skipped as things stand: units can only be deployed before the first order"
        in told
    )
    assert "Line 3, `Attack: Doc > Bao`, will be skipped as things stand: the unit is not in a Point." in told


def test_a_line_that_is_skipped_for_one_reason_or_another_is_named_too() -> None:
    told = cautions(f"{ROW}; D vpa: Zulu", "Move: Johnny to A; Attack: Zulu > Bao")  # Bao may be gone by then
    assert "Line 2, `Attack: Zulu > Bao`, will be skipped as things stand: the target is out of reach." in told


def test_a_line_for_a_card_that_may_be_drawn_counts_if_it_comes() -> None:
    assert "Line 2, `March: Johnny to C`, counts only if you draw its cards." in cautions(
        ROW, "Trade Doc for order; March: Johnny to C"
    )


def test_a_gamble_on_every_attack_is_called_one() -> None:
    assert "a gamble" in cautions(ROW, "Rocknroll all: always; Pass")
    assert "a gamble" not in cautions(ROW, "Rocknroll Johnny: Bao; Pass")


def test_what_hidden_cards_are_makes_no_difference_to_a_receipt() -> None:
    text = "Trade Doc for order; Trade Move for deck; Deploy Chili A; March: Johnny to C"
    told = set()
    for hidden in ("deck vpa: Chili, Zulu; hand vietnam: Mai", "deck vpa: Zulu, Chili; hand vietnam: Min"):
        state = placed(f"{ROW}; {hidden}")
        orders, view = reader.parse(Standpoint(GAME, state, "vpa"), text), GAME.view(state, "vpa")
        row = GAME.picture(GAME.forecast(state, "vpa", orders), view)
        told.add((GAME.paraphrase(view, "vpa", orders), GAME.cautions(view, "vpa", orders), row))
    assert len(told) == 1


def test_chances_are_told() -> None:
    state = placed("order: vietnam, vpa; A vietnam: Bao; A vpa: Johnny; hand vietnam: Attack")
    orders = reader.parse(Standpoint(GAME, state, "vietnam"), "Attack: Bao > Johnny")
    told = "Attack: Bao attacks Johnny (6, two dice: 31%)."
    assert GAME.paraphrase(GAME.view(state, "vietnam"), "vietnam", orders) == told


def test_a_card_in_hand_that_a_reroll_may_take_first_is_said_to_be_there() -> None:
    row = "order: vpa, vietnam; B vietnam: Bao; B vpa: Johnny; hand vpa: Attack, Napalm"
    told = cautions(row, "Reroll attack: 1 with Napalm; Attack: Johnny > Bao; If missed: Napalm: B")
    assert (
        "Line 2, `If missed: Napalm: B`, may be skipped:"
        " your standing orders may spend Napalm on a throw before it (Johnny)" in told
    )
    assert "draw its cards" not in told
    assert "may spend" not in cautions(row, "Attack: Johnny > Bao; If missed: Napalm: B")


def test_a_card_that_is_sold_is_not_said_to_be_given_for_the_next_throw() -> None:
    row = "set: expansion; A vpa: Zulu; A vietnam: Bao; hand vpa: Attack, Move; next: vpa"
    told = cautions(row, "Sell Move; Attack: Zulu > Bao; Move: Zulu to B")
    assert "may spend" not in told
    paying = cautions(row, "Pour attack: 1 sell Move; Attack: Zulu > Bao; Move: Zulu to B")
    assert (
        "Line 2, `Move: Zulu to B`, may be skipped: your standing orders may spend Move on a throw before it (Zulu)"
        in paying
    )


PAYING = "order: vpa, vietnam; A vietnam: Bao, Mai; A vpa: Johnny; hand vpa: Attack, All five, March; deck orders: Move"


def test_a_reroll_paid_with_orders_spares_the_cards_that_the_script_still_needs() -> None:
    text = "Reroll attack: 9 with orders; Attack: Johnny > Bao; If missed: All five: Johnny > Mai"
    told = cautions(PAYING, text)
    assert "Line 2" not in told
    state = placed(PAYING)
    orders, standing = reader.parse_all(Standpoint(GAME, state, "vpa"), text)
    chance = GivenChance([1, 2, 1])  # Johnny misses, again for March; then Mai
    ruling = GAME.resolve(state, {"vpa": GAME.joined(state, "vpa", orders, "; ".join(standing))}, chance)
    chance.finish()
    assert [event["card"] for event in ruling.events if event["type"] == "discard"] == ["March"]
    assert [event["card"] for event in ruling.events if event["type"] == "play"] == ["Attack", "All five"]


def test_a_unit_of_a_march_that_stands_nowhere_is_named_unless_a_line_deploys_it() -> None:
    row = "A vpa: Johnny; hand vpa: Doc, March; reserve vpa: Zulu"
    assert "Line 1: Zulu will be left out as things stand: the unit is not in a Point." in cautions(
        row, "March: Johnny, Zulu to B"
    )
    assert "left out" not in cautions(row, "Deploy Doc A; March: Johnny, Doc to B")


def test_who_makes_a_line_depend_on_a_throw_is_told_that_the_line_which_throws_may_be_skipped() -> None:
    row = "A vpa: Johnny, Zulu; A vietnam: Bao; hand vpa: Attack, Move"
    told = "If line 1 is skipped, line 2 looks at the throw before it, whatever that was for."
    assert told in cautions(row, "Attack: Johnny > Mai; If hit: Move: Zulu to B")
    assert told not in cautions(row, "Attack: Johnny > Bao; If hit: Move: Zulu to B")
