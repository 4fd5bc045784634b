"""Conversion of letters: from the bytes in the mailbox to a `Letter`, and from a `Draft` to the bytes to send.

Reading never raises, whatever the bytes are; text that is too long is cut off first, and `Letter.problems` says so.
Writing produces equal bytes for equal drafts (RFC 5322, RFC 2045-2047).
"""

import binascii
import hashlib
import re
from base64 import b64encode, encodebytes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal

from pbem import PbemError
from pbem.mail import automatic, htmltext, mime, phrases, quotes
from pbem.mail.addresses import find_addresses, is_address, read_sender

if TYPE_CHECKING:
    from pbem.mail.bounces import DeliveryReport

MARKER = quotes.MARKER

SEALS = "seals.txt"
"""The file name of the attachment with which players can prove that nothing was changed."""

MAX_BYTES = 262_144
"""The maximum number of bytes of a letter that are read."""

LONGEST_SUBJECT = 200
"""The maximum number of characters of a subject that are read."""

_HEAD = 70_000  # the number of bytes that is enough for a header of normal length


class LetterError(PbemError):
    """Raised for a draft that cannot become a letter, for example because of a line break in its subject."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that was read.

    `text` contains the writer's own words, without quotes, signature, or anything below our marker. `sender` is the
    address in the only From header, in lower case, or None, in which case `problems` contains the reason. `recipients`
    are all addresses to which the letter may have been sent, in lower case, the most certain first. `references` are
    the Message-IDs of answered letters, without angle brackets, newest first; `threaded` are those of them that do not
    come from the subject.

    `automatic` is the reason why the letter must not be answered (RFC 3834), or None. `subject` and `name` are decoded,
    on one line and without control characters; `subject` is also without Message-IDs. `authentication` contains the raw
    values of Authentication-Results, topmost first, for the module `authentication`. `report` is the content of a
    delivery report about a letter from the desk. `date` is the raw header, which may contain anything.

    `aside` are lines that were left out although nothing marks them as a signature or a quote; `worth_telling` are
    those of them that are not commonplace below letters. `halves` are lines that look like orders but appear in only
    one form of the letter, text or HTML.
    """

    sender: str | None
    name: str
    automatic: str | None
    recipients: tuple[str, ...]
    references: tuple[str, ...]
    threaded: tuple[str, ...]
    message_id: str | None
    subject: str
    text: str
    problems: tuple[str, ...]
    authentication: tuple[str, ...] = ()
    report: "DeliveryReport | None" = None
    date: str = ""
    aside: tuple[str, ...] = ()
    worth_telling: tuple[str, ...] = ()
    halves: tuple[str, ...] = ()

    @property
    def surely_automatic(self) -> bool:
        """Whether a machine declares that it wrote the letter (RFC 3834). If so, words in it that come from the desk's
        own letters are not orders."""
        return self.automatic in automatic.SURE


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter to be sent. Ids have no angle brackets; `sender` and `to` are each a display name and an address.

    `date` has a time zone; `html` may be "". `answers` is the id of the answered letter; `references` are the ids of
    the letters in its thread, oldest first. `list_id` (RFC 2919) has no angle brackets; `unsubscribe` is a `mailto:`
    link (RFC 2369) of plain characters. `calendar` comes from `pbem.mail.calendar`; `files` are pairs of a file name
    and a text to attach. `images` are PNG files, each with the Content-ID by which `html` refers to it.
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
    unsubscribe: str | None = None
    calendar: bytes | None = None
    files: tuple[tuple[str, str], ...] = ()
    images: tuple[tuple[str, bytes], ...] = ()


def read(raw: bytes, sent: str = "", page: str = "", *, is_order: quotes.IsOrder) -> Letter:
    """Read the letter `raw` from the mailbox. A line for which `is_order` returns true is not taken for part of a
    signature.

    `sent` is the text of the desk's letter that this letter answers; `page` is the HTML of that letter or, without any
    HTML, its text again. If a program quotes without marks, everything below the introduction of the quote counts as
    quoted, except lines that `sent` shows to be the writer's. If no words are left, whatever follows the end of `sent`
    counts as the writer's. If `page` is given, lines inside the quote that may be orders and are in neither `sent` nor
    `page` are added to `aside`.
    """
    problems = ["cut at 256 kB"] if len(raw) > MAX_BYTES else []
    parts = list(mime.parts(raw[:MAX_BYTES]))
    lines, text = _own_words(htmltext.lines(parts, problems), sent, is_order)
    halves: tuple[str, ...] = ()
    if forms := htmltext.both_forms(parts):
        plain, written = _own_words(forms.plain, sent, is_order)
        shown, seen = _own_words(forms.page, sent, is_order)
        less = quotes.only_in_text(written, shown, forms.struck, is_order)
        more = list(filter(is_order, quotes.only_in_page(seen, plain)))
        if seen and (more or (less and (forms.struck or any(map(is_order, seen.splitlines()))))):
            if any(map(is_order, written.splitlines())):  # otherwise the text contains no orders
                halves = (*less, *more)
            lines, text = shown, seen  # the writer saw the HTML
    letter, aside = _letter(parts, text[: htmltext.MAX_TEXT], problems), quotes.left_away(lines, text, sent)
    if page:
        ours = (sent, htmltext.html_text(page))
        known = (*text.splitlines(), *aside)
        within = quotes.written_within(lines, known, ours, is_order)
        aside = (*(line for line, lacks in zip(aside, phrases.added(aside, ours), strict=True) if lacks), *within)
    return replace(letter, aside=aside, worth_telling=quotes.worth_telling(aside), halves=halves)


def _own_words(lines: list[str], sent: str, is_order: quotes.IsOrder) -> tuple[list[str], str]:
    """Return two values: the `lines` of a letter, with any quotes of the letter `sent` marked, and the writer's own
    words in these lines."""
    if sent:
        lines = phrases.marked(lines, sent)
    text = quotes.own_words(lines, is_order)
    if sent and not text:
        text = quotes.own_words(phrases.below(lines, sent), is_order)
    return lines, text


def answered(raw: bytes) -> tuple[str, ...]:
    """Return the ids of the letters that the letter `raw` answers. They are those in `Letter.references`, but the text
    of the letter is not read."""
    return _answered(next(mime.parts(raw[:_HEAD])))


def text_part(raw: bytes) -> str:
    """Return the first text part of the letter `raw` unchanged. In a letter from the desk, this part is the letter's
    text."""
    return next((part.text for part in mime.parts(raw[:MAX_BYTES]) if part.kind == "text/plain"), "")


def page_part(raw: bytes) -> str:
    """Return the first HTML part of the letter `raw` unchanged."""
    return next((part.text for part in mime.parts(raw[:MAX_BYTES]) if part.kind == "text/html"), "")


def with_seals(raw: bytes) -> str:
    """Return the text of `raw`, a letter from the desk, followed by its file of seals."""
    texts = [part for part in mime.parts(raw) if part.kind == "text/plain"]
    files = [part for part in texts[1:] if SEALS in part.first("content-disposition") + part.first("content-type")]
    return "\n".join(part.text for part in (*texts[:1], *files))


def read_head(raw: bytes) -> Letter:
    """Read only the header of the letter `raw`, such as its sender, its recipients and its subject. The text may be
    unreadable."""
    return _letter(list(islice(mime.parts(raw[:_HEAD]), 1)), "", ["the text could not be read"])


def _letter(parts: list[mime.Part], text: str, problems: list[str]) -> Letter:
    letter = parts[0]
    sender, name = _sender(letter, problems)
    subject = " ".join(_SUBJECT_ID.sub("", _whole_subject(letter)).split())[:LONGEST_SUBJECT].strip()
    address = sender or next(iter(find_addresses(letter.first("from"))), "")
    machine, report = automatic.reason_of(parts, address, subject, text), None
    if machine:
        from pbem.mail.bounces import delivery_report  # people's letters do not need it

        report = delivery_report(parts, address, subject)
    return Letter(
        sender=sender,
        name=name,
        automatic=machine,
        recipients=_recipients(letter),
        references=_answered(letter),
        threaded=_threaded(letter),
        message_id=next(iter(_ids(letter.first("message-id"))), None),
        subject=subject,
        text="" if machine == automatic.REACTION else text,
        problems=tuple(problems),
        authentication=tuple(map(_clean, letter.header.get("authentication-results", ()))),
        report=report,
        date=letter.first("date")[:100],
    )


def write(draft: Draft) -> bytes:
    """Return `draft` as bytes with CRLF line ends. Equal drafts produce equal bytes.

    Raises LetterError for a draft that would not survive transport because of a line break or control character in a
    header, an invalid address or id, or a date without a time zone.
    """
    body = [_body("plain", draft.text), *([_body("html", draft.html)] if draft.html else [])]
    # Boundaries are derived from the contents, none of which can contain its own hash.
    files = [_file(name, "plain", text) for name, text in draft.files]
    boundary = "=_" + hashlib.sha256(b"\0".join((draft.message_id.encode(), *body, *files))).hexdigest()[:32]
    if draft.html and draft.images:
        related = _multipart('related; type="text/html"', f"r{boundary}", [body[1], *map(_image, draft.images)])
        body[1] = b"\r\n" + related
    letter = _multipart("alternative", boundary, body) if draft.html else body[0].removeprefix(b"\r\n")
    if draft.calendar is not None:
        # The entry is not one of the alternatives, because some programs would show it instead of the text.
        files.append(_file("deadline.ics", "calendar; method=PUBLISH", draft.calendar.decode()))
    if files:
        letter = _multipart("mixed", f"={boundary}", [b"\r\n" + letter, *files])
    return "".join(_headers(draft)).encode("ascii") + letter


def readdressed(raw: bytes, address: str) -> bytes:
    """Return `raw`, a letter from the desk, with `address` in To instead of any other address there."""
    head = raw[: raw.find(b"\r\n\r\n")]
    to = _TO.search(head)
    if to is None or to[1].decode("ascii").lower() == address.lower():
        return raw
    return raw[: to.start(1)] + address.encode() + raw[to.end(1) :]


def _answered(letter: mime.Part) -> tuple[str, ...]:
    """Return the ids of the letters that `letter` answers, with ids from its subject last. Some programs preserve no
    other ids."""
    ids = (match[0].strip("<>") for match in _SUBJECT_ID.finditer(_whole_subject(letter)))
    return _once((*_threaded(letter), *filter(_CLEAN_ID.fullmatch, ids)))


def _whole_subject(letter: mime.Part) -> str:
    """Return the subject of `letter`, including a Message-ID from the desk that may follow the writer's own words."""
    return _one_line(letter.first("subject"), 1_000)


def _threaded(letter: mime.Part) -> tuple[str, ...]:
    """Return the ids in In-Reply-To and References, newest first. The ids are decoded, because some programs encode
    long ids as if they were words."""
    values = (letter.first("in-reply-to"), " ".join(letter.header.get("references", [])))
    answers, thread = (_ids(mime.decode_words(value)) for value in values)
    return _once(answers + thread[::-1])


def _sender(letter: mime.Part, problems: list[str]) -> tuple[str | None, str]:
    """Return the only address in From, or None if it is missing or ambiguous, and the display name. The reason for None
    is added to `problems`."""
    values = letter.header.get("from", [])
    problem = ""
    if not letter.whole:
        problem = "the header is longer than 64 kB"
    elif len(values) != 1:
        problem = f"{len(values) or 'no'} From headers"
    else:
        # Some programs encode the whole line, although only the name may be encoded.
        value = values[0] if "@" in values[0] else mime.decode_words(values[0][:4_000])
        if mailbox := read_sender(value):
            name = _one_line(mailbox.name, 100)
            return mailbox.address.lower(), "" if "@" in name else name
        problem = "From is not exactly one address"
    problems.append(problem)
    return None, ""


def _recipients(letter: mime.Part) -> tuple[str, ...]:
    names = ("delivered-to", "x-original-to", "envelope-to", "x-gm-original-to", "to", "cc")
    values = " ".join(value for name in names for value in letter.header.get(name, []))
    return _once(map(str.lower, find_addresses(values)))


def _ids(value: str) -> list[str]:
    """Return the Message-IDs in angle brackets in `value`, in order. Programs separate them with blanks, with commas or
    not at all.

    Ids that the desk could not put into a header of its own are left out.
    """
    ids = ("".join(inside.split()) for inside in _ID.findall(value))
    return [message_id for message_id in ids if _CLEAN_ID.fullmatch(message_id)]


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _one_line(value: str, length: int) -> str:
    """Return the value of a header, decoded for people to read, on one line of at most `length` characters."""
    return _clean(mime.decode_words(value[:4_000]))[:length].strip()


def _clean(value: str) -> str:
    """Return `value` with whitespace collapsed, and without line ends, control characters, or characters that change
    the direction of writing."""
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
    if draft.unsubscribe:
        yield _header("List-Unsubscribe", f"<{_clean_id(draft.unsubscribe)}>")
    yield _header("MIME-Version", "1.0")


def _header(name: str, *words: str) -> str:
    """Return the header `name` with the value `words`, folded between words into lines of at most 76 characters, as far
    as the words allow."""
    whole = " ".join((f"{name}:", *words))
    if len(whole) <= 76:
        return f"{whole}\r\n"
    lines = [f"{name}:"]
    for word in words:
        if len(lines[-1]) + len(word) >= 76 and lines[-1] != f"{name}:":
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join(lines) + "\r\n"


@lru_cache(maxsize=256)  # the desk's mailbox is the same in all letters, and a player's in several
def _address(mailbox: tuple[str, str]) -> Sequence[str]:
    name, address = mailbox[0].strip(" "), mailbox[1]
    if not is_address(address):
        raise LetterError("Mail cannot be sent to or from an address of this letter: look for a typing error.")
    if not name:
        return [f"<{address}>"]
    if _PLAIN_NAME.fullmatch(name):
        return [name, f"<{address}>"]
    if name.isascii() and name.isprintable() and "=?" not in name:
        return ['"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"', f"<{address}>"]
    return [*_phrase("name", name), f"<{address}>"]


def _phrase(header: str, text: str) -> list[str]:
    """Return the words of `text` for a header, encoded (RFC 2047) if `text` is not plain ASCII. Raises LetterError if
    `text` contains a line break or control character."""
    if any(char < " " or char == "\x7f" for char in text):
        raise LetterError(f"The {header} of a letter holds a line break or control character.")
    if text.isascii() and "=?" not in text and "  " not in text and text == text.strip():
        return text.split(" ")
    return list(_encoded_words(text))


def _encoded_words(text: str) -> Iterator[str]:
    """Yield `text` as encoded words (RFC 2047) of at most 75 characters, without splitting any character between two
    words."""
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
    """Join `parts` into a multipart with its header and boundaries. Each part must begin with a line end."""
    head = _header("Content-Type", f"multipart/{subtype};", f'boundary="{boundary}"').encode("ascii")
    mark = f"\r\n--{boundary}".encode("ascii")
    return head + b"".join(mark + part for part in parts) + mark + b"--\r\n"


def _file(name: str, subtype: str, text: str) -> bytes:
    """Return `text` as an attachment called `name`. Raises LetterError if the name is not suitable."""
    if not _FILE_NAME.fullmatch(name):
        raise LetterError("A file of a letter has a name of small letters, digits, hyphens and a dot.")
    return f'\r\nContent-Disposition: attachment; filename="{name}"'.encode() + _body(subtype, text)


def _image(image: tuple[str, bytes]) -> bytes:
    """Return a PNG file, given with its Content-ID, as a part that is shown within the HTML."""
    cid, png = image
    head = (
        f"\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <{_clean_id(cid)}>\r\n"
        'Content-Disposition: inline; filename="map.png"\r\n\r\n'
    )
    return head.encode("ascii") + encodebytes(png).replace(b"\n", b"\r\n")


def _is_printable(text: str) -> bool:
    """Return whether `text` certainly contains no control characters except line ends."""
    return not text.encode().translate(None, _PRINTABLE) if text.isascii() else text.replace("\n", "").isprintable()


def _body(subtype: str, text: str) -> bytes:
    """Return `text` as a text part to be put below a boundary. The text is unchanged if it survives any mail server,
    otherwise it is quoted-printable."""
    # Most texts are printable, and checking that is quicker than removing control characters.
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


_ID = re.compile(r"<([^<>]{1,500})>")
_SUBJECT_ID = re.compile(r"<[^<>\s]{1,500}@[^<>\s]{1,255}>|(?<![^\s\[(])[^\s<>\[\]()]{40,500}@[^\s<>\[\]()]{1,255}")
_CLEAN_ID = re.compile(r"[!-;=?-~]{1,900}")
_TO = re.compile(rb"^To:(?:[^\r\n]*\r\n[ \t])*[^\r\n]*<([^<>\r\n]*)>(?=\r\n(?![ \t]))", re.M)
_FILE_NAME = re.compile(r"[a-z0-9-]{1,60}\.[a-z]{1,4}")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9 '!#$%&*+/^_`{|}~-]+")
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\n"
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
