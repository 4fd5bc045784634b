"""Conversion of HTML letters into lines of text in which ">" marks quoted parts, as in plain replies.

In HTML, elements mark what is quoted. For the module `quotes`, a quote block is converted into lines that begin with
">". Some elements show that everything below them is the answered letter; our marker is inserted above these elements.
Hidden elements and signatures are left out.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.mail import mime, plaintext
from pbem.mail.quotes import MARKER


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_NOTHING = _set("")
_SKIPPED = _set("head title style script template svg math object iframe select textarea button signature s strike del")
_STRUCK = _set("s strike del")
_BLOCKS = _set(
    "address article aside blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr"
    " li main nav ol p pre section table tbody tr ul"
)
# Classes, ids and names that mail programs use, in lower case.
_BELOW = _set(
    "appendonsend divrplyfwdmsg stopspelling outlookmessageheader mail-editor-reference-message-container"
    " ms-outlook-mobile-reference-message"
)
_QUOTES = _set(
    "gmail_attr gmail_quote_attribution moz-cite-prefix reply-intro moz-forward-container quoted-content __headers__"
    " original-content _originalcontent xm_mail_oringinal_describe domino-section olk_src_body_section"
)
_AROUND_QUOTE = re.compile(r"(?:^|[_-])(?:block)?quoted?(?:$|[_-])|^messagereplysection$|^cite$")
_SIGNATURE = re.compile(r"signature|(?:^|[_-])sig(?:$|[_-])|^bloop_sign$")
_PREFIX = re.compile(r"(?:x_|ecx|ydp\w{1,12}?(?=yahoo))+")  # prefixes added by programs that quoted the letter
_HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|font-size:0(?:px|pt|em)?(?:;|$)|text-decoration[a-z-]*:line-through"
)
_WORD_HEADER = re.compile(r"border:none;border-top:solid#?\w{1,20}1\.0pt|border-style:solidnonenone;")
_NAMING = ("class", "id", "name", "data-smartmail", "data-marker")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MOST_QUOTES = 5
_DEPTH = 500
_PIECE = 1_000


def shallow(html: str) -> str:
    """Return the page `html`, cut off where more elements are open at once than in the letters of any mail program.
    Never raises.

    At each unmatched closing tag, libxml2 may search all open elements, which takes seconds for a page of 256 kB.
    """
    if html.count("<") <= _DEPTH:
        return html
    from lxml import etree

    depth = _Depth()
    target: Any = depth
    parser = etree.HTMLParser(target=target)
    with suppress(etree.LxmlError):
        for start in range(0, len(html), _PIECE):
            parser.feed(html[start : start + _PIECE].encode("utf-8", "replace"))
            if depth.now > _DEPTH:
                return html[:start].rpartition("<")[0]
    return html


def html_text(html: str) -> str:
    """Return the visible text of the page `html`; "" if it is not HTML. Never raises."""
    return "\n".join(_read_page(html).lines)


def _read_page(html: str) -> "_Page":
    from lxml import etree

    page = _Page()
    target: Any = page
    with suppress(etree.LxmlError):
        etree.fromstring(html.encode("utf-8", "replace"), etree.HTMLParser(encoding="utf-8", target=target))
    return page


class _Depth:
    """A target for lxml's parser that counts the elements that are open."""

    def __init__(self) -> None:
        self.now = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.now += 1

    def end(self, tag: str) -> None:
        self.now -= 1

    def close(self) -> None:
        pass


class _Page:
    """A target for lxml's parser that collects the lines of a page."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.struck: list[str] = []  # texts that are crossed out
        self._is_struck = False
        self._line: list[str] = []
        self._open: list[bool] = []  # for each open element, whether it is a quote
        self._around: list[int] = []  # the indexes of open elements around a quote
        self._left_out = 0  # depth below a skipped element, counting the element itself
        self._quotes = 0
        self._verbatim = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._left_out:
            self._left_out += 1
            return
        if tag in _BLOCKS:
            self._end_line()
        kinds = _kinds_of(attributes) if attributes else _NOTHING
        style = attributes["style"][:1_000].lower().replace(" ", "") if "style" in attributes else ""
        signature = "signature" in kinds and tag != "br"
        if tag in _SKIPPED or "hidden" in attributes or signature or (style and _HIDDEN.search(style)):
            self._left_out = 1
            self._is_struck = tag in _STRUCK or "line-through" in style
            return
        if "below" in kinds or (style and _WORD_HEADER.search(style)):
            self._end_line()
            self.lines.append("> " * min(self._quotes, _MOST_QUOTES) + MARKER)
        if tag == "blockquote":
            self._end_attribution()
            # Some programs indent the writer's own words with a blockquote that lacks a border or has a special class.
            is_own = "border:none" in style or "own" in kinds
            self._enter(tag, quote=not is_own or attributes.get("type") == "cite")
        elif "around" in kinds:
            self._around.append(len(self._open))
            self._enter(tag, quote=True)
        else:
            self._enter(tag, quote="quote" in kinds)

    def _end_attribution(self) -> None:
        """Stop treating an element around a quote as quoted when the quote itself begins, because text that follows the
        quote in the same element may be the writer's answer."""
        if self._around and self._around[-1] == len(self._open) - 1 and self._open[-1]:
            self._open[-1] = False
            self._end_line()
            self._quotes -= 1

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
        if self._around and self._around[-1] == len(self._open):
            self._around.pop()

    def data(self, text: str) -> None:
        if self._left_out:
            self.struck += [text] if self._is_struck else []
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
        """End the current line if it has text or, if `blank` is true, even if it is empty."""
        if not (self._line or blank):
            return
        text = "".join(self._line).rstrip(" ")
        if text or blank:
            self.lines.append("> " * min(self._quotes, _MOST_QUOTES) + text)
        self._line.clear()


def _kinds_of(attributes: Mapping[str, str]) -> frozenset[str]:
    """Return the kinds of an element (see `_meaning`), judging by its class, id and name and by the attributes that
    mail programs add."""
    names = [attributes[key] for key in _NAMING if key in attributes]
    names += [key for key in attributes if key.startswith("data-")]
    return _meaning(" ".join(names)[:500]) if names else _NOTHING


@lru_cache(maxsize=256)  # the elements of a letter have few different names
def _meaning(names: str) -> frozenset[str]:
    """Return the kinds of an element, judging by its `names`: "below" (the answered letter follows), "quote", "around"
    (an element around a quote), "signature", and "own" (newly written text; programs that quote the text change this
    name)."""
    words = {_PREFIX.sub("", name) for name in names.lower().split()}
    kinds = {
        "below": bool(words & _BELOW),
        "quote": bool(words & _QUOTES),
        "around": any(map(_AROUND_QUOTE.search, words)) and not words & _QUOTES,
        "signature": any(map(_SIGNATURE.search, words)),
        "own": "elementtoproof" in names.lower().split(),
    }
    return frozenset(kind for kind, applies in kinds.items() if applies)


MAX_TEXT = 65_536
"""The maximum number of characters of text that are read."""

_LINES = 1_000


def lines(parts: Sequence[mime.Part], problems: list[str]) -> list[str]:
    """Return the lines of the part of a letter that contains the writer's words, including quotes.

    A description of anything that was left out is added to `problems`.
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
    body = plaintext.normalise(plain[:MAX_TEXT])
    if len(body) > _LINES:
        problems.append("cut at 1,000 lines")
    return body[:_LINES]


class Forms(NamedTuple):
    """The two forms of a letter, which should have the same content: the lines of its text (`plain`), the lines of its
    HTML (`page`), and the text that is crossed out in the HTML (`struck`)."""

    plain: list[str]
    page: list[str]
    struck: str


def both_forms(parts: Sequence[mime.Part]) -> Forms | None:
    """Return the two forms of a letter, given its parts; None if the letter does not have both."""
    kinds = [part.kind for part in parts if not part.is_attachment]
    if "multipart/alternative" not in kinds or not kinds.count("text/plain") == kinds.count("text/html") == 1:
        return None
    plain, html = (
        next(part for part in parts if part.kind == kind and not part.is_attachment)
        for kind in ("text/plain", "text/html")
    )
    page = _read_page(shallow(html.text))
    texts = (_unflowed(plain), "\n".join(page.lines), " ".join(page.struck))
    lines, shown, struck = (plaintext.normalise(text[:MAX_TEXT])[:_LINES] for text in texts)
    return Forms(lines, shown, "\n".join(struck))


def _unflowed(part: mime.Part) -> str:
    if part.parameter("format").lower() == "flowed":
        return plaintext.unflow(part.text, part.parameter("delsp").lower() == "yes")
    return part.text


def _is_stub(plain: str, page: str) -> bool:
    """Return whether the text part `plain` is only a placeholder for the HTML part `page`: `plain` is empty, or it is
    short and its beginning does not occur in `page`."""
    import html  # knows all character references; most letters do not need it

    if len(plain) > 1_000:
        return False
    plain_text = re.sub(r"\W", "", plain).casefold()
    page_text = re.sub(r"\W", "", html.unescape(_TAG.sub("", page))).casefold()
    return not plain_text or (plain_text[:20] not in page_text and len(plain_text) <= len(page_text))


def _has_lost_its_lines(plain: str, page: str) -> bool:
    """Return whether the text part `plain` lacks the line ends that the HTML part `page` has, as in letters from some
    phones."""
    return sum(map(bool, map(str.strip, plain.splitlines()))) <= 2 and len(_BREAK.findall(page[:MAX_TEXT])) > 2


_TAG = re.compile(r"<[^<>]{0,1000}>")
_BREAK = re.compile(r"<(?:br|div|p|li|tr)\b", re.I)
