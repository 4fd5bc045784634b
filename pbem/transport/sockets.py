"""Connections to mail servers: sockets with deadlines, TLS, and servers' answers made safe to show."""

import errno
import re
import socket
import ssl
import threading
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, Literal

from pbem.config.config import Server
from pbem.config.ini import ConfigError
from pbem.transport.base import Interrupted, TransportError

PATIENCE = 30.0
"""The maximum number of seconds for which a server may be silent."""


_GOODBYE = 3.0
"""The maximum number of seconds for saying goodbye, which need not succeed."""


class _Socket(socket.socket):
    """A socket that waits at most PATIENCE seconds for each answer, and never beyond its deadline.

    The libraries' own timeout starts again with each byte, so a server that trickles bytes could keep them waiting
    forever.
    """

    deadline: float

    def recv(self, *args: Any) -> bytes:
        self.settimeout(_time_left(self.deadline))
        return super().recv(*args)

    def recv_into(self, *args: Any) -> int:
        self.settimeout(_time_left(self.deadline))
        return super().recv_into(*args)

    def send(self, *args: Any) -> int:
        self.settimeout(_time_left(self.deadline))
        return super().send(*args)

    def sendall(self, *args: Any) -> None:
        self.settimeout(_time_left(self.deadline))
        super().sendall(*args)


class _DeadlineError(TimeoutError):
    """Raised when the time for the whole conversation is over."""


def _time_left(deadline: float, shares: int = 1) -> float:
    remaining = deadline - monotonic()
    if remaining <= 0:
        raise _DeadlineError
    return min(remaining / shares, PATIENCE)


def connect(server: Server, deadline: float) -> socket.socket:
    """Connect to `server`, over TLS if the server expects TLS from the start. Raises OSError.

    `deadline` is a value of time.monotonic(). It becomes an attribute of the socket, so that callers can change it.
    """
    addresses = _addresses(server, deadline)
    half = (deadline + monotonic()) / 2
    for number, (family, kind, protocol, _, address) in enumerate(addresses):
        line = _Socket(family, kind, protocol)
        line.deadline = deadline
        try:
            line.settimeout(_time_left(half, shares=len(addresses) - number))  # leaves time for the other addresses
            line.connect(address)
            break
        except BaseException as error:  # a signal may end the run here, too
            line.close()
            if not isinstance(error, OSError) or number == len(addresses) - 1:
                raise
    if server.tls != "direct":
        return line
    try:
        line.settimeout(_time_left(deadline))
        return tls_context(server, deadline).wrap_socket(line, server_hostname=server.host)
    except BaseException:
        line.close()
        raise


def tls_context(server: Server, until: float) -> ssl.SSLContext:
    """Return a TLS context that checks the certificate of `server` and its host name. Its sockets have the deadline
    `until`. Raises ConfigError if the authorities in the server's `ca_file` cannot be read."""

    class TlsSocket(_Socket, ssl.SSLSocket):
        deadline = until

    try:
        context = ssl.create_default_context(cafile=server.ca_file)
    except OSError as error:  # an SSLError is one, too
        what = error.strerror if isinstance(error, FileNotFoundError | PermissionError) else "it holds no certificate"
        where = f"ca_file {server.ca_file}"
        raise ConfigError(where, f"cannot be used for {server.host}: {what}. Name a file in PEM form.") from None
    context.sslsocket_class = TlsSocket
    return context


def say_goodbye(line: Any) -> None:
    """Limit the time that is left for saying goodbye on the connection `line`."""
    line.deadline = min(line.deadline, monotonic() + _GOODBYE)


def _addresses(server: Server, deadline: float) -> list[Any]:
    """Return the addresses of `server`, as getaddrinfo returns them. Raises OSError.

    The system's resolver cannot be interrupted, so it runs in a thread, which is abandoned if it hangs.
    """
    outcomes: list[Any] = []

    def ask() -> None:
        try:
            outcomes.append(socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM))
        except OSError as error:
            outcomes.append(error)
        except UnicodeError:
            outcomes.append(socket.gaierror(socket.EAI_NONAME, "this is no host name"))

    asker = threading.Thread(target=ask, daemon=True)
    asker.start()
    asker.join(_time_left(deadline))
    if not outcomes:
        raise socket.gaierror(socket.EAI_AGAIN, "the name server does not answer")
    (outcome,) = outcomes
    if isinstance(outcome, OSError):
        raise outcome
    return list(outcome)


def name_of(protocol: str, server: Server) -> str:
    """Return the name of `server` in sentences: its protocol, host and port."""
    host = f"[{server.host}]" if ":" in server.host else server.host
    return f"The {protocol} server {host}:{server.port}"


Credential = Literal["login", "access token"]

_LOGIN_REMEDY: dict[Credential, str] = {
    "login": "See the user in the url and the password; some providers want an app password or an access token.",
    "access token": "It may have expired: see what `password_command` does.",
}


def refused_login(name: str, credential: Credential, why: str) -> TransportError:
    """Return the error to raise when the server called `name` has refused the desk's login; `why` is its answer."""
    if "[UNAVAILABLE]" in why or why.startswith("4"):  # RFC 5530, RFC 5321 §4.2.1: a trouble of the server
        return TransportError(f"{name} cannot check the {credential} now: {why}. The next run tries again.")
    return TransportError(f"{name} refused the {credential}: {why}. {_LOGIN_REMEDY[credential]}")


_EXPIRED = {10}
_UNKNOWN_AUTHORITY = {18, 19, 20, 21}
_OTHER_NAME = {62, 64}
"""OpenSSL's numbers of what may be wrong with a certificate (X509_V_ERR_*)."""


def _certificate_remedy(code: int) -> str:
    if code in _EXPIRED:
        return "Whoever runs the server must renew it."
    if code in _UNKNOWN_AUTHORITY:
        return "If it is your own, let `ca_file` name its authority."
    return "Put the host into the url as the certificate has it." if code in _OTHER_NAME else ""


def broken_line(name: str, error: OSError) -> Interrupted:
    """Return the error to raise when `error` has broken the connection to the server called `name`. Its text describes
    the failure, and says what to do."""
    return Interrupted(f"{name} {_failure(error)}".rstrip())


def _failure(error: OSError) -> str:
    """Return a sentence without its subject, which is a server: how `error` broke the connection, and what to do."""
    if isinstance(error, _DeadlineError):
        return "took too long, the next run goes on where this one ends."
    if isinstance(error, TimeoutError):
        return "did not answer in time. If that lasts, the host or port in the url is wrong, or a firewall is between."
    if isinstance(error, ssl.SSLCertVerificationError):
        remedy = _certificate_remedy(error.verify_code)
        return f"shows a certificate that cannot be trusted: {error.verify_message.rstrip('.')}. {remedy}"
    if isinstance(error, ssl.SSLError):
        why = error.reason or "broken off"
        return f"cannot be talked to over TLS: {why}. See whether the port fits imap, imaps, smtp or smtps in the url."
    if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
        return f"cannot be found: {error.strerror}. See whether DNS works on this machine."
    if isinstance(error, socket.gaierror):
        return f"cannot be found: {error.strerror}. See whether the host in the url is right."
    if isinstance(error, ConnectionRefusedError) or error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
        return f"cannot be reached: {error.strerror}. See whether it runs, and host and port in the url."
    return f"broke off the line: {error.strerror or 'closed by the server'}. The next run goes on."


def xoauth2(user: str, token: str) -> Callable[..., str]:
    """Return a function for the client's side of SASL XOAUTH2. It answers first with user and access token, and then
    with an empty string if the server reports an error.

    https://developers.google.com/workspace/gmail/imap/xoauth2-protocol
    """
    return lambda challenge=b"": "" if challenge else f"user={user}\x01auth=Bearer {token}\x01\x01"


def quote_answer(text: object, password: str = "") -> str:
    """Return `text`, a server's answer, as one short printable line, without mail addresses and without `password`."""
    line = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    if password:
        line = line.replace(password, "***")
        line = re.sub(r"[A-Za-z0-9+/=]{4,}", lambda word: _unless_it_hides(word[0], password), line)
    line = re.sub(r"[^\s<>]+@[^\s<>]+", "***", line)
    line = "".join(char if char.isprintable() else " " for char in line)
    line = re.sub(r"^b(['\"])(.*)\1$", r"\2", " ".join(line.split()))  # imaplib's messages contain the repr of bytes
    return line[:200].rstrip(" .") or "nothing"


def _unless_it_hides(word: str, password: str) -> str:
    """Return `word`, or asterisks if it contains the desk's login in base64. `word` may be cut off at its end."""
    with suppress(ValueError):
        hidden = b64decode(word[: len(word) // 4 * 4])
        if password.encode() in hidden or b"auth=Bearer" in hidden:
            return "***"
    return word
