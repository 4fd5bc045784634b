"""An SMTP server that keeps the letters it receives, and refuses those that a test tells it to refuse."""

import ssl
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from support.dovecot import PASSWORD, Certificate, free_ports


class Kept(NamedTuple):
    """A letter with its envelope."""

    sender: str
    recipient: str
    raw: bytes


class Sink:
    """A server; `letters` are those it accepted. Tests may change the other attributes.

    `refuse` maps recipients to answers ("550 5.1.1 unknown"), `refuse_null` is an answer to the empty sender,
    `refuse_null_recipient` one to any recipient of a letter with it,
    `refuse_null_text` one to the text of such a letter, `refuse_data` one to every letter's text. After
    `letters_a_line` letters, a connection is closed with 421. With `pipelining`, the server announces that it accepts
    several commands at once.
    """

    def __init__(self, certificate: Certificate | None = None, direct_tls: bool = False, login: bool = False) -> None:
        (self.port,) = free_ports(1)
        tls = None
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate.certificate, certificate.key)
        options: dict[str, Any] = {"hostname": "127.0.0.1", "port": self.port, "data_size_limit": 1_000_000}
        if login:
            options |= {"auth_required": True, "auth_require_tls": False, "authenticator": _check}
        if tls and direct_tls:
            options["ssl_context"] = tls
        elif tls:
            options |= {"tls_context": tls, "require_starttls": True}
        self._controller = Controller(self, **options)
        self.reset()
        self._controller.start()

    def reset(self) -> None:
        self.letters: list[Kept] = []
        self.lines: set[Any] = set()
        self.refuse: dict[str, str] = {}
        self.refuse_null = self.refuse_null_recipient = self.refuse_null_text = self.refuse_data = ""
        self.letters_a_line = 1_000_000
        self.pipelining = False

    def stop(self) -> None:
        self._controller.stop()

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return ["250-PIPELINING", *responses] if self.pipelining else responses

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.lines.add(session.peer)
        if getattr(session, "taken", 0) >= self.letters_a_line:
            return "421 4.7.0 enough for one line"
        if address == "<>" and self.refuse_null:
            return self.refuse_null
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse:
            return self.refuse[address]
        if self.refuse_null_recipient and envelope.mail_from == "<>":
            return self.refuse_null_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.refuse_data:
            return self.refuse_data
        if self.refuse_null_text and envelope.mail_from == "<>":
            return self.refuse_null_text
        session.taken = getattr(session, "taken", 0) + 1  # type: ignore[attr-defined]
        for recipient in envelope.rcpt_tos:
            sender = (envelope.mail_from or "").removesuffix("<>")
            self.letters.append(Kept(sender, recipient, bytes(envelope.content or b"")))
        return "250 OK"


def _check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    return AuthResult(success=(data.login, data.password) == (b"gm", PASSWORD.encode()), handled=False)
