"""A line to an IMAP server: imapclient, which keeps to our deadline and reads no more than was asked for; and what
FETCH says there of a letter."""

import imaplib
import socket
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

from imapclient import IMAPClient

from pbem.config.config import Server
from pbem.transport.base import MAX_LETTER, Arrived
from pbem.transport.sockets import connect

KEYWORD = "$PbemHandled"
"""What we leave on a letter that is handled, where the server keeps such flags."""

_UNKNOWN = datetime.fromtimestamp(0, UTC)
"""When a letter arrived of which the server gives no date that there can be."""


class ImapLine(imaplib.IMAP4):
    """imaplib on a socket with a deadline, and deaf to letters that are longer than what was asked for."""

    def __init__(self, server: Server, deadline: float) -> None:
        self._server, self._deadline = server, deadline
        self._line: socket.socket | None = None
        try:
            super().__init__(server.host, server.port)
        except BaseException:  # imaplib hangs up for mere exceptions, and not if a signal ends the run
            if self._line:
                self._line.close()
            raise

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        self._line = connect(self._server, self._deadline)
        return self._line

    def read(self, size: int) -> bytes:
        if size > 2 * MAX_LETTER:  # a literal of 99 GB is a MemoryError
            raise self.abort(f"a literal of {size} bytes")
        return super().read(size)


class Client(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """imapclient over such a line, with dates that know their zone."""

    def __init__(self, server: Server, deadline: float) -> None:
        self._connect: Callable[[], ImapLine] = lambda: ImapLine(server, deadline)
        super().__init__(server.host, server.port, ssl=server.tls == "direct")
        self.normalise_times = False

    def untagged(self, name: str) -> bytes | None:
        """What the server said last of something without being asked, or None."""
        told = self._imap.untagged_responses.get(name)
        return bytes(told[-1] or b"") if told else None

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802
        return self._connect()


def arrived(uid: int, answer: Mapping[bytes, Any]) -> Arrived | None:
    """A letter from the FETCH response; None if the server has no text for it."""
    raw = answer.get(b"BODY[]<0>", answer.get(b"BODY[]"))
    if not isinstance(raw, bytes):
        return None
    told = answer.get(b"FLAGS")
    flags = {flag.lower() for flag in told if isinstance(flag, bytes)} if isinstance(told, tuple) else set()
    size = size_of(answer)
    size = len(raw) if size is None else size
    when = when_of(answer) or _UNKNOWN
    return Arrived(str(uid), when, raw[:MAX_LETTER], size, KEYWORD.lower().encode() in flags)


def size_of(answer: Mapping[bytes, Any]) -> int | None:
    """A letter's bytes as the server tells them; some tell of too many (RFC822.SIZE is an estimate to Exchange)."""
    size = answer.get(b"RFC822.SIZE")
    return size if isinstance(size, int) else None


def when_of(answer: Mapping[bytes, Any]) -> datetime | None:
    """When a letter was delivered, in UTC; None if that is no date that there can be."""
    try:
        return cast(datetime, answer[b"INTERNALDATE"].astimezone(UTC))
    except (KeyError, AttributeError, ValueError, OverflowError):
        return None
