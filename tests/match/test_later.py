"""Orders for later turns: kept, told, read again when their turn begins, and asked back if they cannot be then."""

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.games.chance import SecretChance
from pbem.match import later
from pbem.match.identity import Holder, Player
from pbem.match.model import LaterOrders, Master, Match
from pbem.orders.reader import parse
from pbem.orders.situation import Standpoint
from support.correspondents import ALICE, BOB, CAROL, Correspondents, sure
from support.desks import NOON
from support.game_masters import GINA, in_league, say


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def play(people: Correspondents) -> dict[str, list[str]]:
    """Both pass this turn; what they are sent then."""
    people.write(ALICE, "Pass")
    return people.write(BOB, "Pass")


def test_orders_for_later_are_kept_told_in_each_receipt_and_seen_by_nobody_else(people):
    told = people.write(ALICE, "2 A to AC\nnext turn: 1 AC to A")
    assert "Your orders for turn 2 are kept until it begins: 1 AC to A" in told[ALICE][0]
    assert "Your orders for turn 1 are in: receipt 1-1. 2 A to AC" in told[ALICE][0]
    assert "Kept for turn 2: 1 AC to A" in people.say(ALICE, "1 A to AC")
    people.write(ALICE, "withdraw")
    assert "Kept for turn 2: 1 AC to A" in people.say(ALICE, "What are my orders?")
    assert "Kept for turn 2: 1 AC to A" in people.say(ALICE, "Hm.")
    assert not any("1 AC to A" in letter_text(letter) for letter in people.got[BOB])


def test_when_their_turn_begins_they_count_and_the_report_says_so(people):
    people.write(ALICE, "2 A to AC\nnext turn: 1 AC to A")
    told = people.write(BOB, "Pass")
    assert "The orders you kept for turn 2 count now; to change them, send new ones." in told[ALICE][0]
    assert "Your orders for turn 2 are in (receipt 2-1): 1 AC to A" in told[ALICE][0]
    assert people.match().standing["red"].canonical == "1 AC to A"
    assert "red" not in people.match().later
    assert "Red, Alice 1 AC to A" in people.write(BOB, "Pass")[BOB][-1]


def test_what_cannot_be_then_is_asked_back_with_a_proposal_for_yes(people):
    people.write(ALICE, "Pass\nturn 2: 9 M to S")
    told = people.write(BOB, "Pass")
    assert "The orders you kept for turn 2 do not count" in told[ALICE][0]
    assert "There are 3 pieces in Mu (M), not 9." in told[ALICE][0]
    assert not people.match().standing


def test_a_warning_about_them_is_told_in_each_receipt(people):
    warning = "As things stand, they cannot be carried out. There are 3 pieces in Atlantea (A), not 9."
    assert warning in people.say(ALICE, "next turn: 9 A to M")
    assert f"Kept for turn 2: 9 A to M {warning}" in people.say(ALICE, "3 M to S")
    assert warning not in people.say(ALICE, "next turn: 2 A to M")
    assert "cannot be carried out" not in people.say(ALICE, "2 M to S")


def test_what_was_not_read_of_them_is_told_at_once_and_when_their_turn_begins(people):
    kept = people.say(ALICE, "turn 2:\n3 M to S\nwatch out for bears")
    assert 'Taken as remarks, not as orders: "watch out for bears"' in kept
    report = play(people)[ALICE][0]
    assert "The orders you kept for turn 2 count now" in report
    assert 'Taken as remarks, not as orders: "watch out for bears"' in report


def test_a_new_letter_replaces_what_is_kept_for_the_same_turn_and_withdraw_takes_it_back(people):
    people.write(ALICE, "turn 3: 1 A to M")
    people.write(ALICE, "turn 3: 2 A to M\nturn 4: 1 W to M")
    assert [(one.turn, one.written) for one in people.match().later["red"]] == [(3, "2 A to M"), (4, "1 W to M")]
    assert "These later orders are withdrawn: Turn 3: 2 A to M" in people.say(ALICE, "withdraw turn 3")
    assert "no orders are kept for turn 3" in people.say(ALICE, "withdraw turn 3")
    people.write(ALICE, "zurückziehen Runde 4")
    assert "red" not in people.match().later


def test_with_orders_that_cannot_be_nothing_is_kept_for_later_either(people):
    people.write(ALICE, "9 A to AC\nnext turn: 1 AC to A")
    assert "red" not in people.match().later


def test_what_is_only_checked_is_not_kept(people):
    assert "You wrote `check:`, so nothing is kept for turn 2." in people.say(
        ALICE, "check: 2 A to AC\nnext turn: 1 A to M"
    )
    assert "red" not in people.match().later


def test_a_seat_handed_over_comes_without_them(people):
    people.write(ALICE, "turn 3: 1 A to M")
    sure(people, ALICE, f"hand over to {CAROL}")
    people.write(CAROL, "accept")
    assert "red" not in people.match().later


def test_a_game_taken_back_drops_them_and_says_so(people):
    play(people)
    people.write(ALICE, "turn 4: 1 A to M")
    in_league(people.table, Master("Gina", GINA.address))
    say(people.table, "rollback oz-1 1 because of an error")
    assert "red" not in people.match().later
    (told,) = people.poll()[ALICE]
    assert "The orders and wishes you kept for later turns are cancelled, too." in told


def test_a_turn_that_is_somebody_elses_has_them_wait_for_the_next_one_of_the_seat():
    game = find_game("rocknroll")
    state = game.new({}, SecretChance(bytes(32)))
    holders = {seat: Holder(seat, Player(1, "", ""), "", 1, frozenset()) for seat in seats_of(game, {})}
    (idle,) = set(holders) - game.awaiting(state)
    match = Match(1, "rnr-1", game, state, 5, holders, later={idle: (LaterOrders(5, 1, "Pass", ""),)})
    begun = later.begin(match, NOON)
    assert begun.match.later[idle] == (LaterOrders(6, 1, "Pass", ""),)
    assert not begun.effects
    assert not begun.news


def test_what_a_receipt_would_warn_of_is_told_when_their_turn_begins():
    game = find_game("rocknroll")
    state = game.new({}, SecretChance(bytes(32)))
    holders = {seat: Holder(seat, Player(1, "", ""), "", 1, frozenset()) for seat in seats_of(game, {})}
    seat, *_ = game.awaiting(state)
    text = "March: Johnny to C"
    match = Match(1, "rnr-1", game, state, 5, holders, later={seat: (LaterOrders(5, 1, text, ""),)})
    (section,) = later.begin(match, NOON).news[seat]
    orders = parse(Standpoint(game, state, seat), text)
    assert section.values["cautions"]() == game.cautions(game.view(state, match.reader(seat)), seat, orders)
