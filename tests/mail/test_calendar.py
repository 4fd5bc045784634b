"""The deadline as an entry for the player's calendar, read by a library that others rely on."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar, Event

from pbem.mail import calendar as ical
from pbem.mail.calendar import CalendarEntry
from support.each import each

ENTRY = CalendarEntry(
    uid="oz-17.1@desk.example.org",
    sequence=3,
    organizer=("Ozymandia Desk", "desk@example.org"),
    written=datetime(2026, 11, 22, 15, 58, tzinfo=UTC),
    due=datetime(2026, 11, 29, 20, 0, tzinfo=timezone(timedelta(hours=1))),
    summary="Ozymandia oz-17: orders for turn 7",
    description="Answer the report of turn 6 with your orders.",
)


def received(entry: CalendarEntry) -> Event:
    """The one event of the one calendar."""
    calendar = Calendar.from_ical(ical.write(entry))
    assert (calendar["VERSION"], calendar["METHOD"], calendar["PRODID"]) == ("2.0", "PUBLISH", "-//pbem//deadlines//EN")
    assert calendar.errors == []
    (event,) = calendar.subcomponents
    assert isinstance(event, Event)
    assert (event.errors, event.subcomponents) == ([], [])
    return event


def test_a_whole_entry():
    assert ical.write(ENTRY).decode("ascii").split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "UID:oz-17.1@desk.example.org",
        "SEQUENCE:3",
        "DTSTAMP:20261122T155800Z",
        'ORGANIZER;CN="Ozymandia Desk":mailto:desk@example.org',
        "DTSTART:20261129T190000Z",
        "SUMMARY:Ozymandia oz-17: orders for turn 7",
        "DESCRIPTION:Answer the report of turn 6 with your orders.",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_a_calendar_reads_the_deadline():
    event = received(ENTRY)
    assert event.decoded("DTSTART") == event.end == datetime(2026, 11, 29, 19, 0, tzinfo=UTC)
    assert event.decoded("DTSTAMP") == datetime(2026, 11, 22, 15, 58, tzinfo=UTC)
    assert (event["UID"], event["SEQUENCE"], event["STATUS"]) == ("oz-17.1@desk.example.org", 3, "CONFIRMED")
    assert (event["ORGANIZER"], event["ORGANIZER"].params["CN"]) == ("mailto:desk@example.org", "Ozymandia Desk")


def test_nobody_is_invited():
    assert not {"ATTENDEE", "RSVP"} & set(received(ENTRY))


def test_a_later_entry_replaces_the_earlier_one_and_the_last_is_cancelled():
    later = received(replace(ENTRY, sequence=4, due=ENTRY.due + timedelta(days=3)))
    last = received(replace(ENTRY, sequence=5, cancelled=True))
    assert later["UID"] == last["UID"] == received(ENTRY)["UID"]
    assert [event["SEQUENCE"] for event in (received(ENTRY), later, last)] == [3, 4, 5]
    assert last["STATUS"] == "CANCELLED"


@each(
    "text",
    [
        *(
            "a, b; c",
            "back\\slash",
            "back\\nslash",
            "x\nSTATUS:CANCELLED",
            "x\r\nEND:VEVENT\r\nBEGIN:VEVENT",
            "Zoë",
            "織田",
        ),
        *(
            'say "yes"',
            "a:b",
            "é" * 200,
            "a" * 500,
            "a " * 200 + "z",
            "\\",
            "\\;",
            "two\n\nlines",
            "^n",
            "%0D%0A",
            "😀" * 60,
        ),
    ],
)
def test_texts_arrive_and_add_no_property(text):
    event = received(replace(ENTRY, summary=text, description=text, uid=f"{text}@x"))
    assert event["SUMMARY"] == event["DESCRIPTION"] == text.replace("\r\n", "\n")
    assert set(event) == set(received(ENTRY))


@pytest.mark.parametrize(
    ("name", "arrives"),
    [
        ('The "best" desk', "The 'best' desk"),
        ("a;b:c,d", "a;b:c,d"),
        ("x\r\nATTENDEE:mailto:e@example.org", "xATTENDEE:mailto:e@example.org"),
        ("Zoë", "Zoë"),
        ("", ""),
    ],
)
def test_the_name_of_the_desk_stays_within_its_quotes(name, arrives):
    event = received(replace(ENTRY, organizer=(name, "desk+a@example.org\r\nX:y")))
    assert event["ORGANIZER"].params["CN"] == arrives
    assert event["ORGANIZER"] == "mailto:desk+a@example.org%0D%0AX%3Ay"
    assert set(event) == set(received(ENTRY))


@settings(deadline=None, max_examples=60)
@given(text=st.text(max_size=300))
def test_whatever_is_written_lines_are_short_and_whole(text):
    raw = ical.write(replace(ENTRY, summary=text, description=text * 3, organizer=(text, "desk@example.org")))
    lines = raw.split(b"\r\n")
    assert lines.pop() == b""
    assert all(0 < len(line) <= 75 and b"\n" not in line and b"\r" not in line and line.decode() for line in lines)
    unfolded = raw.replace(b"\r\n ", b"").decode()
    assert [line.partition(":")[0].partition(";")[0] for line in unfolded.splitlines()] == [
        *("BEGIN", "VERSION", "PRODID", "METHOD", "BEGIN", "UID", "SEQUENCE", "DTSTAMP", "ORGANIZER", "DTSTART"),
        *("SUMMARY", *(["DESCRIPTION"] if text else []), "STATUS", "TRANSP", "END", "END"),
    ]


def test_the_sequence_of_a_letter_is_read_from_its_entry_whatever_its_text_says():
    assert ical.sequence(b"") == 0
    assert ical.sequence(b"SEQUENCE:99\r\n" + ical.write(replace(ENTRY, sequence=5000))) == 5000
