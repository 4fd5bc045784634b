"""The line to a mail server: sockets that cannot be kept waiting, TLS, and what may be told of its words."""

import re
import socket
import ssl
from time import monotonic
from typing import Any

from pbem.config import Server
from pbem.post import TransportError

PATIENCE = 30.0
"""Seconds that a server may be silent."""


class _Socket(socket.socket):
    """A socket that waits PATIENCE for each answer, and not at all after its deadline.

    The libraries' own time limit counts from the last byte: one byte now and then holds them for ever.
    """

    deadline: float

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(_time_left(self.deadline))
        return super().recv_into(*args, **kwargs)

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self.settimeout(_time_left(self.deadline))
        super().sendall(*args, **kwargs)


class _DeadlineError(TimeoutError):
    """The time for the whole conversation is over."""


def _time_left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise _DeadlineError
    return min(left, PATIENCE)


def connect(server: Server, deadline: float) -> socket.socket:
    """A line to a server, in TLS if that is the first thing it expects. Raises OSError.

    `deadline` is a moment of time.monotonic.
    """
    plain = socket.create_connection((server.host, server.port), _time_left(deadline))
    line = _Socket(plain.family, plain.type, plain.proto, plain.detach())
    line.deadline = deadline
    line.settimeout(_time_left(deadline))
    if server.tls != "direct":
        return line
    return tls_context(deadline).wrap_socket(line, server_hostname=server.host)


def tls_context(deadline: float) -> ssl.SSLContext:
    """The usual checks of certificate and host name, and sockets as patient as those of `connect`."""

    class TlsSocket(ssl.SSLSocket):
        def recv_into(self, *args: Any, **kwargs: Any) -> int:
            self.settimeout(_time_left(deadline))
            return super().recv_into(*args, **kwargs)

        def sendall(self, *args: Any, **kwargs: Any) -> None:
            self.settimeout(_time_left(deadline))
            super().sendall(*args, **kwargs)

    context = ssl.create_default_context()
    context.sslsocket_class = TlsSocket
    return context


def broken_line(host: str, error: OSError) -> TransportError:
    """The sentence for whatever keeps us from talking with a server."""
    if isinstance(error, _DeadlineError):
        return TransportError(f"{host} took too long, the next run goes on where this one ends.")
    if isinstance(error, TimeoutError):
        return TransportError(f"{host} did not answer in time.")
    if isinstance(error, ssl.SSLCertVerificationError):
        return TransportError(f"{host} shows a certificate that cannot be trusted: {error.verify_message}.")
    if isinstance(error, ssl.SSLError):
        return TransportError(f"{host} cannot be talked to over TLS: {error.reason or 'broken off'}.")
    if isinstance(error, socket.gaierror):
        return TransportError(f"{host} cannot be found: {error.strerror}.")
    return TransportError(f"The line to {host} is broken: {error.strerror or 'closed by the server'}.")


def said(text: object, password: str = "") -> str:
    """What a server said, as one short printable line without addresses and without our password."""
    line = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    if password:
        line = line.replace(password, "***")
    line = re.sub(r"[^\s<>]+@[^\s<>]+", "***", line)
    line = "".join(c if c.isprintable() else " " for c in line)
    line = re.sub(r"^b(['\"])(.*)\1$", r"\2", " ".join(line.split()))  # imaplib puts bytes into its messages
    return line[:200].rstrip(" .") or "nothing"
