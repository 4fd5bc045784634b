"""Mail addresses, wherever one is read: in the From of a letter, in a command, a league file or the configuration.

An address is ASCII (RFC 5321). The name of an international domain is written as mail servers write it, with `xn--`
(RFC 5891), so that one domain has one form, and no letter of it looks like another.
"""

import re
import unicodedata
from typing import NamedTuple

_LONGEST = 1_000  # characters of a line of From


class Mailbox(NamedTuple):
    """A name, which may be "", and an address."""

    name: str
    address: str


def read_mailbox(text: str) -> Mailbox | None:
    """Read an address, or a name and an address in angle brackets, as RFC 5322 writes them."""
    mailbox = _MAILBOX.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    address = _in_ascii(mailbox["address"] or mailbox["bare"]) if mailbox else None
    if mailbox is None or address is None:
        return None
    quoted = re.sub(r"\\(.)", r"\1", mailbox["quoted"] or "")
    return Mailbox(f"{quoted} {mailbox['atoms'] or ''} {mailbox['comment'] or ''}".strip(), address)


def read_sender(text: str) -> Mailbox | None:
    """Read a line of From, which many programs write with signs that need quotes or have no place there.

    Such a line counts if it has one address, however often, and no other `@`.
    """
    mailbox = read_mailbox(text)
    if mailbox or not text.isprintable() or len(text) > _LONGEST:
        return mailbox
    written = _WITHIN.findall(text)
    addresses = {_in_ascii(address) for address in map(str.lower, written)}
    if len(addresses) != 1 or text.count("@") != len(written):
        return None
    address = addresses.pop()
    name = text.partition("<")[0].replace('"', "").strip()
    return Mailbox(name, address) if address and "." in address.rpartition("@")[2] else None


def find_addresses(text: str) -> list[str]:
    """Find all addresses in a text, in order."""
    return [address for written in _WITHIN.findall(text) if (address := _in_ascii(written))]


def is_address(text: str) -> bool:
    """Check whether a text is an address in ASCII, and nothing else."""
    return text.isascii() and _BARE.fullmatch(text) is not None


def _in_ascii(address: str) -> str | None:
    """Return an address with its domain in ASCII, or None if its domain cannot be one."""
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    labels = unicodedata.normalize("NFC", domain.lower()).split(".")
    ascii_address = f"{local}@{'.'.join(map(_label, labels))}"
    return ascii_address if is_address(ascii_address) else None


def _label(label: str) -> str:
    """Return a part of a domain's name in ASCII."""
    return label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"


_LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]"
_PART = r"(?:[^\W_]|-){1,63}"
# "=?" would be an encoded word, which some programs decode within an address.
_EXACT = rf"(?!{_LOCAL}{{0,62}}=\?){_LOCAL}{{1,64}}@{_PART}(?:\.{_PART}){{0,10}}"
_BARE = re.compile(_EXACT)
_WITHIN = re.compile(rf"(?<!{_LOCAL})(?<!\w){_EXACT}(?![\w-]|\.[\w-])")
_ATOMS = r'[^<>@,;:"()\\]{0,600}'
_COMMENT = r"\([^()<>@]{0,200}\)"
_MAILBOX = re.compile(
    rf'(?:"(?P<quoted>(?:[^"\\]|\\.){{0,200}})")?(?P<atoms>{_ATOMS}(?:{_COMMENT})?) *'
    rf"< *(?P<address>{_EXACT}) *>(?: *{_COMMENT})?"
    rf"|(?P<bare>{_EXACT}) *(?:\((?P<comment>[^()<>@]{{0,200}})\))?"
)
