"""Letters that consult the game itself, with words of its own: `card 7`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from pbem import ENGLISH, Sentence
from pbem.cli.demo import DemoDesk
from pbem.games import find_game
from pbem.games.base import Paragraph
from pbem.games.capabilities import AnswersLookups, Lookup
from pbem.orders.reader import may_be_order, read
from pbem.orders.situation import Standpoint
from support.correspondents import ALICE, DAVE, Correspondents, come
from support.trial import Trial
from support.trials import add_trial, hand, told, trial_table


class Consulting(Trial, AnswersLookups):
    """The trial game, which can be asked who holds a card."""

    lookups: Mapping[str, Lookup] = MappingProxyType({"card": Lookup(Sentence("card 7"), Sentence("who holds a card"))})

    def look_up(self, view, word, name, *, say=ENGLISH):
        if not name.isdigit():
            return None
        holders = [seat for seat, cards in view["hands"].items() if int(name) in cards]
        found = say("{who} holds it.", who=say(self.called[holders[0]])) if holders else say("Nobody shows it.")
        return (Paragraph(say("Card {name}", name=name), found),)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoDesk]:
    add_trial(monkeypatch, Consulting())
    table = trial_table(tmp_path / "desk")
    yield table
    table.close()


def test_a_seat_is_told_what_it_may_see_and_no_more(table):
    card = hand(table, "amber")[0]
    assert "Amber holds it." in told(table, "amber", f"card {card}")["amber"][0]
    answer = told(table, "birch", f"card {card}")["birch"][0]
    assert f"Card {card} Nobody shows it." in answer
    assert "Amber holds it" not in answer


@pytest.mark.parametrize(
    "line", ["card 7", "Card 7?", "- card: 7", "please card 7", "Карта 7!", "card 7, please", "tr-1: card 7"]
)
def test_a_line_is_understood_however_it_is_written(table, line):
    assert "Card 7 " in told(table, "birch", line)["birch"][0]


def test_orders_beside_the_question_count_and_its_line_is_no_remark(table):
    card = max(hand(table, "amber"))
    answer = told(table, "amber", f"card {card}\nСтавлю {card}")["amber"][0]
    assert "Amber holds it." in answer
    assert f"Ставлю {card}" in answer
    assert "Taken as remarks" not in answer


def test_a_line_that_merely_begins_so_stays_a_remark(table):
    answer = told(table, "birch", "card players are fun")["birch"][0]
    assert "card players are fun" in answer
    assert "Nobody shows it" not in answer


def test_the_same_question_is_answered_once_and_a_flood_of_them_is_cut(table):
    answer = told(table, "birch", "card 7\ncard 7")["birch"][0]
    assert answer.count("Card 7 ") == 1
    answer = told(table, "birch", "\n".join(f"card {number}" for number in range(1, 30)))["birch"][0]
    assert "Card 20 " in answer
    assert "Card 21 " not in answer
    assert '"card 21"' in answer


def test_a_seat_that_does_not_prove_who_it_is_is_told_nothing_of_the_game(table):
    card = hand(table, "amber")[0]
    people = Correspondents(table)
    answers = people.write_anew(ALICE, f"card {card}")[ALICE]
    assert not any("holds it" in answer for answer in answers)


def test_an_observer_is_told_what_everybody_may_see(table):
    people, card = Correspondents(table), hand(table, "amber")[0]
    come(people, DAVE)
    people.write(DAVE, "observe tr-1")
    assert f"Card {card} (tr-1) Nobody shows it." in people.say(DAVE, f"card {card}")
    people.write(DAVE, "unobserve tr-1")
    assert not any("Nobody shows it." in answer for answer in people.write(DAVE, f"card {card}").get(DAVE, ()))


@pytest.mark.parametrize("line", ["trial: card 7", "card 7 of trial"])
def test_a_stranger_who_names_a_game_is_told_what_it_says_and_what_this_is(table, line):
    (answer,) = Correspondents(table).write_anew("zed@example.org", line)["zed@example.org"]
    assert "Card 7 (" in answer
    assert "a program that runs games by mail" in answer


def test_help_names_the_words(table):
    for topic in ("help", "help commands"):
        answer = told(table, "birch", topic)["birch"][0]
        assert "card 7 who holds a card" in answer


def test_a_game_without_such_words_takes_the_line_for_a_remark():
    game = find_game("ozymandia")
    reading = read(Standpoint(game, game.new({}, None), "red"), "card 7")
    assert reading.commands == ()
    assert reading.remarks == ("card 7",)


def test_such_a_line_is_no_part_of_a_signature(monkeypatch):
    add_trial(monkeypatch, Consulting())
    assert may_be_order("card 7")
    assert not may_be_order("Card players' club of the town of Springfield, room seven")
