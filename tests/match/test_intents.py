"""What a letter wants in words of its own is offered for a `yes`, a question is answered, and chat is left alone."""

from collections import Counter

import pytest

from pbem import Sentence
from pbem.cli.demo import DemoDesk, letter_text
from pbem.games.values import Result
from pbem.i18n.languages import say_in
from pbem.match.effects import Ask
from pbem.match.receive import receive
from pbem.orders import reader
from pbem.orders.command import in_words
from pbem.orders.commands import COMMANDS, EXPLANATIONS, explanation, find_command
from support.cases import NOON, begun, letter, reasons, told
from support.correspondents import ALICE, BOB, Correspondents, finish
from support.each import each
from support.proposals import FRESH, labelled, proposed

MASTER = "operator@example.org"
_NOTHING = ("nothing", "remarks", "rules", "allowed", "writing")


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


@each(
    ("text", "command"),
    [
        ("I never got the report of turn 2, please send it again", "resend 2"),
        ("Bitte schick mir den Bericht von Runde 2 nochmal", "resend 2"),
        ("Пришлите ещё раз отчёт хода 2", "resend 2"),
        ("please send the report of the 2nd turn again", "resend 2"),
        ("please take back my orders for turn 6", "withdraw turn 6"),
        ("Please send me the record of oz-7", "record oz-7"),
        ("please, no calendar entries any more", "calendar off"),
    ],
)
def test_what_a_yes_would_do_keeps_what_the_line_names(text: str, command: str) -> None:
    asked = [effect.open_command.command for effect in receive(letter(text), NOON) if isinstance(effect, Ask)]
    assert [in_words(one) for one in asked] == [command]


@each(
    "text",
    [
        "I give up, this is hopeless. Well played Bob!",
        "Ich gebe auf, es hat keinen Sinn mehr.",
        "Сдаюсь, дальше нет смысла. Спасибо, Боб!",
        "ok, I surrender. Good game Bob!",
        "Hi Bob\nthat was it: I resign\nthanks for the game",
        "Bob, das war stark von dir! Ich gebe auf.",
    ],
)
def test_whoever_gives_up_is_asked_about_that_and_not_about_words_for_others(text: str) -> None:
    assert reasons(letter(text)) == ["really resign"]


@each("text", ["Do you give up, Bob?", "Bob, I will never give up!", "I give up on Mu", "Tell Bob he should give up"])
def test_words_about_giving_up_are_no_resignation(text: str) -> None:
    assert "really resign" not in reasons(letter(text))


@each("text", ["Danke für das Spiel!", "Thanks, that was fun", "Спасибо, было здорово!"])
def test_thanks_after_the_end_are_answered_kindly(text: str) -> None:
    over = begun(phase="finished", result=Result("red", Sentence("Blue resigns.")))
    sections = told(receive(letter(text, over), NOON))
    reasons_told = [(section.values.get("reason"), section.values.get("orders")) for section in sections]
    assert reasons_told in ([("over", False)], [("press offered", None)])


def test_orders_after_the_end_are_told_that_nothing_was_taken() -> None:
    over = begun(phase="finished", result=Result("red", Sentence("Blue resigns.")))
    [section] = told(receive(letter("3 A to M", over), NOON))
    assert (section.values["reason"], section.values["orders"]) == ("over", True)


@each("line", [*EXPLANATIONS, *(row.word for row in COMMANDS if row.complete)])
def test_each_command_that_is_offered_has_an_explanation_of_its_own(line: str) -> None:
    word, _, argument = line.partition(" ")
    command = find_command(word, argument)
    assert command
    about, effect = explanation(command)
    shared = [other for other in EXPLANATIONS if EXPLANATIONS[other] == effect and other != about]
    assert effect
    assert not shared
    assert effect not in [row.help for row in COMMANDS if ", " in row.usage and row.word != about]
    for language in ("de", "ru"):
        said = reader.read_words(say_in(language)(line)).commands
        assert line not in EXPLANATIONS or [one.word for one in said] == [command.word]


def fate(label: str, done: str) -> str:
    """Whether a letter was met rightly, wrongly, or not at all."""
    if label == "none":
        return "rightly" if done in _NOTHING or done.startswith("taken") else "wrongly"
    if done == label or (label == "pass" and done in ("taken Pass", "orders Pass")):
        return "rightly"
    return "not" if done in _NOTHING else "wrongly"


def test_most_of_120_fresh_letters_are_met_rightly_and_chat_is_left_alone() -> None:
    rows = [*labelled(FRESH)]
    done = proposed([text for _, _, text in rows])
    fates = Counter(
        ("chat" if row[1] == "none" else "wishes", fate(row[1], one)) for row, one in zip(rows, done, strict=True)
    )
    assert fates["wishes", "rightly"] >= 80
    assert fates["wishes", "wrongly"] <= 16
    assert fates["chat", "wrongly"] <= 4


CAN_I = {
    7: [
        "Can I bomb my own city?", "May I bombard one of my own cities?", "Can I bomb twice?",
        "Can I strike my own pieces with lightning?",
        "Am I allowed to bomb two areas?", "Kann ich meine eigene Stadt bombardieren?",
        "Wie viele Bomben darf ich pro Runde werfen?",
        "Можно ли бомбить свой город?", "Можно ли сбросить две бомбы?",
    ],
    3: [
        "Can I split my pieces?", "Can I move from M and W in the same turn?", "How do moves work?",
        "Can I move to two areas?",
        "Kann ich meine Steine aufteilen?", "Darf ich in zwei Gebiete ziehen?", "Можно ли разделить фишки?",
    ],
    5: [
        "How does combat work again?", "Can I move into a city that Bob holds?",
        "what happens if we both move to S with 2?",
        "Wie geht der Kampf?", "Was passiert, wenn wir beide nach S ziehen?", "Что будет, если мы оба пойдём в S?",
    ],
    1: ["Can I win next turn?", "how many turns are there?", "Kann ich bald gewinnen?", "сколько всего ходов?"],
    6: ["How many pieces do I lose if I win?", "Wie viele Steine verliere ich?", "Сколько фишек я потеряю?"],
    2: ["Can the new piece move at once?", "Darf der neue Stein gleich ziehen?", "Может ли новая фишка сразу ходить?"],
}  # fmt: skip


@pytest.mark.parametrize(("number", "text"), [(number, text) for number, texts in CAN_I.items() for text in texts])
def test_a_question_about_a_rule_gets_its_paragraph_with_its_number_and_no_more(people, number, text):
    answer = people.say(ALICE, text)
    assert f" {number}. " in answer
    assert "cannot be ordered" not in answer
    assert len(answer.split()) < 130


def test_no_is_said_only_where_every_name_is_known(people):
    assert "I do not know what" in people.say(ALICE, "Can I move 3 M to the harbour?")
    assert "There are 3 pieces in Mu (M), not 9." in people.say(ALICE, "Can I move 9 M to S?")


def test_both_things_that_one_verb_has_are_judged(people):
    assert "You can bombard one area a turn." in people.say(ALICE, "Can I bomb HC and VC?")


@pytest.mark.parametrize(
    "text",
    [
        "What happens if I play 3 A to M and he plays 2 H to S?",
        "what would happen if I played 3 A to M and he played 2 H to S?",
        "Was passiert, wenn ich 3 A nach M spiele und Bob 2 H nach S spielt?",
    ],
)
def test_what_would_happen_is_told_in_any_usual_wording(people, text):
    answer = people.say(ALICE, text)
    assert "Red 3 A to M Blue 2 H to S The result if nobody does anything else" in answer


def test_how_a_command_is_written_is_told_and_not_done(people):
    assert "Write `withdraw`" in people.say(ALICE, "Can I still change my orders?")
    assert "Write `vacation FROM to TO`" in people.say(ALICE, "How do I go on holiday?")
    assert "`resign`" in people.say(ALICE, "Can I resign?")
    assert people.match().phase == "running"


def test_words_to_the_opponent_are_offered_as_press(people):
    for text in ("tell Bob: nice move, I did not see that coming", "Bob, shall we both go for the middle?"):
        assert "Should this go to your opponent?" in people.say(ALICE, text)
        told = people.write(ALICE, "yes")
        assert text.removeprefix("tell Bob: ") in told[BOB][0]


def test_a_draw_is_accepted_and_declined_in_everyday_words(people):
    people.write(BOB, "draw")
    assert "our question about a draw offered to you" in people.say(ALICE, "I don't accept the draw, sorry")
    people.write(BOB, "draw")
    people.write(ALICE, "ok agreed")
    assert people.match().result is not None


def test_the_same_as_before_is_what_stands_or_what_was_played(people):
    people.write(ALICE, "1 A to AC")
    assert "stand as they are" in people.say(ALICE, "same as I wrote before")
    people.write(BOB, "Pass")
    assert "Your letter may contain orders:" in people.say(ALICE, "same as last turn")
    assert people.match().turn == 2


def test_who_disowns_orders_is_shown_what_was_read_and_the_game_master_hears_of_it(people):
    people.write(ALICE, "2 A to AC please")
    told = people.write(ALICE, "That's not what I ordered")
    assert "This is what you wrote" in told[ALICE][0]
    assert "2 A to AC please" in told[ALICE][0]
    assert "That's not what I ordered" in told[MASTER][0]


def test_what_nobody_understands_is_answered_in_a_few_lines_and_goes_to_a_person_with_a_yes(people):
    people.write(ALICE, "What about the thing at the corner?")
    text = letter_text(people.got[ALICE][-1]).partition("--------")[0]
    assert len(text.splitlines()) <= 20
    assert "Sunday" in text or "Tuesday" in text
    assert "What about the thing" in people.write(ALICE, "yes")[MASTER][0]


def test_beside_orders_that_stand_a_wish_is_offered(people):
    answer = people.say(ALICE, "2 A to AC\nI'll be away from 3 December to 10 December")
    assert "Your orders for turn 1 are in" in answer
    assert "Do you mean `vacation from 3 December to 10 December`?" in answer


def test_after_the_game_its_record_and_another_one_are_offered(people):
    finish(people)
    assert "Do you mean `rematch`?" in people.say(ALICE, "Good game! Another one?")
    assert "Do you mean `record`?" in people.say(ALICE, "can I have the replay?")


@pytest.mark.parametrize(
    "text", ["nothing from me this turn", "I do nothing this turn", "Ich bleibe stehen", "пропускаю ход"]
)
def test_to_pass_in_everyday_words_is_proposed_and_never_done(people, text):
    people.say(ALICE, text)
    assert "red" not in people.match().standing
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == "Pass"
