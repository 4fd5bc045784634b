"""Deadlines as calendar entries (RFC 5545, RFC 5546).

The entries are written without a library, because importing one would cost every run that sends letters a tenth of a
second.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

_WIDTH = 75  # the maximum number of octets of a line, without its end (RFC 5545 §3.1)
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\;,"})


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """The entry for a game's deadline in one player's calendar.

    `uid` never changes for a game and player; `sequence` increases with each new version of their entry. `organizer` is
    the display name and the address of the desk. `written` and `due` have time zones. Calendars strike out an entry
    that is `cancelled`.
    """

    uid: str
    sequence: int
    organizer: tuple[str, str]
    written: datetime
    due: datetime
    summary: str
    description: str = ""
    cancelled: bool = False


def write(entry: CalendarEntry) -> bytes:
    """Return `entry` as a calendar of its own, in UTF-8 with CRLF line ends. Equal entries produce equal bytes.

    The entry is always published (RFC 5546 §3.2.1), even if it is cancelled, and is never an invitation, because there
    is nothing to accept. It has no end, so it takes up no time and does not show the player as busy. It has no alarm,
    because the desk sends reminders by mail, and calendars have alarms of their own.
    """
    return b"".join(map(_folded, _lines(entry)))


def sequence(raw: bytes) -> int:
    """Return the SEQUENCE (RFC 5545) of the calendar entry at the end of `raw`, a letter from the desk; 0 if the letter
    has no entry."""
    return int(next(reversed(re.findall(rb"^SEQUENCE:(\d{1,9})\r$", raw, re.MULTILINE)), 0))


def _lines(entry: CalendarEntry) -> Iterator[str]:
    name, address = entry.organizer
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//pbem//deadlines//EN"
    yield "METHOD:PUBLISH"
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(entry.uid)}"
    yield f"SEQUENCE:{entry.sequence:d}"
    yield f"DTSTAMP:{_moment(entry.written)}"
    yield f'ORGANIZER;CN="{_without_controls(name).replace(chr(34), chr(39))}":mailto:{quote(address, safe="@+")}'
    yield f"DTSTART:{_moment(entry.due)}"
    yield f"SUMMARY:{_text(entry.summary)}"
    if entry.description:
        yield f"DESCRIPTION:{_text(entry.description)}"
    yield f"STATUS:{'CANCELLED' if entry.cancelled else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"
    yield "END:VCALENDAR"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """Return `text` escaped as a value of type TEXT (RFC 5545 §3.3.11)."""
    return "\\n".join(map(_without_controls, text.strip().translate(_ESCAPED).splitlines()))


def _without_controls(text: str) -> str:
    """Return `text` without line ends and other control characters, so that a name cannot begin a new line."""
    return text if text.isprintable() else "".join(filter(str.isprintable, text))


def _folded(line: str) -> bytes:
    """Return the content line `line` folded into lines of at most 75 octets (RFC 5545 §3.1). No character is split."""
    data, lines, width = line.encode(), [], _WIDTH
    while len(data) > width:
        end = width
        while data[end] & 0xC0 == 0x80:  # in the middle of a character
            end -= 1
        lines.append(data[:end])
        data, width = data[end:], _WIDTH - 1
    return b"\r\n ".join((*lines, data)) + b"\r\n"
