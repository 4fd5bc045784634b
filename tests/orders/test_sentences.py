"""Commands in everyday words: what is certain is done, what is nearly one is offered, and nothing else comes of it."""

from collections import Counter

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.obey import command_of
from pbem.orders.command import Command, Simple
from pbem.orders.intents import find_intent
from pbem.orders.reader import read_words
from support.correspondents import ALICE, Correspondents
from support.each import each
from tools.understanding import CORPUS

WORDINGS = [
    tuple(part.strip() for part in line.split("|"))
    for line in (CORPUS / "commands.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def called(command: Command) -> str:
    """A command as the corpus names it."""
    return f"{command.word} {command.argument}".strip() if command.word == "help" else command.word


def nearly(lines: list[str]) -> Command | None:
    """The command that is offered for a letter, at least "gm" for what is for a person."""
    intent = find_intent(lines)
    return command_of(intent) if intent else None


def fate(meant: str, text: str) -> str:
    """What becomes of a line: done, offered, nothing, or something else than was meant."""
    if done := read_words(text).commands:
        return "done" if [called(one) for one in done] == [meant] else "something else"
    offered = nearly([text])
    return "nothing" if offered is None else "offered" if called(offered) == meant else "something else"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


@pytest.mark.parametrize(
    ("text", "word"),
    [("please status", "status"), ("Bitte weniger Briefe", "fewer letters"), ("пожалуйста, статус", "status")],
)
def test_a_polite_word_may_stand_before_a_command_as_behind_it(text: str, word: str) -> None:
    assert [one.word for one in read_words(f"{text}\n3 A to M").commands] == [word]


def test_a_hundred_everyday_wordings_are_done_or_offered_and_none_is_taken_for_another():
    fates = Counter(fate(*wording) for wording in WORDINGS)
    assert fates["something else"] == 0
    assert fates["done"] + fates["offered"] >= 0.95 * len(WORDINGS) >= 95


@pytest.mark.parametrize(
    "text",
    [
        "I will not resign",
        "Never give up",
        "What a nice game",
        "Das war ein schöner Zug",
        "Do you play chess too?",
        "I do not want to withdraw my orders",
        "Ich gebe nicht auf",
        "Я не сдаюсь",
    ],
)
def test_chat_and_what_shall_not_be_is_not_offered(text):
    assert not read_words(text).commands
    assert nearly([text]) is None


def test_beside_other_words_it_is_offered_too():
    assert nearly(["I resign, I think", "What a lovely day it is here in Berlin"]) == Simple("resign")
    assert nearly(["Hi!", "cancle my ordres", "Thanks"]) is not None


def test_what_is_nearly_a_command_is_done_after_a_yes(people):
    people.write(ALICE, "2 A to AC")
    answer = people.say(ALICE, "cancle my ordres")
    assert 'Do you mean `withdraw`? You wrote: "cancle my ordres".' in answer
    assert people.match().standing
    people.write(ALICE, "yes")
    assert not people.match().standing


def test_a_wish_for_more_time_goes_to_the_game_master_after_a_yes(people):
    answer = people.say(ALICE, "Please give me more time")
    assert "Should your words go to the game master, operator@example.org?" in answer
    assert 'You wrote: "Please give me more time".' in answer
    told = people.write(ALICE, "yes")
    assert any("Please give me more time" in letter for letters in told.values() for letter in letters)


@each(
    ("text", "command"),
    [
        ("away until Friday", "vacation until Friday"),
        ("I'm on holiday from 24 December to 6 January", "vacation from 24 December to 6 January"),
        ("My vacation: 24.12. - 6.1.", "vacation 24.12. - 6.1"),
        ("Ich bin vom 24. Dezember bis 6. Januar im Urlaub", "vacation vom 24. Dezember bis 6. Januar"),
        ("I am not available until Friday", "vacation until Friday"),
        ("bin bis Freitag verreist", "vacation bis Freitag"),
        ("Я в отпуске с 24 декабря по 6 января", "vacation с 24 декабря по 6 января"),
        ("меня не будет до пятницы", "vacation до пятницы"),
        ("Can we switch to German?", "language German"),
        ("Kannst du mir lieber auf Englisch schreiben?", "language Englisch"),
        ("Можно перейти на немецкий?", "language немецкий"),
        ("daily digest at 7.30 pm please", "digest daily at 7.30 pm"),
        ("bitte ein Sammelbrief um 19 Uhr", "digest daily at 19 Uhr"),
        ("сводка один раз в 7 вечера", "digest daily at 7 вечера"),
        ("digest at 25:00", "digest daily"),
    ],
)
def test_what_a_line_says_of_its_own_stands_in_the_command_that_is_offered(text, command):
    assert not read_words(text).commands
    offered = nearly([text])
    assert offered is not None
    assert f"{offered.word} {offered.argument}" == command


@pytest.mark.parametrize("text", ["I am away next week", "bin nächste Woche weg", "уезжаю на неделю"])
def test_a_vacation_without_dates_is_asked_for_them(people, text):
    assert "as in `vacation 3 May to" in " ".join(people.say(ALICE, text).split())


def test_a_vacation_in_ordinary_words_is_one_after_a_yes(people):
    answer = people.say(ALICE, "I'm on holiday from 24 December to 6 January.")
    assert "Do you mean `vacation from 24 December to 6 January`?" in answer
    assert "Taken as remarks" not in answer
    assert "24 December 2026 to Wednesday 6 January 2027" in people.write(ALICE, "yes")[ALICE][0]


@each(
    ("text", "word", "argument"),
    [
        ("map", "status", ""),
        ("status?", "status", ""),
        ("Standings", "standings", ""),
        ("Wo stehe ich?", "status", ""),
        ("Zeig mir die Karte", "status", ""),
        ("Покажите карту", "status", ""),
        ("last turn", "resend", ""),
        ("letzte Runde", "resend", ""),
        ("последний ход", "resend", ""),
        ("German please", "language", "german"),
        ("auf Deutsch, bitte", "language", "german"),
        ("по-русски, пожалуйста", "language", "russian"),
        ("please pause the game", "pause", ""),
        ("Lass uns pausieren!", "pause", ""),
        ("Don't play the turn yet!", "wait", ""),
        ("Spielt die Runde noch nicht", "wait", ""),
        ("digest daily at 7.30 pm", "digest", "daily at 7.30 pm"),
    ],
)
def test_what_is_certain_is_done_at_once(text, word, argument):
    (command,) = read_words(text).commands
    assert (command.word, command.argument) == (word, argument)


@pytest.mark.parametrize(
    "text",
    [
        "👍",
        "👍🏻",
        "✔️ 👍",
        "yes please, thank you very much",
        "Ja bitte, vielen Dank!",
        "да, спасибо большое",
        "Yes, thanks Bob",
        "exactly",
    ],
)
def test_a_thumbs_up_and_a_yes_with_thanks_agree(text):
    assert read_words(text).commands == (Simple("yes"),)


@pytest.mark.parametrize(
    "text", ["👎", "yes, but not yet", "Yes! Great game by the way", "👍 3 A to M", "yes, or no", "Deutsch", "🙂"]
)
def test_other_signs_and_other_words_beside_a_yes_do_not(text):
    assert not read_words(text).commands


def test_a_thumbs_up_below_orders_is_no_yes():
    assert not read_words("3 A to M\n👍").commands


def test_what_is_nearly_a_resignation_is_asked_as_one(people):
    assert "Do you really want to resign oz-1?" in people.say(ALICE, "I think I resign")
    assert people.match().phase == "running"


def test_what_shows_something_is_shown_after_a_yes_and_help_at_once(people):
    assert "Do you mean `status`?" in people.say(ALICE, "show me my games")
    assert "Your games oz-1 Ozymandia" in people.say(ALICE, "yes")
    assert "Do you mean" not in people.say(ALICE, "I need help")


def test_a_wish_to_be_forgotten_is_refused_at_once_while_its_writer_plays(people):
    told = people.say(ALICE, "please delete my data")
    assert "Nothing has been removed: you are still playing oz-1" in told
    assert "Answer `yes`" not in told
