"""Sending letters through an SMTP server with smtplib. One connection can carry many letters."""

import binascii
import re
import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from pbem.config.config import OutgoingConfig, Server
from pbem.transport.base import Blocked, Interrupted, Refused, TransportError
from pbem.transport.refusals import about
from pbem.transport.sockets import (
    Credential,
    broken_line,
    connect,
    name_of,
    quote_answer,
    refused_login,
    say_goodbye,
    tls_context,
    xoauth2,
)

# Refusals that concern the desk rather than one letter (RFC 5321 §4.2, RFC 4954 §6); all letters are tried again later.
_ABOUT_US = {454, 530, 534, 535, 538}
# Replies to MAIL that concern a single letter: no room, or too large.
_ABOUT_THE_LETTER = {450, 451, 452, 552}
# Replies of servers that do not accept an empty sender.
_NO_NULL_SENDER = {501, 550, 553, 554}


class SmtpOutgoing:
    """Outgoing mail through an SMTP server. If the connection is closed between two letters, it is opened again."""

    def __init__(self, config: OutgoingConfig, deadline: float) -> None:
        if not isinstance(config.place, Server):
            raise TypeError("a Maildir is no server")
        self._config, self._server, self._deadline = config, config.place, deadline
        self._smtp: _SmtpLine | None = None
        self._sent = 0
        self._null_sender = True

    def __enter__(self) -> Self:
        try:
            self._connect()
        except TransportError as error:
            self.__exit__(type(error))
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Send QUIT or, after trouble, hang up at once, because a stuck server would keep the desk waiting again."""
        if self._smtp:
            with suppress(OSError, smtplib.SMTPException):
                if kind is None and self._smtp.sock:
                    say_goodbye(self._smtp.sock)
                    self._smtp.quit()
            self._smtp.close()

    def send(self, raw: bytes, recipient: str, sender: str, name: str) -> None:
        if not re.fullmatch(r"[!-~]+@[!-~]+", recipient):
            raise Refused(553, "the address holds a sign that SMTP does not carry", permanent=True)
        assert self._smtp is not None, "send is called within `with`"
        try:
            self._send(self._smtp, raw, recipient, sender)
        except _HungUpError:
            if not self._sent or self._smtp.in_text:
                raise
            self._send(self._connect(), raw, recipient, sender)
        self._sent += 1

    def _send(self, smtp: "_SmtpLine", raw: bytes, recipient: str, sender: str) -> None:
        own = self._config.sender.address
        with self._conversation():
            try:
                smtp.transfer(sender if sender or self._null_sender else own, recipient, raw)
            except (smtplib.SMTPSenderRefused, smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
                if sender or not self._null_sender or not _may_concern_null_sender(error):
                    raise
                smtp.transfer(own, recipient, raw)
                self._null_sender = False  # some submission servers refuse <>; if so, the desk itself gets the bounces

    def _connect(self) -> "_SmtpLine":
        """Open a connection, with TLS and a login if the URL asks for them."""
        server, self._sent = self._server, 0
        password = self._config.password()
        if not (server.user + password).isascii():
            raise TransportError(
                f"{name_of('SMTP', server)} cannot be logged in to: user or password is not plain ASCII."
            )
        with self._conversation(password):
            self._smtp = smtp = _SmtpLine(server, self._deadline, self._config.sender.address.rpartition("@")[2])
            smtp.ehlo_or_helo_if_needed()
            if server.tls == "starttls":
                if not smtp.has_extn("starttls"):
                    raise TransportError(
                        f"{name_of('SMTP', server)} offers no STARTTLS, and no letter goes over an open line: try smtps://"
                    )
                smtp.starttls(context=tls_context(server, self._deadline))
            if server.user and self._config.auth == "xoauth2":
                smtp.ehlo_or_helo_if_needed()
                smtp.auth("XOAUTH2", xoauth2(server.user, password))
            elif server.user:
                smtp.login(server.user, password)
        return smtp

    @contextmanager
    def _conversation(self, password: str = "") -> Iterator[None]:
        """Turn any error into Refused if it concerns one letter or its recipient, and otherwise into TransportError."""
        name = name_of("SMTP", self._server)
        try:
            yield
        except smtplib.SMTPRecipientsRefused as error:
            ((code, text),) = error.recipients.values()
            raise self._answer(code, text, about_letter=True) from None
        except smtplib.SMTPSenderRefused as error:
            raise self._answer(error.smtp_code, error.smtp_error, error.smtp_code in _ABOUT_THE_LETTER) from None
        except smtplib.SMTPDataError as error:
            raise self._answer(error.smtp_code, error.smtp_error, about_letter=True) from None
        except smtplib.SMTPAuthenticationError as error:
            credential: Credential = "login" if self._config.auth == "password" else "access token"
            why = f"{error.smtp_code} {quote_answer(error.smtp_error, password)}"
            raise refused_login(name, credential, why) from None
        except smtplib.SMTPResponseException as error:
            raise self._answer(error.smtp_code, error.smtp_error) from None
        except smtplib.SMTPServerDisconnected as error:
            if isinstance(error.__context__, TimeoutError):
                raise broken_line(name, error.__context__) from None
            raise _HungUpError(f"{name} broke off the line.") from None
        except (smtplib.SMTPException, binascii.Error) as error:
            raise TransportError(f"{name} cannot be used: {quote_answer(error, password)}.") from None
        except OSError as error:
            raise broken_line(name, error) from None

    def _answer(self, code: int, text: bytes | str, about_letter: bool = False) -> Refused | TransportError:
        name = name_of("SMTP", self._server)
        trouble = f"{name} takes no letters now, it answered {code}: {quote_answer(text)}."
        if code == 421 or not 400 <= code < 600:  # a break within a reply may leave only the 5 of 550
            return _HungUpError(trouble)
        if not about_letter or code in _ABOUT_US:
            return TransportError(trouble)
        whose = about(code, text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
        if whose == "us":
            return Blocked(f"{trouble} That is about this desk's account or server, and not about its readers.")
        return Refused(code, quote_answer(text), permanent=whose == "address")


def _may_concern_null_sender(error: smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused) -> bool:
    """Return whether the server may have refused a letter only because its sender is empty. Some servers say so only
    when they have the recipient, as Postfix does by default, or the letter; it is then a refusal that is about the
    desk."""
    if isinstance(error, smtplib.SMTPSenderRefused):
        return error.smtp_code in _NO_NULL_SENDER
    answer: tuple[int, bytes | str]
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        (answer,) = error.recipients.values()
    else:
        answer = error.smtp_code, error.smtp_error
    code, text = answer
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return code in _NO_NULL_SENDER and about(code, words) == "us"


class _HungUpError(Interrupted):
    """Raised when the server has closed the connection."""


class _SmtpLine(smtplib.SMTP):
    """An smtplib connection on a socket with a deadline. It greets with the desk's domain, because asking DNS for a
    name can take minutes."""

    def __init__(self, server: Server, deadline: float, name: str) -> None:
        self._server, self._deadline = server, deadline
        self.in_text = False  # true from DATA on: if the connection breaks then, the letter may have been accepted
        super().__init__(server.host, server.port, local_hostname=name)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return connect(self._server, self._deadline)

    def transfer(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send the letter `raw` with its envelope, as smtplib's `sendmail` does, but without parsing the letter, which
        is already well-formed."""
        self.ehlo_or_helo_if_needed()
        self.in_text = False
        size = f" size={len(raw)}" if self.has_extn("size") else ""
        answers = self._answers(f"mail FROM:<{sender}>{size}", f"rcpt TO:<{recipient}>", "data")
        code, text = next(answers)
        if code != 250:
            self._drop(code, answers)
            raise smtplib.SMTPSenderRefused(code, text, sender)
        code, text = next(answers)
        if code not in (250, 251):
            self._drop(code, answers)
            raise smtplib.SMTPRecipientsRefused({recipient: (code, text)})
        code, text = next(answers)
        if code == 354:
            self.in_text = True
            self.send((b"\n" + raw).replace(b"\n.", b"\n..")[1:] + b".\r\n")
            code, text = self.getreply()
            if code == 250:
                return
        self._drop(code, answers)
        raise smtplib.SMTPDataError(code, text)

    def _answers(self, *commands: str) -> Iterator[tuple[int, bytes]]:
        """Yield the server's answer to each of `commands`.

        With PIPELINING, all commands are sent together (RFC 2920), because most of the time is spent waiting for
        answers. Without it, each command is sent when its answer is requested.
        """
        together = self.has_extn("pipelining")
        if together:
            self.send("".join(f"{command}\r\n" for command in commands))
        for command in commands:
            yield self.getreply() if together else self.docmd(command)

    def _drop(self, code: int, answers: Iterator[tuple[int, bytes]]) -> None:
        """Abandon a letter that was refused with `code`, so that the next letter can be sent. `answers` are the answers
        not yet read."""
        if code == 421:
            self.close()
            return
        with suppress(smtplib.SMTPServerDisconnected):
            if self.has_extn("pipelining") and 354 in [code for code, _ in answers]:
                self.send(".\r\n")  # DATA went out with the other commands, so the server waits for a text
                self.getreply()
            self.rset()
