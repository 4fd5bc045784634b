"""What `letters.write` sends: the same bytes for the same draft, and the same letter for whoever reads them."""

import email
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage
from email.policy import default
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail import calendar, letters
from pbem.mail.letters import Draft, LetterError, write
from pbem.orders.reader import may_be_order
from support.each import each

read = partial(letters.read, is_order=may_be_order)

DRAFT = Draft(
    message_id="oz-17.7.red.k3f9@example.org",
    sender=("Ozymandia Desk", "desk@example.org"),
    to=("Alice", "alice@example.net"),
    reply_to="desk+k3f9a7q2m4x6z8b1@example.org",
    subject="Ozymandia oz-17 (Autumn League)",
    date=datetime(2026, 11, 21, 20, 59, tzinfo=timezone(timedelta(hours=1))),
    text=f"{letters.MARKER}\n\nTurn 6 is played.\n",
    html=f"<p>{letters.MARKER}</p>\n<p>Turn 6 is played.</p>\n",
    automatic="auto-generated",
    answers="a1@example.net",
    references=("oz-17@example.org", "a1@example.net"),
    list_id="autumn.desk.example.org",
)


def received(draft: Draft) -> EmailMessage:
    message = email.message_from_bytes(write(draft), policy=default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    assert not [defect for part in message.walk() for defect in part.defects]
    assert not [defect for header in message.values() for defect in header.defects]
    return message


def text_of(message: EmailMessage, subtype: str) -> str:
    part = message.get_body((subtype,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def unspaced(name: str) -> str:
    return "".join(name.split())


def name_in(message: EmailMessage, header: str) -> str:
    """The one display name, without blanks: Python leaves those between the encoded words of a name in."""
    (address,) = message[header].addresses
    return unspaced(address.display_name)


def test_a_whole_letter() -> None:
    boundary = "=_" + write(DRAFT).split(b"=_")[1].split(b'"')[0].decode()
    assert write(DRAFT).decode("ascii").replace(boundary, "BOUNDARY").split("\r\n") == [
        "Date: Sat, 21 Nov 2026 20:59:00 +0100",
        "Message-ID: <oz-17.7.red.k3f9@example.org>",
        "From: Ozymandia Desk <desk@example.org>",
        "To: Alice <alice@example.net>",
        "Reply-To: <desk+k3f9a7q2m4x6z8b1@example.org>",
        "Subject: Ozymandia oz-17 (Autumn League)",
        "In-Reply-To: <a1@example.net>",
        "References: <oz-17@example.org> <a1@example.net>",
        "Auto-Submitted: auto-generated",
        "X-Auto-Response-Suppress: All",
        "X-Loop: pbem",
        "List-Id: <autumn.desk.example.org>",
        "MIME-Version: 1.0",
        "Content-Type: multipart/alternative;",
        ' boundary="BOUNDARY"',
        "",
        "--BOUNDARY",
        "Content-Type: text/plain; charset=us-ascii",
        "Content-Transfer-Encoding: 7bit",
        "",
        "== Answer above this line ==",
        "",
        "Turn 6 is played.",
        "",
        "--BOUNDARY",
        "Content-Type: text/html; charset=us-ascii",
        "Content-Transfer-Encoding: 7bit",
        "",
        "<p>== Answer above this line ==</p>",
        "<p>Turn 6 is played.</p>",
        "",
        "--BOUNDARY--",
        "",
    ]


def test_the_same_draft_gives_the_same_bytes() -> None:
    assert write(DRAFT) == write(replace(DRAFT))
    assert write(DRAFT) != write(replace(DRAFT, text="other"))


def test_what_there_is_not_is_left_out() -> None:
    message = received(replace(DRAFT, answers=None, references=(), list_id=None))
    assert not {"In-Reply-To", "References", "List-Id"} & set(message)


def test_the_boundary_is_in_no_text() -> None:
    boundary = received(DRAFT).get_boundary()
    assert boundary is not None
    text = f"--{boundary}--\n"
    assert text_of(received(replace(DRAFT, text=text)), "plain") == text


@each(
    "name",
    [
        *("", "Alice", "O'Hara", "Doe, Alice", 'Al "the" Ice', "back\\slash", "a.b", "(x)", "x@y", "=?utf-8?q?x?="),
        *("Zoë Åström", "Иван", "織田", "😀" * 30, "a" * 200, "word " * 30 + "end", "Zoë" * 40, "Re: x;", "<b>"),
    ],
)
def test_display_names_of_all_kinds_arrive(name: str) -> None:
    draft = replace(DRAFT, to=(name, "alice@example.net"), sender=(name, "desk@example.org"))
    message = received(draft)
    assert (name_in(message, "To"), name_in(message, "From")) == (unspaced(name), unspaced(name))
    assert message["To"].addresses[0].addr_spec == "alice@example.net"
    if "@" not in name and "<" not in name:
        assert read(write(draft)).name == " ".join(name.split())[:100].strip()


@each(
    "subject",
    [
        *("", "Turn 7", "Zug 7 für Zoë", "Ход 7", "=?utf-8?q?x?=", " blanks  around ", "long " * 30 + "end"),
        *("é" * 200, "x" * 200, "a: b; c=<d>", "😀" * 60),
    ],
)
def test_subjects_of_all_kinds_arrive(subject: str) -> None:
    assert received(replace(DRAFT, subject=subject))["Subject"] == subject


def test_header_lines_are_folded_but_ids_never_broken() -> None:
    ids = tuple(f"{'k3f9a7q2' * 12}.{n}@example.org" for n in range(20))
    raw = write(replace(DRAFT, references=ids, answers=ids[0], subject="Zoë " * 50))
    head = raw.partition(b"\r\n\r\n")[0].decode("ascii")
    assert [line for line in head.split("\r\n") if len(line) > 78 and "k3f9a7q2k3f9" not in line] == []
    for one in ids:
        assert f"<{one}>" in head
    assert read(raw).references == (ids[0], *reversed(ids[1:]))


@pytest.mark.parametrize("bad", ["\r", "\n", "\r\nBcc: evil@example.com", "\0", "\x1b[31m", "\x7f"])
def test_no_header_takes_a_line_break_or_control_character(bad: str) -> None:
    for field in ("message_id", "subject", "reply_to", "answers", "list_id"):
        value = getattr(DRAFT, field)
        with pytest.raises(LetterError):
            write(replace(DRAFT, **{field: value + bad}))
    for draft in (
        replace(DRAFT, references=(f"a{bad}@example.org",)),
        replace(DRAFT, to=(f"Alice{bad}", "alice@example.net")),
        replace(DRAFT, to=("Alice", f"alice@example.net{bad}")),
        replace(DRAFT, sender=(f"Zoë{bad}", "desk@example.org")),
    ):
        with pytest.raises(LetterError):
            write(draft)


@pytest.mark.parametrize("address", ["", "alice", "a@b@c", "a b@example.net", "a@example.net, b@example.net", "<a@b>"])
def test_no_address_is_sent_to_that_is_none(address: str) -> None:
    with pytest.raises(LetterError):
        write(replace(DRAFT, to=("Alice", address)))


def test_a_date_without_a_zone_is_refused() -> None:
    with pytest.raises(LetterError, match="time zone"):
        write(replace(DRAFT, date=datetime(2026, 11, 21)))


@each(
    "text",
    [
        *("", "plain\n", "trailing blank \n", "tab\t\n", "From here on\n", "a\nFrom there\n", ".\n", "..\n", ".x\n"),
        *("x" * 2_000 + "\n", "ä\n", "ä" * 999 + "\n", "=\n", "a=20b\n", "- x\n", "--\n", "-- \nx\n", "\n\n", "é \n"),
        *("no end", "織田\nFrom ä\n. \n", "🎲" * 400 + "\n", "| a | b |\n> quoted\n", "é\n.\n"),
    ],
)
def test_texts_of_all_kinds_arrive(text: str) -> None:
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    message = received(replace(DRAFT, text=text, html=text))
    assert text_of(message, "plain") == whole
    assert not text or text_of(message, "html") == whole
    lines = write(replace(DRAFT, text=text)).split(b"\r\n")
    assert all(len(line) <= 998 and line == line.rstrip() and not line.startswith(b"From ") for line in lines)


@pytest.mark.parametrize("bad", ["\x80", "\x85", "\x9b", "\u202a", "\u202e", "\u2066", "\u2069"])
def test_nothing_in_a_text_turns_the_direction_of_writing_or_steers_a_terminal(bad: str) -> None:
    body = letters._body("plain", f"Red{bad} won.\n")
    assert body.endswith(letters._body("plain", "Red won.\n"))


def test_control_characters_are_left_out_of_texts() -> None:
    assert text_of(received(replace(DRAFT, text="a\x1b[31m\0b\rc\x0cd\x7f\n")), "plain") == "a[31mb\ncd\n"


def test_our_letter_is_read_as_an_automatic_one_of_our_own() -> None:
    seen = read(write(DRAFT))
    assert seen.automatic is not None
    assert (seen.sender, seen.name) == ("desk@example.org", "Ozymandia Desk")
    assert seen.message_id == DRAFT.message_id
    assert seen.references == ("a1@example.net", "oz-17@example.org")
    assert seen.text == ""


ENTRY = calendar.CalendarEntry(
    uid="oz-17.1@example.org",
    sequence=1,
    organizer=("Zoë's Desk", "desk@example.org"),
    written=datetime(2026, 11, 22, tzinfo=UTC),
    due=datetime(2026, 11, 29, 19, tzinfo=UTC),
    summary="Orders for turn 7",
    description="織田 " * 60,
)
CALENDAR = calendar.write(ENTRY)


def test_a_deadline_goes_along_as_a_file_beside_text_and_html() -> None:
    message = received(replace(DRAFT, calendar=CALENDAR))
    assert message.get_content_type() == "multipart/mixed"
    alternative, file = message.iter_parts()
    assert [part.get_content_type() for part in alternative.iter_parts()] == ["text/plain", "text/html"]
    assert file.get_content_type() == "text/calendar"
    assert (file["Content-Type"].params["method"], file["Content-Type"].params["charset"]) == ("PUBLISH", "utf-8")
    assert (file.get_content_disposition(), file.get_filename()) == ("attachment", "deadline.ics")
    assert file.get_payload(decode=True) == CALENDAR
    assert text_of(message, "plain") == DRAFT.text


def test_an_image_goes_along_with_the_html_that_shows_it() -> None:
    image = ("5f3a@example.org", bytes(range(256)) * 9)
    page = '<p>The map:</p>\n<img src="cid:5f3a@example.org" alt="Red: Mu 6.">\n'
    draft = replace(DRAFT, html=page, images=(image,), calendar=CALENDAR)
    alternative, _ = received(draft).iter_parts()
    plain, related = alternative.iter_parts()
    assert (plain.get_content_type(), related.get_content_type()) == ("text/plain", "multipart/related")
    assert related["Content-Type"].params["type"] == "text/html"
    html, file = related.iter_parts()
    assert html.get_content().replace("\r\n", "\n") == page
    assert (file.get_content_type(), file["Content-ID"]) == ("image/png", "<5f3a@example.org>")
    assert (file.get_content_disposition(), file.get_content()) == ("inline", image[1])
    raw = write(draft)
    assert letters.text_part(raw).replace("\r\n", "\n") == DRAFT.text
    assert letters.page_part(raw).replace("\r\n", "\n") == page
    assert write(replace(draft, html="")) == write(replace(draft, html="", images=()))


def test_a_plain_entry_goes_as_it_is() -> None:
    entry = calendar.write(replace(ENTRY, organizer=("Desk", "desk@example.org"), description=""))
    raw = write(replace(DRAFT, calendar=entry))
    assert b"Content-Type: text/calendar; method=PUBLISH; charset=us-ascii\r\n" in raw
    assert entry in raw


def test_the_letter_with_a_deadline_is_made_of_the_same_text() -> None:
    raw = write(replace(DRAFT, calendar=CALENDAR))
    assert raw == write(replace(DRAFT, calendar=CALENDAR))
    assert letters.text_part(raw).replace("\r\n", "\n") == DRAFT.text
    assert read(raw).text == ""


def test_an_answer_that_brings_the_deadline_back_is_read_as_any_other() -> None:
    """Some programs send the files of a letter back with the answer, some within its text."""
    _, file = received(replace(DRAFT, calendar=CALENDAR)).iter_parts()
    answer = EmailMessage()
    answer["From"] = "alice@example.net"
    answer.set_content("3 A to M\n\n" + "".join(f"> {line}\n" for line in CALENDAR.decode().splitlines()))
    answer.make_mixed()
    answer.attach(file)
    seen = read(answer.as_bytes())
    assert (seen.text.strip(), seen.automatic, seen.problems) == ("3 A to M", None, ())
    del file["Content-Disposition"]
    inline = read(answer.as_bytes())
    assert (inline.text.strip(), inline.automatic) == ("3 A to M", None)


PRINTABLE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=150)


@settings(deadline=None, max_examples=60)
@given(name=PRINTABLE, subject=PRINTABLE, text=st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))))
def test_whatever_is_written_is_received(name: str, subject: str, text: str) -> None:
    message = received(replace(DRAFT, to=(name, "alice@example.net"), subject=subject, text=text))
    assert name_in(message, "To") == unspaced(name)
    assert message["To"].addresses[0].addr_spec == "alice@example.net"
    assert message["Subject"] == subject
    assert text_of(message, "plain") == (f"{text}\n" if text else "")


def test_writing_is_fast_enough() -> None:
    draft = replace(DRAFT, text="A line of the report, some 60 characters long, I would say.\n" * 68)
    draft = replace(draft, html="<p>The same in HTML with <b>tags</b> and colours and äöü.</p>\n" * 130)
    start = time.process_time()
    for _ in range(100):
        write(draft)
    assert (time.process_time() - start) / 100 < 0.002  # usually 0.1 ms; the bound is for busy machines


def test_dates_are_written_with_their_zone() -> None:
    date = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert received(replace(DRAFT, date=date))["Date"].datetime == date
