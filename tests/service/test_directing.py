"""What a game master finds on their desk, by mail and on the command line."""

import json
from datetime import timedelta

import pytest

from pbem.cli.demo import answer_letter
from pbem.config.config import Address
from support.desks import flat
from support.leagues import PEOPLE, LeagueDesk

GINA = Address("Gina", "gina@example.com")
OPERATOR = Address("Game master", "op@example.org")


@pytest.fixture
def desk(tmp_path):
    return LeagueDesk(tmp_path / "desk")


def found(desk, size=4, more="", masters=(GINA,)):
    desk.found_by_file(
        f'name = "Autumn"\nformat = "round-robin"\n{more}\n'
        + "".join(f'[[masters]]\nname = "{one.name}"\naddress = "{one.address}"\n' for one in masters)
        + '[terms]\ndeadline = "2 days"\nreview = "1 day"\n'
        + f"[[divisions]]\nplayers = {json.dumps([f'{one.name} <{one.address}>' for one in PEOPLE[:size]])}\n"
    )
    desk.poll_well()


def waits(told):
    return told.partition("Waiting for your decision")[2].partition("News since")[0]


def test_what_waits_stands_there_oldest_first_with_the_line_that_settles_it_until_it_is_settled(desk):
    found(desk)
    desk.respond("Alice", "accept")
    desk.respond("Bob", "accept")
    desk.respond("Carla Brown", "accept")
    desk.poll_well()
    desk.respond("Bob", "2 A to AC")
    desk.poll(timedelta(days=2, hours=1))
    desk.respond("Carla Brown", "gm: My orders were in time.")
    desk.poll_well()
    told = flat(desk.direct(GINA, "desk"))
    offered, review, words = (
        "oz-1 no answer to the invitation yet: Dora (for 2 days): `award oz-1 red because ...`, `annul oz-1",
        "oz-2 the report of turn 1 is waiting for your release",
        "oz-2 Carla Brown (Blue) has written to you, with no decision since",
    )
    assert told.index(offered) < told.index(review) < told.index(words)
    assert "`release oz-2`" in told
    assert "`tell oz-2 blue: ...`" in told
    told = flat(desk.direct(GINA, "award oz-1 red because nobody came\nrollback oz-2 1 because of the mail\ndesk"))
    assert "Nothing is waiting for your decision." in told


def test_what_has_happened_is_told_once_and_never_what_is_secret(desk):
    found(desk, more="confirmed = true")
    desk.respond("Bob", "3 A to M")
    desk.poll_well()
    assert "season 1 has begun" in flat(desk.direct(GINA, "desk"))
    assert "No news since last time" in flat(desk.direct(GINA, "desk"))
    desk.respond("Dora", "leave Autumn")
    desk.poll_well()
    desk.respond("Dora", "yes")
    desk.poll_well()
    assert desk.run("game", "orders", "oz-2", "red", "Pass", "--reason", "she rang").status == 0
    told = flat(desk.direct(GINA, "desk"))
    assert "Autumn Dora has left" in told
    assert "oz-1 the game is over." in told
    assert "oz-2 The operator has decided: orders. Reason: she rang" in told
    assert "season 1 has begun" not in told
    assert "3 A" not in told
    assert "Pass" not in told


def test_missed_turns_and_rounds_and_the_season_that_are_over_are_told(desk):
    desk.found_by_file(
        'name = "Autumn"\nformat = "round-robin"\nconfirmed = true\n'
        f'masters = [{{ name = "Gina", address = "{GINA.address}" }}]\n'
        'divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.com>"] }]\n'
        '[terms]\ndeadline = "2 days"\nforfeit = 2\n'
    )
    desk.poll_well()
    desk.respond("Alice", "2 A to AC")
    desk.poll(timedelta(days=2, hours=1))
    told = flat(desk.letters_of(GINA)[-1])  # by itself
    assert "oz-1 Bob (Blue) has missed turn 1" in told
    assert "Overdue oz-1 turns missed in a row by Bob (Blue): 1" in told
    desk.award("oz-1", "red")
    desk.poll_well()
    told = flat(desk.direct(GINA, "desk"))
    assert "Autumn round 1 is over" in told
    assert "Autumn season 1 is over (for 10 minutes): `season Autumn`" in waits(told)


def test_news_tells_who_it_was_then_and_why_it_ended_then(desk):
    found(desk, size=2, more="confirmed = true", masters=())
    desk.poll_well()
    desk.direct(OPERATOR, "desk")
    desk.respond("Alice", "gm: I have no time any more")
    desk.poll_well()
    replaced = desk.run("game", "replace", "oz-1", "red", "with", "Flo <flo@example.com>", "--reason", "no time")
    assert replaced.status == 0
    desk.award("oz-1", "red")
    assert desk.run("game", "reopen", "oz-1", "--reason", "it was wrong").status == 0
    desk.award("oz-1", "draw")
    desk.poll_well()
    told = flat(desk.direct(OPERATOR, "desk"))
    assert "oz-1 Alice (Red) has written to the game master" in told
    assert "oz-1 Flo (Red) has written to the game master" not in told
    assert "Flo now has the seat Red" in told
    assert "The game master awarded the game to Flo (Red)." in told
    assert "The game master awarded the game as a draw." in told


def test_nobody_hears_of_a_league_in_which_they_play_nor_of_anybody_elses_game(desk):
    found(desk, masters=(PEOPLE[0], GINA))
    desk.new_game()
    run_for(desk, 1)
    told = flat(desk.direct(PEOPLE[0], "desk"))
    assert "oz-1" not in told
    assert "oz-2" not in told
    told = flat(desk.direct(GINA, "desk"))
    assert "oz-1 no answer" in told
    assert "oz-2 no answer" in told
    assert "Only a game master can ask for this." in flat(desk.direct(PEOPLE[1], "desk"))
    told = flat(desk.direct(OPERATOR, "desk"))
    assert "oz-1" not in told
    assert "oz-2" not in told


def told_by_itself(desk, who=GINA):
    """The letters to a game master that nobody has asked for."""
    found = [one for one in desk.letters_of(who) if one["Auto-Submitted"] == "auto-generated"]
    return [flat(one) for one in found if "since last time" in flat(one)]


def run_for(desk, days):
    for _ in range(round(days * 4)):
        desk.poll(timedelta(hours=6))


def short(desk, more=""):
    desk.found_by_file(
        'name = "Autumn"\nformat = "round-robin"\nconfirmed = true\n'
        f'masters = [{{ name = "Gina", address = "{GINA.address}" }}]\n'
        'divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.com>"] }]\n'
        f'[terms]\ndeadline = "2 days"\n{more}\n'
    )
    desk.poll_well()


def test_a_game_master_hears_daily_of_what_has_happened_and_nothing_when_nothing_has(desk):
    short(desk, "forfeit = 3")
    run_for(desk, 1)
    assert len(told_by_itself(desk)) == 1
    assert "Autumn season 1 has begun" in told_by_itself(desk)[0]
    run_for(desk, 2)  # nobody has written for the turn of two days
    assert len(told_by_itself(desk)) == 2
    assert "oz-1 Alice (Red) has missed turn 1 oz-1 Bob (Blue) has missed turn 1" in told_by_itself(desk)[-1]
    run_for(desk, 1)
    assert len(told_by_itself(desk)) == 2
    run_for(desk, 4)  # both have lost then
    assert len(told_by_itself(desk)) == 4
    assert "Autumn round 1 is over" in told_by_itself(desk)[-1]
    assert "Autumn season 1 is over" in told_by_itself(desk)[-1]
    run_for(desk, 3)
    assert len(told_by_itself(desk)) == 4


@pytest.mark.parametrize(("often", "letters"), [("at once", 1), ("daily", 1), ("weekly", 0), ("never", 0)])
def test_each_game_master_says_how_often_they_hear(desk, often, letters):
    short(desk)
    desk.direct(GINA, f"desk {often}")
    run_for(desk, 1.75)
    before = len(told_by_itself(desk))
    run_for(desk, 0.25)  # the deadline passes, on a Monday at noon
    assert len(told_by_itself(desk)) - before == (often == "at once")
    run_for(desk, 0.25)
    assert len(told_by_itself(desk)) - before == letters
    run_for(desk, 7)
    assert (len(told_by_itself(desk)) - before > 0) == (often != "never")


def test_what_is_told_by_itself_is_answered_with_decisions_and_nobody_is_asked_back(desk):
    short(desk, 'review = "3 days"')
    desk.poll(timedelta(days=2, hours=1))
    run_for(desk, 1)
    told = [one for one in desk.letters_of(GINA) if "Waiting for your decision" in flat(one)][-1]
    assert "`release oz-1`" in flat(told)
    desk.send(answer_letter(told, GINA, "release oz-1", desk.now))
    desk.poll_well()
    assert "Done: release oz-1." in flat(desk.letters_of(GINA)[-1])


def test_after_an_upgrade_each_game_master_hears_at_once_what_waits_and_can_answer_that(desk):
    short(desk, 'review = "3 days"')
    desk.poll(timedelta(days=2, hours=1))
    desk.store.conn.execute("DELETE FROM desk WHERE key LIKE 'heard %' OR key LIKE 'looked %'")  # as it was before
    desk.respond("Alice", "status")
    desk.poll_well()
    told = desk.letters_of(GINA)[-1]
    assert "oz-1 the report of turn 1 is waiting for your release" in flat(told)
    desk.send(answer_letter(told, GINA, "release oz-1", desk.now))
    desk.poll_well()
    assert "Done: release oz-1." in flat(desk.letters_of(GINA)[-1])


def test_the_command_line_shows_all_that_waits_and_what_is_new_since_it_was_asked_last(desk):
    found(desk)
    desk.poll(timedelta(days=1))
    shown = json.loads("".join(desk.run("desk", "--json").lines))
    assert [(one["name"], one["lines"]) for one in shown["waits"]] == [
        ("oz-1", ["annul oz-1 because ..."]),
        ("oz-2", ["annul oz-2 because ..."]),
    ]
    assert {"name": "Autumn", "what": "season 1 has begun"} in shown["news"]
    assert json.loads("".join(desk.run("desk", "--json").lines))["news"] == []
    for game in ("oz-1", "oz-2"):
        assert desk.run("game", "annul", game, "--reason", "nobody came").status == 0
    told = desk.run("desk").lines
    assert told == ["oz-1  the game was annulled: nobody came", "oz-2  the game was annulled: nobody came"]
    assert desk.run("desk").lines == ["Nothing waits, and nothing has happened since 2026-11-22T12:05:00Z."]
