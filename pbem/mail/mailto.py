"""Links that open a letter with address, subject and text filled in (RFC 6068)."""

from urllib.parse import quote

LONGEST = 1_900
"""Characters of a link: more are cut off by what Windows hands from one program to another, 2,048 at most."""


def mailto(address: str, subject: str, text: str) -> str:
    """The link, or "" if programs would not take all of it. A `+` stands for a blank in some, so it is never bare."""
    local, _, domain = address.rpartition("@")
    body = "\r\n".join(text.splitlines())
    link = f"mailto:{quote(local, safe='')}@{domain}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return link if len(link) <= LONGEST else ""
