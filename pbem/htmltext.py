"""HTML of a letter -> text in lines, with quoted parts marked by ">", as a plain reply has them.

What mail programs say by structure is kept in the form that `ownwords` reads: a quote block becomes "> "
lines, a place below which all is the letter answered becomes our marker. Hidden elements and signatures are
left out.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.ownwords import MARKER

if TYPE_CHECKING:
    from lxml.etree import _Element


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


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
    " protonmail_signature_block applemailsignature"
)
_HIDDEN = re.compile(r"display:none|visibility:hidden|mso-hide:all|font-size:0(?:px|pt|em)?(?:;|$)")
_WORD_HEADER = re.compile(r"border:none;border-top:solid#?\w{1,20}1\.0pt")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MOST_QUOTES = 5


def html_text(html: str) -> str:
    """The visible text; "" for what is no HTML at all. Never raises for any text."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(html.encode("utf-8", "replace"), parser)
    except etree.LxmlError:
        return ""
    if root is None:
        return ""
    page = _Page()
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            page.leave(element)
        elif not page.enter(element):
            walk.skip_subtree()
    page.end_line()
    return "\n".join(page.lines)


class _Page:
    """Lines as they grow while the elements of a document are entered and left."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._quotes = 0
        self._verbatim = 0

    def enter(self, element: "_Element") -> bool:
        """Write what stands before an element's children; False if they are not to be read."""
        tag = str(element.tag)
        if tag == "br":
            self.end_line(blank=True)
        elif tag in _BLOCKS:
            self.end_line()
        elif tag in ("td", "th"):
            self._write(" ")
        if tag in _SKIPPED or _is_hidden(element):
            return False
        if _is_below(element):
            self._write(MARKER)
            self.end_line()
        if _is_quote(element):
            self.end_line()
            self._quotes += 1
        self._verbatim += tag == "pre"
        self._write(element.text or "")
        return True

    def leave(self, element: "_Element") -> None:
        tag = str(element.tag)
        left_out = tag in _SKIPPED or _is_hidden(element)
        if tag in _BLOCKS:
            self.end_line()
        if not left_out:
            if _is_quote(element):
                self.end_line()
                self._quotes -= 1
            self._verbatim -= tag == "pre"
        self._write(element.tail or "")

    def _write(self, text: str) -> None:
        if not self._verbatim:
            text = _BLANKS.sub(" ", text)
            text = text if self._line else text.lstrip(" ")
            self._line += [text] if text else []
            return
        first, *rest = text.split("\n")
        self._line.append(first)
        for line in rest:
            self.end_line(blank=True)
            self._line.append(line)

    def end_line(self, blank: bool = False) -> None:
        """End the line that is being written, if there is one; `blank`: even an empty one."""
        text = "".join(self._line).rstrip(" ")
        if text or blank:
            self.lines.append("> " * min(self._quotes, _MOST_QUOTES) + text)
        self._line.clear()


def _names(element: "_Element") -> Iterator[str]:
    for attribute in ("class", "id", "name", "data-smartmail"):
        for name in element.get(attribute, "").lower().split()[:20]:
            yield name.removeprefix("x_").removeprefix("ecx")


def _style(element: "_Element") -> str:
    return element.get("style", "")[:1_000].lower().replace(" ", "")


def _is_hidden(element: "_Element") -> bool:
    if not element.attrib:
        return False
    return (
        "hidden" in element.attrib
        or bool(_HIDDEN.search(_style(element)))
        or not _SIGNATURES.isdisjoint(_names(element))
    )


def _is_below(element: "_Element") -> bool:
    if not element.attrib:
        return False
    return not _BELOW.isdisjoint(_names(element)) or bool(_WORD_HEADER.search(_style(element)))


def _is_quote(element: "_Element") -> bool:
    """A quote block; a blockquote without a border is how programs indent a person's own lines."""
    if element.tag == "blockquote":
        indented = "border:none" in _style(element) and element.get("type") != "cite"
        return not indented
    return bool(element.attrib) and not _QUOTES.isdisjoint(_names(element))
