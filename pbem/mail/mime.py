"""Parsing of letters into parts, whose headers and texts are decoded (RFC 2045-2047, RFC 5322).

The standard library's parser recurses into nested parts, tries every open boundary on every line, and raises an error
for unknown charsets. Nothing in this module recurses or raises, whatever the bytes are.
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = 65_536  # the maximum number of bytes of a part's header that are read
_PARTS = 50
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a letter. `header` maps each header's name, in lower case, to the unfolded values of all headers with
    that name.

    `kind` is the content type without parameters, such as "text/plain"; `whole` is False if the header was cut off.
    """

    header: dict[str, list[str]]
    kind: str
    body: bytes
    whole: bool

    def first(self, name: str) -> str:
        """Return the value of the first header called `name`, or ""."""
        return self.header.get(name, [""])[0]

    def parameter(self, name: str) -> str:
        """Return the parameter `name` of the content type, such as the charset, or ""."""
        value = r'(?:"([^"]{0,200})"|([^\s;"]{1,200}))'
        parameter = re.search(rf";\s*{name}\s*=\s*{value}", self.first("content-type")[:2_000], re.I)
        return (parameter[1] or parameter[2] or "") if parameter else ""

    @property
    def is_attachment(self) -> bool:
        """Whether the part is an attached file. Such a part never counts as the words of the letter's sender."""
        disposition = self.first("content-disposition").lower()
        return disposition.startswith("attachment") or "filename" in disposition or self.parameter("name") != ""

    @property
    def text(self) -> str:
        """The decoded body."""
        data = self.body
        encoding = self.first("content-transfer-encoding").strip().lower()
        if encoding == "quoted-printable":
            data = binascii.a2b_qp(data)
        elif encoding == "base64":
            data = _base64(data)
        return decode(data, self.parameter("charset"))


def parts(raw: bytes) -> Iterator[Part]:
    """Yield the letter `raw` itself and all parts within it, in order. Attached letters are not searched for parts.

    At most 50 parts, and ten levels of nesting, are read.
    """
    waiting = [(raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), 0)]
    for _ in range(_PARTS):
        if not waiting:
            return
        content, depth = waiting.pop()
        part = _part(content)
        inner: list[bytes] = []
        if part.kind.startswith("multipart/") and depth < _DEPTH:
            inner = _inner(part.body, part.parameter("boundary"))
        yield part
        waiting += [(piece, depth + 1) for piece in reversed(inner)]


def decode(data: bytes, charset: str = "") -> str:
    """Decode `data` with the declared `charset` if it is known and fits, otherwise as UTF-8 or, if that does not fit
    either, as windows-1252.

    Eight-bit text that is valid UTF-8 is decoded as UTF-8 even if a single-byte charset is declared, because any bytes
    fit a single-byte charset.
    """
    if data.isascii() and not (charset and charset.lower().startswith(("utf-16", "utf-32", "iso-2022", "hz"))):
        return data.decode("ascii")
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(name, "replace")
    for name in _charsets(charset.strip().lower(), data):
        try:
            return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    # Even damaged or truncated UTF-8 has more right characters than wrong ones.
    damaged = bad < sum(not char.isascii() for char in text) - bad
    return text if damaged else data.decode("windows-1252", "replace")


def decode_words(value: str) -> str:
    """Return the value of a header with its encoded words (RFC 2047) decoded."""
    if "=?" not in value:
        return value
    pieces: list[str] = []
    pending, charset, end = b"", "", 0
    for word in _ENCODED_WORD.finditer(value):
        between = value[end : word.start()]
        # A character may be split between two words of one charset, and blanks between words are ignored.
        if between.strip() or word[1].lower() != charset:
            pieces.append(decode(pending, charset))
            pending = b""
        if between.strip() or not end:
            pieces.append(between)
        charset, end = word[1].lower(), word.end()
        data = word[3].encode("utf-8", "replace")
        pending += binascii.a2b_qp(data, header=True) if word[2] in "qQ" else _base64(data)
    return "".join((*pieces, decode(pending, charset), value[end:]))


def _part(content: bytes) -> Part:
    header: dict[str, list[str]] = {}
    head, _, body = content.partition(b"\n\n")
    if content.startswith(b"\n"):
        head, body = b"", content[1:]
    elif not _HEADER_LINE.match(head):
        head, body = b"", content
    for line in _FOLD.sub(b" ", head[:_HEADER]).split(b"\n"):
        name, colon, value = line.partition(b":")
        if colon:
            header.setdefault(decode(name).strip().lower(), []).append(decode(value.strip()))
    kind = header.get("content-type", [""])[0].partition(";")[0].strip().lower()
    return Part(header, kind if "/" in kind else "text/plain", body, len(head) <= _HEADER)


def _inner(body: bytes, boundary: str) -> list[bytes]:
    """Split `body`, the body of a multipart, into its parts. The closing boundary may be missing."""
    delimiter = b"\n--" + boundary.encode("utf-8", "replace")
    text = b"\n" + body
    at = text.find(delimiter) if boundary else -1
    pieces, start = list[bytes](), -1
    while at >= 0:
        end = text.find(b"\n", at + 1)
        end = end if end >= 0 else len(text)
        rest = text[at + len(delimiter) : end].rstrip()
        if rest in (b"", b"--"):
            pieces += [text[start:at]] if start >= 0 else []
            start = end + 1
        if rest == b"--":
            return pieces[:_PARTS]
        at = text.find(delimiter, end)
    return [*pieces, text[start:]][:_PARTS] if start >= 0 else []


def _base64(data: bytes) -> bytes:
    """Decode base64 leniently: skip characters that do not belong to it, and stop at the first line with a space inside
    it, because this is ordinary text below the base64, such as the footer of a mailing list."""
    lines = data.split(b"\n")
    end = next((number for number, line in enumerate(lines) if b" " in line.strip()), len(lines))
    letters = _NOT_BASE64.sub(b"", b"".join(lines[:end]))
    return binascii.a2b_base64(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==")


def _charsets(declared: str, data: bytes) -> Iterator[str]:
    if declared.startswith(("utf-16", "utf-32")) and declared.count("-") == 1 and "e" not in declared[6:]:
        # Without a byte order mark, the zeros in Latin text give the byte order away.
        yield declared + ("be" if data[:200:2].count(0) > data[1:200:2].count(0) else "le")
    if _SINGLE_BYTE.match(declared):
        yield "utf-8"
    if _KNOWN.fullmatch(declared):
        yield _WIDER.get(declared, declared)
    yield "utf-8"


_HEADER_LINE = re.compile(rb"(?:>?From |[!-9;-~]{1,200}[ \t]*:)")
_FOLD = re.compile(rb"\n[ \t]+")
_ENCODED_WORD = re.compile(r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bqBQ])\?([^?]{0,2000})\?=")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_SINGLE_BYTE = re.compile(r"iso-?8859|windows-125|cp125|koi8|latin|us-ascii|ascii|mac")
# Programs that name the older charset mean the wider one (WHATWG Encoding, "Names and labels").
_WIDER = {
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii"), "windows-1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e"), "iso-8859-8"),  # with marks of direction (RFC 1556)
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis"), "cp932"),
    **dict.fromkeys(("ks_c_5601-1987", "euc-kr"), "cp949"),
}
# Only charsets are looked up as codecs: Python has codecs of other kinds, some of them slow.
_KNOWN = re.compile(
    r"utf-?(?:8|16|32)(?:[bl]e)?|us-ascii|ascii|latin-?\d{1,2}|iso[-_]?8859[-_]?\d{1,2}(?:-[ie])?|windows-\d{3,4}|cp-?\d{3,4}"
    r"|koi8-?[rut]|gb2312|gbk|gb18030|hz-gb-2312|hz|big5(?:-?hkscs)?|euc-?(?:jp|kr)|iso-2022-(?:jp|kr)(?:-\d)?"
    r"|shift[-_]?jis|sjis|ks_c_5601-1987|mac(?:roman|cyrillic|intosh)|tis-620|viscii"
)
