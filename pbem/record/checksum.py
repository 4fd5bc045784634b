"""Texts that carry their own checksum: game records and exported JSON.

The checksum is the SHA-256, in 64 lower-case hexadecimal digits, of the whole text in UTF-8 with those digits left out
and each CRLF as LF. It stands after the word `checksum`, as in `[Checksum "…"]` or `"checksum": "…"`.
"""

import re
from hashlib import sha256

_CHECKSUM = re.compile(r"(?<=checksum)[\" :=]{1,4}([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
_CANDIDATES = 5  # somebody's own words may look like one, too; each costs a look at the whole text


def add_checksum(text: str, mark: str) -> str:
    """The text with its checksum after the first `mark`, such as `[Checksum "`. Raises ValueError without one."""
    head, found, tail = text.partition(mark)
    if not found:
        raise ValueError(f"no {mark!r} in the text")
    return f"{head}{mark}{_sum(head + mark + tail)}{tail}"


def intact(text: str) -> bool:
    """Whether a text is as it was when it got its checksum; False for one without a checksum, too."""
    candidates = (found.span(1) for _, found in zip(range(_CANDIDATES), _CHECKSUM.finditer(text), strict=False))
    return any(text[start:end] == _sum(text[:start] + text[end:]) for start, end in candidates)


def _sum(text: str) -> str:
    return sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()
