"""HTML of a letter -> text in lines, with quoted parts marked by ">", as a plain reply has them.

What mail programs say by structure is kept in the form that `ownwords` reads: a quote block becomes "> "
lines, a place below which all is the letter answered becomes our marker. Hidden elements and signatures are
left out.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pbem.ownwords import MARKER


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_NO_NAMES = _set("")
_SKIPPED = _set("head title style script template svg math object iframe select textarea button")
_BLOCKS = _set(
    "address article aside blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr"
    " li main nav ol p pre section table tbody tr ul"
)
# Classes, ids and names as programs give them; a second program may have put "x_" or "ecx" before them.
_QUOTES = _set("gmail_attr moz-cite-prefix yahoo_quoted mail_quote quoted_message quote tutanota_quote")
_BELOW = _set("appendonsend divrplyfwdmsg stopspelling outlookmessageheader mail-editor-reference-message-container")
_SIGNATURES = _set(
    "gmail_signature moz-signature signature ms-outlook-mobile-signature composer_signature mail_signature"
    " protonmail_signature_block applemailsignature front-signature bloop_sign"
)
_HIDDEN = re.compile(r"display:none|visibility:hidden|mso-hide:all|font-size:0(?:px|pt|em)?(?:;|$)")
_WORD_HEADER = re.compile(r"border:none;border-top:solid#?\w{1,20}1\.0pt")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MOST_QUOTES = 5


def html_text(html: str) -> str:
    """The visible text; "" for what is no HTML at all. Never raises for any text."""
    from lxml import etree

    page = _Page()
    target: Any = page
    with suppress(etree.LxmlError):
        etree.fromstring(html.encode("utf-8", "replace"), etree.HTMLParser(encoding="utf-8", target=target))
    return "\n".join(page.lines)


class _Page:
    """Lines as they grow while lxml reads a document: the target of its parser."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._open: list[bool] = []  # the elements that we are in, and whether each is a quote
        self._left_out = 0  # elements that we are in since one that is not to be read
        self._quotes = 0
        self._verbatim = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._left_out:
            self._left_out += 1
            return
        if tag in _BLOCKS:
            self._end_line()
        names = _names(attributes) if attributes else _NO_NAMES
        style = attributes["style"][:1_000].lower().replace(" ", "") if "style" in attributes else ""
        if tag in _SKIPPED or "hidden" in attributes or names & _SIGNATURES or (style and _HIDDEN.search(style)):
            self._left_out = 1
            return
        if names & _BELOW or (style and _WORD_HEADER.search(style)):
            self._end_line()
            self.lines.append("> " * min(self._quotes, _MOST_QUOTES) + MARKER)
        # A blockquote without a border is how programs indent a person's own lines.
        indented = "border:none" in style and attributes.get("type") != "cite"
        self._enter(tag, quote=bool(names & _QUOTES) if tag != "blockquote" else not indented)

    def _enter(self, tag: str, *, quote: bool) -> None:
        if tag == "br":
            self._end_line(blank=True)
        elif tag in ("td", "th"):
            self.data(" ")
        elif tag == "pre":
            self._verbatim += 1
        if quote:
            self._end_line()
            self._quotes += 1
        self._open.append(quote)

    def end(self, tag: str) -> None:
        if self._left_out:
            self._left_out -= 1
            return
        if tag in _BLOCKS:
            self._end_line()
        if tag == "pre":
            self._verbatim -= 1
        if self._open and self._open.pop():
            self._end_line()
            self._quotes -= 1

    def data(self, text: str) -> None:
        if self._left_out:
            return
        if not self._verbatim:
            text = _BLANKS.sub(" ", text)
            text = text if self._line else text.lstrip(" ")
            self._line += [text] if text else []
            return
        first, *rest = text.split("\n")
        self._line.append(first)
        for line in rest:
            self._end_line(blank=True)
            self._line.append(line)

    def close(self) -> None:
        self._end_line()

    def _end_line(self, blank: bool = False) -> None:
        """End the line that is being written, if there is one; `blank`: even an empty one."""
        if not (self._line or blank):
            return
        text = "".join(self._line).rstrip(" ")
        if text or blank:
            self.lines.append("> " * min(self._quotes, _MOST_QUOTES) + text)
        self._line.clear()


def _names(attributes: Mapping[str, str]) -> set[str]:
    found = [attributes[key] for key in ("class", "id", "name", "data-smartmail") if key in attributes]
    return {name.removeprefix("x_").removeprefix("ecx") for name in " ".join(found)[:500].lower().split()}
