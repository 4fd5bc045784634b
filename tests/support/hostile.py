"""Letters made to do harm, and checks for things that a letter must not contain after it was read."""

import hashlib
import re
from base64 import b64encode
from dataclasses import fields

import pytest

from pbem.mail import letters, quotes, sandbox
from pbem.mail.letters import Letter
from pbem.orders.reader import may_be_order

KB = 1_024


def letter(body: str | bytes = "hi", *headers: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    """A letter from Mallory; further headers are lines before the From."""
    content = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    head = (*headers, "From: Mallory <mallory@example.com>", f"Content-Type: {kind}", "")
    return "\r\n".join(head).encode("utf-8", "surrogatepass") + b"\r\n" + content


def page(html: str) -> bytes:
    return letter(html, kind="text/html; charset=utf-8")


def repeated(unit: str, size: int = 250 * KB) -> str:
    return unit * (size // len(unit.encode("utf-8", "surrogatepass")))


def nested(depth: int, kind: str = "multipart/mixed") -> bytes:
    heads = b"".join(b"Content-Type: %s; boundary=b%d\n\n--b%d\n" % (kind.encode(), n, n) for n in range(depth))
    return b"From: a@example.net\n" + heads + b"\n9 Q to Z"


def many_parts(number: int) -> bytes:
    return letter("--b\n\nx\n" * number + "--b--", kind="multipart/mixed; boundary=b")


def encoded(body: bytes, encoding: str, kind: str = "text/plain") -> bytes:
    return letter(body, f"Content-Transfer-Encoding: {encoding}", kind=kind)


DEEP = {
    "one element in another": page("<b>" * 43_000 + "</i>" * 32_000),
    "cells in items": page("<li><td>" * 16_000 + "</p>" * 30_000),
    "paragraphs that are closed by what they hold": page("<p><div>" * 9_000 + "<b>" * 20_000 + "</p>" * 20_000),
    "just deep enough, and ends of nothing": page("<div>" * 480 + "</p>" * 60_000),
}
"""Pages that would keep libxml2 busy for seconds: it searches all open elements for each one that is closed."""

ENDLESS = letter("This takes for ever.\n")


def hold_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, keep any process that reads ENDLESS busy for ever, without running any Python."""
    read = letters.read

    def reads(raw: bytes, sent: str = "", page: str = "", *, is_order: quotes.IsOrder) -> Letter:
        if raw.endswith(ENDLESS):
            hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
        return read(raw, sent, page, is_order=is_order)

    monkeypatch.setattr(letters, "read", reads)
    sandbox.shared_reader(may_be_order).close()  # the reader is a copy of this process from before the patch


STRUCTURE = {
    "nested parts": nested(1_500),
    "nested letters": nested(1_500, "message/rfc822"),
    "10,000 parts": many_parts(10_000),
    "parts of one boundary within each other": letter(
        "--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 5_000, kind="multipart/mixed; boundary=b"
    ),
    "boundaries that begin alike": letter(repeated("--" + "b" * 60 + "\n"), kind="multipart/mixed; boundary=b"),
    "a boundary of 60 kB": letter("x", kind=f"multipart/mixed; boundary={'b' * 60_000}"),
    "multipart without a boundary": letter("--\n--\n", kind="multipart/mixed"),
    "multipart with an empty boundary": letter("--\n--\n", kind='multipart/mixed; boundary=""'),
    "only a header": b"From: a@example.net",
    "nothing": b"",
    "one byte": b"\xff",
    "only line ends": b"\r\n" * 100_000,
    "only carriage returns": b"\r" * 250_000,
    "zeros": b"\0" * 300_000,
    "5 MB": letter(b"5 A to M\n" * 600_000),
}
HEADERS = {
    "a subject of 0.28 MB": letter("hi", "Subject: " + "x" * 280_000),
    "an encoded subject of 0.28 MB": letter("hi", "Subject: " + "=?utf-8?q?=41?= " * 17_500),
    "encoded words without end": letter("hi", "Subject: " + "=?utf-8?b?" * 6_000),
    "encoded words of ever new charsets": letter("hi", "Subject: " + " ".join(f"=?x{n}?q?a?=" for n in range(4_000))),
    "an encoded word of 60 kB": letter("hi", f"Subject: =?utf-8?b?{'QUFB' * 15_000}?="),
    "brackets in From": b"From: " + b"(" * 60_000 + b"\n\nhi",
    "quotes in From": b"From: " + b'"\\' * 30_000 + b"\n\nhi",
    "angles in From": b"From: " + b"<a@b" * 15_000 + b"\n\nhi",
    "commas in From": b"From: " + b"a@b, " * 12_000 + b"\n\nhi",
    "10,000 From headers": b"From: a@example.net\n" * 3_000 + b"\nhi",
    "10,000 headers": b"".join(b"X%d: y\n" % n for n in range(8_000)) + b"From: a@example.net\n\nhi",
    "addresses without end": letter("hi", "To: " + repeated("a.", 30 * KB), "Cc: " + repeated("a@b.", 30 * KB)),
    "references without end": letter("hi", "References: " + "<" * 30_000 + "a" * 30_000),
    "20,000 references": letter("hi", "References: " + "<a@b>" * 12_000),
    "a type without end": letter("hi", kind="text/plain; charset=" + ';a="' * 15_000),
    "a folded header": b"From: a@example.net\n" + b" x\n" * 20_000 + b"\nhi",
    "authentication without end": letter("hi", *["Authentication-Results: mx.example.org; " + "(" * 900] * 60),
}
ENCODINGS = {
    "quoted-printable of equal signs": encoded(b"=" * 250_000, "quoted-printable"),
    "quoted-printable of soft line ends": encoded(b"a=\n" * 80_000, "quoted-printable"),
    "base64 without end": encoded(b"QUFB" * 60_000, "base64"),
    "base64 of broken lines": encoded(b"Q\n" * 120_000, "base64"),
    "base64 of foreign characters": encoded(b"\xff!" * 120_000, "base64"),
    "base64 of base64": encoded(b64encode(b64encode(b"3 A to M" * 10_000)), "base64"),
    "uuencode": encoded(b"begin 644 x\n" + b"M" + b"`" * 60 + b"\n" * 60_000, "x-uuencode"),
    "an unknown encoding": encoded(b"x" * 250_000, "\x00../../etc/passwd"),
    **{
        f"{name} of anything": letter(bytes(range(256)) * 1_000, kind=f"text/plain; charset={name}")
        for name in ("utf-7", "utf-16", "utf-32", "iso-2022-jp", "iso-2022-kr", "hz", "gb18030", "big5", "euc-jp")
    },
    **{
        f"the codec {name}": letter(b"\\x41" * 50_000, kind=f"text/plain; charset={name}")
        for name in ("unicode_escape", "idna", "punycode", "zlib", "rot13", "base64", "undefined", "mbcs", "utf_8_sig")
    },
}
TEXTS = {
    "combining marks": letter("a" + "\u0301\u0323" * 30_000),
    "expanding characters": letter("\ufdfa" * 40_000),
    "lone surrogates": letter("3 A \ud800 to M\udfff\n" * 1_000),
    "nothing visible": letter("\u200b\u2060\ufeff\u00ad" * 20_000),
    "line separators": letter("\u2028\u2029\x85\x0b\x0c\x1c" * 10_000),
    **{
        f"64 kB of {unit!r} as {kind}": letter(repeated(unit, 64 * KB), kind=f"text/{kind}")
        for kind in ("plain", "plain; format=flowed")
        for unit in (
            *(
                "On ",
                "On\n",
                ">",
                "> ",
                ">\n",
                "-",
                "--\n",
                "- ",
                "From: ",
                "From: a\n",
                "a@",
                "@",
                "a",
                "\n",
                " ",
                " \n",
            ),
            *(
                "20:59 ",
                "_",
                "wrote: ",
                "On 1.1.2026 a@b\n",
                "a <a@b.c>\n",
                "|",
                "=",
                "А",
                "ё ",
                '"',
                "(",
                "sent from ",
            ),
            *("Original Message ", "Regards\n", "Regards\nTel 1\n", "user", "delivery ", "has been ", "> a b\nc\n"),
        )
    },
    **{
        f"a bounce of {unit!r}": letter(repeated(unit, 64 * KB), "Return-Path: <>", "Subject: Undelivered mail")
        for unit in ("user", "delivery ", "a.", "a@", "4.", "5.1.", "has been not ", "- original ", "will continue ")
    },
}
MARKUP = {
    "40,000 attributes": page("<p " + " ".join(f"a{n:x}=1" for n in range(40_000))[: 250 * KB] + ">x"),
    "entities within entities": page(
        '<!DOCTYPE x [<!ENTITY a "ha">'
        + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12))
        + "]><p>&m;"
    ),
    "an entity from a file": page('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>&a;'),
    "deep tables": page(repeated("<table><tr><td>")),
    "deep quotes": page(repeated("<blockquote>") + "9 Q to Z"),
    "styles": page(repeated(f'<p style="border:none;border-top:solid{" " * 900}">x')),
    "classes": page(repeated(f'<p class="{"a " * 500}">x')),
    "an attribute of 250 kB": page(f'<p style="{repeated("display: ")}">x'),
    **{
        f"250 kB of {unit!r}": page(repeated(unit))
        for unit in (
            *("<", "</", "<p>", "<b><p>", "<div>", "</div>", "<a ", "<a href=x>", "<p id=x class=y style=z name=w>"),
            *(
                "<td>x\n",
                "<form>",
                "<ul><li>",
                "<pre>\n",
                "<br>",
                "<script>",
                "<title>",
                "<select><option>",
                "<html a>",
            ),
            *(
                "<!--",
                "<!-- -",
                "<![CDATA[",
                "<?",
                "<!DOCTYPE ",
                "&",
                "&#",
                "&#1;",
                "&amp;",
                "<meta charset=utf-16>",
                "\0",
            ),
        )
    },
}
HOSTILE = STRUCTURE | HEADERS | ENCODINGS | TEXTS | MARKUP | DEEP
SOME_HOSTILE = STRUCTURE | HEADERS | ENCODINGS | dict(list(TEXTS.items())[:5]) | dict(list(MARKUP.items())[:8])
"""Some of each kind, for slower tests."""


def all_texts(letter: Letter) -> list[str]:
    """Every text in a letter."""
    values = [getattr(letter, field.name) for field in fields(letter) if field.name != "report"]
    if letter.report:
        values += [letter.report.status, letter.report.names]
    return [text for value in values for text in ([value] if isinstance(value, str) else value or ())]


def is_clean(letter: Letter) -> bool:
    """Return whether a letter contains only printable characters, with line ends only in its text.

    This excludes all control characters, marks of text direction, characters without width, and surrogates.
    """
    lines = [part for text in all_texts(letter) for part in (text.split("\n") if text is letter.text else [text])]
    return all(line.isprintable() for line in lines) and len(letter.text) <= 65_536


def escapes(text: str) -> list[str]:
    """The characters in a text that control a terminal: ESC and other control characters except line ends, and marks of
    direction."""
    return re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]", text)
