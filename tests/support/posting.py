"""A desk's configuration and letters, in the few words that tests of transport require."""

import re
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import monotonic

import pytest

from pbem.config.config import Config, Server, load_config
from pbem.transport.base import MAX_LETTER, Arrived, TransportError, Unwanted
from pbem.transport.open import open_mailbox, open_outgoing
from support.dovecot import PASSWORD

UNKNOWN = datetime.fromtimestamp(0, UTC)


def letter(number: int = 1, body: str = "3 A to M") -> bytes:
    return f"From: alice@example.org\r\nSubject: Turn {number}\r\n\r\n{body}\r\n".encode()


def desk(
    folder: Path,
    mailbox: str = "maildir:in",
    outgoing: str = "maildir:out",
    password: str = PASSWORD,
    auth: str = "password",
) -> Config:
    """A configuration, read from a file."""
    (folder / "secret").write_text(password)
    (folder / "secret").chmod(0o600)
    secret = f"auth = {auth}\npassword_file = secret"
    (folder / "config.ini").write_text(
        f"[mailbox]\nurl = {mailbox}\n{secret if '@' in mailbox else ''}\n"
        f"[outgoing]\nurl = {outgoing}\n{secret if '@' in outgoing else ''}\nfrom = Desk <gm@example.org>\n"
        "[desk]\noperator = op@example.org\nkey_file = key\ncooling_off = 0\n"
    )
    return load_config(folder / "config.ini")


def encrypted(config: Config) -> Config:
    """The same as if the servers were on another machine: TLS by STARTTLS or no connection."""
    assert isinstance(config.mailbox.place, Server) or isinstance(config.outgoing.place, Server)
    changed = [
        part._replace(place=part.place._replace(tls="starttls")) if isinstance(part.place, Server) else part
        for part in (config.mailbox, config.outgoing)
    ]
    return config._replace(mailbox=changed[0], outgoing=changed[1])


def fetch(config: Config, mark: str = "", handle: bool = False) -> tuple[list[Arrived], str]:
    """The letters that a run finds, and the mark that it would keep."""
    letters: list[Arrived] = []
    with open_mailbox(config, monotonic() + 10) as mailbox:
        for batch in mailbox.fetch(mark):
            letters += batch.letters
            mark = batch.mark
            if handle:
                mailbox.handled([one.key for one in batch.letters])
    return letters, mark


def remove(config: Config, *letters: bytes, seconds: float = 10) -> None:
    """Remove letters about which a desk knows everything except when they came."""
    unwanted = [Unwanted(sha256(raw[:MAX_LETTER]).hexdigest(), len(raw), UNKNOWN) for raw in letters]
    with open_mailbox(config, monotonic() + seconds) as mailbox:
        mailbox.remove(unwanted)


def raws(letters: list[Arrived]) -> list[bytes]:
    return [one.raw for one in letters]


def trouble(act: Callable[[], object]) -> str:
    """The sentence of a TransportError, which contains no secret and no address wherever it is printed."""
    with pytest.raises(TransportError) as caught:
        act()
    everything = repr(caught.value) + "".join(traceback.format_exception(caught.value))
    assert PASSWORD not in everything
    assert "@" not in str(caught.value)
    return without_ports(str(caught.value))


def without_ports(text: str) -> str:
    """`text` without the ports of this machine, which differ from run to run."""
    return re.sub(r"(127(?:\.\d+)+):\d+", r"\1", text)


def fetch_within(config: Config, seconds: float) -> None:
    """Fetch letters in a run with little time."""
    with open_mailbox(config, monotonic() + seconds) as mailbox:
        for batch in mailbox.fetch(""):
            mailbox.handled([one.key for one in batch.letters])


def send(
    config: Config, *letters: bytes, recipient: str = "alice@example.org", sender: str = "", seconds: float = 10
) -> None:
    """Send letters to a person, each under its number."""
    with open_outgoing(config, monotonic() + seconds) as outgoing:
        for number, raw in enumerate(letters):
            outgoing.send(raw, recipient, sender, f"{number:06d}")
