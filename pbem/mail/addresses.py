"""Mail addresses, wherever they are read: in a letter's From, in a command, in a league file or in the configuration.

An address is ASCII (RFC 5321). An international domain is written as mail servers write it, with `xn--` (RFC 5891), so
that each domain has only one form, and no character in it can be mistaken for another.
"""

import re
import unicodedata
from typing import NamedTuple

_LONGEST = 1_000  # the maximum number of characters of a From header


class Mailbox(NamedTuple):
    """A name, which may be "", and an address. Both are as they were written, except that the domain is in ASCII."""

    name: str
    address: str


def read_mailbox(text: str) -> Mailbox | None:
    """Read the address in `text`, as written by a person: a name and an address in angle brackets, or an address alone.
    Return None if `text` is anything else.

    Only punctuation may surround an address without angle brackets, because the meaning of other words would be a
    guess.
    """
    mailbox = _exact(text)
    if mailbox or text.count("<") != text.count(">") or ("<" not in text and re.search(r"\w", _WITHIN.sub("", text))):
        return mailbox
    return read_sender(text)


def read_sender(text: str) -> Mailbox | None:
    """Read `text`, the value of a From header, in which many programs use characters that should be quoted or are not
    allowed. Return None if `text` cannot be read.

    A value that breaks the rules is accepted if it contains one address, however often, and no other `@`.
    """
    mailbox = _exact(text)
    if mailbox or not text.isprintable() or len(text) > _LONGEST:
        return mailbox
    written = _WITHIN.findall(text)
    addresses = {address.lower(): address for address in map(_in_ascii, written) if address}
    if len(addresses) != 1 or text.count("@") != len(written):
        return None
    address = addresses.popitem()[1]
    before, mark, _ = text.partition(written[0])[0].partition("<")
    return Mailbox(before.strip(' "') if mark else "", address) if "." in address.rpartition("@")[2] else None


def _exact(text: str) -> Mailbox | None:
    """Read `text` as a mailbox in the form that RFC 5322 defines; return None if it does not have that form."""
    mailbox = _MAILBOX.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    address = _in_ascii(mailbox["address"] or mailbox["bare"]) if mailbox else None
    if mailbox is None or address is None:
        return None
    quoted = re.sub(r"\\(.)", r"\1", mailbox["quoted"] or "")
    return Mailbox(" ".join(f"{quoted} {mailbox['atoms'] or ''} {mailbox['comment'] or ''}".split()), address)


def find_addresses(text: str) -> list[str]:
    """Return all addresses in `text`, in order."""
    return [address for written in _WITHIN.findall(text) if (address := _in_ascii(written))]


def is_address(text: str) -> bool:
    """Return whether `text` is an ASCII address and nothing else."""
    return text.isascii() and _BARE.fullmatch(text) is not None


ADDRESS = r"[^\s<>@\",;]+@[^\s<>@\",;]+"
"""A pattern for an address in a command; `read_mailbox` decides whether it really is one."""

TOKEN = re.compile(r"(?<![a-z0-9])(\d{1,9})-([a-z][a-z0-9]{0,11})-(\d{1,6})-([a-z2-7]{16})(?![a-z0-9])")
"""A pattern for the token in a reply address; `pbem.match.identity` creates tokens and verifies them."""


def leads_to(own: str, address: str) -> bool:
    """Return whether letters to `address` arrive at `own`, the desk's address.

    Besides `own` itself, this is true of `own` with a suffix (after a plus sign), and of any address that contains a
    token and is at the same domain.
    """
    local, _, domain = own.lower().rpartition("@")
    to, _, at = address.lower().rpartition("@")
    return at == domain and (to == local or to.startswith(f"{local}+") or TOKEN.search(to) is not None)


def _in_ascii(address: str) -> str | None:
    """Return `address` with its domain in ASCII; None if its domain is not valid."""
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    labels = unicodedata.normalize("NFC", domain.lower()).split(".")
    ascii_address = f"{local}@{'.'.join(map(_label, labels))}"
    return ascii_address if is_address(ascii_address) else None


def _label(label: str) -> str:
    """Return `label`, a part of a domain name, in ASCII."""
    return label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"


_LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]"
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u0670\u0900-\u0963\u0966-\u109f\u1780-\u17dd"  # not matched by Python's \w
_PART = rf"(?:[^\W_]|[-{_MARKS}]){{1,63}}"
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
