"""Letters: bytes as the mailbox has them -> `Letter`, and `Draft` -> bytes as they are sent.

Reading never raises, whatever the bytes: what is too long is cut before it is looked into, and
`Letter.problems` says so. Writing gives the same bytes for the same draft (RFC 5322, RFC 2045-2047).
"""

import binascii
import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal

from pbem import PbemError
from pbem.mail import automatic, htmltext, mime, phrases, quotes

if TYPE_CHECKING:
    from pbem.mail.bounces import DeliveryReport

MARKER = quotes.MARKER

SEALS = "seals.txt"
"""What goes along with a letter of ours to prove that nothing was changed."""

MAX_BYTES = 262_144
"""What is read of a letter."""

_HEAD = 70_000  # bytes in which a header ends that is not too long


class LetterError(PbemError):
    """A draft that cannot be a letter, such as one with a line break in its subject."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What came. `text` is the writer's own words: no quotes, no signature, nothing below our marker.

    `sender` is the one address of exactly one From header, in lower case; None if there is no such, and
    `problems` says why. `recipients` are all addresses it may have been written to, in lower case, the surest
    first. `references` are message ids without angle brackets, the newest first. `automatic` says why nobody
    should answer (RFC 3834), or is None. `subject` and `name` are decoded, one line, without controls.
    `authentication` has the values of Authentication-Results as they came, the topmost first, for
    pbem.mail.authentication. `report` is what an automatic letter says of a letter of ours that could not be delivered.
    `date` is what the header of that name says, which may be anything. `aside` are lines left away without a mark, and
    `worth_telling` those of them that do not stand below letters as a matter of course.
    """

    sender: str | None
    name: str
    automatic: str | None
    recipients: tuple[str, ...]
    references: tuple[str, ...]
    message_id: str | None
    subject: str
    text: str
    problems: tuple[str, ...]
    authentication: tuple[str, ...] = ()
    report: "DeliveryReport | None" = None
    date: str = ""
    aside: tuple[str, ...] = ()
    worth_telling: tuple[str, ...] = ()

    @property
    def surely_automatic(self) -> bool:
        """Whether a machine says that it has written this: then our own words in it are no orders (RFC 3834)."""
        return self.automatic in automatic.SURE


@dataclass(frozen=True, slots=True)
class Draft:
    """What we send. Ids are without angle brackets, `sender` and `to` are (display name, address).

    `date` is aware; `html` may be ""; `answers` is the id of the letter answered, `references` are those of the thread,
    the oldest first. `calendar` is what `pbem.mail.calendar` writes; `files` are texts that go along, with their names.
    """

    message_id: str
    sender: tuple[str, str]
    to: tuple[str, str]
    reply_to: str
    subject: str
    date: datetime
    text: str
    html: str
    automatic: Literal["auto-generated", "auto-replied"]
    answers: str | None = None
    references: tuple[str, ...] = ()
    list_id: str | None = None
    calendar: bytes | None = None
    files: tuple[tuple[str, str], ...] = ()


def read(raw: bytes, sent: str = "", *, is_order: quotes.IsOrder) -> Letter:
    """Read a letter as it lies in the mailbox; `is_order` says which lines may be more than a signature.

    Where a program quotes without marks, all below the introduction counts as quoted, but for what `sent` tells apart,
    the text of our letter that this one answers. If that leaves nothing, what stands below its end is the writer's.
    """
    problems = ["cut at 256 kB"] if len(raw) > MAX_BYTES else []
    parts = list(mime.parts(raw[:MAX_BYTES]))
    lines = htmltext.lines(parts, problems)
    if sent:
        lines = phrases.marked(lines, sent)
    text = quotes.own_words(lines, is_order)
    if sent and not text:
        text = quotes.own_words(phrases.below(lines, sent), is_order)
    letter, aside = _letter(parts, text[: htmltext.MAX_TEXT], problems), quotes.left_away(lines, text, sent)
    return replace(letter, aside=aside, worth_telling=quotes.worth_telling(aside))


def answered(raw: bytes) -> tuple[str, ...]:
    """The ids of the letters that a letter says it answers, as its `references`: all that its header is read for."""
    return _answered(next(mime.parts(raw[:_HEAD])))


def text_part(raw: bytes) -> str:
    """The first text part of a letter, as it stands: what a letter of ours said."""
    return next((part.text for part in mime.parts(raw[:MAX_BYTES]) if part.kind == "text/plain"), "")


def with_seals(raw: bytes) -> str:
    """What a letter of ours said, and the file of its seals below it; older letters have them in their text."""
    texts = [part for part in mime.parts(raw) if part.kind == "text/plain"]
    files = [part for part in texts[1:] if SEALS in part.first("content-disposition") + part.first("content-type")]
    return "\n".join(part.text for part in (*texts[:1], *files))


def read_head(raw: bytes) -> Letter:
    """Who wrote a letter that cannot be read, to whom and about what: all but its text."""
    return _letter(list(islice(mime.parts(raw[:_HEAD]), 1)), "", ["the text could not be read"])


def _letter(parts: list[mime.Part], text: str, problems: list[str]) -> Letter:
    letter = parts[0]
    sender, name = _sender(letter, problems)
    subject = _one_line(letter.first("subject"), 200)
    address = sender or next(iter(_ADDR_SPEC.findall(letter.first("from"))), "")
    machine, report = automatic.sign(parts, address, subject), None
    if machine:
        from pbem.mail.bounces import delivery_report  # which people's letters do not need

        report = delivery_report(parts, address, subject)
    return Letter(
        sender=sender,
        name=name,
        automatic=machine,
        recipients=_recipients(letter),
        references=_answered(letter),
        message_id=next(iter(_ids(letter.first("message-id"))), None),
        subject=subject,
        text=text,
        problems=tuple(problems),
        authentication=tuple(map(_clean, letter.header.get("authentication-results", ()))),
        report=report,
        date=letter.first("date")[:100],
    )


def write(draft: Draft) -> bytes:
    """The letter as bytes with CRLF line ends, the same for the same draft.

    Raises LetterError for a draft that would not survive the way: a line break or control character in a
    header, an address or id that is none, a date without a zone.
    """
    body = [_body("plain", draft.text), *([_body("html", draft.html)] if draft.html else [])]
    # Made from the contents: no text can hold its own hash.
    files = [_file(name, "plain", text) for name, text in draft.files]
    boundary = "=_" + hashlib.sha256(b"\0".join((draft.message_id.encode(), *body, *files))).hexdigest()[:32]
    letter = _multipart("alternative", boundary, body) if draft.html else body[0].removeprefix(b"\r\n")
    if draft.calendar is not None:
        # A file beside the letter: as one more alternative some programs would show it instead of the text.
        files.append(_file("deadline.ics", "calendar; method=PUBLISH", draft.calendar.decode()))
    if files:
        letter = _multipart("mixed", f"={boundary}", [b"\r\n" + letter, *files])
    return "".join(_headers(draft)).encode("ascii") + letter


def _answered(letter: mime.Part) -> tuple[str, ...]:
    values = (
        letter.first("in-reply-to"),
        " ".join(letter.header.get("references", [])),
        _one_line(letter.first("subject"), 200),
    )
    answers, thread, subject = map(_ids, values)
    return _once(answers + thread[::-1] + subject)


def _sender(letter: mime.Part, problems: list[str]) -> tuple[str | None, str]:
    """The one address and the display name of From, or None: an ambiguous sender is none."""
    values = letter.header.get("from", [])
    problem = ""
    if not letter.whole:
        problem = "the header is longer than 64 kB"
    elif len(values) != 1:
        problem = f"{len(values) or 'no'} From headers"
    elif len(values[0]) > 1_000 or not (mailbox := _MAILBOX.fullmatch(values[0].strip())):
        problem = "From is not exactly one address"
    else:
        quoted = re.sub(r"\\(.)", r"\1", mailbox["quoted"] or "")
        name = _one_line(f"{quoted} {mailbox['atoms'] or ''} {mailbox['comment'] or ''}", 100)
        address = mailbox["address"] or mailbox["bare"]
        return address.lower(), "" if "@" in name else name
    problems.append(problem)
    return None, ""


def _recipients(letter: mime.Part) -> tuple[str, ...]:
    names = ("delivered-to", "x-original-to", "envelope-to", "x-gm-original-to", "to", "cc")
    values = " ".join(value for name in names for value in letter.header.get(name, []))
    return _once(address.lower() for address in _ADDR_SPEC.findall(values))


def _ids(value: str) -> list[str]:
    """Message ids in angle brackets, in order; programs separate them by blanks, commas or nothing.

    Those that could not stand in a header of ours are left out.
    """
    ids = ("".join(inside.split()) for inside in _ID.findall(value))
    return [message_id for message_id in ids if _CLEAN_ID.fullmatch(message_id)]


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _one_line(value: str, length: int) -> str:
    """A header's value as text for people: decoded, blanks single, nothing unprintable."""
    return _clean(mime.decode_words(value[:4_000]))[:length].strip()


def _clean(value: str) -> str:
    """Blanks single, nothing unprintable: no line ends, no controls, nothing that turns the direction of writing."""
    return "".join(filter(str.isprintable, " ".join(value.split())))


def _headers(draft: Draft) -> Iterator[str]:
    if draft.date.tzinfo is None:
        raise LetterError("The date of a letter needs a time zone.")
    references = [f"<{_clean_id(reference)}>" for reference in draft.references]
    yield _header("Date", format_datetime(draft.date))
    yield _header("Message-ID", f"<{_clean_id(draft.message_id)}>")
    yield _header("From", *_address(draft.sender))
    yield _header("To", *_address(draft.to))
    yield _header("Reply-To", *_address(("", draft.reply_to)))
    yield _header("Subject", *_phrase("Subject", draft.subject))
    if draft.answers:
        yield _header("In-Reply-To", f"<{_clean_id(draft.answers)}>")
    if references:
        yield _header("References", *references)
    yield _header("Auto-Submitted", draft.automatic)
    yield _header("X-Auto-Response-Suppress", "All")
    yield _header("X-Loop", automatic.LOOP)
    if draft.list_id:
        yield _header("List-Id", f"<{_clean_id(draft.list_id)}>")
    yield _header("MIME-Version", "1.0")


def _header(name: str, *words: str) -> str:
    """A header folded between words into lines of at most 76 characters, where the words allow it."""
    whole = " ".join((f"{name}:", *words))
    if len(whole) <= 76:
        return f"{whole}\r\n"
    lines = [f"{name}:"]
    for word in words:
        if len(lines[-1]) + len(word) >= 76 and lines[-1] != f"{name}:":
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join(lines) + "\r\n"


@lru_cache(maxsize=256)  # ours is the same in all letters, and a player's in several
def _address(mailbox: tuple[str, str]) -> Sequence[str]:
    name, address = mailbox[0].strip(" "), mailbox[1]
    if not _ADDR_SPEC.fullmatch(address):
        raise LetterError("Mail cannot be sent to or from an address of this letter: look for a typing error.")
    if not name:
        return [f"<{address}>"]
    if _PLAIN_NAME.fullmatch(name):
        return [name, f"<{address}>"]
    if name.isascii() and name.isprintable() and "=?" not in name:
        return ['"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"', f"<{address}>"]
    return [*_phrase("name", name), f"<{address}>"]


def _phrase(header: str, text: str) -> list[str]:
    """Text for people as words of a header; encoded (RFC 2047) where it is not plain ASCII."""
    if any(char < " " or char == "\x7f" for char in text):
        raise LetterError(f"The {header} of a letter holds a line break or control character.")
    if text.isascii() and "=?" not in text and "  " not in text and text == text.strip():
        return text.split(" ")
    return list(_encoded_words(text))


def _encoded_words(text: str) -> Iterator[str]:
    """RFC 2047 words of at most 75 characters, no character broken between two of them."""
    chunk = b""
    for char in text:
        data = char.encode("utf-8", "replace")
        if len(chunk) + len(data) > 42:
            yield f"=?utf-8?b?{b64encode(chunk).decode('ascii')}?="
            chunk = b""
        chunk += data
    yield f"=?utf-8?b?{b64encode(chunk).decode('ascii')}?="


def _clean_id(value: str) -> str:
    if not _CLEAN_ID.fullmatch(value):
        raise LetterError("An id of a letter holds something else than plain characters.")
    return value


def _multipart(subtype: str, boundary: str, parts: list[bytes]) -> bytes:
    """Parts that begin with their line end, with a head and the boundary around them."""
    head = _header("Content-Type", f"multipart/{subtype};", f'boundary="{boundary}"').encode("ascii")
    mark = f"\r\n--{boundary}".encode("ascii")
    return head + b"".join(mark + part for part in parts) + mark + b"--\r\n"


def _file(name: str, subtype: str, text: str) -> bytes:
    """A text as a file that goes along."""
    if not _FILE_NAME.fullmatch(name):
        raise LetterError("A file of a letter has a name of small letters, digits, hyphens and a dot.")
    return f'\r\nContent-Disposition: attachment; filename="{name}"'.encode() + _body(subtype, text)


def _is_printable(text: str) -> bool:
    """Whether a text surely has no controls but line ends."""
    return not text.encode().translate(None, _PRINTABLE) if text.isascii() else text.replace("\n", "").isprintable()


def _body(subtype: str, text: str) -> bytes:
    """A text part below its boundary: as it is where that survives any mail server, else quoted-printable."""
    # Mostly it is printable, and to see that takes less time than to look for more.
    lines = (text if _is_printable(text) else _CONTROLS.sub("", text)).encode("utf-8", "replace").splitlines()
    data = b"\r\n".join((*lines, b""))
    fragile = [*map(bytes.rstrip, lines)] != lines or (
        b"From " in data and any(line.startswith(b"From ") for line in lines)
    )
    if data.isascii() and not fragile and max(map(len, lines), default=0) <= 998:
        charset, encoding = "us-ascii", "7bit"
    else:
        charset, encoding = "utf-8", "quoted-printable"
        data = binascii.b2a_qp(data, istext=True).replace(b"\nFrom ", b"\n=46rom ")
        data = b"=46" + data[1:] if data.startswith(b"From ") else data
    head = f"\r\nContent-Type: text/{subtype}; charset={charset}\r\n"
    return f"{head}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode("ascii") + data


_LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]"
_DOMAIN = r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}"
_ADDR_SPEC = re.compile(rf"(?<!{_LOCAL}){_LOCAL}{{1,64}}@{_DOMAIN}")
# "=?" would be an encoded word, which some programs decode within an address.
_EXACT = rf"(?![^@]*=\?){_LOCAL}{{1,64}}@{_DOMAIN}"
_ATOMS = r'[^<>@,;:"()\\]{0,600}'
_COMMENT = r"\([^()<>@]{0,200}\)"
_MAILBOX = re.compile(
    rf'(?:"(?P<quoted>(?:[^"\\]|\\.){{0,200}})")?(?P<atoms>{_ATOMS}(?:{_COMMENT})?) *'
    rf"< *(?P<address>{_EXACT}) *>(?: *{_COMMENT})?"
    rf"|(?P<bare>{_EXACT}) *(?:\((?P<comment>[^()<>@]{{0,200}})\))?"
)
_ID = re.compile(r"<([^<>]{1,500})>")
_CLEAN_ID = re.compile(r"[!-;=?-~]{1,900}")
_FILE_NAME = re.compile(r"[a-z0-9-]{1,60}\.[a-z]{1,4}")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9 '!#$%&*+/^_`{|}~-]+")
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\n"
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
