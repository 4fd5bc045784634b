"""Letters that `re.IGNORECASE` takes for others: tables that are asked for what an expression matched have it."""

import re
import sys

import pytest

from pbem.games import GAMES, find_game
from pbem.games.chance import SECRET, SecretChance
from pbem.games.options import with_defaults
from pbem.games.spelling import caseless
from pbem.games.words import words_in
from pbem.i18n import words
from pbem.orders.commands import BLOCKS, COMMAND_WORDS
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.each import each

ALPHABET = "abcdefghijklmnopqrstuvwxyzäöüßабвгдеёжзийклмнопрстуфхцчшщъыьэюя"
ALIKE = {
    other: letter
    for other in re.findall(f"[{ALPHABET}]", "".join(map(chr, range(sys.maxunicode + 1))), re.I)
    for letter in ALPHABET
    if other not in (letter, letter.upper()) and re.fullmatch(letter, other, re.I)
}
"""Every character that an expression takes for a letter, which is not its capital."""


def lines(game) -> set[str]:
    """Lines that begin with each word of each table that is asked for what was matched."""
    folder = game.grammar.parent
    lookups = [one for said in words_in(folder, "lookups").values() for one in said]
    sides = [str(one) for one in game.called.values()]
    sides += [one for said in words_in(folder, "sides").values() for one in said]
    forms = [*words_in(folder, "forms")]
    return {
        *(f"{word}: hello\nend {word}" for word in BLOCKS),
        *(f"press: hello\nend {word}" for word in BLOCKS),
        *(f"{word} 1" for word in COMMAND_WORDS),
        *COMMAND_WORDS,
        *(f"{word} Bao?" for word in lookups),
        *(f"what if {side} Pass?" for side in sides),
        *(f"may {who} pass?" for who in (*sides, "I", "my opponent")),
        *(f"what if I {form} A to M?" for form in forms),
        "what if I 3 A to M?",
        "how many pieces does Vietnam have?",
        "Steine von A nach M ziehen?",
        *(f"{word}, 3 A to M" for word in words.words("around", "polite")),
        "with board five-cities",
        "check whether I may pass",
        "turn 5: pass",
    }


def test_there_are_such_letters():
    assert {"ı", "İ", "ſ", "\N{KELVIN SIGN}"} <= ALIKE.keys()


@each("other", ALIKE)
def test_what_an_expression_takes_for_a_letter_has_the_key_of_that_letter(other):
    assert caseless(other) == caseless(ALIKE[other])


@each("other", ALIKE)
def test_a_command_written_with_them_is_the_same_command(other):
    game = find_game("ozymandia")
    state = game.new({})
    for word in (word for word in COMMAND_WORDS if ALIKE[other] in word):
        written = word.replace(ALIKE[other], other)
        assert (
            read(Standpoint(game, state, "red"), written).commands
            == read(Standpoint(game, state, "red"), word).commands
        )


@pytest.mark.parametrize("name", GAMES)
def test_letters_with_characters_that_are_taken_for_others_are_read(name):
    game = find_game(name)
    state = game.new(with_defaults(game.title, game.options({}), {}), SecretChance(bytes(SECRET)))
    seat = next(iter(game.awaiting(state)))
    for line in sorted(lines(game)):
        for other, letter in ALIKE.items():
            if letter in line.lower():
                read(Standpoint(game, state, seat), line.lower().replace(letter, other))
