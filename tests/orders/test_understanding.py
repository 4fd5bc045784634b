"""Letters as people write them: what is in doubt is asked about, chat is not, and everyday sentences are read."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.ozymandia.everyday import lexicon
from pbem.orders import doubt, doubt_words, reader, understanding
from pbem.orders.command import Simple
from tools.understanding import CORPUS, Sample, fate, samples

GAME = find_game("ozymandia")
STATE = GAME.new({})
LETTERS = [
    sample
    for name in ("known.txt", "held_out.txt", "attacks.txt", "beside.txt", "everyday.txt")
    for sample in samples(CORPUS / name)
]


def read(text: str) -> reader.Reading:
    return reader.read(GAME, STATE, "red", text)


def of_kind(*kinds: str) -> Iterator[Sample]:
    return (sample for sample in LETTERS if sample.kind.startswith(kinds))


def test_the_corpus_is_large_and_half_of_it_is_in_doubt() -> None:
    doubtful = sum("doubt" in sample.kind for sample in LETTERS)
    assert len(LETTERS) >= 400
    assert 0.4 < doubtful / len(LETTERS) < 0.6


def test_nothing_in_doubt_is_played_or_proposed_or_overlooked() -> None:
    assert [one.text for one in of_kind("doubt", "yes doubt") if fate(one) != "asked"] == []


def test_no_clear_letter_is_played_as_something_else_or_answered_with_a_wrong_proposal() -> None:
    wrong = ("something else", "wrong proposal", "not seen")
    assert [one.text for one in of_kind("clear", "yes clear") if fate(one) in wrong] == []


def test_at_most_two_of_a_hundred_clear_letters_are_asked_about_for_their_chat() -> None:
    fates = Counter(fate(one) for one in of_kind("clear", "yes clear"))
    assert fates["asked"] <= 0.04 * fates.total()
    chat = Counter(fate(one) for one in of_kind("clear chat", "clear attack"))
    assert chat.total() >= 700
    assert chat["asked"] <= 0.02 * chat.total()


def test_most_everyday_sentences_are_played_at_once() -> None:
    fates = Counter(fate(one) for one in of_kind("clear plain"))
    assert fates["as meant"] >= 0.9 * fates.total()


@pytest.mark.parametrize("game", ["ozymandia", "rocknroll"])
def test_what_turns_orders_is_told_whatever_the_game(game: str) -> None:
    other = find_game(game)
    state = STATE if other is GAME else None
    judged = {"scratch that": "correction", "No worries!": None, "not final yet": "later", "?": "question"}
    if state is not None:
        assert {line: doubt.turned(other, state, line) for line in judged} == judged


def test_a_move_on_two_lines_is_asked_about_and_both_readings_are_offered() -> None:
    reading = read("1 A to M\n\n1 A to M")
    assert reading.orders is None
    assert [one.turn for one in reading.doubts] == ["twice"]
    assert set(reading.readings) == {"1 A to M", "2 A to M"}
    assert str(read("1 A to M, 1 A to M").orders) == "2 A to M"


def test_the_readings_of_a_letter_in_doubt_are_offered() -> None:
    assert read("1 A to AC\nscratch that\n2 A to AC").readings == ("1 A to AC", "2 A to AC", "3 A to AC")


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("3 A to M or 2 A to Z", ["3 A to M", "2 A to Z"]),
        ("3 A nach M\noder vielleicht 2 A nach Z?", ["3 A to M", "2 A to Z"]),
        ("3 A to M. Actually 2 A to Z", ["3 A to M", "2 A to Z"]),
        ("3 A to M. No, 2 A to Z", ["3 A to M", "2 A to Z"]),
        ("2 или 3 A в M", ["2 A to M", "3 A to M"]),
        ("2 A to AC or 3", ["2 A to AC", "3 A to AC"]),
        (
            "2 A to AC, Bomb EC or WC\n1 A to Z",
            ["2 A to AC, 1 A to Z; Bomb EC", "2 A to AC, 1 A to Z; Bomb WC", "Bomb WC"],
        ),
        ("if he moves, 3 A to M or 2 A to Z", []),
        ("Should I 3 A to M or 2 A to Z?", []),
        ("not 3 A to M but 2 A to Z", []),
        ("2 A to AC, no", []),
    ],
)
def test_where_one_thing_stands_in_the_place_of_another_both_are_offered(text: str, offered: list[str]) -> None:
    reading = read(text)
    assert reading.doubts
    assert (reading.orders, reading.proposal, list(reading.readings)) == (None, None, offered)


def test_what_a_proposal_leaves_out_is_named() -> None:
    reading = read("2 W to M, Bomb Q")
    assert (reading.proposal, reading.left_out) == ("2 W to M", ("Bomb Q",))
    assert read("3 A to M, 2 W to M, Bom EC").left_out == ()


@pytest.mark.parametrize("text", ["check 3 M to S", "Check 3 M to S!", "prüfe 3 M nach S", "check: 3 M to S"])
def test_check_needs_no_colon(text: str) -> None:
    reading = read(text)
    assert reading.commands == (Simple("check"),)
    assert str(reading.orders) == "3 M to S"


@pytest.mark.parametrize(
    "text", ["also bomb EC", "plus 1 W to M", "add: bomb SC", "and 1 W to M", "außerdem 1 W nach M"]
)
def test_a_letter_that_begins_with_also_adds(text: str) -> None:
    assert read(text).adds
    assert not read("3 A to M and bomb EC").adds


# --- the words


def _phrases(table: str) -> list[tuple[str, str]]:
    kinds = {kind for file in doubt_words.word_lists().values() for kind in file.get(table, {})}
    return [(kind, text) for kind in sorted(kinds) for text in doubt_words.phrases(table, kind)]


def test_nothing_that_is_harmless_has_a_word_that_always_turns() -> None:
    hard = (
        doubt_words.phrases("hard", "correction")
        + doubt_words.phrases("hard", "later")
        + doubt_words.phrases("hard", "other")
    )
    clashes = [
        (text, one)
        for kind, text in _phrases("chat")
        if kind == "harmless"
        for one in hard
        if f" {one} " in f" {text} " and text not in ALLOWED
    ]
    assert clashes == []


ALLOWED = {  # the hard word in them has another meaning there, in this phrase as a whole
    "abwarten und tee trinken", "ain't seen nothing yet", "as they say", "before i forget", "bis nachste woche",
    "could have been worse", "das letzte mal", "don't do anything i wouldn't", "don't get me wrong",
    "don't hear from me at christmas", "from monday to", "halt den mund", "halt dich fest", "halt die klappe",
    "halt die ohren", "halt die stellung", "halt durch", "haven't seen nothing yet", "hold on tight",
    "hold your breath", "hold your hats", "i should be in bed", "i was wrong about you", "i wish i were",
    "i wish you", "if i had a penny", "if you ask me", "if you know what i mean", "last week's match",
    "never mind the typos", "never wrong",
    "nicht die hellste", "nicht meine woche", "no good deed", "no joke", "no regrets",
    "not that bad", "not that i care", "not that it matters", "not that it will help", "offline from monday",
    "schickt mir doch mal ein foto", "should be ashamed", "should be asleep", "should be fun", "should be illegal",
    "should be in bed", "should be interesting", "should be working", "they say pride", "they say that",
    "this should be fun", "what a joke", "without music life would be a mistake", "you know what they say",
    "лучше бы спал", "лучше не бывает", "не все коту", "не мои день",
}  # fmt: skip


def test_no_filler_of_a_game_turns_orders() -> None:
    turning = {text for table in ("hard", "weak") for _, text in _phrases(table)}
    found, _ = lexicon()
    fillers = {" ".join(key) for key, word in found.items() if word.kind in ("filler", "and")}
    assert sorted(fillers & turning) == ["zuerst", "сначала"]  # of what comes first; they turn no explained sentence


def test_the_files_of_all_languages_have_the_same_tables() -> None:
    tables = [sorted(file) for file in doubt_words.word_lists().values()]
    english, *others = tables
    assert all(set(one) <= set(english) for one in others)


def test_lines_that_stand_in_the_orders_as_they_are_written_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[str] = []

    def read_text(*asked: Any) -> reader.Reading:
        alone.append(asked[-1])
        return reader.read_text(*asked)

    monkeypatch.setattr(understanding, "read_text", read_text)
    assert str(read("Hello,\n\n1. 2 A to M\n2. 2 w to m;\n3. Bomb EC.\n\nAnna").orders) == "2 A to M, 2 W to M; Bomb EC"
    assert alone == []
    assert [one.turn for one in read("2 A to M\n1 A to M").doubts] == ["twice", "twice"]
    assert alone
