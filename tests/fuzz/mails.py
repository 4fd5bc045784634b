"""Letters as Hypothesis makes them: trees of parts, each with faults that programs, gateways and mischief make."""

from base64 import b64encode
from collections.abc import Callable
from quopri import encodestring

from hypothesis import strategies as st

CHARSETS = (
    "utf-8",
    "windows-1252",
    "koi8-r",
    "iso-2022-jp",
    "utf-16",
    "gb18030",
    "us-ascii",
    "x-none",
    "utf-8\x00",
    "",
)
LINES = (
    *("3 A to M", "Bomb EC", "> 9 Q to Z", ">> ", "-- ", "", "On Sat, 21 Nov 2026, Desk <desk@example.org> wrote:"),
    *(
        "== Answer above this line ==",
        "> == Answer above this line ==",
        "-----Original Message-----",
        "Von: x@y.example",
    ),
    *("Gesendet: 1. 1. 2026", "Betreff: x", "Sent from my iPhone", "Regards,", "Alice", "Tel +49 30 123456", "press:"),
    *(
        "5 А to М",
        "３ Ａ ｔｏ Ｍ",
        "3\xa0A to\u200bM",
        "\u202e3 A to M",
        "\x1b[31m3 A to M",
        "x" * 600,
        "\ud800",
        "end press",
    ),
)
TAGS = (
    *("<p>", "<br>", "<div>", "</div>", "<blockquote>", "</blockquote>", "<div class='gmail_quote'>", "<pre>"),
    *("<td>", "<div style='display:none'>", "<!--", "<script>", "<b>", "</i>", "<a href='", "&nbsp;", "&#0;"),
    *("<html>", "</body>"),
)
HEADERS = (
    *("Subject: =?utf-8?q?Re=0D=0A?= x", "Subject: oz-1", "From: b@example.com", "References: <a@b> <c@d>", "X" * 70),
    *("Message-ID: <x@y>", "In-Reply-To: <é@y>", "Auto-Submitted: auto-replied", "Return-Path: <>", "List-Id: <x>"),
    *(
        "Authentication-Results: mx; dkim=pass (",
        " folded",
        "\tfolded",
        "Precedence: bulk",
        ": no name",
        "To: a@b, c@d;",
    ),
)
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "7bit": bytes,
    "base64": b64encode,
    "quoted-printable": encodestring,
    "x-uuencode": bytes,
}
WHOLE = (
    *("text/plain", "text/plain; format=flowed", "text/html", "text/calendar; method=REPLY", "message/rfc822"),
    *("message/delivery-status", "image/png", "text/plain; name=x", 'text/plain; x="', "nonsense", ""),
)
MULTI = ("mixed", "alternative", "related", "signed", "report; report-type=delivery-status", "")


@st.composite
def _texts(draw: st.DrawFn) -> bytes:
    """A body: lines as people and programs write them, in some charset, perhaps not the one that will be declared."""
    lines = draw(st.lists(st.sampled_from((*LINES, *TAGS)) | st.text(max_size=40), max_size=12))
    text = draw(st.sampled_from(("\n", "\r\n", "\r", "<br>"))).join(lines)
    return text.encode(draw(st.sampled_from(("utf-8", "utf-16", "cp1252", "koi8-r"))), "ignore")


@st.composite
def _whole(draw: st.DrawFn) -> bytes:
    name, encode = draw(st.sampled_from(sorted(ENCODINGS.items())))
    kind, charset = draw(st.sampled_from(WHOLE)), draw(st.sampled_from(CHARSETS))
    head = [f"Content-Type: {kind}; charset={charset}", f"Content-Transfer-Encoding: {name}"]
    head += draw(st.lists(st.sampled_from(HEADERS), max_size=2))
    body = draw(_texts())
    return "\n".join(head).encode() + b"\n\n" + (encode(body) if draw(st.booleans()) else body)


def _multipart(children: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    @st.composite
    def one(draw: st.DrawFn) -> bytes:
        boundary = draw(st.sampled_from(("b", "b", "bb", "=_x", "")))
        said = boundary if draw(st.integers(0, 5)) else "another"
        parts = draw(st.lists(children, max_size=4))
        body = b"".join(b"--%s\n%s\n" % (boundary.encode(), part) for part in parts)
        end = b"--%s--\n" % boundary.encode() if draw(st.booleans()) else b""
        return f'Content-Type: multipart/{draw(st.sampled_from(MULTI))}; boundary="{said}"\n\n'.encode() + body + end

    return one()


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """A letter: a tree of parts under some headers, perhaps cut off, with a few bytes changed."""
    head = draw(st.lists(st.sampled_from(HEADERS), max_size=5))
    sender = draw(st.sampled_from(("Alice <alice@example.net>", "a@b, c@d", "=?utf-8?b?w4Q?= <x@y>", "((((", "<>")))
    tree = draw(st.recursive(_whole(), _multipart, max_leaves=6))
    raw = bytearray("\n".join((f"From: {sender}", *head, "")).encode("utf-8", "replace") + tree)
    for _ in range(draw(st.integers(0, 3))):
        if raw:
            raw[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
    return bytes(raw[: draw(st.none() | st.integers(0, len(raw)))])
