"""The parts of a letter -> the lines that it says: of its text, or of its HTML where that tells more."""

import re
from collections.abc import Sequence

from pbem.mail import mime, plaintext
from pbem.mail.htmltext import html_text, shallow

MAX_TEXT = 65_536
"""Characters that are read."""

_LINES = 1_000


def lines(parts: Sequence[mime.Part], problems: list[str]) -> list[str]:
    """What a letter says, quotes and all: the lines of the part that carries the writer's words.

    Adds to `problems` what was left out.
    """
    inline = [part for part in parts if not part.is_attachment]
    plain = "\n".join(_unflowed(part) for part in inline if part.kind == "text/plain")
    whole = [part.text for part in inline if part.kind == "text/html"]
    pages = list(map(shallow, whole))
    if pages != whole:
        problems.append("cut where its HTML is nested too deeply")
    if pages and (_is_stub(plain, pages[0]) or _has_lost_its_lines(plain, pages[0])):
        plain = "\n".join(map(html_text, pages))
    elif not any(part.kind == "text/plain" for part in inline):
        problems.append("no text part")
    if len(plain) > MAX_TEXT:
        problems.append("cut at 64 kB of text")
    said = plaintext.normalise(plain[:MAX_TEXT])
    if len(said) > _LINES:
        problems.append("cut at 1,000 lines")
    return said[:_LINES]


def _unflowed(part: mime.Part) -> str:
    if part.parameter("format").lower() == "flowed":
        return plaintext.unflow(part.text, part.parameter("delsp").lower() == "yes")
    return part.text


def _is_stub(plain: str, page: str) -> bool:
    """Whether the text part only stands in for the HTML: what it begins with is not found there."""
    import html  # with all names of characters, which most letters do without

    if len(plain) > 1_000:
        return False
    said = re.sub(r"\W", "", plain).casefold()
    shown = re.sub(r"\W", "", html.unescape(_TAG.sub("", page))).casefold()
    return not said or (said[:20] not in shown and len(said) <= len(shown))


def _has_lost_its_lines(plain: str, page: str) -> bool:
    """Whether the text part is the HTML without its line ends, as some phones make it."""
    return sum(map(bool, map(str.strip, plain.splitlines()))) <= 2 and len(_BREAK.findall(page[:MAX_TEXT])) > 2


_TAG = re.compile(r"<[^<>]{0,1000}>")
_BREAK = re.compile(r"<(?:br|div|p|li|tr)\b", re.I)
