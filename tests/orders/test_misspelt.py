"""A command word with a slip of the keyboard is offered as that command, and as nothing else."""

from collections.abc import Iterator
from typing import Any

from pbem.match.effects import Ask, Effect, Propose
from pbem.match.obey import command_of
from pbem.match.receive import receive
from pbem.orders.commands import COMMAND_WORDS, COMMANDS, rows_named
from pbem.orders.intents import find_intent
from pbem.orders.misspelt import similar_usage
from support.cases import NOON, begun, letter, reasons
from support.each import each


def _slips(word: str) -> Iterator[str]:
    """A word with each of its letters left out, doubled or exchanged for the next one."""
    for at, char in enumerate(word):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + char + word[at:]
        yield word[:at] + word[at + 1 : at + 2] + char + word[at + 2 :]


def _offered(text: str) -> str:
    """The word of the command that a line is offered as, or that its writer is told how to use; "" for none."""
    intent = find_intent([text], ["Bob"], begun().situation)
    command = command_of(intent) if intent and not intent.how else None
    return command.word if command else intent.name.removeprefix("how ") if intent else ""


def _asked(effects: list[Effect]) -> list[Any]:
    """What waits for a `yes` after a letter: commands, and orders."""
    asked = [effect.open_command.command for effect in effects if isinstance(effect, Ask)]
    return [*asked, *(effect.canonical for effect in effects if isinstance(effect, Propose))]


@each("word", sorted(COMMAND_WORDS))
def test_each_slip_in_a_command_word_is_offered_as_that_command_or_as_nothing(word: str) -> None:
    own = {row.word for row in rows_named(word)}
    offered = {slip: _offered(slip) for slip in _slips(word) if slip not in COMMAND_WORDS}
    assert {slip: other for slip, other in offered.items() if other and other.split()[0] not in own} == {}


@each("word", sorted({row.word for row in COMMANDS if row.complete and len(row.word) > 4}))
def test_a_command_with_two_swapped_letters_is_offered(word: str) -> None:
    slip = word[:2] + word[3] + word[2] + word[4:]
    if slip not in COMMAND_WORDS and word[2] != word[3]:
        assert _offered(slip).split()[0] == word


@each("game", ["ozymandia", "rocknroll", "ozz"])
@each(
    ("text", "command"),
    [
        ("statsu", "status"),
        ("hstory", "history"),
        ("calnedar", "calendar"),
        ("calender off", "calendar off"),
        ("vaction none", "vacation none"),
        ("recrod", "record"),
        ("rematsh", "join"),  # the game is not over
        ("standigns", "standings"),
        ("withdrwa", "withdraw"),
        ("Urlab 3.12. bis 7.12.", "vacation 3.12. bis 7.12"),
        ("истроия", "history"),
        ("отпсук нет", "vacation none"),
        ("please hstory", "history"),
    ],
)
def test_a_misspelt_command_is_offered_with_its_argument_in_each_game(game: str, text: str, command: str) -> None:
    match = begun(game)
    asked = _asked(receive(letter(text, match, match.missing()[0]), NOON))
    assert [f"{one.word} {one.argument}".strip() for one in asked] == [command]


@each("game", ["ozymandia", "rocknroll", "ozz"])
@each("text", ["hxtory", "blorp", "asdfgh", "Grmpf!", "zzwithzz", "фывапр", "stutsa", "clanedra"])
def test_nothing_is_asked_about_a_word_that_nobody_knows(game: str, text: str) -> None:
    match = begun(game)
    assert _asked(receive(letter(text, match, match.missing()[0]), NOON)) == []


def test_a_misspelt_command_beside_orders_is_offered_and_the_orders_stand() -> None:
    case = letter("3 A to M\nwiat")
    effects = receive(case, NOON)
    assert reasons(case) == ["receipt", "nearly", "seals"]
    assert [command.word for command in _asked(effects)] == ["wait"]


@each("text", ["withdrwa", "chekc", "resgin"])
def test_a_misspelt_command_that_may_take_orders_back_holds_them(text: str) -> None:
    assert reasons(letter(f"3 A to M\n{text}")) == ["doubt"]


@each("text", ["3 A to M\nJoan", "3 A to M\n\nThanks\nTill", "Leaves one in A", "checks 3 A to M"])
def test_names_and_orders_are_no_misspelt_commands(text: str) -> None:
    assert not [one for one in _asked(receive(letter(text), NOON)) if not isinstance(one, str)]


def test_a_misspelt_press_is_told_how_press_is_written() -> None:
    assert reasons(letter("pres"))[0] == "usage"
    assert similar_usage("pres: hello there") == "press: ..."
