"""A letter as a mail program shows it, as an SVG picture: its headers, and below them its HTML part as XHTML."""

import re
from base64 import b64encode
from email import message_from_bytes
from email.message import Message
from email.policy import default
from html import escape
from html.parser import HTMLParser

WIDTH, HEIGHT = 680, 1400
"""Pixels. The height leaves room for wider fonts than ours."""
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
HIDDEN = re.compile(r'<div style="display:none.*?</div>\n?', re.S)
SHOWN = ("From", "To", "Subject")


class _Xhtml(HTMLParser):
    """Rewrites HTML as XHTML without link targets, because they contain keys that differ in each run."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pairs = "".join(f' {name}="{escape(value or name)}"' for name, value in attrs if name != "href")
        self.written.append(f"<{tag}{pairs}{'/' * (tag in VOID)}>")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.written.append(escape(data, quote=False))


def picture(letter: Message) -> str:
    """Draw a letter that has an HTML part."""
    parsed = message_from_bytes(letter.as_bytes(), policy=default)
    part = parsed.get_body(("html",))
    assert part, "the letter has no HTML part"
    html = HIDDEN.sub("", part.get_content())
    for image in parsed.walk():
        if image.get_content_type() == "image/png":
            data = b64encode(image.get_content()).decode("ascii")
            html = html.replace(f"cid:{image['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")
    parser = _Xhtml()
    parser.feed(_inside("body", html))
    parser.close()
    rows = "\n".join(f"<div>{name}: <b>{escape(str(parsed[name]))}</b></div>" for name in SHOWN)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH * 4 // 5}">
<foreignObject width="{WIDTH}" height="{HEIGHT}">
<div xmlns="http://www.w3.org/1999/xhtml" class="page" style="height:{HEIGHT - 2}px;border:1px solid #80868b;\
border-radius:8px;overflow:hidden;color:#202124;background:#ffffff">
<style>{escape(_inside("style", html), quote=False)}</style>
<div class="box" style="padding:10px 12px;{FONT};font-size:14px;line-height:1.5;background:#f1f3f4;\
border-bottom:1px solid #80868b">
{rows}
</div>
{"".join(parser.written).strip()}
</div>
</foreignObject>
</svg>
"""


def _inside(tag: str, html: str) -> str:
    """The content of the only element with this tag."""
    return html.partition(f"<{tag}")[2].partition(">")[2].partition(f"</{tag}>")[0]
