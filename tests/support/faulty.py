"""Servers and connections that misbehave: a proxy that corrupts traffic, and a server with canned answers."""

import re
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Self

from support.dovecot import Certificate

Fault = Literal["close", "reset", "stall", "trickle"] | Callable[[bytes], bytes]
"""The fault in a server's answer; a function returns a replacement."""

TRICKLE = 0.2  # seconds for each byte

# The example on Google's page about XOAUTH2: the user, the token, and their encoding.
TOKEN_USER = "someuser%40example.com"
TOKEN = "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"
TOKEN_SAID = (
    b"dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52"
    b"YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ=="
)


class _Listener:
    """Accepts connections during the block, and serves each in its own thread."""

    certificate: Certificate | None = None

    def __enter__(self) -> Self:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._open: list[socket.socket] = [self._server]
        self._ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._server.accept()
                self._open.append(line)
                threading.Thread(target=self._guarded, args=(line,), daemon=True).start()

    def _guarded(self, line: socket.socket) -> None:
        with suppress(OSError):
            if self.certificate:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(self.certificate.certificate, self.certificate.key)
                line = context.wrap_socket(line, server_side=True)
                self._open.append(line)
            self.serve(line)
        line.close()

    def serve(self, line: socket.socket) -> None:
        raise NotImplementedError


class Proxy(_Listener):
    """Passes everything on to a server until the fault: after a number of answer bytes, or when a line begins with
    `at`.

    The answer to that line is corrupted; the line itself arrives. With a certificate the proxy speaks TLS, and the
    server does not.
    """

    def __init__(
        self,
        port: int,
        fault: Fault | None = None,
        after: int = 0,
        at: str = "",
        certificate: Certificate | None = None,
    ) -> None:
        self._target, self._fault, self._after, self._at = port, fault, after, at
        self.certificate = certificate
        self.lines = 0

    def mend(self) -> None:
        """Let everything pass from now on."""
        self._fault = None

    def cut(self) -> None:
        """Close all open connections."""
        for one in self._open[1:]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def serve(self, line: socket.socket) -> None:
        self.lines += 1
        said = threading.Event()
        left = self._after
        with socket.create_connection(("127.0.0.1", self._target)) as server:
            self._open.append(server)
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._listen, args=(line, server, said), daemon=True).start()
            while data := server.recv(4096):
                passing = len(data) if self._fault is None or (self._at and not said.is_set()) else min(left, len(data))
                left -= passing if self._fault and not self._at else 0
                line.sendall(data[:passing])
                if passing < len(data):
                    self._spoil(line, server, data[passing:])
            line.shutdown(socket.SHUT_RDWR)

    def _listen(self, line: socket.socket, server: socket.socket, said: threading.Event) -> None:
        """Pass on the client's lines, and notice the one that triggers the fault."""
        with suppress(OSError):
            for words in line.makefile("rb"):
                if self._at and re.match(self._at.encode(), words):
                    said.set()
                server.sendall(words)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _spoil(self, line: socket.socket, server: socket.socket, data: bytes) -> None:
        if callable(self._fault):
            line.sendall(self._fault(data))
            return
        if self._fault == "reset":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.shutdown(socket.SHUT_RD)  # wakes _listen, which would keep the connection open
        if self._fault == "close":
            line.shutdown(socket.SHUT_RDWR)
        if self._fault == "stall":
            self._ended.wait()
        while self._fault == "trickle" and data and not self._ended.wait(TRICKLE):
            line.sendall(data[:1])
            data = data[1:] or server.recv(1)
        raise ConnectionAbortedError


class Scripted(_Listener):
    """Sends a greeting, and answers each of the client's lines as specified. The answer None closes the connection, and
    so does one that ends with BYE. Keeps the lines that it received."""

    def __init__(
        self, greeting: bytes, answer: Callable[[bytes], bytes | None], certificate: Certificate | None = None
    ) -> None:
        self._greeting, self._answer = greeting, answer
        self.certificate = certificate
        self.heard: list[bytes] = []

    def serve(self, line: socket.socket) -> None:
        line.sendall(self._greeting)
        with line.makefile("rb") as lines:
            for said in lines:
                self.heard.append(said)
                answer = self._answer(said)
                if answer is None:
                    return
                line.sendall(answer)
                if answer.rstrip().rpartition(b"\n")[2].startswith(b"* BYE"):
                    return


def scripted_imap(greeting: bytes = b"* OK here\r\n", **answers: bytes | None) -> Scripted:
    """A bare IMAP server with one folder and one letter; `answers` replace its answers to commands before the OK."""
    usual = {
        "CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
        "SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 2] \r\n",
        "SEARCH": b"* SEARCH 1\r\n",
    }

    def answer(line: bytes) -> bytes | None:
        tag, command, *rest = line.split()
        word = (rest[0] if command == b"UID" else command).decode()
        said = answers.get(word, usual.get(word, b""))
        return None if said is None else said + tag + b" OK done\r\n"

    return Scripted(greeting, answer)


Answer = bytes | None
"""A server's answer to a command before its OK; None to close the connection instead."""


class Folder:
    """A server with some letters, by UID, that conforms to RFC 9051, except that `says` gives its answers to FETCH of
    some letters. An answer that contains a line with the tag, or a BYE, is the last."""

    def __init__(self, letters: dict[int, bytes], says: dict[int, Callable[[bytes], Answer]]) -> None:
        self.letters, self.says = letters, says
        self.validity = 7
        self.at_each_fetch = b""
        self.uidplus = False
        self.deleted: set[int] = set()  # UIDs marked as deleted
        self.keeps: set[int] = set()  # UIDs that stay in spite of EXPUNGE
        self.fetched: list[list[int]] = []

    def serve(self) -> Scripted:
        return Scripted(b"* OK here\r\n", self.answer)

    def answer(self, line: bytes) -> Answer:
        tag, *words = line.split()
        last = max(self.letters, default=0)
        said = {
            b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IMAP4rev2%s\r\n" % (b" UIDPLUS" if self.uidplus else b""),
            b"SELECT": b"* %d EXISTS\r\n* OK [UIDVALIDITY %d] ok\r\n* OK [UIDNEXT %d] ok\r\n"
            % (len(self.letters), self.validity, last + 1),
        }.get(words[0], b"")
        if words[:2] == [b"UID", b"SEARCH"]:
            said = b"* SEARCH" + b"".join(b" %d" % uid for uid in self._searched(words[2:])) + b"\r\n"
        if words[:2] == [b"UID", b"FETCH"]:
            uids = self._named(words[2])
            self.fetched.append(uids)
            said = self.at_each_fetch
            for uid in uids:
                one = self.says[uid](tag) if uid in self.says else whole(uid, self.letters[uid], words[3])
                if one is None:
                    return None
                said += one
                if one.startswith(tag) or b"\r\n" + tag in one or b"\r\n* BYE" in one:
                    return said
        if words[:2] == [b"UID", b"STORE"] and b"Deleted" in line:
            self.deleted |= set(self._named(words[2]))
        if b"EXPUNGE" in words:
            self._expunge(self._named(words[2]) if words[0] == b"UID" else [*self.letters])
        return said + tag + b" OK done\r\n"

    def _named(self, uids: bytes) -> list[int]:
        """The letters in a set of UIDs, given as numbers or one range."""
        first, _, last = uids.partition(b":")
        wanted = range(int(first), int(last) + 1) if last else [*map(int, uids.split(b","))]
        return [uid for uid in wanted if uid in self.letters]

    def _expunge(self, uids: list[int]) -> None:
        for uid in {*uids} & self.deleted - self.keeps:
            del self.letters[uid]

    def _searched(self, words: list[bytes]) -> list[int]:
        if words[0] == b"UID":  # the letters requested
            return self._named(words[1])
        if words == [b"DELETED"]:
            return sorted(self.deleted & set(self.letters))
        first = int(words[2].split(b":")[0]) if words[1:2] == [b"UID"] else 1
        return [uid for uid in self.letters if uid >= min(first, max(self.letters))]


def whole(uid: int, raw: bytes, items: bytes = b"") -> bytes:
    """The correct answer to FETCH; `items` may request only the rest of the text."""
    start = int(items.partition(b"[]<")[2].partition(b".")[0] or 0)
    text = raw[start:]
    return b"* %d FETCH (UID %d RFC822.SIZE %d BODY[]<%d> {%d}\r\n%s)\r\n" % (
        uid,
        uid,
        len(raw),
        start,
        len(text),
        text,
    )
