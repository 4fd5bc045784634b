"""A desk that only its bare address reaches, behind a server that writes its own Message-IDs, as Amazon SES does."""

from email import message_from_bytes as message
from email.message import Message
from email.mime.text import MIMEText
from pathlib import Path

import pytest

from support.desks import TestDesk, flat, proof

SES = "<0100019a2b3c4d5e-0000@email.amazonses.com>"


@pytest.fixture
def desk(tmp_path: Path) -> TestDesk:
    """A game in which Red has got an invitation and accepted it."""
    desk = TestDesk(tmp_path / "desk", reply="none")
    desk.new_game()
    desk.quiet_poll()
    return desk


def rewritten(desk: TestDesk, seat: str, text: str, *, references: bool = True, subject: bool = True) -> MIMEText:
    """An answer by a mail program that has seen only the server's Message-ID, and perhaps keeps no References."""
    answer = desk.answer(seat, text)
    ours = desk.last[seat]
    del answer["In-Reply-To"], answer["References"]
    answer["In-Reply-To"] = SES
    answer["References"] = f"{ours['References']} {SES}" if references else SES
    if not subject:
        del answer["Subject"]
        answer["Subject"] = "my answer"
    return answer


def last_answer(desk: TestDesk, letter: Message) -> str:
    desk.send(letter)
    desk.quiet_poll()
    return flat(desk.last["red"])


def test_the_references_show_what_is_answered_where_a_server_has_replaced_the_message_id(desk: TestDesk) -> None:
    assert "receipt 1-1. 3 A to M" in last_answer(desk, rewritten(desk, "red", "3 A to M"))
    assert "Do you really want to resign" in last_answer(desk, rewritten(desk, "red", "please resign for me"))
    assert "<" not in desk.last["red"]["Subject"]
    last_answer(desk, rewritten(desk, "red", "yes"))
    assert any("resigned" in line for line in desk.run("game", "show", "oz-1").lines)


def test_without_references_the_subject_of_our_answer_shows_it(desk: TestDesk) -> None:
    asked = last_answer(desk, rewritten(desk, "red", "3 A to M", references=False))
    assert "3 A to M" in asked
    assert proof(desk.last["red"]) in desk.last["red"]["Subject"]
    assert "receipt 1-1. 3 A to M" in last_answer(desk, rewritten(desk, "red", "yes", references=False))
    assert "receipt 1-2, which replaces receipt 1-1. 2 A to AC" in last_answer(
        desk, rewritten(desk, "red", "2 A to AC", references=False)
    )


def test_without_references_and_subject_letters_say_what_to_do_and_do_not_go_in_circles(desk: TestDesk) -> None:
    last_answer(desk, rewritten(desk, "red", "3 A to M", references=False))
    told = last_answer(desk, rewritten(desk, "red", "yes", references=False, subject=False))
    assert "does not say which game it means" in told
    told = last_answer(desk, rewritten(desk, "red", "yes", references=False))
    assert "1 a held letter with your address" in told
    assert "leave the subject as it is" in told
    assert "receipt 1-1. 3 A to M" in last_answer(desk, rewritten(desk, "red", "yes 1", references=False))


def test_nobody_elses_token_is_in_a_letter(desk: TestDesk) -> None:
    last_answer(desk, rewritten(desk, "red", "3 A to M", references=False))
    last_answer(desk, rewritten(desk, "red", "yes\npress: gl", references=False))
    last_answer(desk, rewritten(desk, "red", "press: see my subject", references=False))
    desk.send(rewritten(desk, "blue", "Pass"))
    desk.quiet_poll()
    sent = [(letter["To"], letter.as_string()) for letter in map(message, desk.post.sent())]
    tokens = {to: {proof(letter) for letter in map(message, desk.post.sent()) if letter["To"] == to} for to, _ in sent}
    for to, text in sent:
        others = set().union(*(theirs for other, theirs in tokens.items() if other != to)) - tokens[to]
        assert not [token for token in others if token in text]
