"""Time to think again: after the last orders of a turn it waits, and whoever wrote may write once more."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.config.config import Maildir, load_config
from pbem.match.model import Match
from pbem.match.terms import dump_terms, read_terms
from pbem.service.tick import poll
from pbem.store.backup import back_up, restore_desk
from pbem.store.database import look
from pbem.store.matches import load_match
from support.desks import TestDesk, flat
from support.tables import standing

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
TERMS = {"deadline": "3 days", "remind": [], "cooling_off": "10 minutes"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DemoDesk]:
    """A game whose turns wait ten minutes; its invitations are read, and it is 12:05."""
    table = DemoDesk(tmp_path / "desk", NOON, terms=read_terms(TERMS))
    table.poll()
    yield table
    table.close()


def write(table: DemoDesk, seat: str, text: str) -> str:
    """A seat writes, the desk runs five minutes later; what it is answered, of no other letter."""
    table.write(seat, text)
    ((to, letter),) = table.poll()
    assert to == seat
    return flat(letter)


def both_write(table: DemoDesk) -> str:
    """Both have written by 12:15; what the second is answered."""
    write_alone(table, "red", "2 A to AC")
    return write(table, "blue", "3 E to EC")


def write_alone(table: DemoDesk, seat: str, text: str) -> None:
    table.write(seat, text)
    table.poll()


def turn(table: DemoDesk) -> int:
    return match(table).turn


def match(table: DemoDesk) -> Match:
    return load_match(table.store, 1)


def seats(letters: list[tuple[str, Message]]) -> list[str]:
    return [seat for seat, _ in letters]


def test_the_receipt_of_the_last_orders_says_until_when_one_may_think_again(table):
    told = both_write(table)
    assert "All orders are in, and the turn is played at 12:25 UTC. Until then you can change yours" in told
    assert "if all players answer `go`, it is played at once." in told
    assert turn(table) == 1


def test_who_wrote_last_can_correct_himself_and_the_time_runs_anew(table):
    both_write(table)
    told = write(table, "blue", "2 E to EC")
    assert "receipt 1-2, which replaces receipt 1-1" in told
    assert "the turn is played at 12:30 UTC" in told
    assert table.poll() == []  # 12:25
    assert sorted(seats(table.poll())) == ["blue", "red"]
    (played,) = load_match(table.store, 1).turns
    assert played.orders["blue"].canonical == "2 E to EC"


@pytest.mark.parametrize("text", ["oh sorry, wait", "ok 2 E to EC instead", "9 E to EC", "also bomb AC"])
def test_who_is_asked_has_the_time_to_answer(table, text):
    both_write(table)
    assert "the turn is played at 12:30 UTC. Until then you can change yours" in write(table, "blue", text)
    assert table.poll() == []  # 12:25
    assert sorted(seats(table.poll())) == ["blue", "red"]


def test_words_that_are_about_nothing_and_what_is_only_checked_hold_nothing_up(table):
    both_write(table)
    write(table, "blue", "check: 9 E to EC\nthanks!")
    table.poll()
    assert turn(table) == 2


def test_who_wrote_first_can_correct_himself_too_and_nobody_else_gets_a_letter(table):
    both_write(table)
    assert "receipt 1-2" in write(table, "red", "1 A to AC")


def test_a_run_meanwhile_has_nothing_to_do(table):
    both_write(table)
    assert not look(table.store.conn, table.now + 9 * MINUTE).work
    assert look(table.store.conn, table.now + 10 * MINUTE).work


def test_orders_that_are_taken_back_end_it(table):
    both_write(table)
    assert "or as soon as they are in" in write(table, "blue", "withdraw")
    table.now += timedelta(hours=1)
    assert table.poll() == []
    assert (turn(table), standing(table)) == (1, {"red": "2 A to AC"})


def test_go_of_all_players_ends_it_and_that_of_one_does_not(table):
    write_alone(table, "red", "2 A to AC\ngo")
    told = write(table, "blue", "3 E to EC")
    assert "the turn is played at 12:25 UTC" in told
    table.write("blue", "go")
    letters = table.poll()
    assert "as soon as all orders are in" in flat(letters[0][1])
    assert turn(table) == 2


def test_go_in_the_language_of_the_player_beside_the_orders(table):
    write_alone(table, "red", "2 A to AC\nlos")
    write_alone(table, "blue", "3 E to EC\nпоехали")
    assert turn(table) == 2


def test_no_go_takes_it_back_and_wait_does_too(table):
    write_alone(table, "red", "2 A to AC\ngo")
    assert "will wait a while after the last orders" in write(table, "red", "no go")
    write_alone(table, "blue", "3 E to EC\ngo")
    assert turn(table) == 1
    write_alone(table, "red", "go\nwait")
    assert not match(table).wishes.get("go", frozenset()) & {"red"}


def test_go_says_that_it_is_not_needed_where_turns_do_not_wait(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    assert "played as soon as all orders are in" in write(table, "red", "go")
    table.close()


def test_who_waits_for_the_deadline_does_so_beyond_the_time_to_think_again(table):
    both_write(table)
    assert "will not be played before its deadline" in write(table, "blue", "wait")
    table.now += timedelta(hours=1)
    assert table.poll() == []
    assert match(table).cooling is None
    assert "not be played" not in write_and_play(table, "blue", "no wait")


def write_and_play(table: DemoDesk, seat: str, text: str) -> str:
    """A letter with which the turn is played; what its writer is answered."""
    table.write(seat, text)
    letters = table.poll()
    assert turn(table) == 2
    return flat(letters[0][1])


def test_it_ends_with_the_deadline_and_beyond_that_there_is_none(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON, terms=read_terms({**TERMS, "deadline": "1 hour", "grace": "1 hour"}))
    table.poll()
    write_alone(table, "red", "Pass")
    table.now = NOON + 50 * MINUTE
    assert "the turn is played at 13:00 UTC" in write(table, "blue", "Pass")  # it is 12:55
    table.poll()
    assert turn(table) == 2
    table.now = match(table).deadline.moment
    write_alone(table, "red", "Pass")
    assert "the turn was played at once" in write_in_grace(table)
    table.close()


def write_in_grace(table: DemoDesk) -> str:
    table.write("blue", "Pass")
    return next(flat(letter) for seat, letter in table.poll() if seat == "blue")


def test_a_deadline_comes_first(table):
    write_alone(table, "red", "2 A to AC")
    table.now = match(table).deadline.moment - 8 * MINUTE
    told = write(table, "blue", "3 E to EC")  # three minutes before it
    assert f"the turn is played at {match(table).deadline.moment:%H:%M} UTC" in told
    table.poll()
    assert turn(table) == 2


def test_while_letters_cannot_be_read_nobody_has_thought_again(table):
    both_write(table)
    table.config = load_config(table.config.path)
    inbox = table.config.mailbox.place
    assert isinstance(inbox, Maildir)
    inbox.path.rename(inbox.path.with_name("away"))
    table.now += 15 * MINUTE
    assert not poll(table.config, table.now, lambda text: None).well
    assert turn(table) == 1
    inbox.path.with_name("away").rename(inbox.path)
    table.write("blue", "1 E to EC")
    table.poll()
    assert standing(table)["blue"] == "1 E to EC"


def test_a_game_that_pauses_does_not_go_on_by_it_and_waits_anew_afterwards(table):
    both_write(table)
    write_all(table, "pause")
    assert match(table).phase == "paused"
    table.now += timedelta(hours=1)
    table.poll()
    assert turn(table) == 1
    write_all(table, "resume")
    assert turn(table) == 1
    assert match(table).cooling == table.now + 10 * MINUTE
    table.now += 5 * MINUTE
    table.poll()
    assert turn(table) == 2


def write_all(table: DemoDesk, text: str) -> None:
    for seat in ("red", "blue"):
        table.write(seat, text)
    table.poll()


def test_orders_that_the_game_master_enters_leave_the_players_time(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game("--cooling-off", "10 minutes")
    desk.quiet_poll()
    desk.write("red", "2 A to AC")
    desk.quiet_poll()
    assert desk.run("game", "orders", "oz-1", "blue: 3 E to EC", "--reason", "he wrote to me").status == 0
    desk.quiet_poll()
    assert "turn 1" in desk.run("game", "list").lines[0]
    desk.poll(10 * MINUTE)
    assert "turn 2" in desk.run("game", "list").lines[0]


def test_a_database_that_is_put_back_plays_the_turn_before_what_came_after_it(table, tmp_path):
    back_up(table.config.database, tmp_path / "copy.db", lambda text: None)
    both_write(table)
    table.now += 10 * MINUTE
    table.poll()  # 12:30: turn 1 is played
    table.write("blue", "Pass")
    table.poll()
    table.close()
    table.config.database.unlink()
    restore_desk(tmp_path / "copy.db", table.config.database, lambda text: None, None)
    assert not poll(table.config, table.now + 5 * MINUTE, lambda text: None).well  # it says what it has done
    with_it = load_again(table)
    assert (with_it.turn, with_it.standing["blue"].canonical) == (2, "Pass")


def load_again(table: DemoDesk) -> Match:
    from pbem.store.database import Store, connect

    table.store = Store(connect(table.config.database))
    return match(table)


@pytest.mark.parametrize(("said", "kept"), [("10 minutes", "10 minutes"), ("1 hour", "1 hour"), (0, None), ("0", None)])
def test_a_league_says_its_own_and_none_is_as_usual(said, kept):
    assert dump_terms(read_terms({"cooling_off": said})).get("cooling_off") == kept


def test_a_desk_has_ten_minutes_unless_it_says_otherwise_and_a_rehearsal_none(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    assert desk.run("init", f"{tmp_path}/one", config=False).status == 0
    assert desk.run("init", f"{tmp_path}/two", "--rehearsal", config=False).status == 0
    assert load_config(tmp_path / "one" / "config.ini").desk.cooling_off == 10 * MINUTE
    assert load_config(tmp_path / "two" / "config.ini").desk.cooling_off == timedelta()
