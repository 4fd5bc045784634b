"""Letters that are read late, or were long on their way: orders in them never replace newer ones unasked."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from support.desks import TestDesk, bound_by_modes, flat
from support.faulty import Folder

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def desk(tmp_path: Path) -> TestDesk:
    desk = TestDesk(tmp_path / "desk")
    desk.new_game()
    desk.quiet_poll()
    return desk


@pytest.fixture
def folder(desk: TestDesk) -> Iterator[Folder]:
    """A server that the desk fetches from: it gives no text of the first of two letters, until it `says` nothing else,
    and no date of any."""
    first, second = desk.answer("red", "2 A to AC").as_bytes(), desk.answer("red", "3 A to M").as_bytes()
    folder = Folder({1: first, 2: second}, {1: lambda tag: b""})
    with folder.serve() as server:
        desk.configure(mailbox=f"imap://gm@127.0.0.1:{server.port}")
        yield folder


def after_trouble(desk: TestDesk) -> str:
    """What the only letter says that a run sends which has read at last what it could not read before."""
    told = desk.poll()
    assert told.status == 0
    assert told.lines[0].endswith("is over.")
    (answer,) = [letter for seat, letter in desk.read() if seat == "red"]
    return flat(answer)


def standing(desk: TestDesk) -> str:
    """The orders that stand, as the player is told them."""
    desk.write("red", "status")
    (answer,) = [letter for seat, letter in desk.quiet_poll() if seat == "red"]
    return flat(answer)


def test_a_letter_that_a_server_gives_late_is_asked_about(desk: TestDesk, folder: Folder) -> None:
    assert "no text" in desk.poll().lines[0]
    assert "receipt 1-1. 3 A to M" in flat(desk.read()[0][1])
    folder.says.clear()
    asked = after_trouble(desk)
    assert "Which orders count?" in asked
    assert "To keep these, do nothing: 3 A to M" in asked
    assert "Answer `yes` to send them instead: 2 A to AC" in asked
    folder.letters[3] = desk.answer("red", "yes").as_bytes()
    receipt = flat(desk.quiet_poll()[0][1])
    assert "receipt 1-2, which replaces receipt 1-1. 2 A to AC" in receipt


def test_orders_of_a_late_letter_are_taken_if_none_stand(desk: TestDesk, folder: Folder) -> None:
    folder.letters[2] = desk.answer("red", "help").as_bytes()
    assert "no text" in desk.poll().lines[0]
    folder.says.clear()
    desk.read()
    assert "receipt 1-1. 2 A to AC" in after_trouble(desk)


def test_the_same_orders_in_a_late_letter_are_no_question(desk: TestDesk, folder: Folder) -> None:
    folder.letters[1] = desk.answer("red", "hello\n3 A to M").as_bytes()
    assert desk.poll().status == 1
    folder.says.clear()
    desk.read()
    assert "receipt 1-2, which replaces receipt 1-1. 3 A to M" in after_trouble(desk)


def test_a_late_withdraw_takes_nothing_back(desk: TestDesk, folder: Folder) -> None:
    folder.letters[1] = desk.answer("red", "withdraw").as_bytes()
    assert desk.poll().status == 1
    folder.says.clear()
    desk.read()
    told = after_trouble(desk)
    assert "(receipt 1-1) still stand" in told
    folder.letters[3] = desk.answer("red", "withdraw").as_bytes()
    assert "have been withdrawn" in flat(desk.quiet_poll()[0][1])


def test_a_letter_whose_file_could_not_be_read_is_asked_about(desk: TestDesk) -> None:
    desk.write("red", "2 A to AC")
    (first,) = (desk.folder / "mail/in/new").iterdir()
    first.chmod(0)
    desk.write("red", "3 A to M")
    with bound_by_modes():
        assert "cannot be read" in desk.poll().lines[0]
    assert "receipt 1-1. 3 A to M" in flat(desk.read()[0][1])
    first.chmod(0o600)
    asked = after_trouble(desk)
    assert "Which orders count?" in asked
    desk.write("red", "no, leave it")
    desk.quiet_poll()
    assert "3 A to M" in standing(desk)


def test_a_letter_that_was_long_on_its_way_is_asked_about(desk: TestDesk) -> None:
    delayed = desk.answer("red", "2 A to AC")
    desk.now += HOUR
    desk.write("red", "3 A to M")
    desk.quiet_poll()
    desk.send(delayed)
    (asked,) = [flat(letter) for _, letter in desk.quiet_poll()]
    assert "Which orders count?" in asked
    assert "3 A to M" in standing(desk)


def test_a_late_yes_sends_nothing_in_place_of_newer_orders(desk: TestDesk) -> None:
    desk.write("red", "1 Ambr City to MC")
    desk.quiet_poll()
    late = desk.answer("red", "yes")
    desk.now += HOUR
    desk.write("red", "3 A to M")
    desk.quiet_poll()
    desk.send(late)
    (told,) = [flat(letter) for _, letter in desk.quiet_poll()]
    assert "No question is open" in told
    assert "3 A to M" in standing(desk)


@pytest.mark.parametrize("off", [-3 * HOUR, -MINUTE, 3 * HOUR])
def test_clocks_that_go_wrong_do_no_harm_to_who_answers_what_we_wrote_since(desk: TestDesk, off: timedelta) -> None:
    desk.write("red", "3 A to M")
    desk.quiet_poll()
    now, desk.now = desk.now, desk.now + off
    letter = desk.answer("red", "2 A to AC")
    desk.now = now
    desk.send(letter)
    assert "which replaces receipt 1-1. 2 A to AC" in flat(desk.quiet_poll()[0][1])


def test_a_clock_that_is_far_ahead_makes_no_later_letter_late(desk: TestDesk) -> None:
    first, second = desk.answer("red", "3 A to M"), desk.answer("red", "2 A to AC")
    first.replace_header("Date", "Fri, 21 Nov 2036 12:00:00 +0000")
    desk.send(first)
    desk.quiet_poll()
    desk.send(second)
    assert "which replaces receipt 1-1. 2 A to AC" in flat(desk.quiet_poll()[0][1])


@pytest.mark.parametrize(
    "date", ["", "never", "Fri, 99 Nov 2026 99:00:00 +9999", "1 Jan 10000 00:00 +2359", "x" * 5_000]
)
def test_a_date_that_is_none_says_nothing(desk: TestDesk, date: str) -> None:
    letter = desk.answer("red", "2 A to AC")
    letter.replace_header("Date", date)
    desk.write("red", "3 A to M")
    desk.quiet_poll()
    desk.send(letter)
    assert "which replaces receipt 1-1. 2 A to AC" in flat(desk.quiet_poll()[0][1])


def disorder(desk: TestDesk, *dates: str) -> str:
    """Deliver two letters of Red's that answer the same one of ours, with their dates on 21 November 2026; return what
    we answer to the second."""
    desk.now += HOUR
    for orders, date in zip(("3 A to M", "3 W to M"), dates, strict=True):
        letter = desk.answer("red", orders)
        letter.replace_header("Date", f"Sat, 21 Nov 2026 {date} +0000")
        desk.send(letter)
    return [flat(letter) for seat, letter in desk.quiet_poll() if seat == "red"][-1]


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("12:41:00", "12:40:00", "receipt 1-1, which had these orders: 3 A to M"),
        ("12:40:01", "12:40:00", "receipt 1-1, which had these orders: 3 A to M"),
        ("12:40:00", "12:20:00", "Which orders count?"),
        ("15:20:00", "15:02:00", "Which orders count?"),  # by one clock, which is ahead
        ("15:20:00", "12:40:00", "receipt 1-1, which had these orders: 3 A to M"),  # perhaps by two clocks
    ],
)
def test_an_older_letter_that_comes_later_says_so_and_keeps_both(
    desk: TestDesk, first: str, second: str, says: str
) -> None:
    assert says in disorder(desk, first, second)


@pytest.mark.parametrize(("first", "second"), [("12:40:00", "12:40:00"), ("12:40:00", "12:41:00")])
def test_letters_in_the_order_of_their_dates_are_no_question(desk: TestDesk, first: str, second: str) -> None:
    receipt = disorder(desk, first, second)
    assert "receipt 1-2, which replaces receipt 1-1. 3 W to M" in receipt
    assert "you wrote this letter before" not in receipt


def test_the_turn_waits_until_the_player_has_chosen(desk: TestDesk) -> None:
    disorder(desk, "12:41:00", "12:40:00")
    desk.write("blue", "Pass")
    desk.quiet_poll()
    assert "3 W to M" in standing(desk)
    desk.write("red", "no")
    reports = [flat(letter) for _, letter in desk.quiet_poll()]
    assert any("Turn 1 has been played" in report and "3 W to M" in report for report in reports)


def test_a_yes_brings_the_replaced_orders_back(desk: TestDesk) -> None:
    disorder(desk, "12:41:00", "12:40:00")
    desk.write("red", "yes")
    assert any("receipt 1-3, which replaces receipt 1-2. 3 A to M" in flat(letter) for _, letter in desk.quiet_poll())
