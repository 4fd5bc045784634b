"""Our own letter in an answer to it is not the writer's, whatever a mail program has done to its lines."""

from textwrap import fill

import pytest

from pbem.mail import letters
from pbem.mail.phrases import marked
from pbem.mail.quotes import own_words
from pbem.orders.reader import may_be_order
from support.each import each

SENT = """== Answer above this line ==

Your orders for turn 1 are in: receipt 1-1.

  3 M to S

+------Mu------+  +---Shalomar---+
| M      Red 3 |==| S            |
+--------------+  +--------------+

The seal of these orders is the SHA-256 of the line below it.

Red   3bf42e57a08063381ffd4ebba212f763e94453ec90567fc4e286ee2d168807d5

This desk ran 2026-11-23 16:08 UTC, for the first time.
"""
NEWS = SENT.partition("\n\n")[2]
FLAT = " ".join(SENT.split())
QUOTES = {
    "as it is": SENT,
    "on one line": FLAT,
    "in short lines": fill(FLAT, 40),
    "in long lines": fill(FLAT, 90),
    "each of its lines broken": "\n".join(fill(line, 30) for line in SENT.split("\n")),
    "each of its paragraphs on a line": "\n".join(" ".join(one.split()) for one in SENT.split("\n\n")),
    "without its first line": NEWS,
    "without its first line, on one line": " ".join(NEWS.split()),
}
INTRODUCTIONS = {
    "none": "",
    "English": "On Sat, 21 Nov 2026 at 12:00, Desk <gm@example.org> wrote:\n",
    "German": "Am 21.11.2026 um 12:00 schrieb Desk:\n",
    "a block": 'Gesendet: Samstag, 21. November 2026 um 12:00 Uhr\nVon: "Desk" <gm@example.org>\nAn: a@example.net\n'
    "Betreff: oz-1\n\n",
}


def text(body: str) -> tuple[str, tuple[str, ...]]:
    head = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    letter = letters.read(f"{head}{body}".encode(), SENT, is_order=may_be_order)
    return letter.text, tuple(line for line in letter.aside if line in FLAT)


@each("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
@each("quote", QUOTES.values(), ids=QUOTES)
def test_what_we_wrote_is_not_the_writers(quote: str, introduction: str) -> None:
    assert text(f"2 A to M\n\n{introduction}{quote}") == ("2 A to M", ())
    assert text(f"{introduction}{quote}\n\n2 A to M") == ("2 A to M", ())


@pytest.mark.parametrize("introduction", list(INTRODUCTIONS.values())[:3])
def test_it_is_told_from_the_writers_words_in_the_same_line(introduction: str) -> None:
    assert text(f"2 A to M {introduction.strip()} {FLAT} Thanks!") == ("2 A to M\nThanks!", ())


def test_words_between_its_lines_are_the_writers() -> None:
    answered = NEWS.replace("Red   3bf", "2 A to M\n\nRed   3bf")
    assert text(answered)[0] == "2 A to M"


@pytest.mark.parametrize(
    "own",
    [
        "3 M to S",
        "Your orders for turn 1 are in: receipt 1-1.\n2 A to M",
        "The seal of these orders is the SHA-256 of the line below it.",
        f"{FLAT[:150]}\n\n2 A to M",
    ],
)
def test_what_does_not_go_on_to_its_end_may_be_a_copy_of_a_part(own: str) -> None:
    assert marked(own.split("\n"), SENT) == own.split("\n")


def test_marked_lines_stay_as_they_are() -> None:
    quoted = [f"> {line}" for line in SENT.split("\n") if line]
    assert marked(["2 A to M", "", *quoted], SENT) == ["2 A to M", "", *quoted]


@pytest.mark.parametrize(
    "headers",
    [
        "Gesendet: Samstag, 21. November 2026 um 12:00 Uhr Von: Desk\n<gm@example.org> An: a@example.net Betreff: oz-1",
        "Gesendet: Samstag, 21. November 2026 um 12:00 Uhr\nVon: Desk <gm@example.org> An: a@example.net Betreff: oz-1",
        "Gesendet: Samstag, 21. November 2026 um\n12:00 Uhr\nVon: Desk\nAn: a@example.net\nBetreff: oz-1",
        "From: Desk <gm@example.org> Sent: Saturday, November 21, 2026 12:00 PM To: a@example.net Subject: oz-1",
        "От: Desk <gm@example.org> Дата: 21.11.2026 12:00\nКому: a@example.net Тема: oz-1",
    ],
)
def test_headers_that_a_program_has_joined_begin_a_quote(headers: str) -> None:
    assert own_words(f"2 A to M\n\n{headers}\n\n3 M to S".split("\n"), may_be_order) == "2 A to M"
    assert own_words(f"2 A to M\n\nFrom: A to: M\n{headers[:9]}".split("\n"), may_be_order).startswith("2 A to M\n\nF")


def test_words_of_the_writers_with_which_our_answer_begins_are_theirs() -> None:
    said = "address bob@example.com is eve@example.org"
    sent = f"== Answer above this line ==\n\n`{said}` was not done.\n\nThis desk ran 2026-11-21 12:10 UTC.\n"
    for quote in (sent, " ".join(sent.split()), "> " + "\n> ".join(sent.split("\n"))):
        assert own_words(marked([said, "", *quote.split("\n")], sent), may_be_order) == said


@pytest.mark.parametrize("how", QUOTES)
def test_what_our_letter_begins_with_is_the_writers_where_it_stands_above_the_letter(how: str) -> None:
    line = "address bob@example.com is new@example.com"
    sent = f"== Answer above this line ==\n\n`{line}` was not done.\n\n{NEWS}"
    quoted = QUOTES[how].replace(" ".join(SENT.split()), " ".join(sent.split())).replace(SENT, sent)
    assert marked([line, "", *quoted.splitlines()], sent)[0] == line
