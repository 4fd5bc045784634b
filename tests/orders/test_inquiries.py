"""Questions in letters: which are understood in which words, what is chat, and which put orders in doubt."""

import pytest

from pbem.games import find_game
from pbem.games.chance import NO_CHANCE, SecretChance
from pbem.orders import inquiries
from pbem.orders.command import Inquiry, LetterText
from pbem.orders.inquiries import take
from pbem.orders.lines import Reading
from pbem.orders.reader import read
from pbem.orders.situation import AnyStandpoint, Standpoint
from support.each import each

OZYMANDIA = find_game("ozymandia")
START = OZYMANDIA.new({}, NO_CHANCE)


def asked(text: str) -> list[Inquiry]:
    """The questions that Red's letter asks at the start."""
    return [one for one in read(Standpoint(OZYMANDIA, START, "red"), text).commands if isinstance(one, Inquiry)]


@each(
    ("text", "kind", "names"),
    [
        ("who holds Mu?", "holds", ("M",)),
        ("Hello, who's in Mystery City at the moment?", "holds", ("MC",)),
        ("Is Amber City empty?", "holds", ("AC",)),
        ("How far is M from EC?", "far", ("M", "EC")),
        ("how many moves does it take to get from A to S", "far", ("A", "S")),
        ("Is M next to S?", "far", ("M", "S")),
        ("Where can I go from M?", "next to", ("M",)),
        ("How many bombs do I have left?", "has", ("red",)),
        ("How many pieces does Blue have?", "has", ("blue",)),
        ("What did he do last turn?", "last turn", ("blue",)),
        ("what did he do?", "last turn", ("blue",)),
        ("what has Blue done?", "last turn", ("blue",)),
        ("Was hat er gemacht?", "last turn", ("blue",)),
        ("Was hat er noch?", "has", ("blue",)),
        ("Что он сделал?", "last turn", ("blue",)),
        ("Did Blue already move?", "missing", ("blue",)),
        ("wieviele Bomben hab ich noch", "has", ("red",)),
        ("what did I write?", "mine", ()),
        ("what was my move?", "mine", ()),
        ("when is it played?", "deadline", ()),
        ("When do I get the report?", "deadline", ()),
        ("Wann kommt der Bericht?", "deadline", ()),
        ("Когда будет отчёт?", "deadline", ()),
        ("what happened last turn", "last turn", ()),
        ("When is the deadline, please?", "deadline", ()),
        ("By when do I have to send my orders?", "deadline", ()),
        ("Whose turn is it?", "missing", ()),
        ("Has my opponent moved yet?", "missing", ("blue",)),
        ("Did you get my orders?", "mine", ()),
        ("Who is winning?", "score", ()),
        ("Which turn is it?", "turn", ()),
        ("Wer hält Mu?", "holds", ("M",)),
        ("Wem gehoert Mystery City?", "holds", ("MC",)),
        ("Wie weit ist es von M nach EC?", "far", ("M", "EC")),
        ("Was hat er letzte Runde gemacht?", "last turn", ("blue",)),
        ("Bis wann muss ich ziehen?", "deadline", ()),
        ("Was sind meine Befehle?", "mine", ()),
        ("Кто держит Mu?", "holds", ("M",)),
        ("Далеко ли от M до EC?", "far", ("M", "EC")),
        ("Что он сделал в прошлый ход?", "last turn", ("blue",)),
        ("До какого числа можно присылать приказы?", "deadline", ()),
        ("Какие мои приказы действуют?", "mine", ()),
        ("Where can my pieces in A go?", "next to", ("A",)),
        ("Wohin können meine Steine in A gehen?", "next to", ("A",)),
        ("Куда могут пойти фишки из A?", "next to", ("A",)),
        ("Which cities are free?", "free", ()),
        ("Welche Städte sind noch frei?", "free", ()),
        ("Какие города свободны?", "free", ()),
        ("Who am I?", "who", ()),
        ("Who is my opponent?", "who", ()),
        ("Wer ist mein Gegner?", "who", ()),
        ("За кого я играю?", "who", ()),
    ],
)
def test_what_is_asked_in_usual_words_is_understood(text, kind, names):
    assert [(one.kind, one.names) for one in asked(text)] == [(kind, names)]


@each(
    ("text", "kind", "orders"),
    [
        ("Can I move 3 M to S?", "may", [("red", "move 3 M to S")]),
        ("Would 3 M to S be legal", "may", [("red", "3 M to S")]),
        ("Can I bomb EC and move 2 A to AC?", "may", [("red", "bomb EC and move 2 A to AC")]),
        ("Check if 3 M to S works", "may", [("red", "3 M to S")]),
        ("Prüfe, ob 3 M nach S geht", "may", [("red", "3 M nach S")]),
        ("проверьте, можно ли 3 M в S", "may", [("red", "3 M в S")]),
        ("Can Blue bomb A?", "may", [("blue", "bomb A")]),
        ("Darf ich 3 M nach S ziehen?", "may", [("red", "3 M nach S ziehen")]),
        ("Могу ли я пойти 3 M на S?", "may", [("red", "3 M на S")]),
        ("3 M to S\nIs that legal?", "may", [("red", "3 M to S")]),
        ("what happens if I 3 A to M", "what if", [("red", "3 A to M")]),
        ("What if I 3 A to M and Blue 2 H to S?", "what if", [("red", "3 A to M"), ("blue", "2 H to S")]),
        ("If I 3 A to M and he bombs A, what happens?", "what if", [("red", "3 A to M"), ("blue", "bomb A")]),
        ("What happens if I play this?\n3 A to M\n2 W to U", "what if", [("red", "3 A to M\n2 W to U")]),
        ("What happens if I play\n3 A to M\n?", "what if", [("red", "3 A to M")]),
        ("Was passiert, wenn Blau A bombardiert?", "what if", [("blue", "A bombardiert")]),
        ("Что будет, если я 3 A на M и Синий 2 H на S?", "what if", [("red", "3 A на M"), ("blue", "2 H на S")]),
    ],
)
def test_orders_in_a_question_are_only_asked_about(text, kind, orders):
    reading = read(Standpoint(OZYMANDIA, START, "red"), text)
    assert reading.orders is None
    assert not reading.mistakes
    assert not reading.remarks
    assert [(one.kind, [*one.orders]) for one in reading.commands] == [(kind, orders)]


@pytest.mark.parametrize(
    "text",
    [
        "Can I play you next week?",
        "Has anybody seen my dog?",
        "What if it rains?",
        "Who holds the record in chess?",
        "How far is it from Berlin to Munich?",
        "Can I resign?",
        "How does she do it?",
        "What is the weather like?",
    ],
)
def test_what_names_nothing_of_the_game_is_no_question_to_it(text):
    assert asked(text) == []


def test_several_questions_in_a_letter_are_told_apart_from_the_words_between():
    text = "Hi! Who holds Mu? And how far is M from EC? Thanks!\nWhen is the deadline?"
    assert [one.kind for one in asked(text)] == ["holds", "far", "deadline"]


@pytest.mark.parametrize("question", ["Can I move 9 M to S?", "Who holds Mu?", "What happens if he bombs M?"])
def test_a_question_about_what_the_orders_are_about_puts_them_in_doubt(question):
    reading = read(Standpoint(OZYMANDIA, START, "red"), f"3 A to M\n{question}")
    assert reading.orders is None
    assert [one.turn for one in reading.doubts] == ["turned"]
    assert reading.readings == ("3 A to M",)


@pytest.mark.parametrize("question", ["When is the deadline?", "Who holds Elysia?", "What did he do last turn?"])
def test_any_other_question_lets_them_pass(question):
    assert str(read(Standpoint(OZYMANDIA, START, "red"), f"3 A to M\n{question}").orders) == "3 A to M"


def test_a_question_beside_yes_puts_it_in_doubt():
    reading = read(Standpoint(OZYMANDIA, START, "red"), "yes\nWho holds Mu?")
    assert [one.turn for one in reading.doubts] == ["beside yes"]


def test_of_a_game_that_hides_things_nobody_can_try_what_another_seat_may_order():
    game = find_game("rocknroll")
    state = game.new({}, SecretChance(bytes(32)))
    seat = next(iter(game.awaiting(state)))
    assert not read(Standpoint(game, state, seat), "Can Vietnam pass? Can VPA pass?").commands[1:]


def test_a_long_letter_of_questions_is_read_in_no_time_and_answered_in_part():
    text = "\n".join(f"who holds {code}?" for code in ("A", "M", "W", "V", "H", "E", "S", "U", "Z", "AC", "MC", "WC"))
    assert len(asked(text)) == 10


@pytest.mark.parametrize(
    "text",
    [
        "what happens if " * 4_000,
        "what happens if I play this?\n" * 1_000,
        "What happens if I play this?\n\n2 A to M\n" * 300,
        "can I 9 A to M and " * 3_000,
        "А " * 30_000,
    ],
)
def test_however_much_a_letter_asks_few_of_its_words_are_read_as_orders(text):
    read_for_it = list[str]()

    def reads(standpoint: AnyStandpoint, orders: str) -> Reading:
        read_for_it.append(orders)
        return Reading()

    take(Standpoint(OZYMANDIA, START, "red"), LetterText(rest=text), reads)
    assert len(read_for_it) <= 200
    assert sum(map(len, read_for_it)) <= 20_000 + len(max(read_for_it, key=len, default=""))


@each(
    ("text", "kind"),
    [
        ("May I bomb twice?", "allowed"),
        ("Darf ich meine eigene Stadt bombardieren?", "allowed"),
        ("Можно ли бомбить дважды?", "allowed"),
        ("What happens if two pieces meet?", "rules"),
        ("Wie funktioniert ein Bombardement", "rules"),
        ("Что будет, если две фишки встретятся?", "rules"),
        ("how do I bomb?", "writing"),
        ("Wie schreibe ich einen Befehl?", "writing"),
        ("Как отдать приказ?", "writing"),
        ("Как атаковать?", "writing"),
    ],
)
def test_questions_about_the_rules_are_answered_with_them_and_orders_beside_them_stand(text, kind):
    assert [(one.kind, one.text) for one in asked(text)] == [(kind, text)]
    assert read(Standpoint(OZYMANDIA, START, "red"), f"3 A to M\n{text}").orders is not None


@pytest.mark.parametrize("text", ["Can 3 A go to M?", "Может быть, 3 A to M", "Must bomb EC"])
def test_what_has_orders_is_no_question_about_the_rules(text):
    assert not any(one.kind in ("rules", "allowed", "writing") for one in asked(text))


def test_few_ways_to_join_questions_are_tried_however_often_a_line_begins_one(monkeypatch):
    tried = []
    question = inquiries._Finder._question
    monkeypatch.setattr(inquiries._Finder, "_question", lambda self, text: tried.append(text) or question(self, text))
    asked("what happens if " * 30)
    assert 0 < len(tried) <= 20
