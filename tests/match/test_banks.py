"""Games in which each player has a bank of time: what letters, pages and the record say of it, and what empties it."""

import json
from datetime import timedelta

import pytest

from pbem.archive.site import build
from pbem.leagues.league_file import parse_league
from pbem.match.terms import Terms, TermsError, dump_terms, read_terms
from pbem.service.maintenance import trust_clock
from pbem.store.waiting import renew_due
from pbem.times.deadlines import Pace
from pbem.times.moments import format_duration
from support.archives import SITE
from support.commands import pbem
from support.correspondents import ALICE, BOB
from support.game_masters import in_league
from support.players import CARLA, DAY, NOON, Players

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
BANKS = {"deadline": Pace(), "bank": 14 * DAY, "increment": 2 * DAY}


@pytest.fixture
def people(begin) -> Players:
    """Alice is Red and Bob is Blue in oz-1, which has just begun at noon."""
    return begin(**BANKS)


def live(people: Players) -> Players:
    """Have the desk go by its clock, so that it knows of outages."""
    table = people.table
    table.config = table.config._replace(desk=table.config.desk._replace(rehearsal=False))
    people.poll()
    return people


def left(people: Players) -> list[timedelta]:
    """What Red and Blue have left now."""
    time = people.game.time_left(people.table.now)
    return [time["red"], time["blue"]]


def near(spans: list[timedelta], expected: list[timedelta]) -> bool:
    """Whether lengths of time differ by no more than the few minutes between a letter and its answer."""
    return all(abs(one - other) <= 30 * MINUTE for one, other in zip(spans, expected, strict=True))


def stay(people: Players, span: timedelta) -> dict[str, list[str]]:
    """Let time pass, with a run of the desk every ten minutes; return all letters."""
    news: dict[str, list[str]] = {}
    for _ in range(span // (10 * MINUTE)):
        for who, letters in people.poll(5 * MINUTE).items():
            news.setdefault(who, []).extend(letters)
    return news


# What the players are told


def test_invitations_reports_and_status_tell_both_clocks(people):
    people.poll(2 * DAY)
    receipt = people.write(ALICE, "pass")[ALICE][0]
    assert "Your clock: 11 days 23 hours; Bob: 11 days 23 hours." in receipt
    people.poll(DAY)
    report = people.write(BOB, "pass")[BOB][-1]
    assert "Turn 1 has been played" in report
    assert "Your clock: 12 days 23 hours; Alice: 13 days 23 hours." in report
    status = people.write(ALICE, "status")[ALICE][0]
    assert "turn 2 is waiting for your orders; it will be played by" in status
    assert "; your clock: 13 days 23 hours; Bob: 12 days 23 hours." in status
    people.decide("pause oz-1 because I say so")
    (told,) = people.write_anew("operator@example.org", "status")["operator@example.org"]
    assert "Alice: 13 days 23 hours; Bob: 12 days 23 hours." in told


def test_each_is_told_until_when_the_turn_waits_for_them(people):
    people.poll(2 * DAY)
    people.write(ALICE, "pass")
    people.poll(DAY)
    news = people.write(BOB, "pass")
    assert "Reply with your orders by Monday 7 December" in news[BOB][-1]
    assert "Reply with your orders by Tuesday 8 December" in news[ALICE][-1]
    people.poll(13 * DAY)
    assert "Reply with your orders by Tuesday 8 December" in people.write(BOB, "status")[BOB][-1]


def test_a_question_about_the_deadline_is_answered_with_the_clocks(people):
    people.write(ALICE, "pass")
    answer = people.write(ALICE, "When is the deadline?")[ALICE][-1]
    assert "Your clock: 13 days 23 hours; Bob: 13 days 23 hours." in answer
    assert "no deadline" not in answer


def test_the_page_of_the_game_has_the_clocks_of_the_last_report_and_stays_as_it_is(people, tmp_path):
    def page(name: str) -> str:
        build(people.table.store, tmp_path / name, SITE, people.table.now, lambda text: None)
        return (tmp_path / name / "games" / "oz-1.html").read_text()

    assert "clocks" not in page("site")
    stay(people, 6 * HOUR)
    news = people.everybody("Pass")
    (red, blue) = (format_duration(span) for span in reported(people))
    assert f"Your clock: {blue}; Alice: {red}." in " ".join(news[BOB][-1].split())
    told = page("site")
    assert f"<p>The clocks at the start of turn 2: Red {red}; Blue {blue}.</p>" in told
    stay(people, 6 * HOUR)
    assert (page("site"), page("another")) == (told, told)
    people.decide("award oz-1 draw because both asked for it")
    assert "The clocks" not in page("site")


def reported(people: Players) -> list[timedelta]:
    """What Red and Blue had left when the newest report was written."""
    return [people.game.banks[seat].left for seat in ("red", "blue")]


def test_games_without_banks_say_nothing_of_clocks(begin):
    people = begin()
    assert "clock" not in " ".join(people.write(ALICE, "pass\nstatus")[ALICE])


@pytest.mark.parametrize(
    ("language", "clock"),
    [
        ("Deutsch", "Deine Uhr: 13 Tage 23 Stunden; Bob: 13 Tage 23 Stunden."),
        ("русский", "Ваши часы: 13 дней 23 часа;"),
    ],
)
def test_in_other_languages_too(people, language, clock):
    people.write(ALICE, f"language {language}")
    assert clock in " ".join(people.write(ALICE, "status")[ALICE])


def test_the_first_letter_of_a_game_says_how_the_clocks_go(people):
    people.write(ALICE, "resign")
    people.write(ALICE, "yes")
    people.write(ALICE, "rematch")
    people.write(BOB, "rematch")
    people.poll()
    assert people.match("oz-2").time_left(people.table.now)["red"] > 13 * DAY


# Empty banks


def test_who_has_used_up_their_bank_misses_the_turn_and_the_next_one_adds_the_increment(people):
    people.write(ALICE, "pass")
    news = people.poll(14 * DAY)
    assert "Turn 1 has been played" in news[ALICE][-1]
    assert people.game.missed == {"red": 0, "blue": 1}
    assert near(left(people), [16 * DAY, 2 * DAY])
    assert left(people)[1] == 2 * DAY


def test_who_still_has_time_does_not_miss_a_turn_because_of_who_has_none(people):
    people.poll(2 * DAY)
    people.write(ALICE, "pass")
    people.poll(DAY)
    people.write(BOB, "pass")
    (told,) = people.poll(12 * DAY + 23 * HOUR + 45 * MINUTE)[BOB]
    assert "You have no time left, and no orders in for turn 2." in told
    assert "It still waits for others" in told
    assert people.game.turn == 2
    assert "Your clock: no time left" in people.write(BOB, "status")[BOB][0]
    people.write(ALICE, "pass")
    assert (people.game.turn, people.game.missed) == (3, {"red": 0, "blue": 1})


def test_orders_that_come_after_the_clock_has_run_out_count_until_the_turn_is_played(people):
    people.poll(2 * DAY)
    people.write(ALICE, "pass")
    people.poll(DAY)
    people.write(BOB, "pass")
    people.poll(13 * DAY)
    people.write(BOB, "pass")
    people.write(ALICE, "pass")
    assert (people.game.turn, people.game.missed) == (3, {"red": 0, "blue": 0})
    assert left(people)[1] == 2 * DAY


def test_without_an_increment_an_empty_bank_loses_the_game(begin):
    people = begin(**BANKS | {"increment": timedelta()}, forfeit=1)
    people.write(ALICE, "pass")
    news = people.poll(14 * DAY)
    assert "You have won. Bob (Blue) missed a turn." in news[ALICE][-1]


def test_the_computer_takes_over_as_the_terms_say_and_no_clock_runs_for_it(begin):
    people = begin(**BANKS, forfeit=1, computer=1)
    people.write(ALICE, "pass")
    people.poll(14 * DAY)
    assert people.game.stand_ins() == ("blue",)
    people.poll(DAY)
    assert left(people)[1] == 2 * DAY
    people.write(BOB, "back")
    people.poll(DAY)
    assert left(people)[1] == 2 * DAY, "the orders of the computer stand"


def test_reminders_come_when_half_and_a_quarter_are_left_and_only_to_who_is_waited_for(begin):
    people = begin(**BANKS, remind=(DAY,))
    people.write(ALICE, "pass")
    news = people.poll(7 * DAY)
    assert ALICE not in news
    assert "You have no orders in for turn 1 yet. Your time ends on Saturday 5 December" in news[BOB][0]
    assert "You have no orders in for turn 1 yet." in people.poll(3.5 * DAY)[BOB][0]
    assert not people.poll(3 * DAY)


# What takes nothing out of a bank


def test_a_pause_takes_nothing_out_of_a_bank(people):
    people.poll(DAY)
    people.write(ALICE, "pause")
    people.write(BOB, "yes")
    before = left(people)
    people.poll(30 * DAY)
    assert left(people) == before
    people.write(ALICE, "resume")
    people.write(BOB, "yes")
    people.poll(DAY)
    assert left(people) == [span - DAY - 5 * MINUTE for span in before]


def test_a_vacation_stops_the_clock_of_who_is_away_and_of_nobody_else(people):
    news = people.write(ALICE, "vacation 23 November to 29 November")
    assert "You will be away" in news[ALICE][0]
    people.poll(10 * DAY)
    red, blue = left(people)
    assert red == blue + 7 * DAY


def test_who_comes_back_early_has_the_time_until_then(people):
    people.write(ALICE, "vacation 23 November to 29 November")
    people.poll(4 * DAY)
    before = left(people)
    people.write(ALICE, "vacation none")
    people.poll(DAY)
    red, blue = left(people)
    assert red == before[0] - DAY - 5 * MINUTE
    assert blue == before[1] - DAY - 10 * MINUTE


def test_a_deadline_that_comes_earlier_with_the_end_of_a_vacation_is_told_to_everybody(people):
    people.write(BOB, "vacation 23 November to 10 December")
    people.poll(4 * DAY)
    news = people.write(BOB, "vacation none")
    assert people.game.deadline
    due = f"{people.game.deadline.moment:%A %-d %B %Y}"
    assert "You are no longer away, and your clock runs again." in news[BOB][0]
    assert f"turn 1 is due on {due}" in news[BOB][0]
    assert f"Bob (Blue) is no longer away. Turn 1 of oz-1 is due earlier again: {due}" in news[ALICE][0]
    assert "deadlines that were moved stay where they are" in people.write(BOB, "vacation none")[BOB][0]


def test_a_vacation_gives_back_nothing_of_the_day_on_which_it_is_said(people):
    people.poll(6 * HOUR)
    before = left(people)
    people.write(ALICE, "vacation 21 November to 24 November")
    red, blue = left(people)
    assert before[0] - red <= 5 * MINUTE
    assert red == blue


def test_an_outage_takes_nothing_out_and_a_letter_that_came_in_it_is_paid_for_until_it_began(people):
    live(people)
    stay(people, HOUR)
    before = left(people)
    people.table.now += 10 * DAY
    people.write(ALICE, "pass")
    assert left(people) == before
    assert people.game.deadline.moment - people.table.now == before[1]


def test_a_deadline_that_would_have_passed_in_an_outage_is_told_anew(people):
    live(people)
    people.table.config = people.table.config._replace(desk=people.table.config.desk._replace(every=5 * DAY))
    people.poll(13 * DAY)
    news = people.poll(20 * DAY)
    for who in (ALICE, BOB):
        assert "This desk was down for a while, so the deadline of turn 1 is later" in news[who][0]
    assert people.game.turn == 1


def test_a_clock_that_was_ahead_takes_nothing_out(people):
    table = live(people).table
    before = left(people)
    people.poll(365 * DAY)
    table.now -= 365 * DAY - HOUR
    trust_clock(table.config, table.now)
    assert left(people) == before
    assert people.game.deadline.moment == table.now + before[0]


def test_a_review_takes_nothing_out_and_the_increment_comes_with_the_next_turn(begin):
    people = begin(**BANKS, review=5 * DAY)
    people.write(ALICE, "pass")
    people.write(BOB, "pass")
    before = left(people)
    people.poll(3 * DAY)
    assert (people.game.phase, left(people)) == ("review", before)
    people.decide("release oz-1")
    assert left(people) == [span + 2 * DAY for span in before]


# Taken back, moved, given away


def test_a_rollback_gives_back_the_banks_of_that_time(people):
    people.poll(2 * DAY)
    people.write(ALICE, "pass")
    people.write(BOB, "pass")
    at_second = left(people)
    people.poll(3 * DAY)
    people.write(ALICE, "pass")
    people.write(BOB, "pass")
    people.decide("rollback oz-1 2 because of a mistake")
    assert left(people) == at_second
    people.decide("rollback oz-1 1 because of another mistake")
    assert left(people) == [14 * DAY, 14 * DAY]


def test_players_who_take_a_turn_back_have_its_banks_again(people):
    people.write(ALICE, "pass")
    people.write(BOB, "pass")
    people.poll(4 * DAY)
    people.write(ALICE, "take back")
    people.write(BOB, "yes")
    assert (people.game.turn, left(people)) == (1, [14 * DAY, 14 * DAY])


def test_a_turn_that_is_played_again_adds_the_increment_once(people):
    people.write(ALICE, "pass")
    people.write(BOB, "pass")
    at_second = left(people)
    people.poll(DAY)
    people.decide("readjudicate oz-1 because the rules were wrong")
    assert left(people) == at_second


def test_a_game_that_is_reopened_goes_on_with_what_was_left(people):
    people.poll(3 * DAY)
    before = left(people)
    people.decide("award oz-1 red because Bob is ill")
    people.poll(10 * DAY)
    people.decide("reopen oz-1 because he is well")
    assert near(left(people), before)


def test_a_game_master_who_moves_the_deadline_gives_time(people):
    before = left(people)
    news = people.decide("extend oz-1 3 days because Bob moves house")
    assert "The game master has moved the deadline of turn 1: it is now Tuesday 8 December" in news[BOB][0]
    assert near(left(people), [span + 3 * DAY for span in before])


def test_without_a_deadline_by_pace_a_turn_for_which_nobody_is_waited_has_none(people):
    people.write(ALICE, "pass")
    people.write(ALICE, "wait")
    people.write(BOB, "pass")
    assert (people.game.turn, people.game.deadline.moment) == (1, NOON + 14 * DAY + 5 * MINUTE)
    people.write(ALICE, "no wait")
    assert people.game.turn == 2


# Other games, the record, terms


def test_in_a_game_in_which_one_seat_writes_after_the_other_only_whose_turn_it_is_pays(begin):
    people = begin("rocknroll", **BANKS)
    for _ in range(4):
        match = people.game
        before, (mover,) = match.time_left(people.table.now), match.missing()
        people.poll(DAY)
        after = people.game.time_left(people.table.now)
        assert {seat for seat in match.seats if after[seat] < before[seat]} == {mover}
        people.write(ALICE if mover == match.seats[0] else BOB, "pass")
        if people.game.turn > match.turn:
            now, (next_one,) = people.game.time_left(people.table.now), people.game.missing()
            assert now[next_one] - after[next_one] in (2 * DAY, 2 * DAY - 5 * MINUTE)


def test_in_a_game_of_three_the_turn_waits_for_the_last_clock(begin):
    people = begin("ozz", {"nations": ("munchkins", "winkies", "gillikins")}, **BANKS)
    people.poll(DAY)
    people.write(CARLA, "Pass")
    assert (
        "Your clock: 12 days 23 hours; Alice: 12 days 23 hours; Bob: 12 days 23 hours."
        in (people.write(CARLA, "status")[CARLA][0])
    )


def test_the_record_holds_what_was_left_after_each_turn_and_is_verified(people):
    people.poll(2 * DAY)
    people.write(ALICE, "pass")
    people.write(BOB, "pass")
    (turn,) = people.game.turns
    assert near([turn.banks["red"], turn.banks["blue"]], [12 * DAY, 12 * DAY])
    config = people.table.config.path
    assert pbem("--config", config, "verify").exit_code == 0
    people.table.store.conn.execute("UPDATE turns SET banks = '{}'")
    assert pbem("--config", config, "verify").exit_code == 1


def test_json_and_the_command_line_tell_the_clocks(people):
    config = people.table.config.path
    shown = json.loads(pbem("--config", config, "game", "show", "oz-1", "--json").output)
    assert set(shown["seconds_left"]) == {"red", "blue"}
    assert "The clock of red: " in pbem("--config", config, "game", "show", "oz-1").output


def test_a_game_with_banks_is_set_up_on_the_command_line(people):
    config = people.table.config.path
    players = ("--red", "Ann <ann@example.org>", "--blue", "Ben <ben@example.org>")
    done = pbem("--config", config, "game", "new", *players, "--bank", "10 days", "--increment", "1 day")
    assert done.exit_code == 0, done.output
    terms = people.match("oz-2").terms
    assert (terms.bank, terms.increment, terms.deadline) == (10 * DAY, DAY, Pace())
    refused = pbem("--config", config, "game", "new", *players, "--bank", "10 days")
    assert 'say with "increment" how much each turn adds to it' in refused.output


def test_terms_read_back():
    table = {"bank": "14 days", "increment": "2 days"}
    terms = read_terms(table)
    assert terms == Terms(bank=14 * DAY, increment=2 * DAY)
    assert dump_terms(terms) == {"zone": "UTC", **table}


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"increment": "1 day"}, '"increment": say with "bank" how much time everybody begins with.'),
        ({"bank": "14 days"}, '"bank": say with "increment" how much each turn adds to it'),
        ({"bank": "14 days", "forfeit": 1, "computer": 2}, '"bank": say with "increment"'),
        ({"bank": "soon", "increment": "1 day"}, '"soon" is not a length of time'),
    ],
)
def test_terms_that_do_not_fit_together_are_refused(table, why):
    with pytest.raises(TermsError, match=why):
        read_terms(table)


def test_a_league_with_banks_has_a_deadline_only_if_it_says_so():
    text = 'name = "A"\nformat = "ladder"\n[terms]\nbank = "14 days"\nincrement = "2 days"\n'
    usual = Terms(deadline=Pace(every=7 * DAY))
    assert parse_league(text, usual).terms.deadline == Pace()
    assert parse_league(text + 'deadline = "9 days"\n', usual).terms.deadline == Pace(every=9 * DAY)


def test_a_run_on_a_new_day_leaves_the_looks_at_clocks_as_they_are(begin):
    people = begin(**BANKS | {"deadline": Pace(every=20 * DAY, zone="Europe/Berlin")}, remind=(DAY,))
    before = people.game.due
    assert not renew_due(people.table.store, people.table.now)
    assert people.game.due == before == NOON + 7 * DAY


def test_in_a_league_the_table_and_its_tie_breaks_know_nothing_of_clocks(people):
    in_league(people.table)
    people.write(ALICE, "pass")
    people.decide("award oz-1 red because Bob is ill")
    row = people.table.store.conn.execute("SELECT winner, forfeit FROM matches").fetchone()
    assert row == ("red", 0)
