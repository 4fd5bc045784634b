"""What becomes of letters that the mail server does not take: those that it refuses for our sake, because nobody is at
an address, or for now."""

import email
import re
from datetime import timedelta
from email.message import Message

import pytest

from pbem.cli.demo import answer_letter
from support.desks import PLAYERS, Servers, TestDesk, flat
from support.dovecot import Account
from support.each import each
from support.sink import Sink

DAY = timedelta(days=1)
NOBODY = "550 5.1.1 <bob@example.com>: no such user"
LIMIT = "550 5.4.5 Daily user sending limit exceeded"


@pytest.fixture
def desk(tmp_path, account: Account, sink: Sink) -> TestDesk:
    """On servers, its game's invitations read."""
    desk = TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink))
    desk.new_game()
    desk.quiet_poll()
    return desk


def mend(sink: Sink) -> None:
    """Have the server take everything again."""
    sink.refuse.clear()
    sink.refuse_data = ""


def texts(letters: list[tuple[str, Message]], reader: str) -> list[str]:
    return [flat(letter) for to, letter in letters if to == reader]


# Refusals that are about us


@pytest.mark.parametrize("stage", ["recipient", "text"])
def test_a_limit_of_our_own_loses_no_letter_and_is_told_once(desk: TestDesk, sink: Sink, stage: str) -> None:
    if stage == "text":
        sink.refuse_data = LIMIT
    else:
        sink.refuse |= {person.address: LIMIT for person in PLAYERS.values()}
    desk.write("red", "3 A to M")
    desk.write("blue", "Pass")
    told = desk.poll()
    assert told.status == 1
    assert len(told.lines) == 1
    assert f"Letters cannot be sent: The SMTP server 127.0.0.1:{sink.port} takes no letters now, it" in told.lines[0]
    assert "answered 550: 5.4.5 Daily user" in told.lines[0]
    assert "about this desk's account or server, and not about its readers" in told.lines[0]
    assert desk.poll() == (1, [])
    assert desk.poll() == (1, [])
    assert desk.read() == []
    mend(sink)
    desk.now += timedelta(hours=1)
    assert [line.partition(", which")[0] for line in desk.poll().lines] == ["pbem: The trouble with outgoing"]
    letters = desk.read()
    assert [seat for seat, _ in letters].count("game master") == 0
    for seat in PLAYERS:
        who = {"red": "You", "blue": "Red, Alice"}[seat]
        assert any(f"{who} 3 A to M" in text for text in texts(letters, seat))


def test_after_weeks_of_such_trouble_every_letter_is_still_there(desk: TestDesk, sink: Sink) -> None:
    sink.refuse_data = LIMIT
    desk.write("red", "help")
    for _ in range(40):
        desk.poll(DAY)
    mend(sink)
    desk.poll(DAY)
    assert "red" in [seat for seat, _ in desk.read()]


def test_a_letter_that_alone_is_taken_for_spam_holds_up_no_other_and_is_given_up_in_the_end(
    desk: TestDesk, sink: Sink
) -> None:
    sink.refuse["bob@example.com"] = "554 5.7.1 looks like spam"
    desk.write("blue", "help")
    desk.write("red", "help")
    assert desk.poll().status == 1
    assert desk.poll().status == 0
    assert texts(desk.read(), "red")
    given_up = []
    for _ in range(20):
        desk.write("red", "status")
        given_up += [line for line in desk.poll(DAY).lines if "given up" in line]
    assert len(given_up) == 1


def test_where_every_address_is_refused_alike_it_is_about_us(desk: TestDesk, sink: Sink) -> None:
    sink.refuse |= {person.address: "550 5.1.1 no such user" for person in PLAYERS.values()}
    desk.write("red", "help")
    desk.write("blue", "help")
    told = desk.poll()
    assert told.status == 1
    assert "every address is refused alike, which seems to be about us" in "".join(told.lines)
    mend(sink)
    desk.poll(timedelta(hours=2))
    assert sorted(seat for seat, _ in desk.read()) == ["blue", "red"]


# Addresses where nobody is


def test_a_dead_address_is_told_once_and_not_written_to_again(desk: TestDesk, sink: Sink) -> None:
    sink.refuse["bob@example.com"] = NOBODY
    tried: list[str] = []
    answered = sink.handle_RCPT

    async def count(server, session, envelope, address, options) -> str:
        tried.append(address)
        return await answered(server, session, envelope, address, options)

    sink.handle_RCPT = count  # type: ignore[method-assign]
    desk.write("red", "Pass")
    desk.write("blue", "Pass")
    why = "The mail server refused the letter with 550: 5.1.1 <***>: no such user"
    assert desk.poll() == (0, [f"pbem: Letter 6 for blue of oz-1 cannot be delivered: {why}."])
    letters = desk.read()
    assert [seat for seat, _ in letters] == ["red", "game master"]
    (told_once,) = texts(letters, "game master")
    assert "Letters to Bob (Blue) in oz-1 bounce" in told_once
    desk.write("red", "Pass")
    for _ in range(3):
        assert desk.poll(DAY) == (0, [])
    assert tried.count("bob@example.com") == 1
    desk.run("game", "extend", "oz-1", "3 days", "--reason", "so")
    desk.poll(8 * DAY)
    assert tried.count("bob@example.com") == 2  # a week later one letter asks whether it still is so


def test_what_could_not_be_delivered_is_listed_and_sent_again(desk: TestDesk, sink: Sink) -> None:
    sink.refuse["bob@example.com"] = NOBODY
    desk.write("blue", "help")
    desk.poll()
    desk.read()
    (line,) = desk.run("letters", "resend").lines
    assert re.fullmatch(r"3  2026-\S+  answer, for blue of oz-1: The mail server refused .* no such user", line)
    assert any("pbem letters resend" in line for line in desk.run("doctor").lines)
    mend(sink)
    assert desk.run("letters", "resend", "3").lines == ["Letter 3 is sent again with the next poll."]
    desk.poll()
    assert len(texts(desk.read(), "blue")) == 1
    assert desk.run("letters", "resend").lines == ["All letters were delivered, as far as we know."]
    assert not any("refused for good" in line for line in desk.run("doctor").lines)
    assert desk.run("verify").status == 0
    assert desk.run("letters", "resend", "3").status == 2
    assert not any("bounce" in line for line in desk.run("desk").lines)


def test_what_could_not_be_delivered_is_sent_again_once_the_player_is_heard_of(desk: TestDesk, sink: Sink) -> None:
    sink.refuse["bob@example.com"] = NOBODY
    desk.write("red", "press: Hello")
    desk.write("blue", "help")
    desk.poll()
    desk.read()
    mend(sink)
    desk.write("blue", "status")
    desk.poll()
    assert any("Hello" in text for text in texts(desk.read(), "blue"))
    assert desk.run("verify").status == 0


def test_what_could_not_be_delivered_goes_to_a_new_address(desk: TestDesk, sink: Sink) -> None:
    sink.refuse["bob@example.com"] = NOBODY
    desk.write("red", "press: Hello")
    desk.poll()
    desk.read()
    new = PLAYERS["blue"]._replace(address="bob@example.org")
    words = ("player", "address", "replace", "bob@example.com", new.address, "--reason", "lost")
    assert desk.run(*words).status == 0
    desk.poll()
    (question,) = [kept.raw for kept in sink.letters if kept.recipient == new.address]
    desk.send(answer_letter(email.message_from_bytes(question), new, "yes", desk.now))
    desk.poll()
    (passed_on,) = [kept for kept in sink.letters if b"Hello" in kept.raw and b"To: Alice" not in kept.raw]
    assert passed_on.recipient == new.address
    assert b"\r\nTo: Bob <bob@example.org>\r\n" in passed_on.raw
    assert desk.run("verify").status == 0


# Those whose words were not delivered


def test_the_writer_of_press_is_told_that_it_was_not_delivered(desk: TestDesk, sink: Sink) -> None:
    sink.refuse["bob@example.com"] = NOBODY
    desk.write("red", "press: Hello")
    desk.poll()
    desk.poll()
    assert any("Your words in oz-1 could not be delivered to Bob (Blue)." in text for text in texts(desk.read(), "red"))


def test_the_writer_of_a_challenge_is_told_that_it_was_not_delivered(desk: TestDesk, sink: Sink) -> None:
    sink.refuse["carol@example.org"] = "550 5.1.1 no such user"
    desk.write("red", "challenge carol@example.org")
    desk.poll()
    desk.write("red", "yes")
    desk.poll()
    desk.poll()
    told = texts(desk.read(), "red")
    assert any(re.search(r"The invitation to oz-2 could not be delivered to ", text) for text in told), told


@each("answer", ["552 5.2.2 mailbox full", "550 No thanks"])
def test_what_is_not_surely_about_the_address_is_tried_for_days(answer: str, desk: TestDesk, sink: Sink) -> None:
    sink.refuse["bob@example.com"] = answer
    desk.write("blue", "help")
    for _ in range(4):
        assert desk.poll(DAY) == (0, [])
    mend(sink)
    desk.poll(DAY)
    assert texts(desk.read(), "blue")
