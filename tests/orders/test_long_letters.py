"""Letters of 60 kB: what the readers of orders are given has a bound, whatever the letter says, and what is not read is
told."""

from collections import Counter

import pytest

from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.games.chance import any_chance
from pbem.match.receive import receive
from pbem.orders import classifier
from pbem.orders.command import CUT, Press, Simple
from pbem.orders.grammar import Grammar
from pbem.orders.reader import complete_orders, read, read_words
from pbem.orders.situation import AnyStandpoint, Standpoint
from support.cases import NOON, letter, told
from support.each import each

SIZE, READ, LINES = 60_000, 16_000, 250
"""Characters of a letter, and how many characters and lines of it are read."""

EXAMPLES = {
    "ozymandia": ("3 A to M", "move three from A to M"),
    "rocknroll": ("Attack: Johnny > Bao", "Johnny attacks Bao"),
    "ozz": ("Move ZOR GUA TIC: M1-M2", "Quadlings: 3 to Munchkins"),
}
WORST = "{} zzq. I wonder what you will do next"
KINDS = (
    *(WORST, "can I {}?"),
    *("{}", "{} zzq", "turn 3: {}", "turn 3: {} zzq", "next turn: {} zzq", "what if {}?", "if {}", "suppose {}"),
    *("not {}", "check {}", "({})", "> {}", "also {}", "{} then {}", "1. {}", "- {}", "*{}*", "yes {}", "{}!", '"{}"'),
)
JOINTS = {"lines": "\n", "sentences": ". "}


def standpoint(game: str) -> AnyStandpoint:
    found = find_game(game)
    return Standpoint(found, found.new({}, any_chance()), seats_of(found, {})[0])


def long_text(item: str, joint: str) -> str:
    """An item again and again, in lines as mail programs break them."""
    text = joint.join([item] * (SIZE // len(item + joint)))
    return text if "\n" in joint else "\n".join(text[at : at + 900] for at in range(0, SIZE, 900))


@pytest.fixture
def work(monkeypatch) -> Counter[str]:
    """What the costly readers were given: characters and parts of text to the grammar, and lines to the model."""
    done = Counter[str]()
    attempt, judge = Grammar.attempt, classifier.likelihood_by

    def counted(grammar, text, at, end):
        done.update(characters=end - at, parts=1)
        return attempt(grammar, text, at, end)

    def judged(weights, bias, text):
        done.update(judged=1)
        return judge(weights, bias, text)

    monkeypatch.setattr(Grammar, "attempt", counted)
    monkeypatch.setattr(classifier, "likelihood_by", judged)
    return done


def assert_bounded(work: Counter[str]) -> None:
    assert 0 < work["characters"] <= 10 * READ, work
    assert work["parts"] <= READ / 2, work
    assert work["judged"] <= 2 * LINES, work


@each("game", EXAMPLES)
def test_the_work_of_a_letter_does_not_grow_with_its_length(game, work):
    work.clear()
    reading = read(standpoint(game), long_text(WORST.format(EXAMPLES[game][0]), "\n"))
    assert_bounded(work)
    assert len(reading.remarks) > LINES


@pytest.mark.long
@pytest.mark.parametrize("game", EXAMPLES)
@each("kind", KINDS)
@each("joint", JOINTS.values(), ids=JOINTS)
def test_the_work_of_no_kind_of_letter_grows_with_its_length(game, kind, joint, work):
    for example in EXAMPLES[game]:
        work.clear()
        read(standpoint(game), long_text(kind.format(example, example), joint))
        assert_bounded(work)


def test_the_work_of_a_message_to_players_does_not_grow_with_its_length(work):
    complete_orders(standpoint("ozymandia"), long_text(WORST.format("3 A to M"), "\n"))
    assert_bounded(work)


def test_what_is_not_read_of_a_letter_is_told_beside_its_orders():
    lines = [f"The weather was fine on day {number}." for number in range(LINES)]
    effects = receive(letter("\n".join(("1 A to M", *lines, "2 A to W", "help"))), NOON)
    (receipt,) = (section for section in told(effects) if "remarks" in section.values)
    assert str(receipt.values["entry"].canonical) == "1 A to M"
    assert receipt.values["problems"] == (CUT,)
    assert receipt.values["remarks"][-3:] == (lines[-1], "2 A to W", "help")


def test_a_letter_of_as_many_lines_as_are_read_is_read_whole():
    words = read_words("\n\n".join(("hello",) * (LINES - 1) + ("help",)))
    assert words.unread == words.problems == ()
    assert len(words.commands) == 1


def test_a_line_is_read_whole_or_not_at_all():
    begun = "3 A to M, " * 300
    words = read_words(f"{begun}\n" * 5 + "1" * READ + "23 A to M")
    assert words.lines() == (begun.strip(),) * 5
    assert [len(line) for line in words.unread] == [READ + len("23 A to M")]


def test_messages_and_files_in_a_letter_count_for_nothing():
    words = read_words("press:\n" + "hello\n" * 900 + "end press\n" + "Pass\nstatus")
    assert words.commands == (Press("hello\n" * 899 + "hello"), Simple("status"))
    assert words.lines() == ("Pass",)
    assert words.unread == ()
