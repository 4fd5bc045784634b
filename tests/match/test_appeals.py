"""Appeals in leagues: players ask a second instance about what a game master has decided."""

import json
import re
from datetime import timedelta

import pytest

from pbem.cli.demo import ALICE, BOB, DemoDesk, letter_text
from pbem.config.config import Address
from pbem.leagues.league_file import LeagueFileError, parse_league
from pbem.match.effects import Forget
from pbem.match.identity import Player
from pbem.match.model import Master
from pbem.orders.command import Asking, Decision
from pbem.orders.reader import read_words
from pbem.store.forgetting import forget
from support.commands import pbem
from support.correspondents import Correspondents
from support.game_masters import in_league, say, to, written

GRETA = Address("Greta", "greta@example.org")
OLGA = Address("Olga", "olga@example.org")
MASTERS = (Master(*GRETA), Master(*OLGA))
REPLACE = "replace oz-1 blue with computer because Bob is never there"


@pytest.fixture
def league(table: DemoDesk) -> DemoDesk:
    """A game of a league in which Greta decides and Olga hears appeals. Greta has put the computer in for Bob."""
    in_league(table, *MASTERS)
    table.store.conn.execute("UPDATE leagues SET settings = json_set(settings, '$.appeal', 'Olga')")
    say(table, REPLACE, who=GRETA)
    return table


def appealed(table: DemoDesk, text: str = "appeal oz-1: I was in time. My mail shows it.\nend appeal") -> int:
    """Bob appeals; return the number of his appeal."""
    written(table, "blue", text)
    return int(table.store.value("SELECT max(content ->> 'appeal') FROM record_contents"))


def test_a_player_appeals_and_everybody_in_the_game_is_told_but_only_masters_read_why(league):
    letters = written(league, "blue", "appeal oz-1: I was in time. My mail shows it.\nend appeal")
    own = to(letters, BOB)
    assert "You have appealed against the decision `replace`. Your appeal has the number" in own
    assert "Olga hears appeals and decides on it." in own
    told = to(letters, ALICE)
    assert "Bob (Blue) has appealed against a decision on oz-1, `replace`: appeal" in told
    assert "Until then the decision stands." in told
    assert "in time" not in told
    for who in (GRETA, OLGA):
        heard = to(letters, who)
        assert "| I was in time. My mail shows it." in heard
        assert "replace oz-1 blue with computer. Its reason: | Bob is never there" in heard
        assert "uphold oz-1" in heard
        assert "The board, turn 1" in heard
    assert league.store.value("SELECT stand_in FROM seats WHERE seat = 'blue'") == 2


def test_the_second_instance_dismisses_an_appeal_and_everybody_is_told_why(league):
    number = appealed(league)
    letters = say(league, f"uphold oz-1 {number} because he had missed three turns", who=OLGA)
    for who in (ALICE, BOB):
        assert f"Appeal {number} of Blue about oz-1 is dismissed: the decision `replace` stands." in to(letters, who)
        assert "| he had missed three turns" in to(letters, who)
    again = say(league, f"overturn oz-1 {number} because I was wrong", who=OLGA)
    assert f"No appeal {number} is waiting in oz-1." in to(again, OLGA)


def test_an_appeal_that_is_allowed_changes_nothing_but_leads_to_a_line_that_does(league):
    number = appealed(league)
    letters = say(league, f"overturn oz-1 {number} because his mail shows it", who=OLGA)
    for who in (ALICE, BOB):
        assert f"Appeal {number} of Blue about oz-1 is allowed: the decision `replace` was wrong." in to(letters, who)
    assert "replace oz-1 blue with NAME <ADDRESS> because ..." in to(letters, OLGA)
    assert league.store.value("SELECT stand_in FROM seats WHERE seat = 'blue'") == 2
    say(league, f"replace oz-1 blue with Bob <{BOB.address}> because of appeal {number}", who=OLGA)
    assert league.store.value("SELECT stand_in FROM seats WHERE seat = 'blue'") == 0


def test_only_the_second_instance_decides_on_it_and_finds_it_among_what_waits(league):
    number = appealed(league)
    waits = to(say(league, "desk", who=OLGA), OLGA)
    assert f"oz-1 appeal {number} of Bob (Blue)" in waits
    assert f"`overturn oz-1 {number} because ...`" in waits
    assert f"appeal {number}" not in to(say(league, "desk", who=GRETA), GRETA)
    assert "Only Olga decides on appeals about oz-1." in to(
        say(league, f"uphold oz-1 {number} because I say so", who=GRETA), GRETA
    )
    assert "No appeal 99999 is waiting in oz-1." in to(say(league, "uphold oz-1 99999 because so", who=OLGA), OLGA)
    assert "Give a reason" in to(say(league, f"uphold oz-1 {number}", who=OLGA), OLGA)


def test_the_second_instance_needs_no_right_to_decide_on_appeals_but_one_to_correct_what_was_wrong(league):
    league.store.conn.execute(
        "UPDATE leagues SET settings = json_set(settings, '$.masters[1].rights', json('[\"say\"]'))"
    )
    number = appealed(league)
    assert "is allowed" in to(say(league, f"overturn oz-1 {number} because it was wrong", who=OLGA), ALICE)
    assert "You do not have this right in oz-1." in to(say(league, "reopen oz-1 because so", who=OLGA), OLGA)


def test_the_others_are_told_the_same_whatever_an_appeal_says(tmp_path):
    """Two worlds that differ only in the reasons of an appeal."""
    told = []
    for name, text in (("one", "I meant 3 V to Z, and my mail shows it."), ("two", "No.")):
        table = DemoDesk(tmp_path / name)
        table.poll()
        in_league(table, *MASTERS)
        table.store.conn.execute("UPDATE leagues SET settings = json_set(settings, '$.appeal', 'Olga')")
        say(table, REPLACE, who=GRETA)
        letters = written(table, "blue", f"appeal: {text}")
        (number,) = re.findall(r"number (\d+)", to(letters, BOB))
        letters += say(table, f"overturn oz-1 {number} because it was wrong", who=OLGA)
        told.append([letter_text(letter) for _, letter in letters if ALICE.address in letter["To"]])
        table.close()
    assert told[0] == told[1]
    assert len(told[0]) == 2


def test_the_words_of_an_appeal_are_forgotten_with_its_writer(league):
    appealed(league)
    bob = league.store.value("SELECT player FROM seats WHERE seat = 'blue'")
    with league.store.transaction():
        forget(league.store, Forget(Player(bob, "Bob", BOB.address)), league.now)
    contents = league.store.column("SELECT content FROM record_contents")
    assert not any("in time" in content for content in contents)


def test_each_player_appeals_against_a_decision_once(league):
    appealed(league)
    assert "You have already appealed against the decision `replace`." in to(
        written(league, "blue", "appeal: And I was ill."), BOB
    )
    assert "You have appealed against the decision `replace`. Your" in to(written(league, "red", "appeal: No."), ALICE)


def test_the_newest_decision_is_meant_unless_the_appeal_names_another_kind(league):
    say(league, "extend oz-1 2 days because of Easter", who=GRETA)
    assert "the decision `extend`" in to(written(league, "blue", "appeal: I have no time at Easter."), BOB)
    assert "the decision `replace`" in to(written(league, "blue", "appeal replace: I am here."), BOB)
    assert "No game master has made such a decision" in to(written(league, "blue", "appeal award: I had won."), BOB)


@pytest.mark.parametrize(
    ("text", "why"),
    [("appeal oz-2: No.", "This letter is about oz-1: answer one of oz-2."), ("appeal oz-1:", "write `appeal: ...`")],
)
def test_what_is_no_appeal_is_answered_and_nobody_else_is_told(league, text, why):
    letters = written(league, "blue", text)
    assert why in to(letters, BOB)
    assert not to(letters, ALICE)
    assert not to(letters, OLGA)


def test_after_two_weeks_a_decision_stands_or_after_the_time_in_the_terms(league):
    league.now += timedelta(days=15)
    assert "The time for an appeal against the decision `replace` on oz-1 is over." in to(
        written(league, "blue", "appeal: I was away."), BOB
    )


def test_nobody_hears_appeals_against_their_own_decisions(league):
    say(league, "extend oz-1 2 days because of Easter", who=OLGA)
    told = to(written(league, "blue", "appeal: I have no time at Easter."), BOB)
    assert "Olga, who hears appeals, has made the decision `extend`" in told


def test_where_nobody_hears_appeals_the_answer_says_what_to_do(table):
    in_league(table, *MASTERS)
    say(table, REPLACE, who=GRETA)
    assert "No second instance hears appeals about oz-1: write to its game master with `gm:`." in to(
        written(table, "blue", "appeal: I was in time."), BOB
    )


def test_appeals_are_listed_with_the_decisions_and_in_the_history_and_verified(desk_table):
    table = desk_table
    with table.store.transaction():
        in_league(table, *MASTERS)
        table.store.conn.execute("UPDATE leagues SET settings = json_set(settings, '$.appeal', 'Olga')")
        table.store.note("league", {}, table.now)
    say(table, REPLACE, who=GRETA)
    number = appealed(table)
    say(table, f"uphold oz-1 {number} because he had missed three turns", who=OLGA)
    listed = to(say(table, "decisions oz-1", who=OLGA), OLGA)
    assert f"uphold oz-1 {number}: he had missed three turns" in listed
    config = table.config.path
    words = [one["word"] for one in json.loads(pbem("--config", config, "decisions", "--json").output)]
    assert words == ["replace", "uphold"]
    verified = pbem("--config", config, "verify")
    assert verified.exit_code == 0, verified.output
    steps = json.loads(pbem("--config", config, "export", "oz-1", "--format", "json").output)["steps"]
    told = f"Olga: appeal {number} is dismissed, and the decision stands. Reason: he had missed three turns."
    assert told in [step.get("text") for step in steps]


def test_a_league_file_names_one_of_several_game_masters():
    start = 'name = "Winter"\nformat = "round-robin"\nappeal = "Olga"\n'
    people = '[[divisions]]\nplayers = ["Al <al@example.org>", "Bo <bo@example.org>"]\n'
    olga = '[[masters]]\nname = "Olga"\naddress = "olga@example.org"\n'
    greta = '[[masters]]\nname = "Greta"\naddress = "greta@example.org"\n'
    assert parse_league(start + greta + olga + people).appeal == "Olga"
    for masters in (olga, greta + greta.replace("Greta", "Gina").replace("greta@", "gina@")):
        with pytest.raises(LeagueFileError, match=r'appeal: "Olga" is not the name of one of two or more'):
            parse_league(start + masters + people)


def test_it_is_read_in_each_language():
    assert read_words("Berufung oz-1: Nein.").commands == (Asking("appeal", "oz-1: Nein."),)
    assert read_words("апелляция: Нет.").commands == (Asking("appeal", "Нет."),)
    assert read_words("uphold oz-1 17 because so").commands == (Decision("uphold", "oz-1", "17", "so"),)


def test_in_another_language(league):
    people = Correspondents(league)
    people.write(ALICE.address, "language deutsch")
    told = " ".join(people.write(BOB.address, "appeal: I was in time.")[ALICE.address])
    assert "Bob (Blau) hat Berufung gegen eine Entscheidung in oz-1 eingelegt, `replace`" in told
