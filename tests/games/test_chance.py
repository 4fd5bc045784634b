"""Chance: what a secret answers is settled beforehand, fair, and can be worked out again by anybody."""

from collections import Counter

import pytest

from pbem.games.chance import (
    ChanceError,
    GivenChance,
    SecretChance,
    commitment,
    deck_seed,
    set_up_chance,
    shuffled,
    turn_chance,
    turn_secret,
)

ZEROS, ONES = bytes(32), bytes([1]) * 32
NOTHING, ONE = ZEROS.hex(), ONES.hex()


@pytest.mark.parametrize(
    ("secret", "sixes", "tens"),
    [
        (ZEROS, "6 2 4 1 6 5 6 5 3 6 5 3 6 4 6 3", "5 7 3 1 8 10 4 8 2 4"),
        (ONES, "6 6 5 3 6 6 6 3 6 6 1 1 3 3 2 5", "4 5 6 6 4 2 10 4 4 3"),
    ],
)
def test_dice_follow_from_the_secret(secret, sixes, tens):
    chance = SecretChance(secret)
    assert [chance.die(6) for _ in range(16)] == [*map(int, sixes.split())]
    assert [chance.die(10) for _ in range(10)] == [*map(int, tens.split())]


@pytest.mark.parametrize(("secret", "order"), [(ZEROS, "HECFJGBDAI"), (ONES, "BIGCEJDFHA")])
def test_a_shuffle_follows_from_the_secret_and_not_from_dice_thrown_before(secret, order):
    chance = SecretChance(secret)
    chance.die(6)
    assert "".join(shuffled("ABCDEFGHIJ", chance)) == order


def test_the_hash_that_is_told_is_that_of_the_bytes():
    assert commitment(NOTHING) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_picks_of_a_turn_come_from_its_secret_and_that_of_the_match_and_dice_from_its_own():
    def asked(turn: str, match: str) -> tuple[list[int], list[int]]:
        chance = turn_chance(turn, match)
        return [chance.die(200) for _ in range(9)], [chance.pick(200) for _ in range(9)]

    dice, picks = asked(NOTHING, ONE)
    assert asked(NOTHING, NOTHING)[0] == dice != asked(ONE, ONE)[0]
    assert len({tuple(picks), *(tuple(asked(*secrets)[1]) for secrets in ((NOTHING, NOTHING), (ONE, ONE)))}) == 3
    of_deck = SecretChance(deck_seed(ONE, NOTHING))
    assert [of_deck.pick(200) for _ in range(9)] == picks


def test_the_set_up_comes_from_a_secret_that_follows_from_that_of_the_match():
    assert set_up_chance(ONE).pick(200) == SecretChance(bytes.fromhex(turn_secret(ONE, 0))).pick(200)


def test_every_number_is_as_likely_as_any_other():
    chance = SecretChance(ONES)
    counts = Counter(chance.die(6) for _ in range(60_000))
    assert all(abs(counts[side] - 10_000) < 400 for side in range(1, 7))


def test_a_question_with_one_answer_takes_nothing():
    chance = SecretChance(ZEROS)
    assert [chance.die(1), chance.die(6)] == [1, 6]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([], "There are only 0 values, fewer than are needed."),
        ([7], "Value 1 must be from 1 to 6, not 7."),
        ([0], "Value 1 must be from 1 to 6, not 0."),
        ([True], "Value 1 must be from 1 to 6, not True."),
        ([3, 4], "Values left over: 1."),
    ],
)
def test_given_values_that_do_not_fit_are_refused(values, sentence):
    def ask(chance: GivenChance) -> None:
        chance.die(6)
        chance.finish()

    with pytest.raises(ChanceError) as error:
        ask(GivenChance(values))
    assert str(error.value) == sentence
