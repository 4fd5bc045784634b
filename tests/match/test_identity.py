"""Reply tokens: they open exactly one seat, and nothing else does."""

import re
from dataclasses import replace

import pytest

from pbem.match.identity import (
    Evidence,
    Holder,
    Player,
    Token,
    authenticate,
    find_tokens,
    hidden_number,
    hide_number,
    hide_tokens,
    make_token,
)

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
ALICE = Holder("red", Player(1, "Alice", "Alice@example.net"), "Alice", 1, frozenset({"alice@example.net"}))
BOB = Holder("blue", Player(2, "Bob", "bob@example.com"), "Bob", 1, frozenset({"bob@example.com"}))
HOLDERS = {(17, "red"): ALICE, (17, "blue"): BOB}
FROM_ALICE = (ALICE.player, "alice@example.net")
RED_6, RED_7, BLUE_7 = (
    make_token(KEY, 17, ALICE, 6),
    make_token(KEY, 17, ALICE, 7),
    make_token(KEY, 17, BOB, 7),
)


def judge(addressed=(), answered=(), sender=FROM_ALICE, trust="token", vouched=False):
    return authenticate(Evidence(addressed, answered, *sender, vouched), HOLDERS, KEY, trust)


def test_a_token_is_found_again_in_reply_address_and_message_id_in_any_case():
    texts = [f"pbem+{RED_7}@example.org", f"{RED_6}.report-5@EXAMPLE.org".upper(), f"{RED_7}@example.org"]
    assert find_tokens(texts) == [RED_7, RED_6]


def test_what_only_looks_like_a_token_is_none():
    assert find_tokens(["17-red-7-short@x", "17-red-7-" + "a" * 17, "x17-red-7-" + "a" * 16, "-", ""]) == []


def test_the_proof_depends_on_match_seat_turn_epoch_and_key():
    others = [
        make_token(KEY, 18, ALICE, 7),
        make_token(KEY, 17, BOB, 7),
        make_token(KEY, 17, ALICE, 8),
        make_token(KEY, 17, replace(ALICE, epoch=2), 7),
        make_token(OTHER_KEY, 17, ALICE, 7),
    ]
    assert len({RED_7.proof, *(token.proof for token in others)}) == 6
    assert len(RED_7.proof) == 16  # 80 bits in base32


def test_token_and_address_of_a_seat_leave_no_doubt():
    writer = judge([RED_7])
    assert (writer.token, writer.player, writer.failure) == (RED_7, ALICE.player, None)


def test_the_references_count_where_the_mailbox_drops_plus_addresses():
    assert judge([], [RED_7]).failure is None
    assert judge([RED_7], [RED_6]).token == RED_7


def test_a_proven_token_from_an_address_that_is_not_the_seats_is_in_doubt():
    assert judge([BLUE_7]).failure == "another address"
    assert judge([RED_7], sender=(None, "m@example.com")).failure == "another address"
    assert judge([RED_7], sender=(None, "")).failure == "no sender"


def test_tokens_of_two_seats_are_never_chosen_between():
    assert judge([RED_7], [BLUE_7]).failure == "two seats"
    assert judge([RED_7, BLUE_7]).failure == "two seats"


def test_without_a_proven_token_only_a_known_address_is_more_than_a_stranger():
    forged = Token(17, "red", 7, "a" * 16)
    assert judge([forged]).failure == "wrong token"
    assert judge().failure == "no token"
    assert judge([forged], sender=(None, "m@example.com")).failure == "stranger"
    assert judge([Token(99, "red", 1, "a" * 16)], sender=(None, "")).failure == "stranger"


def test_a_new_holder_makes_the_old_tokens_worthless():
    holders = {(17, "red"): replace(ALICE, epoch=2, oldest=2)}
    assert authenticate(Evidence([RED_7], [], *FROM_ALICE), holders, KEY).failure == "wrong token"


def test_a_token_of_turns_that_were_undone_still_says_who_but_no_turn():
    holders = {(17, "red"): replace(ALICE, epoch=2)}
    writer = authenticate(Evidence([RED_7], [], *FROM_ALICE), holders, KEY)
    assert (writer.failure, writer.token.turn) == (None, 0)


def test_a_desk_that_asks_for_signed_letters_takes_no_others():
    assert judge([RED_7], trust="signed").failure == "unsigned"
    assert judge([RED_7], trust="signed", vouched=True).failure is None
    assert judge([BLUE_7], trust="signed", vouched=True).failure == "another address"


@pytest.mark.parametrize("between", ["", "\n", "\n> ", " "])
def test_a_token_is_hidden_though_its_line_was_broken(between):
    text = f"gm+1-red-1-{between}BWCGIXUMPCXLBWXK@example.org, 1-1 and 2-red-3"
    assert hide_tokens(text) == "gm+...@example.org, 1-1 and 2-red-3"


def test_a_number_in_a_message_id_is_read_with_the_key_alone_and_tells_none_that_is_near():
    hidden = [hide_number(KEY, number) for number in (0, 1, 2, 255, 256, 999_999_999)]
    assert [hidden_number(KEY, text) for text in hidden] == [0, 1, 2, 255, 256, 999_999_999]
    assert [hidden_number(KEY, text) for text in ("1", "17")] == [1, 17]  # of letters from before they were hidden
    assert hidden_number(OTHER_KEY, hidden[1]) != 1
    assert len({text[1:5] for text in hidden}) == 6
    assert all(re.fullmatch("0[a-z2-7]{16}", text) for text in hidden)
